//! Bodies of methods before and after, one file a subject. They are one program, since each that is linked by itself
//! costs every build a second or two: a new file is named here.

mod before_construction;
mod bodies;
mod invariants;
mod program;
mod rewritten;
mod serial_version;
mod settled;
mod stack;
mod tails;
