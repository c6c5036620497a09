//! Memory optimization along the walk (PyPy's `heap.py`, `virtualize.py` and `vstring.py`): load and store forwarding,
//! delayed stores, allocation removal.
//!
//! One stage of the engine's walk, in parts that speak to each other through its `state`. What is known is kept in:
//!
//! - `virtuals`: an allocation is not made until something needs the object itself. Its fields are
//!   values; an object that nothing needs is never made ("Allocation Removal by Partial Evaluation in a
//!   Tracing JIT", Bolz, Cuni, Fijałkowski, Leuschel, Pedroni, Rigo, PEPM 2011).
//! - `heap`: what memory holds, by location and object; at most one store a location waits, and a
//!   later one to the same object takes its place.
//! - `strings`: strings that are kept back, by their parts, and comparisons of them.
//! - `buffers`: memory outside the heap that is kept back.
//! - `made_calls`: calls that only compute, with their results.
//! - `made_look_ups`: look-ups in dictionaries, with what they found.
//! - `references`: the guards on references, and what accesses say of their types.
//!
//! What an operation does to it is found in `access` (loads and stores), `objects` (allocations, and what is
//! asked of objects that are not made), `arrays` (copies of items), `raw` (memory outside the heap), `calls` (what a call reads,
//! writes and forgets), `look_ups` (in dictionaries), `meanings` (calls that are known by what they do, and remarks that promise something), `guards` (guards
//! on one reference become one), `types` (guards on types), `force` (making what was kept back) and `exits` (what the other side
//! of an exit may look at).
//!
//! What is known holds on a straight line: a block that is reached otherwise than from the block visited
//! before it starts with nothing known, and a block ends by making what others could see. Where an
//! operation may leave, stores that wait are made before it.
//!
//! The dialects' facts are asked through `World`: the alias class of a location, what a callee
//! touches. What is unknown may be anything.

mod access;
mod ages;
mod arrays;
mod buffers;
mod calls;
mod draft;
mod exits;
mod force;
mod guards;
pub(crate) mod heap;
mod look_ups;
mod made_calls;
mod made_look_ups;
mod meanings;
mod objects;
pub(crate) mod place;
mod raw;
pub(crate) mod references;
mod shared;
pub(crate) mod state;
mod strings;
mod types;
pub(crate) mod virtuals;

use planish_base::Id;
use planish_ir::{Block, Function, Inst, Terminator, Value};
use planish_ops::{Effect, Op};

use self::shared::for_each_use_at_end;
pub use self::state::{Memory, Options};
use crate::engine::Cx;
use crate::engine::stage::{self, Outcome, Stage};
use crate::unroll::again::is_future;
use crate::unroll::peeling::Role;
use crate::unroll::target::Meets;

impl Memory {
    /// Looks at an operation whose operands are resolved.
    #[inline(always)]
    pub(crate) fn look_at(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        if self.renamed.is_some() {
            self.rename();
        }
        // By far the most are stores into frames that are never made, and next come remarks.
        let op = cx.f.inst(inst).op;
        match op {
            Op::SetField | Op::SetItem if self.fills_in(cx, inst) => Outcome::Gone,
            Op::Marker if !self.options.raw => self.marker(cx, inst),
            _ => self.look_closer(cx, inst),
        }
    }

    /// Control is behind the guard that made a reference a constant.
    #[cold]
    fn rename(&mut self) {
        if let Some((reference, constant)) = self.renamed.take() {
            self.heap.rename(reference, constant);
        }
    }

    /// The same, of any operation. Each kind has a function of its own, so that little code is run for it.
    #[inline(never)]
    fn look_closer(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        if self.options.raw
            && let Some(outcome) = self.raw_operation(cx, inst)
        {
            return outcome;
        }
        let op = cx.f.inst(inst).op;
        if matches!(op, Op::GetField | Op::SetField | Op::GetItem | Op::SetItem | Op::ArrayLen | Op::StrLen)
            && self.never_leaves(cx, inst)
        {
            // It would be undefined otherwise.
            cx.engine.refs.is_there(cx.f, cx.f.args(inst)[0]);
        }
        if op == Op::GuardOther && cx.features.plain {
            self.make_what_is_finished_with(cx, inst);
        }
        match op {
            Op::New | Op::NewArray => self.allocation(cx, inst),
            Op::GetField | Op::GetItem | Op::GetInterior => self.load(cx, inst),
            Op::SetField | Op::SetItem | Op::SetInterior => self.store(cx, inst),
            Op::ArrayLen => self.length(cx, inst),
            Op::IntToRef => self.cast_back(cx, inst),
            Op::GuardOther if self.options.types && !is_future(cx, inst) => self.type_guard(cx, inst),
            Op::NewStr | Op::StrLen | Op::StrGet | Op::StrSet | Op::StrCopy if self.options.strings => {
                self.string(cx, inst)
            }
            Op::Call => self.any_call(cx, inst),
            Op::Marker => self.marker(cx, inst),
            _ => self.any_other(cx, inst, op),
        }
    }

    /// A call, of known meaning or not.
    #[inline(never)]
    fn any_call(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        match self.meant_call(cx, inst) {
            Some(outcome) => {
                self.calls.was_removed();
                outcome
            }
            None => self.call(cx, inst),
        }
    }

