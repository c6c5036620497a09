//! Lemmas: statements that lead from what a theorem is given to what it claims.
//!
//! That x & y lies at most the bits of x that y may lack below a word of an interval is a chain of small
//! steps, each of which a solver takes at once: how far x lies above the least word, what is taken away, that neither sum
//! wraps. To find the chain is what it takes minutes for. So the chain is said here, for the
//! operations whose bounds come from sums and shifts.
//!
//! A lemma is a hint and nothing else: it is used only where it was shown to follow from what is given and the
//! lemmas before it. What it says of the transfer function is said in terms of the function's own expressions.

use planish_ops::{Bits, Op};

use crate::backward::convert;
use crate::calc::calc;
use crate::fact::{FactOf, constant, is_between, is_constant, unsigned_max};
use crate::forward::shift::lshift_fits;
use crate::forward::{arith, bitwise};

mod products;
mod quotients;
mod shifts;

/// What leads through the proof of a theorem: of which words the contracts are needed, and the lemmas.
pub(crate) struct Guide<B: Bits> {
    /// The operation, and its result on the words.
    op: Option<(Op, B::Word)>,
    facts: Vec<FactOf<B>>,
    words: Vec<B::Word>,
    /// The members, the result, and what lies between them.
    witnesses: Vec<B::Word>,
    /// The amount of a shift, of which the first fact that is tightened is.
    amount: Option<B::Word>,
    /// Whether it is given that the result does not overflow.
    is_exact: bool,
}

impl<B: Bits> Guide<B> {
    /// For a theorem about an operation on members `words` of `facts`, and its result.
    pub fn new(
        b: &mut B,
        op: Option<(Op, B::Word)>,
        facts: &[FactOf<B>],
        words: &[B::Word],
        is_exact: bool,
    ) -> Self {
        let mut witnesses = words.to_vec();
        let mut amount = None;
        if let Some((op, value)) = op {
            // The fact of a product or quotient is made from the ends of others, which keep nothing of its operands, but for a
            // divisor, whose members of either sign are looked at apart.
            match op {
                _ if facts.len() != 2 => {}
                Op::Mul
                | Op::MulOvf
                | Op::UmulOvf
                | Op::Umulh
                | Op::Smulh
                | Op::Udiv
                | Op::Urem
                | Op::FloorMod => {
                    witnesses.clear();
                }
                Op::Sdiv | Op::FloorDiv | Op::Srem => {
                    witnesses.remove(0);
                }
                _ => {}
            }
            witnesses.push(value);
            match op {
                Op::Neg | Op::Abs => witnesses.push(b.neg(words[0])),
                // By complement.
                Op::Or => {
                    let complements: Vec<B::Word> = witnesses.iter().map(|&w| b.not(w)).collect();
                    witnesses.extend(complements);
                }
                Op::Lshift | Op::Rshift | Op::Urshift | Op::Rotl | Op::Rotr => {
                    amount = Some(b.mask_amount(words[1]));
                }
                _ => {}
            }
        }
        Guide { op, facts: facts.to_vec(), words: words.to_vec(), witnesses, amount, is_exact }
    }

    /// The conditions by which the proof is split: it is made once for each way in which they may hold or not.
    pub fn cases(&self, b: &mut B) -> Vec<B::Bool> {
        let Some((op, value)) = self.op else { return Vec::new() };
        match (op, &self.words[..]) {
            (Op::Trunc, _) if self.facts.len() == 2 => {
                let (signed, unsigned) = convert::fits(b, self.facts[0], b.width(value));
                vec![signed, unsigned]
            }
            (Op::Min | Op::Max, &[x, y, ..]) => vec![b.slt(x, y)],
            (Op::Umin | Op::Umax, &[x, y, ..]) => vec![b.ult(x, y)],
            (Op::Abs | Op::ForceGeZero, &[x, ..]) => vec![b.is_negative(x)],
            // Of 0 nothing is claimed, and it is on neither side.
            (Op::Sdiv | Op::FloorDiv | Op::Srem, &[_, y]) if self.facts.len() == 2 => {
                let zero = b.zero(y);
                vec![b.is_negative(y), b.eq(y, zero)]
            }
            (Op::Select, &[condition, ..]) => vec![b.is_nonzero(condition)],
            (Op::Mul | Op::MulOvf | Op::UmulOvf, _) if self.is_of_factors() => {
                products::cases_of_factors(b, [self.facts[0], self.facts[1]], self.is_exact)
            }
            _ => Vec::new(),
        }
    }

