use planish_base::Id;
use planish_ops::{Bits as _, Op};

use super::numbers::orders;
use super::words::meaning;
use super::*;
use crate::query::Model;
use crate::signature::Sort;
use crate::term::Variable;
use crate::value::Value;

type Words = [Term; 3];
type Claim = fn(&mut Pool, Words) -> Vec<Term>;

/// Terms in which every theorem finds what it speaks of.
const SUBJECTS: [(&str, Claim); 43] = [
    ("inverted operands, rounded down", |p, [x, y, _]| {
        let not = p.not(x);
        [Op::FloorDiv, Op::FloorMod].map(|op| meaning(p, op, not, y).0).to_vec()
    }),
    ("compared shifts", |p, [x, a, d]| {
        let (down, signed) = (p.lshr(x, a), p.ashr(x, a));
        vec![
            p.ult(down, d),
            p.ult(d, down),
            p.slt(signed, d),
            p.slt(d, signed),
            p.ult(down, a),
            p.slt(a, signed),
        ]
    }),
    ("shifts", |p, [x, a, b]| {
        let (up, down, signed) = (p.shl(x, a), p.lshr(x, a), p.ashr(x, a));
        vec![p.shl(up, b), p.lshr(down, b), p.ashr(signed, b)]
    }),
    ("shifts there and back", |p, [x, a, b]| {
        let (up, down, signed) = (p.shl(x, a), p.lshr(x, a), p.ashr(x, a));
        vec![p.lshr(up, b), p.ashr(up, b), p.shl(down, b), p.shl(signed, b), p.ashr(down, b)]
    }),
    ("products of shifted words", |p, [x, a, b]| {
        let (up, other) = (p.shl(x, a), p.shl(b, a));
        let product = p.mul(x, b);
        vec![p.mul(up, b), p.mul(b, up), p.mul(up, other), p.shl(product, a)]
    }),
    ("shifts of sums", |p, [x, y, c]| {
        let parts = [p.add(x, y), p.sub(x, y), p.and(x, y), p.or(x, y), p.xor(x, y)];
        parts.into_iter().flat_map(|word| [p.shl(word, c), p.lshr(word, c), p.ashr(word, c)]).collect()
    }),
    ("rotations", |p, [x, a, b]| {
        let width = p.word(p.width(x), u64::from(p.width(x)));
        let mut rotated = |x: Term, by: Term| {
            let (up, rest) = (p.shl(x, by), p.sub(width, by));
            let down = p.lshr(x, rest);
            p.or(up, down)
        };
        let by_any = rotated(x, a);
        let by_any = rotated(by_any, b);
        let once = meaning(p, Op::Rotl, x, a).0;
        let counted = p.popcount(once);
        vec![by_any, meaning(p, Op::Rotl, once, b).0, meaning(p, Op::Rotr, once, a).0, counted]
    }),
    ("extended operands", |p, [x, y, _]| {
        let half = p.width(x).div_ceil(2);
        let [x, y] = [x, y].map(|word| p.truncate(word, half));
        let [a, b] = [x, y].map(|word| p.sign_extend(word, 2 * half));
        let [c, d] = [x, y].map(|word| p.zero_extend(word, 2 * half));
        let one = p.one(a);
        vec![
            p.sdiv(a, b),
            p.srem(a, b),
            p.udiv(c, d),
            p.urem(c, d),
            p.sdiv(a, one),
            p.urem(c, one),
            p.sdiv(c, d),
        ]
    }),
    ("shifts by one amount", |p, [x, y, a]| {
        let (up, down, signed) = (p.shl(x, a), p.lshr(x, a), p.ashr(x, a));
        let (sum, other) = (p.add(down, y), p.xor(up, y));
        vec![p.lshr(up, a), p.ashr(up, a), p.shl(down, a), p.shl(signed, a), p.shl(sum, a), p.lshr(other, a)]
    }),
    ("wide products", |p, [x, c, y]| {
        let (low, high) = (p.umulh(x, c), p.umulh(y, c));
        let (signed, product) = (p.smulh(x, c), p.mul(x, c));
        vec![low, high, signed, p.udiv(product, c)]
    }),
    ("wide products with signs", |p, [x, c, y]| vec![p.smulh(x, c), p.smulh(c, y), p.smulh(x, x)]),
    ("multiples of powers of two", |p, [x, y, z]| {
        let [one, other] = [x, z].map(|word| {
            let negated = p.neg(word);
            p.and(word, negated)
        });
        vec![p.mul(one, other), p.mul(x, y), p.mul(y, z), p.mul(y, y)]
    }),
    ("multiples of a power of two", |p, [x, y, z]| {
        let negated = p.neg(z);
        let rest = meaning(p, Op::FloorMod, x, y).0;
        vec![p.and(z, negated), p.mul(x, y), p.urem(x, y), p.srem(x, y), rest]
    }),
    ("dividends", |p, [x, y, _]| {
        let quotients = [p.udiv(x, y), p.sdiv(x, y), meaning(p, Op::FloorDiv, x, y).0];
        quotients.map(|quotient| p.mul(quotient, y)).into_iter().chain(quotients).collect()
    }),
    ("ordered remainders", |p, [x, y, z]| vec![p.urem(x, y), p.urem(z, y)]),
    ("ordered quotients", |p, [x, y, z]| {
        vec![p.udiv(x, y), p.udiv(z, y), p.udiv(x, z), p.sdiv(x, y), p.sdiv(z, y), p.sdiv(x, z)]
    }),
    ("ordered quotients, rounded down", |p, [x, y, z]| {
        [[x, y], [z, y], [x, z]].map(|[x, y]| meaning(p, Op::FloorDiv, x, y).0).to_vec()
    }),
    ("compared quotients", |p, [x, y, d]| {
        let (q, s, down) = (p.udiv(x, y), p.sdiv(x, y), meaning(p, Op::FloorDiv, x, y).0);
        vec![p.ult(q, d), p.slt(s, d), p.slt(d, down)]
    }),
    ("quotients beside factors", |p, [x, y, d]| {
        let (q, s, down) = (p.udiv(x, y), p.sdiv(x, y), meaning(p, Op::FloorDiv, x, y).0);
        vec![q, s, down, p.mul(d, y)]
    }),
    ("negated operands", |p, [x, y, _]| {
        let (minus_x, minus_y) = (p.neg(x), p.neg(y));
        [(x, y), (minus_x, y), (x, minus_y), (minus_x, minus_y)]
            .into_iter()
            .flat_map(|(a, b)| [p.sdiv(a, b), p.srem(a, b)])
            .collect()
    }),
    ("negated operands, unsigned", |p, [x, y, _]| {
        let (minus_x, minus_y) = (p.neg(x), p.neg(y));
        let operands = [(x, y), (minus_x, y), (x, minus_y), (minus_x, minus_y)];
        let unsigned = operands.into_iter().flat_map(|(a, b)| [p.udiv(a, b), p.urem(a, b)]);
        let mut words: Vec<Term> = unsigned.collect();
        words.extend([p.sdiv(x, y), p.srem(x, y)]);
        words
    }),
    ("shifted quotients", |p, [x, b, c]| {
        let (down, quotient) = (p.lshr(x, c), p.udiv(x, b));
        vec![p.udiv(down, b), p.lshr(quotient, c)]
    }),
    ("signed and unsigned products", |p, [x, y, _]| vec![p.umulh(x, y), p.smulh(y, x)]),
    ("sums with the divisor", |p, [x, y, _]| {
        let sum = p.add(x, y);
        let [down, modulo] = [Op::FloorDiv, Op::FloorMod].map(|op| meaning(p, op, sum, y).0);
        vec![p.udiv(sum, y), p.urem(sum, y), p.sdiv(sum, y), p.srem(sum, y), down, modulo]
    }),
    ("sums with what divides", |p, [x, y, c]| {
        let sum = p.add(x, y);
        vec![p.udiv(sum, c), p.urem(sum, c), p.urem(y, c)]
    }),
    ("signed sums with what divides", |p, [x, y, c]| {
        let sum = p.add(x, y);
        let [down, modulo] = [Op::FloorDiv, Op::FloorMod].map(|op| meaning(p, op, sum, c).0);
        vec![p.sdiv(sum, c), p.srem(sum, c), down, modulo, p.srem(y, c)]
    }),
    ("signs", |p, [x, y, _]| vec![p.udiv(x, y), p.sdiv(x, y), p.urem(x, y), p.srem(x, y)]),
    ("nested quotients", |p, [x, a, b]| {
        let (q, s) = (p.udiv(x, a), p.sdiv(x, a));
        vec![p.udiv(q, b), p.sdiv(s, b)]
    }),
    ("nested remainders", |p, [x, a, b]| {
        let (r, s) = (p.urem(x, a), p.srem(x, a));
        vec![p.urem(r, b), p.srem(s, b)]
    }),
    ("rounded down", |p, [x, a, b]| {
        [Op::FloorDiv, Op::FloorMod]
            .map(|op| {
                let inner = meaning(p, op, x, a).0;
                meaning(p, op, inner, b).0
            })
            .to_vec()
    }),
    ("multiples", |p, [x, a, b]| {
        let product = p.mul(x, a);
        vec![p.udiv(product, a), p.urem(product, b), p.udiv(product, b), p.urem(a, b)]
    }),
    ("signed multiples", |p, [x, a, b]| {
        let product = p.mul(x, a);
        let asked = p.srem(a, b);
        vec![p.sdiv(product, a), p.srem(product, b), p.sdiv(product, b), p.srem(product, a), asked]
    }),
    ("whole multiples", |p, [x, c, _]| {
        let (r, s) = (p.urem(x, c), p.srem(x, c));
        let (n, m) = (p.sub(x, r), p.sub(x, s));
        let modulo = meaning(p, Op::FloorMod, x, c).0;
        let down = p.sub(x, modulo);
        vec![p.sdiv(down, c), p.udiv(n, c), p.sdiv(m, c), p.urem(n, c), p.srem(m, c)]
    }),
    ("by an inverse", |p, [n, c, i]| vec![p.udiv(n, c), p.sdiv(n, c), p.mul(n, i)]),
    ("by an inverse and a shift", |p, [n, c, i]| {
        let one = p.one(n);
        let (down, signed) = (p.lshr(n, one), p.ashr(n, one));
        vec![p.udiv(n, c), p.sdiv(n, c), p.mul(down, i), p.mul(signed, i)]
    }),
    ("multiples by divisors of the divisor", |p, [x, a, k]| {
        let (product, b) = (p.mul(x, a), p.mul(a, k));
        vec![p.udiv(product, b), p.urem(product, b), p.sdiv(product, b), p.srem(product, b)]
    }),
    ("sums with multiples", |p, [x, y, c]| {
        let multiple = p.mul(y, c);
        let sum = p.add(x, multiple);
        let [down, modulo] = [Op::FloorDiv, Op::FloorMod].map(|op| meaning(p, op, sum, c).0);
        vec![p.udiv(sum, c), p.urem(sum, c), p.sdiv(sum, c), p.srem(sum, c), down, modulo]
    }),
    ("what divides", |p, [n, c, i]| {
        let (product, zero) = (p.mul(n, i), p.zero(n));
        let (rest, signed) = (p.urem(n, c), p.srem(n, c));
        vec![product, p.eq(rest, zero), p.eq(signed, zero)]
    }),
    ("which remainder", |p, [n, c, i]| {
        let one = p.one(n);
        let (above, rest) = (p.sub(n, one), p.urem(n, c));
        vec![p.mul(above, i), p.eq(rest, one)]
    }),
    ("inverses that are asked", |p, [x, c, y]| {
        let (i, one) = (p.mul(c, c), p.one(c));
        let (product, other, unit) = (p.mul(x, c), p.mul(y, y), p.mul(c, i));
        vec![p.eq(product, other), p.eq(unit, one)]
    }),
    ("ranges of products", |p, [x, a, b]| {
        let (low, high) = (p.smulh(x, a), p.umulh(x, a));
        let (product, below, above) = (p.mul(x, a), p.slt(a, b), p.ult(b, x));
        vec![low, high, below, above, p.sdiv(product, a), p.udiv(product, b)]
    }),
    ("ordered products", |p, [x, c, y]| {
        let (a, b, zero) = (p.mul(x, c), p.mul(y, c), p.zero(x));
        vec![p.slt(a, b), p.ult(b, a), p.eq(a, b), p.slt(a, zero), p.slt(zero, b), p.ult(zero, a)]
    }),
    ("odd multiples", |p, [x, c, y]| {
        let (a, b, zero) = (p.mul(x, c), p.mul(y, c), p.zero(x));
        vec![p.eq(a, b), p.eq(a, zero), p.eq(a, y)]
    }),
];

