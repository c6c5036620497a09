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

use hashbrown::HashMap;
use planish_base::diag::{Diagnostic, Diagnostics, SourceText, Span};
use planish_base::spelling::closest;
use planish_ops::Type;
use planish_ops::world::{CallEffect, Mutability};
use rustc_hash::FxBuildHasher;

use crate::vector::Stage;

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

/// A callee.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Callee {
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

impl Header {
    /// Reads declarations, in any order. Lines of other kinds are left to whoever needs them.
    pub fn read(source: &SourceText, directives: &[Span], diagnostics: &mut Diagnostics) -> Header {
        let mut header = Header::default();
        let split = |span: Span| {
            let line = source.slice(span).trim_start_matches("#!").trim();
            (span, line.split_once(char::is_whitespace).unwrap_or((line, "")))
        };
        // A field is one of a structure that may be declared behind it, a field of an item one of an array.
        let (inner, outer): (Vec<_>, Vec<_>) =
            directives.iter().map(|&span| split(span)).partition(|(_, (word, _))| INNER.contains(word));
        for (span, (word, rest)) in outer.into_iter().chain(inner) {
            let form = FORMS.iter().find(|(known, _)| *known == word).map(|(_, form)| *form);
            if form.is_none()
                && let Some(near) = closest(word, FORMS.iter().map(|(known, _)| *known))
            {
                let warning = Diagnostic::warning(span, format!("`{word}` declares nothing"));
                diagnostics.push(warning.note(format!("did you mean `{near}`?")));
            }
            if header.declare(word, rest.trim()).is_none() {
                let error = match wrong_type(word, rest) {
                    Some(ty) => {
                        let start = ty.as_ptr() as usize - source.text().as_ptr() as usize;
                        let place = Span::new(start..start + ty.len());
                        Diagnostic::error(place, format!("`{ty}` is no type of a field")).note(TYPES)
                    }
                    None => Diagnostic::error(span, format!("this declaration of `{word}` cannot be read")),
                };
                let form = form.unwrap_or_default();
                diagnostics.push(error.note(format!("it is written `#! {word} {form}`")));
            }
        }
        header
    }

