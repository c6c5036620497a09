//! Instruction selection of comparisons: jumps where they feed a branch, 0 or 1 where they are values.
//!
//! The instruction set has jumps on comparisons and no comparisons that give a number, except three-way
//! ones of wide numbers. A comparison that only a branch uses becomes its jump; any other becomes a jump
//! around a constant. For floats the three-way comparison is chosen so that NaN goes the way that the
//! condition says, also where the branch is inverted.

use planish_classfile::Opcode;
use planish_ir::extension::is_loaded_bool;
use planish_ir::{Inst, Value};
use planish_ops::{Op, Type};

use crate::lower::item::{Kind, Label};
use crate::lower::select::{Outcome, Selector};

/// A relation of two numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Relation {
    Eq,
    Ne,
    Lt,
    Ge,
    Gt,
    Le,
}

impl Relation {
    fn negated(self) -> Relation {
        match self {
            Relation::Eq => Relation::Ne,
            Relation::Ne => Relation::Eq,
            Relation::Lt => Relation::Ge,
            Relation::Ge => Relation::Lt,
            Relation::Gt => Relation::Le,
            Relation::Le => Relation::Gt,
        }
    }

    fn swapped(self) -> Relation {
        match self {
            Relation::Lt => Relation::Gt,
            Relation::Gt => Relation::Lt,
            Relation::Le => Relation::Ge,
            Relation::Ge => Relation::Le,
            same => same,
        }
    }

    /// The jump on a comparison with zero; the one of two numbers is six opcodes further.
    fn with_zero(self) -> Opcode {
        match self {
            Relation::Eq => Opcode::Ifeq,
            Relation::Ne => Opcode::Ifne,
            Relation::Lt => Opcode::Iflt,
            Relation::Ge => Opcode::Ifge,
            Relation::Gt => Opcode::Ifgt,
            Relation::Le => Opcode::Ifle,
        }
    }

    fn of_two(self) -> Opcode {
        match self {
            Relation::Eq => Opcode::IfIcmpeq,
            Relation::Ne => Opcode::IfIcmpne,
            Relation::Lt => Opcode::IfIcmplt,
            Relation::Ge => Opcode::IfIcmpge,
            Relation::Gt => Opcode::IfIcmpgt,
            Relation::Le => Opcode::IfIcmple,
        }
    }
}

/// What a comparison compares.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Test {
    Signed(Relation),
    Unsigned(Relation),
    /// With the way NaN goes: a three-way comparison gives -1 or 1 for it.
    Float(Relation),
    Null(Relation),
    Refs(Relation),
    /// The number itself: not zero, or zero.
    Truth(Relation),
}

fn test_of(op: Op) -> Option<Test> {
    use Relation::*;
    Some(match op {
        Op::Eq => Test::Signed(Eq),
        Op::Ne => Test::Signed(Ne),
        Op::Lt => Test::Signed(Lt),
        Op::Le => Test::Signed(Le),
        Op::Gt => Test::Signed(Gt),
        Op::Ge => Test::Signed(Ge),
        Op::Ult => Test::Unsigned(Lt),
        Op::Ule => Test::Unsigned(Le),
        Op::Ugt => Test::Unsigned(Gt),
        Op::Uge => Test::Unsigned(Ge),
        Op::Feq => Test::Float(Eq),
        Op::Fne => Test::Float(Ne),
        Op::Flt => Test::Float(Lt),
        Op::Fle => Test::Float(Le),
        Op::Fgt => Test::Float(Gt),
        Op::Fge => Test::Float(Ge),
        Op::IsNull => Test::Null(Eq),
        Op::IsNonnull => Test::Null(Ne),
        Op::RefEq => Test::Refs(Eq),
        Op::RefNe => Test::Refs(Ne),
        Op::IsTrue => Test::Truth(Ne),
        Op::IsZero => Test::Truth(Eq),
        _ => return None,
    })
}

impl Selector<'_, '_> {
    /// Whether an operation gives 0 or 1 and is written as a jump.
    pub(super) fn is_condition(&self, op: Op) -> bool {
        test_of(op).is_some()
    }

    /// The comparison that makes a value which only the branch at hand uses.
    fn comparison(&self, condition: Value) -> Option<Inst> {
        let inst = self.uses.deferred(self.f, condition)?;
        self.is_condition(self.f.inst(inst).op).then_some(inst)
    }

    /// Prepares the stack for [`branch_if`](Self::branch_if).
    pub(super) fn condition_operands(&mut self, condition: Value) -> Outcome {
        match self.comparison(condition) {
            Some(inst) => {
                let args = self.compared(inst);
                self.operands(&args).map(drop)
            }
            None => self.operands(&[condition]).map(drop),
        }
    }

    /// The operands of a comparison that are pushed: there are jumps on a comparison with zero.
    pub(super) fn compared(&self, inst: Inst) -> Vec<Value> {
        let args = self.f.args(inst);
        if let (Some(Test::Signed(_)), &[x, y]) = (test_of(self.f.inst(inst).op), args)
            && self.kind(x) == Ok(Kind::Int)
        {
            if self.is_zero(y) {
                return vec![x];
            }
            if self.is_zero(x) {
                return vec![y];
            }
        }
        args.to_vec()
    }

    /// Jumps to `label` if the condition is not zero (`wanted`) or is zero (not `wanted`).
    pub(super) fn branch_if(&mut self, condition: Value, wanted: bool, label: Label) -> Outcome {
        if let Some(inst) = self.comparison(condition) {
            return self.compare(inst, wanted, label);
        }
        let relation = if wanted { Relation::Ne } else { Relation::Eq };
        self.push(condition)?;
        self.test_number(relation, self.kind(condition)?, label)
    }

