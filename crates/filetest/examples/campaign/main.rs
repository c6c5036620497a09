//! Optimizes many random functions and holds each against its source.
//!
//! `cargo run --release -p planish-filetest --example campaign -- [COUNT] [FIRST SEED] [KIND]`
//!
//! COUNT functions of every kind, or of the one that is named as in the table that is printed, go through the
//! linear engine and the e-graph engine, and once more through the linear one in chaos mode, as do as many that hold patterns of the book's rules, and straight lines
//! through the pipeline of traces. Each is verified and run beside its source in random worlds; of every hundredth
//! the built-in solver is asked too. Traces as text follow: lines, loops that are peeled, loops with bridges, by
//! both engines and with `--compat pypy`, and what bridges are told of such lines (`told`). Printed is, for each kind and engine, in how many worlds both ended, what
//! the solver said, and what optimizing took away. Exit status 1 at the first function that does something
//! else: it is printed, made small.

mod texts;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use planish_book as book;
use planish_driver::reduce::{Oracle, TESTS, functions};
use planish_filetest::generate::trace::Shape;
use planish_filetest::generate::{Options, Source, bytes, from_seed, pattern};
use planish_filetest::property::{Effort, Held, How, optimized_does_the_same, trace_ways};
use planish_ir::{Module, text};
use planish_prove::{Budget, Engine, Validation};

/// Worlds, and operations in each.
const EFFORT: Effort = Effort { tries: 6, fuel: 1500 };

/// Of how many functions one goes to the solver.
const ASK: u64 = 100;

/// How long the solver may think about one.
const LIMIT: Duration = Duration::from_millis(300);

/// How many back edges the solver follows.
const BOUND: u32 = 3;

#[derive(Default)]
struct Tally {
    functions: u64,
    compared: u64,
    before: usize,
    after: usize,
    rewrites: u64,
    proved: u64,
    bounded: u64,
    open: u64,
}

impl Tally {
    /// Holds one function against what becomes of it; the error is what to print.
    fn hold(&mut self, module: &Module, how: &How, seed: u64) -> Result<(), String> {
        let Held { compared, sizes, rewrites, after } =
            match optimized_does_the_same(module, how, seed, EFFORT) {
                Ok(held) => held,
                Err(wrong) => return Err(format!("{wrong}\n\nsmaller:\n{}", smaller(module, how, seed))),
            };
        self.functions += 1;
        self.compared += compared;
        self.before += sizes.0;
        self.after += sizes.1;
        self.rewrites += rewrites;
        if seed.is_multiple_of(ASK) {
            let first = |module: &Module| module.functions.values().next().cloned().expect("a function");
            let (f, g) = (first(module), first(&after));
            let (source, target) = ((&f, &module.descriptors as _), (&g, &after.descriptors as _));
            match planish_prove::validate(source, target, BOUND, &Engine::builtin(), &Budget::new(LIMIT)) {
                Validation::Proved => self.proved += 1,
                Validation::ProvedUpTo(_) => self.bounded += 1,
                Validation::Unknown(_) | Validation::Unsupported(_) => self.open += 1,
                wrong @ (Validation::Different(_) | Validation::Signature) => {
                    let show = |module| text::write(module, text::Options::default());
                    return Err(format!("{wrong}\n{}\nbecame\n{}", show(module), show(&after)));
                }
            }
        }
        Ok(())
    }

    fn print(&self, engine: &str, kind: &str) {
        println!(
            "{engine:6} {kind:10} {:7} functions, {:8} worlds, solver {:4} proved {:4} up to a bound {:4} open, \
             {:9} -> {:8} operations, {:8} rewrites",
            self.functions,
            self.compared,
            self.proved,
            self.bounded,
            self.open,
            self.before,
            self.after,
            self.rewrites
        );
    }
}

/// The smallest function found that is still optimized wrongly.
fn smaller(module: &Module, how: &How, seed: u64) -> String {
    let mut fails = |module: &Module| optimized_does_the_same(module, how, seed, EFFORT).is_err();
    let small = functions::reduce(module, &mut Oracle::new(&mut fails, TESTS));
    text::write(&small, text::Options::default())
}

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|arg| arg.parse().ok()).collect();
    let count = numbers.first().copied().unwrap_or(1_000);
    let first = numbers.get(1).copied().unwrap_or(0);
    let wanted = std::env::args().skip(1).find(|arg| arg.parse::<u64>().is_err());
    let begin = Instant::now();
    let mut total = 0;
    let mut run =
        |name: &str, kind: &str, how: &How, make: &dyn Fn(u64) -> Option<Module>| -> Result<(), ()> {
            if wanted.as_deref().is_some_and(|wanted| wanted != kind) {
                return Ok(());
            }
            let mut tally = Tally::default();
            for seed in first..first + count {
                let Some(module) = make(seed) else { continue };
                if let Err(why) = tally.hold(&module, how, seed) {
                    eprintln!("{name}, {kind}, seed {seed}: {why}");
                    return Err(());
                }
            }
            tally.print(name, kind);
            total += tally.functions;
            Ok(())
        };
    let rules: Vec<_> = book::set().rules.values().collect();
    let instance = |seed: u64| {
        let bytes = bytes(seed, 400);
        let rule = rules[seed as usize % rules.len()];
        pattern::module(&mut Source::new(&bytes), rule).expect("bytes that run out read as zero")
    };
    let mut outcomes = Vec::new();
    for (name, how) in [("linear", How::LINEAR), ("egraph", How::EGRAPH), ("chaos", How::CHAOS)] {
        for (kind, options) in Options::KINDS {
            outcomes.push(run(name, kind, &how, &|seed| Some(from_seed(seed, options))));
        }
        outcomes.push(run(name, "rules", &how, &instance));
    }
    for (kind, options) in Options::TRACES {
        outcomes.push(run("trace", kind, &How::TRACE, &|seed| Some(from_seed(seed, options))));
    }
    for (name, settings) in trace_ways() {
        for (kind, shape) in Shape::ALL {
            if wanted.as_deref().is_none_or(|wanted| wanted == kind) {
                let held = texts::hold(name, kind, (shape, &settings), first..first + count);
                total += held.unwrap_or(0);
                outcomes.push(held.map(|_| ()));
            }
        }
    }
    if wanted.as_deref().is_none_or(|wanted| wanted == "told") {
        let held = texts::told(first..first + count);
        total += held.unwrap_or(0);
        outcomes.push(held.map(|_| ()));
    }
    println!("{total} functions in {:.1} s", begin.elapsed().as_secs_f64());
    if outcomes.iter().any(Result::is_err) {
        return ExitCode::FAILURE;
    }
    println!("no mismatch");
    ExitCode::SUCCESS
}
