//! Random functions from the table of operations.
//!
//! A [`Source`] of choices is the bytes of a fuzzer or of a seed; the same bytes give the same function,
//! and fewer bytes a smaller one. What is generated always verifies:
//!
//! - Every block but the entry has a *parent*, an earlier block, and may be reached only from blocks that
//!   have the parent among their ancestors (themselves included): so ancestors dominate, and their values
//!   may be used. A handler's parent is a proper ancestor of the block that exits to it.
//! - Operations come from the rows: any pure row, with operands of types that it admits. Rows with
//!   effects name descriptors of a small fixed world of classes, fields, arrays and callees.
//!
//! Loops need not end; whoever runs the function gives it fuel.

mod body;
mod world;

use arbitrary::{Result, Unstructured};
use planish_ir::Module;

pub use arbitrary::Unstructured as Source;

/// What a random function may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// At most this many blocks.
    pub blocks: usize,
    /// At most this many operations in a block.
    pub operations: usize,
    /// Whether control may go back.
    pub loops: bool,
    /// Whether there are objects, arrays, static fields and calls.
    pub memory: bool,
    /// Whether there are floats.
    pub floats: bool,
    /// Whether operations may leave through exits.
    pub exits: bool,
}

impl Options {
    /// One block of pure operations on integers.
    pub const STRAIGHT: Options =
        Options { blocks: 1, operations: 20, loops: false, memory: false, floats: false, exits: false };
    /// Control flow without loops, with guards.
    pub const ACYCLIC: Options =
        Options { blocks: 8, operations: 8, loops: false, memory: false, floats: true, exits: true };
    /// Everything.
    pub const FULL: Options =
        Options { blocks: 10, operations: 8, loops: true, memory: true, floats: true, exits: true };
}

/// A module with one random function.
pub fn module(source: &mut Unstructured<'_>, options: Options) -> Result<Module> {
    let world = world::World::new();
    body::generate(source, options, world)
}

/// The module of a seed.
pub fn from_seed(seed: u64, options: Options) -> Module {
    let bytes = bytes(seed, 24 * options.blocks * (options.operations + 4));
    module(&mut Unstructured::new(&bytes), options).expect("bytes that run out read as zero")
}

/// Bytes that depend on a seed alone (splitmix64).
pub fn bytes(seed: u64, len: usize) -> Vec<u8> {
    let mut state = seed;
    let words = std::iter::repeat_with(|| {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)).to_le_bytes()
    });
    words.flatten().take(len).collect()
}
