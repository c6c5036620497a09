//! The n-ary normal form: cheaper, and the same on all inputs.

use planish_ops::{Int, Op, Type};
use planish_rules::chain::{Combined, Form, combine};
use planish_rules::graph::{Graph, Val};
use planish_rules::matching::{Const, Operand, Outcome, Rewrite, Root, Subject};
use planish_rules::rule::RuleId;

/// The value that takes the place of the root.
fn build(graph: &mut Graph, combined: &Combined<Val>) -> Val {
    // A graph builds rewrites of rules; the rule does not matter to it.
    let rule = <RuleId as planish_base::Id>::from_index(0);
    let rewrite = Rewrite { rule, plan: combined.plan, outcome: combined.outcome };
    graph.build(&rewrite, false).expect("a value").0
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
        assert_eq!((combined.form, combined.plan.len()), (Form::Bitwise, 2));
        let last: Vec<Operand<Val>> = combined.plan.iter().last().expect("two").operands().collect();
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

#[test]
fn normal_forms_are_cheaper_and_compute_the_same_on_all_inputs() {
    let mut state = 7u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 33) as usize) % n
    };
    let ops = [Op::Add, Op::Sub, Op::Mul, Op::Neg, Op::Lshift, Op::And, Op::Or, Op::Xor, Op::Not];
    let mut combined_forms = [0; 3];
    for round in 0..6000 {
        let width = [1, 3, 4][round % 3];
        let ty = Type::Int(width as u8);
        let mut graph = Graph::new();
        let mut values: Vec<Val> = (0..2).map(|_| graph.param(ty)).collect();
        for _ in 0..3 {
            values.push(graph.int(width, below(16) as i64));
        }
        // Few kinds of operations, so that chains arise.
        let kinds = if round % 2 == 0 { &ops[..5] } else { &ops[5..] };
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
            let Some(combined) = combine(&graph, &Root { op, args: &args, ty }) else { continue };
            combined_forms[combined.form as usize] += 1;
            let new = build(&mut graph, &combined);
            for input in 0..1u64 << (2 * width) {
                let params = [input, input >> width].map(|v| Const::Int(Int::new(width, v)));
                assert_eq!(graph.eval(value, &params), graph.eval(new, &params), "{graph:?} {value} {new}");
            }
        }
    }
    assert!(combined_forms.iter().all(|&n| n > 50), "{combined_forms:?}");
}
