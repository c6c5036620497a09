//! Lines that say something of the traces of their file, held against these: `runtime`, `bridge_runtime`, `target` and `pure`.

use hashbrown::HashMap;
use planish_base::diag::{Diagnostic, Diagnostics, SourceText, Span};
use rustc_hash::FxBuildHasher;

use super::calls::ahead;
use crate::header::Header;
use crate::opcode::{Kind, Lift};
use crate::read::kind_of;
use crate::text::{Arg, OpData, Texts, Trace};

/// A trace of a file.
#[derive(Clone, Copy)]
pub struct Declared<'a> {
    /// The trace.
    pub trace: &'a Trace,
    /// Its lines.
    pub span: Span,
    /// Whether it is the bridge of its file.
    pub is_bridge: bool,
    /// Whether an optimizer made it: what its jump hands over need not be what the one of the recording did.
    pub is_result: bool,
}

/// Holds the lines of a file against its traces. O(lines + operations).
pub fn declared(
    lines: &[Span],
    traces: &[Declared<'_>],
    header: &Header,
    (texts, source): (&Texts, &SourceText),
    diagnostics: &mut Diagnostics,
) {
    let mut calls = None;
    for &line in lines {
        let text = source.slice(line).trim_start_matches("#!").trim();
        let Some((word, rest)) = text.split_once(char::is_whitespace) else { continue };
        let found = match word {
            "runtime" => runtime(rest, traces.iter().filter(|it| !it.is_bridge)),
            "bridge_runtime" => runtime(rest, traces.iter().filter(|it| it.is_bridge)),
            "target" => target(rest.trim(), line, traces),
            "pure" => {
                let calls = calls.get_or_insert_with(|| of_functions(traces, texts));
                result(rest, calls, header, source)
            }
            _ => None,
        };
        if let Some(Wrong { at, message, note }) = found {
            let start = at.as_ptr() as usize - source.text().as_ptr() as usize;
            let error = Diagnostic::error(Span::new(start..start + at.len()), message);
            diagnostics.push(note.into_iter().fold(error, Diagnostic::note));
        }
    }
}

struct Wrong<'a> {
    at: &'a str,
    message: String,
    note: Option<String>,
}