    /// The words of which contracts are needed when so many facts have been tightened.
    pub fn witnesses(&self, tightened: usize) -> &[B::Word] {
        match (&self.amount, tightened) {
            (Some(amount), 0) => std::slice::from_ref(amount),
            _ if self.is_of_factors() => self.factor(tightened),
            _ => &self.witnesses,
        }
    }

    /// Whether the theorem is about what a product tells of its factors.
    fn is_of_factors(&self) -> bool {
        matches!(self.op, Some((Op::Mul | Op::MulOvf | Op::UmulOvf, _))) && self.facts.len() == 3
    }

    /// The factor of which the fact is that is tightened next: first the one, then the other, and so again. Before them comes that of
    /// a product which may overflow.
    fn factor(&self, tightened: usize) -> &[B::Word] {
        match tightened.checked_sub(usize::from(!self.is_exact)) {
            None => &[],
            Some(index) => std::slice::from_ref(&self.words[index % 2]),
        }
    }

    /// Dividend and divisor of the quotient that is asked for after so many others: each factor is the product by the other.
    pub fn quotient(&self, before: usize) -> Option<[B::Word; 2]> {
        let (_, product) = self.op.filter(|_| self.is_of_factors())?;
        Some([product, *self.words.get(1usize.checked_sub(before)?)?])
    }

    /// Whether the proof needs that bounds which are moved into an interval are inside: that positive divisors are positive, and
    /// that what was shifted down can be shifted up again.
    pub fn needs_bounds_inside(&self) -> bool {
        match self.op {
            Some((Op::Sdiv | Op::FloorDiv | Op::Srem, _)) => self.facts.len() == 2,
            Some((Op::Rshift | Op::Urshift, _)) => self.facts.len() == 3,
            _ => false,
        }
    }

