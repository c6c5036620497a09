//! Reflection analysis: what a program finds at run time by names in strings, by looking through members, through
//! annotations, by serialization.
//!
//! What can be seen is kept: a string that is the name of a class in a method that loads classes by
//! name; where methods or fields are looked up by name, those whose names are strings of code that runs. What cannot be seen
//! depends on who took responsibility. Where keep rules are given, they say what else is found by
//! reflection, as in ProGuard. Without them everything may be: as soon as code that runs looks through
//! the members of classes, all members of all classes that are there are found; a class that is loaded
//! by a name that is computed may be any; and a program that defines classes at run time may name in
//! them whatever its strings name. What each call of the JDK asks for is said in
//! `looks`. Classes that are found as resources are in `resources`, objects of classes that are constants in `instances`,
//! annotations in `annotations`, names of classes in `loading`, and those that were put somewhere before in `listed`.

mod annotations;
mod instances;
mod listed;
mod loading;
pub mod looks;
mod resources;
mod serialization;

use planish_classfile::annotation::ElementValue;
use planish_classfile::attribute::InnerClass;
use planish_classfile::signature::{ClassSignature, MethodSignature, TypeSignature};
use planish_classfile::{Attribute, Body, Flags, Opcode};
use planish_jvm_model::program::{Class, Method, classes_in};
use planish_jvm_model::uses::Use;

use crate::lookups::text::is_descriptor;
use crate::reach::Reach;
use crate::reach::cause::Cause;
use crate::reach::makes::Makes;
use crate::reach::reflected::Reflection;
use crate::reflection::looks::place_of_text;
use listed::with_slashes;
pub use looks::{Looks, looks};
use looks::{is_given_text, joins_names, names_member, text_before};

impl Reach<'_, '_> {
    /// What a library does by reflection, by the constants of its class files.
    pub fn library_reflects(&mut self, file: &planish_classfile::ClassFile<'_>, cause: Cause) {
        self.lists_all_constants();
        for index in file.pool.indices() {
            if let Ok(member) = file.pool.member(index)
                && let Some(looks) = looks(&member)
            {
                self.sees(looks, cause);
                self.reflection.places.any |= looks == Looks::Places;
                if looks == Looks::Loads {
                    self.loads_any(Makes::default(), cause);
                }
            }
        }
    }

    /// Objects may be written and read from outside.
    pub fn serializes(&mut self, cause: Cause) {
        self.sees(Looks::Serializes, cause);
    }

    fn sees(&mut self, looks: Looks, cause: Cause) {
        let enumerated = self.reflection.enumerated;
        let state = &mut self.reflection;
        let seen = |state: &Reflection| {
            [state.fields, state.methods, state.constructors, state.listed, state.serialization]
        };
        let before = seen(state);
        let takes = matches!(looks, Looks::Constructors | Looks::Initializes);
        if takes && !std::mem::replace(&mut state.makes, true) {
            // `X.class` may reach any of them.
            for (class, cause) in std::mem::take(&mut state.constants) {
                self.instance_by_name(class, cause);
            }
        }
        let state = &mut self.reflection;
        match looks {
            Looks::Fields => state.fields |= enumerated,
            Looks::Methods => state.methods |= enumerated,
            Looks::Constructors => state.constructors |= enumerated,
            Looks::Classes => state.listed |= enumerated,
            Looks::Members => {
                state.fields |= enumerated;
                state.methods |= enumerated;
                state.constructors |= enumerated;
            }
            Looks::Packages => {
                for class in self.program.classes.ids() {
                    if self.program.name(class).ends_with(b"/package-info") {
                        self.mention(class, cause);
                    }
                }
            }
            Looks::Serializes => state.serialization = true,
            Looks::Loads | Looks::Initializes => {}
            Looks::Implements => {
                (state.proxies, state.implements) = (true, true);
                for (interface, cause) in std::mem::take(&mut state.interfaces) {
                    self.proxy(interface, cause);
                }
            }
            // A name that is a constant is seen where the call is.
            Looks::Places | Looks::Contents => self.asks_for_contents(),
            Looks::Bundles => self.asks_for_bundles(cause),
            Looks::Defines => {
                state.proxies = true;
                if enumerated && !std::mem::replace(&mut state.defines, true) {
                    for (text, cause) in state.strings.clone() {
                        self.class_names(&text, cause);
                    }
                    for class in self.reflection.classes.clone() {
                        self.model(class, cause);
                    }
                }
            }
        }
        if before != seen(&self.reflection) {
            for class in self.reflection.classes.clone() {
                self.found_by_reflection(class, cause);
            }
        }
    }

