//! The theorem behind division by multiplication, in integer arithmetic.
//!
//! A division by a constant d is a multiplication by m and a shift by p (Granlund and Montgomery,
//! "Division by Invariant Integers using Multiplication", PLDI 1994). Rules that use it compute m and p, certify
//! them by exact checks, and rest on the theorem here: no solver decides it in bit-vectors at 32 or 64
//! bits, and in integers it is a matter of identities between polynomials.
//!
//! ```text
//! certificate   m d = 2^p + e,  0 <= e <= 2^(p - w)             unsigned dividends, 0 <= x < 2^w
//!               m d = 2^p + e,  0 <  e <= 2^(p - w + 1)         signed ones, -2^(w-1) <= x < 2^(w-1)
//! theorem       with q and s from m x = 2^p q + s, 0 <= s < 2^p:
//!               d q <= x < d q + d                for x >= 0, so q is the quotient
//!               d k <= -x < d k + d, k = -(q + 1)   for x < 0, so q + 1 is the quotient, rounded to zero
//! ```
//!
//! The definition of q, multiplied by d, gives 2^p (x - d q) = d s - e x, from which both bounds follow by the certificates of the lemmas
//! *magic from 0 on* and *magic below 0* ([`crate::integers`]), for all w and p at once: no solver is asked. [`certifies`] is the
//! certificate as a function; a test holds theorem and certificate together at every value of 8 bits. That the rule itself
//! follows from the theorem is asked at every width ([`crate::certified`]).

use planish_ops::Int;
use planish_smt::{Builtin, Solver};

use crate::integers;
use crate::ledger::{Entry, Expected, Fingerprint, Premise, Record, Standing, TimeClass};

/// The widths at which the theorems are recorded.
pub const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// The two theorems.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dividends {
    /// 0 <= x < 2^w
    Unsigned,
    /// -2^(w-1) <= x < 2^(w-1)
    Signed,
}

/// Both.
pub const THEOREMS: [Dividends; 2] = [Dividends::Unsigned, Dividends::Signed];

impl Dividends {
    /// The theorem's name in the ledger.
    pub fn theorem(self) -> &'static str {
        match self {
            Dividends::Unsigned => "magic unsigned",
            Dividends::Signed => "magic signed",
        }
    }
}

/// What a certified rule rests on at a width.
pub fn premises(width: u32) -> Vec<Premise> {
    let premise = |d: &Dividends| Premise::new(d.theorem(), width.to_string());
    THEOREMS.iter().map(premise).collect()
}

/// Whether m and p = w + `shift` certify division by d at its width, m being given modulo 2^w and
/// having w + 1 bits where `long`.
pub fn certifies(dividends: Dividends, m: Int, long: bool, shift: u32, d: Int) -> bool {
    let width = d.width();
    if shift >= width || d.unsigned() == 0 {
        return false;
    }
    // Below 2^128: the multiplier has at most w + 1 bits and the divisor w, and if the sum does not fit the
    // multiplier is far too large.
    let low = u128::from(m.unsigned()) * u128::from(d.unsigned());
    let carried = if long { u128::from(d.unsigned()) << width } else { 0 };
    let (Some(product), power) = (low.checked_add(carried), 1u128 << (width + shift)) else { return false };
    let Some(excess) = product.checked_sub(power) else { return false };
    match dividends {
        Dividends::Unsigned => excess <= 1 << shift,
        Dividends::Signed => 0 < excess && excess <= 1 << (shift + 1),
    }
}

/// The lemmas about integers on which the theorems rest.
const LEMMAS: [&str; 2] = ["magic from 0 on", "magic below 0"];

/// The theorem at a width is the lemmas with 2^w in the place of N.
fn hash(dividends: Dividends, width: u32) -> Fingerprint {
    let width = width.to_string();
    let lemmas: Vec<String> = LEMMAS.iter().map(|name| integers::named(name).hash().to_string()).collect();
    Fingerprint::of([dividends.theorem(), &width].into_iter().chain(lemmas.iter().map(String::as_str)))
}

