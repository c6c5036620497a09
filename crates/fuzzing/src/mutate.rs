//! Texts and class files that are nearly right.
//!
//! Random bytes fail in the first word. A text made from a good one by a few edits (a piece removed,
//! doubled or moved, a word of the language put somewhere) gets past the lexer and the parser and tries
//! what comes after.

use arbitrary::{Result, Unstructured};
use planish_classfile::zip::{Archive, DosTime, Entry, Method};
use planish_filetest::generate::bytes;

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

/// One of the classes, or now and then a small jar of three, with up to six bytes changed; and whether it is a jar.
pub fn mutated(seed: u64, classes: &[Vec<u8>]) -> (Vec<u8>, bool) {
    let data = bytes(seed, 256);
    let mut words =
        data.chunks_exact(8).map(|word| word.iter().fold(0u64, |all, byte| all << 8 | u64::from(*byte)));
    let mut next = |below: usize| words.next().unwrap_or(0) as usize % below;
    let is_jar = seed % 10 == 9;
    let mut input = match is_jar {
        true => {
            let mut small = Archive::default();
            for number in 0..3 {
                let content = &classes[next(classes.len())];
                let name = format!("C{number}.class");
                small.entries.push(Entry::new(name.as_bytes(), DosTime::EPOCH, content, Method::Stored));
            }
            let mut written = Vec::new();
            small.write(&mut written).expect("a small archive");
            written
        }
        false => classes[next(classes.len())].clone(),
    };
    for _ in 0..1 + next(6) {
        let at = next(input.len());
        match next(4) {
            0 => input[at] = next(256) as u8,
            1 => input[at] ^= 1 << next(8),
            2 => input[at] = input[at].wrapping_add(1),
            _ => {
                let from = next(input.len());
                input[at] = input[from];
            }
        }
    }
    (input, is_jar)
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
