//! Inlining for escape analysis: objects that could be scalar-replaced if certain calls were inlined.
//!
//! A fresh object that goes nowhere is its fields (`objects`), but an object that is handed to a
//! method goes somewhere, and one that a method gives is not fresh. If the method only looks at the object, its body in
//! the place of the call lets the object vanish, and so a body may stand there that is too long for that otherwise. An
//! iterator is the example: `iterator()` makes one, `hasNext()` and `next()` read and write its fields.
//!
//! Each fresh object is followed along what is done with it: through tests, casts and joins, into the methods to which
//! a call leads for sure, and to what these give, if they give the object itself or one that holds it. One level of calls is
//! enough, since what a method calls stands in its body a round later. Whether the object vanishes in the end is not
//! proved here: the rewriting of the body tries it, and keeps what it tried if the object is gone.
//!
//! Choi, Gupta, Serrano, Sreedhar and Midkiff, "Escape analysis for Java" (OOPSLA 1999), summarize methods in this way.

use std::rc::Rc;

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_classfile::pool::MemberKind;
use planish_classfile::{Flags, MemberRef, Opcode};
use planish_domain::Class as Bound;
use planish_ir::{Def, Function, Inst, Terminator, Value};
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::program::{Found, Method};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use crate::boxes::Boxed;
use crate::constructors::Constructors;
use crate::infer::fact::{Fact, class as class_of};
use crate::infer::state::Analysis;
use crate::infer::state::sites::{Callee, Site};
use crate::infer::survey::{CallAt, Survey};
use crate::precise::SingleCall;

/// The most instructions of a body that is tried in the place of a call since an object may vanish by that.
pub const LONGEST_TRIED: usize = 40;

/// How many values of a body an object may be: what tests and casts give, variables, results.
const MOST_VALUES: usize = 32;

/// A fresh object that may vanish.
#[derive(Clone, Debug)]
pub struct VanishingObject {
    /// The method in which it is fresh.
    pub caller: Method,
    /// The calls in whose place bodies are to stand for that.
    pub calls: Vec<SingleCall>,
}

/// What is done with a value.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// It is an operand of an instruction.
    Operand(Inst, u32),
    /// It is passed to a parameter of a block.
    Passed(Value),
    /// It is returned.
    Returned,
    /// It is thrown.
    Thrown,
}

/// What is done with the references of a body.
struct Uses {
    /// By value.
    list: Vec<(Value, Use)>,
    /// The calls that lead to one method, by instruction.
    calls: Vec<(Inst, SingleCall)>,
}

impl Uses {
    fn of(&self, value: Value) -> impl Iterator<Item = Use> {
        let start = self.list.partition_point(|&(other, _)| other < value);
        self.list[start..].iter().take_while(move |&&(other, _)| other == value).map(|&(_, use_)| use_)
    }

    fn call(&self, inst: Inst) -> Option<SingleCall> {
        let place = self.calls.binary_search_by_key(&inst, |&(call, _)| call).ok()?;
        Some(self.calls[place].1)
    }
}

/// What is done with the references of a function. O(n log n).
fn references(f: &Function) -> Vec<(Value, Use)> {
    let mut list = Vec::new();
    let mut see = |value: Value, used: Use| {
        if f.ty(value) == Type::Ref {
            list.push((value, used));
        }
    };
    for &block in f.blocks() {
        for &inst in f.block_insts(block) {
            (0..).zip(f.args(inst)).for_each(|(place, &arg)| see(arg, Use::Operand(inst, place)));
        }
        for call in f.block_calls(block) {
            for (&param, &arg) in f.block_params(call.block).iter().zip(f.list(call.args)) {
                see(arg, Use::Passed(param));
            }
        }
        match f.terminator(block) {
            Terminator::Return(results) => {
                f.list(*results).iter().for_each(|&result| see(result, Use::Returned));
            }
            Terminator::Throw(thrown, _) => see(*thrown, Use::Thrown),
            _ => {}
        }
    }
    list.sort_unstable();
    list
}

/// What a fresh object is.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Kind {
    /// One that a constructor fills in.
    Object,
    /// A box of a number.
    Box,
    /// One of `invokedynamic`, whose calls are calls of what it calls.
    Lambda,
}

/// Whether a body is that of a method to which a call leads: one level of these is enough.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Caller,
    Callee,
}

/// Where an object goes.
#[derive(Default)]
struct Way {
    /// Into these calls.
    calls: Vec<SingleCall>,
    /// Out of the method, which returns it, or an object that holds it.
    is_returned: bool,
}

