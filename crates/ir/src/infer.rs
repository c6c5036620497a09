//! Type inference for drafts: which variables refer to functions.
//!
//! Languages of words do not say which variables are functions. It follows from their use: what is called is one, and so
//! is what meets it in a move, an argument or a result; everything that is computed with is a word. [`infer`] finds it for
//! all drafts of a program at once, by unification (Milner 1978): first with one signature for a function and one type for
//! a variable; where that does not fit, each use has its own (`instances`). A zero is the null reference where a function is
//! wanted. A function may be given itself, so kinds may be cyclic. Near linear in the size of the drafts.
//!
//! A reference cannot bring values along. So where functions are made with values that are known only at run time
//! ([`Closure`](crate::draft::Closure)), what may hold one holds those values beside it (`carry`). A function has one kind
//! then, wherever it is referred to. A value that is brought along may be such a function itself; but what would bring along
//! functions of its own kind, as a list of closures does, has no end, and is refused.

use std::collections::BTreeMap;

use hashbrown::HashMap;
use planish_base::{Id, Interner, SideTable};
use planish_ops::world::{CallEffect, Descr};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use self::instances::{Depth, Names, instances};
use crate::carry::{Carried, carry};
use crate::constant::{Const, Symbol};
use crate::draft::{Draft, End, Node, Operand, Step, Variable};
use crate::module::{Descriptor, Descriptors};
use crate::references::signature;

mod closures;
mod instances;
mod split;

/// A place in a draft.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Place {
    /// The draft, by its position.
    pub draft: usize,
    /// The node.
    pub node: Node,
    /// The step; the number of steps for the end of the node.
    pub step: usize,
}

/// What meets at a place and does not fit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mismatch {
    /// The place.
    pub place: Place,
    /// What is wrong.
    pub message: String,
}

/// Sets the types of variables and results that refer to functions, makes zeros among them null references, and names the
/// signatures of calls through references, of which nothing is known but `effect`. Functions that are used in several types
/// become several. Returns the position that each draft had, or that of the draft that it is a copy of.
pub fn infer(
    drafts: &mut Vec<Draft>,
    symbols: &mut Interner<Symbol, String>,
    descriptors: &mut Descriptors,
    effect: &CallEffect,
) -> Result<Vec<usize>, Mismatch> {
    let mut origins = (0..drafts.len()).collect();
    if !drafts.iter().any(refers) {
        return Ok(origins);
    }
    let mut found = Inference::of(drafts, symbols, descriptors);
    // A function that begins a run takes words unless it calls what it is given: one that only hands it on does not tell.
    let begins = found.as_mut().map_or(usize::MAX, |(inference, _)| inference.functions_at_begin(drafts));
    let mut names = Names { symbols: std::mem::take(symbols), descriptors: std::mem::take(descriptors) };
    // Of what fits that is taken by which the fewest functions are inputs and outputs of the program; copies only where they
    // make them fewer.
    let (mut best, mut fewest) = (None, begins);
    for depth in [Depth::Tops, Depth::All] {
        if fewest == 0 {
            break;
        }
        let copies = instances(drafts, names.clone(), depth);
        let Names { symbols, descriptors } = &copies.names;
        let Ok((mut inference, carried)) = Inference::of(&copies.drafts, symbols, descriptors) else {
            continue;
        };
        let begins = inference.functions_at_begin(&copies.drafts);
        if begins < fewest {
            fewest = begins;
            best = Some((copies, inference, carried));
        }
    }
    let copied = best.map(|(mut copies, inference, carried)| {
        inference.settle(&mut copies.drafts, &carried);
        copies.merge(drafts, &mut names)
    });
    (*symbols, *descriptors) = (names.symbols, names.descriptors);
    match (copied, found) {
        (Some(copied), _) => (*drafts, origins) = copied,
        (None, Ok((inference, carried))) => inference.settle(drafts, &carried),
        // What is wrong is said of the program as it is written.
        (None, Err(mismatch)) => return Err(mismatch),
    }
    for draft in drafts {
        draft.name_calls(|types, results| {
            let name = signature(types.iter().copied(), results.iter().copied());
            descriptors.intern(name, || Descriptor::Callee(effect.clone()))
        });
    }
    Ok(origins)
}

