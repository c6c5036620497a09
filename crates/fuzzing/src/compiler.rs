//! The rule compiler on random rules: the tree in memory finds what trying every row finds, by runs
//! and by factors, and says rightly which rules no input reaches.
//!
//! The rules mean nothing; they are well-typed patterns over few operations, so that many of them match
//! one program, and the order in which they are tried matters.

use arbitrary::{Result, Unstructured};
use planish_base::SourceText;
use planish_ops::{Op, Type};
use planish_rules::graph::{Graph, Val};
use planish_rules::matching::{Flow, Rewrite, Root};
use planish_rules::tree::{Decision, Tree};
use planish_rules::{RuleId, RuleSet, interpret};

const OPS: [(Op, usize); 6] =
    [(Op::Add, 2), (Op::Sub, 2), (Op::And, 2), (Op::Neg, 1), (Op::Not, 1), (Op::Lshift, 2)];

/// How deep a pattern nests.
const DEPTH: usize = 3;

/// How many programs each set of rules is tried on.
const PROGRAMS: usize = 4;

/// Makes rules and programs from the data and matches both ways. Returns how many operations matched.
pub fn trees_find_what_rows_find(u: &mut Unstructured<'_>) -> Result<u64> {
    let text = rules(u)?;
    let (set, findings) = RuleSet::read(vec![SourceText::new("random.rules", text.clone())]);
    assert!(findings.is_empty(), "{text}\n{}", set.render(&findings));
    let factored: Vec<Decision> =
        set.all_decisions(false).map(|d| Decision::with_questions(d.matrix.clone(), 0)).collect();
    for decision in set.all_decisions(false).filter(|d| !d.is_factored()) {
        assert_eq!(in_leaves(decision), decision.reachable(), "{text}");
    }
    let mut matched = 0;
    for _ in 0..PROGRAMS {
        let (graph, values) = program(u)?;
        for &value in &values {
            let Some(Root { op, args, ty }) = graph.root(value) else { continue };
            let Some(decision) = set.decision(op, false) else { continue };
            let root = Root { op, args, ty };
            let tree = first(|found| set.search(&graph, &root, found));
            let naive = first(|found| interpret::naive(&graph, &set.rules, &decision.matrix, &root, found));
            assert_eq!(tree, naive, "{text}\n{graph:?}\nat {value}");
            let decision = factored.iter().find(|d| d.matrix.op == op).expect("as many as before");
            let factors = first(|found| interpret::search(&graph, &set.rules, decision, &root, found));
            assert_eq!(factors, naive, "by factors\n{text}\n{graph:?}\nat {value}");
            matched += u64::from(tree.is_some());
        }
    }
    Ok(matched)
}

/// The rules that a tree of runs tries somewhere.
fn in_leaves(decision: &Decision) -> Vec<RuleId> {
    let mut rules: Vec<RuleId> = decision
        .trees
        .values()
        .filter_map(|tree| match tree {
            Tree::Leaf(rows) => Some(rows),
            _ => None,
        })
        .flatten()
        .map(|&row| decision.matrix.rows[row].rule)
        .collect();
    rules.sort();
    rules.dedup();
    rules
}

fn term(u: &mut Unstructured<'_>, depth: usize, root: bool) -> Result<String> {
    if !root && (depth == 0 || u.ratio(1, 3)?) {
        return Ok((*u.choose(&["x", "y", "z", "x", "C1", "C2", "0", "1", "-1", "MININT"])?).to_owned());
    }
    let (op, arity) = *u.choose(&OPS)?;
    let args: Vec<String> = (0..arity).map(|_| term(u, depth - 1, false)).collect::<Result<_>>()?;
    Ok(format!("{op}({})", args.join(", ")))
}

/// A file of random rules.
fn rules(u: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    for index in 0..u.int_in_range(2..=13)? {
        let pattern = term(u, DEPTH, true)?;
        let bound = ["x", "y", "z"].into_iter().find(|name| pattern.contains(name));
        text.push_str(&format!("r{index}: {pattern}\n"));
        if pattern.contains("C1") && u.ratio(1, 3)? {
            text.push_str("    check C1 > 0\n");
        }
        if let Some(name) = bound
            && u.ratio(1, 4)?
        {
            text.push_str(&format!("    check {name}.known_nonnegative()\n"));
        }
        let target = match (bound, u.int_in_range(0..=2)?) {
            (Some(name), 0) => name.to_owned(),
            (Some(name), 1) => format!("neg({name})"),
            _ => "0".to_owned(),
        };
        text.push_str(&format!("    => {target}\n"));
    }
    Ok(text)
}

fn program(u: &mut Unstructured<'_>) -> Result<(Graph, Vec<Val>)> {
    let ty = Type::Int(8);
    let mut graph = Graph::new();
    let mut values = vec![graph.param(ty), graph.param(ty)];
    for constant in [0, 1, -1, -128, 5] {
        values.push(graph.int(8, constant));
    }
    for _ in 0..8 {
        let (op, arity) = *u.choose(&OPS)?;
        let args: Vec<Val> = (0..arity).map(|_| u.choose(&values).copied()).collect::<Result<_>>()?;
        values.push(graph.apply(op, &args, ty));
    }
    Ok((graph, values))
}

/// The first rewrite that a search finds, as text.
fn first(search: impl FnOnce(&mut dyn FnMut(Rewrite<Val>) -> Flow) -> Flow) -> Option<String> {
    let mut found = None;
    let _ = search(&mut |rewrite| {
        let plan: Vec<String> =
            rewrite.plan.iter().map(|b| format!("{} {:?}", b.op, b.operands().collect::<Vec<_>>())).collect();
        found = Some(format!("{} {:?} {plan:?}", rewrite.rule, rewrite.outcome));
        Flow::Break(())
    });
    found
}
