//! Random functions.

use planish_ir::{Block, BlockCall, Builder, ExitTarget, Function, Terminator, Value};
use planish_ops::{Exits, Int, Op, Type};

use super::rng::Random;

/// A word: any, one at an edge of its type, or a small one.
pub fn int(r: &mut Random, width: u32) -> Int {
    let raw = r.next();
    match r.below(4) {
        0 => Int::new(width, raw),
        1 => Int::new(width, [0, 1, u64::MAX, 1 << (width - 1), (1 << (width - 1)) - 1][r.below(5)]),
        _ => Int::new(width, (raw % 9).wrapping_sub(4)),
    }
}

const BINARY: &[Op] = &[
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Lshift,
    Op::Rshift,
    Op::Urshift,
    Op::Min,
    Op::Umax,
    Op::Udiv,
    Op::Srem,
    Op::Sdiv,
    Op::Urem,
    Op::FloorDiv,
    Op::FloorMod,
    Op::Rotl,
    Op::Umulh,
];
const COMPARE: &[Op] = &[Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Ult, Op::Uge];
const UNARY: &[Op] = &[Op::Neg, Op::Not, Op::Abs, Op::Popcount, Op::ForceGeZero];

/// A line of products, of sums or of bitwise operations on two parameters and constants: what has a normal form as a
/// whole.
pub fn chains(seed: u64) -> Function {
    let mut r = Random::new(seed);
    let ty = [Type::Int(4), Type::Int(8), Type::I32, Type::I64][r.below(4)];
    let mut b = Builder::new("chains", &[ty, ty]);
    let block = b.block("entry");
    let mut values: Vec<Value> = (0..2).map(|_| b.param(block, ty)).collect();
    b.at(block);
    let family: &[Op] =
        [&[Op::Mul][..], &[Op::Add, Op::Sub, Op::Neg], &[Op::And, Op::Or, Op::Xor]][r.below(3)];
    for _ in 0..3 + r.below(8) {
        let constant = int(&mut r, ty.int_width().unwrap());
        let constant = b.constant(constant);
        let x = values[r.below(values.len())];
        let y = if r.below(6) == 0 { constant } else { values[r.below(values.len())] };
        let op = family[r.below(family.len())];
        let args = &[x, y][..op.row().operands.len()];
        values.push(b.op(op, args));
    }
    b.set_result_types(&[ty]);
    b.ret(&values[values.len() - 1..]);
    b.finish()
}

/// A random function of two parameters: blocks with parameters, branches, switches, loops, guards.
pub fn random(seed: u64) -> Function {
    let mut r = Random::new(seed);
    let ty = [Type::Int(4), Type::Int(8), Type::I32, Type::I64][r.below(4)];
    let mut b = Builder::new("random", &[ty, ty]);
    let blocks: Vec<Block> = (0..1 + r.below(8)).map(|i| b.block(&format!("b{i}"))).collect();
    let params: Vec<Vec<Value>> = blocks
        .iter()
        .enumerate()
        .map(|(i, &block)| (0..if i == 0 { 2 } else { r.below(3) }).map(|_| b.param(block, ty)).collect())
        .collect();
    // Blocks reach one another so that a tree of dominance is known: block i is only entered from
    // `parent(i)`'s subtree through parameters, so values of the entry are always visible.
    let mut visible: Vec<Value> = params[0].clone();
    let mut making = Making { r, b, ty, blocks, params, number: 0, values: Vec::new(), bits: Vec::new() };
    for i in 0..making.blocks.len() {
        making.number = i;
        making.b.at(making.blocks[i]);
        making.values = visible.iter().chain(&making.params[i]).copied().collect();
        making.bits.clear();
        for _ in 0..1 + making.r.below(10) {
            making.operation();
        }
        if i == 0 {
            visible = making.values.clone();
        }
        making.end();
    }
    making.b.finish()
}

/// A random function in the making.
struct Making {
    r: Random,
    b: Builder,
    ty: Type,
    blocks: Vec<Block>,
    /// The parameters of each block.
    params: Vec<Vec<Value>>,
    /// The block that is being filled.
    number: usize,
    /// What is seen there: values of the type, and truth values.
    values: Vec<Value>,
    bits: Vec<Value>,
}

impl Making {
    fn constant(&mut self) -> Value {
        let constant = int(&mut self.r, self.ty.int_width().unwrap());
        self.b.constant(constant)
    }

    fn value(&mut self) -> Value {
        self.values[self.r.below(self.values.len())]
    }

