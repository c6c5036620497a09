//! Global code motion (Click, PLDI 1995): loop-invariant code motion and sinking in one; each pure operation is
//! scheduled where it executes least.
//!
//! Between the earliest place that
//! its operands allow and the latest that dominates all uses, an operation goes to the block in the fewest
//! loops; of several, the latest. Two things bound that, so that no path executes more than before:
//!
//! - Out of a loop it goes only if the loop, once entered, comes to it before it is left. (Rotated loops do
//!   that for everything that no branch inside guards.)
//! - Into a loop that it did not stand in it never goes.
//!
//! What may be undefined stays, but for a division by a constant that is not zero: nothing is speculated.
//!
//! A call that only computes ([`elidable`](planish_ops::world::CallEffect::elidable)) and cannot raise moves like an
//! operation: so its result is computed only in the arm that uses it (partial dead code elimination, Knoop, Rüthing
//! and Steffen, PLDI 1994). One that may read memory moves to later places only.
//!
//! A handler sees what dominates the start of a block whose exits go there. So what moves into a block with such exits
//! is used in that block alone.
//!
//! Every loop gets a block in front of it for what leaves it; where nothing does, that is taken away again.
//!
//! O(size of the function times depth of the dominator tree between the earliest and the latest place).

use planish_base::{Id, SideTable, fault};
use planish_ir::dominators::Dominators;
use planish_ir::{Cfg, Def, Function, Inst, Terminator, Value};
use planish_ops::world::World;
use planish_ops::{Effect, Op};

use super::preheaders::{put_blocks_in_front_of_loops, take_back_empty};
use planish_pass::LoopInfo;
use planish_pass::{Became, Example, FunctionPass, PassCx, PassInfo, PassOption, Site};

/// Whether calls move, too. Where a body is judged by how many of them are made on fewer paths, that is a step of its own.
pub const CALLS: PassOption = PassOption::new("calls", 1, "1: pure calls move like operations; 0: they stay");

/// Places operations.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["schedule", "late"],
        source: "Click, \"Global Code Motion, Global Value Numbering\", PLDI 1995",
        analyses: &["edges", "dominators", "loops"],
        options: &[&CALLS],
        example: Example { file: "gcm.ssa", text: include_str!("examples/gcm.ssa") },
        test: "crates/opt/src/passes/global_code_motion.rs",
        ..PassInfo::new(
            "gcm",
            "Global code motion: operations and pure calls leave loops, and sink into the arms that need them.",
        )
    },
    run,
};

/// No block has been chosen.
const NONE: u32 = u32::MAX;

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if f.blocks().len() == 1 || !cx.record.has_fuel() {
        return;
    }
    let fronts = put_blocks_in_front_of_loops(f, cx);
    let cfg = cx.get::<Cfg>(f);
    let dominators = cx.get::<Dominators>(f);
    let loops = cx.get::<LoopInfo>(f);
    let moves_calls = cx.option(&CALLS) > 0;
    let freedom =
        |inst| if moves_calls { freedom(f, cx.world, inst) } else { freedom_of_operations(f, inst) };
    let mut plan = Plan::new(f, freedom, &cfg, &dominators, &loops);
    plan.latest(cx);
    if plan.moves {
        let Plan { order, chosen, .. } = plan;
        place(f, &cfg, &order, &chosen);
    }
    take_back_empty(f, cx, &fronts);
}

/// Whether an operation computes and nothing else, wherever it stands.
pub(super) fn floats(f: &Function, inst: Inst) -> bool {
    let (data, row) = (f.inst(inst), f.row(inst));
    let divides_safely = || {
        let divisor = row.divisor.and_then(|operand| f.int_constant(f.args(inst)[usize::from(operand)]));
        divisor.is_some_and(|divisor| divisor.is_true()) || fault!("gcm: any division may move")
    };
    row.effect == Effect::Pure
        && data.exit.is_none()
        && data.descr.is_none()
        && row.results.len() == 1
        && (!row.partial || divides_safely())
}

/// How far an instruction may move.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Freedom {
    /// Not at all.
    Fixed,
    /// To any place that its operands and uses allow.
    Any,
    /// To later places only: between an earlier one and its own something may be written that it reads.
    Later,
}

