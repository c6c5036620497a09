//! Decided guards and branches, and edge facts: a condition that is known decides its guard or branch, and one that is
//! not teaches what is dominated by either outcome (Muchnick 1997, 12.6; PyPy's guards).
//!
//! A condition that is known decides its guard or branch. One that is not known is known *behind* it: a
//! guard teaches what follows in its block and everything that dominates; an edge of a branch teaches the
//! blocks that only it reaches. Teaching goes through the operation that makes the condition: behind
//! `guard_true(eq(x, y))` x and y are one value, behind `guard_true(and(p, q))` both p and q hold.

use planish_base::{Id, fault};
use planish_domain::Contradiction;
use planish_ir::{Const, Def, Inst, Value};
use planish_ops::{Op, Type};
use planish_pass::record::{Became, Kind, Site};

use crate::engine::algebra::operation;
use crate::engine::backward_facts::Lessons;
use crate::engine::lesson::Lesson;
use crate::engine::numbering::{self, Key};
use crate::engine::stage::Outcome;
use crate::engine::state::Cx;

/// How deep teaching goes through operations that make a condition.
const DEPTH: u32 = 8;

impl Cx<'_> {
    // ---- Learning -------------------------------------------------------------------------------

    /// From here on a lesson holds. A contradiction says that control does not get here.
    pub(crate) fn learn(&mut self, lesson: Lesson) -> Result<(), Contradiction> {
        let mark = self.engine.facts.mark();
        if self.features.facts {
            let plain = self.features.plain;
            let engine = &mut *self.engine;
            let forwarding = &engine.forwarding;
            let mut lessons = Lessons {
                facts: &mut engine.facts,
                f: self.f,
                stands: &|value| forwarding.peek(value),
                plain,
            };
            match lesson {
                Lesson::Truth(value, truth) => lessons.truth(value, truth)?,
                Lesson::Equal(x, y) if self.f.ty(x).int_width().is_some() => {
                    lessons.comparison(Op::Eq, x, y)?;
                }
                Lesson::Equal(..) => {}
                Lesson::Within(i, n) => {
                    let zero = self.f.make_int(self.f.ty(i), 0);
                    let mut lessons = Lessons {
                        facts: &mut engine.facts,
                        f: self.f,
                        stands: &|value| forwarding.peek(value),
                        plain,
                    };
                    lessons.comparison(Op::Ge, i, zero)?;
                    lessons.comparison(Op::Lt, i, n)?;
                }
            }
        }
        match lesson {
            Lesson::Truth(value, truth) => self.learn_truth(value, truth, DEPTH),
            Lesson::Equal(a, b) => self.learn_equal(a, b),
            Lesson::Within(..) => {}
        }
        self.equate_constants(mark);
        Ok(())
    }

    /// Lets a constant stand for every value of which only one word is left since `mark`.
    fn equate_constants(&mut self, mark: usize) {
        for index in mark..self.engine.facts.mark() {
            let (value, known) = self.engine.facts.taught(index);
            if let Some(constant) = known.as_constant()
                && self.resolve(value) == value
                && self.f.constant(value).is_none()
            {
                let constant = self.f.make_constant(constant);
                self.engine.forwarding.equate(value, constant);
            }
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
        let boolean = self.is_boolean(value);
        if !truth || boolean {
            let constant = self.truth_in(ty, truth);
            self.engine.forwarding.equate(value, constant);
        } else if !self.features.plain {
            self.is_not_zero(value, ty);
        }
        let Some((op, [Some(x), y])) = made else { return };
        match (op, y, truth) {
            (Op::Zext | Op::Sext, None, _) => self.learn_truth(x, truth, depth - 1),
            (Op::IsTrue | Op::IsZero, None, _) => {
                let not_zero = truth == (op == Op::IsTrue);
                if not_zero {
                    let x = self.resolve(x);
                    self.is_not_zero(x, ty);
                }
                self.learn_truth(x, not_zero, depth - 1);
            }
            // PyPy learns nothing from what was found out about two references, and of two integers only their ranges.
            (Op::RefEq | Op::RefNe, ..) if self.features.plain => {}
            (Op::Eq, _, true) | (Op::Ne, _, false) if self.features.plain => {}
            (Op::Eq | Op::RefEq, Some(y), true) | (Op::Ne | Op::RefNe, Some(y), false) => {
                self.learn_equal(x, y);
            }
            (Op::Lt | Op::Le | Op::Gt | Op::Ge | Op::Ult | Op::Ule | Op::Ugt | Op::Uge, Some(y), _) => {
                self.learn_order(op, truth, [x, y], ty);
            }
            (Op::Eq, Some(y), false) | (Op::Ne, Some(y), true) => {
                self.learn_order(op, truth, [x, y], ty);
                // Not zero, or, in one bit, the other one.
                let y = self.resolve(y);
                if self.f.int_constant(y).is_some_and(|y| !y.is_true()) {
                    self.learn_truth(x, true, depth - 1);
                } else if self.f.ty(x) == Type::I1 && self.f.int_constant(y).is_some() {
                    self.learn_truth(x, false, depth - 1);
                }
            }
            (Op::IsNull, None, false) | (Op::IsNonnull, None, true) | (Op::InstanceOf, None, true) => {
                self.learn_nonnull(x);
            }
            (Op::RefEq, Some(y), false) | (Op::RefNe, Some(y), true) => {
                for (x, y) in [(x, y), (y, x)] {
                    let y = self.resolve(y);
                    if self.nullness(y) == Some(true) {
                        self.learn_nonnull(x);
                    }
                }
            }
            (Op::IsNull, None, true) | (Op::IsNonnull, None, false) => {
                let null = self.f.make_constant(Const::Null);
                self.learn_equal(x, null);
            }
            // All bits of an and, or none of an or.
            (Op::And, Some(y), false) if fault!("control: a false conjunction teaches both") => {
                self.learn_truth(x, false, depth - 1);
                self.learn_truth(y, false, depth - 1);
            }
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

    /// Answers the questions whether a word is zero, in a type: it is not, which no fact about it says.
    fn is_not_zero(&mut self, word: Value, ty: Type) {
        if !self.features.number {
            return;
        }
        let [yes, no] = self.truths(ty);
        for (question, answer) in [(Op::IsTrue, yes), (Op::IsZero, no)] {
            self.answer(question, &[word], ty, answer);
        }
    }

    /// From here on a comparison of two integers holds, or does not: answers what that says of other comparisons of the same
    /// two. Of a constant facts say more.
    fn learn_order(&mut self, op: Op, truth: bool, operands: [Value; 2], ty: Type) {
        let operands = operands.map(|operand| self.resolve(operand));
        let is_constant = operands.iter().any(|&operand| self.f.constant(operand).is_some());
        let asks = self.features.number && !self.features.plain;
        let Some(negated) = op.row().negated.filter(|_| !is_constant && asks) else { return };
        let (holds, fails) = if truth { (op, negated) } else { (negated, op) };
        let [yes, no] = self.truths(ty);
        self.answer(holds, &operands, ty, yes);
        self.answer(fails, &operands, ty, no);
        // Who is less is not equal, and not greater.
        if let (Op::Lt | Op::Gt | Op::Ult | Op::Ugt, Some(greater)) = (holds, holds.swapped())
            && let Some(at_most) = greater.row().negated
        {
            for (question, answer) in [(at_most, yes), (greater, no), (Op::Ne, yes), (Op::Eq, no)] {
                self.answer(question, &operands, ty, answer);
            }
        }
    }

    /// Yes and no in a type.
    fn truths(&mut self, ty: Type) -> [Value; 2] {
        [true, false].map(|truth| self.truth_in(ty, truth))
    }

    /// One of them. Nearly all that are asked for one after the other are of one type.
    fn truth_in(&mut self, ty: Type, truth: bool) -> Value {
        let known = self.engine.truths.filter(|&(of, _)| of == ty).map_or([None; 2], |(_, known)| known);
        known[usize::from(truth)].unwrap_or_else(|| {
            let (mut known, value) = (known, self.f.make_int(ty, i64::from(truth)));
            known[usize::from(truth)] = Some(value);
            self.engine.truths = Some((ty, known));
            value
        })
    }

    /// From here on the answer to a question is known, where it is asked for a result of a type.
    fn answer(&mut self, question: Op, operands: &[Value], ty: Type, answer: Value) {
        let key = Key::short(question, operands, Some(ty));
        match self.engine.numbering.find(self.f, &key) {
            // It was asked before the answer was known.
            Some(numbering::Known::Value(asked)) if !self.features.plain => self.learn_equal(asked, answer),
            Some(_) => {}
            None => self.engine.numbering.insert(self.f, key, numbering::Known::Value(answer)),
        }
    }

    /// From here on two values are the same.
    pub(crate) fn equate(&mut self, a: Value, b: Value) {
        self.learn_equal(a, b);
    }

    /// From here on a reference is not null.
    fn learn_nonnull(&mut self, value: Value) {
        let value = self.resolve(value);
        self.engine.refs.is_there(self.f, value);
    }

    /// From here on both are the same value.
    fn learn_equal(&mut self, a: Value, b: Value) {
        let (a, b) = (self.resolve(a), self.resolve(b));
        if a == b || self.f.ty(a) != self.f.ty(b) {
            return;
        }
        // Constants stand for everything else, older values for younger ones.
        let age = |value: Value| self.engine.ages.of(self.f, value);
        let rank = |value: Value| (!matches!(self.f.def(value), Def::Const(_)), age(value), value);
        let (from, to) = if rank(a) < rank(b) { (b, a) } else { (a, b) };
        let is_constant = matches!(self.f.def(to), Def::Const(_));
        if self.f.ty(to) == Type::Ref && !is_constant && self.world.references_are_typed() {
            return;
        }
        // Two constants: control does not get here.
        if !matches!(self.f.def(from), Def::Const(_)) {
            if is_constant && self.f.ty(to) == Type::Ref {
                let known = self.engine.refs.get(self.f, from);
                self.engine.refs.learn(self.f, to, known);
            }
            self.engine.forwarding.equate(from, to);
        }
    }

    /// Whether a value is 0 or 1.
    pub(crate) fn is_boolean(&mut self, value: Value) -> bool {
        let value = self.resolve(value);
        self.engine.facts.is_boolean(self.f, value)
            || operation(self.f, value).is_some_and(|(op, _)| op.row().truth)
    }

    // ---- Guards ---------------------------------------------------------------------------------

    /// Decides a guard, or keeps it.
    pub(crate) fn guard(&mut self, inst: Inst) -> Outcome {
        self.resolve_args(inst);
        if !self.features.control {
            return Outcome::Keep;
        }
        self.turn_guard(inst);
        let mut holds = self.guard_holds(inst);
        // A rule makes a guard cheaper, so this ends; the budget bounds it all the same.
        while holds.is_none()
            && self.features.rules
            && let Some((outcome, rule)) = self.guard_rule(inst)
        {
            if outcome != Outcome::Keep {
                return outcome;
            }
            if !self.budget.take(1) {
                self.record.deny(&self.budget, rule, self.f, Site::of(self.f, inst));
                break;
            }
            holds = self.guard_holds(inst);
        }
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
            let asks_twice = op == Op::GuardNonnullClass && !self.features.plain;
            if asks_twice && self.nullness(self.f.args(inst)[0]) == Some(false) {
                // The class is all that is left to ask. PyPy asks for both.
                let &[object, class] = self.f.args(inst) else { unreachable!("{op} has two operands") };
                if self.rewrite(Kind::Fact, inst, Became::Op(Op::GuardClass)) {
                    self.f.rewrite_inst(inst, Op::GuardClass, &[object, class]);
                }
                return;
            }
            let (Op::GuardTrue | Op::GuardFalse, &[condition]) = (op, self.f.args(inst)) else { return };
            if self.features.plain {
                return;
            }
            let (inner, opposite) = match operation(self.f, condition) {
                Some((Op::IsZero, &[x])) => (x, true),
                Some((Op::IsTrue, &[x])) => (x, false),
                _ => return,
            };
            let inner = self.resolve(inner);
            let negated = op.row().negated.expect("guards on truth have an opposite");
            let opposite = opposite != fault!("control: a guard is turned wrongly");
            let op = if opposite { negated } else { op };
            if !self.rewrite(Kind::Branch, inst, Became::Op(op)) {
                return;
            }
            self.f.rewrite_inst(inst, op, &[inner]);
        }
    }

    /// Whether an integer is known not to be zero, or to be zero.
    pub(crate) fn truth(&self, value: Value) -> Option<bool> {
        self.engine.facts.truth(self.f, value)
    }

    /// Whether the condition of a guard is known to hold, or not to.
    fn guard_holds(&mut self, inst: Inst) -> Option<bool> {
        let (op, args) = (self.f.inst(inst).op, self.f.args(inst));
        match (op, args) {
            (Op::GuardTrue, &[c]) if self.features.plain && self.f.ty(c) == Type::I64 => {
                let one = self.f.make_int(Type::I64, 1);
                self.engine.facts.compare(self.f, Op::Eq, c, one)
            }
            (Op::GuardTrue, &[c]) => self.truth(c),
            (Op::GuardFalse, &[c]) => self.truth(c).map(|holds| !holds),
            (Op::GuardValue, &[x, y]) if x == y => Some(true),
            (Op::GuardValue, &[x, y]) if self.f.ty(x).int_width().is_some() => {
                self.engine.facts.compare(self.f, Op::Eq, x, y)
            }
            (Op::GuardNonnull | Op::NullCheck, &[x]) => self.nullness(x).map(|null| !null),
            (Op::GuardIsnull, &[x]) => self.nullness(x),
            (Op::GuardClass | Op::GuardNonnullClass, &[x, class]) => self.is_of_class(x, class),
            (Op::CheckCast, &[x]) if self.nullness(x) == Some(true) => Some(true),
            (Op::BoundsCheck, &[i, n]) => {
                let zero = self.f.make_int(self.f.ty(i), 0);
                let facts = &self.engine.facts;
                let above = facts.compare(self.f, Op::Ge, i, zero);
                match (above, facts.compare(self.f, Op::Lt, i, n)) {
                    (Some(true), Some(true)) => Some(true),
                    (Some(false), _) | (_, Some(false)) => Some(false),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Whether a reference is not null and of exactly the class at an address, where that is known.
    fn is_of_class(&mut self, x: Value, class: Value) -> Option<bool> {
        if let Some(known) = self.engine.refs.class(self.f, x, class) {
            return Some(known);
        }
        let own = self.engine.refs.get(self.f, x).class.or_else(|| self.class_of(x))?;
        if own == class { Some(true) } else { self.differ(own, class).then_some(false) }
    }

    /// Whether two symbols surely are different.
    pub(crate) fn differ(&self, a: Value, b: Value) -> bool {
        match (self.f.constant(a), self.f.constant(b)) {
            (Some(Const::Symbol(a, _)), Some(Const::Symbol(b, _))) => {
                self.world.differ(a.index() as u32, b.index() as u32)
            }
            _ => false,
        }
    }

    /// Whether a reference is null, where that is known.
    fn nullness(&self, value: Value) -> Option<bool> {
        self.engine.refs.null(self.f, value)
    }

    /// Whether an equal guard that was passed would not decide a guard already, by what it taught.
    fn may_repeat(&self, inst: Inst) -> bool {
        use Op::*;
        if !self.features.number {
            return false;
        }
        let constant = |operand: usize| matches!(self.f.def(self.f.args(inst)[operand]), Def::Const(_));
        // Of a constant nothing is learned: two names may be of one object.
        match self.f.inst(inst).op {
            GuardTrue | NullCheck | BoundsCheck | CheckCast => true,
            // A constant stands for what was asked about.
            GuardFalse | GuardIsnull => constant(0),
            GuardValue => constant(0) || !constant(1),
            // The references are known.
            GuardNonnull => !self.features.facts || constant(0),
            GuardClass | GuardNonnullClass => !self.features.facts || constant(0) || !constant(1),
            _ => false,
        }
    }

    /// Drops a guard when an equal one dominates it: its condition is of values that do not change.
    fn repeated_guard(&mut self, inst: Inst) -> Outcome {
        if !self.may_repeat(inst) {
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
    pub(crate) fn taught_by_guard(&mut self, inst: Inst) -> Result<(), Contradiction> {
        if !self.features.control {
            return Ok(());
        }
        if self.may_repeat(inst) {
            let key = Key::of(self.f, inst);
            self.engine.numbering.insert(self.f, key, numbering::Known::Inst(inst));
        }
        match (self.f.inst(inst).op, self.f.args(inst)) {
            (Op::GuardTrue, &[c]) => {
                self.learn(Lesson::Truth(c, true))?;
                // What PyPy guards is 0 or 1.
                if self.features.plain && self.f.ty(c) == Type::I64 {
                    let one = self.f.make_int(Type::I64, 1);
                    self.learn(Lesson::Equal(c, one))?;
                }
                Ok(())
            }
            (Op::GuardFalse, &[c]) => {
                self.learn(Lesson::Truth(c, fault!("control: guard_false teaches the condition")))
            }
            (Op::GuardValue, &[x, y]) => self.learn(Lesson::Equal(x, y)),
            (Op::BoundsCheck, &[i, n]) => self.learn(Lesson::Within(i, n)),
            (Op::GuardIsnull, &[x]) => {
                let null = self.f.make_constant(Const::Null);
                self.learn(Lesson::Equal(x, null))
            }
            _ => Ok(()),
        }
    }

    // ---- Block parameters -----------------------------------------------------------------------

    // ---- Terminators ----------------------------------------------------------------------------
}
