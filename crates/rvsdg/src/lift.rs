//! From the region language to SSA.
//!
//! Each region becomes nodes of a draft: a `switch` branches and meets again, a `loop` goes back to its
//! first node, a call is the body of its function. Operations are placed as early in their region as
//! their operands allow, so that nothing stands between two branches of which the first decides the
//! second; those that may trap stay behind every branch and loop that was made before them. Then branches
//! whose outcome is known on the way there are skipped ([`mod@crate::thread`]), which gives back
//! the branches that restructuring took apart.
//!
//! Calls are inlined within a budget. With [`Options::functions`], and for recursion, each function is a
//! function of the module and calls stay. Nothing recurses here, however deep regions are nested.

use std::rc::Rc;

use hashbrown::HashMap;
use planish_base::{Budget, Interner, SideTable, Span};
use planish_ir::construct::construct;
use planish_ir::draft::{Draft, End, Node, Operand, Variable};
use planish_ir::module::Descriptor;
use planish_ir::returns::set_effects;
use planish_ir::truth::branch_on_truths;
use planish_ir::{Const, Module};
use planish_ops::world::{CallEffect, Descr};
use planish_ops::{Int, Op, Type};
use rustc_hash::FxBuildHasher;

use crate::devirtualize::devirtualize;
use crate::legal::may_trap;
use crate::terms::{Kind, Program, Term, Terms};
use crate::thread::thread;
use crate::view::{needed_variables, operation, region_order, tested};

/// How to lift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The width of a word in bits.
    pub width: u8,
    /// Whether functions stay functions and calls stay calls.
    pub functions: bool,
    /// How many operations and branches may be made in all.
    pub budget: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options { width: 64, functions: false, budget: 4_000_000 }
    }
}

/// The name of a program that is one function without a name.
pub const MAIN: &str = "main";

planish_base::define_id!(
    /// A function that can be called.
    Callable, "f"
);

/// A function with what is known of its constant inputs.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
struct CallableData {
    what: Code,
    constants: Vec<Known>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Code {
    /// A `func` term.
    Function(Term),
    /// A function of a `phi` term; the constants are the inputs of the `phi`.
    Member(Term, u32),
}

/// What is known of a constant input.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Known {
    Function(Callable),
    Number(i64),
    /// A value at run time, which a call passes behind the other inputs.
    AtRunTime,
}

/// What a term is while it is lifted.
#[derive(Clone, Debug)]
enum Lifted {
    Word(Operand),
    Tuple(Rc<[Lifted]>),
    /// A function, and the values of its constants that are known only at run time.
    Function(Callable, Rc<[Operand]>),
}

/// Why a program cannot be lifted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Unliftable {
    /// What is wrong.
    pub message: String,
    /// Where, if the program was read.
    pub place: Option<Span>,
}

impl std::fmt::Display for Unliftable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for Unliftable {}

impl From<String> for Unliftable {
    fn from(message: String) -> Self {
        Unliftable { message, place: None }
    }
}

/// Lifts a program.
pub fn lift(program: &Program, options: Options) -> Result<Module, Unliftable> {
    let spread = devirtualize(program);
    let program = spread.as_ref().unwrap_or(program);
    let mut lifter = Lifter {
        terms: &program.terms,
        places: &program.places,
        options,
        callables: Interner::new(),
        names: SideTable::new(),
        queue: Vec::new(),
        exported: Vec::new(),
        module: Module::new(),
        budget: Budget::new("lifted operations", options.budget),
        draft: Draft::new("", &[]),
        nowhere: None,
        stack: Vec::new(),
    };
    // Names of exports come first: a function that a call names is another one.
    lifter.exported = program.roots.iter().map(|root| root.name.as_deref().unwrap_or(MAIN)).collect();
    for root in &program.roots {
        let name = root.name.as_deref().unwrap_or(MAIN);
        lifter.root(name, root.term)?;
    }
    // Functions that calls have named, in the order of the first call.
    let mut next = 0;
    while let Some(&callable) = lifter.queue.get(next) {
        next += 1;
        lifter.function(callable)?;
    }
    set_effects(&mut lifter.module, &CallEffect { raises: true, ..CallEffect::pure() });
    Ok(lifter.module)
}

