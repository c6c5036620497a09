//! Optimizes the raw traces of PYPYLOG files and prints what that costs: nanoseconds for each hard operation,
//! from the trace in memory to the optimized trace in memory, and megabytes a second for reading and for
//! writing, apart.
//!
//! `cargo run --release -p planish-driver --example engine_speed -- [--rounds N] [--only PASSES] [--fresh] FILE...`
//!
//! All traces of a log are made before the first is optimized, so that few of them are in the cache when their turn
//! comes; with `--fresh` each is made directly before, as by a JIT that has just recorded it. Making it is not
//! measured. Of optimizing each trace counts the best of N rounds (25 unless told), of reading and writing the best of
//! five. With `--only` nothing but that pipeline is run.

use std::time::{Duration, Instant};

use planish_base::{Diagnostics, SourceText};
use planish_ir::{Form, Module};
use planish_opt::{Optimizer, Options, Pipeline, Record};
use planish_trace_dialect::descr::Vocabulary;
use planish_trace_dialect::lift::{self, Lifted, Lifter};
use planish_trace_dialect::lower::{self, lower};
use planish_trace_dialect::pypylog::{self, Log, SectionKind};
use planish_trace_dialect::stats::Parts;
use planish_trace_dialect::{text::Trace, write};

/// What is measured: a name for the table, and the passes.
const PIPELINES: [(&str, &str); 3] = [
    ("integers", "intbounds:rewrite:pure"),
    ("straight line", Pipeline::TRACE),
    ("unrolled", "intbounds:rewrite:virtualize:string:pure:heap:dead:peel"),
];

fn main() -> Result<(), String> {
    let (mut rounds, mut only, mut fresh, mut files) = (25, None, false, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--rounds" => {
                rounds = args.next().and_then(|n| n.parse().ok()).ok_or("--rounds takes a number")?
            }
            "--fresh" => fresh = true,
            "--only" => only = Some(args.next().ok_or("--only takes passes")?),
            _ => files.push(arg),
        }
    }
    let pipelines: Vec<(&str, Pipeline)> = match &only {
        Some(passes) => vec![("only", parse(passes)?)],
        None => PIPELINES
            .iter()
            .map(|&(name, passes)| Ok((name, parse(passes)?)))
            .collect::<Result<_, String>>()?,
    };
    print!("{:<24} {:>7} {:>10}", "log", "traces", "hard ops");
    pipelines.iter().for_each(|(name, _)| print!(" {:>16}", format!("{name} ns/op")));
    println!("{}", if only.is_some() { "" } else { "  read MB/s  write MB/s" });
    let mut total = Figures::new(pipelines.len());
    for path in &files {
        let figures = Traces::read(path)?.measure(&pipelines, rounds, fresh, only.is_none())?;
        let name = path.rsplit('/').next().unwrap_or(path).trim_end_matches(".gz").trim_end_matches(".log");
        figures.print(name);
        total.add(&figures);
    }
    total.print("total");
    Ok(())
}

fn parse(passes: &str) -> Result<Pipeline, String> {
    Pipeline::parse(passes, Form::Trace).map_err(|error| error.to_string())
}

/// The raw traces of a log.
struct Traces {
    source: SourceText,
    log: Log,
    hard: u64,
    traces: usize,
}

