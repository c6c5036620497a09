//! The proof cache, or ledger (`rules.lock`): what was proved, of which question exactly, and by whom.
//!
//! `rules.lock` is committed. Its entries are keyed by a hash of the text of the questions as they were
//! sent to the solver, which contains the rule, the meanings of the operations and the functions of the
//! abstract domain. So a build needs no solver: it prints the questions again, compares hashes, and a
//! change of anything that a proof rests on makes the entry stale. (PyPy's cache of proofs is keyed by the
//! text of the rule alone and survives changes of what the rule means.)
//!
//! What a proof rests on, a law of the domain or a lemma about integers, is named by its line, with a *stamp*: the
//! beginning of the hash that it had then. A lemma that says something else, although it is proved again, vouches for none of
//! the lines that rested on it.
//!
//! A *theorem* (a rule, a law of the domain) has *parts*, usually widths. The text is sorted by theorem
//! and keeps the order of parts; an entry whose hash has not changed is kept as it is when theorems are
//! proved again, so that the file changes only where something was learned.
//!
//! A ledger begins with a line that says what it is, and every entry ends its hash with a *seal*, which is a hash of the
//! entry and its theorem: a line that was written by hand is open, whatever it says, and is proved again. The seal keeps
//! mistakes out and is no signature; `planish prove --audit` believes no line.

mod entry;

pub use self::entry::{Entry, Expected, Fingerprint, Premise, Record, Stamp, Standing, TimeClass};

use std::collections::BTreeMap;
use std::fmt;

use planish_base::{Diagnostic, Diagnostics, SourceText, Span};

/// Something that keeps the ledger from vouching for what is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Problem {
    /// A part has no entry.
    Missing(String, String),
    /// What the part asks has changed since it was proved.
    Stale(String, String),
    /// The part is not proved, and its standing does not say what covers it.
    Unproved(String, String),
    /// The ledger speaks of a theorem or part that does not exist.
    Superfluous(String, String),
    /// The proof of the part rests on something that is not proved.
    Unfounded(String, String, Premise),
}

impl Problem {
    /// The theorem with the problem.
    pub fn theorem(&self) -> &str {
        match self {
            Problem::Missing(theorem, _)
            | Problem::Stale(theorem, _)
            | Problem::Unproved(theorem, _)
            | Problem::Superfluous(theorem, _)
            | Problem::Unfounded(theorem, ..) => theorem,
        }
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (what, theorem, part) = match self {
            Problem::Missing(theorem, part) => ("has no proof in the ledger", theorem, part),
            Problem::Stale(theorem, part) => ("has changed since it was proved", theorem, part),
            Problem::Unproved(theorem, part) => ("is not proved", theorem, part),
            Problem::Superfluous(theorem, part) => ("is in the ledger and does not exist", theorem, part),
            Problem::Unfounded(theorem, part, premise) => {
                return write!(
                    f,
                    "{theorem} rests {} on {premise}, which is not proved as it was then",
                    place(part)
                );
            }
        };
        write!(f, "{theorem} {what} {}", place(part))
    }
}

/// Where a part is: most are widths.
fn place(part: &str) -> String {
    match part.split_once('-') {
        Some(_) => format!("at widths {part}"),
        None if part.parse::<u32>().is_ok() => format!("at width {part}"),
        None => format!("in its part `{part}`"),
    }
}

/// All that is known, sorted by theorem.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    records: Vec<Record>,
}

/// The line that every ledger begins with.
const FIRST_LINE: &str =
    "# A ledger of proofs, version 2. Written by `planish prove`; what else writes here is not believed.";

const HEADER: &str = "\
# A line is: part, standing, SHA-256 of the questions as the solver gets them, a seal, time, solver; what the
# proof rests on, each with the beginning of its hash; note.
";

impl Ledger {
    /// A ledger of these records.
    pub fn new(mut records: Vec<Record>) -> Ledger {
        records.sort_by(|a, b| a.theorem.cmp(&b.theorem));
        Ledger { records }
    }

    /// All records, sorted by theorem.
    pub fn records(&self) -> &[Record] {
        &self.records
    }

