//! Theorems about products and quotients, as facts about the words of a query.
//!
//! That (x / a) / b is x / (a b) where a b does not overflow is known to everybody and found by no search at 64 bits: two
//! dividers and a multiplier are no circuit that a SAT solver sees through. So theorems that people know are *instantiated*
//! at the words of a query where their terms occur, and the query is asked with these facts, products and
//! quotients being unknown words otherwise. What has no model then has none at all; a model says nothing.
//!
//! a b fits if the product is that of the numbers, unsigned beside unsigned divisions and signed beside signed ones; x / y and
//! x % y are those of SMT-LIB, also for y = 0; floor and mod round down.
//!
//! ```text
//! nested      a b fits, a != 0 (signed: a != -1, b != 0)       (x / a) / b = x / (a b)
//!             a % b = 0                                        (x % a) % b = x % b
//!             a b fits, a > 0, b > 0                           floor(floor(x / a) / b) = floor(x / (a b))
//!             a % b = 0, a > 0, b > 0                          (x mod a) mod b = x mod b
//!             b << c loses nothing, b != 0                     (x >>u c) / b = (x / b) >>u c = x / (b << c)
//! multiple    x c fits                                         (x c) % c = 0,  and c != 0 gives (x c) / c = x
//!             x a fits, a % b = 0, b != 0                      (x a) % b = 0,  (x a) / b = x (a / b)
//!             x a fits, b % a = 0, a != 0, b != 0              (x a) / b = x / (b / a),  (x a) % b = (x % (b / a)) a
//! sum         a + b fits, b % c = 0, c != 0                    (a + b) % c = a % c,  (a + b) / c = a / c + b / c
//!             (signed: a and b have one sign; floor and mod of any)
//! exact       n = x - x % c                                    n % c = 0,      and c != 0 gives n / c = x / c
//!             n = x - x mod c fits                             n % c = 0
//!             n % c = 0, c i = 1                               n / c = n i
//!             n % c = 0, c = d << k, d i = 1                   n / c = (n >> k) i
//! odd         c is odd                                         x c = y c only where x = y;  x c = 0 only where x = 0
//!             c i = 1                                          x c = y only where x = y i
//! divisible   c i = 1, d < c                                   x % c = d exactly where (x - d) i <= (2^w - 1 - d) / c
//!             c i = 1, c > 1, m = (2^(w-1) - 1) / c            signed x % c = 0 exactly where x i + m <= 2 m, unsigned
//! signs       x >= 0, y >= 0                                   signed and unsigned x / y are one, and so are x % y
//!             y != 0                                           extended x / y is extended, and so is x % y
//!             (signed: x is not the least or y is not -1)
//! shifts      a + b has no carry                               (x >> a) >> b = x >> (a + b), and so for << and >>u
//!             a + b has a carry, or is the width or more       all bits are out
//!             x >> a loses no bit, b <= a                      (x >> a) << b = x >> (a - b), and so for << a >> b, and for >>u
//!             x >> a loses no bit, a <= b                      (x >> a) << b = x << (b - a), and so for << a >> b, and for >>u
//!             a != 0, a + b has no carry                       (x >>u a) >> b = x >>u (a + b)
//!                                                              (x >> a) << a = x & (-1 << a),  (x << a) >>u a = x & (-1 >>u a)
//!                                                              (x + y) << a = (x << a) + (y << a), and so for &, |, ^ and every shift
//!                                                              (x << a) y = x (y << a) = (x y) << a
//!             a and b are at most the width                    x rotated by a and by b is x rotated by a + b, less the width beyond it
//!             a is at most the width                          x rotated by a has as many ones as x
//!             d << a loses no bit, a < w                       x >> a < d exactly where x < d << a, and so for >>u
//!                                                              d < x >> a exactly where d << a | ~(-1 << a) < x
//!             e = d + 1 fits, e << a loses no bit, a < w       d < x >> a exactly where not x < e << a
//! zero        a b = 0 where a = 0 or b = 0, and only there if it fits;  1 b = b
//! division    q = x / y, y != 0 (signed: and it fits)          x = q y + x % y, as numbers
//! ordered     x c and y c fit, c > 0                           x c < y c exactly where x < y, and so for =
//!             x c and y c fit, c < 0, signed                   x c < y c exactly where y < x, and so for =
//! between     a <= x <= b, and a c and b c fit                 x c fits
//! wide        the low word of the whole product is the product
//! monotone    x <= a, c >= 0                                   the whole x c <= a c;  and a c <= x c where c <= 0
//! quotients   x <= a, c > 0                                   x / c <= a / c;  and a / c <= x / c where c < 0
//!             0 < c <= d or c <= d < 0                         x / d <= x / c where x >= 0;  x / c <= x / d where x <= 0
//!             x <= a, x / c = a / c                            x % c <= a % c
//! compared    y > 0, as numbers                               x / y < d exactly where x < d y;  d < x / y where d y + y <= x
//!             (signed: rounded up below 0)
//! negated     y != 0, and the negated fits                    (-x) / y = -(x / y) = x / (-y);  (-x) % y = -(x % y), x % (-y) = x % y
//!             y > 0                                            floor(~x / y) = ~floor(x / y);  ~x mod y = y - 1 - x mod y
//! magic       m d = 2^k + e, 0 <= e <= 2^(k-w), for numbers    x / d = (x m) >> k, unsigned;  signed rounded down, and 1 more below 0
//! low bits    2^i divides y                                    2^i divides x - x % y
//!             2^i divides x, 2^j divides y                     2^(i+j) divides x y
//! ```
//!
//! What each says of integers of any size is stated in `crates/prove/src/integers/lemmas.rs` with a certificate that is checked; how words
//! are such integers is tested here, at every value of small widths and at random ones of wide ones.
//!
//! *divisible* is from Warren, "Hacker's Delight" (2012), 10-17: x -> x i permutes the words, and takes c k to k.
//! What follows from the order of products is asked apart, in [`numbers`].

