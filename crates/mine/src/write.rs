//! Rules that were found as a file, for a person to accept.

use crate::find::Mined;

/// What a rule is worth on what was held back.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Worth {
    /// How often it fires.
    pub fired: u64,
    /// How many operations are left more without it.
    pub operations: i64,
    /// What these cost.
    pub cost: i64,
}

/// A file of rules, each with where it was found and what it is worth.
pub fn file(head: &str, rules: &[(&Mined, Worth)]) -> String {
    let mut text: String = head.lines().map(|line| format!("# {line}\n")).collect();
    for (rule, worth) in rules {
        let Mined { window, seen, left, .. } = rule;
        let comment = [
            format!("Of {window}, of which {} is left, {} remains.", left[0].alone, left[1].alone),
            format!(
                "At {} places, alone at {} of them: {}.",
                seen.places,
                seen.alone,
                seen.examples.join("; ")
            ),
            format!(
                "Held back: fires {} times; without it {} operations more, which cost {}.",
                worth.fired, worth.operations, worth.cost
            ),
        ];
        let comment: String = comment.iter().map(|line| format!("    # {line}\n")).collect();
        let (head, rest) = rule.draft.text().split_once('\n').unwrap_or((rule.draft.text(), ""));
        text.push_str(&format!("\n{head}\n{comment}{rest}"));
    }
    text
}