/// A region while its terms are lifted.
struct Activation {
    arguments: Vec<Lifted>,
    /// The terms of the region that are needed, operands first.
    order: Vec<Term>,
    next: usize,
    results: Vec<Term>,
    /// Terms with their values, and the first segment in which they can be used.
    values: HashMap<Term, (Lifted, u32), FxBuildHasher>,
    /// The outputs of `switch` and `loop` terms that are needed.
    needed: HashMap<Term, Vec<bool>, FxBuildHasher>,
    /// The nodes of the region, one more behind each branch or loop.
    segments: Vec<Node>,
    then: Then,
}

/// What happens when a region is done.
enum Then {
    /// The function returns its results.
    Return,
    /// Control goes on at a node, variables having the results.
    Join(Node, Vec<Variable>),
    /// The loop repeats or ends. The results are those of its variables and the predicate.
    Repeat { head: Node, exit: Node, variables: Vec<Variable>, swapped: bool },
    /// The results are the tuple of a call in the region around.
    Inline(Term, Callable),
}

struct Lifter<'a> {
    terms: &'a Terms,
    places: &'a SideTable<Term, Option<Span>>,
    options: Options,
    callables: Interner<Callable, CallableData>,
    /// The names of functions of the module.
    names: SideTable<Callable, Option<Rc<str>>>,
    queue: Vec<Callable>,
    exported: Vec<&'a str>,
    module: Module,
    budget: Budget,
    draft: Draft,
    nowhere: Option<Node>,
    stack: Vec<Activation>,
}

impl<'a> Lifter<'a> {
    fn word(&self) -> Type {
        Type::Int(self.options.width)
    }

    /// Lifts what a program exports: a function, or a region without arguments.
    fn root(&mut self, name: &str, term: Term) -> Result<(), Unliftable> {
        let mut function = None;
        if let Kind::Function { .. } = self.terms.kind(term)
            && self.terms.outer_count(term) == 0
        {
            function = Some(CallableData { what: Code::Function(term), constants: Vec::new() });
        }
        if let Kind::Get(index) = self.terms.kind(term)
            && let phi = self.terms.operands(term)[0]
            && let Kind::Phi { .. } = self.terms.kind(phi)
            && self.terms.outer_count(phi) == 0
        {
            function = Some(CallableData { what: Code::Member(phi, index), constants: Vec::new() });
        }
        match function {
            Some(data) => {
                let callable = self.callables.intern(data);
                if self.names[callable].is_none() {
                    self.names[callable] = Some(name.into());
                    self.function(callable)?;
                }
                Ok(())
            }
            None => {
                self.draft = Draft::new(name, &[self.word()]);
                self.nowhere = None;
                let entry = self.draft.node("");
                self.enter(vec![term], Vec::new(), entry, Then::Return);
                self.run()
            }
        }
    }

    fn function(&mut self, callable: Callable) -> Result<(), Unliftable> {
        let name = self.names[callable].clone().ok_or_else(|| "a function without a name".to_owned())?;
        if self.module.find(&name).is_some() {
            return Ok(());
        }
        let (function, _) = self.code(callable);
        let Kind::Function { inputs, outputs } = self.terms.kind(function) else {
            return Err(format!("{name} is no function").into());
        };
        let word = self.word();
        self.draft = Draft::new(&name, &vec![word; outputs as usize]);
        self.nowhere = None;
        let known = self.callables.get(callable).constants.clone();
        let at_run_time = known.iter().filter(|known| **known == Known::AtRunTime).count();
        let params: Vec<Variable> =
            (0..inputs as usize + at_run_time).map(|_| self.draft.variable("", word)).collect();
        self.draft.params.clone_from(&params);
        let entry = self.draft.node("");
        let mut params = params.into_iter().map(Operand::Var);
        let inputs: Vec<Operand> = params.by_ref().take(inputs as usize).collect();
        let captured: Vec<Operand> = params.collect();
        let arguments =
            self.arguments(callable, &inputs.into_iter().map(Lifted::Word).collect::<Vec<_>>(), &captured)?;
        let results = self.terms.regions(function).next().map_or(Vec::new(), |body| body.results.to_vec());
        self.enter(results, arguments, entry, Then::Return);
        self.run()
    }

    /// The `func` term of a function, and the constants of its `phi` if it is a member of one.
    fn code(&self, callable: Callable) -> (Term, bool) {
        match self.callables.get(callable).what {
            Code::Function(term) => (term, false),
            Code::Member(phi, index) => {
                let body = self.terms.regions(phi).next();
                (body.map_or(phi, |body| body.results[index as usize]), true)
            }
        }
    }

