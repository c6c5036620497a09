//! Guards, branches and block parameters: deciding them, and learning from them.
//!
//! A condition that is known decides its guard or branch. One that is not known is known *behind* it: a
//! guard teaches what follows in its block and everything that dominates; an edge of a branch teaches the
//! blocks that only it reaches. Teaching goes through the operation that makes the condition: behind
//! `guard_true(eq(x, y))` x and y are one value, behind `guard_true(and(p, q))` both p and q hold.

use planish_base::List;
use planish_ir::{Block, BlockCall, Def, Inst, Terminator, Value};
use planish_ops::{Op, Type};

use crate::algebra::{is_comparison, operation};
use crate::engine::Cx;
use crate::number::{Key, Known};
use crate::record::{Became, Kind, Site};
use crate::stage::Outcome;

/// How deep teaching goes through operations that make a condition.
const DEPTH: u32 = 8;

/// What the arguments that come to a parameter have in common so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) enum Join {
    /// None came.
    #[default]
    None,
    /// All are this value.
    Same(Value),
    /// They differ.
    Differ,
}

/// What an edge teaches.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Lesson {
    /// The value is not zero, or is zero.
    Truth(Value, bool),
    /// The values are the same.
    Equal(Value, Value),
}

impl Cx<'_> {
    // ---- Learning -------------------------------------------------------------------------------

    pub(crate) fn learn(&mut self, lesson: Lesson) {
        match lesson {
            Lesson::Truth(value, truth) => self.learn_truth(value, truth, DEPTH),
            Lesson::Equal(a, b) => self.learn_equal(a, b),
        }
    }

    /// From here on the value is not zero, or is zero.
    fn learn_truth(&mut self, value: Value, truth: bool, depth: u32) {
        let value = self.resolve(value);
        if self.f.constant(value).is_some() || depth == 0 {
            return;
        }
        let made = operation(self.f, value).map(|(op, args)| {
            let mut operands = [None; 2];
            operands.iter_mut().zip(args).for_each(|(slot, &arg)| *slot = Some(arg));
            (op, operands)
        });
        let ty = self.f.ty(value);
        let boolean = ty == Type::I1 || made.is_some_and(|(op, _)| is_comparison(op));
        if !truth || boolean {
            let constant = self.f.make_int(ty, i64::from(truth));
            self.engine.forwarding.equate(value, constant);
        }
        let Some((op, [Some(x), y])) = made else { return };
        match (op, y, truth) {
            (Op::IsTrue | Op::Zext, None, _) => self.learn_truth(x, truth, depth - 1),
            (Op::Sext, None, _) => self.learn_truth(x, truth, depth - 1),
            (Op::IsZero, None, _) => self.learn_truth(x, !truth, depth - 1),
            (Op::Eq | Op::RefEq, Some(y), true) | (Op::Ne | Op::RefNe, Some(y), false) => {
                self.learn_equal(x, y);
            }
            (Op::Eq, Some(y), false) | (Op::Ne, Some(y), true) => {
                // Not zero, or, in one bit, the other one.
                let y = self.resolve(y);
                if self.f.int_constant(y).is_some_and(|y| !y.is_true()) {
                    self.learn_truth(x, true, depth - 1);
                } else if self.f.ty(x) == Type::I1 && self.f.int_constant(y).is_some() {
                    self.learn_truth(x, false, depth - 1);
                }
            }
            (Op::IsNull, None, true) | (Op::IsNonnull, None, false) => {
                let null = self.f.make_constant(planish_ir::Const::Null);
                self.learn_equal(x, null);
            }
            // All bits of an and, or none of an or.
            (Op::And, Some(y), true) if self.is_boolean(x) && self.is_boolean(y) => {
                self.learn_truth(x, true, depth - 1);
                self.learn_truth(y, true, depth - 1);
            }
            (Op::Or, Some(y), false) => {
                self.learn_truth(x, false, depth - 1);
                self.learn_truth(y, false, depth - 1);
            }
            _ => {}
        }
    }

    /// From here on both are the same value.
    fn learn_equal(&mut self, a: Value, b: Value) {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b || self.f.ty(a) != self.f.ty(b) {
            return;
        }
        // Constants stand for everything else, older values for younger ones.
        let rank = |value: Value| (!matches!(self.f.def(value), Def::Const(_)), value);
        let (from, to) = if rank(a) < rank(b) { (b, a) } else { (a, b) };
        // Two constants: control does not get here.
        if !matches!(self.f.def(from), Def::Const(_)) {
            self.engine.forwarding.equate(from, to);
        }
    }

    /// Whether a value is 0 or 1.
    pub(crate) fn is_boolean(&mut self, value: Value) -> bool {
        let value = self.resolve(value);
        self.f.ty(value) == Type::I1
            || operation(self.f, value).is_some_and(|(op, _)| is_comparison(op))
            || self.f.int_constant(value).is_some_and(|int| int.unsigned() <= 1)
    }

    // ---- Guards ---------------------------------------------------------------------------------

    /// Decides a guard, or keeps it.
    pub(crate) fn guard(&mut self, inst: Inst) -> Outcome {
        self.resolve_args(inst);
        if !self.features.control {
            return Outcome::Keep;
        }
        self.turn_guard(inst);
        let holds = self.guard_holds(inst);
        match holds {
            Some(true) => {
                if !self.rewrite(Kind::Holds, inst, Became::Nothing) {
                    return Outcome::Keep;
                }
                if self.f.results(inst).len() == 1 {
                    let (result, operand) = (self.f.result(inst), self.f.args(inst)[0]);
                    self.replace(result, operand);
                }
                Outcome::Gone
            }
            Some(false) => match self.rewrite(Kind::Fails, inst, Became::Changed) {
                true => Outcome::Last,
                false => Outcome::Keep,
            },
            None => self.repeated_guard(inst),
        }
    }

    /// Lets a guard on a negation be the opposite guard.
    fn turn_guard(&mut self, inst: Inst) {
        loop {
            let op = self.f.inst(inst).op;
            let (Op::GuardTrue | Op::GuardFalse, &[condition]) = (op, self.f.args(inst)) else { return };
            let (inner, opposite) = match operation(self.f, condition) {
                Some((Op::IsZero, &[x])) => (x, true),
                Some((Op::IsTrue, &[x])) => (x, false),
                _ => return,
            };
            let inner = self.resolve(inner);
            let negated = op.row().negated.expect("guards on truth have an opposite");
            let op = if opposite { negated } else { op };
            if !self.rewrite(Kind::Branch, inst, Became::Op(op)) {
                return;
            }
            self.f.rewrite_inst(inst, op, &[inner]);
        }
    }

    /// Whether the condition of a guard is known to hold, or not to.
    fn guard_holds(&mut self, inst: Inst) -> Option<bool> {
        let (op, args) = (self.f.inst(inst).op, self.f.args(inst));
        match (op, args) {
            (Op::GuardTrue, &[c]) => self.f.int_constant(c).map(|c| c.is_true()),
            (Op::GuardFalse, &[c]) => self.f.int_constant(c).map(|c| !c.is_true()),
            (Op::GuardValue, &[x, y]) if x == y => Some(true),
            (Op::GuardValue, &[x, y]) => {
                let both = self.f.int_constant(x).zip(self.f.int_constant(y));
                both.map(|(x, y)| x == y)
            }
            (Op::GuardNonnull | Op::NullCheck, &[x]) => self.nullness(x).map(|null| !null),
            (Op::GuardIsnull, &[x]) => self.nullness(x),
            (Op::GuardClass | Op::GuardNonnullClass, &[x, _]) => match self.nullness(x) {
                Some(true) if op == Op::GuardNonnullClass => Some(false),
                _ => None,
            },
            (Op::CheckCast, &[x]) if self.nullness(x) == Some(true) => Some(true),
            (Op::BoundsCheck, &[i, n]) => {
                let (i, n) = self.f.int_constant(i).zip(self.f.int_constant(n))?;
                Some((0..n.signed()).contains(&i.signed()))
            }
            _ => None,
        }
    }

    /// Whether a reference is null, where that is known.
    fn nullness(&self, value: Value) -> Option<bool> {
        match self.f.constant(value) {
            Some(planish_ir::Const::Null) => Some(true),
            Some(planish_ir::Const::Symbol(..)) => Some(false),
            _ => None,
        }
    }

    /// Drops a guard when an equal one dominates it: its condition is of values that do not change.
    fn repeated_guard(&mut self, inst: Inst) -> Outcome {
        use Op::*;
        let op = self.f.inst(inst).op;
        if !self.features.number
            || !matches!(
                op,
                GuardTrue
                    | GuardFalse
                    | GuardValue
                    | GuardNonnull
                    | GuardIsnull
                    | GuardClass
                    | GuardNonnullClass
                    | NullCheck
                    | BoundsCheck
                    | CheckCast
            )
        {
            return Outcome::Keep;
        }
        let key = Key::of(self.f, inst);
        match self.engine.numbering.find(self.f, &key) {
            Some(_) => {
                if !self.rewrite(Kind::Number, inst, Became::Nothing) {
                    return Outcome::Keep;
                }
                if self.f.results(inst).len() == 1 {
                    let (result, operand) = (self.f.result(inst), self.f.args(inst)[0]);
                    self.replace(result, operand);
                }
                Outcome::Gone
            }
            None => Outcome::Keep,
        }
    }

    /// Teaches what an emitted guard shows to what follows.
    pub(crate) fn taught_by_guard(&mut self, inst: Inst) {
        if !self.features.control {
            return;
        }
        if self.features.number {
            let key = Key::of(self.f, inst);
            self.engine.numbering.insert(self.f, key, Known::Inst(inst));
        }
        match (self.f.inst(inst).op, self.f.args(inst)) {
            (Op::GuardTrue, &[c]) => self.learn_truth(c, true, DEPTH),
            (Op::GuardFalse, &[c]) => self.learn_truth(c, false, DEPTH),
            (Op::GuardValue, &[x, y]) => self.learn_equal(x, y),
            (Op::GuardIsnull, &[x]) => {
                let null = self.f.make_constant(planish_ir::Const::Null);
                self.learn_equal(x, null);
            }
            _ => {}
        }
    }

    // ---- Block parameters -----------------------------------------------------------------------

    /// Lets a parameter that is always the same value be that value.
    pub(crate) fn parameters(&mut self, block: Block) {
        if block == self.f.entry() || self.engine.walk.flow.is_handler(block) {
            return;
        }
        for index in 0..self.f.block_params(block).len() {
            let param = self.f.block_params(block)[index];
            let Join::Same(value) = self.engine.joins[param] else { continue };
            if value == param || !self.stays_around(block, index, param) {
                continue;
            }
            let became = Became::Value { of: param, is: value };
            if self.record.rewrite(Kind::Parameter, Site::NONE, became) {
                self.replace(param, value);
            }
        }
    }

    /// Whether every edge that retreats to the block passes the parameter on as it is.
    fn stays_around(&self, block: Block, index: usize, param: Value) -> bool {
        let back = &self.engine.walk.flow.back;
        let first = back.partition_point(|&(target, _)| target < block);
        back[first..].iter().take_while(|&&(target, _)| target == block).all(|&(_, source)| {
            let mut calls = self.f.block_calls(source).filter(|call| call.block == block);
            calls.all(|call| self.f.list(call.args)[index] == param)
        })
    }

    // ---- Terminators ----------------------------------------------------------------------------

    /// Resolves and decides the end of a block, and says where control may go.
    pub(crate) fn terminator(&mut self, block: Block) {
        let mut terminator = self.f.take_terminator(block);
        if self.features.control {
            terminator = self.decide(terminator);
        }
        match &mut terminator {
            Terminator::Jump(call) => self.edge(*call, None),
            Terminator::Branch { condition, then, other } => {
                *condition = self.resolve(*condition);
                self.edge(*then, Some(Lesson::Truth(*condition, true)));
                self.edge(*other, Some(Lesson::Truth(*condition, false)));
            }
            Terminator::Switch { on, cases, default } => {
                *on = self.resolve(*on);
                for (key, call) in cases.iter() {
                    let key = self.f.make_constant(*key);
                    self.edge(*call, Some(Lesson::Equal(*on, key)));
                }
                self.edge(*default, None);
            }
            Terminator::Return(results) => self.resolve_list(*results),
            Terminator::Throw(value, exit) => {
                *value = self.resolve(*value);
                if let Some(exit) = exit {
                    *exit = self.resolved_exit(*exit);
                }
            }
            Terminator::Unreachable => {}
        }
        self.f.set_terminator(block, terminator);
    }

    /// A simpler way to end, where one is known.
    fn decide(&mut self, mut terminator: Terminator) -> Terminator {
        loop {
            let simpler = match &terminator {
                Terminator::Branch { condition, then, other } => {
                    let condition = self.resolve(*condition);
                    if let Some(known) = self.f.int_constant(condition) {
                        Terminator::Jump(if known.is_true() { *then } else { *other })
                    } else if self.same_call(*then, *other) {
                        Terminator::Jump(*then)
                    } else {
                        match operation(self.f, condition) {
                            Some((Op::IsTrue | Op::Zext | Op::Sext, &[x])) => {
                                Terminator::Branch { condition: x, then: *then, other: *other }
                            }
                            Some((Op::IsZero, &[x])) => {
                                Terminator::Branch { condition: x, then: *other, other: *then }
                            }
                            _ => return terminator,
                        }
                    }
                }
                Terminator::Switch { on, cases, default } => {
                    let on = self.resolve(*on);
                    if let Some(known) = self.f.int_constant(on) {
                        let case = cases.iter().find(|(key, _)| *key == known);
                        Terminator::Jump(case.map_or(*default, |(_, call)| *call))
                    } else if cases.iter().all(|(_, call)| self.same_call(*call, *default)) {
                        Terminator::Jump(*default)
                    } else {
                        return terminator;
                    }
                }
                _ => return terminator,
            };
            if !self.record.rewrite(Kind::Branch, Site::NONE, Became::Changed) {
                return terminator;
            }
            terminator = simpler;
        }
    }

    fn same_call(&mut self, a: BlockCall, b: BlockCall) -> bool {
        a.block == b.block
            && a.args.len() == b.args.len()
            && (0..a.args.len()).all(|index| {
                let (x, y) = (self.f.list(a.args)[index], self.f.list(b.args)[index]);
                self.resolve(x) == self.resolve(y)
            })
    }

    fn resolve_list(&mut self, list: List<Value>) {
        for value in self.f.list_mut(list) {
            *value = self.engine.forwarding.resolve(*value);
        }
    }

    /// An edge that may be taken: what it passes on, and what it teaches.
    fn edge(&mut self, call: BlockCall, lesson: Option<Lesson>) {
        let mark = self.engine.forwarding.mark();
        if self.features.control
            && !call.args.is_empty()
            && let Some(lesson) = lesson
        {
            self.learn(lesson);
        }
        self.resolve_list(call.args);
        self.engine.forwarding.undo(mark);
        self.engine.walk.live(call.block);
        self.engine.lessons[call.block] = lesson;
        for index in 0..call.args.len() {
            let (param, arg) = (self.f.block_params(call.block)[index], self.f.list(call.args)[index]);
            let join = &mut self.engine.joins[param];
            *join = match *join {
                Join::None => Join::Same(arg),
                Join::Same(same) if same == arg => Join::Same(same),
                _ => Join::Differ,
            };
        }
    }
}
