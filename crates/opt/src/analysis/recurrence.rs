//! Chains of recurrences: `{a, +, b, +, c}` is what a value is in round n = 0, 1, 2 ... of a loop,
//! `a + b*C(n,1) + c*C(n,2)`, modulo its width.
//!
//! Bachmann, Wang and Zima, "Chains of Recurrences: a method to expedite the evaluation of closed-form functions", 1994.
//! Here with the binomials as a basis, so that nothing is ever divided: with the true binomials of the true n, all of it
//! holds modulo every width.
//!
//! - A sum has the sums of the coefficients.
//! - A product has, by Vandermonde, `C(n,i)*C(n,j) = Σ_k k! / ((k-i)! (k-j)! (i+j-k)!) * C(n,k)`, k from max(i,j) to i+j.
//! - What begins with `a` and to which each round adds the value of a chain is that chain behind `a`:
//!   `Σ_(m<n) C(m,j) = C(n,j+1)`.

use super::expressions::{Expr, Expressions};

/// The highest degree.
pub const DEGREE: usize = 4;

/// A chain of recurrences.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Recurrence {
    /// The coefficients, at least one; the last is not zero unless it is the only one.
    terms: Vec<Expr>,
}

impl Recurrence {
    /// What does not change.
    pub fn invariant(expr: Expr) -> Recurrence {
        Recurrence { terms: vec![expr] }
    }

    fn new(expressions: &Expressions, mut terms: Vec<Expr>) -> Option<Recurrence> {
        while terms.len() > 1 && terms.last().is_some_and(|&last| expressions.is_zero(last)) {
            terms.pop();
        }
        (terms.len() <= DEGREE + 1).then_some(Recurrence { terms })
    }

    /// The coefficients of the binomials.
    pub fn terms(&self) -> &[Expr] {
        &self.terms
    }

    /// What it is in every round, if that is the same.
    pub fn as_invariant(&self) -> Option<Expr> {
        match *self.terms {
            [expr] => Some(expr),
            _ => None,
        }
    }

    /// What it is first and what is added each round, if that is always the same.
    pub fn as_linear(&self) -> Option<(Expr, Expr)> {
        match *self.terms {
            [start, step] => Some((start, step)),
            _ => None,
        }
    }

    /// What begins with `start` and to which each round adds the value that this one has in it.
    pub fn summed(&self, expressions: &Expressions, start: Expr) -> Option<Recurrence> {
        let terms = std::iter::once(start).chain(self.terms.iter().copied()).collect();
        Recurrence::new(expressions, terms)
    }

    /// The sum of two, the second one `factor` times.
    pub fn plus(&self, expressions: &mut Expressions, other: &Recurrence, factor: i64) -> Option<Recurrence> {
        let mut terms = self.terms.clone();
        for (position, &term) in other.terms.iter().enumerate() {
            match terms.get_mut(position) {
                Some(sum) if factor == 1 => *sum = expressions.add(*sum, term),
                Some(sum) if factor == -1 => *sum = expressions.sub(*sum, term),
                Some(sum) => {
                    let product = expressions.times(term, factor);
                    *sum = expressions.add(*sum, product);
                }
                None => terms.push(expressions.times(term, factor)),
            }
        }
        Recurrence::new(expressions, terms)
    }

    /// The product of two.
    pub fn product(&self, expressions: &mut Expressions, other: &Recurrence) -> Option<Recurrence> {
        let degree = self.terms.len() + other.terms.len() - 2;
        if degree > DEGREE {
            return None;
        }
        let zero = expressions.number(expressions.width(self.terms[0]), 0);
        let mut terms = vec![zero; degree + 1];
        let factorial = |n: usize| (1..=n as i64).product::<i64>();
        for (i, &x) in self.terms.iter().enumerate() {
            for (j, &y) in other.terms.iter().enumerate() {
                let product = expressions.mul(x, y);
                for (k, term) in terms.iter_mut().enumerate().take(i + j + 1).skip(i.max(j)) {
                    let count = factorial(k) / (factorial(k - i) * factorial(k - j) * factorial(i + j - k));
                    let some = expressions.times(product, count);
                    *term = expressions.add(*term, some);
                }
            }
        }
        Recurrence::new(expressions, terms)
    }

    /// Its low bits: taking them is a homomorphism of sums and products.
    pub fn truncated(&self, expressions: &mut Expressions, width: u32) -> Option<Recurrence> {
        let terms = self.terms.iter().map(|&term| expressions.unsigned_to(term, width)).collect();
        Recurrence::new(expressions, terms)
    }

