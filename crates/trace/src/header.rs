//! The declarations of stand-alone traces: `#! ` lines, which are comments for PyPy's own parser.
//!
//! A log says little of its descriptors; a file with a header says all: classes and their ranges,
//! structures with typed fields, arrays, callees with their effects and the fields that they read and
//! write, constant objects with their contents. One declaration is one line, `#! WORD NAME ...`.
//!
//! ```text
//! #! class node_vtable range=0..2
//! #! struct NODE(object) vtable=node_vtable { value:i8s, next:r, inner:i1u! }
//! #! size nodesize NODE
//! #! field valuedescr NODE.value rank=19
//! #! array bytes i1u raw nolen
//! #! call reader (i)i effect=can_raise reads=valuedescr,bytes
//! ```
//!
//! Types are `i` and `s` with a size in bytes and a sign, `r`, `f8`; `!` is immutable, `?`
//! quasi-immutable.

mod apart;
mod callee;
mod declaration;
mod object;
mod references;
mod words;

use hashbrown::HashMap;
use planish_base::diag::{Diagnostic, Diagnostics, SourceText, Span};
use planish_base::spelling::closest;
use planish_ops::Type;
use planish_ops::world::{CallEffect, Mutability};
use rustc_hash::FxBuildHasher;

use crate::opcode::Kind;
use crate::vector::Stage;
use words::{Wrong, nothing_behind};

type Names<T> = HashMap<String, T, FxBuildHasher>;

/// A field or item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Slot {
    /// The type of its value.
    pub ty: Type,
    /// The bits that are stored.
    pub bits: u8,
    /// Whether a load extends the sign.
    pub signed: bool,
    /// Whether it may change.
    pub mutability: Mutability,
}

/// A structure with the fields of its parents first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Struct {
    /// What it derives from.
    pub parent: Option<String>,
    /// The constant that is the address of its class.
    pub vtable: Option<String>,
    /// The fields in order.
    pub fields: Vec<(String, Slot)>,
}

/// A field as a descriptor names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Field {
    /// The structure.
    pub owner: String,
    /// The field's name there.
    pub name: String,
    /// What it holds.
    pub slot: Slot,
    /// When a store to it is made among others that wait.
    pub rank: u32,
}

/// An array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Array {
    /// Its items; several for an array of structures.
    pub items: Vec<(String, Slot)>,
    /// Whether it is outside the heap of objects.
    pub raw: bool,
}

/// The kinds of the values that a callee takes and gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// Its arguments.
    pub args: Vec<Kind>,
    /// Its result, if it has one.
    pub result: Option<Kind>,
}

/// A callee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callee {
    /// What it takes and gives.
    pub signature: Signature,
    /// What it may do, its sets apart.
    pub effect: CallEffect,
    /// The fields and arrays that it reads; `None` is all.
    pub reads: Option<Vec<String>>,
    /// The fields and arrays that it writes; `None` is all.
    pub writes: Option<Vec<String>>,
    /// What PyPy knows of its meaning.
    pub oopspec: Option<String>,
}

/// A constant object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Object {
    /// The null reference.
    Null,
    /// The object of another name.
    Same(String),
    /// A structure with some of its fields, as they are spelled.
    Struct {
        /// The structure.
        of: String,
        /// The constant that is the address of its class.
        vtable: Option<String>,
        /// Fields by name.
        fields: Vec<(String, String)>,
        /// Whether any object of this content is meant.
        any: bool,
    },
    /// An array of zeros.
    Array {
        /// The array's descriptor.
        of: String,
        /// Its length.
        length: u64,
    },
}

