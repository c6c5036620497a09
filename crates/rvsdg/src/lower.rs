//! From SSA to the region language.
//!
//! Control flow is restructured ([`restructure`](crate::restructure)), the values of its regions are
//! built ([`build`](mod@crate::build)), and what the results need of them becomes terms: outputs, inputs
//! and loop variables that nothing needs are not made, even where a loop variable needs itself. Operations
//! that the published language lacks are expanded ([`expand`](mod@planish_ir::expand)) unless the
//! extension is allowed; a choice becomes a `switch`.
//!
//! What may trap or run for ever must happen even where nothing needs its results. A state goes through such
//! operations and calls, and the first result depends on it. A step of it is a `switch` of one case, which
//! hands out one of its inputs when all are there: that computes nothing, and is nothing after lifting.
//!
//! A function that calls or refers to others is one term with theirs inside, shared by all uses; functions that need
//! one another in a circle are a `phi`.

use hashbrown::HashMap;
use planish_base::{Arena, Components, Id, SideTable, Worklist};
use planish_ir::expand::{Expander, expand};
use planish_ir::operators::is_word_operation;
use planish_ir::returns::Returns;
use planish_ir::{FuncId, Function, Inst, Module, References};
use planish_ops::world::World;
use planish_ops::{Int, Op, Type};
use rustc_hash::FxBuildHasher;

use crate::build::{self, Built, Callee, Construct, ConstructData, Event, Others, Value, ValueData};
use crate::legal;
use crate::lift::MAIN;
use crate::restructure::{Flow, branches, loops};
use crate::terms::{Kind, Program, Root, Term, Terms};
use crate::view::tested;

/// How to lower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The width of a word in bits.
    pub width: u8,
    /// Whether operations outside of the published language may be written, and all functions in a module.
    pub extended: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { width: 64, extended: false }
    }
}

/// A lowered program, and what is worth knowing about it.
pub struct Lowered {
    /// The program.
    pub program: Program,
    /// Functions that run for ever on some way: the loop is kept, and the results depend on it.
    pub endless: Vec<String>,
}

/// Lowers a module. The errors say what has no form in the language.
///
/// Of several functions those are what the program is that no other needs, and those with which a run may begin without being told:
/// the first, and [`MAIN`]. One is written alone, without its name, and more in a module. Where each is needed by another, and in
/// the extension, all are in a module.
pub fn lower(module: &Module, options: Options) -> Result<Lowered, Vec<String>> {
    let calls = CallGraph::new(module);
    let all = module.functions.ids();
    let has_tops = !options.extended && calls.called.contains(&false);
    let begins = |id: FuncId| id.index() == 0 || module.functions[id].name == MAIN;
    let is_exported = |id: &FuncId| !has_tops || begins(*id) || !calls.called[id.index()];
    let exported: Vec<FuncId> = all.filter(is_exported).collect();
    lower_exported(module, &calls, &exported, options.extended, options)
}

/// Lowers the functions of a module that have these names, and what they call. The names are written, but for that of a
/// program that is one function.
pub fn lower_named(module: &Module, names: &[String], options: Options) -> Result<Lowered, Vec<String>> {
    let exported: Vec<FuncId> = names.iter().filter_map(|name| module.find(name)).collect();
    lower_exported(module, &CallGraph::new(module), &exported, true, options)
}

