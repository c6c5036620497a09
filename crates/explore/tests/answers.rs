//! What a worker answers: every dialect, programs with errors, rules that hold and that do not, hostile texts.

use std::io::Cursor;

use planish_base::{Diagnostics, SourceText};
use planish_explore::work::{Knowledge, serve};
use planish_prove::{Engine, Ledger, Options};
use serde_json::{Value, json};

/// What a worker answers to questions, one after the other.
fn answers(questions: &[Value]) -> Vec<Value> {
    let lines: String = questions.iter().map(|question| format!("{question}\n")).collect();
    let mut diagnostics = Diagnostics::new();
    let ledger = Ledger::parse(&SourceText::new("rules.lock", planish_book::LEDGER), &mut diagnostics);
    assert!(!diagnostics.has_errors());
    let knowledge = Knowledge { ledger, options: Box::new(|| Options::new(Engine::builtin())) };
    let mut out = Vec::new();
    serve(&knowledge, Cursor::new(lines.into_bytes()), &mut out, || ()).expect("memory");
    let text = String::from_utf8(out).expect("UTF-8");
    text.lines().map(|line| serde_json::from_str(line).expect("an answer is JSON")).collect()
}

fn answer(question: Value) -> Value {
    answers(&[question]).remove(0)
}

fn optimized(dialect: &str, program: &str, more: Value) -> Value {
    let mut question = json!({ "kind": "optimize", "dialect": dialect, "program": program });
    for (name, value) in more.as_object().expect("an object") {
        question[name] = value.clone();
    }
    answer(question)
}

/// A part of an answer that is a text.
fn text<'a>(answer: &'a Value, name: &str) -> &'a str {
    answer[name].as_str().unwrap_or_else(|| panic!("no {name} in {answer}"))
}

const SQUARE: &str = "\
func f(a: i64) -> i64 {
b:
    x = mul(a, 8)
    y = sub(x, x)
    z = add(x, y)
    return z
}
";

#[test]
fn a_program_is_shown_with_its_states_rewrites_and_counts() {
    let answer = optimized("ssa", SQUARE, json!({ "arguments": "5" }));
    assert!(text(&answer, "result").contains("lshift(a, 3)"), "{answer}");
    assert_eq!(answer["overview"]["items"][0][0], "f");
    let columns = answer["items"][0]["columns"].as_array().expect("columns");
    assert_eq!(columns.first().expect("a state")["title"], "input");
    let rule = |row: &&Value| row["place"].as_str().is_some_and(|place| place.contains(".rules:"));
    let rows = answer["rewrites"].as_array().expect("rewrites");
    let rule = rows.iter().find(rule).expect("a rule fired");
    assert!(text(rule, "proof").starts_with("proved at 8, 16, 32, 64 bits"), "{rule}");
    assert_eq!(rule["lines"], json!([3]));
    assert!(text(rule, "text").starts_with("mul_pow2"), "{rule}");
    let [before, after] = [&answer["counts"][0], &answer["counts"][1]];
    assert_eq!((&before["operations"], &after["operations"]), (&json!(3), &json!(1)));
    assert_eq!((text(before, "results"), text(after, "results")), ("40\n", "40\n"));
    assert_eq!(before["assumed"], false);
    let egraph = optimized("ssa", SQUARE, json!({ "engine": "egraph" }));
    let titles: Vec<&str> =
        egraph["items"][0]["graphs"].as_array().expect("graphs").iter().map(|g| text(g, "title")).collect();
    assert!(titles.iter().any(|title| title.starts_with("classes of equal values")), "{titles:?}");
    assert_eq!(egraph["counts"][0]["arguments"], json!(["10"]), "what suits the parameters");
}

#[test]
fn every_dialect_is_optimized_and_written_back() {
    let programs = [
        ("tac", "function -> a\n  * a 2 -> b\n  - b b -> c\n  + b c -> d\n  return d\n", "return"),
        ("rvsdg", "(func-2-inputs-1-outputs (+ get-0 (* get-1 0)))\n", "get-0"),
        ("bril", "@main(n: int) {\n  z: int = sub n n;\n  s: int = add n z;\n  print s;\n}\n", "print"),
        (
            "bril-json",
            "{\"functions\":[{\"name\":\"main\",\"instrs\":[{\"op\":\"const\",\"dest\":\"a\",\"type\":\"int\",\"value\":2},\
             {\"op\":\"print\",\"args\":[\"a\"]}]}]}",
            "print",
        ),
        ("trace", "[i0]\ni1 = int_add(i0, 0)\ni2 = int_gt(i1, 0)\nguard_true(i2) [i1]\njump(i1)\n", "jump"),
        ("pypylog", include_str!("../../../examples/logs/checksum.log"), "jit-log-opt-planish"),
    ];
    for (dialect, program, expected) in programs {
        let answer = optimized(dialect, program, json!({}));
        assert!(answer["error"].is_null(), "{dialect}: {answer}");
        assert!(text(&answer, "result").contains(expected), "{dialect}: {}", answer["result"]);
        assert!(!answer["items"].as_array().expect("items").is_empty(), "{dialect}");
        let counts = &answer["counts"][0];
        match dialect {
            "pypylog" => assert_eq!(text(counts, "error"), "a pypylog is no program to run"),
            _ => assert!(counts["operations"].is_u64(), "{dialect}: {counts}"),
        }
    }
    let answer = optimized("ssa", SQUARE, json!({ "to": "rvsdg" }));
    assert!(text(&answer, "result").contains("get-0"), "{answer}");
}

