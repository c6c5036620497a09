//! Increment sinking, for `iinc`: counters are counted behind the last use of what they were.
//!
//! `a[i++] = x` counts `i` before the store that needs what it was, so both numbers would have to be kept. Behind the
//! store nobody needs the old one: the new one takes its place, and `iinc` makes it. A sum of a value and a small
//! constant moves down its block behind the last use of the value, as long as nobody needs the sum before that, and
//! the two registers get one slot if they can ([`crate::lower::slots`]).
//!
//! O(operations of the block).

use hashbrown::HashMap;
use planish_ir::liveness::for_each_use;
use planish_ir::{Block, Function, Inst, Value};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use crate::lower::uses::Uses;

/// What counts, and what is counted.
#[derive(Clone, Copy)]
struct Counter {
    /// The sum.
    inst: Inst,
    /// The value that nobody needs any more when the sum is made.
    from: Value,
}

/// Where a block uses a value: the first operation that has it as an operand, and the last one with which it is
/// written. The end of the block counts as an operation behind the others.
#[derive(Clone, Copy)]
struct Span {
    first: usize,
    last: usize,
}

/// The operations of a block in the order in which they are written. Those that count come with the value that nobody
/// needs any more when they are done.
pub fn order(f: &Function, uses: &Uses, block: Block) -> Vec<(Inst, Option<Value>)> {
    let insts = f.block_insts(block);
    let mut counters: Vec<(usize, Counter)> = Vec::new();
    for (at, &inst) in insts.iter().enumerate() {
        counters.extend(counter(f, uses, block, inst).map(|counter| (at, counter)));
    }
    if counters.is_empty() {
        return insts.iter().map(|&inst| (inst, None)).collect();
    }
    let spans = spans(f, uses, block);
    let mut counted: Vec<Option<Value>> = vec![None; insts.len()];
    // The operation behind which one goes, and its place.
    let mut moved: Vec<(usize, usize)> = Vec::new();
    for (at, Counter { inst, from }) in counters {
        let last = spans.get(&from).map_or(at, |span| span.last.max(at));
        let first = spans.get(&f.result(inst)).map_or(insts.len() + 1, |span| span.first);
        if last < first && last < insts.len() {
            counted[at] = Some(from);
            moved.extend((last > at).then_some((last, at)));
        }
    }
    moved.sort_unstable();
    let mut order = Vec::with_capacity(insts.len());
    let mut is_moved = vec![false; insts.len()];
    moved.iter().for_each(|&(_, at)| is_moved[at] = true);
    let mut next = moved.iter().peekable();
    for at in 0..insts.len() {
        if !is_moved[at] {
            order.push((insts[at], counted[at]));
        }
        while let Some(&(_, at)) = next.next_if(|(behind, _)| *behind == at) {
            order.push((insts[at], counted[at]));
        }
    }
    order
}

/// Whether an operation may count: it adds a small constant to a value that nothing outside of the block uses, and the
/// sum has a register.
fn counter(f: &Function, uses: &Uses, block: Block, inst: Inst) -> Option<Counter> {
    if !matches!(f.inst(inst).op, Op::Add | Op::Sub) || !uses.is_root(f, inst) {
        return None;
    }
    let &[from, by] = f.args(inst) else { return None };
    let is_small =
        f.int_constant(by).is_some_and(|by| i16::try_from(by.signed()).is_ok_and(|by| by > i16::MIN));
    let is_kept = f.constant(from).is_none() && uses.only_in(from, block) && uses.deferred(f, from).is_none();
    (is_small && is_kept && f.ty(from) == Type::I32).then_some(Counter { inst, from })
}

/// Where a block uses values.
fn spans(f: &Function, uses: &Uses, block: Block) -> HashMap<Value, Span, FxBuildHasher> {
    let insts = f.block_insts(block);
    let start = insts.first().map_or(0, |&first| uses.place(first));
    // Where each operation is written: some are where their result is used.
    let mut written = vec![insts.len(); insts.len()];
    for (at, &inst) in insts.iter().enumerate().rev() {
        if uses.is_root(f, inst) {
            written[at] = at;
        } else if uses.is_needed(inst)
            && let Some(user) = f.results(inst).next().and_then(|result| uses.user(result))
        {
            written[at] = written[(uses.place(user) - start) as usize];
        }
    }
    let mut spans: HashMap<Value, Span, FxBuildHasher> = HashMap::default();
    for_each_use(f, block, |position, value| {
        let at = position as usize - 1;
        let last = written.get(at).copied().unwrap_or(at);
        if insts.get(at).is_none_or(|&inst| uses.is_needed(inst)) {
            let span = spans.entry(value).or_insert(Span { first: at, last });
            span.last = span.last.max(last);
        }
    });
    spans
}
