//! Transforms of JVM programs.
//!
//! - [`transform`]: passes over method bodies and over the methods of a program.
//! - [`shrink`]: class files without what nothing needs.
//! - [`rename`]: short names for classes and members.
//! - [`bodies`]: the body optimizer, which runs passes over all method bodies of a class, each for itself, and keeps what is better.

pub mod bodies;
pub mod rename;
pub mod shrink;
pub mod transform;
