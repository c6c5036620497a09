//! A set of rules: several files read together, ready to be matched and judged.
//!
//! Reading gives the rules without errors and all errors of the rest. [`RuleSet::judge`] then looks at
//! rules together: cost and canonical order (`cost`), cycles
//! (`cycles`), shadowing (`shadow`, `tree`). In the project's own book each
//! of these is an error; in other files a cycle is, and a rule that contradicts another, and the rest are warnings.

use hashbrown::HashMap;
use planish_base::{Arena, Diagnostic, Diagnostics, Severity, SourceText, Span};
use planish_ops::{Op, table};
use rustc_hash::FxBuildHasher;

use crate::check;
use crate::cost::Verdict;
use crate::cycles;
use crate::interpret;
use crate::matching::{BUILD_LIMIT, Flow, Rewrite, Root, Subject};
use crate::rows::{Matrix, by_root};
use crate::rule::{NodeKind, Rule, RuleId};
use crate::shadow::{Decide, Shadow, Shadows, written_result};
use crate::tree::Decision;

/// How strictly a set is judged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Strictness {
    /// The project's own book: every objection is an error.
    Book,
    /// Any other file: a cycle and a rule that contradicts another are errors. One that is never reached does no harm.
    File,
}

/// Rules, and the decision tree of each root.
#[derive(Debug)]
pub struct RuleSet {
    /// The rules, file by file in the order of the files.
    pub rules: Arena<RuleId, Rule>,
    /// The files.
    pub files: Vec<SourceText>,
    /// The names of rules that are used though nobody proved them, for all that tells of a run. Reading proves nothing and
    /// asks for no proof: whoever does says what was found.
    pub unproved: Vec<String>,
    /// The tree of each root that has rules for the engines that keep one form.
    trees: Vec<Option<Decision>>,
    /// The tree of each root that has rules marked `explore`.
    explore: Vec<Option<Decision>>,
}

/// A diagnostic and the file that it speaks of.
pub type Finding = (usize, Diagnostic);

impl RuleSet {
    /// Reads files. The findings are errors of single rules; the set has the rules without errors.
    pub fn read(files: Vec<SourceText>) -> (RuleSet, Vec<Finding>) {
        let mut rules = Arena::new();
        let mut findings = Vec::new();
        let mut names = HashMap::<String, RuleId, FxBuildHasher>::default();
        for (index, file) in files.iter().enumerate() {
            let mut diagnostics = Diagnostics::new();
            let read = check::read(file, &mut diagnostics);
            for rule in read {
                if let Some(&first) = names.get(&rule.name) {
                    let first: &Rule = &rules[first];
                    if first.file != rule.file {
                        let message = format!("rule `{}` is already defined", rule.name);
                        let note = format!("the first one is in {}:{}", first.file, first.line);
                        diagnostics.push(Diagnostic::error(rule.name_span, message).note(note));
                    }
                    continue;
                }
                let name = rule.name.clone();
                names.insert(name, rules.push(rule));
            }
            findings.extend(diagnostics.into_iter().map(|d| (index, d)));
        }
        (RuleSet::new(rules, files), findings)
    }

    fn new(rules: Arena<RuleId, Rule>, files: Vec<SourceText>) -> RuleSet {
        let build = |explore: bool| {
            let mut trees: Vec<Option<Decision>> = table::ALL.iter().map(|_| None).collect();
            for (op, ids) in by_root(&rules) {
                let ids: Vec<RuleId> =
                    ids.into_iter().filter(|&id| rules[id].marks.explore == explore).collect();
                if !ids.is_empty() {
                    trees[op as usize] = Some(Decision::new(Matrix::new(op, &rules, &ids)));
                }
            }
            trees
        };
        let (trees, explore) = (build(false), build(true));
        RuleSet { rules, files, unproved: Vec::new(), trees, explore }
    }

    /// The set without the rules for which a condition does not hold.
    pub fn keeping(&self, mut holds: impl FnMut(&Rule) -> bool) -> RuleSet {
        let mut rules = Arena::new();
        for rule in self.rules.values().filter(|rule| holds(rule)) {
            rules.push(rule.clone());
        }
        let mut unproved = self.unproved.clone();
        unproved.retain(|name| rules.values().any(|rule| rule.name == *name));
        RuleSet { unproved, ..RuleSet::new(rules, self.files.clone()) }
    }

    /// The set without the rules that an error is about.
    fn without(&self, findings: &[Finding]) -> RuleSet {
        let is_wrong = |rule: &Rule| {
            let file = self.file_of(rule);
            findings.iter().any(|(of, found)| {
                *of == file && found.severity == Severity::Error && found.span == rule.name_span
            })
        };
        self.keeping(|rule| !is_wrong(rule))
    }

