//! Dominators of any rooted graph.
//!
//! The method of Lengauer and Tarjan ("A Fast Algorithm for Finding Dominators in a Flowgraph", TOPLAS
//! 1979), the simple version with path compression: O(m log n) for every graph. The usual iteration of
//! Cooper, Harvey and Kennedy is shorter, but quadratic where many blocks of a long chain leave for one
//! exit, and functions with one error handler look just so. Nothing recurses.
//!
//! Whether one vertex dominates another is answered from positions in a preorder of the tree, in O(1); the
//! nearest common dominator by pointers that jump over powers of two (Myers, "An applicative random-access
//! stack", 1983), in O(log depth). [`frontiers`] are those of Cytron, Ferrante, Rosen, Wegman and Zadeck (TOPLAS
//! 1991).

use crate::graph::Graph;

/// No vertex.
const NONE: u32 = u32::MAX;

/// The dominator tree of a graph whose vertices are numbered in reverse postorder, the root being 0.
#[derive(Clone, Debug)]
pub struct Dominators {
    idom: Vec<u32>,
    /// Position in a preorder of the tree, and the last position in the subtree.
    span: Vec<(u32, u32)>,
    /// A vertex further up, see [`jumps`].
    jump: Vec<u32>,
}

impl Dominators {
    /// The dominators of a graph given by the predecessors of each vertex. Vertices are numbered in
    /// reverse postorder from the root 0, so every vertex is reachable.
    pub fn new(preds: &Graph) -> Self {
        let idom = if preds.is_empty() { Vec::new() } else { Search::new(preds).run(preds) };
        let span = number(&idom);
        let jump = jumps(&idom);
        Dominators { idom, span, jump }
    }

    /// The immediate dominator; the root is its own.
    #[inline]
    pub fn idom(&self, vertex: u32) -> u32 {
        self.idom[vertex as usize]
    }

    /// Whether every path from the root to `lower` passes `upper`. A vertex dominates itself.
    #[inline]
    pub fn dominates(&self, upper: u32, lower: u32) -> bool {
        let (first, last) = self.span[upper as usize];
        (first..=last).contains(&self.span[lower as usize].0)
    }

    /// The position in a preorder of the tree.
    #[inline]
    pub fn preorder(&self, vertex: u32) -> u32 {
        self.span[vertex as usize].0
    }

    /// The nearest vertex that dominates both. O(log(depth of the tree)).
    pub fn common(&self, a: u32, b: u32) -> u32 {
        let mut at = a;
        while !self.dominates(at, b) {
            let far = self.jump[at as usize];
            at = if self.dominates(far, b) { self.idom(at) } else { far };
        }
        at
    }
}

/// For each vertex one above it, so that any other above it is reached in O(log depth) steps of which each
/// goes there or to the immediate dominator: where the jumps of the two above are equally long, they are
/// joined.
fn jumps(idom: &[u32]) -> Vec<u32> {
    let (mut jump, mut depth) = (vec![0u32; idom.len()], vec![0u32; idom.len()]);
    // A dominator has a lower number.
    for vertex in 1..idom.len() {
        let above = idom[vertex] as usize;
        let far = jump[above] as usize;
        let farther = jump[far];
        depth[vertex] = depth[above] + 1;
        let equal = depth[above] - depth[far] == depth[far] - depth[farther as usize];
        jump[vertex] = if equal { farther } else { above as u32 };
    }
    jump
}

/// For each vertex the vertices where its dominance ends: successors of what it dominates that it does
/// not strictly dominate. Sorted, without repetitions. O(vertices + edges + size of the result).
pub fn frontiers(preds: &Graph, dominators: &Dominators) -> Vec<Vec<u32>> {
    let mut frontiers = vec![Vec::new(); preds.len()];
    for vertex in 0..preds.len() as u32 {
        for &pred in preds.of(vertex) {
            let mut at = pred;
            // A dominator of several predecessors is met by each of them: the last entry tells.
            while !(at != vertex && dominators.dominates(at, vertex)) {
                let frontier: &mut Vec<u32> = &mut frontiers[at as usize];
                if frontier.last() == Some(&vertex) {
                    break;
                }
                frontier.push(vertex);
                if at == 0 {
                    break;
                }
                at = dominators.idom(at);
            }
        }
    }
    frontiers
}

