//! What matching costs: the generated matcher, the tree in memory, and the tree of the book beside ten
//! copies of it under other constants.
//!
//! `cargo bench -p planish-book`. Figures are for one operation of a random program, whether a rule
//! fires or not.

use planish_base::{Id, SourceText};
use planish_ops::{Op, Type};
use planish_rules::RuleSet;
use planish_rules::graph::{Graph, Val};
use planish_rules::matching::Root;
use planish_rules::rule::{Ty, TyKind, VarKind};

fn main() {
    divan::main();
}

const SIZE: usize = 2_000;

const OPS: [Op; 14] = [
    Op::Add,
    Op::Sub,
    Op::Mul,
    Op::And,
    Op::Or,
    Op::Xor,
    Op::Lshift,
    Op::Rshift,
    Op::Urshift,
    Op::Neg,
    Op::Eq,
    Op::Lt,
    Op::IsTrue,
    Op::IsZero,
];

/// A program in which operands are mostly recent values, as in real code.
fn program() -> (Graph, Vec<Val>) {
    let mut state = 3u64;
    let mut below = |n: usize| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((state >> 33) as usize) % n
    };
    let mut graph = Graph::new();
    let mut values: Vec<Val> = (0..4).map(|_| graph.param(Type::I64)).collect();
    for constant in [0, 1, -1, 2, 8, 63, 255] {
        values.push(graph.int(64, constant));
    }
    let mut ops = Vec::new();
    for _ in 0..SIZE {
        let op = OPS[below(OPS.len())];
        let args: Vec<Val> = op
            .row()
            .operands
            .iter()
            .map(|_| match below(4) {
                0 => values[below(11)],
                _ => values[values.len() - 1 - below(values.len().min(12))],
            })
            .collect();
        let value = graph.apply(op, &args, Type::I64);
        values.push(value);
        ops.push(value);
    }
    (graph, ops)
}

/// The book with `copies` of it, each with a constant of its own in every pattern.
fn copied(copies: usize) -> RuleSet {
    let mut files: Vec<SourceText> =
        planish_book::FILES.iter().map(|&(name, text)| SourceText::new(name, text)).collect();
    for copy in 0..copies {
        let mut text = String::new();
        for rule in planish_book::set().rules.values() {
            let integer = |ty: Ty| matches!(ty, Ty::Var(var) if rule.types[var].kind == TyKind::Int);
            let variable = rule.vars.values().find(|v| v.kind == VarKind::Value && integer(v.ty));
            let Some(variable) = variable else { continue };
            let mut lines = rule.text.lines();
            let head = lines.next().expect("a rule has a header");
            let Some((name, pattern)) = head.split_once(": ") else { continue };
            let name = name.replacen(&rule.name, &format!("{}_{copy}", rule.name), 1);
            let wrapped =
                replace_word(pattern, &variable.name, &format!("xor({}, {})", variable.name, 1000 + copy));
            text.push_str(&format!("{name}: {wrapped}\n"));
            lines.for_each(|line| text.push_str(&format!("{line}\n")));
            text.push('\n');
        }
        files.push(SourceText::new(format!("copy{copy}.rules"), text));
    }
    let (set, findings) = RuleSet::read(files);
    assert!(findings.is_empty(), "{}", set.render(&findings));
    set
}

fn replace_word(text: &str, word: &str, by: &str) -> String {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let whole = !before.ends_with(part) && !after.starts_with(part);
        result.push_str(before);
        result.push_str(if whole { by } else { word });
        rest = after;
    }
    result + rest
}

/// Runs a matcher over every operation and counts the rules that fire.
fn over(graph: &Graph, ops: &[Val], mut matches: impl FnMut(&Root<'_, Val>) -> Option<usize>) -> usize {
    ops.iter().filter_map(|&value| matches(&graph.root(value).expect("an operation"))).count()
}

#[divan::bench]
fn generated(bencher: divan::Bencher<'_, '_>) {
    let (graph, ops) = program();
    bencher.counter(divan::counter::ItemsCount::new(SIZE)).bench_local(|| {
        over(&graph, &ops, |root| planish_book::simplify(&graph, root).map(|r| r.rule.index()))
    });
}

#[divan::bench(args = [0, 10], sample_count = 20)]
fn in_memory(bencher: divan::Bencher<'_, '_>, copies: usize) {
    let (graph, ops) = program();
    let set = copied(copies);
    bencher
        .counter(divan::counter::ItemsCount::new(SIZE))
        .bench_local(|| over(&graph, &ops, |root| set.simplify(&graph, root).map(|r| r.rule.index())));
}

#[divan::bench(args = [0, 2, 10], sample_count = 2)]
fn compile(bencher: divan::Bencher<'_, '_>, copies: usize) {
    bencher.bench_local(|| copied(copies).rules.len());
}