    /// The record of a theorem.
    pub fn record(&self, theorem: &str) -> Option<&Record> {
        let at = self.records.binary_search_by(|r| r.theorem.as_str().cmp(theorem)).ok()?;
        Some(&self.records[at])
    }

    /// The entry of a part of a theorem.
    pub fn entry(&self, theorem: &str, part: &str) -> Option<&Entry> {
        self.record(theorem)?.entries.iter().find(|entry| entry.part == part)
    }

    /// Takes over what was learned. An entry that says the same of the same questions stays as it was.
    pub fn update(&mut self, learned: Vec<Record>) {
        let names: Vec<String> = learned.iter().map(|record| record.theorem.clone()).collect();
        for mut record in learned {
            for entry in &mut record.entries {
                let known = self.entry(&record.theorem, &entry.part);
                if let Some(known) =
                    known.filter(|known| known.hash == entry.hash && self.stays(known, entry))
                {
                    *entry = known.clone();
                }
            }
            match self.records.binary_search_by(|r| r.theorem.cmp(&record.theorem)) {
                Ok(at) => self.records[at] = record,
                Err(at) => self.records.insert(at, record),
            }
        }
        self.stamp(&names);
    }

    /// Notes what premises say now where that is not noted yet.
    fn stamp(&mut self, theorems: &[String]) {
        for theorem in theorems {
            let Ok(at) = self.records.binary_search_by(|r| r.theorem.cmp(theorem)) else { continue };
            for entry in 0..self.records[at].entries.len() {
                let premises = self.stamped(self.records[at].entries[entry].premises.clone());
                self.records[at].entries[entry].premises = premises;
            }
        }
    }

    /// Premises, each with the stamp of what it says here, unless it has one.
    pub fn stamped(&self, mut premises: Vec<Premise>) -> Vec<Premise> {
        for premise in premises.iter_mut().filter(|premise| premise.stamp.is_none()) {
            premise.stamp = self.entry(&premise.theorem, &premise.part).map(|entry| entry.hash.stamp());
        }
        premises
    }

    /// Whether what is known of a question stands beside a new answer to it: the same answer, or none where there
    /// was a proof, which does not become wrong because a busy machine finds it no second time. What rests on
    /// something that is not proved does not stand.
    fn stays(&self, known: &Entry, new: &Entry) -> bool {
        let proved = matches!(known.standing, Standing::Proved | Standing::Exhausted);
        known.premises.iter().all(|premise| self.vouches_for(premise))
            && (known.standing == new.standing || (proved && new.standing == Standing::Open))
    }

    /// Forgets theorems that are not in `keep`, which is sorted.
    pub fn retain(&mut self, keep: &[String]) {
        self.records.retain(|record| keep.binary_search(&record.theorem).is_ok());
    }

    /// What keeps this ledger from vouching for one theorem, what it rests on being proved in `lemmas`.
    pub fn objection(&self, expected: &Expected, lemmas: &Ledger) -> Option<Problem> {
        expected.parts.iter().find_map(|(part, hash)| {
            let (t, p) = (expected.theorem.clone(), part.clone());
            let Some(entry) = self.entry(&t, part) else { return Some(Problem::Missing(t, p)) };
            if entry.hash != *hash {
                return Some(Problem::Stale(t, p));
            }
            if matches!(entry.standing, Standing::Open | Standing::Sorry) {
                return Some(Problem::Unproved(t, p));
            }
            let missing = entry.premises.iter().find(|premise| !lemmas.vouches_for(premise))?;
            Some(Problem::Unfounded(t, p, missing.clone()))
        })
    }

    /// How many proofs are a refutation that our checker followed, and how many rest on the word of a solver.
    pub fn trust(&self) -> (usize, usize) {
        // That no input meets some checks is proved as well.
        let is_empty = |e: &Entry| e.standing == Standing::LeftOut && e.by != NOBODY;
        let is_proof = |e: &&Entry| matches!(e.standing, Standing::Proved | Standing::Follows) || is_empty(e);
        let proofs: Vec<&Entry> = self.records.iter().flat_map(|r| &r.entries).filter(is_proof).collect();
        let checked = |e: &&&Entry| e.by.split(" and ").all(is_builtin);
        let checked = proofs.iter().filter(checked).count();
        (checked, proofs.len() - checked)
    }

