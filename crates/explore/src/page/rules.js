// The rules on the left: how each stands, and what a wrong one would do. Proofs run beside: a result waits for none.
const standings = document.getElementById("rules-said");
let provenFor = null, tried = new Map(), opened = new Map();
// What a wrong rule would do to the program.
const onProgram = what => make("div", { class: "try" },
  make("b", {}, what.does === "difference" ? "With it this program would do something else:" : "On this program:"), pre(what.text));
function drawRules(answer) {
  const findings = answer.findings ?? [], rules = answer.rules ?? [];
  rulesBox.mark([...findings.map(f => [f.line, f.severity === "error" ? "error" : "warning"]),
    ...rules.filter(rule => rule.status === "wrong").map(rule => [rule.line, "error"])]);
  const one = rule => {
    const what = tried.get(rule.name);
    const element = make("details", { class: "rule", "data-rule": rule.name },
      make("summary", { onclick: () => opened.set(rule.name, !element.open) }, placeLink(rulesBox, rule.line, 1), make("b", {}, rule.name), " ",
        make("span", { class: "status " + rule.status }, rule.status === "proving" ? "proving\u2026" : rule.status),
        rule.used || rule.status === "proving" ? "" : ", left out"),
      ...(rule.said ? [pre(rule.said)] : []),
      ...(what ? [onProgram(what)] : []));
    element.open = opened.get(rule.name) ?? rule.status !== "proved";
    return element;
  };
  standings.replaceChildren(...findings.map(f => make("div", {}, placeLink(rulesBox, f.line, f.column), pre(f.text, f.severity === "error" ? "wrong" : "warning"))),
    ...rules.map(one));
  if (rules.some(rule => rule.status === "proving")) prove();
  if (rules.some(rule => rule.status === "wrong")) tryWrong(rules); else tried.clear();
}
// Proves what stands in the box, rule by rule, until nothing is open or something else stands there.
async function prove() {
  const rules = rulesBox.text;
  if (provenFor === rules) return;
  provenFor = rules;
  for (;;) {
    const answer = await ask("prove");
    if (rulesBox.text !== rules || provenFor !== rules) return;
    if (answer.error || answer.superseded) {
      if (answer.error) standings.prepend(pre(answer.error, "wrong"));
      return;
    }
    if (answer.none) { provenFor = null; return; }
    await refresh();
  }
}
async function tryWrong(rules) {
  const answer = await ask("try");
  if (!answer.tries) return;
  tried = new Map(answer.tries.map(one => [one.rule, one]));
  for (const rule of rules) {
    const what = tried.get(rule.name), element = standings.querySelector(`[data-rule="${CSS.escape(rule.name)}"]`);
    if (!what || !element) continue;
    for (const old of element.querySelectorAll(":scope > .try")) old.remove();
    element.append(onProgram(what));
  }
}
