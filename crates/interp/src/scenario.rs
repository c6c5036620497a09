//! The world outside, made from a seed.
//!
//! What an outside object holds, how long an array is, what a call answers: each is a function of the
//! seed and of what is asked, so two runs in one scenario find the same world whatever they ask first,
//! and nothing has to be built before it is looked at. Numbers are near zero or at the edges of their
//! type more often than not, and references are few, so that objects alias.
//!
//! A call that may write memory changes what the scenario says of that memory: its number (its position
//! among the calls that are observed) is part of the question from then on.

use planish_ops::{FloatFormat, Int, Real, Type};

use crate::place::{self, Place};
use crate::value::{Reference, Val};

/// A world outside.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Scenario {
    /// Where everything comes from.
    pub seed: u64,
    /// Addresses of classes that outside objects have; when empty, every object has a class of its own.
    pub classes: Vec<u64>,
    /// Keys of items: objects may be arrays of those, where somebody asks.
    pub layouts: Vec<u64>,
    /// Whether somebody asks for lengths of arrays, so that they have to agree with the accesses of a trace.
    pub measured: bool,
    /// Objects that the program names, of which references may be some.
    pub named: Vec<(u64, String)>,
    /// Whether the first argument is an object, never null.
    pub receiver: bool,
    /// Numbers of the program, which tests wait for: words are now and then one of them, or beside it.
    pub numbers: Vec<u64>,
    /// Floats of the program, by their encodings in binary64: floats are now and then one of them, its opposite, or beside it.
    pub floats: Vec<u64>,
}

/// How many outside objects references are drawn from.
const OBJECTS: u64 = 6;

