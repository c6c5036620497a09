//! The stage: an optimization of memory that takes part in the engine's walk (the chain of passes of PyPy's optimizer).
//!
//! Heap forwarding, allocation removal and strings are together such a stage: an object that is shown operations of
//! the kinds it asks for, one at a time, after the engine's own simplification and before the operation is
//! emitted. What a stage answers is a closed enum, so that no stage can lose an effect by accident; what
//! it wants done it does through [`Cx`]. An operation that it does not ask for costs one question. The walk is
//! compiled for the stage that it has, so that what most operations need is asked without a call.
//!
//! ```text
//!  operation -> resolve operands -> engine's own -> stage -> emitted
//!                                      ^              |
//!                                      +------- it builds an operation (Cx::build)
//! ```
//!
//! Scopes: [`Stage::enter`] and [`Stage::leave`] bracket a block and everything that it dominates. What a
//! stage learned inside must be forgotten at `leave`; what it knows at the end of a block is true at the
//! start of a block that it dominates only if nothing on the way between could change it:
//! [`Place::straight`] says that there is no way but the one edge.

use planish_ir::{Block, Function, Inst, Value};
use planish_ops::Op;

use crate::engine::state::Cx;

/// What a stage says of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    /// Nothing: it is emitted.
    Keep,
    /// Its only result is this value, which is defined; the operation is gone.
    Value(Value),
    /// It is gone, and the stage has replaced every result that may be used.
    Gone,
    /// It always leaves, or never returns: what follows in the block cannot be reached. It stays.
    Last,
}

/// Where the walk enters a block.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Place {
    /// The block.
    pub block: Block,
    /// Whether the only way in is one edge from the block that dominates it.
    pub straight: bool,
}

/// An optimization that takes part in the walk.
pub trait Stage {
    /// The name in pipelines and statistics.
    fn name(&self) -> &'static str;

    /// Whether the stage wants to see an operation, always the same in one walk. Asked again and again, so it has to
    /// be quick.
    fn wants(&self, op: Op) -> bool;

    /// The walk begins. What the stage knows of another function is to be forgotten.
    fn start(&mut self, f: &Function) {
        let _ = f;
    }

    /// Looks at an operation whose operands are resolved. Remarks without operands are not shown.
    fn on(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome;

    /// The operation is about to be emitted: the last moment to emit others before it. Called for every
    /// emitted operation that [`wants`](Self::wants) named, remarks apart.
    fn emitting(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        let _ = (cx, inst);
    }

    /// The block ends here: the last moment to emit operations into it.
    fn end(&mut self, cx: &mut Cx<'_>, block: Block) {
        let _ = (cx, block);
    }

    /// The walk goes into a block.
    fn enter(&mut self, cx: &mut Cx<'_>, place: Place) {
        let _ = (cx, place);
    }

    /// Everything that a block dominates was visited.
    fn leave(&mut self, block: Block) {
        let _ = block;
    }
}

/// No stage.
impl Stage for () {
    fn name(&self) -> &'static str {
        "none"
    }

    fn wants(&self, _: Op) -> bool {
        false
    }

    fn on(&mut self, _: &mut Cx<'_>, _: Inst) -> Outcome {
        Outcome::Keep
    }
}
