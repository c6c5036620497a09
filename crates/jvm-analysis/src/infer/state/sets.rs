//! Sets of methods to which one call may lead, and what all of them get and give.

use hashbrown::HashMap;
use planish_base::Id;
use planish_base::worklist::Queue;
use planish_jvm_model::program::Method;
use rustc_hash::FxBuildHasher;

use crate::dispatch::SetId;
use crate::infer::dependents::Dependents;
use crate::infer::fact::{Classes, Fact};
use crate::infer::state::summary::Summary;
use crate::infer::state::thrown::Thrown;

/// A call that may lead to this many methods hands its arguments to each by itself.
pub(in crate::infer) const FEW: usize = 2;

/// What is known of the calls of one set of methods.
#[derive(Default)]
pub(in crate::infer) struct Calls {
    pub(in crate::infer) parameters: Vec<Fact>,
    pub(in crate::infer) grown: Vec<u8>,
    pub(in crate::infer) result: Fact,
    pub(in crate::infer) result_grown: u8,
    pub(in crate::infer) returns: bool,
    pub(in crate::infer) throws: Thrown,
}

impl Calls {
    /// One of the methods gives something. Whether that is news.
    pub(in crate::infer) fn gives(&mut self, result: Fact, classes: &Classes<'_>) -> bool {
        let first = !std::mem::replace(&mut self.returns, true);
        self.result.grow(result, &mut self.result_grown, classes) || first
    }
}

/// The sets of methods that calls lead to.
pub(in crate::infer) struct Sets {
    pub(in crate::infer) calls: Vec<Calls>,
    pub(in crate::infer) callers: Dependents<SetId>,
    pub(in crate::infer) of: HashMap<Method, Vec<SetId>, FxBuildHasher>,
}

impl Sets {
    /// No calls.
    pub fn new() -> Self {
        Sets { calls: Vec::new(), callers: Dependents::new(), of: HashMap::default() }
    }

    /// A method makes calls of a set.
    pub fn add_caller(&mut self, set: SetId, caller: Method) {
        self.callers.add(set, caller);
    }

    /// The result of a method has grown: those who may have called it look again.
    pub fn gives(
        &mut self,
        method: Method,
        methods: &mut [Summary],
        queue: &mut Queue<Method>,
        classes: &Classes<'_>,
    ) {
        for &set in self.of.get(&method).map_or(&[][..], Vec::as_slice) {
            if self.calls[set.index()].gives(methods[method.index()].result, classes) {
                for &caller in self.callers.of(set) {
                    methods[caller.index()].enqueue(caller, queue);
                }
            }
        }
    }

    /// A method may end by more exceptions than before: those who may have called it look again.
    pub fn throws(&mut self, method: Method, methods: &mut [Summary], queue: &mut Queue<Method>) {
        for &set in self.of.get(&method).map_or(&[][..], Vec::as_slice) {
            if self.calls[set.index()].throws.grow(methods[method.index()].throws) {
                for &caller in self.callers.of(set) {
                    methods[caller.index()].enqueue(caller, queue);
                }
            }
        }
    }
}
