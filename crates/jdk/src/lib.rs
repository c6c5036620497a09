//! The heads of the JDK's classes, for machines that have no JDK.
//!
//! Whoever optimizes a jar has to know which JDK class extends which, since frames merge types, and which methods a
//! program may override, since the JDK calls them. Both are asked of the JDK that runs the program, if there is one.
//! Build machines without a JDK ask [`archive`]: the [heads](summary::head) of all classes that one release of
//! the JDK lets programs speak of, and of the classes above those, public or not.
//!
//! `data/heads.zz` is an archive of class files without bodies, deflated as one piece, since names repeat from class
//! to class: a third of what a jar of them takes. It is made of an image by
//!
//! ```text
//! cargo run -p planish-jdk --example summarize -- $JAVA_HOME/lib/modules crates/jdk/data/heads.zz
//! ```
//!
//! A class that is newer than [`RELEASE`] is missing in it, and what is missing is unknown, which never makes a
//! program wrong.

pub mod summary;

use planish_classfile::zip::Archive;

/// The release of the JDK whose classes these are.
pub const RELEASE: u16 = 17;

/// The classes, as a jar of them. O(bytes): 4 MB are inflated and indexed.
///
/// # Panics
///
/// Never: a test reads every class.
pub fn archive() -> Archive {
    summary::unpack(include_bytes!("../data/heads.zz")).expect("the data are whole, as a test says")
}
