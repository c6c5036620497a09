//! Functions that are expressions: straight lines of operations that are defined for all operands, and of calls of such
//! functions. A call of one is a value like any other, which may be moved, shared or left out, and equals its body.
//!
//! O(size of the module).

use hashbrown::HashMap;
use planish_base::Id;
use planish_ir::{Const, FuncId, Function, Inst, Module, Terminator, Value};
use planish_ops::world::{Descr, World};
use planish_ops::{Effect, Exits, Op, Type};
use planish_pass::Price;
use rustc_hash::FxBuildHasher;

/// What a call costs where nothing is said of calls: the call, and taking its result.
pub const CALL: u32 = 2;

/// An operand of a step.
#[derive(Clone, Copy, Debug)]
pub(super) enum Arg {
    /// A parameter.
    Param(usize),
    /// A constant.
    Const(Const),
    /// A result of a step before.
    Made(usize, usize),
}

/// What an expression computes in one step.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// An operation and the type of its result.
    Op(Op, Vec<Arg>, Type),
    /// A call of another expression.
    Call(Descr, Vec<Arg>),
}

/// An expression.
#[derive(Clone, Debug)]
pub(super) struct Body {
    /// The types of the parameters.
    pub params: Vec<Type>,
    /// The types of the results.
    pub types: Vec<Type>,
    /// The steps, operands first.
    pub steps: Vec<Step>,
    /// The results.
    pub results: Vec<Arg>,
    /// What its own operations and calls cost.
    pub cost: u64,
    /// The expressions that it calls, with repetitions.
    pub calls: Vec<Descr>,
}

/// The functions of a module that are expressions, by what calls name.
#[derive(Clone, Debug, Default)]
pub struct Bodies {
    of: HashMap<Descr, Body, FxBuildHasher>,
    price: u32,
    /// The functions of the module, callees before callers where they do not call one another in circles.
    order: Vec<FuncId>,
}

impl Bodies {
    /// Finds those that are called.
    pub fn new(module: &Module, price: Price<'_>) -> Bodies {
        let mut bodies = Bodies { price: price(Op::Call).unwrap_or(CALL).max(1), ..Bodies::default() };
        let mut by_descr = HashMap::<Descr, FuncId, FxBuildHasher>::default();
        for (id, function) in module.functions.iter() {
            by_descr.extend(module.descriptors.lookup(&function.name).map(|descr| (descr, id)));
        }
        // Callees first: a function is looked at when all that it calls is known; one that calls itself never is.
        let mut waiting: Vec<usize> = vec![0; module.functions.len()];
        let mut callers: Vec<Vec<FuncId>> = vec![Vec::new(); module.functions.len()];
        let mut ready = Vec::new();
        for (id, function) in module.functions.iter() {
            let calls = function.live_insts().filter(|(_, inst)| function.inst(*inst).op == Op::Call);
            for callee in calls.filter_map(|(_, inst)| by_descr.get(&function.inst(inst).descr?)) {
                waiting[id.index()] += 1;
                callers[callee.index()].push(id);
            }
            if waiting[id.index()] == 0 {
                ready.push(id);
            }
        }
        // Those between which no call decides keep their order.
        while let Some(&id) = ready.get(bodies.order.len()) {
            let function = &module.functions[id];
            bodies.order.push(id);
            bodies.learn(function, module.descriptors.lookup(&function.name), price);
            for &caller in &callers[id.index()] {
                waiting[caller.index()] -= 1;
                if waiting[caller.index()] == 0 {
                    ready.push(caller);
                }
            }
        }
        let in_circles = module.functions.ids().filter(|id| waiting[id.index()] > 0);
        bodies.order.extend(in_circles);
        bodies
    }

    /// The functions of the module, callees first.
    pub fn callees_first(&self) -> Vec<FuncId> {
        self.order.clone()
    }

    /// Takes what a function of a name is now for its body.
    pub fn learn(&mut self, function: &Function, name: Option<Descr>, price: Price<'_>) {
        let Some(name) = name else { return };
        match self.body(function, price) {
            Some(body) => _ = self.of.insert(name, body),
            // Calls of it stay where they are, those in the bodies of others too.
            None => debug_assert!(!self.of.contains_key(&name), "an expression stays one"),
        }
    }

