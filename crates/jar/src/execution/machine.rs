//! A run: calls, initializers, exceptions, and what types objects have.

use std::rc::Rc;

use hashbrown::HashMap;
use planish_classfile::descriptor::MethodType;
use planish_classfile::mutf8::to_utf16;
use planish_classfile::{Flags, Opcode};
use planish_jvm_model::hierarchy::Hierarchy;
use rustc_hash::FxBuildHasher;

use super::classes::{ClassId, Classes, Loadable};
use super::frame::Frame;
use super::library;
use super::values::{FieldId, Heap, Inner, Lambda, Member, Name, Ref, Val};
use super::world::{Event, World};

/// Why a run does not go on where it is.
#[derive(Clone, PartialEq, Debug)]
pub enum Stop {
    /// An exception.
    Thrown(Ref),
    /// Nothing is known of what comes next, and why.
    Unknown(String),
    /// The program ended itself.
    Exited,
    /// Instructions or calls that may be open at once ran out.
    Exhausted,
}

/// What gives a value, or ends.
pub type Step<T = ()> = Result<T, Stop>;

/// Calls that may be open at once.
const DEEPEST: u32 = 300;

/// Elements and characters that a run may make.
const MOST_MADE: usize = 4_000_000;

// Kinds of method handles, by the numbers of the specification.
const VIRTUAL: u8 = 5;
const STATIC: u8 = 6;
const SPECIAL: u8 = 7;
const NEW: u8 = 8;
const INTERFACE: u8 = 9;

/// How far the initialization of a class has come.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Initialized {
    Begun,
    Failed,
}

/// A run of a program.
pub struct Machine<'c, 'f> {
    /// Its classes.
    pub classes: &'c mut Classes<'f>,
    /// What is known of classes that are not followed.
    pub hierarchy: &'c Hierarchy,
    /// What is outside.
    pub world: World,
    /// Its objects.
    pub heap: Heap,
    /// What was observed.
    pub events: Vec<Event>,
    statics: HashMap<FieldId, Val, FxBuildHasher>,
    initialized: HashMap<ClassId, Initialized, FxBuildHasher>,
    interned: HashMap<Rc<[u16]>, Ref, FxBuildHasher>,
    class_objects: HashMap<Name, Ref, FxBuildHasher>,
    boxes: HashMap<(Name, i32), Ref, FxBuildHasher>,
    outside: HashMap<(Name, Name), Val, FxBuildHasher>,
    /// Objects that were observed, in that order.
    pub seen: HashMap<Ref, u32, FxBuildHasher>,
    fuel: u64,
    depth: u32,
    made: usize,
}

impl<'c, 'f> Machine<'c, 'f> {
    /// A run that begins, with so many instructions to execute.
    pub fn new(classes: &'c mut Classes<'f>, hierarchy: &'c Hierarchy, world: World, fuel: u64) -> Self {
        Machine {
            classes,
            hierarchy,
            world,
            heap: Heap::default(),
            events: Vec::new(),
            statics: HashMap::default(),
            initialized: HashMap::default(),
            interned: HashMap::default(),
            class_objects: HashMap::default(),
            boxes: HashMap::default(),
            outside: HashMap::default(),
            seen: HashMap::default(),
            fuel,
            depth: 0,
            made: 0,
        }
    }

    /// The steps that are left.
    pub fn fuel(&self) -> u64 {
        self.fuel
    }

    /// Pays for so many steps.
    pub fn burn(&mut self, steps: usize) -> Step {
        self.fuel = self.fuel.checked_sub(steps as u64).ok_or(Stop::Exhausted)?;
        Ok(())
    }

    /// Pays for elements or characters that are made.
    pub fn room(&mut self, count: usize) -> Step {
        self.made += count;
        match self.made > MOST_MADE {
            true => Err(Stop::Exhausted),
            false => self.burn(count / 16),
        }
    }

    /// An exception of the JVM or a library.
    pub fn thrown(&mut self, class: &str) -> Stop {
        let class = self.classes.name(class.as_bytes());
        Stop::Thrown(self.heap.make(class, Inner::Thrown { message: None, cause: None }))
    }

    /// An object of a library that is not followed.
    pub fn foreign(&mut self, class: &[u8]) -> Ref {
        let class = self.classes.name(class);
        self.heap.make(class, Inner::Foreign)
    }