/// The state of the search. Vertices are named by their position in a depth-first preorder.
struct Search {
    /// The vertex at a position.
    vertex: Vec<u32>,
    /// The position of a vertex.
    position: Vec<u32>,
    /// The parent in the depth-first tree.
    parent: Vec<u32>,
    semi: Vec<u32>,
    /// The parent in the forest of what is linked, compressed.
    ancestor: Vec<u32>,
    /// The position with the smallest semidominator on the path to `ancestor`.
    label: Vec<u32>,
}

impl Search {
    fn new(preds: &Graph) -> Self {
        let (count, succs) = (preds.len(), preds.reversed());
        let (mut vertex, mut parent) = (Vec::with_capacity(count), Vec::with_capacity(count));
        let mut position = vec![NONE; count];
        let mut stack = vec![(0, 0)];
        while let Some((at, from)) = stack.pop() {
            if position[at as usize] != NONE {
                continue;
            }
            let here = vertex.len() as u32;
            position[at as usize] = here;
            vertex.push(at);
            parent.push(from);
            stack.extend(succs.of(at).iter().rev().map(|&to| (to, here)));
        }
        debug_assert_eq!(vertex.len(), count, "every vertex is reachable");
        let own: Vec<u32> = (0..count as u32).collect();
        Search { vertex, position, parent, semi: own.clone(), ancestor: vec![NONE; count], label: own }
    }

    fn run(mut self, preds: &Graph) -> Vec<u32> {
        let count = self.vertex.len();
        let mut dominator = vec![0u32; count];
        // The vertices whose semidominator a position is, as linked lists.
        let (mut first, mut next) = (vec![NONE; count], vec![NONE; count]);
        let mut path = Vec::new();
        for at in (1..count).rev() {
            for &pred in preds.of(self.vertex[at]) {
                let best = self.evaluate(self.position[pred as usize], &mut path);
                self.semi[at] = self.semi[at].min(self.semi[best as usize]);
            }
            let bucket = &mut first[self.semi[at] as usize];
            next[at] = std::mem::replace(bucket, at as u32);
            let parent = self.parent[at];
            self.ancestor[at] = parent;
            let mut waiting = std::mem::replace(&mut first[parent as usize], NONE);
            while waiting != NONE {
                let best = self.evaluate(waiting, &mut path);
                let lower = self.semi[best as usize] < self.semi[waiting as usize];
                dominator[waiting as usize] = if lower { best } else { parent };
                waiting = next[waiting as usize];
            }
        }
        let mut idom = vec![0u32; count];
        for at in 1..count {
            if dominator[at] != self.semi[at] {
                dominator[at] = dominator[dominator[at] as usize];
            }
            idom[self.vertex[at] as usize] = self.vertex[dominator[at] as usize];
        }
        idom
    }

    /// The position with the smallest semidominator on the way up to the root of its tree in the forest,
    /// the root left out.
    fn evaluate(&mut self, at: u32, path: &mut Vec<u32>) -> u32 {
        if self.ancestor[at as usize] == NONE {
            return at;
        }
        let mut up = at;
        while self.ancestor[self.ancestor[up as usize] as usize] != NONE {
            path.push(up);
            up = self.ancestor[up as usize];
        }
        while let Some(low) = path.pop() {
            let above = self.ancestor[low as usize] as usize;
            if self.semi[self.label[above] as usize] < self.semi[self.label[low as usize] as usize] {
                self.label[low as usize] = self.label[above];
            }
            self.ancestor[low as usize] = self.ancestor[above];
        }
        self.label[at as usize]
    }
}

