//! Any control flow as nested regions with one entry and one exit.
//!
//! The algorithm is that of Bahmann, Reissmann, Jahre and Meyer, "Perfect Reconstructability of Control
//! Flow from Demand Dependence Graphs" (TACO 11(4), 2015), section 4, for every graph:
//!
//! 1. [`flow`] makes a graph with one exit from a function: blocks, assignments on edges, tests.
//! 2. [`loops`] turns each strongly connected component into a loop with one entry, one exit and a test
//!    at its end. Where there were several entries or exits, an auxiliary variable says which.
//! 3. [`branches`] turns each acyclic region into a tree of sequences and branches. Where the arms of a
//!    branch go on at several places, an auxiliary variable says at which, and a branch on it follows.
//!
//! 4. [`scope`] says how far each variable reaches in the tree.
//!
//! Auxiliary variables hold constants on every path, which is how the way back finds the original
//! branches again. The cost is linear in the graph for each level of loops, and branches cost as many
//! assignments as an edge leaves arms.

pub mod branches;
pub mod flow;
pub mod loops;
pub mod scope;

pub use branches::{Item, Sequence, Tree};
pub use flow::{Flow, Select, Source, Variable, Vertex, What};
