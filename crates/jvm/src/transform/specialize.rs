//! Procedure cloning (Cooper, Hall and Kennedy 1992; LLVM's `FunctionSpecialization` and `ArgumentPromotion`): copies
//! of methods for the arguments that calls have.
//!
//! A *variant* of a method takes some of its parameters only: others do not matter, or are one constant.
//! It is a method of its own, `NAME__SUFFIX`, in which the constants are written in; the suffix says for
//! each parameter whether it is kept (`k`), does not matter (`x`), what it is, or of which class it is. A variant of a
//! constructor is told from it by what it takes, since it has the same name. Only calls that lead to one method
//! get variants of it. A receiver is kept, unless the method does not use it and is called on objects only that are
//! not null: then the variant is static (`s`). To hand it on to calls of methods that do not use it either is no use of it, so
//! these calls are changed in the variant as it is made; where one cannot be, nobody calls the variant. Calls with equal
//! constants share a variant. The method itself stays for whoever else calls it and goes if nobody does, so nothing depends on
//! whether every call could be changed.
//!
//! A variant of a method whose result no caller needs, or that gives each the same constant, returns nothing (`v`). Methods
//! that override each other get variants together, abstract ones too, or none does
//! ([`infer`](planish_jvm_analysis::infer)): then a call of a variant finds what the call of the method found.
//!
//! Where the constant is the same at every call, or the parameter does not matter, a variant costs nothing.
//! Where it is not, the method is copied only if it is small and branches on the parameter, or is a straight line where that
//! is known (`straightened`), a few times at most for each method. So it is for the class of an argument if it asks the parameter what that class decides: calls a
//! method that several classes have, tests of which class it is, or hands it to a method that does. In the copy the
//! parameter has that class for its type, so that a verifier sees it, and the call may name it
//! ([`precise`](planish_jvm_analysis::precise)); a call of the copy casts what a verifier does not see to be of the class.
//! (Chambers and Ungar, *Customization*, 1989; Dean, Chambers and Grove, *Selective specialization for object-oriented
//! languages*, 1995.)

use planish_classfile::code::CodeBody;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{Attribute, Body, ClassFile, Code, ConstantPool, Flags, Insn, Kind, Member, Opcode};
use planish_jvm_analysis::passes::SPECIALIZATION;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_analysis::variant::{Part, Variant, VariantCall};
use planish_jvm_analysis::wanted::{Made, Variants};
use planish_jvm_ir::lift::lift;
use planish_jvm_ir::lower::tighten::remove_unreachable;
use planish_jvm_ir::lower::{Target, lower};
use planish_jvm_ir::naming::Names;
use planish_jvm_ir::variables::Variables;
use planish_jvm_model::bootstraps::Bootstraps;
use planish_jvm_model::hierarchy::Hierarchy;
use planish_jvm_model::names::show;
use planish_jvm_model::verify::verify;
use planish_jvm_model::vtype::TypeContext;

use crate::transform::compiled::stays_compiled;
use crate::transform::inline::expand::{Expansion, Stand, expand};
use crate::transform::splice::{is_return, parameters, push, shifted};
use crate::transform::straightened::straighten;

/// Adds variants of its methods to a class. Those that cannot be made, or that the record does not allow, are left out. Gives the class if it
/// got any. `is_live` says which of its methods, by name and descriptor, may run before any call leads to a variant: one that
/// was made before and does not has no body any more, and gets that of its method again.
pub fn add_variants(
    file: &[u8],
    variants: &[Variant],
    (hierarchy, is_live): (&Hierarchy, impl Fn(&[u8]) -> bool),
    without_receivers: &Variants,
    made: &mut Made,
    record: &mut ProgramRecord,
) -> planish_classfile::Result<Option<Vec<u8>>> {
    let mut class = ClassFile::read(file)?;
    let mut context = TypeContext::new(hierarchy);
    let mut added = false;
    for variant in variants {
        let full_name = variant.full_name();
        let (name, descriptor) = (variant.name(), variant.descriptor());
        let place = place_of(&class, variant);
        if let Some(place) = place {
            if !made.has(variant) {
                continue;
            }
            let is_abstract = class.methods[place].flags.has(Flags::ABSTRACT);
            if is_abstract || is_live(&[&name[..], &descriptor].concat()) {
                added |= become_as_visible(&mut class, place, variant);
                made.stays(variant);
                continue;
            }
        }
        let mark = class.pool.mark();
        let say = || format!("{} is added", show(&full_name));
        match member(&mut class, variant, without_receivers, &mut context) {
            Ok(_) if !record.rewrite(&SPECIALIZATION, say) => class.pool.undo_to(mark),
            Ok(member) => {
                match place {
                    Some(place) => class.methods[place] = member,
                    None => class.methods.push(member),
                }
                made.add(variant);
                added = true;
            }
            Err(_) => class.pool.undo_to(mark),
        }
    }
    if added { class.to_bytes().map(Some) } else { Ok(None) }
}

