//! Acyclic regions as sequences and branches.
//!
//! Walking from the entry, a vertex with several successors begins a branch. What only one of its edges
//! dominates is an arm; what it dominates and several edges lead to are the joins of the branch. Control
//! leaves an arm for one of the joins, or for something further out. Where all arms agree, the sequence
//! goes on there. Otherwise an auxiliary variable of the branch, assigned on every edge that leaves,
//! selects one of the places by another branch, whose arms are those joins to which nothing else leads
//! any more; and so on until no join is left.
//!
//! The dominator tree is computed once for a region: putting a branch before joins does not change which
//! of them dominates what.

use planish_base::{Arena, SideTable};
use planish_ir::dominators::Dominators;
use planish_ir::graph::Graph;

use super::flow::{Flow, Select, Variable, What};
use super::loops::Region;

planish_base::define_id!(
    /// A sequence of a tree.
    Sequence, "s"
);

/// Part of a sequence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Item {
    /// What happens at a vertex.
    Vertex(u32),
    /// An auxiliary variable takes a number.
    Assign(Variable, i64),
    /// One of several sequences.
    Branch(Select, Vec<Sequence>),
}

/// Regions as trees.
pub struct Tree {
    /// All sequences.
    pub sequences: Arena<Sequence, Vec<Item>>,
    /// The sequence of each region, by its number.
    pub regions: Vec<Sequence>,
}

/// Turns regions into trees.
pub fn trees(flow: &mut Flow, regions: &[Region]) -> Tree {
    let mut tree = Tree { sequences: Arena::new(), regions: Vec::new() };
    let mut number = vec![u32::MAX; flow.vertices.len()];
    for region in regions {
        let sequence = Walker::new(flow, region, &mut number).walk(&mut tree);
        tree.regions.push(sequence);
    }
    tree
}

planish_base::define_id!(
    /// A branch whose arms are being made.
    Level, "level"
);

/// Where an arm may go on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// At a join of the level.
    Join(u32),
    /// Further out.
    Out,
}

struct LevelData {
    parent: Option<Level>,
    variable: Variable,
    /// Where arms go on; the position is the number that the variable takes.
    places: Vec<Place>,
    /// The number for the way out, with the level itself.
    out: Option<(Level, i64)>,
}

enum Task {
    /// Goes on with a vertex at the end of a sequence.
    Walk(Sequence, u32, Option<Level>),
    /// All arms of a level are made.
    Finish(Sequence, Level),
}

struct Walker<'a> {
    flow: &'a mut Flow,
    /// The vertices in topological order; everything below is numbered like this.
    order: Vec<u32>,
    /// The position of a vertex in the order.
    number: &'a [u32],
    /// How many edges lead to a vertex.
    entering: Vec<u32>,
    /// How many of them come from what is finished.
    arrived: Vec<u32>,
    /// The joins that a vertex dominates immediately, in topological order.
    joins: Vec<Vec<u32>>,
    /// The level to which a join belongs now.
    level_of: Vec<Option<Level>>,
    /// The number that a join has at a level.
    code_of: Vec<Option<(Level, i64)>>,
    levels: Arena<Level, LevelData>,
    /// The joins of a level to which control has not come.
    pending: SideTable<Level, Vec<u32>>,
}

impl<'a> Walker<'a> {
    fn new(flow: &'a mut Flow, region: &Region, number: &'a mut [u32]) -> Self {
        let order = topological(flow, region, number);
        let mut edges = Vec::new();
        for (&vertex, position) in order.iter().zip(0..) {
            let succs = &flow.vertices[vertex as usize].succs;
            edges.extend(succs.iter().map(|&succ| (number[succ as usize], position)));
        }
        let preds = Graph::new(order.len(), &edges);
        let dominators = Dominators::new(&preds);
        let mut joins = vec![Vec::new(); order.len()];
        let entering: Vec<u32> = (0..order.len() as u32).map(|at| preds.of(at).len() as u32).collect();
        for (position, &count) in (0..).zip(&entering) {
            if count > 1 {
                joins[dominators.idom(position) as usize].push(position);
            }
        }
        Walker {
            flow,
            number,
            entering,
            arrived: vec![0; order.len()],
            joins,
            level_of: vec![None; order.len()],
            code_of: vec![None; order.len()],
            levels: Arena::new(),
            pending: SideTable::new(),
            order,
        }
    }

