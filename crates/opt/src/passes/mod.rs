//! Passes over control-flow graphs, one file each, found by its standard name.
//!
//! What the walk of the engine cannot do because it only goes forward and never copies a block. Each pass does one thing
//! and leaves the rest to the walk behind it: a rotated loop leaves parameters that are always the same, an unrolled one
//! branches that are decided. What each is, where it is from, and what it takes is in its `PASS`; the
//! [registry](crate::manager::registry) lists them.

pub mod bit_idioms;
pub mod branch_folding;
pub mod branch_on_phi;
pub mod bulk_expansion;
pub mod call_effects;
pub mod code_hoisting;
pub mod demanded_bits;
pub mod devirtualization;
pub mod dfa_jump_threading;
pub mod global_code_motion;
pub mod gvn;
pub mod if_conversion;
pub mod indvars;
pub mod inlining;
mod insertions;
pub mod jump_threading;
pub mod linear_maps;
pub mod load_elimination;
mod loop_closing;
pub mod loop_deletion;
pub mod loop_idiom;
pub mod loop_invariant_loads;
pub mod loop_peeling;
pub mod loop_rotation;
pub mod loop_unrolling;
pub mod loop_unswitching;
pub mod loop_vectorization;
pub mod loop_versioning;
pub mod narrowing;
mod orders;
pub mod overflow_idioms;
mod own_loop;
pub mod pre;
mod preheaders;
mod profitability;
pub mod region_numbering;
pub mod region_sinking;
pub mod scalar_promotion;
pub mod simplify_cfg;
pub mod sroa;
pub mod store_merging;
pub mod strength_reduction;
pub mod switch_formation;
pub mod switch_to_lookup;
pub mod tail_recursion;
#[cfg(test)]
mod testing;
