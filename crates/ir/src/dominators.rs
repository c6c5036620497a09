//! Immediate dominators of any rooted graph.
//!
//! The method of Cooper, Harvey and Kennedy ("A Simple, Fast Dominance Algorithm", 2001): vertices are
//! numbered in reverse postorder, so the graph is an array of predecessor lists and a dominator has a
//! smaller number than what it dominates. A few passes suffice in practice; an acyclic graph takes one.

/// The dominator tree of a graph whose vertices are numbered in reverse postorder, the root being 0.
#[derive(Clone, Debug)]
pub struct Dominators {
    idom: Vec<u32>,
    /// Position in a preorder of the tree, and the last position in the subtree.
    span: Vec<(u32, u32)>,
}

impl Dominators {
    /// The dominators of a graph given by the predecessors of each vertex. Every vertex is reachable.
    pub fn new(preds: &[Vec<u32>]) -> Self {
        const NONE: u32 = u32::MAX;
        let mut idom = vec![NONE; preds.len()];
        if let Some(root) = idom.first_mut() {
            *root = 0;
        }
        let mut changed = true;
        while changed {
            changed = false;
            for vertex in 1..preds.len() {
                let mut best = NONE;
                for &pred in preds[vertex].iter().filter(|&&pred| idom[pred as usize] != NONE) {
                    best = if best == NONE { pred } else { meet(&idom, best, pred) };
                }
                if idom[vertex] != best {
                    idom[vertex] = best;
                    changed = true;
                }
            }
        }
        let span = number(&idom);
        Dominators { idom, span }
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
}

/// The nearest common ancestor.
fn meet(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
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

    #[test]
    fn a_join_is_dominated_by_the_branch_and_not_by_the_arms() {
        // 0 -> 1, 2; 1 -> 3; 2 -> 3; 3 -> 1 (a loop back into an arm)
        let tree = Dominators::new(&[vec![], vec![0, 3], vec![0], vec![1, 2]]);
        assert_eq!([1, 2, 3].map(|v| tree.idom(v)), [0, 0, 0]);
        let tree = Dominators::new(&[vec![], vec![0], vec![1], vec![1], vec![2, 3]]);
        assert_eq!([1, 2, 3, 4].map(|v| tree.idom(v)), [0, 1, 1, 1]);
        assert!(tree.dominates(1, 4) && tree.dominates(4, 4) && !tree.dominates(2, 4));
        assert!(tree.preorder(1) < tree.preorder(4));
    }
}
