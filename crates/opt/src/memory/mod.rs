//! Memory along a straight line: loads and stores forwarded, stores delayed, allocations removed.
//!
//! One stage of the engine's walk, in three parts that speak to each other through it:
//!
//! - `virtuals`: an allocation is not made until something needs the object itself. Its fields are
//!   values; an object that nothing needs is never made ("Allocation Removal by Partial Evaluation in a
//!   Tracing JIT", Bolz, Cuni, Fijałkowski, Leuschel, Pedroni, Rigo, PEPM 2011).
//! - `heap`: what memory holds, by location and object; at most one store a location waits, and a
//!   later one to the same object takes its place.
//! - `meanings`: calls that are known by what they do, and remarks that promise something.
//! - `strings`: strings that are kept back, and comparisons of them.
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
mod meanings;
mod strings;
pub(crate) mod virtuals;

use hashbrown::HashMap;
use planish_base::{SideTable, fault};
use planish_domain::IntFact;
use planish_ir::{Block, Const, Def, Function, Inst, Terminator, Value};
use planish_ops::world::{Content, Descr, Location, Mutability};
use planish_ops::{Effect, Exits, Int, Op, Shape, Type};

use crate::engine::Cx;
use crate::peel::{Peeled, Peeling, Role};
use crate::record::{Became, Kind};
use crate::refs::Known;
use crate::stage::{Outcome, Place, Stage};

use calls::Calls;
use guards::Guards;
use heap::{Cell, Heap};
use rustc_hash::FxBuildHasher;
use strings::Strings;
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
    /// Strings are kept back until they are needed, and calls of known meaning are looked into.
    pub strings: bool,
    /// An access without an exit cannot leave: it would be undefined, as in a trace, whose guards check
    /// before. Otherwise such an access may unwind.
    pub accesses_never_leave: bool,
}

impl Options {
    /// Everything, on a trace.
    pub const TRACE: Options =
        Options { virtualize: true, heap: true, strings: false, accesses_never_leave: true };
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
    pub(crate) heap: Heap,
    pub(crate) virtuals: Virtuals,
    pub(crate) calls: Calls,
    guards: Guards,
    pub(crate) strings: Strings,
    /// A reference that a guard has made a constant, as soon as control is behind the guard.
    renamed: Option<(Value, Value)>,
    /// The lengths of arrays that were allocated.
    lengths: SideTable<Value, Option<Value>>,
    /// How long arrays at least are, by the accesses to them.
    shortest: SideTable<Value, i64>,
    /// How the places of an alias class are loaded, and their rank among stores that wait.
    pub(crate) loads: HashMap<u32, (Op, Descr, u32), FxBuildHasher>,
    /// The peeled loop at work.
    pub(crate) peeling: Option<Peeling>,
    /// Constants that values which come around once were.
    pub(crate) runtime: Vec<Option<Value>>,
    /// Imports that are what memory holds when the body begins.
    pub(crate) imported_places: Vec<(usize, Key, Mutability)>,
    /// Imports that are results of calls.
    pub(crate) imported_calls: Vec<usize>,
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

