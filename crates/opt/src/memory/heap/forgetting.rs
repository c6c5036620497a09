//! Invalidation: what is forgotten of memory, and what a guard says of places that are watched.
//!
//! Forgetting notes the time. What a place has learnt before counts for nothing, and is cleared when the place learns again.

use std::ops::RangeInclusive;

use super::Heap;

impl Heap {
    /// Forgets what a class of mutable places holds. Nothing may wait there.
    pub fn forget_class(&mut self, class: u32) {
        if let Some(&class) = self.class_of.get(&class) {
            let data = &mut self.classes[class];
            debug_assert_eq!(data.waiting, 0, "a store waits in class {}", data.number);
            self.time += 1;
            data.forgotten = self.time;
        }
    }

    /// Forgets what items of a class hold at some of the first indices, and at indices that are no constants. Nothing
    /// may wait for the former.
    pub fn forget_items(&mut self, class: u32, indices: RangeInclusive<i64>) {
        let Some(&class) = self.class_of.get(&class) else { return };
        let data = &mut self.classes[class];
        data.items.clear();
        data.constant_items.clear();
        for (_, cell) in (0..).zip(&data.cells).filter(|(index, _)| indices.contains(index)) {
            if let Some(cell) = *cell {
                self.cells[cell].held.clear();
            }
        }
    }

    /// Forgets the items of a class that never change: they are only now set.
    pub fn forget_constant_items(&mut self, class: u32) {
        if let Some(&class) = self.class_of.get(&class) {
            self.classes[class].constant_items.clear();
        }
    }

    /// Forgets what mutable places hold. Nothing may wait.
    pub fn forget_all(&mut self) {
        debug_assert!(!self.waits());
        self.time += 1;
        self.forgotten = self.time;
    }

    /// Forgets everything, of immutable places too: they may not be initialised on another way here.
    pub fn forget_everything(&mut self) {
        self.forget_all();
        self.immutable.clear();
        self.immutable_order.clear();
        self.quasi.clear();
        self.quasi_order.clear();
        for &class in &self.itemized {
            self.classes[class].constant_items.clear();
        }
        self.invalidate();
    }

    /// Whether a guard has said that no quasi-immutable place changed, and nothing could change one since.
    pub fn is_guarded(&self) -> bool {
        self.guarded > self.invalidated
    }

    /// A call may have changed quasi-immutable places.
    pub fn invalidate(&mut self) {
        self.time += 1;
        self.invalidated = self.time;
    }

    /// A guard said that no quasi-immutable place on which the code relies has changed. Whether it says
    /// something new.
    pub fn guard(&mut self) -> bool {
        let new = self.guarded <= self.invalidated;
        self.time += 1;
        self.guarded = self.time;
        new
    }
}
