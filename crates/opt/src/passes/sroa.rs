//! Scalar replacement of aggregates (LLVM `SROA`; Muchnick 1997, 20.3), with load and store forwarding and dead store
//! elimination in memory of cells.
//!
//! Objects and small arrays that nobody else has become their fields, over any control flow ([`replace`]). Where exceptions are
//! caught, that is all that is done.
//!
//! Some dialects have memory that only calls touch ([`Cells`]): an allocation is a row of cells, a pointer
//! moves along it, calls load, store and free. Three things are done, in one visit of the function:
//!
//! - **Cells become values.** An allocation of a few cells, whose pointers only move by constants, stay inside,
//!   and go nowhere but to these calls, is a variable a cell. Stores are its definitions, loads its uses; one
//!   [`repair()`] of SSA settles what reaches what (scalar replacement of aggregates).
//! - **Allocations that nothing loads from** and that go nowhere are not made; nor are their stores.
//! - **Elsewhere**, along blocks that are entered from one block only, a load of what was stored or loaded is that
//!   value, a store of what is there already is nothing, and in a block a store that is overwritten, or freed,
//!   before anything could look is not made. A load whose result nothing uses goes.
//!
//! Two pointers are different where they are at different distances from one, or come from different allocations,
//! one of which goes nowhere else. What memory refuses (an access outside, one after the end) is undefined: a
//! program that does it may do more afterwards than it did.
//!
//! O(operations times [`KNOWN`]).

mod described;
mod handlers;
mod monitors;
mod objects;
mod search;
mod slots;
mod tagged;
mod webs;

use planish_base::{Budget, SideTable, fault};
use planish_ir::liveness::for_each_use;
use planish_ir::{Block, Cfg, Function, Inst, Stands, Value, repair};
use planish_ops::world::{Cells, World};
use planish_ops::{Op, Type};
use planish_pass::{Became, Example, FunctionPass, PassCx, PassInfo};

use self::described::Described;
pub use self::objects::replace;
use self::objects::{copy, zero};
use self::webs::CELLS;

/// How many cells may become values in one run.
pub const CELLS_IN_ALL: u64 = 1_024;
/// How many cells are remembered at a time.
pub const KNOWN: usize = 32;

/// Follows what cells hold.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["cells", "scalar-replacement"],
        source: "Muchnick 1997, 20.3; Choi, Gupta, Serrano, Sreedhar and Midkiff, OOPSLA 1999",
        analyses: &["edges"],
        example: Example { file: "sroa.bril", text: include_str!("examples/sroa.bril") },
        test: "crates/opt/src/passes/sroa.rs",
        ..PassInfo::new(
            "sroa",
            "Scalar replacement of aggregates: objects that nobody else has and memory of cells become values, over branches and loops.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let world = cx.world;
    replace(f, cx, &mut Described(world));
    let has_cells = f.live_insts().any(|(_, inst)| cells(f, cx.world, inst).is_some());
    if !has_cells || f.has_handlers() {
        return;
    }
    scalars(f, cx);
    forward(f, cx);
}

/// What a call does with cells.
fn cells(f: &Function, world: &dyn World, inst: Inst) -> Option<Cells> {
    let data = f.inst(inst);
    if data.op == Op::Call && data.exit.is_none() { world.cells(data.descr?) } else { None }
}

/// Where a pointer points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Place {
    /// The value that it was moved away from by constants.
    base: Value,
    /// How far.
    offset: i64,
    /// The value that it was moved away from in any way.
    root: Value,
}

/// Where pointers point, and what becomes of allocations.
struct Pointers {
    places: SideTable<Value, Option<Place>>,
    /// Roots that are allocations.
    allocated: SideTable<Value, bool>,
    /// Roots that go elsewhere than to calls about cells.
    escapes: SideTable<Value, bool>,
}

impl Pointers {
    fn new(f: &Function, cfg: &Cfg, world: &dyn World) -> Self {
        let mut pointers =
            Pointers { places: SideTable::new(), allocated: SideTable::new(), escapes: SideTable::new() };
        for &block in cfg.order() {
            for &inst in f.block_insts(block) {
                pointers.visit(f, world, inst);
            }
            let last = f.block_insts(block).len() as u32 + 1;
            for_each_use(f, block, |position, value| {
                if position == last {
                    let root = pointers.at(value).root;
                    pointers.escapes[root] = true;
                }
            });
        }
        pointers
    }

