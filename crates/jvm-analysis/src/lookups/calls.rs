//! Reflection sites, the API: which argument of a call is the name, and which one the class.

use planish_classfile::MemberRef;
use planish_classfile::descriptor::MethodType;
use planish_ir::{Inst, Value};

use super::scope::{ANY, Asks, Kinds, Scope};
use super::text::Text;
use super::values::Values;
use crate::reflection::looks::{names_member, place_of_text};
use crate::reflection::{Looks, looks};

/// What a call asks for.
pub(super) struct Asked {
    pub asks: Asks,
    pub of: Scope,
    pub members: Kinds,
    pub names: Vec<String>,
}

const NONE: Kinds =
    Kinds { fields: false, methods: false, constructors: false, classes: false, permitted: false };
const FIELDS: Kinds = Kinds { fields: true, ..NONE };
const METHODS: Kinds = Kinds { methods: true, ..NONE };
const CONSTRUCTORS: Kinds = Kinds { constructors: true, ..NONE };
const CLASSES: Kinds = Kinds { classes: true, ..NONE };
const PERMITTED: Kinds = Kinds { permitted: true, ..NONE };

/// The arguments of a call, as far as they are known.
#[derive(Clone, Copy)]
struct Arguments<'v, 'f, 'a> {
    known: Option<(&'v Values<'f, 'a>, Inst)>,
}

impl Arguments<'_, '_, '_> {
    fn value(&self, place: usize) -> Option<Value> {
        let (values, inst) = self.known?;
        values.args(inst).get(place).copied()
    }

    /// The texts that an argument may be.
    fn texts(&self, place: usize) -> Vec<Text> {
        match self.known.zip(self.value(place)) {
            Some(((values, _), value)) => values.texts(value),
            None => vec![Text::any()],
        }
    }

    /// The class whose object an argument may be.
    fn class(&self, place: usize) -> Scope {
        match self.known.zip(self.value(place)) {
            Some(((values, _), value)) => values.class_of(value),
            None => Scope::any(),
        }
    }

    /// The classes that the names in an argument are of.
    fn named(&self, place: usize) -> Scope {
        let texts = match self.known {
            Some((values, inst)) => values.names_given(inst, place),
            None => vec![Text::any()],
        };
        let names = texts.iter().flat_map(Text::class_patterns).collect();
        let below = self.known.and_then(|(values, inst)| values.use_of_class(inst).below());
        Scope { names, below }
    }

    /// Whether objects are made of the class that the call gives.
    fn makes(&self) -> bool {
        self.known.is_none_or(|(values, inst)| values.use_of_class(inst).makes())
    }

    /// The names of members that an argument may say.
    fn members(&self, place: usize) -> Vec<String> {
        self.texts(place).iter().map(Text::member_pattern).collect()
    }

    /// Whether a class that an argument is comes from a name that is loaded here: then that says it all.
    fn is_loaded_here(&self, place: usize) -> bool {
        self.known.zip(self.value(place)).is_some_and(|((values, _), value)| values.is_loaded(value))
    }
}

