//! Inference across a program: what is known of values, arguments, results and fields, all at once.
//!
//! One optimistic analysis over the lifted bodies of all methods (Wegman and Zadeck, *Constant
//! propagation with conditional branches*, 1991, carried over calls and fields). Nothing is known to
//! happen at first. A worklist of methods starts with those that something outside may call; evaluating
//! one goes along branches that can be taken only and raises what is known of the parameters of the
//! methods that it calls and the fields that it writes, and whoever depends on those is looked at again.
//! A recursive call gives nothing before the method has returned for the first time. A virtual call
//! reaches what classes with instances select for it. Everything only grows and chains of facts are
//! short or cut short, so it ends; what is found holds in every run.
//!
//! - [`fact`]: the lattice.
//! - [`sites`]: what an instruction names, looked up once.
//! - [`evaluate`]: a method body on facts.
//! - `together`: calls that may lead to many methods.
//! - `reads`: which blocks have to be looked at again.
//! - `live`: which parameters matter.
//! - [`apply`]: a body with what was found out.

pub mod apply;
mod dependents;
pub mod evaluate;
pub mod fact;
mod live;
mod reads;
pub mod sites;
mod together;

use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use planish_base::{Id, share_out};
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::{Body as AttributeBody, Code, Constant, Flags, Kind, MemberRef};
use planish_domain::RefFact;
use planish_ir::{Const, Function, Value};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use crate::lift::lift;
use crate::lower::tighten::remove_unreachable;
use crate::naming::Names;
use crate::program::dispatch::Dispatch;
use crate::program::infer::dependents::Dependents;
use crate::program::infer::fact::{Classes, Fact, descr};
use crate::program::infer::live::LiveParameters;
use crate::program::infer::reads::{Looks, Reads};
use crate::program::infer::sites::Site;
use crate::program::infer::together::Sets;
use crate::program::pure::{Number, PureMethods};
use crate::program::reach::Reach;
use crate::program::specialize::{
    COPIED, COPIED_ONE_IN, COPIES, LARGEST_COPY, LARGEST_COPY_WITH_EFFECTS, Part, Variant, Wanted,
};
use crate::program::uses::{Scanner, Use};
use crate::program::{Class, Field, Found, Method, Program};
use crate::transfer::MethodInfo;
use crate::vtype::TypeContext;

/// What was found out about the values of one method body.
#[derive(Clone, Hash, Debug, Default)]
pub struct MethodFacts {
    /// How many values the lifted body has: a body that has another number is another one.
    values: usize,
    /// Values that are one constant.
    constants: Vec<(Value, Const)>,
    /// References that are not null.
    nonnull: Vec<Value>,
}

/// What was found out about a program.
#[derive(Default)]
pub struct Facts {
    /// By class, name and descriptor.
    methods: HashMap<Box<[u8]>, MethodFacts, FxBuildHasher>,
    /// Fields that nothing reads, as instructions name them: class, name and descriptor.
    pub unread: HashSet<Box<[u8]>, FxBuildHasher>,
    /// Calls that want variants of what they call.
    pub wanted: Wanted,
    /// Pure methods that are called with constants for which they do not return soon.
    pub unbounded: Vec<Method>,
    /// How much of what there is.
    pub counts: Counts,
}

/// What was found out, in numbers.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub struct Counts {
    /// Methods that nothing outside calls with an argument that is always the same.
    pub constant_parameters: u64,
    /// Methods with a result that is always the same.
    pub constant_results: u64,
    /// Fields that always hold the same.
    pub constant_fields: u64,
    /// Methods that look reachable and never run.
    pub unreached: u64,
}

