//! Extraction: which member of each e-class is made.
//!
//! While the graph grows, a class knows its cheapest member as a tree: what is used twice counts twice. At the
//! end, when everything that the skeleton uses is known, the choice is made again:
//!
//! - A form costs what it takes to compute *everything below it once* (a DAG), each operation as often as it is
//!   executed: [`ROUNDS`] times for each loop around its home. For a class the member with the cheapest set of
//!   operations is chosen, bottom up: the greedy extractor of the extraction gym. Sets are kept up to [`LARGEST`]
//!   operations; beyond, the tree's cost stands for the set's.
//! - Choices for one class do not see what others share, so three answers for the whole function are compared:
//!   the greedy one, the one by trees, and the forms that the program had. The cheapest is taken, so by this
//!   model the result is never worse than the input.
//!
//! - A call costs its price where it stands, and the function once, with all that it calls, whatever the number of calls. So
//!   the same is asked again with bodies for all calls; then the calls of each function are tried instead, and stay where
//!   that is cheaper.
//!
//! Members with different homes are no choice: the one that is available wherever the class was used stands.
//!
//! O(ids times [`LARGEST`]). In tests the optimum of small graphs is found by trying everything.

use std::rc::Rc;

use planish_base::{Id, Worklist};

use planish_ops::world::Descr;

use super::bodies::Bodies;
use super::graph::{Class, Graph, Node};

/// How often a loop is taken to run.
pub const ROUNDS: u64 = 8;
/// How many operations a set may hold.
pub const LARGEST: usize = 128;

/// How many functions are tried with bodies for their calls one by one.
pub const FUNCTIONS: usize = 16;
/// What a call costs that is not wanted: more than any body.
const UNWANTED: u64 = 1 << 40;

/// What the answers cost for the whole function, by the model.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Totals {
    /// The forms of the program.
    pub input: u64,
    /// The cheapest trees.
    pub trees: u64,
    /// The cheapest sets, greedily.
    pub sets: u64,
    /// The cheapest of those with bodies for the calls of some functions; nothing where no function can be called.
    pub bodies: Option<u64>,
}

impl Totals {
    /// What the chosen answer costs.
    pub fn best(self) -> u64 {
        let least = self.input.min(self.trees).min(self.sets);
        self.bodies.map_or(least, |bodies| bodies.min(least))
    }
}

/// How the member of a class is chosen.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    Input,
    Trees,
    Sets,
}

/// Chooses a member for every id of a graph from which these classes are used; `depth` says how many loops a
/// block is in.
pub(super) fn choose(
    graph: &mut Graph<'_>,
    roots: &[Class],
    depth: &dyn Fn(u32) -> u32,
    bodies: &Bodies,
) -> Totals {
    let weight = |graph: &Graph<'_>, class: Class| {
        let times = ROUNDS.saturating_pow(depth(graph.home(class)).min(12));
        u64::from(graph.own_cost(class)).saturating_mul(times)
    };
    let answer = |by: By, unwanted: &[Descr]| {
        let wanted = |graph: &Graph<'_>, class: Class| match graph.node(class) {
            Node::Call(callee, _) if unwanted.contains(&callee) => UNWANTED,
            _ => weight(graph, class),
        };
        let best = select(graph, by, &wanted);
        (total(graph, &best, roots, &weight, bodies), best)
    };
    let answers = [By::Trees, By::Sets, By::Input].map(|by| answer(by, &[]));
    let [(trees, _), (sets, _), (input, _)] = &answers;
    let mut totals = Totals { input: *input, trees: *trees, sets: *sets, bodies: None };
    let [first, others @ ..] = answers;
    let mut best = others.into_iter().fold(first, |best, other| if other.0 < best.0 { other } else { best });
    let mut callees: Vec<Descr> = Vec::new();
    for class in graph.ids() {
        if let Node::Call(callee, _) = graph.node(class)
            && !callees.contains(&callee)
            && callees.len() < FUNCTIONS
        {
            callees.push(callee);
        }
    }
    if !callees.is_empty() {
        let mut unwanted = callees.clone();
        let mut found = answer(By::Sets, &unwanted);
        for callee in callees {
            let other: Vec<Descr> = unwanted.iter().copied().filter(|&one| one != callee).collect();
            let tried = answer(By::Sets, &other);
            if tried.0 < found.0 {
                (found, unwanted) = (tried, other);
            }
        }
        totals.bodies = Some(found.0);
        if found.0 < best.0 {
            best = found;
        }
    }
    graph.set_best(&best.1);
    totals
}

