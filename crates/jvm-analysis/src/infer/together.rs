//! Megamorphic calls, shared: calls with the same many targets hand over one list of arguments.
//!
//! In a program with a thousand implementations of one method, each of the calls that may lead to all of them would
//! hand its arguments to each, again and again: calls times methods. But all those calls lead to the same methods,
//! so what one of them hands over, all hand over: the calls raise what is known of one list of arguments, which goes
//! to the methods only when it has grown, and the results of the methods raise one result, which goes to the calls
//! when it has grown. That is calls plus methods, and nothing is lost: a method gets the arguments of all its
//! callers in any case. (The "virtual method nodes" of points-to analyses, as in Lhoták and Hendren, *Scaling Java
//! points-to analysis using Spark*, 2003.)

use planish_base::Id;
use planish_domain::RefFact;

use crate::dispatch::{SetId, Targets};
use crate::infer::evaluation::Evaluation;
use crate::infer::fact::Fact;
use crate::infer::state::Analysis;
use crate::infer::state::sets::Calls;
use crate::infer::state::sites::Callee;

impl Analysis<'_, '_, '_> {
    /// A call may lead to any of a set of methods. Gives their result, if one is known to return so far.
    pub(super) fn calls_together(
        &mut self,
        e: &Evaluation<'_>,
        callee: &Callee,
        (set, targets): (SetId, &Targets),
        receiver: RefFact,
        args: &[Fact],
    ) -> Option<Fact> {
        if self.sets.calls.len() <= set.index() {
            self.sets.calls.resize_with(set.index() + 1, Calls::default);
        }
        let calls = &mut self.sets.calls[set.index()];
        let mut changed = calls.parameters.is_empty();
        if changed {
            calls.parameters = vec![Fact::None; args.len()];
            calls.grown = vec![0; args.len()];
            targets.methods.iter().for_each(|&method| self.sets.of.entry(method).or_default().push(set));
        }
        for (place, (known, grown)) in calls.parameters.iter_mut().zip(&mut calls.grown).enumerate() {
            let fact = if place == 0 { Fact::Ref(receiver) } else { args[place] };
            changed |= known.grow(fact, grown, &self.classes);
        }
        if changed {
            let parameters = calls.parameters.clone();
            let receiver = match parameters[0] {
                Fact::Ref(receiver) => receiver,
                _ => receiver,
            };
            let by_call = std::mem::take(&mut self.thrown);
            for &method in &targets.methods {
                if let Some(result) = self.calls_method(e, callee, method, receiver, &parameters)
                    && self.sets.calls[set.index()].gives(result, &self.classes)
                {
                    self.clock += 1;
                    for &caller in self.sets.callers.of(set) {
                        self.methods[caller.index()].enqueue(caller, &mut self.queue);
                    }
                }
            }
            let by_methods = std::mem::replace(&mut self.thrown, by_call);
            if self.sets.calls[set.index()].throws.grow(by_methods) {
                self.clock += 1;
                for &caller in self.sets.callers.of(set) {
                    self.methods[caller.index()].enqueue(caller, &mut self.queue);
                }
            }
        }
        let calls = &self.sets.calls[set.index()];
        self.thrown.grow(calls.throws);
        calls.returns.then_some(calls.result)
    }
}
