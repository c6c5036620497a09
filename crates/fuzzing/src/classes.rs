//! Random programs of classes that verify: what becomes of them must do the same on a JVM.
//!
//! A program is a class `T` with public static methods `m0`, `m1`, ... of numbers, private ones that they call, and
//! classes `A` and `B` with a constructor, fields and a method that `B` overrides. Fields are plain, narrow, volatile,
//! static, set by the constructor alone, and of the class itself; two variables hold objects that may be one, or null.
//! Private methods may have one name and different parameters, and some have a twin with the same body. The method that `B`
//! overrides takes more than one argument, of which each body may ignore some; another one calls itself, and nobody may need
//! what it gives.
//! Exceptions have a hierarchy of their own, methods that throw them, handlers in any order.
//! Arrays are passed around, in static fields, in each other, to methods of the JDK.
//! Both implement an interface, whose only method has a body that they may override. Classes of two packages have methods
//! that override each other, or not, and objects whose class can be known. Fresh objects and boxes flow through joins.
//! Bodies are made of all arithmetic of the instruction set, arrays, fields, calls, casts, texts, conditions, loops
//! that end, switches, over texts too, handlers and monitors. Lambdas and references to methods are made, kept, handed on,
//! joined and called. Methods only call those with larger numbers, so every call ends. Effects are mixed
//! into a public static field, so that their order can be seen.

mod arrays;
mod control;
mod exceptions;
mod functions;
mod joins;
mod lambdas;
mod memory;
mod receivers;
mod recursion;
mod sites;
mod statements;

use arbitrary::{Result, Unstructured};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Code, Constant, ConstantPool, Flags, Opcode};
use planish_jvm_model::frames;
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_jvm_model::transfer::MethodInfo;
use planish_jvm_model::vtype::TypeContext;

use arrays::Arrays;
use exceptions::Exceptions;
use functions::Functions;
use memory::{FIELDS, STATICS, a_descriptor};
use receivers::Receivers;
use recursion::Recursion;
use sites::Rows;

const OBJECT: &[u8] = b"java/lang/Object";
const BUILDER: &[u8] = b"java/lang/StringBuilder";
const RUNTIME: &[u8] = b"java/lang/RuntimeException";
const ARITHMETIC: &[u8] = b"java/lang/ArithmeticException";
const INTEGER: &[u8] = b"java/lang/Integer";

/// Classes of the JDK that programs name, with those above them.
const PLATFORM: [(&[u8], Option<&[u8]>); 16] = [
    (OBJECT, None),
    (b"java/lang/Throwable", Some(OBJECT)),
    (b"java/lang/Exception", Some(b"java/lang/Throwable")),
    (RUNTIME, Some(b"java/lang/Exception")),
    (ARITHMETIC, Some(RUNTIME)),
    (b"java/lang/Error", Some(b"java/lang/Throwable")),
    (b"java/lang/NullPointerException", Some(RUNTIME)),
    (b"java/lang/IndexOutOfBoundsException", Some(RUNTIME)),
    (b"java/lang/ArrayIndexOutOfBoundsException", Some(b"java/lang/IndexOutOfBoundsException")),
    (b"java/lang/NegativeArraySizeException", Some(RUNTIME)),
    (b"java/lang/ClassCastException", Some(RUNTIME)),
    (b"java/lang/ArrayStoreException", Some(RUNTIME)),
    (b"java/lang/String", Some(OBJECT)),
    (BUILDER, Some(OBJECT)),
    (b"java/lang/Number", Some(OBJECT)),
    (INTEGER, Some(b"java/lang/Number")),
];

/// The classes of the JDK that programs name, in a hierarchy of their own.
pub fn platform() -> Hierarchy {
    let mut hierarchy = Hierarchy::new();
    for (name, above) in PLATFORM {
        let file = ClassFile::new(52, Flags::PUBLIC, name, above).and_then(|class| class.to_bytes());
        hierarchy.add(&file.expect("a class without members"), Origin::Platform).expect("it is well-formed");
    }
    hierarchy
}

/// The types of numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Ty {
    Int,
    Long,
    Float,
    Double,
}