    /// The lemmas that speak of what is given, in order; none where it needs none.
    pub fn lemmas(&self, b: &mut B) -> Vec<B::Bool> {
        let mut lemmas = Vec::new();
        let Some((op, value)) = self.op else { return lemmas };
        if let (Op::Trunc, &[f, _], &[x]) = (op, &self.facts[..], &self.words[..]) {
            extensions(b, &mut lemmas, f, [x, value]);
        }
        let (&[f, g, ..], &[x, y, ..]) = (&self.facts[..], &self.words[..]) else { return lemmas };
        match op {
            Op::And => and(b, &mut lemmas, [f, g], [x, y]),
            Op::Or => {
                let (f, g) = (bitwise::not(b, f), bitwise::not(b, g));
                let (x, y) = (b.not(x), b.not(y));
                and(b, &mut lemmas, [f, g], [x, y]);
            }
            Op::Xor => match self.facts.get(2) {
                None => xor(b, &mut lemmas, [f, g], [x, y], value),
                Some(&r) => {
                    xor(b, &mut lemmas, [r, g], [value, y], x);
                    xor(b, &mut lemmas, [r, f], [value, x], y);
                }
            },
            Op::Add | Op::AddOvf | Op::UaddOvf => match self.facts.get(2) {
                None => sum(b, &mut lemmas, [f, g], [x, y], value),
                Some(&r) => {
                    difference(b, &mut lemmas, [r, f], [value, x], y);
                    difference(b, &mut lemmas, [r, g], [value, y], x);
                }
            },
            Op::Sub | Op::SubOvf | Op::UsubOvf => match self.facts.get(2) {
                None => difference(b, &mut lemmas, [f, g], [x, y], value),
                Some(&r) => {
                    sum(b, &mut lemmas, [r, g], [value, y], x);
                    difference(b, &mut lemmas, [f, r], [x, value], y);
                }
            },
            Op::Mul | Op::MulOvf | Op::UmulOvf if self.facts.len() == 2 => {
                products::lemmas(b, &mut lemmas, [f, g], [x, y]);
            }
            Op::Smulh if self.facts.len() == 2 => products::corners(b, &mut lemmas, [f, g], [x, y]),
            Op::Umulh if self.facts.len() == 2 => products::unsigned_ends(b, &mut lemmas, [f, g], [x, y]),
            Op::Udiv => match self.facts.get(2) {
                None => quotients::unsigned(b, &mut lemmas, [f, g], [x, y]),
                Some(&r) => quotients::unsigned_dividend(b, &mut lemmas, [g, r], [x, y, value]),
            },
            Op::Sdiv | Op::FloorDiv if self.facts.len() == 3 => {
                quotients::signed_dividend(b, &mut lemmas, op, [g, self.facts[2]], [x, y, value]);
            }
            Op::Mul | Op::MulOvf | Op::UmulOvf => {
                let is_signed = !(self.is_exact && op == Op::UmulOvf);
                products::factors(b, &mut lemmas, [f, g], [x, y, value], [is_signed, self.is_exact]);
            }
            Op::Urem | Op::Srem | Op::FloorMod if self.facts.len() == 3 => {
                quotients::low_bits(b, &mut lemmas, g, [x, y], value);
            }
            Op::Urem => quotients::unsigned_rest(b, &mut lemmas, [f, g], [x, y], value),
            Op::Srem | Op::FloorMod => quotients::signed_rest(b, &mut lemmas, op, [f, g], [x, y], value),
            // The amount is y and a mask.
            Op::Lshift | Op::Rshift | Op::Urshift | Op::Rotl | Op::Rotr if b.width(y).is_power_of_two() => {
                let mask = b.word(b.width(y), u64::from(b.width(y)) - 1);
                let known = constant(b, mask);
                and(b, &mut lemmas, [g, known], [y, mask]);
            }
            _ => {}
        }
        lemmas
    }

    /// The conditions by which the proof is split once these have been tightened: backwards, a shift tells something only where its amount is known.
    pub fn cases_after(&self, b: &mut B, tightened: &[FactOf<B>]) -> Vec<B::Bool> {
        match (self.op, tightened) {
            (Some((Op::Rshift | Op::Urshift, _)), &[amount]) if self.facts.len() == 3 => {
                vec![is_constant(b, amount)]
            }
            (Some((Op::Lshift, _)), &[amount]) if self.facts.len() == 3 => {
                vec![is_constant(b, amount), lshift_fits(b, self.facts[0], amount)]
            }
            _ => Vec::new(),
        }
    }

