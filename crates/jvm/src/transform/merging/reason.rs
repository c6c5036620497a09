//! Why classes stay apart.

use std::collections::BTreeMap;
use std::fmt;

/// Why a class does not become a part of the only one that extends it, or one with others that have static members alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// It, or the one below.
    Observed,
    /// By a text, a rule, or a class file that stays as it is.
    Named,
    /// An array of it is none of the one below.
    Arrays,
    /// Somebody asks classes which ones they extend.
    Above,
    /// What a package sees would not be seen.
    Package,
    /// Frames, and what is strict, go by the version.
    Version,
    /// Somebody may ask for them.
    Annotations,
    /// Somebody asks for generic types, and one of the two has some.
    GenericTypes,
    /// Somebody asks around which class another one lies.
    ClassesAround,
    /// What is private would be seen by others.
    Nest,
    /// A method of the JDK may look at the calling class.
    Caller,
    /// A handle calls a method above.
    Handle,
    /// A static method holds the monitor of the class.
    Lock,
    /// It would run at another time.
    Initializer,
    /// A class with objects would have a method without body.
    Abstract,
    /// `super.f()` leads to the body that an interface has.
    Default,
    /// A static or private method has the name of one of objects above, or a member that of one that is meant above.
    Hidden,
    /// Two methods that differ in nothing but one of the types.
    Overloads,
    /// Nothing is known of a class that it names.
    Missing,
    /// It says which classes extend it.
    Sealed,
    /// There is no other one of its package, nest and version.
    Alone,
    /// The class file could not be written, or does not verify.
    Unwritten,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Observed => {
                "it has objects, or something outside, reflection or serialization may look at it or the other"
            }
            Reason::Named => "a text, a rule or a class file that stays names it or the other",
            Reason::Arrays => "arrays of it are made",
            Reason::Above => "classes are asked which ones they extend",
            Reason::Package => "the one below is in another package",
            Reason::Version => "the class files are of different versions",
            Reason::Annotations => "it has annotations that may be asked for",
            Reason::GenericTypes => "generic types are asked for",
            Reason::ClassesAround => "other classes lie in it, and it is asked in which they do",
            Reason::Nest => "it is in another nest",
            Reason::Caller => "it calls what may look at the calling class",
            Reason::Handle => "a method handle calls a method above",
            Reason::Lock => "it has a static synchronized method",
            Reason::Initializer => "it or the other does something when it is initialized",
            Reason::Abstract => "a method without body would be left",
            Reason::Default => "super leads to a method of an interface",
            Reason::Hidden => "a member would hide another one",
            Reason::Overloads => "two methods or fields would get the same type",
            Reason::Missing => "it names classes that are not there",
            Reason::Sealed => "it says which classes extend it",
            Reason::Alone => "there is no other one in its package, nest and version",
            Reason::Unwritten => "the class cannot be written",
        })
    }
}

/// How many classes do not become a part of the one below, by the reason, and the first of them.
pub type Refused = BTreeMap<Reason, (u64, String)>;
