//! Labels and the jumps that go to them, over all traces that are given together.
//!
//! A token is a contract: whoever jumps to a label hands over what it lists, in number, order and kinds. [`Labels`]
//! holds every jump against its label, in whichever trace that stands, and says which labels are jumped to from other
//! traces; those keep their arguments as they are, and what was computed before them is not known behind them. So do
//! those that a trace nobody has given may jump to ([`Labels::open`]): whose token is written, and whoever reads it knows it.
//!
//! A jump without a token goes to a label without one in its own trace, or to the trace's own beginning. In a file of
//! loops and a bridge the bridge has none of its own: it goes to where the first loop begins. [`Beginning`] says which.

use std::ops::Range;

use hashbrown::{HashMap, HashSet};
use planish_base::SideTable;
use planish_base::diag::{Diagnostic, Diagnostics, Severity, SourceText, Span};
use planish_base::spelling::closest;
use rustc_hash::FxBuildHasher;

use crate::opcode::{Kind, Lift};
use crate::read::kind_of;
use crate::text::{Arg, Name, OpData, Text, Texts, Trace, Var};

/// The tokens of a file whose labels other traces jump to.
pub type Shared = HashSet<Text, FxBuildHasher>;

/// A trace among those that are given together.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// Its number: jumps from other numbers come from other traces.
    pub number: usize,
    /// The trace.
    pub trace: &'a Trace,
    /// The strings of its file.
    pub texts: &'a Texts,
    /// The text of its file.
    pub source: &'a SourceText,
}

/// A label that is named by a token.
struct Label<'a> {
    token: &'a str,
    number: usize,
    kinds: Vec<Option<Kind>>,
    /// The file and the line, for people.
    place: (&'a SourceText, Span),
    shared: bool,
}

/// The labels of some traces, by their tokens.
#[derive(Default)]
pub struct Labels<'a> {
    all: Vec<Label<'a>>,
    /// Those of a token, by their numbers among all.
    of: HashMap<&'a str, Vec<usize>, FxBuildHasher>,
}

/// Where a jump goes that names no label.
#[derive(Clone, Copy)]
pub enum Beginning<'a> {
    /// To the beginning of its own trace.
    Own,
    /// There, whether labels without a token stand behind or not, if it fits: in files about unrolling nothing goes to those.
    OwnPastLabels,
    /// To the beginning of some of these, or to a label in them: a loop that was peeled is written as several traces.
    Some(&'a [Place<'a>]),
    /// Nowhere, unless it fits the beginning of its own trace: PyPy's tests end straight lines so.
    OwnIfItFits,
    /// To that of another trace: [`Labels::bridge`] holds a bridge against it.
    Elsewhere,
}

/// What PyPy calls the beginning of a trace in its logs.
const OWN_BEGINNING: &str = "<Loop-1>";

/// Whether an operation is lifted in some way.
pub(crate) fn is(op: &OpData, lift: Lift) -> bool {
    op.opcode.is_some_and(|opcode| opcode.row().lift == lift)
}

/// The jump at the end of a trace.
pub(crate) fn last_jump(trace: &Trace) -> Option<&OpData> {
    trace.ops.last().filter(|op| is(op, Lift::Jump))
}

/// The label with which a trace begins that has no token.
pub(crate) fn leading_label(trace: &Trace) -> Option<&OpData> {
    trace.ops.first().filter(|op| is(op, Lift::Label) && op.descr.is_none())
}

/// What a trace begins with, and where that stands: its inputs, or the label that says them where none are listed.
fn inputs(trace: &Trace) -> (&[Arg], Span) {
    let label = trace.ops.first().filter(|op| is(op, Lift::Label) && trace.inputs.is_empty());
    // A name that nothing gives before is an input.
    match label.filter(|op| trace.args(op).iter().any(|arg| matches!(arg, Arg::Var(_)))) {
        Some(label) => (trace.args(label), label.span),
        None => (trace.lists.get(trace.inputs), trace.begins),
    }
}

/// Whether a jump names no label.
fn names_none(jump: &OpData, texts: &Texts) -> bool {
    jump.descr.is_none_or(|token| texts.get(token) == OWN_BEGINNING)
}

/// Whether a jump names the label of an operation by its token, or neither has one. What PyPy calls the beginning of a raw trace
/// is the label without a token, where what was made of the trace has one.
pub(crate) fn names(jump: Option<Text>, label: Option<Text>, texts: &Texts) -> bool {
    jump == label || label.is_none() && jump.is_some_and(|token| texts.get(token) == OWN_BEGINNING)
}

