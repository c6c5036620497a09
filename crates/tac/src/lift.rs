//! From the three-address language to SSA.
//!
//! Statements become a draft, a node for each block, and the draft becomes SSA. A `switch` becomes a
//! switch whose default cannot be reached, which is what "outside of the labels nothing is defined"
//! means; one of two labels on a value that is 0 or 1 becomes a branch. Blocks that nothing reaches are
//! checked for their labels and left out.
//!
//! Division by zero needs no exit: it is an operation that is not defined there, so nothing may make it
//! happen where it did not.
//!
//! A name that is no variable of its function is that of a function, and means a reference to it; a call of a variable
//! goes through the reference that it holds. Which variables hold references is [inferred](mod@planish_ir::infer) from all
//! functions together.

use hashbrown::{HashMap, HashSet};
use planish_base::{Diagnostic, Diagnostics, Id, Span};
use planish_ir::construct::construct;
use planish_ir::draft::{self, Draft, End, Node, Variable};
use planish_ir::infer::infer;
use planish_ir::module::Descriptor;
use planish_ir::returns::set_effects;
use planish_ir::truth::branch_on_truths;
use planish_ir::{Const, Function as SsaFunction, Module};
use planish_ops::world::{CallEffect, Descr};
use planish_ops::{Int, Op, Type};
use rustc_hash::FxBuildHasher;

use crate::ast::{Action, Function, Name, Operand, Program, Statement};

/// How to lift.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The width of a word in bits.
    pub width: u8,
    /// Whether a variable that some path leaves unassigned reads as zero there.
    pub unassigned_is_zero: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { width: 64, unassigned_is_zero: false }
    }
}

/// The name of a function that has none.
pub const MAIN: &str = "main";

/// At most so many variables are named in errors about missing assignments.
const UNASSIGNED_SHOWN: usize = 20;

/// Lifts a program. The module is of use only when no error was reported.
pub fn lift(program: &Program, options: Options, diagnostics: &mut Diagnostics) -> Module {
    let returned: Vec<Option<usize>> = program.functions.iter().map(|f| results(f, diagnostics)).collect();
    // A function that never returns has as many results as its first call takes.
    let taken = |function: &Function| {
        let statements = program.functions.iter().flat_map(|f| &f.statements);
        let mut calls = statements.filter_map(|statement| match &statement.action {
            Action::Call { callee, results, .. } if Some(*callee) == function.name => Some(results.len()),
            _ => None,
        });
        calls.next().unwrap_or(0)
    };
    let signatures: Vec<usize> = (program.functions.iter().zip(returned))
        .map(|(function, returned)| returned.unwrap_or_else(|| taken(function)))
        .collect();
    let mut module = Module::new();
    let (mut drafts, mut spans) = (Vec::new(), Vec::new());
    for (function, &results) in program.functions.iter().zip(&signatures) {
        let mut lifter = Lifter::new(program, function, &signatures, options, diagnostics, &mut module);
        lifter.lift(results);
        drafts.push(lifter.draft);
        spans.push(lifter.spans);
    }
    let acts = CallEffect { raises: true, ..CallEffect::pure() };
    if diagnostics.has_errors() {
        return module;
    }
    let Module { symbols, descriptors, functions, .. } = &mut module;
    let written = if options.unassigned_is_zero { Vec::new() } else { drafts.clone() };
    let origins = match infer(&mut drafts, symbols, descriptors, &acts) {
        Ok(origins) => origins,
        Err(mismatch) => {
            let place = mismatch.place;
            let of_node = &spans[place.draft][place.node.index()];
            let span = of_node.get(place.step).or(of_node.last()).copied();
            diagnostics.error(span.unwrap_or(program.functions[place.draft].span), mismatch.message);
            return module;
        }
    };
    let mut reported: HashSet<(usize, Variable), FxBuildHasher> = HashSet::default();
    for (draft, origin) in drafts.into_iter().zip(origins) {
        let names = draft.variables.clone();
        let built = construct(draft);
        if let Some(draft) = written.get(origin).filter(|_| !built.unassigned.is_empty()) {
            // A copy of a variable has the name of that as which it is written.
            let as_written = built.unassigned.iter().filter_map(|&variable| {
                let is_it = |other: &Variable| draft.variables[*other].name == names[variable].name;
                draft.variables.ids().find(is_it)
            });
            let unassigned: Vec<Variable> =
                as_written.filter(|&variable| reported.insert((origin, variable))).collect();
            report_unassigned(&program.functions[origin], draft, &spans[origin], &unassigned, diagnostics);
            continue;
        }
        let mut function: SsaFunction = built.function;
        branch_on_truths(&mut function);
        functions.push(function);
    }
    set_effects(&mut module, &acts);
    module
}

