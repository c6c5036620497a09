//! Purity analysis and compile-time evaluation: methods that only compute, and what static ones give for known arguments.
//!
//! A method is *pure* if its body is arithmetic, comparisons, jumps and calls of pure methods; the set is
//! the largest one with that property, so that recursion does not stand in its way. A pure call whose
//! result nobody needs can go, and one whose arguments are constants can be made ahead of time, by
//! running its bytecode with a limit on steps. Removing one takes for granted that a pure call returns and
//! does not exhaust the stack, which is an assumption that a user can turn off; it is not made of methods
//! that the program calls with constants for which they exceed that limit.
//!
//! A static call may initialize the class of the method. A method whose class has an initializer is
//! pure for callers in that class only.
//!
//! A method of an object is pure in the same way if no other one can take its place, since it or its class is final or it is
//! private, and it does not look at its object. A call of it is pure where the object is there.
//!
//! Methods that also read texts, or fill and read arrays of numbers of their own, are run for known arguments in the same
//! way: what they do ends with them. Nothing else is concluded of them, since they may throw in more ways.

mod machine;

pub use machine::of_ints;

use hashbrown::HashMap;
use planish_classfile::descriptor::{MethodType, Type};
use planish_classfile::mutf8::to_utf16;
use planish_classfile::{Body, Code, CodeBytes, Constant, Flags, Kind, MemberRef, Opcode, Operand};
use planish_jvm_ir::surroundings::{Argument, Number};
use planish_jvm_model::linked::LinkedFrom;
use planish_jvm_model::program::{Class, Found, Method, Program};
use rustc_hash::FxBuildHasher;

use crate::jdk_methods::{Computes, QUIET, is_pure};
use crate::precision::Precision;
use crate::pure::machine::{Datum, Machine};

/// How deep calls may nest in an evaluation.
const DEEPEST: u32 = 200;

/// A method of texts: its name and descriptor, and how many arguments it takes.
type Asked = (Box<[u8]>, Box<[u8]>, usize);

/// The body of a method that can be run.
struct Computation {
    code: Code,
    class: Class,
    /// Whether it and what it calls compute with nothing but numbers.
    is_pure: bool,
    /// Whether it may throw, since it or what it calls divides.
    raises: bool,
    /// Numbers and texts among its constants.
    constants: HashMap<u16, Datum, FxBuildHasher>,
    /// What it asks texts, by constant.
    asks: HashMap<u16, Asked, FxBuildHasher>,
    /// What it calls of the JDK, by constant, where that is evaluated.
    computes: HashMap<u16, Computes, FxBuildHasher>,
    /// The methods of the program that it calls, by constant.
    calls: HashMap<u16, Method, FxBuildHasher>,
    /// How many parameters it has.
    parameters: usize,
    /// The type of the result, as the first byte of its descriptor.
    result: u8,
}

/// A pure method of an object.
struct OfObject {
    /// From where it may be called.
    from: LinkedFrom,
    divides: bool,
    calls: Vec<Method>,
}

/// The pure methods of a program.
#[derive(Default)]
pub struct PureMethods {
    methods: HashMap<Method, Computation, FxBuildHasher>,
    /// Methods by class, name and descriptor, from where they may be called, and whether a call may initialize the class.
    by_name: HashMap<Box<[u8]>, (Method, LinkedFrom, bool), FxBuildHasher>,
    /// Methods of objects, by class, name and descriptor.
    of_objects: HashMap<Box<[u8]>, OfObject, FxBuildHasher>,
    /// How many instructions one evaluation may run.
    fuel: u32,
}

fn key(member: &MemberRef<'_>) -> Vec<u8> {
    [member.class, b".", member.name, member.descriptor].concat()
}

