//! JVM bytecode: what a class means beyond its bytes.
//!
//! - [`hierarchy`]: which class extends which.
//! - [`vtype`], [`state`], [`transfer`]: the types of the verifier, and what instructions do to them.
//! - [`verify`]: the type-checking verifier, the judge of every method that is changed.
//! - [`frames`]: finding the types at branch targets of code that was made.
//! - [`shape`], [`naming`], [`lift`]: from bytecode to SSA.
//! - [`variables`]: the names of values.
//! - [`redundant_phis`]: block parameters that are one value.
//! - [`lower`]: from SSA to bytecode; [`tails`]: equal ends of it that become one.
//! - [`keep`]: configuration files that say what a program needs.
//! - [`program`]: what a whole program needs, and classes without the rest.
//! - [`bodies`]: all method bodies of a class, each for itself; [`record`]: what became of them; [`settled`]: those
//!   that are as good as they get; [`bootstraps`]: what their call sites begin with.

pub mod bodies;
pub mod bootstraps;
pub mod frames;
pub mod hierarchy;
pub mod keep;
pub mod lift;
pub mod lower;
pub mod naming;
pub mod program;
pub mod record;
pub mod redundant_phis;
pub mod settled;
pub mod shape;
pub mod state;
pub mod surroundings;
pub mod tails;
pub mod transfer;
pub mod variables;
pub mod verify;
pub mod vtype;

pub use hierarchy::{ClassId, Hierarchy, Origin};
pub use state::{State, VerifyError};
pub use transfer::MethodInfo;
pub use vtype::{TypeContext, VType};
