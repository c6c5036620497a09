//! Reflection, instances: objects that are made of a class whose object is a constant in the same method, or whose name
//! is one where the method loads classes by name.
//!
//! `A.class.getConstructor(int.class).newInstance(3)` runs a constructor of `A`, and which one is not looked at: all of them
//! may be. Those of an abstract class are found, too, and say what they take; only `newInstance` throws.
//! `Unsafe.allocateInstance(A.class)` makes an `A` without any, so its fields hold what they hold from the start, and
//! whoever made it sets them as it likes.

use planish_classfile::{Flags, MemberRef};

use crate::reach::{Cause, Reach};
use planish_jvm_model::program::Class;
use planish_jvm_model::uses::Use;

/// How a method may make objects of classes that it has or names as constants.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Makes {
    /// By constructors that it looks up.
    by_constructors: bool,
    /// Without a constructor.
    by_nothing: bool,
}

impl Makes {
    /// What the calls of a method say.
    pub(super) fn of(uses: &[(u32, Use<'_>)]) -> Self {
        let mut makes = Makes::default();
        for (_, found) in uses {
            let (Use::Call(_, member) | Use::Handle(_, member)) = found else { continue };
            makes.by_constructors |= looks_up(member);
            makes.by_nothing |= allocates(member);
        }
        makes
    }
}

impl Makes {
    /// In the ways of either.
    pub(super) fn or(self, other: Makes) -> Makes {
        Makes {
            by_constructors: self.by_constructors || other.by_constructors,
            by_nothing: self.by_nothing || other.by_nothing,
        }
    }
}

fn looks_up(member: &MemberRef<'_>) -> bool {
    member.class == b"java/lang/Class"
        && (member.name.starts_with(b"getConstructor") || member.name.starts_with(b"getDeclaredConstructor"))
}

/// Whether a method of the JDK makes objects whose constructors do not run.
fn allocates(member: &MemberRef<'_>) -> bool {
    matches!(
        (member.class, member.name),
        (b"sun/misc/Unsafe" | b"jdk/internal/misc/Unsafe", b"allocateInstance")
            | (b"sun/reflect/ReflectionFactory", b"newConstructorForSerialization")
    )
}

impl Reach<'_, '_> {
    /// Objects of a class may be made in these ways.
    pub(super) fn made(&mut self, class: Class, makes: Makes, cause: Cause) {
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
