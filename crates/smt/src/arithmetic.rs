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
//! multiple    x c fits                                         (x c) % c = 0,  and c != 0 gives (x c) / c = x
//!             x a fits, a % b = 0, b != 0                      (x a) % b = 0,  (x a) / b = x (a / b)
//! exact       n = x - x % c                                    n % c = 0,      and c != 0 gives n / c = x / c
//!             n % c = 0, c i = 1                               n / c = n i
//!             n % c = 0, c = d << k, d i = 1                   n / c = (n >> k) i
//! odd         c is odd                                         x c = y c only where x = y;  x c = 0 only where x = 0
//!             c i = 1                                          x c = y only where x = y i
//! signs       x >= 0, y >= 0                                   signed and unsigned x / y are one, and so are x % y
//! shifts      a + b has no carry                               (x >> a) >> b = x >> (a + b), and so for << and >>u
//!             a + b has a carry, or is the width or more       all bits are out
//! zero        a b = 0 where a = 0 or b = 0, and only there if it fits;  1 b = b
//! wide        the low word of the whole product is the product, and the high word grows with a factor
//! ```

use planish_base::Id;
use planish_ops::{Bits, Datum, Op, Type};

use crate::laws;
use crate::query::Query;
use crate::signature::{Binary, Sort, Unary};
use crate::term::{Node, Pool, Term};

/// How many facts are stated of a query: the terms of a claim make few, those of a large program could make too many.
const LIMIT: usize = 256;

/// What theorems say of the words of a query; empty where none says anything of two of them.
pub(crate) fn instances(pool: &mut Pool, query: &Query) -> Vec<Term> {
    let found = Found::of(pool, query);
    let mut facts = Vec::new();
    for &division in &found.divisions {
        nested(pool, division, &mut facts);
        multiple(pool, division, &mut facts);
        exact(pool, division, &found.products, &mut facts);
        signs(pool, division, &found.divisions, &mut facts);
        if facts.len() > LIMIT {
            return Vec::new();
        }
    }
    for &[a, b] in &found.equalities {
        odd(pool, [a, b], &found.products, &mut facts);
    }
    if facts.is_empty() || facts.len() > LIMIT {
        return Vec::new();
    }
    // What a fact speaks of may be new: its products and divisions have laws, too.
    let found = Found::of(pool, &Query::new(query.assertions.iter().chain(&facts).copied().collect()));
    for &Division { op, x, y, word } in &found.divisions {
        facts.push(laws::law(pool, op, x, y, word));
    }
    for (index, &[a, b, product]) in found.products.iter().enumerate() {
        zero(pool, [a, b], product, &mut facts);
        wide(pool, [a, b, product], &found.products[..index], &mut facts);
    }
    facts
}

/// What theorems say of words that are shifted twice in one direction by unknown amounts, as SMT-LIB has it for all amounts.
pub(crate) fn shifts(pool: &mut Pool, query: &Query) -> Vec<Term> {
    let mut facts = Vec::new();
    for (index, _) in pool.reachable(&query.assertions).into_iter().enumerate().filter(|&(_, r)| r) {
        let word = Term::from_index(index);
        let Node::Binary(op @ (Binary::Shl | Binary::Lshr | Binary::Ashr), once, b) = pool.node(word) else {
            continue;
        };
        let Node::Binary(inner, x, a) = pool.node(once) else { continue };
        if inner != op || (pool.value(a).is_some() && pool.value(b).is_some()) || facts.len() > LIMIT {
            continue;
        }
        let sum = pool.add(a, b);
        let at_once = pool.binary(op, x, sum);
        let carries = pool.ult(sum, a);
        let fits = pool.negate(carries);
        let same = pool.eq(word, at_once);
        state(pool, [fits], same, &mut facts);
        let last = pool.word(pool.width(x), u64::from(pool.width(x) - 1));
        let out = if op == Binary::Ashr { pool.ashr(x, last) } else { pool.zero(x) };
        let gone = pool.eq(word, out);
        state(pool, [carries], gone, &mut facts);
        let beyond = if op == Binary::Ashr { pool.ule(last, sum) } else { pool.ult(last, sum) };
        let all_out = pool.eq(at_once, out);
        state(pool, [beyond], all_out, &mut facts);
    }
    facts
}

