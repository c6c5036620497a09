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
//! - [`sites`]: what an instruction names, looked up once.
//! - `early`: fields that are set before anybody can see the object; `finals`: those that constructors set; `statics`:
//!   static fields, `within`: what may be read meanwhile.
//! - `arrays`: what arrays hold.
//! - `once`: objects that there are one of.
//! - [`evaluate`]: a method body on facts.
//! - `thrown`: which exceptions can arise.
//! - `together`: calls that may lead to many methods.
//! - `reads`: which blocks have to be looked at again.
//! - `survey`: where calls lead in the end; `receivers`: which classes they may name for that; `incoming`: what is passed to
//!   blocks.
//! - `families`: methods that override each other, and can only change together.
//! - `live`: which parameters, results and fields matter; `results`: what goes where a result does not.
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
pub mod fact;
mod families;
mod finals;
mod found;
mod incoming;
pub(crate) mod lifting;
mod live;
mod new_names;
mod once;
mod reads;
mod receivers;
pub(crate) mod results;
pub mod sites;
mod statics;
mod survey;
mod thrown;
mod together;
pub mod vanishing;
mod variants;
mod within;

use std::cell::OnceCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::pool::MemberKind;
use planish_classfile::{Body as AttributeBody, Constant, Flags, Kind, MemberRef};
use planish_domain::RefFact;
use planish_ir::{Block, Const, Function, Value};
use rustc_hash::FxBuildHasher;

use crate::hierarchy::ClassId;
use crate::program::assumed_values::AssumedValues;
use crate::program::constructors::Constructors;
use crate::program::dispatch::Dispatch;
use crate::program::fields::PlainFields;
use crate::program::infer::arrays::Arrays;
use crate::program::infer::copies::Copies;
use crate::program::infer::dependents::{Dependents, Said};
use crate::program::infer::early::set_early;
use crate::program::infer::fact::{Classes, Fact, descr};
use crate::program::infer::incoming::Incoming;
use crate::program::infer::once::Ones;
use crate::program::infer::reads::{Looks, Reads};
use crate::program::infer::sites::Site;
use crate::program::infer::thrown::{Caught, Exceptions, Thrown};
use crate::program::infer::together::Sets;
use crate::program::infer::vanishing::VanishingObject;
use crate::program::precise::{PreciseCalls, SingleCall};
use crate::program::precision::Precision;
use crate::program::pure::PureMethods;
use crate::program::reach::Reach;
use crate::program::uses::{Scanner, Use};
use crate::program::wanted::{Made, Wanted};
use crate::program::{Class, Field, Found, Method, Program, Selector};
use crate::surroundings::Number;

/// What was found out about the values of one method body.
#[derive(Clone, Hash, Debug, Default)]
pub struct MethodFacts {
    /// How many values the lifted body has: a body that has another number is another one.
    values: usize,
    /// Values that are one constant.
    constants: Vec<(Value, Const)>,
    /// References that are one constant text.
    texts: Vec<(Value, Box<[u8]>)>,
    /// References that are not null.
    nonnull: Vec<Value>,
    /// What calls of pure methods give that were made ahead of time: they return, and need not be made again.
    ahead: Vec<Value>,
    /// What is returned although nobody needs it, and is computed for that alone.
    returned: Vec<Value>,
    /// Handlers for exceptions that cannot arise.
    idle: Vec<Block>,
}

impl MethodFacts {
    /// Whether a call of the method was made ahead of time.
    pub(crate) fn calls_ahead(&self) -> bool {
        !self.ahead.is_empty()
    }
}

