//! Dominator-tree walk with dead edges cut on the way (conditional reachability as in Wegman and Zadeck 1991).
//!
//! A block is entered when every edge that comes to it from earlier blocks (in reverse postorder) has
//! been decided: alive, or dead because its source is dead or branches elsewhere. Its place is below the
//! nearest common dominator of the sources of its live edges, which is open at that moment, so what was
//! learned there is still known. The walk is thus a depth-first traversal of the dominator tree of the
//! graph *without its dead edges*, found while it runs: a branch that folds makes the blocks behind it
//! see more.
//!
//! The nearest common dominator of a new source and what was found before is the deepest open block
//! above the latter (Tarjan 1979, off-line least common ancestors): near O(1) with path compression.
//!
//! An edge that retreats decides nothing where the graph is reducible, for its target dominates its
//! source. Where it is not, no edge counts as dead, and the static dominators bound the place of a block.
//! An exit to a handler sees what dominates the *start* of its block, so such an edge starts one level up. An edge to an
//! entrance starts at the root: whoever comes there from elsewhere passed nothing.

use planish_base::{Id, Worklist, fault};
use planish_ir::{Block, Function};

use crate::engine::flow::Flow;

/// A node of the dominator tree: 0 is above the entry, n + 1 is block n.
type Node = u32;

const ROOT: Node = 0;
const NONE: u32 = u32::MAX;

/// What the walk does next.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Step {
    /// Goes into a block: its instructions come now.
    Enter(Block),
    /// Everything that the block dominates was visited.
    Leave(Block),
}

/// A walk in progress.
#[derive(Default)]
pub(crate) struct Walk {
    pub flow: Flow,
    stack: Vec<Node>,
    depth: Vec<u32>,
    /// For a block that was left: a node above it. Else itself.
    above: Vec<Node>,
    /// Where a block would be put by the live edges so far.
    place: Vec<Node>,
    pending: Vec<u32>,
    live_edges: Vec<u32>,
    entered: Vec<bool>,
    /// Blocks to enter below a node: a list through `next_child`, in the order in which they got ready.
    first_child: Vec<u32>,
    last_child: Vec<u32>,
    next_child: Vec<u32>,
    dead: Worklist<Block>,
}

impl Walk {
    /// Begins at the entry of a function.
    pub fn start(&mut self, f: &Function) {
        self.flow.compute(f);
        self.restart(f);
    }

    /// Begins again at the entry of a function whose blocks and edges are as they were at the start.
    pub fn restart(&mut self, f: &Function) {
        let count = f.block_count();
        for (table, value) in [
            (&mut self.depth, 0),
            (&mut self.place, NONE),
            (&mut self.live_edges, 0),
            (&mut self.first_child, NONE),
            (&mut self.last_child, NONE),
            (&mut self.next_child, NONE),
        ] {
            table.clear();
            table.resize(count + 1, value);
        }
        self.above.clear();
        self.above.extend(0..=count as u32);
        self.entered.clear();
        self.entered.resize(count, false);
        self.pending.clear();
        self.pending.extend((0..count).map(|index| self.flow.forward_edges(Block::from_index(index))));
        self.stack.clear();
        self.stack.push(ROOT);
        self.put(f.entry(), ROOT);
    }

    /// The next step; `None` at the end.
    pub fn next(&mut self) -> Option<Step> {
        let &top = self.stack.last()?;
        let child = self.first_child[top as usize];
        if child != NONE {
            let node = child + 1;
            self.first_child[top as usize] = self.next_child[node as usize];
            self.depth[node as usize] = self.stack.len() as u32;
            self.stack.push(node);
            self.entered[child as usize] = true;
            return Some(Step::Enter(block_of(node)));
        }
        self.stack.pop();
        let &parent = self.stack.last()?;
        self.above[top as usize] = parent;
        Some(Step::Leave(block_of(top)))
    }

    /// Whether a step will follow. Behind the entry there may be handlers that see none of it.
    pub fn goes_on(&self) -> bool {
        self.stack.len() > 1 || self.first_child[ROOT as usize] != NONE
    }

