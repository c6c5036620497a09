//! The n-ary normal form: cheaper, and the same on all inputs.

use planish_ops::{Int, Op, Type};
use planish_rules::chain::{Combined, Form, combine, combine_seen};
use planish_rules::graph::{Graph, Val};
use planish_rules::matching::{Const, Operand, Outcome, Root, Subject};

/// The value that takes the place of the root.
fn build(graph: &mut Graph, combined: &Combined<Val>) -> Val {
    let mut built: Vec<Val> = Vec::new();
    let operand = |graph: &mut Graph, built: &[Val], operand| match operand {
        Operand::Value(value) => value,
        Operand::Const(constant) => graph.constant_value(constant),
        Operand::Built(index) => built[usize::from(index)],
    };
    for build in &combined.plan {
        let args: Vec<Val> = build.operands().map(|arg| operand(graph, &built, arg)).collect();
        built.push(graph.apply(build.op, &args, build.ty));
    }
    let Outcome::Value(value) = combined.outcome else { panic!("a chain gives a value") };
    operand(graph, &built, value)
}

/// Adds an operation as an engine does: in its cheaper form, where there is one.
fn add(graph: &mut Graph, op: Op, args: &[Val], ty: Type) -> Val {
    match combine(graph, &Root { op, args, ty }) {
        Some(combined) => build(graph, &combined),
        None => graph.apply(op, args, ty),
    }
}

#[test]
fn a_sum_of_fifty_equal_terms_is_one_multiplication() {
    let mut graph = Graph::new();
    let x = graph.param(Type::I64);
    let mut sum = x;
    for _ in 1..50 {
        sum = add(&mut graph, Op::Add, &[sum, x], Type::I64);
    }
    let root = graph.root(sum).expect("an operation");
    assert_eq!(root.op, Op::Mul);
    assert_eq!(root.args[0], x);
    assert_eq!(graph.constant(root.args[1]), Some(Const::Int(Int::new(64, 50))));
}

#[test]
fn a_product_of_eight_equal_factors_takes_three_multiplications() {
    let mut graph = Graph::new();
    let x = graph.param(Type::I64);
    let mut product = x;
    for _ in 2..8 {
        product = graph.apply(Op::Mul, &[product, x], Type::I64);
    }
    let root = Root { op: Op::Mul, args: &[product, x], ty: Type::I64 };
    let combined = combine(&graph, &root).expect("cheaper");
    let squares: Vec<Vec<Operand<Val>>> = combined.plan.iter().map(|b| b.operands().collect()).collect();
    let square = |of: Operand<Val>| vec![of, of];
    assert_eq!(squares, [square(Operand::Value(x)), square(Operand::Built(0)), square(Operand::Built(1))]);
}

#[test]
fn constants_of_a_long_chain_come_together() {
    for (op, expected) in [(Op::And, 0b1000), (Op::Or, 0b1111), (Op::Xor, 0b1000)] {
        let mut graph = Graph::new();
        let [x, y] = [(); 2].map(|()| graph.param(Type::I64));
        let [c1, c2, c3] = [0b1110, 0b1011, 0b1101].map(|c| graph.int(64, c));
        let a = graph.apply(op, &[x, c1], Type::I64);
        let b = graph.apply(op, &[y, c2], Type::I64);
        let both = graph.apply(op, &[a, b], Type::I64);
        let combined = combine(&graph, &Root { op, args: &[both, c3], ty: Type::I64 }).expect("cheaper");
        let form = if op == Op::Xor { Form::Fields } else { Form::Bitwise };
        assert_eq!((combined.form, combined.plan.len()), (form, 2));
        let last: Vec<Operand<Val>> = combined.plan.last().expect("two").operands().collect();
        assert_eq!(last[1], Operand::Const(Const::Int(Int::new(64, expected))));
    }
}

#[test]
fn what_others_use_is_left_alone() {
    let mut graph = Graph::new();
    let [x, y] = [(); 2].map(|()| graph.param(Type::I64));
    let sum = graph.apply(Op::Add, &[x, y], Type::I64);
    let product = graph.apply(Op::Mul, &[sum, y], Type::I64);
    graph.apply(Op::Neg, &[product], Type::I64);
    graph.apply(Op::Not, &[sum], Type::I64);
    assert!(combine(&graph, &Root { op: Op::Sub, args: &[sum, y], ty: Type::I64 }).is_none());
}

#[test]
fn a_value_and_its_complement_annihilate_in_a_long_chain() {
    let mut graph = Graph::new();
    let [x, y, z] = [(); 3].map(|()| graph.param(Type::I64));
    let not_x = graph.apply(Op::Not, &[x], Type::I64);
    let a = graph.apply(Op::And, &[x, y], Type::I64);
    let b = graph.apply(Op::And, &[a, z], Type::I64);
    let combined =
        combine(&graph, &Root { op: Op::And, args: &[b, not_x], ty: Type::I64 }).expect("nothing left");
    assert_eq!(combined.outcome, Outcome::Value(Operand::Const(Const::Int(Int::new(64, 0)))));
}

/// The operations of a form that is cheaper, in order, and their last operands where these are numbers.
fn operations(combined: &Combined<Val>) -> Vec<(Op, Option<u64>)> {
    let number = |operand| match operand {
        Some(Operand::Const(Const::Int(int))) => Some(int.unsigned()),
        _ => None,
    };
    combined.plan.iter().map(|build| (build.op, number(build.operands().last()))).collect()
}

