//! The one SSA form: functions with block parameters and side exits.
//!
//! - [`function`]: what a function consists of, in arenas with typed indices.
//! - [`constant`]: constants, which are values outside every block.
//! - [`module`]: functions that know each other, and the descriptors that their instructions name.
//! - [`bridge`]: what a bridge is told of its parent, by kinds.
//! - [`builder`]: appending blocks and instructions.
//! - [`draft`]: functions over variables, as text languages write them.
//! - [`mod@construct`]: from variables to SSA.
//! - [`mod@infer`]: which variables refer to functions.
//! - [`mod@destruct`]: from SSA to variables.
//! - [`graph`]: a directed graph as two flat vectors.
//! - [`mod@cfg`]: the blocks of a function in numbers, with their edges.
//! - [`dominators`]: dominators of any rooted graph; [`loops`]: its loop nesting forest.
//! - [`liveness`]: which values are live where blocks begin and end.
//! - [`mod@copy`]: copies of blocks; [`mod@repair`]: SSA again, after values got several definitions.
//! - [`redundant_phis`]: block parameters that are one value, and those that nothing uses.
//! - [`references`]: functions as values, and the signatures of calls through them.
//! - [`recipe`]: what an exit makes for whoever goes on behind it.
//! - [`edit`]: the only place where an existing function changes.
//! - [`stands`]: what stands for values that go; [`heirs`], [`names`]: what is called as they were.
//! - [`text`]: the `.ssa` text, read and written.
//! - [`mod@expand`]: an operation said in terms of fewer others, for dialects that lack it.
//! - [`mod@legalize`]: the same in SSA, where what is said can be optimized.
//! - [`operators`]: the operators of a language of words, and what may be written in it.
//! - [`truth`]: which values are 0 or 1.
//! - [`mod@verify`]: the invariants of functions, numbered.
//!
//! A function is a control-flow graph. Each block has parameters, instructions and one
//! [`Terminator`]. An instruction whose row in the table of operations allows it may
//! own a side [`Exit`]: where control goes when it leaves, and the values that the other
//! side needs. So a failing guard of a trace and a throwing instruction of the JVM are ordinary
//! operations, and blocks do not shatter.
//!
//! Forms are promises about the same data (see [`Form`]); dialects differ in what is legal,
//! not in what an operation means.

pub mod bridge;
pub mod builder;
mod carry;
pub mod cfg;
pub mod constant;
pub mod construct;
pub mod copy;
pub mod destruct;
pub mod dominators;
pub mod draft;
pub mod edit;
pub mod expand;
pub mod extension;
pub mod function;
pub mod graph;
pub mod heirs;
pub mod infer;
pub mod legalize;
pub mod liveness;
pub mod loops;
mod made_tables;
pub mod module;
pub mod names;
pub mod operators;
pub mod recipe;
pub mod redundant_phis;
pub mod references;
pub mod repair;
pub mod returns;
pub mod stands;
pub mod text;
pub mod truth;
pub mod verify;

pub use builder::Builder;
pub use cfg::Cfg;
pub use constant::{Const, Symbol};
pub use copy::copy_blocks;
pub use function::{
    Block, BlockCall, Def, Exit, ExitData, ExitTarget, Form, Function, Handler, Inst, InstData, Location,
    Terminator, Value,
};
pub use graph::Graph;
pub use module::{FuncId, Module};
pub use recipe::{Recipe, RecipeId, RecipeStep, Slot};
pub use references::References;
pub use repair::{map_uses_in, repair};
pub use stands::Stands;
pub use verify::{Violation, verify, verify_module};
