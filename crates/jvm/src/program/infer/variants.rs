//! Which calls pay with fewer arguments, once nothing grows: those that want variants of what they call.

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::Flags;
use planish_domain::RefFact;
use planish_ir::{Const, Function};
use rustc_hash::FxBuildHasher;

use crate::program::Method;
use crate::program::infer::fact::Fact;
use crate::program::infer::live::LiveParameters;
use crate::program::infer::survey::{CallAt, Survey};
use crate::program::infer::{Analysis, Body};
use crate::program::specialize::{
    COPIED, COPIED_ONE_IN, COPIES, LARGEST_COPY, LARGEST_COPY_WITH_EFFECTS, Part, Variant, Wanted,
};

impl Analysis<'_, '_, '_> {
    /// The calls that pay with fewer arguments.
    pub(super) fn variants(&mut self, survey: &Survey, live: &LiveParameters, is_first: bool) -> Wanted {
        let mut wanted = Wanted::default();
        let program = self.program;
        let size: usize = self.bodies.iter().flatten().map(|body| body.size).sum();
        let mut copies = Copies {
            known: HashMap::default(),
            left: COPIED + if is_first { size / COPIED_ONE_IN } else { 0 },
        };
        for caller in program.methods.ids() {
            if !self.methods[caller.index()].reached || survey.of(caller).is_empty() {
                continue;
            }
            let Some(body) = self.bodies[caller.index()].take() else { continue };
            let info = &program.methods[caller];
            let full_name = [program.name(info.class), b".", program.text(info.selector)].concat();
            for call in survey.of(caller) {
                let Some(callee) = call.only else { continue };
                // The method would have to stay beside its variant.
                if !self.progress[caller.index()].runs[call.block.index()]
                    || survey.lead_elsewhere[callee.index()]
                {
                    continue;
                }
                // What it gives is known already.
                let mut results = body.function.results(call.inst);
                if results
                    .any(|value| self.progress[caller.index()].values[value.index()].constant().is_some())
                {
                    continue;
                }
                let called = &program.methods[callee];
                let drops_receiver = !called.flags.has(Flags::STATIC)
                    && (caller == callee || self.may_be_varied(callee))
                    && !self.reach.is_open(callee)
                    && !live.is_live(callee, 0)
                    && !survey.on_null[callee.index()];
                let parts = self.parts(&body, caller, (call, callee), live, &mut copies);
                let all_kept = || vec![Part::Keep; body.function.args(call.inst).len() - 1];
                let Some(parts) = parts.or_else(|| drops_receiver.then(all_kept)) else { continue };
                let variant = Variant {
                    class: program.name(called.class).into(),
                    in_interface: program.classes[called.class].file.flags.has(Flags::INTERFACE),
                    of: program.member_name(called.selector).into(),
                    of_descriptor: program.descriptor(called.selector).into(),
                    drops_receiver,
                    parts,
                };
                self.also_calls(&body, caller, (call, callee), &variant);
                let at = body.function.inst(call.inst).location.0 - 1;
                wanted.add(full_name.clone().into(), at, variant);
            }
            self.bodies[caller.index()] = Some(body);
        }
        wanted
    }

    /// A call will lead to a variant. If that is there already, what is found out about it has to hold for this call,
    /// too, which the analysis saw leading to the method.
    fn also_calls(
        &mut self,
        body: &Body,
        caller: Method,
        (call, callee): (&CallAt, Method),
        variant: &Variant,
    ) {
        let info = &self.program.methods[callee];
        let full_name = variant.full_name();
        let selector = self.program.selector(&full_name[variant.class.len() + 1..]);
        let existing = selector.and_then(|selector| self.program.declared_method(info.class, selector));
        let Some(existing) = existing else { return };
        let mut args = body.function.args(call.inst).iter();
        let mut facts = Vec::new();
        if !info.flags.has(Flags::STATIC) {
            args.next();
            if !variant.drops_receiver {
                facts.push(Fact::Ref(call.receiver.meet(RefFact::NONNULL, &self.classes)));
            }
        }
        for (&arg, _) in args.zip(&variant.parts).filter(|(_, part)| **part == Part::Keep) {
            facts.push(self.progress[caller.index()].values[arg.index()]);
        }
        self.call_with(existing, None, &facts);
    }

    /// Whether there may be a variant of a method.
    fn may_be_varied(&self, method: Method) -> bool {
        let flags = self.program.methods[method].flags;
        self.bodies[method.index()].is_some()
            && !flags.any(Flags::SYNCHRONIZED | Flags::NATIVE | Flags::ABSTRACT)
    }

    /// What a call makes of the parameters of a method; nothing if a variant does not pay.
    fn parts(
        &self,
        body: &Body,
        caller: Method,
        (call, callee): (&CallAt, Method),
        live: &LiveParameters,
        copies: &mut Copies,
    ) -> Option<Vec<Part>> {
        let info = &self.program.methods[callee];
        let (summary, values) = (&self.methods[callee.index()], &self.progress[caller.index()].values);
        if info.flags.any(Flags::SYNCHRONIZED | Flags::NATIVE | Flags::ABSTRACT) {
            return None;
        }
        let receiver = usize::from(!info.flags.has(Flags::STATIC));
        // The callee's body is at hand, unless it is the caller.
        let own = if caller == callee { body } else { self.bodies[callee.index()].as_ref()? };
        // What only computes may be computed ahead of time.
        let most = if call.is_pure { LARGEST_COPY } else { LARGEST_COPY_WITH_EFFECTS };
        let count = own.size;
        // Constants of methods with receivers are seldom the point of them.
        let small = count <= most && receiver == 0;
        let (mut always, mut here) = (Vec::new(), Vec::new());
        for (place, &arg) in body.function.args(call.inst).iter().enumerate().skip(receiver) {
            let known = match body.function.constant(arg) {
                Some(constant) => Some(constant),
                None => values[arg.index()].constant(),
            };
            let known = known.filter(|constant| !matches!(constant, Const::Symbol(..) | Const::Hole));
            let is_closed = !self.reach.is_open(callee);
            let part = match (live.is_live(callee, place), known) {
                // One that others may call stays, so that a variant would be a copy.
                (false, _) if is_closed => Part::Drop,
                (true, Some(constant)) if is_closed && summary.parameters[place].constant().is_some() => {
                    Part::Is(constant)
                }
                _ => Part::Keep,
            };
            always.push(part);
            here.push(match (part, known) {
                (Part::Keep, Some(constant)) if small && decides(&own.function, place) => Part::Is(constant),
                (part, _) => part,
            });
        }
        if here != always {
            let known = copies.known.entry(callee).or_default();
            if known.contains(&here) {
                return Some(here);
            }
            if known.len() < COPIES && count <= copies.left {
                copies.left -= count;
                known.push(here.clone());
                return Some(here);
            }
        }
        always.iter().any(|part| *part != Part::Keep).then_some(always)
    }
}

/// Whether a method branches on a parameter: compares it, or looks at it itself.
fn decides(f: &Function, place: usize) -> bool {
    let Some(&param) = f.params().get(place) else { return false };
    f.blocks().iter().any(|&block| {
        f.terminator(block).condition().is_some_and(|on| {
            let compares = |inst| f.args(inst).contains(&param) && f.ty(on) == planish_ops::Type::I1;
            on == param || f.def_inst(on).is_some_and(compares)
        })
    })
}

/// The copies that are wanted for constants which other calls do not have.
struct Copies {
    known: HashMap<Method, Vec<Vec<Part>>, FxBuildHasher>,
    /// How many operations more may be copied.
    left: usize,
}
