//! What holds where a bridge begins, read from the trace that it leaves.
//!
//! A log names the guard that a bridge comes from, and lists what that guard hands over: those values are the inputs of
//! the bridge, in order. Everything that the trace established before the guard still holds when the guard fails:
//! classes and references that are not null, comparisons that other guards decided (and the one that the failing guard
//! decided the other way), fields that were read or written and not changed since, lengths, results of calls that are
//! the same for the whole loop. What can be said in terms of the handed-over values is put in front of the bridge as
//! remarks, the words that PyPy itself has for promises; so the interpreter holds the optimized bridge against its
//! source under the same promises, and no pass knows that there was a parent. Objects that the parent did not make
//! need nothing of this: the recorded bridge begins with their making. Neither do stores of such objects that waited at the
//! guard: PyPy carries them out when it resumes and records them as the first operations of the bridge. So what the text
//! of the parent says of a field is what memory holds in front of those.
//!
//! PyPy does the same from memory for classes, fields and loop-invariant calls (`bridgeopt`). At a label only what is
//! known of the references that come around is kept: PyPy's loops assume these of their parameters, and whoever jumps
//! there has shown them.

mod held;
pub mod ranges;
mod remarks;
mod words;

use hashbrown::HashMap;
use planish_base::{Arena, SideTable};
use planish_ir::bridge::{FactKind, FactKinds};
use rustc_hash::FxBuildHasher;

use self::held::Held;
use self::ranges::Range;
use self::remarks::Remarks;
pub(crate) use self::remarks::Told;
pub(crate) use self::words::FOREIGN;
use self::words::{is_guard, name};
use crate::facts::Known;
use crate::opcode::Kind;
use crate::pypylog::{Log, Section, SectionId, SectionKind};
use crate::text::{Arg, Text, Texts, Trace, Var};

/// The guards of the optimized traces of a log, by what they are called.
#[derive(Default)]
pub struct Guards {
    /// For each descriptor where it stands, in the order of the log: PyPy may use a name again. It stands somewhere in a trace that
    /// cannot be read.
    places: HashMap<Text, Vec<(SectionId, Option<usize>)>, FxBuildHasher>,
}

impl Guards {
    /// All guards of a log; none of one that several processes wrote, which may have used a name each. O(length).
    pub fn of(log: &Log) -> Guards {
        if log.is_torn() {
            return Guards::default();
        }
        let mut places: HashMap<Text, Vec<(SectionId, Option<usize>)>, FxBuildHasher> = HashMap::default();
        for (id, section) in log.sections.iter() {
            if !matches!(section.kind, SectionKind::OptLoop | SectionKind::OptBridge) {
                continue;
            }
            for &descr in &section.unread {
                places.entry(descr).or_default().push((id, None));
            }
            let Some(trace) = &section.trace else { continue };
            for (index, op) in trace.ops.iter().enumerate() {
                if let Some(descr) = op.descr.filter(|_| is_guard(op)) {
                    places.entry(descr).or_default().push((id, Some(index)));
                }
            }
        }
        Guards { places }
    }

    /// The guard that an optimized bridge leaves from: the section that has it, and its position there.
    pub fn left_by(&self, log: &Log, bridge: SectionId) -> Option<(SectionId, usize)> {
        let guard = guard_left(log.sections[bridge].trace.as_ref()?, &log.texts)?;
        let places = self.places.get(&log.texts.lookup_str(&guard)?)?;
        let &(section, index) = places.iter().rfind(|(section, _)| *section < bridge)?;
        Some((section, index?))
    }

