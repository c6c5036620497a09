//! Materialization recipes for side exits (deoptimization data; PyPy's resume data): how an exit makes the objects that
//! were removed before it.
//!
//! Where control may leave the function, objects and strings that are not made stay so: the exit gets a
//! [`Recipe`] that makes them. A store that waits is made before, unless it stores such an object: then the
//! recipe makes it too, and the store goes on waiting. So an allocation that only exits see is gone from the
//! way on which the function runs. PyPy numbers the same things into the resume data of its guards. Where the source
//! does not say what is needed, no store waits: a recipe says no more than of what parts an object is made that is kept.
//!
//! Where control goes to a handler or unwinds, everything is made before.

use planish_base::fault;
use planish_ir::{Exit, ExitTarget, Inst, Recipe, Slot, Value};
use planish_ops::world::Characters;
use planish_ops::{Effect, Op, Type};

use super::draft::Draft;
use super::force::is_zero;
use super::place::{Cell, Key};
use super::state::Memory;
use super::strings::parts::Piece;
use crate::engine::Cx;

/// Lets a recipe go on with one that was there before, to whose arguments it hands a state.
#[inline(never)]
fn go_on_with(recipe: &mut Recipe, state: &[Slot], before: &Recipe) {
    let steps = recipe.steps.len() as u32;
    let moved = |&slot: &Slot| match slot {
        Slot::Arg(position) => state[position as usize],
        Slot::Made(step) => Slot::Made(steps + step),
    };
    for step in &before.steps {
        let operands: Vec<Slot> = before.operands(step).iter().map(moved).collect();
        recipe.push(step.op, step.descr, &operands);
    }
    recipe.state.extend(before.state.iter().map(moved));
}

impl Memory {
    /// What must be made before an operation that may leave is emitted.
    #[inline]
    pub(crate) fn before_emitting(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        if !self.any_kept_back() && !self.heap.waits() {
            return;
        }
        let leaves = match cx.f.inst(inst).op.effect() {
            Effect::Guard => true,
            Effect::Pure => cx.may_leave(inst),
            // Without an exit an access never leaves a trace.
            _ => cx.f.inst(inst).exit.is_some(),
        };
        if leaves && !fault!("memory: stores wait across a guard") {
            self.before_leaving(cx, inst);
        }
    }

    /// What must be made before an operation that may leave. Few operations do, so this is apart.
    #[inline(never)]
    fn before_leaving(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        // A comparison or call directly before keeps its place in front of the guard that looks at it.
        let held = cx.hold(Some(inst));
        let outer = std::mem::replace(&mut self.holds_last, true);
        self.force_all_args(cx, inst);
        match cx.f.inst(inst).exit.filter(|&exit| leaves_the_function(cx, exit)) {
            // Nobody would make a store that waits.
            Some(exit) if cx.f.exit(exit).open => {
                self.flush_all(cx);
                self.describe(cx, inst, exit, &[]);
            }
            Some(exit) => {
                let mut pending = std::mem::take(&mut self.pending);
                self.flush_what_is_made(cx, &mut pending);
                self.describe(cx, inst, exit, &pending);
                self.pending = pending;
            }
            None => self.make_for_exit(cx, inst),
        }
        self.holds_last = outer;
        cx.release(held);
    }

    /// Makes everything that the other side of an exit may look at, in memory and among the arguments.
    pub(super) fn make_for_exit(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        if let Some(exit) = cx.f.inst(inst).exit {
            for index in 0..cx.f.exit_args(exit).len() {
                let value = cx.f.exit_args(exit)[index];
                self.force(cx, value);
            }
        }
        self.flush_all(cx);
    }

    /// Makes the stores that wait, by rank, but for those of objects and strings that are not made. These are
    /// `pending` then; where nothing else waits than behind the exit before, they were.
    pub(super) fn flush_what_is_made(&mut self, cx: &mut Cx<'_>, pending: &mut Vec<(u32, Key, Cell)>) {
        if !self.heap.waits() {
            pending.clear();
            return;
        }
        if self.pending_since != self.heap.changes() {
            let rank = |inst| cx.f.inst(inst).descr.map_or(0, |descr| cx.world.rank(descr));
            self.heap.all_waiting(rank, cx.features.plain, pending);
        }
        let mut kept = 0;
        for index in 0..pending.len() {
            let (_, _, cell) = pending[index];
            let Some(store) = self.heap.waiting_store(cell) else { continue };
            if self.kept_back(cx.resolve(store.value)) {
                pending[kept] = pending[index];
                kept += 1;
            } else {
                self.flush_cell(cx, cell);
            }
        }
        pending.truncate(kept);
        self.pending_since = self.heap.changes();
    }

