//! Names that an earlier run gave: `-applymapping`.

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

type Table = HashMap<Box<[u8]>, Box<[u8]>, FxBuildHasher>;

/// What mapping files call a class that is not there any more, with a number behind, since they speak of its source file (R8).
pub const REMOVED: &str = "R8$$REMOVED$$CLASS$$";

/// Names that an earlier run gave.
#[derive(Clone, Default, Debug)]
pub struct OldNames {
    classes: Table,
    /// By class and member as mapping files write them: `a.B.void run(int)`.
    members: Table,
    /// The names of members, each once.
    pub names: Vec<Box<[u8]>>,
}

impl OldNames {
    /// Reads a mapping file of ProGuard, R8 or Planish. The error says at which line it is none. O(its length).
    pub fn parse(text: &str) -> Result<OldNames, String> {
        let mut old = OldNames::default();
        let mut class: Option<&str> = None;
        // The member of the row before, if no other row named it, with its range and name.
        let mut last: Option<(Vec<u8>, (&str, &str))> = None;
        for (number, line) in text.lines().enumerate() {
            let trimmed = line.trim();
            if trimmed.is_empty() || trimmed.starts_with('#') {
                continue;
            }
            let wrong = |what: &str| format!("line {}: {what}: `{trimmed}`", number + 1);
            let (before, after) =
                trimmed.rsplit_once(" -> ").ok_or_else(|| wrong("`ORIGINAL -> NAME` is expected"))?;
            if let Some(name) = after.strip_suffix(':') {
                (class, last) = (Some(before), None);
                if name.starts_with(REMOVED) {
                    continue;
                }
                if !name.split('.').all(is_name) {
                    return Err(wrong("this is no name of a class"));
                }
                if name.starts_with("java.") && name != before {
                    return Err(wrong("the JVM lets nobody put a class into `java` or a package below it"));
                }
                old.classes.insert(slashes(before).into(), slashes(name).into());
                continue;
            }
            let of = class.ok_or_else(|| wrong("there is no class above this member"))?;
            // Frames of inlined methods are of other classes, or say a line more than the range that they are of.
            let member = member(before);
            let name = member.split_once(' ').map_or("", |(_, rest)| rest);
            let called = name.split('(').next().unwrap_or_default();
            let is_apart = called.contains('.') || called.starts_with('<') || called.is_empty();
            if is_apart || after.starts_with('<') {
                last = None;
                continue;
            }
            if !is_name(after) {
                return Err(wrong("this is no name of a member"));
            }
            let key = [of, ".", member].concat().into_bytes();
            let range = range(before).map(|range| (range, after));
            // Of rows with one range the last is the method; those before are inlined into it, unless this one says a range of lines
            // as well: then two methods of one name stand on one line.
            if range.is_some()
                && !says_range(before)
                && let Some((inlined, _)) = last.take().filter(|(_, before)| range == Some(*before))
            {
                old.members.remove(&inlined[..]);
            }
            let is_new = !old.members.contains_key(&key[..]);
            last = range.filter(|_| is_new).map(|range| (key.clone(), range));
            old.members.entry(key.into()).or_insert_with(|| after.as_bytes().into());
        }
        let mut names: Vec<Box<[u8]>> = old.members.values().cloned().collect();
        names.sort();
        names.dedup();
        old.names = names;
        Ok(old)
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// What a class was called, as in `a/B`.
    pub fn class(&self, name: &[u8]) -> Option<&[u8]> {
        self.classes.get(name).map(|name| &name[..])
    }

    /// What a member was called, by its class as in `a/B` and as mapping files write it.
    pub fn member(&self, class: &[u8], member: &str) -> Option<&[u8]> {
        let mut key: Vec<u8> = class.iter().map(|&byte| if byte == b'/' { b'.' } else { byte }).collect();
        key.push(b'.');
        key.extend_from_slice(member.as_bytes());
        self.members.get(&key[..]).map(|name| &name[..])
    }
}

fn slashes(name: &str) -> Vec<u8> {
    name.replace('.', "/").into_bytes()
}

/// Whether a JVM takes a text for the name of a member, or of a part of that of a class.
fn is_name(text: &str) -> bool {
    !text.is_empty() && !text.contains(['.', ';', '[', '/', '<', '>', ':'])
}

/// The lines in front of a row, as in `1:3:void run(int)`.
fn range(text: &str) -> Option<&str> {
    let end = text.find(|c: char| !c.is_ascii_digit() && c != ':')?;
    (end > 0).then(|| &text[..end])
}

/// Whether a row says the first and the last line that lines were, as in `1:3:void run(int):4:6`: no row of a frame that called
/// another one does.
fn says_range(text: &str) -> bool {
    text.rsplit(')').next().is_some_and(|lines| lines.matches(':').count() > 1)
}

/// `[1:3:]void run(int)[:4[:6]]` without lines.
fn member(text: &str) -> &str {
    let start = text.find(|c: char| !c.is_ascii_digit() && c != ':').unwrap_or(0);
    let text = &text[start..];
    text.find(')').map_or(text, |end| &text[..=end])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_from_mapping_files() {
        let text = "# a comment\na.B -> x.c:\n    int size -> a\n    1:3:void run(int):4:6 -> b\n    4:4:void o.O.run():9:9 -> b\n    4:4:void run(int):7 -> b\n    5:5:void run(long[]) -> b\n";
        let old = OldNames::parse(text).unwrap();
        assert_eq!(old.class(b"a/B"), Some(&b"x/c"[..]));
        assert_eq!(old.member(b"a/B", "int size"), Some(&b"a"[..]));
        assert_eq!(old.member(b"a/B", "void run(int)"), Some(&b"b"[..]));
        assert_eq!(old.member(b"a/B", "void run(long[])"), Some(&b"b"[..]));
        assert_eq!(old.member(b"a/B", "void run()"), None);
        assert_eq!(old.names, [b"a".to_vec().into_boxed_slice(), b"b".to_vec().into()]);
        let gone = OldNames::parse("a.B -> R8$$REMOVED$$CLASS$$0:\n# {\"id\":\"sourceFile\"}\n").unwrap();
        assert_eq!(gone.class(b"a/B"), None);
        // `h` is inlined into `g`, and has no name of its own.
        let text = "a.B -> x.c:\n    9:9:int h():1:1 -> d\n    9:9:int g():3 -> d\n    2:2:int i():2:2 -> <clinit>\n";
        let old = OldNames::parse(text).unwrap();
        assert_eq!(old.member(b"a/B", "int g()"), Some(&b"d"[..]));
        assert_eq!((old.member(b"a/B", "int h()"), old.member(b"a/B", "int i()")), (None, None));
        // Both are methods, on one line.
        let text = "a.B -> x.c:\n    9:9:int g():9:9 -> d\n    9:9:int h(int):9:9 -> d\n";
        let old = OldNames::parse(text).unwrap();
        assert_eq!(old.member(b"a/B", "int g()"), old.member(b"a/B", "int h(int)"));
        assert_eq!(old.member(b"a/B", "int g()"), Some(&b"d"[..]));
        for wrong in ["a.B -> x;c:", "a.B -> c:\n    int f() -> a.b"] {
            assert!(OldNames::parse(wrong).unwrap_err().contains("no name"), "{wrong}");
        }
        let java = OldNames::parse("a.C -> b:\na.B -> java.util.c:").unwrap_err();
        assert!(java.contains("line 2") && java.contains("java.util.c"), "{java}");
        assert!(OldNames::parse("a.B -> javax.c:\njava.X -> java.X:\na.java -> java:").is_ok());
        assert!(OldNames::parse("    int size -> a").unwrap_err().contains("line 1"));
        assert!(OldNames::parse("a.B -> x.c:\nnonsense").unwrap_err().contains("line 2"));
    }
}
