//! Random functions, optimized and run both ways.

use crate::common::program::{chains, counting, int, masked, meeting, random};
use crate::common::rng::Random;
use crate::common::run::{Seen, run};
use crate::common::text::text;
use planish_base::worklist::Shuffled;
use planish_ir::Form;
use planish_ir::Function;
use planish_ir::module::Descriptors;
use planish_ops::Int;
use planish_opt::{Chaos, Column, Kind, Optimizer, Options, Pipeline, Record};

/// How many functions are made: 3,000, or as many as `PLANISH_RANDOM` says.
fn count() -> u64 {
    std::env::var("PLANISH_RANDOM").map_or(3_000, |text| text.parse().expect("a number of functions"))
}

/// Runs both functions. A run that is long before is long after: blocks are joined, loops never removed.
fn both(before: &Function, after: &Function, inputs: &[Int]) -> (Seen, Seen) {
    let old = run(before, inputs, 200);
    let new = run(after, inputs, if old == Seen::Fuel { 20 } else { 200 });
    (old, new)
}

/// Holds two functions against each other on inputs on which the first ends within a number of blocks, for the second to
/// end within another. Whether it did.
fn agree(case: &str, [before, after]: [&Function; 2], inputs: &[Int], [most, then]: [usize; 2]) -> bool {
    let old = run(before, inputs, most);
    if old == Seen::Fuel {
        return false;
    }
    let new = run(after, inputs, then);
    assert_eq!(old, new, "{case} on {inputs:?}\n{}\n----\n{}", text(before), text(after));
    true
}

#[test]
fn an_optimized_function_does_what_it_did() {
    let world = Descriptors::default();
    let mut optimizer = Optimizer::new();
    let pipeline = Pipeline::parse(Pipeline::CFG, Form::Cfg).unwrap();
    let mut fired = Record::new();
    for (seed, before) in (0..count()).flat_map(|seed| [(seed, random(seed)), (seed, chains(seed))]) {
        let mut after = before.clone();
        optimizer.run(&pipeline, &mut after, &world, &mut fired, Options::QUIET, &mut ());
        let mut r = Random::new(seed + 1_000_000);
        let width = before.ty(before.params()[0]).int_width().unwrap();
        for _ in 0..8 {
            let inputs = [int(&mut r, width), int(&mut r, width)];
            let (old, new) = both(&before, &after, &inputs);
            assert_eq!(old, new, "seed {seed} on {inputs:?}\n{}\n----\n{}", text(&before), text(&after));
        }
    }
    // Random functions have no floats.
    for kind in Kind::PLAIN.into_iter().filter(|&kind| kind != Kind::Algebra(Column::Inverse)) {
        assert!(fired.count(kind) > 0, "{} was made {} times", kind.name(), fired.count(kind));
    }
}

/// The same for passes that copy blocks and move operations. Here a long run may become a short one.
#[test]
fn a_reshaped_function_does_what_it_did() {
    let world = Descriptors::default();
    let mut optimizer = Optimizer::new();
    let pipeline = Pipeline::parse(Pipeline::PROGRAM, Form::Cfg).unwrap();
    let mut fired = Record::new();
    let mut compared = 0;
    for seed in 0..count() {
        // Of loops without a counter few are unrolled.
        let before = if seed % 4 == 3 { counting(seed) } else { random(seed) };
        let mut after = before.clone();
        optimizer.run(&pipeline, &mut after, &world, &mut fired, Options::QUIET, &mut ());
        let mut r = Random::new(seed + 1_000_000);
        for _ in 0..8 {
            let mut input = |&param| int(&mut r, before.ty(param).int_width().unwrap());
            let inputs: Vec<Int> = before.params().iter().map(&mut input).collect();
            let case = format!("seed {seed}");
            compared += u64::from(agree(&case, [&before, &after], &inputs, [200, 1000]));
        }
    }
    assert!(compared > 4 * count());
    let stages: Vec<&str> = fired.stages().map(|(name, _)| name).collect();
    for pass in [
        "if-conversion",
        "gvn",
        "loop-rotate",
        "gcm",
        "loop-peel",
        "jump-threading",
        "loop-unroll",
        "loop-unswitch",
    ] {
        assert!(stages.contains(&pass), "{pass} did nothing; {stages:?}");
    }
}

