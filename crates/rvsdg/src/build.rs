//! From a tree of regions to values: what each region takes, computes and hands out.
//!
//! The tree is walked in the order of control, with the value of every variable at hand. A region reads a
//! variable of the region around it by taking it as an input, at the first use; a branch or a loop hands
//! out the variables that it assigns and that are used outside of it. Nothing is thrown away here: which
//! outputs, inputs and loop variables are needed is found when terms are made ([`lower`](mod@crate::lower)).

mod constructs;

use hashbrown::HashMap;
use planish_base::{Arena, Id};
use planish_ir::{Block, Const, FuncId, Function, Inst, Value as SsaValue};
use planish_ops::{Effect, Op, Type};
use rustc_hash::FxBuildHasher;

use crate::restructure::flow::number;
use crate::restructure::loops::Region;
use crate::restructure::scope::Scopes;
use crate::restructure::{Flow, Item, Select, Sequence, Source, Tree, Variable, What, flow};

planish_base::define_id!(
    /// A value of some region.
    Value, "v"
);
planish_base::define_id!(
    /// A region.
    Frame, "frame"
);
planish_base::define_id!(
    /// A branch or loop.
    Construct, "construct"
);

/// What a value is.
#[derive(Clone, PartialEq, Debug)]
pub enum ValueData {
    /// A number.
    Number(i64),
    /// A function that is finished.
    Function(FuncId),
    /// An argument of the function.
    Parameter(u32),
    /// An argument of the regions of a construct.
    Argument(Construct, u32),
    /// An operation with operands of some types and a result of a type.
    Op(Op, Vec<Value>, Vec<Type>, Type),
    /// A result of a call.
    CallResult(Value, u32),
    /// A call of a function; of none: of the first operand.
    Call(Option<FuncId>, Vec<Value>),
    /// An output of a construct.
    Output(Construct, u32),
    /// One of two values, when both are there, the first before the second.
    After {
        /// What comes before and what comes behind.
        both: [Value; 2],
        /// Which of them it is.
        is: u32,
    },
}

/// A loop variable: it enters, is an argument, and has a result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct LoopVariable {
    /// Its value before the first time around.
    pub input: Value,
    /// Its value at the end of the body.
    pub result: Value,
}

/// What a construct is.
#[derive(Clone, Debug)]
pub enum ConstructData {
    /// One of several regions, counted by a predicate.
    Branch {
        /// The predicate.
        predicate: Value,
        /// The inputs.
        inputs: Vec<Value>,
        /// For each output, its value in each region.
        outputs: Vec<Vec<Value>>,
    },
    /// A region that repeats.
    Loop {
        /// Its variables; each is an input, an argument and an output.
        variables: Vec<LoopVariable>,
        /// It repeats while this, which belongs to the body, is not zero.
        predicate: Value,
    },
}

/// Something that is made, in the order of control.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Event {
    /// An operation or call.
    Value(Value),
    /// A construct, after everything in it.
    Construct(Construct),
}

/// A function as values in regions.
pub struct Built {
    /// All values.
    pub values: Arena<Value, ValueData>,
    /// All constructs.
    pub constructs: Arena<Construct, ConstructData>,
    /// What is made, in the order of control.
    pub events: Vec<Event>,
    /// The results of the function.
    pub results: Vec<Value>,
    /// Instructions behind which control may not go on, and their values.
    pub risks: Vec<(Inst, Value)>,
}

/// A function that another one calls or refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Callee {
    /// A function that is finished.
    Finished(FuncId),
    /// One of the functions that call one another: its position among the last arguments of each.
    Circle(u32),
}

/// What a function has to do with others.
#[derive(Clone, Copy)]
pub struct Others<'a> {
    /// How many functions need one another with this one; they are its last arguments.
    pub circle: u32,
    /// What an instruction calls.
    pub callee: &'a dyn Fn(Inst) -> Option<Callee>,
    /// What a constant refers to.
    pub referred: &'a dyn Fn(SsaValue) -> Option<Callee>,
    /// Whether control always goes on behind an instruction.
    pub goes_on: &'a dyn Fn(Inst) -> bool,
}

