//! From SSA to bytecode.
//!
//! - [`uses`]: how often and where values are used.
//! - [`select`], [`stack`], [`expression`], [`condition`]: operations become instructions over
//!   registers, and values travel on the operand stack where they can.
//! - [`slots`]: registers become locals.
//! - [`ranges`]: guards become the exception table.
//!
//! Frames come from [`crate::frames`], which at the same time verifies what was made. A function that
//! cannot be written, for whatever reason, is an error with that reason; the caller keeps the method as
//! it was. Line numbers are kept; tables of local variables are not, since registers have no names.

pub mod condition;
pub mod expression;
pub mod item;
pub mod ranges;
pub mod select;
pub mod slots;
pub mod stack;
pub mod uses;

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::code::{CodeAttribute, CodeBody};
use planish_classfile::debug::LineNumber;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{Code, ConstantPool, Insn, Opcode, Operand};
use planish_ir::Function;
use rustc_hash::FxBuildHasher;

use crate::frames;
use crate::lower::item::{Item, Label};
use crate::lower::select::Outcome;
use crate::naming::Names;
use crate::transfer::MethodInfo;
use crate::vtype::TypeContext;

/// The parts of a method that lowering needs besides its function.
pub struct Target<'m> {
    /// The name of its class.
    pub class: &'m [u8],
    /// The name of the super class of its class.
    pub super_class: Option<&'m [u8]>,
    /// Its name.
    pub name: &'m [u8],
    /// Its descriptor.
    pub descriptor: &'m [u8],
    /// Whether it has no receiver.
    pub is_static: bool,
}

impl<'m> Target<'m> {
    /// The method with the constants of its class.
    pub fn info<'p>(&'p self, pool: &'p ConstantPool<'p>) -> MethodInfo<'p>
    where
        'm: 'p,
    {
        MethodInfo {
            class: self.class,
            super_class: self.super_class,
            name: self.name,
            descriptor: self.descriptor,
            is_static: self.is_static,
            pool,
        }
    }
}

/// Writes a function as a method body with frames. Lines are taken from `original`, whose instructions
/// the locations of the function count (from 1). Constants are added to `pool` as they are needed.
pub fn lower(
    f: &Function,
    names: &Names,
    original: &Code,
    target: &Target<'_>,
    pool: &mut ConstantPool<'_>,
    context: &mut TypeContext<'_>,
) -> Outcome<Code> {
    let selected = select::select(f, names, pool)?;
    let slots = slots::allocate(&selected.items, &selected.kinds, &selected.guards, &selected.params)?;
    let line_of = lines(original);

    let mut code = Code::default();
    let mut at_label: HashMap<Label, u32, FxBuildHasher> = HashMap::default();
    let mut starts = Vec::with_capacity(selected.items.len() + 1);
    let mut new_lines: Vec<LineNumber> = Vec::new();
    let mut last_line = None;
    for made in &selected.items {
        let at = code.instructions.len() as u32;
        starts.push(at);
        let instruction = match &made.item {
            Item::Label(label) => {
                at_label.insert(*label, at);
                continue;
            }
            Item::Insn(instruction) => instruction.clone(),
            Item::Load(register) => {
                let op = selected.kinds[*register].member(Opcode::Iload);
                Insn::local(op, slots.slots[register.index()])
            }
            Item::Store { to, .. } => {
                let op = selected.kinds[*to].member(Opcode::Istore);
                Insn::local(op, slots.slots[to.index()])
            }
            Item::Jump(op, label) => Insn::jump(*op, label.index() as u32),
            Item::Switch(default, cases) => {
                let cases = cases.iter().map(|(key, label)| (*key, label.index() as u32)).collect();
                Insn::switch(default.index() as u32, cases)
            }
        };
        if let Some(line) = line_of(made.location)
            && last_line != Some(line)
        {
            last_line = Some(line);
            new_lines.push(LineNumber { start: at, line });
        }
        code.instructions.push(instruction);
    }
    starts.push(code.instructions.len() as u32);
    for instruction in &mut code.instructions {
        for position in instruction.targets_mut() {
            let label = Label::from_index(*position as usize);
            *position = *at_label.get(&label).ok_or("a jump to nowhere")?;
        }
    }
    code.handlers = ranges::handlers(&selected, &slots, &starts, &at_label)?;
    if let Some(table) = original.attributes.iter().find(|a| matches!(a.body, CodeBody::Lines(_))) {
        code.attributes.push(CodeAttribute { name: table.name, body: CodeBody::Lines(new_lines) });
    }
    tighten(&mut code)?;
    let info = target.info(pool);
    let ty = MethodType::parse(target.descriptor).ok_or("a malformed descriptor")?;
    let parameter_slots = ty.parameter_slots() + u16::from(!target.is_static);
    let failed = |error: planish_classfile::Error| error.to_string();
    code.compute_limits(parameter_slots, pool).map_err(failed)?;
    code.lengthen_branches().map_err(failed)?;
    let targets = frames::infer(&code, &info, context).map_err(|error| error.to_string())?;
    let frames = targets.frames(context, pool).map_err(failed)?;
    code.set_frames(frames, pool).map_err(failed)?;
    Ok(code)
}