    /// A string.
    pub fn text(&mut self, text: impl Into<Rc<[u16]>>) -> Step<Val> {
        let text = text.into();
        self.room(text.len())?;
        let class = self.classes.name(b"java/lang/String");
        Ok(Val::Ref(Some(self.heap.make(class, Inner::Text(text)))))
    }

    /// The one string of these characters that constants are.
    pub fn interned(&mut self, text: Rc<[u16]>) -> Val {
        let class = self.classes.name(b"java/lang/String");
        let heap = &mut self.heap;
        let object =
            *self.interned.entry(text.clone()).or_insert_with(|| heap.make(class, Inner::Text(text)));
        Val::Ref(Some(object))
    }

    /// A string that a class file spells.
    pub fn constant_text(&mut self, bytes: &[u8]) -> Step<Val> {
        let text = to_utf16(bytes).ok_or_else(|| Stop::Unknown("a malformed string".to_owned()))?;
        Ok(self.interned(text.into()))
    }

    /// The object of a class.
    pub fn class_object(&mut self, name: &Name) -> Val {
        let class = self.classes.name(b"java/lang/Class");
        let heap = &mut self.heap;
        let make = || heap.make(class, Inner::Class(name.clone()));
        Val::Ref(Some(*self.class_objects.entry(name.clone()).or_insert_with(make)))
    }

    /// A number in an object; small ones are always the same.
    pub fn boxed(&mut self, class: &[u8], value: Val) -> Val {
        let class = self.classes.name(class);
        let small = match value {
            Val::Int(small @ -128..=127) => Some(small),
            Val::Long(small @ -128..=127) => Some(small as i32),
            _ => None,
        };
        let heap = &mut self.heap;
        let object = match small {
            Some(small) => *self
                .boxes
                .entry((class.clone(), small))
                .or_insert_with(|| heap.make(class, Inner::Boxed(value))),
            None => heap.make(class, Inner::Boxed(value)),
        };
        Val::Ref(Some(object))
    }

    /// An array of zeros.
    pub fn array(&mut self, descriptor: &[u8], length: i32) -> Step<Val> {
        let Ok(length) = usize::try_from(length) else {
            return Err(self.thrown("java/lang/NegativeArraySizeException"));
        };
        self.room(length)?;
        let class = self.classes.name(descriptor);
        let elements = vec![Val::zero(&descriptor[1..]); length];
        Ok(Val::Ref(Some(self.heap.make(class, Inner::Array(elements)))))
    }

    /// Makes an array of several dimensions.
    pub fn arrays(&mut self, descriptor: &[u8], lengths: &[i32]) -> Step<Val> {
        let array = self.array(descriptor, lengths[0])?;
        if let (Val::Ref(Some(outer)), [length, rest @ ..]) = (array, lengths)
            && !rest.is_empty()
        {
            for index in 0..*length as usize {
                let inner = self.arrays(&descriptor[1..], rest)?;
                if let Some(elements) = self.heap.elements(outer) {
                    elements[index] = inner;
                }
            }
        }
        Ok(array)
    }

    /// Whether an object is an instance of a class or array type. It ends where that is not known.
    pub fn is_instance(&mut self, object: Ref, class: &[u8]) -> Step<bool> {
        let (own, inner) = (self.heap.get(object).class.clone(), &self.heap.get(object).inner);
        let is_foreign = matches!(inner, Inner::Foreign);
        match self.is_subtype(&own, class)? {
            // What a library gave may be of any class below the one that is declared.
            false if is_foreign => {
                Err(Stop::Unknown(format!("what class an object of a library has: {}", shown(&own))))
            }
            found => Ok(found),
        }
    }