impl Ty {
    const ALL: [Ty; 4] = [Ty::Int, Ty::Long, Ty::Float, Ty::Double];

    fn letter(self) -> char {
        ['I', 'J', 'F', 'D'][self as usize]
    }

    fn slots(self) -> u16 {
        if matches!(self, Ty::Long | Ty::Double) { 2 } else { 1 }
    }

    /// The member of a family of instructions of which the first is for `int`.
    fn of(self, first: Opcode) -> Opcode {
        Opcode::from_byte(first as u8 + self as u8).expect("families have a member for each type")
    }
}

/// A static method of `T`.
#[derive(Clone)]
struct Signature {
    name: String,
    params: Vec<Ty>,
    result: Ty,
    /// Whether its body is that of the method before it.
    is_twin: bool,
    /// Whether it also gets an array and an object of its caller.
    shares: bool,
}

impl Signature {
    fn descriptor(&self, names: &Names) -> String {
        let shared = if self.shares { format!("[I{}", a_descriptor(&names.a)) } else { String::new() };
        let params: String = self.params.iter().map(|ty| ty.letter()).collect();
        format!("({shared}{params}){}", self.result.letter())
    }
}

/// The names of the classes of a program.
struct Names {
    t: Vec<u8>,
    a: Vec<u8>,
    b: Vec<u8>,
    i: Vec<u8>,
    receivers: Receivers,
    recursion: Recursion,
    arrays: Arrays,
    exceptions: Exceptions,
    functions: Functions,
}

/// The method of `A` that `B` overrides: its descriptor and parameters.
const V: &str = "(IJI)I";
const V_PARAMS: [Ty; 3] = [Ty::Int, Ty::Long, Ty::Int];

/// How many statements and operations a body has at most.
const FUEL: u32 = 90;

/// How many methods a program has at most: public ones, others, and bodies of lambdas.
const METHODS: [(&str, usize); 3] = [("m", 3), ("h", 4), ("lambda$", 3)];

