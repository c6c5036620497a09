//! Manifests of jars.
//!
//! A manifest is lines `Name: value`, wrapped after 72 bytes with continuation lines that begin with a
//! blank, in sections divided by empty lines; the first section is about the jar, the others each
//! about the entry that their `Name` gives. Sections keep the bytes that they were read with, so that
//! dropping the digests of a signed jar leaves everything else as it was.

/// A manifest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Manifest {
    /// The section about the jar.
    pub main: Section,
    /// Sections about entries.
    pub sections: Vec<Section>,
}

/// A section of a manifest.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Section {
    /// Attributes in order, each with its continuation lines.
    lines: Vec<Line>,
    /// The empty lines after the section.
    end: Vec<u8>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
struct Line {
    /// The name of the attribute; empty for a line that is none.
    name: Vec<u8>,
    value: Vec<u8>,
    /// The lines as they were read.
    text: Vec<u8>,
}

impl Section {
    /// The value of an attribute; names are the same whatever the case of their letters.
    pub fn get(&self, name: &str) -> Option<&[u8]> {
        let found = self.lines.iter().find(|line| line.name.eq_ignore_ascii_case(name.as_bytes()));
        found.map(|line| line.value.as_slice())
    }

    /// Names and values in order.
    pub fn attributes(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let named = self.lines.iter().filter(|line| !line.name.is_empty());
        named.map(|line| (line.name.as_slice(), line.value.as_slice()))
    }

    /// Removes the attributes whose names satisfy `unwanted`; returns how many.
    pub fn remove(&mut self, mut unwanted: impl FnMut(&[u8]) -> bool) -> usize {
        let before = self.lines.len();
        self.lines.retain(|line| !unwanted(&line.name));
        before - self.lines.len()
    }

    /// Sets an attribute, in its place if it is there.
    pub fn set(&mut self, name: &str, value: &str) {
        let line = Line {
            name: name.as_bytes().to_vec(),
            value: value.as_bytes().to_vec(),
            text: wrap(name, value),
        };
        match self.lines.iter().position(|line| line.name.eq_ignore_ascii_case(name.as_bytes())) {
            Some(place) => self.lines[place] = line,
            None => self.lines.push(line),
        }
    }
}

/// The lines of an attribute: at most 72 bytes each with their line break.
fn wrap(name: &str, value: &str) -> Vec<u8> {
    let text = format!("{name}: {value}");
    let mut out = Vec::with_capacity(text.len() + text.len() / 70 * 3 + 2);
    let mut column = 0;
    for character in text.chars() {
        if column + character.len_utf8() > 70 {
            out.extend_from_slice(b"\r\n ");
            column = 1;
        }
        out.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
        column += character.len_utf8();
    }
    out.extend_from_slice(b"\r\n");
    out
}

impl Manifest {
    /// Reads a manifest. What is no attribute is kept.
    pub fn read(text: &[u8]) -> Self {
        let mut sections = vec![Section::default()];
        for (line, whole) in lines(text) {
            let section = sections.last_mut().expect("there is always a section");
            if line.is_empty() {
                section.end.extend_from_slice(whole);
                continue;
            }
            let closed = !section.end.is_empty();
            if let (Some(rest), Some(last), false) =
                (line.strip_prefix(b" "), section.lines.last_mut(), closed)
            {
                last.value.extend_from_slice(rest);
                last.text.extend_from_slice(whole);
                continue;
            }
            let (name, value) = match line.windows(2).position(|pair| pair == b": ") {
                Some(colon) => (&line[..colon], &line[colon + 2..]),
                None => (&b""[..], line),
            };
            let line = Line { name: name.to_vec(), value: value.to_vec(), text: whole.to_vec() };
            if closed {
                sections.push(Section { lines: vec![line], end: Vec::new() });
            } else {
                section.lines.push(line);
            }
        }
        let main = sections.remove(0);
        Manifest { main, sections }
    }

    /// The bytes of the manifest.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for section in std::iter::once(&self.main).chain(&self.sections) {
            section.lines.iter().for_each(|line| out.extend_from_slice(&line.text));
            out.extend_from_slice(&section.end);
        }
        out
    }

    /// Removes the digests of entries, and sections that say nothing else; returns how many digests.
    pub fn remove_digests(&mut self) -> usize {
        let is_digest = |name: &[u8]| {
            let name = name.to_ascii_lowercase();
            name.ends_with(b"-digest") || name.windows(8).any(|part| part == b"-digest-")
        };
        let mut removed = 0;
        self.sections.retain_mut(|section| {
            removed += section.remove(is_digest);
            section.lines.iter().any(|line| !line.name.eq_ignore_ascii_case(b"Name"))
        });
        removed
    }
}

/// Lines without and with their line break: `\r\n`, `\n` or `\r`.
fn lines(text: &[u8]) -> impl Iterator<Item = (&[u8], &[u8])> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let len = rest.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(rest.len());
        let end = match &rest[len..] {
            [b'\r', b'\n', ..] => len + 2,
            [] => len,
            _ => len + 1,
        };
        let line = (&rest[..len], &rest[..end]);
        rest = &rest[end..];
        Some(line)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGNED: &str = "Manifest-Version: 1.0\r\nMain-Class: a.very.long.name.that.does.not.fit.into.one.li\r\n \
                          ne.Main\r\n\r\nName: a/B.class\r\nSHA-256-Digest: abc=\r\n\r\nName: c.txt\r\n\
                          SHA1-Digest: x=\r\nMagic: yes\r\n\r\n";

    #[test]
    fn wrapped_lines_are_joined_and_kept() {
        let manifest = Manifest::read(SIGNED.as_bytes());
        let main = manifest.main.get("main-class").unwrap();
        assert_eq!(main, b"a.very.long.name.that.does.not.fit.into.one.line.Main");
        assert_eq!(manifest.sections.len(), 2);
        assert_eq!(manifest.to_bytes(), SIGNED.as_bytes());
    }

    #[test]
    fn digests_go_and_other_attributes_stay() {
        let mut manifest = Manifest::read(SIGNED.as_bytes());
        assert_eq!(manifest.remove_digests(), 2);
        let text = String::from_utf8(manifest.to_bytes()).unwrap();
        assert!(text.ends_with("Main\r\n\r\nName: c.txt\r\nMagic: yes\r\n\r\n"), "{text}");
    }

    #[test]
    fn any_text_is_written_as_it_was_read() {
        for text in
            ["", "\n", "x", " y\n", "A: b\n c\nnonsense\nB: d\n\n\n d: e", "A: 1\r\rB: 2\n\n\nName: x\n"]
        {
            assert_eq!(Manifest::read(text.as_bytes()).to_bytes(), text.as_bytes(), "{text:?}");
        }
    }

    #[test]
    fn a_long_value_is_wrapped() {
        let mut manifest = Manifest::read(b"Manifest-Version: 1.0\r\n\r\n");
        let value = "\u{e9}".repeat(100);
        manifest.main.set("Class-Path", &value);
        let bytes = manifest.to_bytes();
        assert!(lines(&bytes).all(|(_, whole)| whole.len() <= 72));
        assert_eq!(Manifest::read(&bytes).main.get("Class-Path"), Some(value.as_bytes()));
    }
}
