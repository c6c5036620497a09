//! What is known of the function that is looked at.

use planish_ir::dominators::Dominators;
use planish_ir::{Cfg, Function};
use planish_ops::world::World;
use planish_pass::LoopInfo;

/// A function and its analyses.
#[derive(Clone, Copy)]
pub(super) struct Flow<'a> {
    pub f: &'a Function,
    pub world: &'a dyn World,
    pub cfg: &'a Cfg,
    pub dominators: &'a Dominators,
    pub loops: &'a LoopInfo,
}
