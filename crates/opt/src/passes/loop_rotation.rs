//! Loop rotation, also called loop inversion (Muchnick 1997, 18.5; LLVM `LoopRotation`): a loop that is tested at its
//! start is tested at its end.
//!
//! ```text
//! h: t; branch c, body, out        h': t'; branch c', body, out      once, in front of the loop
//! body: ...; jump h         becomes body: ...; jump h
//!                                   h: t; branch c, body, out        behind the body
//! ```
//!
//! The header is copied in front of the loop, for those who come from outside. As much is executed as
//! before, and now a body behind the test runs whenever the loop is entered, so what does not change in it
//! may be computed in front. In a language of regions, where every loop is tested at its end, the rotated
//! loop is the loop itself; one that is tested at its start is a loop around a branch.
//!
//! A loop that is tested at its end already, or whose header is larger than [`SIZE`], stays. One repair of
//! SSA for all loops: O(size of the function + what is copied).

use planish_base::{SideTable, fault};
use planish_ir::{Block, BlockCall, Cfg, Function, Terminator, copy_blocks, repair};

use super::switch_formation::asks_on;
use planish_pass::LoopInfo;
use planish_pass::{Example, FunctionPass, PassCx, PassInfo, PassOption};

/// At most so many operations of a header.
pub const SIZE: PassOption = PassOption::new("size", 24, "the most operations of a header");

/// Rotates loops.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["rotate"],
        source: "Muchnick 1997, 18.5; LLVM LoopRotation",
        handlers: false,
        analyses: &["edges", "loops"],
        options: &[&SIZE],
        example: Example { file: "loop_rotate.ssa", text: include_str!("examples/loop_rotate.ssa") },
        test: "crates/opt/src/passes/loop_rotation.rs",
        ..PassInfo::new(
            "loop-rotate",
            "Loop rotation, also called loop inversion: the header is copied in front, and the loop is tested at its end.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let cfg = cx.get::<Cfg>(f);
    let loops = cx.get::<LoopInfo>(f);
    let mut groups = Vec::new();
    // Copies of outer headers enter inner loops, and so do the blocks on edges that were split.
    let mut further: SideTable<Block, Vec<Block>> = SideTable::new();
    for (index, l) in loops.all().iter().enumerate() {
        let header = cfg.block(l.header);
        let inside = |block: Block| cfg.number(block).is_some_and(|n| loops.contains(index as u32, n));
        let goes_on: Vec<BlockCall> = f.block_calls(header).filter(|call| inside(call.block)).collect();
        let leaves = f.block_calls(header).count() > goes_on.len();
        let &[body] = goes_on.as_slice() else { continue };
        // Behind a header that does all there is to do, the loop is at its end.
        let does_all =
            || loops.blocks(index as u32).all(|n| n == l.header || f.block_insts(cfg.block(n)).is_empty());
        let tested_at_end =
            |&latch: &u32| cfg.succs().of(latch).iter().any(|&to| !loops.contains(index as u32, to));
        if l.irreducible
            || !leaves
            || body.block == header
            || header == f.entry()
            || f.block_insts(header).len() > cx.count(&SIZE)
            || l.latches.iter().all(tested_at_end)
            || does_all()
            // One choice at the top is less than a test at both ends.
            || cx.target.switches && chooses_again(f, &cfg, body.block, &inside) && asks_on(f, header, body.block)
            || !cx.may_change(f, header)
        {
            continue;
        }
        // The body becomes the header, so it must not be that of another loop.
        let number = cfg.number(body.block).expect("it can be reached");
        if cfg.preds().of(number).len() > 1 {
            let between = split(f, header, body.block);
            further[body.block].push(between);
        }
        let copied = copy_blocks(f, &[header]);
        let copy = copied.block(header).expect("it was copied");
        for call in f.block_calls(copy) {
            further[call.block].push(copy);
        }
        let from_outside = cfg.preds().of(l.header).iter().filter(|&&n| !loops.contains(index as u32, n));
        let mut sources: Vec<Block> = from_outside.map(|&n| cfg.block(n)).collect();
        sources.append(&mut further[header]);
        for source in sources {
            redirect(f, source, header, copy);
        }
        groups.extend(copied.groups());
    }
    if !groups.is_empty() && !fault!("loop-rotate: what is used behind the header is not mended") {
        repair(f, &groups);
    }
}

