//! The pre-SSA control-flow graph, called a draft: functions over variables that may be assigned more than once.
//!
//! Text languages write variables, not values. A [`Draft`] is what a reader of such a language makes
//! before SSA exists ([`construct`](crate::construct) turns it into a [`Function`](crate::Function)),
//! and what a writer needs after SSA is gone ([`destruct`](crate::destruct) makes it from one). It is
//! plain data: nodes of steps, each node with one end. A draft has no side exits; operations that
//! leave belong to dialects that lift to SSA by themselves.
//!
//! ```
//! use planish_ir::draft::{Draft, End, Operand, Step};
//! use planish_ops::{Int, Op, Type};
//!
//! let mut draft = Draft::new("next", &[Type::I64]);
//! let x = draft.variable("x", Type::I64);
//! draft.params.push(x);
//! let entry = draft.node("entry");
//! let one = Operand::from(Int::new(64, 1));
//! draft.op(entry, Op::Add, &[x.into(), one], &[x]);
//! draft.nodes[entry].end = End::Return(vec![x.into()]);
//! let function = planish_ir::construct::construct(draft).function;
//! assert_eq!(function.params().len(), 1);
//! ```

use std::collections::VecDeque;

use planish_base::{Arena, Id, List, ListPool};
use planish_ops::world::Descr;
use planish_ops::{Int, Op, Type};

use crate::constant::Const;

planish_base::define_id!(
    /// A variable of a draft.
    Variable, "x"
);
planish_base::define_id!(
    /// A node of a draft: steps without branches between them.
    Node, "n"
);

/// What a step reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Operand {
    /// The value that a variable has.
    Var(Variable),
    /// A constant.
    Const(Const),
}

impl From<Variable> for Operand {
    fn from(variable: Variable) -> Self {
        Operand::Var(variable)
    }
}

impl From<Int> for Operand {
    fn from(int: Int) -> Self {
        Operand::Const(int.into())
    }
}

/// One step of a node.
#[derive(Clone, Copy, Debug)]
pub enum Step {
    /// A variable takes a value.
    Move {
        /// The variable.
        to: Variable,
        /// The value.
        from: Operand,
    },
    /// Variables take the results of an operation.
    Op {
        /// The operation.
        op: Op,
        /// Its operands.
        args: List<Operand>,
        /// One variable for each result.
        results: List<Variable>,
        /// The callee or other thing that the operation names.
        descr: Option<Descr>,
    },
}

/// How a node ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum End {
    /// Goes on at a node.
    Goto(Node),
    /// Goes on at `then` where the condition is not zero, else at `other`.
    Branch {
        /// The condition.
        condition: Operand,
        /// Where to go on when it is not zero.
        then: Node,
        /// Where to go on when it is zero.
        other: Node,
    },
    /// Goes on at the case whose key the value equals, else at the default.
    Switch {
        /// The value that is compared.
        on: Operand,
        /// Keys, all different.
        cases: Box<[(Int, Node)]>,
        /// Where to go on when no key is equal.
        default: Node,
    },
    /// Leaves with results.
    Return(Vec<Operand>),
    /// Cannot be reached.
    Unreachable,
}

impl End {
    /// The nodes to which it goes, in the order zero, not zero; cases, default.
    pub fn targets(&self) -> impl Iterator<Item = Node> + '_ {
        let (first, cases, last) = match self {
            End::Goto(node) => (Some(*node), [].as_slice(), None),
            End::Branch { then, other, .. } => (Some(*other), [].as_slice(), Some(*then)),
            End::Switch { cases, default, .. } => (None, &**cases, Some(*default)),
            End::Return(_) | End::Unreachable => (None, [].as_slice(), None),
        };
        first.into_iter().chain(cases.iter().map(|(_, node)| *node)).chain(last)
    }

    /// The same, to change in place.
    pub fn targets_mut(&mut self) -> impl Iterator<Item = &mut Node> + '_ {
        let (first, cases, last) = match self {
            End::Goto(node) => (Some(node), [].as_mut_slice(), None),
            End::Branch { then, other, .. } => (Some(other), [].as_mut_slice(), Some(then)),
            End::Switch { cases, default, .. } => (None, &mut **cases, Some(default)),
            End::Return(_) | End::Unreachable => (None, [].as_mut_slice(), None),
        };
        first.into_iter().chain(cases.iter_mut().map(|(_, node)| node)).chain(last)
    }

    /// What it reads.
    pub fn operands(&self) -> impl Iterator<Item = Operand> + '_ {
        let (one, many) = match self {
            End::Branch { condition, .. } => (Some(*condition), [].as_slice()),
            End::Switch { on, .. } => (Some(*on), [].as_slice()),
            End::Return(results) => (None, results.as_slice()),
            End::Goto(_) | End::Unreachable => (None, [].as_slice()),
        };
        one.into_iter().chain(many.iter().copied())
    }
}