    fn bit(&mut self) -> Value {
        self.bits[self.r.below(self.bits.len())]
    }

    /// A constant or a value.
    fn pick(&mut self) -> Value {
        if self.r.below(4) == 0 { self.constant() } else { self.value() }
    }

    /// Appends an operation, or nothing.
    fn operation(&mut self) {
        let (x, y) = (self.pick(), self.pick());
        match self.r.below(12) {
            0..=4 => self.binary(x, y),
            5 if self.bits.len() > 1 => {
                let (p, q) = (self.bit(), self.bit());
                if self.b.function().ty(p) == self.b.function().ty(q) {
                    let v = self.b.op([Op::And, Op::Or, Op::Xor][self.r.below(3)], &[p, q]);
                    self.bits.push(v);
                }
            }
            5 => {
                let v = self.b.op(UNARY[self.r.below(UNARY.len())], &[x]);
                self.values.push(v);
            }
            6 | 7 => {
                let op = COMPARE[self.r.below(COMPARE.len())];
                let v = self.b.op_as(op, &[x, y], if self.r.below(2) == 0 { self.ty } else { Type::I1 });
                if self.b.function().ty(v) == self.ty {
                    self.values.push(v)
                }
                self.bits.push(v);
            }
            8 => {
                let op = [Op::IsZero, Op::IsTrue][self.r.below(2)];
                let of = if self.bits.is_empty() { x } else { self.bit() };
                let v = self.b.op_as(op, &[of], self.ty);
                self.values.push(v);
                self.bits.push(v);
            }
            9 if !self.bits.is_empty() => {
                let c = self.bit();
                let v = self.b.op(Op::Select, &[c, x, y]);
                self.values.push(v);
            }
            10 => {
                let op = [Op::AddOvf, Op::SubOvf, Op::MulOvf][self.r.below(3)];
                let inst = self.b.inst(op, &[x, y], &[], None, None);
                let results: Vec<Value> = self.b.function().results(inst).collect();
                self.values.push(results[0]);
                self.bits.push(results[1]);
            }
            11 if !self.bits.is_empty() => self.guard(x, y),
            _ => {}
        }
    }

    /// An operation on two values, which may leave if it can.
    fn binary(&mut self, x: Value, y: Value) {
        let op = BINARY[self.r.below(BINARY.len())];
        let leaves = op.row().exits == Exits::Before && self.r.below(2) == 0;
        let exit = leaves.then(|| self.b.exit(ExitTarget::Leave(self.number as u32), &[x, y]));
        let inst = self.b.inst(op, &[x, y], &[], None, exit);
        self.values.push(self.b.function().result(inst));
    }

    fn guard(&mut self, x: Value, y: Value) {
        let exit = self.b.exit(ExitTarget::Leave(self.number as u32), &[x, y]);
        let c = self.bit();
        let (op, args) = match self.r.below(4) {
            0 => (Op::GuardTrue, vec![c]),
            1 => (Op::GuardFalse, vec![c]),
            2 => (Op::GuardValue, vec![x, y]),
            _ => (Op::BoundsCheck, vec![x, y]),
        };
        self.b.inst(op, &args, &[], None, Some(exit));
    }

    /// A call of any block but the first.
    fn call(&mut self) -> BlockCall {
        let target = 1 + self.r.below(self.blocks.len() - 1);
        let mut args = Vec::new();
        for _ in 0..self.params[target].len() {
            // Constants and what was just computed make loops that count.
            args.push(match self.r.below(4) {
                0 => self.constant(),
                1 => self.values[self.values.len() - 1],
                _ => self.value(),
            });
        }
        self.b.call(self.blocks[target], &args)
    }

    /// Ends the block.
    fn end(&mut self) {
        if self.blocks.len() == 1 || self.r.below(5) == 0 {
            let results = [self.value(), self.values[self.values.len() - 1]];
            return self.b.ret(&results);
        }
        let end = match self.r.below(5) {
            0 | 1 => Terminator::Jump(self.call()),
            2 => {
                let width = self.ty.int_width().unwrap();
                let mut keys: Vec<Int> = (0..self.r.below(4)).map(|_| int(&mut self.r, width)).collect();
                keys.sort_by_key(|k| k.unsigned());
                keys.dedup();
                let cases = keys.into_iter().map(|k| (k, self.call())).collect();
                let default = self.call();
                Terminator::Switch { on: self.value(), cases, default }
            }
            _ => {
                let all: Vec<Value> = self.bits.iter().chain(&self.values).copied().collect();
                let among = if self.bits.is_empty() { all.len() } else { self.bits.len() };
                let condition = all[self.r.below(among)];
                let (then, other) = (self.call(), self.call());
                Terminator::Branch { condition, then, other }
            }
        };
        self.b.terminate(end);
    }
}

