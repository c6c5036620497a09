// Uses a report about a program of classes as a person would; the verdict is an attribute of the document's element.
// The program is EXPECTED_ITEMS packages, classes and methods, among them one or more copies of the strawman.
const expect = (holds, what) => { if (!holds) wrong.push(what); };
const rows = () => [...document.querySelectorAll(".row")];
const press = key => document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
const named = text => rows().find(row => row.querySelector(".name").textContent.includes(text));
try {
  expect(overview.items.length === EXPECTED_ITEMS, `${overview.items.length} items`);
  const list = document.querySelector(".list"), box = document.querySelector("input");
  expect(list.getAttribute("role") === "tree", "the items are a tree");
  expect(rows().length < 200, "only the rows in view exist");
  open(-1);
  for (const title of ["What became smaller", "What was done", "Most left", "Packages and classes", "Methods whose bodies stand in others"]) {
    expect([...document.querySelectorAll("h2")].some(h => h.textContent.startsWith(title)), `the overview has ${title}`);
  }
  expect(document.querySelector(".figure").textContent.includes("bytes of class files"), "sizes come first");
  const inner = document.querySelector(".treemap .area.inner");
  inner.dispatchEvent(new MouseEvent("click", { bubbles: true }));
  expect(location.hash === "#" + inner.dataset.index && document.querySelector("main").textContent.includes("Methods"),
    "an area of a class opens it");
  open(-1);
  // A search shows what is found and what it lies in, in large trees as in small ones.
  const begun = performance.now();
  box.value = "PrintLogger log";
  box.dispatchEvent(new Event("input"));
  expect(named("PrintLogger") && named("log(") && !named("ackermann"), "a search shows hits in their classes");
  expect(performance.now() - begun < 1000, `a search takes ${performance.now() - begun} ms`);
  expect(named("PrintLogger").classList.contains("gone") && named("PrintLogger").querySelector(".mark").textContent,
    "what went is marked, and not by colour alone");
  box.value = "main([";
  box.dispatchEvent(new Event("input"));
  const opened = performance.now();
  named("main([").click();
  expect(performance.now() - opened < 1000, `a method takes ${performance.now() - opened} ms to open`);
  document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
  expect(document.querySelectorAll(".column").length === 2, "a changed method has two sides");
  expect(document.querySelector("main").textContent.includes("Why it is kept"), "it says why it is kept");
  const call = [...document.querySelectorAll(".noted")].find(line => line.textContent.includes(".run(I)I"));
  call?.dispatchEvent(new MouseEvent("mouseenter"));
  expect(document.getElementById("note")?.textContent.includes("inlined"), "a call says that its body stands there");
  call?.dispatchEvent(new MouseEvent("mouseleave"));
  const member = [...document.querySelectorAll(".v")].find(v => v.textContent.includes("println"));
  member.dispatchEvent(new MouseEvent("mouseover", { bubbles: true }));
  expect(document.querySelectorAll(".v.hot").length > 1, "a member lights up on both sides");
  // The keyboard: to the class, closed, opened.
  list.focus();
  press("ArrowLeft");
  expect(document.querySelector("h2").textContent.endsWith("(changed)"), "left goes to the class");
  const expanded = () => document.querySelector('.row[aria-selected="true"]').getAttribute("aria-expanded");
  expect(expanded() === "true", "it is open");
  press("ArrowLeft");
  expect(expanded() === "false", "left closes it");
  press("ArrowRight");
  expect(expanded() === "true", "right opens it");
  const heads = [...document.querySelectorAll("h2")].map(h => h.textContent);
  expect(document.querySelector("main table").textContent.length > 0 && heads.includes("Methods") && heads.includes("Why it is kept"), "a class has its methods and its reason");
} catch (error) {
  wrong.push(String(error));
}
document.documentElement.dataset.verdict = wrong.length ? wrong.join("; ") : "passed";