    /// Takes up what the header of another file declares of names, which mean the same in all files of a run. The error is
    /// a name of which the two say different things.
    pub fn join(&mut self, other: Header) -> Result<(), String> {
        fn join<T: PartialEq>(all: &mut Names<T>, more: Names<T>) -> Result<(), String> {
            let mut different: Vec<&String> = more
                .iter()
                .filter(|(name, it)| all.get(*name).is_some_and(|known| known != *it))
                .map(|it| it.0)
                .collect();
            different.sort_unstable();
            if let Some(&name) = different.first() {
                return Err(name.clone());
            }
            all.extend(more);
            Ok(())
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
        Ok(())
    }

    /// Whether a line says something of the whole file, wherever it stands.
    pub fn is_of_file(source: &SourceText, directive: Span) -> bool {
        let line = source.slice(directive).trim_start_matches("#!").trim();
        let word = line.split(char::is_whitespace).next().unwrap_or_default();
        !OF_SECTIONS.contains(&word) && FORMS.iter().any(|(known, _)| *known == word)
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

    fn declare_struct(&mut self, name: &str, rest: &str) -> Option<()> {
        let (name, parent) = match name.split_once('(') {
            Some((name, parent)) => (name, Some(parent.trim_end_matches(')').to_owned())),
            None => (name, None),
        };
        let fields = slots(braces(rest)?)?;
        let vtable = option(rest, "vtable=").filter(|&vtable| vtable != "none").map(str::to_owned);
        self.structs.insert(name.to_owned(), Struct { parent, vtable, fields });
        Some(())
    }

    fn declare_field(&mut self, name: &str, tail: &str) -> Option<()> {
        let (owner, field) = tail.split_whitespace().next()?.split_once('.')?;
        let owner_struct = self.structs.get(owner)?;
        let slot = owner_struct.fields.iter().find(|(name, _)| name == field)?.1;
        let rank = option(tail, "rank=").and_then(|rank| rank.parse().ok()).unwrap_or(0);
        let field = Field { owner: owner.to_owned(), name: field.to_owned(), slot, rank };
        self.fields.insert(name.to_owned(), field);
        Some(())
    }

    fn declare_array(&mut self, name: &str, tail: &str) -> Option<()> {
        let mut words = tail.split_whitespace();
        let immutable = tail.split_whitespace().any(|word| word == "immutable");
        let raw = tail.split_whitespace().any(|word| word == "raw");
        let mut items = match braces(tail) {
            Some(inner) => slots(inner)?,
            None => vec![(String::new(), slot(words.next()?)?)],
        };
        if immutable {
            items.iter_mut().for_each(|(_, slot)| slot.mutability = Mutability::Immutable);
        }
        self.arrays.insert(name.to_owned(), Array { items, raw });
        Some(())
    }

    fn declare(&mut self, word: &str, rest: &str) -> Option<()> {
        let (name, tail) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let tail = tail.trim();
        match word {
            "mode" => self.mode = Some(rest.to_owned()),
            "opts" => self.opts = Some(rest.to_owned()),
            "closed" => self.closed = true,
            "step" => self.stages.push(Stage::parse(rest).ok()?),
            "class" => {
                let (low, high) = tail.strip_prefix("range=")?.split_once("..")?;
                self.classes.insert(name.to_owned(), (low.parse().ok()?, high.parse().ok()?));
            }
            "struct" => self.declare_struct(name, rest)?,
            "int" => {
                let of = tail.strip_prefix("typeid(").and_then(|of| of.strip_suffix(')'));
                self.layouts.extend(of.map(|of| (name.to_owned(), of.to_owned())));
            }
            "size" => {
                self.sizes.insert(name.to_owned(), tail.to_owned());
            }
            "field" => self.declare_field(name, tail)?,
            "array" => self.declare_array(name, tail)?,
            "interior" => {
                let (array, field) = tail.split_once('.')?;
                let items = &self.arrays.get(array)?.items;
                let place = items.iter().position(|(name, _)| name == field)?;
                self.interiors.insert(name.to_owned(), (place, items[place].1));
            }
            "call" => {
                let callee = callee(tail)?;
                self.calls.insert(name.to_owned(), callee);
            }
            "ptr" => {
                let object = object(tail)?;
                self.objects.insert(name.to_owned(), object);
            }
            "runtime" | "bridge_runtime" => {
                let values = if word == "runtime" { &mut self.runtime } else { &mut self.bridge_runtime };
                for word in rest.split_whitespace() {
                    let (position, object) = word.split_once('=')?;
                    values.push((position.parse().ok()?, object.to_owned()));
                }
            }
            "alias" => {
                self.aliases.insert(name.to_owned(), tail.to_owned());
            }
            "pure" => {
                let (args, result) = rest.strip_prefix("call(")?.rsplit_once(")=")?;
                let args = args.split(',').map(|arg| arg.trim().to_owned()).collect();
                self.pure_calls.push((args, result.trim().to_owned()));
            }
            // Further words belong to stages that look for them.
            _ => {}
        }
        Some(())
    }
}

/// What a field or an item may hold, for people.
const TYPES: &str = "types are `r` (a reference), `f8` and `s4` (floats of 8 and 4 bytes), and `i` with 1, 2, 4 or 8 bytes \
                     and `s` or `u` for the sign, as in `i8s`; `!` behind one says that it never changes, `?` that a \
                     guard watches it";

/// The first type of a declaration that is none.
fn wrong_type<'a>(word: &str, rest: &'a str) -> Option<&'a str> {
    if !matches!(word, "struct" | "array") {
        return None;
    }
    let ty = |field: &'a str| field.split_once(':').map_or("", |(_, ty)| ty.trim());
    let types: Vec<&str> = match braces(rest) {
        Some(inner) => inner.split(',').map(ty).collect(),
        None if word == "array" => rest.split_whitespace().nth(1).into_iter().collect(),
        None => Vec::new(),
    };
    types.into_iter().find(|ty| !ty.is_empty() && slot(ty).is_none())
}

/// The words of lines that are read when all others are.
const INNER: [&str; 2] = ["field", "interior"];

/// Lines that are about the section in which they stand.
const OF_SECTIONS: [&str; 4] = ["section", "target", "resume", "out"];

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
    ("target", "NAME"),
    ("out", "of GUARD"),
    ("resume", "[i0]"),
];

/// The text between the outer braces.
fn braces(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('{')?;
    rest.rsplit_once('}').map(|(inner, _)| inner.trim())
}

/// The word behind `key`.
fn option<'a>(text: &'a str, key: &str) -> Option<&'a str> {
    text.split_whitespace().find_map(|word| word.strip_prefix(key))
}