/// How far an instruction may move.
pub(super) fn freedom(f: &Function, world: &dyn World, inst: Inst) -> Freedom {
    if f.inst(inst).op != Op::Call {
        return freedom_of_operations(f, inst);
    }
    let data = f.inst(inst);
    let Some(descr) = data.descr.filter(|_| data.exit.is_none()) else {
        return Freedom::Fixed;
    };
    let effect = world.call_effect(descr);
    if !effect.elidable || effect.raises || f.results(inst).len() != 1 {
        return Freedom::Fixed;
    }
    match effect.reads.as_deref() {
        Some([]) => Freedom::Any,
        _ => Freedom::Later,
    }
}

/// The same where calls stay.
fn freedom_of_operations(f: &Function, inst: Inst) -> Freedom {
    if floats(f, inst) { Freedom::Any } else { Freedom::Fixed }
}

/// Where everything goes.
struct Plan<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    dominators: &'a Dominators,
    loops: &'a LoopInfo,
    /// See [`shallower`].
    shallower: Vec<Option<u32>>,
    /// See [`left_from`].
    left_from: Vec<Option<u32>>,
    /// Operations that may move, operands before users.
    order: Vec<Inst>,
    /// Where an operation stands.
    stands: SideTable<Inst, u32>,
    /// The first block where its operands are available.
    earliest: SideTable<Inst, u32>,
    /// The lowest block that dominates all uses found so far, then the block that was chosen.
    chosen: SideTable<Inst, u32>,
    /// Whether there are uses in more than one block.
    spread: SideTable<Inst, bool>,
    /// For each block whether an exit of it goes to a handler.
    has_handlers: Vec<bool>,
    moves: bool,
}

impl<'a> Plan<'a> {
    fn new(
        f: &'a Function,
        freedom: impl Fn(Inst) -> Freedom,
        cfg: &'a Cfg,
        dominators: &'a Dominators,
        loops: &'a LoopInfo,
    ) -> Self {
        let mut plan = Plan {
            f,
            cfg,
            dominators,
            loops,
            shallower: shallower(dominators, loops, cfg.order().len() as u32),
            left_from: left_from(cfg, dominators, loops),
            order: Vec::new(),
            stands: SideTable::with_default(NONE),
            earliest: SideTable::with_default(NONE),
            chosen: SideTable::with_default(NONE),
            spread: SideTable::new(),
            has_handlers: cfg.order().iter().map(|&block| f.handlers(block).next().is_some()).collect(),
            moves: false,
        };
        for (number, &block) in (0..).zip(cfg.order()) {
            for &inst in f.block_insts(block) {
                plan.stands[inst] = number;
            }
        }
        // Reverse postorder visits what dominates first, so operands come before users.
        for (number, &block) in (0..).zip(cfg.order()) {
            for &inst in f.block_insts(block) {
                let mut earliest = match freedom(inst) {
                    Freedom::Fixed => continue,
                    Freedom::Any => 0,
                    Freedom::Later => number,
                };
                for &arg in f.args(inst) {
                    let at = plan.available(arg);
                    if dominators.dominates(earliest, at) {
                        earliest = at;
                    }
                }
                debug_assert!(dominators.dominates(earliest, number));
                plan.earliest[inst] = earliest;
                plan.order.push(inst);
            }
        }
        plan
    }

    /// The first block in which a value could be available.
    fn available(&self, value: Value) -> u32 {
        match self.f.def(value) {
            Def::Const(_) => 0,
            Def::Param(block, _) => self.cfg.number(block).expect("it can be reached"),
            Def::Result(inst, _) => match self.earliest[inst] {
                NONE => self.stands[inst],
                earliest => earliest,
            },
        }
    }