/// The operations of a form, by id, and what they cost in all; no list where there are too many.
#[derive(Clone, Default)]
struct Form {
    cost: u64,
    operations: Option<Rc<[u32]>>,
}

type Weight<'a> = &'a dyn Fn(&Graph<'_>, Class) -> u64;

/// The member for every id.
fn select(graph: &Graph<'_>, by: By, weight: Weight<'_>) -> Vec<Class> {
    let mut best: Vec<Class> = Vec::with_capacity(graph.len());
    let mut forms: Vec<Form> = Vec::with_capacity(graph.len());
    for id in graph.ids() {
        let (member, form) = match graph.node(id) {
            Node::Leaf(_) => (id, Form { cost: 0, operations: Some(Rc::from([])) }),
            Node::Op(_, list) | Node::Call(_, list) => {
                let below = graph.args(list).iter().map(|arg| &forms[arg.index()]);
                (id, form(graph, id, below, by, weight))
            }
            Node::Part(_, call) => (id, forms[call.index()].clone()),
            Node::Union(a, b) => {
                let (x, y) = (a.index(), b.index());
                let second = match graph.higher(best[x], best[y]) {
                    Some(member) => member == best[y],
                    None if by == By::Input => !graph.is_original(best[x]) && graph.is_original(best[y]),
                    None => forms[y].cost < forms[x].cost,
                };
                let chosen = if second { y } else { x };
                (best[chosen], forms[chosen].clone())
            }
        };
        best.push(member);
        forms.push(form);
    }
    best
}

/// What an operation and all below it cost.
fn form<'a>(
    graph: &Graph<'_>,
    id: Class,
    below: impl Iterator<Item = &'a Form> + Clone,
    by: By,
    weight: Weight<'_>,
) -> Form {
    let own = weight(graph, id);
    let tree = below.clone().fold(own, |sum: u64, form| sum.saturating_add(form.cost));
    if by != By::Sets {
        return Form { cost: tree, operations: None };
    }
    let mut operations = vec![id.index() as u32];
    for form in below {
        match &form.operations {
            Some(list) => operations.extend_from_slice(list),
            None => return Form { cost: tree, operations: None },
        }
    }
    operations.sort_unstable();
    operations.dedup();
    if operations.len() > LARGEST {
        return Form { cost: tree, operations: None };
    }
    let cost = operations.iter().map(|&index| weight(graph, Class::from_index(index as usize)));
    Form { cost: cost.fold(0, u64::saturating_add), operations: Some(Rc::from(operations)) }
}

/// What everything that the roots need costs, each operation and each function once.
fn total(graph: &Graph<'_>, best: &[Class], roots: &[Class], weight: Weight<'_>, bodies: &Bodies) -> u64 {
    let mut called: Vec<Descr> = Vec::new();
    let mut seen = vec![false; graph.len()];
    let mut work = Worklist::from(roots.to_vec());
    let mut sum: u64 = 0;
    while let Some(class) = work.pop() {
        let member = best[class.index()];
        if std::mem::replace(&mut seen[member.index()], true) {
            continue;
        }
        match graph.node(member) {
            Node::Op(_, list) | Node::Call(_, list) => {
                sum = sum.saturating_add(weight(graph, member));
                work.extend_from_slice(graph.args(list));
            }
            Node::Part(_, call) => work.push(call),
            Node::Leaf(_) | Node::Union(..) => {}
        }
        if let Node::Call(callee, _) = graph.node(member) {
            called.push(callee);
        }
    }
    sum.saturating_add(bodies.cost_of_functions(&mut called))
}

#[cfg(test)]
mod tests {
    use planish_ir::{Cfg, Value, text};
    use planish_ops::{Op, Type};

    use super::*;

