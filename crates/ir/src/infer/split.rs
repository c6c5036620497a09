//! Splits variables by what reads them.
//!
//! A variable that functions are moved to, in one place or in several, may hold one that is good for words and for functions.
//! Each of its readers gets a variable of its own, to which the same is moved in the same places. What is moved around a loop
//! is split together. Readers come before what they read, so that each variable knows all of its readers: linear in the size
//! of what is made.

use planish_base::{Arena, Budget, Components, Id, List, SideTable, Worklist};

use crate::constant::Const;
use crate::draft::{Closure, Draft, Node, Operand, Step, Variable, VariableData};

/// A place that reads a variable.
#[derive(Clone, Copy)]
enum Site {
    /// A move, by its number.
    Move(usize),
    /// An operand of an operation.
    Operand(List<Operand>, usize),
    /// An operand of the end of a node.
    End(Node, usize),
    /// A value of a closure.
    Value(usize, usize),
}

struct Splitter {
    moves: Vec<(Variable, Operand)>,
    /// The moves that are added behind each of the first ones.
    behind: Vec<Vec<usize>>,
    reads: SideTable<Variable, Vec<Site>>,
    /// The moves that assign a variable.
    writes: SideTable<Variable, Vec<usize>>,
    /// Whether something else assigns it.
    is_fixed: SideTable<Variable, bool>,
    closure_of: SideTable<Variable, Option<usize>>,
    /// The copy of a variable of the group that is copied.
    copies: SideTable<Variable, Option<Variable>>,
    /// The group of a variable.
    groups: SideTable<Variable, usize>,
}

/// Splits the variables of a draft that may hold functions, as long as there is room.
pub(super) fn split(draft: &mut Draft, room: &mut Budget) {
    let mut splitter = Splitter::new(draft);
    let mut may_hold = SideTable::<Variable, bool>::new();
    let is_function = |operand| matches!(operand, Operand::Const(Const::Symbol(..)));
    let first = splitter.moves.iter().filter(|(_, from)| is_function(*from)).map(|(to, _)| *to);
    let mut work: Worklist<Variable> = first.collect();
    while let Some(variable) = work.pop() {
        if !std::mem::replace(&mut may_hold[variable], true) {
            work.extend(splitter.reads[variable].iter().filter_map(|site| match *site {
                Site::Move(number) => Some(splitter.moves[number].0),
                _ => None,
            }));
        }
    }
    if !draft.variables.ids().any(|variable| may_hold[variable] && splitter.reads[variable].len() > 1) {
        return;
    }
    for group in splitter.find_groups(draft).into_iter().rev() {
        let may_split = group.iter().any(|&variable| may_hold[variable])
            && !group.iter().any(|&variable| splitter.is_fixed[variable]);
        if may_split {
            splitter.split_group(&group, draft, room);
        }
    }
    splitter.write(draft);
}

impl Splitter {
    fn new(draft: &Draft) -> Self {
        let mut splitter = Splitter {
            moves: Vec::new(),
            behind: Vec::new(),
            reads: SideTable::new(),
            writes: SideTable::new(),
            is_fixed: SideTable::new(),
            closure_of: SideTable::new(),
            copies: SideTable::new(),
            groups: SideTable::new(),
        };
        draft.params.iter().for_each(|&param| splitter.is_fixed[param] = true);
        for (node, data) in draft.nodes.iter() {
            for step in &data.steps {
                match *step {
                    Step::Move { to, from } => {
                        let number = splitter.moves.len();
                        splitter.moves.push((to, from));
                        splitter.writes[to].push(number);
                        splitter.read(from, Site::Move(number));
                    }
                    Step::Op { args, results, .. } => {
                        for (position, &operand) in draft.args(args).iter().enumerate() {
                            splitter.read(operand, Site::Operand(args, position));
                        }
                        draft.results(results).iter().for_each(|&result| splitter.is_fixed[result] = true);
                    }
                }
            }
            for (position, operand) in data.end.operands().enumerate() {
                splitter.read(operand, Site::End(node, position));
            }
        }
        for (number, closure) in draft.closures.iter().enumerate() {
            splitter.closure_of[closure.variable] = Some(number);
            for (position, &operand) in closure.values.iter().enumerate() {
                splitter.read(operand, Site::Value(number, position));
            }
        }
        splitter.behind = vec![Vec::new(); splitter.moves.len()];
        splitter
    }

    fn read(&mut self, operand: Operand, site: Site) {
        if let Operand::Var(variable) = operand {
            self.reads[variable].push(site);
        }
    }