    fn visit(&mut self, f: &Function, world: &dyn World, inst: Inst) {
        let args = f.args(inst);
        let about = cells(f, world, inst);
        let followed = match about {
            Some(Cells::Allocate) => {
                self.allocated[f.result(inst)] = true;
                0
            }
            Some(Cells::Move) => {
                let (from, result) = (self.at(args[0]), f.result(inst));
                let by = f.int_constant(args[1]).map(|by| by.signed());
                let offset = by.and_then(|by| from.offset.checked_add(by));
                self.places[result] = Some(match offset {
                    Some(offset) => Place { offset, ..from },
                    None => Place { base: result, offset: 0, root: from.root },
                });
                1
            }
            Some(Cells::Free | Cells::Load | Cells::Store) => 1,
            None => 0,
        };
        let exit = f.inst(inst).exit.map_or(&[][..], |exit| f.exit_args(exit));
        for &arg in args[followed..].iter().chain(exit) {
            let root = self.at(arg).root;
            self.escapes[root] = true;
        }
    }

    fn at(&self, value: Value) -> Place {
        self.places[value].unwrap_or(Place { base: value, offset: 0, root: value })
    }

    /// Whether nobody else can reach what a root points to.
    fn is_private(&self, root: Value) -> bool {
        self.allocated[root] && !self.escapes[root]
    }

    /// Whether two places may be one.
    fn may_be_one(&self, x: Place, y: Place) -> bool {
        if x.root == y.root {
            let unknown = x.base != y.base && !fault!("sroa: pointers of one row are apart");
            return unknown || x.offset == y.offset;
        }
        let apart = self.is_private(x.root) || self.is_private(y.root);
        !(apart || self.allocated[x.root] && self.allocated[y.root])
    }
}

/// An allocation that goes nowhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Private {
    /// How many cells it has, when that is known.
    size: Option<i64>,
    loaded: bool,
    /// Whether every access is to a cell that is known.
    exact: bool,
}

/// Makes allocations that go nowhere values, or nothing.
fn scalars(f: &mut Function, cx: &mut PassCx<'_>) {
    let cfg = cx.get::<Cfg>(f);
    let pointers = Pointers::new(f, &cfg, cx.world);
    let mut found: SideTable<Value, Option<Private>> = SideTable::new();
    for &block in cfg.order() {
        for &inst in f.block_insts(block) {
            let Some(about) = cells(f, cx.world, inst) else { continue };
            if about == Cells::Allocate {
                let size = f.int_constant(f.args(inst)[0]).map(|size| size.signed());
                found[f.result(inst)] = Some(Private { size, loaded: false, exact: true });
                continue;
            }
            let Place { base, offset, root } = pointers.at(f.args(inst)[0]);
            let Some(private) = &mut found[root] else { continue };
            match about {
                Cells::Load | Cells::Store => {
                    private.loaded |= about == Cells::Load;
                    private.exact &= base == root && private.size.is_some_and(|n| (0..n).contains(&offset));
                    // A cell that holds a pointer would begin as a null pointer, which no dialect has.
                    let pointer = f.results(inst).any(|result| f.ty(result) == Type::Ref);
                    private.exact &= !pointer;
                }
                Cells::Free => private.exact &= base == root && offset == 0,
                Cells::Move | Cells::Allocate => {}
            }
        }
    }
    let mut budget = Budget::new("cells that become values", cx.limit("cells", CELLS_IN_ALL));
    let mut going: SideTable<Value, bool> = SideTable::new();
    let mut any = false;
    for &block in cfg.order() {
        for &inst in f.block_insts(block) {
            if cells(f, cx.world, inst) != Some(Cells::Allocate) {
                continue;
            }
            let root = f.result(inst);
            let Some(private) = found[root].filter(|_| pointers.is_private(root)) else { continue };
            let few = private.size.filter(|&size| private.exact && (1..=CELLS).contains(&size));
            let goes = !private.loaded || few.is_some_and(|size| budget.take(size as u64));
            going[root] = goes && cx.rewrite(f, inst, Became::Nothing);
            any |= going[root];
        }
    }
    cx.record.note_budget(&budget);
    if any {
        Scalars { f, world: cx.world, pointers: &pointers, going: &going }.replace(&cfg);
    }
}

