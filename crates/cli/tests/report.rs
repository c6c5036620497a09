//! The page that `planish opt --report` writes: what each item shows and says. That a browser can use it is
//! checked by `scripts/test-report`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

/// The data of the page about a file of the repository, optimized with further arguments.
fn report(name: &str, input: &str, arguments: &[&str]) -> (Value, Vec<Value>) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.html"));
    let output = Command::new(env!("CARGO_BIN_EXE_planish"))
        .args(["opt", "--report"])
        .arg(&page)
        .args(arguments)
        .arg(root.join(input))
        .output()
        .expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let text = std::fs::read_to_string(&page).expect("the page is written");
    let mut parts = text.split("<script type=\"application/json\" id=\"").skip(1).map(|part| {
        let (_, data) = part.split_once('>').expect("an id ends");
        let (data, _) = data.split_once("</script>").expect("a script ends");
        serde_json::from_str(data).expect("JSON")
    });
    (parts.next().expect("an overview"), parts.collect())
}

/// The lines of a column that have notes, as `text | rule | what`.
fn notes(item: &Value, column: usize) -> Vec<String> {
    let lines = item["columns"][column]["lines"].as_array().expect("lines");
    let mut notes = Vec::new();
    for line in lines {
        for note in line["notes"].as_array().into_iter().flatten() {
            let part = |value: &Value| value.as_str().expect("text").trim().to_owned();
            notes.push([part(&line["text"]), part(&note["by"]), part(&note["what"])].join(" | "));
        }
    }
    notes
}

#[test]
fn every_line_that_goes_says_why_and_rules_say_how_they_are_proved() {
    let (overview, items) = report("blend", "examples/blend.ssa", &[]);
    assert_eq!(items.len(), 1);
    let said = notes(&items[0], 0);
    for expected in [
        "v11 = gt(v10, 255) | fact | gt v11 = 0",
        "v13 = mul(v6, 3) | number | mul v13 = v8",
        "v14 = sub(v13, v8) | algebra equal operands | sub v14 = 0",
    ] {
        assert!(said.iter().any(|note| note == expected), "{expected:?} in {said:#?}");
    }
    let gone = |line: &&Value| line["change"] == "gone";
    let lines = items[0]["columns"][0]["lines"].as_array().expect("lines");
    for line in lines.iter().filter(gone) {
        assert!(!line["notes"].as_array().expect("notes").is_empty(), "{line} went without a word");
    }
    let tables = overview["tables"].as_array().expect("tables");
    let rewrites = tables.iter().find(|table| table["title"] == "Rewrites").expect("a table of rewrites");
    let rules: Vec<_> =
        rewrites["rows"].as_array().expect("rows").iter().filter(|row| row[2] != "").collect();
    assert!(!rules.is_empty());
    for rule in rules {
        assert!(rule[2].as_str().is_some_and(|place| place.starts_with("rules/")), "{rule}");
        assert!(rule[3].as_str().is_some_and(|proof| proof.contains("bits")), "{rule}");
    }
}

#[test]
fn a_log_shows_what_pypy_made_of_each_trace() {
    let (overview, items) = report("log", "examples/logs/checksum.log", &["-o", "/dev/null"]);
    assert_eq!(items.len(), overview["items"].as_array().expect("items").len());
    for item in &items {
        let columns = item["columns"].as_array().expect("columns");
        let titles: Vec<_> =
            columns.iter().map(|column| column["title"].as_str().expect("a title")).collect();
        assert_eq!((titles.first(), titles.last()), (Some(&"input"), Some(&"PyPy")), "{titles:?}");
    }
}

/// The e-graph's run has three parts, each with steps of its own, and rewrites of a second function belong to it.
#[test]
fn rewrites_belong_to_their_function_with_every_engine() {
    let text = "func f(v0: i64) -> i64 {\nentry:\n    v1 = add(v0, 0)\n    return v1\n}\n\n\
                func g(v0: i64) -> i64 {\nentry:\n    v1 = mul(v0, 0)\n    return v1\n}\n";
    let input = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("two.ssa");
    std::fs::write(&input, text).expect("a file");
    for engine in ["linear", "egraph"] {
        let (_, items) = report(engine, input.to_str().expect("a path"), &["--engine", engine]);
        let said: Vec<_> = items.iter().map(|item| notes(item, 0)).collect();
        let of = |position: usize, what: &str| said[position].iter().any(|note| note.contains(what));
        assert!(of(0, "add v1 = v0") && of(1, "mul v1 = 0"), "{engine}: {said:#?}");
    }
}

