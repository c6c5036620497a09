//! SSA construction (Braun and others, CC 2013): from variables to block parameters where values meet.
//!
//! The method of Braun, Buchwald, Hack, Leißa, Mallon and Zwinkau ("Simple and Efficient Construction
//! of Static Single Assignment Form", CC 2013), with the whole graph known in advance: a variable is
//! looked up from its reads, a node with several predecessors gets a phi, and superfluous phis go at
//! the end by strongly connected components, so that the result is minimal for irreducible graphs too.
//! A variable that is assigned once, on the way to the read, needs no lookup. Nothing recurses. Nodes that the entry does not reach are left out.
//!
//! A variable that some path leaves unassigned reads as zero there, and is reported in
//! [`Constructed::unassigned`]: whether that is an error is the dialect's to say.

use hashbrown::HashMap;
use planish_base::{Arena, Id};
use planish_ops::{Int, Op, Real, Type};
use rustc_hash::FxBuildHasher;

use crate::builder::Builder;
use crate::constant::Const;
use crate::dominators::Dominators;
use crate::draft::{Draft, End, Node, Operand, Step, Variable};
use crate::function::{Block, BlockCall, Function, Terminator, Value};
use crate::graph::Graph;

planish_base::define_id!(
    /// What a variable can stand for at some place.
    Origin, "o"
);

/// What a variable can stand for.
enum Source {
    /// The n-th argument.
    Param(usize),
    /// The n-th result of a step.
    Result,
    /// A constant.
    Const(Const),
    /// Nothing was assigned.
    Unassigned(Variable),
    /// What arrives from the predecessors of a node, in their order.
    Phi { node: Node, operands: Vec<Origin> },
}

/// A function, and what its variables lacked.
pub struct Constructed {
    /// The function.
    pub function: Function,
    /// Variables that are read where some path has assigned nothing, in order of first such read.
    pub unassigned: Vec<Variable>,
}

/// Turns a draft into SSA. Near linear in the size of the draft and of its live ranges.
pub fn construct(draft: Draft) -> Constructed {
    let mut draft = draft;
    separate_entry(&mut draft);
    let order = draft.reverse_postorder();
    let mut renamer = Renamer::new(&draft, &order);
    renamer.rename(&order);
    renamer.fill();
    renamer.simplify();
    renamer.emit(&order)
}

/// The entry's parameters are the function's, so nothing may jump there.
fn separate_entry(draft: &mut Draft) {
    let entry = draft.entry();
    if !draft.nodes.values().any(|node| node.end.targets().any(|target| target == entry)) {
        return;
    }
    let moved = draft.nodes.push(draft.nodes[entry].clone());
    for node in draft.nodes.values_mut() {
        node.end.targets_mut().filter(|target| **target == entry).for_each(|target| *target = moved);
    }
    let first = &mut draft.nodes[entry];
    first.name.clear();
    first.steps.clear();
    first.end = End::Goto(moved);
}

/// The node of the only assignment of each variable; none where there are several, or none.
fn single_assignments(draft: &Draft, order: &[Node]) -> Vec<Option<Node>> {
    let mut single = vec![None; draft.variables.len()];
    let mut several = vec![false; draft.variables.len()];
    let params = draft.params.iter().map(|&param| (param, draft.entry()));
    let steps = order.iter().flat_map(|&node| {
        let steps = draft.nodes[node].steps.iter();
        steps.flat_map(move |step| draft.step_writes(step).iter().map(move |&variable| (variable, node)))
    });
    for (variable, node) in params.chain(steps) {
        several[variable.index()] |= single[variable.index()].replace(node).is_some();
    }
    single.iter_mut().zip(several).filter(|(_, several)| *several).for_each(|(node, _)| *node = None);
    single
}

struct Renamer<'a> {
    draft: &'a Draft,
    preds: Vec<Vec<Node>>,
    /// The node that assigns a variable, if only one does and only once.
    single: Vec<Option<Node>>,
    dominators: Dominators,
    /// The number of a node in reverse postorder.
    number: Vec<u32>,
    origins: Arena<Origin, Source>,
    /// The value of a variable at the end of a node, as far as it is known.
    current: HashMap<(Node, Variable), Origin, FxBuildHasher>,
    constants: HashMap<Const, Origin, FxBuildHasher>,
    /// Phis with their variables; their operands are filled in order.
    phis: Vec<(Origin, Variable)>,
    /// What replaces a superfluous phi.
    replaced: Vec<Option<Origin>>,
    /// What each operand of each step and end reads, in the order of renaming.
    reads: Vec<Origin>,
    /// The first result of each step, in the order of renaming.
    results: Vec<Origin>,
    unassigned: HashMap<Variable, Origin, FxBuildHasher>,
}

