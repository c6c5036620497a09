//! Every operation on vectors, compiled and interpreted on random lanes.
#![cfg(feature = "cranelift")]

use planish_interp::{Limits, Program, Scenario, Val, run};
use planish_ir::module::Descriptor;
use planish_ir::{Builder, Module, Value};
use planish_native::{Options, agrees, compile};
use planish_ops::table::ALL;
use planish_ops::world::{Location, Mutability};
use planish_ops::{Lane, Op, Shape, Type};

const WORLDS: u64 = 60;

/// Builds a function that takes what is in lanes, and gives back what is in them.
struct Maker {
    b: Builder,
    lane: Lane,
    results: Vec<Value>,
}

impl Maker {
    fn new(lane: Lane) -> Maker {
        let mut b = Builder::new("f", &[]);
        let entry = b.block("");
        b.at(entry);
        Maker { b, lane, results: Vec::new() }
    }

    fn op(&mut self, op: Op, args: &[Value]) -> Value {
        let inst = self.b.inst(op, args, &[], None, None);
        self.b.function().result(inst)
    }

    fn param(&mut self, ty: Type) -> Value {
        let entry = self.b.function().entry();
        self.b.param(entry, ty)
    }

    fn number(&mut self, at: u32) -> Value {
        self.b.constant(planish_ops::Int::new(64, u64::from(at)))
    }

    /// A vector of parameters.
    fn vector(&mut self) -> Value {
        let first = self.param(self.lane.ty());
        let mut vector = self.op(Op::Splat, &[first]);
        for at in 1..self.lane.count() {
            let (value, at) = (self.param(self.lane.ty()), self.number(at));
            vector = self.op(Op::Insert, &[vector, at, value]);
        }
        vector
    }

    /// A value is among the results, a vector lane by lane.
    fn give(&mut self, value: Value) {
        if self.b.function().ty(value).lane().is_none() {
            self.results.push(value);
            return;
        }
        for at in 0..self.lane.count() {
            let at = self.number(at);
            let extracted = self.op(Op::Extract, &[value, at]);
            self.results.push(extracted);
        }
    }

    /// Compares machine code with the interpreter in some worlds.
    fn check(mut self, mut module: Module, what: &str) {
        let types: Vec<Type> = self.results.iter().map(|&result| self.b.function().ty(result)).collect();
        self.b.set_result_types(&types);
        self.b.ret(&self.results);
        let id = module.functions.push(self.b.finish());
        assert_eq!(planish_ir::verify::verify_module(&module, planish_ir::Form::Cfg), Vec::<String>::new());
        let code =
            compile(&module, id, Options::default()).unwrap_or_else(|refused| panic!("{what}: {refused}"));
        let (program, function) = (Program::of(&module), &module.functions[id]);
        let types: Vec<Type> = function.params().iter().map(|&param| function.ty(param)).collect();
        for world in 0..WORLDS {
            let scenario = Scenario::new(world);
            let args: Vec<Val> = scenario.arguments(&types);
            let expected = run(&program, function, &args, &scenario, Limits::default()).end;
            let found = code.run(&args, &scenario, 0);
            assert!(agrees(&expected, &found), "{what} of {args:?}\n{expected:?}\n{found:?}");
        }
    }
}

/// The operations on vectors that touch no memory, and the lanes that they take.
fn operations() -> impl Iterator<Item = (Op, Lane)> {
    let ops = ALL.iter().copied().filter(|op| op.row().lanewise.is_some());
    ops.flat_map(|op| Lane::ALL.map(|lane| (op, lane))).filter(|(op, lane)| {
        let shapes = op.row().operands.iter().chain(op.row().results);
        shapes
            .into_iter()
            .all(|shape| !matches!(shape, Shape::Vector(_)) || shape.admits(Type::Vector(*lane)))
    })
}

