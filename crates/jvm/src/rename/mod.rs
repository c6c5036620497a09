//! Renaming, also called obfuscation: short names for classes, fields and methods that nothing finds by their own.
//!
//! - [`asked`]: what configurations ask for; [`old`]: names that an earlier run gave.
//! - `kept`: what keeps its name, since a rule, the JVM, a library or the program itself looks for it.
//! - `families`: methods that must be called alike, and members that must not be; `lambdas`: call sites that name one.
//! - `words`: names in their order; `classes`, `members`: who gets which; `same_lines`: methods that lines do not tell apart.
//! - [`naming`]: all of it; [`apply`]: a class file that speaks by the new names.

pub mod apply;
pub mod asked;
mod classes;
mod families;
pub(crate) mod kept;
mod lambdas;
mod members;
pub mod naming;
pub mod old;
mod same_lines;
mod words;
