//! Logs of traces.
//!
//! A log is optimized a trace at a time, since its traces are many and independent; what was made is written behind each raw
//! trace. [`look_over`] and [`LookedOver::optimize`] do so in the memory of a piece, whatever the size of the log; `LogSession`
//! has all of it, for whoever wants to look at what was done. Both give the same.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::io::{BufReader, Error, Read, Write};

use planish_base::diag::MOST_SHOWN;
use planish_base::{Diagnostic, Diagnostics, SourceText, Span};
use planish_domain::IntFact;
use planish_ir::{Form, Function, Module};
use planish_opt::{Engine, Record, facts_of_results};
use planish_trace_dialect::executed::{Counters, Executed};
use planish_trace_dialect::lift::{Lifted, refused};
use planish_trace_dialect::parent::ranges::Range;
use planish_trace_dialect::pieces::{Index, Joined, Known, Pieces, Shelf};
use planish_trace_dialect::pypylog::{self, Inflated, Log, Section, SectionId, SectionKind};
use planish_trace_dialect::relog::{self, Round, Verdict};
use planish_trace_dialect::{lower, stats};

use crate::explain::Names;
use crate::log_traces::gather;
use crate::logged::LoggedTrace;
use crate::reading::Reading;
use crate::run::{Outcome, Run, trace_pipeline};
use crate::settings::Settings;
use crate::statistics::{Logged, Row, Statistics};
use crate::traces::{counts, names, reason};

/// A run over the traces of a log. PyPy peels every loop that it can.
pub(crate) fn run(settings: &Settings) -> Result<Run, String> {
    Run::new(settings, &format!("{}:peel", trace_pipeline(settings)), Form::Trace)
}

/// A log of more bytes is not read as a whole, unless it is said that so many are fine. What is kept of one for a report is
/// some 25 times its size.
const MOST_WHOLE: u64 = 128 << 20;

/// The bytes of a log that is read as a whole.
pub fn unfolded(name: &str, bytes: Vec<u8>, reading: Reading) -> Result<Vec<u8>, String> {
    let bytes = pypylog::unfold(bytes, reading.inflated_limit).map_err(|e| format!("error: {name}: {e}"))?;
    let most = reading.inflated_limit.unwrap_or_default().max(MOST_WHOLE);
    if bytes.len() as u64 > most {
        return Err(format!(
            "error: {name}: this log has {} bytes, and what is asked needs all of it in memory, which is done up to {most}; \
             --inflated-limit raises that, and `planish opt` without --report reads a log piece by piece",
            bytes.len()
        ));
    }
    Ok(bytes)
}

/// A log of PyPy's.
pub(crate) struct LogSession {
    log: Log,
    /// What was made of the traces, behind their raw sections.
    sections: Vec<(SectionId, String)>,
}

impl LogSession {
    /// Divides the log and reads its traces.
    pub fn read(source: SourceText, diagnostics: &mut Diagnostics) -> Self {
        let (log, found) = pypylog::read(source);
        found.into_iter().for_each(|found| diagnostics.push(relog::of_one_trace(found)));
        log.shared_labels(diagnostics);
        if !has_raw_traces(&log) {
            diagnostics.push(nothing_raw(&log.source));
        }
        LogSession { log, sections: Vec::new() }
    }

    /// How often raw traces ran, by what their functions are called, as far as the log counts that.
    pub fn executed(&self) -> BTreeMap<String, Executed> {
        let Log { sections, texts, .. } = &self.log;
        let (pairs, counters) = (stats::pairs(&self.log), Counters::of(&self.log));
        let is_raw = |section: &Section| section.kind == SectionKind::NoOpt && section.trace.is_some();
        let raw = sections.iter().filter(|(_, section)| is_raw(section));
        let counted = (0..).zip(raw).filter_map(|(number, (id, _))| {
            let optimized = sections[pairs[id]?].trace.as_ref()?;
            Some((relog::name_of(number), counters.executed(optimized, texts)?))
        });
        counted.collect()
    }

