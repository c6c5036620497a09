//! Sessions: from bytes of a dialect to optimized bytes.
//!
//! - [`dialect`]: the dialects by name and file ending.
//! - [`session`]: a program that was read: lifted, optimized, written.
//! - [`run`]: how its functions are optimized, and what that did.
//! - [`classes`]: jars and class files, whose methods are optimized one by one.
//! - [`programs`]: several inputs as one program, without what nothing reaches.
//! - [`manifests`]: one manifest for several inputs.
//! - [`apart`]: the result of several inputs in as many archives.
//! - `directories`: which directories of a jar stay.
//! - `modules`: services and module descriptors of archives.
//! - [`assumptions`]: what is taken for granted of it.
//! - [`rounds`]: shrinking and optimizing such a program until nothing changes.
//! - [`narrate`]: what was done to the methods of classes.
//! - [`explain`]: every rewrite of a run as a line for people, or as JSON for tools.
//! - [`instrument`]: what is shown between passes.
//! - [`passes`]: the registry of passes for people.
//! - [`reduce`]: making a program small that shows a mistake.
//! - [`remains`]: pairs of operations of which no rule made anything.
//! - [`report`], [`class_report`]: a run as an HTML page.
//! - [`summary`]: what jars need of others, as keep rules.
//! - [`confluence`]: whether two programs that two rules make of one become one again.
//! - [`stored`]: entries of archives while they change.
//! - [`statistics`]: what a run did, in numbers.
//! - [`validate`]: holding a program against another.
//! - [`bril`]: running Bril, whose output goes somewhere.
//! - [`evaluate`]: a Bril program that is given nothing becomes what it prints.
//! - `suits`: which rules of the book pay in a dialect.
//! - [`logs`]: what is particular to logs of traces; those of any size, piece by piece.
//! - `traces`: what is particular to files of traces.
//!
//! The driver alone knows all dialects and the optimizer. It opens no file and prints nothing: texts and
//! bytes come in and go out, and what is wrong comes back as a rendered message.

pub mod apart;
pub mod assumptions;
mod attributes;
pub mod bril;
pub mod class_report;
pub mod classes;
pub mod confluence;
pub mod culprit;
pub mod dialect;
mod directories;
pub mod evaluate;
pub mod explain;
pub mod inputs;
pub mod instrument;
mod listings;
pub mod logs;
pub mod manifests;
mod mapping;
mod modules;
pub mod narrate;
pub mod notes;
mod optimizations;
pub mod passes;
pub mod programs;
pub mod reduce;
mod reflect_config;
pub mod releases;
pub mod remains;
pub mod removed;
pub mod report;
pub mod retrace;
pub mod rounds;
pub mod run;
mod serial_versions;
pub mod session;
mod shadowed;
pub mod statistics;
pub mod stored;
mod suits;
pub mod summary;
mod traces;
pub mod validate;

pub use dialect::Dialect;
pub use planish_jvm::program::precision::Precision;
pub use run::{Compat, EngineChoice, Settings, Watched};
pub use session::{Reading, Session, Writing};
pub use validate::Checked;
