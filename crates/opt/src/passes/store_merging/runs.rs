//! Stores that nobody sees one by one.

use planish_base::fault;
use planish_ir::{Block, Function, Inst, Stands};
use planish_ops::world::World;
use planish_ops::{Effect, Exits, Op};

use crate::analysis::alias::{Access, Alias, Place};

/// At most so many runs of stores wait at once.
const OPEN: usize = 4;

/// At most so many stores wait in a run.
const MOST: usize = 64;

/// A store of whole bytes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    pub inst: Inst,
    place: Place,
    /// How far behind the address that it has in common with others of its run.
    pub at: i64,
    /// How many bytes it writes.
    pub bytes: i64,
}

impl Stored {
    /// A store outside of the heap that writes all bits of so many bytes.
    fn of(alias: &Alias<'_>, inst: Inst, place: Place) -> Option<Stored> {
        let f = alias.f;
        let raw = place.raw.filter(|_| f.inst(inst).op == Op::RawStore)?;
        let width = f.ty(f.args(inst)[2]).int_width()?;
        let stored = alias.location(inst)?.stored_bits.map_or(width, u32::from);
        let is_whole = i64::from(stored) == 8 * raw.bytes && stored <= width;
        is_whole.then_some(Stored { inst, place, at: raw.at, bytes: raw.bytes })
    }

    /// Whether two stores are behind one address, in one alias class.
    fn is_beside(&self, other: &Stored) -> bool {
        let address = |stored: &Stored| (stored.place.class, stored.place.object, stored.place.index);
        address(self) == address(other)
    }
}

/// The stores of a block that may move to the last of those that they wait with, behind one address each, two at least.
pub(super) fn runs(f: &Function, world: &dyn World, block: Block) -> Vec<Vec<Stored>> {
    let alias = Alias { f, world };
    let (mut open, mut done): (Vec<Vec<Stored>>, Vec<Vec<Stored>>) = (Vec::new(), Vec::new());
    for &inst in f.block_insts(block) {
        let row = f.row(inst);
        let place = Access::kind(f.inst(inst).op).map(|_| alias.place(inst, &Stands::default()));
        match place {
            _ if row.exits != Exits::Never => done.append(&mut open),
            None if matches!(row.effect, Effect::Pure | Effect::Marker) => {}
            Some(Some(place)) => {
                let is_load = Access::kind(f.inst(inst).op) == Some(Access::Load);
                let is_blind = is_load && fault!("store-merging: loads see nothing");
                let sees = |stored: &Stored| !is_blind && !alias.are_apart(stored.place, place);
                done.extend(open.extract_if(.., |run| run.iter().any(sees)));
                if let Some(stored) = Stored::of(&alias, inst, place) {
                    wait(stored, &mut open, &mut done);
                }
            }
            // Any memory, or whoever looks at it.
            _ => done.append(&mut open),
        }
    }
    done.append(&mut open);
    done.retain(|run| run.len() > 1);
    done
}

/// Lets a store wait with others behind its address.
fn wait(stored: Stored, open: &mut Vec<Vec<Stored>>, done: &mut Vec<Vec<Stored>>) {
    match open.iter_mut().find(|run| run[0].is_beside(&stored) && run.len() < MOST) {
        Some(run) => run.push(stored),
        None => {
            if open.len() == OPEN {
                done.push(open.remove(0));
            }
            open.push(vec![stored]);
        }
    }
}
