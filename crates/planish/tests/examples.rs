//! The examples print what their comments and `docs/tour-embed.md` say, and the tour shows the examples as they are.

#[path = "../examples/embed_ssa.rs"]
#[allow(dead_code)] // `main` is the example's.
mod embed_ssa;
#[path = "../examples/own_pass.rs"]
#[allow(dead_code)]
mod own_pass;

use std::path::Path;

/// Whether the page has a text in a fenced block of its own.
fn page_shows(text: &str) -> bool {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/tour-embed.md");
    let page = std::fs::read_to_string(page).expect("the tour").replace("\r\n", "\n");
    page.contains(&format!("\n{}\n```\n", text.trim_end()))
}

/// A part of an example, from one line up to another.
fn part<'t>(text: &'t str, from: &str, to: &str) -> &'t str {
    let begin = text.find(from).expect(from);
    let end = begin + text[begin..].find(to).expect(to);
    text[begin..end].trim_end()
}

/// S3.38: inside a compiler, as a library.
#[test]
fn ssa_is_embedded_as_the_tour_shows() {
    let printed = embed_ssa::embed().expect("it is right");
    assert!(page_shows(&printed), "docs/tour-embed.md shows something else than\n{printed}");
    let source = include_str!("../examples/embed_ssa.rs");
    let power = part(source, "/// x to the n-th power", "/// Two functions");
    assert!(page_shows(power), "docs/tour-embed.md shows something else than\n{power}");
}

#[test]
fn own_operations_rules_passes_and_costs_work_as_the_tour_shows() {
    let printed = own_pass::demonstrate().expect("it is right");
    assert!(page_shows(&printed), "docs/tour-embed.md shows something else than\n{printed}");
    let source = include_str!("../examples/own_pass.rs");
    for (from, to) in [
        ("/// `a * b + c`", "/// How often"),
        ("const RULES", "/// `a * b + c`"),
        ("    let mac =", "    let record ="),
    ] {
        let shown = part(source, from, to);
        assert!(page_shows(shown), "docs/tour-embed.md shows something else than\n{shown}");
    }
}
