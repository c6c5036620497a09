//! What operations on vectors mean: single instruction, multiple data (SIMD, after Flynn's taxonomy).
//!
//! The table names for each of them the operation that its lanes undergo ([`Lanewise`]); so its meaning is made of the
//! meaning of that one, here and for every instance of [`Floats`], and nothing is said twice. All those operations mean
//! something for all operands, hence so do these.

use crate::bits::Floats;
use crate::meaning::Datum;
use crate::row::Lanewise;
use crate::table::Op;
use crate::types::{Lane, Type};

/// A value of some instance: one datum, or one for each lane.
pub enum Value<B: Floats + ?Sized> {
    /// A word or a float.
    One(Datum<B>),
    /// What is in the lanes of a vector.
    Lanes(Vec<Datum<B>>),
}

impl<B: Floats> Value<B> {
    /// What a lane of a vector holds. Panics on what is no vector: the caller checked types against the row.
    fn lane(&self, number: usize) -> Datum<B> {
        match self {
            Value::Lanes(lanes) => lanes[number],
            Value::One(datum) => panic!("expected a vector, found {datum:?}"),
        }
    }

    /// The datum that is no vector. Panics on a vector.
    fn one(&self) -> Datum<B> {
        match self {
            Value::One(datum) => *datum,
            Value::Lanes(_) => panic!("expected one value, found a vector"),
        }
    }
}

impl Op {
    /// The meaning of an operation on vectors that touches no memory; `lane` is that of its vectors.
    ///
    /// `None` for other operations. Panics when the operands do not fit the row.
    pub fn meaning_in_lanes<B: Floats>(self, b: &mut B, args: &[Value<B>], lane: Lane) -> Option<Value<B>> {
        let count = lane.count() as usize;
        let mut computed = |op: Op, operands: &[Datum<B>]| {
            let meaning = op.meaning(b, operands, &[lane.ty()]);
            meaning.expect("the operation of a lane has a meaning").value
        };
        Some(match self.row().lanewise? {
            Lanewise::Each(op) => {
                let operands = |number: usize| args.iter().map(move |arg| arg.lane(number));
                let lanes = (0..count).map(|number| computed(op, &operands(number).collect::<Vec<_>>()));
                Value::Lanes(lanes.collect())
            }
            Lanewise::Across(op) => {
                let first = args[0].lane(0);
                Value::One((1..count).fold(first, |sum, number| computed(op, &[sum, args[0].lane(number)])))
            }
            Lanewise::Splat => Value::Lanes(vec![args[0].one(); count]),
            Lanewise::Extract => {
                let number = args[1].one().word();
                let chosen =
                    (1..count).fold(args[0].lane(0), |sum, at| match is_lane(b, number, at, count) {
                        Some(holds) => choose(b, holds, args[0].lane(at), sum),
                        None => sum,
                    });
                Value::One(chosen)
            }
            Lanewise::Insert => {
                let (number, new) = (args[1].one().word(), args[2].one());
                let lanes = (0..count).map(|at| match is_lane(b, number, at, count) {
                    Some(holds) => choose(b, holds, new, args[0].lane(at)),
                    None => args[0].lane(at),
                });
                Value::Lanes(lanes.collect())
            }
        })
    }

    /// The operation on vectors that does in each lane what this one does.
    pub fn in_each_lane(self) -> Option<Op> {
        let does = |op: &Op| op.row().lanewise == Some(Lanewise::Each(self));
        crate::table::ALL.iter().copied().find(does)
    }

    /// The operation on vectors that joins their lanes by this one.
    pub fn across_lanes(self) -> Option<Op> {
        let does = |op: &Op| op.row().lanewise == Some(Lanewise::Across(self));
        crate::table::ALL.iter().copied().find(does)
    }
}

/// Whether a number is that of a lane, modulo their count; `None` where no word of its width is.
fn is_lane<B: Floats>(b: &mut B, number: B::Word, at: usize, count: usize) -> Option<B::Bool> {
    let width = b.width(number);
    if width < usize::BITS && at >> width != 0 {
        return None;
    }
    let (mask, at) = (b.word(width, count as u64 - 1), b.word(width, at as u64));
    let number = b.and(number, mask);
    Some(b.eq(number, at))
}

fn choose<B: Floats>(b: &mut B, holds: B::Bool, x: Datum<B>, y: Datum<B>) -> Datum<B> {
    crate::arithmetic::choose(b, holds, x, y).value
}

/// The type of the vectors that an operation is about: that of an operand or of the result.
pub fn lane_of(mut types: impl Iterator<Item = Type>) -> Option<Lane> {
    types.find_map(Type::lane)
}
