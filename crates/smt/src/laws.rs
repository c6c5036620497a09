//! Divisions known by their laws only.
//!
//! That (x % y) % y = x % y needs nothing of a remainder but that it is less than the divisor, and that a number less
//! than the divisor is its own remainder. As a circuit it is two dividers of 64 rows, which nobody sees through. So a
//! query with divisions by unknowns is asked at first with new words in place of quotients and remainders, of which
//! some laws are said. What has no model then has none at all; a model says nothing.
//!
//! The laws, |x| being the magnitude read as unsigned, of q = x / y and r = x % y:
//!
//! ```text
//! unsigned   y = 0 or r < y;      r <= x;    q <= x;     q = 0 exactly where x < y, and then r = x
//!            y <= x and x - y < y gives q = 1 and r = x - y
//! signed     y = 0 or |r| < |y|;  |r| <= |x|;  |q| <= |x|;  q = 0 exactly where |x| < |y|, and then r = x
//!            |y| <= |x| and |x| - |y| < |y| gives |q| = 1 and |r| = |x| - |y|;  r = 0 or r has the sign of x
//!            y = 0, q = 0 or q = -2^(w-1), or q is negative where one of x and y is
//! ```

use planish_base::Id;
use planish_ops::Bits;

use crate::query::Query;
use crate::signature::{Binary, Sort};
use crate::term::{Node, Pool, Term};

/// The query with divisions by unknowns known by their laws; `None` where there are none.
pub(crate) fn relaxed(pool: &mut Pool, query: &Query) -> Option<Query> {
    let mut laws = Vec::new();
    let mut images: Vec<Option<Term>> = vec![None; pool.len()];
    for (index, _) in pool.reachable(&query.assertions).into_iter().enumerate().filter(|&(_, r)| r) {
        let term = Term::from_index(index);
        let image = pool.rebuilt(term, &images);
        images[index] = Some(match pool.node(image) {
            Node::Binary(op @ (Binary::Udiv | Binary::Urem | Binary::Sdiv | Binary::Srem), x, y)
                if pool.value(y).is_none() =>
            {
                let sort = Sort::Bits(pool.width(x));
                let word = pool.fresh(&format!("{op:?}!{index}"), sort);
                laws.push(law(pool, op, x, y, word));
                word
            }
            _ => image,
        });
    }
    if laws.is_empty() {
        return None;
    }
    let image = |t: &Term| images[t.index()].expect("assertions are reached");
    let assertions = query.assertions.iter().map(image).chain(laws).collect();
    Some(Query::new(assertions))
}

/// What holds of a quotient or remainder.
pub(crate) fn law(pool: &mut Pool, op: Binary, x: Term, y: Term, result: Term) -> Term {
    let zero = pool.zero(x);
    let by_zero = pool.eq(y, zero);
    let is_signed = matches!(op, Binary::Sdiv | Binary::Srem);
    let [size_x, size_y, size] =
        [x, y, result].map(|word| if is_signed { magnitude(pool, word) } else { word });
    let is_small = pool.ult(size_x, size_y);
    let less = pool.sub(size_x, size_y);
    let (is_not_small, is_rest) = (pool.negate(is_small), pool.ult(less, size_y));
    let fits_once = pool.both(is_not_small, is_rest);
    let mut laws = Vec::new();
    match op {
        Binary::Udiv | Binary::Sdiv => {
            let none = pool.eq(result, zero);
            laws.push(pool.same(is_small, none));
            let (most, one) = (pool.ule(size, size_x), pool.one(x));
            laws.push(pool.either(by_zero, most));
            let once_is = pool.eq(size, one);
            laws.push(pool.implies(fits_once, once_is));
            if is_signed {
                let [differ, is_negative] = [pool.xor(x, y), result].map(|word| pool.is_negative(word));
                let signs = pool.same(is_negative, differ);
                // The least number by -1 is no word, and is itself.
                let least = pool.signed_min(x);
                let wraps = pool.eq(result, least);
                let other = pool.either(none, wraps);
                let any = pool.either(by_zero, other);
                laws.push(pool.either(any, signs));
            }
        }
        _ => {
            let (itself, below) = (pool.eq(result, x), pool.ult(size, size_y));
            laws.push(pool.implies(is_small, itself));
            laws.push(pool.either(by_zero, below));
            laws.push(pool.ule(size, size_x));
            let what_is_left = pool.eq(size, less);
            laws.push(pool.implies(fits_once, what_is_left));
            if is_signed {
                let (none, differ) = (pool.eq(result, zero), pool.xor(result, x));
                let differs = pool.is_negative(differ);
                let same = pool.negate(differs);
                laws.push(pool.either(none, same));
            }
        }
    }
    let always = pool.truth(true);
    laws.into_iter().fold(always, |all, law| pool.both(all, law))
}

/// |x|, read as unsigned.
fn magnitude(pool: &mut Pool, x: Term) -> Term {
    let (negative, negated) = (pool.is_negative(x), pool.neg(x));
    pool.select(negative, negated, x)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Model;
    use crate::term::Variable;
    use crate::value::{Value, binary};

    /// At every dividend and divisor of small widths the true result keeps the laws, and where the laws leave no choice
    /// they name it.
    #[test]
    fn divisions_keep_their_laws_at_every_value() {
        for width in 1..=4 {
            for op in [Binary::Udiv, Binary::Urem, Binary::Sdiv, Binary::Srem] {
                let mut pool = Pool::new();
                let [x, y, r] = ["x", "y", "r"].map(|name| pool.variable(name, Sort::Bits(width)));
                let law = law(&mut pool, op, x, y, r);
                let words = || (0..1 << width).map(|value| Value::bits(width, value));
                let mut excluded = 0;
                for (a, b) in words().flat_map(|a| words().map(move |b| (a, b))) {
                    for c in words() {
                        let mut model = Model::new();
                        for (index, value) in [a, b, c].into_iter().enumerate() {
                            model.set(Variable::from_index(index), value);
                        }
                        let keeps = model.evaluate(&pool, &[law])[0].truth();
                        assert!(keeps || c != binary(op, a, b), "{op:?} {a} {b}");
                        excluded += u32::from(!keeps);
                    }
                }
                assert!(width == 1 || excluded > 0, "{op:?} has laws that say something");
            }
        }
    }
}
