//! The call graph after the fixed point: where each call leads, and what the calls of one method have in common.

use std::rc::Rc;

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::{Flags, Opcode};
use planish_domain::RefFact;
use planish_ir::{Block, Def, Inst, Value};
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::program::{Class, Found, Method, Program, Selector};
use planish_ops::Op;
use planish_ops::world::Descr;
use rustc_hash::FxBuildHasher;

use crate::dispatch::Targets;
use crate::infer::fact::Fact;
use crate::infer::state::sites::{Callee, Site};
use crate::infer::state::{Analysis, Body};
use crate::precise::{PreciseCall, PreciseCalls, SingleCall};

/// A call of a body that is analysed.
#[derive(Clone, Copy)]
pub(super) struct CallAt {
    pub block: Block,
    pub inst: Inst,
    /// Its place among the instructions of the method.
    pub at: u32,
    /// The method that it names.
    pub selector: Option<Selector>,
    /// The method of the program that is found under that name, on an object.
    pub named: Option<Method>,
    /// The method to which it leads, if that is one and would be found under what it names.
    pub only: Option<Method>,
    /// The method to which it leads, if that is one and would not be found there: it is called through a class or interface
    /// above, or has its body in an interface. A static variant of it may be called all the same, by its own class.
    pub elsewhere: Option<Method>,
    /// Whether its receiver may be null.
    pub on_null: bool,
    /// Whether it is a call of a method that only computes.
    pub is_pure: bool,
    /// The class that it is to name instead of what it names.
    pub precise: Option<Class>,
}

impl CallAt {
    /// The one method to which it leads, wherever that is found.
    pub fn leads_to(&self) -> Option<Method> {
        self.only.or(self.elsewhere)
    }
}

/// How many calls that run lead to a method alone, by what they are called on.
#[derive(Clone, Copy, Default)]
pub(super) struct Receivers {
    /// An object.
    pub objects: u32,
    /// What may be null.
    pub nullable: u32,
}

impl Receivers {
    /// Whether the method may do without a receiver: each call on an object saves an instruction, and each one on what may be null
    /// takes two more to check it.
    pub fn may_go(self) -> bool {
        2 * self.nullable <= self.objects
    }
}

/// What a method does with a parameter that may be decided by the class of the argument.
#[derive(Clone, Copy)]
pub(super) enum Ask {
    /// It calls a method of it which several classes have: the class that calls, and what it names.
    Call(Class, Descr),
    /// It tests whether it is of a class.
    Test(ClassId),
    /// It hands it to a parameter of a method.
    Pass(Method, u32),
}

/// All calls.
pub(super) struct Survey {
    /// By caller, in the order of its instructions.
    calls: Vec<CallAt>,
    /// By caller where its calls begin, and where the last ones end.
    first: Vec<u32>,
    /// By method whether calls that lead to it may lead elsewhere, too.
    pub lead_elsewhere: Vec<bool>,
    /// By method whether calls lead to it that would not find it under what they name.
    pub named_elsewhere: Vec<bool>,
    /// By method what it is called on.
    pub receivers: Vec<Receivers>,
    /// By caller calls that have a result, in the order of their ids, and the methods to which they may lead.
    targets: Vec<Vec<(Inst, Rc<Targets>)>>,
    /// Calls that lead to one method, while what they name does not say so.
    pub singles: Vec<SingleCall>,
    /// By method and parameter what is asked of it.
    asks: HashMap<(Method, u32), Vec<Ask>, FxBuildHasher>,
}

impl Survey {
    /// The calls of a method, in the order of its instructions.
    pub fn of(&self, caller: Method) -> &[CallAt] {
        let place = caller.index();
        &self.calls[self.first[place] as usize..self.first[place + 1] as usize]
    }

    /// The methods to which a call of `caller` may lead, if it has a result.
    pub fn targets(&self, caller: Method, call: Inst) -> &[Method] {
        let calls = &self.targets[caller.index()];
        let place = calls.binary_search_by_key(&call, |(inst, _)| *inst);
        place.map_or(&[], |place| &calls[place].1.methods)
    }

    /// What a method asks of a parameter.
    pub fn asks(&self, method: Method, place: usize) -> &[Ask] {
        self.asks.get(&(method, place as u32)).map_or(&[], Vec::as_slice)
    }

