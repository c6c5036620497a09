//! Missed patterns: an operation and one of its operands that remain together, of which no rule made anything.
//!
//! Pairs that are frequent in optimized programs are where a rule may be missing. A pair is written as the pattern of
//! a rule would be: `and(add(_, c), c)` is an `and` with a constant of a sum with a constant, `sub(add(x, _), x)` has one value
//! twice. Operands that commute have one order. Only operations without effects are looked into, for only those stand in
//! patterns; what is looked at may be a guard too.
//!
//! Pairs of which no rule can make less are left out: three unknown values need two operations, and two that cost least are
//! the least there is; a guard on a comparison of two unknown values needs both.

use std::collections::BTreeMap;
use std::fmt::Write;

use planish_domain::IntFact;
use planish_ir::{Function, Inst, Value};
use planish_ops::{Effect, Op};

use crate::witness::FactOf;

/// An operation and an operand of it, where they stand.
pub struct Pair {
    /// The pattern of a rule about them.
    pub pattern: String,
    /// The operation.
    pub outer: Inst,
    /// What makes its operand.
    pub inner: Inst,
    /// The operand.
    pub value: Value,
    /// The values and constants at the `_`, `c` and names of the pattern, in their order.
    pub leaves: Vec<Value>,
}

/// Hands the pairs of a function to `found`, those without hope apart. How many operations were looked at, and how many pairs were
/// left out. O(size of the function).
pub fn pairs(f: &Function, fact_of: FactOf<'_>, found: &mut dyn FnMut(Pair)) -> (u64, u64) {
    let (mut operations, mut left_out) = (0, 0);
    for (_, outer) in f.live_insts() {
        if !matches!(f.row(outer).effect, Effect::Pure | Effect::Guard) {
            continue;
        }
        operations += 1;
        for (position, &value) in f.args(outer).iter().enumerate() {
            let made = f.def_inst(value).filter(|&made| f.row(made).effect == Effect::Pure);
            let Some(inner) = made.filter(|_| !f.args(outer)[..position].contains(&value)) else { continue };
            let pair = Pair::new(f, outer, inner, value);
            match pair.is_hopeless(f, fact_of) {
                true => left_out += 1,
                false => found(pair),
            }
        }
    }
    (operations, left_out)
}

impl Pair {
    fn new(f: &Function, outer: Inst, inner: Inst, value: Value) -> Pair {
        let all: Vec<Value> =
            f.args(outer).iter().filter(|&&arg| arg != value).chain(f.args(inner)).copied().collect();
        let mut repeated: Vec<Value> = Vec::new();
        for (at, arg) in all.iter().enumerate() {
            if f.constant(*arg).is_none() && !repeated.contains(arg) && all[..at].contains(arg) {
                repeated.push(*arg);
            }
        }
        let leaf = |&arg: &Value| {
            let name = match repeated.iter().position(|other| *other == arg) {
                Some(number) => NAMES[number.min(NAMES.len() - 1)],
                None if f.constant(arg).is_some() => "c",
                None => "_",
            };
            (name.to_owned(), vec![arg])
        };
        let inside = written(f, inner, f.args(inner).iter().map(leaf).collect());
        let operand = |arg: &Value| if *arg == value { inside.clone() } else { leaf(arg) };
        let (pattern, leaves) = written(f, outer, f.args(outer).iter().map(operand).collect());
        Pair { pattern, outer, inner, value, leaves }
    }

    /// Whether no rule can make less of it.
    fn is_hopeless(&self, f: &Function, fact_of: FactOf<'_>) -> bool {
        let is_unknown = |(at, value): (usize, &Value)| {
            let is_top = |fact: IntFact| fact == IntFact::top(fact.width());
            f.constant(*value).is_none()
                && fact_of(*value).is_none_or(is_top)
                && !self.leaves[..at].contains(value)
        };
        let cheap = |inst: Inst| f.args(inst).len() == 2 && f.row(inst).cost <= 1;
        let is_least = match f.row(self.outer).effect {
            Effect::Guard => f.args(self.outer).len() == 1,
            _ => cheap(self.outer),
        };
        // Less of them than operands there are: one is there twice.
        let operands = f.args(self.outer).len() + f.args(self.inner).len() - 1;
        is_least
            && cheap(self.inner)
            && self.leaves.len() == operands
            && self.leaves.iter().enumerate().all(is_unknown)
    }
}

