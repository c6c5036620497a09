//! The heap cache (PyPy's `heap.py`, `CachedField`): what memory holds, by place and object, and the stores that wait.
//!
//! A place is an alias class and, for items, a constant index; each has a [cell](Cell), found by one look-up and
//! kept between functions. For each place at most one store waits; what is *in memory* is apart from what
//! waits. A store that is made makes everything unknown that is known of the same place in other objects,
//! unless they cannot be the same.
//!
//! Forgetting takes no time: it notes when it happened, and what a cell has learned before that counts for
//! nothing.
//!
//! Places of items with an index that is no constant are remembered apart, and any store into their
//! class makes them unknown.
//!
//! Immutable places stay known for ever. A quasi-immutable one is not known behind a call that may
//! change it until a guard has said that it did not.

mod waiting;

use std::ops::RangeInclusive;

use hashbrown::HashMap;
use planish_base::Arena;
use planish_ir::{Const, Inst, Value};
use planish_ops::Op;
use planish_ops::world::{Descr, Mutability};
use rustc_hash::FxBuildHasher;

use super::ages::Ages;
use super::place::{Cell, Class, Key};

/// How many objects are remembered for one place. A longer list costs more than it finds.
const REMEMBERED: usize = 32;

/// So many places, those used last, may tell two objects apart by what they hold.
const PLACES_COMPARED: usize = 64;

/// So many items of a class are found without hashing.
pub(super) const NEAR: usize = 64;

/// How many cells are kept between functions.
const KEPT: usize = 1 << 16;

/// How the places of a class are loaded, and their rank among stores that wait.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub load: Op,
    pub descr: Descr,
    pub rank: u32,
}

/// A store that waits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Waiting {
    pub base: Value,
    pub value: Value,
    pub inst: Inst,
}

/// How the value of a place is known.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Held {
    /// Memory holds it.
    Now,
    /// The place is watched, and did not change.
    Watched,
    /// The place is watched, and may have changed since: a guard has to say that it did not.
    WatchedBefore,
    /// The place never changes.
    Always,
}

/// What is known of one place.
struct CellData {
    key: Key,
    class: Class,
    waiting: Option<Waiting>,
    /// Whether it is in the queue of its class.
    queued: bool,
    /// Whether it was ever known as quasi-immutable.
    quasi: bool,
    /// Whether it is among the cells of the function at hand, and as which.
    used: bool,
    rank: u32,
    /// Whether it is among the heap's crowded cells, or was.
    crowded: bool,
    /// What memory holds, by object; the last is the youngest.
    held: Vec<(Value, Value)>,
    /// When `held` was last added to.
    since: u64,
}

#[derive(Default)]
struct ClassData {
    number: u32,
    /// Where an access to it was met in the function at hand.
    way: Option<Way>,
    /// When its places were last forgotten.
    forgotten: u64,
    /// How many stores wait in it.
    waiting: u32,
    /// Cells with a store that waits or waited, each once.
    queue: Vec<Cell>,
    /// Whether it is among the heap's touched classes.
    touched: bool,
    /// The cells of its first items.
    cells: Vec<Option<Cell>>,
    /// Items at an index that is no constant: object, index, value.
    items: Vec<(Value, Value, Value)>,
    /// When `items` was last added to.
    since: u64,
    /// The same of items that never change.
    constant_items: Vec<(Value, Value, Value)>,
}

/// The memory.
#[derive(Default)]
pub(crate) struct Heap {
    cells: Arena<Cell, CellData>,
    classes: Arena<Class, ClassData>,
    cell_of: HashMap<Key, Cell, FxBuildHasher>,
    class_of: HashMap<u32, Class, FxBuildHasher>,
    /// Cells of which something was learned, or that were stored to, in the function at hand.
    used: Vec<Cell>,
    /// Those among them that hold something for several objects: only they tell objects apart. Of those that are not
    /// compared any more some are left out.
    crowded: Vec<Cell>,
    /// Classes of which items were learned in it.
    itemized: Vec<Class>,
    /// Classes to which there was an access in it.
    met: Vec<Class>,
    /// Classes with cells in their queues, in order of the first.
    touched: Vec<Class>,
    /// How many stores wait.
    waiting: u32,
    /// How often that was another store than before.
    changes: u64,
    immutable: HashMap<(Cell, Value), Value, FxBuildHasher>,
    /// The places of the table above, in the order in which they were learnt.
    immutable_order: Vec<(Cell, Value)>,
    /// With the time at which the value was learnt; nothing where the trace has stored there since.
    quasi: HashMap<(Cell, Value), Option<(Value, u64)>, FxBuildHasher>,
    /// The places of the table above, in the order in which they were first learnt.
    quasi_order: Vec<(Cell, Value)>,
    /// Which references are older than which objects.
    ages: Ages,
    time: u64,
    /// When all places were last forgotten.
    forgotten: u64,
    /// When a call last may have changed quasi-immutable places, and when a guard last said it did not.
    invalidated: u64,
    guarded: u64,
}

