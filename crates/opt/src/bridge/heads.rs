//! Where blocks of a trace begin: what is known there of what came before.
//!
//! To an entrance others come who passed nothing, so nothing is known. To the head of a loop one comes back from the end of the
//! trace: memory that the loop may write is not known there, and a parameter that always comes back as itself is what it was before.

use planish_ir::{Block, BlockCall, Inst, Value};
use planish_ops::{Effect, Op};

use super::held::Held;

impl Held<'_> {
    /// The n-th block begins. O(operations from there on) at the head of a loop.
    pub(super) fn begins(&mut self, number: usize) {
        let f = self.f;
        let block = f.blocks()[number];
        if f.is_entrance(block) {
            self.forget();
        } else if let Some(before) = number.checked_sub(1) {
            let comes = f.block_calls(f.blocks()[before]).find(|call| call.block == block);
            let back: Vec<BlockCall> = f
                .blocks()
                .last()
                .into_iter()
                .flat_map(|&last| f.block_calls(last))
                .filter(|call| call.block == block)
                .collect();
            if let Some(call) = comes {
                self.hands_over(block, call, &back);
            }
            if !back.is_empty() {
                let around = f.blocks()[number..].iter().flat_map(|&block| f.block_insts(block));
                around.for_each(|&inst| self.may_write(inst));
            }
        }
        self.come_up(f.block_params(block).iter().copied());
    }

    /// A parameter that comes back as itself, if one comes back, is what it was before.
    fn hands_over(&mut self, block: Block, call: BlockCall, back: &[BlockCall]) {
        let f = self.f;
        for (position, &param) in f.block_params(block).iter().enumerate() {
            let first = self.same_as(f.list(call.args)[position]);
            let stays = |call: &BlockCall| {
                let again = f.list(call.args)[position];
                again == param || self.same_as(again) == first
            };
            if back.iter().all(stays) {
                self.same[param] = Some(first);
            }
        }
    }

    /// The value that a parameter surely is, or itself.
    pub(super) fn same_as(&self, value: Value) -> Value {
        self.same[value].unwrap_or(value)
    }

    /// An operation of a loop may write before one comes to its head again.
    fn may_write(&mut self, inst: Inst) {
        let (f, data) = (self.f, self.f.inst(inst));
        match (data.op.effect(), data.op) {
            (Effect::Call, Op::Call) => self.writes(data.descr),
            (Effect::Call, _) => self.places.written(),
            (Effect::Store, Op::StrSet | Op::StrCopy | Op::RawStore) => {}
            (Effect::Store, op) => match self.place(op, data.descr, f.args(inst)) {
                Some((location, _)) => self.places.written_in(location.alias_class),
                None => self.places.written(),
            },
            _ => {}
        }
    }
}
