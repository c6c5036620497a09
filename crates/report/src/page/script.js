"use strict";
// The page of a report. `overview` lists the items; the data of an item is parsed when it is opened.
// Much data is packed: blocks of items, deflated (RFC 1951) and in base 64, are inflated when one of the items is opened.
const inflate = bytes => {
  let at = 0, bit = 0, out = new Uint8Array(bytes.length * 4 + 64), size = 0;
  const bits = count => {
    let value = 0;
    for (let i = 0; i < count; i++) {
      value |= (bytes[at] >> bit & 1) << i;
      if (++bit === 8) { bit = 0; at++; }
    }
    return value;
  };
  const put = byte => {
    if (size === out.length) {
      const larger = new Uint8Array(size * 2);
      larger.set(out);
      out = larger;
    }
    out[size++] = byte;
  };
  // A code by the lengths of its words: how many have each length, and their symbols in order.
  const code = lengths => {
    const counts = new Array(16).fill(0), places = new Array(16).fill(0), symbols = [];
    for (const length of lengths) if (length) counts[length]++;
    for (let i = 2; i < 16; i++) places[i] = places[i - 1] + counts[i - 1];
    lengths.forEach((length, symbol) => { if (length) symbols[places[length]++] = symbol; });
    return { counts, symbols };
  };
  const symbol = ({ counts, symbols }) => {
    for (let length = 1, word = 0, first = 0, index = 0; length < 16; length++) {
      word |= bits(1);
      if (word - first < counts[length]) return symbols[index + word - first];
      index += counts[length];
      first = first + counts[length] << 1;
      word <<= 1;
    }
    throw new Error("the data of the page is damaged");
  };
  // Lengths and distances grow by more and more bits behind each symbol.
  const steps = (start, extra) => extra.map(count => { const at = start; start += 1 << count; return [at, count]; });
  const lengths = steps(3, [...Array(8).fill(0), ...[1, 2, 3, 4, 5].flatMap(n => Array(4).fill(n))]);
  lengths[28] = [258, 0];
  const distances = steps(1, [0, 0, ...Array.from({ length: 28 }, (_, i) => i >> 1)]);
  const far = ([start, count]) => start + bits(count);
  for (let last = 0; !last;) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      if (bit) { bit = 0; at++; }
      const count = bytes[at] | bytes[at + 1] << 8;
      at += 4;
      for (let i = 0; i < count; i++) put(bytes[at++]);
      continue;
    }
    let literal, distance;
    if (kind === 1) {
      literal = code(Array.from({ length: 288 }, (_, i) => i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
      distance = code(Array(30).fill(5));
    } else {
      const literals = bits(5) + 257, all = literals + bits(5) + 1, own = Array(19).fill(0), known = [];
      const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
      for (let i = 0, count = bits(4) + 4; i < count; i++) own[order[i]] = bits(3);
      const words = code(own);
      while (known.length < all) {
        const next = symbol(words);
        if (next < 16) known.push(next);
        else {
          const value = next === 16 ? known.at(-1) : 0;
          for (let i = next === 16 ? 3 + bits(2) : next === 17 ? 3 + bits(3) : 11 + bits(7); i > 0; i--) known.push(value);
        }
      }
      literal = code(known.slice(0, literals));
      distance = code(known.slice(literals));
    }
    for (let next; (next = symbol(literal)) !== 256;) {
      if (next < 256) { put(next); continue; }
      const length = far(lengths[next - 257]), back = far(distances[symbol(distance)]);
      for (let i = 0; i < length; i++) put(out[size - back]);
    }
  }
  return new TextDecoder().decode(out.subarray(0, size));
};
const read = id => {
  const { type, textContent } = document.getElementById(id);
  return JSON.parse(type === "text/plain" ? inflate(Uint8Array.from(atob(textContent), c => c.charCodeAt(0))) : textContent);
};
// The block that was read last: who walks through methods stays in it.
let block = { number: -1, items: [] };
const readItem = index => {
  if (!overview.blocks.length) return read("item-" + index);
  const number = overview.blocks.findLastIndex(start => start <= index);
  if (block.number !== number) block = { number, items: read("block-" + number) };
  return block.items[index - overview.blocks[number]];
};
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
};
const overview = read("overview");
const ROW = 24;

