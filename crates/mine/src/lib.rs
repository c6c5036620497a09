//! Mining: rules are found in programs.
//!
//! What programs compute often is collected from their optimized functions, what computes the same for less is searched by
//! enumeration, and what is found is generalized, proved, and held against the rules that there are. Anchors are Souper
//! (Sasnauskas et al. 2017), Minotaur (Liu et al., OOPSLA 2024) and Hydra (Mukherjee and Regehr, OOPSLA 2024).
//!
//! - [`windows`]: pieces of functions. [`harvest`]: those of a corpus, counted, a part of it held back. [`term`]: what a piece
//!   computes, apart from names, order and numbers.
//! - [`inputs`], [`search`]: terms that give the same on a few inputs and cost less. [`pattern`]: terms as text of rules.
//! - [`fit`]: numbers of targets as expressions over constants.
//! - [`sift`]: what the optimizer leaves of a term already. [`find`]: from the harvest to rules that are proved.
//! - [`places`]: counts of places. [`remains`]: the pairs of operations that are left, with what an author of rules asks about them.
//! - [`mod@write`]: the rules as a file, with what they are worth.
//!
//! Nothing is random but inputs of a fixed sequence, and proofs are bounded by work: the same corpus gives the same rules.

pub mod find;
pub mod fit;
pub mod harvest;
pub mod inputs;
pub mod pattern;
pub mod places;
pub mod remains;
pub mod search;
pub mod sift;
pub mod term;
pub mod windows;
pub mod write;

pub use find::{Found, Limits, Mined};
pub use harvest::{Corpus, Harvest, Left};
pub use remains::{Remaining, Remains};
