//! V4 to V11 and V13: instructions, exits and terminators, each by itself.

use hashbrown::HashSet;
use planish_ops::{Exits, Int, Lane, Op, Shape, Type, catalogue};
use rustc_hash::FxBuildHasher;

use super::{Invariant, Verifier};
use crate::constant::Const;
use crate::function::{Block, BlockCall, Def, Exit, ExitTarget, Inst, InstData, Terminator, Value};

impl Verifier<'_> {
    pub(super) fn types(&mut self) {
        let f = self.f;
        for &block in f.blocks() {
            self.block = Some(block);
            for &inst in f.block_insts(block) {
                self.inst = Some(inst);
                self.signature(inst);
                self.exit_of(inst);
                self.inst = None;
            }
            self.terminator(f.terminator(block));
        }
        self.block = None;
    }

    fn signature(&mut self, inst: Inst) {
        let f = self.f;
        let InstData { op, descr, .. } = *f.inst(inst);
        let operands = f.args(inst).iter().map(|&arg| f.ty(arg));
        check_signature(op, operands, f.results(inst).map(|result| f.ty(result)), |invariant, message| {
            self.report(invariant, message);
        });
        for &arg in f.args(inst) {
            self.no_hole(arg);
        }
        if op.row().descriptor.is_some() && descr.is_none() {
            self.report(Invariant::Descriptor, format!("`{op}` names no descriptor"));
        }
    }

    fn exit_of(&mut self, inst: Inst) {
        let f = self.f;
        let Some(exit) = f.inst(inst).exit else { return };
        let exits = f.row(inst).exits;
        if exits == Exits::Never {
            self.report(Invariant::ExitAllowed, format!("`{}` never leaves", f.inst(inst).op));
        }
        let own = |arg: &Value| matches!(f.def(*arg), Def::Result(def, _) if def == inst);
        if exits != Exits::After && f.exit_args(exit).iter().any(own) {
            self.report(Invariant::ExitAllowed, "an argument of the exit is made by the operation that left");
        }
        self.exit(exit);
    }

    fn exit(&mut self, exit: Exit) {
        let f = self.f;
        let args = f.exit_args(exit);
        if let Some(recipe) = f.recipe(exit) {
            let types: Vec<Type> = args.iter().map(|&arg| f.ty(arg)).collect();
            if !matches!(f.exit(exit).target, ExitTarget::Leave(_)) {
                self.report(
                    Invariant::Recipe,
                    "a recipe stands on an exit that goes to a handler or unwinds",
                );
            } else if let Err(message) = recipe.check(&types) {
                self.report(Invariant::Recipe, message);
            }
        }
        let ExitTarget::To(handlers) = &f.exit(exit).target else { return };
        for handler in handlers {
            let name = self.block_name(handler.block);
            self.not_the_entry(handler.block);
            let params = f.block_params(handler.block);
            let Some((&thrown, params)) = params.split_first() else {
                self.report(Invariant::Handler, format!("the handler {name} has no parameter"));
                continue;
            };
            if f.ty(thrown) != Type::Ref {
                self.report(Invariant::Handler, format!("the first parameter of {name} is no reference"));
            }
            if !args.iter().map(|&arg| f.ty(arg)).eq(params.iter().map(|&param| f.ty(param))) {
                self.report(Invariant::Handler, format!("the arguments of the exit do not fit {name}"));
            }
        }
    }

    fn terminator(&mut self, terminator: &Terminator) {
        let f = self.f;
        for call in terminator.calls() {
            self.call(call);
        }
        if let Some(value) = terminator.condition() {
            self.no_hole(value);
        }
        match terminator {
            Terminator::Jump(_) | Terminator::Unreachable => {}
            Terminator::Branch { condition, .. } => {
                let ty = f.ty(*condition);
                if ty.int_width().is_none() {
                    self.report(Invariant::Terminator, format!("the condition is of type {ty}"));
                }
            }
            Terminator::Switch { on, cases, .. } => {
                let ty = f.ty(*on);
                if ty.int_width().is_none() {
                    self.report(Invariant::Terminator, format!("the switch is on a value of type {ty}"));
                }
                let mut seen = HashSet::<Int, FxBuildHasher>::default();
                for (key, _) in cases {
                    if key.ty() != ty {
                        self.report(Invariant::Terminator, format!("case {key} is of type {}", key.ty()));
                    } else if !seen.insert(*key) {
                        self.report(Invariant::Terminator, format!("case {key} stands twice"));
                    }
                }
            }
            Terminator::Return(results) => {
                let results = f.list(*results);
                if !results.iter().map(|&value| f.ty(value)).eq(f.result_types().iter().copied()) {
                    self.report(Invariant::Terminator, "the results are not of the types of the function");
                }
                results.iter().for_each(|&value| self.no_hole(value));
            }
            Terminator::Throw(value, exit) => {
                if f.ty(*value) != Type::Ref {
                    self.report(Invariant::Terminator, "what is thrown is no reference");
                }
                if let Some(exit) = exit {
                    self.exit(*exit);
                }
            }
        }
    }

    fn call(&mut self, call: BlockCall) {
        let f = self.f;
        self.not_the_entry(call.block);
        let (args, params) = (f.list(call.args), f.block_params(call.block));
        if args.len() != params.len() {
            let message = format!(
                "{} has {} parameters, but {} arguments are given",
                self.block_name(call.block),
                params.len(),
                args.len()
            );
            return self.report(Invariant::BlockArguments, message);
        }
        for (i, (&arg, &param)) in args.iter().zip(params).enumerate() {
            self.no_hole(arg);
            if f.ty(arg) != f.ty(param) {
                let message = format!(
                    "argument {i} of {} is of type {}, expected {}",
                    self.block_name(call.block),
                    f.ty(arg),
                    f.ty(param)
                );
                self.report(Invariant::BlockArguments, message);
            }
        }
    }

    fn not_the_entry(&mut self, block: Block) {
        if block == self.f.entry() {
            self.report(Invariant::Entry, "this goes to the entry");
        }
    }

    fn no_hole(&mut self, value: Value) {
        if self.f.constant(value) == Some(Const::Hole) {
            self.report(Invariant::Hole, "a hole stands where a value is needed");
        }
    }
}