/// Builds the values of a function. The first result depends on those of `flow.state`. The error names what has no place
/// in regions.
pub fn build(
    function: &Function,
    flow: &Flow,
    regions: &[Region],
    tree: &Tree,
    others: Others<'_>,
) -> Result<Built, String> {
    let mut builder = Builder {
        function,
        flow,
        regions,
        tree,
        others,
        scopes: Scopes::new(function, flow, regions, tree),
        built: Built {
            values: Arena::new(),
            constructs: Arena::new(),
            events: Vec::new(),
            results: Vec::new(),
            risks: Vec::new(),
        },
        frames: Arena::new(),
        environment: HashMap::default(),
        numbers: HashMap::default(),
        owned: Vec::new(),
    };
    builder.run(others.circle)?;
    Ok(builder.built)
}

struct FrameData {
    /// The construct whose region this is, and the frame in which that stands.
    owner: Option<(Construct, Frame)>,
    /// The nesting depth of its sequence.
    depth: u32,
    /// The variables assigned in it that leave it, in order of first assignment.
    assigned: Vec<Variable>,
}

/// What a construct holds while its regions are built.
enum Owned {
    Branch {
        /// The input that a value of the surrounding region is.
        inputs: HashMap<Value, Value, FxBuildHasher>,
        arms: Vec<Frame>,
    },
    Loop {
        region: u32,
        /// The variables of the loop, with their arguments, in order.
        variables: Vec<(Variable, Value)>,
        body: Frame,
    },
}

enum Task {
    /// Goes on with a sequence of a frame at an item.
    Items(Frame, Sequence, usize),
    /// All arms of a branch, or the body of a loop, are done.
    Finish(Frame, Construct),
}

struct Builder<'a> {
    function: &'a Function,
    flow: &'a Flow,
    regions: &'a [Region],
    tree: &'a Tree,
    others: Others<'a>,
    scopes: Scopes,
    built: Built,
    frames: Arena<Frame, FrameData>,
    /// The value of a variable in a frame, now.
    environment: HashMap<(Frame, Variable), Value, FxBuildHasher>,
    numbers: HashMap<i64, Value, FxBuildHasher>,
    /// By construct.
    owned: Vec<Owned>,
}

