//! Functions and modules: the functions of `planish.h`, those of its optimizer apart.
//!
//! A module owns its functions; one that is built is the function at hand, to whose block at hand operations go. What can
//! be looked at when an operation is told is looked at then, the rest when its function is finished.

mod code;
mod datum;
mod ends;
mod functions;
pub mod handle;
mod operations;
pub mod run;
#[cfg(test)]
mod tests;
pub mod whole;
mod words;
