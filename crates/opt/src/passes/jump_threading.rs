//! Jump threading (LLVM `JumpThreading`; Muchnick 1997, 18.11): an edge on which the outcome of the next branch is
//! known skips that branch.
//!
//! ```text
//! a: jump j(1)            a: jump t'            j' is j with its branch decided
//! b: jump j(v)     becomes b: jump j(v)
//! j(p): branch p, t, u     j(p): branch p, t, u
//! ```
//!
//! Two branches on one predicate become one, and a flag that is set in one branch and tested behind it costs
//! nothing. What an edge tells: the constants it passes, the branch from which it comes, and every branch
//! that dominates it. The operations of the block are folded with that, and comparisons are decided by others of the same
//! operands, or of one of them with constants (`orders.rs`); if its branch is decided, the edge
//! goes to a copy of the block whose end goes one way.
//!
//! A header of a loop is copied only for an edge on which the loop is left, so no loop gets a second entry;
//! [`dfa_jump_threading`](super::dfa_jump_threading) looks at the others. Copies are bounded by [`SIZE`] operations
//! a block and [`GROWTH`] in all; nothing is executed that was not. One repair of SSA for all. What an exit
//! passes to its handler cannot be repaired, so in a function with handlers a block is copied only if nothing
//! outside of it uses what it makes and no exit in it goes to a handler. Objects without content
//! ([`unfinished`](planish_ops::world::World::unfinished)) cannot be repaired anywhere: a block that makes one is not copied.
//!
//! Where code has to stay short, `size=1` copies only blocks that hardly do anything but branch.

use planish_base::{Budget, Id, fault};
use planish_ir::dominators::Dominators;
use planish_ir::{Block, Cfg, Const, Function, Inst, Terminator, Value, copy_blocks, repair};
use planish_ops::{Datum, Effect, Fold, Int, Machine, Op, Type, fold};

use super::orders::Orders;
use planish_pass::{Example, FunctionPass, LoopInfo, PassCx, PassInfo, PassOption};

/// At most so many operations of a block that is copied.
pub const SIZE: PassOption = PassOption::new("size", 8, "the most operations of a block that is copied");
/// At most so many operations that are copied in a function.
pub const GROWTH: PassOption =
    PassOption::new("growth", 1024, "the most operations that are copied in a function");
/// How many blocks above an edge are asked what they tell.
const ABOVE: usize = 24;