impl<'a> Renamer<'a> {
    fn new(draft: &'a Draft, order: &[Node]) -> Self {
        let mut preds = vec![Vec::new(); draft.nodes.len()];
        for &node in order {
            for target in draft.nodes[node].end.targets() {
                preds[target.index()].push(node);
            }
        }
        let mut number = vec![0; draft.nodes.len()];
        order.iter().zip(0..).for_each(|(node, i)| number[node.index()] = i);
        let mut edges = Vec::new();
        for &node in order {
            edges.extend(preds[node.index()].iter().map(|pred| (number[node.index()], number[pred.index()])));
        }
        let dominators = Dominators::new(&Graph::new(order.len(), &edges));
        Renamer {
            draft,
            preds,
            single: single_assignments(draft, order),
            dominators,
            number,
            origins: Arena::new(),
            current: HashMap::default(),
            constants: HashMap::default(),
            phis: Vec::new(),
            replaced: Vec::new(),
            reads: Vec::new(),
            results: Vec::new(),
            unassigned: HashMap::default(),
        }
    }

    fn rename(&mut self, order: &[Node]) {
        let draft = self.draft;
        for (i, &param) in draft.params.iter().enumerate() {
            let origin = self.origins.push(Source::Param(i));
            self.current.insert((draft.entry(), param), origin);
        }
        for &node in order {
            for step in &draft.nodes[node].steps {
                for &operand in draft.step_reads(step) {
                    let origin = self.operand(node, operand);
                    self.reads.push(origin);
                }
                match step {
                    Step::Move { to, .. } => {
                        let origin = self.reads.pop().expect("a move reads one operand");
                        self.current.insert((node, *to), origin);
                    }
                    Step::Op { results, .. } => {
                        for &result in draft.results(*results) {
                            let origin = self.origins.push(Source::Result);
                            self.results.push(origin);
                            self.current.insert((node, result), origin);
                        }
                    }
                }
            }
            for operand in draft.nodes[node].end.operands() {
                let origin = self.operand(node, operand);
                self.reads.push(origin);
            }
        }
    }

    fn operand(&mut self, node: Node, operand: Operand) -> Origin {
        match operand {
            Operand::Var(variable) => self.read(node, variable),
            Operand::Const(constant) => {
                let origins = &mut self.origins;
                *self.constants.entry(constant).or_insert_with(|| origins.push(Source::Const(constant)))
            }
        }
    }

    /// The value of a variable at the end of a node (of what is renamed of it so far).
    fn read(&mut self, node: Node, variable: Variable) -> Origin {
        // What is assigned once has that value wherever the assignment dominates.
        if let Some(home) = self.single[variable.index()]
            && home != node
            && self.dominators.dominates(self.number[home.index()], self.number[node.index()])
        {
            return self.current[&(home, variable)];
        }
        let (mut at, mut path) = (node, Vec::new());
        let origin = loop {
            if let Some(&origin) = self.current.get(&(at, variable)) {
                break origin;
            }
            match *self.preds[at.index()].as_slice() {
                [] => {
                    let origins = &mut self.origins;
                    let fresh = || origins.push(Source::Unassigned(variable));
                    break *self.unassigned.entry(variable).or_insert_with(fresh);
                }
                [only] => {
                    path.push(at);
                    at = only;
                }
                _ => {
                    let phi = self.origins.push(Source::Phi { node: at, operands: Vec::new() });
                    self.phis.push((phi, variable));
                    self.current.insert((at, variable), phi);
                    break phi;
                }
            }
        };
        for node in path {
            self.current.insert((node, variable), origin);
        }
        origin
    }

    /// Looks up the operands of all phis, which may make new ones.
    fn fill(&mut self) {
        let mut next = 0;
        while let Some(&(phi, variable)) = self.phis.get(next) {
            let Source::Phi { node, .. } = self.origins[phi] else { unreachable!("a phi is a phi") };
            let arriving = (0..self.preds[node.index()].len())
                .map(|i| self.read(self.preds[node.index()][i], variable))
                .collect();
            self.origins[phi] = Source::Phi { node, operands: arriving };
            next += 1;
        }
        self.replaced = vec![None; self.origins.len()];
    }

