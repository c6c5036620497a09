//! What a class means beyond its bytes.
//!
//! - [`hierarchy`]: which class extends which.
//! - [`vtype`], [`state`], [`transfer`]: the types of the verifier, and what instructions do to them.
//! - [`verify`]: the type-checking verifier, the judge of every method that is changed.
//! - [`frames`]: finding the types at branch targets of code that was made.
//! - [`program`]: the classes of a program, their members, and where a name leads; [`library`]: classes around it.
//! - [`names`]: names of classes and members for people.
//! - [`visibility`], [`linked`]: which members a class sees, and so may call.
//! - [`uses`]: references of a method body; [`bootstraps`]: what call sites begin with.

pub mod bootstraps;
pub mod frames;
pub mod hierarchy;
pub mod library;
pub mod linked;
pub mod names;
pub mod program;
pub mod state;
pub mod transfer;
pub mod uses;
pub mod verify;
pub mod visibility;
pub mod vtype;