impl Heap {
    /// Begins with a function of so many values, of which nothing is known. Whether the cells and classes that there were
    /// are gone.
    pub fn start(&mut self, values: usize) -> bool {
        let too_many = self.cells.len() > KEPT;
        if too_many {
            // What was found before a change must never look as if nothing had changed since.
            *self = Heap { changes: self.changes, ..Heap::default() };
        }
        self.drop_waiting();
        self.forget_everything();
        self.ages.start(values);
        for cell in self.used.drain(..) {
            let data = &mut self.cells[cell];
            (data.used, data.crowded) = (false, false);
        }
        self.crowded.clear();
        for class in self.itemized.drain(..) {
            self.classes[class].items.clear();
            self.classes[class].constant_items.clear();
        }
        for class in self.met.drain(..) {
            self.classes[class].way = None;
        }
        too_many
    }

    /// Notes how the places of a class are loaded, if it is met for the first time.
    pub fn meet(&mut self, class: Class, way: impl FnOnce() -> Way) {
        let data = &mut self.classes[class];
        if data.way.is_none() {
            data.way = Some(way());
            self.met.push(class);
        }
    }

    /// How the places of a class are loaded, where an access to one was met.
    pub fn way(&self, number: u32) -> Option<Way> {
        self.class_of.get(&number).and_then(|&class| self.classes[class].way)
    }

    /// The cell of a place. Expected O(1).
    pub fn cell(&mut self, key: Key) -> Cell {
        let class = self.class(key.class);
        self.cell_in(class, key)
    }

    /// The cell of a place of a class that was met. Expected O(1), and without hashing for the first items.
    #[inline]
    pub fn cell_in(&mut self, class: Class, key: Key) -> Cell {
        // What is below 0 is a large number here, and behind all that are near.
        match self.classes[class].cells.get(key.index as usize) {
            Some(&Some(cell)) => cell,
            _ => self.find_cell(class, key),
        }
    }

    #[inline(never)]
    fn find_cell(&mut self, class: Class, key: Key) -> Cell {
        let near = usize::try_from(key.index).ok().filter(|&index| index < NEAR);
        let Some(near) = near else { return self.far_cell(class, key) };
        let cell = self.new_cell(class, key);
        let cells = &mut self.classes[class].cells;
        if cells.len() <= near {
            cells.resize(near + 1, None);
        }
        cells[near] = Some(cell);
        cell
    }

    fn far_cell(&mut self, class: Class, key: Key) -> Cell {
        if let Some(&cell) = self.cell_of.get(&key) {
            return cell;
        }
        let cell = self.new_cell(class, key);
        self.cell_of.insert(key, cell);
        cell
    }

    fn new_cell(&mut self, class: Class, key: Key) -> Cell {
        let data = CellData {
            key,
            class,
            waiting: None,
            queued: false,
            quasi: false,
            used: false,
            rank: 0,
            crowded: false,
            held: Vec::new(),
            since: 0,
        };
        self.cells.push(data)
    }

    /// The class of a number.
    pub fn class(&mut self, number: u32) -> Class {
        let classes = &mut self.classes;
        let new = || classes.push(ClassData { number, ..ClassData::default() });
        *self.class_of.entry(number).or_insert_with(new)
    }

    /// Whether what a class learned at a time still holds.
    fn holds(&self, class: Class, since: u64) -> bool {
        since >= self.forgotten && since >= self.classes[class].forgotten
    }