/// What a header declares.
#[derive(Clone, Default, Debug)]
pub struct Header {
    /// Whether it is one of PyPy's tests (`#! trace 1`), which declare the same signature for all callees.
    pub is_of_pypys_tests: bool,
    /// What the trace is meant for: `loop`, `unroll`, `bridge` ...
    pub mode: Option<String>,
    /// The passes, divided by colons.
    pub opts: Option<String>,
    /// Whether no trace jumps to the labels of the file that is not given with it.
    pub closed: bool,
    /// The stages of vectorization that the traces are put through, instead of any passes.
    pub stages: Vec<Stage>,
    /// Classes with the range of numbers of their subclasses.
    pub classes: Names<(i64, i64)>,
    /// Structures.
    pub structs: Names<Struct>,
    /// Descriptors of allocations, with their structure.
    pub sizes: Names<String>,
    /// Descriptors of fields.
    pub fields: Names<Field>,
    /// Descriptors of arrays.
    pub arrays: Names<Array>,
    /// Descriptors of fields of items, with the place among these.
    pub interiors: Names<(usize, Slot)>,
    /// Descriptors of callees.
    pub calls: Names<Callee>,
    /// Constant objects.
    pub objects: Names<Object>,
    /// Numbers that name the layout of what a descriptor allocates.
    pub layouts: Names<String>,
    /// Other names of descriptors.
    pub aliases: Names<String>,
    /// For values of the jump at the end, by position, the objects that they once were.
    pub runtime: Vec<(usize, String)>,
    /// The same for the end of a bridge.
    pub bridge_runtime: Vec<(usize, String)>,
    /// Results of pure calls: arguments and result as they are spelled.
    pub pure_calls: Vec<(Vec<String>, String)>,
}

impl Wrong<'_> {
    /// The error in a line, at the words at fault.
    fn at_fault(self, source: &SourceText, line: Span) -> Diagnostic {
        let place = self.at.map_or(line, |at| {
            let start = at.as_ptr() as usize - source.text().as_ptr() as usize;
            Span::new(start..start + at.len())
        });
        self.note.into_iter().fold(Diagnostic::error(place, self.message), Diagnostic::note)
    }
}

impl Header {
    /// Reads declarations, in any order. Lines of other kinds are left to whoever needs them.
    pub fn read(source: &SourceText, directives: &[Span], diagnostics: &mut Diagnostics) -> Header {
        let mut header = Header::default();
        let split = |span: Span| {
            let line = source.slice(span).trim_start_matches("#!").trim();
            (span, line.split_once(char::is_whitespace).unwrap_or((line, &line[line.len()..])))
        };
        let mut in_order: Vec<_> = directives.iter().map(|&span| split(span)).collect();
        Header::one_kind_each(source, &mut in_order, diagnostics);
        // A field is one of a structure that may be declared behind it, a field of an item one of an array.
        let (inner, outer): (Vec<_>, Vec<_>) =
            in_order.into_iter().partition(|(_, (word, _))| INNER.contains(word));
        let mut lines: Vec<_> = outer.into_iter().chain(inner).collect();
        lines.retain(|&(span, (word, rest))| {
            let form = FORMS.iter().find(|(known, _)| *known == word).map(|(_, form)| *form);
            // As of `mode=unroll`, which has an option's form.
            let stem = word.split(|c: char| !c.is_alphanumeric() && c != '_').next();
            let begins = FORMS.iter().map(|(known, _)| *known).find(|known| Some(*known) == stem);
            if form.is_none()
                && let Some(near) = begins.or_else(|| closest(word, FORMS.iter().map(|(known, _)| *known)))
            {
                let warning = Diagnostic::warning(span, format!("`{word}` declares nothing"));
                diagnostics.push(warning.note(format!("did you mean `{near}`?")));
            }
            // A word that says nothing by itself.
            let declared = match rest.trim() {
                "" if form.is_some_and(|form| !form.is_empty()) => Err(nothing_behind(word)),
                rest => header.declare(word, rest),
            };
            let is_right = declared.is_ok();
            if let Err(wrong) = declared {
                let error = wrong.at_fault(source, span);
                diagnostics
                    .push(error.note(format!("it is written `#! {word} {}`", form.unwrap_or_default())));
            }
            is_right
        });
        // What a line refers to may stand behind it.
        let clashes = header.clashes();
        for (span, (word, rest)) in lines {
            let rest = rest.trim();
            if let Err(wrong) = header.refers(word, rest).and_then(|()| clashes.hold(word, rest)) {
                diagnostics.push(wrong.at_fault(source, span));
            }
        }
        header
    }

