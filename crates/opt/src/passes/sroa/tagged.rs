//! Fields of objects whose names say at run time where they are ([`Slots`](super::slots::Slots)).
//!
//! The variables of a slot are zero where the function begins. A load chooses among the slots in which the fields may be, a
//! store changes the one in which they are. What leaves where a name is null goes on leaving: the question is a comparison
//! of the tag first, and a branch when everything else is done.

use planish_base::List;
use planish_ir::{Block, BlockCall, Const, Inst, Location, Terminator, Value};
use planish_ops::{Op, Type};

use super::objects::{Fields, copy, nothing};
use super::slots::{Pass, tag_number};

/// The type of tags.
const TAG: Type = Type::Int(32);

impl Fields<'_> {
    /// Lets the slots of all webs be empty.
    pub fn begin_slots(&mut self, kept: &mut Vec<Inst>) {
        for (web, data) in self.webs.all.iter().enumerate().filter(|&(web, _)| self.going[web]) {
            let Some(slots) = &data.slots else { continue };
            for (_, &name) in data.names.iter().enumerate().filter(|&(at, _)| slots.has_slot(at)) {
                self.begin(name, web);
                self.clear(name, web, kept);
            }
        }
    }

    /// Whether a name has variables for fields.
    pub fn has_slot(&self, name: Value, web: usize) -> bool {
        let slots = self.webs.all[web].slots.as_ref();
        slots.is_none_or(|slots| slots.has_slot(self.webs.position(name)))
    }

    /// The parameter for the tag of a name that is a parameter, where that is not known before.
    pub fn tag_param(&mut self, block: Block, name: Value, web: usize) -> Option<Value> {
        let slots = self.webs.all[web].slots.as_ref()?;
        if slots.only_tag(self.webs.position(name)).is_some() {
            return None;
        }
        self.tags[name] = Some(self.f.add_param(block, TAG));
        self.tags[name]
    }

    /// The names in whose slots the fields of a name may be: its own where nothing has to be said.
    fn homes(&self, name: Value, web: usize) -> Vec<Value> {
        let data = &self.webs.all[web];
        match &data.slots {
            Some(slots) => slots.homes(self.webs.position(name)).map(|home| data.names[home]).collect(),
            None => vec![name],
        }
    }

    fn may_be_null(&self, name: Value, web: usize) -> bool {
        let slots = self.webs.all[web].slots.as_ref();
        slots.is_some_and(|slots| slots.may_be_null(self.webs.position(name)))
    }

    /// The number of the tag of null or a name, where that is known before.
    fn known_tag(&self, value: Value) -> Option<i64> {
        let Some((name, web)) = self.name(value) else { return Some(0) };
        self.webs.all[web].slots.as_ref()?.only_tag(self.webs.position(name))
    }

    /// The tag of null or a name.
    fn tag(&mut self, value: Value) -> Value {
        let said = self.name(value).and_then(|(name, _)| self.tags[name]);
        said.unwrap_or_else(|| {
            let known = self.known_tag(value).expect("a tag is known, or a value");
            self.f.make_int(TAG, known)
        })
    }

    fn make(&mut self, op: Op, args: &[Value], ty: Type, kept: &mut Vec<Inst>) -> Value {
        let inst = self.f.make_inst(op, args, &[ty], None, None, Location::default());
        kept.push(inst);
        self.f.result(inst)
    }

    /// Whether the tag of a value is a number.
    fn has_tag(&mut self, value: Value, number: i64, kept: &mut Vec<Inst>) -> Value {
        let chosen = self.name(value).and_then(|(name, _)| self.chosen[name]);
        if let Some((condition, [one, other])) = chosen
            && (one == number) != (other == number)
        {
            let zero = self.f.make_int(self.f.ty(condition), 0);
            let op = if one == number { Op::Ne } else { Op::Eq };
            return self.make(op, &[condition, zero], Type::I1, kept);
        }
        let (tag, number) = (self.tag(value), self.f.make_int(TAG, number));
        self.make(Op::Eq, &[tag, number], Type::I1, kept)
    }

    /// Whether the fields of a name are in the slot of another.
    fn is_at(&mut self, name: Value, home: Value, kept: &mut Vec<Inst>) -> Value {
        let number = tag_number(self.webs.position(home));
        self.has_tag(name, number, kept)
    }

    /// What a place of the object of a name holds.
    pub fn content(&mut self, name: Value, web: usize, at: usize, kept: &mut Vec<Inst>) -> Value {
        let ty = self.webs.all[web].fields[at].place.ty;
        let mut found = None;
        for home in self.homes(name, web) {
            let there = self.definitions[self.variables[home] + at][0];
            found = Some(match found {
                None => there,
                Some(other) => {
                    let is_there = self.is_at(name, home, kept);
                    self.make(Op::Select, &[is_there, there, other], ty, kept)
                }
            });
        }
        found.unwrap_or_else(|| nothing(self.f, ty))
    }

    /// Stores into a place of the object of a name.
    pub fn store(&mut self, name: Value, web: usize, at: usize, value: Value, kept: &mut Vec<Inst>) {
        let homes = self.homes(name, web);
        for &home in &homes {
            let variable = self.variables[home] + at;
            let new = if homes.len() == 1 {
                copy(self.f, value, kept)
            } else {
                let (is_there, before) = (self.is_at(name, home, kept), self.definitions[variable][0]);
                let ty = self.f.ty(before);
                self.make(Op::Select, &[is_there, value, before], ty, kept)
            };
            self.definitions[variable].push(new);
        }
    }

    /// Adds what a parameter is passed instead of an object.
    pub fn pass(
        &mut self,
        arg: Value,
        to: Value,
        web: usize,
        by: Pass,
        args: &mut Vec<Value>,
        made: &mut Vec<Inst>,
    ) {
        if self.tags[to].is_some() {
            args.push(match by {
                Pass::Alias => self.tag(arg),
                Pass::Move => self.moved_tag(arg, self.webs.position(to), made),
                Pass::With(first) => self.moved_tag(arg, first, made),
            });
        }
        if self.has_slot(to, web) {
            for at in 0..self.webs.all[web].fields.len() {
                if !self.webs.all[web].fields[at].is_loaded {
                    continue;
                }
                args.push(match (by, self.name(arg)) {
                    (Pass::Move, Some((name, web))) => self.content(name, web, at, made),
                    _ => self.definitions[self.variables[to] + at][0],
                });
            }
        }
    }

    /// The tag of what moved into a slot: null is null there, too.
    fn moved_tag(&mut self, arg: Value, slot: usize, made: &mut Vec<Inst>) -> Value {
        let there = self.f.make_int(TAG, tag_number(slot));
        match self.name(arg) {
            Some((name, web)) if self.may_be_null(name, web) => {
                let (is_null, null) = (self.has_tag(arg, 0, made), self.f.make_int(TAG, 0));
                self.make(Op::Select, &[is_null, null, there], TAG, made)
            }
            _ => there,
        }
    }

    /// Chooses a tag where an object was chosen.
    pub fn choice(&mut self, inst: Inst, kept: &mut Vec<Inst>) -> bool {
        let Some((name, web)) = self.name(self.f.result(inst)) else { return false };
        debug_assert!(self.webs.all[web].slots.is_some(), "a web with choices has slots");
        if self.known_tag(name).is_none() {
            let [condition, one, other] = [0, 1, 2].map(|at| self.f.args(inst)[at]);
            self.chosen[name] =
                self.known_tag(one).zip(self.known_tag(other)).map(|(x, y)| (condition, [x, y]));
            let args = [condition, self.tag(one), self.tag(other)];
            self.tags[name] = Some(self.make(Op::Select, &args, TAG, kept));
        }
        true
    }

    /// Answers whether two references are one.
    pub fn comparison(&mut self, inst: Inst, kept: &mut Vec<Inst>) -> bool {
        let [x, y] = [0, 1].map(|at| self.f.args(inst)[at]);
        let equal = self.f.inst(inst).op == Op::RefEq;
        match (self.name(x), self.name(y)) {
            (None, None) => false,
            (Some((one, web)), Some((other, of))) if web == of => {
                if self.webs.all[web].slots.is_none() {
                    return self.answer(inst, i64::from((one == other) == equal));
                }
                let (x, y, ty) = (self.tag(one), self.tag(other), self.f.ty(self.f.result(inst)));
                let answer = self.make(if equal { Op::Eq } else { Op::Ne }, &[x, y], ty, kept);
                self.stands.put(answer, self.f.result(inst));
                true
            }
            _ => {
                // Only null is both.
                let nulls = [x, y].map(|value| match self.name(value) {
                    Some((name, web)) if !self.may_be_null(name, web) => None,
                    Some(_) => Some(self.has_tag(value, 0, kept)),
                    None => Some(self.make(Op::IsNull, &[value], Type::I1, kept)),
                });
                let [Some(one), Some(other)] = nulls else { return self.answer(inst, i64::from(!equal)) };
                let both = self.make(Op::And, &[one, other], Type::I1, kept);
                self.tell(inst, both, equal, kept)
            }
        }
    }

    /// Lets a bit, or what it is not, stand for what an instruction asks.
    fn tell(&mut self, inst: Inst, bit: Value, holds: bool, kept: &mut Vec<Inst>) -> bool {
        let (result, zero) = (self.f.result(inst), self.f.make_int(Type::I1, 0));
        let op = if holds { Op::Ne } else { Op::Eq };
        let answer = self.make(op, &[bit, zero], self.f.ty(result), kept);
        self.stands.put(answer, result);
        true
    }

    /// Answers whether a name is null.
    pub fn null_test(&mut self, inst: Inst, object: Value, kept: &mut Vec<Inst>) -> bool {
        let asks_null = self.f.inst(inst).op == Op::IsNull;
        match self.name(object) {
            Some((name, web)) if name == object && self.may_be_null(name, web) => {
                let is_null = self.has_tag(name, 0, kept);
                self.tell(inst, is_null, asks_null, kept)
            }
            _ => self.answer(inst, i64::from(!asks_null)),
        }
    }

    /// Notes that an instruction leaves if a name is null.
    pub fn check(&mut self, block: Block, inst: Inst, name: Value, web: usize, kept: &mut Vec<Inst>) {
        if !self.may_be_null(name, web) || self.checked[name].replace(block) == Some(block) {
            return;
        }
        let is_null = self.has_tag(name, 0, kept);
        let question = self.f.def_inst(is_null).expect("it was just made");
        self.checks[question] = Some(inst);
    }

    /// Leaves where a name is null, as what was done with it did.
    pub fn leave_at_null(&mut self) {
        for start in self.f.blocks().to_vec() {
            if self.f.block_insts(start).iter().all(|&inst| self.checks[inst].is_none()) {
                continue;
            }
            let mut at = start;
            for inst in self.f.replace_insts(start, Vec::new()) {
                self.f.append_inst(at, inst);
                let Some(left) = self.checks[inst] else { continue };
                let [leaves, behind] = [(); 2].map(|()| self.f.make_block());
                self.leave(leaves, left);
                let rest = self.f.take_terminator(at);
                self.f.set_terminator(behind, rest);
                let [then, other] = [leaves, behind].map(|block| BlockCall { block, args: List::default() });
                let condition = self.f.result(inst);
                self.f.set_terminator(at, Terminator::Branch { condition, then, other });
                at = behind;
            }
        }
    }

    /// Lets a block leave as an instruction does that needs an object.
    fn leave(&mut self, block: Block, inst: Inst) {
        let data = *self.f.inst(inst);
        let null = self.f.make_constant(Const::Null);
        let (op, results) = match data.op {
            Op::GuardNonnull => (Op::GuardNonnull, &[][..]),
            _ => (Op::NullCheck, &[Type::Ref][..]),
        };
        let leaves = self.f.make_inst(op, &[null], results, None, data.exit, data.location);
        self.f.append_inst(block, leaves);
        self.f.set_terminator(block, Terminator::Unreachable);
    }
}
