//! The operators of the region language, and which operations may be written.
//!
//! The published language has the operators of [`OPERATORS`] beside those of regions. The extension adds
//! every other pure operation of the table whose operands and single result can be words, under its name
//! in the table, `phi-N-functions` and `module`. The reader takes both; the writer keeps to the first
//! unless told otherwise.

use planish_ops::{Effect, Op, Shape};

/// The operators of the published language, and what they mean at the width of a word.
pub const OPERATORS: &[(&str, Op)] = &[
    ("+", Op::Add),
    ("*", Op::Mul),
    ("/", Op::Sdiv),
    ("%", Op::Srem),
    ("&", Op::And),
    ("<<", Op::Lshift),
    (">>", Op::Urshift),
    (">>s", Op::Rshift),
    ("=", Op::Eq),
    (">", Op::Gt),
    ("use", Op::Use),
];

/// The operation that an operator means.
pub fn operation(operator: &str) -> Option<Op> {
    let published = OPERATORS.iter().find(|(text, _)| *text == operator).map(|(_, op)| *op);
    published.or_else(|| Op::from_name(operator).filter(|&op| is_word_operation(op) && op != Op::Use))
}

/// How an operation is written.
pub fn operator(op: Op) -> &'static str {
    match OPERATORS.iter().find(|(_, published)| *published == op) {
        Some((text, _)) => text,
        None => op.name(),
    }
}

/// Whether the published language has an operation.
pub fn is_published(op: Op) -> bool {
    OPERATORS.iter().any(|(_, published)| *published == op)
}

/// Whether an operation is pure and can have words as operands and as its only result.
pub fn is_word_operation(op: Op) -> bool {
    let row = op.row();
    let word = |shape: &Shape| matches!(shape, Shape::Int(_) | Shape::Any(_));
    let changes_width = matches!(op, Op::Sext | Op::Zext | Op::Trunc);
    (row.effect == Effect::Pure && !row.descriptor && !changes_width)
        && (op == Op::Use || (!row.operands.is_empty() && row.operands.iter().all(word)))
        && row.results.len() == 1
        && row.results.iter().all(word)
}

/// Whether an operation is undefined for some operands: it must not happen where it did not.
pub fn may_trap(op: Op) -> bool {
    op.row().partial
}

/// How many operators of the published language an operation takes; `None` when it has no form there. A
/// choice is never cheaper than the branch that it could be.
pub fn price(op: Op) -> Option<u32> {
    match op {
        Op::Select => Some(3),
        _ => planish_ir::expand::price(op, &is_published),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_are_published_or_named_in_the_table() {
        assert_eq!(operation(">>"), Some(Op::Urshift));
        assert_eq!(operation("select"), Some(Op::Select));
        assert_eq!(operation("-"), None);
        assert_eq!(operation("get_field"), None);
        assert!(is_published(Op::Use) && !is_published(Op::Sub));
    }

    #[test]
    fn operations_with_a_condition_on_their_meaning_may_trap() {
        for &op in planish_ops::table::ALL.iter().filter(|&&op| is_word_operation(op)) {
            let division = ["div", "rem", "mod"].iter().any(|end| op.name().ends_with(end));
            assert_eq!(may_trap(op), division, "{op}");
        }
    }
}