#[test]
fn three_shifts_and_a_mask_are_one_shift_and_one_mask() {
    let mut graph = Graph::new();
    let x = graph.param(Type::I32);
    let [c3, c5, c9, mask] = [3, 5, 9, 0xff00].map(|c| graph.int(32, c));
    let a = graph.apply(Op::Urshift, &[x, c3], Type::I32);
    let b = graph.apply(Op::Lshift, &[a, c9], Type::I32);
    let c = graph.apply(Op::Rshift, &[x, c5], Type::I32);
    let d = graph.apply(Op::And, &[b, mask], Type::I32);
    let combined =
        combine(&graph, &Root { op: Op::Urshift, args: &[d, c5], ty: Type::I32 }).expect("cheaper");
    assert_eq!(operations(&combined), [(Op::Lshift, Some(1)), (Op::And, Some(0x7f0))]);
    graph.apply(Op::Not, &[c], Type::I32);
}

#[test]
fn what_is_shifted_alike_is_shifted_together_and_constants_come_last() {
    let mut graph = Graph::new();
    let [x, y, z] = [(); 3].map(|()| graph.param(Type::I64));
    let [four, seven, ones] = [4, 7, -1].map(|c| graph.int(64, c));
    let a = graph.apply(Op::Xor, &[x, seven], Type::I64);
    let b = graph.apply(Op::Lshift, &[a, four], Type::I64);
    let c = graph.apply(Op::Lshift, &[y, four], Type::I64);
    let d = graph.apply(Op::Xor, &[b, z], Type::I64);
    let e = graph.apply(Op::Xor, &[d, ones], Type::I64);
    let combined = combine(&graph, &Root { op: Op::Xor, args: &[e, c], ty: Type::I64 }).expect("cheaper");
    let expected = [(Op::Xor, None), (Op::Lshift, Some(4)), (Op::Xor, None), (Op::Xor, Some(!0x70))];
    assert_eq!(operations(&combined), expected);
}

#[test]
fn bits_that_nobody_sees_need_no_mask() {
    let mut graph = Graph::new();
    let x = graph.param(Type::Int(16));
    let [one, low] = [1, 0xff].map(|c| graph.int(16, c));
    let a = graph.apply(Op::Rshift, &[x, one], Type::Int(16));
    let b = graph.apply(Op::Lshift, &[a, one], Type::Int(16));
    let root = Root { op: Op::And, args: &[b, low], ty: Type::Int(16) };
    let combined = combine_seen(&graph, &root, 0x7e).expect("cheaper");
    assert_eq!(combined.outcome, Outcome::Value(Operand::Value(x)));
    assert_eq!(operations(&combine(&graph, &root).expect("cheaper")), [(Op::And, Some(0xfe))]);
}

#[test]
fn normal_forms_are_cheaper_and_compute_the_same_on_all_inputs() {
    let mut state = 7u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 33) as usize) % n
    };
    let ops = [Op::Add, Op::Sub, Op::Mul, Op::Neg, Op::Lshift, Op::And, Op::Or, Op::Xor, Op::Not];
    let shifts = [Op::Lshift, Op::Urshift, Op::Rshift, Op::And, Op::Or, Op::Xor, Op::Not, Op::Add];
    let (mut combined_forms, mut partly) = ([0; 4], 0);
    for round in 0..9000 {
        let width = [1, 3, 4][round % 3];
        let ty = Type::Int(width as u8);
        let mut graph = Graph::new();
        let mut values: Vec<Val> = (0..2).map(|_| graph.param(ty)).collect();
        for _ in 0..3 {
            values.push(graph.int(width, below(16) as i64));
        }
        // Few kinds of operations, so that chains arise.
        let kinds = [&ops[..5], &ops[5..], &shifts[..]][round / 3 % 3];
        for _ in 0..7 {
            let op = kinds[below(kinds.len())];
            let from = values.len().saturating_sub(5);
            let args: Vec<Val> =
                op.row()
                    .operands
                    .iter()
                    .map(|_| {
                        if below(3) == 0 {
                            values[below(5)]
                        } else {
                            values[from + below(values.len() - from)]
                        }
                    })
                    .collect();
            values.push(graph.apply(op, &args, ty));
        }
        for &value in &values[5..] {
            let Some(Root { op, args, .. }) = graph.root(value) else { continue };
            let args = args.to_vec();
            let root = Root { op, args: &args, ty };
            let seen = below(1 << width) as u64;
            let (whole, part) = (combine(&graph, &root), combine_seen(&graph, &root, seen));
            for (combined, seen) in [(whole, u64::MAX), (part, seen)] {
                let Some(combined) = combined else { continue };
                combined_forms[combined.form as usize] += 1;
                partly += usize::from(seen != u64::MAX);
                let new = build(&mut graph, &combined);
                for input in 0..1u64 << (2 * width) {
                    let params = [input, input >> width].map(|v| Const::Int(Int::new(width, v)));
                    // What a shift by the width or more gives is not said.
                    let [old, new] = [value, new].map(|value| match graph.eval(value, &params) {
                        Some(Const::Int(int)) => Some(int.unsigned() & seen),
                        _ => None,
                    });
                    assert!(old.is_none() || old == new, "{graph:?} {value} {combined:?} {seen:b}");
                }
            }
        }
    }
    assert!(combined_forms.iter().all(|&n| n > 50) && partly > 1000, "{combined_forms:?} {partly}");
}
