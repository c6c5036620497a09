//! Small domain instantiation: what only compares words is decided with few bits.
//!
//! Of words that are compared and chosen, and nothing else, only their order matters. So many words as a query
//! compares have their order in a few bits, too: each goes to its rank among them, and a query without a model there has
//! none at 64 bits (Pnueli, Rodeh, Strichman and Siegel, "The small model property: how small can it be?", Information and
//! Computation 2002; Bryant, Lahiri and Seshia, CAV 2002, call it range allocation). Chains of comparisons, which at 64 bits
//! are long adders to a SAT solver, become short ones.
//!
//! What is computed in another way, a sum or a product, is a word of which nothing is known but
//! how bitwise functions lie to their operands. That weakens a query: without a model it has none, and a model says nothing.
//!
//! The rank of x keeps both orders, and the complement of a word goes to the complement of its rank: among n words, their
//! complements and the least and greatest numbers at most n + 2 are not negative, of which each goes to its place, and the others to the
//! complement of their complement's.

use std::collections::BTreeSet;

use planish_base::Id;
use planish_ops::Bits;

use crate::query::Query;
use crate::signature::{Binary, Sort, Unary};
use crate::term::{Node, Pool, Term};
use crate::value::Value;

/// The query about the order of its words; `None` where that has as many bits as the words have.
pub(crate) fn instance(pool: &mut Pool, query: &Query) -> Option<Query> {
    let reached: Vec<Term> = (pool.reachable(&query.assertions).into_iter().enumerate())
        .filter(|&(_, reached)| reached)
        .map(|(index, _)| Term::from_index(index))
        .collect();
    let widths = Widths::of(pool, &reached)?;
    let mut instance =
        Instance { pool, widths, images: Vec::new(), facts: Vec::new(), constants: Vec::new() };
    instance.images = vec![None; instance.pool.len()];
    for term in reached {
        let image = instance.image(term);
        instance.images[term.index()] = Some(image);
    }
    instance.order_constants();
    let image = |t: &Term| instance.images[t.index()].expect("assertions are reached");
    let assertions = query.assertions.iter().map(image).chain(instance.facts.iter().copied()).collect();
    Some(Query::new(assertions))
}

/// How many bits the words of each width get, which is the index.
struct Widths(Vec<u32>);

impl Widths {
    /// `None` where no words get fewer than they have.
    fn of(pool: &Pool, reached: &[Term]) -> Option<Widths> {
        let mut words: Vec<u32> = Vec::new();
        for &term in reached {
            if let Sort::Bits(width) = pool.sort(term)
                && !is_kept(pool.node(term))
            {
                let width = width as usize;
                words.resize(words.len().max(width + 1), 0);
                words[width] += 1;
            }
        }
        // The sign, and one bit more than the greatest rank needs.
        let bits = |(width, &words): (usize, &u32)| (width as u32).min((words + 2).ilog2() + 2);
        let widths: Vec<u32> = words.iter().enumerate().map(bits).collect();
        let narrower =
            words.iter().enumerate().any(|(width, &words)| words > 0 && (widths[width] as usize) < width);
        narrower.then_some(Widths(widths))
    }

    fn at(&self, width: u32) -> u32 {
        self.0.get(width as usize).copied().unwrap_or(width.min(2))
    }
}

/// Whether a word is made of others without looking into them.
fn is_kept(node: Node) -> bool {
    matches!(node, Node::Select(..) | Node::Unary(Unary::Not, _))
}

/// The least number, -1, 0 and the greatest.
fn ends(width: u32) -> [Value; 4] {
    let least = 1 << (width - 1);
    [least, u128::MAX, 0, least - 1].map(|value| Value::bits(width, value))
}

struct Instance<'a> {
    pool: &'a mut Pool,
    widths: Widths,
    images: Vec<Option<Term>>,
    /// What holds of the new words.
    facts: Vec<Term>,
    /// Constants, each with its word.
    constants: Vec<(Value, Term)>,
}