/// The place of a variant among the methods of its class, if it was made.
fn place_of(class: &ClassFile<'_>, variant: &Variant) -> Option<usize> {
    let (name, descriptor) = (variant.name(), variant.descriptor());
    let pool = &class.pool;
    let is_variant = |member: &Member<'_>| {
        pool.utf8(member.name) == Ok(&name[..]) && pool.utf8(member.descriptor) == Ok(&descriptor[..])
    };
    class.methods.iter().position(is_variant)
}

/// A variant that was made before is seen at least as far as its method, which may have become visible to others since.
/// Whether it was not.
fn become_as_visible(class: &mut ClassFile<'_>, place: usize, variant: &Variant) -> bool {
    let access = [Flags::PRIVATE, Flags(0), Flags::PROTECTED, Flags::PUBLIC];
    let of = |flags: Flags| Flags(flags.0 & (Flags::PRIVATE | Flags::PROTECTED | Flags::PUBLIC).0);
    let rank = |flags: Flags| access.iter().position(|&one| one == of(flags));
    let Some(method) = class.method(&variant.of, &variant.of_descriptor).map(|of| of.flags) else {
        return false;
    };
    let flags = &mut class.methods[place].flags;
    let is_hidden = rank(*flags) < rank(method);
    if is_hidden {
        *flags = flags.without(of(*flags)).with(of(method));
    }
    is_hidden
}

/// The method that is a variant.
fn member(
    class: &mut ClassFile<'_>,
    variant: &Variant,
    without_receivers: &Variants,
    context: &mut TypeContext<'_>,
) -> Result<Member<'static>, String> {
    let failed = |error: planish_classfile::Error| error.to_string();
    let of = class.method(&variant.of, &variant.of_descriptor).ok_or("a method that is not there")?;
    let flags = of.flags;
    let (name, descriptor) = (variant.name(), variant.descriptor());
    if flags.has(Flags::ABSTRACT) {
        return Ok(Member {
            flags: flags.with(Flags::SYNTHETIC),
            name: class.pool.add_utf8(&name).map_err(failed)?,
            descriptor: class.pool.add_utf8(&descriptor).map_err(failed)?,
            attributes: Vec::new(),
        });
    }
    let attribute = of.attribute(&class.pool, Kind::Code).ok_or("a method without body")?;
    let Some(Body::Code(bytes)) = attribute.decode(&class.pool).map_err(failed)? else {
        return Err("a method without body".into());
    };
    let code_name = attribute.name;
    let mut code = Code::read(&bytes, &class.pool).map_err(failed)?;
    let old = code.byte_len();
    if variant.drops_receiver {
        code = without_receiver(code, without_receivers.of(&variant.method()), class)?;
    }
    remove_unreachable(&mut code)?;
    let is_static = flags.has(Flags::STATIC);
    let code = with_constants(code, variant, is_static, &mut class.pool)?;
    let is_static = is_static || variant.drops_receiver;
    let flags = if variant.drops_receiver { flags.with(Flags::STATIC) } else { flags };

    let (class_name, super_name) =
        (class.name().map_err(failed)?.to_vec(), class.super_name().map_err(failed)?.map(<[u8]>::to_vec));
    let target = Target {
        class: &class_name,
        super_class: super_name.as_deref(),
        name: &name,
        descriptor: &descriptor,
        is_static,
    };
    let mut names = Names::new(class);
    let mut function = lift(&code, &target.info(&class.pool), &mut names, context).map_err(|e| e.message)?;
    straighten(&mut function);
    let mut new = lower(&function, &names, (&code, &Variables::default()), &target, &mut class.pool, context)
        .map_err(|error| error.to_string())?;
    verify(&new, &target.info(&class.pool), context).map_err(|error| error.message)?;
    if !stays_compiled(old, new.byte_len()) {
        return Err("a body that JVMs do not compile".into());
    }
    if class.major < 50 {
        new.set_frames(Vec::new(), &mut class.pool).map_err(failed)?;
    }
    let mut content = Vec::new();
    new.write(&mut content).map_err(failed)?;
    Ok(Member {
        flags: flags.with(Flags::SYNTHETIC),
        name: class.pool.add_utf8(&name).map_err(failed)?,
        descriptor: class.pool.add_utf8(&descriptor).map_err(failed)?,
        attributes: vec![Attribute { name: code_name, content: content.into(), offset: 0 }],
    })
}

