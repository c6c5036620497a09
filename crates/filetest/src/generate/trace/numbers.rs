//! Numbers: arithmetic, comparisons, guards on them, overflow.

use arbitrary::Result;

use super::draft::{Draft, Kind};

const BINARY: [&str; 14] = [
    "int_add",
    "int_add",
    "int_sub",
    "int_mul",
    "int_and",
    "int_or",
    "int_xor",
    "int_lshift",
    "int_rshift",
    "uint_rshift",
    "uint_mul_high",
    "int_signext",
    "int_add",
    "int_sub",
];
const COMPARING: [&str; 10] =
    ["int_lt", "int_le", "int_eq", "int_ne", "int_gt", "int_ge", "uint_lt", "uint_le", "uint_gt", "uint_ge"];
const UNARY: [&str; 6] =
    ["int_neg", "int_invert", "int_force_ge_zero", "int_is_true", "int_is_zero", "same_as_i"];

/// An operation on integers.
pub(super) fn integers(draft: &mut Draft<'_, '_>) -> Result<()> {
    let x = draft.operand(Kind::Int)?;
    match draft.below(6)? {
        0 => {
            let op = draft.one_of(&UNARY)?;
            draft.result(Kind::Int, &format!("{op}({x})"));
        }
        1 => {
            let op = draft.one_of(&["int_add_ovf", "int_sub_ovf", "int_mul_ovf"])?;
            let y = draft.operand(Kind::Int)?;
            draft.result(Kind::Int, &format!("{op}({x}, {y})"));
            let guard = if draft.once_in(30)? { "guard_overflow()" } else { "guard_no_overflow()" };
            draft.guard(guard)?;
        }
        2 => {
            let op = draft.one_of(&COMPARING)?;
            let y = draft.operand(Kind::Int)?;
            draft.result(Kind::Int, &format!("{op}({x}, {y})"));
        }
        _ => {
            let op = draft.one_of(&BINARY)?;
            let y = match op {
                "int_lshift" | "int_rshift" | "uint_rshift" => draft.below(64)?.to_string(),
                "int_signext" => draft.one_of(&["1", "2", "4"])?.to_owned(),
                _ => draft.operand(Kind::Int)?,
            };
            draft.result(Kind::Int, &format!("{op}({x}, {y})"));
        }
    }
    Ok(())
}

/// A guard on a number, that passes in most worlds rather than in few.
pub(super) fn guard(draft: &mut Draft<'_, '_>) -> Result<()> {
    let Some(x) = draft.some(Kind::Int, |named| !named.decided)? else { return Ok(()) };
    let x = x.name;
    match draft.below(12)? {
        0 => draft.guard(&format!("guard_value({x}, 1)")),
        1 => {
            let y = draft.operand(Kind::Int)?;
            let op = draft.one_of(&COMPARING)?;
            let truth = draft.result(Kind::Int, &format!("{op}({x}, {y})"));
            let guard = draft.one_of(&["guard_true", "guard_false"])?;
            draft.guard(&format!("{guard}({truth})"))
        }
        2 => {
            let truth = draft.result(Kind::Int, &format!("int_is_true({x})"));
            let guard = draft.one_of(&["guard_true", "guard_false"])?;
            draft.guard(&format!("{guard}({truth})"))
        }
        _ => {
            let (op, bound) = draft.one_of(&[
                ("int_lt", "100"),
                ("int_le", "255"),
                ("int_lt", "17"),
                ("int_gt", "-10"),
                ("int_ge", "-129"),
                ("int_ge", "0"),
                ("int_ne", "77"),
            ])?;
            let truth = draft.result(Kind::Int, &format!("{op}({x}, {bound})"));
            draft.guard(&format!("guard_true({truth})"))
        }
    }
}

/// An operation on floats.
pub(super) fn floats(draft: &mut Draft<'_, '_>) -> Result<()> {
    let x = draft.operand(Kind::Float)?;
    match draft.below(4)? {
        0 => {
            let op = draft.one_of(&["float_neg", "float_abs", "same_as_f"])?;
            draft.result(Kind::Float, &format!("{op}({x})"));
        }
        1 => {
            let y = draft.operand(Kind::Int)?;
            draft.result(Kind::Float, &format!("cast_int_to_float({y})"));
        }
        2 => {
            let (op, y) = (draft.one_of(&["float_lt", "float_eq", "float_ge"])?, draft.operand(Kind::Float)?);
            draft.result(Kind::Int, &format!("{op}({x}, {y})"));
        }
        _ => {
            let op = draft.one_of(&["float_add", "float_sub", "float_mul", "float_truediv"])?;
            let y = draft.operand(Kind::Float)?;
            draft.result(Kind::Float, &format!("{op}({x}, {y})"));
        }
    }
    Ok(())
}
