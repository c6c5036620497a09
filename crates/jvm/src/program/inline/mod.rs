//! Method bodies in the place of calls.
//!
//! A call is replaced if it can lead to one body only, if that body may stand in the calling class, and
//! if the program gets smaller: the body is hardly longer than the call, or this is the only call and the
//! method goes. Whether a virtual call leads to one body is rapid type analysis ([`dispatch`]); a body with
//! calls that are to be replaced themselves waits for the next round, so chains go from the inside out and
//! recursion stays.
//!
//! What a call does besides running the body is kept: a receiver is checked for null unless the body
//! begins by using it, and static methods are inlined only where their class has nothing to
//! initialize, or is initialized already.
//!
//! - [`portable`]: bodies without a pool.
//! - [`expand`]: putting them in.
//! - [`origins`]: where lines of inlined code are from.
//! - [`access`]: which bodies may stand in which classes.
//!
//! [`dispatch`]: crate::program::dispatch

pub mod access;
pub mod expand;
pub mod origins;
pub mod portable;

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_classfile::code::Insn;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::pool::MemberKind;
use planish_classfile::{Body, ClassFile, Code, ConstantPool, Flags, Kind, MemberRef, Opcode, Operand};
use rustc_hash::FxBuildHasher;

use crate::lower::tighten::remove_unreachable;
use crate::program::dispatch::Dispatch;
use crate::program::inline::access::{Access, Visible, Widened};
use crate::program::inline::expand::{Expansion, Stand, is_return, parameters};
use crate::program::inline::origins::Renumber;
use crate::program::inline::portable::{PortableCode, jumps_back};
use crate::program::pure::{has_initializer, initializes};
use crate::program::reach::Reach;
use crate::program::specialize::{Variants, base_name};
use crate::program::{Class, Found, Method, Program};
use crate::settled::Settled;
use crate::shape::depths;

/// How many instructions more than it has parameters a body may have that is put in the place of every
/// call.
const SMALL: usize = 3;

/// The most instructions of a body that is called once.
const LARGEST: usize = 2_000;

/// The most bytes of code that inlining may make of a method: JVMs do not compile larger ones (8,000).
pub const MOST_BYTES: usize = 7_000;

/// A body that may stand in the place of calls.
#[derive(Clone, Hash, Debug)]
pub struct Inlinee {
    /// The method: class, name and descriptor.
    pub method: Box<[u8]>,
    /// The body.
    pub code: PortableCode,
    /// What stores the arguments, receiver first, and in which slots.
    pub parameters: Vec<(Opcode, u16)>,
    /// Whether the receiver is to be checked for null.
    pub checks_receiver: bool,
    /// The class to which the receiver is to be cast, since a verifier does not see that it is one.
    pub cast: Option<Box<[u8]>>,
    /// Instructions that narrow the result as its declared type says.
    pub narrows: Vec<Opcode>,
    /// Whether this is the only call of the method, which then goes.
    pub only: bool,
}

/// A body with bodies in it.
pub struct Expanded {
    /// The body.
    pub code: Code,
    /// The number of instructions that go elsewhere for it.
    pub goes: u64,
    /// The number of calls in whose place bodies are.
    pub bodies: u64,
    /// The number of methods that have no other call, and so go.
    pub methods: u64,
    /// The number of calls that lead to variants now.
    pub redirected: u64,
    /// What was replaced, in the order of the calls.
    pub replaced: Vec<Replaced>,
}

impl Expanded {
    /// A body as it is.
    pub(crate) fn plain(code: Code) -> Self {
        Expanded { code, goes: 0, bodies: 0, methods: 0, redirected: 0, replaced: Vec::new() }
    }
}

/// A call that is no more what it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replaced {
    /// The instruction that called.
    pub op: Opcode,
    /// The method that it named: class, name and descriptor.
    pub call: Box<[u8]>,
    /// The method whose body stands there now, or the variant that is called.
    pub by: Box<[u8]>,
    /// Whether it is a body.
    pub is_body: bool,
}

