//! Allocation removal (Bolz and others, PEPM 2011): the allocations that are delayed, and what is asked of objects that
//! do not exist yet.
//!
//! An object that is not made is no other one and not null, of a known class, and an array of a known
//! length: comparisons, guards and lengths are answered without it.

use planish_base::fault;
use planish_domain::IntFact;
use planish_ir::{Const, Inst, Value};
use planish_ops::world::Content;
use planish_ops::{Int, Op, Type};
use planish_pass::record::{Became, Kind};

use super::guards::different_classes;
use super::state::{HEAP, Memory, REWRITE, VIRTUALIZE};
use super::virtuals;
use crate::engine::Cx;
use crate::engine::stage::Outcome;

impl Memory {
    #[inline(never)]
    pub(super) fn allocation(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        if cx.f.inst(inst).op == Op::NewArray {
            self.lengths[cx.f.result(inst)] = Some(cx.f.args(inst)[0]);
        }
        if !self.options.virtualize || !self.never_leaves(cx, inst) {
            return Outcome::Keep;
        }
        cx.engine.dead.note_safe(inst);
        let data = cx.f.inst(inst);
        if data.descr.is_none() {
            return Outcome::Keep;
        }
        if data.op == Op::NewArray {
            let length = cx.f.args(inst)[0];
            let length = cx.int(length).map(Int::signed);
            if !length.is_some_and(|length| (0..=virtuals::LONGEST).contains(&length)) {
                return Outcome::Keep;
            }
        }
        if !cx.rewrite(VIRTUALIZE, inst, Became::Nothing) {
            return Outcome::Keep;
        }
        self.keep_back(cx, inst);
        Outcome::Gone
    }

    /// Does not make the object that an allocation would make here.
    pub(crate) fn keep_back(&mut self, cx: &mut Cx<'_>, inst: Inst) {
        let Some(descr) = cx.f.inst(inst).descr else { return };
        let length = match cx.f.inst(inst).op {
            Op::NewArray => {
                let length = cx.f.args(inst)[0];
                cx.int(length).map(Int::signed)
            }
            _ => None,
        };
        cx.engine.dead.note_safe(inst);
        let fresh = cx.world.fresh(descr);
        let object = cx.f.result(inst);
        cx.engine.refs.is_there(cx.f, object);
        self.virtuals.keep_back(object, inst, length, fresh);
    }

    /// Comparisons and guards that an object which is not made decides.
    pub(super) fn on_reference(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        if !self.any_kept_back() {
            return None;
        }
        let op = cx.f.inst(inst).op;
        let args = cx.f.args(inst);
        let (x, y) = (*args.first()?, args.get(1).copied());
        match self.kept_back(x) || y.is_some_and(|y| self.kept_back(y)) {
            true => self.decided_by_object(cx, inst, op, x, y),
            false => None,
        }
    }

    /// The same where one of two operands is an object that is not made.
    #[inline(never)]
    fn decided_by_object(
        &mut self,
        cx: &mut Cx<'_>,
        inst: Inst,
        op: Op,
        x: Value,
        y: Option<Value>,
    ) -> Option<Outcome> {
        let truth = match op {
            // An object that is not made is no other one, and not null.
            Op::RefEq => Some(Some(x) == y || fault!("memory: an object kept back equals any")),
            Op::RefNe => Some(Some(x) != y),
            Op::IsNull => Some(false),
            Op::IsNonnull => Some(true),
            _ => None,
        };
        if let Some(truth) = truth {
            let ty = cx.f.ty(cx.f.result(inst));
            let value = cx.f.make_int(ty, i64::from(truth));
            let became = Became::Value { of: cx.f.result(inst), is: value };
            return cx.rewrite(VIRTUALIZE, inst, became).then_some(Outcome::Value(value));
        }
        let holds = match op {
            Op::GuardNonnull => Some(true),
            Op::GuardIsnull => Some(false),
            Op::GuardClass | Op::GuardNonnullClass => {
                let class = self.class_of_unmade(cx, x)?;
                match y? {
                    y if y == class => Some(true),
                    y => different_classes(cx, y, class).then_some(false),
                }
            }
            Op::GuardValue if self.virtuals.is(x) => Some(Some(x) == y),
            // PyPy promotes nothing that it has not made.
            Op::GuardValue if cx.features.plain && self.strings.is(x) => Some(false),
            _ => None,
        };
        match holds? {
            true if cx.rewrite(Kind::Holds, inst, Became::Nothing) => Some(Outcome::Gone),
            false if cx.rewrite(Kind::Fails, inst, Became::Changed) => Some(Outcome::Last),
            _ => None,
        }
    }