/// A node of a draft.
#[derive(Clone, Debug)]
pub struct NodeData {
    /// The name that it has in the source, or none.
    pub name: String,
    /// What happens in it, in order.
    pub steps: Vec<Step>,
    /// How it ends.
    pub end: End,
}

/// A variable of a draft.
#[derive(Clone, Debug)]
pub struct VariableData {
    /// The name that it has in the source, or none.
    pub name: String,
    /// The type of its values.
    pub ty: Type,
}

/// A variable that is assigned once, a reference to a function, and the values that are the last parameters of that function
/// whenever it is called through the variable.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Closure {
    /// The variable.
    pub variable: Variable,
    /// The values.
    pub values: Vec<Operand>,
}

/// A function over variables.
#[derive(Clone, Debug)]
pub struct Draft {
    /// The name of the function.
    pub name: String,
    /// The types of its results.
    pub result_types: Vec<Type>,
    /// The variables that hold the arguments at the start.
    pub params: Vec<Variable>,
    /// How many of the last parameters are for the values of closures.
    pub captured: usize,
    /// Whether it is called by whoever runs the program, who knows of no closures.
    pub is_exported: bool,
    /// The closures that are made in it.
    pub closures: Vec<Closure>,
    /// All variables.
    pub variables: Arena<Variable, VariableData>,
    /// All nodes. The first is the entry.
    pub nodes: Arena<Node, NodeData>,
    operands: ListPool<Operand>,
    results: ListPool<Variable>,
}

/// A path on which a variable is read before anything was assigned to it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UnassignedRead {
    /// The nodes from the entry to the one that reads.
    pub path: Vec<Node>,
    /// The position of the step that reads; the number of steps when the end of the node reads.
    pub step: usize,
}

impl Draft {
    /// A draft without nodes.
    pub fn new(name: &str, result_types: &[Type]) -> Self {
        Draft {
            name: name.to_owned(),
            result_types: result_types.to_vec(),
            params: Vec::new(),
            captured: 0,
            is_exported: false,
            closures: Vec::new(),
            variables: Arena::new(),
            nodes: Arena::new(),
            operands: ListPool::new(),
            results: ListPool::new(),
        }
    }

    /// A new variable.
    pub fn variable(&mut self, name: &str, ty: Type) -> Variable {
        self.variables.push(VariableData { name: name.to_owned(), ty })
    }

    /// A new node without steps, which ends as unreachable until told otherwise.
    pub fn node(&mut self, name: &str) -> Node {
        self.nodes.push(NodeData { name: name.to_owned(), steps: Vec::new(), end: End::Unreachable })
    }

    /// Where the function begins.
    pub fn entry(&self) -> Node {
        Node::from_index(0)
    }

    /// Appends an operation to a node.
    pub fn op(&mut self, node: Node, op: Op, args: &[Operand], results: &[Variable]) {
        self.op_named(node, op, args, results, None);
    }

    /// Appends an operation that names something to a node.
    pub fn op_named(
        &mut self,
        node: Node,
        op: Op,
        args: &[Operand],
        results: &[Variable],
        descr: Option<Descr>,
    ) {
        let (args, results) = (self.operands.push(args), self.results.push(results));
        self.nodes[node].steps.push(Step::Op { op, args, results, descr });
    }

    /// Appends a move to a node.
    pub fn assign(&mut self, node: Node, to: Variable, from: Operand) {
        self.nodes[node].steps.push(Step::Move { to, from });
    }

    /// Replaces the n-th operand of a step, or of the end of a node, if that is the number of the step.
    pub(crate) fn set_operand(&mut self, node: Node, step: usize, position: usize, new: Operand) {
        let data = &mut self.nodes[node];
        let operand = match (data.steps.get_mut(step), &mut data.end) {
            (Some(Step::Move { from, .. }), _) => from,
            (Some(Step::Op { args, .. }), _) => &mut self.operands.get_mut(*args)[position],
            (None, End::Return(results)) => &mut results[position],
            (None, End::Branch { condition: operand, .. } | End::Switch { on: operand, .. }) => operand,
            (None, End::Goto(_) | End::Unreachable) => return,
        };
        *operand = new;
    }

    /// Changes what steps, ends and closures read.
    pub(crate) fn map_reads(&mut self, mut change: impl FnMut(&mut Operand)) {
        for data in self.nodes.values_mut() {
            for step in &mut data.steps {
                match step {
                    Step::Move { from, .. } => change(from),
                    Step::Op { args, .. } => self.operands.get_mut(*args).iter_mut().for_each(&mut change),
                }
            }
            match &mut data.end {
                End::Branch { condition: operand, .. } | End::Switch { on: operand, .. } => change(operand),
                End::Return(results) => results.iter_mut().for_each(&mut change),
                End::Goto(_) | End::Unreachable => {}
            }
        }
        self.closures.iter_mut().flat_map(|closure| &mut closure.values).for_each(change);
    }

