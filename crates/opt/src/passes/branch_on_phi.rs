//! Branch on phi (LLVM `SimplifyCFG`, `FoldCondBranchOnPHI`): a branch on a block parameter that only records which way
//! an earlier branch went tests the condition of that branch instead.
//!
//! ```text
//! branch c, a, b           jump j
//! a: jump j(1)
//! b: jump j(0)       becomes
//! ...                      ...
//! j(p): ...                j: ...
//! k: branch p, t, u        k: branch c, t, u
//! ```
//!
//! Bytecode has no comparison that gives a number, so compilers write `boolean b = x > 0;` as a branch around two
//! constants. If `b` is tested in one place and used nowhere else, nothing needs the number: the comparison is made
//! where it is asked for, which takes fewer instructions than the branch, the constants and the test. The operands
//! of the condition may live longer by that. What is tested twice stays a number, for a comparison that two branches
//! use would become one again.
//!
//! [`jump_threading`](super::jump_threading) comes first: where a way leads to the test at once, it jumps over it. O(size of the
//! function); nothing is copied, and the condition dominates all that its parameter did, handlers included.

use planish_base::{Id, fault};
use planish_ir::{Block, BlockCall, Function, Terminator, Value};
use planish_ops::Op;

use crate::engine::uses::Uses;
use planish_pass::{Example, FunctionPass, PassCx, PassInfo};

/// Lets conditions stand for what says how they went.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["conditions"],
        source: "LLVM SimplifyCFG, FoldCondBranchOnPHI",
        analyses: &[],
        example: Example { file: "branch_on_phi.ssa", text: include_str!("examples/branch_on_phi.ssa") },
        test: "crates/opt/src/passes/branch_on_phi.rs",
        ..PassInfo::new(
            "branch-on-phi",
            "Branch on phi: a branch on a parameter that only says which way an earlier branch went is a branch on its condition.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let mut edges = vec![0u32; f.block_count()];
    for &block in f.blocks() {
        f.block_calls(block).for_each(|call| edges[call.block.index()] += 1);
        // Nothing is known of what enters a handler.
        f.handlers(block).for_each(|(_, handler)| edges[handler.block.index()] += 3);
    }
    let mut found: Vec<(Block, BlockCall, Value, Value, bool)> = Vec::new();
    for &block in f.blocks() {
        let Terminator::Branch { condition, then, other } = *f.terminator(block) else { continue };
        let (then, other) = (behind(f, &edges, then), behind(f, &edges, other));
        if then.block == other.block
            && edges[then.block.index()] == 2
            && then.block != f.entry()
            && let Some((param, holds)) = says(f, then, other)
        {
            found.push((block, then, param, condition, holds));
        }
    }
    if found.is_empty() {
        return;
    }
    let mut uses = Uses::default();
    uses.count(f);
    let tested = tested(f, &uses, &found);
    for ((block, call, _, condition, holds), tested) in found.into_iter().zip(tested) {
        let Some((asks, when)) = tested else { continue };
        // One may ask another: the next run goes on with what is left of both.
        let is_left = f.terminator(block).condition() == Some(condition);
        let Terminator::Branch { then, other, .. } = *f.terminator(asks) else { continue };
        if !is_left {
            continue;
        }
        if !cx.may_change(f, block) {
            return;
        }
        let goes = (when == holds) != fault!("branch-on-phi: the parameter says the opposite");
        let (then, other) = if goes { (then, other) } else { (other, then) };
        f.set_terminator(asks, Terminator::Branch { condition, then, other });
        // Nothing looks at what is passed any more.
        f.set_terminator(block, Terminator::Jump(call));
    }
}

/// Where an edge comes to through a block that does nothing and that only it goes to.
fn behind(f: &Function, edges: &[u32], call: BlockCall) -> BlockCall {
    let arm = call.block;
    let is_empty = f.block_insts(arm).is_empty() && f.block_params(arm).is_empty();
    match f.terminator(arm) {
        Terminator::Jump(next) if is_empty && edges[arm.index()] == 1 => *next,
        _ => call,
    }
}

