//! Large functions of shapes in which quadratic algorithms and recursion show.

mod common;

use std::time::{Duration, Instant};

use common::shapes;
use planish_ir::Function;
use planish_ir::module::Descriptors;
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
    assert_eq!(optimize(shapes::switch(50_000)).blocks().len(), 2);
}

#[test]
fn loops_in_loops() {
    let f = optimize(shapes::loops(20));
    // Each loop is left when its counter is ten: that is the result.
    let planish_ir::Terminator::Return(results) = f.terminator(*f.blocks().last().unwrap()) else {
        panic!("the last block returns")
    };
    assert_eq!(f.int_constant(f.list(*results)[0]).map(|ten| ten.signed()), Some(10));
}
