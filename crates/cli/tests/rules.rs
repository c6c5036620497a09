//! Rules at the command line: counted, left out, looked into, proved, refused.

mod common;

use common::{Scratch, planish};

const GOOD: &str = "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = add(v1, v0)\n";
const EXTRA: &str = "wrong: add(x, y) => sub(x, y)\nnever: popcount(x) => x\n";

/// S5.22: every rule has a row, below its operation.
#[test]
fn statistics_count_every_rule_by_operation() {
    let scratch = Scratch::new("stats", "v0 = getarg(0)\nv1 = sub(v0, 7)\nv2 = mul(v1, 8)\n");
    std::fs::write(scratch.path("extra.rules"), EXTRA).expect("a file");
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("extra.rules"));
    let text = planish(&["opt", "--stats=full", &input, "--fuel", "2"]).stderr;
    let text = String::from_utf8(text).expect("UTF-8");
    let rows: Vec<String> =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let place =
        |row: &str| rows.iter().position(|r| r == row).unwrap_or_else(|| panic!("no `{row}` in {text}"));
    let (sub, fired, zero, mul) =
        (place("sub 1"), place("sub_const 1"), place("sub_zero_left 0"), place("mul 1"));
    assert!(sub < fired && fired < zero && zero < mul, "{text}");
    assert!(text.contains("operations     2 -> 2"), "{text}");
    let json =
        planish(&["opt", "--stats=json", "--rules", &rules, "--unproved", &input, "--fuel", "1"]).stderr;
    let json = String::from_utf8(json).expect("UTF-8");
    let json: serde_json::Value =
        serde_json::from_str(&json[json.find("\n{").expect("an object behind the warnings")..])
            .expect("JSON");
    assert_eq!(json["rules"]["sub"]["sub_const"], 1);
    assert_eq!(json["rules"]["sub"]["sub_zero_left"], 0);
    assert_eq!(json["rules"]["popcount"]["never"], 0);
    assert_eq!(json["unproved"], serde_json::json!(["wrong", "never"]));
    assert_eq!(json["total"]["before"]["operations"], 2);
}

#[test]
fn a_profile_leaves_out_rules_with_other_tags() {
    // `rotate` is a tag of the book; PyPy has no such rules.
    let scratch = Scratch::new(
        "profile",
        "v0 = getarg(0)\nv1 = lshift(v0, 8)\nv2 = urshift(v0, 56)\nv3 = or(v1, v2)\n",
    );
    let input = scratch.path("input.ssa");
    let result = |args: &[&str]| {
        let output = planish(&[&["opt", input.as_str()], args].concat());
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(result(&[]).contains("rotl"));
    assert!(result(&["--profile", "rotate"]).contains("rotl"));
    assert!(!result(&["--profile", "pypy"]).contains("rotl"));
    let unknown = planish(&["opt", &input, "--profile", "nobody"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("no rule of the book has the tag `nobody`"));
}

#[test]
fn rules_that_undo_the_book_end_at_a_budget_which_is_reported() {
    let scratch = Scratch::new("budget", "v0 = getarg(0)\nv1 = add(v0, 7)\n");
    std::fs::write(scratch.path("extra.rules"), EXTRA).expect("a file");
    let output =
        planish(&["opt", &scratch.path("input.ssa"), "--rules", &scratch.path("extra.rules"), "--unproved"]);
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("rule `wrong` does not simplify"), "{said}");
    assert!(said.contains("the budget `rewrites of one operation` was hit"), "{said}");
    let rule = format!(
        "it was the rule `wrong` ({}:1) that asked, first at main:2: sub",
        scratch.path("extra.rules")
    );
    assert!(said.contains(&rule), "{said}");
}

#[test]
fn rules_are_looked_into_by_name() {
    let scratch = Scratch::new("why", "v0 = getarg(0)\nv1 = floordiv(v0, 7)\n");
    let input = scratch.path("input.ssa");
    let why = |name: &str| planish(&["rules", "why", name, &input]);
    let missed = String::from_utf8(why("floordiv_nonnegative").stdout).expect("UTF-8");
    assert!(missed.contains("does not hold\n    x = v0: any\n    y = 7\n"), "{missed}");
    let nowhere = String::from_utf8(why("mul_neg_neg").stdout).expect("UTF-8");
    assert!(nowhere.starts_with("the pattern stands nowhere: mul_neg_neg"), "{nowhere}");
    let misspelt = why("mul_neg_nex");
    assert_eq!(misspelt.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&misspelt.stderr).contains("did you mean `mul_neg_neg`?"));
    let list = planish(&["rules", "list", "--format", "json"]).stdout;
    let list: serde_json::Value = serde_json::from_slice(&list).expect("JSON");
    assert!(list.as_array().is_some_and(|rules| rules.iter().any(|rule| rule["name"] == "mul_neg_neg")));
}