    /// Jumps if the number on the stack has the relation to zero.
    fn test_number(&mut self, relation: Relation, kind: Kind, label: Label) -> Outcome {
        if kind == Kind::Long {
            self.op(Opcode::Lconst0);
            self.op(Opcode::Lcmp);
        }
        self.jump(relation.with_zero(), label);
        Ok(())
    }

    /// Pushes the operands of a comparison and jumps if it holds, or if it does not.
    fn compare(&mut self, inst: Inst, wanted: bool, label: Label) -> Outcome {
        let test = test_of(self.f.inst(inst).op).ok_or("a comparison")?;
        let args = self.f.args(inst).to_vec();
        let turn = |relation: Relation| if wanted { relation } else { relation.negated() };
        match (test, &args[..]) {
            (Test::Signed(relation), &[x, y]) => {
                let relation = turn(relation);
                let kind = self.kind(x)?;
                if kind == Kind::Int && self.is_zero(y) {
                    self.push(x)?;
                    self.jump(relation.with_zero(), label);
                } else if kind == Kind::Int && self.is_zero(x) {
                    self.push(y)?;
                    self.jump(relation.swapped().with_zero(), label);
                } else if kind == Kind::Int {
                    self.push(x)?;
                    self.push(y)?;
                    self.jump(relation.of_two(), label);
                } else {
                    self.push(x)?;
                    self.push(y)?;
                    self.op(Opcode::Lcmp);
                    self.jump(relation.with_zero(), label);
                }
            }
            (Test::Unsigned(relation), &[x, y]) => {
                // Flipping the highest bit of both turns the unsigned order into the signed one.
                let relation = turn(relation);
                let kind = self.kind(x)?;
                for value in [x, y] {
                    self.push(value)?;
                    if kind == Kind::Long {
                        self.push_long(i64::MIN)?;
                        self.op(Opcode::Lxor);
                    } else {
                        self.push_int(i32::MIN)?;
                        self.op(Opcode::Ixor);
                    }
                }
                if kind == Kind::Long {
                    self.op(Opcode::Lcmp);
                    self.jump(relation.with_zero(), label);
                } else {
                    self.jump(relation.of_two(), label);
                }
            }
            (Test::Float(relation), &[x, y]) => {
                self.push(x)?;
                self.push(y)?;
                // NaN has to look like a number for which the comparison does not hold.
                let greater = matches!(relation, Relation::Lt | Relation::Le);
                let double = self.f.ty(x) == Type::F64;
                self.op(match (greater, double) {
                    (true, false) => Opcode::Fcmpg,
                    (false, false) => Opcode::Fcmpl,
                    (true, true) => Opcode::Dcmpg,
                    (false, true) => Opcode::Dcmpl,
                });
                self.jump(turn(relation).with_zero(), label);
            }
            (Test::Null(relation), &[x]) => {
                self.push(x)?;
                let op = if turn(relation) == Relation::Eq { Opcode::Ifnull } else { Opcode::Ifnonnull };
                self.jump(op, label);
            }
            (Test::Refs(relation), &[x, y]) => {
                self.push(x)?;
                self.push(y)?;
                let op = if turn(relation) == Relation::Eq { Opcode::IfAcmpeq } else { Opcode::IfAcmpne };
                self.jump(op, label);
            }
            (Test::Truth(relation), &[x]) => {
                self.push(x)?;
                self.test_number(turn(relation), self.kind(x)?, label)?;
            }
            _ => return Err("a comparison has other operands".into()),
        }
        Ok(())
    }

    fn is_zero(&self, value: Value) -> bool {
        self.f.int_constant(value).is_some_and(|int| !int.is_true())
    }

    /// What a comparison with zero is made of that asks a number which is 0 or 1 anyway, and whether it negates it.
    fn asked_bool(&self, inst: Inst) -> Option<(Value, bool)> {
        let (value, negates) = match (self.f.inst(inst).op, self.f.args(inst)) {
            (Op::Ne, &[x, zero]) if self.is_zero(zero) => (x, false),
            (Op::Eq, &[x, zero]) if self.is_zero(zero) => (x, true),
            (Op::IsTrue, &[x]) => (x, false),
            (Op::IsZero, &[x]) => (x, true),
            _ => return None,
        };
        is_loaded_bool(self.f, self.names.world(), value).then_some((value, negates))
    }

    /// Writes a comparison as a number.
    pub(super) fn truth(&mut self, inst: Inst) -> Outcome {
        if let Some((value, negates)) = self.asked_bool(inst)
            && self.kind(value)? == self.kind(self.f.result(inst))?
        {
            self.push(value)?;
            if negates {
                self.op(Opcode::Iconst1);
                self.op(Opcode::Ixor);
            }
            return Ok(());
        }
        let result = self.f.result(inst);
        let wide = self.kind(result)? == Kind::Long;
        let [yes, end] = [self.label(), self.label()];
        self.compare(inst, true, yes)?;
        self.op(if wide { Opcode::Lconst0 } else { Opcode::Iconst0 });
        self.jump(Opcode::Goto, end);
        self.bind(yes);
        self.op(if wide { Opcode::Lconst1 } else { Opcode::Iconst1 });
        self.bind(end);
        Ok(())
    }

    /// Writes a choice between two values, none of which waits on the stack.
    pub(super) fn select_value(&mut self, inst: Inst) -> Outcome {
        let &[condition, x, y] = self.f.args(inst) else { return Err("a choice has three operands".into()) };
        let [yes, end] = [self.label(), self.label()];
        self.branch_if(condition, true, yes)?;
        self.push(y)?;
        self.jump(Opcode::Goto, end);
        self.bind(yes);
        self.push(x)?;
        self.bind(end);
        Ok(())
    }
}