/// A loop that counts: a counter with any start, step, comparison and bound, tested at its start or end, and two variables
/// that add things up; sometimes a second exit, sometimes one such loop in another. All integer widths from 1.
pub fn counting(seed: u64) -> Function {
    let mut r = Random::new(seed);
    let width = [1, 2, 3, 4, 4, 5, 6, 8, 8, 32, 64][r.below(11)];
    let ty = Type::Int(width as u8);
    let mut b = Builder::new("counting", &[ty, ty]);
    let entry = b.block("entry");
    let inputs = [b.param(entry, ty), b.param(entry, ty)];
    let zero = b.constant(Int::new(width, 0));
    b.at(entry);
    let nested = r.below(4) == 0;
    let left = if nested {
        let (outer, behind) = (b.block("outer"), b.block("behind"));
        let (count, sum) = (b.param(outer, ty), b.param(outer, ty));
        let start = any(&mut r, &mut b, &inputs, width);
        let call = b.call(outer, &[start, zero]);
        b.terminate(Terminator::Jump(call));
        b.at(outer);
        let inner = counted(&mut r, &mut b, &[inputs[0], inputs[1], count], sum, width);
        let step = b.constant(Int::new(width, [1, 1, 1, 2, u64::MAX][r.below(5)]));
        let next = b.op(Op::Add, &[count, step]);
        let bound = any(&mut r, &mut b, &inputs, width);
        let goes_on = b.op_as(COMPARE[r.below(COMPARE.len())], &[next, bound], Type::I1);
        let then = b.call(outer, &[next, inner[1]]);
        let other = b.call(behind, &[]);
        b.terminate(Terminator::Branch { condition: goes_on, then, other });
        b.at(behind);
        [count, inner[1]]
    } else {
        counted(&mut r, &mut b, &inputs, zero, width)
    };
    b.set_result_types(&[ty, ty]);
    b.ret(&left);
    b.finish()
}

/// A constant, or one of some values.
fn any(r: &mut Random, b: &mut Builder, values: &[Value], width: u32) -> Value {
    if r.below(2) == 0 {
        let constant = int(r, width);
        return b.constant(constant);
    }
    values[r.below(values.len())]
}

/// A word that goes through one of twice its width: a product or sum there, and the low or the high half of it.
fn widened(r: &mut Random, b: &mut Builder, x: Value, width: u32) -> Value {
    let (wide, narrow) = (Type::Int(2 * width as u8), Type::Int(width as u8));
    let value = b.op_as([Op::Zext, Op::Sext][r.below(2)], &[x], wide);
    let constant = int(r, 2 * width);
    let constant = b.constant(constant);
    let made = b.op([Op::Add, Op::Mul][r.below(2)], &[value, constant]);
    let by = b.constant(Int::new(2 * width, if r.below(2) == 0 { u64::from(width) } else { 0 }));
    let half = b.op(Op::Urshift, &[made, by]);
    b.op_as(Op::Trunc, &[half], narrow)
}