    /// The lemmas that speak of the last of the facts that have been tightened.
    pub fn lemmas_after(&self, b: &mut B, tightened: &[FactOf<B>]) -> Vec<B::Bool> {
        let (Some((op, value)), &[.., fact]) = (self.op, tightened) else { return Vec::new() };
        if let (Some(divide), &[f, _], &[x, y]) = (quotients::rounding(op), &self.facts[..], &self.words[..])
        {
            // The divisors below 0 come first, then those above.
            return match tightened.len() {
                1 | 2 => quotients::signed(b, divide, [f, fact], [x, y, value], tightened.len() == 1),
                _ => Vec::new(),
            };
        }
        let (Some(by), &[x, ..]) = (self.amount, &self.words[..]) else { return Vec::new() };
        match (op, &self.facts[..], tightened) {
            (_, &[f, _], [_]) => shifts::lemmas(b, op, [f, fact], [x, by, value]),
            // Backwards, x is the result rotated back.
            (Op::Rotl, &[_, _, result], [_]) => shifts::lemmas(b, Op::Rotr, [result, fact], [value, by, x]),
            (Op::Rotr, &[_, _, result], [_]) => shifts::lemmas(b, Op::Rotl, [result, fact], [value, by, x]),
            (Op::Lshift, &[f, _, result], &[amount]) => {
                shifts::shifted_out(b, [f, amount, result], [x, by, value])
            }
            (Op::Rshift | Op::Urshift, &[_, _, _], &[amount]) => {
                shifts::by_constant(b, op, amount, [x, by, value])
            }
            (Op::Rshift | Op::Urshift, &[_, _, _], &[amount, result]) => {
                shifts::unshifted(b, op, [amount, result], [x, value])
            }
            _ => Vec::new(),
        }
    }
}

/// That x is what its low bits `value` extend to, where its fact fits so few bits.
fn extensions<B: Bits>(b: &mut B, lemmas: &mut Vec<B::Bool>, f: FactOf<B>, [x, value]: [B::Word; 2]) {
    let (signed, unsigned) = convert::fits(b, f, b.width(value));
    let wide = b.width(x);
    let (sign_extended, zero_extended) = (b.sign_extend(value, wide), b.zero_extend(value, wide));
    for (fits, extended) in [(signed, sign_extended), (unsigned, zero_extended)] {
        lemmas.push(calc!(b; implies(fits, eq(x, extended))));
    }
}

/// A distance and its greatest value.
type Distance<W> = (W, W);

/// How far a member lies above the least.
fn above<B: Bits>(b: &mut B, lemmas: &mut Vec<B::Bool>, f: FactOf<B>, x: B::Word) -> Distance<B::Word> {
    let (distance, span) = (b.sub(x, f.lo), b.sub(f.hi, f.lo));
    lemmas.push(b.ule(distance, span));
    (distance, span)
}

/// How far a member lies below the greatest.
fn below<B: Bits>(b: &mut B, lemmas: &mut Vec<B::Bool>, f: FactOf<B>, x: B::Word) -> Distance<B::Word> {
    let (distance, span) = (b.sub(f.hi, x), b.sub(f.hi, f.lo));
    lemmas.push(b.ule(distance, span));
    (distance, span)
}

/// Those of x + y.
fn sum<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    [f, g]: [FactOf<B>; 2],
    [x, y]: [B::Word; 2],
    value: B::Word,
) {
    let distances = [above(b, lemmas, f, x), above(b, lemmas, g, y)];
    let (from, to) = (b.add(f.lo, g.lo), b.add(f.hi, g.hi));
    let fits = arith::spans_fit(b, f, g);
    reached(b, lemmas, fits, distances, [value, from, to]);
}

/// Those of x - y.
fn difference<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    [f, g]: [FactOf<B>; 2],
    [x, y]: [B::Word; 2],
    value: B::Word,
) {
    let distances = [above(b, lemmas, f, x), below(b, lemmas, g, y)];
    let (from, to) = (b.sub(f.lo, g.hi), b.sub(f.hi, g.lo));
    let fits = arith::spans_fit(b, f, g);
    reached(b, lemmas, fits, distances, [value, from, to]);
}

/// That `value` is in the circular interval, being `from` and two distances, where their spans fit.
fn reached<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    fits: B::Bool,
    [(first, first_span), (second, second_span)]: [Distance<B::Word>; 2],
    [value, from, to]: [B::Word; 3],
) {
    let (distance, span) = (b.add(first, second), b.add(first_span, second_span));
    lemmas.push(calc!(b; implies(fits, ule(distance, span))));
    lemmas.push(calc!(b; eq(sub(value, from), distance)));
    lemmas.push(calc!(b; eq(sub(to, from), span)));
    lemmas.push(is_between(b, fits, value, from, to));
}

