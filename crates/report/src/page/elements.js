// Elements of the page, numbers and names.
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    // A style that is an attribute would have to be allowed wherever the page comes from a server.
    else if (key === "style") element.style.cssText = value;
    else if (value !== undefined) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
};
const svg = (tag, attributes, ...children) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
// Numbers as people read them: 1,234 or, where there is little room, 1.2 M.
const grouped = number => number.toLocaleString("en-US");
const short = number => {
  for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) {
    if (number >= 10 * size) return Math.round(number / size) + " " + unit;
    if (number >= size) return (number / size).toFixed(1) + " " + unit;
  }
  return String(number);
};
const percent = (before, after) => {
  if (!before || before === after) return "";
  const by = (after / before - 1) * 100;
  return (by < 0 ? "\u2212" : "+") + Math.abs(by).toFixed(Math.abs(by) < 10 ? 1 : 0) + " %";
};
const MARKS = { new: "+", changed: "~", gone: "\u2212", only: "\u25c6" };
const WORDS = { new: "new", changed: "changed", gone: "removed", only: "only here" };
// A name that is too long is cut in front of its last part: where `org.apache.commons.lang3` and its sisters differ.
function nameOf(name) {
  const plain = name.split("(")[0].trimEnd();
  const cut = 1 + (plain.includes(" ") ? plain.lastIndexOf(" ") : Math.max(plain.lastIndexOf("."), plain.lastIndexOf("/")));
  return make("span", { class: "name" }, make("span", { class: "front" }, name.slice(0, cut)), make("span", {}, name.slice(cut)));
}
