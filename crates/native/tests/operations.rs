//! Every operation of the table that has a meaning, compiled and interpreted at every width, at edge values.
#![cfg(feature = "cranelift")]

use planish_interp::{Limits, Program, Scenario, Val, run};
use planish_ir::{Builder, Function, Module};
use planish_native::{Options, agrees, compile};
use planish_ops::table::ALL;
use planish_ops::{Effect, FloatFormat, Int, Op, Real, Shape, Type};

/// Numbers at the edges of a width, and some in the middle.
fn integers(width: u32) -> Vec<Val> {
    let top = 1u64 << (width - 1);
    let mut bits =
        vec![0, 1, 2, 3, 5, u64::MAX, u64::MAX - 1, top, top - 1, top.wrapping_add(1), 0x9e37_79b9_7f4a_7c15];
    // Amounts of shifts at the width, and a number of bits to extend.
    bits.extend([u64::from(width), u64::from(width) - 1, u64::from(width) + 1, 31, 32, 33]);
    let mut values: Vec<Int> = Vec::new();
    for bits in bits {
        let int = Int::new(width, bits);
        if !values.contains(&int) {
            values.push(int);
        }
    }
    values.into_iter().map(Val::Int).collect()
}

fn floats(format: FloatFormat) -> Vec<Val> {
    let numbers = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        0.5,
        -1.5,
        2.5,
        3.0,
        1e-310,
        f64::MIN_POSITIVE,
        127.5,
        -128.9,
        255.9,
        2147483647.5,
        -2147483649.0,
        4294967296.0,
        16777217.0,
        9007199254740993.0,
        9223372036854775807.0,
        -9223372036854775808.0,
        18446744073709551615.0,
        1e20,
        -1e300,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
    ];
    let value = |number: f64| match format {
        FloatFormat::F32 => Val::Real(Real::F32(number as f32)),
        FloatFormat::F64 => Val::Real(Real::F64(number)),
    };
    numbers.map(value).to_vec()
}

fn values(ty: Type) -> Vec<Val> {
    match ty {
        Type::Int(width) => integers(u32::from(width)),
        Type::Float(format) => floats(format),
        Type::Ref | Type::State | Type::Vector(_) => Vec::new(),
    }
}

/// The operations that the table has a meaning for, by whether they may leave.
fn operations(leaves: bool) -> impl Iterator<Item = Op> {
    let computes = |op: &&Op| {
        let row = op.row();
        let plain =
            |shape: &Shape| matches!(shape, Shape::Int(_) | Shape::Bit | Shape::Float(_) | Shape::Any(_));
        row.effect == Effect::Pure
            && row.descriptor.is_none()
            && !row.variadic
            && row.operands.iter().chain(row.results).all(plain)
    };
    ALL.iter().filter(computes).copied().filter(move |op| op.row().divisor.is_some() == leaves)
}

/// A function of operations on `args`, all of which have these types where a row leaves them open.
struct Maker {
    b: Builder,
    args: Vec<planish_ir::Value>,
    results: Vec<planish_ir::Value>,
}

impl Maker {
    fn new(args: &[Type]) -> Maker {
        let mut b = Builder::new("f", &[]);
        let entry = b.block("");
        b.at(entry);
        let args = args.iter().map(|&ty| b.param(entry, ty)).collect();
        Maker { b, args, results: Vec::new() }
    }

    /// Appends an operation, if there are arguments for its operands and it goes between these types.
    fn add(&mut self, op: Op, named: Type) -> bool {
        let row = op.row();
        let mut operands = Vec::new();
        let mut bound: Vec<(u8, Type)> = Vec::new();
        for &shape in row.operands {
            let fits = |&value: &planish_ir::Value| {
                let ty = self.b.function().ty(value);
                let variable = shape.variable();
                let known = variable.and_then(|v| bound.iter().find(|(other, _)| *other == v));
                shape.admits(ty) && known.is_none_or(|&(_, known)| known == ty) && !operands.contains(&value)
            };
            let Some(&value) = self.args.iter().find(|value| fits(value)) else { return false };
            if let Some(variable) = shape.variable() {
                bound.push((variable, self.b.function().ty(value)));
            }
            operands.push(value);
        }
        let open =
            row.results.iter().any(|r| r.variable().is_some_and(|v| !bound.iter().any(|(o, _)| *o == v)));
        if open && !row.results[0].admits(named) {
            return false;
        }
        let from = self.b.function().ty(operands[0]);
        if row.conversion.is_some() && !op.converts(from, named) {
            return false;
        }
        let named = if open { vec![named] } else { Vec::new() };
        let inst = self.b.inst(op, &operands, &named, None, None);
        self.results.extend(self.b.function().results(inst));
        true
    }

    fn finish(mut self) -> Function {
        let types: Vec<Type> = self.results.iter().map(|&result| self.b.function().ty(result)).collect();
        self.b.set_result_types(&types);
        self.b.ret(&self.results);
        self.b.finish()
    }
}

