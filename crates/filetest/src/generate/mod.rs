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
//! Loops need not end; whoever runs the function gives it fuel. A *nest* ([`Options::nested`]) has
//! counted loops that do.
//!
//! A function of all operations is about none of them. In a *swarm* ([`Options::swarm`]) each function has
//! a few operations, a few odd widths and a few constants only, so that these meet each other often (Groce
//! and others, "Swarm Testing", ISSTA 2012). [`pattern`] goes further and builds what a rule matches.

mod body;
mod constant;
mod functions;
mod nest;
mod options;
pub mod pattern;
pub mod trace;
mod world;

use arbitrary::{Result, Unstructured};
use planish_ir::Module;

pub use self::options::Options;
pub use arbitrary::Unstructured as Source;

/// A module that begins with a random function, and has no others but those that it refers to.
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
