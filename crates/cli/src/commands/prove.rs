//! `planish prove`: proves rules, and the theorems of the abstract domain.
//!
//! Every well-typed rule is judged, also when it fails order, cost or shadowing, and every verdict is
//! printed to standard output; progress goes to standard error. Only if all rules are proved is the answer
//! yes.

use std::io::IsTerminal;
use std::path::Path;
use std::time::Duration;

use planish_base::{Diagnostics, SourceText};
use planish_book as book;
use planish_domain::theorems;
use planish_prove::{Engine, Ledger, Options, domain, rule};
use planish_rules::rule::Rule;

use super::{any_error, read_rules};
use crate::args::Prove;
use crate::failure::Failure;
use crate::io;

/// Proves the book, or the rules of files.
pub fn run(args: &Prove) -> Result<(), Failure> {
    let engine = Engine::choose(args.solver.solver.as_deref()).map_err(|e| Failure::Usage(e.to_string()))?;
    let options = Options { limit: Duration::from_secs(args.solver.timeout), ..Options::new(engine) };
    let mut wrong = 0;
    let (set, rejected);
    let rules: Vec<&Rule> = if args.files.is_empty() {
        rejected = false;
        book::set().rules.values().collect()
    } else {
        let (read, findings) = read_rules(&args.files)?;
        let shown = read.render(&findings);
        if !shown.is_empty() {
            io::say(format_args!("{shown}\n"));
        }
        rejected = any_error(&findings);
        set = read;
        set.rules.values().collect()
    };
    let total = rules.len();
    let proofs = rule::prove(&rules, &options, &mut |done, proof| progress(done, total, &proof.rule));
    let mut out = String::new();
    for proof in &proofs {
        out.push_str(&format!("{proof}\n"));
        wrong += usize::from(!proof.is_good());
    }
    out.push_str(&format!("{} of {total} rules proved\n", total - wrong));
    let mut records: Vec<_> = proofs.iter().filter_map(rule::Proof::record).collect();
    if args.domain {
        let theorems = theorems::all();
        let count = theorems.len();
        let proofs = domain::prove(&theorems, &options, &mut |done, proof| {
            progress(done, count, &domain::name(proof.theorem));
        });
        for proof in &proofs {
            out.push_str(&theorem(proof));
            wrong += usize::from(proof.is_refuted());
        }
        records.extend(proofs.iter().filter_map(domain::Proof::record));
    }
    io::write(None, out.as_bytes())?;
    if let Some(path) = &args.lock {
        renew(path, records)?;
    }
    if wrong > 0 || rejected { Err(Failure::Rejected(String::new())) } else { Ok(()) }
}

/// Takes what was learned over into the ledger in a file.
fn renew(path: &Path, records: Vec<planish_prove::ledger::Record>) -> Result<(), Failure> {
    let mut ledger = if path.exists() { read_ledger(path)? } else { Ledger::default() };
    ledger.update(records);
    let rules = book::set().rules.values().map(|r| rule::theorem(&r.name));
    let mut keep: Vec<String> = rules.chain(theorems::all().into_iter().map(domain::name)).collect();
    keep.sort_unstable();
    ledger.retain(&keep);
    io::write(Some(path), ledger.to_string().as_bytes())
}

fn read_ledger(path: &Path) -> Result<Ledger, Failure> {
    let source = SourceText::from_bytes(io::display_name(path), io::read(path)?)
        .map_err(|error| Failure::Rejected(error.1.render(&error.0)))?;
    let mut diagnostics = Diagnostics::new();
    let ledger = Ledger::parse(&source, &mut diagnostics);
    if diagnostics.has_errors() { Err(Failure::Rejected(diagnostics.render(&source))) } else { Ok(ledger) }
}

/// Progress is for people who wait in front of a terminal.
fn progress(done: usize, total: usize, what: &str) {
    if !std::io::stderr().is_terminal() {
        return;
    }
    io::say(format_args!("[{done}/{total}] {what}\n"));
}

/// What came of a theorem, width by width, in one line; a counterexample in further ones.
fn theorem(proof: &domain::Proof) -> String {
    let mut line = domain::name(proof.theorem);
    for outcome in &proof.outcomes {
        let word = match &outcome.counterexample {
            Some(values) => {
                let shown: Vec<String> =
                    values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
                format!("refuted by {}", shown.join(", "))
            }
            None if outcome.answer.verdict == planish_smt::Verdict::Unsat => "proved".to_owned(),
            None => "no answer in time".to_owned(),
        };
        line.push_str(&format!("; i{}: {word}", outcome.width));
    }
    line.push('\n');
    line
}
