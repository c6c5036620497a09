//! Optimizing a log: each raw trace is lifted, handed to a caller's optimizer and written behind itself.
//!
//! The dialect knows no optimizer; the caller brings one as a closure over a function. What comes back
//! is a new section `jit-log-opt-planish` behind each `jit-log-noopt`, stamped with the time at which that ended,
//! and the counts of every trace before, after and as PyPy left it. A bridge begins with what its parent knew
//! (`parent`), and a trace is lifted again with what its guards show of its constants (`recorded`). A trace that cannot
//! be lifted or lowered is reported and left as it is, and a loop that can never run is counted; neither stops the
//! others.

use std::fmt::Write;
use std::sync::Arc;

use planish_base::caught;
use planish_base::diag::{Diagnostic, Diagnostics, Severity};
use planish_ir::Function;
use planish_ir::bridge::{self, FactCounts, FactKinds};
use planish_ir::module::Module;

use crate::descr::Vocabulary;
use crate::facts::Facts;
use crate::kept_names::keep_names;
use crate::lacks::{self, Lack};
use crate::lift::{self, Lifted, Lifter};
use crate::lower::{self, lower};
use crate::opcode::Opcode;
use crate::parent::ranges::Range;
use crate::parent::{Guards, Told};
use crate::pieces::Known;
use crate::pypylog::{Log, Section, SectionId, SectionKind};
use crate::recorded::Recorded;
use crate::second::Asked;
use crate::source_lines::{SourceLine, merge_point_text, source_lines};
use crate::spared::{self, Spared};
use crate::stats::{Counts, Parts, Pypy, pairs, pypy};
use crate::text::{Arg, Texts, Trace};
use crate::tokens::Shared;
use crate::{facts, unchanging, write};

/// The name of the sections that are added.
pub const SECTION: &str = "jit-log-opt-planish";

/// What an optimizer says of a trace.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It is optimized.
    Done,
    /// The trace can never run to its end, and why.
    InvalidLoop(String),
    /// Optimizing it went wrong. The trace is copied.
    Broken,
}

/// What is wrong with one trace of a log is no reason to refuse the log: the trace stays as it is.
pub fn of_one_trace(diagnostic: Diagnostic) -> Diagnostic {
    match diagnostic.severity {
        Severity::Error => Diagnostic {
            severity: Severity::Warning,
            ..diagnostic.note("the trace is left as it is, and the others are optimized")
        },
        Severity::Warning => diagnostic,
    }
}

/// What is made of what an optimizer does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Round {
    /// Something may be learned of the source, which is then optimized again.
    Trial,
    /// It is the result.
    Last,
}

/// How a log is optimized.
#[derive(Clone, Copy, Default)]
pub struct Options<'a> {
    /// How the results are written.
    pub lower: lower::Options<'a>,
    /// Whether what a log lacks of constants and fresh objects is assumed where the body of a loop asks for it.
    pub assumes: bool,
    /// What is known of functions by their names; what is known of RPython's runtime without it.
    pub facts: Option<&'a Arc<Facts>>,
    /// Whether what PyPy's results show of calls is believed.
    pub shown_effects: bool,
    /// Of a piece of a log, what its traces may need of the others.
    pub known: Option<&'a Known>,
    /// How many traces stand before the first of a piece.
    pub first: usize,
    /// Whether it is wanted from which lines of the program operations come.
    pub lines: bool,
    /// What bridges are told of their parents.
    pub told: FactKinds,
    /// Whether it is wanted how much is left of bridges that are told nothing.
    pub untold: bool,
    /// Says what the integers can be that a function returns; without it nobody knows.
    pub ranges: Option<&'a Ranges<'a>>,
}

/// What the integers can be that a function returns, which it may change.
pub type Ranges<'a> = dyn Fn(&mut Function, &Module) -> Vec<Option<Range>> + 'a;

