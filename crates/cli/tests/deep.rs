//! Programs that are nested or chained as deep as nobody writes them: the command answers, and dies of none.

mod common;

use common::{Scratch, planish};

const DEEP: usize = 50_000;

/// A chain of operations, each on the result of the one before.
fn chain(head: &str, line: impl Fn(usize) -> String, tail: &str) -> String {
    (1..DEEP).map(line).fold(head.to_owned(), |text, line| text + &line) + tail
}

/// Something within itself.
fn nested(head: &str, [open, close]: [&str; 2], tail: &str) -> String {
    [head, &open.repeat(DEEP), tail, &close.repeat(DEEP)].concat()
}

#[test]
fn what_is_chained_or_nested_deep_is_read_and_optimized() {
    let programs = [
        ("a.ssa", chain("v0 = getarg(0)\n", |n| format!("v{n} = add(v{}, v0)\n", n - 1), "")),
        ("b.ssa", chain("v0 = getarg(0)\n", |n| format!("v{n} = eq(v{}, v0)\n", n - 1), "")),
        ("a.tac", chain("function -> x\n", |_| "& x 1 -> y\n+ y x -> x\n".to_owned(), "return x\n")),
        ("a.bril", chain("@main(x: int): int {\n", |_| "  x: int = mul x x;\n".to_owned(), "  ret x;\n}\n")),
        ("a.trace", {
            let tail = format!("finish(i{})\n", DEEP - 1);
            chain("[i0]\n", |n| format!("i{n} = int_add(i{}, i0)\n", n - 1), &tail)
        }),
        ("a.rvsdg", nested("(func-1-inputs-1-outputs ", ["(+ 1 ", ")"], "get-0") + ")"),
        ("b.rvsdg", nested("(func-1-inputs-1-outputs ", ["(+ ", " 1)"], "get-0") + ")"),
    ];
    let scratch = Scratch::new("deep", "");
    for (name, text) in programs {
        std::fs::write(scratch.path(name), text).expect("a file");
        let output = planish(&["opt", &scratch.path(name), "-o", &scratch.path("out")]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{name}: {said}");
    }
}

#[test]
fn what_no_dialect_has_is_refused_at_any_depth() {
    let programs = [
        ("a.ssa", nested("v0 = getarg(0)\nv1 = add(", ["(", ")"], "v0")),
        ("a.tac", nested("function -> x\nmov ", ["(", ")"], "x")),
        ("a.bril", nested("@main(x: ", ["ptr<", ">"], "int") + ") {\n}\n"),
        ("a.trace", nested("[i0]\ni1 = int_add(", ["(", ")"], "i0")),
        ("a.rvsdg", "(".repeat(DEEP)),
        ("a.bril.json", nested("", ["[", "]"], "")),
        ("b.bril.json", nested("", ["{\"functions\":", "}"], "1")),
    ];
    let scratch = Scratch::new("deep-wrong", "");
    for (name, text) in programs {
        std::fs::write(scratch.path(name), text).expect("a file");
        let output = planish(&["check", &scratch.path(name)]);
        assert_eq!(output.status.code(), Some(1), "{name}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("error: "), "{name}");
    }
    let strawman = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman");
    for open in ["-keep class A { ", "-keep class ", "-keep @", "-if class "] {
        std::fs::write(scratch.path("a.pro"), nested(open, ["(", ")"], "A") + &"{ @!".repeat(DEEP))
            .expect("a file");
        let (out, rules) = (scratch.path("out.jar"), scratch.path("a.pro"));
        let output = planish(&["opt", strawman, "-o", &out, "--keep", &rules]);
        assert_eq!(output.status.code(), Some(1), "{open}");
    }
}
