//! Scalar promotion (Cooper and Lu, "Register Promotion in C Programs", PLDI 1997; LLVM's LICM): a place in memory that a loop
//! loads and stores in every round is a variable of the loop.
//!
//! ```text
//! h(i): a = raw_load(p, 0)                front: s = raw_load(p, 0)
//!       b = add(a, i)                     h(i, a): b = add(a, i)
//!       raw_store(p, 0, b)     becomes             branch lt(i, n), h(i, b), out
//!       branch lt(i, n), h, x             out: raw_store(p, 0, b)
//!                                              jump x
//! ```
//!
//! A place is promoted where its address does not change in the loop, all accesses of it there load and store alike, and
//! everything else in the loop leaves it alone ([`alias`](crate::analysis::alias)). Nobody may see the difference:
//!
//! - The load in front of the loop must not touch what the function would not have touched: the place is accessed in the
//!   first round, whatever happens there, or was accessed before the loop. What may leave (a field of null) must have been.
//! - The same holds for the store behind it, and that it is one more must not matter: the loop has stored already wherever it
//!   is left; or the function has stored there before, and calls nothing that could tell another thread.
//! - Where the loop only loads, it surely ends: one that waits for another thread has to look again.
//!
//! Loops in which something may leave for a handler are left alone. Loops inside come first, so that what they load in front
//! and store behind is promoted out of those around, at most `DEPTH` deep. O(size of the function * depth of loops * places
//! of a loop), of which at most `PLACES` are looked at.
//!
//! What a round loads that the round before loaded or stored is `carried` on as a variable, too.

mod carried;

use hashbrown::HashMap;
use planish_base::{SideTable, fault};
use planish_domain::memory::Lemma;
use planish_ir::dominators::Dominators;
use planish_ir::{Block, Cfg, Function, Inst, Location, Stands, Terminator, Value};
use planish_ops::{Effect, Exits, Op, Type};
use planish_pass::{Became, Change, Example, FunctionPass, LoopInfo, Machine, PassCx, PassInfo};
use rustc_hash::FxBuildHasher;

use super::global_code_motion::floats;
use super::own_loop::{Own, pass};
use super::preheaders::{put_blocks_in_front_of_loops, take_back_empty};
use crate::analysis::alias::{Access, Alias, Place};
use crate::analysis::scalar_evolution::ScalarEvolution;

/// Keeps memory in variables of loops.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        source: "Cooper and Lu, PLDI 1997; Callahan, Carr and Kennedy, PLDI 1990 (what is carried from round to round)",
        handlers: false,
        analyses: &["edges", "dominators", "loops", "scalar-evolution"],
        example: Example {
            file: "scalar_promotion.ssa",
            text: include_str!("examples/scalar_promotion.ssa"),
        },
        test: "crates/opt/src/passes/scalar_promotion/tests.rs",
        ..PassInfo::new(
            "scalar-promotion",
            "Scalar promotion: what a loop loads and stores in one place, or loaded in the round before, is a variable of the \
             loop.",
        )
    },
    run,
};

/// How many loops deep a place is brought out.
const DEPTH: usize = 3;

/// At most so many places of a loop.
const PLACES: usize = 8;

/// At most so many operations in front of a loop are asked whether they access a place.
const BEFORE: usize = 256;

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let is_access = |f: &Function, inst: Inst| Access::kind(f.inst(inst).op).is_some();
    if !f.live_insts().any(|(_, inst)| is_access(f, inst))
        || !f.entrances().is_empty()
        || cx.get::<LoopInfo>(f).all().is_empty()
        || !cx.record.has_fuel()
        // On a stack a variable is loaded and stored, too.
        || cx.target.machine == Machine::Stack
    {
        return;
    }
    let fronts = put_blocks_in_front_of_loops(f, cx);
    for _ in 0..DEPTH {
        if !promote(f, cx) {
            break;
        }
        cx.changed(Change::Flow);
    }
    if carried::carry(f, cx) {
        cx.changed(Change::Flow);
    }
    take_back_empty(f, cx, &fronts);
}

/// A place, and the accesses of it in a loop.
struct Candidate {
    place: Place,
    accesses: Vec<(u32, Inst, Access)>,
}

