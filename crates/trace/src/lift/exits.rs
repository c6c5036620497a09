//! Exits: fail arguments, and recipes of what is resumed.

use planish_ir::{Exit, ExitTarget, Recipe, Slot, Value};
use planish_ops::Op;

use super::{ExitOrigin, Work, name_of};
use crate::descr::{Use, word};
use crate::opcode::Lift;
use crate::text::{Arg, OpData, ResumeId, Var};

impl Work<'_, '_> {
    pub(super) fn exit(&mut self, op: &OpData) -> Exit {
        let number = self.origin.first_exit + self.origin.exits.len() as u32;
        // In a log no guard of a recording has a list.
        let open = op.fail.is_none() && !self.lifter.options.log;
        let behind = self.carried_at.filter(|_| open);
        self.origin.exits.push(ExitOrigin { descr: op.descr, listed: op.fail.is_some(), behind });
        if open {
            let carried = std::mem::take(&mut self.carried);
            let args: Vec<Value> = carried.iter().map(|arg| self.value(arg)).collect();
            self.carried = carried;
            return self.builder.open_exit(number, &args);
        }
        let mut args: Vec<Value> = self.trace.fail(op).iter().map(|arg| self.value(arg)).collect();
        let recipe = op.resume.map(|resume| self.recipe(resume, &mut args));
        let exit = self.builder.exit(ExitTarget::Leave(number), &args);
        if let Some(recipe) = recipe {
            self.builder.set_recipe(exit, recipe);
        }
        exit
    }

    /// The recipe of what is resumed; constants in it become arguments of the exit.
    fn recipe(&mut self, resume: ResumeId, args: &mut Vec<Value>) -> Recipe {
        let trace = self.trace;
        let resume = &trace.resumes[resume];
        let mut made: Vec<(Var, Slot)> = Vec::new();
        let mut slot = |lifting: &mut Self, arg: &Arg, made: &[(Var, Slot)]| {
            if let Arg::Var(var) = arg
                && let Some(&(_, slot)) = made.iter().find(|(known, _)| known == var)
            {
                return slot;
            }
            let value = lifting.value(arg);
            let position = args.iter().position(|&known| known == value).unwrap_or_else(|| {
                args.push(value);
                args.len() - 1
            });
            Slot::Arg(position as u32)
        };
        let mut recipe = Recipe::default();
        for (step, number) in resume.steps.iter().zip(0..) {
            let operands: Vec<Slot> = trace.args(step).iter().map(|arg| slot(self, arg, &made)).collect();
            let (op, descr) = match step.opcode.map_or(Lift::Opaque, |opcode| opcode.row().lift) {
                Lift::Call => (Op::Call, Some(self.descr(name_of(step), step.descr, Use::Call))),
                Lift::Named(op @ Op::RawStore) => {
                    (op, Some(self.descr(word::RAW_BYTES, step.descr, Use::Raw)))
                }
                Lift::Named(op) => (op, Some(self.descr(name_of(step), step.descr, Use::New))),
                Lift::Access(op) => (op, Some(self.descr("", step.descr, Use::Heap))),
                Lift::Str(op, characters) => (op, Some(self.descr(characters, None, Use::Chars))),
                Lift::Same(op) => (op, None),
                _ => unreachable!("the reader lets nothing else stand here"),
            };
            recipe.push(op, descr, &operands);
            made.extend(step.result.map(|result| (result, Slot::Made(number))));
        }
        recipe.state = trace.lists.get(resume.state).iter().map(|arg| slot(self, arg, &made)).collect();
        recipe
    }
}