    fn find(&mut self, mut origin: Origin) -> Origin {
        let mut root = origin;
        while let Some(next) = self.replaced[root.index()] {
            root = next;
        }
        while let Some(next) = self.replaced[origin.index()].replace(root).filter(|_| origin != root) {
            origin = next;
        }
        self.replaced[root.index()] = None;
        root
    }

    /// Replaces sets of phis that stand for one value from outside the set.
    fn simplify(&mut self) {
        let mut left: Vec<Origin> = self.phis.iter().map(|&(phi, _)| phi).collect();
        let mut member = vec![0u32; self.origins.len()];
        let mut stamp = 0;
        loop {
            let mut again = false;
            let mut work = vec![left.clone()];
            while let Some(set) = work.pop() {
                let whole = set.len() == left.len();
                for component in self.components(&set) {
                    stamp += 1;
                    component.iter().for_each(|phi| member[phi.index()] = stamp);
                    let (mut outside, mut several, mut inner) = (None, false, Vec::new());
                    for &phi in &component {
                        let mut only_inside = true;
                        for i in 0..self.phi_operands(phi).len() {
                            let operand = self.find(self.phi_operands(phi)[i]);
                            if member[operand.index()] != stamp {
                                only_inside = false;
                                several |= *outside.get_or_insert(operand) != operand;
                            }
                        }
                        if only_inside {
                            inner.push(phi);
                        }
                    }
                    match outside {
                        Some(value) if !several => {
                            component.iter().for_each(|phi| self.replaced[phi.index()] = Some(value));
                            // What is left of an outer component may have become superfluous too.
                            again |= !whole;
                        }
                        _ if inner.len() < component.len() && !inner.is_empty() => work.push(inner),
                        _ => {}
                    }
                }
            }
            if !again {
                return;
            }
            left.retain(|phi| self.replaced[phi.index()].is_none());
        }
    }

    fn phi_operands(&self, phi: Origin) -> &[Origin] {
        match &self.origins[phi] {
            Source::Phi { operands, .. } => operands,
            _ => &[],
        }
    }

    /// The strongly connected components of a set of phis, those first that others read (Tarjan 1972).
    fn components(&mut self, set: &[Origin]) -> Vec<Vec<Origin>> {
        const UNSEEN: u32 = u32::MAX;
        let mut index = HashMap::<Origin, u32, FxBuildHasher>::default();
        index.extend(set.iter().zip(0u32..).map(|(&phi, i)| (phi, i)));
        let mut order = vec![UNSEEN; set.len()];
        let (mut low, mut on_stack) = (vec![UNSEEN; set.len()], vec![false; set.len()]);
        let (mut stack, mut components, mut clock) = (Vec::new(), Vec::new(), 0);
        for start in 0..set.len() {
            if order[start] != UNSEEN {
                continue;
            }
            let mut frames = vec![(start, 0)];
            while let Some(&mut (at, ref mut edge)) = frames.last_mut() {
                if *edge == 0 {
                    (order[at], low[at], on_stack[at]) = (clock, clock, true);
                    clock += 1;
                    stack.push(at);
                }
                let next = self.phi_operands(set[at]).get(*edge).copied();
                *edge += 1;
                if let Some(operand) = next {
                    let operand = self.find(operand);
                    match index.get(&operand).map(|&to| to as usize) {
                        Some(to) if order[to] == UNSEEN => frames.push((to, 0)),
                        Some(to) if on_stack[to] => low[at] = low[at].min(order[to]),
                        _ => {}
                    }
                    continue;
                }
                frames.pop();
                if let Some(&(parent, _)) = frames.last() {
                    low[parent] = low[parent].min(low[at]);
                }
                if low[at] == order[at] {
                    let bottom = stack.iter().rposition(|&member| member == at).expect("it was pushed");
                    let component = stack.split_off(bottom);
                    component.iter().for_each(|&member| on_stack[member] = false);
                    components.push(component.into_iter().map(|member| set[member]).collect());
                }
            }
        }
        components
    }

