//! How wide values are, and which operations there are on vectors.
//!
//! A value is as wide as the item that it was loaded from, and what is computed is as wide as the first operand
//! that is no constant. The forms of operations are those of the machine that PyPy's vectors are for, x86 with
//! registers of 16 bytes; the table of the text says which exist.

use std::fmt;

use planish_base::SideTable;

use super::instr::Instr;
use crate::opcode::{Kind, Opcode};
use crate::text::{Arg, Text, Var};

/// The bytes of a vector register.
pub(super) const REGISTER: usize = 16;

/// What an array holds, when that is numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Item {
    /// The bytes of one.
    pub bytes: u8,
    /// Whether a load extends the sign.
    pub signed: bool,
}

/// The lanes of a vector, or the one of a scalar.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Shape {
    pub float: bool,
    /// The bytes of a lane.
    pub bytes: u8,
    pub signed: bool,
    /// How many lanes there are.
    pub lanes: u8,
}

impl Shape {
    /// A number as wide as a word.
    pub fn word(float: bool) -> Shape {
        Shape { float, bytes: 8, signed: !float, lanes: 1 }
    }

    /// The shape of the result of an operation whose operands have shapes.
    pub fn of(
        op: &Instr,
        kind: Kind,
        shapes: &SideTable<Var, Option<Shape>>,
        item: &dyn Fn(Text) -> Option<Item>,
    ) -> Shape {
        let float = kind == Kind::Float;
        if access(op.opcode).is_some()
            && let Some(Item { bytes, signed }) = op.descr.and_then(item)
        {
            return Shape { float, bytes, signed, lanes: 1 };
        }
        if let Some((_, bytes)) = cast(op, shapes) {
            return Shape { float, bytes, signed: true, lanes: 1 };
        }
        let first = op.args.iter().find_map(|arg| if let Arg::Var(var) = arg { Some(*var) } else { None });
        match first.and_then(|var| shapes[var]) {
            Some(shape) => Shape { float: shape.float && !compares(op.opcode), lanes: 1, ..shape },
            None => Shape::word(float),
        }
    }
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letter = if self.float { 'f' } else { 'i' };
        write!(f, "[{}x{letter}{}]", self.lanes, u32::from(self.bytes) * 8)
    }
}

/// An access to an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Access {
    pub stores: bool,
    /// Whether the index counts bytes and not items.
    pub by_bytes: bool,
}

/// What an operation does to an item of an array of numbers, if it does.
pub(super) fn access(opcode: Opcode) -> Option<Access> {
    let access = |stores, by_bytes| Some(Access { stores, by_bytes });
    match opcode.name() {
        "getarrayitem_raw_i" | "getarrayitem_raw_f" | "getarrayitem_gc_i" | "getarrayitem_gc_f" => {
            access(false, false)
        }
        "setarrayitem_raw" | "setarrayitem_gc" => access(true, false),
        "raw_load_i" | "raw_load_f" => access(false, true),
        "raw_store" => access(true, true),
        _ => None,
    }
}

/// Whether the result is 0 or 1.
fn compares(opcode: Opcode) -> bool {
    matches!(
        opcode.name(),
        "int_lt" | "int_le" | "int_eq" | "int_ne" | "int_gt" | "int_ge" | "int_is_true" | "int_is_zero"
    ) || opcode.name().starts_with("uint_")
        && !opcode.name().ends_with("high")
        && !opcode.name().ends_with("shift")
        || matches!(
            opcode.name(),
            "float_lt" | "float_le" | "float_eq" | "float_ne" | "float_gt" | "float_ge"
        )
}

/// The operation on vectors that does the same in each lane.
pub(super) fn on_vectors(opcode: Opcode) -> Option<Opcode> {
    let name = opcode.name();
    let float = name.ends_with("_f");
    Opcode::from_name(match access(opcode) {
        Some(Access { stores: true, .. }) => "vec_store",
        Some(_) if float => "vec_load_f",
        Some(_) => "vec_load_i",
        None => return Opcode::from_name(&format!("vec_{name}")),
    })
}

/// The bytes that a conversion takes and makes.
pub(super) fn cast(op: &Instr, shapes: &SideTable<Var, Option<Shape>>) -> Option<(u8, u8)> {
    match (op.name(), &op.args[..]) {
        ("cast_float_to_int" | "cast_float_to_singlefloat", _) => Some((8, 4)),
        ("cast_int_to_float" | "cast_singlefloat_to_float", _) => Some((4, 8)),
        ("int_signext", &[arg, Arg::Int(bytes)]) => {
            let from = if let Arg::Var(var) = arg { shapes[var].map_or(8, |shape| shape.bytes) } else { 8 };
            Some((from, u8::try_from(bytes).ok()?))
        }
        _ => None,
    }
}

/// How many lanes a conversion works on at once.
pub(super) fn lanes_of_cast(op: &Instr, (from, to): (u8, u8)) -> usize {
    match op.name() {
        "int_signext" => REGISTER / usize::from(from.max(to)),
        _ => 2,
    }
}

/// What an operation on vectors wants of an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Wants {
    pub float: Option<bool>,
    pub bytes: Option<u8>,
    pub lanes: Option<u8>,
}

impl Wants {
    const ANY: Wants = Wants { float: None, bytes: None, lanes: None };
    const FLOAT: Wants = Wants { float: Some(true), ..Wants::ANY };
    const INT: Wants = Wants { float: Some(false), ..Wants::ANY };
    const TWO_DOUBLES: Wants = Wants { float: Some(true), bytes: Some(8), lanes: Some(2) };
    const TWO_WORDS: Wants = Wants { float: Some(false), bytes: Some(4), lanes: Some(2) };
}

/// What an operation wants of its operands: nothing of those that stay scalars.
pub(super) fn wants(op: &Instr, item: Option<Item>) -> Vec<Option<Wants>> {
    match op.name() {
        name if name.starts_with("cast_float_to") => vec![Some(Wants::TWO_DOUBLES)],
        name if name.starts_with("cast_") => vec![Some(Wants::TWO_WORDS)],
        "int_signext" => vec![Some(Wants::INT), None],
        name if name.starts_with("guard_") || name.starts_with("int_") => {
            vec![Some(Wants::INT); op.args.len()]
        }
        name if name.starts_with("float_") => vec![Some(Wants::FLOAT); op.args.len()],
        _ => match access(op.opcode) {
            Some(Access { stores: true, .. }) => {
                vec![None, None, Some(Wants { bytes: item.map(|item| item.bytes), ..Wants::ANY })]
            }
            _ => vec![None; op.args.len()],
        },
    }
}

/// Whether operands must be as wide as each other.
pub(super) fn wants_equal_widths(op: &Instr) -> bool {
    op.args.len() == 2
        && (op.name().starts_with("int_") && op.name() != "int_signext"
            || matches!(op.name(), "float_add" | "float_sub" | "float_mul" | "float_truediv"))
}
