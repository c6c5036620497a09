//! The exception table.
//!
//! Each instruction that may throw knows its handlers. Neighbours with the same handlers share an entry
//! of the table, and so do instructions with others between them that cannot throw, as long as those
//! do not store into a slot that the handler reads: a verifier looks at the types before every
//! instruction of a range, whether that throws or not.

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::Handler;
use rustc_hash::FxBuildHasher;

use crate::lower::item::{Guard, Item, Kind, Label};
use crate::lower::select::{Outcome, Selected};
use crate::lower::slots::Slots;
use crate::shape::may_throw;

/// The entries of the table in order. `starts` gives the first instruction of each item.
pub fn handlers(
    selected: &Selected,
    slots: &Slots,
    starts: &[u32],
    at_label: &HashMap<Label, u32, FxBuildHasher>,
) -> Outcome<Vec<Handler>> {
    let mut ranges: Vec<(u32, u32, Guard)> = Vec::new();
    let mut open: Option<(u32, u32, Guard)> = None;
    for (index, made) in selected.items.iter().enumerate() {
        let breaks = match (&made.item, open) {
            // Other paths come in, on which the slots of the handler need not be set.
            (Item::Label(_), Some(_)) => true,
            (Item::Store { to, .. }, Some((_, _, guard))) => {
                let kind = selected.kinds[*to];
                let first = slots.slots[to.index()];
                let stored = first..first + kind.slots();
                selected.guards.get(guard).iter().any(|catch| {
                    slots.live_at(catch.target).iter().any(|&register| {
                        let other = selected.kinds[register];
                        let slot = slots.slots[register.index()];
                        let read = slot..slot + other.slots();
                        let overlap = stored.start < read.end && read.start < stored.end;
                        overlap && (kind != other || kind == Kind::Ref || first != slot)
                    })
                })
            }
            // Thrown here, an exception is not for these handlers.
            (Item::Insn(instruction), Some(_)) if made.guard.is_none() => may_throw(instruction.op),
            _ => made.guard.is_some() && open.is_some_and(|(_, _, guard)| Some(guard) != made.guard),
        };
        if breaks {
            ranges.extend(open.take());
        }
        if let Some(guard) = made.guard {
            let (start, end) = (starts[index], starts[index + 1]);
            open = Some(match open {
                Some((first, _, _)) => (first, end, guard),
                None => (start, end, guard),
            });
        }
    }
    ranges.extend(open);
    ranges.dedup_by(|next, last| {
        let joins = last.1 == next.0 && last.2 == next.2;
        if joins {
            last.1 = next.1;
        }
        joins
    });
    let mut handlers = Vec::new();
    for (start, end, guard) in ranges {
        for catch in selected.guards.get(guard) {
            let target = *at_label.get(&catch.target).ok_or("a handler that is nowhere")?;
            handlers.push(Handler { start, end, target, class: catch.class });
        }
    }
    Ok(handlers)
}