/// `name:type, name:type`
fn slots(text: &str) -> Option<Vec<(String, Slot)>> {
    let fields = text.split(',').map(str::trim).filter(|field| !field.is_empty());
    fields
        .map(|field| {
            let (name, ty) = field.split_once(':')?;
            Some((name.trim().to_owned(), slot(ty.trim())?))
        })
        .collect()
}

/// A type with its mark: `i8s`, `r!`, `f8?`.
fn slot(text: &str) -> Option<Slot> {
    let (text, mutability) = match text.as_bytes().last()? {
        b'!' => (&text[..text.len() - 1], Mutability::Immutable),
        b'?' => (&text[..text.len() - 1], Mutability::QuasiImmutable),
        _ => (text, Mutability::Mutable),
    };
    let plain = |ty, bits, signed| Some(Slot { ty, bits, signed, mutability });
    match text {
        "r" => plain(Type::Ref, 64, false),
        "f8" => plain(Type::F64, 64, false),
        // A C float travels as its bits in an integer.
        "s4" => plain(Type::I64, 32, false),
        _ => {
            let digits = text.strip_prefix('i')?;
            let (digits, signed) = match digits.as_bytes().last()? {
                b's' => (&digits[..digits.len() - 1], true),
                b'u' => (&digits[..digits.len() - 1], false),
                _ => return None,
            };
            let bytes: u8 = digits.parse().ok().filter(|bytes| matches!(bytes, 1 | 2 | 4 | 8))?;
            plain(Type::I64, bytes * 8, signed)
        }
    }
}

/// `(i)i effect=can_raise reads=a,b writes=* oopspec=O invalidates`
fn callee(text: &str) -> Option<Callee> {
    let base = CallEffect::pure();
    let (elidable, loop_invariant, raises, forces) = match option(text, "effect=")? {
        "elidable_cannot_raise" => (true, false, false, false),
        "loopinvariant" => (false, true, false, false),
        "cannot_raise" => (false, false, false, false),
        "elidable_or_memoryerror" | "elidable_can_raise" => (true, false, true, false),
        "can_raise" => (false, false, true, false),
        "forces_virtual_or_virtualizable" | "random_effects" => (false, false, true, true),
        _ => return None,
    };
    let raises_lack_of_memory = option(text, "effect=") == Some("elidable_or_memoryerror");
    let random = text.split_whitespace().any(|word| word == "effect=random_effects");
    let set = |key: &str| -> Option<Vec<String>> {
        match option(text, key) {
            _ if random => None,
            Some("*") => None,
            // Nothing may be listed.
            Some(list) => Some(list.split(',').filter(|name| !name.is_empty()).map(str::to_owned).collect()),
            None => Some(Vec::new()),
        }
    };
    let (reads, mut writes) = (set("reads="), set("writes="));
    if elidable || loop_invariant {
        writes = Some(Vec::new());
    }
    let invalidates = random || text.split_whitespace().any(|word| word == "invalidates");
    let effect = CallEffect {
        elidable,
        loop_invariant,
        raises,
        raises_lack_of_memory,
        forces_virtuals: forces,
        invalidates,
        ..base
    };
    Some(Callee { effect, reads, writes, oopspec: option(text, "oopspec=").map(str::to_owned) })
}

/// What stands behind the name of a constant object.
fn object(text: &str) -> Option<Object> {
    if text == "null" {
        return Some(Object::Null);
    }
    if let Some(other) = text.strip_prefix('=') {
        return Some(Object::Same(other.trim().to_owned()));
    }
    let (any, text) = text.strip_prefix("any ").map_or((false, text), |text| (true, text.trim_start()));
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '[' | '{'));
    let of = &text[..end.unwrap_or(text.len())];
    if let Some(inner) = text[of.len()..].strip_prefix('[') {
        let length = inner.split(']').next()?.trim().parse().ok()?;
        return Some(Object::Array { of: of.to_owned(), length });
    }
    let fields = braces(text).unwrap_or("");
    let fields = fields.split(',').map(str::trim).filter(|field| !field.is_empty());
    let fields: Option<Vec<(String, String)>> =
        fields.map(|f| f.split_once('=').map(|(n, v)| (n.trim().to_owned(), v.trim().to_owned()))).collect();
    let vtable = option(text, "vtable=").filter(|&vtable| vtable != "none").map(str::to_owned);
    Some(Object::Struct { of: of.to_owned(), vtable, fields: fields?, any })
}

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
             #! array complex { real:f8, imag:i4s }\n#! struct NODE(object) vtable=node { value:i2u }",
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
             #! call e (i)i effect=elidable_can_raise reads=valuedescr writes=other\n\
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