    /// The arguments of a function's body: the inputs of a call, then the constants.
    fn arguments(
        &mut self,
        callable: Callable,
        inputs: &[Lifted],
        captured: &[Operand],
    ) -> Result<Vec<Lifted>, String> {
        let data = self.callables.get(callable).clone();
        let mut captured = captured.iter().copied();
        let mut constants: Vec<Lifted> = Vec::with_capacity(data.constants.len());
        for known in &data.constants {
            constants.push(match known {
                Known::Number(number) => Lifted::Word(self.number(*number)),
                Known::Function(callable) => Lifted::Function(*callable, Rc::from([])),
                Known::AtRunTime => Lifted::Word(captured.next().ok_or("a constant input is missing")?),
            });
        }
        let mut arguments = inputs.to_vec();
        match data.what {
            Code::Function(_) => arguments.extend(constants),
            Code::Member(phi, _) => {
                // The constants of the member are terms of the region of the `phi`, which has its own
                // functions and the constants of the `phi` as arguments.
                let Kind::Phi { functions } = self.terms.kind(phi) else {
                    return Err("a `phi` is a `phi`".into());
                };
                let mut around: Vec<Lifted> = Vec::new();
                for index in 0..functions {
                    let member =
                        CallableData { what: Code::Member(phi, index), constants: data.constants.clone() };
                    around.push(Lifted::Function(self.callables.intern(member), Rc::from([])));
                }
                around.extend(constants);
                let (function, _) = self.code(callable);
                for &constant in self.terms.outer(function) {
                    arguments.push(match self.terms.kind(constant) {
                        Kind::Argument(index) => around[index as usize].clone(),
                        Kind::Number(number) => Lifted::Word(self.number(number)),
                        _ => return Err("a constant input of a function of a `phi` is computed".into()),
                    });
                }
            }
        }
        Ok(arguments)
    }

    fn number(&self, number: i64) -> Operand {
        Int::new(self.options.width.into(), number as u64).into()
    }

    /// Begins a region at a node.
    fn enter(&mut self, results: Vec<Term>, arguments: Vec<Lifted>, node: Node, then: Then) {
        let (order, needed) = region_order(self.terms, &results);
        self.stack.push(Activation {
            arguments,
            order,
            next: 0,
            results,
            values: HashMap::default(),
            needed,
            segments: vec![node],
            then,
        });
    }

    /// Lifts until no region is left, then adds the function to the module.
    fn run(&mut self) -> Result<(), Unliftable> {
        while let Some(top) = self.stack.last_mut() {
            match top.order.get(top.next) {
                Some(&term) => {
                    top.next += 1;
                    let place = self.places[term];
                    self.term(term).map_err(|message| Unliftable { message, place })?;
                }
                None => self.leave()?,
            }
        }
        let mut draft = std::mem::replace(&mut self.draft, Draft::new("", &[]));
        thread(&mut draft);
        draft.sort();
        let mut function = construct(draft).function;
        branch_on_truths(&mut function);
        self.module.functions.push(function);
        Ok(())
    }

    fn top(&mut self) -> &mut Activation {
        self.stack.last_mut().expect("a region is being lifted")
    }

    fn value(&self, term: Term) -> (Lifted, u32) {
        let top = self.stack.last().expect("a region is being lifted");
        match self.terms.kind(term) {
            Kind::Number(number) => (Lifted::Word(self.number(number)), 0),
            Kind::Argument(index) => (top.arguments[index as usize].clone(), 0),
            _ => top.values[&term].clone(),
        }
    }

    fn operand(&self, term: Term) -> Result<(Operand, u32), String> {
        match self.value(term) {
            (Lifted::Word(operand), segment) => Ok((operand, segment)),
            (Lifted::Function(..), _) => Err("a function is used as a number, or chosen at run time".into()),
            (Lifted::Tuple(_), _) => Err("a tuple is used as a number".into()),
        }
    }

    fn set(&mut self, term: Term, value: Lifted, segment: u32) {
        self.top().values.insert(term, (value, segment));
    }

    /// The last segment of the region: everything made so far can be used there.
    fn last(&self) -> (Node, u32) {
        let segments = &self.stack.last().expect("a region is being lifted").segments;
        (segments[segments.len() - 1], segments.len() as u32 - 1)
    }

