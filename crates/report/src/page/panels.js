// Panels: what the page opens with, and what is said of an item.
const panel = (data, index) => {
  switch (data.kind) {
    case "text": return make("p", { class: "said" }, data.text);
    case "figures": return figures(data);
    case "bars": return bars(data);
    case "treemap": return treemap(data);
    case "inside": return inside(data, index);
    default: return table(data);
  }
};
// Bars stand beside each other where there is room.
const panels = (all, index) => {
  const element = make("div", { class: "panels" });
  for (const data of all) element.append(panel(data, index));
  return element;
};
const width = (part, whole) => `width:${part ? Math.max(0.3, part / whole * 100) : 0}%`;

// Sizes before and after, each as long as it is of the larger.
function figures({ rows }) {
  const element = make("dl", { class: "figures" });
  for (const { what, before, after, peer } of rows) {
    const most = Math.max(before, after, peer?.[1] ?? 0);
    const bar = (kind, size, word) => make("div", { class: "bar-line", title: `${word}: ${grouped(size)}` },
      make("span", { class: "track" }, make("span", { class: "fill " + kind, style: width(size, most) })),
      make("span", { class: "n" }, grouped(size)),
      make("span", { class: "dim" }, word));
    element.append(make("div", { class: "figure" }, make("dt", {}, make("b", {}, percent(before, after) || "as before"), what),
      make("dd", {}, bar("was", before, "before"), bar("is", after, "after"), ...(peer ? [bar("peer", peer[1], peer[0])] : []))));
  }
  return element;
}

// What there is most of; a bar that is part of something has the rest beside it.
const FEW = 12;
function bars({ title, unit, rows }) {
  const most = Math.max(1, ...rows.map(row => row.of ?? row.value));
  const line = ({ label, hint, value, of, item }) => {
    const hinted = [label, hint].filter(Boolean).join("\n");
    const name = item === null ? make("span", { class: "label" }, nameOf(label)) :
      make("a", { class: "label", href: "#" + item, onclick: e => { e.preventDefault(); open(item); } }, nameOf(label));
    return make("div", { class: "bar-row", title: hinted }, name,
      make("span", { class: "track" }, make("span", { class: "fill is", style: width(value, most) }),
        ...(of > value ? [make("span", { class: "fill was", style: width(of - value, most) })] : [])),
      make("span", { class: "n" }, of === null ? grouped(value) : `${grouped(value)} of ${grouped(of)}`));
  };
  const section = make("section", { class: "bars" }, make("h2", {}, title, " ", make("span", { class: "dim" }, unit)),
    ...rows.slice(0, FEW).map(line));
  if (rows.length > FEW) {
    const more = make("button", { class: "more", onclick: () => more.replaceWith(...rows.slice(FEW).map(line)) },
      `${rows.length - FEW} more`);
    section.append(more);
  }
  return section;
}

// The tree of items as areas: squarified (Bruls, Huizing and van Wijk 2000), two levels at once.
function squarified(nodes, x, y, w, h, place) {
  const total = nodes.reduce((sum, node) => sum + node.weight, 0);
  if (!total) return;
  const scale = w * h / total;
  for (let at = 0; at < nodes.length;) {
    const side = Math.min(w, h);
    let end = at, sum = 0, worst = Infinity;
    for (; end < nodes.length; end++) {
      const area = (sum + nodes[end].weight) * scale, long = area / side;
      const ratio = Math.max(...[nodes[at], nodes[end]].map(({ weight }) => {
        const across = weight * scale / long;
        return Math.max(long / across, across / long);
      }));
      if (ratio > worst) break;
      worst = ratio;
      sum += nodes[end].weight;
    }
    const thick = sum * scale / side;
    let along = 0;
    for (; at < end; at++) {
      const long = nodes[at].weight * scale / thick;
      if (w < h) place(nodes[at], x + along, y, long, thick); else place(nodes[at], x, y + along, thick, long);
      along += long;
    }
    if (w < h) { y += thick; h -= thick; } else { x += thick; w -= thick; }
  }
}
const childrenOf = index => {
  const found = [];
  const depth = index < 0 ? 0 : overview.items[index][3] + 1;
  for (let i = index + 1; i < overview.items.length && overview.items[i][3] >= depth; i++) {
    const [name, before, after, level, change, weight] = overview.items[i];
    if (level === depth) found.push({ index: i, name, before, after, change, weight });
  }
  return found;
};
const largestOf = index => childrenOf(index).filter(node => node.weight > 0)
  .sort((a, b) => b.weight - a.weight || a.index - b.index).slice(0, AREAS);
