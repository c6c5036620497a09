//! Equalities that hold by algebra, found before anything becomes a circuit.
//!
//! Words of w bits are the integers modulo 2^w, a commutative ring, and a claim such as
//! (x * 3) * y = (y * x) * 3 or (x / y) * y + x % y = x is an identity of polynomials. Circuits of products
//! are the hardest questions for SAT solvers, and polynomials are the easiest: both sides are written as sums
//! of monomials over *atoms*, and are equal when their difference is the polynomial 0.
//!
//! What is not sum or product is expressed by ring operations where it can be, and is an atom elsewhere:
//!
//! ```text
//! ~x = -x - 1                      x % y = x - (x / y) * y          (also for y = 0, as SMT-LIB has it)
//! x << s = x * (1 << s)            x | y = x + y - (x & y)          x ^ y = x + y - 2 (x & y)
//! x & ~y = x - (x & y)
//! ones of ~x = w - ones of x, and of x | y, x ^ y and x & ~y as above, since each bit is counted where it is
//! if c then x else y = y + [c] (x - y), where [c] is 0 or 1, so [c] [c] = [c]
//! ```
//!
//! Polynomials beyond a size are atoms themselves, so the work is linear in the number of terms. Only
//! equality of polynomials is decided, not of polynomial functions: x (x - 1) 2^(w - 1) is not found to be 0.

use std::collections::BTreeMap;
use std::rc::Rc;

use hashbrown::HashMap;
use planish_base::Id;
use planish_ops::Bits;
use rustc_hash::FxBuildHasher;

use crate::query::Query;
use crate::signature::{Binary, Sort, Unary};
use crate::term::{Node, Pool, Term};
use crate::value::Value;

/// What polynomials are over. The value of an atom is a number from 0 on.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Atom {
    /// 1 where a condition holds, else 0.
    Truth(Term),
    /// A word, read as unsigned.
    Word(Term),
    /// 1 << s.
    Power(Term),
}

/// A product of atoms, sorted.
type Monomial = Vec<Atom>;

/// Coefficients other than 0, modulo 2^w.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
struct Polynomial {
    terms: BTreeMap<Monomial, u128>,
}

/// The number of monomials, and of atoms in one, up to which a polynomial is kept.
const SIZE: usize = 32;
const DEGREE: usize = 6;

impl Polynomial {
    fn constant(value: u128) -> Self {
        let terms = if value == 0 { BTreeMap::new() } else { BTreeMap::from([(Vec::new(), value)]) };
        Polynomial { terms }
    }

    fn atom(atom: Atom) -> Self {
        Polynomial { terms: BTreeMap::from([(vec![atom], 1)]) }
    }

    /// self + factor * other
    fn plus(&self, other: &Polynomial, factor: u128, width: u32) -> Polynomial {
        let mut sum = self.clone();
        for (monomial, &coefficient) in &other.terms {
            sum.add(monomial.clone(), coefficient.wrapping_mul(factor), width);
        }
        sum
    }

    fn add(&mut self, monomial: Monomial, coefficient: u128, width: u32) {
        let mask = u128::MAX >> (128 - width);
        let old = self.terms.get(&monomial).copied().unwrap_or(0);
        match old.wrapping_add(coefficient) & mask {
            0 => self.terms.remove(&monomial),
            new => self.terms.insert(monomial, new),
        };
    }

    fn times(&self, other: &Polynomial, width: u32) -> Polynomial {
        let mut product = Polynomial::default();
        for (left, &a) in &self.terms {
            for (right, &b) in &other.terms {
                let mut monomial: Monomial = left.iter().chain(right).copied().collect();
                monomial.sort_unstable();
                // [c] [c] = [c]
                monomial.dedup_by(|x, y| x == y && matches!(x, Atom::Truth(_)));
                product.add(monomial, a.wrapping_mul(b), width);
            }
        }
        product
    }

    fn is_small(&self) -> bool {
        self.terms.len() <= SIZE && self.terms.keys().all(|monomial| monomial.len() <= DEGREE)
    }
}

/// The query with every equality of words decided that algebra decides. The pool grows.
pub(crate) fn simplified(pool: &mut Pool, query: &Query) -> Query {
    let mut ring = Ring { pool, polynomials: HashMap::default() };
    let reached = ring.pool.reachable(&query.assertions);
    let mut images: Vec<Option<Term>> = vec![None; reached.len()];
    for (index, _) in reached.iter().enumerate().filter(|&(_, &r)| r) {
        images[index] = Some(ring.image(Term::from_index(index), &images));
    }
    let image = |term: &Term| images[term.index()].expect("assertions are reached");
    Query::new(query.assertions.iter().map(image).collect())
}

