//! From the harvest to rules: the most frequent windows are searched, and what is found is made a rule, one after the other.
//!
//! A window is searched with constants of any value first, then with the numbers that are most frequent in it. A candidate has to
//! lower the order that all rules lower, to leave less of its window than the book and the rules found before it, and to be proved
//! at all widths; then it is made as general as it can be.

use std::sync::Arc;

use planish_base::{Severity, SourceText};
use planish_driver::Settings;
use planish_ops::Int;
use planish_prove::discover::{self, Draft};
use planish_prove::prover::prove_one;
use planish_prove::rule::Verdict;
use planish_prove::{Options, parallel};
use planish_rules::cost;
use planish_rules::exhaust::exhaust;
use planish_rules::set::Strictness;
use planish_rules::{Rule, RuleSet};

use crate::fit;
use crate::harvest::{Corpus, Seen};
use crate::pattern::{self, Types};
use crate::search::{Hit, cheaper};
use crate::sift::{Remains, remains};
use crate::term::Term;

/// With how many choices of its numbers a window is searched, and of how many rules for these numbers alone are looked for.
const CHOICES: usize = 8;
const NARROW: usize = 2;

/// How many candidates of a window are proved.
const PROOFS: usize = 2;

/// The widths and the number of inputs with which a candidate is tried before the engine and a solver see it.
const TRIAL_WIDTHS: [u32; 4] = [1, 2, 3, 4];
const TRIAL_INPUTS: u64 = 1500;

/// What is searched.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// So many windows, the most frequent first; and so many whose values are known to be small.
    pub top: usize,
    /// Windows that stand at fewer places are none.
    pub least: u64,
}

/// A rule that was found.
#[derive(Clone, Debug)]
pub struct Mined {
    /// Its name.
    pub name: String,
    /// Its text.
    pub draft: Draft,
    /// The window in which it was found, with numbers, and what is known of its values.
    pub window: String,
    /// What was seen of the window.
    pub seen: Seen,
    /// What is left of the window without and with the rule.
    pub left: [Remains; 2],
}

/// What came of a search.
#[derive(Clone, Default, Debug)]
pub struct Found {
    /// The rules.
    pub rules: Vec<Mined>,
    /// How many windows were searched.
    pub searched: usize,
    /// Of how many something cheaper was found.
    pub cheaper: usize,
    /// How many candidates follow from the book, or from a rule that was found.
    pub following: usize,
    /// Candidates without a proof.
    pub unproved: Vec<String>,
}

/// A window with candidates.
struct Searched {
    /// What it computes, for constants of any value.
    term: Term,
    seen: Seen,
    /// Numbers that its constants are.
    numbers: Vec<i64>,
    /// Whether the candidates are for these numbers alone.
    of_numbers: bool,
    hits: Vec<Hit>,
}

impl Searched {
    fn types(&self) -> Types {
        if self.term.converts() { Types::Written } else { Types::Left }
    }

    /// Whether its values may be any.
    fn is_of_any(&self) -> bool {
        self.term.bits.is_empty()
    }

    /// The numbers as words.
    fn words(&self) -> Vec<Int> {
        words(&self.term, &self.numbers)
    }

    /// The term that the candidates are equal to.
    fn source(&self) -> Term {
        if self.of_numbers { self.term.with_numbers(&self.words()) } else { self.term.clone() }
    }
}

/// Searches the most frequent windows of a corpus. The settings are those with which it was optimized; `taken` says which names are taken; `progress` is told what is done.
pub fn find(
    corpus: &Corpus,
    limits: Limits,
    settings: &Settings,
    options: &Options,
    taken: &dyn Fn(&str) -> bool,
    progress: &dyn Fn(&str),
) -> Found {
    let windows = frequent(corpus, limits);
    let searched =
        parallel::map(&windows, options.threads, |(term, seen)| search(term, seen), &mut |done, _, _| {
            if done % 100 == 0 {
                progress(&format!("searched {done} of {} windows", windows.len()));
            }
        });
    let mut found = Found { searched: windows.len(), ..Found::default() };
    let mut mine = Mine { settings, options, taken, rules: None, found: &mut found };
    for (index, choices) in searched.iter().enumerate() {
        mine.found.cheaper += usize::from(!choices.is_empty());
        for window in choices {
            let before = mine.found.rules.len();
            mine.look_into(window);
            if let Some(rule) = mine.found.rules.get(before) {
                progress(&format!("window {} of {}: {}", index + 1, searched.len(), rule.name));
            }
        }
    }
    found
}