    /// Whether a part is proved, and says what it said when something came to rest on it.
    pub fn vouches_for(&self, premise: &Premise) -> bool {
        let Some(entry) = self.entry(&premise.theorem, &premise.part) else { return false };
        let says_the_same = premise.stamp.is_none_or(|stamp| stamp == entry.hash.stamp());
        says_the_same && matches!(entry.standing, Standing::Proved | Standing::Exhausted)
    }

    /// What is proved here and not in another ledger.
    pub fn lost(&self, there: &Ledger) -> Vec<Premise> {
        let settled = |e: &Entry| !matches!(e.standing, Standing::Open | Standing::Sorry);
        let lost = |record: &Record| {
            let is_there = |e: &Entry| {
                let other = there.entry(&record.theorem, &e.part);
                other.is_some_and(|o| o.standing == e.standing && o.hash == e.hash)
            };
            let part = |e: &Entry| Premise::new(record.theorem.as_str(), e.part.as_str());
            let missing = record.entries.iter().filter(|e| settled(e) && !is_there(e));
            missing.map(part).collect::<Vec<Premise>>()
        };
        self.records.iter().flat_map(lost).collect()
    }

    /// Whether a part of a theorem got no answer.
    pub fn is_open(&self, theorem: &str) -> bool {
        self.record(theorem).is_some_and(|r| r.entries.iter().any(|e| e.standing == Standing::Open))
    }

    /// The entries of which the hash is the expected one and whose premises are proved in what is left:
    /// those on which further proofs may rest.
    pub fn fresh(&self, expected: &[Expected]) -> Ledger {
        let mut left = self.clone();
        let hashes: BTreeMap<(&str, &str), Fingerprint> = (expected.iter())
            .flat_map(|e| e.parts.iter().map(|(part, hash)| ((e.theorem.as_str(), part.as_str()), *hash)))
            .collect();
        for record in &mut left.records {
            let name = record.theorem.as_str();
            record.entries.retain(|e| hashes.get(&(name, e.part.as_str())) == Some(&e.hash));
        }
        loop {
            let before = left.clone();
            for record in &mut left.records {
                record.entries.retain(|e| e.premises.iter().all(|premise| before.vouches_for(premise)));
            }
            if left == before {
                left.records.retain(|record| !record.entries.is_empty());
                return left;
            }
        }
    }

    /// What keeps the ledger from vouching for `expected`. Needs no solver.
    pub fn problems(&self, expected: &[Expected]) -> Vec<Problem> {
        let mut problems = Vec::new();
        for Expected { theorem, parts } in expected {
            for (part, hash) in parts {
                let (t, p) = (theorem.clone(), part.clone());
                match self.entry(theorem, part) {
                    None => problems.push(Problem::Missing(t, p)),
                    Some(entry) if entry.hash != *hash => problems.push(Problem::Stale(t, p)),
                    Some(entry) if !is_covered(theorem, entry) => problems.push(Problem::Unproved(t, p)),
                    Some(_) => {}
                }
            }
        }
        let mut names: Vec<&Expected> = expected.iter().collect();
        names.sort_by(|a, b| a.theorem.cmp(&b.theorem));
        for record in &self.records {
            let known = names.binary_search_by(|e| e.theorem.cmp(&record.theorem)).ok().map(|at| names[at]);
            for entry in &record.entries {
                for premise in entry.premises.iter().filter(|premise| !self.vouches_for(premise)) {
                    let (theorem, part) = (record.theorem.clone(), entry.part.clone());
                    problems.push(Problem::Unfounded(theorem, part, premise.clone()));
                }
                if !known.is_some_and(|e| e.parts.iter().any(|(part, _)| *part == entry.part)) {
                    problems.push(Problem::Superfluous(record.theorem.clone(), entry.part.clone()));
                }
            }
        }
        problems
    }

