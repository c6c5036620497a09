//! Functions of a chosen size and shape.

use planish_ir::{Block, Builder, Function, Terminator, Value};
use planish_ops::{Int, Op, Type};

use super::Random;

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
        b.jump(join, &[sum]);
        b.at(join);
        x = joined;
    }
    b.ret(&[x]);
    b.finish()
}

/// A switch of `count` cases that all go to one block with the key.
pub fn switch(count: usize) -> Function {
    let mut b = Builder::new("switch", &[Type::I64]);
    let (entry, target) = (b.block(""), b.block(""));
    let (x, key) = (b.param(entry, Type::I64), b.param(target, Type::I64));
    b.at(entry);
    let cases = (0..count as i64)
        .map(|index| {
            let arg = b.int(Type::I64, index);
            (Int::new(64, index as u64), b.call(target, &[arg]))
        })
        .collect();
    let default = b.call(target, &[x]);
    b.terminate(Terminator::Switch { on: x, cases, default });
    b.at(target);
    b.ret(&[key]);
    b.finish()
}

/// `depth` loops, each inside the one before, that count to ten.
pub fn loops(depth: usize) -> Function {
    let mut b = Builder::new("loops", &[Type::I64]);
    let entry = b.block("");
    let heads: Vec<(Block, Value)> = (0..depth)
        .map(|_| {
            let head = b.block("");
            (head, b.param(head, Type::I64))
        })
        .collect();
    let latches: Vec<Block> = (0..depth).map(|_| b.block("")).collect();
    let done = b.block("");
    b.at(entry);
    let (zero, ten) = (b.int(Type::I64, 0), b.int(Type::I64, 10));
    b.jump(heads[0].0, &[zero]);
    for (index, &(head, counter)) in heads.iter().enumerate() {
        b.at(head);
        let condition = b.op_as(Op::Lt, &[counter, ten], Type::I1);
        let inner = match heads.get(index + 1) {
            Some(&(inner, _)) => b.call(inner, &[zero]),
            None => b.call(latches[index], &[]),
        };
        let outer = if index == 0 { b.call(done, &[]) } else { b.call(latches[index - 1], &[]) };
        b.terminate(Terminator::Branch { condition, then: inner, other: outer });
        b.at(latches[index]);
        let one = b.int(Type::I64, 1);
        let next = b.op(Op::Add, &[counter, one]);
        b.jump(head, &[next]);
    }
    b.at(done);
    b.ret(&[heads[0].1]);
    b.finish()
}