#[test]
fn classes_of_equal_values_are_drawn_and_what_is_taken_is_marked() {
    let (_, items) = report("classes", "examples/toy/running.ssa", &["--engine", "egraph"]);
    let graphs = items[0]["graphs"].as_array().expect("graphs");
    let graph = graphs.iter().find(|g| g["title"].as_str().expect("text").starts_with("classes"));
    let nodes = graph.expect("the graph is drawn")["nodes"].as_array().expect("nodes");
    for node in nodes {
        let lines = node["lines"].as_array().expect("members");
        let taken = |line: &Value| line.as_str().expect("text").starts_with('\u{2713}');
        assert!(taken(&lines[0]) && !lines[1..].iter().any(taken), "{node}: one member, the first, is taken");
    }
    assert!(nodes.iter().any(|node| node["marked"] == true));
    let (_, items) = report("no-classes", "examples/toy/running.ssa", &[]);
    assert!(items[0]["graphs"].as_array().expect("graphs").is_empty(), "one block, and no e-graph");
}

/// The rows of a table with this title, cells as text.
fn rows(tables: &Value, title: &str) -> Vec<Vec<String>> {
    let table = tables.as_array().expect("tables").iter().find(|table| table["title"] == title);
    let cell = |cell: &Value| cell.as_str().map_or_else(|| cell.to_string(), str::to_owned);
    let row = |row: &Value| row.as_array().expect("a row").iter().map(cell).collect();
    table.expect("the table is there")["rows"].as_array().expect("rows").iter().map(row).collect()
}

#[test]
fn classes_and_methods_are_a_tree_that_says_what_became_of_them() {
    let (overview, items) =
        report("strawman", "examples/strawman", &["--main", "Strawman", "-o", "/dev/null"]);
    let index = overview["items"].as_array().expect("items");
    assert_eq!(index.len(), items.len());
    let at = |name: &str| index.iter().position(|item| item[0] == name).expect("an item");
    let entry = |name: &str| {
        let item = &index[at(name)];
        (item[3].as_u64().expect("a depth"), item[4].as_str().expect("a change"))
    };
    assert_eq!(entry("(no package)"), (0, "changed"));
    assert_eq!(entry("Strawman"), (1, "changed"));
    assert_eq!(entry("main([Ljava/lang/String;)V"), (2, "changed"));
    assert_eq!(entry("ackermann(II)I"), (2, "changed"), "its other calls have variants");
    assert_eq!(entry("run(I)I"), (2, "gone"), "its body stands in its only caller");
    assert_eq!(entry("Strawman$ErrLogger"), (1, "gone"));

    let main = &items[at("main([Ljava/lang/String;)V")];
    let call = "invokestatic Strawman.run(I)I | inlined | Strawman.run(I)I";
    assert_eq!(notes(main, 0), [call]);
    assert_eq!(rows(&main["tables"], "Why it is kept"), [["for main class Strawman"]]);
    let done = rows(&main["tables"], "What was done");
    assert!(done.iter().any(|row| row[..3] == ["inlined", "Strawman.run(I)I", "1.0"]), "{done:?}");
    let members = rows(&items[at("Strawman")]["tables"], "Members");
    assert!(members.iter().any(|row| row[0] == "run(I)I" && row[3] == "removed"), "{members:?}");

    let tables = &overview["tables"];
    assert!(rows(tables, "Sizes").contains(&vec!["classes".into(), "4.0".into(), "1.0".into()]));
    let rewrites = rows(tables, "Rewrites in bodies that got better");
    let rules: Vec<_> = rewrites.iter().filter(|row| row[0].starts_with("rule ")).collect();
    assert!(!rules.is_empty());
    for rule in rules {
        assert!(rule[2].starts_with("rules/") && rule[3].contains("bits"), "{rule:?}");
    }
}

#[test]
fn classes_whose_bodies_alone_change_keep_their_members() {
    let (overview, _) = report("bodies", "examples/strawman", &["--mode", "bodies", "-o", "/dev/null"]);
    for item in overview["items"].as_array().expect("items") {
        assert!(matches!(item[4].as_str(), Some("" | "changed")), "{item}");
    }
}
