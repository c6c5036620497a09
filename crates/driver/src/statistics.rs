//! What a run did, in numbers: operations and guards before and after, rewrites by kind, rules by name.

use std::fmt::Write;

use planish_ir::Function;
use planish_ops::Effect;
use planish_opt::{Kind, Record};
use serde_json::{Value, json};

/// Operations of a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// All but markers.
    pub operations: u64,
    /// Guards and checks.
    pub guards: u64,
    /// Fresh objects, arrays and strings.
    pub allocations: u64,
}

impl Counts {
    /// The operations that stand in the blocks of a function, terminators apart.
    pub fn of(function: &Function) -> Counts {
        let mut counts = Counts::default();
        for (_, inst) in function.live_insts() {
            match function.row(inst).effect {
                Effect::Marker => continue,
                Effect::Guard => counts.guards += 1,
                Effect::Allocate => counts.allocations += 1,
                Effect::Pure | Effect::Load | Effect::Store | Effect::Call => {}
            }
            counts.operations += 1;
        }
        counts
    }

    fn json(self) -> Value {
        json!({ "operations": self.operations, "guards": self.guards, "allocations": self.allocations })
    }
}

/// Counts of every function, before and after.
#[derive(Clone, Debug, Default)]
pub struct Statistics {
    rows: Vec<(String, Counts, Counts)>,
}

/// What is known of a rule by its number; as many as there are rules.
pub type RuleNames<'a> = &'a [String];

impl Statistics {
    /// Adds a function.
    pub fn add(&mut self, name: &str, before: Counts, after: Counts) {
        self.rows.push((name.to_owned(), before, after));
    }

    /// The sums over all functions.
    pub fn total(&self) -> (Counts, Counts) {
        let mut total = (Counts::default(), Counts::default());
        for (_, before, after) in &self.rows {
            for (sum, counts) in [(&mut total.0, before), (&mut total.1, after)] {
                sum.operations += counts.operations;
                sum.guards += counts.guards;
                sum.allocations += counts.allocations;
            }
        }
        total
    }

    /// For people. Rules that fired come with their counts; `all_rules` shows the others as well.
    pub fn text(&self, record: &Record, rules: RuleNames<'_>, all_rules: bool) -> String {
        let mut out = String::new();
        let width = self.rows.iter().map(|(name, ..)| name.chars().count()).max().unwrap_or(0).max(8);
        let mut row = |name: &str, before: &Counts, after: &Counts| {
            writeln!(
                out,
                "{name:width$}  operations {:>6} -> {:<6} guards {:>5} -> {:<5} allocations {:>4} -> {}",
                before.operations,
                after.operations,
                before.guards,
                after.guards,
                before.allocations,
                after.allocations
            )
            .expect("writing to a string does not fail");
        };
        for (name, before, after) in &self.rows {
            row(name, before, after);
        }
        if self.rows.len() != 1 {
            let (before, after) = self.total();
            row("total", &before, &after);
        }
        out.push_str("\nrewrites\n");
        let mut count = |name: &str, count: u64| {
            writeln!(out, "  {count:>8}  {name}").expect("writing to a string does not fail");
        };
        for kind in Kind::PLAIN {
            if record.count(kind) > 0 {
                count(kind.name(), record.count(kind));
            }
        }
        for &(stage, times) in record.stages() {
            count(stage, times);
        }
        for (number, name) in rules.iter().enumerate() {
            let times = record.rules().get(number).copied().unwrap_or(0);
            if times > 0 || all_rules {
                count(&format!("rule {name}"), times);
            }
        }
        for &(budget, refusals) in record.budgets() {
            writeln!(out, "budget `{budget}` was hit {refusals} times")
                .expect("writing to a string does not fail");
        }
        out
    }

    /// For tools: one object. Every rule has a member, zero or not.
    pub fn json(&self, record: &Record, rules: RuleNames<'_>) -> String {
        let row = |(name, before, after): &(String, Counts, Counts)| json!({ "name": name, "before": before.json(), "after": after.json() });
        let (before, after) = self.total();
        let kinds: serde_json::Map<String, Value> = Kind::PLAIN
            .into_iter()
            .map(|kind| (kind.name().to_owned(), json!(record.count(kind))))
            .chain(record.stages().iter().map(|&(name, count)| (name.to_owned(), json!(count))))
            .collect();
        let rules: serde_json::Map<String, Value> = rules
            .iter()
            .enumerate()
            .map(|(number, name)| (name.clone(), json!(record.rules().get(number).copied().unwrap_or(0))))
            .collect();
        let budgets: serde_json::Map<String, Value> =
            record.budgets().iter().map(|&(name, hits)| (name.to_owned(), json!(hits))).collect();
        let object = json!({
            "functions": self.rows.iter().map(row).collect::<Vec<_>>(),
            "total": { "before": before.json(), "after": after.json() },
            "rewrites": kinds,
            "rules": rules,
            "budgets": budgets,
        });
        format!("{object:#}\n")
    }
}
