//! Ledgers of proofs at the command line: what is written to them, what is believed, and what is optimized with.

mod common;

use std::process::{Command, Output};
use std::time::{Duration, Instant};

use common::{Scratch, planish};

const PROGRAM: &str = "v0 = getarg(0)\nv1 = getarg(1)\nv2 = xor(v0, v1)\nv3 = and(v2, v0)\n";

/// Two right rules about the program, and one that is wrong.
const RULES: &str = "first: and(xor(x, y), x) => and(x, not(y))\n\
                     wrong: xor(x, y) => or(x, y)\n\
                     second: and(or(x, y), not(y)) => and(x, not(y))\n";

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn prove(arguments: &[&str]) -> Output {
    planish(&[&["prove", "--solver", "builtin"], arguments].concat())
}

/// A wrong rule is named and left out, and does not keep the others from being used; without a ledger none is.
#[test]
fn rules_are_used_when_the_ledger_beside_them_vouches_for_them() {
    let scratch = Scratch::new("ledger-used", PROGRAM);
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("my.rules"));
    std::fs::write(&rules, RULES).expect("a file");
    let opt = |more: &[&str]| planish(&[&["opt", &input, "--rules", &rules], more].concat());
    let without = opt(&[]);
    assert_eq!(without.status.code(), Some(1));
    assert!(without.stdout.is_empty() && text(&without.stderr).contains("no rule is proved"), "{without:?}");
    let proved = prove(&[&rules]);
    assert_eq!(proved.status.code(), Some(1), "one is wrong");
    assert!(text(&proved.stdout).ends_with("2 of 3 rules proved\n"), "{proved:?}");
    let with = opt(&[]);
    assert_eq!(with.status.code(), Some(0), "{with:?}");
    let said = text(&with.stderr);
    assert!(said.contains("my.rules:2: rule wrong has no proof in the ledger at width 1"), "{said}");
    assert!(!said.contains("rule first") && !said.contains("rule second"), "{said}");
    let result = text(&with.stdout);
    assert!(result.contains("not(") && !result.contains("or("), "{result}");
    let all = opt(&["--unproved"]);
    assert!(text(&all.stderr).contains("these rules are used without a proof"), "{all:?}");
    // A rule that was changed is not the one that was proved.
    std::fs::write(&rules, RULES.replace("x) => and(x, not(y))", "x) => and(y, not(x))")).expect("a file");
    let changed = opt(&[]);
    assert!(
        text(&changed.stderr).contains("rule first has changed since it was proved at width 1"),
        "{changed:?}"
    );
}

/// Proving one rule leaves what is noted of the others of its file, and forgets it of those that are gone.
#[test]
fn rules_that_are_not_asked_about_keep_their_proofs() {
    let scratch = Scratch::new("ledger-only", PROGRAM);
    let (rules, lock) = (scratch.path("my.rules"), scratch.path("my.rules.lock"));
    std::fs::write(&rules, RULES).expect("a file");
    prove(&[&rules]);
    let all = std::fs::read_to_string(&lock).expect("a ledger");
    let once_more = prove(&[&rules, "--only", "first"]);
    assert!(text(&once_more.stdout).ends_with("1 of 1 rules proved\n"), "{once_more:?}");
    assert_eq!(std::fs::read_to_string(&lock).expect("a ledger"), all);
    std::fs::write(&rules, RULES.replace("second", "third")).expect("a file");
    prove(&[&rules, "--only", "third"]);
    let renamed = std::fs::read_to_string(&lock).expect("a ledger");
    assert!(renamed.contains("rule first") && renamed.contains("rule third"), "{renamed}");
    assert!(!renamed.contains("rule second"), "{renamed}");
}