/// How many results a function returns; `None` for one that never does.
fn results(function: &Function, diagnostics: &mut Diagnostics) -> Option<usize> {
    let mut first: Option<usize> = None;
    for statement in &function.statements {
        let Action::Return(values) = &statement.action else { continue };
        let wanted = *first.get_or_insert(values.len());
        if values.len() != wanted {
            let message = format!("this returns {} results, an earlier one {wanted}", values.len());
            diagnostics.error(statement.span, message);
        }
    }
    first
}

struct Lifter<'a> {
    program: &'a Program,
    function: &'a Function,
    signatures: &'a [usize],
    options: Options,
    diagnostics: &'a mut Diagnostics,
    module: &'a mut Module,
    draft: Draft,
    /// Parameters, and names to which something is assigned.
    assigned: HashSet<Name, FxBuildHasher>,
    variables: HashMap<Name, Variable, FxBuildHasher>,
    labels: HashMap<Name, (Node, Span), FxBuildHasher>,
    /// The spans of the statements from which the steps and the end of each node come.
    spans: Vec<Vec<Span>>,
    /// Where the values of switches go that count no label.
    nowhere: Option<Node>,
}

impl<'a> Lifter<'a> {
    fn new(
        program: &'a Program,
        function: &'a Function,
        signatures: &'a [usize],
        options: Options,
        diagnostics: &'a mut Diagnostics,
        module: &'a mut Module,
    ) -> Self {
        let name = function.name.map_or(MAIN, |name| program.name(name));
        Lifter {
            program,
            function,
            signatures,
            options,
            diagnostics,
            module,
            draft: Draft::new(name, &[]),
            assigned: assigned(function),
            variables: HashMap::default(),
            labels: HashMap::default(),
            spans: Vec::new(),
            nowhere: None,
        }
    }

    fn word(&self) -> Type {
        Type::Int(self.options.width)
    }

    fn lift(&mut self, results: usize) {
        self.draft.result_types = vec![self.word(); results];
        for &param in &self.function.params {
            let variable = self.variable(param);
            self.draft.params.push(variable);
        }
        let entry = self.node("");
        let before = self.diagnostics.len();
        self.find_labels();
        self.statements(entry);
        let is_error = |d: &Diagnostic| d.severity == planish_base::Severity::Error;
        if !self.diagnostics.iter().skip(before).any(is_error) {
            self.warn_of_endless_loops();
        }
    }

    fn node(&mut self, name: &str) -> Node {
        self.spans.push(Vec::new());
        self.draft.node(name)
    }

    fn variable(&mut self, name: Name) -> Variable {
        let ty = self.word();
        let (draft, text) = (&mut self.draft, self.program.name(name));
        *self.variables.entry(name).or_insert_with(|| draft.variable(text, ty))
    }

    fn operand(&mut self, operand: Operand) -> draft::Operand {
        match operand {
            Operand::Variable(name) if self.is_function(name) => {
                let text = self.program.name(name);
                self.descriptor(text);
                draft::Operand::Const(Const::Symbol(self.module.symbol(text), Type::Ref))
            }
            Operand::Variable(name) => self.variable(name).into(),
            Operand::Number(number) => Int::new(self.options.width.into(), number as u64).into(),
        }
    }

    fn operands(&mut self, operands: &[Operand]) -> Vec<draft::Operand> {
        operands.iter().map(|&operand| self.operand(operand)).collect()
    }

    /// Whether a name is that of a function and of no variable.
    fn is_function(&self, name: Name) -> bool {
        !self.assigned.contains(&name)
            && self.program.functions.iter().any(|function| function.name == Some(name))
    }

    /// The descriptor of a function.
    fn descriptor(&mut self, name: &str) -> Descr {
        self.module.descriptors.intern(name, || Descriptor::Callee(CallEffect::pure()))
    }

