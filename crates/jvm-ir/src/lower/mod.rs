//! Code generation: from SSA to bytecode.
//!
//! - [`uses`]: how often and where values are used.
//! - [`select`], [`stack`], [`expression`], [`condition`]: operations become instructions over
//!   registers, and values travel on the operand stack where they can.
//! - [`layout`]: the order of blocks.
//! - [`counters`]: where sums are made that count.
//! - [`joins`]: which parameters of blocks come on the stack.
//! - [`held`]: what handlers need and have already.
//! - [`slots`]: registers become locals.
//! - [`ranges`]: guards become the exception table; [`tighten`] shortens what is left.
//!
//! Frames come from [`planish_jvm_model::frames`], which at the same time verifies what was made. A function that
//! cannot be written, for whatever reason, is an error with that reason; the caller keeps the method as
//! it was. Line numbers are kept, and so are the names of values that were local variables.

pub mod condition;
pub mod counters;
pub mod expression;
pub mod held;
pub mod item;
pub mod joins;
pub mod layout;
mod pending;
pub mod ranges;
pub mod select;
pub mod slots;
pub mod stack;
pub mod tighten;
pub mod uses;

use std::fmt;

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_classfile::code::{CodeAttribute, CodeBody};
use planish_classfile::debug::LineNumber;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{Code, ConstantPool, Insn, Opcode};
use planish_ir::Function;
use planish_jvm_model::frames;
use planish_jvm_model::transfer::MethodInfo;
use planish_jvm_model::vtype::TypeContext;
use rustc_hash::FxBuildHasher;

use crate::lower::item::{Item, Label, Register};
use crate::lower::select::Selected;
use crate::lower::slots::Slots;
use crate::naming::Names;
use crate::variables::{Place, Variables};

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

/// Why a function was not written as a method body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Unwritten {
    /// It cannot be.
    Cannot(String),
    /// What was written does not verify.
    Wrong(String),
}

impl From<String> for Unwritten {
    fn from(why: String) -> Self {
        Unwritten::Cannot(why)
    }
}

impl From<&str> for Unwritten {
    fn from(why: &str) -> Self {
        Unwritten::Cannot(why.to_owned())
    }
}

impl fmt::Display for Unwritten {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Unwritten::Cannot(why) | Unwritten::Wrong(why)) = self;
        f.write_str(why)
    }
}

/// Writes a function as a method body with frames. Lines are taken from the original body, whose instructions
/// the locations of the function count (from 1), and names of values from its variables. Constants are added to `pool` as they are needed.
pub fn lower(
    f: &Function,
    names: &Names,
    (original, variables): (&Code, &Variables),
    target: &Target<'_>,
    pool: &mut ConstantPool<'_>,
    context: &mut TypeContext<'_>,
) -> Result<Code, Unwritten> {
    let mut code = assemble(f, names, (original, variables), target, pool)?;
    complete(&mut code, target, pool, context)?;
    Ok(code)
}

