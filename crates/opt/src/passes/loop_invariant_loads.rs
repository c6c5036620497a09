//! Loop-invariant code motion of loads (LLVM's `LICM`; Muchnick 1997, 13.2): loads that give the same in every
//! iteration are done once, in front of the loop.
//!
//! ```text
//! h: n = array_len(a); branch ...        n = array_len(a)        in front of the loop
//! ...                           becomes  h: branch ...
//!    x = get_field(o) @f                 x = get_field(o) @f, too
//! ```
//!
//! A field stays what it is if nothing in the loop stores to its alias class: no store, no call that may, no access of which
//! nothing is known. What never changes stays in any case, and so does the length of an array. A load that may leave goes in
//! front only if it is the first thing that a loop does which anybody can see; others go if their object was accessed on the
//! way to the loop, or is known to be there, so that a loop which is left at once may do them in vain, and if no whole round
//! does without them.
//!
//! **A loop that waits looks again**: a load stays if a way out of the loop depends on nothing but what does not change.
//! A memory model may allow it to wait for ever; nobody wants that.
//!
//! Arithmetic is the matter of [`global_code_motion`](super::global_code_motion), and what a loop stores, too, that of
//! [`scalar_promotion`](super::scalar_promotion). Outer loops come before those inside, each once. O(size of the function *
//! depth of loops).

use std::collections::BTreeSet;

use hashbrown::HashMap;
use hashbrown::hash_map::Entry;
use planish_base::{SideTable, Worklist, fault};
use planish_domain::memory::Lemma;
use planish_ir::dominators::Dominators;
use planish_ir::{Block, Cfg, Def, Function, Inst, Stands, Value};
use planish_ops::world::{Mutability, World};
use planish_ops::{Effect, Exits, Op};
use planish_pass::{Became, Change, Example, FunctionPass, LoopInfo, PassCx, PassInfo, PassOption};
use rustc_hash::FxBuildHasher;

use super::preheaders::{put_blocks_in_front_of_loops, take_back_empty};

/// How many of the first parameters are never null.
pub const NONNULL: PassOption =
    PassOption::new("nonnull", 0, "how many of the first parameters are never null");

/// Moves loads in front of loops.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        analyses: &["edges", "dominators", "loops"],
        options: &[&NONNULL],
        source: "LLVM LICM; Muchnick 1997, 13.2",
        example: Example {
            file: "loop_invariant_loads.ssa",
            text: include_str!("examples/loop_invariant_loads.ssa"),
        },
        test: "crates/opt/src/passes/loop_invariant_loads.rs",
        ..PassInfo::new(
            "loop-invariant-loads",
            "Loop-invariant code motion of loads: what a loop does not change is loaded in front of it.",
        )
    },
    run,
};

/// What every round loads, if nothing in the loop stores there.
const LEMMA: &str = Lemma::LoadAfterLoad.name();

/// How many operations a condition is made of at most if it is looked through.
const CONDITION: usize = 32;

/// How often the loads of a loop are chosen anew because some of them are waited for.
const CHOICES: usize = 4;

/// How many loads that need each other one after the other are moved out of a loop.
const CHAIN: usize = 8;

/// How many accesses of an object are asked whether they come before a loop.
const ACCESSES: usize = 64;

/// Whether a function has loads that may go in front of a loop, were there one.
pub fn has_loads(f: &Function) -> bool {
    f.live_insts().any(|(_, inst)| is_load(f, inst))
}

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if !has_loads(f) || !f.entrances().is_empty() || cx.get::<LoopInfo>(f).all().is_empty() {
        return;
    }
    if !cx.record.has_fuel() {
        return;
    }
    let fronts = put_blocks_in_front_of_loops(f, cx);
    let (cfg, dominators) = (cx.get::<Cfg>(f), cx.get::<Dominators>(f));
    let loops = cx.get::<LoopInfo>(f);
    let mut motion = Motion::new(f, cx, &cfg, &dominators, &loops);
    let mut stands = Stands::default();
    let mut any = false;
    for index in 0..loops.all().len() as u32 {
        let Some(front) = front_of(f, &cfg, &loops, index) else { continue };
        // What one load gives may be the object of another one.
        for _ in 0..CHAIN {
            let mut loads = motion.invariants(f, cx.world, index);
            let allowed =
                loads.iter().take_while(|&&load| cx.rewrite_by(f, load, Became::Changed, LEMMA)).count();
            loads.truncate(allowed);
            if loads.is_empty() {
                break;
            }
            any = true;
            motion.put_in_front(f, front, &loads, &mut stands);
        }
    }
    stands.write(f);
    if any {
        cx.changed(Change::Operations);
    }
    take_back_empty(f, cx, &fronts);
}

