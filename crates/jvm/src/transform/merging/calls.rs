//! `invokespecial` in classes that become one: `super.f()`, and constructors.
//!
//! Such a call names a class above, and begins its search above the class in which it stands. When both have become one it
//! would find the method of the class itself. So it names the private copy of the method that it led to, or the class
//! above all of them. A constructor of the class above is one of the same class then, which is called in the same way.

use planish_base::Id;
use planish_classfile::code::CodeBody;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{
    Body, ClassFile, Code, Error, Flags, Insn, Kind, MemberRef, Opcode, Operand, Result,
};
use planish_jvm_ir::lower::{Target, complete};
use planish_jvm_model::program::{Class, Program};
use planish_jvm_model::vtype::TypeContext;

use super::called::{Leads, leads};
use super::lines::Lines;
use super::members::{Members, with_more};

/// A class before it gets new names: without the methods that go, with the calls and constructors that others expect.
/// O(size of the class).
pub(super) fn prepared<'a>(
    program: &Program<'a>,
    class: Class,
    group: &[Class],
    (members, lines): (&Members, &Lines),
) -> Result<ClassFile<'a>> {
    let own = &program.classes[class];
    let mut file = own.file.clone();
    let above = program.classes[group[0]].file.super_name()?.unwrap_or(b"java/lang/Object").to_vec();
    let mut context = TypeContext::new(program.hierarchy);
    context.begin_class(&file.pool);
    for (place, &method) in own.methods.iter().enumerate() {
        calls(program, (class, group), &mut file, place, (members, &above))?;
        if let Some(name) = members.above.get(&method) {
            let flags = file.methods[place].flags;
            file.methods[place].name = file.pool.add_utf8(name)?;
            file.methods[place].flags =
                flags.without(Flags::PUBLIC | Flags::PROTECTED | Flags::FINAL).with(Flags::PRIVATE);
        }
        if let Some(&more) = members.more.get(&method) {
            longer(&mut file, place, more, &mut context)?;
        }
        if lines.has(method)
            && let Some((at, mut code)) = code(&file, place)?
            && lines.renumber(method, &mut code)
        {
            set_code(&mut file, place, at, &code)?;
        }
    }
    let mut methods = own.methods.iter();
    file.methods.retain(|_| methods.next().is_some_and(|method| !members.goes[method.index()]));
    Ok(file)
}

/// Lets the calls of one method lead where they led.
fn calls(
    program: &Program<'_>,
    (class, group): (Class, &[Class]),
    file: &mut ClassFile<'_>,
    place: usize,
    (members, above): (&Members, &[u8]),
) -> Result<()> {
    let Some((at, mut code)) = code(file, place)? else { return Ok(()) };
    let mut before = vec![0; code.instructions.len()];
    let mut is_changed = false;
    for (number, insn) in code.instructions.iter_mut().enumerate() {
        let Operand::Constant(index) = insn.operand else { continue };
        if insn.op != Opcode::Invokespecial {
            continue;
        }
        let member = file.pool.member(index)?;
        let named = |class: &[u8], name: &[u8], descriptor: &[u8]| [class, name, descriptor].map(Vec::from);
        let new = match leads(program, group, class, &member) {
            None => None,
            Some(Leads::Above) => Some(named(above, member.name, member.descriptor)),
            Some(Leads::Inside(method)) => {
                let more = members.more.get(&method).copied().unwrap_or(0);
                before[number] = more;
                match members.above.get(&method) {
                    Some(name) => {
                        let of = program.name(program.methods[method].class);
                        Some(named(of, name, member.descriptor))
                    }
                    None if more > 0 => {
                        Some(named(member.class, member.name, &with_more(member.descriptor, more)))
                    }
                    None => None,
                }
            }
        };
        let kind = member.kind;
        let Some([class, name, descriptor]) = new else { continue };
        is_changed = true;
        let to = MemberRef { kind, class: &class, name: &name, descriptor: &descriptor };
        insn.operand = Operand::Constant(file.pool.add_member(to)?);
    }
    if !is_changed {
        return Ok(());
    }
    pushed(&mut code, &before)?;
    set_code(file, place, at, &code)
}

