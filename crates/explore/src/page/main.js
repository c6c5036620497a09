// The page: what is typed is sent, and what comes back is shown. Whatever changes is sent at once; an answer to what stood
// there before is dropped.
const page = Array.from(crypto.getRandomValues(new Uint8Array(12)), byte => byte.toString(16).padStart(2, "0")).join("");
const field = name => document.getElementById(name);
const FIELDS = ["dialect", "engine", "passes", "to", "function", "arguments"];
const programBox = editor("program-box", "Program", typed);
const rulesBox = editor("rules-box", "Rules", typed);
const programSaid = field("program-said"), statusLine = field("status");
let start = null, newest = 0, asked = 0, changedAt = 0, fileName = "program";
// All that a link holds, the tab that is open as well.
const linked = () => ({ ...input(), tab: chosenTab });
const input = () => ({ ...Object.fromEntries(FIELDS.map(name => [name, field(name).value])), program: programBox.text, rules: rulesBox.text });

// What the server says to a question; an error if it says nothing. Questions are numbered, since they may overtake each other.
async function ask(kind) {
  try {
    const response = await fetch(kind, { method: "POST", body: JSON.stringify({ page, number: ++asked, ...input() }) });
    return response.headers.get("Content-Type") === "application/json" ? await response.json()
      : { error: `error: ${(await response.text()).trim()} (${response.status})` };
  } catch {
    return { error: "error: the server does not answer; is `planish explore` still running?" };
  }
}
async function refresh() {
  const number = ++newest, from = changedAt;
  statusLine.textContent = "\u2026";
  const answer = await ask("optimize");
  if (number !== newest || answer.superseded) return;
  show(answer);
  void main.offsetHeight;
  const took = performance.now() - from;
  statusLine.textContent = `${took.toFixed(0)} ms`;
  statusLine.title = "from the key to the result";
  document.documentElement.dataset.took = took.toFixed(1);
  document.documentElement.dataset.answered = number;
}
// So many places of errors are links; all of them are marked.
const MOST_LINKS = 12;
function show(answer) {
  const places = (answer.places ?? []).map(([line]) => [line, "error"]);
  programBox.mark(places);
  programSaid.replaceChildren(...(answer.places ?? []).slice(0, MOST_LINKS).map(([line, column]) => placeLink(programBox, line, column)),
    ...(answer.error ? [pre(answer.error, "wrong")] : []), ...(answer.warnings ? [pre(answer.warnings, "warning")] : []));
  if (!answer.error) {
    now = answer;
    overview = answer.overview;
  }
  // Where its places are told beside the program, the other side need not tell them again.
  drawTab(answer.error && answer.places?.length ? "The program has errors, which stand below it." : answer.error);
  drawRules(answer);
}
function typed() {
  changedAt = performance.now();
  refresh();
  keepLink();
}
// The address holds what is typed, a moment later; what is too long for an address is in none.
let linkTimer = 0;
async function putLink() {
  clearTimeout(linkTimer);
  try {
    history.replaceState(null, "", "#" + await linkOf(linked()));
    return true;
  } catch {
    history.replaceState(null, "", "#");
    return false;
  }
}
function keepLink() {
  clearTimeout(linkTimer);
  linkTimer = setTimeout(putLink, 300);
}
function fill(given) {
  for (const name of FIELDS) field(name).value = given[name] ?? (name === "engine" ? "linear" : name === "dialect" ? "ssa" : "");
  // A dialect that there is not leaves its list without a choice.
  for (const name of ["dialect", "engine", "to"]) if (field(name).selectedIndex < 0) field(name).selectedIndex = 0;
  programBox.text = String(given.program ?? "");
  rulesBox.text = String(given.rules ?? "");
  if (Object.hasOwn(TABS, given.tab ?? "")) chosenTab = given.tab;
  // What became of another program says nothing of this one.
  now = null;
  fileName = (given.name ?? "program").split("/").at(-1).split(".")[0];
  typed();
}
// Whether the address has a link.
async function fillFromLink() {
  if (location.hash.length < 2) return false;
  try {
    fill(await inputOf(location.hash.slice(1)));
  } catch (error) {
    drawTab(`error: the link is damaged (${error.message})`);
  }
  return true;
}
const ending = dialect => start.dialects.find(({ name }) => name === dialect).endings[0];
async function begin() {
  const response = await fetch("start.json");
  start = await response.json();
  for (const list of ["dialect", "to"]) {
    field(list).append(...start.dialects.map(({ name, endings }) => make("option", { value: name }, `${name} (${endings.map(e => "." + e).join(" ")})`)));
  }
  field("pass-names").append(...start.passes.map(name => make("option", { value: name })));
  field("example").append(...start.examples.map(({ name }, i) => make("option", { value: i }, name)));
  field("example").addEventListener("change", e => {
    if (e.target.value !== "") fill(start.examples[e.target.value]);
    e.target.value = "";
  });
  for (const name of ["dialect", "engine", "to"]) field(name).addEventListener("change", typed);
  for (const name of ["passes", "function", "arguments"]) field(name).addEventListener("input", typed);
  field("link").addEventListener("click", async () => {
    const said = text => { statusLine.textContent = text; };
    if (!await putLink()) return said("too long for a link");
    await navigator.clipboard?.writeText(location.href).then(() => said("copied"), () => said("the link is the address of this page"));
  });
  field("save-program").addEventListener("click", () => save(`${fileName}.${ending(field("dialect").value)}`, programBox.text));
  field("save-result").addEventListener("click", () => save(`${fileName}-optimized.${ending(field("to").value || field("dialect").value)}`, now?.result ?? ""));
  field("save-rules").addEventListener("click", () => save("my.rules", rulesBox.text));
  field("theme").addEventListener("click", theme);
  addEventListener("hashchange", fillFromLink);
  if (!await fillFromLink()) fill({ ...(start.first.program === undefined ? start.examples[0] : {}), ...start.first });
}
// The style says what is dark where the system is; the button turns those rules on and off.
let darkRules = null;
function theme() {
  darkRules ??= [...document.styleSheets].flatMap(sheet => [...sheet.cssRules]).filter(rule => rule.media?.mediaText.includes("prefers-color-scheme"));
  const root = document.documentElement;
  const isDark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = root.style.colorScheme = isDark ? "light" : "dark";
  for (const rule of darkRules) rule.media.mediaText = isDark ? "not all" : "all";
}
begin().catch(error => drawTab(`error: the server does not answer (${error.message}); is \`planish explore\` still running?`));
