//! Descriptors of class files: what the instructions of a lifted class name; fields, methods, classes, strings.
//!
//! A descriptor of the IR is a number; here is what it stands for, so that lowering can write the
//! instruction again with the constant that it had. One table serves all methods of a class file,
//! whose constants it speaks of.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::mutf8::Shown;
use planish_classfile::{ClassFile, Constant, ConstantPool, Flags, Insn, MemberRef, Opcode, Operand};
use planish_ir::module::{Descriptor, Descriptors};
use planish_ir::{Function, Inst, Module, Symbol};
use planish_ops::world::{CallEffect, Descr, Extension, Location, Mutability, World};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use crate::surroundings::{Argument, Nothing, Number, PlainField, Surroundings};

/// What a descriptor stands for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Named {
    /// An instruction that is written as it was: a call, or an access whose effects are unknown.
    Instruction(Insn),
    /// The items of arrays that are read by this instruction.
    Items(Opcode),
    /// A field: the constant.
    Field(u16),
    /// A class: the constant.
    Class(u16),
    /// The instruction that makes an array.
    NewArray(Insn),
    /// The length of an array.
    Length,
}

/// Names of a class file.
pub struct Names {
    /// Descriptors and symbols, and the functions that were lifted.
    pub module: Module,
    named: Vec<Named>,
    strings: Vec<u16>,
    /// Fields of the class itself that are not volatile, by name and descriptor, and whether they are
    /// static.
    plain_fields: HashMap<(Vec<u8>, Vec<u8>), bool, FxBuildHasher>,
    /// Methods of objects of the class itself that nothing overrides, by name and descriptor.
    settled_methods: HashSet<Vec<u8>, FxBuildHasher>,
    /// The class itself.
    class: Vec<u8>,
    /// What is known of the program around it.
    around: Arc<dyn Surroundings>,
    /// Alias classes of fields, by number, or by name and descriptor.
    alias_classes: HashMap<Vec<u8>, u32, FxBuildHasher>,
    /// How many constants the class file had: those that are added later may go again and come as others.
    constants: usize,
    /// Descriptors of instructions that name such a constant, by opcode, constant, and what else they say.
    instructions: HashMap<(Opcode, u16, u8), Descr, FxBuildHasher>,
    /// Descriptors of plain fields by such a constant, and whether they are static; nothing for other fields.
    fields: HashMap<u16, Option<(Descr, bool)>, FxBuildHasher>,
    /// Descriptors of items by the instruction that reads them.
    items: HashMap<Opcode, Descr, FxBuildHasher>,
    /// Symbols by such a constant.
    symbols: HashMap<u16, Symbol, FxBuildHasher>,
}

/// What is known of a field that is a place in memory and nothing else.
#[derive(Clone, Copy, Debug)]
pub struct Plain {
    /// Whether it belongs to the class, not to its objects.
    pub is_static: bool,
    /// Whether it never changes any more once its object is made.
    pub settles: bool,
    /// Its number among the fields of the program.
    number: Option<u32>,
}

/// Whether a class of the JDK keeps what it has to itself, and calls nothing of a program unless it is given to it.
/// Buffers are locked, and so make other threads' writes visible.
fn is_closed(class: &[u8]) -> bool {
    matches!(class, b"java/lang/String" | b"java/lang/StringBuilder" | b"java/lang/Math")
}

/// Whether a method calls nothing of a program: it is one of such a class, and gets nothing but numbers and texts. What
/// names a character set may load a class that has it.
pub fn calls_nobody(member: &MemberRef<'_>) -> bool {
    if member.class == b"java/lang/Object" {
        return member.name == b"<init>";
    }
    let is_known = |ty: JavaType<'_>| match ty {
        JavaType::Object(class) => class == b"java/lang/String",
        JavaType::Array(_) => false,
        _ => true,
    };
    let plain = || MethodType::parse(member.descriptor).is_some_and(|ty| ty.parameters().all(is_known));
    is_closed(member.class) && member.name != b"getBytes" && plain()
}

/// Whether a call asks for the length of a text: that never changes, like that of an array.
pub fn asks_length(op: Opcode, member: &MemberRef<'_>) -> bool {
    op == Opcode::Invokevirtual
        && (member.class, member.name, member.descriptor) == (b"java/lang/String", b"length", b"()I")
}