/// One loop of [`counting`], from where the builder is to behind it: the counter and a sum.
fn counted(r: &mut Random, b: &mut Builder, outside: &[Value], sum: Value, width: u32) -> [Value; 2] {
    let ty = Type::Int(width as u8);
    let (header, body, behind) = (b.block("header"), b.block("body"), b.block("behind"));
    let params = [b.param(header, ty), b.param(header, ty), b.param(header, ty)];
    let starts = [any(r, b, outside, width), sum, any(r, b, outside, width)];
    let call = b.call(header, &starts);
    b.terminate(Terminator::Jump(call));
    b.at(header);
    let at_end = r.below(2) == 0;
    let bound = any(r, b, outside, width);
    let compare = [Op::Ugt, Op::Ule, Op::Ne, Op::Lt];
    let compare = if r.below(2) == 0 { COMPARE[r.below(COMPARE.len())] } else { compare[r.below(4)] };
    if !at_end {
        let condition = b.op_as(compare, &[params[0], bound], Type::I1);
        let (then, other) = (b.call(body, &[]), b.call(behind, &[]));
        b.terminate(Terminator::Branch { condition, then, other });
        b.at(body);
    }
    let step = match r.below(6) {
        0 => int(r, width),
        1 => Int::new(width, 2),
        2 => Int::new(width, u64::MAX),
        3 => Int::new(width, 3),
        _ => Int::new(width, 1),
    };
    let step = b.constant(step);
    let next = b.op(Op::Add, &[params[0], step]);
    let mut values: Vec<Value> = params.into_iter().chain(outside.iter().copied()).chain([next]).collect();
    for _ in 0..r.below(3) {
        let x = values[r.below(values.len())];
        if width <= 32 && r.below(3) == 0 {
            let x = [x, params[0]][r.below(2)];
            values.push(widened(r, b, x, width));
            continue;
        }
        let y = any(r, b, &values, width);
        values.push(b.op([Op::Mul, Op::Add, Op::Sub, Op::Lshift][r.below(4)], &[x, y]));
    }
    let added = values[values.len() - 1 - r.below(values.len().min(3))];
    let total = b.op(Op::Add, &[params[1], added]);
    let other = [Op::Add, Op::Sub, Op::Xor, Op::Mul][r.below(4)];
    let other = b.op(other, &[params[2], values[r.below(values.len())]]);
    if r.below(6) == 0 {
        let early = b.block("early");
        let condition = b.op_as(COMPARE[r.below(COMPARE.len())], &[total, bound], Type::I1);
        let (then, leave) = (b.call(behind, &[]), b.call(early, &[]));
        b.terminate(Terminator::Branch { condition, then, other: leave });
        b.at(early);
    }
    if at_end {
        let tested = [params[0], next][r.below(2)];
        let condition = b.op_as(compare, &[tested, bound], Type::I1);
        let (then, other) = (b.call(header, &[next, total, other]), b.call(behind, &[]));
        b.terminate(Terminator::Branch { condition, then, other });
    } else {
        let call = b.call(header, &[next, total, other]);
        b.terminate(Terminator::Jump(call));
    }
    b.at(behind);
    [params[0], if r.below(2) == 0 { params[1] } else { params[2] }]
}

/// A loop of two counters that are compared with each other, entered by a branch or not; what they are in wider words is added
/// up. Widths from 2.
pub fn meeting(seed: u64) -> Function {
    let mut r = Random::new(seed);
    let width = [2, 3, 3, 4, 8, 32][r.below(6)];
    let ty = Type::Int(width as u8);
    let mut b = Builder::new("meeting", &[ty]);
    let blocks = ["entry", "front", "header", "body", "behind"].map(|name| b.block(name));
    let [entry, front, header, body, behind] = blocks;
    let inputs = [b.param(entry, ty), b.param(entry, ty)];
    let result = b.param(behind, ty);
    let zero = b.constant(Int::new(width, 0));
    b.at(entry);
    let compare = |r: &mut Random| match r.below(2) {
        0 => COMPARE[r.below(COMPARE.len())],
        _ => [Op::Lt, Op::Gt, Op::Ult, Op::Ugt, Op::Ge][r.below(5)],
    };
    if r.below(4) > 0 {
        let bound = any(&mut r, &mut b, &inputs, width);
        let condition = b.op_as(compare(&mut r), &[inputs[r.below(2)], bound], Type::I1);
        let (then, other) = (b.call(front, &[]), b.call(behind, &[zero]));
        b.terminate(Terminator::Branch { condition, then, other });
    } else {
        let call = b.call(front, &[]);
        b.terminate(Terminator::Jump(call));
    }
    b.at(front);
    let params = [(); 3].map(|()| b.param(header, ty));
    let starts = [any(&mut r, &mut b, &inputs, width), any(&mut r, &mut b, &inputs, width), zero];
    let call = b.call(header, &starts);
    b.terminate(Terminator::Jump(call));
    b.at(header);
    let at_end = r.below(2) == 0;
    let steps = [[1, u64::MAX, 1, 2][r.below(4)], [u64::MAX, u64::MAX, 1, 0][r.below(4)]];
    let tested = compare(&mut r);
    if !at_end {
        let condition = b.op_as(tested, &params[..2], Type::I1);
        let (then, other) = (b.call(body, &[]), b.call(behind, &[params[2]]));
        b.terminate(Terminator::Branch { condition, then, other });
        b.at(body);
    }
    let next = [0, 1].map(|side| {
        let step = b.constant(Int::new(width, steps[side]));
        b.op(Op::Add, &[params[side], step])
    });
    let mut total = params[2];
    for _ in 0..1 + r.below(3) {
        let x = [params[0], params[1], next[0], next[1]][r.below(4)];
        let x = widened(&mut r, &mut b, x, width);
        total = b.op([Op::Add, Op::Xor, Op::Sub][r.below(3)], &[total, x]);
    }
    if at_end {
        let sides = if r.below(3) > 0 { next } else { [params[0], params[1]] };
        let condition = b.op_as(tested, &sides, Type::I1);
        let (then, other) = (b.call(header, &[next[0], next[1], total]), b.call(behind, &[total]));
        b.terminate(Terminator::Branch { condition, then, other });
    } else {
        let call = b.call(header, &[next[0], next[1], total]);
        b.terminate(Terminator::Jump(call));
    }
    b.at(behind);
    b.set_result_types(&[ty]);
    b.ret(&[result]);
    b.finish()
}

