//! Vectors at run time: what is in their lanes, operations on them, and their way to raw memory and back.

use planish_ir::{Function, Inst};
use planish_ops::lanes::{Value as Parts, lane_of};
use planish_ops::{Datum, Int, Lane, Machine, Op, Real};

use crate::aliasing::ByClass;
use crate::behaviour::End;
use crate::machine::{Outcome, Results, Runner, Step};
use crate::memory::{NO_MEMORY, done};
use crate::value::Val;

/// A vector: 128 bits, the first lane in the lowest ones. Every NaN in a lane is the quiet one without payload, so that equal
/// vectors have equal bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Vector {
    lane: Lane,
    words: [u64; 2],
}

impl Vector {
    /// The vector of such lanes; `None` if they are of other types or of another number.
    pub fn of(lane: Lane, lanes: &[Val]) -> Option<Vector> {
        let mut vector = Vector { lane, words: [0; 2] };
        for (at, value) in lanes.iter().enumerate() {
            let encoding = match value {
                Val::Int(int) if int.ty() == lane.ty() => int.unsigned(),
                Val::Real(real) if planish_ops::Type::Float(real.format()) == lane.ty() => real.to_bits(),
                _ => return None,
            };
            let bit = at as u32 * lane.bits();
            *vector.words.get_mut(bit as usize / 64)? |= encoding << (bit % 64);
        }
        (lanes.len() == lane.count() as usize).then_some(vector)
    }

    /// The vector whose bytes these are, the lowest first.
    fn of_bytes(lane: Lane, bytes: [u8; 16]) -> Vector {
        let whole = u128::from_le_bytes(bytes);
        let vector = Vector { lane, words: [whole as u64, (whole >> 64) as u64] };
        let lanes: Vec<Val> = vector.lanes().collect();
        Vector::of(lane, &lanes).expect("as many lanes of its own type")
    }

    /// Its bytes, the lowest first.
    fn bytes(self) -> [u8; 16] {
        (u128::from(self.words[0]) | u128::from(self.words[1]) << 64).to_le_bytes()
    }

    /// The type of its lanes.
    pub fn lane(self) -> Lane {
        self.lane
    }

    /// Its bits, the lowest word first.
    pub fn words(self) -> [u64; 2] {
        self.words
    }

    /// What is in its lanes, the first lane first.
    pub fn lanes(self) -> impl Iterator<Item = Val> {
        (0..self.lane.count()).map(move |at| {
            let bit = at * self.lane.bits();
            let encoding = self.words[bit as usize / 64] >> (bit % 64);
            match self.lane.ty().float_format() {
                Some(format) => Val::Real(Real::from_bits(format, encoding)),
                None => Val::Int(Int::new(self.lane.bits(), encoding)),
            }
        })
    }
}

/// Its lanes in brackets.
impl std::fmt::Display for Vector {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("[")?;
        for (at, value) in self.lanes().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            match value {
                Val::Int(int) => write!(f, "{comma}{int}")?,
                Val::Real(real) => write!(f, "{comma}{:?}", real.to_f64())?,
                other => write!(f, "{comma}{other}")?,
            }
        }
        write!(f, "]: {}", planish_ops::Type::Vector(self.lane))
    }
}

fn datum(value: Val) -> Option<Datum<Machine>> {
    match value {
        Val::Int(int) => Some(Datum::Word(int)),
        Val::Real(real) => Some(Datum::Float(real)),
        _ => None,
    }
}

fn value(datum: Datum<Machine>) -> Val {
    match datum {
        Datum::Word(int) => Val::Int(int),
        Datum::Float(real) => Val::Real(real),
    }
}

impl Runner<'_, '_> {
    /// An operation on vectors that touches no memory; undefined where an operand is.
    pub(crate) fn in_lanes(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let result = f.result(inst);
        let types = f.args(inst).iter().map(|&arg| f.ty(arg)).chain([f.ty(result)]);
        let lane = lane_of(types).ok_or(End::undefined("an operation on vectors without any"))?;
        let parts = |value: Val| match value {
            Val::Vector(vector) => vector.lanes().map(datum).collect::<Option<Vec<_>>>().map(Parts::Lanes),
            value => datum(value).map(Parts::One),
        };
        let args: Option<Vec<Parts<Machine>>> =
            f.args(inst).iter().map(|&arg| parts(self.get(arg))).collect();
        let computed = args.and_then(|args| f.inst(inst).op.meaning_in_lanes(&mut Machine, &args, lane));
        let result = computed.and_then(|computed| match computed {
            Parts::One(datum) => Some(value(datum)),
            Parts::Lanes(lanes) => {
                let lanes: Vec<Val> = lanes.into_iter().map(value).collect();
                Vector::of(lane, &lanes).map(Val::Vector)
            }
        });
        Ok(Outcome::Yield(Results::One(result.unwrap_or(Val::Undefined))))
    }

    /// Reads a vector from raw memory, or writes one: 16 bytes, whatever is stored of an item elsewhere.
    pub(crate) fn vector_access(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let args = f.args(inst);
        let (world, descr) = (self.program.world, f.inst(inst).descr);
        let address = self.address(descr, args[0], args[1])?;
        let (by, since) = (ByClass::of(world, descr), self.heap.wrote_anything());
        let is_store = f.inst(inst).op == Op::Vstore;
        let mut bytes = [0; 16];
        if is_store {
            match self.get(args[2]) {
                Val::Vector(vector) => bytes = vector.bytes(),
                _ => return Err(End::undefined("an effect depends on an undefined value")),
            }
        }
        for (byte, at) in bytes.iter_mut().zip(0..) {
            let at = address.wrapping_add(at);
            let place = self.heap.byte(at).ok_or(NO_MEMORY)?;
            if is_store {
                self.heap.accesses.store(at, by, since, world)?;
                self.heap.store_byte(place, *byte);
            } else {
                self.heap.accesses.load(at, by, since, world)?;
                *byte = self.heap.load_byte(self.scenario, place);
            }
        }
        match (is_store, f.results(inst).next().and_then(|result| f.ty(result).lane())) {
            (false, Some(lane)) => {
                Ok(Outcome::Yield(Results::One(Val::Vector(Vector::of_bytes(lane, bytes)))))
            }
            _ => done(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_what_they_were_made_of() {
        for lane in Lane::ALL {
            let lanes: Vec<Val> = (0..lane.count())
                .map(|at| match lane.ty().float_format() {
                    Some(format) => Val::Real(Real::from_bits(format, u64::from(at) << 20)),
                    None => Val::Int(Int::new(lane.bits(), u64::from(at).wrapping_sub(1))),
                })
                .collect();
            let vector = Vector::of(lane, &lanes).unwrap();
            assert!(vector.lanes().eq(lanes.iter().copied()), "{vector}");
            assert_eq!(Vector::of_bytes(lane, vector.bytes()), vector);
            assert_eq!(Vector::of(lane, &lanes[1..]), None);
        }
        let mixed = [Val::Int(Int::new(64, 0)), Val::Real(Real::F64(0.0))];
        assert_eq!(Vector::of(Lane::I64, &mixed), None);
    }
}
