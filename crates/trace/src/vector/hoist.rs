//! Guards that depend on arithmetic alone are checked before anything is done.
//!
//! Such a guard leaves to the beginning of the iteration, so its exit keeps what the label has and needs nothing
//! that the iteration computes. Everything else waits until all of them have passed. Without this a guard in
//! every iteration would keep the effects of neighbouring iterations apart.

use planish_base::Worklist;

use super::graph::{Graph, is_pure};
use super::schedule::Scheduler;
use super::shape::Item;
use super::{Loop, Refused};
use crate::text::{Text, Texts};

/// Moves guards to the front and orders the loop anew. A loop without such guards stays as it is.
pub(super) fn hoist(
    loop_: &mut Loop,
    texts: &mut Texts,
    item: &dyn Fn(Text) -> Option<Item>,
) -> Result<(), Refused> {
    let mut graph = Graph::new(loop_, item)?;
    // What depends on nothing waits for the guards, unless a guard needs it.
    let mut waits: Vec<bool> = (0..loop_.ops.len()).map(|node| graph.is_free(node)).collect();
    let front = graph.add_point();
    let mut any = false;
    for guard in graph.guards.clone() {
        waits[guard] = false;
        let needed: Vec<usize> =
            graph.depends(guard).filter(|edge| !edge.exit).map(|edge| edge.from).collect();
        let Some(roots) = pure_roots(&graph, loop_, &needed) else { continue };
        roots.into_iter().for_each(|root| waits[root] = false);
        any = true;
        let for_exits: Vec<usize> =
            graph.depends(guard).filter(|edge| edge.exit).map(|edge| edge.from).collect();
        for_exits.into_iter().for_each(|node| graph.remove_edge(node, guard));
        let behind: Vec<usize> = graph.provides(guard).map(|edge| edge.to).collect();
        for node in behind {
            graph.add_edge(front, node, None, true);
            graph.remove_edge(guard, node);
        }
        graph.add_edge(guard, front, None, false);
        let op = &mut loop_.ops[guard];
        op.early = matches!(op.name(), "guard_true" | "guard_false");
        op.fail = Some(loop_.label.clone());
    }
    if !any {
        return Ok(());
    }
    for node in (0..waits.len()).filter(|&node| waits[node]) {
        graph.add_edge(front, node, None, false);
    }
    Scheduler::new(loop_, graph, Vec::new(), texts, item, false).run()
}

/// The operations that nodes begin from, if everything that they need is computed or was checked early.
fn pure_roots(graph: &Graph, loop_: &Loop, nodes: &[usize]) -> Option<Vec<usize>> {
    let mut seen = vec![false; graph.nodes.len()];
    let (mut work, mut roots) = (Worklist::from(nodes.to_vec()), Vec::new());
    while let Some(node) = work.pop() {
        if std::mem::replace(&mut seen[node], true) {
            continue;
        }
        if let Some(op) = loop_.ops.get(node)
            && !op.early
            && !is_pure(op.opcode)
        {
            return None;
        }
        if graph.is_free(node) {
            roots.push(node);
        }
        work.extend(graph.depends(node).map(|edge| edge.from));
    }
    Some(roots)
}
