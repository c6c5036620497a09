//! Parsing of one declaration, `#! WORD NAME ...`: what is wrong in it is said of the words that are at fault.

use std::str::FromStr;

use planish_base::spelling::closest;
use planish_ops::Type;
use planish_ops::world::{CallEffect, Mutability};

use super::{Array, Callee, Field, Header, Object, Slot, Struct};
use crate::vector::Stage;

/// What a field or an item may hold, for people.
const TYPES: &str = "types are `r` (a reference), `f8` and `s4` (floats of 8 and 4 bytes), and `i` with 1, 2, 4 or 8 bytes \
                     and `s` or `u` for the sign, as in `i8s`; `!` behind one says that it never changes, `?` that a \
                     guard watches it";

/// What a callee may do, for people.
const EFFECTS: &str = "effects are `elidable_cannot_raise`, `elidable_or_memoryerror`, `elidable_can_raise`, `loopinvariant`, \
                       `cannot_raise`, `can_raise`, `forces_virtual_or_virtualizable` and `random_effects`";

/// What may be said of a callee.
const OF_CALLEES: [&str; 4] = ["effect", "reads", "writes", "oopspec"];

/// Why a declaration cannot be read.
pub(super) struct Wrong<'a> {
    /// The words at fault; the whole line where something is missing.
    pub at: Option<&'a str>,
    pub message: String,
    pub note: Option<&'static str>,
}

type Parsed<'a, T = ()> = Result<T, Wrong<'a>>;

/// Words are at fault.
fn wrong<T>(at: &str, message: String) -> Parsed<'_, T> {
    Err(Wrong { at: Some(at), message, note: None })
}

/// Something is not there.
fn lacks<'a>(word: &str, what: &str) -> Wrong<'a> {
    Wrong { at: None, message: format!("this declaration of `{word}` has no {what}"), note: None }
}

/// A number, as which a word is meant.
fn number<T: FromStr>(text: &str) -> Parsed<'_, T> {
    text.parse().or_else(|_| wrong(text, format!("`{text}` is no number that can stand here")))
}

impl Header {
    /// Takes up a declaration. Words of no declaration belong to stages that look for them.
    pub(super) fn declare<'a>(&mut self, word: &str, rest: &'a str) -> Parsed<'a> {
        let (name, tail) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
        let tail = tail.trim();
        match word {
            "mode" => self.mode = Some(rest.to_owned()),
            "opts" => self.opts = Some(rest.to_owned()),
            "closed" => self.closed = true,
            "step" => match Stage::parse(rest) {
                Ok(stage) => self.stages.push(stage),
                Err(unknown) => return wrong(rest, unknown.to_string()),
            },
            "class" => {
                let range = option(tail, "range=").ok_or_else(|| lacks(word, "range"))?;
                let Some((low, high)) = range.split_once("..") else {
                    return wrong(range, format!("`{range}` is no range"));
                };
                self.classes.insert(name.to_owned(), (number(low)?, number(high)?));
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
            "interior" => self.declare_interior(name, tail)?,
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
                    let Some((position, object)) = word.split_once('=') else {
                        return wrong(word, format!("`{word}` gives no position an object"));
                    };
                    values.push((number(position)?, object.to_owned()));
                }
            }
            "alias" => {
                self.aliases.insert(name.to_owned(), tail.to_owned());
            }
            "pure" => {
                let call = rest.strip_prefix("call(").and_then(|call| call.rsplit_once(")="));
                let Some((args, result)) = call else {
                    return wrong(rest, format!("`{rest}` is no call with a result"));
                };
                let args = args.split(',').map(|arg| arg.trim().to_owned()).collect();
                self.pure_calls.push((args, result.trim().to_owned()));
            }
            _ => {}
        }
        Ok(())
    }

    fn declare_struct<'a>(&mut self, name: &str, rest: &'a str) -> Parsed<'a> {
        let (name, parent) = match name.split_once('(') {
            Some((name, parent)) => (name, Some(parent.trim_end_matches(')').to_owned())),
            None => (name, None),
        };
        let fields = slots(braces(rest).ok_or_else(|| lacks("struct", "fields in braces"))?)?;
        let vtable = option(rest, "vtable=").filter(|&vtable| vtable != "none").map(str::to_owned);
        self.structs.insert(name.to_owned(), Struct { parent, vtable, fields });
        Ok(())
    }

    fn declare_field<'a>(&mut self, name: &str, tail: &'a str) -> Parsed<'a> {
        let (place, owner, field) = member("field", tail)?;
        let Some(of) = self.structs.get(owner) else {
            return wrong(owner, format!("no structure `{owner}` is declared"));
        };
        let Some((_, slot)) = of.fields.iter().find(|(name, _)| name == field) else {
            return wrong(place, format!("the structure `{owner}` has no field `{field}`"));
        };
        let rank = option(tail, "rank=").map_or(Ok(0), number)?;
        let field = Field { owner: owner.to_owned(), name: field.to_owned(), slot: *slot, rank };
        self.fields.insert(name.to_owned(), field);
        Ok(())
    }

    fn declare_array<'a>(&mut self, name: &str, tail: &'a str) -> Parsed<'a> {
        let says = |what: &str| tail.split_whitespace().any(|word| word == what);
        let mut items = match (braces(tail), tail.split_whitespace().next()) {
            (Some(inner), _) => slots(inner)?,
            (None, Some(ty)) => vec![(String::new(), slot(ty)?)],
            (None, None) => return Err(lacks("array", "type")),
        };
        if says("immutable") {
            items.iter_mut().for_each(|(_, slot)| slot.mutability = Mutability::Immutable);
        }
        self.arrays.insert(name.to_owned(), Array { items, raw: says("raw") });
        Ok(())
    }

    fn declare_interior<'a>(&mut self, name: &str, tail: &'a str) -> Parsed<'a> {
        let (place, array, field) = member("interior", tail)?;
        let Some(of) = self.arrays.get(array) else {
            return wrong(array, format!("no array `{array}` is declared"));
        };
        let Some(position) = of.items.iter().position(|(name, _)| name == field) else {
            return wrong(place, format!("items of the array `{array}` have no field `{field}`"));
        };
        self.interiors.insert(name.to_owned(), (position, of.items[position].1));
        Ok(())
    }
}

