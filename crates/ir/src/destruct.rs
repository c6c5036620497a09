//! SSA destruction with coalescing: block parameters become assignments on edges.
//!
//! Values share a variable where that needs no copy and their lives do not overlap: a parameter and its
//! arguments are tried in the order of blocks. Whether two sets of values overlap is decided by one walk
//! over both in dominance order (Budimlić, Cooper, Harvey, Kennedy, Oberg and Reeves, "Fast Copy
//! Coalescing and Live-Range Identification", PLDI 2002). The copies of an edge happen at once; they are
//! put in an order that needs at most one extra variable for each cycle (as Boissinot, Darte, Rastello,
//! Dupont de Dinechin and Guillon, "Revisiting Out-of-SSA Translation", CGO 2009).
//!
//! An edge that needs copies and whose source has other successors gets a node of its own. Functions
//! with side exits or throws have no draft.

use hashbrown::HashMap;
use planish_base::{Budget, Id};
use planish_ops::Type;
use rustc_hash::FxBuildHasher;

use crate::cfg::Cfg;
use crate::dominators::Dominators;
use crate::draft::{Draft, End, Node, Operand, Variable};
use crate::function::{Block, BlockCall, Function, Inst, Terminator, Value};
use crate::liveness::{Liveness, for_each_use};

/// Why a function has no draft.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoDraft {
    /// An instruction has a side exit.
    Exit(Inst),
    /// A block throws.
    Throw(Block),
}

/// How much merging of sets of values may cost, for each value of the function.
const MERGE_STEPS_PER_VALUE: u64 = 200;

/// A draft, and where the blocks of the function went.
pub struct Destructed {
    /// The draft.
    pub draft: Draft,
    /// The node that holds the instructions of a block; none where the entry does not reach it.
    pub nodes: Vec<Option<Node>>,
}

/// Turns a function into a draft. Blocks that the entry does not reach are left out.
///
/// The nodes of blocks come first, in the order of the function; then those of edges, in the order of
/// the blocks from which they come.
pub fn destruct(function: &Function) -> Result<Destructed, NoDraft> {
    for &block in function.blocks() {
        if let Terminator::Throw(..) = function.terminator(block) {
            return Err(NoDraft::Throw(block));
        }
        let leaves = |inst: &&Inst| function.inst(**inst).exit.is_some();
        if let Some(&inst) = function.block_insts(block).iter().find(leaves) {
            return Err(NoDraft::Exit(inst));
        }
    }
    let lives = Lives::new(function);
    let classes = Classes::coalesce(function, &lives);
    Ok(Writer::new(function, &lives, classes).write())
}

/// Where values are defined and live. Positions in a block: parameters are 0, the n-th instruction is
/// n + 1, the terminator is last.
struct Lives {
    cfg: Cfg,
    dominators: Dominators,
    live: Liveness,
    /// Block number and position of each definition that is reached.
    defs: Vec<Option<(u32, u32)>>,
    /// The position of the last use in a block.
    last_use: HashMap<(u32, Value), u32, FxBuildHasher>,
}

impl Lives {
    fn new(function: &Function) -> Self {
        let cfg = Cfg::new(function);
        let mut lives = Lives {
            dominators: cfg.dominators(),
            live: Liveness::new(function, &cfg),
            defs: vec![None; function.value_count()],
            last_use: HashMap::default(),
            cfg,
        };
        lives.find_definitions(function);
        lives.find_uses(function);
        lives
    }

    fn find_definitions(&mut self, function: &Function) {
        for (&block, i) in self.cfg.order().iter().zip(0..) {
            for param in function.block_params(block) {
                self.defs[param.index()] = Some((i, 0));
            }
            for (&inst, position) in function.block_insts(block).iter().zip(1..) {
                for result in function.results(inst) {
                    self.defs[result.index()] = Some((i, position));
                }
            }
        }
    }

    fn find_uses(&mut self, function: &Function) {
        for (&block, i) in self.cfg.order().iter().zip(0..) {
            for_each_use(function, block, |position, value| {
                if self.defs[value.index()].is_some() {
                    // Positions rise.
                    self.last_use.insert((i, value), position);
                }
            });
        }
    }

    fn is_used(&self, value: Value) -> bool {
        self.defs[value.index()].is_some_and(|(home, _)| {
            self.last_use.contains_key(&(home, value)) || self.live.is_live_out(home, value)
        })
    }

    /// The place of a definition in dominance order.
    fn place(&self, value: Value) -> (u32, u32) {
        let (block, position) = self.defs[value.index()].expect("only reached values are compared");
        (self.dominators.preorder(block), position)
    }

    /// Whether the definition of `upper` dominates that of `lower`.
    fn dominates(&self, upper: Value, lower: Value) -> bool {
        let (Some((up, first)), Some((low, second))) = (self.defs[upper.index()], self.defs[lower.index()])
        else {
            return false;
        };
        if up == low { first <= second } else { self.dominators.dominates(up, low) }
    }

