//! Functions that know each other, and what their instructions name.
//!
//! A [`Module`] owns functions by name, the names of symbols, and the [`Descriptors`] that instructions
//! name. `Descriptors` is the plain implementation of [`World`]: data that a reader filled in.

use planish_base::{Arena, Interner, SideTable};
use planish_ops::world::{CallEffect, Descr, Fresh, Location, World};

use crate::constant::Symbol;
use crate::function::Function;

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
    /// Anything else: a remark, a guard that nothing looks into.
    Other,
}

/// The plain [`World`]: a table of descriptors with names.
#[derive(Clone, Default)]
pub struct Descriptors {
    names: Interner<Descr, String>,
    data: Arena<Descr, Descriptor>,
    fresh: SideTable<Descr, Fresh>,
    ranks: SideTable<Descr, u32>,
    only_forces: SideTable<Descr, bool>,
}

impl Descriptors {
    /// The descriptor of a name, made with `data` when it is new.
    pub fn intern(&mut self, name: impl Into<String>, data: impl FnOnce() -> Descriptor) -> Descr {
        let id = self.names.intern(name.into());
        if self.data.get(id).is_none() {
            self.data.push(data());
        }
        id
    }

    /// The descriptor of a name.
    pub fn lookup(&self, name: &str) -> Option<Descr> {
        self.names.lookup_str(name)
    }

    /// What a descriptor stands for.
    pub fn get(&self, descr: Descr) -> &Descriptor {
        &self.data[descr]
    }

    /// Replaces what a descriptor stands for.
    pub fn set(&mut self, descr: Descr, data: Descriptor) {
        self.data[descr] = data;
    }

    /// Says what an allocation through a descriptor makes.
    pub fn set_fresh(&mut self, descr: Descr, fresh: Fresh) {
        self.fresh[descr] = fresh;
    }

    /// Says that a call does nothing but make visible the object that its last argument names.
    pub fn set_only_forces(&mut self, descr: Descr) {
        self.only_forces[descr] = true;
    }

    /// Says when a store through a descriptor is made among others that wait.
    pub fn set_rank(&mut self, descr: Descr, rank: u32) {
        self.ranks[descr] = rank;
    }

    /// All descriptors with their names, in order of first appearance.
    pub fn iter(&self) -> impl Iterator<Item = (Descr, &str, &Descriptor)> {
        self.names.iter().map(|(id, name)| (id, name.as_str(), &self.data[id]))
    }
}

impl World for Descriptors {
    fn name(&self, descr: Descr) -> &str {
        self.names.get(descr)
    }

    fn location(&self, descr: Descr) -> Option<Location> {
        match &self.data[descr] {
            Descriptor::Location(location) => Some(*location),
            _ => None,
        }
    }

    fn call_effect(&self, descr: Descr) -> &CallEffect {
        static UNKNOWN: CallEffect = CallEffect::unknown();
        match &self.data[descr] {
            Descriptor::Callee(effect) => effect,
            _ => &UNKNOWN,
        }
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

    /// The symbol of a name, made when it is new.
    pub fn symbol(&mut self, name: &str) -> Symbol {
        self.symbols.intern_str(name)
    }
}