    /// The value at a place of an object: what waits for it, else what memory holds.
    pub fn get(&self, cell: Cell, base: Value, mutability: Mutability) -> Option<Value> {
        if let Some(waiting) = self.cells[cell].waiting.filter(|waiting| waiting.base == base) {
            return Some(waiting.value);
        }
        match mutability {
            Mutability::Immutable => {
                if let Some(&value) = self.immutable.get(&(cell, base)) {
                    return Some(value);
                }
            }
            Mutability::QuasiImmutable => {
                let sure = |learnt: u64| learnt >= self.invalidated || self.guarded > self.invalidated;
                if let Some(&Some((value, learnt))) = self.quasi.get(&(cell, base))
                    && sure(learnt)
                {
                    return Some(value);
                }
            }
            Mutability::Mutable => {}
        }
        self.in_memory(cell, base)
    }

    /// What memory holds at a place of an object, stores that wait apart.
    pub fn in_memory(&self, cell: Cell, base: Value) -> Option<Value> {
        let data = &self.cells[cell];
        let held = data.held.iter().rev().find(|(object, _)| *object == base)?;
        self.holds(data.class, data.since).then_some(held.1)
    }

    /// The item at an index that is no constant.
    pub fn get_item(&mut self, class: u32, base: Value, index: Option<Value>) -> Option<Value> {
        let class = self.class(class);
        let data = &self.classes[class];
        let find = |items: &[(Value, Value, Value)]| {
            let item = items.iter().rev().find(|item| item.0 == base && Some(item.1) == index);
            item.map(|item| item.2)
        };
        let changing = if self.holds(class, data.since) { find(&data.items) } else { None };
        changing.or_else(|| find(&data.constant_items))
    }

    /// Memory holds a value: a load found it there.
    pub fn learn(&mut self, cell: Cell, base: Value, value: Value, mutability: Mutability) {
        self.ages.meet(base);
        match mutability {
            Mutability::Immutable => {
                if self.immutable.insert((cell, base), value).is_none() {
                    self.immutable_order.push((cell, base));
                }
            }
            Mutability::QuasiImmutable => {
                self.learn_watched(cell, base, value, self.time);
                self.hold(cell, base, value);
            }
            Mutability::Mutable => self.hold(cell, base, value),
        }
    }

    /// A watched place held a value at a time.
    fn learn_watched(&mut self, cell: Cell, base: Value, value: Value, time: u64) {
        self.cells[cell].quasi = true;
        if self.quasi.insert((cell, base), Some((value, time))).is_none() {
            self.quasi_order.push((cell, base));
        }
    }

    /// A watched place held a value before the last call that may have changed it: it does so still where a guard says
    /// that nothing changed.
    pub fn learn_unsure(&mut self, cell: Cell, base: Value, value: Value) {
        self.ages.meet(base);
        self.learn_watched(cell, base, value, 0);
    }

    /// What a watched place of an object was last known to hold, whether or not it may have changed since.
    pub fn watched(&self, cell: Cell, base: Value) -> Option<Value> {
        self.quasi.get(&(cell, base)).copied().flatten().map(|(value, _)| value)
    }

    /// Whether anything is remembered of other objects at a place, or of items at an index that is no constant.
    pub fn remembers_others(&self, cell: Cell, base: Value) -> bool {
        let data = &self.cells[cell];
        let class = &self.classes[data.class];
        // What a cell held before it was forgotten counts for nothing, but for items that never change.
        let counts = !class.constant_items.is_empty() || self.holds(data.class, data.since);
        counts && data.held.iter().any(|held| held.0 != base) || !class.items.is_empty()
    }

    /// Whether all that is remembered at a place of other objects, and of items of its class, is of objects that are older
    /// than one which was made, or `distinct`.
    pub fn others_are(&self, cell: Cell, base: Value, distinct: impl Fn(Value, Value) -> bool) -> bool {
        let data = &self.cells[cell];
        let class = &self.classes[data.class];
        let items = class.items.iter().chain(&class.constant_items).map(|item| item.0);
        let mut objects = data.held.iter().map(|held| held.0).chain(items);
        objects.all(|object| object == base || distinct(object, base) || self.ages.is_older(object, base))
    }

