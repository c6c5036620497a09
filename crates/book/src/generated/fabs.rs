//! Rules whose pattern begins with `fabs`, in the order in which they are tried:
//!
//! - fabs_fabs
//! - fabs_fneg
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `fabs` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        match node {
            Some((Op::Fneg, n)) => {
                let a0 = s.operand(n, 0);
                offer(found, fabs_fneg(s, root, a0))?;
            }
            Some((Op::Fabs, _)) => {
                offer(found, fabs_fabs(s, root, a))?;
            }
            _ => {}
        }
    }
    Flow::Continue(())
}

// fabs_fabs [pypy]: fabs(fabs(x))
//     # The inner result exists.
//     => fabs(x)
fn fabs_fabs<S: Subject>(
    _s: &S,
    _root: &Root<'_, S::Value>,
    inner1: S::Value,
) -> Option<Rewrite<S::Value>> {
    Some(Rewrite { rule: rule(names::FABS_FABS), plan: Plan::new(), outcome: Outcome::Value(Operand::Value(inner1)) })
}

// fabs_fneg: fabs(fneg(x))
//     # The sign does not matter.
//     => fabs(x)
fn fabs_fneg<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Fabs, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::FABS_FNEG), plan, outcome: Outcome::Value(new1) })
}

