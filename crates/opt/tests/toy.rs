//! The examples of the toy optimizer that the engine grew from, and what it was known to miss.

mod common;

use common::text;
use planish_ir::module::Descriptors;
use planish_ir::{Builder, Function, Value};
use planish_ops::{Op, Type};
use planish_opt::{Config, Engine, Record};

/// The optimized function made of `count` inputs, as text.
fn optimized(count: usize, make: impl FnOnce(&mut Builder, &[Value]) -> Vec<Value>) -> String {
    let mut b = Builder::new("toy", &[]);
    let entry = b.block("");
    let inputs: Vec<Value> = (0..count).map(|_| b.param(entry, Type::I64)).collect();
    b.at(entry);
    let results = make(&mut b, &inputs);
    b.ret(&results);
    text(&run(b.finish()))
}

fn run(mut f: Function) -> Function {
    Engine::new().run(&mut f, &Descriptors::default(), &mut Record::new(), &Config::FULL);
    f
}

/// S1.23, S1.24
#[test]
fn one_addition_of_constants_folds() {
    let got = optimized(1, |b, x| {
        let (five, four) = (b.int(Type::I64, 5), b.int(Type::I64, 4));
        let sum = b.op(Op::Add, &[five, four]);
        vec![b.op(Op::Add, &[sum, x[0]])]
    });
    assert_eq!(got, "v0 = add(9, p0)\nreturn v0");
}

/// S1.16, S1.25, S1.26, S1.35
#[test]
fn a_chain_of_additions_of_constants_folds() {
    let got = optimized(1, |b, x| {
        let [five, four, ten] = [5, 4, 10].map(|c| b.int(Type::I64, c));
        let a = b.op(Op::Add, &[five, four]);
        let c = b.op(Op::Add, &[a, ten]);
        vec![b.op(Op::Add, &[c, x[0]])]
    });
    assert_eq!(got, "v0 = add(19, p0)\nreturn v0");
}

/// S1.28, S1.29
#[test]
fn the_running_example_keeps_five_operations() {
    let got = optimized(2, |b, x| {
        let seventeen = b.int(Type::I64, 17);
        let first = b.op(Op::Add, &[x[1], seventeen]);
        let product = b.op(Op::Mul, &[x[0], first]);
        let second = b.op(Op::Add, &[x[1], seventeen]);
        vec![b.op(Op::Add, &[product, second])]
    });
    // Two inputs and three operations.
    assert_eq!(got, "v0 = add(p1, 17)\nv1 = mul(p0, v0)\nv2 = add(v1, v0)\nreturn v2");
}

/// S1.44
#[test]
fn operands_of_a_commutative_operation_are_equal_in_any_order() {
    let got = optimized(2, |b, x| {
        let (a, c) = (b.op(Op::Add, &[x[0], x[1]]), b.op(Op::Add, &[x[1], x[0]]));
        vec![b.op(Op::Mul, &[a, c])]
    });
    assert_eq!(got, "v0 = add(p0, p1)\nv1 = mul(v0, v0)\nreturn v1");
}

/// S1.46
#[test]
fn folding_wraps_at_the_width() {
    let got = optimized(0, |b, _| {
        let (max, one) = (b.int(Type::I64, i64::MAX), b.int(Type::I64, 1));
        vec![b.op(Op::Add, &[max, one])]
    });
    assert_eq!(got, "return -9223372036854775808");
}

/// S1.47
#[test]
fn optimizing_twice_is_optimizing_once() {
    let mut b = Builder::new("toy", &[]);
    let entry = b.block("");
    let x = b.param(entry, Type::I64);
    b.at(entry);
    let c = b.int(Type::I64, 3);
    let a = b.op(Op::Add, &[x, c]);
    let d = b.op(Op::Add, &[a, c]);
    b.ret(&[d]);
    let once = run(b.finish());
    assert_eq!(text(&once), "v0 = add(p0, 6)\nreturn v0");
    assert_eq!(text(&run(once.clone())), text(&once));
}

/// S1.48
#[test]
fn an_operation_that_nothing_uses_goes() {
    let got = optimized(1, |b, x| {
        b.op(Op::Add, &[x[0], x[0]]);
        vec![x[0]]
    });
    assert_eq!(got, "return p0");
}