/// Threads jumps.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["thread"],
        source: "LLVM JumpThreading; Muchnick 1997, 18.11",
        analyses: &["edges", "dominators", "loops"],
        options: &[&SIZE, &GROWTH],
        example: Example { file: "jump_threading.ssa", text: include_str!("examples/jump_threading.ssa") },
        test: "crates/opt/src/passes/jump_threading.rs",
        ..PassInfo::new(
            "jump-threading",
            "Jump threading: an edge on which the outcome of a branch is known goes where that goes.",
        )
    },
    run,
};
fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let size = cx.count(&SIZE);
    if f.blocks().len() < 3 || !decides_where_ways_meet(f, size) {
        return;
    }
    let stays_inside = f.has_handlers().then(|| stays_inside(f));
    let cfg = cx.get::<Cfg>(f);
    let dominators = cx.get::<Dominators>(f);
    let loops = cx.get::<LoopInfo>(f);
    let mut budget = Budget::new("operations copied by jump-threading", cx.option(&GROWTH));
    let mut groups: Vec<Vec<Value>> = Vec::new();
    for (number, &block) in (0..).zip(cfg.order()) {
        let preds = cfg.preds().of(number);
        let is_header = preds.iter().any(|&pred| pred >= number);
        let inside = loops.innermost(number).filter(|_| is_header);
        let is_entered_elsewhere = is_header
            && inside.is_none_or(|index| {
                let l = &loops.all()[index as usize];
                l.header != number || l.irreducible
            });
        let decides = matches!(f.terminator(block), Terminator::Branch { .. } | Terminator::Switch { .. });
        if number == 0
            || preds.len() < 2
            || is_entered_elsewhere
            || !decides
            || f.block_insts(block).len() > size
        {
            continue;
        }
        if stays_inside.as_ref().is_some_and(|stays| !stays[block.index()]) || makes_unfinished(f, cx, block)
        {
            continue;
        }
        let mut values: Vec<Vec<Value>> = Vec::new();
        for (way, edges) in decided(f, (&cfg, &dominators), block, preds) {
            let target = f.block_calls(block).nth(way).map(|call| call.block);
            let stays = |target: Block| {
                let is_inside = |index| cfg.number(target).is_none_or(|target| loops.contains(index, target));
                target == block || inside.is_some_and(is_inside)
            };
            if target.is_none_or(stays)
                || !budget.take(f.block_insts(block).len() as u64 + 1)
                || !cx.may_change(f, block)
            {
                continue;
            }
            let copied = copy_blocks(f, &[block]);
            let copy = copied.block(block).expect("it was copied");
            let call = f.block_calls(copy).nth(way).expect("the copy ends alike");
            f.set_terminator(copy, Terminator::Jump(call));
            for (source, edge) in edges {
                let mut terminator = f.take_terminator(source);
                if let Some(call) = terminator.calls_mut().nth(edge) {
                    call.block = copy;
                }
                f.set_terminator(source, terminator);
            }
            match values.is_empty() {
                true => values = copied.groups(),
                false => values.iter_mut().zip(&copied.values).for_each(|(group, &(_, new))| group.push(new)),
            }
        }
        groups.append(&mut values);
    }
    cx.record.note_budget(&budget);
    if groups.is_empty() {
        return;
    }
    if stays_inside.is_none() {
        return repair(f, &groups);
    }
    let cfg = Cfg::new(f);
    let layout = f.blocks().iter().copied().filter(|&block| cfg.is_reachable(block)).collect();
    f.set_layout(layout);
}

/// Edges to a block, `(block, edge)`, that know where they go on, by that.
fn decided(
    f: &Function,
    (cfg, dominators): (&Cfg, &Dominators),
    block: Block,
    preds: &[u32],
) -> Vec<(usize, Vec<(Block, usize)>)> {
    let mut decided: Vec<(usize, Vec<(Block, usize)>)> = Vec::new();
    let mut sources = preds.to_vec();
    sources.dedup();
    for source in sources {
        let above = lessons_above(f, cfg, dominators, source);
        for (edge, call) in f.block_calls(cfg.block(source)).enumerate() {
            if call.block != block {
                continue;
            }
            let mut known = above.clone();
            lessons_of_edge(f, cfg.block(source), edge, &mut known);
            if let Some(way) = outcome(f, block, f.list(call.args), known) {
                let edge = (cfg.block(source), edge);
                match decided.iter_mut().find(|(other, _)| *other == way) {
                    Some((_, edges)) => edges.push(edge),
                    None => decided.push((way, vec![edge])),
                }
            }
        }
    }
    decided
}

/// Whether there is a block of at most so many operations to which several edges lead, and which decides where to go on.
pub(super) fn decides_where_ways_meet(f: &Function, size: usize) -> bool {
    let mut edges = vec![0u32; f.block_count()];
    for &block in f.blocks() {
        f.block_calls(block).for_each(|call| edges[call.block.index()] += 1);
        f.handlers(block).for_each(|(_, handler)| edges[handler.block.index()] += 1);
    }
    let decides =
        |block| matches!(f.terminator(block), Terminator::Branch { .. } | Terminator::Switch { .. });
    let blocks = f.blocks().iter().copied();
    blocks
        .filter(|block| edges[block.index()] > 1)
        .any(|block| decides(block) && f.block_insts(block).len() <= size)
}

/// Whether a block makes an object that has no content yet.
pub(super) fn makes_unfinished(f: &Function, cx: &PassCx<'_>, block: Block) -> bool {
    let is_unfinished = |inst: Inst| f.inst(inst).descr.is_some_and(|descr| cx.world.unfinished(descr));
    f.block_insts(block).iter().any(|&inst| is_unfinished(inst))
}

