//! V14: promises about the shape of control flow.
//!
//! The structured form is checked by reduction, innermost constructs first: a block takes in a successor
//! that has no other predecessor, a loop to itself vanishes, the arms of a branch or switch are taken in
//! when they meet in one block. Control flow nests exactly if one block without successors remains.
//! Blocks are tried once each, from the last in reverse postorder to the first: whatever can be taken
//! in by a block lies behind it. O(blocks + edges).

use super::{Invariant, Verifier};
use crate::cfg::Cfg;
use crate::function::{ExitTarget, Form, Terminator};

impl Verifier<'_> {
    pub(super) fn form(&mut self, form: Form) {
        match form {
            Form::Cfg => {}
            Form::Trace => self.trace(),
            Form::Structured => self.structured(),
        }
    }

    fn trace(&mut self) {
        let f = self.f;
        for (position, &block) in f.blocks().iter().enumerate() {
            self.block = Some(block);
            match (f.terminator(block), f.blocks().get(position + 1)) {
                (Terminator::Jump(call), Some(next)) if call.block == *next => {}
                (_, Some(_)) => self.report(Invariant::Form, "a block of a trace goes on at the next one"),
                (Terminator::Branch { .. } | Terminator::Switch { .. }, None) => {
                    self.report(Invariant::Form, "a trace does not branch");
                }
                (_, None) => {}
            }
            for &inst in f.block_insts(block) {
                let exit = f.inst(inst).exit.map(|exit| &f.exit(exit).target);
                if matches!(exit, Some(ExitTarget::To(_))) {
                    self.inst = Some(inst);
                    self.report(Invariant::Form, "an operation of a trace leaves it");
                    self.inst = None;
                }
            }
        }
        self.block = None;
    }

    fn structured(&mut self) {
        let cfg = Cfg::new(self.f);
        let count = cfg.order().len();
        let mut succs: Vec<Vec<u32>> = (0..count as u32).map(|at| cfg.succs().of(at).to_vec()).collect();
        // How many edges go to a vertex; the entry has one more, from outside.
        let mut arriving: Vec<u32> = (0..count as u32).map(|at| cfg.preds().of(at).len() as u32).collect();
        arriving[0] += 1;
        for at in (0..count as u32).rev() {
            while reduce(at, &mut succs, &mut arriving) {}
        }
        if !succs[0].is_empty() {
            // The last vertex that is left lies deepest.
            let left = |at: &u32| arriving[*at as usize] > 0 && !succs[*at as usize].is_empty();
            self.block = (0..count as u32).rev().find(left).map(|at| cfg.block(at));
            self.report(Invariant::Form, "control flow does not nest here");
        }
        for (number, &block) in cfg.order().iter().enumerate() {
            self.block = Some(block);
            if self.f.handlers(block).next().is_some() {
                self.report(Invariant::Form, "an exit to a handler does not nest");
            }
            // The entry takes in everything else; only it may end without a successor.
            debug_assert!(number == 0 || !succs[0].is_empty() || arriving[number] == 0);
        }
        self.block = None;
    }
}

/// Takes in what follows a vertex, if it nests; whether something changed. What was taken in has no
/// edges any more.
fn reduce(at: u32, succs: &mut [Vec<u32>], arriving: &mut [u32]) -> bool {
    let mut list = std::mem::take(&mut succs[at as usize]);
    let edges = list.len();
    list.retain(|&to| to != at);
    let loops = edges - list.len();
    arriving[at as usize] -= loops as u32;
    if loops > 0 {
        succs[at as usize] = list;
        return true;
    }
    let Some(&first) = list.first() else { return false };
    if list.iter().all(|&to| to == first) {
        arriving[first as usize] -= list.len() as u32 - 1;
        if arriving[first as usize] == 1 {
            arriving[first as usize] = 0;
            succs[at as usize] = std::mem::take(&mut succs[first as usize]);
            return true;
        }
        succs[at as usize] = vec![first];
        return false;
    }
    list.sort_unstable();
    let Some(join) = meeting(&list, succs, arriving) else {
        succs[at as usize] = list;
        return false;
    };
    for &to in &list {
        // Each edge to an arm or to the join itself goes; an arm takes its own edges with it.
        arriving[to as usize] -= 1;
        if to != join && arriving[to as usize] == 0 {
            arriving[join as usize] -= std::mem::take(&mut succs[to as usize]).len() as u32;
        }
    }
    arriving[join as usize] += 1;
    succs[at as usize] = vec![join];
    true
}

/// Where all targets of a sorted list meet: each is an arm, reached from here only and going on at one
/// place, or that place itself.
fn meeting(list: &[u32], succs: &[Vec<u32>], arriving: &[u32]) -> Option<u32> {
    let mut join = None;
    for edges in list.chunk_by(|a, b| a == b) {
        let target = edges[0];
        let place = if arriving[target as usize] == edges.len() as u32 {
            let (&place, rest) = succs[target as usize].split_first()?;
            if rest.iter().any(|&other| other != place) {
                return None;
            }
            place
        } else {
            target
        };
        if *join.get_or_insert(place) != place {
            return None;
        }
    }
    join
}
