//! Load and store forwarding for fields and array items (PyPy's `heap.py`).
//!
//! An access to an object that is not made goes to the fields that it would have. Any other load is answered by
//! what memory holds, or by the contents of a constant object; any other store waits, and takes the place of
//! one that waits for the same place of the same object.

use std::ops::RangeInclusive;

use planish_base::fault;
use planish_domain::IntFact;
use planish_ir::{Const, Function, Inst, Value};
use planish_ops::world::{Content, Descr, Extension, Location, Mutability};
use planish_ops::{Int, Op, Type};
use planish_pass::record::Became;

use super::heap::{Heap, NEAR, Way};
use super::place::{Cell, Key, Place};
use super::state::{HEAP, Memory, VIRTUALIZE};
use super::virtuals::{Field, Object};
use crate::engine::Cx;
use crate::engine::facts::extended;
use crate::engine::stage::Outcome;

/// An access as the parts of the stage see it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    pub inst: Inst,
    pub base: Value,
    /// The index of an item.
    pub index: Option<Value>,
    pub descr: Descr,
    place: Place,
}

impl Memory {
    /// The place that an access names and its index, when that is a constant.
    pub(super) fn cell(&mut self, cx: &mut Cx<'_>, access: &Access) -> Option<(Cell, i64)> {
        let index = match (access.index, access.place.field) {
            (None, Some(cell)) => return Some((cell, 0)),
            (None, None) => 0,
            (Some(index), _) => cx.int(index)?.signed(),
        };
        // To PyPy an index below 0 is any index.
        if cx.features.plain && index < 0 {
            return None;
        }
        let key = Key { class: access.place.location.alias_class, index };
        Some((self.heap.cell_in(access.place.class, key), index))
    }

    /// An access to the heap of objects whose location is known.
    // What it gives is large, and little of it is needed by any one access.
    #[inline(always)]
    pub(super) fn access(&mut self, cx: &Cx<'_>, inst: Inst) -> Option<Access> {
        let data = cx.f.inst(inst);
        let descr = data.descr?;
        let op = data.op;
        let place = match self.places[descr] {
            Some(place) if place.function == self.function => place,
            _ => self.place(cx, op, descr)?,
        };
        let args = cx.f.args(inst);
        let base = args[0];
        let index = match op {
            Op::GetField | Op::SetField => None,
            _ => Some(args[1]),
        };
        // PyPy learns nothing from a field of an item.
        if self.options.types && !(cx.features.plain && matches!(op, Op::GetInterior | Op::SetInterior)) {
            self.note_owner(cx, base, descr);
        }
        Some(Access { inst, base, index, descr, place })
    }

    /// Notes what an access to an object says of its class, for guards that ask for it.
    fn note_owner(&mut self, cx: &Cx<'_>, base: Value, descr: Descr) {
        match cx.world.owner(descr) {
            // The class furthest down says most.
            Some(class) => {
                let known = self.accessed.owners[base];
                if known.is_none_or(|known| cx.world.derives(class, known) == Some(true)) {
                    self.accessed.owners[base] = Some(class);
                }
            }
            None => self.accessed.layouts[base] = Some(descr),
        }
    }

    /// The location that a descriptor names, without asking the world where an access in the function did so before.
    pub(super) fn location(&self, cx: &Cx<'_>, descr: Descr) -> Option<Location> {
        match &self.places[descr] {
            Some(place) if place.function == self.function => Some(place.location),
            _ => cx.world.location(descr),
        }
    }

    /// Looks at a descriptor for the first time in a function. Mostly it is what it was in the function before.
    #[inline(never)]
    fn place(&mut self, cx: &Cx<'_>, op: Op, descr: Descr) -> Option<Place> {
        let location = cx.world.location(descr).filter(|location| !location.raw)?;
        let load = match op {
            Op::GetField | Op::SetField => Op::GetField,
            Op::GetItem | Op::SetItem => Op::GetItem,
            _ => Op::GetInterior,
        };
        let (function, is_field) = (self.function, load == Op::GetField);
        let before =
            self.places[descr].filter(|it| it.location == location && it.field.is_some() == is_field);
        let place = match before {
            Some(before) => Place { function, ..before },
            None => {
                let class = self.heap.class(location.alias_class);
                let key = Key { class: location.alias_class, index: 0 };
                let field = is_field.then(|| self.heap.cell_in(class, key));
                Place { location, class, field, function }
            }
        };
        self.heap.meet(place.class, || Way { load, descr, rank: cx.world.rank(descr) });
        self.places[descr] = Some(place);
        Some(place)
    }