/// Whether a call gives the unit of a text at a place, and throws where there is none. Texts never change.
fn gives_unit(op: Opcode, member: &MemberRef<'_>) -> bool {
    op == Opcode::Invokevirtual
        && (member.class, member.name, member.descriptor) == (b"java/lang/String", b"charAt", b"(I)C")
}

/// Alias classes below this are those of arrays.
const FIRST_FIELD: u32 = 16;

impl Names {
    /// Names of `class`, none so far.
    pub fn new(class: &ClassFile<'_>) -> Self {
        let mut plain_fields = HashMap::default();
        for field in class.fields.iter().filter(|field| !field.flags.has(Flags::VOLATILE)) {
            if let (Ok(name), Ok(descriptor)) =
                (class.pool.utf8(field.name), class.pool.utf8(field.descriptor))
            {
                plain_fields.insert((name.to_vec(), descriptor.to_vec()), field.flags.has(Flags::STATIC));
            }
        }
        let mut settled_methods = HashSet::default();
        for method in &class.methods {
            let is_settled = method.flags.any(Flags::PRIVATE | Flags::FINAL) || class.flags.has(Flags::FINAL);
            if let (Ok(name), Ok(descriptor)) =
                (class.pool.utf8(method.name), class.pool.utf8(method.descriptor))
                && is_settled
                && !method.flags.has(Flags::STATIC)
                && !name.starts_with(b"<")
            {
                settled_methods.insert([name, descriptor].concat());
            }
        }
        let mut module = Module::new();
        module.descriptors.set_typed_references();
        Names {
            module,
            named: Vec::new(),
            strings: Vec::new(),
            settled_methods,
            plain_fields,
            class: class.name().unwrap_or_default().to_vec(),
            around: Arc::new(Nothing),
            alias_classes: HashMap::default(),
            constants: class.pool.len(),
            instructions: HashMap::default(),
            fields: HashMap::default(),
            items: HashMap::default(),
            symbols: HashMap::default(),
        }
    }

    /// The same with what is known of the program around the class.
    pub fn amid(self, around: Arc<dyn Surroundings>) -> Self {
        Names { around, ..self }
    }

    /// What an instruction may do, as far as it is known.
    fn effect(&self, instruction: &Insn, pool: &ConstantPool<'_>) -> CallEffect {
        let member = || match instruction.operand {
            Operand::Constant(index) => pool.member(index).ok(),
            _ => None,
        };
        let result = given(instruction, pool);
        if instruction.op == Opcode::Invokestatic
            && let Some(raises) = member().and_then(|member| self.raises(&member))
        {
            return CallEffect { raises, result, ..CallEffect::pure() };
        }
        if member().is_some_and(|member| gives_unit(instruction.op, &member)) {
            return CallEffect { raises: true, result, ..CallEffect::pure() };
        }
        let class = || match instruction.operand {
            Operand::Constant(index) => pool.class(index).ok(),
            _ => None,
        };
        let writes_nothing = match instruction.op {
            Opcode::Checkcast | Opcode::Instanceof | Opcode::Multianewarray => true,
            // Making an object may initialize its class, which runs anything.
            Opcode::New => class()
                .is_some_and(|class| class == self.class || is_closed(class) || self.around.is_quiet(class)),
            Opcode::Invokestatic | Opcode::Invokevirtual | Opcode::Invokespecial => {
                member().is_some_and(|member| calls_nobody(&member) || self.around.fills_in(&member))
            }
            _ => false,
        };
        let writes = writes_nothing.then(Vec::new);
        CallEffect { writes, result, ..CallEffect::unknown() }
    }

    /// What a descriptor stands for.
    pub fn named(&self, descr: Descr) -> &Named {
        &self.named[descr.index()]
    }

    /// What every descriptor stands for, in order.
    pub fn all_named(&self) -> impl Iterator<Item = &Named> {
        self.named.iter()
    }

    /// The instruction that an operation of a body is, if it is one that is written as it was.
    pub fn instruction_of(&self, f: &Function, inst: Inst) -> Option<&Insn> {
        let data = f.inst(inst);
        match self.named(data.descr.filter(|_| matches!(data.op, Op::Call | Op::ArrayLen))?) {
            Named::Instruction(instruction) => Some(instruction),
            _ => None,
        }
    }

