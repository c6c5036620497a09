//! Packs: operations of one kind, independent of each other, that one operation on vectors does.
//!
//! They begin as pairs of accesses to neighbouring items and are extended to what uses the values of both halves
//! and what computes the operands of both. Pairs where one ends with what the other begins with are joined; what
//! is larger than a register is divided, what does not fill one is left to scalars.
//!
//! A chain of sums, each of which adds a lane to the one before, is a pack too: the lanes of its accumulator are
//! added up when the loop is left.

use super::graph::Graph;
use super::instr::Instr;
use super::shape::{self, Item, REGISTER, on_vectors};
use super::{Loop, Refused, refused};
use crate::text::{Arg, Text};

/// Operations that one operation on vectors does, in the order of its lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Pack {
    pub nodes: Vec<usize>,
    /// The operand through which results go on to the next, if they do.
    pub sums: Option<usize>,
    /// Whether somebody else answers for that they are independent.
    pub given: bool,
}

impl Pack {
    /// Operations that are independent, or are said to be.
    pub fn of(nodes: Vec<usize>, given: bool) -> Pack {
        Pack { nodes, sums: None, given }
    }

    fn left(&self) -> usize {
        self.nodes[0]
    }

    fn right(&self) -> usize {
        self.nodes[self.nodes.len() - 1]
    }

    /// By how many bytes the lanes are more than a register.
    fn surplus(&self, loop_: &Loop, item: &dyn Fn(Text) -> Option<Item>) -> isize {
        let op = &loop_.ops[self.left()];
        let count = self.nodes.len();
        let (bytes, room) = match shape::cast(op, &loop_.shapes) {
            Some((from, to)) if to <= from => {
                (from, shape::lanes_of_cast(op, (from, to)) * usize::from(from))
            }
            Some((_, to)) => (to, REGISTER),
            None => (lane_bytes(op, loop_, item), REGISTER),
        };
        (usize::from(bytes) * count) as isize - room as isize
    }

    /// How many operations one operation on vectors does.
    fn room(&self, loop_: &Loop, item: &dyn Fn(Text) -> Option<Item>) -> usize {
        let op = &loop_.ops[self.left()];
        match shape::cast(op, &loop_.shapes) {
            Some((from, to)) if to <= from => shape::lanes_of_cast(op, (from, to)),
            Some((_, to)) => REGISTER / usize::from(to),
            None => REGISTER / usize::from(lane_bytes(op, loop_, item)),
        }
    }
}

/// The bytes of a lane that an operation works on, no conversion.
fn lane_bytes(op: &Instr, loop_: &Loop, item: &dyn Fn(Text) -> Option<Item>) -> u8 {
    if let Some(item) = op.descr.filter(|_| shape::access(op.opcode).is_some()).and_then(item) {
        return item.bytes;
    }
    let value = op.result.map(Arg::Var).or(op.args.first().copied());
    match value {
        Some(Arg::Var(var)) => loop_.shapes[var].map_or(8, |shape| shape.bytes),
        _ => 8,
    }
}

/// The packs of an unrolled loop; none where it was not unrolled often enough for any to fill a register.
pub(super) fn find(
    loop_: &Loop,
    graph: &Graph,
    item: &dyn Fn(Text) -> Option<Item>,
) -> Result<Vec<Pack>, Refused> {
    let mut set = Set { loop_, graph, packs: Vec::new() };
    set.begin()?;
    set.extend()?;
    if set.packs.is_empty() {
        return refused("no two iterations access neighbouring items");
    }
    set.join();
    Ok(divide(set.packs, loop_, item))
}

/// Divides what is larger than a register and drops what does not fill one.
pub(super) fn divide(packs: Vec<Pack>, loop_: &Loop, item: &dyn Fn(Text) -> Option<Item>) -> Vec<Pack> {
    let mut whole = Vec::new();
    let mut parts = Vec::new();
    for mut pack in packs {
        if pack.surplus(loop_, item) < 0 {
            continue;
        }
        let mut first = true;
        loop {
            let rest = match pack.surplus(loop_, item) > 0 {
                true => pack.nodes.split_off(pack.room(loop_, item)),
                false => Vec::new(),
            };
            let Pack { sums, given, .. } = pack;
            if first {
                whole.push(pack)
            } else {
                parts.push(pack)
            };
            first = false;
            pack = Pack { nodes: rest, sums, given };
            if pack.nodes.is_empty() || pack.surplus(loop_, item) < 0 {
                break;
            }
        }
    }
    whole.append(&mut parts);
    whole
}

struct Set<'a> {
    loop_: &'a Loop,
    graph: &'a Graph,
    packs: Vec<Pack>,
}

/// Where a pair was found.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Found {
    /// As neighbouring items.
    Neighbours,
    /// From the operations that compute what a pair needs.
    Forward,
    /// From those that need what a pair computes.
    Backward,
}

