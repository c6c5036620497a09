//! What a reader of a generated matcher wants to know of a rule without its text, and selections of
//! rules by tag.

use planish_base::Id;
use planish_ops::Op;

use crate::rule::{Rule, RuleId};

/// A rule of a compiled book.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleInfo {
    /// Its name.
    pub name: &'static str,
    /// The file it stands in.
    pub file: &'static str,
    /// The line of its name, counted from 1.
    pub line: u32,
    /// The operation at the root of its pattern.
    pub root: Op,
    /// Whether it is for the e-graph engine only.
    pub explore: bool,
    /// Whether it fires only where enough operations die.
    pub pays: bool,
    /// Tags of profiles.
    pub tags: &'static [&'static str],
}

/// The rules that are in force. A matcher hands out rewrites of all rules; who runs it asks here, and
/// goes on to the next where the answer is no.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Selection {
    /// One bit a rule, 64 in a word. Rules beyond the end are in force.
    words: Vec<u64>,
}

impl Selection {
    /// All rules.
    pub const ALL: Selection = Selection { words: Vec::new() };

    /// The rules for which a condition holds, of `count` rules.
    pub fn of(count: usize, mut holds: impl FnMut(RuleId) -> bool) -> Selection {
        let mut words = vec![u64::MAX; count.div_ceil(64)];
        for index in 0..count {
            if !holds(RuleId::from_index(index)) {
                words[index / 64] &= !(1 << (index % 64));
            }
        }
        Selection { words }
    }

    /// The rules with a tag.
    pub fn tagged<'a>(rules: impl ExactSizeIterator<Item = &'a Rule>, tag: &str) -> Selection {
        let tagged: Vec<bool> = rules.map(|rule| rule.marks.tags.iter().any(|t| t == tag)).collect();
        Selection::of(tagged.len(), |id| tagged[id.index()])
    }

    /// Whether a rule is in force.
    #[inline]
    pub fn contains(&self, rule: RuleId) -> bool {
        let index = rule.index();
        self.words.get(index / 64).is_none_or(|word| word >> (index % 64) & 1 == 1)
    }
}