fn lower_exported(
    module: &Module,
    calls: &CallGraph,
    exported: &[FuncId],
    has_names: bool,
    options: Options,
) -> Result<Lowered, Vec<String>> {
    let mut lowering = Lowering {
        module,
        options,
        returns: Returns::new(module),
        references: References::new(module),
        terms: Terms::new(),
        truths: SideTable::new(),
        finished: HashMap::default(),
        endless: Vec::new(),
    };
    let mut errors = Vec::new();
    let reached = calls.reached(exported);
    for component in calls.components.iter().filter(|component| reached[component[0].index()]) {
        if let Err(error) = lowering.functions(component, calls) {
            errors.push(error);
        }
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let roots = match *exported {
        // A program that is a function has no place for a name.
        [only] if !has_names || module.functions[only].name == MAIN => {
            vec![Root { name: None, term: lowering.finished[&only] }]
        }
        _ => (exported.iter())
            .map(|id| Root { name: Some(module.functions[*id].name.clone()), term: lowering.finished[id] })
            .collect(),
    };
    Ok(Lowered {
        program: Program { terms: lowering.terms, roots, ..Program::default() },
        endless: lowering.endless,
    })
}

/// Who calls whom, or refers to whom.
struct CallGraph {
    /// Functions that need one another in circles, those first that others need.
    components: Vec<Vec<FuncId>>,
    /// Whether a function needs itself, by whatever way.
    recursive: Vec<bool>,
    /// Whether some other function needs a function.
    called: Vec<bool>,
    /// The functions that a function needs.
    edges: Vec<Vec<u32>>,
}

impl CallGraph {
    fn new(module: &Module) -> Self {
        let mut by_name = HashMap::<&str, u32, FxBuildHasher>::default();
        for (id, function) in module.functions.iter() {
            by_name.insert(&function.name, id.index() as u32);
        }
        let references = References::new(module);
        let callees = |function: &Function| -> Vec<u32> {
            let calls = function.live_insts().filter(|(_, inst)| function.inst(*inst).op == Op::Call);
            calls
                .filter_map(|(_, inst)| function.inst(inst).descr)
                .filter_map(|descr| by_name.get(module.descriptors.name(descr)).copied())
                .chain(references.within(function).into_iter().map(|id| id.index() as u32))
                .collect()
        };
        let edges: Vec<Vec<u32>> = module.functions.values().map(callees).collect();
        let mut called = vec![false; edges.len()];
        for (caller, callees) in edges.iter().enumerate() {
            callees
                .iter()
                .filter(|&&callee| callee as usize != caller)
                .for_each(|&c| called[c as usize] = true);
        }
        let members: Vec<u32> = (0..edges.len() as u32).collect();
        let mut finder = Components::new(edges.len());
        let components = finder.of(&members, |function| &edges[function as usize]);
        let mut recursive = vec![false; edges.len()];
        for component in &components {
            let circle = component.len() > 1 || edges[component[0] as usize].contains(&component[0]);
            component.iter().for_each(|&function| recursive[function as usize] = circle);
        }
        let ids =
            |component: Vec<u32>| component.into_iter().map(|i| FuncId::from_index(i as usize)).collect();
        CallGraph { components: components.into_iter().map(ids).collect(), recursive, called, edges }
    }

    /// Which functions are called from some, by whatever way, themselves included.
    fn reached(&self, from: &[FuncId]) -> Vec<bool> {
        let mut reached = vec![false; self.edges.len()];
        let mut work: Worklist<usize> = from.iter().map(|id| id.index()).collect();
        while let Some(function) = work.pop() {
            if !std::mem::replace(&mut reached[function], true) {
                work.extend(self.edges[function].iter().map(|&callee| callee as usize));
            }
        }
        reached
    }
}

struct Lowering<'a> {
    module: &'a Module,
    options: Options,
    /// Which functions always return.
    returns: Returns,
    references: References,
    terms: Terms,
    /// Terms that are 0 or 1 in every region.
    truths: SideTable<Term, bool>,
    /// The terms of functions.
    finished: HashMap<FuncId, Term, FxBuildHasher>,
    endless: Vec<String>,
}

impl Lowering<'_> {
    /// Makes the terms of functions that call one another.
    fn functions(&mut self, component: &[FuncId], calls: &CallGraph) -> Result<(), String> {
        let recursive = calls.recursive[component[0].index()];
        // Inside of a circle, a function sees the others as its constant inputs, in this order.
        let circle: Vec<FuncId> = if recursive { component.to_vec() } else { Vec::new() };
        let mut made = Vec::with_capacity(component.len());
        for &id in component {
            let term = self.function(id, &circle);
            let name = &self.module.functions[id].name;
            made.push(term.map_err(|error| format!("function {name}: {error}"))?);
        }
        if recursive {
            let phi = self.terms.make(Kind::Phi { functions: made.len() as u32 }, &made);
            for (i, &id) in component.iter().enumerate() {
                let term = self.terms.get(i as u32, phi);
                self.finished.insert(id, term);
            }
        } else {
            self.finished.insert(component[0], made[0]);
        }
        Ok(())
    }

    fn function(&mut self, id: FuncId, circle: &[FuncId]) -> Result<Term, String> {
        let module = self.module;
        let function = &module.functions[id];
        for ty in
            function.params().iter().map(|&param| function.ty(param)).chain(function.result_types().to_vec())
        {
            if ![Type::Int(self.options.width), Type::I1, Type::State, Type::Ref].contains(&ty) {
                return Err(format!("a value of the type {ty} is not a word of {} bits", self.options.width));
            }
        }
        let goes_on = |inst| self.returns.inst(module, function, inst);
        let mut flow = Flow::new(function, &goes_on);
        if function.result_types().is_empty() && self.returns.function(id) {
            flow.results.clear();
        }
        let endless = !flow.endless.is_empty();
        let regions = loops::regions(&mut flow);
        let tree = branches::trees(&mut flow, &regions);
        let of_circle = |id: FuncId| match circle.iter().position(|&other| other == id) {
            Some(position) => Callee::Circle(position as u32),
            None => Callee::Finished(id),
        };
        let callee = |inst| {
            let descr = function.inst(inst).descr?;
            module.find(module.descriptors.name(descr)).map(of_circle)
        };
        let references = &self.references;
        let referred = |value| references.of(function, value).map(of_circle);
        let others =
            Others { circle: circle.len() as u32, callee: &callee, referred: &referred, goes_on: &goes_on };
        let build = |flow: &Flow| build::build(function, flow, &regions, &tree, others);
        let mut built = build(&flow)?;
        let mut needs = Needs::new(&built);
        let unneeded = |risk: &&(Inst, Value)| !needs.values[risk.1.index()];
        flow.state.through = built.risks.iter().filter(unneeded).map(|(inst, _)| *inst).collect();
        if !flow.state.through.is_empty() {
            built = build(&flow)?;
            needs = Needs::new(&built);
        }
        if endless {
            self.endless.push(function.name.clone());
        }
        let mut maker = Maker { lowering: self, built: &built, needs: &needs, terms: Arena::new() };
        let mut operands = maker.make()?;
        let outputs = operands.len() as u32;
        // The circle's functions are the first arguments of the region of the `phi`.
        let mut constants: Vec<Term> = (0..circle.len()).map(|i| self.terms.argument(i as u32)).collect();
        constants.append(&mut operands);
        let inputs = function.params().len() as u32;
        Ok(self.terms.make(Kind::Function { inputs, outputs }, &constants))
    }
}

