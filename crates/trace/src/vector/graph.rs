//! What must come before what.
//!
//! An edge goes from an operation to one that needs its result, that accesses memory behind it, or that must not
//! be passed by it: effects stay behind the guard before them and before the guard behind them. An edge that is
//! there for the sake of an exit only is marked; a guard that leaves early does without it.
//!
//! Memory is followed as PyPy follows it: an array is the name of its base, an access to one of its items defines
//! the name anew, and an access to another item of the same array looks past it.

use hashbrown::HashMap;
use planish_base::Worklist;
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use super::index::{Indices, MemoryRef};
use super::instr::Instr;
use super::shape::{self, Access, Item};
use super::{Loop, Refused, refused};
use crate::opcode::{Kind, Lift, Opcode};
use crate::text::{Arg, Text, Var};

/// That an operation comes before another.
#[derive(Clone, Debug)]
pub(super) struct Edge {
    pub from: usize,
    pub to: usize,
    /// Whether only an exit needs it.
    pub exit: bool,
    /// The values that it is there for.
    because: Vec<Arg>,
}

impl Edge {
    pub fn is_because_of(&self, arg: Arg) -> bool {
        self.because.contains(&arg)
    }
}

/// An operation of the loop, or, behind them all, a point in time.
#[derive(Clone, Default, Debug)]
pub(super) struct Node {
    provides: Vec<usize>,
    depends: Vec<usize>,
    /// What is ready and has more of it comes first.
    pub priority: i32,
    is_guard: bool,
    pub memory: Option<MemoryRef>,
}

/// The dependences of a loop.
pub(super) struct Graph {
    pub nodes: Vec<Node>,
    edges: Vec<Edge>,
    pub guards: Vec<usize>,
    pub indices: Indices,
}

/// Whether the result is a function of the operands.
pub(super) fn is_pure(opcode: Opcode) -> bool {
    match opcode.row().lift {
        Lift::Same(_) | Lift::Shift(_) | Lift::Signext | Lift::Copy | Lift::Computes | Lift::PureItem => true,
        Lift::Str(op, _) | Lift::Access(op) => matches!(op, Op::StrLen | Op::StrGet | Op::ArrayLen),
        _ => false,
    }
}

/// The memory that an operation reads: which operand is the base and which the index.
fn reads(opcode: Opcode) -> Option<(usize, Option<usize>)> {
    let name = opcode.name();
    if name.starts_with("getfield_") {
        return Some((0, None));
    }
    let items = ["getarrayitem_", "raw_load_", "getinteriorfield_gc_", "vec_load_"];
    items.iter().any(|item| name.starts_with(item)).then_some((0, Some(1)))
}

/// The same of what it writes, where that is all it does.
fn writes(opcode: Opcode) -> Option<(usize, Option<usize>)> {
    match opcode.name() {
        "setarrayitem_gc" | "setarrayitem_raw" | "raw_store" | "vec_store" => Some((0, Some(1))),
        "setinteriorfield_gc"
        | "setinteriorfield_raw"
        | "setfield_gc"
        | "setfield_raw"
        | "zero_array"
        | "strsetitem"
        | "unicodesetitem" => Some((0, None)),
        _ => None,
    }
}

impl Graph {
    /// The dependences between the operations of a loop. O(n) for straight code, O(n^2) where many operations
    /// access one array.
    pub fn new(loop_: &Loop, item: &dyn Fn(Text) -> Option<Item>) -> Result<Graph, Refused> {
        let nodes = vec![Node::default(); loop_.ops.len()];
        let graph = Graph { nodes, edges: Vec::new(), guards: Vec::new(), indices: Indices::default() };
        let mut work = Work {
            graph,
            loop_,
            definitions: HashMap::default(),
            loads: HashMap::default(),
            effects: Vec::new(),
        };
        for (node, op) in loop_.ops.iter().enumerate() {
            work.graph.indices.inspect(op);
            work.graph.nodes[node].memory = MemoryRef::of(op, &work.graph.indices, item);
            work.operation(node, op)?;
        }
        Ok(work.graph)
    }

    /// A point in time that is no operation.
    pub fn add_point(&mut self) -> usize {
        self.nodes.push(Node::default());
        self.nodes.len() - 1
    }

    /// The edges that go out of a node.
    pub fn provides(&self, node: usize) -> impl Iterator<Item = &Edge> {
        self.nodes[node].provides.iter().map(|&edge| &self.edges[edge])
    }

