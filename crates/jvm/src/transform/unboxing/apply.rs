//! Class files of a program some of whose enums became numbers.
//!
//! Bodies get other instructions first, then the whole file gets other types, and then it is found out again which types there
//! are at targets: a body for which that fails would not verify.

use std::collections::BTreeSet;

use planish_classfile::builder::CodeBuilder;
use planish_classfile::code::CodeBody;
use planish_classfile::compact::compact;
use planish_classfile::pool::MemberKind;
use planish_classfile::rename::rename;
use planish_classfile::{
    Attribute, Body, ClassFile, Code, ConstantPool, Error, Flags, Insn, Kind, MemberRef, Opcode, Operand,
    Result,
};
use planish_jvm_ir::lower::tighten::remove_unreachable;
use planish_jvm_ir::lower::{Target, complete};
use planish_jvm_model::program::{Class, Method, Program};
use planish_jvm_model::transfer::MethodInfo;
use planish_jvm_model::vtype::TypeContext;

use super::candidates::{Candidates, Refused, is_value_of};
use super::constants::Constants;
use super::flow::{Found, follow};
use super::helpers::Helper;
use super::nodes::Types;
use super::place::Place;
use super::reason::Reason;
use super::signatures::{Numbers, Signatures};
use super::uses::Change;
use crate::transform::merging::calls::{code, set_code};

const OBJECT: &[u8] = b"java/lang/Object";

/// Frames are there from this version on.
const FRAMES_SINCE: u16 = 50;

/// Gives an instruction that calls a method of this class, name and type.
type Calls<'c> = &'c mut dyn FnMut(Opcode, &[u8], &[u8], &[u8]) -> Result<Insn>;

/// Helpers of enums that something calls.
pub(super) type Helpers = BTreeSet<(Class, Helper)>;

/// What is known of the bodies of a class: by place among its methods, the body and what becomes of it.
pub(super) struct Bodies(Vec<(usize, Code, Found)>);