    /// The rules that can be used together, as `judge` judges them, and all that it says: one wrong rule does not stand in the
    /// way of the others. Of a cycle the rule goes that does not lower the order, so what is left comes to an end.
    pub fn usable(self, judge: impl Fn(&RuleSet) -> Vec<Finding>) -> (RuleSet, Vec<Finding>) {
        let (mut set, mut findings) = (self, Vec::new());
        // First of all, since a rule that goes shadows none.
        loop {
            let cycles = set.cycles();
            if cycles.is_empty() {
                break;
            }
            set = set.without(&cycles);
            findings.extend(cycles);
        }
        let of_others = judge(&set);
        let set = set.without(&of_others);
        findings.extend(of_others);
        (set, findings)
    }

    /// The rule with a name.
    pub fn named(&self, name: &str) -> Option<RuleId> {
        self.rules.iter().find(|(_, rule)| rule.name == name).map(|(id, _)| id)
    }

    /// The decision tree of a root: of its ordinary rules, or of those marked `explore`.
    pub fn decision(&self, op: Op, explore: bool) -> Option<&Decision> {
        if explore { self.explore[op as usize].as_ref() } else { self.trees[op as usize].as_ref() }
    }

    /// All decision trees, in the order of the table, ordinary ones first.
    pub fn decisions(&self) -> impl Iterator<Item = &Decision> {
        self.trees.iter().chain(&self.explore).flatten()
    }

    /// The decision trees of ordinary rules, or of those marked `explore`, in the order of the table.
    pub fn all_decisions(&self, explore: bool) -> impl Iterator<Item = &Decision> {
        if explore { self.explore.iter().flatten() } else { self.trees.iter().flatten() }
    }

    /// The first rewrite of a root, in the order in which rules are tried.
    pub fn simplify<S: Subject>(&self, s: &S, root: &Root<'_, S::Value>) -> Option<Rewrite<S::Value>> {
        let mut first = None;
        let _ = self.search(s, root, &mut |rewrite| {
            first = Some(rewrite);
            Flow::Break(())
        });
        first
    }

    /// Hands every rewrite of a root by an ordinary rule to `found`, until it says stop.
    pub fn search<S: Subject>(
        &self,
        s: &S,
        root: &Root<'_, S::Value>,
        found: &mut dyn FnMut(Rewrite<S::Value>) -> Flow,
    ) -> Flow {
        self.walk(false, s, root, found)
    }

    /// Hands every rewrite of a root by a rule marked `explore` to `found`, until it says stop.
    pub fn explore<S: Subject>(
        &self,
        s: &S,
        root: &Root<'_, S::Value>,
        found: &mut dyn FnMut(Rewrite<S::Value>) -> Flow,
    ) -> Flow {
        self.walk(true, s, root, found)
    }

    fn walk<S: Subject>(
        &self,
        explore: bool,
        s: &S,
        root: &Root<'_, S::Value>,
        found: &mut dyn FnMut(Rewrite<S::Value>) -> Flow,
    ) -> Flow {
        match self.decision(root.op, explore) {
            Some(decision) => interpret::search(s, &self.rules, decision, root, found),
            None => Flow::Continue(()),
        }
    }

    /// Judges the rules together. Whether checks follow from others by arithmetic is not asked.
    pub fn judge(&self, strictness: Strictness) -> Vec<Finding> {
        self.judge_deciding(strictness, &mut |_| false)
    }