/// What values at the end were is said of values that are there, and of references.
fn runtime<'a, 't>(rest: &'a str, traces: impl Iterator<Item = &'t Declared<'t>>) -> Option<Wrong<'a>> {
    // With a label or a token a jump may hand over less, as it does once the trace is optimized.
    let has_label = |trace: &Trace| trace.ops.iter().any(|op| is(op, Lift::Label));
    let ends: Vec<Option<Vec<Option<Kind>>>> = traces
        .map(|&Declared { trace, is_result, .. }| {
            let jump = trace.ops.last().filter(|op| is(op, Lift::Jump));
            if is_result || has_label(trace) || jump.is_some_and(|op| op.descr.is_some()) {
                return None;
            }
            let args = jump.map_or(&[][..], |op| trace.args(op));
            Some(args.iter().map(|arg| kind_of(arg, trace)).collect())
        })
        .collect();
    // Of some it cannot be told.
    let ends: Vec<Vec<Option<Kind>>> = ends.into_iter().collect::<Option<_>>()?;
    let most = ends.iter().map(Vec::len).max().unwrap_or(0);
    rest.split_whitespace().find_map(|at| {
        let position: usize = at.split_once('=')?.0.parse().ok()?;
        let wrong = |message| Some(Wrong { at, message, note: None });
        if position >= most {
            let handed = match most {
                0 => "no jump hands over a value".to_owned(),
                1 => "the jump at the end hands over one, the value at 0".to_owned(),
                most => format!("the jump at the end hands over {most}, the last of them at {}", most - 1),
            };
            return wrong(format!("there is no value at {position}: {handed}"));
        }
        let is_object = |end: &Vec<Option<Kind>>| {
            end.get(position).is_some_and(|kind| kind.is_none_or(|kind| kind == Kind::Ref))
        };
        match ends.iter().any(is_object) {
            true => None,
            false => wrong(format!("the value at {position} is a number, which is no object")),
        }
    })
}

/// A bridge went to a loop that there is.
fn target<'a>(rest: &'a str, line: Span, traces: &[Declared<'_>]) -> Option<Wrong<'a>> {
    let is_in = |it: &Declared<'_>| it.span.start <= line.start && line.end <= it.span.end;
    if !traces.iter().any(|it| it.is_bridge && is_in(it)) {
        let message = format!("no bridge goes to `{rest}`: this line stands in none");
        let note = Some("it belongs to the section `bridge`".to_owned());
        return Some(Wrong { at: rest, message, note });
    }
    let number: usize = rest.strip_prefix("Loop")?.parse().ok()?;
    let loops = traces.iter().filter(|it| !it.is_bridge).count();
    if number < loops {
        return None;
    }
    let note = match loops {
        0 => "the file has no loop".to_owned(),
        1 => "the file has one loop, `Loop0`".to_owned(),
        loops => format!("the file has {loops} loops, the last of them is `Loop{}`", loops - 1),
    };
    Some(Wrong { at: rest, message: format!("there is no loop `{rest}`"), note: Some(note) })
}

/// A call of a function at a constant address, and the kind of its result.
type Called = (Kind, Span);

/// Of each function that is called at a constant address the first call with a result, by the address as a header spells it.
fn of_functions(traces: &[Declared<'_>], texts: &Texts) -> HashMap<String, Called, FxBuildHasher> {
    let mut calls = HashMap::default();
    for Declared { trace, .. } in traces {
        for op in &trace.ops {
            let Some(opcode) = op.opcode.filter(|opcode| opcode.row().lift == Lift::Call) else { continue };
            let function = trace.args(op).get(ahead(opcode) - 1);
            let (Some(function), Some(kind)) =
                (function.and_then(|arg| spelled(arg, texts)), opcode.row().result)
            else {
                continue;
            };
            calls.entry(function).or_insert((kind, op.span));
        }
    }
    calls
}

/// The address of a function as a header spells it.
fn spelled(arg: &Arg, texts: &Texts) -> Option<String> {
    match arg {
        Arg::Int(number) => Some(number.to_string()),
        Arg::Class(name) | Arg::Ptr(name) | Arg::Named(name) => Some(format!("@{}", texts.get(*name))),
        _ => None,
    }
}

/// A known result is of the kind that calls of the function give.
fn result<'a>(
    rest: &'a str,
    calls: &HashMap<String, Called, FxBuildHasher>,
    header: &Header,
    source: &SourceText,
) -> Option<Wrong<'a>> {
    let (args, result) = rest.trim().strip_prefix("call(")?.rsplit_once(")=")?;
    let &(wanted, span) = calls.get(args.split(',').next()?.trim())?;
    let result = result.trim();
    if kind_of_constant(result, header).is_none_or(|given| given == wanted) {
        return None;
    }
    let gives = wanted.words();
    let (line, _) = source.position(span.start);
    let note = format!("{}:{line}: {}", source.name(), source.slice(span).trim());
    let message = format!("the result `{result}` is of another kind: a call of this function gives {gives}");
    Some(Wrong { at: result, message, note: Some(note) })
}

/// The kind of a constant as a header spells it, as far as it can be told.
fn kind_of_constant(text: &str, header: &Header) -> Option<Kind> {
    if let Some(name) = text.strip_prefix('@') {
        let is_number = header.classes.contains_key(name) || header.layouts.contains_key(name);
        let is_object = header.objects.contains_key(name) || name == "nullptr";
        return if is_object { Some(Kind::Ref) } else { is_number.then_some(Kind::Int) };
    }
    Some(match text {
        "NULL" => Kind::Ref,
        _ if text.contains('"') => Kind::Ref,
        _ if text.parse::<i64>().is_ok() => Kind::Int,
        _ => Kind::Float,
    })
}

fn is(op: &OpData, lift: Lift) -> bool {
    op.opcode.is_some_and(|opcode| opcode.row().lift == lift)
}
