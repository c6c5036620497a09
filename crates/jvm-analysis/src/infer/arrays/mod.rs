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
mod nodes;

use planish_base::Id;
use planish_ir::Value;

use crate::infer::dependents::Dependents;
use crate::infer::evaluation::Evaluation;
use crate::infer::fact::Fact;
use crate::infer::state::Analysis;
use crate::infer::state::arrays::{Cell, Items};

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
