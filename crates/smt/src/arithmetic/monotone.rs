//! Products of twice the width, which lose nothing, in the order of their factors.
//!
//! The bounds of a product of two intervals are among the products of their ends. That is so because a product grows with a
//! factor where the other is not negative and falls where it is not positive, and nothing else has to be known of products.

use planish_ops::Bits;

use super::products::extended;
use super::words::state;
use crate::term::{Pool, Term};

/// A product of words of half its width.
#[derive(Clone, Copy, PartialEq)]
struct Wide {
    signed: bool,
    factors: [Term; 2],
    word: Term,
}

impl Wide {
    fn all(pool: &Pool, products: &[[Term; 3]]) -> Vec<Wide> {
        let wide = |&product: &[Term; 3]| {
            let (signed, x, y) = extended(pool, product)?;
            Some(Wide { signed, factors: [x, y], word: product[2] })
        };
        products.iter().filter_map(wide).collect()
    }

    /// Whether anything is said of two.
    fn speaks_of(self, other: Wide) -> bool {
        let [a, b] = other.factors;
        self.common(other).is_some()
            || (self.signed != other.signed && [[a, b], [b, a]].contains(&self.factors))
    }

    /// The factor that both have, and the other of each.
    fn common(self, other: Wide) -> Option<(Term, Term, Term)> {
        let ways = [(0, 0), (0, 1), (1, 0), (1, 1)];
        let (i, j) = ways.into_iter().find(|&(i, j)| self.factors[i] == other.factors[j])?;
        (self.signed == other.signed && self != other).then_some((
            self.factors[i],
            self.factors[1 - i],
            other.factors[1 - j],
        ))
    }
}

/// Whether two products have a factor in common, or the same factors are multiplied signed and unsigned.
pub(super) fn speaks(pool: &Pool, products: &[[Term; 3]]) -> bool {
    let wide = Wide::all(pool, products);
    wide.iter().enumerate().any(|(index, &one)| wide[..index].iter().any(|&other| one.speaks_of(other)))
}

/// The order of each two with a common factor, and the sign of each.
pub(super) fn monotone(pool: &mut Pool, products: &[[Term; 3]], facts: &mut Vec<Term>) {
    let wide = Wide::all(pool, products);
    for (index, &one) in wide.iter().enumerate() {
        for &other in &wide[..index] {
            if let Some((kept, x, a)) = one.common(other) {
                ordered(pool, one.signed, kept, [(x, one.word), (a, other.word)], facts);
            }
        }
        if one.signed {
            let [x, kept] = one.factors;
            let (zero, nothing) = (pool.zero(x), pool.zero(one.word));
            ordered(pool, true, kept, [(x, one.word), (zero, nothing)], facts);
        }
    }
}

/// The order of the products of two words by one that is kept.
fn ordered(
    pool: &mut Pool,
    signed: bool,
    kept: Term,
    [(x, of_x), (a, of_a)]: [(Term, Term); 2],
    facts: &mut Vec<Term>,
) {
    if !signed {
        for (less, more, low, high) in [(x, a, of_x, of_a), (a, x, of_a, of_x)] {
            let (given, then) = (pool.ule(less, more), pool.ule(low, high));
            state(pool, [given], then, facts);
        }
        return;
    }
    let zero = pool.zero(kept);
    let (grows, falls) = (pool.sle(zero, kept), pool.sle(kept, zero));
    for (less, more, low, high) in [(x, a, of_x, of_a), (a, x, of_a, of_x)] {
        let given = pool.sle(less, more);
        for (sign, low, high) in [(grows, low, high), (falls, high, low)] {
            let then = pool.sle(low, high);
            state(pool, [sign, given], then, facts);
        }
    }
}
