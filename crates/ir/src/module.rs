//! Functions that know each other, and what their instructions name.
//!
//! A [`Module`] owns functions by name, the names of symbols, and the [`Descriptors`] that instructions
//! name. `Descriptors` is the plain implementation of [`World`]: data that a reader filled in.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use planish_base::{Arena, Id, Interner, SideTable};
use planish_ops::world::{
    CallEffect, Cells, Characters, Content, Descr, Fresh, Layout, Location, LookUp, Meaning, Mutability,
    RawAccess, Remark, TypeGuard, World,
};
use planish_ops::{Items, Named, Type};
use rustc_hash::FxBuildHasher;

use crate::constant::Symbol;
use crate::function::Function;
use crate::made_tables::MadeTables;

planish_base::define_id!(
    /// A function of a module.
    FuncId, "f"
);

/// What a descriptor stands for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Descriptor {
    /// A field, an array item, raw memory.
    Location(Location),
    /// A class or the size of an object.
    Class,
    /// Something that can be called.
    Callee(CallEffect),
    /// A constant table.
    Table(Arc<Items>),
    /// Anything else: a remark, a guard that nothing looks into.
    Other,
}

impl Descriptor {
    /// Its kind, of which operations say what they name.
    pub fn kind(&self) -> Named {
        match self {
            Descriptor::Location(_) => Named::Location,
            Descriptor::Class => Named::Class,
            Descriptor::Callee(_) => Named::Callee,
            Descriptor::Table(_) => Named::Table,
            Descriptor::Other => Named::Other,
        }
    }
}

/// What a symbol stands for.
#[derive(Clone, Default, Debug)]
pub struct ConstantObject {
    /// Its class, by the number of the symbol of the class's address.
    pub class: Option<u32>,
    /// The length of an array.
    pub length: Option<u64>,
    /// The fields that it has, or the array that it is.
    pub own: Vec<Descr>,
    /// What its places hold: fields have index 0.
    pub places: HashMap<(Descr, i64), Content, FxBuildHasher>,
    /// Whether it stands for any object of this content, by the number of fields that such an object has.
    pub stands_for: Option<usize>,
}

/// The plain [`World`]: a table of descriptors with names.
#[derive(Clone, Default)]
pub struct Descriptors {
    names: Interner<Descr, String>,
    data: Arena<Descr, Descriptor>,
    /// Constant tables that were made since, numbered behind `data`.
    made: MadeTables<Descriptor>,
    fresh: SideTable<Descr, Fresh>,
    /// Constants that stand for any object of their content, by what allocates such objects.
    standing: Vec<(Descr, u32)>,
    ranks: SideTable<Descr, u32>,
    only_forces: SideTable<Descr, bool>,
    only_marks: SideTable<Descr, bool>,
    made_once: SideTable<Descr, bool>,
    look_ups: SideTable<Descr, Option<LookUp>>,
    unfinished: SideTable<Descr, bool>,
    gives_item: SideTable<Descr, bool>,
    unconditional: SideTable<Descr, Option<Descr>>,
    remarks: SideTable<Descr, Option<Remark>>,
    positions: SideTable<Descr, u32>,
    /// Symbols that are objects and addresses of their own.
    objects: HashMap<u32, ConstantObject, FxBuildHasher>,
    /// The numbers that the classes below a class have.
    classes: HashMap<u32, (i64, i64), FxBuildHasher>,
    results: HashMap<Box<[Content]>, Content, FxBuildHasher>,
    meanings: SideTable<Descr, Option<(Meaning, bool)>>,
    cells: SideTable<Descr, Option<Cells>>,
    called: SideTable<Descr, Option<Box<str>>>,
    copied: SideTable<Descr, Option<Descr>>,
    type_guards: SideTable<Descr, Option<TypeGuard>>,
    /// The descriptors of guards, by what they ask.
    asking: [Option<Descr>; 3],
    owners: SideTable<Descr, Option<u32>>,
    layouts: HashMap<u32, Layout, FxBuildHasher>,
    layout_of: SideTable<Descr, Option<u32>>,
    raw: SideTable<Descr, Option<RawAccess>>,
    functions: HashMap<(Meaning, bool), (Descr, i64), FxBuildHasher>,
    typed_references: bool,
    characters: [Option<Descr>; 2],
    texts: HashMap<u32, Characters, FxBuildHasher>,
    text_symbols: HashMap<Characters, u32, FxBuildHasher>,
    next_symbol: Option<u32>,
    /// Descriptors that no declaration of the source names.
    implied: SideTable<Descr, bool>,
    /// Whether the dialect can spell a string; any without it.
    spells: Option<fn(&Characters) -> bool>,
}