/// What the ledger must hold of the theorems.
pub fn expected() -> Vec<Expected> {
    let part = |dividends, width: u32| (width.to_string(), hash(dividends, width));
    THEOREMS
        .iter()
        .map(|&d| Expected {
            theorem: d.theorem().to_owned(),
            parts: WIDTHS.iter().map(|&width| part(d, width)).collect(),
        })
        .collect()
}

/// The theorems, which rest on lemmas about integers.
pub fn records() -> Vec<Record> {
    let entry = |dividends, width: u32| Entry {
        part: width.to_string(),
        standing: Standing::Proved,
        hash: hash(dividends, width),
        by: Builtin::default().name().to_owned(),
        time: TimeClass::Instant,
        premises: LEMMAS.iter().map(|name| integers::named(name).premise()).collect(),
        note: String::new(),
    };
    let record = |&dividends: &Dividends| Record {
        theorem: dividends.theorem().to_owned(),
        entries: WIDTHS.iter().map(|&width| entry(dividends, width)).collect(),
    };
    THEOREMS.iter().map(record).collect()
}

#[cfg(test)]
mod tests {
    use planish_rules::guess;

    use super::*;

    /// Every multiplier, shift and divisor of 8 bits that has a certificate, at every dividend.
    #[test]
    fn what_is_certified_divides_at_every_value_of_8_bits() {
        let mut certified = [0u32; 2];
        for (d, m, shift, long) in (1..=255u64).flat_map(|d| {
            (0..=255u64).flat_map(move |m| (0..8u32).flat_map(move |s| [false, true].map(|l| (d, m, s, l))))
        }) {
            let whole = (m + if long { 256 } else { 0 }) as i64;
            let (divisor, multiplier) = (Int::new(8, d), Int::new(8, m));
            if certifies(Dividends::Unsigned, multiplier, long, shift, divisor) {
                certified[0] += 1;
                for x in 0..256i64 {
                    assert_eq!((whole * x) >> (8 + shift), x / d as i64, "{x} / {d} by {whole}, {shift}");
                }
            }
            if d < 128 && certifies(Dividends::Signed, multiplier, long, shift, divisor) {
                certified[1] += 1;
                for x in -128..128i64 {
                    let quotient = ((whole * x) >> (8 + shift)) + i64::from(x < 0);
                    assert_eq!(quotient, x / d as i64, "{x} / {d} by {whole}, {shift}");
                }
            }
        }
        assert!(certified.iter().all(|&count| count > 200), "{certified:?}");
    }

    #[test]
    fn guesses_are_certified() {
        for d in [3u64, 5, 6, 7, 10, 641, 1_000_000_007] {
            let divisor = Int::new(32, d);
            if let (Some(m), Some(s)) = (guess::unsigned_multiplier(divisor), guess::unsigned_shift(divisor))
            {
                assert!(certifies(Dividends::Unsigned, m, false, s.unsigned() as u32, divisor), "{d}");
                let wrong = Int::new(32, m.unsigned() ^ 2);
                assert!(!certifies(Dividends::Unsigned, wrong, false, s.unsigned() as u32, divisor), "{d}");
            }
            let (m, s) = (guess::long_multiplier(divisor), guess::long_shift(divisor));
            let (m, s) = (m.expect("always found"), s.expect("always found").unsigned() as u32);
            if guess::unsigned_multiplier(divisor).is_none() {
                assert!(certifies(Dividends::Unsigned, m, true, s, divisor), "{d}");
            }
        }
    }

    #[test]
    fn every_width_has_its_theorem_and_its_lemmas() {
        let all = expected();
        assert_eq!(all.len(), 2);
        assert!(all.iter().all(|e| e.parts.len() == WIDTHS.len()));
        for record in records() {
            assert!(record.entries.iter().all(|entry| entry.premises.len() == LEMMAS.len()));
        }
    }
}
