//! Guards over one index imply each other.
//!
//! Of two guards that compare the same index, so many iterations apart, with the same bound, the one that asks for
//! more is enough. It takes the place of the first, and its exit. Where user code checks an index against a bound
//! that does not change in the loop, and another guard against another bound, the bounds can be compared once,
//! before the loop.

use hashbrown::{HashMap, HashSet};
use planish_base::diag::Span;
use rustc_hash::FxBuildHasher;

use super::Loop;
use super::index::{Indices, Linear};
use super::instr::{Instr, Renaming, renamed};
use crate::opcode::{Kind, Opcode};
use crate::text::{Arg, Var};

/// What is written for the guard at a place; nothing for one that another implies.
type Instead = HashMap<usize, Option<Guard>, FxBuildHasher>;

/// A guard that looks at a comparison.
#[derive(Clone)]
struct Guard {
    /// Where it stands.
    at: usize,
    guard: Instr,
    comparison: Instr,
    left: Linear,
    right: Linear,
}

impl Guard {
    /// The guard at a place, if it looks at an ordering of integers.
    fn of(ops: &[Instr], at: usize, indices: &Indices) -> Option<Guard> {
        let guard = ops[at].clone();
        if !matches!(guard.name(), "guard_true" | "guard_false") {
            return None;
        }
        let condition = guard.args[0];
        let comparison =
            ops[..at].iter().rev().find(|op| op.result.map(Arg::Var) == Some(condition))?.clone();
        matches!(comparison.name(), "int_lt" | "int_le" | "int_gt" | "int_ge").then(|| {
            let (left, right) = (indices.linear(comparison.args[0]), indices.linear(comparison.args[1]));
            Guard { at, guard, comparison, left, right }
        })
    }

    /// Whether the left side must be small where the guard passes.
    fn wants_small(&self) -> bool {
        matches!(self.comparison.name(), "int_lt" | "int_le") == (self.guard.name() == "guard_true")
    }

    /// Whether it passes only where another one of the same kind does.
    fn implies(&self, other: &Guard) -> bool {
        if self.guard.opcode != other.guard.opcode || self.comparison.opcode != other.comparison.opcode {
            return false;
        }
        let difference = |a: &Linear, b: &Linear| match (a.base, b.base) {
            (Arg::Int(a), Arg::Int(b)) => a.checked_sub(b),
            _ => a.minus(b),
        };
        let (Some(left), Some(right)) =
            (difference(&self.left, &other.left), difference(&self.right, &other.right))
        else {
            return false;
        };
        if self.wants_small() { left >= 0 && right <= 0 } else { left <= 0 && right >= 0 }
    }

    /// The comparison of bounds that makes another guard needless behind this one: where this one holds the
    /// index on one side of its bound, the other's bound is no farther.
    fn bounds(&self, other: &Guard) -> Option<&'static str> {
        let invariant = matches!(self.right.base, Arg::Int(_)) || self.right.is_base();
        if self.guard.opcode != other.guard.opcode
            || self.comparison.opcode != other.comparison.opcode
            || !invariant
            || self.guard.name() != "guard_true"
        {
            return None;
        }
        let farther = other.left.minus(&self.left)?;
        match self.comparison.name() {
            "int_lt" | "int_le" if farther <= 0 => Some("int_le"),
            "int_gt" | "int_ge" if farther >= 0 => Some("int_ge"),
            _ => None,
        }
    }
}

/// Strengthens the guards of a loop whose indices are known; `bounds` compares bounds before the loop.
pub(super) fn strengthen(loop_: &mut Loop, indices: &Indices, bounds: bool) {
    let mut instead = Instead::default();
    let mut strongest: Vec<(Arg, Vec<Guard>)> = Vec::new();
    for at in 0..loop_.ops.len() {
        let Some(mut guard) = Guard::of(&loop_.ops, at, indices) else { continue };
        let key = guard.left.base;
        let place = strongest.iter().position(|(base, _)| *base == key).unwrap_or_else(|| {
            strongest.push((key, Vec::new()));
            strongest.len() - 1
        });
        let others = &mut strongest[place].1;
        let mut replaced = false;
        for other in others.iter_mut() {
            if guard.implies(other) {
                instead.insert(guard.at, None);
                guard.at = other.at;
                guard.guard.fail.clone_from(&other.guard.fail);
                guard.guard.early = other.guard.early;
                guard.guard.descr = other.guard.descr;
                instead.insert(guard.at, Some(guard.clone()));
                *other = guard.clone();
                replaced = true;
            } else if other.implies(&guard) {
                instead.insert(guard.at, None);
                replaced = true;
            }
        }
        if !replaced {
            others.push(guard);
        }
    }
    let mut prefix = Vec::new();
    if bounds {
        for (_, guards) in &strongest {
            for other in guards.iter().skip(1) {
                let one = &guards[0];
                if let Some(name) = one.bounds(other)
                    && is_invariant(loop_, one.right.base)
                    && is_invariant(loop_, other.right.base)
                {
                    compare_bounds(loop_, one, other, name, &mut prefix);
                    instead.insert(other.at, None);
                }
            }
        }
    }
    write(loop_, indices, &instead);
    loop_.prefix.append(&mut prefix);
}

