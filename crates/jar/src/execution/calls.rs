//! Calls: which method runs, in the program or in the library, and what it makes anew.

use planish_classfile::descriptor::MethodType;
use planish_classfile::{Flags, Opcode};

use super::classes::ClassId;
use super::frame::Frame;
use super::library;
use super::machine::{DEEPEST, Machine, Step, Stop, letter};
use super::values::{Inner, Lambda, Member, Name, Val, box_of};

const VIRTUAL: u8 = 5;

const STATIC: u8 = 6;

const SPECIAL: u8 = 7;

const NEW: u8 = 8;

const INTERFACE: u8 = 9;

impl Machine<'_, '_> {
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
        match self.classes.overriding(&class, member) {
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
            (_, Some(letter), None) => Ok(self.boxed(box_of(letter), value)),
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
