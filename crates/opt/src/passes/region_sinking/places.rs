//! Where values are used, and the edges to which regions may go.

use planish_base::Id;
use planish_ir::graph::Graph;
use planish_ir::{Block, BlockCall, Cfg, Def, Function, Inst, Terminator, Value};

use super::flow::Flow;
use crate::passes::code_hoisting::cannot_be;

/// Where a value is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Site {
    /// By an operation of a block, or its exit.
    Inst(u32, Inst),
    /// By the end of a block, which branches on it, returns or throws it.
    End(u32),
    /// As what one of the calls at the end of a block passes on.
    Edge(u32, u32),
}

impl Site {
    /// The block.
    pub(super) fn block(self) -> u32 {
        match self {
            Site::Inst(block, _) | Site::End(block) | Site::Edge(block, _) => block,
        }
    }
}

/// The uses of all values.
pub(super) struct Uses {
    sites: Vec<Site>,
    of: Graph,
}

impl Uses {
    /// O(size of the function).
    pub(super) fn new(f: &Function, cfg: &Cfg) -> Self {
        let (mut sites, mut pairs) = (Vec::new(), Vec::new());
        let mut all = |site: Site, values: &[Value]| {
            let is_made = |value: &&Value| !matches!(f.def(**value), Def::Const(_));
            pairs.extend(
                values.iter().filter(is_made).map(|value| (value.index() as u32, sites.len() as u32)),
            );
            sites.push(site);
        };
        for (number, &block) in (0..).zip(cfg.order()) {
            for &inst in f.block_insts(block) {
                all(Site::Inst(number, inst), f.args(inst));
                if let Some(exit) = f.inst(inst).exit {
                    all(Site::Inst(number, inst), f.exit_args(exit));
                }
            }
            let terminator = f.terminator(block);
            all(Site::End(number), terminator.condition().as_slice());
            match terminator {
                Terminator::Return(results) => all(Site::End(number), f.list(*results)),
                Terminator::Throw(_, Some(exit)) => all(Site::End(number), f.exit_args(*exit)),
                _ => {}
            }
            for (index, call) in (0..).zip(terminator.calls()) {
                all(Site::Edge(number, index), f.list(call.args));
            }
        }
        Uses { of: Graph::new(f.value_count(), &pairs), sites }
    }

    /// Where a value is used.
    pub(super) fn of(&self, value: Value) -> impl Iterator<Item = Site> {
        self.of.of(value.index() as u32).iter().map(|&site| self.sites[site as usize])
    }
}

/// A place in a function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Place {
    /// A block; where something goes, the edge to that block, of which it is the only one but for those of a loop around to it.
    Block(u32),
    /// One of the calls at the end of a block, to a block to which other edges lead as well.
    Edge(u32, u32),
}

impl Place {
    /// The block, or the one from which the edge comes.
    pub(super) fn block(self) -> u32 {
        match self {
            Place::Block(block) | Place::Edge(block, _) => block,
        }
    }
}

/// The edges to which regions may go.
pub(super) struct Edges {
    /// Those from where control may go on otherwise.
    choices: Tree,
    /// Those that leave a loop.
    leaving: Tree,
    /// By how many edges each loop is left.
    exits: Vec<u32>,
}

/// Edges of a kind, as the blocks to which they lead, and no other edge but those of a loop around to them.
struct Tree {
    /// For each block the nearest one, at or above it in the tree of dominators, to which such an edge leads.
    above: Vec<Option<u32>>,
    /// For each of those the next one above it in fewer loops.
    shallower: Vec<Option<u32>>,
}

impl Tree {
    /// The edges that lead to a block alone, from the one that is given first, of which something holds. O(blocks).
    fn new(flow: Flow<'_>, holds: impl Fn(u32, u32) -> bool) -> Self {
        let Flow { f, cfg, dominators, .. } = flow;
        let count = cfg.order().len();
        let mut tree = Tree { above: vec![None; count], shallower: vec![None; count] };
        for block in 1..count as u32 {
            let from = dominators.idom(block);
            let further = tree.above[from as usize];
            let is_edge = enters(flow, from, block)
                && f.block_calls(cfg.block(from)).any(|call| call.block == cfg.block(block))
                && holds(from, block);
            tree.above[block as usize] = if is_edge { Some(block) } else { further };
            let mut next = further;
            while let Some(at) = next.filter(|&at| depth_into(flow, at) >= depth_into(flow, block)) {
                next = tree.shallower[at as usize];
            }
            tree.shallower[block as usize] = next;
        }
        tree
    }

    /// The edges above a block, from below, each in fewer loops than the one before.
    fn upwards(&self, from: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(self.above[from as usize], |&block| self.shallower[block as usize])
    }
}

impl Edges {
    /// O(blocks and edges times depth of loops).
    pub(super) fn new(flow: Flow<'_>) -> Self {
        let Flow { cfg, loops, .. } = flow;
        let mut exits = vec![0; loops.all().len()];
        for (from, to) in cfg.succs().edges() {
            loops.left_by(from, to).for_each(|index| exits[index as usize] += 1);
        }
        let choices = Tree::new(flow, |from, to| is_choice(flow, &exits, from, to));
        let leaving = Tree::new(flow, |from, to| depth_into(flow, to) < loops.depth(from));
        Edges { choices, leaving, exits }
    }

