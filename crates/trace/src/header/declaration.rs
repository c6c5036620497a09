//! Parsing of one declaration, `#! WORD NAME ...`: what is wrong in it is said of the words that are at fault.

use planish_ops::Type;
use planish_ops::world::Mutability;

use super::callee::callee;
use super::object::object;
use super::words::{
    Options, Parsed, Wrong, braces, first, lacks, missing_item, misspelt, nothing, number, only, wrong,
};
use super::{Array, Field, Header, Names, Slot, Struct};
use crate::declare;
use crate::vector::Stage;

/// What a field or an item may hold, for people.
const TYPES: &str = "types are `r` (a reference), `f8` and `s4` (floats of 8 and 4 bytes), and `i` with 1, 2, 4 or 8 bytes \
                     and `s` or `u` for the sign, as in `i8s`; `!` behind one says that it never changes, `?` that a \
                     guard watches it";

/// What a trace is meant for: the words that files of PyPy's tests have.
const MODES: [&str; 12] = [
    "loop",
    "unroll",
    "raises",
    "bridge",
    "vec",
    "vec-structural",
    "schedule",
    "guard-strengthen",
    "virtualstate-guards",
    "virtualstate-noguards",
    "virtualstate-invalid",
    "preamble-state",
];

/// The passes that PyPy's tests name, and what they may be called here besides.
const PASSES: [&str; 10] =
    ["intbounds", "rewrite", "virtualize", "string", "pure", "earlyforce", "heap", "unroll", "peel", "dead"];

/// Takes a declaration up under a name; it may be repeated as it is.
fn put<'a, T: PartialEq>(names: &mut Names<T>, word: &str, name: &'a str, it: T) -> Parsed<'a> {
    if name.is_empty() {
        return Err(lacks(word, "name"));
    }
    match names.get(name) {
        Some(known) if *known != it => wrong(name, format!("`{name}` is declared otherwise already")),
        _ => {
            names.insert(name.to_owned(), it);
            Ok(())
        }
    }
}

/// Takes up what a whole file says of itself.
fn set<'a>(place: &mut Option<String>, text: &'a str) -> Parsed<'a> {
    match place {
        Some(known) if known != text => {
            wrong(text, format!("`{known}` is said already, and this is another"))
        }
        _ => {
            *place = Some(text.to_owned());
            Ok(())
        }
    }
}

