//! Access flags of classes, fields, methods, parameters and modules.
//!
//! The same bit means different things in different places (`0x20` is `synchronized` of a method and
//! `super` of a class), so the names are constants on one transparent type. Bits without a name are
//! kept.

use std::fmt;
use std::ops::{BitAnd, BitOr, Not};

/// A set of access flags.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Flags(pub u16);

macro_rules! flags {
    ($($(#[$meta:meta])* $name:ident = $bit:literal;)*) => {
        impl Flags {
            $($(#[$meta])* pub const $name: Flags = Flags($bit);)*
        }
    };
}

flags! {
    /// Class, field, method: visible everywhere.
    PUBLIC = 0x0001;
    /// Field, method, member class: visible in its nest.
    PRIVATE = 0x0002;
    /// Field, method, member class: visible in its package and to subclasses.
    PROTECTED = 0x0004;
    /// Field, method, member class: belongs to the class.
    STATIC = 0x0008;
    /// Class, field, method, parameter: not to be extended, assigned, overridden.
    FINAL = 0x0010;
    /// Class: `invokespecial` looks in the super class of the current class.
    SUPER = 0x0020;
    /// Method: holds the monitor while it runs.
    SYNCHRONIZED = 0x0020;
    /// Module: nothing outside the module may open it.
    OPEN = 0x0020;
    /// Module requirement: readers of the module read this one, too.
    TRANSITIVE = 0x0020;
    /// Module requirement: needed while compiling only.
    STATIC_PHASE = 0x0040;
    /// Field: reads and writes are ordered between threads.
    VOLATILE = 0x0040;
    /// Method: made by the compiler to override under an erased type.
    BRIDGE = 0x0040;
    /// Field: not part of the serialized form.
    TRANSIENT = 0x0080;
    /// Method: the last parameter takes a variable number of arguments.
    VARARGS = 0x0080;
    /// Method: implemented outside the class file.
    NATIVE = 0x0100;
    /// Class: an interface.
    INTERFACE = 0x0200;
    /// Class, method: has parts without implementation.
    ABSTRACT = 0x0400;
    /// Method of a class file of version 46 to 60: floating point without wider exponents.
    STRICT = 0x0800;
    /// Anything: not in the source.
    SYNTHETIC = 0x1000;
    /// Class: an annotation interface.
    ANNOTATION = 0x2000;
    /// Class, field: an enum or its constant.
    ENUM = 0x4000;
    /// Class: a module descriptor.
    MODULE = 0x8000;
    /// Parameter, module part: in no source, but demanded by the language.
    MANDATED = 0x8000;
}

impl Flags {
    /// Whether all of `flags` are set.
    #[inline]
    pub const fn has(self, flags: Flags) -> bool {
        self.0 & flags.0 == flags.0
    }

    /// Whether one of `flags` is set.
    #[inline]
    pub const fn any(self, flags: Flags) -> bool {
        self.0 & flags.0 != 0
    }

    /// These flags and those.
    #[inline]
    pub const fn with(self, flags: Flags) -> Flags {
        Flags(self.0 | flags.0)
    }

    /// These flags without those.
    #[inline]
    pub const fn without(self, flags: Flags) -> Flags {
        Flags(self.0 & !flags.0)
    }
}

impl BitOr for Flags {
    type Output = Flags;
    fn bitor(self, other: Flags) -> Flags {
        self.with(other)
    }
}

impl BitAnd for Flags {
    type Output = Flags;
    fn bitand(self, other: Flags) -> Flags {
        Flags(self.0 & other.0)
    }
}

impl Not for Flags {
    type Output = Flags;
    fn not(self) -> Flags {
        Flags(!self.0)
    }
}

impl fmt::Debug for Flags {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:#06x}", self.0)
    }
}
