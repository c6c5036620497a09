//! CFG simplification (LLVM `SimplifyCFG`; Muchnick 1997, 18.1 and 18.2): a block is merged with its only predecessor,
//! and edges skip empty blocks.
//!
//! ```text
//! a: ... jump b(x)              a: ... (b's instructions, x for p) ...
//! b(p): ...        becomes
//! e: jump t(y)                  edges to e go to t(y)
//! branch c, t(y), t(y)          jump t(y)
//! ```
//!
//! A block is joined with its only predecessor when that does nothing but go there. It is not when an
//! exit in it goes to a handler: such an exit sees what dominates the *start* of its block, which joining
//! would move up. An empty block without parameters is jumped over; what it passes on dominates it, and
//! so every block that goes there.
//!
//! Two passes and one renaming: O(size of the function).

use planish_base::{Id, SideTable, UnionFind, Worklist, fault};
use planish_ir::{Block, BlockCall, Def, Function, Inst, Terminator, Value};

use super::strength_reduction::uses;
use planish_pass::record::{Became, Kind, Record, Site};
use planish_pass::{Example, FunctionPass, PassCx, PassInfo};

/// How many empty blocks in a row an edge jumps over. A ring of them is an endless loop.
const HOPS: usize = 16;

/// Joins and skips blocks.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["tidy"],
        source: "Muchnick 1997, 18.1 and 18.2",
        analyses: &[],
        example: Example { file: "simplify_cfg.ssa", text: include_str!("examples/simplify_cfg.ssa") },
        test: "crates/opt/src/passes/simplify_cfg.rs",
        ..PassInfo::new(
            "simplify-cfg",
            "Control-flow simplification: blocks are joined with their only predecessor, and empty ones are jumped over.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    skip_empty(f, cx.record);
    join(f, cx.record);
}

/// Lets edges to an empty block go where that goes.
fn skip_empty(f: &mut Function, record: &mut Record) {
    let handing_on = |&block: &Block| hands_on(f, block) && !f.block_params(block).is_empty();
    let uses = if f.blocks().iter().any(handing_on) { Some(uses(f)) } else { None };
    for index in 0..f.blocks().len() {
        let block = f.blocks()[index];
        let mut terminator = f.take_terminator(block);
        for call in terminator.calls_mut() {
            for _ in 0..HOPS {
                let Some(next) = empty(f, call.block) else { break };
                if next.block == call.block || !record.rewrite(Kind::Join, Site::NONE, Became::Changed) {
                    break;
                }
                let args = f.list(next.args).to_vec();
                *call = f.make_call(next.block, &args);
            }
        }
        if let Some(call) = only_way(f, uses.as_ref(), &terminator)
            && record.rewrite(Kind::Join, Site::NONE, Became::Changed)
        {
            terminator = Terminator::Jump(call);
        }
        f.set_terminator(block, terminator);
    }
}

/// Where a branch or a switch goes whatever it is on: at once, or through blocks that only hand on what they are given.
fn only_way(
    f: &mut Function,
    uses: Option<&SideTable<Value, u32>>,
    terminator: &Terminator,
) -> Option<BlockCall> {
    let (Terminator::Branch { .. } | Terminator::Switch { .. }) = terminator else { return None };
    let first = terminator.calls().next()?;
    let same = |call: BlockCall| call.block == first.block && f.list(call.args) == f.list(first.args);
    if terminator.calls().all(same) {
        return Some(first);
    }
    let mut ends = terminator.calls().map(|call| end_of(f, uses, call));
    let (block, args) = ends.next()?;
    ends.all(|end| end.0 == block && end.1 == args).then(|| f.make_call(block, &args))
}

/// Where an edge leads in the end, and what it hands over there, through blocks that only hand on what they are given; nothing
/// else may need their parameters.
fn end_of(f: &Function, uses: Option<&SideTable<Value, u32>>, call: BlockCall) -> (Block, Vec<Value>) {
    let (mut block, mut args) = (call.block, f.list(call.args).to_vec());
    for _ in 0..HOPS {
        let (Terminator::Jump(next), Some(uses)) = (f.terminator(block), uses) else { break };
        let (params, handed) = (f.block_params(block), f.list(next.args));
        let place = |arg: Value| match f.def(arg) {
            Def::Param(of, place) if of == block => Some(place as usize),
            _ => None,
        };
        let used: usize = params.iter().map(|&param| uses[param] as usize).sum();
        if !hands_on(f, block) || used > handed.iter().filter(|&&arg| place(arg).is_some()).count() {
            break;
        }
        let given = |&arg: &Value| place(arg).map_or(arg, |place| args[place]);
        (block, args) = (next.block, handed.iter().map(given).collect());
    }
    (block, args)
}

/// Whether a block does nothing but to go on.
fn hands_on(f: &Function, block: Block) -> bool {
    let goes_on = matches!(f.terminator(block), Terminator::Jump(_));
    goes_on && f.block_insts(block).is_empty() && block != f.entry() && !f.is_entrance(block)
}

