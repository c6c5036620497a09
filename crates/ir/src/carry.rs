//! Closure conversion for drafts, with flat closures that are carried along (Appel 1992, chapter 10): a function with values
//! that are known only where it was made is its reference and those values beside it.
//!
//! [`infer`](mod@crate::infer) finds which variables may hold such functions, and how many values those bring along at most.
//! Each such variable gets variables for them, wherever it goes: moves, parameters, results, choices. A call through it
//! passes them behind the other operands, and each function that may be called so takes them all; what one does not need is
//! zero. A value that is such a function itself is followed by what it brings along. What is left are functions that are
//! addresses. Linear in the size of the drafts and of what is added.

use planish_base::SideTable;
use planish_ops::world::Descr;
use planish_ops::{Int, Op, Type};

use crate::constant::Const;
use crate::draft::{Draft, End, Operand, Step, Variable};

/// What is carried with the values of a draft.
#[derive(Default)]
pub(crate) struct Carried {
    /// With a variable: the types of the values.
    pub variables: SideTable<Variable, Vec<Type>>,
    /// For each variable that is called, by the number of operands: what is carried with each of those.
    pub called: SideTable<Variable, Vec<Vec<Vec<Type>>>>,
    /// With each parameter but those for values that the function was made with.
    pub params: Vec<Vec<Type>>,
    /// With each result.
    pub results: Vec<Vec<Type>>,
    /// Behind the parameters: what a function is passed that is called through references.
    pub own: Vec<Passed>,
    /// With each of the values that it was made with.
    pub captured: Vec<Vec<Type>>,
    /// For each closure that it makes: what that is passed.
    pub closures: Vec<Vec<Passed>>,
}

/// Something that a function is passed behind its inputs, since functions that may be one another are passed the same.
#[derive(Clone)]
pub(crate) struct Passed {
    /// Which of the values it is that the function was made with; none if it has no use for it.
    pub value: Option<usize>,
    /// The type of it.
    pub ty: Type,
    /// What is carried with it.
    pub beside: Vec<Type>,
}

impl Passed {
    fn types(&self) -> impl Iterator<Item = Type> + '_ {
        std::iter::once(self.ty).chain(self.beside.iter().copied())
    }
}

/// Lets drafts carry values beside references; `callee` gives the draft that a call names, by its position.
pub(crate) fn carry(drafts: &mut [Draft], carried: &[Carried], callee: impl Fn(Descr) -> Option<usize>) {
    for (draft, of) in drafts.iter_mut().zip(carried) {
        Carrier { draft, of, carried, made: SideTable::new(), beside: SideTable::new() }.convert(&callee);
    }
}

struct Carrier<'a> {
    draft: &'a mut Draft,
    of: &'a Carried,
    carried: &'a [Carried],
    /// The values with which what a variable takes was made, each with what is carried with it.
    made: SideTable<Variable, Vec<Operand>>,
    /// The variables of what is carried with a variable.
    beside: SideTable<Variable, Vec<Variable>>,
}

