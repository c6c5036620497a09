//! Inlining of bytecode, the rewriting: a body is put in the place of a call.
//!
//! Arguments are stored in fresh locals, the body works on the stack above what the caller has there, and
//! its returns are jumps to what comes after the call. Handlers that guard the call guard the body;
//! handlers of the body come before them. What a handler of the body finds on the stack would be lost, so
//! a body with handlers is put only where the caller has nothing else on its stack. Optimizing the result
//! is the optimizer's business.

use planish_classfile::code::CodeBody;
use planish_classfile::debug::LineNumber;
use planish_classfile::descriptor::MethodType;
use planish_classfile::pool::MemberKind;
use planish_classfile::{Code, ConstantPool, Handler, Insn, MemberRef, Opcode, Operand};
use planish_jvm_analysis::infer::results::nothing;
use planish_jvm_analysis::precise::PreciseCall;
use planish_jvm_analysis::variant::{Part, VariantCall};
use planish_jvm_ir::lower::lines;
use planish_jvm_ir::naming::ir_type;
use planish_jvm_model::bootstraps::Bootstraps;

use crate::transform::inline::origins::Renumber;
use crate::transform::inline::plan::Inlinee;
use crate::transform::splice::{is_return, parameters, push, shifted};

type Outcome<T = ()> = Result<T, String>;

/// What stands in the place of a call.
#[derive(Clone, Copy)]
pub enum Stand<'i> {
    /// A body.
    Body(&'i Inlinee),
    /// The call of a variant, which takes fewer arguments.
    Variant(&'i VariantCall),
    /// The same call, naming a more precise class.
    Precise(&'i PreciseCall),
}

impl Stand<'_> {
    /// The slots of locals that it needs.
    fn locals(self) -> u16 {
        match self {
            Stand::Body(inlinee) => inlinee.code.locals,
            Stand::Variant(call) => {
                MethodType::parse(&call.variant.of_descriptor).map_or(0, |ty| ty.parameter_slots())
            }
            Stand::Precise(_) => 0,
        }
    }
}

/// One call and what stands for it.
#[derive(Clone, Copy)]
pub struct Expansion<'i> {
    /// The call.
    pub at: usize,
    /// What stands in its place.
    pub stand: Stand<'i>,
}

