//! The rule language of Planish.

pub mod apply;
pub mod check;
pub mod cost;
pub mod cycles;
pub mod eval;
pub mod exhaust;
pub mod functions;
pub mod graph;
pub mod guess;
pub mod interpret;
pub mod lexer;
pub mod matching;
pub mod order;
pub mod parser;
pub mod rows;
pub mod rule;
pub mod semantics;
pub mod set;
pub mod syntax;
pub mod tree;
pub mod unify;
