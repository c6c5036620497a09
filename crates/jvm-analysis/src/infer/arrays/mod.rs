//! Points-to analysis of arrays by unification (Steensgaard 1996): what arrays hold.
//!
//! A field has a name, an array has none: which arrays a store may change is the question. It is answered before
//! anything else, by unification (Steensgaard, *Points-to analysis in almost linear time*, 1996): variables, fields,
//! parameters and results between which an array may pass are one *class* of places, and of each class there is one
//! more that the items of its arrays belong to, where those are arrays ([`flow`]). What is stored into an array through
//! some place can only be loaded through places of the same class, so a class has one [`Cell`] for each type of items,
//! which grows by what is stored and which loads give, as fields do. What is not in the cell is in no array.
//!
//! A class is *open* if anything but instructions of the program may have one of its arrays: what is passed to code
//! outside of the program or comes from there, whatever open methods and fields hold, what lambdas capture, and what is
//! in arrays of which that is true. Methods of the JDK that only read an array, or write something that is known, are
//! in a table ([`methods`]). Of open classes nothing is known but the type of the items.
//!
//! A new array holds zeros or nulls, so these are in the cell too, unless nobody can see them: each array of the class
//! is filled where it is made ([`filled`]), and no other thread can have it without what was stored before. That is so for
//! what only variables hold, static fields that the initializer of their class sets alone, since others wait for that,
//! and final fields that constructors set (The Java Language Specification, 12.4.2 and 17.5). Any other field may show an
//! array to a thread that sees no store to it yet.

mod filled;
mod flow;
pub(super) mod methods;
mod nodes;

use planish_base::Id;
use planish_classfile::descriptor::Type as JavaType;
use planish_classfile::{Insn, Opcode, Operand};
use planish_domain::RefFact;
use planish_ir::Value;

use crate::infer::Analysis;
use crate::infer::dependents::Dependents;
use crate::infer::evaluate::Evaluation;
use crate::infer::fact::Fact;
use planish_jvm_model::hierarchy::Hierarchy;
use planish_jvm_model::program::Method;

planish_base::define_id!(
    /// A class of places that may hold the same arrays, of which it is known what is stored into them.
    ArrayClass, "arrays"
);

planish_base::define_id!(
    /// What the arrays of a class hold that have items of one type.
    CellId, "cell"
);

/// The types of items, in the order of the instructions that load them. Bytes and truths share one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Items {
    Int,
    Long,
    Float,
    Double,
    Reference,
    Byte,
    Char,
    Short,
}

impl Items {
    pub const ALL: [Items; 8] = [
        Items::Int,
        Items::Long,
        Items::Float,
        Items::Double,
        Items::Reference,
        Items::Byte,
        Items::Char,
        Items::Short,
    ];

    /// Those that an instruction loads.
    pub fn loaded_by(op: Opcode) -> Option<Items> {
        Items::ALL.get((op as usize).checked_sub(Opcode::Iaload as usize)?).copied()
    }

    /// Those of an array that an instruction makes.
    pub fn made_by(instruction: &Insn) -> Option<Items> {
        match (instruction.op, &instruction.operand) {
            (Opcode::Anewarray, _) => Some(Items::Reference),
            (Opcode::Newarray, &Operand::Immediate(code)) => {
                let letters = b"ZCFDBSIJ";
                Items::of(*letters.get(usize::try_from(code.checked_sub(4)?).ok()?)?)
            }
            _ => None,
        }
    }

    /// Those whose type begins with a letter.
    pub fn of(letter: u8) -> Option<Items> {
        Some(match letter {
            b'I' => Items::Int,
            b'J' => Items::Long,
            b'F' => Items::Float,
            b'D' => Items::Double,
            b'L' | b'[' => Items::Reference,
            b'B' | b'Z' => Items::Byte,
            b'C' => Items::Char,
            b'S' => Items::Short,
            _ => return None,
        })
    }

    fn ty(self) -> JavaType<'static> {
        match self {
            Items::Int => JavaType::Int,
            Items::Long => JavaType::Long,
            Items::Float => JavaType::Float,
            Items::Double => JavaType::Double,
            Items::Reference => JavaType::Object(b"java/lang/Object"),
            Items::Byte => JavaType::Byte,
            Items::Char => JavaType::Char,
            Items::Short => JavaType::Short,
        }
    }

    /// Whatever may be loaded.
    fn any(self, hierarchy: &Hierarchy) -> Fact {
        match self {
            Items::Reference => Fact::Ref(RefFact::TOP),
            _ => Fact::declared(self.ty(), hierarchy),
        }
    }

    /// What can be loaded after a value was stored. Of an array of truths that is the lowest bit.
    fn stored(self, fact: Fact, hierarchy: &Hierarchy) -> Fact {
        let narrow = fact.stored(self.ty(), hierarchy);
        match (self, narrow, Fact::declared(JavaType::Boolean, hierarchy)) {
            (Items::Byte, Fact::Int(known), Fact::Int(truth)) if !known.implies(truth) => {
                Fact::Int(known.join(truth))
            }
            _ => narrow,
        }
    }
}

/// What is in the arrays of a class that have items of one type.
#[derive(Clone)]
struct Cell {
    fact: Fact,
    grown: u8,
}

/// The classes of arrays of a program, and what is known of them so far.
#[derive(Default)]
pub(super) struct Arrays {
    /// By method where its values begin in the list, and where the last ones end.
    first: Vec<u32>,
    /// The values through which a method loads and stores items, in ascending order, with their classes, which are
    /// not open.
    values: Vec<(Value, ArrayClass)>,
    cells: Vec<Cell>,
    readers: Option<Dependents<CellId>>,
}

impl Arrays {
    /// The cell of the items of the array that a value of a method is; nothing if that may be anything.
    fn cell(&self, method: Method, array: Value, items: Items) -> Option<CellId> {
        let (&first, &end) = (self.first.get(method.index())?, self.first.get(method.index() + 1)?);
        let values = &self.values[first as usize..end as usize];
        let place = values.binary_search_by_key(&array, |(value, _)| *value).ok()?;
        Some(CellId::from_index(values[place].1.index() * Items::ALL.len() + items as usize))
    }
}

impl Analysis<'_, '_, '_> {
    /// What a load of an item gives. The method that loads it depends on it from now on, if that is `news`.
    pub(super) fn item(&mut self, e: &mut Evaluation<'_>, array: Value, items: Items, is_news: bool) -> Fact {
        let Some(cell) = self.arrays.cell(e.method, array, items) else {
            return items.any(self.program.hierarchy);
        };
        if is_news {
            self.arrays.readers.get_or_insert_with(Dependents::new).add(cell, e.method);
        }
        self.arrays.cells[cell.index()].fact
    }

    /// Something is stored into an array.
    pub(super) fn store_item(&mut self, e: &Evaluation<'_>, array: Value, items: Items, fact: Fact) {
        let Some(cell) = self.arrays.cell(e.method, array, items) else { return };
        let fact = items.stored(fact, self.program.hierarchy);
        let Cell { fact: known, grown } = &mut self.arrays.cells[cell.index()];
        if known.grow(fact, grown, &self.classes) {
            self.clock += 1;
            for &reader in self.arrays.readers.iter().flat_map(|readers| readers.of(cell)) {
                self.methods[reader.index()].enqueue(reader, &mut self.queue);
            }
        }
    }
}
