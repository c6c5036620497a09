//! How often the traces of a log ran, as PyPy counted at the end: `PYPYLOG=jit-backend-counts`.
//!
//! A line for each place that counts: `entry 3:12` for the beginning of loop 3, `TargetToken(140…):1958` for a label,
//! `bridge 140…:567` for a bridge, by the address of the guard that it leaves, in decimals where comments have hexadecimals.

use std::collections::BTreeMap;

use crate::parent::guard_left;
use crate::pypylog::{Log, SectionKind};
use crate::text::{OpData, Texts, Trace};

/// The section with the counts.
const SECTION: &str = "jit-backend-counts";

/// What was counted, by what counts.
#[derive(Clone, Debug, Default)]
pub struct Counters<'a> {
    counts: BTreeMap<&'a str, u64>,
}

/// How often an optimized trace of PyPy's ran.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Executed {
    /// How often it was entered: how often its preamble ran, or the whole of what is no loop.
    pub entered: u64,
    /// How often its body ran, if it is a loop.
    pub around: Option<u64>,
}

impl<'a> Counters<'a> {
    /// The counts of a log; of several sections, which a forked process writes, the last one's. Lines that are no counts say
    /// nothing. O(length of the sections).
    pub fn of(log: &'a Log) -> Self {
        let mut counts = BTreeMap::new();
        let is_counts = |section: &&crate::pypylog::Section| {
            section.kind == SectionKind::Other && log.source.slice(section.name) == SECTION
        };
        for section in log.sections.values().filter(is_counts) {
            for line in log.source.text()[section.content.clone()].lines() {
                if let Some((place, Ok(count))) = line.rsplit_once(':').map(|(a, b)| (a, b.trim().parse())) {
                    counts.insert(place.trim(), count);
                }
            }
        }
        Counters { counts }
    }

    /// Whether the log has none.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// How often an optimized trace ran; nothing if nobody counted.
    pub fn executed(&self, optimized: &Trace, texts: &Texts) -> Option<Executed> {
        let labels: Vec<u64> = optimized.ops.iter().filter_map(|op| self.label(op, texts)).collect();
        let beginning = self.beginning(optimized, texts);
        match labels[..] {
            [] => Some(Executed { entered: beginning?, around: None }),
            [only] => Some(Executed { entered: beginning.unwrap_or(0), around: Some(only) }),
            [first, .., last] => Some(Executed { entered: first, around: Some(last) }),
        }
    }

    /// How often a label was passed, if the operation is one.
    fn label(&self, op: &OpData, texts: &Texts) -> Option<u64> {
        let token = op.descr.filter(|_| op.opcode.is_some_and(|opcode| opcode.name() == "label"))?;
        self.counts.get(texts.get(token).as_str()).copied()
    }

    /// How often a trace was entered at its beginning, by what its comment calls it.
    fn beginning(&self, optimized: &Trace, texts: &Texts) -> Option<u64> {
        let place = match guard_left(optimized, texts) {
            Some(guard) => {
                let address = guard.strip_prefix("<Guard0x")?.strip_suffix('>')?;
                format!("bridge {}", u64::from_str_radix(address, 16).ok()?)
            }
            None => {
                let comment = texts.get(*optimized.comments.first()?);
                format!("entry {}", comment.strip_prefix("# Loop ")?.split(' ').next()?)
            }
        };
        self.counts.get(place.as_str()).copied()
    }
}