impl PureMethods {
    /// The pure methods of a program. O(instructions), times the depth of calls of what is not pure.
    pub fn of(program: &Program<'_>, precision: Precision) -> Self {
        let mut pure = PureMethods { fuel: precision.fuel, ..PureMethods::default() };
        for method in program.methods.ids() {
            if program.methods[method].flags.has(Flags::STATIC)
                && let Some(computation) = computation(program, method)
            {
                pure.methods.insert(method, computation);
            }
        }
        // What calls something else falls out of the set, and so does what calls that.
        let mut order: Vec<Method> = program.methods.ids().filter(|m| pure.methods.contains_key(m)).collect();
        loop {
            let before = order.len();
            order.retain(|method| {
                let stays = pure.has_what_is_called(program, &pure.methods[method]);
                if !stays {
                    pure.methods.remove(method);
                }
                stays
            });
            if order.len() == before {
                break;
            }
        }
        pure.spread_impurity();
        pure.spread_raising();
        for &method in &order {
            let info = &program.methods[method];
            let name = [program.name(info.class), b".", program.text(info.selector)].concat();
            let from = LinkedFrom::of(program, method);
            pure.by_name.insert(name.into(), (method, from, initializes(program, info.class)));
        }
        for method in program.methods.ids() {
            if is_settled(program, method)
                && let Some(own) = computation(program, method)
                && own.is_pure
                && pure.has_what_is_called(program, &own)
                && own.calls.values().all(|callee| pure.methods[callee].is_pure)
            {
                let info = &program.methods[method];
                let name = [program.name(info.class), b".", program.text(info.selector)].concat();
                let (from, calls) = (LinkedFrom::of(program, method), own.calls.values().copied().collect());
                pure.of_objects.insert(name.into(), OfObject { from, divides: own.raises, calls });
            }
        }
        pure
    }

    /// Whether all that a body calls can be run, from where it does.
    fn has_what_is_called(&self, program: &Program<'_>, own: &Computation) -> bool {
        own.calls.values().all(|callee| {
            self.methods.get(callee).is_some_and(|called| {
                called.class == own.class
                    || !initializes(program, called.class)
                        && LinkedFrom::of(program, *callee)
                            .has(program.name(called.class), program.name(own.class))
            })
        })
    }

    /// What calls something that works on more than numbers does so.
    fn spread_impurity(&mut self) {
        loop {
            let calls = |own: &Computation| own.calls.values().any(|callee| !self.methods[callee].is_pure);
            let more = self.methods.iter().filter(|(_, own)| own.is_pure && calls(own));
            let more: Vec<Method> = more.map(|(&method, _)| method).collect();
            if more.is_empty() {
                break;
            }
            for method in more {
                if let Some(own) = self.methods.get_mut(&method) {
                    own.is_pure = false;
                }
            }
        }
    }

    /// What calls something that may throw may throw.
    fn spread_raising(&mut self) {
        loop {
            let raises = |own: &Computation| own.calls.values().any(|callee| self.methods[callee].raises);
            let raising = self.methods.iter().filter(|(_, own)| !own.raises && raises(own));
            let raising: Vec<Method> = raising.map(|(&method, _)| method).collect();
            if raising.is_empty() {
                break;
            }
            self.may_throw(&raising);
        }
    }

    fn may_throw(&mut self, methods: &[Method]) {
        for method in methods {
            if let Some(own) = self.methods.get_mut(method) {
                own.raises = true;
            }
        }
    }

    /// A program calls these methods with arguments for which they do not return soon: they may exhaust the
    /// stack, so calls of them stay even if nobody needs what they give.
    pub fn may_not_return(&mut self, methods: &[Method]) {
        self.may_throw(methods);
        self.spread_raising();
    }

    /// The number of pure methods.
    pub fn len(&self) -> usize {
        self.methods.values().filter(|own| own.is_pure).count()
    }

    /// Whether no method of the program is pure.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The pure method of the program that a static call from a method of class `caller` runs.
    pub fn find(&self, caller: &[u8], member: &MemberRef<'_>) -> Option<Method> {
        self.runnable(caller, member).filter(|method| self.methods[method].is_pure)
    }

    /// The same of a method that can be run, pure or not.
    fn runnable(&self, caller: &[u8], member: &MemberRef<'_>) -> Option<Method> {
        let (method, from, initializes) = self.by_name.get(&key(member)[..])?;
        let is_own = member.class == caller;
        (is_own || !initializes && from.has(member.class, caller)).then_some(*method)
    }

