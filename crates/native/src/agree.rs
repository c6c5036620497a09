//! Whether machine code did what the interpreter did.

use planish_interp::{End, Val};

/// Whether a run of machine code may stand for one of the interpreter on the same arguments. What is undefined there
/// may be anything, and a run that was given up shows nothing.
pub fn agrees(interpreted: &End, compiled: &End) -> bool {
    let same = |old: &[Val], new: &[Val]| {
        let equal = |(old, new): (&Val, &Val)| matches!(old, Val::Undefined) || old == new;
        old.len() == new.len() && old.iter().zip(new).all(equal)
    };
    match (interpreted, compiled) {
        (End::Undefined(_) | End::OutOfFuel, _) | (_, End::OutOfFuel) => true,
        (End::Return(old), End::Return(new)) => same(old, new),
        (End::Leave(old, kept), End::Leave(new, other)) => old == new && same(kept, other),
        (End::Throw(old, kept), End::Throw(new, other)) => old == new && same(kept, other),
        (End::Trap(old), End::Trap(new)) => old == new,
        _ => false,
    }
}