/// Stopping after any number of rewrites leaves a function that does the same.
#[test]
fn every_amount_of_fuel_gives_a_right_function() {
    let world = Descriptors::default();
    let mut optimizer = Optimizer::new();
    for (passes, seeds) in [(Pipeline::CFG, 150), (Pipeline::PROGRAM, 40)] {
        let pipeline = Pipeline::parse(passes, Form::Cfg).unwrap();
        let mut optimize = |f: &mut Function, record: &mut Record| {
            optimizer.run(&pipeline, f, &world, record, Options::QUIET, &mut ());
        };
        for seed in 0..seeds {
            let before = random(seed);
            let mut all = Record::new();
            optimize(&mut before.clone(), &mut all);
            let mut r = Random::new(seed + 1_000_000);
            let width = before.ty(before.params()[0]).int_width().unwrap();
            for fuel in 0..=all.total() {
                let mut after = before.clone();
                let mut record = Record::new().with_fuel(fuel);
                optimize(&mut after, &mut record);
                assert_eq!(record.total(), fuel);
                let inputs = [int(&mut r, width), int(&mut r, width)];
                agree(&format!("seed {seed} fuel {fuel}"), [&before, &after], &inputs, [200, 1000]);
            }
        }
    }
}

/// Loops that count do what they did when they are gone, wherever they wrap; and one that does not end does not begin to.
#[test]
fn a_loop_that_counts_leaves_what_it_left() {
    let world = Descriptors::default();
    let mut optimizer = Optimizer::new();
    let mut fired = Record::new();
    let (mut compared, mut endless) = (0, 0);
    for passes in ["loop-deletion", "gvn:loop-rotate:intbounds:rewrite:pure:dead:loop-deletion"] {
        let pipeline = Pipeline::parse(passes, Form::Cfg).unwrap();
        for seed in 0..count() {
            let before = counting(seed);
            let mut after = before.clone();
            optimizer.run(&pipeline, &mut after, &world, &mut fired, Options::QUIET, &mut ());
            let mut r = Random::new(seed + 1_000_000);
            let width = before.ty(before.params()[0]).int_width().unwrap();
            for _ in 0..8 {
                let inputs = [int(&mut r, width), int(&mut r, width)];
                let old = run(&before, &inputs, 2500);
                // So many blocks are more than all rounds of two nested counters of four bits.
                if old == Seen::Fuel && width > 4 {
                    continue;
                }
                if old == Seen::Fuel {
                    endless += 1
                } else {
                    compared += 1
                }
                let new = run(&after, &inputs, 2500);
                assert_eq!(old, new, "seed {seed} on {inputs:?}\n{}\n----\n{}", text(&before), text(&after));
            }
        }
    }
    let deleted = fired.count(Kind::Pass("loop-deletion"));
    assert!(
        compared > 4 * count() && endless > count() / 10 && deleted > count() / 4,
        "{compared} ended, {endless} did not; {deleted} loops went"
    );
}

/// Passes, budgets and costs may be anything: they decide how good the result is, and never what it does.
#[test]
fn whatever_heuristics_say_a_function_does_what_it_did() {
    let world = Descriptors::default();
    let mut optimizer = Optimizer::new();
    let pipeline = Pipeline::parse(Pipeline::PROGRAM, Form::Cfg).unwrap();
    let mut compared = 0;
    for (seed, before) in (0..count() / 2).flat_map(|seed| [(seed, random(seed)), (seed, counting(seed))]) {
        let mut after = before.clone();
        let options = Options { chaos: Some(Chaos::new(seed)), ..Options::QUIET };
        let _order = Shuffled::by(seed);
        optimizer.run(&pipeline, &mut after, &world, &mut Record::new(), options, &mut ());
        let mut r = Random::new(seed + 1_000_000);
        let width = before.ty(before.params()[0]).int_width().unwrap();
        for _ in 0..4 {
            let inputs: Vec<Int> = before.params().iter().map(|_| int(&mut r, width)).collect();
            let case = format!("seed {seed}");
            compared += u64::from(agree(&case, [&before, &after], &inputs, [200, 2000]));
        }
    }
    assert!(compared > count());
}

/// What analyses find does not depend on what their work lists hand out first: the very same functions come out.
#[test]
fn whatever_is_looked_at_first_the_result_is_the_same() {
    let (mut optimizer, world) = (Optimizer::new(), Descriptors::default());
    let pipeline = Pipeline::parse(Pipeline::PROGRAM, Form::Cfg).unwrap();
    for (seed, before) in (0..count() / 4).flat_map(|seed| [(seed, random(seed)), (seed, counting(seed))]) {
        let mut optimized = |order: Option<u64>| {
            let _order = order.map(Shuffled::by);
            let mut f = before.clone();
            optimizer.run(&pipeline, &mut f, &world, &mut Record::new(), Options::QUIET, &mut ());
            text(&f)
        };
        let usual = optimized(None);
        for order in 0..4 {
            assert_eq!(optimized(Some(order)), usual, "seed {seed}, order {order}\n{}", text(&before));
        }
    }
}

