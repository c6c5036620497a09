//! Backward condition facts: what a condition that holds implies for the values that it was computed from (PyPy's
//! `propagate_bounds_backward`; the constraints of LLVM's `LazyValueInfo`).
//!
//! Facts go backward through definitions: behind `x + 1 < 10` it is known that `x + 1 ≤ 9`, and so that
//! `x` is not in [9, MAX - 1]; behind a guard against overflow, that the sum is the true one, and so what
//! the operands can be. Each step is a backward function of the domain, which proves them; here is only
//! the way through the program. Depth is bounded, so that a guard costs a bounded amount of work.

use planish_base::fault;
use planish_domain::forward::{self, Shape};
use planish_domain::refine::{assume, backward, backward_exact};
use planish_domain::transfer::checked;
use planish_domain::{Contradiction, IntFact};
use planish_ir::{Def, Function, Inst, Value};
use planish_ops::{Int, Op};

use crate::engine::facts::Facts;

/// How many definitions teaching goes back through.
const DEPTH: u32 = 6;

/// Whether control may get behind the condition at all.
type Taught = Result<(), Contradiction>;

/// A way back through the definitions of a function.
pub(crate) struct Lessons<'a> {
    /// The facts that are sharpened.
    pub facts: &'a mut Facts,
    /// The function.
    pub f: &'a Function,
    /// The value that stands for one.
    pub stands: &'a dyn Fn(Value) -> Value,
    /// Whether PyPy is followed, which learns of the result and not of the operands when something does not overflow.
    pub plain: bool,
}

impl Lessons<'_> {
    /// From here on an integer is not zero, or is zero.
    pub fn truth(&mut self, value: Value, truth: bool) -> Taught {
        let value = (self.stands)(value);
        self.learn(value, truth, DEPTH)
    }

    /// From here on `op(x, y)` holds, a comparison of integers.
    pub fn comparison(&mut self, op: Op, x: Value, y: Value) -> Taught {
        let mut operands = [(self.stands)(x), (self.stands)(y)];
        if fault!("learn: a comparison teaches its mirror image") {
            operands.reverse();
        }
        self.operands(&operands, DEPTH, |known| assume(op, true, known))
    }

    fn learn(&mut self, value: Value, truth: bool, depth: u32) -> Taught {
        let Some(width) = self.f.ty(value).int_width() else { return Ok(()) };
        if let Some(constant) = self.f.int_constant(value) {
            return if constant.is_true() == truth { Ok(()) } else { Err(Contradiction) };
        }
        let known = self.facts.of(self.f, value);
        let mut sharper = [known];
        if truth {
            assume(Op::IsTrue, true, &mut sharper)?;
        } else {
            sharper = [known.meet(IntFact::constant(Int::new(width, 0)))];
        }
        self.sharpen(value, known, sharper[0], depth)?;
        let Some(depth) = depth.checked_sub(1) else { return Ok(()) };
        let Def::Result(inst, index) = self.f.def(value) else { return Ok(()) };
        let (op, args) = (self.f.inst(inst).op, self.f.args(inst));
        match (op, args) {
            // Without overflow the result is the true one.
            (_, &[x, y]) if index == 1 && !truth && forward::shape(op) == Some(Shape::Checked) => {
                self.exact(op, self.f.result(inst), [x, y].map(self.stands), depth)
            }
            // Both of an and of conditions hold, none of an or.
            (Op::And, &[x, y]) if truth => {
                for operand in [x, y].map(self.stands) {
                    if self.is_boolean(operand) {
                        self.learn(operand, true, depth)?;
                    }
                }
                Ok(())
            }
            (Op::Or, &[x, y]) if !truth => {
                [x, y].map(self.stands).into_iter().try_for_each(|operand| self.learn(operand, truth, depth))
            }
            _ => Ok(()),
        }
    }

    /// An operation that does not overflow.
    fn exact(&mut self, op: Op, result: Value, operands: [Value; 2], depth: u32) -> Taught {
        let result = (self.stands)(result);
        let [x, y] = operands.map(|operand| self.facts.of(self.f, operand));
        self.has(result, checked(op, x, y).1, 0)?;
        if op == Op::MulOvf && operands[0] == operands[1] {
            // A square.
            let width = x.width();
            self.has(result, IntFact::interval(width, 0, IntFact::top(width).hi()), 0)?;
        }
        if self.plain {
            return Ok(());
        }
        let known = self.facts.of(self.f, result);
        self.operands(&operands, depth, |args| backward_exact(op, known, args))
    }

    /// A value has a fact: it is sharpened, and what that tells about the operands it was made from.
    fn has(&mut self, value: Value, taught: IntFact, depth: u32) -> Taught {
        if let Some(constant) = self.f.int_constant(value) {
            return if taught.contains(constant) { Ok(()) } else { Err(Contradiction) };
        }
        let known = self.facts.of(self.f, value);
        self.sharpen(value, known, known.meet(taught), depth)
    }

    /// Puts a fact in the place of a less sharp one, or of the same.
    fn sharpen(&mut self, value: Value, known: IntFact, sharper: IntFact, depth: u32) -> Taught {
        if sharper.is_bottom() {
            return Err(Contradiction);
        }
        if sharper == known {
            return Ok(());
        }
        self.facts.sharpen(value, sharper);
        let (Def::Result(inst, 0), Some(depth)) = (self.f.def(value), depth.checked_sub(1)) else {
            return Ok(());
        };
        let (op, args) = (self.f.inst(inst).op, self.f.args(inst));
        match (forward::shape(op), args) {
            (None | Some(Shape::Select), _) => Ok(()),
            // PyPy does not go back through these.
            _ if self.plain && matches!(op, Op::ForceGeZero | Op::Signext) => Ok(()),
            (_, &[x]) => self.operands(&[(self.stands)(x)], depth, |args| backward(op, sharper, args)),
            (Some(Shape::Checked), &[x, y]) if self.never_overflowed(inst) => {
                self.operands(&[x, y].map(self.stands), depth, |args| backward_exact(op, sharper, args))
            }
            (_, &[x, y]) => {
                self.operands(&[x, y].map(self.stands), depth, |args| backward(op, sharper, args))
            }
            _ => Ok(()),
        }
    }

    /// Whether control gets here only if an operation with an overflow bit did not overflow.
    fn never_overflowed(&self, inst: Inst) -> bool {
        let flag = self.f.results(inst).nth(1);
        flag.is_some_and(|flag| self.facts.truth(self.f, flag) == Some(false))
    }

    /// Sharpens the facts about operands.
    fn operands<const N: usize>(
        &mut self,
        operands: &[Value; N],
        depth: u32,
        sharpen: impl FnOnce(&mut [IntFact]) -> Result<bool, Contradiction>,
    ) -> Taught {
        let known = operands.map(|operand| self.facts.of(self.f, operand));
        let mut taught = known;
        if sharpen(&mut taught)? {
            for ((&operand, known), taught) in operands.iter().zip(known).zip(taught) {
                if taught != known {
                    self.has(operand, taught, depth)?;
                }
            }
        }
        Ok(())
    }

    /// Whether an integer is known to be 0 or 1.
    fn is_boolean(&self, value: Value) -> bool {
        self.facts.is_boolean(self.f, value)
    }
}
