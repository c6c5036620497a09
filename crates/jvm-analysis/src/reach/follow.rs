//! Reachability, the edges: what class files, bodies and calls refer to.

use planish_base::Id;
use planish_classfile::{Flags, Kind, MemberRef, Opcode, Result};
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::program::{Class, Found, Method, Selector, classes_in};
use planish_jvm_model::uses::{Scanner, Use};

use super::{Cause, Reach};

impl<'p, 'a> Reach<'p, 'a> {
    pub(super) fn use_services(&mut self) {
        for number in 0..self.services.len() {
            let name = &self.services[number].name;
            let asked = self.program.class_named(name).is_none_or(|class| self.is_needed(class));
            if !asked || std::mem::replace(&mut self.service_used[number], true) {
                continue;
            }
            let text = format!("service {}", String::from_utf8_lossy(name).replace('/', "."));
            let cause = self.root(text);
            for provider in self.services[number].providers.clone() {
                let Some(class) = self.program.class_named(&provider) else { continue };
                self.instantiate(class, cause);
                for &method in &self.program.classes[class].methods {
                    let selector = self.program.methods[method].selector;
                    let is_provider = self.program.text(selector).starts_with(b"provider()");
                    if is_provider || self.program.text(selector) == b"<init>()V" {
                        self.keep_method(method, cause);
                    }
                }
            }
        }
    }

    /// What a class that must be there needs.
    pub(super) fn class(&mut self, class: Class) -> Result<()> {
        let cause = Cause::Class(class);
        let own = &self.program.classes[class];
        let file = &own.file;
        if let Some(above) = file.super_name()? {
            self.mention_name(above, cause);
        }
        for above in file.interface_names() {
            if let Some(above) = self.program.class_named(above?) {
                self.inherit(above, cause);
            }
        }
        self.attributes(class, &file.attributes);
        if file.flags.has(Flags::ANNOTATION) {
            own.methods.iter().for_each(|&method| self.keep_method(method, cause));
        }
        for (member, text) in self.with_class.remove(&class).unwrap_or_default() {
            self.keep_member(member, Cause::Root(text));
        }
        if file.attribute(Kind::Record).is_some() {
            own.fields.iter().for_each(|&field| self.use_field(field, cause));
            let accessors = own.methods.iter().copied().filter(|&method| {
                let name = self.program.member_name(self.program.methods[method].selector);
                own.fields
                    .iter()
                    .any(|&field| self.program.member_name(self.program.fields[field].selector) == name)
            });
            accessors.for_each(|method| self.keep_method(method, cause));
        }
        self.reflect_class(class);
        Ok(())
    }

    /// The classes in the type of a method, and what its attributes need.
    pub(super) fn signature(&mut self, method: Method, cause: Cause) {
        let info = self.program.methods[method];
        self.mention(info.class, cause);
        classes_in(self.program.descriptor(info.selector)).for_each(|name| self.mention_name(name, cause));
        let file = &self.program.classes[info.class].file;
        self.attributes(info.class, &file.methods[usize::from(info.place)].attributes);
    }

    /// What a method that may run needs.
    pub(super) fn body(&mut self, method: Method) -> Result<()> {
        let cause = Cause::Method(method);
        self.signature(method, cause);
        let program = self.program;
        let info = program.methods[method];
        let file = &program.classes[info.class].file;
        let mut uses = Vec::new();
        Scanner::new(file)?.method(&file.methods[usize::from(info.place)], &mut |at, found| {
            uses.push((at, found));
        })?;
        match program.hides_body(method) {
            true => self.named_by_bytes(info.class, &uses, cause),
            false => uses.iter().for_each(|(_, found)| self.used(info.class, found, cause)),
        }
        self.asks_for_constants(method, &uses);
        self.reflect_body(method, &uses);
        Ok(())
    }

