//! A directed graph as two flat vectors, and the order in which analyses walk it.
//!
//! Vertices are numbers. A [`Graph`] holds one list of neighbours for each of them (compressed rows), so
//! it is built in two passes over the edges and walked without pointers. Whether the lists are
//! successors or predecessors is the owner's to say; [`reversed`](Graph::reversed) gives the other.
//! Every walk keeps its own stack: no graph is too deep.

/// Lists of neighbours.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Graph {
    /// Where the list of each vertex begins, and where the last one ends.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Graph {
    /// The graph of `vertices` vertices with these edges. Neighbours keep the order of the edges, and
    /// their repetitions. O(vertices + edges).
    pub fn new(vertices: usize, edges: &[(u32, u32)]) -> Self {
        let mut starts = vec![0u32; vertices + 1];
        for &(from, _) in edges {
            starts[from as usize + 1] += 1;
        }
        for vertex in 0..vertices {
            starts[vertex + 1] += starts[vertex];
        }
        let mut free = starts.clone();
        let mut targets = vec![0; edges.len()];
        for &(from, to) in edges {
            let place = &mut free[from as usize];
            targets[*place as usize] = to;
            *place += 1;
        }
        Graph { starts, targets }
    }

    /// The number of vertices.
    pub fn len(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    /// Whether there is no vertex.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The neighbours of a vertex.
    #[inline]
    pub fn of(&self, vertex: u32) -> &[u32] {
        let vertex = vertex as usize;
        &self.targets[self.starts[vertex] as usize..self.starts[vertex + 1] as usize]
    }

    /// All edges, by vertex.
    pub fn edges(&self) -> impl Iterator<Item = (u32, u32)> + '_ {
        (0..self.len() as u32).flat_map(|from| self.of(from).iter().map(move |&to| (from, to)))
    }

    /// The graph with every edge turned round.
    pub fn reversed(&self) -> Graph {
        let edges: Vec<(u32, u32)> = self.edges().map(|(from, to)| (to, from)).collect();
        Graph::new(self.len(), &edges)
    }

    /// The vertices that `root` reaches in reverse postorder; the first neighbour is searched first, and
    /// so comes last among those that no other edge orders.
    pub fn reverse_postorder(&self, root: u32) -> Vec<u32> {
        let mut seen = vec![false; self.len()];
        let mut order = Vec::new();
        let mut stack = vec![(root, 0)];
        seen[root as usize] = true;
        while let Some((vertex, next)) = stack.last_mut() {
            let (vertex, neighbours) = (*vertex, self.of(*vertex));
            let Some(&target) = neighbours.get(*next) else {
                order.push(vertex);
                stack.pop();
                continue;
            };
            *next += 1;
            if !std::mem::replace(&mut seen[target as usize], true) {
                stack.push((target, 0));
            }
        }
        order.reverse();
        order
    }
}

/// Graphs for the tests of analyses.
#[cfg(test)]
pub(crate) mod random {
    use super::*;

    /// A small graph: its vertices and edges.
    pub fn edges(seed: u64) -> (usize, Vec<(u32, u32)>) {
        let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        let mut next = |below: u64| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 11) % below
        };
        let vertices = 1 + next(12);
        let count = next(2 * vertices + 2);
        let edges = (0..count).map(|_| (next(vertices) as u32, next(vertices) as u32)).collect();
        (vertices as usize, edges)
    }

    /// What the first vertex of a small graph reaches, numbered in reverse postorder.
    pub fn reachable(seed: u64) -> Graph {
        let (vertices, edges) = edges(seed);
        ordered(vertices, &edges)
    }

    /// The vertices that 0 reaches, numbered in reverse postorder.
    pub fn ordered(vertices: usize, edges: &[(u32, u32)]) -> Graph {
        let graph = Graph::new(vertices, edges);
        let order = graph.reverse_postorder(0);
        let mut number = vec![u32::MAX; vertices];
        for (&vertex, i) in order.iter().zip(0..) {
            number[vertex as usize] = i;
        }
        let edges: Vec<(u32, u32)> = (graph.edges())
            .map(|(from, to)| (number[from as usize], number[to as usize]))
            .filter(|&(from, _)| from != u32::MAX)
            .collect();
        Graph::new(order.len(), &edges)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neighbours_keep_the_order_of_the_edges() {
        let graph = Graph::new(3, &[(2, 0), (0, 1), (2, 1), (0, 1)]);
        assert_eq!([graph.of(0), graph.of(1), graph.of(2)], [&[1, 1][..], &[], &[0, 1]]);
        let turned = graph.reversed();
        assert_eq!([turned.of(0), turned.of(1), turned.of(2)], [&[2][..], &[0, 0, 2], &[]]);
    }

    #[test]
    fn reverse_postorder_puts_a_vertex_before_what_only_it_reaches() {
        let graph = Graph::new(5, &[(0, 1), (0, 2), (1, 3), (2, 3), (3, 1)]);
        assert_eq!(graph.reverse_postorder(0), [0, 2, 1, 3]);
    }

    #[test]
    fn a_deep_graph_needs_no_stack() {
        let edges: Vec<(u32, u32)> = (0..200_000).map(|v| (v, v + 1)).collect();
        assert_eq!(Graph::new(200_001, &edges).reverse_postorder(0).len(), 200_001);
    }
}
