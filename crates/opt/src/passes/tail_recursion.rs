//! Tail recursion elimination (LLVM `TailRecursionElimination`; Muchnick 1997, 15.1), with accumulators: a function
//! that ends by calling itself becomes a loop.
//!
//! ```text
//! f(x): ... r = call f(y); return r          ... jump f's first block with y
//! f(x): ... r = call f(y); return x * r      the same, and x is multiplied to an accumulator, which every
//!                                            other return multiplies to its result
//! ```
//!
//! The accumulator begins with the identity; the operation has to be associative and commutative at every
//! width, so sums, products and bitwise operations of integers qualify and those of floats do not. A difference
//! `f(y) - x` counts as a sum. Only what
//! is between the call and the return counts: nothing but the one operation. Where the function calls itself in
//! other ways too, there is no accumulator: every one of those calls would pay for it. O(size of the function).

use planish_base::fault;
use planish_ir::{Block, BlockCall, Function, Inst, Terminator, Value};
use planish_ops::Op;
use planish_pass::{Became, Example, FunctionPass, PassCx, PassInfo};

/// Turns recursion into loops.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["recursion"],
        source: "LLVM TailRecursionElimination; Muchnick 1997, 15.1",
        handlers: false,
        analyses: &[],
        example: Example { file: "tail_recursion.ssa", text: include_str!("examples/tail_recursion.ssa") },
        test: "crates/opt/src/passes/tail_recursion.rs",
        ..PassInfo::new(
            "tail-recursion",
            "Tail recursion elimination, with an accumulator where one operation follows: calls of oneself become a loop.",
        )
    },
    run,
};

/// A return of what the function itself gives.
struct Again {
    block: Block,
    call: Inst,
    /// What is done to the result.
    then: Option<Then>,
}

/// What is done to the result of a call before it is returned.
#[derive(Clone, Copy)]
struct Then {
    /// The operation by which the accumulator gathers.
    gathers: Op,
    /// The operation, and its other operand: that one or, for sums, a difference.
    op: Op,
    value: Value,
}

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let mut sites: Vec<Again> =
        f.blocks().iter().filter_map(|&block| again(f, block, &|inst| calls_itself(f, inst, cx))).collect();
    // One accumulator: the first operation that is found decides.
    let first = sites.iter().find_map(|site| site.then.map(|then| then.gathers));
    sites.retain(|site| site.then.is_none_or(|then| Some(then.gathers) == first));
    let calls = f.live_insts().filter(|&(_, inst)| calls_itself(f, inst, cx)).count();
    let operation = first.filter(|_| calls == sites.len());
    sites.retain(|site| site.then.is_none() || operation.is_some());
    if sites.is_empty() || !cx.rewrite_somewhere(Became::Changed) {
        return;
    }
    let head = f.entry();
    let front = f.make_block();
    let mut args = Vec::new();
    for position in 0..f.block_params(head).len() {
        let given = f.block_params(head)[position];
        let param = f.add_param(front, f.ty(given));
        f.inherit(given, param);
        args.push(param);
    }
    let accumulator = operation.map(|op| {
        let ty = f.result_types()[0];
        let mut identity = op.row().algebra.identity.expect("the operation has an identity");
        identity += i64::from(fault!("tail-recursion: what is gathered begins with one more"));
        args.push(f.make_int(ty, identity));
        (op, f.add_param(head, ty))
    });
    let call = f.make_call(head, &args);
    f.set_terminator(front, Terminator::Jump(call));
    let layout: Vec<Block> =
        [front].into_iter().chain(f.blocks().iter().copied().filter(|&b| b != front)).collect();
    f.set_layout(layout);
    if let Some((op, so_far)) = accumulator {
        let others: Vec<Block> = f
            .blocks()
            .iter()
            .copied()
            .filter(|&block| sites.iter().all(|site| site.block != block))
            .collect();
        for block in others {
            let Terminator::Return(results) = *f.terminator(block) else { continue };
            let result = f.list(results)[0];
            let all = append(f, block, op, so_far, result);
            let results = f.make_list(&[all]);
            f.set_terminator(block, Terminator::Return(results));
        }
    }
    for Again { block, call, then } in sites {
        let mut args = f.args(call).to_vec();
        let mut insts = f.replace_insts(block, Vec::new());
        let position = insts.iter().position(|&inst| inst == call).expect("the call stands there");
        insts.truncate(position);
        f.replace_insts(block, insts);
        if let Some((_, so_far)) = accumulator {
            args.push(match then {
                Some(Then { op, value, .. }) => append(f, block, op, so_far, value),
                None => so_far,
            });
        }
        let call = f.make_call(head, &args);
        f.set_terminator(block, Terminator::Jump(call));
    }
}

fn append(f: &mut Function, block: Block, op: Op, x: Value, y: Value) -> Value {
    let ty = f.ty(x);
    let inst = f.make_inst(op, &[x, y], &[ty], None, None, planish_ir::Location::default());
    f.append_inst(block, inst);
    f.result(inst)
}

/// Whether an instruction is a call of the function that it stands in.
fn calls_itself(f: &Function, inst: Inst, cx: &PassCx<'_>) -> bool {
    let data = f.inst(inst);
    let named = data.op == Op::Call && data.descr.is_some_and(|descr| cx.world.called(descr) == f.name);
    let args = f.args(inst).iter().map(|&arg| f.ty(arg));
    let results = f.results(inst).map(|result| f.ty(result));
    named
        && data.exit.is_none()
        && args.eq(f.params().iter().map(|&param| f.ty(param)))
        && results.eq(f.result_types().iter().copied())
}