impl Candidate {
    /// Whether the loop stores there, or loads only.
    fn kind(&self) -> Access {
        let stores = self.accesses.iter().any(|&(.., kind)| kind == Access::Store);
        if stores { Access::Store } else { Access::Load }
    }
}

/// Promotes places out of loops, those inside first. Whether any was.
fn promote(f: &mut Function, cx: &mut PassCx<'_>) -> bool {
    let (cfg, dominators) = (cx.get::<Cfg>(f), cx.get::<Dominators>(f));
    let (loops, evolution) = (cx.get::<LoopInfo>(f), cx.get::<ScalarEvolution>(f));
    let mut touched: SideTable<Block, bool> = SideTable::new();
    let mut any = false;
    for index in (0..loops.all().len() as u32).rev() {
        let Some(own) = Own::of(f, &cfg, &dominators, &loops, index) else { continue };
        // A loop in which something was changed is another one: its turn comes when all is looked at anew.
        if own.blocks.iter().any(|&number| touched[cfg.block(number)]) {
            continue;
        }
        let varies = |value: Value| evolution.home(value).is_some_and(|home| loops.contains(index, home));
        let candidates = candidates(f, cx, &own, &varies);
        let ends = evolution.loops[index as usize].ends && loops.all()[index as usize].innermost;
        let mut chosen = Vec::new();
        for candidate in candidates {
            if is_sound(f, cx, &own, &candidate, ends) {
                let inst = candidate.accesses[0].1;
                let lemma = match candidate.kind() {
                    Access::Store => Lemma::StoreOverStore,
                    Access::Load => Lemma::LoadAfterLoad,
                };
                if !cx.rewrite_by(f, inst, Became::Changed, lemma.name()) {
                    break;
                }
                chosen.push(candidate);
            }
        }
        if chosen.is_empty() {
            continue;
        }
        own.blocks.iter().for_each(|&number| touched[cfg.block(number)] = true);
        touched[own.front] = true;
        let outs = split_exits(f, &own);
        for candidate in chosen {
            keep(f, &own, &candidate, &outs);
        }
        any = true;
    }
    any
}

/// The places of a loop that do not move in it, and that nothing else there touches.
fn candidates(
    f: &Function,
    cx: &PassCx<'_>,
    own: &Own<'_>,
    varies: &dyn Fn(Value) -> bool,
) -> Vec<Candidate> {
    let alias = Alias { f, world: cx.world };
    let stands = Stands::default();
    let mut found: Vec<Candidate> = Vec::new();
    let mut others: Vec<(Place, Access)> = Vec::new();
    let mut unknown: Vec<Inst> = Vec::new();
    for (number, inst) in own.insts(f) {
        let Some(kind) = Access::kind(f.inst(inst).op) else {
            if !matches!(f.row(inst).effect, Effect::Pure | Effect::Marker) {
                unknown.push(inst);
            }
            continue;
        };
        let Some(place) = alias.place(inst, &stands) else {
            unknown.push(inst);
            continue;
        };
        let moves = [place.object, place.index].into_iter().flatten().any(varies);
        match found.iter().position(|candidate| candidate.place == place) {
            Some(position) => found[position].accesses.push((number, inst, kind)),
            None if moves || found.len() == PLACES => others.push((place, kind)),
            None => found.push(Candidate { place, accesses: vec![(number, inst, kind)] }),
        }
    }
    others.extend(found.iter().map(|candidate| (candidate.place, candidate.kind())));
    found.retain(|candidate| {
        let (place, kind) = (candidate.place, candidate.kind());
        // Loads leave each other alone.
        let may_stay = |&(other, access): &(Place, Access)| {
            other == place || (kind, access) == (Access::Load, Access::Load) || alias.are_apart(place, other)
        };
        (others.iter().all(may_stay) || fault!("scalar-promotion: nothing else in a loop touches a place"))
            && unknown.iter().all(|&inst| leaves_alone(&alias, inst, place))
            && accessed_alike(f, &alias, &candidate.accesses)
    });
    found
}

/// Whether an operation whose place is not known does not touch one.
fn leaves_alone(alias: &Alias<'_>, inst: Inst, place: Place) -> bool {
    let op = alias.f.inst(inst).op;
    // Outside of the heap there are no objects.
    matches!(op, Op::RawLoad | Op::RawStore) && place.raw.is_none() || alias.leaves_alone(inst, place.class)
}

