//! Optimizes made traces of ten to a million operations and prints the time and the memory of each operation.
//!
//! `MALLOC_MMAP_THRESHOLD_=65536 cargo run --release -p planish-driver --example trace_growth`
//!
//! A step of ten operations reads an object of a list, computes, checks, makes an object and stores it where
//! the next step stores another; each guard keeps what it needs. Time is that of the processor, as Linux counts it,
//! for a million operations in traces of one length, which one engine optimizes one after the other. Memory is what an
//! engine of its own adds to the lifted function at most, and what the function itself takes, in pages; so only large
//! traces tell. The variable makes the allocator give every large block pages of its own.

use std::fmt::Write;

use planish_base::{Diagnostics, SourceText};
use planish_ir::{Form, Module};
use planish_opt::{Optimizer, Options, Pipeline, Record};
use planish_trace_dialect::descr::Vocabulary;
use planish_trace_dialect::lift::{self, Lifted, Lifter};
use planish_trace_dialect::pypylog::{self, Log};

/// How many operations a step has.
const STEP: usize = 10;
/// How many operations are optimized for one figure of time.
const WORK: usize = 1_000_000;

fn main() -> Result<(), String> {
    let pipelines = [Pipeline::TRACE.to_owned(), format!("{}:peel", Pipeline::TRACE)]
        .map(|passes| Pipeline::parse(&passes, Form::Trace).map_err(|error| error.to_string()));
    let [straight, unrolled] = pipelines;
    let pipelines = [("straight line", straight?), ("unrolled", unrolled?)];
    let log = |operations| pypylog::read(SourceText::new("made".to_owned(), text(operations / STEP))).0;
    // Before anything leaves holes in memory.
    for (name, pipeline) in &pipelines {
        for operations in [100_000, 1_000_000] {
            let (function, engine) = memory(&log(operations), pipeline)?;
            let [function, engine] = [function, engine].map(|bytes| bytes / operations);
            println!("{name}, {operations} operations: function {function} B/op, engine {engine} B/op");
        }
    }
    for (name, pipeline) in &pipelines {
        for operations in [10, 100, 1_000, 10_000, 100_000, 1_000_000] {
            let time = time(&log(operations), pipeline, WORK / operations)?;
            println!("{name}, {operations} operations: {:.1} ns/op", time as f64 / WORK as f64);
        }
    }
    Ok(())
}

/// A loop of so many steps.
fn text(steps: usize) -> String {
    let mut text = String::from("[1] {jit-log-noopt\n# Traced loop or bridge\n[p0, p1]\n");
    let value = "descr=<FieldS Box.value 8>";
    let next = "descr=<FieldP Box.next 16>";
    let last = "descr=<FieldP Frame.last 24>";
    let mut object = 1;
    for first in (2..).step_by(STEP).take(steps) {
        let [read, sum, small, made, link] = [first, first + 1, first + 2, first + 3, first + 4];
        let mut line = |line: String| writeln!(text, "{line}").expect("writing to a string does not fail");
        line(format!("guard_class(p{object}, 4096) [p0, p{object}]"));
        line(format!("i{read} = getfield_gc_i(p{object}, {value})"));
        line(format!("i{sum} = int_add(i{read}, 3)"));
        line(format!("i{small} = int_lt(i{sum}, 100000)"));
        line(format!("guard_true(i{small}) [p0, p{object}, i{sum}]"));
        line(format!("p{made} = new_with_vtable(descr=<SizeDescr 24>)"));
        line(format!("setfield_gc(p{made}, i{sum}, {value})"));
        line(format!("p{link} = getfield_gc_r(p{object}, {next})"));
        line(format!("setfield_gc(p{made}, p{link}, {next})"));
        line(format!("setfield_gc(p0, p{made}, {last})"));
        object = link;
    }
    writeln!(text, "jump(p0, p{object})\n[2] jit-log-noopt}}").expect("writing to a string does not fail");
    text
}

/// The trace as a function, with the module of its descriptors.
fn lifted(log: &Log) -> Result<(Module, Lifted), String> {
    let trace =
        log.sections.values().find_map(|section| section.trace.as_ref()).ok_or("there is no trace")?;
    let (mut module, mut words) = (Module::new(), Vocabulary::new());
    let options = lift::Options { log: true, expand_virtual_refs: true, ..lift::Options::default() };
    let mut diagnostics = Diagnostics::new();
    let lifted =
        Lifter::new(&mut module, &log.texts, &mut words, options).lift("trace", trace, &mut diagnostics);
    Ok((module, lifted.ok_or("the trace cannot be lifted")?))
}

/// One run on a function.
fn run(pipeline: &Pipeline, module: &Module, lifted: &mut Lifted, optimizer: &mut Optimizer) {
    let options = Options { verify: false, ..Options::QUIET };
    let world = &module.descriptors;
    optimizer.run(pipeline, &mut lifted.function, world, &mut Record::new(), options, &mut ());
}

/// The nanoseconds of the processor that so many runs take. The first run of the engine is another.
fn time(log: &Log, pipeline: &Pipeline, runs: usize) -> Result<u64, String> {
    let mut optimizer = Optimizer::new();
    let mut made = (0..=runs).map(|_| lifted(log)).collect::<Result<Vec<_>, String>>()?;
    let (module, first) = &mut made[runs];
    run(pipeline, module, first, &mut optimizer);
    let start = processor()?;
    for (module, lifted) in &mut made[..runs] {
        run(pipeline, module, lifted, &mut optimizer);
    }
    Ok(processor()? - start)
}

/// The nanoseconds that this process has had the processor.
fn processor() -> Result<u64, String> {
    let times = std::fs::read_to_string("/proc/self/schedstat").map_err(|error| error.to_string())?;
    let time = times.split_whitespace().next().and_then(|number| number.parse().ok());
    time.ok_or_else(|| format!("not a figure: {times}"))
}

/// The bytes of the lifted function, and what is added at most while it is optimized.
fn memory(log: &Log, pipeline: &Pipeline) -> Result<(usize, usize), String> {
    let empty = pages("VmRSS")?;
    let (module, mut lifted) = lifted(log)?;
    let full = pages("VmRSS")?;
    // Begins the count of the most that there was anew.
    std::fs::write("/proc/self/clear_refs", "5").map_err(|error| error.to_string())?;
    run(pipeline, &module, &mut lifted, &mut Optimizer::new());
    Ok((full.saturating_sub(empty), pages("VmHWM")?.saturating_sub(full)))
}

/// A figure of the kernel about this process, in bytes.
fn pages(name: &str) -> Result<usize, String> {
    let status = std::fs::read_to_string("/proc/self/status").map_err(|error| error.to_string())?;
    let line = status.lines().find(|line| line.starts_with(name)).ok_or("the kernel does not say")?;
    let kilobytes = line.split_whitespace().nth(1).and_then(|number| number.parse::<usize>().ok());
    kilobytes.map(|kilobytes| kilobytes * 1024).ok_or_else(|| format!("not a figure: {line}"))
}