impl Bodies {
    /// Follows the bodies of a class that speak of enums. Those for which enums stay what they are are listed. O(size of the class).
    pub fn of(
        enums: &Candidates<'_, '_>,
        class: Class,
        (context, types): (&mut TypeContext<'_>, &mut Types),
        refused: &mut Vec<Refused>,
    ) -> Bodies {
        let (program, own) = (enums.program, &enums.program.classes[class]);
        let pool = &own.file.pool;
        context.begin_class(pool);
        let mut bodies = Vec::new();
        for (place, &method) in own.methods.iter().enumerate() {
            if goes(enums, method) {
                continue;
            }
            let info = &program.methods[method];
            let read = code(&own.file, place).and_then(|read| {
                let Some((_, mut code)) = read else { return Ok(None) };
                remove_unreachable(&mut code).map_err(Error::unwritable)?;
                Ok(Some(code))
            });
            let Ok(read) = read else {
                let place = Place::Method(method, None);
                let spoken_of = enums.spoken_of(&own.file).into_iter();
                refused.extend(spoken_of.map(|class| (class, (Reason::Unreadable, place))));
                continue;
            };
            let Some(code) = read else { continue };
            let is_static = info.flags.has(Flags::STATIC);
            let is_own = !is_static && enums.get(class).is_some();
            let spoken_of = spoken_of(enums, &code, pool, program.descriptor(info.selector));
            if spoken_of.is_empty() && !is_own {
                continue;
            }
            let looked_at = MethodInfo {
                class: program.name(class),
                super_class: own.file.super_name().ok().flatten(),
                name: program.member_name(info.selector),
                descriptor: program.descriptor(info.selector),
                is_static,
                pool,
            };
            match follow(enums, &code, &looked_at, (&mut *context, &mut *types)) {
                Some(found) => {
                    let with_place =
                        |&(class, reason, line): &_| (class, (reason, Place::Method(method, line)));
                    refused.extend(found.refused.iter().map(with_place));
                    bodies.push((place, code, found));
                }
                None => {
                    let spoken_of = spoken_of.into_iter().chain(is_own.then_some(class));
                    let why = (Reason::Unreadable, Place::Method(method, None));
                    refused.extend(spoken_of.map(|class| (class, why)));
                }
            }
        }
        Bodies(bodies)
    }

    /// The helpers that are called.
    pub fn helpers(&self, enums: &Candidates<'_, '_>, class: Class, called: &mut Helpers) {
        let changes = self.0.iter().flat_map(|(_, _, found)| &found.changes);
        called.extend(changes.filter_map(|change| match change {
            Change::Helper(class, helper) => Some((*class, *helper)),
            Change::Text(class, _) => Some((*class, Helper::Text)),
            _ => None,
        }));
        let program = enums.program;
        let is_bound = |(place, ..): &(usize, Code, Found)| {
            let method = program.classes[class].methods[*place];
            !program.methods[method].flags.has(Flags::STATIC)
        };
        if enums.get(class).is_some() && self.0.iter().any(is_bound) {
            called.insert((class, Helper::Ordinal));
        }
    }
}

/// The enums that the instructions and the type of a method speak of.
fn spoken_of(
    enums: &Candidates<'_, '_>,
    code: &Code,
    pool: &ConstantPool<'_>,
    descriptor: &[u8],
) -> BTreeSet<Class> {
    let mut found: BTreeSet<Class> = enums.of_type(descriptor).into_iter().collect();
    for insn in &code.instructions {
        let index = match insn.operand {
            Operand::Constant(index) => index,
            Operand::Interface { method, .. } => method,
            Operand::Dimensions { class, .. } => class,
            _ => continue,
        };
        if let Ok(member) = pool.member(index) {
            found.extend(enums.named(member.class));
            found.extend(enums.of_type(member.class));
            found.extend(enums.of_type(member.descriptor));
        } else if let Ok(name) = pool.class(index) {
            found.extend(enums.named(name));
            found.extend(enums.of_type(name));
        } else if let Ok((_, _, descriptor)) = pool.dynamic(index) {
            found.extend(enums.of_type(descriptor));
        }
    }
    found
}

/// Whether a method of an enum goes: what makes constants, and `valueOf()`, which has the object of the class. It is called by nobody.
pub(super) fn goes(enums: &Candidates<'_, '_>, method: Method) -> bool {
    let program = enums.program;
    let info = &program.methods[method];
    let Some(constants) = enums.get(info.class) else { return false };
    matches!(program.member_name(info.selector), b"<init>" | b"<clinit>")
        || constants.called.contains(&method)
        || info.flags.has(Flags::STATIC) && is_value_of(program.text(info.selector))
}

/// The bytes of a class that speaks of enums. O(its size).
pub(super) fn written(
    (enums, signatures, helpers): (&Candidates<'_, '_>, &Signatures, &Helpers),
    class: Class,
    bodies: &Bodies,
    context: &mut TypeContext<'_>,
) -> Result<Vec<u8>> {
    let own = &enums.program.classes[class];
    let mut file = own.file.clone();
    let numbers = Numbers { enums, signatures };
    forget_signatures(enums, &mut file)?;
    for (place, body, found) in &bodies.0 {
        let Some((at, _)) = code(&file, *place)? else { continue };
        let mut body = body.clone();
        changed(&numbers, (own.methods[*place], &found.changes), &mut body, &mut file.pool)?;
        forget_variables(enums, &mut body, &file.pool);
        set_code(&mut file, *place, at, &body)?;
    }
    if enums.get(class).is_some() {
        bind(&numbers, class, &mut file)?;
    }
    rename(&mut file, &numbers)?;
    let (name, super_class) = (file.name()?.to_vec(), file.super_name()?.map(<[u8]>::to_vec));
    context.begin_class(&file.pool);
    for (place, ..) in &bodies.0 {
        let Some((at, mut body)) = code(&file, *place)? else { continue };
        let method = &file.methods[*place];
        let (called, descriptor) =
            (file.pool.utf8(method.name)?.to_vec(), file.pool.utf8(method.descriptor)?.to_vec());
        let target = Target {
            class: &name,
            super_class: super_class.as_deref(),
            name: &called,
            descriptor: &descriptor,
            is_static: method.flags.has(Flags::STATIC),
        };
        complete(&mut body, &target, &mut file.pool, context)
            .map_err(|_| Error::unwritable("a body of numbers that verifies"))?;
        if file.major < FRAMES_SINCE {
            body.set_frames(Vec::new(), &mut file.pool)?;
        }
        set_code(&mut file, *place, at, &body)?;
    }
    if let Some(constants) = enums.get(class) {
        let mut methods = own.methods.iter();
        file.methods.retain(|_| methods.next().is_some_and(|&method| !goes(enums, method)));
        let of_class = helpers.iter().filter(|(of, _)| *of == class).map(|(_, helper)| *helper);
        let text = own_text(enums.program, class).and_then(|text| signatures.statics.get(&text));
        for helper in of_class {
            helper.add(&mut file, &signatures.helpers[&(class, helper)], (constants, text))?;
        }
        fill(&mut file, constants)?;
    }
    compact(&mut file)?;
    file.to_bytes()
}

/// The `toString()` that an enum has of its own.
fn own_text(program: &Program<'_>, class: Class) -> Option<Method> {
    let text = program.selector(b"toString()Ljava/lang/String;");
    text.and_then(|text| program.declared_method(class, text))
}

/// Puts instructions of numbers in the place of those of constants.
fn changed(
    numbers: &Numbers<'_, '_, '_>,
    (method, changes): (Method, &[Change]),
    body: &mut Code,
    pool: &mut ConstantPool<'_>,
) -> Result<()> {
    let signatures = numbers.signatures;
    let program = numbers.enums.program;
    let info = &program.methods[method];
    let mut calls = |op: Opcode, class: &[u8], name: &[u8], descriptor: &[u8]| {
        let member = MemberRef { kind: MemberKind::Method, class, name, descriptor };
        pool.add_member(member).map(|index| Insn::constant(op, index))
    };
    let helper = |class: Class, helper: Helper, calls: Calls<'_>| {
        let (name, ty) = &signatures.helpers[&(class, helper)];
        calls(Opcode::Invokestatic, program.name(class), name, ty)
    };
    let mut new = Vec::with_capacity(body.instructions.len() + 3);
    let mut places = Vec::with_capacity(changes.len() + 1);
    if numbers.enums.get(info.class).is_some() && !info.flags.has(Flags::STATIC) {
        // Who called it on null got an exception.
        let check = helper(info.class, Helper::Ordinal, &mut calls)?;
        new.extend([Insn::local(Opcode::Iload, 0), check, Insn::plain(Opcode::Pop)]);
    }
    for (insn, change) in std::mem::take(&mut body.instructions).into_iter().zip(changes) {
        places.push(new.len() as u32);
        let now = match change {
            Change::Gone => continue,
            Change::None | Change::If(..) => insn,
            Change::Becomes(insn) => insn.clone(),
            Change::Number(number) => {
                Insn::small_int(*number as i32).ok_or_else(|| Error::unwritable("an ordinal of two bytes"))?
            }
            Change::Helper(class, of) => helper(*class, *of, &mut calls)?,
            Change::Static(method) => {
                let (name, descriptor) = &signatures.statics[method];
                calls(Opcode::Invokestatic, program.name(program.methods[*method].class), name, descriptor)?
            }
            Change::Text(class, None) => helper(*class, Helper::Text, &mut calls)?,
            Change::Text(class, Some(builder)) => {
                if own_text(program, *class).is_some() {
                    // Without a builder nobody asks for the text, so an exception comes before what that does.
                    let check = calls(Opcode::Invokevirtual, OBJECT, b"getClass", b"()Ljava/lang/Class;")?;
                    let plain = [Opcode::Swap, Opcode::Dup, Opcode::Pop, Opcode::Swap].map(Insn::plain);
                    let [swap, dup, pop, back] = plain;
                    new.extend([swap, dup, check, pop, back]);
                }
                new.push(helper(*class, Helper::Text, &mut calls)?);
                let ty = [b"(Ljava/lang/String;)L", *builder, b";"].concat();
                calls(Opcode::Invokevirtual, builder, b"append", &ty)?
            }
        };
        new.push(now);
    }
    places.push(new.len() as u32);
    // Two of the frames may be at one place now; they are made anew.
    body.instructions = new;
    body.set_frames(Vec::new(), pool)?;
    body.remap(|position| places.get(position as usize).copied())?;
    body.lengthen_branches()
}

