//! Descriptors of traces, held against what a header declares, and against the form in which PyPy prints them.
//!
//! What is of another kind than an operation is about is an error. A descriptor that nothing declares is a location or
//! callee of which nothing is known, so a slip of the pen costs optimizations and says nothing: hence the warnings. In a
//! file without declarations every name stands for itself.

mod calls;
mod declared;

use planish_base::diag::{Diagnostic, Diagnostics, SourceText, Span};
use planish_base::spelling::closest;
use planish_ops::{Op, Type};

use crate::header::Header;
use crate::opcode::{Kind, Lift, Opcode};
use crate::read::kind_of;
use crate::text::{OpData, Texts, Trace};

pub use declared::{Declared, declared};

/// What a descriptor has to be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wanted {
    Field,
    Interior,
    Array,
    Size,
    Call,
    /// Where control goes: a loop, a label, what a guard leaves to. No header declares those.
    Place,
}

impl Wanted {
    /// What an operation wants; nothing where any name will do.
    fn of(opcode: Opcode) -> Option<Wanted> {
        let name = opcode.name();
        Some(match opcode.row().lift {
            Lift::Access(Op::GetField | Op::SetField) | Lift::RawField(_) => Wanted::Field,
            Lift::Marker if name == "quasiimmut_field" => Wanted::Field,
            Lift::Access(Op::GetInterior | Op::SetInterior) => Wanted::Interior,
            Lift::Outside => Wanted::Interior,
            Lift::Access(_) | Lift::PureItem => Wanted::Array,
            Lift::Reads | Lift::Opaque if name.starts_with("vec_") || name == "zero_array" => Wanted::Array,
            Lift::Named(Op::New) => Wanted::Size,
            Lift::Named(_) => Wanted::Array,
            // What assembler is entered has a descriptor of its own kind.
            Lift::Call if name.starts_with("call_assembler") => Wanted::Place,
            Lift::Call => Wanted::Call,
            Lift::Marker if name == "record_known_result" => Wanted::Call,
            Lift::Label | Lift::Jump => Wanted::Place,
            Lift::Guard(_) | Lift::OtherGuard | Lift::OverflowGuard(_) => Wanted::Place,
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
            Wanted::Place => "place",
        }
    }

    /// What PyPy prints a descriptor of this form for.
    fn printed(name: &str) -> Option<Wanted> {
        [
            ("<Field", Wanted::Field),
            ("<InteriorField", Wanted::Interior),
            ("<Array", Wanted::Array),
            ("<SizeDescr", Wanted::Size),
            ("<Call", Wanted::Call),
        ]
        .into_iter()
        .find_map(|(begin, kind)| name.starts_with(begin).then_some(kind))
    }

    fn declares(self, header: &Header, name: &str) -> bool {
        match self {
            Wanted::Field => header.fields.contains_key(name),
            Wanted::Interior => header.interiors.contains_key(name),
            Wanted::Array => header.arrays.contains_key(name),
            Wanted::Size => header.sizes.contains_key(name),
            Wanted::Call => header.calls.contains_key(name),
            Wanted::Place => false,
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
            Wanted::Place => Vec::new(),
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
    let all_declared = ALL.iter().any(|wanted| !wanted.names(header).is_empty());
    let steps = |op: &OpData| op.resume.map_or(&[][..], |resume| &trace.resumes[resume].steps);
    for op in trace.ops.iter().flat_map(|op| std::iter::once(op).chain(steps(op))) {
        let Some(opcode) = op.opcode else { continue };
        let Some(wanted) = Wanted::of(opcode) else { continue };
        let Some(descr) = op.descr else {
            if all_declared && needs_one(opcode, wanted) {
                let message =
                    format!("`{}` names no {}: nothing is known of it", opcode.name(), wanted.word());
                diagnostics.warning(op.span, message);
            }
            continue;
        };
        let name = header.resolve(texts.get(descr));
        if wanted.declares(header, name) {
            if let Some((held, used)) = kinds(op, trace, wanted, name, header).filter(|(a, b)| a != b) {
                let message =
                    format!("`{name}` holds {}, `{}` is about {}", held.words(), opcode.name(), used.words());
                // PyPy's tests do this too, to see that nothing comes of it.
                diagnostics.warning(place(op, texts.get(descr), source), message);
            }
            if let Some(misfit) = calls::misfit(op, opcode, trace, name, header) {
                diagnostics.error(place(op, texts.get(descr), source), misfit);
            }
            continue;
        }
        let declared = ALL.into_iter().find(|other| other.declares(header, name));
        if let Some(other) = declared.or_else(|| Wanted::printed(name)).filter(|other| *other != wanted) {
            let span = place(op, texts.get(descr), source);
            diagnostics.push(of_other_kind(name, (wanted, other), opcode, header, span));
        } else if all_declared && wanted != Wanted::Place && !name.starts_with('<') {
            diagnostics.push(undeclared(name, wanted, header, place(op, texts.get(descr), source)));
        }
    }
}

/// Whether an operation is of little use without a descriptor.
fn needs_one(opcode: Opcode, wanted: Wanted) -> bool {
    wanted != Wanted::Place && !matches!(opcode.row().lift, Lift::Marker | Lift::Reads | Lift::Opaque)
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

/// What is said of a descriptor of one kind where one of another is wanted.
fn of_other_kind(
    name: &str,
    (wanted, other): (Wanted, Wanted),
    opcode: Opcode,
    header: &Header,
    span: Span,
) -> Diagnostic {
    let (is, other) = (if name.starts_with('<') { "printed for" } else { "declared as" }, other.word());
    let message = match wanted {
        Wanted::Place => format!("`{name}` is {is} `{other}`, which is no place to go to"),
        _ => format!("`{name}` is {is} `{other}`, `{}` is about `{}`", opcode.name(), wanted.word()),
    };
    let error = Diagnostic::error(span, message);
    match closest(name, wanted.names(header)) {
        Some(near) => error.note(format!("did you mean `{near}`?")),
        None => error,
    }
}

fn undeclared(name: &str, wanted: Wanted, header: &Header, span: Span) -> Diagnostic {
    let warning = Diagnostic::warning(span, format!("no `{}` declares `{name}`", wanted.word()));
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
        Wanted::Size | Wanted::Call | Wanted::Place => return None,
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
