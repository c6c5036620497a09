//! `planish prove`: proves rules, and the theorems they rest on.
//!
//! Every well-typed rule is judged, also when it fails order, cost or shadowing, and every verdict is
//! printed to standard output; [progress](crate::progress) goes to standard error. Only if all rules are proved is the answer
//! yes.
//!
//! The rules of files are proved by themselves, from theorems for which the ledger vouches that planish was
//! built with; what is proved is noted in a ledger beside each file ([`super::ledgers`]). The book is proved together with its
//! theorems.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use planish_book as book;
use planish_domain::theorems::{self, Theorem};
use planish_prove::discover::{Draft, at_widths};
use planish_prove::ledger::{Expected, Problem, Record};
use planish_prove::rule::Verdict;
use planish_prove::{Engine, Ledger, Options, domain, integers, magic, prover, rule};
use planish_rules::rule::Rule;

use super::ledgers;
use super::rule_files::{any_error, read_rules};
use crate::args::Prove;
use crate::failure::Failure;
use crate::io;
use crate::progress::Progress;

/// Proves the book, or the rules of files.
pub fn run(args: &Prove) -> Result<(), Failure> {
    let engine = Engine::choose(args.solver.solver.as_deref()).map_err(|e| Failure::Usage(e.to_string()))?;
    let (limit, clock) = (args.solver.work(), args.solver.clock());
    let options = Options { limit, clock, ..Options::new(engine) };
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

/// That nothing is there to be proved of what was asked for.
fn nothing_named(asked: &[String], place: &str) -> Failure {
    Failure::Usage(format!("no name in {place} has `{}` in it", asked.join("` or `")))
}

/// How much longer than a rule a theorem may take: a theorem is about one function, and rules about many.
const PATIENCE: u32 = 6;

/// The options for theorems.
fn patient(options: &Options) -> Options {
    Options {
        limit: options.limit * PATIENCE,
        clock: options.clock.map(|clock| clock * PATIENCE),
        ..options.clone()
    }
}

/// All that rules may rest on.
pub fn theorems_expected(options: &Options) -> Vec<Expected> {
    let mut expected = domain::expected(options);
    expected.extend(integers::expected());
    expected.extend(magic::expected());
    expected
}

/// Proves the rules of files, and notes in the ledger of each what was proved.
fn files(args: &Prove, mut options: Options) -> Result<(), Failure> {
    let (set, findings) = read_rules(&args.files)?;
    let shown = set.render(&findings);
    if !shown.is_empty() {
        io::say(format_args!("{shown}\n"));
    }
    // What is no ledger is not overwritten, which is said before anything is proved.
    for path in &args.files {
        ledgers::of_file(path)?;
    }
    options.lemmas = Arc::new(ledgers::shipped()?.fresh(&theorems_expected(&options)));
    let wanted = |rule: &&Rule| is_wanted(args, &rule::theorem(&rule.name));
    let rules: Vec<&Rule> = set.rules.values().filter(wanted).collect();
    let mut report = Report::default();
    if rules.is_empty() && findings.is_empty() {
        let names: Vec<String> = args.files.iter().map(|path| io::display_name(path)).collect();
        match &args.only[..] {
            [] => return Err(Failure::Rejected(format!("no rules in {}", names.join(", ")))),
            asked => return Err(nothing_named(asked, &names.join(", "))),
        }
    }
    let records = report.rules(&rules, &options);
    let noted: Result<Vec<()>, Failure> = (args.files.iter())
        .map(|path| {
            let name = io::display_name(path);
            let (asked, others): (Vec<&Rule>, Vec<&Rule>) =
                set.rules.values().filter(|rule| rule.file == name).partition(wanted);
            let of_file =
                |record: &&Record| asked.iter().any(|rule| rule::theorem(&rule.name) == record.theorem);
            let mut others: Vec<String> = others.iter().map(|rule| rule::theorem(&rule.name)).collect();
            others.sort_unstable();
            ledgers::note(path, records.iter().filter(of_file).cloned().collect(), &others)
        })
        .collect();
    // Verdicts are said also where they cannot be noted.
    let verdict = report.finish(args, any_error(&findings));
    noted.and(verdict)
}

/// Proves the theorems that are proved in the ledger, then the book from these.
fn everything(args: &Prove, mut options: Options) -> Result<(), Failure> {
    let mut report = Report::default();
    let mut learned = Ledger::new(report.lemmas()?);
    let wanted = |theorem: &Theorem| is_wanted(args, &domain::name(*theorem));
    let (all, expected): (Vec<Theorem>, _) =
        (theorems::all().into_iter().filter(wanted).collect(), theorems_expected(&options));
    let believed = ledgers::shipped()?;
    let shipped = believed.fresh(&expected);
    let told = Progress::of(&options.under_way);
    let progress = &mut |done, total, _: domain::Line| told.done(done, total);
    let proofs = if args.open {
        domain::prove(&all, &patient(&options), progress)
    } else {
        domain::prove_again(&all, &shipped, &patient(&options), progress)
    };
    drop(told);
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
    options.lemmas = Arc::new(learned.clone());
    let wanted = |rule: &&Rule| is_wanted(args, &rule::theorem(&rule.name));
    let rules: Vec<&Rule> = book::set().rules.values().filter(wanted).collect();
    if all.is_empty() && rules.is_empty() {
        return Err(nothing_named(&args.only, "the book and its theorems"));
    }
    let records = report.rules(&rules, &options);
    if args.audit {
        report.audit(&believed, learned, records);
    }
    report.finish(args, false)
}

/// Proves what a ledger does not vouch for, and renews it.
fn renew(path: &Path, args: &Prove, mut options: Options) -> Result<(), Failure> {
    let mut ledger = ledgers::read(path)?;
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
    let mut learned = Vec::new();
    let stale = wanted(&ledger, &theorems);
    if integers::expected().iter().chain(&magic::expected()).any(|e| stale.contains(&e.theorem)) {
        learned.extend(report.lemmas()?);
        ledger.update(learned.clone());
    }
    let told = Progress::of(&options.under_way);
    let progress = &mut |done, total, _: domain::Line| told.done(done, total);
    let mut done: BTreeSet<String> = BTreeSet::new();
    // What is proved anew may say something else than what others came to rest on, which are stale then.
    loop {
        let stale = wanted(&ledger, &theorems);
        let is_stale = |name: String| stale.contains(&name) && !done.contains(&name);
        let again: Vec<Theorem> =
            theorems::all().into_iter().filter(|&theorem| is_stale(domain::name(theorem))).collect();
        if again.is_empty() {
            break;
        }
        done.extend(again.iter().map(|&theorem| domain::name(theorem)));
        let proved = report.domain(&domain::prove(&again, &patient(&options), progress));
        ledger.update(proved.clone());
        learned.extend(proved);
    }
    drop(told);
    options.lemmas = Arc::new(ledger.fresh(&theorems));
    options.known = Arc::new(ledger.clone());
    let all: Vec<&Rule> = book::set().rules.values().collect();
    let expected = rule::expected(&all, &options);
    let stale = wanted(&ledger, &expected);
    let rules: Vec<&Rule> = (all.into_iter()).filter(|r| stale.contains(&rule::theorem(&r.name))).collect();
    learned.extend(report.rules(&rules, &options));
    let mut keep: Vec<String> = theorems.into_iter().chain(expected).map(|e| e.theorem).collect();
    keep.sort_unstable();
    ledgers::renew(path, |ledger| {
        ledger.update(learned);
        ledger.retain(&keep);
    })?;
    report.finish(args, false)
}

/// What was found, as text for standard output.
#[derive(Default)]
struct Report {
    text: String,
    wrong: usize,
    sorry: usize,
}

impl Report {
    /// Proves rules; what the ledger is to record of those that hold.
    fn rules(&mut self, rules: &[&Rule], options: &Options) -> Vec<Record> {
        let total = rules.len();
        let told = Progress::of(&options.under_way);
        let proofs = prover::prove(rules, options, &mut |done, _| told.done(done, total));
        drop(told);
        let (mut proved, mut sorry) = (0, 0);
        for (proof, rule) in proofs.iter().zip(rules) {
            self.text.push_str(&format!("{proof}\n"));
            if let Verdict::Refuted(_) = proof.verdict {
                self.text.push_str(&elsewhere(rule, options));
            }
            proved += usize::from(proof.is_good());
            sorry += usize::from(proof.is_sorry());
        }
        if total > 0 {
            let apart = if sorry > 0 { format!(", {sorry} sorry") } else { String::new() };
            self.text.push_str(&format!("{proved} of {total} rules proved{apart}\n"));
        }
        self.wrong += total - proved - sorry;
        self.sorry += sorry;
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

    /// Checks the lemmas about integers, and those behind division by multiplication with them.
    fn lemmas(&mut self) -> Result<Vec<Record>, Failure> {
        let mut records = integers::prove().map_err(Failure::Rejected)?;
        self.text.push_str(&format!("{} lemmas about integers have certificates\n", records.len()));
        records.extend(magic::records());
        Ok(records)
    }

    /// Holds what was proved now against each line of the ledger.
    fn audit(&mut self, believed: &Ledger, mut learned: Ledger, rules: Vec<Record>) {
        learned.update(rules);
        for lost in believed.lost(&learned) {
            self.text
                .push_str(&format!("{lost} is in the ledger and was not proved again as it stands there\n"));
            self.wrong += 1;
        }
        let (checked, word) = learned.trust();
        self.text.push_str(&format!(
            "{checked} proofs are refutations that our own checker followed, {word} rest on the word of a solver alone\n"
        ));
    }

    /// Prints, and says whether all is well.
    fn finish(self, args: &Prove, rejected: bool) -> Result<(), Failure> {
        io::write(None, self.text.as_bytes())?;
        let is_sorry = self.sorry > 0 && !args.allow_sorry;
        if self.wrong > 0 || rejected || is_sorry { Err(Failure::Rejected(String::new())) } else { Ok(()) }
    }
}

/// How much work one try may be to find out where a wrong rule holds.
const ELSEWHERE: Duration = Duration::from_millis(500);

/// Where a rule holds that is wrong as it stands, if that is a matter of width: what to write to it.
fn elsewhere(rule: &Rule, options: &Options) -> String {
    let limit = options.limit.min(ELSEWHERE);
    // By the clock only where that was asked for: a busy machine tells the same.
    let options = Options { limit, clock: options.clock.map(|clock| clock.min(limit)), ..options.clone() };
    match at_widths(&Draft::new(&rule.text), &options) {
        Some((_, what)) => format!("  it is proved with `{what}`\n"),
        None => String::new(),
    }
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
        line.push_str(&format!("; i{}: {word} in {:.2} s", outcome.width, outcome.time.as_secs_f64()));
    }
    line.push('\n');
    line
}
