//! What memory holds, by place and object, and the stores that wait.
//!
//! A place is an alias class and, for items, a constant index. For each place at most one store waits;
//! what is *in memory* is apart from what waits. A store that is made makes everything unknown that is
//! known of the same place in other objects, unless they cannot be the same.
//!
//! Places of items with an index that is no constant are remembered apart, and any store into their
//! class makes them unknown.
//!
//! Immutable places stay known for ever. A quasi-immutable one is not known behind a call that may
//! change it until a guard has said that it did not.

use hashbrown::HashMap;
use planish_ir::{Inst, Value};
use planish_ops::world::Mutability;
use rustc_hash::FxBuildHasher;

use super::Key;
use super::virtuals::Virtuals;

/// How many objects are remembered for one place. A longer list costs more than it finds.
const REMEMBERED: usize = 32;

/// A store that waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub base: Value,
    pub value: Value,
    pub inst: Inst,
}

/// What is known of one place.
#[derive(Clone, Default)]
struct Cell {
    waiting: Option<Waiting>,
    /// What memory holds, by object; the last is the youngest.
    held: Vec<(Value, Value)>,
}

/// An alias class.
#[derive(Clone, Default)]
struct Class {
    cells: HashMap<i64, Cell, FxBuildHasher>,
    /// Items at an index that is no constant: object, index, value.
    items: Vec<(Value, Value, Value)>,
    /// Indices of cells that have or had a store waiting.
    waited: Vec<i64>,
}

/// The memory.
#[derive(Default)]
pub(crate) struct Heap {
    classes: HashMap<u32, Class, FxBuildHasher>,
    /// Classes with a store that waits or waited, in order of the first.
    touched: Vec<u32>,
    immutable: HashMap<(Key, Value), Value, FxBuildHasher>,
    /// With the time at which the value was learnt.
    quasi: HashMap<(Key, Value), (Value, u32), FxBuildHasher>,
    time: u32,
    /// When a call last may have changed quasi-immutable places, and when a guard last said it did not.
    invalidated: u32,
    guarded: u32,
}

impl Heap {
    fn cell(&mut self, key: Key) -> &mut Cell {
        self.classes.entry(key.class).or_default().cells.entry(key.index).or_default()
    }

    fn peek(&self, key: Key) -> Option<&Cell> {
        self.classes.get(&key.class)?.cells.get(&key.index)
    }

    /// The value at a place of an object: what waits for it, else what memory holds.
    pub fn get(&self, key: Key, base: Value, mutability: Mutability) -> Option<Value> {
        if let Some(waiting) = self.peek(key).and_then(|cell| cell.waiting).filter(|w| w.base == base) {
            return Some(waiting.value);
        }
        match mutability {
            Mutability::Immutable => {
                if let Some(&value) = self.immutable.get(&(key, base)) {
                    return Some(value);
                }
            }
            Mutability::QuasiImmutable => {
                let sure = |learnt: u32| learnt >= self.invalidated || self.guarded > self.invalidated;
                if let Some(&(value, learnt)) = self.quasi.get(&(key, base))
                    && sure(learnt)
                {
                    return Some(value);
                }
            }
            Mutability::Mutable => {}
        }
        self.in_memory(key, base)
    }

    /// What memory holds at a place of an object, stores that wait apart.
    pub fn in_memory(&self, key: Key, base: Value) -> Option<Value> {
        self.peek(key)?.held.iter().rev().find(|(object, _)| *object == base).map(|(_, value)| *value)
    }

    /// The item at an index that is no constant.
    pub fn get_item(&self, class: u32, base: Value, index: Option<Value>) -> Option<Value> {
        let items = &self.classes.get(&class)?.items;
        items.iter().rev().find(|(object, at, _)| *object == base && Some(*at) == index).map(|item| item.2)
    }

    /// Memory holds a value: a load found it there.
    pub fn learn(&mut self, key: Key, base: Value, value: Value, mutability: Mutability) {
        match mutability {
            Mutability::Immutable => {
                self.immutable.insert((key, base), value);
            }
            Mutability::QuasiImmutable => {
                self.quasi.insert((key, base), (value, self.time));
                self.hold(key, base, value);
            }
            Mutability::Mutable => self.hold(key, base, value),
        }
    }

    fn hold(&mut self, key: Key, base: Value, value: Value) {
        let held = &mut self.cell(key).held;
        held.retain(|(object, _)| *object != base);
        if held.len() == REMEMBERED {
            held.remove(0);
        }
        held.push((base, value));
    }

