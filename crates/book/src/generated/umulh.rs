//! Rules whose pattern begins with `umulh`, in the order in which they are tried:
//!
//! - umulh_one
//!
//! Generated from `rules/*.rules`.

use planish_ops::Int;
use planish_rules::matching::{Const, Flow, Operand, Outcome, Plan, Rewrite, Root, Subject, constant_last, offer};

use super::names::{self, rule};

/// Hands every rewrite of a `umulh` to `found`, until it says stop.
pub fn root<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    let [_, b] = constant_last(s, [root.args[0], root.args[1]]);
    if let Some(constant) = s.constant(b) {
        match constant {
            Const::Int(i) if i.signed() == 1 => {
                offer(found, umulh_one(s, root))?;
            }
            _ => {
            }
        }
    }
    Flow::Continue(())
}

// umulh_one: umulh(x, 1)
//     # x / 2^w is less than 1.
//     => 0
fn umulh_one<S: Subject>(
    _s: &S,
    root: &Root<'_, S::Value>,
) -> Option<Rewrite<S::Value>> {
    let ty0 = root.ty;
    let w0 = ty0.int_width()?;
    Some(Rewrite { rule: rule(names::UMULH_ONE), plan: Plan::new(), outcome: Outcome::Value(Operand::Const(Const::Int(Int::new(w0, 0)))) })
}

