//! Materialization, which PyPy calls forcing: objects, strings and delayed stores are made where something needs them.
//!
//! An object is made with the fields that it has by then; stores into it wait like any other, so that a
//! later store to the same field is the only one. A store that is made makes the object that it stores.

use std::ops::RangeInclusive;

use planish_base::{Id, SideTable};
use planish_ir::{Const, Def, Function, Inst, Symbol, Value};
use planish_ops::world::{Content, Mutability};
use planish_ops::{Op, Type};

use super::guards::different_classes;
use super::place::{Cell, Key};
use super::state::Memory;
use crate::engine::Cx;
use crate::engine::refs::Known;

impl Memory {
    /// Makes an object that was kept back, and the stores into it (which may wait).
    #[inline]
    pub(crate) fn force(&mut self, cx: &mut Cx<'_>, value: Value) {
        // Most values are no objects that were kept back.
        if self.any_kept_back() && self.kept_back(cx.peek(value)) {
            self.force_object(cx, value, false);
        }
    }

    /// Whether there may be an object, a string or memory that is not made.
    #[inline]
    pub(super) fn any_kept_back(&self) -> bool {
        self.virtuals.any() || self.strings.any() || self.raw.any()
    }

    /// The same; the stores are made too where that is wanted.
    #[inline(never)]
    fn force_object(&mut self, cx: &mut Cx<'_>, value: Value, direct: bool) {
        let value = cx.resolve(value);
        if !self.kept_back(value) {
            return;
        }
        let class = self.class_of_unmade(cx, value);
        if self.strings.is(value) {
            return self.force_string(cx, value);
        }
        if self.raw.is(value) {
            return self.force_raw(cx, value);
        }
        if let Some(constant) = self.constant_object(cx, value) {
            // Nothing is made: the constant is there.
            if let Some(object) = self.virtuals.make(cx.world, value) {
                self.virtuals.give_back(object.fields);
            }
            return cx.replace(value, constant);
        }
        let Some(object) = self.virtuals.make(cx.world, value) else { return };
        // PyPy forgets what other objects hold, older ones too.
        if !cx.features.plain {
            self.heap.make(value);
        }
        let inst = object.inst;
        cx.emit(inst);
        if let Some(class) = class {
            cx.engine.refs.learn(cx.f, value, Known { nonnull: true, class: Some(class) });
        }
        let location = cx.f.inst(inst).location;
        if cx.features.plain {
            // PyPy makes what fields refer to before it stores any of them.
            for field in &object.fields {
                self.force_object(cx, field.value, direct);
            }
        }
        for field in &object.fields {
            let stored = cx.resolve(field.value);
            if object.cleared
                && (object.array && !field.interior || !cx.features.plain)
                && is_zero(cx.f, stored, object.array)
            {
                continue;
            }
            let all = [value, field.index.unwrap_or(stored), stored];
            let (op, args) = match field.index {
                None => (Op::SetField, &all[..2]),
                Some(_) if field.interior => (Op::SetInterior, &all[..]),
                Some(_) => (Op::SetItem, &all[..]),
            };
            let store = cx.f.make_inst(op, args, &[], Some(field.descr), None, location);
            cx.engine.dead.note_safe(store);
            if direct {
                // PyPy looks at no store that waits while it makes one.
                cx.emit(store);
                self.heap.learn(field.cell, value, stored, Mutability::Mutable);
                continue;
            }
            if field.interior && cx.features.plain {
                // PyPy lets no field of an item wait, and takes storing one for anything.
                self.flush_all(cx);
                cx.emit(store);
                self.heap.forget_all();
                continue;
            }
            self.flush_other(cx, field.cell, value);
            self.heap.wait(field.cell, value, stored, store);
            if !self.options.heap {
                self.flush_cell(cx, field.cell);
            }
        }
        self.virtuals.give_back(object.fields);
    }

    /// The constant that stands for an object which is not made: all of it is constants and never changes. PyPy makes such
    /// an object while it optimizes.
    fn constant_object(&self, cx: &mut Cx<'_>, value: Value) -> Option<Value> {
        let symbol = if cx.features.plain { self.unchanging(cx, value, &mut Vec::new())? } else { None };
        symbol.map(|symbol| cx.f.make_constant(Const::Symbol(symbol, Type::Ref)))
    }

    /// Whether an object that is not made consists of constants that never change, and the constant that stands for it,
    /// where one is declared. Objects that lead in circles do not.
    fn unchanging(&self, cx: &Cx<'_>, value: Value, within: &mut Vec<Value>) -> Option<Option<Symbol>> {
        let allocation = cx.f.inst(self.virtuals.allocation(value)?).descr?;
        if within.contains(&value) {
            return None;
        }
        within.push(value);
        let mut held = Vec::new();
        for field in self.virtuals.fields(cx.world, value)? {
            let location = cx.world.location(field.descr)?;
            if location.mutability != Mutability::Immutable || field.index.is_some() {
                return None;
            }
            let inner = cx.peek(field.value);
            held.push((
                field.descr,
                match cx.content(inner) {
                    Some(content) => Some(content),
                    None => self.unchanging(cx, inner, within)?.map(|s| Content::Symbol(s.index() as u32)),
                },
            ));
        }
        within.pop();
        let standing = cx.world.standing_for(allocation, &held);
        Some(standing.map(|symbol| Symbol::from_index(symbol as usize)))
    }

