//! Every deliberate mistake in the engine is found by random functions: by the verifier, or because the
//! optimized function does something else. Run with `--features faults`.

mod common {
    pub mod program;
    pub mod rng;
    pub mod run;
}

use std::panic::{AssertUnwindSafe, catch_unwind};

use common::program::{int, random};
use common::rng::Random;
use common::run::{Seen, run};
use planish_base::faults;
use planish_ir::Function;
use planish_ir::module::Descriptors;
use planish_ops::Int;
use planish_opt::{Engine, Options, Pipeline, Record};

/// How many random functions may pass before a mistake must have been found.
const BUDGET: u64 = 30_000;

/// The names of all faults in the sources of the crate.
fn names() -> Vec<&'static str> {
    let mut names = Vec::new();
    let mut files: Vec<_> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    files.sort();
    for file in files {
        let text = std::fs::read_to_string(file).unwrap();
        for part in text.split("fault!(\"").skip(1) {
            let name = part.split('"').next().unwrap().to_owned();
            names.push(&*name.leak());
        }
    }
    names
}

/// The number of random functions until one is optimized wrongly, if one is within the budget.
fn found(name: &'static str, budget: u64) -> Option<u64> {
    let pipeline = Pipeline::parse(Pipeline::CFG).unwrap();
    let world = Descriptors::default();
    (0..budget).find(|&seed| {
        let before = random(seed);
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let mut after = before.clone();
            let optimize = || {
                let options = Options { verify: true, ..Options::QUIET };
                let (mut engine, mut record) = (Engine::new(), Record::new());
                pipeline.run(&mut after, &world, &mut engine, &mut record, options, &mut |_, _| {});
            };
            faults::with(name, optimize);
            !same(&before, &after, seed)
        }));
        outcome.unwrap_or(true)
    })
}

fn same(before: &Function, after: &Function, seed: u64) -> bool {
    let mut r = Random::new(seed + 1_000_000);
    let width = before.ty(before.params()[0]).int_width().unwrap();
    (0..6).all(|_| {
        let inputs: [Int; 2] = [int(&mut r, width), int(&mut r, width)];
        let old = run(before, &inputs, 200);
        old == run(after, &inputs, if old == Seen::Fuel { 20 } else { 200 })
    })
}

#[test]
fn random_functions_find_every_fault() {
    std::panic::set_hook(Box::new(|_| {}));
    assert_eq!(found("no such fault", 2_000), None, "the engine is right without faults");
    let mut missed = Vec::new();
    for name in names() {
        match found(name, BUDGET) {
            Some(seed) => println!("{:>6} functions: {name}", seed + 1),
            None => {
                println!("     not found: {name}");
                missed.push(name);
            }
        }
    }
    assert!(missed.is_empty(), "not found: {missed:#?}");
}
