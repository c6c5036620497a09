//! What an embedder says has the effect that it promises; what is said wrongly is refused, and nothing is changed.

use planish::{Builder, CallEffect, Error, Op, Operation, Planish, Target, Type, Val, int};

const LOOSE: &str = "func f(v0: i32, v1: f64) -> i32 {\na:\n    return v0\n}\n";

#[test]
fn a_text_is_refused_with_file_line_column_and_the_line() {
    let error =
        planish::read("mine.ssa", "func f(v0: i64) -> i64 {\na:\n    v1 = mull(v0, v0)\n    return v1\n}\n");
    let said = error.err().expect("there is no such operation").to_string();
    assert!(said.contains("mine.ssa:3:10") && said.contains("v1 = mull(v0, v0)"), "{said}");
}

#[test]
fn arguments_and_names_are_compared_before_a_run() {
    let module = planish::read("f.ssa", LOOSE).expect("it is right");
    assert_eq!(planish::run(&module, "g", &[]).unwrap_err().to_string(), "there is no function `g`");
    let said = planish::run(&module, "f", &[int(1), Val::Undefined]).unwrap_err().to_string();
    assert_eq!(said, "`f` takes (i32, f64) and was given (i64, undefined)");
}

#[test]
fn a_module_that_is_not_whole_is_refused_and_stays() {
    let mut b = Builder::new("f", &[Type::I64]);
    let entry = b.block("entry");
    let x = b.param(entry, Type::I64);
    b.at(entry);
    let narrow = b.op_as(Op::Trunc, &[x], Type::Int(8));
    b.ret(&[narrow]);
    let mut module = planish::ir::Module::new();
    module.functions.push(b.finish());
    let before = planish::print(&module);
    assert!(matches!(Planish::new().optimize(&mut module), Err(Error::Invalid(_))));
    assert_eq!(planish::print(&module), before);
}

#[test]
fn wrong_rules_get_a_counterexample_and_broken_ones_their_place() {
    let wrong =
        planish::read_rules("w.rules", "or_is_sub: int_or(a, b) => int_sub(a, b)\n").expect("it is a rule");
    let said = planish::prove_rules(&wrong).unwrap_err().to_string();
    assert!(said.starts_with("counterexample to or_is_sub"), "{said}");
    let said =
        planish::read_rules("b.rules", "name: int_or(a, b) => c\n").expect_err("c is nothing").to_string();
    assert!(said.contains("b.rules:1"), "{said}");
}

#[test]
fn an_operation_keeps_the_effect_that_it_was_declared_with() {
    let mut module = planish::ir::Module::new();
    let mut declare = |effect| Operation::declare(&mut module, "tick", &[], &[Type::I64], effect);
    let first = declare(CallEffect::pure()).expect("the name is free");
    assert_eq!(declare(CallEffect::pure()), Ok(first));
    assert_eq!(declare(CallEffect::unknown()), Err(Error::Taken("tick".to_owned())));
}

/// An operation whose results nothing uses goes if it only computes, and stays if it has an effect.
#[test]
fn the_effect_of_an_operation_decides_what_becomes_of_it() {
    let left = |effect: CallEffect| {
        let mut module = planish::ir::Module::new();
        let mix =
            Operation::declare(&mut module, "mix", &[Type::I64], &[Type::I64], effect).expect("a new name");
        let mut b = Builder::new("f", &[Type::I64]);
        let entry = b.block("entry");
        let x = b.param(entry, Type::I64);
        b.at(entry);
        let first = mix.append(&mut b, &[x]);
        let one = b.function().result(first);
        let second = mix.append(&mut b, &[one]);
        let two = b.function().result(second);
        let unused = mix.append(&mut b, &[two]);
        assert!(mix.is(b.function(), unused));
        let sum = b.op(Op::Add, &[one, two]);
        b.ret(&[sum]);
        module.functions.push(b.finish());
        Planish::new().optimize(&mut module).expect("it is whole");
        let f = module.functions.values().next().expect("a function");
        f.live_insts().filter(|&(_, inst)| mix.is(f, inst)).count()
    };
    assert_eq!(left(CallEffect::pure()), 2);
    assert_eq!(left(CallEffect { elidable: false, ..CallEffect::pure() }), 3);
}

#[test]
#[should_panic(expected = "`mix` takes (i64), not (i32)")]
fn operands_of_an_operation_have_its_types() {
    let mut module = planish::ir::Module::new();
    let mix =
        Operation::declare(&mut module, "mix", &[Type::I64], &[], CallEffect::unknown()).expect("a new name");
    let mut b = Builder::new("f", &[]);
    let entry = b.block("entry");
    let x = b.param(entry, Type::I32);
    b.at(entry);
    mix.append(&mut b, &[x]);
}