struct Scalars<'a> {
    f: &'a mut Function,
    world: &'a dyn World,
    pointers: &'a Pointers,
    /// The allocations that go.
    going: &'a SideTable<Value, bool>,
}

impl Scalars<'_> {
    fn replace(&mut self, cfg: &Cfg) {
        let layout: Vec<Block> = self.f.blocks().iter().copied().filter(|&b| cfg.is_reachable(b)).collect();
        self.f.set_layout(layout);
        // The variable of each cell that is loaded, its type, and its definitions, the first at the allocation.
        let mut variables: SideTable<Value, Vec<(i64, usize)>> = SideTable::new();
        let mut groups: Vec<(Type, Vec<Value>)> = Vec::new();
        for &block in cfg.order() {
            for &inst in self.f.block_insts(block) {
                if let Some((Cells::Load, place)) = self.about(inst) {
                    let known = &mut variables[place.root];
                    if known.iter().all(|cell| cell.0 != place.offset) {
                        known.push((place.offset, groups.len()));
                        groups.push((self.f.ty(self.f.result(inst)), Vec::new()));
                    }
                }
            }
        }
        let mut loaded: SideTable<Value, Option<Value>> = SideTable::new();
        for &block in cfg.order() {
            let mut kept = Vec::new();
            for inst in self.f.replace_insts(block, Vec::new()) {
                let Some((about, place)) = self.about(inst) else {
                    kept.push(inst);
                    continue;
                };
                let cell =
                    || variables[place.root].iter().find(|cell| cell.0 == place.offset).map(|cell| cell.1);
                match about {
                    Cells::Allocate => {
                        for &(_, variable) in &variables[place.root] {
                            let (ty, definitions) = &mut groups[variable];
                            // Nothing loads what was not stored.
                            let nothing = zero(self.f, *ty);
                            definitions.push(copy(self.f, nothing, &mut kept));
                        }
                    }
                    Cells::Store => {
                        let value = self.f.args(inst)[1];
                        if let Some(variable) = cell() {
                            let definition = copy(self.f, value, &mut kept);
                            groups[variable].1.push(definition);
                        }
                    }
                    Cells::Load => {
                        let variable = cell().expect("every cell that is loaded has a variable");
                        let first = groups[variable].1[0];
                        loaded[self.f.result(inst)] = Some(copy(self.f, first, &mut kept));
                    }
                    Cells::Free | Cells::Move => {}
                }
            }
            self.f.replace_insts(block, kept);
        }
        self.f.map_uses(|value| loaded[value].unwrap_or(value));
        let groups: Vec<Vec<Value>> = groups.into_iter().map(|group| group.1).collect();
        if !groups.is_empty() {
            repair(self.f, &groups);
        }
    }

    /// What a call does with an allocation that goes, and where.
    fn about(&self, inst: Inst) -> Option<(Cells, Place)> {
        let about = cells(self.f, self.world, inst)?;
        let pointer = if about == Cells::Allocate { self.f.result(inst) } else { self.f.args(inst)[0] };
        let place = self.pointers.at(pointer);
        self.going[place.root].then_some((about, place))
    }
}

/// A cell and what it holds.
#[derive(Clone, Copy)]
struct Known {
    place: Place,
    value: Value,
}

