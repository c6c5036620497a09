//! Missed patterns: an operation and one of its operands that remain together, of which no rule made anything.
//!
//! Pairs that are frequent in optimized programs are where a rule may be missing. A pair is written as the pattern of
//! a rule would be: `and(add(_, c), c)` is an `and` with a constant of a sum with a constant. Only operations without
//! effects are looked into, for only those stand in patterns; what is looked at may be a guard too.

use std::collections::BTreeMap;
use std::fmt::Write;

use planish_ir::{Function, Inst};
use planish_ops::Effect;

/// Pairs with how often they remain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MissedPatterns {
    pairs: BTreeMap<String, u64>,
    operations: u64,
}

impl MissedPatterns {
    /// Counts the pairs of a function. O(size of the function).
    pub fn add(&mut self, f: &Function) {
        for (_, inst) in f.live_insts() {
            let effect = f.row(inst).effect;
            if !matches!(effect, Effect::Pure | Effect::Guard) {
                continue;
            }
            self.operations += 1;
            for (position, &arg) in f.args(inst).iter().enumerate() {
                let made = f.def_inst(arg).filter(|&made| f.row(made).effect == Effect::Pure);
                if let Some(made) = made {
                    let inner = pattern(f, made, |_| None);
                    let pair = pattern(f, inst, |other| (other == position).then_some(inner.as_str()));
                    *self.pairs.entry(pair).or_default() += 1;
                }
            }
        }
    }

    /// Adds what remains elsewhere.
    pub fn merge(&mut self, other: &MissedPatterns) {
        self.operations += other.operations;
        for (pair, count) in &other.pairs {
            *self.pairs.entry(pair.clone()).or_default() += count;
        }
    }

    /// The most frequent pairs, and how often they remain.
    pub fn most_frequent(&self, most: usize) -> impl Iterator<Item = (&str, u64)> {
        let mut sorted: Vec<(&str, u64)> =
            self.pairs.iter().map(|(pair, &count)| (pair.as_str(), count)).collect();
        sorted.sort_by_key(|&(pair, count)| (std::cmp::Reverse(count), pair));
        sorted.into_iter().take(most)
    }

    /// The most frequent pairs, a line each: how often, and what.
    pub fn table(&self, most: usize) -> String {
        let pairs: u64 = self.pairs.values().sum();
        let kinds = self.pairs.len();
        let mut out = format!("{pairs} pairs of {kinds} kinds remain in {} operations\n", self.operations);
        for (pair, count) in self.most_frequent(most) {
            writeln!(out, "{count:>7}  {pair}").expect("writing to a string does not fail");
        }
        out
    }
}

/// An operation with `c` for constants, `_` for values and what `inside` says for some positions.
fn pattern<'a>(f: &Function, inst: Inst, inside: impl Fn(usize) -> Option<&'a str>) -> String {
    let operand = |(position, &arg): (usize, &planish_ir::Value)| match inside(position) {
        Some(text) => text.to_owned(),
        None if f.constant(arg).is_some() => "c".to_owned(),
        None => "_".to_owned(),
    };
    let operands: Vec<String> = f.args(inst).iter().enumerate().map(operand).collect();
    format!("{}({})", f.inst(inst).op, operands.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_counted_and_the_most_frequent_come_first() {
        let (module, diagnostics) = planish_ir::text::read(
            "func f(v0: i64, v1: i64) -> i64 {\nentry:\n    v2 = add(v0, 1)\n    v3 = and(v2, 7)\n    v4 = and(v2, 6)\n    \
             v5 = lt(v3, v4)\n    guard_true(v5) else leave 0\n    v6 = sub(v0, v1)\n    return v6\n}\n",
        );
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let mut remains = MissedPatterns::default();
        module.functions.values().for_each(|f| remains.add(f));
        assert_eq!(
            remains.table(3),
            "5 pairs of 4 kinds remain in 6 operations\n      2  and(add(_, c), c)\n      1  guard_true(lt(_, _))\n      \
             1  lt(_, and(_, c))\n"
        );
    }
}