/// Makes a program in a package of this name: class files, with their names as in `p/T`.
pub fn program(u: &mut Unstructured<'_>, package: &str) -> Result<Vec<(String, Vec<u8>)>> {
    let name = |class: &str| format!("{package}/{class}").into_bytes();
    let names = Names {
        t: name("T"),
        a: name("A"),
        b: name("B"),
        i: name("I"),
        receivers: Receivers::new(u, package)?,
        recursion: Recursion::new(u)?,
        arrays: Arrays::new(u, package)?,
        exceptions: Exceptions::new(u, package)?,
        functions: Functions::new(package, &name("A")),
    };
    let mut signatures = Vec::new();
    for (prefix, most) in METHODS {
        for number in 0..u.int_in_range(1..=most)? {
            let mut params = Vec::new();
            for _ in 0..u.int_in_range(0..=4)? {
                params.push(*u.choose(&Ty::ALL)?);
            }
            let name = format!("{prefix}{number}");
            let mut made =
                Signature { name, params, result: *u.choose(&Ty::ALL)?, is_twin: false, shares: false };
            if prefix == "lambda$" {
                made.params.push(Ty::Int);
                made.result = Ty::Int;
            }
            made.shares = prefix != "m" && u.ratio(1, 3)?;
            if prefix == "h" && u.ratio(1, 4)? {
                made.name = "h".to_owned();
                let is_same = |other: &Signature| {
                    other.name == "h" && other.params == made.params && other.shares == made.shares
                };
                if signatures.iter().any(is_same) {
                    made.name = format!("h{number}");
                }
            }
            signatures.push(made.clone());
            if prefix == "h" && u.ratio(1, 4)? {
                let name = format!("twin{number}");
                signatures.push(Signature { name, is_twin: true, ..made });
            }
        }
    }
    let mut hierarchy = platform();
    let receivers = (0..3).map(|place| (&names.receivers.classes[place], names.receivers.above(place)));
    let tables = names.arrays.class();
    let others = [(&names.a, OBJECT), (&names.b, &names.a[..]), (&names.t, OBJECT), (tables, OBJECT)];
    let plain = names.exceptions.others().into_iter().chain(names.functions.others());
    let plain = plain.map(|class| (class, OBJECT));
    let classes = others.into_iter().chain(receivers).chain(names.exceptions.classes()).chain(plain);
    let classes = classes.map(|(name, above)| new_class(name, above));
    for class in classes.chain(names.functions.interfaces().map(|name| functions::new_interface(name))) {
        hierarchy.add(&class.to_bytes().expect("it fits"), Origin::Program).expect("it is well-formed");
    }
    let interface = control::interface(u, &names.i, &hierarchy)?;
    hierarchy.add(&interface.to_bytes().expect("it fits"), Origin::Program).expect("it is well-formed");
    let mut files = vec![(&names.i, interface)];
    for (class, above) in [(&names.a, OBJECT), (&names.b, &names.a[..])] {
        files.push((class, object_class(u, &names, class, above, &hierarchy)?));
    }
    for (place, class) in names.receivers.classes.iter().enumerate() {
        files.push((class, receivers::class(u, (&names, place), &hierarchy)?));
    }
    files.extend(exceptions::files(u, &names, &hierarchy)?);
    let tables = arrays::class(u, &names, &hierarchy)?;
    files.push((names.arrays.class(), tables));
    files.extend(functions::files(u, &names, &hierarchy)?);
    let mut class = new_class(&names.t, OBJECT);
    receivers::helpers(&names, &mut class, &hierarchy);
    class.add_field(Flags::PUBLIC | Flags::STATIC, b"trace", b"J").expect("room for a field");
    for (name, flags) in STATICS {
        class.add_field(flags | Flags::STATIC, name, b"I").expect("room for a field");
    }
    let mut rows = Rows::new();
    let mut body: Option<Code> = None;
    for (number, signature) in signatures.iter().enumerate() {
        // A method that called its twin would do something else than the twin does.
        let mut callable = &signatures[number + 1..];
        if let Some((Signature { is_twin: true, .. }, rest)) = callable.split_first() {
            callable = rest;
        }
        let access = match &signature.name[..1] {
            "m" => Flags::PUBLIC,
            "l" => Flags::PRIVATE | Flags::SYNTHETIC,
            _ => Flags::PRIVATE,
        };
        let made = match body.take().filter(|_| signature.is_twin) {
            Some(same) => same,
            None => {
                let mut body = Body::new(&names, callable, &mut rows);
                if signature.shares {
                    (body.array, body.object) = (body.slot(1), body.slot(1));
                    body.shares = true;
                }
                body.write(u, &signature.params, signature.result, &mut class.pool)?
            }
        };
        body = Some(made.clone());
        add(
            &mut class,
            access | Flags::STATIC,
            (&signature.name, &signature.descriptor(&names)),
            made,
            &hierarchy,
        );
    }
    sites::finish(&mut class, rows);
    files.push((&names.t, class));
    let text = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
    let bytes = |class: ClassFile<'static>| class.to_bytes().expect("what was built fits its format");
    Ok(files.into_iter().map(|(name, class)| (text(name), bytes(class))).collect())
}

fn new_class(name: &[u8], above: &[u8]) -> ClassFile<'static> {
    ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, name, Some(above)).expect("a name fits")
}

