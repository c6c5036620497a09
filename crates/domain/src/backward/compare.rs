//! What a condition that holds tells about its operands.

use planish_base::fault;
use planish_ops::Bits;

use crate::calc::calc;
use crate::fact::{
    FactOf, bottom, choose, constant, is_bottom, is_constant, meet, unsigned_max, unsigned_min, within,
    within_if,
};
use crate::forward;
use crate::truth::Truth;

/// x = y
pub fn eq<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let both = meet(b, x, y);
    (both, both)
}

/// x ≠ y: a constant on one side is cut off the ends of the other.
pub fn ne<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    (other_than(b, x, y), other_than(b, y, x))
}

/// x without the only member of y, as far as a fact can say so.
fn other_than<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> FactOf<B> {
    let fixed = is_constant(b, y);
    let one = b.one(x.lo);
    // All numbers but one are a circular interval.
    let (from, to) = (b.add(y.lo, one), b.sub(y.lo, one));
    let cut = within_if(b, fixed, x, from, to);
    // In one bit that interval would wrap onto itself: equal constants leave nothing.
    let gone = calc!(b; both(fixed, both(eq(x.lo, y.lo), eq(x.hi, y.lo))));
    let none = bottom(b, b.width(one));
    choose(b, gone, none, cut)
}

/// x < y, signed
pub fn lt<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (min, max, one) = (b.signed_min(x.lo), b.signed_max(x.lo), b.one(x.lo));
    let most = if fault!("lt backward: below the least") { y.lo } else { y.hi };
    let (below, above) = (b.sub(most, one), b.add(x.lo, one));
    let refined = (within(b, x, min, below), within(b, y, above, max));
    let never = forward::compare::lt(b, x, y).never;
    unless(b, never, refined)
}

/// x ≤ y, signed
pub fn le<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (min, max) = (b.signed_min(x.lo), b.signed_max(x.lo));
    (within(b, x, min, y.hi), within(b, y, x.lo, max))
}

/// x < y, unsigned
pub fn ult<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (zero, ones, one) = (b.zero(x.lo), b.ones(x.lo), b.one(x.lo));
    let (most_y, least_x) = (unsigned_max(b, y), unsigned_min(b, x));
    let (below, above) = (b.sub(most_y, one), b.add(least_x, one));
    let refined = (within(b, x, zero, below), within(b, y, above, ones));
    let never = forward::compare::ult(b, x, y).never;
    unless(b, never, refined)
}

/// x ≤ y, unsigned
pub fn ule<B: Bits>(b: &mut B, x: FactOf<B>, y: FactOf<B>) -> (FactOf<B>, FactOf<B>) {
    let (zero, ones) = (b.zero(x.lo), b.ones(x.lo));
    let (most_y, least_x) = (unsigned_max(b, y), unsigned_min(b, x));
    (within(b, x, zero, most_y), within(b, y, least_x, ones))
}

/// Both facts, or nothing if the condition never holds: the bounds next to it would wrap.
fn unless<B: Bits>(b: &mut B, never: B::Bool, (x, y): (FactOf<B>, FactOf<B>)) -> (FactOf<B>, FactOf<B>) {
    let none = bottom(b, b.width(x.lo));
    (choose(b, never, none, x), choose(b, never, none, y))
}

/// x ≠ 0
pub fn is_true<B: Bits>(b: &mut B, x: FactOf<B>) -> FactOf<B> {
    let zero = b.zero(x.lo);
    let zero = constant(b, zero);
    other_than(b, x, zero)
}

/// x = 0
pub fn is_zero<B: Bits>(b: &mut B, x: FactOf<B>) -> FactOf<B> {
    let zero = b.zero(x.lo);
    let zero = constant(b, zero);
    meet(b, x, zero)
}

/// r = x where the condition holds, else y: what follows for the condition, x and y.
pub fn select<B: Bits>(
    b: &mut B,
    r: FactOf<B>,
    condition: Truth<B::Bool>,
    x: FactOf<B>,
    y: FactOf<B>,
) -> (Truth<B::Bool>, FactOf<B>, FactOf<B>) {
    let (as_x, as_y) = (meet(b, x, r), meet(b, y, r));
    let (not_x, not_y) = (is_bottom(b, as_x), is_bottom(b, as_y));
    let always = b.either(condition.always, not_y);
    let never = b.either(condition.never, not_x);
    (Truth { always, never }, choose(b, always, as_x, x), choose(b, never, as_y, y))
}