/// One raw trace, before and after.
#[derive(Clone, Debug)]
pub struct TraceStats {
    /// The raw section.
    pub section: SectionId,
    /// Where the trace begins: its first merge point, or its comment.
    pub place: String,
    /// The raw trace.
    pub before: Counts,
    /// The optimized trace; nothing when it is not written.
    pub after: Option<Parts>,
    /// What PyPy left.
    pub pypy: Option<Pypy>,
    /// Why the trace can never go around. It is optimized as the straight line that was recorded.
    pub invalid: Option<String>,
    /// Whether the text says enough that no more should be left than PyPy left.
    pub says_enough: bool,
    /// Where more is left than PyPy left: what the text lacks.
    pub lacks: Vec<Lack>,
    /// What was assumed, in words.
    pub assumed: Vec<String>,
    /// How many calls it has of functions that are known by their names.
    pub known_calls: usize,
    /// How many facts about constants PyPy's own body shows.
    pub shown: usize,
    /// How many calls PyPy's result shows to leave something alone.
    pub spared: usize,
    /// What a bridge was told of its parent, by kinds; nothing of who is none, or whose parent is not known.
    pub told: Option<FactCounts>,
    /// What is left of a bridge that is told nothing, if that was asked for.
    pub untold: Option<Counts>,
    /// From which lines of the program the operations of the optimized trace come, if that was asked for.
    pub lines: Vec<SourceLine>,
}

impl TraceStats {
    /// What is left of one pass over the trace: of its first iteration, if it is a loop that was peeled.
    pub fn straight(&self) -> Option<Counts> {
        self.after.as_ref().map(|after| match self.is_peeled() {
            true => after.parts[after.parts.len() - 2],
            false => after.total(),
        })
    }

    /// What is left of every further iteration of a loop that was peeled.
    pub fn body(&self) -> Option<Counts> {
        self.after.as_ref().filter(|_| self.is_peeled()).map(Parts::last)
    }

    /// Whether the loop has a first iteration of its own: its label stands behind that, or is the second where the first
    /// iteration has one too.
    pub fn is_peeled(&self) -> bool {
        self.after.as_ref().is_some_and(|after| match &after.parts[..] {
            [_, _] => true,
            [before, _, _] => *before == Counts::default(),
            _ => false,
        })
    }

    /// Whether more is left than PyPy left, in one pass or in the body.
    fn has_more(&self) -> bool {
        let more = |ours: Option<Counts>, theirs: Option<Counts>| {
            ours.zip(theirs).is_some_and(|(ours, theirs)| ours.hard > theirs.hard)
        };
        let theirs = self.pypy.as_ref();
        more(self.straight(), theirs.map(|pypy| pypy.straight))
            || more(self.body(), theirs.and_then(|pypy| pypy.body))
    }
}

/// What became of a log.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The sections to write, behind their raw ones: an argument of [`Log::write`].
    pub sections: Vec<(SectionId, String)>,
    /// The traces in order.
    pub traces: Vec<TraceStats>,
}

/// Sums over the traces of a log that have all three counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Total {
    /// Raw traces in the log.
    pub traces: u64,
    /// Those that were optimized and that PyPy optimized too: the sums are over these.
    pub compared: u64,
    /// Loops that can never run.
    pub invalid: u64,
    /// Before.
    pub before: Counts,
    /// After.
    pub after: Counts,
    /// What PyPy left in one pass.
    pub pypy: Counts,
}

impl Outcome {
    /// The sums.
    pub fn total(&self) -> Total {
        let mut total = Total { traces: self.traces.len() as u64, ..Total::default() };
        for trace in &self.traces {
            total.invalid += u64::from(trace.invalid.is_some());
            if let (Some(after), Some(pypy)) = (trace.straight(), &trace.pypy) {
                total.compared += 1;
                total.before.add(&trace.before);
                total.after.add(&after);
                total.pypy.add(&pypy.straight);
            }
        }
        total
    }
}

