//! Inlining candidates: what is in a body, how long it is, what it does to its receiver and its result.

use planish_classfile::code::Insn;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::{ClassFile, Code, ConstantPool, Flags, Opcode, Operand};
use planish_jvm_analysis::infer::vanishing::LONGEST_TRIED;
use planish_jvm_analysis::pure::only_computes;
use planish_jvm_analysis::variant::base_name;
use planish_jvm_ir::code::body;
use planish_jvm_model::program::{Found, Method, Program};

use crate::transform::inline::plan::{Inlining, called};
use crate::transform::inline::portable::{Portable, PortableCode, jumps_back};
use crate::transform::splice::is_return;

/// How many instructions more than it has parameters a body may have that is put in the place of every
/// call.
const SMALL: usize = 3;

/// The most instructions of a body that is called once.
const LARGEST: usize = 2_000;

/// What is known of a method that may be inlined.
pub(super) struct Candidate {
    pub code: PortableCode,
    pub uses_receiver: Receiver,
    pub narrows: Vec<Opcode>,
}

/// Why a body may stand in the place of a call, and so how long it may be.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    /// It is hardly longer than the call.
    Small,
    /// An object may vanish by it.
    Vanishing,
    /// There is no other call.
    Only,
}

/// How a body treats its receiver.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Receiver {
    /// There is none, or it is not used.
    Unused,
    /// Its first effect is to use it, which throws if it is null.
    First,
    /// It is used later.
    Later,
}

/// What inlining a method takes; nothing if its body cannot be moved, or is too large for the reason.
pub(super) fn candidate(
    program: &Program<'_>,
    method: Method,
    reason: Reason,
    inlining: Inlining,
) -> Option<Candidate> {
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
    // What is left of a method for a constant is there to stand in the place of calls.
    let usual = if is_variant(program, method) && computes(&code) { inlining.small_variants } else { SMALL };
    let is_small =
        count <= parameters + inlining.bound("small bodies", usual) && !jumps_back(&code.instructions);
    let most = match reason {
        Reason::Small => 0,
        Reason::Vanishing => inlining.bound("tried bodies", LONGEST_TRIED).min(LONGEST_TRIED),
        Reason::Only => inlining.bound("only calls", LARGEST),
    };
    if !is_small && count > most
        || !inlining.decides(&[program.name(info.class), program.text(info.selector)].concat())
    {
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
    let portable = PortableCode::of(&code, file)?;
    let stays = |constant: &Portable| match constant {
        // Where it stands when the body is put somewhere, nobody knows: what went meanwhile makes room.
        Portable::Own(_) => true,
        Portable::Site(site) => reason != Reason::Only && !site.may_be_copied(),
        _ => false,
    };
    if portable.constants().any(|(_, constant)| stays(constant)) {
        return None;
    }
    Some(Candidate {
        // What a constructor is called on was just made.
        uses_receiver: if makes { Receiver::First } else { receiver(&code, is_static, &file.pool) },
        narrows: narrows(&code, result, &file.pool),
        code: if inlining.lines { portable.with_lines(&code) } else { portable },
    })
}

/// Whether a method is called like a variant, which only a method that nobody wrote is.
pub(super) fn is_variant(program: &Program<'_>, method: Method) -> bool {
    let info = &program.methods[method];
    let name = program.member_name(info.selector);
    info.flags.has(Flags::SYNTHETIC) && base_name(name).len() < name.len()
}

/// Whether a method is a variant that came to its end: it only computes, and calls nothing.
pub(super) fn has_ended(program: &Program<'_>, method: Method) -> bool {
    is_variant(program, method)
        && body(program, method).is_some_and(|code| computes(&code) && !jumps_back(&code.instructions))
}

/// Whether a body works with constants and numbers in locals and on the stack only.
fn computes(code: &Code) -> bool {
    let is_constant = |op| matches!(op, Opcode::Ldc | Opcode::LdcW | Opcode::Ldc2W);
    code.instructions.iter().all(|insn| only_computes(insn.op) || is_constant(insn.op))
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