    /// Gives an instruction an exit that makes what is not made, and the stores that wait. One that has a recipe
    /// already does what that says behind it.
    fn describe(&mut self, cx: &mut Cx<'_>, inst: Inst, exit: Exit, pending: &[(u32, Key, Cell)]) {
        let kept_back = |&arg: &Value| self.kept_back(cx.peek(arg));
        if pending.is_empty() && !cx.f.exit_args(exit).iter().any(kept_back) {
            return;
        }
        let mut draft = self.draft.take().unwrap_or_default();
        draft.clear();
        draft.recipe = cx.f.spare_recipe();
        let mut before = std::mem::take(&mut draft.before);
        before.clear();
        before.extend_from_slice(cx.f.exit_args(exit));
        for &arg in &before {
            let slot = self.recipe_slot(cx, &mut draft, arg);
            draft.state.push(slot);
        }
        draft.before = before;
        let left_out = fault!("memory: a recipe leaves out a store that waits");
        for &(_, _, cell) in pending.iter().filter(|_| !left_out) {
            let Some(store) = self.heap.waiting_store(cell) else { continue };
            let data = *cx.f.inst(store.inst);
            let base = self.recipe_slot(cx, &mut draft, store.base);
            if data.op == Op::SetField {
                let value = self.recipe_slot(cx, &mut draft, store.value);
                draft.step(data.op, data.descr, &[base, value]);
            } else {
                let index = cx.f.args(store.inst)[1];
                let index = self.recipe_slot(cx, &mut draft, index);
                let value = self.recipe_slot(cx, &mut draft, store.value);
                draft.step(data.op, data.descr, &[base, index, value]);
            }
        }
        self.fill_in(cx, &mut draft);
        let Draft { recipe, state, .. } = &mut *draft;
        match cx.f.recipe(exit) {
            None => recipe.state.extend_from_slice(state),
            Some(before) => go_on_with(recipe, state, before),
        }
        let made = cx.f.make_exit_like(exit, &draft.args, None);
        cx.f.set_recipe(made, std::mem::take(&mut draft.recipe));
        cx.f.set_exit(inst, Some(made));
        self.draft = Some(draft);
    }

    /// What stands for a value in a recipe: an argument of the exit, or what the recipe makes.
    fn recipe_slot(&mut self, cx: &mut Cx<'_>, draft: &mut Draft, value: Value) -> Slot {
        let value = cx.resolve(value);
        if let Some(slot) = draft.slots[value] {
            return slot;
        }
        if self.strings.is(value) {
            let slot = self.string_slot(cx, draft, value);
            draft.set(value, slot);
            return slot;
        }
        if self.raw.is(value) {
            let slot = self.raw_slot(cx, draft, value);
            draft.set(value, slot);
            return slot;
        }
        let Some(allocation) = self.virtuals.allocation(value) else { return draft.arg(value) };
        let data = *cx.f.inst(allocation);
        let length = cx.f.args(allocation).first().copied();
        let length = length.map(|length| self.recipe_slot(cx, draft, length));
        let slot = draft.step(data.op, data.descr, length.as_slice());
        draft.set(value, slot);
        draft.open.push(value);
        slot
    }

    /// An address that is not computed: what the call gives that allocates, or a sum.
    #[inline(never)]
    fn raw_slot(&mut self, cx: &mut Cx<'_>, draft: &mut Draft, value: Value) -> Slot {
        let inst = cx.f.def_inst(value).expect("an address is a result");
        let data = *cx.f.inst(inst);
        let args = cx.f.args(inst).to_vec();
        let operands: Vec<Slot> = args.into_iter().map(|arg| self.recipe_slot(cx, draft, arg)).collect();
        if self.raw.allocation(value).is_some() {
            draft.open.push(value);
        }
        draft.step(data.op, data.descr, &operands)
    }

