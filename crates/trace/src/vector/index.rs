//! Indices as linear functions of one value, and the items that they lead to.
//!
//! `i * factor + offset` is followed through additions, subtractions and products with constants. Two accesses
//! to one array whose indices are functions of the same value with the same factor are so many items apart; of
//! any others nothing is known.

use hashbrown::HashMap;
use planish_base::diag::Span;
use rustc_hash::FxBuildHasher;

use super::Loop;
use super::instr::Instr;
use super::shape::{self, Access, Item};
use crate::opcode::Kind;
use crate::text::{Arg, Text, Var};

/// `base * factor + offset`, modulo 2^64.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Linear {
    pub base: Arg,
    pub factor: i64,
    pub offset: i64,
}

impl Linear {
    pub fn of(base: Arg) -> Linear {
        Linear { base, factor: 1, offset: 0 }
    }

    pub fn is_base(&self) -> bool {
        self.factor == 1 && self.offset == 0
    }

    /// How far it is behind another, if that is known.
    pub fn minus(&self, other: &Linear) -> Option<i64> {
        (self.base == other.base && self.factor == other.factor)
            .then(|| self.offset.wrapping_sub(other.offset))
    }

    /// The operations that compute it, unless it is its base. They are no more than two.
    pub fn operations(&self, loop_: &mut Loop, span: Span) -> Vec<Instr> {
        let mut made: Vec<Instr> = Vec::new();
        let mut value = self.base;
        let mut make = |name: &str, constant: i64| {
            let result = loop_.fresh(Kind::Int);
            made.push(Instr::new(name, vec![value, Arg::Int(constant)], Some(result), span));
            value = Arg::Var(result);
        };
        if self.factor != 1 {
            make("int_mul", self.factor);
        }
        match self.offset {
            0 => {}
            ..0 if self.offset != i64::MIN => make("int_sub", -self.offset),
            _ => make("int_add", self.offset),
        }
        made
    }

    /// Whether an operation computes it in one step.
    pub fn is_made_by(&self, op: &Instr) -> bool {
        op.args.contains(&self.base) && (self.factor == 1 || self.offset == 0)
    }
}

/// The values of a loop that are linear functions, in the order in which they were found.
#[derive(Clone, Default)]
pub(super) struct Indices {
    known: Vec<(Var, Linear)>,
    places: HashMap<Var, usize, FxBuildHasher>,
}

impl Indices {
    /// What a value is known to be, if that is more than itself.
    pub fn get(&self, var: Var) -> Option<&Linear> {
        self.places.get(&var).map(|&place| &self.known[place].1)
    }

    /// All of them in order.
    pub fn iter(&self) -> impl Iterator<Item = &(Var, Linear)> {
        self.known.iter()
    }

    /// Any argument as a linear function.
    pub fn linear(&self, arg: Arg) -> Linear {
        match arg {
            Arg::Var(var) => self.get(var).copied().unwrap_or(Linear::of(arg)),
            _ => Linear::of(arg),
        }
    }

    pub fn insert(&mut self, var: Var, linear: Linear) {
        self.places.insert(var, self.known.len());
        self.known.push((var, linear));
    }

    /// Takes note of an operation.
    pub fn inspect(&mut self, op: &Instr) {
        let (Some(result), &[a, b]) = (op.result, &op.args[..]) else { return };
        let (value, constant) = match (a, b) {
            (Arg::Var(_), Arg::Int(constant)) => (a, constant),
            (Arg::Int(constant), Arg::Var(_)) if op.name() != "int_sub" => (b, constant),
            _ => return,
        };
        let known = self.linear(value);
        let linear = match op.name() {
            "int_add" => Linear { offset: known.offset.wrapping_add(constant), ..known },
            "int_sub" => Linear { offset: known.offset.wrapping_sub(constant), ..known },
            "int_mul" => Linear {
                factor: known.factor.wrapping_mul(constant),
                offset: known.offset.wrapping_mul(constant),
                ..known
            },
            _ => return,
        };
        self.insert(result, linear);
    }
}

/// An item of an array of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct MemoryRef {
    array: Arg,
    descr: Text,
    index: Linear,
    /// How far the indices of neighbours are apart.
    stride: i64,
}

impl MemoryRef {
    /// What an operation accesses.
    pub fn of(op: &Instr, indices: &Indices, item: &dyn Fn(Text) -> Option<Item>) -> Option<MemoryRef> {
        let Access { by_bytes, .. } = shape::access(op.opcode)?;
        let descr = op.descr?;
        let bytes = item(descr)?.bytes;
        let index = indices.linear(op.args[1]);
        Some(MemoryRef {
            array: op.args[0],
            descr,
            index,
            stride: if by_bytes { i64::from(bytes) } else { 1 },
        })
    }

    fn same_array(&self, other: &MemoryRef) -> bool {
        self.array == other.array && self.descr == other.descr
    }

    /// Whether the other is the next item.
    pub fn is_before(&self, other: &MemoryRef) -> bool {
        self.same_array(other) && other.index.minus(&self.index) == Some(self.stride)
    }

    /// Whether they may share a byte, given that the arrays have the same name.
    pub fn may_alias(&self, other: &MemoryRef) -> bool {
        if self.array != other.array {
            return false;
        }
        // Other descriptors are other views of the same bytes.
        match self.index.minus(&other.index) {
            Some(difference) if self.descr == other.descr => difference.unsigned_abs() < self.stride as u64,
            _ => true,
        }
    }
}
