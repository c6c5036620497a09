//! Texts that are nearly right.
//!
//! Random bytes fail in the first word. A text made from a good one by a few edits (a piece removed,
//! doubled or moved, a word of the language put somewhere) gets past the lexer and the parser and tries
//! what comes after.

use arbitrary::{Result, Unstructured};

/// The most edits on one text.
const MAX_EDITS: usize = 6;

/// One of the seeds with up to six edits; words come from `words`.
pub fn text(u: &mut Unstructured<'_>, seeds: &[&str], words: &[&str]) -> Result<String> {
    let mut text = (*u.choose(seeds)?).to_owned();
    for _ in 0..u.int_in_range(0..=MAX_EDITS)? {
        let (from, to) = range(u, &text)?;
        match u.int_in_range(0..=4)? {
            0 => text.replace_range(from..to, ""),
            1 => {
                let piece = text[from..to].to_owned();
                text.insert_str(to, &piece);
            }
            2 => {
                let piece = text[from..to].to_owned();
                text.replace_range(from..to, "");
                let (place, _) = range(u, &text)?;
                text.insert_str(place, &piece);
            }
            3 => text.replace_range(from..to, u.choose(words)?),
            _ => text.insert(from, u.arbitrary()?),
        }
    }
    Ok(text)
}

/// A short range between characters, of at most 40 bytes or so.
fn range(u: &mut Unstructured<'_>, text: &str) -> Result<(usize, usize)> {
    let start = boundary(text, u.int_in_range(0..=text.len())?);
    let end = boundary(text, (start + u.int_in_range(0..=40)?).min(text.len()));
    Ok((start, end.max(start)))
}

/// The nearest boundary of a character that is not behind `at`.
fn boundary(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