    /// The object of an access, if it is not made and has such places: items only if it is an array.
    fn kept_back_object(&self, access: &Access) -> Option<Object> {
        let object = self.virtuals.object(access.base)?;
        (self.virtuals.is_array(object) == access.index.is_some()).then_some(object)
    }

    /// A load. What waits may be what it reads.
    pub(super) fn load(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let waiting = self.heap.count_waiting();
        let outcome = self.loaded(cx, inst);
        if self.heap.count_waiting() < waiting {
            cx.engine.dead.note_asks(inst);
        }
        outcome
    }

    #[inline(never)]
    fn loaded(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let Some(access) = self.access(cx, inst) else {
            // Any memory: what waits may be what it reads, and the object has to be there.
            self.force_all_args(cx, inst);
            self.flush_all(cx);
            return Outcome::Keep;
        };
        let never_leaves = self.never_leaves(cx, inst);
        if never_leaves {
            cx.engine.dead.note_safe(inst);
        }
        if self.is_null(cx, &access) || access.index.is_some() && self.is_outside(cx, &access) {
            self.force(cx, access.base);
            return self.never_passes(cx, inst);
        }
        let kept_back = self.kept_back_object(&access);
        if kept_back.is_none() && is_field_of_item_to_pypy(cx, inst) {
            self.force_all_args(cx, inst);
            self.bound(cx, inst);
            return Outcome::Keep;
        }
        let ty = cx.f.ty(cx.f.result(inst));
        if let Some(outcome) = self.constant_load(cx, &access) {
            return outcome;
        }
        let cell = self.cell(cx, &access);
        if self.never_set(cx, &access, cell, kept_back) {
            self.force(cx, access.base);
            return self.never_passes(cx, inst);
        }
        let known = self.held(cx, &access, cell, kept_back);
        let usable = never_leaves || kept_back.is_some();
        let known = known.filter(|&value| usable && cx.f.ty(value) == ty);
        let known = known.map(|value| self.as_stored(cx, &access.place.location, value));
        let pass = if kept_back.is_some() { VIRTUALIZE } else { HEAP };
        match known {
            Some(value) if cx.rewrite(pass, inst, Became::Value { of: cx.f.result(inst), is: value }) => {
                Outcome::Value(value)
            }
            _ => self.keep_load(cx, &access, cell),
        }
    }

    /// What the place of a load holds, if that is known.
    fn held(
        &mut self,
        cx: &mut Cx<'_>,
        access: &Access,
        cell: Option<(Cell, i64)>,
        kept_back: Option<Object>,
    ) -> Option<Value> {
        match (cell, kept_back) {
            (Some((cell, at)), Some(object)) => match self.virtuals.get(object, cell) {
                Some(value) => Some(cx.resolve(value)),
                None if self.virtuals.in_range(object, at) => zero(cx.f, cx.f.ty(cx.f.result(access.inst))),
                None => None,
            },
            (Some((cell, _)), None) => {
                if cx.features.plain {
                    self.reached(cx, access.base);
                }
                if !fault!("memory: a load passes a store that waits") {
                    self.flush_alias(cx, cell, access.base);
                }
                let found = self.heap.get(cell, access.base, access.place.location.mutability);
                found.map(|value| cx.imported(value))
            }
            (None, _) => self.some_item(cx, access),
        }
    }

