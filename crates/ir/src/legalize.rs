//! Legalization in SSA: operations that a language of words lacks are said by those that it has while a function can still be
//! optimized, so that what they share is computed once.

use planish_base::UnionFind;
use planish_ops::{Effect, Op, Type};

use crate::expand::{Expander, expand};
use crate::function::{Function, Inst, Location, Value};
use crate::operators::Operators;
use crate::truth::is_truth;

/// Says operations on words of 64 bits by the operators of a language, as far as that is possible. Whether anything changed.
/// O(size of the function + what is made).
pub fn legalize(f: &mut Function, operators: Operators) -> bool {
    let mut stands_for = UnionFind::<Value>::new();
    let mut changed = false;
    for index in 0..f.blocks().len() {
        let block = f.blocks()[index];
        if f.block_insts(block).iter().all(|&inst| !is_open(f, inst, operators)) {
            continue;
        }
        for inst in f.replace_insts(block, Vec::new()) {
            let expanded = is_open(f, inst, operators).then(|| said_by(f, inst, operators)).flatten();
            let Some((made, value)) = expanded else {
                f.append_inst(block, inst);
                continue;
            };
            made.into_iter().for_each(|inst| f.append_inst(block, inst));
            stands_for.forward(f.result(inst), value);
            changed = true;
        }
    }
    if changed {
        f.map_uses(|value| stands_for.find(value));
    }
    changed
}

/// Whether an operation is one of words that the language lacks.
fn is_open(f: &Function, inst: Inst, operators: Operators) -> bool {
    let op = f.inst(inst).op;
    op.row().effect == Effect::Pure
        && !operators.has(op)
        && !matches!(op, Op::Zext | Op::Sext | Op::Trunc)
        && f.args(inst).iter().all(|&arg| f.ty(arg) == Type::I64)
        && f.results(inst).map(|result| f.ty(result)).eq([Type::I64])
}

/// The operations that say what an operation does, in order, and the value that is its result.
fn said_by(f: &mut Function, inst: Inst, operators: Operators) -> Option<(Vec<Inst>, Value)> {
    let (op, args, location) = (f.inst(inst).op, f.args(inst).to_vec(), f.inst(inst).location);
    let mut writer = Writer { f, operators, location, made: Vec::new() };
    let value = expand(&mut writer, op, &args, &vec![Type::I64; args.len()], Type::I64)?;
    Some((writer.made, value))
}

struct Writer<'a> {
    f: &'a mut Function,
    operators: Operators,
    location: Location,
    made: Vec<Inst>,
}

impl Expander for Writer<'_> {
    type Value = Value;

    fn width(&self) -> u32 {
        64
    }

    fn legal(&self, op: Op) -> bool {
        self.operators.has(op)
    }

    fn constant(&mut self, value: i64) -> Value {
        self.f.make_int(Type::I64, value)
    }

    fn as_constant(&self, value: Value) -> Option<i64> {
        self.f.int_constant(value).map(|int| int.signed())
    }

    fn write(&mut self, op: Op, args: &[Value]) -> Value {
        let inst = self.f.make_inst(op, args, &[Type::I64], None, None, self.location);
        self.made.push(inst);
        self.f.result(inst)
    }

    fn is_truth(&self, value: Value) -> bool {
        is_truth(self.f, value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Form;
    use crate::text::{self, read};
    use crate::verify::verify;

    #[test]
    fn operations_are_said_by_those_of_the_language() {
        let source = "func f(v0: i64, v1: i64, v2: i1) -> i64, i1, i64 {\ne:\n    v3 = xor(v0, v1)\n    v4: i1 = lt(v3, v0)\n    \
                      branch v4, a, b\na:\n    v5 = max(v3, v1)\n    return v5, v4, v3\nb:\n    v6 = and(v0, 5)\n    return v6, v2, v1\n}\n";
        let (mut module, diagnostics) = read(source);
        assert!(!diagnostics.has_errors());
        let f = module.functions.values_mut().next().expect("a function");
        let operators =
            Operators(&[("+", Op::Add), ("*", Op::Mul), ("-", Op::Sub), ("&", Op::And), (">", Op::Gt)]);
        assert!(legalize(f, operators));
        assert!(!legalize(f, operators));
        assert!(verify(f, Form::Cfg).is_empty());
        let text = text::write(&module, text::Options::default());
        assert!(!text.contains("xor(") && !text.contains("max(") && text.contains("mul(v"), "{text}");
        assert!(text.contains(": i1 = lt("), "bits stay: {text}");
    }
}
