//! What the theorem about magic numbers says of the constants that a rule guesses, as facts about words.
//!
//! A rule marked `certified` divides x by a constant C and guesses constants. For each two of these, taken as multiplier M
//! and shift S, the theorem ([`crate::magic`]) has an instance in words of w bits, which is true whatever x, C, M and S
//! are: *if* M and S certify division by C, *then* the quotient is this. The question of the rule is asked with
//! these as premises, and with products and quotients unknown otherwise: the rule has to check enough to have the
//! certificate, and to build what the theorem speaks of or what is equal to it.
//!
//! ```text
//! H = umulh(M, C), L = M C modulo 2^w, U = umulh(x, M); M C = 2^w H + L
//! short     S < w, H = 2^S, L <= 2^S                                x / C = U >> S
//! long      0 < S < w, C <= C + H = 2^S, L <= 2^S                   x / C = (x + U) >> S
//! signed    S < w, 0 < C, H = 2^S, 0 < L <= 2^(S+1)                 x / C = (high word of x M >> S) + (x < 0)
//! floor     the same, with t = x >> (w - 1) and y = x ^ t >= 0      floor(x / C) = (umulh(y, M) >> S) ^ t
//! ```
//!
//! *short* is the unsigned theorem. *long* is, too, with the multiplier 2^w + M, whose product with C has the high word
//! C + H, which the sum is when it has no carry. U is at most x, and (x + U) >> 1 is ((x - U) >> 1) + U. *signed* is the signed theorem; the high word of the product of x
//! and M, which is never negative there, is `smulh(x, M)` where M has no sign bit, and that and x where it
//! has one. *floor*: y is x, or -x - 1, and floor(x / C) = -1 - floor((-x - 1) / C).

use planish_ops::{Bits, Datum, Floats, Op, Type};
use planish_rules::rule::{NodeKind, Rule, VarId, VarKind};

/// The operands of the division, the result in question, and two guesses.
#[derive(Clone, Copy)]
struct Instance<W> {
    x: W,
    c: W,
    m: W,
    s: W,
}

/// The instances of the theorem for a rule; `value` gives the word of a variable. Empty where the pattern is no division
/// of a value by a constant.
pub fn instances<B: Floats>(
    rule: &Rule,
    b: &mut B,
    types: &[Type],
    value: &dyn Fn(VarId) -> Option<B::Word>,
) -> Vec<B::Bool> {
    let NodeKind::Op(op, args) = &rule.terms[rule.pattern].kind else { return Vec::new() };
    let variable = |at: usize| match rule.terms[*args.get(at)?].kind {
        NodeKind::Var(var) => value(var),
        _ => None,
    };
    let (Some(x), Some(c)) = (variable(0), variable(1)) else { return Vec::new() };
    let of_root = |ty| planish_rules::eval::concrete(ty, types) == root_type(rule, types);
    let guessed: Vec<B::Word> = (rule.vars.iter())
        .filter(|(_, var)| var.kind == VarKind::Guessed && of_root(var.ty))
        .filter_map(|(id, _)| value(id))
        .collect();
    let mut facts = Vec::new();
    for (index, &m) in guessed.iter().enumerate() {
        for (_, &s) in guessed.iter().enumerate().filter(|&(other, _)| other != index) {
            facts.extend(of_division(b, *op, root_type(rule, types), Instance { x, c, m, s }));
        }
    }
    facts
}

fn root_type(rule: &Rule, types: &[Type]) -> Type {
    planish_rules::eval::concrete(rule.terms[rule.pattern].ty, types)
}

/// What holds of a division of x by C, whatever M and S are.
fn of_division<B: Floats>(b: &mut B, op: Op, ty: Type, at: Instance<B::Word>) -> Vec<B::Bool> {
    let Instance { x, c, m, .. } = at;
    let quotients: Vec<(B::Bool, B::Word)> = match op {
        Op::Udiv | Op::Urem => vec![short(b, at), long(b, at)],
        Op::Sdiv | Op::Srem => vec![signed(b, at)],
        Op::FloorDiv | Op::FloorMod => vec![floor(b, at)],
        _ => return Vec::new(),
    };
    let Some(meaning) = op.meaning(b, &[Datum::Word(x), Datum::Word(c)], &[ty]) else { return Vec::new() };
    let result = meaning.value.word();
    let mut facts: Vec<B::Bool> = (quotients.into_iter())
        .map(|(certified, quotient)| {
            let is_remainder = matches!(op, Op::Urem | Op::Srem | Op::FloorMod);
            let expected = if is_remainder {
                let whole = b.mul(quotient, c);
                b.sub(x, whole)
            } else {
                quotient
            };
            let holds = b.eq(result, expected);
            b.implies(certified, holds)
        })
        .collect();
    // Of products: U <= x, and nothing times M is nothing.
    let (high, product, zero) = (b.umulh(x, m), b.umulh(m, c), b.zero(x));
    facts.push(b.ule(high, x));
    let (by_zero, nothing) = (b.eq(c, zero), b.eq(product, zero));
    facts.push(b.implies(by_zero, nothing));
    facts
}

