//! The report of a log, for an author of Python who asks why a loop is slow: traces in the order of the work that they do,
//! bridges below the guards that they leave from, each by lines of the program and beside what PyPy made of it.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use planish_report::{Bar, Bars, Figure, Item, Panel, Treemap};
use planish_trace_dialect::stats::{Counts, Shape};

use super::beside::beside;
use super::overview::some;
use super::rule_note::RuleNote;
use crate::logged::{LoggedTrace, Made};
use crate::run::Outcome;

/// What a log needs to have so that its report says what runs most.
const WITHOUT_COUNTS: &str = "The log does not say how often its traces ran, so they stand in order of the operations that \
                              are left. PyPy counts with PYPYLOG=jit-log-noopt,jit-log-opt,jit-tracing,jit-backend-counts:FILE.";

/// What is counted of a trace.
type Of = fn(&Counts) -> u64;

const KINDS: [(&str, Of); 4] = [
    ("operations", |counts| counts.hard),
    ("guards", |counts| counts.guards),
    ("allocations", |counts| counts.allocations),
    ("calls", |counts| counts.calls),
];

/// The traces of a log in the order in which they are shown.
pub(super) struct Shown<'a> {
    traces: &'a [LoggedTrace],
    /// The positions of traces, with their depths: loops by their work, each followed by its bridges.
    pub order: Vec<(usize, u32)>,
    /// The place of each trace in the order.
    item: Vec<usize>,
    /// The weight of each trace, with that of its bridges.
    sums: Vec<u64>,
    /// The bridges of each trace, and the traces that are none, those with the least weight first.
    bridges: BTreeMap<Option<usize>, Vec<usize>>,
    /// Whether the log has counts.
    is_counted: bool,
}

impl<'a> Shown<'a> {
    /// Puts traces in order. O(n log n).
    pub fn of(traces: &'a [LoggedTrace]) -> Self {
        let is_counted = traces.iter().any(|trace| trace.executed.is_some());
        let item = vec![0; traces.len()];
        let (order, sums, bridges) = Default::default();
        let mut shown = Shown { traces, order, item, sums, bridges, is_counted };
        // A bridge stands behind the trace that it leaves, so the sums are done from the end.
        let mut sums: Vec<u64> = (0..traces.len()).map(|trace| shown.weight(trace)).collect();
        let mut bridges: BTreeMap<Option<usize>, Vec<usize>> = BTreeMap::new();
        for trace in (0..traces.len()).rev() {
            let parent = traces[trace].left.as_ref().map(|left| left.parent).filter(|&parent| parent < trace);
            if let Some(parent) = parent {
                sums[parent] = sums[parent].saturating_add(sums[trace]);
            }
            bridges.entry(parent).or_default().push(trace);
        }
        bridges.values_mut().for_each(|traces| traces.sort_by_key(|&trace| (sums[trace], Reverse(trace))));
        (shown.sums, shown.bridges) = (sums, bridges);
        // What is pushed last is shown first.
        let mut stack: Vec<(usize, u32)> = shown.bridges_of(None).iter().map(|&trace| (trace, 0)).collect();
        while let Some((trace, depth)) = stack.pop() {
            shown.item[trace] = shown.order.len();
            shown.order.push((trace, depth));
            stack.extend(shown.bridges_of(Some(trace)).iter().map(|&bridge| (bridge, depth + 1)));
        }
        shown
    }

    fn bridges_of(&self, trace: Option<usize>) -> &[usize] {
        self.bridges.get(&trace).map_or(&[], Vec::as_slice)
    }

    /// How much a trace weighs: the operations that it executes, or those that it has where nobody counted.
    fn weight(&self, trace: usize) -> u64 {
        let trace = &self.traces[trace];
        match (&trace.ours, self.is_counted) {
            (Some(made), true) => trace.work(made, |counts| counts.hard).unwrap_or(0),
            (None, true) => trace.passes().map_or(0, |(_, all)| trace.before.hard.saturating_mul(all)),
            (Some(made), false) => made.hot().hard,
            (None, false) => trace.before.hard,
        }
    }

    /// What the numbers of the overview count.
    fn unit(&self, what: &str) -> String {
        if self.is_counted { format!("{what} executed") } else { format!("{what} in the log") }
    }

    /// How often the operations of a part of a trace count.
    fn times(&self, trace: &LoggedTrace, made: &Made, part: usize) -> u64 {
        match self.is_counted {
            true => trace.executions_of(made, part).unwrap_or(0),
            false => u64::from(made.is_hot(part)),
        }
    }

