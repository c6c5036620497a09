//! Random functions, optimized and run both ways.

mod common;

use common::{Random, Seen, random, run, text};
use planish_ir::module::Descriptors;
use planish_opt::{Config, Engine, Kind, Record};

#[test]
fn an_optimized_function_does_what_it_did() {
    let world = Descriptors::default();
    let mut engine = Engine::new();
    let mut fired = Record::new();
    for seed in 0..4000 {
        let before = random(seed);
        let mut after = before.clone();
        engine.run(&mut after, &world, &mut fired, &Config::FULL);
        let mut r = Random::new(seed + 1_000_000);
        let width = before.ty(before.params()[0]).int_width().unwrap();
        for _ in 0..8 {
            let inputs = [r.int(width), r.int(width)];
            let (old, new) = (run(&before, &inputs, 60), run(&after, &inputs, 60));
            if old == Seen::Fuel || new == Seen::Fuel {
                continue;
            }
            assert_eq!(old, new, "seed {seed} on {inputs:?}\n{}\n----\n{}", text(&before), text(&after));
        }
    }
    for kind in Kind::PLAIN.into_iter().filter(|&kind| kind != Kind::Fact && kind != Kind::Join) {
        assert!(fired.count(kind) >= 5, "{} was made {} times", kind.name(), fired.count(kind));
    }
}

/// Stopping after any number of rewrites leaves a function that does the same.
#[test]
fn every_amount_of_fuel_gives_a_right_function() {
    let world = Descriptors::default();
    let mut engine = Engine::new();
    for seed in 0..150 {
        let before = random(seed);
        let mut all = Record::new();
        engine.run(&mut before.clone(), &world, &mut all, &Config::FULL);
        let mut r = Random::new(seed + 1_000_000);
        let width = before.ty(before.params()[0]).int_width().unwrap();
        for fuel in 0..=all.total() {
            let mut after = before.clone();
            let mut record = Record::new().with_fuel(fuel);
            engine.run(&mut after, &world, &mut record, &Config::FULL);
            assert_eq!(record.total(), fuel);
            let inputs = [r.int(width), r.int(width)];
            let (old, new) = (run(&before, &inputs, 60), run(&after, &inputs, 60));
            if old != Seen::Fuel && new != Seen::Fuel {
                assert_eq!(
                    old,
                    new,
                    "seed {seed} fuel {fuel} on {inputs:?}\n{}\n----\n{}",
                    text(&before),
                    text(&after)
                );
            }
        }
    }
}
