//! What a lookup asks for, and what it may find.

use planish_keep::pattern::NamePattern;

/// What a call asks for, the most dangerous first: who looks through members finds fewer of them and says nothing, while a
/// class that is not there is an exception.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Asks {
    /// Looks through members.
    Lists,
    /// Reads an attribute of class files.
    Attributes,
    /// Reads objects of classes that the stream names.
    Objects,
    /// Loads a class by its name.
    Loads,
    /// Looks up a member by its name.
    Names,
    /// Looks up a constructor.
    Makes,
    /// Asks for a bundle of resources.
    Bundles,
    /// Reads the file of a class.
    Files,
    /// Makes classes of bytes.
    Defines,
    /// Is native: other code runs, and may use whatever it knows.
    Native,
}

impl Asks {
    /// What places of this kind do, in words.
    pub fn describe(self) -> &'static str {
        match self {
            Asks::Lists => "looks through the members of classes",
            Asks::Attributes => "reads attributes of class files",
            Asks::Objects => "reads objects of any class",
            Asks::Loads => "loads classes by names that are computed",
            Asks::Names => "looks up members by names that are computed",
            Asks::Makes => "looks up constructors of classes that it is given",
            Asks::Bundles => "asks for bundles of resources by names that are computed",
            Asks::Files => "reads class files",
            Asks::Defines => "makes classes at run time",
            Asks::Native => "has native methods",
        }
    }
}

/// Which classes are meant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Scope {
    /// Their names, as patterns of keep rules; one of them matches.
    pub names: Vec<String>,
    /// The class or interface that they are, extend or implement, as in `a/B`.
    pub below: Option<Box<[u8]>>,
}

/// The pattern of any name.
pub const ANY: &str = "**";

impl Scope {
    /// Any class.
    pub fn any() -> Self {
        Scope { names: vec![ANY.to_owned()], below: None }
    }

    /// The class of this name, as in `a/B`.
    pub(super) fn one(class: &[u8]) -> Self {
        Scope { names: vec![dotted(class)], below: None }
    }

    /// The classes that are this one, as in `a/B`, or extend or implement it. All are objects.
    pub(super) fn below(class: &[u8]) -> Self {
        let below = (class != b"java/lang/Object").then(|| class.into());
        Scope { names: vec![ANY.to_owned()], below }
    }

    /// Whether nothing is known of the classes.
    pub fn is_any(&self) -> bool {
        self.below.is_none() && self.names.iter().any(|name| name == ANY)
    }
}

/// Which members are meant.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Kinds {
    /// Fields.
    pub fields: bool,
    /// Methods.
    pub methods: bool,
    /// Constructors.
    pub constructors: bool,
    /// Classes that stand inside.
    pub classes: bool,
    /// Classes that may extend them, if they are sealed.
    pub permitted: bool,
}

pub(super) fn shown(name: &[u8]) -> std::borrow::Cow<'_, str> {
    String::from_utf8_lossy(name)
}

/// Whether one of the patterns matches a name, as in `a/B`.
pub fn matches_any(patterns: &[String], name: &[u8]) -> bool {
    let matches = |text: &String| {
        text == ANY || NamePattern::parse(text).is_some_and(|pattern| pattern.matches(name, &mut Vec::new()))
    };
    patterns.iter().any(matches)
}

/// A name as in Java.
pub(super) fn dotted(name: &[u8]) -> String {
    shown(name).replace('/', ".")
}
