//! Loops with one entry, one exit, and a test at the end.
//!
//! Every strongly connected component of a region becomes one vertex of it, and a region of its own: its
//! body. Edges that enter at one of several places assign where, and the body begins with a
//! branch on it; edges that repeat or leave assign whether and where to, and meet at the end of
//! the body; behind the loop follows a branch on where to go on. A loop that one vertex with two
//! successors both repeats and leaves needs none of this: its own test is the loop's.
//!
//! Inside of the body no edge repeats it any more, so the inner loops are the components of the body.

use hashbrown::HashMap;
use planish_base::Components;
use rustc_hash::FxBuildHasher;

use super::flow::{Flow, Select, Source, Variable, What};

/// Whether a loop repeats.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Repeat {
    /// Where an auxiliary variable is 1.
    Variable(Variable),
    /// Where a selection, which is 0 or 1, gives this.
    Selected(Select, u32),
}

/// An acyclic region: a loop is one vertex of it.
#[derive(Debug)]
pub struct Region {
    /// Its vertices, in no special order.
    pub members: Vec<u32>,
    /// Where control enters.
    pub entry: u32,
    /// Where control leaves: without successors.
    pub exit: u32,
    /// When control goes back to the entry. The outermost region never repeats.
    pub repeat: Option<Repeat>,
    /// Whether there were several entries: then what the body defines may be needed the next time around.
    pub irreducible: bool,
    /// Assignments that happen when the loop repeats, and only then: its own test is between them and the
    /// rest of the body.
    pub next: Option<u32>,
}

/// The regions of a graph. The first is the whole; the number of any other is in its [`What::Loop`].
pub fn regions(flow: &mut Flow) -> Vec<Region> {
    let whole = flow.reverse_postorder();
    let mut finder = Components::new(flow.vertices.len());
    let (entry, exit) = (flow.entry, flow.exit);
    let first = Region { members: whole, entry, exit, repeat: None, irreducible: false, next: None };
    let mut maker = Maker { flow, preds: Vec::new(), place: Vec::new(), stamp: 0, regions: vec![first] };
    let mut next = 0;
    while next < maker.regions.len() {
        let members = std::mem::take(&mut maker.regions[next].members);
        let components = finder.of(&members, |vertex| &maker.flow.vertices[vertex as usize].succs);
        maker.list_preds(&members);
        let mut left = Vec::with_capacity(members.len());
        // A component comes behind those to which it leads: its edges out lead to finished loops, and its
        // edges in come from vertices that have not changed.
        for component in components {
            match *component {
                [vertex] if !maker.flow.vertices[vertex as usize].succs.contains(&vertex) => {
                    left.push(vertex)
                }
                _ => maker.restructure(next as u32, component, &mut left),
            }
        }
        maker.regions[next].members = left;
        next += 1;
    }
    maker.regions
}

/// An edge: its source and which of its successors.
type Edge = (u32, usize);

struct Maker<'a> {
    flow: &'a mut Flow,
    /// The edges to each member of the region.
    preds: Vec<Vec<Edge>>,
    /// The stamp of the component of which a vertex is a member.
    place: Vec<u32>,
    stamp: u32,
    regions: Vec<Region>,
}

/// The edges around a component.
#[derive(Default)]
struct Boundary {
    /// The vertices where control enters, and the edges on which it does.
    entries: Vec<(u32, Vec<Edge>)>,
    /// Edges inside to an entry: its position.
    repeating: Vec<(Edge, usize)>,
    /// Edges to the outside: the position of the target.
    leaving: Vec<(Edge, usize)>,
    /// The vertices outside to which control leaves.
    targets: Vec<u32>,
}

/// A test that is the loop's.
struct OwnTest {
    vertex: u32,
    repeat: Repeat,
    /// The assignments between it and the head.
    next: Option<u32>,
}

