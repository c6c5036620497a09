//! Memory along a straight line: loads and stores forwarded, stores delayed, allocations removed.
//!
//! One stage of the engine's walk, in three parts that speak to each other through it:
//!
//! - `virtuals`: an allocation is not made until something needs the object itself. Its fields are
//!   values; an object that nothing needs is never made ("Allocation Removal by Partial Evaluation in a
//!   Tracing JIT", Bolz, Cuni, Fijałkowski, Leuschel, Pedroni, Rigo, PEPM 2011).
//! - `heap`: what memory holds, by location and object; at most one store a location waits, and a
//!   later one to the same object takes its place.
//! - `guards`: guards on one reference become one.
//! - `calls`: what a call reads, writes and forgets; equal calls that only compute are made once.
//!
//! What is known holds on a straight line: a block that is reached otherwise than from the block visited
//! before it starts with nothing known, and a block ends by making what others could see. Where an
//! operation may leave, stores that wait are made before it.
//!
//! The dialects' facts are asked through `World`: the alias class of a location, what a callee
//! touches. What is unknown may be anything.

mod calls;
mod guards;
mod heap;
mod virtuals;

use planish_base::SideTable;
use planish_ir::{Block, Const, Def, Function, Inst, Terminator, Value};
use planish_ops::world::{Descr, Location};
use planish_ops::{Effect, Int, Op, Shape, Type};

use crate::engine::Cx;
use crate::record::{Became, Kind};
use crate::refs::Known;
use crate::stage::{Outcome, Place, Stage};

use calls::Calls;
use guards::Guards;
use heap::{Cell, Heap};
use virtuals::{Field, Virtuals};

/// The name of the stage in statistics.
pub(crate) const NAME: &str = "memory";

/// What the stage does.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Options {
    /// Allocations are kept back until an object is needed.
    pub virtualize: bool,
    /// Loads and stores are forwarded and delayed.
    pub heap: bool,
    /// An access without an exit cannot leave: it would be undefined, as in a trace, whose guards check
    /// before. Otherwise such an access may unwind.
    pub accesses_never_leave: bool,
}

impl Options {
    /// Everything, on a trace.
    pub const TRACE: Options = Options { virtualize: true, heap: true, accesses_never_leave: true };
}

/// One place in memory, but for the object.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Key {
    /// The alias class of the location.
    pub class: u32,
    /// The constant index of an item; 0 for a field.
    pub index: i64,
}

/// An access as the parts of the stage see it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Access {
    pub inst: Inst,
    pub base: Value,
    /// The index of an item.
    pub index: Option<Value>,
    pub descr: Descr,
    pub location: Location,
}

/// The stage. Its memory is kept between functions.
#[derive(Default)]
pub struct Memory {
    options: Options,
    heap: Heap,
    virtuals: Virtuals,
    calls: Calls,
    guards: Guards,
    /// The block whose end is the state at hand, if the next one goes on there.
    goes_on: Option<Block>,
    shared: Shared,
    /// Cells whose stores are being made.
    cells: Vec<(u32, Key, Cell)>,
    /// Values that are needed where a block ends.
    needed: Vec<Value>,
}

impl Memory {
    /// A stage without memory yet.
    pub fn new(options: Options) -> Self {
        Memory { options, ..Self::default() }
    }

    /// The same stage with other options.
    pub(crate) fn with(self, options: Options) -> Self {
        Memory { options, ..self }
    }

    /// The place that an access names and its index, when that is a constant.
    fn cell(&mut self, cx: &mut Cx<'_>, access: &Access) -> Option<(Cell, i64)> {
        let index = match access.index {
            None => 0,
            Some(index) => cx.int(index)?.signed(),
        };
        Some((self.heap.cell(Key { class: access.location.alias_class, index }), index))
    }

    /// An access to the heap of objects whose location is known.
    fn access(cx: &Cx<'_>, inst: Inst) -> Option<Access> {
        let data = cx.f.inst(inst);
        let descr = data.descr?;
        let location = cx.world.location(descr).filter(|location| !location.raw)?;
        let args = cx.f.args(inst);
        let index = match data.op {
            Op::GetField | Op::SetField => None,
            _ => Some(args[1]),
        };
        Some(Access { inst, base: args[0], index, descr, location })
    }

    fn never_leaves(&self, cx: &Cx<'_>, inst: Inst) -> bool {
        self.options.accesses_never_leave && cx.f.inst(inst).exit.is_none()
    }

