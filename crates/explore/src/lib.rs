//! A page on this machine on which a program and rules are typed, and what the optimizer makes of them is shown at once:
//! what Compiler Explorer is for compilers.
//!
//! ```text
//!  browser -- HTTP, loopback --> server -> lanes (one of each kind for each open page)
//!                                  |          |
//!                                  |          +-- lines of JSON --> worker process: work -> optimize, prove, wrong
//!                                  +-- verdicts of rules, by their text
//! ```
//!
//! - [`server`]: the addresses of the page, who may ask, and how much.
//! - [`lanes`]: questions that are answered by processes: a newer one ends an older one, and none lasts for ever.
//! - [`work`]: what such a process does with a question.
//! - `input`: what is asked; `examples`: programs to start from; `page`: what a browser loads.
//! - `optimize`: a program and what became of it. `counts`: what it executes, before and after.
//! - `rule_box`: the rules that are typed, what is wrong with them and what is proved. `wrong`: what a wrong rule does to a program.
//!
//! Nothing is written anywhere: a program is kept by whoever has its link. The crate opens no file and starts no process
//! by itself; its caller says how a worker is started.

mod counts;
mod examples;
mod input;
pub mod lanes;
mod optimize;
mod page;
mod rule_box;
pub mod server;
pub mod work;
mod wrong;

pub use input::MOST_PROGRAM;
pub use server::{Server, Setup};
