//! The tour for C shows the example as it is, and what it prints.

const PAGE: &str = include_str!("../../../docs/tour-c.md");
const EXAMPLE: &str = include_str!("../../../examples/c/formula.c");
const PRINTED: &str = include_str!("../../../examples/c/formula.expected");

#[test]
fn the_tour_shows_parts_of_the_example() {
    let parts = PAGE.split("```c\n").skip(1).map(|part| part.split("```").next().expect("a first part"));
    let mut count = 0;
    for part in parts {
        assert!(EXAMPLE.contains(part), "examples/c/formula.c does not have\n{part}");
        count += 1;
    }
    assert_eq!(count, 4);
}

#[test]
fn the_tour_shows_what_the_example_prints() {
    assert!(
        PAGE.contains(&format!("```text\n{}\n```\n", PRINTED.trim_end())),
        "docs/tour-c.md is not formula.expected"
    );
}
