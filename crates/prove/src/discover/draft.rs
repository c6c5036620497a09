//! A rule as text, with lines put in and names changed.
//!
//! What is found is shown as text to paste, so candidates are texts from the beginning, and one that cannot be read, because
//! types or literals do not fit, is none.

use std::ops::Range;

use planish_base::{Diagnostics, SourceText};
use planish_rules::lexer::{self, Kind};
use planish_rules::{Rule, check};

/// The text of one rule.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Draft(String);

/// A token: its text and where it stands.
pub struct Word {
    /// As written.
    pub text: String,
    /// Its bytes.
    pub at: Range<usize>,
    /// Whether it is a name.
    pub is_name: bool,
    /// Whether it stands behind the arrow.
    pub in_target: bool,
}

impl Draft {
    /// A text, which should be one rule.
    pub fn new(text: &str) -> Draft {
        Draft(format!("{}\n", text.trim_end()))
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.0
    }

    /// The rule; or what is wrong with it, rendered.
    pub fn read(&self) -> Result<Rule, String> {
        let source = SourceText::new("rule", self.0.as_str());
        let mut diagnostics = Diagnostics::new();
        let mut rules = check::read(&source, &mut diagnostics);
        match rules.pop() {
            Some(rule) if rules.is_empty() && !diagnostics.has_errors() => Ok(rule),
            _ => Err(diagnostics.render(&source)),
        }
    }

    /// All tokens, in order.
    pub fn words(&self) -> Vec<Word> {
        let source = SourceText::new("rule", self.0.as_str());
        let mut in_target = false;
        let tokens = lexer::lines(&source, &mut Diagnostics::new()).into_iter().flat_map(|line| line.tokens);
        tokens
            .map(|token| {
                let text = source.slice(token.span).to_owned();
                let at = token.span.start as usize..token.span.end as usize;
                let word = Word { is_name: token.kind == Kind::Name, in_target, at, text };
                in_target |= word.text == "=>";
                word
            })
            .collect()
    }

    /// The same with other text at some places, which do not overlap.
    pub fn replaced(&self, mut places: Vec<(Range<usize>, String)>) -> Draft {
        places.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
        let mut text = self.0.clone();
        for (range, with) in places {
            text.replace_range(range, &with);
        }
        Draft(text)
    }

    /// The same with another name in place of one.
    pub fn renamed(&self, name: &str, with: &str) -> Draft {
        let uses = self.words().into_iter().filter(|word| word.is_name && word.text == name);
        self.replaced(uses.map(|word| (word.at, with.to_owned())).collect())
    }

    /// The same with a line in front of its target.
    pub fn with_line(&self, line: &str) -> Draft {
        let Some(arrow) = self.words().into_iter().find(|word| word.text == "=>") else {
            return self.clone();
        };
        let (before, after) = self.0.split_at(arrow.at.start);
        Draft(format!("{}\n    {line}\n    {after}", before.trim_end()))
    }

    /// The same without the line of a step, by a place in it.
    pub fn without_line(&self, place: usize) -> Draft {
        let start = self.0[..place].rfind('\n').map_or(0, |at| at + 1);
        let end = self.0[place..].find('\n').map_or(self.0.len(), |at| place + at + 1);
        Draft(format!("{}{}", &self.0[..start], &self.0[end..]))
    }

    /// A name of this beginning that does not stand in the rule.
    pub fn free_name(&self, beginning: &str) -> String {
        let names: Vec<String> =
            self.words().into_iter().filter(|word| word.is_name).map(|word| word.text).collect();
        let numbered = (2..).map(|number: u32| format!("{beginning}{number}"));
        let mut all = std::iter::once(beginning.to_owned()).chain(numbered);
        all.find(|name| !names.contains(name)).expect("there is no end of names")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_names_are_changed_and_comments_are_not() {
        let draft = Draft::new("a: add(x, C)  # x => C\n    check C == 0\n    => x");
        assert_eq!(draft.renamed("C", "C1").text(), "a: add(x, C1)  # x => C\n    check C1 == 0\n    => x\n");
        assert_eq!(
            draft.with_line("check C != 1").text(),
            "a: add(x, C)  # x => C\n    check C == 0\n    check C != 1\n    => x\n"
        );
        assert_eq!(draft.without_line(30).text(), "a: add(x, C)  # x => C\n    => x\n");
        let short = Draft::new("a: add(x, 0) => x");
        assert_eq!(short.with_line("D = 1").text(), "a: add(x, 0)\n    D = 1\n    => x\n");
        assert_eq!((draft.free_name("C"), draft.free_name("D")), ("C2".to_owned(), "D".to_owned()));
        assert!(short.read().is_ok() && Draft::new("a: add(x) => x").read().is_err());
    }
}