/// The block in front of a loop: the only one from outside that goes to its header, and nowhere else.
fn front_of(f: &Function, cfg: &Cfg, loops: &LoopInfo, index: u32) -> Option<Block> {
    let l = &loops.all()[index as usize];
    let mut outside = cfg.preds().of(l.header).iter().filter(|&&pred| !loops.contains(index, pred));
    let (Some(&front), None) = (outside.next(), outside.next()) else { return None };
    let is_one = cfg.succs().of(front).len() == 1 && f.block_calls(cfg.block(front)).count() == 1;
    (!l.irreducible && l.header != 0 && is_one).then(|| cfg.block(front))
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

    fn add_store(&mut self, f: &Function, world: &dyn World, store: Inst) {
        match f.inst(store).descr.and_then(|descr| world.location(descr)) {
            Some(location) => drop(self.classes.insert(location.alias_class)),
            None => self.anything = true,
        }
    }

    fn add(&mut self, f: &Function, world: &dyn World, inst: Inst) {
        let data = f.inst(inst);
        match (data.op, f.row(inst).effect) {
            // Memory of which nothing is known may change behind our back.
            (Op::GetField | Op::GetStatic | Op::GetItem, _) => {
                self.anything |= data.descr.and_then(|descr| world.location(descr)).is_none();
            }
            (Op::SetField | Op::SetStatic | Op::SetItem, _) => self.add_store(f, world, inst),
            (Op::Call, _) => match data.descr.and_then(|callee| world.call_effect(callee).writes.as_ref()) {
                Some(written) => self.classes.extend(written),
                None => self.anything = true,
            },
            (_, Effect::Store | Effect::Call) => self.anything = true,
            (_, Effect::Pure | Effect::Guard | Effect::Load | Effect::Allocate | Effect::Marker) => {}
        }
    }
}

/// Loads of a loop, in order.
type Chosen = BTreeSet<Inst>;

/// A function, and what is asked of it for every loop.
struct Motion<'a> {
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    loops: &'a LoopInfo,
    /// Parameters that are never null.
    nonnull: Vec<Value>,
    /// The fields that the function stores to itself.
    stored: Changes,
    /// The numbers of the blocks in which objects are accessed or made: behind them, an object is there.
    accesses: SideTable<Value, Vec<u32>>,
    /// The blocks that values are defined in now, by their numbers and 1; 0 for constants.
    homes: SideTable<Value, u32>,
}