impl Header {
    /// Takes up a declaration. Words of no declaration belong to stages that look for them.
    pub(super) fn declare<'a>(&mut self, word: &str, rest: &'a str) -> Parsed<'a> {
        let (name, tail) = first(rest);
        match word {
            "trace" if rest != "1" => wrong(rest, format!("there is no form `{rest}` of traces")),
            "trace" => {
                self.is_of_pypys_tests = true;
                Ok(())
            }
            "mode" | "opts" | "closed" | "step" => self.declare_file(word, rest),
            "class" => self.declare_class(name, tail),
            "struct" => self.declare_struct(rest),
            "int" => {
                let of = tail.strip_prefix("typeid(").and_then(|of| of.strip_suffix(')'));
                match of {
                    Some(of) => put(&mut self.layouts, word, name, of.trim().to_owned()),
                    None => {
                        wrong(if tail.is_empty() { rest } else { tail }, format!("`{tail}` is no layout"))
                    }
                }
            }
            "size" => put(&mut self.sizes, word, name, only(word, "structure", tail)?.to_owned()),
            "field" => self.declare_field(name, tail),
            "array" => self.declare_array(name, tail),
            "interior" => self.declare_interior(name, tail),
            "call" => put(&mut self.calls, word, name, callee(tail)?),
            "ptr" => put(&mut self.objects, word, name, object(tail)?),
            "runtime" | "bridge_runtime" => self.declare_runtime(word, rest),
            "alias" => put(&mut self.aliases, word, name, only(word, "descriptor", tail)?.to_owned()),
            "quasi" => member(word, tail).and_then(|(place, ..)| nothing(tail[place.len()..].trim())),
            "token" => only(word, "number", rest).map(drop),
            "pure" => self.declare_pure(rest),
            "target" => target(rest),
            _ => Ok(()),
        }
    }

    /// What a name of a descriptor is declared as.
    pub(super) fn kind_of_descriptor(&self, name: &str) -> Option<&'static str> {
        let kinds = [
            self.sizes.contains_key(name),
            self.fields.contains_key(name),
            self.arrays.contains_key(name),
            self.interiors.contains_key(name),
            self.calls.contains_key(name),
            self.aliases.contains_key(name),
        ];
        DESCRIPTORS.into_iter().zip(kinds).find_map(|(kind, is)| is.then_some(kind))
    }

    /// What is said of the whole file.
    fn declare_file<'a>(&mut self, word: &str, rest: &'a str) -> Parsed<'a> {
        match word {
            "mode" if !MODES.contains(&rest) => misspelt(rest, format!("there is no mode `{rest}`"), MODES),
            "mode" => set(&mut self.mode, rest),
            "opts" => {
                let mut passes = rest.split(':').map(str::trim);
                match passes.find(|pass| !PASSES.contains(pass)) {
                    Some("") => wrong(missing_item(rest, ':'), "a pass is missing".to_owned()),
                    Some(pass) => misspelt(pass, format!("there is no pass `{pass}`"), PASSES),
                    None => set(&mut self.opts, rest),
                }
            }
            "closed" => {
                self.closed = true;
                nothing(rest)
            }
            _ => match Stage::parse(rest) {
                Ok(stage) => {
                    self.stages.push(stage);
                    Ok(())
                }
                Err(unknown) => wrong(rest, unknown.to_string()),
            },
        }
    }

    fn declare_class<'a>(&mut self, name: &'a str, tail: &'a str) -> Parsed<'a> {
        let options = Options::read("a class", tail, &["range"], &[])?;
        let range = options.wanted("class", "range")?;
        let Some((low, high)) = range.split_once("..") else {
            return wrong(range, format!("`{range}` is no range"));
        };
        let (low, high): (i64, i64) = (number(low)?, number(high)?);
        if low > high {
            return wrong(range, format!("no number is in the range `{range}`"));
        }
        if low < 0 {
            return wrong(range, format!("the range `{range}` begins below 0"));
        }
        put(&mut self.classes, "class", name, (low, high))
    }

    fn declare_struct<'a>(&mut self, rest: &'a str) -> Parsed<'a> {
        let (inner, head) = braces("a structure", rest)?;
        let (name, tail) = first(head);
        let (name, parent) = match name.split_once('(') {
            Some((name, parent)) => match parent.strip_suffix(')') {
                Some(parent) if parent.contains(['(', ')']) => {
                    return wrong(parent, format!("`{parent}` is no name of a structure"));
                }
                Some(parent) => (name, Some(parent.to_owned())),
                None => return wrong(parent, format!("behind `{parent}` a `)` is missing")),
            },
            None => (name, None),
        };
        let options = Options::read("a structure", tail, &["vtable"], &[])?;
        let fields = slots(inner.ok_or_else(|| lacks("struct", "fields in braces"))?)?;
        let vtable = options.get("vtable").filter(|&vtable| vtable != "none").map(str::to_owned);
        put(&mut self.structs, "struct", name, Struct { parent, vtable, fields })
    }

    fn declare_field<'a>(&mut self, name: &'a str, tail: &'a str) -> Parsed<'a> {
        let (place, owner, field) = member("field", tail)?;
        let Some(of) = self.structs.get(owner) else {
            let structs = self.structs.keys().map(String::as_str);
            return misspelt(owner, format!("no structure `{owner}` is declared"), structs);
        };
        let Some((_, slot)) = of.fields.iter().find(|(name, _)| name == field) else {
            return wrong(place, format!("the structure `{owner}` has no field `{field}`"));
        };
        let options = Options::read("a field", tail[place.len()..].trim(), &["rank"], &[])?;
        let rank = options.get("rank").map_or(Ok(0), number)?;
        let field = Field { owner: owner.to_owned(), name: field.to_owned(), slot: *slot, rank };
        put(&mut self.fields, "field", name, field)
    }

    fn declare_array<'a>(&mut self, name: &'a str, tail: &'a str) -> Parsed<'a> {
        let (inner, head) = braces("an array", tail)?;
        let (mut items, marks) = match inner {
            Some(inner) => (slots(inner)?, head),
            None => {
                let (ty, marks) = first(head);
                if ty.is_empty() {
                    return Err(lacks("array", "type"));
                }
                if let Some(mark) = ty.find(['!', '?']) {
                    let message = format!("`{}` is a mark of fields, and items have none", &ty[mark..]);
                    let note = Some("`immutable` behind the type says that no item ever changes".to_owned());
                    return Err(Wrong { at: Some(&ty[mark..]), message, note });
                }
                (vec![(String::new(), slot(ty)?)], marks)
            }
        };
        let marks = Options::read("an array", marks, &[], &["raw", "nolen", "immutable"])?;
        if marks.has("immutable") {
            items.iter_mut().for_each(|(_, slot)| slot.mutability = Mutability::Immutable);
        }
        put(&mut self.arrays, "array", name, Array { items, raw: marks.has("raw") })
    }

    fn declare_interior<'a>(&mut self, name: &'a str, tail: &'a str) -> Parsed<'a> {
        let (place, array, field) = member("interior", tail)?;
        let Some(of) = self.arrays.get(array) else {
            let arrays = self.arrays.keys().map(String::as_str);
            return misspelt(array, format!("no array `{array}` is declared"), arrays);
        };
        let Some(position) = of.items.iter().position(|(name, _)| name == field) else {
            return wrong(place, format!("items of the array `{array}` have no field `{field}`"));
        };
        nothing(tail[place.len()..].trim())?;
        let slot = of.items[position].1;
        put(&mut self.interiors, "interior", name, (position, slot))
    }

    /// What values at the end once were, by their position.
    fn declare_runtime<'a>(&mut self, word: &str, rest: &'a str) -> Parsed<'a> {
        let values = if word == "runtime" { &mut self.runtime } else { &mut self.bridge_runtime };
        for word in rest.split_whitespace() {
            let Some((position, object)) = word.split_once('=') else {
                return wrong(word, format!("`{word}` gives no position an object"));
            };
            let position = usize::from(number::<u16>(position)?);
            if values.iter().any(|(known, _)| *known == position) {
                return wrong(word, format!("the value at {position} is said twice"));
            }
            values.push((position, object.to_owned()));
        }
        Ok(())
    }

    fn declare_pure<'a>(&mut self, rest: &'a str) -> Parsed<'a> {
        let call = rest.strip_prefix("call(").and_then(|call| call.rsplit_once(")="));
        let Some((args, result)) = call else {
            return wrong(rest, format!("`{rest}` is no call with a result"));
        };
        let words = args.split(',').map(str::trim).chain([result.trim()]);
        if let Some(word) = words.into_iter().find(|word| !declare::is_content(word)) {
            return wrong(if word.is_empty() { rest } else { word }, format!("`{word}` is no constant"));
        }
        let args: Vec<String> = args.split(',').map(|arg| arg.trim().to_owned()).collect();
        let result = result.trim();
        if self.pure_calls.iter().any(|(known, other)| *known == args && other != result) {
            return wrong(rest, "another result of this call is declared already".to_owned());
        }
        self.pure_calls.push((args, result.to_owned()));
        Ok(())
    }
}

