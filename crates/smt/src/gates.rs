//! Circuits of one-bit gates, written as clauses while they are built.
//!
//! Each gate is a literal. Equal gates are built once, gates of constants or equal inputs are not built
//! at all, and inverters are free: they are the signs of literals. Each gate that is built adds the
//! clauses that define its output (Tseitin's encoding, both directions).

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::cnf::{Cnf, Lit};

/// A gate by its inputs, which are normalized first.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Gate {
    /// Both hold.
    And(Lit, Lit),
    /// One of two holds.
    Xor(Lit, Lit),
    /// The second where the first holds, else the third.
    Mux(Lit, Lit, Lit),
    /// Two of three hold.
    Majority(Lit, Lit, Lit),
    /// One or three of three hold.
    Parity(Lit, Lit, Lit),
}

/// A circuit under construction.
#[derive(Default)]
pub struct Gates {
    cnf: Cnf,
    /// Asked, never iterated.
    built: HashMap<Gate, Lit, FxBuildHasher>,
    /// The gates in the order in which they were built, inputs before what they go into, each with its output.
    made: Vec<(Lit, Gate)>,
    demands: Vec<Lit>,
}

/// The clauses of a circuit, and the circuit itself.
pub(crate) struct Finished {
    /// The clauses of all gates and demands.
    pub cnf: Cnf,
    /// The gates, inputs before what they go into, each with its output. The output of a gate is a positive literal.
    pub gates: Vec<(Lit, Gate)>,
    /// What is demanded to hold.
    pub demands: Vec<Lit>,
}

/// The first variable of every circuit, which a clause makes true.
const TRUE: Lit = Lit::positive(0);
const FALSE: Lit = Lit::from_code(1);

impl Gates {
    /// A circuit of the two constants.
    pub fn new() -> Self {
        let mut cnf = Cnf::new();
        let truth = cnf.variable();
        debug_assert_eq!(truth, TRUE);
        cnf.add(&[TRUE]);
        Gates { cnf, built: HashMap::default(), made: Vec::new(), demands: Vec::new() }
    }

    /// A constant.
    pub fn constant(&self, value: bool) -> Lit {
        if value { TRUE } else { FALSE }
    }

    /// An input.
    pub fn input(&mut self) -> Lit {
        self.cnf.variable()
    }

    /// Demands that a gate is true.
    pub fn demand(&mut self, lit: Lit) {
        self.cnf.add(&[lit]);
        self.demands.push(lit);
    }

    /// The number of clauses by now.
    pub fn clauses(&self) -> usize {
        self.cnf.len()
    }

    /// The circuit and its demands, when all is built.
    pub(crate) fn finish(self) -> Finished {
        Finished { cnf: self.cnf, gates: self.made, demands: self.demands }
    }

    /// a ∧ b
    pub fn and(&mut self, a: Lit, b: Lit) -> Lit {
        let (a, b) = (a.min(b), a.max(b));
        match (a, b) {
            // The constants have the smallest codes.
            (TRUE, _) => b,
            (FALSE, _) => FALSE,
            _ if a == b => a,
            _ if a == !b => FALSE,
            _ => self.build(Gate::And(a, b), |cnf, out| {
                cnf.add(&[!out, a]);
                cnf.add(&[!out, b]);
                cnf.add(&[out, !a, !b]);
            }),
        }
    }