#[test]
fn errors_have_their_places_and_rules_are_judged_all_the_same() {
    let answer = optimized(
        "ssa",
        &SQUARE.replace("sub(x, x)", "sub(x, w)"),
        json!({ "rules": "r: add(x, 0) => x\nno\n" }),
    );
    assert!(text(&answer, "error").contains("program.ssa:4:16"), "{answer}");
    assert_eq!(answer["places"], json!([[4, 16]]));
    assert_eq!(answer["findings"][0]["line"], 2);
    assert_eq!(answer["rules"][0]["name"], "r");
    for (more, expected) in [
        (json!({ "passes": "no-such-pass" }), "no-such-pass"),
        (json!({ "dialect": "fortran" }), "`fortran` is not a dialect"),
        (json!({ "engine": "steam" }), "`steam` is no engine"),
        (json!({ "to": "pypylog" }), "cannot be written as pypylog"),
        (json!({ "program": "x".repeat((1 << 20) + 1) }), "the program has 1048577 bytes"),
        (json!({ "rules": "#".repeat(70_000) }), "the rules have 70000 bytes"),
        (json!({ "kind": "guess" }), "a question of no kind"),
    ] {
        let answer = optimized("ssa", SQUARE, more);
        assert!(text(&answer, "error").contains(expected), "{answer}");
    }
    for (more, expected) in [
        (json!({ "function": "ff" }), "did you mean `f`?"),
        (json!({ "arguments": "1 2" }), "`f` takes 1 arguments, 2 are given; its parameters are (i64)"),
        (json!({ "arguments": "x" }), "`x` is not an argument of type i64"),
    ] {
        let answer = optimized("ssa", SQUARE, more);
        assert!(text(&answer["counts"][0], "error").contains(expected), "{answer}");
        assert!(text(&answer, "result").contains("lshift"), "the result does not wait for arguments");
    }
}

/// The verdicts of a prover on all rules of a text, as the server hands them on.
fn verdicts(rules: &str) -> Value {
    let mut known = json!({});
    loop {
        let question =
            json!({ "kind": "prove", "dialect": "ssa", "program": "", "rules": rules, "verdicts": known });
        let verdict = answer(question);
        if verdict["none"] == true {
            return known;
        }
        known[text(&verdict, "text")] = verdict.clone();
    }
}

const PRODUCT: &str = "func f(a: i64, b: i64) -> i64 {\ne:\n    m = mul(a, b)\n    s = sub(b, a)\n    t = add(a, s)\n    \
                       r = xor(m, t)\n    return r\n}\n";

#[test]
fn rules_are_used_when_they_are_proved_and_wrong_ones_are_run_on_the_program() {
    let rules =
        "# good\nback: add(a, sub(b, a)) => b\n\nwrong: mul(a, b) => add(a, b)\nelsewhere: or(a, b) => a\n";
    let before = optimized("ssa", PRODUCT, json!({ "rules": rules, "passes": "rewrite:dead" }));
    let statuses = |answer: &Value| -> Vec<String> {
        answer["rules"]
            .as_array()
            .expect("rules")
            .iter()
            .map(|rule| text(rule, "status").to_owned())
            .collect()
    };
    assert_eq!(statuses(&before), ["proving", "proving", "proving"]);
    assert!(text(&before, "result").contains("mul(a, b)"), "nothing is used that is not proved: {before}");
    let known = verdicts(rules);
    // Everything moves by a line, and nothing has to be proved again.
    let moved = format!("\n{rules}");
    let more = json!({ "rules": moved, "verdicts": known });
    let after = optimized("ssa", PRODUCT, more.clone());
    assert_eq!(statuses(&after), ["proved", "wrong", "wrong"]);
    assert!(text(&after["rules"][1], "said").contains("my.rules:5 (a, b: i8)"), "{after}");
    let rewrites = after["rewrites"].as_array().expect("rewrites");
    assert!(
        rewrites.iter().any(|row| row["by"] == "back" && row["proof"] == "proved while you typed"),
        "{after}"
    );
    assert!(
        text(&after, "result").contains("mul(a, b)") && !text(&after, "result").contains("sub"),
        "{after}"
    );
    let mut question = json!({ "kind": "try", "dialect": "ssa", "program": PRODUCT });
    for (name, value) in more.as_object().expect("an object") {
        question[name] = value.clone();
    }
    let tried = answer(question);
    let [wrong, elsewhere] = [&tried["tries"][0], &tried["tries"][1]];
    assert_eq!((text(wrong, "rule"), text(wrong, "does")), ("wrong", "difference"));
    // Small numbers, those of the counterexample, come before random ones.
    for part in ["function f on (0, 1): ", "before:\nreturn ", "after:\nreturn "] {
        assert!(text(wrong, "text").contains(part), "{wrong}");
    }
    assert_eq!((text(elsewhere, "rule"), text(elsewhere, "does")), ("elsewhere", "nothing"));
}

