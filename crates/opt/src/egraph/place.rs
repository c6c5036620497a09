//! Elaboration, as Cranelift calls it (scheduling, Click 1995): from the graph back into the function. What the skeleton
//! uses is made, where it is best made.
//!
//! Blocks are visited in reverse postorder, so that a block's dominators come first. Each operand of the
//! skeleton is made where it is first asked for: *late*, as in Click's global code motion (1995). It is
//! then moved up to the block, between its use and its home, that lies in the fewest loops; of several
//! the lowest. A value made for one use serves every later use that its block dominates; two uses in
//! different arms of a branch make it twice, and each execution once.
//!
//! Making is iterative: the depth of an expression is not that of the stack.

use hashbrown::HashMap;
use planish_base::{SideTable, fault};
use planish_ir::cfg::Cfg;
use planish_ir::loops::Loops;
use planish_ir::{Block, Exit, Function, Inst, Location, Terminator, Value};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use super::graph::{Class, Node};
use super::lift::Lift;

/// Makes everything that the skeleton uses.
pub(super) fn place(function: &mut Function, cfg: &Cfg, lift: &mut Lift<'_>) {
    let count = cfg.order().len();
    let mut placer = Placer {
        function,
        cfg,
        lift,
        loops: Loops::new(cfg.succs()),
        made: HashMap::default(),
        insts: vec![Vec::new(); count],
        mapped_exits: SideTable::new(),
    };
    for number in 0..count as u32 {
        placer.block(number);
    }
    let insts = std::mem::take(&mut placer.insts);
    for (number, list) in insts.into_iter().enumerate() {
        let block = cfg.block(number as u32);
        placer.function.replace_insts(block, list);
    }
}

struct Placer<'a, 'r> {
    function: &'a mut Function,
    cfg: &'a Cfg,
    lift: &'a mut Lift<'r>,
    loops: Loops,
    /// Where a class was made, by its best member: blocks and values, in the order of making.
    made: HashMap<Class, Vec<(u32, Value)>, FxBuildHasher>,
    /// The new instructions of each block, by number.
    insts: Vec<Vec<Inst>>,
    mapped_exits: SideTable<Exit, bool>,
}

impl Placer<'_, '_> {
    fn block(&mut self, number: u32) {
        let block = self.cfg.block(number);
        for inst in self.function.replace_insts(block, Vec::new()) {
            if self.lift.floats(self.function, inst) {
                continue;
            }
            for i in 0..self.function.args(inst).len() {
                let made = self.value(self.function.args(inst)[i], number, self.function.inst(inst).location);
                self.function.args_mut(inst)[i] = made;
            }
            if let Some(exit) = self.function.inst(inst).exit {
                self.exit(exit, number);
            }
            self.insts[number as usize].push(inst);
        }
        self.terminator(block, number);
    }

    fn exit(&mut self, exit: Exit, number: u32) {
        let is_mapped = std::mem::replace(&mut self.mapped_exits[exit], true);
        if is_mapped || fault!("egraph: arguments of exits stay as they were") {
            return;
        }
        let args: Vec<Value> = self.function.exit_args(exit).to_vec();
        let made: Vec<Value> = args.iter().map(|&arg| self.value(arg, number, Location::default())).collect();
        if made != args {
            self.function.set_exit_args(exit, &made);
        }
    }

    fn terminator(&mut self, block: Block, number: u32) {
        let mut terminator = self.function.take_terminator(block);
        let list = |placer: &mut Self, list: planish_base::List<Value>| {
            for i in 0..list.len() {
                let value = placer.function.list(list)[i];
                let made = placer.value(value, number, Location::default());
                placer.function.list_mut(list)[i] = made;
            }
        };
        match &mut terminator {
            Terminator::Jump(call) => list(self, call.args),
            Terminator::Branch { condition, then, other } => {
                list(self, then.args);
                list(self, other.args);
                *condition = self.value(*condition, number, Location::default());
            }
            Terminator::Switch { on, cases, default } => {
                for (_, call) in cases.iter() {
                    list(self, call.args);
                }
                list(self, default.args);
                *on = self.value(*on, number, Location::default());
            }
            Terminator::Return(results) => list(self, *results),
            Terminator::Throw(value, exit) => {
                *value = self.value(*value, number, Location::default());
                if let Some(exit) = *exit {
                    self.exit(exit, number);
                }
            }
            Terminator::Unreachable => {}
        }
        self.function.set_terminator(block, terminator);
    }

