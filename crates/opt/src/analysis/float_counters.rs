//! Loops that count with floats, and end.
//!
//! A variable to which a constant `s > 0` is added each round passes its bound if every sum is larger than what it was: as
//! long as the variable is between its start and the bound, its magnitude is at most `m`, so the next float above it is at
//! most as far away as the next one above `m`. If `s` is at least that far, the true sum is not below that next float, and
//! so the rounded one is not. (`x + 1` is `x` from `2^53` on: there a loop does not end.) Of starts and bounds the magnitude is
//! known if they are constants or were made of integers; none of them is NaN or infinite then, and no sum becomes NaN.

use planish_ir::{Block, Const, Terminator, Value};
use planish_ops::{Op, Real};

use super::loop_context::Loop;

/// A comparison of floats of which none is NaN, as `low < high` or `low <= high`.
struct Below {
    low: Value,
    high: Value,
}

/// Whether the test of an exit in every round is on a float that passes its bound.
pub(super) fn passes(l: &Loop<'_>, block: Block, outside: Block) -> bool {
    let Some(Below { low, high }) = goes_on_below(l, block, outside) else { return false };
    rises_above(l, low, 1.0, high) || rises_above(l, high, -1.0, low)
}

/// What is compared where a loop goes on.
fn goes_on_below(l: &Loop<'_>, block: Block, outside: Block) -> Option<Below> {
    let Terminator::Branch { condition, then, other } = *l.f.terminator(block) else { return None };
    let holds = other.block == outside;
    if holds == (then.block == outside) {
        return None;
    }
    let inst = l.f.def_inst(condition)?;
    let (mut op, &[x, y]) = (l.f.inst(inst).op, l.f.args(inst)) else { return None };
    let (mut x, mut y) = (x, y);
    // What is made of a comparison three ways.
    if l.f.int_constant(y).is_some_and(|y| !y.is_true())
        && let Some(compared) = l.f.def_inst(x)
        && matches!(l.f.inst(compared).op, Op::Fcmpl | Op::Fcmpg)
    {
        op = match op {
            Op::Lt => Op::Flt,
            Op::Le => Op::Fle,
            Op::Gt => Op::Fgt,
            Op::Ge => Op::Fge,
            _ => return None,
        };
        (x, y) = (l.f.args(compared)[0], l.f.args(compared)[1]);
    }
    let is_below = match op {
        Op::Flt | Op::Fle => holds,
        Op::Fgt | Op::Fge => !holds,
        _ => return None,
    };
    Some(if is_below { Below { low: x, high: y } } else { Below { low: y, high: x } })
}

/// Whether a variable rises, the way being 1, or falls, and passes a bound.
fn rises_above(l: &Loop<'_>, tested: Value, way: f64, bound: Value) -> bool {
    let found = || {
        let variable = l.variables.iter().find(|one| one.param == tested || one.next == tested)?;
        let step = step(l, variable.param, variable.next)?;
        let most = magnitude(l, variable.start)?.max(magnitude(l, bound)?);
        let apart = match step {
            Real::F32(_) => f64::from((most as f32).next_up()) - f64::from(most as f32),
            Real::F64(_) => most.next_up() - most,
        };
        let step = match step {
            Real::F32(step) => f64::from(step),
            Real::F64(step) => step,
        };
        Some(step.is_finite() && apart.is_finite() && step * way >= apart)
    };
    found().unwrap_or(false)
}

/// The constant that is added to a variable.
fn step(l: &Loop<'_>, variable: Value, next: Value) -> Option<Real> {
    let inst = l.made_by(next)?;
    let real = |value: Value| match l.f.constant(value)? {
        Const::Real(real) => Some(real.0),
        _ => None,
    };
    match (l.f.inst(inst).op, l.f.args(inst)) {
        (Op::Fadd, &[x, by]) | (Op::Fadd, &[by, x]) if x == variable => real(by),
        (Op::Fsub, &[x, by]) if x == variable => real(by).map(|by| match by {
            Real::F32(by) => Real::F32(-by),
            Real::F64(by) => Real::F64(-by),
        }),
        _ => None,
    }
}

