//! The log in the repository, recorded by PyPy from `examples/logs/checksum.py`: read, written, lifted,
//! lowered, counted.

use planish_base::{Diagnostics, SourceText};
use planish_trace_dialect::pypylog::{self, Log, SectionKind};
use planish_trace_dialect::relog::{Options, Outcome, Round, SECTION, Verdict, optimize};
use planish_trace_dialect::stats::{Parts, Shape};
use planish_trace_dialect::write;

const TEXT: &str = include_str!("../../../examples/logs/checksum.log");

fn log() -> Log {
    let (log, diagnostics) = pypylog::read(SourceText::new("checksum.log", TEXT));
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&log.source));
    log
}

fn optimized(optimizer: &mut dyn FnMut(Round) -> Verdict) -> (Log, Outcome) {
    let (mut log, mut diagnostics) = (log(), Diagnostics::new());
    let options = Options::default();
    let outcome = optimize(&mut log, options, &mut diagnostics, &mut |_, _, round| optimizer(round));
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&log.source));
    (log, outcome)
}

/// S4.1, S4.6
#[test]
fn the_log_is_written_as_it_was_read() {
    let log = log();
    assert_eq!(log.write(&[]), TEXT);
    let mut traces = 0;
    for section in log.sections.values() {
        let Some(trace) = &section.trace else { continue };
        traces += 1;
        let mut out = String::new();
        write::trace(trace, &log.texts, &mut out);
        assert_eq!(out, TEXT[section.content.clone()]);
    }
    assert_eq!(traces, TEXT.matches("] {jit-log-").count());
}

/// A trace at which we panic has no new section, and a warning; those around it are optimized.
#[test]
fn a_panic_is_that_of_one_trace() {
    planish_base::caught::set_guards(true);
    let (mut log, mut diagnostics) = (log(), Diagnostics::new());
    let mut round = 0;
    let mut optimizer = |_: &mut _, _: &_, which| {
        round += u32::from(which == Round::Last);
        assert!(which == Round::Trial || round != 2, "the second trace");
        Verdict::Done
    };
    let outcome = optimize(&mut log, Options::default(), &mut diagnostics, &mut optimizer);
    let raw = log.sections.values().filter(|section| section.kind == SectionKind::NoOpt).count();
    assert_eq!((outcome.traces.len(), outcome.sections.len()), (raw, raw - 1));
    assert!(outcome.traces[1].after.is_none() && outcome.traces[2].after.is_some());
    let said = diagnostics.render(&log.source);
    assert!(diagnostics.len() == 1 && said.contains("this trace: a mistake of planish"), "{said}");
    // The log is whole.
    assert_eq!(log.write(&[]), TEXT);
}

/// Without an optimizer the new section holds the raw trace, less the copies and with virtual references
/// spelled out.
#[test]
fn a_trace_that_nothing_optimizes_comes_back() {
    let (log, outcome) = optimized(&mut |_| Verdict::Done);
    let written = log.write(&outcome.sections);
    let (again, diagnostics) = pypylog::read(SourceText::new("again.log", written));
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&again.source));
    let ours: Vec<_> = again.sections.iter().filter(|(id, _)| again.name(*id) == SECTION).collect();
    let raw: Vec<_> = log.sections.values().filter(|section| section.kind == SectionKind::NoOpt).collect();
    assert_eq!(ours.len(), raw.len());
    for ((_, ours), raw) in ours.into_iter().zip(raw) {
        let (Some(ours), Some(raw)) = (&ours.trace, &raw.trace) else { panic!("both hold traces") };
        let count = |name: &str| raw.ops.iter().filter(|op| raw.op_name(op, &log.texts) == name).count();
        let copies = count("same_as_i") + count("same_as_r") + count("same_as_f");
        // A virtual reference is an object with two fields and the frame's token.
        let expanded = 3 * count("virtual_ref");
        assert_eq!(ours.ops.len(), raw.ops.len() - copies + expanded);
        let guards = |parts: Parts| parts.total().guards;
        assert_eq!(guards(Parts::of(ours, &again.texts)), guards(Parts::of(raw, &log.texts)));
    }
}

/// Each raw trace is beside what PyPy made of it, part by part.
#[test]
fn what_pypy_left_is_counted_beside_each_trace() {
    let (_, outcome) = optimized(&mut |_| Verdict::Done);
    let shapes: Vec<Option<Shape>> =
        outcome.traces.iter().map(|t| t.pypy.as_ref().map(|p| p.shape)).collect();
    assert_eq!(shapes, [Shape::Loop, Shape::Loop, Shape::Bridge, Shape::Loop].map(Some));
    for trace in &outcome.traces {
        let pypy = trace.pypy.as_ref().unwrap();
        // The bridge ends with what the loop that it enters needs, so it may grow.
        assert!(pypy.shape == Shape::Bridge || pypy.straight.hard < trace.before.hard, "{}", trace.place);
        assert_eq!(pypy.straight.merge_points, trace.before.merge_points, "{}", trace.place);
        assert!(trace.place.contains("checksum.py"), "{}", trace.place);
        if let Some(body) = pypy.body {
            assert!(body.hard < pypy.straight.hard);
        }
    }
    let total = outcome.total();
    assert_eq!((total.traces, total.compared, total.invalid), (4, 4, 0));
    assert_eq!(total.before.guards, total.after.guards);
}

#[test]
fn loops_that_can_never_go_around_are_counted_and_stay_straight() {
    let (mut number, mut refused) = (0, false);
    let (_, outcome) = optimized(&mut |round| {
        number += i32::from(round == Round::Last);
        let refuse = number == 1 && round == Round::Trial && !std::mem::replace(&mut refused, true);
        if refuse { Verdict::InvalidLoop("guard_true of 0".to_owned()) } else { Verdict::Done }
    });
    assert_eq!(outcome.total().invalid, 1);
    assert_eq!(outcome.sections.len(), 4);
    assert_eq!(outcome.traces[1].invalid.as_deref(), Some("guard_true of 0"));
    let number = |trace: usize| outcome.traces[trace].after.as_ref().unwrap().labels();
    assert_eq!((number(0), number(1)), (0, 0));
}