    /// What stands for a value of the old function in a block.
    fn value(&mut self, value: Value, number: u32, location: Location) -> Value {
        match self.lift.classes[value] {
            Some(class) => self.class(self.lift.graph.newest(class), number, location),
            None => value,
        }
    }

    /// A value of a class that is available at the end of the instructions that a block has so far.
    fn class(&mut self, class: Class, number: u32, location: Location) -> Value {
        // Work still to do: a class and the block that asks for it. Operands are pushed above it.
        let mut work = vec![(class, number)];
        while let Some(&(class, at)) = work.last() {
            if self.available(class, at).is_some() {
                work.pop();
                continue;
            }
            let best = self.best(class);
            let block = self.block_for(best, at);
            let args: Vec<Class> = match self.lift.graph.node(best) {
                Node::Op(_, list) | Node::Call(_, list) => self.lift.graph.args(list).to_vec(),
                Node::Part(_, call) => vec![call],
                Node::Leaf(_) | Node::Union(..) => unreachable!("a leaf is available"),
            };
            let values: Vec<Option<Value>> = args.iter().map(|&arg| self.available(arg, block)).collect();
            if let Some(missing) = values.iter().position(Option::is_none) {
                work.push((args[missing], block));
                continue;
            }
            let values: Vec<Value> = values.into_iter().flatten().collect();
            self.make(best, block, &values, location);
            work.pop();
        }
        self.available(class, number).expect("it was just made")
    }

    /// Makes a node of operands in a block.
    fn make(&mut self, node: Class, block: u32, args: &[Value], location: Location) {
        let (f, ty) = (&mut *self.function, self.lift.graph.ty(node));
        let inst = match self.lift.graph.node(node) {
            Node::Op(op, _) => f.make_inst(op, args, &[ty], None, None, location),
            Node::Call(callee, _) => {
                let types = &self.lift.bodies.get(callee).types;
                f.make_inst(Op::Call, args, types, Some(callee), None, location)
            }
            Node::Leaf(_) | Node::Part(..) | Node::Union(..) => unreachable!("it is there already"),
        };
        self.insts[block as usize].push(inst);
        for (result, position) in f.results(inst).zip(0..) {
            // A call is known by its first result, and comes with all of them.
            let part = self.lift.graph.part_of(node, position);
            let nodes = part.into_iter().chain((position == 0).then_some(node));
            nodes.for_each(|node| self.made.entry(node).or_default().push((block, result)));
        }
    }

    /// The best member of a class, as far as it was known when its user was made.
    fn best(&self, class: Class) -> Class {
        self.lift.graph.best(class)
    }

    /// A value of a class that exists and can be used in a block.
    fn available(&self, class: Class, at: u32) -> Option<Value> {
        let best = self.best(class);
        if let Node::Leaf(value) = self.lift.graph.node(best) {
            return Some(value);
        }
        let dominators = self.lift.graph.dominators();
        let made = self.made.get(&best)?;
        let reaches =
            |block| fault!("egraph: what is made once is made for all") || dominators.dominates(block, at);
        made.iter().rev().find(|(block, _)| reaches(*block)).map(|(_, value)| *value)
    }

    /// The block in which to make a node that is used in `at`: between there and its home, the lowest of
    /// those in the fewest loops.
    fn block_for(&self, node: Class, at: u32) -> u32 {
        let (home, dominators) = (self.lift.graph.home(node), self.lift.graph.dominators());
        let (mut block, mut best) = (at, at);
        while block != home {
            block = dominators.idom(block);
            if self.loops.depth(block) < self.loops.depth(best) {
                best = block;
            }
        }
        best
    }
}
