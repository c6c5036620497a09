//! Simplification of one pure operation: fold, number, algebra, facts, rules, emit (LLVM's `InstSimplify` and
//! `InstCombine` in one step).
//!
//! Everything here is a *refinement*: an operation that may leave (a division) is only given another
//! result where it cannot leave, or where an equal operation was made before and did not leave.

mod earlier;

use planish_base::fault;
use planish_domain::IntFact;
use planish_ir::{Const, Def, Function, Inst, Location, Value};
use planish_ops::meaning::Datum;
use planish_ops::{Exits, Fold, Int, Machine, Op, Type, fold};
use planish_pass::record::{Became, Column, Kind};

use crate::engine::algebra::{self, Simple};
use crate::engine::numbering::Key;
use crate::engine::state::Cx;

pub(crate) use earlier::without_overflow_bit;

/// Operands that fit the buffers here; the table has no foldable operation with more.
const MOST: usize = 4;

impl Cx<'_> {
    /// Takes an operation without effects through the engine. Returns whether control may come past it.
    pub(crate) fn visit(&mut self, inst: Inst) -> bool {
        // Operands before and after what holds only here ("x is 5") was put in their place.
        let mut outside = [None; 2];
        let mut only_here = false;
        for (index, value) in self.f.args_mut(inst).iter_mut().enumerate() {
            let permanent = self.engine.forwarding.permanent(*value);
            *value = self.engine.forwarding.resolve(permanent);
            only_here |= *value != permanent;
            if let Some(slot) = outside.get_mut(index) {
                *slot = Some(permanent);
            }
        }
        if self.features.fold && self.may_fold(inst) && self.fold(inst) {
            return self.gone(inst);
        }
        if self.features.fold && self.f.inst(inst).op == Op::Lookup && self.look_up(inst) {
            return self.gone(inst);
        }
        let key = self.key(inst);
        // What was asked before the answer was known is known now: to PyPy ranges come before equal operations.
        if self.features.plain && self.features.facts && self.f.results(inst).len() == 1 {
            let known = self.known_results(inst);
            if known.0.is_some() && self.decided(inst, &known) {
                return self.gone(inst);
            }
        }
        if self.features.number {
            if self.number(inst, &key) {
                return self.gone(inst);
            }
            // An equal operation may have been made before its operands were known this well.
            if only_here && !key.is_long() && self.number_outside(inst, outside) {
                return self.gone(inst);
            }
            if self.opposite(inst)
                || self.undone(inst)
                || self.features.plain && self.number_as_it_is_now(inst)
            {
                return self.gone(inst);
            }
        }
        let mut known = (None, None);
        let rewritten = self.features.algebra && self.algebra(inst)
            || self.features.facts && {
                known = self.known_results(inst);
                self.decided(inst, &known)
            }
            || self.features.rules && self.rule(inst);
        if rewritten {
            self.remember_result(inst, key);
            return self.gone(inst);
        }
        if self.features.control {
            self.drop_exit(inst);
        }
        // Any comparison gives 0 or 1, to PyPy also one of references or floats.
        if self.features.plain && self.features.facts && known.0.is_none() && self.f.row(inst).truth {
            let width = self.f.results(inst).next().and_then(|result| self.f.ty(result).int_width());
            known.0 = width.filter(|&width| width > 1).map(|width| IntFact::interval(width, 0, 1));
        }
        // Of a second result something is known only where it is of the first.
        if known.0.is_some() {
            self.define_results(inst, &known);
        }
        self.emit(inst);
        if self.is_made_to_pypy(inst)
            && let Some(constant) = known.0.and_then(|known| known.as_constant())
        {
            let (result, constant) = (self.f.result(inst), self.f.make_constant(constant));
            self.equate(result, constant);
        }
        if self.features.control && self.always_leaves(inst) {
            return !self.rewrite(Kind::Fails, inst, Became::Changed);
        }
        if self.features.number {
            self.remember(inst, key);
        }
        true
    }

    /// Sets what is known of the results. What a stage has found out holds too.
    fn define_results(&mut self, inst: Inst, known: &(Option<IntFact>, Option<IntFact>)) {
        for (result, known) in self.f.results(inst).zip([known.0, known.1]) {
            if let Some(known) = known {
                let found = self.engine.facts.get(self.f, result);
                self.engine.facts.define(result, found.map_or(known, |found| found.meet(known)));
            }
        }
    }

    /// Notes that an instruction uses its operands no more.
    pub(crate) fn gone(&mut self, inst: Inst) -> bool {
        for &value in self.f.args(inst) {
            self.engine.uses.release(value);
        }
        true
    }

    /// Whether the operands that must be constants are, for the operation to be computed.
    fn may_fold(&self, inst: Inst) -> bool {
        let args = self.f.args(inst);
        let must = if self.f.inst(inst).op == Op::Select { &args[..1] } else { args };
        must.iter().all(|&arg| matches!(self.f.def(arg), Def::Const(_)))
    }

    /// Computes an operation on constants.
    #[inline(never)]
    fn fold(&mut self, inst: Inst) -> bool {
        let op = self.f.inst(inst).op;
        let args = self.f.args(inst);
        if op == Op::Select
            && let Some(Const::Int(condition)) = self.f.constant(args[0])
        {
            let first = condition.is_true() != fault!("pure: select folds to the other side");
            let value = if first { args[1] } else { args[2] };
            return self.becomes(inst, Kind::Fold, value);
        }
        if args.is_empty() || args.len() > MOST {
            return false;
        }
        let mut data = [Datum::<Machine>::Word(Int::bit(false)); MOST];
        for (slot, &arg) in data.iter_mut().zip(args) {
            match self.f.constant(arg).and_then(datum) {
                Some(datum) => *slot = datum,
                None => return false,
            }
        }
        let mut types = [Type::State; 2];
        let mut results = [None; 2];
        let count = self.f.results(inst).len();
        if count == 0 || count > 2 {
            return false;
        }
        for (index, result) in self.f.results(inst).enumerate() {
            types[index] = self.f.ty(result);
            results[index] = Some(result);
        }
        let (first, second) = match fold(op, &data[..args.len()], &types[..count]) {
            Some(Fold::Int(int)) => (Const::Int(int), None),
            Some(Fold::Pair(int, flag)) => (Const::Int(int), Some(Const::Int(flag))),
            // Which NaN comes out is the machine's affair: that of x86 has the sign bit, and copying the sign shows it.
            Some(Fold::Real(real)) if real.is_nan() => return false,
            Some(Fold::Real(real)) => (real.into(), None),
            Some(Fold::Undefined) if fault!("pure: an undefined result folds to zero") => {
                (Int::new(types[0].int_width().unwrap_or(1), 0).into(), None)
            }
            Some(Fold::Undefined) | None => return false,
        };
        let result = self.f.result(inst);
        let value = self.f.make_constant(first);
        if !self.rewrite(Kind::Fold, inst, Became::Value { of: result, is: value }) {
            return false;
        }
        self.replace(result, value);
        if let (Some(flag), Some(result)) = (second, results[1]) {
            let value = self.f.make_constant(flag);
            self.replace(result, value);
        }
        true
    }

    /// What is known of the results.
    fn known_results(&self, inst: Inst) -> (Option<IntFact>, Option<IntFact>) {
        if self.features.plain
            && let (Op::Lshift | Op::Rshift | Op::Urshift, &[x, amount]) =
                (self.f.inst(inst).op, self.f.args(inst))
            && let Some(width) = self.f.ty(x).int_width()
            && !self
                .engine
                .facts
                .get(self.f, amount)
                .is_some_and(|amount| amount.lo() >= 0 && amount.hi() < i64::from(width))
        {
            // PyPy says nothing of what a shift gives by amounts that may not be legal.
            return (None, None);
        }
        let op = self.f.inst(inst).op;
        if op == Op::Lookup {
            return (self.known_item(inst), None);
        }
        if self.features.plain && op == Op::Umulh {
            // Nor of the upper half of a product.
            return (None, None);
        }
        let known = self.engine.facts.results(self.f, inst);
        match known {
            // Nor of the bits of a product.
            (Some(product), flag) if self.features.plain && matches!(op, Op::Mul | Op::MulOvf) => {
                let range = IntFact::interval(product.width(), product.lo(), product.hi());
                (Some(range), flag)
            }
            _ => known,
        }
    }

    /// Whether PyPy makes an operation even where it knows what it gives.
    fn is_made_to_pypy(&self, inst: Inst) -> bool {
        self.features.plain && matches!(self.f.inst(inst).op, Op::Add | Op::Sub | Op::Mul | Op::Lshift)
    }

    /// Whether what is known of the results decides them: a constant, or no overflow.
    fn decided(&mut self, inst: Inst, known: &(Option<IntFact>, Option<IntFact>)) -> bool {
        let (Some(first), flag) = known else { return self.decided_by_refs(inst) };
        let constant = first.as_constant();
        match flag {
            None => match constant {
                Some(constant) if !self.may_leave(inst) && !self.is_made_to_pypy(inst) => {
                    let value = self.f.make_constant(constant);
                    self.becomes(inst, Kind::Fact, value)
                }
                _ => false,
            },
            Some(flag) => flag.as_constant().is_some_and(|flag| self.overflow_is_known(inst, constant, flag)),
        }
    }

    /// Makes the plain operation of one whose overflow bit is known, and whose first result may be.
    #[inline(never)]
    fn overflow_is_known(&mut self, inst: Inst, constant: Option<Int>, flag: Int) -> bool {
        let (op, location) = (self.f.inst(inst).op, self.f.inst(inst).location);
        let Some(plain) = without_overflow_bit(op) else { return false };
        if !self.rewrite(Kind::Fact, inst, Became::Op(plain)) {
            return false;
        }
        let &[x, y] = self.f.args(inst) else { unreachable!("{op} has two operands") };
        let value = match constant {
            Some(constant) => self.f.make_constant(constant),
            None => self.build(plain, &[x, y], &[], location),
        };
        let flag =
            if fault!("pure: the overflow bit is always known to be zero") { Int::bit(false) } else { flag };
        let flag = self.f.make_constant(flag);
        for (result, by) in self.f.results(inst).zip([value, flag]) {
            self.replace(result, by);
        }
        true
    }

    /// Whether what is known of references decides a question about them.
    #[inline(never)]
    fn decided_by_refs(&mut self, inst: Inst) -> bool {
        let refs = &self.engine.refs;
        let holds = match (self.f.inst(inst).op, self.f.args(inst)) {
            (Op::IsNull, &[x]) => refs.null(self.f, x),
            (Op::IsNonnull, &[x]) => refs.null(self.f, x).map(|null| !null),
            (op @ (Op::RefEq | Op::RefNe), &[x, y]) => refs.apart(self.f, x, y).then_some(op == Op::RefNe),
            (Op::InstanceOf, &[x]) if refs.null(self.f, x) == Some(true) => Some(false),
            _ => None,
        };
        let Some(holds) = holds else { return false };
        let result = self.f.result(inst);
        let value = self.f.make_int(self.f.ty(result), i64::from(holds));
        self.becomes(inst, Kind::Fact, value)
    }

    /// Applies the algebra columns.
    fn algebra(&mut self, inst: Inst) -> bool {
        if self.f.results(inst).len() != 1 {
            return false;
        }
        let (op, ty) = (self.f.inst(inst).op, self.f.ty(self.f.result(inst)));
        match algebra::simplify(self.f, op, self.f.args(inst), ty) {
            Some((column, simple)) => self.becomes_simple(inst, column, simple),
            None => false,
        }
    }

    /// Lets what the algebra columns say take the place of an operation.
    #[inline(never)]
    fn becomes_simple(&mut self, inst: Inst, column: Column, simple: Simple) -> bool {
        let (op, location) = (self.f.inst(inst).op, self.f.inst(inst).location);
        let result = self.f.result(inst);
        let ty = self.f.ty(result);
        if self.features.plain
            && (op == Op::Umulh || column == Column::Negated && matches!(simple, Simple::Op(..)))
        {
            // PyPy knows nothing of the upper half of a product, and makes no opposite of a comparison.
            return false;
        }
        // Only a divisor that is known not to be zero makes the result independent of the exit.
        if self.may_leave(inst) {
            return false;
        }
        let kind = Kind::Algebra(column);
        match simple {
            Simple::Value(value) => {
                let value = self.resolve(value);
                self.becomes(inst, kind, value)
            }
            Simple::Number(number) => {
                let value = self.f.make_int(ty, number);
                self.becomes(inst, kind, value)
            }
            Simple::Op(op, args, count) => {
                if !self.rewrite(kind, inst, Became::Op(op)) {
                    return false;
                }
                let value = self.build(op, &args[..count], &[ty], location);
                self.replace(result, value);
                true
            }
            Simple::Scaled(value, factor) => {
                if !self.rewrite(kind, inst, Became::Op(Op::Fmul)) {
                    return false;
                }
                let factor = self.f.make_constant(factor);
                let value = match self.features.plain {
                    // PyPy does not look at the product again.
                    true => self.emit_as_it_is(Op::Fmul, &[value, factor], ty, location),
                    false => self.build(Op::Fmul, &[value, factor], &[ty], location),
                };
                self.replace(result, value);
                true
            }
            Simple::Regroup(value, c, d) => {
                if !self.rewrite(kind, inst, Became::Op(op)) {
                    return false;
                }
                let constant = self.build(op, &[c, d], &[], location);
                let value = self.build(op, &[value, constant], &[], location);
                self.replace(result, value);
                true
            }
        }
    }

    /// An operation with one result that is emitted and remembered, but not looked at.
    fn emit_as_it_is(&mut self, op: Op, args: &[Value], ty: Type, location: Location) -> Value {
        let inst = self.f.make_inst(op, args, &[ty], None, None, location);
        for &arg in args {
            self.engine.uses.add(arg, 1);
        }
        self.emit(inst);
        let key = self.key(inst);
        self.remember(inst, key);
        self.f.result(inst)
    }

    /// The key of an instruction. To PyPy not everything commutes that does.
    pub(crate) fn key(&self, inst: Inst) -> Key {
        match self.f.inst(inst).op {
            op @ (Op::Fadd | Op::Umulh) if self.features.plain => {
                Key::in_order(op, self.f.args(inst), Some(self.f.ty(self.f.result(inst))))
            }
            _ => Key::of(self.f, inst),
        }
    }

    /// Whether an operation without effects may leave here, through its exit or by unwinding.
    pub(crate) fn may_leave(&mut self, inst: Inst) -> bool {
        if self.f.row(inst).exits == Exits::Never
            || fault!("pure: divisions never leave")
            || self.engine.dead.is_safe(inst)
        {
            return false;
        }
        divisor(self.f, inst).is_none_or(|divisor| self.engine.facts.truth(self.f, divisor) != Some(true))
    }

    /// Whether an operation without effects never gives a result here.
    fn always_leaves(&self, inst: Inst) -> bool {
        divisor(self.f, inst).is_some_and(|divisor| self.engine.facts.truth(self.f, divisor) == Some(false))
    }

    /// Takes the exit from an operation that cannot leave; without a use it may go then.
    fn drop_exit(&mut self, inst: Inst) {
        if self.f.row(inst).exits == Exits::Never || self.may_leave(inst) {
            return;
        }
        self.engine.dead.note_safe(inst);
        if self.f.inst(inst).exit.is_some() && self.rewrite(Kind::NoExit, inst, Became::Changed) {
            self.f.set_exit(inst, None);
        }
    }

    /// Lets a value take the place of the only result of an instruction.
    pub(crate) fn becomes(&mut self, inst: Inst, kind: Kind, value: Value) -> bool {
        let result = self.f.result(inst);
        if !self.rewrite(kind, inst, Became::Value { of: result, is: value }) {
            return false;
        }
        self.replace(result, value);
        true
    }
}

/// What must not be zero, in an operation that leaves where it is, and only there.
fn divisor(f: &Function, inst: Inst) -> Option<Value> {
    f.row(inst).divisor.map(|operand| f.args(inst)[usize::from(operand)])
}

/// A constant as an operand of the machine.
fn datum(constant: Const) -> Option<Datum<Machine>> {
    match constant {
        Const::Int(int) => Some(Datum::Word(int)),
        Const::Real(number) => Some(Datum::Float(number.0)),
        Const::Null | Const::Symbol(..) | Const::Hole => None,
    }
}