/// A quotient or remainder.
#[derive(Clone, Copy)]
struct Division {
    op: Binary,
    x: Term,
    y: Term,
    word: Term,
}

/// The terms of a query of which theorems speak, oldest first.
#[derive(Default)]
struct Found {
    divisions: Vec<Division>,
    /// Both factors and the product.
    products: Vec<[Term; 3]>,
    equalities: Vec<[Term; 2]>,
}

impl Found {
    fn of(pool: &Pool, query: &Query) -> Found {
        let mut found = Found::default();
        for (index, _) in pool.reachable(&query.assertions).into_iter().enumerate().filter(|&(_, r)| r) {
            let word = Term::from_index(index);
            match pool.node(word) {
                Node::Binary(op, x, y) if is_division(op) => {
                    found.divisions.push(Division { op, x, y, word })
                }
                Node::Binary(Binary::Mul, a, b) => found.products.push([a, b, word]),
                Node::Binary(Binary::Same, a, b) if matches!(pool.sort(a), Sort::Bits(_)) => {
                    found.equalities.push([a, b]);
                }
                _ => {}
            }
        }
        found
    }
}

pub(crate) fn is_division(op: Binary) -> bool {
    matches!(op, Binary::Udiv | Binary::Urem | Binary::Sdiv | Binary::Srem)
}

fn is_signed(op: Binary) -> bool {
    matches!(op, Binary::Sdiv | Binary::Srem)
}

/// The quotient and the remainder that belong to a division.
fn pair(op: Binary) -> (Binary, Binary) {
    if is_signed(op) { (Binary::Sdiv, Binary::Srem) } else { (Binary::Udiv, Binary::Urem) }
}

/// The product of two words, and whether it is that of the numbers.
fn product(pool: &mut Pool, signed: bool, a: Term, b: Term) -> (Term, Term) {
    let low = pool.mul(a, b);
    let fits = if signed {
        // As the table says it of `mul_ovf`, so that both speak of one term.
        let overflow = meaning(pool, Op::MulOvf, a, b).1;
        pool.negate(overflow)
    } else {
        let high = pool.umulh(a, b);
        let zero = pool.zero(high);
        pool.eq(high, zero)
    };
    (low, fits)
}

/// The value of an operation of the table, and its overflow.
fn meaning(pool: &mut Pool, op: Op, x: Term, y: Term) -> (Term, Term) {
    let ty = Type::Int(pool.width(x) as u8);
    let meaning = op.meaning(pool, &[Datum::Word(x), Datum::Word(y)], &[ty]).expect("it has one");
    let overflow = match meaning.flag {
        Some(flag) => pool.is_nonzero(flag),
        None => pool.truth(false),
    };
    (meaning.value.word(), overflow)
}

fn all(pool: &mut Pool, conditions: impl IntoIterator<Item = Term>) -> Term {
    let always = pool.truth(true);
    conditions.into_iter().fold(always, |all, one| pool.both(all, one))
}

fn is_zero(pool: &mut Pool, a: Term) -> Term {
    let zero = pool.zero(a);
    pool.eq(a, zero)
}

fn is_positive(pool: &mut Pool, a: Term) -> Term {
    let zero = pool.zero(a);
    pool.slt(zero, a)
}

/// States that `then` holds where all conditions do.
fn state(pool: &mut Pool, conditions: impl IntoIterator<Item = Term>, then: Term, facts: &mut Vec<Term>) {
    let given = all(pool, conditions);
    facts.push(pool.implies(given, then));
}

/// The operands of a floor division or mod, as the table has it.
fn rounded_down(pool: &mut Pool, word: Term) -> Option<(Op, Term, Term)> {
    let Node::Select(_, _, inner) = pool.node(word) else { return None };
    let (op, x, y) = match pool.node(inner) {
        Node::Binary(Binary::Sdiv, x, y) => (Op::FloorDiv, x, y),
        Node::Binary(Binary::Srem, x, y) => (Op::FloorMod, x, y),
        _ => return None,
    };
    (pool.width(x) <= 64 && meaning(pool, op, x, y).0 == word).then_some((op, x, y))
}