/// The line of each location.
fn lines(original: &Code) -> impl Fn(u32) -> Option<u16> {
    let mut table = vec![None; original.instructions.len() + 1];
    let mut entries: Vec<LineNumber> = Vec::new();
    for attribute in &original.attributes {
        if let CodeBody::Lines(lines) = &attribute.body {
            entries.extend_from_slice(lines);
        }
    }
    entries.sort_by_key(|line| line.start);
    for (index, entry) in entries.iter().enumerate() {
        let end = entries.get(index + 1).map_or(original.instructions.len() as u32, |next| next.start);
        for at in entry.start..end {
            table[at as usize + 1] = Some(entry.line);
        }
    }
    move |location| table.get(location as usize).copied().flatten()
}

/// Shortens what selection leaves behind: copies within a slot, sums that `iinc` does, jumps to jumps,
/// jumps to what follows.
fn tighten(code: &mut Code) -> Outcome {
    let mut is_target = vec![false; code.instructions.len() + 1];
    let mut mark = |code: &Code| {
        is_target.fill(false);
        let jumps = code.instructions.iter().flat_map(|instruction| instruction.targets());
        let ranges = code.handlers.iter().flat_map(|handler| [handler.start, handler.end, handler.target]);
        jumps.chain(ranges).for_each(|at| is_target[at as usize] = true);
        is_target.clone()
    };
    thread_jumps(code);
    let is_target = mark(code);
    let mut keep = vec![true; code.instructions.len()];
    let mut at = 0;
    while at < code.instructions.len() {
        let rest = &code.instructions[at..];
        let free = |count: usize| (1..count).all(|i| !is_target[at + i]);
        let step = match rest {
            // `x + c` back to the slot of x.
            [load, number, add, store, ..] if free(4) && is_increment(load, number, add, store) => {
                let by = small_number(number).map(|by| if add.op == Opcode::Isub { -by } else { by });
                match (load.slot(), by.and_then(|by| i16::try_from(by).ok())) {
                    (Some(slot), Some(by)) => {
                        code.instructions[at] = Insn::increment(slot, by);
                        keep[at + 1..at + 4].fill(false);
                        4
                    }
                    _ => 1,
                }
            }
            [load, store, ..] if free(2) && is_self_copy(load, store) => {
                keep[at..at + 2].fill(false);
                2
            }
            [jump, ..]
                if jump.op == Opcode::Goto
                    && matches!(jump.operand, Operand::Target(to) if to as usize == at + 1) =>
            {
                keep[at] = false;
                1
            }
            _ => 1,
        };
        at += step;
    }
    if keep.iter().all(|keep| *keep) {
        return Ok(());
    }
    let mut moved = Vec::with_capacity(keep.len() + 1);
    let mut next = 0;
    for &keep in &keep {
        moved.push(next);
        next += u32::from(keep);
    }
    moved.push(next);
    let mut kept = keep.iter();
    code.instructions.retain(|_| *kept.next().expect("one flag for each instruction"));
    code.remap(|position| moved.get(position as usize).copied()).map_err(|error| error.to_string())?;
    code.handlers.retain(|handler| handler.start < handler.end);
    for attribute in &mut code.attributes {
        if let CodeBody::Lines(lines) = &mut attribute.body {
            let end = code.instructions.len() as u32;
            lines.retain(|line| line.start < end);
            // Of lines that came to one place the last is right.
            let mut later =
                lines.iter().skip(1).map(|line| line.start).chain([u32::MAX]).collect::<Vec<_>>().into_iter();
            lines.retain(|line| later.next() != Some(line.start));
        }
    }
    Ok(())
}

/// Lets jumps to `goto` go where that goes.
fn thread_jumps(code: &mut Code) {
    let goes_to: Vec<Option<u32>> = code
        .instructions
        .iter()
        .map(|instruction| match (instruction.op, &instruction.operand) {
            (Opcode::Goto, Operand::Target(to)) => Some(*to),
            _ => None,
        })
        .collect();
    for instruction in &mut code.instructions {
        for target in instruction.targets_mut() {
            // A ring of jumps is an endless loop.
            for _ in 0..8 {
                match goes_to[*target as usize] {
                    Some(next) if next != *target => *target = next,
                    _ => break,
                }
            }
        }
    }
}

fn is_increment(load: &Insn, number: &Insn, add: &Insn, store: &Insn) -> bool {
    let loads = load.op == Opcode::Iload || (Opcode::Iload0..=Opcode::Iload3).contains(&load.op);
    let stores = store.op == Opcode::Istore || (Opcode::Istore0..=Opcode::Istore3).contains(&store.op);
    loads
        && stores
        && load.slot() == store.slot()
        && matches!(add.op, Opcode::Iadd | Opcode::Isub)
        && small_number(number).is_some()
}

/// The number that an instruction pushes without a constant.
fn small_number(instruction: &Insn) -> Option<i32> {
    match (instruction.op, &instruction.operand) {
        (Opcode::Bipush | Opcode::Sipush, Operand::Immediate(value)) => Some(i32::from(*value)),
        (op, _) if (Opcode::IconstM1..=Opcode::Iconst5).contains(&op) => {
            Some(op as i32 - Opcode::Iconst0 as i32)
        }
        _ => None,
    }
}

/// Whether a load and a store move a value to where it is.
fn is_self_copy(load: &Insn, store: &Insn) -> bool {
    let family = |op: Opcode, first: Opcode, short: Opcode| match op as u8 {
        byte if (first as u8..first as u8 + 5).contains(&byte) => Some(byte - first as u8),
        byte if (short as u8..short as u8 + 20).contains(&byte) => Some((byte - short as u8) / 4),
        _ => None,
    };
    let loads = family(load.op, Opcode::Iload, Opcode::Iload0);
    loads.is_some()
        && loads == family(store.op, Opcode::Istore, Opcode::Istore0)
        && load.slot() == store.slot()
}