    /// Optimizes every raw trace.
    pub fn optimize(&mut self, mut run: Run) -> Result<Outcome, String> {
        let mut made = traces(&mut self.log, &mut run, relog::Options::default())?;
        self.sections = std::mem::take(&mut made.sections);
        let mut outcome = run.finish(made.statistics);
        outcome.logged = made.logged;
        outcome.warnings += &made.diagnostics.render(&self.log.source);
        Ok(outcome)
    }

    /// The log with what was made behind each raw trace.
    pub fn write(&self) -> String {
        self.log.write(&self.sections)
    }
}

fn has_raw_traces(log: &Log) -> bool {
    log.sections.values().any(|section| section.kind == SectionKind::NoOpt)
}

/// That there is nothing to do.
fn nothing_raw(source: &SourceText) -> Diagnostic {
    let first_line = source.text().lines().next().map_or(0, str::len);
    let nothing = Diagnostic::warning(Span::new(0..first_line), "no section of this log holds a raw trace");
    nothing.note("PyPy writes them as `jit-log-noopt` where it runs with PYPYLOG=jit-log-noopt,jit-log-opt,jit-tracing:FILE")
}

/// What was made of the traces of a log, or of a piece of one.
struct Made {
    sections: Vec<(SectionId, String)>,
    statistics: Statistics,
    logged: Vec<LoggedTrace>,
    diagnostics: Diagnostics,
}

/// Optimizes every raw trace of a log, or of a piece of one.
fn traces(log: &mut Log, run: &mut Run, options: relog::Options<'_>) -> Result<Made, String> {
    let mut diagnostics = Diagnostics::new();
    // Elidable calls are written as plain ones, as PyPy writes them behind its own optimizer.
    let (facts, lines) = (run.facts(), run.keeps_states());
    let lower = lower::Options { behind_optimizer: true, ..lower::Options::default() };
    let engine = RefCell::new(Engine::default());
    let ranges =
        |function: &mut Function, module: &Module| ranges(&mut engine.borrow_mut(), function, module);
    let options = relog::Options {
        lower,
        assumes: run.assumes_constants(),
        facts: facts.as_ref(),
        shown_effects: run.believes_shown_effects(),
        lines,
        told: run.bridge_facts(),
        untold: run.counts_untold(),
        ranges: Some(&ranges),
        ..options
    };
    let texts = log.texts.clone();
    let mut trials = run.quiet()?;
    let mut optimizer = |lifted: &mut Lifted, module: &Module, round: Round| {
        let Lifted { function, origin } = lifted;
        let named = |f: &Function| names(f, origin, &texts);
        let run = match round {
            Round::Trial => &mut trials,
            Round::Last => &mut *run,
        };
        let ran = run.caught(function, &[], &module.descriptors, module.tables(), named);
        match ran.map(|ran| ran.fails) {
            Some(Some(inst)) => Verdict::InvalidLoop(reason(function, inst)),
            Some(None) => Verdict::Done,
            None => Verdict::Broken,
        }
    };
    let outcome = relog::optimize(log, options, &mut diagnostics, &mut optimizer);
    let logged = match run.keeps_states() {
        true => {
            let kept = states_of_traces(run, options.first, outcome.traces.len());
            gather(log, &outcome.traces, &kept)
        }
        false => Vec::new(),
    };
    let mut statistics = Statistics::default();
    for trace in outcome.traces {
        statistics.rows.push(Row {
            before: counts(&trace.before),
            after: trace.straight().as_ref().map(counts),
            peer: trace.pypy.as_ref().map(|pypy| counts(&pypy.straight)),
            logged: Some(Logged {
                shape: trace.pypy.as_ref().map(|pypy| pypy.shape.word()),
                body: trace.body().as_ref().map(counts),
                peer_body: trace.pypy.as_ref().and_then(|pypy| pypy.body.as_ref().map(counts)),
                says_enough: trace.says_enough,
                lacks: trace.lacks.iter().map(|lack| lack.words()).collect(),
                assumed: trace.assumed,
                known_calls: trace.known_calls,
                shown: trace.shown,
                shown_effects: trace.spared,
            }),
            name: trace.place,
            invalid: trace.invalid,
            told: trace.told,
            untold: trace.untold.as_ref().map(counts),
        });
    }
    Ok(Made { sections: outcome.sections, statistics, logged, diagnostics })
}

