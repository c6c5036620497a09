//! A printer and an evaluator for tests, and random functions.

#![allow(dead_code)] // Each test file uses its part.

pub mod shapes;
pub mod ssa;

use planish_base::Id;
use planish_ir::{Block, BlockCall, Builder, Const, ExitTarget, Function, Terminator, Value};
use planish_ops::meaning::Datum;
use planish_ops::{Exits, Fold, Int, Machine, Op, Type, fold};

/// Instructions of a function as text, values numbered by position.
pub fn text(f: &Function) -> String {
    let mut names = std::collections::HashMap::new();
    let mut lines = Vec::new();
    for (_, inst) in f.live_insts() {
        for result in f.results(inst) {
            let n = names.len();
            names.insert(result, format!("v{n}"));
        }
    }
    let name = |v: Value| match f.constant(v) {
        Some(Const::Int(int)) => int.to_string(),
        Some(other) => format!("{other:?}"),
        None => names.get(&v).cloned().unwrap_or_else(|| format!("{v}!")),
    };
    let list = |vs: &[Value]| {
        vs.iter().map(|&v| param_name(f, v).unwrap_or_else(|| name(v))).collect::<Vec<_>>().join(", ")
    };
    for &block in f.blocks() {
        if f.blocks().len() > 1 {
            lines.push(format!("block{}({}):", block.index(), list(f.block_params(block))));
        }
        for &inst in f.block_insts(block) {
            let results: Vec<_> = f.results(inst).map(&name).collect();
            let head = if results.is_empty() { String::new() } else { format!("{} = ", results.join(", ")) };
            let exit = f.inst(inst).exit.map(|e| format!(" [{}]", list(f.exit_args(e)))).unwrap_or_default();
            lines.push(format!("{head}{}({}){exit}", f.inst(inst).op, list(f.args(inst))));
        }
        let call = |c: &BlockCall| format!("block{}({})", c.block.index(), list(f.list(c.args)));
        lines.push(match f.terminator(block) {
            Terminator::Jump(c) => format!("jump {}", call(c)),
            Terminator::Branch { condition, then, other } => {
                format!("branch {}, {}, {}", list(&[*condition]), call(then), call(other))
            }
            Terminator::Return(rs) => format!("return {}", list(f.list(*rs))),
            Terminator::Switch { on, cases, default } => {
                let cases: Vec<_> = cases.iter().map(|(k, c)| format!("{k}: {}", call(c))).collect();
                format!("switch {}, [{}], {}", list(&[*on]), cases.join(", "), call(default))
            }
            Terminator::Throw(v, _) => format!("throw {}", list(&[*v])),
            Terminator::Unreachable => "unreachable".into(),
        });
    }
    lines.join("\n")
}

fn param_name(f: &Function, v: Value) -> Option<String> {
    match f.def(v) {
        planish_ir::Def::Param(block, i) if block == f.entry() => Some(format!("p{i}")),
        planish_ir::Def::Param(block, i) => Some(format!("b{}p{i}", block.index())),
        _ => None,
    }
}

/// What a run shows: how it ended, and with which values.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Seen {
    Return(Vec<Int>),
    Leave(u32, Vec<Int>),
    Unwind,
    Unreachable,
    Fuel,
}

