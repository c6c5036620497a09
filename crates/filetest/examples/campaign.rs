//! Optimizes many random functions and runs each beside its source.
//!
//! `cargo run --release -p planish-filetest --example campaign -- [COUNT] [FIRST SEED]`
//!
//! Prints how many functions of each kind were held against their source, in how many worlds, and what
//! optimizing took away. Exit status 1 at the first function that does something else.

use std::process::ExitCode;
use std::time::Instant;

use planish_driver::session::EngineChoice;
use planish_filetest::generate::{Options, from_seed};
use planish_filetest::property::{Effort, optimized_does_the_same};

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let count = numbers.first().copied().unwrap_or(10_000);
    let first = numbers.get(1).copied().unwrap_or(0);
    let kinds = [("straight", Options::STRAIGHT), ("acyclic", Options::ACYCLIC), ("full", Options::FULL)];
    let engines = [("linear", EngineChoice::Linear), ("egraph", EngineChoice::Egraph)];
    let begin = Instant::now();
    for (engine_name, engine) in engines {
        for (kind, options) in kinds {
            let (mut compared, mut before, mut after, mut rewrites) = (0, 0, 0, 0);
            let share = count.div_ceil((kinds.len() * engines.len()) as u64);
            for seed in first..first + share {
                let module = from_seed(seed, options);
                match optimized_does_the_same(&module, engine, seed, Effort { tries: 8, fuel: 2000 }) {
                    Ok(held) => {
                        compared += held.compared;
                        before += held.sizes.0;
                        after += held.sizes.1;
                        rewrites += held.rewrites;
                    }
                    Err(why) => {
                        eprintln!("{engine_name}, {kind}, seed {seed}: {why}");
                        return ExitCode::FAILURE;
                    }
                }
            }
            println!(
                "{engine_name:8} {kind:8} {share} functions, {compared} worlds compared, \
                 {before} -> {after} operations, {rewrites} rewrites"
            );
        }
    }
    println!("no mismatch in {:.1} s", begin.elapsed().as_secs_f64());
    ExitCode::SUCCESS
}