/// Whether all accesses of a place are of one width and kind, so that a load gives what was stored.
fn accessed_alike(f: &Function, alias: &Alias<'_>, accesses: &[(u32, Inst, Access)]) -> bool {
    let location = |inst: Inst| alias.location(inst).expect("it has a place");
    let first = location(accesses[0].1);
    accesses.iter().all(|&(_, inst, kind)| {
        let this = location(inst);
        let whole = match kind {
            Access::Load => f.ty(f.result(inst)) == first.ty,
            Access::Store => {
                let value = *f.args(inst).last().expect("a store has a value");
                // An array may refuse a reference where it is stored.
                let refuses = f.inst(inst).op == Op::SetItem && first.ty == Type::Ref;
                !refuses && f.ty(value) == first.ty && alias.is_kept_whole(inst, value)
            }
        };
        whole && this.ty == first.ty && this.stored_bits == first.stored_bits && this.signed == first.signed
    })
}

/// Whether nobody sees that a place is loaded in front of the loop and stored behind it.
fn is_sound(f: &Function, cx: &PassCx<'_>, own: &Own<'_>, candidate: &Candidate, ends: bool) -> bool {
    let accesses = &candidate.accesses;
    let mut stores = accesses.iter().filter(|access| access.2 == Access::Store).peekable();
    let is_stored = stores.peek().is_some();
    if own.exits().next().is_none() || !is_stored && !ends {
        return false;
    }
    // What touches a field may leave; static fields and raw memory are there.
    let never_leaves = candidate.place.raw.is_some() || candidate.place.object.is_none();
    let alias = Alias { f, world: cx.world };
    let before = || before(&alias, own, candidate.place);
    let (accessed, stored) =
        match (never_leaves, accesses.iter().any(|&(number, ..)| own.is_surely_run(number))) {
            (true, true) => (true, false),
            _ => before(),
        };
    if !accessed {
        return false;
    }
    if !is_stored {
        return true;
    }
    // Whoever sees how the function ended sees memory, too.
    let own_access = |inst: Inst| accesses.iter().any(|&(_, access, _)| access == inst);
    if own.insts(f).any(|(_, inst)| !own_access(inst) && may_leave(f, cx, inst)) {
        return false;
    }
    let mut exits = own.exits();
    let stores_first = exits.all(|exit| {
        let own_store = |&(number, ..): &(u32, Inst, Access)| own.dominators.dominates(number, exit);
        stores.clone().any(own_store)
    });
    let stored = stored || !stores_first && before().1;
    let tells = || f.live_insts().any(|(_, inst)| f.row(inst).effect == Effect::Call);
    stores_first || stored && !tells()
}

/// Whether the function may end at an operation.
pub(super) fn may_leave(f: &Function, cx: &PassCx<'_>, inst: Inst) -> bool {
    let data = f.inst(inst);
    match data.op {
        Op::Call => data.descr.is_none_or(|callee| {
            let effect = cx.world.call_effect(callee);
            effect.raises || !effect.elidable
        }),
        _ => f.row(inst).exits != Exits::Never && !floats(f, inst),
    }
}

/// Whether a place was accessed before the loop, on every way to it, and whether it was stored to.
fn before(alias: &Alias<'_>, own: &Own<'_>, place: Place) -> (bool, bool) {
    let (mut accessed, mut stored, mut left) = (false, false, BEFORE);
    let mut at = own.cfg.number(own.front).expect("it is reached");
    loop {
        for &inst in alias.f.block_insts(own.cfg.block(at)).iter().rev() {
            if left == 0 {
                return (accessed, stored);
            }
            left -= 1;
            let Some(kind) = Access::kind(alias.f.inst(inst).op) else { continue };
            if alias.place(inst, &Stands::default()) == Some(place) {
                accessed = true;
                stored |= kind == Access::Store;
            }
        }
        if at == 0 || accessed && stored {
            return (accessed, stored);
        }
        at = own.dominators.idom(at);
    }
}

/// An edge out of a loop, through a block of its own.
struct Out {
    from: Block,
    block: Block,
}

