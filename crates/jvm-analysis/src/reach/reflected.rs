//! What was seen of reflection so far: what is looked up, and by which names.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::{HashMap, HashSet};
use planish_classfile::annotation::Annotation;
use planish_jvm_model::program::{Class, Method, Program, Selector};
use rustc_hash::FxBuildHasher;

use crate::reach::cause::Cause;
use crate::reach::makes::Makes;
use crate::reach::places::Places;
use crate::sought::Sought;

/// What kinds of reflection were seen so far.
#[derive(Default)]
pub struct Reflection {
    /// Whether looking through members finds every one.
    pub(crate) enumerated: bool,
    pub(crate) fields: bool,
    pub(crate) methods: bool,
    pub(crate) constructors: bool,
    /// The classes that a class lists are members of it.
    pub(crate) listed: bool,
    /// Whether classes are loaded by names that are computed.
    pub(crate) loads: bool,
    /// Whether classes are made at run time.
    pub(crate) defines: bool,
    pub(crate) serialization: bool,
    /// Whether fields, and whether methods, are looked up by name.
    pub(crate) named: (bool, bool),
    /// Strings of code that runs.
    pub(crate) strings: Vec<(Box<[u8]>, Cause)>,
    pub(crate) known_strings: HashSet<Box<[u8]>, FxBuildHasher>,
    pub(crate) seen: HashSet<Box<[u8]>, FxBuildHasher>,
    /// Classes that are needed, in the order in which they came.
    pub(crate) classes: Vec<Class>,
    /// Those of them that declare a member of a name: code has many strings, and few are names.
    pub(crate) declaring: HashMap<Vec<u8>, Vec<Class>, FxBuildHasher>,
    /// Whether instances are made of classes that are values.
    pub(crate) makes: bool,
    /// Classes whose objects are values.
    pub(crate) constants: Vec<(Class, Cause)>,
    /// Whether objects are made that implement any interface.
    pub(crate) proxies: bool,
    /// Whether they are proxies, which implement interfaces that are values.
    pub(crate) implements: bool,
    /// Interfaces that are values, until then.
    pub(crate) interfaces: Vec<(Class, Cause)>,
    /// The places that are asked for.
    pub(crate) places: Places,
    /// Whether bundles of resources are asked for, and those that are classes then.
    pub(crate) reads_bundles: bool,
    pub(crate) bundles: Vec<Class>,
    /// Whether the content of resources is asked for.
    pub(crate) contents: bool,
    /// Whether class files are read whose names are computed.
    pub(crate) reads_any: bool,
    /// The annotations that are asked for, if not all of them stay.
    pub(crate) annotations: Annotations,
    /// The methods that load classes by what they are given.
    pub(crate) loading: Loading,
    /// Names in fields, arrays and resources.
    pub(crate) listed_names: Listed,
    /// Classes that are found by parts of their names, and by their whole names.
    pub(crate) by_parts: BTreeSet<Class>,
    pub(crate) by_name: BTreeSet<Class>,
    /// The enums that may be asked for their constants.
    pub(crate) enums: EnumConstants,
}

/// Enums that are initialized and that nobody asks for their constants so far; whether all are asked, and whether that is somebody
/// who finds their classes by what members say of themselves.
#[derive(Default)]
pub(crate) struct EnumConstants {
    pub(crate) all: bool,
    pub(crate) finds: bool,
    pub(crate) waiting: Vec<(Class, Cause)>,
}

impl Reflection {
    pub(crate) fn new(enumerated: bool) -> Self {
        Reflection { enumerated, ..Reflection::default() }
    }

    /// Whether objects may be made at run time of classes that are not in the program.
    pub fn makes_proxies(&self) -> bool {
        self.proxies
    }

    /// Whether the program makes classes, and nobody says which ones they extend.
    pub fn makes_classes(&self) -> bool {
        self.defines
    }

    /// Whether nobody says what is found by reflection.
    pub fn is_unknown(&self) -> bool {
        self.enumerated
    }

    /// Whether constructors are looked for: by the program, or by serialization, which wants one without parameters.
    pub fn may_look_for_constructors(&self) -> bool {
        self.makes || self.serialization
    }

    /// Whether objects are written, or nobody says what is found by reflection.
    pub fn may_write_objects(&self) -> bool {
        self.serialization || self.enumerated
    }

    /// What of a program is looked for by its name, as far as it is seen.
    pub fn sought(&self, program: &Program<'_>) -> Sought {
        let names = |found: &BTreeSet<Class>| found.iter().map(|&class| program.name(class).into()).collect();
        Sought {
            classes: names(&self.by_parts),
            whole: names(&self.by_name),
            any_class: self.loads || self.defines || self.reads_any,
            fields: self.fields,
            methods: self.methods,
            serialized: self.serialization,
        }
    }

    /// The places that are asked for.
    pub fn places(&self) -> &Places {
        &self.places
    }

    /// What was seen, in words; for the summary.
    pub fn describe(&self) -> Vec<&'static str> {
        let rows = [
            (self.fields, "fields are looked up at run time"),
            (self.methods, "methods are looked up at run time"),
            (self.constructors, "constructors are looked up at run time"),
            (self.listed, "classes inside of others are looked up at run time"),
            (self.loads, "classes are loaded by names that are computed"),
            (self.defines, "classes are made at run time"),
            (self.serialization, "objects are serialized"),
            (self.reads_any, "class files are read by names that are computed"),
        ];
        rows.into_iter().filter(|(seen, _)| *seen).map(|(_, text)| text).collect()
    }
}

/// A resource by its whole name, and the classes that it names.
pub(crate) type Resource = (Vec<u8>, Vec<Class>);

/// Names that may be loaded.
#[derive(Default)]
pub(crate) struct Listed {
    /// How objects are made of classes that are loaded by unknown names; nothing as long as none is.
    pub(crate) loads: Option<Makes>,
    /// Resources with names of classes that nobody asked for so far, by the last parts of their names.
    pub(crate) resources: HashMap<Vec<u8>, Vec<Resource>, FxBuildHasher>,
    /// The classes that resources name which are asked for.
    pub(crate) named: Vec<(Class, Cause)>,
    /// Texts in annotations.
    pub(crate) in_annotations: Vec<(Box<[u8]>, Cause)>,
}

/// Methods that load classes by names that they are given.
#[derive(Default)]
pub(crate) struct Loading {
    /// The places of such parameters, the receiver being the first, and how objects are made of the classes.
    pub(crate) helpers: BTreeMap<Method, Vec<(usize, Makes)>>,
    /// What they are called.
    pub(crate) called: HashSet<Box<[u8]>, FxBuildHasher>,
    /// Those of them to which a name comes that is not known.
    pub(crate) unknown: HashSet<Method, FxBuildHasher>,
    /// The helpers that hand what they are given on to a helper.
    pub(crate) hand_on: HashMap<Method, Vec<Method>, FxBuildHasher>,
    /// The classes that speak of a selector, once that is asked.
    pub(crate) speaking: Option<HashMap<Selector, Vec<Class>, FxBuildHasher>>,
    /// The methods whose bodies were seen, by their class.
    pub(crate) bodies: HashMap<Class, Vec<Method>, FxBuildHasher>,
}

/// Annotations that stay only where they are asked for.
#[derive(Default)]
pub(crate) struct Annotations {
    /// Types that are asked for, as in `a/B`.
    pub(crate) asked: BTreeSet<Box<[u8]>>,
    /// Annotations whose type is not asked for so far, with the class in whose file they stand.
    pub(crate) waiting: HashMap<Box<[u8]>, Vec<(Class, Annotation)>, FxBuildHasher>,
}