/// Follows what cells hold along blocks.
fn forward(f: &mut Function, cx: &mut PassCx<'_>) {
    let cfg = cx.get::<Cfg>(f);
    let pointers = Pointers::new(f, &cfg, cx.world);
    let mut used: SideTable<Value, bool> = SideTable::new();
    for &block in cfg.order() {
        for_each_use(f, block, |_, value| used[value] = true);
    }
    let mut ends: Vec<Vec<Known>> = Vec::with_capacity(cfg.order().len());
    let mut same = Stands::default();
    for (number, &block) in cfg.order().iter().enumerate() {
        let known = match cfg.preds().of(number as u32) {
            [before] if (*before as usize) < number => ends[*before as usize].clone(),
            _ => Vec::new(),
        };
        let (waiting, kept) = (Vec::new(), Vec::new());
        let mut line = Line { pointers: &pointers, used: &used, same: &mut same, known, waiting, kept };
        for inst in f.replace_insts(block, Vec::new()) {
            line.inst(f, cx, inst);
        }
        f.replace_insts(block, line.kept.into_iter().flatten().collect());
        ends.push(line.known);
    }
    same.write(f);
}

/// A block, and what is known on the way through it.
struct Line<'a> {
    pointers: &'a Pointers,
    used: &'a SideTable<Value, bool>,
    /// What stands for the result of a load.
    same: &'a mut Stands,
    known: Vec<Known>,
    /// Stores of the block that nothing has looked at yet, by their places in `kept`.
    waiting: Vec<(Place, usize)>,
    kept: Vec<Option<Inst>>,
}

impl Line<'_> {
    fn inst(&mut self, f: &Function, cx: &mut PassCx<'_>, inst: Inst) {
        let (pointers, world) = (self.pointers, cx.world);
        let mut rewrite = || cx.rewrite(f, inst, Became::Nothing);
        let holds = |known: &[Known], at: Place| known.iter().find(|k| k.place == at).map(|k| k.value);
        let Some(about) = cells(f, world, inst) else {
            self.other(f, world, inst);
            self.kept.push(Some(inst));
            return;
        };
        let args = f.args(inst);
        match about {
            Cells::Load => {
                let (at, result) = (pointers.at(args[0]), f.result(inst));
                let held = holds(&self.known, at).filter(|&value| f.ty(value) == f.ty(result));
                if (held.is_some() || !self.used[result]) && rewrite() {
                    held.into_iter().for_each(|held| self.same.put(held, result));
                    return;
                }
                self.waiting.retain(|&(place, _)| !pointers.may_be_one(place, at));
                self.learn(at, result);
            }
            Cells::Store => {
                let (at, value) = (pointers.at(args[0]), args[1]);
                if holds(&self.known, at) == Some(value) && rewrite() {
                    return;
                }
                if let Some(before) = self.waiting.iter().position(|&(place, _)| place == at)
                    && rewrite()
                {
                    let (_, store) = self.waiting.remove(before);
                    self.kept[store] = None;
                }
                let keeps = fault!("sroa: a store leaves what is known");
                self.known.retain(|known| keeps || !pointers.may_be_one(known.place, at));
                self.learn(at, value);
                self.waiting.push((at, self.kept.len()));
            }
            Cells::Free => {
                let root = pointers.at(args[0]).root;
                self.known.retain(|known| known.place.root != root);
                while let Some(before) = self.waiting.iter().position(|(place, _)| place.root == root) {
                    let (_, store) = self.waiting.remove(before);
                    if rewrite() {
                        self.kept[store] = None;
                    }
                }
            }
            Cells::Allocate | Cells::Move => {}
        }
        self.kept.push(Some(inst));
    }

    fn learn(&mut self, place: Place, value: Value) {
        if self.known.len() == KNOWN {
            self.known.remove(0);
        }
        self.known.push(Known { place, value });
    }

    /// What something else may look at or change: whatever it can reach.
    fn other(&mut self, f: &Function, world: &dyn World, inst: Inst) {
        let data = f.inst(inst);
        if data.exit.is_some() {
            self.waiting.clear();
        }
        if !matches!(data.op, Op::Call | Op::CallRef) {
            return;
        }
        let nothing = |classes: &Option<Vec<u32>>| classes.as_ref().is_some_and(Vec::is_empty);
        let effect = data.descr.map(|descr| world.call_effect(descr));
        if !effect.is_some_and(|effect| nothing(&effect.reads)) {
            self.waiting.retain(|(place, _)| self.pointers.is_private(place.root));
        }
        if !effect.is_some_and(|effect| nothing(&effect.writes)) {
            self.known.retain(|known| self.pointers.is_private(known.place.root));
        }
    }
}

#[cfg(test)]
mod tests;