/// Whether a draft calls through references or refers to functions.
fn refers(draft: &Draft) -> bool {
    let is_reference = |operand: &Operand| matches!(operand, Operand::Const(Const::Symbol(..)));
    let step_refers = |step: &Step| {
        matches!(step, Step::Op { op: Op::CallRef, .. }) || draft.step_reads(step).iter().any(is_reference)
    };
    let mut nodes = draft.nodes.values();
    nodes.any(|node| {
        node.end.operands().any(|operand| is_reference(&operand)) || node.steps.iter().any(step_refers)
    })
}

planish_base::define_id!(
    /// What is known of the type of some values.
    Kind, "k"
);

#[derive(Clone, Debug)]
enum Known {
    Nothing,
    Word,
    Function(Signature),
}

/// The operands and results of a function; of one that is only called, those results that are asked for.
#[derive(Clone, Debug)]
struct Shape {
    operands: Vec<Kind>,
    results: Vec<Kind>,
}

/// What is known of a value that is a function.
#[derive(Clone, Debug)]
struct Signature {
    /// By the number of operands. Functions of different ones may meet: a call of the wrong one leaves when it runs.
    shapes: BTreeMap<usize, Met>,
}

/// What is known of functions of a number of operands.
#[derive(Clone, Debug)]
struct Met {
    shape: Shape,
    /// Whether there is such a function. If not, calls leave when they run, and need not be alike.
    is_made: bool,
    /// The other calls, which are not alike.
    others: Vec<Shape>,
}

impl Signature {
    /// What is known of a function.
    fn made(shape: Shape) -> Self {
        Signature::of(shape, true)
    }

    /// What a call says of what it calls; `is_known` if calls are to be alike though nothing that fits may be there.
    fn called(shape: Shape, is_known: bool) -> Self {
        Signature::of(shape, is_known)
    }

    fn of(shape: Shape, is_made: bool) -> Self {
        let met = Met { shape, is_made, others: Vec::new() };
        Signature { shapes: BTreeMap::from([(met.shape.operands.len(), met)]) }
    }

    /// Takes what another says of the same value; what must be alike is to be done.
    fn meet(&mut self, other: Signature, work: &mut Vec<(Kind, Kind)>) {
        for (operands, met) in other.shapes {
            match self.shapes.get_mut(&operands) {
                Some(known) => known.meet(met, work),
                None => _ = self.shapes.insert(operands, met),
            }
        }
    }
}

impl Met {
    fn meet(&mut self, mut other: Met, work: &mut Vec<(Kind, Kind)>) {
        // What is longer is not moved.
        if other.others.len() > self.others.len() {
            std::mem::swap(self, &mut other);
        }
        self.is_made |= other.is_made;
        self.others.push(other.shape);
        self.others.append(&mut other.others);
        if self.is_made {
            for other in std::mem::take(&mut self.others) {
                let mut both = |one: &mut Vec<Kind>, other: Vec<Kind>| {
                    work.extend(one.iter().copied().zip(other.iter().copied()));
                    one.extend(other.into_iter().skip(one.len()));
                };
                both(&mut self.shape.operands, other.operands);
                both(&mut self.shape.results, other.results);
            }
        }
    }
}

/// What is wrong where a word and a function are one value.
const USED: &str = "a function is used as a number, or a number as a function";

/// A function that a draft is.
#[derive(Clone, Debug)]
struct Own {
    shape: Shape,
    /// The parameters for the values that it was made with.
    captured: Vec<Kind>,
    kind: Kind,
}

struct Inference {
    parents: Vec<Kind>,
    known: Vec<Known>,
    /// The kind of the first variable of each draft.
    variables: Vec<usize>,
    /// The functions that the drafts are, by position.
    functions: Vec<Own>,
    has_closures: bool,
    by_symbol: HashMap<Symbol, usize, FxBuildHasher>,
    by_descr: HashMap<Descr, usize, FxBuildHasher>,
    /// Zeros, which may be null references: where they are read, as which operand.
    zeros: Vec<(Place, usize, Kind)>,
}

impl Inference {
    /// What is found of drafts, and what is carried with the values of each if there are closures.
    fn of(
        drafts: &[Draft],
        symbols: &Interner<Symbol, String>,
        descriptors: &Descriptors,
    ) -> Result<(Self, Vec<Carried>), Mismatch> {
        let mut inference = Inference::new(drafts, symbols, descriptors);
        for (index, draft) in drafts.iter().enumerate() {
            inference.draft(index, draft)?;
        }
        let carried = if inference.has_closures { inference.carried(drafts)? } else { Vec::new() };
        Ok((inference, carried))
    }