/// Compares both on all combinations of the first two arguments, with others that go along.
fn check(function: Function, what: &str) {
    let mut module = Module::new();
    let types: Vec<Type> = function.params().iter().map(|&param| function.ty(param)).collect();
    let id = module.functions.push(function);
    let code = compile(&module, id, Options::default()).unwrap_or_else(|refused| panic!("{what}: {refused}"));
    let (program, scenario) = (Program::of(&module), Scenario::new(0));
    let choices: Vec<Vec<Val>> = types.iter().map(|&ty| values(ty)).collect();
    let [xs, ys] = [0, 1].map(|at| choices.get(at).map_or(1, Vec::len));
    let mut runs = Vec::new();
    for x in 0..xs {
        for y in 0..ys {
            let at = |(position, values): (usize, &Vec<Val>)| match position {
                0 => values[x],
                1 => values[y],
                _ => values[(x + y + position) % values.len()],
            };
            runs.push(choices.iter().enumerate().map(at).collect::<Vec<Val>>());
        }
    }
    for (args, found) in runs.iter().zip(code.run_each(&runs, &scenario, 0)) {
        let expected = run(&program, &module.functions[id], args, &scenario, Limits::default()).end;
        assert!(agrees(&expected, &found), "{what} of {args:?}\n{expected:?}\n{found:?}");
    }
}

#[test]
fn integers_at_every_width() {
    let mut seen = Vec::new();
    for width in 1..=64 {
        let ty = Type::Int(width);
        let mut maker = Maker::new(&[ty, ty, ty]);
        // The truth of a comparison in one bit, in its own type, in a wide one.
        for named in [Type::I1, ty, Type::I64] {
            for op in operations(false).filter(|op| op.row().conversion.is_none()) {
                if maker.add(op, named) {
                    seen.push(op);
                }
            }
        }
        check(maker.finish(), &format!("i{width}"));
    }
    seen.sort_unstable();
    seen.dedup();
    assert!(seen.len() >= 40, "{seen:?}");
}

#[test]
fn divisions_at_every_width() {
    for width in 1..=64 {
        for op in operations(true) {
            let ty = Type::Int(width);
            let mut maker = Maker::new(&[ty, ty]);
            assert!(maker.add(op, ty));
            check(maker.finish(), &format!("{op} of i{width}"));
        }
    }
}

/// What a constant divisor or amount is, the code may know.
#[test]
fn divisors_and_amounts_that_are_constants() {
    for width in [1, 2, 7, 8, 16, 31, 32, 33, 48, 63, 64] {
        for op in
            operations(true).chain([Op::Lshift, Op::Rshift, Op::Urshift, Op::Rotl, Op::Rotr, Op::Signext])
        {
            for constant in integers(width) {
                let Val::Int(int) = constant else { continue };
                let mut maker = Maker::new(&[int.ty()]);
                let second = maker.b.constant(int);
                maker.args.push(second);
                assert!(maker.add(op, int.ty()));
                check(maker.finish(), &format!("{op} of i{width} and {constant}"));
            }
        }
    }
}

#[test]
fn conversions_between_all_widths() {
    for from in 1..=64 {
        let mut maker = Maker::new(&[Type::Int(from)]);
        for to in 1..=64 {
            for op in [Op::Sext, Op::Zext, Op::Trunc] {
                assert_eq!(maker.add(op, Type::Int(to)), if op == Op::Trunc { to < from } else { from < to });
            }
        }
        for float in [Type::F32, Type::F64] {
            assert!(maker.add(Op::SignedToFloat, float) && maker.add(Op::UnsignedToFloat, float));
        }
        check(maker.finish(), &format!("conversions of i{from}"));
    }
}

#[test]
fn floats_of_both_formats() {
    for (float, other) in [(Type::F32, Type::F64), (Type::F64, Type::F32)] {
        let mut seen = 0;
        let mut maker = Maker::new(&[float, float, Type::I1]);
        for op in
            operations(false).filter(|op| op.row().operands.iter().any(|s| matches!(s, Shape::Float(_))))
        {
            seen += usize::from(maker.add(op, other));
            for width in 1..=64 {
                seen += usize::from(maker.add(op, Type::Int(width)));
            }
        }
        assert!(seen > 64 * 10, "{seen}");
        check(maker.finish(), &format!("{float}"));
        let bits = Type::Int(float.float_format().expect("a float").bits() as u8);
        let mut maker = Maker::new(&[bits, bits, bits]);
        assert!(maker.add(Op::BitsToFloat, float));
        check(maker.finish(), &format!("bits to {float}"));
    }
}

#[test]
fn choices_between_floats() {
    for float in [Type::F32, Type::F64] {
        let mut maker = Maker::new(&[Type::I1, float, float]);
        assert!(maker.add(Op::Select, float));
        check(maker.finish(), &format!("select of {float}"));
    }
}
