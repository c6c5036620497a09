//! Inputs of a rule of which all is known, and whether its claim holds for each.

use planish_base::Id;
use planish_domain::IntFact;
use planish_ops::{Datum, Int, Type};
use planish_rules::Rule;
use planish_rules::apply::unpack;
use planish_rules::exhaust::{Case, every_case};
use planish_rules::rule::{NodeKind, VarId, VarKind};
use planish_rules::sample::cases;
use planish_rules::semantics::Reading;
use planish_rules::speaks;

use super::vocabulary::numbers;

/// How many examples there are of small words, and of those of programs, all types together.
const SMALL: usize = 1500;
const WIDE: usize = 2500;

/// How many examples there are with each number that a rule names in place of its constants, for each choice of types.
const NAMED: usize = 30;

/// How many examples there are with amounts in range in place of constants by which something is shifted, for each choice of types.
const SHIFTED: usize = 120;

/// The small words of which examples are made, besides those of programs.
const SMALL_WIDTHS: [u32; 2] = [3, 4];

/// An input.
#[derive(Clone, Debug)]
pub struct Example {
    /// The type of each type variable.
    pub types: Vec<Type>,
    /// The values, and that they are known.
    pub case: Case,
    /// Whether the claim holds; nothing where the rule does not apply.
    pub holds: Option<bool>,
    /// Whether the rule applies under every reading: with shift amounts in range and divisors that are not zero. What is claimed
    /// where only one reading gives a result has to hold, and is nothing that anybody writes a rule for.
    pub is_usual: bool,
}

impl Example {
    /// A case of a rule.
    fn of(rule: &Rule, types: &[Type], case: Case) -> Example {
        let under = Reading::ALL.map(|reading| case.outcome(rule, reading, types));
        let is_usual = under.iter().all(Option::is_some);
        let holds = under.into_iter().flatten().reduce(|all, one| all && one);
        Example { types: types.to_vec(), case, holds, is_usual }
    }

    /// What the constants of the rule are, those that are words, without sign.
    pub fn constants(&self, rule: &Rule) -> Vec<u64> {
        let constants = rule.vars.iter().filter(|(_, var)| var.kind == VarKind::Constant);
        let words = constants.filter_map(|(id, _)| match self.case.data[id.index()] {
            Some(Datum::Word(word)) => Some(word.unsigned()),
            _ => None,
        });
        words.collect()
    }

    /// The same with a number in place of a constant of the rule.
    pub fn with_constant(&self, rule: &Rule, constant: VarId, number: i128) -> Example {
        let mut case = self.case.clone();
        if let Some(Datum::Word(word)) = case.data[constant.index()] {
            case.data[constant.index()] = Some(Datum::Word(Int::new(word.width(), number as u64)));
        }
        Example::of(rule, &self.types, case)
    }

    /// The same with a range or some bits in place of all that is known of the values, as programs know them: `kind` says
    /// of which kind.
    pub fn with_ranges(&self, rule: &Rule, kind: usize) -> Example {
        let mut example = self.clone();
        for (id, _) in rule.vars.iter().filter(|(_, var)| var.kind == VarKind::Value) {
            if let Some(Datum::Word(word)) = example.case.data[id.index()] {
                example.case.known[id.index()] = Some(unpack(range_of(word, kind)));
            }
        }
        example
    }
}

/// A range that has a word, or its high bits.
fn range_of(word: Int, kind: usize) -> IntFact {
    let (width, value, bits) = (word.width(), word.signed(), word.unsigned());
    match (kind % 3, value < 0) {
        (0, false) => IntFact::interval(width, 0, (u64::MAX >> bits.leading_zeros().min(63)) as i64),
        (0, true) => IntFact::interval(width, i64::MIN, -1),
        (1, _) => IntFact::interval(width, value.saturating_sub(1), value.saturating_add(1)),
        _ => {
            let high = u64::MAX << (width / 2);
            IntFact::bits(width, bits & high, !bits & high)
        }
    }
}

