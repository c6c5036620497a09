//! Where in a program it shows that an enum stays an object.

use planish_classfile::mutf8::Shown;
use planish_jvm_analysis::lookups::source;
use planish_jvm_ir::code::body;
use planish_jvm_ir::lower::lines;
use planish_jvm_model::program::{Class, Field, Method, Program};

/// A place in a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Place {
    Class(Class),
    Field(Field),
    /// A method, and the line in its source where that is known.
    Method(Method, Option<u16>),
}

impl Place {
    /// That of an instruction, which counts those that are reached from 0.
    pub fn of(program: &Program<'_>, method: Method, at: usize) -> Place {
        let table = body(program, method).as_ref().map(lines).unwrap_or_default();
        Place::Method(method, table.get(at + 1).copied().flatten())
    }

    /// As people write it: `a.B.next (B.java:12)`.
    pub fn show(self, program: &Program<'_>) -> String {
        let (class, member, line) = match self {
            Place::Class(class) => (class, None, None),
            Place::Field(field) => (program.fields[field].class, Some(program.fields[field].selector), None),
            Place::Method(method, line) => {
                (program.methods[method].class, Some(program.methods[method].selector), line)
            }
        };
        let mut text = program.show_class(class);
        if let Some(selector) = member {
            text += &format!(".{}", Shown(program.member_name(selector)));
        }
        match (source(program, class), line) {
            (Some(file), Some(line)) => text += &format!(" ({file}:{line})"),
            (None, Some(line)) => text += &format!(" (line {line})"),
            _ => {}
        }
        text
    }
}