// ---- Skeleton -----------------------------------------------------------------------------------
const search = make("input", { type: "search", placeholder: "Search (/)", "aria-label": "Search items" });
const list = make("div", { class: "list", role: "tree", tabindex: "0", "aria-label": "Items" });
const spacer = make("div");
const main = make("main", { tabindex: "-1" });
list.append(spacer);
document.body.append(
  make("header", {}, make("h1", {}, overview.title), make("p", {}, overview.subtitle),
    make("button", { onclick: () => open(-1) }, "Overview")),
  make("nav", {}, search, list), main);

// ---- The tree of items: only the rows in view exist; a plain list is a tree of one level ---------------------
const MARKS = { new: "+", changed: "~", gone: "\u2212" };
const WORDS = { new: "new", changed: "changed", gone: "removed" };
const parent = [], path = [];
overview.items.forEach(([name, , , depth], i) => {
  let up = i - 1;
  while (up >= 0 && overview.items[up][3] >= depth) up = parent[up];
  parent.push(depth ? up : -1);
  path.push((depth ? path[up] + "/" : "") + name.toLowerCase());
});
list.classList.toggle("tree", overview.items.some(item => item[3]));
const hasChildren = i => overview.items[i + 1]?.[3] > overview.items[i][3];
// Large trees begin closed.
const unfolded = new Set(overview.items.length > 200 ? [] : overview.items.keys());
let shown = [];
let selected = -1;
function filterRows() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length) {
    // What is found stands below everything that it lies in.
    const keep = new Set();
    path.forEach((text, i) => {
      if (words.every(word => text.includes(word))) for (let at = i; at >= 0 && !keep.has(at); at = parent[at]) keep.add(at);
    });
    shown = [...keep].sort((a, b) => a - b);
  } else {
    const visible = [];
    shown = [];
    overview.items.forEach((_, i) => {
      const up = parent[i];
      visible.push(up < 0 || (visible[up] && unfolded.has(up)));
      if (visible[i]) shown.push(i);
    });
  }
  drawRows();
}
function fold(index, isOpen) {
  if (!hasChildren(index) || unfolded.has(index) === isOpen) return;
  if (isOpen) unfolded.add(index); else unfolded.delete(index);
  filterRows();
}
function reveal(index) {
  if (index < 0) return;
  for (let up = parent[index]; up >= 0; up = parent[up]) unfolded.add(up);
  if (!shown.includes(index)) filterRows();
}
function drawRows() {
  spacer.style.height = shown.length * ROW + "px";
  for (const row of [...list.querySelectorAll(".row")]) row.remove();
  const first = Math.max(0, Math.floor(list.scrollTop / ROW) - 5);
  const last = Math.min(shown.length, first + Math.ceil(list.clientHeight / ROW) + 10);
  for (let place = first; place < last; place++) {
    const index = shown[place], [name, before, after, depth, change] = overview.items[index];
    const isParent = hasChildren(index), isOpen = unfolded.has(index);
    const twist = make("span", { class: "twist", onclick: e => { e.stopPropagation(); fold(index, !isOpen); } },
      isParent ? (isOpen ? "\u25be" : "\u25b8") : "");
    const row = make("div", { class: "row " + change, role: "treeitem", "aria-selected": String(index === selected),
      "aria-level": String(depth + 1), "aria-expanded": isParent ? String(isOpen) : undefined,
      title: name + (change ? ", " + WORDS[change] : ""), "data-index": index, onclick: () => open(index) },
      twist, make("span", { class: "mark" }, MARKS[change] ?? ""), make("span", { class: "name" }, "\u200e" + name),
      make("span", { class: "size" }, before === after ? String(after) : before + " \u2192 " + after));
    row.style.top = place * ROW + "px";
    row.style.paddingLeft = 6 + depth * 14 + "px";
    list.append(row);
  }
}
list.addEventListener("scroll", drawRows);
window.addEventListener("resize", drawRows);
search.addEventListener("input", () => { list.scrollTop = 0; filterRows(); });

