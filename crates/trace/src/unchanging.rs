//! Which fields never change, told by what stands in front of their loads.
//!
//! A log prints `pure` for fields that never change and for fields that a guard watches. PyPy's tracer tells them apart:
//! in front of the first load of a watched field of an object it records `quasiimmut_field` of that object, which every
//! optimizer needs to know what to watch. So a field that a recording loads from an object for which there is no such
//! mark is none that is watched: it never changes, and what it holds is known behind every call without a guard.
//!
//! That holds of recordings only. An optimizer drops the marks, and its traces say nothing.

use std::sync::Arc;

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use crate::pypylog::{Log, SectionKind};
use crate::text::{Arg, Text, Texts, Trace, Var};

/// The descriptors of fields.
pub(crate) type Fields = HashSet<Text, FxBuildHasher>;

/// Their names, which mean the same in all traces.
pub(crate) type Unchanging = HashSet<String, FxBuildHasher>;

/// The names of the fields that some recording of a log shows never to change. O(length).
pub(crate) fn names(log: &Log) -> Arc<Unchanging> {
    Arc::new(fields(log).iter().map(|&field| log.texts.get(field).clone()).collect())
}

/// The fields that some recording of a log shows never to change. O(length).
pub(crate) fn fields(log: &Log) -> Fields {
    let mut found = Fields::default();
    for (_, section) in log.sections.iter().filter(|(_, section)| section.kind == SectionKind::NoOpt) {
        if let Some(trace) = section.trace.as_ref().filter(|trace| is_recording(trace, &log.texts)) {
            shown(trace, &log.texts, &mut found);
        }
    }
    found
}

/// Whether a trace is what PyPy's tracer recorded: it says so in front of each.
fn is_recording(trace: &Trace, texts: &Texts) -> bool {
    trace.comments.first().is_some_and(|&line| texts.get(line).contains("Traced loop or bridge "))
}

/// Adds what one recording shows.
fn shown(trace: &Trace, texts: &Texts, found: &mut Fields) {
    let mut watched: HashSet<Var, FxBuildHasher> = HashSet::default();
    for op in &trace.ops {
        let (Some(opcode), Some(&Arg::Var(object))) = (op.opcode, trace.args(op).first()) else { continue };
        match (opcode.name(), op.descr) {
            ("quasiimmut_field", _) => {
                watched.insert(object);
            }
            (name, Some(field))
                if name.starts_with("getfield_gc_")
                    && !watched.contains(&object)
                    && texts.get(field).ends_with(" pure>") =>
            {
                found.insert(field);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use planish_base::diag::SourceText;

    use super::*;
    use crate::pypylog;

    fn of(comment: &str) -> Vec<String> {
        let text = format!(
            "[1] {{jit-log-noopt\n# {comment} with 9 ops\n[p0, p1]\n\
             quasiimmut_field(p0, descr=<QuasiImmutDescr object at 0x1>)\nguard_not_invalidated()\n\
             p2 = getfield_gc_r(p0, descr=<FieldP Function.code 24 pure>)\n\
             p3 = getfield_gc_r(p1, descr=<FieldP Cell.family 8 pure>)\n\
             p4 = getfield_gc_r(p1, descr=<FieldP Cell.value 16>)\n\
             finish(p4)\n[2] jit-log-noopt}}\n"
        );
        let (log, diagnostics) = pypylog::read(SourceText::new("t", text));
        assert_eq!(diagnostics.into_iter().count(), 0);
        let mut names: Vec<String> = fields(&log).iter().map(|&field| log.texts.get(field).clone()).collect();
        names.sort_unstable();
        names
    }

    #[test]
    fn a_field_that_is_loaded_without_a_mark_never_changes() {
        assert_eq!(of("Traced loop or bridge"), ["<FieldP Cell.family 8 pure>"]);
    }

    #[test]
    fn an_optimized_trace_shows_nothing() {
        assert_eq!(of("Loop 1 (f) : loop"), [] as [&str; 0]);
    }
}
