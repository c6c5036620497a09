//! `planish opt --facts`: what a file says of the functions that a log names.

mod common;

use std::fs;

use common::{Scratch, planish};

const LOG: &str = "\
[1] {jit-log-noopt
# Traced loop or bridge with 4 ops
[p0, p1]
i2 = getfield_gc_i(p0, descr=<FieldS Shop.stock 8>)
call_n(ConstClass(Shop.greet), p0, p1, descr=<Callv 0 rr EF=5>)
i3 = getfield_gc_i(p0, descr=<FieldS Shop.stock 8>)
finish(i2, i3)
[2] jit-log-noopt}
";

/// A folder with the log and a file of facts.
fn shop(name: &str, facts: &str) -> (Scratch, String, String) {
    let scratch = Scratch::new(name, "");
    let (log, file) = (scratch.path("shop.log"), scratch.path("shop.facts"));
    fs::write(&log, LOG).expect("a log");
    fs::write(&file, facts).expect("facts");
    (scratch, log, file)
}

#[test]
fn a_file_of_facts_says_what_a_function_touches() {
    let (scratch, log, facts) = shop("facts-used", "function Shop.greet reads=* writes=Shop.guests");
    let out = scratch.path("out.log");
    let loads = |facts: &[&str]| {
        let output = planish(&[&["opt", log.as_str(), "-o", out.as_str()], facts].concat());
        assert!(output.status.success(), "{output:?}");
        let written = fs::read_to_string(&out).expect("a result");
        let result = written.split("jit-log-opt-planish").nth(1).expect("a section").to_owned();
        result.matches("getfield_gc_i").count()
    };
    assert_eq!(loads(&[]), 2);
    assert_eq!(loads(&["--facts", "none"]), 2);
    assert_eq!(loads(&["--facts", facts.as_str()]), 1);
}

#[test]
fn what_is_no_fact_is_refused_and_nothing_is_written() {
    let (scratch, log, facts) =
        shop("facts-wrong", "# of a shop\nfunction Shop.greet writes=Shop.guests reads=guests\n");
    let out = scratch.path("out.log");
    let output = planish(&["opt", &log, "--facts", &facts, "-o", &out]);
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("shop.facts:2:1") && said.contains("`guests` is no field"), "{said}");
    assert!(!fs::exists(&out).expect("a folder"));
}

#[test]
fn facts_are_about_logs_and_stay_as_they_are() {
    let (scratch, log, facts) = shop("facts-refused", "function f reads= writes=\n");
    let trace = scratch.path("a.trace");
    fs::write(&trace, "[i0]\nfinish(i0)\n").expect("a trace");
    let refused = |args: &[&str]| {
        let output = planish(args);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    assert!(refused(&["opt", &trace, "--facts", &facts]).contains("--facts is about logs"));
    assert!(refused(&["opt", &log, "--facts", &facts, "-o", &facts]).contains("shop.facts"));
    assert_eq!(fs::read_to_string(&facts).expect("facts"), "function f reads= writes=\n");
}

#[test]
fn the_facts_about_pypy_can_be_read() {
    let examples = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/logs");
    let (log, facts) = (format!("{examples}/checksum.log"), format!("{examples}/pypy.facts"));
    let scratch = Scratch::new("facts-pypy", "");
    let output = planish(&["opt", &log, "--facts", &facts, "-o", &scratch.path("out.log")]);
    assert!(output.status.success(), "{output:?}");
}