impl Descriptors {
    /// The descriptor of a name, made with `data` when it is new.
    pub fn intern(&mut self, name: impl Into<String>, data: impl FnOnce() -> Descriptor) -> Descr {
        self.settle();
        let id = self.names.intern(name.into());
        if self.data.get(id).is_none() {
            let data = data();
            if let Descriptor::Table(items) = &data {
                self.made.declare(items, id);
            }
            self.data.push(data);
        }
        id
    }

    /// Puts tables that were made among the other descriptors. They keep their numbers.
    fn settle(&mut self) {
        for (name, descriptor) in self.made.list.take() {
            self.names.intern(name);
            self.data.push(descriptor);
        }
    }

    /// The descriptor of a name.
    pub fn lookup(&self, name: &str) -> Option<Descr> {
        let made = || {
            let mut made = (self.data.len()..).map(Descr::from_index).zip(self.made.list.iter());
            made.find(|(_, (other, _))| other == name).map(|(id, _)| id)
        };
        self.names.lookup_str(name).or_else(made)
    }

    /// The descriptor by which calls name the function of a name, if there is one.
    pub fn callee(&self, name: &str) -> Option<Descr> {
        self.lookup(name).filter(|&descr| matches!(self.data[descr], Descriptor::Callee(_)))
    }

    /// What a descriptor stands for.
    pub fn get(&self, descr: Descr) -> &Descriptor {
        self.data.get(descr).unwrap_or_else(|| &self.made(descr).1)
    }

    /// A table that was made.
    fn made(&self, descr: Descr) -> &(String, Descriptor) {
        let made =
            descr.index().checked_sub(self.data.len()).and_then(|index| self.made.list.get(index as u32));
        made.expect("a descriptor belongs to its module")
    }

    /// Replaces what a descriptor stands for.
    pub fn set(&mut self, descr: Descr, data: Descriptor) {
        self.settle();
        self.data[descr] = data;
    }

    /// Says that the source uses a descriptor without declaring it.
    pub fn set_implied(&mut self, descr: Descr) {
        self.implied[descr] = true;
    }

    /// Whether the source uses a descriptor without declaring it.
    pub fn is_implied(&self, descr: Descr) -> bool {
        self.implied[descr]
    }

    /// Says that references have types of their own, so that equal ones do not stand for each other.
    pub fn set_typed_references(&mut self) {
        self.typed_references = true;
    }

    /// Says what an allocation through a descriptor makes.
    pub fn set_fresh(&mut self, descr: Descr, fresh: Fresh) {
        self.fresh[descr] = fresh;
    }

    /// Says that a constant object stands for any object of its content which a descriptor allocates.
    pub fn set_standing(&mut self, allocation: Descr, symbol: Symbol) {
        let standing = (allocation, symbol.index() as u32);
        if !self.standing.contains(&standing) {
            self.standing.push(standing);
        }
    }

    /// Says that a call does nothing but make visible the object that its last argument names.
    pub fn set_only_forces(&mut self, descr: Descr) {
        self.only_forces[descr] = true;
    }

    /// Says that a guard never fails and marks a place at which others may leave.
    pub fn set_only_marks(&mut self, descr: Descr) {
        self.only_marks[descr] = true;
    }

    /// Says that the source makes a call once for equal operands.
    pub fn set_made_once(&mut self, descr: Descr) {
        self.made_once[descr] = true;
    }

    /// Says that a call looks a key up in a dictionary.
    pub fn set_look_up(&mut self, descr: Descr, look_up: LookUp) {
        self.look_ups[descr] = Some(look_up);
    }

    /// Says that a call gives an object without content, of which no two may meet in one parameter.
    pub fn set_unfinished(&mut self, descr: Descr) {
        self.unfinished[descr] = true;
    }

    /// Says that a call gives the item of its first operand at the place that is its second, and throws if there is none.
    pub fn set_gives_item(&mut self, descr: Descr) {
        self.gives_item[descr] = true;
    }

    /// Says what a call is that is made only sometimes, when it is made.
    pub fn set_unconditional(&mut self, descr: Descr, call: Descr) {
        self.unconditional[descr] = Some(call);
    }

    /// Says what a remark promises.
    pub fn set_remark(&mut self, descr: Descr, remark: Remark) {
        self.remarks[descr] = Some(remark);
    }

