//! What a JIT's objects and functions are: its vocabulary, told once and shared by all traces.
//!
//! Two fields never overlap unless they are one; the optimizer relies on it when it moves loads across
//! stores. Items of arrays that are described apart do not overlap either, so arrays that a program may see
//! under two descriptions need one [`Array`] for both.

use planish_base::{Id, Interner};
use planish_ir::constant::Symbol;
use planish_ir::module::{Descriptor, Descriptors, Tables};
use planish_ops::Type;
use planish_ops::world::{CallEffect, Content, Descr, Fresh, Location, Mutability};
use planish_opt::bridge::Promises;

use crate::refused::Refused;

/// A field of objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Field {
    pub(crate) descr: Descr,
    pub(crate) ty: Type,
}

/// A kind of array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Array {
    pub(crate) descr: Descr,
    pub(crate) ty: Type,
}

/// A class of objects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Class {
    pub(crate) descr: Descr,
    pub(crate) address: Symbol,
}

/// A function that traces call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Callee {
    pub(crate) descr: Descr,
    pub(crate) address: Symbol,
}

/// The head of a loop that other traces may enter, and what they have to hand over.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    pub(crate) descr: Descr,
    /// Which of the lists of types is its.
    types: u32,
}

/// The vocabulary. Names are for people who read a trace; one that is told a second time is refused.
#[derive(Clone, Default)]
pub struct Words {
    pub(crate) descriptors: Descriptors,
    /// The remarks with which bridges begin, once there is one.
    promises: Option<Promises>,
    symbols: Interner<Symbol, String>,
    locations: u32,
    /// The types of what entries are handed.
    entries: Vec<Box<[Type]>>,
}

impl Words {
    /// A vocabulary without words.
    pub fn new() -> Self {
        Self::default()
    }

    /// A field of a type. An immutable one does not change once its object is filled in.
    pub fn field(&mut self, name: &str, ty: Type, mutability: Mutability) -> Result<Field, Refused> {
        Ok(Field { descr: self.location(name, ty, mutability)?, ty })
    }

    /// Arrays of items of a type.
    pub fn array(&mut self, name: &str, item: Type) -> Result<Array, Refused> {
        Ok(Array { descr: self.location(name, item, Mutability::Mutable)?, ty: item })
    }

    /// A class. The references in a new object are null and its other fields undefined until they are set.
    pub fn class(&mut self, name: &str) -> Result<Class, Refused> {
        let descr = self.word(name, Descriptor::Class)?;
        let address = self.symbols.intern_str(name);
        let number = u32::try_from(address.index()).expect("fewer than 2^32 classes");
        self.descriptors.set_fresh(descr, Fresh { class: Some(Content::Symbol(number)), cleared: true });
        Ok(Class { descr, address })
    }

    /// A function with what a call of it may do: [`CallEffect::pure`] for one that only computes,
    /// [`CallEffect::unknown`] for one of which nothing is known.
    pub fn callee(&mut self, name: &str, effect: CallEffect) -> Result<Callee, Refused> {
        let descr = self.word(name, Descriptor::Callee(effect))?;
        Ok(Callee { descr, address: self.symbols.intern_str(name) })
    }

    /// The head of a loop that other traces may enter, with the types of what they hand over: a contract between traces. Each
    /// loop that is recorded with it keeps to that, also a second one: a loop that is recorded again, since the first attempt
    /// was given up or the first version no longer holds. Which of them is entered is for whoever runs the traces to say.
    pub fn entry(&mut self, name: &str, types: &[Type]) -> Result<Entry, Refused> {
        let descr = self.word(name, Descriptor::Other)?;
        let number = u32::try_from(self.entries.len()).expect("fewer than 2^32 entries");
        self.entries.push(types.into());
        Ok(Entry { descr, types: number })
    }

    /// The types of what is handed over where a loop is entered.
    pub fn entered_with(&self, entry: Entry) -> &[Type] {
        &self.entries[entry.types as usize]
    }

    /// The name of a class or function whose address is a constant of a trace.
    pub fn symbol(&self, symbol: Symbol) -> &str {
        self.symbols.get(symbol)
    }

    /// The name of a field, array, class or function on an operation.
    pub fn name(&self, descr: Descr) -> &str {
        planish_ops::world::World::name(&self.descriptors, descr)
    }

    /// The remarks with which bridges begin.
    pub(crate) fn promises(&mut self) -> Promises {
        *self.promises.get_or_insert_with(|| Promises::declare(&mut self.descriptors))
    }

    pub(crate) fn tables(&self) -> Tables<'_> {
        Tables { descriptors: &self.descriptors, symbols: &self.symbols }
    }

    fn location(&mut self, name: &str, ty: Type, mutability: Mutability) -> Result<Descr, Refused> {
        of_values(ty)?;
        self.locations += 1;
        let location = Location {
            ty,
            stored_bits: None,
            signed: false,
            mutability,
            alias_class: self.locations,
            raw: false,
        };
        self.word(name, Descriptor::Location(location))
    }

    fn word(&mut self, name: &str, data: Descriptor) -> Result<Descr, Refused> {
        match self.descriptors.lookup(name) {
            Some(_) => Err(Refused::Taken(name.to_owned())),
            None => Ok(self.descriptors.intern(name, || data)),
        }
    }
}

/// Refuses a type that no value is of: effects are no values of a trace, and integers have 1 to 64 bits.
pub(crate) fn of_values(ty: Type) -> Result<(), Refused> {
    match ty {
        Type::Int(1..=64) | Type::Float(_) | Type::Ref => Ok(()),
        Type::Int(_) | Type::State | Type::Vector(_) => Err(Refused::Type(ty)),
    }
}

impl Class {
    /// The word, as operations name it.
    pub fn descr(self) -> Descr {
        self.descr
    }
}

impl Entry {
    /// The word, as steps that enter the loop name it.
    pub fn descr(self) -> Descr {
        self.descr
    }
}

impl Field {
    /// The word, as operations name it.
    pub fn descr(self) -> Descr {
        self.descr
    }
}

impl Array {
    /// The word, as operations name it.
    pub fn descr(self) -> Descr {
        self.descr
    }
}

impl Callee {
    /// The word, as operations name it.
    pub fn descr(self) -> Descr {
        self.descr
    }
}
