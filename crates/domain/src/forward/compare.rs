//! Comparisons, select and overflow bits: what is known of a condition.

use planish_base::fault;
use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{FactOf, choose, is_bottom, is_constant, join, meet, unsigned_max, unsigned_min};
use crate::truth::Truth;

/// x = y: never when no word is a member of both.
pub fn eq<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> Truth<B::Bool> {
    let common = meet(b, x, y);
    let never = is_bottom(b, common);
    let (fixed_x, fixed_y) = (is_constant(b, x), is_constant(b, y));
    let always = calc!(b; both(both(fixed_x, fixed_y), eq(x.lo, y.lo)));
    Truth { always, never }
}

/// x < y, signed
pub fn lt<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> Truth<B::Bool> {
    let least = if fault!("lt: always if the greatest are in order") { y.hi } else { y.lo };
    Truth { always: b.slt(x.hi, least), never: b.sle(y.hi, x.lo) }
}

/// x ≤ y, signed
pub fn le<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> Truth<B::Bool> {
    lt(b, y, x).negated()
}

/// x < y, unsigned
pub fn ult<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> Truth<B::Bool> {
    let (low_x, high_x) = (unsigned_min(b, x), unsigned_max(b, x));
    let (low_y, high_y) = (unsigned_min(b, y), unsigned_max(b, y));
    Truth { always: b.ult(high_x, low_y), never: b.ule(high_y, low_x) }
}

/// x ≤ y, unsigned
pub fn ule<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> Truth<B::Bool> {
    ult(b, y, x).negated()
}

/// x ≠ 0
pub fn is_true<B: Bits>(b: &mut B, x: FactOf<B>) -> Truth<B::Bool> {
    Truth::of_word(b, x)
}

/// x where the condition holds, else y.
pub fn select<B: Bits>(b: &mut B, condition: Truth<B::Bool>, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let either = join(b, x, y);
    let other = choose(b, condition.never, y, either);
    choose(b, condition.always, x, other)
}
