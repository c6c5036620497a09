//! The control flow of a function as a graph that can be restructured.
//!
//! A [`Vertex`] is a block, an assignment that stood on an edge, or a test; its successors are in the
//! order of what it [`Select`]s. There is one exit, to which every vertex has a way: several returns
//! assign result variables first; a loop without a way out gets one that is never taken, and on which
//! the results depend, so that the loop is not lost; a function without results has a state for one. Vertices that must end in an unreachable terminator
//! are cut off: nothing is defined there.
//!
//! A branch whose condition is not known to be 0 or 1, and a switch whose keys are not 0, 1, 2 ...,
//! become tests of one comparison each.

use hashbrown::HashSet;
use planish_base::{Components, Id};
use planish_ir::truth::is_truth;
use planish_ir::{Block, BlockCall, Function, Inst, Terminator, Value};
use planish_ops::{Int, Op};
use rustc_hash::FxBuildHasher;

/// A variable: a value of the function, or an auxiliary one. Values come first, by their ids.
pub type Variable = u32;

/// The variable of a value.
pub fn variable(value: Value) -> Variable {
    value.index() as Variable
}

/// The number that a word holds: a single bit is 0 or 1.
pub fn number(int: Int) -> i64 {
    if int.width() == 1 { int.unsigned() as i64 } else { int.signed() }
}

/// What an assignment assigns.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// The value that a variable has, or a constant of the function.
    Value(Value),
    /// The value that an auxiliary variable has.
    Auxiliary(Variable),
    /// A number.
    Number(i64),
}

/// What happens at a vertex.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum What {
    /// The instructions of a block.
    Block(Block),
    /// Variables take values, all at once.
    Assign(Vec<(Variable, Source)>),
    /// A loop: its number.
    Loop(u32),
    /// Nothing.
    Nothing,
}

/// Which successor comes next, counted from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Select {
    /// The only one.
    Only,
    /// The one that a value counts. `truth` is whether it is known to be 0 or 1.
    Value {
        /// The value.
        value: Value,
        /// Whether it is known to be 0 or 1.
        truth: bool,
    },
    /// The one that a value counts from a base.
    Offset(Value, i64),
    /// The second where a comparison of a value and a number holds.
    Compare(Op, Value, i64),
    /// The one that an auxiliary variable counts.
    Auxiliary(Variable),
    /// Always this one.
    Always(u32),
}

/// A vertex of the graph.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Vertex {
    /// What happens there.
    pub what: What,
    /// Which successor comes next.
    pub select: Select,
    /// The successors.
    pub succs: Vec<u32>,
}

/// A graph with one entry and one exit.
pub struct Flow {
    /// The vertices.
    pub vertices: Vec<Vertex>,
    /// Where control begins.
    pub entry: u32,
    /// Where it ends: without successors.
    pub exit: u32,
    /// The variables that hold the results at the exit.
    pub results: Vec<Source>,
    /// The number of variables.
    pub variables: Variable,
    /// Blocks from which the function cannot return: it runs for ever there.
    pub endless: Vec<Block>,
    /// What goes through all that must happen though nothing needs its results.
    pub state: State,
}

/// A state edge: a variable that depends on some instructions. What it holds means nothing.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct State {
    /// The variable.
    pub variable: Variable,
    /// The instructions.
    pub through: HashSet<Inst, FxBuildHasher>,
}

impl Flow {
    /// The graph of a function. One without results is given one, a state that is 0. `goes_on` is whether control
    /// always does behind an instruction.
    pub fn new(function: &Function, goes_on: &dyn Fn(Inst) -> bool) -> Self {
        let mut flow = Flow {
            vertices: Vec::new(),
            entry: 0,
            exit: 0,
            results: Vec::new(),
            variables: function.value_count() as Variable,
            endless: Vec::new(),
            state: State::default(),
        };
        flow.state.variable = flow.variable();
        let count = function.result_types().len().max(1);
        let dead = dead_blocks(function, goes_on);
        let mut first = vec![None; function.block_count()];
        for &block in function.blocks() {
            if !dead[block.index()] {
                first[block.index()] = Some(flow.add(What::Block(block), Select::Only, Vec::new()));
            }
        }
        flow.exit = flow.add(What::Nothing, Select::Only, Vec::new());
        let Some(entry) = first[function.entry().index()] else {
            // Whatever is done, nothing is defined.
            flow.entry = flow.exit;
            flow.results = vec![Source::Number(0); count];
            return flow;
        };
        flow.entry = entry;
        let results: Vec<Variable> = (0..count).map(|_| flow.variable()).collect();
        flow.results = results.iter().map(|&result| Source::Auxiliary(result)).collect();
        let mut edges = Edges { function, flow: &mut flow, first: &first, results: &results };
        for &block in function.blocks() {
            if let Some(vertex) = first[block.index()] {
                edges.terminator(block, vertex);
            }
        }
        flow.open_endless_loops(function, &results);
        flow
    }

    /// A new auxiliary variable.
    pub fn variable(&mut self) -> Variable {
        self.variables += 1;
        self.variables - 1
    }

