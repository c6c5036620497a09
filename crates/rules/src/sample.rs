//! Trying a rule on some inputs of wide types.
//!
//! Inputs are drawn where rules are wrong: at and around the numbers that the rule names (`named`), between them, at
//! what its checks compare a constant with, at powers of two and masks, at small numbers of both signs, at the value of another
//! variable, and anywhere. The sequence depends on
//! nothing but the rule's types, so a verdict is the same on every run.

use planish_base::Id;
use planish_ops::{Datum, FloatFormat, Int, Machine, Real, Type};

use crate::apply::{asked, unpack};
use crate::eval::{Val, concrete};
use crate::exhaust::{Case, Choice, GLANCE, Tally, exact, facts_of, inputs, undefined, values};
use crate::named::{self, Named, Relation};
use crate::rule::{Expr, Rule, VarId, VarKind};
use crate::semantics::Reading;

/// Tries a rule on `count` inputs of these types, which it admits, under each reading, as long as `goes_on` says so.
pub fn sample(rule: &Rule, types: &[Type], count: u64, goes_on: &dyn Fn() -> bool, tally: &mut Tally) {
    let mut draw = Draw::new(rule, types);
    tally.assignments += 1;
    tally.sampled = true;
    for number in 0..count {
        if number.is_multiple_of(GLANCE) && !goes_on() {
            tally.is_cut_short = true;
            return;
        }
        for reading in Reading::ALL {
            let mut case = Case::new(rule);
            for (var, choice) in draw.inputs(rule, types, number) {
                case.set(var, choice);
            }
            case.judge(rule, reading, types, tally);
            if tally.wrong.is_some() {
                return;
            }
        }
    }
}

/// Cases of these types, which the rule admits, with all that is known of their values.
pub fn cases(rule: &Rule, types: &[Type], count: u64) -> Vec<Case> {
    let mut draw = Draw::new(rule, types);
    let mut case = |number| {
        let mut case = Case::new(rule);
        for (var, (datum, ..)) in draw.inputs(rule, types, number) {
            case.set(var, exact(rule, var, datum));
        }
        case
    };
    (0..count).map(&mut case).collect()
}

/// Numbers in no order, and those that the rule names.
struct Draw<'a> {
    state: u64,
    named: Named,
    relations: Vec<Relation<'a>>,
}

