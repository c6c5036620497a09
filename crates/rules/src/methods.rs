//! What a rule may ask of the facts of an integer.
//!
//! One row a question: its name in rules (PyPy's name where PyPy has it), the types of its arguments
//! and its result, and the query of the abstract domain that answers it.

use planish_ops::Bits;

use crate::facts::{Answer, Fact};

/// The type of an argument or result, relative to the width of the receiver.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MethodTy {
    /// A truth value.
    Bool,
    /// A constant of the receiver's type.
    Word,
    /// Facts about an integer of the receiver's type.
    Fact,
}

/// A question about facts.
#[derive(Debug)]
pub struct Method {
    /// Its name in rules.
    pub name: &'static str,
    /// Whether it is read without parentheses.
    pub attribute: bool,
    /// Its arguments.
    pub args: &'static [MethodTy],
    /// Its result.
    pub result: MethodTy,
}

impl Method {
    /// The method or attribute with a name.
    pub fn named(name: &str) -> Option<&'static Method> {
        METHODS.iter().find(|m| m.name == name)
    }

    /// Whether receiver and argument may be exchanged.
    pub fn is_symmetric(&self) -> bool {
        matches!(self.name, "known_ne" | "and_bound" | "or_bound" | "xor_bound" | "add_bound" | "mul_bound")
    }

    /// The answer.
    pub fn ask<B: Bits>(&self, b: &mut B, f: &Fact<B>, words: &[B::Word], facts: &[Fact<B>]) -> Answer<B> {
        let truth = match (self.name, words, facts) {
            ("known_eq_const", &[c], _) => {
                let (x, y) = (b.eq(f.lo, c), b.eq(f.hi, c));
                b.both(x, y)
            }
            ("known_lt_const", &[c], _) => b.slt(f.hi, c),
            ("known_le_const", &[c], _) => b.sle(f.hi, c),
            ("known_gt_const", &[c], _) => b.slt(c, f.lo),
            ("known_ge_const", &[c], _) => b.sle(c, f.lo),
            ("known_lt", _, &[g]) => b.slt(f.hi, g.lo),
            ("known_le", _, &[g]) => b.sle(f.hi, g.lo),
            ("known_gt", _, &[g]) => b.slt(g.hi, f.lo),
            ("known_ge", _, &[g]) => b.sle(g.hi, f.lo),
            ("known_nonnegative", ..) => {
                let zero = b.zero(f.lo);
                b.sle(zero, f.lo)
            }
            ("is_constant", ..) => b.eq(f.lo, f.hi),
            ("is_bool", ..) => {
                let (zero, one) = (b.zero(f.lo), b.one(f.lo));
                let (x, y) = (b.sle(zero, f.lo), b.sle(f.hi, one));
                b.both(x, y)
            }
            ("lower" | "get_constant_int", ..) => return Answer::Word(f.lo),
            ("upper", ..) => return Answer::Word(f.hi),
            ("ones" | "tvalue", ..) => return Answer::Word(f.ones),
            ("zeros", ..) => return Answer::Word(f.zeros),
            _ => b.truth(false),
        };
        Answer::Bool(truth)
    }
}

const fn method(name: &'static str, args: &'static [MethodTy], result: MethodTy) -> Method {
    Method { name, attribute: false, args, result }
}

const fn attribute(name: &'static str) -> Method {
    Method { name, attribute: true, args: &[], result: Word }
}

use MethodTy::{Bool, Fact as F, Word};

/// All methods and attributes.
pub static METHODS: &[Method] = &[
    method("known_eq_const", &[Word], Bool),
    method("known_lt_const", &[Word], Bool),
    method("known_le_const", &[Word], Bool),
    method("known_gt_const", &[Word], Bool),
    method("known_ge_const", &[Word], Bool),
    method("known_lt", &[F], Bool),
    method("known_le", &[F], Bool),
    method("known_gt", &[F], Bool),
    method("known_ge", &[F], Bool),
    method("known_ne", &[F], Bool),
    method("known_nonnegative", &[], Bool),
    method("is_constant", &[], Bool),
    method("is_bool", &[], Bool),
    method("get_constant_int", &[], Word),
    method("and_bound", &[F], F),
    method("or_bound", &[F], F),
    method("xor_bound", &[F], F),
    method("add_bound", &[F], F),
    method("sub_bound", &[F], F),
    method("mul_bound", &[F], F),
    method("lshift_bound", &[F], F),
    method("rshift_bound", &[F], F),
    method("urshift_bound", &[F], F),
    method("lshift_bound_cannot_overflow", &[F], Bool),
    attribute("lower"),
    attribute("upper"),
    attribute("tvalue"),
    attribute("tmask"),
    attribute("ones"),
    attribute("zeros"),
];