    fn find_labels(&mut self) {
        for statement in &self.function.statements {
            let Action::Label(label) = statement.action else { continue };
            if let Some((_, first)) = self.labels.get(&label) {
                let text = self.program.name(label);
                let error = Diagnostic::error(statement.span, format!("there are two labels `{text}`"));
                let _ = first;
                self.diagnostics.push(error);
                continue;
            }
            let node = self.node(self.program.name(label));
            self.labels.insert(label, (node, statement.span));
        }
    }

    fn target(&mut self, label: Name, at: Span) -> Node {
        match self.labels.get(&label) {
            Some(&(node, _)) => node,
            None => {
                let message = format!("there is no label `{}`", self.program.name(label));
                self.diagnostics.error(at, message);
                self.draft.entry()
            }
        }
    }

    fn statements(&mut self, entry: Node) {
        // `None` behind a statement that ends a block, until a label or another statement comes.
        let mut at = Some(entry);
        for statement in &self.function.statements {
            let node = match (at, &statement.action) {
                (open, Action::Label(label)) => {
                    let node = self.target(*label, statement.span);
                    if let Some(open) = open {
                        self.draft.nodes[open].end = End::Goto(node);
                        self.spans[open.index()].push(statement.span);
                    }
                    at = Some(node);
                    continue;
                }
                (Some(node), _) => node,
                (None, _) => self.node(""),
            };
            at = if self.statement(node, statement) { Some(node) } else { None };
            self.spans[node.index()].push(statement.span);
        }
    }

    /// Adds a statement to a node. Returns whether the node goes on.
    fn statement(&mut self, node: Node, statement: &Statement) -> bool {
        let span = statement.span;
        match &statement.action {
            Action::Label(_) => {}
            Action::Goto(label) => self.draft.nodes[node].end = End::Goto(self.target(*label, span)),
            Action::Switch { on, targets } => {
                self.draft.nodes[node].end = self.switch(*on, targets, span);
            }
            Action::Return(values) => self.draft.nodes[node].end = End::Return(self.operands(values)),
            Action::Move { from, to } => {
                let (from, to) = (self.operand(*from), self.variable(*to));
                self.draft.assign(node, to, from);
            }
            Action::Op { op, args, result } => {
                let args = self.operands(args);
                let result = match result {
                    Some(name) => self.variable(*name),
                    None => self.draft.variable("", self.word()),
                };
                self.draft.op(node, *op, &args, &[result]);
            }
            Action::Use { args, results } => self.states(node, args, results),
            Action::Call { callee, args, results } => self.call(node, *callee, args, results, span),
        }
        !statement.action.ends_block()
    }

    fn switch(&mut self, on: Operand, targets: &[Name], span: Span) -> End {
        let targets: Vec<Node> = targets.iter().map(|&label| self.target(label, span)).collect();
        let on = self.operand(on);
        let default = match self.nowhere {
            Some(node) => node,
            None => {
                let node = self.node("");
                *self.nowhere.insert(node)
            }
        };
        let width = self.options.width.into();
        // No value counts more labels than words have.
        let keys =
            (0..).map(|key| (key, Int::new(width, key))).take_while(|(key, int)| int.unsigned() == *key);
        let cases = keys.zip(targets).map(|((_, key), node)| (key, node)).collect();
        End::Switch { on, cases, default }
    }

    /// A `use`: each output is the input in its place, behind all inputs; one that has no input is a new state, zero.
    fn states(&mut self, node: Node, args: &[Operand], results: &[Name]) {
        let args = self.operands(args);
        let word = self.word();
        let zero = Int::new(self.options.width.into(), 0).into();
        // All outputs change at once: one may be an input in another place.
        let states: Vec<Variable> = results.iter().map(|_| self.draft.variable("", word)).collect();
        for (place, &state) in states.iter().enumerate() {
            let mut operands = vec![args.get(place).copied().unwrap_or(zero)];
            operands.extend(args.iter().enumerate().filter(|(at, _)| *at != place).map(|(_, &arg)| arg));
            self.draft.op(node, Op::Use, &operands, &[state]);
        }
        for (&name, &state) in results.iter().zip(&states) {
            let to = self.variable(name);
            self.draft.assign(node, to, state.into());
        }
    }