    /// Finds the objects in a cell which somewhere hold another constant than an object does: they are other objects.
    /// Looks at no more than the places that were used last, so that a store costs the same in a long trace.
    pub fn hold_other_constants(
        &self,
        cell: Cell,
        base: Value,
        constant: impl Fn(Value) -> Option<Const>,
        into: &mut Vec<Value>,
    ) {
        // Without another object in the cell nobody asks.
        if self.cells[cell].held.iter().all(|held| held.0 == base) {
            return;
        }
        for (data, own) in self.constants_of(base, &constant) {
            let other = |value: Value| constant(value).is_some_and(|other| other != own);
            into.extend(data.held.iter().filter(|held| other(held.1)).map(|held| held.0));
        }
    }

    /// Whether two objects somewhere hold different constants. Looks at as few places.
    pub fn hold_different_constants(
        &self,
        a: Value,
        b: Value,
        constant: impl Fn(Value) -> Option<Const>,
    ) -> bool {
        let other = |value: Value, own: Const| constant(value).is_some_and(|other| other != own);
        self.constants_of(a, &constant)
            .any(|(data, own)| data.held.iter().any(|held| held.0 == b && other(held.1, own)))
    }

    /// The places used last in which an object holds a constant.
    fn constants_of<'a>(
        &'a self,
        object: Value,
        constant: &'a impl Fn(Value) -> Option<Const>,
    ) -> impl Iterator<Item = (&'a CellData, Const)> + 'a {
        let last = self.first_compared();
        let several = move |data: &&CellData| data.rank >= last && data.held.len() > 1;
        let crowded = self.crowded.iter().map(|&cell| &self.cells[cell]).filter(several);
        crowded.filter(|data| self.holds(data.class, data.since)).filter_map(move |data| {
            let held = data.held.iter().rev().find(|held| held.0 == object)?;
            Some((data, constant(held.1)?))
        })
    }

    /// The first of the places that are compared, as they were used.
    fn first_compared(&self) -> u32 {
        self.used.len().saturating_sub(PLACES_COMPARED) as u32
    }

    /// Notes that a cell holds something for several objects. O(1), over many.
    #[cold]
    fn note_crowd(&mut self, cell: Cell) {
        if self.crowded.len() >= 2 * PLACES_COMPARED {
            let (first, cells) = (self.first_compared(), &self.cells);
            self.crowded.retain(|&cell| cells[cell].rank >= first);
        }
        self.cells[cell].crowded = true;
        self.crowded.push(cell);
    }

    /// Adds what a cell holds for an object.
    fn hold(&mut self, cell: Cell, base: Value, value: Value) {
        let holds = self.holds(self.cells[cell].class, self.cells[cell].since);
        let data = &mut self.cells[cell];
        if holds {
            data.held.retain(|&(object, _)| object != base);
            if data.held.len() == REMEMBERED {
                data.held.remove(0);
            }
        } else {
            data.held.clear();
        }
        data.held.push((base, value));
        data.since = self.time;
        let crowds = data.held.len() > 1 && !data.crowded;
        self.note_use(cell);
        if crowds {
            self.note_crowd(cell);
        }
    }

    fn note_use(&mut self, cell: Cell) {
        let data = &mut self.cells[cell];
        if !std::mem::replace(&mut data.used, true) {
            data.rank = self.used.len() as u32;
            self.used.push(cell);
        }
    }

    /// An item at an index that is no constant holds a value.
    pub fn learn_item(&mut self, class: u32, base: Value, index: Value, value: Value) {
        self.ages.meet(base);
        let class = self.class(class);
        let holds = self.holds(class, self.classes[class].since);
        let data = &mut self.classes[class];
        if data.items.is_empty() {
            if data.constant_items.is_empty() {
                self.itemized.push(class);
            }
        } else if !holds {
            data.items.clear();
        } else if data.items.len() == REMEMBERED {
            data.items.remove(0);
        }
        data.items.push((base, index, value));
        data.since = self.time;
    }

    /// An item at an index that is no constant holds a value, and always will.
    pub fn learn_constant_item(&mut self, class: u32, base: Value, index: Value, value: Value) {
        self.ages.meet(base);
        let class = self.class(class);
        let data = &mut self.classes[class];
        if data.items.is_empty() && data.constant_items.is_empty() {
            self.itemized.push(class);
        } else if data.constant_items.len() == REMEMBERED {
            data.constant_items.remove(0);
        }
        data.constant_items.push((base, index, value));
    }

    /// Items at indices that are no constants, which never change: how they are loaded, object, index and value.
    pub fn constant_items(&self) -> Vec<(Way, Value, Value, Value)> {
        let mut found = Vec::new();
        for &class in &self.itemized {
            let data = &self.classes[class];
            let Some(way) = data.way else { continue };
            found.extend(data.constant_items.iter().map(|&(base, index, value)| (way, base, index, value)));
        }
        found
    }

    /// A store was made: other objects are unknown at the place, unless they are `distinct` from this one.
    pub fn wrote(&mut self, cell: Cell, base: Value, value: Value, distinct: impl Fn(Value, Value) -> bool) {
        let ages = &self.ages;
        let distinct =
            |object: Value| distinct(object, base) || object != base && ages.is_older(object, base);
        let holds = self.holds(self.cells[cell].class, self.cells[cell].since);
        let data = &mut self.cells[cell];
        let class = &mut self.classes[data.class];
        for items in [&mut class.items, &mut class.constant_items] {
            if !items.is_empty() {
                items.retain(|&(object, _, _)| distinct(object));
            }
        }
        // What the cell held before it was forgotten may be of another function.
        if holds && data.held.iter().any(|&(object, _)| object != base) {
            data.held.retain(|&(object, _)| distinct(object));
        }
        if data.quasi
            && let Some(held) = self.quasi.get_mut(&(cell, base))
        {
            *held = None;
        }
        self.hold(cell, base, value);
        self.ages.meet(base);
    }

    /// An object is made to which nobody held a reference.
    pub fn make(&mut self, object: Value) {
        self.ages.make(object);
    }

    // ---- Forgetting ------------------------------------------------------------------------------

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

    /// What is in memory where nothing waits: places, how their values are known, objects and values. Classes come by rank, places of one class
    /// by index, objects of one place in the order in which they were learnt.
    pub fn contents(&self) -> Vec<(Key, Held, Value, Value)> {
        let mut found = Vec::new();
        let used = self.used.iter().map(|&cell| (cell, &self.cells[cell]));
        for (cell, data) in used.filter(|(_, data)| self.holds(data.class, data.since)) {
            let only_here =
                |&&(base, value): &&(Value, Value)| !data.quasi || self.watched(cell, base) != Some(value);
            let held = data.held.iter().filter(only_here);
            found.extend(held.map(|&(base, value)| (data.key, Held::Now, base, value)));
        }
        for &(cell, base) in &self.immutable_order {
            let value = self.immutable[&(cell, base)];
            found.push((self.cells[cell].key, Held::Always, base, value));
        }
        for &(cell, base) in &self.quasi_order {
            let Some(&Some((value, learnt))) = self.quasi.get(&(cell, base)) else { continue };
            let sure = learnt >= self.invalidated || self.is_guarded();
            let held = if sure { Held::Watched } else { Held::WatchedBefore };
            found.push((self.cells[cell].key, held, base, value));
        }
        // The sort is stable, and objects of one place are found in order.
        let rank = |class: u32| self.way(class).map(|way| way.rank);
        found.sort_by_key(|&(key, held, ..)| (rank(key.class), key, held));
        found
    }

    /// An object is known by another value from here on. O(number of places of the function).
    pub fn rename(&mut self, from: Value, to: Value) {
        for &cell in &self.used {
            let data = &mut self.cells[cell];
            if let Some(waiting) = data.waiting.as_mut().filter(|waiting| waiting.base == from) {
                waiting.base = to;
            }
            let known = data.held.iter().any(|(object, _)| *object == to);
            for (object, _) in data.held.iter_mut().filter(|(object, _)| *object == from && !known) {
                *object = to;
            }
        }
        for &class in &self.itemized {
            let data = &mut self.classes[class];
            let items = data.items.iter_mut().chain(&mut data.constant_items);
            items.filter(|item| item.0 == from).for_each(|item| item.0 = to);
        }
        for index in 0..self.immutable_order.len() {
            let (cell, base) = self.immutable_order[index];
            if base == from && !self.immutable.contains_key(&(cell, to)) {
                let value = self.immutable[&(cell, base)];
                self.immutable.insert((cell, to), value);
                self.immutable_order.push((cell, to));
            }
        }
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
