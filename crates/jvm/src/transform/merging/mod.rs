//! Class merging: classes that a program can do without, since another one can be what they are.
//!
//! - [`observed`]: classes that something other than instructions looks at; those stay.
//! - `facts`: what the constants of a program say; `vertical`, `horizontal`: which classes may become a part of which.
//! - `overloads`: members that types alone tell apart, which may become the same; `members`: what members are called then,
//!   and which of them go.
//! - `calls`: calls that lead to the class above, in the classes that become one; [`apply`]: class files.
//!
//! All of it comes behind everything else that is done to a program but new names, so nothing else has to know of classes
//! that have become one.

pub mod apply;
mod calls;
mod facts;
mod horizontal;
mod members;
pub mod observed;
mod overloads;
mod vertical;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use planish_base::Id;
use planish_classfile::ClassFile;
use planish_jvm_analysis::passes::{HORIZONTAL_MERGING, VERTICAL_MERGING};
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_analysis::sought::Sought;
use planish_jvm_model::program::{Class, Field, Method, Program};
use planish_keep::Configuration;
use planish_keep::attributes::KeptAttributes;

use facts::{Facts, Outside};
use members::Members;
use observed::Unobserved;
use overloads::ambiguous;

/// What is asked of merging.
pub struct Asked<'r> {
    /// Keep rules.
    pub rules: &'r Configuration,
    /// Which attributes stay.
    pub kept: &'r KeptAttributes,
    /// The annotations that the program asks for.
    pub annotations: &'r BTreeSet<Box<[u8]>>,
    /// Class files that stay as they are.
    pub outside: &'r [ClassFile<'r>],
    /// What the program looks for by names.
    pub sought: &'r Sought,
    /// Classes that nothing outside looks at.
    pub unobserved: &'r Unobserved,
    /// Whether classes become a part of the one below, and of one beside.
    pub directions: (bool, bool),
}

/// Why a class does not become a part of the only one that extends it.
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
    /// A static or private method has the name of one of objects above.
    Hidden,
    /// Two methods that differ in nothing but one of the types.
    Overloads,
    /// The class file could not be written, or does not verify.
    Unwritten,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Observed => {
                "it has objects, or something outside, reflection or serialization may look at one of both"
            }
            Reason::Named => "a text, a rule or a class file that stays names one of both",
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
            Reason::Initializer => "one of both does something when it is initialized",
            Reason::Abstract => "a method without body would be left",
            Reason::Default => "super leads to a method of an interface",
            Reason::Hidden => "a static or private method has the name of one of objects",
            Reason::Overloads => "two methods or fields would get the same type",
            Reason::Unwritten => "the class cannot be written",
        })
    }
}

/// How many classes do not become a part of the one below, by the reason, and the first of them.
pub type Refused = BTreeMap<Reason, (u64, String)>;

/// By class the one of which it becomes a part.
type Targets = Vec<Option<Class>>;

/// What fits: by class the one of which it is a part in the end, the classes of each of those, and their members.
type Fit = (Targets, BTreeMap<Class, Vec<Class>>, Members);

/// Which classes of a program become a part of others, and what becomes of their members.
pub struct Merges {
    /// By class the class of which it is a part in the end.
    into: Vec<Option<Class>>,
    /// By class that gets others those, the one at the top first.
    groups: BTreeMap<Class, Vec<Class>>,
    members: Members,
    /// By class whether it becomes public, since a class of another package names what becomes a part of it.
    becomes_public: Vec<bool>,
    /// How many classes do not become a part of the one below, by the reason, and one of them.
    pub refused: Refused,
    /// How many become a part of the one below, and of one beside.
    pub counts: (u64, u64),
}

