// Graphs: layers by longest path over forward edges, order in a layer by the mean of the parents.
function layers(nodes, edges) {
  const out = nodes.map(() => []);
  for (const e of edges) out[e.from].push(e);
  const state = nodes.map(() => 0), order = [];
  for (let root = 0; root < nodes.length; root++) {
    if (state[root]) continue;
    const stack = [[root, 0]];
    state[root] = 1;
    while (stack.length) {
      const top = stack[stack.length - 1], edge = out[top[0]][top[1]++];
      if (!edge) { state[top[0]] = 2; order.push(top[0]); stack.pop(); }
      else if (state[edge.to] === 1) edge.back = true;
      else if (!state[edge.to]) { state[edge.to] = 1; stack.push([edge.to, 0]); }
    }
  }
  const layer = nodes.map(() => 0);
  for (const n of order.reverse()) for (const e of out[n]) if (!e.back) layer[e.to] = Math.max(layer[e.to], layer[n] + 1);
  const rows = [];
  order.forEach(n => (rows[layer[n]] ??= []).push(n));
  const place = nodes.map(() => 0);
  for (const row of rows) {
    const mean = n => {
      const from = edges.filter(e => e.to === n && !e.back).map(e => place[e.from]);
      return from.length ? from.reduce((a, b) => a + b) / from.length : 0;
    };
    row.sort((a, b) => mean(a) - mean(b)).forEach((n, i) => { place[n] = i; });
  }
  return rows;
}
// Draws a graph into a group, and the graphs inside of its nodes into them; the group, its width and its height.
function draw({ nodes, edges }) {
  const inner = nodes.map(n => (n.inside ?? []).map(g => ({ title: g.title, ...draw(g) })));
  const size = nodes.map((n, i) => {
    const longest = Math.max(n.title.length, ...n.lines.map(l => l.length));
    const within = inner[i].reduce((sum, g) => sum + Math.max(g.width, g.title.length * 7.4 + 16) + 10, 10);
    const deep = Math.max(0, ...inner[i].map(g => g.height + 30));
    return [Math.max(Math.min(longest, 60) * 7.4 + 16, inner[i].length ? within : 0), 22 + n.lines.length * 15 + deep];
  });
  const box = [];
  let y = 10, width = 0;
  for (const row of layers(nodes, edges)) {
    let x = 10;
    for (const n of row) { box[n] = [x, y, ...size[n]]; x += size[n][0] + 30; }
    width = Math.max(width, x);
    y += Math.max(...row.map(n => size[n][1])) + 46;
  }
  const group = svg("g", {});
  for (const { from, to, label, back } of edges) {
    const [ax, ay, aw, ah] = box[from], [bx, by, bw] = box[to];
    const x1 = ax + aw / 2, y1 = ay + ah, x2 = bx + bw / 2, y2 = by;
    const d = back ? `M${ax + aw} ${ay + ah / 2} C${ax + aw + 60} ${ay},${bx + bw + 60} ${by},${bx + bw} ${by + 10}`
      : `M${x1} ${y1} C${x1} ${y1 + 24},${x2} ${y2 - 24},${x2} ${y2}`;
    group.append(svg("path", { d, class: back ? "back" : "edge", "marker-end": "url(#arrow)" }));
    if (label) group.append(svg("text", { x: (x1 + x2) / 2 + 4, y: (y1 + y2) / 2 }, label));
  }
  nodes.forEach((n, i) => {
    const [x, top, w, h] = box[i];
    const node = svg("g", n.marked ? { class: "marked" } : {}, svg("rect", { x, y: top, width: w, height: h, rx: 4 }),
      svg("text", { x: x + 8, y: top + 16, class: "t" }, n.title));
    n.lines.forEach((line, k) => node.append(svg("text", { x: x + 8, y: top + 32 + 15 * k },
      line.length > 60 ? line.slice(0, 59) + "\u2026" : line)));
    let at = x + 10;
    for (const g of inner[i]) {
      const begin = top + 22 + n.lines.length * 15, wide = Math.max(g.width, g.title.length * 7.4 + 16);
      g.group.setAttribute("transform", `translate(${at} ${begin + 16})`);
      node.append(svg("rect", { x: at, y: begin, width: wide, height: g.height + 20, rx: 4, class: "region" }),
        svg("text", { x: at + 6, y: begin + 14 }, g.title), g.group);
      at += wide + 10;
    }
    group.append(node);
  });
  // An edge back runs beside everything.
  return { group, width: width + (edges.some(e => e.back) ? 40 : 0), height: y };
}
function graph(data) {
  const { group, width, height } = draw(data);
  const picture = svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": data.title },
    svg("defs", {}, svg("marker", { id: "arrow", viewBox: "0 0 8 8", refX: 7, refY: 4, markerWidth: 7, markerHeight: 7,
      orient: "auto-start-reverse" }, svg("path", { d: "M0 0L8 4L0 8z" }))), group);
  return make("section", {}, make("h2", {}, data.title), picture);
}