/// Whether two words are one polynomial.
pub(crate) fn are_equal(pool: &mut Pool, a: Term, b: Term) -> bool {
    let width = pool.width(a);
    let mut ring = Ring { pool, polynomials: HashMap::default() };
    let (left, right) = (ring.polynomial(a), ring.polynomial(b));
    left.plus(&right, u128::MAX, width).terms.is_empty()
}

struct Ring<'a> {
    pool: &'a mut Pool,
    /// Asked, never iterated.
    polynomials: HashMap<Term, Rc<Polynomial>, FxBuildHasher>,
}

impl Ring<'_> {
    /// A term over the images of its operands.
    fn image(&mut self, term: Term, images: &[Option<Term>]) -> Term {
        let at = |term: Term| images[term.index()].expect("operands are older");
        match self.pool.node(term) {
            Node::Binary(Binary::Same, a, b) => self.equality(at(a), at(b)),
            _ => self.pool.rebuilt(term, images),
        }
    }

    fn equality(&mut self, a: Term, b: Term) -> Term {
        if let Sort::Bits(width) = self.pool.sort(a) {
            let (left, right) = (self.polynomial(a), self.polynomial(b));
            let difference = left.plus(&right, u128::MAX, width);
            if difference.terms.is_empty() {
                return self.pool.truth(true);
            }
            if difference.terms.len() == 1 && difference.terms.contains_key(&Vec::new()) {
                return self.pool.truth(false);
            }
        }
        self.pool.binary(Binary::Same, a, b)
    }

    /// A polynomial that equals a word modulo 2^w.
    fn polynomial(&mut self, term: Term) -> Rc<Polynomial> {
        // Operands first, without recursion: terms nest as deep as programs are long.
        let mut open = vec![term];
        while let Some(&next) = open.last() {
            if self.polynomials.contains_key(&next) {
                open.pop();
                continue;
            }
            let needed: Vec<Term> =
                (self.needs(next).into_iter()).filter(|need| !self.polynomials.contains_key(need)).collect();
            if needed.is_empty() {
                let polynomial = self.of_operands(next);
                self.polynomials.insert(next, Rc::new(polynomial));
                open.pop();
            } else {
                open.extend(needed);
            }
        }
        Rc::clone(&self.polynomials[&term])
    }

    /// The words whose polynomials make that of `term`.
    fn needs(&mut self, term: Term) -> Vec<Term> {
        match self.pool.node(term) {
            Node::Unary(Unary::Not | Unary::Extract { low: 0, .. }, a) => vec![a],
            Node::Binary(Binary::Shl, a, _) => vec![a],
            Node::Binary(Binary::Add | Binary::Sub | Binary::Mul, a, b) => vec![a, b],
            Node::Binary(Binary::Or | Binary::Xor, a, b) => vec![a, b, self.pool.and(a, b)],
            Node::Binary(Binary::And, a, b) => match self.without(a, b) {
                Some((kept, lost)) => vec![kept, lost],
                None => Vec::new(),
            },
            Node::Binary(op @ (Binary::Urem | Binary::Srem), a, b) => vec![a, b, self.quotient(op, a, b)],
            Node::Select(_, a, b) => vec![a, b],
            Node::Unary(Unary::Popcount, a) => self.counted(a).into_iter().map(|(part, _)| part).collect(),
            _ => Vec::new(),
        }
    }

    /// The counts whose sum, each so many times, is that of a word beside a constant; empty where its count is an atom.
    fn counted(&mut self, word: Term) -> Vec<(Term, u128)> {
        let minus = u128::MAX;
        let parts = match self.pool.node(word) {
            Node::Unary(Unary::Not, a) => vec![(a, minus)],
            Node::Binary(op @ (Binary::Or | Binary::Xor), a, b) => {
                let factor = if op == Binary::Or { minus } else { minus.wrapping_mul(2) };
                vec![(a, 1), (b, 1), (self.pool.and(a, b), factor)]
            }
            Node::Binary(Binary::And, a, b) => match self.without(a, b) {
                Some((kept, lost)) => vec![(kept, 1), (lost, minus)],
                None => Vec::new(),
            },
            _ => Vec::new(),
        };
        parts.into_iter().map(|(part, factor)| (self.pool.popcount(part), factor)).collect()
    }

    /// x and x & y where a & b is x & ~y.
    fn without(&mut self, a: Term, b: Term) -> Option<(Term, Term)> {
        match (self.pool.node(a), self.pool.node(b)) {
            (_, Node::Unary(Unary::Not, y)) => Some((a, self.pool.and(a, y))),
            (Node::Unary(Unary::Not, y), _) => Some((b, self.pool.and(b, y))),
            _ => None,
        }
    }

    fn quotient(&mut self, remainder: Binary, a: Term, b: Term) -> Term {
        let op = if remainder == Binary::Urem { Binary::Udiv } else { Binary::Sdiv };
        self.pool.binary(op, a, b)
    }

    fn known(&self, term: Term) -> Rc<Polynomial> {
        Rc::clone(&self.polynomials[&term])
    }

    /// The polynomial of a word whose operands have theirs.
    fn of_operands(&mut self, term: Term) -> Polynomial {
        let width = self.pool.width(term);
        let minus = u128::MAX;
        let atom = Polynomial::atom(Atom::Word(term));
        let polynomial = match self.pool.node(term) {
            Node::Bits { value, .. } => Polynomial::constant(value),
            Node::Binary(Binary::Add, a, b) => self.known(a).plus(&self.known(b), 1, width),
            Node::Binary(Binary::Sub, a, b) => self.known(a).plus(&self.known(b), minus, width),
            Node::Binary(Binary::Mul, a, b) => self.known(a).times(&self.known(b), width),
            Node::Binary(Binary::Shl, a, s) => {
                let power = match self.pool.value(s) {
                    Some(Value::Bits { value, .. }) if value < u128::from(width) => {
                        Polynomial::constant(1 << value)
                    }
                    Some(_) => Polynomial::default(),
                    None => Polynomial::atom(Atom::Power(s)),
                };
                self.known(a).times(&power, width)
            }
            Node::Binary(op @ (Binary::Or | Binary::Xor), a, b) => {
                let common = self.pool.and(a, b);
                let common = self.known(common);
                let factor = if op == Binary::Or { minus } else { minus.wrapping_mul(2) };
                self.known(a).plus(&self.known(b), 1, width).plus(&common, factor, width)
            }
            Node::Binary(Binary::And, a, b) => match self.without(a, b) {
                Some((kept, lost)) => self.known(kept).plus(&self.known(lost), minus, width),
                None => return atom,
            },
            Node::Binary(op @ (Binary::Urem | Binary::Srem), a, b) => {
                let quotient = self.quotient(op, a, b);
                let whole = self.known(quotient).times(&self.known(b), width);
                self.known(a).plus(&whole, minus, width)
            }
            Node::Unary(Unary::Not, a) => {
                Polynomial::constant(u128::MAX >> (128 - width)).plus(&self.known(a), minus, width)
            }
            // What is equal modulo 2^w is equal modulo a smaller power.
            Node::Unary(Unary::Extract { low: 0, .. }, a) => {
                Polynomial::default().plus(&self.known(a), 1, width)
            }
            // An extended word is the same number.
            Node::Unary(Unary::ZeroExtend(_), a) => Polynomial::atom(Atom::Word(a)),
            Node::Unary(Unary::Popcount, a) => {
                let parts = self.counted(a);
                let is_inverted = matches!(self.pool.node(a), Node::Unary(Unary::Not, _));
                let all = Polynomial::default().plus(
                    &Polynomial::constant(u128::from(width)),
                    u128::from(is_inverted),
                    width,
                );
                match parts.is_empty() {
                    true => return atom,
                    false => parts
                        .into_iter()
                        .fold(all, |sum, (part, factor)| sum.plus(&self.known(part), factor, width)),
                }
            }
            Node::Select(c, a, b) => {
                let (a, b) = (self.known(a), self.known(b));
                let condition = Polynomial::atom(Atom::Truth(c));
                b.plus(&condition.times(&a.plus(&b, minus, width), width), 1, width)
            }
            _ => return atom,
        };
        if polynomial.is_small() { polynomial } else { atom }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Side = fn(&mut Pool, Term, Term, Term) -> Term;

    /// Whether `left` = `right` is found by algebra.
    fn found(width: u32, left: Side, right: Side) -> Option<bool> {
        let mut pool = Pool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.variable(name, Sort::Bits(width)));
        let (left, right) = (left(&mut pool, x, y, z), right(&mut pool, x, y, z));
        let claim = pool.eq(left, right);
        let simple = simplified(&mut pool, &Query::new(vec![claim]));
        pool.value(simple.assertions[0]).map(Value::truth)
    }

    /// Identities that hold at every width.
    const IDENTITIES: [(Side, Side); 9] = [
        (
            |p, x, y, _| {
                let (both, any) = (p.and(x, y), p.or(x, y));
                let (both, any) = (p.popcount(both), p.popcount(any));
                p.add(both, any)
            },
            |p, x, y, _| {
                let (x, y) = (p.popcount(x), p.popcount(y));
                p.add(x, y)
            },
        ),
        (
            |p, x, y, _| {
                let (not_x, not_y) = (p.not(x), p.not(y));
                let (a, b) = (p.and(x, not_y), p.and(not_x, y));
                p.add(a, b)
            },
            |p, x, y, _| p.xor(x, y),
        ),
        (
            |p, x, y, z| {
                let a = p.mul(x, y);
                p.mul(a, z)
            },
            |p, x, y, z| {
                let a = p.mul(z, y);
                p.mul(a, x)
            },
        ),
        (
            |p, x, y, z| {
                let a = p.add(y, z);
                p.mul(x, a)
            },
            |p, x, y, z| {
                let (a, b) = (p.mul(x, y), p.mul(x, z));
                p.add(a, b)
            },
        ),
        (
            |p, x, y, _| {
                let (q, r) = (p.udiv(x, y), p.urem(x, y));
                let a = p.mul(q, y);
                p.add(a, r)
            },
            |_, x, _, _| x,
        ),
        (
            |p, x, y, z| {
                let a = p.shl(x, y);
                p.mul(a, z)
            },
            |p, x, y, z| {
                let a = p.shl(z, y);
                p.mul(x, a)
            },
        ),
        (
            |p, x, y, _| {
                let (a, b) = (p.or(x, y), p.and(x, y));
                p.add(a, b)
            },
            |p, x, y, _| p.add(x, y),
        ),
        (
            |p, x, _, _| {
                let ones = p.ones(x);
                p.mul(x, ones)
            },
            |p, x, _, _| p.neg(x),
        ),
        (
            |p, x, y, z| {
                let c = p.ult(x, y);
                let s = p.select(c, y, z);
                p.mul(s, x)
            },
            |p, x, y, z| {
                let c = p.ult(x, y);
                let (a, b) = (p.mul(y, x), p.mul(z, x));
                p.select(c, a, b)
            },
        ),
    ];

    #[test]
    fn identities_of_polynomials_are_found_at_64_bits() {
        for (index, (left, right)) in IDENTITIES.into_iter().enumerate() {
            assert_eq!(found(64, left, right), Some(true), "identity {index}");
        }
        assert_eq!(
            found(
                64,
                |p, x, _, _| {
                    let one = p.one(x);
                    p.add(x, one)
                },
                |_, x, _, _| x
            ),
            Some(false)
        );
        assert_eq!(found(64, |p, x, y, _| p.mul(x, y), |p, x, y, _| p.add(x, y)), None);
    }

    /// What algebra decides of random terms is what the machine computes, at every value of three bits.
    #[test]
    fn decisions_agree_with_the_machine() {
        let mut state = 0x2545_f491_4f6c_dd1d_u64;
        let mut random = |bound: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % bound as u64) as usize
        };
        let mut decided = [0, 0];
        for _ in 0..4000 {
            let mut pool = Pool::new();
            let mut terms: Vec<Term> =
                ["x", "y"].iter().map(|name| pool.variable(name, Sort::Bits(3))).collect();
            terms.push(pool.word(3, 1));
            terms.push(pool.word(3, 6));
            for _ in 0..8 {
                let (a, b) = (terms[random(terms.len())], terms[random(terms.len())]);
                terms.push(match random(14) {
                    12 | 13 => pool.popcount(a),
                    11 => {
                        let not = pool.not(b);
                        pool.and(a, not)
                    }
                    0 | 1 => pool.add(a, b),
                    2 => pool.sub(a, b),
                    3 => pool.mul(a, b),
                    4 => pool.shl(a, b),
                    5 => pool.or(a, b),
                    6 => pool.xor(a, b),
                    7 => pool.urem(a, b),
                    8 => pool.srem(a, b),
                    9 => {
                        let c = pool.ult(a, b);
                        pool.select(c, b, a)
                    }
                    _ => {
                        let wide = pool.zero_extend(a, 5);
                        let wider = pool.mul(wide, wide);
                        pool.truncate(wider, 3)
                    }
                });
            }
            let (left, right) = (terms[terms.len() - 1], terms[terms.len() - 2 - random(3)]);
            let claim = pool.binary(Binary::Same, left, right);
            let simple = simplified(&mut pool, &Query::new(vec![claim])).assertions[0];
            let Some(decision) = pool.value(simple).filter(|_| pool.value(claim).is_none()) else { continue };
            decided[usize::from(decision.truth())] += 1;
            for bits in 0..64u64 {
                let mut model = crate::query::Model::new();
                for (index, name) in ["x", "y"].iter().enumerate() {
                    let (id, _) = pool.variables().find(|(_, d)| d.name == *name).expect("declared");
                    model.set(id, Value::bits(3, u128::from(bits >> (3 * index))));
                }
                assert_eq!(
                    model.evaluate(&pool, &[claim])[0],
                    decision,
                    "{}",
                    crate::print::term(&pool, claim)
                );
            }
        }
        assert!(decided[1] > 20, "only {decided:?} were decided");
    }
}
