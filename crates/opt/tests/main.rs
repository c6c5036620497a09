//! The optimizer as a whole, one file a subject. They are one program, since each that is linked by itself
//! costs every build a second or two: a new file is named here.

mod common {
    pub mod check;
    pub mod program;
    pub mod rng;
    pub mod run;
    pub mod shapes;
    pub mod ssa;
    pub mod text;
}
mod bulk_loops;
mod egraph;
mod equalities;
mod explosion;
mod facts;
mod idioms;
mod meanings;
mod memory;
mod memory_loops;
mod memory_random;
mod objects_random;
mod random;
mod regions;
mod rules;
mod scale;
mod stages;
mod toy;
mod unreachable;
