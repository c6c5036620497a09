// Uses a report as a person would; the verdict is an attribute of the document's element.
const expect = (holds, what) => { if (!holds) wrong.push(what); };
const rows = () => [...document.querySelectorAll(".row")];
try {
  expect(overview.items.length === EXPECTED_ITEMS, `${overview.items.length} items`);
  // Only the rows in view exist.
  const listed = rows().length;
  expect(listed === Math.min(EXPECTED_ITEMS, listed) && listed > 0 && listed < 200, `${listed} items are listed`);
  expect(EXPECTED_ITEMS > 1 || location.hash === "#0", "one function alone opens at once");
  // The overview: sizes, bars and a treemap; tables by a click.
  open(-1);
  const figures = [...document.querySelectorAll(".figure")];
  expect(figures.length > 0 && figures[0].querySelectorAll(".fill").length >= 2, "the overview has sizes before and after");
  expect(document.querySelectorAll(".bars .bar-row").length > 0, "the overview has bars");
  const details = document.querySelector("details");
  expect(details && !details.open, "tables are folded");
  details.open = true;
  const head = document.querySelector("th"), first = () => document.querySelector("td").textContent;
  const before = first();
  head.click(); head.click();
  expect(document.querySelectorAll("td").length < 3 || first() !== before || document.querySelectorAll("tbody tr").length === 1,
    "a click on a heading sorts");
  if (EXPECTED_ITEMS > 1) {
    const area = document.querySelector(".treemap .area");
    area.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    expect(location.hash === "#" + area.dataset.index, "an area opens its item");
    open(-1);
    const link = document.querySelector("a.label");
    link.click();
    expect(location.hash === link.getAttribute("href"), "a bar opens its item");
  }
  rows()[0].click();
  expect(document.querySelectorAll(".column").length >= 2, "an item has columns");
  expect(document.querySelector(".code").textContent.includes("func "), "the input is shown");
  expect([...document.querySelectorAll(".bar button")].every(button => !button.textContent.includes("+")),
    "a walk of many passes is one word, its parts on hover");
  const columns = [...document.querySelectorAll(".column")], last = columns.at(-1);
  if (last.querySelector("h2").textContent === "PyPy") {
    const lines = column => column.querySelectorAll(".code > div").length;
    expect(lines(columns.at(-2)) === lines(last), "PyPy's operations stand beside ours");
    expect(document.querySelectorAll(".code .heading").length > 0, "lines of the program are headings");
    expect(!last.textContent.includes("getfield_gc") && !last.textContent.includes("debug_merge_point"), "PyPy's result has our words");
  }
  const value = document.querySelector(".v");
  value.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  const hot = document.querySelectorAll(".v.hot");
  expect(hot.length > 1 && [...hot].every(v => v.textContent === value.textContent), "a value lights up everywhere");
  const noted = document.querySelector(".noted");
  expect(noted, "a line says why it changed");
  noted?.dispatchEvent(new MouseEvent("mouseenter"));
  expect(document.getElementById("note")?.textContent.length > 3, "the note is shown");
  noted?.dispatchEvent(new MouseEvent("mouseleave"));
  expect(!document.getElementById("note"), "the note goes");
  const bar = document.querySelector(".bar button");
  bar.click();
  expect(document.querySelector(".column").hidden && bar.getAttribute("aria-pressed") === "false", "a column can be hidden");
  bar.click();
  const box = document.querySelector("input");
  box.value = "no such item";
  box.dispatchEvent(new Event("input"));
  expect(rows().length === 0, "a search without a hit lists nothing");
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  expect(rows().length === listed, "Escape clears the search");
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "j" }));
  expect(EXPECTED_ITEMS === 1 || location.hash === "#1", "j goes to the next item");
  for (const svg of document.querySelectorAll("svg")) {
    expect(svg.querySelectorAll("rect").length > 1, "a graph has nodes");
  }
} catch (error) {
  wrong.push(String(error));
}
document.documentElement.dataset.verdict = wrong.length ? wrong.join("; ") : "passed";
