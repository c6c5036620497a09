//! The verifier: what must hold of every function, in numbered invariants.
//!
//! [`verify`] collects what is wrong instead of stopping at the first thing; a [`Violation`] names the
//! [`Invariant`], the block, the instruction and its place in the source. [`Violation::show`] adds the
//! instruction as text. What the arenas themselves promise (V1 to V3) is checked first, and nothing else
//! is looked at where it fails: all other checks rest on it. Time is linear in the function but for
//! dominators (see [`dominators`](crate::dominators)).
//!
//! | | invariant |
//! |---|---|
//! | V1 | There is an entry; every block that is named exists and stands once in the layout. |
//! | V2 | An instruction stands at one place; every id is one of this function. |
//! | V3 | A result knows its instruction, a parameter its block, a constant its place in the pool. |
//! | V4 | Operands are as many as the row says, of types that it admits, equal where it uses one type variable. |
//! | V5 | Results are as many as the row says and of its types; extensions widen, truncations narrow. |
//! | V6 | An operation names a descriptor if its row says so. |
//! | V7 | Only an operation whose row allows it has an exit; its own results are among the arguments only if it leaves after its effect. |
//! | V8 | A block is given as many arguments as it has parameters, of their types. |
//! | V9 | A condition is an integer; cases are different and of the type of the value; what is thrown is a reference; results are those of the function. |
//! | V10 | The first parameter of a handler is a reference, the others are the arguments of the exit. |
//! | V11 | Nothing goes to the entry: its parameters are the function's. |
//! | V12 | A definition dominates its uses. A handler sees what dominates the *start* of the block that exits to it, an entrance nothing. Blocks that cannot be reached are free of this. |
//! | V13 | A hole stands only among the arguments of an exit. |
//! | V14 | The function has the form that it promises. |
//! | V15 | In a module, names of functions are unique, and a call to one of them fits it. |
//! | V16 | A recipe stands on an exit that leaves the function, and its steps fit the arguments and each other. |
//! | V17 | An entrance is a block of its function, of a name that no other has; in a module, what goes on there has results of the types of its parameters. |
//! | V18 | What a call through a reference names is a signature and no function: all calls of a module that name it have operands and results of the same types. |
//! | V19 | In a module, a look-up names a constant table, whose items have the type of its result. |
//! | V20 | In a module, but for traces, what is loaded from a location or stored there is of the type of that. |

mod dominance;
mod form;
mod structure;
mod types;

pub use types::{check_signature, moved};

use planish_base::Id;
use planish_ops::world::{Descr, World};
use planish_ops::{Op, Type};

use crate::function::{Block, Form, Function, Inst, Location, Value};
use crate::module::Module;
use crate::text::{write_inst, write_value};

/// What does not hold. The number is that of the table in the module's documentation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Invariant {
    /// V1
    Layout = 1,
    /// V2
    Placement,
    /// V3
    Definition,
    /// V4
    Operands,
    /// V5
    Results,
    /// V6
    Descriptor,
    /// V7
    ExitAllowed,
    /// V8
    BlockArguments,
    /// V9
    Terminator,
    /// V10
    Handler,
    /// V11
    Entry,
    /// V12
    Dominance,
    /// V13
    Hole,
    /// V14
    Form,
    /// V15
    Module,
    /// V16
    Recipe,
    /// V17
    Entrance,
    /// V18
    Signature,
    /// V19
    Table,
    /// V20
    Location,
}

impl std::fmt::Display for Invariant {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "V{}", *self as u8)
    }
}

/// One thing that is wrong, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Violation {
    /// What does not hold.
    pub invariant: Invariant,
    /// The block, if it is about one.
    pub block: Option<Block>,
    /// The instruction, if it is about one; a terminator is none.
    pub inst: Option<Inst>,
    /// The value that the message speaks of, if it is about one.
    pub value: Option<Value>,
    /// The place of the instruction in the source.
    pub location: Location,
    /// What is wrong: a lower-case phrase without a full stop, whose subject is the value if there is one.
    pub message: String,
}

