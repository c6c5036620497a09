//! Stack scheduling: the operand stack of code that is made.
//!
//! *Pending* values mirror the stack between operations. A consumer takes those that are its first
//! operands, in order, on top (`Selector::operands`); constants and registers that belong below or
//! between them are pushed before the steps that made them. What it needs and cannot take that way is
//! given a register after all: the store goes back to the place where the value was made, for which
//! `Selector::define` left a mark. A value with two uses is pending twice, by `dup`, or by `dup_x1` if the
//! first use takes an operand from below it. Operations
//! without effects that are used once are written where they are used, so that expressions are trees
//! again; their operands count as the consumer's. The idea of repairing the past instead of searching
//! for a schedule is that of Koopman, *A preliminary exploration of optimized stack code generation*,
//! 1994, in a simpler form.

use planish_base::Id;
use planish_classfile::{Constant, Insn, Opcode};
use planish_ir::{Const, Inst, Value};
use planish_ops::{Op, Real};

use crate::lower::item::{Item, Load, Made};
use crate::lower::pending::{Definition, Insert, Pending, Step};
use crate::lower::select::{Outcome, Selector};

impl Selector<'_, '_> {
    /// The value was put on the stack by steps from `start` on. Decides where it waits for its uses.
    pub(super) fn define(&mut self, value: Value, start: Option<usize>) -> Outcome {
        self.steps.push(Step::Defined(value));
        self.defined_at[value.index()] = self.steps.len();
        let count = self.uses.count(value);
        let is_counted = self.counted.last().is_some_and(|(_, counted)| *counted == value);
        if count > 0 && count <= 2 && self.uses.only_in(value, self.block) && !is_counted {
            self.pending.push(Pending { value, start });
            if count == 2 {
                self.pending.push(Pending { value, start: None });
            }
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
            Some(pending) => self.keep(pending.value),
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

    pub(super) fn is_pending(&self, value: Value) -> bool {
        self.pending.iter().any(|pending| pending.value == value)
    }

    /// The values that are pushed for `value` before any operation is written, in order. `true` means
    /// that an operation comes next.
    fn leaves(&self, value: Value, list: &mut Vec<Value>) -> bool {
        match self.uses.deferred(self.f, value) {
            None => {
                list.push(value);
                false
            }
            Some(inst) => {
                let _ = self.operand_order(inst).into_iter().any(|operand| self.leaves(operand, list));
                true
            }
        }
    }

    /// Every value that a consumer of `value` pushes, in order.
    fn all_leaves(&self, value: Value, list: &mut Vec<Value>) {
        match self.uses.deferred(self.f, value) {
            None => list.push(value),
            Some(inst) => {
                let operands = match self.f.inst(inst).op {
                    Op::Select => self.f.args(inst).to_vec(),
                    _ => self.operand_order(inst),
                };
                operands.iter().for_each(|&operand| self.all_leaves(operand, list));
            }
        }
    }

    /// Prepares the stack for a consumer of `operands`, which it pushes first and in this order: what is
    /// on the stack in that order stays there, what can be pushed below it is, everything else that the
    /// consumer needs gets a register. Returns the step before which something can be put below all
    /// that the consumer takes.
    pub(super) fn operands(&mut self, operands: &[Value]) -> Outcome<Option<usize>> {
        self.operands_of(operands, operands)
    }

    /// Prepares the stack for a consumer of `needed` that begins with pushing `operands`.
    pub(super) fn operands_of(&mut self, operands: &[Value], needed: &[Value]) -> Outcome<Option<usize>> {
        debug_assert!(self.ready.is_empty(), "every prepared value was pushed");
        let mut all = Vec::new();
        needed.iter().for_each(|&operand| self.all_leaves(operand, &mut all));
        let mut first = Vec::new();
        let _ = operands.iter().any(|&operand| self.leaves(operand, &mut first));
        let taken = loop {
            if !all.iter().any(|&value| self.is_pending(value)) {
                break 0;
            }
            match self.matching(&first) {
                0 if self.crosses(&first, &all) => return self.cross(&first, &all),
                0 => match self.others_on_top(&all) {
                    // They are not worth what lies below them.
                    above if above > 0 && self.is_worth_less(&first, above) => {
                        self.give_up(&all)?;
                        break 0;
                    }
                    _ => self.spill()?,
                },
                taken => break taken,
            }
        };
        let mut start = Some(self.steps.len());
        let inserted = self.inserts.len();
        let mut count = 0;
        if taken > 0 {
            let below = self.pending.len() - taken;
            let matched = self.pending.split_off(below);
            start = matched[0].start;
            let mut matched = matched.into_iter().peekable();
            while let Some(pending) = matched.peek() {
                let value = first[count];
                count += 1;
                if value == pending.value {
                    self.definitions[value.index()].taken += 1;
                    self.ready.push_back(None);
                    matched.next();
                } else {
                    let at = pending.start.ok_or("there is no place below a value")?;
                    let load = self.insert(at, value, inserted)?;
                    self.ready.push_back(load);
                }
            }
        }
        self.give_up(&all[count..])?;
        Ok(start)
    }

    /// Whether an operation that could be written where its result is used is better written now: all that waits on
    /// the stack for it is on top, in order. Later there would be other values above. A comparison waits for its branch.
    pub(super) fn eases(&self, inst: Inst) -> bool {
        let op = self.f.inst(inst).op;
        if self.pending.is_empty() || !self.uses.is_needed(inst) || op == Op::Select || self.is_condition(op)
        {
            return false;
        }
        let result = self.f.result(inst);
        if self.merges(result) {
            return false;
        }
        let mut all = Vec::new();
        self.all_leaves(result, &mut all);
        let waiting = all.iter().filter(|&&value| self.is_pending(value)).count();
        if waiting == 0 {
            return false;
        }
        let mut first = Vec::new();
        self.leaves(result, &mut first);
        // What is taken with a copy of a value below it is best taken with that at once.
        let is_copy =
            |lowest: usize| lowest > 0 && self.pending[lowest - 1].value == self.pending[lowest].value;
        self.matching(&first) == waiting && !is_copy(self.pending.len() - waiting)
    }

    /// What a consumer pushes itself has to be in a register; copies on the stack are not made.
    fn give_up(&mut self, rest: &[Value]) -> Outcome {
        for pending in std::mem::take(&mut self.pending) {
            match rest.contains(&pending.value) {
                true => self.keep(pending.value)?,
                false => self.pending.push(pending),
            }
        }
        Ok(())
    }

    /// Whether a consumer of `leaves`, of `all` in the end, can take a value that stays on the stack as well
    /// together with an operand below it: `a.f = v` with `v` used again. The copy is made below the operand.
    fn crosses(&self, leaves: &[Value], all: &[Value]) -> bool {
        let (&[below, value, ..], [.., under, over]) = (leaves, &self.pending[..]) else { return false };
        let is_single = |value| self.kind(value).is_ok_and(|kind| kind.slots() == 1);
        (under.value, over.value) == (value, value)
            && below != value
            && is_single(below)
            && self.can_insert(below, under.start)
            && all.iter().filter(|&&other| other == value).count() == 1
    }

    /// Prepares the stack as [`crosses`](Self::crosses) says.
    fn cross(&mut self, leaves: &[Value], all: &[Value]) -> Outcome<Option<usize>> {
        let (&[below, value, ..], Some(_)) = (leaves, self.pending.pop()) else {
            return Err("nothing to be taken".into());
        };
        let under = self.pending.last().and_then(|under| under.start);
        let definition = &mut self.definitions[value.index()];
        definition.taken += 1;
        definition.crossed = true;
        let inserted = self.inserts.len();
        let load = self.insert(under.ok_or("there is no place below a value")?, below, inserted)?;
        self.ready.extend([load, None]);
        self.give_up(&all[2..])?;
        // What is put below the consumer's result would lie below the copy.
        Ok(None)
    }

    /// How many values wait above the topmost one that a consumer of `all` needs.
    fn others_on_top(&self, all: &[Value]) -> usize {
        self.pending.iter().rev().take_while(|pending| !all.contains(&pending.value)).count()
    }

    /// Whether what a consumer of `leaves` can take from below so many other values is worth less than they are. Of as
    /// many the others stay if they are needed together with what the consumer gives, below it, or later than that.
    fn is_worth_less(&self, leaves: &[Value], above: usize) -> bool {
        let below = self.matching_below(above, leaves);
        if below != above {
            return below < above;
        }
        let top = self.pending[self.pending.len() - 1].value;
        let Some(mut given) = self.root.and_then(|root| self.f.results(root).next()) else { return false };
        // What is made of it alone waits in its place.
        while let Some(user) = self.uses.user(given)
            && self.uses.count(given) == 1
            && self.f.args(user) == [given]
            && let Some(result) = self.f.results(user).next()
        {
            given = result;
        }
        match (self.uses.user(top), self.uses.user(given)) {
            (Some(a), Some(b)) if a == b => {
                let place = |value| self.f.args(a).iter().position(|&arg| arg == value);
                place(top) < place(given)
            }
            (Some(a), Some(b)) => self.uses.place(a) > self.uses.place(b),
            (user, _) => user.is_none() || self.uses.count(given) != 1,
        }
    }

    /// How many of the topmost pending values are among `leaves`, in order and without gaps but what can
    /// be pushed below them.
    fn matching(&self, leaves: &[Value]) -> usize {
        self.matching_below(0, leaves)
    }

    /// The same, if so many values above were not there.
    fn matching_below(&self, above: usize, leaves: &[Value]) -> usize {
        let pending = &self.pending[..self.pending.len() - above];
        'counts: for count in (1..=pending.len().min(leaves.len())).rev() {
            let mut leaf = 0;
            for pending in &pending[pending.len() - count..] {
                loop {
                    match leaves.get(leaf) {
                        None => continue 'counts,
                        Some(&value) if value == pending.value => break leaf += 1,
                        Some(&value) if self.can_insert(value, pending.start) => leaf += 1,
                        Some(_) => continue 'counts,
                    }
                }
            }
            return count;
        }
        0
    }

    /// Whether a value can be pushed before a step: a constant, or a register that has it by then.
    fn can_insert(&self, value: Value, before: Option<usize>) -> bool {
        let Some(before) = before else { return false };
        let is_constant = self.f.constant(value).is_some();
        is_constant || (!self.is_pending(value) && self.defined_at[value.index()] <= before)
    }

    /// Pushes a value before a step, after what inserts from number `own` on, which are of the same
    /// consumer, push there.
    fn insert(&mut self, at: usize, value: Value, own: usize) -> Outcome<Option<Load>> {
        let end = self.steps.len();
        let load = self.push_kept(value)?;
        let items = self.steps.drain(end..).filter_map(|step| match step {
            Step::Made(made) => Some(made),
            Step::Defined(_) => None,
        });
        match self.inserts[own..].iter_mut().find(|insert| insert.at == at) {
            Some(insert) => insert.items.extend(items),
            None => self.inserts.push(Insert { at, items: items.collect() }),
        }
        Ok(load)
    }

    /// Puts a value on the stack, unless it is one of those that are there already. Returns the load
    /// that put it there, if one did.
    pub(super) fn push(&mut self, value: Value) -> Outcome<Option<Load>> {
        if let Some(inst) = self.uses.deferred(self.f, value) {
            self.expression(inst)?;
            return Ok(None);
        }
        match self.ready.pop_front() {
            Some(load) => Ok(load),
            None => self.push_kept(value),
        }
    }

    /// Puts a constant or the value of a register on the stack.
    pub(super) fn push_kept(&mut self, value: Value) -> Outcome<Option<Load>> {
        if let Some(constant) = self.f.constant(value) {
            self.push_constant(constant)?;
            return Ok(None);
        }
        let register = self.register(value)?;
        self.loads += 1;
        let load = Load { register, number: self.loads };
        self.make(Item::Load(load));
        Ok(Some(load))
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
        let mut inserts = std::mem::take(&mut self.inserts);
        // Of inserts before one step the last one comes first.
        inserts.reverse();
        inserts.sort_by_key(|insert| insert.at);
        let mut inserts = inserts.into_iter().peekable();
        for (at, step) in std::mem::take(&mut self.steps).into_iter().enumerate() {
            while let Some(insert) = inserts.next_if(|insert| insert.at == at) {
                items.extend(insert.items);
            }
            let value = match step {
                Step::Made(made) => {
                    items.push(made);
                    continue;
                }
                Step::Defined(value) => value,
            };
            let Definition { taken, kept, crossed } = self.definitions[value.index()];
            let wide = self.kind(value).is_ok_and(|kind| kind.slots() == 2);
            let (pop, dup) = match (wide, crossed && taken == 2 && !kept) {
                (false, false) => (Opcode::Pop, Opcode::Dup),
                (false, true) => (Opcode::Pop, Opcode::DupX1),
                (true, false) => (Opcode::Pop2, Opcode::Dup2),
                (true, true) => (Opcode::Pop2, Opcode::Dup2X1),
            };
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

    /// The operands that [`expression`](Self::expression) pushes for an operation, in order. Those of a
    /// choice are pushed in its arms, and code comes first.
    pub(super) fn operand_order(&self, inst: Inst) -> Vec<Value> {
        let args = self.f.args(inst);
        match self.f.inst(inst).op {
            Op::Select => Vec::new(),
            Op::Signext => args[..1].to_vec(),
            // A constant amount is pushed as an `int`, whatever its type.
            Op::Lshift | Op::Rshift | Op::Urshift | Op::Rotl | Op::Rotr
                if self.f.int_constant(args[1]).is_some() =>
            {
                args[..1].to_vec()
            }
            op if self.is_condition(op) => self.compared(inst),
            _ => args.to_vec(),
        }
    }
}
