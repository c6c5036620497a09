//! Large functions of shapes in which quadratic algorithms and recursion show.

mod common {
    pub mod rng;
    pub mod shapes;
}

use std::time::{Duration, Instant};

use common::shapes;
use planish_ir::module::Descriptors;
use planish_ir::{Block, Builder, Function, Terminator, Value};
use planish_ops::{Int, Op, Type};
use planish_opt::{Engine, Options, Pipeline, Record};

/// Far above what is needed, and far below what a quadratic step takes.
const PATIENCE: Duration = Duration::from_secs(20);

fn optimize(mut f: Function) -> Function {
    let pipeline = Pipeline::parse(Pipeline::CFG).unwrap();
    let options = Options { verify: false, ..Options::QUIET };
    let (mut engine, mut record) = (Engine::new(), Record::new());
    let start = Instant::now();
    pipeline.run(&mut f, &Descriptors::default(), &mut engine, &mut record, options, &mut |_, _| {});
    assert!(start.elapsed() < PATIENCE, "{} took {:?}", f.name, start.elapsed());
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

/// `depth` loops, each inside the one before, that count to ten.
fn loops(depth: usize) -> Function {
    let mut b = Builder::new("loops", &[Type::I64]);
    let entry = b.block("");
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
    b.jump(heads[0].0, &[zero]);
    for (index, &(head, counter)) in heads.iter().enumerate() {
        b.at(head);
        let condition = b.op_as(Op::Lt, &[counter, ten], Type::I1);
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

/// S1.30, S1.41: an equal operation is found by hashing, in one pass over a very long block.
#[test]
fn a_long_block() {
    optimize(shapes::straight(200_000));
}

#[test]
fn a_deep_nest_with_one_exit() {
    assert!(optimize(shapes::nested(30_000, false)).blocks().len() > 29_000);
    assert!(optimize(shapes::nested(30_000, true)).blocks().len() > 29_000);
}

#[test]
fn many_joins_in_a_row() {
    assert!(optimize(shapes::diamonds(30_000)).blocks().len() > 50_000);
}

#[test]
fn a_switch_with_many_cases_to_one_block() {
    assert_eq!(optimize(switch(50_000)).blocks().len(), 2);
}

#[test]
fn loops_in_loops() {
    let f = optimize(loops(20));
    // Each loop is left when its counter is ten: that is the result.
    let Terminator::Return(results) = f.terminator(*f.blocks().last().unwrap()) else {
        panic!("the last block returns")
    };
    assert_eq!(f.int_constant(f.list(*results)[0]).map(|ten| ten.signed()), Some(10));
}
