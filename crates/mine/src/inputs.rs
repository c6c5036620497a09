//! Inputs on which terms are held against each other: a fixed sequence, the same on every run.

use planish_ops::{Int, Type};

use crate::term::Term;

/// On how many inputs.
pub const LANES: usize = 40;

/// How many are made until so many are found on which a term is defined.
const TRIES: usize = 400;

/// The values and constants of a term, input by input.
pub struct Inputs {
    /// The values of each input.
    pub values: Vec<Vec<Int>>,
    /// The constants of each input.
    pub constants: Vec<Vec<Int>>,
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A word as programs have them: small, at an edge, with one bit or many.
    fn word(&mut self, width: u32) -> Int {
        let (kind, bits) = (self.next() % 8, self.next());
        let bit = 1u64 << (bits % u64::from(width));
        let word = match kind {
            0 => bits % 5,
            1 => (bits % 5).wrapping_neg(),
            2 => bit,
            3 => bit - 1,
            4 => (1 << (width - 1)) - bits % 2,
            _ => bits,
        };
        Int::new(width, word)
    }
}

impl Inputs {
    /// Inputs for the values and constants of a term on which it is defined; fewer where these are rare. `is_amount` says which constants are amounts of shifts.
    pub fn new(term: &Term, is_amount: impl Fn(usize) -> bool) -> Inputs {
        let (values, constants) = (term.value_types(), term.constant_types());
        let mut random = Random(0x706c_616e_6973_6821);
        let width = |ty: &Type| ty.int_width().expect("terms are of integers");
        let mut inputs = Inputs { values: Vec::new(), constants: Vec::new() };
        for _ in 0..TRIES {
            if inputs.values.len() == LANES {
                break;
            }
            let of_values = (0..).zip(&values).map(|(number, ty)| match term.bits_of(number) {
                Some(bits) => Int::new(width(ty), random.word(u32::from(bits)).unsigned()),
                None => random.word(width(ty)),
            });
            let of_values: Vec<Int> = of_values.collect();
            let of_constants: Vec<Int> = (constants.iter().enumerate())
                .map(|(number, ty)| {
                    let word = random.word(width(ty));
                    if is_amount(number) {
                        Int::new(width(ty), word.unsigned() % u64::from(width(ty)))
                    } else {
                        word
                    }
                })
                .collect();
            // Nothing is asked of a term where it is not defined.
            if term.evaluate(&of_values, &of_constants).is_some() {
                inputs.values.push(of_values);
                inputs.constants.push(of_constants);
            }
        }
        inputs
    }
}
