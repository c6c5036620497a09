//! Library call folding in traces, and division by constants through the reciprocal (Granlund and Montgomery 1994).
//!
//! A trace divides by calling a function. Where the divisor is a constant, the call becomes a shift or a
//! multiplication by the reciprocal (Granlund and Montgomery, "Division by Invariant Integers using
//! Multiplication", 1994): with 2^i < c < 2^(i+1) and k = ceil(2^(64+i) / c), n / c is
//! floor(n * k / 2^(64+i)) for 0 <= n < 2^63, because k * c exceeds 2^(64+i) by less than c <= 2^(i+1). A
//! negative n is complemented before and the quotient after, which rounds down. Where the call stays, the
//! bounds of its result are known.

use planish_base::Id;
use planish_ir::{Const, Inst, Location, Symbol, Value};
use planish_ops::world::{Content, Meaning, Remark};
use planish_ops::{Int, Op, Type};
use planish_pass::record::Became;
use smallvec::SmallVec;

use super::state::{Memory, REWRITE};
use crate::engine::Cx;
use crate::engine::lesson::Lesson;
use crate::engine::refs::Known;
use crate::engine::stage::Outcome;

impl Cx<'_> {
    /// A constant as a world knows it.
    pub(crate) fn content(&self, value: Value) -> Option<Content> {
        Some(match self.f.constant(value)? {
            Const::Int(int) => Content::Int(int.signed()),
            Const::Real(number) => Content::Float(number.0.to_bits()),
            Const::Null => Content::Null,
            Const::Symbol(symbol, _) => Content::Symbol(symbol.index() as u32),
            Const::Hole => return None,
        })
    }

    /// The constant of a type that a world tells of.
    pub(crate) fn constant_of(&mut self, content: Content, ty: Type) -> Option<Value> {
        Some(match (content, ty) {
            (Content::Int(int), Type::Int(_)) => self.f.make_int(ty, int),
            (Content::Float(bits), Type::Float(format)) => {
                self.f.make_constant(planish_ops::Real::from_bits(format, bits))
            }
            (Content::Null, Type::Ref) => self.f.make_constant(Const::Null),
            (Content::Symbol(symbol), ty @ (Type::Ref | Type::I64)) => {
                self.f.make_constant(Const::Symbol(Symbol::from_index(symbol as usize), ty))
            }
            _ => return None,
        })
    }
}