impl Carrier<'_> {
    fn convert(&mut self, callee: &impl Fn(Descr) -> Option<usize>) {
        for variable in self.draft.variables.ids().collect::<Vec<_>>() {
            let types = &self.of.variables[variable];
            self.beside[variable] = types.iter().map(|&ty| self.draft.variable("", ty)).collect();
        }
        for (closure, passed) in std::mem::take(&mut self.draft.closures).into_iter().zip(&self.of.closures) {
            self.made[closure.variable] = self.passed(&closure.values, passed);
        }
        self.params();
        for node in self.draft.nodes.ids().collect::<Vec<_>>() {
            for step in std::mem::take(&mut self.draft.nodes[node].steps) {
                match step {
                    Step::Move { to, from } => {
                        self.draft.assign(node, to, from);
                        for (at, beside) in self.beside[to].clone().into_iter().enumerate() {
                            let value = self.value(to, from, at);
                            self.draft.assign(node, beside, value);
                        }
                    }
                    Step::Op { op: Op::Select, args, results, .. } => {
                        let (args, result) = (self.draft.args(args).to_vec(), self.draft.results(results)[0]);
                        self.draft.op(node, Op::Select, &args, &[result]);
                        for (at, beside) in self.beside[result].clone().into_iter().enumerate() {
                            let chosen = [1, 2].map(|side| self.value(result, args[side], at));
                            self.draft.op(node, Op::Select, &[args[0], chosen[0], chosen[1]], &[beside]);
                        }
                    }
                    Step::Op { op, args, results, descr } => {
                        let (args, results) =
                            (self.draft.args(args).to_vec(), self.draft.results(results).to_vec());
                        let args = match (op, descr.and_then(callee)) {
                            (Op::CallRef, _) => self.call_reference(&args),
                            (Op::Call, Some(callee)) => self.call(&args, callee),
                            _ => args,
                        };
                        let with =
                            results.iter().flat_map(|&result| [&[result][..], &self.beside[result]].concat());
                        let results: Vec<Variable> = with.collect();
                        self.draft.op_named(node, op, &args, &results, descr);
                    }
                }
            }
            if let End::Return(results) = &self.draft.nodes[node].end {
                let results = self.with_types(&results.clone(), &self.of.results);
                self.draft.nodes[node].end = End::Return(results);
            }
        }
        let before = std::mem::take(&mut self.draft.result_types).into_iter().zip(&self.of.results);
        self.draft.result_types = before.flat_map(|(ty, beside)| [&[ty][..], beside].concat()).collect();
    }

    /// Lets the function take what is carried with its parameters, and what it may be passed behind them.
    fn params(&mut self) {
        let params = std::mem::take(&mut self.draft.params);
        let (inputs, own) = params.split_at(params.len() - self.draft.captured);
        for &input in inputs {
            self.draft.params.push(input);
            let beside = self.beside[input].clone();
            self.draft.params.extend(beside);
        }
        for passed in &self.of.own {
            match passed.value {
                Some(value) => {
                    self.draft.params.push(own[value]);
                    self.draft.params.extend_from_slice(&self.beside[own[value]]);
                }
                None => {
                    for ty in passed.types() {
                        let unused = self.draft.variable("", ty);
                        self.draft.params.push(unused);
                    }
                }
            }
        }
    }

    /// The n-th value carried with what a variable takes.
    fn value(&self, to: Variable, from: Operand, at: usize) -> Operand {
        match self.made[to].get(at) {
            Some(&value) => value,
            None => self.carried_with(from, at, self.of.variables[to][at]),
        }
    }

    fn carried_with(&self, operand: Operand, at: usize, ty: Type) -> Operand {
        match operand {
            Operand::Var(variable) if !self.beside[variable].is_empty() => self.beside[variable][at].into(),
            _ => zero(ty),
        }
    }

    /// Operands, each with what is carried with it: of these types.
    fn with_types(&self, operands: &[Operand], types: &[Vec<Type>]) -> Vec<Operand> {
        let mut all = Vec::with_capacity(operands.len());
        for (&operand, types) in operands.iter().zip(types) {
            all.push(operand);
            all.extend(types.iter().enumerate().map(|(at, &ty)| self.carried_with(operand, at, ty)));
        }
        all
    }

    fn call_reference(&self, args: &[Operand]) -> Vec<Operand> {
        let (called, inputs) = (args[0], &args[1..]);
        let Operand::Var(variable) = called else { return self.call_known(args) };
        let mut all = vec![called];
        match self.of.called[variable].get(inputs.len()) {
            Some(types) if types.len() == inputs.len() => all.extend(self.with_types(inputs, types)),
            _ => all.extend(self.with_own(inputs)),
        }
        all.extend(self.beside[variable].iter().map(|&beside| Operand::from(beside)));
        all
    }

    /// A call through a reference that is a constant: the rules make a call by name of it.
    fn call_known(&self, args: &[Operand]) -> Vec<Operand> {
        let mut all = vec![args[0]];
        all.extend(self.with_own(&args[1..]));
        all
    }

    /// Operands, each with what is carried with its variable.
    fn with_own(&self, operands: &[Operand]) -> Vec<Operand> {
        let own = |operand: Operand| match operand {
            Operand::Var(variable) => &self.beside[variable][..],
            Operand::Const(_) => &[],
        };
        let with = operands.iter().flat_map(|&operand| {
            std::iter::once(operand).chain(own(operand).iter().map(|&beside| Operand::from(beside)))
        });
        with.collect()
    }

    fn call(&self, args: &[Operand], callee: usize) -> Vec<Operand> {
        let Carried { params, own, captured, .. } = &self.carried[callee];
        let (inputs, values) = args.split_at(args.len() - captured.len());
        let mut all = self.with_types(inputs, params);
        all.extend(self.passed(values, own));
        all
    }

    /// What a function is passed that was made with some values.
    fn passed(&self, values: &[Operand], own: &[Passed]) -> Vec<Operand> {
        let mut all = Vec::new();
        for passed in own {
            match passed.value {
                Some(value) => {
                    all.extend(self.with_types(&values[value..=value], std::slice::from_ref(&passed.beside)));
                }
                None => all.extend(passed.types().map(zero)),
            }
        }
        all
    }
}

fn zero(ty: Type) -> Operand {
    match ty {
        Type::Int(width) => Int::new(u32::from(width), 0).into(),
        _ => Operand::Const(Const::Null),
    }
}
