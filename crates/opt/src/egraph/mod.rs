//! The e-graph engine (acyclic e-graphs, Fallin 2023, Cranelift): all forms of a value at once, the cheapest extracted.
//!
//! The linear engine keeps one form of each value and so depends on the order of its rewrites; this engine
//! keeps all of them and chooses at the end. It is Cranelift's shape (Fallin 2023): the control-flow graph
//! stays as a *skeleton* of effects and terminators, pure operations float in an acyclic e-graph.
//!
//! ```text
//!  function --lift--> graph of pure operations, rules applied as each is made --place--> function
//!               skeleton of effects, exits, terminators: stays where it is
//! ```
//!
//! 1. Blocks are visited in reverse postorder. A pure total operation becomes a node; what has an effect, an
//!    exit or may be undefined stays in the skeleton, and its results are leaves.
//! 2. A new node is folded, and every rule of the book and every rule marked `explore` is applied to it
//!    (`rewrite`); results are nodes of the same class. Budgets bound how deep and how many.
//! 3. For each class a member is chosen, sharing and loops considered (`extract`).
//!    A call of a function that is an expression is a node, too, whose class has the body for another member (`bodies`), so
//!    that a function may be called here and be a body there. A call costs its price where it stands, and the first of all
//!    calls of a function what the function costs.
//! 4. What the skeleton uses is made and placed (`place`): as late as possible, but never in a deeper
//!    loop than needed. Nothing else is computed any more, so dead code goes without asking.
//!
//! What an operation costs is said by the dialect in which the program will be written ([`Rules::price`]). The
//! whole graph can be written down for other extractors ([`dump`]).
//!
//! Facts that only hold in one place (behind a branch) are not used: a class means the same everywhere.
//!
//! Cost: linear in the function, times what the budgets allow for a node. Functions with exception
//! handlers or entrances are left alone: what dominates those is not what dominates their predecessors' ends.

pub mod bodies;
pub mod dump;
pub mod extract;
pub mod graph;
mod place;
mod rewrite;

use std::cell::RefCell;
use std::time::{Duration, Instant};

use planish_base::{Budget, SideTable};
use planish_domain::IntFact;
use planish_ir::cfg::Cfg;
use planish_ir::loops::Loops;
use planish_ir::{Const, Function, Inst, Terminator, Value};
use planish_ops::world::Descr;
use planish_ops::{Effect, Exits, Op, Type};
use planish_rules::RuleSet;

use bodies::Bodies;
use dump::Dump;
use graph::{Class, Graph};
use planish_pass::Price;
use planish_pass::record::{Record, Site};
use rewrite::Origin;

/// How deep rules are applied to what rules made.
pub const REWRITE_DEPTH: u32 = 5;
/// How many members a class may have before rules stop adding to it.
pub const CLASS_MEMBERS: u32 = 8;
/// How many rewrites of one node are taken.
pub const REWRITES_OF_ONE_NODE: u32 = 16;
/// How many nodes rules may make in all for one operation of the program, to whatever depth.
pub const MADE_FOR_ONE_NODE: u64 = 256;
/// How many nodes rules may make in a function for each of its operations, and besides.
pub const MADE_ON_AVERAGE: u64 = 16;
/// See [`MADE_ON_AVERAGE`].
pub const MADE_AT_LEAST: u64 = 4_000;
/// How many operations of bodies may stand beside calls in a function for each of its operations.
pub const BODIES_ON_AVERAGE: u64 = 16;
/// How many more may in all functions of a program, whichever comes first: of many small functions each would fill a graph.
pub const BODIES_BESIDES: u64 = 1_000;
/// How many operations of bodies may be computed in a function whose operands are constants.
pub const BODIES_ON_CONSTANTS: u64 = 100_000;
/// How many calls deep bodies stand beside calls.
pub const CALLS_DEEP: u32 = 64;
/// How many members of classes the matchers may look at for one operation of the program.
pub const LOOKS_FOR_ONE_NODE: u64 = 4_096;