/// Whether the trace ends with a jump to its own beginning, which no label without a token marks. In a file about unrolling,
/// such a label is nothing that a jump goes to.
pub(crate) fn loops_to_start(trace: &Trace, texts: &Texts, unrolled: bool) -> bool {
    let Some(last) = last_jump(trace).filter(|last| names_none(last, texts)) else { return false };
    // PyPy's tests end some straight lines with a jump that does not fit the inputs.
    let fits = fit(&kinds(trace.args(last), trace), &kinds(trace.lists.get(trace.inputs), trace));
    let marks = |op: &OpData| {
        is(op, Lift::Label) && names(last.descr, op.descr, texts) && !(unrolled && op.descr.is_none())
    };
    fits && !trace.ops.iter().any(marks)
}

/// Whether the jump at the end of a trace may go to a label without a token.
pub(crate) fn jumps_without_token(trace: &Trace) -> bool {
    last_jump(trace).is_some_and(|jump| jump.descr.is_none())
}

/// Whether an operation of a trace is the label without a token with which it begins.
pub fn leads(trace: &Trace, op: &OpData) -> bool {
    leading_label(trace).is_some_and(|first| first.span == op.span)
}

pub(crate) fn kinds(args: &[Arg], trace: &Trace) -> Vec<Option<Kind>> {
    args.iter().map(|arg| kind_of(arg, trace)).collect()
}

/// Whether values of some kinds are what a label takes.
pub(crate) fn fit(given: &[Option<Kind>], wanted: &[Option<Kind>]) -> bool {
    given.len() == wanted.len() && given.iter().zip(wanted).all(|(given, wanted)| same_kind(*given, *wanted))
}

fn same_kind(given: Option<Kind>, wanted: Option<Kind>) -> bool {
    given.is_none() || wanted.is_none() || given == wanted
}

impl<'a> Labels<'a> {
    /// Takes up the labels of a trace. O(length).
    pub fn add(&mut self, place: Place<'a>) {
        let Place { number, trace, texts, source } = place;
        for op in trace.ops.iter().filter(|op| is(op, Lift::Label)) {
            let Some(token) = op.descr else { continue };
            let (token, kinds) = (texts.get(token).as_str(), kinds(trace.args(op), trace));
            self.of.entry(token).or_default().push(self.all.len());
            self.all.push(Label { token, number, kinds, place: (source, op.span), shared: false });
        }
    }

    /// Holds the jump of a trace against the labels that have its token, and notes those that it reaches in other
    /// traces. One that names none is held against the labels without a token, or the beginning. O(length of the trace and
    /// inputs of those where it may begin).
    pub fn jump(&mut self, place: Place<'_>, to: Beginning<'_>, diagnostics: &mut Diagnostics) {
        let Place { number, trace, texts, source } = place;
        let Some(jump) = last_jump(trace) else { return };
        let given = kinds(trace.args(jump), trace);
        let token = jump.descr.filter(|&token| self.of.contains_key(texts.get(token).as_str()));
        let Some(token) = token else {
            if names_none(jump, texts) {
                unnamed(jump, &given, place, to, diagnostics);
            }
            return;
        };
        let name = texts.get(token);
        let labels = &self.of[name.as_str()];
        // A trace that has the label itself goes there.
        let own = labels.iter().any(|&label| self.all[label].number == number);
        let reached: Vec<usize> =
            labels.iter().copied().filter(|&label| own == (self.all[label].number == number)).collect();
        let (fitting, others): (Vec<usize>, Vec<usize>) =
            reached.into_iter().partition(|&label| fit(&given, &self.all[label].kinds));
        if let (true, Some(&label)) = (fitting.is_empty(), others.first()) {
            let Label { kinds, place, .. } = &self.all[label];
            diagnostics.push(misfit(jump, &given, kinds, &format!("`{name}`"), *place, source));
        }
        fitting.into_iter().for_each(|label| self.all[label].shared |= !own);
    }

