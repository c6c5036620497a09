//! Sinking of regions (the revival transformation of Feigen, Klappholz, Casazza and Xue, POPL 1994; partial dead code
//! elimination of control structures): a loop or a branch with its arms, of which one way alone uses what it makes, goes on that way.
//!
//! ```text
//! d: jump h(0, k)                                   d: branch c, s, t
//! h(i, w): ...; branch more, h(i', w'), e           h(i, w): ...; branch more, h(i', w'), e
//! e: branch c, s, t                     becomes     e: return w'
//! s: return w'                                      s: jump h(0, k)
//! t: return k                                       t: return k
//! ```
//!
//! [Global code motion](super::global_code_motion) does that for single operations, LLVM's Sink too. A call of a method
//! that only computes is such an operation, until the body of the method stands in its place.
//!
//! What moves is a single-entry single-exit region (`regions.rs`) that only computes, on values alone, and surely ends. Running it is
//! then not seen but in its values, so it may move behind anything: it goes to an edge that
//!
//! - all uses of these values are behind (`places.rs`), so that each finds them made;
//! - leaves a branch that another way leaves, too, or a loop that the region lies in, so that something is saved;
//! - lies in no loop that the region does not lie in, so that it is never passed more often than the region was.
//!
//! Of several such edges it is one in the fewest loops, and of these the last. The region is then in front of whatever the edge goes
//! to (`moves.rs`). Operations in front of the region that nothing else uses come along.
//!
//! The last region is looked at first, so one that makes what another one needs follows that. A region inside one that moves is looked
//! at before it. Where something moved all is done again, at most [`ROUNDS`] times: behind the branch that a region made there may
//! be another one.
//!
//! O(size of the function times [`BLOCKS`]), since from each branch and each loop so many blocks are looked at; mostly it is a few.

mod flow;
mod moves;
mod places;
mod regions;
#[cfg(test)]
mod tests;

use planish_base::{SideTable, fault};
use planish_ir::dominators::Dominators;
use planish_ir::{Cfg, Function, Inst, Value};

use self::flow::Flow;
use self::moves::{Move, carry_out};
use self::places::{Edges, Place, Site, Uses};
use self::regions::{Finder, Region, Start};
use super::global_code_motion::{Freedom, freedom};
use super::preheaders::{put_blocks_in_front_of_loops, take_back_empty};
use crate::analysis::scalar_evolution::ScalarEvolution;
use planish_pass::{Change, Example, FunctionPass, LoopInfo, PassCx, PassInfo, PassOption};

/// How large a region may be.
pub const BLOCKS: PassOption = PassOption::new("blocks", 200, "how many blocks a region has at most");

/// How often regions are looked at again.
pub const ROUNDS: PassOption =
    PassOption::new("rounds", 3, "how often all is looked at again where something moved");

/// Sinks regions.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        source: "Feigen, Klappholz, Casazza and Xue, \"The Revival Transformation\", POPL 1994; regions as of Johnson, Pearson \
                 and Pingali, PLDI 1994",
        analyses: &["edges", "dominators", "loops", "scalar-evolution"],
        options: &[&BLOCKS, &ROUNDS],
        example: Example { file: "region_sinking.ssa", text: include_str!("examples/region_sinking.ssa") },
        test: "crates/opt/src/passes/region_sinking/tests.rs",
        ..PassInfo::new(
            "region-sinking",
            "Region sinking: loops and branches that only compute go into the one arm that needs what they make.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if !f.entrances().is_empty() {
        return;
    }
    if f.blocks().len() < 4 {
        return;
    }
    let mut fronts = Vec::new();
    for _ in 0..cx.count(&ROUNDS) {
        // A region in front of a loop ends in a block of its own, to which no edge of the loop leads.
        if let [_, _, ..] = cx.get::<LoopInfo>(f).all() {
            fronts.extend(put_blocks_in_front_of_loops(f, cx));
        }
        if !cx.record.has_fuel() || !sink(f, cx) {
            break;
        }
        cx.changed(Change::Flow);
    }
    take_back_empty(f, cx, &fronts);
}

