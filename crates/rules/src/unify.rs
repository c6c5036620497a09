//! Unification of types: a small union-find whose classes are types, or kinds of types.

use planish_ops::Type;

use crate::rule::TyKind;

/// A type that is being inferred.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Slot(pub usize);

#[derive(Clone, Copy, Debug)]
enum State {
    Link(Slot),
    Open(TyKind),
    Known(Type),
}

/// What a slot is so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Found {
    /// One of a kind.
    Open(TyKind),
    /// This type.
    Known(Type),
}

/// All slots of a rule.
#[derive(Clone, Debug, Default)]
pub struct Slots {
    states: Vec<State>,
}

impl Slots {
    /// A slot about which nothing but its kind is known.
    pub fn open(&mut self, kind: TyKind) -> Slot {
        self.states.push(State::Open(kind));
        Slot(self.states.len() - 1)
    }

    /// A slot of a known type.
    pub fn known(&mut self, ty: Type) -> Slot {
        self.states.push(State::Known(ty));
        Slot(self.states.len() - 1)
    }

    /// The slot that stands for the class of `slot`.
    pub fn root(&self, mut slot: Slot) -> Slot {
        while let State::Link(next) = self.states[slot.0] {
            slot = next;
        }
        slot
    }

    /// What is known of a slot.
    pub fn found(&self, slot: Slot) -> Found {
        match self.states[self.root(slot).0] {
            State::Open(kind) => Found::Open(kind),
            State::Known(ty) => Found::Known(ty),
            State::Link(_) => unreachable!("roots are no links"),
        }
    }

    /// Makes two slots one; `false` where their types or kinds differ.
    #[must_use]
    pub fn unify(&mut self, a: Slot, b: Slot) -> bool {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return true;
        }
        let merged = match (self.states[a.0], self.states[b.0]) {
            (State::Known(x), State::Known(y)) if x == y => State::Known(x),
            (State::Known(x), State::Open(kind)) | (State::Open(kind), State::Known(x)) if kind.admits(x) => {
                State::Known(x)
            }
            (State::Open(x), State::Open(y)) if x == y || y == TyKind::Any => State::Open(x),
            (State::Open(TyKind::Any), State::Open(y)) => State::Open(y),
            _ => return false,
        };
        // The older slot stays, so that classes are named by what comes first in the rule.
        let (stays, goes) = if a < b { (a, b) } else { (b, a) };
        self.states[stays.0] = merged;
        self.states[goes.0] = State::Link(stays);
        true
    }

    /// Narrows a slot to a kind.
    #[must_use]
    pub fn narrow(&mut self, slot: Slot, kind: TyKind) -> bool {
        let kind = self.open(kind);
        self.unify(slot, kind)
    }

    /// A slot as messages name it.
    pub fn show(&self, slot: Slot) -> String {
        match self.found(slot) {
            Found::Known(ty) => ty.to_string(),
            Found::Open(TyKind::Int) => "an integer".to_string(),
            Found::Open(TyKind::Float) => "a float".to_string(),
            Found::Open(TyKind::Any) => "a value".to_string(),
        }
    }
}