    fn emit(mut self, order: &[Node]) -> Constructed {
        let draft = self.draft;
        let mut builder = Builder::new(&draft.name, &draft.result_types);
        let mut blocks: Vec<Option<Block>> = vec![None; draft.nodes.len()];
        let mut reached = vec![false; draft.nodes.len()];
        order.iter().for_each(|node| reached[node.index()] = true);
        for (node, data) in draft.nodes.iter().filter(|(node, _)| reached[node.index()]) {
            blocks[node.index()] = Some(builder.block(&data.name));
        }
        let mut emitter = Emitter {
            values: vec![None; self.origins.len()],
            phis_of: vec![Vec::new(); draft.nodes.len()],
            edges: vec![0; draft.nodes.len()],
            blocks,
            builder,
        };
        let unassigned = self.place_sources(&mut emitter);
        let (mut reads, mut results) = (0, 0);
        for &node in order {
            let data = &draft.nodes[node];
            emitter.builder.at(emitter.block(node));
            for step in &data.steps {
                let Step::Op { op, args, results: variables, descr } = step else { continue };
                let args = self.next_reads(&emitter, &mut reads, draft.args(*args).len());
                let variables = draft.results(*variables);
                let types: Vec<Type> = variables.iter().map(|&v| draft.variables[v].ty).collect();
                let named = named_types(*op, &types);
                let inst = emitter.builder.inst(*op, &args, &named, *descr, None);
                let made: Vec<Value> = emitter.builder.function().results(inst).collect();
                assert_eq!(made.len(), variables.len(), "{op} has one variable for each result");
                for value in made {
                    emitter.values[self.results[results].index()] = Some(value);
                    results += 1;
                }
            }
            let operands = self.next_reads(&emitter, &mut reads, data.end.operands().count());
            self.end(&mut emitter, &data.end, &operands);
        }
        Constructed { function: emitter.builder.finish(), unassigned }
    }

    /// Gives arguments, constants and phis their values. Returns the variables that lack some.
    fn place_sources(&mut self, emitter: &mut Emitter) -> Vec<Variable> {
        let draft = self.draft;
        let entry = emitter.block(draft.entry());
        let params: Vec<Value> =
            draft.params.iter().map(|&p| emitter.builder.param(entry, draft.variables[p].ty)).collect();
        let mut unassigned = Vec::new();
        for (origin, source) in self.origins.iter() {
            emitter.values[origin.index()] = match source {
                Source::Param(i) => Some(params[*i]),
                Source::Const(constant) => Some(emitter.builder.constant(*constant)),
                Source::Unassigned(variable) => {
                    unassigned.push(*variable);
                    Some(emitter.builder.constant(zero(draft.variables[*variable].ty)))
                }
                Source::Result | Source::Phi { .. } => None,
            };
        }
        for &(phi, variable) in &self.phis {
            if self.replaced[phi.index()].is_none()
                && let Source::Phi { node, .. } = self.origins[phi]
            {
                let block = emitter.block(node);
                emitter.values[phi.index()] =
                    Some(emitter.builder.param(block, draft.variables[variable].ty));
                emitter.phis_of[node.index()].push(phi);
            }
        }
        unassigned
    }

    fn next_reads(&mut self, emitter: &Emitter, next: &mut usize, count: usize) -> Vec<Value> {
        let range = *next..*next + count;
        *next = range.end;
        range.map(|i| self.value(emitter, self.reads[i])).collect()
    }

    fn value(&mut self, emitter: &Emitter, origin: Origin) -> Value {
        emitter.values[self.find(origin).index()].expect("a definition dominates its uses")
    }

    fn end(&mut self, emitter: &mut Emitter, end: &End, operands: &[Value]) {
        let calls: Vec<BlockCall> = end.targets().map(|target| self.call(emitter, target)).collect();
        let builder = &mut emitter.builder;
        match end {
            End::Goto(_) => builder.terminate(Terminator::Jump(calls[0])),
            End::Branch { .. } => {
                let (condition, then, other) = (operands[0], calls[1], calls[0]);
                builder.terminate(Terminator::Branch { condition, then, other });
            }
            End::Switch { cases, .. } => {
                let keyed = cases.iter().map(|(key, _)| *key).zip(calls.iter().copied()).collect();
                let default = calls[cases.len()];
                builder.terminate(Terminator::Switch { on: operands[0], cases: keyed, default });
            }
            End::Return(_) => builder.ret(operands),
            End::Unreachable => builder.terminate(Terminator::Unreachable),
        }
    }

    /// The next edge to a node. Edges are met in the order in which the predecessors were listed.
    fn call(&mut self, emitter: &mut Emitter, target: Node) -> BlockCall {
        let edge = emitter.edges[target.index()];
        emitter.edges[target.index()] += 1;
        let args: Vec<Value> = (0..emitter.phis_of[target.index()].len())
            .map(|i| self.phi_operands(emitter.phis_of[target.index()][i])[edge])
            .collect::<Vec<Origin>>()
            .into_iter()
            .map(|operand| self.value(emitter, operand))
            .collect();
        let block = emitter.block(target);
        emitter.builder.call(block, &args)
    }
}

