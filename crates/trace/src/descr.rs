//! Descriptors: what stands behind `descr=`, as locations, classes and callees.
//!
//! In a log a descriptor is a printed object, and says less than PyPy knows: `<FieldS list.length 8>` has
//! no size, `<SizeDescr 16>` no class, `<Calli 8 ri EF=2>` no sets of fields that the callee reads or
//! writes. What is not printed is unknown here, and unknown never counts as yes. The full text is the
//! key: the same text is the same location, different texts are different memory (`STRUCT.name` alone is
//! not unique). `pure` says immutable or quasi-immutable; which of the two may be told by the recordings of the log
//! (`unchanging`).
//!
//! One text serves several operations, so the name of a descriptor in the module begins with a word
//! where the operation alone does not say what is meant: `call_may_force <Calli 8 r EF=6>`,
//! `new_with_vtable <SizeDescr 16>`. [`split`] takes it apart again, so a module needs no table beside it
//! to be written as a trace.

pub(crate) mod printed;

use std::sync::Arc;

use hashbrown::HashMap;
use planish_base::Id;
use planish_ir::module::{Descriptor, Module};
use planish_ops::Type;
use planish_ops::world::{
    CallEffect, Content, Descr, Fresh, Layout, Location, Made, Meaning, Mutability, RawAccess, World,
};
use rustc_hash::FxBuildHasher;

use crate::declare;
use crate::facts::Known;
use crate::header::Header;
use crate::opcode::Opcode;
use crate::text::{Text, Texts};
use crate::unchanging::Unchanging;
use crate::vector::Item;
use printed::{callee, kind};

pub(crate) use printed::FORCES_FRAME;

/// What stands between the end of a descriptor's text and what is known besides.
const BESIDES: &str = "> of ";

/// The words with which names of descriptors begin, where the text alone is ambiguous.
pub mod word {
    /// Items of an array that never changes.
    pub const PURE_ITEM: &str = "getarrayitem_gc_pure";
    /// A field outside the heap.
    pub const RAW_FIELD: &str = "raw_field";
    /// An item of an array outside the heap; the offset counts items.
    pub const RAW_ITEM: &str = "raw_item";
    /// Memory outside the heap; the offset counts bytes.
    pub const RAW_BYTES: &str = "raw_bytes";
    /// An operation that has no row; its name and its descriptor follow.
    pub const UNKNOWN: &str = "unknown";
}

/// What a descriptor is asked for.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Use {
    /// A field, item or array of the heap.
    Heap,
    /// An item that never changes.
    PureItem,
    /// Memory outside the heap.
    Raw,
    /// The characters of strings; the word says which.
    Chars,
    /// A fresh object.
    New,
    /// A call of a function.
    Call,
    /// An operation that reads and does nothing else.
    Reads,
    /// An operation that computes from its operands alone.
    Computes,
    /// An operation on memory outside the heap.
    Outside,
    /// An operation of which nothing is known.
    Opaque,
    /// A remark or a guard.
    Remark,
}