    /// The calls that are to name more precise classes.
    pub fn precise_calls(&self, program: &Program<'_>) -> PreciseCalls {
        let mut precise = PreciseCalls::default();
        for caller in program.methods.ids() {
            let call_of = |call: &CallAt| {
                let (class, selector) = (call.precise?, call.selector?);
                let call_of = PreciseCall {
                    class: program.name(class).into(),
                    name: program.member_name(selector).into(),
                    descriptor: program.descriptor(selector).into(),
                };
                Some((call.at, call_of))
            };
            let calls: Vec<_> = self.of(caller).iter().filter_map(call_of).collect();
            if !calls.is_empty() {
                let info = &program.methods[caller];
                let name = [program.name(info.class), b".", program.text(info.selector)].concat();
                precise.add(name.into(), calls);
            }
        }
        precise
    }
}

/// A call that is looked at.
#[derive(Clone, Copy)]
struct Looked<'b> {
    caller: Method,
    body: &'b Body,
    block: Block,
    inst: Inst,
    callee: &'b Callee,
}

impl Analysis<'_, '_, '_> {
    /// Looks at every call. O(instructions).
    pub(super) fn survey(&mut self) -> Survey {
        let count = self.bodies.len();
        let mut survey = Survey {
            calls: Vec::new(),
            first: Vec::with_capacity(count + 1),
            targets: (0..count).map(|_| Vec::new()).collect(),
            lead_elsewhere: vec![false; count],
            named_elsewhere: vec![false; count],
            receivers: vec![Receivers::default(); count],
            singles: Vec::new(),
            asks: HashMap::default(),
        };
        for caller in self.program.methods.ids() {
            survey.first.push(survey.calls.len() as u32);
            let Some(body) = self.bodies[caller.index()].take() else { continue };
            let sites = self.sites[body.class.index()].clone();
            for (block, inst) in body.function.live_insts() {
                let data = body.function.inst(inst);
                let (Op::Call, Some(descr)) = (data.op, data.descr) else { continue };
                match &sites[descr.index()] {
                    Site::Call(callee) => {
                        let call = Looked { caller, body: &body, block, inst, callee };
                        self.survey_call(&mut survey, call);
                    }
                    Site::Test(class) => {
                        let first = body.function.args(inst).first();
                        if let Some(first) = first.and_then(|&first| self.parameter_of(caller, &body, first))
                        {
                            survey.asks.entry(first).or_default().push(Ask::Test(*class));
                        }
                    }
                    _ => {}
                }
            }
            survey.targets[caller.index()].sort_unstable_by_key(|(inst, _)| *inst);
            self.bodies[caller.index()] = Some(body);
        }
        survey.first.push(survey.calls.len() as u32);
        survey
    }

    /// The parameter that a value is. A parameter, but no receiver: that is known by the class of the method.
    fn parameter_of(&self, caller: Method, body: &Body, value: Value) -> Option<(Method, u32)> {
        let receivers = u32::from(!self.program.methods[caller].flags.has(Flags::STATIC));
        match body.function.def(value) {
            Def::Param(home, place) if home == body.function.entry() => {
                (place >= receivers).then_some((caller, place))
            }
            _ => None,
        }
    }

    /// Looks at one call.
    fn survey_call(&mut self, survey: &mut Survey, call: Looked<'_>) {
        let Looked { caller, body, block, inst, callee } = call;
        let receiver = self.receiver(call);
        let only = self.only_callee(callee, receiver);
        let runs = self.progress[caller.index()].runs[block.index()];
        let target = if runs { self.target_on_object(body.class, callee, receiver) } else { None };
        let elsewhere = target.filter(|_| only.is_none()).map(|(target, _)| target);
        let elsewhere = elsewhere.filter(|&target| self.may_name_of(body.class, target));
        self.survey_targets(survey, call, receiver, (only, elsewhere));
        let sees = |analysis: &Self, class| {
            let object = body.function.args(inst).first();
            object.is_some_and(|&object| analysis.sees(caller, body, object, class))
        };
        let target = target.and_then(|target| self.single_target(callee, receiver, target));
        let precise = target
            .zip(callee.selector)
            .and_then(|(target, selector)| self.precise_class(body.class, selector, target, sees));
        self.survey_arguments(survey, call, only, precise);
        let at = body.function.inst(inst).location.0 - 1;
        if let (Some((target, _)), None) = (target, precise) {
            let is_seen = sees(self, self.program.classes[self.program.methods[target].class].id);
            survey.singles.push(SingleCall { caller, at, target, is_seen });
        }
        let (selector, is_pure) = (callee.selector, callee.pure.is_some());
        let named = match callee.found {
            Some(Found::Program(named)) if callee.op != Opcode::Invokestatic => Some(named),
            _ => None,
        };
        let on_null = receiver.may_be_null();
        let call = CallAt { block, inst, at, selector, named, only, elsewhere, on_null, is_pure, precise };
        if let Some(callee) = call.leads_to().filter(|_| runs) {
            let receivers = &mut survey.receivers[callee.index()];
            receivers.nullable += u32::from(on_null);
            receivers.objects += u32::from(!on_null);
        }
        survey.calls.push(call);
    }

    /// What is known of the first argument of a call.
    fn receiver(&self, Looked { caller, body, inst, .. }: Looked<'_>) -> RefFact {
        let first = body.function.args(inst).first();
        match first.map(|&arg| self.progress[caller.index()].values[arg.index()]) {
            Some(Fact::Ref(known)) => known,
            _ => RefFact::TOP,
        }
    }

    /// Notes where a call leads.
    fn survey_targets(
        &mut self,
        survey: &mut Survey,
        Looked { caller, body, inst, callee, .. }: Looked<'_>,
        receiver: RefFact,
        (only, elsewhere): (Option<Method>, Option<Method>),
    ) {
        match (only, elsewhere) {
            (Some(_), _) => {}
            (None, Some(method)) => survey.named_elsewhere[method.index()] = true,
            (None, None) => {
                for method in &self.leads(callee, receiver).methods {
                    survey.lead_elsewhere[method.index()] = true;
                }
            }
        }
        if body.function.first_result(inst).is_some() {
            let targets = self.leads(callee, receiver).shared();
            if !targets.methods.is_empty() {
                survey.targets[caller.index()].push((inst, targets));
            }
        }
    }

    /// Notes what a call does with parameters of its caller.
    fn survey_arguments(
        &self,
        survey: &mut Survey,
        Looked { caller, body, inst, callee, .. }: Looked<'_>,
        only: Option<Method>,
        precise: Option<Class>,
    ) {
        let args = body.function.args(inst);
        let first = args.first().and_then(|&first| self.parameter_of(caller, body, first));
        let is_virtual = matches!(callee.op, Opcode::Invokevirtual | Opcode::Invokeinterface);
        let descr = body.function.inst(inst).descr;
        if let (Some(first), Some(descr), None, None, true) = (first, descr, only, precise, is_virtual) {
            survey.asks.entry(first).or_default().push(Ask::Call(body.class, descr));
        }
        let Some(only) = only else { return };
        for (place, &arg) in args.iter().enumerate() {
            if let Some(parameter) = self.parameter_of(caller, body, arg) {
                survey.asks.entry(parameter).or_default().push(Ask::Pass(only, place as u32));
            }
        }
    }

    /// The one method that a call leads to, if the method that the instruction names would be found there as
    /// well: a static one, a private one, or the only one that receivers of which this much is known select.
    fn only_callee(&mut self, callee: &Callee, receiver: RefFact) -> Option<Method> {
        let program = self.program;
        let Some(Found::Program(found)) = callee.found else { return None };
        match callee.op {
            Opcode::Invokestatic => return Some(found),
            Opcode::Invokevirtual => {}
            Opcode::Invokespecial if self.is_constructor(found) => {
                let home = program.classes[program.methods[found].class].id;
                return (callee.class == Some(home)).then_some(found);
            }
            // A class calls its own method, which is private or was, and not what overrides it.
            Opcode::Invokespecial if callee.above.is_none() => {}
            _ => return None,
        }
        let targets = self.leads(callee, receiver);
        let (&[only], false, Some(named)) = (&targets.methods[..], targets.outside, callee.class) else {
            return None;
        };
        let home = &program.classes[program.methods[only].class];
        let is_above =
            program.class(named).is_some_and(|named| program.classes[named].supertypes.contains(&home.id));
        let is_static = program.methods[only].flags.has(Flags::STATIC);
        let fits =
            is_above && !is_static && !self.is_constructor(only) && !home.file.flags.has(Flags::INTERFACE);
        fits.then_some(only)
    }

    /// Whether a method makes an object what it is.
    pub(super) fn is_constructor(&self, method: Method) -> bool {
        self.program.member_name(self.program.methods[method].selector) == b"<init>"
    }
}
