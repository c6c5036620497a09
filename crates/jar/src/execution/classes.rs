//! Classes as a run needs them: loaded when they are first named, constants resolved to names.

use std::rc::Rc;

use hashbrown::HashMap;
use planish_classfile::attribute::{BootstrapMethod, Kind};
use planish_classfile::{Body, ClassFile, Code, Constant, Flags};
use planish_jvm_model::names::package;
use rustc_hash::FxBuildHasher;

use super::values::{FieldId, Member, Name};

/// A constant with what it refers to.
#[derive(Clone, Debug)]
pub enum Loadable {
    /// An `int`.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// A string.
    Text(Name),
    /// A class or array type.
    Class(Name),
    /// A field or method.
    Member(Rc<Member>),
    /// A method handle: its kind and what it is about.
    Handle(u8, Rc<Member>),
    /// The type of a method.
    Type(Name),
    /// A call site or a constant that a method computes: the number of the method, a name and a descriptor.
    Dynamic(u16, Name, Name),
    /// Something that code does not name.
    Other,
}

/// A method of a class.
#[derive(Clone)]
pub struct Method {
    /// Access flags.
    pub flags: Flags,
    /// Its name.
    pub name: Name,
    /// Its descriptor.
    pub descriptor: Name,
    /// Its body.
    pub code: Option<Rc<Code>>,
}

/// A field of a class.
pub struct Field {
    /// Its number.
    pub id: FieldId,
    /// Access flags.
    pub flags: Flags,
    /// Its name.
    pub name: Name,
    /// Its descriptor.
    pub descriptor: Name,
    /// The constant that it begins with, if it is static.
    pub constant: Option<u16>,
}

/// A class.
pub struct Class {
    /// Its name.
    pub name: Name,
    /// Access flags.
    pub flags: Flags,
    /// Its super class.
    pub above: Option<Name>,
    /// Its direct super interfaces.
    pub interfaces: Vec<Name>,
    /// Constants by index.
    pub constants: Vec<Loadable>,
    /// Fields in the order of the file.
    pub fields: Vec<Field>,
    /// Methods in the order of the file.
    pub methods: Vec<Method>,
    by_name: HashMap<Vec<u8>, usize, FxBuildHasher>,
    /// How call sites and constants are computed.
    pub bootstraps: Vec<BootstrapMethod>,
    /// Whether it is of the program, and not of a library.
    pub is_ours: bool,
}

impl Class {
    /// The method with a name and descriptor.
    pub fn method(&self, name: &[u8], descriptor: &[u8]) -> Option<usize> {
        self.by_name.get(&[name, descriptor].concat()).copied()
    }
}

/// A class that was loaded, by number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ClassId(pub u32);

/// Finds the content of a class file by the name of the class.
pub type Find<'f> = dyn Fn(&[u8]) -> Option<Vec<u8>> + 'f;

/// The classes of one program that were met, in all its runs.
pub struct Classes<'f> {
    program: &'f Find<'f>,
    library: &'f Find<'f>,
    known: HashMap<Vec<u8>, Option<ClassId>, FxBuildHasher>,
    classes: Vec<Rc<Class>>,
    names: HashMap<Vec<u8>, Name, FxBuildHasher>,
    fields: FieldId,
}

