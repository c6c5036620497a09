//! Interprocedural liveness (dead argument elimination, as LLVM's `DeadArgumentElimination`): which parameters, results
//! and fields matter.
//!
//! A value is live if an effect, a branch or a live result depends on it. An argument of a call is live only if
//! the parameter of the method is, what a method returns only if the result of a call that may lead to it is, or
//! something outside calls it, and what is stored only if something live is loaded from the field. That is found out
//! together for all methods, from "none is" up: a parameter that a recursion merely hands on is dead, and so are a result
//! that it merely returns and a field that is read to be counted up and for nothing else (Horwitz, Reps and Binkley,
//! *Interprocedural slicing using dependence graphs*, 1990, as a liveness).
//!
//! The receiver of a call is checked for null, so it is live. But a method that hands its own receiver on does not need it for
//! that, if it is known to be an object and the call may lead to a variant that has none (`staticizing`). Where it comes from
//! elsewhere it stays live: what is dropped is null in a variant, and there may be calls on it that nobody can change.
//!
//! Each body is walked once for what is live by itself. An argument that hangs on a parameter waits for that one, what
//! is returned for the result, what is stored for the field, and the walk goes on from it when that turns out to be live;
//! so no value is looked at twice, and a body in which nothing waits is forgotten at once.

use hashbrown::HashMap;
use planish_base::{Id, Worklist};
use planish_classfile::Flags;
use planish_ir::{Block, BlockCall, Def, Exit, ExitTarget, Function, Inst, Terminator, Value};
use planish_jvm_model::program::{Field, Method};
use planish_ops::{Effect, Exits, Op};
use rustc_hash::FxBuildHasher;

use crate::infer::state::families::{Families, Family};
use crate::infer::state::sites::Site;
use crate::infer::state::{Analysis, Body};
use crate::infer::survey::{CallAt, Survey};

/// For each method which of its parameters matter, and whether its result does; whether fields do.
pub(super) struct LiveParts {
    parameters: Vec<Vec<bool>>,
    results: Vec<bool>,
    fields: Vec<bool>,
    /// By closed family those parameters that matter in one of its methods.
    in_families: Vec<Vec<bool>>,
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

    /// Whether the parameter at a place matters in some method of a family.
    pub fn is_live_in_family(&self, family: Family, place: usize) -> bool {
        self.in_families[family.index()].get(place).copied().unwrap_or(false)
    }

    /// Whether what a field holds matters.
    pub fn is_field_live(&self, field: Field) -> bool {
        self.fields[field.index()]
    }

    /// Whether a part matters.
    fn has(&self, part: Part) -> bool {
        match part {
            Part::Parameter(method, place) => self.is_live(method, place as usize),
            Part::Result(method) => self.is_result_live(method),
            Part::Field(field) => self.is_field_live(field),
            Part::InFamily(family, place) => self.is_live_in_family(family, place as usize),
        }
    }
}

/// What may matter.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Part {
    Parameter(Method, u32),
    Result(Method),
    Field(Field),
    /// A parameter of some method of a family.
    InFamily(Family, u32),
}

