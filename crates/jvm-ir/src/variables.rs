//! Local variables: which values of a lifted body have names.
//!
//! Tables of local variables say which slot holds a variable where. Slots are gone in SSA form and are
//! others afterwards, so names are tied to values: a value that is stored in the slot of a variable, or that
//! comes to where it has one, is that variable. Constants have no names, since they are shared. After
//! lowering a variable is where its value is kept and still needed ([`crate::lower`]), which a debugger may
//! trust; a value that went takes its name along.

use hashbrown::HashMap;
use planish_classfile::Code;
use planish_classfile::code::{CodeAttribute, CodeBody};
use planish_classfile::debug::LocalVariable;
use planish_ir::Value;
use rustc_hash::FxBuildHasher;

/// The names of the values of a body.
#[derive(Default)]
pub struct Variables {
    /// The constants that name the two tables, if the body has them.
    tables: (Option<u16>, Option<u16>),
    /// What is known of a variable: its row, and its generic type.
    rows: Vec<(LocalVariable, Option<u16>)>,
    /// The rows of each slot.
    of_slot: HashMap<u16, Vec<u32>, FxBuildHasher>,
    of_value: HashMap<Value, u32, FxBuildHasher>,
}

/// Where a variable is: its row, its slot, and the instructions from the first to one past the last.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Place {
    /// The row.
    pub row: u32,
    /// The slot.
    pub slot: u16,
    /// The first position.
    pub start: u32,
    /// One past the last position.
    pub end: u32,
}

impl Variables {
    /// The variables that the tables of a body list.
    pub fn of(code: &Code) -> Variables {
        let mut variables = Variables::default();
        for attribute in &code.attributes {
            if let CodeBody::Locals(list, false) = &attribute.body {
                variables.tables.0 = Some(attribute.name);
                for &local in list {
                    let row = variables.rows.len() as u32;
                    variables.rows.push((local, None));
                    variables.of_slot.entry(local.slot).or_default().push(row);
                }
            }
        }
        for attribute in &code.attributes {
            if let CodeBody::Locals(list, true) = &attribute.body {
                variables.tables.1 = Some(attribute.name);
                for generic in list {
                    let is_twin = |row: &&mut (LocalVariable, Option<u16>)| {
                        LocalVariable { descriptor: generic.descriptor, ..row.0 } == *generic
                    };
                    if let Some(row) = variables.rows.iter_mut().find(is_twin) {
                        row.1 = Some(generic.descriptor);
                    }
                }
            }
        }
        variables
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// From a position on, a slot holds a value.
    pub fn name(&mut self, value: Value, slot: u16, position: u32) {
        let rows = self.of_slot.get(&slot).map_or(&[][..], Vec::as_slice);
        let here = |row: &&u32| {
            let local = self.rows[**row as usize].0;
            (local.start..local.end).contains(&position)
        };
        if let Some(&row) = rows.iter().find(here) {
            self.of_value.entry(value).or_insert(row);
        }
    }

    /// The row of a value that has a name.
    pub fn row(&self, value: Value) -> Option<u32> {
        self.of_value.get(&value).copied()
    }

    /// Writes the tables of a body in which variables are at these places.
    pub fn write(&self, mut places: Vec<Place>, code: &mut Code) {
        places.sort_unstable();
        let mut merged: Vec<Place> = Vec::with_capacity(places.len());
        for place in places.into_iter().filter(|place| place.start < place.end) {
            match merged.last_mut() {
                Some(last) if (last.row, last.slot) == (place.row, place.slot) && place.start <= last.end => {
                    last.end = last.end.max(place.end);
                }
                _ => merged.push(place),
            }
        }
        merged.sort_unstable_by_key(|place| (place.start, place.slot, place.row));
        let (mut locals, mut generics) = (Vec::new(), Vec::new());
        for Place { row, slot, start, end } in merged {
            let (known, signature) = self.rows[row as usize];
            let local = LocalVariable { start, end, slot, ..known };
            // Rows that say the same of the same place are refused by JVMs.
            if locals.contains(&local) {
                continue;
            }
            locals.push(local);
            generics.extend(signature.map(|descriptor| LocalVariable { descriptor, ..local }));
        }
        for (name, list, generic) in [(self.tables.0, locals, false), (self.tables.1, generics, true)] {
            if let Some(name) = name.filter(|_| !list.is_empty()) {
                code.attributes.push(CodeAttribute { name, body: CodeBody::Locals(list, generic) });
            }
        }
    }
}