#[test]
fn operations_on_vectors_do_what_the_interpreter_does() {
    let mut seen = 0;
    for (op, lane) in operations() {
        // The number of a lane in words of several widths.
        for index in [Type::I64, Type::Int(8), Type::I1] {
            let mut maker = Maker::new(lane);
            let args: Vec<Value> = (op.row().operands.iter())
                .map(|shape| match shape {
                    Shape::Vector(_) => maker.vector(),
                    Shape::Lane => maker.param(lane.ty()),
                    _ => maker.param(index),
                })
                .collect();
            let result = maker.op(op, &args);
            maker.give(result);
            maker.check(Module::new(), &format!("{op} of {}", Type::Vector(lane)));
            seen += 1;
            if !op.row().operands.iter().any(|shape| matches!(shape, Shape::Int(_))) {
                break;
            }
        }
    }
    assert!(seen > 150, "{seen}");
}

#[test]
fn vectors_are_shifted_by_one_amount() {
    for op in [Op::Vlshift, Op::Vrshift, Op::Vurshift] {
        for lane in [Lane::I8, Lane::I16, Lane::I32, Lane::I64] {
            let mut maker = Maker::new(lane);
            let (x, amount) = (maker.vector(), maker.param(lane.ty()));
            let amounts = maker.op(Op::Splat, &[amount]);
            let shifted = maker.op(op, &[x, amounts]);
            maker.give(shifted);
            maker.check(Module::new(), &format!("{op} of {}", Type::Vector(lane)));
        }
    }
}

#[test]
fn vectors_go_to_memory_and_back() {
    for lane in Lane::ALL {
        let mut module = Module::new();
        let location = Location {
            ty: lane.ty(),
            stored_bits: None,
            signed: false,
            mutability: Mutability::Mutable,
            alias_class: 0,
            raw: false,
        };
        let items = module.descriptors.intern("items", || Descriptor::Location(location));
        let mut maker = Maker::new(lane);
        let (base, vector, bytes) = (maker.number(1000), maker.vector(), lane.bits() / 8);
        // Between two items, and back from one item further.
        let (to, from) = (maker.number(8), maker.number(8 + bytes));
        maker.b.inst(Op::Vstore, &[base, to, vector], &[], Some(items), None);
        let ty = Type::Vector(lane);
        let loaded = maker.b.inst(Op::Vload, &[base, from], &[ty], Some(items), None);
        let loaded = maker.b.function().result(loaded);
        maker.give(loaded);
        // What scalars find there.
        for at in 0..lane.count() {
            let offset = maker.number(8 + at * bytes);
            let one = maker.b.inst(Op::RawLoad, &[base, offset], &[lane.ty()], Some(items), None);
            let one = maker.b.function().result(one);
            maker.give(one);
        }
        maker.check(module, &format!("memory of {ty}"));
    }
}

/// Vectors go round loops and are chosen; they do not leave.
#[test]
fn vectors_go_round_loops_and_leave_no_function() {
    let text = "
func sum(n: i64, x: i32) -> i32, i32 {
entry:
    zero = splat(0: i32)
    one = splat(x)
    jump loop(0, zero, one)
loop(i: i64, sum: i32x4, step: i32x4):
    next = vadd(sum, step)
    odd = and(i, 1)
    chosen = select(odd, step, next)
    j = add(i, 1)
    more: i1 = ult(j, n)
    branch more, loop(j, next, chosen), out
out:
    all = reduce_add(next)
    one_of_them = extract(chosen, n)
    return all, one_of_them
}
func gives(x: i32) -> i32x4 {
entry:
    v = splat(x)
    return v
}
func leaves(x: i32) -> i32 {
entry:
    v = splat(x)
    guard_true(x) else leave 3(v)
    return x
}
";
    let (module, diagnostics) = planish_ir::text::read(text);
    assert!(!diagnostics.has_errors(), "{diagnostics:?}");
    let id = module.find("sum").unwrap();
    let code = compile(&module, id, Options::default()).unwrap();
    let (program, function) = (Program::of(&module), &module.functions[id]);
    for n in 0..9 {
        let args = [Val::int(Type::I64, n), Val::int(Type::I32, 2 * n - 7)];
        let scenario = Scenario::new(0);
        let expected = run(&program, function, &args, &scenario, Limits::default()).end;
        let found = code.run(&args, &scenario, 0);
        assert!(agrees(&expected, &found), "{args:?}\n{expected:?}\n{found:?}");
    }
    for name in ["gives", "leaves"] {
        assert!(compile(&module, module.find(name).unwrap(), Options::default()).is_err(), "{name}");
    }
}