/// Makes descriptors of a module for the texts of one file, each once.
#[derive(Default)]
pub struct Vocabulary {
    header: Header,
    known: HashMap<(&'static str, Option<Text>), Descr, FxBuildHasher>,
    /// Fields that never change, of those that may be watched.
    unchanging: Arc<Unchanging>,
    /// What functions of the log read and write.
    pub(crate) facts: Arc<Known>,
    /// Descriptors of calls of functions: nothing where no more is known than what is printed.
    pub(crate) functions: HashMap<(&'static str, Text, Text), Option<Descr>, FxBuildHasher>,
    aliases: HashMap<String, u32, FxBuildHasher>,
}

impl Vocabulary {
    /// A vocabulary without words.
    pub fn new() -> Self {
        Self::default()
    }

    /// A vocabulary that knows what a header declares.
    pub fn declared(header: Header) -> Self {
        Vocabulary { header, ..Self::default() }
    }

    /// A vocabulary for a trace of a log, whose recordings show that these fields never change, and of whose functions this
    /// is known.
    pub(crate) fn knowing(unchanging: Arc<Unchanging>, facts: Arc<Known>) -> Self {
        Vocabulary { unchanging, facts, ..Self::default() }
    }

    /// A vocabulary that knows the same of the log and has met no trace yet.
    pub(crate) fn anew(&self) -> Self {
        Vocabulary::knowing(Arc::clone(&self.unchanging), Arc::clone(&self.facts))
    }

    /// Turns to a file of this mode, of several that share their declarations.
    pub fn turn_to(&mut self, mode: Option<String>) {
        self.header.mode = mode;
    }

    /// What the header declares.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// Tells a module of the constants that the header declares.
    pub fn declare(&self, module: &mut Module) {
        declare::constants(&self.header, module);
    }

    /// The descriptor for a word and a text. `word` is empty where the operation says enough.
    pub fn descr(
        &mut self,
        module: &mut Module,
        texts: &Texts,
        word: &'static str,
        text: Option<Text>,
        use_: Use,
    ) -> Descr {
        if let Some(&descr) = self.known.get(&(word, text)) {
            return descr;
        }
        let descr = self.descr_of(module, word, text.map_or("", |text| texts.get(text).as_str()), use_);
        self.known.insert((word, text), descr);
        descr
    }

    /// Adds what is known of a call.
    fn describe_call(&mut self, module: &mut Module, descr: Descr, word: &'static str, text: &str) {
        if let Some(plain) = plain_call(word) {
            module.descriptors.set_made_once(descr);
            // Whoever writes the call asks what its descriptor says of it.
            self.descr_of(module, plain, text, Use::Call);
            // A function is the same, whether it is said at the call what it is or not.
            module.descriptors.set_called(descr, format!("{plain} {text}").trim_end());
        }
        if let Some(word) = unconditional(word) {
            let call = self.descr_of(module, word, text, Use::Call);
            module.descriptors.set_unconditional(descr, call);
        }
        if let Some((meaning, unicode)) = self.meaning(text) {
            self.set_meaning(module, descr, meaning, unicode);
        }
        if let Some(look_up) = self.look_up(word, text) {
            module.descriptors.set_look_up(descr, look_up);
        }
        if text.contains(FORCES_FRAME) || self.forces_frame(text) {
            module.descriptors.set_only_forces(descr);
        }
    }

    /// The same for a text that the file need not have. O(length of the text).
    pub fn descr_of(&mut self, module: &mut Module, word: &'static str, text_str: &str, use_: Use) -> Descr {
        let name = match (word, text_str) {
            ("", text) => text.to_owned(),
            (word, "") => word.to_owned(),
            (word, text) => format!("{word} {text}"),
        };
        let descr = module.descriptors.intern(name, || self.describe(word, text_str, use_));
        if use_ == Use::New {
            let class = self.class_of(text_str).map(|vtable| module.symbols.intern_str(vtable));
            let fresh = Fresh {
                class: class.map(|symbol| Content::Symbol(symbol.index() as u32)),
                cleared: word != "new_array",
            };
            module.descriptors.set_fresh(descr, fresh);
            if let Some(structure) = self.header.sizes.get(self.header.resolve(text_str)) {
                declare::standing(&self.header, structure, descr, module);
            }
        }
        if use_ == Use::Call {
            self.describe_call(module, descr, word, text_str);
        }
        if use_ == Use::Remark
            && let Some(remark) = declare::remark(word)
        {
            module.descriptors.set_remark(descr, remark);
        }
        if use_ == Use::Raw && matches!(word, word::RAW_ITEM | word::RAW_BYTES) {
            self.set_raw_access(module, descr, word, text_str);
        }
        if use_ == Use::Chars {
            module.descriptors.set_characters(word == "unicode", descr);
        }
        if let Some(asks) = declare::type_guard(word) {
            module.descriptors.set_type_guard(descr, asks);
        }
        if word == "guard_future_condition" {
            module.descriptors.set_only_marks(descr);
        }
        if self.header.arrays.contains_key(self.header.resolve(text_str)) {
            // Items come behind fields.
            module.descriptors.set_rank(descr, u32::MAX);
            let name = self.header.resolve(text_str);
            if let Some([(_, slot)]) = self.header.arrays.get(name).map(|array| &array.items[..]) {
                declare::items(&self.header, name, slot, descr, module);
            }
        }
        if let Some(field) = self.header.fields.get(self.header.resolve(text_str)) {
            module.descriptors.set_rank(descr, field.rank);
            if let Some(owner) = self.header.structs.get(&field.owner) {
                if let Some(vtable) = &owner.vtable {
                    let class = module.symbols.intern_str(vtable);
                    module.descriptors.set_owner(descr, class);
                }
                let position = owner.fields.iter().position(|(name, _)| *name == field.name);
                module.descriptors.set_position(descr, position.unwrap_or(0) as u32);
            }
            declare::contents(&self.header, field, descr, module);
        }
        if let Some(&(place, _)) = self.header.interiors.get(self.header.resolve(text_str)) {
            module.descriptors.set_position(descr, place as u32);
        }
        descr
    }

    /// What the callee does that a descriptor names.
    fn meaning(&self, text: &str) -> Option<(Meaning, bool)> {
        match self.header.calls.get(self.header.resolve(text)) {
            Some(callee) => declare::meaning(callee.oopspec.as_deref()?),
            None => declare::printed_meaning(text),
        }
    }

    /// The array whose items a callee writes, if it writes nothing else and they are no structures.
    fn copied(&self, name: &str) -> Option<String> {
        let (_, text) = split(name);
        let callee = self.header.calls.get(self.header.resolve(text))?;
        let [array] = &callee.writes.as_ref()?[..] else { return None };
        let items = &self.header.arrays.get(self.header.resolve(array))?.items;
        matches!(&items[..], [(field, _)] if field.is_empty()).then(|| array.clone())
    }

    /// Says what a callee does, and names what may take its place.
    fn set_meaning(&mut self, module: &mut Module, descr: Descr, meaning: Meaning, unicode: bool) {
        module.descriptors.set_meaning(descr, meaning, unicode);
        // The functions that a header declares have no addresses; where a log prints them, one is none of them.
        if self.header.calls.contains_key(self.header.resolve(split(module.descriptors.name(descr)).1)) {
            module.descriptors.set_function(descr, meaning, unicode, 0);
        }
        if matches!(meaning, Meaning::RawMalloc | Meaning::RawFree) {
            let check = self.descr_of(module, "check_memory_error", "", Use::Opaque);
            module.descriptors.set_meaning(check, Meaning::MemoryCheck, false);
            module.descriptors.set_function(check, Meaning::MemoryCheck, false, 0);
            return;
        }
        if matches!(meaning, Meaning::ArrayCopy | Meaning::ArrayMove) {
            if let Some(array) = self.copied(module.descriptors.name(descr)) {
                let items = self.descr_of(module, "", &array, Use::Heap);
                module.descriptors.set_copied(descr, items);
            }
            return;
        }
        self.descr_of(module, if unicode { "unicode" } else { "str" }, "", Use::Chars);
        if meaning == Meaning::ToUnicode {
            self.descr_of(module, "unicode", "", Use::Chars);
        }
        for other in Meaning::COMPARING {
            if !Meaning::COMPARING.contains(&meaning) || module.descriptors.function(other, unicode).is_some()
            {
                continue;
            }
            let mut names: Vec<&String> = self
                .header
                .calls
                .keys()
                .filter(|name| self.meaning(name) == Some((other, unicode)))
                .collect();
            names.sort_unstable();
            if let Some(name) = names.first().map(|&name| name.clone()) {
                self.descr_of(module, "call_i", &name, Use::Call);
            }
        }
    }

    /// Says how memory outside the heap is accessed where the size of what is there is known.
    fn set_raw_access(&mut self, module: &mut Module, descr: Descr, word: &'static str, text: &str) {
        let Some(bits) = module.descriptors.location(descr).and_then(|location| location.stored_bits) else {
            return;
        };
        let (scale, by_bytes) = match word {
            word::RAW_BYTES => (1, descr),
            _ => (i64::from(bits) / 8, self.descr_of(module, word::RAW_BYTES, text, Use::Raw)),
        };
        module.descriptors.set_raw_access(descr, RawAccess { scale, by_bytes });
    }

    fn forces_frame(&self, text: &str) -> bool {
        let callee = self.header.calls.get(self.header.resolve(text));
        callee.is_some_and(|callee| callee.oopspec.as_deref() == Some("jit_force_virtualizable"))
    }

    /// The descriptors of a virtual reference: its size, its token, what it refers to. In a log they are
    /// always printed so.
    pub fn virtual_ref(&self) -> [String; 3] {
        let of = |name: &str| {
            let mut found: Vec<&String> = (self.header.fields.iter())
                .filter(|(_, field)| field.owner == "JitVirtualRef" && field.name == name)
                .map(|(descr, _)| descr)
                .collect();
            found.sort_unstable();
            found.first().map(|&descr| descr.clone())
        };
        let mut sizes: Vec<&String> = self
            .header
            .sizes
            .iter()
            .filter(|(_, of)| *of == "JitVirtualRef")
            .map(|(descr, _)| descr)
            .collect();
        sizes.sort_unstable();
        [
            sizes.first().map_or("<SizeDescr 24>".to_owned(), |&size| size.clone()),
            of("virtual_token").unwrap_or("<FieldP JitVirtualRef.virtual_token 8>".to_owned()),
            of("forced").unwrap_or("<FieldP JitVirtualRef.forced 16>".to_owned()),
        ]
    }

    /// The address of the class of what a descriptor allocates.
    fn class_of(&self, text: &str) -> Option<&str> {
        let size = self.header.sizes.get(self.header.resolve(text))?;
        self.header.structs.get(size)?.vtable.as_deref()
    }

    fn describe(&mut self, word: &str, text: &str, use_: Use) -> Descriptor {
        match use_ {
            Use::Heap | Use::PureItem | Use::Raw => match self.location(text) {
                Some(location) => Descriptor::Location(match use_ {
                    Use::PureItem => Location { mutability: Mutability::Immutable, ..location },
                    Use::Raw => Location { raw: true, ..location },
                    _ => location,
                }),
                None => Descriptor::Other,
            },
            Use::Chars => Descriptor::Location(Location {
                ty: Type::I64,
                stored_bits: Some(if word == "str" { 8 } else { 32 }),
                signed: false,
                mutability: Mutability::Mutable,
                alias_class: self.alias(word),
                raw: false,
            }),
            Use::New => Descriptor::Class,
            Use::Call => {
                let effect = self.declared_callee(text).unwrap_or_else(|| callee(text));
                // The operation says so itself, whatever its descriptor does.
                let loop_invariant = effect.loop_invariant || word.starts_with("call_loopinvariant");
                Descriptor::Callee(CallEffect { made: made(word), loop_invariant, ..effect })
            }
            Use::Reads => Descriptor::Callee(CallEffect {
                raises: false,
                forces_virtuals: false,
                invalidates: false,
                writes: Some(Vec::new()),
                ..CallEffect::unknown()
            }),
            Use::Computes => Descriptor::Callee(CallEffect::pure()),
            Use::Outside => Descriptor::Callee(CallEffect { elidable: false, ..CallEffect::pure() }),
            // What escapes is not called: quasi-immutable fields do not change by it.
            Use::Opaque => {
                let invalidates = !word.starts_with("escape_");
                Descriptor::Callee(CallEffect { invalidates, ..CallEffect::unknown() })
            }
            Use::Remark => Descriptor::Other,
        }
    }

    /// Declares guards on types, which a bridge may need where the text has none.
    pub fn declare_guards(&mut self, module: &mut Module) {
        for word in ["guard_is_object", "guard_subclass", "guard_gc_type"] {
            self.descr_of(module, word, "", Use::Remark);
        }
    }

    /// Declares what the numbers of layouts name.
    pub fn declare_layouts(&mut self, module: &mut Module) {
        let mut numbers: Vec<String> = self.header.layouts.keys().cloned().collect();
        numbers.sort_unstable();
        for number in numbers {
            if let Some(layout) = self.layout(module, &number) {
                let symbol = module.symbol(&format!("ConstInt({number})"));
                module.descriptors.set_layout(symbol, layout);
            }
        }
    }

    /// The layout that a number names.
    fn layout(&mut self, module: &mut Module, number: &str) -> Option<Layout> {
        let of = self.header.layouts.get(number)?.clone();
        if self.header.arrays.contains_key(self.header.resolve(&of)) {
            return Some(Layout::Array(self.descr_of(module, "", &of, Use::Heap)));
        }
        let size = self.header.sizes.get(self.header.resolve(&of))?;
        let vtable = self.header.structs.get(size)?.vtable.as_ref()?;
        Some(Layout::Object(module.symbols.intern_str(vtable).index() as u32))
    }

    /// The location that the header declares.
    fn declared_location(&mut self, text: &str) -> Option<Location> {
        let name = self.header.resolve(text).to_owned();
        let (slot, raw) = if let Some(field) = self.header.fields.get(&name) {
            (field.slot, false)
        } else if let Some((_, slot)) = self.header.interiors.get(&name) {
            (*slot, false)
        } else {
            let array = self.header.arrays.get(&name)?;
            let [(_, slot)] = array.items[..] else { return None };
            (slot, array.raw)
        };
        Some(Location {
            ty: slot.ty,
            stored_bits: Some(slot.bits),
            signed: slot.signed,
            mutability: slot.mutability,
            alias_class: self.alias(&name),
            raw,
        })
    }

    /// The callee that the header declares.
    fn declared_callee(&mut self, text: &str) -> Option<CallEffect> {
        let mut callee = self.header.calls.get(self.header.resolve(text))?.clone();
        // One that may make the frame's objects looks at what virtual references refer to.
        let [_, _, forced] = self.virtual_ref();
        if callee.effect.forces_virtuals && self.header.fields.contains_key(&forced) {
            callee.reads.as_mut().into_iter().for_each(|reads| reads.push(forced.clone()));
        }
        let [reads, writes] =
            [callee.reads, callee.writes].map(|names| names.filter(|names| self.are_declared(names)));
        let (reads, writes) = (self.classes(reads), self.classes(writes));
        Some(CallEffect { reads, writes, ..callee.effect })
    }

    /// Whether memory is meant by each of some names. Where one is misspelt, any memory may be.
    fn are_declared(&mut self, names: &[String]) -> bool {
        let is_array = |header: &Header, name: &str| header.arrays.contains_key(header.resolve(name));
        names.iter().all(|name| is_array(&self.header, name) || self.location(name).is_some())
    }

    /// The memory behind descriptors.
    pub(crate) fn classes(&mut self, names: Option<Vec<String>>) -> Option<Vec<u32>> {
        let mut classes: Vec<u32> = names?
            .iter()
            .map(|name| {
                let name = self.header.resolve(name).to_owned();
                self.alias(&name)
            })
            .collect();
        classes.sort_unstable();
        classes.dedup();
        Some(classes)
    }

    /// The location that a printed field, array or interior descriptor says.
    fn location(&mut self, text: &str) -> Option<Location> {
        if let Some(location) = self.declared_location(text) {
            return Some(location);
        }
        let inner = text.strip_prefix('<')?.strip_suffix('>')?;
        if let Some(field) = inner.strip_prefix("InteriorFieldDescr ") {
            // A field of an item is other memory than the same field of an object.
            let location = self.location(field)?;
            return Some(Location { alias_class: self.alias(text), ..location });
        }
        if let Some(array) = inner.strip_prefix("Array") {
            let mut words = array.split(' ');
            let (ty, signed) = kind(words.next()?)?;
            let bytes: u8 = words.next()?.parse().ok()?;
            let stored_bits = bytes.checked_mul(8).filter(|&bits| bits <= 64 && bits > 0);
            return Some(Location {
                ty,
                stored_bits,
                signed,
                mutability: Mutability::Mutable,
                alias_class: self.alias(text),
                raw: false,
            });
        }
        let field = inner.strip_prefix("Field")?;
        let (ty, signed) = kind(field.split(' ').next()?)?;
        let mutability = match (field.ends_with(" pure"), self.unchanging.contains(text)) {
            (_, true) => Mutability::Immutable,
            (true, false) => Mutability::QuasiImmutable,
            (false, false) => Mutability::Mutable,
        };
        Some(Location {
            ty,
            stored_bits: if ty == Type::I64 { None } else { Some(64) },
            signed,
            mutability,
            alias_class: self.alias(text),
            raw: false,
        })
    }

    /// What the items of an array are, if they are numbers.
    pub fn item(&self, text: &str) -> Option<Item> {
        let (ty, bits, signed) = match self.header.arrays.get(self.header.resolve(text)) {
            Some(array) => match &array.items[..] {
                [(field, slot)] if field.is_empty() => (slot.ty, slot.bits, slot.signed),
                _ => return None,
            },
            None => {
                let (letter, bytes) = text.strip_prefix("<Array")?.strip_suffix('>')?.split_once(' ')?;
                let (ty, signed) = kind(letter)?;
                (ty, bytes.parse::<u8>().ok()?.checked_mul(8)?, signed)
            }
        };
        (ty != Type::Ref && bits >= 8).then_some(Item { bytes: bits / 8, signed })
    }

    pub(crate) fn alias(&mut self, text: &str) -> u32 {
        let next = self.aliases.len() as u32;
        match self.aliases.get(text) {
            Some(&class) => class,
            None => {
                self.aliases.insert(text.to_owned(), next);
                next
            }
        }
    }
}

/// Whether the first argument of a kind of call tells if it is made.
pub(crate) fn made(word: &str) -> Made {
    match word {
        "cond_call" => Made::UnlessZero,
        "cond_call_value_i" | "cond_call_value_r" => Made::IfZero,
        _ => Made::Always,
    }
}

/// What a call is of which it is said at the call that it is elidable or loop-invariant.
fn plain_call(word: &str) -> Option<&'static str> {
    let kind =
        ["call_pure_", "call_loopinvariant_"].iter().find_map(|made_once| word.strip_prefix(made_once))?;
    match kind {
        "i" => Some("call_i"),
        "r" => Some("call_r"),
        "f" => Some("call_f"),
        "n" => Some("call_n"),
        _ => None,
    }
}

/// What a call is that its first argument tells to be made.
pub(crate) fn unconditional(word: &str) -> Option<&'static str> {
    match word {
        "cond_call" => Some("call_n"),
        "cond_call_value_i" => Some("call_pure_i"),
        "cond_call_value_r" => Some("call_pure_r"),
        _ => None,
    }
}

