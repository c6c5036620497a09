//! An open file of rules: what it says, and what is wrong with it.

use planish_base::{Diagnostics, SourceText, Span};
use planish_rules::lexer::{self, Kind, Line};
use planish_rules::rule::{Rule, RuleId};
use planish_rules::set::{Finding, RuleSet, Strictness};

use crate::place::{Encoding, Places};

/// The first line of a rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Head {
    /// Where the name stands.
    pub name: Span,
    /// Where the next rule begins, or the text ends.
    pub end: u32,
}

/// An open file.
#[derive(Debug)]
pub struct Document {
    /// The client's number of this text.
    pub version: i32,
    /// The text.
    pub source: SourceText,
    /// Where its lines begin.
    pub places: Places,
    /// Its tokens, line by line.
    pub lines: Vec<Line>,
    /// Its rules: those without errors.
    pub set: RuleSet,
    /// What is wrong.
    pub findings: Vec<Finding>,
    /// The first lines of all rules, those with errors included.
    pub heads: Vec<Head>,
}

impl Document {
    /// Reads a text as `planish rules check` does.
    pub fn new(name: &str, version: i32, text: &str, encoding: Encoding) -> Document {
        let source = SourceText::new(name, text);
        let places = Places::new(source.text(), encoding);
        // What does not lex is among the findings already.
        let lines = lexer::lines(&source, &mut Diagnostics::new());
        let (set, mut findings) = RuleSet::read(vec![source.clone()]);
        findings.extend(planish_prove::shadow::judge(&set, Strictness::File));
        let heads = heads(&lines, source.text().len());
        Document { version, source, places, lines, set, findings, heads }
    }

    /// The text.
    pub fn text(&self) -> &str {
        self.source.text()
    }

    /// The rule around a byte.
    pub fn head_at(&self, byte: usize) -> Option<Head> {
        self.heads
            .iter()
            .copied()
            .find(|head| (head.name.start as usize..head.end as usize + 1).contains(&byte))
    }

    /// The rule that a first line begins, if it has no errors.
    pub fn rule_of(&self, head: Head) -> Option<(RuleId, &Rule)> {
        self.set.rules.iter().find(|(_, rule)| rule.name_span == head.name)
    }

    /// The positions of a span.
    pub fn range(&self, span: Span) -> lsp_types::Range {
        self.places.span(self.text(), span)
    }
}

fn heads(lines: &[Line], end: usize) -> Vec<Head> {
    let names = lines.iter().filter(|line| line.margin).filter_map(|line| line.tokens.first());
    let names: Vec<Span> = names.filter(|token| token.kind == Kind::Name).map(|token| token.span).collect();
    let ends = names.iter().skip(1).map(|next| next.start).chain([end as u32]);
    names.iter().zip(ends).map(|(&name, end)| Head { name, end }).collect()
}
