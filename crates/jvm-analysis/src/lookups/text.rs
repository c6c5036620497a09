//! Texts of which parts are known: what strings may be where a program builds them.

use super::scope::ANY;
use crate::lookups::scope::shown;

/// A text, of which parts may be unknown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Text(pub(super) Vec<u8>);

impl Text {
    /// Any text.
    pub fn any() -> Self {
        Text(vec![UNKNOWN])
    }

    pub(super) fn then(&self, more: &Text) -> Self {
        let is_marked = self.0.last() == Some(&UNKNOWN) && more.0.first() == Some(&UNKNOWN);
        Text([&self.0[..], &more.0[usize::from(is_marked)..]].concat())
    }

    /// The same without spaces at its ends.
    pub(super) fn trimmed(self) -> Self {
        let is_seen = |byte: &u8| *byte > b' ' || *byte == UNKNOWN;
        let start = self.0.iter().position(is_seen).unwrap_or(self.0.len());
        let end = self.0.iter().rposition(is_seen).map_or(start, |last| last + 1);
        Text(self.0[start..end].to_vec())
    }

    pub(super) fn pattern(&self, unknown: &str, byte: impl Fn(u8) -> u8) -> String {
        let parts = self.0.split(|byte| *byte == UNKNOWN);
        let parts: Vec<String> = parts
            .map(|part| shown(&part.iter().map(|&b| byte(b)).collect::<Vec<_>>()).into_owned())
            .collect();
        parts.join(unknown)
    }

    /// The pattern of the classes that it names, with dots as in keep rules, whatever stands between packages here.
    pub fn class_pattern(&self) -> String {
        self.pattern(ANY, |byte| if byte == b'/' { b'.' } else { byte })
    }

    /// The patterns of the classes that it names, whether it is a name or a descriptor.
    pub fn class_patterns(&self) -> Vec<String> {
        match is_descriptor(&self.0) {
            true => self.classes_described().iter().map(Text::class_pattern).collect(),
            false => vec![self.class_pattern()],
        }
    }

    /// The names of the classes in a descriptor. What is unknown outside of a name may be any.
    pub(super) fn classes_described(&self) -> Vec<Text> {
        let (mut names, mut rest) = (Vec::new(), &self.0[..]);
        while let Some((&first, more)) = rest.split_first() {
            rest = more;
            match first {
                b'L' => match more.iter().position(|byte| *byte == b';') {
                    Some(end) => {
                        names.push(Text(more[..end].to_vec()));
                        rest = &more[end..];
                    }
                    None => return vec![Text::any()],
                },
                UNKNOWN => return vec![Text::any()],
                _ => {}
            }
        }
        names
    }

    /// The pattern of the members that it names.
    pub fn member_pattern(&self) -> String {
        self.pattern("*", |byte| byte)
    }

    /// The pattern of the classes whose files it names as a resource.
    pub fn class_file_pattern(&self) -> Option<String> {
        let name = self.0.strip_suffix(b".class")?;
        let name = name.strip_prefix(b"/").unwrap_or(name);
        Some(Text(name.to_vec()).class_pattern())
    }
}

/// Whether a text is no name of a class but a descriptor, of a method or of an array, or of a class.
pub fn is_descriptor(text: &[u8]) -> bool {
    matches!(text.first(), Some(b'(' | b'[')) || text.contains(&b';')
}

/// Each text of the first before each of the second.
pub(super) fn joined(first: &[Text], second: &[Text]) -> Vec<Text> {
    if first.len() * second.len() > MOST {
        return vec![Text::any()];
    }
    first.iter().flat_map(|first| second.iter().map(|second| first.then(second))).collect()
}

/// A format with what its arguments say unknown.
pub(super) fn formatted(format: &[u8]) -> Vec<u8> {
    let (mut text, mut rest) = (Vec::new(), format);
    while let Some(at) = rest.iter().position(|byte| *byte == b'%') {
        text.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        // `%-3$5.2s` ends with its letter.
        let length = rest.iter().position(|byte| byte.is_ascii_alphabetic() || *byte == b'%');
        let letter = length.map(|length| rest[length]);
        rest = &rest[length.map_or(rest.len(), |length| length + 1)..];
        if letter == Some(b'%') {
            text.push(b'%');
        } else if text.last() != Some(&UNKNOWN) {
            text.push(UNKNOWN);
        }
    }
    text.extend_from_slice(rest);
    text
}

/// The text that a pattern stands for.
pub(super) fn text_of_pattern(pattern: &str) -> Text {
    Text(pattern.replace(ANY, "\0").into_bytes())
}

/// What stands for an unknown part. No text in modified UTF-8 has it.
pub(super) const UNKNOWN: u8 = 0;

/// How many texts a value is followed to; what may be more of them may be any.
pub(super) const MOST: usize = 16;

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn text(text: &str) -> Text {
        Text(text.as_bytes().to_vec())
    }

    #[test]
    pub(super) fn texts_become_patterns() {
        let plugin = text("com/acme/").then(&Text::any()).then(&Text::any()).then(&text("Impl"));
        assert_eq!(plugin.class_pattern(), "com.acme.**Impl");
        assert_eq!(text("get").then(&Text::any()).member_pattern(), "get*");
        assert_eq!(text("/a/B.class").class_file_pattern().as_deref(), Some("a.B"));
        assert_eq!(text("/a/B.txt").class_file_pattern(), None);
    }

    #[test]
    pub(super) fn descriptors_name_classes() {
        let named = |parts: &[&str]| {
            let parts = parts.iter().map(|part| text(part));
            parts.reduce(|before, part| before.then(&Text::any()).then(&part)).unwrap().class_patterns()
        };
        assert_eq!(named(&["(Lapp/Red;I[Lapp/Blue;)V"]), ["app.Red", "app.Blue"]);
        assert_eq!(named(&["(Lapp/", ";)V"]), ["app.**"]);
        assert_eq!(named(&["(", ")V"]), ["**"], "any descriptors may be in between");
        assert_eq!(named(&["(Lapp/", ")V"]), ["**"]);
        assert_eq!(named(&["(J)V"]), [""; 0]);
        assert_eq!(named(&["app.", ""]), ["app.**"]);
    }

    #[test]
    pub(super) fn what_a_format_leaves_open_is_unknown() {
        let shown = |format: &str| Text(formatted(format.as_bytes())).class_pattern();
        assert_eq!(shown("a.%s.%2$sImpl"), "a.**.**Impl");
        assert_eq!(shown("a.%s%d"), "a.**");
        assert_eq!(shown("100%% of a"), "100% of a");
    }
}