    /// Says which function a callee is, if that has another name than the descriptor.
    pub fn set_called(&mut self, descr: Descr, function: &str) {
        self.called[descr] = Some(function.into());
    }

    /// Says what a callee does with memory of cells.
    pub fn set_cells(&mut self, descr: Descr, cells: Cells) {
        self.cells[descr] = Some(cells);
    }

    /// Says when a store through a descriptor is made among others that wait.
    pub fn set_rank(&mut self, descr: Descr, rank: u32) {
        self.ranks[descr] = rank;
    }

    /// Says where a field stands among those of its object.
    pub fn set_position(&mut self, descr: Descr, position: u32) {
        self.positions[descr] = position;
    }

    /// What a symbol is known to be: an object of its own, no other one.
    pub fn object_mut(&mut self, symbol: Symbol) -> &mut ConstantObject {
        self.objects.entry(symbol.index() as u32).or_default()
    }

    /// Says that a symbol is the address of a class, below which are those whose own range begins within.
    pub fn set_class(&mut self, symbol: Symbol, range: (i64, i64)) {
        self.classes.insert(symbol.index() as u32, range);
    }

    /// Says what a callee does.
    pub fn set_meaning(&mut self, descr: Descr, meaning: Meaning, unicode: bool) {
        self.meanings[descr] = Some((meaning, unicode));
    }

    /// Says that the function at an address does something, so that it can be called.
    pub fn set_function(&mut self, descr: Descr, meaning: Meaning, unicode: bool, address: i64) {
        self.functions.entry((meaning, unicode)).or_insert((descr, address));
    }

    /// Says how memory outside the heap is accessed through a descriptor.
    pub fn set_raw_access(&mut self, descr: Descr, access: RawAccess) {
        self.raw[descr] = Some(access);
    }

    /// Says what a guard asks.
    pub fn set_type_guard(&mut self, descr: Descr, asks: TypeGuard) {
        self.type_guards[descr] = Some(asks);
        self.asking[asks as usize] = Some(descr);
    }

    /// Says from which class all objects with a field derive.
    pub fn set_owner(&mut self, field: Descr, class: Symbol) {
        self.owners[field] = Some(class.index() as u32);
    }

    /// Says which layout a symbol names.
    pub fn set_layout(&mut self, symbol: Symbol, layout: Layout) {
        if let Layout::Array(items) = layout {
            self.layout_of[items] = Some(symbol.index() as u32);
        }
        self.layouts.insert(symbol.index() as u32, layout);
    }

    /// Says which items a callee copies or moves between arrays.
    pub fn set_copied(&mut self, callee: Descr, items: Descr) {
        self.copied[callee] = Some(items);
    }

    /// Says which descriptor names the characters of strings.
    pub fn set_characters(&mut self, unicode: bool, descr: Descr) {
        self.characters[usize::from(unicode)] = Some(descr);
    }

    /// Says which string a symbol is.
    pub fn set_text(&mut self, symbol: Symbol, text: Characters) {
        self.text_symbols.entry(text.clone()).or_insert(symbol.index() as u32);
        self.texts.insert(symbol.index() as u32, text);
    }

    /// Says which number the next new symbol will have.
    pub fn set_next_symbol(&mut self, next: Option<u32>) {
        self.next_symbol = next;
    }

    /// Says which strings can become constants.
    pub fn set_spells(&mut self, spells: fn(&Characters) -> bool) {
        self.spells = Some(spells);
    }

    /// Says what a call that only computes gives.
    pub fn set_result(&mut self, operands: &[Content], result: Content) {
        self.results.insert(operands.into(), result);
    }

    /// All descriptors with their names, in order of first appearance.
    pub fn iter(&self) -> impl Iterator<Item = (Descr, &str, &Descriptor)> {
        let declared = self.names.iter().map(|(id, name)| (id, name.as_str(), &self.data[id]));
        let numbers = (self.data.len()..).map(Descr::from_index);
        declared.chain(numbers.zip(self.made.list.iter()).map(|(id, (name, data))| (id, name.as_str(), data)))
    }
}

impl World for Descriptors {
    fn name(&self, descr: Descr) -> &str {
        if descr.index() < self.data.len() { self.names.get(descr) } else { &self.made(descr).0 }
    }

    fn references_are_typed(&self) -> bool {
        self.typed_references
    }

    fn location(&self, descr: Descr) -> Option<Location> {
        match self.get(descr) {
            Descriptor::Location(location) => Some(*location),
            _ => None,
        }
    }

