//! Loop nesting forest of any rooted graph (Havlak 1997).
//!
//! A loop is what can go back to its header without leaving the header's subtree of a depth-first tree
//! (Havlak, "Nesting of Reducible and Irreducible Loops", TOPLAS 1997). In a reducible graph these are
//! the natural loops. Elsewhere a loop may be entered beside its header; such a loop is marked, and its
//! header is the entry that the search met first. The method is Havlak's as Ramalingam mended it
//! ("Identifying Loops in Almost Linear Time", TOPLAS 1999): an edge that is neither of the tree nor goes
//! back is looked at only once the search is back at the nearest common ancestor of its ends, so that no
//! list of edges is walked twice. O(m α(n)) for every graph. Nothing recurses.

use planish_base::{Arena, Id, Worklist, define_id};

use crate::graph::Graph;

define_id!(
    /// A loop of a [`Loops`].
    Loop, "loop"
);

const NONE: u32 = u32::MAX;

#[derive(Clone, Debug)]
struct Data {
    header: u32,
    parent: Option<Loop>,
    depth: u32,
    irreducible: bool,
}

/// The loops of a graph, and how they nest.
#[derive(Clone, Debug)]
pub struct Loops {
    loops: Arena<Loop, Data>,
    innermost: Vec<Option<Loop>>,
}

impl Loops {
    /// The loops of a graph given by its successors, all of which the root 0 reaches, as in
    /// [`Cfg::succs`](crate::Cfg::succs). An outer loop comes before those in it.
    pub fn new(succs: &Graph) -> Self {
        if succs.is_empty() {
            return Loops { loops: Arena::new(), innermost: Vec::new() };
        }
        let search = Search::new(succs);
        let mut forest = Forest::new(&search);
        for header in (0..search.vertex.len() as u32).rev() {
            forest.close(&search, header);
        }
        forest.finish(&search)
    }

    /// The innermost loop that a vertex lies in. A header lies in its own.
    #[inline]
    pub fn innermost(&self, vertex: u32) -> Option<Loop> {
        self.innermost[vertex as usize]
    }

    /// How many loops a vertex lies in.
    #[inline]
    pub fn depth(&self, vertex: u32) -> u32 {
        self.innermost(vertex).map_or(0, |inner| self.loops[inner].depth)
    }

    /// The vertex to which the loop goes back.
    pub fn header(&self, of: Loop) -> u32 {
        self.loops[of].header
    }

    /// The next larger loop.
    pub fn parent(&self, of: Loop) -> Option<Loop> {
        self.loops[of].parent
    }

    /// Whether the loop can be entered elsewhere than at its header.
    pub fn is_irreducible(&self, of: Loop) -> bool {
        self.loops[of].irreducible
    }

    /// The loops that a vertex lies in, from the inside out.
    pub fn around(&self, vertex: u32) -> impl Iterator<Item = Loop> + '_ {
        std::iter::successors(self.innermost(vertex), |&inner| self.parent(inner))
    }

    /// All loops, each before those in it.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Loop> + ExactSizeIterator + use<> {
        self.loops.ids()
    }

    /// Whether there is no loop.
    pub fn is_empty(&self) -> bool {
        self.loops.is_empty()
    }
}

/// A depth-first search. Vertices are named by their position in its preorder.
struct Search {
    /// The vertex at a position.
    vertex: Vec<u32>,
    parent: Vec<u32>,
    /// For each position the sources of edges that go back to it.
    back: Graph,
    /// For each position the edges, by number, whose ends have it as their nearest common ancestor and
    /// which are neither of the tree nor go back.
    late: Graph,
    /// Those edges: source and target.
    edges: Vec<(u32, u32)>,
}

impl Search {
    fn new(succs: &Graph) -> Self {
        let count = succs.len();
        let (mut vertex, mut parent) = (vec![0], vec![0]);
        let mut position = vec![NONE; count];
        position[0] = 0;
        // For a position that the search has left, one above it; else itself.
        let mut above = vec![0u32];
        let (mut back, mut late, mut edges) = (Vec::new(), Vec::new(), Vec::new());
        let mut stack = vec![(0u32, 0)];
        while let Some((at, next)) = stack.last_mut() {
            let at = *at;
            let Some(&target) = succs.of(vertex[at as usize]).get(*next) else {
                above[at as usize] = parent[at as usize];
                stack.pop();
                continue;
            };
            *next += 1;
            let to = position[target as usize];
            if to == NONE {
                let new = vertex.len() as u32;
                position[target as usize] = new;
                vertex.push(target);
                parent.push(at);
                above.push(new);
                stack.push((new, 0));
                continue;
            }
            let open = halve(&mut above, to);
            if open == to {
                back.push((to, at));
            } else {
                late.push((open, edges.len() as u32));
                edges.push((at, to));
            }
        }
        Search { vertex, parent, back: Graph::new(count, &back), late: Graph::new(count, &late), edges }
    }
}

