//! The states of a function in the course of a run.
//!
//! While a run goes on, [`States`] keeps the text of a function before it and after each step that changed it, for a report.

use std::collections::BTreeMap;
use std::time::Duration;

use planish_ir::cfg::Cfg;
use planish_ir::module::Tables;
use planish_ir::text::{Listed, ValueNames, listing};
use planish_ir::{Function, Inst};
use planish_ops::Op;
use planish_report::{Graph, GraphEdge, GraphNode};

/// The states of a function in the course of a run.
pub struct States {
    pub(crate) name: String,
    /// How many steps came before, over the module.
    first: u32,
    pub(crate) states: Vec<State>,
    pub(crate) steps: Vec<(String, Option<Duration>)>,
}

/// A function after some steps.
pub(crate) struct State {
    pub(crate) title: String,
    /// How many steps were done.
    pub(crate) steps: u32,
    pub(crate) lines: Vec<Listed>,
    pub(crate) graph: Option<Graph>,
    pub(crate) operations: BTreeMap<&'static str, u64>,
}

impl State {
    fn of(title: &str, steps: u32, f: &Function, tables: Tables<'_>, names: &ValueNames) -> State {
        let lines = listing(tables, f, names);
        let graph =
            (f.blocks().len() > 1 && f.blocks().len() <= DRAWN_BLOCKS).then(|| flow(title, f, &lines));
        let mut operations = BTreeMap::new();
        let counted = |&(_, inst): &(_, Inst)| f.inst(inst).op != Op::Marker;
        for (_, inst) in f.live_insts().filter(counted) {
            *operations.entry(f.inst(inst).op.name()).or_insert(0) += 1;
        }
        State { title: title.to_owned(), steps, lines, graph, operations }
    }

    pub(crate) fn size(&self) -> u64 {
        self.operations.values().sum()
    }
}

impl States {
    /// The function before the first step that sees it alone, which is the `first`-th of all.
    pub(crate) fn begin(f: &Function, tables: Tables<'_>, names: &ValueNames, first: u32) -> States {
        let input = State::of("input", first, f, tables, names);
        States { first, name: f.name.clone(), states: vec![input], steps: Vec::new() }
    }

    /// The function after a step; a state is kept only if the step changed the text.
    pub(crate) fn after(&mut self, step: &str, f: &Function, tables: Tables<'_>, names: &ValueNames) {
        self.steps.push((step.to_owned(), None));
        let state = State::of(step, self.first + self.steps.len() as u32, f, tables, names);
        if self.states.last().is_none_or(|last| last.lines != state.lines) {
            self.states.push(state);
        }
    }

    /// The name of the function.
    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    /// How long each step took, in order.
    pub(crate) fn took(&mut self, times: &[Duration]) {
        for ((_, time), took) in self.steps.iter_mut().zip(times) {
            *time = Some(*took);
        }
    }
}

/// The control-flow graph, a node a block.
fn flow(title: &str, f: &Function, lines: &[Listed]) -> Graph {
    let cfg = Cfg::new(f);
    // The text of a block goes from its header, the only kind of line that is not indented, to the next.
    let header = |line: &&Listed| line.text.ends_with(':') && !line.text.starts_with(' ');
    let mut texts = BTreeMap::new();
    let mut blocks = f.blocks().iter();
    let mut current = None;
    for line in lines {
        if header(&line) {
            current = blocks.next().and_then(|&block| cfg.number(block));
            texts.extend(
                current.map(|number| (number, (line.text.trim_end_matches(':').to_owned(), Vec::new()))),
            );
        } else if let (Some((_, body)), true) = (current.and_then(|n| texts.get_mut(&n)), line.text != "}") {
            body.push(line.text.trim_start().to_owned());
        }
    }
    // Blocks that cannot be reached have no number and are not drawn.
    let nodes = texts
        .into_values()
        .map(|(title, lines)| GraphNode { title, lines, ..GraphNode::default() })
        .collect();
    let edges = cfg.succs().edges().map(|(from, to)| GraphEdge {
        from: from as usize,
        to: to as usize,
        label: String::new(),
    });
    Graph { title: format!("control flow, {title}"), nodes, edges: edges.collect() }
}

/// Larger control-flow graphs are not drawn.
pub(crate) const DRAWN_BLOCKS: usize = 400;