impl<'a> Draw<'a> {
    fn new(rule: &'a Rule, types: &[Type]) -> Draw<'a> {
        let (named, relations) = (Named::of(rule, types), named::relations(rule));
        Draw { state: 0x9e37_79b9_7f4a_7c15, named, relations }
    }

    /// The next number of a sequence without visible order (xorshift64*).
    fn next(&mut self) -> u64 {
        self.state ^= self.state >> 12;
        self.state ^= self.state << 25;
        self.state ^= self.state >> 27;
        self.state.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    /// A number below `end`.
    fn below(&mut self, end: usize) -> usize {
        ((u128::from(self.next()) * end as u128) >> 64) as usize
    }

    fn inputs(&mut self, rule: &Rule, types: &[Type], number: u64) -> Vec<(VarId, Choice)> {
        let asked = asked(rule);
        let mut drawn: Vec<(VarId, Choice)> = Vec::new();
        // Constants with their values: expressions ask facts of everything else.
        let mut constants: Vec<Option<Val<Machine>>> = vec![None; rule.vars.len()];
        // What is compared with something that others make comes after these.
        let mut order = inputs(rule);
        order.sort_by_key(|&var| {
            self.relations.iter().any(|relation| relation.var == var && !relation.is_plain())
        });
        for var in order {
            let variable = &rule.vars[var];
            let ty = concrete(variable.ty, types);
            let compared = self.compared(rule, types, var, &mut constants);
            let others = drawn.iter().map(|(_, (datum, ..))| *datum).chain(compared).collect::<Vec<_>>();
            let datum = match (ty, compared) {
                (_, Some(datum)) if self.below(4) == 0 => datum,
                (Type::Int(width), _) => Datum::Word(self.word(u32::from(width), &others, number)),
                (Type::Float(format), _) => Datum::Float(self.float(format, &others)),
                (Type::Ref | Type::State | Type::Vector(_), _) => {
                    unreachable!("rules are about integers and floats")
                }
            };
            if variable.kind == VarKind::Constant {
                constants[var.index()] = Some(Val::Datum(datum));
            }
            let with_facts = variable.kind == VarKind::Value && asked[var.index()];
            drawn.push((var, self.with_fact(rule, variable.kind, datum, with_facts)));
        }
        drawn
    }

    /// Something with which a check compares a constant, as far as that is made of constants that are drawn.
    fn compared(
        &mut self,
        rule: &Rule,
        types: &[Type],
        var: VarId,
        constants: &mut Vec<Option<Val<Machine>>>,
    ) -> Option<Datum<Machine>> {
        let mine: Vec<&Expr> =
            self.relations.iter().filter(|relation| relation.var == var).map(|r| r.other).collect();
        if mine.is_empty() {
            return None;
        }
        let other = mine[self.below(mine.len())];
        named::evaluated(rule, types, other, constants)
    }

    /// A value with something that is known of it; at times it is undefined, where that may be.
    fn with_fact(&mut self, rule: &Rule, kind: VarKind, datum: Datum<Machine>, with_facts: bool) -> Choice {
        if kind == VarKind::Value && rule.chooses() && self.below(4) == 0 {
            let choices = undefined(datum, with_facts);
            return choices[self.below(choices.len())];
        }
        match datum {
            Datum::Word(word) if with_facts => {
                let facts = facts_of(word);
                (datum, Some(unpack(facts[self.below(facts.len())])), true)
            }
            _ => (datum, None, true),
        }
    }

    /// A float: one that the rule names or near to it, another input or near to it, one of those that are like no other, a whole number or one with a fraction, where numbers are as dense as
    /// whole ones, or any.
    fn float(&mut self, format: FloatFormat, others: &[Datum<Machine>]) -> Real {
        let others: Vec<f64> = others
            .iter()
            .filter_map(|datum| match datum {
                Datum::Float(Real::F32(float)) => Some(f64::from(*float)),
                Datum::Float(Real::F64(float)) => Some(*float),
                Datum::Word(_) => None,
            })
            .collect();
        let near = match self.below(3) {
            0 if !others.is_empty() => Some(others[self.below(others.len())]),
            0 | 1 if !self.named.floats.is_empty() => {
                let at = self.below(self.named.floats.len());
                Some(self.named.floats[at])
            }
            _ => None,
        };
        if let Some(near) = near.filter(|float| !float.is_nan()) {
            // As often the number itself as another one near to it.
            return named::neighbours(format, near)[self.below(7).saturating_sub(3)];
        }
        let digits = match format {
            FloatFormat::F32 => 23,
            FloatFormat::F64 => 52,
        };
        let number = match self.below(6) {
            0 | 1 => {
                let edges = values(Type::Float(format));
                match edges[self.below(edges.len())] {
                    Datum::Float(real) => return real,
                    Datum::Word(_) => unreachable!("they are values of floats"),
                }
            }
            2 => (self.below(64) as f64 - 32.0) / 4.0,
            3 => (self.next() >> 11) as f64 / (1u64 << 53) as f64,
            4 => (1u64 << digits) as f64 * (1 + self.below(3)) as f64 + self.below(8) as f64 - 4.0,
            _ => match Real::from_bits(format, self.next() & (u64::MAX >> (64 - format.bits()))) {
                Real::F32(any) => f64::from(any),
                Real::F64(any) => any,
            },
        };
        // Which NaN it is, is nobody's concern.
        let number = if number.is_nan() { f64::NAN } else { number };
        match format {
            FloatFormat::F32 => Real::F32(number as f32),
            FloatFormat::F64 => Real::F64(number),
        }
    }

    fn word(&mut self, width: u32, others: &[Datum<Machine>], number: u64) -> Int {
        let others: Vec<u64> = others
            .iter()
            .filter_map(|datum| match datum {
                Datum::Word(word) => Some(word.unsigned()),
                Datum::Float(_) => None,
            })
            .collect();
        let near = [0, 0, 1, u64::MAX][self.below(4)];
        let raw = match (self.below(8), number % 2) {
            (0, _) => self.next(),
            (1, _) => self.next() >> self.below(64),
            (2, _) => (self.below(17) as u64).wrapping_sub(8),
            (3, _) => (1u64 << self.below(width as usize)).wrapping_add(near),
            (4, _) => (1u64 << self.below(width as usize)).wrapping_neg().wrapping_add(near),
            (5, _) if !others.is_empty() => others[self.below(others.len())].wrapping_add(near),
            (6, 1) if self.named.integers.len() > 1 => {
                let at = self.below(self.named.integers.len() - 1);
                let (from, to) = (self.named.integers[at], self.named.integers[at + 1]);
                let span = u64::try_from(to - from).unwrap_or(u64::MAX).max(1);
                (from as u64).wrapping_add(self.next() % span)
            }
            _ if !self.named.integers.is_empty() => {
                let at = self.below(self.named.integers.len());
                (self.named.integers[at] as u64).wrapping_add(near)
            }
            _ => self.next(),
        };
        Int::new(width, raw)
    }
}

#[cfg(test)]
mod tests {
    use planish_base::SourceText;

    use super::*;
    use crate::set::RuleSet;

    fn tally(text: &str) -> Tally {
        let (set, findings) = RuleSet::read(vec![SourceText::new("test.rules", text)]);
        assert!(findings.is_empty(), "{}", set.render(&findings));
        let rule = set.rules.values().next().expect("one rule");
        let mut tally = Tally::default();
        for types in rule.assignments() {
            sample(rule, &types, 200, &|| true, &mut tally);
        }
        tally
    }

    /// Each is right on all inputs but few, and none is right at small widths only.
    #[test]
    fn what_is_wrong_at_few_inputs_is_found() {
        for wrong in [
            "a: and(x, 127) => and(x, 63)\n",
            "b: urem(x, 4093) => 17\n",
            "c: add(x, 30000) => or(x, 30000)\n",
            "d: sub(x, C)\n    check C >u 900 and C <u 1900\n    => x\n",
            "e: lt(x, 12345) => le(x, 12345)\n",
            "f: eq(x, y) => 0\n",
            "g: and(x, C)\n    check C == 1 << 13\n    => 0\n",
            "h: fadd(fadd(x, 1.0), 2.0) => fadd(x, 3.0)\n",
            "i: fmul(fmul(x, 0.1), 10.0) => x\n",
            "j: feq(x, 0.3) => 0\n",
            "k: flt(x, 12.75) => fle(x, 12.75)\n",
            "l: fle(x, 1234.5) => flt(x, 1234.5000000000002)\n",
            "m: feq(signed_to_float(x: i64), 76543.0) => 0\n",
            "n: fmul(x, C)\n    check C == 0.7\n    => fmul(x, 0.75)\n",
            "o: add(x, C)\n    check C == 12345 * 7 + 3\n    => x\n",
            "p: add(add(x, C1), C2)\n    check C2 == C1 * 77 + 1234567\n    => x\n",
            "q: eq(x, 0x123456789abcd) => 0\n",
            "r: feq(fadd(x, y), y)\n    => feq(x, 0.0)\n",
        ] {
            assert!(tally(wrong).wrong.is_some(), "{wrong}");
        }
        let right = tally("h: and(and(x, 1000), 24) => and(x, 8)\n");
        assert!(right.wrong.is_none() && right.applied > 0 && right.sampled);
    }
}