    /// Where a use is.
    pub(super) fn place(&self, flow: Flow<'_>, site: Site) -> Place {
        match site {
            Site::Edge(from, index) => {
                let to = flow.cfg.number(call(flow, from, index).block).expect("an edge leads there");
                if enters(flow, from, to) { Place::Block(to) } else { Place::Edge(from, index) }
            }
            Site::Inst(block, _) | Site::End(block) => Place::Block(block),
        }
    }

    /// The lowest place above two.
    pub(super) fn common(&self, flow: Flow<'_>, one: Place, other: Place) -> Place {
        if one == other { one } else { Place::Block(flow.dominators.common(one.block(), other.block())) }
    }

    /// From which block an edge comes, and as which of its calls.
    pub(super) fn call(&self, flow: Flow<'_>, edge: Place) -> Option<(u32, u32)> {
        match edge {
            Place::Edge(from, index) => Some((from, index)),
            Place::Block(block) => {
                let from = flow.dominators.idom(block);
                let to = flow.cfg.block(block);
                let index = flow.f.block_calls(flow.cfg.block(from)).position(|call| call.block == to)?;
                Some((from, index as u32))
            }
        }
    }

    /// To which block an edge leads.
    pub(super) fn target(&self, flow: Flow<'_>, (from, index): (u32, u32)) -> u32 {
        flow.cfg.number(call(flow, from, index).block).expect("an edge leads there")
    }

    /// Of the edges behind the end of a region and above where it is used, one in the fewest loops, and of these the last; none if that
    /// is in a loop that the end is not in.
    pub(super) fn best(&self, flow: Flow<'_>, used: Place, end: u32) -> Option<Place> {
        let Flow { dominators, loops, .. } = flow;
        let around = |edge: Place| match edge {
            Place::Block(block) => around_edge(flow, block),
            Place::Edge(from, index) => {
                let to = flow.cfg.number(call(flow, from, index).block)?;
                let parents =
                    std::iter::successors(loops.innermost(from), |&l| loops.all()[l as usize].parent);
                parents.into_iter().find(|&l| loops.contains(l, to))
            }
        };
        let depth = |edge: Place| around(edge).map_or(0, |l| loops.depth(loops.all()[l as usize].header));
        let mut best = match used {
            Place::Edge(from, index) => self.is_way(flow, from, index).then_some(used),
            Place::Block(_) => None,
        };
        let behind = |&block: &u32| block != end && dominators.dominates(end, block);
        for here in self.choices.upwards(used.block()).take_while(behind).map(Place::Block) {
            if best.is_none_or(|best| depth(here) < depth(best)) {
                best = Some(here);
            }
        }
        for here in self.leaving.upwards(used.block()).take_while(behind).map(Place::Block) {
            if depth(here) < best.map_or(loops.depth(end), depth) && depth(here) < loops.depth(end) {
                best = Some(here);
            }
        }
        best.filter(|&edge| around(edge).is_none_or(|l| loops.contains(l, end)))
    }

    /// Whether one of the calls at the end of a block, to a block to which other edges lead, is one of several ways and leads on.
    fn is_way(&self, flow: Flow<'_>, from: u32, index: u32) -> bool {
        let to = flow.cfg.number(call(flow, from, index).block);
        to.is_some_and(|to| is_choice(flow, &self.exits, from, to) && !flow.dominators.dominates(to, from))
    }
}

/// Whether an edge from a block to another one is the only one there, but for those of a loop around to that.
fn enters(flow: Flow<'_>, from: u32, to: u32) -> bool {
    let goes_back = |pred: u32| flow.dominators.dominates(to, pred);
    let mut others = flow.cfg.preds().of(to).iter().filter(|&&pred| !goes_back(pred));
    !goes_back(from) && others.next() == Some(&from) && others.next().is_none()
}

/// The innermost loop around the edge into a block.
fn around_edge(flow: Flow<'_>, to: u32) -> Option<u32> {
    let own = flow.loops.innermost(to)?;
    let l = &flow.loops.all()[own as usize];
    if l.header == to { l.parent } else { Some(own) }
}

/// How many loops are around the edge into a block.
fn depth_into(flow: Flow<'_>, to: u32) -> u32 {
    around_edge(flow, to).map_or(0, |l| flow.loops.depth(flow.loops.all()[l as usize].header))
}

/// Whether control may go on otherwise than by an edge. What stays in a loop that this edge alone leaves comes back to it.
fn is_choice(flow: Flow<'_>, exits: &[u32], from: u32, to: u32) -> bool {
    let Flow { f, cfg, loops, .. } = flow;
    let left = loops.left_by(from, to).filter(|&index| exits[index as usize] == 1).last();
    let comes_back = |block: u32| left.is_some_and(|index| loops.contains(index, block));
    // Where two edges lead to the same block, one of them is another way.
    let same = f.block_calls(cfg.block(from)).filter(|call| call.block == cfg.block(to)).count();
    let other = |block: Block| match cfg.number(block) {
        Some(number) => number != to && !comes_back(number) && !cannot_be(f, block),
        None => false,
    };
    same > 1 || f.block_calls(cfg.block(from)).any(|call| other(call.block))
}

/// One of the calls at the end of a block.
fn call(flow: Flow<'_>, block: u32, index: u32) -> BlockCall {
    flow.f.block_calls(flow.cfg.block(block)).nth(index as usize).expect("the block has that call")
}
