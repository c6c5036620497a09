//! Rules whose pattern begins with `feq`, in the order in which they are tried:
//!
//! - feq_fneg_fneg
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, nodes, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `feq` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [a, b] = constant_last(s, [root.args[0], root.args[1]]);
    for node in nodes(s, a) {
        if let Some((Op::Fneg, n)) = node {
            let a0 = s.operand(n, 0);
            for node in nodes(s, b) {
                if let Some((Op::Fneg, n)) = node {
                    let b0 = s.operand(n, 0);
                    offer(found, feq_fneg_fneg(s, root, a0, b0))?;
                }
            }
        }
    }
    Flow::Continue(())
}

// feq_fneg_fneg: feq(fneg(x), fneg(y))
//     # Equality does not see a flip on both sides.
//     => feq(x, y)
fn feq_fneg_fneg<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
    y: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Feq, ty0, &[Operand::Value(x), Operand::Value(y)]);
    Some(Rewrite { rule: rule(names::FEQ_FNEG_FNEG), plan, outcome: Outcome::Value(new1) })
}