impl Violation {
    /// `V4 in f, block entry, line 3: ...` and the instruction as text.
    pub fn show(&self, module: &Module, function: &Function) -> String {
        use std::fmt::Write;
        let mut text = format!("{} in `{}`", self.invariant, function.name);
        if let Some(block) = self.block {
            match function.block_name(block) {
                Some(name) => write!(text, ", block `{name}`"),
                None => write!(text, ", {block}"),
            }
            .expect(NEVER);
        }
        if self.location != Location::default() {
            write!(text, ", line {}", self.location.0).expect(NEVER);
        }
        text.push_str(": ");
        if let Some(value) = self.value {
            text.push_str(&write_value(module, function, value));
            text.push(' ');
        }
        text.push_str(&self.message);
        // Below V4 the arenas are broken, and there is nothing to print.
        if let Some(inst) = self.inst.filter(|_| self.invariant >= Invariant::Operands) {
            write!(text, "\n    {}", write_inst(module, function, inst)).expect(NEVER);
        }
        text
    }
}

const NEVER: &str = "writing to a string does not fail";

/// How many violations are collected before the verifier gives up.
const ENOUGH: usize = 100;

/// Everything that is wrong with a function, at most a hundred things.
pub fn verify(function: &Function, form: Form) -> Vec<Violation> {
    let mut verifier = Verifier { f: function, block: None, inst: None, found: Vec::new() };
    verifier.structure();
    if verifier.found.is_empty() {
        verifier.types();
        verifier.dominance();
        verifier.form(form);
    }
    verifier.found
}

/// Everything that is wrong with a module, as text.
pub fn verify_module(module: &Module, form: Form) -> Vec<String> {
    let mut found = Vec::new();
    let mut names = hashbrown::HashMap::<&str, &Function, rustc_hash::FxBuildHasher>::default();
    for function in module.functions.values() {
        if names.insert(&function.name, function).is_some() {
            found.push(format!("{}: there are two functions `{}`", Invariant::Module, function.name));
        }
    }
    let mut entrances =
        hashbrown::HashMap::<Descr, (&Function, &[Value]), rustc_hash::FxBuildHasher>::default();
    for function in module.functions.values() {
        for entrance in function.entrances().iter().filter(|e| e.block.index() < function.block_count()) {
            if entrances.insert(entrance.descr, (function, function.block_params(entrance.block))).is_some() {
                let name = module.descriptors.name(entrance.descr);
                found.push(format!("{}: there are two entrances `{name}`", Invariant::Entrance));
            }
        }
    }
    let mut signatures = hashbrown::HashMap::<Descr, (&Function, Inst), rustc_hash::FxBuildHasher>::default();
    for function in module.functions.values() {
        let violations = verify(function, form);
        found.extend(violations.iter().map(|violation| violation.show(module, function)));
        if !violations.is_empty() {
            continue;
        }
        let going = function.blocks().iter().filter_map(|&block| Some((block, function.goes_on_at(block)?)));
        for (block, descr) in going {
            let Some(&(target, params)) = entrances.get(&descr) else { continue };
            let given = function.result_types().iter().copied();
            if !given.eq(params.iter().map(|&param| target.ty(param))) {
                let violation = Violation {
                    invariant: Invariant::Entrance,
                    block: Some(block),
                    inst: None,
                    value: None,
                    location: Location::default(),
                    message: format!(
                        "what it goes on with at `{}` does not fit the parameters there, in `{}`",
                        module.descriptors.name(descr),
                        target.name
                    ),
                };
                found.push(violation.show(module, function));
            }
        }
        for (block, inst) in function.live_insts() {
            let data = function.inst(inst);
            let Some(descr) = data.descr else { continue };
            let callee = names.get(module.descriptors.name(descr));
            let wrong = match data.op {
                Op::Call => callee.filter(|callee| !calls(function, inst, callee)).map(|callee| {
                    (Invariant::Module, format!("the call does not fit the function `{}`", callee.name))
                }),
                Op::CallRef => {
                    let first = *signatures.entry(descr).or_insert((function, inst));
                    let name = module.descriptors.name(descr);
                    let message = match callee {
                        Some(_) => Some(format!("the signature `{name}` is a function")),
                        None if !are_alike((function, inst), first) => {
                            Some(format!("another call has the signature `{name}`, and other types"))
                        }
                        None => None,
                    };
                    message.map(|message| (Invariant::Signature, message))
                }
                Op::Lookup => {
                    look_up(module, function, inst, descr).map(|message| (Invariant::Table, message))
                }
                // Descriptors of traces are as they were recorded; where one does not fit there was a warning.
                _ if form == Form::Trace => None,
                _ => other_type(module, function, inst, descr).map(|message| (Invariant::Location, message)),
            };
            let Some((invariant, message)) = wrong else { continue };
            let (block, inst, location) = (Some(block), Some(inst), data.location);
            let violation = Violation { invariant, block, inst, value: None, location, message };
            found.push(violation.show(module, function));
        }
    }
    found
}

