//! Method bodies of the JVM to SSA and back.
//!
//! - [`code`]: bodies of a program, without what nothing reaches; [`shape`]: their control-flow graph.
//! - [`lift`]: from bytecode to SSA; [`naming`]: what its instructions name; [`surroundings`]: what is known around a class.
//! - [`variables`]: the names of values.
//! - [`narrow`]: numbers narrower than an `int`.
//! - [`lower`]: from SSA to bytecode; [`tails`]: equal ends of it that become one.

pub mod code;
pub mod lift;
pub mod lower;
pub mod naming;
pub mod narrow;
pub mod shape;
pub mod surroundings;
pub mod tails;
pub mod variables;
