//! What the prover says of the rules of open files.
//!
//! One proof runs at a time, on a thread of its own. A rule is known by its text: what was said of a text is not asked again,
//! and a proof of a text that stands in no open file any more is ended.

use std::collections::{BTreeMap, VecDeque};
use std::sync::mpsc::Sender;
use std::thread;
use std::time::Duration;

use planish_prove::prover::prove_one;
use planish_prove::rule::Proof;
use planish_prove::{Cancel, Options};
use planish_rules::Rule;

/// A proof that has ended: of the rule with this text.
pub struct Proved {
    /// The text of the rule.
    pub text: String,
    /// What came of it.
    pub proof: Proof,
    /// Whether it was ended before it came to an answer.
    pub is_cancelled: bool,
}

/// How far the prover is with a rule.
#[derive(Debug)]
pub enum Progress<'a> {
    /// It has not begun.
    Waiting,
    /// It is at work.
    Running,
    /// This came of it.
    Done(&'a Proof),
}

/// Verdicts, and what there is to prove.
pub struct Verdicts {
    options: Options,
    known: BTreeMap<String, Proof>,
    waiting: VecDeque<Job>,
    running: Option<Running>,
}

struct Job {
    rule: Rule,
    /// How long it may take.
    limit: Duration,
}

struct Running {
    text: String,
    cancel: Cancel,
}

/// How many verdicts are kept of texts that stand in no open file.
const KEPT: usize = 1000;

/// How many times longer a rule may take that somebody asks for.
const PATIENCE: u32 = 12;

impl Verdicts {
    /// Nothing is known yet. The limit of the options is for each rule, by the clock too.
    pub fn new(options: Options) -> Verdicts {
        Verdicts { options, known: BTreeMap::new(), waiting: VecDeque::new(), running: None }
    }

    /// How far the prover is with a rule.
    pub fn progress(&self, rule: &Rule) -> Progress<'_> {
        match self.known.get(&rule.text) {
            Some(proof) => Progress::Done(proof),
            None if self.is_running(&rule.text) => Progress::Running,
            None => Progress::Waiting,
        }
    }

    fn is_running(&self, text: &str) -> bool {
        self.running.as_ref().is_some_and(|running| running.text == text)
    }

    /// These rules stand in open files, and no others: what is not known of them is to be proved, in this order. Those whose text
    /// is among `asked` come first, and may take longer.
    pub fn want<'r>(&mut self, rules: impl Iterator<Item = &'r Rule>, asked: &[&str]) {
        let mut rules: Vec<&Rule> = rules.collect();
        let is_asked = |rule: &Rule| asked.contains(&rule.text.as_str());
        rules.sort_by_key(|rule| !is_asked(rule));
        let stands = |text: &str| rules.iter().any(|rule| rule.text == text);
        if let Some(running) = self.running.as_ref().filter(|running| !stands(&running.text)) {
            running.cancel.cancel();
        }
        if self.known.len() > KEPT + rules.len() {
            self.known.retain(|text, _| stands(text));
        }
        let unknown = rules.iter().filter(|rule| matches!(self.progress(rule), Progress::Waiting));
        let limit = |rule: &Rule| self.options.limit * if is_asked(rule) { PATIENCE } else { 1 };
        self.waiting = unknown.map(|&rule| Job { rule: rule.clone(), limit: limit(rule) }).collect();
    }

    /// Forgets what is known of a rule with this text, and ends its proof.
    pub fn forget(&mut self, text: &str) {
        self.known.remove(text);
        self.cancel(text);
    }

    /// Proves a rule next, if it waits: somebody looks at it.
    pub fn hurry(&mut self, rule: &Rule) {
        if let Some(at) = self.waiting.iter().position(|job| job.rule.text == rule.text) {
            let job = self.waiting.remove(at).expect("it was found");
            self.waiting.push_front(job);
        }
    }

    /// Ends the proof of a rule with this text, if it runs.
    pub fn cancel(&self, text: &str) {
        if let Some(running) = self.running.as_ref().filter(|running| running.text == text) {
            running.cancel.cancel();
        }
    }

    /// Whether a proof could begin.
    pub fn is_idle_with_work(&self) -> bool {
        self.running.is_none() && !self.waiting.is_empty()
    }

    /// Begins the next proof, if none runs; its end is told to `events`.
    pub fn start<E: From<Proved> + Send + 'static>(&mut self, events: &Sender<E>) {
        if self.running.is_some() {
            return;
        }
        let Some(Job { rule, limit }) = self.waiting.pop_front() else { return };
        let cancel = Cancel::default();
        let options = Options { limit, clock: Some(limit), cancel: cancel.clone(), ..self.options.clone() };
        self.running = Some(Running { text: rule.text.clone(), cancel: cancel.clone() });
        let events = events.clone();
        thread::spawn(move || {
            let proof = prove_one(&rule, &options);
            let proved = Proved { text: rule.text, proof, is_cancelled: cancel.is_cancelled() };
            // Whoever listened has gone when the client has.
            let _ = events.send(E::from(proved));
        });
    }

    /// Takes note of the end of a proof.
    pub fn ended(&mut self, Proved { text, proof, is_cancelled }: Proved) {
        if self.is_running(&text) {
            self.running = None;
        }
        if !is_cancelled {
            self.known.insert(text, proof);
        }
    }

    /// Ends all.
    pub fn stop(&mut self) {
        self.waiting.clear();
        if let Some(running) = &self.running {
            running.cancel.cancel();
        }
    }
}