    /// Whether every call of a function of a module is one of an expression, and there is one.
    pub fn are_all_callees(&self, module: &Module) -> bool {
        let functions = module.functions.values();
        let mut calls = functions.flat_map(|f| f.live_insts().map(move |(_, inst)| (f, inst))).filter(
            |(f, inst)| match (f.inst(*inst).op, f.inst(*inst).descr) {
                (Op::Call, Some(descr)) => module.find(module.descriptors.name(descr)).is_some(),
                (op, _) => op == Op::CallRef,
            },
        );
        !self.of.is_empty() && calls.all(|(f, inst)| self.called(f, inst).is_some())
    }

    /// The expression that an instruction calls.
    pub(super) fn called(&self, f: &Function, inst: Inst) -> Option<(Descr, &Body)> {
        let data = f.inst(inst);
        let descr = data.descr.filter(|_| data.op == Op::Call && data.exit.is_none())?;
        let body = self.of.get(&descr)?;
        let args = f.args(inst).iter().map(|&arg| f.ty(arg));
        let fits = args.eq(body.params.iter().copied())
            && f.results(inst).map(|result| f.ty(result)).eq(body.types.iter().copied());
        fits.then_some((descr, body))
    }

    /// The expression of a name.
    pub(super) fn get(&self, descr: Descr) -> &Body {
        &self.of[&descr]
    }

    /// What a call costs.
    pub(super) fn price(&self) -> u32 {
        self.price
    }

    /// What functions cost that are there because these are called: themselves and what they call.
    pub(super) fn cost_of_functions(&self, called: &mut Vec<Descr>) -> u64 {
        let mut seen = HashMap::<Descr, (), FxBuildHasher>::default();
        let mut sum: u64 = 0;
        while let Some(descr) = called.pop() {
            if seen.insert(descr, ()).is_none() {
                let body = self.get(descr);
                sum = sum.saturating_add(body.cost);
                called.extend_from_slice(&body.calls);
            }
        }
        sum
    }

    fn body(&self, f: &Function, price: Price<'_>) -> Option<Body> {
        let &[block] = f.blocks() else { return None };
        let Terminator::Return(results) = f.terminator(block) else { return None };
        let mut made = HashMap::<Value, Arg, FxBuildHasher>::default();
        made.extend(f.params().iter().enumerate().map(|(at, &param)| (param, Arg::Param(at))));
        let mut body = Body {
            params: f.params().iter().map(|&param| f.ty(param)).collect(),
            types: f.result_types().to_vec(),
            steps: Vec::new(),
            results: Vec::new(),
            cost: 0,
            calls: Vec::new(),
        };
        let args = |made: &HashMap<Value, Arg, FxBuildHasher>, list: &[Value]| -> Option<Vec<Arg>> {
            let arg = |value: &Value| match f.constant(*value) {
                Some(constant) => Some(Arg::Const(constant)),
                None => made.get(value).copied(),
            };
            list.iter().map(arg).collect()
        };
        for &inst in f.block_insts(block) {
            let (step, number) = (args(&made, f.args(inst))?, body.steps.len());
            if is_node(f, inst) {
                let op = f.inst(inst).op;
                body.cost += u64::from(price(op).unwrap_or(planish_pass::IMPOSSIBLE).max(1));
                body.steps.push(Step::Op(op, step, f.ty(f.result(inst))));
            } else {
                let (descr, _) = self.called(f, inst)?;
                body.cost += u64::from(self.price);
                body.calls.push(descr);
                body.steps.push(Step::Call(descr, step));
            }
            made.extend(f.results(inst).enumerate().map(|(at, result)| (result, Arg::Made(number, at))));
        }
        body.results = args(&made, f.list(*results))?;
        Some(body)
    }
}

/// Whether an instruction is a pure operation with one result that is defined for all operands.
pub(super) fn is_node(function: &Function, inst: Inst) -> bool {
    let (data, row) = (function.inst(inst), function.row(inst));
    row.effect == Effect::Pure
        && row.exits == Exits::Never
        && data.exit.is_none()
        && data.descr.is_none()
        && !row.variadic
        && function.results(inst).len() == 1
        && !row.partial
}
