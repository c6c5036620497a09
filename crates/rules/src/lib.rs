//! The rule language: text in, matchers out.
//!
//! ```text
//!  *.rules -> lexer -> parser -> check -> Rule --> semantics (what a rule claims) --> the prover
//!                                          |
//!                                          +--> cost, cycles (why rewriting ends)
//!                                          |
//!                                          +--> order -> rows -> tree --> interpret (in memory)
//!                                                                   |
//!                                                                   +--> emit (Rust)
//! ```
//!
//! - [`lexer`], [`parser`], [`syntax`]: text to what is written.
//! - [`check`], [`unify`], [`rule`]: what is written to typed rules; all errors of a file in one run.
//! - [`functions`], [`guess`], [`eval`]: the expressions of checks and computed constants.
//! - [`speaks`]: of which types a rule speaks. [`semantics`]: what it claims, over any
//!   [`Floats`](planish_ops::Floats); [`exhaust`] tries it on every input of small widths, [`sample`] on some of wide ones.
//! - [`cost`], [`cycles`]: the order that every rule must decrease; [`critical`]: programs that two rules rewrite.
//! - [`order`], [`rows`], [`tree`]: in which order rules are tried, and decision trees; `shadow`, `implied`: rules that no input reaches.
//! - [`matching`]: what a matcher looks at and answers; [`interpret`] walks a tree in memory, [`apply`]
//!   is what a row does at its leaf; [`graph`] is the smallest program to match on.
//! - [`emit`]: the same trees as readable Rust; [`info`] is what that Rust knows of a rule.
//! - [`chain`]: sums, products and bitwise chains as a whole, which no rule sees.
//! - [`set`]: files read together, judged and matched; [`show`], [`stats`], [`trial`], [`example`], [`formula`]:
//!   rules, counts and near misses for people.
//!
//! The crate knows nothing of functions, engines or solvers. The language's grammar and the laws for
//! authors are in `rules/README.md`.

pub mod apply;
pub mod chain;
pub mod check;
pub mod cost;
pub mod critical;
pub mod cycles;
pub mod emit;
pub mod eval;
pub mod example;
pub mod exhaust;
pub mod formula;
pub mod functions;
pub mod graph;
pub mod guess;
mod implied;
pub mod info;
pub mod interpret;
pub mod lexer;
pub mod matching;
mod misfits;
mod named;
pub mod order;
pub mod parser;
pub mod rows;
pub mod rule;
pub mod sample;
pub mod semantics;
pub mod set;
pub mod shadow;
pub mod show;
pub mod speaks;
pub mod stats;
pub mod syntax;
pub mod tree;
pub mod trial;
pub mod unify;

pub use matching::{Outcome, Rewrite, Root, Subject};
pub use rule::{Rule, RuleId};
pub use set::RuleSet;
