//! From SSA to Bril.
//!
//! Each function becomes a draft (values share variables, block parameters are assigned on edges), and
//! each step of it instructions. Constants are made once, at the start of the function; all get names in the end (`lower/names.rs`). Bril has no bits,
//! shifts or remainders: those are written by what it has where that is possible (a shift by a number is
//! a product or a quotient), and a choice is a small branch. What pointers point to is found from where
//! they come: the [`Signatures`] of functions and the names of memory operations.

mod names;
mod operations;

pub use operations::has_form;

use hashbrown::{HashMap, HashSet};
use planish_base::{Id, Span};
use planish_ir::destruct::{NoDraft, destruct};
use planish_ir::draft::{self, Draft, End, Node, Step, Variable};
use planish_ir::{Const, Function as SsaFunction, Module, References};
use planish_ops::world::World;
use planish_ops::{Op, Real, Type as Word};
use rustc_hash::FxBuildHasher;

use crate::ast::{Function, Instruction, Item, Literal, Program, Type};
use crate::legal;
use crate::lift::{Signature, Signatures};
use crate::memory::Action;

/// Lowers a module; with `words`, to operations of [`legal::WORDS`] too. The errors say what has no form in
/// the language, one for each function.
pub fn lower(module: &Module, signatures: &Signatures, words: bool) -> Result<Program, Vec<String>> {
    let mut program = Program::default();
    let mut errors = Vec::new();
    let references = References::new(module);
    for function in module.functions.values() {
        let calls = function.live_insts().any(|(_, inst)| function.inst(inst).op == Op::CallRef);
        if calls || !references.within(function).is_empty() {
            errors.push(format!(
                "function {}: references to functions have no form in the language",
                function.name
            ));
            continue;
        }
        match lower_function(module, function, signatures, words) {
            Ok(function) => program.functions.push(function),
            Err(error) => errors.push(format!("function {}: {error}", function.name)),
        }
    }
    if errors.is_empty() { Ok(program) } else { Err(errors) }
}

fn lower_function(
    module: &Module,
    function: &SsaFunction,
    signatures: &Signatures,
    words: bool,
) -> Result<Function, String> {
    let destructed = destruct(function).map_err(|error| match error {
        NoDraft::Exit(inst) => format!("`{}` leaves through a side exit", function.inst(inst).op),
        NoDraft::Throw(_) => "a block throws an exception".to_owned(),
    })?;
    let draft = destructed.draft;
    if draft.result_types.len() > 1 {
        return Err(format!("it has {} results", draft.result_types.len()));
    }
    let signature = signatures.get(&function.name);
    let types = types(module, &draft, signature, signatures)?;
    let lines = Lines { words, ..Lines::default() };
    let mut lowerer = Lowerer { module, draft: &draft, types, lines, result: None, falls_off: false };
    lowerer.result = match signature {
        Some(signature) => signature.result.clone(),
        None => draft.result_types.first().map(|&ty| plain(ty)).transpose()?,
    };
    let mut params = Vec::with_capacity(draft.params.len());
    for &param in &draft.params {
        params.push((name(param), lowerer.ty(param)));
    }
    let blocks = destructed.nodes.iter().flatten().count();
    for node in draft.nodes.ids().take(blocks) {
        lowerer.node(node)?;
        for edge in draft.nodes[node].end.targets().filter(|target| target.index() >= blocks) {
            lowerer.node(edge)?;
        }
    }
    if lowerer.falls_off {
        lowerer.lines.label(END.to_owned());
    }
    let Lowerer { lines: Lines { preamble, items, .. }, result, .. } = lowerer;
    let body = tidy(items);
    let mut lowered = Function { name: function.name.clone(), params, result, body, span: Span::default() };
    names::number(&mut lowered, preamble);
    Ok(lowered)
}

/// The label of the end of a function.
const END: &str = "end";

fn name(variable: Variable) -> String {
    format!("v{}", variable.index())
}

fn label(node: Node) -> String {
    format!("b{}", node.index())
}

fn plain(word: Word) -> Result<Type, String> {
    legal::plain(word).ok_or_else(|| format!("the type {word} has no form in the language"))
}