    fn walk(mut self, tree: &mut Tree) -> Sequence {
        let root = tree.sequences.push(Vec::new());
        let mut tasks = vec![Task::Walk(root, 0, None)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Walk(sequence, vertex, level) => self.vertex(sequence, vertex, level, tree, &mut tasks),
                Task::Finish(sequence, level) => self.finish(sequence, level, tree, &mut tasks),
            }
        }
        root
    }

    fn vertex(
        &mut self,
        sequence: Sequence,
        mut at: u32,
        level: Option<Level>,
        tree: &mut Tree,
        tasks: &mut Vec<Task>,
    ) {
        loop {
            let vertex = self.order[at as usize];
            if self.flow.vertices[vertex as usize].what != What::Nothing {
                tree.sequences[sequence].push(Item::Vertex(vertex));
            }
            let data = &self.flow.vertices[vertex as usize];
            let succs: Vec<u32> = data.succs.iter().map(|&succ| self.number[succ as usize]).collect();
            match *succs {
                [] => return,
                [succ] if self.entering[succ as usize] == 1 => at = succ,
                [succ] => {
                    self.leave(sequence, level, succ, tree);
                    return;
                }
                _ => {
                    let select = data.select;
                    let joins = std::mem::take(&mut self.joins[at as usize]);
                    let inner = self.level(level, joins);
                    tasks.push(Task::Finish(sequence, inner));
                    let first = tasks.len();
                    let mut arms = Vec::with_capacity(succs.len());
                    for succ in succs {
                        let arm = tree.sequences.push(Vec::new());
                        arms.push(arm);
                        if self.entering[succ as usize] == 1 {
                            tasks.push(Task::Walk(arm, succ, Some(inner)));
                        } else {
                            self.leave(arm, Some(inner), succ, tree);
                        }
                    }
                    // Tasks are a stack: the first arm is to be made first.
                    tasks[first..].reverse();
                    tree.sequences[sequence].push(Item::Branch(select, arms));
                    return;
                }
            }
        }
    }

    fn level(&mut self, parent: Option<Level>, joins: Vec<u32>) -> Level {
        let variable = self.flow.variable();
        let level = self.levels.push(LevelData { parent, variable, places: Vec::new(), out: None });
        joins.iter().for_each(|&join| self.level_of[join as usize] = Some(level));
        self.pending[level] = joins;
        level
    }

    /// Ends an arm: control goes on at a vertex outside of it.
    fn leave(&mut self, sequence: Sequence, level: Option<Level>, to: u32, tree: &mut Tree) {
        self.arrived[to as usize] += 1;
        let mut level = level;
        while let Some(at) = level {
            if self.level_of[to as usize] == Some(at) {
                self.assign(sequence, at, Place::Join(to), tree);
                return;
            }
            self.assign(sequence, at, Place::Out, tree);
            level = self.levels[at].parent;
        }
    }

    fn assign(&mut self, sequence: Sequence, level: Level, place: Place, tree: &mut Tree) {
        let data = &mut self.levels[level];
        let known = match place {
            Place::Join(join) => &mut self.code_of[join as usize],
            Place::Out => &mut data.out,
        };
        let code = match *known {
            Some((of, code)) if of == level => code,
            _ => {
                data.places.push(place);
                let code = data.places.len() as i64 - 1;
                *known = Some((level, code));
                code
            }
        };
        tree.sequences[sequence].push(Item::Assign(data.variable, code));
    }

    /// Goes on behind a branch.
    fn finish(&mut self, sequence: Sequence, level: Level, tree: &mut Tree, tasks: &mut Vec<Task>) {
        let LevelData { parent, variable, ref mut places, .. } = self.levels[level];
        let places = std::mem::take(places);
        match *places {
            // The exit of the region, or everything goes further out.
            [] | [Place::Out] => return,
            [Place::Join(join)] => return tasks.push(Task::Walk(sequence, join, parent)),
            _ => {}
        }
        // Joins to which all edges have come are arms of the next branch, the others are its joins.
        let joins = std::mem::take(&mut self.pending[level]);
        let ready = |this: &Self, join: u32| this.arrived[join as usize] == this.entering[join as usize];
        let rest = joins.iter().copied().filter(|&join| !ready(self, join)).collect();
        let next = self.level(parent, rest);
        tasks.push(Task::Finish(sequence, next));
        let first = tasks.len();
        let mut arms = Vec::with_capacity(places.len());
        for place in places {
            let arm = tree.sequences.push(Vec::new());
            arms.push(arm);
            match place {
                Place::Join(join) if ready(self, join) => tasks.push(Task::Walk(arm, join, Some(next))),
                place => self.assign(arm, next, place, tree),
            }
        }
        tasks[first..].reverse();
        tree.sequences[sequence].push(Item::Branch(Select::Auxiliary(variable), arms));
    }
}

/// The vertices of a region in topological order, and their positions.
fn topological(flow: &Flow, region: &Region, number: &mut [u32]) -> Vec<u32> {
    for &vertex in &region.members {
        number[vertex as usize] = u32::MAX;
    }
    let mut order = Vec::with_capacity(region.members.len());
    let mut stack = vec![(region.entry, 0)];
    const SEEN: u32 = u32::MAX - 1;
    number[region.entry as usize] = SEEN;
    while let Some((vertex, next)) = stack.last_mut() {
        let succs = &flow.vertices[*vertex as usize].succs;
        *next += 1;
        match succs.len().checked_sub(*next).map(|at| succs[at]) {
            Some(succ) => {
                if number[succ as usize] == u32::MAX {
                    number[succ as usize] = SEEN;
                    stack.push((succ, 0));
                }
            }
            None => {
                order.push(*vertex);
                stack.pop();
            }
        }
    }
    order.reverse();
    for (position, &vertex) in order.iter().enumerate() {
        number[vertex as usize] = position as u32;
    }
    order
}