/// What is said of a run says it of rules without a proof, as the warning does: statistics for people and tools, reports.
#[test]
fn rules_without_a_proof_are_named_in_all_that_tells_of_a_run() {
    let scratch = Scratch::new("ledger-told", PROGRAM);
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("my.rules"));
    std::fs::write(&rules, RULES).expect("a file");
    prove(&[&rules]);
    let run = |more: &[&str]| {
        let output = planish(&[&["opt", &input, "--rules", &rules], more].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        text(&output.stdout) + &text(&output.stderr)
    };
    for how in ["--stats", "--stats=full"] {
        assert!(run(&["--unproved", how]).contains("\nused without a proof: wrong\n"), "{how}");
        assert!(!run(&[how]).contains("used without a proof"), "{how}");
    }
    let unproved = |said: String| {
        let json = &said[said.find("\n{").expect("an object")..];
        serde_json::from_str::<serde_json::Value>(json).expect("JSON")["unproved"].clone()
    };
    assert_eq!(unproved(run(&["--unproved", "--stats=json"])), serde_json::json!(["wrong"]));
    assert_eq!(unproved(run(&["--stats=json"])), serde_json::json!([]));
    let report = |more: &[&str]| {
        let output = planish(&[&["report", &input, "--rules", &rules], more].concat());
        text(&output.stdout)
    };
    assert!(report(&["--unproved"]).contains("1 rule used without a proof"), "{}", report(&["--unproved"]));
    assert!(!report(&[]).contains("without a proof"), "{}", report(&[]));
}

/// A rule that is left out is judged beside no other: it shadows none, and is part of no cycle.
#[test]
fn rules_without_a_proof_do_not_stand_in_the_way_of_others() {
    let program = "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v0, v1)\nv3 = sub(v2, v0)\n";
    let scratch = Scratch::new("ledger-way", program);
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("my.rules"));
    let good = "good: sub(add(x, y), x) => y\n";
    let others = [
        ("bad", "bad: sub(add(x, y), x) => x\n", "rule `good` is shadowed"),
        ("round", "round: xor(mul(x, 5), y) => xor(mul(y, 5), x)\n", "part of a rewrite cycle"),
    ];
    for (name, other, objection) in others {
        std::fs::write(&rules, format!("{good}{other}")).expect("a file");
        prove(&[&rules]);
        let output = planish(&["opt", &input, "--rules", &rules]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(
            said.contains("not proved and left out")
                && said.contains(&format!("rule {name} has no proof in the ledger at width 1")),
            "{said}"
        );
        // Whoever asks for them has them judged.
        let asked = planish(&["opt", &input, "--rules", &rules, "--unproved"]);
        assert_eq!(asked.status.code(), Some(0), "{asked:?}");
        assert!(text(&asked.stderr).contains(objection), "{asked:?}");
    }
}

/// The proofs of the book came along: proving one of its files writes nothing beside it, and its rules may be used.
#[test]
fn a_file_of_the_book_needs_no_ledger_of_its_own() {
    let scratch = Scratch::new("ledger-book", PROGRAM);
    let rules = scratch.path("add.rules");
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../rules/add.rules");
    std::fs::copy(book, &rules).expect("a file");
    assert_eq!(prove(&[&rules]).status.code(), Some(0));
    let beside = format!("{rules}.lock");
    assert!(!std::path::Path::new(&beside).exists(), "{beside} was written");
    // One line more, and it is a file of the user's.
    let text = std::fs::read_to_string(&rules).expect("a text") + "\n# mine\n";
    std::fs::write(&rules, text).expect("a file");
    assert_eq!(prove(&[&rules]).status.code(), Some(0));
    assert!(std::path::Path::new(&beside).exists(), "{beside} was not written");
}

/// What was written by hand is not believed.
#[test]
fn a_ledger_is_not_edited() {
    let scratch = Scratch::new("ledger-edited", PROGRAM);
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("my.rules"));
    std::fs::write(&rules, "spared: and(xor(x, y), x)\n    SORRY_Z3: later\n    => and(x, not(y))\n")
        .expect("a file");
    assert_eq!(prove(&[&rules]).status.code(), Some(1), "a rule without a proof is not proved");
    let allowed = prove(&["--allow-sorry", &rules]);
    assert_eq!(allowed.status.code(), Some(0));
    assert!(text(&allowed.stdout).ends_with("0 of 1 rules proved, 1 sorry\n"), "{allowed:?}");
    let lock = format!("{rules}.lock");
    let edited = std::fs::read_to_string(&lock).expect("the ledger").replace(" sorry ", " proved ");
    std::fs::write(&lock, edited).expect("a file");
    let opt = planish(&["opt", &input, "--rules", &rules]);
    assert_eq!(opt.status.code(), Some(1));
    assert!(text(&opt.stderr).contains("rule spared is not proved at width 1"), "{opt:?}");
}

