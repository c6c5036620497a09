//! Reflection sites, the values: which texts and classes a value of a body may be, followed back to where it is made.
//!
//! A text is known in parts: `"com.acme." + name` begins as it says. What is not known is one mark in it, so texts are
//! joined as they are, and become patterns of keep rules in the end.

use std::cell::{Cell, RefCell};

use hashbrown::{HashMap, HashSet};
use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::{ConstantPool, Flags, MemberRef, Opcode, Operand};
use planish_ir::{Const, Def, Function, Inst, Terminator, Value};
use planish_jvm_ir::naming::{Named, Names};
use planish_jvm_model::bootstraps::rows;
use planish_jvm_model::program::{Class, Method, Program};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use super::scope::Scope;
use crate::lookups::text::{MOST, Text, formatted, joined, text_of_pattern};
use crate::reflection::looks::place_of_text;
use crate::string_methods::is_builder;

/// How many steps a value is followed, one behind the other.
const DEEPEST: u32 = 24;

/// How many steps all in all.
const STEPS: u32 = 1_000;

const LOOKUP: &[u8] = b"java/lang/invoke/MethodHandles$Lookup";

/// The values of a body.
pub struct Values<'f, 'a> {
    f: &'f Function,
    names: &'f Names,
    program: &'f Program<'a>,
    method: Method,
    bootstraps: Vec<BootstrapMethod>,
    /// What the parameters of blocks are, whichever way control comes.
    incoming: HashMap<Value, Vec<Value>, FxBuildHasher>,
    /// The parameters of blocks that a value becomes.
    outgoing: HashMap<Value, Vec<Value>, FxBuildHasher>,
    /// The values that the method returns.
    returned: HashSet<Value, FxBuildHasher>,
    /// The instructions that use a value.
    users: HashMap<Value, Vec<Inst>, FxBuildHasher>,
    /// The instructions by their numbers in the body.
    by_number: HashMap<u32, Inst, FxBuildHasher>,
    /// How many steps may still be made for what is asked.
    steps: Cell<u32>,
    /// The classes whose names are parts of texts.
    used: RefCell<Vec<String>>,
}

impl<'f, 'a> Values<'f, 'a> {
    /// The values of a lifted method. O(size of the body).
    pub fn new(f: &'f Function, names: &'f Names, program: &'f Program<'a>, method: Method) -> Self {
        let mut incoming: HashMap<Value, Vec<Value>, FxBuildHasher> = HashMap::default();
        let mut outgoing: HashMap<Value, Vec<Value>, FxBuildHasher> = HashMap::default();
        for call in f.blocks().iter().flat_map(|&block| f.block_calls(block)) {
            for (&param, &arg) in f.block_params(call.block).iter().zip(f.list(call.args)) {
                incoming.entry(param).or_default().push(arg);
                outgoing.entry(arg).or_default().push(param);
            }
        }
        let mut returned = HashSet::default();
        for &block in f.blocks() {
            if let Terminator::Return(values) = f.terminator(block) {
                returned.extend(f.list(*values).iter().copied());
            }
        }
        let mut users: HashMap<Value, Vec<Inst>, FxBuildHasher> = HashMap::default();
        let mut by_number = HashMap::default();
        for (_, inst) in f.live_insts() {
            f.args(inst).iter().for_each(|&arg| users.entry(arg).or_default().push(inst));
            if f.inst(inst).op == Op::Call {
                by_number.insert(f.inst(inst).location.0, inst);
            }
        }
        let class = program.methods[method].class;
        let bootstraps = rows(&program.classes[class].file).unwrap_or_default();
        Values {
            f,
            names,
            program,
            method,
            bootstraps,
            incoming,
            outgoing,
            returned,
            users,
            by_number,
            steps: Cell::new(0),
            used: RefCell::default(),
        }
    }

    fn class(&self) -> Class {
        self.program.methods[self.method].class
    }

    fn pool(&self) -> &'f ConstantPool<'a> {
        &self.program.classes[self.class()].file.pool
    }

    /// The call that an instruction of the body is, by its number.
    pub fn inst_at(&self, number: u32) -> Option<Inst> {
        self.by_number.get(&(number + 1)).copied()
    }

