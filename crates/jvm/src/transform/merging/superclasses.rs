//! Which classes a program may ask for the one above (`Class.getSuperclass`, and what tells interfaces).
//!
//! Whoever has the object of a class sees which one it extends, and with that whether the class above has become a part of it.
//! Objects of classes come from constants (`Vessel.class`), from `getClass`, and from the JDK. Where one comes from, the
//! instructions behind are followed, without a branch, to the one that takes it: most only want a name, or compare. One that is
//! asked at once is that of the place; the others may be asked wherever something is that comes from elsewhere. It
//! is an escape analysis of class objects within bodies, and knows no locals, fields or calls.

use std::collections::BTreeSet;

use planish_base::Id;
use planish_classfile::limits::effect;
use planish_classfile::{Body, Code, Constant, Flags, Insn, Kind, MemberRef, Opcode, Operand};
use planish_jvm_ir::code::bare_body;
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::program::{Class, Found, Method, Program};

use super::observed::Unobserved;

/// Whether somebody may ask a class, by its number, what is above it. O(instructions).
pub fn asked_above(program: &Program<'_>, unobserved: &Unobserved) -> Vec<bool> {
    let mut looks = Looks {
        program,
        unobserved,
        asked: vec![false; program.counts()[0]],
        loose: vec![false; program.counts()[0]],
        asks_anyone: false,
        knows_all: true,
    };
    if !program.classes.ids().any(|class| looks.mentions(class)) {
        return looks.asked;
    }
    for class in program.classes.ids() {
        looks.class(class);
    }
    if looks.asks_anyone {
        let (loose, knows_all) = (std::mem::take(&mut looks.loose), looks.knows_all);
        let may_be = |class: &Class| !knows_all || loose[class.index()];
        program.classes.ids().filter(may_be).for_each(|class| looks.above(class));
    }
    looks.asked
}

/// What was seen so far.
struct Looks<'l, 'a> {
    program: &'l Program<'a>,
    unobserved: &'l Unobserved,
    /// The classes that are asked.
    asked: Vec<bool>,
    /// Those whose object goes where it is not followed.
    loose: Vec<bool>,
    /// Whether a place asks for what is above a class that comes from anywhere.
    asks_anyone: bool,
    /// Whether objects of classes come from nowhere but constants and `getClass`.
    knows_all: bool,
}

/// What becomes of the object of a class.
enum Taken {
    /// Nothing that tells what is above the class.
    Harmlessly,
    /// It is asked what is above, at this place.
    Asked(usize),
    /// It goes on.
    Away,
}

impl Looks<'_, '_> {
    /// Whether a class names a method that tells what is above.
    fn mentions(&self, class: Class) -> bool {
        let pool = &self.program.classes[class].file.pool;
        pool.indices().any(|index| pool.member(index).is_ok_and(|member| tells(&member)))
    }

    fn class(&mut self, class: Class) {
        let program = self.program;
        let own = &program.classes[class];
        let pool = &own.file.pool;
        for index in pool.indices() {
            match pool.get(index) {
                Ok(Constant::MethodHandle(_, member)) => {
                    let Ok(member) = pool.member(member) else { continue };
                    self.asks_anyone |= tells(&member);
                    self.knows_all &= !is_get_class(&member);
                }
                Ok(Constant::Dynamic(..)) => self.knows_all = false,
                Ok(Constant::Field(..) | Constant::Method(..) | Constant::InterfaceMethod(..)) => {
                    self.knows_all &= !pool.member(index).is_ok_and(|member| self.gives_classes(&member));
                }
                _ => {}
            }
        }
        if let Some(attribute) = own.file.attribute(Kind::BootstrapMethods) {
            match attribute.decode(pool) {
                Ok(Some(Body::BootstrapMethods(rows))) => {
                    let constants = rows.iter().flat_map(|row| row.arguments.iter().copied());
                    constants.for_each(|constant| self.go_away(self.constant(class, constant)));
                }
                _ => self.knows_all = false,
            }
        }
        self.knows_all &= !own.methods.iter().any(|&method| self.is_given_classes(method));
        for &method in &own.methods {
            if let Some(code) = bare_body(program, method) {
                self.body(class, method, &code);
            }
        }
    }