/// Follows fresh objects.
struct Finder<'s, 'r, 'p, 'a> {
    analysis: &'s Analysis<'r, 'p, 'a>,
    survey: &'s Survey,
    constructors: &'s Constructors,
    uses: HashMap<Method, Rc<Uses>, FxBuildHasher>,
    /// By method and parameter whether it returns an object that it gets there; nothing if the object goes elsewhere.
    gets: HashMap<(Method, u32, Kind), Option<bool>, FxBuildHasher>,
    /// By method whether its result is a fresh object.
    gives: HashMap<Method, bool, FxBuildHasher>,
}

impl Analysis<'_, '_, '_> {
    /// Finds the objects that may vanish by bodies in the place of calls. O(n log n) in the instructions.
    pub(super) fn vanishing(&self, survey: &Survey, constructors: &Constructors) -> Vec<VanishingObject> {
        let mut finder = Finder {
            analysis: self,
            survey,
            constructors,
            uses: HashMap::default(),
            gets: HashMap::default(),
            gives: HashMap::default(),
        };
        let mut found = Vec::new();
        for caller in self.program.methods.ids().filter(|method| self.methods[method.index()].reached) {
            finder.look_at(caller, &mut found);
            if self.bodies[caller.index()].as_ref().is_some_and(|body| body.size > LONGEST_TRIED) {
                finder.uses.remove(&caller);
            }
        }
        found
    }
}

impl Finder<'_, '_, '_, '_> {
    /// Follows the fresh objects of a method.
    fn look_at(&mut self, caller: Method, found: &mut Vec<VanishingObject>) {
        for (made, kind, first) in self.fresh(caller) {
            let Some(way) = self.follow((caller, Level::Caller), made, kind).filter(|way| !way.is_returned)
            else {
                continue;
            };
            let calls: Vec<SingleCall> = first.into_iter().chain(way.calls).collect();
            if !calls.is_empty() {
                found.push(VanishingObject { caller, calls });
            }
        }
    }

    /// The fresh objects of a method, and of those that calls give these calls.
    fn fresh(&mut self, caller: Method) -> Vec<(Value, Kind, Option<SingleCall>)> {
        let (analysis, survey) = (self.analysis, self.survey);
        let mut fresh = Vec::new();
        let Some(body) = &analysis.bodies[caller.index()] else { return fresh };
        let (f, runs) = (&body.function, &analysis.progress[caller.index()].runs);
        for (_, inst) in f.live_insts().filter(|(block, _)| runs[block.index()]) {
            let kind = match self.site(caller, inst) {
                Some(Site::New(_)) if self.is_of_program(caller, inst) => Kind::Object,
                Some(Site::Call(callee)) if is_lambda(callee) => Kind::Lambda,
                Some(Site::Call(callee)) if self.makes_box(callee, f, inst) => Kind::Box,
                _ => continue,
            };
            fresh.extend(f.first_result(inst).map(|made| (made, kind, None)));
        }
        for call in survey.of(caller).iter().filter(|call| runs[call.block.index()]) {
            let made = f.first_result(call.inst).filter(|&made| f.ty(made) == Type::Ref);
            let call = made.and_then(|_| self.single(caller, call)).filter(|call| self.gives(call.target));
            fresh.extend(made.zip(call).map(|(made, call)| (made, Kind::Object, Some(call))));
        }
        fresh
    }

    fn site(&self, method: Method, inst: Inst) -> Option<&Site> {
        let body = self.analysis.bodies[method.index()].as_ref()?;
        let data = body.function.inst(inst);
        if !matches!(data.op, Op::Call | Op::GetField | Op::SetField) {
            return None;
        }
        data.descr.map(|descr| &self.analysis.sites[body.class.index()][descr.index()])
    }

    /// Whether an instruction makes an object of a class of the program.
    fn is_of_program(&self, method: Method, inst: Inst) -> bool {
        let Some(Site::New(Fact::Ref(made))) = self.site(method, inst) else { return false };
        made.exact_class().is_some_and(|class| self.analysis.program.class(class_of(class)).is_some())
    }

    /// The call that an instruction is, if it leads to one method. A constructor is none: it stays with its object.
    fn call(&mut self, method: Method, inst: Inst) -> Option<SingleCall> {
        self.uses(method)?.call(inst)
    }

