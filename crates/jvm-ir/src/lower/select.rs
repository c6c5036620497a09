//! Instruction selection: blocks, terminators, edges, handlers.
//!
//! Operations with effects are written in their order; how their results travel on the operand stack
//! is in [`crate::lower::stack`], what operations become in [`crate::lower::expression`] and
//! [`crate::lower::condition`].
//!
//! Values that are used in other blocks or by exits have registers, and so have parameters of blocks, but
//! for those that come on the stack ([`crate::lower::joins`]). An edge pushes all its arguments and then
//! stores them from the last to the first, which needs no temporary; equal edges share their code. Before an instruction that handlers guard, the registers of their parameters get the
//! values that the exit names, unless they have them ([`crate::lower::held`]).

use std::collections::VecDeque;

use hashbrown::HashMap;
use planish_base::{Arena, Id, Interner};
use planish_classfile::{ConstantPool, Insn, Opcode};
use planish_ir::{Block, BlockCall, Exit, ExitTarget, Function, Inst, Terminator, Value};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use crate::lower::held::{self, Held};
use crate::lower::item::{Catch, Guard, Item, Kind, Label, Load, Made, Register};
use crate::lower::pending::{Definition, Insert, Pending, Step};
use crate::lower::uses::Uses;
use crate::lower::{counters, joins, layout};
use crate::naming::{Named, Names};

/// The answer, or why a function cannot be written as bytecode.
pub type Outcome<T = ()> = Result<T, String>;

/// Writes a function as items.
pub struct Selector<'a, 'p> {
    pub(super) f: &'a Function,
    pub(super) names: &'a Names,
    pub(super) pool: &'a mut ConstantPool<'p>,
    pub(super) uses: Uses,
    pub(super) definitions: Vec<Definition>,
    pub(super) steps: Vec<Step>,
    pub(super) inserts: Vec<Insert>,
    pub(super) pending: Vec<Pending>,
    /// The loads that put the next values on the stack, for those that are there already.
    pub(super) ready: VecDeque<Option<Load>>,
    /// The step after which a value is on the stack or in its register; 0 if it is so from the start of
    /// the block.
    pub(super) defined_at: Vec<usize>,
    pub(super) loads: u32,
    /// Edges to write where control does not pass.
    late: Vec<(Label, BlockCall)>,
    /// Code that moves arguments which are constants or in registers: edges that are equal share it.
    shared: HashMap<(Block, Vec<Value>), Label, FxBuildHasher>,
    /// By block the parameter that comes on the stack.
    on_stack: Vec<Option<Value>>,
    registers: HashMap<Value, Register, FxBuildHasher>,
    pub(super) kinds: Arena<Register, Kind>,
    labels: u32,
    block_labels: Vec<Option<Label>>,
    pub(super) guards: Interner<Guard, Vec<Catch>>,
    /// What the registers of handler parameters hold, at the place at hand.
    held: Held,
    /// What they hold where blocks begin.
    held_at: HashMap<Block, Held, FxBuildHasher>,
    is_handler: Vec<bool>,
    pub(super) block: Block,
    /// Values, and what they became when they were counted.
    pub(super) counted: Vec<(Value, Value)>,
    /// The operation that is being written; none if it is the end of the block.
    pub(super) root: Option<Inst>,
    pub(super) location: u32,
    pub(super) guard: Option<Guard>,
}

/// A function as items.
pub struct Selected {
    /// The items.
    pub items: Vec<Made>,
    /// What registers hold.
    pub kinds: Arena<Register, Kind>,
    /// What the function's parameters are, in order, and their registers, if they are used.
    pub params: Vec<(Kind, Option<Register>)>,
    /// The handlers of guards.
    pub guards: Interner<Guard, Vec<Catch>>,
    /// The registers of values.
    pub registers: HashMap<Value, Register, FxBuildHasher>,
    /// Registers that had better be one.
    pub alike: Vec<(Register, Register)>,
}

