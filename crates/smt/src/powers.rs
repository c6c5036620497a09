//! Strength reduction of a query: products and quotients by 1 << c as shifts, and products by -1.
//!
//! (x << c) / d where d = 1 << c is a divider that nobody sees through at 64 bits, and two shifts once d is known for what it is. A shift by an
//! unknown amount is split into cases later (`split`), and then nothing is left to be asked.
//!
//! ```text
//! x (-1) = -x
//! x (1 << c) = x << c                    of words of twice the width: 0 where c >= w
//! x / (1 << c) = x >>u c                 unsigned; -1 where c >= w
//! x % (1 << c) = x & ((1 << c) - 1)      unsigned
//! ```

use planish_base::Id;
use planish_ops::Bits;

use crate::query::Query;
use crate::signature::{Binary, Unary};
use crate::term::{Node, Pool, Term};
use crate::value::Value;

/// The query with variables that are said to be 1 << c replaced, and with shifts for products and quotients by such words.
pub(crate) fn as_shifts(pool: &mut Pool, query: &Query) -> Query {
    let mut assertions: Vec<Term> = query.assertions.iter().flat_map(|&a| pool.asserted(a)).collect();
    let mut said: Vec<Term> = Vec::new();
    while let Some((at, binding)) =
        assertions.iter().enumerate().find_map(|(at, &a)| Some((at, binding(pool, a)?)))
    {
        said.push(assertions.remove(at));
        assertions = rebuilt(pool, &assertions, Some(binding));
    }
    let mut assertions = rebuilt(pool, &assertions, None);
    assertions.extend(said);
    Query::new(assertions)
}

/// A variable and the power of two, of an unknown exponent in which it does not occur, that an assertion says it is.
fn binding(pool: &Pool, assertion: Term) -> Option<(Term, Term)> {
    let Node::Binary(Binary::Same, a, b) = pool.node(assertion) else { return None };
    [(a, b), (b, a)].into_iter().find(|&(variable, power)| {
        let Node::Variable(_) = pool.node(variable) else { return false };
        exponent(pool, power).is_some() && pool.unknowns(variable).is_disjoint(&pool.unknowns(power))
    })
}

/// The c of 1 << c.
fn exponent(pool: &Pool, term: Term) -> Option<Term> {
    let Node::Binary(Binary::Shl, one, c) = pool.node(term) else { return None };
    let is_one = pool.value(one) == Some(Value::bits(pool.width(one), 1));
    (is_one && pool.value(c).is_none()).then_some(c)
}

/// Assertions with something in the place of a variable, and shifts where there are powers of two.
fn rebuilt(pool: &mut Pool, assertions: &[Term], binding: Option<(Term, Term)>) -> Vec<Term> {
    let mut images: Vec<Option<Term>> = vec![None; pool.len()];
    for (index, _) in pool.reachable(assertions).into_iter().enumerate().filter(|&(_, reached)| reached) {
        let term = Term::from_index(index);
        images[index] = Some(match binding {
            Some((variable, power)) if variable == term => power,
            _ => {
                let image = pool.rebuilt(term, &images);
                as_shift(pool, image).unwrap_or(image)
            }
        });
    }
    assertions.iter().map(|term| images[term.index()].expect("assertions are reached")).collect()
}

/// A product or quotient by a power of two as a shift.
fn as_shift(pool: &mut Pool, term: Term) -> Option<Term> {
    let Node::Binary(op, x, y) = pool.node(term) else { return None };
    match op {
        Binary::Mul if pool.value(y) == Some(Value::bits(pool.width(y), u128::MAX)) => Some(pool.neg(x)),
        Binary::Mul => [(x, y), (y, x)].into_iter().find_map(|(x, y)| multiplied(pool, x, y)),
        Binary::Udiv => {
            let c = exponent(pool, y)?;
            let (fits, quotient, ones) = (is_amount(pool, c), pool.lshr(x, c), pool.ones(x));
            Some(pool.select(fits, quotient, ones))
        }
        Binary::Urem => {
            exponent(pool, y)?;
            let one = pool.one(y);
            let mask = pool.sub(y, one);
            Some(pool.and(x, mask))
        }
        _ => None,
    }
}

/// The product of x and a power of two, which may be one of half the width.
fn multiplied(pool: &mut Pool, x: Term, power: Term) -> Option<Term> {
    if let Some(c) = exponent(pool, power) {
        return Some(pool.shl(x, c));
    }
    let Node::Unary(Unary::ZeroExtend(_), narrow) = pool.node(power) else { return None };
    let c = exponent(pool, narrow)?;
    let (fits, zero) = (is_amount(pool, c), pool.zero(x));
    let amount = pool.zero_extend(c, pool.width(x));
    let shifted = pool.shl(x, amount);
    Some(pool.select(fits, shifted, zero))
}

/// Whether a shift by so much leaves a bit.
fn is_amount(pool: &mut Pool, c: Term) -> Term {
    let width = pool.width(c);
    // In few bits every amount may be below the width.
    if width < 8 && 1 << width <= width {
        return pool.truth(true);
    }
    let width = pool.word(width, u64::from(width));
    pool.ult(c, width)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Model;
    use crate::signature::Sort;
    use crate::term::Variable;

    /// Every word of small widths, and every amount, those of the width and more included.
    #[test]
    fn shifts_are_what_they_stand_for() {
        for width in 1..=4 {
            let mut pool = Pool::new();
            let [x, c] = ["x", "c"].map(|name| pool.variable(name, Sort::Bits(width)));
            let one = pool.one(x);
            let power = pool.shl(one, c);
            let [wide, wide_power] = [x, power].map(|word| pool.zero_extend(word, 2 * width));
            let words =
                [pool.mul(x, power), pool.udiv(x, power), pool.urem(x, power), pool.mul(wide, wide_power)];
            for word in words {
                let asked = pool.is_nonzero(word);
                let before = Query::new(vec![asked]);
                let after = as_shifts(&mut pool, &before);
                assert!(width == 1 || before != after, "{} stays", crate::print::term(&pool, word));
                let shifted = as_shift(&mut pool, word).unwrap_or(word);
                for bits in 0..1u128 << (2 * width) {
                    let mut model = Model::new();
                    for index in 0..2 {
                        model.set(
                            Variable::from_index(index),
                            Value::bits(width, bits >> (index * width as usize)),
                        );
                    }
                    let values = model.evaluate(&pool, &[word, shifted]);
                    assert_eq!(values[0], values[1], "{} at {bits:b}", crate::print::term(&pool, word));
                }
            }
        }
    }

    #[test]
    fn a_variable_that_is_said_to_be_a_power_is_replaced() {
        let mut pool = Pool::new();
        let [x, c, d] = ["x", "c", "d"].map(|name| pool.variable(name, Sort::Bits(64)));
        let one = pool.one(x);
        let (power, circular) = (pool.shl(one, c), pool.shl(one, d));
        let quotient = pool.udiv(x, d);
        let asked = pool.ult(quotient, x);
        for (power, is_replaced) in [(power, true), (circular, false)] {
            let said = pool.eq(d, power);
            let query = Query::new(vec![said, asked]);
            let shifts = as_shifts(&mut pool, &query);
            assert_eq!(shifts != query && shifts.assertions.contains(&said), is_replaced);
        }
    }
}