/// What a walk over live values came to: parameters of the body, and calls and loads that give what is live.
#[derive(Default)]
struct Reached {
    parameters: Vec<u32>,
    given: Vec<Inst>,
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
    fn add(&mut self, f: &Function, mut work: Worklist<Value>, reached: &mut Reached) {
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
                    if let Op::Call | Op::GetField | Op::GetStatic = f.inst(inst).op {
                        reached.given.push(inst);
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

/// A value that is live if something is.
struct Waiting {
    caller: Method,
    value: Value,
}

impl Analysis<'_, '_, '_> {
    /// Finds out which parameters, results and fields matter. O(instructions).
    pub(super) fn live_parts(&self, survey: &Survey, families: &Families) -> LiveParts {
        let count = |index: usize| self.bodies[index].as_ref().map_or(0, |body| body.function.params().len());
        let mut live = LiveParts {
            parameters: (0..self.bodies.len()).map(|index| vec![false; count(index)]).collect(),
            results: self.methods.iter().map(|summary| summary.is_open).collect(),
            fields: self.fields.iter().map(|field| field.is_open).collect(),
            in_families: vec![Vec::new(); families.len()],
        };
        let known = (survey, families);
        let mut waiting: HashMap<Part, Vec<Waiting>, FxBuildHasher> = HashMap::default();
        let mut open: Vec<Option<Liveness>> = (0..self.bodies.len()).map(|_| None).collect();
        let mut found: Worklist<Part> = Worklist::default();
        let mut reached = Reached::default();
        for method in self.program.methods.ids().filter(|method| self.methods[method.index()].reached) {
            let Some(body) = &self.bodies[method.index()] else { continue };
            let f = &body.function;
            let (roots, hanging) = self.roots(method, body, known, &live);
            let mut values = Liveness::none(f);
            values.add(f, roots.into(), &mut reached);
            let mut waits = false;
            for (part, value) in hanging {
                if !values.live[value.index()] && f.constant(value).is_none() {
                    waiting.entry(part).or_default().push(Waiting { caller: method, value });
                    waits = true;
                }
            }
            open[method.index()] = waits.then_some(values);
            self.note(method, known, &mut reached, &mut live, &mut found);
        }
        while let Some(part) = found.pop() {
            for Waiting { caller, value } in waiting.remove(&part).unwrap_or_default() {
                let (Some(values), Some(body)) = (&mut open[caller.index()], &self.bodies[caller.index()])
                else {
                    continue;
                };
                values.add(&body.function, vec![value].into(), &mut reached);
                self.note(caller, known, &mut reached, &mut live, &mut found);
            }
        }
        live
    }

    /// Notes what was reached in the body of a method. What was not live before goes to `found`.
    fn note(
        &self,
        method: Method,
        (survey, families): (&Survey, &Families),
        reached: &mut Reached,
        live: &mut LiveParts,
        found: &mut Worklist<Part>,
    ) {
        for place in reached.parameters.drain(..) {
            live.parameters[method.index()][place as usize] = true;
            found.push(Part::Parameter(method, place));
            let Some(family) = families.of_method(method) else { continue };
            let places = &mut live.in_families[family.index()];
            if places.len() <= place as usize {
                places.resize(place as usize + 1, false);
            }
            if !std::mem::replace(&mut places[place as usize], true) {
                found.push(Part::InFamily(family, place));
            }
        }
        for inst in reached.given.drain(..) {
            if let Some(field) =
                self.bodies[method.index()].as_ref().and_then(|body| self.accessed(body, inst))
            {
                if !std::mem::replace(&mut live.fields[field.index()], true) {
                    found.push(Part::Field(field));
                }
                continue;
            }
            let mut see = |target: Method| {
                if !std::mem::replace(&mut live.results[target.index()], true) {
                    found.push(Part::Result(target));
                }
            };
            for &target in survey.targets(method, inst) {
                see(target);
                self.copies.each(target, &mut see);
            }
        }
    }

    /// The field of the program that an instruction reads or writes, if it does.
    fn accessed(&self, body: &Body, inst: Inst) -> Option<Field> {
        let data = body.function.inst(inst);
        let sites = &self.sites[body.class.index()];
        match (data.op, data.descr.map(|descr| &sites[descr.index()])) {
            (
                Op::Call | Op::GetField | Op::GetStatic | Op::SetField | Op::SetStatic,
                Some(Site::Field(field)),
            ) => Some(*field),
            _ => None,
        }
    }

    /// The values that are live whatever becomes of them elsewhere, and those that are live if something is: a part of a
    /// method to which a call leads or of this one, or a field.
    fn roots(
        &self,
        method: Method,
        body: &Body,
        (survey, families): (&Survey, &Families),
        live: &LiveParts,
    ) -> (Vec<Value>, Vec<(Part, Value)>) {
        let f = &body.function;
        let is_static = self.program.methods[method].flags.has(Flags::STATIC);
        let own = f.params().first().filter(|_| !is_static);
        let mut calls = survey.of(method).iter().peekable();
        let (mut roots, mut hanging) = (Vec::new(), Vec::new());
        let mut hang = |part: Part, value: Value, roots: &mut Vec<Value>| match live.has(part) {
            true => roots.push(value),
            false => hanging.push((part, value)),
        };
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
                if let ([objects @ .., stored], None) = (f.args(inst), f.first_result(inst))
                    && let Some(field) = self.accessed(body, inst)
                {
                    // A store needs its object, whatever becomes of what it stores.
                    roots.extend_from_slice(objects);
                    hang(Part::Field(field), *stored, &mut roots);
                    continue;
                }
                let only = call.and_then(CallAt::leads_to);
                let family = call.and_then(|call| call.named).and_then(|named| families.of_method(named));
                let part = |place: u32| match (only, family) {
                    (Some(only), _) if place > 0 || self.program.methods[only].flags.has(Flags::STATIC) => {
                        Some(Part::Parameter(only, place))
                    }
                    // A call needs its receiver, whatever becomes of it there, unless this method hands its own on to one that
                    // may do without.
                    (Some(only), _) => {
                        let is_own = own.is_some() && f.args(inst).first() == own;
                        let call = call.filter(|_| is_own)?;
                        self.may_lose_receiver((body, method, call), survey)?;
                        Some(Part::Parameter(only, place))
                    }
                    (None, Some(family)) if place > 0 => Some(Part::InFamily(family, place)),
                    _ => None,
                };
                for (place, &arg) in (0..).zip(f.args(inst)) {
                    match part(place) {
                        None => roots.push(arg),
                        Some(part) => hang(part, arg, &mut roots),
                    }
                }
            }
            let terminator = f.terminator(block);
            roots.extend(terminator.condition());
            if let Terminator::Return(results) = terminator {
                for &result in f.list(*results) {
                    hang(Part::Result(method), result, &mut roots);
                }
            }
        }
        (roots, hanging)
    }
}
