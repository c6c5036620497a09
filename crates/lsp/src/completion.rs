//! What may stand at a place: operations, methods, functions, variables, marks, types.

use lsp_types::{CompletionItem, CompletionItemKind, Documentation, MarkupContent, MarkupKind};
use planish_base::Span;
use planish_domain::methods::METHODS;
use planish_ops::catalogue::signature;
use planish_ops::table;
use planish_rules::check::has_meaning;
use planish_rules::functions::FUNCTIONS;
use planish_rules::lexer::Kind;
use planish_rules::speaks::WIDTHS;

use crate::cursor::{KEYWORDS, MARKS, Part, part_at};
use crate::document::Document;
use crate::hover;

/// Words that stand in expressions only, in terms only, or where a line begins.
const IN_EXPRESSIONS: [&str; 9] = ["LONG_BIT", "MININT", "MAXINT", "inf", "nan", "and", "or", "not", "width"];
const IN_TERMS: [&str; 7] = ["LONG_BIT", "MININT", "MAXINT", "inf", "nan", "pass", "fail"];
const AT_START: [&str; 2] = ["check", "SORRY_Z3"];

/// What may stand at a place. Clients choose among it by what is written already.
pub fn completion(document: &Document, byte: usize) -> Vec<CompletionItem> {
    match part_at(document, byte) {
        Part::Name | Part::Text => Vec::new(),
        Part::Marks => MARKS.iter().map(|&(name, said)| word(name, said)).collect(),
        Part::Member => methods(),
        Part::Type => types(),
        Part::Start => {
            let target = CompletionItem { label: "=>".to_owned(), ..word("=>", "What the pattern becomes.") };
            keywords(&AT_START).chain([target]).collect()
        }
        Part::Term => operations().chain(variables(document, byte)).chain(keywords(&IN_TERMS)).collect(),
        Part::Expression => {
            functions().chain(variables(document, byte)).chain(keywords(&IN_EXPRESSIONS)).collect()
        }
    }
}

fn operations() -> impl Iterator<Item = CompletionItem> {
    (table::ALL.iter()).filter(|&&op| has_meaning(op)).map(|&op| CompletionItem {
        label: op.name().to_owned(),
        kind: Some(CompletionItemKind::FUNCTION),
        detail: Some(signature(op.row())),
        documentation: Some(markdown(hover::of_operation(op))),
        ..CompletionItem::default()
    })
}

fn methods() -> Vec<CompletionItem> {
    let of = |method: &planish_domain::methods::Method| CompletionItem {
        label: method.name.to_owned(),
        kind: Some(if method.attribute { CompletionItemKind::PROPERTY } else { CompletionItemKind::METHOD }),
        documentation: Some(markdown(hover::of_method(method))),
        ..CompletionItem::default()
    };
    METHODS.iter().map(of).collect()
}

fn functions() -> impl Iterator<Item = CompletionItem> {
    FUNCTIONS.iter().map(|function| CompletionItem {
        label: function.name.to_owned(),
        kind: Some(CompletionItemKind::FUNCTION),
        documentation: Some(markdown(hover::of_function(function))),
        ..CompletionItem::default()
    })
}

/// The names that stand in the rule around a place, the one that is being written aside.
fn variables(document: &Document, byte: usize) -> Vec<CompletionItem> {
    let Some(head) = document.head_at(byte) else { return Vec::new() };
    let is_inside = |span: Span| span.start >= head.name.end && span.end <= head.end;
    let mut names: Vec<&str> = Vec::new();
    for line in &document.lines {
        for (index, token) in line.tokens.iter().enumerate() {
            let is = |at: Option<usize>, symbol: &'static str| {
                at.and_then(|at| line.tokens.get(at)).is_some_and(|t| t.kind == Kind::Symbol(symbol))
            };
            let is_written = (token.span.start as usize..=token.span.end as usize).contains(&byte);
            let is_name = token.kind == Kind::Name && is_inside(token.span) && !is_written;
            let (before, after) = (index.checked_sub(1), Some(index + 1));
            let stands_for_value =
                !is(after, "(") && !is(before, ".") && !is(before, ":") && !is(before, "[");
            let name = document.source.slice(token.span);
            let is_word = KEYWORDS.iter().any(|(word, _)| *word == name);
            if is_name && stands_for_value && !is_word && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    let of = |name: &str| CompletionItem {
        label: name.to_owned(),
        kind: Some(CompletionItemKind::VARIABLE),
        ..CompletionItem::default()
    };
    names.into_iter().map(of).collect()
}

fn types() -> Vec<CompletionItem> {
    let names = WIDTHS.iter().map(|width| format!("i{width}")).chain(["f32", "f64"].map(str::to_owned));
    let of = |label: String| CompletionItem {
        label,
        kind: Some(CompletionItemKind::TYPE_PARAMETER),
        ..CompletionItem::default()
    };
    names.map(of).collect()
}

fn keywords<'a>(wanted: &'a [&str]) -> impl Iterator<Item = CompletionItem> + 'a {
    KEYWORDS.iter().filter(|(name, _)| wanted.contains(name)).map(|&(name, said)| word(name, said))
}

fn word(name: &str, said: &str) -> CompletionItem {
    CompletionItem {
        label: name.to_owned(),
        kind: Some(CompletionItemKind::KEYWORD),
        documentation: Some(markdown(said.to_owned())),
        ..CompletionItem::default()
    }
}

fn markdown(value: String) -> Documentation {
    Documentation::MarkupContent(MarkupContent { kind: MarkupKind::Markdown, value })
}
