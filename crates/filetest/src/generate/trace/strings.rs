//! Strings of either kind: made of characters, joined, cut, copied, compared, measured, read.

use arbitrary::Result;

use super::draft::{Draft, Kind, Named};
use super::vocabulary::{BYTES, CODES, StringWords};

/// An operation on strings.
pub(super) fn strings(draft: &mut Draft<'_, '_>) -> Result<()> {
    let words = if draft.once_in(3)? { &CODES } else { &BYTES };
    match draft.below(14)? {
        0 | 1 => new(draft, words),
        2..=4 => concat(draft, words),
        5 | 6 => slice(draft, words),
        7 | 8 => equal(draft, words),
        9 => length(draft, words),
        10 | 11 => get(draft, words),
        12 => copy(draft, words),
        _ => widen(draft),
    }
}

/// A string that is there, with what is known of its length.
fn string(draft: &mut Draft<'_, '_>, words: &StringWords) -> Result<(String, u32)> {
    if !draft.once_in(4)?
        && let Some(named) = draft.some(words.kind, |_| true)?
    {
        draft.there(&named)?;
        return Ok((named.name, named.least));
    }
    let (text, length) = draft.one_of(&[("", 0), ("a", 1), ("ab", 2), ("xyz", 3), ("hello", 5)])?;
    Ok((format!("{}\"{text}\"", words.quote), length))
}

/// A string that has at least so many characters, which a guard may have to say.
fn long(draft: &mut Draft<'_, '_>, words: &StringWords, least: u32) -> Result<(String, u32)> {
    let (name, known) = string(draft, words)?;
    if known >= least {
        return Ok((name, known));
    }
    if !name.starts_with('p') {
        return Ok((format!("{}\"hello\"", words.quote), 5));
    }
    let length = draft.result(Kind::Int, &format!("{}({name})", words.length));
    let enough = draft.result(Kind::Int, &format!("int_ge({length}, {least})"));
    draft.guard(&format!("guard_true({enough})"))?;
    draft.known(&name).least = least;
    Ok((name, least))
}

/// A character: a letter, or one of a string, or the low bits of a number.
fn character(draft: &mut Draft<'_, '_>) -> Result<String> {
    if draft.once_in(3)?
        && let Some(x) = draft.some(Kind::Int, |_| true)?
    {
        return Ok(draft.result(Kind::Int, &format!("int_and({}, 127)", x.name)));
    }
    Ok((97 + draft.below(3)?).to_string())
}

fn new(draft: &mut Draft<'_, '_>, words: &StringWords) -> Result<()> {
    let length = 1 + draft.below(3)?;
    let characters = (0..length).map(|_| character(draft)).collect::<Result<Vec<_>>>()?;
    let name = draft.made(words.kind, length, &format!("{}({length})", words.new));
    for (index, character) in characters.into_iter().enumerate() {
        draft.line(format!("{}({name}, {index}, {character})", words.set));
    }
    Ok(())
}

fn concat(draft: &mut Draft<'_, '_>, words: &StringWords) -> Result<()> {
    let ((x, m), (y, n)) = (string(draft, words)?, string(draft, words)?);
    let call = format!("call_r(0, {x}, {y}, descr={}_concat)", words.functions);
    draft.made(words.kind, m + n, &call);
    draft.guard("guard_no_exception()")
}

/// Bounds of a part of a string of at least so many characters: its start, where it ends, how long it is at least.
fn part(draft: &mut Draft<'_, '_>, least: u32) -> Result<(String, String, u32)> {
    let (start, length) = (draft.below(least.min(3) + 1)?, draft.below(4)?);
    let length = length.min(least - start);
    if start + length < least && draft.once_in(3)? {
        let x = draft.operand(Kind::Int)?;
        let bit = draft.result(Kind::Int, &format!("int_and({x}, 1)"));
        let begin = draft.result(Kind::Int, &format!("int_add({bit}, {start})"));
        let end = draft.result(Kind::Int, &format!("int_add({begin}, {length})"));
        return Ok((begin, end, length));
    }
    Ok((start.to_string(), (start + length).to_string(), length))
}

fn slice(draft: &mut Draft<'_, '_>, words: &StringWords) -> Result<()> {
    let least = 1 + draft.below(3)?;
    let (x, least) = long(draft, words, least)?;
    let (start, end, length) = part(draft, least)?;
    let call = format!("call_r(0, {x}, {start}, {end}, descr={}_slice)", words.functions);
    draft.made(words.kind, length, &call);
    draft.guard("guard_no_exception()")
}

fn equal(draft: &mut Draft<'_, '_>, words: &StringWords) -> Result<()> {
    let functions = words.functions;
    let call = match draft.below(4)? {
        0 => {
            let (x, least) = long(draft, words, 1)?;
            let (start, _, length) = part(draft, least)?;
            let y = draft.operand(words.kind)?;
            format!("call_i(0, {x}, {start}, {length}, {y}, descr={functions}_slice_checknull)")
        }
        1 => {
            let ((x, _), y) = (string(draft, words)?, character(draft)?);
            format!("call_i(0, {x}, {y}, descr={functions}_nonnull_char)")
        }
        _ => {
            let (x, y) = (draft.operand(words.kind)?, draft.operand(words.kind)?);
            format!("call_i(0, {x}, {y}, descr={functions}_equal)")
        }
    };
    let truth = draft.result(Kind::Int, &call);
    if draft.once_in(4)? {
        let guard = draft.one_of(&["guard_true", "guard_false"])?;
        draft.guard(&format!("{guard}({truth})"))?;
    }
    Ok(())
}

fn length(draft: &mut Draft<'_, '_>, words: &StringWords) -> Result<()> {
    let (x, _) = string(draft, words)?;
    draft.result(Kind::Int, &format!("{}({x})", words.length));
    Ok(())
}

fn get(draft: &mut Draft<'_, '_>, words: &StringWords) -> Result<()> {
    let least = 1 + draft.below(2)?;
    let (x, least) = long(draft, words, least)?;
    let index = draft.below(least)?;
    draft.result(Kind::Int, &format!("{}({x}, {index})", words.get));
    Ok(())
}

/// A new string of characters of another, and one of its own.
fn copy(draft: &mut Draft<'_, '_>, words: &StringWords) -> Result<()> {
    let least = draft.below(3)?;
    let (x, least) = long(draft, words, least)?;
    let count = draft.below(least.min(4) + 1)?;
    let start = draft.below(least - count + 1)?;
    let last = character(draft)?;
    let name = draft.made(words.kind, count + 1, &format!("{}({})", words.new, count + 1));
    draft.line(format!("{}({name}, {count}, {last})", words.set));
    draft.line(format!("{}({x}, {name}, {start}, 0, {count})", words.copy));
    Ok(())
}

/// The Unicode string of the characters of a string that the trace knows, which are ASCII then.
fn widen(draft: &mut Draft<'_, '_>) -> Result<()> {
    let known = draft.some(Kind::Bytes, |named: &Named| named.there)?;
    let (x, least) = match known {
        Some(named) if draft.once_in(2)? => (named.name, named.least),
        _ => ("s\"ab\"".to_owned(), 2),
    };
    draft.made(Kind::Codes, least, &format!("call_r(0, {x}, descr=widen)"));
    draft.guard("guard_no_exception()")
}
