//! The interface of scalar replacement to dialects: what makes an object, what is done to it, and what its fields hold.
//!
//! The table of operations has allocations, loads and stores. A dialect may have more that is about objects, as calls:
//! constructors, boxes of numbers, monitors. Its [`Aggregates`] says what those do, in words that any dialect understands.

use planish_ir::{Function, Inst, Value};
use planish_ops::world::{Descr, Extension};
use planish_ops::{Op, Type};

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kind {
    /// Its class, by a number. Where objects of different ones meet, they stay objects.
    pub class: u32,
    /// How many items an array has.
    pub length: Option<i64>,
    /// Whether it can be told from another one that holds the same.
    pub has_identity: bool,
}

/// An object that is made.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Made {
    /// What it is.
    pub kind: Kind,
    /// Whether its fields hold something at once, and not when a [constructor](Deed::Construct) was called.
    pub is_ready: bool,
}

/// A place of an object: a field or an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The field, or the array's kind of items, by a number.
    pub class: u32,
    /// The descriptor of an access. Where there are two of one class, nobody knows what they have in common.
    pub descr: Option<Descr>,
    /// The index of an item.
    pub index: Option<i64>,
    /// The type of what it holds.
    pub ty: Type,
    /// How a load makes a word of the bits that were stored, where those are fewer.
    pub narrow: Option<Extension>,
}

/// What an instruction does with the object that is its first operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Deed {
    /// Calls its constructor.
    Construct,
    /// Loads from a place; the result is what an operation makes of that, if one is named, with its type.
    Load(Place, Option<(Op, Type)>),
    /// Stores the last operand to a place.
    Store(Place),
    /// Asks what is known before.
    Answer(i64),
    /// Enters its monitor.
    Enter,
    /// Leaves its monitor.
    Leave,
}

/// What a dialect knows of objects.
pub trait Aggregates {
    /// What an instruction makes, if that may become its fields. Its one result is the object.
    fn made(&mut self, f: &Function, inst: Inst) -> Option<Made>;

    /// What an instruction does with an object of a kind, its first operand; `None` when that is not understood. Tests for
    /// null and comparisons of references are not asked for: they mean the same everywhere.
    fn deed(&mut self, f: &Function, inst: Inst, kind: Kind) -> Option<Deed>;

    /// Whether it is known what a place holds when an instruction has made or constructed the object.
    fn knows(&mut self, f: &Function, inst: Inst, place: &Place) -> bool;

    /// What a place holds then, which is [known](Self::knows), computed by operations that are added to `made`; `None` for
    /// zero or null.
    fn content(&mut self, f: &mut Function, inst: Inst, place: &Place, made: &mut Vec<Inst>)
    -> Option<Value>;

    /// Whether it pays to compute at run time which of several objects a name is. Where that would have to be, objects stay
    /// otherwise.
    fn tells_at_run_time(&self) -> bool;

    /// How many places of an object a block may have parameters for.
    fn most_parameters(&self) -> usize;
}
