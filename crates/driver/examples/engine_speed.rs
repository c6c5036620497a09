//! Optimizes the raw traces of PYPYLOG files and prints what one operation costs, from the trace in memory
//! to the optimized trace in memory; reading, lifting and writing apart.
//!
//! `cargo run --release -p planish-driver --example engine_speed -- FILE...`

use std::time::{Duration, Instant};

use planish_base::{Diagnostics, SourceText};
use planish_ir::{Function, Module};
use planish_opt::{Engine, Options, Pipeline, Record};
use planish_trace_dialect::descr::Vocabulary;
use planish_trace_dialect::lift::{self, Lifter};
use planish_trace_dialect::pypylog::{self, SectionKind};

/// The result is the best of so many rounds.
const ROUNDS: usize = 25;

fn main() -> Result<(), String> {
    let (mut operations, mut total) = (0, Duration::ZERO);
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).map_err(|error| error.to_string())?;
        let bytes = pypylog::unfold(bytes).map_err(|error| error.to_string())?;
        let text = String::from_utf8(bytes).map_err(|error| error.to_string())?;
        let (log, _) = pypylog::read(SourceText::new(path.clone(), text));
        let (mut module, mut words) = (Module::new(), Vocabulary::new());
        let mut functions = Vec::new();
        let mut count = 0;
        for section in log.sections.values() {
            let Some(trace) = section.trace.as_ref().filter(|_| section.kind == SectionKind::NoOpt) else {
                continue;
            };
            let mut lifter = Lifter::new(
                &mut module,
                &log.texts,
                &mut words,
                lift::Options { log: true, expand_virtual_refs: true },
            );
            if let Some(lifted) = lifter.lift("trace", trace, &mut Diagnostics::new()) {
                count += trace.ops.len();
                functions.push(lifted.function);
            }
        }
        let pipeline = Pipeline::parse(Pipeline::TRACE).expect("a pipeline of the crate");
        let options = Options { verify: false, ..Options::QUIET };
        let mut engine = Engine::new();
        let mut best = Duration::MAX;
        for _ in 0..ROUNDS {
            let mut fresh: Vec<Function> = functions.clone();
            let mut record = Record::new();
            let start = Instant::now();
            for f in &mut fresh {
                pipeline.run(f, &module.descriptors, &mut engine, &mut record, options, &mut |_, _| {});
            }
            best = best.min(start.elapsed());
        }
        println!("{path}: {} traces, {count} operations, {:.1} ns each", functions.len(), nanos(best, count));
        operations += count;
        total += best;
    }
    println!("total: {operations} operations, {:.1} ns each", nanos(total, operations));
    Ok(())
}

fn nanos(time: Duration, operations: usize) -> f64 {
    time.as_secs_f64() * 1e9 / operations.max(1) as f64
}