    fn load(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let Some(access) = Self::access(cx, inst) else {
            // Any memory: what waits may be what it reads.
            self.flush_all(cx);
            return Outcome::Keep;
        };
        let never_leaves = self.never_leaves(cx, inst);
        if never_leaves {
            cx.engine.dead.note_safe(inst);
        }
        let ty = cx.f.ty(cx.f.result(inst));
        let cell = self.cell(cx, &access);
        let known = match cell {
            Some((cell, at)) if self.virtuals.is(access.base) => match self.virtuals.get(access.base, cell) {
                Some(value) => Some(cx.resolve(value)),
                None if self.virtuals.in_range(access.base, at) => zero(cx.f, ty),
                None => None,
            },
            Some((cell, _)) => {
                self.flush_other(cx, cell, access.base);
                self.heap.get(cell, access.base, access.location.mutability).map(|value| cx.resolve(value))
            }
            None => {
                self.force(cx, access.base);
                self.flush_class(cx, access.location.alias_class);
                let index = access.index.map(|index| cx.resolve(index));
                self.heap.get_item(access.location.alias_class, access.base, index)
            }
        };
        match known.filter(|&value| cx.f.ty(value) == ty && (never_leaves || self.virtuals.is(access.base))) {
            Some(value)
                if cx.rewrite(
                    Kind::Stage(NAME),
                    inst,
                    Became::Value { of: cx.f.result(inst), is: value },
                ) =>
            {
                Outcome::Value(value)
            }
            _ => {
                self.force(cx, access.base);
                let result = cx.f.result(inst);
                match cell {
                    Some((cell, _)) => {
                        self.heap.learn(cell, access.base, result, access.location.mutability);
                    }
                    None => {
                        if let Some(index) = access.index {
                            self.heap.learn_item(access.location.alias_class, access.base, index, result);
                        }
                    }
                }
                Outcome::Keep
            }
        }
    }

    fn store(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let value = *cx.f.args(inst).last().expect("a store has a value");
        let Some(access) = Self::access(cx, inst) else {
            self.force_all_args(cx, inst);
            self.flush_all(cx);
            self.heap.forget_all();
            return Outcome::Keep;
        };
        let cell = self.cell(cx, &access);
        if let Some((cell, at)) = cell
            && self.virtuals.is(access.base)
            && self.virtuals.in_range(access.base, at)
            && cx.rewrite(Kind::Stage(NAME), inst, Became::Nothing)
        {
            let interior = cx.f.inst(inst).op == Op::SetInterior;
            let (descr, index) = (access.descr, access.index);
            self.virtuals.set(access.base, Field { cell, at, descr, index, interior, value });
            return Outcome::Gone;
        }
        self.force(cx, access.base);
        match cell {
            Some((cell, _)) if self.options.heap && self.never_leaves(cx, inst) => {
                self.delay(cx, cell, access, value)
            }
            Some((cell, _)) => {
                self.force(cx, value);
                self.flush_cell(cx, cell);
                self.heap.wrote(cell, access.base, value, &self.virtuals);
                Outcome::Keep
            }
            None => {
                self.force(cx, value);
                self.flush_class(cx, access.location.alias_class);
                self.heap.forget_class(access.location.alias_class);
                if let Some(index) = access.index {
                    self.heap.learn_item(access.location.alias_class, access.base, index, value);
                }
                Outcome::Keep
            }
        }
    }

    /// Lets a store wait, in the place of one to the same object.
    fn delay(&mut self, cx: &mut Cx<'_>, cell: Cell, access: Access, value: Value) -> Outcome {
        self.flush_other(cx, cell, access.base);
        let held = self.heap.in_memory(cell, access.base).map(|held| cx.resolve(held));
        if held == Some(value) && cx.rewrite(Kind::Stage(NAME), access.inst, Became::Nothing) {
            // What memory holds already. A store that waits for the place is overwritten by this one.
            self.heap.take(cell);
            return Outcome::Gone;
        }
        if let Some(overwritten) = self.heap.waiting(cell)
            && !cx.rewrite(Kind::Stage(NAME), overwritten, Became::Nothing)
        {
            self.flush_cell(cx, cell);
        }
        self.heap.wait(cell, access.base, value, access.inst);
        Outcome::Gone
    }

    // ---- Making what waits ------------------------------------------------------------------------