    fn term(&mut self, term: Term) -> Result<(), String> {
        if !self.budget.take(1) {
            let limit = self.budget.limit();
            return Err(format!("inlining makes more than {limit} operations; `--extended` keeps calls"));
        }
        let terms = self.terms;
        match terms.kind(term) {
            Kind::Number(_) | Kind::Argument(_) => {}
            Kind::Get(index) => {
                let (tuple, segment) = self.value(terms.operands(term)[0]);
                let Lifted::Tuple(parts) = tuple else {
                    return Err(format!("`get-{index}` of what is no tuple"));
                };
                let Some(part) = parts.get(index as usize) else {
                    return Err(format!("`get-{index}` of a tuple of {}", parts.len()));
                };
                self.set(term, part.clone(), segment);
            }
            Kind::Op(_) => {
                let (op, operands) = operation(terms, term);
                let mut args = Vec::with_capacity(2);
                let mut segment = 0;
                for operand in operands {
                    let (arg, from) = self.operand(operand)?;
                    args.push(arg);
                    segment = segment.max(from);
                }
                if may_trap(op) && !divides_safely(&args) {
                    segment = self.last().1;
                }
                let node = self.top().segments[segment as usize];
                let result = self.draft.variable("", self.word());
                self.draft.op(node, op, &args, &[result]);
                self.set(term, Lifted::Word(result.into()), segment);
            }
            Kind::Function { .. } => {
                let function = self.capture(Code::Function(term), terms.outer(term))?;
                self.set(term, function, 0);
            }
            Kind::Phi { functions } => {
                let mut members = Vec::with_capacity(functions as usize);
                for index in 0..functions {
                    members.push(self.capture(Code::Member(term, index), terms.outer(term))?);
                }
                self.set(term, Lifted::Tuple(members.into()), 0);
            }
            Kind::Call => self.call(term)?,
            Kind::Switch { cases, outputs } => self.switch(term, cases, outputs)?,
            Kind::Loop => self.repeat(term)?,
        }
        Ok(())
    }

    /// A function with the values of its constants.
    fn capture(&mut self, what: Code, constants: &[Term]) -> Result<Lifted, String> {
        let mut known = Vec::with_capacity(constants.len());
        let mut captured = Vec::new();
        for &constant in constants {
            known.push(match self.value(constant).0 {
                Lifted::Word(Operand::Const(Const::Int(int))) => Known::Number(int.signed()),
                Lifted::Word(operand) => {
                    captured.push(operand);
                    Known::AtRunTime
                }
                Lifted::Function(callable, inner) if inner.is_empty() => Known::Function(callable),
                Lifted::Function(..) => {
                    return Err("a constant input is a function with constant inputs".into());
                }
                Lifted::Tuple(_) => return Err("a constant input is a tuple".into()),
            });
        }
        let callable = self.callables.intern(CallableData { what, constants: known });
        Ok(Lifted::Function(callable, captured.into()))
    }

    fn call(&mut self, term: Term) -> Result<(), String> {
        let terms = self.terms;
        let [callee, inputs @ ..] = terms.operands(term) else { return Err("a call of nothing".into()) };
        let (Lifted::Function(callable, captured), _) = self.value(*callee) else {
            return Err("a call of a function that is not known where it is called".into());
        };
        let (function, _) = self.code(callable);
        let Kind::Function { inputs: wanted, outputs } = terms.kind(function) else {
            return Err("a call of what is no function".into());
        };
        if inputs.len() != wanted as usize {
            return Err(format!("a function of {wanted} inputs is called with {}", inputs.len()));
        }
        let inputs: Vec<Lifted> = inputs.iter().map(|&input| self.value(input).0).collect();
        let (node, segment) = self.last();
        if self.options.functions && inputs.iter().all(|input| matches!(input, Lifted::Word(_))) {
            let word = self.word();
            let mut args = Vec::with_capacity(inputs.len() + captured.len());
            for input in &inputs {
                if let Lifted::Word(operand) = input {
                    args.push(*operand);
                }
            }
            args.extend(captured.iter().copied());
            let results: Vec<Variable> = (0..outputs).map(|_| self.draft.variable("", word)).collect();
            let descr = self.function_name(callable);
            self.draft.op_named(node, Op::Call, &args, &results, Some(descr));
            let results = results.into_iter().map(|result| Lifted::Word(result.into())).collect();
            self.set(term, Lifted::Tuple(results), segment);
            return Ok(());
        }
        let repeated = |frame: &Activation| matches!(frame.then, Then::Inline(_, other) if other == callable);
        if self.stack.iter().any(repeated) {
            return Err("a function calls itself; `--extended` keeps calls".into());
        }
        let arguments = self.arguments(callable, &inputs, &captured)?;
        let results = terms.regions(function).next().map_or(Vec::new(), |body| body.results.to_vec());
        self.enter(results, arguments, node, Then::Inline(term, callable));
        Ok(())
    }