/// The parameter that says which of two edges was taken, if all others get the same from both, and whether it is not
/// zero where the first was.
fn says(f: &Function, then: BlockCall, other: BlockCall) -> Option<(Value, bool)> {
    let mut said = None;
    let pairs = f.list(then.args).iter().zip(f.list(other.args));
    for (&param, (&yes, &no)) in f.block_params(then.block).iter().zip(pairs) {
        if yes == no {
            continue;
        }
        let (yes, no) = (f.int_constant(yes)?.unsigned() != 0, f.int_constant(no)?.unsigned() != 0);
        if yes == no || said.replace((param, yes)).is_some() {
            return None;
        }
    }
    said
}

/// For each parameter that was found the block whose branch tests it, if that is all that is done with it, and whether
/// the branch goes its first way if the parameter is not zero.
fn tested(
    f: &Function,
    uses: &Uses,
    found: &[(Block, BlockCall, Value, Value, bool)],
) -> Vec<Option<(Block, bool)>> {
    let is_said = |value: Value| found.iter().position(|&(_, _, param, ..)| param == value);
    let mut tested = vec![None; found.len()];
    for &block in f.blocks() {
        let Terminator::Branch { mut condition, .. } = *f.terminator(block) else { continue };
        let mut holds = true;
        // Through operations that ask whether a number is zero, each for this branch alone.
        while uses.once(condition) {
            if let Some(place) = is_said(condition) {
                tested[place] = Some((block, holds));
                break;
            }
            let Some(inst) = f.def_inst(condition) else { break };
            let is_zero = |value: Value| f.int_constant(value).is_some_and(|int| int.unsigned() == 0);
            match (f.inst(inst).op, f.args(inst)) {
                (Op::Ne, &[x, zero]) if is_zero(zero) => condition = x,
                (Op::Eq, &[x, zero]) if is_zero(zero) => (condition, holds) = (x, !holds),
                (Op::IsTrue | Op::Zext | Op::Sext, &[x]) => condition = x,
                (Op::IsZero, &[x]) => (condition, holds) = (x, !holds),
                _ => break,
            }
        }
    }
    tested
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    /// A function that makes a number of a comparison, calls something, and does something with the number.
    fn source(yes: u32, no: u32, asks: &str, both: &str) -> String {
        format!(
            "callee @g reads () writes (1)\nfunc f(v0: i32, v1: i32) -> i32 {{\ne:\n    v2: i1 = lt(v0, v1)\n    branch v2, a, b\n\
             a:\n    jump j({yes}, v0)\nb:\n    jump j({no}, {both})\nj(v3: i32, v4: i32):\n    call(v4) @g\n    \
             {asks}\nt:\n    return v4\nu:\n    return 7\n}}\n"
        )
    }

    #[test]
    fn a_number_that_one_branch_asks_is_the_comparison() {
        let (count, text) = after(&PASS, &source(1, 0, "branch v3, t, u", "v0"));
        assert!(count == 1 && text.matches("branch").count() == 1, "{text}");
        assert!(text.contains("branch v2, t, u"), "{text}");
        let (_, text) = after(&PASS, &source(0, 1, "branch v3, t, u", "v0"));
        assert!(text.contains("branch v2, u, t"), "{text}");
        let asks = "v5: i1 = eq(v3, 0)\n    branch v5, t, u";
        let (_, text) = after(&PASS, &source(0, 5, asks, "v0"));
        assert!(text.contains("branch v2, t, u"), "{text}");
    }

    #[test]
    fn what_is_used_otherwise_or_comes_with_something_else_stays() {
        let count = |source: &str| after(&PASS, source).0;
        assert_eq!(count(&source(1, 0, "branch v3, t, u", "v1")), 0, "the branch has to stay");
        assert_eq!(count(&source(1, 2, "branch v3, t, u", "v0")), 0, "both are true");
        assert_eq!(count(&source(1, 0, "call(v3) @g\n    branch v3, t, u", "v0")), 0, "the number is needed");
        let asks = "v5: i1 = gt(v3, 0)\n    branch v5, t, u";
        assert_eq!(count(&source(1, 0, asks, "v0")), 0, "it asks for something else");
    }
}