    /// The descriptor of what an instruction names, under a text for people.
    fn descr(&mut self, text: String, named: Named, data: Descriptor) -> Descr {
        let mut text = text;
        loop {
            let before = self.named.len();
            let descr = self.module.descriptors.intern(text.as_str(), || data.clone());
            if descr.index() == before {
                self.named.push(named);
                return descr;
            }
            if self.named[descr.index()] == named {
                return descr;
            }
            // Two constants of one text, such as a method of a class and one of an interface.
            text.push('\'');
        }
    }

    /// The descriptor of an instruction that is written as it was.
    pub fn instruction(&mut self, instruction: &Insn, pool: &ConstantPool<'_>) -> Descr {
        let key = match instruction.operand {
            Operand::Constant(index) => Some((instruction.op, index, 0)),
            Operand::Interface { method, slots } => Some((instruction.op, method, slots)),
            Operand::Dimensions { class, count } => Some((instruction.op, class, count)),
            Operand::None => Some((instruction.op, 0, 0)),
            _ => None,
        };
        let key = key.filter(|&(_, index, _)| usize::from(index) < self.constants);
        if let Some(&known) = key.and_then(|key| self.instructions.get(&key)) {
            return known;
        }
        let text = show(instruction, pool);
        let member = match instruction.operand {
            Operand::Constant(index) if pool.is_member(index) => pool.member(index).ok(),
            _ => None,
        };
        let data = match &member {
            // No call, but a length.
            Some(member) if asks_length(instruction.op, member) => Descriptor::Other,
            _ => Descriptor::Callee(self.effect(instruction, pool)),
        };
        let descr = self.descr(text, Named::Instruction(instruction.clone()), data);
        self.instructions.extend(key.map(|key| (key, descr)));
        if instruction.op == Opcode::New {
            self.module.descriptors.set_unfinished(descr);
        }
        if member.is_some_and(|member| gives_unit(instruction.op, &member)) {
            self.module.descriptors.set_gives_item(descr);
        }
        if let (
            Opcode::Invokestatic | Opcode::Invokespecial | Opcode::Invokevirtual,
            &Operand::Constant(index),
        ) = (instruction.op, &instruction.operand)
            && let Ok(member) = pool.member(index)
            && member.class == self.class
            && let function = [member.name, member.descriptor].concat()
            && (instruction.op == Opcode::Invokestatic || self.settled_methods.contains(&function))
        {
            // Functions are called by what their class calls them.
            self.module.descriptors.set_called(descr, &String::from_utf8_lossy(&function));
        }
        descr
    }

    /// The descriptor of the items that `load` reads.
    pub fn items(&mut self, load: Opcode) -> Descr {
        if let Some(&known) = self.items.get(&load) {
            return known;
        }
        let (name, ty, stored_bits, signed) = match load {
            Opcode::Laload => ("long[]", Type::I64, None, false),
            Opcode::Faload => ("float[]", Type::F32, None, false),
            Opcode::Daload => ("double[]", Type::F64, None, false),
            Opcode::Aaload => ("Object[]", Type::Ref, None, false),
            // A byte or a boolean: what is kept of a number is not known.
            Opcode::Baload => ("byte[]", Type::I32, None, true),
            Opcode::Caload => ("char[]", Type::I32, Some(16), false),
            Opcode::Saload => ("short[]", Type::I32, Some(16), true),
            _ => ("int[]", Type::I32, Some(32), true),
        };
        let full = match ty {
            Type::I64 | Type::F64 => Some(64),
            Type::F32 => Some(32),
            _ => stored_bits,
        };
        let location = Location {
            ty,
            stored_bits: full,
            signed,
            mutability: Mutability::Mutable,
            alias_class: load as u32 - Opcode::Iaload as u32,
            raw: false,
        };
        let data = match load {
            // Without knowing the width no load may take its value from a store.
            Opcode::Baload => Descriptor::Other,
            _ => Descriptor::Location(location),
        };
        let descr = self.descr(name.into(), Named::Items(load), data);
        self.items.insert(load, descr);
        descr
    }

    /// The descriptor of the length of arrays.
    pub fn length(&mut self) -> Descr {
        self.descr("length".into(), Named::Length, Descriptor::Other)
    }