    /// What is said of the whole log.
    pub fn panels(&self, outcome: &Outcome, rule: &dyn Fn(u32) -> RuleNote) -> Vec<Panel> {
        let mut panels = Vec::new();
        if !self.is_counted {
            panels.push(Panel::Text(WITHOUT_COUNTS.into()));
        }
        let figures = self.figures();
        if !figures.is_empty() {
            panels.push(Panel::Figures(figures));
        }
        let bars = [
            self.by_trace(),
            self.by_line("Where the operations are", KINDS[0]),
            self.by_line("Allocations left", KINDS[2]),
            self.by_line("Calls left", KINDS[3]),
            self.failing(),
            self.behind(),
        ];
        panels.extend(bars.into_iter().filter_map(some));
        if self.traces.len() > 1 {
            panels
                .push(Panel::Treemap(Treemap { title: "All traces".into(), unit: self.unit("operations") }));
        }
        let rest = [super::overview::did(outcome, rule), super::overview::missed(outcome)];
        panels.extend(rest.into_iter().filter_map(some));
        panels
    }

    /// What the log's traces execute, or have.
    fn figures(&self) -> Vec<Figure> {
        let figure = |(what, of): (&str, Of)| {
            let mut figure = Figure { what: self.unit(what), ..Figure::default() };
            let mut peer = 0;
            for trace in self.traces {
                let Some((ours, theirs)) = trace.ours.as_ref().zip(trace.theirs.as_ref()) else { continue };
                let all = if self.is_counted { trace.passes().map_or(0, |(_, all)| all) } else { 1 };
                let sums = [&mut figure.before, &mut figure.after, &mut peer];
                let work = [of(&trace.before).saturating_mul(all)]
                    .into_iter()
                    .chain([ours, theirs].map(|made| self.work(trace, made, of)));
                // Counts may be anything that a log says.
                sums.into_iter().zip(work).for_each(|(sum, work)| *sum = sum.saturating_add(work));
            }
            figure.peer = Some(("PyPy".into(), peer));
            figure
        };
        KINDS.into_iter().map(figure).filter(is_any).collect()
    }

    /// What is executed of what was made of a trace, or what runs most of it where nobody counted.
    fn work(&self, trace: &LoggedTrace, made: &Made, of: Of) -> u64 {
        if self.is_counted { trace.work(made, of).unwrap_or(0) } else { of(made.hot()) }
    }

    /// Traces by what they execute.
    fn by_trace(&self) -> Bars {
        let bar = |&(trace, _): &(usize, u32)| Bar {
            label: self.name(trace),
            hint: self.story(trace),
            value: self.weight(trace),
            of: None,
            item: Some(self.item[trace]),
        };
        let mut rows: Vec<Bar> = self.order.iter().map(bar).filter(|bar| bar.value > 0).collect();
        rows.sort_by_key(|bar| Reverse(bar.value));
        Bars { title: "Which traces pay".into(), unit: self.unit("operations"), rows }
    }

    /// Lines of the program by what is left of a kind there, in all traces; the trace that has most of it opens.
    fn by_line(&self, title: &str, (what, of): (&str, Of)) -> Bars {
        let mut lines: BTreeMap<&str, (u64, u64, usize)> = BTreeMap::new();
        for (number, trace) in self.traces.iter().enumerate() {
            let Some(made) = &trace.ours else { continue };
            for line in &made.lines {
                let value = of(&line.counts).saturating_mul(self.times(trace, made, line.part));
                let (sum, most, most_of) = lines.entry(&line.place).or_default();
                *sum = sum.saturating_add(value);
                if value > *most {
                    (*most, *most_of) = (value, number);
                }
            }
        }
        let mut rows: Vec<Bar> = lines
            .into_iter()
            .filter(|(_, (sum, ..))| *sum > 0)
            .map(|(place, (value, _, trace))| Bar {
                label: if place.is_empty() { "before the first line".into() } else { place.to_owned() },
                value,
                item: Some(self.item[trace]),
                ..Bar::default()
            })
            .collect();
        rows.sort_by(|a, b| b.value.cmp(&a.value).then_with(|| a.label.cmp(&b.label)));
        Bars { title: title.to_owned(), unit: self.unit(what), rows }
    }

