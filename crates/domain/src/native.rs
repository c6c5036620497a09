//! Machine words whose width is known when the compiler runs.
//!
//! [`Machine`](planish_ops::Machine) carries the width in every word and masks at run time. Nearly all
//! words that an optimizer meets have 32 or 64 bits; for those the generic functions are instantiated
//! with this instance, in which masks are constants (and vanish at 64 bits). It computes what
//! `Machine` computes: a test compares the two on every primitive.

use planish_ops::{Bits, bits};

/// The context of words of `W` bits, held in the low bits of a `u64`.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Native<const W: u32>;

impl<const W: u32> Native<W> {
    const MASK: u64 = u64::MAX >> (64 - W);

    #[inline(always)]
    fn signed(a: u64) -> i64 {
        ((a << (64 - W)) as i64) >> (64 - W)
    }
}

macro_rules! words {
    ($($name:ident = |$a:ident $(, $b:ident)?| $body:expr;)*) => {
        $(
            #[inline(always)]
            fn $name(&mut self, $a: u64 $(, $b: u64)?) -> u64 {
                ($body) & Self::MASK
            }
        )*
    };
}

/// The search for a fitting word, out of the way of the common case.
#[cold]
#[inline(never)]
fn search<const W: u32>(from: u64, ones: u64, zeros: u64) -> (u64, bool) {
    bits::least_fitting(&mut Native::<W>, from, ones, zeros)
}

impl<const W: u32> Bits for Native<W> {
    type Word = u64;
    type Bool = bool;

    #[inline(always)]
    fn word(&mut self, width: u32, value: u64) -> u64 {
        debug_assert_eq!(width, W, "one width only");
        value & Self::MASK
    }
    #[inline(always)]
    fn truth(&mut self, value: bool) -> bool {
        value
    }
    #[inline(always)]
    fn width(&self, _: u64) -> u32 {
        W
    }

    words! {
        add = |a, b| a.wrapping_add(b);
        sub = |a, b| a.wrapping_sub(b);
        mul = |a, b| a.wrapping_mul(b);
        umulh = |a, b| ((u128::from(a) * u128::from(b)) >> W) as u64;
        smulh = |a, b| ((i128::from(Self::signed(a)) * i128::from(Self::signed(b))) >> W) as u64;
        udiv = |a, b| a.checked_div(b).unwrap_or(u64::MAX);
        urem = |a, b| a.checked_rem(b).unwrap_or(a);
        sdiv = |a, b| match (Self::signed(a), Self::signed(b)) {
            (a, 0) => if a < 0 { 1 } else { u64::MAX },
            (a, b) => a.wrapping_div(b) as u64,
        };
        srem = |a, b| match (Self::signed(a), Self::signed(b)) {
            (a, 0) => a as u64,
            (a, b) => a.wrapping_rem(b) as u64,
        };
        and = |a, b| a & b;
        or = |a, b| a | b;
        xor = |a, b| a ^ b;
        not = |a| !a;
        shl = |a, b| if b < u64::from(W) { a << b } else { 0 };
        lshr = |a, b| if b < u64::from(W) { a >> b } else { 0 };
        ashr = |a, b| (Self::signed(a) >> b.min(63)) as u64;
        popcount = |a| u64::from(a.count_ones());
        leading_zeros = |a| u64::from(a.leading_zeros() - (64 - W));
        trailing_zeros = |a| u64::from(a.trailing_zeros().min(W));
        smear_right = |a| u64::MAX.checked_shr(a.leading_zeros()).unwrap_or(0);
    }

    // Most bounds fit the known bits as they are: a branch saves the search.
    #[inline(always)]
    fn least_fitting(&mut self, from: u64, ones: u64, zeros: u64) -> (u64, bool) {
        let wrong = (from & zeros) | (!from & ones);
        if wrong == 0 { (from, false) } else { search::<W>(from, ones, zeros) }
    }