impl Builder<'_> {
    fn run(&mut self, circle: u32) -> Result<(), String> {
        let root = self.frames.push(FrameData { owner: None, depth: 0, assigned: Vec::new() });
        for (i, &param) in self.function.params().iter().enumerate() {
            let value = self.built.values.push(ValueData::Parameter(i as u32));
            self.environment.insert((root, flow::variable(param)), value);
        }
        let params = self.function.params().len() as u32;
        for i in 0..circle {
            let value = self.built.values.push(ValueData::Parameter(params + i));
            self.environment.insert((root, self.flow.variables + i), value);
        }
        let zero = self.number(0);
        self.environment.insert((root, self.flow.state.variable), zero);
        let mut tasks = vec![Task::Items(root, self.tree.regions[0], 0)];
        while let Some(task) = tasks.pop() {
            match task {
                Task::Items(frame, sequence, next) => self.items(frame, sequence, next, &mut tasks)?,
                Task::Finish(frame, construct) => self.finish(frame, construct)?,
            }
        }
        for i in 0..self.flow.results.len() {
            let value = self.source(root, self.flow.results[i])?;
            self.built.results.push(value);
        }
        if !self.flow.state.through.is_empty() {
            let state = self.source(root, Source::Auxiliary(self.flow.state.variable))?;
            self.built.results[0] = self.after([state, self.built.results[0]], 1);
        }
        Ok(())
    }

    fn items(
        &mut self,
        frame: Frame,
        sequence: Sequence,
        from: usize,
        tasks: &mut Vec<Task>,
    ) -> Result<(), String> {
        let (tree, flow) = (self.tree, self.flow);
        for (position, item) in tree.sequences[sequence].iter().enumerate().skip(from) {
            match item {
                Item::Assign(variable, code) => {
                    let value = self.number(*code);
                    self.assign(frame, *variable, value);
                }
                Item::Branch(select, arms) => {
                    let predicate = self.select(frame, *select)?;
                    tasks.push(Task::Items(frame, sequence, position + 1));
                    self.enter_branch(frame, predicate, arms, tasks);
                    return Ok(());
                }
                Item::Vertex(vertex) => match &flow.vertices[*vertex as usize].what {
                    What::Nothing => {}
                    What::Block(block) => self.block(frame, *block)?,
                    What::Assign(taken) => {
                        let values: Vec<Value> = taken
                            .iter()
                            .map(|&(_, source)| self.source(frame, source))
                            .collect::<Result<_, _>>()?;
                        for (&(variable, _), value) in taken.iter().zip(values) {
                            self.assign(frame, variable, value);
                        }
                    }
                    What::Loop(id) => {
                        tasks.push(Task::Items(frame, sequence, position + 1));
                        self.enter_loop(frame, *id, tasks);
                        return Ok(());
                    }
                },
            }
        }
        Ok(())
    }

    fn number(&mut self, number: i64) -> Value {
        let values = &mut self.built.values;
        *self.numbers.entry(number).or_insert_with(|| values.push(ValueData::Number(number)))
    }

    fn assign(&mut self, frame: Frame, variable: Variable, value: Value) {
        self.environment.insert((frame, variable), value);
        let data = &mut self.frames[frame];
        if data.depth > 0 && self.scopes.leaves(variable, data.depth - 1) {
            data.assigned.push(variable);
        }
    }

    fn block(&mut self, frame: Frame, block: Block) -> Result<(), String> {
        let function = self.function;
        for &inst in function.block_insts(block) {
            let (data, row) = (function.inst(inst), function.row(inst));
            if data.exit.is_some() {
                return Err(format!("`{}` leaves through a side exit", data.op));
            }
            let args: Vec<Value> = (function.args(inst).iter())
                .map(|&arg| self.source(frame, Source::Value(arg)))
                .collect::<Result<_, _>>()?;
            let results: Vec<SsaValue> = function.results(inst).collect();
            if matches!(data.op, Op::Call | Op::CallRef) {
                let (callee, mut operands) = match data.op {
                    // What is called is the first operand.
                    Op::CallRef => (None, Vec::new()),
                    _ => match (self.others.callee)(inst)
                        .ok_or("a call of what is no function of the program")?
                    {
                        Callee::Finished(id) => (Some(id), Vec::new()),
                        Callee::Circle(i) => (None, vec![self.of_circle(frame, i)]),
                    },
                };
                operands.extend(args);
                let call = self.built.values.push(ValueData::Call(callee, operands));
                self.built.events.push(Event::Value(call));
                // What may not return has a result, be it a state.
                let first = self.built.values.push(ValueData::CallResult(call, 0));
                self.risk(frame, inst, call, first)?;
                for (i, result) in results.into_iter().enumerate() {
                    let value = self.built.values.push(ValueData::CallResult(call, i as u32));
                    self.assign(frame, flow::variable(result), value);
                }
                continue;
            }
            if row.effect != Effect::Pure {
                return Err(format!("`{}` has an effect, which regions do not have", data.op));
            }
            let [result] = *results else {
                return Err(format!("`{}` has {} results", data.op, results.len()));
            };
            let types = function.args(inst).iter().map(|&arg| function.ty(arg)).collect();
            let value = self.op(data.op, args, types, function.ty(result));
            self.assign(frame, flow::variable(result), value);
            self.risk(frame, inst, value, value)?;
        }
        Ok(())
    }

    /// Notes an instruction behind which control may not go on, which makes a value. The state goes through a
    /// result of it if it should.
    fn risk(&mut self, frame: Frame, inst: Inst, made: Value, result: Value) -> Result<(), String> {
        if !(self.others.goes_on)(inst) {
            self.built.risks.push((inst, made));
        }
        if self.flow.state.through.contains(&inst) {
            let (function, variable) = (self.function, self.flow.state.variable);
            let state = self.source(frame, Source::Auxiliary(variable))?;
            let first = function.results(inst).next();
            let is_function = first.is_some_and(|result| function.ty(result) == Type::Ref);
            let state = match self.built.values[state] {
                // A state is a word wherever it goes: a function in one arm of a branch does not meet a word of another.
                _ if is_function => self.after([state, result], 0),
                // Nothing came before as long as it is the number that it began as.
                ValueData::Number(_) => result,
                _ => self.after([state, result], 1),
            };
            self.assign(frame, variable, state);
        }
        Ok(())
    }

    /// One of two values, both of which are computed, in order: so they are computed in that order when this is read again.
    fn after(&mut self, both: [Value; 2], is: u32) -> Value {
        let value = self.built.values.push(ValueData::After { both, is });
        self.built.events.push(Event::Value(value));
        value
    }

    fn op(&mut self, op: Op, args: Vec<Value>, types: Vec<Type>, ty: Type) -> Value {
        let value = self.built.values.push(ValueData::Op(op, args, types, ty));
        self.built.events.push(Event::Value(value));
        value
    }

    fn source(&mut self, frame: Frame, source: Source) -> Result<Value, String> {
        let variable = match source {
            Source::Number(number) => return Ok(self.number(number)),
            Source::Auxiliary(variable) => variable,
            Source::Value(value) => match self.function.constant(value) {
                None => flow::variable(value),
                Some(Const::Int(int)) => return Ok(self.number(number(int))),
                Some(Const::Hole | Const::Null) => return Ok(self.number(0)),
                Some(Const::Symbol(..)) if let Some(function) = (self.others.referred)(value) => {
                    return Ok(match function {
                        Callee::Finished(id) => self.built.values.push(ValueData::Function(id)),
                        Callee::Circle(i) => self.of_circle(frame, i),
                    });
                }
                Some(other) => return Err(format!("a constant of the type {} is not a word", other.ty())),
            },
        };
        Ok(self.read(frame, variable).unwrap_or_else(|| self.number(0)))
    }

    /// One of the functions that call one another: an argument of the outermost region, which inner ones take as input.
    fn of_circle(&mut self, frame: Frame, position: u32) -> Value {
        let function = self.read(frame, self.flow.variables + position);
        function.expect("it is an argument of the outermost region")
    }

    fn select(&mut self, frame: Frame, select: Select) -> Result<Value, String> {
        let word = |this: &Self, value: SsaValue| this.function.ty(value);
        Ok(match select {
            Select::Only => self.number(0),
            Select::Always(which) => self.number(which.into()),
            Select::Value { value, .. } => self.source(frame, Source::Value(value))?,
            Select::Auxiliary(variable) => self.source(frame, Source::Auxiliary(variable))?,
            Select::Offset(value, base) => {
                let ty = word(self, value);
                let (value, back) =
                    (self.source(frame, Source::Value(value))?, self.number(base.wrapping_neg()));
                self.op(Op::Add, vec![value, back], vec![ty; 2], ty)
            }
            Select::Compare(op, value, with) => {
                let ty = word(self, value);
                let (value, with) = (self.source(frame, Source::Value(value))?, self.number(with));
                self.op(op, vec![value, with], vec![ty; 2], ty)
            }
        })
    }

    /// The value of a variable in a frame; `None` when nothing was assigned on any way here.
    fn read(&mut self, frame: Frame, variable: Variable) -> Option<Value> {
        let (mut at, mut path) = (frame, Vec::new());
        let found = loop {
            if let Some(&value) = self.environment.get(&(at, variable)) {
                break Some(value);
            }
            let Some((_, around)) = self.frames[at].owner else { break None };
            path.push(at);
            at = around;
        };
        let mut value = match found {
            Some(value) => value,
            None => {
                // What an irreducible loop computes may be needed the next time around.
                let carried = |&at: &Frame| self.carries(at, variable);
                let outermost = path.iter().rposition(carried)?;
                path.truncate(outermost + 1);
                self.number(0)
            }
        };
        for &at in path.iter().rev() {
            let Some((construct, _)) = self.frames[at].owner else { continue };
            value = self.take(construct, variable, value);
            self.environment.insert((at, variable), value);
        }
        Some(value)
    }

    /// Whether a frame is the body of an irreducible loop from which a variable leaves.
    fn carries(&self, frame: Frame, variable: Variable) -> bool {
        let Some((construct, _)) = self.frames[frame].owner else { return false };
        match self.owned[construct.index()] {
            Owned::Loop { region, .. } => {
                self.regions[region as usize].irreducible
                    && self.scopes.leaves(variable, self.frames[frame].depth - 1)
            }
            Owned::Branch { .. } => false,
        }
    }
}
