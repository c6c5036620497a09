//! Loop-invariant code motion of loads (LLVM's `LICM`; Muchnick 1997, 13.2): loads that give the same in every
//! iteration are done once, in front of the loop.
//!
//! ```text
//! h: n = array_len(a); branch ...        n = array_len(a)        in front of the loop
//! ...                           becomes  h: branch ...
//!    x = get_field(this) @f                 x = get_field(this) @f, too
//! ```
//!
//! A field stays what it is if nothing in the loop stores to its alias class: no store, no call that may, no monitor, no
//! volatile access (the last two are calls of which nothing is known). What never changes stays in any case, and so does
//! the length of an array. A load that may throw goes in front only if it is the first thing that a loop does which
//! anybody can see; others go if their object was accessed on the way to the loop, or is the receiver, so that a loop
//! which is left at once may do them in vain, and if no whole round does without them.
//!
//! **A loop that waits looks again**: a load stays if a way out of the loop depends on nothing but what does not change.
//! The memory model would allow it to wait for ever; nobody wants that.
//!
//! Arithmetic is the matter of `gcm`. Loops are
//! taken from outside to inside, and looked at once more after each change. O(size of the function) for each.

use std::collections::{BTreeMap, BTreeSet};

use planish_base::SideTable;
use planish_ir::dominators::Dominators;
use planish_ir::loops::{Loop, Loops};
use planish_ir::{Block, BlockCall, Cfg, Def, Function, Inst, Terminator, Value};
use planish_ops::world::{Mutability, World};
use planish_ops::{Effect, Exits, Op};
use planish_pass::{Became, Leave};

/// How many loops are changed at most.
const CHANGES: usize = 32;

/// How many operations a condition is made of at most if it is looked through.
const CONDITION: usize = 32;

/// Whether [`hoist`] would move anything.
pub fn has_invariants(f: &Function, world: &dyn World, receiver: Option<Value>) -> bool {
    f.live_insts().any(|(_, inst)| is_load(f, inst)) && find(f, world, receiver).is_some()
}

/// Moves loads in front of loops. `receiver` is never null. Gives the number of loads that went.
pub fn hoist(f: &mut Function, world: &dyn World, receiver: Option<Value>, leave: &mut Leave<'_>) -> u64 {
    let mut moved = 0;
    for _ in 0..CHANGES {
        let Some(Found { header, sources, loads }) = find(f, world, receiver) else { break };
        if !leave.rewrite_together(loads.len(), Became::Changed) {
            break;
        }
        moved += loads.len() as u64;
        put_in_front(f, header, &sources, &loads);
    }
    moved
}

/// What goes in front of the outermost loop that has invariants.
fn find(f: &Function, world: &dyn World, receiver: Option<Value>) -> Option<Found> {
    let cfg = Cfg::new(f);
    let loops = Loops::new(cfg.succs());
    if loops.is_empty() {
        return None;
    }
    let dominators = cfg.dominators();
    let (stored, accesses) = (stored_fields(f, world), accesses(f, &cfg));
    let handlers = f.blocks().iter().flat_map(|&block| f.handlers(block).map(|(_, to)| to.block)).collect();
    let look = Look { f, world, receiver, cfg: &cfg, dominators, loops: &loops, stored, accesses, handlers };
    let mut blocks: SideTable<Loop, Vec<u32>> = SideTable::new();
    for block in 0..cfg.order().len() as u32 {
        loops.around(block).for_each(|l| blocks[l].push(block));
    }
    let mut order: Vec<Loop> = loops.ids().collect();
    order.sort_by_key(|&l| loops.depth(loops.header(l)));
    order.into_iter().find_map(|l| look.invariants(l, &blocks[l]))
}

/// What goes in front of a loop.
struct Found {
    header: Block,
    /// The blocks from which the loop is entered.
    sources: Vec<Block>,
    loads: Vec<Inst>,
}

/// A function, looked at.
struct Look<'a> {
    f: &'a Function,
    world: &'a dyn World,
    receiver: Option<Value>,
    cfg: &'a Cfg,
    dominators: Dominators,
    loops: &'a Loops,
    /// The fields that the function stores to.
    stored: Changes,
    /// The numbers of the blocks in which objects are accessed or made.
    accesses: BTreeMap<Value, Vec<u32>>,
    handlers: BTreeSet<Block>,
}

/// What a part of a function may change.
#[derive(Default)]
struct Changes {
    anything: bool,
    classes: BTreeSet<u32>,
}

impl Changes {
    fn may_be(&self, class: u32) -> bool {
        self.anything || self.classes.contains(&class)
    }
}

/// The fields that a function stores to itself.
fn stored_fields(f: &Function, world: &dyn World) -> Changes {
    let mut stored = Changes::default();
    for (_, inst) in
        f.live_insts().filter(|&(_, inst)| matches!(f.inst(inst).op, Op::SetField | Op::SetStatic))
    {
        match f.inst(inst).descr.and_then(|descr| world.location(descr)) {
            Some(location) => drop(stored.classes.insert(location.alias_class)),
            None => stored.anything = true,
        }
    }
    stored
}