    /// What the bytes of a body name, of which nothing else is known, may be used from outside.
    pub fn named_by_bytes(&mut self, within: Class, uses: &[(u32, Use<'_>)], cause: Cause) {
        for (_, found) in uses {
            match *found {
                Use::Field(op, member) => {
                    let is_static = matches!(op, Opcode::Getstatic | Opcode::Putstatic);
                    self.field(member, is_static, true, cause);
                }
                Use::Call(op, member) => self.called(within, op, member, true, cause),
                _ => self.used(within, found, cause),
            }
            let (Use::Call(_, member) | Use::Handle(_, member)) = found else { continue };
            let selector = self.program.selector(&[member.name, member.descriptor].concat());
            if let Some((class, selector)) = self.program.class_named(member.class).zip(selector)
                && let Found::Program(method) =
                    self.program.resolve_method(self.program.classes[class].id, selector)
            {
                self.keep_method(method, cause);
            }
        }
    }

    /// Takes in everything that a class file outside of the program speaks of.
    pub fn outside(&mut self, file: &planish_classfile::ClassFile<'_>, cause: Cause) -> Result<()> {
        self.lists_all_constants();
        for index in file.pool.indices() {
            if let Ok(name) = file.pool.class(index)
                && let Some(class) = self.program.class_named(name)
            {
                self.instantiate(class, cause);
                self.extend(class);
            }
            let Ok(member) = file.pool.member(index) else { continue };
            let Some(class) = self.program.class_named(member.class) else { continue };
            let id = self.program.classes[class].id;
            let text = [member.name, member.descriptor].concat();
            if let Some(selector) = self.program.selector(&text) {
                if let Found::Program(method) = self.program.resolve_method(id, selector) {
                    self.keep_method(method, cause);
                }
                self.call_from_outside(id, selector);
            }
            let text = [member.name, b":", member.descriptor].concat();
            if let Some(selector) = self.program.selector(&text)
                && let Found::Program(field) = self.program.resolve_field(id, selector)
            {
                self.use_field(field, cause);
            }
        }
        Ok(())
    }

    pub(crate) fn used(&mut self, within: Class, found: &Use<'_>, cause: Cause) {
        match *found {
            Use::New(name) => {
                if let Some(class) = self.program.class_named(name) {
                    self.instantiate(class, cause);
                }
            }
            Use::Class(name) => self.mention_name(name, cause),
            Use::ClassConstant(name) => {
                if let Some(class) = self.program.class_named(name) {
                    self.mention_as_value(class, cause);
                }
            }
            Use::MethodType(descriptor) => {
                classes_in(descriptor).for_each(|name| self.mention_name(name, cause));
            }
            Use::String(_) => {}
            Use::Lambda(name) => {
                if let Some(class) = self.program.class_named(name) {
                    self.instantiate_below(class, cause);
                }
            }
            Use::Field(op, member) => {
                let is_static = matches!(op, Opcode::Getstatic | Opcode::Putstatic);
                self.field(member, is_static, false, cause);
            }
            Use::Call(op, member) => self.called(within, op, member, false, cause),
            Use::Handle(kind, member) => match kind {
                1..=4 => self.field(member, matches!(kind, 2 | 4), true, cause),
                8 => {
                    if let Some(class) = self.program.class_named(member.class) {
                        self.instantiate(class, cause);
                    }
                    self.called(within, Opcode::Invokespecial, member, true, cause);
                }
                6 => self.called(within, Opcode::Invokestatic, member, true, cause),
                7 => self.called(within, Opcode::Invokespecial, member, true, cause),
                _ => self.called(within, Opcode::Invokevirtual, member, true, cause),
            },
        }
    }

    pub(crate) fn field(&mut self, member: MemberRef<'_>, is_static: bool, open: bool, cause: Cause) {
        classes_in(member.descriptor).for_each(|name| self.mention_name(name, cause));
        self.mention_name(member.class, cause);
        let Some(id) = self.program.hierarchy.lookup(member.class) else { return };
        let text = [member.name, b":", member.descriptor].concat();
        let Some(selector) = self.program.selector(&text) else { return };
        if let Found::Program(field) = self.program.resolve_field(id, selector) {
            self.access_field(field, cause);
            self.open_fields[field.index()] |= open;
            if is_static {
                self.initialize(self.program.fields[field].class, cause);
            }
        }
    }

    /// A method is called by an instruction, or through a handle: `open`.
    pub fn called(&mut self, within: Class, op: Opcode, member: MemberRef<'_>, open: bool, cause: Cause) {
        classes_in(member.descriptor).for_each(|name| self.mention_name(name, cause));
        self.mention_name(member.class, cause);
        if member.class.first() == Some(&b'[') {
            return;
        }
        let Some(id) = self.program.hierarchy.lookup(member.class) else { return };
        let text = [member.name, member.descriptor].concat();
        let Some(selector) = self.program.selector(&text) else { return };
        let found = self.program.resolve_method(id, selector);
        match op {
            Opcode::Invokestatic => {
                if let Found::Program(method) = found {
                    self.initialize(self.program.methods[method].class, cause);
                    self.run_as(method, open, cause);
                }
            }
            Opcode::Invokespecial => {
                if let Found::Program(method) = found {
                    self.run_as(method, open, cause);
                }
                // `super.f()` begins its search above the class that it stands in.
                let own = &self.program.classes[within];
                if member.name != b"<init>"
                    && own.id != id
                    && let Some(above) = self.program.hierarchy.get(own.id).and_then(|info| info.super_class)
                    && let Found::Program(method) = self.program.resolve_method(above, selector)
                {
                    self.run_as(method, open, cause);
                }
            }
            _ => match found {
                Found::Program(method) if self.program.methods[method].flags.has(Flags::PRIVATE) => {
                    self.run_as(method, open, cause);
                }
                Found::Program(method) => {
                    self.declare(method, cause);
                    self.call_as(id, selector, open);
                }
                Found::Library | Found::Unknown => self.call_as(id, selector, open),
            },
        }
    }

    fn run_as(&mut self, method: Method, open: bool, cause: Cause) {
        self.methods[method.index()].handled |= open;
        self.run(method, cause);
    }

    fn call_as(&mut self, class: ClassId, selector: Selector, open: bool) {
        match open {
            true => self.call_from_outside(class, selector),
            false => self.call(class, selector),
        }
    }
}
