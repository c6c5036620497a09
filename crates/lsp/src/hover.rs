//! What is said of what stands under the cursor.

use std::collections::BTreeSet;
use std::fmt::Write;

use lsp_types::{Hover, HoverContents, MarkupContent, MarkupKind};
use planish_domain::methods::{Kind, Method};
use planish_ops::Op;
use planish_ops::catalogue::signature;
use planish_rules::functions::{Function, FunctionTy};
use planish_rules::rule::{Rule, Ty, VarId, VarKind};
use planish_rules::show;

use crate::cursor::{KEYWORDS, MARKS, Thing, thing};
use crate::diagnostics::verdict;
use crate::document::Document;
use crate::lens;
use crate::verdicts::{Progress, Verdicts};

/// What is said at a place.
pub fn hover(document: &Document, byte: usize, verdicts: &Verdicts) -> Option<Hover> {
    let (thing, span) = thing(document, byte)?;
    let word = document.source.slice(span);
    let rule = document.head_at(byte).and_then(|head| document.rule_of(head));
    let text = match thing {
        Thing::Rule => {
            let (id, rule) = rule?;
            of_rule(&show::rule(&document.set, id), rule, document, verdicts)
        }
        Thing::Mark => of_mark(word),
        Thing::Operation(op) => of_operation(op),
        Thing::Function(function) => of_function(function),
        Thing::Method(method) => of_method(method),
        Thing::Keyword(name) => format!("`{name}`: {}", meaning(&KEYWORDS, name)?),
        Thing::Variable => {
            let (_, rule) = rule?;
            let (id, _) = rule.vars.iter().find(|(_, variable)| variable.name == word)?;
            of_variable(rule, id)
        }
        Thing::Type => of_type(document, rule.map(|(_, rule)| rule), word, span)?,
    };
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value: text });
    Some(Hover { contents, range: Some(document.range(span)) })
}

fn meaning(words: &[(&str, &'static str)], wanted: &str) -> Option<&'static str> {
    words.iter().find(|(name, _)| *name == wanted).map(|(_, meaning)| *meaning)
}

fn of_mark(word: &str) -> String {
    let said = meaning(&MARKS, word).unwrap_or("A tag that profiles select rules by.");
    format!("`{word}`: {said}")
}

/// Its verdict, why it holds, when it is tried, what it costs.
fn of_rule(shown: &str, rule: &Rule, document: &Document, verdicts: &Verdicts) -> String {
    let mut text = match verdicts.progress(rule) {
        Progress::Waiting => "not tried yet\n".to_owned(),
        Progress::Running => "proving ...\n".to_owned(),
        Progress::Done(proof) => {
            format!("**{}**\n```text\n{}\n```\n", lens::line(proof), verdict(document, rule, proof))
        }
    };
    if !rule.doc.is_empty() {
        let _ = writeln!(text, "\n{}\n", rule.doc);
    }
    // The head and the text of the rule are what the reader is looking at.
    let rest: Vec<&str> = shown.split("\n\n").skip(2).collect();
    let _ = write!(text, "```text\n{}\n```", rest.join("\n").trim());
    text
}

/// The signature of an operation, its columns and its meaning.
pub fn of_operation(op: Op) -> String {
    let row = op.row();
    let mut text = format!("```text\n{}\n```\n{}\n\ncost {}", signature(row), sentence(row.doc), row.cost);
    for (holds, word) in [(row.algebra.commutative, "commutative"), (row.algebra.associative, "associative")]
    {
        if holds {
            let _ = write!(text, ", {word}");
        }
    }
    if let Some(pypy) = row.pypy {
        let _ = write!(text, "; PyPy's `{pypy}`");
    }
    text
}

/// The signature of a question about facts, and what it answers.
pub fn of_method(method: &Method) -> String {
    let kind = |kind: &Kind| match kind {
        Kind::Bool => "truth",
        Kind::Word => "constant",
        Kind::Fact => "value",
    };
    let args: Vec<&str> = method.args.iter().map(kind).collect();
    let args = if method.attribute { String::new() } else { format!("({})", args.join(", ")) };
    let result = if method.result == Kind::Fact { "fact" } else { kind(&method.result) };
    format!("```text\nx.{}{args} -> {result}\n```\n{}", method.name, sentence(method.doc))
}

/// The signature of a function of constants, and what it computes.
pub fn of_function(function: &Function) -> String {
    let ty = |ty: &FunctionTy| match ty {
        FunctionTy::Word => "integer",
        FunctionTy::OtherWord => "integer of another width",
        FunctionTy::Float => "float",
        FunctionTy::Bool => "truth",
    };
    let args: Vec<&str> = function.args.iter().map(ty).collect();
    let guess = if function.is_guess() { " Checks have to certify it." } else { "" };
    let head = format!("{}({}) -> {}", function.name, args.join(", "), ty(&function.result));
    format!("```text\n{head}\n```\n{}{guess}", function.doc)
}

fn sentence(doc: &str) -> String {
    doc.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a variable stands for, of which types it may be, and which others are of its type.
fn of_variable(rule: &Rule, id: VarId) -> String {
    let variable = &rule.vars[id];
    let kind = match variable.kind {
        VarKind::Value => "any value",
        VarKind::Constant => "any constant",
        VarKind::Computed => "a constant that the rule computes",
        VarKind::Guessed => "a constant that the rule guesses",
        VarKind::Fact => "a fact that the rule computes",
        VarKind::Truth => "a truth value that the rule computes",
    };
    let alike: Vec<String> = (rule.vars.iter())
        .filter(|&(other, v)| other != id && v.ty == variable.ty && matches!(variable.ty, Ty::Var(_)))
        .map(|(_, v)| format!("`{}`", v.name))
        .collect();
    let alike =
        if alike.is_empty() { String::new() } else { format!("; of one type with {}", alike.join(", ")) };
    format!("`{}`: {kind}, {}{alike}", variable.name, types(rule, variable.ty))
}

/// Of which types something may be.
fn types(rule: &Rule, ty: Ty) -> String {
    let var = match ty {
        Ty::Known(ty) => return ty.to_string(),
        Ty::Var(var) => var,
    };
    if rule.scales {
        return "an integer of any width".to_owned();
    }
    let index = rule.types.iter().position(|(id, _)| id == var).unwrap_or_default();
    let all: BTreeSet<_> = rule.assignments().map(|types| types[index]).collect();
    all.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
}

/// What a type's name stands for: the types of the term before it.
fn of_type(document: &Document, rule: Option<&Rule>, word: &str, span: planish_base::Span) -> Option<String> {
    if word.parse::<planish_ops::Type>().is_ok() {
        return Some(format!("`{word}`: this type alone"));
    }
    let rule = rule?;
    let before =
        document.text()[..span.start as usize].trim_end().trim_end_matches(':').trim_end().len() as u32;
    let node = rule.terms.values().filter(|node| node.span.start < before && node.span.end >= before);
    let node = node.min_by_key(|node| node.span.end - node.span.start)?;
    Some(format!("`{word}`: {}", types(rule, node.ty)))
}
