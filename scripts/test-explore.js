// Uses the page of `planish explore` as a person would: types, chooses, clicks. What is wrong and how long results took is sent
// to whoever serves this script behind the page's own.
window.wrong = [];
addEventListener("error", e => wrong.push(e.message));
addEventListener("unhandledrejection", e => wrong.push(String(e.reason)));
addEventListener("securitypolicyviolation", e => wrong.push(`blocked: ${e.blockedURI} by ${e.violatedDirective}`));
const expect = (holds, what) => { if (!holds) wrong.push(what); };
const until = async (holds, what) => {
  for (let i = 0; i < 1500; i++) {
    if (holds()) return;
    await new Promise(done => setTimeout(done, 10));
  }
  wrong.push(`waited in vain until ${what}`);
};
const settled = () => until(() => Number(document.documentElement.dataset.answered) === newest, "the result is there");
const result = () => main.querySelector(".code")?.textContent ?? "";
// Keys go to the box with the focus, as those of a keyboard do.
const type = (box, text, from = 0, to = box.text.length) => {
  box.area.focus();
  box.area.setSelectionRange(from, to);
  document.execCommand("insertText", false, text);
};
const tab = name => [...tabs.children].find(tab => tab.textContent === name).click();
const example = name => {
  const list = field("example");
  list.value = [...list.options].find(option => option.textContent === name).value;
  list.dispatchEvent(new Event("change"));
};
const PROGRAM = "func f(a: i64, b: i64) -> i64 {\ne:\n    m = mul(a, b)\n    s = sub(b, a)\n    t = add(a, s)\n    r = xor(m, t)\n    return r\n}\n";

