//! Jars, directories of classes and class files as programs: what `planish opt` does to them.
//!
//! A program comes in as one or more archives ([`inputs`], [`manifests`], [`releases`]), begins somewhere ([`programs`]), is
//! shrunk and optimized in [`rounds`], its bodies one by one in [`classes`], and goes out again ([`stored`], [`output_splitting`]). The rest
//! tells people about it.
//!
//! - [`inputs`]: several archives become one program, and what is around it.
//! - [`manifests`], [`releases`]: what jars say of themselves, and versions of classes for newer releases.
//! - [`programs`]: where a program begins, and what goes of it.
//! - [`rounds`]: shrinking and optimizing in turn until little changes.
//! - [`classes`]: bodies of methods, each for itself; [`narrate`]: the optimizer that tells what it did.
//! - [`cache`]: what became of classes in other runs.
//! - [`outcome`]: what became of them.
//! - [`assumptions`]: what is taken for granted.
//! - [`notes`]: places that look for classes and members by name, and may do so in vain; [`removed`]: what went.
//! - [`execution`]: programs run side by side.
//! - [`culprit`]: what makes a result do something else.
//! - [`retrace`]: stack traces turned back.
//! - [`agent`]: a jar that records what a program asks for by name while it runs.
//! - [`class_report`]: what is told of a run.
//! - [`summary`]: what jars need of others, as keep rules.
//! - [`renaming`]: new names, for classes and for what speaks of them.
//! - [`stored`]: entries of archives while they change; [`output_splitting`]: one archive for each input again.
//!
//! Like the driver, it opens no file and prints nothing.

pub mod agent;
pub mod assumptions;
mod attributes;
pub mod cache;
pub mod class_report;
pub mod classes;
pub mod culprit;
mod directories;
mod entry;
pub mod execution;
pub mod inputs;
pub mod library_rules;
mod listings;
pub mod manifests;
mod mapping;
mod modules;
pub mod narrate;
pub mod notes;
mod optimizations;
pub mod outcome;
pub mod output_splitting;
pub mod programs;
mod reflect_config;
pub mod releases;
pub mod removed;
pub mod renaming;
pub mod retrace;
pub mod rounds;
mod serial_versions;
mod shadowed;
pub mod stored;
pub mod summary;