    /// A load stays, and says what its place holds.
    fn keep_load(&mut self, cx: &mut Cx<'_>, access: &Access, cell: Option<(Cell, i64)>) -> Outcome {
        self.force(cx, access.base);
        if self.is_behind_the_end(cx, access) {
            return self.never_passes(cx, access.inst);
        }
        // What is known may be in a store that waits: the load would pass it.
        if let Some((cell, _)) = cell
            && self.heap.waits_for_other(cell, access.base).is_none()
            && !fault!("memory: a load passes a store that waits")
        {
            self.flush_cell(cx, cell);
        }
        self.is_within(cx, access);
        self.bound(cx, access.inst);
        let result = cx.f.result(access.inst);
        let Location { alias_class, mutability, .. } = access.place.location;
        match (cell, access.index) {
            (Some((cell, _)), _) => self.heap.learn(cell, access.base, result, mutability),
            (None, Some(index)) => {
                let learn = match mutability {
                    Mutability::Immutable => Heap::learn_constant_item,
                    _ => Heap::learn_item,
                };
                learn(&mut self.heap, alias_class, access.base, index, result);
            }
            (None, None) => {}
        }
        Outcome::Keep
    }

    /// What a load of a watched field last gave, also if the field may have changed since. Only who asks whether it did
    /// before relying on it may use that.
    pub(crate) fn watched_before(&mut self, cx: &mut Cx<'_>, load: Inst) -> Option<Value> {
        if cx.f.inst(load).op != Op::GetField || cx.features.plain {
            return None;
        }
        let access = self.access(cx, load)?;
        let (cell, _) = self.cell(cx, &access)?;
        let is_watched = access.place.location.mutability == Mutability::QuasiImmutable;
        if !is_watched
            || self.virtuals.is(access.base)
            || self.heap.waits_in(access.place.location.alias_class)
        {
            return None;
        }
        let value = self.heap.watched(cell, access.base)?;
        let value = cx.imported(value);
        let of = cx.f.result(load);
        let same = cx.f.ty(value) == cx.f.ty(of);
        (same && cx.rewrite(HEAP, load, Became::Value { of, is: value })).then_some(value)
    }

    /// What memory holds at an index that is no constant.
    #[inline(never)]
    fn some_item(&mut self, cx: &mut Cx<'_>, access: &Access) -> Option<Value> {
        self.force(cx, access.base);
        let class = access.place.location.alias_class;
        match self.indices(cx, access) {
            Some(indices) => self.flush_items(cx, class, &indices),
            None => self.flush_class(cx, class),
        }
        let index = access.index.map(|index| cx.resolve(index));
        self.heap.get_item(class, access.base, index)
    }

    /// Whether an access is to an item that an array which is not made does not have. It is undefined: the trace is
    /// given up at a load, and such a store is left out, as PyPy does.
    fn is_outside(&mut self, cx: &mut Cx<'_>, access: &Access) -> bool {
        let Some(object) = self.kept_back_object(access) else { return false };
        let Some(at) = access.index.and_then(|index| cx.int(index)).map(Int::signed) else { return false };
        !self.virtuals.in_range(object, at) && self.never_leaves(cx, access.inst)
    }

    /// Whether an item is read that was never set, of an array that is not made. Where PyPy is followed, the trace is
    /// given up: an array that does not come cleared holds anything, and of structures none counts as cleared.
    fn never_set(
        &self,
        cx: &Cx<'_>,
        access: &Access,
        cell: Option<(Cell, i64)>,
        kept_back: Option<Object>,
    ) -> bool {
        let (Some((cell, _)), Some(object)) = (cell, kept_back) else { return false };
        let cleared = self.virtuals.is_cleared(access.base) && cx.f.inst(access.inst).op == Op::GetItem;
        cx.features.plain
            && self.virtuals.is_array(object)
            && !cleared
            && self.virtuals.get(object, cell).is_none()
    }

    /// Whether an access is to a known place of null. It is undefined, and the trace is given up.
    #[inline]
    fn is_null(&self, cx: &mut Cx<'_>, access: &Access) -> bool {
        matches!(cx.f.constant(access.base), Some(Const::Null))
            && self.never_leaves(cx, access.inst)
            && access.index.is_none_or(|index| cx.int(index).is_some())
    }

