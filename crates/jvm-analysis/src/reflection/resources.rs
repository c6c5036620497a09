//! Reflection, resources: directories, bundles that are classes, and class files that a program reads itself.
//!
//! A bundle of resources is asked for by a base name, and found as the class of that name or of one with the name of a
//! locale behind it. A program that makes classes reads the files of others: as `Name.class`, which is seen, or by a name
//! that is computed, of which the ending is seen. Where keep rules are given, they say which those are.

use planish_jvm_model::program::Class;

use super::listed::ends;
use crate::reach::Reach;
use crate::reach::cause::Cause;

/// The name of a class file as a resource, without the ending.
fn of_class_file(text: &[u8]) -> Option<&[u8]> {
    let name = text.strip_suffix(b".class")?;
    Some(name.strip_prefix(b"/").unwrap_or(name))
}

impl Reach<'_, '_> {
    /// Bundles of resources are asked for.
    pub(super) fn asks_for_bundles(&mut self, cause: Cause) {
        if std::mem::replace(&mut self.reflection.reads_bundles, true) {
            return;
        }
        let program = self.program;
        let above = program.hierarchy.lookup(b"java/util/ResourceBundle");
        let bundles = above.map_or_else(Vec::new, |above| program.subtypes(above).to_vec());
        self.reflection.bundles.clone_from(&bundles);
        if self.reflection.enumerated {
            self.reflection.by_parts.extend(&bundles);
            bundles.into_iter().for_each(|class| self.instance_by_name(class, cause));
            return;
        }
        for (text, cause) in self.reflection.strings.clone() {
            self.bundle_of(&text, cause);
        }
    }

    /// The content of resources is asked for.
    pub(super) fn asks_for_contents(&mut self) {
        if !std::mem::replace(&mut self.reflection.contents, true) {
            for (text, cause) in self.reflection.strings.clone() {
                self.class_file(&text, cause);
                self.reads_listing(&text, cause);
            }
        }
    }

    /// A string of code that runs may be the name of a resource.
    pub(super) fn resource_names(&mut self, text: &[u8], cause: Cause) {
        if self.reflection.contents {
            self.class_file(text, cause);
            self.reads_listing(text, cause);
        }
        if self.reflection.reads_bundles && !self.reflection.enumerated {
            self.bundle_of(text, cause);
        }
    }

    /// The bundles of which a text may be the base name.
    fn bundle_of(&mut self, text: &[u8], cause: Cause) {
        let base: Vec<u8> = text.iter().map(|&byte| if byte == b'.' { b'/' } else { byte }).collect();
        self.reads_bundle(&base, cause);
        for class in self.reflection.bundles.clone() {
            let name = self.program.name(class);
            if name.strip_prefix(&base[..]).is_some_and(|rest| rest.is_empty() || rest.starts_with(b"_")) {
                self.reflection.by_parts.insert(class);
                self.instance_by_name(class, cause);
            }
        }
    }

    /// The file of a class is read. What is looked for in it rules say, if there are any.
    fn reads_file(&mut self, class: Class, cause: Cause) {
        self.reflection.by_parts.insert(class);
        match self.reflection.enumerated {
            true => self.keep_whole(class, cause),
            false => self.mention(class, cause),
        }
    }

    /// The classes whose files a text may name, or end the names of.
    fn class_file(&mut self, text: &[u8], cause: Cause) {
        let Some(name) = of_class_file(text) else { return };
        if let Some(class) = self.program.class_named(name) {
            return self.reads_file(class, cause);
        }
        // From the package of the class that asks.
        let program = self.program;
        let mut is_beside = false;
        for class in program.classes.ids() {
            if ends(program.name(class), name) {
                is_beside = true;
                self.reads_file(class, cause);
            }
        }
        if !is_beside
            && self.reflection.enumerated
            && !std::mem::replace(&mut self.reflection.reads_any, true)
        {
            program.classes.ids().for_each(|class| self.mention(class, cause));
        }
    }
}