    /// Chooses from the last user to the first operand. What may not be rewritten stays.
    fn latest(&mut self, cx: &mut PassCx<'_>) {
        let f = self.f;
        for (number, &block) in (0..).zip(self.cfg.order()) {
            for &inst in f.block_insts(block) {
                if self.earliest[inst] == NONE {
                    f.args(inst).iter().for_each(|&arg| self.used(arg, number));
                }
                if let Some(exit) = f.inst(inst).exit {
                    f.exit_args(exit).iter().for_each(|&arg| self.used(arg, number));
                }
            }
            let terminator = f.terminator(block);
            terminator.condition().iter().for_each(|&value| self.used(value, number));
            terminator
                .calls()
                .for_each(|call| f.list(call.args).iter().for_each(|&arg| self.used(arg, number)));
            match terminator {
                Terminator::Return(results) => f.list(*results).iter().for_each(|&v| self.used(v, number)),
                Terminator::Throw(_, Some(exit)) => {
                    f.exit_args(*exit).iter().for_each(|&v| self.used(v, number));
                }
                _ => {}
            }
        }
        for index in (0..self.order.len()).rev() {
            let inst = self.order[index];
            let stands = self.stands[inst];
            // What nothing uses stays where it is until it goes.
            let latest = self.chosen[inst];
            let mut chosen = if latest == NONE { stands } else { self.choose(inst, latest) };
            if chosen != stands && !self.may_move(cx, inst, latest) {
                chosen = stands;
            }
            self.moves |= chosen != stands;
            self.chosen[inst] = chosen;
            for &arg in f.args(inst) {
                self.used(arg, chosen);
            }
        }
    }

    /// Asks whether an instruction may move whose uses are below a block. Where one of them left a loop, so must what it
    /// takes, and that burns no fuel.
    fn may_move(&self, cx: &mut PassCx<'_>, inst: Inst, latest: u32) -> bool {
        if !self.dominators.dominates(self.stands[inst], latest) {
            cx.record.note(cx.kind(), Site::of(self.f, inst), Became::Changed);
            return true;
        }
        cx.decide(inst, true) && cx.rewrite(self.f, inst, Became::Changed)
    }

    fn used(&mut self, value: Value, at: u32) {
        let Def::Result(inst, _) = self.f.def(value) else { return };
        if self.earliest[inst] != NONE {
            self.chosen[inst] = match self.chosen[inst] {
                NONE => at,
                other => {
                    self.spread[inst] |= other != at;
                    self.dominators.common(other, at)
                }
            };
        }
    }

    /// The block in the fewest loops, at or above the latest.
    fn choose(&self, inst: Inst, latest: u32) -> u32 {
        let (stands, earliest) = (self.stands[inst], self.earliest[inst]);
        let mut best = latest;
        // (A user that left a loop takes its operands along: the latest is then above.)
        let dominated = |at: &u32| self.dominators.dominates(stands, *at);
        while let Some(at) = self.shallower[best as usize].filter(dominated) {
            best = at;
        }
        // Upwards from here, a loop at a time.
        while let Some(index) = self.loops.innermost(best) {
            let l = &self.loops.all()[index as usize];
            let front = self.dominators.idom(l.header);
            if l.irreducible
                || l.header == 0
                || self.has_handlers[front as usize]
                || !self.dominators.dominates(earliest, front)
                || !self.always_reached(index, best)
            {
                break;
            }
            best = front;
        }
        // A handler would not see what its block makes.
        let unseen = self.has_handlers[best as usize] && (self.spread[inst] || best != latest);
        if unseen { stands } else { best }
    }

    /// Whether a loop, once entered, comes to one of its blocks before it is left.
    fn always_reached(&self, index: u32, block: u32) -> bool {
        self.left_from[index as usize].is_none_or(|last| self.dominators.dominates(block, last))
    }
}

/// For each block the nearest above it, in the tree of dominators, that is in fewer loops.
fn shallower(dominators: &Dominators, loops: &LoopInfo, count: u32) -> Vec<Option<u32>> {
    let mut shallower: Vec<Option<u32>> = Vec::with_capacity(count as usize);
    for block in 0..count {
        let mut above = Some(dominators.idom(block)).filter(|&above| above != block);
        while let Some(at) = above.filter(|&at| loops.depth(at) >= loops.depth(block)) {
            above = shallower[at as usize];
        }
        shallower.push(above);
    }
    shallower
}