    /// Makes everything that an operation uses.
    pub(super) fn force_all_args(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        if !self.any_kept_back() {
            return;
        }
        if cx.f.args(inst).iter().any(|&arg| self.kept_back(cx.peek(arg))) {
            self.force_args(cx, inst);
        }
        // A string that was made has another name, and for an object may stand a constant.
        if self.strings.any() || cx.features.plain {
            cx.resolve_args(inst);
        }
    }

    fn force_args(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        for index in 0..cx.f.args(inst).len() {
            if !self.any_kept_back() {
                return;
            }
            let value = cx.f.args(inst)[index];
            self.force(cx, value);
        }
    }

    /// Makes the store that waits for a place, and those into objects that are made for it.
    ///
    /// To PyPy an operation that a guard may look at comes when the next one does: what is made meanwhile is before it.
    pub(crate) fn flush_cell(&mut self, cx: &mut Cx<'_>, cell: Cell) {
        if !cx.features.plain || self.holds_last || self.heap.waiting(cell).is_none() {
            return self.make_store(cx, cell);
        }
        let held = cx.hold(None);
        self.holds_last = true;
        self.make_store(cx, cell);
        self.holds_last = false;
        cx.release(held);
    }

    /// The same, at the end of what was emitted.
    fn make_store(&mut self, cx: &mut Cx<'_>, cell: Cell) {
        while let Some(store) = self.heap.take(cell) {
            let value = cx.resolve(store.value);
            // Where PyPy is followed, an object that a store makes is complete before the store.
            if self.kept_back(value) {
                self.force_object(cx, value, cx.features.plain);
            }
            let value = cx.resolve(value);
            let args = cx.f.args_mut(store.inst);
            args[0] = store.base;
            *args.last_mut().expect("a store has a value") = value;
            cx.emit(store.inst);
            self.wrote(cx, cell, store.base, value);
            let location = cx.f.inst(store.inst).descr.and_then(|descr| self.location(cx, descr));
            if location.is_some_and(|location| location.mutability == Mutability::Immutable) {
                self.heap.learn(cell, store.base, value, Mutability::Immutable);
            }
        }
    }

    /// A store was made. What is known of objects that surely are others stays.
    pub(super) fn wrote(&mut self, cx: &mut Cx<'_>, cell: Cell, base: Value, value: Value) {
        if !self.heap.remembers_others(cell, base) {
            return self.heap.wrote(cell, base, value, |_, _| true);
        }
        // PyPy forgets what every other object holds, also one that is surely another.
        if cx.features.plain {
            return self.heap.wrote(cell, base, value, |_, _| false);
        }
        // Who made both objects knows that without looking further.
        let virtuals = &self.virtuals;
        if self.heap.others_are(cell, base, |a, b| virtuals.distinct(a, b)) {
            return self.heap.wrote(cell, base, value, |a, b| virtuals.distinct(a, b));
        }
        let mut others = Vec::new();
        self.heap.hold_other_constants(cell, base, |value| plain_constant(cx, value), &mut others);
        let own = self.class_of(cx, base);
        let (virtuals, lengths, cx) = (&self.virtuals, &self.lengths, &*cx);
        let distinct = |a: Value, b: Value| {
            virtuals.distinct(a, b)
                || have_different_lengths(cx, lengths, a, b)
                || own.zip(known_class(cx, a)).is_some_and(|(x, y)| different_classes(cx, x, y))
                || others.contains(&a)
        };
        self.heap.wrote(cell, base, value, distinct);
    }

    /// The address of the class of an object that is not made, where the world tells it.
    pub(crate) fn class_of_unmade(&self, cx: &mut Cx<'_>, object: Value) -> Option<Value> {
        cx.constant_of(self.virtuals.class(object)?, Type::I64)
    }

    /// The address of the exact class of an object, where it is known.
    fn class_of(&self, cx: &mut Cx<'_>, object: Value) -> Option<Value> {
        known_class(cx, object).or_else(|| cx.class_of(object))
    }

    /// Whether two references surely are to different objects: both were allocated here, or their classes, lengths or
    /// constant contents differ.
    pub(super) fn surely_differ(&self, cx: &mut Cx<'_>, a: Value, b: Value) -> bool {
        if self.virtuals.distinct(a, b) || have_different_lengths(cx, &self.lengths, a, b) {
            return true;
        }
        let classes = self.class_of(cx, a).zip(self.class_of(cx, b));
        classes.is_some_and(|(x, y)| different_classes(cx, x, y))
            || tells_by_contents(cx, a)
                && tells_by_contents(cx, b)
                && self.heap.hold_different_constants(a, b, |value| plain_constant(cx, value))
    }

