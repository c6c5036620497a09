//! Filters behind the names of jars, as in `-injars app.jar(!**.txt,com/acme/**)`: which of the entries count.
//!
//! Patterns are asked in turn, and the first one that matches decides; `!` before one turns it around. If none matches,
//! an entry counts only if the last one is turned around. Of several lists, divided by semicolons, the last one is of the
//! entries; the others are of archives within archives, which stay what they are.

use super::first_match;
use super::pattern::NamePattern;

/// Which entries of a jar count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntryFilter {
    patterns: Vec<(bool, NamePattern)>,
}

impl EntryFilter {
    /// The filter that a text writes, without its parentheses; `None` for a malformed one.
    pub fn parse(text: &str) -> Option<EntryFilter> {
        let list = text.rsplit(';').next().unwrap_or_default();
        let patterns = list.split(',').map(str::trim).filter(|pattern| !pattern.is_empty());
        let patterns = patterns.map(|pattern| match pattern.strip_prefix('!') {
            Some(pattern) => Some((false, NamePattern::of_path(pattern)?)),
            None => Some((true, NamePattern::of_path(pattern)?)),
        });
        Some(EntryFilter { patterns: patterns.collect::<Option<_>>()? })
    }

    /// Whether an entry of a name counts.
    pub fn lets_in(&self, name: &[u8]) -> bool {
        self.patterns.is_empty() || first_match(&self.patterns, name, &mut Vec::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn let_in(filter: &str) -> Vec<&'static str> {
        let filter = EntryFilter::parse(filter).unwrap();
        let names = ["META-INF/MANIFEST.MF", "a/B.class", "a/b/C.class", "a/text.txt", "aXtxt"];
        names.into_iter().filter(|name| filter.lets_in(name.as_bytes())).collect()
    }

    #[test]
    fn the_first_pattern_decides_and_the_last_one_what_none_matches() {
        assert_eq!(let_in("!META-INF/**"), ["a/B.class", "a/b/C.class", "a/text.txt", "aXtxt"]);
        assert_eq!(let_in("**.class"), ["a/B.class", "a/b/C.class"]);
        assert_eq!(let_in("!a/b/**,**.class"), ["a/B.class"]);
        assert_eq!(let_in("a/*.class, META-INF/?ANIFEST.MF"), ["META-INF/MANIFEST.MF", "a/B.class"]);
        assert_eq!(let_in("**.txt"), ["a/text.txt"], "a dot is a dot");
    }

    #[test]
    fn the_last_list_is_of_entries() {
        assert_eq!(let_in("!lib/**.jar;**.class").len(), 2);
        assert_eq!(let_in("").len(), 5);
    }
}