    /// An item at an index that is no constant holds a value.
    pub fn learn_item(&mut self, class: u32, base: Value, index: Value, value: Value) {
        let items = &mut self.classes.entry(class).or_default().items;
        if items.len() == REMEMBERED {
            items.remove(0);
        }
        items.push((base, index, value));
    }

    /// A store was made: other objects that may be this one are unknown at the place.
    pub fn wrote(&mut self, key: Key, base: Value, value: Value, virtuals: &Virtuals) {
        let class = self.classes.entry(key.class).or_default();
        class.items.retain(|(object, _, _)| virtuals.distinct(*object, base));
        let cell = class.cells.entry(key.index).or_default();
        cell.held.retain(|(object, _)| virtuals.distinct(*object, base));
        self.quasi.remove(&(key, base));
        self.hold(key, base, value);
    }

    // ---- Stores that wait ------------------------------------------------------------------------

    /// Lets a store wait, instead of one that waits for the same place.
    pub fn wait(&mut self, key: Key, base: Value, value: Value, inst: Inst) {
        let class = self.classes.entry(key.class).or_default();
        let cell = class.cells.entry(key.index).or_default();
        if cell.waiting.replace(Waiting { base, value, inst }).is_none() {
            if class.waited.is_empty() {
                self.touched.push(key.class);
            }
            class.waited.push(key.index);
        }
    }

    /// The store that waits for a place.
    pub fn waiting(&self, key: Key) -> Option<Inst> {
        self.peek(key)?.waiting.map(|waiting| waiting.inst)
    }

    /// Whether a store into another object waits for a place.
    pub fn waits_for_other(&self, key: Key, base: Value) -> bool {
        self.peek(key).and_then(|cell| cell.waiting).is_some_and(|waiting| waiting.base != base)
    }

    /// Drops the store that waits for a place.
    pub fn cancel(&mut self, key: Key) {
        self.cell(key).waiting = None;
    }

    /// Takes the store that waits for a place.
    pub fn take(&mut self, key: Key) -> Option<Waiting> {
        self.classes.get_mut(&key.class)?.cells.get_mut(&key.index)?.waiting.take()
    }

    /// The places of a class for which a store waits, by index.
    pub fn waiting_in(&self, class: u32) -> Vec<Key> {
        let Some(found) = self.classes.get(&class) else { return Vec::new() };
        let mut keys: Vec<Key> = found.waited.iter().map(|&index| Key { class, index }).collect();
        keys.retain(|&key| self.waiting(key).is_some());
        keys.sort_unstable();
        keys.dedup();
        keys
    }

    /// Whether a store waits for a place of a class.
    pub fn waits_in(&self, class: u32) -> bool {
        let waiting = |found: &Class| found.waited.iter().any(|index| found.cells[index].waiting.is_some());
        self.classes.get(&class).is_some_and(waiting)
    }

    /// All places for which a store waits: by rank, items behind fields of the same rank by index.
    pub fn all_waiting(&mut self, rank: impl Fn(Inst) -> u32) -> Vec<Key> {
        let touched = std::mem::take(&mut self.touched);
        let mut keys = Vec::new();
        for class in touched {
            let here = self.waiting_in(class);
            if let Some(found) = self.classes.get_mut(&class) {
                found.waited.clear();
                found.waited.extend(here.iter().map(|key| key.index));
                if !here.is_empty() {
                    self.touched.push(class);
                }
            }
            keys.extend(here);
        }
        keys.sort_by_cached_key(|&key| (self.waiting(key).map_or(0, &rank), key));
        keys
    }

    // ---- Forgetting ------------------------------------------------------------------------------

    /// Forgets what a class of mutable places holds. Nothing may wait there.
    pub fn forget_class(&mut self, class: u32) {
        if let Some(found) = self.classes.get_mut(&class) {
            debug_assert!(found.cells.values().all(|cell| cell.waiting.is_none()));
            found.cells.clear();
            found.items.clear();
            found.waited.clear();
        }
    }

    /// Forgets what mutable places hold. Nothing may wait.
    pub fn forget_all(&mut self) {
        debug_assert!(
            self.classes.values().flat_map(|class| class.cells.values()).all(|c| c.waiting.is_none())
        );
        self.classes.clear();
        self.touched.clear();
    }

    /// Forgets everything, of immutable places too: they may not be initialised on another way here.
    pub fn forget_everything(&mut self) {
        self.classes.clear();
        self.touched.clear();
        self.immutable.clear();
        self.quasi.clear();
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