impl<'a> Motion<'a> {
    fn new(
        f: &Function,
        cx: &PassCx<'_>,
        cfg: &'a Cfg,
        dominators: &'a Dominators,
        loops: &'a LoopInfo,
    ) -> Motion<'a> {
        let nonnull = f.params().iter().copied().take(cx.count(&NONNULL)).collect();
        let (mut accesses, mut homes) = (SideTable::<Value, Vec<u32>>::new(), SideTable::new());
        let mut stored = Changes::default();
        for number in 0..cfg.order().len() as u32 {
            let block = cfg.block(number);
            f.block_params(block).iter().for_each(|&param| homes[param] = number + 1);
            for &inst in f.block_insts(block) {
                f.results(inst).for_each(|result| homes[result] = number + 1);
                let object = match f.inst(inst).op {
                    Op::GetField | Op::SetField | Op::GetItem | Op::SetItem | Op::ArrayLen => {
                        f.args(inst).first().copied()
                    }
                    Op::New | Op::NewArray => f.results(inst).next(),
                    _ => None,
                };
                if let Some(object) = object
                    && accesses[object].last() != Some(&number)
                {
                    accesses[object].push(number);
                }
                if matches!(f.inst(inst).op, Op::SetField | Op::SetStatic) {
                    stored.add_store(f, cx.world, inst);
                }
            }
        }
        Motion { cfg, dominators, loops, nonnull, stored, accesses, homes }
    }

    /// Whether a value is made in a loop.
    fn varies(&self, index: u32, value: Value) -> bool {
        self.homes[value].checked_sub(1).is_some_and(|home| self.loops.contains(index, home))
    }

    /// The loads that may go in front of a loop and had better.
    fn invariants(&self, f: &Function, world: &dyn World, index: u32) -> Vec<Inst> {
        let mut blocks: Vec<u32> = self.loops.blocks(index).collect();
        blocks.sort_unstable();
        let insts = blocks.iter().flat_map(|&number| {
            f.block_insts(self.cfg.block(number)).iter().map(move |&inst| (number, inst))
        });
        let mut changes = Changes::default();
        let mut loads: Vec<(u32, Inst)> = Vec::new();
        for (number, inst) in insts {
            changes.add(f, world, inst);
            if is_load(f, inst) && !f.args(inst).iter().any(|&arg| self.varies(index, arg)) {
                loads.push((number, inst));
            }
        }
        loads.retain(|&(_, load)| self.stays(f, world, load, &changes));
        for _ in 0..CHOICES {
            if loads.is_empty() {
                break;
            }
            let chosen = self.chosen(f, index, &loads);
            let awaited = self.awaited(f, index, &blocks, &chosen);
            if awaited.is_empty() {
                return loads
                    .into_iter()
                    .map(|(_, load)| load)
                    .filter(|load| chosen.contains(load))
                    .collect();
            }
            loads.retain(|(_, load)| !awaited.contains(load));
        }
        Vec::new()
    }

    /// Whether a load gives the same in every round, if its object is the same.
    fn stays(&self, f: &Function, world: &dyn World, load: Inst, changes: &Changes) -> bool {
        if f.inst(load).op == Op::ArrayLen {
            return true;
        }
        let Some(location) = f.inst(load).descr.and_then(|descr| world.location(descr)) else {
            return false;
        };
        let class = location.alias_class;
        let is_fixed = || location.mutability == Mutability::Immutable && !self.stored.may_be(class);
        let may_change = changes.may_be(class) && !fault!("loop-invariant-loads: nothing changes in a loop");
        !location.raw && (!may_change || is_fixed())
    }

    /// Those loads of a loop for which nobody sees that they moved.
    fn chosen(&self, f: &Function, index: u32, loads: &[(u32, Inst)]) -> Chosen {
        let header = self.loops.all()[index as usize].header;
        let mut chosen = Chosen::default();
        // The header up to its first operation that anybody can see, those left out that go in front.
        let mut silent = f.block_insts(self.cfg.block(header)).iter().copied().peekable();
        for &(number, load) in loads {
            let mut comes_first = || {
                let goes =
                    |inst: Inst| is_silent(f, inst) || chosen.contains(&inst) || are_equal(f, inst, load);
                while silent.next_if(|&inst| inst != load && goes(inst)).is_some() {}
                silent.peek() == Some(&load)
            };
            if number == header && comes_first()
                || self.cannot_leave(f, load, header) && self.every_round(index, number)
            {
                chosen.insert(load);
            }
        }
        chosen
    }

    /// Whether a load finds its object wherever the loop is entered.
    fn cannot_leave(&self, f: &Function, load: Inst, header: u32) -> bool {
        let Some(&object) = f.args(load).first() else { return true };
        let is_above = |&block: &u32| block != header && self.dominators.dominates(block, header);
        self.nonnull.contains(&object) || self.accesses[object].iter().take(ACCESSES).any(is_above)
    }

    /// Whether every way back to the header comes through a block.
    fn every_round(&self, index: u32, number: u32) -> bool {
        let latches = &self.loops.all()[index as usize].latches;
        latches.iter().all(|&latch| self.dominators.dominates(number, latch))
    }

    /// Those of the loads on which, with what is made outside of the loop, it depends alone whether the loop is left.
    fn awaited(&self, f: &Function, index: u32, blocks: &[u32], loads: &Chosen) -> Chosen {
        let mut all = Chosen::default();
        for &number in blocks {
            let leaves = self.cfg.succs().of(number).iter().any(|&to| !self.loops.contains(index, to));
            let condition = f.terminator(self.cfg.block(number)).condition();
            let Some(condition) = condition.filter(|_| leaves) else { continue };
            let (mut work, mut seen, mut awaited) = (Worklist::from(vec![condition]), 0, Vec::new());
            let mut changes = false;
            while let Some(value) = work.pop() {
                seen += 1;
                match f.def(value) {
                    _ if !self.varies(index, value) => {}
                    Def::Result(inst, _) if loads.contains(&inst) => awaited.push(inst),
                    Def::Result(inst, _) if f.row(inst).effect == Effect::Pure && seen < CONDITION => {
                        work.extend_from_slice(f.args(inst));
                    }
                    _ => changes = true,
                }
            }
            if !changes {
                all.extend(awaited);
            }
        }
        all
    }

    /// Moves loads to the end of the block in front of a loop; of equal ones one stays.
    fn put_in_front(&mut self, f: &mut Function, front: Block, loads: &[Inst], stands: &mut Stands) {
        let Some(number) = self.cfg.number(front) else { return };
        let mut blocks: Vec<Block> = Vec::new();
        for &load in loads {
            let home = self.homes[f.result(load)] - 1;
            let block = self.cfg.block(home);
            if blocks.last() != Some(&block) {
                blocks.push(block);
            }
        }
        let moved: Chosen = loads.iter().copied().collect();
        for block in blocks {
            let mut insts = f.replace_insts(block, Vec::new());
            insts.retain(|inst| !moved.contains(inst));
            f.replace_insts(block, insts);
        }
        let mut kept: HashMap<_, Value, FxBuildHasher> = HashMap::default();
        for &load in loads {
            self.homes[f.result(load)] = number + 1;
            let data = f.inst(load);
            let place = (data.op, data.descr, f.args(load).first().copied());
            match kept.entry(place) {
                Entry::Occupied(equal) => {
                    stands.put(*equal.get(), f.result(load));
                    continue;
                }
                Entry::Vacant(new) => drop(new.insert(f.result(load))),
            }
            f.append_inst(front, load);
            if let Some(&object) = f.args(load).first() {
                self.accesses[object].push(number);
            }
        }
    }
}

