//! Rule files that are nearly right, through what reads them: the checker, the prover, the search for better rules and the language
//! server (mutation-based fuzzing: Miller, Fredriksen and So, "An empirical study of the reliability of UNIX utilities",
//! CACM 1990).
//!
//! A piece of the book is changed in a few bytes, tokens or lines, as a slip of the hand does it, or nested deeper than anybody
//! nests. Whatever comes of it, nothing panics or stays in a loop, and an error names line, column and the text at fault.

use std::num::NonZeroUsize;
use std::panic::{catch_unwind, resume_unwind};
use std::time::Duration;

use arbitrary::{Result, Unstructured};
use planish_base::{Diagnostics, SourceText};
use planish_book as book;
use planish_lsp::completion::completion;
use planish_lsp::definition::definition;
use planish_lsp::diagnostics::diagnostics;
use planish_lsp::document::Document;
use planish_lsp::hover::hover;
use planish_lsp::lens::lenses;
use planish_lsp::place::Encoding;
use planish_lsp::verdicts::Verdicts;
use planish_prove::discover::{self, Draft};
use planish_prove::prover::prove_one;
use planish_prove::{Engine, Options, shadow};
use planish_rules::lexer::{self, Line};
use planish_rules::set::{Finding, Strictness};
use planish_rules::{Rule, RuleSet};

/// How much the prover may do for a rule.
const PROOF: Duration = Duration::from_millis(20);

/// How many rules of a file are looked into.
const RULES: usize = 2;

/// Numbers in no order (xorshift64*).
fn data(seed: u64) -> Vec<u8> {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        state.wrapping_mul(0x2545_f491_4f6c_dd1d).to_be_bytes()
    };
    (0..64).flat_map(|_| next()).collect()
}

fn from_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok().map(|text| text.parse().expect("a number"))
}

/// Every run tries a few; `PLANISH_NEAR=100000` tries more, looking for better rules as well, and `PLANISH_SEED` others.
#[test]
fn rule_files_near_the_book_are_read_proved_and_edited() {
    let more = from_environment("PLANISH_NEAR");
    let first = from_environment("PLANISH_SEED").unwrap_or(0);
    for seed in first..first + more.unwrap_or(30) {
        let tried = catch_unwind(|| near_the_book(&mut Unstructured::new(&data(seed)), more.is_some()));
        match tried {
            Ok(Ok(())) => {}
            // Too little data is no failure.
            Ok(Err(_)) => {}
            Err(panic) => {
                eprintln!("with PLANISH_SEED={seed} this is the first that is tried");
                resume_unwind(panic);
            }
        }
    }
}

/// Changes a piece of the book, and puts what comes of it through all readers; `is_deep` looks for better rules as well, which takes
/// longer.
fn near_the_book(u: &mut Unstructured<'_>, is_deep: bool) -> Result<()> {
    let bytes = changed(u)?;
    let source = match SourceText::from_bytes("near.rules", bytes) {
        Ok(source) => source,
        Err(error) => {
            let (source, why) = *error;
            assert!(!why.render(&source).is_empty());
            return Ok(());
        }
    };
    let text = source.text().to_owned();
    let (set, mut findings) = RuleSet::read(vec![source.clone()]);
    findings.extend(shadow::judge(&set, Strictness::File));
    // Rendering a long list is slow and shows nothing new.
    findings.iter().take(4).for_each(|finding| has_place(&set, finding, &text));
    let rules: Vec<&Rule> = set.rules.values().take(RULES).collect();
    let options = options();
    for rule in &rules {
        let proof = prove_one(rule, &options);
        let said = proof.to_string();
        assert!(!said.contains("the prover failed"), "{said}\n{}", rule.text);
        if is_deep && rule.sorry.is_none() {
            let draft = Draft::new(&rule.text);
            let _ = discover::condition(&draft, &options);
            let _ = discover::generalize(&draft, &options);
        }
    }
    if is_deep && discover::complete::has_holes(&text) {
        let _ = discover::complete(&text, &options);
    }
    in_an_editor(u, &text, options)
}

fn options() -> Options {
    let threads = NonZeroUsize::MIN;
    Options { limit: PROOF, clock: Some(10 * PROOF), threads, ..Options::new(Engine::builtin()) }
}

/// A finding is shown with its place, of which line and column are there.
fn has_place(set: &RuleSet, finding: &Finding, text: &str) {
    let shown = set.render(std::slice::from_ref(finding));
    let place = shown.lines().find_map(|line| line.trim_start().strip_prefix("--> near.rules:"));
    let place = place.unwrap_or_else(|| panic!("without a place: {shown}"));
    let numbers: Vec<usize> = place.split(':').filter_map(|number| number.parse().ok()).collect();
    let [line, column] = numbers[..] else { panic!("no place: {shown}") };
    let there = text.split('\n').nth(line - 1).unwrap_or_else(|| panic!("no such line: {shown}\n{text}"));
    assert!(column <= there.chars().count() + 1, "no such column: {shown}\n{there}");
}

/// Asks what an editor asks, at a few places.
fn in_an_editor(u: &mut Unstructured<'_>, text: &str, options: Options) -> Result<()> {
    let encoding = *u.choose(&[Encoding::Utf8, Encoding::Utf16])?;
    let (document, verdicts) = (Document::new("near.rules", 1, text, encoding), Verdicts::new(options));
    let uri: planish_lsp::Uri = "file:///near.rules".parse().expect("an address");
    let _ = diagnostics(&document, &verdicts);
    let _ = lenses(&document, uri.as_str(), &verdicts);
    for _ in 0..4 {
        let byte = u.int_in_range(0..=text.len())?;
        let position = document.places.position(text, byte);
        let byte = document.places.byte(text, position);
        assert!(text.is_char_boundary(byte));
        let _ = hover(&document, byte, &verdicts);
        let _ = completion(&document, byte);
        let _ = definition(&document, &uri, byte, &|| None);
    }
    Ok(())
}