/// Which bodies may stand in the place of calls.
#[derive(Clone, Copy, Debug)]
pub struct Inlining {
    /// Whether classes and members may become public for that.
    pub anywhere: bool,
    /// Small ones.
    pub small: bool,
    /// Those that are called once.
    pub unique: bool,
    /// Whether lines come along.
    pub lines: bool,
}

/// The calls of a program that are to be replaced.
#[derive(Default)]
pub struct Plan {
    /// By the calling class and what the call says.
    calls: HashMap<Box<[u8]>, Arc<Inlinee>, FxBuildHasher>,
    /// Classes by their names, and members by class, name and descriptor, that have to be visible.
    widened: HashMap<Box<[u8]>, Visible, FxBuildHasher>,
    /// Calls that may begin to initialize a class outside of the program.
    initializing: Vec<Initializing>,
}

/// A call that may begin to initialize a class.
struct Initializing {
    key: Box<[u8]>,
    inlinee: Arc<Inlinee>,
    /// What is to be visible for it.
    widened: Vec<Widened>,
}

/// What identifies a call: the class that makes it, the instruction, the method.
fn key(caller: &[u8], op: Opcode, member: &MemberRef<'_>) -> Box<[u8]> {
    let kind = [op as u8, u8::from(member.kind == MemberKind::InterfaceMethod)];
    [caller, b"|", &kind[..], member.class, b".", member.name, member.descriptor].concat().into()
}

/// The method that a call names.
fn called<'p>(instruction: &Insn, pool: &'p ConstantPool<'_>) -> Option<MemberRef<'p>> {
    pool.member(named(instruction)?).ok()
}

/// The constant that a call names.
fn named(instruction: &Insn) -> Option<u16> {
    match (instruction.op, &instruction.operand) {
        (Opcode::Invokevirtual | Opcode::Invokespecial | Opcode::Invokestatic, &Operand::Constant(index)) => {
            Some(index)
        }
        (Opcode::Invokeinterface, &Operand::Interface { method, .. }) => Some(method),
        _ => None,
    }
}