/// The call with which a block ends, if it ends so.
fn again(f: &Function, block: Block, calls_itself: &dyn Fn(Inst) -> bool) -> Option<Again> {
    let returned = returned(f, block)?;
    let insts = f.block_insts(block);
    let &last = insts.last()?;
    if calls_itself(last) && f.results(last).eq(returned.iter().copied()) {
        return Some(Again { block, call: last, then: None });
    }
    let (&[.., call, combine], &[result]) = (insts, returned.as_slice()) else { return None };
    let op = f.inst(combine).op;
    // What is subtracted from a result may be subtracted from the sum of it and others.
    let gathers = if op == Op::Sub { Op::Add } else { op };
    let algebra = gathers.row().algebra;
    let integers = f.ty(result).int_width().is_some();
    let suits = algebra.associative && algebra.commutative && algebra.identity.is_some() && integers;
    if !suits || !calls_itself(call) || f.results(combine).len() != 1 || f.result(combine) != result {
        return None;
    }
    let inner = f.result(call);
    let other = match *f.args(combine) {
        [x, y] if x == inner && y != inner => y,
        [x, y] if y == inner && x != inner && op != Op::Sub => x,
        _ => return None,
    };
    Some(Again { block, call, then: Some(Then { gathers, op, value: other }) })
}

/// How many empty blocks a result may go through on its way to a return.
const THROUGH: usize = 8;

/// What a block returns, also through empty blocks that return what they are given.
fn returned(f: &Function, block: Block) -> Option<Vec<Value>> {
    let mut calls: Vec<BlockCall> = Vec::new();
    let mut at = block;
    let results = loop {
        match f.terminator(at) {
            Terminator::Return(results) => break f.list(*results),
            Terminator::Jump(call) if f.block_insts(call.block).is_empty() && calls.len() < THROUGH => {
                calls.push(*call);
                at = call.block;
            }
            _ => return None,
        }
    };
    let given = |value: Value, call: &BlockCall| {
        let position = f.block_params(call.block).iter().position(|&param| param == value);
        position.map_or(value, |position| f.list(call.args)[position])
    };
    Some(results.iter().map(|&value| calls.iter().rev().fold(value, given)).collect())
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    #[test]
    fn a_product_over_a_recursion_is_a_loop() {
        let (count, text) = after(
            &PASS,
            "callee @f\nfunc f(v0: i64) -> i64 {\ne:\n    v1: i1 = le(v0, 1)\n    branch v1, base, more\nbase:\n    \
             return 1\nmore:\n    v2 = sub(v0, 1)\n    v3: i64 = call(v2) @f\n    v4 = mul(v0, v3)\n    \
             return v4\n}\n",
        );
        assert_eq!(count, 1);
        assert!(!text.contains("call(") && text.matches("mul").count() == 2, "{text}");
    }

    #[test]
    fn a_result_may_go_through_empty_blocks() {
        let (count, text) = after(
            &PASS,
            "callee @f\nfunc f(v0: i64) -> i64 {\ne:\n    branch v0, more, x(7)\nmore:\n    v1 = sub(v0, 1)\n    \
             v2: i64 = call(v1) @f\n    jump y(v0, v2)\ny(v3: i64, v4: i64):\n    jump x(v4)\nx(v5: i64):\n    return v5\n}\n",
        );
        assert!(count == 1 && !text.contains("call("), "{text}");
        let (count, _) = after(
            &PASS,
            "callee @f\nfunc f(v0: i64) -> i64 {\ne:\n    branch v0, more, x(7)\nmore:\n    v1 = sub(v0, 1)\n    \
             v2: i64 = call(v1) @f\n    jump y(v0, v2)\ny(v3: i64, v4: i64):\n    jump x(v3)\nx(v5: i64):\n    return v5\n}\n",
        );
        assert_eq!(count, 0, "another value is returned");
    }

    #[test]
    fn what_is_subtracted_from_a_result_is_gathered() {
        let (count, text) = after(
            &PASS,
            "callee @f\nfunc f(v0: i64) -> i64 {\ne:\n    branch v0, more, base\nbase:\n    return v0\nmore:\n    \
             v1 = sub(v0, 1)\n    v2: i64 = call(v1) @f\n    v3 = sub(v2, v0)\n    return v3\n}\n",
        );
        assert_eq!(count, 1);
        assert!(!text.contains("call(") && text.matches("add").count() == 1, "{text}");
    }

    #[test]
    fn a_function_that_calls_itself_twice_has_no_accumulator() {
        let (count, _) = after(
            &PASS,
            "callee @f\nfunc f(v0: i64) -> i64 {\ne:\n    v1: i1 = le(v0, 1)\n    branch v1, base, more\nbase:\n    \
             return v0\nmore:\n    v2 = sub(v0, 1)\n    v3 = sub(v0, 2)\n    v4: i64 = call(v2) @f\n    \
             v5: i64 = call(v3) @f\n    v6 = add(v4, v5)\n    return v6\n}\n",
        );
        assert_eq!(count, 0);
    }

    #[test]
    fn a_difference_is_no_accumulator_and_another_function_no_recursion() {
        let (count, _) = after(
            &PASS,
            "callee @f\ncallee @g\nfunc f(v0: i64) -> i64 {\ne:\n    branch v0, a, b\na:\n    \
             v1: i64 = call(v0) @f\n    v2 = sub(v0, v1)\n    return v2\nb:\n    v3: i64 = call(v0) @g\n    \
             return v3\n}\n",
        );
        assert_eq!(count, 0);
    }
}