    /// Reads the text of a ledger; what is not understood is reported.
    pub fn parse(source: &SourceText, diagnostics: &mut Diagnostics) -> Ledger {
        let mut records: Vec<Record> = Vec::new();
        let first = source.text().lines().next().unwrap_or_default();
        if first.trim_end() != FIRST_LINE {
            let error = Diagnostic::error(Span::new(0..first.len()), "this is no ledger of proofs");
            diagnostics.push(error.note(format!("a ledger begins with the line `{FIRST_LINE}`")));
            return Ledger::default();
        }
        let mut names = BTreeMap::new();
        let mut places: Vec<Span> = Vec::new();
        let mut start = 0;
        for line in source.text().split_inclusive('\n') {
            let span = Span::new(start..start + line.trim_end().len());
            start += line.len();
            let line = line.trim_end();
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            if !line.starts_with(' ') {
                if names.insert(line, ()).is_some() {
                    diagnostics.push(Diagnostic::error(span, format!("`{line}` is in this ledger twice")));
                }
                records.push(Record { theorem: line.to_owned(), entries: Vec::new() });
                places.push(span);
                continue;
            }
            match (parse_entry(line), records.last_mut()) {
                (Some((entry, _)), Some(record)) if record.entries.iter().any(|e| e.part == entry.part) => {
                    let message = format!("`{}` has the part {} twice", record.theorem, entry.part);
                    diagnostics.push(Diagnostic::error(span, message));
                }
                (Some((mut entry, given)), Some(record)) => {
                    let is_unnamed = entry.premises.iter().any(|premise| premise.stamp.is_none());
                    if is_unnamed || given != seal(&record.theorem, &entry) {
                        (entry.standing, entry.note) = (Standing::Open, String::new());
                    }
                    record.entries.push(entry);
                }
                (None, _) => diagnostics.push(Diagnostic::error(span, "this is no entry of a ledger")),
                (_, None) => diagnostics.push(Diagnostic::error(span, "an entry before the first theorem")),
            }
        }
        for (record, place) in records.iter().zip(places).filter(|(record, _)| record.entries.is_empty()) {
            let message = format!("`{}` is no theorem of a ledger: no entry is behind it", record.theorem);
            diagnostics.push(Diagnostic::error(place, message));
        }
        Ledger::new(records)
    }
}

/// Whether the standing of an entry is a proof, or says what covers the part in its place. A rule has to be proved.
fn is_covered(theorem: &str, entry: &Entry) -> bool {
    match entry.standing {
        Standing::Open | Standing::Sorry => !theorem.starts_with("rule ") && !entry.note.is_empty(),
        _ => true,
    }
}

/// What an entry says of a part of its theorem.
fn said(entry: &Entry) -> String {
    let Entry { time, by, premises, note, .. } = entry;
    let mut text = format!("{time} {by}");
    for (index, premise) in premises.iter().enumerate() {
        text.push_str(if index == 0 { "; from " } else { ", " });
        text.push_str(&premise.written());
    }
    if !note.is_empty() {
        text.push_str("; ");
        text.push_str(note);
    }
    text
}

/// The seal of an entry: eight digits of a hash of all it says.
fn seal(theorem: &str, entry: &Entry) -> String {
    let Entry { part, standing, hash, .. } = entry;
    let text = format!("{theorem}\n{part} {standing} {hash} {}", said(entry));
    Fingerprint::of([text.as_str()]).to_string()[..8].to_owned()
}

/// An entry, and the seal that its line has.
fn parse_entry(line: &str) -> Option<(Entry, String)> {
    let (fields, rest) = line.split_once(';').unwrap_or((line, ""));
    let (premises, note) = match rest.trim().strip_prefix("from ") {
        Some(from) => {
            let (list, note) = from.split_once(';').unwrap_or((from, ""));
            (list.split(", ").map(Premise::parse).collect::<Option<Vec<Premise>>>()?, note)
        }
        None => (Vec::new(), rest),
    };
    let mut words = fields.split_whitespace();
    let part = words.next()?.to_owned();
    let standing = Standing::named(words.next()?)?;
    let (hash, seal) = words.next()?.split_once(':')?;
    let hash = Fingerprint::parse(hash)?;
    let class = words.next()?;
    let time = TimeClass::ALL.iter().find(|(_, name)| *name == class)?.0;
    let by: Vec<&str> = words.collect();
    let entry =
        Entry { part, standing, hash, by: by.join(" "), time, premises, note: note.trim().to_owned() };
    Some((entry, seal.to_owned()))
}

