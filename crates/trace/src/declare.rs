//! What a header says of constants, as the module's [`World`](planish_ops::world::World) answers it:
//! classes with the ranges of their subclasses, constant objects with their contents, and results of
//! calls that only compute.
//!
//! Two declared objects are different objects, unless one is declared to be the other; so are two
//! declared classes. Fields that a declaration leaves out hold unknown memory.

use std::sync::LazyLock;

use planish_base::Id;
use planish_ir::module::Module;
use planish_ops::world::{Characters, Content, Descr, Meaning, Mutability, Remark, TypeGuard};

use crate::header::{Field, Header, Object};

/// Tells a module of all classes, objects and results. O(size of the header).
pub(crate) fn constants(header: &Header, module: &mut Module) {
    let mut classes: Vec<_> = header.classes.iter().collect();
    classes.sort_unstable();
    for (name, &range) in classes {
        let symbol = module.symbol(name);
        module.descriptors.set_class(symbol, range);
    }
    for (name, object) in objects(header) {
        let symbol = module.symbol(name);
        match object {
            Object::Null | Object::Same(_) => {}
            Object::Struct { of, vtable, any, .. } => {
                let declared = header.structs.get(of).and_then(|found| found.vtable.as_ref());
                if *any {
                    let fields = header.structs.get(of).map(|found| found.fields.len());
                    module.descriptors.object_mut(symbol).stands_for = fields;
                }
                let class = vtable.as_ref().and(declared.or(vtable.as_ref()));
                let class = class.map(|class| module.symbol(class).index() as u32);
                module.descriptors.object_mut(symbol).class = class;
            }
            Object::Array { length, .. } => module.descriptors.object_mut(symbol).length = Some(*length),
        }
    }
    for (operands, result) in &header.pure_calls {
        let operands: Option<Vec<Content>> =
            operands.iter().map(|text| content(header, text, module)).collect();
        if let (Some(operands), Some(result)) = (operands, content(header, result, module)) {
            module.descriptors.set_result(&operands, result);
        }
    }
}

/// Tells a module what a field holds in each declared object.
pub(crate) fn contents(header: &Header, field: &Field, descr: Descr, module: &mut Module) {
    for (name, object) in objects(header) {
        let Object::Struct { of, fields, .. } = object else { continue };
        // A structure has the fields of those that it derives from.
        if !derives(header, of, &field.owner) {
            continue;
        }
        let symbol = module.symbol(name);
        module.descriptors.object_mut(symbol).own.push(descr);
        let Some((_, text)) = fields.iter().find(|(name, _)| *name == field.name) else { continue };
        if let Some(held) = content(header, text, module) {
            module.descriptors.object_mut(symbol).places.insert((descr, 0), held);
        }
    }
}

/// Tells a module which declared objects stand for those of the same content that a descriptor allocates: of a structure
/// that never changes.
pub(crate) fn standing(header: &Header, allocates: &str, descr: Descr, module: &mut Module) {
    let unchanging = |name: &str| {
        let fields = header.structs.get(name).map(|found| &found.fields[..]);
        fields.is_some_and(|f| f.iter().all(|(_, slot)| slot.mutability == Mutability::Immutable))
    };
    for (name, object) in objects(header) {
        if let Object::Struct { of, any: true, .. } = object
            && of == allocates
            && unchanging(of)
        {
            let symbol = module.symbol(name);
            module.descriptors.set_standing(descr, symbol);
        }
    }
}

/// Tells a module which declared objects are arrays of a descriptor, which holds zeros.
pub(crate) fn items(
    header: &Header,
    array: &str,
    slot: &crate::header::Slot,
    descr: Descr,
    module: &mut Module,
) {
    let zero = match slot.ty {
        planish_ops::Type::Ref => Content::Null,
        planish_ops::Type::F64 => Content::Float(0),
        _ => Content::Int(0),
    };
    for (name, object) in objects(header) {
        let Object::Array { of, length } = object else { continue };
        if header.resolve(of) != array {
            continue;
        }
        let symbol = module.symbol(name);
        let object = module.descriptors.object_mut(symbol);
        object.own.push(descr);
        object.places.extend((0..*length as i64).map(|index| ((descr, index), zero)));
    }
}

