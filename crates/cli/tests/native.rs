//! `planish run --native`: where there is a code generator it runs, and elsewhere it is told how to get one.

mod common;

use common::{Scratch, planish};

const POWER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/power.ssa");

fn run(args: &[&str]) -> (Option<i32>, String, String) {
    let output = planish(&[&["run"], args].concat());
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code(), text(output.stdout), text(output.stderr))
}

#[cfg(not(feature = "native"))]
#[test]
fn a_planish_without_machine_code_says_how_to_get_one() {
    let (status, out, error) = run(&["--native", POWER, "3", "5"]);
    assert_eq!((status, out.as_str()), (Some(2), ""));
    assert!(error.contains("cargo build --release -p planish-cli --features native"), "{error}");
    // The arguments are looked at first.
    assert!(run(&["--native", POWER, "3"]).2.contains("takes 2 arguments"));
    let scratch = Scratch::new("native", "v0 = getarg(0)\n");
    assert_eq!(run(&["--time", "3", &scratch.path("input.ssa"), "1"]).0, Some(2));
}

#[cfg(feature = "native")]
#[test]
fn functions_of_every_dialect_run_as_machine_code() {
    assert_eq!(run(&["--native", POWER, "3", "5"]), (Some(0), "243\n".into(), String::new()));
    let (_, out, error) = run(&["--native", "--time", "1000", POWER, "3", "5"]);
    assert_eq!(out, "243\n");
    assert!(error.contains(" ns a run: 1000 runs in ") && error.ends_with(" bytes of code\n"), "{error}");
    let regions = POWER.replace(".ssa", ".rvsdg");
    assert_eq!(run(&["--native", &regions, "3", "5"]).1, "243\n");
    let scratch = Scratch::new("dialects", "v0 = getarg(0)\nv1 = mul(v0, v0)\n");
    for (name, text, expected) in [
        ("f.tac", "function -> x\n  + x 1 -> y\n  return y\n", "8\n"),
        ("f.rvsdg", "(func-1-inputs-1-outputs (+ (* get-0 get-0) 1))\n", "50\n"),
        (
            "f.bril",
            "@main(x: int): int {\n  y: int = call @g x;\n  ret y;\n}\n@g(x: int): int {\n  y: int = mul x x;\n  ret y;\n}\n",
            "49\n",
        ),
    ] {
        std::fs::write(scratch.path(name), text).expect("a file");
        let path = scratch.path(name);
        let interpreted = run(&[&path, "7"]);
        assert_eq!(run(&["--native", &path, "7"]), interpreted, "{name}");
        assert_eq!(interpreted.1, expected, "{name}");
    }
}

/// Bril programs allocate and print.
#[cfg(feature = "native")]
#[test]
fn programs_of_bril_print_what_they_print() {
    for name in ["sieve", "newton", "fibonacci", "characters", "cells_become_values"] {
        let path = format!("{}/../../tests/bril/{name}.bril", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(&path).expect("a test");
        let args = text.lines().find_map(|line| line.strip_prefix("# args: ")).unwrap_or_default();
        let args: Vec<&str> = args.split_whitespace().collect();
        let interpreted = run(&[&[path.as_str()], &args[..]].concat());
        assert_eq!(run(&[&["--native", &path], &args[..]].concat()), interpreted, "{name}");
        assert_eq!(interpreted.0, Some(0), "{name}: {}", interpreted.2);
        let (_, out, _) = run(&[&["--native", "--time", "3", &path], &args[..]].concat());
        assert_eq!(out, interpreted.1, "{name}");
    }
    let scratch = Scratch::new("leaks", "");
    let path = scratch.path("leaks.bril");
    std::fs::write(&path, "@main(n: int) {\n  p: ptr<int> = alloc n;\n  print n;\n}\n").expect("a file");
    assert_eq!(run(&["--native", &path, "4"]), run(&[&path, "4"]));
    assert_eq!(run(&[&path, "4"]).0, Some(1));
}

#[cfg(feature = "native")]
#[test]
fn what_ends_otherwise_is_told_and_what_cannot_be_compiled_is_named() {
    let scratch = Scratch::new("otherwise", "v0 = getarg(0)\nv1 = sdiv(7, v0)\n");
    let path = scratch.path("input.ssa");
    assert_eq!(run(&["--native", &path, "0"]), run(&[&path, "0"]));
    let (status, out, error) = run(&["--native", &path, "0"]);
    assert_eq!((status, out.as_str()), (Some(1), ""));
    assert!(error.contains("the program trapped: division"), "{error}");

    let text = "class @C\nfunc f() -> ref {\na:\n    v0 = new() @C\n    return v0\n}\n";
    std::fs::write(scratch.path("new.ssa"), text).expect("a file");
    let (status, _, error) = run(&["--native", &scratch.path("new.ssa")]);
    assert_eq!(status, Some(1));
    assert!(error.contains("new.ssa:4: `f` has no machine code: `new`"), "{error}");

    let text = "func f(n: i64) -> i64 {\na:\n    m = call(n) @f\n    k = add(m, 1)\n    return k\n}\n";
    std::fs::write(scratch.path("deep.ssa"), text).expect("a file");
    let (status, _, error) = run(&["--native", &scratch.path("deep.ssa"), "1"]);
    assert_eq!(status, Some(1));
    assert!(error.contains("calls itself too deeply"), "{error}");

    let text = "func f(n: i64) -> i64 {\na:\n    jump b\nb:\n    branch 1, b, c\nc:\n    return n\n}\n";
    std::fs::write(scratch.path("loop.ssa"), text).expect("a file");
    let (status, _, error) = run(&["--native", "--fuel", "1000", &scratch.path("loop.ssa"), "1"]);
    assert_eq!(status, Some(1));
    assert!(error.contains("did not end within 1000"), "{error}");
}
