//! Branches and loops: what they take, and what they hand out.
//!
//! A construct is entered with a task for each of its regions and finished when these are done. A value of
//! the region around it is an input of a branch, and one that enters a loop is a loop variable, which stays
//! as it is until the end of the body says what becomes of it. What several variables hold alike is handed
//! out once.

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use super::{
    Builder, Construct, ConstructData, Event, Frame, FrameData, LoopVariable, Owned, Task, Value, ValueData,
};
use crate::restructure::loops::Repeat;
use crate::restructure::{Select, Sequence, Source, Variable, What};

impl Builder<'_> {
    /// The argument by which the regions of a construct see a value of the region around it.
    pub(super) fn take(&mut self, construct: Construct, variable: Variable, value: Value) -> Value {
        let values = &mut self.built.values;
        match (&mut self.owned[construct.index()], &mut self.built.constructs[construct]) {
            (Owned::Branch { inputs: known, .. }, ConstructData::Branch { inputs, .. }) => {
                if let ValueData::Number(_) = values[value] {
                    return value;
                }
                *known.entry(value).or_insert_with(|| {
                    inputs.push(value);
                    values.push(ValueData::Argument(construct, inputs.len() as u32 - 1))
                })
            }
            (Owned::Loop { variables: known, .. }, ConstructData::Loop { variables, .. }) => {
                let argument = values.push(ValueData::Argument(construct, variables.len() as u32));
                // Until the end of the body is known, the variable stays as it is.
                variables.push(LoopVariable { input: value, result: argument });
                known.push((variable, argument));
                argument
            }
            _ => unreachable!("a construct is what it was made as"),
        }
    }

    pub(super) fn enter_branch(
        &mut self,
        frame: Frame,
        predicate: Value,
        arms: &[Sequence],
        tasks: &mut Vec<Task>,
    ) {
        let data = ConstructData::Branch { predicate, inputs: Vec::new(), outputs: Vec::new() };
        let construct = self.built.constructs.push(data);
        tasks.push(Task::Finish(frame, construct));
        let first = tasks.len();
        let mut frames = Vec::with_capacity(arms.len());
        for &arm in arms {
            let depth = self.scopes.depth[arm];
            let arm_frame = FrameData { owner: Some((construct, frame)), depth, assigned: Vec::new() };
            let arm_frame = self.frames.push(arm_frame);
            frames.push(arm_frame);
            tasks.push(Task::Items(arm_frame, arm, 0));
        }
        tasks[first..].reverse();
        self.owned.push(Owned::Branch { inputs: HashMap::default(), arms: frames });
    }

    pub(super) fn enter_loop(&mut self, frame: Frame, region: u32, tasks: &mut Vec<Task>) {
        let predicate = self.number(0);
        let construct = self.built.constructs.push(ConstructData::Loop { variables: Vec::new(), predicate });
        let sequence = self.tree.regions[region as usize];
        let depth = self.scopes.depth[sequence];
        let body = FrameData { owner: Some((construct, frame)), depth, assigned: Vec::new() };
        let body = self.frames.push(body);
        self.owned.push(Owned::Loop { region, variables: Vec::new(), body });
        tasks.push(Task::Finish(frame, construct));
        tasks.push(Task::Items(body, sequence, 0));
    }

    pub(super) fn finish(&mut self, frame: Frame, construct: Construct) -> Result<(), String> {
        match &mut self.owned[construct.index()] {
            Owned::Branch { arms, .. } => {
                let arms = std::mem::take(arms);
                self.finish_branch(frame, construct, &arms);
            }
            &mut Owned::Loop { region, body, .. } => self.finish_loop(frame, construct, region, body)?,
        }
        self.built.events.push(Event::Construct(construct));
        Ok(())
    }

    fn finish_branch(&mut self, frame: Frame, construct: Construct, arms: &[Frame]) {
        let mut seen = HashSet::<Variable, FxBuildHasher>::default();
        let mut known = HashMap::<Vec<Value>, Value, FxBuildHasher>::default();
        let mut assigned = Vec::new();
        for &arm in arms {
            for variable in std::mem::take(&mut self.frames[arm].assigned) {
                if seen.insert(variable) {
                    assigned.push(variable);
                }
            }
        }
        // All are read before one is assigned: an arm that assigns nothing hands out what was before.
        let mut made = Vec::with_capacity(assigned.len());
        for variable in assigned {
            let values: Vec<Value> = (arms.iter())
                .map(|&arm| self.read(arm, variable).unwrap_or_else(|| self.number(0)))
                .collect();
            made.push((variable, values));
        }
        for (variable, values) in made {
            let value = match known.get(&values) {
                Some(&value) => value,
                None => {
                    let value = self.output(construct, &values);
                    known.insert(values, value);
                    value
                }
            };
            self.assign(frame, variable, value);
        }
    }

    /// What a branch hands out where its arms have these values.
    fn output(&mut self, construct: Construct, values: &[Value]) -> Value {
        let ConstructData::Branch { inputs, outputs, .. } = &mut self.built.constructs[construct] else {
            unreachable!("a branch is a branch")
        };
        let first = values[0];
        if values.iter().all(|&value| value == first) {
            match self.built.values[first] {
                ValueData::Number(_) => return first,
                ValueData::Argument(of, index) if of == construct => return inputs[index as usize],
                _ => {}
            }
        }
        outputs.push(values.to_vec());
        let index = outputs.len() as u32 - 1;
        self.built.values.push(ValueData::Output(construct, index))
    }

    fn finish_loop(
        &mut self,
        frame: Frame,
        construct: Construct,
        region: u32,
        body: Frame,
    ) -> Result<(), String> {
        let region = &self.regions[region as usize];
        let repeats = match region.repeat {
            None => unreachable!("the outermost region is no loop"),
            Some(Repeat::Variable(variable)) => self.source(body, Source::Auxiliary(variable))?,
            Some(Repeat::Selected(Select::Always(which), on)) => self.number(i64::from(which == on)),
            Some(Repeat::Selected(select, on)) => {
                let selected = self.select(body, select)?;
                self.repeats_where(selected, on == 1)
            }
        };
        let next = match region.next.map(|vertex| &self.flow.vertices[vertex as usize].what) {
            Some(What::Assign(taken)) => taken.as_slice(),
            _ => &[],
        };
        let mut next_values = HashMap::<Variable, Value, FxBuildHasher>::default();
        for &(variable, source) in next {
            let value = self.source(body, source)?;
            next_values.insert(variable, value);
        }
        // What leaves the loop, as it is at the end of the body.
        let mut leaving: Vec<(Variable, Value)> = Vec::new();
        let mut seen = HashSet::<Variable, FxBuildHasher>::default();
        let assigned = std::mem::take(&mut self.frames[body].assigned);
        for variable in assigned.into_iter().chain(next.iter().map(|(variable, _)| *variable)) {
            if self.scopes.leaves(variable, self.frames[body].depth - 1) && seen.insert(variable) {
                let value = self.read(body, variable).unwrap_or_else(|| self.number(0));
                leaving.push((variable, value));
            }
        }
        let zero = self.number(0);
        let Owned::Loop { variables: known, .. } = &self.owned[construct.index()] else {
            unreachable!("a loop is a loop")
        };
        let known = known.clone();
        let ConstructData::Loop { variables, predicate } = &mut self.built.constructs[construct] else {
            unreachable!("a loop is a loop")
        };
        *predicate = repeats;
        let mut output_of = HashMap::<Value, u32, FxBuildHasher>::default();
        for (i, (variable, _)) in known.iter().enumerate() {
            let at_end = self.environment[&(body, *variable)];
            let result = next_values.get(variable).copied().unwrap_or(at_end);
            variables[i].result = result;
            output_of.entry(result).or_insert(i as u32);
        }
        let mut made = Vec::with_capacity(leaving.len());
        for (variable, value) in leaving {
            let index = *output_of.entry(value).or_insert_with(|| {
                variables.push(LoopVariable { input: zero, result: value });
                variables.len() as u32 - 1
            });
            made.push((variable, self.built.values.push(ValueData::Output(construct, index))));
        }
        for (variable, value) in made {
            self.assign(frame, variable, value);
        }
        Ok(())
    }

    /// A predicate that is not zero where a value, which is 0 or 1, is as wanted.
    fn repeats_where(&mut self, value: Value, wanted: bool) -> Value {
        let zero = self.number(0);
        // Whatever is compared with zero says itself whether it is.
        let compared = match &self.built.values[value] {
            ValueData::Op(Op::IsZero, args, ..) => Some((args[0], false)),
            ValueData::Op(Op::IsTrue, args, ..) => Some((args[0], true)),
            ValueData::Op(Op::Eq, args, ..) if args[1] == zero => Some((args[0], false)),
            ValueData::Op(Op::Ne, args, ..) if args[1] == zero => Some((args[0], true)),
            _ => None,
        };
        match compared {
            Some((tested, truth)) if truth == wanted => tested,
            _ if wanted => value,
            // What is 0 or 1 is a bit, however wide words are.
            _ => self.op(Op::Eq, vec![value, zero], vec![Type::I1; 2], Type::I1),
        }
    }
}