    /// Reports labels that list a value twice: a jump hands over one for each place. The label with which a trace ends names
    /// nothing for what follows, and hands over as a jump does; and nobody jumps to one without a token where the trace does not end
    /// in a jump without one. O(length).
    pub fn distinct(place: Place<'_>, diagnostics: &mut Diagnostics) {
        let Place { trace, source, .. } = place;
        let mut listed: SideTable<Var, usize> = SideTable::new();
        let before_last = &trace.ops[..trace.ops.len().saturating_sub(1)];
        let returns = last_jump(trace).is_some_and(|jump| jump.descr.is_none());
        let is_entered = |op: &&OpData| is(op, Lift::Label) && (op.descr.is_some() || returns);
        for (number, op) in (1..).zip(before_last.iter().filter(is_entered)) {
            for (index, arg) in trace.args(op).iter().enumerate() {
                let Arg::Var(var) = *arg else { continue };
                if std::mem::replace(&mut listed[var], number) == number {
                    let line = source.slice(op.span);
                    let range = arguments(line).get(index).cloned().unwrap_or(0..line.len());
                    let message = format!("this label lists `{}` twice", &line[range.clone()]);
                    diagnostics.push(Diagnostic::error(at(op.span, range), message));
                }
            }
        }
    }

    /// Holds the jump of a bridge, which names no token, against the beginning of the first loop.
    pub fn bridge(loop_: Place<'_>, bridge: Place<'_>, diagnostics: &mut Diagnostics) {
        let Some(jump) = last_jump(bridge.trace).filter(|jump| jump.descr.is_none()) else { return };
        let has_label = |op: &OpData| is(op, Lift::Label) && op.descr.is_none();
        if bridge.trace.ops.iter().any(has_label) {
            return;
        }
        let (args, span) = match leading_label(loop_.trace) {
            Some(label) => (loop_.trace.args(label), label.span),
            None => inputs(loop_.trace),
        };
        let (given, wanted) = (kinds(bridge.trace.args(jump), bridge.trace), kinds(args, loop_.trace));
        if !fit(&given, &wanted) {
            let label = (loop_.source, span);
            diagnostics.push(misfit(jump, &given, &wanted, "the first loop", label, bridge.source));
        }
    }

    /// Reports labels that have the token of another one: nobody could tell which of them is meant.
    pub fn twice(&self, source: &SourceText, diagnostics: &mut Diagnostics) {
        for (index, label) in self.all.iter().enumerate() {
            let first = &self.all[self.of[label.token][0]];
            let again = self.of[label.token][0] != index && label.number != first.number;
            if again && std::ptr::eq(label.place.0, source) {
                let message = format!("there is a label `{}` already", label.token);
                diagnostics.push(Diagnostic::error(label.place.1, message).note(shown(first.place)));
            }
        }
    }

    /// The numbers of the other traces in which a trace goes on by a token; none if it has that label itself.
    pub fn entered_by(&self, place: Place<'_>) -> Vec<usize> {
        let token = last_jump(place.trace).and_then(|jump| jump.descr);
        let labels = token.and_then(|token| self.of.get(place.texts.get(token).as_str()));
        let entered: Vec<usize> = labels.into_iter().flatten().map(|&label| self.all[label].number).collect();
        if entered.contains(&place.number) { Vec::new() } else { entered }
    }

    /// The tokens of a file whose labels other traces jump to.
    pub fn shared(&self, texts: &Texts) -> Shared {
        let shared = self.all.iter().filter(|label| label.shared);
        shared.filter_map(|label| texts.lookup_str(label.token)).collect()
    }

    /// The tokens of a trace to whose labels a trace may jump that is not given: those that say which label is meant. A
    /// label that leaves out what its trace uses behind it is not for others, and none behind one that does so to which the
    /// trace goes back. O(length).
    pub fn open(&self, place: Place<'_>) -> Vec<Text> {
        let back = goes_back(place.trace, place.texts);
        let considered = |op: &OpData| op.descr.is_some() || back.is_some_and(|back| back.span == op.span);
        let labels: Vec<&OpData> =
            place.trace.ops.iter().filter(|op| is(op, Lift::Label) && considered(op)).collect();
        // How many more uses begin to be unlisted at a label than end to be.
        let mut unlisted = vec![0_i64; labels.len() + 1];
        not_listed(place.trace, considered, |_, _, _, range| {
            unlisted[range.start] += 1;
            unlisted[range.end] -= 1;
        });
        let (mut depth, mut open, mut closed) = (0, Vec::new(), false);
        for (&label, change) in labels.iter().zip(unlisted) {
            depth += change;
            closed |= depth > 0 && back.is_some_and(|back| back.span == label.span);
            let Some(token) = label.descr else { continue };
            let once = self.of.get(place.texts.get(token).as_str()).is_some_and(|labels| labels.len() == 1);
            if depth == 0 && once && !closed {
                open.push(token);
            }
        }
        open
    }