/// The word and the text of a descriptor's name: `call <Calli 8 r EF=2>` is `("call", "<Calli 8 r EF=2>")`.
/// A name without a word has an empty one. What is known besides is in no text.
pub fn split(name: &str) -> (&str, &str) {
    let word = |name: &str| {
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
    };
    match name.split_once(' ') {
        Some((first, rest)) if word(first) => (first, rest.find(BESIDES).map_or(rest, |end| &rest[..=end])),
        None if Opcode::from_name(name).is_some() => (name, ""),
        _ => ("", name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn described(text: &str, use_: Use) -> Descriptor {
        Vocabulary::new().describe("", text, use_)
    }

    #[test]
    fn sizes_of_items_are_known_and_those_of_fields_are_not() {
        let Descriptor::Location(item) = described("<ArrayU 2>", Use::Heap) else { panic!() };
        assert_eq!((item.ty, item.stored_bits, item.signed), (Type::I64, Some(16), false));
        let Descriptor::Location(field) = described("<FieldU pypy.PyFrame.inst_flag 178>", Use::Heap) else {
            panic!()
        };
        assert_eq!((field.ty, field.stored_bits, field.signed), (Type::I64, None, false));
    }

    #[test]
    fn a_pure_field_is_at_most_quasi_immutable() {
        let Descriptor::Location(field) = described("<FieldS W_IntObject.inst_intval 8 pure>", Use::Heap)
        else {
            panic!()
        };
        assert_eq!(field.mutability, Mutability::QuasiImmutable);
    }

    #[test]
    fn different_texts_are_different_memory() {
        let mut words = Vocabulary::new();
        let mut class = |text: &str| words.location(text).map(|l| l.alias_class);
        let length = class("<FieldS list.length 8>");
        assert_eq!(class("<FieldS list.length 8>"), length);
        assert_ne!(class("<FieldS list.length 16>"), length);
        assert_ne!(class("<InteriorFieldDescr <FieldS list.length 8>>"), length);
    }

    #[test]
    fn names_come_apart_as_they_were_made() {
        assert_eq!(split("call <Calli 8 r EF=2>"), ("call", "<Calli 8 r EF=2>"));
        assert_eq!(split("<FieldS list.length 8>"), ("", "<FieldS list.length 8>"));
        assert_eq!(split("valuedescr"), ("", "valuedescr"));
        assert_eq!(split("force_token"), ("force_token", ""));
    }
}