/// The blocks that can be copied without repair: no exit leads to or from them, and nothing outside uses what
/// they make.
pub(super) fn stays_inside(f: &Function) -> Vec<bool> {
    let mut stays = vec![true; f.block_count()];
    let mut home: Vec<Option<Block>> = vec![None; f.value_count()];
    for &block in f.blocks() {
        f.block_params(block).iter().for_each(|param| home[param.index()] = Some(block));
        for &inst in f.block_insts(block) {
            f.results(inst).for_each(|result| home[result.index()] = Some(block));
        }
        for (_, handler) in f.handlers(block) {
            stays[block.index()] = false;
            stays[handler.block.index()] = false;
        }
    }
    for &block in f.blocks() {
        let terminator = f.terminator(block);
        let ends = terminator.calls().flat_map(|call| f.list(call.args)).copied();
        let results = match terminator {
            Terminator::Return(results) => f.list(*results),
            _ => &[],
        };
        let thrown = match terminator {
            Terminator::Throw(_, Some(exit)) => f.exit_args(*exit),
            _ => &[],
        };
        let insts = f.block_insts(block).iter().flat_map(|&inst| {
            let exit = f.inst(inst).exit.map_or(&[][..], |exit| f.exit_args(exit));
            f.args(inst).iter().chain(exit)
        });
        let others = insts.chain(results).chain(thrown).copied();
        for value in others.chain(ends).chain(terminator.condition()) {
            if let Some(made) = home[value.index()]
                && made != block
            {
                stays[made.index()] = false;
            }
        }
    }
    stays
}

/// What is known of a value: that it is not zero, which number it is, or that it is no object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Lesson {
    NotZero(Value),
    Is(Value, Int),
    Null(Value),
}

impl Lesson {
    /// The value of which it is known.
    fn of(self) -> Value {
        let (Lesson::NotZero(value) | Lesson::Is(value, _) | Lesson::Null(value)) = self;
        value
    }

    /// Whether the value is not zero, if it is a number.
    fn truth(self) -> Option<(Value, bool)> {
        match self {
            Lesson::NotZero(value) => Some((value, true)),
            Lesson::Is(value, number) => Some((value, number.is_true())),
            Lesson::Null(_) => None,
        }
    }

    /// The same of another value.
    fn about(self, value: Value) -> Lesson {
        match self {
            Lesson::NotZero(_) => Lesson::NotZero(value),
            Lesson::Is(_, number) => Lesson::Is(value, number),
            Lesson::Null(_) => Lesson::Null(value),
        }
    }

    /// What is known of a constant.
    fn of_constant(f: &Function, value: Value) -> Option<Lesson> {
        match f.constant(value)? {
            Const::Int(number) => Some(Lesson::Is(value, number)),
            Const::Null => Some(Lesson::Null(value)),
            _ => None,
        }
    }
}

/// What the branches tell that dominate a block.
pub(super) fn lessons_above(f: &Function, cfg: &Cfg, dominators: &Dominators, block: u32) -> Vec<Lesson> {
    let mut lessons = Vec::new();
    let mut at = block;
    for _ in 0..ABOVE {
        if at == 0 {
            break;
        }
        let above = dominators.idom(at);
        if cfg.preds().of(at) == [above] {
            let (source, target) = (cfg.block(above), cfg.block(at));
            // A handler is entered from exits, which tell nothing.
            if let Some((edge, call)) =
                f.block_calls(source).enumerate().find(|(_, call)| call.block == target)
            {
                lessons_of_edge(f, source, edge, &mut lessons);
                for (&param, &arg) in f.block_params(target).iter().zip(f.list(call.args)) {
                    lessons.extend(Lesson::of_constant(f, arg).map(|lesson| lesson.about(param)));
                }
            }
        }
        at = above;
    }
    lessons
}

