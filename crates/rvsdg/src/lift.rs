//! From the region language to SSA.
//!
//! Each region becomes nodes of a draft: a `switch` branches and meets again, a `loop` goes back to its
//! first node, a call is the body of its function. Operations are placed as early in their region as
//! their operands allow, so that nothing stands between two branches of which the first decides the
//! second; those that may trap stay behind every branch and loop that was made before them. Then branches
//! whose outcome is known on the way there are skipped ([`mod@crate::thread`]), which gives back
//! the branches that restructuring took apart.
//!
//! Calls are inlined within a budget; [`lift_forms`] says which programs are lifted so. With [`Options::functions`], and for recursion, each function is a
//! function of the module and calls stay; a function that is a value is then a reference to it, and a call of a function
//! that is known only at run time goes through one. With [`Options::expressions`] it is so for functions that are expressions. What refers to functions is [inferred](mod@planish_ir::infer) when
//! all functions are lifted. Nothing recurses here, however deep regions are nested.

mod callable;
mod control;
mod expressions;
mod forms;
mod functions;

use std::rc::Rc;

use hashbrown::HashMap;
use planish_base::{Budget, Interner, SideTable, Span};
use planish_ir::construct::construct;
use planish_ir::draft::{Draft, End, Node, Operand, Variable};
use planish_ir::infer::{Place, infer};
use planish_ir::returns::set_effects;
use planish_ir::truth::branch_on_truths;
use planish_ir::{Const, Module};
use planish_ops::world::CallEffect;
use planish_ops::{Int, Op, Type};
use rustc_hash::FxBuildHasher;

use self::callable::{Callable, CallableData, Code};
use self::expressions::expressions;
pub use self::forms::{Forms, lift_forms, lift_with_expressions};
use crate::devirtualize::devirtualize;
use crate::legal::may_trap;
use crate::terms::{Kind, Program, Term, Terms};
use crate::thread::thread;
use crate::view::{Ordered, operation, region_order};

/// How to lift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The width of a word in bits.
    pub width: u8,
    /// Whether functions stay functions and calls stay calls.
    pub functions: bool,
    /// Whether those do that are expressions: operations that cannot trap, and calls of such functions.
    pub expressions: bool,
    /// Whether a reference to a function that the program exports is one to a copy of it, which takes what it is brought along.
    pub copies: bool,
    /// How many operations and branches may be made in all.
    pub budget: u64,
    /// How many of them in bodies that are inlined: beyond, a program is refused, or calls stay if they may.
    pub inlined: u64,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            width: 64,
            functions: false,
            expressions: false,
            copies: false,
            budget: 4_000_000,
            inlined: 4_000_000,
        }
    }
}

/// The name of a program that is one function without a name.
pub const MAIN: &str = "main";

/// What a term is while it is lifted.
#[derive(Clone, Debug)]
enum Lifted {
    /// A word, or a function that is known only at run time.
    Word(Operand),
    Tuple(Rc<[Lifted]>),
    /// A function, and the values of its constants that are known only at run time.
    Function(Callable, Rc<[Operand]>),
}

impl Lifted {
    /// Whether it is one operand when the program runs, and nothing beside it.
    fn is_operand(&self) -> bool {
        match self {
            Lifted::Word(_) => true,
            Lifted::Function(_, captured) => captured.is_empty(),
            Lifted::Tuple(_) => false,
        }
    }
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
        expressions: if options.expressions { expressions(&program.terms) } else { SideTable::new() },
        callables: Interner::new(),
        names: SideTable::new(),
        lifted: SideTable::new(),
        queue: Vec::new(),
        exported: Vec::new(),
        module: Module::new(),
        budget: Budget::new("lifted operations", options.budget),
        inlined: Budget::new("inlined operations", options.inlined),
        inlining: 0,
        draft: Draft::new("", &[]),
        drafts: Vec::new(),
        began: Vec::new(),
        written: HashMap::default(),
        nowhere: None,
        stack: Vec::new(),
    };
    // Names of exports come first: a function that a call names is another one.
    lifter.exported = program.roots.iter().map(|root| root.name.as_deref().unwrap_or(MAIN)).collect();
    let roots: Vec<(&str, Term)> =
        program.roots.iter().map(|root| (root.name.as_deref().unwrap_or(MAIN), root.term)).collect();
    let named: Vec<_> = roots.iter().map(|&(name, term)| lifter.name_root(name, term)).collect();
    for (&(name, term), callable) in roots.iter().zip(named) {
        match callable {
            Some(callable) => lifter.function(callable)?,
            None => lifter.root(name, term)?,
        }
    }
    // Functions that calls have named, in the order of the first call.
    let mut next = 0;
    while let Some(&callable) = lifter.queue.get(next) {
        next += 1;
        lifter.function(callable)?;
    }
    lifter.finish()
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
    /// How many outputs of calls are needed.
    called: HashMap<Term, u32, FxBuildHasher>,
    /// The nodes of the region, one more behind each branch or loop.
    segments: Vec<Node>,
    then: Then,
}

