//! From Bril to SSA.
//!
//! Instructions become a draft, a node for each block, and the draft becomes SSA. Labels, types of
//! operands, calls and results are checked, with spans where the program was read from text. A variable
//! has one type in a function. One that some path leaves unassigned may be read there only in programs
//! that fail, so it reads as zero.
//!
//! Memory and output are calls (`memory`). A function that does neither, nor calls one
//! that does, is a function of its arguments, and calls of it are known to be that.

use hashbrown::HashMap;
use planish_base::{Diagnostic, Diagnostics, Severity, Span};
use planish_ir::construct::construct;
use planish_ir::draft::{Draft, End, Node, Operand, Variable};
use planish_ir::module::Descriptor;
use planish_ir::returns::set_effects;
use planish_ir::{Const, Module};
use planish_ops::world::CallEffect;
use planish_ops::{Int, Op, Real};
use rustc_hash::FxBuildHasher;

use crate::ast::{Function, Instruction, Item, Literal, Program, Type};
use crate::legal::{self, word};
use crate::memory::{self, Action};

/// The types of a function, which the IR does not hold: what pointers point to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Signature {
    /// The types of the parameters.
    pub params: Vec<Type>,
    /// The type of the result, if it has one.
    pub result: Option<Type>,
}

/// What a program says that the IR does not hold.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Signatures {
    functions: HashMap<String, Signature, FxBuildHasher>,
    /// Whether it has operations of [`legal::WORDS`].
    pub words: bool,
}

impl Signatures {
    /// The signature of a function.
    pub fn get(&self, function: &str) -> Option<&Signature> {
        self.functions.get(function)
    }
}

/// Lifts a program. The module is of use only when no error was reported.
pub fn lift(program: &Program, diagnostics: &mut Diagnostics) -> (Module, Signatures) {
    let mut signatures = Signatures::default();
    for function in &program.functions {
        let params = function.params.iter().map(|(_, ty)| ty.clone()).collect();
        let signature = Signature { params, result: function.result.clone() };
        if signatures.functions.insert(function.name.clone(), signature).is_some() {
            diagnostics.error(function.span, format!("there are two functions `@{}`", function.name));
        }
        signatures.words |= function.body.iter().any(
            |item| matches!(item, Item::Instruction(instruction) if legal::is_of_words(&instruction.op)),
        );
        if function.name.starts_with(memory::PREFIX) {
            let message = format!("names that begin with `{}` are taken", memory::PREFIX);
            diagnostics.error(function.span, message);
        }
    }
    let mut module = Module::new();
    for function in &program.functions {
        let mut lifter = Lifter {
            function,
            signatures: &signatures,
            diagnostics,
            module: &mut module,
            draft: Draft::new(&function.name, &[]),
            variables: HashMap::default(),
            labels: HashMap::default(),
        };
        let before = lifter.errors();
        lifter.lift();
        let whole = lifter.errors() == before;
        let draft = std::mem::replace(&mut lifter.draft, Draft::new("", &[]));
        drop(lifter);
        if whole {
            module.functions.push(construct(draft).function);
        }
    }
    set_effects(&mut module, &acts());
    (module, signatures)
}

/// What a function may do that does more than compute: anything, in order.
fn acts() -> CallEffect {
    CallEffect { raises: false, forces_virtuals: false, invalidates: false, ..CallEffect::unknown() }
}

struct Lifter<'a> {
    function: &'a Function,
    signatures: &'a Signatures,
    diagnostics: &'a mut Diagnostics,
    module: &'a mut Module,
    draft: Draft,
    variables: HashMap<&'a str, (Variable, Type), FxBuildHasher>,
    labels: HashMap<&'a str, Node, FxBuildHasher>,
}

impl<'a> Lifter<'a> {
    fn errors(&self) -> usize {
        self.diagnostics.iter().filter(|d| d.severity == Severity::Error).count()
    }

    fn error(&mut self, span: Span, message: String) {
        self.diagnostics.push(Diagnostic::error(span, message));
    }

    fn lift(&mut self) {
        let function = self.function;
        self.draft.result_types = function.result.iter().map(word).collect();
        for (name, ty) in &function.params {
            if let Some(variable) = self.declare(name, ty, function.span) {
                if self.draft.params.contains(&variable) {
                    self.error(function.span, format!("`{name}` names two parameters"));
                }
                self.draft.params.push(variable);
            }
        }
        let entry = self.draft.node("");
        for item in &function.body {
            match item {
                Item::Label(label, span) => {
                    let node = self.draft.node(label);
                    if self.labels.insert(label, node).is_some() {
                        self.error(*span, format!("there are two labels `.{label}`"));
                    }
                }
                Item::Instruction(Instruction { dest: Some((name, ty)), span, .. }) => {
                    self.declare(name, ty, *span);
                }
                Item::Instruction(_) => {}
            }
        }
        let mut at = Some(entry);
        for item in &function.body {
            match item {
                Item::Label(label, _) => {
                    let node = self.labels[label.as_str()];
                    if let Some(open) = at {
                        self.draft.nodes[open].end = End::Goto(node);
                    }
                    at = Some(node);
                }
                Item::Instruction(instruction) => {
                    // What follows a jump without a label cannot be reached, and is checked all the same.
                    let node = at.unwrap_or_else(|| self.draft.node(""));
                    at = if self.instruction(node, instruction) { None } else { Some(node) };
                }
            }
        }
        if let Some(open) = at {
            // The end of a function returns; a result is then missing, and nothing is defined.
            let missing = function.result.is_some();
            self.draft.nodes[open].end = if missing { End::Unreachable } else { End::Return(Vec::new()) };
        }
    }