    /// A class is needed now.
    pub fn reflect_class(&mut self, class: Class) {
        self.reflection.classes.push(class);
        let (program, own) = (self.program, &self.program.classes[class]);
        let methods = own.methods.iter().map(|&method| program.methods[method].selector);
        let fields = own.fields.iter().map(|&field| program.fields[field].selector);
        for selector in methods.chain(fields) {
            let declaring = self.reflection.declaring.entry_ref(program.member_name(selector)).or_default();
            if declaring.last() != Some(&class) {
                declaring.push(class);
            }
        }
        self.found_by_reflection(class, Cause::Class(class));
        self.named_members(class, None, Cause::Class(class));
        if self.reflection.defines {
            self.model(class, Cause::Class(class));
        }
    }

    /// A class that is made at run time may extend or implement one that is there, which it need not name: what injects
    /// objects or watches their calls extends whatever class an object has, or a file lists. Its constructors call those above.
    fn model(&mut self, class: Class, cause: Cause) {
        let own = &self.program.classes[class];
        if own.file.flags.has(Flags::FINAL) {
            return;
        }
        self.instantiate_below(class, cause);
        for &method in &own.methods {
            let info = &self.program.methods[method];
            if self.program.member_name(info.selector) == b"<init>" && !info.flags.has(Flags::PRIVATE) {
                self.run_from_outside(method, cause);
            }
        }
    }

    /// A class has instances now.
    pub fn reflect_instance(&mut self, class: Class) {
        if self.reflection.serialization {
            self.serialized(class);
        }
    }

    /// What reflection of the kinds that were seen finds of a class.
    fn found_by_reflection(&mut self, class: Class, cause: Cause) {
        let own = &self.program.classes[class];
        if self.reflection.fields {
            own.fields.iter().for_each(|&field| self.use_field(field, cause));
        }
        for &method in &own.methods {
            let name = self.program.member_name(self.program.methods[method].selector);
            let found = match name {
                b"<clinit>" => false,
                b"$deserializeLambda$" => self.reflection.serialization,
                // Those of an abstract class are listed, too, but nobody runs them.
                b"<init>" if own.file.flags.has(Flags::ABSTRACT) => {
                    if self.reflection.constructors {
                        self.declare(method, cause);
                    }
                    false
                }
                b"<init>" => self.reflection.constructors,
                _ => self.reflection.methods,
            };
            if found {
                self.keep_method(method, cause);
            }
        }
        if self.reflection.listed {
            self.listed(class, cause);
        }
        if self.reflection.serialization && self.has_instances(class) {
            self.serialized(class);
        }
        if self.reflection.serialization {
            self.lists_constants(class, cause);
        }
    }

    /// The classes that a class lists are there, and somebody gets their objects.
    fn listed(&mut self, class: Class, cause: Cause) {
        for class in self.lists(class) {
            self.mention_as_listed(class, cause);
        }
    }