/// Examples of all types that a rule speaks of.
pub fn examples(rule: &Rule) -> Vec<Example> {
    let small = speaks::choices(&rule.kinds(), &SMALL_WIDTHS).filter(|types| rule.admits(types));
    let small: Vec<Vec<Type>> = small.filter(|types| rule.target_is_legal(types)).collect();
    // Of truth values there are all among the small ones: once more, each many times, they would count for more than all others.
    let wide: Vec<Vec<Type>> = rule.assignments().filter(|types| !small.contains(types)).collect();
    let mut all = Vec::new();
    let mut add = |types: &[Type], cases: Vec<Case>| {
        all.extend(cases.into_iter().map(|case| Example::of(rule, types, case)));
    };
    for types in &small {
        add(types, every_case(rule, types, (SMALL / small.len()).clamp(8, 600)));
    }
    for types in &wide {
        let some = cases(rule, types, (WIDE / wide.len()).clamp(8, 500) as u64);
        let (named, shifting) = (with_numbers(rule, &some), with_amounts(rule, &some));
        add(types, some);
        add(types, named);
        add(types, shifting);
    }
    all
}

/// Some of the cases with a number that the rule names, or a power of two of one, in place of each constant: a rule may hold for such
/// ones alone, and few of all words are.
fn with_numbers(rule: &Rule, cases: &[Case]) -> Vec<Case> {
    let numbers = numbers(rule);
    let constants: Vec<usize> =
        rule.vars.iter().filter(|(_, var)| var.kind == VarKind::Constant).map(|(id, _)| id.index()).collect();
    if numbers.is_empty() || constants.is_empty() {
        return Vec::new();
    }
    let with_number = |(at, case): (usize, &Case)| {
        let mut case = case.clone();
        for (place, &constant) in constants.iter().enumerate() {
            let number = numbers[(at + place) % numbers.len()];
            if let Some(Datum::Word(word)) = case.data[constant] {
                case.data[constant] = Some(Datum::Word(Int::new(word.width(), number as u64)));
            }
        }
        case
    };
    cases.iter().enumerate().take(NAMED * numbers.len()).map(with_number).collect()
}

/// Some of the cases with amounts that are in range in place of constants by which something is shifted: few of all words are such.
/// Of several the sum is less than the width, the width, or whatever comes.
fn with_amounts(rule: &Rule, cases: &[Case]) -> Vec<Case> {
    let mut amounts: Vec<usize> = Vec::new();
    for term in rule.preorder(rule.pattern) {
        let NodeKind::Op(op, args) = &rule.terms[term].kind else { continue };
        let amount = op.row().amount.map(|operand| &rule.terms[args[usize::from(operand)]].kind);
        if let Some(&NodeKind::Var(var)) = amount
            && rule.vars[var].kind == VarKind::Constant
            && !amounts.contains(&var.index())
        {
            amounts.push(var.index());
        }
    }
    if amounts.is_empty() {
        return Vec::new();
    }
    let with_amount = |(at, case): (usize, &Case)| {
        let mut case = case.clone();
        let mut left = None;
        for &amount in &amounts {
            let Some(Datum::Word(word)) = case.data[amount] else { continue };
            let width = u64::from(word.width());
            let within = match (at % 3, left) {
                (0, Some(left)) => left,
                (1, Some(left)) => word.unsigned() % left,
                _ => word.unsigned() % width,
            };
            left = Some((width - within).max(1));
            case.data[amount] = Some(Datum::Word(Int::new(word.width(), within)));
        }
        case
    };
    cases.iter().enumerate().take(SHIFTED).map(with_amount).collect()
}

/// Whether the claim holds under every reading; nothing where the rule applies under none.
pub fn outcome(rule: &Rule, types: &[Type], case: &Case) -> Option<bool> {
    let under = Reading::ALL.map(|reading| case.outcome(rule, reading, types));
    under.into_iter().flatten().reduce(|all, one| all && one)
}
