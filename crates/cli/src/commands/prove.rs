//! `planish prove`: proves rules, and the theorems they rest on.
//!
//! Every well-typed rule is judged, also when it fails order, cost or shadowing, and every verdict is
//! printed to standard output; progress goes to standard error. Only if all rules are proved is the answer
//! yes.
//!
//! The rules of files are proved by themselves, from theorems for which the ledger vouches that planish was
//! built with. The book is proved together with its theorems.

use std::io::IsTerminal;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use planish_base::{Diagnostics, SourceText};
use planish_book as book;
use planish_domain::theorems::{self, Theorem};
use planish_prove::ledger::{Expected, Problem, Record, Standing};
use planish_prove::{Engine, Ledger, Options, domain, magic, rule};
use planish_rules::rule::Rule;

use super::{any_error, read_rules};
use crate::args::Prove;
use crate::failure::Failure;
use crate::io;

/// Proves the book, or the rules of files.
pub fn run(args: &Prove) -> Result<(), Failure> {
    let engine = Engine::choose(args.solver.solver.as_deref()).map_err(|e| Failure::Usage(e.to_string()))?;
    let options = Options { limit: Duration::from_secs(args.solver.timeout), ..Options::new(engine) };
    match &args.lock {
        _ if !args.files.is_empty() => files(args, options),
        Some(path) => renew(path, args, options),
        None => everything(args, options),
    }
}

/// Whether a theorem or rule is asked for.
fn is_wanted(args: &Prove, name: &str) -> bool {
    args.only.is_empty() || args.only.iter().any(|part| name.contains(part))
}

/// The ledger that planish was built with.
pub fn shipped() -> Result<Ledger, Failure> {
    parse(SourceText::new("rules.lock", book::LEDGER))
}

/// Where a rule of the book is proved: `proved at 8, 16, 32, 64 bits; every value of 4`.
pub fn standing(ledger: &Ledger, name: &str) -> String {
    let Some(record) = ledger.record(&rule::theorem(name)) else { return "not in the ledger".to_owned() };
    let parts = |standing: Standing| -> Vec<&str> {
        record.entries.iter().filter(|e| e.standing == standing).map(|e| e.part.as_str()).collect()
    };
    let mut said = Vec::new();
    for (standing, words) in [(Standing::Proved, "proved at"), (Standing::Exhausted, "every value of")] {
        let parts = parts(standing);
        if !parts.is_empty() {
            said.push(format!("{words} {} bits", parts.join(", ")));
        }
    }
    said.join("; ")
}

fn parse(source: SourceText) -> Result<Ledger, Failure> {
    let mut diagnostics = Diagnostics::new();
    let ledger = Ledger::parse(&source, &mut diagnostics);
    if diagnostics.has_errors() { Err(Failure::Rejected(diagnostics.render(&source))) } else { Ok(ledger) }
}

/// How much longer than a rule a theorem may take: a theorem is about one function, and rules about many.
const PATIENCE: u32 = 6;

/// The options for theorems.
fn patient(options: &Options) -> Options {
    Options { limit: options.limit * PATIENCE, ..options.clone() }
}

/// All that rules may rest on.
fn theorems_expected(options: &Options) -> Vec<Expected> {
    let mut expected = domain::expected(options);
    expected.extend(magic::expected());
    expected
}

/// Proves the rules of files.
fn files(args: &Prove, mut options: Options) -> Result<(), Failure> {
    let (set, findings) = read_rules(&args.files)?;
    let shown = set.render(&findings);
    if !shown.is_empty() {
        io::say(format_args!("{shown}\n"));
    }
    options.lemmas = Arc::new(shipped()?.fresh(&theorems_expected(&options)));
    let rules: Vec<&Rule> = set.rules.values().collect();
    let mut report = Report::default();
    report.rules(&rules, &options);
    report.finish(any_error(&findings))
}

/// Proves the theorems that are proved in the ledger, then the book from these.
fn everything(args: &Prove, mut options: Options) -> Result<(), Failure> {
    let mut report = Report::default();
    let mut learned = Ledger::new(report.magic(&options)?);
    let wanted = |theorem: &Theorem| is_wanted(args, &domain::name(*theorem));
    let (all, expected): (Vec<Theorem>, _) =
        (theorems::all().into_iter().filter(wanted).collect(), theorems_expected(&options));
    let shipped = shipped()?.fresh(&expected);
    let progress = &mut |done, proof: &domain::Proof| progress(done, all.len(), &domain::name(proof.theorem));
    let proofs = if args.open {
        domain::prove(&all, &patient(&options), progress)
    } else {
        domain::prove_again(&all, &shipped, &patient(&options), progress)
    };
    learned.update(report.domain(&proofs));
    if !args.only.is_empty() {
        // The others are as they are.
        let others = shipped.records().iter().filter(|record| !is_wanted(args, &record.theorem));
        learned.update(others.cloned().collect());
    }
    let learned = learned.fresh(&expected);
    for lost in shipped.lost(&learned).iter().filter(|lost| is_wanted(args, &lost.theorem)) {
        report.text.push_str(&format!("{lost} is proved in the ledger and not proved now\n"));
        report.wrong += 1;
    }
    options.lemmas = Arc::new(learned);
    let wanted = |rule: &&Rule| is_wanted(args, &rule::theorem(&rule.name));
    let rules: Vec<&Rule> = book::set().rules.values().filter(wanted).collect();
    report.rules(&rules, &options);
    report.finish(false)
}