/// Writes `f` as items. Constants that it needs are added to `pool`.
pub fn select(f: &Function, names: &Names, pool: &mut ConstantPool<'_>) -> Outcome<Selected> {
    let mut blocks = reachable(f);
    let uses = Uses::new(f, &blocks);
    layout::test_at_ends(f, &uses, &mut blocks);
    let mut selector = Selector {
        f,
        names,
        pool,
        uses,
        definitions: vec![Definition::default(); f.value_count()],
        steps: Vec::new(),
        inserts: Vec::new(),
        pending: Vec::new(),
        ready: VecDeque::new(),
        defined_at: vec![0; f.value_count()],
        loads: 0,
        late: Vec::new(),
        shared: HashMap::default(),
        on_stack: Vec::new(),
        registers: HashMap::default(),
        kinds: Arena::new(),
        labels: 0,
        block_labels: vec![None; f.block_count()],
        guards: Interner::new(),
        held: Held::default(),
        held_at: held::at_starts(f, &blocks),
        is_handler: vec![false; f.block_count()],
        block: f.entry(),
        counted: Vec::new(),
        root: None,
        location: 0,
        guard: None,
    };
    selector.find_handlers(&blocks)?;
    selector.on_stack = joins::on_stack(f, &selector.uses, &selector.is_handler);
    for (place, &block) in blocks.iter().enumerate() {
        selector.block(block, blocks.get(place + 1).copied())?;
    }
    let params = f.params().to_vec();
    let kinds: Outcome<Vec<Kind>> = params.iter().map(|&param| selector.kind(param)).collect();
    let registers = params.iter().map(|param| selector.registers.get(param).copied());
    let params = kinds?.into_iter().zip(registers).collect();
    let items = selector.finish();
    let Selector { kinds, guards, registers, counted, .. } = selector;
    let register = |value: &Value| registers.get(value).copied();
    let alike = counted.iter().filter_map(|(from, to)| Some((register(from)?, register(to)?))).collect();
    Ok(Selected { items, kinds, params, guards, registers, alike })
}

/// The blocks that the entry reaches, in the order of the layout.
fn reachable(f: &Function) -> Vec<Block> {
    let mut reached = vec![false; f.block_count()];
    let mut work = vec![f.entry()];
    reached[f.entry().index()] = true;
    while let Some(block) = work.pop() {
        let calls = f.block_calls(block).map(|call| call.block);
        for next in calls.chain(f.handlers(block).map(|(_, handler)| handler.block)) {
            if !std::mem::replace(&mut reached[next.index()], true) {
                work.push(next);
            }
        }
    }
    f.blocks().iter().copied().filter(|block| reached[block.index()]).collect()
}

impl Selector<'_, '_> {
    fn find_handlers(&mut self, blocks: &[Block]) -> Outcome {
        for &block in blocks {
            for (_, handler) in self.f.handlers(block) {
                self.is_handler[handler.block.index()] = true;
            }
        }
        for &block in blocks {
            if self.f.block_calls(block).any(|call| self.is_handler[call.block.index()]) {
                return Err("a block is a handler and a target of a jump".into());
            }
            if self.f.block_calls(block).any(|call| call.block == self.f.entry()) {
                return Err("the entry is a target of a jump".into());
            }
        }
        Ok(())
    }

    pub(super) fn kind(&self, value: Value) -> Outcome<Kind> {
        let ty = self.f.ty(value);
        Kind::of(ty).ok_or_else(|| format!("{ty} is no type of the JVM"))
    }

    /// The register of a value, made when it is first asked for.
    pub(super) fn register(&mut self, value: Value) -> Outcome<Register> {
        if let Some(&register) = self.registers.get(&value) {
            return Ok(register);
        }
        let kind = self.kind(value)?;
        let register = self.kinds.push(kind);
        self.registers.insert(value, register);
        Ok(register)
    }

    pub(super) fn label(&mut self) -> Label {
        self.labels += 1;
        Label::from_index(self.labels as usize - 1)
    }

    fn label_of(&mut self, block: Block) -> Label {
        if let Some(label) = self.block_labels[block.index()] {
            return label;
        }
        let label = self.label();
        self.block_labels[block.index()] = Some(label);
        label
    }

    pub(super) fn make(&mut self, item: Item) {
        let guard = self.guard;
        self.steps.push(Step::Made(Made { item, location: self.location, guard }));
    }

    pub(super) fn insn(&mut self, instruction: Insn) {
        self.make(Item::Insn(instruction));
    }

    pub(super) fn op(&mut self, op: Opcode) {
        self.insn(Insn::plain(op));
    }

    pub(super) fn jump(&mut self, op: Opcode, label: Label) {
        self.make(Item::Jump(op, label));
    }

    pub(super) fn bind(&mut self, label: Label) {
        self.make(Item::Label(label));
    }

    fn block(&mut self, block: Block, next: Option<Block>) -> Outcome {
        self.block = block;
        self.held = self.held_at.remove(&block).unwrap_or_default();
        let label = self.label_of(block);
        self.bind(label);
        if self.is_handler[block.index()] {
            let Some(&thrown) = self.f.block_params(block).first() else {
                return Err("a handler without exception".into());
            };
            // Nothing can be put below what the JVM puts there.
            self.define(thrown, None)?;
        }
        if let Some(param) = self.on_stack[block.index()] {
            self.define(param, None)?;
        }
        for (inst, counted) in counters::order(self.f, &self.uses, block) {
            if !self.uses.is_root(self.f, inst) {
                if !self.eases(inst) {
                    continue;
                }
                self.uses.hasten(inst);
            }
            self.location = self.f.inst(inst).location.0;
            self.root = Some(inst);
            if let Some(from) = counted.filter(|&from| !self.is_pending(from)) {
                self.counted.push((from, self.f.result(inst)));
            }
            self.root(inst)?;
            held::forget(&mut self.held, self.f.results(inst));
        }
        self.root = None;
        self.terminator(block, next)
    }