    /// Stores the fields of objects that a recipe makes, and of those that they refer to.
    fn fill_in(&mut self, cx: &mut Cx<'_>, draft: &mut Draft) {
        while let Some(object) = draft.open.pop() {
            for stored in self.raw.stores(object).to_vec() {
                let offset = cx.f.make_int(Type::I64, stored.offset);
                let operands = [object, offset, stored.value];
                let operands = operands.map(|operand| self.recipe_slot(cx, draft, operand));
                draft.step(Op::RawStore, Some(stored.descr), &operands);
            }
            let mut fields = std::mem::take(&mut draft.fields);
            self.virtuals.fields_into(cx.world, object, &mut fields);
            let (cleared, array) = (self.virtuals.is_cleared(object), self.virtuals.length(object).is_some());
            for field in &fields {
                let value = cx.resolve(field.value);
                if cleared && is_zero(cx.f, value, array) || fault!("memory: a recipe leaves out a field") {
                    continue;
                }
                let base = self.recipe_slot(cx, draft, object);
                match field.index {
                    None => {
                        let value = self.recipe_slot(cx, draft, value);
                        draft.step(Op::SetField, Some(field.descr), &[base, value]);
                    }
                    Some(index) => {
                        let op = if field.interior { Op::SetInterior } else { Op::SetItem };
                        let index = self.recipe_slot(cx, draft, index);
                        let value = self.recipe_slot(cx, draft, value);
                        draft.step(op, Some(field.descr), &[base, index, value]);
                    }
                }
            }
            draft.fields = fields;
        }
    }

    /// A string that is not made: a constant, or pieces that are copied one behind the other.
    #[inline(never)]
    fn string_slot(&mut self, cx: &mut Cx<'_>, draft: &mut Draft, string: Value) -> Slot {
        let unicode = self.strings.is_unicode(string);
        if let Some(codes) = self.codes(cx, string)
            && let Some(constant) = self.constant_string(cx, Characters { unicode, codes: codes.into() })
        {
            return draft.arg(constant);
        }
        let (pieces, descr) = (self.pieces(cx, string), cx.world.characters(unicode));
        let number = |cx: &mut Cx<'_>, draft: &mut Draft, value: i64| {
            let value = cx.f.make_int(Type::I64, value);
            draft.arg(value)
        };
        // Where each piece begins, and how long all of them are.
        let (mut fixed, mut rest): (i64, Option<Slot>) = (0, None);
        let mut starts = Vec::with_capacity(pieces.len());
        let sum = |cx: &mut Cx<'_>, draft: &mut Draft, fixed: i64, rest: Option<Slot>| {
            let fixed_slot = number(cx, draft, fixed);
            match rest {
                None => fixed_slot,
                Some(rest) if fixed == 0 => rest,
                Some(rest) => draft.step(Op::Add, None, &[rest, fixed_slot]),
            }
        };
        let mut lengths = Vec::with_capacity(pieces.len());
        for piece in &pieces {
            starts.push((fixed, rest));
            let length = match *piece {
                Piece::Characters(ref characters) => Err(characters.len() as i64),
                Piece::Slice { length, .. } => match cx.int(length) {
                    Some(length) => Err(length.signed()),
                    None => Ok(self.recipe_slot(cx, draft, length)),
                },
                Piece::Whole(whole) => match self.text(cx, whole) {
                    Some(text) => Err(text.codes.len() as i64),
                    None => {
                        let whole = self.recipe_slot(cx, draft, whole);
                        Ok(draft.step(Op::StrLen, descr, &[whole]))
                    }
                },
            };
            lengths.push(length);
            match length {
                Err(known) => fixed += known,
                Ok(slot) => {
                    rest = Some(match rest {
                        None => slot,
                        Some(rest) => draft.step(Op::Add, None, &[rest, slot]),
                    });
                }
            }
        }
        let length = sum(cx, draft, fixed, rest);
        let made = draft.step(Op::NewStr, descr, &[length]);
        for ((piece, start), length) in pieces.into_iter().zip(starts).zip(lengths) {
            let (from, first) = match piece {
                Piece::Characters(characters) => {
                    for (character, at) in characters.into_iter().zip(start.0..) {
                        if let Some(character) = character {
                            let offset = sum(cx, draft, at, start.1);
                            let character = self.recipe_slot(cx, draft, character);
                            draft.step(Op::StrSet, descr, &[made, offset, character]);
                        }
                    }
                    continue;
                }
                Piece::Slice { of, start, .. } => {
                    (self.recipe_slot(cx, draft, of), self.recipe_slot(cx, draft, start))
                }
                Piece::Whole(whole) => (self.recipe_slot(cx, draft, whole), number(cx, draft, 0)),
            };
            let offset = sum(cx, draft, start.0, start.1);
            let length = length.unwrap_or_else(|known| number(cx, draft, known));
            draft.step(Op::StrCopy, descr, &[from, made, first, offset, length]);
        }
        made
    }
}

/// Whether an exit leaves the function for whoever resumes.
fn leaves_the_function(cx: &Cx<'_>, exit: Exit) -> bool {
    matches!(cx.f.exit(exit).target, ExitTarget::Leave(_))
}
