//! Inputs of a rule of which all is known, and whether its claim holds for each.

use planish_ops::Type;
use planish_rules::Rule;
use planish_rules::exhaust::{Case, every_case};
use planish_rules::sample::cases;
use planish_rules::semantics::Reading;
use planish_rules::speaks;

/// How many examples there are of small words, and of those of programs, all types together.
const SMALL: usize = 1500;
const WIDE: usize = 2500;

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
}

/// Examples of all types that a rule speaks of.
pub fn examples(rule: &Rule) -> Vec<Example> {
    let small = speaks::choices(&rule.kinds(), &SMALL_WIDTHS).filter(|types| rule.admits(types));
    let small: Vec<Vec<Type>> = small.filter(|types| rule.target_is_legal(types)).collect();
    let wide: Vec<Vec<Type>> = rule.assignments().collect();
    let mut all = Vec::new();
    let mut add = |types: &[Type], cases: Vec<Case>| {
        all.extend(cases.into_iter().map(|case| {
            let holds = outcome(rule, types, &case);
            Example { types: types.to_vec(), case, holds }
        }));
    };
    for types in &small {
        add(types, every_case(rule, types, (SMALL / small.len()).clamp(8, 600)));
    }
    for types in &wide {
        add(types, cases(rule, types, (WIDE / wide.len()).clamp(8, 500) as u64));
    }
    all
}

/// Whether the claim holds under every reading; nothing where the rule applies under none.
pub fn outcome(rule: &Rule, types: &[Type], case: &Case) -> Option<bool> {
    let under = Reading::ALL.map(|reading| case.outcome(rule, reading, types));
    under.into_iter().flatten().reduce(|all, one| all && one)
}