/// Every instance holds at every value of small widths, and most are conditions that are met.
#[test]
fn instances_hold_at_every_value() {
    for width in 1..=4 {
        for (name, subject) in SUBJECTS {
            let mut pool = Pool::new();
            let words = ["x", "a", "b"].map(|name| pool.variable(name, Sort::Bits(width)));
            let terms = subject(&mut pool, words);
            let asked = terms
                .into_iter()
                .map(|t| if pool.sort(t) == Sort::Bool { t } else { pool.is_nonzero(t) })
                .collect();
            let asked = Query::new(asked);
            let mut facts = instances(&mut pool, &asked);
            facts.extend(shifts(&mut pool, &asked));
            // These are many.
            if width < 4 {
                facts.extend(orders(&mut pool, &asked));
            }
            let facts = facts.terms;
            assert!(!facts.is_empty(), "{name} at {width}");
            for bits in 0..1u128 << (3 * width) {
                let mut model = Model::new();
                for index in 0..3 {
                    let value = Value::bits(width, bits >> (index * width as usize));
                    model.set(Variable::from_index(index), value);
                }
                for (fact, holds) in facts.iter().zip(model.evaluate(&pool, &facts)) {
                    let text = || crate::print::term(&pool, *fact);
                    assert!(holds.truth(), "{name} at {width}, {bits:b}: {}", text());
                }
            }
        }
    }
}