    fn new(drafts: &[Draft], symbols: &Interner<Symbol, String>, descriptors: &Descriptors) -> Self {
        let mut inference = Inference {
            parents: Vec::new(),
            known: Vec::new(),
            variables: Vec::new(),
            functions: Vec::new(),
            has_closures: drafts.iter().any(|draft| !draft.closures.is_empty()),
            by_symbol: HashMap::default(),
            by_descr: HashMap::default(),
            zeros: Vec::new(),
        };
        for (index, draft) in drafts.iter().enumerate() {
            inference.variables.push(inference.known.len());
            draft.variables.ids().for_each(|_| _ = inference.fresh(Known::Nothing));
            let mut operands: Vec<Kind> =
                draft.params.iter().map(|&param| inference.variable(index, param)).collect();
            let captured = operands.split_off(operands.len() - draft.captured);
            let results = draft.result_types.iter().map(|_| inference.fresh(Known::Nothing)).collect();
            let shape = Shape { operands, results };
            let known = Known::Function(Signature::made(shape.clone()));
            let kind = inference.fresh(known);
            inference.functions.push(Own { shape, captured, kind });
            inference.by_symbol.extend(symbols.lookup_str(&draft.name).map(|symbol| (symbol, index)));
            inference.by_descr.extend(descriptors.lookup(&draft.name).map(|descr| (descr, index)));
        }
        inference
    }

    fn fresh(&mut self, known: Known) -> Kind {
        let kind = Kind::from_index(self.known.len());
        self.known.push(known);
        self.parents.push(kind);
        kind
    }

    fn variable(&self, draft: usize, variable: Variable) -> Kind {
        Kind::from_index(self.variables[draft] + variable.index())
    }

    fn find(&mut self, mut kind: Kind) -> Kind {
        while self.parents[kind.index()] != kind {
            let next = self.parents[self.parents[kind.index()].index()];
            self.parents[kind.index()] = next;
            kind = next;
        }
        kind
    }

    /// How many operands and results are functions where a run begins: in functions that are exported, and in the first.
    fn functions_at_begin(&mut self, drafts: &[Draft]) -> usize {
        let begin = (0..drafts.len()).filter(|&index| index == 0 || drafts[index].is_exported);
        let shapes: Vec<Shape> = begin.map(|index| self.functions[index].shape.clone()).collect();
        let kinds = shapes.into_iter().flat_map(|shape| [shape.operands, shape.results].concat());
        kinds.filter(|&kind| self.is_function(kind)).count()
    }

    fn is_function(&mut self, kind: Kind) -> bool {
        let root = self.find(kind);
        matches!(self.known[root.index()], Known::Function(_))
    }

    /// The kind of what a place reads as its n-th operand.
    fn read(&mut self, place: Place, position: usize, operand: Operand) -> Kind {
        let constant = match operand {
            Operand::Var(variable) => return self.variable(place.draft, variable),
            Operand::Const(constant) => constant,
        };
        let known = match constant {
            Const::Symbol(symbol, _) => match self.by_symbol.get(&symbol) {
                Some(&function) if self.has_closures => return self.functions[function].kind,
                Some(&function) => Known::Function(Signature::made(self.functions[function].shape.clone())),
                None => Known::Nothing,
            },
            Const::Int(int) if int.is_true() => Known::Word,
            _ => Known::Nothing,
        };
        let kind = self.fresh(known);
        if matches!(constant, Const::Int(int) if !int.is_true()) {
            self.zeros.push((place, position, kind));
        }
        kind
    }

    fn draft(&mut self, index: usize, draft: &Draft) -> Result<(), Mismatch> {
        let mut made = SideTable::<Variable, Option<usize>>::new();
        for (closure, number) in draft.closures.iter().zip(0..) {
            made[closure.variable] = Some(number);
        }
        for (node, data) in draft.nodes.iter() {
            for (number, step) in data.steps.iter().enumerate() {
                let place = Place { draft: index, node, step: number };
                self.step(place, draft, step, &made).map_err(|message| Mismatch { place, message })?;
            }
            let place = Place { draft: index, node, step: data.steps.len() };
            self.end(place, &data.end).map_err(|message| Mismatch { place, message })?;
        }
        Ok(())
    }

