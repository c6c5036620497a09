//! Available expressions by value numbering (Cocke and Schwartz 1970): what earlier operations tell of a pure one.
//!
//! Value numbering by a table ([`crate::engine::numbering`]), as in Cocke and Schwartz's *value numbering* of one pass: an operation is
//! looked for under what stands for its operands now. A comparison is also decided by its opposite, and an operation that
//! undoes another gives what went into that. What is emitted is remembered for those that come.

use planish_base::fault;
use planish_domain::transfer;
use planish_ir::{Inst, Value};
use planish_ops::{Int, Op};
use planish_pass::record::{Became, Column, Kind};

use crate::engine::numbering::{Key, Known};
use crate::engine::state::Cx;

/// How many operations of a kind are looked through for one whose operands have become those of another.
const RECENT: usize = 16;

impl Cx<'_> {
    /// Looks for an equal operation that was made before.
    pub(super) fn number(&mut self, inst: Inst, key: &Key) -> bool {
        match self.engine.numbering.find(self.f, key) {
            Some(known) => self.is_known(inst, known),
            None => false,
        }
    }

    /// Looks for an operation that was made before its operands were known to be what they are: PyPy compares what
    /// stands for operands now, of the last sixteen of a kind.
    #[inline(never)]
    pub(super) fn number_as_it_is_now(&mut self, inst: Inst) -> bool {
        let key = self.key(inst);
        if key.is_long() || !self.f.args(inst).iter().any(|&arg| self.f.constant(arg).is_some()) {
            return false;
        }
        let forwarding = &self.engine.forwarding;
        let found = self.engine.numbering.find_renamed(&key, RECENT, |value| forwarding.peek(value));
        found.is_some_and(|known| self.is_known(inst, known))
    }

    /// Lets what an operation was found to be take its place.
    #[inline(never)]
    fn is_known(&mut self, inst: Inst, known: Known) -> bool {
        match known {
            Known::Value(value) => {
                let value = self.imported(value);
                let found = self.becomes(inst, Kind::Number, value);
                if found && self.features.plain {
                    self.learn_of_found(inst, value);
                }
                found
            }
            Known::Checked(value) => {
                let value = self.imported(value);
                if !self.becomes(inst, Kind::Number, value) {
                    return false;
                }
                if self.features.plain {
                    self.learn_of_found(inst, value);
                }
                if let Some(flag) = self.f.results(inst).nth(1) {
                    let fits = self.f.make_constant(Int::bit(false));
                    self.replace(flag, fits);
                }
                true
            }
            Known::Inst(earlier) => {
                let (first, value) = (self.f.result(inst), self.f.result(earlier));
                let value = self.resolve(value);
                if !self.rewrite(Kind::Number, inst, Became::Value { of: first, is: value }) {
                    return false;
                }
                for (of, is) in self.f.results(inst).zip(self.f.results(earlier)) {
                    let is = self.resolve(is);
                    self.replace(of, is);
                }
                true
            }
        }
    }

    /// What the operands say now of a result that was found holds of it too: PyPy finds out about ranges behind an
    /// operation, whether it was made or found, and remembers what undoes a sum or a difference.
    fn learn_of_found(&mut self, inst: Inst, value: Value) {
        if self.engine.imports.get(value).is_some() {
            self.remember_what_undoes(inst, value);
        }
        let (Some(now), true) = (self.known_results(inst).0, self.features.facts) else { return };
        if self.f.constant(value).is_some() || self.f.ty(value).int_width() != Some(now.width()) {
            return;
        }
        let before = self.engine.facts.of(self.f, value);
        let both = before.meet(now);
        if both != before && !both.is_bottom() {
            self.engine.facts.sharpen(value, both);
        }
    }

    /// Remembers what gives back an operand of a sum or a difference, of which a loop has only the result.
    fn remember_what_undoes(&mut self, inst: Inst, result: Value) {
        let (op, &[x, y]) = (self.f.inst(inst).op, self.f.args(inst)) else { return };
        let ty = self.f.ty(result);
        let gives = |cx: &mut Self, op: Op, operands: [Value; 2], value: Value| {
            cx.engine.numbering.insert(cx.f, Key::short(op, &operands, Some(ty)), Known::Value(value));
        };
        match op {
            Op::Add => {
                for (operand, other) in [(x, y), (y, x)] {
                    gives(self, Op::Sub, [result, other], operand);
                    if let Some(constant) = self.f.int_constant(other) {
                        let negative = Int::new(constant.width(), constant.signed().wrapping_neg() as u64);
                        let negative = self.f.make_constant(negative);
                        gives(self, Op::Add, [result, negative], operand);
                    }
                }
            }
            Op::Sub => {
                gives(self, Op::Add, [result, y], x);
                gives(self, Op::Sub, [x, result], y);
            }
            _ => {}
        }
    }

    /// Decides a comparison whose opposite was made before and is known to hold, or not to.
    pub(super) fn opposite(&mut self, inst: Inst) -> bool {
        let row = self.f.row(inst);
        row.truth && row.descriptor.is_none() && self.opposite_is_known(inst)
    }

    /// The same of a comparison.
    #[inline(never)]
    fn opposite_is_known(&mut self, inst: Inst) -> bool {
        let negated = match self.f.inst(inst).op {
            // PyPy takes a comparison with what is no number for one that comes out the other way.
            Op::Flt if self.features.plain => Some(Op::Fge),
            Op::Fge if self.features.plain => Some(Op::Flt),
            Op::Fgt if self.features.plain => Some(Op::Fle),
            Op::Fle if self.features.plain => Some(Op::Fgt),
            // Nor does it take these two for opposites.
            Op::IsTrue | Op::IsZero if self.features.plain => None,
            op => op.row().negated,
        };
        let Some(op) = negated else { return false };
        let ty = self.f.ty(self.f.result(inst));
        let key = Key::short(op, self.f.args(inst), Some(ty));
        let Some(Known::Value(earlier)) = self.engine.numbering.find(self.f, &key) else { return false };
        // An import counts as used only where it is relied on.
        let seen = self.peek(self.engine.imports.seen(earlier));
        let Some(holds) = self.engine.facts.truth(self.f, seen) else { return false };
        let value = self.f.make_int(ty, i64::from(!holds));
        if !self.becomes(inst, Kind::Algebra(Column::Negated), value) {
            return false;
        }
        self.imported(earlier);
        true
    }

    /// Decides an operation that undoes another: of a sum or a difference with an overflow bit, whose first result
    /// is that of the plain operation, or of the bits of a float.
    pub(super) fn undone(&mut self, inst: Inst) -> bool {
        use Op::*;
        matches!(self.f.inst(inst).op, FloatToRawBits | BitsToFloat | RefToInt | Add | Sub)
            && self.undoes_another(inst)
    }

    /// The same of an operation that may.
    #[inline(never)]
    fn undoes_another(&mut self, inst: Inst) -> bool {
        let is = match (self.f.inst(inst).op, self.f.args(inst)) {
            (Op::FloatToRawBits, &[x]) => self.undoes(x, Op::BitsToFloat, &[0], None),
            (Op::BitsToFloat, &[x]) => self.undoes(x, Op::FloatToRawBits, &[0], None),
            // Another word than the address of an object is no reference to the interpreter.
            (Op::RefToInt, &[x]) if self.features.plain => self.undoes(x, Op::IntToRef, &[0], None),
            (Op::Add, &[x, y]) => (self.undoes(x, Op::SubOvf, &[0], Some(y)))
                .or_else(|| self.undoes(y, Op::SubOvf, &[0], Some(x)))
                .or_else(|| self.undoes_sum_with_constant(x, y))
                .or_else(|| self.undoes_sum_with_constant(y, x)),
            (Op::Sub, &[x, y]) => (self.undoes(x, Op::AddOvf, &[0, 1], Some(y)))
                .or_else(|| self.undoes(y, Op::SubOvf, &[1], Some(x))),
            _ => None,
        };
        let same = is.filter(|&is| self.f.ty(is) == self.f.ty(self.f.result(inst)));
        same.is_some_and(|is| self.becomes(inst, Kind::Algebra(Column::Inverse), is))
    }

    /// What a constant was added to, with an overflow bit, where its negative is added to the sum.
    fn undoes_sum_with_constant(&mut self, sum: Value, constant: Value) -> Option<Value> {
        let added = self.f.int_constant(constant)?;
        let negative = Int::new(added.width(), added.signed().wrapping_neg() as u64);
        let negative = self.f.make_constant(negative);
        self.undoes(sum, Op::AddOvf, &[0, 1], Some(negative))
    }

    /// The operand of an operation, at one of some positions, whose other operand is a given one.
    fn undoes(&self, made: Value, by: Op, positions: &[usize], other: Option<Value>) -> Option<Value> {
        let import = self.engine.imports.get(made).map(|id| self.engine.imports.all[id].inst);
        let inst = import.or_else(|| self.f.def_inst(made)).filter(|&inst| self.f.inst(inst).op == by)?;
        // Of two results the first is meant.
        if import.is_none() && self.f.result(inst) != made {
            return None;
        }
        let args = self.f.args(inst);
        let found = positions.iter().find(|&&at| other.is_none_or(|other| self.peek(args[1 - at]) == other));
        found.map(|&at| self.peek(args[at]))
    }

    /// Looks for an equal operation that was made before, on what the operands are elsewhere.
    #[inline(never)]
    pub(super) fn number_outside(&mut self, inst: Inst, outside: [Option<Value>; 2]) -> bool {
        let ty = self.f.results(inst).next().map(|value| self.f.ty(value));
        let op = self.f.inst(inst).op;
        let key = match outside {
            [Some(a), Some(b)] => Key::short(op, &[a, b], ty),
            [Some(a), None] => Key::short(op, &[a], ty),
            _ => return false,
        };
        self.number(inst, &key)
    }

    /// Remembers an emitted operation.
    pub(super) fn remember(&mut self, inst: Inst, key: Key) {
        let known = match self.f.results(inst).len() {
            0 => return,
            1 => Known::Value(self.f.result(inst)),
            _ => Known::Inst(inst),
        };
        self.engine.numbering.insert(self.f, key, known);
        self.remember_union(inst);
        // The first result of an operation with an overflow bit is that of the plain operation.
        let Some(plain) = without_overflow_bit(self.f.inst(inst).op) else { return };
        if self.features.plain && self.is_another_to_pypy(plain, inst) {
            return;
        }
        let result = self.f.result(inst);
        let key = Key::short(plain, self.f.args(inst), Some(self.f.ty(result)));
        self.engine.numbering.insert(self.f, key, Known::Value(result));
    }

    /// Whether PyPy makes another operation of one that does not look for an overflow, before it looks for an equal one.
    fn is_another_to_pypy(&self, plain: Op, inst: Inst) -> bool {
        let &[x, y] = self.f.args(inst) else { return false };
        let constants = [x, y].map(|operand| self.f.int_constant(operand));
        match plain {
            Op::Sub => constants[1].is_some() || constants[0].is_some_and(|number| !number.is_true()),
            // A shift or a negation.
            Op::Mul => constants
                .iter()
                .flatten()
                .any(|number| number.unsigned().is_power_of_two() || number.signed() == -1),
            _ => false,
        }
    }

    /// Remembers that without common bits a sum, a union and an exclusive or are one, whichever comes first.
    fn remember_union(&mut self, inst: Inst) {
        const EQUAL: [Op; 3] = [Op::Add, Op::Or, Op::Xor];
        let (op, &[x, y]) = (self.f.inst(inst).op, self.f.args(inst)) else { return };
        if !EQUAL.contains(&op) {
            return;
        }
        // Of a word that may be negative seldom is a bit known; that is most sums.
        let negative = |&operand: &Value| {
            self.f.constant(operand).is_none()
                && self.engine.facts.get(self.f, operand).is_none_or(|known| known.lo() < 0)
        };
        if !self.features.plain && [x, y].iter().any(negative) {
            return;
        }
        let known = [x, y].map(|operand| self.engine.facts.of(self.f, operand));
        let (result, ty) = (self.f.result(inst), self.f.ty(x));
        let (common, _) = transfer(Op::And, &known, ty);
        if common.as_constant().is_none_or(|bits| bits.is_true()) {
            return;
        }
        for other in EQUAL {
            let key = Key::short(other, &[x, y], Some(ty));
            self.engine.numbering.insert(self.f, key, Known::Value(result));
        }
    }

    /// Remembers what an operation was rewritten to, so that an equal one is found at once.
    pub(super) fn remember_result(&mut self, inst: Inst, key: Key) {
        if self.features.number && self.f.results(inst).len() == 1 {
            let result = self.f.result(inst);
            let value = self.engine.forwarding.permanent(result);
            self.engine.numbering.insert(self.f, key, Known::Value(value));
        }
    }
}

/// The operation that yields the first result of one with an overflow bit.
pub(crate) fn without_overflow_bit(op: Op) -> Option<Op> {
    if op == Op::SubOvf && fault!("pure: a difference with overflow bit is a sum") {
        return Some(Op::Add);
    }
    op.row().wrapping
}
