//! Delayed stores (PyPy's `_lazy_set`), at most one for each place: dead store elimination and sinking of stores.
//!
//! Each class has a queue of its places for which a store waits or waited, and the heap a list of the classes whose
//! queues are not empty; so what waits is found without looking at any other place.

use planish_ir::{Inst, Value};

use super::{CellData, Heap, Waiting};
use crate::memory::place::{Cell, Class, Key};

impl Heap {
    /// Lets a store wait, instead of one that waits for the same place.
    pub fn wait(&mut self, cell: Cell, base: Value, value: Value, inst: Inst) {
        self.changes += 1;
        let data = &mut self.cells[cell];
        if data.waiting.replace(Waiting { base, value, inst }).is_some() {
            return;
        }
        self.waiting += 1;
        let class = &mut self.classes[data.class];
        class.waiting += 1;
        if !std::mem::replace(&mut data.queued, true) {
            class.queue.push(cell);
        }
        if !std::mem::replace(&mut class.touched, true) {
            self.touched.push(data.class);
        }
        self.note_use(cell);
    }

    /// The store that waits for a place.
    pub fn waiting(&self, cell: Cell) -> Option<Inst> {
        self.cells[cell].waiting.map(|waiting| waiting.inst)
    }

    /// The store that waits for a place, with what it stores.
    pub fn waiting_store(&self, cell: Cell) -> Option<Waiting> {
        self.cells[cell].waiting
    }

    /// The other object into which a store waits for a place.
    pub fn waits_for_other(&self, cell: Cell, base: Value) -> Option<Value> {
        self.cells[cell].waiting.map(|waiting| waiting.base).filter(|&other| other != base)
    }

    /// Takes the store that waits for a place; it waits no more.
    pub fn take(&mut self, cell: Cell) -> Option<Waiting> {
        let data = &mut self.cells[cell];
        let taken = data.waiting.take();
        if taken.is_some() {
            self.changes += 1;
            self.waiting -= 1;
            self.classes[data.class].waiting -= 1;
        }
        taken
    }

    /// Whether any store waits.
    pub fn waits(&self) -> bool {
        self.waiting > 0
    }

    /// How many stores wait.
    pub fn count_waiting(&self) -> usize {
        self.waiting as usize
    }

    /// A number that is another one whenever other stores wait.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether a store waits for a place of a class.
    pub fn waits_in(&self, class: u32) -> bool {
        self.waits() && self.class_of.get(&class).is_some_and(|&class| self.classes[class].waiting > 0)
    }

    /// Adds the cells of a class for which a store waits, in the order of the queue.
    fn queue(&mut self, class: Class, mut add: impl FnMut(Cell, &CellData)) {
        let cells = &mut self.cells;
        self.classes[class].queue.retain(|&cell| {
            let data = &mut cells[cell];
            data.queued = data.waiting.is_some();
            if data.queued {
                add(cell, data);
            }
            data.queued
        });
    }

    /// The places of a class for which a store waits, by index.
    pub fn waiting_in(&mut self, class: u32, into: &mut Vec<(u32, Key, Cell)>) {
        into.clear();
        if let Some(&class) = self.class_of.get(&class) {
            self.queue(class, |cell, data| into.push((0, data.key, cell)));
        }
        into.sort_unstable();
    }

    /// All places for which a store waits: by rank, and those of the same rank in the order of the stores. As PyPy has it, items
    /// come behind fields of the same rank, by index, and then in the order in which the places were first heard of.
    pub fn all_waiting(&mut self, rank: impl Fn(Inst) -> u32, pypy: bool, into: &mut Vec<(u32, Key, Cell)>) {
        into.clear();
        let mut touched = std::mem::take(&mut self.touched);
        touched.retain(|&class| {
            self.queue(class, |cell, data| {
                into.push((data.waiting.map_or(0, |waiting| rank(waiting.inst)), data.key, cell));
            });
            let data = &mut self.classes[class];
            data.touched = !data.queue.is_empty();
            data.touched
        });
        self.touched = touched;
        if pypy {
            into.sort_unstable();
        } else {
            let store = |cell: Cell| self.cells[cell].waiting.map(|waiting| waiting.inst);
            into.sort_unstable_by_key(|&(rank, _, cell)| (rank, store(cell)));
        }
    }

    /// Drops what a function that was left half done let wait.
    pub(super) fn drop_waiting(&mut self) {
        for class in self.touched.drain(..) {
            let data = &mut self.classes[class];
            (data.touched, data.waiting) = (false, 0);
            for cell in data.queue.drain(..) {
                let cell = &mut self.cells[cell];
                (cell.queued, cell.waiting) = (false, None);
            }
        }
        self.waiting = 0;
        self.changes += 1;
    }
}

#[cfg(test)]
mod tests {
    use planish_base::Id;

    use super::*;
    use crate::memory::heap::KEPT;

    #[test]
    fn a_number_of_changes_never_comes_again() {
        let mut heap = Heap::default();
        let mut seen = vec![heap.changes()];
        let (object, store) = (Value::from_index(0), Inst::from_index(0));
        for index in [0, 1, KEPT as i64 + 1, 2] {
            let first = heap.cell(Key { class: 0, index: 0 });
            heap.wait(first, object, object, store);
            seen.push(heap.changes());
            heap.wait(first, object, object, store);
            seen.push(heap.changes());
            assert!(heap.take(first).is_some() && heap.take(first).is_none());
            seen.push(heap.changes());
            // More places than are kept from one function to the next.
            for index in 0..index {
                heap.cell(Key { class: 0, index });
            }
            heap.start(0);
            seen.push(heap.changes());
        }
        assert!(seen.is_sorted_by(|a, b| a < b), "{seen:?}");
    }
}
