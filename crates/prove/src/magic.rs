//! The theorem behind division by multiplication, in integer arithmetic.
//!
//! A division by a constant d is a multiplication by m and a shift by p (Granlund and Montgomery,
//! "Division by Invariant Integers using Multiplication", PLDI 1994). Rules that use it compute m and p, certify
//! them by exact checks, and rest on the theorem here: no solver decides it in bit-vectors at 32 or 64
//! bits, and in integers it is linear once products of two unknowns have names.
//!
//! ```text
//! certificate   m d = 2^p + e,  0 <= e <= 2^(p - w)             unsigned dividends, 0 <= x < 2^w
//!               m d = 2^p + e,  0 <  e <= 2^(p - w + 1)         signed ones, -2^(w-1) <= x < 2^(w-1)
//! theorem       with q and s from m x = 2^p q + s, 0 <= s < 2^p:
//!               d q <= x < d q + d                for x >= 0, so q is the quotient
//!               d k <= -x < d k + d, k = -(q + 1)   for x < 0, so q + 1 is the quotient, rounded to zero
//! ```
//!
//! The question multiplies the definition of q by d, which gives 2^p (x - d q) = d s - e x, and names the
//! products *dq*, *ds* and *ex*. Two lemmas speak of them, both instances of: products of nonnegative numbers
//! grow with their factors.
//!
//! 1. 0 <= s <= 2^p - 1 and d >= 1 give 0 <= ds <= 2^p d - d.
//! 2. Bounds of e and |x| give bounds of e |x|.
//!
//! With p a number the rest is linear, and there is one question for each w and p. [`certifies`] is the
//! certificate as a function; a test holds theorem and certificate together at every value of 8 bits. That the rule itself
//! follows from the theorem is asked at every width ([`crate::certified`]).

use std::fmt::Write;

use planish_ops::Int;
use planish_smt::Verdict;

use crate::claim::WIDTHS;
use crate::engine::Engine;
use crate::ledger::{Entry, Expected, Fingerprint, Premise, Record, Standing, TimeClass};
use crate::question::Options;

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
    let premise = |d: &Dividends| Premise { theorem: d.theorem().to_owned(), part: width.to_string() };
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

/// 2^exponent in decimal; exponents are below 2 w, so at most 127.
fn power(exponent: u32) -> String {
    (1u128 << exponent).to_string()
}

/// The question for a width and a shift of the high word.
pub fn question(dividends: Dividends, width: u32, shift: u32) -> String {
    let p = power(width + shift);
    let mut text = String::from("(set-logic QF_LIA)\n");
    for name in ["x", "d", "dq", "ds", "ex"] {
        let _ = writeln!(text, "(declare-const {name} Int)");
    }
    let _ = writeln!(text, "(assert (>= d 1))");
    let _ = writeln!(text, "(assert (and (<= 0 ds) (<= ds (- (* {p} d) d))))");
    match dividends {
        Dividends::Unsigned => {
            // e x <= 2^shift (2^w - 1)
            let most = format!("(- {p} {})", power(shift));
            let _ = writeln!(text, "(assert (and (<= 0 x) (< x {})))", power(width));
            let _ = writeln!(text, "(assert (and (<= 0 ex) (<= ex {most})))");
            let _ = writeln!(text, "(assert (= (* {p} (- x dq)) (- ds ex)))");
            let _ = writeln!(text, "(assert (not (and (<= dq x) (< x (+ dq d)))))");
        }
        Dividends::Signed => {
            // x stands for the absolute value; ex for e times it.
            let half = power(width - 1);
            let most = format!("(- {p} {})", power(shift + 1));
            let right = format!(
                "(and (<= 0 x) (< x {half}) (<= 0 ex) (<= ex {most}) (= (* {p} (- x dq)) (- ds ex)) \
                 (not (and (<= dq x) (< x (+ dq d)))))"
            );
            // m (-x) = 2^p q + s: 2^p (-x - dq) = ds + ex, and dk = -dq - d.
            let left = format!(
                "(and (<= 1 x) (<= x {half}) (<= 1 ex) (<= ex {p}) (= (* {p} (- (- x) dq)) (+ ds ex)) \
                 (not (and (<= (- (- dq) d) x) (< x (- dq)))))"
            );
            let _ = writeln!(text, "(assert (or {right} {left}))");
        }
    }
    text.push_str("(check-sat)\n");
    text
}

fn questions(dividends: Dividends, width: u32) -> Vec<String> {
    (0..width).map(|shift| question(dividends, width, shift)).collect()
}

/// What the ledger must hold of the theorems. Needs no solver.
pub fn expected() -> Vec<Expected> {
    let part = |dividends, width: u32| {
        (width.to_string(), Fingerprint::of(questions(dividends, width).iter().map(String::as_str)))
    };
    THEOREMS
        .iter()
        .map(|&d| Expected {
            theorem: d.theorem().to_owned(),
            parts: WIDTHS.iter().map(|&width| part(d, width)).collect(),
        })
        .collect()
}

/// Proves the theorems. An error names the question that was answered `sat` and shows a fault in this file.
pub fn prove(options: &Options) -> Result<Vec<Record>, String> {
    THEOREMS.iter().map(|&dividends| prove_one(dividends, &options.engine, options)).collect()
}

fn prove_one(dividends: Dividends, engine: &Engine, options: &Options) -> Result<Record, String> {
    let mut entries = Vec::new();
    for width in WIDTHS {
        let texts = questions(dividends, width);
        let mut entry = Entry {
            part: width.to_string(),
            standing: Standing::Proved,
            hash: Fingerprint::of(texts.iter().map(String::as_str)),
            by: String::new(),
            time: TimeClass::Instant,
            premises: Vec::new(),
            note: "in integers, by the lemmas on products that prove::magic states".to_owned(),
        };
        for text in &texts {
            let answer = engine.ask_text(text, &mut options.budget());
            entry.by = answer.by;
            entry.time = entry.time.max(TimeClass::of(answer.work));
            match answer.verdict {
                Verdict::Unsat => {}
                Verdict::Sat(_) => return Err(format!("{} is wrong:\n{text}", dividends.theorem())),
                Verdict::Unknown(why) => {
                    entry.standing = Standing::Open;
                    entry.note = format!("held by test at every value of 8 bits; {why}");
                    break;
                }
            }
        }
        entries.push(entry);
    }
    Ok(Record { theorem: dividends.theorem().to_owned(), entries })
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
    fn questions_name_every_width_once() {
        let all = expected();
        assert_eq!(all.len(), 2);
        assert!(all.iter().all(|e| e.parts.len() == WIDTHS.len()));
        assert!(question(Dividends::Signed, 64, 63).contains("(* 170141183460469231731687303715884105728 "));
    }
}
