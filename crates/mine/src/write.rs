//! Rules that were found as a file, for a person to accept.

use crate::find::Mined;

/// What a rule is worth, on what was held back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// How often it fires.
    pub fired: u64,
    /// How many operations are left more without it.
    pub operations: i64,
    /// What these cost.
    pub cost: i64,
}

impl Worth {
    /// Whether the rule makes what was held back worse: dearer, or longer without saving more than each operation that is
    /// left more costs at least, which is one. What is far cheaper may be longer, as what stands for a division is.
    pub fn is_harm(&self) -> bool {
        self.cost < 0 || self.operations < 0 && self.cost + self.operations <= 0
    }

    /// Whether nothing is better with the rule: neither cheaper nor, for the same cost, shorter.
    pub fn is_nothing(&self) -> bool {
        self.cost <= 0 && self.operations <= 0
    }
}

/// A file of rules, each with where it was found and what it is worth; `priced_on` says where that was measured.
pub fn file(head: &str, priced_on: &str, rules: &[(&Mined, Worth)]) -> String {
    let mut text: String = head.lines().map(|line| format!("# {line}\n")).collect();
    for (rule, worth) in rules {
        let Mined { window, seen, left, .. } = rule;
        let comment = [
            format!("Of {window}, of which {} is left, {} remains.", left[0].alone, left[1].alone),
            format!(
                "At {} places, alone at {} of them: {}.",
                seen.at.count,
                seen.at.alone,
                seen.at.examples.join("; ")
            ),
            format!(
                "{priced_on}: fires {} times; without it {} operations more, which cost {}.",
                worth.fired, worth.operations, worth.cost
            ),
        ];
        let comment: String = comment.iter().map(|line| format!("    # {line}\n")).collect();
        let (head, rest) = rule.draft.text().split_once('\n').unwrap_or((rule.draft.text(), ""));
        text.push_str(&format!("\n{head}\n{comment}{rest}"));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_that_makes_programs_longer_has_to_pay_for_it() {
        let is_harm = |operations, cost| Worth { fired: 3, operations, cost }.is_harm();
        let is_nothing = |operations, cost| Worth { fired: 3, operations, cost }.is_nothing();
        for (operations, cost) in [(8, 8), (0, 3), (2, 0), (-1, 2), (-3, 40)] {
            assert!(!is_harm(operations, cost) && !is_nothing(operations, cost), "{operations} {cost}");
        }
        assert!(!is_harm(0, 0) && is_nothing(0, 0));
        for (operations, cost) in [(-1, 1), (-1, 0), (0, -1), (4, -1), (-3, 3)] {
            assert!(is_harm(operations, cost), "{operations} {cost}");
        }
    }
}
