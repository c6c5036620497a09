//! Every theorem of the domain at every reduced fact of small widths.

use planish_domain::enumerate;
use planish_domain::theorems::{Free, Theorem, all};
use planish_domain::{Fact, IntFact};
use planish_ops::{Datum, Fold, Int, Machine, Op, Type, fold};

/// The number of cases in which a theorem says something; fails with the first in which it is wrong.
fn check(theorem: Theorem, width: u32) -> u64 {
    enumerate::check(theorem, width)
        .unwrap_or_else(|failure| panic!("{} at {width} bits: {failure:?}", theorem.name()))
}

/// Whether a theorem is about a third fact, that of the result: too many cases for three bits here, where
/// the walk of `precision` covers them.
fn has_result_fact(theorem: Theorem) -> bool {
    matches!(theorem, Theorem::Backward(_) | Theorem::BackwardExact(_))
}

/// S5.27: what is tested here, and proved by solvers, are the functions that ship: nothing is written a
/// second time.
#[test]
fn every_theorem_holds_at_every_fact_of_up_to_three_bits() {
    for theorem in all() {
        for width in 1..=if has_result_fact(theorem) { 2 } else { 3 } {
            let cases = check(theorem, width);
            assert!(cases > 0 || theorem.params(width).is_none(), "{} is vacuous", theorem.name());
        }
    }
}

#[test]
fn theorems_of_one_operand_hold_at_every_fact_of_four_bits() {
    for theorem in all() {
        if theorem.params(4).is_some_and(|params| params.facts.len() <= 1) {
            assert!(check(theorem, 4) > 0, "{} is vacuous", theorem.name());
        }
    }
}

/// Pseudo-random words, many of them near the ends of ranges: Marsaglia's xorshift.
struct Words(u64);

impl Words {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        match self.0 % 5 {
            0 => self.0 >> (self.0 >> 32 & 63),
            1 => !(self.0 >> (self.0 >> 32 & 63)),
            2 => 1 << (self.0 >> 32 & 63),
            3 => (1u64 << (self.0 >> 32 & 63)).wrapping_sub(1),
            _ => self.0,
        }
    }

    /// A fact with a given member.
    fn fact_of(&mut self, member: Int) -> IntFact {
        let width = member.width();
        let mut fact = IntFact::top(width);
        let other = Int::new(width, self.next());
        if self.next().is_multiple_of(2) {
            let (a, b) = (member.signed(), other.signed());
            fact = fact.meet(IntFact::interval(width, a.min(b), a.max(b)));
        }
        if self.next().is_multiple_of(2) {
            let known = self.next();
            fact = fact.meet(IntFact::bits(width, member.unsigned() & known, !member.unsigned() & known));
        }
        if self.next().is_multiple_of(8) {
            fact = IntFact::constant(member);
        }
        fact
    }
}

/// The result of an operation of a theorem on members of its operands; `None` where it is undefined.
fn result(theorem: Theorem, width: u32, members: &[Int]) -> Option<Int> {
    let op = theorem.op()?;
    let to = if op == Op::Trunc { width / 2 } else { width };
    let args: Vec<Datum<Machine>> = members.iter().map(|&m| Datum::Word(m)).collect();
    match fold(op, &args, &[Type::Int(to as u8)])? {
        Fold::Int(value) | Fold::Pair(value, _) => Some(value),
        Fold::Real(_) | Fold::Undefined => None,
    }
}

/// Every theorem at the widths that programs have.
#[test]
fn every_theorem_holds_at_random_wide_facts() {
    let mut random = Words(0x9e37_79b9_7f4a_7c15);
    for theorem in all() {
        let mut given = 0;
        for round in 0..400 {
            let width = [8, 24, 32, 64][round % 4];
            let params = theorem.params(width).expect("every theorem is about these widths");
            let operands = params.words.iter().filter(|w| matches!(w, Free::Member(_))).count();
            let mut members: Vec<Int> = params.facts[..operands.min(params.facts.len())]
                .iter()
                .map(|&w| Int::new(w, random.next()))
                .collect();
            // Members of facts without one of their own: of the result, or any.
            for &w in &params.facts[members.len()..] {
                let value = result(theorem, width, &members);
                members.push(value.unwrap_or_else(|| Int::new(w, random.next())));
            }
            let facts: Vec<IntFact> = members.iter().map(|&m| random.fact_of(m)).collect();
            let mut words: Vec<Int> = Vec::new();
            for &free in &params.words {
                words.push(match free {
                    Free::Member(fact) => members[fact],
                    // Some are equal, as addresses have to be for memory to be read where it was written.
                    Free::Any(width) => match words.iter().find(|word| word.width() == width) {
                        Some(&word) if random.next().is_multiple_of(4) => word,
                        _ => Int::new(width, random.next()),
                    },
                });
            }
            let raw: Vec<Fact<Int>> = facts.iter().map(|f| f.to_words()).collect();
            let claim = theorem.claim(&mut Machine, width, &raw, &words);
            assert!(!claim.given || claim.then, "{} at {width}: {facts:?} {words:?}", theorem.name());
            given += u64::from(claim.given);
        }
        assert!(given > 0, "{} was never put to the test", theorem.name());
    }
}