    /// The edges that come into a node.
    pub fn depends(&self, node: usize) -> impl Iterator<Item = &Edge> {
        self.nodes[node].depends.iter().map(|&edge| &self.edges[edge])
    }

    /// Whether nothing that is left comes before a node.
    pub fn is_free(&self, node: usize) -> bool {
        self.nodes[node].depends.is_empty()
    }

    /// Adds that one node comes before another.
    pub fn add_edge(&mut self, from: usize, to: usize, because: Option<Arg>, exit: bool) {
        if from == to {
            return;
        }
        let known = self.nodes[from].provides.iter().copied().find(|&edge| self.edges[edge].to == to);
        if let Some(edge) = known {
            let edge = &mut self.edges[edge];
            edge.because.extend(because);
            edge.exit &= exit;
            return;
        }
        let edge = self.edges.len();
        self.edges.push(Edge { from, to, exit, because: because.into_iter().collect() });
        self.nodes[from].provides.push(edge);
        self.nodes[to].depends.push(edge);
    }

    /// Forgets that one node comes before another.
    pub fn remove_edge(&mut self, from: usize, to: usize) {
        let Graph { nodes, edges, .. } = self;
        nodes[from].provides.retain(|&edge| edges[edge].to != to);
        nodes[to].depends.retain(|&edge| edges[edge].from != from);
    }

    /// Whether an edge is there only because guards are checked in their order. Guards that are checked at once
    /// may disregard it.
    pub fn is_order(&self, edge: &Edge) -> bool {
        edge.exit && edge.because.is_empty() && self.nodes[edge.from].is_guard && self.nodes[edge.to].is_guard
    }

    /// Whether neither of two nodes needs the other. O(edges between them).
    pub fn independent(&self, a: usize, b: usize) -> bool {
        let (first, last) = (a.min(b), a.max(b));
        let mut seen = vec![false; last - first + 1];
        let mut work = Worklist::from(vec![first]);
        while let Some(node) = work.pop() {
            for edge in self.provides(node) {
                if node == first && edge.to == last && self.is_order(edge) {
                    continue;
                }
                if edge.to == last {
                    return false;
                }
                if edge.to < last && !std::mem::replace(&mut seen[edge.to - first], true) {
                    work.push(edge.to);
                }
            }
        }
        true
    }
}

/// The graph while it is made, operation by operation.
struct Work<'a> {
    graph: Graph,
    loop_: &'a Loop,
    /// The operations that define a value, and those that change memory behind it.
    definitions: HashMap<Var, Vec<usize>, FxBuildHasher>,
    /// The reads behind a base since everything behind it may have changed.
    loads: HashMap<Var, Vec<usize>, FxBuildHasher>,
    /// The operations with effects since the last guard.
    effects: Vec<usize>,
}

