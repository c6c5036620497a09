//! Full loop unrolling (Muchnick 1997, 17.4.3): a loop with a known, small trip count becomes copies of its body.
//!
//! An innermost loop is run on what is known: header parameters that are the same constant on all ways in,
//! folded through the body round by round, branches taken where they are decided, both ways where not. If in
//! each round either all ways go back or none does, the number of rounds is known. Then the body is copied
//! once for each round but the last, in a row, and the walk behind finds that every test is decided.
//!
//! Bounded by [`ROUNDS`] and, copies times operations, by [`GROWTH`]. Values that are used behind the loop get
//! a definition in each copy; one repair of SSA settles all of them.

use planish_base::{Budget, SideTable, fault};
use planish_ir::{Block, BlockCall, Cfg, Function, Terminator, Value, copy_blocks, repair};
use planish_ops::{Datum, Effect, Fold, Int, Machine, fold};

use super::loop_closing::{close, handlers, may_be_closed};
use planish_pass::loop_info::{LoopInfo, Small};
use planish_pass::{Change, Example, FunctionPass, PassCx, PassInfo, PassOption};

/// At most so many rounds of a loop.
pub const ROUNDS: PassOption = PassOption::new("rounds", 64, "the most rounds of a loop");
/// At most so many operations and blocks that are copied for a loop.
pub const GROWTH: PassOption =
    PassOption::new("growth", 192, "the most operations and blocks that are copied for a loop");
/// At most so many operations and blocks that are copied in a function.
pub const GROWTH_IN_ALL: PassOption =
    PassOption::new("total", 2048, "the most operations and blocks that are copied in a function");

/// Unrolls loops.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["unroll"],
        source: "Muchnick 1997, 17.4.3",
        analyses: &["edges", "loops"],
        options: &[&ROUNDS, &GROWTH, &GROWTH_IN_ALL],
        example: Example { file: "loop_unroll.ssa", text: include_str!("examples/loop_unroll.ssa") },
        test: "crates/opt/src/passes/loop_unrolling.rs",
        ..PassInfo::new(
            "loop-unroll",
            "Loop unrolling, full: a loop that runs a known, small number of times is written out.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let cfg = cx.get::<Cfg>(f);
    let loops = cx.get::<LoopInfo>(f);
    let mut budget = Budget::new("operations copied by loop-unroll", cx.option(&GROWTH_IN_ALL));
    let entered = handlers(f);
    let mut chosen = Vec::new();
    for Small { index, blocks, size } in loops.small(f, &cfg, cx.count(&GROWTH)) {
        if f.has_handlers() && !may_be_closed(f, &blocks, &entered) {
            continue;
        }
        let header = cfg.block(loops.all()[index as usize].header);
        let most = cx.count(&ROUNDS).min(cx.count(&GROWTH) / size + 1);
        let Some(rounds) = (Rounds { f, cfg: &cfg, loops: &loops, index }).count(most) else { continue };
        if rounds >= 2 && budget.take((size * (rounds - 1)) as u64) && cx.may_change(f, header) {
            chosen.push((blocks, rounds));
        }
    }
    cx.record.note_budget(&budget);
    let groups = write_all_out(f, cx, chosen);
    if !groups.is_empty() {
        repair(f, &groups);
    }
}

/// Copies loops, each for all of its rounds but the last; the groups of values that are used behind them. Where the function has
/// handlers, the loops may all be [closed](may_be_closed).
pub(super) fn write_all_out(
    f: &mut Function,
    cx: &mut PassCx<'_>,
    chosen: Vec<(Vec<Block>, usize)>,
) -> Vec<Vec<Value>> {
    if chosen.is_empty() {
        return Vec::new();
    }
    let (loops, rounds): (Vec<Vec<Block>>, Vec<usize>) = chosen.into_iter().unzip();
    if f.has_handlers() {
        close(f, &loops);
        cx.changed(Change::Flow);
    }
    let (cfg, info) = (cx.get::<Cfg>(f), cx.get::<LoopInfo>(f));
    let mut groups: Vec<Vec<Value>> = Vec::new();
    // Copies of loops that were written out go where those went.
    let mut further: SideTable<Block, Vec<Block>> = SideTable::new();
    for (blocks, rounds) in loops.iter().zip(rounds) {
        let number = cfg.number(blocks[0]).expect("a loop that was counted is reached");
        let index = info.innermost(number).expect("its header is in it");
        groups.append(&mut write_out(f, &cfg, &info, index, blocks, rounds, &mut further));
    }
    groups
}

