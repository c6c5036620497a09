//! Memory of cells, which only calls touch ([`Cells`]).
//!
//! An allocation is a row of cells that hold nothing yet. A pointer is a reference whose number says which row,
//! and how far from its start. What such memory refuses means nothing: an access outside of a row, or to one that
//! is freed, reading what was never written, freeing twice or in the middle. The same is said of pointers that the
//! run did not make.

use hashbrown::HashMap;
use planish_ops::Type;
use planish_ops::world::Cells;
use rustc_hash::FxBuildHasher;

use crate::value::{Reference, Val};

/// What marks the number of a pointer to a cell.
const POINTER: u64 = 1 << 62;

/// Rows of cells.
#[derive(Default)]
pub(crate) struct CellMemory {
    /// How many cells each row has; nothing once it is freed.
    rows: Vec<Option<i64>>,
    /// What cells hold, by row and place.
    held: HashMap<(usize, i64), Val, FxBuildHasher>,
}

/// What memory answers, or why that means nothing.
type Answer = Result<Option<Val>, &'static str>;

impl CellMemory {
    /// How many rows were not freed.
    pub fn open(&self) -> usize {
        self.rows.iter().flatten().count()
    }

    /// What a call of a function about cells gives; `ty` is the type of its result, if it has one.
    pub fn call(&mut self, what: Cells, args: &[Val], ty: Option<Type>) -> Answer {
        match (what, args) {
            (Cells::Allocate, &[Val::Int(size)]) => {
                let size = Some(size.signed()).filter(|&size| size > 0);
                self.rows.push(Some(size.ok_or("an allocation of no cells")?));
                Ok(Some(pointer(self.rows.len() - 1, 0)))
            }
            (Cells::Free, &[at]) => {
                let (row, offset) = place(at)?;
                let row = self.rows.get_mut(row).filter(|row| row.is_some() && offset == 0);
                *row.ok_or("what is freed is no allocation")? = None;
                Ok(None)
            }
            (Cells::Load, &[at]) => {
                let held = self.held.get(&self.cell(at)?).copied().filter(|value| value.ty() == ty);
                Ok(Some(held.ok_or("what is read was never written")?))
            }
            (Cells::Store, &[at, value]) => {
                let cell = self.cell(at)?;
                self.held.insert(cell, value);
                Ok(None)
            }
            (Cells::Move, &[at, Val::Int(by)]) => {
                let (row, offset) = place(at)?;
                let moved = offset.checked_add(by.signed()).and_then(|moved| i32::try_from(moved).ok());
                Ok(Some(pointer(row, moved.ok_or("a pointer moves too far")?)))
            }
            _ => Err("a call about cells on other operands"),
        }
    }

    /// The row and place of a cell that is there.
    fn cell(&self, at: Val) -> Result<(usize, i64), &'static str> {
        let (row, offset) = place(at)?;
        let size =
            self.rows.get(row).copied().flatten().ok_or("an access to memory that is not allocated")?;
        if (0..size).contains(&offset) {
            Ok((row, offset))
        } else {
            Err("an access outside of an allocation")
        }
    }
}

fn pointer(row: usize, offset: i32) -> Val {
    Val::Ref(Reference::Outside(POINTER | (row as u64) << 32 | u64::from(offset as u32)))
}

fn place(at: Val) -> Result<(usize, i64), &'static str> {
    match at {
        Val::Ref(Reference::Outside(number)) if number & POINTER != 0 => {
            Ok((((number ^ POINTER) >> 32) as usize, i64::from(number as u32 as i32)))
        }
        _ => Err("an access through no pointer"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn memory_holds_what_was_stored_and_notices_what_is_wrong() {
        let mut memory = CellMemory::default();
        let int = |value| Val::int(Type::I64, value);
        let ty = Some(Type::I64);
        let p = memory.call(Cells::Allocate, &[int(2)], Some(Type::Ref)).unwrap().unwrap();
        let q = memory.call(Cells::Move, &[p, int(1)], Some(Type::Ref)).unwrap().unwrap();
        assert_eq!(memory.call(Cells::Load, &[q], ty), Err("what is read was never written"));
        memory.call(Cells::Store, &[q, int(-7)], None).unwrap();
        assert_eq!(memory.call(Cells::Load, &[q], ty), Ok(Some(int(-7))));
        let behind = memory.call(Cells::Move, &[q, int(1)], Some(Type::Ref)).unwrap().unwrap();
        assert_eq!(memory.call(Cells::Load, &[behind], ty), Err("an access outside of an allocation"));
        assert_eq!((memory.open(), memory.call(Cells::Free, &[q], None).is_err()), (1, true));
        memory.call(Cells::Free, &[p], None).unwrap();
        assert_eq!(memory.open(), 0);
        assert_eq!(memory.call(Cells::Load, &[q], ty), Err("an access to memory that is not allocated"));
        assert!(memory.call(Cells::Load, &[Val::Ref(Reference::Outside(3))], ty).is_err());
        assert!(memory.call(Cells::Allocate, &[int(0)], Some(Type::Ref)).is_err());
    }
}
