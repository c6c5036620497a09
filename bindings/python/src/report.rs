//! What an optimization did.

use std::collections::BTreeMap;

use planish_driver::explain;
use planish_driver::run::Outcome;
use planish_rules::RuleSet;
use pyo3::prelude::*;

/// What an optimization did.
#[pyclass(module = "planish", frozen)]
pub struct Report {
    /// How many rewrites were made.
    #[pyo3(get)]
    rewrites: u64,
    /// How many rewrites each pass made, by its name.
    #[pyo3(get)]
    passes: BTreeMap<String, u64>,
    /// How often each rule fired, by its name; those that never did are left out.
    #[pyo3(get)]
    rules: BTreeMap<String, u64>,
    /// How many operations there were before and after, all functions together.
    #[pyo3(get)]
    operations: (u64, u64),
    /// What could not be done; empty when there is nothing.
    #[pyo3(get)]
    warnings: String,
    remarks: Vec<Remark>,
}

/// One rewrite, for people and tools.
#[pyclass(module = "planish", frozen)]
#[derive(Clone)]
pub struct Remark {
    /// The function.
    #[pyo3(get)]
    function: String,
    /// The line of the source, or None.
    #[pyo3(get)]
    line: Option<u32>,
    /// The operation that was rewritten, or None where it was a branch, a block or more than one.
    #[pyo3(get)]
    operation: Option<String>,
    /// The pass that did it.
    #[pyo3(get, name = "pass_name")]
    pass: String,
    /// The rule that says why, or None.
    #[pyo3(get)]
    rule: Option<String>,
    /// What became of what, as `planish opt --explain` says it.
    #[pyo3(get)]
    what: String,
}

#[pymethods]
impl Remark {
    fn __str__(&self) -> String {
        let place = match self.line {
            Some(line) => format!("{}:{line}", self.function),
            None => self.function.clone(),
        };
        let why = self.rule.as_deref().map_or(String::new(), |rule| format!(": rule {rule}"));
        format!("{place}: {}  [{}{why}]", self.what, self.pass)
    }

    fn __repr__(&self) -> String {
        format!("<planish.Remark {self}>", self = self.__str__())
    }
}

impl Report {
    /// What a run did, with rules besides the book.
    pub fn new(outcome: &Outcome, extra: Option<&RuleSet>) -> Report {
        let remarks: Vec<Remark> = explain::remarks(&outcome.record, &outcome.names)
            .map(|remark| Remark {
                what: remark.what(),
                line: (remark.line != 0).then_some(remark.line),
                operation: remark.operation.map(|op| op.name().to_owned()),
                pass: remark.kind.pass().to_owned(),
                rule: remark.rule().map(|number| explain::rule_info(extra, number).0),
                function: remark.function,
            })
            .collect();
        let mut passes = BTreeMap::new();
        let mut rules = BTreeMap::new();
        for remark in &remarks {
            *passes.entry(remark.pass.clone()).or_default() += 1;
            if let Some(rule) = &remark.rule {
                *rules.entry(rule.clone()).or_default() += 1;
            }
        }
        let total = outcome.statistics.total();
        let after = total.after.unwrap_or(total.before);
        Report {
            rewrites: outcome.record.changes(),
            passes,
            rules,
            operations: (total.before.operations, after.operations),
            warnings: outcome.warnings.clone(),
            remarks,
        }
    }
}

#[pymethods]
impl Report {
    /// Every rewrite, in order.
    #[getter]
    fn remarks(&self) -> Vec<Remark> {
        self.remarks.clone()
    }

    fn __repr__(&self) -> String {
        let (before, after) = self.operations;
        format!("<planish.Report: {} rewrites, {before} operations became {after}>", self.rewrites)
    }
}