/// Loops whose counters become others do what they did: near the ends of every width, with steps that wrap, for all inputs of up
/// to 3 bits. Blocks are run as often as before.
#[test]
fn a_loop_whose_counters_are_others_leaves_what_it_left() {
    let world = Descriptors::default();
    let mut optimizer = Optimizer::new();
    let mut fired = Record::new();
    let mut compared = 0;
    for passes in COUNTERS {
        let pipeline = Pipeline::parse(passes, Form::Cfg).unwrap();
        for seed in 0..count() {
            let before = counting(seed + 5_000_000);
            let mut after = before.clone();
            optimizer.run(&pipeline, &mut after, &world, &mut fired, Options::QUIET, &mut ());
            let mut r = Random::new(seed + 6_000_000);
            let width = before.ty(before.params()[0]).int_width().unwrap();
            for number in 0..if width <= 3 { 1 << (2 * width) } else { 8 } {
                let inputs = match width {
                    ..=3 => [Int::new(width, number), Int::new(width, number >> width)],
                    _ => [int(&mut r, width), int(&mut r, width)],
                };
                let case = format!("seed {seed}");
                compared += u64::from(agree(&case, [&before, &after], &inputs, [1200, 2500]));
            }
        }
    }
    assert!(compared > 8 * count(), "{compared} compared");
    for name in ["strength-reduction", "indvars"] {
        let changed = fired.count(Kind::Pass(name));
        assert!(changed > count() / 20, "{name} changed {changed}");
    }
}

/// Two counters that meet, in wider words and near the ends of every width, for all inputs of up to 3 bits.
#[test]
fn counters_that_meet_leave_what_they_left() {
    let world = Descriptors::default();
    let mut optimizer = Optimizer::new();
    let mut fired = Record::new();
    let mut compared = 0;
    for passes in COUNTERS.into_iter().chain([Pipeline::PROGRAM]) {
        let pipeline = Pipeline::parse(passes, Form::Cfg).unwrap();
        for seed in 0..count() {
            let before = meeting(seed + 8_000_000);
            let mut after = before.clone();
            optimizer.run(&pipeline, &mut after, &world, &mut fired, Options::QUIET, &mut ());
            let mut r = Random::new(seed + 9_000_000);
            let width = before.ty(before.params()[0]).int_width().unwrap();
            for number in 0..if width <= 3 { 1 << (2 * width) } else { 12 } {
                let inputs = match width {
                    ..=3 => [Int::new(width, number), Int::new(width, number >> width)],
                    _ => [int(&mut r, width), int(&mut r, width)],
                };
                let case = format!("seed {seed}, {passes}");
                compared += u64::from(agree(&case, [&before, &after], &inputs, [300, 900]));
            }
        }
    }
    assert!(compared > 8 * count(), "{compared} compared");
    let changed = fired.count(Kind::Pass("strength-reduction"));
    assert!(changed > count() / 20, "{changed} became sums");
}

/// Pipelines that make other counters, as loops stand and as they stand when they are tested at their end.
const COUNTERS: [&str; 4] = [
    "indvars",
    "gvn:loop-rotate:intbounds:rewrite:pure:dead:simplify-cfg:indvars:intbounds:rewrite:pure:dead",
    "strength-reduction,rounds=100:dead",
    "gvn:loop-rotate:intbounds:rewrite:pure:dead:simplify-cfg:strength-reduction,rounds=100:intbounds:rewrite:pure:dead",
];

/// Masks and detours through other widths that go make no difference, for all inputs of up to 3 bits.
#[test]
fn bits_that_nobody_sees_make_no_difference() {
    let world = Descriptors::default();
    let mut optimizer = Optimizer::new();
    let mut fired = Record::new();
    for passes in [
        "demanded-bits:dead",
        "narrowing:dead",
        "intbounds:rewrite:pure:dead:demanded-bits:narrowing:intbounds:rewrite:pure:dead",
    ] {
        let pipeline = Pipeline::parse(passes, Form::Cfg).unwrap();
        for seed in 0..count() {
            let before = masked(seed);
            let mut after = before.clone();
            optimizer.run(&pipeline, &mut after, &world, &mut fired, Options::QUIET, &mut ());
            let mut r = Random::new(seed + 6_000_000);
            let width = before.ty(before.params()[0]).int_width().unwrap();
            for number in 0..if width <= 3 { 1 << (2 * width) } else { 8 } {
                let inputs = match width {
                    ..=3 => [Int::new(width, number), Int::new(width, number >> width)],
                    _ => [int(&mut r, width), int(&mut r, width)],
                };
                let (old, new) = (run(&before, &inputs, 100), run(&after, &inputs, 100));
                assert_eq!(old, new, "seed {seed} on {inputs:?}\n{}\n----\n{}", text(&before), text(&after));
            }
        }
    }
    for name in ["demanded-bits", "narrowing"] {
        let changed = fired.count(Kind::Pass(name));
        assert!(changed > count() / 4, "{name} changed {changed}");
    }
}
