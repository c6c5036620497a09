//! What is known of a method so far.

use planish_base::worklist::Queue;
use planish_jvm_model::program::Method;

use crate::infer::fact::Fact;
use crate::infer::state::thrown::Thrown;

/// What is known of a method so far.
#[derive(Default)]
pub(in crate::infer) struct Summary {
    pub(in crate::infer) reached: bool,
    /// Something that is not analysed may call it.
    pub(in crate::infer) is_open: bool,
    pub(in crate::infer) queued: bool,
    pub(in crate::infer) parameters: Vec<Fact>,
    pub(in crate::infer) grown: Vec<u8>,
    pub(in crate::infer) result: Fact,
    pub(in crate::infer) result_grown: u8,
    pub(in crate::infer) returns: bool,
    pub(in crate::infer) throws: Thrown,
}

impl Summary {
    /// The method is to be looked at again, if it runs at all.
    pub(in crate::infer) fn enqueue(&mut self, method: Method, queue: &mut Queue<Method>) {
        if self.reached && !std::mem::replace(&mut self.queued, true) {
            queue.push(method);
        }
    }
}
