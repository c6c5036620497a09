// A box for text, with the numbers of its lines and marks beside lines with errors.
function editor(box, label, changed) {
  const numbers = make("pre"), gutter = make("div", { class: "gutter", "aria-hidden": "true" }, numbers);
  const area = make("textarea", { spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off", "aria-label": label });
  document.getElementById(box).append(gutter, area);
  let lines = 0, marks = [];
  const count = () => {
    let now = 1;
    for (let at = -1; (at = area.value.indexOf("\n", at + 1)) >= 0;) now++;
    if (now === lines) return;
    lines = now;
    numbers.replaceChildren(Array.from({ length: lines }, (_, i) => i + 1).join("\n") + "\n\n", ...marks);
  };
  area.addEventListener("scroll", () => { gutter.scrollTop = area.scrollTop; });
  area.addEventListener("input", () => { count(); changed(); });
  count();
  return {
    area,
    get text() { return area.value; },
    set text(text) { area.value = text; count(); },
    // Marks lines: numbers from 1, each with a class.
    mark(places) {
      for (const mark of marks) mark.remove();
      marks = places.map(([line, kind]) => make("i", { class: kind, style: `top:${4 + (line - 1) * LINE}px` }));
      numbers.append(...marks);
    },
    // Puts the caret to a line and a column, both from 1; columns count characters.
    go(line, column) {
      const rows = area.value.split("\n"), at = Math.min(line, rows.length) - 1;
      const before = rows.slice(0, at).reduce((sum, row) => sum + row.length + 1, 0);
      const inside = [...rows[at]].slice(0, column - 1).join("").length;
      area.focus();
      area.setSelectionRange(before + inside, before + inside);
      area.scrollTop = Math.max(0, at * LINE - area.clientHeight / 2);
    },
  };
}
// A link to a place in a box.
const placeLink = (box, line, column) =>
  make("a", { class: "place", tabindex: "0", role: "button", onclick: () => box.go(line, column),
    onkeydown: e => { if (e.key === "Enter") box.go(line, column); } }, `${line}:${column}`);