/// A few rules of the book with a few changes.
fn changed(u: &mut Unstructured<'_>) -> Result<Vec<u8>> {
    let (_, file) = u.choose(book::FILES)?;
    let pieces: Vec<&str> = file.split("\n\n").collect();
    let first = u.int_in_range(0..=pieces.len() - 1)?;
    let mut text =
        pieces[first..].iter().take(u.int_in_range(1..=3)?).copied().collect::<Vec<_>>().join("\n\n");
    text.push('\n');
    for _ in 0..u.int_in_range(1..=3)? {
        text = match u.int_in_range(0..=9)? {
            0..=4 => with_other_tokens(u, &text)?,
            5 | 6 => with_other_lines(u, &text)?,
            7 => with_other_characters(u, &text)?,
            8 => text.replacen("C1", "?", 1),
            _ => nested(u, &text)?,
        };
    }
    let mut bytes = text.into_bytes();
    if u.ratio(1, 16)? && !bytes.is_empty() {
        let at = u.int_in_range(0..=bytes.len() - 1)?;
        bytes[at] = u.arbitrary()?;
    }
    Ok(bytes)
}

/// The places of all tokens.
fn tokens(text: &str) -> Vec<std::ops::Range<usize>> {
    let lines: Vec<Line> = lexer::lines(&SourceText::new("near.rules", text), &mut Diagnostics::new());
    lines.iter().flat_map(|line| &line.tokens).map(|token| token.span.range()).collect()
}

/// A token left out, doubled, exchanged with its neighbour, or another one of any file in its place.
fn with_other_tokens(u: &mut Unstructured<'_>, text: &str) -> Result<String> {
    let all = tokens(text);
    if all.len() < 2 {
        return Ok(text.to_owned());
    }
    let at = u.int_in_range(0..=all.len() - 2)?;
    let (one, next) = (all[at].clone(), all[at + 1].clone());
    let word = &text[one.clone()];
    let (place, instead) = match u.int_in_range(0..=4)? {
        0 => (one, String::new()),
        1 => (one, format!("{word} {word}")),
        2 => (one.start..next.end, format!("{} {word}", &text[next])),
        _ => {
            let (_, file) = u.choose(book::FILES)?;
            let line = file.lines().filter(|line| !line.starts_with('#')).nth(u.int_in_range(0..=200)?);
            let others: Vec<&str> =
                line.unwrap_or("add(x, 0): i8").split_inclusive([' ', '(', ')', ',', '.']).collect();
            (one, (*u.choose(&others)?).to_owned())
        }
    };
    let mut changed = text.to_owned();
    changed.replace_range(place, &instead);
    Ok(changed)
}

/// A line left out, doubled, moved, at the margin or away from it.
fn with_other_lines(u: &mut Unstructured<'_>, text: &str) -> Result<String> {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    if lines.is_empty() {
        return Ok(text.to_owned());
    }
    let at = u.int_in_range(0..=lines.len() - 1)?;
    match u.int_in_range(0..=4)? {
        0 => _ = lines.remove(at),
        1 => lines.insert(at, lines[at].clone()),
        2 => {
            let line = lines.remove(at);
            lines.insert(u.int_in_range(0..=lines.len())?, line);
        }
        3 => lines[at] = lines[at].trim_start().to_owned(),
        _ => lines[at].insert_str(0, u.choose(&["    ", "\t", "#", "\r", "\u{feff}", "\u{2028}"])?),
    }
    Ok(lines.join("\n") + "\n")
}

/// A character left out, or another one put somewhere.
fn with_other_characters(u: &mut Unstructured<'_>, text: &str) -> Result<String> {
    let places: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
    if places.is_empty() {
        return Ok(text.to_owned());
    }
    let at = *u.choose(&places)?;
    let mut changed = text.to_owned();
    if u.ratio(1, 3)? {
        changed.remove(at);
    } else {
        let others = [
            '(', ')', ',', '.', ':', '=', '>', '[', ']', '?', '0', '-', '~', 'e', 'x', 'C', '\n', '\0', 'ß',
            '𝛼',
        ];
        changed.insert(at, *u.choose(&others)?);
    }
    Ok(changed)
}

/// Something nested, as deep as one may and far deeper, at a token.
fn nested(u: &mut Unstructured<'_>, text: &str) -> Result<String> {
    let all = tokens(text);
    let Some(at) = (!all.is_empty()).then(|| u.int_in_range(0..=all.len() - 1)).transpose()? else {
        return Ok(text.to_owned());
    };
    let depth = *u.choose(&[30, 95, 100, 3000, 60_000])?;
    let (open, close) = *u.choose(&[
        ("(", ")"),
        ("add(1, ", ")"),
        ("neg(", ")"),
        ("select(x, ", ", 0)"),
        ("not ", ""),
        ("-", ""),
        ("~", ""),
        ("[", "]"),
        ("abs(", ")"),
        ("min(", ", 1)"),
        ("", ".lower"),
        ("", ".and_bound(x)"),
        ("", " + 1"),
        ("", " and x"),
        ("", " < 1"),
        ("1 << ", ""),
    ])?;
    let word = &text[all[at].clone()];
    let deep = format!("{}{word}{}", open.repeat(depth), close.repeat(depth));
    let mut changed = text.to_owned();
    changed.replace_range(all[at].clone(), &deep);
    Ok(changed)
}