/// Whether a value is the same in every iteration.
fn is_invariant(loop_: &Loop, arg: Arg) -> bool {
    let passed = |(param, passed): (&Arg, &Arg)| *param == arg && passed == param;
    !matches!(arg, Arg::Var(_)) || loop_.label.iter().zip(&loop_.jump.args).any(passed)
}

/// Writes the comparison of the bounds of two guards.
fn compare_bounds(loop_: &mut Loop, one: &Guard, other: &Guard, name: &str, prefix: &mut Vec<Instr>) {
    let side = |loop_: &mut Loop, linear: &Linear, prefix: &mut Vec<Instr>| {
        let ops = linear.operations(loop_, one.guard.span);
        let last = ops.last().and_then(|op| op.result).map_or(linear.base, Arg::Var);
        prefix.extend(ops);
        last
    };
    let sides = vec![side(loop_, &one.right, prefix), side(loop_, &other.right, prefix)];
    let result = loop_.fresh(Kind::Int);
    prefix.push(Instr::new(name, sides, Some(result), one.guard.span));
    let mut guard = Instr { args: vec![Arg::Var(result)], ..one.guard.clone() };
    // Before the loop there is only what its label has.
    if guard.fail.iter().flatten().any(|arg| matches!(arg, Arg::Var(_)) && !loop_.label.contains(arg)) {
        guard.fail = Some(loop_.label.clone());
    }
    prefix.push(guard);
}

/// A loop that is written anew.
#[derive(Default)]
struct Writing {
    out: Vec<Instr>,
    renaming: Renaming,
    /// The indices that are written, by the operations that made them.
    made: HashMap<(Opcode, Vec<Arg>), Var, FxBuildHasher>,
}

impl Writing {
    /// Writes an index from its base, once.
    fn index(&mut self, loop_: &mut Loop, linear: &Linear, span: Span) -> Arg {
        let mut value = renamed(linear.base, &self.renaming);
        for mut op in linear.operations(loop_, span) {
            let Some(result) = op.result else { continue };
            op.rename(&self.renaming);
            let made = self.made.entry((op.opcode, op.args.clone())).or_insert_with(|| {
                self.out.push(op);
                result
            });
            value = Arg::Var(*made);
            self.renaming.insert(result, value);
        }
        value
    }
}

/// Writes the loop anew: the guards that are left, and indices from their bases.
fn write(loop_: &mut Loop, indices: &Indices, instead: &Instead) {
    let ops = std::mem::take(&mut loop_.ops);
    let unused = unused_conditions(&ops, instead);
    let mut writing = Writing::default();
    for (at, op) in ops.into_iter().enumerate() {
        match instead.get(&at) {
            Some(None) => {}
            Some(Some(guard)) => {
                let mut comparison = guard.comparison.clone();
                comparison.args = vec![
                    writing.index(loop_, &guard.left, op.span),
                    writing.index(loop_, &guard.right, op.span),
                ];
                let result = loop_.fresh(Kind::Int);
                comparison.result = Some(result);
                writing.out.push(comparison);
                let mut guard = guard.guard.clone();
                guard.rename(&writing.renaming);
                guard.args = vec![Arg::Var(result)];
                writing.out.push(guard);
            }
            None if unused[at] => {}
            None => match op.result.and_then(|result| indices.get(result).map(|linear| (result, *linear))) {
                Some((result, linear)) => {
                    let value = writing.index(loop_, &linear, op.span);
                    writing.renaming.insert(result, value);
                }
                None => {
                    let mut op = op;
                    op.rename(&writing.renaming);
                    writing.out.push(op);
                }
            },
        }
    }
    loop_.jump.rename(&writing.renaming);
    loop_.ops = writing.out;
}

/// Which operations are comparisons that only guards look at that are no more.
fn unused_conditions(ops: &[Instr], instead: &Instead) -> Vec<bool> {
    let mut needed: HashSet<Var, FxBuildHasher> = HashSet::default();
    let mut unused = vec![false; ops.len()];
    for (at, op) in ops.iter().enumerate().rev() {
        let compares = matches!(op.name(), "int_lt" | "int_le" | "int_gt" | "int_ge");
        unused[at] = compares && op.result.is_some_and(|result| !needed.contains(&result));
        if !instead.contains_key(&at) {
            needed.extend(op.uses());
        }
    }
    unused
}
