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
//! 1. Blocks are visited in reverse postorder. A pure total operation becomes a node (`lift`); what has an effect, an
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
mod lift;
mod place;
mod rewrite;
pub mod rules;

use std::cell::RefCell;
use std::time::{Duration, Instant};

use planish_base::SideTable;
use planish_ir::Function;
use planish_ir::cfg::Cfg;
use planish_ir::loops::Loops;

use self::bodies::is_node;
use self::dump::Dump;
use self::graph::Graph;
use self::lift::Lift;
use self::rules::{
    BODIES_ON_AVERAGE, BODIES_ON_CONSTANTS, CLASS_MEMBERS, LOOKS_FOR_ONE_NODE, MADE_AT_LEAST,
    MADE_FOR_ONE_NODE, MADE_ON_AVERAGE, REWRITE_DEPTH,
};
pub use self::rules::{Rules, Source};
use planish_pass::record::Record;

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
        depth: rules.budget("depth of rewriting", u64::from(REWRITE_DEPTH)),
        members: rules.budget("members of an e-class", u64::from(CLASS_MEMBERS)),
        made: rules.budget("e-nodes made by rules for one operation", MADE_FOR_ONE_NODE),
        made_in_all: rules.budget("e-nodes made by rules", MADE_ON_AVERAGE * operations + MADE_AT_LEAST),
        in_bodies: rules.budget("operations of bodies beside calls", ordinary + rules.bodies.besides.get()),
        on_constants: rules.budget("operations of bodies on constants", BODIES_ON_CONSTANTS),
        bodies: rules.bodies,
        looks: RefCell::new(rules.budget("e-nodes matched for one operation", LOOKS_FOR_ONE_NODE)),
        rules,
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
    besides.set(besides.get().saturating_sub(lift.in_bodies.used().saturating_sub(ordinary)));
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
