//! Bridges that know their parents (PyPy's `bridgeopt.py`, there for classes, fields and loop-invariant calls).
//!
//! A bridge is a trace that goes on where a guard of another one, its parent, fails. What the *optimized* parent established on
//! the way to that guard still holds there: classes, comparisons that came out one way, what memory holds, ranges and bits of
//! integers, and that the condition of this guard came out the other way. A guard of the source says less: an optimizer makes
//! guards stronger, moves and copies them, so what failed is known of the guard in the result only.
//!
//! [`tell`] finds out what holds ([`held`]), says it in terms of the values that the guard hands over, objects that its recipe
//! makes among them ([`terms`]), and puts it in front of the bridge as operations on its inputs and remarks about their results
//! ([`told`]). No pass knows that there was a parent, and the interpreter holds the bridge against its source under the same
//! promises. A guard that stands in several places (a loop that was peeled has two of each) lets a bridge know what holds in all of
//! them. What nothing uses in the end is taken out again by [`planish_ir::bridge::forget`].
//!
//! What a log of PyPy's says of its own parents is read from their text, which names descriptors for one trace only: that is
//! the dialect's.

mod heads;
mod held;
mod places;
mod ranges;
mod terms;
mod told;

use planish_domain::IntFact;
use planish_ir::bridge::{FactCounts, FactKind, FactKinds};
use planish_ir::module::{Descriptor, Descriptors};
use planish_ir::{Block, Const, Exit, ExitTarget, Function, Recipe, Slot, Value};
use planish_ops::world::{Descr, Remark, World};
use planish_ops::{Effect, Type};

use self::held::Held;
use self::terms::{Gather, Terms};
use crate::engine::Engine;

/// The descriptors of remarks that promise something.
#[derive(Clone, Copy, Debug)]
pub struct Promises {
    nonnull: Descr,
    class: Descr,
    value: Descr,
    result: Descr,
}

impl Promises {
    /// Declares the remarks. Their names are none that a dialect gives.
    pub fn declare(descriptors: &mut Descriptors) -> Promises {
        let mut remark = |name: &str, remark: Remark| {
            let descr = descriptors.intern(name, || Descriptor::Other);
            descriptors.set_remark(descr, remark);
            descr
        };
        Promises {
            nonnull: remark("told: not null", Remark::Nonnull),
            class: remark("told: class", Remark::ExactClass),
            value: remark("told: value", Remark::ExactValue),
            result: remark("told: result", Remark::KnownResult),
        }
    }
}

/// A parent of a bridge, and the number of the exit at which the bridge takes over.
#[derive(Clone, Copy)]
pub struct Parent<'a> {
    /// The trace as it was optimized.
    pub function: &'a Function,
    /// The number of the exit.
    pub exit: u32,
}

/// What a bridge takes of what its parent has where it leaves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Taken {
    /// What the other side of the exit gets: objects that only it needs are made before.
    State,
    /// What is kept for the exit, of which its recipe would make that: the bridge does so, where it needs the objects.
    Kept,
}

/// A place where a guard stands that leaves through an exit.
#[derive(Clone, Copy)]
struct Site<'a> {
    taken: Taken,
    function: &'a Function,
    block: Block,
    position: usize,
    exit: Exit,
}

impl<'a> Parent<'a> {
    /// The places where guards leave through the exit; nothing where some other operation does. O(length).
    fn sites(&self, taken: Taken) -> Option<Vec<Site<'a>>> {
        let function = self.function;
        let mut sites = Vec::new();
        for &block in function.blocks() {
            for (position, &inst) in function.block_insts(block).iter().enumerate() {
                let Some(exit) = function.inst(inst).exit else { continue };
                if function.exit(exit).target == ExitTarget::Leave(self.exit) {
                    if function.row(inst).effect != Effect::Guard {
                        return None;
                    }
                    sites.push(Site { taken, function, block, position, exit });
                }
            }
        }
        Some(sites)
    }
}

impl<'a> Site<'a> {
    /// What is made where control leaves, if the bridge takes what that gives.
    fn recipe(&self) -> Option<&'a Recipe> {
        self.function.recipe(self.exit).filter(|_| self.taken == Taken::State)
    }

    /// What the bridge takes, holes left out.
    fn state(&self) -> Vec<Slot> {
        let args = self.function.exit_args(self.exit);
        let is_value = |slot: &Slot| match *slot {
            Slot::Arg(position) => self.function.constant(args[position as usize]) != Some(Const::Hole),
            Slot::Made(_) => true,
        };
        match self.recipe() {
            Some(recipe) => recipe.state.iter().copied().filter(is_value).collect(),
            None => (0..args.len() as u32).map(Slot::Arg).filter(is_value).collect(),
        }
    }

    /// The types of that.
    fn types(&self) -> Option<Vec<Type>> {
        let types: Vec<Type> =
            self.function.exit_args(self.exit).iter().map(|&arg| self.function.ty(arg)).collect();
        let made = match self.recipe() {
            Some(recipe) => recipe.check(&types).ok()?,
            None => Vec::new(),
        };
        let of = |slot: &Slot| match *slot {
            Slot::Arg(position) => types.get(position as usize).copied(),
            Slot::Made(step) => made.get(step as usize).copied().flatten(),
        };
        self.state().iter().map(of).collect()
    }
}

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
            let here = ranges::of_state(engine, site, world, promises.value);
            match number {
                0 => known = here,
                _ => ranges::join(&mut known, &here),
            }
        }
    }
    let facts = common.unwrap_or_default();
    Some(told::write(bridge, &terms, &facts, &known, (promises, kinds)))
}

/// The values of a state in a parent, as far as they are values there.
fn value_of(site: Site<'_>, slot: Slot) -> Option<Value> {
    match slot {
        Slot::Arg(position) => site.function.exit_args(site.exit).get(position as usize).copied(),
        Slot::Made(_) => None,
    }
}
