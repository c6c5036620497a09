//! Interprocedural sparse conditional constant propagation (Wegman and Zadeck 1991, carried over calls and fields;
//! LLVM's `IPSCCP`): what is known of values, arguments, results and fields, all at once.
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
//! - `lifting`: the bodies.
//! - `state`: what is known so far, and what instructions name, looked up once (`state::sites`).
//! - `leads`: where a call may lead.
//! - `early`: fields that are set before anybody can see the object; `finals`: those that constructors set; `statics`:
//!   static fields, `within`: what may be read meanwhile.
//! - `arrays`: what arrays hold.
//! - `once`: objects that there are one of.
//! - [`evaluate`]: a method body on facts, in an `evaluation`.
//! - `thrown`: which exceptions can arise.
//! - `together`: calls that may lead to many methods.
//! - `reads`: which blocks have to be looked at again.
//! - `survey`: where calls lead in the end; `receivers`: which classes they may name for that; `incoming`: what is passed to
//!   blocks.
//! - `families`: methods that override each other, and can only change together.
//! - `live`: which parameters, results and fields matter; `results`: what goes where a result does not.
//! - `staticizing`: which calls may do without receivers.
//! - `variants`: which calls pay with fewer arguments; `new_names`: what the variants may be called; `copies`: what has to hold of those that are there.
//! - `vanishing`: objects that would be their fields, if bodies stood in the place of calls.
//! - `found`: what all of that says, by names.
//! - [`apply`]: a body with what was found out.

pub mod apply;
mod arrays;
mod copies;
mod dependents;
mod early;
pub mod evaluate;
mod evaluation;
pub mod fact;
mod facts;
mod families;
mod finals;
mod found;
mod incoming;
mod leads;
pub mod lifting;
mod live;
mod new_names;
mod once;
mod reads;
mod receivers;
pub mod results;
mod state;
mod staticizing;
mod statics;
pub mod straight;
mod survey;
mod thrown;
mod together;
pub mod vanishing;
mod variants;
mod within;

pub use facts::{Counts, Facts, MethodFacts};

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_base::worklist::Queue;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::pool::MemberKind;
use planish_classfile::{Body as AttributeBody, Constant, Flags, Kind, MemberRef};
use planish_domain::RefFact;
use planish_ir::Const;
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::program::{Field, Found, Method, Selector};
use planish_jvm_model::uses::{Scanner, Use};
use rustc_hash::FxBuildHasher;

use crate::assumed_values::AssumedValues;
use crate::constructors::Constructors;
use crate::dispatch::Dispatch;
use crate::infer::dependents::Dependents;
use crate::infer::early::set_early;
use crate::infer::fact::{Classes, Fact, descr};
use crate::infer::state::arrays::Arrays;
use crate::infer::state::copies::Copies;
use crate::infer::state::ones::Ones;
use crate::infer::state::sets::Sets;
use crate::infer::state::summary::Summary;
use crate::infer::state::thrown::{Exceptions, Thrown};
use crate::infer::state::{Analysis, FieldSummary, Progress};
use crate::precision::Precision;
use crate::pure::PureMethods;
use crate::reach::Reach;
use crate::wanted::Made;