    /// What it is in round `n`, a number without sign, exact, of any width.
    ///
    /// `C(n,2)` without losing the high bit of `n(n-1)`: the even one of both is halved, and with `h = n >> 1` that is
    /// `h * ((n-1) | 1)`, as `n-1` is odd already if `n` is even, and `(n-1) | 1 = n` if `n` is odd. `C(n,3)` is
    /// `C(n,2) * (n-2)`, which is `3*C(n,3)`, times the inverse of 3, which is odd. Of the four factors of `24*C(n,4)` the two
    /// even ones are `4*h*(h-1)`, and the odd ones `(n-1) | 1` and `(n-3) | 1`: so it is `C(h,2)`, times these, times the
    /// inverse of 3. All of them are computed in the wider one of the two widths, in which `n` is exact.
    pub fn at(&self, expressions: &mut Expressions, n: Expr) -> Expr {
        let width = expressions.width(self.terms[0]);
        let wide = width.max(expressions.width(n));
        let n = expressions.unsigned_to(n, wide);
        let mut sum = self.terms[0];
        for (position, &term) in self.terms.iter().enumerate().skip(1) {
            let binomial = binomial(expressions, n, wide, position);
            let binomial = expressions.unsigned_to(binomial, width);
            let product = expressions.mul(term, binomial);
            sum = expressions.add(sum, product);
        }
        sum
    }
}

/// The inverse of 3 modulo 2^64, and so modulo all that is less.
const THIRD: i64 = 0xaaaa_aaaa_aaaa_aaab_u64 as i64;

/// `C(n, k)` modulo `2^width` for an `n` below that.
fn binomial(expressions: &mut Expressions, n: Expr, width: u32, k: usize) -> Expr {
    match k {
        0 => expressions.number(width, 1),
        1 => n,
        // Of one bit, n is 0 or 1.
        _ if width == 1 => expressions.number(width, 0),
        2 => {
            let one = expressions.number(width, 1);
            let half = expressions.binary(planish_ops::Op::Urshift, n, one);
            let below = expressions.sub(n, one);
            let odd = expressions.binary(planish_ops::Op::Or, below, one);
            expressions.mul(half, odd)
        }
        4 => {
            let one = expressions.number(width, 1);
            let half = expressions.binary(planish_ops::Op::Urshift, n, one);
            let mut product = binomial(expressions, half, width, 2);
            for below in [1, 3] {
                let below = expressions.number(width, below);
                let below = expressions.sub(n, below);
                let odd = expressions.binary(planish_ops::Op::Or, below, one);
                product = expressions.mul(product, odd);
            }
            expressions.times(product, THIRD)
        }
        _ => {
            let two = expressions.number(width, 2);
            let (pairs, below) = (binomial(expressions, n, width, 2), expressions.sub(n, two));
            let product = expressions.mul(pairs, below);
            expressions.times(product, THIRD)
        }
    }
}

#[cfg(test)]
mod tests {
    use planish_ops::Int;

    use super::*;

    fn values(expressions: &mut Expressions, r: &Recurrence, width: u32, count: u64) -> Vec<u64> {
        let at = |n: u64| {
            let n = expressions.constant(Int::new(width, n));
            let value = r.at(expressions, n);
            expressions.as_constant(value).expect("a number").unsigned()
        };
        (0..count).map(at).collect()
    }

    /// Every round of every width up to 6: adding up, and what the formula gives.
    #[test]
    fn a_chain_in_round_n_is_what_adding_up_gives() {
        for width in 1..=6u32 {
            for seed in 0..200i64 {
                let mut expressions = Expressions::default();
                let start: Vec<i64> = (0..5).map(|k| (seed * 7 + 3) * (k + 1) * (k + seed) % 61).collect();
                let terms: Vec<Expr> = start.iter().map(|&k| expressions.number(width, k)).collect();
                let chain = Recurrence::new(&expressions, terms).expect("a chain");
                let mut now: Vec<u64> = start.iter().map(|&k| k as u64).collect();
                let rounds = 1 << width;
                let mut expected = Vec::new();
                for _ in 0..rounds {
                    expected.push(Int::new(width, now[0]).unsigned());
                    (0..4).for_each(|k| now[k] = now[k].wrapping_add(now[k + 1]));
                }
                assert_eq!(values(&mut expressions, &chain, width, rounds), expected, "{start:?} {width}");
            }
        }
    }

    #[test]
    fn products_and_sums_are_those_of_the_values() {
        for seed in 0..300i64 {
            let mut expressions = Expressions::default();
            let mut chain = |from: i64, degree: i64| {
                let terms = (0..=degree).map(|k| expressions.number(8, from * 31 + k * 17 + 1)).collect();
                Recurrence::new(&expressions, terms).expect("a chain")
            };
            let (x, y) = (chain(seed, seed % 3), chain(seed * 5, (seed % 3 == 1).into()));
            let (product, difference) = (x.product(&mut expressions, &y), x.plus(&mut expressions, &y, -1));
            let (xs, ys) = (values(&mut expressions, &x, 8, 256), values(&mut expressions, &y, 8, 256));
            let both = |op: fn(u64, u64) -> u64| -> Vec<u64> {
                xs.iter().zip(&ys).map(|(&x, &y)| op(x, y) & 255).collect()
            };
            let (times, minus) = (both(u64::wrapping_mul), both(u64::wrapping_sub));
            assert_eq!(values(&mut expressions, &product.expect("a degree of at most 3"), 8, 256), times);
            assert_eq!(values(&mut expressions, &difference.expect("a sum"), 8, 256), minus);
        }
    }
}