impl Set<'_> {
    fn op(&self, node: usize) -> &Instr {
        &self.loop_.ops[node]
    }

    fn begin(&mut self) -> Result<(), Refused> {
        let accesses: Vec<usize> =
            (0..self.loop_.ops.len()).filter(|&node| self.graph.nodes[node].memory.is_some()).collect();
        for &a in &accesses {
            for &b in &accesses {
                let memory = |node: usize| self.graph.nodes[node].memory.as_ref();
                let (Some(left), Some(right)) = (memory(a), memory(b)) else { continue };
                if a != b && left.is_before(right) {
                    let pair = self.pair(a, b, None, Found::Neighbours)?;
                    self.packs.extend(pair);
                }
            }
        }
        Ok(())
    }

    /// Follows values from pairs forward until nothing is found, then backward, and so on.
    fn extend(&mut self) -> Result<(), Refused> {
        loop {
            let before = self.packs.len();
            self.follow(Found::Forward)?;
            if self.packs.len() == before {
                self.follow(Found::Backward)?;
                if self.packs.len() == before {
                    return Ok(());
                }
            }
        }
    }

    fn follow(&mut self, direction: Found) -> Result<(), Refused> {
        let mut at = 0;
        while at < self.packs.len() {
            let pack = self.packs[at].clone();
            at += 1;
            let beside = |node: usize| -> Vec<usize> {
                match direction {
                    Found::Forward => self.graph.provides(node).map(|edge| edge.to).collect(),
                    _ => self.graph.depends(node).map(|edge| edge.from).collect(),
                }
            };
            let (lefts, rights) = (beside(pack.left()), beside(pack.right()));
            for &left in &lefts {
                for &right in &rights {
                    let (user, used) = match direction {
                        Found::Forward => (left, pack.left()),
                        _ => (pack.left(), left),
                    };
                    let value = self.op(used).result.map(Arg::Var);
                    let uses = value.is_some_and(|value| self.op(user).args.contains(&value));
                    if uses && left < right {
                        let pair = self.pair(left, right, Some(&pack), direction)?;
                        self.packs.extend(pair);
                    }
                }
            }
        }
        Ok(())
    }

    /// Two operations as a pair, if they can be one.
    fn pair(
        &self,
        left: usize,
        right: usize,
        origin: Option<&Pack>,
        found: Found,
    ) -> Result<Option<Pack>, Refused> {
        if self.op(left).opcode != self.op(right).opcode {
            return Ok(None);
        }
        let known = self.packs.iter().any(|pack| pack.left() == left || pack.right() == right);
        if self.graph.independent(left, right) {
            if found == Found::Forward && origin.is_some_and(|origin| origin.sums.is_some()) {
                return refused("a sum over the iterations is used before its end");
            }
            let suits = |packed: usize, node: usize| !self.prohibited(packed, self.op(node), found);
            let suits =
                origin.is_none_or(|origin| suits(origin.left(), left) && suits(origin.right(), right));
            return Ok((suits && !known).then(|| Pack::of(vec![left, right], false)));
        }
        Ok(origin.filter(|_| !known).and_then(|origin| self.sum(left, right, origin)))
    }

    /// Whether an operation does not come into a pack because of one that is in it.
    fn prohibited(&self, packed: usize, op: &Instr, found: Found) -> bool {
        if on_vectors(op.opcode).is_none() {
            return true;
        }
        let packed = self.op(packed);
        // An index stays a scalar.
        let index = shape::access(packed.opcode).is_some() && op.result.map(Arg::Var) == Some(packed.args[1]);
        // Seen from its users, the width that it extends from is not known.
        index || (found == Found::Backward && op.name() == "int_signext")
    }

    /// Two sums, of which the second goes on from the first, over the lanes of a pair.
    fn sum(&self, left: usize, right: usize, origin: &Pack) -> Option<Pack> {
        let (first, second) = (self.op(left), self.op(right));
        if !matches!(first.name(), "int_add" | "float_add" | "float_mul") {
            return None;
        }
        let result = first.result?;
        let sums = second.args.iter().position(|&arg| arg == Arg::Var(result))?;
        let only = self.graph.provides(left).find(|edge| edge.to == right)?;
        let lane = |node: usize| self.op(node).result.map(Arg::Var);
        let other = 1 - sums;
        let wide =
            |op: &Instr| op.result.and_then(|var| self.loop_.shapes[var]).is_some_and(|s| s.bytes == 8);
        let fits = only.is_because_of(Arg::Var(result))
            && Some(first.args[other]) == lane(origin.left())
            && Some(second.args[other]) == lane(origin.right())
            && wide(first)
            && wide(second);
        fits.then(|| Pack { nodes: vec![left, right], sums: Some(sums), given: false })
    }

    /// Joins packs of which one ends with what another begins with.
    fn join(&mut self) {
        loop {
            let before = self.packs.len();
            let (mut i, mut j) = (0, 0);
            while i < self.packs.len() {
                while j < self.packs.len() && i < self.packs.len() {
                    let (a, b) = (&self.packs[i], &self.packs[j]);
                    if i != j && a.right() == b.left() && (a.sums.is_none() || a.sums == b.sums) {
                        let rest = self.packs.remove(j).nodes;
                        i -= usize::from(j < i);
                        self.packs[i].nodes.extend(&rest[1..]);
                    } else {
                        j += 1;
                    }
                }
                i += 1;
                j = 0;
            }
            if self.packs.len() == before {
                return;
            }
        }
    }
}
