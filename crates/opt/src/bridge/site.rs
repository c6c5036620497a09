//! Where a bridge goes on from: the places in its parents at which guards leave through its exit.

use planish_ir::{Block, Const, Exit, ExitTarget, Function, Recipe, Slot, Value};
use planish_ops::{Effect, Type};

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
pub(super) struct Site<'a> {
    pub(super) taken: Taken,
    pub(super) function: &'a Function,
    pub(super) block: Block,
    pub(super) position: usize,
    pub(super) exit: Exit,
}

impl<'a> Parent<'a> {
    /// The places where guards leave through the exit; nothing where some other operation does. O(length).
    pub(super) fn sites(&self, taken: Taken) -> Option<Vec<Site<'a>>> {
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
    pub(super) fn recipe(&self) -> Option<&'a Recipe> {
        self.function.recipe(self.exit).filter(|_| self.taken == Taken::State)
    }

    /// What the bridge takes, holes left out.
    pub(super) fn state(&self) -> Vec<Slot> {
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
    pub(super) fn types(&self) -> Option<Vec<Type>> {
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

/// The values of a state in a parent, as far as they are values there.
pub(super) fn value_of(site: Site<'_>, slot: Slot) -> Option<Value> {
    match slot {
        Slot::Arg(position) => site.function.exit_args(site.exit).get(position as usize).copied(),
        Slot::Made(_) => None,
    }
}
