//! Which enums are asked for their constants by the JDK (`Class.getEnumConstants`, JLS 8.9.3).
//!
//! The JDK finds the constants of an enum by calling its `values()`, for which it needs the object of the class: for
//! `Enum.valueOf`, for sets and maps of constants, to read annotations and objects. An enum whose class is a constant of
//! code that runs, or is found by its name, is asked. Any may be once somebody asks for constants of a class, or of an
//! object, that is not known. As long as none of that is seen, `values()` is a method like others: the array of all
//! constants goes if the program does not look at it, and so do constants that nobody reads.
//!
//! Who asks in the JDK was read from the classes of JDK 17 that call `Enum.valueOf` or what gives the constants of a class.

use planish_base::Id;
use planish_classfile::{Flags, MemberRef};
use planish_jvm_model::program::{Class, Method};
use planish_jvm_model::uses::Use;

use super::{Cause, Reach};

/// How the names of classes of the JDK begin that ask for the constants of classes that they find by themselves.
const FINDERS: [&[u8]; 14] = [
    b"java/beans/",
    b"java/io/ObjectInput",
    b"java/lang/Enum$EnumDesc",
    b"java/lang/constant/",
    b"java/lang/invoke/ConstantBootstraps",
    b"java/lang/management/",
    b"java/lang/runtime/SwitchBootstraps",
    b"java/rmi/",
    b"javax/lang/model/",
    b"javax/management/",
    b"javax/script/",
    b"javax/tools/",
    b"javax/xml/bind/",
    b"javax/xml/ws/",
];

/// The type of objects of classes.
const CLASS: &[u8] = b"Ljava/lang/Class;";

impl Reach<'_, '_> {
    /// Whether a class is an enum, or has the constants of one below itself.
    pub fn is_enum(&self, class: Class) -> bool {
        let file = &self.program.classes[class].file;
        file.flags.has(Flags::ENUM) || file.super_name() == Ok(Some(b"java/lang/Enum"))
    }

    /// A class is initialized. If it is an enum, whoever asks any for its constants asks it.
    pub(super) fn begins(&mut self, class: Class, cause: Cause) {
        match self.reflection.enums.all {
            _ if !self.is_enum(class) => {}
            true => self.gives_constants(class, cause),
            false => self.reflection.enums.waiting.push((class, cause)),
        }
    }

    /// Who has the class of an enum gets at its constants: `EnumSet.allOf(E.class)`, `Enum.valueOf`, `getEnumConstants`
    /// initialize it, whoever calls them, and so does reading one from a stream.
    pub(crate) fn lists_constants(&mut self, class: Class, cause: Cause) {
        if self.is_enum(class) {
            self.initialize(class, cause);
            self.gives_constants(class, cause);
        }
    }

    /// The constants of any enum may be asked for, by somebody of whom nothing is known.
    pub(crate) fn lists_all_constants(&mut self) {
        self.reflection.enums.finds = true;
        self.lists_those_found();
    }

    /// The constants of any enum may be asked for whose class somebody has.
    fn lists_those_found(&mut self) {
        self.reflection.enums.all = true;
        for (class, cause) in std::mem::take(&mut self.reflection.enums.waiting) {
            self.gives_constants(class, cause);
        }
    }

    /// The JDK calls `values()`.
    fn gives_constants(&mut self, class: Class, cause: Cause) {
        let program = self.program;
        for &method in &program.classes[class].methods {
            let info = &program.methods[method];
            if info.flags.has(Flags::STATIC) && program.member_name(info.selector) == b"values" {
                self.list_from_outside(method, cause);
            }
        }
    }

    /// Who has the object of an enum may call a method of it that gives constants.
    pub(super) fn list_from_outside(&mut self, method: Method, cause: Cause) {
        self.methods[method.index()].listed = true;
        self.run(method, cause);
    }