    /// Guards by how often they failed into their bridges.
    fn failing(&self) -> Bars {
        let bar = |(number, trace): (usize, &LoggedTrace)| {
            let left = trace.left.as_ref()?;
            let value = trace.passes()?.0;
            let (label, item) = (format!("{} {}", left.guard, left.place), Some(self.item[number]));
            let hint = format!("goes on at {}", trace.place);
            (value > 0).then_some(Bar { label, hint, value, of: None, item })
        };
        let mut rows: Vec<Bar> = self.traces.iter().enumerate().filter_map(bar).collect();
        rows.sort_by_key(|bar| Reverse(bar.value));
        Bars { title: "Guards that fail".into(), unit: "times into a bridge".into(), rows }
    }

    /// Traces of which PyPy executes less.
    fn behind(&self) -> Bars {
        let bar = |(number, trace): (usize, &LoggedTrace)| {
            let of: Of = |counts| counts.hard;
            let ours = self.work(trace, trace.ours.as_ref()?, of);
            let theirs = self.work(trace, trace.theirs.as_ref()?, of);
            let lacks = match trace.lacks.is_empty() {
                true => String::new(),
                false => format!("the log does not tell: {}", trace.lacks.join(", ")),
            };
            let (label, item) = (self.name(number), Some(self.item[number]));
            (ours > theirs).then(|| Bar { label, hint: lacks, value: ours - theirs, of: None, item })
        };
        let mut rows: Vec<Bar> = self.traces.iter().enumerate().filter_map(bar).collect();
        rows.sort_by_key(|bar| Reverse(bar.value));
        Bars { title: "Where PyPy leaves less".into(), unit: self.unit("operations more than PyPy's"), rows }
    }

    /// What a trace is called: where it begins; a bridge by the guard that it leaves from.
    pub fn name(&self, trace: usize) -> String {
        let LoggedTrace { place, left, shape, .. } = &self.traces[trace];
        match (left, shape) {
            (Some(left), _) if left.place.is_empty() => format!("{}: {place}", left.guard),
            (Some(left), _) => format!("{} {}", left.guard, left.place),
            (None, Some(Shape::Bridge | Shape::Retrace)) => format!("bridge {place}"),
            (None, Some(Shape::Entry)) => format!("entry {place}"),
            (None, _) => place.clone(),
        }
    }

    /// A sentence about a trace.
    fn story(&self, number: usize) -> String {
        let trace = &self.traces[number];
        let kind = match trace.shape {
            Some(Shape::Loop | Shape::Simple) => "A loop",
            Some(Shape::Entry) => "A way from the interpreter into a loop",
            Some(Shape::Bridge) => "A bridge",
            Some(Shape::Retrace) => "Another version of a loop",
            None => "A trace of which the log has no result of PyPy's,",
        };
        let mut story = format!("{kind} at {}", trace.place);
        if let Some((entered, all)) = trace.passes() {
            let is_loop = trace.executed.is_some_and(|executed| executed.around.is_some());
            story += &match is_loop {
                true => format!(", entered {}, {} in all", times(entered), counted(all, "iteration")),
                false => format!(", executed {}", times(all)),
            };
        }
        story.push('.');
        if let Some(made) = &trace.ours {
            let what = if made.body.is_some() { "An iteration" } else { "One pass" };
            let Counts { hard, guards, allocations, calls, .. } = made.hot();
            story += &format!(" {what} has {}", counted(*hard, "operation"));
            if let Some(theirs) = &trace.theirs {
                story += &format!(" (PyPy's {})", theirs.hot().hard);
            }
            let [guards, allocations, calls] =
                [(guards, "guard"), (allocations, "allocation"), (calls, "call")]
                    .map(|(count, word)| counted(*count, word));
            story += &format!(", of which {guards}, {allocations} and {calls}.");
        }
        if let Some(reason) = &trace.invalid {
            story += &format!(" It can never go around: {reason}.");
        }
        story
    }

    /// Says of an item what the log says of its trace. `item` has the states as columns, if the trace was optimized.
    pub fn item(&self, place: usize, mut item: Item) -> Item {
        let (number, depth) = self.order[place];
        let trace = &self.traces[number];
        item.name = self.name(number);
        item.depth = depth;
        item.weight = Some(self.sums[number]);
        item.before = trace.before.hard;
        item.after = trace.ours.as_ref().map_or(trace.before.hard, |made| made.hot().hard);
        item.panels = self.about(number);
        let (columns, only) = beside(item.columns, trace, &self.bridges(number));
        item.columns = columns;
        item.panels.extend(only.map(|[ours, theirs]| {
            let [ours, theirs] = [ours, theirs].map(|only| counted(only as u64, "operation"));
            Panel::Text(format!(
                "What runs most comes first: {ours} of it only in ours, {theirs} only in PyPy's, marked \u{25c6}."
            ))
        }));
        item
    }