/// `A` or `B`: a constructor that stores its argument, and `v`, which makes something of it.
fn object_class(
    u: &mut Unstructured<'_>,
    names: &Names,
    name: &[u8],
    above: &[u8],
    hierarchy: &Hierarchy,
) -> Result<ClassFile<'static>> {
    let mut class = new_class(name, above);
    let (is_base, pool) = (above == OBJECT, &mut class.pool);
    let mut code = CodeBuilder::new();
    code.local(Opcode::Aload, 0);
    if !is_base {
        code.local(Opcode::Iload, 1);
    }
    let descriptor: &[u8] = if is_base { b"()V" } else { b"(I)V" };
    code.call(Opcode::Invokespecial, [above, b"<init>", descriptor], pool).expect("room");
    if is_base {
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
        code.field(Opcode::Putfield, [name, b"f", b"I"], pool).expect("room");
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Ixor);
        code.field(Opcode::Putfield, [name, b"set", b"I"], pool).expect("room");
    }
    code.op(Opcode::Return);
    let made = code.finish(2, pool).expect("labels are bound");
    let mut rows = Rows::new();
    let mut body = Body::new(names, &[], &mut rows);
    body.receiver = Some(0);
    body.next_slot = 1;
    body.may_ignore = true;
    let v = body.write(u, &V_PARAMS, Ty::Int, &mut class.pool)?;
    sites::finish(&mut class, rows);
    if is_base {
        for (name, descriptor, flags) in FIELDS {
            class.add_field(flags, name, descriptor).expect("room for a field");
        }
        class.add_field(Flags::PUBLIC, b"next", a_descriptor(&names.a).as_bytes()).expect("room for a field");
    }
    add(&mut class, Flags::PUBLIC, ("<init>", "(I)V"), made, hierarchy);
    add(&mut class, Flags::PUBLIC, ("v", V), v, hierarchy);
    arrays::method(names, &mut class, is_base, hierarchy);
    if is_base {
        let index = class.pool.add_class(&names.i).expect("room for a class");
        class.interfaces.push(index);
    }
    if is_base || u.arbitrary()? {
        exceptions::method(u, names, &mut class, hierarchy)?;
    }
    if u.arbitrary()? {
        control::method_of_interface(u, &mut class, hierarchy)?;
    }
    if is_base || u.arbitrary()? {
        recursion::method(u, names, &mut class, hierarchy)?;
    }
    Ok(class)
}

/// Adds a method with its frames.
fn add(
    class: &mut ClassFile<'static>,
    flags: Flags,
    (name, descriptor): (&str, &str),
    mut code: Code,
    hierarchy: &Hierarchy,
) {
    let mut context = TypeContext::new(hierarchy);
    let own = class.name().expect("it has one").to_vec();
    let above = class.super_name().expect("it has one").map(<[u8]>::to_vec);
    let info = MethodInfo {
        class: &own,
        super_class: above.as_deref(),
        name: name.as_bytes(),
        descriptor: descriptor.as_bytes(),
        is_static: flags.has(Flags::STATIC),
        pool: &class.pool,
    };
    let targets = frames::infer(&code, &info, &mut context)
        .unwrap_or_else(|error| panic!("the generator made a body that does not verify: {error:?}"));
    let frames = targets.frames(&context, &mut class.pool).expect("room for classes");
    code.set_frames(frames, &mut class.pool).expect("room for a name");
    class.add_method(flags, name.as_bytes(), descriptor.as_bytes(), Some(&code)).expect("room for a method");
}

/// A body in the making.
struct Body<'p> {
    names: &'p Names,
    callable: &'p [Signature],
    /// How the call sites of the class are linked.
    rows: &'p mut Rows,
    code: CodeBuilder,
    fuel: u32,
    /// Numbers that may be read and written.
    locals: Vec<(Ty, u16)>,
    /// An `int[]`, an `A`, and an `A` that may be the same or null.
    array: u16,
    object: u16,
    other: u16,
    receiver: Option<u16>,
    /// Whether the body may never look at some of its parameters.
    may_ignore: bool,
    /// Whether the array and the object are parameters.
    shares: bool,
    next_slot: u16,
    loops: u32,
}

type Pool = ConstantPool<'static>;

impl<'p> Body<'p> {
    fn new(names: &'p Names, callable: &'p [Signature], rows: &'p mut Rows) -> Self {
        Body {
            names,
            callable,
            rows,
            code: CodeBuilder::new(),
            fuel: FUEL,
            locals: Vec::new(),
            array: 0,
            object: 0,
            other: 0,
            receiver: None,
            may_ignore: false,
            shares: false,
            next_slot: 0,
            loops: 0,
        }
    }

    fn slot(&mut self, slots: u16) -> u16 {
        self.next_slot += slots;
        self.next_slot - slots
    }