    /// The descriptor of an instruction that makes an array.
    pub fn new_array(&mut self, instruction: &Insn, pool: &ConstantPool<'_>) -> Descr {
        self.descr(show(instruction, pool), Named::NewArray(instruction.clone()), Descriptor::Class)
    }

    /// The descriptor of a class.
    pub fn class(&mut self, index: u16, pool: &ConstantPool<'_>) -> Descr {
        let name = pool.class(index).map_or_else(|_| format!("#{index}"), |name| Shown(name).to_string());
        self.descr(name, Named::Class(index), Descriptor::Class)
    }

    /// The name of the class.
    pub fn class_name(&self) -> &[u8] {
        &self.class
    }

    /// What is known of a field that is a place in memory and nothing else: one of the class itself, or of objects of
    /// the program.
    pub fn plain(&self, member: &MemberRef<'_>) -> Option<Plain> {
        if let Some(PlainField { number, settles }) = self.around.plain_field(member) {
            return Some(Plain { is_static: false, settles, number: Some(number) });
        }
        let is_own = member.class == self.class;
        let key = is_own.then(|| (member.name.to_vec(), member.descriptor.to_vec()))?;
        let &is_static = self.plain_fields.get(&key)?;
        Some(Plain { is_static, settles: false, number: None })
    }

    /// Whether a static call of a method may throw, if it only computes.
    pub fn raises(&self, member: &MemberRef<'_>) -> Option<bool> {
        self.around.raises(&self.class, member)
    }

    /// Whether a call of a method of an object that is there is pure; then, whether it may throw.
    pub fn raises_on_object(&self, member: &MemberRef<'_>) -> Option<bool> {
        self.around.raises_on_object(&self.class, member)
    }

    /// The descriptor of a call of a method that only computes and does not throw, on an object that is there: of the instruction that
    /// another descriptor stands for.
    pub fn on_object(&mut self, call: Descr) -> Descr {
        let text = format!("{} on an object", self.module.descriptors.name(call));
        let result = self.module.descriptors.call_effect(call).result;
        let effect = CallEffect { result, ..CallEffect::pure() };
        self.descr(text, self.named(call).clone(), Descriptor::Callee(effect))
    }

    /// Whether a class has nothing to initialize, as far as the program around is known.
    pub fn is_quiet(&self, class: &[u8]) -> bool {
        self.around.is_quiet(class)
    }

    /// Whether a static call runs a method that is not pure, but may be run ahead of time.
    pub fn runs(&self, member: &MemberRef<'_>) -> bool {
        self.around.runs(&self.class, member)
    }

    /// What a static call of such a method gives for these arguments, if it returns soon.
    pub fn run_ahead(&self, member: &MemberRef<'_>, arguments: &[Argument]) -> Option<Number> {
        self.around.run_ahead(&self.class, member, arguments)
    }

    /// The descriptor of a field that is a place in memory and nothing else. Also says whether it is static.
    pub fn plain_field(&mut self, index: u16, pool: &ConstantPool<'_>) -> Option<(Descr, bool)> {
        if let Some(&known) = self.fields.get(&index) {
            return known;
        }
        let field = self.find_plain_field(index, pool);
        if usize::from(index) < self.constants {
            self.fields.insert(index, field);
        }
        field
    }

    fn find_plain_field(&mut self, index: u16, pool: &ConstantPool<'_>) -> Option<(Descr, bool)> {
        let member = pool.member(index).ok()?;
        let Plain { is_static, settles, number } = self.plain(&member)?;
        let ty = JavaType::parse(member.descriptor)?;
        let (stored_bits, signed) = match (extension(ty), ty) {
            (Some(Extension { bits, signed }), _) => (Some(bits), signed),
            (None, JavaType::Object(_) | JavaType::Array(_)) => (None, false),
            (None, JavaType::Long | JavaType::Double) => (Some(64), true),
            (None, _) => (Some(32), true),
        };
        // A field of the program has a number, by whatever class it is named.
        let key = match number {
            Some(number) => number.to_be_bytes().to_vec(),
            None => [member.name, b":", member.descriptor].concat(),
        };
        let next = FIRST_FIELD + self.alias_classes.len() as u32;
        let alias_class = *self.alias_classes.entry(key).or_insert(next);
        let location = Location {
            ty: ir_type(ty),
            stored_bits,
            signed,
            mutability: if settles { Mutability::Immutable } else { Mutability::Mutable },
            alias_class,
            raw: false,
        };
        Some((
            self.descr(
                with_member(String::new(), &member),
                Named::Field(index),
                Descriptor::Location(location),
            ),
            is_static,
        ))
    }

