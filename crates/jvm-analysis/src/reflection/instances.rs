//! Reflection, instances: objects that are made of a class whose object is a constant in the same method, or whose name
//! is one where the method loads classes by name.
//!
//! `A.class.getConstructor(int.class).newInstance(3)` runs a constructor of `A`, and which one is not looked at: all of them
//! may be. Those of an abstract class are found, too, and say what they take; only `newInstance` throws.
//! `Unsafe.allocateInstance(A.class)` makes an `A` without any, so its fields hold what they hold from the start, and
//! whoever made it sets them as it likes. Where classes are asked for those that they list, as in
//! `Shape.class.getPermittedSubclasses()`, those are found as well.

use planish_classfile::Flags;
use planish_jvm_model::program::Class;

use crate::reach::Reach;
use crate::reach::cause::Cause;
use crate::reach::makes::Makes;

impl Reach<'_, '_> {
    /// Objects of a class may be made in these ways.
    pub(super) fn made(&mut self, class: Class, makes: Makes, cause: Cause) {
        if makes.of_listed {
            for listed in self.lists(class) {
                self.mention_as_listed(listed, cause);
                self.loads_class(listed, Makes { of_listed: false, ..makes }, cause);
            }
        }
        let program = self.program;
        let is_abstract = program.classes[class].file.flags.has(Flags::ABSTRACT);
        if makes.by_constructors {
            for &method in &program.classes[class].methods {
                if program.member_name(program.methods[method].selector) == b"<init>" {
                    match is_abstract {
                        true => self.run_from_outside(method, cause),
                        false => self.keep_method(method, cause),
                    }
                }
            }
        }
        if makes.by_nothing && !is_abstract {
            self.initialize(class, cause);
            self.instantiate(class, cause);
            let above = program.hierarchy.ancestors(program.classes[class].id);
            for class in above.filter_map(|above| program.class(above)).collect::<Vec<_>>() {
                for &field in &program.classes[class].fields {
                    if !program.fields[field].flags.has(Flags::STATIC) {
                        self.use_field(field, cause);
                    }
                }
            }
        }
    }
}