    /// The classes of the program that a class lists: those that it declares, its nest, those that may extend it.
    fn lists(&self, class: Class) -> Vec<Class> {
        let file = &self.program.classes[class].file;
        let mut classes = Vec::new();
        for attribute in &file.attributes {
            let found = match attribute.decode(&file.pool) {
                Ok(Some(Body::InnerClasses(list))) => {
                    let own = self.program.name(class);
                    let is_own = |item: &&InnerClass| file.pool.optional_class(item.outer) == Ok(Some(own));
                    list.iter().filter(is_own).map(|item| item.class).collect()
                }
                Ok(Some(Body::NestMembers(list) | Body::PermittedSubclasses(list))) => list,
                _ => continue,
            };
            let names = found.into_iter().filter_map(|index| file.pool.class(index).ok());
            classes.extend(names.filter_map(|name| self.program.class_named(name)));
        }
        classes
    }

    /// What the strings and calls of a method that may run mean for reflection.
    pub fn reflect_body(&mut self, method: Method, uses: &[(u32, Use<'_>)]) {
        let cause = Cause::Method(method);
        let makes = Makes::of(uses);
        let loads = self.reflect_calls(method, uses, makes);
        for (_, found) in uses {
            let Use::String(text) = found else { continue };
            if loads {
                self.load_class(text, makes, cause);
            }
            self.reflect_string(text, cause);
        }
        for (_, found) in uses {
            let Use::ClassConstant(name) = found else { continue };
            self.reflect_constant(name, makes, cause);
        }
    }

    /// What the calls of a method ask for. Returns whether it loads classes by name.
    fn reflect_calls(&mut self, method: Method, uses: &[(u32, Use<'_>)], makes: Makes) -> bool {
        let cause = Cause::Method(method);
        let (mut loads, mut names) = (false, (false, false));
        let mut followed = Vec::new();
        let own_name = self.program.member_name(self.program.methods[method].selector);
        for (place, (at, found)) in uses.iter().enumerate() {
            let (Use::Call(_, member) | Use::Handle(5..=9, member)) = found else { continue };
            let Some(looks) = looks(member) else { continue };
            self.sees(looks, cause);
            let is_whole = member.descriptor.starts_with(b"(Ljava/lang/String;)") && !joins_names(member);
            let constant = text_before(uses, place).filter(|_| is_whole);
            match looks {
                Looks::Loads => {
                    loads = true;
                    let is_known = constant.is_some() || is_given_text(uses, place);
                    if !is_known && own_name != b"class$" {
                        let receiver = !matches!(found, Use::Call(Opcode::Invokestatic, _));
                        followed.push((*at, place_of_text(member, receiver), makes, None));
                    }
                }
                Looks::Places => match constant {
                    Some(name) => self.reflection.places.named.push(name.into()),
                    None => self.reflection.places.any = true,
                },
                Looks::Fields | Looks::Methods | Looks::Members => {
                    let by_name = member.name != b"getFields"
                        && member.name != b"getDeclaredFields"
                        && member.name != b"getMethods"
                        && member.name != b"getDeclaredMethods";
                    names.0 |= by_name && looks != Looks::Methods;
                    names.1 |= by_name && looks != Looks::Fields;
                    // Some say the type of the member by its descriptor.
                    loads |= names_member(member).is_some();
                }
                Looks::Constructors
                | Looks::Classes
                | Looks::Initializes
                | Looks::Packages
                | Looks::Serializes
                | Looks::Defines
                | Looks::Implements
                | Looks::Contents
                | Looks::Bundles => {}
            }
        }
        let before = self.reflection.named;
        self.reflection.named = (before.0 || names.0, before.1 || names.1);
        if self.reflection.named != before {
            for class in self.reflection.classes.clone() {
                self.named_members(class, None, cause);
            }
        }
        self.follow_names(method, uses, followed);
        loads
    }

    /// A string of code that runs.
    fn reflect_string(&mut self, text: &[u8], cause: Cause) {
        if !self.reflection.known_strings.insert(text.into()) {
            return;
        }
        self.reflection.strings.push((text.into(), cause));
        self.resource_names(text, cause);
        self.listed_text(text, cause);
        if self.reflection.defines {
            self.class_names(text, cause);
        }
        if self.reflection.named != (false, false) {
            for class in self.reflection.declaring.get(text).cloned().unwrap_or_default() {
                self.named_members(class, Some(text), cause);
            }
        }
    }

    /// A class that code that runs has as a constant.
    fn reflect_constant(&mut self, name: &[u8], makes: Makes, cause: Cause) {
        self.asks_for_annotation(name);
        let Some(class) = self.program.class_named(name) else { return };
        self.made(class, makes, cause);
        self.lists_constants(class, cause);
        self.is_had(class, cause);
        if self.reflection.makes {
            self.instance_by_name(class, cause);
        } else {
            self.reflection.constants.push((class, cause));
        }
    }

    /// Somebody has the object of a class: whoever makes proxies may make one of it.
    fn is_had(&mut self, class: Class, cause: Cause) {
        let flags = self.program.classes[class].file.flags;
        if flags.has(Flags::INTERFACE) && !flags.has(Flags::ANNOTATION) {
            match self.reflection.implements {
                true => self.proxy(class, cause),
                false => self.reflection.interfaces.push((class, cause)),
            }
        }
    }

    /// A class of any name may be loaded.
    fn loads_any(&mut self, makes: Makes, cause: Cause) {
        if !self.reflection.enumerated {
            return self.loads_listed(makes, cause);
        }
        if std::mem::replace(&mut self.reflection.loads, true) {
            return;
        }
        for class in self.program.classes.ids() {
            self.instance_by_name(class, cause);
        }
    }

    /// Keeps the members of a class that may be looked up by name: those of this name, or of any that is
    /// a string.
    fn named_members(&mut self, class: Class, name: Option<&[u8]>, cause: Cause) {
        let (fields, methods) = self.reflection.named;
        let program = self.program;
        let own = &program.classes[class];
        let is_named = |reach: &Self, selector| {
            let member = program.member_name(selector);
            name.map_or_else(|| reach.reflection.known_strings.contains(member), |name| name == member)
        };
        for &method in own.methods.iter().filter(|_| methods) {
            if is_named(self, program.methods[method].selector) {
                self.keep_method(method, cause);
            }
        }
        for &field in own.fields.iter().filter(|_| fields) {
            if is_named(self, program.fields[field].selector) {
                self.use_field(field, cause);
            }
        }
    }

    /// A class is loaded by the name that a string has, in a method that may make objects of it; or those of a descriptor are.
    fn load_class(&mut self, text: &[u8], makes: Makes, cause: Cause) {
        if is_descriptor(text) {
            for class in classes_in(&with_slashes(text)).filter_map(|name| self.program.class_named(name)) {
                self.reflection.by_parts.insert(class);
                self.loads_class(class, makes, cause);
            }
            return;
        }
        let name: Vec<u8> = text.iter().map(|&byte| if byte == b'.' { b'/' } else { byte }).collect();
        self.asks_for_annotation(&name);
        if let Some(class) = self.program.class_named(&name) {
            self.reflection.by_name.insert(class);
            self.loads_class(class, makes, cause);
        }
    }

    fn instance_by_name(&mut self, class: Class, cause: Cause) {
        self.is_had(class, cause);
        self.initialize(class, cause);
        self.lists_constants(class, cause);
        if let Some(selector) = self.program.selector(b"<init>()V")
            && let Some(method) = self.program.declared_method(class, selector)
            && !self.program.classes[class].file.flags.any(Flags::ABSTRACT | Flags::INTERFACE)
        {
            self.keep_method(method, cause);
        }
    }

    /// Every class whose name occurs in a text may be named by classes that are made at run time.
    fn class_names(&mut self, text: &[u8], cause: Cause) {
        if !self.reflection.seen.insert(text.into()) {
            return;
        }
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"_$./".contains(byte) || *byte >= 0x80;
        for word in text.split(|byte| !is_name(byte)) {
            let name: Vec<u8> = word.iter().map(|&byte| if byte == b'.' { b'/' } else { byte }).collect();
            for name in [Some(&name[..]), name.strip_prefix(b"L")].into_iter().flatten() {
                if let Some(class) = self.program.class_named(name) {
                    self.reflection.by_parts.insert(class);
                    self.keep_whole(class, cause);
                }
            }
        }
    }

    /// What the attributes of a class or member need that stay: what annotations that reflection sees speak of,
    /// generic types, the classes around.
    pub fn attributes(&mut self, class: Class, attributes: &[Attribute<'_>]) {
        let cause = Cause::Class(class);
        let pool = &self.program.classes[class].file.pool;
        for attribute in attributes {
            let Ok(Some(body)) = attribute.decode(pool) else { continue };
            let stays = pool.utf8(attribute.name).is_ok_and(|name| self.kept_attributes.keeps(name));
            match body {
                Body::RuntimeVisibleAnnotations(list) => {
                    list.iter().for_each(|item| self.annotated(class, item, stays));
                }
                Body::RuntimeVisibleParameterAnnotations(lists) => {
                    lists.iter().flatten().for_each(|item| self.annotated(class, item, stays));
                }
                Body::RuntimeVisibleTypeAnnotations(list) => {
                    list.iter().for_each(|item| self.annotated(class, &item.annotation, stays));
                }
                Body::AnnotationDefault(value) => self.element(class, &value),
                Body::Signature(index) if stays => {
                    if let Ok(text) = pool.utf8(index) {
                        self.generic(text, cause);
                    }
                }
                Body::EnclosingMethod { class: around, .. } if stays => {
                    if let Ok(name) = pool.class(around) {
                        self.mention_name(name, cause);
                    }
                }
                Body::NestHost(host) => {
                    if let Ok(name) = pool.class(host) {
                        self.mention_name(name, cause);
                    }
                }
                Body::InnerClasses(list) if stays => {
                    let own = self.program.name(class);
                    for item in list.iter().filter(|item| pool.class(item.class) == Ok(own)) {
                        if let Ok(Some(name)) = pool.optional_class(item.outer) {
                            self.mention_name(name, cause);
                        }
                    }
                }
                Body::Record(components) => {
                    components.iter().for_each(|component| self.attributes(class, &component.attributes));
                }
                _ => {}
            }
        }
    }

    fn generic(&mut self, text: &[u8], cause: Cause) {
        let mut names = Vec::new();
        if let Some(signature) = MethodSignature::parse(text) {
            signature.visit_classes(|found| names.push(found.binary_name()));
        } else if let Some(signature) = TypeSignature::parse(text) {
            signature.visit(&mut |found| names.push(found.binary_name()));
        } else if let Some(signature) = ClassSignature::parse(text) {
            signature.visit_classes(|found| names.push(found.binary_name()));
        }
        names.into_iter().for_each(|name| self.mention_name(&name, cause));
    }

    fn element(&mut self, class: Class, value: &ElementValue) {
        let cause = Cause::Class(class);
        let pool = &self.program.classes[class].file.pool;
        match value {
            ElementValue::Constant { tag: b's', value } => {
                if let Ok(text) = pool.utf8(*value) {
                    self.says_text(text, cause);
                }
            }
            ElementValue::Constant { .. } => {}
            ElementValue::Enum { descriptor, name } => {
                let (Ok(descriptor), Ok(name)) = (pool.utf8(*descriptor), pool.utf8(*name)) else { return };
                let owner = classes_in(descriptor).next();
                let Some(owner) = owner.and_then(|owner| self.program.class_named(owner)) else { return };
                self.initialize(owner, cause);
                self.lists_constants(owner, cause);
                for &field in &self.program.classes[owner].fields {
                    if self.program.member_name(self.program.fields[field].selector) == name {
                        self.use_field(field, cause);
                    }
                }
            }
            ElementValue::Class(descriptor) => {
                if let Ok(descriptor) = pool.utf8(*descriptor) {
                    classes_in(descriptor).for_each(|name| self.mention_name(name, cause));
                }
            }
            ElementValue::Annotation(annotation) => self.annotation(class, annotation),
            ElementValue::Array(values) => values.iter().for_each(|value| self.element(class, value)),
        }
    }
}