/// The windows that are searched, those of any values first: what holds for any holds for small ones. Those that cost as little as
/// can be are none: nothing is cheaper.
fn frequent(corpus: &Corpus, limits: Limits) -> Vec<(Term, Seen)> {
    let mut windows: Vec<(&Term, &Seen)> = corpus
        .windows
        .iter()
        .filter(|(term, seen)| is_searched(term) && seen.at.count >= limits.least)
        .collect();
    // What holds of a part is found before the whole, which then follows from it.
    windows.sort_by_key(|(term, seen)| (std::cmp::Reverse(seen.at.weight), term.ops().count(), *term));
    let (any, small): (Vec<_>, Vec<_>) = windows.into_iter().partition(|(term, _)| term.bits.is_empty());
    let chosen = any.into_iter().take(limits.top).chain(small.into_iter().take(limits.top));
    chosen.map(|(term, seen)| (term.clone(), seen.clone())).collect()
}

/// Whether something may be cheaper: one operation on any values is as simple as can be.
fn is_searched(term: &Term) -> bool {
    term.ops().count() > 1 || !term.bits.is_empty()
}

/// The candidates of a window: for constants of any value, then for some of its numbers.
fn search(term: &Term, seen: &Seen) -> Vec<Searched> {
    let choices = choices(seen);
    let numbers = choices.first().cloned().unwrap_or_default();
    let searched = |numbers: &[i64], of_numbers: bool, hits: Vec<Hit>| Searched {
        term: term.clone(),
        seen: seen.clone(),
        numbers: numbers.to_vec(),
        of_numbers,
        hits,
    };
    // Which constants are small beside small values is not known, so those are found that do for the numbers of the window.
    let is_open = numbers.is_empty() || term.bits.is_empty();
    let mut of_any = if is_open { hits(term) } else { Vec::new() };
    if numbers.is_empty() {
        return if of_any.is_empty() { Vec::new() } else { vec![searched(&numbers, false, of_any)] };
    }
    let found: Vec<(Vec<Int>, Vec<Hit>)> = (choices.iter())
        .map(|numbers| (words(term, numbers), hits(&term.with_numbers(&words(term, numbers)))))
        .collect();
    let types = if term.converts() { Types::Written } else { Types::Left };
    of_any.extend(fit::fitted(term, types, &found));
    if let (false, Some((_, hits))) = (is_open, found.first()) {
        of_any.extend(hits.iter().filter(|hit| !fit::has_numbers(&hit.target)).cloned());
    }
    let of_any = (numbers, false, of_any);
    let of_numbers =
        choices.into_iter().zip(found).map(|(numbers, (_, hits))| (numbers, true, hits)).take(NARROW);
    let all = std::iter::once(of_any).chain(of_numbers).filter(|(.., hits)| !hits.is_empty());
    all.map(|(numbers, of_numbers, hits)| searched(&numbers, of_numbers, hits)).collect()
}

/// Numbers with which a window is searched: the most frequent ones, and others evenly.
fn choices(seen: &Seen) -> Vec<Vec<i64>> {
    let frequent: Vec<Vec<i64>> =
        seen.frequent_numbers().into_iter().map(|(numbers, _)| numbers.clone()).collect();
    let step = frequent.len().div_ceil(CHOICES).max(1);
    frequent.into_iter().filter(|numbers| !numbers.is_empty()).step_by(step).collect()
}

/// What is cheaper, the cheapest first.
fn hits(term: &Term) -> Vec<Hit> {
    let types = if term.converts() { Types::Written } else { Types::Left };
    let mut hits = cheaper(term, types);
    hits.sort_by_key(|hit| (hit.cost, hit.steps.len(), hit.target.len()));
    hits
}

/// Numbers as constants of a term.
fn words(term: &Term, numbers: &[i64]) -> Vec<Int> {
    let types = term.constant_types();
    numbers
        .iter()
        .zip(types)
        .map(|(&number, ty)| Int::new(ty.int_width().unwrap_or(64), number as u64))
        .collect()
}

struct Mine<'a> {
    settings: &'a Settings,
    options: &'a Options,
    taken: &'a dyn Fn(&str) -> bool,
    rules: Option<Arc<RuleSet>>,
    found: &'a mut Found,
}

