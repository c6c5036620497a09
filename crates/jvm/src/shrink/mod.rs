//! Class files without what nothing needs.
//!
//! - [`classes`]: a class without the members that nothing needs.
//! - [`links`]: link check of the result; [`unmatched`]: rules that match nothing; [`discarded`]: what must not be left.
//! - [`serial_version`]: the version that serialization computes of a class.

pub mod classes;
pub mod discarded;
pub mod links;
pub mod serial_version;
pub mod unmatched;
