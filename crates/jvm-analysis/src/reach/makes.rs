//! How methods make objects of classes that are constants, or that they load by name.

use planish_classfile::MemberRef;
use planish_jvm_model::uses::Use;

use crate::reflection::looks::{Looks, looks};

/// How a method may make objects of classes that it has or names as constants.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Makes {
    /// By constructors that it looks up.
    pub(crate) by_constructors: bool,
    /// Without a constructor.
    pub(crate) by_nothing: bool,
    /// Of the classes, too, that these list.
    pub(crate) of_listed: bool,
}

/// Whether a call looks constructors up.
pub(crate) fn looks_up(member: &MemberRef<'_>) -> bool {
    match (member.class, member.name) {
        (b"java/lang/Class", name) => {
            name.starts_with(b"getConstructor") || name.starts_with(b"getDeclaredConstructor")
        }
        (b"java/lang/invoke/MethodHandles$Lookup", name) => name == b"findConstructor",
        (b"java/lang/constant/MethodHandleDesc", name) => name == b"ofConstructor",
        _ => false,
    }
}

/// Whether a method of the JDK makes objects whose constructors do not run.
pub(crate) fn allocates(member: &MemberRef<'_>) -> bool {
    matches!(
        (member.class, member.name),
        (b"sun/misc/Unsafe" | b"jdk/internal/misc/Unsafe", b"allocateInstance")
            | (b"sun/reflect/ReflectionFactory", b"newConstructorForSerialization")
    )
}

impl Makes {
    /// What the calls of a method say.
    pub(crate) fn of(uses: &[(u32, Use<'_>)]) -> Self {
        let mut makes = Makes::default();
        for (_, found) in uses {
            let (Use::Call(_, member) | Use::Handle(_, member)) = found else { continue };
            makes.by_constructors |= looks_up(member);
            makes.by_nothing |= allocates(member);
            makes.of_listed |= member.class == b"java/lang/Class" && looks(member) == Some(Looks::Classes);
        }
        makes
    }
}

impl Makes {
    /// In the ways of either.
    pub(crate) fn or(self, other: Makes) -> Makes {
        Makes {
            by_constructors: self.by_constructors || other.by_constructors,
            by_nothing: self.by_nothing || other.by_nothing,
            of_listed: self.of_listed || other.of_listed,
        }
    }
}