/// What happens when a region is done.
enum Then {
    /// The function returns its results.
    Return,
    /// The result is what a program exports: if it is a function, then that goes on with its inputs.
    Export,
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
    /// Functions that are expressions, where their calls stay calls.
    expressions: SideTable<Term, bool>,
    callables: Interner<Callable, CallableData>,
    /// The names of functions of the module.
    names: SideTable<Callable, Option<Rc<str>>>,
    /// Which of them are lifted, or under way.
    lifted: SideTable<Callable, bool>,
    queue: Vec<Callable>,
    exported: Vec<&'a str>,
    module: Module,
    budget: Budget,
    inlined: Budget,
    /// How many of the bodies on the stack are inlined.
    inlining: u32,
    draft: Draft,
    /// The functions that are done, but for what refers to functions in them.
    drafts: Vec<Draft>,
    /// Where the functions come from that are done or under way.
    began: Vec<Option<Span>>,
    /// Where steps and ends of nodes come from.
    written: HashMap<Place, Span, FxBuildHasher>,
    nowhere: Option<Node>,
    stack: Vec<Activation>,
}

impl<'a> Lifter<'a> {
    fn word(&self) -> Type {
        Type::Int(self.options.width)
    }

    fn number(&self, number: i64) -> Operand {
        Int::new(self.options.width.into(), number as u64).into()
    }

    /// Begins a region at a node.
    fn enter(&mut self, results: Vec<Term>, arguments: Vec<Lifted>, node: Node, then: Then) {
        let Ordered { order, needed, called } = region_order(self.terms, &results);
        self.stack.push(Activation {
            arguments,
            order,
            next: 0,
            results,
            values: HashMap::default(),
            needed,
            called,
            segments: vec![node],
            then,
        });
    }

    /// Notes where the last step of a node comes from.
    fn came_from(&mut self, node: Node, term: Term) {
        if let Some(span) = self.places[term] {
            let step = self.draft.nodes[node].steps.len();
            let place = Place { draft: self.drafts.len(), node, step: step.saturating_sub(1) };
            self.written.insert(place, span);
        }
    }

