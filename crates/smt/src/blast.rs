//! Terms as circuits: every function on words in terms of gates.
//!
//! The circuits are the plain ones: ripple-carry sums, shift-and-add products, restoring division,
//! logarithmic shifters. A constant operand folds in the gates, so a shift by a constant is wiring and a
//! product by a constant has one row per digit. Floats have no circuits here; a query with floats is
//! refused as unsupported.
//!
//! Terms are visited in the order of their ids, operands first, without recursion.

use std::time::Duration;

use hashbrown::HashMap;
use planish_base::Id;
use rustc_hash::FxBuildHasher;

use crate::budget::Budget;
use crate::cnf::{Cnf, Lit};
use crate::gates::{Finished, Gate, Gates};
use crate::query::{Model, Query};
use crate::signature::{Binary, Sort, Unary};
use crate::term::{Node, Pool, Term, Variable};
use crate::value::Value;

/// What a clause of a circuit costs to make.
const CLAUSE: Duration = Duration::from_nanos(200);

/// Why a query has no circuit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoCircuit {
    /// This in it has none.
    Unsupported(&'static str),
    /// It costs more than is left of the budget.
    OutOfTime,
}

/// Floats have no circuits.
const FLOATS: NoCircuit = NoCircuit::Unsupported("floating-point numbers");

/// A query as clauses, and where the bits of its variables are.
pub struct Circuit {
    /// Satisfiable exactly when the query is.
    pub cnf: Cnf,
    /// What the clauses say, as gates: inputs before what they go into, each with its output.
    pub(crate) gates: Vec<(Lit, Gate)>,
    /// What is demanded to hold.
    pub(crate) demands: Vec<Lit>,
    /// The bits of each variable, lowest first.
    inputs: Vec<(Variable, Sort, Vec<Lit>)>,
}

impl Circuit {
    /// The circuit of a query, at the cost of its clauses; or why there is none.
    pub fn new(pool: &Pool, query: &Query, budget: &mut Budget) -> Result<Circuit, NoCircuit> {
        let mut blaster = Blaster {
            pool,
            gates: Gates::new(),
            bits: Vec::new(),
            inputs: Vec::new(),
            divisions: HashMap::default(),
        };
        let reached = pool.reachable(&query.assertions);
        blaster.bits = vec![Vec::new(); reached.len()];
        for (index, _) in reached.iter().enumerate().filter(|&(_, &r)| r) {
            blaster.visit(Term::from_index(index))?;
            if cost(blaster.gates.clauses()) >= budget.left() {
                budget.charge(budget.left());
                return Err(NoCircuit::OutOfTime);
            }
        }
        for assertion in &query.assertions {
            let lit = blaster.bit(*assertion);
            blaster.gates.demand(lit);
        }
        let Finished { cnf, gates, demands } = blaster.gates.finish();
        let circuit = Circuit { cnf, gates, demands, inputs: blaster.inputs };
        budget.charge(cost(circuit.cnf.len()));
        Ok(circuit)
    }

    /// The propositional variables that are bits of variables: all but these, the constant and the outputs of gates there are none.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = Lit> {
        self.inputs.iter().flat_map(|(_, _, lits)| lits.iter().copied())
    }

    /// The values of the variables under an assignment of the propositional ones.
    pub fn model(&self, assignment: &[bool]) -> Model {
        let holds = |lit: &Lit| assignment[lit.variable() as usize] != lit.is_negated();
        let mut model = Model::new();
        for (variable, sort, lits) in &self.inputs {
            let value = match *sort {
                Sort::Bool => Value::Truth(holds(&lits[0])),
                _ => {
                    let word = lits.iter().rev().fold(0, |word, lit| word << 1 | u128::from(holds(lit)));
                    Value::bits(lits.len() as u32, word)
                }
            };
            model.set(*variable, value);
        }
        model
    }
}

/// A word as gates, lowest bit first.
type Bits = Vec<Lit>;

