// The page: header, tree, and on the right the overview or an item.
document.body.append(
  make("header", {}, make("h1", {}, overview.title), make("p", {}, overview.subtitle),
    make("button", { onclick: () => open(-1) }, "Overview")),
  make("nav", {}, search, list), main);
// Nothing is to be chosen from one function alone.
document.body.classList.toggle("alone", overview.items.length === 1);
function open(index) {
  selected = index;
  pinned = null;
  hideNote();
  main.replaceChildren();
  if (index < 0) {
    main.append(panels(overview.panels));
    if (!overview.panels.length) main.append(make("p", {}, "Choose an item on the left."));
  } else {
    const item = readItem(index), [name, , , , change] = overview.items[index], within = [];
    for (let up = parent[index]; up >= 0; up = parent[up]) within.unshift(overview.items[up][0]);
    main.append(make("h2", { class: "title" }, [...within, name].join(" \u203a ") + (change ? ` (${WORDS[change]})` : "")),
      panels(item.panels, index), ...columnsOf(item), panels(item.below, index), ...item.graphs.map(graph));
  }
  main.scrollTop = 0;
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
// One function alone opens at once.
const start = Number.parseInt(location.hash.slice(1), 10);
open(start >= -1 && start < overview.items.length ? start : overview.items.length === 1 ? 0 : -1);