/// The loops found so far, from the end of the preorder.
struct Forest {
    /// Inner loops before outer ones.
    loops: Vec<Data>,
    /// The parents of loops, by number in `loops`.
    parents: Vec<u32>,
    /// For a position in the body of a loop: the header. Else itself.
    within: Vec<u32>,
    /// The loop whose header a position is.
    headed: Vec<u32>,
    /// The innermost loop of a position.
    innermost: Vec<u32>,
    /// Sources of late edges that were looked at, by target: a list through `next`.
    first: Vec<u32>,
    next: Vec<(u32, u32)>,
    work: Worklist<u32>,
}

impl Forest {
    fn new(search: &Search) -> Self {
        let count = search.vertex.len();
        Forest {
            loops: Vec::new(),
            parents: Vec::new(),
            within: (0..count as u32).collect(),
            headed: vec![NONE; count],
            innermost: vec![NONE; count],
            first: vec![NONE; count],
            next: Vec::new(),
            work: Worklist::default(),
        }
    }

    /// Finds the loop of a header, when those of all later positions are known.
    fn close(&mut self, search: &Search, header: u32) {
        for &edge in search.late.of(header) {
            let (from, to) = search.edges[edge as usize];
            let (from, to) = (halve(&mut self.within, from), halve(&mut self.within, to));
            self.next.push((from, self.first[to as usize]));
            self.first[to as usize] = self.next.len() as u32 - 1;
        }
        let back = search.back.of(header);
        if back.is_empty() {
            return;
        }
        let this = self.loops.len() as u32;
        self.loops.push(Data { header, parent: None, depth: 0, irreducible: false });
        self.parents.push(NONE);
        self.headed[header as usize] = this;
        self.innermost[header as usize] = this;
        for &source in back {
            self.take(source, header);
        }
        while let Some(at) = self.work.pop() {
            self.take(search.parent[at as usize], header);
            let mut edge = self.first[at as usize];
            while edge != NONE {
                let (source, next) = self.next[edge as usize];
                self.take(source, header);
                edge = next;
            }
        }
    }

    /// Takes what a position lies in so far into the loop of a header.
    fn take(&mut self, at: u32, header: u32) {
        let at = halve(&mut self.within, at);
        if at == header {
            return;
        }
        self.within[at as usize] = header;
        let this = self.headed[header as usize];
        match self.headed[at as usize] {
            NONE => self.innermost[at as usize] = this,
            inner => self.parents[inner as usize] = this,
        }
        self.work.push(at);
    }

    /// Marks the loops that a late edge enters beside their headers: those around its target whose
    /// headers lie below the nearest common ancestor of its ends.
    fn mark(&mut self, search: &Search) {
        // For a loop that is marked: one around it. One more than the last stands for none.
        let end = self.loops.len() as u32;
        let mut unmarked: Vec<u32> = (0..=end).collect();
        let around = |parents: &[u32], this: u32| parents[this as usize].min(end);
        for (ancestor, edge) in search.late.edges() {
            let (_, to) = search.edges[edge as usize];
            let mut this = self.innermost[to as usize].min(end);
            if this != end && self.loops[this as usize].header == to {
                this = around(&self.parents, this);
            }
            loop {
                this = halve(&mut unmarked, this);
                if this == end || self.loops[this as usize].header <= ancestor {
                    break;
                }
                self.loops[this as usize].irreducible = true;
                unmarked[this as usize] = around(&self.parents, this);
            }
        }
    }

    fn finish(mut self, search: &Search) -> Loops {
        self.mark(search);
        let count = self.loops.len();
        let id = |this: u32| (this != NONE).then(|| Loop::from_index(count - 1 - this as usize));
        let mut loops = Arena::<Loop, Data>::new();
        for (data, &parent) in self.loops.iter().zip(&self.parents).rev() {
            let parent = id(parent);
            let depth = 1 + parent.map_or(0, |parent| loops[parent].depth);
            let header = search.vertex[data.header as usize];
            loops.push(Data { header, parent, depth, irreducible: data.irreducible });
        }
        let mut innermost = vec![None; search.vertex.len()];
        for (&vertex, &inner) in search.vertex.iter().zip(&self.innermost) {
            innermost[vertex as usize] = id(inner);
        }
        Loops { loops, innermost }
    }
}