impl Plan {
    /// Whether nothing is to be done.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty()
    }

    /// Calls of these methods, by class, name and descriptor, get an object of the class that has them. It has no initializer
    /// in the program, so that one is there means that it is initialized.
    pub fn get_instances(&mut self, methods: &HashSet<Box<[u8]>, FxBuildHasher>) {
        for Initializing { key, inlinee, widened } in std::mem::take(&mut self.initializing) {
            if methods.contains(&inlinee.method) {
                self.calls.entry(key).or_insert(inlinee);
                self.widen(widened);
            }
        }
    }

    fn widen(&mut self, widened: Vec<Widened>) {
        for (what, from) in widened {
            let known = self.widened.entry(what).or_insert(from);
            *known = from.max(*known);
        }
    }

    /// From where a member has to be visible that was not.
    pub fn widens(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<Visible> {
        match self.widened.is_empty() {
            true => None,
            false => self.widened.get(&[class, b".", name, descriptor].concat()[..]).copied(),
        }
    }

    /// From where a class has to be visible that was not.
    pub fn widens_class(&self, class: &[u8]) -> Option<Visible> {
        self.widened.get(class).copied()
    }

    /// The body that stands in the place of calls of a method from a class, if it is in the plan.
    pub(crate) fn inlinee(&self, caller: &[u8], op: Opcode, member: &MemberRef<'_>) -> Option<&Inlinee> {
        match self.calls.is_empty() {
            true => None,
            false => self.calls.get(&key(caller, op, member)).map(Arc::as_ref),
        }
    }

    /// The body of a method with the bodies that the plan has for its calls, and calls of variants where
    /// those are wanted. Nothing if there is neither.
    pub fn expand(
        &self,
        [class, method]: [&[u8]; 2],
        major: u16,
        code: &Code,
        variants: &Variants,
        pool: &mut ConstantPool<'_>,
        renumber: Option<Renumber<'_>>,
    ) -> Option<Result<Expanded, String>> {
        let variants = variants.of(method);
        if self.calls.is_empty() && variants.is_empty() {
            return None;
        }
        let mut depth_at: Option<Vec<Option<u16>>> = None;
        let mut calls: Vec<Expansion<'_>> = Vec::new();
        for (at, instruction) in code.instructions.iter().enumerate() {
            let Some(member) = called(instruction, pool) else { continue };
            let wanted = variants.binary_search_by_key(&(at as u32), |(at, _)| *at);
            let variant =
                wanted.ok().map(|place| Expansion { at, stand: Stand::Variant(&variants[place].1) });
            let inlinee = self.calls.get(&key(class, instruction.op, &member));
            let Some(inlinee) = inlinee.filter(|inlinee| *inlinee.method != *method) else {
                calls.extend(variant);
                continue;
            };
            let arguments: u16 = MethodType::parse(member.descriptor)?.parameter_slots()
                + u16::from(instruction.op != Opcode::Invokestatic);
            let below = depth_at.get_or_insert_with(|| depths(code, pool))[at]?.checked_sub(arguments)?;
            let fits = below == 0 || !(inlinee.code.has_handlers() || major < 50 && inlinee.code.has_loops());
            calls.extend(if fits { Some(Expansion { at, stand: Stand::Body(inlinee) }) } else { variant });
        }
        if calls.is_empty() {
            return None;
        }
        let (mut goes, mut bodies, mut methods, mut redirected) = (0, 0, 0, 0);
        let mut replaced = Vec::with_capacity(calls.len());
        for call in &calls {
            let (by, is_body) = match call.stand {
                Stand::Body(inlinee) => {
                    bodies += 1;
                    methods += u64::from(inlinee.only);
                    goes += if inlinee.only { inlinee.code.len() as u64 + 1 } else { 0 };
                    (inlinee.method.clone(), true)
                }
                Stand::Variant(variant) => {
                    redirected += 1;
                    (variant.full_name(), false)
                }
            };
            let instruction = &code.instructions[call.at];
            let member = called(instruction, pool)?;
            let call = [member.class, b".", member.name, member.descriptor].concat().into();
            replaced.push(Replaced { op: instruction.op, call, by, is_body });
        }
        let expanded = expand::expand(code, &calls, pool, renumber);
        Some(expanded.map(|code| Expanded { code, goes, bodies, methods, redirected, replaced }))
    }

    /// Finds the calls of a program that are to be replaced. Bodies that are as good as they get are not waited for.
    /// O(instructions).
    pub fn of(reach: &Reach<'_, '_>, settled: &Settled, inlining: Inlining) -> Plan {
        Planner::new(reach).plan(settled, inlining)
    }
}

/// A call that leads to one body only.
struct Single {
    caller: Class,
    /// The method that makes it.
    within: Method,
    /// The instruction, and the constant that it names.
    op: Opcode,
    constant: u16,
    /// The class that the instruction names.
    named: Class,
    callee: Method,
}

/// Where a call leads.
#[derive(Default)]
struct Called {
    /// All methods to which it may lead.
    targets: Vec<Method>,
    /// The class that the instruction names, and the method, if there is one only.
    single: Option<(Class, Method)>,
}

/// What is known of a method that may be inlined.
struct Candidate {
    code: PortableCode,
    uses_receiver: Receiver,
    narrows: Vec<Opcode>,
}

/// How a body treats its receiver.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Receiver {
    /// There is none, or it is not used.
    Unused,
    /// Its first effect is to use it, which throws if it is null.
    First,
    /// It is used later.
    Later,
}

struct Planner<'r, 'p, 'a> {
    reach: &'r Reach<'p, 'a>,
    program: &'p Program<'a>,
    dispatch: Dispatch<'r, 'p, 'a>,
    /// For each method the number of calls that may lead to it.
    calls: Vec<u32>,
    singles: Vec<Single>,
}

impl<'r, 'p, 'a> Planner<'r, 'p, 'a> {
    fn new(reach: &'r Reach<'p, 'a>) -> Self {
        let program = reach.program;
        Planner {
            reach,
            program,
            dispatch: Dispatch::new(reach),
            calls: vec![0; program.counts()[1]],
            singles: Vec::new(),
        }
    }