/// Optimizes every raw trace of a log with `optimizer`, which changes a function in place. What a trial gives is looked at
/// and thrown away. A trace at which we panic stays as it was.
///
/// Each trace has a module of its own: a log uses the same names for other constants, and what becomes of a trace, down to
/// the order of what may come in any, is not to depend on those before.
pub fn optimize(
    log: &mut Log,
    options: Options<'_>,
    diagnostics: &mut Diagnostics,
    optimizer: &mut dyn FnMut(&mut Lifted, &Module, Round) -> Verdict,
) -> Outcome {
    let pairs = pairs(log);
    let is_torn = log.is_torn() || options.known.is_some_and(Known::is_torn);
    let guards = if is_torn { Guards::default() } else { Guards::of(log) };
    let (shared, unchanging) = match options.known {
        Some(known) => (known.shared(&log.texts), known.unchanging()),
        None => (log.shared_labels(&mut Diagnostics::new()), unchanging::names(log)),
    };
    let facts = options.facts.map_or_else(Facts::runtime, Arc::clone);
    let facts = Arc::new(facts::Known::of(facts, &log.texts));
    let mut outcome = Outcome::default();
    let is_raw = |section: &Section| section.kind == SectionKind::NoOpt && section.trace.is_some();
    let raw: Vec<SectionId> = log.sections.iter().filter(|(_, s)| is_raw(s)).map(|(id, _)| id).collect();
    let (module, vocabulary) = (Module::new(), Vocabulary::new());
    let mut relog =
        Relog { log, module, options, diagnostics, optimizer, guards, vocabulary, shared, is_torn };
    for id in raw {
        let Some(trace) = relog.log.sections[id].trace.take() else { continue };
        relog.module = Module::new();
        relog.vocabulary = Vocabulary::knowing(Arc::clone(&unchanging), Arc::clone(&facts));
        let log = &*relog.log;
        let mut stats = TraceStats {
            section: id,
            place: place(&trace, log),
            before: Parts::of(&trace, &log.texts).total(),
            after: None,
            pypy: pairs[id].and_then(|optimized| pypy(log, optimized)),
            invalid: None,
            says_enough: lacks::says_enough(&trace, &log.texts, &facts),
            lacks: Vec::new(),
            assumed: Vec::new(),
            shown: 0,
            spared: 0,
            lines: Vec::new(),
            known_calls: facts.calls(&trace, &log.texts),
            told: None,
            untold: None,
        };
        let untouched = caught::guards().then(|| stats.clone());
        let name = name_of(options.first + outcome.traces.len());
        match caught::guard(|| relog.trace(&name, (&trace, pairs[id]), &mut stats)) {
            Ok(section) => outcome.sections.extend(section.map(|text| (id, text))),
            Err(panicked) => {
                let report = panicked.report("this trace");
                relog.diagnostics.push(Diagnostic::warning(relog.log.sections[id].name, report));
                stats = untouched.unwrap_or(stats);
            }
        }
        relog.log.sections[id].trace = Some(trace);
        outcome.traces.push(stats);
    }
    outcome
}

/// What the function of a raw trace is called, by its number among the raw traces of the log.
pub fn name_of(number: usize) -> String {
    format!("trace{number}")
}

/// A log whose traces are optimized.
struct Relog<'r, 'o> {
    log: &'r mut Log,
    module: Module,
    options: Options<'o>,
    diagnostics: &'r mut Diagnostics,
    optimizer: &'r mut dyn FnMut(&mut Lifted, &Module, Round) -> Verdict,
    guards: Guards,
    vocabulary: Vocabulary,
    /// The labels that other traces of the log enter.
    shared: Shared,
    /// Whether several processes wrote the log, so that what stands behind a recording need not be of it.
    is_torn: bool,
}