/// A loop of few rounds over masks, shifts, and words that go through narrower and wider ones, of which few bits are seen.
pub fn masked(seed: u64) -> Function {
    let mut r = Random::new(seed);
    let width = [2, 3, 4, 4, 5, 8, 8, 16, 32][r.below(9)];
    let ty = Type::Int(width as u8);
    let mut b = Builder::new("masked", &[ty, ty]);
    let entry = b.block("entry");
    let inputs = [b.param(entry, ty), b.param(entry, ty)];
    let (header, behind) = (b.block("header"), b.block("behind"));
    let zero = b.constant(Int::new(width, 0));
    b.at(entry);
    let call = b.call(header, &[inputs[0], inputs[1], zero]);
    b.terminate(Terminator::Jump(call));
    let params = [b.param(header, ty), b.param(header, ty), b.param(header, ty)];
    b.at(header);
    let mut values = params.to_vec();
    for _ in 0..4 + r.below(8) {
        let (x, y) = (values[r.below(values.len())], any(&mut r, &mut b, &values, width));
        let constant = int(&mut r, width);
        let constant = b.constant(constant);
        let made = match r.below(6) {
            0 => b.op([Op::And, Op::Or, Op::Xor][r.below(3)], &[x, constant]),
            1 => b.op([Op::Lshift, Op::Urshift, Op::Rshift, Op::Rotl][r.below(4)], &[x, constant]),
            2 => b.op([Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or][r.below(5)], &[x, y]),
            3 | 4 => {
                let by = 1 + r.below(width as usize) as u32;
                let other = if by < width && r.below(2) == 0 { width - by } else { width + by };
                through(&mut r, &mut b, [x, y], width, other)
            }
            _ => {
                let condition = b.op_as(Op::Lt, &[x, y], Type::I1);
                b.op(Op::Select, &[condition, y, x])
            }
        };
        values.push(made);
    }
    let one = b.constant(Int::new(width, 1));
    let three = b.constant(Int::new(width, 3));
    let count = b.op(Op::Add, &[params[2], one]);
    let goes_on = b.op_as(Op::Ult, &[count, three], Type::I1);
    let next = [values[values.len() - 1], values[values.len() - 2], count];
    let (then, other) = (b.call(header, &next), b.call(behind, &[]));
    b.terminate(Terminator::Branch { condition: goes_on, then, other });
    b.at(behind);
    let seen = int(&mut r, width);
    let seen = b.constant(seen);
    let left = b.op([Op::And, Op::Lshift, Op::Urshift][r.below(3)], &[next[r.below(2)], seen]);
    b.set_result_types(&[ty]);
    b.ret(&[left]);
    b.finish()
}

/// Operations on words of another width, and back.
fn through(r: &mut Random, b: &mut Builder, operands: [Value; 2], width: u32, other: u32) -> Value {
    let (of, to) = (Type::Int(width as u8), Type::Int(other as u8));
    let [wider, narrower] = [[Op::Zext, Op::Sext][r.below(2)], Op::Trunc];
    let (there, back) = if other > width { (wider, narrower) } else { (narrower, wider) };
    let mut made = b.op_as(there, &[operands[0]], to);
    let second = b.op_as(there, &[operands[1]], to);
    for _ in 0..1 + r.below(3) {
        let constant = int(r, other);
        let constant = b.constant(constant);
        let shift = b.constant(Int::new(other, r.below(width as usize) as u64));
        made = match r.below(5) {
            0 => b.op([Op::Urshift, Op::Rshift, Op::Lshift][r.below(3)], &[made, shift]),
            1 => b.op([Op::And, Op::Xor, Op::Add][r.below(3)], &[made, constant]),
            _ => b.op([Op::Add, Op::Sub, Op::Mul, Op::Xor, Op::Or][r.below(5)], &[made, second]),
        };
    }
    b.op_as(back, &[made], of)
}