    /// Warns of a jump to a token that no trace has which is given. It may be one of a trace that is not.
    pub fn nowhere(&self, place: Place<'_>, diagnostics: &mut Diagnostics) {
        let Place { trace, texts, .. } = place;
        let Some(jump) = last_jump(trace) else { return };
        let Some(token) = jump.descr.map(|token| texts.get(token).as_str()) else { return };
        if self.of.contains_key(token) {
            return;
        }
        let warning = Diagnostic::warning(jump.span, format!("none of these traces has a label `{token}`"));
        let near = closest(token, self.all.iter().map(|label| label.token));
        diagnostics.push(match near {
            Some(near) => warning.note(format!("did you mean `{near}`?")),
            None => warning,
        });
    }
}

/// Holds a jump that names no label against those of its trace that have no token, or else against a beginning. Of several
/// labels the last that fits is meant.
fn unnamed(
    jump: &OpData,
    given: &[Option<Kind>],
    place: Place<'_>,
    to: Beginning<'_>,
    diagnostics: &mut Diagnostics,
) {
    let Place { trace, source, .. } = place;
    let unnamed = |op: &&OpData| is(op, Lift::Label) && op.descr.is_none();
    let own = trace.ops.iter().filter(unnamed);
    let own: Vec<_> = own.map(|op| (kinds(trace.args(op), trace), op.span)).collect();
    let begins = |place: &Place<'_>| fit(given, &kinds(inputs(place.trace).0, place.trace));
    let fits_beginning = match to {
        Beginning::Some(places) => {
            places.iter().any(|place| begins(place) || has_unnamed(place.trace, given))
        }
        Beginning::Own | Beginning::OwnPastLabels | Beginning::OwnIfItFits => begins(&place),
        Beginning::Elsewhere => true,
    };
    let fits_label = own.iter().any(|(kinds, _)| fit(given, kinds));
    let fits = match to {
        Beginning::OwnPastLabels | Beginning::Some(_) => fits_label || fits_beginning,
        _ if own.is_empty() => fits_beginning,
        _ => fits_label,
    };
    if fits {
        return;
    }
    if let Some((kinds, label)) = own.last() {
        diagnostics.push(misfit(jump, given, kinds, "the label", (source, *label), source));
        return;
    }
    let (args, span) = inputs(trace);
    let wanted = kinds(args, trace);
    let mut found = misfit(jump, given, &wanted, "the beginning of the trace", (source, span), source);
    if let Beginning::OwnIfItFits = to {
        found.severity = Severity::Warning;
        found = found.note("so it goes nowhere, as in PyPy's tests of straight lines");
    }
    diagnostics.push(found);
}

/// Whether a trace has a label without a token that takes values of some kinds.
fn has_unnamed(trace: &Trace, given: &[Option<Kind>]) -> bool {
    let labels = trace.ops.iter().filter(|op| is(op, Lift::Label) && op.descr.is_none());
    labels.map(|op| kinds(trace.args(op), trace)).any(|wanted| fit(given, &wanted))
}

/// The label of its own to which a trace goes back.
fn goes_back<'t>(trace: &'t Trace, texts: &Texts) -> Option<&'t OpData> {
    let jump = last_jump(trace)?;
    let given = kinds(trace.args(jump), trace);
    let goes_there = |op: &&OpData| {
        is(op, Lift::Label)
            && names(jump.descr, op.descr, texts)
            && fit(&given, &kinds(trace.args(op), trace))
    };
    trace.ops.iter().rfind(goes_there)
}

/// Reports what a trace uses behind a label that others jump to and that the label does not list. O(length).
pub fn sealed(place: Place<'_>, is_shared: impl Fn(&OpData) -> bool, diagnostics: &mut Diagnostics) {
    let Place { trace, texts, source, .. } = place;
    let mut reported: SideTable<Var, bool> = SideTable::new();
    // Whoever comes to a label comes to the one, too, to which the trace goes back.
    let last = trace.ops.iter().rfind(|op| is(op, Lift::Label) && is_shared(op));
    let back =
        goes_back(trace, texts).filter(|back| last.is_some_and(|last| back.span.start < last.span.start));
    let considered = |op: &OpData| is_shared(op) || back.is_some_and(|back| back.span == op.span);
    not_listed(trace, considered, |op, index, var, _| {
        if std::mem::replace(&mut reported[var], true) {
            return;
        }
        let places = arguments(source.slice(op.span));
        let span = places.get(index).map_or(op.span, |range| at(op.span, range.clone()));
        let name = texts_of(trace, var, texts);
        diagnostics.error(span, format!("the label before does not list `{name}`, and others jump there"));
    });
}

