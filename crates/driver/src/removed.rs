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
//! method begins with its first and last line of the source, where they are known. However many rounds there were, a class
//! is listed once, and by itself if all of it went in the end.

use std::collections::BTreeMap;
use std::fmt;

use planish_classfile::{ClassFile, Member};
use planish_jvm::keep::show::{java_field, java_method, java_modifiers};

use crate::mapping::lines_of;

/// Classes and members that went.
#[derive(Clone, Default)]
pub struct Removed {
    /// By the name of the class its members that went; nothing where all of it went.
    classes: BTreeMap<String, Option<Vec<String>>>,
}

impl Removed {
    /// A class went, of a name as in Java.
    pub(crate) fn add_class(&mut self, name: String) {
        self.classes.insert(name, None);
    }

    /// A field of a class went.
    pub(crate) fn add_field(
        &mut self,
        class: &str,
        field: &Member<'_>,
        file: &ClassFile<'_>,
    ) -> planish_classfile::Result<()> {
        let (name, ty) = (file.pool.utf8(field.name)?, file.pool.utf8(field.descriptor)?);
        self.add(class, format!("{}{}", java_modifiers(field.flags, false), java_field(name, ty)));
        Ok(())
    }

    /// A method of a class went.
    pub(crate) fn add_method(
        &mut self,
        class: &str,
        method: &Member<'_>,
        file: &ClassFile<'_>,
    ) -> planish_classfile::Result<()> {
        let (name, ty) = (file.pool.utf8(method.name)?, file.pool.utf8(method.descriptor)?);
        let lines = lines_of(method, file)?;
        let lines = match (lines.first(), lines.last()) {
            (Some(first), Some(last)) => format!("{first}:{last}:"),
            _ => String::new(),
        };
        let shown = java_method(file.name()?, name, ty);
        self.add(class, format!("{lines}{}{shown}", java_modifiers(method.flags, true)));
        Ok(())
    }

    fn add(&mut self, class: &str, member: String) {
        let members = self.classes.entry(class.to_owned()).or_insert_with(|| Some(Vec::new()));
        if let Some(members) = members {
            members.push(member);
        }
    }

    /// What went now and later.
    pub(crate) fn then(mut self, later: Removed) -> Removed {
        for (class, members) in later.classes {
            match members {
                None => self.add_class(class),
                Some(members) => members.into_iter().for_each(|member| self.add(&class, member)),
            }
        }
        self
    }
}

impl fmt::Display for Removed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
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
        let mut first = Removed::default();
        first.add("a.B", "int x".to_owned());
        first.add("a.C", "int y".to_owned());
        let mut later = Removed::default();
        later.add("a.B", "12:15:public void run(int)".to_owned());
        later.add_class("a.C".to_owned());
        assert_eq!(first.then(later).to_string(), "a.B:\n    int x\n    12:15:public void run(int)\na.C\n");
    }
}
