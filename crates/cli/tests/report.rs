//! The page that `planish opt --report` writes: what each item shows and says. That a browser can use it is
//! checked by `scripts/test-report`.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

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
    (parts.next().expect("an overview"), parts.map(with_whole_lines).collect())
}

/// An item in which lines that only changed, which are pairs, are objects like those of which more is said.
fn with_whole_lines(mut item: Value) -> Value {
    for column in item["columns"].as_array_mut().expect("columns") {
        for line in column["lines"].as_array_mut().expect("lines") {
            if let Some([change, text]) = line.as_array().map(Vec::as_slice) {
                *line = json!({ "text": text, "change": change, "notes": [] });
            }
        }
    }
    item
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
    let rewrites = rows(&overview["panels"], "Rewrites");
    let rules: Vec<_> = rewrites.iter().filter(|row| !row[2].is_empty()).collect();
    assert!(!rules.is_empty());
    for rule in rules {
        assert!(rule[2].starts_with("rules/") && rule[3].contains("bits"), "{rule:?}");
    }
    let walk =
        items[0]["columns"].as_array().expect("columns").iter().find(|column| column["title"] == "walk");
    let parts = walk.expect("a walk is one word")["parts"].as_array().expect("parts").len();
    assert!(parts > 3, "{parts} passes");
}

#[test]
fn a_log_shows_what_pypy_made_of_each_trace_operation_by_operation() {
    let (overview, items) = report("log", "examples/logs/checksum.log", &["-o", "/dev/null"]);
    assert_eq!(items.len(), overview["items"].as_array().expect("items").len());
    let text = |line: &Value| line.as_str().or(line["text"].as_str()).expect("a line").to_owned();
    for item in &items {
        let columns = item["columns"].as_array().expect("columns");
        let titles: Vec<_> =
            columns.iter().map(|column| column["title"].as_str().expect("a title")).collect();
        assert_eq!(titles, ["input", "Planish", "PyPy"]);
        let lines: Vec<_> = columns.iter().map(|column| column["lines"].as_array().expect("lines")).collect();
        assert_eq!(lines[1].len(), lines[2].len(), "they are laid beside each other");
        for (ours, theirs) in lines[1].iter().zip(lines[2]) {
            let operation = |line: &Value| {
                let text = text(line).split(" else leave").next().unwrap_or_default().to_owned();
                let text = text.split_once(" = ").map_or(text.trim(), |(_, made)| made);
                text.split('(').next().unwrap_or_default().to_owned()
            };
            let is_alone =
                [ours, theirs].iter().any(|line| text(line).is_empty() || line["change"] == "only");
            let is_flow = |line: &Value| {
                let flow = ["jump", "return"].iter().any(|word| operation(line).starts_with(word));
                flow || !text(line).starts_with(' ')
            };
            assert!(is_alone || is_flow(ours) || operation(ours) == operation(theirs), "{ours} | {theirs}");
        }
        let all = || lines.iter().flat_map(|lines| lines.iter());
        assert!(all().any(|line| line["heading"] == true), "lines of the program are headings");
        assert!(!all().any(|line| text(line).contains("debug_merge_point")), "and no operations");
    }
}

/// The text of a report.
fn text_of(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_planish")).arg("report").args(arguments).output();
    let output = output.expect("the command runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("a text")
}

/// A loop that is entered twice and goes around 1,000 times, with a bridge out of its guard.
const COUNTED: &str = "[1] {jit-tracing
[2] {jit-log-noopt
# Traced loop or bridge with 7 ops
[p0, i1]
debug_merge_point(0, 0, 'f;a.py:1-2~#0 LOAD_FAST')
i2 = int_add(i1, 0)
i3 = int_lt(i2, 1000)
guard_true(i3, descr=<Guard0x10>) [p0, i2]
debug_merge_point(0, 0, 'f;a.py:1-3~#4 ADD')
i4 = int_add(i2, 1)
jump(p0, i4, descr=<Loop-1>)
[3] jit-log-noopt}
[4] {jit-log-opt-loop
# Loop 1 (f;a.py:1-2~#0 LOAD_FAST) : loop with 5 ops
[p0, i1]
+1: label(p0, i1, descr=TargetToken(70))
debug_merge_point(0, 0, 'f;a.py:1-2~#0 LOAD_FAST')
+2: i3 = int_lt(i1, 1000)
+3: guard_true(i3, descr=<Guard0x20>) [p0, i1]
debug_merge_point(0, 0, 'f;a.py:1-3~#4 ADD')
+4: i4 = int_add(i1, 1)
+5: jump(p0, i4, descr=TargetToken(70))
[5] jit-log-opt-loop}
[6] jit-tracing}
[7] {jit-tracing
[8] {jit-log-noopt
# Traced loop or bridge with 3 ops
[p0, i1]
debug_merge_point(0, 0, 'f;a.py:1-5~#8 NEW')
p2 = new_with_vtable(descr=<SizeDescr 16>)
finish(p2, descr=<DoneWithThisFrameDescrRef>)
[9] jit-log-noopt}
[a] {jit-log-opt-bridge
# bridge out of Guard 0x20 with 3 ops
[p0, i1]
debug_merge_point(0, 0, 'f;a.py:1-5~#8 NEW')
+1: p2 = new_with_vtable(descr=<SizeDescr 16>)
+2: finish(p2, descr=<DoneWithThisFrameDescrRef>)
[b] jit-log-opt-bridge}
[c] jit-tracing}
[d] {jit-backend-counts
entry 1:2
TargetToken(70):1000
bridge 32:3
[e] jit-backend-counts}
";