    /// Makes an object that was kept back, and the stores into it (which may wait).
    pub(crate) fn force(&mut self, cx: &mut Cx<'_>, value: Value) {
        if !self.virtuals.any() {
            return;
        }
        let value = cx.resolve(value);
        let Some(object) = self.virtuals.make(value) else { return };
        let inst = object.inst;
        cx.emit(inst);
        let location = cx.f.inst(inst).location;
        for field in &object.fields {
            let stored = cx.resolve(field.value);
            if object.cleared && is_zero(cx.f, stored, object.array) {
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
            self.flush_other(cx, field.cell, value);
            self.heap.wait(field.cell, value, stored, store);
            if !self.options.heap {
                self.flush_cell(cx, field.cell);
            }
        }
        self.virtuals.give_back(object.fields);
    }

    fn force_all_args(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        for index in 0..cx.f.args(inst).len() {
            if !self.virtuals.any() {
                return;
            }
            let value = cx.f.args(inst)[index];
            self.force(cx, value);
        }
    }

    /// Makes the store that waits for a place, and those into objects that are made for it.
    pub(crate) fn flush_cell(&mut self, cx: &mut Cx<'_>, cell: Cell) {
        while let Some(store) = self.heap.take(cell) {
            let value = cx.resolve(store.value);
            self.force(cx, value);
            let args = cx.f.args_mut(store.inst);
            args[0] = store.base;
            *args.last_mut().expect("a store has a value") = value;
            cx.emit(store.inst);
            self.heap.wrote(cell, store.base, value, &self.virtuals);
        }
    }

    /// Makes the store that waits for a place in another object that may be this one.
    fn flush_other(&mut self, cx: &mut Cx<'_>, cell: Cell, base: Value) {
        if self.heap.waits_for_other(cell, base) {
            self.flush_cell(cx, cell);
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
            self.heap.all_waiting(rank, &mut cells);
            self.flush_cells(cx, cells);
        }
    }

    /// Makes the stores that wait for some places. Making one may force an object whose fields wait then.
    fn flush_cells(&mut self, cx: &mut Cx<'_>, cells: Vec<(u32, Key, Cell)>) {
        for &(_, _, cell) in &cells {
            self.flush_cell(cx, cell);
        }
        self.cells = cells;
    }

    /// Where control may leave: everything that the other side may look at is made. A comparison or call
    /// directly before keeps its place in front of the guard that looks at it.
    fn before_leaving(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        if !self.virtuals.any() && !self.heap.waits() {
            return;
        }
        let held = cx.hold_last();
        self.force_all_args(cx, inst);
        if let Some(exit) = cx.f.inst(inst).exit
            && self.virtuals.any()
        {
            for index in 0..cx.f.exit_args(exit).len() {
                let value = cx.f.exit_args(exit)[index];
                self.force(cx, value);
            }
        }
        self.flush_all(cx);
        cx.release(held);
    }

    // ---- References to objects that are not made -------------------------------------------------------

    /// Comparisons and guards that an object which is not made decides.
    fn on_reference(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        if !self.virtuals.any() {
            return None;
        }
        let op = cx.f.inst(inst).op;
        let args = cx.f.args(inst);
        let (x, y) = (*args.first()?, args.get(1).copied());
        let kept_back = self.virtuals.is(x) || y.is_some_and(|y| self.virtuals.is(y));
        if !kept_back {
            return None;
        }
        let truth = match op {
            // An object that is not made is no other one, and not null.
            Op::RefEq => Some(Some(x) == y),
            Op::RefNe => Some(Some(x) != y),
            Op::IsNull => Some(false),
            Op::IsNonnull => Some(true),
            _ => None,
        };
        if let Some(truth) = truth {
            let ty = cx.f.ty(cx.f.result(inst));
            let value = cx.f.make_int(ty, i64::from(truth));
            let became = Became::Value { of: cx.f.result(inst), is: value };
            return cx.rewrite(Kind::Stage(NAME), inst, became).then_some(Outcome::Value(value));
        }
        let holds = match op {
            Op::GuardNonnull => Some(true),
            Op::GuardIsnull => Some(false),
            Op::GuardClass | Op::GuardNonnullClass => {
                let class = self.virtuals.class(x)?;
                let class = cx.f.make_constant(Const::Symbol(class, Type::I64));
                (y == Some(class)).then_some(true)
            }
            _ => None,
        };
        match holds? {
            true if cx.rewrite(Kind::Holds, inst, Became::Nothing) => Some(Outcome::Gone),
            false if cx.rewrite(Kind::Fails, inst, Became::Changed) => Some(Outcome::Last),
            _ => None,
        }
    }

    fn length(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let array = cx.f.args(inst)[0];
        if self.never_leaves(cx, inst) {
            cx.engine.dead.note_safe(inst);
        }
        let Some(length) = self.virtuals.length(array) else { return Outcome::Keep };
        let result = cx.f.result(inst);
        let ty = cx.f.ty(result);
        let Some(width) = ty.int_width() else { return Outcome::Keep };
        let value = cx.f.make_constant(Int::new(width, length as u64));
        match cx.rewrite(Kind::Stage(NAME), inst, Became::Value { of: result, is: value }) {
            true => Outcome::Value(value),
            false => {
                self.force(cx, array);
                Outcome::Keep
            }
        }
    }

    fn allocation(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        if !self.options.virtualize || !self.never_leaves(cx, inst) {
            return Outcome::Keep;
        }
        cx.engine.dead.note_safe(inst);
        let data = cx.f.inst(inst);
        let Some(descr) = data.descr else { return Outcome::Keep };
        let length = match data.op {
            Op::NewArray => {
                let length = cx.f.args(inst)[0];
                match cx.int(length).map(Int::signed) {
                    Some(length) if (0..=virtuals::LONGEST).contains(&length) => Some(length),
                    _ => return Outcome::Keep,
                }
            }
            _ => None,
        };
        if !cx.rewrite(Kind::Stage(NAME), inst, Became::Nothing) {
            return Outcome::Keep;
        }
        let fresh = cx.world.fresh(descr);
        self.virtuals.keep_back(cx.f.result(inst), inst, length, fresh);
        Outcome::Gone
    }
}

impl Stage for Memory {
    fn name(&self) -> &'static str {
        NAME
    }

