//! What went of a program, in the form of ProGuard's `-printusage`.
//!
//! ```text
//! com.acme.Unused
//! com.acme.Main:
//!     private int size
//!     12:15:public void run(int,java.lang.Object)
//! ```
//!
//! A class that went is a line. One that lost members is a line with a colon, and a line for each of them, as in Java; a
//! method begins with its first and last line of the source, where they are known: those of the input, whatever rounds
//! made of its body before it went. A class that became a part of another one is a comment, since what it had is still there:
//! `# com.acme.Vessel is merged into com.acme.Trawler`. However many rounds there were, a class is listed once, and by itself if all of it
//! went in the end.

use std::collections::BTreeMap;
use std::fmt;

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::mutf8::Shown;
use planish_classfile::zip::{Archive, INFLATED_LIMIT};
use planish_classfile::{ClassFile, Member, Result};
use planish_keep::show::{java_field, java_method, java_modifiers};

use crate::programs::contents::lines_of;

/// Classes and members that went.
#[derive(Clone, Default)]
pub struct Removed {
    /// By the name of the class its members that went; nothing where all of it went.
    classes: BTreeMap<String, Option<Vec<Gone>>>,
    /// Classes that became a part of another one, and that one.
    parts: BTreeMap<String, String>,
}

/// A member that went.
#[derive(Clone, PartialEq, Eq)]
struct Gone {
    /// Name and descriptor, for methods.
    method: Option<Box<[u8]>>,
    /// The first and the last line of a method.
    lines: Option<(u16, u16)>,
    /// The rest, as in Java.
    text: String,
}

impl fmt::Display for Gone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some((first, last)) = self.lines {
            write!(f, "{first}:{last}:")?;
        }
        f.write_str(&self.text)
    }
}

impl Removed {
    /// A class went, of a name as in Java.
    pub(crate) fn add_class(&mut self, name: String) {
        self.classes.insert(name, None);
    }

    /// A class became a part of another one; both have names as in Java.
    pub(crate) fn add_part(&mut self, class: String, of: String) {
        self.parts.insert(class, of);
    }

    /// A field of a class went.
    pub(crate) fn add_field(&mut self, class: &str, field: &Member<'_>, file: &ClassFile<'_>) -> Result<()> {
        let (name, ty) = (file.pool.utf8(field.name)?, file.pool.utf8(field.descriptor)?);
        let text = format!("{}{}", java_modifiers(field.flags, false), java_field(name, ty));
        self.add(class, Gone { method: None, lines: None, text });
        Ok(())
    }

    /// A method of a class went.
    pub(crate) fn add_method(
        &mut self,
        class: &str,
        method: &Member<'_>,
        file: &ClassFile<'_>,
    ) -> Result<()> {
        let (name, ty) = (file.pool.utf8(method.name)?, file.pool.utf8(method.descriptor)?);
        let shown = java_method(file.name()?, name, ty);
        let text = format!("{}{shown}", java_modifiers(method.flags, true));
        let method_lines = span(method, file)?;
        self.add(class, Gone { method: Some([name, ty].concat().into()), lines: method_lines, text });
        Ok(())
    }

    fn add(&mut self, class: &str, member: Gone) {
        let members = self.classes.entry(class.to_owned()).or_insert_with(|| Some(Vec::new()));
        if let Some(members) = members {
            members.push(member);
        }
    }

    /// Gives methods the lines that they had in an archive, where it has them. O(size of the classes that lost some).
    pub(crate) fn take_lines(&mut self, original: &Archive) -> std::result::Result<(), String> {
        let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
        for entry in &original.entries {
            let Role::Class { name, release: None } = Role::of(&entry.name) else { continue };
            let name = Shown(name).to_string().replace('/', ".");
            let Some(Some(members)) = self.classes.get_mut(&name) else { continue };
            let content = entry.content(&mut budget).map_err(|error| error.to_string())?;
            // What cannot be read lost nothing.
            let Ok(file) = ClassFile::read(&content) else { continue };
            members_with_lines(members, &file).map_err(|error| error.to_string())?;
        }
        Ok(())
    }

    /// What went now and later.
    pub(crate) fn then(mut self, later: Removed) -> Removed {
        for (class, members) in later.classes {
            match members {
                None => self.add_class(class),
                Some(members) => members.into_iter().for_each(|member| self.add(&class, member)),
            }
        }
        self.parts.extend(later.parts);
        self
    }
}

fn members_with_lines(members: &mut [Gone], file: &ClassFile<'_>) -> Result<()> {
    for method in &file.methods {
        let (name, ty) = (file.pool.utf8(method.name)?, file.pool.utf8(method.descriptor)?);
        let is_it = |gone: &&mut Gone| {
            let key = gone.method.as_deref().and_then(|key| key.strip_prefix(name));
            key.is_some_and(|descriptor| descriptor == ty)
        };
        if let Some(gone) = members.iter_mut().find(is_it) {
            gone.lines = span(method, file)?;
        }
    }
    Ok(())
}

/// The first and the last line of a method.
fn span(method: &Member<'_>, file: &ClassFile<'_>) -> Result<Option<(u16, u16)>> {
    let lines = lines_of(method, file)?;
    Ok(lines.first().copied().zip(lines.last().copied()))
}

impl fmt::Display for Removed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (class, of) in &self.parts {
            writeln!(f, "# {class} is merged into {of}")?;
        }
        for (class, members) in &self.classes {
            match members {
                None => writeln!(f, "{class}")?,
                Some(members) => {
                    writeln!(f, "{class}:")?;
                    members.iter().try_for_each(|member| writeln!(f, "    {member}"))?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_listed_once_and_by_itself_if_all_of_it_went() {
        let member = |lines, text: &str| Gone { method: None, lines, text: text.to_owned() };
        let mut first = Removed::default();
        first.add("a.B", member(None, "int x"));
        first.add("a.C", member(None, "int y"));
        let mut later = Removed::default();
        later.add("a.B", member(Some((12, 15)), "public void run(int)"));
        later.add_class("a.C".to_owned());
        later.add_part("a.D".to_owned(), "a.B".to_owned());
        let all = first.then(later).to_string();
        assert_eq!(all, "# a.D is merged into a.B\na.B:\n    int x\n    12:15:public void run(int)\na.C\n");
    }
}
