//! The operators of the language, and which operations may be written.
//!
//! The published language has the operators of [`OPERATORS`]. The extension adds every other pure
//! operation of the table whose operands and single result can be words, under its name in the table.
//! The reader takes both; the writer keeps to the first unless told otherwise.

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
    ("!=", Op::Ne),
    ("!", Op::IsZero),
    ("-", Op::Sub),
    ("-", Op::Neg),
    ("use", Op::Use),
];

/// The operation that an operator means with a number of operands.
///
/// The error is the number of operands that the operator takes, or `None` for an unknown operator.
pub fn operation(operator: &str, operands: usize) -> Result<Op, Option<usize>> {
    let mut wanted = None;
    let named = Op::from_name(operator).filter(|&op| is_word_operation(op) && op != Op::Use);
    let published = OPERATORS.iter().filter(|(text, _)| *text == operator).map(|(_, op)| *op);
    for op in published.chain(named) {
        let row = op.row();
        if row.variadic || row.operands.len() == operands {
            return Ok(op);
        }
        wanted = wanted.or(Some(row.operands.len()));
    }
    Err(wanted)
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
    fn minus_is_told_by_its_operands() {
        assert_eq!(operation("-", 1), Ok(Op::Neg));
        assert_eq!(operation("-", 2), Ok(Op::Sub));
        assert_eq!(operation("-", 3), Err(Some(2)));
        assert_eq!(operation("use", 0), Ok(Op::Use));
    }

    #[test]
    fn the_extension_names_operations_of_the_table() {
        assert_eq!(operation("select", 3), Ok(Op::Select));
        assert_eq!(operation("or", 2), Ok(Op::Or));
        assert_eq!(operation("fadd", 2), Err(None));
        assert_eq!(operation("get_field", 1), Err(None));
        assert!(is_published(Op::Urshift) && !is_published(Op::Or));
    }
}