impl Relog<'_, '_> {
    /// Optimizes a trace, to which PyPy's result may belong. Gives the text of the section behind it, if there is to be one.
    fn trace(
        &mut self,
        name: &str,
        (trace, pair): (&Trace, Option<SectionId>),
        stats: &mut TraceStats,
    ) -> Option<String> {
        let id = stats.section;
        // Behind a label stands what was not recorded but made.
        let is_recording = !trace.ops.iter().any(|op| op.opcode.map(Opcode::name) == Some("label"));
        let mut lifted = self.lifted(name, (trace, pair), is_recording, stats)?;
        match (self.optimizer)(&mut lifted, &self.module, Round::Last) {
            Verdict::InvalidLoop(reason) if is_recording => {
                stats.invalid = Some(reason);
                None
            }
            // A body that is left at once is a body all the same: what stands before it runs.
            Verdict::InvalidLoop(_) | Verdict::Broken => {
                stats.after = Some(Parts::of(trace, &self.log.texts));
                Some(section(trace, id, self.log))
            }
            Verdict::Done => {
                bridge::forget(&mut lifted.function, &self.module.descriptors);
                let texts = &mut self.log.texts;
                match lower(&lifted.function, &self.module, &lifted.origin, self.options.lower, texts) {
                    Ok(mut lowered) => {
                        keep_names(trace, &mut lowered);
                        stats.after = Some(Parts::of(&lowered, texts));
                        if self.options.lines {
                            stats.lines = source_lines(&lowered, texts);
                        }
                        if stats.has_more() {
                            let shape = stats.pypy.as_ref().map(|pypy| pypy.shape);
                            stats.lacks = lacks::lacks(trace, &lowered, shape, texts, &self.vocabulary.facts);
                        }
                        let written = section(&lowered, id, self.log);
                        if self.options.untold && stats.told.is_some() {
                            stats.untold = self.untold(name, trace, is_recording, stats);
                        }
                        Some(written)
                    }
                    Err(illegal) => {
                        let message = format!("the optimized trace cannot be written: {illegal}");
                        self.diagnostics.push(Diagnostic::warning(self.log.sections[id].name, message));
                        None
                    }
                }
            }
        }
    }

    /// The trace as a function, with what its parent and trials show.
    fn lifted(
        &mut self,
        name: &str,
        (trace, pair): (&Trace, Option<SectionId>),
        is_recording: bool,
        stats: &mut TraceStats,
    ) -> Option<Lifted> {
        let mut behind = trace.clone();
        stats.told = None;
        let told = pair.and_then(|bridge| self.told(bridge, &mut behind));
        let ahead = told.map_or(0, |told| {
            stats.told = Some(told.counts);
            told.ahead
        });
        let mut how =
            lift::Options { log: true, expand_virtual_refs: true, ahead, ..lift::Options::default() };
        let pypy = stats.pypy.as_ref();
        let spared = match self.options.shown_effects && !self.is_torn {
            true => spared::of(self.log, trace, pypy),
            false => Spared::default(),
        };
        stats.spared = spared.len();
        let mut recorded = Recorded::beside(Asked::of(self.log, trace, pypy), spared);
        let mut found = Diagnostics::new();
        let lifted = loop {
            let mut lifter = Lifter::new(&mut self.module, &self.log.texts, &mut self.vocabulary, how)
                .knowing(&recorded)
                .entered(&self.shared);
            let lifted = lifter.lift(name, &behind, &mut found);
            let Some(first) = lifted.as_ref().filter(|_| is_recording) else { break lifted };
            match trial(&mut recorded, first, &self.module, self.optimizer) {
                Trial::ShowsMore => {}
                // What was recorded ran, so it is the next iteration that cannot.
                Trial::Invalid(reason) if !how.straight => {
                    how.straight = true;
                    stats.invalid = Some(reason);
                }
                Trial::ShowsNothing if self.options.assumes && recorded.assume() => {}
                _ => break lifted,
            }
        };
        found.into_iter().for_each(|diagnostic| self.diagnostics.push(of_one_trace(diagnostic)));
        stats.shown = recorded.shown();
        stats.assumed = recorded.into_assumed();
        lifted
    }

    /// Puts in front of a bridge what its parent knew.
    fn told(&mut self, bridge: SectionId, raw: &mut Trace) -> Option<Told> {
        let Relog { log, options, guards, vocabulary, .. } = self;
        tell(log, guards, vocabulary, *options, bridge, raw)
    }

    /// What is left of a bridge that is told nothing of its parent.
    fn untold(
        &mut self,
        name: &str,
        trace: &Trace,
        is_recording: bool,
        stats: &TraceStats,
    ) -> Option<Counts> {
        let mut ignored = stats.clone();
        let mut lifted = self.lifted(name, (trace, None), is_recording, &mut ignored)?;
        match (self.optimizer)(&mut lifted, &self.module, Round::Trial) {
            Verdict::Done => {
                let texts = &mut self.log.texts;
                let lowered =
                    lower(&lifted.function, &self.module, &lifted.origin, self.options.lower, texts);
                lowered.ok().map(|lowered| Parts::of(&lowered, texts).total())
            }
            Verdict::InvalidLoop(_) | Verdict::Broken => None,
        }
    }
}

