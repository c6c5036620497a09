//! What declarations refer to, held against what is declared: a name that nothing declares would say nothing, silently.
//!
//! What a callee reads and writes may be called by a name that is declared nowhere, which is any memory: of these only a name
//! that is nearly a declared one is a mistake.

use planish_base::spelling::closest;
use planish_ops::Type;
use planish_ops::world::Mutability;

use super::words::{Parsed, Wrong, first, wrong};
use super::{Header, Names, Object, Slot, Struct};

impl Header {
    /// Holds a declaration that was read against all others.
    pub(super) fn refers<'a>(&self, word: &str, rest: &'a str) -> Parsed<'a> {
        let (name, tail) = first(rest);
        match word {
            "struct" => self.struct_refers(rest),
            "size" => named(tail, "structure", &self.structs),
            "int" => self.layout_refers(tail),
            "alias" => match self.kind_of_descriptor(tail) {
                Some("alias") => wrong(tail, format!("`{tail}` is another name itself")),
                Some(_) => Ok(()),
                None => self.no_descriptor(tail),
            },
            "call" => self.call_refers(tail),
            "ptr" => self.object_refers(name, tail),
            "quasi" => match tail.split_once('.') {
                Some((object, field)) => named(object, "constant object", &self.objects)
                    .and_then(|()| named(field, "field", &self.fields)),
                None => Ok(()),
            },
            "runtime" | "bridge_runtime" => {
                let mut objects = rest.split_whitespace().filter_map(|word| Some(word.split_once('=')?.1));
                objects.try_for_each(|object| named(object, "constant object", &self.objects))
            }
            "pure" => self.objects_in(rest),
            _ => Ok(()),
        }
    }

    fn no_descriptor<'a>(&self, name: &'a str) -> Parsed<'a> {
        let descriptors = self.fields.keys().chain(self.sizes.keys()).chain(self.arrays.keys());
        let descriptors = descriptors.chain(self.interiors.keys()).chain(self.calls.keys());
        undeclared(name, "descriptor", descriptors.map(String::as_str))
    }

    fn struct_refers<'a>(&self, rest: &'a str) -> Parsed<'a> {
        let head = rest.split('{').next().unwrap_or_default();
        let (name, parent) = match first(head).0.split_once('(') {
            Some((name, parent)) => (name, parent.trim_end_matches(')')),
            None => (first(head).0, "object"),
        };
        let class = head.split_whitespace().find_map(|word| word.strip_prefix("vtable="));
        if let Some(class) = class.filter(|&class| class != "none") {
            named(class, "class", &self.classes)?;
        }
        if parent == "object" {
            return Ok(());
        }
        named(parent, "structure", &self.structs)?;
        let (Some(own), Some(from)) = (self.structs.get(name), self.structs.get(parent)) else {
            return Ok(());
        };
        if !own.fields.starts_with(&from.fields) {
            return wrong(name, format!("the fields of `{parent}` do not come first in `{name}`"));
        }
        // The way up from what it derives from does not come back.
        let up = |at: &String| self.structs.get(at).and_then(|found| found.parent.clone());
        let way = std::iter::successors(Some(parent.to_owned()), up);
        match way.take(self.structs.len() + 1).any(|at| at == name) {
            true => wrong(parent, format!("`{parent}` derives from `{name}`")),
            false => Ok(()),
        }
    }

    fn layout_refers<'a>(&self, tail: &'a str) -> Parsed<'a> {
        let of = tail.strip_prefix("typeid(").and_then(|of| of.strip_suffix(')')).unwrap_or(tail).trim();
        match self.kind_of_descriptor(self.resolve(of)) {
            Some("size" | "array") => Ok(()),
            Some(kind) => wrong(of, format!("`{of}` is declared as `{kind}`, which has no layout")),
            None => self.no_descriptor(of),
        }
    }

    fn call_refers<'a>(&self, tail: &'a str) -> Parsed<'a> {
        let lists = tail.split_whitespace();
        let lists =
            lists.filter_map(|word| word.strip_prefix("reads=").or_else(|| word.strip_prefix("writes=")));
        for name in lists.flat_map(|list| list.split(',')) {
            match self.kind_of_descriptor(self.resolve(name)) {
                Some(kind @ ("size" | "call")) => {
                    return wrong(name, format!("`{name}` is declared as `{kind}`, which is no memory"));
                }
                None if name != "*" => {}
                _ => continue,
            }
            let memory = self.fields.keys().chain(self.arrays.keys()).chain(self.interiors.keys());
            if closest(name, memory.map(String::as_str)).is_some() {
                return self.no_descriptor(name);
            }
        }
        Ok(())
    }

    fn object_refers<'a>(&self, name: &str, tail: &'a str) -> Parsed<'a> {
        match self.objects.get(name) {
            None | Some(Object::Null) => Ok(()),
            Some(Object::Same(_)) => {
                let other = tail.trim_start_matches('=').trim();
                named(other, "constant object", &self.objects)?;
                match self.objects.get(other) {
                    Some(Object::Same(_)) => wrong(other, format!("`{other}` is another name itself")),
                    _ => Ok(()),
                }
            }
            Some(Object::Array { of, .. }) => {
                let word = &tail[..of.len()];
                named(self.resolve(of), "array", &self.arrays)
                    .map_err(|wrong| Wrong { at: Some(word), ..wrong })
            }
            Some(Object::Struct { of, vtable, fields, any }) => {
                let word = if *any { tail["any ".len()..].trim_start() } else { tail };
                let word = &word[..of.len()];
                named(word, "structure", &self.structs)?;
                let Some(structure) = self.structs.get(of) else { return Ok(()) };
                if let Some(class) = vtable
                    && structure.vtable.is_none()
                {
                    let at = tail.find("vtable=").map_or(tail, |at| &tail[at + "vtable=".len()..]);
                    named(&at[..class.len()], "class", &self.classes)?;
                }
                if let Some(class) = vtable
                    && let Some(declared) = structure.vtable.as_ref().filter(|&declared| declared != class)
                {
                    return wrong(
                        tail,
                        format!("objects of `{of}` are of class `{declared}`, not `{class}`"),
                    );
                }
                contents(of, structure, fields, *any, tail)?;
                self.objects_in(tail)
            }
        }
    }

    /// Objects that constants name: `@object`.
    fn objects_in<'a>(&self, text: &'a str) -> Parsed<'a> {
        // A string may hold anything.
        if text.contains('"') {
            return Ok(());
        }
        let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '@' | '_' | '.')));
        let mut names = words.filter_map(|word| word.strip_prefix('@'));
        names.try_for_each(|name| match name {
            "nullptr" => Ok(()),
            name => named(name, "constant object", &self.objects),
        })
    }
}