    /// The descriptor of a function that is called.
    fn function_name(&mut self, callable: Callable) -> Descr {
        let taken = |this: &Self, name: &str| {
            this.module.descriptors.lookup(name).is_some() || this.exported.contains(&name)
        };
        let name = match &self.names[callable] {
            Some(name) => name.clone(),
            None => {
                let mut number = self.queue.len();
                let name: Rc<str> = loop {
                    let name = format!("f{number}");
                    if !taken(self, &name) {
                        break name.into();
                    }
                    number += 1;
                };
                self.queue.push(callable);
                self.names[callable] = Some(name.clone());
                name
            }
        };
        let effect = || Descriptor::Callee(CallEffect::pure());
        self.module.descriptors.intern(&*name, effect)
    }

    fn switch(&mut self, term: Term, cases: u32, outputs: u32) -> Result<(), String> {
        let terms = self.terms;
        let (node, _) = self.last();
        let needed = self.top().needed.remove(&term).unwrap_or_else(|| vec![true; outputs as usize]);
        let word = self.word();
        let variables: Vec<Option<Variable>> =
            needed.iter().map(|&needed| needed.then(|| self.draft.variable("", word))).collect();
        let inputs: Vec<Lifted> = terms.outer(term)[1..].iter().map(|&input| self.value(input).0).collect();
        let join = self.draft.node("");
        let (tested, swapped) = tested(terms, terms.operands(term)[0], cases == 2);
        let predicate = self.operand(tested)?.0;
        let known = match predicate {
            Operand::Const(Const::Int(int)) if swapped => Some(i64::from(!int.is_true())),
            Operand::Const(Const::Int(int)) => Some(int.signed()),
            _ => (cases == 1).then_some(0),
        };
        let mut nodes = Vec::with_capacity(cases as usize);
        let mut arms = Vec::with_capacity(cases as usize);
        for (case, region) in (0i64..).zip(terms.regions(term)) {
            if known.is_some_and(|known| known != case) {
                continue;
            }
            let arm = if known.is_some() { node } else { self.draft.node("") };
            nodes.push(arm);
            arms.push((arm, region.results));
        }
        let end = match (known, nodes.as_slice()) {
            // The arm goes on in this node, or there is none.
            (Some(_), [_]) => None,
            (Some(_), _) => Some(End::Goto(self.nowhere())),
            (None, &[zero, one]) if swapped => {
                Some(End::Branch { condition: predicate, then: zero, other: one })
            }
            (None, nodes) => {
                let width = self.options.width.into();
                let cases = nodes.iter().zip(0..).map(|(&arm, key)| (Int::new(width, key), arm)).collect();
                Some(End::Switch { on: predicate, cases, default: self.nowhere() })
            }
        };
        if let Some(end) = end {
            self.draft.nodes[node].end = end;
        }
        let parts = variables.iter().map(|variable| match variable {
            Some(variable) => Lifted::Word((*variable).into()),
            // Nothing asks for it.
            None => Lifted::Word(self.number(0)),
        });
        let parts: Rc<[Lifted]> = parts.collect();
        let top = self.top();
        top.segments.push(join);
        let segment = top.segments.len() as u32 - 1;
        self.set(term, Lifted::Tuple(parts), segment);
        let targets: Vec<Variable> = variables.iter().copied().flatten().collect();
        for (arm, results) in arms.into_iter().rev() {
            let results =
                results.iter().zip(&needed).filter(|(_, needed)| **needed).map(|(&r, _)| r).collect();
            self.enter(results, inputs.clone(), arm, Then::Join(join, targets.clone()));
        }
        Ok(())
    }

    fn nowhere(&mut self) -> Node {
        let draft = &mut self.draft;
        *self.nowhere.get_or_insert_with(|| draft.node(""))
    }

