//! The name of an output says what is in it, or the command says that it does not.

mod common;

use std::path::Path;

use common::{Scratch, planish};
use planish_jar::classes::Archive;

const CLASS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/patterns/Patterns$Pair.class");
const AGENT: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../jar/agent/classes/planish/agent/Redirects.class");
const PATTERNS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/patterns");

#[test]
fn a_class_under_the_name_of_a_jar_is_in_a_jar_under_its_own_name() {
    let scratch = Scratch::new("class-in-jar", "");
    let (jar, class) = (scratch.path("x.jar"), scratch.path("Y.class"));
    std::fs::copy(AGENT, scratch.path("Other.class")).expect("a copy");
    for (input, name) in [
        (CLASS, "Patterns$Pair.class"),
        (AGENT, "planish/agent/Redirects.class"),
        (&scratch.path("Other.class"), "planish/agent/Redirects.class"),
    ] {
        assert_eq!(planish(&["opt", input, "-o", &jar]).status.code(), Some(0));
        let archive = Archive::read(std::fs::read(&jar).expect("a jar")).expect("a jar");
        let names: Vec<&[u8]> = archive.entries.iter().map(|entry| &entry.name[..]).collect();
        assert_eq!(names, [name.as_bytes()]);
        assert_eq!(planish(&["opt", input, "-o", &class]).status.code(), Some(0));
        assert!(std::fs::read(&class).expect("a class").starts_with(&[0xca, 0xfe, 0xba, 0xbe]));
    }
    // So do several.
    assert_eq!(planish(&["opt", CLASS, AGENT, "-o", &jar]).status.code(), Some(0));
    let archive = Archive::read(std::fs::read(&jar).expect("a jar")).expect("a jar");
    assert!(archive.find(b"planish/agent/Redirects.class").is_some());
}

#[test]
fn a_name_that_tells_something_else_is_refused() {
    let scratch = Scratch::new("names-refused", "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = add(v1, v0)\n");
    let (input, log) = (scratch.path("input.ssa"), scratch.path("t.trace"));
    std::fs::write(&log, "[i0]\ni1 = int_add(i0, 0)\njump(i1)\n").expect("a file");
    let jar = scratch.path("in.jar");
    assert_eq!(planish(&["opt", PATTERNS, "-o", &jar]).status.code(), Some(0));
    let cases: [(&[&str], &str, &str); 9] = [
        (
            &["opt", &input],
            "b.tac",
            "this is the name of tac, and the result is ssa; --to tac writes it as that",
        ),
        (&["opt", &input, "--to", "tac"], "b.bril", "this is the name of bril, and the result is tac"),
        (&["opt", &input], "b.class", "this is the name of classes, and the result is ssa"),
        (&["opt", &log], "b.jar", "this is the name of classes, and the result is trace"),
        (&["convert", &input, "--to", "tac"], "b.rvsdg", "this is the name of rvsdg, and the result is tac"),
        (&["opt", &jar], "b.class", "this is the name of one class file, and the result is a jar"),
        (&["opt", CLASS, AGENT], "b.class", "this is the name of one class file, and the result is a jar"),
        (&["opt", PATTERNS], "b.ssa", "this is the name of ssa, and classes are written as classes"),
        (&["opt", CLASS], "b.bril.json", "this is the name of bril-json, and classes are written as classes"),
    ];
    for (args, name, why) in cases {
        let output = planish(&[args, &["-o", &scratch.path(name)]].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?} {name}: {said}");
        assert!(said.contains(&format!("{name}: {why}")), "{args:?} {name}: {said}");
        assert!(!Path::new(&scratch.path(name)).exists());
    }
    for name in ["b.ssa", "b.txt", "b", "b.gz"] {
        assert_eq!(planish(&["opt", &input, "-o", &scratch.path(name)]).status.code(), Some(0), "{name}");
    }
    assert_eq!(planish(&["opt", &input, "--to", "tac", "-o", &scratch.path("b.cfg")]).status.code(), Some(0));
}
