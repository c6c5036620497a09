//! Profitability of loop-invariant loads: loads go in front of loops if the body is better for it.

use planish_classfile::Code;
use planish_ir::Function;
use planish_jvm_ir::lower::{Target, lower};
use planish_jvm_ir::variables::Variables;

use super::rewriter::{Failure, Rewriter};
use super::steps::LOADS;
use super::worth::{executed, has_loops};

impl Rewriter<'_, '_> {
    /// The function with loads in front of the loops of its body, if there are any.
    pub(super) fn with_loads_in_front(
        &mut self,
        function: &Function,
        target: &Target<'_>,
        made: &Code,
    ) -> Option<Function> {
        if !has_loops(made) || !self.optimizer.may_hoist(function) {
            return None;
        }
        // Both forms are written, and the better one stays.
        let mut hoisted = function.clone();
        // The receiver of a method that is no constructor is never null.
        let receiver = !target.is_static && target.name != b"<init>";
        let moved = self.optimizer.hoist(&mut hoisted, &self.names, receiver);
        (moved > 0).then_some(hoisted)
    }

    /// The body that is written of a function with loads in front of loops, if fewer instructions are executed and it has no
    /// more than the one `made` without.
    pub(super) fn quicker(
        &mut self,
        (function, hoisted): (&Function, &Function),
        original: (&Code, &Variables),
        target: &Target<'_>,
        made: &Code,
    ) -> Result<Option<Code>, Failure> {
        let quicker = lower(hoisted, &self.names, original, target, &mut self.class.pool, &mut self.context)?;
        if quicker.instructions.len() > made.instructions.len() || executed(&quicker) >= executed(made) {
            return Ok(None);
        }
        if self.optimizer.compares() {
            let same = self.optimizer.compare(function, hoisted, &self.names, !target.is_static);
            same.map_err(|why| Failure::Wrong(Some(LOADS), why))?;
        }
        Ok(Some(quicker))
    }
}
