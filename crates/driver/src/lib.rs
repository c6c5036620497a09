//! Sessions: from bytes of a dialect to optimized bytes.
//!
//! - [`dialect`]: the dialects by name and file ending.
//! - [`session`]: a program that was read: lifted, optimized, written.
//! - [`settings`]: how a program is optimized.
//! - [`run`]: what is done to its functions, and what that did.
//! - [`about`]: which functions are asked about.
//! - [`explain`]: every rewrite of a run as a line for people, or as JSON for tools.
//! - [`instrument`]: what is shown between passes.
//! - [`passes`]: the registry of passes for people.
//! - [`reading`]: what texts leave open.
//! - [`reduce`]: making a program small that shows a mistake.
//! - [`missed_patterns`]: pairs of operations of which no rule made anything.
//! - [`report`]: what is told of a run, from the [`states`] of its functions and what is [`logged`] of traces.
//! - [`confluence`]: whether two programs that two rules make of one become one again.
//! - [`statistics`]: what a run did, in numbers.
//! - [`validate`]: holding a program against another.
//! - [`bril`]: running Bril, whose output goes somewhere.
//! - [`evaluate`]: a Bril program that is given nothing becomes what it prints.
//! - [`execute`]: running a function of a program, on arguments that are texts.
//! - [`witness`]: who looks at optimized functions.
//! - [`rule_filter`]: which rules of the book pay in a dialect.
//! - [`logs`]: what is particular to logs of traces; those of any size, piece by piece.
//! - `traces`: what is particular to files of traces.
//!
//! The driver knows the dialects that are texts, and the optimizer; what is about jars is in a crate of its own. It opens no file and prints nothing: texts and
//! bytes come in and go out, and what is wrong comes back as a rendered message.

pub mod about;
mod as_it_was;
pub mod bril;
mod by_themselves;
pub mod confluence;
mod content;
pub mod dialect;
pub mod evaluate;
pub mod execute;
pub mod explain;
pub mod instrument;
mod log_traces;
pub mod logged;
pub mod logs;
pub mod missed_patterns;
pub mod passes;
mod places;
pub mod reading;
pub mod reduce;
pub mod report;
mod rounds;
pub mod rule_filter;
pub mod run;
pub mod session;
pub mod settings;
pub mod states;
pub mod statistics;
mod traces;
pub mod validate;
pub mod witness;

pub use dialect::Dialect;
pub use planish_ir::bridge::{FactKind, FactKinds};
pub use planish_jvm_analysis::precision::Precision;
pub use planish_trace_dialect::executed::Executed;
pub use planish_trace_dialect::facts::Facts;
pub use reading::{Reading, Writing};
pub use session::Session;
pub use settings::{Compat, EngineChoice, Settings, Watched};
pub use validate::Checked;
pub use witness::Witness;
