//! Rule filter: which rules of the book pay for a dialect.
//!
//! The book counts what operations cost on a machine. A dialect that lacks one says it by several others,
//! or not at all: where there is no `smulh`, a division by a constant is best left a division. A rule is
//! left out for a dialect when what it makes costs more there than what it replaces. That is said by operation. Where a
//! dialect has an operation at some types only, what a rule makes is asked about when it is about to be made.

use std::collections::BTreeSet;

use planish_bril::lower::has_form;
use planish_ops::Op;
use planish_opt::{Price, Target as Written, Writes};
use planish_rules::rule::{NodeKind, Rule, TermId};

use crate::dialect::Dialect;

/// What operations cost in a dialect.
pub(crate) fn price(dialect: Dialect, extended: bool) -> Price<'static> {
    match dialect {
        // Everything but what names something outside of functions, as a constant table is.
        Dialect::Tac | Dialect::Rvsdg if extended => &|op| (op != Op::Lookup).then_some(op.row().cost),
        Dialect::Tac => &|op| planish_tac::legal::OPERATORS.price(op),
        Dialect::Rvsdg => &|op| planish_rvsdg::legal::OPERATORS.price(op),
        Dialect::Bril | Dialect::BrilJson if extended => &planish_bril::legal::price_with_words,
        Dialect::Bril | Dialect::BrilJson => &planish_bril::legal::price,
        Dialect::Ssa | Dialect::Trace | Dialect::PypyLog => Written::MACHINE.price,
    }
}

/// What a dialect can write, where that depends on types.
pub(crate) fn writes(dialect: Dialect, extended: bool) -> Option<Writes<'static>> {
    match dialect {
        Dialect::Bril | Dialect::BrilJson if extended => {
            Some(&|op, operands, result| has_form(op, operands, result, true))
        }
        Dialect::Bril | Dialect::BrilJson => {
            Some(&|op, operands, result| has_form(op, operands, result, false))
        }
        _ => None,
    }
}

/// What is left out, by dialect: `[tac]`, then a line a rule, and so on.
///
/// Reading the book takes several times as long as optimizing a small program, so the answer is kept; a test holds
/// it against the book, and writes it.
const LEFT_OUT: &str = include_str!("left_out.txt");

/// The tag of rules that make more operations than they remove: divisions by constants.
const EXPANDING: &str = "expand";

/// The rules that do not suit a dialect, by number; `None` where all do.
///
/// What is written as `.ssa` goes to a code generator, which makes products of divisions by constants itself and knows then
/// what they cost: so they stay divisions, which say more and are fewer, unless `expands`.
pub(crate) fn left_out(dialect: Dialect, extended: bool, expands: bool) -> Option<Vec<bool>> {
    if dialect == Dialect::Ssa && !expands {
        return Some(planish_book::RULES.iter().map(|rule| rule.tags.contains(&EXPANDING)).collect());
    }
    let section = section(dialect, extended)?;
    let lines = LEFT_OUT.lines().skip_while(|line| *line != section).skip(1);
    let out: BTreeSet<&str> = lines.take_while(|line| !line.starts_with('[')).collect();
    Some(planish_book::RULES.iter().map(|rule| out.contains(rule.name)).collect())
}

/// The part of [`LEFT_OUT`] about a dialect; none where all rules suit.
fn section(dialect: Dialect, extended: bool) -> Option<&'static str> {
    match dialect {
        Dialect::Ssa | Dialect::Trace | Dialect::PypyLog => None,
        Dialect::Tac | Dialect::Rvsdg if extended => None,
        Dialect::Tac => Some("[tac]"),
        Dialect::Rvsdg => Some("[rvsdg]"),
        Dialect::Bril | Dialect::BrilJson if extended => Some("[bril extended]"),
        Dialect::Bril | Dialect::BrilJson => Some("[bril]"),
    }
}

/// The operations of a term.
pub fn operations(rule: &Rule, term: TermId, list: &mut Vec<Op>) {
    if let NodeKind::Op(op, operands) = &rule.terms[term].kind {
        list.push(*op);
        operands.iter().for_each(|&operand| operations(rule, operand, list));
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use planish_rules::rule::Target;

    use super::*;

    /// What an operation that cannot be written costs.
    const IMPOSSIBLE: u64 = u32::MAX as u64;

    /// Whether a rule makes what costs more than what it replaces.
    fn loses(rule: &Rule, price: Price<'_>) -> bool {
        let cost = |terms: &[TermId]| {
            let mut list = Vec::new();
            terms.iter().for_each(|&term| operations(rule, term, &mut list));
            list.iter().map(|&op| price(op).map_or(IMPOSSIBLE, u64::from)).sum::<u64>()
        };
        let made = match rule.target {
            Target::Value(term) => cost(&[term]),
            Target::Pair(first, second) => cost(&[first, second]),
            Target::Pass | Target::Fail => 0,
        };
        let gone = cost(&[rule.pattern]);
        // What costs nothing is no reason to make anything: its operand may well stay.
        let free = match &rule.terms[rule.pattern].kind {
            NodeKind::Op(op, _) => price(*op) == Some(0),
            _ => false,
        };
        made > gone || made == gone && made > 0 && free
    }

    #[test]
    fn what_is_left_out_is_what_loses() {
        let mut text = String::new();
        for (dialect, extended) in
            [(Dialect::Tac, false), (Dialect::Rvsdg, false), (Dialect::Bril, false), (Dialect::Bril, true)]
        {
            text += section(dialect, extended).expect("some rules lose there");
            text.push('\n');
            let price = price(dialect, extended);
            for rule in planish_book::set().rules.values().filter(|rule| loses(rule, price)) {
                text += &rule.name;
                text.push('\n');
            }
        }
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/left_out.txt");
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&path, &text).expect("the file can be written");
        }
        let found = std::fs::read_to_string(&path).expect("the file is there");
        assert!(
            found == text,
            "left_out.txt is stale: BLESS=1 cargo test -p planish-driver --lib rule_filter"
        );
    }

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
            let out = left_out(dialect, false, true).expect("these dialects lack operations");
            let rules = || planish_book::set().rules.values().zip(&out);
            assert!(rules().any(|(rule, _)| makes_high_products(rule)));
            assert!(rules().all(|(rule, &out)| out || !makes_high_products(rule)));
            assert!(rules().filter(|(_, out)| !**out).count() > rules().count() / 2);
        }
        assert_eq!(left_out(Dialect::Ssa, false, true), None);
        let out = left_out(Dialect::Ssa, false, false).expect("a code generator expands divisions");
        assert!(
            planish_book::set().rules.values().zip(out).all(|(rule, out)| out || !makes_high_products(rule))
        );
    }
}
