//! Why enums stay objects.

use std::fmt;

/// Why an enum does not become an `int`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Reason {
    /// A constant is of a class of its own.
    Bodies,
    /// A method holds the monitor of a constant.
    Lock,
    /// Constants have fields of which it is not known what they hold.
    Fields,
    /// The initializer asks whether assertions are on.
    Assertions,
    /// The initializer does something else that could be seen.
    Initializer,
    /// An interface is initialized with it.
    Interface,
    /// A static field of it is used that is none of its constants.
    StaticField,
    /// A rule keeps it.
    Rule,
    /// By a text, or a class file that stays as it is.
    Named,
    /// Somebody may ask for them.
    Annotations,
    /// It is the type of a component of a record.
    Record,
    /// A call site, a handle, or a type of a method.
    Sites,
    /// Somebody asks for them, and one has the enum.
    GenericTypes,
    /// Objects are written or read.
    Written,
    /// Somebody asks enums for their constants that nobody knows.
    Listed,
    /// By something outside.
    Outside,
    /// Somebody has the object of the class.
    ClassObject,
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

impl Reason {
    /// All there are.
    pub const ALL: [Reason; 24] = [
        Reason::Bodies,
        Reason::Lock,
        Reason::Fields,
        Reason::Assertions,
        Reason::Initializer,
        Reason::Interface,
        Reason::StaticField,
        Reason::Rule,
        Reason::Named,
        Reason::Annotations,
        Reason::Record,
        Reason::Sites,
        Reason::GenericTypes,
        Reason::Written,
        Reason::Listed,
        Reason::Outside,
        Reason::ClassObject,
        Reason::Unreadable,
        Reason::Object,
        Reason::Cast,
        Reason::Method,
        Reason::Null,
        Reason::Overloads,
        Reason::Unwritten,
    ];
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Bodies => "a constant has a body of its own",
            Reason::Lock => "a method holds the monitor of a constant",
            Reason::Fields => {
                "its constants have fields that change, or are neither of `int` nor of `String`"
            }
            Reason::Assertions => "it has assertions, whose initializer asks for the class",
            Reason::Initializer => "its initializer does more than make constants",
            Reason::Interface => "an interface that it implements has an initializer",
            Reason::StaticField => "a static field of it is used besides its constants",
            Reason::Rule => "a rule keeps it, or a member of its type",
            Reason::Named => "a text, a rule or a class file that stays names it",
            Reason::Annotations => "annotations name it",
            Reason::Record => "a record has a component of its type",
            Reason::Sites => "a call site or a handle names it",
            Reason::GenericTypes => "generic types are asked for",
            Reason::Written => "objects are written or read, and it may be among them",
            Reason::Listed => "the program asks enums for their constants, and finds classes by reflection",
            Reason::Outside => "something outside may use it, or a member of its type",
            Reason::ClassObject => "the object of its class is used",
            Reason::Unreadable => "a body that names it is not known",
            Reason::Object => "a constant is used as an object",
            Reason::Cast => "an object is cast to it, or asked whether it is one",
            Reason::Method => "a method of constants is called that numbers do not have",
            Reason::Null => "a null is one of it and of another class",
            Reason::Overloads => "two constructors would get the same type",
            Reason::Unwritten => "a class that names it would not fit or not verify with numbers",
        })
    }
}

/// An enum that stays an object.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Object {
    /// Why.
    pub reason: Reason,
    /// The enum, as in `a.B`.
    pub name: String,
    /// Where that shows, as in `a.C.f (C.java:12)`.
    pub place: String,
}

/// The enums that stay objects, by their reasons and names.
pub type Kept = Vec<Object>;
