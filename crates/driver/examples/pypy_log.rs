//! Optimizes the raw traces of PYPYLOG files and prints the sums beside what PyPy left.
//!
//! `cargo run --release -p planish-driver --example pypy_log -- FILE...`

use std::time::{Duration, Instant};

use planish_base::{Diagnostics, SourceText};
use planish_ir::Module;
use planish_opt::memory::{self, Memory};
use planish_opt::stage::Stage;
use planish_opt::{Config, Engine, Features, Record};
use planish_trace_dialect::relog::{Total, Verdict, optimize};
use planish_trace_dialect::{lower, pypylog};

fn main() {
    let mut sum = Total::default();
    let mut engine = Engine::new();
    let mut time = Duration::ZERO;
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("the file is there");
        let text = String::from_utf8(pypylog::unfold(bytes).expect("whole")).expect("UTF-8");
        let (mut log, _) = pypylog::read(SourceText::new(path.clone(), text));
        let (mut module, mut diagnostics) = (Module::new(), Diagnostics::new());
        let options = lower::Options { behind_optimizer: true, ..lower::Options::default() };
        let mut record = Record::new();
        let outcome = optimize(&mut log, &mut module, options, &mut diagnostics, &mut |lifted, module| {
            let mut stage = Memory::new(memory::Options::TRACE);
            let stages: &mut [&mut dyn Stage] = &mut [&mut stage];
            let config = Config { features: Features::ALL, ..Config::FULL };
            let start = Instant::now();
            let summary =
                engine.run_with(&mut lifted.function, &module.descriptors, &mut record, &config, stages);
            time += start.elapsed();
            match summary.fails {
                Some(_) => Verdict::InvalidLoop("a guard always fails".to_owned()),
                None => Verdict::Done,
            }
        });
        print!("{}", diagnostics.render(&log.source));
        let total = outcome.total();
        println!(
            "{:26} {:4} traces, {} invalid: {:7} -> {:7} hard, PyPy {:7}",
            path.rsplit('/').next().unwrap_or(&path),
            total.traces,
            total.invalid,
            total.before.hard,
            total.after.hard,
            total.pypy.hard
        );
        sum.traces += total.traces;
        sum.compared += total.compared;
        sum.invalid += total.invalid;
        sum.before.add(&total.before);
        sum.after.add(&total.after);
        sum.pypy.add(&total.pypy);
        if std::env::var_os("WRITE").is_some() {
            std::fs::write("/dev/stdout", log.write(&outcome.sections)).expect("standard output is open");
        }
    }
    println!("{} traces, {} compared, {} invalid", sum.traces, sum.compared, sum.invalid);
    let fields = sum.before.fields();
    for ((name, before), ((_, after), (_, pypy))) in
        fields.iter().zip(sum.after.fields().iter().zip(sum.pypy.fields()))
    {
        println!("{name:14} {before:8} {after:8} {pypy:8}");
    }
    println!("{:.1} ns a hard operation", time.as_nanos() as f64 / sum.before.hard.max(1) as f64);
}