/// Finds out what can be found out about the methods that may run. O(instructions) for each time that
/// something about a method grows. Bodies are lifted on so many threads.
pub fn infer(
    reach: &Reach<'_, '_>,
    known: (&Arc<PureMethods>, &AssumedValues<'_>),
    constructors: &Constructors,
    (made, precision): (&Made, Precision),
    threads: usize,
) -> Facts {
    let mut analysis = Analysis::new(reach, known, (made, precision), threads);
    while let Some(method) = analysis.queue.pop() {
        analysis.methods[method.index()].queued = false;
        analysis.evaluate(method);
    }
    let survey = analysis.survey();
    let families = analysis.families();
    let live = analysis.live_parts(&survey, &families);
    let wanted = analysis.variants(&survey, (&live, &families), made);
    let vanishing = analysis.vanishing(&survey, constructors);
    let (unmade, checked) = (analysis.unmade(&survey), analysis.checked_receivers(&survey, &live));
    let (precise, singles) = (survey.precise_calls(analysis.program), survey.singles);
    let (unread, fields) = (analysis.unread(&live), Arc::new(analysis.plain_fields(constructors)));
    let known = analysis.results.iter().filter(|(_, result)| result.is_none());
    let mut unbounded: Vec<Method> = known.map(|((method, _), _)| *method).collect();
    unbounded.sort_unstable();
    unbounded.dedup();
    let mut facts = analysis.facts(&live);
    (facts.counts.unmade, facts.counts.checked_receivers) = (unmade, checked);
    Facts { wanted, precise, singles, vanishing, unread, fields, unbounded, ..facts }
}

impl<'r, 'p, 'a> Analysis<'r, 'p, 'a> {
    fn new(
        reach: &'r Reach<'p, 'a>,
        (pure, values): (&'r Arc<PureMethods>, &AssumedValues<'_>),
        (made, precision): (&Made, Precision),
        threads: usize,
    ) -> Self {
        let program = reach.program;
        let [classes, methods, _] = program.counts();
        let mut analysis = Analysis {
            reach,
            program,
            precision,
            classes: Classes(program.hierarchy),
            pure,
            results: HashMap::default(),
            sites: Vec::with_capacity(classes),
            bodies: Vec::new(),
            progress: (0..methods).map(|_| Progress::default()).collect(),
            methods: (0..methods).map(|_| Summary::default()).collect(),
            fields: Vec::new(),
            arrays: Arrays::default(),
            callers: Dependents::new(),
            readers: Dependents::new(),
            sets: Sets::new(),
            ones: Ones::default(),
            copies: Copies::of(program, made),
            dispatch: Dispatch::new(reach),
            queue: Queue::default(),
            clock: 0,
            exceptions: Exceptions::new(program.hierarchy),
            thrown: Thrown::default(),
            operands: Vec::new(),
        };
        let mut dark = Vec::new();
        analysis.lift_all((pure, values), threads, &mut dark);
        analysis.fields = program.fields.ids().map(|field| analysis.field(field)).collect();
        if !values.is_empty() {
            for (field, info) in program.fields.iter() {
                let member = MemberRef {
                    kind: MemberKind::Field,
                    class: program.name(info.class),
                    name: program.member_name(info.selector),
                    descriptor: program.descriptor(info.selector),
                };
                if let Some(fact) = values.fact(program, &member, true) {
                    // Whatever is stored: nothing is learned from it, and what reads it stays.
                    analysis.fields[field.index()] = FieldSummary { fact, grown: 0, is_open: true };
                }
            }
        }
        let mut set_first: Vec<Field> =
            program.classes.ids().flat_map(|class| set_early(program, class)).collect();
        let settled = analysis.set_by_constructors();
        set_first.extend(&settled);
        set_first.extend(analysis.set_by_initializers());
        for field in set_first {
            let summary = &mut analysis.fields[field.index()];
            if !summary.is_open {
                summary.fact = Fact::None;
            }
        }
        analysis.find_ones();
        let mut called = HashSet::default();
        for method in dark {
            analysis.leave_open(method, &mut called);
        }
        for method in program.methods.ids() {
            let name = program.text(program.methods[method].selector);
            if reach.is_live(method) && (reach.is_open(method) || name == b"<clinit>()V") {
                analysis.open(method);
            }
        }
        analysis.arrays = analysis.find_arrays(&settled);
        analysis
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
        if std::mem::replace(&mut self.methods[method.index()].is_open, true) {
            return;
        }
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
        self.call_with(method, None, &facts);
    }

    /// A method is called with these arguments, of which the first may be known better.
    fn call_with(&mut self, method: Method, first: Option<Fact>, facts: &[Fact]) {
        let summary = &mut self.methods[method.index()];
        let mut changed = !std::mem::replace(&mut summary.reached, true);
        let facts = first.into_iter().chain(facts.iter().copied().skip(usize::from(first.is_some())));
        for ((known, grown), fact) in summary.parameters.iter_mut().zip(&mut summary.grown).zip(facts) {
            changed |= known.grow(fact, grown, &self.classes);
        }
        if changed {
            summary.enqueue(method, &mut self.queue);
        }
    }

    /// A method cannot be analysed: what it calls may get any arguments, what it writes may hold anything. `called` is what
    /// such methods were seen to call so far: many of them call what half of the program overrides.
    fn leave_open(&mut self, method: Method, called: &mut HashSet<(ClassId, Selector), FxBuildHasher>) {
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
                if called.insert((id, selector)) {
                    if let Found::Program(method) = program.resolve_method(id, selector) {
                        methods.push(method);
                    }
                    for &receiver in program.subtypes(id) {
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
}
