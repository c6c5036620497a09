//! Large functions of shapes in which quadratic algorithms and recursion show: no time is measured, but a
//! quadratic step would take minutes.

use crate::common::shapes;
use planish_ir::module::Descriptors;
use planish_ir::{Block, Builder, Form, Function, Terminator, Value, verify};
use planish_ops::{Int, Op, Type};
use planish_opt::{Optimizer, Options, Pipeline, Record};

/// Everything that is done to programs whose control flow may change its shape. A quadratic step takes minutes.
fn optimize(f: Function) -> Function {
    optimize_with(f, Pipeline::PROGRAM)
}

fn optimize_with(mut f: Function, passes: &str) -> Function {
    let pipeline = Pipeline::parse(passes, Form::Cfg).unwrap();
    let options = Options { verify: false, ..Options::QUIET };
    let (mut optimizer, mut record) = (Optimizer::new(), Record::new());
    optimizer.run(&pipeline, &mut f, &Descriptors::default(), &mut record, options, &mut ());
    f
}

/// A switch of `count` cases that all go to one block with the key.
fn switch(count: usize) -> Function {
    let mut b = Builder::new("switch", &[Type::I64]);
    let (entry, target) = (b.block(""), b.block(""));
    let (x, key) = (b.param(entry, Type::I64), b.param(target, Type::I64));
    b.at(entry);
    let cases = (0..count as i64)
        .map(|index| {
            let arg = b.int(Type::I64, index);
            (Int::new(64, index as u64), b.call(target, &[arg]))
        })
        .collect();
    let default = b.call(target, &[x]);
    b.terminate(Terminator::Switch { on: x, cases, default });
    b.at(target);
    b.ret(&[key]);
    b.finish()
}

/// `count` loops, one behind the other, that count while a comparison with what the function is given holds.
fn loops_in_a_row(count: usize, compare: Op, step: i64) -> Function {
    let mut b = Builder::new("row", &[Type::I64]);
    let entry = b.block("");
    let end = b.param(entry, Type::I64);
    let zero = b.int(Type::I64, 0);
    let mut before = entry;
    for _ in 0..count {
        let (head, body) = (b.block(""), b.block(""));
        let counter = b.param(head, Type::I64);
        b.at(before);
        b.jump(head, &[zero]);
        b.at(head);
        let condition = b.op_as(compare, &[counter, end], Type::I1);
        let next = b.block("");
        let (then, other) = (b.call(body, &[]), b.call(next, &[]));
        b.terminate(Terminator::Branch { condition, then, other });
        b.at(body);
        let step = b.int(Type::I64, step);
        let sum = b.op(Op::Add, &[counter, step]);
        b.jump(head, &[sum]);
        before = next;
    }
    b.at(before);
    b.ret(&[end]);
    b.finish()
}

/// A loop of one block with `count` parameters that pass their values on to their neighbours.
fn many_parameters(count: usize) -> Function {
    let mut b = Builder::new("parameters", &[Type::I64]);
    let (entry, body, done) = (b.block(""), b.block(""), b.block(""));
    let input = b.param(entry, Type::I64);
    let params: Vec<Value> = (0..count).map(|_| b.param(body, Type::I64)).collect();
    b.at(entry);
    b.jump(body, &vec![input; count]);
    b.at(body);
    let sum = b.op(Op::Mul, &[params[0], params[count - 1]]);
    let mut args = params[1..].to_vec();
    args.push(sum);
    let (then, other) = (b.call(body, &args), b.call(done, &[]));
    b.terminate(Terminator::Branch { condition: sum, then, other });
    b.at(done);
    b.ret(&[params[0]]);
    b.finish()
}