// So many areas are drawn of one level, and none is smaller than that.
const AREAS = 200, SMALLEST = 60;
function treemap({ title, unit }) {
  const W = 1000, H = 360, HEAD = 18;
  const picture = svg("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": title, class: "treemap" });
  const area = (node, x, y, w, h, isInner) => {
    if (w * h < SMALLEST) return;
    const left = node.before ? Math.min(1, node.after / node.before) : 1;
    const words = `${node.name}\n${grouped(node.before)} \u2192 ${grouped(node.after)} ${percent(node.before, node.after)}`;
    const group = svg("g", { class: "area" + (isInner ? " inner" : ""), "data-index": node.index }, svg("title", {}, words),
      svg("rect", { x, y, width: w, height: h, class: "whole" }),
      svg("rect", { x, y: y + h * (1 - left), width: w, height: h * left, class: "left" }));
    const room = Math.floor((w - 8) / 6.8), name = node.name.split("(")[0] || node.name;
    if (h > 14 && room > 3) {
      group.append(svg("text", { x: x + 4, y: y + 13 }, name.length > room ? "\u2026" + name.slice(1 - room) : name));
    }
    group.addEventListener("click", e => { e.stopPropagation(); open(node.index); });
    picture.append(group);
  };
  squarified(largestOf(-1), 0, 0, W, H, (node, x, y, w, h) => {
    area(node, x, y, w, h, false);
    const inner = w > 60 && h > 2 * HEAD ? largestOf(node.index) : [];
    // What a bridge leaves has an area of its own.
    const own = node.weight - inner.reduce((sum, child) => sum + child.weight, 0);
    if (inner.length && own > 0) inner.push({ index: -1, weight: own });
    inner.sort((a, b) => b.weight - a.weight);
    squarified(inner, x + 2, y + HEAD, w - 4, h - HEAD - 2, (child, ...box) => { if (child.index >= 0) area(child, ...box, true); });
  });
  const legend = make("p", { class: "dim" }, `Area: ${unit}. Filled: what is left. A click opens.`);
  return make("section", { class: "wide" }, make("h2", {}, title), picture, legend);
}

// What lies in an item, as the tree has it.
const inside = ({ title, unit }, index) => table({ title, head: ["name", `${unit} before`, "after", "what became of it"],
  rows: childrenOf(index).map(({ name, before, after, change }) => [name, before, after, WORDS[change] ?? "as it was"]) });

// A long table draws only the rows in view.
function table({ title, folded, head, rows }) {
  const body = make("tbody");
  let drawn = 0;
  const cell = value => make("td", { class: typeof value === "number" ? "n" : undefined },
    typeof value === "number" ? grouped(value) : value);
  const more = () => {
    const end = Math.min(rows.length, drawn + PAGE);
    for (; drawn < end; drawn++) body.append(make("tr", {}, ...rows[drawn].map(cell)));
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
  const inside = make("div", { class: "scrolled" }, make("table", {},
    make("thead", {}, make("tr", {}, ...head.map((name, i) => make("th", { scope: "col", tabindex: "0",
      onclick: () => sort(i), onkeydown: e => { if (e.key === "Enter") sort(i); } }, name)))), body), tail);
  return make("section", { class: "wide" }, folded
    ? make("details", {}, make("summary", {}, make("h2", {}, title, " ", make("span", { class: "dim" }, grouped(rows.length)))), inside)
    : make("div", {}, make("h2", {}, title), inside));
}
