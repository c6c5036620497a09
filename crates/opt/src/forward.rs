//! Which value stands for which: for good, and for a while.
//!
//! Two layers. *Replacements* are permanent: a value whose instruction is gone is the value that took
//! its place wherever it may be used, so paths are always compressed. *Equalities* hold below a branch
//! or guard that taught them ("here x is 5") and are undone when the walk leaves the dominator subtree;
//! a path never leads through one into compression, so undoing is exact.

use planish_base::{SideTable, UnionFind, fault};
use planish_ir::Value;

/// Replacements and equalities of values.
#[derive(Default)]
pub(crate) struct Forwarding {
    replaced: UnionFind<Value>,
    equal: SideTable<Value, Option<Value>>,
    /// Values whose equality is to be undone, oldest first.
    trail: Vec<Value>,
}

impl Forwarding {
    /// Forgets everything and keeps the memory.
    pub fn clear(&mut self) {
        self.replaced.clear();
        self.equal.clear();
        self.trail.clear();
    }

    /// The value that stands for `value` here.
    #[inline]
    pub fn resolve(&mut self, value: Value) -> Value {
        // Most values stand for themselves.
        if self.stands_for_itself(value) { value } else { self.follow(value) }
    }

    /// Whether no other value stands for `value` here.
    #[inline]
    pub fn stands_for_itself(&self, value: Value) -> bool {
        self.replaced.is_representative(value) && self.equal[value].is_none()
    }

    fn follow(&mut self, value: Value) -> Value {
        let mut value = self.replaced.find(value);
        while let Some(equal) = self.equal[value] {
            value = self.replaced.find(equal);
        }
        value
    }

    /// The value that stands for `value` here, without compressing paths.
    #[inline]
    pub fn peek(&self, value: Value) -> Value {
        let mut value = self.replaced.peek(value);
        if self.trail.is_empty() {
            return value;
        }
        while let Some(equal) = self.equal[value] {
            value = self.replaced.peek(equal);
        }
        value
    }

    /// The value that stands for `value` wherever `value` may be used.
    #[inline]
    pub fn permanent(&mut self, value: Value) -> Value {
        self.replaced.find(value)
    }

    /// Lets `to` take the place of `from`, which nothing defines any more. Returns whether they differ.
    pub fn replace(&mut self, from: Value, to: Value) -> bool {
        self.replaced.forward(from, to)
    }

    /// Lets `to` stand for `from` until the scope ends. Both must be resolved, and differ.
    pub fn equate(&mut self, from: Value, to: Value) {
        debug_assert!(from != to && self.equal[from].is_none() && self.equal[to].is_none());
        self.equal[from] = Some(to);
        self.trail.push(from);
    }

    /// The state to which [`undo`](Self::undo) goes back.
    pub fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Forgets the equalities made since `mark`.
    pub fn undo(&mut self, mark: usize) {
        if fault!("forward: an equality outlives its scope") {
            return;
        }
        for value in self.trail.drain(mark..) {
            self.equal[value] = None;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use planish_base::Id;

    /// S1.15, S1.16, S1.18, S1.19: three values, each alone; joined one after the other they have one
    /// representative, and when one of them is found to be a constant, all of them are.
    #[test]
    fn a_constant_stands_for_the_whole_set() {
        let v: Vec<Value> = (0..4).map(Value::from_index).collect();
        let [a1, a2, a3, six] = v[..] else { unreachable!("four values") };
        let mut forwarding = Forwarding::default();
        assert_eq!([a1, a2, a3].map(|a| forwarding.resolve(a)), [a1, a2, a3]);
        assert!(forwarding.replace(a2, a1));
        assert!(forwarding.replace(a3, a2));
        assert_eq!([a1, a2, a3].map(|a| forwarding.resolve(a)), [a1; 3]);
        assert!(forwarding.replace(a2, six));
        assert_eq!([a1, a2, a3, six].map(|a| forwarding.resolve(a)), [six; 4]);
        assert!(!forwarding.replace(a1, six), "known already");
    }

    #[test]
    fn an_equality_ends_with_its_scope_and_a_replacement_does_not() {
        let v: Vec<Value> = (0..5).map(Value::from_index).collect();
        let mut forwarding = Forwarding::default();
        forwarding.replace(v[1], v[0]);
        let mark = forwarding.mark();
        forwarding.equate(v[0], v[4]);
        forwarding.replace(v[2], v[1]);
        assert_eq!([0, 1, 2].map(|i| forwarding.resolve(v[i])), [v[4]; 3]);
        forwarding.undo(mark);
        assert_eq!([0, 1, 2].map(|i| forwarding.resolve(v[i])), [v[0]; 3]);
    }
}