/// What the results need.
///
/// Outputs, loop variables and inputs get their positions in the order in which walking from the results comes to them. That
/// is said by what a program computes, and not by the order in which SSA has its parameters: so reading and writing a
/// program keeps it.
struct Needs {
    values: Vec<bool>,
    /// By construct: which outputs or loop variables are needed, and their position among those.
    outputs: Vec<Positions>,
    /// By branch: which inputs are needed, and their position among those.
    inputs: Vec<Positions>,
}

/// What is needed of a list.
struct Positions {
    /// The indices in the list of what is needed.
    needed: Vec<u32>,
    /// By index, the position among these.
    of: Vec<Option<u32>>,
}

impl Positions {
    fn none(count: usize) -> Self {
        Positions { needed: Vec::new(), of: vec![None; count] }
    }

    fn need(&mut self, index: u32) {
        if self.of[index as usize].is_none() {
            self.of[index as usize] = Some(self.needed.len() as u32);
            self.needed.push(index);
        }
    }

    /// What is needed of a list of that length, in order.
    fn pick<'a, T>(&'a self, list: &'a [T]) -> impl Iterator<Item = &'a T> + Clone {
        self.needed.iter().map(|&index| &list[index as usize])
    }
}

impl Needs {
    fn new(built: &Built) -> Self {
        let mut needs = Needs {
            values: vec![false; built.values.len()],
            outputs: Vec::with_capacity(built.constructs.len()),
            inputs: Vec::with_capacity(built.constructs.len()),
        };
        for data in built.constructs.values() {
            let (outputs, inputs) = match data {
                ConstructData::Branch { outputs, inputs, .. } => (outputs.len(), inputs.len()),
                ConstructData::Loop { variables, .. } => (variables.len(), 0),
            };
            needs.outputs.push(Positions::none(outputs));
            needs.inputs.push(Positions::none(inputs));
        }
        // A stack and no work list: the order is what is asked for.
        let mut work: Vec<Value> = built.results.iter().rev().copied().collect();
        while let Some(value) = work.pop() {
            if !std::mem::replace(&mut needs.values[value.index()], true) {
                let before = work.len();
                needs.visit(built, value, &mut work);
                // What is named first is visited first.
                work[before..].reverse();
            }
        }
        needs
    }

    /// Takes note of a value, and says what it needs.
    fn visit(&mut self, built: &Built, value: Value, work: &mut Vec<Value>) {
        match &built.values[value] {
            ValueData::Number(_) | ValueData::Function(_) | ValueData::Parameter(_) => {}
            ValueData::Op(_, args, ..) | ValueData::Call(_, args) => work.extend(args),
            ValueData::CallResult(call, _) => work.push(*call),
            ValueData::After { both, .. } => work.extend(both),
            ValueData::Argument(construct, index) | ValueData::Output(construct, index) => {
                let is_output = matches!(built.values[value], ValueData::Output(..));
                let position = *index as usize;
                match &built.constructs[*construct] {
                    ConstructData::Branch { inputs, .. } if !is_output => {
                        self.inputs[construct.index()].need(*index);
                        work.push(inputs[position]);
                    }
                    ConstructData::Branch { predicate, outputs, .. } => {
                        self.outputs[construct.index()].need(*index);
                        work.push(*predicate);
                        work.extend(&outputs[position]);
                    }
                    ConstructData::Loop { variables, predicate } => {
                        self.outputs[construct.index()].need(*index);
                        work.extend([variables[position].input, variables[position].result, *predicate]);
                    }
                }
            }
        }
    }