/// The numbers of the blocks in which objects are accessed or made: behind them, an object is there.
fn accesses(f: &Function, cfg: &Cfg) -> BTreeMap<Value, Vec<u32>> {
    let mut accesses: BTreeMap<Value, Vec<u32>> = BTreeMap::new();
    for number in 0..cfg.order().len() as u32 {
        for &inst in f.block_insts(cfg.block(number)) {
            let object = match f.inst(inst).op {
                Op::GetField | Op::SetField | Op::GetItem | Op::SetItem | Op::ArrayLen => {
                    f.args(inst).first().copied()
                }
                Op::New | Op::NewArray => f.results(inst).next(),
                _ => None,
            };
            let Some(object) = object else { continue };
            let blocks = accesses.entry(object).or_default();
            if blocks.last() != Some(&number) {
                blocks.push(number);
            }
        }
    }
    accesses
}

impl Look<'_> {
    fn contains(&self, l: Loop, block: u32) -> bool {
        self.loops.around(block).any(|around| around == l)
    }

    /// The loads that may go in front of a loop of some blocks and had better; none if there are none.
    fn invariants(&self, l: Loop, inside: &[u32]) -> Option<Found> {
        let (f, number) = (self.f, self.loops.header(l));
        let header = self.cfg.block(number);
        let preds = self.cfg.preds().of(number);
        let is_handler = self.handlers.contains(&header);
        if self.loops.is_irreducible(l) || header == f.entry() || preds.is_empty() || is_handler {
            return None;
        }
        let loads = inside
            .iter()
            .flat_map(|&block| f.block_insts(self.cfg.block(block)).iter().map(move |&i| (block, i)));
        let loads: Vec<(u32, Inst)> = loads.filter(|&(_, inst)| is_load(f, inst)).collect();
        if loads.is_empty() {
            return None;
        }
        let changes = self.changes(inside);
        let homes: BTreeMap<Value, u32> = inside
            .iter()
            .flat_map(|&number| {
                let block = self.cfg.block(number);
                let made = f.block_insts(block).iter().flat_map(|&inst| f.results(inst));
                f.block_params(block).iter().copied().chain(made).map(move |value| (value, number))
            })
            .collect();
        let mut loads: Vec<Inst> = loads
            .into_iter()
            .filter(|&(block, inst)| {
                f.args(inst).iter().all(|arg| !homes.contains_key(arg))
                    && self.stays(inst, &changes)
                    && (self.comes_first(inst, block, number)
                        || self.cannot_throw(inst, number) && self.every_round(block, number, l))
            })
            .map(|(_, inst)| inst)
            .collect();
        self.leave_what_is_waited_for(l, inside, &homes, &mut loads);
        let sources: Vec<Block> =
            preds.iter().filter(|&&pred| !self.contains(l, pred)).map(|&pred| self.cfg.block(pred)).collect();
        (!loads.is_empty() && !sources.is_empty()).then_some(Found { header, sources, loads })
    }

    /// What the blocks of a loop may change.
    fn changes(&self, inside: &[u32]) -> Changes {
        let f = self.f;
        let mut changes = Changes::default();
        for &block in inside {
            for &inst in f.block_insts(self.cfg.block(block)) {
                let data = f.inst(inst);
                let location = data.descr.and_then(|descr| self.world.location(descr));
                match (data.op, f.row(inst).effect) {
                    (Op::GetField | Op::GetStatic | Op::GetItem, _) if location.is_none() => {
                        changes.anything = true;
                    }
                    (Op::SetField | Op::SetStatic | Op::SetItem, _) => match location {
                        Some(location) => drop(changes.classes.insert(location.alias_class)),
                        None => changes.anything = true,
                    },
                    (Op::Call, _) => {
                        match data.descr.and_then(|callee| self.world.call_effect(callee).writes.as_ref()) {
                            Some(written) => changes.classes.extend(written),
                            None => changes.anything = true,
                        }
                    }
                    (_, Effect::Store | Effect::Call) => changes.anything = true,
                    (_, Effect::Pure | Effect::Guard | Effect::Load | Effect::Allocate | Effect::Marker) => {}
                }
            }
        }
        changes
    }

    /// Whether a load gives the same in every round, if its object is the same.
    fn stays(&self, load: Inst, changes: &Changes) -> bool {
        let f = self.f;
        if f.inst(load).op == Op::ArrayLen {
            return true;
        }
        let Some(location) = f.inst(load).descr.and_then(|descr| self.world.location(descr)) else {
            return false;
        };
        let class = location.alias_class;
        let is_fixed = || location.mutability == Mutability::Immutable && !self.stored.may_be(class);
        !location.raw && (!changes.may_be(class) || is_fixed())
    }

    /// Whether nothing that anybody sees comes in front of a load when a loop is entered.
    fn comes_first(&self, load: Inst, block: u32, header: u32) -> bool {
        let f = self.f;
        let is_silent = |&inst: &Inst| {
            let row = f.row(inst);
            // An equal load throws if this one would.
            row.effect == Effect::Pure && row.exits == Exits::Never || are_equal(f, inst, load)
        };
        block == header
            && f.block_insts(self.cfg.block(block)).iter().take_while(|&&inst| inst != load).all(is_silent)
    }

    /// Whether a load finds its object wherever the loop is entered.
    fn cannot_throw(&self, load: Inst, header: u32) -> bool {
        let Some(&object) = self.f.args(load).first() else { return true };
        let is_above = |&block: &u32| block != header && self.dominators.dominates(block, header);
        self.receiver == Some(object)
            || self.accesses.get(&object).is_some_and(|blocks| blocks.iter().any(is_above))
    }

    /// Whether every way back to the header comes through a block.
    fn every_round(&self, block: u32, header: u32, l: Loop) -> bool {
        let preds = self.cfg.preds().of(header).iter();
        preds.filter(|&&pred| self.contains(l, pred)).all(|&latch| self.dominators.dominates(block, latch))
    }

    /// Takes loads off the list on which, with what is made outside of the loop, it depends alone whether the loop is left.
    fn leave_what_is_waited_for(
        &self,
        l: Loop,
        inside: &[u32],
        homes: &BTreeMap<Value, u32>,
        loads: &mut Vec<Inst>,
    ) {
        let f = self.f;
        for &number in inside {
            let block = self.cfg.block(number);
            let leaves = self.cfg.succs().of(number).iter().any(|&to| !self.contains(l, to));
            let Some(condition) = f.terminator(block).condition().filter(|_| leaves) else { continue };
            let (mut work, mut seen, mut awaited) = (vec![condition], 0, Vec::new());
            let mut changes = false;
            while let Some(value) = work.pop() {
                seen += 1;
                match f.def(value) {
                    _ if !homes.contains_key(&value) => {}
                    Def::Result(inst, _) if loads.contains(&inst) => awaited.push(inst),
                    Def::Result(inst, _) if f.row(inst).effect == Effect::Pure && seen < CONDITION => {
                        work.extend_from_slice(f.args(inst));
                    }
                    _ => changes = true,
                }
            }
            if !changes {
                loads.retain(|load| !awaited.contains(load));
            }
        }
    }
}

