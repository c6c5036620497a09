//! Access checks of method resolution (JVMS 5.4.4): from which classes a method may be called by the name of its class.
//!
//! Of classes that were compiled at different times one may name what it does not see any more, and what does so throws. So what
//! is known of a method by its name alone, as that it only computes or only fills in its object, holds for those that see it.

use std::sync::Arc;

use planish_classfile::Flags;

use crate::names::package;
use crate::program::{Method, Program};
use crate::visibility::nestmates;

/// From which classes calls of a static method or a constructor are linked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum LinkedFrom {
    /// From all.
    Everywhere,
    /// From its package. Classes elsewhere that are below its class may see it as well, but need not be known.
    Package,
    /// From its class and others of its nest, with these names.
    Classes(Arc<[Box<[u8]>]>),
}

impl LinkedFrom {
    /// From where a method of a program may be called.
    pub fn of(program: &Program<'_>, method: Method) -> Self {
        let info = &program.methods[method];
        let is_public = |flags: Flags| flags.has(Flags::PUBLIC);
        if info.flags.has(Flags::PRIVATE) {
            let nest = nestmates(program, info.class);
            return LinkedFrom::Classes(nest.into_iter().map(|class| program.name(class).into()).collect());
        }
        match is_public(info.flags) && is_public(program.classes[info.class].file.flags) {
            true => LinkedFrom::Everywhere,
            false => LinkedFrom::Package,
        }
    }

    /// Whether a class may call it, which is a method of `class`.
    pub fn has(&self, class: &[u8], caller: &[u8]) -> bool {
        match self {
            LinkedFrom::Everywhere => true,
            LinkedFrom::Package => package(class) == package(caller),
            LinkedFrom::Classes(names) => names.iter().any(|name| **name == *caller),
        }
    }
}