    fn plan(mut self, settled: &Settled, inlining: Inlining) -> Plan {
        let program = self.program;
        // Where calls of one class lead: most name what others name.
        let mut known: HashMap<(Opcode, u16), Called, FxBuildHasher> = HashMap::default();
        let mut of = None;
        for method in program.methods.ids().filter(|&method| self.reach.is_live(method)) {
            let class = program.methods[method].class;
            let Some(code) = body(program, method) else { continue };
            if of != Some(class) {
                of = Some(class);
                known.clear();
            }
            for instruction in &code.instructions {
                let Some(constant) = named(instruction) else { continue };
                let called = known.entry((instruction.op, constant)).or_insert_with(|| {
                    match program.classes[class].file.pool.member(constant) {
                        Ok(member) => self.call(class, instruction.op, &member),
                        Err(_) => Called::default(),
                    }
                });
                called.targets.iter().for_each(|&method| self.calls[method.index()] += 1);
                if let Some((named, callee)) = called.single.filter(|&(_, callee)| callee != method) {
                    let op = instruction.op;
                    self.singles.push(Single { caller: class, within: method, op, constant, named, callee });
                }
            }
        }
        // Of a method and its variants each may be called once: together they are not.
        let mut relatives: HashMap<_, (u32, u32), FxBuildHasher> = HashMap::default();
        for method in program.methods.ids().filter(|&method| self.reach.is_live(method)) {
            let relation = self.relation(method);
            let (all, made) = relatives.entry(relation).or_default();
            *all += 1;
            *made += u32::from(program.member_name(program.methods[method].selector) != relation.1);
        }
        // What contains calls that are replaced waits.
        let mut candidates: HashMap<Method, Option<Candidate>, FxBuildHasher> = HashMap::default();
        let mut chosen: Vec<(usize, bool)> = Vec::new();
        for (number, single) in self.singles.iter().enumerate() {
            let only = inlining.unique
                && self.calls[single.callee.index()] == 1
                && !self.reach.is_open(single.callee)
                && !relatives
                    .get(&self.relation(single.callee))
                    .is_some_and(|&(all, made)| made > 0 && all > 1);
            if !(only || inlining.small) {
                continue;
            }
            let candidate = candidates
                .entry(single.callee)
                .or_insert_with(|| candidate(program, single.callee, only, inlining.lines));
            if candidate.is_some() {
                chosen.push((number, only));
            }
        }
        let mut access = Access::new(self.reach, inlining.anywhere);
        let mut plan = Plan::default();
        let mut waits: HashSet<Method, FxBuildHasher> = HashSet::default();
        let mut made = Vec::new();
        for (number, only) in chosen {
            let single = &self.singles[number];
            let Some(Some(candidate)) = candidates.get(&single.callee) else { continue };
            let callee = &program.methods[single.callee];
            let is_static = callee.flags.has(Flags::STATIC);
            let begins = is_static
                && initializes(program, callee.class)
                && !program.classes[single.caller].supertypes.contains(&program.classes[callee.class].id);
            if begins && has_initializer(program, callee.class) {
                continue;
            }
            let cast = self.needs_cast(single, candidate).then(|| program.name(callee.class));
            let Some(widened) = access.allows(single.caller, single.callee, &candidate.code, cast) else {
                continue;
            };
            let initializing = match begins {
                true => Some(widened),
                false => {
                    plan.widen(widened);
                    None
                }
            };
            made.push((number, only, initializing));
            let within = &program.methods[single.within];
            let name = [program.name(within.class), b".", program.text(within.selector)].concat();
            if !settled.has(&name) {
                waits.insert(single.within);
            }
        }
        for (number, only, initializing) in made {
            let single = &self.singles[number];
            let Some(Some(candidate)) = candidates.get(&single.callee) else { continue };
            if waits.contains(&single.callee) {
                continue;
            }
            let Ok(member) = program.classes[single.caller].file.pool.member(single.constant) else {
                continue;
            };
            let key = key(program.name(single.caller), single.op, &member);
            match initializing {
                Some(widened) => {
                    let inlinee = Arc::new(self.inlinee(single, candidate, only));
                    plan.initializing.push(Initializing { key, inlinee, widened });
                }
                None => {
                    plan.calls.entry(key).or_insert_with(|| Arc::new(self.inlinee(single, candidate, only)));
                }
            }
        }
        plan
    }

