//! Rules for people: a list, one rule in full, the decision tree of an operation.

use std::fmt::Write;

use planish_base::Id;
use planish_ops::Op;

use crate::cost::Verdict;
use crate::emit::tried_order;
use crate::interpret::path_name;
use crate::order::is_unconditional;
use crate::rule::{Class, Rule, RuleId};
use crate::set::RuleSet;
use crate::tree::{Decision, Tree, TreeId};

/// One line a rule, grouped by operation in the order in which rules are tried.
pub fn list(set: &RuleSet) -> String {
    let mut text = String::new();
    for op in planish_ops::table::ALL {
        let ids = tried_order(set, *op);
        let explore: Vec<RuleId> = set
            .rules
            .iter()
            .filter(|(_, rule)| rule.root() == *op && rule.marks.explore)
            .map(|(id, _)| id)
            .collect();
        for id in ids.into_iter().chain(explore) {
            let rule = &set.rules[id];
            let summary = rule.doc.lines().next().unwrap_or("");
            let _ = writeln!(text, "{:<14} {:<28} {summary}", op.name(), rule.name);
        }
    }
    text
}

/// The list as JSON: an array of objects.
pub fn list_json(set: &RuleSet) -> String {
    let rules: Vec<String> = set
        .rules
        .values()
        .map(|rule| {
            let tags: Vec<String> = rule.marks.tags.iter().map(|tag| json_text(tag)).collect();
            format!(
                "{{\"name\": {}, \"operation\": {}, \"file\": {}, \"line\": {}, \"doc\": {}, \"text\": {}, \
                 \"explore\": {}, \"pays\": {}, \"certified\": {}, \"tags\": [{}]}}",
                json_text(&rule.name),
                json_text(rule.root().name()),
                json_text(&rule.file),
                rule.line,
                json_text(&rule.doc),
                json_text(&rule.text),
                rule.marks.explore,
                rule.marks.pays,
                rule.marks.certified,
                tags.join(", ")
            )
        })
        .collect();
    format!("[{}]", rules.join(",\n "))
}

fn json_text(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => quoted.push_str("\\\""),
            '\\' => quoted.push_str("\\\\"),
            '\n' => quoted.push_str("\\n"),
            c if c < ' ' => {
                let _ = write!(quoted, "\\u{:04x}", c as u32);
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Everything about one rule: where it stands, its text, when it is tried, what it costs.
pub fn rule(set: &RuleSet, id: RuleId) -> String {
    let rule = &set.rules[id];
    let mut text = format!("{}  ({}:{})\n\n", rule.name, rule.file, rule.line);
    for line in rule.text.lines() {
        let _ = writeln!(text, "    {line}");
    }
    text.push('\n');
    let class = match rule.class() {
        Class::Constant => "yields a constant or an outcome: tried first",
        Class::Existing => "yields a value that exists: tried after constants",
        Class::Operations => "makes operations: tried last",
    };
    let _ = writeln!(text, "{class}");
    if is_unconditional(rule) {
        let _ = writeln!(text, "applies wherever the pattern matches");
    }
    let order = tried_order(set, rule.root());
    if let Some(place) = order.iter().position(|&other| other == id) {
        let _ = writeln!(text, "number {} of {} rules for `{}`", place + 1, order.len(), rule.root());
    }
    let verdict = Verdict::of(rule);
    let _ = writeln!(
        text,
        "cost: {} for what it makes, {} for its root, {} with all that may die with it",
        verdict.target, verdict.root, verdict.all
    );
    for (holds, line) in [
        (rule.marks.explore, "explore: for the e-graph engine only"),
        (rule.marks.pays, "pays: fires only where enough operations die"),
        (rule.marks.certified, "certified: its checks certify the constants that it guesses"),
    ] {
        if holds {
            let _ = writeln!(text, "{line}");
        }
    }
    if !rule.marks.tags.is_empty() {
        let _ = writeln!(text, "tags: {}", rule.marks.tags.join(", "));
    }
    if let Some(reason) = &rule.sorry {
        let _ = writeln!(text, "not proved: {}", if reason.is_empty() { "no reason given" } else { reason });
    }
    text
}

/// The decision tree of an operation, indented; a part that is reached in several ways is shown once.
pub fn tree(set: &RuleSet, op: Op, explore: bool) -> Option<String> {
    let decision = set.decision(op, explore)?;
    let mut printer =
        Printer { set, decision, text: String::new(), shown: vec![false; decision.trees.len()] };
    let (rows, trees) = (decision.matrix.rows.len(), decision.trees.len());
    let _ =
        writeln!(printer.text, "{op}: {rows} rows, {trees} nodes, at most {} questions", decision.depth());
    printer.node(decision.start, 0);
    Some(printer.text)
}

struct Printer<'a> {
    set: &'a RuleSet,
    decision: &'a Decision,
    text: String,
    shown: Vec<bool>,
}

impl Printer<'_> {
    fn line(&mut self, depth: usize, text: &str) {
        let _ = writeln!(self.text, "{:1$}{text}", "", 2 * depth);
    }

    fn node(&mut self, id: TreeId, depth: usize) {
        let rules = &self.set.rules;
        match self.decision.trees[id].clone() {
            Tree::Leaf(rows) if rows.is_empty() => self.line(depth, "nothing"),
            Tree::Leaf(rows) => {
                let mut names: Vec<&str> = Vec::new();
                for row in rows {
                    let name = rules[self.decision.matrix.rows[row].rule].name.as_str();
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
                let line = format!("try {}", names.join(", "));
                self.line(depth, &line);
            }
            Tree::Then(first, second) => {
                self.node(first, depth);
                self.node(second, depth);
            }
            Tree::Both(first, second) => {
                self.line(depth, "ask both:");
                self.node(first, depth + 1);
                self.node(second, depth + 1);
            }
            Tree::Switch { .. } if std::mem::replace(&mut self.shown[id.index()], true) => {
                self.line(depth, &format!("as at {id}"));
            }
            Tree::Switch { at, integers, constant, ops, other } => {
                let name = path_name(&self.decision.matrix, at);
                self.line(depth, &format!("{id}: what is {name}?"));
                for (value, below) in integers {
                    self.line(depth + 1, &format!("{value}:"));
                    self.node(below, depth + 2);
                }
                if constant != other {
                    self.line(depth + 1, "another constant:");
                    self.node(constant, depth + 2);
                }
                for (op, below) in ops {
                    self.line(depth + 1, &format!("{op}:"));
                    self.node(below, depth + 2);
                }
                self.line(depth + 1, "anything else:");
                self.node(other, depth + 2);
            }
        }
    }
}

/// A rule in one line: pattern and target as written.
pub fn summary(rule: &Rule) -> String {
    let mut lines = rule.text.lines();
    let head = lines.next().unwrap_or("").trim().to_string();
    let target = rule.text.lines().find(|line| line.trim_start().starts_with("=>")).unwrap_or("").trim();
    format!("{head} {target}")
}