    fn uses(&mut self, method: Method) -> Option<Rc<Uses>> {
        if let Some(uses) = self.uses.get(&method) {
            return Some(Rc::clone(uses));
        }
        let f = &self.analysis.bodies[method.index()].as_ref()?.function;
        let calls = self.survey.of(method).iter();
        let mut calls: Vec<_> =
            calls.filter_map(|call| Some((call.inst, self.single(method, call)?))).collect();
        calls.sort_unstable_by_key(|&(inst, _)| inst);
        let uses = Rc::new(Uses { list: references(f), calls });
        self.uses.insert(method, Rc::clone(&uses));
        Some(uses)
    }

    /// Where a call leads, if that is one method whose body may stand there.
    fn single(&self, caller: Method, call: &CallAt) -> Option<SingleCall> {
        let program = self.analysis.program;
        let precise = || {
            let (class, selector) = (call.precise?, call.selector?);
            match program.resolve_method(program.classes[class].id, selector) {
                Found::Program(target) => Some(target),
                _ => None,
            }
        };
        let found = match call.only.or_else(precise) {
            Some(target) => SingleCall { caller, at: call.at, target, is_seen: true },
            None => {
                let singles = &self.survey.singles;
                let first = singles.partition_point(|single| single.caller < caller);
                let mut own = singles[first..].iter().take_while(|single| single.caller == caller);
                *own.find(|single| single.at == call.at)?
            }
        };
        let flags = program.methods[found.target].flags;
        let is_fit = !flags.any(Flags::SYNCHRONIZED | Flags::NATIVE | Flags::ABSTRACT)
            && found.target != caller
            && !self.analysis.is_constructor(found.target)
            && self.is_short(found.target);
        is_fit.then_some(found)
    }

    fn is_short(&self, method: Method) -> bool {
        let body = self.analysis.bodies[method.index()].as_ref();
        body.is_some_and(|body| body.size <= LONGEST_TRIED)
    }

    /// Whether a method gives a fresh object whenever it returns, which nobody else gets.
    fn gives(&mut self, method: Method) -> bool {
        if let Some(&known) = self.gives.get(&method) {
            return known;
        }
        let found = self.finds_fresh(method);
        self.gives.insert(method, found);
        found
    }

    fn finds_fresh(&mut self, method: Method) -> bool {
        let analysis = self.analysis;
        let Some(body) = &analysis.bodies[method.index()] else { return false };
        let f = &body.function;
        let mut returned = HashSet::<Value, FxBuildHasher>::default();
        for &block in f.blocks() {
            if let Terminator::Return(results) = f.terminator(block) {
                returned.extend(f.list(*results));
            }
        }
        let is_fresh = |finder: &mut Self, &value: &Value| {
            let is_made = f.def_inst(value).is_some_and(|inst| finder.is_of_program(method, inst));
            is_made && finder.follow((method, Level::Callee), value, Kind::Object).is_some()
        };
        !returned.is_empty() && returned.iter().all(|value| is_fresh(self, value))
    }

    /// Whether a method returns the object that it gets for a parameter, or one that holds it; nothing if the object goes
    /// elsewhere.
    fn gets(&mut self, method: Method, place: u32, kind: Kind) -> Option<bool> {
        if let Some(&known) = self.gets.get(&(method, place, kind)) {
            return known;
        }
        let body = self.analysis.bodies[method.index()].as_ref()?;
        let parameter = *body.function.params().get(place as usize)?;
        let way = self.follow((method, Level::Callee), parameter, kind);
        let found = way.map(|way| way.is_returned);
        self.gets.insert((method, place, kind), found);
        found
    }

    /// Follows an object through a body; nothing if it goes somewhere.
    fn follow(&mut self, (method, level): (Method, Level), object: Value, kind: Kind) -> Option<Way> {
        let analysis = self.analysis;
        let f = &analysis.bodies[method.index()].as_ref()?.function;
        let uses = self.uses(method)?;
        let mut way = Way::default();
        let mut values = vec![object];
        let mut next = 0;
        while let Some(&value) = values.get(next) {
            next += 1;
            for used in uses.of(value) {
                let also = match used {
                    Use::Passed(param) => Some(param),
                    Use::Returned => {
                        way.is_returned = true;
                        None
                    }
                    Use::Thrown => return None,
                    Use::Operand(inst, place) => {
                        self.operand((method, f, level), (inst, place), kind, &mut way)?
                    }
                };
                if let Some(also) = also.filter(|also| !values.contains(also)) {
                    values.push(also);
                }
            }
            if values.len() > MOST_VALUES {
                return None;
            }
        }
        Some(way)
    }