struct Blaster<'a> {
    pool: &'a Pool,
    gates: Gates,
    /// The bits of a term, lowest first; one bit for a truth value.
    bits: Vec<Vec<Lit>>,
    inputs: Vec<(Variable, Sort, Vec<Lit>)>,
    /// Quotient and remainder of unsigned divisions, which usually come in pairs.
    divisions: HashMap<(Bits, Bits), (Bits, Bits), FxBuildHasher>,
}

impl Blaster<'_> {
    fn word(&self, term: Term) -> Vec<Lit> {
        self.bits[term.index()].clone()
    }

    fn bit(&self, term: Term) -> Lit {
        self.bits[term.index()][0]
    }

    fn visit(&mut self, term: Term) -> Result<(), NoCircuit> {
        let sort = self.pool.sort(term);
        if matches!(sort, Sort::Float(_)) {
            return Err(FLOATS);
        }
        let bits = match self.pool.node(term) {
            Node::Truth(value) => vec![self.gates.constant(value)],
            Node::Bits { width, value } => {
                (0..width).map(|i| self.gates.constant(value >> i & 1 == 1)).collect()
            }
            Node::Variable(variable) => {
                let count = if sort == Sort::Bool { 1 } else { sort.width() };
                let lits: Vec<Lit> = (0..count).map(|_| self.gates.input()).collect();
                self.inputs.push((variable, sort, lits.clone()));
                lits
            }
            Node::Unary(op, a) => self.unary(op, a)?,
            Node::Binary(op, a, b) => self.binary(op, a, b)?,
            Node::Select(c, a, b) => {
                let (c, a, b) = (self.bit(c), self.word(a), self.word(b));
                self.choose(c, &a, &b)
            }
            Node::Float { .. } => return Err(FLOATS),
        };
        self.bits[term.index()] = bits;
        Ok(())
    }

    fn unary(&mut self, op: Unary, a: Term) -> Result<Vec<Lit>, NoCircuit> {
        let bits = self.word(a);
        Ok(match op {
            Unary::Negate | Unary::Not => bits.iter().map(|&lit| !lit).collect(),
            Unary::Popcount => self.count(&bits),
            Unary::Extract { low, width } => bits[low as usize..(low + width) as usize].to_vec(),
            Unary::ZeroExtend(width) => {
                let zero = self.gates.constant(false);
                extended(bits, width, zero)
            }
            Unary::SignExtend(width) => {
                let sign = bits[bits.len() - 1];
                extended(bits, width, sign)
            }
            _ => return Err(FLOATS),
        })
    }

    fn binary(&mut self, op: Binary, a: Term, b: Term) -> Result<Vec<Lit>, NoCircuit> {
        let (a, b) = (self.word(a), self.word(b));
        let no = self.gates.constant(false);
        Ok(match op {
            Binary::Both | Binary::And => self.bitwise(&a, &b, Gates::and),
            Binary::Either | Binary::Or => self.bitwise(&a, &b, Gates::or),
            Binary::Xor => self.bitwise(&a, &b, Gates::xor),
            Binary::Same => vec![self.same(&a, &b)],
            Binary::Ult => vec![self.less(&a, &b)],
            Binary::Slt => vec![self.signed_less(a, b)],
            Binary::Add => self.sum(&a, &b, no),
            Binary::Sub => self.difference(&a, &b),
            Binary::Mul => self.product(&a, &b),
            Binary::Udiv => self.divide(&a, &b).0,
            Binary::Urem => self.divide(&a, &b).1,
            Binary::Sdiv => self.signed_divide(&a, &b).0,
            Binary::Srem => self.signed_divide(&a, &b).1,
            Binary::Shl => {
                let reversed: Vec<Lit> = a.iter().rev().copied().collect();
                let mut shifted = self.shift_down(reversed, &b, no);
                shifted.reverse();
                shifted
            }
            Binary::Lshr => self.shift_down(a, &b, no),
            Binary::Ashr => {
                let sign = a[a.len() - 1];
                self.shift_down(a, &b, sign)
            }
            Binary::FAdd
            | Binary::FSub
            | Binary::FMul
            | Binary::FDiv
            | Binary::FRem
            | Binary::FEq
            | Binary::FLt
            | Binary::FLe => return Err(FLOATS),
        })
    }

    fn bitwise(&mut self, a: &[Lit], b: &[Lit], gate: fn(&mut Gates, Lit, Lit) -> Lit) -> Vec<Lit> {
        a.iter().zip(b).map(|(&x, &y)| gate(&mut self.gates, x, y)).collect()
    }

    fn choose(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        a.iter().zip(b).map(|(&x, &y)| self.gates.mux(c, x, y)).collect()
    }

    fn same(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let equal: Vec<Lit> = a.iter().zip(b).map(|(&x, &y)| !self.gates.xor(x, y)).collect();
        self.gates.all(&equal)
    }

    /// Whether a < b, unsigned: the borrow of a - b, from the lowest bit up.
    fn less(&mut self, a: &[Lit], b: &[Lit]) -> Lit {
        let no = self.gates.constant(false);
        a.iter().zip(b).fold(no, |less, (&x, &y)| self.gates.majority(!x, y, less))
    }

    /// Signed order is unsigned order with the sign bits flipped.
    fn signed_less(&mut self, mut a: Vec<Lit>, mut b: Vec<Lit>) -> Lit {
        let top = a.len() - 1;
        (a[top], b[top]) = (!a[top], !b[top]);
        self.less(&a, &b)
    }

    fn sum(&mut self, a: &[Lit], b: &[Lit], carry: Lit) -> Vec<Lit> {
        let mut carry = carry;
        let mut bits = Vec::with_capacity(a.len());
        for (&x, &y) in a.iter().zip(b) {
            bits.push(self.gates.parity(x, y, carry));
            carry = self.gates.majority(x, y, carry);
        }
        bits
    }

    fn difference(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let negated: Vec<Lit> = b.iter().map(|&lit| !lit).collect();
        let one = self.gates.constant(true);
        self.sum(a, &negated, one)
    }

    fn negation(&mut self, a: &[Lit]) -> Vec<Lit> {
        let zero = vec![self.gates.constant(false); a.len()];
        self.difference(&zero, a)
    }

    /// One row of the product for each bit of b: a shifted, where the bit is set.
    fn product(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let width = a.len();
        let no = self.gates.constant(false);
        // A constant belongs in the place of b: its zeros are rows that are not built.
        let constant = |gates: &Gates, bits: &[Lit]| {
            bits.iter().filter(|&&l| l == gates.constant(false) || l == gates.constant(true)).count()
        };
        let (a, b) = if constant(&self.gates, a) > constant(&self.gates, b) { (b, a) } else { (a, b) };
        let mut sum = vec![no; width];
        for (shift, &bit) in b.iter().enumerate() {
            if bit == no {
                continue;
            }
            let row: Vec<Lit> = a[..width - shift].iter().map(|&lit| self.gates.and(lit, bit)).collect();
            let high = self.sum(&sum[shift..], &row, no);
            sum.truncate(shift);
            sum.extend(high);
        }
        sum
    }

    /// Quotient and remainder by restoring division; for a zero divisor all ones and the dividend.
    fn divide(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let key = (a.to_vec(), b.to_vec());
        if let Some(done) = self.divisions.get(&key) {
            return done.clone();
        }
        let width = a.len();
        let no = self.gates.constant(false);
        if let Some(shift) = self.power_of_two(b) {
            let quotient = (0..width).map(|i| a.get(i + shift).copied().unwrap_or(no)).collect();
            let remainder = (0..width).map(|i| if i < shift { a[i] } else { no }).collect();
            return (quotient, remainder);
        }
        // One bit more than the divisor, for the remainder is doubled before it is compared.
        let divisor: Vec<Lit> = b.iter().copied().chain([no]).collect();
        let mut remainder = vec![no; width + 1];
        let mut quotient = vec![no; width];
        for at in (0..width).rev() {
            remainder.pop();
            remainder.insert(0, a[at]);
            // With a zero divisor nothing is ever less, so all digits are one and nothing is taken away.
            let fits = !self.less(&remainder, &divisor);
            let reduced = self.difference(&remainder, &divisor);
            remainder = self.choose(fits, &reduced, &remainder);
            quotient[at] = fits;
        }
        remainder.truncate(width);
        let done = (quotient, remainder);
        self.divisions.insert(key, done.clone());
        done
    }

    /// The number of one bits: sums of halves, each as wide as it must be.
    fn count(&mut self, bits: &[Lit]) -> Vec<Lit> {
        let no = self.gates.constant(false);
        let mut sums: Vec<Vec<Lit>> = bits.iter().map(|&bit| vec![bit]).collect();
        while sums.len() > 1 {
            sums = (sums.chunks(2))
                .map(|pair| match pair {
                    [a, b] => {
                        let width = a.len().max(b.len()) as u32 + 1;
                        let (a, b) = (extended(a.clone(), width, no), extended(b.clone(), width, no));
                        self.sum(&a, &b, no)
                    }
                    _ => pair[0].clone(),
                })
                .collect();
        }
        // The number is at most the width, which fits, so higher bits are zero.
        let mut total = sums.pop().unwrap_or_default();
        total.resize(bits.len(), no);
        total
    }

    /// The exponent of a constant power of two.
    fn power_of_two(&self, word: &[Lit]) -> Option<usize> {
        let (yes, no) = (self.gates.constant(true), self.gates.constant(false));
        let at = word.iter().position(|&bit| bit == yes)?;
        word.iter().enumerate().all(|(i, &bit)| i == at || bit == no).then_some(at)
    }

    /// Division of magnitudes, with the signs put back. For a zero divisor this gives what SMT-LIB says.
    fn signed_divide(&mut self, a: &[Lit], b: &[Lit]) -> (Vec<Lit>, Vec<Lit>) {
        let top = a.len() - 1;
        let (magnitude_a, magnitude_b) = (self.magnitude(a), self.magnitude(b));
        let (quotient, remainder) = self.divide(&magnitude_a, &magnitude_b);
        let differ = self.gates.xor(a[top], b[top]);
        let (negative_quotient, negative_remainder) = (self.negation(&quotient), self.negation(&remainder));
        (
            self.choose(differ, &negative_quotient, &quotient),
            self.choose(a[top], &negative_remainder, &remainder),
        )
    }

    fn magnitude(&mut self, a: &[Lit]) -> Vec<Lit> {
        let negated = self.negation(a);
        self.choose(a[a.len() - 1], &negated, a)
    }

    /// Shifts towards the lowest bit, by one power of two after the other.
    fn shift_down(&mut self, a: Vec<Lit>, amount: &[Lit], fill: Lit) -> Vec<Lit> {
        let width = a.len();
        let mut word = a;
        let stages = (usize::BITS - (width - 1).leading_zeros()) as usize;
        let (low, high) = amount.split_at(stages.min(amount.len()));
        for (stage, &bit) in low.iter().enumerate() {
            let distance = 1usize << stage;
            let shifted: Vec<Lit> = (0..width).map(|i| *word.get(i + distance).unwrap_or(&fill)).collect();
            word = self.choose(bit, &shifted, &word);
        }
        let beyond = self.gates.any(high);
        let filled = vec![fill; width];
        self.choose(beyond, &filled, &word)
    }
}

/// The work of making so many clauses.
fn cost(clauses: usize) -> Duration {
    CLAUSE * u32::try_from(clauses).unwrap_or(u32::MAX)
}

fn extended(mut bits: Vec<Lit>, width: u32, fill: Lit) -> Vec<Lit> {
    bits.resize(width as usize, fill);
    bits
}