    /// The same; `decide` says whether the steps of a general rule succeed wherever a special one applies.
    pub fn judge_deciding<'d>(&self, strictness: Strictness, decide: &'d mut Decide<'d>) -> Vec<Finding> {
        let severity = match strictness {
            Strictness::Book => Severity::Error,
            Strictness::File => Severity::Warning,
        };
        let mut findings = Vec::new();
        let mut reachable: Vec<RuleId> = self.decisions().flat_map(Decision::reachable).collect();
        reachable.sort();
        let mut shadows = Shadows { rules: &self.rules, decide };
        for (id, rule) in self.rules.iter() {
            let file = self.file_of(rule);
            let say = |message: String| match severity {
                Severity::Error => Diagnostic::error(rule.name_span, message),
                Severity::Warning => Diagnostic::warning(rule.name_span, message),
            };
            let built = rule
                .target_terms()
                .iter()
                .filter(|&&t| matches!(rule.terms[t].kind, NodeKind::Op(..)))
                .count();
            if built > BUILD_LIMIT {
                let message = format!(
                    "rule `{}` builds {built} operations, at most {BUILD_LIMIT} are allowed",
                    rule.name
                );
                findings.push((file, Diagnostic::error(rule.name_span, message)));
            }
            if let Some(objection) = Verdict::of(rule).objection(rule) {
                findings.push((file, say(format!("rule `{}` does not simplify", rule.name)).note(objection)));
            }
            let is_reached = reachable.binary_search(&id).is_ok();
            findings.extend(
                self.shadow_of(id, is_reached, severity, &mut shadows).map(|finding| (file, finding)),
            );
            if strictness == Strictness::Book {
                if rule.sorry.as_ref().is_some_and(String::is_empty) {
                    let message = format!("rule `{}` says SORRY_Z3 and gives no reason", rule.name);
                    findings.push((file, Diagnostic::error(rule.name_span, message)));
                }
                if rule.doc.is_empty() {
                    let message = format!("rule `{}` has no comment that says why it holds", rule.name);
                    findings.push((file, Diagnostic::error(rule.name_span, message)));
                }
            }
        }
        if strictness == Strictness::Book {
            for decision in self.decisions().filter(|d| d.is_factored()) {
                let first = decision.matrix.rows.values().next().expect("a matrix has rows").rule;
                let rule = &self.rules[first];
                let message = format!(
                    "the decision tree of `{}` asks too many questions to be written as Rust",
                    decision.matrix.op
                );
                findings.push((self.file_of(rule), Diagnostic::error(rule.name_span, message)));
            }
        }
        findings.extend(self.cycles());
        findings
    }

    /// An error for each cycle, about a rule of it that does not lower the order.
    fn cycles(&self) -> Vec<Finding> {
        let error = |cycle: cycles::Cycle| {
            let rule = &self.rules[cycle.rules[0]];
            let message = format!("rule `{}` is part of a rewrite cycle", rule.name);
            let error = Diagnostic::error(rule.name_span, message);
            (self.file_of(rule), cycle.steps.into_iter().fold(error, Diagnostic::note))
        };
        cycles::find(&self.rules).into_iter().map(error).collect()
    }

    /// What is wrong with a rule beside those that are tried before it, and beside more general ones. One that is never reached
    /// is as bad as the set is judged; one that contradicts another is an error.
    fn shadow_of(
        &self,
        id: RuleId,
        is_reached: bool,
        severity: Severity,
        shadows: &mut Shadows<'_, '_>,
    ) -> Option<Diagnostic> {
        let rule = &self.rules[id];
        let decision = self.decision(rule.root(), rule.marks.explore);
        let say = |severity: Severity, what: &str, note: String| {
            let message = format!("rule `{}` {what}", rule.name);
            let said = match severity {
                Severity::Error => Diagnostic::error(rule.name_span, message),
                Severity::Warning => Diagnostic::warning(rule.name_span, message),
            };
            Some(said.note(note))
        };
        let shadowed = |note: String| say(severity, "is shadowed", note);
        let named = |other: RuleId| {
            let other = &self.rules[other];
            format!("`{}` ({}:{})", other.name, other.file, other.line)
        };
        match decision.and_then(|decision| shadows.of(&decision.matrix, id)) {
            Some(Shadow::Dead(other)) => {
                shadowed(format!("{} is tried before it and applies wherever it would", named(other)))
            }
            Some(Shadow::Idle(other)) => {
                let results = [rule, &self.rules[other]].map(written_result);
                match results {
                    [Some(own), Some(general)] if own != general => say(
                        Severity::Error,
                        "contradicts a more general one",
                        format!("{} applies wherever it does, and gives another constant", named(other)),
                    ),
                    _ => shadowed(format!(
                        "{} applies wherever it does, and gives a constant as well",
                        named(other)
                    )),
                }
            }
            None if !is_reached => {
                shadowed("rules that are tried before it apply wherever it would".to_owned())
            }
            None => None,
        }
    }

    /// A piece of a rule as it is written.
    pub fn text(&self, id: RuleId, span: Span) -> &str {
        self.files[self.file_of(&self.rules[id])].slice(span)
    }

    fn file_of(&self, rule: &Rule) -> usize {
        self.files.iter().position(|f| f.name() == rule.file).expect("rules come from the files of their set")
    }

    /// Findings as text, each with its source line.
    pub fn render(&self, findings: &[Finding]) -> String {
        let shown: Vec<String> = findings.iter().map(|(file, d)| d.render(&self.files[*file])).collect();
        shown.join("\n\n")
    }
}
