//! Skipping branches whose outcome is known on the way there.
//!
//! Restructuring splits one branch into several: an arm assigns a number to an auxiliary variable, and
//! further on a branch tests it. Here every edge is followed through nodes that only copy variables, with
//! what is known of them: the numbers that were assigned at the end of the node from which the edge comes
//! and on the way. A branch that they decide is skipped, its copies being made on the way. This is the
//! predicate correlation of Bahmann and others (TACO 2015, section 5) in the general form of jump
//! threading, and as what is skipped holds copies only, no operation is ever duplicated.
//!
//! An edge is followed through each node once, so loops without operations end the walk.

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_ir::Const;
use planish_ir::draft::{Draft, End, Node, Operand, Step, Variable};
use planish_ops::Int;
use rustc_hash::FxBuildHasher;

/// How many nodes an edge is followed through.
const LONGEST: usize = 10_000;

/// Skips branches that are decided.
pub fn thread(draft: &mut Draft) {
    let thin: Vec<bool> = draft.nodes.values().map(is_thin).collect();
    let order = draft.reverse_postorder();
    let mut fresh: Vec<(Vec<(Variable, Operand)>, Node)> = Vec::new();
    let first_fresh = draft.nodes.len();
    // Edges are followed in the graph as it was.
    let mut ends: Vec<(Node, End)> = Vec::new();
    for node in order {
        let mut end = draft.nodes[node].end.clone();
        let targets: Vec<Node> = end.targets().collect();
        let mut known = None;
        for (i, (place, target)) in end.targets_mut().zip(targets).enumerate() {
            if !thin[target.index()] {
                continue;
            }
            let known = known.get_or_insert_with(|| known_at_end(draft, node));
            let before = tested(&draft.nodes[node].end, i);
            if let Some((copies, to)) = follow(draft, &thin, known, before, target) {
                *place = if copies.is_empty() {
                    to
                } else {
                    let node = Node::from_index(first_fresh + fresh.len());
                    fresh.push((copies, to));
                    node
                };
            }
        }
        ends.push((node, end));
    }
    for (node, end) in ends {
        draft.nodes[node].end = end;
    }
    for (copies, to) in fresh {
        let node = draft.node("");
        copies.into_iter().for_each(|(variable, operand)| draft.assign(node, variable, operand));
        draft.nodes[node].end = End::Goto(to);
    }
}

fn is_thin(data: &planish_ir::draft::NodeData) -> bool {
    data.steps.iter().all(|step| matches!(step, Step::Move { .. }))
        && !matches!(data.end, End::Return(_) | End::Unreachable)
}

type Numbers = HashMap<Variable, Operand, FxBuildHasher>;

/// What the copies at the end of a node say about variables: the number that each has.
fn known_at_end(draft: &Draft, node: Node) -> Numbers {
    let mut known = Numbers::default();
    for step in &draft.nodes[node].steps {
        match step {
            Step::Move { to, from } => {
                assign(&mut known, *to, *from);
            }
            Step::Op { results, .. } => {
                for result in draft.results(*results) {
                    known.remove(result);
                }
            }
        }
    }
    known
}

/// Lets a variable have a number, or be unknown.
fn assign(known: &mut Numbers, to: Variable, from: Operand) {
    match resolve(known, from) {
        number @ Operand::Const(_) => known.insert(to, number),
        Operand::Var(_) => known.remove(&to),
    };
}

fn resolve(known: &Numbers, operand: Operand) -> Operand {
    match operand {
        Operand::Var(variable) => known.get(&variable).copied().unwrap_or(operand),
        Operand::Const(_) => operand,
    }
}

/// What taking the i-th edge of an end says about the variable that it tests.
fn tested(end: &End, edge: usize) -> Option<(Variable, Operand)> {
    match end {
        End::Branch { condition: Operand::Var(variable), .. } if edge == 0 => {
            // Zero is zero at any width.
            Some((*variable, Operand::Const(Const::Int(Int::new(64, 0)))))
        }
        End::Switch { on: Operand::Var(variable), cases, .. } => {
            cases.get(edge).map(|(key, _)| (*variable, Operand::Const(Const::Int(*key))))
        }
        _ => None,
    }
}

/// Follows an edge through thin nodes whose outcome is known. `None` when nothing is skipped.
fn follow(
    draft: &Draft,
    thin: &[bool],
    known: &Numbers,
    tested: Option<(Variable, Operand)>,
    target: Node,
) -> Option<(Vec<(Variable, Operand)>, Node)> {
    let mut known = known.clone();
    if let Some((variable, number)) = tested {
        known.insert(variable, number);
    }
    let mut seen = HashSet::<Node, FxBuildHasher>::default();
    let mut copies = Vec::new();
    let mut at = target;
    // Where something was last skipped, and how many copies had been made by then.
    let mut best = None;
    while thin[at.index()] && seen.len() < LONGEST && seen.insert(at) {
        for step in &draft.nodes[at].steps {
            if let Step::Move { to, from } = step {
                copies.push((*to, *from));
                assign(&mut known, *to, *from);
            }
        }
        let number = |operand: Operand| match resolve(&known, operand) {
            Operand::Const(Const::Int(int)) => Some(int),
            _ => None,
        };
        at = match &draft.nodes[at].end {
            End::Goto(next) => {
                // A node without steps is passed for nothing.
                if best.map_or(0, |(count, _)| count) == copies.len() {
                    best = Some((copies.len(), *next));
                }
                *next
            }
            End::Branch { condition, then, other } => match number(*condition) {
                Some(int) => {
                    let next = if int.is_true() { *then } else { *other };
                    best = Some((copies.len(), next));
                    next
                }
                None => break,
            },
            End::Switch { on, cases, default } => match number(*on) {
                Some(int) => {
                    let case = cases.iter().find(|(key, _)| key.unsigned() == int.unsigned());
                    let next = case.map_or(*default, |(_, node)| *node);
                    best = Some((copies.len(), next));
                    next
                }
                None => break,
            },
            End::Return(_) | End::Unreachable => break,
        };
    }
    let (count, to) = best?;
    copies.truncate(count);
    Some((copies, to))
}