/// Whether a structure is another or derives from it. A declaration names what was declared before it, so
/// the way up ends.
fn derives<'a>(header: &'a Header, mut structure: &'a str, from: &str) -> bool {
    for _ in 0..=header.structs.len() {
        if structure == from {
            return true;
        }
        match header.structs.get(structure).and_then(|found| found.parent.as_deref()) {
            Some(parent) => structure = parent,
            None => return false,
        }
    }
    false
}

/// The declared objects, in the order of their names.
fn objects(header: &Header) -> Vec<(&String, &Object)> {
    let mut objects: Vec<_> = header.objects.iter().collect();
    objects.sort_unstable_by_key(|(name, _)| *name);
    objects
}

/// A constant as a header spells it: `5`, `0.5`, `NULL`, `@object`, `s"text"`.
fn content(header: &Header, text: &str, module: &mut Module) -> Option<Content> {
    if text == "NULL" {
        return Some(Content::Null);
    }
    if let Ok(int) = text.parse() {
        return Some(Content::Int(int));
    }
    if let Some(name) = text.strip_prefix('@') {
        return Some(match header.object(name) {
            Some(name) => Content::Symbol(module.symbol(name).index() as u32),
            None => Content::Null,
        });
    }
    if text.contains('"') {
        let symbol = module.symbol(text);
        if let Some(characters) = characters(text) {
            module.descriptors.set_text(symbol, characters);
        }
        return Some(Content::Symbol(symbol.index() as u32));
    }
    text.parse().ok().map(|real: f64| Content::Float(real.to_bits()))
}

/// Whether a header can spell a constant so.
pub(crate) fn is_content(text: &str) -> bool {
    let is_word =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_.".contains(c));
    match text.strip_prefix('@') {
        Some(name) => is_word(name),
        None => text == "NULL" || is_text(text) || text.parse::<i64>().is_ok() || text.parse::<f64>().is_ok(),
    }
}

/// Whether a constant is a string from its first quote to its last.
fn is_text(text: &str) -> bool {
    let quoted = text.trim_start_matches(['s', 'u']).strip_prefix('"');
    quoted.and_then(|quoted| quoted.strip_suffix('"')).is_some_and(|inner| !inner.contains('"'))
}

/// What callees do by PyPy's words for them.
const FUNCTIONS: [(&str, Meaning); 9] = [
    ("int_py_div", Meaning::FloorDiv),
    ("int_py_mod", Meaning::FloorMod),
    ("int_udiv", Meaning::UnsignedDiv),
    ("arraycopy", Meaning::ArrayCopy),
    ("arraymove", Meaning::ArrayMove),
    ("raw_malloc_varsize_char", Meaning::RawMalloc),
    ("raw_free", Meaning::RawFree),
    ("str2unicode", Meaning::ToUnicode),
    ("shrink_array", Meaning::Shrink),
];

/// The same of strings of both kinds, by what follows `str` or `uni`.
const OF_STRINGS: [(&str, Meaning); 11] = [
    ("_cmp", Meaning::Order),
    ("_concat", Meaning::Concat),
    ("_slice", Meaning::Slice),
    ("_equal", Meaning::Equal),
    ("eq_slice_checknull", Meaning::EqualSliceOrNull),
    ("eq_slice_nonnull", Meaning::EqualSlice),
    ("eq_slice_char", Meaning::EqualSliceCharacter),
    ("eq_nonnull", Meaning::EqualThere),
    ("eq_nonnull_char", Meaning::EqualCharacter),
    ("eq_checknull_char", Meaning::EqualCharacterOrNull),
    ("eq_lengthok", Meaning::EqualOfLength),
];

/// Words of PyPy's that say something else of a callee, or nothing that an optimizer uses.
const OTHER_FUNCTIONS: [&str; 8] = [
    "dict_lookup",
    "jit_force_virtualizable",
    "jit_force_virtual",
    "threadlocalref_get",
    "not_in_trace",
    "libffi_call",
    "math_sqrt",
    "math_read_timestamp",
];

