//! What a trace may hold: which operations of the table PyPy's text has, under which name, and when.
//!
//! An operation means the same in every dialect; dialects differ in what they can say. [`spelling`] is
//! the legal table: an operation has a name in the text, or is made of others that have one
//! (`expand` knows how), or cannot stand in a trace at all.
//!
//! Two demands on operands go beyond names. PyPy's shifts are defined for amounts from 0 to 63, so an
//! amount that is not known to be there is masked again ([`Amounts`]). And an overflow operation stands
//! directly before its guard, which lowering sees to.
//!
//! Words are 64 bits wide. A single bit is a word that is 0 or 1; other widths cannot be said.

use planish_base::SideTable;
use planish_ir::{Function, Inst, Value};
use planish_ops::{Op, Type};

use crate::opcode::{Lift, Opcode};

/// How an operation of the table is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// Under this name, on the same operands.
    Name(&'static str),
    /// By its descriptor: accesses, allocations, calls, markers.
    ByDescriptor,
    /// With its guard: arithmetic with an overflow bit.
    WithGuard(&'static str),
    /// As several operations.
    Expanded,
    /// Not at all.
    Illegal(&'static str),
}

/// How an operation is written in a trace.
pub fn spelling(op: Op) -> Spelling {
    use Spelling::{ByDescriptor, Expanded, Illegal, WithGuard};
    match op {
        Op::AddOvf | Op::SubOvf | Op::MulOvf => WithGuard(op.row().pypy.unwrap_or_default()),
        Op::Abs | Op::Min | Op::Max | Op::Umin | Op::Umax | Op::Smulh | Op::Rotl | Op::Rotr | Op::Select => {
            Expanded
        }
        Op::Signext | Op::Zext | Op::Sext | Op::Trunc | Op::IsNull | Op::IsNonnull | Op::NullCheck => {
            Expanded
        }
        Op::GetField | Op::SetField | Op::GetItem | Op::SetItem | Op::GetInterior | Op::SetInterior => {
            ByDescriptor
        }
        Op::ArrayLen | Op::RawLoad | Op::RawStore | Op::New | Op::NewArray => ByDescriptor,
        Op::NewStr | Op::StrLen | Op::StrGet | Op::StrSet | Op::StrCopy => ByDescriptor,
        Op::Call | Op::Marker | Op::GuardOther => ByDescriptor,
        // PyPy's rules name these, its traces do not: division is a call there.
        Op::FloorDiv | Op::FloorMod | Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem => {
            Illegal("a trace divides by calling a function, whose address is not known here")
        }
        _ => match op.row().pypy.filter(|name| Opcode::from_name(name).is_some()) {
            Some(name) => Spelling::Name(name),
            None => Illegal("a trace has no operation for it"),
        },
    }
}

/// Whether values of a type can stand in a trace.
pub fn has_type(ty: Type) -> bool {
    matches!(ty, Type::I64 | Type::I1 | Type::F64 | Type::Ref)
}

/// Whether the name in the text is that of a shift.
pub fn is_shift(name: &str) -> bool {
    Opcode::from_name(name).is_some_and(|opcode| matches!(opcode.row().lift, Lift::Shift(_)))
}

/// Which values are known to be shift amounts below 64.
pub struct Amounts<'a> {
    /// Values that a shift of the source uses so; it would be undefined otherwise.
    pub source: &'a SideTable<Value, bool>,
    /// What an analysis knows.
    pub known: &'a dyn Fn(Value) -> bool,
    /// Values that a guard has shown to be so.
    pub guarded: SideTable<Value, bool>,
}

impl Amounts<'_> {
    /// Whether `value` is from 0 to 63.
    pub fn fits(&self, function: &Function, value: Value) -> bool {
        let small =
            |value: Value| function.int_constant(value).is_some_and(|int| (0..64).contains(&int.signed()));
        if small(value) || self.source[value] || self.guarded[value] || (self.known)(value) {
            return true;
        }
        // A mask that is still there, wherever it came from.
        let masked =
            |inst| function.inst(inst).op == Op::And && function.args(inst).iter().any(|&arg| small(arg));
        function.def_inst(value).is_some_and(masked)
    }

    /// Behind a guard its condition holds: a trace is one straight line.
    pub fn learn(&mut self, function: &Function, guard: Inst) {
        let condition = match (function.inst(guard).op, function.args(guard)) {
            (Op::GuardTrue, &[condition]) => Some((condition, true)),
            (Op::GuardFalse, &[condition]) => Some((condition, false)),
            _ => None,
        };
        let Some((compare, truth)) =
            condition.and_then(|(condition, truth)| Some((function.def_inst(condition)?, truth)))
        else {
            return;
        };
        let &[value, bound] = function.args(compare) else { return };
        let Some(bound) = function.int_constant(bound) else { return };
        let fits = match (function.inst(compare).op, truth) {
            (Op::Ult, true) | (Op::Uge, false) => bound.unsigned() <= 64,
            (Op::Ule, true) | (Op::Ugt, false) => bound.unsigned() < 64,
            _ => false,
        };
        if fits {
            self.guarded[value] = true;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every operation that lifting makes of a named row can be written again.
    #[test]
    fn what_is_lifted_can_be_lowered() {
        for opcode in Opcode::all() {
            let op = match opcode.row().lift {
                Lift::Same(op) | Lift::Shift(op) | Lift::Guard(op) => op,
                Lift::Overflow(op) | Lift::Access(op) | Lift::Named(op) | Lift::Str(op, _) => op,
                _ => continue,
            };
            match spelling(op) {
                Spelling::Name(name) => {
                    assert!(name == opcode.name() || opcode.name() == format!("instance_{name}"), "{name}");
                }
                Spelling::Illegal(reason) => panic!("{}: {reason}", opcode.name()),
                Spelling::ByDescriptor | Spelling::WithGuard(_) | Spelling::Expanded => {}
            }
        }
    }
}