/// What values are called that stand in a pair twice.
const NAMES: [&str; 3] = ["x", "y", "z"];

/// An operation on operands that are written, and their leaves. Those that commute are put in order: operations, names, others,
/// constants.
fn written(f: &Function, inst: Inst, mut operands: Vec<(String, Vec<Value>)>) -> (String, Vec<Value>) {
    let rank = |(text, _): &(String, Vec<Value>)| match text.as_str() {
        "c" => 3,
        "_" => 2,
        name if NAMES.contains(&name) => 1,
        _ => 0,
    };
    let op: Op = f.inst(inst).op;
    if op.row().algebra.commutative {
        operands[..2].sort_by_key(rank);
    }
    let (texts, leaves): (Vec<String>, Vec<Vec<Value>>) = operands.into_iter().unzip();
    (format!("{op}({})", texts.join(", ")), leaves.concat())
}

/// Pairs with how often they remain.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MissedPatterns {
    pairs: BTreeMap<String, u64>,
    operations: u64,
}

impl MissedPatterns {
    /// Counts the pairs of a function. O(size of the function).
    pub fn add(&mut self, f: &Function) {
        let (operations, _) =
            pairs(f, &|_| None, &mut |pair| *self.pairs.entry(pair.pattern).or_default() += 1);
        self.operations += operations;
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
            "4 pairs of 3 kinds remain in 6 operations\n      2  and(add(_, c), c)\n      1  lt(_, and(_, c))\n      \
             1  lt(and(_, c), _)\n"
        );
    }

    /// The patterns of a function, those left out counted.
    fn found(body: &str, fact_of: FactOf<'_>) -> (Vec<String>, u64) {
        let text = format!("func f(v0: i64, v1: i64, v2: i64) -> i64 {{\nentry:\n{body}}}\n");
        let (module, diagnostics) = planish_ir::text::read(&text);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let mut found = Vec::new();
        let f = module.functions.values().next().expect("a function");
        let (_, left_out) = pairs(f, fact_of, &mut |pair| found.push(pair.pattern));
        (found, left_out)
    }

    #[test]
    fn pairs_of_three_unknown_values_are_left_out_and_others_are_not() {
        let sums = "    v3 = add(v0, v1)\n    v4 = add(v2, v3)\n    return v4\n";
        assert_eq!(found(sums, &|_| None), (vec![], 1));
        // Of a range something may be made.
        let known = |_: Value| Some(IntFact::interval(64, 0, 7));
        assert_eq!(found(sums, &known), (vec!["add(add(_, _), _)".to_owned()], 0));
        // A product costs more than the least.
        let product = "    v3 = mul(v0, v1)\n    v4 = add(v2, v3)\n    return v4\n";
        assert_eq!(found(product, &|_| None), (vec!["add(mul(_, _), _)".to_owned()], 0));
    }

    #[test]
    fn a_value_that_stands_twice_has_a_name_and_operands_that_commute_have_one_order() {
        for (body, pattern) in [
            ("    v3 = add(v0, v1)\n    v4 = xor(v1, v3)\n    return v4\n", "xor(add(x, _), x)"),
            ("    v3 = sub(v1, v0)\n    v4 = and(v3, v1)\n    return v4\n", "and(sub(x, _), x)"),
            ("    v3 = sub(v1, v0)\n    v4 = and(v3, v3)\n    return v4\n", "and(sub(_, _), sub(_, _))"),
        ] {
            assert_eq!(found(body, &|_| None).0, [pattern], "{body}");
        }
    }
}
