//! Functions: what is exported, what a call names, and what a function is given besides its inputs.
//!
//! A function is the same as another if its term is and what is known of its constant inputs. What is
//! known where the function is made needs no parameter; the other constants are passed behind the inputs.
//! A member of a `phi` is known by its place in it and by the constants of the `phi`, so that a function
//! that names itself names the very function that is being lifted.
//!
//! A function that is a value at run time is a reference to a function of the module. Constants that are known only where it
//! is made are the values of a [`Closure`], and are carried beside the reference when all is lifted.

use std::rc::Rc;

use planish_ir::Const;
use planish_ir::draft::{Closure, Draft, Node, Operand, Variable};
use planish_ir::module::Descriptor;
use planish_ops::world::{CallEffect, Descr, World};
use planish_ops::{Int, Op, Type};

use super::callable::{Callable, CallableData, Code, Known};
use super::{Activation, Lifted, Lifter, Then, Unliftable};
use crate::terms::{Kind, Term};

impl Lifter<'_> {
    /// Gives a function that a program exports its name, so that calls of it name it. None if what it is has to be computed.
    pub(super) fn name_root(&mut self, name: &str, term: Term) -> Option<Callable> {
        let (what, holder) = match self.terms.kind(term) {
            Kind::Function { .. } => (Code::Function(term), term),
            Kind::Get(index) => {
                let phi = self.terms.operands(term)[0];
                let is_phi = matches!(self.terms.kind(phi), Kind::Phi { .. });
                is_phi.then_some((Code::Member(phi, index), phi))?
            }
            _ => return None,
        };
        let (terms, callables, width) = (self.terms, &mut self.callables, self.options.width.into());
        let known = |&constant: &Term| match terms.kind(constant) {
            Kind::Number(number) => Some(Known::Number(Int::new(width, number as u64).signed())),
            Kind::Function { .. } if terms.outer_count(constant) == 0 => {
                let what = Code::Function(constant);
                let function = CallableData { what, constants: Vec::new(), copy: 0 };
                Some(Known::Function(callables.intern(function), 0))
            }
            _ => None,
        };
        let constants: Vec<Known> = terms.outer(holder).iter().map(known).collect::<Option<_>>()?;
        let mut copy = 0;
        loop {
            let constants = constants.clone();
            let callable = self.callables.intern(CallableData { what, constants, copy });
            if self.names[callable].is_none() {
                self.names[callable] = Some(name.into());
                return Some(callable);
            }
            copy += 1;
        }
    }

    /// Lifts what a program exports and what has to be computed: a region without arguments, whose result may be a function.
    pub(super) fn root(&mut self, name: &str, term: Term) -> Result<(), Unliftable> {
        self.draft = Draft::new(name, &[self.word()]);
        self.draft.is_exported = true;
        self.began.push(self.places[term]);
        self.nowhere = None;
        let entry = self.draft.node("");
        self.enter(vec![term], Vec::new(), entry, Then::Export);
        self.run()
    }

    /// Goes on in the function that a program exports, behind what was computed to make it.
    pub(super) fn export(
        &mut self,
        callable: Callable,
        captured: &[Operand],
        node: Node,
    ) -> Result<(), Unliftable> {
        let (function, _) = self.code(callable);
        let Kind::Function { inputs, outputs } = self.terms.kind(function) else {
            return Err("what is exported is no function".to_owned().into());
        };
        let word = self.word();
        self.draft.result_types = vec![word; outputs as usize];
        self.draft.params = (0..inputs).map(|_| self.draft.variable("", word)).collect();
        let inputs: Vec<Lifted> = self.draft.params.iter().map(|&param| Lifted::Word(param.into())).collect();
        let arguments = self.arguments(callable, &inputs, captured)?;
        let results = self.terms.regions(function).next().map_or(Vec::new(), |body| body.results.to_vec());
        self.enter(results, arguments, node, Then::Return);
        Ok(())
    }

    pub(super) fn function(&mut self, callable: Callable) -> Result<(), Unliftable> {
        let name = self.names[callable].clone().ok_or_else(|| "a function without a name".to_owned())?;
        if std::mem::replace(&mut self.lifted[callable], true) {
            return Ok(());
        }
        let (function, _) = self.code(callable);
        let Kind::Function { inputs, outputs } = self.terms.kind(function) else {
            return Err(format!("{name} is no function").into());
        };
        let word = self.word();
        self.draft = Draft::new(&name, &vec![word; outputs as usize]);
        self.began.push(self.places[function]);
        self.nowhere = None;
        let at_run_time = self.callables.get(callable).constants.iter().map(|known| known.passed()).sum();
        let params: Vec<Variable> =
            (0..inputs as usize + at_run_time).map(|_| self.draft.variable("", word)).collect();
        self.draft.params.clone_from(&params);
        self.draft.captured = at_run_time;
        self.draft.is_exported = self.exported.contains(&&*name);
        let entry = self.draft.node("");
        let mut params = params.into_iter().map(Operand::Var);
        let inputs: Vec<Operand> = params.by_ref().take(inputs as usize).collect();
        let captured: Vec<Operand> = params.collect();
        let arguments =
            self.arguments(callable, &inputs.into_iter().map(Lifted::Word).collect::<Vec<_>>(), &captured)?;
        let results = self.terms.regions(function).next().map_or(Vec::new(), |body| body.results.to_vec());
        self.enter(results, arguments, entry, Then::Return);
        self.run()
    }

    /// The `func` term of a function, and the constants of its `phi` if it is a member of one.
    fn code(&self, callable: Callable) -> (Term, bool) {
        match self.callables.get(callable).what {
            Code::Function(term) => (term, false),
            Code::Member(phi, index) => {
                let body = self.terms.regions(phi).next();
                (body.map_or(phi, |body| body.results[index as usize]), true)
            }
        }
    }

    /// The arguments of a function's body: the inputs of a call, then the constants.
    fn arguments(
        &mut self,
        callable: Callable,
        inputs: &[Lifted],
        captured: &[Operand],
    ) -> Result<Vec<Lifted>, String> {
        let data = self.callables.get(callable).clone();
        let all: Rc<[Operand]> = captured.into();
        let mut captured = captured.iter().copied();
        let mut constants: Vec<Lifted> = Vec::with_capacity(data.constants.len());
        for known in &data.constants {
            constants.push(match known {
                Known::Number(number) => Lifted::Word(self.number(*number)),
                Known::Function(callable, values) => {
                    Lifted::Function(*callable, captured.by_ref().take(*values).collect())
                }
                Known::AtRunTime => Lifted::Word(captured.next().ok_or("a constant input is missing")?),
            });
        }
        let mut arguments = inputs.to_vec();
        match data.what {
            Code::Function(_) => arguments.extend(constants),
            Code::Member(phi, _) => {
                // The constants of the member are terms of the region of the `phi`, which has its own
                // functions and the constants of the `phi` as arguments.
                let Kind::Phi { functions } = self.terms.kind(phi) else {
                    return Err("a `phi` is a `phi`".into());
                };
                let mut around: Vec<Lifted> = Vec::new();
                for index in 0..functions {
                    let (what, constants) = (Code::Member(phi, index), data.constants.clone());
                    let member = CallableData { what, constants, copy: 0 };
                    // They have the constants of the `phi` too, and so its values at run time.
                    around.push(Lifted::Function(self.callables.intern(member), all.clone()));
                }
                around.extend(constants);
                let (function, _) = self.code(callable);
                for &constant in self.terms.outer(function) {
                    arguments.push(match self.terms.kind(constant) {
                        Kind::Argument(index) => around[index as usize].clone(),
                        Kind::Number(number) => Lifted::Word(self.number(number)),
                        _ => return Err("a constant input of a function of a `phi` is computed".into()),
                    });
                }
            }
        }
        Ok(arguments)
    }

    /// A function with the values of its constants.
    ///
    /// Besides, the first segment in which all of them can be used.
    pub(super) fn capture(&mut self, what: Code, constants: &[Term]) -> Result<(Lifted, u32), String> {
        let mut known = Vec::with_capacity(constants.len());
        let (mut captured, mut segment) = (Vec::new(), 0);
        for &constant in constants {
            let (value, from) = self.value(constant);
            segment = segment.max(from);
            known.push(match value {
                Lifted::Word(Operand::Const(Const::Int(int))) => Known::Number(int.signed()),
                Lifted::Word(operand) => {
                    captured.push(operand);
                    Known::AtRunTime
                }
                Lifted::Function(callable, inner) => {
                    captured.extend_from_slice(&inner);
                    Known::Function(callable, inner.len())
                }
                Lifted::Tuple(_) => return Err("a constant input is a tuple".into()),
            });
        }
        let callable = self.callables.intern(CallableData { what, constants: known, copy: 0 });
        Ok((Lifted::Function(callable, captured.into()), segment))
    }

    pub(super) fn call(&mut self, term: Term) -> Result<(), String> {
        let terms = self.terms;
        let [callee, inputs @ ..] = terms.operands(term) else { return Err("a call of nothing".into()) };
        let (callable, captured) = match self.value(*callee).0 {
            Lifted::Function(callable, captured) => (callable, captured),
            Lifted::Word(callee) => return self.call_reference(term, callee, inputs),
            Lifted::Tuple(_) => return Err("a call of a tuple".into()),
        };
        let (function, _) = self.code(callable);
        let Kind::Function { inputs: wanted, outputs } = terms.kind(function) else {
            return Err("a call of what is no function".into());
        };
        // A call of other inputs than the function has, or of more outputs, traps as one does that is known at run time only.
        let asked = self.top().called.get(&term).copied().unwrap_or(0);
        if inputs.len() != wanted as usize || asked > outputs {
            let callee = self.operand_of(&Lifted::Function(callable, captured), self.last().1)?;
            return self.call_reference(term, callee, inputs);
        }
        let inputs: Vec<Lifted> = inputs.iter().map(|&input| self.value(input).0).collect();
        let (node, segment) = self.last();
        let repeated = |frame: &Activation| matches!(frame.then, Then::Inline(_, other) if other == callable);
        let is_repeated = self.stack.iter().any(repeated);
        let stays = match self.options.functions {
            // A function that is given a closure is its body, if it ends and there is room.
            true => {
                let is_full = self.inlined.used() == self.inlined.limit();
                is_repeated || is_full || inputs.iter().all(Lifted::is_operand)
            }
            false => {
                self.expressions[function] && inputs.iter().all(|input| matches!(input, Lifted::Word(_)))
            }
        };
        if stays {
            let word = self.word();
            let mut args = Vec::with_capacity(inputs.len() + captured.len());
            for input in &inputs {
                args.push(self.operand_of(input, segment)?);
            }
            args.extend(captured.iter().copied());
            let results: Vec<Variable> = (0..outputs).map(|_| self.draft.variable("", word)).collect();
            let descr = self.function_name(callable);
            self.draft.op_named(node, Op::Call, &args, &results, Some(descr));
            self.came_from(node, term);
            let results = results.into_iter().map(|result| Lifted::Word(result.into())).collect();
            self.set(term, Lifted::Tuple(results), segment);
            return Ok(());
        }
        if is_repeated {
            return Err("a function calls itself".into());
        }
        let arguments = self.arguments(callable, &inputs, &captured)?;
        let results = terms.regions(function).next().map_or(Vec::new(), |body| body.results.to_vec());
        self.inlining += 1;
        self.enter(results, arguments, node, Then::Inline(term, callable));
        Ok(())
    }

    /// Calls a function that is known only at run time. It has as many outputs as are asked for, or more.
    fn call_reference(&mut self, term: Term, callee: Operand, inputs: &[Term]) -> Result<(), String> {
        if !self.options.functions {
            return Err("a call of a function that is known only at run time".into());
        }
        let mut args = vec![callee];
        for &input in inputs {
            args.push(self.operand(input)?.0);
        }
        let word = self.word();
        let outputs = self.top().called.get(&term).copied().unwrap_or(0);
        let results: Vec<Variable> = (0..outputs).map(|_| self.draft.variable("", word)).collect();
        let (node, segment) = self.last();
        self.draft.op(node, Op::CallRef, &args, &results);
        self.came_from(node, term);
        let results = results.into_iter().map(|result| Lifted::Word(result.into())).collect();
        self.set(term, Lifted::Tuple(results), segment);
        Ok(())
    }

    /// A reference to a function, to be used in a segment and behind it.
    pub(super) fn reference(
        &mut self,
        callable: Callable,
        captured: &[Operand],
        segment: u32,
    ) -> Result<Operand, String> {
        if !self.options.functions {
            return Err("a function is chosen at run time".into());
        }
        let mut callable = callable;
        if self.options.copies
            && self.names[callable].as_deref().is_some_and(|name| self.exported.contains(&name))
        {
            let data = self.callables.get(callable).clone();
            callable = self.callables.intern(CallableData { copy: u32::MAX, ..data });
        }
        let descr = self.function_name(callable);
        let name = self.module.descriptors.name(descr).to_owned();
        let reference = Operand::Const(Const::Symbol(self.module.symbol(&name), Type::Ref));
        if captured.is_empty() {
            return Ok(reference);
        }
        let (node, variable) = (self.top().segments[segment as usize], self.draft.variable("", self.word()));
        self.draft.assign(node, variable, reference);
        let (function, _) = self.code(callable);
        self.came_from(node, function);
        self.draft.closures.push(Closure { variable, values: captured.to_vec() });
        Ok(variable.into())
    }

    /// The descriptor of a function of the module.
    fn function_name(&mut self, callable: Callable) -> Descr {
        let taken = |this: &Self, name: &str| {
            this.module.descriptors.lookup(name).is_some() || this.exported.contains(&name)
        };
        let name = match &self.names[callable] {
            Some(name) => name.clone(),
            None => {
                let mut number = self.queue.len();
                let name: Rc<str> = loop {
                    let name = format!("f{number}");
                    if !taken(self, &name) {
                        break name.into();
                    }
                    number += 1;
                };
                self.queue.push(callable);
                self.names[callable] = Some(name.clone());
                name
            }
        };
        let effect = || Descriptor::Callee(CallEffect::pure());
        self.module.descriptors.intern(&*name, effect)
    }
}