/// Puts in front of a bridge what its parent knew.
fn tell(
    log: &mut Log,
    guards: &Guards,
    vocabulary: &Vocabulary,
    options: Options<'_>,
    bridge: SectionId,
    raw: &mut Trace,
) -> Option<Told> {
    let mut ranges = |trace: &Trace, texts: &Texts| {
        let Some(ranges) = options.ranges else { return Vec::new() };
        let (mut module, mut vocabulary, mut ignored) =
            (Module::new(), vocabulary.anew(), Diagnostics::new());
        let how = lift::Options { log: true, straight: true, ..lift::Options::default() };
        let lifted =
            Lifter::new(&mut module, texts, &mut vocabulary, how).lift("parent", trace, &mut ignored);
        lifted.map_or(Vec::new(), |mut lifted| ranges(&mut lifted.function, &module))
    };
    guards.seed(log, bridge, raw, (options.told, &vocabulary.facts), &mut ranges)
}

/// For each raw bridge of a log that knows its parent what it is told: operations on its inputs, and remarks about those.
pub fn told(log: &mut Log, options: Options<'_>) -> Vec<String> {
    let (pairs, guards) = (pairs(log), Guards::of(log));
    let facts = Arc::new(facts::Known::of(Facts::runtime(), &log.texts));
    let vocabulary = Vocabulary::knowing(unchanging::names(log), facts);
    let is_raw = |section: &Section| section.kind == SectionKind::NoOpt;
    let raw: Vec<SectionId> = log.sections.iter().filter(|(_, s)| is_raw(s)).map(|(id, _)| id).collect();
    let mut all = Vec::new();
    for id in raw {
        let (Some(bridge), Some(mut trace)) = (pairs[id], log.sections[id].trace.clone()) else { continue };
        if let Some(Told { ahead, .. }) = tell(log, &guards, &vocabulary, options, bridge, &mut trace) {
            let mut text = String::new();
            for op in &trace.ops[..ahead] {
                write::operation(op, &trace, &log.texts, &mut text);
                text.push('\n');
            }
            all.push(text);
        }
    }
    all
}

/// What optimizing a recording on trial gives.
enum Trial {
    /// It shows something of its constants that was not known.
    ShowsMore,
    /// It shows nothing new.
    ShowsNothing,
    /// It can never go around, and why.
    Invalid(String),
}

/// Optimizes a recording on trial, and learns of its constants.
fn trial(
    recorded: &mut Recorded,
    lifted: &Lifted,
    module: &Module,
    optimizer: &mut dyn FnMut(&mut Lifted, &Module, Round) -> Verdict,
) -> Trial {
    let mut trial = lifted.clone();
    match optimizer(&mut trial, module, Round::Trial) {
        Verdict::InvalidLoop(reason) => Trial::Invalid(reason),
        Verdict::Done if recorded.learn(&trial.function, lifted.function.blocks().len(), module) => {
            Trial::ShowsMore
        }
        Verdict::Done | Verdict::Broken => Trial::ShowsNothing,
    }
}

/// The text of a section that holds an optimized trace.
fn section(trace: &Trace, raw: SectionId, log: &Log) -> String {
    let section = &log.sections[raw];
    let stamp = section.end.unwrap_or(section.begin);
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(out, "[{stamp:x}] {{{SECTION}");
    let _ = writeln!(out, "# optimized by Planish: {} ops", trace.ops.len());
    write::body(trace, &log.texts, &mut out);
    let _ = writeln!(out, "[{stamp:x}] {SECTION}}}");
    out
}

/// Where a trace begins, for people.
fn place(trace: &Trace, log: &Log) -> String {
    let merge_point = |op: &&crate::text::OpData| op.opcode.map(Opcode::name) == Some("debug_merge_point");
    let first = trace.ops.iter().find(merge_point).map(|op| trace.args(op));
    match first {
        // `0, 0, 'text'`
        Some([Arg::Raw(raw)]) => merge_point_text(log.texts.get(*raw)).to_owned(),
        _ => trace
            .comments
            .first()
            .map_or(String::new(), |&line| log.texts.get(line).trim_start_matches("# ").to_owned()),
    }
}
