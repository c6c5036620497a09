//! Putting operations in order, packs at once and arithmetic when it is needed.
//!
//! What nothing is left to come before is ready; of that, guards come first, then arithmetic on scalars, then all
//! else, in the order of the source. A pack is ready when all of it is. Arithmetic is not written when it is ready but when something
//! written needs it, so that what only counted iterations goes; and an index is not counted up from the
//! iteration before but computed from its base, or taken from an equal one that is there.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::graph::{Edge, Graph, is_pure};
use super::index::Linear;
use super::instr::{Instr, Renaming};
use super::lanes::Lanes;
use super::packs::Pack;
use super::shape::Item;
use super::{Loop, Refused, refused};
use crate::text::{Arg, Text, Texts, Var};

/// Orders the operations of a loop.
pub(super) struct Scheduler<'a> {
    pub(super) loop_: &'a mut Loop,
    pub(super) graph: Graph,
    pub(super) texts: &'a mut Texts,
    pub(super) item: &'a dyn Fn(Text) -> Option<Item>,
    pub(super) packs: Vec<Pack>,
    /// For each node the pack that it is in.
    pub(super) pack_of: Vec<Option<usize>>,
    done: Vec<bool>,
    /// What is ready; the last comes next.
    ready: Vec<usize>,
    /// Arithmetic that nothing needed yet, in the order of the source.
    waiting: Vec<usize>,
    /// The values that are there.
    pub(super) there: HashSet<Var, FxBuildHasher>,
    pub(super) renaming: Renaming,
    /// What was written.
    pub(super) out: Vec<Instr>,
    pub(super) lanes: Lanes,
}

impl<'a> Scheduler<'a> {
    /// A schedule of a loop whose dependences are known.
    pub fn new(
        loop_: &'a mut Loop,
        graph: Graph,
        packs: Vec<Pack>,
        texts: &'a mut Texts,
        item: &'a dyn Fn(Text) -> Option<Item>,
        narrow: bool,
    ) -> Self {
        let mut pack_of = vec![None; graph.nodes.len()];
        for (number, pack) in packs.iter().enumerate() {
            pack.nodes.iter().for_each(|&node| pack_of[node] = Some(number));
        }
        let mut there: HashSet<Var, FxBuildHasher> = HashSet::default();
        let carried = loop_.carried.iter().flatten();
        there.extend(loop_.label.iter().chain(carried).filter_map(var));
        let count = graph.nodes.len();
        Scheduler {
            loop_,
            graph,
            texts,
            item,
            packs,
            pack_of,
            done: vec![false; count],
            ready: Vec::new(),
            waiting: Vec::new(),
            there,
            renaming: Renaming::default(),
            out: Vec::new(),
            lanes: Lanes::new(narrow),
        }
    }

    /// Orders the whole loop. O(n) for the order, O(n^2) at worst for arithmetic that waits.
    pub fn run(&mut self) -> Result<(), Refused> {
        self.prepare_sums()?;
        let mut ready: Vec<usize> =
            (0..self.graph.nodes.len()).rev().filter(|&node| self.graph.is_free(node)).collect();
        ready.sort_by_key(|&node| self.priority(node));
        self.ready = ready;
        while !self.ready.is_empty() {
            if let Some(node) = self.next() {
                self.write(node)?;
            } else if !self.ready.is_empty() && !self.drop_a_pack() {
                return refused("packs depend on each other");
            }
        }
        let mut jump = self.loop_.jump.clone();
        self.finish(&mut jump)?;
        self.loop_.jump = jump;
        self.loop_.ops = std::mem::take(&mut self.out);
        self.lanes.leave(self.loop_);
        Ok(())
    }

    /// The next node of which everything is ready.
    fn next(&mut self) -> Option<usize> {
        let mut visited = 0;
        while visited < self.ready.len() {
            let node = self.ready.pop()?;
            if self.done[node] {
                continue;
            }
            if !self.is_blocked(node) {
                return Some(node);
            }
            self.ready.insert(0, node);
            visited += 1;
        }
        None
    }

    /// Whether something of the pack of a node is not ready.
    fn is_blocked(&self, node: usize) -> bool {
        let Some(number) = self.pack_of[node] else { return false };
        let pack = &self.packs[number];
        let inside = |edge: &Edge| {
            self.pack_of[edge.from] == Some(number)
                && (pack.sums.is_some() || pack.given || self.graph.is_order(edge))
        };
        pack.nodes.iter().any(|&member| self.graph.depends(member).any(|edge| !inside(edge)))
    }

    /// Gives up a pack that something else stands in the way of.
    fn drop_a_pack(&mut self) -> bool {
        let blocked = self.ready.iter().find_map(|&node| self.pack_of[node]);
        let Some(number) = blocked else { return false };
        let pack = &self.packs[number];
        if pack.sums.is_some() || pack.nodes.iter().all(|&node| self.graph.is_free(node)) {
            return false;
        }
        pack.nodes.iter().for_each(|&node| self.pack_of[node] = None);
        true
    }

