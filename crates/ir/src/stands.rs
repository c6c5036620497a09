//! Replacement map for passes (replace all uses with): what stands for values that go.
//!
//! A pass that removes instructions notes for each result which value takes its place, and puts all of them in at the
//! end. What takes the place of one value may have gone itself by then, so chains are followed.

use crate::function::{Function, Value};
use planish_base::SideTable;

/// Values in whose place others stand.
#[derive(Default)]
pub struct Stands {
    other: SideTable<Value, Option<Value>>,
    any: bool,
}

impl Stands {
    /// Lets a value stand for one that goes. Values must not come to stand for each other.
    pub fn put(&mut self, value: Value, of: Value) {
        self.other[of] = Some(value);
        self.any = true;
    }

    /// The value that stands for one: itself if it stays.
    pub fn of(&self, mut value: Value) -> Value {
        while let Some(other) = self.other[value] {
            value = other;
        }
        value
    }

    /// Writes all of that into a function. O(function), if there is any.
    pub fn write(&self, f: &mut Function) {
        if self.any {
            f.map_uses(|value| self.of(value));
        }
    }
}