// ---- Code: values light up together, lines say why they changed -----------------------------------------
// Values and, in bytecode, members of classes.
const VALUE = /\b(?:[vipf]|new)\d+\b|[\w$/]+\.[\w$<>]+(?:\(\S*|:\S+)/g;
function codeLine(line) {
  const text = typeof line === "string" ? line : line.text;
  const element = make("div");
  let end = 0;
  for (const match of text.matchAll(VALUE)) {
    element.append(text.slice(end, match.index), make("span", { class: "v", "data-v": match[0] }, match[0]));
    end = match.index + match[0].length;
  }
  element.append(text.slice(end));
  if (line.change) {
    element.classList.add(line.change);
    element.dataset.mark = MARKS[line.change];
  }
  if (line.notes?.length) {
    element.classList.add("noted");
    element.tabIndex = 0;
    element.addEventListener("mouseenter", () => showNote(element, line.notes));
    element.addEventListener("focus", () => showNote(element, line.notes));
    element.addEventListener("mouseleave", hideNote);
    element.addEventListener("blur", hideNote);
  }
  return element;
}
function showNote(anchor, notes) {
  hideNote();
  const note = make("div", { id: "note", role: "tooltip" });
  for (const { by, what, place, proof } of notes) {
    note.append(make("p", {}, make("b", {}, by), " ", what));
    if (place || proof) note.append(make("p", { class: "dim" }, [place, proof].filter(Boolean).join(" \u00b7 ")));
  }
  document.body.append(note);
  const box = anchor.getBoundingClientRect();
  note.style.left = Math.min(box.left + 40, innerWidth - note.offsetWidth - 8) + "px";
  note.style.top = (box.bottom + note.offsetHeight > innerHeight ? box.top - note.offsetHeight - 2 : box.bottom + 2) + "px";
}
function hideNote() {
  document.getElementById("note")?.remove();
}
let pinned = null;
function light(name) {
  for (const old of main.querySelectorAll(".v.hot")) old.classList.remove("hot");
  if (name) for (const same of main.querySelectorAll(`.v[data-v="${CSS.escape(name)}"]`)) same.classList.add("hot");
}
main.addEventListener("mouseover", e => { if (!pinned) light(e.target.dataset?.v); });
main.addEventListener("click", e => {
  const name = e.target.dataset?.v;
  if (name) { pinned = pinned === name ? null : name; light(pinned ?? name); }
});

// A long column draws only the lines in view.
const LINE = 20, PAGE = 400;
function codeBlock(lines) {
  const block = make("div", { class: "code" });
  let drawn = 0;
  const more = () => {
    const end = Math.min(lines.length, drawn + PAGE);
    for (; drawn < end; drawn++) block.insertBefore(codeLine(lines[drawn]), tail);
    tail.style.height = (lines.length - drawn) * LINE + "px";
    if (drawn === lines.length) watch.disconnect();
  };
  const tail = make("div");
  block.append(tail);
  const watch = new IntersectionObserver(seen => { if (seen.some(s => s.isIntersecting)) more(); });
  more();
  watch.observe(tail);
  return block;
}

// ---- Tables: a long one draws only the rows in view ----------------------------------------------------------
function table({ title, head, rows }) {
  const body = make("tbody");
  let drawn = 0;
  const more = () => {
    const end = Math.min(rows.length, drawn + PAGE);
    for (; drawn < end; drawn++) body.append(make("tr", {},
      ...rows[drawn].map(cell => make("td", { class: typeof cell === "number" ? "n" : undefined }, String(cell)))));
    tail.hidden = drawn === rows.length;
    tail.textContent = `${rows.length - drawn} more rows`;
  };
  const tail = make("button", { class: "more", onclick: more });
  const watch = new IntersectionObserver(seen => { if (seen.some(s => s.isIntersecting)) more(); });
  const fill = () => { body.replaceChildren(); drawn = 0; more(); };
  let order = [-1, 1];
  const sort = column => {
    order = [column, order[0] === column ? -order[1] : 1];
    rows.sort((a, b) => (a[column] < b[column] ? -1 : a[column] > b[column] ? 1 : 0) * order[1]);
    fill();
  };
  fill();
  watch.observe(tail);
  return make("section", {}, make("h2", {}, title), make("table", {},
    make("thead", {}, make("tr", {}, ...head.map((name, i) => make("th", { scope: "col", tabindex: "0",
      onclick: () => sort(i), onkeydown: e => { if (e.key === "Enter") sort(i); } }, name)))), body), tail);
}

// ---- Graphs: layers by longest path over forward edges, order in a layer by the mean of the parents ----------
const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
function layers(nodes, edges) {
  const out = nodes.map(() => []);
  for (const e of edges) out[e.from].push(e);
  const state = nodes.map(() => 0), order = [];
  for (let root = 0; root < nodes.length; root++) {
    if (state[root]) continue;
    const stack = [[root, 0]];
    state[root] = 1;
    while (stack.length) {
      const top = stack[stack.length - 1], edge = out[top[0]][top[1]++];
      if (!edge) { state[top[0]] = 2; order.push(top[0]); stack.pop(); }
      else if (state[edge.to] === 1) edge.back = true;
      else if (!state[edge.to]) { state[edge.to] = 1; stack.push([edge.to, 0]); }
    }
  }
  const layer = nodes.map(() => 0);
  for (const n of order.reverse()) for (const e of out[n]) if (!e.back) layer[e.to] = Math.max(layer[e.to], layer[n] + 1);
  const rows = [];
  order.forEach(n => (rows[layer[n]] ??= []).push(n));
  const place = nodes.map(() => 0);
  for (const row of rows) {
    const mean = n => {
      const from = edges.filter(e => e.to === n && !e.back).map(e => place[e.from]);
      return from.length ? from.reduce((a, b) => a + b) / from.length : 0;
    };
    row.sort((a, b) => mean(a) - mean(b)).forEach((n, i) => { place[n] = i; });
  }
  return rows;
}
// Draws a graph into a group, and the graphs inside of its nodes into them; the group, its width and its height.
function draw({ nodes, edges }) {
  const inner = nodes.map(n => (n.inside ?? []).map(g => ({ title: g.title, ...draw(g) })));
  const size = nodes.map((n, i) => {
    const longest = Math.max(n.title.length, ...n.lines.map(l => l.length));
    const within = inner[i].reduce((sum, g) => sum + Math.max(g.width, g.title.length * 7.4 + 16) + 10, 10);
    const deep = Math.max(0, ...inner[i].map(g => g.height + 30));
    return [Math.max(Math.min(longest, 60) * 7.4 + 16, inner[i].length ? within : 0), 22 + n.lines.length * 15 + deep];
  });
  const box = [];
  let y = 10, width = 0;
  for (const row of layers(nodes, edges)) {
    let x = 10;
    for (const n of row) { box[n] = [x, y, ...size[n]]; x += size[n][0] + 30; }
    width = Math.max(width, x);
    y += Math.max(...row.map(n => size[n][1])) + 46;
  }
  const group = svg("g", {});
  for (const { from, to, label, back } of edges) {
    const [ax, ay, aw, ah] = box[from], [bx, by, bw] = box[to];
    const x1 = ax + aw / 2, y1 = ay + ah, x2 = bx + bw / 2, y2 = by;
    const d = back ? `M${ax + aw} ${ay + ah / 2} C${ax + aw + 60} ${ay},${bx + bw + 60} ${by},${bx + bw} ${by + 10}`
      : `M${x1} ${y1} C${x1} ${y1 + 24},${x2} ${y2 - 24},${x2} ${y2}`;
    group.append(svg("path", { d, class: back ? "back" : "edge", "marker-end": "url(#arrow)" }));
    if (label) group.append(svg("text", { x: (x1 + x2) / 2 + 4, y: (y1 + y2) / 2 }, label));
  }
  nodes.forEach((n, i) => {
    const [x, top, w, h] = box[i];
    const node = svg("g", n.marked ? { class: "marked" } : {}, svg("rect", { x, y: top, width: w, height: h, rx: 4 }),
      svg("text", { x: x + 8, y: top + 16, class: "t" }, n.title));
    n.lines.forEach((line, k) => node.append(svg("text", { x: x + 8, y: top + 32 + 15 * k },
      line.length > 60 ? line.slice(0, 59) + "\u2026" : line)));
    let at = x + 10;
    for (const g of inner[i]) {
      const begin = top + 22 + n.lines.length * 15, wide = Math.max(g.width, g.title.length * 7.4 + 16);
      g.group.setAttribute("transform", `translate(${at} ${begin + 16})`);
      node.append(svg("rect", { x: at, y: begin, width: wide, height: g.height + 20, rx: 4, class: "region" }),
        svg("text", { x: at + 6, y: begin + 14 }, g.title), g.group);
      at += wide + 10;
    }
    group.append(node);
  });
  // An edge back runs beside everything.
  return { group, width: width + (edges.some(e => e.back) ? 40 : 0), height: y };
}
function graph(data) {
  const { group, width, height } = draw(data);
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": data.title },
    svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
      orient: "auto-start-reverse" }, svg("path", { d: "M0 0L8 4L0 8z" }))), group);
  return make("section", {}, make("h2", {}, data.title), picture);
}

