// The data of the page: `overview` lists the items; the data of an item is parsed when it is opened.
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
