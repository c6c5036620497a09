//! The tour for C shows the examples as they are, and what they print.

const PAGE: &str = include_str!("../../../docs/tour-c.md");
const EXAMPLES: [&str; 2] =
    [include_str!("../../../examples/c/formula.c"), include_str!("../../../examples/c/bridge.c")];
const PRINTED: [&str; 2] = [
    include_str!("../../../examples/c/formula.expected"),
    include_str!("../../../examples/c/bridge.expected"),
];

#[test]
fn the_tour_shows_parts_of_the_examples() {
    let parts = PAGE.split("```c\n").skip(1).map(|part| part.split("```").next().expect("a first part"));
    let mut counts = [0; 2];
    for part in parts {
        let at = EXAMPLES.iter().position(|example| example.contains(part));
        counts[at.unwrap_or_else(|| panic!("no example in examples/c has\n{part}"))] += 1;
    }
    assert_eq!(counts, [4, 2]);
}

#[test]
fn the_tour_shows_what_the_examples_print() {
    for printed in PRINTED {
        assert!(
            PAGE.contains(&format!("```text\n{}\n```\n", printed.trim_end())),
            "docs/tour-c.md does not have what an example prints:\n{printed}"
        );
    }
}