    /// A load from a constant object whose place never changes, or is watched by a guard.
    fn constant_load(&mut self, cx: &mut Cx<'_>, access: &Access) -> Option<Outcome> {
        match access.place.location.mutability {
            Mutability::Immutable => {}
            Mutability::QuasiImmutable if self.heap.is_guarded() => {}
            _ => return None,
        }
        self.load_of_constant(cx, access)
    }

    /// The same where the place is such.
    #[inline(never)]
    fn load_of_constant(&mut self, cx: &mut Cx<'_>, access: &Access) -> Option<Outcome> {
        let (_, at) = self.cell(cx, access)?;
        let result = cx.f.result(access.inst);
        match cx.content(access.base)? {
            Content::Null => Some(self.never_passes(cx, access.inst)),
            Content::Symbol(symbol) => {
                if cx.world.has_place(symbol, access.descr, at) == Some(false) {
                    return Some(self.never_passes(cx, access.inst));
                }
                let held = cx.world.content(symbol, access.descr, at)?;
                let ty = cx.f.ty(result);
                let value = cx.constant_of(held, ty)?;
                cx.rewrite(HEAP, access.inst, Became::Value { of: result, is: value })
                    .then_some(Outcome::Value(value))
            }
            _ => None,
        }
    }

    #[inline(never)]
    pub(super) fn store(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let value = *cx.f.args(inst).last().expect("a store has a value");
        let Some(access) = self.access(cx, inst) else {
            self.force_all_args(cx, inst);
            self.flush_all(cx);
            self.heap.forget_all();
            let location = cx.f.inst(inst).descr.and_then(|descr| cx.world.location(descr));
            self.stores_what_look_ups_mind(cx, inst, location.map(|location| location.alias_class));
            return Outcome::Keep;
        };
        if self.is_null(cx, &access) {
            self.force_all_args(cx, inst);
            return self.never_passes(cx, inst);
        }
        if access.index.is_some()
            && self.is_outside(cx, &access)
            && cx.rewrite(VIRTUALIZE, inst, Became::Nothing)
        {
            return Outcome::Gone;
        }
        let cell = self.cell(cx, &access);
        if let Some((cell, at)) = cell
            && let Some(object) = self.kept_back_object(&access)
            && self.virtuals.in_range(object, at)
            && cx.rewrite(VIRTUALIZE, inst, Became::Nothing)
        {
            let interior = cx.f.inst(inst).op == Op::SetInterior;
            let (descr, index) = (access.descr, access.index);
            self.virtuals.set(object, Field { cell, at, descr, index, interior, value });
            return Outcome::Gone;
        }
        self.force(cx, access.base);
        self.stores_what_look_ups_mind(cx, inst, Some(access.place.location.alias_class));
        if is_field_of_item_to_pypy(cx, inst) {
            self.force_all_args(cx, inst);
            self.flush_all(cx);
            self.heap.forget_all();
            return Outcome::Keep;
        }
        if self.is_behind_the_end(cx, &access) {
            self.force(cx, value);
            cx.resolve_args(inst);
            return self.never_passes(cx, inst);
        }
        self.is_within(cx, &access);
        match cell {
            Some((cell, _)) if self.options.heap && self.never_leaves(cx, inst) => {
                self.delay(cx, cell, access, value)
            }
            Some((cell, _)) => {
                let value = self.stored(cx, inst, value);
                self.flush_cell(cx, cell);
                self.wrote(cx, cell, access.base, value);
                Outcome::Keep
            }
            None => self.set_some_item(cx, &access, value),
        }
    }

    /// A store to an index that is no constant.
    #[inline(never)]
    fn set_some_item(&mut self, cx: &mut Cx<'_>, access: &Access, value: Value) -> Outcome {
        let value = self.stored(cx, access.inst, value);
        let class = access.place.location.alias_class;
        match self.indices(cx, access) {
            Some(indices) => {
                self.flush_items(cx, class, &indices);
                self.heap.forget_items(class, indices);
            }
            None => {
                self.flush_class(cx, class);
                self.heap.forget_class(class);
                self.heap.forget_constant_items(class);
            }
        }
        if let Some(index) = access.index {
            self.heap.learn_item(class, access.base, index, value);
        }
        Outcome::Keep
    }