    fn constructs(&self, construct: Construct) -> bool {
        !self.outputs[construct.index()].needed.is_empty()
    }
}

/// Makes the terms of one function.
struct Maker<'a, 'b> {
    lowering: &'a mut Lowering<'b>,
    built: &'a Built,
    needs: &'a Needs,
    terms: Arena<Construct, Option<Term>>,
}

impl Maker<'_, '_> {
    /// The terms of the results.
    fn make(&mut self) -> Result<Vec<Term>, String> {
        let built = self.built;
        self.terms = built.constructs.values().map(|_| None).collect();
        let mut values: Vec<Option<Term>> = vec![None; built.values.len()];
        // What is said of control is counted without a sign; constants of the program fit anyway.
        let width = self.lowering.options.width;
        let fits =
            |number: i64| number < 0 || Int::new(width.into(), number as u64).unsigned() == number as u64;
        let counts = |(value, data): (Value, &ValueData)| {
            !self.needs.values[value.index()] || !matches!(data, ValueData::Number(number) if !fits(*number))
        };
        if !built.values.iter().all(counts) {
            return Err(format!("control goes to more places than a word of {width} bits counts"));
        }
        // Leaves first, then everything in the order of control.
        for (value, data) in built.values.iter() {
            let terms = &mut self.lowering.terms;
            values[value.index()] = match data {
                ValueData::Number(number) => {
                    let term = terms.number(*number);
                    self.lowering.truths[term] = matches!(number, 0 | 1);
                    Some(term)
                }
                ValueData::Function(id) if self.needs.values[value.index()] => {
                    let finished = self.lowering.finished.get(id).copied();
                    Some(finished.ok_or("a function that it refers to has no form")?)
                }
                ValueData::Parameter(index) => Some(terms.argument(*index)),
                ValueData::Argument(construct, index) => {
                    let position = match built.constructs[*construct] {
                        ConstructData::Branch { .. } => {
                            self.needs.inputs[construct.index()].of[*index as usize]
                        }
                        ConstructData::Loop { .. } => {
                            self.needs.outputs[construct.index()].of[*index as usize]
                        }
                    };
                    position.map(|position| terms.argument(position))
                }
                _ => None,
            };
        }
        for &event in &built.events {
            match event {
                Event::Value(value) if self.needs.values[value.index()] => {
                    let term = self.value(value, &mut values)?;
                    values[value.index()] = Some(term);
                }
                Event::Construct(construct) if self.needs.constructs(construct) => {
                    let term = self.construct(construct, &mut values);
                    self.terms[construct] = Some(term);
                }
                Event::Value(_) | Event::Construct(_) => {}
            }
        }
        Ok(built.results.iter().map(|&result| self.term(result, &mut values)).collect())
    }

    /// The term of a value that was made before.
    fn term(&mut self, value: Value, values: &mut [Option<Term>]) -> Term {
        if let Some(term) = values[value.index()] {
            return term;
        }
        let (index, tuple) = match self.built.values[value] {
            ValueData::Output(construct, index) => {
                (self.needs.outputs[construct.index()].of[index as usize], self.terms[construct])
            }
            ValueData::CallResult(call, index) => (Some(index), values[call.index()]),
            _ => (None, None),
        };
        let (Some(index), Some(tuple)) = (index, tuple) else {
            unreachable!("what is needed is made before what needs it")
        };
        let term = self.lowering.terms.get(index, tuple);
        values[value.index()] = Some(term);
        term
    }

    fn value(&mut self, value: Value, values: &mut [Option<Term>]) -> Result<Term, String> {
        match &self.built.values[value] {
            ValueData::Op(op, args, types, ty) => {
                let args: Vec<Term> = args.iter().map(|&arg| self.term(arg, values)).collect();
                let term = expand(self.lowering, *op, &args, types, *ty);
                term.ok_or_else(|| no_form(*op))
            }
            ValueData::Call(callee, args) => {
                let mut operands = Vec::with_capacity(args.len() + 1);
                if let Some(id) = callee {
                    let finished = self.lowering.finished.get(id);
                    operands.push(*finished.ok_or("a function that it calls has no form")?);
                }
                operands.extend(args.iter().map(|&arg| self.term(arg, values)));
                Ok(self.lowering.terms.make(Kind::Call, &operands))
            }
            ValueData::After { both, is } => {
                let [first, second] = both.map(|value| self.term(value, values));
                let terms = &mut self.lowering.terms;
                let (only, one) = (terms.number(0), terms.argument(*is));
                let kind = Kind::Switch { cases: 1, outputs: 1 };
                let switch = terms.make(kind, &[only, first, second, one]);
                Ok(terms.get(0, switch))
            }
            _ => unreachable!("only operations, calls and steps of a state are events"),
        }
    }