/// The words that a header may say of what a callee does.
pub(crate) fn oopspecs() -> &'static [String] {
    static ALL: LazyLock<Vec<String>> = LazyLock::new(|| {
        let of_strings =
            OF_STRINGS.iter().flat_map(|(end, _)| ["str", "uni"].map(|kind| format!("{kind}{end}")));
        let functions = FUNCTIONS.iter().map(|(word, _)| *word).chain(OTHER_FUNCTIONS);
        functions.map(str::to_owned).chain(of_strings).collect()
    });
    &ALL
}

/// What a callee does, by the word that PyPy has for it, and whether with Unicode strings.
pub(crate) fn meaning(word: &str) -> Option<(Meaning, bool)> {
    if let Some(&(_, meaning)) = FUNCTIONS.iter().find(|(known, _)| *known == word) {
        return Some((meaning, false));
    }
    let of = |kind: &str| {
        let end = word.strip_prefix(kind)?;
        OF_STRINGS.iter().find(|(known, _)| *known == end).map(|&(_, meaning)| meaning)
    };
    of("str").map(|meaning| (meaning, false)).or_else(|| Some((of("uni")?, true)))
}

/// What a callee takes and gives, as a header spells it, whose meaning PyPy has this word for. `None` where nothing is made of it.
pub(crate) fn signature_of(word: &str) -> Option<&'static str> {
    Some(match meaning(word)?.0 {
        Meaning::FloorDiv | Meaning::FloorMod | Meaning::UnsignedDiv => "(ii)i",
        Meaning::ArrayCopy => "(rriii)v",
        Meaning::ArrayMove => "(riii)v",
        Meaning::RawMalloc => "(i)i",
        Meaning::RawFree => "(i)v",
        Meaning::ToUnicode => "(r)r",
        Meaning::Shrink => "(ri)r",
        Meaning::Concat => "(rr)r",
        Meaning::Slice => "(rii)r",
        Meaning::Order | Meaning::Equal | Meaning::EqualThere | Meaning::EqualOfLength => "(rr)i",
        Meaning::EqualSliceOrNull | Meaning::EqualSlice => "(riir)i",
        Meaning::EqualSliceCharacter => "(riii)i",
        Meaning::EqualCharacter | Meaning::EqualCharacterOrNull => "(ri)i",
        _ => return None,
    })
}

/// What a callee does, by the number that a log prints behind `OS=`, and whether with Unicode strings. Memory
/// outside of the heap is left out, since a log does not say what happens when there is none, and copies of items are:
/// see [`printed_copy`].
pub(crate) fn printed_meaning(descr: &str) -> Option<(Meaning, bool)> {
    let (_, rest) = descr.strip_prefix("<Call")?.strip_suffix('>')?.split_once(" OS=")?;
    let number: u32 = rest.split(' ').next()?.parse().ok()?;
    let meaning = match number {
        2 => return Some((Meaning::ToUnicode, false)),
        12 => return Some((Meaning::FloorDiv, false)),
        13 => return Some((Meaning::UnsignedDiv, false)),
        14 => return Some((Meaning::FloorMod, false)),
        22 | 42 => Meaning::Concat,
        23 | 43 => Meaning::Slice,
        24 | 44 => Meaning::Equal,
        25 | 45 => Meaning::EqualSliceOrNull,
        26 | 46 => Meaning::EqualSlice,
        27 | 47 => Meaning::EqualSliceCharacter,
        28 | 48 => Meaning::EqualThere,
        29 | 49 => Meaning::EqualCharacter,
        30 | 50 => Meaning::EqualCharacterOrNull,
        31 | 51 => Meaning::EqualOfLength,
        _ => return None,
    };
    Some((meaning, number >= 42))
}

/// How a callee copies items, by the number that a log prints behind `OS=`, and between how many arrays.
pub(crate) fn printed_copy(descr: &str) -> Option<(Meaning, usize)> {
    match descr.strip_prefix("<Callv 0 ")?.strip_suffix('>')?.split_once(" OS=")? {
        (signature, "1") if signature.starts_with("rriii ") => Some((Meaning::ArrayCopy, 2)),
        (signature, "9") if signature.starts_with("riii ") => Some((Meaning::ArrayMove, 1)),
        _ => None,
    }
}

/// What a guard about types asks.
pub(crate) fn type_guard(word: &str) -> Option<TypeGuard> {
    match word {
        "guard_is_object" => Some(TypeGuard::Object),
        "guard_subclass" => Some(TypeGuard::Derives),
        "guard_gc_type" => Some(TypeGuard::Layout),
        _ => None,
    }
}