    /// The whole body: locals, statements, a result.
    fn write(mut self, u: &mut Unstructured<'_>, params: &[Ty], result: Ty, pool: &mut Pool) -> Result<Code> {
        for &ty in params {
            let slot = self.slot(ty.slots());
            if !self.may_ignore || u.arbitrary()? {
                self.locals.push((ty, slot));
            }
        }
        let parameters = self.next_slot;
        for ty in Ty::ALL {
            let slot = self.slot(ty.slots());
            self.constant(u, ty, pool)?;
            self.code.local(ty.of(Opcode::Istore), slot);
            self.locals.push((ty, slot));
        }
        if !self.shares {
            self.array = self.slot(1);
            self.code.op(Opcode::Iconst4).new_array(10).local(Opcode::Astore, self.array);
            self.object = self.slot(1);
            self.new_object(u, pool)?;
            self.code.local(Opcode::Astore, self.object);
        }
        self.other = self.slot(1);
        self.code.local(Opcode::Aload, self.object).local(Opcode::Astore, self.other);
        for _ in 0..u.int_in_range(1..=6)? {
            self.statement(u, 3, pool)?;
        }
        self.expression(u, result, 3, pool)?;
        self.code.op(result.of(Opcode::Ireturn));
        Ok(self.code.finish(parameters, pool).expect("labels are bound"))
    }

    /// Puts the array and the object on the stack, if a method gets them.
    fn shared(&mut self, callee: &Signature) {
        if callee.shares {
            self.code.local(Opcode::Aload, self.array).local(Opcode::Aload, self.object);
        }
    }

    /// Whether there is something left to make things of.
    fn burn(&mut self) -> bool {
        self.fuel = self.fuel.saturating_sub(1);
        self.fuel > 0
    }

    fn constant(&mut self, u: &mut Unstructured<'_>, ty: Ty, pool: &mut Pool) -> Result<()> {
        const WORDS: [i64; 16] =
            [0, 1, -1, 2, 3, 5, 7, 8, 31, 32, 63, 255, 65_535, i32::MAX as i64, i32::MIN as i64, i64::MIN];
        const REALS: [f64; 10] =
            [0.0, -0.0, 1.0, -1.0, 0.5, 3.25, 1e10, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];
        let constant = match ty {
            Ty::Int => {
                self.code.int(*u.choose(&WORDS)? as i32, pool).expect("room");
                return Ok(());
            }
            Ty::Long => {
                self.code.long(*u.choose(&WORDS)?, pool).expect("room");
                return Ok(());
            }
            Ty::Float => Constant::Float((*u.choose(&REALS)? as f32).to_bits()),
            Ty::Double => Constant::Double(u.choose(&REALS)?.to_bits()),
        };
        self.code.load(constant, pool).expect("room");
        Ok(())
    }

    fn local(&mut self, u: &mut Unstructured<'_>, ty: Ty) -> Result<u16> {
        let of: Vec<u16> = self.locals.iter().filter(|(of, _)| *of == ty).map(|(_, slot)| *slot).collect();
        u.choose(&of).copied()
    }

    fn new_object(&mut self, u: &mut Unstructured<'_>, pool: &mut Pool) -> Result<()> {
        let class = if u.arbitrary()? { &self.names.a } else { &self.names.b };
        self.code.class(Opcode::New, class, pool).expect("room").op(Opcode::Dup);
        self.code.int(i32::from(u.arbitrary::<i8>()?), pool).expect("room");
        self.code.call(Opcode::Invokespecial, [class, b"<init>", b"(I)V"], pool).expect("room");
        Ok(())
    }