    /// Whether a static call from a method of class `caller` runs a method that is not pure, but may be run ahead of time.
    pub fn runs(&self, caller: &[u8], member: &MemberRef<'_>) -> bool {
        self.runnable(caller, member).is_some_and(|method| !self.methods[&method].is_pure)
    }

    /// What a static call from a method of class `caller` gives for these arguments, if it can be run and returns soon.
    pub fn run_ahead(&self, caller: &[u8], member: &MemberRef<'_>, arguments: &[Argument]) -> Option<Number> {
        let method = self.runnable(caller, member)?;
        let datum = |argument: &Argument| match argument {
            Argument::Number(number) => Datum::Number(*number),
            Argument::Text(text) => Datum::Text(text[..].into()),
        };
        self.run(method, arguments.iter().map(datum).collect(), &mut self.fuel.clone(), DEEPEST)
    }

    /// Whether a static call from a method of class `caller` is pure; then, whether it may throw.
    pub fn raises(&self, caller: &[u8], member: &MemberRef<'_>) -> Option<bool> {
        if is_pure(member) {
            return Some(false);
        }
        self.find(caller, member).map(|method| self.methods[&method].raises)
    }

    /// Whether a call of a method of an object that is there, from a method of class `caller`, is pure; then, whether it may throw.
    pub fn raises_on_object(&self, caller: &[u8], member: &MemberRef<'_>) -> Option<bool> {
        let own = self.of_objects.get(&key(member)[..])?;
        let is_linked = member.class == caller || own.from.has(member.class, caller);
        is_linked.then(|| own.divides || own.calls.iter().any(|callee| self.methods[callee].raises))
    }

    /// What a static call from a method of class `caller` gives for these arguments, if it is pure and
    /// returns soon.
    pub fn evaluate(&self, caller: &[u8], member: &MemberRef<'_>, arguments: &[Number]) -> Option<Number> {
        self.result(self.find(caller, member)?, arguments)
    }

    /// What a pure method gives for these arguments, if it returns soon.
    pub fn result(&self, method: Method, arguments: &[Number]) -> Option<Number> {
        let arguments = arguments.iter().map(|&number| Datum::Number(number)).collect();
        self.run(method, arguments, &mut self.fuel.clone(), DEEPEST)
    }

    fn run(&self, method: Method, arguments: Vec<Datum>, fuel: &mut u32, depth: u32) -> Option<Number> {
        let own = self.methods.get(&method)?;
        let mut machine = Machine::new(usize::from(own.code.max_locals), arguments)?;
        let mut at = 0usize;
        loop {
            *fuel = fuel.checked_sub(1)?;
            let instruction = own.code.instructions.get(at)?;
            at += 1;
            match (instruction.op, &instruction.operand) {
                (Opcode::Invokestatic, Operand::Constant(index)) if own.computes.contains_key(index) => {
                    let computes = own.computes[index];
                    let result = computes.evaluate(&machine.numbers(computes.arguments())?)?;
                    machine.push(result);
                }
                (Opcode::Invokestatic, Operand::Constant(index)) => {
                    let callee = *own.calls.get(index)?;
                    let count = self.methods.get(&callee)?.parameters;
                    let result = self.run(callee, machine.take(count)?, fuel, depth.checked_sub(1)?)?;
                    machine.push(result);
                }
                (Opcode::Invokevirtual, Operand::Constant(index)) => {
                    let (name, descriptor, count) = own.asks.get(index)?;
                    machine.ask(name, descriptor, *count, fuel)?;
                }
                (Opcode::Ldc | Opcode::LdcW | Opcode::Ldc2W, Operand::Constant(index)) => {
                    machine.load(own.constants.get(index)?);
                }
                (Opcode::Goto | Opcode::GotoW, Operand::Target(target)) => at = *target as usize,
                (op, Operand::Target(target)) => {
                    if machine.branches(op)? {
                        at = *target as usize;
                    }
                }
                (_, Operand::Switch(switch)) => {
                    let on = machine.int()?;
                    let case = switch.cases.binary_search_by_key(&on, |(key, _)| *key);
                    at = case.map_or(switch.default, |case| switch.cases[case].1) as usize;
                }
                (Opcode::Ireturn, _) => return machine.int().map(|value| own.narrowed(value)),
                (Opcode::Lreturn, _) => return machine.long().map(Number::Long),
                _ => machine.step(instruction, fuel)?,
            }
        }
    }
}