    /// Makes the store that waits for a place in another object, whichever it is.
    pub(super) fn flush_other(&mut self, cx: &mut Cx<'_>, cell: Cell, base: Value) {
        if self.heap.waits_for_other(cell, base).is_some() {
            self.flush_cell(cx, cell);
        }
    }

    /// Makes the store that waits for a place in another object that may be this one.
    pub(super) fn flush_alias(&mut self, cx: &mut Cx<'_>, cell: Cell, base: Value) {
        if let Some(other) = self.heap.waits_for_other(cell, base)
            && !self.surely_differ(cx, base, other)
        {
            self.flush_cell(cx, cell);
        }
    }

    /// Makes every store that waits for an item of an alias class at some indices.
    pub(super) fn flush_items(&mut self, cx: &mut Cx<'_>, class: u32, indices: &RangeInclusive<i64>) {
        while self.heap.waits_in(class) {
            let mut cells = std::mem::take(&mut self.cells);
            self.heap.waiting_in(class, &mut cells);
            cells.retain(|(_, key, _)| indices.contains(&key.index));
            let none = cells.is_empty();
            self.flush_cells(cx, cells);
            if none {
                return;
            }
        }
    }

    /// Makes every store that waits in an alias class.
    pub(crate) fn flush_class(&mut self, cx: &mut Cx<'_>, class: u32) {
        while self.heap.waits_in(class) {
            let mut cells = std::mem::take(&mut self.cells);
            self.heap.waiting_in(class, &mut cells);
            self.flush_cells(cx, cells);
        }
    }

    /// Makes every store that waits, by rank.
    pub(crate) fn flush_all(&mut self, cx: &mut Cx<'_>) {
        while self.heap.waits() {
            let mut cells = std::mem::take(&mut self.cells);
            let rank = |inst| cx.f.inst(inst).descr.map_or(0, |descr| cx.world.rank(descr));
            self.heap.all_waiting(rank, cx.features.plain, &mut cells);
            self.flush_cells(cx, cells);
        }
    }

    /// Makes every store that waits where a trace ends. Where PyPy is followed, a comparison that was last comes behind.
    pub(crate) fn flush_at_end(&mut self, cx: &mut Cx<'_>) {
        let held = if cx.features.plain && self.heap.waits() { cx.hold(None) } else { None };
        let outer = std::mem::replace(&mut self.holds_last, true);
        self.flush_all(cx);
        self.holds_last = outer;
        cx.release(held);
    }

    /// Makes the stores that wait for some places. Making one may force an object whose fields wait then.
    fn flush_cells(&mut self, cx: &mut Cx<'_>, cells: Vec<(u32, Key, Cell)>) {
        for &(_, _, cell) in &cells {
            self.flush_cell(cx, cell);
        }
        self.cells = cells;
    }

    /// Whether a value is an object, a string or an address that is not made.
    #[inline]
    pub(crate) fn kept_back(&self, value: Value) -> bool {
        self.virtuals.is(value) || self.strings.is(value) || self.raw.is(value)
    }
}

/// The class that an object is known to be of, which is no constant.
fn known_class(cx: &Cx<'_>, object: Value) -> Option<Value> {
    cx.engine.refs.get(cx.f, object).class
}

/// Whether what an object holds may tell it apart: PyPy does not look at that of constant objects.
fn tells_by_contents(cx: &Cx<'_>, object: Value) -> bool {
    !cx.features.plain || cx.f.constant(object).is_none()
}

/// A constant that no other constant equals: two names may stand for one object.
fn plain_constant(cx: &Cx<'_>, value: Value) -> Option<Const> {
    cx.f.constant(cx.peek(value)).filter(|constant| matches!(constant, Const::Int(_) | Const::Real(_)))
}

fn have_different_lengths(
    cx: &Cx<'_>,
    lengths: &SideTable<Value, Option<Value>>,
    a: Value,
    b: Value,
) -> bool {
    let length = |array: Value| lengths[array].and_then(|length| cx.f.int_constant(cx.peek(length)));
    length(a).zip(length(b)).is_some_and(|(a, b)| a != b)
}

/// Whether a store of this value into fresh memory changes nothing. Of an object only references are sure
/// to be cleared; of an array everything.
pub(super) fn is_zero(f: &Function, value: Value, array: bool) -> bool {
    if !matches!(f.def(value), Def::Const(_)) {
        return false;
    }
    match f.constant(value) {
        Some(Const::Null) => true,
        Some(Const::Int(int)) => array && !int.is_true(),
        Some(Const::Real(number)) => array && number.0.to_bits() == 0,
        _ => false,
    }
}