    /// Looks at an instruction that has an object for an operand: what it gives that may be, or hold, the object. Nothing
    /// if the object goes somewhere.
    fn operand(
        &mut self,
        (method, f, level): (Method, &Function, Level),
        (inst, place): (Inst, u32),
        kind: Kind,
        way: &mut Way,
    ) -> Option<Option<Value>> {
        let holder = || {
            let &holder = f.args(inst).first()?;
            let made = f.def_inst(holder)?;
            self.is_of_program(method, made).then_some(Some(holder))
        };
        match f.inst(inst).op {
            Op::NullCheck => return Some(f.first_result(inst)),
            Op::IsNull | Op::IsNonnull => return Some(None),
            Op::RefEq | Op::RefNe => return (kind != Kind::Box).then_some(None),
            Op::GetField => return Some(None),
            Op::SetField if place == 0 => return Some(None),
            Op::SetField => return holder(),
            _ => {}
        }
        match self.site(method, inst)? {
            Site::Cast(_) => Some(f.first_result(inst)),
            Site::Test(_) => Some(None),
            Site::Field(field) if self.analysis.program.fields[*field].flags.has(Flags::STATIC) => None,
            Site::Field(_) if place == 0 => Some(None),
            Site::Field(_) => holder(),
            Site::Call(callee) => {
                if let Some(is_plain) = self.constructs(method, callee) {
                    return match (is_plain, place) {
                        (false, _) => None,
                        (true, 0) => matches!(f.def(f.args(inst)[0]), Def::Result(..)).then_some(None),
                        (true, _) => holder(),
                    };
                }
                if kind == Kind::Lambda && place == 0 && callee.op == Opcode::Invokeinterface {
                    return Some(None);
                }
                if kind == Kind::Box && self.opens_box(callee, f, inst) {
                    return Some(None);
                }
                if level == Level::Callee {
                    return None;
                }
                let call = self.call(method, inst)?;
                let is_returned = self.gets(call.target, place, kind)?;
                way.calls.push(call);
                Some(f.first_result(inst).filter(|_| is_returned))
            }
            _ => None,
        }
    }

    /// Whether a call makes a box of a number.
    fn makes_box(&self, callee: &Callee, f: &Function, inst: Inst) -> bool {
        let Some(class) = self.class_of_boxes(callee) else { return false };
        let gives_box = matches!(callee.result, Fact::Ref(made)
            if matches!(made.object(), Some(Bound::Exactly(of) | Bound::AtMost(of)) if class_of(of) == class));
        let is_of_number = matches!(f.args(inst), &[number] if f.ty(number) != Type::Ref);
        callee.op == Opcode::Invokestatic && gives_box && is_of_number
    }

    /// Whether a call gives the number that a box holds, as far as its types say.
    fn opens_box(&self, callee: &Callee, f: &Function, inst: Inst) -> bool {
        let gives_number = f.first_result(inst).is_some_and(|given| f.ty(given) != Type::Ref);
        let is_alone = f.args(inst).len() == 1;
        callee.op == Opcode::Invokevirtual
            && is_alone
            && gives_number
            && self.class_of_boxes(callee).is_some()
    }

    fn class_of_boxes(&self, callee: &Callee) -> Option<ClassId> {
        let hierarchy = self.analysis.program.hierarchy;
        callee.class.filter(|&class| Boxed::is_box(hierarchy.name(class)))
    }

    /// Whether a constructor is known to do nothing but fill in its object; nothing if it is another method.
    fn constructs(&self, method: Method, callee: &Callee) -> Option<bool> {
        let program = self.analysis.program;
        let (selector, class) = (callee.selector?, callee.class?);
        let name = program.member_name(selector);
        if name != b"<init>" {
            return None;
        }
        let member = MemberRef {
            kind: MemberKind::Method,
            class: program.hierarchy.name(class),
            name,
            descriptor: program.descriptor(selector),
        };
        let running = program.name(program.methods[method].class);
        let found = self.constructors.get(&member, running);
        Some(found.is_some_and(|constructor| constructor.fields.is_some()))
    }
}

/// Whether a call site makes a lambda.
fn is_lambda(callee: &Callee) -> bool {
    let is_object = matches!(callee.result, Fact::Ref(made) if made.exact_class().is_none());
    callee.op == Opcode::Invokedynamic && callee.is_closed && is_object
}