fn nested(pool: &mut Pool, Division { op, x, y: b, word }: Division, facts: &mut Vec<Term>) {
    let (quotient, remainder) = pair(op);
    if let Node::Binary(inner, x, a) = pool.node(x)
        && inner == op
    {
        if op == quotient {
            let (product, fits) = product(pool, is_signed(op), a, b);
            let some = pool.is_nonzero(a);
            let mut given = vec![fits, some];
            if is_signed(op) {
                let minus_one = pool.ones(a);
                given.extend([pool.ne(a, minus_one), pool.is_nonzero(b)]);
            }
            let at_once = pool.binary(op, x, product);
            let then = pool.eq(word, at_once);
            state(pool, given, then, facts);
        } else {
            let divides = divides(pool, remainder, a, b);
            let at_once = pool.binary(op, x, b);
            let then = pool.eq(word, at_once);
            state(pool, [divides], then, facts);
        }
    }
    let Some((down, x, a)) = rounded_down(pool, x).filter(|_| is_signed(op)) else { return };
    let outer = if op == quotient { Op::FloorDiv } else { Op::FloorMod };
    if outer != down {
        return;
    }
    let inner = meaning(pool, down, x, a).0;
    let twice = meaning(pool, down, inner, b).0;
    let positive = [is_positive(pool, a), is_positive(pool, b)];
    let (given, divisor) = match down {
        Op::FloorDiv => {
            let (product, fits) = product(pool, true, a, b);
            (fits, product)
        }
        _ => (divides(pool, Binary::Srem, a, b), b),
    };
    let once = meaning(pool, down, x, divisor).0;
    let then = pool.eq(twice, once);
    state(pool, positive.into_iter().chain([given]), then, facts);
}

/// Whether b divides a.
fn divides(pool: &mut Pool, remainder: Binary, a: Term, b: Term) -> Term {
    let rest = pool.binary(remainder, a, b);
    is_zero(pool, rest)
}

fn signs(pool: &mut Pool, Division { op, x, y, word }: Division, others: &[Division], facts: &mut Vec<Term>) {
    let unsigned = match op {
        Binary::Sdiv => Binary::Udiv,
        Binary::Srem => Binary::Urem,
        _ => return,
    };
    for other in others.iter().filter(|other| other.op == unsigned && [other.x, other.y] == [x, y]) {
        let nonnegative = [x, y].map(|word| {
            let is_negative = pool.is_negative(word);
            pool.negate(is_negative)
        });
        let same = pool.eq(word, other.word);
        state(pool, nonnegative, same, facts);
    }
}

fn multiple(pool: &mut Pool, Division { op, x, y, word }: Division, facts: &mut Vec<Term>) {
    let Node::Binary(Binary::Mul, p, q) = pool.node(x) else { return };
    if pool.width(x) > 64 {
        return;
    }
    let (quotient, remainder) = pair(op);
    let some = pool.is_nonzero(y);
    for (n, a) in [(p, q), (q, p)] {
        let (_, fits) = product(pool, is_signed(op), n, a);
        // y divides itself, and 0 divides 0.
        let (divides, times) = if a == y {
            (pool.truth(true), n)
        } else {
            let divides = divides(pool, remainder, a, y);
            let part = pool.binary(quotient, a, y);
            (divides, pool.mul(n, part))
        };
        let then = if op == quotient { pool.eq(word, times) } else { is_zero(pool, word) };
        let needed = if op == quotient || a != y { some } else { pool.truth(true) };
        state(pool, [fits, divides, needed], then, facts);
    }
}

