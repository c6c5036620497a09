//! One evaluation of a body: what is known of its values meanwhile.

use planish_base::Id;
use planish_ir::{Block, Function, Value};
use planish_jvm_model::program::Method;

use crate::infer::fact::Fact;
use crate::infer::reads::Reads;
use crate::infer::state::Progress;
use crate::infer::state::sites::Site;

/// One evaluation of a body.
pub(in crate::infer) struct Evaluation<'e> {
    /// Of this method.
    pub method: Method,
    pub f: &'e Function,
    pub(in crate::infer) reads: &'e Reads,
    /// What its descriptors stand for.
    pub sites: &'e [Site],
    pub progress: Progress,
    pub(in crate::infer) changed: bool,
}

impl Evaluation<'_> {
    pub fn fact(&self, value: Value) -> Fact {
        self.progress.values[value.index()]
    }

    /// A block runs.
    pub fn runs(&mut self, block: Block) {
        let runs = &mut self.progress.runs[block.index()];
        self.changed |= !std::mem::replace(runs, true);
    }

    /// More is known of a value.
    pub fn grew(&mut self, value: Value) {
        self.changed = true;
        self.progress.looks.grew(value, self.reads);
    }
}