impl Memory {
    /// The result of a call on constants, where the world knows it.
    pub(super) fn known_result(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Value> {
        let result = cx.f.results(inst).next()?;
        for index in 0..cx.f.args(inst).len() {
            let arg = cx.f.args(inst)[index];
            self.force_constant_string(cx, arg);
        }
        cx.resolve_args(inst);
        if cx.f.args(inst).iter().any(|&arg| cx.f.constant(arg).is_none()) {
            return None;
        }
        let operands: Option<Vec<Content>> = cx.f.args(inst).iter().map(|&arg| cx.content(arg)).collect();
        let found = cx.world.known_result(&operands?)?;
        let ty = cx.f.ty(result);
        cx.constant_of(found, ty)
    }

    /// A remark about the program: one that promises something is known from here on, and one about an object that
    /// is not made says nothing. Neither stays.
    pub(super) fn marker(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let remark = cx.f.inst(inst).descr.and_then(|descr| cx.world.remark(descr));
        let promise = remark.filter(|&remark| remark != Remark::Kept);
        if let Some(promise) = promise {
            self.promise(cx, inst, promise);
        }
        // PyPy makes what is to be kept, and takes that for something that may change memory.
        if cx.features.plain && remark == Some(Remark::Kept) {
            self.force_all_args(cx, inst);
            self.flush_all(cx);
            self.heap.forget_all();
            self.calls.look_ups.written(cx.world, None);
            return Outcome::Keep;
        }
        if promise.is_none() && !cx.f.args(inst).iter().any(|&arg| self.kept_back(arg)) {
            return Outcome::Keep;
        }
        let goes = promise.is_some() || cx.f.args(inst).iter().any(|&arg| self.virtuals.is(arg));
        if goes && cx.rewrite(REWRITE, inst, Became::Nothing) {
            return Outcome::Gone;
        }
        self.force_all_args(cx, inst);
        Outcome::Keep
    }

    /// What a remark promises is known from here on.
    fn promise(&mut self, cx: &mut Cx<'_>, inst: Inst, remark: Remark) {
        let args = SmallVec::<[Value; 4]>::from_slice(cx.f.args(inst));
        match (remark, &args[..]) {
            (Remark::Nonnull, &[x]) => cx.engine.refs.is_there(cx.f, x),
            (Remark::ExactClass, &[x, class]) => {
                cx.engine.refs.learn(cx.f, x, Known { nonnull: true, class: Some(class) });
            }
            // PyPy learns nothing from how the value was computed.
            (Remark::ExactValue, &[x, y]) if cx.features.plain => cx.equate(x, y),
            (Remark::ExactValue, &[x, y]) => {
                let lesson = match cx.int(y) {
                    Some(truth) if cx.is_boolean(x) => Lesson::Truth(x, truth.is_true()),
                    _ => Lesson::Equal(x, y),
                };
                // What cannot be kept was promised of a place that is never reached.
                let _ = cx.learn(lesson);
            }
            (Remark::KnownResult, [result, operands @ ..]) => {
                self.calls.promise(operands.to_vec(), *result);
            }
            _ => {}
        }
    }

    /// A call that divides.
    pub(super) fn division(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        let (meaning, _) = cx.world.meaning(cx.f.inst(inst).descr?)?;
        let &[_, x, y] = cx.f.args(inst) else { return None };
        let result = cx.f.results(inst).next()?;
        let value = match meaning {
            Meaning::FloorDiv => self.quotient(cx, x, y),
            Meaning::FloorMod => self.remainder(cx, x, y),
            Meaning::UnsignedDiv => cx.int(y).filter(|y| y.signed() == 1).map(|_| x),
            _ => return None,
        };
        match value {
            Some(value) if cx.rewrite(REWRITE, inst, Became::Value { of: result, is: value }) => {
                Some(Outcome::Value(value))
            }
            _ => {
                let op = match meaning {
                    // PyPy knows nothing of a quotient whose divisor may be 0.
                    Meaning::FloorDiv if cx.features.plain && cx.fact(y).contains(Int::new(64, 0)) => {
                        return None;
                    }
                    Meaning::FloorDiv => Op::FloorDiv,
                    Meaning::FloorMod => Op::FloorMod,
                    _ => return None,
                };
                // The operation stands nowhere: it is asked what its result can be.
                let like = cx.f.make_inst(op, &[x, y], &[], None, None, Location::default());
                if let (Some(fact), _) = cx.engine.facts.results(cx.f, like) {
                    cx.engine.facts.define(result, fact);
                }
                None
            }
        }
    }

    /// x / y rounded down.
    fn quotient(&mut self, cx: &mut Cx<'_>, x: Value, y: Value) -> Option<Value> {
        if cx.int(x).is_some_and(|x| !x.is_true()) {
            return Some(x);
        }
        let place = Location::default();
        let word = |cx: &mut Cx<'_>, value: i64| cx.f.make_int(Type::I64, value);
        let Some(divisor) = cx.int(y).map(|y| y.signed()) else {
            // A power of two that is computed.
            let made = cx.f.def_inst(y)?;
            let &[one, amount] = cx.f.args(made) else { return None };
            let shifted = cx.f.inst(made).op == Op::Lshift && cx.int(one)?.signed() == 1;
            let (amount, fact) = (cx.resolve(amount), cx.fact(amount));
            let power = shifted && fact.lo() >= 0 && fact.hi() < 63;
            return power.then(|| cx.build(Op::Rshift, &[x, amount], &[], place));
        };
        match divisor {
            1 => Some(x),
            -1 if cx.fact(x).lo() > i64::MIN => Some(cx.build(Op::Neg, &[x], &[], place)),
            2.. if divisor & (divisor - 1) == 0 => {
                let amount = word(cx, i64::from(divisor.trailing_zeros()));
                Some(cx.build(Op::Rshift, &[x, amount], &[], place))
            }
            3.. => {
                let shift = 63 - divisor.leading_zeros();
                let reciprocal = ((1u128 << (64 + shift)) / divisor as u128 + 1) as u64;
                let (reciprocal, shift) = (word(cx, reciprocal as i64), word(cx, i64::from(shift)));
                let sign = (cx.fact(x).lo() < 0).then(|| {
                    let amount = word(cx, 63);
                    cx.build(Op::Rshift, &[x, amount], &[], place)
                });
                let positive = match sign {
                    Some(sign) => cx.build(Op::Xor, &[x, sign], &[], place),
                    None => x,
                };
                let high = cx.build(Op::Umulh, &[positive, reciprocal], &[], place);
                let quotient = cx.build(Op::Urshift, &[high, shift], &[], place);
                Some(match sign {
                    Some(sign) => cx.build(Op::Xor, &[quotient, sign], &[], place),
                    None => quotient,
                })
            }
            _ => None,
        }
    }

    /// What is left of x divided by y rounded down.
    fn remainder(&mut self, cx: &mut Cx<'_>, x: Value, y: Value) -> Option<Value> {
        if cx.int(x).is_some_and(|x| !x.is_true()) {
            return Some(x);
        }
        let place = Location::default();
        let divisor = cx.int(y)?.signed();
        if divisor > 0 && divisor & (divisor - 1) == 0 {
            let mask = cx.f.make_int(Type::I64, divisor - 1);
            return Some(cx.build(Op::And, &[x, mask], &[], place));
        }
        if divisor < 3 {
            return None;
        }
        let quotient = self.quotient(cx, x, y)?;
        let product = cx.build(Op::Mul, &[quotient, y], &[], place);
        let rest = cx.build(Op::Sub, &[x, product], &[], place);
        cx.sharpen(rest, planish_domain::IntFact::interval(64, 0, divisor - 1));
        Some(rest)
    }
}
