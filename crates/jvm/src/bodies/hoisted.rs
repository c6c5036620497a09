//! Profitability of loop-invariant loads: loads go in front of loops if the body is better for it.

use planish_classfile::Code;
use planish_ir::{Function, Value};
use planish_jvm_ir::lower::{Target, lower};
use planish_jvm_ir::variables::Variables;
use planish_pass::Leave;

use super::passes::LOAD_MOTION;
use super::rewriter::{Failure, Rewriter};
use super::steps::LOADS;
use super::worth::{executed, has_loops};
use crate::transform::invariants::{has_invariants, hoist};

impl Rewriter<'_, '_> {
    /// Whether a body has loads in loops that may go in front of them.
    pub(super) fn has_loads_in_loops(&self, function: &Function, target: &Target<'_>, made: &Code) -> bool {
        has_loops(made) && has_invariants(function, self.names.world(), receiver(function, target))
    }

    /// The body with the loads in front of loops that each round would do, and the function that it was made of, if fewer
    /// instructions are executed and it has no more.
    pub(super) fn without_loads_in_loops(
        &mut self,
        function: &Function,
        original: (&Code, &Variables),
        target: &Target<'_>,
        made: &Code,
    ) -> Result<Option<(Code, Function)>, Failure> {
        // Both forms are written, and the better one stays.
        let mut hoisted = function.clone();
        let leave = &mut Leave::new(self.optimizer.record(), &LOAD_MOTION);
        hoist(&mut hoisted, self.names.world(), receiver(function, target), leave);
        let quicker =
            lower(&hoisted, &self.names, original, target, &mut self.class.pool, &mut self.context)?;
        if quicker.instructions.len() > made.instructions.len() || executed(&quicker) >= executed(made) {
            return Ok(None);
        }
        if self.optimizer.compares() {
            let same = self.optimizer.compare(function, &hoisted, &self.names, !target.is_static);
            same.map_err(|why| Failure::Wrong(Some(LOADS), why))?;
        }
        Ok(Some((quicker, hoisted)))
    }
}

/// The receiver of a method that is no constructor: it is never null.
fn receiver(function: &Function, target: &Target<'_>) -> Option<Value> {
    let is_method = !target.is_static && target.name != b"<init>";
    function.params().first().copied().filter(|_| is_method)
}
