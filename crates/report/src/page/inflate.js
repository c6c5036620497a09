// Much data is packed: blocks of items, deflated (RFC 1951) and in base 64, are inflated when one of the items is opened.
// DecompressionStream would do so too, but later: whoever opens an item would have to be told to wait.
const inflate = bytes => {
  let at = 0, bit = 0, out = new Uint8Array(bytes.length * 4 + 64), size = 0;
  const bits = count => {
    let value = 0;
    for (let i = 0; i < count; i++) {
      value |= (bytes[at] >> bit & 1) << i;
      if (++bit === 8) { bit = 0; at++; }
    }
    return value;
  };
  const put = byte => {
    if (size === out.length) {
      const larger = new Uint8Array(size * 2);
      larger.set(out);
      out = larger;
    }
    out[size++] = byte;
  };
  // A code by the lengths of its words: how many have each length, and their symbols in order.
  const code = lengths => {
    const counts = new Array(16).fill(0), places = new Array(16).fill(0), symbols = [];
    for (const length of lengths) if (length) counts[length]++;
    for (let i = 2; i < 16; i++) places[i] = places[i - 1] + counts[i - 1];
    lengths.forEach((length, symbol) => { if (length) symbols[places[length]++] = symbol; });
    return { counts, symbols };
  };
  const symbol = ({ counts, symbols }) => {
    for (let length = 1, word = 0, first = 0, index = 0; length < 16; length++) {
      word |= bits(1);
      if (word - first < counts[length]) return symbols[index + word - first];
      index += counts[length];
      first = first + counts[length] << 1;
      word <<= 1;
    }
    throw new Error("the data of the page is damaged");
  };
  // Lengths and distances grow by more and more bits behind each symbol.
  const steps = (start, extra) => extra.map(count => { const at = start; start += 1 << count; return [at, count]; });
  const lengths = steps(3, [...Array(8).fill(0), ...[1, 2, 3, 4, 5].flatMap(n => Array(4).fill(n))]);
  lengths[28] = [258, 0];
  const distances = steps(1, [0, 0, ...Array.from({ length: 28 }, (_, i) => i >> 1)]);
  const far = ([start, count]) => start + bits(count);
  for (let last = 0; !last;) {
    last = bits(1);
    const kind = bits(2);
    if (kind === 0) {
      if (bit) { bit = 0; at++; }
      const count = bytes[at] | bytes[at + 1] << 8;
      at += 4;
      for (let i = 0; i < count; i++) put(bytes[at++]);
      continue;
    }
    let literal, distance;
    if (kind === 1) {
      literal = code(Array.from({ length: 288 }, (_, i) => i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8));
      distance = code(Array(30).fill(5));
    } else {
      const literals = bits(5) + 257, all = literals + bits(5) + 1, own = Array(19).fill(0), known = [];
      const order = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15];
      for (let i = 0, count = bits(4) + 4; i < count; i++) own[order[i]] = bits(3);
      const words = code(own);
      while (known.length < all) {
        const next = symbol(words);
        if (next < 16) known.push(next);
        else {
          const value = next === 16 ? known.at(-1) : 0;
          for (let i = next === 16 ? 3 + bits(2) : next === 17 ? 3 + bits(3) : 11 + bits(7); i > 0; i--) known.push(value);
        }
      }
      literal = code(known.slice(0, literals));
      distance = code(known.slice(literals));
    }
    for (let next; (next = symbol(literal)) !== 256;) {
      if (next < 256) { put(next); continue; }
      const length = far(lengths[next - 257]), back = far(distances[symbol(distance)]);
      for (let i = 0; i < length; i++) put(out[size - back]);
    }
  }
  return new TextDecoder().decode(out.subarray(0, size));
};