    /// Lifts until no region is left; then the function is done.
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
        self.drafts.push(std::mem::replace(&mut self.draft, Draft::new("", &[])));
        Ok(())
    }

    /// Makes functions of the drafts.
    fn finish(mut self) -> Result<Module, Unliftable> {
        let acts = CallEffect { raises: true, ..CallEffect::pure() };
        let Module { symbols, descriptors, functions, .. } = &mut self.module;
        infer(&mut self.drafts, symbols, descriptors, &acts).map_err(|mismatch| {
            let at = |step| self.written.get(&Place { step, ..mismatch.place }).copied();
            // What ends a node comes from where its last step does, if nothing else is known.
            let place = (0..=mismatch.place.step).rev().find_map(at);
            let place = place.or_else(|| *self.began.get(mismatch.place.draft)?);
            Unliftable { message: mismatch.message, place }
        })?;
        for mut draft in self.drafts {
            thread(&mut draft);
            draft.sort();
            let mut function = construct(draft).function;
            branch_on_truths(&mut function);
            functions.push(function);
        }
        set_effects(&mut self.module, &acts);
        Ok(self.module)
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

    fn operand(&mut self, term: Term) -> Result<(Operand, u32), String> {
        let (value, segment) = self.value(term);
        let operand = self.operand_of(&value, segment)?;
        if matches!(&value, Lifted::Function(_, captured) if !captured.is_empty()) {
            let node = self.top().segments[segment as usize];
            self.came_from(node, term);
        }
        Ok((operand, segment))
    }

    /// The operand that a value is when the program runs, from a segment on.
    fn operand_of(&mut self, value: &Lifted, segment: u32) -> Result<Operand, String> {
        match value {
            Lifted::Word(operand) => Ok(*operand),
            Lifted::Function(callable, captured) => self.reference(*callable, captured, segment),
            Lifted::Tuple(_) => Err("a tuple is used as a number".into()),
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
        let mut limit = (!self.budget.take(1)).then(|| self.budget.limit());
        if self.inlining > 0 && !self.inlined.take(1) && !self.options.functions {
            limit = limit.or(Some(self.inlined.limit()));
        }
        if let Some(limit) = limit {
            return Err(format!("inlining makes more than {limit} operations"));
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
                // A state that is made of nothing is zero.
                if op == Op::Use && args.is_empty() {
                    args.push(self.number(0));
                }
                if may_trap(op) && !divides_safely(&args) {
                    segment = self.last().1;
                }
                let node = self.top().segments[segment as usize];
                let result = self.draft.variable("", self.word());
                self.draft.op(node, op, &args, &[result]);
                self.came_from(node, term);
                self.set(term, Lifted::Word(result.into()), segment);
            }
            Kind::Function { .. } => {
                let (function, segment) = self.capture(Code::Function(term), terms.outer(term))?;
                self.set(term, function, segment);
            }
            Kind::Phi { functions } => {
                let (mut members, mut segment) = (Vec::with_capacity(functions as usize), 0);
                for index in 0..functions {
                    let (member, from) = self.capture(Code::Member(term, index), terms.outer(term))?;
                    segment = segment.max(from);
                    members.push(member);
                }
                self.set(term, Lifted::Tuple(members.into()), segment);
            }
            Kind::Call => self.call(term)?,
            Kind::Switch { cases, outputs } => self.switch(term, cases, outputs)?,
            Kind::Loop => self.repeat(term)?,
        }
        Ok(())
    }

    /// Ends the region on top of the stack.
    fn leave(&mut self) -> Result<(), Unliftable> {
        let (node, _) = self.last();
        let results = self.top().results.clone();
        if let Then::Inline(term, _) = self.top().then {
            let parts: Rc<[Lifted]> = results.iter().map(|&result| self.value(result).0).collect();
            self.stack.pop();
            self.inlining -= 1;
            let top = self.top();
            if top.segments.last() != Some(&node) {
                top.segments.push(node);
            }
            let segment = top.segments.len() as u32 - 1;
            self.set(term, Lifted::Tuple(parts), segment);
            return Ok(());
        }
        if let (Then::Export, &[result]) = (&self.top().then, &*results)
            && let Lifted::Function(callable, captured) = self.value(result).0
        {
            self.stack.pop();
            return self.export(callable, &captured, node);
        }
        let mut operands = Vec::with_capacity(results.len());
        for &result in &results {
            let place = self.places[result];
            let operand = self.operand(result).map_err(|message| Unliftable { message, place })?;
            operands.push(operand.0);
        }
        let Some(done) = self.stack.pop() else { return Ok(()) };
        match done.then {
            Then::Return | Then::Export => self.draft.nodes[node].end = End::Return(operands),
            Then::Join(join, variables) => {
                for ((variable, operand), result) in variables.into_iter().zip(operands).zip(results) {
                    self.draft.assign(node, variable, operand);
                    self.came_from(node, result);
                }
                self.draft.nodes[node].end = End::Goto(join);
            }
            Then::Repeat { head, exit, variables, swapped } => {
                // All variables change at once, and the predicate is from before.
                let word = self.word();
                let copies: Vec<Variable> = operands.iter().map(|_| self.draft.variable("", word)).collect();
                for ((&copy, &operand), &result) in copies.iter().zip(&operands).zip(&results) {
                    self.draft.assign(node, copy, operand);
                    self.came_from(node, result);
                }
                for ((&variable, &copy), &result) in variables.iter().zip(&copies).zip(&results) {
                    self.draft.assign(node, variable, copy.into());
                    self.came_from(node, result);
                }
                let condition = copies[copies.len() - 1].into();
                let (then, other) = if swapped { (exit, head) } else { (head, exit) };
                self.draft.nodes[node].end = End::Branch { condition, then, other };
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