    /// Whether two values are alive at once, `upper` being defined first on a path to `lower`.
    fn overlap(&self, upper: Value, lower: Value) -> bool {
        let (Some(up), Some((block, position))) = (self.defs[upper.index()], self.defs[lower.index()]) else {
            return false;
        };
        up == (block, position)
            || self.live.is_live_out(block, upper)
            || self.last_use.get(&(block, upper)).is_some_and(|&last| last > position)
    }
}

/// Sets of values that share a variable.
struct Classes {
    class: Vec<u32>,
    /// The members of each class in dominance order.
    members: Vec<Vec<Value>>,
}

impl Classes {
    fn coalesce(function: &Function, lives: &Lives) -> Self {
        let count = function.value_count();
        let members = (0..count).map(|i| vec![Value::from_index(i)]).collect();
        let mut classes = Classes { class: (0..count as u32).collect(), members };
        let mut budget = Budget::new("copy coalescing", MERGE_STEPS_PER_VALUE * count as u64);
        for &block in lives.cfg.order() {
            for call in function.block_calls(block) {
                let pairs = function.block_params(call.block).iter().zip(function.list(call.args));
                for (&param, &arg) in pairs {
                    if lives.is_used(param) && lives.defs[arg.index()].is_some() {
                        classes.merge(function, lives, param, arg, &mut budget);
                    }
                }
            }
        }
        classes
    }

    fn merge(&mut self, function: &Function, lives: &Lives, a: Value, b: Value, budget: &mut Budget) {
        let (into, from) = (self.class[a.index()], self.class[b.index()]);
        if into == from || function.ty(a) != function.ty(b) {
            return;
        }
        let (left, right) = (&self.members[into as usize], &self.members[from as usize]);
        if !budget.take((left.len() + right.len()) as u64) {
            return;
        }
        let mut merged = Vec::with_capacity(left.len() + right.len());
        let mut dominating: Vec<Value> = Vec::new();
        let (mut left, mut right) = (left.iter().copied().peekable(), right.iter().copied().peekable());
        loop {
            let first = match (left.peek(), right.peek()) {
                (Some(&l), Some(&r)) => lives.place(l) <= lives.place(r),
                (Some(_), None) => true,
                (None, Some(_)) => false,
                (None, None) => break,
            };
            let next = if first { left.next() } else { right.next() };
            let Some(value) = next else { break };
            while dominating.last().is_some_and(|&top| !lives.dominates(top, value)) {
                dominating.pop();
            }
            if let Some(&top) = dominating.last()
                && self.class[top.index()] != self.class[value.index()]
                && lives.overlap(top, value)
            {
                return;
            }
            dominating.push(value);
            merged.push(value);
        }
        merged.iter().for_each(|value| self.class[value.index()] = into);
        self.members[from as usize].clear();
        self.members[into as usize] = merged;
    }
}

struct Writer<'a> {
    function: &'a Function,
    lives: &'a Lives,
    classes: Classes,
    draft: Draft,
    variables: Vec<Option<Variable>>,
    nodes: Vec<Option<Node>>,
    /// Variables that break cycles of copies, one for each type in use.
    spares: Vec<(Type, Variable)>,
    /// By value: where the function uses it first.
    first_use: Vec<u32>,
}

/// By value: which of all uses is its first one, in the order of the text. What a jump or a branch passes on may be no copy, or
/// one that stands elsewhere, and does not count.
fn first_uses(function: &Function) -> Vec<u32> {
    let mut first = vec![u32::MAX; function.value_count()];
    let mut number = 0;
    for &block in function.blocks() {
        let terminator = function.terminator(block);
        let passes_on = function.block_calls(block).next().is_some();
        let end = function.block_insts(block).len() as u32 + 1;
        for_each_use(function, block, |position, value| {
            let is_passed_on = passes_on && position == end && terminator.condition() != Some(value);
            if !is_passed_on && first[value.index()] == u32::MAX {
                first[value.index()] = number;
                number += 1;
            }
        });
    }
    first
}

impl<'a> Writer<'a> {
    fn new(function: &'a Function, lives: &'a Lives, classes: Classes) -> Self {
        let draft = Draft::new(&function.name, function.result_types());
        let (variables, nodes) = (vec![None; function.value_count()], vec![None; function.block_count()]);
        Writer {
            function,
            lives,
            classes,
            draft,
            variables,
            nodes,
            spares: Vec::new(),
            first_use: first_uses(function),
        }
    }

    fn write(mut self) -> Destructed {
        let function = self.function;
        for &block in function.blocks().iter().filter(|&&block| self.lives.cfg.is_reachable(block)) {
            let name = function.block_name(block).unwrap_or_default();
            self.nodes[block.index()] = Some(self.draft.node(name));
        }
        self.draft.params = function.params().iter().map(|&param| self.variable(param)).collect();
        for &block in function.blocks().iter().filter(|&&block| self.lives.cfg.is_reachable(block)) {
            self.block(block);
        }
        Destructed { draft: self.draft, nodes: self.nodes }
    }