    /// The exits of a trace that lead to bridges, and what is said of them.
    fn bridges(&self, number: usize) -> BTreeMap<usize, String> {
        let said = |&bridge: &usize| {
            let bridge = &self.traces[bridge];
            let left = bridge.left.as_ref()?;
            let failed = bridge.passes().map_or(String::new(), |(entered, _)| format!(" {}", times(entered)));
            Some((left.exit, format!("\u{2192} fails{failed}, goes on at {}", bridge.place)))
        };
        self.bridges_of(Some(number)).iter().filter_map(said).collect()
    }

    fn about(&self, number: usize) -> Vec<Panel> {
        let trace = &self.traces[number];
        let mut panels = vec![Panel::Text(self.story(number))];
        if let Some(left) = &trace.left {
            let parent = self.name(left.parent);
            panels.push(Panel::Text(format!(
                "It goes on where {} fails at {}, in {parent}.",
                left.guard, left.place
            )));
        }
        if let Some(ours) = &trace.ours {
            let figure = |(what, of): (&str, Of)| Figure {
                what: what.to_owned(),
                before: of(&trace.before),
                after: of(ours.hot()),
                peer: trace.theirs.as_ref().map(|theirs| ("PyPy".into(), of(theirs.hot()))),
            };
            panels.push(Panel::Figures(KINDS.into_iter().map(figure).filter(is_any).collect()));
            panels.extend(some(by_line(ours)));
        }
        let bridge = |&other: &usize| {
            let bridge = &self.traces[other];
            let left = bridge.left.as_ref()?;
            Some(Bar {
                label: format!("{} {}", left.guard, left.place),
                hint: self.story(other),
                value: bridge.passes().map_or(0, |(entered, _)| entered),
                of: None,
                item: Some(self.item[other]),
            })
        };
        let mut rows: Vec<Bar> = self.bridges_of(Some(number)).iter().filter_map(bridge).collect();
        rows.sort_by_key(|bar| Reverse(bar.value));
        panels.extend(some(Bars {
            title: "Guards that have bridges".into(),
            unit: if self.is_counted { "times that they failed" } else { "not counted" }.into(),
            rows,
        }));
        panels
    }
}

/// Lines of the program by the operations that are left of them where the trace runs most.
fn by_line(made: &Made) -> Bars {
    let lines = made.lines.iter().filter(|line| made.is_hot(line.part) && line.counts.hard > 0);
    let row = |line: &planish_trace_dialect::source_lines::SourceLine| {
        let Counts { guards, allocations, calls, loads, stores, .. } = line.counts;
        let [guards, allocations, calls, loads, stores] = [
            (guards, "guard"),
            (allocations, "allocation"),
            (calls, "call"),
            (loads, "load"),
            (stores, "store"),
        ]
        .map(|(count, word)| counted(count, word));
        Bar {
            label: if line.place.is_empty() { "before the first line".into() } else { line.place.clone() },
            hint: format!("{guards}, {allocations}, {calls}, {loads}, {stores}"),
            value: line.counts.hard,
            of: None,
            item: None,
        }
    };
    Bars {
        title: "By line of the program".into(),
        unit: "operations left".into(),
        rows: lines.map(row).collect(),
    }
}

/// Whether there is any of what is counted.
fn is_any(figure: &Figure) -> bool {
    let peer = figure.peer.as_ref().map_or(0, |(_, peer)| *peer);
    [figure.before, figure.after, peer].iter().any(|&count| count > 0)
}

/// A number of things.
fn counted(count: u64, word: &str) -> String {
    match count {
        0 => format!("no {word}s"),
        1 => format!("1 {word}"),
        _ => format!("{} {word}s", grouped(count)),
    }
}

/// A number as people read it.
fn grouped(count: u64) -> String {
    let digits = count.to_string();
    let groups = digits.as_bytes().rchunks(3).rev().map(String::from_utf8_lossy);
    groups.collect::<Vec<_>>().join(",")
}

fn times(count: u64) -> String {
    if count == 1 { "once".into() } else { format!("{} times", grouped(count)) }
}