/// Gives every edge out of a loop a block of its own.
fn split_exits(f: &mut Function, own: &Own<'_>) -> Vec<Out> {
    let mut outs = Vec::new();
    for number in own.exits().collect::<Vec<_>>() {
        let from = own.cfg.block(number);
        let mut terminator = f.take_terminator(from);
        for call in terminator.calls_mut() {
            if own.contains(call.block) {
                continue;
            }
            let block = f.make_block();
            f.set_terminator(block, Terminator::Jump(*call));
            *call = f.make_call(block, &[]);
            outs.push(Out { from, block });
        }
        f.set_terminator(from, terminator);
    }
    outs
}

/// Makes a place a variable of a loop.
fn keep(f: &mut Function, own: &Own<'_>, candidate: &Candidate, outs: &[Out]) {
    let (_, first, _) = candidate.accesses[0];
    let ty = accessed_type(f, candidate);
    let descr = f.inst(first).descr;
    let address = address(f, first);
    let load = loading(candidate.place, f.inst(first).op);
    let begin = f.make_inst(load, &address, &[ty], descr, None, Location::default());
    f.append_inst(own.front, begin);
    let begin = f.result(begin);
    // A parameter where ways meet; elsewhere what the block before leaves.
    let mut ends: HashMap<Block, Value, FxBuildHasher> = HashMap::default();
    let mut params: Vec<Block> = Vec::new();
    let mut stands = Stands::default();
    let mut goes: SideTable<Inst, bool> = SideTable::new();
    candidate.accesses.iter().for_each(|&(_, inst, _)| goes[inst] = true);
    for &number in &own.blocks {
        let block = own.cfg.block(number);
        let preds = own.cfg.preds().of(number);
        let mut now = match preds {
            &[only]
                if block != own.header
                    && f.block_calls(own.cfg.block(only)).filter(|call| call.block == block).count() == 1 =>
            {
                ends[&own.cfg.block(only)]
            }
            _ => {
                params.push(block);
                f.add_param(block, ty)
            }
        };
        let insts = f.replace_insts(block, Vec::new());
        for &inst in insts.iter().filter(|&&inst| goes[inst]) {
            match Access::kind(f.inst(inst).op) {
                Some(Access::Load) => stands.put(now, f.result(inst)),
                _ => now = *f.args(inst).last().expect("a store has a value"),
            }
        }
        let stay = insts.into_iter().filter(|&inst| !goes[inst]).collect();
        f.replace_insts(block, stay);
        ends.insert(block, now);
    }
    for &number in &own.blocks {
        let block = own.cfg.block(number);
        pass(f, block, &params, ends[&block]);
    }
    pass(f, own.front, &[own.header], begin);
    if candidate.accesses.iter().any(|access| access.2 == Access::Store) {
        for out in outs {
            let store = storing(candidate.place, f.inst(first).op);
            let args: Vec<Value> = address.iter().copied().chain([ends[&out.from]]).collect();
            let store = f.make_inst(store, &args, &[], descr, None, Location::default());
            f.append_inst(out.block, store);
        }
    }
    stands.write(f);
}

/// The type of what a place holds.
fn accessed_type(f: &Function, candidate: &Candidate) -> Type {
    let (_, inst, kind) = candidate.accesses[0];
    match kind {
        Access::Load => f.ty(f.result(inst)),
        Access::Store => f.ty(*f.args(inst).last().expect("a store has a value")),
    }
}

/// The operands of an access that say where.
fn address(f: &Function, inst: Inst) -> Vec<Value> {
    let args = f.args(inst);
    match Access::kind(f.inst(inst).op) {
        Some(Access::Store) => args[..args.len() - 1].to_vec(),
        _ => args.to_vec(),
    }
}

/// The operation that loads what another one accesses.
fn loading(place: Place, op: Op) -> Op {
    match op {
        Op::GetStatic | Op::SetStatic => Op::GetStatic,
        _ if place.raw.is_some() => Op::RawLoad,
        _ if place.index.is_some() => Op::GetItem,
        _ => Op::GetField,
    }
}

/// The operation that stores what another one accesses.
fn storing(place: Place, op: Op) -> Op {
    match loading(place, op) {
        Op::GetStatic => Op::SetStatic,
        Op::RawLoad => Op::RawStore,
        Op::GetItem => Op::SetItem,
        _ => Op::SetField,
    }
}

#[cfg(test)]
mod tests;
