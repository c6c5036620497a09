//! Integer facts in force: ranges and known bits (PyPy's `IntBound`, LLVM's `ConstantRange` and `KnownBits`) at the
//! place where the walk is.
//!
//! A fact (interval and known bits, the `domain` crate) is attached to a *representative*. It comes from
//! the operation that made the value, and is sharpened by guards and branches, backwards through the
//! operations that make the condition; what a branch or guard teaches is undone when the walk leaves the
//! blocks that it dominates. Nothing known is the default and is not stored: a value of which nothing is
//! known costs four bytes, and an operation on such values no transfer function.

use planish_base::{SideTable, fault};
use planish_domain::forward::{self, Shape};
use planish_domain::transfer::compare;
use planish_domain::{IntFact, Truth, transfer};
use planish_ir::{Function, Inst, Value};
use planish_ops::world::Extension;
use planish_ops::{Int, Op, Type};

/// Lengths fit the signed integers of this many bits in every language that has a length of 32 bits or more.
const LENGTH_BITS: u32 = 32;

/// The facts in force.
#[derive(Default)]
pub(crate) struct Facts {
    /// Where the fact of a value is stored, plus one.
    place: SideTable<Value, u32>,
    store: Vec<IntFact>,
    /// Values that a branch or guard taught something about, with where their fact was, oldest first.
    trail: Vec<(Value, u32)>,
}

impl Facts {
    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.place.clear();
        self.store.clear();
        self.trail.clear();
    }

    /// The same, and makes room for the values of a function.
    pub fn start(&mut self, f: &Function) {
        self.clear();
        self.place.reserve(f.value_count());
    }

    /// The state to which [`undo`](Self::undo) goes back.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// A value that was taught something, in the order of teaching, and what is known of it now.
    pub fn taught(&self, index: usize) -> (Value, IntFact) {
        let (value, _) = self.trail[index];
        (value, self.store[self.place[value] as usize - 1])
    }

    /// Forgets what was taught since `mark`.
    pub fn undo(&mut self, mark: usize) {
        if fault!("facts: a lesson outlives its scope") {
            return;
        }
        for (value, place) in self.trail.drain(mark..).rev() {
            self.place[value] = place;
        }
    }

    /// What is known of a value, if it is an integer of which something is.
    #[inline]
    pub fn get(&self, f: &Function, value: Value) -> Option<IntFact> {
        match self.place[value] {
            0 => f.int_constant(value).map(IntFact::constant),
            place => Some(self.store[place as usize - 1]),
        }
    }

    /// What is known of an integer value: every word of its type when that is nothing.
    #[inline]
    pub fn of(&self, f: &Function, value: Value) -> IntFact {
        self.get(f, value).unwrap_or_else(|| top(f.ty(value)))
    }

    /// Sets what is known of a value where it is defined.
    #[inline]
    pub fn define(&mut self, value: Value, known: IntFact) {
        if !known.is_top() {
            self.store.push(known);
            self.place[value] = self.store.len() as u32;
        }
    }

    /// Puts a sharper fact in the place of what is known of a value, until the scope ends.
    pub fn sharpen(&mut self, value: Value, sharper: IntFact) {
        self.trail.push((value, self.place[value]));
        self.store.push(sharper);
        self.place[value] = self.store.len() as u32;
    }

    /// What follows for the results of an operation without effects from the facts of its operands: for
    /// the first, and for the overflow bit.
    pub fn results(&self, f: &Function, inst: Inst) -> (Option<IntFact>, Option<IntFact>) {
        let op = f.inst(inst).op;
        if matches!(op, Op::ArrayLen | Op::StrLen) {
            // No object has a negative length; a narrow type may have its low bits only.
            let width = f.results(inst).next().and_then(|length| f.ty(length).int_width());
            return (
                width
                    .filter(|&width| width >= LENGTH_BITS)
                    .map(|width| IntFact::interval(width, 0, IntFact::top(width).hi())),
                None,
            );
        }
        let Some(shape) = forward::shape(op) else { return (None, None) };
        let Some(result) = f.results(inst).next().map(|result| f.ty(result)) else { return (None, None) };
        if !matches!(result, Type::Int(_)) {
            return (None, None);
        }
        let (first, flag) = match (shape, f.args(inst)) {
            (Shape::Unary | Shape::Convert | Shape::Test, &[x]) => transfer(op, &[self.of(f, x)], result),
            (Shape::Binary | Shape::Checked, &[x, y]) if x == y && matches!(op, Op::Add | Op::AddOvf) => {
                return self.doubled(f, op, x, result);
            }
            (Shape::Binary | Shape::Checked, &[x, y]) => match (self.get(f, x), self.get(f, y)) {
                // Of two words that may be anything the result may be anything.
                (None, None) => return (None, None),
                (x_known, y_known) => {
                    let known =
                        [x_known.unwrap_or_else(|| top(f.ty(x))), y_known.unwrap_or_else(|| top(f.ty(y)))];
                    transfer(op, &known, result)
                }
            },
            (Shape::Compare, &[x, y]) => match (self.get(f, x), self.get(f, y)) {
                (None, None) => (boolean(result), None),
                _ => transfer(op, &[self.of(f, x), self.of(f, y)], result),
            },
            (Shape::Select, &[c, x, y]) => {
                transfer(op, &[self.of(f, c), self.of(f, x), self.of(f, y)], result)
            }
            _ => return (None, None),
        };
        (Some(first), flag)
    }

    /// What follows for x + x: it is even, which the sum of two words that are as much like x need not be.
    fn doubled(&self, f: &Function, op: Op, x: Value, result: Type) -> (Option<IntFact>, Option<IntFact>) {
        let known = self.of(f, x);
        let (sum, flag) = transfer(op, &[known, known], result);
        if known.width() == 1 {
            return (Some(sum), flag);
        }
        let one = IntFact::constant(Int::new(known.width(), 1));
        let (shifted, _) = transfer(Op::Lshift, &[known, one], result);
        (Some(sum.meet(shifted)), flag)
    }

    /// Whether an integer is known to be 0 or 1.
    pub fn is_boolean(&self, f: &Function, value: Value) -> bool {
        f.ty(value) == Type::I1 || self.get(f, value).is_some_and(|known| known.lo() >= 0 && known.hi() <= 1)
    }

    /// Whether an integer is known not to be zero, or to be zero.
    pub fn truth(&self, f: &Function, value: Value) -> Option<bool> {
        decided(self.get(f, value)?.truthiness())
    }

    /// What an integer comparison of two values gives, where facts decide it.
    pub fn compare(&self, f: &Function, op: Op, x: Value, y: Value) -> Option<bool> {
        decided(compare(op, self.of(f, x), self.of(f, y)))
    }
}

/// Nothing known of an integer of a type.
fn top(ty: Type) -> IntFact {
    IntFact::top(ty.int_width().expect("facts are about integers"))
}

/// The words of an integer type that are extended from fewer bits.
pub(crate) fn extended(extension: Extension, ty: Type) -> IntFact {
    let (low, high) = extension.range();
    IntFact::interval(ty.int_width().expect("facts are about integers"), low, high)
}

/// 0 or 1 in an integer type.
pub(crate) fn boolean(ty: Type) -> IntFact {
    IntFact::boolean(ty.int_width().expect("facts are about integers"))
}

/// The answer where there is one. A condition that both always and never holds is never evaluated.
fn decided(truth: Truth<bool>) -> Option<bool> {
    match (truth.always, truth.never) {
        (true, false) => Some(true),
        (false, true) => Some(false),
        _ => None,
    }
}