/// `depth` loops, each inside the one before, that count to ten, or up to what the function is given.
fn loops(depth: usize, to_ten: bool) -> Function {
    let mut b = Builder::new("loops", &[Type::I64]);
    let entry = b.block("");
    let given = b.param(entry, Type::I64);
    let heads: Vec<(Block, Value)> = (0..depth)
        .map(|_| {
            let head = b.block("");
            (head, b.param(head, Type::I64))
        })
        .collect();
    let latches: Vec<Block> = (0..depth).map(|_| b.block("")).collect();
    let done = b.block("");
    b.at(entry);
    let (zero, ten) = (b.int(Type::I64, 0), b.int(Type::I64, 10));
    let (compare, end) = if to_ten { (Op::Lt, ten) } else { (Op::Le, given) };
    b.jump(heads[0].0, &[zero]);
    for (index, &(head, counter)) in heads.iter().enumerate() {
        b.at(head);
        let condition = b.op_as(compare, &[counter, end], Type::I1);
        let inner = match heads.get(index + 1) {
            Some(&(inner, _)) => b.call(inner, &[zero]),
            None => b.call(latches[index], &[]),
        };
        let outer = if index == 0 { b.call(done, &[]) } else { b.call(latches[index - 1], &[]) };
        b.terminate(Terminator::Branch { condition, then: inner, other: outer });
        b.at(latches[index]);
        let one = b.int(Type::I64, 1);
        let next = b.op(Op::Add, &[counter, one]);
        b.jump(head, &[next]);
    }
    b.at(done);
    b.ret(&[heads[0].1]);
    b.finish()
}

/// S1.30, S1.41, S4.10: an equal operation is found by hashing, in one pass over a very long block.
#[test]
fn a_long_block() {
    optimize(shapes::straight(200_000));
}

#[test]
fn a_deep_nest_with_one_exit() {
    // Nothing inside does anything, so what is left of the nest is up to the passes over loops.
    optimize(shapes::nested(100_000, false));
    optimize(shapes::nested(100_000, true));
}

/// S1.41, S4.10
#[test]
fn many_joins_in_a_row() {
    assert!(optimize(shapes::diamonds(100_000)).blocks().len() > 50_000);
}

#[test]
fn a_switch_with_many_cases_to_one_block() {
    assert_eq!(optimize(switch(50_000)).blocks().len(), 2);
}

#[test]
fn many_loops_in_a_row() {
    // By twos a counter may go over the largest number, and the loop may not end, so it has to stay.
    assert!(optimize(loops_in_a_row(10_000, Op::Lt, 2)).blocks().len() > 10_000);
    // Up to the largest number a loop does not end either, but that is all that is left of it.
    assert!(optimize(loops_in_a_row(10_000, Op::Le, 1)).blocks().len() < 10);
    assert_eq!(optimize(loops_in_a_row(10_000, Op::Lt, 1)).blocks().len(), 1);
}

#[test]
fn a_block_with_many_parameters() {
    assert_eq!(optimize(many_parameters(60_000)).blocks().len(), 3);
}

/// Positions of parameters are not cut to 16 bits: what is passed for the one that is used stays.
#[test]
fn one_of_many_parameters_is_used() {
    let (count, used) = (70_000, 65_536);
    let mut b = Builder::new("one", &[Type::I64]);
    let (entry, target) = (b.block(""), b.block(""));
    let condition = b.param(entry, Type::I64);
    let params: Vec<Value> = (0..count).map(|_| b.param(target, Type::I64)).collect();
    b.at(entry);
    let [then, other] = [5, 6].map(|more| {
        let more = b.int(Type::I64, more);
        let mut args = vec![more; count];
        args[used] = b.op(Op::Mul, &[condition, more]);
        b.call(target, &args)
    });
    b.terminate(Terminator::Branch { condition, then, other });
    b.at(target);
    b.ret(&[params[used]]);
    let f = optimize_with(b.finish(), Pipeline::CFG);
    assert_eq!(verify(&f, Form::Cfg), []);
    assert!(f.block_calls(f.entry()).all(|call| f.list(call.args).len() == 1));
}

#[test]
fn loops_in_loops() {
    let f = optimize_with(loops(20, true), Pipeline::CFG);
    // Each loop is left when its counter is ten: that is the result.
    let Terminator::Return(results) = f.terminator(*f.blocks().last().unwrap()) else {
        panic!("the last block returns")
    };
    assert_eq!(f.int_constant(f.list(*results)[0]).map(|ten| ten.signed()), Some(10));
}

#[test]
fn a_deep_nest_of_loops() {
    assert!(optimize(loops(200, false)).blocks().len() > 200);
    assert_eq!(optimize(loops(200, true)).blocks().len(), 1);
}
