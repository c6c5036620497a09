//! Decision trees find what trying every row finds, and what they find means the same.

use planish_base::{Id, SourceText};
use planish_domain::IntFact;
use planish_ops::{Int, Op, Type};
use planish_rules::graph::{Graph, Val};
use planish_rules::matching::{Const, Flow, Operand, Outcome, Rewrite, Root, Subject};
use planish_rules::tree::Decision;
use planish_rules::trial::trials;
use planish_rules::{RuleId, RuleSet, interpret};

const RULES: &str = "\
# c1 + c2 is a constant.
add_add: add(add(x, C1), C2)
    C = C1 + C2
    => add(x, C)

# x - y + y = x
add_sub: add(sub(x, y), y)
    => x

# 0 - x = -x
sub_zero: sub(0, x)
    => neg(x)

# -(x - y) = y - x
neg_sub: neg(sub(x, y))
    => sub(y, x)

# A product by a power of two is a shift.
mul_pow2: mul(x, C)
    check C > 0 and is_pow2(C)
    S = ctz(C)
    => lshift(x, S)

# Bits of y that z does not have do not matter.
and_or: and(or(x, y), z)
    check y.and_bound(z).known_eq_const(0)
    => and(x, z)

# x and (x or y) = x
and_or_same: and(x, or(x, y))
    => x

# The mask has a one wherever x may have one.
and_covered: and(x, y)
    check y.ones | x.zeros == -1
    => x

# Out-of-range shifts make the computed mask undefined.
urshift_lshift: urshift(lshift(x, C), C)
    M = (-1 << C) >>u C
    => and(x, M)

# A truth value is itself.
eq_one: eq(x, 1)
    check x.is_bool()
    => x

# Distributes where it pays.
factor [pays]: add(mul(x, y), mul(x, z))
    => mul(x, add(y, z))
";

fn set() -> RuleSet {
    let (set, findings) = RuleSet::read(vec![SourceText::new("t.rules", RULES)]);
    assert!(findings.is_empty(), "{}", set.render(&findings));
    set
}

/// A small, fixed stream of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }
}

const OPS: [Op; 9] = [Op::Add, Op::Sub, Op::Mul, Op::And, Op::Or, Op::Neg, Op::Lshift, Op::Urshift, Op::Eq];

/// A random expression over few values, so that patterns with repeated variables match.
fn expression(numbers: &mut Numbers, width: u32) -> (Graph, Vec<Val>) {
    let ty = Type::Int(width as u8);
    let mut graph = Graph::new();
    let mut values: Vec<Val> = (0..2).map(|_| graph.param(ty)).collect();
    graph.know(values[1], IntFact::boolean(width));
    for _ in 0..3 {
        let value = [0, 1, 2, -1, 8, 3][numbers.below(6)];
        values.push(graph.int(width, value));
    }
    for _ in 0..6 {
        let op = OPS[numbers.below(OPS.len())];
        let args: Vec<Val> = op.row().operands.iter().map(|_| values[numbers.below(values.len())]).collect();
        values.push(graph.apply(op, &args, ty));
    }
    (graph, values)
}

/// What is said of a rule that is asked about is what the matcher does.
#[test]
fn a_rule_that_misses_nothing_is_one_that_fires() {
    let set = set();
    let mut numbers = Numbers(3);
    let (mut fires, mut misses) = (0, 0);
    for _ in 0..1000 {
        let (graph, values) = expression(&mut numbers, 8);
        for &value in &values {
            let Some(root) = graph.root(value) else { continue };
            let Some(decision) = set.decision(root.op, false) else { continue };
            let found = all(|found| interpret::naive(&graph, &set.rules, &decision.matrix, &root, found));
            for (id, _) in set.rules.iter().filter(|(_, rule)| rule.root() == root.op) {
                let tried = trials(&graph, &set, id, &root);
                let applies = tried.iter().filter(|trial| trial.missed.is_none()).count();
                let expected = found.iter().filter(|(rule, ..)| *rule == id).count();
                assert_eq!(applies, expected, "{graph:?} at {value}");
                (fires, misses) = (fires + applies, misses + tried.len() - applies);
            }
        }
    }
    assert!(fires > 100 && misses > 100, "{fires} fired, {misses} missed");
}

/// A rewrite as it can be compared: rule, outcome, operations to build.
type Found = (RuleId, Outcome<Val>, Vec<(Op, Vec<Operand<Val>>)>);

fn all(search: impl FnOnce(&mut dyn FnMut(Rewrite<Val>) -> Flow) -> Flow) -> Vec<Found> {
    let mut found = Vec::new();
    let _ = search(&mut |rewrite| {
        let plan = rewrite.plan.iter().map(|b| (b.op, b.operands().collect())).collect();
        found.push((rewrite.rule, rewrite.outcome, plan));
        Flow::Continue(())
    });
    found
}