    /// Whether a type is below another one.
    pub fn is_subtype(&mut self, own: &[u8], class: &[u8]) -> Step<bool> {
        if own == class || class == b"java/lang/Object" {
            return Ok(true);
        }
        if let (Some(element), Some(of)) = (own.strip_prefix(b"["), class.strip_prefix(b"[")) {
            return match (element[0], of[0]) {
                (b'L', b'L') => self.is_subtype(&element[1..element.len() - 1], &of[1..of.len() - 1]),
                (b'[', b'L') => self.is_subtype(element, &of[1..of.len() - 1]),
                (b'[', b'[') => self.is_subtype(element, of),
                _ => Ok(element == of),
            };
        }
        if own[0] == b'[' {
            return Ok(matches!(class, b"java/lang/Cloneable" | b"java/io/Serializable"));
        }
        let (chain, library) = self.classes.chain(own);
        let interfaces = self.classes.interfaces(&chain);
        if chain.iter().chain(&interfaces).any(|&id| *self.classes.get(id).name == *class) {
            return Ok(true);
        }
        if self.classes.find(class).is_some_and(|id| self.classes.get(id).is_ours) {
            return Ok(false);
        }
        // What is of libraries stands above what is followed.
        let mut above: Vec<Name> = library.into_iter().collect();
        for id in chain.into_iter().chain(interfaces) {
            above.extend(self.classes.get(id).interfaces.iter().cloned());
        }
        let hierarchy = self.hierarchy;
        let Some(wanted) = hierarchy.lookup(class) else { return Err(unknown_class(class)) };
        let mut all_known = true;
        for name in above {
            match hierarchy.lookup(&name).and_then(|id| hierarchy.is_subtype(id, wanted)) {
                Some(true) => return Ok(true),
                Some(false) => {}
                None => all_known = false,
            }
        }
        if all_known { Ok(false) } else { Err(unknown_class(own)) }
    }

    /// Initializes a class, and what stands above it, unless that was done.
    pub fn initialize(&mut self, id: ClassId) -> Step {
        match self.initialized.get(&id) {
            Some(Initialized::Begun) => return Ok(()),
            Some(Initialized::Failed) => return Err(self.thrown("java/lang/NoClassDefFoundError")),
            None => {}
        }
        self.initialized.insert(id, Initialized::Begun);
        let class = self.classes.get(id);
        let mut before = Vec::new();
        if !class.flags.has(Flags::INTERFACE) {
            before.extend(class.above.as_ref().and_then(|name| self.classes.find(name)));
            // Interfaces with defaults are initialized along with classes.
            let interfaces = self.classes.interfaces(&[id]);
            before.extend(interfaces.into_iter().rev().filter(|&id| {
                let class = self.classes.get(id);
                class.methods.iter().any(|m| m.code.is_some() && !m.flags.has(Flags::STATIC))
            }));
        }
        for above in before {
            self.initialize(above)?;
        }
        for field in class.fields.iter().filter(|field| field.flags.has(Flags::STATIC)) {
            if let Some(constant) = field.constant {
                let value = self.loaded(&class.constants, constant)?.narrowed(&field.descriptor);
                self.statics.insert(field.id, value);
            }
        }
        let Some(place) = class.method(b"<clinit>", b"()V") else { return Ok(()) };
        match self.invoke(id, place, Vec::new()) {
            Err(Stop::Thrown(thrown)) => {
                self.initialized.insert(id, Initialized::Failed);
                if self.is_instance(thrown, b"java/lang/Error")? {
                    return Err(Stop::Thrown(thrown));
                }
                Err(self.thrown("java/lang/ExceptionInInitializerError"))
            }
            other => other.map(|_| ()),
        }
    }

    /// The value of a constant.
    pub fn loaded(&mut self, constants: &[Loadable], index: u16) -> Step<Val> {
        Ok(match constants.get(usize::from(index)) {
            Some(Loadable::Int(value)) => Val::Int(*value),
            Some(Loadable::Long(value)) => Val::Long(*value),
            Some(Loadable::Float(value)) => Val::Float(*value),
            Some(Loadable::Double(value)) => Val::Double(*value),
            Some(Loadable::Text(text)) => self.constant_text(&text.clone())?,
            Some(Loadable::Class(name)) => self.class_object(&name.clone()),
            _ => return Err(Stop::Unknown("a constant that a method computes".to_owned())),
        })
    }

    /// The value of a static field.
    pub fn read_static(&mut self, member: &Member) -> Step<Val> {
        let Some((class, field)) = self.classes.field(member) else {
            let key = (member.class.clone(), member.name.clone());
            if let Some(known) = self.outside.get(&key) {
                return Ok(*known);
            }
            let value = self.answer(&member.descriptor, &member.to_string())?;
            self.outside.insert(key, value);
            return Ok(value);
        };
        self.initialize(class)?;
        Ok(self.statics.get(&field).copied().unwrap_or_else(|| Val::zero(&member.descriptor)))
    }

