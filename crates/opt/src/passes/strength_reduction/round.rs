//! A loop in which strength is reduced, and what is found and made in it.

use hashbrown::HashMap;
use planish_base::SideTable;
use planish_ir::dominators::Dominators;
use planish_ir::{Block, Cfg, Function, Inst, Stands, Value};
use planish_pass::Price;
use planish_pass::loop_info::Natural;
use rustc_hash::FxBuildHasher;

use crate::analysis::evolution::Evolution;
use crate::analysis::expressions::{Expr, Expressions};
use crate::analysis::scalar_evolution::ScalarEvolution;

/// A loop as it is found.
pub(super) struct Own<'a> {
    pub cfg: &'a Cfg,
    pub dominators: &'a Dominators,
    pub l: &'a Natural,
    pub header: Block,
    /// The only block from outside that goes to the header, and nowhere else.
    pub front: Block,
    pub evolution: &'a Evolution,
    pub homes: &'a ScalarEvolution,
    pub inside: &'a dyn Fn(u32) -> bool,
}

/// One loop.
pub(super) struct Round<'a> {
    pub f: &'a mut Function,
    pub price: Price<'a>,
    pub own: Own<'a>,
    /// How often every value is used, itself or by the name of one for which it stands.
    pub uses: &'a mut SideTable<Value, u32>,
    /// What stands for values that go: they have no uses any more, but the function still names them.
    pub stands: &'a mut Stands,
    pub expressions: &'a mut Expressions,
    /// The operations that nothing needs any more.
    pub removed: &'a mut SideTable<Inst, bool>,
    /// How often edges out of the loop pass values on; others are not in it.
    pub passed_out: HashMap<Value, u32, FxBuildHasher>,
    /// Whether loops around have to be found anew: an edge out of this one was split, or what it begins with is extended in front.
    pub splits: bool,
}

/// A parameter of the header to which each round adds something.
#[derive(Clone, Copy)]
pub(super) struct Counter {
    pub param: Value,
    /// What it is in the next round, by an operation of the loop.
    pub next: Value,
}

/// What nobody needs any more when a value is known otherwise.
pub(super) struct Gone {
    /// The value that is known otherwise.
    pub known: Value,
    pub insts: Vec<Inst>,
    /// How many of its uses each value loses.
    pub lost: HashMap<Value, u32, FxBuildHasher>,
}

/// A value that becomes a counter of its own: what it is first, and what each round adds.
#[derive(Clone, Copy)]
pub(super) struct Chosen {
    pub value: Value,
    pub inst: Inst,
    pub start: Expr,
    pub step: Expr,
}

/// A counter that was made.
#[derive(Clone, Copy)]
pub(super) struct Made {
    pub param: Value,
    pub next: Value,
}