/// What a run did.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Summary {
    /// Pure operations that became nodes.
    pub nodes: usize,
    /// Ids in the graph at the end: nodes and unions.
    pub ids: usize,
    /// Rewrites that were applied.
    pub rewrites: u64,
    /// What extraction could choose from, by its model of cost.
    pub totals: extract::Totals,
    /// How long extraction took.
    pub extracting: Duration,
}

/// Where rules come from, and so how they are matched.
#[derive(Clone, Copy)]
pub enum Source<'a> {
    /// The rule book, by the matchers that are generated from it; nothing is read.
    Book,
    /// Rules that were read when the program ran, by decision trees in memory.
    Read(&'a RuleSet),
}

/// The rules of a run.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// Where they come from.
    pub source: Source<'a>,
    /// The number of the first rule in records.
    pub first: u32,
    /// For each rule whether it is not used; without it all are.
    pub disabled: Option<&'a [bool]>,
    /// What operations cost where the program will be written.
    pub price: Price<'a>,
    /// The functions of the module that are expressions.
    pub bodies: &'a Bodies,
}

/// Optimizes a function in place; `dump` gets the graph from which the result is extracted.
pub fn run(
    function: &mut Function,
    rules: Rules<'_>,
    record: &mut Record,
    dump: Option<&mut Dump>,
) -> Summary {
    if function.has_handlers()
        || function.entrances().iter().any(|entrance| entrance.block != function.entry())
    {
        return Summary::default();
    }
    let cfg = Cfg::new(function);
    let operations = function.live_insts().count() as u64;
    let ordinary = BODIES_ON_AVERAGE * operations;
    let mut lift = Lift {
        graph: Graph::new(cfg.dominators(), rules.price),
        classes: SideTable::new(),
        homes: SideTable::with_default(0),
        rules,
        depth: Budget::new("depth of rewriting", u64::from(REWRITE_DEPTH)),
        members: Budget::new("members of an e-class", u64::from(CLASS_MEMBERS)),
        made: Budget::new("e-nodes made by rules for one operation", MADE_FOR_ONE_NODE),
        made_in_all: Budget::new("e-nodes made by rules", MADE_ON_AVERAGE * operations + MADE_AT_LEAST),
        in_bodies: Budget::new("operations of bodies beside calls", ordinary + rules.bodies.besides.get()),
        on_constants: Budget::new("operations of bodies on constants", BODIES_ON_CONSTANTS),
        bodies: rules.bodies,
        looks: RefCell::new(Budget::new("e-nodes matched for one operation", LOOKS_FOR_ONE_NODE)),
        rewrites: 0,
    };
    lift.graph.set_call_price(rules.bodies.price());
    let mut summary = Summary::default();
    for (number, &block) in cfg.order().iter().enumerate() {
        for &param in function.block_params(block) {
            lift.homes[param] = number as u32;
        }
        for position in 0..function.block_insts(block).len() {
            let inst = function.block_insts(block)[position];
            if is_node(function, inst) {
                summary.nodes += 1;
                lift.node(function, inst, record);
            } else if let Some((callee, _)) = lift.bodies.called(function, inst) {
                summary.nodes += 1;
                lift.call_node(function, inst, callee, record);
            } else {
                function.results(inst).for_each(|result| lift.homes[result] = number as u32);
            }
        }
    }
    summary.ids = lift.graph.len();
    summary.rewrites = lift.rewrites;
    let looks = lift.looks.borrow();
    let budgets =
        [&lift.depth, &lift.members, &lift.made, &lift.made_in_all, &lift.in_bodies, &lift.on_constants];
    budgets.into_iter().chain([&*looks]).for_each(|budget| record.note_budget(budget));
    drop(looks);
    let besides = &rules.bodies.besides;
    besides.set(besides.get() - lift.in_bodies.used().saturating_sub(ordinary));
    let roots = lift.roots(function);
    let loops = Loops::new(cfg.succs());
    let begin = Instant::now();
    summary.totals = extract::choose(&mut lift.graph, &roots, &|block| loops.depth(block), rules.bodies);
    summary.extracting = begin.elapsed();
    if let Some(dump) = dump {
        dump.add(function, &lift.graph, &roots);
    }
    place::place(function, &cfg, &mut lift);
    summary
}