#[test]
fn traces_of_a_log_are_in_order_of_the_work_that_they_do() {
    let log = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("counted.log");
    let path = log.to_str().expect("a path");
    std::fs::write(&log, COUNTED).expect("a file");
    let text = text_of(&[path]);
    for expected in [
        "Which traces pay (operations executed)\n  3000  ##############################  f a.py:2\n     3  #  ",
        "Where the operations are (operations executed)\n  2000  ##############################  f a.py:2\n  1000  ",
        "Allocations left (allocations executed)\n  3  ##############################  f a.py:5\n",
        "Guards that fail (times into a bridge)\n  3  ##############################  guard_true f a.py:2\n",
        "\nf a.py:2: 4 -> 3\n    A loop at f a.py:2, entered 2 times, 1,000 iterations in all.",
        "\n  guard_true f a.py:2: 1, as before\n      A bridge at f a.py:5, executed 3 times.",
        "It goes on where guard_true fails at f a.py:2, in f a.py:2.",
    ] {
        assert!(text.contains(expected), "{expected:?} in\n{text}");
    }
    let (overview, items) = report("counted", path, &["-o", "/dev/null"]);
    assert_eq!(overview["items"][1][3], 1, "the bridge lies in its loop: {overview}");
    for column in items[0]["columns"].as_array().expect("columns").iter().skip(1) {
        let text = column["lines"].to_string();
        assert!(text.contains("\u{2192} fails 3 times, goes on at f a.py:5"), "{text}");
    }
    // A count may be anything, and so is what comes of it.
    std::fs::write(&log, COUNTED.replace("(70):1000", "(70):18446744073709551615")).expect("a file");
    assert!(text_of(&[path]).contains("  18446744073709551615  ##############################  f a.py:2"));
    // Nobody counted.
    let (without, _) = COUNTED.split_once("[d]").expect("counts");
    std::fs::write(&log, without).expect("a file");
    let text = text_of(&[path]);
    assert!(text.contains("PYPYLOG=") && text.contains("Which traces pay (operations in the log)"), "{text}");
    assert!(!text.contains("Guards that fail"), "{text}");
}

#[test]
fn a_report_is_a_text_or_a_page_of_which_no_result_is_written() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = |name: &str| root.join(name).to_str().expect("a path").to_owned();
    let text = text_of(&[&path("examples/blend.ssa")]);
    assert!(
        text.contains("operations: 12 -> 9 (-25.0 %)") && text.contains("What did it (rewrites)"),
        "{text}"
    );
    let jar = text_of(&[&path("examples/strawman"), "--main", "Strawman"]);
    for expected in ["classes: 4 -> 1 (-75.0 %)", "  432 of 1536  ", "Strawman$Logger: 231 -> 0, removed"] {
        assert!(jar.contains(expected), "{expected:?} in\n{jar}");
    }
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let traces = ["one.trace", "two.trace"].map(|name| folder.join(name));
    for trace in &traces {
        std::fs::write(trace, "[i0]\ni1 = int_add(i0, 0)\nfinish(i1)\n").expect("a file");
    }
    let several = text_of(&traces.each_ref().map(|path| path.to_str().expect("a path")));
    assert!(several.contains("operations: 2 -> 0 (-100.0 %)"), "{several}");
    let page = folder.join("only.html");
    assert_eq!(text_of(&[&path("examples/power.ssa"), "-o", page.to_str().expect("a path")]), "");
    assert!(std::fs::read_to_string(page).is_ok_and(|page| page.starts_with("<!doctype html>")));
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

/// The rows of a table with this title among panels, cells as text.
fn rows(panels: &Value, title: &str) -> Vec<Vec<String>> {
    let table = panels.as_array().expect("panels").iter().find(|panel| panel["title"] == title);
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
    assert_eq!(rows(&main["panels"], "Why it is kept"), [["for main class Strawman"]]);
    let done = rows(&main["panels"], "What was done");
    assert!(done.iter().any(|row| row[..3] == ["inlined", "Strawman.run(I)I", "1.0"]), "{done:?}");
    let class = &items[at("Strawman")]["panels"];
    assert_eq!(rows(class, "Why it is kept").len(), 1);
    assert!(class.as_array().expect("panels").iter().any(|panel| panel["title"] == "Methods"), "{class}");

    let panels = &overview["panels"];
    let figures = panels[0]["rows"].as_array().expect("sizes");
    let classes = figures.iter().find(|figure| figure["what"] == "classes").expect("a size");
    assert_eq!((classes["before"].as_u64(), classes["after"].as_u64()), (Some(4), Some(1)));
    assert!(panels.as_array().expect("panels").iter().any(|panel| panel["kind"] == "treemap"));
    let rewrites = rows(panels, "Rewrites in bodies that got better");
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