/// Says what is wrong with the types of an operation's operands and results.
pub fn check_signature(
    op: Op,
    operands: impl ExactSizeIterator<Item = Type> + Clone,
    results: impl ExactSizeIterator<Item = Type> + Clone,
    mut report: impl FnMut(Invariant, String),
) {
    let row = op.row();
    let (given, takes) = (operands.len(), row.operands.len());
    if given < takes || given > takes && !row.variadic {
        let message = format!("{given} operands, but the row is {}", catalogue::signature(row));
        return report(Invariant::Operands, message);
    }
    let mut known: Vec<(u8, Type)> = Vec::new();
    let shapes = row.operands.iter().zip(operands.clone()).enumerate();
    for (position, (&shape, ty)) in shapes {
        if let Err(wrong) = check_shape(shape, ty, &mut known) {
            report(Invariant::Operands, format!("operand {position} is of type {ty}, {wrong}"));
        }
    }
    if row.free_results {
        return;
    }
    if results.len() != row.results.len() {
        let message = format!("{} results, but the row is {}", results.len(), catalogue::signature(row));
        return report(Invariant::Results, message);
    }
    for (position, (&shape, ty)) in row.results.iter().zip(results.clone()).enumerate() {
        if let Err(wrong) = check_shape(shape, ty, &mut known) {
            report(Invariant::Results, format!("result {position} is of type {ty}, {wrong}"));
        }
    }
    // Widths that a row cannot say.
    if let (Some(from), Some(to)) = (operands.into_iter().next(), results.into_iter().next())
        && !op.converts(from, to)
    {
        report(Invariant::Results, format!("`{op}` does not go from {from} to {to}"));
    }
}

/// The type of what an operation stores in the location that it names, or loads from there: of a vector that of its lanes.
pub fn moved(
    op: Op,
    mut operands: impl DoubleEndedIterator<Item = Type>,
    mut results: impl Iterator<Item = Type>,
) -> Option<Type> {
    match op {
        Op::SetField | Op::SetStatic | Op::SetItem | Op::SetInterior | Op::RawStore | Op::RawFill => {
            operands.next_back()
        }
        Op::GetField | Op::GetStatic | Op::GetItem | Op::GetInterior | Op::RawLoad => results.next(),
        Op::Vstore => operands.next_back()?.lane().map(Lane::ty),
        Op::Vload => results.next()?.lane().map(Lane::ty),
        _ => None,
    }
}

/// One operand or result against its shape and the type variables that are bound so far.
fn check_shape(shape: Shape, ty: Type, known: &mut Vec<(u8, Type)>) -> Result<(), String> {
    if !shape.admits(ty) {
        return Err("which the row refuses".to_owned());
    }
    let Some(variable) = shape.variable() else { return Ok(()) };
    match known.iter().find(|(v, _)| *v == variable) {
        Some(&(_, expected)) if expected != shape.binds(ty) => {
            return Err(format!("expected {}", shape.bound(expected)));
        }
        Some(_) => {}
        None => known.push((variable, shape.binds(ty))),
    }
    Ok(())
}
