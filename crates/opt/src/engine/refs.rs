//! Reference facts in force: non-null and exact class (PyPy's `InstancePtrInfo`) at the place where the walk is.
//!
//! A fresh object is not null; nor is one whose field was read, whose length was asked or that passed a
//! guard, for control would not have come past that otherwise. A guard on the class teaches the class.
//! That a reference *is* null is an equality with the constant and no business of this table. Everything
//! here is undone when the walk leaves the blocks that it holds in.

use planish_base::{SideTable, fault};
use planish_ir::{Const, Function, Inst, Value};
use planish_ops::Op;

/// What is known of a reference.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Known {
    /// It is not null.
    pub nonnull: bool,
    /// The address of its exact class, a constant; only of what is not null.
    pub class: Option<Value>,
}

impl Known {
    /// Not null, and nothing more.
    pub const NONNULL: Known = Known { nonnull: true, class: None };

    /// What holds of both.
    pub fn join(self, other: Known) -> Known {
        Known {
            nonnull: self.nonnull && other.nonnull,
            class: self.class.filter(|_| self.class == other.class),
        }
    }
}

/// What is known of references.
#[derive(Default)]
pub(crate) struct Refs {
    known: SideTable<Value, Known>,
    /// Values with what was known of them before, oldest first.
    trail: Vec<(Value, Known)>,
}

impl Refs {
    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.known.clear();
        self.trail.clear();
    }

    /// The state to which [`undo`](Self::undo) goes back.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Forgets what was learned since `mark`.
    pub fn undo(&mut self, mark: usize) {
        if fault!("refs: a lesson outlives its scope") {
            return;
        }
        for (value, known) in self.trail.drain(mark..).rev() {
            self.known[value] = known;
        }
    }

    /// What is known of a reference.
    pub fn get(&self, f: &Function, value: Value) -> Known {
        match f.constant(value) {
            Some(Const::Symbol(..)) => Known { nonnull: true, ..self.known[value] },
            _ => self.known[value],
        }
    }

    /// Adds what is learned of a reference.
    pub fn learn(&mut self, f: &Function, value: Value, learned: Known) {
        let old = self.known[value];
        let new = Known { nonnull: old.nonnull || learned.nonnull, class: learned.class.or(old.class) };
        let more = new.nonnull != old.nonnull || old.class.is_none() && new.class.is_some();
        if more && !matches!(f.constant(value), Some(Const::Null)) {
            self.trail.push((value, old));
            self.known[value] = new;
        }
    }

    /// Learns that a reference is not null.
    #[inline]
    pub fn is_there(&mut self, f: &Function, value: Value) {
        // Most accesses are to objects to which others were before.
        if !self.known[value].nonnull {
            self.learn(f, value, Known::NONNULL);
        }
    }

    /// Whether a reference is null, where that is known.
    pub fn null(&self, f: &Function, value: Value) -> Option<bool> {
        match f.constant(value) {
            Some(Const::Null) => Some(true),
            _ => self.get(f, value).nonnull.then_some(false),
        }
    }

    /// Whether a reference is not null and of exactly the class at an address, where that is known.
    pub fn class(&self, f: &Function, value: Value, class: Value) -> Option<bool> {
        if self.null(f, value) == Some(true) {
            return Some(false);
        }
        let known = self.get(f, value).class?;
        if known == class { Some(true) } else { different(f, known, class).then_some(false) }
    }

    /// Whether two references are known not to be the same: one is null and the other is not, or their
    /// classes differ.
    pub fn apart(&self, f: &Function, x: Value, y: Value) -> bool {
        let classes = || self.get(f, x).class.zip(self.get(f, y).class);
        self.null(f, x).zip(self.null(f, y)).is_some_and(|(x, y)| x != y)
            || classes().is_some_and(|(x, y)| different(f, x, y))
    }

    /// What holds once control has come past an instruction, of an operation.
    #[inline]
    pub fn passed(&mut self, f: &Function, op: Op, inst: Inst) {
        use Op::*;
        match op {
            New | NewArray | NewStr => self.is_there(f, f.result(inst)),
            GetField | SetField | GetItem | SetItem | GetInterior | SetInterior | ArrayLen | GuardNonnull
            | NullCheck => self.is_there(f, f.args(inst)[0]),
            GuardClass | GuardNonnullClass => {
                let &[object, class] = f.args(inst) else { return };
                if f.constant(class).is_some() {
                    self.learn(f, object, Known { nonnull: true, class: Some(class) });
                }
            }
            _ => {}
        }
    }
}

/// Whether two addresses of classes are known to differ. Two that are numbers do; two symbols may be the
/// same, and a narrow word holds a part of an address only.
fn different(f: &Function, x: Value, y: Value) -> bool {
    f.int_constant(x).zip(f.int_constant(y)).is_some_and(|(x, y)| x.width() == y.width() && x != y)
}