impl Facts {
    /// What was found out about a method.
    pub fn of(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<&MethodFacts> {
        self.methods.get(&[class, b".", name, descriptor].concat()[..])
    }
}

/// A body that is analysed.
struct Body {
    function: Function,
    reads: Reads,
    class: Class,
}

/// What is known of a body so far.
#[derive(Default)]
struct Progress {
    values: Vec<Fact>,
    grown: Vec<u8>,
    runs: Vec<bool>,
    looks: Looks,
}

/// What is known of a method so far.
#[derive(Default)]
struct Summary {
    reached: bool,
    queued: bool,
    parameters: Vec<Fact>,
    grown: Vec<u8>,
    result: Fact,
    result_grown: u8,
    returns: bool,
}

impl Summary {
    /// The method is to be looked at again, if it runs at all.
    fn enqueue(&mut self, method: Method, queue: &mut VecDeque<Method>) {
        if self.reached && !std::mem::replace(&mut self.queued, true) {
            queue.push_back(method);
        }
    }
}

/// What is known of a field so far.
struct FieldSummary {
    fact: Fact,
    grown: u8,
    is_open: bool,
}

/// The analysis.
struct Analysis<'r, 'p, 'a> {
    reach: &'r Reach<'p, 'a>,
    program: &'p Program<'a>,
    classes: Classes<'p>,
    pure: &'r PureMethods,
    /// What pure methods gave for constant arguments.
    results: HashMap<(Method, Vec<Number>), Option<Number>, FxBuildHasher>,
    names: Vec<Option<Names>>,
    sites: Vec<Vec<Option<Rc<Site>>>>,
    bodies: Vec<Option<Body>>,
    progress: Vec<Progress>,
    methods: Vec<Summary>,
    fields: Vec<FieldSummary>,
    /// Who calls a method, not counting calls that may lead to many.
    callers: Dependents<Method>,
    /// Who reads a field of which something may be known.
    readers: Dependents<Field>,
    sets: Sets,
    dispatch: Dispatch<'r, 'p, 'a>,
    queue: VecDeque<Method>,
    /// How often a method, a set of methods or a field gave more than before.
    clock: u64,
}

/// Finds out what can be found out about the methods that may run. O(instructions) for each time that
/// something about a method grows. Only if this is the first time, the program may grow with its size by copies for
/// constants. Bodies are lifted on so many threads.
pub fn infer(reach: &Reach<'_, '_>, pure: &Arc<PureMethods>, is_first: bool, threads: usize) -> Facts {
    let mut analysis = Analysis::new(reach, pure, threads);
    let wanted = loop {
        while let Some(method) = analysis.queue.pop_front() {
            analysis.methods[method.index()].queued = false;
            analysis.evaluate(method);
        }
        let live = analysis.live_parameters();
        let wanted = analysis.variants(&live, is_first);
        // Calls that go to variants which are there already may have taught those more.
        if analysis.queue.is_empty() {
            break wanted;
        }
    };
    let unread = analysis.unread();
    let known = analysis.results.iter().filter(|(_, result)| result.is_none());
    let mut unbounded: Vec<Method> = known.map(|((method, _), _)| *method).collect();
    unbounded.sort_unstable();
    unbounded.dedup();
    Facts { wanted, unread, unbounded, ..analysis.facts() }
}

impl<'r, 'p, 'a> Analysis<'r, 'p, 'a> {
    fn new(reach: &'r Reach<'p, 'a>, pure: &'r Arc<PureMethods>, threads: usize) -> Self {
        let program = reach.program;
        let [classes, methods, _] = program.counts();
        let mut analysis = Analysis {
            reach,
            program,
            classes: Classes(program.hierarchy),
            pure,
            results: HashMap::default(),
            names: Vec::new(),
            sites: vec![Vec::new(); classes],
            bodies: Vec::new(),
            progress: (0..methods).map(|_| Progress::default()).collect(),
            methods: (0..methods).map(|_| Summary::default()).collect(),
            fields: Vec::new(),
            callers: Dependents::new(),
            readers: Dependents::new(),
            sets: Sets::new(),
            dispatch: Dispatch::new(reach),
            queue: VecDeque::new(),
            clock: 0,
        };
        let mut dark = Vec::new();
        analysis.lift_all(pure, threads, &mut dark);
        analysis.fields = program.fields.ids().map(|field| analysis.field(field)).collect();
        for method in dark {
            analysis.leave_open(method);
        }
        for method in program.methods.ids() {
            let name = program.text(program.methods[method].selector);
            if reach.is_live(method) && (reach.is_open(method) || name == b"<clinit>()V") {
                analysis.open(method);
            }
        }
        analysis
    }