/// Removes generic types that speak of enums: there are none of numbers.
fn forget_signatures(enums: &Candidates<'_, '_>, file: &mut ClassFile<'_>) -> Result<()> {
    let pool = &file.pool;
    let stays = |attribute: &Attribute<'_>| {
        attribute.kind(pool) != Ok(Some(Kind::Signature))
            || match attribute.decode(pool) {
                Ok(Some(Body::Signature(text))) => {
                    pool.utf8(text).is_ok_and(|text| enums.of_type(text).is_empty())
                }
                _ => false,
            }
    };
    let members = file.fields.iter_mut().chain(&mut file.methods).map(|member| &mut member.attributes);
    members.chain([&mut file.attributes]).for_each(|attributes| attributes.retain(stays));
    Ok(())
}

/// Removes generic types of local variables that speak of enums.
fn forget_variables(enums: &Candidates<'_, '_>, body: &mut Code, pool: &ConstantPool<'_>) {
    for attribute in &mut body.attributes {
        if let CodeBody::Locals(rows, true) = &mut attribute.body {
            rows.retain(|row| pool.utf8(row.descriptor).is_ok_and(|text| enums.of_type(text).is_empty()));
        }
    }
}

/// Makes methods of constants static, and the enum a class like others, without constants.
fn bind(numbers: &Numbers<'_, '_, '_>, class: Class, file: &mut ClassFile<'_>) -> Result<()> {
    let program = numbers.enums.program;
    let own = &program.classes[class];
    for (member, method) in file.methods.iter_mut().zip(&own.methods) {
        let Some((name, descriptor)) = numbers.signatures.statics.get(method) else { continue };
        member.name = file.pool.add_utf8(name)?;
        member.descriptor = file.pool.add_utf8(descriptor)?;
        member.flags =
            member.flags.without(Flags::FINAL | Flags::BRIDGE | Flags::VARARGS).with(Flags::STATIC);
        let pool = &file.pool;
        // These speak of parameters by their number.
        let of_parameters = [
            Kind::MethodParameters,
            Kind::Signature,
            Kind::RuntimeVisibleParameterAnnotations,
            Kind::RuntimeInvisibleParameterAnnotations,
        ];
        member.attributes.retain(
            |attribute| !matches!(attribute.kind(pool), Ok(Some(kind)) if of_parameters.contains(&kind)),
        );
    }
    let all = numbers.enums.get(class).and_then(|constants| constants.all.as_ref());
    let pool = &file.pool;
    file.fields.retain(|field| all.is_some_and(|(name, _)| pool.utf8(field.name) == Ok(name)));
    file.flags = file.flags.without(Flags::ENUM);
    file.super_class = file.pool.add_class(b"java/lang/Object")?;
    file.interfaces.clear();
    Ok(())
}

/// Gives an enum an initializer that makes the array of all its numbers, if there is one.
fn fill(file: &mut ClassFile<'_>, constants: &Constants) -> Result<()> {
    use Opcode::*;
    // No other field is left, and this one may be called otherwise by now.
    let (Some((_, ordinals)), Some(field)) = (&constants.all, file.fields.first()) else { return Ok(()) };
    let (own, field) = (file.name()?.to_vec(), file.pool.utf8(field.name)?.to_vec());
    let mut code = CodeBuilder::new();
    code.int(ordinals.len() as i32, &mut file.pool)?.new_array(10);
    for (place, ordinal) in ordinals.iter().enumerate() {
        code.op(Dup).int(place as i32, &mut file.pool)?.int(*ordinal as i32 + 1, &mut file.pool)?.op(Iastore);
    }
    code.field(Putstatic, [&own, &field, b"[I"], &mut file.pool)?.op(Return);
    let code = code.finish(0, &mut file.pool)?;
    file.add_method(Flags::STATIC, b"<clinit>", b"()V", Some(&code)).map(drop)
}
