//! The operand stack of code that is made.
//!
//! *Pending* values mirror the stack between operations. A consumer takes those that are its first
//! operands, in order, on top ([`Selector::operands`]). What it needs and cannot take that way is given
//! a register after all: the store goes back to the place where the value was made, for which
//! [`Selector::define`] left a mark. A value with two uses is pending twice, by `dup`. Operations
//! without effects that are used once are written where they are used, so that expressions are trees
//! again; their operands count as the consumer's.

use planish_base::Id;
use planish_classfile::{Constant, Insn, Opcode};
use planish_ir::{Const, Value};
use planish_ops::{Op, Real};

use crate::lower::item::{Item, Made, Register};
use crate::lower::select::{Outcome, Selector};

/// What was decided about a value that came onto the stack.
#[derive(Clone, Copy, Default)]
pub struct Definition {
    /// How often a consumer took it from the stack.
    taken: u32,
    /// Whether it is kept in a register as well.
    kept: bool,
}

/// An item, or the place where a value came onto the stack.
pub enum Step {
    /// An item.
    Made(Made),
    /// The value is on top of the stack.
    Defined(Value),
}

impl Selector<'_, '_> {
    /// The value was put on the stack. Decides where it waits for its uses.
    pub(super) fn define(&mut self, value: Value) -> Outcome {
        self.steps.push(Step::Defined(value));
        let count = self.uses.count(value);
        if count > 0 && count <= 2 && self.uses.only_in(value, self.block) {
            self.pending.extend(std::iter::repeat_n(value, count as usize));
        } else if count > 0 {
            self.keep(value)?;
        }
        Ok(())
    }

    /// Lets the value have a register.
    fn keep(&mut self, value: Value) -> Outcome {
        self.definitions[value.index()].kept = true;
        self.register(value).map(drop)
    }

    /// Takes the topmost pending value from the stack by a store where it was made.
    fn spill(&mut self) -> Outcome {
        match self.pending.pop() {
            Some(value) => self.keep(value),
            None => Ok(()),
        }
    }

    /// Spills every pending value: control is about to leave the block or to split.
    pub(super) fn keep_pending(&mut self) -> Outcome {
        while !self.pending.is_empty() {
            self.spill()?;
        }
        Ok(())
    }

    /// The values that are pushed for `value`, in order, as far as they may be on the stack already:
    /// `true` ends the list, because code comes first.
    fn leaves(&self, value: Value, list: &mut Vec<Value>) -> bool {
        match self.uses.deferred(self.f, value) {
            None => {
                list.push(value);
                // A constant or a register is pushed by code.
                !self.pending.contains(&value)
            }
            Some(inst) => {
                for operand in self.operand_order(inst) {
                    if self.leaves(operand, list) {
                        return true;
                    }
                }
                true
            }
        }
    }

    /// Every value that a consumer of `value` pushes.
    fn all_leaves(&self, value: Value, list: &mut Vec<Value>) {
        match self.uses.deferred(self.f, value) {
            None => list.push(value),
            Some(inst) => {
                for &operand in self.f.args(inst) {
                    self.all_leaves(operand, list);
                }
            }
        }
    }

    /// Prepares the stack for a consumer of `operands`: what is on the stack in the right order is
    /// taken by the pushes that follow, everything else that it needs gets a register.
    pub(super) fn operands(&mut self, operands: &[Value]) -> Outcome {
        self.operands_of(operands, operands)
    }

    /// Prepares the stack for a consumer of `needed` that begins with pushing `operands`.
    pub(super) fn operands_of(&mut self, operands: &[Value], needed: &[Value]) -> Outcome {
        debug_assert_eq!(self.ready, 0, "every prepared value was pushed");
        let mut all = Vec::new();
        needed.iter().for_each(|&operand| self.all_leaves(operand, &mut all));
        let taken = loop {
            if !self.pending.iter().any(|value| all.contains(value)) {
                break 0;
            }
            let mut first = Vec::new();
            for &operand in operands {
                if self.leaves(operand, &mut first) {
                    break;
                }
            }
            let fits = |count: &usize| self.pending.ends_with(&first[..*count]);
            match (1..=first.len().min(self.pending.len())).rev().find(fits) {
                Some(count) => break count,
                None => self.spill()?,
            }
        };
        let below = self.pending.len() - taken;
        let matched = self.pending.split_off(below);
        for value in matched {
            self.definitions[value.index()].taken += 1;
        }
        // What else the consumer pushes has to be in a register; deeper copies give it up.
        let mut rest = all;
        rest.drain(..taken.min(rest.len()));
        while self.pending.iter().any(|value| rest.contains(value)) {
            self.spill()?;
        }
        self.ready = taken;
        Ok(())
    }

