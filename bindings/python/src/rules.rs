//! Rules of one's own: read and proved.

use std::collections::BTreeSet;
use std::sync::Arc;

use planish_base::{Severity, SourceText};
use planish_prove::{Engine, Options};
use planish_rules::set::Strictness;
use planish_rules::{Rule, RuleSet};
use pyo3::prelude::*;

use crate::refused;

/// Rules that were read, and what was found out about each. `Program.optimize` takes them.
#[pyclass(module = "planish", frozen)]
pub struct Rules {
    set: Arc<RuleSet>,
    proved: Arc<RuleSet>,
    proofs: Vec<Proof>,
}

/// What is known of a rule.
#[pyclass(module = "planish", frozen)]
#[derive(Clone)]
pub struct Proof {
    /// The name of the rule.
    #[pyo3(get)]
    rule: String,
    /// Whether it is proved. A rule that is marked SORRY_Z3 is not.
    #[pyo3(get)]
    proved: bool,
    /// The verdict: what it is proved for, or a counterexample, or why no proof was found.
    #[pyo3(get)]
    verdict: String,
}

#[pymethods]
impl Proof {
    fn __repr__(&self) -> String {
        format!("<planish.Proof {}>", self.verdict)
    }
}

/// Reads rules from a text and proves each with the built-in solver; nothing is started.
///
/// The language is described in rules/README.md. Raises Error where the text is wrong; a rule that is wrong or that cannot
/// be proved does not raise: its `Proof` says so, and `Program.optimize` does not use it.
#[pyfunction]
#[pyo3(signature = (text, *, name = "rules"))]
pub fn prove(py: Python<'_>, text: String, name: &str) -> PyResult<Rules> {
    let read = || RuleSet::read(vec![SourceText::new(name, &text)]);
    let (set, mut findings) = read();
    findings.extend(set.judge(Strictness::File));
    findings.retain(|(_, finding)| finding.severity == Severity::Error);
    if !findings.is_empty() {
        return Err(refused(set.render(&findings)));
    }
    let proofs: Vec<Proof> = py.detach(|| {
        let each: Vec<&Rule> = set.rules.values().collect();
        let proofs = planish_prove::prover::prove(&each, &Options::new(Engine::builtin()), &mut |_, _| {});
        let told = each.iter().zip(proofs).map(|(rule, proof)| Proof {
            rule: rule.name.clone(),
            proved: proof.is_good(),
            verdict: proof.to_string().trim_end().to_owned(),
        });
        told.collect()
    });
    let good: BTreeSet<&str> =
        proofs.iter().filter(|proof| proof.proved).map(|proof| proof.rule.as_str()).collect();
    let proved = read().0.keeping(|rule| good.contains(rule.name.as_str()));
    Ok(Rules { set: Arc::new(set), proved: Arc::new(proved), proofs })
}

impl Rules {
    /// The rules that a run may use.
    pub fn usable(&self, unproved: bool) -> PyResult<Arc<RuleSet>> {
        if unproved {
            return Ok(self.set.clone());
        }
        if self.proved.rules.is_empty() && !self.set.rules.is_empty() {
            let verdicts: Vec<&str> = self.proofs.iter().map(|proof| proof.verdict.as_str()).collect();
            return Err(refused(format!("no rule is proved:\n{}", verdicts.join("\n"))));
        }
        Ok(self.proved.clone())
    }
}

#[pymethods]
impl Rules {
    /// What is known of each rule, in the order of the text.
    #[getter]
    fn proofs(&self) -> Vec<Proof> {
        self.proofs.clone()
    }

    /// Whether every rule is proved.
    #[getter]
    fn proved(&self) -> bool {
        self.proofs.iter().all(|proof| proof.proved)
    }

    fn __repr__(&self) -> String {
        let proved = self.proofs.iter().filter(|proof| proof.proved).count();
        format!("<planish.Rules: {proved} of {} proved>", self.proofs.len())
    }
}