    fn end(&mut self, place: Place, end: &End) -> Result<(), String> {
        for (position, operand) in end.operands().enumerate() {
            let kind = self.read(place, position, operand);
            let wanted = match end {
                End::Return(_) => self.functions[place.draft].shape.results[position],
                _ => self.fresh(Known::Word),
            };
            self.unify(kind, wanted)?;
        }
        Ok(())
    }

    fn step(
        &mut self,
        place: Place,
        draft: &Draft,
        step: &Step,
        made: &SideTable<Variable, Option<usize>>,
    ) -> Result<(), String> {
        let operands = draft.step_reads(step).iter().enumerate();
        let reads: Vec<Kind> =
            operands.map(|(position, &operand)| self.read(place, position, operand)).collect();
        let written = draft.step_writes(step).iter();
        let writes: Vec<Kind> = written.map(|&variable| self.variable(place.draft, variable)).collect();
        match *step {
            Step::Move { to, .. } => {
                if let Some(number) = made[to] {
                    self.closure(place, &draft.closures[number].values, draft.step_reads(step)[0])?;
                }
                self.unify(reads[0], writes[0])
            }
            Step::Op { op: Op::CallRef, .. } => {
                let shape = Shape { operands: reads[1..].to_vec(), results: writes };
                // A closure is passed what it was made with behind its operands, of which calls have to know.
                let called = self.fresh(Known::Function(Signature::called(shape, self.has_closures)));
                self.unify(reads[0], called)
            }
            Step::Op { op: Op::Call, descr, .. } => {
                let callee = descr.and_then(|descr| self.by_descr.get(&descr).copied());
                let Some(callee) = callee.map(|callee| self.functions[callee].clone()) else { return Ok(()) };
                let operands =
                    reads.into_iter().zip(callee.shape.operands.into_iter().chain(callee.captured));
                let mut alike = operands.chain(writes.into_iter().zip(callee.shape.results));
                alike.try_for_each(|(one, other)| self.unify(one, other))
            }
            Step::Op { op: Op::Select, .. } => {
                let word = self.fresh(Known::Word);
                self.unify(reads[0], word)?;
                self.unify(reads[1], writes[0])?;
                self.unify(reads[2], writes[0])
            }
            Step::Op { .. } => {
                let word = self.fresh(Known::Word);
                reads.into_iter().chain(writes).try_for_each(|kind| self.unify(kind, word))
            }
        }
    }

    /// Lets the values of a closure be of the kinds of the parameters that they are.
    fn closure(&mut self, place: Place, values: &[Operand], function: Operand) -> Result<(), String> {
        let Some(function) = self.referred(function) else { return Ok(()) };
        for (&value, kind) in values.iter().zip(self.functions[function].captured.clone()) {
            let value = self.read(place, usize::MAX, value);
            self.unify(value, kind)?;
        }
        Ok(())
    }

    /// The function to which an operand refers, if that is known where it stands.
    fn referred(&self, operand: Operand) -> Option<usize> {
        match operand {
            Operand::Const(Const::Symbol(symbol, _)) => self.by_symbol.get(&symbol).copied(),
            _ => None,
        }
    }

    fn unify(&mut self, one: Kind, other: Kind) -> Result<(), String> {
        let mut work = vec![(one, other)];
        while let Some((one, other)) = work.pop() {
            let (one, other) = (self.find(one), self.find(other));
            if one == other {
                continue;
            }
            self.parents[one.index()] = other;
            let was = std::mem::replace(&mut self.known[one.index()], Known::Nothing);
            match (was, &mut self.known[other.index()]) {
                (Known::Nothing, _) | (Known::Word, Known::Word) => {}
                (was, known @ Known::Nothing) => *known = was,
                (Known::Function(was), Known::Function(known)) => known.meet(was, &mut work),
                (Known::Word, Known::Function(_)) | (Known::Function(_), Known::Word) => {
                    return Err(USED.to_owned());
                }
            }
        }
        Ok(())
    }