/// Copies a loop for all rounds but the last; the groups of values that are used behind it.
fn write_out(
    f: &mut Function,
    cfg: &Cfg,
    loops: &LoopInfo,
    index: u32,
    blocks: &[Block],
    rounds: usize,
    further: &mut SideTable<Block, Vec<Block>>,
) -> Vec<Vec<Value>> {
    let l = &loops.all()[index as usize];
    let header = cfg.block(l.header);
    let from_outside = cfg.preds().of(l.header).iter().filter(|&&number| !loops.contains(index, number));
    let mut outside: Vec<Block> = from_outside.map(|&number| cfg.block(number)).collect();
    outside.append(&mut further[header]);
    let mut copies = Vec::with_capacity(rounds);
    for _ in 1..rounds {
        copies.push(copy_blocks(f, blocks));
    }
    let headers: Vec<Block> =
        copies.iter().filter_map(|copied| copied.block(header)).chain([header]).collect();
    for source in outside {
        redirect(f, source, header, headers[0]);
    }
    for (copied, pair) in copies.iter().zip(headers.windows(2)) {
        for &latch in &l.latches {
            redirect(f, copied.block(cfg.block(latch)).expect("it was copied"), pair[0], pair[1]);
        }
    }
    for copy in copies.iter().flat_map(|copied| blocks.iter().filter_map(|&block| copied.block(block))) {
        f.block_calls(copy).for_each(|call| further[call.block].push(copy));
    }
    let mut groups = copies[0].groups();
    if fault!("loop-unroll: what is used behind the loop is not mended") {
        return Vec::new();
    }
    for copied in &copies[1..] {
        groups.iter_mut().zip(&copied.values).for_each(|(group, &(_, new))| group.push(new));
    }
    groups
}

fn redirect(f: &mut Function, source: Block, from: Block, to: Block) {
    let mut terminator = f.take_terminator(source);
    terminator.calls_mut().filter(|call| call.block == from).for_each(|call| call.block = to);
    f.set_terminator(source, terminator);
}

/// The number that a value is in a round, when it is known.
type Numbers = SideTable<Value, Option<Int>>;

/// A loop that is run on constants.
struct Rounds<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    loops: &'a LoopInfo,
    index: u32,
}

impl Rounds<'_> {
    /// How many rounds there are; `None` when it is not known, or more than `most`.
    fn count(&self, most: usize) -> Option<usize> {
        let l = &self.loops.all()[self.index as usize];
        let header = self.cfg.block(l.header);
        let mut brought = Meet::default();
        for &source in self.cfg.preds().of(l.header) {
            if self.loops.contains(self.index, source) {
                continue;
            }
            let calls = self.f.block_calls(self.cfg.block(source)).filter(|call| call.block == header);
            calls.for_each(|call| brought.add(self.f, call, &Numbers::new()));
        }
        for round in 1..=most {
            let (back, leaves) = self.round(header, &brought);
            match (back, leaves) {
                (None, _) => return Some(round),
                (Some(_), true) => return None,
                (Some(next), false) => brought = next,
            }
        }
        None
    }

    /// One round: what goes back, if anything may, and whether anything may leave.
    fn round(&self, header: Block, brought: &Meet) -> (Option<Meet>, bool) {
        let f = self.f;
        let l = &self.loops.all()[self.index as usize];
        let mut numbers = Numbers::new();
        let mut incoming: SideTable<Block, Option<Meet>> = SideTable::new();
        incoming[header] = Some(brought.clone());
        let (mut back, mut leaves) = (None, false);
        for &number in &l.own {
            let block = self.cfg.block(number);
            let Some(meet) = incoming[block].take() else { continue };
            for (&param, &known) in f.block_params(block).iter().zip(&meet.numbers) {
                numbers[param] = known;
            }
            for &inst in f.block_insts(block) {
                let row = f.row(inst);
                if row.effect != Effect::Pure || f.inst(inst).descr.is_some() || row.results.len() != 1 {
                    continue;
                }
                let known = |&arg: &Value| f.int_constant(arg).or(numbers[arg]).map(Datum::<Machine>::Word);
                let words: Option<Vec<_>> = f.args(inst).iter().map(known).collect();
                let result = f.result(inst);
                if let Some(words) = words
                    && let Some(Fold::Int(int)) = fold(f.inst(inst).op, &words, &[f.ty(result)])
                {
                    numbers[result] = Some(int);
                }
            }
            let known = |value: Value| f.int_constant(value).or(numbers[value]);
            let mut go = |call: BlockCall| {
                // A loop that was written out before begins at a copy, which has no number.
                let inside = |target: u32| self.loops.contains(self.index, target) && target > number;
                if call.block == header {
                    back.get_or_insert_with(Meet::default).add(f, call, &numbers);
                } else if self.cfg.number(call.block).is_some_and(inside) {
                    incoming[call.block].get_or_insert_with(Meet::default).add(f, call, &numbers);
                } else {
                    leaves = true;
                }
            };
            match f.terminator(block) {
                Terminator::Branch { condition, then, other } => match known(*condition) {
                    Some(int) => go(if int.is_true() { *then } else { *other }),
                    None => {
                        go(*then);
                        go(*other);
                    }
                },
                Terminator::Switch { on, cases, default } => match known(*on) {
                    Some(int) => {
                        go(cases.iter().find(|(key, _)| *key == int).map_or(*default, |(_, call)| *call));
                    }
                    None => {
                        cases.iter().for_each(|(_, call)| go(*call));
                        go(*default);
                    }
                },
                Terminator::Jump(call) => go(*call),
                Terminator::Return(_) | Terminator::Throw(..) => leaves = true,
                Terminator::Unreachable => {}
            }
        }
        (back, leaves)
    }
}

