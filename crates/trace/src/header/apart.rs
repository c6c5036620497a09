//! Declarations that cannot stand beside each other: one name for descriptors of two kinds, classes whose ranges overlap, one
//! class of two structures.
//!
//! The numbers of a class are those of its subclasses, numbered in preorder (Dietz 1982; RPython's `normalizecalls.py`): of two
//! ranges one contains the other, or they are apart.

use hashbrown::HashMap;
use planish_base::diag::{Diagnostic, Diagnostics, SourceText, Span};
use rustc_hash::FxBuildHasher;

use super::declaration::DESCRIPTORS;
use super::words::{Parsed, first, wrong};
use super::{Header, Names};

/// What is wrong with a class or a structure beside others, by its name.
#[derive(Default)]
pub(super) struct Clashes {
    pub classes: Names<String>,
    pub structs: Names<String>,
}

impl Clashes {
    /// Holds a declaration that was read against all others.
    pub fn hold<'a>(&self, word: &str, rest: &'a str) -> Parsed<'a> {
        let name = first(rest.split(['(', '{']).next().unwrap_or_default()).0;
        let name = &rest[..name.len()];
        let (found, option) = match word {
            "class" => (self.classes.get(name), "range="),
            "struct" => (self.structs.get(name), "vtable="),
            _ => return Ok(()),
        };
        let Some(message) = found else { return Ok(()) };
        let at = rest.split_whitespace().find(|word| word.starts_with(option));
        wrong(at.unwrap_or(name), message.clone())
    }

    /// The first name of all, and what is wrong with it.
    pub fn first(self) -> Option<(String, String)> {
        self.classes.into_iter().min().or_else(|| self.structs.into_iter().min())
    }
}

impl Header {
    /// The classes and structures that cannot stand beside others. O(n log n) in these.
    pub(super) fn clashes(&self) -> Clashes {
        Clashes { classes: self.overlapping(), structs: self.of_one_class() }
    }

    /// The first name of a descriptor that another header declares as one of another kind, and which that is there.
    pub(super) fn descriptor_of_another_kind(&self, other: &Header) -> Option<(String, &'static str)> {
        let names = other.sizes.keys().chain(other.fields.keys()).chain(other.arrays.keys());
        let names = names.chain(other.interiors.keys()).chain(other.calls.keys()).chain(other.aliases.keys());
        let of_two = names.filter_map(|name| {
            let kind = self.kind_of_descriptor(name)?;
            (other.kind_of_descriptor(name) != Some(kind)).then(|| (name.clone(), kind))
        });
        of_two.min()
    }

    /// Classes whose range is that of another one, or overlaps it: those that begin behind it.
    fn overlapping(&self) -> Names<String> {
        let mut classes: Vec<(&String, (i64, i64))> =
            self.classes.iter().map(|(name, &range)| (name, range)).collect();
        classes.sort_unstable_by_key(|&(name, (low, high))| (low, std::cmp::Reverse(high), name));
        let mut found = Names::default();
        // Those that the next one may be in, each in the one before it.
        let mut around: Vec<(&String, (i64, i64))> = Vec::new();
        for (name, range) in classes {
            while around.last().is_some_and(|&(_, outer)| outer.1 < range.0) {
                around.pop();
            }
            match around.last() {
                Some(&(other, outer)) if outer == range => {
                    found.insert(
                        name.clone(),
                        format!("`{name}` has the numbers of `{other}`: each would derive from the other"),
                    );
                }
                Some(&(other, (low, high))) if high < range.1 => {
                    let message = format!(
                        "`{name}` has some of the numbers of `{other}`, {low}..{high}, and others: it neither derives from it nor is apart"
                    );
                    found.insert(name.clone(), message);
                }
                _ => around.push((name, range)),
            }
        }
        found
    }

    /// Structures whose objects have the class of another one's.
    fn of_one_class(&self) -> Names<String> {
        let mut structs: Vec<(&String, &String)> =
            self.structs.iter().filter_map(|(name, of)| Some((of.vtable.as_ref()?, name))).collect();
        structs.sort_unstable();
        let pairs = structs.windows(2).filter(|pair| pair[0].0 == pair[1].0);
        pairs
            .map(|pair| {
                let ((class, other), (_, name)) = (pair[0], pair[1]);
                (name.clone(), format!("objects of class `{class}` are of the structure `{other}` already"))
            })
            .collect()
    }

    /// Reports lines that declare a descriptor by the name of one of another kind, and leaves them out.
    pub(super) fn one_kind_each<'a>(
        source: &SourceText,
        lines: &mut Vec<(Span, (&'a str, &'a str))>,
        diagnostics: &mut Diagnostics,
    ) {
        let mut declared: HashMap<&str, (&str, Span), FxBuildHasher> = HashMap::default();
        lines.retain(|&(span, (word, rest))| {
            let name = first(rest.trim()).0;
            if !DESCRIPTORS.contains(&word) || name.is_empty() {
                return true;
            }
            let &mut (other, before) = declared.entry(name).or_insert((word, span));
            if other != word {
                let start = name.as_ptr() as usize - source.text().as_ptr() as usize;
                let place = Span::new(start..start + name.len());
                let error = Diagnostic::error(place, format!("`{name}` is declared as `{other}` already"));
                let (line, _) = source.position(before.start);
                let shown = format!("{}:{line}: {}", source.name(), source.slice(before).trim_end());
                diagnostics.push(error.note(shown));
            }
            other == word
        });
    }
}