/// A file that is no ledger stays as it is, whatever it contains.
#[test]
fn nothing_but_a_ledger_is_overwritten() {
    let scratch = Scratch::new("ledger-other", PROGRAM);
    let (rules, lock) = (scratch.path("my.rules"), scratch.path("my.rules.lock"));
    let notes = "rule one\nrule two\n";
    for (file, contents) in [(&rules, RULES), (&lock, notes), (&lock, "")] {
        std::fs::write(file, contents).expect("a file");
        if contents.is_empty() {
            continue;
        }
        let output = prove(&["--lock", file, "--only", "domain law ClipNarrows"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        assert!(text(&output.stderr).contains("this is no ledger of proofs"), "{output:?}");
        assert_eq!(std::fs::read_to_string(file).expect("it is there"), contents);
    }
    std::fs::write(&lock, notes).expect("a file");
    let beside = prove(&[&rules]);
    assert_eq!(beside.status.code(), Some(1));
    assert!(text(&beside.stderr).contains("this is no ledger of proofs"), "{beside:?}");
    assert_eq!(std::fs::read_to_string(&lock).expect("it is there"), notes);
}

#[test]
fn the_ledger_of_rules_that_are_used_is_no_output() {
    let scratch = Scratch::new("ledger-output", PROGRAM);
    let (rules, lock) = (scratch.path("my.rules"), scratch.path("my.rules.lock"));
    std::fs::write(&rules, RULES).expect("a file");
    assert!(prove(&[&rules]).status.code().is_some());
    let before = std::fs::read(&lock).expect("a ledger");
    for option in ["-o", "--remarks"] {
        let output = planish(&["opt", &scratch.path("program.ssa"), "--rules", &rules, option, &lock]);
        assert!(!output.status.success(), "{output:?}");
        assert_eq!(std::fs::read(&lock).expect("it is there"), before);
    }
}

#[test]
fn two_runs_on_one_ledger_lose_nothing() {
    let scratch = Scratch::new("ledger-twice", "");
    let lock = scratch.path("shared.lock");
    let laws = ["domain law ClipNarrows", "domain law FromBits", "rule zext_zext", "rule sext_sext"];
    let runs: Vec<_> = (laws.iter())
        .map(|law| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_planish"));
            command.args(["prove", "--solver", "builtin", "--lock", &lock, "--only", law]);
            command.stdout(std::process::Stdio::null()).spawn().expect("it runs")
        })
        .collect();
    for mut run in runs {
        assert!(run.wait().expect("it ends").success());
    }
    let ledger = std::fs::read_to_string(&lock).expect("the ledger");
    assert!(laws.iter().all(|law| ledger.lines().any(|line| line == *law)), "{ledger}");
    std::fs::write(&lock, format!("{ledger}{ledger}")).expect("a file");
    let twice = prove(&["--lock", &lock, "--only", "domain law ClipNarrows"]);
    assert_eq!(twice.status.code(), Some(1));
    assert!(
        text(&twice.stderr).contains("this is no ledger of proofs") || text(&twice.stderr).contains("twice")
    );
}

/// A script that stands for a solver.
fn solver(scratch: &Scratch, name: &str, script: &str) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = scratch.path(name);
    std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("it may be run");
    path
}

/// S5.43: no answer is told from a failed proof. A clock of our own ends a solver that says nothing, and what is wrong is said all the same.
#[test]
fn a_solver_that_says_nothing_is_not_waited_for() {
    let scratch = Scratch::new("solver-mute", "v0 = getarg(0)\nv1 = getarg(1)\nv2 = mul(v0, v1)\n");
    let mute = solver(&scratch, "mute", "exec sleep 100");
    let rules = scratch.path("my.rules");
    std::fs::write(&rules, "wrong: and(x, 62) => and(x, 30)\n").expect("a file");
    let start = Instant::now();
    let output = planish(&["prove", "--timeout", "2", "--solver", &mute, &rules]);
    let told = text(&output.stdout);
    assert!(told.contains("counterexample to wrong") && told.contains("x: i8"), "{output:?}");
    std::fs::write(&rules, "right: fabs(fmul(x, y)) => fmul(fabs(x), fabs(y))\n").expect("a file");
    let output = planish(&["prove", "--timeout", "2", "--solver", &mute, &rules]);
    assert!(text(&output.stdout).contains("no answer in time"), "{output:?}");
    std::fs::write(scratch.path("other.ssa"), "v0 = getarg(0)\nv1 = getarg(1)\nv2 = add(v0, v1)\n")
        .expect("a file");
    let (input, other) = (scratch.path("input.ssa"), scratch.path("other.ssa"));
    let output = planish(&["validate", "--timeout", "2", "--solver", &mute, &input, &other]);
    assert!(text(&output.stdout).starts_with("different"), "{output:?}");
    // Two waits of two seconds; the rest is for a busy machine.
    assert!(start.elapsed() < Duration::from_secs(14), "{:?}", start.elapsed());
}

