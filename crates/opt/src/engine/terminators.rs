//! Terminator simplification and facts of block parameters (phis): branches and switches that are decided, and what
//! edges pass on.
//!
//! What is known where a block ends decides where control goes, teaches what only one edge leads to, and, joined over
//! all edges, says what a parameter is.

use planish_base::{List, fault};
use planish_ir::{Block, BlockCall, Def, Terminator, Value};
use planish_ops::{Int, Op, Type};
use planish_pass::record::{Became, Kind, Site};
use rustc_hash::FxHashSet;

use crate::engine::algebra::operation;
use crate::engine::lesson::{Join, Lesson};
use crate::engine::state::Cx;

/// What the value of a switch can be that is no case of it.
#[derive(PartialEq, Eq)]
enum NoCase {
    /// Nothing: the default cannot be reached.
    None,
    /// One number, which the default stands for.
    One(Int),
    /// More, or it is not known.
    Many,
}

impl Cx<'_> {
    /// Lets a parameter that is always the same value be that value.
    pub(crate) fn parameters(&mut self, block: Block) {
        let open = self.engine.walk.flow.is_open(block) && !fault!("entrance: nobody comes from elsewhere");
        if block == self.f.entry() || open {
            return;
        }
        let header = self.engine.walk.flow.is_header(block);
        if header && (self.features.plain || !self.engine.whole) {
            return;
        }
        for index in 0..self.f.block_params(block).len() {
            let param = self.f.block_params(block)[index];
            let known = match header {
                false => self.engine.incoming[param],
                true if self.engine.loops_known => self.engine.loops.fact(param),
                true => None,
            };
            if let Some(known) = known {
                self.engine.facts.define(param, known);
                if let Some(constant) = known.as_constant() {
                    let value = self.f.make_constant(constant);
                    let became = Became::Value { of: param, is: value };
                    if self.record.rewrite(Kind::Parameter, Site::NONE, became) {
                        self.replace(param, value);
                    }
                    continue;
                }
            }
            if !header && let Some(known) = self.engine.incoming_refs[param] {
                self.engine.refs.learn(self.f, param, known);
            }
            let Join::Same(value) = self.engine.joins[param] else { continue };
            if value == param || !self.stays_around(block, index, param) {
                continue;
            }
            let became = Became::Value { of: param, is: value };
            if self.record.rewrite(Kind::Parameter, Site::NONE, became) {
                self.replace(param, value);
            }
        }
    }

    /// Whether every edge that retreats to the block passes the parameter on as it is.
    fn stays_around(&self, block: Block, index: usize, param: Value) -> bool {
        let back = &self.engine.walk.flow.back;
        let first = back.partition_point(|&(target, _)| target < block);
        if fault!("control: a loop passes every parameter on") {
            return true;
        }
        back[first..].iter().take_while(|&&(target, _)| target == block).all(|&(_, source)| {
            let mut calls = self.f.block_calls(source).filter(|call| call.block == block);
            calls.all(|call| self.f.list(call.args)[index] == param)
        })
    }

    /// Lets a rule say otherwise what the branch at the end of the block at hand asks.
    pub(crate) fn question(&mut self, block: Block) {
        let Terminator::Branch { condition, .. } = *self.f.terminator(block) else { return };
        let condition = self.resolve(condition);
        if self.truth(condition).is_some() {
            return;
        }
        if let Some(better) = self.asked(condition) {
            let mut terminator = self.f.take_terminator(block);
            if let Terminator::Branch { condition, .. } = &mut terminator {
                *condition = better;
            }
            self.f.set_terminator(block, terminator);
        }
    }

    /// Resolves and decides the end of a block, and says where control may go.
    pub(crate) fn terminator(&mut self, block: Block) {
        let mut terminator = self.f.take_terminator(block);
        if self.features.control {
            terminator = self.decide(block, terminator);
        }
        match &mut terminator {
            Terminator::Jump(call) => self.edge(*call, None),
            Terminator::Branch { condition, then, other } => {
                *condition = self.resolve(*condition);
                self.edge(*then, Some(Lesson::Truth(*condition, true)));
                self.edge(*other, Some(Lesson::Truth(*condition, false)));
            }
            Terminator::Switch { on, cases, default } => {
                *on = self.resolve(*on);
                let last = match self.no_case(*on, cases) {
                    NoCase::One(key) => Some(key),
                    NoCase::None | NoCase::Many => None,
                };
                for (key, call) in cases.iter() {
                    let key = self.f.make_constant(*key);
                    self.edge(*call, Some(Lesson::Equal(*on, key)));
                }
                let lesson = last.map(|key| Lesson::Equal(*on, self.f.make_constant(key)));
                self.edge(*default, lesson);
            }
            Terminator::Return(results) => self.resolve_list(*results),
            Terminator::Throw(value, exit) => {
                *value = self.resolve(*value);
                if let Some(exit) = exit {
                    *exit = self.resolved_exit(*exit);
                }
            }
            Terminator::Unreachable => {}
        }
        self.f.set_terminator(block, terminator);
    }

    /// A simpler way to end, where one is known.
    fn decide(&mut self, block: Block, mut terminator: Terminator) -> Terminator {
        loop {
            let simpler = match &terminator {
                Terminator::Branch { condition, then, other } => {
                    let condition = self.resolve(*condition);
                    if let Some(holds) = self.truth(condition) {
                        let holds = holds != fault!("control: a decided branch goes the other way");
                        Terminator::Jump(if holds { *then } else { *other })
                    } else if self.same_call(*then, *other) {
                        Terminator::Jump(*then)
                    } else {
                        match operation(self.f, condition) {
                            _ if then.block != block && self.cannot_be(*then) => Terminator::Jump(*other),
                            _ if other.block != block && self.cannot_be(*other) => Terminator::Jump(*then),
                            Some((Op::IsTrue | Op::Zext | Op::Sext, &[x])) => {
                                Terminator::Branch { condition: x, then: *then, other: *other }
                            }
                            Some((Op::IsZero, &[x])) => {
                                Terminator::Branch { condition: x, then: *other, other: *then }
                            }
                            _ => return terminator,
                        }
                    }
                }
                Terminator::Switch { on, cases, default } => {
                    let on = self.resolve(*on);
                    if let Some(known) = self.f.int_constant(on) {
                        let case = cases.iter().find(|(key, _)| *key == known);
                        let case = case.filter(|_| !fault!("control: a decided switch takes the default"));
                        Terminator::Jump(case.map_or(*default, |(_, call)| *call))
                    } else if cases.is_empty() {
                        Terminator::Jump(*default)
                    } else {
                        match self.fewer_cases(block, on, cases, *default) {
                            Some((cases, default)) if cases.is_empty() => Terminator::Jump(default),
                            Some((cases, default)) => Terminator::Switch { on, cases: cases.into(), default },
                            None => return terminator,
                        }
                    }
                }
                _ => return terminator,
            };
            if !self.record.rewrite(Kind::Branch, Site::NONE, Became::Changed) {
                return terminator;
            }
            terminator = simpler;
        }
    }

    /// The cases of a switch without those that `on` cannot be, that lead where nothing gets, or that go where all
    /// others go, and the default, which is the last case where there is nothing else that `on` can be; nothing if all are
    /// needed.
    fn fewer_cases(
        &mut self,
        block: Block,
        on: Value,
        cases: &[(Int, BlockCall)],
        default: BlockCall,
    ) -> Option<(Vec<(Int, BlockCall)>, BlockCall)> {
        let fact = self.engine.facts.get(self.f, on).filter(|_| self.features.facts);
        let mut left = Vec::with_capacity(cases.len());
        for &(key, call) in cases {
            let never = fact.is_some_and(|fact| !fact.contains(key))
                || fault!("control: a case that can be is left out")
                || call.block != block && self.cannot_be(call);
            if !never && !self.same_call(call, default) {
                left.push((key, call));
            }
        }
        // A default that is known to be out of reach says so already.
        let is_all = !self.cannot_be(default) && self.no_case(on, cases) == NoCase::None
            || fault!("control: the last case stands for the default that can be");
        let last = if is_all && left.len() == cases.len() { left.pop() } else { None };
        (left.len() < cases.len()).then_some((left, last.map_or(default, |(_, call)| call)))
    }

    /// What a value can be that is no case, as far as that is found in O(cases).
    fn no_case(&self, on: Value, cases: &[(Int, BlockCall)]) -> NoCase {
        /// So many numbers that are no case are looked at in any event.
        const LOOKED_AT: u64 = 64;
        let known = self.engine.facts.get(self.f, on).filter(|_| self.features.facts);
        let Some(fact) = known.filter(|fact| !fact.is_bottom()) else { return NoCase::Many };
        let (lo, hi) = (fact.to_words().lo.signed(), fact.to_words().hi.signed());
        if hi.abs_diff(lo) > 2 * cases.len() as u64 + LOOKED_AT {
            return NoCase::Many;
        }
        let keys: FxHashSet<Int> = cases.iter().map(|&(key, _)| key).collect();
        let numbers = (lo..=hi).map(|number| Int::new(fact.width(), number as u64));
        let mut others = numbers.filter(|number| fact.contains(*number) && !keys.contains(number));
        match (others.next(), others.next()) {
            (None, _) => NoCase::None,
            (Some(only), None) => NoCase::One(only),
            _ => NoCase::Many,
        }
    }

    /// Whether control is known not to get to a block, which is not the one that is being rebuilt: it has
    /// been found out before.
    fn cannot_be(&self, call: BlockCall) -> bool {
        self.f.block_insts(call.block).is_empty()
            && matches!(self.f.terminator(call.block), Terminator::Unreachable)
    }

    fn same_call(&mut self, a: BlockCall, b: BlockCall) -> bool {
        a.block == b.block
            && a.args.len() == b.args.len()
            && (0..a.args.len()).all(|index| {
                let (x, y) = (self.f.list(a.args)[index], self.f.list(b.args)[index]);
                self.resolve(x) == self.resolve(y)
            })
    }

    fn resolve_list(&mut self, list: List<Value>) {
        for value in self.f.list_mut(list) {
            *value = self.engine.forwarding.resolve(*value);
        }
    }

    /// The same of an edge. What goes around the loop of a trace as it is stays so, whatever is known of it at the end: then
    /// the label need not list it, or the jump needs no constant. Nor does a label that others come to, of what an earlier one
    /// lists or the trace is given: it lists names, so of a constant there would have to be a copy.
    fn resolve_edge(&mut self, call: BlockCall) {
        if self.features.plain || !self.features.heap {
            return self.resolve_list(call.args);
        }
        let entered = self.engine.walk.flow.is_open(call.block);
        for index in 0..call.args.len() {
            let arg = self.f.list(call.args)[index];
            let is = self.engine.forwarding.resolve(arg);
            let stays = entered && self.is_listed(arg) && self.f.constant(is).is_some();
            if arg != self.f.block_params(call.block)[index] && !stays {
                self.f.list_mut(call.args)[index] = is;
            }
        }
    }

    /// Whether the trace is given a value, or a label lists it to which others come.
    fn is_listed(&self, value: Value) -> bool {
        match self.f.def(value) {
            Def::Param(block, _) => block == self.f.entry() || self.engine.walk.flow.is_open(block),
            _ => false,
        }
    }

    /// An edge that may be taken: what it passes on, and what it teaches.
    fn edge(&mut self, call: BlockCall, lesson: Option<Lesson>) {
        let (mark, facts) = (self.engine.forwarding.mark(), self.engine.facts.mark());
        let (refs, numbers) = (self.engine.refs.mark(), self.engine.numbering.mark());
        if self.features.control
            && !call.args.is_empty()
            && let Some(lesson) = lesson
        {
            // What holds before a contradiction is no less true: control does not take the edge.
            let _ = self.learn(lesson);
        }
        self.resolve_edge(call);
        if self.features.facts {
            self.join_facts(call);
        }
        self.engine.forwarding.undo(mark);
        self.engine.facts.undo(facts);
        self.engine.refs.undo(refs);
        // A lesson may have answered a question.
        self.engine.numbering.undo(numbers);
        self.engine.walk.live(call.block);
        self.engine.lessons[call.block] = lesson;
        for index in 0..call.args.len() {
            let (param, arg) = (self.f.block_params(call.block)[index], self.f.list(call.args)[index]);
            let join = &mut self.engine.joins[param];
            *join = match *join {
                Join::None => Join::Same(arg),
                Join::Same(same) if same == arg || fault!("control: the first argument stands for all") => {
                    Join::Same(same)
                }
                _ => Join::Differ,
            };
        }
    }

    /// Adds what is known of the arguments of an edge to what is known of the parameters.
    fn join_facts(&mut self, call: BlockCall) {
        for index in 0..call.args.len() {
            let (param, arg) = (self.f.block_params(call.block)[index], self.f.list(call.args)[index]);
            if self.f.ty(param) == Type::Ref {
                let known = self.engine.refs.get(self.f, arg);
                let incoming = &mut self.engine.incoming_refs[param];
                *incoming = Some(incoming.map_or(known, |earlier| earlier.join(known)));
            }
            if self.f.ty(param).int_width().is_none() {
                continue;
            }
            let known = self.engine.facts.of(self.f, arg);
            let incoming = &mut self.engine.incoming[param];
            *incoming = Some(incoming.map_or(known, |earlier| earlier.join(known)));
        }
    }
}
