//! The verdict on each rule, in one line above it.

use lsp_types::{CodeLens, Command};
use planish_prove::ledger::Standing;
use planish_prove::rule::{Proof, Verdict};
use serde_json::json;

use crate::document::Document;
use crate::verdicts::{Progress, Verdicts};

/// The command that proves a rule again, with more time: its arguments are the file and the rule's name.
pub const PROVE: &str = "planish.prove";

/// The lines of a document.
pub fn lenses(document: &Document, uri: &str, verdicts: &Verdicts) -> Vec<CodeLens> {
    let of = |head: &crate::document::Head| {
        let (_, rule) = document.rule_of(*head)?;
        let title = match verdicts.progress(rule) {
            Progress::Waiting => "not tried yet".to_owned(),
            Progress::Running => "proving ...".to_owned(),
            Progress::Done(proof) => line(proof),
        };
        let arguments = Some(vec![json!(uri), json!(rule.name)]);
        let command = Command { title, command: PROVE.to_owned(), arguments };
        Some(CodeLens { range: document.range(head.name), command: Some(command), data: None })
    };
    document.heads.iter().filter_map(of).collect()
}

/// A verdict in one line.
pub fn line(proof: &Proof) -> String {
    match &proof.verdict {
        Verdict::Proved => proved(proof),
        Verdict::Refuted(wrong) => {
            let inputs: Vec<String> =
                wrong.inputs.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let given = if inputs.is_empty() {
                "wrong".to_owned()
            } else {
                format!("wrong for {}", inputs.join(", "))
            };
            let (source, target) = (&wrong.source, &wrong.target);
            format!("{given}: {} {}, {} {}", source.0, source.1, target.0, target.1)
        }
        Verdict::NeverApplies(why) => format!("can never apply: {why}"),
        Verdict::Unproved(why) => format!("not proved: {why}"),
        Verdict::Sorry(reason) => format!("no proof is asked for: {reason}"),
    }
}

/// At which widths a rule is proved.
fn proved(proof: &Proof) -> String {
    let parts = |wanted: &[Standing]| -> Vec<&str> {
        proof.entries.iter().filter(|e| wanted.contains(&e.standing)).map(|e| e.part.as_str()).collect()
    };
    let (widths, rest) = (parts(&[Standing::Proved, Standing::Follows]), parts(&[Standing::Exhausted]));
    let at = match widths[..] {
        ["fixed"] => "proved".to_owned(),
        ["float"] => "proved of floats".to_owned(),
        _ => format!("proved at {} bits", widths.join(", ")),
    };
    if rest.is_empty() { at } else { format!("{at}; every value of {} bits", rest.join(", ")) }
}