    fn block(&mut self, block: Block) {
        let function = self.function;
        let node = self.node(block);
        for &inst in function.block_insts(block) {
            let args: Vec<Operand> = function.args(inst).iter().map(|&arg| self.operand(arg)).collect();
            let results: Vec<Variable> = function.results(inst).map(|value| self.variable(value)).collect();
            let data = function.inst(inst);
            self.draft.op_named(node, data.op, &args, &results, data.descr);
        }
        let end = match function.terminator(block) {
            Terminator::Jump(call) => {
                let copies = self.copies(*call);
                copies.into_iter().for_each(|(to, from)| self.draft.assign(node, to, from));
                End::Goto(self.node(call.block))
            }
            Terminator::Branch { condition, then, other } => {
                let condition = self.operand(*condition);
                End::Branch { condition, then: self.edge(*then), other: self.edge(*other) }
            }
            Terminator::Switch { on, cases, default } => {
                let on = self.operand(*on);
                let cases = cases.iter().map(|(key, call)| (*key, self.edge(*call))).collect();
                End::Switch { on, cases, default: self.edge(*default) }
            }
            Terminator::Return(results) => {
                End::Return(function.list(*results).iter().map(|&value| self.operand(value)).collect())
            }
            Terminator::Unreachable | Terminator::Throw(..) => End::Unreachable,
        };
        self.draft.nodes[node].end = end;
    }

    fn node(&self, block: Block) -> Node {
        self.nodes[block.index()].expect("a target of a reached block is reached")
    }

    fn variable(&mut self, value: Value) -> Variable {
        let class = self.classes.class[value.index()] as usize;
        if let Some(variable) = self.variables[class] {
            return variable;
        }
        let variable = self.draft.variable("", self.function.ty(value));
        self.variables[class] = Some(variable);
        variable
    }

    fn operand(&mut self, value: Value) -> Operand {
        match self.function.constant(value) {
            Some(constant) => Operand::Const(constant),
            None => Operand::Var(self.variable(value)),
        }
    }

    /// The node to which an edge of a branch leads: the target, or a node with the copies before it.
    fn edge(&mut self, call: BlockCall) -> Node {
        let target = self.node(call.block);
        let copies = self.copies(call);
        if copies.is_empty() {
            return target;
        }
        let before = self.draft.node("");
        copies.into_iter().for_each(|(to, from)| self.draft.assign(before, to, from));
        self.draft.nodes[before].end = End::Goto(target);
        before
    }

    /// The copies of an edge, which happen at once, in an order in which they can happen one by one.
    fn copies(&mut self, call: BlockCall) -> Vec<(Variable, Operand)> {
        let function = self.function;
        let params = function.block_params(call.block).iter().zip(function.list(call.args));
        let mut pending: Vec<(Value, Variable, Operand)> = Vec::new();
        for (&param, &arg) in params {
            if self.lives.is_used(param) {
                let (to, from) = (self.variable(param), self.operand(arg));
                if from != Operand::Var(to) {
                    pending.push((param, to, from));
                }
            }
        }
        // The order of parameters is that in which a reader of the text would find them.
        pending.sort_by_key(|&(param, ..)| self.first_use[param.index()]);
        let pending: Vec<(Variable, Operand)> = pending.into_iter().map(|(_, to, from)| (to, from)).collect();
        // How many pending copies read a variable.
        let mut readers = HashMap::<Variable, u32, FxBuildHasher>::default();
        let mut writer = HashMap::<Variable, usize, FxBuildHasher>::default();
        for (i, &(to, from)) in pending.iter().enumerate() {
            writer.insert(to, i);
            if let Operand::Var(from) = from {
                *readers.entry(from).or_default() += 1;
            }
        }
        let mut ordered = Vec::with_capacity(pending.len() + 1);
        let mut done = vec![false; pending.len()];
        for start in 0..pending.len() {
            // Whatever nobody reads any more can be overwritten, and frees what it reads.
            let mut next = Some(start);
            while let Some(i) = next.take() {
                let (to, from) = pending[i];
                if done[i] || readers.get(&to).is_some_and(|&count| count > 0) {
                    break;
                }
                done[i] = true;
                ordered.push((to, from));
                if let Operand::Var(from) = from {
                    let count = readers.get_mut(&from).expect("a pending copy reads it");
                    *count -= 1;
                    next = writer.get(&from).copied();
                }
            }
        }
        // Only cycles are left: every variable in one is read by exactly one copy of it.
        for start in 0..pending.len() {
            if done[start] {
                continue;
            }
            let (first, _) = pending[start];
            let spare = self.spare(self.draft.variables[first].ty);
            ordered.push((spare, first.into()));
            let mut at = start;
            loop {
                let (to, from) = pending[at];
                done[at] = true;
                if from == Operand::Var(first) {
                    ordered.push((to, spare.into()));
                    break;
                }
                ordered.push((to, from));
                let Operand::Var(from) = from else { unreachable!("a constant is in no cycle") };
                at = writer[&from];
            }
        }
        ordered
    }

    fn spare(&mut self, ty: Type) -> Variable {
        if let Some((_, variable)) = self.spares.iter().find(|(t, _)| *t == ty) {
            return *variable;
        }
        let variable = self.draft.variable("", ty);
        self.spares.push((ty, variable));
        variable
    }
}
