//! The types of numbers, and methods by them.

use planish_classfile::Opcode;

use super::names::{Names, a_descriptor};

/// The types of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Ty {
    Int,
    Long,
    Float,
    Double,
}

impl Ty {
    pub const ALL: [Ty; 4] = [Ty::Int, Ty::Long, Ty::Float, Ty::Double];

    pub fn letter(self) -> char {
        ['I', 'J', 'F', 'D'][self as usize]
    }

    pub fn slots(self) -> u16 {
        if matches!(self, Ty::Long | Ty::Double) { 2 } else { 1 }
    }

    /// The member of a family of instructions of which the first is for `int`.
    pub fn of(self, first: Opcode) -> Opcode {
        Opcode::from_byte(first as u8 + self as u8).expect("families have a member for each type")
    }
}

/// A static method of `T`.
#[derive(Clone)]
pub(super) struct Signature {
    pub name: String,
    pub params: Vec<Ty>,
    pub result: Ty,
    /// Whether its body is that of the method before it.
    pub is_twin: bool,
    /// Whether it also gets an array and an object of its caller.
    pub shares: bool,
}

impl Signature {
    pub fn descriptor(&self, names: &Names) -> String {
        let shared = if self.shares { format!("[I{}", a_descriptor(&names.a)) } else { String::new() };
        let params: String = self.params.iter().map(|ty| ty.letter()).collect();
        format!("({shared}{params}){}", self.result.letter())
    }
}

/// The method of `A` that `B` overrides: its descriptor and parameters.
pub(super) const V: &str = "(IJI)I";
pub(super) const V_PARAMS: [Ty; 3] = [Ty::Int, Ty::Long, Ty::Int];