fn exact(
    pool: &mut Pool,
    Division { op, x: n, y: c, word }: Division,
    products: &[[Term; 3]],
    facts: &mut Vec<Term>,
) {
    let (quotient, remainder) = pair(op);
    if let Node::Binary(Binary::Sub, x, rest) = pool.node(n)
        && pool.node(rest) == Node::Binary(remainder, x, c)
    {
        if op == quotient {
            let (some, whole) = (pool.is_nonzero(c), pool.binary(quotient, x, c));
            let then = pool.eq(word, whole);
            state(pool, [some], then, facts);
            let rest = pool.binary(remainder, n, c);
            let none = is_zero(pool, rest);
            state(pool, [], none, facts);
        } else {
            let none = is_zero(pool, word);
            state(pool, [], none, facts);
        }
    }
    if op != quotient {
        return;
    }
    let (one, width) = (pool.one(c), pool.width(c));
    for &[p, q, by_inverse] in products {
        if pool.width(p) != width {
            continue;
        }
        for (n_or_part, i) in [(p, q), (q, p)] {
            let divides = divides(pool, remainder, n, c);
            let then = pool.eq(word, by_inverse);
            if n_or_part == n {
                let unit = pool.mul(c, i);
                let inverse = pool.eq(unit, one);
                state(pool, [divides, inverse], then, facts);
            } else if let Some(k) = shifted(pool, n_or_part, n, is_signed(op)) {
                let odd = pool.lshr(c, k);
                let (back, unit) = (pool.shl(odd, k), pool.mul(odd, i));
                let (whole, inverse) = (pool.eq(back, c), pool.eq(unit, one));
                let mut given = vec![divides, whole, inverse];
                if is_signed(op) {
                    // The arithmetic shift of a negative divisor is another word.
                    given.push(is_positive(pool, c));
                }
                state(pool, given, then, facts);
            }
        }
    }
}

/// The amount, where a word is n shifted down.
fn shifted(pool: &Pool, word: Term, n: Term, signed: bool) -> Option<Term> {
    let down = if signed { Binary::Ashr } else { Binary::Lshr };
    match pool.node(word) {
        Node::Binary(op, m, k) if op == down && m == n => Some(k),
        _ => None,
    }
}

fn odd(pool: &mut Pool, [a, b]: [Term; 2], products: &[[Term; 3]], facts: &mut Vec<Term>) {
    let factors = |pool: &Pool, term: Term| match pool.node(term) {
        Node::Binary(Binary::Mul, p, q) => vec![(p, q), (q, p)],
        _ => Vec::new(),
    };
    let equal = pool.eq(a, b);
    let mut state_same = |pool: &mut Pool, condition: Term, x: Term, y: Term| {
        let same = pool.eq(x, y);
        let then = pool.same(equal, same);
        state(pool, [condition], then, facts);
    };
    for (x, c) in factors(pool, a) {
        for (y, _) in factors(pool, b).into_iter().filter(|&(_, other)| other == c) {
            let is_odd = odd_word(pool, c);
            state_same(pool, is_odd, x, y);
        }
    }
    for (product, other) in [(a, b), (b, a)] {
        for (x, c) in factors(pool, product) {
            if pool.value(other) == Some(crate::value::Value::bits(pool.width(c), 0)) {
                let is_odd = odd_word(pool, c);
                state_same(pool, is_odd, x, other);
            }
            let one = pool.one(c);
            for &[p, q, by_inverse] in products {
                for i in [(p, q), (q, p)].into_iter().filter(|&(y, _)| y == other).map(|(_, i)| i) {
                    let unit = pool.mul(c, i);
                    let inverse = pool.eq(unit, one);
                    state_same(pool, inverse, x, by_inverse);
                }
            }
        }
    }
}

fn odd_word(pool: &mut Pool, c: Term) -> Term {
    let low = pool.unary(Unary::Extract { low: 0, width: 1 }, c);
    let one = pool.word(1, 1);
    pool.eq(low, one)
}

fn zero(pool: &mut Pool, [a, b]: [Term; 2], word: Term, facts: &mut Vec<Term>) {
    let (none, no_a, no_b) = (is_zero(pool, word), is_zero(pool, a), is_zero(pool, b));
    let no_factor = pool.either(no_a, no_b);
    state(pool, [no_factor], none, facts);
    for (one_of, other) in [(a, b), (b, a)] {
        let one = pool.one(one_of);
        let (is_one, same) = (pool.eq(one_of, one), pool.eq(word, other));
        state(pool, [is_one], same, facts);
    }
}

