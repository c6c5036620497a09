//! V1 to V3: what the arenas promise.

use planish_base::{Id, List};

use super::{Invariant, Verifier};
use crate::function::{Block, Def, Exit, ExitTarget, Inst, Terminator, Value};

impl Verifier<'_> {
    pub(super) fn structure(&mut self) {
        let f = self.f;
        if f.blocks().is_empty() {
            return self.report(Invariant::Layout, "the function has no block");
        }
        let mut exists = vec![false; f.block_count()];
        for &block in f.blocks() {
            match exists.get_mut(block.index()) {
                None => self.report(Invariant::Layout, format!("{block} is not a block of the function")),
                Some(seen) if *seen => self.report(Invariant::Layout, format!("{block} stands twice")),
                Some(seen) => *seen = true,
            }
        }
        for entrance in f.entrances() {
            if exists.get(entrance.block.index()) != Some(&true) {
                let message = format!("{} is entered from outside and does not exist", entrance.block);
                self.report(Invariant::Entrance, message);
            }
        }
        if !self.found.is_empty() {
            return;
        }
        let mut placed = vec![false; f.inst_count()];
        for &block in f.blocks() {
            self.block = Some(block);
            self.params(block);
            for &inst in f.block_insts(block) {
                match placed.get_mut(inst.index()) {
                    None => {
                        self.report(Invariant::Placement, format!("{inst} is not of this function"));
                        continue;
                    }
                    Some(seen) if *seen => {
                        self.report(Invariant::Placement, format!("{inst} stands at two places"))
                    }
                    Some(seen) => *seen = true,
                }
                self.inst = Some(inst);
                self.instruction(inst, &exists);
                self.inst = None;
            }
            self.terminator_ids(f.terminator(block), &exists);
        }
        self.block = None;
        self.constants();
    }

    fn params(&mut self, block: Block) {
        for (i, &param) in self.f.block_params(block).iter().enumerate() {
            if self.is_value(param) && self.f.def(param) != Def::Param(block, i as u32) {
                self.report(
                    Invariant::Definition,
                    format!("parameter {i} says it is {:?}", self.f.def(param)),
                );
            }
        }
    }

    fn instruction(&mut self, inst: Inst, exists: &[bool]) {
        for (i, result) in self.f.results(inst).enumerate() {
            if self.is_value(result) && self.f.def(result) != Def::Result(inst, i as u32) {
                self.report(Invariant::Definition, format!("result {i} says it is {:?}", self.f.def(result)));
            }
        }
        for &arg in self.f.args(inst) {
            self.is_value(arg);
        }
        if let Some(exit) = self.f.inst(inst).exit {
            self.exit_ids(exit, exists);
        }
    }

    fn exit_ids(&mut self, exit: Exit, exists: &[bool]) {
        if exit.index() >= self.f.exits.len() {
            return self.report(Invariant::Placement, format!("{exit} is not of this function"));
        }
        for &arg in self.f.exit_args(exit) {
            self.is_value(arg);
        }
        if let ExitTarget::To(handlers) = &self.f.exit(exit).target {
            for handler in handlers {
                self.is_block(handler.block, exists);
            }
        }
    }

    fn terminator_ids(&mut self, terminator: &Terminator, exists: &[bool]) {
        for call in terminator.calls() {
            self.is_block(call.block, exists);
            self.are_values(call.args);
        }
        if let Some(value) = terminator.condition() {
            self.is_value(value);
        }
        match terminator {
            Terminator::Return(results) => self.are_values(*results),
            Terminator::Throw(_, Some(exit)) => self.exit_ids(*exit, exists),
            _ => {}
        }
    }

    fn constants(&mut self) {
        for (id, &value) in self.f.constant_values.iter() {
            if self.is_value(value) && self.f.def(value) != Def::Const(id) {
                self.report(Invariant::Definition, format!("{value} is not the constant {id}"));
            }
        }
    }

    fn are_values(&mut self, list: List<Value>) {
        for &value in self.f.list(list) {
            self.is_value(value);
        }
    }

    fn is_value(&mut self, value: Value) -> bool {
        let known = value.index() < self.f.value_count();
        if !known {
            self.report(Invariant::Placement, format!("{value} is not of this function"));
        }
        known
    }

    fn is_block(&mut self, block: Block, exists: &[bool]) {
        if !exists.get(block.index()).copied().unwrap_or(false) {
            self.report(Invariant::Layout, format!("{block} is gone to and does not stand in the layout"));
        }
    }
}
