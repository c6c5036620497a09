//! Passes that need what only a class file has.
//!
//! Of the methods of a program:
//!
//! - [`inline`]: inlining; [`specialize`]: procedure cloning for the arguments that calls have.
//! - [`identical`]: identical code folding; [`finals`]: final marking.
//! - [`merging`]: class merging; [`unboxing`]: enum unboxing.
//! - [`assumed`]: ProGuard's `-assumenosideeffects`.
//!
//! Of method bodies:
//!
//! - [`objects`]: what scalar replacement asks about objects.
//! - [`unused`], [`filled`]: dead field, store, object and array elimination.
//! - [`first_stores`]: redundant store elimination in class initializers.
//! - [`needless`], `type_tests`: redundant check elimination by types that a verifier sees (`seen`).
//! - [`texts`], [`concatenations`], [`text_calls`]: library call folding; [`contents`]: what is in texts that are only read;
//!   [`builders`]: texts that nobody needs.
//! - [`enum_switches`]: enum switch optimization; [`lambdas`]: devirtualization of lambdas.
//! - [`recursions`]: when tail recursion elimination is observable; [`compiled`]: what JVMs compile.
//! - [`unlinked`]: instructions that cannot be linked.

pub mod assumed;
pub mod builders;
pub mod compiled;
pub mod concatenations;
pub mod contents;
pub mod enum_switches;
pub mod filled;
pub mod finals;
pub mod first_stores;
pub mod identical;
pub mod inline;
pub mod lambdas;
mod marked;
pub mod merging;
pub mod needless;
pub mod objects;
pub mod recursions;
mod seen;
pub mod specialize;
mod splice;
mod straightened;
pub mod text_calls;
pub mod texts;
mod type_tests;
pub mod unboxing;
pub mod unlinked;
pub mod unused;