    fn call(&mut self, node: Node, callee: Name, args: &[Operand], results: &[Name], span: Span) {
        let text = self.program.name(callee);
        let found = self.program.functions.iter().position(|function| function.name == Some(callee));
        let Some(index) = found else {
            if self.assigned.contains(&callee) {
                let mut operands = vec![self.variable(callee).into()];
                operands.extend(self.operands(args));
                let results: Vec<Variable> = results.iter().map(|&name| self.variable(name)).collect();
                self.draft.op(node, Op::CallRef, &operands, &results);
                return;
            }
            let error = Diagnostic::error(span, format!("there is no function `{text}`"))
                .note("`function NAME -> x y` begins a function that can be called");
            self.diagnostics.push(error);
            return;
        };
        let wanted = self.program.functions[index].params.len();
        if args.len() != wanted {
            let message = format!("`{text}` takes {wanted} arguments, not {}", args.len());
            self.diagnostics.error(span, message);
        }
        let given = self.signatures[index];
        if results.len() != given {
            let message = format!("`{text}` has {given} results, not {}", results.len());
            self.diagnostics.error(span, message);
        }
        let descr = self.descriptor(text);
        let args = self.operands(args);
        let results: Vec<Variable> = results.iter().map(|&name| self.variable(name)).collect();
        self.draft.op_named(node, Op::Call, &args, &results, Some(descr));
    }

    /// A block from which no return can be reached is legal, and worth knowing.
    fn warn_of_endless_loops(&mut self) {
        let order = self.draft.reverse_postorder();
        let mut preds = vec![Vec::new(); self.draft.nodes.len()];
        let mut work = Vec::new();
        let mut returns = vec![false; self.draft.nodes.len()];
        for &node in &order {
            for target in self.draft.nodes[node].end.targets() {
                preds[target.index()].push(node);
            }
            if matches!(self.draft.nodes[node].end, End::Return(_)) || self.nowhere == Some(node) {
                returns[node.index()] = true;
                // What cannot be reached is no way out.
                if self.nowhere != Some(node) {
                    work.push(node);
                }
            }
        }
        while let Some(node) = work.pop() {
            for &pred in &preds[node.index()] {
                if !std::mem::replace(&mut returns[pred.index()], true) {
                    work.push(pred);
                }
            }
        }
        let endless = order.iter().filter(|node| !returns[node.index()]);
        // One warning for each place where control gets stuck.
        for node in endless.filter(|node| {
            preds[node.index()].is_empty() || preds[node.index()].iter().any(|pred| returns[pred.index()])
        }) {
            if let Some(&span) = self.spans[node.index()].first() {
                let warning = Diagnostic::warning(span, "from here no return can be reached")
                    .note("the loop is kept: it never ends");
                self.diagnostics.push(warning);
            }
        }
    }
}

/// Parameters of a function, and names to which something is assigned.
fn assigned(function: &Function) -> HashSet<Name, FxBuildHasher> {
    let results = function.statements.iter().flat_map(|statement| match &statement.action {
        Action::Move { to, .. } => std::slice::from_ref(to),
        Action::Op { result, .. } => result.as_slice(),
        Action::Call { results, .. } | Action::Use { results, .. } => results,
        Action::Label(_) | Action::Goto(_) | Action::Switch { .. } | Action::Return(_) => &[],
    });
    function.params.iter().chain(results).copied().collect()
}

/// Says on which paths variables are read that nothing was assigned to.
fn report_unassigned(
    function: &Function,
    draft: &Draft,
    spans: &[Vec<Span>],
    variables: &[Variable],
    diagnostics: &mut Diagnostics,
) {
    for &variable in variables.iter().take(UNASSIGNED_SHOWN) {
        let Some(read) = draft.unassigned_read(variable) else { continue };
        let last = read.path[read.path.len() - 1];
        let span = spans[last.index()].get(read.step).copied().unwrap_or(function.span);
        let name = &draft.variables[variable].name;
        let labels: Vec<&str> = (read.path.iter().map(|&node| draft.nodes[node].name.as_str()))
            .map(|name| if name.is_empty() { "(start)" } else { name })
            .collect();
        let error = Diagnostic::error(span, format!("`{name}` may be read before it is assigned"))
            .note(format!("on the path {}", labels.join(" -> ")))
            .note("with `--undef zero` it reads as zero there");
        diagnostics.push(error);
    }
}