/// Where a block goes that does nothing else. (While the pass holds a block's terminator, that block
/// looks unreachable and is left alone: a ring of empty blocks ends there.)
fn empty(f: &Function, block: Block) -> Option<BlockCall> {
    match f.terminator(block) {
        Terminator::Jump(call)
            if f.block_insts(block).is_empty() && f.block_params(block).is_empty() && block != f.entry() =>
        {
            Some(*call)
        }
        _ => None,
    }
}

fn join(f: &mut Function, record: &mut Record) {
    let mut edges = vec![0u32; f.block_count()];
    edges[f.entry().index()] = 2;
    let mut work = Worklist::from(vec![f.entry()]);
    let mut reached = vec![false; f.block_count()];
    reached[f.entry().index()] = true;
    while let Some(block) = work.pop() {
        let handlers = f.handlers(block).map(|(_, handler)| (handler.block, 2));
        let calls = f.block_calls(block).map(|call| (call.block, 1));
        for (target, count) in calls.chain(handlers) {
            edges[target.index()] += count;
            if !std::mem::replace(&mut reached[target.index()], true) {
                work.push(target);
            }
        }
    }
    let mut renamed = UnionFind::<Value>::new();
    let mut gone = vec![false; f.block_count()];
    for index in 0..f.blocks().len() {
        let block = f.blocks()[index];
        if gone[block.index()] || !reached[block.index()] {
            continue;
        }
        let mut insts: Option<Vec<Inst>> = None;
        while let Terminator::Jump(call) = *f.terminator(block) {
            let target = call.block;
            if target == block
                || edges[target.index()] != 1 && !fault!("simplify-cfg: a block with two edges is joined")
                || f.handlers(target).next().is_some()
                || !record.rewrite(Kind::Join, Site::NONE, Became::Nothing)
            {
                break;
            }
            for index in 0..call.args.len() {
                let arg =
                    if fault!("simplify-cfg: arguments of a joined block are mixed up") { 0 } else { index };
                renamed.forward(f.block_params(target)[index], f.list(call.args)[arg]);
            }
            let insts = insts.get_or_insert_with(|| f.replace_insts(block, Vec::new()));
            insts.extend_from_slice(f.block_insts(target));
            let terminator = f.take_terminator(target);
            f.set_terminator(block, terminator);
            gone[target.index()] = true;
        }
        if let Some(insts) = insts {
            f.replace_insts(block, insts);
        }
    }
    let stays = |block: &Block| reached[block.index()] && !gone[block.index()];
    if !f.blocks().iter().all(stays) {
        for _ in f.blocks().iter().filter(|block| !reached[block.index()]) {
            record.note(Kind::Unreachable, Site::NONE, Became::Nothing);
        }
        let layout: Vec<Block> = f.blocks().iter().copied().filter(stays).collect();
        f.set_layout(layout);
        f.map_uses(|value| renamed.find(value));
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    /// The block on the edge back, which texts of statements have to move values in, makes no loop of two blocks of one.
    #[test]
    fn a_loop_may_be_one_block() {
        let (_, text) = after(
            &PASS,
            "func f(v0: i64) -> i64 {\ne:\n    jump h(v0)\nh(v1: i64):\n    v2 = lshift(v1, 3)\n    branch v2, b, x\n\
             b:\n    jump h(v2)\nx:\n    jump r(v1)\nr(v3: i64):\n    jump s\ns:\n    return v3\n}\n",
        );
        assert!(text.contains("branch v2, h(v2), ") && !text.contains("b:"), "{text}");
    }

    /// Behind empty blocks, too; the ways of the last one pass on different numbers.
    #[test]
    fn ways_that_hand_on_the_same_in_the_end_are_one() {
        let source = |other: &str| {
            format!(
                "func f(v0: i64, v1: i64) -> i64 {{\ne:\n    branch v1, p, j(2)\np:\n    switch v0 [1: j(v0), 2: a(v0)], b\n\
                 a(v2: i64):\n    jump j(v2)\nb:\n    jump a({other})\nj(v3: i64):\n    v4 = add(v3, 1)\n    return v4\n}}\n"
            )
        };
        assert!(!after(&PASS, &source("v0")).1.contains("switch"));
        assert!(after(&PASS, &source("v1")).1.contains("switch"));
    }

    #[test]
    fn a_branch_whose_ways_are_one_is_a_jump() {
        let source = |more: &str| {
            format!(
                "func f(v0: i64, v1: i64) -> i64 {{\ne:\n    branch v0, a, b\na:\n    jump j(v1)\nb:\n    jump j({more})\n\
                 j(v2: i64):\n    switch v2 [3: c, 4: d], c\nc:\n    jump d\nd:\n    return v2\n}}\n"
            )
        };
        let (_, text) = after(&PASS, &source("v1"));
        assert!(!text.contains("branch") && !text.contains("switch"), "{text}");
        let (_, text) = after(&PASS, &source("v0"));
        assert!(text.contains("branch v0") && !text.contains("switch"), "{text}");
    }
}