/// What taking an edge tells; `edge` counts the calls of the terminator.
pub(super) fn lessons_of_edge(f: &Function, source: Block, edge: usize, lessons: &mut Vec<Lesson>) {
    match f.terminator(source) {
        Terminator::Branch { condition, .. } => truth(f, *condition, edge == 0, lessons),
        Terminator::Switch { on, cases, .. } => {
            if let Some((key, _)) = cases.get(edge) {
                lessons.push(Lesson::Is(*on, *key));
            }
        }
        _ => {}
    }
}

/// What follows from a value being zero or not.
fn truth(f: &Function, value: Value, holds: bool, lessons: &mut Vec<Lesson>) {
    let Some(width) = f.ty(value).int_width() else { return };
    match holds {
        true if width == 1 => lessons.push(Lesson::Is(value, Int::bit(true))),
        true => lessons.push(Lesson::NotZero(value)),
        false => lessons.push(Lesson::Is(value, Int::new(width, 0))),
    }
    let Some(inst) = f.def_inst(value) else { return };
    match (f.inst(inst).op, f.args(inst), holds) {
        (Op::Eq, &[x, y], true) | (Op::Ne, &[x, y], false) => {
            for (x, y) in [(x, y), (y, x)] {
                if let Some(number) = f.int_constant(y) {
                    lessons.push(Lesson::Is(x, number));
                }
            }
        }
        (Op::IsNull, &[x], true) | (Op::IsNonnull, &[x], false) => lessons.push(Lesson::Null(x)),
        (Op::IsZero, &[x], _) => truth(f, x, !holds, lessons),
        (Op::IsTrue | Op::Zext | Op::Sext, &[x], _) => truth(f, x, holds, lessons),
        _ => {}
    }
}

/// Which way a block ends, counted as its terminator's calls, when it is entered with these arguments.
pub(super) fn outcome(f: &Function, block: Block, args: &[Value], mut lessons: Vec<Lesson>) -> Option<usize> {
    let orders = Orders::of(f, lessons.iter().filter_map(|lesson| lesson.truth()));
    let mut brought = Vec::new();
    for (&param, &arg) in f.block_params(block).iter().zip(args) {
        let of_arg = lessons.iter().filter(|lesson| lesson.of() == arg).copied();
        brought.extend(of_arg.chain(Lesson::of_constant(f, arg)).map(|lesson| lesson.about(param)));
    }
    // What a header of a loop made in the round before is made anew.
    lessons.retain(|lesson| {
        if fault!("jump-threading: what was known in the round before is known") {
            return true;
        }
        let value = lesson.of();
        f.def_inst(value).is_none_or(|inst| !f.block_insts(block).contains(&inst))
            && !f.block_params(block).contains(&value)
    });
    lessons.append(&mut brought);
    for &inst in f.block_insts(block) {
        let compared = || orders.decide(f, inst, |value| on_edge(f, block, args, value));
        if let Some(number) = folded(f, inst, &lessons).or_else(compared) {
            lessons.push(Lesson::Is(f.result(inst), number));
        }
    }
    match f.terminator(block) {
        Terminator::Branch { condition, .. } => {
            let not_zero = lessons.contains(&Lesson::NotZero(*condition));
            let holds =
                number(f, *condition, &lessons).map(|number| number.is_true()).or(not_zero.then_some(true));
            holds.map(|holds| usize::from(!holds))
        }
        Terminator::Switch { on, cases, .. } => {
            let known = number(f, *on, &lessons)?;
            Some(cases.iter().position(|(key, _)| *key == known).unwrap_or(cases.len()))
        }
        _ => None,
    }
}

/// What a value of a block is on an edge into it with these arguments; nothing, if the block computes it.
fn on_edge(f: &Function, block: Block, args: &[Value], value: Value) -> Option<Value> {
    if let Some(position) = f.block_params(block).iter().position(|&param| param == value) {
        return args.get(position).copied();
    }
    f.def_inst(value).is_none_or(|inst| !f.block_insts(block).contains(&inst)).then_some(value)
}