/// A solver that says yes to everything proves nothing that trying refutes, and is contradicted where the built-in one knows.
#[test]
fn a_solver_that_always_agrees_proves_no_wrong_rule() {
    let scratch = Scratch::new("solver-yes", "");
    let yes = solver(&scratch, "yes", "echo unsat");
    let rules = scratch.path("my.rules");
    let wrong = "mask: and(x, 62) => and(x, 30)\n\
                 wide: add(add(x, 40000), 1) => add(x, 40000)\n\
                 float: fadd(fadd(x, 1.0), 2.0) => fadd(x, 3.0)\n\
                 one: eq(x, 1234567891) => 0\n";
    std::fs::write(&rules, format!("{wrong}right: sub(add(x, y), y) => x\n")).expect("a file");
    let told = text(&planish(&["prove", "--timeout", "20", "--solver", &yes, &rules]).stdout);
    assert!(told.ends_with("1 of 5 rules proved\n"), "{told}");
    let ledger = std::fs::read_to_string(format!("{rules}.lock")).expect("the ledger");
    // The proof is the built-in solver's, which its checker followed.
    assert!(ledger.contains(" builtin ") && !ledger.contains(" yes"), "{ledger}");
}

/// Where nobody confirms what a solver says, the verdict says whose word it is, and a rule is not said to be one that never
/// applies on such a word.
#[test]
fn a_verdict_says_whose_word_it_is() {
    let scratch = Scratch::new("solver-word", "");
    let yes = solver(&scratch, "yes", "echo unsat");
    let rules = scratch.path("my.rules");
    // The factors of a number of 120 bits are not found in two seconds.
    let hard = "far: fabs(fadd(fadd(x, y), z)) => fabs(fadd(fneg(fadd(x, y)), fneg(z)))\n\
                rare: add(add(x: i64, C1), C2)\n    check C1 >u 1 and C2 >u 1 and umulh(C1, C2) == 18027269003267209 \
                and C1 * C2 == 2325802716794774985\n    => x\n";
    std::fs::write(&rules, hard).expect("a file");
    let told = text(&planish(&["prove", "--timeout", "2", "--solver", &yes, &rules]).stdout);
    assert!(told.contains("(on the word of yes alone about floats)"), "{told}");
    assert!(told.contains("yes says that no input meets its checks, which nobody confirmed"), "{told}");
    assert!(!told.contains("can never apply"), "{told}");
}

/// A file of rules of which none is asked for, or in which there is none, is an error.
#[test]
fn what_is_asked_for_is_there_or_the_answer_says_so() {
    let scratch = Scratch::new("ledger-only", PROGRAM);
    let path = &scratch.path("two.rules")[..];
    std::fs::write(path, "one: add(x, neg(y))\n    => sub(x, y)\ntwo: sub(x, neg(y))\n    => add(x, y)\n")
        .expect("a file");
    let both = text(&prove(&[path]).stdout);
    assert!(both.contains("2 of 2 rules proved"), "{both}");
    let one = text(&prove(&[path, "--only", "rule one"]).stdout);
    assert!(one.contains("1 of 1 rules proved"), "{one}");
    for arguments in [&[path, "--only", "three"][..], &["--only", "three"]] {
        let none = prove(arguments);
        assert_eq!(none.status.code(), Some(2));
        assert!(text(&none.stderr).contains("has `three` in it"), "{}", text(&none.stderr));
    }
    std::fs::write(path, "# Nothing yet.\n").expect("a file");
    let empty = prove(&[path]);
    assert_eq!(empty.status.code(), Some(1));
    assert!(text(&empty.stderr).contains("no rules in"), "{}", text(&empty.stderr));
}