/// Moves what can go now. Whether anything did.
fn sink(f: &mut Function, cx: &mut PassCx<'_>) -> bool {
    let (cfg, loops) = (cx.get::<Cfg>(f), cx.get::<LoopInfo>(f));
    let dominators = cx.get::<Dominators>(f);
    let flow = Flow { f, world: cx.world, cfg: &cfg, dominators: &dominators, loops: &loops };
    let mut regions = Finder::new(flow, cx.count(&BLOCKS)).all();
    if regions.is_empty() {
        return false;
    }
    let (edges, uses) = (Edges::new(flow), Uses::new(f, &cfg));
    // Whether loops end is asked only if something depends on it.
    if Plan::new(flow, &edges, &uses).moves(&regions, |_| true).is_empty() {
        return false;
    }
    if !loops.all().is_empty() && !fault!("region-sinking: every loop ends") {
        let evolution = cx.get::<ScalarEvolution>(f);
        let ends = |&block: &u32| {
            let own = loops.innermost(block).filter(|&own| loops.all()[own as usize].header == block);
            own.is_none_or(|own| evolution.loops[own as usize].ends)
        };
        regions.retain(|region| region.blocks.iter().all(ends));
    }
    let moves = Plan::new(flow, &edges, &uses).moves(&regions, |start| {
        let block = cfg.block(start.block());
        cx.decide(block, true) && cx.may_change(f, block)
    });
    carry_out(f, &cfg, &moves);
    !moves.is_empty()
}

/// What goes where.
struct Plan<'a> {
    flow: Flow<'a>,
    edges: &'a Edges,
    uses: &'a Uses,
    /// Where what moved is executed now: blocks, the ends of blocks, and operations.
    blocks: Vec<Option<Place>>,
    tails: Vec<Option<Place>>,
    insts: SideTable<Inst, Option<Place>>,
    /// The blocks at which regions end that moved.
    is_end: Vec<bool>,
    /// The blocks to which an edge leads on which there is a region now.
    is_behind: Vec<bool>,
    /// For each block the number of the last region in which it was, from 1.
    within: Vec<u32>,
    number: u32,
}

impl<'a> Plan<'a> {
    fn new(flow: Flow<'a>, edges: &'a Edges, uses: &'a Uses) -> Self {
        let count = flow.cfg.order().len();
        Plan {
            flow,
            edges,
            uses,
            blocks: vec![None; count],
            tails: vec![None; count],
            insts: SideTable::new(),
            is_end: vec![false; count],
            is_behind: vec![false; count],
            within: vec![0; count],
            number: 0,
        }
    }

    /// What becomes of regions, of which later ones stand before those in front of them, and inner ones before those around.
    fn moves(mut self, regions: &[Region], mut may_move: impl FnMut(Start) -> bool) -> Vec<Move> {
        let mut moves = Vec::new();
        for region in regions {
            self.number += 1;
            for &block in &region.blocks {
                self.within[block as usize] = self.number;
            }
            if let Some((place, to)) = self.target(region)
                && may_move(region.start)
            {
                let pulled = self.leave(region, place);
                self.is_behind[self.edges.target(self.flow, to) as usize] = true;
                let entries = region.entries(self.flow);
                moves.push(Move { start: region.start, entries, end: region.end, to, pulled });
            }
        }
        moves
    }

    /// The edge to which a region goes, if there is one, and from which block it comes, as which of its calls.
    fn target(&self, region: &Region) -> Option<(Place, (u32, u32))> {
        let end = region.end;
        if self.is_end[end as usize]
            || self.blocks[end as usize].is_some()
            || self.has_others_on_its_edges(region)
        {
            return None;
        }
        let mut used: Option<Place> = None;
        for value in self.made(region) {
            for place in self.uses.of(value).filter_map(|site| self.place(site)) {
                used = Some(used.map_or(place, |other| self.edges.common(self.flow, other, place)));
                // Above its end there is nowhere to go.
                if used.is_some_and(|used| !self.flow.dominators.dominates(end, used.block())) {
                    return None;
                }
            }
        }
        let to = self.edges.best(self.flow, used?, end)?;
        let (from, index) = self.edges.call(self.flow, to)?;
        // What moved has left the way from the region to its end.
        let moved = [self.blocks[to.block() as usize], self.blocks[from as usize], self.tails[from as usize]];
        moved.iter().all(Option::is_none).then_some((to, (from, index)))
    }