    fn body(&mut self, class: Class, method: Method, code: &Code) {
        let pool = &self.program.classes[class].file.pool;
        let asks =
            |insn: &Insn| member_of(insn).is_some_and(|index| pool.member(index).is_ok_and(|m| tells(&m)));
        let mut places: BTreeSet<usize> =
            (0..code.instructions.len()).filter(|&place| asks(&code.instructions[place])).collect();
        let mut targets: BTreeSet<u32> = code.instructions.iter().flat_map(Insn::targets).collect();
        targets.extend(code.handlers.iter().map(|handler| handler.target));
        for (place, insn) in code.instructions.iter().enumerate() {
            let found = match (insn.op, &insn.operand) {
                (Opcode::Ldc | Opcode::LdcW, &Operand::Constant(index)) => self.constant(class, index),
                _ if member_of(insn)
                    .is_some_and(|index| pool.member(index).is_ok_and(|member| is_get_class(&member))) =>
                {
                    let ty = match targets.contains(&(place as u32)) || place == 0 {
                        true => None,
                        false => self.type_of(class, method, code, place - 1),
                    };
                    self.instances(ty.as_deref())
                }
                _ => continue,
            };
            match taken(&self.program.classes[class].file.pool, code, place) {
                Taken::Harmlessly => {}
                Taken::Asked(at) => {
                    let others_come = targets.range(place as u32 + 1..=at as u32).next().is_some();
                    if !others_come {
                        places.remove(&at);
                    }
                    // The one above may be asked in turn.
                    found.into_iter().for_each(|class| self.above(class));
                }
                Taken::Away => self.go_away(found),
            }
        }
        self.asks_anyone |= !places.is_empty();
    }

    fn go_away(&mut self, classes: Vec<Class>) {
        classes.into_iter().for_each(|class| self.loose[class.index()] = true);
    }

    /// A class is asked, and those above.
    fn above(&mut self, class: Class) {
        let program = self.program;
        let supertypes = program.classes[class].supertypes.iter();
        supertypes.filter_map(|&id| program.class(id)).for_each(|above| self.asked[above.index()] = true);
    }

    /// The class of a constant, if it is one; of an array that of its elements, which arrays tell.
    fn constant(&self, class: Class, index: u16) -> Vec<Class> {
        let name = self.program.classes[class].file.pool.class(index).ok();
        name.and_then(|name| self.program.class_named(name)).into_iter().collect()
    }

    /// The classes of which objects of a type may be; of any type if nothing is known. What is said to be of an interface may
    /// be anything: a JVM does not check it. Arrays tell their elements.
    fn instances(&self, ty: Option<&[u8]>) -> Vec<Class> {
        let program = self.program;
        let has_objects = |class: &Class| !self.unobserved.goes.contains(program.name(*class));
        let id = match ty {
            Some(array @ [b'[', ..]) => program.class_named(array).map(|class| program.classes[class].id),
            Some(name) => program.hierarchy.lookup(name),
            None => None,
        };
        let is_class = |&id: &ClassId| {
            let info = program.hierarchy.get(id);
            id != program.hierarchy.object() && info.is_some_and(|info| !info.flags.has(Flags::INTERFACE))
        };
        match id.filter(is_class) {
            Some(id) => program.subtypes(id).iter().copied().filter(has_objects).collect(),
            None => program.classes.ids().filter(has_objects).collect(),
        }
    }

    /// The type of what an instruction puts on the stack, as far as it says so.
    fn type_of(&self, class: Class, method: Method, code: &Code, place: usize) -> Option<Vec<u8>> {
        let program = self.program;
        let pool = &program.classes[class].file.pool;
        let insn = &code.instructions[place];
        let named = |descriptor: &[u8]| match descriptor {
            [b'L', name @ .., b';'] => Some(name.to_vec()),
            [b'[', ..] => Some(descriptor.to_vec()),
            _ => None,
        };
        match insn.op {
            Opcode::Checkcast => pool.class(member_of(insn)?).ok().map(<[u8]>::to_vec),
            Opcode::Getfield | Opcode::Getstatic => named(pool.member(member_of(insn)?).ok()?.descriptor),
            Opcode::Invokevirtual | Opcode::Invokestatic | Opcode::Invokeinterface => {
                let descriptor = pool.member(member_of(insn)?).ok()?.descriptor;
                let end = descriptor.iter().position(|byte| *byte == b')')?;
                named(&descriptor[end + 1..])
            }
            Opcode::Aload | Opcode::Aload0 if insn.slot() == Some(0) => {
                let is_static = program.methods[method].flags.has(Flags::STATIC);
                let is_stored = |insn: &Insn| {
                    matches!(insn.op, Opcode::Astore | Opcode::Astore0) && insn.slot() == Some(0)
                };
                let is_this = !is_static && !code.instructions.iter().any(is_stored);
                is_this.then(|| program.name(class).to_vec())
            }
            _ => None,
        }
    }

    /// Whether something that is not a body of the program gives objects of classes, other than those that it was asked about.
    fn gives_classes(&self, member: &MemberRef<'_>) -> bool {
        let result = member.descriptor.rsplit(|byte| *byte == b')').next().unwrap_or_default();
        if !speaks_of_classes(result) || tells(member) || is_get_class(member) {
            return false;
        }
        let program = self.program;
        let is_field = !member.descriptor.starts_with(b"(");
        let divider: &[u8] = if is_field { b":" } else { b"" };
        let selector = program.selector(&[member.name, divider, member.descriptor].concat());
        let id = program.hierarchy.lookup(member.class);
        if let (Some(id), Some(selector)) = (id, selector) {
            if is_field && matches!(program.resolve_field(id, selector), Found::Program(_)) {
                return false;
            }
            if let (false, Found::Program(method)) = (is_field, program.resolve_method(id, selector)) {
                let info = &program.methods[method];
                // The JDK makes what implements annotations.
                let is_annotation = program.classes[info.class].file.flags.has(Flags::ANNOTATION);
                return is_annotation || info.flags.has(Flags::NATIVE);
            }
        }
        match member.class {
            b"java/lang/Class" => !matches!(
                member.name,
                b"forName" | b"getComponentType" | b"componentType" | b"arrayType" | b"asSubclass"
            ),
            b"java/lang/Enum" => member.name != b"getDeclaringClass",
            _ => !matches!(member.name, b"TYPE" | b"loadClass" | b"findClass"),
        }
    }