/// The types of variables: those of pointers from where they come.
fn types(
    module: &Module,
    draft: &Draft,
    signature: Option<&Signature>,
    signatures: &Signatures,
) -> Result<Vec<Type>, String> {
    let mut types: Vec<Option<Type>> =
        draft.variables.values().map(|variable| legal::plain(variable.ty)).collect();
    for (i, param) in draft.params.iter().enumerate() {
        if let Some(signature) = signature {
            types[param.index()] = signature.params.get(i).cloned();
        }
    }
    let mut moves = Vec::new();
    for node in draft.nodes.values() {
        for step in &node.steps {
            match step {
                Step::Move { to, from: draft::Operand::Var(from) } => moves.push((*to, *from)),
                Step::Op { op: Op::Call, results, descr: Some(descr), .. } => {
                    let callee = module.descriptors.name(*descr);
                    let ty = match Action::decode(callee) {
                        Some((Action::Load, held)) => held,
                        Some((_, Some(held))) => Some(Type::Ptr(Box::new(held))),
                        Some((_, None)) => None,
                        None => signatures.get(callee).and_then(|signature| signature.result.clone()),
                    };
                    if let (Some(ty), [result]) = (ty, draft.results(*results)) {
                        types[result.index()] = Some(ty);
                    }
                }
                Step::Move { .. } | Step::Op { .. } => {}
            }
        }
    }
    loop {
        let mut changed = false;
        for &(to, from) in &moves {
            for (known, unknown) in [(from, to), (to, from)] {
                if types[unknown.index()].is_none() && types[known.index()].is_some() {
                    types[unknown.index()] = types[known.index()].clone();
                    changed = true;
                }
            }
        }
        if !changed {
            break;
        }
    }
    let known =
        types.into_iter().zip(draft.variables.values()).map(|(ty, variable)| match (ty, variable.ty) {
            (Some(ty), _) => Ok(ty),
            (None, Word::Ref) => Err("what a pointer points to is not known".to_owned()),
            (None, word) => plain(word),
        });
    known.collect()
}

struct Lowerer<'a> {
    module: &'a Module,
    draft: &'a Draft,
    types: Vec<Type>,
    lines: Lines,
    result: Option<Type>,
    /// Whether something goes to the end of the function, which gives no result.
    falls_off: bool,
}

/// What is written so far of a function.
#[derive(Default)]
struct Lines {
    /// Whether operations of [`legal::WORDS`] may be written.
    words: bool,
    constants: HashMap<Const, String, FxBuildHasher>,
    /// The constants, before everything else.
    preamble: Vec<Instruction>,
    items: Vec<Item>,
    temporaries: usize,
    labels: usize,
}

impl Lines {
    fn push(&mut self, op: &str, dest: Option<(String, Type)>, args: &[&str]) {
        let args = args.iter().map(|&arg| arg.to_owned()).collect();
        self.items.push(Item::Instruction(instruction(op, dest, args)));
    }

    fn jump(&mut self, op: &str, args: &[&str], labels: Vec<String>) {
        let jump = instruction(op, None, args.iter().map(|&arg| arg.to_owned()).collect());
        self.items.push(Item::Instruction(Instruction { labels, ..jump }));
    }

    fn label(&mut self, label: String) {
        self.items.push(Item::Label(label, Span::default()));
    }

    fn temporary(&mut self) -> String {
        self.temporaries += 1;
        format!("t{}", self.temporaries - 1)
    }

    fn constant(&mut self, constant: Const) -> Result<String, String> {
        if let Some(name) = self.constants.get(&constant) {
            return Ok(name.clone());
        }
        let word = constant.ty();
        let ty = plain(word)?;
        let value = match (&ty, constant) {
            (Type::Int, Const::Int(int)) => Literal::Int(int.signed()),
            (Type::Bool, Const::Int(int)) => Literal::Bool(int.is_true()),
            (Type::Char, Const::Int(int)) => {
                let code = u32::try_from(int.unsigned()).ok().and_then(char::from_u32);
                Literal::Char(code.ok_or("a number is no character")?)
            }
            (Type::Float, Const::Real(planish_ir::constant::Number(Real::F64(float)))) => {
                Literal::Float(float)
            }
            _ => return Err(format!("a constant of the type {word} has no form in the language")),
        };
        let name = format!("c{}", self.constants.len());
        let made = instruction("const", Some((name.clone(), ty)), Vec::new());
        self.preamble.push(Instruction { value: Some(value), ..made });
        self.constants.insert(constant, name.clone());
        Ok(name)
    }

    fn int(&mut self, value: i64) -> Result<String, String> {
        self.constant(planish_ops::Int::new(64, value as u64).into())
    }

    fn operand(&mut self, operand: draft::Operand) -> Result<String, String> {
        match operand {
            draft::Operand::Var(variable) => Ok(name(variable)),
            draft::Operand::Const(constant) => self.constant(constant),
        }
    }

    fn operands(&mut self, operands: &[draft::Operand]) -> Result<Vec<String>, String> {
        operands.iter().map(|&operand| self.operand(operand)).collect()
    }

    fn fresh_label(&mut self) -> String {
        self.labels += 1;
        format!("l{}", self.labels - 1)
    }
}

