//! Which parameters matter: liveness across calls.
//!
//! A value is live if an effect, a branch or a result depends on it. An argument of a call is live only if
//! the parameter of the method is, and that is found out together for all methods, from "none is" up: a
//! parameter that a recursion merely hands on is dead (Horwitz, Reps and Binkley, *Interprocedural slicing
//! using dependence graphs*, 1990, as a liveness).

use std::collections::VecDeque;

use planish_base::Id;
use planish_classfile::{Flags, Opcode};
use planish_domain::RefFact;
use planish_ir::{Def, ExitTarget, Function, Inst, Terminator, Value};
use planish_ops::{Effect, Exits, Op};

use crate::program::infer::fact::Fact;
use crate::program::infer::sites::Site;
use crate::program::infer::{Analysis, Body};
use crate::program::{Found, Method};

/// For each method and parameter whether it matters.
pub(super) struct LiveParameters(Vec<Vec<bool>>);

impl LiveParameters {
    /// Whether the parameter of a method at a place matters.
    pub fn is_live(&self, method: Method, place: usize) -> bool {
        self.0[method.index()].get(place).copied().unwrap_or(true)
    }
}

impl Analysis<'_, '_, '_> {
    /// The one method that a call leads to, if the method that the instruction names would be found there as
    /// well: a static one, a private one, or the only one that receivers of which this much is known select.
    pub(super) fn only_callee(&mut self, site: &Site, receiver: RefFact) -> Option<Method> {
        let Site::Call(callee) = site else { return None };
        let program = self.program;
        let Some(Found::Program(found)) = callee.found else { return None };
        match callee.op {
            Opcode::Invokestatic => return Some(found),
            Opcode::Invokevirtual => {}
            Opcode::Invokespecial if program.methods[found].flags.has(Flags::PRIVATE) => {}
            _ => return None,
        }
        let targets = self.leads(callee, receiver);
        let (&[only], false, Some(named)) = (&targets.methods[..], targets.outside, callee.class) else {
            return None;
        };
        let home = &program.classes[program.methods[only].class];
        let is_constructor = program.member_name(program.methods[only].selector) == b"<init>";
        let is_above =
            program.class(named).is_some_and(|named| program.classes[named].supertypes.contains(&home.id));
        let is_static = program.methods[only].flags.has(Flags::STATIC);
        let fits = is_above && !is_static && !is_constructor && !home.file.flags.has(Flags::INTERFACE);
        fits.then_some(only)
    }

    /// What is known of the receiver of a call in a method.
    pub(super) fn receiver(&self, method: Method, f: &Function, inst: Inst) -> RefFact {
        let known = f.args(inst).first().map(|&arg| match f.constant(arg) {
            Some(constant) => Fact::of(constant, &self.classes),
            None => self.progress[method.index()].values[arg.index()],
        });
        match known {
            Some(Fact::Ref(known)) => known,
            _ => RefFact::TOP,
        }
    }

    /// Finds out which parameters matter.
    pub(super) fn live_parameters(&mut self) -> LiveParameters {
        let count = |body: &Option<Body>| body.as_ref().map_or(0, |body| body.function.params().len());
        let mut live = LiveParameters(self.bodies.iter().map(|body| vec![false; count(body)]).collect());
        let reached: Vec<usize> =
            (0..self.bodies.len()).filter(|&index| self.methods[index].reached).collect();
        let mut is_queued = vec![false; self.bodies.len()];
        reached.iter().for_each(|&index| is_queued[index] = true);
        let mut queue = VecDeque::from(reached);
        while let Some(index) = queue.pop_front() {
            is_queued[index] = false;
            let Some(body) = self.bodies[index].take() else { continue };
            let values = self.live_values(Method::from_index(index), &body, &live);
            let mut changed = false;
            for (place, &param) in body.function.params().iter().enumerate() {
                if values[param.index()] {
                    changed |= !std::mem::replace(&mut live.0[index][place], true);
                }
            }
            self.bodies[index] = Some(body);
            if changed {
                for caller in self.callers.of(Method::from_index(index)).iter().map(|caller| caller.index()) {
                    if !std::mem::replace(&mut is_queued[caller], true) {
                        queue.push_back(caller);
                    }
                }
            }
        }
        live
    }

    /// The live values of a body.
    fn live_values(&mut self, method: Method, body: &Body, live: &LiveParameters) -> Vec<bool> {
        let f: &Function = &body.function;
        let mut work: Vec<Value> = Vec::new();
        for &block in f.blocks() {
            for &inst in f.block_insts(block) {
                let data = f.inst(inst);
                if let Some(exit) = data.exit {
                    // What handlers need is decided by their parameters; the roots are enough here.
                    if !matches!(f.exit(exit).target, ExitTarget::To(_)) {
                        work.extend_from_slice(f.exit_args(exit));
                    }
                }
                let row = f.row(inst);
                if row.effect == Effect::Pure && row.exits == Exits::Never {
                    continue;
                }
                let site =
                    data.descr.filter(|_| data.op == Op::Call).map(|descr| self.site(body.class, descr));
                let callee = site.and_then(|site| {
                    let receiver = self.receiver(method, f, inst);
                    self.only_callee(&site, receiver)
                });
                for (place, &arg) in f.args(inst).iter().enumerate() {
                    let is_dead = callee.is_some_and(|callee| {
                        // A call needs its receiver, whatever becomes of it there.
                        let is_receiver =
                            place == 0 && !self.program.methods[callee].flags.has(Flags::STATIC);
                        !is_receiver && !self.bodies_are_unknown(callee) && !live.is_live(callee, place)
                    });
                    if !is_dead {
                        work.push(arg);
                    }
                }
            }
            let terminator = f.terminator(block);
            work.extend(terminator.condition());
            if let Terminator::Return(results) = terminator {
                work.extend_from_slice(f.list(*results));
            }
        }
        // What each parameter of a block may be.
        let mut incoming: Vec<Vec<Value>> = vec![Vec::new(); f.value_count()];
        for &block in f.blocks() {
            for call in f.block_calls(block) {
                for (param, &arg) in f.block_params(call.block).iter().zip(f.list(call.args)) {
                    incoming[param.index()].push(arg);
                }
            }
            for (exit, handler) in f.handlers(block) {
                for (param, &arg) in f.block_params(handler.block).iter().skip(1).zip(f.exit_args(exit)) {
                    incoming[param.index()].push(arg);
                }
            }
        }
        let mut values = vec![false; f.value_count()];
        while let Some(value) = work.pop() {
            if std::mem::replace(&mut values[value.index()], true) {
                continue;
            }
            match f.def(value) {
                Def::Result(inst, _) => {
                    let row = f.row(inst);
                    if row.effect == Effect::Pure && row.exits == Exits::Never {
                        work.extend_from_slice(f.args(inst));
                    }
                }
                Def::Param(..) => work.extend_from_slice(&incoming[value.index()]),
                Def::Const(_) => {}
            }
        }
        values
    }

    fn bodies_are_unknown(&self, method: Method) -> bool {
        self.progress[method.index()].values.is_empty()
    }
}