    /// The indices that an access to an item may have, where they are few and among the first.
    fn indices(&self, cx: &mut Cx<'_>, access: &Access) -> Option<RangeInclusive<i64>> {
        let fact = cx.fact(access.index.filter(|_| self.never_leaves(cx, access.inst))?);
        (fact.lo() >= 0 && fact.hi() < NEAR as i64).then(|| fact.lo()..=fact.hi())
    }

    /// Makes what a store stores where it stands. A string that was made has another name.
    fn stored(&mut self, cx: &mut Cx<'_>, inst: Inst, value: Value) -> Value {
        self.force(cx, value);
        cx.resolve_args(inst);
        cx.resolve(value)
    }

    /// Takes a store away that sets a place of an object which is not made, a field or an item at a constant index, if
    /// its descriptor was met before. Two fifths of what a trace does is to fill in frames that are never made, so
    /// this asks for nothing else.
    #[inline(never)]
    pub(super) fn fills_in(&mut self, cx: &mut Cx<'_>, inst: Inst) -> bool {
        let &[base, ref rest @ .., value] = cx.f.args(inst) else { return false };
        let Some(object) = self.virtuals.object(base) else { return false };
        let Some(descr) = cx.f.inst(inst).descr else { return false };
        let Some(Place { field, class, location, function }) = &self.places[descr] else { return false };
        if *function != self.function {
            return false;
        }
        let (cell, at, index) = match (*field, rest, self.virtuals.length_of(object)) {
            (Some(cell), [], None) => (cell, 0, None),
            (None, &[index], Some(length)) => {
                let Some(at) = cx.f.int_constant(index).map(Int::signed) else { return false };
                if !(0..length).contains(&at) {
                    return false;
                }
                let key = Key { class: location.alias_class, index: at };
                (self.heap.cell_in(*class, key), at, Some(index))
            }
            _ => return false,
        };
        // Where types are asked for, an access says more.
        if self.options.types || !cx.rewrite(VIRTUALIZE, inst, Became::Nothing) {
            return false;
        }
        self.virtuals.set(object, Field { cell, at, descr, index, interior: false, value });
        true
    }

    /// Lets a store wait, in the place of one to the same object.
    fn delay(&mut self, cx: &mut Cx<'_>, cell: Cell, access: Access, value: Value) -> Outcome {
        if !fault!("memory: a store overwrites that to another object") {
            self.flush_other(cx, cell, access.base);
        }
        let held = self.heap.in_memory(cell, access.base);
        if held.is_some_and(|held| cx.peek(cx.engine.imports.seen(held)) == value)
            && cx.rewrite(HEAP, access.inst, Became::Nothing)
        {
            held.map(|held| cx.imported(held));
            // What memory holds already. A store that waits for the place is overwritten by this one.
            self.heap.take(cell);
            return Outcome::Gone;
        }
        if let Some(overwritten) = self.heap.waiting(cell)
            && !cx.rewrite(HEAP, overwritten, Became::Nothing)
        {
            self.flush_cell(cx, cell);
        }
        self.heap.wait(cell, access.base, value, access.inst);
        Outcome::Gone
    }

    /// An array has the item that is accessed.
    fn is_within(&mut self, cx: &mut Cx<'_>, access: &Access) {
        if let Some(index) = access.index
            && self.never_leaves(cx, access.inst)
        {
            self.has_item(cx, access.base, index);
        }
    }

    /// Whether an access is to an item that an array surely does not have. Where PyPy is followed, the trace is given up.
    fn is_behind_the_end(&self, cx: &mut Cx<'_>, access: &Access) -> bool {
        if !cx.features.plain || !matches!(cx.f.inst(access.inst).op, Op::GetItem | Op::SetItem) {
            return false;
        }
        let index = access.index;
        let Some(at @ 0..) = index.and_then(|at| cx.int(at)).map(Int::signed) else { return false };
        self.lengths[access.base].is_some_and(|length| cx.fact(length).hi() <= at)
    }

