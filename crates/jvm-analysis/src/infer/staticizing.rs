//! Staticizing (R8's staticizer, ProGuard's `method/marking/static`): which calls may lead to a static variant of an instance
//! method, since that does not need its receiver.
//!
//! Nothing here asks whether the receiver matters: that is found out together for all methods ([`live`](super::live)), and a
//! method that hands its receiver on to nobody but such calls does not need it. So what is said here of a call is a promise:
//! where the receiver of the method that it leads to turns out to be dead, the call loses its own, or the method in which it
//! stands gets no variant without one ([`Wanted::granted`](crate::wanted::Wanted::granted)).

use planish_base::Id;
use planish_classfile::Flags;
use planish_jvm_model::program::Method;
use planish_jvm_model::visibility::are_nestmates;

use crate::infer::live::LiveParts;
use crate::infer::state::{Analysis, Body};
use crate::infer::survey::{CallAt, Survey};

impl Analysis<'_, '_, '_> {
    /// The method of which a call may lead to a variant, as far as the call goes.
    pub(super) fn varied(
        &self,
        (body, caller, call): (&Body, Method, &CallAt),
        survey: &Survey,
    ) -> Option<Method> {
        let callee = call.leads_to()?;
        let progress = &self.progress[caller.index()];
        // The method would have to stay beside its variant.
        if !self.methods[caller.index()].reached
            || !progress.runs[call.block.index()]
            || survey.lead_elsewhere[callee.index()]
        {
            return None;
        }
        // What it gives is known already.
        let result = body.function.first_result(call.inst);
        if call.is_pure && result.is_some_and(|value| progress.values[value.index()].constant().is_some()) {
            return None;
        }
        let called = &self.program.methods[callee];
        // The JVM throws where a class calls what is private elsewhere.
        if called.flags.has(Flags::PRIVATE) && !are_nestmates(self.program, body.class, called.class) {
            return None;
        }
        // Who may call a constructor by reflection would find another one beside it.
        (!self.is_constructor(callee) || !self.reach.is_open(callee)).then_some(callee)
    }

    /// The method that a call may come to call without a receiver, if that method does not need one: the receiver is an object
    /// at most of the calls. The others check it.
    pub(super) fn may_lose_receiver(
        &self,
        (body, caller, call): (&Body, Method, &CallAt),
        survey: &Survey,
    ) -> Option<Method> {
        let callee = self.varied((body, caller, call), survey)?;
        let may = !self.program.methods[callee].flags.has(Flags::STATIC)
            && !self.is_constructor(callee)
            && self.may_be_varied(caller, callee)
            && !self.reach.is_open(callee)
            && survey.receivers[callee.index()].may_go();
        may.then_some(callee)
    }

    /// How many methods do not need their receiver, and keep it since at too many calls it would have to be checked.
    pub(super) fn checked_receivers(&self, survey: &Survey, live: &LiveParts) -> u64 {
        let keeps = |&method: &Method| {
            let flags = self.program.methods[method].flags;
            self.methods[method.index()].reached
                && !flags.has(Flags::STATIC)
                && !self.is_constructor(method)
                && self.may_be_varied(method, method)
                && !self.reach.is_open(method)
                && !survey.lead_elsewhere[method.index()]
                && !survey.receivers[method.index()].may_go()
                && !live.is_live(method, 0)
        };
        self.program.methods.ids().filter(keeps).count() as u64
    }

    /// Whether there may be a variant of a method. The body of a caller may be elsewhere while it is looked at.
    pub(super) fn may_be_varied(&self, caller: Method, callee: Method) -> bool {
        let flags = self.program.methods[callee].flags;
        (caller == callee || self.bodies[callee.index()].is_some())
            && !flags.any(Flags::SYNCHRONIZED | Flags::NATIVE | Flags::ABSTRACT)
    }

    /// Class, name and descriptor of a method.
    pub(super) fn full_name(&self, method: Method) -> Box<[u8]> {
        let (program, info) = (self.program, &self.program.methods[method]);
        [program.name(info.class), b".", program.text(info.selector)].concat().into()
    }
}