impl Computation {
    /// A result as a caller sees it.
    fn narrowed(&self, value: i32) -> Number {
        Number::Int(match self.result {
            b'Z' => value & 1,
            b'B' => i32::from(value as i8),
            b'S' => i32::from(value as i16),
            b'C' => i32::from(value as u16),
            _ => value,
        })
    }
}

/// Whether a class or one above it has an initializer that may do something.
pub fn initializes(program: &Program<'_>, class: Class) -> bool {
    let outside = |above| {
        program.class(above).is_none()
            && above != program.hierarchy.object()
            && !QUIET.contains(&program.hierarchy.name(above))
    };
    has_initializer(program, class) || program.hierarchy.ancestors(program.classes[class].id).any(outside)
}

/// Whether a class or one above it in the program has an initializer.
pub fn has_initializer(program: &Program<'_>, class: Class) -> bool {
    let clinit = program.selector(b"<clinit>()V");
    let has_own =
        |above: Class| clinit.is_some_and(|clinit| program.declared_method(above, clinit).is_some());
    // Interfaces with default methods are initialized as well.
    let above = &program.classes[class].supertypes;
    above.iter().filter_map(|&above| program.class(above)).any(has_own)
}

/// Whether a class initializer only returns: whether it is there makes no difference.
pub fn does_nothing(program: &Program<'_>, initializer: Method) -> bool {
    let info = &program.methods[initializer];
    let file = &program.classes[info.class].file;
    let code = file.methods[usize::from(info.place)].attribute(&file.pool, Kind::Code);
    let returns = |body: CodeBytes<'_>| body.code == [Opcode::Return as u8];
    program.shows_body(initializer)
        && code.is_some_and(|code| CodeBytes::read(&mut code.cursor()).is_ok_and(returns))
}

/// Whether a method is one of objects, and a call that names it can lead to no other one.
fn is_settled(program: &Program<'_>, method: Method) -> bool {
    let info = &program.methods[method];
    let class = &program.classes[info.class].file;
    !info.flags.has(Flags::STATIC)
        && (info.flags.any(Flags::FINAL | Flags::PRIVATE) || class.flags.has(Flags::FINAL))
        && !program.text(info.selector).starts_with(b"<")
}

/// The body of a method if it only computes, apart from what it calls, with nothing but its parameters.
fn computation(program: &Program<'_>, method: Method) -> Option<Computation> {
    let info = &program.methods[method];
    if info.flags.any(Flags::SYNCHRONIZED | Flags::NATIVE) {
        return None;
    }
    let ty = MethodType::parse(program.descriptor(info.selector))?;
    let result = ty.result()?;
    let is_text = |ty: Type<'_>| ty.class_name() == Some(b"java/lang/String");
    if result.is_reference() || ty.parameters().any(|ty| ty.is_reference() && !is_text(ty)) {
        return None;
    }
    let file = &program.classes[info.class].file;
    program.shows_body(method).then_some(())?;
    let pool = &file.pool;
    let attribute = file.methods[usize::from(info.place)].attribute(pool, Kind::Code)?;
    let Ok(Some(Body::Code(bytes))) = attribute.decode(pool) else { return None };
    if !bytes.handlers.is_empty() {
        return None;
    }
    // Most bodies do something else soon.
    if !bytes.instructions().all(|item| item.is_ok_and(|(_, instruction)| may_be_run(instruction.op))) {
        return None;
    }
    let mut own = Computation {
        code: Code::default(),
        class: info.class,
        is_pure: !ty.parameters().any(is_text),
        raises: false,
        constants: HashMap::default(),
        asks: HashMap::default(),
        computes: HashMap::default(),
        calls: HashMap::default(),
        parameters: ty.parameters().count(),
        result: program.descriptor(info.selector).rsplit(|byte| *byte == b')').next()?.first().copied()?,
    };
    let code = Code::read_bare(&bytes).ok()?;
    for instruction in &code.instructions {
        let op = instruction.op;
        match (op, &instruction.operand) {
            (Opcode::Ldc | Opcode::LdcW | Opcode::Ldc2W, &Operand::Constant(index)) => {
                own.loads(program, index)?;
            }
            (Opcode::Invokestatic, &Operand::Constant(index)) => own.calls(program, index)?,
            (Opcode::Invokevirtual, &Operand::Constant(index)) => own.asks(program, index)?,
            _ if works_on_own_objects(op) => own.is_pure = false,
            _ if !only_computes(op) => return None,
            _ => own.raises |= matches!(op, Opcode::Idiv | Opcode::Irem | Opcode::Ldiv | Opcode::Lrem),
        }
    }
    own.code = code;
    Some(own)
}

