//! The table as a page of Markdown: `docs/ops.md`.

use std::fmt::Write;

use crate::row::{EqualOperands, Exits, Lanes, Shape};
use crate::table::{ALL, Row};

/// The catalogue of all operations. A test of the command-line crate holds `docs/ops.md` to it.
pub fn markdown() -> String {
    let mut page = String::from(
        "# Operations\n\n\
         Generated from the table of operations (`crates/ops/src/table.rs`); do not edit.\n\n\
         `W`, `V`, `R` are integer types, `F`, `G` float types, `T` any type; a type that occurs only \
         among the results is named by the instruction. `N` is a vector of integers, `M` one of floats, `U` any \
         vector, `E` the type of its lanes. Algebra: C commutative, A associative, \
         I involution, e identity (f(x, e) = x), a absorbing (f(x, a) = a), = value for equal operands, \
         01 a result that is 0 or 1, /0 leaves where the divisor is zero and only there.\n\n\
         | operation | PyPy | effect | leaves | algebra | cost | meaning |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for op in ALL {
        let row = op.row();
        let leaves = match row.exits {
            Exits::Never => "",
            Exits::Before => "before",
            Exits::After => "after",
        };
        let doc = row.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        writeln!(
            page,
            "| `{}` | {} | {} | {leaves} | {} | {} | {} |",
            signature(row),
            row.pypy.map(|name| format!("`{name}`")).unwrap_or_default(),
            format!("{:?}", row.effect).to_lowercase(),
            algebra(row),
            row.cost,
            doc.replace('|', "\\|"),
        )
        .expect("writing to a string does not fail");
    }
    page
}

/// `add(W, W) -> W`, as pages and messages print it.
pub fn signature(row: &Row) -> String {
    let mut operands: Vec<&str> = row.operands.iter().map(|&s| shape(s)).collect();
    if row.variadic {
        operands.push("...");
    }
    let mut text = format!("{}({})", row.name, operands.join(", "));
    if let Some(named) = row.descriptor {
        text.push_str(" @");
        text.push_str(named.word());
    }
    if row.free_results {
        text.push_str(" -> ...");
    } else if !row.results.is_empty() {
        let results: Vec<&str> = row.results.iter().map(|&s| shape(s)).collect();
        text.push_str(" -> ");
        text.push_str(&results.join(", "));
    }
    text
}

fn shape(shape: Shape) -> &'static str {
    match shape {
        Shape::Int(0) => "W",
        Shape::Int(1) => "V",
        Shape::Int(_) => "R",
        Shape::Bit => "i1",
        Shape::Float(0) => "F",
        Shape::Float(_) => "G",
        Shape::Ref => "ref",
        Shape::Any(_) => "T",
        Shape::Free => "any",
        Shape::Vector(Lanes::Ints) => "N",
        Shape::Vector(Lanes::Floats) => "M",
        Shape::Vector(Lanes::Any) => "U",
        Shape::Lane => "E",
    }
}

fn algebra(row: &Row) -> String {
    let (a, mut words) = (row.algebra, Vec::new());
    for (holds, letter) in [(a.commutative, "C"), (a.associative, "A"), (a.involution, "I")] {
        if holds {
            words.push(letter.to_string());
        }
    }
    if let Some(e) = a.identity {
        words.push(format!("e={e}"));
    }
    if let Some(absorbing) = a.absorbing {
        words.push(format!("a={absorbing}"));
    }
    match a.equal {
        Some(EqualOperands::Constant(c)) => words.push(format!("x,x={c}")),
        Some(EqualOperands::Operand) => words.push("x,x=x".into()),
        None => {}
    }
    for (holds, word) in [(row.truth, "01"), (row.divisor.is_some(), "/0")] {
        if holds {
            words.push(word.into());
        }
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_operation_has_a_line_and_a_sentence() {
        let page = markdown();
        assert_eq!(page.lines().filter(|l| l.starts_with("| `")).count(), ALL.len());
        assert!(ALL.iter().all(|op| op.row().doc.trim().len() > 3));
        assert!(page.contains("| `add_ovf(W, W) -> W, i1` | `int_add_ovf` | pure |"), "{page}");
    }
}
