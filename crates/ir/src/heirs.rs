//! Heirs: values that are what others were.
//!
//! An optimizer that finds a cheaper way to a value makes a new one and puts it wherever the old one stood. Whoever
//! called the old one something goes on to call the new one so. It is noted by the edits that let one value stand for
//! another, in functions that are asked to, since few have names that anybody gave.

use crate::function::{Function, Value};
use crate::text::ValueNames;

/// Which values took the place of which, oldest first.
#[derive(Clone, Default, Debug)]
pub struct Heirs(Option<Vec<(Value, Value)>>);

impl Heirs {
    /// A list that is kept.
    pub(crate) fn kept() -> Heirs {
        Heirs(Some(Vec::new()))
    }

    /// Notes that `to` is what `from` was, if that is kept.
    pub(crate) fn add(&mut self, from: Value, to: Value) {
        if let Some(heirs) = &mut self.0
            && from != to
            && heirs.last() != Some(&(from, to))
        {
            heirs.push((from, to));
        }
    }
}

impl Function {
    /// Keeps from now on which values take the place of which.
    pub fn keep_heirs(&mut self) {
        self.heirs = Heirs::kept();
    }

    /// Notes that a value is what another one was.
    #[inline]
    pub fn inherit(&mut self, from: Value, to: Value) {
        self.heirs.add(from, to);
    }

    /// What values are called that were called `names` before: a name goes to what took the place of its value, unless that
    /// has one of its own or is a constant. No two values get the same. O(replacements).
    pub fn inherited(&self, mut names: ValueNames) -> ValueNames {
        for &(from, to) in self.heirs.0.iter().flatten() {
            if names[to].is_none() && self.constant(to).is_none() {
                names[to] = names[from].take();
            }
        }
        names
    }
}
