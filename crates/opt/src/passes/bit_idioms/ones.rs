//! The number of one bits, added up in parts: in pairs of bits, fours, bytes, and by a product into the highest byte.

use planish_ir::{Function, Inst, Value};
use planish_ops::{Int, Op};

/// The word whose one bits an operation gives the number of, and the operations that it is made of.
pub(super) fn counted(f: &Function, root: Inst) -> Option<(Value, Vec<Inst>)> {
    let width = f.ty(f.result(root)).int_width().filter(|width| matches!(width, 16 | 32 | 64))?;
    let mut parts = Parts { f, width, of: Vec::new() };
    let product = parts.with_number(f.result(root), Op::Urshift, u64::from(width) - 8)?;
    let bytes = parts.with_number(product, Op::Mul, parts.repeated(0x01))?;
    let fours = parts.bytes(bytes)?;
    let pairs = parts.folded(fours, 2, 0x33)?;
    let x = parts.pairs(pairs)?;
    Some((x, parts.of))
}

struct Parts<'a> {
    f: &'a Function,
    width: u32,
    of: Vec<Inst>,
}

impl Parts<'_> {
    /// A byte in every byte of the word.
    fn repeated(&self, byte: u64) -> u64 {
        Int::new(self.width, byte * 0x0101_0101_0101_0101).unsigned()
    }

    /// The operands of a value that is made by an operation.
    fn operands(&mut self, value: Value, op: Op) -> Option<[Value; 2]> {
        let inst = self.f.def_inst(value).filter(|&inst| self.f.inst(inst).op == op)?;
        self.of.push(inst);
        <[Value; 2]>::try_from(self.f.args(inst)).ok()
    }

    /// The other operand, where one is a number.
    fn with_number(&mut self, value: Value, op: Op, number: u64) -> Option<Value> {
        let [x, y] = self.operands(value, op)?;
        let is_number =
            |value: Value| self.f.int_constant(value).is_some_and(|other| other.unsigned() == number);
        match (is_number(x), is_number(y)) {
            (_, true) => Some(x),
            (true, false) if op != Op::Urshift => Some(y),
            _ => None,
        }
    }

    /// What is added to itself shifted to the right, in either order, with masks of all parts.
    fn folded(&mut self, value: Value, by: u64, mask: u64) -> Option<Value> {
        let mask = self.repeated(mask);
        let [x, y] = self.operands(value, Op::Add)?;
        for (low, high) in [(x, y), (y, x)] {
            let before = self.of.len();
            let found = self.with_number(low, Op::And, mask).and_then(|low| {
                let shifted = self.with_number(high, Op::And, mask)?;
                (self.with_number(shifted, Op::Urshift, by)? == low).then_some(low)
            });
            if found.is_some() {
                return found;
            }
            self.of.truncate(before);
        }
        None
    }

    /// Sums of bytes: masked behind the sum, as four bits hold the sums of both, or in front of it.
    fn bytes(&mut self, value: Value) -> Option<Value> {
        let before = self.of.len();
        if let Some(sum) = self.with_number(value, Op::And, self.repeated(0x0f)) {
            let [x, y] = self.operands(sum, Op::Add)?;
            for (low, high) in [(x, y), (y, x)] {
                let before = self.of.len();
                if self.with_number(high, Op::Urshift, 4) == Some(low) {
                    return Some(low);
                }
                self.of.truncate(before);
            }
            return None;
        }
        self.of.truncate(before);
        self.folded(value, 4, 0x0f)
    }

    /// Pairs of bits: the word less its higher bits, or both added.
    fn pairs(&mut self, value: Value) -> Option<Value> {
        let before = self.of.len();
        if let Some([x, high]) = self.operands(value, Op::Sub) {
            let shifted = self.with_number(high, Op::And, self.repeated(0x55))?;
            return (self.with_number(shifted, Op::Urshift, 1)? == x).then_some(x);
        }
        self.of.truncate(before);
        self.folded(value, 1, 0x55)
    }
}
