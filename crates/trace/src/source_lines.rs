//! Which lines of a program the operations of a trace come from.
//!
//! PyPy's interpreter marks each bytecode that it traces by `debug_merge_point(0, 0, 'main;checksum.py:30-33~#20 FOR_ITER')`:
//! the function, its file, the line at which it begins, that of the bytecode, and the bytecode. Other interpreters write what
//! they like, which is then the place.

use crate::stats::{Class, Counts};
use crate::text::{Arg, OpData, Texts, Trace};

/// Operations of one part of a trace that come from one place of the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SourceLine {
    /// The part: how many labels stand before.
    pub part: usize,
    /// The place, for people.
    pub place: String,
    /// What is there.
    pub counts: Counts,
}

/// The operations of a trace by their places, in the order in which each part comes to them. What stands in front of the first
/// merge point has no place. O(length), but for the number of places of a part.
pub fn source_lines(trace: &Trace, texts: &Texts) -> Vec<SourceLine> {
    let mut lines: Vec<SourceLine> = Vec::new();
    let (mut part, mut begin, mut current) = (0, 0, None);
    for op in &trace.ops {
        if op.opcode.is_some_and(|opcode| opcode.name() == "label") {
            (part, begin, current) = (part + 1, lines.len(), None);
            continue;
        }
        if let Some(text) = merge_point(op, trace, texts) {
            let place = place(text);
            let known = lines[begin..].iter().position(|line| line.place == place);
            current = Some(known.map_or(lines.len(), |at| begin + at));
            if known.is_none() {
                lines.push(SourceLine { part, place, counts: Counts::default() });
            }
        }
        let class = Class::of(op, trace, texts);
        if class == Class::MergePoint || class == Class::Flow {
            continue;
        }
        let at = *current.get_or_insert_with(|| {
            lines.push(SourceLine { part, place: String::new(), counts: Counts::default() });
            lines.len() - 1
        });
        lines[at].counts.add_one(class);
    }
    lines
}

/// The place that is in force at an operation of a trace; nothing in front of the first merge point.
pub fn place_of(trace: &Trace, at: usize, texts: &Texts) -> Option<String> {
    trace.ops[..=at].iter().rev().find_map(|op| merge_point(op, trace, texts)).map(place)
}

/// The text of a merge point, if the operation is one.
fn merge_point<'a>(op: &OpData, trace: &Trace, texts: &'a Texts) -> Option<&'a str> {
    match trace.args(op) {
        [Arg::Raw(raw)] if op.opcode.is_some_and(|opcode| opcode.name() == "debug_merge_point") => {
            Some(merge_point_text(texts.get(*raw)))
        }
        _ => None,
    }
}

/// What is marked, of `0, 0, 'text'`.
pub fn merge_point_text(arguments: &str) -> &str {
    arguments.splitn(3, ", ").last().unwrap_or("").trim_matches('\'')
}

/// The place that a merge point marks: `main checksum.py:33`, or all of it, if no interpreter of Python wrote it.
pub fn place(text: &str) -> String {
    python_place(text).unwrap_or_else(|| text.to_owned())
}

fn python_place(text: &str) -> Option<String> {
    let (function, rest) = text.split_once(';')?;
    let (file, rest) = rest.rsplit_once(':')?;
    let (lines, _) = rest.split_once('~')?;
    let (first, line) = lines.split_once('-')?;
    let is_number = |text: &str| text.parse::<u32>().is_ok();
    (is_number(first) && is_number(line)).then(|| format!("{function} {file}:{line}"))
}

#[cfg(test)]
mod tests {
    use planish_base::SourceText;

    use super::*;
    use crate::executed::{Counters, Executed};
    use crate::pypylog;

    const LOG: &str = "[1] {jit-log-opt-loop
# Loop 7 (f;a.py:1-2~#0 LOAD) : loop with 9 ops
[p0, i1]
+1: p2 = getfield_gc_r(p0, descr=<FieldP S.next 8>)
+2: label(p2, i1, descr=TargetToken(70))
debug_merge_point(0, 0, 'f;a.py:1-2~#0 LOAD')
+3: i3 = int_add(i1, 1)
debug_merge_point(1, 1, 'g;b c.py:5-6~#4 CALL')
+4: i4 = int_lt(i3, 9)
+5: guard_true(i4, descr=<Guard0xff>) []
debug_merge_point(0, 0, 'f;a.py:1-2~#6 STORE')
+6: p5 = new(descr=<SizeDescr 16>)
+7: label(p2, i3, descr=TargetToken(71))
debug_merge_point(0, 0, 'StrLiteralSearch at 11/17')
+8: i6 = int_add(i3, 1)
+9: jump(p2, i6, descr=TargetToken(71))
[2] jit-log-opt-loop}
[3] {jit-log-opt-bridge
# bridge out of Guard 0xff with 1 ops
[]
+1: finish(descr=<DoneWithThisFrameDescrVoid>)
[4] jit-log-opt-bridge}
[5] {jit-backend-counts
entry 7:3
TargetToken(70):4
TargetToken(71):90
bridge 255:12
bridge x
[6] jit-backend-counts}
";

    #[test]
    fn operations_belong_to_lines_and_counts_to_traces() {
        let (log, diagnostics) = pypylog::read(SourceText::new("a.log", LOG.to_owned()));
        assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&log.source));
        let traces: Vec<&Trace> =
            log.sections.values().filter_map(|section| section.trace.as_ref()).collect();
        let lines: Vec<String> = source_lines(traces[0], &log.texts)
            .iter()
            .map(|line| format!("{} {:?} {} {}", line.part, line.place, line.counts.hard, line.counts.guards))
            .collect();
        assert_eq!(
            lines,
            [
                "0 \"\" 1 0",
                "1 \"f a.py:2\" 2 0",
                "1 \"g b c.py:6\" 2 1",
                "2 \"StrLiteralSearch at 11/17\" 1 0"
            ]
        );
        assert_eq!(place_of(traces[0], 5, &log.texts).as_deref(), Some("g b c.py:6"));
        assert_eq!(place_of(traces[0], 0, &log.texts), None);
        let counters = Counters::of(&log);
        let executed: Vec<_> = traces.iter().map(|trace| counters.executed(trace, &log.texts)).collect();
        assert_eq!(executed[0], Some(Executed { entered: 4, around: Some(90) }));
        assert_eq!(executed[1], Some(Executed { entered: 12, around: None }));
    }

    #[test]
    fn what_no_interpreter_of_python_wrote_is_its_own_place() {
        for other in ["", "f;a.py", "f;a.py:1~#0 X", "f;a.py:1-~#0 X", "f;a.py:-1-2~#0 X", "no place"] {
            assert_eq!(place(other), other);
        }
        assert_eq!(place("<module>;C;odd:3.py:1-20~#0 X"), "<module> C;odd:3.py:20");
    }
}
