//! Resolved references: what instructions name, looked up once; fields, methods, classes, and the targets of calls.

use std::cell::OnceCell;

use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::{Constant, Flags, Insn, MemberRef, Opcode, Operand};
use planish_domain::RefFact;
use planish_jvm_ir::naming::{Named, Names};
use planish_jvm_model::bootstraps::rows;
use planish_jvm_model::hierarchy::{ClassId, Origin};
use planish_jvm_model::program::{Class, Field, Found, Method, Program, Selector};

use crate::assumed_values::AssumedValues;
use crate::dispatch::Targets;
use crate::infer::fact::{Fact, descr};
use crate::infer::state::array_use::ArrayUse;
use crate::infer::state::arrays::Items;
use crate::infer::state::ones::EnumPart;
use crate::infer::state::thrown::Thrown;
use crate::jdk_methods::{self, Computes};
use crate::pure::PureMethods;

/// What an instruction does, as far as the analysis cares.
#[derive(Clone)]
pub(in crate::infer) enum Site {
    /// Reads or writes a field of the program.
    Field(Field),
    /// Reads or writes a field outside of it.
    OtherField {
        fact: Fact,
        /// Its class is one of the JDK: initializing that runs nothing of the program.
        is_quiet: bool,
    },
    /// Calls a method.
    Call(Callee),
    /// Makes an object of a class.
    New(Fact),
    /// Casts to a class that is known.
    Cast(ClassId),
    /// Tests for a class that is known.
    Test(ClassId),
    /// Casts to a class that is missing.
    CastToMissing(Option<ClassId>),
    /// Casts to an array type.
    CastToArray,
    /// Tests for an array type.
    TestForArray,
    /// Makes an array with such items, or loads or stores one.
    Items(Items),
    /// Makes arrays in arrays, so many deep.
    Nested(u8),
    /// Gives something of which this is known.
    Gives(Fact),
    /// Is no instruction, but a handler for this class, if it is known.
    Caught(Option<ClassId>),
}

/// The method that a call names.
#[derive(Clone)]
pub(in crate::infer) struct Callee {
    pub op: Opcode,
    /// The class that the instruction names.
    pub class: Option<ClassId>,
    pub selector: Option<Selector>,
    pub found: Option<Found<Method>>,
    /// Where the search of `super.f()` begins as well.
    pub above: Option<Method>,
    /// What its declared type says of the result.
    pub result: Fact,
    pub is_void: bool,
    /// The method, if it only computes.
    pub pure: Option<Method>,
    /// What it computes, if it is one of the JDK.
    pub computes: Option<Computes>,
    /// What it asks of the constant of an enum.
    pub part: Option<EnumPart>,
    /// Outside of the program it calls nothing that would call the program again.
    pub is_closed: bool,
    /// What it throws outside of the program.
    pub throws: Thrown,
    /// What it does outside of the program with arrays that it gets.
    pub array_use: ArrayUse,
    /// Where the call leads, if the instruction alone says that.
    pub(in crate::infer) direct: Option<Targets>,
}

/// Finds out what the descriptors of a class stand for.
pub(in crate::infer) struct Lookup<'l, 'a> {
    pub(in crate::infer) program: &'l Program<'a>,
    pub(in crate::infer) pure: &'l PureMethods,
    pub(in crate::infer) values: &'l AssumedValues<'l>,
    pub(in crate::infer) class: Class,
    pub(in crate::infer) names: &'l Names,
    /// Its bootstrap methods, once somebody asked.
    pub(in crate::infer) bootstraps: OnceCell<Vec<BootstrapMethod>>,
}