    /// Puts a number on the stack.
    fn expression(&mut self, u: &mut Unstructured<'_>, ty: Ty, depth: u32, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        if depth == 0 || !self.burn() || u.ratio(1, 4)? {
            if u.ratio(1, 3)? {
                return self.constant(u, ty, pool);
            }
            let slot = self.local(u, ty)?;
            self.code.local(ty.of(Iload), slot);
            return Ok(());
        }
        let depth = depth - 1;
        match u.int_in_range(0..=11)? {
            0..=3 => {
                let families = [Iadd, Isub, Imul, Idiv, Irem];
                let words = [Iand, Ior, Ixor, Ishl, Ishr, Iushr];
                let is_word = matches!(ty, Ty::Int | Ty::Long);
                if is_word && u.arbitrary()? {
                    let first = *u.choose(&words)?;
                    let shifts = matches!(first, Ishl | Ishr | Iushr);
                    self.expression(u, ty, depth, pool)?;
                    self.expression(u, if shifts { Ty::Int } else { ty }, depth, pool)?;
                    self.code.op(ty.of(first));
                } else {
                    let first = *u.choose(&families)?;
                    self.expression(u, ty, depth, pool)?;
                    self.expression(u, ty, depth, pool)?;
                    self.code.op(ty.of(first));
                }
            }
            4 => {
                self.expression(u, ty, depth, pool)?;
                self.code.op(ty.of(Ineg));
            }
            5 => self.conversion(u, ty, depth, pool)?,
            6 => {
                let [other, end] = [(); 2].map(|()| self.code.label());
                self.unless(u, depth, other, pool)?;
                self.expression(u, ty, depth, pool)?;
                self.code.jump(Goto, end).bind(other);
                self.expression(u, ty, depth, pool)?;
                self.code.bind(end);
            }
            7 if !self.callable.is_empty() => {
                let callee = u.choose(self.callable)?;
                self.shared(callee);
                for &param in &callee.params {
                    self.expression(u, param, depth.min(1), pool)?;
                }
                let descriptor = callee.descriptor(self.names);
                let member = [&self.names.t[..], callee.name.as_bytes(), descriptor.as_bytes()];
                self.code.call(Invokestatic, member, pool).expect("room");
                self.convert(callee.result, ty);
            }
            8 if u.ratio(1, 2)? && self.receiver.is_none() => {
                self.call_of_interface(u, depth, pool)?;
                self.convert(Ty::Int, ty);
            }
            9 if u.arbitrary()? => {
                self.call_of_receiver(u, depth, pool)?;
                self.convert(Ty::Int, ty);
            }
            10 if u.arbitrary()? => {
                self.int_that_may_fail(u, pool)?;
                self.convert(Ty::Int, ty);
            }
            11 if u.ratio(2, 3)? => {
                self.int_of_lambda(u, pool)?;
                self.convert(Ty::Int, ty);
            }
            _ => {
                self.int_of_memory(u, depth, pool)?;
                self.convert(Ty::Int, ty);
            }
        }
        Ok(())
    }

    /// Changes the type of the number on the stack.
    fn convert(&mut self, from: Ty, to: Ty) {
        use Opcode::*;
        let op = match (from, to) {
            (Ty::Int, Ty::Long) => I2l,
            (Ty::Int, Ty::Float) => I2f,
            (Ty::Int, Ty::Double) => I2d,
            (Ty::Long, Ty::Int) => L2i,
            (Ty::Long, Ty::Float) => L2f,
            (Ty::Long, Ty::Double) => L2d,
            (Ty::Float, Ty::Int) => F2i,
            (Ty::Float, Ty::Long) => F2l,
            (Ty::Float, Ty::Double) => F2d,
            (Ty::Double, Ty::Int) => D2i,
            (Ty::Double, Ty::Long) => D2l,
            (Ty::Double, Ty::Float) => D2f,
            _ => return,
        };
        self.code.op(op);
    }

    fn conversion(&mut self, u: &mut Unstructured<'_>, ty: Ty, depth: u32, pool: &mut Pool) -> Result<()> {
        use Opcode::*;
        let from = *u.choose(&Ty::ALL)?;
        self.expression(u, from, depth, pool)?;
        if ty == Ty::Int && from != Ty::Int && u.arbitrary()? {
            self.expression(u, from, depth, pool)?;
            let op = match from {
                Ty::Float => *u.choose(&[Fcmpl, Fcmpg])?,
                Ty::Double => *u.choose(&[Dcmpl, Dcmpg])?,
                _ => Lcmp,
            };
            self.code.op(op);
            return Ok(());
        }
        self.convert(from, ty);
        if ty == Ty::Int {
            self.code.op(*u.choose(&[I2b, I2c, I2s])?);
        }
        Ok(())
    }
}
