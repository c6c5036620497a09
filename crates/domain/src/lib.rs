//! Facts about values, and how operations move them.
//!
//! - [`mod@fact`]: what is known of an integer, signed interval and known bits in one, and the lattice.
//!   Generic over [`Bits`](planish_ops::Bits): the machine runs these functions and the solver is
//!   asked about them.
//! - [`truth`]: what is known of a condition.
//! - [`forward`]: from facts about operands to a fact about the result, one function an operation.
//! - [`mod@backward`]: from a fact about the result, or a condition that holds, to facts about operands.
//! - [`mod@demanded`]: from the bits of a result that are seen to those of operands that matter.
//!   [`seen`] states that as theorems.
//! - [`int_fact`]: [`IntFact`], the compact fact that engines keep.
//! - [`mod@transfer`], [`refine`]: both directions on compact facts.
//! - [`ref_fact`]: nullness and classes of references.
//! - [`theorems`]: soundness of all of that, as statements about these functions.
//! - [`contracts`]: the same statements cut at lemmas, for solvers.
//!   Where these need a chain of small steps, it is said in `lemmas`.
//! - [`enumerate`]: every fact of a small width.
//! - [`memory`]: what passes over memory assume.
//! - [`precision`]: how much the transfer functions lose.
//! - [`methods`]: what rules may ask of facts, one row each.
//!
//! The crate knows nothing of functions, rules or solvers.

pub mod backward;
mod calc;
pub mod contracts;
pub mod demanded;
pub mod enumerate;
pub mod fact;
pub mod forward;
pub mod int_fact;
pub mod laws;
mod lemmas;
pub mod memory;
pub mod methods;
mod native;
pub mod precision;
pub mod ref_fact;
pub mod refine;
pub mod seen;
pub mod theorems;
pub mod transfer;
pub mod truth;

pub use fact::{Fact, FactOf};
pub use int_fact::IntFact;
pub use methods::Method;
pub use ref_fact::{Class, Hierarchy, Mark, RefFact};
pub use refine::{Contradiction, assume, backward, backward_exact};
pub use transfer::transfer;
pub use truth::Truth;
