//! The book beside copies of itself under other constants: trees grow with the rules and not with their
//! combinations, a match asks no more questions, and finds what trying every row finds.

mod copies;

use copies::copied;
use planish_base::Id;
use planish_ops::{Op, Type};
use planish_rules::graph::{Graph, Val};
use planish_rules::interpret;
use planish_rules::matching::{Flow, Rewrite};

#[test]
fn nodes_grow_with_the_rules_and_questions_do_not() {
    let (four, nine) = (copied(4), copied(9));
    for (less, more) in four.all_decisions(false).zip(nine.all_decisions(false)) {
        let op = less.matrix.op;
        assert_eq!(op, more.matrix.op);
        for decision in [less, more] {
            let (rows, nodes) = (decision.matrix.rows.len(), decision.trees.len());
            assert!(nodes <= 20 * rows, "{op}: {nodes} nodes for {rows} rows");
        }
        let (before, after) = (less.depth(), more.depth());
        assert!(after <= 64, "{op}: {before} questions with four copies, {after} with nine");
    }
    assert!(nine.all_decisions(false).any(|decision| decision.is_factored()));
    let book = planish_book::set();
    assert!(book.decisions().all(|decision| !decision.is_factored()));
    for decision in book.decisions() {
        let (op, depth) = (decision.matrix.op, decision.depth());
        assert!(depth <= 48, "{op}: {depth} questions; runs are many: put rules that look alike together");
    }
}

/// Operations over few values, many of them `x ^ c` with a constant of a copy.
fn program(seed: u64) -> (Graph, Vec<Val>) {
    let mut state = seed;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 33) as usize) % n
    };
    let mut graph = Graph::new();
    let mut values: Vec<Val> = (0..3).map(|_| graph.param(Type::I64)).collect();
    for constant in [0, 1, -1, 8, 255] {
        values.push(graph.int(64, constant));
    }
    let own: Vec<Val> = (1000..1006).map(|constant| graph.int(64, constant)).collect();
    for _ in 0..4 {
        let args = [values[below(3)], own[below(own.len())]];
        values.push(graph.apply(Op::Xor, &args, Type::I64));
    }
    let ops = [
        Op::Add,
        Op::Sub,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Neg,
        Op::Not,
        Op::Eq,
        Op::Ne,
        Op::Select,
        Op::Lt,
        Op::IsZero,
    ];
    for _ in 0..24 {
        let op = ops[below(ops.len())];
        let args: Vec<Val> = op.row().operands.iter().map(|_| values[below(values.len())]).collect();
        values.push(graph.apply(op, &args, Type::I64));
    }
    (graph, values)
}

fn first(search: impl FnOnce(&mut dyn FnMut(Rewrite<Val>) -> Flow) -> Flow) -> Option<(usize, String)> {
    let mut found = None;
    let _ = search(&mut |rewrite| {
        found = Some((rewrite.rule.index(), format!("{rewrite:?}")));
        Flow::Break(())
    });
    found
}

#[test]
fn factors_find_what_trying_every_row_finds() {
    let set = copied(5);
    let (mut matched, mut by_copies, mut by_factors) = (0, 0, 0);
    for seed in 0..150 {
        let (graph, values) = program(seed);
        for &value in &values {
            let Some(root) = graph.root(value) else { continue };
            let Some(decision) = set.decision(root.op, false) else { continue };
            let tree = first(|found| set.search(&graph, &root, found));
            let naive = first(|found| interpret::naive(&graph, &set.rules, &decision.matrix, &root, found));
            assert_eq!(tree, naive, "{graph:?} at {value}");
            if let Some((rule, _)) = tree {
                matched += 1;
                by_copies += usize::from(rule >= planish_book::RULES.len());
                by_factors += usize::from(decision.is_factored());
            }
        }
    }
    assert!(matched > 500 && by_copies > 100 && by_factors > 100, "{matched} {by_copies} {by_factors}");
}
