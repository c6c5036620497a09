//! Descriptors of a stand-alone trace, held against what its header declares.
//!
//! A descriptor that nothing declares is a location or callee of which nothing is known, so a slip of the pen costs
//! optimizations and says nothing: hence the warnings. Names in angle brackets are printed by logs, and in a file
//! without declarations every name stands for itself.

use planish_base::diag::{Diagnostic, Diagnostics, SourceText, Span};
use planish_base::spelling::closest;
use planish_ops::{Op, Type};

use crate::header::Header;
use crate::opcode::{Kind, Lift};
use crate::read::kind_of;
use crate::text::{OpData, Texts, Trace};

/// What a descriptor has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Field,
    Interior,
    Array,
    Size,
    Call,
}

impl Wanted {
    /// What an operation wants; nothing where any name will do.
    fn of(lift: Lift, name: &str) -> Option<Wanted> {
        Some(match lift {
            Lift::Access(Op::GetField | Op::SetField) | Lift::RawField(_) => Wanted::Field,
            Lift::Access(Op::GetInterior | Op::SetInterior) => Wanted::Interior,
            Lift::Access(_) | Lift::PureItem => Wanted::Array,
            Lift::Named(Op::New) => Wanted::Size,
            Lift::Named(_) => Wanted::Array,
            // What assembler is entered has a descriptor of its own kind.
            Lift::Call if !name.starts_with("call_assembler") => Wanted::Call,
            _ => return None,
        })
    }

    fn word(self) -> &'static str {
        match self {
            Wanted::Field => "field",
            Wanted::Interior => "interior",
            Wanted::Array => "array",
            Wanted::Size => "size",
            Wanted::Call => "call",
        }
    }

    fn declares(self, header: &Header, name: &str) -> bool {
        match self {
            Wanted::Field => header.fields.contains_key(name),
            Wanted::Interior => header.interiors.contains_key(name),
            Wanted::Array => header.arrays.contains_key(name),
            Wanted::Size => header.sizes.contains_key(name),
            Wanted::Call => header.calls.contains_key(name),
        }
    }

    /// The names that are declared to be this.
    fn names(self, header: &Header) -> Vec<&str> {
        let mut names: Vec<&str> = match self {
            Wanted::Field => header.fields.keys().map(String::as_str).collect(),
            Wanted::Interior => header.interiors.keys().map(String::as_str).collect(),
            Wanted::Array => header.arrays.keys().map(String::as_str).collect(),
            Wanted::Size => header.sizes.keys().map(String::as_str).collect(),
            Wanted::Call => header.calls.keys().map(String::as_str).collect(),
        };
        names.sort_unstable();
        names
    }
}

const ALL: [Wanted; 5] = [Wanted::Field, Wanted::Interior, Wanted::Array, Wanted::Size, Wanted::Call];

/// Reports what does not fit. O(operations), and O(declarations) for each complaint.
pub fn descriptors(
    trace: &Trace,
    texts: &Texts,
    header: &Header,
    source: &SourceText,
    diagnostics: &mut Diagnostics,
) {
    if ALL.iter().all(|wanted| wanted.names(header).is_empty()) {
        return;
    }
    for op in &trace.ops {
        let Some(opcode) = op.opcode else { continue };
        let Some(wanted) = Wanted::of(opcode.row().lift, opcode.name()) else { continue };
        let Some(descr) = op.descr else {
            let message = format!("`{}` names no {}: nothing is known of it", opcode.name(), wanted.word());
            diagnostics.warning(op.span, message);
            continue;
        };
        let name = header.resolve(texts.get(descr));
        if name.starts_with('<') {
            continue;
        }
        let span = place(op, texts.get(descr), source);
        if !wanted.declares(header, name) {
            diagnostics.push(undeclared(name, wanted, header, span));
        } else if let Some((held, used)) = kinds(op, trace, wanted, name, header).filter(|(a, b)| a != b) {
            let message =
                format!("`{name}` holds {}, `{}` is about {}", held.words(), opcode.name(), used.words());
            // PyPy's tests do this too, to see that nothing comes of it.
            diagnostics.warning(span, message);
        }
    }
}

/// Where the descriptor stands in the line of an operation.
fn place(op: &OpData, descr: &str, source: &SourceText) -> Span {
    let line = source.slice(op.span);
    match line.rfind(&format!("descr={descr}")) {
        Some(at) => {
            let start = op.span.start as usize + at + "descr=".len();
            Span::new(start..start + descr.len())
        }
        None => op.span,
    }
}

fn undeclared(name: &str, wanted: Wanted, header: &Header, span: Span) -> Diagnostic {
    let other = ALL.into_iter().find(|other| other.declares(header, name));
    let message = match other {
        Some(other) => format!("`{name}` is declared as `{}`, not as `{}`", other.word(), wanted.word()),
        None => format!("no `{}` declares `{name}`", wanted.word()),
    };
    let warning = Diagnostic::warning(span, message);
    match closest(name, wanted.names(header)) {
        Some(near) => warning.note(format!("did you mean `{near}`?")),
        None => warning.note("nothing is known of it"),
    }
}

/// The kind that a location is declared to hold, and that of the value which an operation reads or stores there.
fn kinds(op: &OpData, trace: &Trace, wanted: Wanted, name: &str, header: &Header) -> Option<(Kind, Kind)> {
    let ty = match wanted {
        Wanted::Field => header.fields.get(name)?.slot.ty,
        Wanted::Interior => header.interiors.get(name)?.1.ty,
        Wanted::Array => match &header.arrays.get(name)?.items[..] {
            [(_, slot)] => slot.ty,
            _ => return None,
        },
        Wanted::Size | Wanted::Call => return None,
    };
    let held = match ty {
        Type::Ref => Kind::Ref,
        Type::F64 => Kind::Float,
        _ => Kind::Int,
    };
    let used = match op.opcode?.row().lift {
        Lift::Access(Op::SetField | Op::SetItem | Op::SetInterior)
        | Lift::Named(Op::RawStore)
        | Lift::RawField(Op::RawStore) => kind_of(trace.args(op).last()?, trace)?,
        Lift::Access(Op::ArrayLen) | Lift::Named(Op::NewArray) => return None,
        _ => op.opcode?.row().result?,
    };
    Some((held, used))
}
