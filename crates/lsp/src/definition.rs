//! Where what stands under the cursor is defined: an operation in the table, a name in its rule.

use lsp_types::{Location, Position, Range, Uri};
use planish_ops::{Op, table};

use crate::cursor::{Thing, thing};
use crate::document::Document;

/// The definition of what stands at a place. `page` says where the table of operations can be read.
pub fn definition(
    document: &Document,
    uri: &Uri,
    byte: usize,
    page: &dyn Fn() -> Option<Uri>,
) -> Option<Location> {
    let (thing, span) = thing(document, byte)?;
    match thing {
        Thing::Operation(op) => {
            let start = Position { line: line_of(op)?, character: 0 };
            Some(Location { uri: page()?, range: Range { start, end: start } })
        }
        Thing::Variable => {
            let (_, rule) = document.rule_of(document.head_at(byte)?)?;
            let word = document.source.slice(span);
            let variable = rule.vars.values().find(|variable| variable.name == word)?;
            Some(Location { uri: uri.clone(), range: document.range(variable.span) })
        }
        _ => None,
    }
}

/// The line of an operation in the page about all.
fn line_of(op: Op) -> Option<u32> {
    let page = planish_ops::catalogue::markdown();
    let first = page.lines().position(|line| line.starts_with("| `"))?;
    let row = table::ALL.iter().position(|&other| other == op)?;
    u32::try_from(first + row).ok()
}