    /// Sets the guard for the instruction of an exit and gives the parameters of its handlers what the
    /// exit names.
    pub(super) fn guarded(&mut self, exit: Option<Exit>) -> Outcome<Option<Guard>> {
        let Some(exit) = exit else { return Ok(None) };
        let handlers = match &self.f.exit(exit).target {
            ExitTarget::Unwind => return Ok(None),
            ExitTarget::Leave(_) => return Err("an exit that leaves to whoever resumes".into()),
            ExitTarget::To(handlers) => handlers.clone(),
        };
        let args = self.f.exit_args(exit).to_vec();
        let mut catches = Vec::with_capacity(handlers.len());
        for handler in &handlers {
            let class = match handler.class {
                None => 0,
                Some(descr) => match self.names.named(descr) {
                    Named::Class(index) => *index,
                    _ => return Err("a handler of something that is no class".into()),
                },
            };
            let params = self.f.block_params(handler.block).to_vec();
            if params.len() != args.len() + 1 {
                return Err("an exit does not fit its handler".into());
            }
            for (&param, &arg) in params[1..].iter().zip(&args) {
                if self.uses.count(param) == 0 || self.held.get(&param) == Some(&arg) {
                    continue;
                }
                let from = self.push_kept(arg)?;
                let to = self.register(param)?;
                self.make(Item::Store { to, from });
                self.held.insert(param, arg);
            }
            let target = self.label_of(handler.block);
            catches.push(Catch { class, target });
        }
        Ok(Some(self.guards.intern(catches)))
    }

    fn terminator(&mut self, block: Block, next: Option<Block>) -> Outcome {
        match self.f.terminator(block).clone() {
            Terminator::Jump(call) => {
                if self.moves(call)
                    && self.pending.is_empty()
                    && let Some(key) = self.sharing(call)
                {
                    if let Some(&label) = self.shared.get(&key) {
                        self.jump(Opcode::Goto, label);
                        return self.late_edges();
                    }
                    let label = self.label();
                    self.bind(label);
                    self.shared.insert(key, label);
                }
                self.edge(call)?;
                self.go_on(call.block, next)?;
            }
            Terminator::Branch { condition, then, other } => self.branch(condition, then, other, next)?,
            // HotSpot refuses one that ends a method: it looks for a case before it asks how many there are.
            Terminator::Switch { on, cases, default } if cases.is_empty() => {
                self.operands(&[on])?;
                self.push(on)?;
                self.op(Opcode::Pop);
                self.edge(default)?;
                self.go_on(default.block, next)?;
            }
            Terminator::Switch { on, cases, default } => {
                self.operands(&[on])?;
                self.push(on)?;
                self.keep_pending()?;
                let mut labels = Vec::with_capacity(cases.len());
                for (key, call) in &cases {
                    labels.push((key.signed() as i32, self.edge_label(*call)));
                }
                labels.sort_unstable_by_key(|(key, _)| *key);
                let default = self.edge_label(default);
                self.make(Item::Switch(default, labels));
                self.late_edges()?;
            }
            Terminator::Return(results) => {
                let results = self.f.list(results).to_vec();
                self.operands(&results)?;
                match results[..] {
                    [] => self.op(Opcode::Return),
                    [value] => {
                        self.push(value)?;
                        let kind = self.kind(value)?;
                        self.op(kind.member(Opcode::Ireturn));
                    }
                    _ => return Err("several results".into()),
                }
                self.late_edges()?;
            }
            Terminator::Throw(thrown, exit) => {
                let guard = self.guarded(exit)?;
                self.operands(&[thrown])?;
                self.push(thrown)?;
                self.guard = guard;
                self.op(Opcode::Athrow);
                self.guard = None;
                self.late_edges()?;
            }
            // What stands before it throws always, which a verifier does not see.
            Terminator::Unreachable => {
                self.op(Opcode::AconstNull);
                self.op(Opcode::Athrow);
                self.late_edges()?;
            }
        }
        // What is left was wanted by parameters that nothing uses.
        self.pending.clear();
        Ok(())
    }

