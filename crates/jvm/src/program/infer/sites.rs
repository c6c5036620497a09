//! What instructions name, looked up once: fields, methods, classes, and where calls may lead.

use std::rc::Rc;

use planish_base::Id;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::{Constant, Flags, Insn, MemberRef, Opcode, Operand};
use planish_domain::{Class as Bound, RefFact};
use planish_ops::Type;
use planish_ops::world::Descr;

use crate::hierarchy::ClassId;
use crate::naming::Named;
use crate::program::dispatch::Targets;
use crate::program::infer::Analysis;
use crate::program::infer::fact::{Fact, class as class_of, descr};
use crate::program::{Class, Field, Found, Method, Selector};

/// What an instruction does, as far as the analysis cares.
#[derive(Clone)]
pub(super) enum Site {
    /// Reads or writes a field of the program.
    Field(Field),
    /// Reads or writes a field outside of it.
    OtherField(Fact),
    /// Calls a method.
    Call(Callee),
    /// Makes an object of a class.
    New(Fact),
    /// Casts to a class that is known.
    Cast(ClassId),
    /// Tests for a class that is known.
    Test(ClassId),
    /// Gives something of which this is known.
    Gives(Fact),
}

/// The method that a call names.
#[derive(Clone)]
pub(super) struct Callee {
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
}

impl Analysis<'_, '_, '_> {
    /// What a descriptor of a class's instructions stands for.
    pub(super) fn site(&mut self, class: Class, descr: Descr) -> Rc<Site> {
        let known = &mut self.sites[class.index()];
        if known.len() <= descr.index() {
            known.resize(descr.index() + 1, None);
        }
        if let Some(site) = &known[descr.index()] {
            return Rc::clone(site);
        }
        let site = Rc::new(self.look_up(class, descr));
        self.sites[class.index()][descr.index()] = Some(Rc::clone(&site));
        site
    }

    fn look_up(&self, class: Class, descr: Descr) -> Site {
        let pool = &self.program.classes[class].file.pool;
        let unknown = Site::Gives(Fact::Any);
        let Some(names) = &self.names[class.index()] else { return unknown };
        let instruction = match names.named(descr) {
            Named::Field(index) => {
                return pool.member(*index).map_or(unknown, |member| self.field_site(&member));
            }
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
                Site::New(Fact::Ref(
                    made.map_or(RefFact::NONNULL, |made| RefFact::exactly(self::descr(made))),
                ))
            }),
            (Opcode::Checkcast | Opcode::Instanceof, &Operand::Constant(index)) => {
                let hierarchy = self.program.hierarchy;
                let named = pool.class(index).ok().and_then(|name| hierarchy.lookup(name));
                let named = named.filter(|&named| hierarchy.get(named).is_some());
                match (instruction.op, named) {
                    (Opcode::Checkcast, Some(named)) => Some(Site::Cast(named)),
                    (Opcode::Instanceof, Some(named)) => Some(Site::Test(named)),
                    (Opcode::Checkcast, None) => Some(Site::Gives(Fact::Ref(RefFact::TOP))),
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
            (Opcode::Multianewarray, _) => Some(Site::Gives(Fact::Ref(RefFact::NONNULL))),
            _ => self.call_site(class, instruction).map(Site::Call),
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
            Site::OtherField(ty.map_or(Fact::Any, |ty| Fact::declared(ty, program.hierarchy)))
        })
    }

    fn call_site(&self, within: Class, instruction: &Insn) -> Option<Callee> {
        let program = self.program;
        let pool = &program.classes[within].file.pool;
        let member = match instruction.operand {
            Operand::Constant(index) if instruction.op == Opcode::Invokedynamic => {
                let ty = MethodType::parse(pool.dynamic(index).ok()?.2)?;
                return Some(self.callee(instruction.op, &ty));
            }
            Operand::Constant(index) | Operand::Interface { method: index, .. } => pool.member(index).ok()?,
            _ => return None,
        };
        let ty = MethodType::parse(member.descriptor)?;
        let mut callee = self.callee(instruction.op, &ty);
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
        if instruction.op == Opcode::Invokestatic {
            callee.pure = self.pure.find(program.name(within), &member);
        }
        let own = &program.classes[within];
        if instruction.op == Opcode::Invokespecial
            && member.name != b"<init>"
            && own.id != id
            && let Some(above) = program.hierarchy.get(own.id).and_then(|info| info.super_class)
            && let Found::Program(method) = program.resolve_method(above, selector)
        {
            callee.above = Some(method);
        }
        Some(callee)
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
        }
    }

    /// Where a call may lead on a receiver of which something is known.
    pub(super) fn leads(&mut self, callee: &Callee, receiver: RefFact) -> Rc<Targets> {
        let nowhere = |outside| Rc::new(Targets { outside, ..Targets::default() });
        let (Some(class), Some(selector)) = (callee.class, callee.selector) else { return nowhere(true) };
        let program = self.program;
        if let Some(Found::Program(method)) = callee.found {
            let flags = program.methods[method].flags;
            if matches!(callee.op, Opcode::Invokestatic | Opcode::Invokespecial) || flags.has(Flags::PRIVATE)
            {
                let methods = [Some(method), callee.above].into_iter().flatten().collect();
                return Rc::new(Targets { methods, ..Targets::default() });
            }
        } else if matches!(callee.op, Opcode::Invokestatic | Opcode::Invokespecial) {
            let methods = callee.above.into_iter().collect();
            return Rc::new(Targets { methods, outside: true, set: None });
        }
        let (bound, exact) = match receiver.object() {
            None => return nowhere(false),
            Some(Bound::Exactly(exact)) => (class_of(exact), true),
            Some(Bound::AtMost(most))
                if program.hierarchy.is_subtype(class_of(most), class) == Some(true) =>
            {
                (class_of(most), false)
            }
            Some(Bound::AtMost(_) | Bound::Any) => (class, false),
        };
        let in_program = matches!(callee.found, Some(Found::Program(_)));
        self.dispatch.targets(bound, exact, selector, in_program)
    }

    /// What is known of a value of a type that an instruction gives.
    pub(super) fn typed(fact: Fact, ty: Type) -> Fact {
        match (fact, ty) {
            (Fact::Int(known), Type::Int(width)) if known.width() == u32::from(width) => fact,
            (Fact::Ref(_), Type::Ref) | (Fact::None, _) => fact,
            (Fact::Real(_), Type::Float(_)) => fact,
            _ => Fact::top(ty),
        }
    }
}