    fn wants(&self, op: Op) -> bool {
        let row = op.row();
        let reference = |shape: &Shape| matches!(shape, Shape::Ref | Shape::Any(_) | Shape::Free);
        row.effect != Effect::Pure || row.variadic || row.operands.iter().any(reference)
    }

    fn start(&mut self, f: &Function) {
        self.heap.start();
        self.virtuals.forget();
        self.calls.forget();
        self.guards.forget();
        self.goes_on = None;
        self.shared.find(f);
    }

    fn on(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let op = cx.f.inst(inst).op;
        if matches!(op, Op::GetField | Op::SetField | Op::GetItem | Op::SetItem | Op::ArrayLen | Op::StrLen)
            && self.never_leaves(cx, inst)
        {
            // It would be undefined otherwise.
            let object = cx.f.args(inst)[0];
            cx.engine.refs.learn(cx.f, object, Known::NONNULL);
        }
        match op {
            Op::New | Op::NewArray => self.allocation(cx, inst),
            Op::GetField | Op::GetItem | Op::GetInterior => self.load(cx, inst),
            Op::SetField | Op::SetItem | Op::SetInterior => self.store(cx, inst),
            Op::ArrayLen => self.length(cx, inst),
            Op::Call => self.call(cx, inst),
            Op::Marker => {
                // A remark about an object that is not made says nothing.
                let about_kept_back = cx.f.args(inst).iter().any(|&arg| self.virtuals.is(arg));
                match about_kept_back && cx.rewrite(Kind::Stage(NAME), inst, Became::Nothing) {
                    true => Outcome::Gone,
                    false => {
                        self.force_all_args(cx, inst);
                        Outcome::Keep
                    }
                }
            }
            _ => {
                if let Some(outcome) = self.on_reference(cx, inst) {
                    return outcome;
                }
                if let Some(outcome) = self.stronger_guard(cx, inst) {
                    return outcome;
                }
                if let Some(outcome) = self.after_call(cx, inst) {
                    return outcome;
                }
                match cx.f.row(inst).effect {
                    // What the other side may look at is made when the guard is emitted.
                    Effect::Guard => {}
                    Effect::Pure => self.force_all_args(cx, inst),
                    Effect::Load if matches!(op, Op::RawLoad | Op::StrGet) => self.force_all_args(cx, inst),
                    // Characters and raw memory are no fields of objects.
                    Effect::Store if matches!(op, Op::RawStore | Op::StrSet | Op::StrCopy) => {
                        self.force_all_args(cx, inst);
                    }
                    Effect::Allocate => self.force_all_args(cx, inst),
                    _ => {
                        self.force_all_args(cx, inst);
                        self.before_leaving(cx, inst);
                        self.heap.forget_all();
                        self.calls.forget();
                    }
                }
                Outcome::Keep
            }
        }
    }