/// The same at random words of the widths that programs have, small ones and such as divide each other among them.
#[test]
fn instances_hold_at_wide_words() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        let (kind, bits) = (state % 4, state >> 8);
        match kind {
            0 => bits % 24,
            1 => (bits % 24).wrapping_neg(),
            2 => 1 << (bits % 64),
            _ => bits.wrapping_mul(state),
        }
    };
    for width in [8, 16, 32, 64] {
        for (name, subject) in SUBJECTS {
            let mut pool = Pool::new();
            let words = ["x", "a", "b"].map(|name| pool.variable(name, Sort::Bits(width)));
            let terms = subject(&mut pool, words);
            let truths = terms
                .into_iter()
                .map(|t| if pool.sort(t) == Sort::Bool { t } else { pool.is_nonzero(t) })
                .collect();
            let asked = Query::new(truths);
            let mut facts = instances(&mut pool, &asked);
            facts.extend(shifts(&mut pool, &asked));
            facts.extend(orders(&mut pool, &asked));
            let facts = facts.terms;
            for _ in 0..300 {
                let mut model = Model::new();
                for index in 0..3 {
                    let value = Value::bits(width, u128::from(random()));
                    model.set(Variable::from_index(index), value);
                }
                for (fact, holds) in facts.iter().zip(model.evaluate(&pool, &facts)) {
                    assert!(holds.truth(), "{name} at {width}: {}", crate::print::term(&pool, *fact));
                }
            }
        }
    }
}