/// The words of which a product of extended words is, and whether they are extended with their signs.
fn extended(pool: &Pool, [a, b, word]: [Term; 3]) -> Option<(bool, Term, Term)> {
    let (signed, x, y) = match (pool.node(a), pool.node(b)) {
        (Node::Unary(Unary::ZeroExtend(_), x), Node::Unary(Unary::ZeroExtend(_), y)) => (false, x, y),
        (Node::Unary(Unary::SignExtend(_), x), Node::Unary(Unary::SignExtend(_), y)) => (true, x, y),
        _ => return None,
    };
    (2 * pool.width(x) == pool.width(word) && pool.width(x) == pool.width(y)).then_some((signed, x, y))
}

/// A product of extended words loses nothing.
fn wide(pool: &mut Pool, product: [Term; 3], others: &[[Term; 3]], facts: &mut Vec<Term>) {
    let Some((signed, x, y)) = extended(pool, product) else { return };
    let [.., word] = product;
    let width = pool.width(x);
    let (low, same_low) = (pool.truncate(word, width), pool.mul(x, y));
    facts.push(pool.eq(low, same_low));
    let (none, no_x, no_y) = (is_zero(pool, word), is_zero(pool, x), is_zero(pool, y));
    let no_factor = pool.either(no_x, no_y);
    state(pool, [none], no_factor, facts);
    let high = pool.unary(Unary::Extract { low: width, width }, word);
    for &other in others {
        let Some((other_signed, a, b)) = extended(pool, other) else { continue };
        if pool.width(a) != width {
            continue;
        }
        if signed != other_signed && ([a, b] == [x, y] || [b, a] == [x, y]) {
            let nonnegative = [x, y].map(|word| {
                let is_negative = pool.is_negative(word);
                pool.negate(is_negative)
            });
            let same = pool.eq(word, other[2]);
            state(pool, nonnegative, same, facts);
        }
        if signed || other_signed {
            continue;
        }
        // High words grow with a factor.
        let other_high = pool.unary(Unary::Extract { low: width, width }, other[2]);
        for ([x, y], [a, b]) in [([x, y], [a, b]), ([x, y], [b, a]), ([y, x], [a, b]), ([y, x], [b, a])] {
            if y == b {
                for (less, more, low, high) in [(x, a, high, other_high), (a, x, other_high, high)] {
                    let (given, then) = (pool.ule(less, more), pool.ule(low, high));
                    state(pool, [given], then, facts);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::query::Model;
    use crate::term::Variable;
    use crate::value::Value;

    type Words = [Term; 3];
    type Claim = fn(&mut Pool, Words) -> Vec<Term>;

    /// Terms in which every theorem finds what it speaks of.
    const SUBJECTS: [(&str, Claim); 12] = [
        ("shifts", |p, [x, a, b]| {
            let (up, down, signed) = (p.shl(x, a), p.lshr(x, a), p.ashr(x, a));
            vec![p.shl(up, b), p.lshr(down, b), p.ashr(signed, b)]
        }),
        ("wide products", |p, [x, c, y]| {
            let (low, high) = (p.umulh(x, c), p.umulh(y, c));
            let (signed, product) = (p.smulh(x, c), p.mul(x, c));
            vec![low, high, signed, p.udiv(product, c)]
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
            vec![p.udiv(product, a), p.urem(product, b), p.udiv(product, b)]
        }),
        ("signed multiples", |p, [x, a, b]| {
            let product = p.mul(x, a);
            vec![p.sdiv(product, a), p.srem(product, b), p.sdiv(product, b), p.srem(product, a)]
        }),
        ("whole multiples", |p, [x, c, _]| {
            let (r, s) = (p.urem(x, c), p.srem(x, c));
            let (n, m) = (p.sub(x, r), p.sub(x, s));
            vec![p.udiv(n, c), p.sdiv(m, c), p.urem(n, c), p.srem(m, c)]
        }),
        ("by an inverse", |p, [n, c, i]| vec![p.udiv(n, c), p.sdiv(n, c), p.mul(n, i)]),
        ("by an inverse and a shift", |p, [n, c, i]| {
            let one = p.one(n);
            let (down, signed) = (p.lshr(n, one), p.ashr(n, one));
            vec![p.udiv(n, c), p.sdiv(n, c), p.mul(down, i), p.mul(signed, i)]
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
}
