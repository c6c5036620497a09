//! Fault isolation: which pass broke a body. It is made again, with comparisons, or with fewer passes.

use planish_classfile::Code;
use planish_ir::Function;
use planish_jvm_ir::lift::lift;
use planish_jvm_ir::lower::Target;
use planish_pass::{Leave, Record};

use super::passes::LIBRARY_CALLS;
use super::rewriter::{Before, Failure, Rewriter};
use super::steps::{INLINING, LOADS, LOWERING, STEPS, step_name};
use crate::transform::text_calls::use_operations;

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

    /// Holds what was written against what is read of it again.
    pub(super) fn reads_the_same(
        &mut self,
        function: &Function,
        made: &Code,
        target: &Target<'_>,
    ) -> Result<(), Failure> {
        let info = target.info(&self.class.pool);
        let mut again = lift(made, &info, &mut self.names, &mut self.context)
            .map_err(|error| Failure::Wrong(None, error.message))?;
        // Some operations are written as calls. Of calls nobody knows what they give, on either side.
        let mut function = function.clone();
        for f in [&mut function, &mut again] {
            let mut record = Record::new();
            use_operations(f, &self.names, &self.class.pool, &mut Leave::new(&mut record, &LIBRARY_CALLS));
        }
        let same = self.optimizer.compare(&function, &again, &self.names, !target.is_static);
        same.map_err(|why| Failure::Wrong(Some(LOWERING), why))
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
