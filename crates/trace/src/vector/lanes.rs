//! Where scalars are in vectors, and the vectors that were made of scalars.

use hashbrown::HashMap;
use planish_base::diag::Span;
use rustc_hash::FxBuildHasher;

use super::Loop;
use super::instr::Instr;
use super::shape::Shape;
use crate::text::{Arg, Var};

/// A vector that was made of scalars.
pub(super) struct Expanded {
    pub of: Vec<Arg>,
    pub shape: Shape,
    /// Where the operation stands whose constant it is.
    pub place: Option<Span>,
    pub vector: Var,
}

/// Where scalars are in vectors.
pub(super) struct Lanes {
    pub of: HashMap<Var, (u8, Var), FxBuildHasher>,
    /// Vectors that were made of scalars.
    pub made: Vec<Expanded>,
    /// What is made before the loop, and which of it the label passes on.
    pub prefix: Vec<Instr>,
    pub carried: Vec<Arg>,
    /// The first value of each sum over the iterations, and the vector that stands for it.
    pub seeds: Vec<(Var, Var)>,
    /// Whether lanes of less than four bytes may change their width.
    pub narrow: bool,
    /// What vectors save, in operations.
    pub savings: isize,
}

impl Lanes {
    pub fn new(narrow: bool) -> Lanes {
        Lanes {
            of: HashMap::default(),
            made: Vec::new(),
            prefix: Vec::new(),
            carried: Vec::new(),
            seeds: Vec::new(),
            narrow,
            savings: 0,
        }
    }

    /// Leaves to the loop what is made before it.
    pub fn leave(&mut self, loop_: &mut Loop) {
        if self.prefix.is_empty() {
            return;
        }
        loop_.prefix.append(&mut self.prefix);
        loop_.jump.args.extend(&self.carried);
        loop_.carried.get_or_insert_default().append(&mut self.carried);
        loop_.seeds.extend(self.seeds.drain(..).map(|(seed, vector)| (seed, Arg::Var(vector))));
    }
}