    /// Takes up what the header of another file declares of names, which mean the same in all files of a run. The error is
    /// a name that cannot mean what both say of it, and why.
    pub fn join(&mut self, other: Header) -> Result<(), (String, String)> {
        fn join<T: PartialEq>(all: &mut Names<T>, more: Names<T>) -> Result<(), (String, String)> {
            let mut different: Vec<&String> = more
                .iter()
                .filter(|(name, it)| all.get(*name).is_some_and(|known| known != *it))
                .map(|it| it.0)
                .collect();
            different.sort_unstable();
            if let Some(&name) = different.first() {
                return Err((
                    name.clone(),
                    format!("a file that is given before declares `{name}` otherwise"),
                ));
            }
            all.extend(more);
            Ok(())
        }
        if let Some((name, kind)) = self.descriptor_of_another_kind(&other) {
            let message = format!("a file that is given before declares `{name}` as `{kind}`");
            return Err((name, message));
        }
        join(&mut self.classes, other.classes)?;
        join(&mut self.structs, other.structs)?;
        join(&mut self.sizes, other.sizes)?;
        join(&mut self.fields, other.fields)?;
        join(&mut self.arrays, other.arrays)?;
        join(&mut self.interiors, other.interiors)?;
        join(&mut self.calls, other.calls)?;
        join(&mut self.objects, other.objects)?;
        join(&mut self.layouts, other.layouts)?;
        join(&mut self.aliases, other.aliases)?;
        self.pure_calls.extend(other.pure_calls);
        self.is_of_pypys_tests |= other.is_of_pypys_tests;
        Ok(())
    }

    /// Whether classes and structures can stand beside each other. The error is a name that cannot, and why. O(n log n) in
    /// these.
    pub fn apart(&self) -> Result<(), (String, String)> {
        self.clashes().first().map_or(Ok(()), Err)
    }

    /// The declared name behind other names.
    pub fn resolve<'a>(&'a self, name: &'a str) -> &'a str {
        self.aliases.get(name).map_or(name, String::as_str)
    }

    /// The first name of a constant object; nothing when it is null. `nullptr` is null in PyPy's tests,
    /// declared or not.
    pub fn object<'a>(&'a self, name: &'a str) -> Option<&'a str> {
        match self.objects.get(name) {
            Some(Object::Null) => None,
            Some(Object::Same(other)) => Some(other),
            Some(_) => Some(name),
            None => (name != "nullptr").then_some(name),
        }
    }
}

/// The words of lines that are read when all others are.
const INNER: [&str; 2] = ["field", "interior"];

/// The words that lines begin with, and what follows them. What is not read here belongs to others.
const FORMS: [(&str, &str); 24] = [
    ("trace", "1"),
    ("mode", "unroll"),
    ("opts", "intbounds:rewrite"),
    ("closed", ""),
    ("step", "vectorize()"),
    ("class", "NAME range=0..1"),
    ("struct", "NAME(PARENT) vtable=CLASS { field:i8s, other:r }"),
    ("int", "NAME typeid(DESCRIPTOR)"),
    ("size", "NAME STRUCT"),
    ("field", "NAME STRUCT.FIELD rank=0"),
    ("array", "NAME i8s"),
    ("interior", "NAME ARRAY.FIELD"),
    ("call", "NAME (i)i effect=can_raise reads=FIELD writes=FIELD"),
    ("ptr", "NAME STRUCT vtable=CLASS { field=5 }"),
    ("quasi", "NAME OBJECT.FIELD"),
    ("token", "NUMBER"),
    ("runtime", "0=OBJECT"),
    ("bridge_runtime", "0=OBJECT"),
    ("alias", "NAME OTHER"),
    ("pure", "call(1, 2)=3"),
    ("section", "NAME"),
    ("target", "Loop0"),
    ("out", "of GUARD"),
    ("resume", "[i0]"),
];

