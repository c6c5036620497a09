//! Functions of a chosen size and shape.

use planish_ir::{Block, Builder, Function, Terminator, Value};
use planish_ops::{Op, Type};

use super::rng::Random;

/// One block of `count` operations on the last fifty values and small constants.
pub fn straight(count: usize) -> Function {
    const OPS: [Op; 8] = [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Xor, Op::Lshift, Op::Min];
    let (mut b, mut r) = (Builder::new("straight", &[Type::I64]), Random::new(1));
    let entry = b.block("");
    let mut values: Vec<Value> = (0..4).map(|_| b.param(entry, Type::I64)).collect();
    b.at(entry);
    for _ in 0..count {
        let x = values[values.len() - 1 - r.below(values.len().min(50))];
        let y = match r.below(3) {
            0 => b.int(Type::I64, r.below(9) as i64),
            _ => values[values.len() - 1 - r.below(values.len().min(50))],
        };
        let value = b.op(OPS[r.below(OPS.len())], &[x, y]);
        values.push(value);
    }
    b.ret(&values[values.len() - 1..]);
    b.finish()
}

/// `count` conditions, one below the other; whoever fails goes to one common block. With `around`, that
/// block goes back to the first condition.
pub fn nested(count: usize, around: bool) -> Function {
    let mut b = Builder::new("nested", &[Type::I64]);
    let entry = b.block("");
    let x = b.param(entry, Type::I64);
    let blocks: Vec<Block> = (0..count).map(|_| b.block("")).collect();
    let (common, done) = (b.block(""), b.block(""));
    let which = b.param(common, Type::I64);
    b.at(entry);
    b.jump(blocks[0], &[]);
    for (index, &block) in blocks.iter().enumerate() {
        b.at(block);
        let bound = b.int(Type::I64, index as i64);
        let (mixed, odd) = (b.op(Op::Xor, &[x, bound]), b.int(Type::I64, 0x5555_5555));
        let condition = b.op_as(Op::Ne, &[mixed, odd], Type::I1);
        let next = *blocks.get(index + 1).unwrap_or(&done);
        let (then, other) = (b.call(next, &[]), b.call(common, &[bound]));
        b.terminate(Terminator::Branch { condition, then, other });
    }
    b.at(common);
    if around {
        let condition = b.op_as(Op::Lt, &[which, x], Type::I1);
        b.branch(condition, blocks[0], done);
    } else {
        b.ret(&[which]);
    }
    b.at(done);
    b.ret(&[x]);
    b.finish()
}

/// `count` times a branch around an addition, one after the other.
pub fn diamonds(count: usize) -> Function {
    let mut b = Builder::new("diamonds", &[Type::I64]);
    let entry = b.block("");
    let mut x = b.param(entry, Type::I64);
    b.at(entry);
    for index in 0..count {
        let (then, join) = (b.block(""), b.block(""));
        let joined = b.param(join, Type::I64);
        let bound = b.int(Type::I64, index as i64);
        let condition = b.op_as(Op::Lt, &[x, bound], Type::I1);
        let (to_then, to_join) = (b.call(then, &[]), b.call(join, &[x]));
        b.terminate(Terminator::Branch { condition, then: to_then, other: to_join });
        b.at(then);
        let sum = b.op(Op::Add, &[x, bound]);
        // Too much to happen always.
        let product = b.op(Op::Mul, &[sum, x]);
        b.jump(join, &[product]);
        b.at(join);
        x = joined;
    }
    b.ret(&[x]);
    b.finish()
}
