//! What matching costs: the generated matcher, the tree in memory, and the tree of the book beside ten
//! copies of it under other constants.
//!
//! `cargo bench -p planish-book`. Figures are for one operation of a random program, whether a rule
//! fires or not.

use planish_base::Id;
use planish_ops::{Op, Type};
use planish_rules::graph::{Graph, Val};
use planish_rules::matching::Root;

use copies::copied;

#[path = "../tests/copies/mod.rs"]
mod copies;

fn main() {
    divan::main();
}

const SIZE: usize = 2_000;

const OPS: [Op; 14] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Lshift,
    Op::Rshift,
    Op::Urshift,
    Op::Neg,
    Op::Eq,
    Op::Lt,
    Op::IsTrue,
    Op::IsZero,
];

/// A program in which operands are mostly recent values, as in real code, and some are constants: those
/// that rules ask for, and those of the copies.
fn program() -> (Graph, Vec<Val>) {
    let mut state = 3u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 33) as usize) % n
    };
    let mut graph = Graph::new();
    let mut values: Vec<Val> = (0..4).map(|_| graph.param(Type::I64)).collect();
    for constant in [0, 1, -1, 2, 8, 63, 255].into_iter().chain(1000..1010) {
        values.push(graph.int(64, constant));
    }
    let leaves = values.len();
    let mut ops = Vec::new();
    for _ in 0..SIZE {
        let op = OPS[below(OPS.len())];
        let args: Vec<Val> = op
            .row()
            .operands
            .iter()
            .map(|_| match below(4) {
                0 => values[below(leaves)],
                _ => values[values.len() - 1 - below(values.len().min(12))],
            })
            .collect();
        let value = graph.apply(op, &args, Type::I64);
        values.push(value);
        ops.push(value);
    }
    (graph, ops)
}

/// Runs a matcher over every operation and counts the rules that fire.
fn over(graph: &Graph, ops: &[Val], mut matches: impl FnMut(&Root<'_, Val>) -> Option<usize>) -> usize {
    ops.iter().filter_map(|&value| matches(&graph.root(value).expect("an operation"))).count()
}

#[divan::bench]
fn generated(bencher: divan::Bencher<'_, '_>) {
    let (graph, ops) = program();
    bencher.counter(divan::counter::ItemsCount::new(SIZE)).bench_local(|| {
        over(&graph, &ops, |root| planish_book::simplify(&graph, root).map(|r| r.rule.index()))
    });
}

#[divan::bench(args = [0, 1, 5, 10])]
fn in_memory(bencher: divan::Bencher<'_, '_>, copies: usize) {
    let (graph, ops) = program();
    let set = copied(copies);
    bencher
        .counter(divan::counter::ItemsCount::new(SIZE))
        .bench_local(|| over(&graph, &ops, |root| set.simplify(&graph, root).map(|r| r.rule.index())));
}

#[divan::bench(args = [0, 2, 10], sample_count = 2)]
fn compile(bencher: divan::Bencher<'_, '_>, copies: usize) {
    bencher.bench_local(|| copied(copies).rules.len());
}
