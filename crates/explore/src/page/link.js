// A link holds the whole input behind its `#`, which no browser sends to a server: deflated (z) or plain (b), in base 64.
const MOST_LINKED = 4 << 20;
const baseOf = bytes => {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return btoa(text).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
};
const bytesOf = text => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
// What a stream holds; a link is no reason to fill the memory.
async function through(bytes, stream) {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), parts = [];
  let size = 0;
  for (let part; !(part = await reader.read()).done;) {
    size += part.value.length;
    if (size > MOST_LINKED) throw new Error("the link holds more than this page takes");
    parts.push(part.value);
  }
  return new Uint8Array(await new Blob(parts).arrayBuffer());
}
async function linkOf(input) {
  const bytes = new TextEncoder().encode(JSON.stringify(input));
  if (!window.CompressionStream) return "b" + baseOf(bytes);
  return "z" + baseOf(await through(bytes, new CompressionStream("deflate-raw")));
}
async function inputOf(link) {
  const bytes = bytesOf(link.slice(1));
  const plain = link[0] === "z" ? await through(bytes, new DecompressionStream("deflate-raw")) : bytes;
  return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(plain));
}
// Nothing is saved but by hand: the browser asks where to, or has a folder for it.
function save(name, text) {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  make("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}