/// Whether a block in a loop leaves it, too, or ends in a choice already, and nothing but one block goes to it.
fn chooses_again(f: &Function, cfg: &Cfg, block: Block, inside: &dyn Fn(Block) -> bool) -> bool {
    cfg.number(block).is_some_and(|number| {
        let leaves = cfg.succs().of(number).iter().any(|&to| !inside(cfg.block(to)));
        let is_choice = matches!(f.terminator(block), Terminator::Switch { .. });
        (leaves || is_choice) && cfg.preds().of(number).len() == 1
    })
}

/// Puts an empty block on the edge to a block, and returns it.
fn split(f: &mut Function, source: Block, target: Block) -> Block {
    let between = f.make_block();
    let mut terminator = f.take_terminator(source);
    for call in terminator.calls_mut().filter(|call| call.block == target) {
        f.set_terminator(between, Terminator::Jump(*call));
        *call = f.make_call(between, &[]);
    }
    f.set_terminator(source, terminator);
    between
}

fn redirect(f: &mut Function, source: Block, from: Block, to: Block) {
    let mut terminator = f.take_terminator(source);
    terminator.calls_mut().filter(|call| call.block == from).for_each(|call| call.block = to);
    f.set_terminator(source, terminator);
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::{after, changed};
    use planish_pass::Target;

    #[test]
    fn a_loop_that_leaves_by_a_choice_is_asked_at_the_top() {
        let source = "func f(v0: i64) -> i64 {\ne:\n    jump h(v0)\nh(v1: i64):\n    branch v1, t, x(1)\nt:\n    \
            v2: i1 = eq(v1, 1)\n    branch v2, x(0), b\nb:\n    v3 = add(v1, -2)\n    jump h(v3)\nx(v4: i64):\n    return v4\n}\n";
        assert_eq!(after(&PASS, source).0, 0);
        let branches = Target { switches: false, ..Target::MACHINE };
        assert_eq!(changed(&PASS, source, branches).0, 1);
        let stays = source.replace("x(0), b", "c, b").replace("b:\n", "c:\n    jump b\nb:\n");
        assert_eq!(after(&PASS, &stays).0, 1, "that is asked in the loop alone");
    }

    #[test]
    fn a_loop_whose_header_does_all_stays() {
        let source = "func f(v0: i64) -> i64 {\ne:\n    jump h(v0)\nh(v1: i64):\n    v2 = mul(v1, 3)\n    \
            v3: i1 = gt(v2, 99)\n    branch v3, x, b\nb:\n    jump h(v2)\nx:\n    return v2\n}\n";
        assert_eq!(after(&PASS, source).0, 0);
        assert_eq!(
            after(&PASS, &source.replace("b:\n", "b:\n    v4 = add(v2, 1)\n").replace("h(v2)", "h(v4)")).0,
            1
        );
    }

    #[test]
    fn a_loop_that_an_outer_header_enters_is_rotated_with_it() {
        let (count, text) = after(
            &PASS,
            "func f(v0: i64, v1: i64) -> i64 {\ne:\n    jump o(0)\no(v2: i64):\n    v3: i1 = lt(v2, v0)\n    \
             branch v3, i(0), x\ni(v4: i64):\n    v5: i1 = lt(v4, v1)\n    branch v5, b, n\nb:\n    \
             v6 = add(v4, 1)\n    jump i(v6)\nn:\n    v7 = add(v2, 1)\n    jump o(v7)\nx:\n    return v2\n}\n",
        );
        assert_eq!((count, text.matches("lt(").count()), (2, 4), "{text}");
    }
}
