//! Traces that are written as they were read: some operation of theirs leaves always, or can never be done.
//!
//! What an optimizer would make of such a trace is a guard that always fails. PyPy throws the loop away and goes on
//! interpreting; a file keeps the trace, since others may jump to it and its author has to see it.

use planish_base::{Diagnostic, SourceText};
use planish_ir::{Function, Inst, Location};
use planish_ops::Effect;
use planish_trace_dialect::read::Section;
use planish_trace_dialect::text::Trace;

/// An operation that control never comes past.
pub(super) struct LeavesAlways {
    location: Location,
    is_guard: bool,
    /// Whether that is so behind the first iteration of the loop, but not in it.
    later: bool,
}

impl LeavesAlways {
    /// Such an operation of a function that was made of another one.
    pub fn new(function: &Function, inst: Inst, original: &Function) -> Self {
        let later = function.blocks().len() > original.blocks().len()
            && function.blocks().last().is_some_and(|&body| function.block_insts(body).contains(&inst));
        let is_guard = function.row(inst).effect == Effect::Guard;
        LeavesAlways { location: function.inst(inst).location, is_guard, later }
    }

    /// What is said of the trace, at the line of the operation. To PyPy it is an error.
    pub fn said(&self, trace: &Trace, pypy: bool) -> Diagnostic {
        let number = self.location.0 as usize;
        let place = number.checked_sub(1).and_then(|index| trace.ops.get(index));
        let span = place.map_or(trace.begins, |op| op.span);
        let what = if self.is_guard { "this guard can never pass" } else { "this can never be done" };
        let when = if self.later { " behind the first iteration" } else { "" };
        match pypy {
            true => Diagnostic::error(span, format!("invalid loop: {what}{when}"))
                .note("PyPy gives the trace up; it is copied as it was"),
            false => Diagnostic::warning(span, format!("{what}{when}, so the trace is copied as it was")),
        }
    }
}

/// Writes the lines of a section as they stand in its file, but for declarations, which stand before.
pub(super) fn copy(section: &Section, source: &SourceText, out: &mut String) {
    let text = source.slice(section.span);
    let lines = text.trim_ascii().split('\n').filter(|line| !line.starts_with("#!"));
    // The last line ends like the others, and they as in the file.
    let end = if text.contains("\r\n") { "\r\n" } else { "\n" };
    for line in lines {
        out.push_str(line.trim_end());
        out.push_str(end);
    }
}
