//! What a report of a log is made of, gathered from the log and from what became of it.

use planish_base::{Diagnostics, SideTable, caught};
use planish_ir::Module;
use planish_ir::text::listing;
use planish_trace_dialect::descr::Vocabulary;
use planish_trace_dialect::executed::Counters;
use planish_trace_dialect::lift::{Lifter, Options};
use planish_trace_dialect::parent::Guards;
use planish_trace_dialect::pypylog::{Log, SectionId};
use planish_trace_dialect::relog::TraceStats;
use planish_trace_dialect::source_lines::{place, place_of, source_lines};
use planish_trace_dialect::stats::{self, Class, Shape};
use planish_trace_dialect::text::Trace;

use crate::logged::{Left, LoggedTrace, Made};
use crate::traces::names;

/// The raw traces of a log. `states` gives for each the number of its states, if there are any.
pub(crate) fn gather(log: &Log, traces: &[TraceStats], states: &[Option<usize>]) -> Vec<LoggedTrace> {
    let pairs = stats::pairs(log);
    let counters = Counters::of(log);
    let guards = Guards::of(log);
    // Which raw trace an optimized section belongs to.
    let mut raw: SideTable<SectionId, Option<usize>> = SideTable::new();
    for (number, trace) in traces.iter().enumerate() {
        if let Some(optimized) = pairs[trace.section] {
            raw[optimized] = Some(number);
        }
    }
    let gathered = traces.iter().zip(states).map(|(trace, states)| {
        let optimized = pairs[trace.section];
        let peer = optimized.and_then(|id| log.sections[id].trace.as_ref());
        LoggedTrace {
            place: place(&trace.place),
            left: optimized.and_then(|bridge| left(log, &guards, &raw, bridge)),
            executed: peer.and_then(|peer| counters.executed(peer, &log.texts)),
            before: trace.before,
            ours: ours(trace),
            theirs: peer.and_then(|peer| theirs(log, trace, peer)),
            shape: trace.pypy.as_ref().map(|pypy| pypy.shape),
            peer: peer.map_or(Vec::new(), |peer| lifted(log, peer)),
            lacks: trace.lacks.iter().map(|lack| lack.words()).collect(),
            invalid: trace.invalid.clone(),
            states: *states,
        }
    });
    gathered.collect()
}

/// The guard that an optimized bridge leaves from.
fn left(
    log: &Log,
    guards: &Guards,
    raw: &SideTable<SectionId, Option<usize>>,
    bridge: SectionId,
) -> Option<Left> {
    let (section, at) = guards.left_by(log, bridge)?;
    let parent = log.sections[section].trace.as_ref()?;
    Some(Left {
        parent: raw[section]?,
        guard: parent.op_name(&parent.ops[at], &log.texts).to_owned(),
        exit: parent.ops[..at].iter().filter(|op| Class::of(op, parent, &log.texts) == Class::Guard).count(),
        place: place_of(parent, at, &log.texts).unwrap_or_default(),
    })
}

fn ours(trace: &TraceStats) -> Option<Made> {
    let labels = trace.after.as_ref()?.labels();
    let lines = trace.lines.clone();
    Some(Made { straight: trace.straight()?, body: trace.body(), lines, last_part: labels })
}

fn theirs(log: &Log, trace: &TraceStats, optimized: &Trace) -> Option<Made> {
    let pypy = trace.pypy.as_ref()?;
    let mut lines = source_lines(optimized, &log.texts);
    if pypy.shape == Shape::Entry || pypy.shape == Shape::Loop || pypy.shape == Shape::Simple {
        // What stands before the first place reads the interpreter's frame, which is in no raw trace.
        lines.retain(|line| line.part > 0 || !line.place.is_empty());
    }
    let labels = stats::Parts::of(optimized, &log.texts).labels();
    Some(Made { straight: pypy.straight, body: pypy.body, lines, last_part: labels })
}

/// What PyPy made, lifted as ours is; nothing if it cannot be.
fn lifted(log: &Log, optimized: &Trace) -> Vec<String> {
    let lift = || {
        let (mut module, mut vocabulary) = (Module::new(), Vocabulary::new());
        let options = Options { log: true, ..Options::default() };
        let mut lifter = Lifter::new(&mut module, &log.texts, &mut vocabulary, options);
        let lifted = lifter.lift("PyPy", optimized, &mut Diagnostics::new())?;
        let names = names(&lifted.function, &lifted.origin, &log.texts);
        let lines = listing(module.tables(), &lifted.function, &names);
        Some(lines.into_iter().map(|line| line.text).collect())
    };
    caught::guard(lift).ok().flatten().unwrap_or_default()
}