/// What an operation that does nothing promises.
pub(crate) fn remark(word: &str) -> Option<Remark> {
    Some(match word {
        "assert_not_none" => Remark::Nonnull,
        "record_exact_class" => Remark::ExactClass,
        "record_exact_value_i" | "record_exact_value_r" => Remark::ExactValue,
        "record_known_result" => Remark::KnownResult,
        "keepalive" | "force_spill" => Remark::Kept,
        _ => return None,
    })
}

/// The string that a constant is, as the text spells it: `s"text"`, `"text"`, `u"text"`.
pub(crate) fn characters(spelled: &str) -> Option<Characters> {
    let unicode = spelled.starts_with('u');
    let inner = spelled.trim_start_matches(['s', 'u']).strip_prefix(['"', '\''])?;
    let inner = inner.strip_suffix(['"', '\''])?;
    // Escapes are not read; what has one is some string.
    (!inner.contains('\\') && (unicode || inner.is_ascii()))
        .then(|| Characters { unicode, codes: inner.chars().map(u32::from).collect() })
}

/// How a string is spelled so that `characters` reads it; nothing for one that cannot be.
pub fn spell(text: &Characters) -> Option<String> {
    let plain = |&code: &u32| {
        let character = char::from_u32(code).filter(|c| text.unicode || c.is_ascii());
        character.filter(|c| !c.is_control() && !matches!(c, '"' | '\'' | '\\' | ','))
    };
    let inner: Option<String> = text.codes.iter().map(plain).collect();
    Some(format!("{}\"{}\"", if text.unicode { 'u' } else { 's' }, inner?))
}

#[cfg(test)]
mod tests {
    use planish_base::diag::{Diagnostics, SourceText};
    use planish_ops::world::World;

    use super::*;
    use crate::descr::{Use, Vocabulary};

    #[test]
    fn a_log_says_what_a_callee_does_by_a_number() {
        let of = printed_meaning;
        assert_eq!(of("<Calli 8 ii EF=0 OS=14>"), Some((Meaning::FloorMod, false)));
        assert_eq!(of("<Callr 8 rii EF=3 OS=43>"), Some((Meaning::Slice, true)));
        assert_eq!(of("<Callv 0 rriii EF=2 OS=1>"), None);
        assert_eq!(of("<Calli 8 ii EF=0>"), None);
        assert_eq!(of("mydescr OS=14>"), None);
        assert_eq!(printed_copy("<Callv 0 rriii EF=2 OS=1>"), Some((Meaning::ArrayCopy, 2)));
        assert_eq!(printed_copy("<Callv 0 rriii EF=2>"), None);
    }

    #[test]
    fn a_declared_object_has_its_class_and_contents() {
        let text = "#! class a range=0..1\n#! class b range=1..1\n\
                    #! struct A(object) vtable=a { x:i8s!, next:r }\n#! field xdescr A.x\n\
                    #! ptr one A vtable=a { next=@two, x=5 }\n#! ptr two A vtable=a { next=NULL }\n\
                    #! pure call(1, 2)=3";
        let source = SourceText::new("t", text);
        let spans: Vec<_> = crate::read::lines(text, 0..text.len()).collect();
        let header = Header::read(&source, &spans, &mut Diagnostics::new());
        let mut module = Module::new();
        constants(&header, &mut module);
        let descr = Vocabulary::declared(header).descr_of(&mut module, "", "xdescr", Use::Heap);
        let [a, b, one, two] = ["a", "b", "one", "two"].map(|name| module.symbol(name).index() as u32);
        let world = &module.descriptors;
        assert_eq!(world.class_of(one), Some(a));
        assert_eq!((world.derives(b, a), world.derives(a, b)), (Some(true), Some(false)));
        assert_eq!(world.content(one, descr, 0), Some(Content::Int(5)));
        assert_eq!(world.content(two, descr, 0), None);
        assert!(world.differ(one, two) && world.differ(a, b) && !world.differ(a, one));
        assert_eq!(world.known_result(&[Content::Int(1), Content::Int(2)]), Some(Content::Int(3)));
    }
}