    /// Says in the drafts what was found, and lets them carry what is to be carried.
    fn settle(mut self, drafts: &mut [Draft], carried: &[Carried]) {
        for (index, draft) in drafts.iter_mut().enumerate() {
            for variable in draft.variables.ids() {
                if self.is_function(self.variable(index, variable)) {
                    draft.variables[variable].ty = Type::Ref;
                }
            }
            for (position, kind) in self.functions[index].shape.results.clone().into_iter().enumerate() {
                if self.is_function(kind) {
                    draft.result_types[position] = Type::Ref;
                }
            }
        }
        for (place, position, kind) in std::mem::take(&mut self.zeros) {
            // What a closure brings along is no operand of a step.
            if self.is_function(kind) && position != usize::MAX {
                let null = Operand::Const(Const::Null);
                drafts[place.draft].set_operand(place.node, place.step, position, null);
            }
        }
        if self.has_closures {
            carry(drafts, carried, |descr| self.by_descr.get(&descr).copied());
        }
    }
}

#[cfg(test)]
mod tests {
    use planish_ops::Int;

    use super::*;
    use crate::module::Module;

    fn inferred(drafts: &mut Vec<Draft>, module: &mut Module) -> Result<Vec<usize>, Mismatch> {
        let Module { symbols, descriptors, .. } = module;
        infer(drafts, symbols, descriptors, &CallEffect::pure())
    }

    /// `apply(f, x)` gives `f(x)` and zero.
    fn apply() -> (Draft, Variable) {
        let mut draft = Draft::new("apply", &[Type::I64; 2]);
        let [f, x, y] = ["f", "x", "y"].map(|name| draft.variable(name, Type::I64));
        draft.params.extend([f, x]);
        let entry = draft.node("");
        draft.op(entry, Op::CallRef, &[f.into(), x.into()], &[y]);
        draft.nodes[entry].end = End::Return(vec![y.into(), Int::new(64, 0).into()]);
        (draft, f)
    }

    #[test]
    fn what_is_called_is_a_reference_and_its_call_has_a_signature() {
        let mut module = Module::new();
        let (draft, f) = apply();
        let mut drafts = vec![draft];
        inferred(&mut drafts, &mut module).expect("it fits");
        assert_eq!(drafts[0].variables[f].ty, Type::Ref);
        assert_eq!(drafts[0].result_types, [Type::I64; 2]);
        assert!(module.descriptors.lookup("i64_to_i64").is_some());
    }

    #[test]
    fn kinds_go_through_calls_and_zero_may_be_null() {
        let mut module = Module::new();
        let (draft, f) = apply();
        let descr = module.descriptors.intern("apply", || Descriptor::Callee(CallEffect::pure()));
        let mut caller = Draft::new("caller", &[Type::I64]);
        let [g, x, y] = ["g", "x", "y"].map(|name| caller.variable(name, Type::I64));
        caller.params.extend([g, x]);
        let entry = caller.node("");
        caller.op_named(entry, Op::Call, &[g.into(), x.into()], &[y], Some(descr));
        caller.op_named(entry, Op::Call, &[Int::new(64, 0).into(), x.into()], &[y], Some(descr));
        caller.nodes[entry].end = End::Return(vec![y.into()]);
        let mut drafts = vec![caller, draft];
        inferred(&mut drafts, &mut module).expect("it fits");
        assert_eq!((drafts[0].variables[g].ty, drafts[1].variables[f].ty), (Type::Ref, Type::Ref));
        let Step::Op { args, .. } = drafts[0].nodes[entry].steps[1] else { panic!("it is a call") };
        assert_eq!(drafts[0].args(args)[0], Operand::Const(Const::Null));
    }

    /// `take(f)` calls `f` with two numbers, and with a number and itself: `f` has one operand, so neither call comes back.
    #[test]
    fn calls_that_fit_no_function_need_not_be_alike() {
        let mut module = Module::new();
        let fits = |operands: usize, module: &mut Module| {
            let mut take = Draft::new("take", &[Type::I64]);
            let [f, x, y] = ["f", "x", "y"].map(|name| take.variable(name, Type::I64));
            take.params.extend([f, x]);
            let entry = take.node("");
            take.op(entry, Op::CallRef, &[f.into(), x.into(), x.into()], &[y]);
            take.op(entry, Op::CallRef, &[f.into(), y.into(), f.into()], &[x]);
            take.op(entry, Op::Add, &[y.into(), y.into()], &[y]);
            take.nodes[entry].end = End::Return(vec![y.into()]);
            let mut given = Draft::new("given", &[Type::I64]);
            given.params = (0..operands).map(|_| given.variable("p", Type::I64)).collect();
            let sum = given.variable("sum", Type::I64);
            let body = given.node("");
            given.op(body, Op::Add, &[given.params[0].into(), Int::new(64, 1).into()], &[sum]);
            given.nodes[body].end = End::Return(vec![sum.into()]);
            let mut caller = Draft::new("caller", &[Type::I64]);
            let [k, result] = ["k", "result"].map(|name| caller.variable(name, Type::I64));
            caller.params.push(k);
            let entry = caller.node("");
            let reference = Operand::Const(Const::Symbol(module.symbol("given"), Type::Ref));
            let descr = module.descriptors.intern("take", || Descriptor::Callee(CallEffect::pure()));
            caller.op_named(entry, Op::Call, &[reference, k.into()], &[result], Some(descr));
            caller.nodes[entry].end = End::Return(vec![result.into()]);
            inferred(&mut vec![caller, take, given], module).is_ok()
        };
        assert!(fits(1, &mut module));
        assert!(!fits(2, &mut module), "then both calls are of one function");
    }

