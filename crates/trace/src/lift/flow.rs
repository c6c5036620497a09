//! Where a trace goes: labels, jumps, ends.

use planish_base::Id;
use planish_ir::{Block, Terminator, Value};
use planish_ops::{Op, Type};

use super::{Work, type_of};
use crate::descr::Use;
use crate::text::{Arg, OpData, Text};
use crate::tokens::{leads, names};

impl Work<'_, '_> {
    /// Goes on in a new block whose parameters are `args`, which keep their names.
    pub(super) fn begin_block(&mut self, name: &str, args: &[Arg]) -> Block {
        let block = self.builder.block(name);
        let values: Vec<Value> = args.iter().map(|arg| self.value(arg)).collect();
        self.builder.jump(block, &values);
        for (arg, &value) in args.iter().zip(&values) {
            let ty = self.builder.function().ty(value);
            let param = self.builder.param(block, ty);
            if let Arg::Var(var) = arg {
                self.bind(*var, param);
            }
        }
        self.builder.at(block);
        self.origin.listed[block] = self.builder.function().block_params(block).to_vec();
        block
    }

    /// A block that begins with a label.
    pub(super) fn label(&mut self, op: &OpData) {
        let args = self.trace.args(op);
        if args.iter().any(|arg| matches!(arg, Arg::Var(var) if self.values[var.index()].is_none())) {
            // The first operation of a short preamble: its label says the inputs.
            self.origin.inputs_at_label = true;
            for arg in args {
                if let Arg::Var(var) = arg {
                    let entry = self.builder.here();
                    let param = self.builder.param(entry, type_of(self.trace.vars[*var].kind));
                    self.bind(*var, param);
                }
            }
        }
        let block = self.begin_block("label", args);
        let is_shared = |token| self.lifter.shared.is_some_and(|shared| shared.contains(&token));
        if op.descr.is_some_and(is_shared) || self.lifter.options.begins_for_others && leads(self.trace, op) {
            self.open_to_others(block, op.descr);
        }
        self.carried = args.to_vec();
        self.carried_at = Some(block);
        self.origin.labels[block] = Some(op.descr);
        self.labels.push((block, op.descr));
    }

    /// Lets other traces come to a block that jump to a token, or without one.
    pub(super) fn open_to_others(&mut self, block: Block, token: Option<Text>) {
        let descr = self.descr("jump", token, Use::Remark);
        self.builder.add_entrance(block, descr);
    }

    pub(super) fn jump(&mut self, op: &OpData) {
        let function = self.builder.function();
        let types = |values: &[Value]| values.iter().map(|&value| function.ty(value)).collect::<Vec<Type>>();
        let given = types(&self.args);
        let fits = |label: &&(Block, Option<Text>)| {
            names(op.descr, label.1, self.lifter.texts) && types(function.block_params(label.0)) == given
        };
        let target = match self.start {
            Some(start) => Some(start),
            None => self.labels.iter().rev().find(fits).map(|label| label.0),
        };
        match target {
            Some(block) => {
                self.origin.jump = op.descr;
                let call = self.builder.call(block, &self.args);
                self.builder.terminate(Terminator::Jump(call));
            }
            None => self.leave(op, "jump"),
        }
    }

    /// The end of the trace, with the operands as results.
    pub(super) fn leave(&mut self, op: &OpData, word: &'static str) {
        let descr = self.descr(word, op.descr, Use::Remark);
        self.builder.inst(Op::Marker, &[], &[], Some(descr), None);
        let types: Vec<Type> = self.args.iter().map(|&value| self.builder.function().ty(value)).collect();
        self.builder.set_result_types(&types);
        self.builder.ret(&self.args);
    }
}