/// For each bridge of a log whose parent is known the lines that it is told of that: operations on its inputs, and remarks that
/// promise something of them.
pub fn told_to_bridges(source: SourceText) -> Vec<String> {
    let (mut log, _) = pypylog::read(source);
    let engine = RefCell::new(Engine::default());
    let ranges =
        |function: &mut Function, module: &Module| ranges(&mut engine.borrow_mut(), function, module);
    relog::told(&mut log, relog::Options { ranges: Some(&ranges), ..relog::Options::default() })
}

/// What the integers can be that a function returns.
fn ranges(engine: &mut Engine, function: &mut Function, module: &Module) -> Vec<Option<Range>> {
    let facts = facts_of_results(engine, function, &module.descriptors);
    facts.into_iter().map(|fact| fact.map(range)).collect()
}

/// What a fact says of an integer, for the dialect.
fn range(fact: IntFact) -> Range {
    let words = fact.to_words();
    let (ones, zeros) = (words.ones.unsigned(), words.zeros.unsigned());
    Range { least: fact.lo(), greatest: fact.hi(), known: ones | zeros, ones }
}

/// For each trace of a piece the number of its states. A trace that was not optimized has none.
fn states_of_traces(run: &Run, first: usize, count: usize) -> Vec<Option<usize>> {
    let mut kept = vec![None; count];
    for (number, states) in run.states().iter().enumerate() {
        let trace = states.name().strip_prefix("trace").and_then(|number| number.parse::<usize>().ok());
        if let Some(slot) = trace.and_then(|trace| kept.get_mut(trace.checked_sub(first)?)) {
            *slot = Some(number);
        }
    }
    kept
}

/// A piece has so many bytes, if the sections of the log let it.
pub const PIECE: usize = 8 << 20;

/// A log that can be read as often as one likes.
pub struct Source<'a> {
    /// What messages call it.
    pub name: &'a str,
    /// Its length, as it is kept.
    pub length: u64,
    /// Begins reading it.
    pub open: &'a dyn Fn() -> std::io::Result<Box<dyn Read>>,
}

/// A log that was read once: for what its traces need of each other, and for what is wrong with it. So nothing is written of
/// one that is refused.
pub struct LookedOver<'a> {
    source: &'a Source<'a>,
    reading: Reading,
    /// About how many bytes a piece has.
    piece: usize,
    known: Known,
    warnings: Warnings,
}

/// Is told what was done to the traces of a piece: every rewrite, and what values are called. The error ends it.
pub type Told<'a> = &'a mut dyn FnMut(&Record, &Names) -> Result<(), String>;

/// What becomes of a log in which a trace cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unread {
    /// It is refused.
    Refused,
    /// The trace is left as it is, with a warning.
    Left,
}

/// Reads a log for the first time. The error is the rendered list of what is wrong with it.
pub fn look_over<'a>(
    source: &'a Source<'a>,
    reading: Reading,
    piece: usize,
    unread: Unread,
) -> Result<LookedOver<'a>, String> {
    let mut pieces = pieces(source, reading, piece)?;
    let (mut index, mut warnings, mut any, mut beginning) =
        (Index::default(), Warnings::default(), false, None);
    while let Some(piece) = pieces.read().map_err(|error| said(source, &error))? {
        let text = SourceText::part(source.name, piece.bytes, piece.lines_before as isize);
        let text = text.map_err(|error| error.1.render(&error.0))?;
        let (log, found) = pypylog::read(text);
        let mut diagnostics = Diagnostics::new();
        for found in found {
            diagnostics.push(match unread {
                Unread::Refused => found,
                Unread::Left => relog::of_one_trace(found),
            });
        }
        if unread == Unread::Refused {
            let raw = log.sections.values().filter(|section| section.kind == SectionKind::NoOpt);
            raw.filter_map(|raw| refused(raw.trace.as_ref()?)).for_each(|error| diagnostics.push(error));
        }
        index.add(&log, &mut diagnostics)?;
        if diagnostics.has_errors() {
            return Err(diagnostics.render(&log.source));
        }
        warnings.add(&diagnostics, &log.source);
        any |= has_raw_traces(&log);
        beginning.get_or_insert_with(|| log.source.text().lines().next().unwrap_or_default().to_owned());
    }
    if !any {
        let mut nothing = Diagnostics::new();
        let text = SourceText::new(source.name, beginning.unwrap_or_default());
        nothing.push(nothing_raw(&text));
        warnings.add(&nothing, &text);
    }
    Ok(LookedOver { source, reading, piece, known: index.finish()?, warnings })
}