    fn raw_word(&self, like: Descr, bits: u8) -> Option<Descr> {
        let class = self.location(like)?.alias_class;
        let suits = |descr: &Descr| {
            let scale = self.raw_access(*descr).map_or(1, |access| access.scale);
            scale == 1
                && self.location(*descr).is_some_and(|location| {
                    location.alias_class == class
                        && location.ty == Type::Int(bits)
                        && location.stored_bits.is_none_or(|stored| stored == bits)
                        && location.mutability == Mutability::Mutable
                        && !location.raw
                })
        };
        self.data.ids().find(suits)
    }

    fn called(&self, callee: Descr) -> &str {
        self.called[callee].as_deref().unwrap_or_else(|| self.name(callee))
    }

    fn cells(&self, descr: Descr) -> Option<Cells> {
        self.cells[descr]
    }

    fn call_effect(&self, descr: Descr) -> &CallEffect {
        static UNKNOWN: CallEffect = CallEffect::unknown();
        match self.get(descr) {
            Descriptor::Callee(effect) => effect,
            _ => &UNKNOWN,
        }
    }

    fn table(&self, descr: Descr) -> Option<&Items> {
        match self.get(descr) {
            Descriptor::Table(items) => Some(items),
            _ => None,
        }
    }

    fn make_table(&self, items: Items) -> Option<Descr> {
        let make = |items| {
            // No two descriptors have one number, so only a name of the source can be the same.
            let number = self.data.len() + self.made.list.len() as usize;
            let mut name = format!("table.{number}");
            while self.names.lookup_str(&name).is_some() {
                name.push('_');
            }
            self.made.list.push((name, Descriptor::Table(Arc::new(items))));
            Descr::from_index(number)
        };
        Some(self.made.find_or_make(items, |descr, items| self.table(descr) == Some(items), make))
    }

    fn fresh(&self, descr: Descr) -> Fresh {
        self.fresh[descr]
    }

    fn rank(&self, descr: Descr) -> u32 {
        self.ranks[descr]
    }

    fn only_forces(&self, descr: Descr) -> bool {
        self.only_forces[descr]
    }

    fn only_marks(&self, descr: Descr) -> bool {
        self.only_marks[descr]
    }

    fn made_once(&self, descr: Descr) -> bool {
        self.made_once[descr]
    }

    fn look_up(&self, callee: Descr) -> Option<&LookUp> {
        self.look_ups[callee].as_ref()
    }

    fn unfinished(&self, descr: Descr) -> bool {
        self.unfinished[descr]
    }

    fn gives_item(&self, callee: Descr) -> bool {
        self.gives_item[callee]
    }

    fn unconditional(&self, descr: Descr) -> Option<Descr> {
        self.unconditional[descr]
    }

    fn remark(&self, descr: Descr) -> Option<Remark> {
        self.remarks[descr]
    }

    fn has_place(&self, symbol: u32, descr: Descr, index: i64) -> Option<bool> {
        let object = self.objects.get(&symbol)?;
        match (&object.length, &object.own) {
            (Some(length), _) => Some(index >= 0 && (index as u64) < *length && object.own.contains(&descr)),
            (None, own) => Some(own.contains(&descr)),
        }
    }

    fn standing_for(&self, allocation: Descr, fields: &[(Descr, Option<Content>)]) -> Option<u32> {
        let fits = |symbol: &u32| {
            let object = &self.objects[symbol];
            // What is not said of the constant may be anything.
            let same = |&(descr, held): &(Descr, Option<Content>)| {
                object.own.contains(&descr)
                    && object.places.get(&(descr, 0)).is_none_or(|&content| Some(content) == held)
            };
            object.stands_for == Some(fields.len()) && fields.iter().all(same)
        };
        let of = self.standing.iter().filter(|&&(descr, _)| descr == allocation);
        of.map(|&(_, symbol)| symbol).find(fits)
    }

    fn position(&self, descr: Descr) -> u32 {
        self.positions[descr]
    }

    fn differ(&self, a: u32, b: u32) -> bool {
        let classes = self.classes.contains_key(&a) && self.classes.contains_key(&b);
        // A string may be several constants, but different strings are different objects.
        let texts = self.texts.get(&a).zip(self.texts.get(&b)).is_some_and(|(a, b)| a != b);
        a != b && (texts || classes || self.objects.contains_key(&a) && self.objects.contains_key(&b))
    }

    fn class_of(&self, symbol: u32) -> Option<u32> {
        self.objects.get(&symbol)?.class
    }