/// What several edges bring to the parameters of a block: a number where all bring the same.
#[derive(Clone, Default)]
struct Meet {
    edges: usize,
    numbers: Vec<Option<Int>>,
}

impl Meet {
    fn add(&mut self, f: &Function, call: BlockCall, numbers: &Numbers) {
        let brought = f.list(call.args).iter().map(|&arg| f.int_constant(arg).or(numbers[arg]));
        if self.edges == 0 {
            self.numbers = brought.collect();
        } else {
            for (known, other) in self.numbers.iter_mut().zip(brought) {
                *known = known.filter(|number| Some(*number) == other);
            }
        }
        self.edges += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::changed;
    use planish_pass::Target;

    fn unrolled(source: &str) -> (u64, usize) {
        let (count, module) = changed(&PASS, source, Target::MACHINE);
        (count, module.functions.values().map(|f| f.blocks().len()).sum())
    }

    #[test]
    fn a_loop_that_counts_to_four_is_four_bodies() {
        let source = |limit: &str| {
            format!(
                "func f(v0: i64) -> i64 {{\ne:\n    jump h(0, v0)\nh(v1: i64, v2: i64):\n    branch v2, a, b(v2)\n\
                 a:\n    v3 = mul(v2, v2)\n    jump b(v3)\nb(v4: i64):\n    v5 = add(v1, 1)\n    \
                 v6: i1 = lt(v5, {limit})\n    branch v6, h(v5, v4), x\nx:\n    return v4\n}}\n"
            )
        };
        assert_eq!(unrolled(&source("4")), (1, 2 + 4 * 3));
        assert_eq!(unrolled(&source("v0")), (0, 5), "the limit is not known");
        assert_eq!(unrolled(&source("1000")), (0, 5), "too many rounds");
    }

    /// A loop of four rounds in front of a call, which has a handler that uses what the loop made, or with the call in it.
    fn beside_a_handler(inside: &str, behind: &str, entry: &str) -> (u64, usize) {
        unrolled(&format!(
            "callee @g raises\nfunc f(v0: i64) -> i64 {{\ne:\n{entry}h(v1: i64, v2: i64):\n{inside}    \
             v3 = mul(v2, v0)\n    v4 = add(v1, 1)\n    v5: i1 = lt(v4, 4)\n    branch v5, h(v4, v3), x\nx:\n{behind}    \
             return v3\ny(v6: ref, v7: i64):\n    v8 = add(v7, v3)\n    return v8\nz(v9: ref):\n    jump h(2, 3)\n}}\n"
        ))
    }

    #[test]
    fn a_loop_beside_handlers_is_written_out_where_it_leads_to_none() {
        let (enter, call) = ("    jump h(0, v0)\n", "    call(v0) @g else to(v3) [*: y]\n");
        // What the handler uses goes there through a parameter behind the loop.
        assert_eq!(beside_a_handler("", call, enter), (1, 4 + 3 + 1));
        assert_eq!(beside_a_handler("    call(v0) @g else to() [*: z]\n", "", enter).0, 0, "it leads to one");
        let from_handler = "    call(v0) @g else to() [*: z]\n    return 1\n";
        assert_eq!(
            beside_a_handler("", call, from_handler).0,
            1,
            "it is entered from one, and goes on to another"
        );
    }
}