    fn construct(&mut self, construct: Construct, values: &mut [Option<Term>]) -> Term {
        let built = self.built;
        let needs = self.needs;
        let outputs = &needs.outputs[construct.index()];
        match &built.constructs[construct] {
            ConstructData::Branch { predicate, inputs, outputs: handed } => {
                let cases = handed[0].len();
                let (predicate, swapped) = self.predicate(*predicate, cases, values);
                let mut operands = vec![predicate];
                operands.extend(needs.inputs[construct.index()].pick(inputs).map(|&v| self.term(v, values)));
                for case in 0..cases {
                    let case = if swapped { cases - 1 - case } else { case };
                    operands.extend(outputs.pick(handed).map(|of| self.term(of[case], values)));
                }
                let kind = Kind::Switch { cases: cases as u32, outputs: outputs.needed.len() as u32 };
                self.lowering.terms.make(kind, &operands)
            }
            ConstructData::Loop { variables, predicate } => {
                let needed = outputs.pick(variables);
                let mut operands: Vec<Term> = needed.clone().map(|v| self.term(v.input, values)).collect();
                operands.extend(needed.map(|v| self.term(v.result, values)));
                operands.push(self.term(*predicate, values));
                self.lowering.terms.make(Kind::Loop, &operands)
            }
        }
    }

    /// The predicate of a branch, and whether its cases change places: of two, what is not a truth value, that is as well.
    fn predicate(&mut self, predicate: Value, cases: usize, values: &mut [Option<Term>]) -> (Term, bool) {
        let predicate = self.term(predicate, values);
        match tested(&self.lowering.terms, predicate, cases == 2) {
            (truth, true) if self.lowering.truths[truth] => (truth, true),
            _ => (predicate, false),
        }
    }
}

impl Expander for Lowering<'_> {
    type Value = Term;

    fn width(&self) -> u32 {
        self.options.width.into()
    }

    fn legal(&self, op: Op) -> bool {
        legal::OPERATORS.may_write(op, self.options.extended)
    }

    fn constant(&mut self, value: i64) -> Term {
        let term = self.terms.number(value);
        self.truths[term] = matches!(value, 0 | 1);
        term
    }

    fn as_constant(&self, value: Term) -> Option<i64> {
        match self.terms.kind(value) {
            Kind::Number(number) => Some(number),
            _ => None,
        }
    }

    fn write(&mut self, op: Op, args: &[Term]) -> Term {
        let term = self.terms.make(Kind::Op(op), args);
        self.truths[term] = op.row().truth || (op == Op::And && args.iter().any(|&arg| self.truths[arg]));
        term
    }

    fn choose(&mut self, condition: Term, yes: Term, no: Term) -> Term {
        let mut operands = vec![condition];
        let mut inner = Vec::with_capacity(2);
        for value in [no, yes] {
            inner.push(match self.as_constant(value) {
                Some(_) => value,
                None => {
                    operands.push(value);
                    self.terms.argument(operands.len() as u32 - 2)
                }
            });
        }
        operands.append(&mut inner);
        let switch = self.terms.make(Kind::Switch { cases: 2, outputs: 1 }, &operands);
        self.terms.get(0, switch)
    }

    fn choose_function(&mut self, condition: Term, yes: Term, no: Term) -> Option<Term> {
        let truth = match self.is_truth(condition) {
            true => condition,
            // Two comparisons with zero tell what is not zero.
            false => {
                let zero = self.constant(0);
                let is_zero = self.write(Op::Eq, &[condition, zero]);
                self.write(Op::Eq, &[is_zero, zero])
            }
        };
        Some(self.choose(truth, yes, no))
    }

    fn is_truth(&self, value: Term) -> bool {
        self.truths[value]
    }
}

/// Says that an operation cannot be written: with the extension either, where it is none of words.
fn no_form(op: Op) -> String {
    match is_word_operation(op) {
        true => format!("`{op}` has no form in the published language; `--extended` writes it as it is"),
        false => format!("`{op}` has no form in the region language"),
    }
}
