//! The rule compiler on random rules: the tree in memory finds what trying every row finds.
//!
//! The rules mean nothing; they are well-typed patterns over few operations, so that many of them match
//! one program, and the order in which they are tried matters.

use planish_base::SourceText;
use planish_ops::{Op, Type};
use planish_rules::graph::{Graph, Val};
use planish_rules::matching::{Flow, Rewrite, Root};
use planish_rules::{RuleSet, interpret};

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    fn pick<'a>(&mut self, from: &[&'a str]) -> &'a str {
        from[self.below(from.len())]
    }
}

const OPS: [(&str, Op, usize); 6] = [
    ("add", Op::Add, 2),
    ("sub", Op::Sub, 2),
    ("and", Op::And, 2),
    ("neg", Op::Neg, 1),
    ("not", Op::Not, 1),
    ("lshift", Op::Lshift, 2),
];

fn term(numbers: &mut Numbers, depth: usize, root: bool) -> String {
    if !root && (depth == 0 || numbers.below(3) == 0) {
        return numbers.pick(&["x", "y", "z", "x", "C1", "C2", "0", "1", "-1", "MININT"]).to_string();
    }
    let (name, _, arity) = OPS[numbers.below(OPS.len())];
    let args: Vec<String> = (0..arity).map(|_| term(numbers, depth - 1, false)).collect();
    format!("{name}({})", args.join(", "))
}

/// A file of random rules.
fn rules(numbers: &mut Numbers) -> String {
    let mut text = String::new();
    for index in 0..2 + numbers.below(12) {
        let pattern = term(numbers, 3, true);
        let bound: Vec<&str> =
            ["x", "y", "z"].into_iter().filter(|name| pattern.contains(&name.to_string())).collect();
        let has_constant = pattern.contains("C1");
        text.push_str(&format!("r{index}: {pattern}\n"));
        if has_constant && numbers.below(3) == 0 {
            text.push_str("    check C1 > 0\n");
        }
        if let (Some(name), 0) = (bound.first(), numbers.below(4)) {
            text.push_str(&format!("    check {name}.known_nonnegative()\n"));
        }
        let target = match (bound.first(), numbers.below(3)) {
            (Some(name), 0) => name.to_string(),
            (Some(name), 1) => format!("neg({name})"),
            _ => "0".to_string(),
        };
        text.push_str(&format!("    => {target}\n"));
    }
    text
}

fn program(numbers: &mut Numbers) -> (Graph, Vec<Val>) {
    let ty = Type::Int(8);
    let mut graph = Graph::new();
    let mut values = vec![graph.param(ty), graph.param(ty)];
    for constant in [0, 1, -1, -128, 5] {
        values.push(graph.int(8, constant));
    }
    for _ in 0..8 {
        let (_, op, arity) = OPS[numbers.below(OPS.len())];
        let args: Vec<Val> = (0..arity).map(|_| values[numbers.below(values.len())]).collect();
        values.push(graph.apply(op, &args, ty));
    }
    (graph, values)
}

fn shown(rewrite: &Rewrite<Val>) -> String {
    let plan: Vec<String> =
        rewrite.plan.iter().map(|b| format!("{} {:?}", b.op, b.operands().collect::<Vec<_>>())).collect();
    format!("{} {:?} {plan:?}", rewrite.rule, rewrite.outcome)
}

fn first(search: impl FnOnce(&mut dyn FnMut(Rewrite<Val>) -> Flow) -> Flow) -> Option<String> {
    let mut found = None;
    let _ = search(&mut |rewrite| {
        found = Some(shown(&rewrite));
        Flow::Break(())
    });
    found
}

#[test]
fn trees_of_random_rules_find_what_trying_every_row_finds() {
    let mut numbers = Numbers(11);
    let mut matched = 0;
    for _ in 0..250 {
        let text = rules(&mut numbers);
        let (set, findings) = RuleSet::read(vec![SourceText::new("random.rules", text.clone())]);
        assert!(findings.is_empty(), "{text}\n{}", set.render(&findings));
        for _ in 0..12 {
            let (graph, values) = program(&mut numbers);
            for &value in &values {
                let Some(Root { op, args, ty }) = graph.root(value) else { continue };
                let Some(decision) = set.decision(op, false) else { continue };
                let root = Root { op, args, ty };
                let tree = first(|found| set.search(&graph, &root, found));
                let naive =
                    first(|found| interpret::naive(&graph, &set.rules, &decision.matrix, &root, found));
                assert_eq!(tree, naive, "{text}\n{graph:?}\nat {value}");
                matched += usize::from(tree.is_some());
            }
        }
    }
    assert!(matched > 1000, "only {matched} matches");
}

/// Random bytes, and random pieces of rules, get messages and no panic.
#[test]
fn no_text_makes_the_reader_panic() {
    let mut numbers = Numbers(5);
    let pieces = [
        "a",
        "b:",
        "add(",
        ")",
        ",",
        "x",
        "C",
        "=>",
        "check",
        "\n",
        "\n    ",
        " ",
        "[",
        "]",
        "pays",
        ":",
        "1",
        "-",
        "0x",
        "1.5",
        "e",
        "<u",
        ">>u",
        "~",
        "and",
        "not",
        "(",
        "x.",
        "lower",
        "width(",
        "SORRY_Z3",
        "#",
        "é",
        "\t",
        "i32",
        "guess_unsigned_shift(",
        "pass",
        "is_pow2(",
        "zext(",
        "select(",
        "\u{0}",
        "9999999999999999999999",
    ];
    for _ in 0..4000 {
        let text: String = (0..numbers.below(40)).map(|_| numbers.pick(&pieces)).collect();
        let (set, findings) = RuleSet::read(vec![SourceText::new("random.rules", text)]);
        let _ = set.render(&findings);
        let _ = set.judge(planish_rules::set::Strictness::File);
    }
}