    /// a ∨ b
    pub fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// a ⊕ b
    pub fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        let flip = a.is_negated() != b.is_negated();
        let (a, b) = (positive(a), positive(b));
        let (a, b) = (a.min(b), a.max(b));
        let out = if a == b {
            FALSE
        } else if a == TRUE {
            !b
        } else {
            self.build(Gate::Xor(a, b), |cnf, out| {
                cnf.add(&[!out, a, b]);
                cnf.add(&[!out, !a, !b]);
                cnf.add(&[out, !a, b]);
                cnf.add(&[out, a, !b]);
            })
        };
        flipped(out, flip)
    }

    /// a where c, else b
    pub fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if c.is_negated() {
            return self.mux(!c, b, a);
        }
        if c == TRUE || a == b {
            return a;
        }
        if a == !b {
            return self.xor(c, b);
        }
        if a == TRUE || a == c {
            return self.or(c, b);
        }
        if a == FALSE || a == !c {
            return self.and(!c, b);
        }
        if b == TRUE || b == !c {
            return self.or(!c, a);
        }
        if b == FALSE || b == c {
            return self.and(c, a);
        }
        let flip = a.is_negated();
        let (a, b) = (flipped(a, flip), flipped(b, flip));
        let out = self.build(Gate::Mux(c, a, b), |cnf, out| {
            cnf.add(&[!c, !a, out]);
            cnf.add(&[!c, a, !out]);
            cnf.add(&[c, !b, out]);
            cnf.add(&[c, b, !out]);
            // Implied, and they propagate what the four above do not.
            cnf.add(&[!a, !b, out]);
            cnf.add(&[a, b, !out]);
        });
        flipped(out, flip)
    }

    /// a ⊕ b ⊕ c: the sum bit of a full adder.
    pub fn parity(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let flip = a.is_negated() ^ b.is_negated() ^ c.is_negated();
        let mut inputs = [positive(a), positive(b), positive(c)];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        let out = if a == b {
            c
        } else if b == c {
            a
        } else if a == TRUE {
            !self.xor(b, c)
        } else {
            self.build(Gate::Parity(a, b, c), |cnf, out| {
                for code in 0..8u32 {
                    // Forbids each combination together with the wrong output.
                    let pick = |lit: Lit, bit: u32| flipped(lit, code >> bit & 1 == 1);
                    let odd = code.count_ones() % 2 == 1;
                    cnf.add(&[pick(a, 0), pick(b, 1), pick(c, 2), flipped(out, !odd)]);
                }
            })
        };
        flipped(out, flip)
    }

    /// Whether two of three hold: the carry of a full adder.
    pub fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        inputs.sort_unstable();
        let [a, b, c] = inputs;
        if a == b || a == !b {
            // Opposite inputs leave the decision to the third.
            return if a == b { a } else { c };
        }
        if b == c || b == !c {
            return if b == c { b } else { a };
        }
        if a == TRUE {
            return self.or(b, c);
        }
        if a == FALSE {
            return self.and(b, c);
        }
        // A majority of negations is the negation of the majority.
        let flip = a.is_negated();
        let (a, b, c) = (flipped(a, flip), flipped(b, flip), flipped(c, flip));
        let out = self.build(Gate::Majority(a, b, c), |cnf, out| {
            for (x, y) in [(a, b), (a, c), (b, c)] {
                cnf.add(&[!x, !y, out]);
                cnf.add(&[x, y, !out]);
            }
        });
        flipped(out, flip)
    }

    /// Whether all hold, as a balanced tree.
    pub fn all(&mut self, lits: &[Lit]) -> Lit {
        match lits {
            [] => TRUE,
            [lit] => *lit,
            _ => {
                let (left, right) = lits.split_at(lits.len() / 2);
                let (left, right) = (self.all(left), self.all(right));
                self.and(left, right)
            }
        }
    }

    /// Whether some holds.
    pub fn any(&mut self, lits: &[Lit]) -> Lit {
        let negated: Vec<Lit> = lits.iter().map(|&lit| !lit).collect();
        !self.all(&negated)
    }

    fn build(&mut self, gate: Gate, define: impl FnOnce(&mut Cnf, Lit)) -> Lit {
        if let Some(&lit) = self.built.get(&gate) {
            return lit;
        }
        let out = self.cnf.variable();
        define(&mut self.cnf, out);
        self.built.insert(gate, out);
        self.made.push((out, gate));
        out
    }
}

fn positive(lit: Lit) -> Lit {
    Lit::positive(lit.variable())
}

fn flipped(lit: Lit, flip: bool) -> Lit {
    if flip { !lit } else { lit }
}