/// `OWNER.FIELD`, whole and in its parts.
fn member<'a>(word: &str, tail: &'a str) -> Parsed<'a, (&'a str, &'a str, &'a str)> {
    let place = tail.split_whitespace().next().ok_or_else(|| lacks(word, "place"))?;
    match place.split_once('.') {
        Some((owner, field)) => Ok((place, owner, field)),
        None => wrong(place, format!("`{place}` names no field of anything")),
    }
}

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
fn slots(text: &str) -> Parsed<'_, Vec<(String, Slot)>> {
    let fields = text.split(',').map(str::trim).filter(|field| !field.is_empty());
    fields
        .map(|field| match field.split_once(':') {
            Some((name, ty)) => Ok((name.trim().to_owned(), slot(ty.trim())?)),
            None => wrong(field, format!("the field `{field}` has no type")),
        })
        .collect()
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
            Err(Wrong { at: Some(text), message, note: Some(TYPES) })
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

/// `(i)i effect=can_raise reads=a,b writes=* oopspec=O invalidates`
fn callee(text: &str) -> Parsed<'_, Callee> {
    for word in text.split_whitespace() {
        let key = word.split_once('=').map_or("", |(key, _)| key);
        if !key.is_empty()
            && !OF_CALLEES.contains(&key)
            && let Some(near) = closest(key, OF_CALLEES)
        {
            return wrong(word, format!("`{key}` says nothing of a callee; did you mean `{near}`?"));
        }
    }
    let word = option(text, "effect=").ok_or_else(|| lacks("call", "effect"))?;
    let (elidable, loop_invariant, raises, forces) = match word {
        "elidable_cannot_raise" => (true, false, false, false),
        "loopinvariant" => (false, true, false, false),
        "cannot_raise" => (false, false, false, false),
        "elidable_or_memoryerror" | "elidable_can_raise" => (true, false, true, false),
        "can_raise" => (false, false, true, false),
        "forces_virtual_or_virtualizable" | "random_effects" => (false, false, true, true),
        _ => {
            let message = format!("there is no effect `{word}`");
            return Err(Wrong { at: Some(word), message, note: Some(EFFECTS) });
        }
    };
    let random = word == "random_effects";
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
    let effect = CallEffect {
        elidable,
        loop_invariant,
        raises,
        raises_lack_of_memory: word == "elidable_or_memoryerror",
        forces_virtuals: forces,
        invalidates: random || text.split_whitespace().any(|word| word == "invalidates"),
        ..CallEffect::pure()
    };
    Ok(Callee { effect, reads, writes, oopspec: option(text, "oopspec=").map(str::to_owned) })
}

/// What stands behind the name of a constant object.
fn object(text: &str) -> Parsed<'_, Object> {
    if text == "null" {
        return Ok(Object::Null);
    }
    if let Some(other) = text.strip_prefix('=') {
        return Ok(Object::Same(other.trim().to_owned()));
    }
    let (any, text) = text.strip_prefix("any ").map_or((false, text), |text| (true, text.trim_start()));
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '[' | '{'));
    let of = &text[..end.unwrap_or(text.len())];
    if let Some(inner) = text[of.len()..].strip_prefix('[') {
        let length = inner.split(']').next().unwrap_or_default().trim();
        return Ok(Object::Array { of: of.to_owned(), length: number(length)? });
    }
    let fields = braces(text).unwrap_or("");
    let fields = fields.split(',').map(str::trim).filter(|field| !field.is_empty());
    let fields = fields.map(|field| match field.split_once('=') {
        Some((name, held)) => Ok((name.trim().to_owned(), held.trim().to_owned())),
        None => wrong(field, format!("the field `{field}` has no content")),
    });
    let vtable = option(text, "vtable=").filter(|&vtable| vtable != "none").map(str::to_owned);
    Ok(Object::Struct { of: of.to_owned(), vtable, fields: fields.collect::<Parsed<'_, Vec<_>>>()?, any })
}
