//! Rounding twice where once does: what is computed in the wide format of narrow floats, and narrowed.
//!
//! ```text
//! f32(f64(x)) = x          f32(f64(x) + f64(y)) = x + y, and so for -, *, / and the square root
//! f32(-x) = -f32(x)        f32(|x|) = |f32(x)|
//! ```
//!
//! The first line is the theorem about innocuous double rounding: binary64 has more than twice the digits of binary32 and
//! two (Figueroa, "When is double rounding innocuous?", SIGNUM 1995; with subnormal results, Roux, "Innocuous double
//! rounding of basic arithmetic operations", Journal of Formalized Reasoning 2014). The second: rounding to nearest knows
//! no sign, and there is one NaN.

use planish_base::Id;
use planish_ops::{FloatFormat, Floats};

use crate::query::Query;
use crate::signature::{Binary, Sort, Unary};
use crate::term::{Node, Pool, Term};
use crate::value;

/// The query with such results computed in the narrow format.
pub(super) fn narrowed(pool: &mut Pool, query: &Query) -> Query {
    let reached = pool.reachable(&query.assertions);
    let mut images: Vec<Option<Term>> = vec![None; reached.len()];
    for index in (0..reached.len()).filter(|&index| reached[index]) {
        let image = pool.rebuilt(Term::from_index(index), &images);
        let narrow = match pool.node(image) {
            Node::Unary(Unary::FConvert(FloatFormat::F32), wide) => rounded(pool, wide),
            _ => None,
        };
        images[index] = Some(narrow.unwrap_or(image));
    }
    let image = |term: &Term| images[term.index()].expect("assertions are reached");
    Query::new(query.assertions.iter().map(image).collect())
}

/// The narrow float to which a wide one is rounded, computed in the narrow format.
fn rounded(pool: &mut Pool, wide: Term) -> Option<Term> {
    if let Some(narrow) = exact(pool, wide) {
        return Some(narrow);
    }
    match pool.node(wide) {
        Node::Unary(op @ (Unary::FNeg | Unary::FAbs), a) => {
            let narrow = rounded(pool, a)?;
            Some(pool.unary(op, narrow))
        }
        Node::Unary(Unary::FSqrt, a) => {
            let narrow = exact(pool, a)?;
            Some(pool.f_sqrt(narrow))
        }
        Node::Binary(op @ (Binary::FAdd | Binary::FSub | Binary::FMul | Binary::FDiv), a, b) => {
            let (a, b) = (exact(pool, a)?, exact(pool, b)?);
            Some(pool.binary(op, a, b))
        }
        _ => None,
    }
}

/// The narrow float that a wide one is.
pub(super) fn exact(pool: &mut Pool, wide: Term) -> Option<Term> {
    match pool.node(wide) {
        Node::Unary(Unary::FConvert(FloatFormat::F64), a)
            if pool.sort(a) == Sort::Float(FloatFormat::F32) =>
        {
            Some(a)
        }
        Node::Unary(op @ (Unary::FNeg | Unary::FAbs), a) => {
            let narrow = exact(pool, a)?;
            Some(pool.unary(op, narrow))
        }
        Node::Float { format: FloatFormat::F64, .. } => {
            let number = pool.value(wide)?;
            let narrow = value::unary(Unary::FConvert(FloatFormat::F32), number);
            let back = value::unary(Unary::FConvert(FloatFormat::F64), narrow);
            (back == number).then(|| pool.constant(narrow))
        }
        _ => None,
    }
}