    /// An array or a string has an item or character.
    pub(super) fn has_item(&mut self, cx: &mut Cx<'_>, array: Value, index: Value) {
        if let Some(index @ 0..) = cx.int(index).map(Int::signed)
            && self.shortest[array] <= index
        {
            self.shortest[array] = index.saturating_add(1);
            // To PyPy a length that was asked for and what is known of it are one.
            if cx.features.plain
                && let Some(length) = self.lengths[array].or(self.strings.asked_length(array))
                && cx
                    .f
                    .def_inst(length)
                    .is_some_and(|inst| matches!(cx.f.inst(inst).op, Op::ArrayLen | Op::StrLen))
            {
                cx.sharpen(length, IntFact::interval(64, self.shortest[array], i64::MAX));
            }
        }
    }

    /// What is read from narrow memory is small.
    pub(crate) fn bound(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        let result = cx.f.result(inst);
        let ty = cx.f.ty(result);
        // Most loads give a reference.
        if ty.int_width().is_none() {
            return;
        }
        let location = cx.f.inst(inst).descr.and_then(|descr| self.location(cx, descr));
        if let Some(range) = location.and_then(|location| range(&location, ty)) {
            cx.engine.facts.define(result, range);
        }
    }

    /// What a load gives where a value was stored: narrow memory keeps its low bits.
    fn as_stored(&mut self, cx: &mut Cx<'_>, location: &Location, value: Value) -> Value {
        let ty = cx.f.ty(value);
        match range(location, ty) {
            Some(range) => self.low_bits(cx, location, range, value),
            None => value,
        }
    }

    /// PyPy stores nothing that does not fit: what a load gives is as small as what it reads.
    pub(super) fn holds_what_fits(&mut self, cx: &mut Cx<'_>, load: Inst, value: Value) {
        let location = cx.f.inst(load).descr.and_then(|descr| cx.world.location(descr));
        let range = location.and_then(|location| range(&location, cx.f.ty(value)));
        range.into_iter().for_each(|range| cx.sharpen(value, range));
    }

    /// The bits of a value that narrow memory keeps, which are in a range.
    #[inline(never)]
    fn low_bits(&mut self, cx: &mut Cx<'_>, location: &Location, range: IntFact, value: Value) -> Value {
        let ty = cx.f.ty(value);
        if cx.fact(value).implies(range) {
            return value;
        }
        // PyPy stores nothing that does not fit.
        if cx.features.plain {
            cx.sharpen(value, range);
            return value;
        }
        let bits = i64::from(location.stored_bits.unwrap_or(64));
        let (op, operand) = match location.signed {
            true => (Op::Signext, bits),
            false => (Op::And, range.hi()),
        };
        let operand = cx.f.make_int(ty, operand);
        cx.build(op, &[value, operand], &[], planish_ir::Location::default())
    }
}

/// Whether an access is to a field of an item where PyPy is followed, which remembers none, and to which storing one may
/// be anything.
fn is_field_of_item_to_pypy(cx: &Cx<'_>, inst: Inst) -> bool {
    cx.features.plain && matches!(cx.f.inst(inst).op, Op::GetInterior | Op::SetInterior)
}

/// The values that narrow memory can hold, as a load gives them.
fn range(location: &Location, ty: Type) -> Option<IntFact> {
    let bits = location.stored_bits.filter(|&bits| bits > 0)?;
    let extension = Extension { bits, signed: location.signed };
    extension.narrows(ty).then(|| extended(extension, ty))
}

/// The zero of a type.
fn zero(f: &mut Function, ty: Type) -> Option<Value> {
    match ty {
        Type::Ref => Some(f.make_constant(Const::Null)),
        Type::Int(_) => Some(f.make_int(ty, 0)),
        Type::Float(format) => Some(f.make_constant(planish_ops::Real::from_bits(format, 0))),
        Type::State | Type::Vector(_) => None,
    }
}
