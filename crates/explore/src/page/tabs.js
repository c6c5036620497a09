// What is shown on the right. Only the tab that is open is drawn; the answer that came last is `now`.
let overview = { items: [], panels: [] };
let now = null;
let chosenTab = "Result";
// The item that was chosen: its name and its place, for several may have one name.
let chosenItem = ["", 0];
// What cannot be seen is shown as an escape.
const visible = text => text.replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g,
  c => `\\u{${c.codePointAt(0).toString(16)}}`);
const pre = (text, kind) => make("pre", kind ? { class: kind } : {}, text);
const titled = (title, ...what) => make("section", {}, make("h2", {}, title), ...what);
const plainTable = (head, rows, kind = "counts") => make("table", { class: kind },
  make("thead", {}, make("tr", {}, ...head.map(name => make("th", { scope: "col" }, name)))),
  make("tbody", {}, ...rows.map(row => make("tr", {}, ...row.map(cell =>
    typeof cell === "number" ? make("td", { class: "n" }, grouped(cell)) : make("td", {}, cell))))));

// The item whose states and pictures are shown; the others are one choice away.
function items(show) {
  if (!now.items.length) {
    return [make("p", {}, now.shortened ? "The program is too long for its states and pictures: `planish report FILE -o page.html` shows them."
      : "There is no function, so there are no states.")];
  }
  const names = overview.items.map(item => item[0]), [name, place] = chosenItem;
  const index = names[place] === name ? place : Math.max(0, names.indexOf(name));
  const choice = make("select", { "aria-label": "Function", onchange: e => choose(Number(e.target.value)) },
    ...names.map((name, i) => make("option", { value: i, ...(i === index ? { selected: "" } : {}) }, name)));
  return [...(names.length > 1 ? [make("p", {}, choice)] : []), ...show(now.items[index], index)];
}
function choose(index) {
  chosenItem = [overview.items[index]?.[0] ?? "", index];
  drawTab();
}
// A bar or an area of a panel opens its item.
function open(index) {
  chosenTab = "States";
  choose(index);
}
function rewrites() {
  if (!now.rewrites.length) return [make("p", {}, "Nothing was rewritten.")];
  const lines = row => {
    const links = row.lines.map(line => placeLink(programBox, line, 1));
    for (const link of links) link.textContent = link.textContent.split(":")[0];
    return make("span", {}, ...links);
  };
  return [plainTable(["rule or pass", "times", "lines", "what it did, first", "proof", "written in"],
    now.rewrites.map(row => [row.text ? make("details", {}, make("summary", {}, make("b", {}, row.by)), pre(row.text)) : make("b", {}, row.by), row.times, lines(row), row.what, row.proof, row.place]))];
}
function missed() {
  const parts = now.missed.rows.length ? [panels([now.missed])] : [make("p", {}, "No operation remains of which one could ask for a rule.")];
  if (now.left) parts.push(titled("What passes left, and why", pre(now.left)));
  return parts;
}
function counts() {
  const [before, after] = now.counts, wrong = before.error ?? after.error;
  if (wrong) return [make("p", {}, before.error ? wrong : `The result cannot be run so: ${wrong}`)];
  const head = `${before.function}(${before.arguments.join(", ")})`;
  const by = side => new Map(side.by), old = by(before), fresh = by(after);
  const ops = [...new Set([...old.keys(), ...fresh.keys()])].sort((a, b) => (old.get(b) ?? 0) - (old.get(a) ?? 0));
  const row = (name, a, b) => [name, a, b, percent(a, b)];
  const ended = side => [side.printed, side.results, side.ended, ...side.events].filter(Boolean).join("\n");
  return [make("p", {}, "The interpreter runs ", make("b", {}, head),
      before.assumed ? " on arguments that suit its parameters; write others above." : "."),
    plainTable(["executed", "before", "after", ""], [
      row("operations", before.operations, after.operations), row("branches", before.branches, after.branches),
      row("jumps", before.jumps, after.jumps), ...ops.map(op => row(op, old.get(op) ?? 0, fresh.get(op) ?? 0)),
      ["result", ended(before), ended(after), ""]])];
}
// How much is left of the text, and of what is executed.
function summary() {
  const sum = at => overview.items.reduce((total, item) => total + item[at], 0), [ran, runs] = now.counts;
  const part = (what, before, after) => [make("b", {}, `${what} ${grouped(before)} \u2192 ${grouped(after)}`), ` ${percent(before, after)} \u00a0 `];
  return make("p", { class: "dim" }, ...(overview.items.length ? part("operations", sum(1), sum(2)) : []),
    ...(ran.error || runs.error ? [] : part("executed", ran.operations, runs.operations)));
}
const TABS = {
  Result: () => [summary(), codeBlock(visible(now.result).replace(/\n$/, "").split("\n"))],
  Rewrites: rewrites,
  States: () => items(columnsOf),
  Missed: missed,
  Counts: counts,
  Pictures: () => items(item => [...item.graphs.map(graph),
    ...(item.graphs.length ? [] : [make("p", {}, "One block has no control flow to draw.")]),
    ...(field("engine").value === "egraph" ? [] : [make("p", { class: "dim" }, "The engine egraph has an e-graph to draw as well.")])]),
  // What is said of the only function is what is said of all.
  Overview: () => [panels(overview.panels),
    ...(overview.items.length > 1 ? items((item, index) => [panels(item.panels, index), panels(item.below, index)]) : [])],
};
const tabs = document.querySelector(".tabs");
document.querySelector(".right").append(main);
for (const name of Object.keys(TABS)) {
  tabs.append(make("button", { role: "tab", onclick: () => { chosenTab = name; drawTab(); keepLink(); } }, name));
}
// Draws the tab that is open. What was wrong last stands above what was right before.
function drawTab(error) {
  for (const tab of tabs.children) tab.setAttribute("aria-selected", String(tab.textContent === chosenTab));
  hideNote();
  const top = main.scrollTop;
  main.replaceChildren(...(error ? [pre(error, "wrong")] : []), ...(now ? TABS[chosenTab]() : []));
  main.classList.toggle("stale", Boolean(error));
  main.scrollTop = top;
}