    /// Looks whether a method that may run asks for the constants of enums of which it does not say which.
    pub(super) fn asks_for_constants(&mut self, method: Method, uses: &[(u32, Use<'_>)]) {
        if !self.reflection.enums.finds {
            self.reflection.enums.finds = uses.iter().any(|(_, found)| match found {
                Use::Call(_, member) | Use::Handle(5..=9, member) => {
                    self.may_ask(member.class) || self.gives_found_class(member)
                }
                Use::Field(_, member) => self.may_ask(member.class),
                Use::New(class) => self.may_ask(class),
                _ => false,
            });
        }
        if self.reflection.enums.all {
            return;
        }
        let info = &self.program.methods[method];
        let descriptor = self.program.descriptor(info.selector);
        let mut gets_class = None;
        let asks = uses.iter().any(|(_, found)| match found {
            // Of a class that a constant says it is known.
            Use::Call(_, member) if asks_class(member) => {
                *gets_class.get_or_insert_with(|| has_class(descriptor) || uses.iter().any(gives_class))
            }
            Use::Call(_, member) | Use::Handle(5..=9, member) => {
                asks_class(member) || asks_object(member) || self.may_ask(member.class)
            }
            Use::Field(_, member) => self.may_ask(member.class),
            Use::New(class) => self.may_ask(class),
            _ => false,
        });
        // What native code asks for nobody sees.
        if asks || info.flags.has(Flags::NATIVE) {
            self.lists_those_found();
        }
    }

    /// Whether somebody may get at the classes of enums of which code has neither the object nor a constant: by what members
    /// say of themselves, or as an unknown library does. With rules, members that are found are those that rules or names in the
    /// code keep, so who finds one is seen by these.
    pub fn finds_classes(&self) -> bool {
        self.reflection.enums.finds && self.reflection.enumerated
    }

    /// Whether a method of the JDK gives the object of a class that its caller need not have had or named before.
    fn gives_found_class(&self, member: &MemberRef<'_>) -> bool {
        let known: [&[u8]; 9] = [
            b"getClass",
            b"forName",
            b"loadClass",
            b"findClass",
            b"asSubclass",
            b"getSuperclass",
            b"getInterfaces",
            b"getComponentType",
            b"arrayType",
        ];
        let result = member.descriptor.iter().position(|byte| *byte == b')').unwrap_or(0);
        let result = &member.descriptor[result..];
        let is_type = |part: &[u8]| part.windows(5).any(|part| part == b"Type;");
        let gives = has_class(result)
            || result.windows(18).any(|part| part == b"java/lang/reflect/") && is_type(result);
        gives && !known.contains(&member.name) && self.program.class_named(member.class).is_none()
    }

    /// Whether a class may ask for constants by itself: some of the JDK do, and any other outside of the program may.
    fn may_ask(&self, class: &[u8]) -> bool {
        if class.first() == Some(&b'[') {
            return false;
        }
        // No loader but the JDK's makes classes of `java`.
        let of_jdk = class.starts_with(b"java/")
            || class.starts_with(b"javax/") && self.program.hierarchy.is_platform(class);
        match of_jdk {
            true => FINDERS.iter().any(|name| class.starts_with(name)),
            false => self.program.class_named(class).is_none(),
        }
    }
}

/// Whether a method of the JDK asks the class that it is given for its constants.
fn asks_class(member: &MemberRef<'_>) -> bool {
    match (member.class, member.name) {
        (b"java/lang/Class", b"getEnumConstants") | (b"java/util/EnumSet", b"allOf" | b"noneOf") => true,
        (b"java/util/EnumMap", b"<init>") => member.descriptor == b"(Ljava/lang/Class;)V",
        // Every enum inherits it.
        (_, b"valueOf") => member.descriptor == b"(Ljava/lang/Class;Ljava/lang/String;)Ljava/lang/Enum;",
        _ => false,
    }
}

/// Whether one asks the classes of objects that it is given.
fn asks_object(member: &MemberRef<'_>) -> bool {
    matches!(
        (member.class, member.name),
        (b"java/util/EnumSet", b"of" | b"range" | b"copyOf" | b"complementOf")
            | (b"java/util/EnumMap", b"<init>")
    ) || member.name == b"describeConstable"
}

/// Whether something may give a method the object of a class, other than a constant.
fn gives_class((_, found): &(u32, Use<'_>)) -> bool {
    match found {
        Use::Call(_, member) | Use::Handle(_, member) => {
            let result = member.descriptor.iter().position(|byte| *byte == b')').unwrap_or(0);
            has_class(&member.descriptor[result..])
        }
        Use::Field(_, member) => has_class(member.descriptor),
        Use::MethodType(descriptor) => has_class(descriptor),
        Use::Class(name) => *name == &CLASS[1..CLASS.len() - 1] || has_class(name),
        _ => false,
    }
}

/// Whether a type speaks of objects of classes.
fn has_class(ty: &[u8]) -> bool {
    ty.windows(CLASS.len()).any(|part| part == CLASS)
}