/// Runs a function on integers.
pub fn run(f: &Function, inputs: &[Int], fuel: usize) -> Seen {
    let mut values: Vec<Option<Int>> = vec![None; f.value_count()];
    let get = |values: &[Option<Int>], v: Value| {
        f.int_constant(v)
            .or(values[v.index()])
            .unwrap_or_else(|| panic!("{v} is not defined in\n{}", text(f)))
    };
    let mut block = f.entry();
    for (&param, &input) in f.params().iter().zip(inputs) {
        values[param.index()] = Some(input);
    }
    for _ in 0..fuel {
        for &inst in f.block_insts(block) {
            let data = f.inst(inst);
            let args: Vec<Int> = f.args(inst).iter().map(|&v| get(&values, v)).collect();
            let leave = |values: &[Option<Int>]| match data.exit {
                None => Seen::Unwind,
                Some(exit) => {
                    let args = f.exit_args(exit).iter().map(|&v| get(values, v)).collect();
                    match f.exit(exit).target {
                        ExitTarget::Leave(n) => Seen::Leave(n, args),
                        _ => Seen::Unwind,
                    }
                }
            };
            let holds = match data.op {
                Op::GuardTrue => Some(args[0].is_true()),
                Op::GuardFalse => Some(!args[0].is_true()),
                Op::GuardValue => Some(args[0] == args[1]),
                Op::BoundsCheck => Some((0..args[1].signed()).contains(&args[0].signed())),
                _ => None,
            };
            match holds {
                Some(true) => continue,
                Some(false) => return leave(&values),
                None => {}
            }
            let data_args: Vec<Datum<Machine>> = args.iter().map(|&a| Datum::Word(a)).collect();
            let types: Vec<Type> = f.results(inst).map(|v| f.ty(v)).collect();
            let results = match fold(data.op, &data_args, &types).expect("a meaning") {
                Fold::Int(a) => vec![a],
                Fold::Pair(a, b) => vec![a, b],
                Fold::Real(_) => panic!("integers only"),
                Fold::Undefined => return leave(&values),
            };
            for (v, r) in f.results(inst).zip(results) {
                values[v.index()] = Some(r);
            }
        }
        let call = match f.terminator(block) {
            Terminator::Jump(c) => *c,
            Terminator::Branch { condition, then, other } => {
                if get(&values, *condition).is_true() {
                    *then
                } else {
                    *other
                }
            }
            Terminator::Switch { on, cases, default } => {
                let on = get(&values, *on);
                cases.iter().find(|(k, _)| *k == on).map_or(*default, |(_, c)| *c)
            }
            Terminator::Return(rs) => {
                return Seen::Return(f.list(*rs).iter().map(|&v| get(&values, v)).collect());
            }
            Terminator::Throw(..) => return Seen::Unwind,
            Terminator::Unreachable => return Seen::Unreachable,
        };
        let args: Vec<Int> = f.list(call.args).iter().map(|&v| get(&values, v)).collect();
        for (&p, a) in f.block_params(call.block).iter().zip(args) {
            values[p.index()] = Some(a);
        }
        block = call.block;
    }
    Seen::Fuel
}