/// The end of a chain, which is shortened on the way.
fn halve(chain: &mut [u32], mut at: u32) -> u32 {
    while chain[at as usize] != at {
        let up = chain[at as usize];
        chain[at as usize] = chain[up as usize];
        at = up;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Header, depth, parent's header and whether it is irreducible, for each loop in order.
    fn listed(succs: &Graph) -> Vec<(u32, Option<u32>, bool)> {
        let loops = Loops::new(succs);
        let parent = |of| loops.parent(of).map(|parent| loops.header(parent));
        loops.ids().map(|of| (loops.header(of), parent(of), loops.is_irreducible(of))).collect()
    }

    #[test]
    fn loops_nest() {
        // 0 -> 1 -> 2 -> 2, 2 -> 3 -> 1, 3 -> 4
        let succs = Graph::new(5, &[(0, 1), (1, 2), (2, 2), (2, 3), (3, 1), (3, 4)]);
        assert_eq!(listed(&succs), [(1, None, false), (2, Some(1), false)]);
        let loops = Loops::new(&succs);
        assert_eq!([0, 1, 2, 3, 4].map(|v| loops.depth(v)), [0, 1, 2, 1, 0]);
        assert_eq!(loops.around(2).map(|of| loops.header(of)).collect::<Vec<_>>(), [2, 1]);
    }

    #[test]
    fn two_edges_back_to_one_header_are_one_loop() {
        let succs = Graph::new(4, &[(0, 1), (1, 2), (1, 3), (2, 1), (3, 1)]);
        assert_eq!(listed(&succs), [(1, None, false)]);
    }

    #[test]
    fn a_loop_with_two_entries_is_marked_and_the_one_around_it_is_not() {
        // 1 is a header whose body holds 2 <-> 3, entered at both.
        let succs = Graph::new(5, &[(0, 1), (1, 2), (1, 3), (2, 3), (3, 2), (3, 4), (4, 1)]);
        assert_eq!(listed(&succs), [(1, None, false), (2, Some(1), true)]);
    }

    /// The definition, over a depth-first search by recursion: for each vertex the others in its subtree
    /// that reach it there; and whether an edge enters them from outside.
    fn by_definition(succs: &Graph) -> Vec<(u32, Vec<u32>, bool)> {
        fn visit(succs: &Graph, at: u32, seen: &mut Vec<u32>, last: &mut [usize]) {
            seen.push(at);
            for &to in succs.of(at) {
                if !seen.contains(&to) {
                    visit(succs, to, seen, last);
                }
            }
            last[at as usize] = seen.len();
        }
        let (mut order, mut last) = (Vec::new(), vec![0; succs.len()]);
        visit(succs, 0, &mut order, &mut last);
        let mut found = Vec::new();
        for (position, &header) in order.iter().enumerate() {
            let subtree = &order[position..last[header as usize]];
            let mut members: Vec<u32> = Vec::new();
            loop {
                let goes_in =
                    |&&at: &&u32| succs.of(at).iter().any(|to| *to == header || members.contains(to));
                let more = subtree.iter().filter(goes_in).find(|at| !members.contains(at));
                let Some(&more) = more else { break };
                members.push(more);
            }
            // Members reach the header; the header reaches its subtree.
            if members.contains(&header) {
                members.sort_unstable();
                let beside = |&(from, to): &(u32, u32)| {
                    to != header && members.contains(&to) && !members.contains(&from)
                };
                let irreducible = succs.edges().any(|edge| beside(&edge));
                found.push((header, members, irreducible));
            }
        }
        found
    }

    #[test]
    fn loops_are_those_of_the_definition_on_random_graphs() {
        let (mut irreducible, mut nested) = (0, 0);
        for seed in 0..2_000u64 {
            let succs = crate::graph::random::reachable(seed);
            let loops = Loops::new(&succs);
            let expected = by_definition(&succs);
            let mut found: Vec<(u32, Vec<u32>, bool)> = Vec::new();
            for of in loops.ids() {
                let all = 0..succs.len() as u32;
                let members = all.filter(|&v| loops.around(v).any(|around| around == of)).collect();
                found.push((loops.header(of), members, loops.is_irreducible(of)));
                nested += usize::from(loops.parent(of).is_some());
                irreducible += usize::from(loops.is_irreducible(of));
            }
            assert_eq!(found, expected, "{seed}");
        }
        assert!(irreducible > 100 && nested > 100, "{irreducible} irreducible, {nested} nested");
    }

    #[test]
    fn a_deep_nest_and_a_ladder_take_no_time() {
        let count = 200_000u32;
        // Each vertex goes on, and back to its mirror image: a nest of half the size.
        let chain = (0..count - 1).map(|v| (v, v + 1));
        let edges: Vec<(u32, u32)> =
            chain.clone().chain((count / 2..count).map(|v| (v, count - 1 - v))).collect();
        let loops = Loops::new(&Graph::new(count as usize, &edges));
        assert_eq!(loops.depth(count / 2 - 1), count / 2);
        // The same, entered at every vertex from the root: all but the outermost are irreducible.
        let edges: Vec<(u32, u32)> = edges.into_iter().chain((1..count).map(|v| (0, v))).collect();
        let loops = Loops::new(&Graph::new(count as usize, &edges));
        assert_eq!(loops.ids().filter(|&of| loops.is_irreducible(of)).count(), count as usize / 2 - 1);
    }
}