    /// The object at the address of an object.
    #[inline(never)]
    pub(super) fn cast_back(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let address = cx.f.args(inst)[0];
        let import = cx.engine.imports.get(address).map(|id| cx.engine.imports.all[id].inst);
        let cast = import.or_else(|| cx.f.def_inst(address));
        let cast = cast.filter(|&cast| cx.f.inst(cast).op == Op::RefToInt);
        let whole = cx.f.ty(address) == Type::I64;
        let Some(cast) = cast.filter(|_| whole) else { return Outcome::Keep };
        let (of, is) = (cx.f.result(inst), cx.f.args(cast)[0]);
        let is = cx.resolve(is);
        match cx.rewrite(REWRITE, inst, Became::Value { of, is }) {
            true => Outcome::Value(is),
            false => Outcome::Keep,
        }
    }

    #[inline(never)]
    pub(super) fn length(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let array = cx.f.args(inst)[0];
        if cx.features.plain && self.options.types {
            self.accessed.layouts[array] = cx.f.inst(inst).descr;
        }
        if self.never_leaves(cx, inst) {
            cx.engine.dead.note_safe(inst);
        }
        if self.never_leaves(cx, inst) && matches!(cx.f.constant(array), Some(Const::Null)) {
            return self.never_passes(cx, inst);
        }
        let result = cx.f.result(inst);
        let known = self.virtuals.length(array).map(|length| cx.f.make_int(Type::I64, length));
        let known = known.or_else(|| self.constant_array_length(cx, array)).or(self.lengths[array]);
        let Some(value) = known.map(|length| cx.resolve(length)).filter(|&l| cx.f.ty(l) == cx.f.ty(result))
        else {
            self.bound_length(cx, inst);
            // Also an object that is no array, where this means nothing.
            self.force(cx, array);
            self.lengths[array] = Some(result);
            return Outcome::Keep;
        };
        // PyPy asks an array that it has made for its length, though it knows the answer.
        let names_array = cx.f.inst(inst).descr.is_some_and(|descr| cx.world.location(descr).is_some());
        let asks = cx.features.plain && names_array && self.virtuals.was_made(array);
        if asks && self.lengths[array] == Some(value) {
            self.lengths[array] = Some(result);
            cx.equate(result, value);
            return Outcome::Keep;
        }
        match cx.rewrite(HEAP, inst, Became::Value { of: result, is: value }) {
            true => {
                // Where somebody asks for the length, an item that was accessed is there.
                if self.never_leaves(cx, inst) && self.shortest[array] > 0 && cx.f.ty(value) == Type::I64 {
                    cx.sharpen(value, IntFact::interval(64, self.shortest[array], i64::MAX));
                }
                Outcome::Value(value)
            }
            false => {
                self.force(cx, array);
                Outcome::Keep
            }
        }
    }

    /// Says how much an operation at least gives, which asks for a length.
    pub(super) fn bound_length(&self, cx: &mut Cx<'_>, inst: Inst) {
        let (array, result) = (cx.f.args(inst)[0], cx.f.result(inst));
        if cx.f.ty(result) == Type::I64 && self.shortest[array] > 0 {
            cx.engine.facts.define(result, IntFact::interval(64, self.shortest[array], i64::MAX));
        }
    }

    /// How long an array at least is.
    pub(crate) fn least_length(&self, cx: &mut Cx<'_>, array: Value) -> i64 {
        let known = self.lengths[array].map_or(0, |length| cx.fact(length).lo());
        known.max(self.shortest[array])
    }

    /// The length of a declared constant array.
    fn constant_array_length(&mut self, cx: &mut Cx<'_>, array: Value) -> Option<Value> {
        let Some(Content::Symbol(symbol)) = cx.content(array) else { return None };
        let length = i64::try_from(cx.world.length_of(symbol)?).ok()?;
        Some(cx.f.make_int(Type::I64, length))
    }
}
