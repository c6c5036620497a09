// The tree of items on the left: only the rows in view exist; a plain list is a tree of one level.
const ROW = 24;
const search = make("input", { type: "search", placeholder: "Search (/)", "aria-label": "Search items" });
const list = make("div", { class: "list", role: "tree", tabindex: "0", "aria-label": "Items" });
const spacer = make("div");
list.append(spacer);
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
    const sizes = before === after ? grouped(after) : grouped(before) + " \u2192 " + grouped(after);
    const row = make("div", { class: "row " + change, role: "treeitem", "aria-selected": String(index === selected),
      "aria-level": String(depth + 1), "aria-expanded": isParent ? String(isOpen) : undefined,
      title: name + (change ? ", " + WORDS[change] : "") + ": " + sizes, "data-index": index, onclick: () => open(index) },
      twist, make("span", { class: "mark" }, MARKS[change] ?? ""), nameOf(name),
      make("span", { class: "size" }, before === after ? short(after) : short(before) + " \u2192 " + short(after)));
    row.style.top = place * ROW + "px";
    row.style.paddingLeft = 6 + depth * 14 + "px";
    list.append(row);
  }
}
list.addEventListener("scroll", drawRows);
new ResizeObserver(drawRows).observe(list);
search.addEventListener("input", () => { list.scrollTop = 0; filterRows(); });