/// Where a bridge went: the body of a loop by its number, the beginning of the first, or nowhere.
fn target(rest: &str) -> Parsed<'_> {
    let is_loop = |rest: &str| rest.strip_prefix("Loop").is_some_and(|number| number.parse::<u32>().is_ok());
    match rest {
        "Preamble" | "RETRACE" => Ok(()),
        rest if is_loop(rest) => Ok(()),
        rest => misspelt(rest, format!("no bridge goes to `{rest}`"), ["Loop0", "Preamble", "RETRACE"]),
    }
}

/// The words that declare descriptors, which have names of one kind.
pub(super) const DESCRIPTORS: [&str; 6] = ["size", "field", "array", "interior", "call", "alias"];

/// `OWNER.FIELD`, whole and in its parts.
fn member<'a>(word: &str, tail: &'a str) -> Parsed<'a, (&'a str, &'a str, &'a str)> {
    let place = tail.split_whitespace().next().ok_or_else(|| lacks(word, "place"))?;
    match place.split_once('.') {
        Some((owner, field)) => Ok((place, owner, field)),
        None => wrong(place, format!("`{place}` names no field of anything")),
    }
}

/// `name:type, name:type`
fn slots(text: &str) -> Parsed<'_, Vec<(String, Slot)>> {
    let mut slots: Vec<(String, Slot)> = Vec::new();
    for field in text.split(',').map(str::trim).filter(|_| !text.is_empty()) {
        if field.is_empty() {
            return wrong(field, "a field is missing here".to_owned());
        }
        let Some((name, ty)) = field.split_once(':') else {
            return wrong(field, format!("the field `{field}` has no type"));
        };
        let name = name.trim();
        if name.is_empty() {
            return wrong(field, "this field has no name".to_owned());
        }
        if name.contains(char::is_whitespace) {
            return wrong(name, format!("`{name}` is no name of a field"));
        }
        if slots.iter().any(|(known, _)| known == name) {
            return wrong(name, format!("there is a field `{name}` already"));
        }
        slots.push((name.to_owned(), slot(ty.trim())?));
    }
    Ok(slots)
}

/// A type with its mark: `i8s`, `r!`, `f8?`.
fn slot(text: &str) -> Parsed<'_, Slot> {
    let (plain, mutability) = match text.as_bytes().last() {
        Some(b'!') => (&text[..text.len() - 1], Mutability::Immutable),
        Some(b'?') => (&text[..text.len() - 1], Mutability::QuasiImmutable),
        _ => (text, Mutability::Mutable),
    };
    match value(plain) {
        Some((ty, bits, signed)) => Ok(Slot { ty, bits, signed, mutability }),
        None => {
            let message = format!("`{text}` is no type of a field");
            Err(Wrong { at: Some(text), message, note: Some(TYPES.to_owned()) })
        }
    }
}

/// The type of a value, its bits and whether they have a sign.
fn value(text: &str) -> Option<(Type, u8, bool)> {
    match text {
        "r" => return Some((Type::Ref, 64, false)),
        "f8" => return Some((Type::F64, 64, false)),
        // A C float travels as its bits in an integer.
        "s4" => return Some((Type::I64, 32, false)),
        _ => {}
    }
    let digits = text.strip_prefix('i')?;
    let (bytes, signed) = match digits.strip_suffix('s') {
        Some(bytes) => (bytes, true),
        None => (digits.strip_suffix('u')?, false),
    };
    let bytes: u8 = bytes.parse().ok().filter(|bytes| matches!(bytes, 1 | 2 | 4 | 8))?;
    Some((Type::I64, bytes * 8, signed))
}