/// Writes the instructions of a function, handlers, lines and variables; what is left to do is [`complete`]'s.
pub fn assemble(
    f: &Function,
    names: &Names,
    (original, variables): (&Code, &Variables),
    target: &Target<'_>,
    pool: &mut ConstantPool<'_>,
) -> Result<Code, Unwritten> {
    let selected = select::select(f, names, pool)?;
    let named = named(&selected, variables);
    let registers: Vec<Register> = named.iter().map(|(register, _)| *register).collect();
    let slots = slots::allocate(&selected, &registers, target.name == b"<init>")?;
    let line_of = lines(original);

    let stays = loads_that_stay(&selected, &slots);
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
            Item::Load(load) if stays.contains(&load.number) => continue,
            Item::Store { from: Some(load), .. } if stays.contains(&load.number) => continue,
            Item::Load(load) => {
                let op = selected.kinds[load.register].member(Opcode::Iload);
                Insn::local(op, slots.slots[load.register.index()])
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
        if let Some(line) = line_of.get(made.location as usize).copied().flatten()
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
    if !variables.is_empty() {
        variables.write(places(f, &selected, &slots, &starts, variables, &named), &mut code);
    }
    tighten::tighten(&mut code)?;
    Ok(code)
}

/// Gives code that was made its limits, jumps that reach their targets, and frames.
pub fn complete(
    code: &mut Code,
    target: &Target<'_>,
    pool: &mut ConstantPool<'_>,
    context: &mut TypeContext<'_>,
) -> Result<(), Unwritten> {
    let info = target.info(pool);
    let ty = MethodType::parse(target.descriptor).ok_or("a malformed descriptor")?;
    let parameter_slots = ty.parameter_slots() + u16::from(!target.is_static);
    let failed = |error: planish_classfile::Error| error.to_string();
    code.compute_limits(parameter_slots, pool).map_err(failed)?;
    code.lengthen_branches().map_err(failed)?;
    let targets = frames::infer(code, &info, context).map_err(|error| Unwritten::Wrong(error.to_string()))?;
    let frames = targets.frames(context, pool).map_err(failed)?;
    code.set_frames(frames, pool).map_err(failed)?;
    Ok(())
}

/// The registers of values that are local variables, with their rows.
fn named(selected: &Selected, variables: &Variables) -> Vec<(Register, u32)> {
    let row = |(&value, &register)| variables.row(value).map(|row| (register, row));
    let mut named: Vec<(Register, u32)> = selected.registers.iter().filter_map(row).collect();
    named.sort_unstable();
    named
}

/// Where local variables are. A parameter whose slot nothing else gets is there all the time, any other
/// variable as long as its value is needed.
fn places(
    f: &Function,
    selected: &Selected,
    slots: &Slots,
    starts: &[u32],
    variables: &Variables,
    named: &[(Register, u32)],
) -> Vec<Place> {
    let end = starts.last().copied().unwrap_or(0);
    let params_end = selected.params.iter().map(|(kind, _)| usize::from(kind.slots())).sum();
    let mut is_written = vec![false; slots.end().max(params_end)];
    for made in &selected.items {
        if let Item::Store { to, .. } = made.item {
            let slot = usize::from(slots.slots[to.index()]);
            is_written[slot..slot + usize::from(selected.kinds[to].slots())].fill(true);
        }
    }
    let mut places = Vec::new();
    let mut slot = 0;
    let mut stay: HashSet<Register, FxBuildHasher> = HashSet::default();
    for (&value, &(kind, register)) in f.params().iter().zip(&selected.params) {
        let own = usize::from(slot)..usize::from(slot + kind.slots());
        if let Some(row) = variables.row(value).filter(|_| !is_written[own].contains(&true)) {
            places.push(Place { row, slot, start: 0, end });
            stay.extend(register);
        }
        slot += kind.slots();
    }
    for &(register, first, last) in slots.lives.iter().filter(|(register, ..)| !stay.contains(register)) {
        let Ok(known) = named.binary_search_by_key(&register, |(register, _)| *register) else { continue };
        let slot = slots.slots[register.index()];
        places.push(Place { row: named[known].1, slot, start: starts[first], end: starts[last] });
    }
    places
}

/// The loads whose value is stored where it still is: neither load nor store is written.
fn loads_that_stay(selected: &Selected, slots: &Slots) -> HashSet<u32, FxBuildHasher> {
    let mut stays = HashSet::default();
    let mut loaded_at: HashMap<u32, usize, FxBuildHasher> = HashMap::default();
    let mut written_at = vec![0usize; slots.end()];
    for (at, made) in selected.items.iter().enumerate() {
        match made.item {
            Item::Load(load) => drop(loaded_at.insert(load.number, at)),
            Item::Store { to, from } => {
                let first = usize::from(slots.slots[to.index()]);
                let places = first..first + usize::from(selected.kinds[to].slots());
                let unchanged = from.is_some_and(|load| {
                    slots.slots[load.register.index()] == slots.slots[to.index()]
                        && loaded_at.get(&load.number).is_some_and(|&loaded| {
                            written_at[places.clone()].iter().all(|&written| written <= loaded)
                        })
                });
                match from {
                    Some(load) if unchanged => drop(stays.insert(load.number)),
                    _ => written_at[places].fill(at),
                }
            }
            _ => {}
        }
    }
    stays
}

/// The line of each location, which counts instructions from 1.
pub fn lines(original: &Code) -> Vec<Option<u16>> {
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
    table
}