    /// Puts a value on the stack, unless it is one of those that are there already. Returns the
    /// register that has it, too.
    pub(super) fn push(&mut self, value: Value) -> Outcome<Option<Register>> {
        if let Some(inst) = self.uses.deferred(self.f, value) {
            self.expression(inst)?;
            return Ok(None);
        }
        if self.ready > 0 {
            self.ready -= 1;
            return Ok(None);
        }
        self.push_kept(value)
    }

    /// Puts a constant or the value of a register on the stack.
    pub(super) fn push_kept(&mut self, value: Value) -> Outcome<Option<Register>> {
        if let Some(constant) = self.f.constant(value) {
            self.push_constant(constant)?;
            return Ok(None);
        }
        let register = self.register(value)?;
        self.make(Item::Load(register));
        Ok(Some(register))
    }

    pub(super) fn push_int(&mut self, value: i32) -> Outcome {
        let instruction = match Insn::small_int(value) {
            Some(instruction) => instruction,
            None => Insn::load_constant(self.add(Constant::Integer(value))?),
        };
        self.insn(instruction);
        Ok(())
    }

    pub(super) fn push_long(&mut self, value: i64) -> Outcome {
        match value {
            0 => self.op(Opcode::Lconst0),
            1 => self.op(Opcode::Lconst1),
            _ => {
                let index = self.add(Constant::Long(value))?;
                self.insn(Insn::constant(Opcode::Ldc2W, index));
            }
        }
        Ok(())
    }

    pub(super) fn add(&mut self, constant: Constant<'_>) -> Outcome<u16> {
        self.pool.add(constant).map_err(|error| error.to_string())
    }

    fn push_constant(&mut self, constant: Const) -> Outcome {
        match constant {
            Const::Int(int) if int.width() == 64 => self.push_long(int.signed())?,
            // One bit is 0 or 1, other narrow numbers are kept sign-extended.
            Const::Int(int) if int.width() == 1 => self.push_int(int.unsigned() as i32)?,
            Const::Int(int) if int.width() <= 32 => self.push_int(int.signed() as i32)?,
            Const::Int(int) => return Err(format!("a constant of {} bits", int.width())),
            Const::Real(number) => match number.0 {
                Real::F32(value) => {
                    let bits = number.0.to_bits() as u32;
                    match value {
                        0.0 if bits == 0 => self.op(Opcode::Fconst0),
                        1.0 => self.op(Opcode::Fconst1),
                        2.0 => self.op(Opcode::Fconst2),
                        _ => {
                            let index = self.add(Constant::Float(bits))?;
                            self.insn(Insn::load_constant(index));
                        }
                    }
                }
                Real::F64(value) => {
                    let bits = number.0.to_bits();
                    match value {
                        0.0 if bits == 0 => self.op(Opcode::Dconst0),
                        1.0 => self.op(Opcode::Dconst1),
                        _ => {
                            let index = self.add(Constant::Double(bits))?;
                            self.insn(Insn::constant(Opcode::Ldc2W, index));
                        }
                    }
                }
            },
            Const::Null => self.op(Opcode::AconstNull),
            Const::Symbol(symbol, _) => {
                self.insn(Insn::load_constant(self.names.string_constant(symbol)));
            }
            Const::Hole => return Err("a value that is none".into()),
        }
        Ok(())
    }

    /// The items, with the marks of definitions replaced by what was decided.
    pub(super) fn finish(&mut self) -> Vec<Made> {
        let mut items = Vec::with_capacity(self.steps.len());
        for step in std::mem::take(&mut self.steps) {
            let value = match step {
                Step::Made(made) => {
                    items.push(made);
                    continue;
                }
                Step::Defined(value) => value,
            };
            let Definition { taken, kept } = self.definitions[value.index()];
            let wide = self.kind(value).is_ok_and(|kind| kind.slots() == 2);
            let (pop, dup) = if wide { (Opcode::Pop2, Opcode::Dup2) } else { (Opcode::Pop, Opcode::Dup) };
            let location = items.last().map_or(0, |made: &Made| made.location);
            let mut put = |item| items.push(Made { item, location, guard: None });
            let copies = taken + u32::from(kept);
            if copies == 0 {
                put(Item::Insn(Insn::plain(pop)));
            }
            for _ in 1..copies {
                put(Item::Insn(Insn::plain(dup)));
            }
            if kept && let Ok(to) = self.register(value) {
                items.push(Made { item: Item::Store { to, from: None }, location, guard: None });
            }
        }
        items
    }

    /// The operands of an operation in the order in which [`expression`](Self::expression) pushes them;
    /// none where code comes first.
    pub(super) fn operand_order(&self, inst: planish_ir::Inst) -> Vec<Value> {
        let args = self.f.args(inst);
        match self.f.inst(inst).op {
            // These begin with something else than their operands.
            Op::Select => Vec::new(),
            _ => args.to_vec(),
        }
    }
}
