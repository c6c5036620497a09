//! Which parameters and results matter: liveness across calls.
//!
//! A value is live if an effect, a branch or a live result depends on it. An argument of a call is live only if
//! the parameter of the method is, and what a method returns only if the result of a call that may lead to it is, or
//! something outside calls it. That is found out together for all methods, from "none is" up: a parameter that a
//! recursion merely hands on is dead, and so is a result that it merely returns (Horwitz, Reps and Binkley,
//! *Interprocedural slicing using dependence graphs*, 1990, as a liveness).
//!
//! Each body is walked once for what is live by itself. An argument that hangs on a parameter waits for that one, what
//! is returned for the result, and the walk goes on from it when that turns out to be live; so no value is looked at
//! twice, and a body in which nothing waits is forgotten at once.

use planish_base::Id;
use planish_classfile::Flags;
use planish_ir::{Block, BlockCall, Def, Exit, ExitTarget, Function, Inst, Terminator, Value};
use planish_ops::{Effect, Exits, Op};

use crate::program::Method;
use crate::program::infer::Analysis;
use crate::program::infer::survey::Survey;

/// For each method which of its parameters matter, and whether its result does.
pub(super) struct LiveParts {
    parameters: Vec<Vec<bool>>,
    results: Vec<bool>,
}

impl LiveParts {
    /// Whether the parameter of a method at a place matters.
    pub fn is_live(&self, method: Method, place: usize) -> bool {
        self.parameters[method.index()].get(place).copied().unwrap_or(true)
    }

    /// Whether the result of a method matters.
    pub fn is_result_live(&self, method: Method) -> bool {
        self.results[method.index()]
    }
}

/// What of a method may matter.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Parameter(u32),
    Result,
}

/// What a walk over live values came to: parameters of the body, and calls whose result is live.
#[derive(Default)]
struct Reached {
    parameters: Vec<u32>,
    calls: Vec<Inst>,
}

/// What hands an argument to a parameter of a block.
#[derive(Clone, Copy)]
enum Edge {
    Call(BlockCall),
    /// The first parameter of a handler is the exception.
    Exit(Exit),
}

/// The live values of a body, as far as they are known.
pub(super) struct Liveness {
    live: Vec<bool>,
    /// By block where its edges begin, and where the last ones end.
    first: Vec<u32>,
    edges: Vec<Edge>,
}

impl Liveness {
    /// Nothing is live so far. O(blocks and edges).
    pub fn none(f: &Function) -> Self {
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

    /// What a parameter of a block may be, where it is no exception.
    pub fn incoming<'f>(
        &self,
        f: &'f Function,
        block: Block,
        place: u32,
    ) -> impl Iterator<Item = Value> + use<'_, 'f> {
        let range = self.first[block.index()] as usize..self.first[block.index() + 1] as usize;
        self.edges[range].iter().filter_map(move |edge| match edge {
            Edge::Call(call) => f.list(call.args).get(place as usize).copied(),
            Edge::Exit(exit) => f.exit_args(*exit).get((place as usize).checked_sub(1)?).copied(),
        })
    }

    /// These values are live, and so is what they are made of. Gives to `reached` what was not live before.
    fn add(&mut self, f: &Function, mut work: Vec<Value>, reached: &mut Reached) {
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
                    if f.inst(inst).op == Op::Call {
                        reached.calls.push(inst);
                    }
                }
                Def::Param(block, place) => {
                    if block == f.entry() {
                        reached.parameters.push(place);
                    }
                    work.extend(self.incoming(f, block, place));
                }
                Def::Const(_) => {}
            }
        }
    }
}

/// A value that is live if a part of a method is.
struct Waiting {
    part: Part,
    caller: Method,
    value: Value,
}

impl Analysis<'_, '_, '_> {
    /// Finds out which parameters and results matter. O(instructions).
    pub(super) fn live_parts(&self, survey: &Survey) -> LiveParts {
        let count = |index: usize| self.bodies[index].as_ref().map_or(0, |body| body.function.params().len());
        let mut live = LiveParts {
            parameters: (0..self.bodies.len()).map(|index| vec![false; count(index)]).collect(),
            results: self.methods.iter().map(|summary| summary.is_open).collect(),
        };
        let mut waiting: Vec<Vec<Waiting>> = (0..self.bodies.len()).map(|_| Vec::new()).collect();
        let mut open: Vec<Option<Liveness>> = (0..self.bodies.len()).map(|_| None).collect();
        let mut found: Vec<(Method, Part)> = Vec::new();
        let mut reached = Reached::default();
        for method in self.program.methods.ids().filter(|method| self.methods[method.index()].reached) {
            let Some(body) = &self.bodies[method.index()] else { continue };
            let f = &body.function;
            let (roots, hanging) = self.roots(method, f, survey, &live);
            let mut values = Liveness::none(f);
            values.add(f, roots, &mut reached);
            let mut waits = false;
            for (callee, part, value) in hanging {
                if !values.live[value.index()] && f.constant(value).is_none() {
                    waiting[callee.index()].push(Waiting { part, caller: method, value });
                    waits = true;
                }
            }
            open[method.index()] = waits.then_some(values);
            self.note(method, survey, &mut reached, &mut live, &mut found);
        }
        while let Some((method, part)) = found.pop() {
            let (now, later) = std::mem::take(&mut waiting[method.index()])
                .into_iter()
                .partition(|waiting: &Waiting| waiting.part == part);
            waiting[method.index()] = later;
            for Waiting { caller, value, .. } in now {
                let (Some(values), Some(body)) = (&mut open[caller.index()], &self.bodies[caller.index()])
                else {
                    continue;
                };
                values.add(&body.function, vec![value], &mut reached);
                self.note(caller, survey, &mut reached, &mut live, &mut found);
            }
        }
        live
    }

    /// Notes what was reached in the body of a method. What was not live before goes to `found`.
    fn note(
        &self,
        method: Method,
        survey: &Survey,
        reached: &mut Reached,
        live: &mut LiveParts,
        found: &mut Vec<(Method, Part)>,
    ) {
        for place in reached.parameters.drain(..) {
            live.parameters[method.index()][place as usize] = true;
            found.push((method, Part::Parameter(place)));
        }
        for inst in reached.calls.drain(..) {
            let mut see = |target: Method| {
                if !std::mem::replace(&mut live.results[target.index()], true) {
                    found.push((target, Part::Result));
                }
            };
            for &target in survey.targets(method, inst) {
                see(target);
                self.copies.each(target, &mut see);
            }
        }
    }

    /// The values that are live whatever becomes of them elsewhere, and those that are live if a part of a method is: of
    /// one to which a call leads, or of this one.
    fn roots(
        &self,
        method: Method,
        f: &Function,
        survey: &Survey,
        live: &LiveParts,
    ) -> (Vec<Value>, Vec<(Method, Part, Value)>) {
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
                        hanging.push((callee, Part::Parameter(place as u32), arg));
                    }
                }
            }
            let terminator = f.terminator(block);
            roots.extend(terminator.condition());
            if let Terminator::Return(results) = terminator {
                let results = f.list(*results);
                match live.is_result_live(method) {
                    true => roots.extend_from_slice(results),
                    false => hanging.extend(results.iter().map(|&result| (method, Part::Result, result))),
                }
            }
        }
        (roots, hanging)
    }
}
