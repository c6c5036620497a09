//! What the other side of an exit may look at.
//!
//! Where control may leave the function, objects and strings that are not made stay so: the exit gets a
//! [`Recipe`] that makes them. A store that waits is made before, unless it stores such an object: then the
//! recipe makes it too, and the store goes on waiting. So an allocation that only exits see is gone from the
//! way on which the function runs. PyPy numbers the same things into the resume data of its guards.
//!
//! Where control goes to a handler or unwinds, everything is made before.

use planish_base::{SideTable, fault};
use planish_ir::{Exit, ExitTarget, Inst, Recipe, RecipeStep, Slot, Value};
use planish_ops::world::{Characters, Descr};
use planish_ops::{Effect, Op, Type};

use super::Memory;
use super::force::is_zero;
use super::heap::Cell;
use super::strings::Piece;
use crate::engine::Cx;

/// A recipe in the making. Its memory is kept.
#[derive(Default)]
pub(super) struct Draft {
    /// The arguments of the exit, each once.
    args: Vec<Value>,
    /// What stands for a value.
    slots: SideTable<Value, Option<Slot>>,
    /// The values that have a slot.
    known: Vec<Value>,
    recipe: Recipe,
    /// Objects whose fields are still to be stored.
    open: Vec<Value>,
}

impl Draft {
    fn clear(&mut self) {
        for value in self.known.drain(..) {
            self.slots[value] = None;
        }
        self.args.clear();
        self.open.clear();
        self.recipe = Recipe::default();
    }

    fn set(&mut self, value: Value, slot: Slot) {
        self.slots[value] = Some(slot);
        self.known.push(value);
    }

    /// A value that is there when control leaves.
    fn arg(&mut self, value: Value) -> Slot {
        if let Some(slot) = self.slots[value] {
            return slot;
        }
        let slot = Slot::Arg(self.args.len() as u32);
        self.args.push(value);
        self.set(value, slot);
        slot
    }

    fn step(&mut self, op: Op, descr: Option<Descr>, operands: &[Slot]) -> Slot {
        let slot = Slot::Made(self.recipe.steps.len() as u32);
        self.recipe.steps.push(RecipeStep { op, descr, operands: operands.into() });
        slot
    }
}

impl Memory {
    /// What must be made before an operation that may leave is emitted.
    pub(crate) fn before_emitting(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        let leaves = match cx.f.row(inst).effect {
            Effect::Guard => true,
            Effect::Pure => cx.may_leave(inst),
            // Without an exit an access never leaves a trace.
            _ => cx.f.inst(inst).exit.is_some(),
        };
        let leaves = leaves && !fault!("memory: stores wait across a guard");
        if !leaves || !self.any_kept_back() && !self.heap.waits() {
            return;
        }
        // A comparison or call directly before keeps its place in front of the guard that looks at it.
        let held = cx.hold_last();
        self.force_all_args(cx, inst);
        match cx.f.inst(inst).exit.filter(|&exit| leaves_the_function(cx, exit)) {
            Some(exit) => {
                self.flush_what_is_made(cx);
                self.describe(cx, inst, exit);
            }
            None => self.make_for_exit(cx, inst),
        }
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

    /// Makes the stores that wait, by rank, but for those of objects and strings that are not made.
    fn flush_what_is_made(&mut self, cx: &mut Cx<'_>) {
        for cell in self.waiting_cells(cx) {
            let value = self.heap.waiting_store(cell).map(|store| cx.resolve(store.value));
            if value.is_some_and(|value| !self.kept_back(value)) {
                self.flush_cell(cx, cell);
            }
        }
    }

    /// The places for which a store waits, by rank.
    fn waiting_cells(&mut self, cx: &Cx<'_>) -> Vec<Cell> {
        if !self.heap.waits() {
            return Vec::new();
        }
        let mut cells = Vec::new();
        let rank = |inst| cx.f.inst(inst).descr.map_or(0, |descr| cx.world.rank(descr));
        self.heap.all_waiting(rank, &mut cells);
        cells.into_iter().map(|(_, _, cell)| cell).collect()
    }

    /// Gives an instruction an exit that makes what is not made. One that has a recipe already does what that
    /// says behind it.
    fn describe(&mut self, cx: &mut Cx<'_>, inst: Inst, exit: Exit) {
        let args: Vec<Value> = cx.f.exit_args(exit).to_vec();
        let args: Vec<Value> = args.into_iter().map(|arg| cx.resolve(arg)).collect();
        let pending = self.waiting_cells(cx);
        if pending.is_empty() && !args.iter().any(|&arg| self.kept_back(arg)) {
            return;
        }
        let mut draft = std::mem::take(&mut self.draft);
        draft.clear();
        let state: Vec<Slot> = args.iter().map(|&arg| self.recipe_slot(cx, &mut draft, arg)).collect();
        let left_out = fault!("memory: a recipe leaves out a store that waits");
        for &cell in pending.iter().filter(|_| !left_out) {
            let Some(store) = self.heap.waiting_store(cell) else { continue };
            let data = *cx.f.inst(store.inst);
            let index = (data.op != Op::SetField).then(|| cx.f.args(store.inst)[1]);
            let mut operands = vec![self.recipe_slot(cx, &mut draft, store.base)];
            operands.extend(index.map(|index| self.recipe_slot(cx, &mut draft, index)));
            operands.push(self.recipe_slot(cx, &mut draft, store.value));
            draft.step(data.op, data.descr, &operands);
        }
        self.fill_in(cx, &mut draft);
        match cx.f.recipe(exit).cloned() {
            None => draft.recipe.state = state,
            Some(before) => {
                let steps = draft.recipe.steps.len() as u32;
                let moved = |slot: Slot| match slot {
                    Slot::Arg(position) => state[position as usize],
                    Slot::Made(step) => Slot::Made(steps + step),
                };
                for step in before.steps {
                    let operands = step.operands.iter().map(|&slot| moved(slot)).collect();
                    draft.recipe.steps.push(RecipeStep { operands, ..step });
                }
                draft.recipe.state = before.state.into_iter().map(moved).collect();
            }
        }
        let target = cx.f.exit(exit).target.clone();
        let made = cx.f.make_exit(target, &draft.args, None);
        cx.f.set_recipe(made, std::mem::take(&mut draft.recipe));
        cx.f.set_exit(inst, Some(made));
        self.draft = draft;
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
            let Some(fields) = self.virtuals.fields(cx.world, object) else { continue };
            let (cleared, array) = (self.virtuals.is_cleared(object), self.virtuals.length(object).is_some());
            for field in fields {
                let value = cx.resolve(field.value);
                if cleared && is_zero(cx.f, value, array) || fault!("memory: a recipe leaves out a field") {
                    continue;
                }
                let base = self.recipe_slot(cx, draft, object);
                let op = match field.index {
                    None => Op::SetField,
                    Some(_) if field.interior => Op::SetInterior,
                    Some(_) => Op::SetItem,
                };
                let mut operands = vec![base];
                operands.extend(field.index.map(|index| self.recipe_slot(cx, draft, index)));
                operands.push(self.recipe_slot(cx, draft, value));
                draft.step(op, Some(field.descr), &operands);
            }
        }
    }

    /// A string that is not made: a constant, or pieces that are copied one behind the other.
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
