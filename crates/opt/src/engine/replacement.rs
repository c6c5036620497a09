//! The replacement map (union-find with undo; PyPy's `_forwarded`): which value stands for which, for good or while a
//! branch or guard holds.
//!
//! Two kinds of links. *Replacements* are permanent: a value whose instruction is gone is the value that took
//! its place wherever it may be used, so paths of them are compressed. *Equalities* hold below a branch
//! or guard that taught them ("here x is 5") and are undone when the walk leaves the dominator subtree;
//! a path never leads through one into compression, so undoing is exact. Both are in one table, for
//! nearly every value that is asked for has neither.

use planish_base::{SideTable, fault};
use planish_ir::{Function, Value};

/// What stands for a value.
#[derive(Clone, Copy, Default)]
struct Link {
    to: Option<Value>,
    /// Whether it does so wherever the value may be used.
    lasting: bool,
}

impl Link {
    /// What stands for the value for good.
    fn lasting(self) -> Option<Value> {
        self.to.filter(|_| self.lasting)
    }
}

/// Replacements and equalities of values.
#[derive(Default)]
pub(crate) struct Forwarding {
    links: SideTable<Value, Link>,
    /// Values whose equality is to be undone, oldest first.
    trail: Vec<Value>,
}

impl Forwarding {
    /// Forgets everything, keeps the memory, and makes room for the values of a function.
    pub fn start(&mut self, f: &Function) {
        self.links.clear();
        self.links.reserve(f.value_count());
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
        self.links[value].to.is_none()
    }

    #[inline(never)]
    fn follow(&mut self, value: Value) -> Value {
        let value = self.permanent(value);
        self.peek(value)
    }

    /// The value that stands for `value` here, without compressing paths.
    #[inline]
    pub fn peek(&self, mut value: Value) -> Value {
        while let Some(to) = self.links[value].to {
            value = to;
        }
        value
    }

    /// The value that stands for `value` wherever `value` may be used.
    #[inline]
    pub fn permanent(&mut self, mut value: Value) -> Value {
        while let Some(to) = self.links[value].lasting() {
            let Some(next) = self.links[to].lasting() else { return to };
            self.links[value].to = Some(next);
            value = next;
        }
        value
    }

    /// Lets `to` take the place of `from`, which nothing defines any more. Returns whether they differ.
    pub fn replace(&mut self, from: Value, to: Value) -> bool {
        let (from, to) = (self.permanent(from), self.permanent(to));
        if from == to {
            return false;
        }
        self.links[from] = Link { to: Some(to), lasting: true };
        true
    }

    /// Lets `to` stand for `from` until the scope ends. Both must be resolved, and differ.
    pub fn equate(&mut self, from: Value, to: Value) {
        debug_assert!(from != to && self.stands_for_itself(from) && self.stands_for_itself(to));
        self.links[from] = Link { to: Some(to), lasting: false };
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
            // What took the place of the value since stays in it.
            if !self.links[value].lasting {
                self.links[value] = Link::default();
            }
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

    #[test]
    fn a_value_that_is_replaced_where_it_equals_another_stays_replaced() {
        let v: Vec<Value> = (0..3).map(Value::from_index).collect();
        let mut forwarding = Forwarding::default();
        let mark = forwarding.mark();
        forwarding.equate(v[0], v[2]);
        assert!(forwarding.replace(v[0], v[1]));
        assert_eq!(forwarding.resolve(v[0]), v[1]);
        forwarding.undo(mark);
        assert_eq!(forwarding.resolve(v[0]), v[1]);
    }
}