// ---- An item ------------------------------------------------------------------------------------------------
let hidden = new Set();
function open(index) {
  selected = index;
  pinned = null;
  hideNote();
  main.replaceChildren();
  if (index < 0) {
    main.append(...overview.tables.map(table));
    if (!overview.tables.length) main.append(make("p", {}, "Choose an item on the left."));
  } else {
    const item = readItem(index), columns = make("div", { class: "columns" }), bar = make("div", { class: "bar" });
    item.columns.forEach(({ title, lines }) => {
      const column = make("div", { class: "column" }, make("h2", {}, title), codeBlock(lines));
      const set = () => {
        column.hidden = hidden.has(title);
        button.setAttribute("aria-pressed", String(!column.hidden));
      };
      const button = make("button", { onclick: () => {
        if (!hidden.delete(title)) hidden.add(title);
        set();
      } }, title);
      set();
      bar.append(button);
      columns.append(column);
    });
    const [name, , , , change] = overview.items[index], within = [];
    for (let up = parent[index]; up >= 0; up = parent[up]) within.unshift(overview.items[up][0]);
    main.append(make("h2", {}, [...within, name].join(" \u203a ") + (change ? ` (${WORDS[change]})` : "")),
      ...item.tables.map(table), bar, columns, ...item.graphs.map(graph));
  }
  location.replace("#" + index);
  reveal(index);
  drawRows();
}
document.addEventListener("keydown", e => {
  if (e.target === search && e.key !== "Escape" && e.key !== "Enter") return;
  if (e.key === "/") { search.focus(); e.preventDefault(); }
  else if (e.key === "Escape") { search.value = ""; search.dispatchEvent(new Event("input")); list.focus(); }
  else if (e.key === "Enter" && e.target === search && shown.length) open(shown.find(i => shown.every(j => parent[j] !== i)));
  else if (e.key === "ArrowRight" || e.key === "ArrowLeft") {
    if (!list.contains(document.activeElement)) return;
    if (e.key === "ArrowLeft" && !(hasChildren(selected) && unfolded.has(selected)) && parent[selected] >= 0) open(parent[selected]);
    else fold(selected, e.key === "ArrowRight");
    e.preventDefault();
  }
  else if (e.key === "j" || e.key === "k") {
    const place = shown.indexOf(selected) + (e.key === "j" ? 1 : -1);
    if (place >= 0 && place < shown.length) {
      list.scrollTop = Math.max(0, place * ROW - list.clientHeight / 2);
      open(shown[place]);
    }
  }
});
filterRows();
const start = Number.parseInt(location.hash.slice(1), 10);
open(start >= 0 && start < overview.items.length ? start : overview.tables.length || !overview.items.length ? -1 : 0);