/// A sequence of numbers (xorshift) that depends on its seed alone.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            r.next();
        }
        r
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 20) as usize % n
    }
    pub fn int(&mut self, width: u32) -> Int {
        let raw = self.next();
        match self.below(4) {
            0 => Int::new(width, raw),
            1 => Int::new(width, [0, 1, u64::MAX, 1 << (width - 1), (1 << (width - 1)) - 1][self.below(5)]),
            _ => Int::new(width, (raw % 9).wrapping_sub(4)),
        }
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

/// A random function of two parameters: blocks with parameters, branches, switches, loops, guards.
pub fn random(seed: u64) -> Function {
    let mut r = Random::new(seed);
    let ty = [Type::Int(4), Type::Int(8), Type::I32, Type::I64][r.below(4)];
    let width = ty.int_width().unwrap();
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
    for (i, &block) in blocks.iter().enumerate() {
        b.at(block);
        let mut values: Vec<Value> = visible.clone();
        values.extend(&params[i]);
        let mut bits: Vec<Value> = Vec::new();
        for _ in 0..1 + r.below(10) {
            let pick = |r: &mut Random, b: &mut Builder| {
                if r.below(4) == 0 {
                    let c = r.int(width);
                    b.constant(c)
                } else {
                    values[r.below(values.len())]
                }
            };
            let x = pick(&mut r, &mut b);
            let y = pick(&mut r, &mut b);
            match r.below(12) {
                0..=4 => {
                    let op = BINARY[r.below(BINARY.len())];
                    let leaves = op.row().exits == Exits::Before && r.below(2) == 0;
                    let exit = leaves.then(|| b.exit(ExitTarget::Leave(i as u32), &[x, y]));
                    let inst = b.inst(op, &[x, y], &[], None, exit);
                    values.push(b.function().result(inst));
                }
                5 if bits.len() > 1 => {
                    let (p, q) = (bits[r.below(bits.len())], bits[r.below(bits.len())]);
                    if b.function().ty(p) == b.function().ty(q) {
                        let v = b.op([Op::And, Op::Or, Op::Xor][r.below(3)], &[p, q]);
                        bits.push(v);
                    }
                }
                5 => {
                    let v = b.op(UNARY[r.below(UNARY.len())], &[x]);
                    values.push(v);
                }
                6 | 7 => {
                    let op = COMPARE[r.below(COMPARE.len())];
                    let v = b.op_as(op, &[x, y], if r.below(2) == 0 { ty } else { Type::I1 });
                    if b.function().ty(v) == ty {
                        values.push(v)
                    }
                    bits.push(v);
                }
                8 => {
                    let op = [Op::IsZero, Op::IsTrue][r.below(2)];
                    let of = if bits.is_empty() { x } else { bits[r.below(bits.len())] };
                    let v = b.op_as(op, &[of], ty);
                    values.push(v);
                    bits.push(v);
                }
                9 if !bits.is_empty() => {
                    let c = bits[r.below(bits.len())];
                    let v = b.op(Op::Select, &[c, x, y]);
                    values.push(v);
                }
                10 => {
                    let op = [Op::AddOvf, Op::SubOvf, Op::MulOvf][r.below(3)];
                    let inst = b.inst(op, &[x, y], &[], None, None);
                    let results: Vec<Value> = b.function().results(inst).collect();
                    values.push(results[0]);
                    bits.push(results[1]);
                }
                11 if !bits.is_empty() => {
                    let exit = b.exit(ExitTarget::Leave(i as u32), &[x, y]);
                    let c = bits[r.below(bits.len())];
                    let (op, args) = match r.below(4) {
                        0 => (Op::GuardTrue, vec![c]),
                        1 => (Op::GuardFalse, vec![c]),
                        2 => (Op::GuardValue, vec![x, y]),
                        _ => (Op::BoundsCheck, vec![x, y]),
                    };
                    b.inst(op, &args, &[], None, Some(exit));
                }
                _ => {}
            }
        }
        if i == 0 {
            visible = values.clone();
        }
        let call = |r: &mut Random, b: &mut Builder| {
            let target = 1 + r.below(blocks.len() - 1);
            let mut args = Vec::new();
            for _ in &params[target] {
                // Constants and what was just computed make loops that count.
                args.push(match r.below(4) {
                    0 => {
                        let c = r.int(width);
                        b.constant(c)
                    }
                    1 => values[values.len() - 1],
                    _ => values[r.below(values.len())],
                });
            }
            b.call(blocks[target], &args)
        };
        if blocks.len() == 1 || r.below(5) == 0 {
            let results = [values[r.below(values.len())], values[values.len() - 1]];
            b.ret(&results);
            continue;
        }
        match r.below(5) {
            0 | 1 => {
                let c = call(&mut r, &mut b);
                b.terminate(Terminator::Jump(c))
            }
            2 => {
                let mut keys: Vec<Int> = (0..r.below(4)).map(|_| r.int(width)).collect();
                keys.sort_by_key(|k| k.unsigned());
                keys.dedup();
                let cases = keys.into_iter().map(|k| (k, call(&mut r, &mut b))).collect();
                let default = call(&mut r, &mut b);
                let on = values[r.below(values.len())];
                b.terminate(Terminator::Switch { on, cases, default });
            }
            _ => {
                let all: Vec<Value> = bits.iter().chain(&values).copied().collect();
                let condition = all[r.below(if bits.is_empty() { all.len() } else { bits.len() })];
                let (then, other) = (call(&mut r, &mut b), call(&mut r, &mut b));
                b.terminate(Terminator::Branch { condition, then, other });
            }
        }
    }
    b.finish()
}