impl<'f> Classes<'f> {
    /// Classes of a program, and of the libraries that are followed.
    pub fn new(program: &'f Find<'f>, library: &'f Find<'f>) -> Classes<'f> {
        Classes {
            program,
            library,
            known: HashMap::default(),
            classes: Vec::new(),
            names: HashMap::default(),
            fields: 0,
        }
    }

    /// A name, shared.
    pub fn name(&mut self, name: &[u8]) -> Name {
        if let Some(known) = self.names.get(name) {
            return known.clone();
        }
        let made: Name = name.into();
        self.names.insert(name.to_vec(), made.clone());
        made
    }

    /// A class that was loaded.
    pub fn get(&self, class: ClassId) -> Rc<Class> {
        self.classes[class.0 as usize].clone()
    }

    /// The class of a name, if its body can be read.
    pub fn find(&mut self, name: &[u8]) -> Option<ClassId> {
        if let Some(known) = self.known.get(name) {
            return *known;
        }
        let (content, is_ours) = match (self.program)(name) {
            Some(content) => (Some(content), true),
            None => ((self.library)(name), false),
        };
        let class = content.and_then(|content| self.load(&content, is_ours));
        let id = class.map(|class| {
            self.classes.push(Rc::new(class));
            ClassId(self.classes.len() as u32 - 1)
        });
        self.known.insert(name.to_vec(), id);
        id
    }

    /// The parts of a class file that runs need; nothing for one that is malformed.
    fn load(&mut self, content: &[u8], is_ours: bool) -> Option<Class> {
        let file = ClassFile::read(content).ok()?;
        let above = file.super_name().ok()?.map(|name| self.name(name));
        let mut interfaces = Vec::new();
        for name in file.interface_names() {
            interfaces.push(self.name(name.ok()?));
        }
        let mut constants = Vec::new();
        for index in file.pool.indices() {
            constants.resize(usize::from(index), Loadable::Other);
            constants.push(self.constant(&file, index).unwrap_or(Loadable::Other));
        }
        let mut fields = Vec::new();
        for field in &file.fields {
            let (name, descriptor) =
                (file.pool.utf8(field.name).ok()?, file.pool.utf8(field.descriptor).ok()?);
            let constant = field.attribute(&file.pool, Kind::ConstantValue);
            let constant = match constant.and_then(|attribute| attribute.decode(&file.pool).ok()?) {
                Some(Body::ConstantValue(index)) => Some(index),
                _ => None,
            };
            self.fields += 1;
            let (name, descriptor) = (self.name(name), self.name(descriptor));
            fields.push(Field { id: self.fields, flags: field.flags, name, descriptor, constant });
        }
        let mut methods = Vec::new();
        let mut by_name = HashMap::default();
        for method in &file.methods {
            let (name, descriptor) =
                (file.pool.utf8(method.name).ok()?, file.pool.utf8(method.descriptor).ok()?);
            let code = method.attribute(&file.pool, Kind::Code);
            let code = match code.and_then(|attribute| attribute.decode(&file.pool).ok()?) {
                Some(Body::Code(bytes)) => Code::read_bare(&bytes).ok().map(Rc::new),
                _ => None,
            };
            by_name.insert([name, descriptor].concat(), methods.len());
            let (name, descriptor) = (self.name(name), self.name(descriptor));
            methods.push(Method { flags: method.flags, name, descriptor, code });
        }
        let bootstraps = file.attribute(Kind::BootstrapMethods);
        let bootstraps = match bootstraps.and_then(|attribute| attribute.decode(&file.pool).ok()?) {
            Some(Body::BootstrapMethods(list)) => list,
            _ => Vec::new(),
        };
        let name = self.name(file.name().ok()?);
        let flags = file.flags;
        Some(Class {
            name,
            flags,
            above,
            interfaces,
            constants,
            fields,
            methods,
            by_name,
            bootstraps,
            is_ours,
        })
    }

    fn constant(&mut self, file: &ClassFile<'_>, index: u16) -> Option<Loadable> {
        let pool = &file.pool;
        Some(match pool.get(index).ok()? {
            Constant::Integer(value) => Loadable::Int(value),
            Constant::Long(value) => Loadable::Long(value),
            Constant::Float(bits) => Loadable::Float(f32::from_bits(bits)),
            Constant::Double(bits) => Loadable::Double(f64::from_bits(bits)),
            Constant::String(_) => Loadable::Text(self.name(pool.string(index).ok()?)),
            Constant::Class(_) => Loadable::Class(self.name(pool.class(index).ok()?)),
            Constant::MethodType(_) => Loadable::Type(self.name(pool.method_type(index).ok()?)),
            Constant::MethodHandle(kind, member) => Loadable::Handle(kind, self.member(file, member)?),
            Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..) => {
                Loadable::Member(self.member(file, index)?)
            }
            Constant::Dynamic(..) | Constant::InvokeDynamic(..) => {
                let (method, name, descriptor) = pool.dynamic(index).ok()?;
                Loadable::Dynamic(method, self.name(name), self.name(descriptor))
            }
            _ => return None,
        })
    }

    fn member(&mut self, file: &ClassFile<'_>, index: u16) -> Option<Rc<Member>> {
        let member = file.pool.member(index).ok()?;
        Some(Rc::new(Member {
            class: self.name(member.class),
            name: self.name(member.name),
            descriptor: self.name(member.descriptor),
        }))
    }

    /// The super classes of a class whose bodies can be read, itself first, and the name of the first that is of a
    /// library which is not followed.
    pub fn chain(&mut self, name: &[u8]) -> (Vec<ClassId>, Option<Name>) {
        let mut chain = Vec::new();
        let mut next = Some(self.name(name));
        while let Some(name) = next {
            // A circle is refused by JVMs.
            let Some(id) = self.find(&name).filter(|id| !chain.contains(id)) else {
                return (chain, Some(name));
            };
            chain.push(id);
            next = self.get(id).above.clone();
        }
        (chain, None)
    }

    /// The super interfaces of classes whose bodies can be read, nearest first.
    pub fn interfaces(&mut self, chain: &[ClassId]) -> Vec<ClassId> {
        let mut found: Vec<ClassId> = Vec::new();
        let mut names: Vec<Name> =
            chain.iter().flat_map(|&class| self.get(class).interfaces.clone()).collect();
        let mut at = 0;
        while let Some(name) = names.get(at).cloned() {
            at += 1;
            if let Some(id) = self.find(&name)
                && !found.contains(&id)
            {
                found.push(id);
                names.extend(self.get(id).interfaces.iter().cloned());
            }
        }
        found
    }

    /// The method that a virtual call finds for an object of a class: the one that the instruction names, or what overrides it.
    /// A private method neither overrides nor is overridden, and one that only its package sees is so only there (JVM
    /// specification 5.4.5 and 5.4.6).
    pub fn overriding(&mut self, class: &[u8], member: &Member) -> Option<(ClassId, usize)> {
        let named = self.select(&member.class, &member.name, &member.descriptor);
        let Some((owner, place)) = named else { return self.select(class, &member.name, &member.descriptor) };
        let flags = self.get(owner).methods[place].flags;
        if flags.has(Flags::PRIVATE) {
            return named;
        }
        if flags.any(Flags::PUBLIC | Flags::PROTECTED) || self.is_opened(class, owner, member) {
            let admits = |_: &Class, method: &Method| !method.flags.has(Flags::PRIVATE);
            return self.select_where(class, &member.name, &member.descriptor, &admits);
        }
        let home = package(&self.get(owner).name).to_vec();
        self.select_where(class, &member.name, &member.descriptor, &|class, method| {
            !method.flags.has(Flags::PRIVATE) && package(&class.name) == home
        })
    }

    /// Whether a method that only its package sees is overridden there, above a class or in it, by one that all see: what
    /// overrides that one overrides both.
    fn is_opened(&mut self, class: &[u8], owner: ClassId, member: &Member) -> bool {
        let home = package(&self.get(owner).name).to_vec();
        let (chain, _) = self.chain(class);
        chain.into_iter().take_while(|&id| id != owner).any(|id| {
            let class = self.get(id);
            let method = class.method(&member.name, &member.descriptor).map(|place| &class.methods[place]);
            method.is_some_and(|method| method.flags.any(Flags::PUBLIC | Flags::PROTECTED))
                && package(&class.name) == home
        })
    }

    /// The method that a call of a class finds, which has a body or is native.
    pub fn select(&mut self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<(ClassId, usize)> {
        self.select_where(class, name, descriptor, &|_, _| true)
    }

    fn select_where(
        &mut self,
        class: &[u8],
        name: &[u8],
        descriptor: &[u8],
        admits: &dyn Fn(&Class, &Method) -> bool,
    ) -> Option<(ClassId, usize)> {
        let (chain, _) = self.chain(class);
        let interfaces = self.interfaces(&chain);
        let mut found = None;
        for id in chain.into_iter().chain(interfaces) {
            let class = self.get(id);
            let Some(place) = class.method(name, descriptor) else { continue };
            if class.methods[place].flags.has(Flags::ABSTRACT) || !admits(&class, &class.methods[place]) {
                continue;
            }
            // A default of an interface that extends another's takes its place.
            match found {
                None => found = Some((id, place)),
                Some((other, _))
                    if class.flags.has(Flags::INTERFACE) && self.get(other).flags.has(Flags::INTERFACE) =>
                {
                    if self.interfaces(&[id]).contains(&other) {
                        found = Some((id, place));
                    }
                }
                Some(_) => {}
            }
        }
        found
    }

    /// The field that a reference finds, and its class.
    pub fn field(&mut self, member: &Member) -> Option<(ClassId, FieldId)> {
        let is_it = |field: &&Field| field.name == member.name && field.descriptor == member.descriptor;
        let (chain, _) = self.chain(&member.class);
        let interfaces = self.interfaces(&chain);
        chain
            .into_iter()
            .chain(interfaces)
            .find_map(|id| Some((id, self.get(id).fields.iter().find(is_it)?.id)))
    }
}
