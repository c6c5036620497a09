//! Time of one call on 64-bit facts: `cargo bench -p planish-domain`.

use std::hint::black_box;

use divan::Bencher;
use planish_domain::{IntFact, assume, backward, transfer};
use planish_ops::{Int, Op, Type};

fn main() {
    divan::main();
}

/// Facts of several kinds: intervals, known bits, constants, nothing.
fn samples() -> Vec<IntFact> {
    let constants = [0, 1, 8, 0xff].map(|c| IntFact::constant(Int::new(64, c)));
    let ranges = [(0, 10), (-5, 1 << 40), (0, i64::MAX), (i64::MIN, -1)];
    let ranges = ranges.map(|(lo, hi)| IntFact::interval(64, lo, hi));
    let bits = [(0, 7), (1, 0), (0x80, !0xff)].map(|(ones, zeros)| IntFact::bits(64, ones, zeros));
    let any = [IntFact::top(64); 5];
    [&constants[..], &ranges, &bits, &any].concat()
}

/// All pairs of samples.
fn pairs() -> Vec<[IntFact; 2]> {
    let samples = samples();
    samples.iter().flat_map(|&x| samples.iter().map(move |&y| [x, y])).collect()
}

/// The mean over all pairs of samples: one item is one call.
#[divan::bench(args = ["add", "sub", "mul", "and", "or", "xor", "lshift", "rshift", "urshift", "lt", "eq",
    "ult", "add_ovf", "min", "udiv", "floordiv", "floormod", "neg", "is_true"])]
fn forward(bencher: Bencher<'_, '_>, name: &str) {
    let op = Op::from_name(name).expect("an operation");
    let (pairs, arity) = (pairs(), op.row().operands.len());
    bencher.counter(pairs.len()).bench(|| {
        let results = pairs.iter().map(|pair| transfer(black_box(op), &pair[..arity], Type::I64).0.lo());
        results.fold(0, i64::wrapping_add)
    });
}

/// What a result in a range tells about both operands.
#[divan::bench(args = ["add", "and", "lshift", "mul"])]
fn backwards(bencher: Bencher<'_, '_>, name: &str) {
    let op = Op::from_name(name).expect("an operation");
    let (pairs, result) = (pairs(), IntFact::interval(64, 0, 100));
    bencher.counter(pairs.len()).bench(|| {
        pairs
            .iter()
            .filter(|&&pair| {
                let mut pair = pair;
                backward(black_box(op), result, &mut pair) == Ok(true)
            })
            .count()
    });
}

/// What a comparison that holds tells about both operands.
#[divan::bench(args = ["lt", "eq", "ne", "ult"])]
fn assumed(bencher: Bencher<'_, '_>, name: &str) {
    let op = Op::from_name(name).expect("an operation");
    let pairs = pairs();
    bencher.counter(pairs.len()).bench(|| {
        pairs
            .iter()
            .filter(|&&pair| {
                let mut pair = pair;
                assume(black_box(op), true, &mut pair) == Ok(true)
            })
            .count()
    });
}

/// The meet and the join of two facts.
#[divan::bench]
fn meet_and_join(bencher: Bencher<'_, '_>) {
    let pairs = pairs();
    bencher.counter(pairs.len()).bench(|| {
        let ends = pairs.iter().map(|&[x, y]| x.meet(y).hi().wrapping_add(x.join(y).lo()));
        ends.fold(0, i64::wrapping_add)
    });
}