impl Merges {
    /// Decides which classes become one, as far as the record allows it. O(program), and again for each time that classes turn
    /// out not to fit.
    pub fn of(program: &Program<'_>, asked: &Asked<'_>, record: &mut ProgramRecord) -> Merges {
        let outside = Outside { rules: asked.rules, files: asked.outside, sought: asked.sought };
        let facts = Facts::of(program, &outside);
        let mut refused = Refused::new();
        let mut refuse = |class: Class, reason| {
            refused.entry(reason).or_insert_with(|| (0, program.show_class(class))).0 += 1;
        };
        let count = program.counts()[0];
        let mut below = match asked.directions.0 {
            true => vertical::candidates(program, &facts, asked, &mut refuse),
            false => vec![None; count],
        };
        let beside = match asked.directions.1 {
            true => horizontal::candidates(program, &facts, asked),
            false => vec![None; count],
        };
        let mut beside = beside;
        let members = loop {
            let into = united(&below, &beside);
            let groups = groups(program, &into);
            let mut wrong = ambiguous(program, &into);
            for (&target, sources) in &groups {
                wrong.extend(members::unfit(program, target, sources));
            }
            if wrong.is_empty() {
                let members = Members::of(program, &into, &groups);
                let unwritten = apply::unwritten(program, &into, &groups, &members);
                wrong.extend(unwritten.into_iter().map(|class| (class, Reason::Unwritten)));
                if wrong.is_empty() {
                    break (into, groups, members);
                }
            }
            for (class, reason) in wrong {
                if below[class.index()].take().is_some() {
                    refuse(class, reason);
                }
                beside[class.index()] = None;
            }
        };
        Merges::recorded(program, &facts, (below, beside), members, record, refused)
    }

    /// The merges that the record allows.
    fn recorded(
        program: &Program<'_>,
        facts: &Facts,
        (mut below, mut beside): (Targets, Targets),
        (mut into, mut groups, mut members): Fit,
        record: &mut ProgramRecord,
        refused: Refused,
    ) -> Merges {
        let mut order: Vec<Class> =
            program.classes.ids().filter(|class| into[class.index()].is_some()).collect();
        order.sort_by_key(|&class| program.name(class));
        let (mut is_less, mut counts) = (false, (0, 0));
        for class in order {
            let (of, pass, count) = match below[class.index()] {
                Some(of) => (of, &VERTICAL_MERGING, &mut counts.0),
                None => (into[class.index()].expect("it becomes a part"), &HORIZONTAL_MERGING, &mut counts.1),
            };
            let say = || {
                format!("class {} becomes a part of {}", program.show_class(class), program.show_class(of))
            };
            match record.rewrite(pass, say) {
                true => *count += 1,
                false => {
                    is_less = true;
                    (below[class.index()], beside[class.index()]) = (None, None);
                }
            }
        }
        if is_less {
            into = united(&below, &beside);
            groups = self::groups(program, &into);
            members = Members::of(program, &into, &groups);
        }
        let mut becomes_public = vec![false; into.len()];
        for (&target, sources) in &groups {
            let is_public = |class: Class| {
                let flags = program.classes[class].file.flags;
                flags.has(planish_classfile::Flags::PUBLIC) && facts.is_named_afar[class.index()]
            };
            becomes_public[target.index()] = sources.iter().any(|&class| is_public(class));
        }
        Merges { into, groups, members, becomes_public, refused, counts }
    }

    /// Whether no class becomes a part of another.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Whether a class becomes a part of another.
    pub fn goes(&self, class: Class) -> bool {
        self.into[class.index()].is_some()
    }

    /// The class that a member is of in the end, and its name and descriptor there; nothing if it goes, or if they are as
    /// they were.
    pub fn new_method(&self, program: &Program<'_>, method: Method) -> Option<(Class, Vec<u8>)> {
        self.members.new_method(program, &self.into, method)
    }

    /// The same of a field.
    pub fn new_field(&self, program: &Program<'_>, field: Field) -> Option<(Class, Vec<u8>)> {
        self.members.new_field(program, &self.into, field)
    }
}

/// By class the one of which it is a part in the end.
fn united(below: &[Option<Class>], beside: &[Option<Class>]) -> Vec<Option<Class>> {
    let next = |class: Class| below[class.index()].or(beside[class.index()]);
    let last = |mut class: Class| {
        while let Some(further) = next(class) {
            class = further;
        }
        class
    };
    below.iter().zip(beside).map(|(below, beside)| below.or(*beside).map(last)).collect()
}

/// The classes that become a part of each, the one at the top first, those beside each other by their names.
fn groups(program: &Program<'_>, into: &[Option<Class>]) -> BTreeMap<Class, Vec<Class>> {
    let mut groups: BTreeMap<Class, Vec<Class>> = BTreeMap::new();
    for class in program.classes.ids() {
        if let Some(target) = into[class.index()] {
            groups.entry(target).or_default().push(class);
        }
    }
    for sources in groups.values_mut() {
        let depth = |class: Class| program.hierarchy.ancestors(program.classes[class].id).count();
        sources.sort_by_key(|&class| (depth(class), program.name(class)));
    }
    groups
}
