// Elements of the page, and its data: `overview` lists the items; the data of an item is parsed when it is opened.
const make = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
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
const read = id => {
  const { type, textContent } = document.getElementById(id);
  return JSON.parse(type === "text/plain" ? inflate(Uint8Array.from(atob(textContent), c => c.charCodeAt(0))) : textContent);
};
const overview = read("overview");
// The block that was read last: who walks through methods stays in it.
let block = { number: -1, items: [] };
const readItem = index => {
  if (!overview.blocks.length) return read("item-" + index);
  const number = overview.blocks.findLastIndex(start => start <= index);
  if (block.number !== number) block = { number, items: read("block-" + number) };
  return block.items[index - overview.blocks[number]];
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