impl<'l, 'a> Lookup<'l, 'a> {
    /// For a class whose bodies are lifted.
    pub fn new(
        program: &'l Program<'a>,
        (pure, values): (&'l PureMethods, &'l AssumedValues<'l>),
        class: Class,
        names: &'l Names,
    ) -> Self {
        Lookup { program, pure, values, class, names, bootstraps: OnceCell::new() }
    }

    /// What each descriptor of the class stands for.
    pub fn all(&self) -> Vec<Site> {
        self.names.all_named().map(|named| self.look_up(named)).collect()
    }

    fn look_up(&self, named: &Named) -> Site {
        let pool = &self.program.classes[self.class].file.pool;
        let unknown = Site::Gives(Fact::Any);
        let instruction = match named {
            Named::Field(index) => {
                return pool.member(*index).map_or(unknown, |member| self.field_site(&member));
            }
            Named::Class(index) => {
                let named = pool.class(*index).ok().and_then(|name| self.program.hierarchy.lookup(name));
                return Site::Caught(named.filter(|&named| self.program.hierarchy.get(named).is_some()));
            }
            Named::Items(load) => return Items::loaded_by(*load).map_or(unknown, Site::Items),
            Named::NewArray(made) => return Items::made_by(made).map_or(unknown, Site::Items),
            Named::Instruction(instruction) => instruction,
            _ => return unknown,
        };
        let site = match (instruction.op, &instruction.operand) {
            (
                Opcode::Getfield | Opcode::Putfield | Opcode::Getstatic | Opcode::Putstatic,
                &Operand::Constant(index),
            ) => pool.member(index).ok().map(|member| self.field_site(&member)),
            (Opcode::New, &Operand::Constant(index)) => pool.class(index).ok().map(|name| {
                let made = self.program.hierarchy.lookup(name);
                Site::New(Fact::Ref(made.map_or(RefFact::NONNULL, |made| RefFact::exactly(descr(made)))))
            }),
            (Opcode::Checkcast | Opcode::Instanceof, &Operand::Constant(index)) => {
                let hierarchy = self.program.hierarchy;
                let name = pool.class(index).unwrap_or_default();
                let named = hierarchy.lookup(name);
                let is_known = named.is_some_and(|named| hierarchy.get(named).is_some());
                match (instruction.op, named) {
                    (Opcode::Checkcast, _) if name.starts_with(b"[") => Some(Site::CastToArray),
                    (_, _) if name.starts_with(b"[") => Some(Site::TestForArray),
                    (Opcode::Checkcast, Some(named)) if is_known => Some(Site::Cast(named)),
                    (Opcode::Instanceof, Some(named)) if is_known => Some(Site::Test(named)),
                    (Opcode::Checkcast, named) => Some(Site::CastToMissing(named)),
                    _ => Some(Site::Gives(Fact::declared(JavaType::Boolean, hierarchy))),
                }
            }
            (Opcode::Ldc | Opcode::LdcW | Opcode::Ldc2W, &Operand::Constant(index)) => {
                match pool.get(index) {
                    Ok(Constant::Class(_) | Constant::MethodType(_) | Constant::MethodHandle(..)) => {
                        Some(Site::Gives(Fact::Ref(RefFact::NONNULL)))
                    }
                    _ => None,
                }
            }
            (Opcode::Multianewarray, &Operand::Dimensions { count, .. }) => Some(Site::Nested(count)),
            _ => self.call_site(instruction).map(Site::Call),
        };
        site.unwrap_or(unknown)
    }

    fn field_site(&self, member: &MemberRef<'_>) -> Site {
        let program = self.program;
        let found = program.hierarchy.lookup(member.class).and_then(|id| {
            let selector = program.selector(&[member.name, b":", member.descriptor].concat())?;
            match program.resolve_field(id, selector) {
                Found::Program(field) => Some(Site::Field(field)),
                _ => None,
            }
        });
        found.unwrap_or_else(|| {
            let ty = JavaType::parse(member.descriptor);
            let declared = ty.map_or(Fact::Any, |ty| Fact::declared(ty, program.hierarchy));
            let fact = self.values.fact(program, member, true).unwrap_or(declared);
            let class = program.hierarchy.lookup(member.class).and_then(|class| program.hierarchy.get(class));
            Site::OtherField { fact, is_quiet: class.is_some_and(|class| class.origin == Origin::Platform) }
        })
    }

    fn call_site(&self, instruction: &Insn) -> Option<Callee> {
        let (program, within, op) = (self.program, self.class, instruction.op);
        let pool = &program.classes[within].file.pool;
        let member = match instruction.operand {
            Operand::Constant(index) if op == Opcode::Invokedynamic => return self.dynamic_call_site(index),
            Operand::Constant(index) | Operand::Interface { method: index, .. } => pool.member(index).ok()?,
            _ => return None,
        };
        let ty = MethodType::parse(member.descriptor)?;
        let mut callee = self.callee(op, &ty);
        if program.class_named(member.class).is_none() {
            self.called_outside(&mut callee, &member, &ty);
        }
        if let Some(fact) = self.values.fact(program, &member, false) {
            callee.result = fact;
        }
        // Methods of arrays are those of `Object`.
        let Some(id) = program.hierarchy.lookup(member.class).filter(|_| member.class.first() != Some(&b'['))
        else {
            return Some(callee);
        };
        callee.class = Some(id);
        let Some(selector) = program.selector(&[member.name, member.descriptor].concat()) else {
            return Some(callee);
        };
        callee.selector = Some(selector);
        callee.found = Some(program.resolve_method(id, selector));
        if !matches!(callee.found, Some(Found::Program(_))) {
            callee.part = EnumPart::of(op, id, &member, program.hierarchy);
        }
        if op == Opcode::Invokestatic {
            callee.pure = self.pure.find(program.name(within), &member);
        }
        let own = &program.classes[within];
        if op == Opcode::Invokespecial
            && member.name != b"<init>"
            && own.id != id
            && let Some(above) = program.hierarchy.get(own.id).and_then(|info| info.super_class)
            && let Found::Program(method) = program.resolve_method(above, selector)
        {
            callee.above = Some(method);
        }
        callee.direct = self.direct(&callee);
        Some(callee)
    }

    /// A call that a bootstrap method links.
    fn dynamic_call_site(&self, index: u16) -> Option<Callee> {
        let pool = &self.program.classes[self.class].file.pool;
        let ty = MethodType::parse(pool.dynamic(index).ok()?.2)?;
        let mut callee = self.callee(Opcode::Invokedynamic, &ty);
        match self.bootstrap(index) {
            // It runs nothing of the program, and gives an object.
            Some(b"java/lang/invoke/LambdaMetafactory") => {
                callee.is_closed = true;
                callee.throws = Thrown::default();
                callee.result = Fact::Ref(RefFact::NONNULL);
            }
            // Nor does joining texts and numbers.
            Some(b"java/lang/invoke/StringConcatFactory") => {
                callee.is_closed = ty.parameters().all(|ty| match ty {
                    JavaType::Object(class) => class == b"java/lang/String",
                    JavaType::Array(_) => false,
                    _ => true,
                });
                if callee.is_closed {
                    callee.throws = Thrown::default();
                }
                let string = self.program.hierarchy.lookup(b"java/lang/String");
                callee.result = Fact::Ref(string.map_or(RefFact::NONNULL, |id| RefFact::exactly(descr(id))));
            }
            _ => {}
        }
        Some(callee)
    }

    /// What is known of a method whose class is none of the program.
    fn called_outside(&self, callee: &mut Callee, member: &MemberRef<'_>, ty: &MethodType<'_>) {
        let program = self.program;
        callee.computes = Computes::of(callee.op, member);
        // An exception of the JDK calls one method that a program may override.
        let makes_exception = || {
            jdk_methods::makes_exception(member, ty, program.hierarchy)
                && program.selector(b"fillInStackTrace()Ljava/lang/Throwable;").is_none()
        };
        let is_total = jdk_methods::throws_nothing(callee.op, member) || makes_exception();
        callee.is_closed = is_total || jdk_methods::is_closed(callee.op, member);
        callee.throws = match callee.is_closed {
            _ if is_total => Thrown::default(),
            true => Thrown::FOREIGN,
            false => Thrown::ANY,
        };
        let known = jdk_methods::gives(callee.op, member, program.hierarchy);
        callee.result = known.unwrap_or(callee.result);
        callee.array_use = ArrayUse::of(callee.op, member);
    }

    fn callee(&self, op: Opcode, ty: &MethodType<'_>) -> Callee {
        let result = ty.result();
        Callee {
            op,
            class: None,
            selector: None,
            found: None,
            above: None,
            result: result.map_or(Fact::Any, |ty| Fact::declared(ty, self.program.hierarchy)),
            is_void: result.is_none(),
            pure: None,
            computes: None,
            part: None,
            is_closed: false,
            throws: Thrown::ANY,
            array_use: ArrayUse::Unknown,
            direct: None,
        }
    }

    /// The class of the bootstrap method of an `invokedynamic`.
    fn bootstrap(&self, index: u16) -> Option<&[u8]> {
        let file = &self.program.classes[self.class].file;
        let (number, ..) = file.pool.dynamic(index).ok()?;
        let bootstrap =
            self.bootstraps.get_or_init(|| rows(file).unwrap_or_default()).get(usize::from(number))?;
        let Constant::MethodHandle(_, maker) = file.pool.get(bootstrap.handle).ok()? else { return None };
        Some(file.pool.member(maker).ok()?.class)
    }

    /// Where a call leads, if the instruction alone says that.
    fn direct(&self, callee: &Callee) -> Option<Targets> {
        let is_sure = matches!(callee.op, Opcode::Invokestatic | Opcode::Invokespecial);
        if let Some(Found::Program(method)) = callee.found {
            let is_private = self.program.methods[method].flags.has(Flags::PRIVATE);
            let methods = [Some(method), callee.above].into_iter().flatten().collect();
            (is_sure || is_private).then_some(Targets { methods, ..Targets::default() })
        } else {
            let methods = callee.above.into_iter().collect();
            is_sure.then_some(Targets { methods, outside: true, set: None })
        }
    }
}