    fn emitting(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        if cx.f.row(inst).effect == Effect::Guard {
            self.before_leaving(cx, inst);
        }
    }

    fn end(&mut self, cx: &mut Cx<'_>, block: Block) {
        let next = match cx.f.terminator(block) {
            Terminator::Jump(call) => cx.goes_straight_to(call.block).then_some(call.block),
            _ => None,
        };
        self.goes_on = next;
        if next.is_some() {
            return;
        }
        if self.virtuals.any() {
            let mut needed = std::mem::take(&mut self.needed);
            needed.clear();
            for_each_use_at_end(cx.f, block, |value| needed.push(value));
            needed.extend(self.shared.of(block));
            for &value in &needed {
                self.force(cx, value);
            }
            self.needed = needed;
        }
        self.flush_all(cx);
    }

    fn enter(&mut self, place: Place) {
        if self.goes_on != Some(place.block) || !place.straight {
            self.heap.forget_everything();
            self.virtuals.forget();
            self.calls.forget();
            self.guards.forget();
        }
        self.goes_on = None;
    }

    fn leave(&mut self, block: Block) {
        // What comes next is not dominated by this block.
        let _ = block;
        self.goes_on = None;
    }
}

/// Visits the values that the end of a block uses.
fn for_each_use_at_end(f: &Function, block: Block, mut visit: impl FnMut(Value)) {
    let terminator = f.terminator(block);
    let mut visit_all = |values: &[Value]| values.iter().for_each(|&value| visit(value));
    visit_all(terminator.condition().as_slice());
    terminator.calls().for_each(|call| visit_all(f.list(call.args)));
    match terminator {
        Terminator::Return(results) => visit_all(f.list(*results)),
        Terminator::Throw(_, Some(exit)) => visit_all(f.exit_args(*exit)),
        _ => {}
    }
}

/// References that are used in another block than where they are made, by the block that makes them.
#[derive(Default)]
struct Shared {
    values: Vec<(Block, Value)>,
    home: SideTable<Value, Option<Block>>,
}

impl Shared {
    /// Finds them. O(size of the function); O(number of blocks) where only one has instructions.
    fn find(&mut self, f: &Function) {
        self.values.clear();
        self.home.clear();
        let blocks = f.blocks();
        let working = blocks.iter().filter(|&&block| !f.block_insts(block).is_empty()).count();
        if blocks.len() == 1 {
            return;
        }
        for &block in blocks {
            for &inst in f.block_insts(block) {
                for result in f.results(inst).filter(|&result| f.ty(result) == Type::Ref) {
                    self.home[result] = Some(block);
                }
            }
        }
        for &block in blocks {
            let mut visit = |value: Value| {
                if let Some(home) = self.home[value].filter(|&home| home != block) {
                    self.values.push((home, value));
                }
            };
            for_each_use_at_end(f, block, &mut visit);
            if working == 1 {
                continue;
            }
            for &inst in f.block_insts(block) {
                let exit = f.inst(inst).exit.map_or(&[][..], |exit| f.exit_args(exit));
                f.args(inst).iter().chain(exit).for_each(|&value| visit(value));
            }
        }
        self.values.sort_unstable();
        self.values.dedup();
    }

    /// Those that a block makes.
    fn of(&self, block: Block) -> impl Iterator<Item = Value> + '_ {
        let first = self.values.partition_point(|&(home, _)| home < block);
        self.values[first..].iter().take_while(move |&&(home, _)| home == block).map(|&(_, value)| value)
    }
}

/// The zero of a type.
fn zero(f: &mut Function, ty: Type) -> Option<Value> {
    match ty {
        Type::Ref => Some(f.make_constant(Const::Null)),
        Type::Int(_) => Some(f.make_int(ty, 0)),
        Type::Float(format) => Some(f.make_constant(planish_ops::Real::from_bits(format, 0))),
        Type::State => None,
    }
}

/// Whether a store of this value into fresh memory changes nothing. Of an object only references are sure
/// to be cleared; of an array everything.
fn is_zero(f: &Function, value: Value, array: bool) -> bool {
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
