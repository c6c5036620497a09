//! What a log tells of a trace besides its operations: where it comes from, what it leaves, how often it ran, and what PyPy
//! made of it.

use planish_trace_dialect::executed::Executed;
use planish_trace_dialect::source_lines::SourceLine;
use planish_trace_dialect::stats::{Counts, Shape};

/// A raw trace of a log.
#[derive(Default)]
pub struct LoggedTrace {
    /// Where it begins in the program.
    pub(crate) place: String,
    /// The trace that it is a bridge of, and the guard that fails.
    pub(crate) left: Option<Left>,
    /// How often it ran, if the log has counts.
    pub(crate) executed: Option<Executed>,
    /// The recorded operations.
    pub(crate) before: Counts,
    /// What Planish made; nothing where the trace was copied.
    pub(crate) ours: Option<Made>,
    /// What PyPy made, if the log has it.
    pub(crate) theirs: Option<Made>,
    /// What PyPy made it as.
    pub(crate) shape: Option<Shape>,
    /// The lines of what PyPy made, lifted as ours is.
    pub(crate) peer: Vec<String>,
    /// Where more is left than PyPy left: what the text lacks.
    pub(crate) lacks: Vec<&'static str>,
    /// Why the loop can never go around.
    pub(crate) invalid: Option<String>,
    /// Its states, among those of the run.
    pub(crate) states: Option<usize>,
}

/// The guard that a bridge leaves from.
pub(crate) struct Left {
    /// The trace that has it.
    pub(crate) parent: usize,
    /// What it is.
    pub(crate) guard: String,
    /// The number of its exit: how many guards stand before it in what PyPy made of the parent.
    pub(crate) exit: usize,
    /// Where it stands in the program.
    pub(crate) place: String,
}

/// What an optimizer made of a trace.
pub(crate) struct Made {
    /// One pass over it without knowledge about its inputs: a first iteration.
    pub(crate) straight: Counts,
    /// Every further iteration, if it is a loop that was peeled.
    pub(crate) body: Option<Counts>,
    /// Where its operations come from.
    pub(crate) lines: Vec<SourceLine>,
    /// The part of it that is the body, or all of it: the number of labels before.
    pub(crate) last_part: usize,
}

impl LoggedTrace {
    /// How often the trace was entered at its beginning, and how often one went through it in all.
    pub(crate) fn passes(&self) -> Option<(u64, u64)> {
        let Executed { entered, around } = self.executed?;
        Some(match (self.shape, around) {
            (_, None) => (entered, entered),
            // The only label stands at the beginning.
            (Some(Shape::Simple), Some(around)) => (entered.min(around), around.max(entered)),
            (_, Some(around)) => (entered, entered.saturating_add(around)),
        })
    }

    /// How many operations of a kind were executed of what an optimizer made.
    pub(crate) fn work(&self, made: &Made, of: fn(&Counts) -> u64) -> Option<u64> {
        let (entered, all) = self.passes()?;
        Some(match made.body {
            Some(body) => {
                let first = of(&made.straight).saturating_mul(entered);
                first.saturating_add(of(&body).saturating_mul(all - entered))
            }
            None => of(&made.straight).saturating_mul(all),
        })
    }

    /// How often the operations of a part were executed.
    pub(crate) fn executions_of(&self, made: &Made, part: usize) -> Option<u64> {
        let (entered, all) = self.passes()?;
        Some(match made.body {
            Some(_) if part == made.last_part => all - entered,
            Some(_) => entered,
            None => all,
        })
    }
}

impl Made {
    /// What runs most: the body, or all of it.
    pub(crate) fn hot(&self) -> &Counts {
        self.body.as_ref().unwrap_or(&self.straight)
    }

    /// Whether a part is that.
    pub(crate) fn is_hot(&self, part: usize) -> bool {
        self.body.is_none() || part == self.last_part
    }
}