/// Finds what a trace uses behind labels that do not list it: the operation, the number of its argument, the value, and
/// the labels, by their numbers among those that are `considered`. O(length).
fn not_listed(
    trace: &Trace,
    considered: impl Fn(&OpData) -> bool,
    mut found: impl FnMut(&OpData, usize, Var, Range<usize>),
) {
    // The number of labels before the place where each value is made or listed.
    let mut since: SideTable<Var, usize> = SideTable::new();
    let mut labels = 0;
    for op in &trace.ops {
        let label = is(op, Lift::Label) && considered(op);
        for (index, arg) in trace.args(op).iter().chain(trace.fail(op)).enumerate() {
            if let Arg::Var(var) = *arg
                && since[var] < labels
            {
                found(op, index, var, since[var]..labels);
            }
        }
        labels += usize::from(label);
        if label {
            for arg in trace.args(op) {
                if let Arg::Var(var) = *arg {
                    since[var] = labels;
                }
            }
        }
        op.result.into_iter().for_each(|result| since[result] = labels);
    }
}

/// What a value is called.
fn texts_of(trace: &Trace, var: Var, texts: &Texts) -> String {
    match trace.vars[var].name {
        Name::Numbered(letter, number) => format!("{}{number}", char::from(letter)),
        Name::Other(text) => texts.get(text).clone(),
    }
}

/// A part of a line, in the file.
fn at(line: Span, range: Range<usize>) -> Span {
    let start = line.start as usize;
    Span::new(start + range.start..start + range.end)
}

/// What is said of a jump that does not hand over what a label takes: where they are too many or too few the jump, else
/// the first value of another kind.
fn misfit(
    jump: &OpData,
    given: &[Option<Kind>],
    wanted: &[Option<Kind>],
    to: &str,
    label: (&SourceText, Span),
    source: &SourceText,
) -> Diagnostic {
    let places = arguments(source.slice(jump.span));
    let error = if given.len() != wanted.len() {
        let s = if given.len() == 1 { "" } else { "s" };
        let message = format!("`jump` hands over {} value{s}, and {to} takes {}", given.len(), wanted.len());
        let line = source.slice(jump.span);
        Diagnostic::error(at(jump.span, line.find("jump").unwrap_or(0)..line.len()), message)
    } else {
        let differs = (0..given.len()).find(|&index| !same_kind(given[index], wanted[index]));
        let index = differs.expect("a jump that fits is not reported");
        let words = |kind: Option<Kind>| kind.map_or("anything", Kind::words);
        let message = format!("{to} takes {} here, not {}", words(wanted[index]), words(given[index]));
        Diagnostic::error(places.get(index).map_or(jump.span, |range| at(jump.span, range.clone())), message)
    };
    error.note(shown(label))
}

/// A line of a file, for people.
fn shown((source, span): (&SourceText, Span)) -> String {
    let (line, _) = source.position(span.start);
    format!("{}:{line}: {}", source.name(), source.slice(span).trim())
}

/// Where the arguments of an operation stand in its line.
fn arguments(line: &str) -> Vec<Range<usize>> {
    let bytes = line.as_bytes();
    let Some(open) = line.find('(') else { return Vec::new() };
    let (mut places, mut depth, mut quote, mut start) = (Vec::new(), 0, None, open + 1);
    for (at, &byte) in bytes.iter().enumerate().skip(open + 1) {
        match (quote, byte) {
            (Some(end), _) if end == byte => quote = None,
            (Some(_), _) => {}
            (None, b'"' | b'\'') => quote = Some(byte),
            (None, b'(') => depth += 1,
            (None, b')') if depth > 0 => depth -= 1,
            (None, b',' | b')') if depth == 0 => {
                let blanks = line[start..at].len() - line[start..at].trim_start().len();
                places.push(start + blanks..start + line[start..at].trim_end().len());
                start = at + 1;
                if byte == b')' {
                    break;
                }
            }
            (None, _) => {}
        }
    }
    places
}