    /// A new vertex.
    pub fn add(&mut self, what: What, select: Select, succs: Vec<u32>) -> u32 {
        self.vertices.push(Vertex { what, select, succs });
        self.vertices.len() as u32 - 1
    }

    /// The vertices that the entry reaches, in reverse postorder.
    pub fn reverse_postorder(&self) -> Vec<u32> {
        let mut seen = vec![false; self.vertices.len()];
        let mut order = Vec::with_capacity(self.vertices.len());
        let mut stack = vec![(self.entry, 0)];
        seen[self.entry as usize] = true;
        while let Some((vertex, next)) = stack.last_mut() {
            // The last successor first: so the arms of a branch come in their own order.
            let succs = &self.vertices[*vertex as usize].succs;
            *next += 1;
            match succs.len().checked_sub(*next).map(|at| succs[at]) {
                Some(succ) => {
                    if !std::mem::replace(&mut seen[succ as usize], true) {
                        stack.push((succ, 0));
                    }
                }
                None => {
                    order.push(*vertex);
                    stack.pop();
                }
            }
        }
        order.reverse();
        order
    }

    /// Gives every loop without a way out an edge to the exit that is never taken.
    fn open_endless_loops(&mut self, function: &Function, results: &[Variable]) {
        let order = self.reverse_postorder();
        let mut preds = vec![Vec::new(); self.vertices.len()];
        for &vertex in &order {
            for &succ in &self.vertices[vertex as usize].succs {
                preds[succ as usize].push(vertex);
            }
        }
        let mut leaves = vec![false; self.vertices.len()];
        leaves[self.exit as usize] = true;
        let mut work = vec![self.exit];
        while let Some(vertex) = work.pop() {
            for &pred in &preds[vertex as usize] {
                if !std::mem::replace(&mut leaves[pred as usize], true) {
                    work.push(pred);
                }
            }
        }
        let stuck: Vec<u32> = order.into_iter().filter(|&vertex| !leaves[vertex as usize]).collect();
        let blocks = |vertex: &u32| match self.vertices[*vertex as usize].what {
            What::Block(block) => Some(block),
            _ => None,
        };
        self.endless = stuck.iter().filter_map(blocks).collect();
        let mut finder = Components::new(self.vertices.len());
        let components = finder.of(&stuck, |vertex| &self.vertices[vertex as usize].succs);
        for component in components {
            let inside = |vertex: &u32| component.contains(vertex);
            let last =
                component.iter().all(|&vertex| self.vertices[vertex as usize].succs.iter().all(inside));
            if last {
                self.open(function, &component, results);
            }
        }
    }

    /// Puts a vertex on an edge of a component that goes on, and to the exit never.
    fn open(&mut self, function: &Function, component: &[u32], results: &[Variable]) {
        // The results are a state that goes around the loop if there is one, else something that the
        // loop makes.
        let state = component.iter().find_map(|&vertex| {
            let What::Block(block) = self.vertices[vertex as usize].what else { return None };
            let inst = function.block_insts(block).iter().find(|&&inst| function.inst(inst).op == Op::Use)?;
            Some(function.result(*inst))
        });
        let (what, source) = match state {
            Some(value) => (What::Nothing, Source::Value(value)),
            None => {
                let made = self.variable();
                (What::Assign(vec![(made, Source::Number(0))]), Source::Auxiliary(made))
            }
        };
        let taken = results.iter().map(|&result| (result, source)).collect();
        let leave = self.add(What::Assign(taken), Select::Only, vec![self.exit]);
        let head = component[0];
        let back =
            component.iter().copied().rfind(|&vertex| self.vertices[vertex as usize].succs.contains(&head));
        let back = back.expect("a component that cannot be left goes around");
        let test = self.add(what, Select::Always(0), vec![head, leave]);
        for succ in self.vertices[back as usize].succs.iter_mut().filter(|succ| **succ == head) {
            *succ = test;
        }
    }
}

/// Blocks that must end in an unreachable terminator, and do nothing that may keep them from it.
fn dead_blocks(function: &Function, goes_on: &dyn Fn(Inst) -> bool) -> Vec<bool> {
    let goes_on = |block: Block| function.block_insts(block).iter().all(|&inst| goes_on(inst));
    let mut dead = vec![false; function.block_count()];
    let mut preds = vec![Vec::new(); function.block_count()];
    let mut living = vec![0usize; function.block_count()];
    let mut work = Vec::new();
    for &block in function.blocks() {
        for call in function.block_calls(block) {
            preds[call.block.index()].push(block);
            living[block.index()] += 1;
        }
        if *function.terminator(block) == Terminator::Unreachable && goes_on(block) {
            dead[block.index()] = true;
            work.push(block);
        }
    }
    while let Some(block) = work.pop() {
        for &pred in &preds[block.index()] {
            living[pred.index()] -= 1;
            if living[pred.index()] == 0 && goes_on(pred) {
                dead[pred.index()] = true;
                work.push(pred);
            }
        }
    }
    dead
}