/// The function while it is written.
struct Emitter {
    builder: Builder,
    blocks: Vec<Option<Block>>,
    values: Vec<Option<Value>>,
    phis_of: Vec<Vec<Origin>>,
    /// How many edges to a node have been written.
    edges: Vec<usize>,
}

impl Emitter {
    fn block(&self, node: Node) -> Block {
        self.blocks[node.index()].expect("a target of a reached node is reached")
    }
}

/// Those result types of an operation that its operands do not determine.
fn named_types(op: Op, types: &[Type]) -> Vec<Type> {
    let row = op.row();
    if row.free_results {
        return types.to_vec();
    }
    let named = row.results.iter().zip(types).filter(|(shape, _)| !row.determines(**shape));
    named.map(|(_, &ty)| ty).collect()
}

/// What an unassigned variable reads as.
fn zero(ty: Type) -> Const {
    match ty {
        Type::Int(width) => Int::new(u32::from(width), 0).into(),
        Type::Float(format) => Real::from_bits(format, 0).into(),
        Type::Ref => Const::Null,
        // No draft has variables of vectors: the languages of drafts lack them.
        Type::State | Type::Vector(_) => Const::Hole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(value: i64) -> Operand {
        Int::new(64, value as u64).into()
    }

    /// entry: goto head; head: if x goto left else right; both goto head or done.
    #[test]
    fn a_variable_that_no_loop_assigns_needs_no_parameter_even_in_an_irreducible_graph() {
        let mut draft = Draft::new("f", &[Type::I64, Type::I64]);
        let (x, y) = (draft.variable("x", Type::I64), draft.variable("y", Type::I64));
        draft.params.push(x);
        let nodes: Vec<Node> = ["entry", "a", "b", "done"].iter().map(|name| draft.node(name)).collect();
        draft.assign(nodes[0], y, int(1));
        let branch = |then, other| End::Branch { condition: x.into(), then, other };
        draft.nodes[nodes[0]].end = branch(nodes[1], nodes[2]);
        draft.op(nodes[1], Op::Add, &[y.into(), int(1)], &[y]);
        draft.nodes[nodes[1]].end = branch(nodes[2], nodes[3]);
        draft.nodes[nodes[2]].end = branch(nodes[1], nodes[3]);
        draft.nodes[nodes[3]].end = End::Return(vec![x.into(), y.into()]);
        let built = construct(draft);
        assert!(built.unassigned.is_empty());
        let function = built.function;
        let params: Vec<usize> =
            function.blocks().iter().map(|&block| function.block_params(block).len()).collect();
        assert_eq!(params, [1, 1, 1, 1], "x is never a parameter but of the entry, y everywhere else");
    }

    #[test]
    fn a_read_without_assignment_is_reported_with_its_path() {
        let mut draft = Draft::new("f", &[Type::I64]);
        let (x, y) = (draft.variable("x", Type::I64), draft.variable("y", Type::I64));
        draft.params.push(x);
        let nodes: Vec<Node> = ["entry", "then", "done"].iter().map(|name| draft.node(name)).collect();
        draft.nodes[nodes[0]].end = End::Branch { condition: x.into(), then: nodes[1], other: nodes[2] };
        draft.assign(nodes[1], y, int(1));
        draft.nodes[nodes[1]].end = End::Goto(nodes[2]);
        draft.nodes[nodes[2]].end = End::Return(vec![y.into()]);
        let read = draft.unassigned_read(y).expect("y is not assigned on one path");
        assert_eq!((read.path, read.step), (vec![nodes[0], nodes[2]], 0));
        assert_eq!(draft.unassigned_read(x), None);
        assert_eq!(construct(draft).unassigned, [y]);
    }

    #[test]
    fn a_loop_to_the_entry_gets_an_entry_of_its_own() {
        let mut draft = Draft::new("f", &[Type::I64]);
        let x = draft.variable("x", Type::I64);
        draft.params.push(x);
        let (head, done) = (draft.node("head"), draft.node("done"));
        draft.op(head, Op::Add, &[x.into(), int(-1)], &[x]);
        draft.nodes[head].end = End::Branch { condition: x.into(), then: head, other: done };
        draft.nodes[done].end = End::Return(vec![x.into()]);
        let function = construct(draft).function;
        assert_eq!(function.blocks().len(), 3);
        assert_eq!(function.params().len(), 1);
    }
}