/// One step of a mixing function (splitmix64).
pub(crate) fn mix(state: u64, word: u64) -> u64 {
    let mut z = (state ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// The number that stands for a name.
pub fn name_key(name: &str) -> u64 {
    name.bytes().fold(0x51_7c_c1_b7, |state, byte| mix(state, u64::from(byte)))
}

/// The number of a value, for questions that depend on it. Fresh objects are all alike here: two runs
/// may number them differently.
pub(crate) fn value_key(value: Val) -> u64 {
    match value {
        // Where memory is that the run allocated differs too.
        Val::Int(int) if let Some((_, at)) = place::piece(int.unsigned()) => mix(206, at),
        Val::Int(int) => mix(u64::from(int.width()), int.unsigned()),
        Val::Real(real) => mix(100, real.to_bits()),
        Val::Ref(Reference::Null) => 200,
        Val::Ref(Reference::Outside(n)) => mix(201, n),
        Val::Ref(Reference::Fresh(_)) => 202,
        Val::Ref(Reference::Thrown(fault)) => mix(203, fault as u64),
        Val::Vector(vector) => vector.words().into_iter().fold(206, mix),
        Val::State => 204,
        Val::Undefined => 205,
    }
}

/// What a place of the outside holds after the event of a number.
pub(crate) fn initial(scenario: &Scenario, place: Place, event: u64, ty: Type) -> Val {
    let owner = match place.owner {
        None => 1,
        Some(Reference::Outside(n)) => n.wrapping_add(2),
        // Which fresh object it is differs between runs that do the same.
        Some(Reference::Fresh(_) | Reference::Null | Reference::Thrown(_)) => u64::MAX,
    };
    scenario.value(&[owner, place.field, place.index, event], ty)
}

impl Scenario {
    /// A world made from a seed.
    pub fn new(seed: u64) -> Self {
        Scenario { seed, ..Scenario::default() }
    }

    /// The answer to a question of several words.
    pub(crate) fn ask(&self, question: &[u64]) -> u64 {
        question.iter().fold(mix(0, self.seed), |state, &word| mix(state, word))
    }

    /// Some value of a type.
    pub(crate) fn value(&self, question: &[u64], ty: Type) -> Val {
        let key = self.ask(question);
        self.draw(key, ty)
    }

    /// The value of a type that a number stands for.
    pub(crate) fn draw(&self, key: u64, ty: Type) -> Val {
        let (choice, rest) = (key % 8, mix(key, 1));
        match ty {
            Type::Int(width) => {
                let width = u32::from(width);
                if let Some(number) = self.number(key, rest) {
                    return Val::Int(Int::new(width, number));
                }
                let top = 1u64 << (width - 1);
                let bits = match choice {
                    0..=2 => rest % 4,
                    3 | 4 => (rest % 17).wrapping_sub(8),
                    5 => [top, top.wrapping_sub(1), u64::MAX, top.wrapping_add(1)][(rest % 4) as usize],
                    6 => 1u64 << (rest % 64).min(u64::from(width) - 1),
                    _ => rest,
                };
                Val::Int(Int::new(width, bits))
            }
            Type::Float(format) => {
                if let Some(number) = self.float(key, rest, format) {
                    return Val::Real(number);
                }
                let small = (rest % 9) as f64 - 4.0;
                let value = match choice {
                    0..=3 => small,
                    4 => small / 8.0,
                    5 => [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE]
                        [(rest % 6) as usize],
                    6 => (rest as i64) as f64,
                    _ => f64::from_bits(rest),
                };
                Val::Real(match format {
                    FloatFormat::F32 => Real::F32(value as f32),
                    FloatFormat::F64 => Real::F64(value),
                })
            }
            Type::Ref if choice == 0 => Val::Ref(Reference::Null),
            Type::Ref if choice == 1 && !self.named.is_empty() => {
                Val::Ref(Reference::Outside(self.named[(rest % self.named.len() as u64) as usize].0))
            }
            Type::Ref => Val::Ref(Reference::Outside(rest % OBJECTS)),
            Type::State => Val::State,
            Type::Vector(lane) => {
                let lanes = (0..u64::from(lane.count())).map(|at| self.draw(mix(key, at + 2), lane.ty()));
                let lanes: Vec<Val> = lanes.collect();
                Val::vector(lane, &lanes).unwrap_or(Val::Undefined)
            }
        }
    }

    /// A number of the program or one beside it, for one word in four.
    fn number(&self, key: u64, rest: u64) -> Option<u64> {
        let count = self.numbers.len() as u64;
        if count == 0 || !(key >> 8).is_multiple_of(4) {
            return None;
        }
        let beside = [0, 0, 1, u64::MAX][(rest % 4) as usize];
        Some(self.numbers[((rest >> 8) % count) as usize].wrapping_add(beside))
    }

    /// A float of the program, its opposite or one beside either, for one in four; now and then one that is no finite number, where
    /// tests that agree on all others may part.
    fn float(&self, key: u64, rest: u64, format: FloatFormat) -> Option<Real> {
        let count = self.floats.len() as u64;
        if count == 0 || !(key >> 8).is_multiple_of(4) {
            return None;
        }
        let of_program = f64::from_bits(self.floats[((rest >> 8) % count) as usize]);
        let value = match (rest >> 3) % 8 {
            0 => [f64::NAN, f64::INFINITY, f64::NEG_INFINITY][((rest >> 40) % 3) as usize],
            1 | 2 => -of_program,
            _ => of_program,
        };
        let beside = (rest % 4) as usize;
        Some(match format {
            FloatFormat::F32 => {
                let value = value as f32;
                Real::F32([value, value, value.next_up(), value.next_down()][beside])
            }
            FloatFormat::F64 => Real::F64([value, value, value.next_up(), value.next_down()][beside]),
        })
    }

    /// Arguments for parameters of these types.
    pub fn arguments(&self, types: &[Type]) -> Vec<Val> {
        let argument = |(&ty, i): (&Type, u64)| {
            let key = self.ask(&[name_key("argument"), i]);
            match self.draw(key, ty) {
                Val::Ref(Reference::Null) if self.receiver && i == 0 => {
                    Val::Ref(Reference::Outside(mix(key, 2) % OBJECTS))
                }
                value => value,
            }
        };
        types.iter().zip(0..).map(argument).collect()
    }

    /// The byte at an address outside the heap, before anybody writes there.
    pub fn memory(&self, address: u64) -> u8 {
        let place = Place { owner: None, field: 0, index: address };
        match initial(self, place, 0, Type::Int(8)) {
            Val::Int(int) => int.unsigned() as u8,
            _ => 0,
        }
    }

    /// The address of the class of an outside object.
    pub(crate) fn class(&self, object: u64) -> u64 {
        let key = self.ask(&[name_key("class"), object]);
        match self.classes.len() as u64 {
            0 => (key >> 24) | 1 << 40,
            // Now and then a class that nobody named.
            len => match self.classes.get((key % (len + 1)) as usize) {
                Some(&class) => class,
                None => (key >> 24) | 1 << 40,
            },
        }
    }

    /// The key of the items of an outside object that is an array, where somebody asks.
    pub(crate) fn array(&self, object: u64) -> Option<u64> {
        let key = self.ask(&[name_key("array"), object]);
        match self.layouts.len() as u64 {
            // An array of something else.
            0 => key.is_multiple_of(8).then_some(1),
            len if key.is_multiple_of(2) => {
                self.layouts.get(((key >> 8) % (len + 1)) as usize).copied().or(Some(1))
            }
            _ => None,
        }
    }

    /// The length of an outside array or string.
    pub(crate) fn length(&self, object: u64) -> u64 {
        self.ask(&[name_key("length"), object]) % 8
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_has_one_answer_and_seeds_differ() {
        let types = [Type::I64, Type::I1, Type::F32, Type::Ref, Type::Int(7)];
        let worlds: Vec<Vec<Val>> = (0..50).map(|seed| Scenario::new(seed).arguments(&types)).collect();
        assert_eq!(worlds[7], Scenario::new(7).arguments(&types));
        assert!(worlds.iter().all(|w| w.iter().zip(types).all(|(v, ty)| v.ty() == Some(ty))));
        for position in 0..types.len() {
            assert!(worlds.iter().any(|w| w[position] != worlds[0][position]), "{position}");
        }
    }

    #[test]
    fn floats_of_a_program_come_with_their_neighbours_and_opposites() {
        let floats = vec![2.5f64.to_bits()];
        let world = |seed| Scenario { floats: floats.clone(), ..Scenario::new(seed) };
        let drawn: Vec<Vec<Val>> =
            (0..400).map(|seed| world(seed).arguments(&[Type::F64, Type::F32])).collect();
        let wide = [2.5, -2.5, 2.5f64.next_up(), 2.5f64.next_down(), (-2.5f64).next_up(), f64::INFINITY];
        let narrow = [2.5, -2.5, 2.5f32.next_up(), 2.5f32.next_down(), (-2.5f32).next_up(), f32::INFINITY];
        for value in wide {
            assert!(drawn.iter().any(|args| args[0] == Val::Real(Real::F64(value))), "{value}");
        }
        for value in narrow {
            assert!(drawn.iter().any(|args| args[1] == Val::Real(Real::F32(value))), "{value}");
        }
    }

    #[test]
    fn a_receiver_is_never_null_and_other_arguments_are_as_before() {
        let types = [Type::Ref, Type::Ref, Type::I32];
        let (mut nulls, mut objects) = ([0; 2], Vec::new());
        for seed in 0..100 {
            let without = Scenario::new(seed).arguments(&types);
            let with = Scenario { receiver: true, ..Scenario::new(seed) }.arguments(&types);
            assert_eq!(without[1..], with[1..]);
            let is_null = |value: &Val| usize::from(*value == Val::Ref(Reference::Null));
            nulls[0] += is_null(&without[0]);
            nulls[1] += is_null(&with[0]);
            if is_null(&without[0]) == 0 {
                assert_eq!(without[0], with[0]);
            } else if !objects.contains(&with[0]) {
                objects.push(with[0]);
            }
        }
        assert!(nulls[0] > 0 && nulls[1] == 0, "{nulls:?}");
        assert!(objects.len() > 1, "{objects:?}");
    }
}