/// S5.21: of rules read at run time, too, one that never fires fails here.
#[test]
fn trees_find_what_trying_every_row_finds() {
    let set = set();
    let mut numbers = Numbers(1);
    let mut fired = vec![0; set.rules.len()];
    for _ in 0..4000 {
        let (graph, values) = expression(&mut numbers, 8);
        for &value in &values {
            let Some(root) = graph.root(value) else { continue };
            let Some(decision) = set.decision(root.op, false) else { continue };
            let tree = all(|found| set.search(&graph, &root, found));
            let naive = all(|found| interpret::naive(&graph, &set.rules, &decision.matrix, &root, found));
            // The tree stops at a row that always applies; what it finds before is the same.
            assert_eq!(tree.first(), naive.first(), "{graph:?} at {value}");
            assert!(tree.iter().all(|t| naive.contains(t)), "{graph:?} at {value}");
            for (rule, ..) in tree {
                fired[rule.index()] += 1;
            }
        }
    }
    for (rule, count) in set.rules.values().zip(fired) {
        assert!(count > 0, "{} never fired", rule.name);
    }
}

#[test]
fn rewrites_compute_what_the_root_computes() {
    let set = set();
    let mut numbers = Numbers(2);
    let mut checked = 0;
    for _ in 0..1500 {
        let (mut graph, values) = expression(&mut numbers, 8);
        for &value in &values {
            let Some(root) = graph.root(value) else { continue };
            let args = root.args.to_vec();
            let root = Root { args: &args, ..root };
            let Some(rewrite) = set.simplify(&graph, &root) else { continue };
            let (new, _) = graph.build(&rewrite, false).expect("no guards here");
            for x in 0..16 {
                for y in 0..2 {
                    let params = [Const::Int(Int::new(8, x * 17)), Const::Int(Int::new(8, y))];
                    let (was, is) = (graph.eval(value, &params), graph.eval(new, &params));
                    assert_eq!(was, is, "{} at {params:?} in {graph:?}", set.rules[rewrite.rule].name);
                    checked += 1;
                }
            }
        }
    }
    assert!(checked > 10_000);
}

/// S5.3
#[test]
fn operands_of_commutative_operations_match_in_both_orders() {
    let set = set();
    for swap in [false, true] {
        let mut graph = Graph::new();
        let (x, y) = (graph.param(Type::I64), graph.param(Type::I64));
        let inner = graph.apply(Op::Sub, &[x, y], Type::I64);
        let args = if swap { [y, inner] } else { [inner, y] };
        let root = Root { op: Op::Add, args: &args, ty: Type::I64 };
        let rewrite = set.simplify(&graph, &root).expect("add_sub");
        assert_eq!(set.rules[rewrite.rule].name, "add_sub");
        assert_eq!(rewrite.outcome, Outcome::Value(Operand::Value(x)));
    }
}

/// S5.4
#[test]
fn a_repeated_variable_is_the_same_value_or_the_same_constant() {
    let (set, _) = RuleSet::read(vec![SourceText::new("t", "r: sub(add(x, y), y)\n    => x\n")]);
    let mut graph = Graph::new();
    let x = graph.param(Type::I64);
    let (five, again, six) = (graph.int(64, 5), graph.int(64, 5), graph.int(64, 6));
    let inner = graph.apply(Op::Add, &[x, five], Type::I64);
    let try_with = |y| set.simplify(&graph, &Root { op: Op::Sub, args: &[inner, y], ty: Type::I64 });
    assert!(try_with(five).is_some());
    assert!(try_with(again).is_some());
    assert!(try_with(six).is_none());
}

/// S5.20
#[test]
fn a_rule_that_pays_only_when_inner_operations_die_counts_uses() {
    let set = set();
    for other_use in [false, true] {
        let mut graph = Graph::new();
        let [x, y, z] = [(); 3].map(|()| graph.param(Type::I64));
        let left = graph.apply(Op::Mul, &[x, y], Type::I64);
        let right = graph.apply(Op::Mul, &[x, z], Type::I64);
        let sum = graph.apply(Op::Add, &[left, right], Type::I64);
        if other_use {
            graph.apply(Op::Neg, &[left], Type::I64);
            graph.apply(Op::Neg, &[right], Type::I64);
        }
        let found = set.simplify(&graph, &graph.root(sum).expect("an operation"));
        assert_eq!(found.is_some(), !other_use);
    }
}

#[test]
fn a_comparison_of_another_width_than_its_operands_is_no_word() {
    let set = set();
    let mut graph = Graph::new();
    let x = graph.param(Type::I64);
    graph.know(x, IntFact::boolean(64));
    let one = graph.int(64, 1);
    let try_as = |ty| set.simplify(&graph, &Root { op: Op::Eq, args: &[x, one], ty }).is_some();
    assert!(try_as(Type::I64));
    assert!(!try_as(Type::I1), "the result has one bit and x has 64");
}

/// A graph in which each operation has a partner that is the same value, as in a class of an e-graph.
struct Classes {
    graph: Graph,
    partner: Vec<(Val, Val)>,
}