#[cfg(test)]
mod tests {
    use super::*;

    fn header(text: &str) -> (Header, Diagnostics) {
        let source = SourceText::new("t", text);
        let spans: Vec<Span> = crate::read::lines(text, 0..text.len()).collect();
        let mut diagnostics = Diagnostics::new();
        (Header::read(&source, &spans, &mut diagnostics), diagnostics)
    }

    #[test]
    fn structures_fields_and_objects_are_declared() {
        let (header, diagnostics) = header(
            "#! class node_vtable range=0..2\n\
             #! struct NODE(object) vtable=node_vtable { value:i8s, flag:i1u!, next:r? }\n\
             #! size nodesize NODE\n#! field flagdescr NODE.flag rank=19\n\
             #! array arraydescr i8s\n\
             #! ptr myptr NODE vtable=node_vtable { next=@myptr, value=5 }\n#! ptr a arraydescr[13]\n#! ptr b = myptr",
        );
        assert!(diagnostics.is_empty());
        let field = &header.fields["flagdescr"];
        assert_eq!((field.slot.bits, field.slot.signed, field.rank), (8, false, 19));
        assert_eq!(field.slot.mutability, Mutability::Immutable);
        assert_eq!(header.structs["NODE"].vtable.as_deref(), Some("node_vtable"));
        assert_eq!(header.objects["a"], Object::Array { of: "arraydescr".to_owned(), length: 13 });
        assert_eq!(header.objects["b"], Object::Same("myptr".to_owned()));
        let Object::Struct { fields, .. } = &header.objects["myptr"] else { panic!() };
        assert_eq!(fields[1], ("value".to_owned(), "5".to_owned()));
    }

    #[test]
    fn lines_may_refer_to_later_ones() {
        let (header, diagnostics) = header(
            "#! field valuedescr NODE.value rank=3\n#! interior imag complex.imag\n\
             #! ptr b = myptr\n#! ptr myptr NODE vtable=node { value=5 }\n\
             #! array complex { real:f8, imag:i4s }\n#! struct NODE(object) vtable=node { value:i2u }\n\
             #! class node range=0..0",
        );
        assert!(!diagnostics.has_errors());
        assert_eq!((header.fields["valuedescr"].slot.bits, header.fields["valuedescr"].rank), (16, 3));
        assert_eq!(header.interiors["imag"].1.bits, 32);
        assert_eq!(header.object("b"), Some("myptr"));
    }

    #[test]
    fn effects_and_sets_of_callees_are_declared() {
        let (header, diagnostics) = header(
            "#! call w (i)i effect=can_raise writes=adescr,arraydescr\n\
             #! call e (i)i effect=elidable_can_raise reads=valuedescr\n\
             #! call r (i)i effect=random_effects\n#! pure call(123, s\"abc\")=5",
        );
        assert!(diagnostics.is_empty());
        let w = &header.calls["w"];
        assert_eq!(w.reads, Some(vec![]));
        assert_eq!(w.writes, Some(vec!["adescr".to_owned(), "arraydescr".to_owned()]));
        assert!(header.calls["e"].effect.elidable && header.calls["e"].writes == Some(vec![]));
        assert_eq!((&header.calls["r"].reads, &header.calls["r"].writes), (&None, &None));
        assert_eq!(header.pure_calls[0].1, "5");
    }

    #[test]
    fn a_declaration_that_cannot_be_read_is_an_error() {
        for wrong in ["#! class c", "#! field d NODE.x", "#! array a i3s", "#! call c (i)i effect=maybe"] {
            assert!(header(wrong).1.has_errors(), "{wrong}");
        }
    }
}