/// The body of a method whose receiver is handed on to these calls only, and none of them takes it.
fn without_receiver(
    code: Code,
    calls: &[(u32, VariantCall)],
    class: &mut ClassFile<'_>,
) -> Result<Code, String> {
    if calls.is_empty() {
        return Ok(code);
    }
    let mut bootstraps = Bootstraps::of(class).map_err(|error| error.to_string())?;
    let calls: Vec<Expansion<'_>> =
        calls.iter().map(|(at, call)| Expansion { at: *at as usize, stand: Stand::Variant(call) }).collect();
    expand(&code, &calls, (&mut class.pool, &mut bootstraps), None)
}

/// The body of a method that gets its missing parameters from constants: they are put where they would be. What it gives
/// stays behind if the variant gives nothing.
fn with_constants(
    code: Code,
    variant: &Variant,
    is_static: bool,
    pool: &mut ConstantPool<'_>,
) -> Result<Code, String> {
    let failed = |error: planish_classfile::Error| error.to_string();
    let ty = MethodType::parse(&variant.of_descriptor).ok_or("a malformed descriptor")?;
    let receiver = u16::from(!is_static && !variant.drops_receiver);
    let kept_slots: u16 = ty
        .parameters()
        .zip(&variant.parts)
        .filter(|(_, part)| part.is_kept())
        .map(|(ty, _)| ty.slots())
        .sum();
    let base = receiver + kept_slots;
    let mut before = Vec::new();
    let mut kept = 0;
    let of_receiver = if variant.drops_receiver { &Part::Drop } else { &Part::Keep };
    let parts = (!is_static).then_some(of_receiver).into_iter().chain(&variant.parts);
    for ((store, slot), part) in parameters(&ty, is_static).into_iter().zip(parts) {
        let (first, wide) = match store {
            Opcode::Lstore => (Opcode::Lload, 2),
            Opcode::Fstore => (Opcode::Fload, 1),
            Opcode::Dstore => (Opcode::Dload, 2),
            Opcode::Astore => (Opcode::Aload, 1),
            _ => (Opcode::Iload, 1),
        };
        before.push(match part {
            Part::Keep | Part::Of(_) => {
                kept += wide;
                Insn::local(first, kept - wide)
            }
            Part::Drop => Insn::plain(match store {
                Opcode::Lstore => Opcode::Lconst0,
                Opcode::Fstore => Opcode::Fconst0,
                Opcode::Dstore => Opcode::Dconst0,
                Opcode::Astore => Opcode::AconstNull,
                _ => Opcode::Iconst0,
            }),
            Part::Is(constant) => push(*constant, pool)?,
        });
        before.push(Insn::local(store, base + slot));
    }
    let shift = before.len() as u32;
    let mut new = code;
    new.attributes.retain(|attribute| matches!(attribute.body, CodeBody::Lines(_)));
    new.remap(|position| Some(position + shift)).map_err(failed)?;
    for instruction in &mut new.instructions {
        *instruction = match variant.drops_result && is_return(instruction.op) {
            true => Insn::plain(Opcode::Return),
            false => shifted(instruction.clone(), base)?,
        };
    }
    new.instructions.splice(0..0, before);
    new.max_locals = new.max_locals.checked_add(base).ok_or("too many locals")?;
    Ok(new)
}