/// For each loop the lowest block that dominates all blocks from which it is left, if it ever is.
fn left_from(cfg: &Cfg, dominators: &Dominators, loops: &LoopInfo) -> Vec<Option<u32>> {
    let mut left_from: Vec<Option<u32>> = vec![None; loops.all().len()];
    for (from, to) in cfg.succs().edges() {
        for index in loops.left_by(from, to) {
            let last = &mut left_from[index as usize];
            *last = Some(last.map_or(from, |other| dominators.common(other, from)));
        }
    }
    left_from
}

/// Puts every operation into the block that was chosen for it, before what uses it there.
fn place(f: &mut Function, cfg: &Cfg, order: &[Inst], chosen: &SideTable<Inst, u32>) {
    let mut arriving: Vec<Vec<Inst>> = vec![Vec::new(); cfg.order().len()];
    for &inst in order {
        arriving[chosen[inst] as usize].push(inst);
    }
    let mut placed = vec![false; f.inst_count()];
    for (number, &block) in (0..).zip(cfg.order()) {
        let old = f.replace_insts(block, Vec::new());
        let mut list = Vec::with_capacity(old.len());
        let stays = |inst: &Inst| chosen[*inst] == NONE || chosen[*inst] == number;
        let last = arriving[number as usize].iter().copied();
        for inst in old.into_iter().filter(stays).chain(last) {
            if chosen[inst] == NONE {
                // Exits may look at what came here, too.
                let exit = f.inst(inst).exit.map_or(&[][..], |exit| f.exit_args(exit));
                for &arg in f.args(inst).iter().chain(exit) {
                    make(f, arg, number, chosen, &mut placed, &mut list);
                }
                list.push(inst);
            } else {
                make(f, f.result(inst), number, chosen, &mut placed, &mut list);
            }
        }
        f.replace_insts(block, list);
    }
}

