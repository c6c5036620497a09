//! Fault isolation: which pass broke a body. It is made again, with comparisons, or with fewer passes.

use planish_classfile::Code;

use super::steps::{INLINING, LOADS, LOWERING, STEPS, step_name};
use super::{Before, Failure, Rewriter};

impl Rewriter<'_, '_> {
    /// Makes a body that is better once more, and compares what each step makes of it, if that is asked for. The step
    /// that makes another body of it, and how it differs.
    pub(super) fn compared(
        &mut self,
        code: &Code,
        before: &Before<'_>,
        is_plain: bool,
    ) -> Result<(), (&'static str, String)> {
        if !self.optimizer.set_comparing(true) {
            return Ok(());
        }
        let (mark, optimized) = (self.mark(), self.report.optimized);
        let made = self.rewrite(code, before, (is_plain, STEPS), None);
        self.optimizer.set_comparing(false);
        self.undo_to(mark);
        // What is done once more counts once.
        self.report.optimized = optimized;
        match made {
            Err(Failure::Wrong(step, why)) => Err((step.unwrap_or(LOWERING), why)),
            _ => Ok(()),
        }
    }

    /// The step without which a new body verifies.
    pub(super) fn culprit(&mut self, before: &Before<'_>, is_plain: bool) -> &'static str {
        let mark = self.mark();
        let mut is_wrong = |steps: usize| {
            let made = self.rewrite(&before.code, before, (true, steps), None);
            self.undo_to(mark);
            matches!(made, Err(Failure::Wrong(..)))
        };
        if !is_plain && !is_wrong(STEPS) {
            return INLINING;
        }
        match (0..STEPS).find(|&steps| is_wrong(steps)) {
            Some(0) => LOWERING,
            Some(steps) => step_name(steps - 1),
            None => LOADS,
        }
    }
}