/// What was found out about a program.
#[derive(Default)]
pub struct Facts {
    /// By class, name and descriptor.
    methods: HashMap<Box<[u8]>, MethodFacts, FxBuildHasher>,
    /// Fields that nothing reads but to store it there again, as instructions name them: class, name and descriptor.
    pub unread: HashSet<Box<[u8]>, FxBuildHasher>,
    /// Fields that are places in memory and nothing else.
    pub fields: Arc<PlainFields>,
    /// Static methods that nothing outside calls and that always get an object of their class, by class, name and
    /// descriptor: calling one does not begin to initialize the class.
    pub on_instances: HashSet<Box<[u8]>, FxBuildHasher>,
    /// Calls that want variants of what they call.
    pub wanted: Wanted,
    /// Calls that are to name more precise classes.
    pub precise: PreciseCalls,
    /// Calls that lead to one method, while no class that they may name says so.
    pub singles: Vec<SingleCall>,
    /// Objects that would be their fields, if bodies stood in the place of these calls.
    pub vanishing: Vec<VanishingObject>,
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
    /// Calls of methods that only compute, with constants, which were not made ahead of time: they take too long, or throw.
    pub unmade: u64,
}

impl Facts {
    /// Nothing is known of values any more.
    pub fn forget_values(&mut self) {
        self.methods.clear();
    }

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
    /// How many instructions it has.
    size: usize,
    /// The place of the parameter that it returns, if it returns nothing else.
    gives: Option<usize>,
    /// Its constant texts, and their numbers.
    texts: Vec<(Value, u32)>,
    /// Its edges, once somebody asked.
    incoming: OnceCell<Incoming>,
}

/// What is known of a body so far.
#[derive(Default)]
struct Progress {
    /// Constants are known from the beginning.
    values: Vec<Fact>,
    grown: Vec<u8>,
    runs: Vec<bool>,
    looks: Looks,
    said: Said,
    caught: Caught,
}

/// What is known of a method so far.
#[derive(Default)]
struct Summary {
    reached: bool,
    /// Something that is not analysed may call it.
    is_open: bool,
    queued: bool,
    parameters: Vec<Fact>,
    grown: Vec<u8>,
    result: Fact,
    result_grown: u8,
    returns: bool,
    throws: Thrown,
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
    precision: Precision,
    classes: Classes<'p>,
    pure: &'r PureMethods,
    /// What pure methods gave for constant arguments.
    results: HashMap<(Method, Vec<Number>), Option<Number>, FxBuildHasher>,
    /// By class what its descriptors stand for.
    sites: Vec<Rc<[Site]>>,
    bodies: Vec<Option<Body>>,
    progress: Vec<Progress>,
    methods: Vec<Summary>,
    fields: Vec<FieldSummary>,
    arrays: Arrays,
    /// Who calls a method, not counting calls that may lead to many.
    callers: Dependents<Method>,
    /// Who reads a field of which something may be known.
    readers: Dependents<Field>,
    sets: Sets,
    ones: Ones<'p>,
    copies: Copies,
    dispatch: Dispatch<'r, 'p, 'a>,
    queue: VecDeque<Method>,
    /// How often a method, a set of methods or a field gave more than before.
    clock: u64,
    exceptions: Exceptions,
    /// What the instruction throws that is evaluated.
    thrown: Thrown,
    /// What is known of the operands of an instruction, to be filled again by the next one.
    operands: Vec<Fact>,
}

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
    while let Some(method) = analysis.queue.pop_front() {
        analysis.methods[method.index()].queued = false;
        analysis.evaluate(method);
    }
    let survey = analysis.survey();
    let families = analysis.families();
    let live = analysis.live_parts(&survey, &families);
    let wanted = analysis.variants(&survey, (&live, &families), made);
    let vanishing = analysis.vanishing(&survey, constructors);
    let unmade = analysis.unmade(&survey);
    let (precise, singles) = (survey.precise_calls(analysis.program), survey.singles);
    let (unread, fields) = (analysis.unread(&live), Arc::new(analysis.plain_fields(constructors)));
    let known = analysis.results.iter().filter(|(_, result)| result.is_none());
    let mut unbounded: Vec<Method> = known.map(|((method, _), _)| *method).collect();
    unbounded.sort_unstable();
    unbounded.dedup();
    let mut facts = analysis.facts(&live);
    facts.counts.unmade = unmade;
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
            queue: VecDeque::new(),
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