fn number(f: &Function, value: Value, lessons: &[Lesson]) -> Option<Int> {
    f.int_constant(value).or_else(|| {
        lessons.iter().find_map(|lesson| match lesson {
            Lesson::Is(of, number) if *of == value => Some(*number),
            _ => None,
        })
    })
}

/// The result of an operation on known numbers.
fn folded(f: &Function, inst: Inst, lessons: &[Lesson]) -> Option<Int> {
    let row = f.row(inst);
    if row.effect != Effect::Pure || row.results.len() != 1 || f.inst(inst).descr.is_some() {
        return None;
    }
    let op = f.inst(inst).op;
    if let (Op::IsZero | Op::IsTrue, &[x]) = (op, f.args(inst))
        && lessons.contains(&Lesson::NotZero(x))
    {
        let Type::Int(width) = f.ty(f.result(inst)) else { return None };
        return Some(Int::new(width.into(), u64::from(op == Op::IsTrue)));
    }
    if let (Op::IsNull | Op::IsNonnull, &[x]) = (op, f.args(inst))
        && lessons.contains(&Lesson::Null(x))
    {
        let Type::Int(width) = f.ty(f.result(inst)) else { return None };
        return Some(Int::new(width.into(), u64::from(op == Op::IsNull)));
    }
    let words: Option<Vec<Datum<Machine>>> =
        f.args(inst).iter().map(|&arg| number(f, arg, lessons).map(Datum::Word)).collect();
    match fold(op, &words?, &[f.ty(f.result(inst))])? {
        Fold::Int(number) => Some(number),
        Fold::Real(_) | Fold::Pair(..) | Fold::Undefined => None,
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use planish_ir::text;
    use planish_pass::Target;

    use crate::passes::testing::after;
    use crate::passes::testing::changed_with;

    #[test]
    fn two_switches_on_one_predicate_are_one() {
        let (count, text) = after(
            &PASS,
            "func f(v0: i64, v1: i64) -> i64 {\ne:\n    branch v0, a, b\na:\n    v2 = add(v1, 1)\n    jump j(v2)\n\
             b:\n    jump j(v1)\nj(v3: i64):\n    v4 = mul(v3, v3)\n    branch v0, t, u\nt:\n    return v4\n\
             u:\n    return v3\n}\n",
        );
        assert_eq!((count, text.matches("branch").count()), (2, 1), "{text}");
    }

    #[test]
    fn a_flag_that_was_set_is_not_tested() {
        let (count, text) = after(
            &PASS,
            "func f(v0: i64, v1: i64) -> i64 {\ne:\n    branch v0, a, j(v1)\na:\n    jump j(5)\nj(v2: i64):\n    \
             v3: i1 = gt(v2, 3)\n    branch v3, t, u\nt:\n    return v2\nu:\n    return 7\n}\n",
        );
        assert_eq!(count, 1, "{text}");
    }

    #[test]
    fn a_comparison_is_decided_by_its_opposite_and_by_others_of_the_same_operands() {
        let source = |first: &str, second: &str| {
            format!(
                "callee @g reads () writes (1)\nfunc f(v0: i64, v1: i64) -> i64 {{\ne:\n    v2: i1 = {first}\n    \
                 branch v2, a, j\na:\n    branch v1, x, j\nj:\n    call(v1) @g\n    v3: i1 = {second}\n    branch v3, t, x\n\
                 t:\n    return 2\nx:\n    return 1\n}}\n"
            )
        };
        for (first, second, decided) in [
            ("lt(v0, 0)", "ge(v0, 0)", 2),
            ("lt(v0, v1)", "ge(v0, v1)", 2),
            ("lt(v0, v1)", "gt(v1, v0)", 2),
            ("lt(v0, v1)", "ne(v1, v0)", 1),
            ("eq(v0, v1)", "ule(v0, v1)", 1),
            ("ult(v0, 10)", "gt(v0, 20)", 1),
            ("lt(v0, v1)", "ult(v0, v1)", 0),
            ("lt(v0, 10)", "ult(v0, 10)", 1),
        ] {
            let (count, text) = after(&PASS, &source(first, second));
            assert_eq!(count, decided, "{first}, {second}: {text}");
        }
    }

    /// The operand of the comparison is made anew by the block that asks, or handed over to it.
    #[test]
    fn what_a_comparison_said_of_the_round_before_says_nothing_of_the_next() {
        let source = |passed: &str| {
            format!(
                "func f(v0: i64, v1: i64) -> i64 {{\ne:\n    jump h(v0)\nh(v2: i64):\n    v3: i1 = lt(v2, 10)\n    \
                 branch v3, b, x\nb:\n    v4 = mul(v2, v1)\n    v5: i1 = ge(v2, 3)\n    v6: i1 = ge(v4, 12)\n    \
                 branch v5, p, q\np:\n    branch v6, r, h(1)\nq:\n    branch v6, x, h(1)\nr:\n    jump h({passed})\n\
                 x:\n    return v2\n}}\n"
            )
        };
        assert_eq!(after(&PASS, &source("v2")).0, 0, "it goes on");
        assert_eq!(after(&PASS, &source("v1")).0, 0, "nothing is known of that");
        assert_eq!(after(&PASS, &source("v4")).0, 1, "of what is handed over it is known");
    }

    #[test]
    fn beside_handlers_only_what_nothing_outside_uses_is_copied() {
        let source = |used: &str| {
            format!(
                "callee @g raises reads () writes ()\nfunc f(v0: i64) -> i64 {{\ne:\n    \
                 call(v0) @g else to(v0) [*: h]\n    branch v0, a, b\na:\n    jump j(1)\nb:\n    \
                 jump j(0)\nj(v1: i64):\n    branch v1, t, u\nt:\n    return {used}\nu:\n    return 7\n\
                 h(v2: ref, v3: i64):\n    return v3\n}}\n"
            )
        };
        let flags = |source: &str| {
            let (count, module) = changed_with(&PASS, &[("size", 1)], source, Target::MACHINE);
            (count, text::write(&module, text::Options::default()))
        };
        let (count, text) = flags(&source("v0"));
        assert_eq!((count, text.matches("branch").count()), (2, 1), "{text}");
        assert_eq!(flags(&source("v1")).0, 0);
    }

    /// `while (v1) { ...; v1 = 0; }` runs once at most, and so does a loop over an object that is null then.
    #[test]
    fn what_surely_leaves_a_loop_does_not_go_through_its_header() {
        for (param, ty, asks, last) in [
            ("v1: i64", "i64", "branch v1, b, x", "0"),
            ("v1: ref", "ref", "v3: i1 = is_null(v1)\n    branch v3, x, b", "null"),
        ] {
            let source = |again: &str| {
                format!(
                    "callee @g reads () writes (1)\nfunc f(v0: {ty}, v5: i64) -> i64 {{\ne:\n    jump h(v0)\n\
                     h({param}):\n    {asks}\nb:\n    call(v5) @g\n    branch v5, o, n\n\
                     o:\n    jump h({again})\nn:\n    jump h({last})\nx:\n    return v5\n}}\n"
                )
            };
            let (count, text) = after(&PASS, &source(last));
            assert_eq!(count, 1, "{text}");
            assert_eq!(text.matches("branch").count(), 2, "{text}");
            let (count, text) = after(&PASS, &source("v0"));
            assert_eq!((count, text.matches("jump h(").count()), (1, 2), "one way goes on: {text}");
        }
    }

    #[test]
    fn a_header_of_a_loop_is_not_copied() {
        let (count, _) = after(
            &PASS,
            "func f(v0: i64) -> i64 {\ne:\n    jump h(1)\nh(v1: i64):\n    branch v1, b, x\nb:\n    \
             v2 = sub(v0, v1)\n    jump h(v2)\nx:\n    return v0\n}\n",
        );
        assert_eq!(count, 0);
    }
}
