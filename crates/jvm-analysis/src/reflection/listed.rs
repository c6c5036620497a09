//! Reflection, names of classes that are kept somewhere until a class is loaded by one: in fields and arrays, as constants
//! of enums, in resources.
//!
//! Where a class is loaded by a name of which nothing is known, rules should say what it may be. Most often it is one of
//! the program's own strings that went through a field or an array, or a word of a resource that the program reads by a
//! constant name: properties, XML, JSON, a list in `META-INF`. Each string of code that runs, and each word of such a
//! resource, that is the name of a class is taken for one that is loaded.

use planish_jvm_model::program::Class;

use crate::reach::Reach;
use crate::reach::cause::Cause;
use crate::reach::makes::Makes;
use crate::reach::places::Listing;

/// A name as class files write it.
pub(super) fn with_slashes(text: &[u8]) -> Vec<u8> {
    text.iter().map(|&byte| if byte == b'.' { b'/' } else { byte }).collect()
}

fn last_part(name: &[u8]) -> &[u8] {
    name.rsplit(|byte| *byte == b'/').next().unwrap_or_default()
}

impl Reach<'_, '_> {
    /// Says which resources have names of classes in them.
    pub fn know_listings(&mut self, listings: &[Listing]) {
        for (name, classes) in listings {
            let classes = classes.iter().filter_map(|class| self.program.class_named(class)).collect();
            let of_part = self.reflection.listed_names.resources.entry(last_part(name).to_vec()).or_default();
            of_part.push((name.to_vec(), classes));
        }
    }

    /// A class is loaded by a name of which nothing is known, and rules say what is found.
    pub(super) fn loads_listed(&mut self, makes: Makes, cause: Cause) {
        let listed = &mut self.reflection.listed_names;
        let before = listed.loads;
        let together = before.map_or(makes, |before| before.or(makes));
        if before == Some(together) {
            return;
        }
        listed.loads = Some(together);
        for (class, cause) in listed.named.clone() {
            self.loads_class(class, together, cause);
        }
        let strings = std::mem::take(&mut self.reflection.strings);
        for (text, _) in &strings {
            self.listed_text(text, cause);
        }
        self.reflection.strings = strings;
        for (text, cause) in self.reflection.listed_names.in_annotations.clone() {
            self.listed_text(&text, cause);
        }
    }

    /// An annotation has this text.
    pub(super) fn says_text(&mut self, text: &[u8], cause: Cause) {
        if self.program.class_named(&with_slashes(text)).is_some() {
            self.reflection.listed_names.in_annotations.push((text.into(), cause));
            self.listed_text(text, cause);
        }
    }

    /// A string of code that runs may be a name by which a class is loaded.
    pub(super) fn listed_text(&mut self, text: &[u8], cause: Cause) {
        let Some(makes) = self.reflection.listed_names.loads else { return };
        if let Some(class) = self.program.class_named(&with_slashes(text)) {
            self.loads_class(class, makes, cause);
        }
    }

    /// A resource is asked for: from the root, or from the package of some class.
    pub(super) fn reads_listing(&mut self, text: &[u8], cause: Cause) {
        let name = text.strip_prefix(b"/").unwrap_or(text);
        self.read_listings(last_part(name), cause, |resource| ends(resource, name));
    }

    /// A bundle is asked for by its base name.
    pub(super) fn reads_bundle(&mut self, base: &[u8], cause: Cause) {
        let is_of = |resource: &[u8]| {
            let rest = resource.strip_prefix(base).and_then(|rest| rest.strip_suffix(b".properties"));
            rest.is_some_and(|locale| locale.is_empty() || locale.starts_with(b"_"))
        };
        let known = self.reflection.listed_names.resources.keys();
        let parts: Vec<Vec<u8>> = known.filter(|part| part.starts_with(last_part(base))).cloned().collect();
        for part in parts {
            self.read_listings(&part, cause, is_of);
        }
    }

    fn read_listings(&mut self, part: &[u8], cause: Cause, is_meant: impl Fn(&[u8]) -> bool) {
        let listed = &mut self.reflection.listed_names;
        let Some(resources) = listed.resources.get_mut(part) else { return };
        let mut found: Vec<Class> = Vec::new();
        for (name, classes) in resources {
            if is_meant(name) {
                found.append(classes);
            }
        }
        listed.named.extend(found.iter().map(|&class| (class, cause)));
        if let Some(makes) = listed.loads {
            found.into_iter().for_each(|class| self.loads_class(class, makes, cause));
        }
    }

    /// A class is loaded in a method that may make objects of it.
    pub(super) fn loads_class(&mut self, class: Class, makes: Makes, cause: Cause) {
        self.instance_by_name(class, cause);
        self.made(class, makes, cause);
    }
}

/// Whether a resource has this name, from the root or from the package of a class.
pub(super) fn ends(resource: &[u8], name: &[u8]) -> bool {
    let before = resource.strip_suffix(name).filter(|_| !name.is_empty());
    before.is_some_and(|before| before.is_empty() || before.ends_with(b"/"))
}