/// Pushes so many zeros before each instruction.
fn pushed(code: &mut Code, before: &[usize]) -> Result<()> {
    let Some(most) = before.iter().max().filter(|most| **most > 0) else { return Ok(()) };
    let mut new = Vec::with_capacity(code.instructions.len() + most);
    let mut places = Vec::with_capacity(before.len() + 1);
    for (insn, &count) in std::mem::take(&mut code.instructions).into_iter().zip(before) {
        places.push(new.len() as u32);
        new.extend(std::iter::repeat_n(Insn::plain(Opcode::Iconst0), count));
        new.push(insn);
    }
    places.push(new.len() as u32);
    code.instructions = new;
    code.max_stack += *most as u16;
    code.remap(|position| places.get(position as usize).copied())?;
    code.lengthen_branches()
}

/// Gives a constructor more parameters, which it does not read. Behind those that it had stands what it puts there.
fn longer(file: &mut ClassFile<'_>, place: usize, more: usize, context: &mut TypeContext<'_>) -> Result<()> {
    let method = &file.methods[place];
    let descriptor = with_more(file.pool.utf8(method.descriptor)?, more);
    file.methods[place].descriptor = file.pool.add_utf8(&descriptor)?;
    let Some((at, mut code)) = code(file, place)? else { return Ok(()) };
    let slots = MethodType::parse(&descriptor).map_or(0, |ty| ty.parameter_slots()) + 1;
    code.max_locals = code.max_locals.max(slots);
    if code.frames().is_some() {
        let (class, super_class) = (file.name()?.to_vec(), file.super_name()?.map(<[u8]>::to_vec));
        let target = Target {
            class: &class,
            super_class: super_class.as_deref(),
            name: b"<init>",
            descriptor: &descriptor,
            is_static: false,
        };
        complete(&mut code, &target, &mut file.pool, context)
            .map_err(|_| Error::unwritable("the frames of a constructor"))?;
    }
    set_code(file, place, at, &code)?;
    // These speak of parameters by their number.
    let pool = &file.pool;
    file.methods[place].attributes.retain(|attribute| {
        let kind = attribute.kind(pool).ok().flatten();
        !matches!(
            kind,
            Some(
                Kind::MethodParameters
                    | Kind::Signature
                    | Kind::RuntimeVisibleParameterAnnotations
                    | Kind::RuntimeInvisibleParameterAnnotations
            )
        )
    });
    Ok(())
}

/// The body of a method, and the place of its attribute.
pub(in crate::transform) fn code(file: &ClassFile<'_>, place: usize) -> Result<Option<(usize, Code)>> {
    let method = &file.methods[place];
    for (at, attribute) in method.attributes.iter().enumerate() {
        if attribute.kind(&file.pool)? != Some(Kind::Code) {
            continue;
        }
        if let Some(Body::Code(bytes)) = attribute.decode(&file.pool)? {
            let code = Code::read(&bytes, &file.pool)?;
            let is_unknown = |body: &CodeBody| matches!(body, CodeBody::Unknown(..));
            if code.attributes.iter().any(|attribute| is_unknown(&attribute.body)) {
                return Err(Error::unwritable("a body without attributes that nobody knows"));
            }
            return Ok(Some((at, code)));
        }
    }
    Ok(None)
}

/// Gives a method a body in the place of the one that it has there.
pub(in crate::transform) fn set_code(
    file: &mut ClassFile<'_>,
    place: usize,
    at: usize,
    code: &Code,
) -> Result<()> {
    let mut content = Vec::new();
    code.write(&mut content)?;
    file.methods[place].attributes[at].content = content.into();
    Ok(())
}