/// Puts bodies in the place of calls, which come in ascending order. Frames are dropped.
pub fn expand(
    code: &Code,
    calls: &[Expansion<'_>],
    (pool, bootstraps): (&mut ConstantPool<'_>, &mut Bootstraps),
    mut renumber: Option<Renumber<'_>>,
) -> Outcome<Code> {
    let failed = |error: planish_classfile::Error| error.to_string();
    let base = code.max_locals;
    let mut new = code.clone();
    new.attributes.retain(|attribute| matches!(attribute.body, CodeBody::Lines(_) | CodeBody::Locals(..)));
    let mut segments = Vec::with_capacity(calls.len());
    for call in calls {
        segments.push(match call.stand {
            Stand::Body(inlinee) => segment(inlinee, base, pool, bootstraps)?,
            Stand::Variant(variant) => call_of(variant, &code.instructions[call.at], base, pool)?,
            Stand::Precise(precise) => Segment {
                instructions: vec![precise.instruction(pool).map_err(failed)?],
                handlers: Vec::new(),
                lines: Vec::new(),
            },
        });
    }

    // Where each instruction begins now.
    let mut moved = Vec::with_capacity(code.instructions.len() + 1);
    let mut next = 0u32;
    let mut waiting = calls.iter().zip(&segments).peekable();
    for at in 0..code.instructions.len() {
        moved.push(next);
        next += match waiting.next_if(|(call, _)| call.at == at) {
            Some((_, segment)) => segment.instructions.len() as u32,
            None => 1,
        };
    }
    moved.push(next);
    new.remap(|position| moved.get(position as usize).copied()).map_err(failed)?;

    if let Some(renumber) = &mut renumber {
        add_lines(&mut new, lines(code), calls.iter().zip(&segments), &moved, renumber);
    }
    let old = std::mem::take(&mut new.instructions);
    let mut inner: Vec<Handler> = Vec::new();
    let mut waiting = calls.iter().zip(segments).peekable();
    for (at, instruction) in old.into_iter().enumerate() {
        let Some((_, segment)) = waiting.next_if(|(call, _)| call.at == at) else {
            new.instructions.push(instruction);
            continue;
        };
        let start = new.instructions.len() as u32;
        for mut instruction in segment.instructions {
            instruction.targets_mut().for_each(|target| *target += start);
            new.instructions.push(instruction);
        }
        inner.extend(segment.handlers.iter().map(|handler| Handler {
            start: handler.start + start,
            end: handler.end + start,
            target: handler.target + start,
            class: handler.class,
        }));
    }
    inner.append(&mut new.handlers);
    new.handlers = inner;
    let most = calls.iter().map(|call| call.stand.locals()).max().unwrap_or(0);
    new.max_locals = base.checked_add(most).ok_or("too many locals")?;
    Ok(new)
}

struct Segment {
    instructions: Vec<Insn>,
    handlers: Vec<Handler>,
    /// Lines of the body, counted from the first instruction.
    lines: Vec<LineNumber>,
}

/// Adds the lines of bodies to those of the code in which they stand. What comes behind a body is on the line of its call, as
/// it was.
fn add_lines<'s>(
    new: &mut Code,
    line_of: Vec<Option<u16>>,
    segments: impl Iterator<Item = (&'s Expansion<'s>, &'s Segment)>,
    moved: &[u32],
    renumber: &mut Renumber<'_>,
) {
    let Some(table) = new.attributes.iter_mut().find_map(|attribute| match &mut attribute.body {
        CodeBody::Lines(lines) => Some(lines),
        _ => None,
    }) else {
        return;
    };
    for (call, segment) in segments {
        let Stand::Body(inlinee) = call.stand else { continue };
        let Some(line) = line_of.get(call.at + 1).copied().flatten() else { continue };
        let Some(lines) = renumber.lines(&inlinee.method, &segment.lines, line) else { continue };
        if lines.is_empty() {
            continue;
        }
        let (start, end) = (moved[call.at], moved[call.at + 1]);
        table.extend(lines.iter().map(|line| LineNumber { start: start + line.start, line: line.line }));
        if !table.iter().any(|line| line.start == end) {
            table.push(LineNumber { start: end, line });
        }
    }
    table.sort_by_key(|line| line.start);
    // Nothing begins behind the last instruction.
    let count = moved.last().copied().unwrap_or(0);
    table.retain(|line| line.start < count);
}

/// What takes a reference from the stack and throws if it is null.
fn null_check(pool: &mut ConstantPool<'_>) -> Outcome<[Insn; 2]> {
    let get_class = MemberRef {
        kind: MemberKind::Method,
        class: b"java/lang/Object",
        name: b"getClass",
        descriptor: b"()Ljava/lang/Class;",
    };
    let index = pool.add_member(get_class).map_err(|error| error.to_string())?;
    Ok([Insn::constant(Opcode::Invokevirtual, index), Insn::plain(Opcode::Pop)])
}

/// The instructions for one call; targets count from its first.
fn segment(
    inlinee: &Inlinee,
    base: u16,
    pool: &mut ConstantPool<'_>,
    bootstraps: &mut Bootstraps,
) -> Outcome<Segment> {
    let failed = |error: planish_classfile::Error| error.to_string();
    let mut made: Vec<Insn> = Vec::with_capacity(inlinee.code.len() + 8);
    for &(op, slot) in inlinee.parameters.iter().rev() {
        made.push(Insn::local(op, base.checked_add(slot).ok_or("too many locals")?));
    }
    if inlinee.checks_receiver {
        made.push(Insn::local(Opcode::Aload, base));
        made.extend(null_check(pool)?);
    }
    if let Some(class) = &inlinee.cast {
        let index = pool.add_class(class).map_err(failed)?;
        made.push(Insn::local(Opcode::Aload, base));
        made.push(Insn::constant(Opcode::Checkcast, index));
        made.push(Insn::local(Opcode::Astore, base));
    }
    let first = made.len() as u32;
    let body = inlinee.code.instructions_in(pool, bootstraps).map_err(failed)?;
    // A return may become several instructions.
    let mut starts = Vec::with_capacity(body.len() + 1);
    let mut next = first;
    for instruction in &body {
        starts.push(next);
        next += if is_return(instruction.op) { 1 + inlinee.narrows.len() as u32 } else { 1 };
    }
    starts.push(next);
    let end = next;
    for mut instruction in body {
        if is_return(instruction.op) {
            made.extend(inlinee.narrows.iter().map(|&op| Insn::plain(op)));
            made.push(Insn::jump(Opcode::Goto, end));
            continue;
        }
        instruction = shifted(instruction, base)?;
        for target in instruction.targets_mut() {
            *target = *starts.get(*target as usize).ok_or("a jump out of the body")?;
        }
        made.push(instruction);
    }
    let mut handlers = inlinee.code.handlers_in(pool, bootstraps).map_err(failed)?;
    for handler in &mut handlers {
        for place in [&mut handler.start, &mut handler.end, &mut handler.target] {
            *place = *starts.get(*place as usize).ok_or("a handler out of the body")?;
        }
    }
    let place = |line: &LineNumber| {
        starts.get(line.start as usize).map(|&start| LineNumber { start, line: line.line })
    };
    let lines = inlinee.code.lines.iter().filter_map(place).collect();
    Ok(Segment { instructions: made, handlers, lines })
}

/// The call of a variant in the place of the call of a method: arguments that it does not take are forgotten,
/// a receiver stays where it is, or goes, and where it gives nothing, a constant stands for that.
fn call_of(of: &VariantCall, call: &Insn, base: u16, pool: &mut ConstantPool<'_>) -> Outcome<Segment> {
    let variant = &of.variant;
    let ty = MethodType::parse(&variant.of_descriptor).ok_or("a malformed descriptor")?;
    let stores = parameters(&ty, true);
    let failed = |error: planish_classfile::Error| error.to_string();
    let place = |slot: u16| base.checked_add(slot).ok_or("too many locals");
    let mut made = Vec::new();
    for &(op, slot) in stores.iter().rev() {
        made.push(Insn::local(op, place(slot)?));
    }
    match variant.drops_receiver {
        true if of.loss.checks => made.extend(null_check(pool)?),
        true => made.push(Insn::plain(Opcode::Pop)),
        false => {}
    }
    // Of an interface method the instruction says how many slots there are.
    let mut slots = 1u8;
    for ((&(op, slot), part), parameter) in stores.iter().zip(&variant.parts).zip(ty.parameters()) {
        if part.is_kept() {
            slots = u8::try_from(parameter.slots())
                .ok()
                .and_then(|more| slots.checked_add(more))
                .ok_or("slots")?;
            let load = Opcode::from_byte(op as u8 - Opcode::Istore as u8 + Opcode::Iload as u8);
            made.push(Insn::local(load.ok_or("a load")?, place(slot)?));
        }
        if let Part::Of(class) = part {
            made.push(Insn::constant(Opcode::Checkcast, pool.add_class(class).map_err(failed)?));
        }
    }
    let (Operand::Constant(index) | Operand::Interface { method: index, .. }) = call.operand else {
        return Err("a call of no method".into());
    };
    // The class that has the method may be one that only its neighbours may name: then the call names another one, which finds it.
    let named = pool.member(index).map_err(failed)?;
    let (by, kind) = match of.loss.home {
        Some(kind) => (variant.class.to_vec(), kind),
        None => (named.class.to_vec(), named.kind),
    };
    let method = variant.add_to((&by, kind), pool).map_err(failed)?;
    made.push(match call.op {
        _ if variant.drops_receiver => Insn::constant(Opcode::Invokestatic, method),
        Opcode::Invokeinterface => Insn { op: call.op, operand: Operand::Interface { method, slots } },
        op => Insn::constant(op, method),
    });
    if let (true, Some(result)) = (variant.drops_result, ty.result()) {
        let nothing = || nothing(ir_type(result)).ok_or("a result of no type");
        made.push(push(of.gives.map_or_else(nothing, Ok)?, pool)?);
    }
    Ok(Segment { instructions: made, handlers: Vec::new(), lines: Vec::new() })
}
