//! Bridges that know their parents (PyPy's `bridgeopt.py`, there for classes, fields and loop-invariant calls).
//!
//! A bridge is a trace that goes on where a guard of another one, its parent, fails. What the *optimized* parent established on
//! the way to that guard still holds there: classes, comparisons that came out one way, what memory holds, ranges and bits of
//! integers, and that the condition of this guard came out the other way. A guard of the source says less: an optimizer makes
//! guards stronger, moves and copies them, so what failed is known of the guard in the result only.
//!
//! [`tell`] finds out what holds (`held`), says it in terms of the values that the guard hands over, objects that its recipe
//! makes among them (`terms`), and puts it in front of the bridge as operations on its inputs and remarks about their results
//! (`told`). No pass knows that there was a parent, and the interpreter holds the bridge against its source under the same
//! promises. A guard that stands in several places (a loop that was peeled has two of each) lets a bridge know what holds in all of
//! them. What nothing uses in the end is taken out again by [`planish_ir::bridge::forget`].
//!
//! What a log of PyPy's says of its own parents is read from their text, which names descriptors for one trace only: that is
//! the dialect's.

mod heads;
mod held;
mod places;
mod promises;
mod ranges;
mod site;
mod terms;
mod told;

use planish_domain::IntFact;
use planish_ir::bridge::{FactCounts, FactKind, FactKinds};
use planish_ir::{Block, Const, Function, Recipe};
use planish_ops::Type;
use planish_ops::world::World;

use self::held::Held;
pub use self::promises::Promises;
use self::site::Site;
pub use self::site::{Parent, Taken};
use self::terms::{Gather, Terms};
use crate::engine::Engine;

/// The types of what a bridge takes that goes on from an exit: what its inputs have to be. Nothing where the parent has no guard
/// that leaves there, or several that hand over different things. O(length).
pub fn handed_over(parent: Parent<'_>, taken: Taken) -> Option<Vec<Type>> {
    let sites = parent.sites(taken)?;
    let first = sites.first()?.types()?;
    sites[1..].iter().all(|site| site.types().as_ref() == Some(&first)).then_some(first)
}

/// What a bridge that takes what is kept makes of that: the recipe of the exit, and which of its arguments are none. Nothing where
/// there is no recipe, or several are different.
pub fn left_to_make(parent: Parent<'_>) -> Option<(&Recipe, Vec<bool>)> {
    let sites = parent.sites(Taken::Kept)?;
    let holes = |site: &Site<'_>| -> Vec<bool> {
        let args = site.function.exit_args(site.exit).iter();
        args.map(|&arg| site.function.constant(arg) == Some(Const::Hole)).collect()
    };
    let made = |site: &Site<'_>| (parent.function.recipe(site.exit), holes(site));
    let first = made(sites.first()?);
    sites[1..].iter().all(|site| made(site) == first).then_some(())?;
    Some((first.0?, first.1))
}

/// Whether a trace has a guard that leaves through an exit. O(length).
pub fn is_left(parent: Parent<'_>) -> bool {
    parent.sites(Taken::State).is_some_and(|sites| !sites.is_empty())
}

/// Puts in front of a bridge what holds wherever control comes from one of its parents, of the kinds that are wanted, and counts
/// it. Nothing, where no parent has a guard that leaves through its exit, one hands over something else than the bridge takes, or the
/// bridge comes back to its first operation.
/// The engine is used for ranges. O(length of the parents).
pub fn tell(
    engine: &mut Engine,
    (parents, taken): (&[Parent<'_>], Taken),
    bridge: &mut Function,
    world: &dyn World,
    (promises, kinds): (Promises, FactKinds),
) -> Option<FactCounts> {
    let mut sites = Vec::new();
    for parent in parents {
        sites.extend(parent.sites(taken)?);
    }
    let inputs: Vec<Type> = bridge.params().iter().map(|&param| bridge.ty(param)).collect();
    let entry = bridge.entry();
    let comes_back = |&block: &Block| bridge.block_calls(block).any(|call| call.block == entry);
    if bridge.blocks().iter().any(comes_back)
        || sites.is_empty()
        || sites.iter().any(|site| site.types().as_ref() != Some(&inputs))
    {
        return None;
    }
    let mut terms = Terms::default();
    let mut common = None;
    let mut known: Vec<Option<IntFact>> = Vec::new();
    for (number, &site) in sites.iter().enumerate() {
        let held = Held::at(site, world);
        let facts = Gather::new(&held, &mut terms, kinds).facts();
        common = Some(match common {
            None => facts,
            Some(before) => terms::in_both(before, &facts),
        });
        if kinds.has(FactKind::Ranges) || kinds.has(FactKind::Bits) {
            let here = ranges::of_state(engine, site, world, promises);
            match number {
                0 => known = here,
                _ => ranges::join(&mut known, &here),
            }
        }
    }
    let facts = common.unwrap_or_default();
    Some(told::write(bridge, &terms, &facts, &known, (promises, kinds)))
}