impl Lowerer<'_> {
    fn ty(&self, variable: Variable) -> Type {
        self.types[variable.index()].clone()
    }

    fn word(&self, operand: draft::Operand) -> Word {
        match operand {
            draft::Operand::Var(variable) => self.draft.variables[variable].ty,
            draft::Operand::Const(constant) => constant.ty(),
        }
    }

    fn node(&mut self, node: Node) -> Result<(), String> {
        let draft = self.draft;
        self.lines.label(label(node));
        for step in &draft.nodes[node].steps {
            match step {
                // No pointer but that of a variable which this way leaves out, as this one does then.
                Step::Move { from: draft::Operand::Const(constant), .. } if constant.ty() == Word::Ref => {}
                Step::Move { to, from } => {
                    let (from, dest) = (self.lines.operand(*from)?, (name(*to), self.ty(*to)));
                    self.lines.push("id", Some(dest), &[&from]);
                }
                Step::Op { op: Op::Call, args, results, descr } => {
                    let descr = descr.ok_or("a call names no function")?;
                    self.call(
                        self.module.descriptors.name(descr),
                        draft.args(*args),
                        draft.results(*results),
                    )?;
                }
                Step::Op { op, args, results, .. } => {
                    let &[result] = draft.results(*results) else {
                        return Err(format!("`{op}` has not one result"));
                    };
                    self.op(*op, draft.args(*args), result)?;
                }
            }
        }
        match &draft.nodes[node].end {
            End::Goto(target) => self.lines.jump("jmp", &[], vec![label(*target)]),
            End::Branch { condition, then, other } => {
                let (word, condition) = (self.word(*condition), self.lines.operand(*condition)?);
                if word == Word::I1 {
                    self.lines.jump("br", &[&condition], vec![label(*then), label(*other)]);
                } else {
                    let (zero, equal) = (self.lines.int(0)?, self.lines.temporary());
                    self.lines.push("eq", Some((equal.clone(), Type::Bool)), &[&condition, &zero]);
                    self.lines.jump("br", &[&equal], vec![label(*other), label(*then)]);
                }
            }
            End::Switch { on, cases, default } => {
                let on = self.lines.operand(*on)?;
                for (key, target) in cases {
                    let (key, equal) = (self.lines.constant((*key).into())?, self.lines.temporary());
                    self.lines.push("eq", Some((equal.clone(), Type::Bool)), &[&on, &key]);
                    let next = self.lines.fresh_label();
                    self.lines.jump("br", &[&equal], vec![label(*target), next.clone()]);
                    self.lines.label(next);
                }
                self.lines.jump("jmp", &[], vec![label(*default)]);
            }
            End::Return(results) => {
                let results = self.lines.operands(results)?;
                let results: Vec<&str> = results.iter().map(String::as_str).collect();
                self.lines.push("ret", None, &results);
            }
            // Nothing gets here; where a result is missing, it falls off the end of the function, as it did where it was read.
            End::Unreachable if self.result.is_some() => {
                self.falls_off = true;
                self.lines.jump("jmp", &[], vec![END.to_owned()]);
            }
            End::Unreachable => self.lines.push("ret", None, &[]),
        }
        Ok(())
    }

    fn call(&mut self, callee: &str, args: &[draft::Operand], results: &[Variable]) -> Result<(), String> {
        let args = self.lines.operands(args)?;
        let dest = match results {
            [] => None,
            [result] => Some((name(*result), self.ty(*result))),
            _ => return Err(format!("a call of {callee} has {} results", results.len())),
        };
        let (op, funcs) = match Action::decode(callee) {
            Some((action, _)) => (action.name(), Vec::new()),
            None => ("call", vec![callee.to_owned()]),
        };
        let call = Instruction { funcs, ..instruction(op, dest, args) };
        self.lines.items.push(Item::Instruction(call));
        Ok(())
    }
}

fn instruction(op: &str, dest: Option<(String, Type)>, args: Vec<String>) -> Instruction {
    Instruction {
        op: op.to_owned(),
        dest,
        args,
        funcs: Vec::new(),
        labels: Vec::new(),
        value: None,
        span: Span::default(),
    }
}

/// Drops jumps to what follows, and labels that nothing names.
fn tidy(items: Vec<Item>) -> Vec<Item> {
    let mut kept: Vec<Item> = Vec::with_capacity(items.len());
    for item in items {
        if let Item::Label(label, _) = &item
            && let Some(Item::Instruction(last)) = kept.last()
            && last.op == "jmp"
            && last.labels[0] == *label
        {
            kept.pop();
        }
        kept.push(item);
    }
    let mut named = HashSet::<String, FxBuildHasher>::default();
    for item in &kept {
        if let Item::Instruction(instruction) = item {
            named.extend(instruction.labels.iter().cloned());
        }
    }
    kept.retain(|item| !matches!(item, Item::Label(label, _) if !named.contains(label)));
    kept
}
