//! Classes that a program brings along although the JDK has them.
//!
//! A class loader asks the one above it first, so of a class on the class path that the JDK has as well, the JDK's is
//! what runs. Such classes are common: jars with the interfaces of XML parsers are older than the JDK's own. Their
//! bodies say nothing of what happens, the JDK's may have methods that they lack, and nobody can take a parameter from
//! theirs. So they are set aside before anything is looked at, classes around the program among them, and go back as they
//! were in the end. What they speak of stays: a JDK that has less, or a class loader of the program's own, may run them.
//!
//! A program that is a part of the JDK is another matter. It takes the place of that part, so it is looked at.

use planish_base::Budget;
use planish_classfile::jar::Role;
use planish_classfile::zip::{Archive, Entry, INFLATED_LIMIT};

use crate::inputs::{Classpath, Platform};

impl Platform {
    /// Whether it has a class of this name. O(length x log(classes)).
    pub fn has(&self, name: &[u8]) -> bool {
        match self {
            Platform::Missing => false,
            Platform::Image(image) => matches!(image.find_class(name), Ok(Some(_))),
            Platform::Heads(heads) => heads.find(&[name, b".class"].concat()).is_some(),
        }
    }

    /// Whether an entry is a class that is here, too.
    fn shadows(&self, entry: &Entry) -> bool {
        matches!(Role::of(&entry.name), Role::Class { name, release: None } if self.has(name))
    }
}

impl Classpath {
    /// Takes the classes that the JDK has from the libraries, and sets those of the program aside, which begins with
    /// these main classes and that of its manifest. Says what the user should know. O(entries).
    pub fn set_aside(&mut self, program: &mut Archive, main: &[String]) -> Result<Option<String>, String> {
        for library in &mut self.libraries {
            library.entries.retain(|entry| !self.platform.shadows(entry));
        }
        let mut budget = Budget::new("inflated bytes", INFLATED_LIMIT);
        let manifest = program.manifest(&mut budget).map_err(|error| error.to_string())?;
        let named = manifest.as_ref().and_then(|manifest| manifest.main.get("Main-Class"));
        let named = named.map(|name| String::from_utf8_lossy(name).trim().to_owned());
        let mut main = main.iter().chain(&named);
        let is_class = |entry: &Entry| matches!(Role::of(&entry.name), Role::Class { release: None, .. });
        let mut classes = program.entries.iter().filter(|entry| is_class(entry));
        if main.any(|name| self.platform.has(name.replace('.', "/").as_bytes()))
            || classes.all(|entry| self.platform.shadows(entry))
        {
            return Ok(None);
        }
        self.shadowed = program.entries.extract_if(.., |entry| self.platform.shadows(entry)).collect();
        let name =
            |entry: &Entry| String::from_utf8_lossy(&entry.name).replace(".class", "").replace('/', ".");
        Ok(self.shadowed.first().map(|first| {
            let named = match self.shadowed.len() {
                1 => format!("{} is", name(first)),
                several => format!("{several} classes, {} the first of them, are", name(first)),
            };
            format!(
                "{named} in the JDK as well; a class path finds what the JDK has, so what is here is copied"
            )
        }))
    }

    /// Puts what was set aside back into the program.
    pub fn put_back(&self, program: &mut Archive) {
        program.entries.extend(self.shadowed.iter().cloned());
    }
}
