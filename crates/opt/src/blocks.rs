//! Blocks in the order of the walk, and each of their instructions through everything.
//!
//! What is known when a block is entered is marked, and forgotten when the walk leaves what it dominates. An
//! instruction is decided by the engine, then shown to the stages that asked for its operation, then emitted;
//! what it uses is resolved when it is reached.

use planish_base::fault;
use planish_ir::{Block, Exit, Inst, Terminator, Value};
use planish_ops::Effect;

use crate::config::Features;
use crate::engine::{Cx, Mark, NOT_ASKED};
use crate::record::{Became, Kind, Site};
use crate::stage::{Outcome, Place, Stage};
use crate::walk::Step;

impl Cx<'_> {
    /// Every block that can be reached, or all that are left.
    pub(crate) fn walk(&mut self, stages: &mut [&mut dyn Stage]) {
        while let Some(step) = self.engine.walk.next() {
            match step {
                Step::Enter(block) => self.block(block, stages),
                Step::Leave(block) => {
                    let mark = self.engine.marks.pop().expect("a block was entered");
                    if self.engine.walk.goes_on() {
                        self.engine.forwarding.undo(mark.equalities);
                        self.engine.numbering.undo(mark.numbers);
                        self.engine.facts.undo(mark.facts);
                        self.engine.refs.undo(mark.refs);
                    }
                    for stage in stages.iter_mut() {
                        stage.leave(block);
                    }
                }
            }
        }
    }

    fn block(&mut self, block: Block, stages: &mut [&mut dyn Stage]) {
        let mut ends = self.open(block, stages);
        let mut insts = self.f.replace_insts(block, Vec::new());
        for &inst in &insts {
            if !ends {
                break;
            }
            ends = self.instruction(inst, stages);
        }
        insts.clear();
        self.close(block, insts, ends, stages);
    }

    /// Goes into a block that the walk has entered. Returns whether control may come into it.
    pub(crate) fn open(&mut self, block: Block, stages: &mut [&mut dyn Stage]) -> bool {
        let engine = &mut *self.engine;
        engine.marks.push(Mark {
            equalities: engine.forwarding.mark(),
            numbers: engine.numbering.mark(),
            facts: engine.facts.mark(),
            refs: engine.refs.mark(),
        });
        let straight = engine.walk.has_one_live_edge(block)
            && !engine.walk.flow.is_header(block)
            && !engine.walk.flow.is_handler(block);
        for stage in stages.iter_mut() {
            stage.enter(self, Place { block, straight });
        }
        self.last_exit = None;
        if self.features.control {
            self.parameters(block);
            // What an edge teaches is about values from above, which the edges back to a header leave as
            // they are.
            let one_way_in = straight || self.engine.walk.enters_by_one_edge(block);
            if one_way_in
                && let Some(lesson) = self.engine.lessons[block]
                && self.learn(lesson).is_err()
                && self.record.rewrite(Kind::Unreachable, Site::NONE, Became::Nothing)
            {
                return false;
            }
        }
        true
    }

    /// Ends the block at hand: what was emitted is what it holds. `spare` is memory for the next.
    pub(crate) fn close(
        &mut self,
        block: Block,
        spare: Vec<Inst>,
        ends: bool,
        stages: &mut [&mut dyn Stage],
    ) {
        for stage in stages.iter_mut() {
            stage.end(self, block);
        }
        let out = std::mem::replace(&mut self.out, spare);
        self.f.replace_insts(block, out);
        if ends {
            self.terminator(block);
        } else {
            self.f.set_terminator(block, Terminator::Unreachable);
        }
        let (f, walk) = (&*self.f, &mut self.engine.walk);
        for (_, handler) in f.handlers(block) {
            walk.live_exit(handler.block);
        }
        walk.finish(block);
    }

    /// One instruction through everything. Returns whether control may come past it.
    pub(crate) fn instruction(&mut self, inst: Inst, stages: &mut [&mut dyn Stage]) -> bool {
        self.budget.refill();
        if !self.work.take(1) {
            self.stop();
        }
        let mut interest = self.interest_in(inst, stages);
        match self.f.row(inst).effect {
            Effect::Pure if interest == 0 => return self.visit_last(inst),
            Effect::Guard => match self.guard(inst) {
                // It may be another guard by now.
                Outcome::Keep => interest = self.interest_in(inst, stages),
                Outcome::Last => return self.emit_last(inst, stages),
                Outcome::Value(_) | Outcome::Gone => return true,
            },
            _ => self.resolve_args(inst),
        }
        for (index, stage) in stages.iter_mut().enumerate() {
            if !is_interested(interest, index) {
                continue;
            }
            match stage.on(self, inst) {
                Outcome::Keep => {}
                Outcome::Value(value) => {
                    let result = self.f.result(inst);
                    self.replace(result, value);
                    return true;
                }
                Outcome::Gone => return true,
                Outcome::Last => return self.emit_last(inst, stages),
            }
        }
        self.show_emitting(inst, interest, stages);
        match self.f.row(inst).effect {
            Effect::Pure => self.visit_last(inst),
            effect => {
                self.emit(inst);
                let never = effect == Effect::Guard && self.taught_by_guard(inst).is_err();
                if never && self.rewrite(Kind::Fails, inst, Became::Changed) {
                    self.fails.get_or_insert(inst);
                    return false;
                }
                true
            }
        }
    }

    /// Emits everything from here on as it is, but for what it is already known to stand on.
    #[cold]
    fn stop(&mut self) {
        self.record.stop();
        self.features = Features { plain: self.features.plain, ..Features::NONE };
    }

    /// The stages that want to see an operation, a bit each.
    fn interest_in(&mut self, inst: Inst, stages: &[&mut dyn Stage]) -> u8 {
        let op = self.f.inst(inst).op;
        let Some(interest) = self.interest.get_mut(op as usize) else { return 0 };
        if *interest == NOT_ASKED {
            *interest = stages.iter().rev().fold(0, |bits, stage| bits << 1 | u8::from(stage.wants(op)));
        }
        *interest
    }

    fn visit_last(&mut self, inst: Inst) -> bool {
        let goes_on = self.visit(inst);
        if !goes_on {
            self.fails.get_or_insert(inst);
        }
        goes_on
    }

    /// Emits an instruction past which control does not come, as stages want it emitted.
    fn emit_last(&mut self, inst: Inst, stages: &mut [&mut dyn Stage]) -> bool {
        self.fails.get_or_insert(inst);
        let interest = self.interest_in(inst, stages);
        self.show_emitting(inst, interest, stages);
        self.emit(inst);
        false
    }

    /// Shows the stages that are interested what is about to be emitted.
    #[inline]
    fn show_emitting(&mut self, inst: Inst, interest: u8, stages: &mut [&mut dyn Stage]) {
        for (index, stage) in stages.iter_mut().enumerate() {
            if is_interested(interest, index) {
                stage.emitting(self, inst);
            }
        }
    }

    /// Replaces the operands of an instruction by what stands for them.
    #[inline]
    pub(crate) fn resolve_args(&mut self, inst: Inst) {
        for value in self.f.args_mut(inst) {
            *value = self.engine.forwarding.resolve(*value);
        }
    }

    pub(crate) fn resolve_exit(&mut self, inst: Inst) {
        if let Some(exit) = self.f.inst(inst).exit {
            let resolved = self.resolved_exit(exit);
            self.f.set_exit(inst, Some(resolved));
        }
    }

    /// The exit with resolved arguments. Exits may be shared between instructions and lists between
    /// exits, so other arguments make another exit.
    pub(crate) fn resolved_exit(&mut self, exit: Exit) -> Exit {
        let stays = |&value: &Value| self.engine.forwarding.stands_for_itself(value);
        if self.f.exit_args(exit).iter().all(stays) || fault!("engine: arguments of exits stay as they were")
        {
            self.last_exit = Some(exit);
            return exit;
        }
        let mut args = std::mem::take(&mut self.engine.scratch);
        args.clear();
        args.extend(self.f.exit_args(exit).iter().map(|&value| self.engine.forwarding.resolve(value)));
        let exit = self.f.make_exit_like(exit, &args, self.last_exit);
        self.last_exit = Some(exit);
        self.engine.scratch = args;
        exit
    }

    /// Takes blocks that were not entered out of the function: what they use may be gone.
    pub(crate) fn remove_unreachable(&mut self) {
        let (walk, before) = (&self.engine.walk, self.f.blocks().len());
        self.f.retain_blocks(|block| walk.entered(block));
        for _ in self.f.blocks().len()..before {
            self.record.note(Kind::Unreachable, Site::NONE, Became::Nothing);
        }
    }
}

/// Whether a stage is in a set of them, a bit each.
fn is_interested(set: u8, index: usize) -> bool {
    set >> index & 1 != 0
}
