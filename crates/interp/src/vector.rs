//! The value of a vector.

use planish_ops::{Datum, Int, Lane, Machine, Real, Type};

/// A vector: 128 bits, the first lane in the lowest ones. Every NaN in a lane is the quiet one without payload, so that equal
/// vectors have equal bits.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Vector {
    lane: Lane,
    words: [u64; 2],
}

impl Vector {
    /// The vector of such lanes; `None` if they are of other types or of another number.
    pub fn of(lane: Lane, lanes: &[Datum<Machine>]) -> Option<Vector> {
        let mut vector = Vector { lane, words: [0; 2] };
        for (at, value) in lanes.iter().enumerate() {
            let encoding = match value {
                Datum::Word(int) if int.ty() == lane.ty() => int.unsigned(),
                Datum::Float(real) if Type::Float(real.format()) == lane.ty() => real.to_bits(),
                _ => return None,
            };
            let bit = at as u32 * lane.bits();
            *vector.words.get_mut(bit as usize / 64)? |= encoding << (bit % 64);
        }
        (lanes.len() == lane.count() as usize).then_some(vector)
    }

    /// The vector whose bytes these are, the lowest first.
    pub(crate) fn of_bytes(lane: Lane, bytes: [u8; 16]) -> Vector {
        let whole = u128::from_le_bytes(bytes);
        let vector = Vector { lane, words: [whole as u64, (whole >> 64) as u64] };
        let lanes: Vec<Datum<Machine>> = vector.lanes().collect();
        Vector::of(lane, &lanes).expect("as many lanes of its own type")
    }

    /// Its bytes, the lowest first.
    pub(crate) fn bytes(self) -> [u8; 16] {
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
    pub fn lanes(self) -> impl Iterator<Item = Datum<Machine>> {
        (0..self.lane.count()).map(move |at| {
            let bit = at * self.lane.bits();
            let encoding = self.words[bit as usize / 64] >> (bit % 64);
            match self.lane.ty().float_format() {
                Some(format) => Datum::Float(Real::from_bits(format, encoding)),
                None => Datum::Word(Int::new(self.lane.bits(), encoding)),
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
                Datum::Word(int) => write!(f, "{comma}{int}")?,
                Datum::Float(real) => write!(f, "{comma}{:?}", real.to_f64())?,
            }
        }
        write!(f, "]: {}", Type::Vector(self.lane))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_what_they_were_made_of() {
        for lane in Lane::ALL {
            let lanes: Vec<Datum<Machine>> = (0..lane.count())
                .map(|at| match lane.ty().float_format() {
                    Some(format) => Datum::Float(Real::from_bits(format, u64::from(at) << 20)),
                    None => Datum::Word(Int::new(lane.bits(), u64::from(at).wrapping_sub(1))),
                })
                .collect();
            let vector = Vector::of(lane, &lanes).unwrap();
            let again: Vec<Datum<Machine>> = vector.lanes().collect();
            assert_eq!(format!("{again:?}"), format!("{lanes:?}"));
            assert_eq!(Vector::of_bytes(lane, vector.bytes()), vector);
            assert_eq!(Vector::of(lane, &lanes[1..]), None);
        }
        let mixed = [Datum::Word(Int::new(64, 0)), Datum::Float(Real::F64(0.0))];
        assert_eq!(Vector::of(Lane::I64, &mixed), None);
    }
}
