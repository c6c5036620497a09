//! Rules whose pattern begins with `popcount`, in the order in which they are tried:
//!
//! - popcount_bswap
//!
//! Generated from `rules/*.rules`.

use planish_ops::Op;
use planish_rules::speaks::is_spoken_of;
use planish_rules::matching::{Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, nodes, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `popcount` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let a = root.args[0];
    for node in nodes(s, a) {
        if let Some((Op::Bswap, n)) = node {
            let a0 = s.operand(n, 0);
            offer(found, popcount_bswap(s, root, a0))?;
        }
    }
    Flow::Continue(())
}

// popcount_bswap: popcount(bswap(x))
//     # The bits are the same in any order.
//     => popcount(x)
fn popcount_bswap<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
    x: S::Value,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    if !is_spoken_of(ty0) {
        return None;
    }
    let mut plan = Plan::new();
    let new1 = plan.push(Op::Popcount, ty0, &[Operand::Value(x)]);
    Some(Rewrite { rule: rule(names::POPCOUNT_BSWAP), plan, outcome: Outcome::Value(new1) })
}