/// What is wrong with a look-up.
fn look_up(module: &Module, function: &Function, inst: Inst, descr: Descr) -> Option<String> {
    let name = module.descriptors.name(descr);
    match module.descriptors.table(descr) {
        Some(items) if items.ty() == function.ty(function.result(inst)) => None,
        Some(items) => Some(format!("the items of `{name}` are of type {}", items.ty())),
        None => Some(format!("`{name}` is no constant table")),
    }
}

/// What is wrong with a load or a store whose location is of another type.
fn other_type(module: &Module, function: &Function, inst: Inst, descr: Descr) -> Option<String> {
    let operands = function.args(inst).iter().map(|&arg| function.ty(arg));
    let results = function.results(inst).map(|result| function.ty(result));
    let ty = moved(function.inst(inst).op, operands, results)?;
    let location = module.descriptors.location(descr).filter(|location| location.ty != ty)?;
    let name = module.descriptors.name(descr);
    Some(format!("`{name}` is a location of type {}, not {ty}", location.ty))
}

/// Whether a call has the operands and results of a function.
fn calls(caller: &Function, call: Inst, callee: &Function) -> bool {
    let args = caller.args(call).iter().map(|&arg| caller.ty(arg));
    let results = caller.results(call).map(|result| caller.ty(result));
    args.eq(callee.params().iter().map(|&param| callee.ty(param)))
        && results.eq(callee.result_types().iter().copied())
}

/// Whether two instructions have operands and results of the same types.
fn are_alike(one: (&Function, Inst), other: (&Function, Inst)) -> bool {
    let types = |(f, inst): (&Function, Inst)| {
        let args: Vec<Type> = f.args(inst).iter().map(|&arg| f.ty(arg)).collect();
        (args, f.results(inst).map(|result| f.ty(result)).collect::<Vec<_>>())
    };
    types(one) == types(other)
}

/// The function at hand, the place that is looked at, and what was found.
struct Verifier<'a> {
    f: &'a Function,
    block: Option<Block>,
    inst: Option<Inst>,
    found: Vec<Violation>,
}

impl Verifier<'_> {
    fn report(&mut self, invariant: Invariant, message: impl Into<String>) {
        self.report_value(invariant, None, message);
    }

    fn report_value(&mut self, invariant: Invariant, value: Option<Value>, message: impl Into<String>) {
        if self.found.len() < ENOUGH {
            let location = self.inst.map_or(Location::default(), |inst| self.f.inst(inst).location);
            let (block, inst) = (self.block, self.inst);
            self.found.push(Violation { invariant, block, inst, value, location, message: message.into() });
        }
    }

    fn block_name(&self, block: Block) -> String {
        self.f.block_name(block).map_or_else(|| block.to_string(), |name| format!("`{name}`"))
    }
}

#[cfg(test)]
mod tests;
