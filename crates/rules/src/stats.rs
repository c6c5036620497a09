//! How often each rule fired.
//!
//! Counters are indexed by rule and printed by operation, with the rules that never fired: a rule that
//! is never seen to fire is a question to its author. (PyPy prints the same under
//! `jit-intbounds-stats`.)

use std::fmt::Write;

use planish_base::{Arena, Id};
use planish_ops::Op;

use crate::rows::by_root;
use crate::rule::{Rule, RuleId};

/// One counter a rule.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    fired: Vec<u64>,
}

impl Counts {
    /// Counters at zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counters from a list in the order of rules; rules beyond its end never fired.
    pub fn from_slice(fired: &[u64]) -> Self {
        Counts { fired: fired.to_vec() }
    }

    /// Counts one firing.
    pub fn add(&mut self, rule: RuleId) {
        let index = rule.index();
        if self.fired.len() <= index {
            self.fired.resize(index + 1, 0);
        }
        self.fired[index] += 1;
    }

    /// How often a rule fired.
    pub fn get(&self, rule: RuleId) -> u64 {
        self.fired.get(rule.index()).copied().unwrap_or(0)
    }

    /// How often any rule fired.
    pub fn total(&self) -> u64 {
        self.fired.iter().sum()
    }

    /// A table: operations in the order of the language's table, rules by count and then by name, zeros
    /// included.
    pub fn text(&self, rules: &Arena<RuleId, Rule>) -> String {
        let mut text = String::new();
        for (op, group) in self.groups(rules) {
            let sum: u64 = group.iter().map(|&(_, count)| count).sum();
            let _ = writeln!(text, "{op:<40} {sum:>12}");
            for (name, count) in group {
                let _ = writeln!(text, "    {name:<36} {count:>12}");
            }
        }
        let _ = writeln!(text, "{:<40} {:>12}", "all rules", self.total());
        text
    }

    /// The same as JSON: `{"add": {"add_consts": 3, ...}, ...}`.
    pub fn json(&self, rules: &Arena<RuleId, Rule>) -> String {
        let groups: Vec<String> = self
            .groups(rules)
            .into_iter()
            .map(|(op, group)| {
                // Names of rules and operations are identifiers: nothing in them needs escaping.
                let fields: Vec<String> =
                    group.into_iter().map(|(name, count)| format!("\"{name}\": {count}")).collect();
                format!("\"{op}\": {{{}}}", fields.join(", "))
            })
            .collect();
        format!("{{{}}}", groups.join(", "))
    }

    /// Rules with their counts by operation, operations in the order of the language's table, rules by count
    /// and then by name.
    pub fn groups<'r>(&self, rules: &'r Arena<RuleId, Rule>) -> Vec<(Op, Vec<(&'r str, u64)>)> {
        let mut groups = Vec::new();
        for (op, ids) in by_root(rules) {
            let mut group: Vec<(&str, u64)> =
                ids.into_iter().map(|id| (rules[id].name.as_str(), self.get(id))).collect();
            group.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
            groups.push((op, group));
        }
        groups
    }
}

#[cfg(test)]
mod tests {
    use planish_base::SourceText;

    use super::*;
    use crate::set::RuleSet;

    /// S5.22
    #[test]
    fn counts_are_grouped_by_operation_and_zeros_are_shown() {
        let text = "b: neg(not(x))\n    => add(x, 1)\n\
                    a: neg(sub(x, y))\n    => sub(y, x)\n\
                    c: sub(x, neg(y))\n    => add(x, y)\n";
        let (set, _) = RuleSet::read(vec![SourceText::new("t", text)]);
        let mut counts = Counts::new();
        for name in ["a", "a", "c"] {
            counts.add(set.named(name).expect("a rule"));
        }
        let lines: Vec<String> = counts
            .text(&set.rules)
            .lines()
            .map(|l| l.split_whitespace().collect::<Vec<_>>().join(" "))
            .collect();
        assert_eq!(lines, ["sub 1", "c 1", "neg 2", "a 2", "b 0", "all rules 3"]);
        assert_eq!(counts.json(&set.rules), r#"{"sub": {"c": 1}, "neg": {"a": 2, "b": 0}}"#);
    }
}