/// The contents of an object are those of fields that its structure has, and that can hold them. An object that stands for any
/// of its content has only what stays as it is.
fn contents<'a>(
    of: &str,
    structure: &Struct,
    fields: &[(String, String)],
    any: bool,
    text: &'a str,
) -> Parsed<'a> {
    let slot = |name: &str| structure.fields.iter().find(|(field, _)| field == name).map(|(_, slot)| slot);
    for (name, held) in fields {
        if slot(name).is_some_and(|slot| !holds(slot, held)) {
            let at = text.find(&format!("={held}")).map_or(text, |at| &text[at + 1..][..held.len()]);
            return wrong(at, format!("the field `{name}` of `{of}` cannot hold `{held}`"));
        }
    }
    if let Some((missing, _)) = fields.iter().find(|(field, _)| slot(field).is_none()) {
        let all = structure.fields.iter().map(|(field, _)| field.as_str());
        let note = closest(missing, all).map(|near| format!("did you mean `{near}`?"));
        let message = format!("the structure `{of}` has no field `{missing}`");
        return Err(Wrong { at: Some(content(text, missing)), message, note });
    }
    let changes = |name: &str| slot(name).is_some_and(|slot| slot.mutability == Mutability::Mutable);
    match fields.iter().find(|(field, _)| any && changes(field)) {
        Some((field, _)) => {
            let message = format!("the field `{field}` of `{of}` may change, so no object is known by it");
            wrong(content(text, field), message)
        }
        None => Ok(()),
    }
}

/// Where the content of a field is said among those in braces.
fn content<'a>(text: &'a str, field: &str) -> &'a str {
    let braces = text.find('{').map_or(text, |brace| &text[brace + 1..]);
    let names = braces.split(',').filter_map(|content| Some(content.split_once('=')?.0.trim()));
    names.into_iter().find(|&name| name == field).unwrap_or(braces)
}

/// Whether a field can hold a constant: what is declared of a narrow field is what a load gives, which is nothing that does not fit.
fn holds(slot: &Slot, held: &str) -> bool {
    let is_number = held.parse::<f64>().is_ok();
    match (slot.ty, held.parse::<i64>()) {
        (Type::Int(_), Ok(number)) if slot.bits < 64 => {
            let (least, most) = match slot.signed {
                true => (-(1 << (slot.bits - 1)), (1 << (slot.bits - 1)) - 1),
                false => (0, (1 << slot.bits) - 1),
            };
            (least..=most).contains(&number)
        }
        (Type::Int(_), Ok(_)) => true,
        (Type::Int(_), Err(_)) => !is_number,
        _ => true,
    }
}

/// A name is declared.
fn named<'a, T>(name: &'a str, what: &str, declared: &Names<T>) -> Parsed<'a> {
    match declared.contains_key(name) {
        true => Ok(()),
        false => undeclared(name, what, declared.keys().map(String::as_str)),
    }
}

fn undeclared<'a, 'n>(name: &'a str, what: &str, known: impl IntoIterator<Item = &'n str>) -> Parsed<'a> {
    let note = closest(name, known).map(|near| format!("did you mean `{near}`?"));
    Err(Wrong { at: Some(name), message: format!("no {what} `{name}` is declared"), note })
}