    /// The arguments of an instruction, the receiver first.
    pub fn args(&self, inst: Inst) -> &'f [Value] {
        self.f.args(inst)
    }

    /// Whether a call has a receiver among its arguments.
    pub fn has_receiver(&self, inst: Inst, member: &MemberRef<'_>) -> bool {
        let count = MethodType::parse(member.descriptor).map_or(0, |ty| ty.parameters().count());
        self.args(inst).len() > count
    }

    /// The place of the parameter of the method that a value is, the receiver being the first.
    pub fn parameter(&self, value: Value) -> Option<usize> {
        let mut at = value;
        while let Some((inst, Opcode::Checkcast, _)) = self.made(at) {
            at = *self.args(inst).first()?;
        }
        self.f.params().iter().position(|&param| param == at)
    }

    /// The member that an instruction calls.
    pub(super) fn called(&self, inst: Inst) -> Option<(Opcode, MemberRef<'f>)> {
        let instruction = self.names.instruction_of(self.f, inst)?;
        let index = match instruction.operand {
            Operand::Constant(index) | Operand::Interface { method: index, .. } => index,
            _ => return None,
        };
        self.pool().is_member(index).then_some(())?;
        Some((instruction.op, self.pool().member(index).ok()?))
    }

    /// The instruction that makes a value, if it is kept as it was: what it is, and the class that it names, if any.
    pub(super) fn made(&self, value: Value) -> Option<(Inst, Opcode, Option<&'f [u8]>)> {
        let Def::Result(inst, 0) = self.f.def(value) else { return None };
        let instruction = self.names.instruction_of(self.f, inst)?;
        let class = match instruction.operand {
            Operand::Constant(index) => self.pool().class(index).ok(),
            _ => None,
        };
        Some((inst, instruction.op, class))
    }

    /// The texts that a value may be.
    pub fn texts(&self, value: Value) -> Vec<Text> {
        // Null is no name; that it is given by itself says nothing of what is meant.
        if matches!(self.f.constant(value), Some(Const::Null)) {
            return vec![Text::any()];
        }
        self.texts_within(value, self.begin())
    }

    /// Begins to count steps for something that is asked.
    pub(super) fn begin(&self) -> u32 {
        self.steps.set(STEPS);
        DEEPEST
    }

    /// Counts a step; nothing if there were too many.
    pub(super) fn step(&self, depth: u32) -> Option<u32> {
        self.steps.set(self.steps.get().checked_sub(1)?);
        depth.checked_sub(1)
    }

    pub(super) fn texts_within(&self, value: Value, depth: u32) -> Vec<Text> {
        let mut texts = self.follow(value, depth, &mut Vec::new());
        texts.sort();
        texts.dedup();
        if texts.len() > MOST || texts.contains(&Text::any()) { vec![Text::any()] } else { texts }
    }

    fn follow(&self, value: Value, depth: u32, open: &mut Vec<Value>) -> Vec<Text> {
        let unknown = || vec![Text::any()];
        let Some(depth) = self.step(depth) else { return unknown() };
        match (self.f.constant(value), self.f.def(value)) {
            (Some(Const::Symbol(symbol, _)), _) => {
                let text = self.pool().string(self.names.string_constant(symbol));
                text.map_or_else(|_| unknown(), |text| vec![Text(text.to_vec())])
            }
            (Some(Const::Null), _) => vec![Text(b"null".to_vec())],
            (Some(Const::Int(number)), _) => vec![Text(number.signed().to_string().into_bytes())],
            (None, Def::Param(..)) => {
                let Some(incoming) = self.incoming.get(&value) else { return unknown() };
                // What is made of itself may be anything.
                if open.contains(&value) {
                    return unknown();
                }
                open.push(value);
                let mut texts = Vec::new();
                for &from in incoming.iter().filter(|&&from| from != value) {
                    texts.extend(self.follow(from, depth, open));
                    if texts.len() > MOST {
                        return unknown();
                    }
                }
                open.pop();
                texts
            }
            (None, Def::Result(inst, 0)) => self.given(inst, depth, open).unwrap_or_else(unknown),
            _ => unknown(),
        }
    }

    /// What the texts that an instruction gives may be.
    fn given(&self, inst: Inst, depth: u32, open: &mut Vec<Value>) -> Option<Vec<Text>> {
        let args = self.args(inst);
        let mut text = |value: Value| self.follow(value, depth, open);
        let instruction = self.names.instruction_of(self.f, inst)?;
        match instruction.op {
            Opcode::Checkcast => return Some(text(*args.first()?)),
            Opcode::Invokedynamic => return self.concatenated(inst, depth, open),
            _ => {}
        }
        let (_, member) = self.called(inst)?;
        Some(match (member.class, member.name, args) {
            (b"java/lang/String", b"concat", &[first, second]) => joined(&text(first), &text(second)),
            (b"java/lang/String", b"toString" | b"intern", &[receiver]) => text(receiver),
            (b"java/lang/String", b"trim", &[receiver]) => {
                text(receiver).into_iter().map(Text::trimmed).collect()
            }
            (b"java/lang/String", b"valueOf", &[value])
                if member.descriptor.starts_with(b"(Ljava/lang/Object;)") =>
            {
                text(value)
            }
            (b"java/lang/String", b"replace", &[receiver, old, new]) => {
                let unit = |value: Value| u8::try_from(self.f.int_constant(value)?.signed()).ok();
                let (old, new) = (unit(old)?, unit(new)?);
                let replace =
                    |text: Text| Text(text.0.iter().map(|&b| if b == old { new } else { b }).collect());
                text(receiver).into_iter().map(replace).collect()
            }
            (b"java/lang/String", b"format", &[format, _]) => {
                text(format).into_iter().map(|text| Text(formatted(&text.0))).collect()
            }
            (b"java/lang/Class", name, &[class]) => {
                self.texts_of_class(name, &self.class_within(class, depth))?
            }
            (b"java/lang/System", b"getProperty", &[_, otherwise]) => {
                text(otherwise).into_iter().chain([Text::any()]).collect()
            }
            (class, b"toString", &[builder]) if is_builder(class) => self.built(builder, depth, open)?,
            _ => return None,
        })
    }

    /// What a method gives of the name of a class.
    fn texts_of_class(&self, method: &[u8], classes: &Scope) -> Option<Vec<Text>> {
        if classes.below.is_some() {
            return None;
        }
        let is_nested = || classes.names.iter().any(|name| name.contains('$'));
        let package = |name: &String| name.rsplit_once('.').map_or("", |(package, _)| package).to_owned();
        let simple = |name: &String| name.rsplit('.').next().unwrap_or_default().to_owned();
        let part: &dyn Fn(&String) -> String = match method {
            b"getName" | b"getTypeName" => &String::clone,
            b"descriptorString" => &|name| format!("L{};", name.replace('.', "/")),
            b"getPackageName" => &package,
            // Of those inside of others attributes say it.
            b"getCanonicalName" if !is_nested() => &String::clone,
            b"getSimpleName" if !is_nested() => &simple,
            _ => return None,
        };
        self.used.borrow_mut().extend(classes.names.iter().cloned());
        Some(classes.names.iter().map(|name| text_of_pattern(&part(name))).collect())
    }

    /// The names of classes of which texts are made that were asked for.
    pub fn names_used(&self) -> Vec<String> {
        self.used.take()
    }

    /// What a call site of `StringConcatFactory` gives.
    fn concatenated(&self, inst: Inst, depth: u32, open: &mut Vec<Value>) -> Option<Vec<Text>> {
        let pool = self.pool();
        let Operand::Constant(site) = self.names.instruction_of(self.f, inst)?.operand else { return None };
        let (number, name, descriptor) = pool.dynamic(site).ok()?;
        (name == b"makeConcatWithConstants").then_some(())?;
        let arguments = &self.bootstraps.get(usize::from(number))?.arguments;
        let (&recipe, _) = arguments.split_first()?;
        let mut texts = vec![Text(Vec::new())];
        let ty = MethodType::parse(descriptor)?;
        let (mut values, mut types) = (self.args(inst).iter(), ty.parameters());
        for &byte in pool.string(recipe).ok()? {
            let more = match byte {
                1 => self.appended(*values.next()?, types.next()?, depth, open),
                2 => vec![Text::any()],
                byte => vec![Text(vec![byte])],
            };
            texts = joined(&texts, &more);
        }
        Some(texts)
    }

    /// What is appended as a value of a type.
    fn appended(&self, value: Value, ty: JavaType<'_>, depth: u32, open: &mut Vec<Value>) -> Vec<Text> {
        match ty {
            // A number that is a letter is written as one.
            JavaType::Char => {
                match self.f.int_constant(value).and_then(|unit| u8::try_from(unit.signed()).ok()) {
                    Some(unit @ 1..0x80) => vec![Text(vec![unit])],
                    _ => vec![Text::any()],
                }
            }
            JavaType::Boolean => vec![Text::any()],
            _ => self.follow(value, depth, open),
        }
    }

    /// What is in a builder that was appended to in one chain of calls: whoever else has it appends as well.
    fn built(&self, builder: Value, depth: u32, open: &mut Vec<Value>) -> Option<Vec<Text>> {
        let is_handed_on = |value: Value, times: usize| {
            let users = self.users.get(&value).map_or(0, Vec::len);
            users == times && !self.outgoing.contains_key(&value) && !self.returned.contains(&value)
        };
        let (mut at, mut more) = (builder, Vec::new());
        loop {
            match self.made(at)? {
                (_, Opcode::New, _) => break,
                (inst, Opcode::Invokevirtual, _) => {
                    let (_, member) = self.called(inst)?;
                    let &[receiver, text] = self.args(inst) else { return None };
                    let ty = MethodType::parse(member.descriptor)?.parameters().next()?;
                    let is_append = is_builder(member.class) && member.name == b"append";
                    (is_append && is_handed_on(at, 1)).then_some(())?;
                    more.push(self.appended(text, ty, depth, open));
                    at = receiver;
                }
                _ => return None,
            }
        }
        // The constructor has it, too.
        is_handed_on(at, 2).then_some(())?;
        let is_constructor =
            |inst: &&Inst| self.called(**inst).is_some_and(|(_, member)| member.name == b"<init>");
        let constructor = *self.users.get(&at)?.iter().find(is_constructor)?;
        let (_, member) = self.called(constructor)?;
        let begin = match (member.descriptor, self.args(constructor)) {
            (b"(Ljava/lang/String;)V", &[_, text]) => self.follow(text, depth, open),
            (b"()V" | b"(I)V", _) => vec![Text(Vec::new())],
            _ => return None,
        };
        Some(more.into_iter().rev().fold(begin, |texts, more| joined(&texts, &more)))
    }

    /// The class whose object a value may be.
    pub fn class_of(&self, value: Value) -> Scope {
        self.class_within(value, self.begin())
    }

    fn class_within(&self, value: Value, depth: u32) -> Scope {
        let Some(depth) = self.step(depth) else { return Scope::any() };
        let Some((inst, op, class)) = self.made(value) else { return self.class_among(value, depth) };
        match (op, class) {
            (Opcode::Ldc | Opcode::LdcW, Some(class)) => return Scope::one(class),
            (Opcode::Checkcast, _) => return self.class_within(self.args(inst)[0], depth),
            _ => {}
        }
        let Some((_, member)) = self.called(inst) else { return Scope::any() };
        match (member.name, self.args(inst)) {
            (b"getClass", &[object]) if member.descriptor == b"()Ljava/lang/Class;" => {
                self.type_of(object).map_or_else(Scope::any, |ty| Scope::below(&ty))
            }
            (b"forName" | b"loadClass" | b"findClass", args) => {
                let place = place_of_text(&member, self.has_receiver(inst, &member));
                let Some(&name) = args.get(place) else { return Scope::any() };
                let names = self.texts_within(name, depth).iter().map(Text::class_pattern).collect();
                Scope { names, below: self.use_of_class(inst).below() }
            }
            // A lookup gives back what it is given.
            (b"accessClass" | b"ensureInitialized", &[_, class]) if member.class == LOOKUP => {
                self.class_within(class, depth)
            }
            (b"resolveConstantDesc", &[descriptor, _]) => {
                let names = self.described(descriptor, depth).iter().map(Text::class_pattern).collect();
                Scope { names, below: self.use_of_class(inst).below() }
            }
            _ => Scope::any(),
        }
    }

    /// The classes that the values from which control brings one are.
    fn class_among(&self, value: Value, depth: u32) -> Scope {
        let Some(incoming) = self.incoming.get(&value) else { return Scope::any() };
        let mut names = Vec::new();
        for &from in incoming.iter().filter(|&&from| from != value) {
            let scope = self.class_within(from, depth);
            if scope.is_any() || scope.below.is_some() || names.len() > MOST {
                return Scope::any();
            }
            names.extend(scope.names);
        }
        names.sort();
        names.dedup();
        Scope { names, below: None }
    }

    /// Whether the object of a class is one that this method loads by its name.
    pub fn is_loaded(&self, value: Value) -> bool {
        let mut at = value;
        for _ in 0..DEEPEST {
            let Some((inst, op, _)) = self.made(at) else { return false };
            if op == Opcode::Checkcast {
                at = self.args(inst)[0];
                continue;
            }
            return self
                .called(inst)
                .is_some_and(|(_, member)| matches!(member.name, b"forName" | b"loadClass" | b"findClass"));
        }
        false
    }

    /// The class or interface that an object is of, by what declares it, as in `a/B`.
    pub fn type_of(&self, value: Value) -> Option<Box<[u8]>> {
        if let Some(place) = self.f.params().iter().position(|&param| param == value) {
            let info = &self.program.methods[self.method];
            let is_static = info.flags.has(Flags::STATIC);
            return match place.checked_sub(usize::from(!is_static)) {
                None => Some(self.program.name(info.class).into()),
                Some(place) => {
                    let ty = MethodType::parse(self.program.descriptor(info.selector))?;
                    class_name(ty.parameters().nth(place)?)
                }
            };
        }
        let Def::Result(inst, 0) = self.f.def(value) else { return None };
        let data = self.f.inst(inst);
        if let Named::Field(index) = self.names.named(data.descr?) {
            return class_name(JavaType::parse(self.pool().member(*index).ok()?.descriptor)?);
        }
        match self.made(value)? {
            (_, Opcode::New | Opcode::Checkcast, Some(class)) => Some(class.into()),
            (inst, Opcode::Getfield | Opcode::Getstatic, _) => {
                class_name(JavaType::parse(self.called(inst)?.1.descriptor)?)
            }
            (inst, ..) => class_name(MethodType::parse(self.called(inst)?.1.descriptor)?.result()?),
        }
    }

    /// What is done with the class that an instruction gives. O(uses), up to a number of steps.
    pub fn use_of_class(&self, inst: Inst) -> ClassUse {
        let mut found = ClassUse::default();
        let mut work: Vec<Value> = self.f.first_result(inst).into_iter().collect();
        let mut seen = work.clone();
        while let Some(value) = work.pop() {
            let mut next: Vec<Value> = self.outgoing.get(&value).cloned().unwrap_or_default();
            found.escapes |= self.returned.contains(&value) || seen.len() > DEEPEST as usize;
            for &user in self.users.get(&value).into_iter().flatten() {
                next.extend(self.used(user, &mut found));
            }
            for value in next {
                if !seen.contains(&value) {
                    seen.push(value);
                    work.push(value);
                }
            }
        }
        found
    }

    /// What an instruction does with a class or what is made of it. Gives the value where it goes on.
    fn used(&self, user: Inst, found: &mut ClassUse) -> Option<Value> {
        let result = self.f.first_result(user);
        let Some(instruction) = self.names.instruction_of(self.f, user) else {
            // Comparisons give a number.
            let asks = result.is_some_and(|result| self.f.ty(result) != Type::Ref);
            found.escapes |= !asks && self.f.inst(user).op != Op::NullCheck;
            return None;
        };
        match instruction.op {
            Opcode::Checkcast => {
                return match self.made(result?)?.2 {
                    Some(b"java/lang/Class" | b"java/lang/reflect/Constructor" | b"java/lang/Object")
                    | None => result,
                    Some(class) => {
                        found.cast.get_or_insert_with(|| class.into());
                        None
                    }
                };
            }
            Opcode::Instanceof => return None,
            _ => {}
        }
        let Some((_, member)) = self.called(user) else {
            found.escapes = true;
            return None;
        };
        match (member.class, member.name) {
            (b"java/lang/Class" | b"java/lang/reflect/Constructor", b"newInstance")
            | (b"java/lang/Class", b"getConstructor" | b"getDeclaredConstructor") => {
                found.makes = true;
                result
            }
            (b"java/lang/Class", b"asSubclass") => {
                let of = self.args(user).get(1).and_then(|&class| self.made(class));
                if let Some((_, Opcode::Ldc | Opcode::LdcW, Some(class))) = of {
                    found.cast.get_or_insert_with(|| class.into());
                }
                result
            }
            (b"java/lang/Class" | b"java/lang/reflect/Constructor", _) => None,
            _ => {
                found.escapes = true;
                None
            }
        }
    }
}

/// What is done with a class.
#[derive(Default)]
pub struct ClassUse {
    /// The class or interface to which objects of it are cast first, as in `a/B`.
    cast: Option<Box<[u8]>>,
    /// Whether objects are made of it.
    makes: bool,
    /// Whether it, or an object of it, goes to where nobody looks.
    escapes: bool,
}

impl ClassUse {
    /// The class or interface that it must be or extend.
    pub fn below(self) -> Option<Box<[u8]>> {
        self.cast.filter(|_| !self.escapes)
    }

    /// Whether objects may be made of it.
    pub fn makes(&self) -> bool {
        self.makes || self.escapes
    }
}

/// The name of a class that a type is.
fn class_name(ty: JavaType<'_>) -> Option<Box<[u8]>> {
    ty.class_name().map(Into::into)
}