    /// Writes a node, or its pack, or lets it wait.
    fn write(&mut self, node: usize) -> Result<(), Refused> {
        if let Some(number) = self.pack_of[node] {
            let pack = self.packs[number].clone();
            let left = self.loop_.ops[pack.nodes[0]].clone();
            self.need(&left)?;
            pack.nodes.iter().for_each(|&member| self.mark(member));
            return self.write_pack(&pack);
        }
        self.mark(node);
        let Some(op) = self.loop_.ops.get(node).cloned() else { return Ok(()) };
        if is_pure(op.opcode) {
            let place = self.waiting.partition_point(|&other| other < node);
            self.waiting.insert(place, node);
            return Ok(());
        }
        self.need(&op)?;
        self.append(op)
    }

    /// A node is done: what waited for nothing else is ready.
    fn mark(&mut self, node: usize) {
        self.done[node] = true;
        let targets: Vec<usize> = self.graph.provides(node).map(|edge| edge.to).collect();
        for target in targets {
            self.graph.remove_edge(node, target);
            if self.done[target] || !self.graph.is_free(target) {
                continue;
            }
            let priority = |node: usize| self.priority(node);
            let behind = |&current: &usize| {
                priority(current) < priority(target)
                    || priority(current) == priority(target) && target < current
            };
            let place = self.ready.iter().rposition(behind).map_or(0, |place| place + 1);
            self.ready.insert(place, target);
        }
    }

    /// What is ready and has more of it comes first: guards, then arithmetic on scalars, which only waits.
    fn priority(&self, node: usize) -> i32 {
        let waits =
            self.pack_of[node].is_none() && self.loop_.ops.get(node).is_some_and(|op| is_pure(op.opcode));
        if waits { 1 } else { self.graph.nodes[node].priority }
    }

    /// Writes the arithmetic that an operation needs and that was waiting.
    pub(super) fn need(&mut self, op: &Instr) -> Result<(), Refused> {
        let missing = |state: &Self, var: &Var| match state.renaming.get(var) {
            Some(Arg::Var(other)) => !state.there.contains(other),
            Some(_) => false,
            None => !state.there.contains(var),
        };
        let mut needed: HashSet<Var, FxBuildHasher> = op.uses().filter(|var| missing(self, var)).collect();
        let mut found = Vec::new();
        let mut at = self.waiting.len();
        while at > 0 && !needed.is_empty() {
            at -= 1;
            let node = self.waiting[at];
            let op = self.loop_.ops[node].clone();
            let Some(result) = op.result.filter(|result| needed.remove(result)) else { continue };
            self.waiting.remove(at);
            match self.graph.indices.get(result).copied() {
                Some(index) if self.can_compute(&index) => self.write_index(op, result, index)?,
                _ => {
                    needed.extend(op.uses().filter(|var| missing(self, var)));
                    found.push(op);
                }
            }
        }
        found.into_iter().rev().try_for_each(|op| self.append(op))
    }

    fn can_compute(&self, index: &Linear) -> bool {
        match index.base {
            Arg::Var(base) => self.there.contains(&base),
            _ => false,
        }
    }

    /// Writes an index in the shortest way.
    fn write_index(&mut self, op: Instr, result: Var, index: Linear) -> Result<(), Refused> {
        let is_equal = |(var, other): &&(Var, Linear)| *other == index && self.there.contains(var);
        if let Some(&(equal, _)) = self.graph.indices.iter().find(is_equal) {
            self.renaming.insert(result, Arg::Var(equal));
            return Ok(());
        }
        if index.is_base() {
            self.renaming.insert(result, index.base);
            return Ok(());
        }
        if index.is_made_by(&op) {
            return self.append(op);
        }
        let mut last = result;
        for op in index.operations(self.loop_, op.span) {
            last = op.result.unwrap_or(last);
            self.append(op)?;
        }
        self.graph.indices.insert(last, index);
        self.renaming.insert(result, Arg::Var(last));
        Ok(())
    }

    /// Writes an operation on scalars, whose operands are there or lanes of vectors.
    pub(super) fn append(&mut self, mut op: Instr) -> Result<(), Refused> {
        self.finish(&mut op)?;
        self.there.extend(op.result);
        self.out.push(op);
        Ok(())
    }

    /// Makes the operands of an operation what stands for them now.
    fn finish(&mut self, op: &mut Instr) -> Result<(), Refused> {
        self.need(op)?;
        op.rename(&self.renaming);
        let args = op.args.iter_mut().chain(op.fail.iter_mut().flatten());
        for arg in args {
            *arg = self.scalar(*arg)?;
        }
        Ok(())
    }
}

fn var(arg: &Arg) -> Option<Var> {
    if let Arg::Var(var) = arg { Some(*var) } else { None }
}
