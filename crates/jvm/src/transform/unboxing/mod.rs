//! Enum unboxing (R8's `EnumUnboxer`, ProGuard's `class/unboxing/enum`): an enum of whose constants nobody needs more than which one
//! it is becomes an `int`.
//!
//! A constant is its ordinal and one more, null is 0, as in R8. So fields and elements of arrays that nobody sets hold null as
//! before, and comparing two numbers is comparing two constants. The class stays, with static methods alone: what took a
//! constant as its receiver takes a number.
//!
//! - `observed`: enums that something other than instructions looks at.
//! - `constants`: what the initializer of an enum makes; `candidates`: what else keeps an enum as it is, and why: [`Reason`], with the `place` where that shows.
//! - `nodes`: values that are constants or nulls; `flow`: where constants and nulls go in a body; `uses`: what each instruction does with them, and what takes its place.
//! - `signatures`: types and names of members; `helpers`: methods that do what those of `Enum` did.
//! - `apply`: class files.
//! - [`Unboxing`]: which enums become numbers in the end.
//!
//! Any use that is not known to mean the same of a number refuses the enum. And since no verifier lets a number stand where an
//! object is expected, or the other way round, a use that was overlooked is one that does not verify.

mod apply;
mod candidates;
mod constants;
mod flow;
mod helpers;
mod nodes;
pub mod observed;
mod place;
mod reason;
mod signatures;
mod unboxed;
mod uses;

pub use candidates::Around;
pub use reason::{Kept, Object, Reason};
pub use unboxed::Unboxing;