    /// What a method has in common with its variants, and with what has its name.
    fn relation(&self, method: Method) -> (Class, &'p [u8]) {
        let info = &self.program.methods[method];
        (info.class, base_name(self.program.member_name(info.selector)))
    }

    /// Where a call leads that a class makes.
    fn call(&mut self, class: Class, op: Opcode, member: &MemberRef<'_>) -> Called {
        let program = self.program;
        let Some(id) = program.hierarchy.lookup(member.class).filter(|_| member.class.first() != Some(&b'['))
        else {
            return Called::default();
        };
        let Some(selector) = program.selector(&[member.name, member.descriptor].concat()) else {
            return Called::default();
        };
        let found = program.resolve_method(id, selector);
        let direct = match found {
            Found::Program(method) => {
                let info = &program.methods[method];
                let is_private = info.flags.has(Flags::PRIVATE);
                let is_here = op == Opcode::Invokespecial && info.class == class;
                let makes = member.name == b"<init>" && program.classes[info.class].id == id || is_here;
                (op == Opcode::Invokestatic || is_private || makes).then_some(method)
            }
            _ => None,
        };
        let mut targets = Vec::new();
        let mut outside = false;
        match (op, direct) {
            (_, Some(method)) => targets.push(method),
            (Opcode::Invokestatic, None) => {}
            (Opcode::Invokespecial, None) => {
                // `super.f()`: not inlined, but a call all the same.
                outside = true;
                targets.extend(match found {
                    Found::Program(method) => Some(method),
                    _ => None,
                });
                let above =
                    program.hierarchy.get(program.classes[class].id).and_then(|info| info.super_class);
                if let Some(Found::Program(method)) =
                    above.map(|above| program.resolve_method(above, selector))
                {
                    targets.push(method);
                }
            }
            _ => {
                let found = self.dispatch.targets(id, false, selector, matches!(found, Found::Program(_)));
                outside = found.outside;
                targets.extend_from_slice(&found.methods);
            }
        }
        let fits = |callee: Method| {
            let flags = program.methods[callee].flags;
            flags.has(Flags::STATIC) == (op == Opcode::Invokestatic)
                && !flags.any(Flags::SYNCHRONIZED | Flags::NATIVE | Flags::ABSTRACT)
        };
        let single = match (&targets[..], outside, program.class(id)) {
            (&[callee], false, Some(named)) if fits(callee) => Some((named, callee)),
            _ => None,
        };
        Called { targets, single }
    }

    /// Whether a verifier does not see that the receiver of a call is of the class whose body stands there then.
    fn needs_cast(&self, single: &Single, candidate: &Candidate) -> bool {
        let program = self.program;
        let callee = &program.methods[single.callee];
        let is_static = callee.flags.has(Flags::STATIC);
        let (own, named) = (&program.classes[callee.class], &program.classes[single.named]);
        let is_interface = |class: Class| program.classes[class].file.flags.has(Flags::INTERFACE);
        let fits =
            is_interface(callee.class) || (!is_interface(single.named) && named.supertypes.contains(&own.id));
        !is_static && candidate.uses_receiver != Receiver::Unused && !fits
    }

    fn inlinee(&self, single: &Single, candidate: &Candidate, only: bool) -> Inlinee {
        let program = self.program;
        let callee = &program.methods[single.callee];
        let is_static = callee.flags.has(Flags::STATIC);
        let ty = MethodType::parse(program.descriptor(callee.selector));
        let code = candidate.code.clone();
        Inlinee {
            method: [program.name(callee.class), b".", program.text(callee.selector)].concat().into(),
            code: if single.caller == callee.class { code } else { code.elsewhere() },
            parameters: ty.map_or(Vec::new(), |ty| parameters(&ty, is_static)),
            checks_receiver: !is_static && candidate.uses_receiver != Receiver::First,
            cast: self.needs_cast(single, candidate).then(|| program.name(callee.class).into()),
            narrows: candidate.narrows.clone(),
            only,
        }
    }
}