impl Instance<'_> {
    fn image(&mut self, term: Term) -> Term {
        let at = |images: &[Option<Term>], term: Term| images[term.index()].expect("operands are older");
        let node = self.pool.node(term);
        let sort = self.pool.sort(term);
        match (sort, node) {
            (Sort::Bool, Node::Binary(Binary::Same | Binary::Ult | Binary::Slt, a, _))
                if matches!(self.pool.sort(a), Sort::Float(_)) =>
            {
                self.unknown(term, sort)
            }
            (
                Sort::Bool,
                Node::Binary(Binary::Both | Binary::Either | Binary::Same | Binary::Ult | Binary::Slt, ..),
            )
            | (Sort::Bool, Node::Unary(Unary::Negate, _) | Node::Select(..)) => {
                let images = std::mem::take(&mut self.images);
                let image = self.pool.rebuilt(term, &images);
                self.images = images;
                image
            }
            (Sort::Bool, _) if self.pool.value(term).is_some() => term,
            (Sort::Bool | Sort::Float(_), _) => self.unknown(term, sort),
            (Sort::Bits(_), Node::Select(condition, a, b)) => {
                let [condition, a, b] = [condition, a, b].map(|t| at(&self.images, t));
                self.pool.choose(condition, a, b)
            }
            (Sort::Bits(_), Node::Unary(Unary::Not, a)) => {
                let a = at(&self.images, a);
                self.pool.not(a)
            }
            (Sort::Bits(width), _) => {
                let narrow = self.widths.at(width);
                match self.pool.value(term) {
                    Some(value) => self.constant(value, width, narrow),
                    None => {
                        let word = self.unknown(term, Sort::Bits(narrow));
                        self.bitwise(node, word);
                        word
                    }
                }
            }
        }
    }

    fn unknown(&mut self, term: Term, sort: Sort) -> Term {
        self.pool.fresh(&format!("rank!{}", term.index()), sort)
    }

    /// 0, -1 and the ends of the range are what they are; another constant is a word at its place among these.
    fn constant(&mut self, value: Value, width: u32, narrow: u32) -> Term {
        let zero = self.pool.word(narrow, 0);
        let word = match ends(width).iter().position(|&end| end == value) {
            Some(0) => self.pool.signed_min(zero),
            Some(1) => self.pool.ones(zero),
            Some(2) => zero,
            Some(_) => self.pool.signed_max(zero),
            None => self.pool.fresh(&format!("rank!{value}"), Sort::Bits(narrow)),
        };
        self.constants.push((value, word));
        word
    }

    /// The order of all constants of one width, the ends of the range included.
    fn order_constants(&mut self) {
        let widths: BTreeSet<u32> = self.constants.iter().map(|(value, _)| value.sort().width()).collect();
        for &width in &widths {
            let narrow = self.widths.at(width);
            for end in ends(width) {
                self.constant(end, width, narrow);
            }
        }
        let place = |&(value, word): &(Value, Term)| {
            let (width, value) = value.unsigned();
            (width, value ^ 1 << (width - 1), word)
        };
        let mut ordered: Vec<(u32, u128, Term)> = self.constants.iter().map(place).collect();
        ordered.sort_unstable();
        ordered.dedup();
        for pair in ordered.windows(2) {
            if pair[0].0 == pair[1].0 {
                let less = self.pool.slt(pair[0].2, pair[1].2);
                self.facts.push(less);
            }
        }
    }

    /// How the results of bitwise functions lie to their operands.
    fn bitwise(&mut self, node: Node, word: Term) {
        let Node::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), a, b) = node else { return };
        let [a, b] = [a, b].map(|t| self.images[t.index()].expect("operands are older"));
        let pool = &mut *self.pool;
        let [sign_a, sign_b, sign] = [a, b, word].map(|word| pool.is_negative(word));
        let signs = match op {
            Binary::And => pool.both(sign_a, sign_b),
            Binary::Or => pool.either(sign_a, sign_b),
            _ => {
                let same = pool.same(sign_a, sign_b);
                pool.negate(same)
            }
        };
        self.facts.push(pool.same(sign, signs));
        let zero = pool.zero(word);
        let none = pool.eq(word, zero);
        match op {
            Binary::And => {
                // Of a & b nothing is left only where a lies within the complement of b, and b in that of a.
                for (a, b) in [(a, b), (b, a)] {
                    let outside = pool.not(b);
                    let (below, within) = (pool.ule(word, a), pool.ule(a, outside));
                    self.facts.extend([below, pool.implies(none, within)]);
                }
            }
            Binary::Or => self.facts.extend([a, b].map(|operand| pool.ule(operand, word))),
            _ => {
                let equal = pool.eq(a, b);
                self.facts.push(pool.same(none, equal));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::budget::Budget;
    use crate::builtin::attempt;
    use crate::query::{Model, Verdict};
    use crate::term::Variable;
    use std::time::Duration;

    /// A number from 0 to `below` - 1.
    fn draw(seed: &mut u64, below: usize) -> usize {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (*seed >> 33) as usize % below
    }

    /// A word of the terms so far: compared, chosen, complemented, or computed in a way that only bitwise facts are known of.
    fn word(pool: &mut Pool, words: &[Term], condition: Term, seed: &mut u64) -> Term {
        let [a, b] = [(); 2].map(|()| words[draw(seed, words.len())]);
        match draw(seed, 9) {
            0 | 1 => pool.choose(condition, a, b),
            2 => pool.not(a),
            3 => pool.and(a, b),
            4 => pool.or(a, b),
            5 => pool.xor(a, b),
            6 => pool.add(a, b),
            7 => pool.mul(a, b),
            _ => pool.word(pool.width(a), draw(seed, 64) as u64),
        }
    }

    /// Assertions about three words.
    fn assertions(pool: &mut Pool, words: &mut Vec<Term>, seed: &mut u64) -> Vec<Term> {
        let mut found: Vec<Term> = Vec::new();
        let mut condition = pool.truth(true);
        for _ in 0..6 {
            let made = word(pool, words, condition, seed);
            words.push(made);
            let [a, b] = [(); 2].map(|()| words[draw(seed, words.len())]);
            condition = match draw(seed, 3) {
                0 => pool.slt(a, b),
                1 => pool.ult(a, b),
                _ => pool.eq(a, b),
            };
            let opposite = pool.negate(condition);
            found.push(if draw(seed, 2) == 0 { condition } else { opposite });
        }
        let either = pool.either(found[0], found[1]);
        found.splice(..2, [either]);
        found
    }

    fn is_refuted(pool: &Pool, query: &Query) -> bool {
        attempt(pool, query, &mut Budget::new(Duration::from_secs(20))) == Verdict::Unsat
    }

    /// What has a model at 6 bits, found by looking at all, has one among the ranks, too.
    #[test]
    fn what_has_a_model_has_one_among_the_ranks() {
        let (mut refuted, mut narrower) = (0, 0);
        for case in 0..400 {
            let (mut pool, mut seed) = (Pool::new(), case);
            let mut words: Vec<Term> = ["x", "y"].map(|name| pool.variable(name, Sort::Bits(6))).to_vec();
            let query = Query::new(assertions(&mut pool, &mut words, &mut seed));
            let mut ranks = pool.clone();
            let Some(ranked) = instance(&mut ranks, &query) else { continue };
            narrower += 1;
            if !is_refuted(&ranks, &ranked) {
                continue;
            }
            refuted += 1;
            for (x, y) in (0..64).flat_map(|x| (0..64).map(move |y| (x, y))) {
                let mut model = Model::new();
                model.set(Variable::from_index(0), Value::bits(6, x));
                model.set(Variable::from_index(1), Value::bits(6, y));
                assert!(!model.satisfies(&pool, &query), "case {case}: {x} {y}");
            }
        }
        assert!(narrower > 100 && refuted > 20, "{refuted} of {narrower}");
    }

    /// Chains of comparisons at 64 bits have no model among the ranks; one that does not close has.
    #[test]
    fn chains_of_comparisons_are_decided() {
        for closes in [false, true] {
            let mut pool = Pool::new();
            let words: Vec<Term> = (0..12).map(|i| pool.variable(&format!("x{i}"), Sort::Bits(64))).collect();
            let mut chain: Vec<Term> = words.windows(2).map(|pair| pool.slt(pair[0], pair[1])).collect();
            if closes {
                let last = pool.slt(words[11], words[0]);
                chain.push(last);
            }
            let ranked = instance(&mut pool, &Query::new(chain)).expect("ranks are narrower");
            assert_eq!(is_refuted(&pool, &ranked), closes);
        }
    }

    /// That x has the bits of `ones` says that it is not less, unsigned: the known bits of a fact bound its members.
    #[test]
    fn known_bits_are_bounds() {
        let mut pool = Pool::new();
        let [x, ones] = ["x", "ones"].map(|name| pool.variable(name, Sort::Bits(64)));
        let outside = pool.not(x);
        let (missing, zero) = (pool.and(outside, ones), pool.zero(x));
        let (has_all, below) = (pool.eq(missing, zero), pool.ult(x, ones));
        let ranked = instance(&mut pool, &Query::new(vec![has_all, below])).expect("ranks are narrower");
        assert!(is_refuted(&pool, &ranked));
    }
}
