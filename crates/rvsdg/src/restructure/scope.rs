//! How far a variable reaches in a tree of regions.
//!
//! A branch or loop must hand out only what is used outside of it. The scope of a variable is the
//! innermost sequence that holds, at whatever depth, all its assignments and uses. Inside of a loop that
//! had several entries a value may be needed the next time around, so its scope is not inside.

use planish_base::{Arena, Id, SideTable};
use planish_ir::{Function, Value};

use super::branches::{Item, Sequence, Tree};
use super::flow::{Flow, Select, Source, Variable, What, variable};
use super::loops::{Region, Repeat};

/// Where sequences and variables stand.
pub struct Scopes {
    /// The nesting depth of each sequence.
    pub depth: Arena<Sequence, u32>,
    parent: SideTable<Sequence, Option<Sequence>>,
    scope: Vec<Option<Sequence>>,
    /// The vertex of all assignments and uses so far; `u32::MAX` when there are several.
    place: Vec<u32>,
}

impl Scopes {
    /// The scopes of all variables.
    pub fn new(function: &Function, flow: &Flow, regions: &[Region], tree: &Tree) -> Self {
        let count = flow.variables as usize;
        let mut scopes = Scopes {
            depth: tree.sequences.values().map(|_| 0).collect(),
            parent: SideTable::new(),
            scope: vec![None; count],
            place: vec![0; count],
        };
        // What an irreducible loop keeps inside is raised to the sequence around the outermost of them.
        let mut raised = SideTable::<Sequence, Option<Sequence>>::new();
        let mut work = vec![tree.regions[0]];
        let mut order = Vec::new();
        while let Some(sequence) = work.pop() {
            order.push(sequence);
            for item in &tree.sequences[sequence] {
                let (inner, raise): (&[Sequence], bool) = match item {
                    Item::Branch(_, arms) => (arms, false),
                    Item::Vertex(vertex) => match flow.vertices[*vertex as usize].what {
                        What::Loop(id) => {
                            (&tree.regions[id as usize..=id as usize], regions[id as usize].irreducible)
                        }
                        _ => (&[], false),
                    },
                    Item::Assign(..) => (&[], false),
                };
                for &arm in inner {
                    scopes.depth[arm] = scopes.depth[sequence] + 1;
                    scopes.parent[arm] = Some(sequence);
                    raised[arm] = raised[sequence].or(raise.then_some(sequence));
                    work.push(arm);
                }
            }
        }
        for sequence in order {
            scopes.visit(function, flow, regions, tree, sequence);
        }
        for source in &flow.results {
            scopes.source(function, *source, tree.regions[0], u32::MAX);
        }
        if !flow.state.through.is_empty() {
            scopes.note(flow.state.variable, tree.regions[0], u32::MAX);
        }
        for index in 0..count {
            if let Some(scope) = scopes.scope[index]
                && scopes.place[index] == u32::MAX
                && let Some(around) = raised[scope]
            {
                scopes.scope[index] = Some(around);
            }
        }
        scopes
    }

    /// Whether a variable is used or assigned outside of what stands in a sequence at this depth.
    pub fn leaves(&self, variable: Variable, depth: u32) -> bool {
        self.scope[variable as usize].is_some_and(|scope| self.depth[scope] <= depth)
    }

    fn visit(
        &mut self,
        function: &Function,
        flow: &Flow,
        regions: &[Region],
        tree: &Tree,
        sequence: Sequence,
    ) {
        let mut last = u32::MAX;
        for item in &tree.sequences[sequence] {
            match item {
                Item::Assign(variable, _) => self.note(*variable, sequence, u32::MAX),
                Item::Branch(select, _) => self.select(function, *select, sequence, last),
                Item::Vertex(vertex) => {
                    last = *vertex;
                    match &flow.vertices[*vertex as usize].what {
                        What::Nothing => {}
                        What::Assign(taken) => self.assignments(function, taken, sequence, *vertex),
                        What::Block(block) => {
                            for &inst in function.block_insts(*block) {
                                if flow.state.through.contains(&inst) {
                                    self.note(flow.state.variable, sequence, u32::MAX);
                                }
                                for &arg in function.args(inst) {
                                    self.source(function, Source::Value(arg), sequence, *vertex);
                                }
                                for result in function.results(inst) {
                                    self.note(variable(result), sequence, *vertex);
                                }
                            }
                        }
                        What::Loop(id) => {
                            let (region, body) = (&regions[*id as usize], tree.regions[*id as usize]);
                            match region.repeat {
                                Some(Repeat::Variable(variable)) => self.note(variable, body, u32::MAX),
                                Some(Repeat::Selected(select, _)) => {
                                    self.select(function, select, body, u32::MAX);
                                }
                                None => {}
                            }
                            if let Some(next) = region.next
                                && let What::Assign(taken) = &flow.vertices[next as usize].what
                            {
                                self.assignments(function, taken, body, next);
                            }
                        }
                    }
                }
            }
        }
    }

    fn assignments(&mut self, function: &Function, taken: &[(Variable, Source)], at: Sequence, vertex: u32) {
        for &(to, source) in taken {
            self.source(function, source, at, vertex);
            self.note(to, at, vertex);
        }
    }

    fn select(&mut self, function: &Function, select: Select, at: Sequence, vertex: u32) {
        match select {
            Select::Value { value, .. } | Select::Offset(value, _) | Select::Compare(_, value, _) => {
                self.source(function, Source::Value(value), at, vertex);
            }
            Select::Auxiliary(variable) => self.note(variable, at, u32::MAX),
            Select::Only | Select::Always(_) => {}
        }
    }

    fn source(&mut self, function: &Function, source: Source, at: Sequence, vertex: u32) {
        match source {
            Source::Value(value) if is_variable(function, value) => self.note(variable(value), at, vertex),
            Source::Auxiliary(variable) => self.note(variable, at, u32::MAX),
            Source::Value(_) | Source::Number(_) => {}
        }
    }

    /// A variable is assigned or used in a sequence, at a vertex.
    fn note(&mut self, variable: Variable, at: Sequence, vertex: u32) {
        let index = variable as usize;
        let Some(mut known) = self.scope[index] else {
            (self.scope[index], self.place[index]) = (Some(at), vertex);
            return;
        };
        if self.place[index] != vertex {
            self.place[index] = u32::MAX;
        }
        let mut other = at;
        while known != other {
            let deeper = if self.depth[known] >= self.depth[other] { &mut known } else { &mut other };
            // Both are below the root, or they would be equal.
            *deeper = self.parent[*deeper].unwrap_or(Sequence::from_index(0));
        }
        self.scope[index] = Some(known);
    }
}

/// Whether a value is a variable: constants are not.
pub fn is_variable(function: &Function, value: Value) -> bool {
    function.constant(value).is_none()
}