/// How large a float may be, with whatever sign; exact in its format.
fn magnitude(l: &Loop<'_>, value: Value) -> Option<f64> {
    let most = match l.f.constant(value) {
        Some(Const::Real(real)) => match real.0 {
            Real::F32(number) => f64::from(number.abs()),
            Real::F64(number) => number.abs(),
        },
        Some(_) => return None,
        None => {
            let inst = l.f.def_inst(value)?;
            let width = l.f.args(inst).first().and_then(|&of| l.f.ty(of).int_width());
            match l.f.inst(inst).op {
                Op::SignedToFloat => 2f64.powi(width? as i32 - 1),
                Op::UnsignedToFloat => 2f64.powi(width? as i32),
                _ => return None,
            }
        }
    };
    most.is_finite().then_some(most)
}

#[cfg(test)]
mod tests {
    use planish_ir::text;
    use planish_pass::Analyses;

    use super::super::scalar_evolution::ScalarEvolution;

    /// Whether a loop over a float `v1`, which becomes `v2`, is known to end. `v8` is `v0` as a float.
    fn ends(ty: &str, start: &str, next: &str, test: &str) -> bool {
        let source = format!(
            "func f(v0: i32, v9: {ty}) -> i32 {{\ne:\n    v8: {ty} = signed_to_float(v0)\n    jump h({start})\nh(v1: {ty}):\n    \
             v2 = {next}\n    {test}    branch v3, h(v2), x\nx:\n    return v0\n}}\n"
        );
        let (module, diagnostics) = text::read(&source);
        assert!(!diagnostics.has_errors(), "{source}");
        let f = module.functions.values().next().expect("a function");
        Analyses::new().get::<ScalarEvolution>(f).loops[0].ends
    }

    #[test]
    fn what_is_added_has_to_be_more_than_nothing_at_the_bound() {
        let below = |bound: &str| format!("v3: i1 = flt(v2, {bound})\n");
        assert!(ends("f64", "0.0", "fadd(v1, 1.0)", &below("1000000.0")));
        assert!(ends("f64", "0.0", "fadd(v1, 1.0)", &below("v8")));
        assert!(ends("f64", "v8", "fadd(v1, 0.25)", &below("v8")));
        assert!(!ends("f64", "0.0", "fadd(v1, 1.0)", &below("1e16")), "2^53 + 1 is 2^53");
        assert!(!ends("f64", "0.0", "fadd(v1, -1.0)", &below("9.0")), "it falls");
        assert!(!ends("f64", "v9", "fadd(v1, 1.0)", &below("9.0")), "it may begin with minus infinity");
        assert!(!ends("f64", "0.0", "fadd(v1, 1.0)", &below("v9")), "its bound may be infinite");
        assert!(!ends("f64", "0.0", "fadd(v1, v8)", &below("9.0")), "it may rise by nothing");
        assert!(!ends("f32", "0.0", "fadd(v1, 1.0)", &below("v8")), "2^24 + 1 is 2^24 in 32 bits");
        assert!(ends("f32", "0.0", "fadd(v1, 512.0)", &below("v8")));
    }

    #[test]
    fn counters_fall_and_tests_are_turned() {
        assert!(ends("f64", "v8", "fsub(v1, 0.5)", "v3: i1 = fge(v1, 0.0)\n"));
        assert!(ends("f64", "v8", "fadd(-2.0, v1)", "v3: i1 = flt(0.0, v1)\n"));
        assert!(!ends("f64", "v8", "fsub(v1, 0.5)", "v3: i1 = fle(v1, 0.0)\n"));
        assert!(!ends("f64", "0.0", "fadd(v1, 3.0)", "v3: i1 = fne(v1, 1000.0)\n"), "it passes by");
    }

    #[test]
    fn a_comparison_three_ways_says_the_same() {
        let compared = |op: &str, test: &str| format!("v4: i32 = {op}(v1, v8)\n    v3: i1 = {test}(v4, 0)\n");
        assert!(ends("f64", "0.0", "fadd(v1, 1.0)", &compared("fcmpg", "lt")));
        assert!(ends("f64", "0.0", "fadd(v1, 1.0)", &compared("fcmpl", "le")));
        assert!(!ends("f64", "0.0", "fadd(v1, 1.0)", &compared("fcmpg", "ne")));
        assert!(!ends("f64", "0.0", "fadd(v1, 1.0)", &compared("fcmpg", "ge")), "it never falls");
    }
}