    /// Writes a static field.
    pub fn write_static(&mut self, member: &Member, value: Val) -> Step {
        let Some((class, field)) = self.classes.field(member) else {
            return Err(Stop::Unknown(format!("a field of a library is written: {member}")));
        };
        self.initialize(class)?;
        self.statics.insert(field, value.narrowed(&member.descriptor));
        Ok(())
    }

    /// Runs a method of a class that is followed.
    pub fn invoke(&mut self, class: ClassId, method: usize, args: Vec<Val>) -> Step<Option<Val>> {
        let owner = self.classes.get(class);
        let method = &owner.methods[method];
        let Some(code) = &method.code else {
            let member = Member {
                class: owner.name.clone(),
                name: method.name.clone(),
                descriptor: method.descriptor.clone(),
            };
            return library::call(self, &member, args, method.flags.has(Flags::STATIC));
        };
        if self.depth >= DEEPEST {
            return Err(Stop::Exhausted);
        }
        self.depth += 1;
        let done = Frame::new(owner.clone(), code.clone(), args).run(self);
        self.depth -= 1;
        done
    }

    /// A call as an instruction makes it. The receiver is the first argument.
    pub fn call(&mut self, op: Opcode, from: &Name, member: &Member, args: Vec<Val>) -> Step<Option<Val>> {
        if op == Opcode::Invokestatic {
            return self.call_static(member, args);
        }
        let Some(&Val::Ref(receiver)) = args.first() else {
            return Err(Stop::Unknown("a call on no object".to_owned()));
        };
        let Some(receiver) = receiver else { return Err(self.thrown("java/lang/NullPointerException")) };
        if op == Opcode::Invokespecial {
            return self.call_special(from, member, args);
        }
        let object = self.heap.get(receiver);
        let class = object.class.clone();
        if let Inner::Lambda(lambda) = &object.inner
            && lambda.method == member.name
        {
            let lambda = lambda.clone();
            return self.call_lambda(&lambda, args);
        }
        match self.classes.select(&class, &member.name, &member.descriptor) {
            Some((found, place)) => self.invoke(found, place, args),
            None => self.call_library(&class, member, args),
        }
    }

    /// A method that no class which is followed has.
    fn call_library(&mut self, class: &Name, member: &Member, args: Vec<Val>) -> Step<Option<Val>> {
        let member = Member { class: self.above(class), ..member.clone() };
        library::call(self, &member, args, false)
    }

    /// The class at which methods are of a library which is not followed.
    fn above(&mut self, class: &Name) -> Name {
        self.classes.chain(class).1.unwrap_or_else(|| class.clone())
    }

    fn call_static(&mut self, member: &Member, args: Vec<Val>) -> Step<Option<Val>> {
        match self.classes.select(&member.class, &member.name, &member.descriptor) {
            Some((class, place)) => {
                self.initialize(class)?;
                self.invoke(class, place, args)
            }
            None => library::call(self, member, args, true),
        }
    }

    /// A call of a constructor, a private method, or a method of a super class.
    fn call_special(&mut self, from: &Name, member: &Member, args: Vec<Val>) -> Step<Option<Val>> {
        let mut class = member.class.clone();
        if &*member.name != b"<init>" && *from != class {
            let (chain, _) = self.classes.chain(from);
            if chain.iter().skip(1).any(|&id| self.classes.get(id).name == class)
                && let Some(&above) = chain.get(1)
            {
                class = self.classes.get(above).name.clone();
            }
        }
        match self.classes.select(&class, &member.name, &member.descriptor) {
            Some((found, place)) => self.invoke(found, place, args),
            None => self.call_library(&class, member, args),
        }
    }