    /// Puts in front of a raw bridge what holds at the guard that it leaves from. `None` when the log does not tell of that
    /// guard, or tells of another one. `ranges` is asked what the integers can be with which a trace ends. O(length of the
    /// parent).
    pub(crate) fn seed(
        &self,
        log: &mut Log,
        bridge: SectionId,
        raw: &mut Trace,
        (kinds, facts): (FactKinds, &Known),
        ranges: &mut dyn FnMut(&Trace, &Texts) -> Vec<Option<Range>>,
    ) -> Option<Told> {
        let (section, index) = self.left_by(log, bridge)?;
        let Log { sections, texts, .. } = log;
        let parent = sections[section].trace.as_ref()?;
        let handed = handed_over(parent, index);
        let inputs = raw.lists.get(raw.inputs).to_vec();
        let kind = |input: &Arg| match input {
            Arg::Var(var) => Some(raw.vars[*var].kind),
            _ => None,
        };
        let fits = handed.len() == inputs.len()
            && handed.iter().zip(&inputs).all(|(var, input)| kind(input) == Some(parent.vars[*var].kind));
        if !fits {
            return None;
        }
        let mut held = Held::new(parent, facts);
        let body = parent.ops.iter().rposition(|op| name(op) == "label");
        for (position, op) in parent.ops[..index].iter().enumerate() {
            held.passed(op, texts);
            if Some(position) == body
                && let Some((_, short)) = short_preamble(sections, section)
                && let Some(inside) = entering(short, parent, parent.args(op))
            {
                let mut before = Held::new(short, facts);
                short.ops.iter().for_each(|op| before.passed(op, texts));
                held.adopt(&before, &inside, texts);
            }
        }
        held.failed(&parent.ops[index]);
        let wants_ranges = kinds.has(FactKind::Ranges) || kinds.has(FactKind::Bits);
        let before = ranges::ending_at(parent, index, &handed).filter(|_| wants_ranges);
        let known: Vec<(Var, Range)> = before.map_or(Vec::new(), |(before, integers)| {
            let known = integers.into_iter().zip(ranges(&before, texts));
            known.filter_map(|(var, range)| Some((var, range?))).collect()
        });
        let mut inside = SideTable::new();
        handed.iter().zip(inputs).for_each(|(&var, input)| inside[var] = Some(input));
        Some(Remarks::new(raw, &held, inside, texts, kinds).write(&handed, &known))
    }
}

/// The values that a guard hands over.
fn handed_over(parent: &Trace, guard: usize) -> Vec<Var> {
    let args = parent.fail(&parent.ops[guard]).iter();
    args.filter_map(|arg| match arg {
        Arg::Var(var) => Some(*var),
        _ => None,
    })
    .collect()
}

/// What the guard is called that an optimized bridge says to leave from.
pub(crate) fn guard_left(optimized: &Trace, texts: &Texts) -> Option<String> {
    let line = texts.get(*optimized.comments.first()?);
    let (_, rest) = line.split_once("bridge out of Guard ")?;
    Some(format!("<Guard{}>", rest.split(' ').next()?))
}

/// The text of an optimized trace that a bridge may leave, in an attempt of its own with what others do before they enter
/// its body.
pub(crate) fn alone(log: &Log, section: SectionId) -> String {
    let text = |id: SectionId| {
        let Section { open, close, .. } = log.sections[id];
        let text = log.source.text()[open..close].trim_end_matches('\n');
        // A section that was never closed would take in what follows.
        match log.sections[id].end {
            Some(_) => format!("{text}\n"),
            None => format!("{text}\n[0] {}}}\n", log.name(id)),
        }
    };
    let short = short_preamble(&log.sections, section);
    format!(
        "[0] {{jit-tracing\n{}{}[0] jit-tracing}}\n",
        short.map_or(String::new(), |(id, _)| text(id)),
        text(section)
    )
}

/// What other traces do before they enter the body of the loop of a section, if the log says so.
fn short_preamble(sections: &Arena<SectionId, Section>, section: SectionId) -> Option<(SectionId, &Trace)> {
    let attempt = sections[section].parent;
    let before = (sections.iter()).take_while(|(id, _)| *id < section);
    let (id, last) = before.filter(|(_, other)| other.parent == attempt && other.kind.is_trace()).last()?;
    let trace = last.trace.as_ref().filter(|_| last.kind == SectionKind::ShortPreamble)?;
    Some((id, trace))
}

/// The values of a body that values of the short preamble are. The body is given leaves of the values that come around, then
/// what the short preamble hands on; the short preamble is given the leaves, then objects that are not made.
fn entering(short: &Trace, body: &Trace, label: &[Arg]) -> Option<SideTable<Var, Option<Var>>> {
    let (first, last) = (short.ops.first()?, short.ops.last()?);
    if name(first) != "label" || name(last) != "jump" {
        return None;
    }
    let (given, handed_on) = (short.args(first), short.args(last));
    let leaves = label.len().checked_sub(handed_on.len()).filter(|&leaves| leaves <= given.len())?;
    let mut inside = SideTable::new();
    for (from, to) in given[..leaves].iter().chain(handed_on).zip(label) {
        match (from, to) {
            (&Arg::Var(from), &Arg::Var(to)) if short.vars[from].kind == body.vars[to].kind => {
                inside[from] = Some(to);
            }
            _ => return None,
        }
    }
    let unmade = |arg: &Arg| matches!(arg, Arg::Var(var) if short.vars[*var].kind == Kind::Ref);
    given[leaves..].iter().all(unmade).then_some(inside)
}