    /// Variables between which values go around, each behind those that it reads.
    fn find_groups(&mut self, draft: &Draft) -> Vec<Vec<Variable>> {
        let count = draft.variables.len();
        let mut sources: Vec<Vec<u32>> = vec![Vec::new(); count];
        let mut source = |to: Variable, from: Operand| {
            if let Operand::Var(from) = from {
                sources[to.index()].push(from.index() as u32);
            }
        };
        self.moves.iter().for_each(|&(to, from)| source(to, from));
        for closure in &draft.closures {
            closure.values.iter().for_each(|&value| source(closure.variable, value));
        }
        let all: Vec<u32> = (0..count as u32).collect();
        let groups = Components::new(count).of(&all, |variable| &sources[variable as usize]);
        let id = |index: u32| Variable::from_index(index as usize);
        let groups: Vec<Vec<Variable>> =
            groups.into_iter().map(|group| group.into_iter().map(id).collect()).collect();
        for (number, group) in groups.iter().enumerate() {
            group.iter().for_each(|&variable| self.groups[variable] = number + 1);
        }
        groups
    }

    fn split_group(&mut self, group: &[Variable], draft: &mut Draft, room: &mut Budget) {
        let number = self.groups[group[0]];
        let is_inside = |site: &Site| match *site {
            Site::Move(at) => self.groups[self.moves[at].0] == number,
            Site::Value(closure, _) => self.groups[draft.closures[closure].variable] == number,
            Site::Operand(..) | Site::End(..) => false,
        };
        let reads =
            group.iter().flat_map(|&variable| self.reads[variable].iter().map(move |&s| (variable, s)));
        let outside: Vec<(Variable, Site)> = reads.filter(|(_, site)| !is_inside(site)).collect();
        let moves: usize = group.iter().map(|&variable| self.writes[variable].len()).sum();
        for &(variable, site) in outside.iter().skip(1) {
            if !room.take(1 + moves as u64) {
                return;
            }
            let copy = self.copy_group(group, variable, draft);
            let place = match site {
                Site::Move(at) => &mut self.moves[at].1,
                Site::Operand(list, position) => &mut draft.args_mut(list)[position],
                Site::Value(closure, position) => &mut draft.closures[closure].values[position],
                Site::End(node, position) => {
                    let step = draft.nodes[node].steps.len();
                    draft.set_operand(node, step, position, copy.into());
                    continue;
                }
            };
            *place = copy.into();
        }
    }

    /// Copies the variables of a group, with what is moved to them. Returns the copy of one of them.
    fn copy_group(&mut self, group: &[Variable], of: Variable, draft: &mut Draft) -> Variable {
        for &variable in group {
            let VariableData { name, ty } = draft.variables[variable].clone();
            self.copies[variable] = Some(draft.variable(&name, ty));
        }
        for &variable in group {
            let Some(copy) = self.copies[variable] else { continue };
            for at in self.writes[variable].clone() {
                let added = self.moves.len();
                let from = self.taken(self.moves[at].1, Site::Move(added));
                self.moves.push((copy, from));
                self.behind[at].push(added);
            }
            if let Some(number) = self.closure_of[variable] {
                let added = draft.closures.len();
                let values = draft.closures[number].values.clone().into_iter().enumerate();
                let values = values.map(|(at, value)| self.taken(value, Site::Value(added, at))).collect();
                draft.closures.push(Closure { variable: copy, values });
            }
        }
        let copy = self.copies[of];
        group.iter().for_each(|&variable| self.copies[variable] = None);
        copy.expect("it is of the group")
    }

    /// What a copy takes where a variable of the group takes something.
    fn taken(&mut self, operand: Operand, site: Site) -> Operand {
        match operand {
            Operand::Var(variable) => match self.copies[variable] {
                Some(copy) => copy.into(),
                None => {
                    self.reads[variable].push(site);
                    operand
                }
            },
            Operand::Const(_) => operand,
        }
    }

    /// Puts the moves into the draft.
    fn write(self, draft: &mut Draft) {
        let mut numbers = 0..;
        let mut nodes = std::mem::replace(&mut draft.nodes, Arena::new());
        for data in nodes.values_mut() {
            let mut steps = Vec::with_capacity(data.steps.len());
            for step in std::mem::take(&mut data.steps) {
                let Step::Move { .. } = step else {
                    steps.push(step);
                    continue;
                };
                let number = numbers.next().unwrap_or_default();
                for at in std::iter::once(number).chain(self.behind[number].iter().copied()) {
                    let (to, from) = self.moves[at];
                    steps.push(Step::Move { to, from });
                }
            }
            data.steps = steps;
        }
        draft.nodes = nodes;
    }
}
