//! Bit idioms (Warren, "Hacker's Delight", 2012; LLVM's `recognizeBSwapOrBitReverseIdiom` and the combination of loads in its
//! AggressiveInstCombine): what shifts, masks and ors put together bit by bit is one operation.
//!
//! ```text
//! a = lshift(x, 8)                         p: i8 = raw_load(v, 0)          r: i16 = raw_load(v, 0)
//! b = urshift(x, 8)       (i16)            q: i8 = raw_load(v, 1)
//! r = or(a, b)                             ... or(zext(p), lshift(zext(q), 8))
//! becomes   r = bswap(x)                   becomes
//! ```
//!
//! Of what is put together by `or`, `add` or `xor` it is found where each of its bits is from: a bit of a value that is not looked
//! into, or nowhere, then it is zero (`origins`). If they are those of one word in another order, it is a rotation or the
//! bytes of that word swapped. If they are loaded from bytes that follow each other, it is one wide load, and the bytes are
//! swapped if they follow each other the other way around; between the loads nothing may write there, and the world has to
//! have a location for the wide word. Two shifts by amounts that are not known are a rotation (`rotations`) if one is the width less the
//! other. The number of one bits, as it is added up in parts (`ones`), is a `popcount`.
//!
//! Where an operation cannot be written, or all that is for the result alone costs no more, nothing is done. What is for one
//! result is looked at once, with at most `MOST` operations: O(size).

pub(super) mod loads;
mod ones;
pub(super) mod origins;
mod rotations;

use planish_base::SideTable;
use planish_ir::{Block, Function, Inst, Value};
use planish_ops::{Op, Type};
use planish_pass::{Became, Change, Example, FunctionPass, PassCx, PassInfo};

use self::origins::{Origin, Origins};
use super::insertions::Insertions;
use super::strength_reduction::uses;

/// Finds bit idioms.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        changes: Change::Operations,
        source: "Warren, Hacker's Delight, 2012; LLVM recognizeBSwapOrBitReverseIdiom and AggressiveInstCombine",
        handlers: false,
        example: Example { file: "bit_idioms.ssa", text: include_str!("examples/bit_idioms.ssa") },
        test: "crates/opt/src/passes/bit_idioms/tests.rs",
        ..PassInfo::new(
            "bit-idioms",
            "Bit idioms: rotations, swapped bytes, sums of bits and words that are loaded byte by byte are one operation.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if !f.live_insts().any(|(_, inst)| is_root(f, inst)) || !cx.record.has_fuel() {
        return;
    }
    let mut search = Search { uses: uses(f), homes: homes(f), made: Insertions::default() };
    let filled = origins::filled(f);
    // Users first: what is part of a larger idiom is none of its own.
    let mut part: SideTable<Inst, bool> = SideTable::new();
    let insts: Vec<Inst> = f.live_insts().map(|(_, inst)| inst).collect();
    for inst in insts.into_iter().rev() {
        if part[inst] || !is_root(f, inst) || is_of_several(f, &filled, inst) {
            continue;
        }
        let of = match f.inst(inst).op {
            Op::Urshift => search.ones(f, cx, inst),
            _ => search.rotation(f, cx, inst).or_else(|| search.root(f, cx, inst)),
        };
        of.into_iter().flatten().for_each(|inst| part[inst] = true);
    }
    search.made.write(f);
}

/// Where each operation stands: its block, and how far from its beginning.
pub(super) fn homes(f: &Function) -> SideTable<Inst, Option<(Block, u32)>> {
    let mut homes = SideTable::new();
    for &block in f.blocks() {
        for (position, &inst) in (0..).zip(f.block_insts(block)) {
            homes[inst] = Some((block, position));
        }
    }
    homes
}

/// Whether an operation may be the last one of an idiom: it puts together what was moved, or moves down the sum of all bytes.
fn is_root(f: &Function, inst: Inst) -> bool {
    let made_by = |value: Value| f.def_inst(value).map(|inst| f.inst(inst).op);
    let args = f.args(inst);
    match f.inst(inst).op {
        Op::Or | Op::Add | Op::Xor => args.iter().any(|&arg| {
            matches!(made_by(arg), Some(Op::Lshift | Op::Urshift | Op::Zext | Op::And | Op::Or | Op::Rotl))
        }),
        Op::Rotl | Op::Rotr => matches!(made_by(args[0]), Some(Op::Or | Op::Add | Op::Xor)),
        Op::Urshift => made_by(args[0]) == Some(Op::Mul),
        _ => false,
    }
}

