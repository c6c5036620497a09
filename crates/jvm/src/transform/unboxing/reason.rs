//! Why enums stay objects.

use std::collections::BTreeMap;
use std::fmt;

/// Why an enum does not become an `int`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// By something outside, by reflection or serialization.
    Observed,
    /// By a text, a rule, or a class file that stays as it is.
    Named,
    /// A constant is of a class of its own.
    Bodies,
    /// Constants have fields.
    Fields,
    /// The initializer does something that could be seen.
    Initializer,
    /// A method holds the monitor of a constant.
    Lock,
    /// Somebody may ask for them.
    Annotations,
    /// Somebody asks for them, and one has the enum.
    GenericTypes,
    /// A call site, a handle, a type of a method, or a component of a record.
    Sites,
    /// A body that speaks of it cannot be looked into.
    Unreadable,
    /// A constant, or an array of them, is used as some other object.
    Object,
    /// It is cast from something else, or asked about its class.
    Cast,
    /// A method that has no counterpart.
    Method,
    /// A null is one of the enum and of something else.
    Null,
    /// Two constructors would get the same type.
    Overloads,
    /// The class file could not be written, or does not verify.
    Unwritten,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Observed => "something outside, reflection or serialization may look at it",
            Reason::Named => "a text, a rule or a class file that stays names it",
            Reason::Bodies => "a constant has a body of its own",
            Reason::Fields => "its constants have fields",
            Reason::Initializer => "its initializer does more than make constants",
            Reason::Lock => "a method holds the monitor of a constant",
            Reason::Annotations => "annotations name it",
            Reason::GenericTypes => "generic types are asked for",
            Reason::Sites => "a call site, a handle or a record names it",
            Reason::Unreadable => "a body that names it is not known",
            Reason::Object => "a constant is used as an object",
            Reason::Cast => "an object is cast to it, or asked whether it is one",
            Reason::Method => "a method of constants is called that numbers do not have",
            Reason::Null => "a null is one of it and of another class",
            Reason::Overloads => "two constructors would get the same type",
            Reason::Unwritten => "a class that names it cannot be written",
        })
    }
}

/// How many enums stay objects, by the reason, and the first of them.
pub type Kept = BTreeMap<Reason, (u64, String)>;