/// S < w, and 2^S.
fn power<B: Bits>(b: &mut B, s: B::Word) -> (B::Bool, B::Word) {
    let width = b.width(s);
    let width = b.word(width, u64::from(width));
    let one = b.word(b.width(s), 1);
    let (fits, power) = (b.ult(s, width), b.shl(one, s));
    // The width is no number of one bit, and 0 is the only shift.
    if b.width(s) == 1 {
        let zero = b.zero(s);
        return (b.eq(s, zero), one);
    }
    (fits, power)
}

fn short<B: Bits>(b: &mut B, Instance { x, c, m, s }: Instance<B::Word>) -> (B::Bool, B::Word) {
    let (fits, power) = power(b, s);
    let (high, low) = (b.umulh(m, c), b.mul(m, c));
    let (exact, close) = (b.eq(high, power), b.ule(low, power));
    let both = b.both(exact, close);
    let quotient = b.umulh(x, m);
    (b.both(fits, both), b.lshr(quotient, s))
}

fn long<B: Bits>(b: &mut B, Instance { x, c, m, s }: Instance<B::Word>) -> (B::Bool, B::Word) {
    let (fits, power) = power(b, s);
    let (high, low) = (b.umulh(m, c), b.mul(m, c));
    let sum = b.add(c, high);
    let (no_carry, exact, close) = (b.ule(c, sum), b.eq(sum, power), b.ule(low, power));
    let some = b.is_nonzero(s);
    let certified = [no_carry, exact, close, some].into_iter().fold(fits, |all, one| b.both(all, one));
    let one = b.word(b.width(x), 1);
    let high = b.umulh(x, m);
    let difference = b.sub(x, high);
    let half = b.lshr(difference, one);
    let (mean, less) = (b.add(half, high), b.sub(s, one));
    (certified, b.lshr(mean, less))
}

/// The certificate of the signed theorem.
fn signed_certificate<B: Bits>(b: &mut B, Instance { c, m, s, .. }: Instance<B::Word>) -> B::Bool {
    let (fits, power) = power(b, s);
    let (zero, one) = (b.zero(c), b.word(b.width(c), 1));
    let (high, low) = (b.umulh(m, c), b.mul(m, c));
    let positive = b.slt(zero, c);
    let exact = b.eq(high, power);
    let some = b.is_nonzero(low);
    // L <= 2^(S+1), which may be 2^w: (L - 1) / 2^S is 0 or 1.
    let less = b.sub(low, one);
    let shifted = b.lshr(less, s);
    let close = b.ule(shifted, one);
    [positive, exact, some, close].into_iter().fold(fits, |all, one| b.both(all, one))
}

fn signed<B: Bits>(b: &mut B, at: Instance<B::Word>) -> (B::Bool, B::Word) {
    let Instance { x, m, s, .. } = at;
    let certified = signed_certificate(b, at);
    let high = b.smulh(x, m);
    let (more, is_negative) = (b.add(high, x), b.is_negative(m));
    let high = b.select(is_negative, more, high);
    let top = b.word(b.width(x), u64::from(b.width(x) - 1));
    let (rounded_down, sign) = (b.ashr(high, s), b.ashr(x, top));
    (certified, b.sub(rounded_down, sign))
}

fn floor<B: Bits>(b: &mut B, at: Instance<B::Word>) -> (B::Bool, B::Word) {
    let Instance { x, m, s, .. } = at;
    let certified = signed_certificate(b, at);
    let top = b.word(b.width(x), u64::from(b.width(x) - 1));
    let sign = b.ashr(x, top);
    let size = b.xor(x, sign);
    let high = b.umulh(size, m);
    let quotient = b.lshr(high, s);
    (certified, b.xor(quotient, sign))
}

#[cfg(test)]
mod tests {
    use planish_ops::{Int, Machine};

    use super::*;

    /// The instances are facts: at every x, C, M and S of 2 to 5 bits, and where they say something it is enough to
    /// speak of several divisors.
    #[test]
    fn instances_hold_at_every_value_of_small_widths() {
        let ops = [Op::Udiv, Op::Urem, Op::Sdiv, Op::Srem, Op::FloorDiv, Op::FloorMod];
        for width in 2..=5u32 {
            let words = || (0..1u64 << width).map(move |v| Int::new(width, v));
            for op in ops {
                let mut certified = 0;
                for (c, m, s) in
                    words().flat_map(|c| words().flat_map(move |m| words().map(move |s| (c, m, s))))
                {
                    // A division by zero has no quotient, and no certificate.
                    for x in words() {
                        let at = Instance { x, c, m, s };
                        let b = &mut Machine;
                        let says = match op {
                            Op::Udiv | Op::Urem => short(b, at).0 || long(b, at).0,
                            _ => signed_certificate(b, at),
                        };
                        certified += u32::from(says);
                        assert!(!says || c.unsigned() != 0, "{op} by zero");
                        let facts = of_division(b, op, x.ty(), at);
                        assert!(facts.into_iter().all(|f| f), "{op} of {x} by {c} with {m} and {s}");
                    }
                }
                assert!(width < 4 || certified > 1 << width, "{op} at {width} bits: {certified}");
            }
        }
    }
}