    /// Gives calls through references the descriptor of the types of their operands and results.
    pub(crate) fn name_calls(&mut self, mut name: impl FnMut(&[Type], &[Type]) -> Descr) {
        let Draft { nodes, operands, results: pool, variables, .. } = self;
        for step in nodes.values_mut().flat_map(|node| &mut node.steps) {
            let Step::Op { op: Op::CallRef, args, results, descr } = step else { continue };
            let given = operands.get(*args)[1..].iter().map(|&operand| match operand {
                Operand::Var(variable) => variables[variable].ty,
                Operand::Const(constant) => constant.ty(),
            });
            let given: Vec<Type> = given.collect();
            let taken: Vec<Type> = pool.get(*results).iter().map(|&result| variables[result].ty).collect();
            *descr = Some(name(&given, &taken));
        }
    }

    /// The operands of a step's list.
    pub fn args(&self, list: List<Operand>) -> &[Operand] {
        self.operands.get(list)
    }

    /// The same, to change in place.
    pub(crate) fn args_mut(&mut self, list: List<Operand>) -> &mut [Operand] {
        self.operands.get_mut(list)
    }

    /// The results of a step's list.
    pub fn results(&self, list: List<Variable>) -> &[Variable] {
        self.results.get(list)
    }

    /// What a step reads.
    pub fn step_reads<'a>(&'a self, step: &'a Step) -> &'a [Operand] {
        match step {
            Step::Move { from, .. } => std::slice::from_ref(from),
            Step::Op { args, .. } => self.operands.get(*args),
        }
    }

    /// What a step assigns.
    pub fn step_writes<'a>(&'a self, step: &'a Step) -> &'a [Variable] {
        match step {
            Step::Move { to, .. } => std::slice::from_ref(to),
            Step::Op { results, .. } => self.results.get(*results),
        }
    }

    /// The nodes that the entry reaches, in reverse postorder.
    pub fn reverse_postorder(&self) -> Vec<Node> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut seen = vec![false; self.nodes.len()];
        // The last target first, so that the first comes first in the reverse.
        let targets = |node: Node| self.nodes[node].end.targets().collect::<Vec<_>>().into_iter().rev();
        let mut stack = vec![(self.entry(), targets(self.entry()))];
        seen[self.entry().index()] = true;
        while let Some((node, rest)) = stack.last_mut() {
            match rest.next() {
                Some(next) if !seen[next.index()] => {
                    seen[next.index()] = true;
                    stack.push((next, targets(next)));
                }
                Some(_) => {}
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// Puts the nodes in reverse postorder and drops those that the entry does not reach.
    pub fn sort(&mut self) {
        let order = self.reverse_postorder();
        let mut position = vec![None; self.nodes.len()];
        for (i, node) in order.iter().enumerate() {
            position[node.index()] = Some(Node::from_index(i));
        }
        let old = std::mem::take(&mut self.nodes);
        let mut moved: Vec<Option<NodeData>> = old.into_values().map(Some).collect();
        for node in order {
            let Some(mut data) = moved[node.index()].take() else { continue };
            for target in data.end.targets_mut() {
                *target = position[target.index()].expect("a target of a reached node is reached");
            }
            self.nodes.push(data);
        }
    }

    /// A shortest path from the entry to a read of a variable with no assignment on the way. O(size).
    pub fn unassigned_read(&self, variable: Variable) -> Option<UnassignedRead> {
        if self.params.contains(&variable) {
            return None;
        }
        let wanted = Operand::Var(variable);
        let mut parent: Vec<Option<Node>> = vec![None; self.nodes.len()];
        let mut seen = vec![false; self.nodes.len()];
        let mut queue = VecDeque::from([self.entry()]);
        seen[self.entry().index()] = true;
        while let Some(node) = queue.pop_front() {
            let data = &self.nodes[node];
            let found = data.steps.iter().enumerate().find_map(|(i, step)| {
                if self.step_reads(step).contains(&wanted) {
                    Some(Some(i))
                } else {
                    self.step_writes(step).contains(&variable).then_some(None)
                }
            });
            let read = match found {
                Some(None) => continue,
                Some(Some(step)) => Some(step),
                None => data.end.operands().any(|o| o == wanted).then_some(data.steps.len()),
            };
            if let Some(step) = read {
                let mut path = vec![node];
                while let Some(before) = parent[path[path.len() - 1].index()] {
                    path.push(before);
                }
                path.reverse();
                return Some(UnassignedRead { path, step });
            }
            for next in data.end.targets() {
                if !std::mem::replace(&mut seen[next.index()], true) {
                    parent[next.index()] = Some(node);
                    queue.push_back(next);
                }
            }
        }
        None
    }
}
