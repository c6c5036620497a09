//! The states of a trace for a reader, the last of them beside what PyPy made of the trace.

use std::collections::BTreeMap;
use std::mem::take;

use planish_report::{Column, Line};
use planish_trace_dialect::stats::Shape;

use super::aligned::{Names, aligned};
use super::readable::Readable;
use crate::logged::LoggedTrace;

/// What stands in front of the exit of a guard.
const LEAVES: &str = " else leave ";

/// What runs most of a text, and what runs once before.
type Parts = [Vec<Line>; 2];

/// The columns of a trace, and how many operations that run most only ours has, and only PyPy's; nothing where the log has no
/// result of PyPy's. `bridges` is what is said of exits.
pub(super) fn beside(
    columns: Vec<Column>,
    trace: &LoggedTrace,
    bridges: &BTreeMap<usize, String>,
) -> (Vec<Column>, Option<[usize; 2]>) {
    let divided = |mut column: Column| {
        let (body, before) = Readable::of(take(&mut column.lines)).divided();
        (column, [body, before])
    };
    let mut columns: Vec<(Column, Parts)> = columns.into_iter().map(divided).collect();
    let mut only = None;
    if !trace.peer.is_empty()
        && let Some((column, ours)) = columns.last_mut()
    {
        if column.title != "input" {
            column.parts.insert(0, std::mem::replace(&mut column.title, "Planish".to_owned()));
        }
        let (mut theirs, counted) = laid_beside(ours, trace);
        only = Some(counted);
        for (ours, theirs) in ours.iter_mut().flatten().zip(theirs.iter_mut().flatten()) {
            if let Some(said) = exit(&theirs.text).and_then(|exit| bridges.get(&exit)) {
                for line in [ours, theirs] {
                    line.text = line.text.replacen(LEAVES, &format!(" {said}{LEAVES}"), 1);
                }
            }
        }
        columns.push((Column { title: "PyPy".into(), ..Column::default() }, theirs));
    }
    let columns = columns.into_iter().map(|(column, parts)| Column { lines: joined(parts), ..column });
    (columns.collect(), only)
}

/// What PyPy made, with gaps where only ours has something, which gets gaps of its own; and how many operations of the part that
/// runs most only one of them has.
fn laid_beside(ours: &mut Parts, trace: &LoggedTrace) -> (Parts, [usize; 2]) {
    let lines = trace.peer.iter().map(|text| Line { text: text.clone(), ..Line::default() });
    let readable = Readable::of(lines);
    let (body, before) = match trace.shape {
        Some(Shape::Loop | Shape::Simple) => readable.without_frame_reads().divided(),
        _ => readable.divided(),
    };
    let bodies = aligned(take(&mut ours[0]), body, Names::default());
    let befores = aligned(take(&mut ours[1]), before, bodies.names());
    *ours = [bodies.ours, befores.ours];
    ([bodies.theirs, befores.theirs], [bodies.only_ours, bodies.only_theirs])
}

/// The exit by which a guard leaves.
fn exit(line: &str) -> Option<usize> {
    let (_, exit) = line.split_once(LEAVES)?;
    exit.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

fn joined([body, before]: Parts) -> Vec<Line> {
    let heading = (!before.is_empty()).then(|| Line {
        text: "Before the loop, once".into(),
        is_heading: true,
        ..Line::default()
    });
    body.into_iter().chain(heading).chain(before).collect()
}