/// The body of a method, without what nothing reaches.
pub(crate) fn body(program: &Program<'_>, method: Method) -> Option<Code> {
    let info = &program.methods[method];
    let file = &program.classes[info.class].file;
    let attribute = file.methods[usize::from(info.place)].attribute(&file.pool, Kind::Code)?;
    let Ok(Some(Body::Code(bytes))) = attribute.decode(&file.pool) else { return None };
    let mut code = Code::read(&bytes, &file.pool).ok()?;
    remove_unreachable(&mut code).ok()?;
    Some(code)
}

/// What inlining a method takes; nothing if its body cannot be moved, or is too large for a method that has other
/// calls or, if `only`, just this one.
fn candidate(program: &Program<'_>, method: Method, only: bool, lines: bool) -> Option<Candidate> {
    let info = &program.methods[method];
    let file = &program.classes[info.class].file;
    let name = program.member_name(info.selector);
    if name == b"<clinit>" {
        return None;
    }
    let code = body(program, method)?;
    let makes = name == b"<init>";
    if makes && !delegates(&code, file) {
        return None;
    }
    let is_static = info.flags.has(Flags::STATIC);
    let ty = MethodType::parse(program.descriptor(info.selector))?;
    let count = code.instructions.len().saturating_sub(1);
    let parameters = ty.parameters().count() + usize::from(!is_static);
    let is_small = count <= parameters + SMALL && !jumps_back(&code.instructions);
    if !(is_small || only && count <= LARGEST) {
        return None;
    }
    let movable = |instruction: &Insn| {
        match instruction.op {
            Opcode::Jsr | Opcode::JsrW | Opcode::Ret => false,
            // `super.f()` means something else elsewhere; methods of the class itself do not: they are private, or were.
            Opcode::Invokespecial => called(instruction, &file.pool).is_some_and(|member| {
                let Some(id) = program.hierarchy.lookup(member.class) else { return false };
                let selector = program.selector(&[member.name, member.descriptor].concat());
                let is_own = |method: Method| {
                    let found = &program.methods[method];
                    found.flags.has(Flags::PRIVATE) || found.class == info.class
                };
                member.name == b"<init>"
                    || selector.is_some_and(|selector| {
                        matches!(program.resolve_method(id, selector), Found::Program(found) if is_own(found))
                    })
            }),
            _ => true,
        }
    };
    if !code.instructions.iter().all(movable) {
        return None;
    }
    let result = ty.result();
    let portable = PortableCode::of(&code, &file.pool)?;
    Some(Candidate {
        // What a constructor is called on was just made.
        uses_receiver: if makes { Receiver::First } else { receiver(&code, is_static, &file.pool) },
        narrows: narrows(&code, result, &file.pool),
        code: if lines { portable.with_lines(&code) } else { portable },
    })
}

/// Whether a constructor has another one of its class do the work: `this(...)`, once, and no jumps back, handlers,
/// or writes of fields, which may be final. Wherever the one may be called, so may the other.
fn delegates(code: &Code, file: &ClassFile<'_>) -> bool {
    let (pool, Ok(own), Ok(above)) = (&file.pool, file.name(), file.super_name()) else { return false };
    let constructor_of = |insn: &Insn| {
        called(insn, pool)
            .filter(|member| insn.op == Opcode::Invokespecial && member.name == b"<init>")
            .map(|member| member.class)
    };
    let calls =
        |class: &[u8]| code.instructions.iter().filter(|insn| constructor_of(insn) == Some(class)).count();
    let is_other = |insn: &Insn| match (insn.op, &insn.operand) {
        (Opcode::Putfield, _) => true,
        (Opcode::New, &Operand::Constant(index)) => pool.class(index) == Ok(own),
        _ => false,
    };
    calls(own) == 1
        && above.is_none_or(|above| calls(above) == 0)
        && code.handlers.is_empty()
        && !jumps_back(&code.instructions)
        && !code.instructions.iter().any(is_other)
}