mod compared;
mod extended;
mod inverses;
mod low_bits;
mod magic;
mod monotone;
mod negated;
pub(crate) mod numbers;
mod ordered_quotients;
mod products;
mod quotients;
mod shifts;
#[cfg(test)]
mod tests;
mod words;

pub(crate) use magic::magic;
pub(crate) use words::Facts;

use std::collections::BTreeSet;

use crate::laws;
use crate::query::Query;
use crate::signature::Binary;
use crate::term::{Pool, Term};
use crate::theorems::Theorem;

use words::{Division, Found, LIMIT, beside};

/// How often what theorems speak of may be new to them.
const ROUNDS: usize = 2;

/// What theorems say of the words of a query; empty where none says anything of two of them.
pub(crate) fn instances(pool: &mut Pool, query: &Query) -> Facts {
    let mut facts = about(pool, query);
    let found = Found::of(pool, query);
    facts.by(Theorem::Division, |facts| quotients::dividend(pool, &found, facts));
    facts.by(Theorem::OrderedQuotients, |facts| ordered_quotients::ordered(pool, &found, facts));
    facts.by(Theorem::OrderedQuotients, |facts| ordered_quotients::ordered_rests(pool, &found, facts));
    facts.by(Theorem::Nested, |facts| quotients::shifted(pool, &found, facts));
    facts.by(Theorem::Compared, |facts| compared::compared(pool, &found, facts));
    facts.by(Theorem::Negated, |facts| negated::negated(pool, &found, facts));
    facts.by(Theorem::Negated, |facts| negated::inverted(pool, &found, facts));
    facts.by(Theorem::LowBits, |facts| low_bits::multiples(pool, query, &found, facts));
    if facts.terms.is_empty() && !monotone::speaks(pool, &found.products) {
        return facts;
    }
    facts.by(Theorem::Between, |facts| products::between(pool, query, &found.products, facts));
    with_laws(pool, query, facts)
}

/// What theorems say, without the laws of what they speak of.
fn about(pool: &mut Pool, query: &Query) -> Facts {
    let mut facts = Facts::default();
    let mut known: BTreeSet<Term> = BTreeSet::new();
    for round in 0..ROUNDS {
        let found = Found::of(pool, &beside(query, &facts.terms));
        let more = of_round(pool, &found, &known, round == 0);
        if more.terms.is_empty() || facts.terms.len() + more.terms.len() > LIMIT {
            break;
        }
        facts.extend(more);
        known.extend(found.divisions.iter().map(|division| division.word));
    }
    facts
}

/// What theorems say of words that are not known yet.
fn of_round(pool: &mut Pool, found: &Found, known: &BTreeSet<Term>, is_first: bool) -> Facts {
    let mut facts = Facts::default();
    let (divisions, products) = (&found.divisions, &found.products);
    for &division in divisions.iter().filter(|division| !known.contains(&division.word)) {
        facts.by(Theorem::Nested, |facts| quotients::nested(pool, division, facts));
        facts.by(Theorem::Multiple, |facts| quotients::multiple(pool, division, divisions, facts));
        facts.by(Theorem::Sum, |facts| quotients::sum(pool, division, divisions, facts));
        facts.by(Theorem::Exact, |facts| inverses::exact(pool, division, products, facts));
        facts.by(Theorem::Signs, |facts| quotients::signs(pool, division, divisions, facts));
        facts.by(Theorem::Signs, |facts| extended::extended(pool, division, facts));
        if facts.terms.len() > LIMIT {
            return facts;
        }
    }
    if is_first {
        for &[a, b] in &found.equalities {
            facts.by(Theorem::Odd, |facts| inverses::odd(pool, [a, b], products, facts));
            for sides in [[a, b], [b, a]] {
                facts.by(Theorem::Divisible, |facts| inverses::divisible(pool, sides, products, facts));
            }
        }
        let equal = found.equalities.iter().map(|&sides| (Binary::Same, sides));
        for (op, sides) in equal.chain(found.orders.iter().copied()) {
            facts.by(Theorem::Ordered, |facts| products::ordered(pool, op, sides, facts));
        }
        facts.by(Theorem::Odd, |facts| inverses::units(pool, &found.equalities, products, facts));
        for &word in &found.choices {
            facts.by(Theorem::Sum, |facts| quotients::sum_rounded_down(pool, word, divisions, facts));
        }
    }
    facts
}

/// What a fact speaks of may be new: its products and divisions have laws, too.
fn with_laws(pool: &mut Pool, query: &Query, mut facts: Facts) -> Facts {
    let found = Found::of(pool, &beside(query, &facts.terms));
    for &Division { op, x, y, word } in &found.divisions {
        facts.by(Theorem::Division, |facts| facts.push(laws::law(pool, op, x, y, word)));
    }
    facts.by(Theorem::Monotone, |facts| monotone::monotone(pool, &found.products, facts));
    for (index, &[a, b, product]) in found.products.iter().enumerate() {
        facts.by(Theorem::Zero, |facts| products::zero(pool, [a, b], product, facts));
        facts.by(Theorem::Wide, |facts| {
            products::wide(pool, [a, b, product], &found.products[..index], facts);
        });
    }
    facts
}

/// What theorems say of words that are shifted by unknown amounts.
pub(crate) fn shifts(pool: &mut Pool, query: &Query) -> Facts {
    let mut facts = Facts::default();
    facts.by(Theorem::Shifts, |facts| shifts::shifted(pool, query, facts));
    facts
}