    fn derives(&self, class: u32, from: u32) -> Option<bool> {
        let (class, from) = (self.classes.get(&class)?, self.classes.get(&from)?);
        Some(from.0 <= class.0 && class.0 <= from.1)
    }

    fn content(&self, symbol: u32, descr: Descr, index: i64) -> Option<Content> {
        self.objects.get(&symbol)?.places.get(&(descr, index)).copied()
    }

    fn length_of(&self, symbol: u32) -> Option<u64> {
        self.objects.get(&symbol)?.length
    }

    fn meaning(&self, descr: Descr) -> Option<(Meaning, bool)> {
        self.meanings[descr]
    }

    fn type_guard(&self, descr: Descr) -> Option<TypeGuard> {
        self.type_guards[descr]
    }

    fn type_guard_of(&self, asks: TypeGuard) -> Option<Descr> {
        self.asking[asks as usize]
    }

    fn layout_of(&self, descr: Descr) -> Option<u32> {
        self.layout_of[descr]
    }

    fn owner(&self, field: Descr) -> Option<u32> {
        self.owners[field]
    }

    fn layout(&self, symbol: u32) -> Option<Layout> {
        self.layouts.get(&symbol).copied()
    }

    fn raw_access(&self, descr: Descr) -> Option<RawAccess> {
        self.raw[descr]
    }

    fn copied(&self, callee: Descr) -> Option<Descr> {
        self.copied[callee]
    }

    fn function(&self, meaning: Meaning, unicode: bool) -> Option<(Descr, i64)> {
        self.functions.get(&(meaning, unicode)).copied()
    }

    fn characters(&self, unicode: bool) -> Option<Descr> {
        self.characters[usize::from(unicode)]
    }

    fn text(&self, symbol: u32) -> Option<&Characters> {
        self.texts.get(&symbol)
    }

    fn text_symbol(&self, text: &Characters) -> Option<u32> {
        self.text_symbols.get(text).copied()
    }

    fn next_symbol(&self) -> Option<u32> {
        self.next_symbol
    }

    fn can_spell(&self, text: &Characters) -> bool {
        self.spells.is_none_or(|spells| spells(text))
    }

    fn known_result(&self, operands: &[Content]) -> Option<Content> {
        self.results.get(operands).copied()
    }
}

/// What the text of a function names besides its own values: the tables of its module without the
/// functions, so that one function can be changed while another is shown.
#[derive(Clone, Copy)]
pub struct Tables<'a> {
    /// What instructions name.
    pub descriptors: &'a Descriptors,
    /// The names of symbols.
    pub symbols: &'a Interner<Symbol, String>,
}

/// A program.
#[derive(Clone, Default)]
pub struct Module {
    /// The functions, in the order of the source. A function's name is unique in its module.
    pub functions: Arena<FuncId, Function>,
    /// The names of symbols.
    pub symbols: Interner<Symbol, String>,
    /// What instructions name.
    pub descriptors: Descriptors,
    /// Functions that take over where an exit of a number leaves another one, each with that number. They begin nowhere else.
    pub bridges: Vec<(u32, FuncId)>,
}

impl Module {
    /// A module without functions.
    pub fn new() -> Self {
        Self::default()
    }

    /// What the text of a function names.
    pub fn tables(&self) -> Tables<'_> {
        Tables { descriptors: &self.descriptors, symbols: &self.symbols }
    }

    /// The function of a name. O(number of functions).
    pub fn find(&self, name: &str) -> Option<FuncId> {
        self.functions.iter().find(|(_, function)| function.name == name).map(|(id, _)| id)
    }

    /// Whether a function goes on in another one. O(size of the module) where there are entrances.
    pub fn goes_on(&self) -> bool {
        let entrances = self.functions.values().flat_map(|function| function.entrances());
        let entrances: HashSet<Descr, FxBuildHasher> = entrances.map(|entrance| entrance.descr).collect();
        let goes_on = |function: &Function| {
            let mut ends = function.blocks().iter().filter_map(|&block| function.goes_on_at(block));
            ends.any(|descr| entrances.contains(&descr))
        };
        !self.bridges.is_empty() || !entrances.is_empty() && self.functions.values().any(goes_on)
    }

    /// Whether a function begins only where another one is left. O(bridges).
    pub fn is_bridge(&self, function: FuncId) -> bool {
        self.bridges.iter().any(|&(_, bridge)| bridge == function)
    }

    /// The symbol of a name, made when it is new.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        self.symbols.intern_str(name)
    }
}
