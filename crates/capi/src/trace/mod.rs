//! Traces: the functions of `planish_trace.h`.
//!
//! Words, values and operations are numbers; a recorder in which a mistake of ours happened does nothing more.

mod record;
mod recorder;
#[cfg(test)]
mod tests;
mod walk;
mod words;