    fn repeat(&mut self, term: Term) -> Result<(), String> {
        let terms = self.terms;
        let (node, _) = self.last();
        let inputs = terms.outer(term);
        let Some(body) = terms.regions(term).next() else { return Err("a loop has a body".into()) };
        let (&predicate, results) = body.results.split_last().ok_or("a loop has a predicate")?;
        let (tested, swapped) = tested(terms, predicate, true);
        let asked = self.top().needed.remove(&term).unwrap_or_else(|| vec![true; inputs.len()]);
        let needed = needed_variables(terms, results, tested, asked);
        let word = self.word();
        let (mut variables, mut parts, mut arguments) = (Vec::new(), Vec::new(), Vec::new());
        let mut initial = Vec::new();
        for (&input, &needed) in inputs.iter().zip(&needed) {
            // A function may go around a loop, as long as it stays the same.
            let value = match self.value(input).0 {
                Lifted::Word(operand) if needed => {
                    let variable = self.draft.variable("", word);
                    variables.push(variable);
                    initial.push((variable, operand));
                    Lifted::Word(variable.into())
                }
                Lifted::Word(_) => Lifted::Word(self.number(0)),
                other => other,
            };
            arguments.push(value.clone());
            parts.push(value);
        }
        let mut kept = Vec::with_capacity(variables.len() + 1);
        for (i, &result) in results.iter().enumerate() {
            if let Lifted::Word(_) = arguments[i] {
                if needed[i] {
                    kept.push(result);
                }
            } else if terms.kind(result) != Kind::Argument(i as u32) {
                return Err("a loop variable is a function that changes".into());
            }
        }
        kept.push(tested);
        for (variable, operand) in initial {
            self.draft.assign(node, variable, operand);
        }
        let (head, exit) = (self.draft.node(""), self.draft.node(""));
        self.draft.nodes[node].end = End::Goto(head);
        let top = self.top();
        top.segments.push(exit);
        let segment = top.segments.len() as u32 - 1;
        self.set(term, Lifted::Tuple(parts.into()), segment);
        self.enter(kept, arguments, head, Then::Repeat { head, exit, variables, swapped });
        Ok(())
    }

    /// Ends the region on top of the stack.
    fn leave(&mut self) -> Result<(), Unliftable> {
        let (node, _) = self.last();
        let results = self.top().results.clone();
        if let Then::Inline(term, _) = self.top().then {
            let parts: Rc<[Lifted]> = results.iter().map(|&result| self.value(result).0).collect();
            self.stack.pop();
            let top = self.top();
            if top.segments.last() != Some(&node) {
                top.segments.push(node);
            }
            let segment = top.segments.len() as u32 - 1;
            self.set(term, Lifted::Tuple(parts), segment);
            return Ok(());
        }
        let mut operands = Vec::with_capacity(results.len());
        for result in results {
            let place = self.places[result];
            let operand = self.operand(result).map_err(|message| Unliftable { message, place })?;
            operands.push(operand.0);
        }
        let Some(done) = self.stack.pop() else { return Ok(()) };
        let draft = &mut self.draft;
        match done.then {
            Then::Return => draft.nodes[node].end = End::Return(operands),
            Then::Join(join, variables) => {
                for (variable, operand) in variables.into_iter().zip(operands) {
                    draft.assign(node, variable, operand);
                }
                draft.nodes[node].end = End::Goto(join);
            }
            Then::Repeat { head, exit, variables, swapped } => {
                // All variables change at once, and the predicate is from before.
                let word = Type::Int(self.options.width);
                let copies: Vec<Variable> = operands.iter().map(|_| draft.variable("", word)).collect();
                for (&copy, &operand) in copies.iter().zip(&operands) {
                    draft.assign(node, copy, operand);
                }
                for (&variable, &copy) in variables.iter().zip(&copies) {
                    draft.assign(node, variable, copy.into());
                }
                let condition = copies[copies.len() - 1].into();
                let (then, other) = if swapped { (exit, head) } else { (head, exit) };
                draft.nodes[node].end = End::Branch { condition, then, other };
            }
            Then::Inline(..) => unreachable!("handled above"),
        }
        Ok(())
    }
}

/// Whether the divisor is a number that is not zero.
fn divides_safely(args: &[Operand]) -> bool {
    matches!(args, [_, Operand::Const(Const::Int(int))] if int.is_true())
}