    /// Lifts every method that may run. Those that cannot be go to `dark`.
    fn lift_all(&mut self, pure: &Arc<PureMethods>, threads: usize, dark: &mut Vec<Method>) {
        let (program, reach) = (self.program, self.reach);
        self.bodies = program.methods.ids().map(|_| None).collect();
        let classes: Vec<Class> = program.classes.ids().collect();
        let lift_class = |context: &mut TypeContext<'_>, &class: &Class| {
            let own = &program.classes[class];
            let mut names = Names::new(&own.file).with_pure(Arc::clone(pure));
            let has_code = |method: &Method| {
                reach.is_live(*method) && !program.methods[*method].flags.any(Flags::ABSTRACT | Flags::NATIVE)
            };
            let methods = own.methods.iter().copied().filter(has_code);
            let mut body = |method| {
                let function = lifted(program, method, &mut names, context)?;
                Some(Body { reads: Reads::of(&function), function, class })
            };
            let bodies: Vec<(Method, Option<Body>)> = methods.map(|method| (method, body(method))).collect();
            (names, bodies)
        };
        let context = || TypeContext::new(program.hierarchy);
        let (lifted, _) = share_out(threads, &classes, context, lift_class, drop);
        for (names, bodies) in lifted {
            self.names.push(Some(names));
            for (method, body) in bodies {
                let Some(body) = body else {
                    dark.push(method);
                    continue;
                };
                let f = &body.function;
                self.progress[method.index()] = Progress {
                    values: vec![Fact::None; f.value_count()],
                    grown: vec![0; f.value_count()],
                    runs: vec![false; f.block_count()],
                    looks: Looks::none(f),
                };
                self.methods[method.index()].parameters = vec![Fact::None; f.params().len()];
                self.methods[method.index()].grown = vec![0; f.params().len()];
                self.bodies[method.index()] = Some(body);
            }
        }
    }

    /// What a field holds before anything of the program writes it.
    fn field(&self, field: Field) -> FieldSummary {
        let info = &self.program.fields[field];
        let own = &self.program.classes[info.class];
        let ty = JavaType::parse(self.program.descriptor(info.selector));
        let has_natives = own.file.methods.iter().any(|method| method.flags.has(Flags::NATIVE));
        let object = self.program.hierarchy.lookup(b"java/io/Serializable");
        // Of static fields those are asked for that speak of serialization.
        let is_special = || {
            let name = self.program.member_name(info.selector);
            matches!(name, b"serialVersionUID" | b"serialPersistentFields")
        };
        let is_serializable = object.is_some_and(|above| own.supertypes.contains(&above))
            && (!info.flags.has(Flags::STATIC) || is_special());
        // Other threads see what they see of a volatile field when they do: its reads stay.
        let is_volatile = info.flags.has(Flags::VOLATILE);
        let is_open =
            self.reach.is_field_open(field) || has_natives || is_serializable || is_volatile || ty.is_none();
        let fact = match ty {
            None => Fact::Any,
            Some(ty) if is_open => Fact::declared(ty, self.program.hierarchy),
            Some(ty) => self.first_content(field, ty),
        };
        FieldSummary { fact, grown: 0, is_open }
    }

    /// The constant of a static field, or what a field holds that was not written.
    fn first_content(&self, field: Field, ty: JavaType<'_>) -> Fact {
        let info = &self.program.fields[field];
        let file = &self.program.classes[info.class].file;
        let attribute = file.fields[usize::from(info.place)].attribute(&file.pool, Kind::ConstantValue);
        let value = attribute.filter(|_| info.flags.has(Flags::STATIC)).and_then(|attribute| match attribute
            .decode(&file.pool)
        {
            Ok(Some(AttributeBody::ConstantValue(index))) => file.pool.get(index).ok(),
            _ => None,
        });
        let int = |width, value: i64| Const::Int(planish_ops::Int::new(width, value as u64));
        let real = |real: planish_ops::Real| Const::Real(planish_ir::constant::Number(real));
        let constant = match value {
            None => return Fact::cleared(ty),
            Some(Constant::Integer(value)) => int(32, i64::from(value)),
            Some(Constant::Long(value)) => int(64, value),
            Some(Constant::Float(bits)) => {
                real(planish_ops::Real::from_bits(planish_ops::FloatFormat::F32, u64::from(bits)))
            }
            Some(Constant::Double(bits)) => {
                real(planish_ops::Real::from_bits(planish_ops::FloatFormat::F64, bits))
            }
            Some(_) => return Fact::declared(ty, self.program.hierarchy),
        };
        Fact::of(constant, &self.classes).stored(ty, self.program.hierarchy)
    }

    /// A method runs with any arguments.
    fn open(&mut self, method: Method) {
        let program = self.program;
        let info = &program.methods[method];
        let Some(body) = &self.bodies[method.index()] else { return };
        let mut facts: Vec<Fact> =
            body.function.params().iter().map(|&param| Fact::top(body.function.ty(param))).collect();
        let receiver = !info.flags.has(Flags::STATIC);
        if receiver && let Some(first) = facts.first_mut() {
            *first = Fact::Ref(RefFact::at_most(descr(program.classes[info.class].id)));
        }
        if let Some(ty) = MethodType::parse(program.descriptor(info.selector)) {
            for (fact, ty) in facts[usize::from(receiver)..].iter_mut().zip(ty.parameters()) {
                if ty.is_reference() {
                    *fact = Fact::declared(ty, program.hierarchy);
                }
            }
        }
        self.call_with(method, &facts);
    }

    /// A method is called with these arguments.
    fn call_with(&mut self, method: Method, facts: &[Fact]) {
        let summary = &mut self.methods[method.index()];
        let mut changed = !std::mem::replace(&mut summary.reached, true);
        for ((known, grown), &fact) in summary.parameters.iter_mut().zip(&mut summary.grown).zip(facts) {
            changed |= known.grow(fact, grown, &self.classes);
        }
        if changed {
            summary.enqueue(method, &mut self.queue);
        }
    }

    /// A method cannot be analysed: what it calls may get any arguments, what it writes may hold anything.
    fn leave_open(&mut self, method: Method) {
        let program = self.program;
        let info = &program.methods[method];
        let file = &program.classes[info.class].file;
        let mut found: Vec<(bool, Vec<u8>, Vec<u8>)> = Vec::new();
        let mut see = |_, found_use: Use<'_>| match found_use {
            Use::Call(_, MemberRef { class, name, descriptor, .. }) => {
                found.push((true, class.to_vec(), [name, descriptor].concat()));
            }
            Use::Field(_, MemberRef { class, name, descriptor, .. }) => {
                found.push((false, class.to_vec(), [name, b":", descriptor].concat()));
            }
            _ => {}
        };
        let scanned = Scanner::new(file)
            .and_then(|scanner| scanner.method(&file.methods[usize::from(info.place)], &mut see));
        // What cannot even be scanned does not run either: the JVM refuses its class.
        if scanned.is_err() {
            return;
        }
        for (is_call, class, text) in found {
            let (Some(id), Some(selector)) = (program.hierarchy.lookup(&class), program.selector(&text))
            else {
                continue;
            };
            if is_call {
                let mut methods = Vec::new();
                if let Found::Program(method) = program.resolve_method(id, selector) {
                    methods.push(method);
                }
                for receiver in program.classes.ids() {
                    if program.classes[receiver].supertypes.contains(&id) {
                        program.select(receiver, selector, &mut methods);
                    }
                }
                for above in program.hierarchy.ancestors(program.classes[info.class].id) {
                    let above = program.class(above);
                    methods.extend(above.and_then(|above| program.declared_method(above, selector)));
                }
                methods.into_iter().for_each(|method| self.open(method));
            } else if let Found::Program(field) = program.resolve_field(id, selector)
                && let Some(ty) = JavaType::parse(program.descriptor(program.fields[field].selector))
            {
                self.fields[field.index()].fact = Fact::declared(ty, program.hierarchy);
                self.fields[field.index()].is_open = true;
            }
        }
    }

    /// The calls that pay with fewer arguments.
    fn variants(&mut self, live: &LiveParameters, is_first: bool) -> Wanted {
        let mut wanted = Wanted::default();
        let program = self.program;
        let size: usize = self.bodies.iter().flatten().map(|body| body.function.live_insts().count()).sum();
        let mut copies = Copies {
            known: HashMap::default(),
            left: COPIED + if is_first { size / COPIED_ONE_IN } else { 0 },
        };
        let calls = self.survey_calls();
        for caller in program.methods.ids() {
            if !self.methods[caller.index()].reached {
                continue;
            }
            let Some(body) = self.bodies[caller.index()].take() else { continue };
            let info = &program.methods[caller];
            let full_name = [program.name(info.class), b".", program.text(info.selector)].concat();
            for (block, inst) in body.function.live_insts() {
                let data = body.function.inst(inst);
                let runs = self.progress[caller.index()].runs[block.index()];
                let (true, Op::Call, Some(descr)) = (runs, data.op, data.descr) else { continue };
                // What it gives is known already.
                let mut results = body.function.results(inst);
                if results
                    .any(|value| self.progress[caller.index()].values[value.index()].constant().is_some())
                {
                    continue;
                }
                let site = self.site(body.class, descr);
                let receiver = self.receiver(caller, &body.function, inst);
                let Some(callee) = self.only_callee(&site, receiver) else { continue };
                // The method would have to stay beside its variant.
                if calls.lead_elsewhere[callee.index()] {
                    continue;
                }
                let is_pure = matches!(&*site, Site::Call(callee) if callee.pure.is_some());
                let called = &program.methods[callee];
                let drops_receiver = !called.flags.has(Flags::STATIC)
                    && (caller == callee || self.may_be_varied(callee))
                    && !self.reach.is_open(callee)
                    && !live.is_live(callee, 0)
                    && !calls.on_null[callee.index()];
                let parts = self.parts(&body, caller, inst, (callee, is_pure), live, &mut copies);
                let all_kept = || vec![Part::Keep; body.function.args(inst).len() - 1];
                let Some(parts) = parts.or_else(|| drops_receiver.then(all_kept)) else { continue };
                let variant = Variant {
                    class: program.name(called.class).into(),
                    in_interface: program.classes[called.class].file.flags.has(Flags::INTERFACE),
                    of: program.member_name(called.selector).into(),
                    of_descriptor: program.descriptor(called.selector).into(),
                    drops_receiver,
                    parts,
                };
                self.also_calls(&body, caller, inst, (callee, receiver), &variant);
                wanted.add(full_name.clone().into(), data.location.0 - 1, variant);
            }
            self.bodies[caller.index()] = Some(body);
        }
        wanted
    }

    /// A call will lead to a variant. If that is there already, what is found out about it has to hold for this call,
    /// too, which the analysis saw leading to the method.
    fn also_calls(
        &mut self,
        body: &Body,
        caller: Method,
        inst: planish_ir::Inst,
        (callee, receiver): (Method, RefFact),
        variant: &Variant,
    ) {
        let info = &self.program.methods[callee];
        let full_name = variant.full_name();
        let selector = self.program.selector(&full_name[variant.class.len() + 1..]);
        let existing = selector.and_then(|selector| self.program.declared_method(info.class, selector));
        let Some(existing) = existing else { return };
        let mut args = body.function.args(inst).iter();
        let mut facts = Vec::new();
        if !info.flags.has(Flags::STATIC) {
            args.next();
            if !variant.drops_receiver {
                facts.push(Fact::Ref(receiver.meet(RefFact::NONNULL, &self.classes)));
            }
        }
        for (&arg, _) in args.zip(&variant.parts).filter(|(_, part)| **part == Part::Keep) {
            facts.push(match body.function.constant(arg) {
                Some(constant) => Fact::of(constant, &self.classes),
                None => self.progress[caller.index()].values[arg.index()],
            });
        }
        self.call_with(existing, &facts);
    }

    /// What the calls of the program have in common, by the methods that they lead to.
    fn survey_calls(&mut self) -> Calls {
        let count = self.bodies.len();
        let mut calls = Calls { lead_elsewhere: vec![false; count], on_null: vec![false; count] };
        for caller in self.program.methods.ids() {
            let Some(body) = self.bodies[caller.index()].take() else { continue };
            for (_, inst) in body.function.live_insts() {
                let data = body.function.inst(inst);
                let (Op::Call, Some(descr)) = (data.op, data.descr) else { continue };
                let site = self.site(body.class, descr);
                let receiver = self.receiver(caller, &body.function, inst);
                let Site::Call(callee) = &*site else { continue };
                match self.only_callee(&site, receiver) {
                    Some(only) => calls.on_null[only.index()] |= receiver.may_be_null(),
                    None => {
                        for method in &self.leads(callee, receiver).methods {
                            calls.lead_elsewhere[method.index()] = true;
                        }
                    }
                }
            }
            self.bodies[caller.index()] = Some(body);
        }
        calls
    }

    /// Whether there may be a variant of a method.
    fn may_be_varied(&self, method: Method) -> bool {
        let flags = self.program.methods[method].flags;
        self.bodies[method.index()].is_some()
            && !flags.any(Flags::SYNCHRONIZED | Flags::NATIVE | Flags::ABSTRACT)
    }

    /// What a call makes of the parameters of a method; nothing if a variant does not pay.
    fn parts(
        &self,
        body: &Body,
        caller: Method,
        inst: planish_ir::Inst,
        (callee, is_pure): (Method, bool),
        live: &LiveParameters,
        copies: &mut Copies,
    ) -> Option<Vec<Part>> {
        let info = &self.program.methods[callee];
        let (summary, values) = (&self.methods[callee.index()], &self.progress[caller.index()].values);
        if info.flags.any(Flags::SYNCHRONIZED | Flags::NATIVE | Flags::ABSTRACT) {
            return None;
        }
        let receiver = usize::from(!info.flags.has(Flags::STATIC));
        // The callee's body is at hand, unless it is the caller.
        let own = if caller == callee { body } else { self.bodies[callee.index()].as_ref()? };
        // What only computes may be computed ahead of time.
        let most = if is_pure { LARGEST_COPY } else { LARGEST_COPY_WITH_EFFECTS };
        let count = own.function.live_insts().count();
        // Constants of methods with receivers are seldom the point of them.
        let small = count <= most && receiver == 0;
        let (mut always, mut here) = (Vec::new(), Vec::new());
        for (place, &arg) in body.function.args(inst).iter().enumerate().skip(receiver) {
            let known = match body.function.constant(arg) {
                Some(constant) => Some(constant),
                None => values[arg.index()].constant(),
            };
            let known = known.filter(|constant| !matches!(constant, Const::Symbol(..) | Const::Hole));
            let is_closed = !self.reach.is_open(callee);
            let part = match (live.is_live(callee, place), known) {
                // One that others may call stays, so that a variant would be a copy.
                (false, _) if is_closed => Part::Drop,
                (true, Some(constant)) if is_closed && summary.parameters[place].constant().is_some() => {
                    Part::Is(constant)
                }
                _ => Part::Keep,
            };
            always.push(part);
            here.push(match (part, known) {
                (Part::Keep, Some(constant)) if small && decides(&own.function, place) => Part::Is(constant),
                (part, _) => part,
            });
        }
        if here != always {
            let known = copies.known.entry(callee).or_default();
            if known.contains(&here) {
                return Some(here);
            }
            if known.len() < COPIES && count <= copies.left {
                copies.left -= count;
                known.push(here.clone());
                return Some(here);
            }
        }
        always.iter().any(|part| *part != Part::Keep).then_some(always)
    }

    /// The fields that nothing reads, as class files name them.
    fn unread(&self) -> HashSet<Box<[u8]>, FxBuildHasher> {
        let mut unread = HashSet::default();
        for class in self.program.classes.ids() {
            let pool = &self.program.classes[class].file.pool;
            for index in pool.indices() {
                let Ok(member) = pool.member(index) else { continue };
                let Some(id) = self.program.hierarchy.lookup(member.class) else { continue };
                let text = [member.name, b":", member.descriptor].concat();
                let Some(selector) = self.program.selector(&text) else { continue };
                if let Found::Program(field) = self.program.resolve_field(id, selector)
                    && !self.program.fields[field].flags.has(Flags::VOLATILE)
                    && !self.fields[field.index()].is_open
                    && self.readers.of(field).is_empty()
                {
                    unread.insert([member.class, b".", &text].concat().into());
                }
            }
        }
        unread
    }

    /// What was found out, once nothing grows any more.
    fn facts(self) -> Facts {
        let mut facts = Facts::default();
        for method in self.program.methods.ids() {
            let (summary, info) = (&self.methods[method.index()], &self.program.methods[method]);
            let Some(body) = &self.bodies[method.index()] else { continue };
            if !summary.reached {
                facts.counts.unreached += 1;
                continue;
            }
            let is_constant = |fact: &&Fact| fact.constant().is_some();
            facts.counts.constant_parameters += summary.parameters.iter().filter(is_constant).count() as u64;
            facts.counts.constant_results += u64::from(summary.result.constant().is_some());
            let f = &body.function;
            let mut found = MethodFacts { values: f.value_count(), ..MethodFacts::default() };
            for (index, fact) in self.progress[method.index()].values.iter().enumerate() {
                let value = Value::from_index(index);
                if f.constant(value).is_some() {
                    continue;
                }
                if let Some(constant) = fact.constant()
                    && constant.ty() == f.ty(value)
                {
                    found.constants.push((value, constant));
                } else if matches!(fact, Fact::Ref(known) if !known.may_be_null() && !known.is_bottom()) {
                    found.nonnull.push(value);
                }
            }
            let class = self.program.name(info.class);
            let key = [class, b".", self.program.text(info.selector)].concat();
            facts.methods.insert(key.into(), found);
        }
        for (field, summary) in self.program.fields.ids().zip(&self.fields) {
            let is_used = self.reach.is_field_needed(field) && !summary.is_open;
            facts.counts.constant_fields += u64::from(is_used && summary.fact.constant().is_some());
        }
        facts
    }
}