impl Traces {
    fn read(path: &str) -> Result<Traces, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("{path}: {error}"))?;
        let bytes = pypylog::unfold(bytes, None).map_err(|error| format!("{path}: {error}"))?;
        let text = String::from_utf8(bytes).map_err(|error| format!("{path}: {error}"))?;
        let source = SourceText::new(path.to_owned(), text);
        let (log, _) = pypylog::read(source.clone());
        let hard = raw(&log).map(|trace| Parts::of(trace, &log.texts).total().hard).sum();
        let traces = raw(&log).count();
        Ok(Traces { source, log, hard, traces })
    }

    /// The traces as functions.
    fn lift(&self) -> (Module, Vec<Option<Lifted>>) {
        let (mut module, mut words) = (Module::new(), Vocabulary::new());
        let lifted = raw(&self.log).map(|trace| self.lift_one(trace, &mut module, &mut words)).collect();
        (module, lifted)
    }

    fn lift_one(&self, trace: &Trace, module: &mut Module, words: &mut Vocabulary) -> Option<Lifted> {
        let options = lift::Options { log: true, expand_virtual_refs: true, ..lift::Options::default() };
        Lifter::new(module, &self.log.texts, words, options).lift("trace", trace, &mut Diagnostics::new())
    }

    fn measure(
        &self,
        pipelines: &[(&str, Pipeline)],
        rounds: usize,
        fresh: bool,
        text: bool,
    ) -> Result<Figures, String> {
        let mut figures = Figures::new(pipelines.len());
        (figures.traces, figures.hard) = (self.traces, self.hard);
        // A trace: its accesses cannot leave.
        let options = Options { verify: false, ..Options::QUIET };
        let mut optimizer = Optimizer::new();
        for ((_, pipeline), best) in pipelines.iter().zip(&mut figures.optimize) {
            // What else the machine does falls into few of the runs of one trace.
            let mut best_runs = vec![Duration::MAX; self.traces];
            for _ in 0..rounds {
                let (mut module, mut words) = (Module::new(), Vocabulary::new());
                let mut ahead = Vec::new();
                if !fresh {
                    (module, ahead) = self.lift();
                }
                // What was made before is given up behind the last, so that it is not the memory of the next.
                let mut kept = Vec::with_capacity(ahead.len());
                let (mut ahead, mut record) = (ahead.into_iter(), Record::new());
                for (trace, best_run) in raw(&self.log).zip(&mut best_runs) {
                    let made = ahead.next().unwrap_or_else(|| self.lift_one(trace, &mut module, &mut words));
                    let Some(Lifted { mut function, .. }) = made else { continue };
                    let start = Instant::now();
                    optimizer.run(
                        pipeline,
                        &mut function,
                        &module.descriptors,
                        &mut record,
                        options,
                        &mut (),
                    );
                    *best_run = start.elapsed().min(*best_run);
                    if !fresh {
                        kept.push(function);
                    }
                }
            }
            *best = best_runs.iter().filter(|&&run| run < Duration::MAX).sum();
        }
        if text {
            figures.bytes_read = self.source.text().len();
            figures.read = best_of(rounds.min(5), || {
                let source = self.source.clone();
                let start = Instant::now();
                std::hint::black_box(pypylog::read(source));
                start.elapsed()
            });
            let mut texts = self.log.texts.clone();
            let (module, lifted) = self.lift();
            let lowered: Vec<Trace> = (lifted.iter().flatten())
                .map(|Lifted { function, origin }| {
                    lower(function, &module, origin, lower::Options::default(), &mut texts)
                        .map_err(|illegal| illegal.to_string())
                })
                .collect::<Result<_, String>>()?;
            let mut out = String::new();
            figures.write = best_of(rounds.min(5), || {
                out.clear();
                let start = Instant::now();
                lowered.iter().for_each(|trace| write::trace(trace, &texts, &mut out));
                start.elapsed()
            });
            figures.bytes_written = out.len();
        }
        Ok(figures)
    }
}

/// The raw traces in the order of the log.
fn raw(log: &Log) -> impl Iterator<Item = &Trace> {
    let sections = log.sections.values().filter(|section| section.kind == SectionKind::NoOpt);
    sections.filter_map(|section| section.trace.as_ref())
}

fn best_of(rounds: usize, mut round: impl FnMut() -> Duration) -> Duration {
    (0..rounds).map(|_| round()).min().unwrap_or_default()
}

/// What was measured of one log, or of all.
struct Figures {
    traces: usize,
    hard: u64,
    optimize: Vec<Duration>,
    read: Duration,
    bytes_read: usize,
    write: Duration,
    bytes_written: usize,
}

impl Figures {
    fn new(pipelines: usize) -> Figures {
        Figures {
            traces: 0,
            hard: 0,
            optimize: vec![Duration::ZERO; pipelines],
            read: Duration::ZERO,
            bytes_read: 0,
            write: Duration::ZERO,
            bytes_written: 0,
        }
    }

    fn add(&mut self, other: &Figures) {
        self.traces += other.traces;
        self.hard += other.hard;
        self.optimize.iter_mut().zip(&other.optimize).for_each(|(total, time)| *total += *time);
        self.read += other.read;
        self.bytes_read += other.bytes_read;
        self.write += other.write;
        self.bytes_written += other.bytes_written;
    }

    fn print(&self, name: &str) {
        print!("{name:<24} {:>7} {:>10}", self.traces, self.hard);
        for time in &self.optimize {
            print!(" {:>16.1}", time.as_secs_f64() * 1e9 / self.hard.max(1) as f64);
        }
        if self.bytes_read > 0 {
            let speed = |bytes: usize, time: Duration| bytes as f64 / 1e6 / time.as_secs_f64();
            print!(
                " {:>10.0} {:>11.0}",
                speed(self.bytes_read, self.read),
                speed(self.bytes_written, self.write)
            );
        }
        println!();
    }
}
