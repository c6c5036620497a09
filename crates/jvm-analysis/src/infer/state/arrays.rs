//! What is known of arrays: what they hold, and who made them.

use planish_base::Id;
use planish_classfile::descriptor::Type as JavaType;
use planish_classfile::{Insn, Opcode, Operand};
use planish_domain::RefFact;
use planish_ir::Value;
use planish_jvm_model::hierarchy::Hierarchy;
use planish_jvm_model::program::Method;

use crate::infer::dependents::Dependents;
use crate::infer::fact::Fact;

planish_base::define_id!(
    /// What the arrays of a class hold that have items of one type.
    CellId, "cell"
);

planish_base::define_id!(
    /// A class of places that may hold the same arrays, of which it is known what is stored into them.
    ArrayClass, "arrays"
);

/// The types of items, in the order of the instructions that load them. Bytes and truths share one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::infer) enum Items {
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

    pub(in crate::infer) fn ty(self) -> JavaType<'static> {
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
    pub(in crate::infer) fn any(self, hierarchy: &Hierarchy) -> Fact {
        match self {
            Items::Reference => Fact::Ref(RefFact::TOP),
            _ => Fact::declared(self.ty(), hierarchy),
        }
    }

    /// What can be loaded after a value was stored. Of an array of truths that is the lowest bit.
    pub(in crate::infer) fn stored(self, fact: Fact, hierarchy: &Hierarchy) -> Fact {
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
pub(in crate::infer) struct Cell {
    pub(in crate::infer) fact: Fact,
    pub(in crate::infer) grown: u8,
}

/// The classes of arrays of a program, and what is known of them so far.
#[derive(Default)]
pub(in crate::infer) struct Arrays {
    /// By method where its values begin in the list, and where the last ones end.
    pub(in crate::infer) first: Vec<u32>,
    /// The values through which a method loads and stores items, in ascending order, with their classes, which are
    /// not open.
    pub(in crate::infer) values: Vec<(Value, ArrayClass)>,
    pub(in crate::infer) cells: Vec<Cell>,
    pub(in crate::infer) readers: Option<Dependents<CellId>>,
}

impl Arrays {
    /// The cell of the items of the array that a value of a method is; nothing if that may be anything.
    pub(in crate::infer) fn cell(&self, method: Method, array: Value, items: Items) -> Option<CellId> {
        let (&first, &end) = (self.first.get(method.index())?, self.first.get(method.index() + 1)?);
        let values = &self.values[first as usize..end as usize];
        let place = values.binary_search_by_key(&array, |(value, _)| *value).ok()?;
        Some(CellId::from_index(values[place].1.index() * Items::ALL.len() + items as usize))
    }
}
