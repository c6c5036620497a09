//! An evaluator of functions on integers, apart from the interpreter, so that one mistake cannot hide in
//! both.

use planish_base::Id;
use planish_ir::{ExitTarget, Function, Terminator, Value};
use planish_ops::meaning::Datum;
use planish_ops::{Fold, Int, Machine, Op, Type, fold};

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
            .unwrap_or_else(|| panic!("{v} is not defined in `{}`", f.name))
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
