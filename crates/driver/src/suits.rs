//! Which rules of the book suit a dialect.
//!
//! The book counts what operations cost on a machine. A dialect that lacks one says it by several others,
//! or not at all: where there is no `smulh`, a division by a constant is best left a division. A rule is
//! left out for a dialect when what it makes costs more there than what it replaces.

use planish_ops::Op;
use planish_opt::pipeline::{Price, machine_price};
use planish_rules::rule::{NodeKind, Rule, Target, TermId};

use crate::dialect::Dialect;

/// What an operation that cannot be written costs.
const IMPOSSIBLE: u64 = u32::MAX as u64;

/// What operations cost in a dialect.
pub(crate) fn price(dialect: Dialect, extended: bool) -> Price {
    match dialect {
        Dialect::Tac | Dialect::Rvsdg if extended => machine_price,
        Dialect::Tac => |op| planish_tac::legal::OPERATORS.price(op),
        Dialect::Rvsdg => |op| planish_rvsdg::legal::OPERATORS.price(op),
        Dialect::Bril | Dialect::BrilJson if extended => planish_bril::legal::price_with_words,
        Dialect::Bril | Dialect::BrilJson => planish_bril::legal::price,
        Dialect::Ssa | Dialect::Trace | Dialect::PypyLog => machine_price,
    }
}

/// The rules that do not suit a dialect, by number; `None` where all do.
pub(crate) fn left_out(dialect: Dialect, extended: bool) -> Option<Vec<bool>> {
    let price = match dialect {
        Dialect::Ssa | Dialect::Trace | Dialect::PypyLog => return None,
        Dialect::Tac | Dialect::Rvsdg if extended => return None,
        _ => price(dialect, extended),
    };
    let cost = |rule: &Rule, terms: &[TermId]| {
        let mut list = Vec::new();
        terms.iter().for_each(|&term| operations(rule, term, &mut list));
        list.iter().map(|&op| price(op).map_or(IMPOSSIBLE, u64::from)).sum::<u64>()
    };
    let loses = |rule: &Rule| {
        let made = match rule.target {
            Target::Value(term) => cost(rule, &[term]),
            Target::Pair(first, second) => cost(rule, &[first, second]),
            Target::Pass | Target::Fail => 0,
        };
        let gone = cost(rule, &[rule.pattern]);
        // What costs nothing is no reason to make anything: its operand may well stay.
        let free = |&op: &Op| price(op) == Some(0);
        made > gone || made == gone && made > 0 && root(rule).as_ref().is_some_and(free)
    };
    Some(planish_book::set().rules.values().map(loses).collect())
}

/// The operation that a rule replaces.
fn root(rule: &Rule) -> Option<Op> {
    match &rule.terms[rule.pattern].kind {
        NodeKind::Op(op, _) => Some(*op),
        _ => None,
    }
}

/// The operations of a term.
pub(crate) fn operations(rule: &Rule, term: TermId, list: &mut Vec<Op>) {
    if let NodeKind::Op(op, operands) = &rule.terms[term].kind {
        list.push(*op);
        operands.iter().for_each(|&operand| operations(rule, operand, list));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_division_by_a_constant_stays_one_where_there_are_no_high_products() {
        let makes_high_products = |rule: &Rule| {
            let mut list = Vec::new();
            if let Target::Value(term) = rule.target {
                operations(rule, term, &mut list);
            }
            list.iter().any(|op| matches!(op, Op::Smulh | Op::Umulh))
        };
        for dialect in [Dialect::Tac, Dialect::Rvsdg, Dialect::Bril] {
            let out = left_out(dialect, false).expect("these dialects lack operations");
            let rules = || planish_book::set().rules.values().zip(&out);
            assert!(rules().any(|(rule, _)| makes_high_products(rule)));
            assert!(rules().all(|(rule, &out)| out || !makes_high_products(rule)));
            assert!(rules().filter(|(_, out)| !**out).count() > rules().count() / 2);
        }
        assert_eq!(left_out(Dialect::Ssa, false), None);
    }
}