    #[test]
    fn a_function_is_no_number() {
        let (mut draft, f) = apply();
        let entry = draft.entry();
        let sum = draft.variable("sum", Type::I64);
        draft.op(entry, Op::Add, &[f.into(), f.into()], &[sum]);
        let error = inferred(&mut vec![draft], &mut Module::new()).expect_err("it does not fit");
        assert_eq!(error.place.step, 1);
    }

    /// `make(x)` is the function that adds `x`, which `apply` is given.
    fn closures(module: &mut Module, is_exported: bool) -> Vec<Draft> {
        let (apply, _) = apply();
        let mut add = Draft::new("add", &[Type::I64]);
        let [x, y, sum] = ["x", "y", "sum"].map(|name| add.variable(name, Type::I64));
        add.params.extend([x, y]);
        add.captured = 1;
        let entry = add.node("");
        add.op(entry, Op::Add, &[x.into(), y.into()], &[sum]);
        add.nodes[entry].end = End::Return(vec![sum.into()]);
        let mut caller = Draft::new("caller", &[Type::I64; 2]);
        let [k, made, result, zero] =
            ["k", "made", "result", "zero"].map(|name| caller.variable(name, Type::I64));
        caller.params.push(k);
        caller.is_exported = is_exported;
        let entry = caller.node("");
        let reference = Operand::Const(Const::Symbol(module.symbol("add"), Type::Ref));
        let apply_descr = module.descriptors.intern("apply", || Descriptor::Callee(CallEffect::pure()));
        caller.assign(entry, made, reference);
        caller.closures.push(crate::draft::Closure { variable: made, values: vec![k.into()] });
        caller.op_named(entry, Op::Call, &[made.into(), k.into()], &[result, zero], Some(apply_descr));
        caller.nodes[entry].end =
            End::Return(vec![result.into(), if is_exported { made } else { zero }.into()]);
        vec![caller, apply, add]
    }

    #[test]
    fn what_a_closure_brings_along_is_passed_beside_it() {
        let mut module = Module::new();
        let mut drafts = closures(&mut module, false);
        inferred(&mut drafts, &mut module).expect("it fits");
        let [caller, apply, add] = &*drafts else { panic!("three functions") };
        // apply(f, brought, x) calls f(x, brought).
        assert_eq!(apply.params.len(), 3);
        let Step::Op { args, .. } = apply.nodes[apply.entry()].steps[0] else { panic!("it is a call") };
        let brought = apply.params[1];
        assert_eq!(apply.args(args), [apply.params[0].into(), apply.params[2].into(), brought.into()]);
        assert_eq!((add.params.len(), apply.variables[brought].ty), (2, Type::I64));
        let Some(&Step::Op { args, .. }) = caller.nodes[caller.entry()].steps.last() else {
            panic!("a call")
        };
        assert_eq!(caller.args(args).len(), 3);
        for draft in drafts {
            let function = crate::construct::construct(draft).function;
            assert!(crate::verify::verify(&function, crate::Form::Cfg).is_empty());
        }
    }

    #[test]
    fn a_closure_stays_inside_the_program() {
        let mut module = Module::new();
        let error = inferred(&mut closures(&mut module, true), &mut module).expect_err("it is an output");
        assert!(error.message.contains("output of the program"), "{}", error.message);
        assert_eq!((error.place.draft, error.place.step), (0, 0));
    }
}