    /// Whether another region is on an edge by which this one is entered or left: it would come along, and what it makes may be
    /// needed where it is.
    fn has_others_on_its_edges(&self, region: &Region) -> bool {
        let entered = match region.start {
            Start::Loop(header) => self.is_behind[header as usize],
            Start::Branch(_) => false,
        };
        entered || self.is_behind[region.end as usize]
    }

    /// The values that a region makes, those that its end gets included.
    fn made(&self, region: &'a Region) -> impl Iterator<Item = Value> {
        let Flow { f, cfg, .. } = self.flow;
        let inside = region.blocks.iter().filter(|&&block| self.is_inside(block));
        let made = move |&block: &u32| {
            let block = cfg.block(block);
            let results = f.block_insts(block).iter().flat_map(|&inst| f.results(inst));
            f.block_params(block).iter().copied().chain(results)
        };
        inside.flat_map(made).chain(f.block_params(cfg.block(region.end)).iter().copied())
    }

    /// Where a use is, if it is outside of the region at hand.
    fn place(&self, site: Site) -> Option<Place> {
        let block = site.block();
        match self.moved(site) {
            Some(place) => (self.within[place.block() as usize] != self.number).then_some(place),
            None if self.within[block as usize] == self.number => None,
            None => Some(self.edges.place(self.flow, site)),
        }
    }

    /// Where something is executed that moved, perhaps with something around it.
    fn moved(&self, site: Site) -> Option<Place> {
        let block = site.block() as usize;
        let own = match site {
            Site::Inst(_, inst) => self.insts[inst],
            Site::End(_) | Site::Edge(..) => self.tails[block],
        };
        own.or(self.blocks[block]).map(|place| self.now(place))
    }

    /// Where something is executed that went to a place, perhaps with something around that.
    fn now(&self, mut place: Place) -> Place {
        while let Some(next) = self.blocks[place.block() as usize] {
            place = next;
        }
        place
    }

    /// Whether a block is in the region at hand, and did not leave it.
    fn is_inside(&self, block: u32) -> bool {
        let place = self.blocks[block as usize].map_or(block, |place| self.now(place).block());
        self.within[block as usize] == self.number && self.within[place as usize] == self.number
    }

    /// Lets a region go to an edge. The operations that come along.
    fn leave(&mut self, region: &Region, to: Place) -> Vec<Inst> {
        let front = region.front(self.flow);
        let pulled = front.map_or(Vec::new(), |front| self.pulled(front, to));
        let inside: Vec<u32> =
            region.blocks.iter().copied().filter(|&block| self.blocks[block as usize].is_none()).collect();
        for block in inside {
            self.blocks[block as usize] = Some(to);
        }
        if let Some(front) = front {
            self.tails[front as usize] = Some(to);
        }
        self.is_end[region.end as usize] = true;
        pulled
    }

    /// The operations at the end of the block in front of a region that nothing else uses.
    fn pulled(&mut self, front: u32, to: Place) -> Vec<Inst> {
        let Flow { f, world, cfg, .. } = self.flow;
        let mut pulled = Vec::new();
        for &inst in f.block_insts(cfg.block(front)).iter().rev() {
            if self.insts[inst].is_some() || freedom(f, world, inst) == Freedom::Fixed {
                continue;
            }
            let goes = |site: Site| match site {
                Site::Inst(_, user) if self.insts[user].is_some() => self.insts[user] == Some(to),
                Site::End(block) | Site::Edge(block, _) if block == front => true,
                _ => self.place(site).is_none(),
            };
            let mut sites = f.results(inst).flat_map(|value| self.uses.of(value)).peekable();
            if sites.peek().is_some() && sites.all(goes) {
                self.insts[inst] = Some(to);
                pulled.push(inst);
            }
        }
        pulled.reverse();
        pulled
    }
}