    /// The variable of a name, which has one type in the function.
    fn declare(&mut self, name: &'a str, ty: &Type, span: Span) -> Option<Variable> {
        if let Some((variable, known)) = self.variables.get(name) {
            if known == ty {
                return Some(*variable);
            }
            let message = format!("`{name}` is of the type {ty} here and {known} elsewhere");
            self.error(span, message);
            return None;
        }
        let variable = self.draft.variable(name, word(ty));
        self.variables.insert(name, (variable, ty.clone()));
        Some(variable)
    }

    fn argument(&mut self, instruction: &Instruction, index: usize) -> Option<(Operand, Type)> {
        let name = instruction.args.get(index)?.as_str();
        match self.variables.get(name) {
            Some((variable, ty)) => Some((Operand::Var(*variable), ty.clone())),
            None => {
                self.error(instruction.span, format!("`{name}` is never assigned"));
                None
            }
        }
    }

    /// The operands, when they are of these types.
    fn arguments(&mut self, instruction: &Instruction, wanted: &[Type]) -> Option<Vec<Operand>> {
        let op = &instruction.op;
        if instruction.args.len() != wanted.len() {
            let message = format!("`{op}` takes {} operands, not {}", wanted.len(), instruction.args.len());
            self.error(instruction.span, message);
            return None;
        }
        let mut operands = Vec::with_capacity(wanted.len());
        for (i, wanted) in wanted.iter().enumerate() {
            let (operand, ty) = self.argument(instruction, i)?;
            if ty != *wanted {
                let name = &instruction.args[i];
                self.error(instruction.span, format!("`{name}` is of the type {ty}; `{op}` takes {wanted}"));
                return None;
            }
            operands.push(operand);
        }
        Some(operands)
    }

    /// The variable that gets a result of a type.
    fn result(&mut self, instruction: &'a Instruction, ty: &Type) -> Option<Variable> {
        let Some((name, declared)) = &instruction.dest else {
            self.error(instruction.span, format!("`{}` has a result", instruction.op));
            return None;
        };
        if declared != ty {
            let message = format!("`{}` gives {ty}, not {declared}", instruction.op);
            self.error(instruction.span, message);
            return None;
        }
        // Where the variable is of another type, that was said when it was declared.
        self.variables.get(name.as_str()).filter(|(_, known)| known == ty).map(|(variable, _)| *variable)
    }

    fn label(&mut self, instruction: &Instruction, index: usize) -> Option<Node> {
        let label = instruction.labels.get(index)?.as_str();
        let node = self.labels.get(label).copied();
        if node.is_none() {
            self.error(instruction.span, format!("there is no label `.{label}`"));
        }
        node
    }

    /// Adds an instruction to a node. Returns whether the node ends with it.
    fn instruction(&mut self, node: Node, instruction: &'a Instruction) -> bool {
        match instruction.op.as_str() {
            "jmp" | "br" | "ret" => {
                if let Some(end) = self.end(instruction) {
                    self.draft.nodes[node].end = end;
                }
                true
            }
            _ => {
                // An error has been reported where there is nothing.
                let _ = self.step(node, instruction);
                false
            }
        }
    }

    fn end(&mut self, instruction: &'a Instruction) -> Option<End> {
        let wanted = match instruction.op.as_str() {
            "jmp" => 1,
            "br" => 2,
            _ => 0,
        };
        if instruction.labels.len() != wanted {
            let message =
                format!("`{}` takes {wanted} labels, not {}", instruction.op, instruction.labels.len());
            self.error(instruction.span, message);
            return None;
        }
        match instruction.op.as_str() {
            "jmp" => Some(End::Goto(self.label(instruction, 0)?)),
            "br" => {
                let condition = self.arguments(instruction, &[Type::Bool])?[0];
                let (then, other) = (self.label(instruction, 0)?, self.label(instruction, 1)?);
                Some(End::Branch { condition, then, other })
            }
            _ => {
                let result: Vec<Type> = self.function.result.iter().cloned().collect();
                if instruction.args.is_empty() && !result.is_empty() {
                    let message = format!("`@{}` returns a value", self.function.name);
                    self.error(instruction.span, message);
                    return None;
                }
                Some(End::Return(self.arguments(instruction, &result)?))
            }
        }
    }

