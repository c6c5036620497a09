//! The region language: `.rvsdg` files, and control flow turned into regions and back.

pub mod build;
pub mod legal;
pub mod lift;
pub mod lower;
pub mod read;
pub mod restructure;
pub mod terms;
pub mod thread;
pub mod write;

pub use lift::lift;
pub use lower::lower;
pub use read::read;
pub use terms::{Program, Term, Terms};
pub use write::write;
