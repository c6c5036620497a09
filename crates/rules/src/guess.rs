//! Magic numbers for division by constants: found here, believed nowhere.
//!
//! Division by a constant C is multiplication by M / 2^(w+S), where M is 2^(w+S) / C rounded up
//! (Granlund and Montgomery, "Division by Invariant Integers using Multiplication", 1994; Warren,
//! *Hacker's Delight*, chapter 10). A rule *guesses* M and S with these functions and then *certifies*
//! them with checks in exact arithmetic on two words, `umulh(M, C) == 1 << S` and the like. Its proof
//! uses the checks alone, so a wrong guess here costs an optimization and never a wrong result.

use planish_ops::Int;

/// A multiplier modulo 2^w and a shift amount.
struct Magic {
    multiplier: u128,
    shift: u32,
}

/// The smallest shift whose multiplier, below 2^`limit`, overshoots 2^(w+shift) by at most
/// 2^(shift + slack).
fn search(c: Int, limit: u32, slack: u32) -> Option<Magic> {
    let width = c.width();
    let divisor = u128::from(c.unsigned());
    if divisor < 2 {
        return None;
    }
    // The multiplier has at most w + 1 bits and the divisor w, so nothing here exceeds 2^128.
    (0..width - slack).find_map(|shift| {
        let power = 1u128 << (width + shift).min(127);
        let multiplier = power.div_ceil(divisor);
        let excess = multiplier.checked_mul(divisor)? - power;
        (multiplier >> limit == 0 && excess <= 1 << (shift + slack)).then_some(Magic { multiplier, shift })
    })
}

fn multiplier(c: Int, magic: Option<Magic>) -> Option<Int> {
    magic.map(|magic| Int::new(c.width(), magic.multiplier as u64))
}

fn shift(c: Int, magic: Option<Magic>) -> Option<Int> {
    magic.map(|magic| Int::new(c.width(), u64::from(magic.shift)))
}

/// M for all unsigned dividends, where it fits a word.
pub fn unsigned_multiplier(c: Int) -> Option<Int> {
    multiplier(c, search(c, c.width(), 0))
}

/// S for [`unsigned_multiplier`].
pub fn unsigned_shift(c: Int) -> Option<Int> {
    shift(c, search(c, c.width(), 0))
}

/// M - 2^w for all unsigned dividends, where M has w + 1 bits.
pub fn long_multiplier(c: Int) -> Option<Int> {
    multiplier(c, search(c, c.width() + 1, 0))
}

/// S for [`long_multiplier`].
pub fn long_shift(c: Int) -> Option<Int> {
    shift(c, search(c, c.width() + 1, 0))
}

/// M for dividends of w - 1 bits and a sign: half the range allows twice the error.
pub fn signed_multiplier(c: Int) -> Option<Int> {
    multiplier(c, search(c, c.width(), 1))
}

/// S for [`signed_multiplier`].
pub fn signed_shift(c: Int) -> Option<Int> {
    shift(c, search(c, c.width(), 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_for_ten_are_the_known_ones() {
        let ten = Int::new(32, 10);
        assert_eq!(unsigned_multiplier(ten).map(Int::unsigned), Some(0xcccc_cccd));
        assert_eq!(unsigned_shift(ten).map(Int::unsigned), Some(3));
        assert_eq!(signed_multiplier(ten).map(Int::unsigned), Some(0x6666_6667));
        assert_eq!(signed_shift(ten).map(Int::unsigned), Some(2));
        let seven = Int::new(32, 7);
        assert_eq!(unsigned_multiplier(seven), None);
        assert_eq!(long_multiplier(seven).map(Int::unsigned), Some(0x2492_4925));
        assert_eq!(long_shift(seven).map(Int::unsigned), Some(3));
    }

    #[test]
    fn no_divisor_of_any_width_makes_a_guess_overflow() {
        for width in [1, 2, 3, 8, 31, 32, 63, 64] {
            for value in [0, 1, 2, 3, 5, 7, 1 << (width - 1), (1 << (width - 1)) + 1, u64::MAX] {
                let c = Int::new(width, value);
                for guess in [unsigned_multiplier, long_multiplier, signed_multiplier] {
                    let _ = guess(c);
                }
            }
        }
    }
}