/// Those of x & y.
fn and<B: Bits>(b: &mut B, lemmas: &mut Vec<B::Bool>, [f, g]: [FactOf<B>; 2], [x, y]: [B::Word; 2]) {
    let value = b.and(x, y);
    // In the unsigned order.
    let ones = b.and(f.ones, g.ones);
    let (most_f, most_g) = (unsigned_max(b, f), unsigned_max(b, g));
    let most = b.umin(most_f, most_g);
    for (low, high) in [(value, x), (value, y), (x, most_f), (y, most_g), (ones, value), (value, most)] {
        lemmas.push(b.ule(low, high));
    }
    let always = b.truth(true);
    lemmas.push(is_between(b, always, value, ones, most));
    // By distance from either operand.
    let zero = b.zero(x);
    for (f, g, x, y) in [(f, g, x, y), (g, f, y, x)] {
        let less = calc!(b; not(or(f.zeros, g.ones)));
        let lost = calc!(b; and(x, not(y)));
        near(b, lemmas, f, x, [(lost, less), (zero, zero)], value);
    }
    sign_bits(b, lemmas, [f, g], [x, y, value]);
}

/// Those of x ^ y.
fn xor<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    [f, g]: [FactOf<B>; 2],
    [x, y]: [B::Word; 2],
    value: B::Word,
) {
    let common = calc!(b; not(or(f.zeros, g.zeros)));
    let lost = b.and(x, y);
    for (f, g, x, y) in [(f, g, x, y), (g, f, y, x)] {
        let only = calc!(b; not(or(g.zeros, f.ones)));
        let gained = calc!(b; and(y, not(x)));
        near(b, lemmas, f, x, [(lost, common), (gained, only)], value);
    }
    sign_bits(b, lemmas, [f, g], [x, y, value]);
}

/// That `value`, which is x less `lost` and `gained`, is as near to the interval of x as their masks say.
fn near<B: Bits>(
    b: &mut B,
    lemmas: &mut Vec<B::Bool>,
    f: FactOf<B>,
    x: B::Word,
    [(lost, less), (gained, more)]: [Distance<B::Word>; 2],
    value: B::Word,
) {
    let (fits, from, to) = bitwise::around(b, f, less, more);
    let (distance, span) = above(b, lemmas, f, x);
    let kept = b.sub(less, lost);
    lemmas.push(b.ule(kept, less));
    lemmas.push(b.ule(gained, more));
    let (farther, wider) = (b.add(distance, kept), b.add(span, less));
    lemmas.push(calc!(b; implies(ule(span, wider), ule(farther, wider))));
    let (farthest, widest) = (b.add(farther, gained), b.add(wider, more));
    lemmas.push(calc!(b; implies(fits, ule(farthest, widest))));
    let sum = calc!(b; add(sub(x, lost), gained));
    lemmas.push(b.eq(value, sum));
    lemmas.push(calc!(b; eq(sub(value, from), farthest)));
    lemmas.push(calc!(b; eq(sub(to, from), widest)));
    lemmas.push(is_between(b, fits, value, from, to));
}

/// That words of which two are members of facts, and the third a bitwise function of these, fit the signed bits.
fn sign_bits<B: Bits>(b: &mut B, lemmas: &mut Vec<B::Bool>, [f, g]: [FactOf<B>; 2], words: [B::Word; 3]) {
    let mask = bitwise::signed_mask(b, f, g);
    let last = b.word(b.width(mask), u64::from(b.width(mask)) - 1);
    let zero = b.zero(mask);
    for word in words {
        lemmas.push(calc!(b; eq(and(xor(word, ashr(word, last)), not(mask)), zero)));
    }
    let (always, from) = (b.truth(true), b.not(mask));
    lemmas.push(is_between(b, always, words[2], from, mask));
}
