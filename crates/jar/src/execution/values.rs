//! Values and objects of a run.

use std::rc::Rc;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

/// A name of a class, a member, or a descriptor.
pub type Name = Rc<[u8]>;

/// An object, by its place in the heap.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Ref(pub u32);

/// What a local, a place of the stack or a field holds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Val {
    /// An `int` or what is narrower.
    Int(i32),
    /// A `long`.
    Long(i64),
    /// A `float`.
    Float(f32),
    /// A `double`.
    Double(f64),
    /// A reference; `None` is null.
    Ref(Option<Ref>),
}

impl Val {
    /// What a fresh field or element with a descriptor holds.
    pub fn zero(descriptor: &[u8]) -> Val {
        match descriptor.first() {
            Some(b'J') => Val::Long(0),
            Some(b'F') => Val::Float(0.0),
            Some(b'D') => Val::Double(0.0),
            Some(b'L' | b'[') => Val::Ref(None),
            _ => Val::Int(0),
        }
    }

    /// The value as a field or element with a descriptor keeps it.
    pub fn narrowed(self, descriptor: &[u8]) -> Val {
        let Val::Int(int) = self else { return self };
        Val::Int(match descriptor.first() {
            Some(b'Z') => int & 1,
            Some(b'B') => i32::from(int as i8),
            Some(b'S') => i32::from(int as i16),
            Some(b'C') => i32::from(int as u16),
            _ => int,
        })
    }

    /// Whether it takes two slots.
    pub fn is_wide(self) -> bool {
        matches!(self, Val::Long(_) | Val::Double(_))
    }
}

/// What an object is besides its fields.
#[derive(Clone, Debug)]
pub enum Inner {
    /// Nothing.
    Plain,
    /// A string.
    Text(Rc<[u16]>),
    /// A builder of strings.
    Builder(Vec<u16>),
    /// A number or truth value in an object.
    Boxed(Val),
    /// An array.
    Array(Vec<Val>),
    /// A function object.
    Lambda(Rc<Lambda>),
    /// The object of a class, by its name.
    Class(Name),
    /// What an exception says, and what it came of.
    Thrown {
        /// The message.
        message: Option<Ref>,
        /// The cause.
        cause: Option<Ref>,
    },
    /// A constant of an enumeration.
    Constant {
        /// Its name.
        name: Option<Ref>,
        /// Its place.
        ordinal: i32,
    },
    /// An object of a library that is not followed: calls of it are observed.
    Foreign,
}

/// What a function object does.
#[derive(Clone, Debug)]
pub struct Lambda {
    /// The name of the method of its interface.
    pub method: Name,
    /// What that method takes and gives.
    pub descriptor: Name,
    /// The kind of the method handle behind it.
    pub kind: u8,
    /// The method behind it.
    pub target: Rc<Member>,
    /// What it took along.
    pub captured: Vec<Val>,
}

/// A field or method as a constant names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Member {
    /// The class in which the search for it begins.
    pub class: Name,
    /// Its name.
    pub name: Name,
    /// Its descriptor.
    pub descriptor: Name,
}

impl std::fmt::Display for Member {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        write!(f, "{}.{}{}", text(&self.class).replace('/', "."), text(&self.name), text(&self.descriptor))
    }
}

/// A field, by its number among those that were met.
pub type FieldId = u32;

/// An object.
#[derive(Clone, Debug)]
pub struct Object {
    /// Its class, or the descriptor of an array.
    pub class: Name,
    /// Its fields that were written.
    pub fields: HashMap<FieldId, Val, FxBuildHasher>,
    /// What it is besides.
    pub inner: Inner,
}

/// The objects of a run.
#[derive(Default)]
pub struct Heap {
    objects: Vec<Object>,
}

impl Heap {
    /// Makes an object.
    pub fn make(&mut self, class: Name, inner: Inner) -> Ref {
        self.objects.push(Object { class, fields: HashMap::default(), inner });
        Ref(self.objects.len() as u32 - 1)
    }

    /// An object.
    pub fn get(&self, object: Ref) -> &Object {
        &self.objects[object.0 as usize]
    }

    /// An object, to change it.
    pub fn get_mut(&mut self, object: Ref) -> &mut Object {
        &mut self.objects[object.0 as usize]
    }

    /// The characters of a string or builder.
    pub fn text(&self, object: Ref) -> Option<&[u16]> {
        match &self.get(object).inner {
            Inner::Text(text) => Some(text),
            Inner::Builder(text) => Some(text),
            _ => None,
        }
    }

    /// The elements of an array.
    pub fn elements(&mut self, object: Ref) -> Option<&mut Vec<Val>> {
        match &mut self.get_mut(object).inner {
            Inner::Array(elements) => Some(elements),
            _ => None,
        }
    }
}
