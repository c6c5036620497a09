//! Which parameters matter: liveness across calls.
//!
//! A value is live if an effect, a branch or a result depends on it. An argument of a call is live only if
//! the parameter of the method is, and that is found out together for all methods, from "none is" up: a
//! parameter that a recursion merely hands on is dead (Horwitz, Reps and Binkley, *Interprocedural slicing
//! using dependence graphs*, 1990, as a liveness).
//!
//! Each body is walked once for what is live by itself. An argument that hangs on a parameter waits for that one, and
//! the walk goes on from it when the parameter turns out to be live; so no value is looked at twice, and a body in which
//! nothing waits is forgotten at once.

use planish_base::Id;
use planish_classfile::Flags;
use planish_ir::{BlockCall, Def, Exit, ExitTarget, Function, Terminator, Value};
use planish_ops::{Effect, Exits};

use crate::program::Method;
use crate::program::infer::Analysis;
use crate::program::infer::survey::Survey;

/// For each method and parameter whether it matters.
pub(super) struct LiveParameters(Vec<Vec<bool>>);

impl LiveParameters {
    /// Whether the parameter of a method at a place matters.
    pub fn is_live(&self, method: Method, place: usize) -> bool {
        self.0[method.index()].get(place).copied().unwrap_or(true)
    }
}

/// What hands an argument to a parameter of a block.
#[derive(Clone, Copy)]
enum Edge {
    Call(BlockCall),
    /// The first parameter of a handler is the exception.
    Exit(Exit),
}

/// The live values of a body, as far as they are known.
struct Liveness {
    live: Vec<bool>,
    /// By block where its edges begin, and where the last ones end.
    first: Vec<u32>,
    edges: Vec<Edge>,
}

impl Liveness {
    /// Nothing is live so far. O(blocks and edges).
    fn none(f: &Function) -> Self {
        let mut pairs = Vec::new();
        for &block in f.blocks() {
            pairs.extend(f.block_calls(block).map(|call| (call.block, Edge::Call(call))));
            pairs.extend(f.handlers(block).map(|(exit, handler)| (handler.block, Edge::Exit(exit))));
        }
        pairs.sort_by_key(|(block, _)| *block);
        let mut first = vec![0u32; f.block_count() + 1];
        pairs.iter().for_each(|(block, _)| first[block.index() + 1] += 1);
        (1..first.len()).for_each(|place| first[place] += first[place - 1]);
        let edges = pairs.into_iter().map(|(_, edge)| edge).collect();
        Liveness { live: vec![false; f.value_count()], first, edges }
    }

    /// These values are live, and so is what they are made of. Gives the parameters of the function to `parameters`
    /// that were not live before.
    fn add(&mut self, f: &Function, mut work: Vec<Value>, parameters: &mut Vec<u32>) {
        while let Some(value) = work.pop() {
            if std::mem::replace(&mut self.live[value.index()], true) {
                continue;
            }
            match f.def(value) {
                Def::Result(inst, _) => {
                    let row = f.row(inst);
                    if row.effect == Effect::Pure && row.exits == Exits::Never {
                        work.extend_from_slice(f.args(inst));
                    }
                }
                Def::Param(block, place) => {
                    if block == f.entry() {
                        parameters.push(place);
                    }
                    let range = self.first[block.index()] as usize..self.first[block.index() + 1] as usize;
                    work.extend(self.edges[range].iter().filter_map(|edge| match edge {
                        Edge::Call(call) => f.list(call.args).get(place as usize),
                        Edge::Exit(exit) => f.exit_args(*exit).get((place as usize).checked_sub(1)?),
                    }));
                }
                Def::Const(_) => {}
            }
        }
    }
}

/// An argument that is live if a parameter is.
struct Waiting {
    place: u32,
    caller: Method,
    arg: Value,
}

impl Analysis<'_, '_, '_> {
    /// Finds out which parameters matter. O(instructions).
    pub(super) fn live_parameters(&self, survey: &Survey) -> LiveParameters {
        let count = |index: usize| self.bodies[index].as_ref().map_or(0, |body| body.function.params().len());
        let mut live =
            LiveParameters((0..self.bodies.len()).map(|index| vec![false; count(index)]).collect());
        let mut waiting: Vec<Vec<Waiting>> = (0..self.bodies.len()).map(|_| Vec::new()).collect();
        let mut open: Vec<Option<Liveness>> = (0..self.bodies.len()).map(|_| None).collect();
        let mut found: Vec<(Method, u32)> = Vec::new();
        let mut parameters = Vec::new();
        for method in self.program.methods.ids().filter(|method| self.methods[method.index()].reached) {
            let Some(body) = &self.bodies[method.index()] else { continue };
            let f = &body.function;
            let (roots, hanging) = self.roots(method, f, survey, &live);
            let mut values = Liveness::none(f);
            values.add(f, roots, &mut parameters);
            let mut waits = false;
            for (callee, place, arg) in hanging {
                if !values.live[arg.index()] && f.constant(arg).is_none() {
                    waiting[callee.index()].push(Waiting { place, caller: method, arg });
                    waits = true;
                }
            }
            open[method.index()] = waits.then_some(values);
            for place in parameters.drain(..) {
                live.0[method.index()][place as usize] = true;
                found.push((method, place));
            }
        }
        while let Some((method, place)) = found.pop() {
            let (now, later) = std::mem::take(&mut waiting[method.index()])
                .into_iter()
                .partition(|waiting: &Waiting| waiting.place == place);
            waiting[method.index()] = later;
            for Waiting { caller, arg, .. } in now {
                let (Some(values), Some(body)) = (&mut open[caller.index()], &self.bodies[caller.index()])
                else {
                    continue;
                };
                values.add(&body.function, vec![arg], &mut parameters);
                for place in parameters.drain(..) {
                    live.0[caller.index()][place as usize] = true;
                    found.push((caller, place));
                }
            }
        }
        live
    }

    /// The values that are live whatever calls do with them, and the arguments that are live if a parameter of the
    /// method is which a call leads to.
    fn roots(
        &self,
        method: Method,
        f: &Function,
        survey: &Survey,
        live: &LiveParameters,
    ) -> (Vec<Value>, Vec<(Method, u32, Value)>) {
        let mut calls = survey.of(method).iter().peekable();
        let (mut roots, mut hanging) = (Vec::new(), Vec::new());
        for &block in f.blocks() {
            for &inst in f.block_insts(block) {
                let data = f.inst(inst);
                let call = calls.next_if(|call| call.inst == inst);
                if let Some(exit) = data.exit {
                    // What handlers need is decided by their parameters; the roots are enough here.
                    if !matches!(f.exit(exit).target, ExitTarget::To(_)) {
                        roots.extend_from_slice(f.exit_args(exit));
                    }
                }
                let row = f.row(inst);
                if row.effect == Effect::Pure && row.exits == Exits::Never {
                    continue;
                }
                let Some(callee) = call.and_then(|call| call.only) else {
                    roots.extend_from_slice(f.args(inst));
                    continue;
                };
                let is_static = self.program.methods[callee].flags.has(Flags::STATIC);
                for (place, &arg) in f.args(inst).iter().enumerate() {
                    // A call needs its receiver, whatever becomes of it there.
                    if place == 0 && !is_static || live.is_live(callee, place) {
                        roots.push(arg);
                    } else {
                        hanging.push((callee, place as u32, arg));
                    }
                }
            }
            let terminator = f.terminator(block);
            roots.extend(terminator.condition());
            if let Terminator::Return(results) = terminator {
                roots.extend_from_slice(f.list(*results));
            }
        }
        (roots, hanging)
    }
}