    /// Calls what a function object stands for.
    pub fn call_lambda(&mut self, lambda: &Lambda, args: Vec<Val>) -> Step<Option<Val>> {
        let target = lambda.target.clone();
        let malformed = || Stop::Unknown("a malformed descriptor".to_owned());
        let takes = MethodType::parse(&target.descriptor).ok_or_else(malformed)?;
        let given = MethodType::parse(&lambda.descriptor).ok_or_else(malformed)?;
        let mut wanted: Vec<Option<u8>> = takes.parameters().map(letter).collect();
        if !matches!(lambda.kind, STATIC | NEW) {
            wanted.insert(0, None);
        }
        // The function object boxes and unboxes where its interface and the method differ.
        let mut all = lambda.captured.clone();
        let taken = wanted.split_off(all.len().min(wanted.len()));
        for ((value, given), wanted) in
            args.into_iter().skip(1).zip(given.parameters().map(letter)).zip(taken)
        {
            let value = self.adapted(value, given, wanted)?;
            all.push(value);
        }
        let gives = match lambda.kind {
            NEW => None,
            _ => takes.result().and_then(letter),
        };
        let result = self.call_target(lambda.kind, &target, all)?;
        match (result, given.result()) {
            (Some(value), Some(wanted)) => self.adapted(value, gives, letter(wanted)).map(Some),
            _ => Ok(None),
        }
    }

    /// Calls what a method handle stands for.
    fn call_target(&mut self, kind: u8, target: &Member, mut all: Vec<Val>) -> Step<Option<Val>> {
        match kind {
            STATIC => self.call_static(target, all),
            VIRTUAL | INTERFACE => self.call(Opcode::Invokevirtual, &target.class, target, all),
            SPECIAL => self.call_special(&target.class, target, all),
            NEW => {
                let made = self.fresh(&target.class)?;
                all.insert(0, made);
                self.call_special(&target.class, target, all)?;
                Ok(Some(made))
            }
            _ => Err(Stop::Unknown("a method handle of a field".to_owned())),
        }
    }

    /// A value of a primitive type of some letter, or a reference, where another one is wanted.
    pub fn adapted(&mut self, value: Val, given: Option<u8>, wanted: Option<u8>) -> Step<Val> {
        match (value, given, wanted) {
            (Val::Ref(Some(object)), _, Some(letter)) => match self.heap.get(object).inner {
                Inner::Boxed(value) => Ok(widened(value, letter)),
                _ => Err(Stop::Unknown("a function object gets what is no number".to_owned())),
            },
            (Val::Ref(None), _, Some(_)) => Err(self.thrown("java/lang/NullPointerException")),
            (_, _, Some(letter)) => Ok(widened(value, letter)),
            (_, Some(letter), None) => Ok(self.boxed(library::box_of(letter), value)),
            (_, None, None) => Ok(value),
        }
    }

    /// A fresh object of a class, whose constructor is yet to run.
    pub fn fresh(&mut self, class: &Name) -> Step<Val> {
        self.room(4)?;
        let inner = match self.classes.find(class) {
            Some(id) => {
                let found = self.classes.get(id);
                if found.flags.any(Flags::ABSTRACT | Flags::INTERFACE) {
                    return Err(self.thrown("java/lang/InstantiationError"));
                }
                self.initialize(id)?;
                match self.above(class) {
                    above if &*above == b"java/lang/Enum" => Inner::Constant { name: None, ordinal: 0 },
                    above if &*above == b"java/lang/Object" => Inner::Plain,
                    _ if self.is_subtype(class, b"java/lang/Throwable")? => {
                        Inner::Thrown { message: None, cause: None }
                    }
                    _ => Inner::Plain,
                }
            }
            None => library::fresh(self, class)?,
        };
        Ok(Val::Ref(Some(self.heap.make(class.clone(), inner))))
    }
}

/// The letter of a primitive type.
pub fn letter(ty: planish_classfile::descriptor::Type<'_>) -> Option<u8> {
    let mut text = Vec::new();
    ty.write(&mut text);
    (!ty.is_reference()).then(|| text[0])
}

/// A number as a wider type has it.
fn widened(value: Val, letter: u8) -> Val {
    match (value, letter) {
        (Val::Int(value), b'J') => Val::Long(i64::from(value)),
        (Val::Int(value), b'F') => Val::Float(value as f32),
        (Val::Int(value), b'D') => Val::Double(f64::from(value)),
        (Val::Long(value), b'F') => Val::Float(value as f32),
        (Val::Long(value), b'D') => Val::Double(value as f64),
        (Val::Float(value), b'D') => Val::Double(f64::from(value)),
        _ => value,
    }
}

/// A name of a class for people.
pub fn shown(name: &[u8]) -> String {
    String::from_utf8_lossy(name).replace('/', ".")
}

fn unknown_class(name: &[u8]) -> Stop {
    Stop::Unknown(format!("class {} is not known", shown(name)))
}