/// Whether a method branches on a parameter: compares it, or looks at it itself.
fn decides(f: &Function, place: usize) -> bool {
    let Some(&param) = f.params().get(place) else { return false };
    f.blocks().iter().any(|&block| {
        f.terminator(block).condition().is_some_and(|on| {
            let compares = |inst| f.args(inst).contains(&param) && f.ty(on) == planish_ops::Type::I1;
            on == param || f.def_inst(on).is_some_and(compares)
        })
    })
}

/// What the calls of a program have in common, by the method that they lead to.
struct Calls {
    /// Some may lead elsewhere, too.
    lead_elsewhere: Vec<bool>,
    /// Some may have null for a receiver.
    on_null: Vec<bool>,
}

/// The copies that are wanted for constants which other calls do not have.
struct Copies {
    known: HashMap<Method, Vec<Vec<Part>>, FxBuildHasher>,
    /// How many operations more may be copied.
    left: usize,
}

/// The body of a method in SSA form; nothing if it cannot be lifted.
fn lifted(
    program: &Program<'_>,
    method: Method,
    names: &mut Names,
    context: &mut TypeContext<'_>,
) -> Option<Function> {
    let info = &program.methods[method];
    let file = &program.classes[info.class].file;
    let pool = &file.pool;
    let attribute = file.methods[usize::from(info.place)].attribute(pool, Kind::Code)?;
    let Ok(Some(AttributeBody::Code(bytes))) = attribute.decode(pool) else { return None };
    let mut code = Code::read(&bytes, pool).ok()?;
    remove_unreachable(&mut code).ok()?;
    let info = MethodInfo {
        class: program.name(info.class),
        super_class: file.super_name().ok()?,
        name: program.member_name(info.selector),
        descriptor: program.descriptor(info.selector),
        is_static: info.flags.has(Flags::STATIC),
        pool,
    };
    lift(&code, &info, names, context).ok()
}