/// How a body treats its receiver. It is used first if, before anything that may throw or be seen, the
/// method comes to an instruction that throws when the receiver is null.
fn receiver(code: &Code, is_static: bool, pool: &ConstantPool<'_>) -> Receiver {
    let is_receiver = |insn: &Insn| insn.slot() == Some(0) && insn.op != Opcode::Iinc;
    if is_static || !code.instructions.iter().any(is_receiver) {
        return Receiver::Unused;
    }
    if code.handlers.iter().any(|handler| handler.start == 0) {
        return Receiver::Later;
    }
    // For each slot of the stack whether it is the receiver.
    let mut stack: Vec<bool> = Vec::new();
    for instruction in &code.instructions {
        let op = instruction.op;
        let Ok((pops, pushes)) = planish_classfile::limits::effect(instruction, pool) else { break };
        let below = stack.len().checked_sub(usize::from(pops));
        let object = match op {
            Opcode::Getfield => below,
            Opcode::Putfield | Opcode::Invokevirtual | Opcode::Invokespecial | Opcode::Invokeinterface => {
                below
            }
            _ => None,
        };
        if object.is_some_and(|object| stack[object]) {
            return Receiver::First;
        }
        let loads =
            (Opcode::Iload..=Opcode::Aload).contains(&op) || (Opcode::Iload0..=Opcode::Aload3).contains(&op);
        let only_pushes = loads || (Opcode::AconstNull..=Opcode::Sipush).contains(&op);
        if !only_pushes {
            break;
        }
        stack.extend(vec![instruction.slot() == Some(0); usize::from(pushes)]);
    }
    Receiver::Later
}

/// What has to narrow a result, unless every value that is returned is evidently narrow.
fn narrows(code: &Code, result: Option<JavaType<'_>>, pool: &ConstantPool<'_>) -> Vec<Opcode> {
    let (narrow, range) = match result {
        Some(JavaType::Boolean) => (vec![Opcode::Iconst1, Opcode::Iand], 0..=1),
        Some(JavaType::Byte) => (vec![Opcode::I2b], -0x80..=0x7f),
        Some(JavaType::Short) => (vec![Opcode::I2s], -0x8000..=0x7fff),
        Some(JavaType::Char) => (vec![Opcode::I2c], 0..=0xffff),
        _ => return Vec::new(),
    };
    let is_type = |descriptor: &[u8]| result == JavaType::parse(descriptor);
    let evident = |instruction: &Insn| match (instruction.op, &instruction.operand) {
        (Opcode::Instanceof, _) => result == Some(JavaType::Boolean),
        (op, Operand::None) if narrow.as_slice() == [op] => true,
        (op, _) if (Opcode::IconstM1..=Opcode::Iconst5).contains(&op) => {
            range.contains(&(op as i32 - Opcode::Iconst0 as i32))
        }
        (Opcode::Bipush | Opcode::Sipush, &Operand::Immediate(value)) => range.contains(&i32::from(value)),
        (Opcode::Getfield | Opcode::Getstatic, &Operand::Constant(index)) => {
            pool.member(index).is_ok_and(|member| is_type(member.descriptor))
        }
        (Opcode::Baload, _) => result == Some(JavaType::Byte),
        (Opcode::Caload, _) => result == Some(JavaType::Char),
        (Opcode::Saload, _) => result == Some(JavaType::Short),
        _ => called(instruction, pool)
            .and_then(|member| MethodType::parse(member.descriptor))
            .is_some_and(|ty| ty.result() == result),
    };
    let count = code.instructions.len();
    let mut comes_from: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, instruction) in code.instructions.iter().enumerate() {
        instruction.targets().for_each(|target| comes_from[target as usize].push(at));
        if !instruction.op.ends_flow() && at + 1 < count {
            comes_from[at + 1].push(at);
        }
    }
    let all_evident = (0..count).filter(|&at| is_return(code.instructions[at].op)).all(|at| {
        comes_from[at].iter().all(|&before| match code.instructions[before].op {
            Opcode::Goto | Opcode::GotoW => {
                comes_from[before].iter().all(|&before| evident(&code.instructions[before]))
            }
            _ => evident(&code.instructions[before]),
        })
    });
    if all_evident { Vec::new() } else { narrow }
}
