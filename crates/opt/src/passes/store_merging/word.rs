//! What stores side by side hold, as one word.

use planish_base::SideTable;
use planish_ir::{Block, Function, Inst, Value};
use planish_ops::world::World;
use planish_ops::{Op, Type};

use super::runs::Stored;
use crate::passes::bit_idioms::loads::Plan;
use crate::passes::bit_idioms::origins::{Bits, Origin, Origins};
use crate::passes::insertions::Insertions;

/// A word that is stored.
pub(super) enum Word {
    /// All bytes are numbers.
    Number(u64),
    /// Bits of a value from one on, zeros above them; the bytes swapped or not.
    Part { of: Value, from: u32, swapped: bool },
    /// Bytes of memory.
    Loaded(Plan),
}

/// How often values are used, and where operations stand: the block, and how far from its beginning.
type Known<'a> = (&'a SideTable<Value, u32>, &'a SideTable<Inst, Option<(Block, u32)>>);

impl Word {
    /// What stores in a row hold together, the first the lowest byte; and the operations that were for them alone.
    pub fn of(
        f: &Function,
        world: &dyn World,
        (uses, homes): Known<'_>,
        stores: &[Stored],
        width: u32,
    ) -> Option<(Word, Vec<Inst>)> {
        if let Some(number) = number(f, stores) {
            return Some((Word::Number(number), Vec::new()));
        }
        // What is not looked into may be what is extended.
        [Origins::of_any, Origins::own].into_iter().find_map(|origins_of| {
            let origins = joined(f, uses, stores, origins_of)?;
            let swapped: Bits = origins.bits.chunks(8).rev().flatten().copied().collect();
            let of_one = [(&origins.bits, false), (&swapped, true)]
                .into_iter()
                .find_map(|(bits, swapped)| part(f, bits).map(|(of, from)| Word::Part { of, from, swapped }));
            let loaded = || Plan::of(f, world, homes, &origins, width).map(Word::Loaded);
            Some((of_one.or_else(loaded)?, origins.dies))
        })
    }

    /// What it costs to make it.
    pub fn cost(&self, f: &Function, width: u32, price: impl Fn(Op) -> u32) -> u32 {
        match self {
            Word::Number(_) => 0,
            Word::Part { of, from, swapped } => {
                let steps = [
                    (*from > 0).then_some(Op::Urshift),
                    resized(f, *of, width),
                    swapped.then_some(Op::Bswap),
                ];
                steps.into_iter().flatten().map(price).fold(0, u32::saturating_add)
            }
            Word::Loaded(plan) => plan.cost(width, price),
        }
    }

    /// Makes it in front of an operation.
    pub fn make(&self, f: &mut Function, made: &mut Insertions, in_front_of: Inst, ty: Type) -> Value {
        match self {
            Word::Number(number) => f.make_int(ty, *number as i64),
            Word::Part { of, from, swapped } => {
                let mut value = *of;
                if *from > 0 {
                    let by = f.make_int(f.ty(value), i64::from(*from));
                    value = made.make(f, in_front_of, Op::Urshift, &[value, by], f.ty(value));
                }
                if let Some(op) = ty.int_width().and_then(|width| resized(f, value, width)) {
                    value = made.make(f, in_front_of, op, &[value], ty);
                }
                if *swapped {
                    value = made.make(f, in_front_of, Op::Bswap, &[value], ty);
                }
                value
            }
            Word::Loaded(plan) => plan.make(f, made, in_front_of, ty),
        }
    }
}

/// Where the bits of what stores in a row hold are from, and what is for them alone.
fn joined(
    f: &Function,
    uses: &SideTable<Value, u32>,
    stores: &[Stored],
    origins_of: fn(&Function, &SideTable<Value, u32>, Value) -> Option<Origins>,
) -> Option<Origins> {
    let mut all = Origins { bits: Bits::new(), dies: Vec::new() };
    for stored in stores {
        let value = f.args(stored.inst)[2];
        let origins = origins_of(f, uses, value)?;
        all.bits.extend(&origins.bits[..8 * stored.bytes as usize]);
        if uses[value] == 1 {
            all.dies.extend(origins.dies);
        }
    }
    Some(all)
}

/// The operation that makes a value as wide as that.
fn resized(f: &Function, value: Value, width: u32) -> Option<Op> {
    match f.ty(value).int_width()? {
        of if of < width => Some(Op::Zext),
        of if of > width => Some(Op::Trunc),
        _ => None,
    }
}

/// The number that stores of numbers in a row are.
fn number(f: &Function, stores: &[Stored]) -> Option<u64> {
    let mut number = 0;
    let mut below = 0;
    for stored in stores {
        let bits = 8 * stored.bytes as u32;
        let part = f.int_constant(f.args(stored.inst)[2])?.unsigned() & (u64::MAX >> (64 - bits));
        number |= part << below;
        below += bits;
    }
    Some(number)
}

/// The value of which bits are those from one on, with zeros above its highest.
fn part(f: &Function, bits: &Bits) -> Option<(Value, u32)> {
    let first = (*bits.first()?)?;
    let there = f.ty(first.of).int_width()?.saturating_sub(first.bit) as usize;
    let is_its = |(number, origin): (usize, &Option<Origin>)| match origin {
        Some(origin) => origin.of == first.of && origin.bit == first.bit + number as u32,
        None => number >= there,
    };
    bits.iter().enumerate().all(is_its).then_some((first.of, first.bit))
}