/// Makes the successors of blocks.
struct Edges<'a> {
    function: &'a Function,
    flow: &'a mut Flow,
    /// The vertices of blocks; none for dead ones.
    first: &'a [Option<u32>],
    results: &'a [Variable],
}

impl Edges<'_> {
    fn terminator(&mut self, block: Block, vertex: u32) {
        let function = self.function;
        let (select, succs) = match function.terminator(block) {
            Terminator::Jump(call) => (Select::Only, self.edge(*call).into_iter().collect()),
            Terminator::Branch { condition, then, other } => {
                let (other, then) = (self.edge(*other), self.edge(*then));
                match (other, then) {
                    (Some(other), Some(then)) => self.branch(*condition, other, then),
                    (only, None) | (None, only) => (Select::Only, only.into_iter().collect()),
                }
            }
            Terminator::Switch { on, cases, default } => {
                let default = self.edge(*default);
                let mut keyed: Vec<(i64, u32)> = (cases.iter())
                    .filter_map(|(key, call)| Some((number(*key), self.edge(*call).or(default)?)))
                    .collect();
                keyed.sort_unstable();
                self.search(*on, &keyed, default)
            }
            Terminator::Return(values) => (Select::Only, vec![self.leave(function.list(*values))]),
            Terminator::Throw(..) | Terminator::Unreachable => (Select::Only, Vec::new()),
        };
        // Where nothing is defined behind something that happens, the results are anything.
        let succs = if succs.is_empty() { vec![self.leave(&[])] } else { succs };
        let data = &mut self.flow.vertices[vertex as usize];
        (data.select, data.succs) = (select, succs);
    }

    /// A vertex that leaves with results; missing ones are 0.
    fn leave(&mut self, values: &[Value]) -> u32 {
        let values = values.iter().map(|&value| Source::Value(value));
        let values = values.chain(std::iter::repeat(Source::Number(0)));
        let taken = self.results.iter().copied().zip(values).collect();
        let exit = self.flow.exit;
        self.flow.add(What::Assign(taken), Select::Only, vec![exit])
    }

    /// The vertex to which an edge leads; none where nothing is defined.
    fn edge(&mut self, call: BlockCall) -> Option<u32> {
        let target = self.first[call.block.index()]?;
        let params = self.function.block_params(call.block);
        if params.is_empty() {
            return Some(target);
        }
        let args = self.function.list(call.args).iter().map(|&arg| Source::Value(arg));
        let taken = params.iter().map(|&param| variable(param)).zip(args).collect();
        Some(self.flow.add(What::Assign(taken), Select::Only, vec![target]))
    }

    fn branch(&mut self, condition: Value, other: u32, then: u32) -> (Select, Vec<u32>) {
        if let Some(known) = self.function.int_constant(condition) {
            return (Select::Always(u32::from(known.is_true())), vec![other, then]);
        }
        if is_truth(self.function, condition) {
            return (Select::Value { value: condition, truth: true }, vec![other, then]);
        }
        (Select::Compare(Op::Eq, condition, 0), vec![then, other])
    }

    /// Goes to the vertex whose key a value equals. Keys are in order; without a default, one is equal.
    fn search(&mut self, on: Value, cases: &[(i64, u32)], default: Option<u32>) -> (Select, Vec<u32>) {
        let count = cases.len() as i64;
        let [(first, _), ..] = *cases else { return (Select::Only, default.into_iter().collect()) };
        let (last, _) = cases[cases.len() - 1];
        if cases.len() == 1 && default.is_none() {
            return (Select::Only, vec![cases[0].1]);
        }
        let targets = || cases.iter().map(|(_, target)| *target).collect();
        let dense = last.checked_sub(first) == Some(count - 1);
        if dense && default.is_none() {
            let truth = count == 2 && first == 0 && is_truth(self.function, on);
            let select =
                if first == 0 { Select::Value { value: on, truth } } else { Select::Offset(on, first) };
            return (select, targets());
        }
        if let Some(default) = default.filter(|_| dense && count > 3) {
            let select = if first == 0 {
                Select::Value { value: on, truth: false }
            } else {
                Select::Offset(on, first)
            };
            let table = self.flow.add(What::Nothing, select, targets());
            let below = self.flow.add(What::Nothing, Select::Compare(Op::Gt, on, last), vec![table, default]);
            return (Select::Compare(Op::Lt, on, first), vec![below, default]);
        }
        if count <= 3 {
            let (key, target) = cases[0];
            let (select, succs) = self.search(on, &cases[1..], default);
            let rest = match (select, succs.as_slice()) {
                (Select::Only, [only]) => *only,
                _ => self.flow.add(What::Nothing, select, succs),
            };
            return (Select::Compare(Op::Eq, on, key), vec![rest, target]);
        }
        let (left, right) = cases.split_at(cases.len() / 2);
        let (select, succs) = self.search(on, left, default);
        let low = self.flow.add(What::Nothing, select, succs);
        let (select, succs) = self.search(on, right, default);
        let high = self.flow.add(What::Nothing, select, succs);
        (Select::Compare(Op::Lt, on, right[0].0), vec![high, low])
    }
}
