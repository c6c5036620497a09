//! The operators of the language, and which operations may be written.
//!
//! The published language has the operators of [`OPERATORS`]. The extension adds every other pure
//! operation of the table whose operands and single result can be words, under its name in the table.
//! The reader takes both; the writer keeps to the first unless told otherwise.

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
    ("!=", Op::Ne),
    ("!", Op::IsZero),
    ("-", Op::Sub),
    ("-", Op::Neg),
    ("use", Op::Use),
]);

/// The operation that an operator means with a number of operands.
///
/// The error is the number of operands that the operator takes, or `None` for an unknown operator.
pub fn operation(operator: &str, operands: usize) -> Result<Op, Option<usize>> {
    let mut wanted = None;
    for op in OPERATORS.meanings(operator) {
        let row = op.row();
        if row.variadic || row.operands.len() == operands {
            return Ok(op);
        }
        wanted = wanted.or(Some(row.operands.len()));
    }
    Err(wanted)
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
        assert!(OPERATORS.has(Op::Urshift) && !OPERATORS.has(Op::Or));
    }
}
