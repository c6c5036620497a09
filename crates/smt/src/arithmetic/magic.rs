//! Division by a constant as multiplication: the bits of a product from some place up are a quotient.
//!
//! With m d = 2^k + e and 0 <= e <= 2^(k - w), x / d is (x m) >> k for every x of w bits; signed, rounded down, with e of twice the range
//! and 1 more below 0 (Granlund and Montgomery, "Division by invariant integers using multiplication", PLDI 1994). For numbers d and m it is a
//! matter of computing k and e, so this is stated of each constant divisor beside each product of the dividend by a constant.

use planish_ops::Bits;

use super::words::{Division, Facts, Found, is_signed, pair};
use crate::query::Query;
use crate::signature::Unary;
use crate::term::{Node, Pool, Term};
use crate::theorems::Theorem;
use crate::value::Value;

/// What is said of quotients and remainders by constants; empty where nothing is.
pub(crate) fn magic(pool: &mut Pool, query: &Query) -> Facts {
    let found = Found::of(pool, query);
    let mut facts = Facts::default();
    facts.by(Theorem::Magic, |facts| {
        for &division in &found.divisions {
            for &[a, b, word] in &found.products {
                if let Some(multiple) = Multiple::of(pool, division, [a, b], word) {
                    multiple.state(pool, division, facts);
                }
            }
        }
    });
    facts
}

/// A product of the dividend and a number, which lies 2^k times above the quotient by a constant.
struct Multiple {
    word: Term,
    k: u32,
}

impl Multiple {
    /// `None` where the number is none for this divisor.
    fn of(pool: &mut Pool, division: Division, [a, b]: [Term; 2], word: Term) -> Option<Multiple> {
        let (signed, narrow, wide) = (is_signed(division.op), pool.width(division.x), pool.width(word));
        let extended = match pool.node(a) {
            Node::Unary(Unary::ZeroExtend(_), x) if !signed => x,
            Node::Unary(Unary::SignExtend(_), x) if signed => x,
            _ => return None,
        };
        let d = number(pool, division.y).filter(|&d| d > 1)?;
        if extended != division.x || (signed && d >> (narrow - 1) != 0) || wide > 2 * narrow || narrow > 64 {
            return None;
        }
        let mut m = number(pool, b)?;
        let mut word = word;
        if signed && m >> (wide - 1) == 1 {
            // A number from 2^(w-1) on is written as a negative word: what lacks is x 2^w.
            m = m.wrapping_add(1 << narrow) & (u128::MAX >> (128 - wide));
            let amount = pool.word(wide, u64::from(narrow));
            let lacking = pool.shl(a, amount);
            word = pool.add(word, lacking);
        }
        // The product fits.
        let bits = wide - narrow;
        let multiple = (m >> bits == 0 && m > 0).then(|| m.checked_mul(d)).flatten()?;
        let k = multiple.ilog2();
        let reach = if signed { narrow - 1 } else { narrow };
        let (excess, most) = (multiple - (1 << k), 1u128 << k.checked_sub(reach)?);
        (k < wide && excess <= most && (!signed || excess > 0)).then_some(Multiple { word, k })
    }

    /// Says what the quotient is, and the remainder.
    fn state(&self, pool: &mut Pool, Division { op, x, y, word }: Division, facts: &mut Vec<Term>) {
        let wide = pool.width(self.word);
        let amount = pool.word(wide, u64::from(self.k));
        let (quotient, remainder) = pair(op);
        let q = pool.binary(quotient, x, y);
        let then = if is_signed(op) {
            let (down, whole) = (pool.ashr(self.word, amount), pool.sign_extend(q, wide));
            let (negative, one) = (pool.is_negative(x), pool.one(down));
            let below = pool.sub(whole, one);
            let rounded = pool.select(negative, below, whole);
            pool.eq(down, rounded)
        } else {
            let (down, whole) = (pool.lshr(self.word, amount), pool.zero_extend(q, wide));
            pool.eq(down, whole)
        };
        facts.push(then);
        if op == remainder {
            let product = pool.mul(q, y);
            let rest = pool.sub(x, product);
            facts.push(pool.eq(word, rest));
        }
    }
}

/// The value of a constant.
fn number(pool: &Pool, term: Term) -> Option<u128> {
    match pool.value(term)? {
        Value::Bits { value, .. } => Some(value),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Model;
    use crate::signature::{Binary, Sort};
    use crate::term::Variable;
    use planish_base::Id;

    /// At every dividend, every divisor and every number of small widths what is said holds, and something is said of most divisors.
    #[test]
    fn quotients_are_bits_of_products() {
        for width in 2..=5 {
            for op in [Binary::Udiv, Binary::Urem, Binary::Sdiv, Binary::Srem] {
                let divisors = 2..1u64 << (width - u32::from(is_signed(op)));
                let mut spoken_of = 0;
                for d in divisors.clone() {
                    spoken_of +=
                        u32::from((0..1u64 << width).filter(|&m| holds(width, op, [d, m])).count() > 0);
                }
                assert!(2 * spoken_of >= divisors.count() as u32, "{op:?} at {width}: {spoken_of}");
            }
        }
    }

    /// Whether anything is said of a divisor and a number, which has to be true.
    fn holds(width: u32, op: Binary, [d, m]: [u64; 2]) -> bool {
        let mut pool = Pool::new();
        let x = pool.variable("x", Sort::Bits(width));
        let [y, factor] = [d, m].map(|number| pool.word(width, number));
        let high = if is_signed(op) { pool.smulh(x, factor) } else { pool.umulh(x, factor) };
        let division = pool.binary(op, x, y);
        let asked = [high, division].map(|word| pool.is_nonzero(word)).to_vec();
        let facts = magic(&mut pool, &Query::new(asked)).terms;
        for value in 0..1 << width {
            let mut model = Model::new();
            model.set(Variable::from_index(0), Value::bits(width, value));
            for (fact, holds) in facts.iter().zip(model.evaluate(&pool, &facts)) {
                assert!(holds.truth(), "{op:?} by {d}, {m}: {value}: {}", crate::print::term(&pool, *fact));
            }
        }
        !facts.is_empty()
    }
}