/// Whether an operation reads memory and may leave for no handler.
fn is_load(f: &Function, inst: Inst) -> bool {
    matches!(f.inst(inst).op, Op::GetField | Op::GetStatic | Op::ArrayLen) && f.inst(inst).exit.is_none()
}

/// Whether nobody sees an operation.
fn is_silent(f: &Function, inst: Inst) -> bool {
    let row = f.row(inst);
    row.effect == Effect::Pure && row.exits == Exits::Never
}

/// Whether two loads read the same place.
fn are_equal(f: &Function, a: Inst, b: Inst) -> bool {
    let (x, y) = (f.inst(a), f.inst(b));
    (x.op, x.descr) == (y.op, y.descr) && x.exit.is_none() && y.exit.is_none() && f.args(a) == f.args(b)
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    /// The lines of the block in front of the loop `h` and of the loop after the pass, of a loop whose body begins with some
    /// lines and adds up what they call `x`.
    fn moved(lines: &str) -> (u64, String) {
        let source = format!(
            "location @a: i64 class 1\nlocation @b: i64 class 2\nlocation @c: i64 immutable class 3\n\
             location @longs: i64 class 4\ncallee @any\ncallee @sets_a reads * writes (1)\n\
             func f(o: ref, p: ref, n: i64) -> i64 {{\nentry:\n    jump h(0, 0)\nh(i: i64, s: i64):\n{lines}\
             \n    t = add(s, x)\n    j = add(i, 1)\n    on: i1 = lt(j, n)\n    branch on, h(j, t), out\nout:\n    return t\n}}\n"
        );
        after(&PASS, &source)
    }

    #[test]
    fn what_a_loop_does_not_change_is_loaded_in_front() {
        for lines in [
            "    x = get_field(o) @a",
            "    x: i64 = array_len(o) @longs",
            "    x = get_field(o) @a\n    set_field(p, s) @b",
            "    x = get_field(o) @c\n    call(i) @any",
            "    x = get_field(o) @b\n    call(i) @sets_a",
        ] {
            let (count, text) = moved(lines);
            assert_eq!(count, 1, "{lines}\n{text}");
        }
    }

    #[test]
    fn what_a_loop_may_change_stays() {
        for lines in [
            "    x = get_field(o) @a\n    set_field(p, s) @a",
            "    x = get_field(o) @a\n    call(i) @any",
            "    x = get_field(o) @a\n    call(i) @sets_a",
            // Whoever sees the store sees that it came first.
            "    set_field(p, s) @b\n    x = get_field(o) @a",
            "    call(i) @sets_a\n    x = get_field(o) @b",
        ] {
            let (count, text) = moved(lines);
            assert_eq!(count, 0, "{lines}\n{text}");
        }
    }

    #[test]
    fn a_load_of_what_another_one_gives_goes_as_well_and_equal_ones_are_one() {
        let source = "location @next: ref class 1\nlocation @a: i64 class 2\nfunc f(o: ref, n: i64) -> i64 {\nentry:\n    \
            jump h(0)\nh(i: i64):\n    p = get_field(o) @next\n    x = get_field(p) @a\n    y = get_field(p) @a\n    \
            z = add(x, y)\n    j = add(i, z)\n    on: i1 = lt(j, n)\n    branch on, h(j), out\nout:\n    return j\n}\n";
        let (count, text) = after(&PASS, source);
        assert_eq!(count, 3, "{text}");
        let (front, body) = text.split_once("h(").expect("a loop");
        assert_eq!((front.matches("get_field").count(), body.matches("get_field").count()), (2, 0), "{text}");
    }

    #[test]
    fn a_loop_that_waits_looks_again() {
        let source = "location @done: i64 class 1\nfunc f(o: ref) -> i64 {\nentry:\n    jump h\nh:\n    \
            x = get_field(o) @done\n    branch x, out, h\nout:\n    return x\n}\n";
        assert_eq!(after(&PASS, source).0, 0);
    }
}