    fn step(&mut self, node: Node, instruction: &'a Instruction) -> Option<()> {
        if let Some(row) = legal::named(&instruction.op) {
            let args = self.arguments(instruction, row.operands)?;
            let result = self.result(instruction, &row.result)?;
            self.draft.op(node, row.op, &args, &[result]);
            return Some(());
        }
        if let Some(action) = Action::named(&instruction.op) {
            return self.action(node, instruction, action);
        }
        match instruction.op.as_str() {
            "nop" => {}
            "const" => {
                let (_, ty) = instruction.dest.as_ref()?;
                let value = self.constant(instruction, ty)?;
                let result = self.result(instruction, ty)?;
                self.draft.assign(node, result, Operand::Const(value));
            }
            "id" => {
                let (_, ty) = instruction.dest.as_ref()?;
                let from = self.arguments(instruction, std::slice::from_ref(ty))?[0];
                let to = self.result(instruction, ty)?;
                self.draft.assign(node, to, from);
            }
            "select" => {
                let (_, ty) = instruction.dest.as_ref()?;
                let args = self.arguments(instruction, &[Type::Bool, ty.clone(), ty.clone()])?;
                let result = self.result(instruction, ty)?;
                self.draft.op(node, Op::Select, &args, &[result]);
            }
            "call" => return self.call(node, instruction),
            op => {
                let error = Diagnostic::error(instruction.span, format!("unknown operation `{op}`"))
                    .note("core, float, char and memory operations are understood");
                self.diagnostics.push(error);
            }
        }
        Some(())
    }

    fn constant(&mut self, instruction: &Instruction, ty: &Type) -> Option<Const> {
        let value = instruction.value?;
        Some(match (ty, value) {
            (Type::Int, Literal::Int(int)) => Int::new(64, int as u64).into(),
            (Type::Bool, Literal::Bool(bit)) => Int::bit(bit).into(),
            (Type::Float, Literal::Float(float)) => Real::F64(float).into(),
            (Type::Float, Literal::Int(int)) => Real::F64(int as f64).into(),
            (Type::Char, Literal::Char(char)) => Int::new(32, u64::from(u32::from(char))).into(),
            _ => {
                self.error(instruction.span, format!("this is no constant of the type {ty}"));
                return None;
            }
        })
    }

    fn action(&mut self, node: Node, instruction: &'a Instruction, action: Action) -> Option<()> {
        let span = instruction.span;
        if action == Action::Print {
            let mut args = Vec::with_capacity(instruction.args.len());
            for i in 0..instruction.args.len() {
                args.push(self.argument(instruction, i)?.0);
            }
            let descr = action.descriptor(self.module, None);
            self.draft.op_named(node, Op::Call, &args, &[], Some(descr));
            return Some(());
        }
        let pointer = if action == Action::Allocate {
            instruction.dest.as_ref().map(|(_, ty)| ty.clone())
        } else {
            self.argument(instruction, 0).map(|(_, ty)| ty)
        };
        let Some(Type::Ptr(held)) = pointer else {
            self.error(span, format!("`{}` is about a pointer", instruction.op));
            return None;
        };
        let pointer = Type::Ptr(held.clone());
        let (wanted, result) = match action {
            Action::Allocate => (vec![Type::Int], Some(pointer)),
            Action::Free => (vec![pointer], None),
            Action::Load => (vec![pointer], Some((*held).clone())),
            Action::Store => (vec![pointer, (*held).clone()], None),
            Action::Move => (vec![pointer.clone(), Type::Int], Some(pointer)),
            Action::Print => return None,
        };
        let args = self.arguments(instruction, &wanted)?;
        let mut results = Vec::new();
        if let Some(ty) = result {
            results.push(self.result(instruction, &ty)?);
        }
        let descr = action.descriptor(self.module, Some(&held));
        self.draft.op_named(node, Op::Call, &args, &results, Some(descr));
        Some(())
    }

    fn call(&mut self, node: Node, instruction: &'a Instruction) -> Option<()> {
        let [callee] = instruction.funcs.as_slice() else {
            self.error(instruction.span, "`call` takes one function".to_owned());
            return None;
        };
        let Some(signature) = self.signatures.get(callee) else {
            self.error(instruction.span, format!("there is no function `@{callee}`"));
            return None;
        };
        let args = self.arguments(instruction, &signature.params)?;
        let results = match (&signature.result, &instruction.dest) {
            (None, None) => Vec::new(),
            // A result that is not taken is lost.
            (Some(ty), None) => vec![self.draft.variable("", word(ty))],
            (Some(ty), Some(_)) => vec![self.result(instruction, ty)?],
            (None, Some(_)) => {
                self.error(instruction.span, format!("`@{callee}` has no result"));
                return None;
            }
        };
        let effect = || Descriptor::Callee(acts());
        let descr = self.module.descriptors.intern(callee.as_str(), effect);
        self.draft.op_named(node, Op::Call, &args, &results, Some(descr));
        Some(())
    }
}