/// Whether an instruction is a pure operation with one result that is defined for all operands.
fn is_node(function: &Function, inst: Inst) -> bool {
    let (data, row) = (function.inst(inst), function.row(inst));
    row.effect == Effect::Pure
        && row.exits == Exits::Never
        && data.exit.is_none()
        && data.descr.is_none()
        && !row.variadic
        && function.results(inst).len() == 1
        && !row.partial
}

/// The graph under construction.
struct Lift<'r> {
    graph: Graph<'r>,
    /// The class of values that are nodes.
    classes: SideTable<Value, Option<Class>>,
    /// The number of the block that defines a leaf; constants are available at the entry.
    homes: SideTable<Value, u32>,
    rules: Rules<'r>,
    depth: Budget,
    members: Budget,
    made: Budget,
    made_in_all: Budget,
    in_bodies: Budget,
    on_constants: Budget,
    bodies: &'r Bodies,
    looks: RefCell<Budget>,
    rewrites: u64,
}

impl Lift<'_> {
    /// The class of a value.
    fn class(&mut self, function: &Function, value: Value) -> Class {
        if let Some(class) = self.classes[value] {
            return self.graph.find(class);
        }
        let fact = match (function.constant(value), function.ty(value)) {
            (Some(Const::Int(int)), _) => Some(IntFact::constant(int)),
            (_, Type::Int(width)) => Some(IntFact::top(u32::from(width))),
            _ => None,
        };
        let class = self.graph.leaf(value, function.ty(value), self.homes[value], fact);
        self.graph.find(class)
    }

    /// Makes a node of an instruction, with all that rules make of it.
    fn node(&mut self, function: &mut Function, inst: Inst, record: &mut Record) {
        let args = self.operands(function, inst);
        let (op, result) = (function.inst(inst).op, function.result(inst));
        let ty = function.ty(result);
        let site = Site { inst: Some(inst), op: Some(op), location: function.inst(inst).location };
        self.made.refill();
        self.looks.get_mut().refill();
        let class = self.add(function, op, &args, ty, Origin { site, depth: 0, calls: 0 }, record);
        self.classes[result] = Some(class);
    }

    /// Makes a node of a call of an expression, with its body.
    fn call_node(&mut self, function: &mut Function, inst: Inst, callee: Descr, record: &mut Record) {
        let args = self.operands(function, inst);
        let site = Site { inst: Some(inst), op: Some(Op::Call), location: function.inst(inst).location };
        let parts = self.call(function, callee, &args, Origin { site, depth: 0, calls: 0 }, record);
        for (result, part) in function.results(inst).zip(parts) {
            self.classes[result] = Some(part);
        }
    }

    fn operands(&mut self, function: &Function, inst: Inst) -> Vec<Class> {
        function.args(inst).iter().map(|&arg| self.class(function, arg)).collect()
    }

    /// Whether an instruction is a node, and not of the skeleton.
    fn floats(&self, function: &Function, inst: Inst) -> bool {
        is_node(function, inst) || self.bodies.called(function, inst).is_some()
    }

    /// The classes that the skeleton uses.
    fn roots(&self, function: &Function) -> Vec<Class> {
        let mut used: Vec<Value> = Vec::new();
        for &block in function.blocks() {
            for &inst in function.block_insts(block) {
                if !self.floats(function, inst) {
                    used.extend_from_slice(function.args(inst));
                }
                if let Some(exit) = function.inst(inst).exit {
                    used.extend_from_slice(function.exit_args(exit));
                }
            }
            let terminator = function.terminator(block);
            used.extend(terminator.condition());
            terminator.calls().for_each(|call| used.extend_from_slice(function.list(call.args)));
            match terminator {
                Terminator::Return(results) => used.extend_from_slice(function.list(*results)),
                Terminator::Throw(_, Some(exit)) => used.extend_from_slice(function.exit_args(*exit)),
                _ => {}
            }
        }
        let classes = used.into_iter().filter_map(|value| self.classes[value]);
        let mut roots: Vec<Class> = classes.map(|class| self.graph.newest(class)).collect();
        roots.sort_unstable();
        roots.dedup();
        roots
    }
}