impl Maker<'_> {
    fn list_preds(&mut self, members: &[u32]) {
        self.preds.resize(self.flow.vertices.len(), Vec::new());
        members.iter().for_each(|&member| self.preds[member as usize].clear());
        for &member in members {
            for (edge, &succ) in self.flow.vertices[member as usize].succs.iter().enumerate() {
                self.preds[succ as usize].push((member, edge));
            }
        }
    }

    fn is_inside(&self, vertex: u32) -> bool {
        self.place.get(vertex as usize) == Some(&self.stamp)
    }

    /// Makes a loop of a component of a region. `left` are the vertices that the region keeps.
    fn restructure(&mut self, region: u32, component: Vec<u32>, left: &mut Vec<u32>) {
        self.stamp += 1;
        self.place.resize(self.flow.vertices.len(), 0);
        component.iter().for_each(|&vertex| self.place[vertex as usize] = self.stamp);
        let region_entry = self.regions[region as usize].entry;
        let boundary = self.boundary(region_entry, &component);
        let id = self.regions.len() as u32;
        let vertex = self.flow.add(What::Loop(id), Select::Only, Vec::new());

        let single = boundary.entries.len() == 1;
        let position = (!single || boundary.targets.len() > 1).then(|| self.flow.variable());
        let mut body = component;
        let mut entry = boundary.entries[0].0;
        if let Some(position) = position.filter(|_| !single) {
            let heads = boundary.entries.iter().map(|(head, _)| *head).collect();
            entry = self.flow.add(What::Nothing, Select::Auxiliary(position), heads);
            body.push(entry);
        }
        for (i, (head, edges)) in boundary.entries.iter().enumerate() {
            let mut way = vertex;
            if let Some(position) = position.filter(|_| !single) {
                let taken = vec![(position, Source::Number(i as i64))];
                way = self.flow.add(What::Assign(taken), Select::Only, vec![vertex]);
                left.push(way);
            }
            edges.iter().for_each(|&(from, edge)| self.flow.vertices[from as usize].succs[edge] = way);
            if *head == region_entry {
                self.regions[region as usize].entry = way;
            }
        }

        let exit = self.flow.add(What::Nothing, Select::Only, Vec::new());
        let (repeat, next) = match self.own_test(&boundary) {
            Some(OwnTest { vertex, repeat, next }) => {
                let data = &mut self.flow.vertices[vertex as usize];
                (data.select, data.succs) = (Select::Only, vec![exit]);
                body.retain(|&member| Some(member) != next);
                (repeat, next)
            }
            None => (self.common_end(&boundary, exit, position, &mut body), None),
        };
        body.push(exit);
        let onwards = match (boundary.targets.as_slice(), position) {
            ([only], _) => *only,
            (several, Some(position)) => {
                let branch = self.flow.add(What::Nothing, Select::Auxiliary(position), several.to_vec());
                left.push(branch);
                branch
            }
            (_, None) => unreachable!("several targets are told apart by a variable"),
        };
        self.flow.vertices[vertex as usize].succs.push(onwards);
        left.push(vertex);
        let repeat = Some(repeat);
        self.regions.push(Region { members: body, entry, exit, repeat, irreducible: !single, next });
    }

    fn boundary(&self, region_entry: u32, component: &[u32]) -> Boundary {
        let mut boundary = Boundary::default();
        let mut entry_of = HashMap::<u32, usize, FxBuildHasher>::default();
        for &vertex in component {
            let edges = self.preds[vertex as usize].iter().copied();
            let edges: Vec<Edge> = edges.filter(|&(from, _)| !self.is_inside(from)).collect();
            if !edges.is_empty() || vertex == region_entry {
                entry_of.insert(vertex, boundary.entries.len());
                boundary.entries.push((vertex, edges));
            }
        }
        let mut target_of = HashMap::<u32, usize, FxBuildHasher>::default();
        for &vertex in component {
            for (edge, &succ) in self.flow.vertices[vertex as usize].succs.iter().enumerate() {
                if let Some(&entry) = entry_of.get(&succ) {
                    boundary.repeating.push(((vertex, edge), entry));
                } else if !self.is_inside(succ) {
                    let target = *target_of.entry(succ).or_insert_with(|| {
                        boundary.targets.push(succ);
                        boundary.targets.len() - 1
                    });
                    boundary.leaving.push(((vertex, edge), target));
                }
            }
        }
        boundary
    }

    /// The vertex whose own test can be that of the loop, if there is one: it alone leaves, and it alone
    /// repeats, be it with assignments on the way.
    fn own_test(&self, boundary: &Boundary) -> Option<OwnTest> {
        let ([_], &[((from, edge), _)], &[((out, _), _)]) =
            (&*boundary.entries, &*boundary.repeating, &*boundary.leaving)
        else {
            return None;
        };
        let (back, edge, next) = match (&self.flow.vertices[from as usize].what, &*self.preds[from as usize])
        {
            (What::Assign(_), &[(before, edge)]) if from != out => (before, edge, Some(from)),
            _ => (from, edge, None),
        };
        let vertex = &self.flow.vertices[back as usize];
        let truth = match vertex.select {
            Select::Value { truth, .. } => truth,
            Select::Compare(..) | Select::Always(_) => true,
            Select::Only | Select::Offset(..) | Select::Auxiliary(_) => false,
        };
        let repeat = Repeat::Selected(vertex.select, edge as u32);
        (back == out && truth && vertex.succs.len() == 2).then_some(OwnTest { vertex: back, repeat, next })
    }

    /// Leads all edges that repeat or leave to the exit of the body, with assignments of what they do.
    fn common_end(
        &mut self,
        boundary: &Boundary,
        exit: u32,
        position: Option<Variable>,
        body: &mut Vec<u32>,
    ) -> Repeat {
        let again = self.flow.variable();
        let repeating =
            boundary.repeating.iter().map(|&(edge, at)| (edge, at, boundary.entries.len() > 1, 1));
        let leaving = boundary.leaving.iter().map(|&(edge, at)| (edge, at, boundary.targets.len() > 1, 0));
        for ((from, edge), at, told, repeats) in repeating.chain(leaving) {
            let mut taken = vec![(again, Source::Number(repeats))];
            taken.extend(position.filter(|_| told).map(|position| (position, Source::Number(at as i64))));
            let way = self.flow.add(What::Assign(taken), Select::Only, vec![exit]);
            self.flow.vertices[from as usize].succs[edge] = way;
            body.push(way);
        }
        Repeat::Variable(again)
    }
}