    /// Whether an edge has to move anything.
    fn moves(&self, call: BlockCall) -> bool {
        if self.on_stack[call.block.index()].is_some() {
            return true;
        }
        let params = self.f.block_params(call.block).iter();
        params.zip(self.f.list(call.args)).any(|(param, arg)| param != arg && self.uses.count(*param) > 0)
    }

    /// Goes on at a block, by falling into it if it is the next one.
    fn go_on(&mut self, block: Block, next: Option<Block>) -> Outcome {
        if next == Some(block) {
            return Ok(());
        }
        let label = self.label_of(block);
        self.jump(Opcode::Goto, label);
        self.late_edges()
    }

    /// The label of an edge: that of the block if nothing has to be moved, else one of its own, whose
    /// code is written where control does not pass.
    fn edge_label(&mut self, call: BlockCall) -> Label {
        if !self.moves(call) {
            return self.label_of(call.block);
        }
        let key = self.sharing(call);
        if let Some(&label) = key.as_ref().and_then(|key| self.shared.get(key)) {
            return label;
        }
        let label = self.label();
        if let Some(key) = key {
            self.shared.insert(key, label);
        }
        self.late.push((label, call));
        label
    }

    /// What tells an edge from others, if the code that moves its arguments is good for all that are equal:
    /// nothing is computed there, and nothing comes on the stack.
    fn sharing(&self, call: BlockCall) -> Option<(Block, Vec<Value>)> {
        let args = self.f.list(call.args);
        let is_there = |&arg: &Value| {
            self.uses.deferred(self.f, arg).is_none() && !self.pending.iter().any(|p| p.is_of(arg))
        };
        args.iter().all(is_there).then(|| (call.block, args.to_vec()))
    }

    /// Writes the edges that wait. Control does not come here from above.
    fn late_edges(&mut self) -> Outcome {
        for (label, call) in std::mem::take(&mut self.late) {
            self.bind(label);
            self.edge(call)?;
            let target = self.label_of(call.block);
            self.jump(Opcode::Goto, target);
        }
        Ok(())
    }

    fn branch(
        &mut self,
        condition: Value,
        then: BlockCall,
        other: BlockCall,
        next: Option<Block>,
    ) -> Outcome {
        // Going on to the next block is free.
        let (jumps, stays, wanted) =
            if next == Some(then.block) { (other, then, false) } else { (then, other, true) };
        self.condition_operands(condition)?;
        self.keep_pending()?;
        let label = self.edge_label(jumps);
        self.branch_if(condition, wanted, label)?;
        self.edge(stays)?;
        self.go_on(stays.block, next)
    }

    /// Whether an argument is its parameter and a number more, as `iinc` counts.
    fn counts(&self, param: Value, arg: Value) -> bool {
        let f = self.f;
        self.uses.deferred(f, arg).is_some_and(|inst| {
            let is_sum = matches!(f.inst(inst).op, Op::Add | Op::Sub) && f.ty(arg) == Type::I32;
            is_sum && f.args(inst)[0] == param && f.constant(f.args(inst)[1]).is_some()
        })
    }

    /// Moves the arguments of an edge to the parameters of its block.
    fn edge(&mut self, call: BlockCall) -> Outcome {
        let params = self.f.block_params(call.block).to_vec();
        let args = self.f.list(call.args).to_vec();
        let on_stack = self.on_stack[call.block.index()];
        let used = |s: &Self, param: &Value, arg: &Value| {
            Some(*param) == on_stack || param != arg && s.uses.count(*param) > 0
        };
        let mut moves: Vec<(Value, Value)> =
            params.into_iter().zip(args).filter(|(param, arg)| used(self, param, arg)).collect();
        // What stays on the stack lies below what does not; counters are counted last, when nobody needs what they were.
        moves.sort_by_key(|&(param, arg)| match Some(param) == on_stack {
            true => 0,
            false => 1 + u8::from(self.counts(param, arg)),
        });
        let sources: Vec<Value> = moves.iter().map(|(_, arg)| *arg).collect();
        self.operands(&sources)?;
        let mut from = Vec::with_capacity(moves.len());
        let mut written: Vec<Register> = Vec::with_capacity(moves.len());
        for &(param, arg) in &moves {
            let load = self.push(arg)?;
            if Some(param) == on_stack || !self.counts(param, arg) {
                from.push((param, load));
                continue;
            }
            let to = self.register(param)?;
            self.make(Item::Store { to, from: load });
            written.push(to);
        }
        for (param, from) in from.into_iter().rev() {
            if Some(param) == on_stack {
                continue;
            }
            let to = self.register(param)?;
            // A register that was stored meanwhile does not hold the value any more.
            let from = from.filter(|from| !written.contains(&from.register));
            self.make(Item::Store { to, from });
            written.push(to);
        }
        Ok(())
    }
}