/// The constants that a body names. Nothing where the body cannot be run for what they are.
impl Computation {
    /// Loads a constant.
    fn loads(&mut self, program: &Program<'_>, index: u16) -> Option<()> {
        let pool = &program.classes[self.class].file.pool;
        let datum = match pool.get(index).ok()? {
            Constant::Integer(value) => Datum::Number(Number::Int(value)),
            Constant::Long(value) => Datum::Number(Number::Long(value)),
            Constant::Float(_) | Constant::Double(_) => return Some(()),
            Constant::String(text) => {
                self.is_pure = false;
                Datum::Text(to_utf16(pool.utf8(text).ok()?)?.into())
            }
            _ => return None,
        };
        self.constants.insert(index, datum);
        Some(())
    }

    /// Calls a static method.
    fn calls(&mut self, program: &Program<'_>, index: u16) -> Option<()> {
        let member = program.classes[self.class].file.pool.member(index).ok()?;
        if is_pure(&member) {
            let computes = Computes::of(Opcode::Invokestatic, &member);
            self.computes.extend(computes.map(|computes| (index, computes)));
            return Some(());
        }
        let id = program.hierarchy.lookup(member.class)?;
        let selector = program.selector(&[member.name, member.descriptor].concat())?;
        let Found::Program(callee) = program.resolve_method(id, selector) else { return None };
        self.calls.insert(index, callee);
        Some(())
    }

    /// Calls a method of an object, which has to be a text that is asked for a number.
    fn asks(&mut self, program: &Program<'_>, index: u16) -> Option<()> {
        let member = program.classes[self.class].file.pool.member(index).ok()?;
        let ty = MethodType::parse(member.descriptor)?;
        let is_asked = member.class == b"java/lang/String" && !ty.result()?.is_reference();
        is_asked.then_some(())?;
        self.is_pure = false;
        self.asks.insert(index, (member.name.into(), member.descriptor.into(), ty.parameters().count()));
        Some(())
    }
}

/// Whether an instruction may stand in a body that is run, by itself.
fn may_be_run(op: Opcode) -> bool {
    use Opcode::*;
    only_computes(op)
        || works_on_own_objects(op)
        || matches!(op, Ldc | LdcW | Ldc2W | Invokestatic | Invokevirtual)
}

/// Whether an instruction works on numbers in locals and on the stack only.
pub fn only_computes(op: Opcode) -> bool {
    use Opcode::*;
    let is = |first: Opcode, last: Opcode| (first..=last).contains(&op);
    matches!(op, Nop | Iinc | Goto | GotoW | Tableswitch | Lookupswitch)
        || is(IconstM1, Sipush)
        || is(Iload, Dload)
        || is(Iload0, Dload3)
        || is(Istore, Dstore)
        || is(Istore0, Dstore3)
        || is(Pop, Lxor)
        || is(I2l, IfIcmple)
        || is(Ireturn, Dreturn)
}

/// Whether an instruction moves texts and arrays, or works on arrays of numbers.
fn works_on_own_objects(op: Opcode) -> bool {
    use Opcode::*;
    let is = |first: Opcode, last: Opcode| (first..=last).contains(&op);
    matches!(op, Aload | Astore | Newarray | Arraylength | Iaload | Laload | Iastore | Lastore)
        || is(Aload0, Aload3)
        || is(Astore0, Astore3)
        || is(Baload, Saload)
        || is(Bastore, Sastore)
}