impl Mine<'_> {
    /// Makes a rule of the first candidate of a window that is one.
    fn look_into(&mut self, window: &Searched) {
        let Some(before) = remains(&window.term, &window.words(), self.settings, self.rules.as_ref()) else {
            return;
        };
        let source = window.source();
        let mut proofs = 0;
        for hit in &window.hits {
            let Some((draft, rule)) = self.candidate(&source, window.types(), hit) else { continue };
            if self.with(&draft, window, before).is_none() {
                self.found.following += 1;
                continue;
            }
            if proofs == PROOFS || window.of_numbers && window.is_of_any() && !is_right(&rule) {
                continue;
            }
            proofs += 1;
            let Some(general) = self.proved(&draft, &rule, window, before) else {
                self.found.unproved.push(draft.text().to_owned());
                continue;
            };
            let Some((rules, after)) = self.with(&general, window, before) else { continue };
            self.rules = Some(rules);
            self.found.rules.push(Mined {
                name: general.words()[0].text.clone(),
                window: pattern::window(&window.term.with_numbers(&window.words()), window.types()),
                draft: general,
                seen: window.seen.clone(),
                left: [before, after],
            });
            return;
        }
    }

    /// The most general form of a candidate that is proved; one for constants of any value perhaps under a condition.
    fn proved(&self, draft: &Draft, rule: &Rule, window: &Searched, before: Remains) -> Option<Draft> {
        let is_one = |general: &Draft| {
            let simplifies =
                general.read().is_ok_and(|rule| cost::Verdict::of(&rule).objection(&rule).is_none());
            simplifies && self.with(general, window, before).is_some()
        };
        let made_general = |draft: Draft| {
            let general = discover::generalize::more_general(&draft, self.options).1;
            if is_one(&general) { general } else { draft }
        };
        if is_right(rule) && prove_one(rule, self.options).verdict == Verdict::Proved {
            return Some(made_general(draft.clone()));
        }
        if !window.is_of_any() {
            let holds = |under: &Draft| {
                under.read().is_ok_and(|rule| {
                    is_right(&rule) && prove_one(&rule, self.options).verdict == Verdict::Proved
                })
            };
            let checks = pattern::checks(&window.source()).into_iter();
            let under =
                checks.map(|check| draft.with_line(&check)).find(|under| holds(under) && is_one(under));
            return under.map(made_general);
        }
        if window.of_numbers {
            return None;
        }
        discover::condition(draft, self.options).map(|under| under.draft).filter(is_one)
    }

    /// A candidate as a rule that lowers the order of rules and saves something.
    fn candidate(&self, term: &Term, types: Types, hit: &Hit) -> Option<(Draft, Rule)> {
        let name = self.free_name(&pattern::name(term, &hit.target));
        let steps: String =
            hit.steps.iter().map(|(name, expression)| format!("    {name} = {expression}\n")).collect();
        let written = |mark: &str| {
            let text =
                format!("{name}{mark}: {}\n{steps}    => {}", pattern::pattern(term, types), hit.target);
            let draft = Draft::new(&text);
            let rule = draft.read().ok()?;
            let verdict = cost::Verdict::of(&rule);
            (verdict.target < verdict.all && verdict.objection(&rule).is_none()).then_some((draft, rule))
        };
        written("").or_else(|| written(" [pays]"))
    }

    fn free_name(&self, name: &str) -> String {
        let is_free =
            |name: &String| !(self.taken)(name) && self.found.rules.iter().all(|rule| rule.name != *name);
        let numbered = (2..).map(|number: u32| format!("{name}_{number}"));
        std::iter::once(name.to_owned()).chain(numbered).find(is_free).expect("there is no end of names")
    }

    /// The rules with one more, and what they leave of a window, if that is less than before.
    fn with(&self, draft: &Draft, window: &Searched, before: Remains) -> Option<(Arc<RuleSet>, Remains)> {
        let texts = self.found.rules.iter().map(|rule| &rule.draft).chain([draft]);
        let text: String = texts.map(|draft| format!("{}\n", draft.text())).collect();
        let (set, mut findings) = RuleSet::read(vec![SourceText::new("mined.rules", text.as_str())]);
        findings.extend(set.judge(Strictness::File));
        if findings.iter().any(|(_, finding)| finding.severity == Severity::Error) {
            return None;
        }
        let set = Arc::new(set);
        let after = remains(&window.term, &window.words(), self.settings, Some(&set))?;
        after.is_better_than(before).then_some((set, after))
    }
}

/// Whether a rule holds on all inputs of small widths and on samples of wide ones.
fn is_right(rule: &Rule) -> bool {
    exhaust(rule, &TRIAL_WIDTHS, TRIAL_INPUTS).wrong.is_none()
        && discover::examples::examples(rule).iter().all(|example| example.holds != Some(false))
}
