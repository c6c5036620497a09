//! What is wrong with a document, as a client shows it: the findings of `planish rules check`, and wrong rules.

use lsp_types::{Diagnostic, DiagnosticSeverity};
use planish_base::Severity;
use planish_prove::rule::Verdict;

use crate::document::Document;
use crate::verdicts::{Progress, Verdicts};

/// The diagnostics of a document.
pub fn diagnostics(document: &Document, verdicts: &Verdicts) -> Vec<Diagnostic> {
    let findings = document.findings.iter().map(|(_, finding)| {
        let severity = match finding.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        };
        let mut message = finding.message.clone();
        for line in std::iter::once(&finding.label).chain(&finding.notes).filter(|line| !line.is_empty()) {
            message.push_str("\nhelp: ");
            message.push_str(line);
        }
        said(severity, document.range(finding.span), message)
    });
    let judged = document.heads.iter().filter_map(|&head| {
        let (_, rule) = document.rule_of(head)?;
        let Progress::Done(proof) = verdicts.progress(rule) else { return None };
        let severity = match proof.verdict {
            Verdict::Refuted(_) | Verdict::NeverApplies(_) => DiagnosticSeverity::ERROR,
            Verdict::Unproved(_) => DiagnosticSeverity::WARNING,
            Verdict::Proved | Verdict::Sorry(_) => return None,
        };
        Some(said(severity, document.range(head.name), verdict(document, rule, proof)))
    });
    findings.chain(judged).collect()
}

/// A verdict in full, with the place where the rule stands now.
pub fn verdict(
    document: &Document,
    rule: &planish_rules::Rule,
    proof: &planish_prove::rule::Proof,
) -> String {
    let mut proof = proof.clone();
    let place = format!("{}:{}", document.source.name(), rule.line);
    if let Verdict::Refuted(wrong) = &mut proof.verdict {
        wrong.place.clone_from(&place);
    }
    proof.place = place;
    proof.to_string()
}

fn said(severity: DiagnosticSeverity, range: lsp_types::Range, message: String) -> Diagnostic {
    Diagnostic {
        range,
        severity: Some(severity),
        source: Some("planish".to_owned()),
        message,
        ..Diagnostic::default()
    }
}
