// Code: values light up together, lines say why they changed.
const main = make("main", { tabindex: "-1" });
// Values and, in bytecode, members of classes. A prime marks a value of PyPy's that is none of ours.
const VALUE = /\b(?:[vipf]|new)\d+(?:\u2032|\b)|[\w$/]+\.[\w$<>]+(?:\(\S*|:\S+)/g;
function codeLine(data) {
  const line = typeof data === "string" ? { text: data } : Array.isArray(data) ? { change: data[0], text: data[1] } : data;
  const text = line.text, element = make("div", { title: line.whole || undefined });
  let end = 0;
  for (const match of text.matchAll(VALUE)) {
    element.append(text.slice(end, match.index), make("span", { class: "v", "data-v": match[0] }, match[0]));
    end = match.index + match[0].length;
  }
  element.append(text.slice(end));
  if (line.heading) element.classList.add("heading");
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

// The columns of an item, with a button for each that hides it.
const hidden = new Set();
function columnsOf(item) {
  const columns = make("div", { class: "columns" }), bar = make("div", { class: "bar" });
  for (const { title, parts, lines } of item.columns) {
    const whole = parts.length ? parts.join(", ") : undefined;
    const column = make("div", { class: "column" }, make("h2", { title: whole }, title), codeBlock(lines));
    const set = () => {
      column.hidden = hidden.has(title);
      button.setAttribute("aria-pressed", String(!column.hidden));
    };
    const button = make("button", { title: whole, onclick: () => {
      if (!hidden.delete(title)) hidden.add(title);
      set();
    } }, title);
    set();
    bar.append(button);
    columns.append(column);
  }
  return [bar, columns];
}