/// Proves what a ledger does not vouch for, and renews it.
fn renew(path: &Path, args: &Prove, mut options: Options) -> Result<(), Failure> {
    let mut ledger = if path.exists() {
        let text = SourceText::from_bytes(io::display_name(path), io::read(path)?);
        parse(text.map_err(|error| Failure::Rejected(error.1.render(&error.0)))?)?
    } else {
        Ledger::default()
    };
    let mut report = Report::default();
    let theorems = theorems_expected(&options);
    let wanted = |ledger: &Ledger, expected: &[Expected]| -> Vec<String> {
        let lacking = |e: &&Expected| {
            let problems = ledger.problems(std::slice::from_ref(e));
            let mine = |p: &Problem| p.theorem() == e.theorem;
            is_wanted(args, &e.theorem)
                && (problems.iter().any(mine) || (args.open && ledger.is_open(&e.theorem)))
        };
        expected.iter().filter(lacking).map(|e| e.theorem.clone()).collect()
    };
    let stale = wanted(&ledger, &theorems);
    if magic::expected().iter().any(|e| stale.contains(&e.theorem)) {
        ledger.update(report.magic(&options)?);
    }
    let again: Vec<Theorem> =
        theorems::all().into_iter().filter(|&t| stale.contains(&domain::name(t))).collect();
    let count = again.len();
    let proofs = domain::prove(&again, &patient(&options), &mut |done, proof| {
        progress(done, count, &domain::name(proof.theorem));
    });
    ledger.update(report.domain(&proofs));
    options.lemmas = Arc::new(ledger.fresh(&theorems));
    let all: Vec<&Rule> = book::set().rules.values().collect();
    let expected = rule::expected(&all, &options);
    let stale = wanted(&ledger, &expected);
    let rules: Vec<&Rule> = (all.into_iter()).filter(|r| stale.contains(&rule::theorem(&r.name))).collect();
    ledger.update(report.rules(&rules, &options));
    let mut keep: Vec<String> = theorems.into_iter().chain(expected).map(|e| e.theorem).collect();
    keep.sort_unstable();
    ledger.retain(&keep);
    io::write(Some(path), ledger.to_string().as_bytes())?;
    report.finish(false)
}

/// What was found, as text for standard output.
#[derive(Default)]
struct Report {
    text: String,
    wrong: usize,
}

impl Report {
    /// Proves rules; what the ledger is to record of those that hold.
    fn rules(&mut self, rules: &[&Rule], options: &Options) -> Vec<Record> {
        let total = rules.len();
        let proofs = rule::prove(rules, options, &mut |done, proof| progress(done, total, &proof.rule));
        let mut wrong = 0;
        for proof in &proofs {
            self.text.push_str(&format!("{proof}\n"));
            wrong += usize::from(!proof.is_good());
        }
        if total > 0 {
            self.text.push_str(&format!("{} of {total} rules proved\n", total - wrong));
        }
        self.wrong += wrong;
        proofs.iter().filter_map(rule::Proof::record).collect()
    }

    /// Tells of theorems of the domain; what the ledger is to record of them.
    fn domain(&mut self, proofs: &[domain::Proof]) -> Vec<Record> {
        for proof in proofs.iter().filter(|proof| !proof.outcomes.is_empty()) {
            self.text.push_str(&theorem(proof));
            self.wrong += usize::from(proof.is_refuted());
        }
        proofs.iter().filter_map(domain::Proof::record).collect()
    }

    /// Proves the theorems behind division by multiplication.
    fn magic(&mut self, options: &Options) -> Result<Vec<Record>, Failure> {
        let records = magic::prove(options).map_err(Failure::Rejected)?;
        for record in &records {
            let parts: Vec<String> =
                record.entries.iter().map(|entry| format!("i{}: {}", entry.part, entry.standing)).collect();
            self.text.push_str(&format!("{}; {}\n", record.theorem, parts.join("; ")));
        }
        Ok(records)
    }

    /// Prints, and says whether all is well.
    fn finish(self, rejected: bool) -> Result<(), Failure> {
        io::write(None, self.text.as_bytes())?;
        if self.wrong > 0 || rejected { Err(Failure::Rejected(String::new())) } else { Ok(()) }
    }
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