impl Subject for Classes {
    type Value = Val;
    /// An operation, and whether it is the partner of the one that was asked for.
    type Node = (Val, bool);

    fn first_node(&self, value: Val) -> Option<(Val, bool)> {
        self.graph.first_node(value).map(|node| (node, false))
    }

    fn next_node(&self, (node, partner): (Val, bool)) -> Option<(Val, bool)> {
        let other = self.partner.iter().find(|p| p.0 == node).filter(|_| !partner)?;
        Some((other.1, true))
    }

    fn op(&self, node: (Val, bool)) -> Op {
        self.graph.op(node.0)
    }

    fn operand(&self, node: (Val, bool), index: usize) -> Val {
        self.graph.operand(node.0, index)
    }

    fn constant(&self, value: Val) -> Option<Const> {
        self.graph.constant(value)
    }

    fn fact(&self, value: Val) -> IntFact {
        self.graph.fact(value)
    }

    fn ty(&self, value: Val) -> Type {
        self.graph.ty(value)
    }

    fn used_once(&self, value: Val) -> bool {
        self.graph.used_once(value)
    }
}

/// Rules of which several look at one operand; none applies always, so each must be offered wherever
/// its pattern is.
const MEETING: &str = "\
deep: sub(neg(x), sub(y, not(z)))
    check x.lower <= x.upper
    => add(y, z)

right: sub(w, sub(y, z))
    check w.lower <= w.upper
    => add(w, sub(z, y))

left: sub(not(x), z)
    check x.lower <= x.upper
    => sub(neg(z), x)

constant: sub(C, sub(y, neg(z)))
    check y.lower <= y.upper
    => sub(C, z)

one: sub(1, sub(neg(y), z))
    check y.lower <= y.upper
    => y
";

/// Factors that look at one occurrence agree on the operation that they see there.
#[test]
fn factors_find_what_rows_find_where_a_value_is_several_operations() {
    let (set, findings) = RuleSet::read(vec![SourceText::new("t.rules", MEETING)]);
    assert!(findings.is_empty(), "{}", set.render(&findings));
    let matrix = set.decision(Op::Sub, false).expect("rules").matrix.clone();
    let (runs, factors) =
        (Decision::with_questions(matrix.clone(), 100), Decision::with_questions(matrix, 0));
    assert!(factors.is_factored() && !runs.is_factored());
    let mut numbers = Numbers(5);
    let mut fired = vec![0; set.rules.len()];
    for _ in 0..3000 {
        let mut graph = Graph::new();
        let ty = Type::Int(8);
        let mut values = vec![graph.param(ty), graph.param(ty), graph.int(8, 1), graph.int(8, 5)];
        let mut classes = Vec::new();
        for _ in 0..10 {
            let op = [Op::Sub, Op::Sub, Op::Neg, Op::Not][numbers.below(4)];
            let args: Vec<Val> =
                op.row().operands.iter().map(|_| values[numbers.below(values.len())]).collect();
            let value = graph.apply(op, &args, ty);
            values.push(value);
            classes.push(value);
        }
        let partner = classes.chunks(2).flat_map(|c| [(c[0], c[1]), (c[1], c[0])]).collect();
        let subject = Classes { graph, partner };
        for &value in &classes {
            let root = subject.graph.root(value).expect("an operation");
            if root.op != Op::Sub {
                continue;
            }
            let found = |decision: &Decision| {
                all(|found| interpret::search(&subject, &set.rules, decision, &root, found))
            };
            let naive = all(|found| interpret::naive(&subject, &set.rules, &runs.matrix, &root, found));
            for tree in [found(&runs), found(&factors)] {
                assert!(tree.iter().all(|t| naive.contains(t)), "{:?} at {value}", subject.graph);
                assert!(naive.iter().all(|n| tree.contains(n)), "{:?} at {value}", subject.graph);
            }
            for (rule, ..) in naive {
                fired[rule.index()] += 1;
            }
        }
    }
    assert!(fired.iter().all(|&count| count > 10), "{fired:?}");
}

/// S5.3, S5.4: of a product, with a constant in the middle.
#[test]
fn a_repeated_factor_is_found_in_any_order() {
    let (set, _) = RuleSet::read(vec![SourceText::new("t", "r: xor(mul(x, C), mul(C, x))\n    => 0\n")]);
    let mut graph = Graph::new();
    let (x, seven, eight) = (graph.param(Type::I32), graph.int(32, 7), graph.int(32, 8));
    let one = graph.apply(Op::Mul, &[seven, x], Type::I32);
    let two = graph.apply(Op::Mul, &[x, seven], Type::I32);
    let other = graph.apply(Op::Mul, &[x, eight], Type::I32);
    let fires = |a, b| set.simplify(&graph, &Root { op: Op::Xor, args: &[a, b], ty: Type::I32 }).is_some();
    assert!(fires(one, two) && fires(two, one) && !fires(one, other));
}