#[test]
fn rules_that_go_round_in_circles_are_not_used() {
    let rules = "one: add(a, b) => sub(a, neg(b))\ntwo: sub(a, neg(b)) => add(a, b)\n";
    let known = verdicts(rules);
    let after = optimized("ssa", PRODUCT, json!({ "rules": rules, "verdicts": known }));
    assert_eq!((&after["rules"][0]["status"], &after["rules"][0]["used"]), (&json!("proved"), &json!(false)));
    assert!(after["findings"].to_string().contains("part of a rewrite cycle"), "{after}");
    assert!(text(&after, "result").contains("mul(a, b)"), "{after}");
    let flip = "flip: sub(a, b) => sub(b, a)\n";
    let question = json!({
        "kind": "try", "dialect": "ssa", "program": PRODUCT, "rules": flip, "verdicts": verdicts(flip),
    });
    let tried = answer(question);
    assert!(text(&tried["tries"][0], "text").contains("round in circles"), "{tried}");
}

#[test]
fn the_values_of_a_counterexample_show_what_random_ones_do_not() {
    // The rule is wrong at one value of 2^64.
    let rules = "rare: umin(xor(a, 987654321987), 1) => 1\n";
    let program =
        "func f(x: i64) -> i64 {\ne:\n    c = xor(x, 987654321987)\n    r = umin(c, 1)\n    return r\n}\n";
    let known = verdicts(rules);
    let question =
        json!({ "kind": "try", "dialect": "ssa", "program": program, "rules": rules, "verdicts": known });
    let tried = answer(question);
    let one = &tried["tries"][0];
    assert_eq!(text(one, "does"), "difference", "{tried} {known}");
    assert!(text(one, "text").contains("on (987654321987)"), "{one}");
}

#[test]
fn hostile_texts_are_answered() {
    let deep = format!("{}get-0{}", "(+ 1 ".repeat(100_000), ")".repeat(100_000));
    let json_deep = "[".repeat(200_000);
    let rules_deep = format!("r: {}a{} => a", "add(1, ".repeat(5_000), ")".repeat(5_000));
    let html = "func \"<img src=x onerror=alert(1)>\"(v0: i64) -> i64 {\nb:\n    return v0\n}\n";
    let endless = "func f(a: i64) -> i64 {\nb:\n    jump c(a)\nc(x: i64):\n    y = add(x, 1)\n    z = xor(y, a)\n    jump c(z)\n}\n";
    let questions = [
        json!({ "kind": "optimize", "dialect": "rvsdg", "program": deep }),
        json!({ "kind": "optimize", "dialect": "bril-json", "program": json_deep }),
        json!({ "kind": "optimize", "dialect": "ssa", "program": SQUARE, "rules": rules_deep }),
        json!({ "kind": "optimize", "dialect": "ssa", "program": html }),
        json!({ "kind": "optimize", "dialect": "ssa", "program": endless }),
        json!({ "kind": "optimize", "dialect": "ssa", "program": "" }),
        json!({ "kind": "optimize", "dialect": "tac", "program": "\u{202e}\u{0}" }),
        json!({ "kind": 7 }),
        json!([]),
    ];
    let all = answers(&questions);
    assert_eq!(all.len(), questions.len());
    assert!(all[0]["error"].is_string() && all[1]["error"].is_string());
    assert!(!all[2]["findings"].as_array().expect("findings").is_empty(), "{}", all[2]);
    assert!(all[3]["overview"]["items"][0][0].as_str().is_some_and(|name| name.contains("<img")));
    assert_eq!(
        all[4]["counts"][0]["ended"],
        "the program did not end within 1000000 operations, or calls itself too deeply"
    );
    assert!(all[6]["error"].as_str().is_some_and(|error| !error.contains('\u{202e}')), "{}", all[6]);
    assert!(all[7]["error"].is_string() && all[8]["error"].is_string());
}