/// Appends the operation that makes a value, behind what it needs, if it goes to this block.
fn make(
    f: &Function,
    value: Value,
    number: u32,
    chosen: &SideTable<Inst, u32>,
    placed: &mut [bool],
    list: &mut Vec<Inst>,
) {
    let comes_here = |value: Value, placed: &[bool]| {
        f.def_inst(value).filter(|&inst| chosen[inst] == number && !placed[inst.index()])
    };
    let Some(root) = comes_here(value, placed) else { return };
    let mut stack = vec![root];
    while let Some(&inst) = stack.last() {
        match f.args(inst).iter().find_map(|&arg| comes_here(arg, placed)) {
            Some(first) => stack.push(first),
            None => {
                stack.pop();
                if !std::mem::replace(&mut placed[inst.index()], true) {
                    list.push(inst);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use planish_ir::{Block, Function};
    use planish_ops::Op;

    use super::PASS;
    use crate::passes::testing::changed;
    use planish_pass::Target;

    fn scheduled(source: &str) -> Function {
        let (_, module) = changed(&PASS, source, Target::MACHINE);
        module.functions.into_values().next().expect("a function")
    }

    fn ops(f: &Function, name: &str) -> Vec<Op> {
        let named = |block: &&Block| f.block_name(**block) == Some(name);
        let block = *f.blocks().iter().find(named).expect("the block");
        f.block_insts(block).iter().map(|&inst| f.inst(inst).op).collect()
    }

    /// S2.46: what an operation needs says where it may stand.
    #[test]
    fn what_one_arm_needs_goes_there_and_a_division_stays() {
        let f = scheduled(
            "func f(v0: i64, v1: i64) -> i64 {\ne:\n    v2 = mul(v0, v1)\n    v3 = add(v2, 1)\n    \
             v4 = sdiv(v0, v1)\n    branch v0, a, b\na:\n    return v3\nb:\n    return v4\n}\n",
        );
        assert_eq!(ops(&f, "e"), [Op::Sdiv]);
        assert_eq!(ops(&f, "a"), [Op::Mul, Op::Add]);
    }

    #[test]
    fn out_of_a_loop_only_what_every_run_of_it_comes_to() {
        let f = scheduled(
            "func f(v0: i64, v1: i64) -> i64 {\ne:\n    jump h(v0, v1)\nh(v2: i64, v3: i64):\n    \
             v4 = mul(v0, v1)\n    v5 = sub(v2, v4)\n    branch v3, a, b\na:\n    v6 = add(v0, v1)\n    \
             jump b2(v6)\nb:\n    jump b2(v5)\nb2(v7: i64):\n    branch v7, h(v5, v7), x\nx:\n    return v7\n}\n",
        );
        assert_eq!(ops(&f, "e"), [Op::Mul], "the sum is behind a branch");
        assert_eq!(ops(&f, "a"), [Op::Add]);
        assert_eq!(ops(&f, "h"), [Op::Sub], "both arms and the next round need it");
    }

    const CALLEES: &str = "callee @f elidable reads () writes ()\ncallee @h elidable writes ()\n\
        callee @g elidable raises reads () writes ()\ncallee @s\n";

    #[test]
    fn a_pure_call_is_made_in_the_arm_that_uses_it_even_behind_what_it_may_read() {
        for (callee, moves) in [("@f", true), ("@h", true), ("@g", false), ("@s", false)] {
            let f = scheduled(&format!(
                "{CALLEES}func test(v0: i64, v1: i64) -> i64 {{\ne:\n    v2: i64 = call(v0) {callee}\n    call(v0) @s\n    \
                 v3 = add(v2, 1)\n    branch v1, a, b\na:\n    return v3\nb:\n    return v1\n}}\n"
            ));
            let arm: &[Op] = if moves { &[Op::Call, Op::Add] } else { &[Op::Add] };
            assert_eq!(ops(&f, "a"), arm, "{callee}");
        }
    }

    #[test]
    fn a_pure_call_leaves_a_loop_unless_it_may_read_what_is_written_before() {
        for (callee, moves) in [("@f", true), ("@h", false), ("@g", false)] {
            let f = scheduled(&format!(
                "{CALLEES}func test(v0: i64, v1: i64) -> i64 {{\ne:\n    call(v0) @s\n    jump h(v0)\nh(v2: i64):\n    \
                 call(v2) @s\n    v3: i64 = call(v1) {callee}\n    v4 = sub(v2, v3)\n    branch v4, h(v4), x\nx:\n    \
                 return v4\n}}\n"
            ));
            assert_eq!(ops(&f, "e").len(), if moves { 2 } else { 1 }, "{callee}");
        }
    }

    #[test]
    fn what_a_handler_sees_does_not_move_into_the_block_that_exits_to_it() {
        // Both the arm and its handler use the product: it stays in front of the arm.
        let both = scheduled(
            "callee @g raises\nfunc f(v0: i64, v1: i64) -> i64 {\ne:\n    v2 = mul(v0, v0)\n    \
             branch v1, a, b\na:\n    call(v2) @g else to() [*: h]\n    return v1\nb:\n    return v1\n\
             h(v3: ref):\n    return v2\n}\n",
        );
        assert_eq!(ops(&both, "e"), [Op::Mul]);
        // The arm alone: it goes there, in front of what may raise.
        let arm = scheduled(
            "callee @g raises\nfunc f(v0: i64, v1: i64) -> i64 {\ne:\n    v2 = mul(v0, v0)\n    \
             branch v1, a, b\na:\n    call(v2) @g else to() [*: h]\n    return v1\nb:\n    return v1\n\
             h(v3: ref):\n    return v0\n}\n",
        );
        assert_eq!(ops(&arm, "a"), [Op::Mul, Op::Call]);
        // The handler alone: only there is it computed.
        let handler = scheduled(
            "callee @g raises\nfunc f(v0: i64, v1: i64) -> i64 {\ne:\n    v2 = mul(v0, v0)\n    \
             call(v1) @g else to() [*: h]\n    return v1\nh(v3: ref):\n    return v2\n}\n",
        );
        assert_eq!(ops(&handler, "h"), [Op::Mul]);
    }

    #[test]
    fn nothing_goes_into_a_loop() {
        let f = scheduled(
            "func f(v0: i64) -> i64 {\ne:\n    v1 = mul(v0, v0)\n    jump h(v0)\nh(v2: i64):\n    \
             v3 = sub(v2, v1)\n    branch v3, h(v3), x\nx:\n    return v3\n}\n",
        );
        assert_eq!(ops(&f, "e"), [Op::Mul]);
    }
}