    /// The block where the walk is.
    pub fn here(&self) -> Block {
        block_of(*self.stack.last().expect("the walk is in a block"))
    }

    /// Says that control may go from the end of the block where the walk is to `target`.
    pub fn live(&mut self, target: Block) {
        let &here = self.stack.last().expect("the walk is in a block");
        self.live_edges[target.index() + 1] += 1;
        self.live_from(if self.flow.is_entrance(target) { ROOT } else { here }, target);
    }

    /// Says that control may go from an exit of the block where the walk is to `handler`.
    pub fn live_exit(&mut self, handler: Block) {
        let above = self.stack[self.stack.len() - 2];
        self.live_edges[handler.index() + 1] += 1;
        self.live_from(above, handler);
    }

    fn live_from(&mut self, source: Node, target: Block) {
        let place = self.place[target.index() + 1];
        // Both are on the path of open nodes: the one nearer to the root is above the other.
        let open = if place == NONE { source } else { self.open(place) };
        let higher = if fault!("walk: a join is placed below its last edge") {
            source
        } else if self.depth[open as usize] < self.depth[source as usize] {
            open
        } else {
            source
        };
        self.place[target.index() + 1] = higher;
    }

    /// Says that the block where the walk is, `block`, is done: its edges that were not said to be alive
    /// are dead.
    pub fn finish(&mut self, block: Block) {
        if !self.flow.reducible {
            self.all_alive(block);
        }
        self.dead.push(block);
        while let Some(block) = self.dead.pop() {
            for edge in 0..self.flow.edges(block).len() {
                let target = self.flow.edges(block)[edge];
                if self.flow.retreats(block, target) {
                    continue;
                }
                self.pending[target.index()] -= 1;
                if self.pending[target.index()] == 0 {
                    match self.place[target.index() + 1] {
                        NONE => self.dead.push(target),
                        place => {
                            let place = self.open(place);
                            self.put(target, place);
                        }
                    }
                }
            }
        }
    }

    /// Counts every edge of a block, and the static dominator of its targets, as alive.
    fn all_alive(&mut self, block: Block) {
        for edge in 0..self.flow.edges(block).len() {
            let target = self.flow.edges(block)[edge];
            if self.flow.retreats(block, target) {
                continue;
            }
            let up = 1 + usize::from(self.flow.is_handler(target));
            let above = self.stack[self.stack.len() - up];
            let source = if self.flow.is_entrance(target) { ROOT } else { above };
            self.live_from(source, target);
            if let Some(dominator) = self.flow.dominator(target) {
                let dominator = self.open(dominator.index() as u32 + 1);
                self.live_from(dominator, target);
            }
        }
    }

    /// Whether the block was entered; asked at the end: whether control may get there.
    pub fn entered(&self, block: Block) -> bool {
        self.entered[block.index()]
    }

    /// Whether exactly one live edge goes to the block.
    pub fn has_one_live_edge(&self, block: Block) -> bool {
        self.live_edges[block.index() + 1] == 1
    }

    /// Whether all ways into the block begin with one live edge: there is no other, or the others come
    /// from what the block dominates. Asked when the block is entered.
    pub fn enters_by_one_edge(&self, block: Block) -> bool {
        self.has_one_live_edge(block) && self.flow.reducible && !self.flow.is_open(block)
    }

    fn put(&mut self, block: Block, below: Node) {
        let (index, below) = (block.index() as u32, below as usize);
        if self.first_child[below] == NONE {
            self.first_child[below] = index;
        } else {
            self.next_child[self.last_child[below] as usize + 1] = index;
        }
        self.last_child[below] = index;
    }

    /// The deepest open node at or above a node.
    fn open(&mut self, mut node: Node) -> Node {
        while self.above[node as usize] != node {
            let parent = self.above[node as usize];
            self.above[node as usize] = self.above[parent as usize];
            node = parent;
        }
        node
    }
}

fn block_of(node: Node) -> Block {
    Block::from_index(node as usize - 1)
}