    /// Whether the JDK may call a method with the object of a class.
    fn is_given_classes(&self, method: Method) -> bool {
        let program = self.program;
        let info = &program.methods[method];
        let descriptor = program.descriptor(info.selector);
        let end = descriptor.iter().rposition(|byte| *byte == b')').unwrap_or(0);
        let is_outside = |&id: &_| {
            program.class(id).is_none()
                && (program.hierarchy.get(id).is_none()
                    || program.library.has_method(program.hierarchy.name(id), program.text(info.selector)))
        };
        speaks_of_classes(&descriptor[..end])
            && !info.flags.any(Flags::STATIC | Flags::PRIVATE)
            && program.classes[info.class].supertypes.iter().any(is_outside)
    }
}

/// Whether a method of the JDK tells which class or interfaces are above one.
fn tells(member: &MemberRef<'_>) -> bool {
    member.class == b"java/lang/Class"
        && matches!(
            member.name,
            b"getSuperclass"
                | b"getGenericSuperclass"
                | b"getAnnotatedSuperclass"
                | b"getInterfaces"
                | b"getGenericInterfaces"
                | b"getAnnotatedInterfaces"
        )
}

fn is_get_class(member: &MemberRef<'_>) -> bool {
    member.name == b"getClass" && member.descriptor == b"()Ljava/lang/Class;"
}

/// Whether a type is that of objects of classes, or of what describes them.
fn speaks_of_classes(ty: &[u8]) -> bool {
    let has = |part: &[u8]| ty.windows(part.len()).any(|window| window == part);
    has(b"Ljava/lang/Class;") || has(b"Ljava/lang/reflect/") || has(b"Ljava/lang/invoke/TypeDescriptor")
}

fn member_of(insn: &Insn) -> Option<u16> {
    match insn.operand {
        Operand::Constant(index) => Some(index),
        Operand::Interface { method, .. } => Some(method),
        _ => None,
    }
}

/// What takes the object of a class that an instruction puts on the stack.
fn taken(pool: &planish_classfile::ConstantPool<'_>, code: &Code, from: usize) -> Taken {
    // So many slots are above it.
    let mut above = 0;
    for (place, insn) in code.instructions.iter().enumerate().skip(from + 1) {
        let Ok((pops, pushes)) = effect(insn, pool) else { return Taken::Away };
        if pops <= above && insn.targets().next().is_none() && !insn.op.ends_flow() {
            above = above - pops + pushes;
            continue;
        }
        if pops <= above {
            return Taken::Away;
        }
        return match insn.op {
            Opcode::Pop | Opcode::Ifnull | Opcode::Ifnonnull | Opcode::IfAcmpeq | Opcode::IfAcmpne => {
                Taken::Harmlessly
            }
            Opcode::Invokevirtual | Opcode::Invokestatic => {
                let Some(Ok(member)) = member_of(insn).map(|index| pool.member(index)) else {
                    return Taken::Away;
                };
                let is_receiver = above + 1 == pops && insn.op == Opcode::Invokevirtual;
                match () {
                    () if tells(&member) && is_receiver => Taken::Asked(place),
                    () if only_names(&member, is_receiver) => Taken::Harmlessly,
                    () => Taken::Away,
                }
            }
            _ => Taken::Away,
        };
    }
    Taken::Away
}

/// Whether a method of the JDK gives nothing of a class but its name and what it is to itself.
fn only_names(member: &MemberRef<'_>, is_receiver: bool) -> bool {
    match member.class {
        b"java/lang/Class" => matches!(
            member.name,
            b"getName"
                | b"getSimpleName"
                | b"getTypeName"
                | b"getCanonicalName"
                | b"getPackageName"
                | b"toString"
                | b"hashCode"
                | b"equals"
                | b"desiredAssertionStatus"
                | b"isInstance"
                | b"isAssignableFrom"
                | b"isArray"
                | b"isInterface"
                | b"isPrimitive"
                | b"isEnum"
                | b"getClassLoader"
        ),
        b"java/lang/Object" => is_receiver && matches!(member.name, b"hashCode" | b"toString"),
        b"java/lang/String" => member.name == b"valueOf",
        b"java/lang/StringBuilder" => member.name == b"append",
        _ => false,
    }
}