#[test]
fn passes_behind_others_join_their_walk_and_wrong_ones_change_nothing() {
    let planish =
        Planish::with_passes("rewrite:pure").and_then(|p| p.then_passes("dead:gcm")).expect("passes");
    let names: Vec<&str> = planish.pipeline().steps().iter().map(|step| step.name.as_str()).collect();
    assert_eq!(names, ["rewrite+pure+dead", "gcm"]);
    let mut pipeline = planish.pipeline().clone();
    assert!(pipeline.append("dead:no-such-pass").is_err());
    assert_eq!(pipeline.steps().len(), 2);
}

#[test]
fn costs_decide_which_form_is_chosen() {
    let left = |select: u32| {
        let text = "func f(v0: i64, v1: i64) -> i64 {\na:\n    v2 = lt(v0, v1)\n    branch v2, b, c(v0)\nb:\n    \
                    jump c(v1)\nc(v3: i64):\n    return v3\n}\n";
        let mut module = planish::read("max.ssa", text).expect("it is right");
        let price = |op| if op == Op::Select { Some(select) } else { planish::machine_price(op) };
        let target = Target { price: &price, ..Target::MACHINE };
        let passes = Planish::with_passes("if-conversion:simplify-cfg").expect("passes");
        passes.for_target(target).optimize(&mut module).expect("it is whole");
        planish::print(&module).contains("select")
    };
    assert!(left(1));
    assert!(!left(10));
}

const SQUARES: &str = "func f(v0: i64) -> i64 {\na:\n    v1 = mul(v0, 8)\n    v2 = add(v1, 0)\n    return v2\n}\n\n\
                       func g(v0: i64) -> i64 {\na:\n    v1 = sub(v0, v0)\n    return v1\n}\n";

#[test]
fn every_rewrite_is_told_and_fuel_stops_behind_the_last() {
    let optimized = |record| {
        let mut module = planish::read("squares.ssa", SQUARES).expect("it is right");
        let done = Planish::new().optimize_with(&mut module, record).expect("it is whole");
        let said: Vec<String> = done
            .remarks()
            .map(|remark| format!("{} {}: {}", remark.function, remark.line, remark.what()))
            .collect();
        (planish::print(&module), done.record.total(), said)
    };
    let (text, total, said) = optimized(planish::Record::new().logging());
    assert_eq!(said, ["f 3: mul -> lshift", "f 4: add v2 = new6", "g 10: sub v1 = 0"], "{text}");
    assert_eq!(total, 3);
    let (text, total, said) = optimized(planish::Record::new().logging().with_fuel(1));
    assert_eq!((total, said.len()), (1, 1));
    assert!(text.contains("lshift") && text.contains("add"), "{text}");
    assert_eq!(optimized(planish::Record::new()).2, Vec::<String>::new());
}

#[test]
fn a_run_ends_within_its_limits_and_counts() {
    let text = "func f(v0: i64) -> i64 {\na:\n    jump b(v0)\nb(v1: i64):\n    v2 = add(v1, -1)\n    \
                branch v2, b(v2), c\nc:\n    return v1\n}\n";
    let module = planish::read("down.ssa", text).expect("it is right");
    let run = |fuel| {
        let limits = planish::Limits { fuel, ..planish::Limits::default() };
        planish::run_within(&module, "f", &[int(5)], limits, &mut planish::interp::NoHost).expect("it fits")
    };
    assert_eq!(run(100).end, planish::End::Return(vec![int(1)]));
    assert_eq!(run(100).counts.of(Op::Add), 5);
    assert_eq!(run(7).end, planish::End::OutOfFuel);
}

#[cfg(feature = "native")]
#[test]
fn machine_code_computes_what_the_interpreter_does_and_says_what_it_cannot() {
    use planish::interp::Scenario;

    let text = "func f(v0: i64) -> i64 {\na:\n    v1 = mul(v0, 7)\n    return v1\n}\n";
    let module = planish::read("f.ssa", text).expect("it is right");
    let code = planish::compile(&module, "f").expect("it has code");
    let (args, end) = ([int(6)], planish::End::Return(vec![int(42)]));
    assert_eq!(code.run(&args, &Scenario::new(0), u64::MAX), end);
    assert_eq!(planish::run(&module, "f", &args), Ok(end));
    let outside = "callee @g\nfunc f() {\na:\n    call() @g\n    return\n}\n";
    let module = planish::read("f.ssa", outside).expect("it is right");
    assert!(matches!(planish::compile(&module, "f"), Err(Error::NoCode(_))));
}
