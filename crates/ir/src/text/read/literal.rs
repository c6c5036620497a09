//! Literals: numbers in the type that their place demands.

use planish_ops::{Int, Real, Type};

use crate::constant::Const;
use crate::text::syntax::OperandKind;

/// A literal in a type, or why it is none.
pub(super) fn number(kind: &OperandKind<'_>, ty: Type) -> Result<Const, String> {
    let (what, text) = match *kind {
        OperandKind::Integer(text) => ("integer", text),
        OperandKind::Float(text) => ("float", text),
        _ => return Err("expected a number".to_owned()),
    };
    let other = || format!("expected a value of type {ty}, found the {what} {text}");
    // Rust reads every spelling of a float that the lexer lets through.
    match (kind, ty) {
        (OperandKind::Integer(_), Type::Int(width)) => {
            integer(text, width.into()).map(Const::from).ok_or_else(|| format!("{text} does not fit in {ty}"))
        }
        (OperandKind::Float(_), Type::F32) => text.parse().map(|x| Real::F32(x).into()).map_err(|_| other()),
        (OperandKind::Float(_), Type::F64) => text.parse().map(|x| Real::F64(x).into()).map_err(|_| other()),
        _ => Err(other()),
    }
}

/// The integer of a width, if it fits as a signed or an unsigned number.
pub(super) fn integer(text: &str, width: u32) -> Option<Int> {
    let value: i128 = text.parse().ok()?;
    let (min, max) = (-(1i128 << (width - 1)), (1i128 << width) - 1);
    (min..=max).contains(&value).then(|| Int::new(width, value as u64))
}
