//! Modified UTF-8, the encoding of text in class files.
//!
//! It encodes a sequence of UTF-16 code units: each unit alone in one to three bytes, zero as
//! `C0 80`, so that no byte is zero and a character outside the basic plane takes six bytes (two
//! surrogates). A unit need not be half of a pair: compilers store tables of arbitrary units in
//! strings. So names and texts stay bytes in this crate, and are decoded where a person or a string
//! operation needs them. The encoding of a sequence of units is unique among what [`is_valid`]
//! accepts save that units below 128 have longer forms, which Java's own reader accepts too and which
//! are kept as they came.

use std::borrow::Cow;
use std::fmt;

/// Decodes the code unit at the start of `bytes`; gives the unit and its length.
#[inline]
fn unit(bytes: &[u8]) -> Option<(u16, usize)> {
    let tail = |i: usize| bytes.get(i).copied().filter(|b| b & 0xc0 == 0x80).map(|b| u16::from(b & 0x3f));
    let first = *bytes.first()?;
    match first {
        0x01..=0x7f => Some((u16::from(first), 1)),
        0xc0..=0xdf => Some((u16::from(first & 0x1f) << 6 | tail(1)?, 2)),
        0xe0..=0xef => Some((u16::from(first & 0x0f) << 12 | tail(1)? << 6 | tail(2)?, 3)),
        _ => None,
    }
}

/// Where the first byte is that does not belong to a well-formed unit.
pub fn first_invalid(bytes: &[u8]) -> Option<usize> {
    let mut at = bytes.iter().position(|b| !matches!(b, 1..=0x7f))?;
    while at < bytes.len() {
        match unit(&bytes[at..]) {
            Some((_, len)) => at += len,
            None => return Some(at),
        }
    }
    None
}

/// Whether every byte belongs to a well-formed unit.
pub fn is_valid(bytes: &[u8]) -> bool {
    first_invalid(bytes).is_none()
}

/// The UTF-16 code units of a text; `None` if it is malformed.
pub fn to_utf16(bytes: &[u8]) -> Option<Vec<u16>> {
    let mut units = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let (unit, len) = unit(&bytes[at..])?;
        units.push(unit);
        at += len;
    }
    Some(units)
}

/// The text as a string; `None` if it is malformed or holds half of a surrogate pair. No copy is made
/// of text without zeros and without characters outside the basic plane.
pub fn to_str(bytes: &[u8]) -> Option<Cow<'_, str>> {
    // The two encodings differ only in zeros and surrogates, both of which UTF-8 refuses.
    if !bytes.contains(&0)
        && let Ok(text) = std::str::from_utf8(bytes)
        && is_valid(bytes)
    {
        return Some(Cow::Borrowed(text));
    }
    String::from_utf16(&to_utf16(bytes)?).ok().map(Cow::Owned)
}

/// Encodes UTF-16 code units.
pub fn from_utf16(units: impl IntoIterator<Item = u16>) -> Vec<u8> {
    let mut bytes = Vec::new();
    for unit in units {
        let low = (unit & 0x3f) as u8 | 0x80;
        match unit {
            0x01..=0x7f => bytes.push(unit as u8),
            0 | 0x80..=0x7ff => bytes.extend([(unit >> 6) as u8 | 0xc0, low]),
            _ => bytes.extend([(unit >> 12) as u8 | 0xe0, (unit >> 6 & 0x3f) as u8 | 0x80, low]),
        }
    }
    bytes
}

/// Encodes a string. No copy is made of text that is the same in both encodings.
pub fn from_str(text: &str) -> Cow<'_, [u8]> {
    match text.bytes().all(|b| b != 0 && b < 0xf0) {
        true => Cow::Borrowed(text.as_bytes()),
        false => Cow::Owned(from_utf16(text.encode_utf16())),
    }
}

/// Shows a text to a person: what is no character appears as an escape, `\u{d800}` or `\x{ff}`.
pub struct Shown<'a>(pub &'a [u8]);

impl Shown<'_> {
    /// Adds the text to another one.
    pub fn push_to(&self, text: &mut String) {
        match to_str(self.0) {
            Some(own) => text.push_str(&own),
            None => text.push_str(&self.to_string()),
        }
    }
}

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(text) = to_str(self.0) {
            return f.write_str(&text);
        }
        let mut at = 0;
        let mut units = Vec::new();
        while at < self.0.len() {
            match unit(&self.0[at..]) {
                Some((unit, len)) => {
                    units.push(unit);
                    at += len;
                }
                None => {
                    show_units(&units, f)?;
                    units.clear();
                    write!(f, "\\x{{{:02x}}}", self.0[at])?;
                    at += 1;
                }
            }
        }
        show_units(&units, f)
    }
}

fn show_units(units: &[u16], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    char::decode_utf16(units.iter().copied()).try_for_each(|decoded| match decoded {
        Ok(character) => write!(f, "{character}"),
        Err(lone) => write!(f, "\\u{{{:x}}}", lone.unpaired_surrogate()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_unit_survives() {
        for unit in 0..=u16::MAX {
            let bytes = from_utf16([unit]);
            assert_eq!(to_utf16(&bytes), Some(vec![unit]));
            assert!(is_valid(&bytes) && !bytes.contains(&0));
        }
    }

    #[test]
    fn a_character_outside_the_basic_plane_takes_six_bytes() {
        let bytes = from_str("a\u{1f600}");
        assert_eq!(bytes.len(), 7);
        assert_eq!(to_str(&bytes).as_deref(), Some("a\u{1f600}"));
    }

    #[test]
    fn zero_takes_two_bytes_and_a_raw_zero_is_refused() {
        assert_eq!(&*from_str("\0"), [0xc0, 0x80]);
        assert_eq!(to_str(&[0xc0, 0x80]).as_deref(), Some("\0"));
        assert_eq!(first_invalid(b"ab\0"), Some(2));
        assert_eq!(to_str(b"ab\0"), None);
    }

    #[test]
    fn plain_text_is_borrowed() {
        assert!(matches!(to_str("h\u{e9}llo".as_bytes()), Some(Cow::Borrowed(_))));
        assert!(matches!(from_str("h\u{e9}llo"), Cow::Borrowed(_)));
    }

    #[test]
    fn half_a_pair_is_kept_and_shown_as_an_escape() {
        let bytes = from_utf16([0xd83d, 0x41]);
        assert_eq!(to_str(&bytes), None);
        assert_eq!(to_utf16(&bytes), Some(vec![0xd83d, 0x41]));
        assert_eq!(Shown(&bytes).to_string(), "\\u{d83d}A");
        assert_eq!(Shown(&[0x41, 0xff]).to_string(), "A\\x{ff}");
    }

    #[test]
    fn four_byte_utf8_is_malformed() {
        assert_eq!(first_invalid("\u{1f600}".as_bytes()), Some(0));
        assert_eq!(first_invalid(&[0x41, 0xe1, 0x80]), Some(1));
    }
}
