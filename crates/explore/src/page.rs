//! What a browser loads: a page, a style and a script, and what the page opens with. What shows a run is that of the report.

use planish_driver::{Dialect, passes};
use planish_report::page as report;
use serde_json::{Value, json};

use crate::examples::EXAMPLES;

/// The page.
pub(crate) const HTML: &str = include_str!("page/page.html");

/// The style: the report's, and what the boxes need.
pub(crate) fn style() -> String {
    [report::STYLE, include_str!("page/page.css")].concat()
}

/// The script, in the order in which its parts need each other.
pub(crate) fn script() -> String {
    let own = [
        include_str!("page/link.js"),
        include_str!("page/editor.js"),
        include_str!("page/tabs.js"),
        include_str!("page/rules.js"),
        include_str!("page/main.js"),
    ];
    let parts = ["\"use strict\";\n"].into_iter().chain(report::PARTS).chain(own);
    parts.collect()
}

/// What the page opens with: a program, examples, and what can be chosen.
pub(crate) fn beginning(program: Option<[String; 3]>, rules: String) -> Value {
    let program = program.map(|[name, text, dialect]| {
        json!({ "name": name, "program": text, "dialect": dialect, "rules": rules, "arguments": "" })
    });
    let without = json!({ "rules": rules });
    let examples: Vec<Value> = EXAMPLES.iter().map(|example| example.json()).collect();
    let dialect = |dialect: &Dialect| json!({ "name": dialect.name(), "endings": dialect.extensions() });
    let dialects: Vec<Value> = Dialect::ALL.iter().map(dialect).collect();
    let passes: Vec<&str> = passes::infos().map(|info| info.name).collect();
    json!({
        "first": program.unwrap_or(without), "examples": examples, "dialects": dialects, "passes": passes,
    })
}