/// Whether an operation reads memory and may leave for no handler.
fn is_load(f: &Function, inst: Inst) -> bool {
    matches!(f.inst(inst).op, Op::GetField | Op::GetStatic | Op::ArrayLen) && f.inst(inst).exit.is_none()
}

/// Whether two loads read the same place.
fn are_equal(f: &Function, a: Inst, b: Inst) -> bool {
    let (x, y) = (f.inst(a), f.inst(b));
    (x.op, x.descr) == (y.op, y.descr) && x.exit.is_none() && y.exit.is_none() && f.args(a) == f.args(b)
}

/// Moves loads to the end of a block in front of a loop; of equal ones one stays.
fn put_in_front(f: &mut Function, header: Block, sources: &[Block], loads: &[Inst]) {
    let front = match sources {
        &[only] if matches!(f.terminator(only), Terminator::Jump(_)) => only,
        _ => front_of(f, header, sources),
    };
    let moved: BTreeSet<Inst> = loads.iter().copied().collect();
    for block in f.blocks().to_vec() {
        if f.block_insts(block).iter().any(|inst| moved.contains(inst)) {
            let mut insts = f.replace_insts(block, Vec::new());
            insts.retain(|inst| !moved.contains(inst));
            f.replace_insts(block, insts);
        }
    }
    let mut kept: Vec<Inst> = Vec::new();
    let mut stands: BTreeMap<Value, Value> = BTreeMap::new();
    for &load in loads {
        match kept.iter().find(|&&other| are_equal(f, other, load)) {
            Some(&other) => drop(stands.insert(f.result(load), f.result(other))),
            None => {
                f.append_inst(front, load);
                kept.push(load);
            }
        }
    }
    if !stands.is_empty() {
        f.map_uses(|value| stands.get(&value).copied().unwrap_or(value));
    }
}

/// A new block in front of a loop, to which all blocks go that entered the loop.
fn front_of(f: &mut Function, header: Block, sources: &[Block]) -> Block {
    let types: Vec<_> = f.block_params(header).iter().map(|&param| f.ty(param)).collect();
    let front = f.make_block();
    let params: Vec<Value> = types.into_iter().map(|ty| f.add_param(front, ty)).collect();
    for &source in sources {
        let mut terminator = f.take_terminator(source);
        for call in terminator.calls_mut().filter(|call| call.block == header) {
            *call = BlockCall { block: front, ..*call };
        }
        f.set_terminator(source, terminator);
    }
    let call = f.make_call(header, &params);
    f.set_terminator(front, Terminator::Jump(call));
    let mut layout: Vec<Block> = f.blocks().iter().copied().filter(|&block| block != front).collect();
    let place = layout.iter().position(|&block| block == header).unwrap_or(layout.len());
    layout.insert(place, front);
    f.set_layout(layout);
    front
}