    // Words have one width, so a change of width is a mistake of the caller.
    #[inline(always)]
    fn truncate(&mut self, a: u64, width: u32) -> u64 {
        debug_assert_eq!(width, W, "one width only");
        a
    }
    #[inline(always)]
    fn zero_extend(&mut self, a: u64, width: u32) -> u64 {
        debug_assert_eq!(width, W, "one width only");
        a
    }
    #[inline(always)]
    fn sign_extend(&mut self, a: u64, width: u32) -> u64 {
        debug_assert_eq!(width, W, "one width only");
        a
    }

    #[inline(always)]
    fn eq(&mut self, a: u64, b: u64) -> bool {
        a == b
    }
    #[inline(always)]
    fn ult(&mut self, a: u64, b: u64) -> bool {
        a < b
    }
    #[inline(always)]
    fn slt(&mut self, a: u64, b: u64) -> bool {
        Self::signed(a) < Self::signed(b)
    }
    #[inline(always)]
    fn both(&mut self, a: bool, b: bool) -> bool {
        a & b
    }
    #[inline(always)]
    fn either(&mut self, a: bool, b: bool) -> bool {
        a | b
    }
    #[inline(always)]
    fn negate(&mut self, a: bool) -> bool {
        !a
    }
    #[inline(always)]
    fn select(&mut self, condition: bool, then: u64, other: u64) -> u64 {
        if condition { then } else { other }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use planish_ops::{Int, Machine};

    /// Every primitive of `Native<W>` on a pair of words, beside `Machine`'s.
    fn compare<const W: u32>(x: u64, y: u64) {
        let (a, b) = (Int::new(W, x), Int::new(W, y));
        let (x, y) = (a.unsigned(), b.unsigned());
        let (mut n, mut m) = (Native::<W>, Machine);
        macro_rules! binary {
            ($($name:ident)*) => {
                $(assert_eq!(n.$name(x, y), m.$name(a, b).unsigned(), "{} {a:?} {b:?}", stringify!($name));)*
            };
        }
        macro_rules! unary {
            ($($name:ident)*) => {
                $(assert_eq!(n.$name(x), m.$name(a).unsigned(), "{} {a:?}", stringify!($name));)*
            };
        }
        macro_rules! relation {
            ($($name:ident)*) => {
                $(assert_eq!(n.$name(x, y), m.$name(a, b), "{} {a:?} {b:?}", stringify!($name));)*
            };
        }
        binary! { add sub mul umulh smulh udiv urem sdiv srem and or xor shl lshr ashr smin smax umin umax }
        unary! { not neg popcount leading_zeros trailing_zeros smear_right zero one ones signed_min signed_max mask_amount }
        relation! { eq ne ult slt ule sle }
    }

    #[test]
    fn the_search_for_a_fitting_word_agrees_at_every_word_of_eight_bits() {
        let (mut n, mut m) = (Native::<8>, Machine);
        for ones in 0..256u64 {
            // Every way to know the other bits, by going through the subsets of them.
            let rest = !ones & 0xff;
            let mut zeros = rest;
            loop {
                for from in 0..256 {
                    let word = |a| Int::new(8, a);
                    let fast = n.least_fitting(from, ones, zeros);
                    let (least, none) = m.least_fitting(word(from), word(ones), word(zeros));
                    assert_eq!(fast.1, none, "{from:08b} {ones:08b} {zeros:08b}");
                    assert!(none || fast.0 == least.unsigned(), "{from:08b} {ones:08b} {zeros:08b}");
                }
                if zeros == 0 {
                    break;
                }
                zeros = (zeros - 1) & rest;
            }
        }
    }

    #[test]
    fn native_words_compute_what_machine_words_compute() {
        for x in 0..64 {
            for y in 0..64 {
                compare::<6>(x, y);
            }
        }
        let edges = [
            0,
            1,
            2,
            7,
            31,
            32,
            63,
            64,
            0x7fff_ffff,
            0x8000_0000,
            u64::MAX,
            1 << 63,
            i64::MAX as u64,
            0xdead_beef_0123_4567,
        ];
        for x in edges {
            for y in edges {
                compare::<32>(x, y);
                compare::<64>(x, y);
            }
        }
    }
}
