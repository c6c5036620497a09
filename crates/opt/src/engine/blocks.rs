//! The visit of a block: blocks in the order of the walk, and each of their instructions through every part of it.
//!
//! What is known when a block is entered is marked, and forgotten when the walk leaves what it dominates. An
//! instruction is decided by the engine, then shown to the stage if that asked for its operation, then emitted;
//! what it uses is resolved when it is reached.

use planish_base::fault;
use planish_ir::extension::result_extension;
use planish_ir::{Block, Exit, Inst, Terminator, Value};
use planish_ops::Effect;
use planish_pass::record::{Became, Kind, Site};

use crate::engine::config::Features;
use crate::engine::facts::extended;
use crate::engine::stage::{Outcome, Place, Stage};
use crate::engine::state::{Cx, Mark};
use crate::engine::walk::Step;

impl Cx<'_> {
    /// Every block that can be reached, or all that are left.
    pub(crate) fn walk<S: Stage + ?Sized>(&mut self, stage: &mut S) {
        while let Some(step) = self.engine.walk.next() {
            match step {
                Step::Enter(block) => self.block(block, stage),
                Step::Leave(block) => self.leave(block, stage),
            }
        }
    }

    /// Forgets what is known of a block, everything that it dominates having been visited.
    pub(crate) fn leave<S: Stage + ?Sized>(&mut self, block: Block, stage: &mut S) {
        let mark = self.engine.marks.pop().expect("a block was entered");
        if self.engine.walk.goes_on() {
            self.engine.forwarding.undo(mark.equalities);
            self.engine.numbering.undo(mark.numbers);
            self.engine.facts.undo(mark.facts);
            self.engine.refs.undo(mark.refs);
        }
        stage.leave(block);
    }

    fn block<S: Stage + ?Sized>(&mut self, block: Block, stage: &mut S) {
        let mut ends = self.open(block, stage);
        let mut insts = self.f.replace_insts(block, Vec::new());
        ends = ends && insts.iter().all(|&inst| self.instruction(inst, stage));
        insts.clear();
        self.close(block, insts, ends, stage);
    }

    /// Goes into a block that the walk has entered. Returns whether control may come into it.
    pub(crate) fn open<S: Stage + ?Sized>(&mut self, block: Block, stage: &mut S) -> bool {
        let engine = &mut *self.engine;
        engine.marks.push(Mark {
            equalities: engine.forwarding.mark(),
            numbers: engine.numbering.mark(),
            facts: engine.facts.mark(),
            refs: engine.refs.mark(),
        });
        engine.ages.entered(block);
        let straight = engine.walk.has_one_live_edge(block)
            && !engine.walk.flow.is_header(block)
            && !engine.walk.flow.is_open(block);
        stage.enter(self, Place { block, straight });
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
    pub(crate) fn close<S: Stage + ?Sized>(
        &mut self,
        block: Block,
        spare: Vec<Inst>,
        ends: bool,
        stage: &mut S,
    ) {
        if ends && self.features.control {
            self.question(block);
        }
        stage.end(self, block);
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
    pub(crate) fn instruction<S: Stage + ?Sized>(&mut self, inst: Inst, stage: &mut S) -> bool {
        self.budget.refill();
        if !self.work.take(1) {
            self.stop();
        }
        let (op, args) = (self.f.inst(inst).op, self.f.inst(inst).args);
        let effect = op.effect();
        // Most remarks are about nothing: they say where the program is.
        if effect == Effect::Marker && args.is_empty() {
            self.out.push(inst);
            return true;
        }
        let wanted = stage.wants(op);
        match effect {
            Effect::Pure if !wanted => self.visit_last(inst),
            Effect::Guard => self.guarded(inst, stage),
            _ => {
                self.resolve_args(inst);
                let outcome = match effect {
                    _ if wanted => stage.on(self, inst),
                    Effect::Call if self.features.number => self.number_call(inst),
                    _ => Outcome::Keep,
                };
                match outcome {
                    // A remark needs nothing before it and says nothing to the engine.
                    Outcome::Keep if effect == Effect::Marker => self.out.push(inst),
                    Outcome::Keep if !wanted => self.emit_unseen(inst),
                    Outcome::Gone => {}
                    _ => return self.follow(inst, outcome, stage),
                }
                true
            }
        }
    }

    /// A guard through everything.
    #[inline(never)]
    fn guarded<S: Stage + ?Sized>(&mut self, inst: Inst, stage: &mut S) -> bool {
        let mut outcome = self.guard(inst);
        // It may be another guard by now.
        if outcome == Outcome::Keep && stage.wants(self.f.inst(inst).op) {
            outcome = stage.on(self, inst);
        }
        self.follow(inst, outcome, stage)
    }

    /// Does what was said of an instruction.
    #[inline]
    fn follow<S: Stage + ?Sized>(&mut self, inst: Inst, outcome: Outcome, stage: &mut S) -> bool {
        match outcome {
            Outcome::Gone => true,
            Outcome::Keep => self.leave_in(inst, stage),
            Outcome::Value(value) => {
                let result = self.f.result(inst);
                self.replace(result, value);
                true
            }
            Outcome::Last => self.emit_last(inst, stage),
        }
    }

    /// Emits what the stage does not take away.
    #[inline(never)]
    fn leave_in<S: Stage + ?Sized>(&mut self, inst: Inst, stage: &mut S) -> bool {
        let op = self.f.inst(inst).op;
        if stage.wants(op) {
            stage.emitting(self, inst);
        }
        match op.effect() {
            Effect::Pure => self.visit_last(inst),
            Effect::Guard => {
                self.emit(inst);
                if self.taught_by_guard(inst).is_err() && self.rewrite(Kind::Fails, inst, Became::Changed) {
                    self.fails.get_or_insert(inst);
                    return false;
                }
                true
            }
            _ => {
                self.emit_unseen(inst);
                true
            }
        }
    }

    /// Emits what is neither computed nor a guard, and needs nothing before it.
    #[inline]
    fn emit_unseen(&mut self, inst: Inst) {
        self.emit(inst);
        self.know_extended(inst);
    }

    /// What a load or a call gives is as small as the bits that it is extended from.
    #[inline]
    fn know_extended(&mut self, inst: Inst) {
        // Most give nothing, or a reference.
        if let Some(result) = self.f.first_result(inst)
            && self.f.ty(result).int_width().is_some()
            && self.features.facts
            && !self.features.plain
        {
            self.know_extended_result(inst, result);
        }
    }

    #[inline(never)]
    fn know_extended_result(&mut self, inst: Inst, result: Value) {
        let Some(extension) = result_extension(self.f, self.world, inst) else { return };
        let known = extended(extension, self.f.ty(result));
        self.engine.facts.define(result, known);
    }

    /// Emits everything from here on as it is, but for what it is already known to stand on.
    #[cold]
    fn stop(&mut self) {
        self.record.stop();
        self.features = Features { plain: self.features.plain, ..Features::NONE };
    }

    fn visit_last(&mut self, inst: Inst) -> bool {
        let goes_on = self.visit(inst);
        if !goes_on {
            self.fails.get_or_insert(inst);
        }
        goes_on
    }

    /// Emits an instruction past which control does not come, as the stage wants it emitted.
    #[cold]
    fn emit_last<S: Stage + ?Sized>(&mut self, inst: Inst, stage: &mut S) -> bool {
        self.fails.get_or_insert(inst);
        if stage.wants(self.f.inst(inst).op) {
            stage.emitting(self, inst);
        }
        self.emit(inst);
        false
    }

    /// Replaces the operands of an instruction by what stands for them.
    #[inline]
    pub(crate) fn resolve_args(&mut self, inst: Inst) {
        for value in self.f.args_mut(inst) {
            *value = self.engine.forwarding.resolve(*value);
        }
    }

    pub(crate) fn resolve_exit(&mut self, inst: Inst, exit: Exit) {
        let resolved = self.resolved_exit(exit);
        if resolved != exit {
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
