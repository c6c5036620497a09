//! How often each rule fired.
//!
//! Counters are indexed by rule and printed by operation, with the rules that never fired: a rule that
//! is never seen to fire is a question to its author. (PyPy prints the same under
//! `jit-intbounds-stats`.)

use std::fmt::Write;

use planish_base::{Arena, Id};

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
        for (op, ids) in by_root(rules) {
            let sum: u64 = ids.iter().map(|&id| self.get(id)).sum();
            let _ = writeln!(text, "{op:<40} {sum:>12}");
            for id in self.ordered(rules, ids) {
                let _ = writeln!(text, "    {:<36} {:>12}", rules[id].name, self.get(id));
            }
        }
        let _ = writeln!(text, "{:<40} {:>12}", "all rules", self.total());
        text
    }

    /// The same as JSON: `{"add": {"add_consts": 3, ...}, ...}`.
    pub fn json(&self, rules: &Arena<RuleId, Rule>) -> String {
        let groups: Vec<String> = by_root(rules)
            .into_iter()
            .map(|(op, ids)| {
                // Names of rules and operations are identifiers: nothing in them needs escaping.
                let fields: Vec<String> = self
                    .ordered(rules, ids)
                    .into_iter()
                    .map(|id| format!("\"{}\": {}", rules[id].name, self.get(id)))
                    .collect();
                format!("\"{op}\": {{{}}}", fields.join(", "))
            })
            .collect();
        format!("{{{}}}", groups.join(", "))
    }

    fn ordered(&self, rules: &Arena<RuleId, Rule>, mut ids: Vec<RuleId>) -> Vec<RuleId> {
        ids.sort_by(|&a, &b| self.get(b).cmp(&self.get(a)).then_with(|| rules[a].name.cmp(&rules[b].name)));
        ids
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