async function typing() {
  type(programBox, PROGRAM);
  await settled();
  expect(result().includes("xor("), "the result of what was typed");
  const at = programBox.text.indexOf("mul");
  type(programBox, "mull", at, at + 3);
  await settled();
  expect(programSaid.textContent.includes("program.ssa:3:9"), "an error has its place");
  expect(document.querySelectorAll("#program-box .gutter i.error").length === 1, "its line is marked");
  expect(main.classList.contains("stale") && result().includes("xor("), "what was right before stays");
  programSaid.querySelector(".place").click();
  expect(programBox.area.selectionStart === at, "its place can be gone to");
  type(programBox, "mul", at, at + 4);
  await settled();
  expect(!main.classList.contains("stale") && !programSaid.textContent, "the error goes");
  // Faster than results come: the last key counts.
  for (let i = 0; i < 20; i++) type(programBox, String(i), at + 4, at + 4 + (i ? String(i - 1).length : 1));
  await settled();
  type(programBox, PROGRAM);
  await settled();
  expect(programBox.text === PROGRAM && result().includes("xor("), "after twenty keys at once");
}
async function rules() {
  const status = name => standings.querySelector(`[data-rule="${name}"] .status`)?.textContent;
  type(rulesBox, "back: add(a, sub(b, a)) => b\nwrong: mul(a, b) => add(a, b)\noops: ad(a, b) => b\n");
  await until(() => status("back") === "proved" && status("wrong") === "wrong", "rules are judged");
  await until(() => standings.textContent.includes("would do something else"), "the wrong rule is run on the program");
  expect(standings.textContent.includes("counterexample to wrong") && standings.textContent.includes("my.rules:3:"), "what is wrong is said");
  expect(document.querySelectorAll("#rules-box .gutter i").length >= 2, "lines of rules are marked");
  await settled();
  tab("Rewrites");
  expect(main.textContent.includes("back") && main.textContent.includes("proved while you typed"), "a proved rule fires");
  tab("Result");
  type(rulesBox, "");
  await settled();
  expect(!standings.textContent, "without rules nothing is said of any");
}
async function views() {
  example("blend.ssa");
  await settled();
  for (const [name, what, count] of [["States", ".column", 3], ["Rewrites", "table.counts tr", 5], ["Counts", "table.counts tr", 5],
    ["Pictures", "svg rect", 4], ["Missed", ".bar-row", 1], ["Overview", ".figure", 1], ["Result", ".code > div", 5]]) {
    tab(name);
    expect(main.querySelectorAll(what).length >= count, `${name} shows ${what}`);
  }
  tab("States");
  main.querySelector(".noted").dispatchEvent(new MouseEvent("mouseenter"));
  expect(document.getElementById("note")?.textContent.length > 3, "a line says why it changed");
  tab("Pictures");
  field("engine").value = "egraph";
  field("engine").dispatchEvent(new Event("change"));
  await settled();
  expect(main.textContent.includes("classes of equal values"), "the e-graph is drawn");
  tab("Counts");
  expect([...main.querySelectorAll("td")].some(td => td.textContent.trim() === "100"), "results of the run");
  example("logs/checksum.log");
  await settled();
  tab("States");
  expect(main.querySelector("select").options.length === 4, "one of four traces is chosen");
  tab("Result");
  const names = [];
  const click = HTMLAnchorElement.prototype.click;
  HTMLAnchorElement.prototype.click = function () { names.push(this.download); };
  for (const button of ["save-program", "save-result", "save-rules"]) field(button).click();
  HTMLAnchorElement.prototype.click = click;
  expect(names.join() === "checksum.log,checksum-optimized.log,my.rules", `saved are ${names}`);
  const back = () => getComputedStyle(document.body).backgroundColor, before = back();
  field("theme").click();
  expect(back() !== before, "it becomes dark");
  field("theme").click();
  expect(back() === before, "and light again");
}
async function hostile() {
  fill({ dialect: "ssa", program: "func \"<img src=x onerror=wrong.push(1)>\"(a: i64) -> i64 {\n\"<b>x</b>\":\n    return a\n}\n",
    rules: "<img src=x onerror=wrong.push(2)>: add(a, b) => a\n" });
  await settled();
  for (const name of Object.keys(TABS)) tab(name);
  tab("Result");
  expect(!document.querySelector("img, .code b"), "names are no elements");
  fill({ dialect: "tac", program: "no statement\n".repeat(50) });
  await settled();
  expect(!result() && main.textContent.includes("stand below"), "of a program with errors there is no result of another");
  expect(document.querySelectorAll("#program-box .gutter i").length === 51 && programSaid.querySelectorAll(".place").length < 20, "many errors are marked");
  fill({ dialect: "bril", program: "" });
  await settled();
  expect(document.body.textContent.includes("Program"), "an empty program is a page");
  await fillFromLinkText("zAAAA");
  expect(main.textContent.includes("the link is damaged"), "a damaged link is said to be one");
}
const fillFromLinkText = async text => { history.replaceState(null, "", "#" + text); await fillFromLink(); };
// From a key to the result, for each example: the middle and the slowest of some keys.
async function times() {
  const all = [];
  for (const { name } of start.examples) {
    example(name);
    await settled();
    const took = [];
    for (let i = 0; i < 7; i++) {
      type(programBox, i % 2 ? "" : "\n", i % 2 ? programBox.text.length - 1 : programBox.text.length);
      await settled();
      took.push(Number(document.documentElement.dataset.took));
    }
    took.sort((a, b) => a - b);
    all.push([name, took[3], took[6]]);
  }
  return all;
}
(async () => {
  await until(() => document.documentElement.dataset.answered, "the page opens with a result");
  const before = sessionStorage.getItem("linked");
  if (before) {
    expect(JSON.stringify(linked()) === before, "a link brings back all that was typed");
  } else {
    sessionStorage.setItem("times", JSON.stringify([]));
    try {
      await typing();
      await rules();
      await views();
      await hostile();
      sessionStorage.setItem("times", JSON.stringify(await times()));
      fill({ dialect: "tac", program: "function -> \u00e4\n  + \u00e4 0 -> b\n  return b\n", rules: "r: add(x, 0) => x\n", passes: "rewrite:dead", arguments: "7" });
      await settled();
      tab("Counts");
      field("link").click();
      await until(() => location.hash.length > 20, "there is a link");
    } catch (error) {
      wrong.push(String(error.stack ?? error));
    }
    if (!wrong.length) {
      sessionStorage.setItem("linked", JSON.stringify(linked()));
      location.reload();
      return;
    }
  }
  await fetch("done", { method: "POST", body: JSON.stringify({ wrong, times: JSON.parse(sessionStorage.getItem("times")) }) });
})();