    /// Says whether a loop was peeled for the next walk.
    pub(crate) fn peel(&mut self, peeled: Option<Peeled>, runtime: &[Option<Value>]) {
        self.peeling = peeled.map(Peeling::new);
        self.runtime.clear();
        self.runtime.extend_from_slice(runtime);
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
    fn access(&mut self, cx: &Cx<'_>, inst: Inst) -> Option<Access> {
        let data = cx.f.inst(inst);
        let descr = data.descr?;
        let location = cx.world.location(descr).filter(|location| !location.raw)?;
        let args = cx.f.args(inst);
        let index = match data.op {
            Op::GetField | Op::SetField => None,
            _ => Some(args[1]),
        };
        let load = match data.op {
            Op::GetField | Op::SetField => Op::GetField,
            Op::GetItem | Op::SetItem => Op::GetItem,
            _ => Op::GetInterior,
        };
        self.loads.entry(location.alias_class).or_insert_with(|| (load, descr, cx.world.rank(descr)));
        Some(Access { inst, base: args[0], index, descr, location })
    }

    fn never_leaves(&self, cx: &Cx<'_>, inst: Inst) -> bool {
        self.options.accesses_never_leave && cx.f.inst(inst).exit.is_none()
    }

    /// Whether an access is to an object that is not made and has such places: items only if it is an array.
    fn keeps_back(&self, access: &Access) -> bool {
        self.virtuals.is(access.base) && self.virtuals.length(access.base).is_some() == access.index.is_some()
    }

    fn load(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let Some(access) = self.access(cx, inst) else {
            // Any memory: what waits may be what it reads.
            self.flush_all(cx);
            return Outcome::Keep;
        };
        let never_leaves = self.never_leaves(cx, inst);
        if never_leaves {
            cx.engine.dead.note_safe(inst);
        }
        let ty = cx.f.ty(cx.f.result(inst));
        // The interpreter gives constant objects contents of its own.
        if cx.features.plain
            && let Some(outcome) = self.constant_load(cx, &access)
        {
            return outcome;
        }
        let cell = self.cell(cx, &access);
        let known = match cell {
            Some((cell, at)) if self.keeps_back(&access) => match self.virtuals.get(access.base, cell) {
                Some(value) => Some(cx.resolve(value)),
                None if self.virtuals.in_range(access.base, at) => zero(cx.f, ty),
                None => None,
            },
            Some((cell, _)) => {
                if !fault!("memory: a load passes a store that waits") {
                    self.flush_other(cx, cell, access.base);
                }
                let found = self.heap.get(cell, access.base, access.location.mutability);
                found.map(|value| cx.imported(value))
            }
            None => {
                self.force(cx, access.base);
                self.flush_class(cx, access.location.alias_class);
                let index = access.index.map(|index| cx.resolve(index));
                self.heap.get_item(access.location.alias_class, access.base, index)
            }
        };
        let usable = never_leaves || self.keeps_back(&access);
        let known = known.filter(|&value| usable && cx.f.ty(value) == ty);
        let known = known.map(|value| self.as_stored(cx, &access.location, value));
        match known {
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
                self.is_within(cx, &access);
                self.bound(cx, inst);
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

    /// A load from a constant object whose place never changes, or is watched by a guard.
    fn constant_load(&mut self, cx: &mut Cx<'_>, access: &Access) -> Option<Outcome> {
        let (_, at) = self.cell(cx, access)?;
        match access.location.mutability {
            Mutability::Immutable => {}
            Mutability::QuasiImmutable if self.heap.is_guarded() => {}
            _ => return None,
        }
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
                cx.rewrite(Kind::Stage(NAME), access.inst, Became::Value { of: result, is: value })
                    .then_some(Outcome::Value(value))
            }
            _ => None,
        }
    }

    /// Control does not come past an operation.
    fn never_passes(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        match cx.rewrite(Kind::Fails, inst, Became::Changed) {
            true => Outcome::Last,
            false => Outcome::Keep,
        }
    }

    fn store(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let value = *cx.f.args(inst).last().expect("a store has a value");
        let Some(access) = self.access(cx, inst) else {
            self.force_all_args(cx, inst);
            self.flush_all(cx);
            self.heap.forget_all();
            return Outcome::Keep;
        };
        let cell = self.cell(cx, &access);
        if let Some((cell, at)) = cell
            && self.keeps_back(&access)
            && self.virtuals.in_range(access.base, at)
            && cx.rewrite(Kind::Stage(NAME), inst, Became::Nothing)
        {
            let interior = cx.f.inst(inst).op == Op::SetInterior;
            let (descr, index) = (access.descr, access.index);
            self.virtuals.set(access.base, Field { cell, at, descr, index, interior, value });
            return Outcome::Gone;
        }
        self.force(cx, access.base);
        self.is_within(cx, &access);
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
        if !fault!("memory: a store overwrites that to another object") {
            self.flush_other(cx, cell, access.base);
        }
        let held = self.heap.in_memory(cell, access.base);
        if held.is_some_and(|held| cx.peek(cx.engine.imports.seen(held)) == value)
            && cx.rewrite(Kind::Stage(NAME), access.inst, Became::Nothing)
        {
            held.map(|held| cx.imported(held));
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
        self.force_object(cx, value, false);
    }

    /// Whether there is an object or a string that is not made.
    fn any_kept_back(&self) -> bool {
        self.virtuals.any() || self.strings.any()
    }

    /// The same; the stores are made too where that is wanted.
    fn force_object(&mut self, cx: &mut Cx<'_>, value: Value, direct: bool) {
        if !self.any_kept_back() {
            return;
        }
        let value = cx.resolve(value);
        let class = self.virtuals.class(value);
        if self.strings.is(value) {
            return self.force_string(cx, value);
        }
        let Some(object) = self.virtuals.make(cx.world, value) else { return };
        let inst = object.inst;
        cx.emit(inst);
        if let Some(class) = class {
            let class = cx.f.make_constant(Const::Symbol(class, Type::I64));
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
            self.flush_other(cx, field.cell, value);
            self.heap.wait(field.cell, value, stored, store);
            if !self.options.heap || direct {
                self.flush_cell(cx, field.cell);
            }
        }
        self.virtuals.give_back(object.fields);
    }

    fn force_all_args(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        for index in 0..cx.f.args(inst).len() {
            if !self.any_kept_back() {
                return;
            }
            let value = cx.f.args(inst)[index];
            self.force(cx, value);
        }
        // A string that was made has another name.
        cx.resolve_args(inst);
    }

    /// An array has the item that is accessed.
    fn is_within(&mut self, cx: &mut Cx<'_>, access: &Access) {
        let index = access.index.and_then(|index| cx.int(index)).map(Int::signed);
        if let Some(index @ 0..) = index
            && self.never_leaves(cx, access.inst)
            && self.shortest[access.base] <= index
        {
            self.shortest[access.base] = index.saturating_add(1);
        }
    }

    /// What is read from narrow memory is small.
    pub(crate) fn bound(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        let location = cx.f.inst(inst).descr.and_then(|descr| cx.world.location(descr));
        let result = cx.f.result(inst);
        if let Some(range) = location.and_then(|location| range(&location, cx.f.ty(result))) {
            cx.engine.facts.define(result, range);
        }
    }

    /// What a load gives where a value was stored: narrow memory keeps its low bits.
    fn as_stored(&mut self, cx: &mut Cx<'_>, location: &Location, value: Value) -> Value {
        let ty = cx.f.ty(value);
        let Some(range) = range(location, ty) else { return value };
        // PyPy stores nothing that does not fit.
        if cx.features.plain || cx.fact(value).implies(range) {
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

    /// Makes the store that waits for a place, and those into objects that are made for it.
    pub(crate) fn flush_cell(&mut self, cx: &mut Cx<'_>, cell: Cell) {
        while let Some(store) = self.heap.take(cell) {
            let value = cx.resolve(store.value);
            // Where PyPy is followed, an object that a store makes is complete before the store.
            self.force_object(cx, value, cx.features.plain);
            let value = cx.resolve(value);
            let args = cx.f.args_mut(store.inst);
            args[0] = store.base;
            *args.last_mut().expect("a store has a value") = value;
            cx.emit(store.inst);
            self.heap.wrote(cell, store.base, value, &self.virtuals);
            let location = cx.f.inst(store.inst).descr.and_then(|descr| cx.world.location(descr));
            if location.is_some_and(|location| location.mutability == Mutability::Immutable) {
                self.heap.learn(cell, store.base, value, Mutability::Immutable);
            }
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
        if !self.any_kept_back() && !self.heap.waits() {
            return;
        }
        let held = cx.hold_last();
        self.force_all_args(cx, inst);
        if let Some(exit) = cx.f.inst(inst).exit
            && self.any_kept_back()
        {
            for index in 0..cx.f.exit_args(exit).len() {
                let value = cx.f.exit_args(exit)[index];
                self.force(cx, value);
            }
        }
        if !fault!("memory: stores wait across a guard") {
            self.flush_all(cx);
        }
        cx.release(held);
    }

    /// Whether a value is an object or a string that is not made.
    pub(crate) fn kept_back(&self, value: Value) -> bool {
        self.virtuals.is(value) || self.strings.is(value)
    }

    // ---- References to objects that are not made -------------------------------------------------------

    /// Comparisons and guards that an object which is not made decides.
    fn on_reference(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        if !self.any_kept_back() {
            return None;
        }
        let op = cx.f.inst(inst).op;
        let args = cx.f.args(inst);
        let (x, y) = (*args.first()?, args.get(1).copied());
        let kept_back = self.kept_back(x) || y.is_some_and(|y| self.kept_back(y));
        if !kept_back {
            return None;
        }
        let truth = match op {
            // An object that is not made is no other one, and not null.
            Op::RefEq => Some(Some(x) == y || fault!("memory: an object kept back equals any")),
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
        let result = cx.f.result(inst);
        let known = self.virtuals.length(array).map(|length| cx.f.make_int(Type::I64, length));
        let known = known.or_else(|| self.constant_array_length(cx, array)).or(self.lengths[array]);
        let Some(value) = known.map(|length| cx.resolve(length)).filter(|&l| cx.f.ty(l) == cx.f.ty(result))
        else {
            if cx.f.ty(result) == Type::I64 && self.shortest[array] > 0 {
                cx.engine.facts.define(result, IntFact::interval(64, self.shortest[array], i64::MAX));
            }
            // Also an object that is no array, where this means nothing.
            self.force(cx, array);
            return Outcome::Keep;
        };
        match cx.rewrite(Kind::Stage(NAME), inst, Became::Value { of: result, is: value }) {
            true => Outcome::Value(value),
            false => {
                self.force(cx, array);
                Outcome::Keep
            }
        }
    }

    /// The length of a declared constant array.
    fn constant_array_length(&mut self, cx: &mut Cx<'_>, array: Value) -> Option<Value> {
        // The interpreter gives constant objects lengths of its own.
        let Some(Content::Symbol(symbol)) = cx.content(array).filter(|_| cx.features.plain) else {
            return None;
        };
        let length = i64::try_from(cx.world.length_of(symbol)?).ok()?;
        Some(cx.f.make_int(Type::I64, length))
    }

    fn allocation(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        if cx.f.inst(inst).op == Op::NewArray {
            self.lengths[cx.f.result(inst)] = Some(cx.f.args(inst)[0]);
        }
        if !self.options.virtualize || !self.never_leaves(cx, inst) {
            return Outcome::Keep;
        }
        cx.engine.dead.note_safe(inst);
        let data = cx.f.inst(inst);
        if data.descr.is_none() {
            return Outcome::Keep;
        }
        if data.op == Op::NewArray {
            let length = cx.f.args(inst)[0];
            let length = cx.int(length).map(Int::signed);
            if !length.is_some_and(|length| (0..=virtuals::LONGEST).contains(&length)) {
                return Outcome::Keep;
            }
        }
        if !cx.rewrite(Kind::Stage(NAME), inst, Became::Nothing) {
            return Outcome::Keep;
        }
        self.keep_back(cx, inst);
        Outcome::Gone
    }

    /// Does not make the object that an allocation would make here.
    pub(crate) fn keep_back(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        let Some(descr) = cx.f.inst(inst).descr else { return };
        let length = match cx.f.inst(inst).op {
            Op::NewArray => {
                let length = cx.f.args(inst)[0];
                cx.int(length).map(Int::signed)
            }
            _ => None,
        };
        cx.engine.dead.note_safe(inst);
        let fresh = cx.world.fresh(descr);
        self.virtuals.keep_back(cx.f.result(inst), inst, length, fresh);
    }

    /// Looks at an operation whose operands are resolved.
    pub(crate) fn look_at(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        if let Some((reference, constant)) = self.renamed.take() {
            self.heap.rename(reference, constant);
        }
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
            Op::NewStr | Op::StrLen | Op::StrGet | Op::StrSet | Op::StrCopy if self.options.strings => {
                self.string(cx, inst)
            }
            Op::Call => match self.meant_call(cx, inst) {
                Some(outcome) => {
                    self.calls.was_removed();
                    outcome
                }
                None => self.call(cx, inst),
            },
            Op::Marker => {
                if cx.features.plain {
                    self.remark(cx, inst);
                }
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
                if crate::peel::is_future(cx, inst) {
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

    /// What must be made before an operation that may leave is emitted.
    pub(crate) fn before_emitting(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        let leaves = match cx.f.row(inst).effect {
            Effect::Guard => true,
            Effect::Pure => cx.may_leave(inst),
            // Without an exit an access never leaves a trace.
            _ => cx.f.inst(inst).exit.is_some(),
        };
        if leaves {
            self.before_leaving(cx, inst);
        }
    }

    /// Forgets what is known of strings and lengths.
    fn forget_arrays(&mut self) {
        self.strings.forget();
        self.renamed = None;
        self.lengths.clear();
        self.shortest.clear();
    }
}

impl Stage for Memory {
    fn name(&self) -> &'static str {
        NAME
    }

    fn wants(&self, op: Op) -> bool {
        let row = op.row();
        let reference = |shape: &Shape| matches!(shape, Shape::Ref | Shape::Any(_) | Shape::Free);
        row.effect != Effect::Pure
            || row.exits != Exits::Never
            || row.variadic
            || row.operands.iter().any(reference)
    }

    fn start(&mut self, f: &Function) {
        self.heap.start();
        self.virtuals.forget();
        self.calls.forget();
        self.guards.forget();
        self.forget_arrays();
        self.loads.clear();
        self.goes_on = None;
        self.shared.find(f);
    }

    fn on(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        self.look_at(cx, inst)
    }

    fn emitting(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        self.before_emitting(cx, inst);
    }

    fn end(&mut self, cx: &mut Cx<'_>, block: Block) {
        match Role::of(self.peeling.as_ref(), block) {
            Role::Start => return self.export(cx),
            Role::Body => return self.close(cx),
            Role::Other => {}
        }
        let next = match cx.f.terminator(block) {
            Terminator::Jump(call) => cx.goes_straight_to(call.block).then_some(call.block),
            _ => None,
        };
        self.goes_on = next;
        if next.is_some() {
            return;
        }
        if self.any_kept_back() {
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

    fn enter(&mut self, cx: &mut Cx<'_>, place: Place) {
        if self.goes_on != Some(place.block) || !place.straight {
            self.heap.forget_everything();
            self.virtuals.forget();
            self.calls.forget();
            self.guards.forget();
            self.forget_arrays();
        }
        self.goes_on = None;
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

/// The values that narrow memory can hold, as a load gives them.
fn range(location: &Location, ty: Type) -> Option<IntFact> {
    let width = ty.int_width()?;
    let bits = location.stored_bits.map(u32::from).filter(|&bits| 0 < bits && bits < width)?;
    let (low, high) = match location.signed {
        true => (-(1i64 << (bits - 1)), (1i64 << (bits - 1)) - 1),
        false => (0, (1i64 << bits) - 1),
    };
    Some(IntFact::interval(width, low, high))
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