impl LookedOver<'_> {
    /// What is odd about the log but no error, rendered; empty when nothing is.
    pub fn warnings(&self) -> String {
        self.warnings.shown()
    }

    /// Optimizes the log and writes it. In memory are a piece, or the largest section that is in no other, the labels and
    /// guards of the log by name, the parents of bridges that are still to come, and a row for each trace. Where the settings
    /// ask for it, each rewrite is `told`, a piece at a time: the outcome has none of them.
    pub fn optimize(
        self,
        settings: &Settings,
        out: &mut dyn Write,
        told: Told<'_>,
    ) -> Result<Outcome, String> {
        let LookedOver { source, reading, piece, known, mut warnings } = self;
        let _order = settings.order_of_work();
        let mut run = run(settings)?;
        let (mut shelf, mut statistics) = (Shelf::default(), Statistics::default());
        let mut pieces = pieces(source, reading, piece)?;
        let mut number = 0;
        while let Some(piece) = pieces.read().map_err(|error| said(source, &error))? {
            let Joined { source: text, begins } = shelf.join(source.name, number, piece, &known)?;
            let (mut log, _) = pypylog::read(text);
            let parents = log.sections.values().filter(|section| section.open < begins).count();
            let first = statistics.rows.len();
            let options = relog::Options { known: Some(&known), first, ..relog::Options::default() };
            let made = traces(&mut log, &mut run, options)?;
            warnings.add(&made.diagnostics, &log.source);
            let written = log.write(&made.sections);
            out.write_all(&written.as_bytes()[begins..]).map_err(|error| format!("error: {error}"))?;
            statistics.rows.extend(made.statistics.rows);
            if settings.log {
                told(&run.record, &run.names)?;
                run.forget();
            }
            shelf.keep(number, &log, parents, &known);
            number += 1;
        }
        if number != known.pieces() {
            return Err(format!("error: {}: it was changed while it was read", source.name));
        }
        let mut outcome = run.finish(statistics);
        outcome.warnings = warnings.shown() + &outcome.warnings;
        Ok(outcome)
    }
}

/// The pieces of a log that may be compressed.
fn pieces(
    source: &Source<'_>,
    reading: Reading,
    piece: usize,
) -> Result<Pieces<impl std::io::BufRead>, String> {
    let read = (source.open)().map_err(|error| said(source, &error))?;
    let inflated = Inflated::new(read, source.length, reading.inflated_limit);
    let inflated = inflated.map_err(|error| said(source, &error))?;
    Ok(Pieces::new(BufReader::new(inflated), piece))
}

fn said(source: &Source<'_>, error: &Error) -> String {
    format!("error: {}: {error}", source.name)
}

/// What is odd about a log, as far as it is shown.
#[derive(Default)]
struct Warnings {
    shown: Vec<String>,
    hidden: usize,
}

impl Warnings {
    fn add(&mut self, diagnostics: &Diagnostics, source: &SourceText) {
        for diagnostic in diagnostics.iter() {
            match self.shown.len() < MOST_SHOWN {
                true => self.shown.push(diagnostic.render(source)),
                false => self.hidden += 1,
            }
        }
    }

    fn shown(&self) -> String {
        let more = (self.hidden > 0).then(|| format!("and {} more", self.hidden));
        let all: Vec<&str> = self.shown.iter().chain(&more).map(String::as_str).collect();
        if all.is_empty() { String::new() } else { all.join("\n\n") + "\n" }
    }
}