    /// Guards, comparisons, and what is no access to the heap.
    #[inline(never)]
    fn any_other(&mut self, cx: &mut Cx<'_>, inst: Inst, op: Op) -> Outcome {
        // Most are guards on truths, which are no references.
        if matches!(op, Op::GuardTrue | Op::GuardFalse) && !self.options.raw {
            self.calls.just_removed = false;
            return Outcome::Keep;
        }
        if is_future(cx, inst) {
            return self.future_condition(cx, inst);
        }
        if let Some(outcome) = self.on_reference(cx, inst) {
            return outcome;
        }
        if let Some(outcome) = self.known_reference(cx, inst) {
            return outcome;
        }
        if let Some(outcome) = self.after_call(cx, inst) {
            return outcome;
        }
        match op.effect() {
            // What the other side may look at is made when the guard is emitted.
            Effect::Guard => {}
            Effect::Pure => self.force_all_args(cx, inst),
            Effect::Load if matches!(op, Op::RawLoad | Op::StrGet) => {
                self.force_all_args(cx, inst);
                self.bound(cx, inst);
            }
            // Characters and raw memory are no fields of objects.
            Effect::Store if matches!(op, Op::RawStore | Op::StrSet | Op::StrCopy) => {
                self.force_all_args(cx, inst);
            }
            Effect::Allocate => self.force_all_args(cx, inst),
            _ => {
                self.force_all_args(cx, inst);
                self.make_for_exit(cx, inst);
                self.heap.forget_all();
                self.calls.forget();
            }
        }
        Outcome::Keep
    }

    /// PyPy puts a guard that asks whether the frame was forced behind everything else in front of the end of a trace.
    fn make_what_is_finished_with(&mut self, cx: &mut Cx<'_>, guard: Inst) {
        if let Some(block) = self.block
            && cx.f.args(guard).is_empty()
            && matches!(cx.f.terminator(block), Terminator::Return(_))
        {
            self.flush_all(cx);
            self.force_end(cx, block);
            self.flush_all(cx);
        }
    }

    /// Makes what the end of a block uses.
    fn force_end(&mut self, cx: &mut Cx<'_>, block: Block) {
        let mut needed = std::mem::take(&mut self.needed);
        needed.clear();
        for_each_use_at_end(cx.f, block, |value| needed.push(value));
        for &value in &needed {
            self.force(cx, value);
        }
        self.needed = needed;
    }

    /// Forgets what is known of strings and lengths.
    fn forget_arrays(&mut self) {
        self.strings.forget();
        self.raw.forget();
        self.renamed = None;
        self.lengths.clear();
        self.shortest.clear();
        self.accessed.clear();
    }
}

/// How many blocks a peeled loop has, the one in front of it included, where no label stands before.
const PEELED: usize = 3;

impl Stage for Memory {
    fn name(&self) -> &'static str {
        "memory"
    }

    #[inline]
    fn wants(&self, op: Op) -> bool {
        self.wanted.get(op as usize).is_some_and(|&wanted| wanted)
    }

    fn start(&mut self, f: &Function) {
        self.function = self.function.wrapping_add(1);
        if self.heap.start(f.value_count()) || self.function == 0 {
            self.places.clear();
            self.function = 1;
        }
        self.virtuals.forget();
        self.calls.forget();
        self.guards.forget();
        self.forget_arrays();
        self.goes_on = None;
        self.straight.clear();
        self.future = None;
        // The blocks of a peeled loop say themselves what the next one needs; before those is the entry, seldom more.
        match self.peeling {
            Some(_) if f.blocks().len() <= PEELED => self.shared.forget(),
            _ => self.shared.find(f, self.options.raw),
        }
    }

    #[inline(always)]
    fn on(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        self.look_at(cx, inst)
    }

    #[inline]
    fn emitting(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        self.before_emitting(cx, inst);
    }

    fn end(&mut self, cx: &mut Cx<'_>, block: Block) {
        match Role::of(self.peeling.as_ref(), block) {
            Role::Start => return self.export(cx),
            Role::Body => return self.close(cx),
            Role::Other => {}
        }
        if self.meets == Meets::Loops && matches!(cx.f.terminator(block), Terminator::Return(_)) {
            return self.enter_a_loop(cx, block);
        }
        let next = match cx.f.terminator(block) {
            Terminator::Jump(call) => cx.goes_straight_to(call.block).then_some(call.block),
            _ => None,
        };
        self.goes_on = next;
        if next.is_some() {
            // A parameter that nothing uses stays where nothing dead goes, and is handed what is made.
            if !cx.features.dead && self.any_kept_back() {
                self.force_end(cx, block);
            }
            return;
        }
        // Before what the end needs is made: PyPy's order.
        self.flush_at_end(cx);
        if self.any_kept_back() {
            let mut needed = std::mem::take(&mut self.needed);
            needed.clear();
            for_each_use_at_end(cx.f, block, |value| needed.push(value));
            let goes_on = matches!(cx.f.terminator(block), Terminator::Jump(call) if call.block != block);
            if cx.engine.whole {
                // What blocks before kept back, which came straight here, is so still.
                needed.extend(self.shared.behind(&self.straight));
            } else if goes_on {
                // Whatever was made here may be used by what is still to come.
                needed.extend((0..cx.f.value_count()).map(Value::from_index));
            }
            for &value in &needed {
                self.force(cx, value);
            }
            self.needed = needed;
        }
        self.flush_all(cx);
    }

    fn enter(&mut self, cx: &mut Cx<'_>, place: stage::Place) {
        if self.goes_on != Some(place.block) || !place.straight {
            self.heap.forget_everything();
            self.virtuals.forget();
            self.calls.forget();
            self.guards.forget();
            self.forget_arrays();
            self.straight.clear();
        }
        self.straight.push(place.block);
        self.goes_on = None;
        self.block = Some(place.block);
        if Role::of(self.peeling.as_ref(), place.block) == Role::Body {
            self.enter_body(cx);
        }
    }

    fn leave(&mut self, block: Block) {
        // What comes next is not dominated by this block.
        let _ = block;
        self.goes_on = None;
    }
}
