//! The rules that are typed: what is wrong with their text, which are proved, and which are used.
//!
//! A rule is known by its text. What the prover says of a text is told to the page once and comes back with each question, so
//! a process that optimizes proves nothing.

use std::sync::Arc;

use planish_base::{Severity, SourceText};
use planish_prove::rule::{Proof, Verdict};
use planish_prove::shadow;
use planish_rules::rule::Rule;
use planish_rules::set::{Finding, RuleSet, Strictness};
use serde_json::{Map, Value, json};

/// The name under which messages speak of the rules.
const FILE: &str = "my.rules";

/// What a rule is that nothing is known of yet.
const UNKNOWN: &str = "proving";

/// Rules that were read.
pub(crate) struct RuleBox {
    set: RuleSet,
    findings: Vec<Finding>,
    /// The names of the rules that are proved and can be used together.
    used: Vec<String>,
    /// What is known, by the texts of rules.
    verdicts: Map<String, Value>,
}

impl RuleBox {
    /// Reads rules as `planish opt --rules` does: those with errors do not stand in the way of the others.
    pub(crate) fn read(text: &str, verdicts: Option<&Value>) -> RuleBox {
        let (set, mut findings) = RuleSet::read(vec![SourceText::new(FILE, text)]);
        findings.extend(judged(&set));
        let verdicts = verdicts.and_then(Value::as_object).cloned().unwrap_or_default();
        let mut rules = RuleBox { set, findings, used: Vec::new(), verdicts };
        let (used, _) = rules.set.keeping(|rule| rules.status(rule) == "proved").usable(judged);
        rules.used = used.rules.values().map(|rule| rule.name.clone()).collect();
        rules
    }

    fn status(&self, rule: &Rule) -> &str {
        let known = self.verdicts.get(&rule.text).and_then(|known| known.get("status"));
        known.and_then(Value::as_str).unwrap_or(UNKNOWN)
    }

    fn is_used(&self, rule: &Rule) -> bool {
        self.used.contains(&rule.name)
    }

    /// The rules that are proved and can be used together, if there are any.
    pub(crate) fn proved(&self) -> Option<Arc<RuleSet>> {
        (!self.used.is_empty()).then(|| Arc::new(self.set.keeping(|rule| self.is_used(rule))))
    }

    /// The rules that are wrong, with the values of their counterexamples.
    pub(crate) fn wrong(&self) -> impl Iterator<Item = (&Rule, Arc<RuleSet>, Vec<&str>)> {
        let wrong = self.set.rules.values().filter(|rule| self.status(rule) == "wrong");
        wrong.map(|rule| {
            let values = self.verdicts[&rule.text].get("values").and_then(Value::as_array);
            let values = values.into_iter().flatten().filter_map(Value::as_str).collect();
            (rule, Arc::new(self.set.keeping(|other| other.name == rule.name)), values)
        })
    }

    /// The first rule of which nothing is known.
    pub(crate) fn unknown(&self) -> Option<&Rule> {
        self.set.rules.values().find(|rule| self.status(rule) == UNKNOWN)
    }

    /// Each rule and how it stands, for the page.
    pub(crate) fn standings(&self) -> Vec<Value> {
        let standing = |rule: &Rule| {
            let known = self.verdicts.get(&rule.text);
            let said =
                |part: &str| known.and_then(|known| known.get(part)).and_then(Value::as_str).unwrap_or("");
            // The rule may stand elsewhere now than when it was proved.
            let said = said("said").replace(said("place"), &format!("{FILE}:{}", rule.line));
            let is_used = self.is_used(rule);
            json!({ "name": rule.name, "line": rule.line, "status": self.status(rule), "used": is_used, "said": said })
        };
        self.set.rules.values().map(standing).collect()
    }

    /// What is wrong with the text, each with its place.
    pub(crate) fn findings(&self) -> Vec<Value> {
        let finding = |(file, found): &Finding| {
            let source = &self.set.files[*file];
            let (line, column) = source.position(found.span.start);
            json!({
                "line": line, "column": column, "severity": found.severity.to_string(), "text": found.render(source),
            })
        };
        self.findings.iter().map(finding).collect()
    }
}

/// What is wrong with rules together.
fn judged(set: &RuleSet) -> Vec<Finding> {
    shadow::judge(set, Strictness::File)
}

/// Whether rewriting with these rules may go on without end.
pub(crate) fn is_endless(set: &RuleSet) -> bool {
    judged(set).iter().any(|(_, found)| found.severity == Severity::Error)
}

/// What came of proving a rule, for whoever keeps verdicts.
pub(crate) fn verdict(rule: &Rule, proof: &Proof) -> Value {
    let (status, values) = match &proof.verdict {
        Verdict::Proved => ("proved", Vec::new()),
        Verdict::Refuted(wrong) => ("wrong", wrong.inputs.iter().map(|(_, value)| value.clone()).collect()),
        Verdict::NeverApplies(_) => ("never applies", Vec::new()),
        Verdict::Unproved(_) => ("unproved", Vec::new()),
        Verdict::Sorry(_) => ("sorry", Vec::new()),
    };
    json!({
        "text": rule.text, "name": rule.name, "place": proof.place, "status": status, "said": proof.to_string(),
        "values": values,
    })
}
