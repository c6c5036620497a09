//! The rule book: the files of `rules/`, and the Rust that is generated from them.
//!
//! - [`search`] and [`explore`] are the generated matchers; [`simplify`] gives the first rewrite.
//! - [`RULES`] names every rule by its number; [`set`] is the book as the rule compiler sees it, for
//!   everything that wants the text: documentation, statistics, proofs, and the in-memory matcher.
//!
//! The generated files are committed and readable. A test of the `rules` crate fails when they are stale;
//! `PLANISH_BLESS=1 cargo test -p planish-rules --test committed` renews them.

use std::sync::OnceLock;

use planish_base::{Id, SourceText};
use planish_rules::info::Selection;
use planish_rules::matching::{Flow, Rewrite, Root, Subject};
use planish_rules::{RuleId, RuleSet};

#[expect(clippy::too_many_arguments, reason = "a part of a decision tree takes all that it looks at")]
#[expect(clippy::collapsible_if, clippy::collapsible_match, reason = "one line, one question")]
#[rustfmt::skip]
#[allow(clippy::int_plus_one, reason = "what dies, added up, is held against what is made")]
mod generated;

/// The ledger of proofs, as text: what is proved of the book and of the theorems it rests on.
pub const LEDGER: &str = include_str!("../../../rules.lock");

/// The pairs of rules that are known not to join, each with the reason why that is accepted.
pub const ACCEPTED: &str = include_str!("../../../rules/accepted.pairs");

pub use generated::names::RULES;
pub use generated::text::FILES;
pub use generated::{explore, search};

/// The first rewrite of a root, in the order in which rules are tried.
#[inline]
pub fn simplify<S: Subject>(s: &S, root: &Root<'_, S::Value>) -> Option<Rewrite<S::Value>> {
    let mut first = None;
    let _ = search(s, root, &mut |rewrite| {
        first = Some(rewrite);
        Flow::Break(())
    });
    first
}

/// The name of a rule.
pub fn name(rule: RuleId) -> &'static str {
    RULES[rule.index()].name
}

/// The book as the rule compiler sees it. Its rules have the numbers of [`RULES`].
pub fn set() -> &'static RuleSet {
    static SET: OnceLock<RuleSet> = OnceLock::new();
    SET.get_or_init(|| {
        let files = FILES.iter().map(|&(name, text)| SourceText::new(name, text)).collect();
        let (set, findings) = RuleSet::read(files);
        assert!(findings.is_empty(), "the book has errors:\n{}", set.render(&findings));
        set
    })
}

/// The first rewrite of a root by a rule of a selection.
#[inline]
pub fn simplify_with<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    selection: &Selection,
) -> Option<Rewrite<S::Value>> {
    let mut first = None;
    let _ = search(s, root, &mut |rewrite| {
        if !selection.contains(rewrite.rule) {
            return Flow::Continue(());
        }
        first = Some(rewrite);
        Flow::Break(())
    });
    first
}

/// The rules of the book with a tag.
pub fn tagged(tag: &str) -> Selection {
    Selection::of(RULES.len(), |rule| RULES[rule.index()].tags.contains(&tag))
}

/// The rules of the book without a tag.
pub fn without(tag: &str) -> Selection {
    Selection::of(RULES.len(), |rule| !RULES[rule.index()].tags.contains(&tag))
}