/// What a call asks for, if anything that may be unknown. The instruction that makes it says more, if it is at hand.
pub(super) fn asked(member: &MemberRef<'_>, known: Option<(&Values<'_, '_>, Inst)>) -> Option<Asked> {
    let arguments = Arguments { known };
    let all = || vec!["*".to_owned()];
    let of_members = |asks, place, members, names| Asked { asks, of: arguments.class(place), members, names };
    let receiver = known.is_some_and(|(values, inst)| values.has_receiver(inst, member));
    let text = || place_of_text(member, receiver);
    Some(match looks(member)? {
        Looks::Loads => {
            let members = if arguments.makes() { CONSTRUCTORS } else { NONE };
            let of = arguments.named(text());
            Asked { asks: Asks::Loads, of, members, names: all() }
        }
        Looks::Bundles => {
            let mut of = arguments.named(text());
            // A bundle has the name of a locale behind its own.
            let with_locale = |name: String| if name == ANY { name } else { format!("{name}*") };
            of.names = of.names.into_iter().map(with_locale).collect();
            of.below = Some(b"java/util/ResourceBundle"[..].into());
            Asked { asks: Asks::Bundles, of, members: CONSTRUCTORS, names: all() }
        }
        Looks::Fields | Looks::Methods if member.class == b"java/lang/Class" => {
            let members = if looks(member)? == Looks::Fields { FIELDS } else { METHODS };
            match member.name.ends_with(b"s") {
                true => of_members(Asks::Lists, 0, members, all()),
                false => of_members(Asks::Names, 0, members, arguments.members(1)),
            }
        }
        // `newUpdater(Class, Class, String)`, `newUpdater(Class, String)`.
        Looks::Fields | Looks::Methods => {
            let last = arity(member.descriptor) - 1;
            of_members(Asks::Names, 0, FIELDS, arguments.members(last))
        }
        Looks::Constructors if arguments.is_loaded_here(0) => return None,
        // A class whose object is a constant keeps the one without parameters.
        Looks::Constructors if member.name.ends_with(b"s") => of_members(Asks::Lists, 0, CONSTRUCTORS, all()),
        Looks::Constructors => of_members(Asks::Makes, 0, CONSTRUCTORS, all()),
        Looks::Members if member.class == b"java/lang/invoke/MethodHandles$Lookup" => {
            lookup(member, arguments)?
        }
        Looks::Members if names_member(member).is_some() => of_descriptor(member, arguments)?,
        Looks::Members => {
            let place = usize::from(member.name == b"registerMBean");
            let of = if member.name == b"getBeanInfo" { arguments.class(0) } else { arguments.object(place) };
            Asked { asks: Asks::Lists, of, members: METHODS, names: all() }
        }
        Looks::Serializes if matches!(member.name, b"readObject" | b"readUnshared") => {
            let of = Scope::below(b"java/io/Serializable");
            Asked { asks: Asks::Objects, of, members: NONE, names: all() }
        }
        Looks::Contents | Looks::Places => files(arguments.texts(text()))?,
        Looks::Defines => Asked { asks: Asks::Defines, of: Scope::any(), members: NONE, names: all() },
        Looks::Classes if matches!(member.name, b"getPermittedSubclasses" | b"isSealed") => {
            of_members(Asks::Lists, 0, PERMITTED, all())
        }
        Looks::Classes => of_members(Asks::Lists, 0, CLASSES, all()),
        Looks::Packages | Looks::Serializes | Looks::Implements | Looks::Initializes => return None,
    })
}

/// What a `MethodHandles.Lookup` looks up.
fn lookup(member: &MemberRef<'_>, arguments: Arguments<'_, '_, '_>) -> Option<Asked> {
    let of = arguments.class(1);
    Some(match member.name {
        b"findConstructor" if arguments.is_loaded_here(1) => return None,
        b"findConstructor" => {
            Asked { asks: Asks::Makes, of, members: CONSTRUCTORS, names: vec!["*".to_owned()] }
        }
        b"findVirtual" | b"findStatic" | b"findSpecial" | b"bind" => {
            Asked { asks: Asks::Names, of, members: METHODS, names: arguments.members(2) }
        }
        _ => Asked { asks: Asks::Names, of, members: FIELDS, names: arguments.members(2) },
    })
}

/// What is looked up by a nominal descriptor, or as a bootstrap method does.
fn of_descriptor(member: &MemberRef<'_>, arguments: Arguments<'_, '_, '_>) -> Option<Asked> {
    let (name, owner) = names_member(member)?;
    let of = match (arguments.known.zip(arguments.value(owner)), member.class) {
        (_, b"java/lang/invoke/ConstantBootstraps") => arguments.class(owner),
        (Some(((values, _), value)), _) => {
            let names = values.described(value, values.begin()).iter().map(Text::class_pattern).collect();
            Scope { names, below: None }
        }
        (None, _) => Scope::any(),
    };
    Some(match (member.name, name == owner) {
        (_, true) => Asked { asks: Asks::Makes, of, members: CONSTRUCTORS, names: vec!["*".to_owned()] },
        (b"of" | b"ofMethod" | b"ofConstantBootstrap" | b"ofCallsiteBootstrap", _) => {
            Asked { asks: Asks::Names, of, members: METHODS, names: arguments.members(name) }
        }
        _ => Asked { asks: Asks::Names, of, members: FIELDS, names: arguments.members(name) },
    })
}

/// The class files that resources of these names are.
fn files(texts: Vec<Text>) -> Option<Asked> {
    let names: Vec<String> = texts.iter().filter_map(Text::class_file_pattern).collect();
    let of = Scope { names, below: None };
    let all = Kinds { fields: true, methods: true, constructors: true, ..NONE };
    (!of.names.is_empty()).then(|| Asked { asks: Asks::Files, of, members: all, names: vec!["*".to_owned()] })
}

impl Arguments<'_, '_, '_> {
    /// The classes of which an argument may be an object.
    fn object(&self, place: usize) -> Scope {
        match self.known.zip(self.value(place)) {
            Some(((values, _), value)) => {
                values.type_of(value).map_or_else(Scope::any, |ty| Scope::below(&ty))
            }
            None => Scope::any(),
        }
    }
}

/// How many parameters a method has.
fn arity(descriptor: &[u8]) -> usize {
    MethodType::parse(descriptor).map_or(0, |ty| ty.parameters().count())
}