    fn graph() -> Graph<'static> {
        let (module, _) = text::read("func f() {\ne:\n    return\n}\n");
        let function = module.functions.values().next().expect("a function");
        Graph::new(Cfg::new(function).dominators(), &|op| Some(if op == Op::Mul { 3 } else { 1 }))
    }

    /// A graph of random operations and unions; what is used of it.
    fn random(seed: u64) -> (Graph<'static>, Vec<Class>) {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = |below: usize| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state % below as u64) as usize
        };
        let mut g = graph();
        let mut made: Vec<Class> = (0..3).map(|i| g.leaf(Value::from_index(i), Type::I64, 0, None)).collect();
        for _ in 0..14 {
            let op = [Op::Add, Op::Mul, Op::Xor, Op::And][next(4)];
            let (x, y) = (made[next(made.len())], made[next(made.len())]);
            let (class, new) = g.operation(op, &[x, y], Type::I64, |_, _| None);
            if new && next(2) == 0 {
                g.mark_original(class);
            }
            // What is made later may stand for what was made before, never for a leaf.
            if made.len() > 3 && next(2) == 0 {
                let other = made[3 + next(made.len() - 3)];
                let _ = g.union(class, other);
            }
            made.push(g.find(class));
        }
        let roots = made[made.len() - 3..].iter().map(|&class| g.find(class)).collect();
        (g, roots)
    }

    /// The cheapest of all ways to choose a side of every union.
    fn optimum(g: &Graph<'_>, roots: &[Class], weight: Weight<'_>) -> u64 {
        let unions: Vec<Class> = g.ids().filter(|&id| matches!(g.node(id), Node::Union(..))).collect();
        let mut least = u64::MAX;
        for sides in 0u64..1 << unions.len() {
            let mut best: Vec<Class> = Vec::new();
            for id in g.ids() {
                best.push(match g.node(id) {
                    Node::Union(a, b) => {
                        let at = unions.iter().position(|&union| union == id).expect("a union");
                        best[if sides >> at & 1 == 0 { a } else { b }.index()]
                    }
                    _ => id,
                });
            }
            least = least.min(total(g, &best, roots, weight, &Bodies::default()));
        }
        least
    }

    #[test]
    fn extraction_is_near_the_optimum_and_never_worse_than_the_input() {
        let (mut optimal, mut taken, mut reached, count) = (0, 0, 0, 300);
        for seed in 0..count {
            let (mut g, roots) = random(seed);
            let weight = |g: &Graph<'_>, class: Class| u64::from(g.own_cost(class));
            let least = optimum(&g, &roots, &weight);
            let totals = choose(&mut g, &roots, &|_| 0, &Bodies::default());
            assert!(least <= totals.best() && totals.best() <= totals.input, "seed {seed}: {totals:?}");
            let best: Vec<Class> = g.ids().map(|id| g.best(id)).collect();
            assert_eq!(total(&g, &best, &roots, &weight, &Bodies::default()), totals.best());
            optimal += least;
            taken += totals.best();
            reached += u64::from(least == totals.best());
        }
        println!("optimum {optimal}, extracted {taken}, the optimum in {reached} of {count}");
        assert!(taken * 100 <= optimal * 103, "extracted {taken}, optimum {optimal}");
    }

    #[test]
    fn what_is_shared_counts_once() {
        // x*y is needed anyway: the sum of two of it is cheaper than another product.
        let mut g = graph();
        let x: Vec<Class> = (0..3).map(|i| g.leaf(Value::from_index(i), Type::I64, 0, None)).collect();
        let (product, _) = g.operation(Op::Mul, &[x[0], x[1]], Type::I64, |_, _| None);
        let (sum, _) = g.operation(Op::Add, &[product, product], Type::I64, |_, _| None);
        let (twice, _) = g.operation(Op::Mul, &[x[2], x[0]], Type::I64, |_, _| None);
        let both = g.union(sum, twice).expect("one home");
        assert_eq!(g.best(both), twice, "as a tree the product is cheaper");
        choose(&mut g, &[both, product], &|_| 0, &Bodies::default());
        assert_eq!(g.best(both), sum);
    }
}
