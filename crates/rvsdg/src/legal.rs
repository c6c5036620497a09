//! The operators of the region language, and which operations may be written.
//!
//! The published language has the operators of [`OPERATORS`] beside those of regions. The extension adds
//! every other pure operation of the table whose operands and single result can be words, under its name
//! in the table, `phi-N-functions` and `module`. The reader takes both; the writer keeps to the first
//! unless told otherwise.

use planish_ir::operators::Operators;
use planish_ops::Op;

/// The operators of the published language, and what they mean at the width of a word.
pub const OPERATORS: Operators = Operators(&[
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
]);

/// The operation that an operator means.
pub fn operation(operator: &str) -> Option<Op> {
    OPERATORS.meanings(operator).next()
}

/// Whether an operation is undefined for some operands: it must not happen where it did not.
pub fn may_trap(op: Op) -> bool {
    op.row().partial
}

#[cfg(test)]
mod tests {
    use planish_ir::operators::is_word_operation;

    use super::*;

    #[test]
    fn operators_are_published_or_named_in_the_table() {
        assert_eq!(operation(">>"), Some(Op::Urshift));
        assert_eq!(operation("select"), Some(Op::Select));
        assert_eq!(operation("-"), None);
        assert_eq!(operation("get_field"), None);
        assert!(OPERATORS.has(Op::Use) && !OPERATORS.has(Op::Sub));
    }

    #[test]
    fn operations_with_a_condition_on_their_meaning_may_trap() {
        for &op in planish_ops::table::ALL.iter().filter(|&&op| is_word_operation(op)) {
            let division = ["div", "rem", "mod"].iter().any(|end| op.name().ends_with(end));
            assert_eq!(may_trap(op), division, "{op}");
        }
    }
}