impl Work<'_> {
    fn operation(&mut self, node: usize, op: &Instr) -> Result<(), Refused> {
        if let Some(result) = op.result {
            self.define(Arg::Var(result), node);
        }
        if is_pure(op.opcode) {
            op.args.iter().for_each(|&arg| self.uses(arg, node, None));
        } else if op.opcode.is_guard() || op.name() == "guard_future_condition" {
            self.graph.nodes[node].priority = 2;
            self.graph.nodes[node].is_guard = true;
            return self.guard(node, op);
        } else if let Some((base, index)) = reads(op.opcode) {
            self.uses(op.args[base], node, index.map(|index| op.args[index]));
            index.into_iter().for_each(|index| self.uses(op.args[index], node, None));
            if let Arg::Var(base) = op.args[base] {
                self.loads.entry(base).or_default().push(node);
            }
        } else {
            self.effect(node, op);
        }
        Ok(())
    }

    fn define(&mut self, arg: Arg, node: usize) {
        if let Arg::Var(var) = arg {
            self.definitions.entry(var).or_default().push(node);
        }
    }

    /// Whether a node may access what another one does.
    fn may_alias(&self, a: usize, b: usize) -> bool {
        match (&self.graph.nodes[a].memory, &self.graph.nodes[b].memory) {
            (Some(a), Some(b)) => a.may_alias(b),
            _ => true,
        }
    }

    /// A node needs a value, or the item of an array at an index.
    fn uses(&mut self, arg: Arg, node: usize, index: Option<Arg>) {
        let Arg::Var(var) = arg else { return };
        let Some(definitions) = self.definitions.get(&var) else { return };
        let found = match index {
            None => definitions.last(),
            Some(_) => definitions.iter().rev().find(|&&definition| self.may_alias(node, definition)),
        };
        if let Some(&definition) = found.filter(|&&definition| definition != node) {
            self.graph.add_edge(definition, node, Some(arg), false);
        }
    }

    /// An operation that does not only compute.
    fn effect(&mut self, node: usize, op: &Instr) {
        match writes(op.opcode) {
            Some((base, index)) => {
                for (position, &arg) in op.args.iter().enumerate() {
                    if position == base {
                        self.changes(arg, node, index.map(|index| op.args[index]));
                    } else {
                        self.uses(arg, node, None);
                    }
                }
            }
            // Whatever it is given may be changed behind it.
            None => {
                for &arg in &op.args {
                    match arg {
                        Arg::Var(var) if self.loop_.vars[var].kind != Kind::Float => {
                            self.changes(arg, node, None)
                        }
                        _ => self.uses(arg, node, None),
                    }
                }
            }
        }
        if let Some(&guard) = self.graph.guards.last() {
            self.graph.add_edge(guard, node, None, false);
        }
        self.effects.push(node);
    }

    /// A node changes the item of an array, or everything behind a value.
    fn changes(&mut self, arg: Arg, node: usize, index: Option<Arg>) {
        let Arg::Var(var) = arg else { return };
        self.uses(arg, node, index);
        let loads = self.loads.get(&var).cloned().unwrap_or_default();
        for load in loads {
            if index.is_none() || self.may_alias(load, node) {
                self.graph.add_edge(load, node, None, false);
            }
        }
        if index.is_none() {
            self.loads.remove(&var);
            if let Some(&definition) = self.definitions.get(&var).and_then(|all| all.last()) {
                let users: Vec<usize> = self.graph.provides(definition).map(|edge| edge.to).collect();
                users.into_iter().for_each(|user| self.graph.add_edge(user, node, None, false));
            }
        }
        self.define(arg, node);
    }

    fn guard(&mut self, node: usize, op: &Instr) -> Result<(), Refused> {
        if !op.early {
            if let Some(&guard) = self.graph.guards.last() {
                self.graph.add_edge(guard, node, None, true);
            }
            for effect in std::mem::take(&mut self.effects) {
                self.graph.add_edge(effect, node, None, true);
            }
        }
        self.graph.guards.push(node);
        if matches!(op.name(), "guard_future_condition" | "guard_always_fails") {
            return Ok(());
        }
        op.args.iter().for_each(|&arg| self.uses(arg, node, None));
        self.protect(node, op)?;
        if op.early {
            return Ok(());
        }
        for &arg in op.fail.iter().flatten() {
            let Arg::Var(var) = arg else { continue };
            let definitions = self.definitions.get(&var).cloned().unwrap_or_default();
            for definition in definitions {
                self.graph.add_edge(definition, node, Some(arg), true);
            }
        }
        Ok(())
    }

    /// What a guard lets through comes behind it, and what it looks at directly before it.
    fn protect(&mut self, node: usize, op: &Instr) -> Result<(), Refused> {
        for &arg in &op.args {
            if matches!(arg, Arg::Var(var) if self.loop_.vars[var].kind == Kind::Ref) {
                self.define(arg, node);
            }
        }
        let before = |looks_at: &dyn Fn(&Instr) -> bool| self.loop_.ops[..node].iter().rposition(looks_at);
        let (priority, looked_at) = match op.name() {
            "guard_not_forced_2" => (-10, None),
            "guard_overflow" | "guard_no_overflow" => {
                (100, Some(before(&|op| matches!(op.opcode.row().lift, Lift::Overflow(_)))))
            }
            "guard_no_exception" | "guard_exception" | "guard_not_forced" => {
                (100, Some(before(&|op| op.opcode.is_guard() || op.opcode.row().lift == Lift::Call)))
            }
            _ => return Ok(()),
        };
        self.graph.nodes[node].priority = priority;
        match looked_at {
            None => Ok(()),
            Some(Some(before)) => {
                self.graph.add_edge(before, node, None, false);
                Ok(())
            }
            Some(None) => refused(format!("`{}` stands behind nothing that it looks at", op.name())),
        }
    }
}

/// Whether an operation stores an item.
pub(super) fn stores(opcode: Opcode) -> bool {
    matches!(shape::access(opcode), Some(Access { stores: true, .. }))
}
