//! Unrolling of short array copies (PyPy's `_optimize_CALL_ARRAYCOPY`), item by item.
//!
//! A call that copies a few items, or between arrays that are not made, becomes loads and stores, which memory
//! forwards and delays like any others. Within one array the items come in the order in which none is overwritten
//! before it was read. The limit is PyPy's.

use planish_ir::{Inst, Location, Value};
use planish_ops::world::{Descr, Meaning};
use planish_ops::{Int, Op, Type};
use planish_pass::record::Became;

use super::place::Key;
use super::state::{Memory, REWRITE};
use super::virtuals::{Field, Object};
use crate::engine::Cx;
use crate::engine::stage::Outcome;

/// How many items are copied one by one between arrays that are made.
const FEW: i64 = 8;

/// A stretch of an array that is copied.
struct Copy {
    from: Value,
    to: Value,
    start: i64,
    offset: i64,
}

impl Memory {
    /// A call that copies items.
    pub(super) fn array_copy(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        let descr = cx.f.inst(inst).descr?;
        let (meaning, _) = cx.world.meaning(descr)?;
        let args = cx.f.args(inst).to_vec();
        let [from, to, start, offset, length] = match (meaning, args.get(1..)?) {
            (Meaning::ArrayCopy, &[from, to, start, offset, length]) => [from, to, start, offset, length],
            (Meaning::ArrayMove, &[array, start, offset, length]) => [array, array, start, offset, length],
            _ => return None,
        };
        let length = cx.int(length)?.signed();
        if length == 0 {
            return cx.rewrite(REWRITE, inst, Became::Nothing).then_some(Outcome::Gone);
        }
        let [start, offset] = [start, offset].map(|value| cx.int(value).map(Int::signed));
        let copy = Copy { from, to, start: start?, offset: offset? };
        let Some(items) = cx.world.copied(descr) else {
            let copied = cx.features.plain && self.copy_structures(cx, inst, &copy, length);
            return copied.then_some(Outcome::Gone);
        };
        let near = |array: Value, first: i64| {
            let object = self.virtuals.object(array);
            let within = match object.filter(|&object| self.virtuals.is_array(object)) {
                Some(object) => self.virtuals.in_range(object, first.saturating_add(length - 1)),
                None => length <= FEW,
            };
            first >= 0 && within
        };
        if length < 0 || !near(copy.from, copy.start) || !near(copy.to, copy.offset) {
            return None;
        }
        if !cx.rewrite(REWRITE, inst, Became::Nothing) {
            return None;
        }
        let place = cx.f.inst(inst).location;
        let backward = copy.from == copy.to && copy.start < copy.offset;
        for step in 0..length {
            let at = if backward { length - 1 - step } else { step };
            if !self.copy_item(cx, &copy, at, items, place) {
                self.force_all_args(cx, inst);
                return Some(Outcome::Last);
            }
        }
        Some(Outcome::Gone)
    }

    /// Copies structures between two arrays that are not made. Where PyPy is followed: the interpreter does not know what
    /// such a call copies. Nothing is copied over a field that the source does not have.
    fn copy_structures(&mut self, cx: &mut Cx<'_>, inst: Inst, copy: &Copy, length: i64) -> bool {
        let [from, to] = [copy.from, copy.to].map(|array| self.virtuals.object(array));
        let (Some(from), Some(to)) = (from, to) else { return false };
        let stretch = |start: i64| start..start.saturating_add(length);
        let within = |object: Object, start: i64| {
            let last = start.saturating_add(length - 1);
            self.virtuals.in_range(object, start) && self.virtuals.in_range(object, last)
        };
        let fields = |array: Value, start: i64| {
            let mut fields = self.virtuals.fields(cx.world, array).unwrap_or_default();
            fields.retain(|field| field.interior && stretch(start).contains(&field.at));
            fields
        };
        let (source, target) = (fields(copy.from, copy.start), fields(copy.to, copy.offset));
        let distance = copy.offset - copy.start;
        let is_copied = |field: &Field| {
            source.iter().any(|other| other.at + distance == field.at && other.descr == field.descr)
        };
        if from == to
            || length < 0
            || !within(from, copy.start)
            || !within(to, copy.offset)
            || !target.iter().all(is_copied)
            || !cx.rewrite(REWRITE, inst, Became::Nothing)
        {
            return false;
        }
        for field in source {
            let Some(location) = cx.world.location(field.descr) else { continue };
            let at = field.at + distance;
            let cell = self.heap.cell(Key { class: location.alias_class, index: at });
            let index = Some(cx.f.make_int(Type::I64, at));
            self.virtuals.set(to, Field { cell, at, index, ..field });
        }
        true
    }

    /// Copies one item. Whether control comes past it: there may be none to read, or no place for it.
    fn copy_item(&mut self, cx: &mut Cx<'_>, copy: &Copy, at: i64, items: Descr, place: Location) -> bool {
        let Some(location) = cx.world.location(items) else { return true };
        let (from, to) = (cx.resolve(copy.from), cx.resolve(copy.to));
        if let Some(object) = self.virtuals.object(from)
            && !self.virtuals.is_cleared(from)
        {
            let cell = self.heap.cell(Key { class: location.alias_class, index: copy.start + at });
            // What was never set has no value, and the copy may hold anything.
            if self.virtuals.get(object, cell).is_none() {
                return true;
            }
        }
        let index = cx.f.make_int(Type::I64, copy.start + at);
        let load = cx.f.make_inst(Op::GetItem, &[from, index], &[location.ty], Some(items), None, place);
        if !self.send(cx, load) {
            return false;
        }
        let item = cx.f.result(load);
        let item = cx.resolve(item);
        let index = cx.f.make_int(Type::I64, copy.offset + at);
        let store = cx.f.make_inst(Op::SetItem, &[to, index, item], &[], Some(items), None, place);
        cx.engine.dead.note_safe(store);
        self.send(cx, store)
    }
}