#[test]
fn a_rule_is_worth_what_is_left_without_it() {
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/logs/checksum.log");
    let json = planish(&["rules", "stats", "--leave-one-out", "--format", "json", log]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let rules = json["rules"].as_array().expect("rows");
    assert!(!rules.is_empty() && rules.iter().all(|row| row["fired"].as_u64() > Some(0)), "{json}");
    assert!(rules.iter().any(|row| row["more"].as_i64() > Some(0)), "{json}");
}

#[test]
fn rules_are_counted_in_programs_whose_width_is_left_open() {
    let scratch = Scratch::new("open", GOOD);
    let program = "function -> a\n  switch a one two one\nlabel one\n  mov 1 -> r\n  switch 0 end end\n\
                   label two\n  mov 2 -> r\nlabel end\n  return r\n";
    std::fs::write(scratch.path("switch.tac"), program).expect("a file");
    for options in [&["rules", "stats"][..], &["rules", "stats", "--leave-one-out"]] {
        let output = planish(&[options, &[scratch.path("switch.tac").as_str()]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}

/// S5.33: what the rule of a double negation does to `eq(~x, ~-y)` is taken away by the rule of `~-y`.
#[test]
fn where_two_rules_meet_is_found_and_what_is_accepted_is_known() {
    let all = planish(&["rules", "pairs", "--all", "eq_not_not"]);
    assert_eq!(all.status.code(), Some(0), "{all:?}");
    let text = String::from_utf8(all.stdout).expect("UTF-8");
    let missed =
        text.split("\n\n").find(|pair| pair.starts_with("missed: eq_not_not and, below its root, not_neg\n"));
    let missed = missed.unwrap_or_else(|| panic!("{text}"));
    assert!(missed.contains("eq_not_not: eq(") && missed.contains("not_neg: "), "{missed}");
    assert!(text.contains(" places where two rules may meet\n") && text.contains(" join\n"), "{text}");
    let slice = planish(&["rules", "pairs", "--slice", "5/4"]);
    assert_eq!(slice.status.code(), Some(2), "{slice:?}");
}

#[test]
fn a_cycle_of_rules_is_told_everywhere() {
    let scratch = Scratch::new("cycle", GOOD);
    let rules = "there: neg(x) => mul(-1, x)\nback: mul(x, -1) => neg(x)\n";
    std::fs::write(scratch.path("cycle.rules"), rules).expect("a file");
    let file = scratch.path("cycle.rules");
    for (args, status) in [
        (&["rules", "check", file.as_str()][..], 1),
        (&["prove", "--solver", "builtin", &file], 1),
        // The rule that goes back may be used without the one that goes there.
        (&["opt", &scratch.path("input.ssa"), "--rules", &file], 0),
    ] {
        let output = planish(args);
        assert_eq!(output.status.code(), Some(status), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("`there` is part of a rewrite cycle"), "{said}");
        assert!(
            said.contains("there makes it mul(-1, x)") && said.contains("back makes it neg(x)"),
            "{said}"
        );
    }
}

/// A rule that others cannot stand beside is named and left out; one that is never reached does no harm.
#[test]
fn one_wrong_rule_does_not_stand_in_the_way_of_the_others() {
    let scratch =
        Scratch::new("beside", "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v0, v1)\nv3 = sub(v2, v1)\n");
    let (file, input) = (scratch.path("my.rules"), scratch.path("input.ssa"));
    let rules = "mine: sub(add(x, y), y) => x\n\
                 there: add(x, sub(y, z))\n    => sub(add(x, y), z)\n\
                 back: sub(add(x, y), z)\n    => add(x, sub(y, z))\n\
                 general: umulh(x, C)\n    check C >u 4\n    => 0\n\
                 special: umulh(x, C)\n    check C >u 4 and C <u 9\n    => 0\n";
    std::fs::write(&file, rules.replace("umulh(x, C)", "umulh(and(x, 0), C)")).expect("a file");
    let proved = planish(&["prove", "--solver", "builtin", &file]);
    let said = String::from_utf8_lossy(&proved.stderr).into_owned();
    assert_eq!(proved.status.code(), Some(1), "{said}");
    for named in ["error: rule `there` is part of a rewrite cycle", "warning: rule `special` is shadowed"] {
        assert!(said.contains(named), "{said}");
    }
    let output = planish(&["opt", "--stats=json", &input, "--rules", &file]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    for named in [
        "error: rule `there` is part of a rewrite cycle",
        "are left out, the others are used",
        "warning: rule `special` is shadowed",
        "my.rules:6) is tried before it",
    ] {
        assert!(said.contains(named), "{named}: {said}");
    }
    let all = planish(&["rules", "stats", "--rules", &file, &input]).stdout;
    let all = String::from_utf8(all).expect("UTF-8");
    let is_row = |name: &str| all.lines().any(|line| line.split_whitespace().next() == Some(name));
    assert!(is_row("mine") && is_row("back") && is_row("special") && !is_row("there"), "{all}");
}

/// A rule that is wrong at few widths alone is told to say so; the types that make it wrong are named.
#[test]
fn a_rule_that_holds_at_some_widths_is_told_at_which() {
    let scratch = Scratch::new("widths", "v0 = getarg(0)\n");
    let file = scratch.path("my.rules");
    let rules = "compared: lt(fcmpg(x, y), 0)\n    => flt(x, y)\n\
                 counted: lt(popcount(x), 9)\n    => 1\n\
                 sum: add(x, y) => or(x, y)\n";
    std::fs::write(&file, rules).expect("a file");
    let said = String::from_utf8(planish(&["prove", "--solver", "builtin", &file]).stdout).expect("UTF-8");
    let story = |name: &str| {
        let from = said.find(&format!("counterexample to {name}\n")).expect("a story");
        let end = said[from + 1..].find("counterexample to").map_or(said.len(), |at| from + 1 + at);
        said[from..end].to_owned()
    };
    assert!(story("compared").contains("fcmpg(x, y): i1"), "{said}");
    assert!(story("compared").contains("it is proved with `fcmpg(x, y): i32`"), "{said}");
    assert!(story("counted").contains("it is proved with `check width(x) <= 8`"), "{said}");
    assert!(!story("sum").contains("it is proved"), "{said}");
    // A tag that is nearly a mark.
    std::fs::write(&file, "near [pay]: add(sub(x, y), y) => x\n").expect("a file");
    let checked = planish(&["rules", "check", &file]);
    assert_eq!(checked.status.code(), Some(0), "{checked:?}");
    assert!(String::from_utf8_lossy(&checked.stderr).contains("did you mean `pays`?"), "{checked:?}");
}

/// Of a corpus one file is broken: the others are learned from. What is written saves something.
#[test]
fn what_is_mined_saves_something_and_a_broken_file_is_left_out() {
    let program = |times: usize| -> String {
        let line = |n: usize| {
            format!(
                "func f{n}(v0: i64, v1: i64) -> i64 {{\nentry:\n    v2 = mul(v1, 3)\n    v3 = add(v0, v2)\n    \
                 v4 = mul(v3, v3)\n    return v4\n}}\n"
            )
        };
        (0..times).map(line).collect()
    };
    let scratch = Scratch::new("mine", &program(20));
    let (input, broken) = (scratch.path("input.ssa"), scratch.path("broken.ssa"));
    std::fs::write(&broken, "v0 = frobnicate(1)\n").expect("a file");
    let mine = |inputs: &[&str]| planish(&[&["mine", "--top", "5", "--solver", "builtin"], inputs].concat());
    let output = mine(&[&broken, &input]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{said}");
    assert!(
        said.contains("broken.ssa") && said.contains("is left out, the others are learned from"),
        "{said}"
    );
    let rules = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(!rules.contains("without it 0 operations more, which cost 0."), "{rules}");
    assert_eq!(mine(&[&broken, &broken]).status.code(), Some(1));
}

/// S5.23, S5.24, S5.25, S5.26, S5.28, S5.29: every rule is proved unasked, one that asks for no proof as well; what
/// is wrong with a rule is said in its own words.
#[test]
fn every_rule_of_a_file_gets_a_verdict() {
    let scratch = Scratch::new("prove", "");
    let rules = "right: xor(xor(x, y), y) => x\n\
                 wrong: add(x, y) => or(x, y)\n\
                 checked: mul(a, b)\n    check a.known_gt_const(1) and b.known_gt_const(2)\n    => add(a, b)\n\
                 sorry: sub(x, y)\n    SORRY_Z3\n    => sub(y, x)\n\
                 never_applies: int_is_true(x)\n    check x.known_lt_const(0) and x.known_gt_const(0)\n    => x\n";
    std::fs::write(scratch.path("my.rules"), rules).expect("a file");
    let output = planish(&["prove", "--solver", "builtin", &scratch.path("my.rules")]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(said.contains("proved right"), "{said}");
    let story = |name: &str| {
        let story = said.split(&format!("counterexample to {name}\n")).nth(1).expect("a story");
        let ends =
            ["counterexample to", "proved", "rule "].map(|next| story.find(next).unwrap_or(story.len()));
        &story[..ends.into_iter().min().expect("three")]
    };
    // The smallest values that the checks allow.
    let checked = story("checked");
    assert!(
        ["a = 2\n", "b = 3\n", " gives 6\n", " gives 5\n"].iter().all(|part| checked.contains(part)),
        "{said}"
    );
    for name in ["wrong", "sorry"] {
        let story = story(name);
        assert!(story.contains("my.rules:") && story.contains("\nBUT\n"), "{said}");
    }
    let never = said.split("rule never_applies can never apply\n").nth(1).expect("its verdict");
    assert!(never.contains("no input satisfies `x.known_lt_const(0) and x.known_gt_const(0)`"), "{said}");
    assert!(said.ends_with("1 of 5 rules proved\n"), "{said}");
}

/// A rule of a file is counted, found in programs and asked about like one of the book, proved or not.
#[test]
fn rules_of_files_are_looked_into() {
    let scratch =
        Scratch::new("files", "v0 = getarg(0)\nv1 = getarg(1)\nv2 = sub(v0, v1)\nv3 = xor(v2, 5)\n");
    let (input, file) = (scratch.path("input.ssa"), scratch.path("mine.rules"));
    let rules = "# Not of the book.\nmine: xor(sub(x, y), C)\n    check C > 5\n    => add(x, y)\n\n\
                 parts: xor(add(x, C), y) => x\n";
    std::fs::write(&file, rules).expect("a file");
    let said = |args: &[&str]| String::from_utf8(planish(args).stdout).expect("UTF-8");
    let shown = said(&["rules", "show", "mine", "--rules", &file]);
    assert!(shown.contains("check C > 5") && shown.contains(&format!("not proved: {file}:2: ")), "{shown}");
    let of_the_book = said(&["rules", "show", "add_consts", "--rules", &file]);
    assert!(
        of_the_book.ends_with("proved at 1, 8, 16, 32, 64 bits; every value of 1-5 bits\n"),
        "{of_the_book}"
    );
    let why = said(&["rules", "why", "mine", "--rules", &file, &input]);
    assert!(why.contains("`C > 5` does not hold\n    x = v0: any\n    y = v1: any\n    C = 5\n"), "{why}");
    let why = said(&["rules", "why", "parts", "--rules", &file, &input]);
    assert!(why.contains("`add(x, C)` does not stand there, where a result of `sub` is"), "{why}");
    let stats = said(&["rules", "stats", "--rules", &file, "--unproved", &input]);
    assert!(stats.lines().any(|line| line.split_whitespace().eq(["mine", "0"])), "{stats}");
    let missed = said(&["rules", "missed", "--rules", &file, "--unproved", &input]);
    assert!(missed.contains("xor(sub(_, _), c)"), "{missed}");
    let other = planish(&["rules", "why", "nime", "--rules", &file, &input]);
    assert!(String::from_utf8_lossy(&other.stderr).contains("did you mean `mine`?"), "{other:?}");
}

/// Where pairs stand, how often they are executed, which constants are in them, what is known, and which are without hope.
#[test]
fn pairs_that_remain_are_told_with_what_an_author_asks() {
    let scratch = Scratch::new(
        "missed",
        "v0 = getarg(0)\nv1 = getarg(1)\nv2 = sub(v0, v1)\nv3 = xor(v2, 5)\nv4 = sub(v1, v0)\nv5 = xor(v4, 9)\n\
         v6 = mul(v3, v5)\nv7 = and(v4, 255)\nv8 = urem(v7, 10)\nv9 = add(v6, v8)\n",
    );
    let input = scratch.path("input.ssa");
    let said = |args: &[&str]| {
        let output = planish(&[&["rules", "missed", &input], args].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let table = said(&[]);
    let line = table.lines().find(|line| line.contains("xor(sub(_, _), c)")).expect("a line");
    let words: Vec<&str> = line.split_whitespace().collect();
    assert_eq!(words[..3], ["2", "2", "1"], "{table}");
    assert!(line.contains("in main:4") && line.contains("(5) 1 times, (9) 1 times"), "{table}");
    assert!(
        table.lines().any(|line| line.contains("urem(and(_, c), c)") && line.contains("(255, 10)")),
        "{table}"
    );
    let full = said(&["--full"]);
    assert!(full.contains("at: main:4; main:6"), "{full}");
    let json: serde_json::Value = serde_json::from_str(&said(&["--format", "json"])).expect("JSON");
    let pairs = json["pairs"].as_array().expect("an array");
    let pair = pairs.iter().find(|pair| pair["pattern"] == "xor(sub(_, _), c)").expect("the pair");
    assert_eq!((&pair["places"], &pair["constants"]["9"]), (&2.into(), &1.into()), "{json}");
    std::fs::write(
        &input,
        "v0 = getarg(0)\nv1 = getarg(1)\nv2 = getarg(2)\nv3 = add(v0, v1)\nv4 = xor(v3, v2)\n",
    )
    .expect("a file");
    assert!(said(&[]).contains("and 1 of which no rule can make less"), "{}", said(&[]));
}

#[test]
fn a_rule_with_an_error_is_named_and_the_others_are_used() {
    let scratch = Scratch::new("others", "v0 = getarg(0)\nv1 = mul(v0, 12345)\n");
    let (input, file) = (scratch.path("input.ssa"), scratch.path("mine.rules"));
    let rules = "good: mul(x, 12345) => 7\nbad: mul(x, 3) => frobnicate(x)\n";
    std::fs::write(&file, rules).expect("a file");
    let output = planish(&["opt", &input, "--rules", &file, "--unproved"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    for named in ["unknown operation `frobnicate`", "are left out"] {
        assert!(said.contains(named), "{said}");
    }
    assert!(!String::from_utf8_lossy(&output.stdout).contains("mul"), "{output:?}");
    std::fs::write(&file, "bad: mul(x, 3) => frobnicate(x)\n").expect("a file");
    assert_eq!(planish(&["opt", &input, "--rules", &file, "--unproved"]).status.code(), Some(1));
}

/// What is shown is text to paste, and `planish prove` proves it.
#[test]
fn rules_are_completed_conditioned_and_generalized() {
    let scratch = Scratch::new("general", "v0 = getarg(0)\n");
    let file = scratch.path("mine.rules");
    let rules = "# Three of a kind.\nopen: and(or(x, C1), C2) => or(and(x, ?), ?)\n\nwrong: add(x, y)\n    => or(x, y)\n\
                 right: mul(x, 16) => lshift(x, 4)\nbroken: mul(x) => x\n";
    std::fs::write(&file, rules).expect("a file");
    let output = planish(&["rules", "generalize", "--solver", "builtin", &file]);
    assert_eq!(output.status.code(), Some(1), "one is no rule");
    assert!(String::from_utf8_lossy(&output.stderr).contains("mine.rules:7: "), "{output:?}");
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    for part in
        ["open: completed", "C = C1 & C2", "wrong: wrong as it stands", "x.and_bound(y).known_eq_const(0)"]
    {
        assert!(said.contains(part), "{part}: {said}");
    }
    assert!(said.contains("right: more general: ") && said.contains("is_pow2(C)"), "{said}");
    let is_said = |line: &&str| {
        [": completed", ": wrong as", ": more general", ": it holds"].iter().any(|w| line.contains(w))
    };
    let pasted: Vec<&str> = said.lines().filter(|line| !is_said(line)).collect();
    std::fs::write(&file, pasted.join("\n") + "\n").expect("a file");
    let proved = planish(&["prove", "--solver", "builtin", &file]);
    assert_eq!(proved.status.code(), Some(0), "{proved:?}\n{said}");
}