/// Preorder positions, children in the order of their numbers.
fn number(idom: &[u32]) -> Vec<(u32, u32)> {
    // A parent has a smaller number, so sizes of subtrees add up from the end and positions from the start.
    let mut size = vec![1u32; idom.len()];
    for vertex in (1..idom.len()).rev() {
        size[idom[vertex] as usize] += size[vertex];
    }
    let mut span = vec![(0, 0); idom.len()];
    let mut free = vec![1u32; idom.len()];
    for vertex in 0..idom.len() {
        let first = if vertex == 0 {
            0
        } else {
            let parent = idom[vertex] as usize;
            let first = free[parent];
            free[parent] += size[vertex];
            first
        };
        span[vertex] = (first, first + size[vertex] - 1);
        free[vertex] = first + 1;
    }
    span
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::random;

    /// The predecessors of the vertices that 0 reaches.
    fn ordered(vertices: usize, edges: &[(u32, u32)]) -> Graph {
        random::ordered(vertices, edges).reversed()
    }

    /// By the definition: what the root does not reach without a vertex.
    fn dominates_by_definition(succs: &Graph, upper: u32, lower: u32) -> bool {
        if upper == 0 || upper == lower {
            return true;
        }
        let edges: Vec<(u32, u32)> = succs.edges().filter(|&(_, to)| to != upper).collect();
        !Graph::new(succs.len(), &edges).reverse_postorder(0).contains(&lower)
    }

    #[test]
    fn a_join_is_dominated_by_the_branch_and_not_by_the_arms() {
        let tree = Dominators::new(&ordered(5, &[(0, 1), (1, 2), (1, 3), (2, 4), (3, 4)]));
        assert_eq!([1, 2, 3, 4].map(|v| tree.idom(v)), [0, 1, 1, 1]);
        assert!(tree.dominates(1, 4) && tree.dominates(4, 4) && !tree.dominates(2, 4));
        assert!(tree.preorder(1) < tree.preorder(4));
        assert_eq!((tree.common(2, 3), tree.common(2, 4), tree.common(2, 2)), (1, 1, 2));
    }

    #[test]
    fn dominators_and_frontiers_are_those_of_the_definition_on_random_graphs() {
        for seed in 0..600 {
            let succs = random::reachable(seed);
            let preds = succs.reversed();
            let tree = Dominators::new(&preds);
            let frontiers = frontiers(&preds, &tree);
            let all = 0..preds.len() as u32;
            for upper in all.clone() {
                for lower in all.clone() {
                    let expected = dominates_by_definition(&succs, upper, lower);
                    assert_eq!(tree.dominates(upper, lower), expected, "{seed}: {upper} over {lower}");
                }
                for other in all.clone() {
                    let above = |at: &u32| tree.dominates(*at, upper) && tree.dominates(*at, other);
                    // The lowest of those above has the highest number: numbers are in reverse postorder.
                    let lowest = all.clone().filter(above).max();
                    assert_eq!(Some(tree.common(upper, other)), lowest, "{seed}: {upper} and {other}");
                }
                let expected: Vec<u32> = (all.clone())
                    .filter(|&at| preds.of(at).iter().any(|&pred| tree.dominates(upper, pred)))
                    .filter(|&at| upper == at || !tree.dominates(upper, at))
                    .collect();
                assert_eq!(frontiers[upper as usize], expected, "{seed}: {upper}");
            }
        }
    }

    #[test]
    fn what_dominates_the_ends_of_a_tall_tree_is_found_in_few_steps() {
        // Two chains below the root, one numbered before the other.
        let count = 200_000;
        let edges: Vec<(u32, u32)> =
            [(0, 1), (0, 2)].into_iter().chain((1..count - 2).map(|v| (v, v + 2))).collect();
        let tree = Dominators::new(&ordered(count as usize, &edges));
        assert!((1..count / 2 - 1).all(|v| tree.common(v, count - v) == 0));
        assert!((1..count / 2 - 1).all(|v| tree.common(v, count / 2 - 1) == v));
    }

    #[test]
    fn a_long_chain_with_one_exit_takes_no_time() {
        let count = 200_000;
        let chain = (0..count - 1).map(|v| (v, v + 1));
        let edges: Vec<(u32, u32)> = chain.chain((0..count).map(|v| (v, count))).collect();
        let preds = ordered(count as usize + 1, &edges);
        let tree = Dominators::new(&preds);
        assert_eq!((1..=count).filter(|&v| tree.idom(v) == 0).count(), 2);
    }
}