impl fmt::Display for Ledger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{FIRST_LINE}\n{HEADER}")?;
        for record in &self.records {
            writeln!(f, "{}", record.theorem)?;
            for entry in &record.entries {
                let Entry { part, standing, hash, .. } = entry;
                writeln!(f, " {part} {standing} {hash}:{} {}", seal(&record.theorem, entry), said(entry))?;
            }
        }
        Ok(())
    }
}

/// Who answered where nobody was asked.
pub(crate) const NOBODY: &str = "nobody";

/// Whether a solver is the built-in one, whose refutations our own checker follows.
pub(crate) fn is_builtin(solver: &str) -> bool {
    solver.starts_with("builtin ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(part: &str, question: &str) -> Entry {
        Entry {
            part: part.to_owned(),
            standing: Standing::Proved,
            hash: Fingerprint::of([question]),
            by: "z3 5.4.0".to_owned(),
            time: TimeClass::Instant,
            premises: Vec::new(),
            note: String::new(),
        }
    }

    fn record(theorem: &str, entries: Vec<Entry>) -> Record {
        Record { theorem: theorem.to_owned(), entries }
    }

    fn expected(theorem: &str, parts: &[(&str, &str)]) -> Expected {
        let parts = parts.iter().map(|(part, q)| ((*part).to_owned(), Fingerprint::of([*q]))).collect();
        Expected { theorem: theorem.to_owned(), parts }
    }

    #[test]
    fn text_round_trips_and_is_sorted() {
        let open = Entry {
            standing: Standing::Open,
            note: "tried at every value of 4 bits".to_owned(),
            time: TimeClass::Long,
            ..entry("64", "c")
        };
        let part = |part: &str| Premise::new("domain mul", part);
        let resting = Entry { premises: vec![part("8"), part("64")], ..entry("8", "b") };
        let mut ledger = Ledger::default();
        ledger
            .update(vec![record("rule b", vec![resting]), record("domain mul", vec![entry("8", "a"), open])]);
        let text = ledger.to_string();
        assert!(text.find("\ndomain mul") < text.find("\nrule b"));
        let mut diagnostics = Diagnostics::new();
        let source = SourceText::new("rules.lock", text);
        assert_eq!(Ledger::parse(&source, &mut diagnostics), ledger);
        assert!(!diagnostics.has_errors());
        let mut wrong = Diagnostics::new();
        let text = format!("{FIRST_LINE}\n 8 proved abc\nrule x\n 8 maybe\n");
        Ledger::parse(&SourceText::new("rules.lock", text), &mut wrong);
        assert!(wrong.has_errors());
    }

    /// A line that was written by hand is not believed.
    #[test]
    fn an_open_part_does_not_become_proved_in_an_editor() {
        let open =
            Entry { standing: Standing::Open, note: "no answer in time".to_owned(), ..entry("64", "c") };
        let text = Ledger::new(vec![record("rule a", vec![entry("8", "a"), open])]).to_string();
        let read = |text: String| {
            let mut diagnostics = Diagnostics::new();
            let ledger = Ledger::parse(&SourceText::new("rules.lock", text), &mut diagnostics);
            assert!(!diagnostics.has_errors());
            ledger
        };
        let wanted = expected("rule a", &[("8", "a"), ("64", "c")]);
        for edited in [text.clone(), text.replace(" 64 open ", " 64 proved ")] {
            let ledger = read(edited);
            assert_eq!(ledger.entry("rule a", "8").map(|e| e.standing), Some(Standing::Proved));
            let objection = ledger.objection(&wanted, &Ledger::default()).expect("it is open");
            assert_eq!(objection.to_string(), "rule a is not proved at width 64");
            assert_eq!(ledger.problems(std::slice::from_ref(&wanted)).len(), 1);
        }
        // Nor is one that was copied from another theorem.
        let ledger = read(text.replace("rule a", "rule b"));
        assert!(ledger.records()[0].entries.iter().all(|e| e.standing == Standing::Open));
    }

    /// An audit finds each line that a proof from nothing does not give again, and counts whose word is believed.
    #[test]
    fn lines_that_are_not_proved_again_are_lost() {
        let by = |part: &str, by: &str| Entry { by: by.to_owned(), ..entry(part, part) };
        let believed = Ledger::new(vec![record("rule a", vec![by("8", "z3 4.8.12"), by("16", "builtin 2")])]);
        assert!(believed.lost(&believed).is_empty());
        assert_eq!(believed.trust(), (1, 1));
        let left_out = Entry { standing: Standing::LeftOut, ..by("16", "nobody") };
        let open = Entry { standing: Standing::Open, ..by("8", "builtin 2") };
        let again = Ledger::new(vec![record("rule a", vec![open, left_out])]);
        let lost: Vec<String> = believed.lost(&again).iter().map(Premise::to_string).collect();
        assert_eq!(lost, ["rule a (8)", "rule a (16)"]);
        assert_eq!(again.trust(), (0, 0));
    }

    #[test]
    fn what_is_no_ledger_and_what_is_one_twice_is_refused() {
        let text = Ledger::new(vec![record("rule a", vec![entry("8", "a")])]).to_string();
        let errors = |text: String| {
            let mut diagnostics = Diagnostics::new();
            let source = SourceText::new("rules.lock", text);
            Ledger::parse(&source, &mut diagnostics);
            diagnostics.render(&source)
        };
        assert!(
            errors("add_zero_x: int_add(a, 0) => a\n".to_owned()).contains("this is no ledger of proofs")
        );
        assert!(errors(String::new()).contains("this is no ledger of proofs"));
        assert!(errors(format!("{text}{text}")).contains("`rule a` is in this ledger twice"));
        let line = text.lines().last().expect("an entry");
        assert!(errors(format!("{text}{line}\n")).contains("`rule a` has the part 8 twice"));
        let stray = errors(format!("{text}sub_self: int_sub(a, a) => 0\n"));
        assert!(stray.contains("is no theorem of a ledger: no entry is behind it"), "{stray}");
    }

    /// Trying again and finding nothing takes no proof away.
    #[test]
    fn a_proof_outlives_a_search_without_an_answer() {
        let open = |question: &str| Entry { standing: Standing::Open, ..entry("8", question) };
        let premise = Premise::new("law", "8");
        let resting = Entry { premises: vec![premise], ..entry("8", "b") };
        let mut ledger =
            Ledger::new(vec![record("rule a", vec![entry("8", "a")]), record("rule b", vec![resting])]);
        ledger.update(vec![record("rule a", vec![open("a")]), record("rule b", vec![open("b")])]);
        assert_eq!(ledger.entry("rule a", "8"), Some(&entry("8", "a")));
        assert_eq!(ledger.entry("rule b", "8"), Some(&open("b")), "what it rested on is not proved");
        ledger.update(vec![record("rule a", vec![open("another question")])]);
        assert_eq!(ledger.entry("rule a", "8"), Some(&open("another question")));
    }

    /// A proof counts only as long as what it rests on does.
    #[test]
    fn a_proof_falls_with_its_premises() {
        let premise = Premise::new("law", "8");
        let resting = Entry { premises: vec![premise], ..entry("8", "q") };
        let wanted = [expected("law", &[("8", "l")]), expected("rule a", &[("8", "q")])];
        let good =
            Ledger::new(vec![record("law", vec![entry("8", "l")]), record("rule a", vec![resting.clone()])]);
        assert_eq!(good.problems(&wanted), []);
        assert_eq!(good.fresh(&wanted), good);
        let open = Entry { standing: Standing::Open, note: "too hard".to_owned(), ..entry("8", "l") };
        let bad = Ledger::new(vec![record("law", vec![open]), record("rule a", vec![resting])]);
        let problems = bad.problems(&wanted);
        assert_eq!(problems.len(), 1);
        let said = "rule a rests at width 8 on law (8), which is not proved as it was then";
        assert_eq!(problems[0].to_string(), said);
        assert!(bad.fresh(&wanted).record("rule a").is_none());
        let changed = [expected("law", &[("8", "new")]), expected("rule a", &[("8", "q")])];
        assert!(good.fresh(&changed).records().is_empty());
    }

    /// A lemma that says something else, although that is proved, vouches for nothing that rested on what it said.
    #[test]
    fn a_proof_falls_with_what_its_premises_said() {
        let resting = |name: &str| {
            record(name, vec![Entry { premises: vec![Premise::new("law", "8")], ..entry("8", "q") }])
        };
        let mut ledger = Ledger::default();
        ledger.update(vec![record("law", vec![entry("8", "old")]), resting("rule a")]);
        let text = ledger.to_string();
        let stamp = Fingerprint::of(["old"]).stamp();
        assert!(text.contains(&format!("; from law (8) {stamp}\n")), "{text}");
        let wanted = [expected("law", &[("8", "new")]), expected("rule a", &[("8", "q")])];
        ledger.update(vec![record("law", vec![entry("8", "new")])]);
        let problem = "rule a rests at width 8 on law (8), which is not proved as it was then";
        assert_eq!(ledger.objection(&wanted[1], &ledger).map(|p| p.to_string()).as_deref(), Some(problem));
        assert_eq!(ledger.problems(&wanted).len(), 1);
        assert!(ledger.fresh(&wanted).record("rule a").is_none());
        // Proved again from what the lemma says now, it stands.
        ledger.update(vec![resting("rule a")]);
        assert_eq!(ledger.problems(&wanted), []);
        // What a line without stamps rested on is not known.
        let unnamed = Ledger::new(vec![resting("rule b")]).to_string();
        let read = Ledger::parse(&SourceText::new("rules.lock", unnamed), &mut Diagnostics::new());
        assert_eq!(read.entry("rule b", "8").map(|e| e.standing), Some(Standing::Open));
    }

    /// A change of anything in a question is noticed, which S5.42 asks for.
    #[test]
    fn stale_missing_open_and_superfluous_entries_are_named() {
        let bare = Entry { standing: Standing::Open, ..entry("32", "o") };
        let ledger = Ledger::new(vec![
            record("rule a", vec![entry("8", "old"), bare]),
            record("rule gone", vec![entry("8", "x")]),
        ]);
        let problems = ledger.problems(&[expected("rule a", &[("8", "new"), ("32", "o"), ("64", "n")])]);
        let shown: Vec<String> = problems.iter().map(Problem::to_string).collect();
        assert_eq!(
            shown,
            [
                "rule a has changed since it was proved at width 8",
                "rule a is not proved at width 32",
                "rule a has no proof in the ledger at width 64",
                "rule gone is in the ledger and does not exist at width 8",
            ]
        );
        let good = Ledger::new(vec![record("rule a", vec![entry("8", "new")])]);
        assert!(good.problems(&[expected("rule a", &[("8", "new")])]).is_empty());
    }

    #[test]
    fn an_entry_that_says_the_same_is_kept() {
        let mut ledger = Ledger::new(vec![record("rule a", vec![entry("8", "same"), entry("16", "old")])]);
        let again = |part: &str, question: &str| Entry { by: "cvc5 1.2".to_owned(), ..entry(part, question) };
        ledger.update(vec![record("rule a", vec![again("8", "same"), again("16", "new")])]);
        assert_eq!(ledger.entry("rule a", "8").map(|e| e.by.as_str()), Some("z3 5.4.0"));
        assert_eq!(ledger.entry("rule a", "16").map(|e| e.by.as_str()), Some("cvc5 1.2"));
        ledger.retain(&[]);
        assert!(ledger.records().is_empty());
    }
}
