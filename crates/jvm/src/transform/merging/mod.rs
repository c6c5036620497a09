//! Class merging: classes that a program can do without, since another one can be what they are.
//!
//! - [`observed`]: classes that something other than instructions looks at; those stay.
//! - `facts`: what the constants of a program say; `superclasses`: which classes it asks for the one above.
//! - `vertical`, `horizontal`: which classes may become a part of which, and for what [`Reason`] others may not.
//! - `overloads`: members that types alone tell apart, which may become the same; `hidden`: those that others would hide;
//!   `members`: what members are called then,
//!   and which of them go.
//! - `called`, `calls`: calls that lead to the class above, in the classes that become one; `apply`: class files;
//!   `lines`: line numbers that stack traces are turned back by.
//! - [`Merges`]: which classes become one in the end.
//!
//! All of it comes behind everything else that is done to a program but new names, so nothing else has to know of classes
//! that have become one.

mod apply;
mod asked;
mod called;
pub(super) mod calls;
pub(super) mod facts;
mod hidden;
mod horizontal;
mod lines;
mod members;
mod merges;
pub mod observed;
mod overloads;
mod reason;
mod superclasses;
mod vertical;

pub use asked::Asked;
pub use merges::Merges;
pub use reason::{Reason, Refused};
pub use superclasses::asked_above;