    /// The symbol of a string constant.
    pub fn string(&mut self, index: u16, pool: &ConstantPool<'_>) -> Symbol {
        if let Some(&known) = self.symbols.get(&index) {
            return known;
        }
        let text = pool.string(index).map_or_else(|_| String::new(), |text| Shown(text).to_string());
        // The index tells apart what looks the same; equal strings of one class have one constant.
        let symbol = self.module.symbol(&format!("\"{text}\"#{index}"));
        if symbol.index() >= self.strings.len() {
            self.strings.push(index);
        }
        if usize::from(index) < self.constants {
            self.symbols.insert(index, symbol);
        }
        symbol
    }

    /// The constants of all symbols, in order.
    pub fn string_constants(&self) -> &[u16] {
        &self.strings
    }

    /// The constant of a symbol.
    pub fn string_constant(&self, symbol: Symbol) -> u16 {
        self.strings[symbol.index()]
    }

    /// What instructions name, for passes.
    pub fn world(&self) -> &Descriptors {
        &self.module.descriptors
    }
}

/// The type of values with a descriptor.
pub fn ir_type(ty: JavaType<'_>) -> Type {
    match ty {
        JavaType::Boolean | JavaType::Byte | JavaType::Char | JavaType::Short | JavaType::Int => Type::I32,
        JavaType::Long => Type::I64,
        JavaType::Float => Type::F32,
        JavaType::Double => Type::F64,
        JavaType::Object(_) | JavaType::Array(_) => Type::Ref,
    }
}

/// How a number of a narrow type is made of fewer bits.
fn extension(ty: JavaType<'_>) -> Option<Extension> {
    let (bits, signed) = match ty {
        JavaType::Boolean => (1, false),
        JavaType::Byte => (8, true),
        JavaType::Char => (16, false),
        JavaType::Short => (16, true),
        _ => return None,
    };
    Some(Extension { bits, signed })
}

/// The same of what an instruction gives: a field that is loaded, the result of a method, whether an object is of a class.
/// The JVM cuts off what does not fit where a method returns and where a field is stored.
fn given(instruction: &Insn, pool: &ConstantPool<'_>) -> Option<Extension> {
    let index = match instruction.operand {
        _ if instruction.op == Opcode::Instanceof => return extension(JavaType::Boolean),
        Operand::Constant(index) | Operand::Interface { method: index, .. } => index,
        _ => return None,
    };
    let descriptor = pool.member(index).ok()?.descriptor;
    match instruction.op {
        Opcode::Getfield | Opcode::Getstatic => extension(JavaType::parse(descriptor)?),
        _ => extension(MethodType::parse(descriptor)?.result()?),
    }
}

/// An instruction and what it names, for people.
fn show(instruction: &Insn, pool: &ConstantPool<'_>) -> String {
    let op = instruction.op;
    let index = match instruction.operand {
        Operand::Constant(index) => index,
        Operand::Interface { method, .. } => method,
        Operand::Dimensions { class, count } => {
            let name = pool.class(class).map_or_else(|_| format!("#{class}"), |name| Shown(name).to_string());
            return format!("{op} {name} {count}");
        }
        Operand::Immediate(number) => return format!("{op} {number}"),
        _ => return op.to_string(),
    };
    if pool.is_member(index)
        && let Ok(member) = pool.member(index)
    {
        return with_member([op.name(), " "].concat(), &member);
    }
    match pool.get(index) {
        Ok(Constant::Class(_)) => {
            format!(
                "{op} {}",
                pool.class(index).map_or_else(|_| format!("#{index}"), |n| Shown(n).to_string())
            )
        }
        _ => format!("{op} #{index}"),
    }
}

/// A text and a member behind it, for people. Much is named, so this goes without the machinery of formatting.
fn with_member(mut text: String, member: &MemberRef<'_>) -> String {
    text.reserve(member.class.len() + member.name.len() + member.descriptor.len() + 2);
    Shown(member.class).push_to(&mut text);
    text.push('.');
    Shown(member.name).push_to(&mut text);
    text.push(':');
    Shown(member.descriptor).push_to(&mut text);
    text
}