/// Whether a bit of a sum is made of two bits.
fn is_of_several(f: &Function, filled: &SideTable<Value, u64>, inst: Inst) -> bool {
    let of = |value: Value| origins::filled_of(f, filled, value);
    match (f.inst(inst).op, f.args(inst)) {
        (Op::Add | Op::Xor, &[x, y]) => of(x) & of(y) != 0,
        _ => false,
    }
}

/// What is found.
struct Search {
    /// How often each value is used.
    uses: SideTable<Value, u32>,
    /// Where each operation stands: its block, and how far from its beginning.
    homes: SideTable<Inst, Option<(Block, u32)>>,
    made: Insertions,
}

impl Search {
    /// Makes one operation of a word, if its bits are from one word or from bytes in a row. What went into it.
    fn root(&mut self, f: &mut Function, cx: &mut PassCx<'_>, root: Inst) -> Option<Vec<Inst>> {
        let result = f.result(root);
        let width = f.ty(result).int_width().filter(|width| matches!(width, 16 | 32 | 64))?;
        let origins = Origins::of(f, &self.uses, result)?;
        let saved = |cost: u32| origins.cost(f, |op| cx.target.cost(op)) > cost;
        if let Some((op, x, by)) = permuted(f, &origins.bits, width) {
            // Two shifts and an or are for the rules to see.
            let is_plain = op == Op::Rotl && origins.dies.len() <= 3;
            if is_plain || !saved(cx.target.cost(op)) || !cx.rewrite(f, root, Became::Op(op)) {
                return None;
            }
            let by = by.map(|by| f.make_int(f.ty(x), i64::from(by)));
            let args: Vec<Value> = [Some(x), by].into_iter().flatten().collect();
            let made = self.made.make(f, root, op, &args, Type::Int(width as u8));
            self.made.stands.put(made, result);
            return Some(origins.dies);
        }
        let plan = loads::Plan::of(f, cx.world, &self.homes, &origins, width)?;
        if !saved(plan.cost(width, |op| cx.target.cost(op))) || !cx.rewrite(f, root, Became::Op(Op::RawLoad))
        {
            return None;
        }
        let value = plan.make(f, &mut self.made, root, Type::Int(width as u8));
        self.made.stands.put(value, result);
        Some(origins.dies)
    }

    /// Makes a rotation of two shifts by what is not known. What went into it.
    fn rotation(&mut self, f: &mut Function, cx: &mut PassCx<'_>, root: Inst) -> Option<Vec<Inst>> {
        let rotations::Rotation { op, args, of } = rotations::rotated(f, root)?;
        let dies = origins::only_for(f, &self.uses, f.result(root), &of);
        let costs = dies.iter().map(|&inst| cx.target.cost(f.inst(inst).op));
        if costs.fold(0, u32::saturating_add) <= cx.target.cost(op) || !cx.rewrite(f, root, Became::Op(op)) {
            return None;
        }
        let made = self.made.make(f, root, op, &args, f.ty(args[0]));
        self.made.stands.put(made, f.result(root));
        Some(dies)
    }

    /// Makes a `popcount` of what adds up bits in parts. What went into it.
    fn ones(&mut self, f: &mut Function, cx: &mut PassCx<'_>, root: Inst) -> Option<Vec<Inst>> {
        let (x, of) = ones::counted(f, root)?;
        let dies = origins::only_for(f, &self.uses, f.result(root), &of);
        let cost: u32 = dies.iter().map(|&inst| cx.target.cost(f.inst(inst).op)).sum();
        if cost <= cx.target.cost(Op::Popcount) || !cx.rewrite(f, root, Became::Op(Op::Popcount)) {
            return None;
        }
        let made = self.made.make(f, root, Op::Popcount, &[x], f.ty(x));
        self.made.stands.put(made, f.result(root));
        Some(dies)
    }
}

/// The operation that puts the bits of one word in this order, the word, and how far it is rotated.
fn permuted(f: &Function, bits: &[Option<Origin>], width: u32) -> Option<(Op, Value, Option<u32>)> {
    let first = (*bits.first()?)?;
    let x = first.of;
    let whole = f.ty(x).int_width() == Some(width) && bits.iter().flatten().count() == width as usize;
    if !whole || bits.iter().flatten().any(|origin| origin.of != x) {
        return None;
    }
    let at = |position: u32| bits[position as usize].map(|origin| origin.bit);
    let by = (width - first.bit) % width;
    if by != 0 && (0..width).all(|bit| at(bit) == Some((bit + width - by) % width)) {
        return Some((Op::Rotl, x, Some(by)));
    }
    let swapped = |bit: u32| (width / 8 - 1 - bit / 8) * 8 + bit % 8;
    (0..width).all(|bit| at(bit) == Some(swapped(bit))).then_some((Op::Bswap, x, None))
}

#[cfg(test)]
mod tests;
