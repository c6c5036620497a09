//! Tree shaking by rapid type analysis (Bacon and Sweeney 1996): what a program needs from its roots.
//!
//! A worklist grows four sets until nothing changes: classes that must be there, classes that are
//! initialized, classes that have instances, and members that are used. A virtual call reaches the
//! methods that classes *with instances* select for it, whichever comes first, the call or the
//! instance. A library may call everything that an instance inherits from it, so overriding a library
//! method is enough to be reached. (Bacon and Sweeney, *Fast Static Analysis of C++ Virtual Function
//! Calls*, 1996; entry points as in ProGuard and R8.)
//!
//! A method is *open* if something other than instructions of the program may call it (a root, a library,
//! reflection, a method handle): nothing is known of its arguments, and its signature stays. A field is
//! open if something other than instructions of the program may read or write it. A class is *extended*
//! if there may be instances of it, or of something below it, whose class is not in the program. One that a
//! keep rule names may be extended as well; what overrides its methods outside knows only those that are open.
//!
//! Each thing remembers what made it needed first, which explains why it was kept.

pub mod cause;
mod enums;
mod explain;
mod follow;
mod limit;
pub mod listing;
pub(crate) mod makes;
mod overriding;
pub mod places;
pub(crate) mod reflected;

use hashbrown::{HashMap, HashSet};
use planish_base::{Id, Worklist};
use planish_classfile::{Flags, Kind};
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::program::{Class, Field, Method, Program, Selector, classes_in};
use planish_keep::attributes::KeptAttributes;
use rustc_hash::FxBuildHasher;

use crate::final_marks::FinalMarks;
use crate::folded::Identical;
use crate::passes::UNUSED_INTERFACES;
use crate::pure::does_nothing;
use crate::reach::cause::{Cause, Root};
use crate::reach::listing::lists;
use crate::reach::places::Places;
use crate::reach::reflected::Reflection;
use crate::record::ProgramRecord;
use crate::sought::Sought;

/// What is known of a class.
#[derive(Clone, Copy, Default)]
struct ClassState {
    mentioned: Option<Cause>,
    /// Something other than what extends or implements it speaks of it.
    named: bool,
    initialized: bool,
    instantiated: Option<Cause>,
    /// An instance may be made at run time, of a class that has no file.
    lambda: bool,
    /// Proxies of it may be made.
    proxied: bool,
    /// Something outside may extend or implement it.
    extended: bool,
    /// Something has the class as a value.
    is_value: bool,
    /// That is so because a list of classes has it: those that may extend another one, its nest, its members.
    is_listed: bool,
    /// Something outside may, and overrides only what is open.
    kept: bool,
}

/// What is known of a method.
#[derive(Clone, Copy, Default)]
struct MethodState {
    /// It must be there.
    declared: Option<Cause>,
    /// It may run.
    live: Option<Cause>,
    /// Something outside may call it.
    open: bool,
    /// So may who has a handle of it.
    handled: bool,
    /// So may who has an object to call it on.
    received: bool,
    /// So may who has the object of the enum whose constants it gives.
    listed: bool,
}

enum Task {
    Class(Class),
    Body(Method),
}

/// A service and the classes that implement it.
#[derive(Clone, Debug)]
pub struct Service {
    /// The service, as in `a/B`.
    pub name: Vec<u8>,
    /// The classes, as in `a/C`.
    pub providers: Vec<Vec<u8>>,
}

/// The analysis and, once it ran, its result.
pub struct Reach<'p, 'a> {
    /// The program.
    pub program: &'p Program<'a>,
    classes: Vec<ClassState>,
    methods: Vec<MethodState>,
    fields: Vec<Option<Cause>>,
    /// Fields that something outside may read or write.
    open_fields: Vec<bool>,
    roots: Vec<String>,
    /// Methods that are pinned, and the roots that they are.
    pub pins: Vec<(Box<[u8]>, Cause)>,
    queue: Worklist<Task>,
    /// Selectors that are called on a class or interface of the program.
    called: HashMap<ClassId, Vec<Selector>, FxBuildHasher>,
    calls_seen: HashSet<(ClassId, Selector), FxBuildHasher>,
    /// Those of them that something outside calls.
    calls_from_outside: HashSet<(ClassId, Selector), FxBuildHasher>,
    /// Classes with instances, below each class and interface of the program.
    receivers: HashMap<ClassId, Vec<Class>, FxBuildHasher>,
    services: Vec<Service>,
    service_used: Vec<bool>,
    /// Members that rules keep once their class is needed.
    pub with_class: HashMap<Class, Vec<(Root, u32)>, FxBuildHasher>,
    pub(crate) reflection: Reflection,
    /// The methods that go since others do the same.
    pub identical: Identical,
    /// The classes and fields that become final.
    pub finals: FinalMarks,
    /// The classes and members that keep rules name, each with the number of the rule.
    pub seeds: Vec<(Class, Option<Root>, usize)>,
    /// Which attributes stay.
    pub kept_attributes: KeptAttributes,
    /// What a user should know.
    pub notes: Vec<String>,
}

impl<'p, 'a> Reach<'p, 'a> {
    /// An analysis in which nothing is needed so far. With `enumerated`, reflection that looks through
    /// members finds every one; without, only what names in strings say and what roots keep.
    pub fn new(program: &'p Program<'a>, services: Vec<Service>, enumerated: bool) -> Self {
        let [classes, methods, fields] = program.counts();
        Reach {
            program,
            classes: vec![ClassState::default(); classes],
            methods: vec![MethodState::default(); methods],
            fields: vec![None; fields],
            open_fields: vec![false; fields],
            roots: Vec::new(),
            pins: Vec::new(),
            queue: Worklist::default(),
            called: HashMap::default(),
            calls_seen: HashSet::default(),
            calls_from_outside: HashSet::default(),
            receivers: HashMap::default(),
            service_used: vec![false; services.len()],
            services,
            with_class: HashMap::default(),
            reflection: Reflection::new(enumerated),
            identical: Identical::default(),
            finals: FinalMarks::default(),
            seeds: Vec::new(),
            kept_attributes: KeptAttributes::all(),
            notes: Vec::new(),
        }
    }

    /// Says which attributes stay; all of them if nothing is said.
    pub fn keep_attributes(&mut self, kept: KeptAttributes) {
        self.kept_attributes = kept;
    }

    /// What kinds of reflection were seen, in words.
    pub fn reflection_seen(&self) -> Vec<&'static str> {
        self.reflection.describe()
    }

    /// Whether reflection or serialization may look for constructors.
    pub fn may_look_for_constructors(&self) -> bool {
        self.reflection.may_look_for_constructors()
    }

    /// Whether objects may be written, by the program or by a library of which nobody says what it does.
    pub fn may_write_objects(&self) -> bool {
        self.reflection.may_write_objects()
    }

    /// The resources of which code that runs asks where they are, and so may find directories.
    pub fn places(&self) -> &Places {
        self.reflection.places()
    }

    /// What of the program is looked for by its name, as far as it is seen.
    pub fn sought(&self) -> Sought {
        self.reflection.sought(self.program)
    }

    /// A cause with this text.
    pub fn root(&mut self, text: String) -> Cause {
        self.roots.push(text);
        Cause::Root(self.roots.len() as u32 - 1)
    }

    /// Whether a class must be there.
    pub fn is_needed(&self, class: Class) -> bool {
        self.classes[class.index()].mentioned.is_some()
    }

    /// The interfaces that do nothing: classes implement them, no code speaks of them, and nothing of them is needed.
    /// Only reflection could see them.
    pub fn idle_interfaces(&self) -> Vec<Class> {
        let program = self.program;
        let is_sealed =
            |class: Class| program.classes[class].file.attribute(Kind::PermittedSubclasses).is_some();
        let is_idle = |&class: &Class| {
            let (state, own) = (&self.classes[class.index()], &program.classes[class]);
            let above = own.supertypes.iter().filter_map(|&above| program.class(above));
            state.mentioned.is_some()
                && !(state.named || state.extended || state.kept)
                && own.file.flags.has(Flags::INTERFACE)
                && !own.file.flags.has(Flags::ANNOTATION)
                && !above.into_iter().any(is_sealed)
        };
        program.classes.ids().filter(is_idle).collect()
    }

    /// These interfaces, which do nothing, need not be there, as far as the record allows it.
    pub fn drop_interfaces(&mut self, idle: &[Class], record: &mut ProgramRecord) {
        for &class in idle {
            let say = || format!("interface {} goes", self.program.show_class(class));
            if record.rewrite(&UNUSED_INTERFACES, say) {
                self.classes[class.index()].mentioned = None;
            }
        }
    }

    /// Methods that do the same as another need not be there.
    pub fn fold(&mut self, identical: Identical) {
        for method in identical.gone() {
            let state = &mut self.methods[method.index()];
            (state.live, state.declared) = (None, None);
        }
        self.identical = identical;
    }

    /// Classes and fields become final.
    pub fn make_final(&mut self, marks: FinalMarks) {
        self.finals = marks;
    }

    /// Whether a class may have instances.
    pub fn has_instances(&self, class: Class) -> bool {
        let state = &self.classes[class.index()];
        state.instantiated.is_some() || state.lambda
    }

    /// Whether something has the object of a class as a value.
    pub fn is_value(&self, class: Class) -> bool {
        self.classes[class.index()].is_value
    }

    /// Somebody gets the object of a class.
    pub(crate) fn mention_as_value(&mut self, class: Class, cause: Cause) {
        self.mention(class, cause);
        self.classes[class.index()].is_value = true;
    }

    /// Somebody gets the object of a class from a list of classes.
    pub(crate) fn mention_as_listed(&mut self, class: Class, cause: Cause) {
        self.mention_as_value(class, cause);
        self.classes[class.index()].is_listed = true;
    }

    /// Whether somebody gets the object of a class from a list of classes.
    pub fn is_listed(&self, class: Class) -> bool {
        self.classes[class.index()].is_listed
    }

    /// Whether a class may be initialized.
    pub fn is_initialized(&self, class: Class) -> bool {
        self.classes[class.index()].initialized
    }

    /// Whether a method may run.
    pub fn is_live(&self, method: Method) -> bool {
        self.methods[method.index()].live.is_some()
    }

    /// Whether a method must be there, perhaps without ever running.
    pub fn is_declared(&self, method: Method) -> bool {
        let state = &self.methods[method.index()];
        state.live.is_some() || state.declared.is_some()
    }

    /// Whether something other than instructions of the program may call a method.
    pub fn is_open(&self, method: Method) -> bool {
        self.methods[method.index()].handled || self.is_open_besides_handles(method)
    }

    /// Whether something other than instructions of the program and handles of this very method may call it.
    pub fn is_open_besides_handles(&self, method: Method) -> bool {
        let state = &self.methods[method.index()];
        state.open || state.received || state.listed
    }

    /// Whether something other than instructions of the program may call it that has no object to call it on, no handle of it,
    /// and not the object of the enum whose constants it gives.
    pub fn is_open_to_all(&self, method: Method) -> bool {
        self.methods[method.index()].open
    }

    /// Whether something other than instructions of the program may call it on an object that it has.
    pub fn is_received(&self, method: Method) -> bool {
        self.methods[method.index()].received
    }

    /// Whether something other than instructions of the program may read or write a field.
    pub fn is_field_open(&self, field: Field) -> bool {
        self.open_fields[field.index()]
    }

    /// Whether something outside may extend or implement this very class or interface.
    pub fn is_extended(&self, class: Class) -> bool {
        let is_final = self.program.classes[class].file.flags.has(Flags::FINAL);
        self.is_extended_by_name(class) || self.reflection.makes_classes() && !is_final
    }

    /// The same, but for classes that the program makes while it runs of the objects that it has: those need not know what
    /// this one is called.
    pub fn is_extended_by_name(&self, class: Class) -> bool {
        let state = &self.classes[class.index()];
        let flags = self.program.classes[class].file.flags;
        let is_proxy = flags.has(Flags::INTERFACE) && self.reflection.makes_proxies();
        // Who has an interface may make a proxy of it, who makes classes may extend any.
        let is_model = state.is_value && (flags.has(Flags::INTERFACE) || self.reflection.is_unknown());
        let is_extended = state.extended || state.lambda || is_proxy || is_model;
        (is_extended || flags.has(Flags::ANNOTATION)) && !flags.has(Flags::FINAL)
    }

    /// Whether something outside may extend or implement this very class or interface by what a rule keeps: it
    /// overrides methods that are open, and no others.
    pub fn is_kept(&self, class: Class) -> bool {
        self.classes[class.index()].kept
    }

    /// Whether a field must be there.
    pub fn is_field_needed(&self, field: Field) -> bool {
        self.fields[field.index()].is_some()
    }

    /// Whether a service is asked for, or may be from outside.
    pub fn is_service_used(&self, name: &[u8]) -> bool {
        self.services.iter().zip(&self.service_used).any(|(service, used)| *used && service.name == name)
    }

    /// A class must be there.
    pub fn mention(&mut self, class: Class, cause: Cause) {
        self.classes[class.index()].named = true;
        self.inherit(class, cause);
    }

    /// A class must be there, since another extends or implements it.
    fn inherit(&mut self, class: Class, cause: Cause) {
        let state = &mut self.classes[class.index()];
        if state.mentioned.is_none() {
            state.mentioned = Some(cause);
            self.queue.push(Task::Class(class));
        }
    }

    /// Something outside may extend or implement a class or interface.
    pub fn extend(&mut self, class: Class) {
        self.classes[class.index()].extended = true;
    }

    /// Something outside may extend or implement a class or interface that a rule keeps.
    pub fn extend_kept(&mut self, class: Class) {
        self.classes[class.index()].kept = true;
    }

    /// A class of this name must be there, if it is one of the program.
    pub fn mention_name(&mut self, name: &[u8], cause: Cause) {
        if let Some(class) = self.program.class_named(name) {
            self.mention(class, cause);
        }
    }

    /// A class may be initialized, and so may what is above it.
    pub fn initialize(&mut self, class: Class, cause: Cause) {
        self.mention(class, cause);
        self.initialize_with(class, cause);
    }

    /// A class may be initialized, since one below it may be, or somebody named it.
    fn initialize_with(&mut self, class: Class, cause: Cause) {
        self.inherit(class, cause);
        if std::mem::replace(&mut self.classes[class.index()].initialized, true) {
            return;
        }
        let own = &self.program.classes[class];
        if let Some(selector) = self.program.selector(b"<clinit>()V")
            && let Some(method) = self.program.declared_method(class, selector)
            && !does_nothing(self.program, method)
        {
            self.run_from_outside(method, Cause::Class(class));
        }
        self.begins(class, Cause::Class(class));
        for &above in &own.supertypes[1..] {
            if let Some(above) = self.program.class(above) {
                self.initialize_with(above, Cause::Class(class));
            }
        }
    }

    /// A class may have instances.
    pub fn instantiate(&mut self, class: Class, cause: Cause) {
        self.initialize(class, cause);
        let state = &mut self.classes[class.index()];
        if state.instantiated.is_some() {
            return;
        }
        state.instantiated = Some(cause);
        self.receive(class);
        self.reflect_instance(class);
    }

    /// An instance may be made at run time of a class below this one that has no file: a lambda, if this is an interface.
    pub fn instantiate_below(&mut self, class: Class, cause: Cause) {
        self.initialize(class, cause);
        let state = &mut self.classes[class.index()];
        // One that a rule keeps may have got its calls before.
        let receives = state.lambda || state.instantiated.is_some();
        state.lambda = true;
        if !receives {
            self.receive(class);
        }
    }

    /// A proxy of an interface may be made. What handles its calls may run the body that the interface has, with any
    /// arguments.
    pub fn proxy(&mut self, interface: Class, cause: Cause) {
        self.initialize(interface, cause);
        let state = &mut self.classes[interface.index()];
        if !std::mem::replace(&mut state.proxied, true) {
            state.lambda = true;
            self.receive(interface);
        }
    }

    /// Instances of `class` may receive calls.
    fn receive(&mut self, class: Class) {
        let program = self.program;
        let (mut inside, mut found, mut nowhere) = (Vec::new(), Vec::new(), Vec::new());
        let is_proxied = self.classes[class.index()].proxied;
        for &above in &program.classes[class].supertypes {
            match program.class(above) {
                Some(_) => {
                    self.receivers.entry(above).or_default().push(class);
                    for &selector in self.called.get(&above).map_or(&[][..], Vec::as_slice) {
                        let open = is_proxied || self.calls_from_outside.contains(&(above, selector));
                        let found = if open { &mut found } else { &mut inside };
                        let before = found.len();
                        program.select(class, selector, found);
                        if found.len() == before {
                            nowhere.push(selector);
                        }
                    }
                }
                None if program.hierarchy.get(above).is_none() => {
                    // Whatever the missing class has may be overridden by anything.
                    for ancestor in program.hierarchy.ancestors(program.classes[class].id) {
                        let Some(ancestor) = program.class(ancestor) else { break };
                        let instance = Flags::STATIC;
                        let methods = program.classes[ancestor].methods.iter().copied();
                        found.extend(methods.filter(|&m| !program.methods[m].flags.any(instance)));
                    }
                }
                None => program.library.overridable(program.hierarchy.name(above), |text| {
                    if let Some(selector) = program.selector(text) {
                        program.select(class, selector, &mut found);
                    }
                }),
            }
        }
        for method in inside {
            self.run(method, Cause::Class(class));
        }
        for method in found {
            self.receive_from_outside(method, Cause::Class(class));
        }
        nowhere.into_iter().for_each(|selector| self.stay_abstract(class, selector));
    }

    /// Something outside may run a method.
    pub fn run_from_outside(&mut self, method: Method, cause: Cause) {
        self.methods[method.index()].open = true;
        self.run(method, cause);
    }

    /// Something outside may run a method on an object that it has.
    fn receive_from_outside(&mut self, method: Method, cause: Cause) {
        self.methods[method.index()].received = true;
        self.run(method, cause);
    }

    /// A method may run.
    pub fn run(&mut self, method: Method, cause: Cause) {
        let state = &mut self.methods[method.index()];
        if state.live.is_none() {
            state.live = Some(cause);
            self.queue.push(Task::Body(method));
        }
    }

    /// A method must be there, whether it runs or not.
    pub fn declare(&mut self, method: Method, cause: Cause) {
        let state = &mut self.methods[method.index()];
        if state.declared.is_none() && state.live.is_none() {
            state.declared = Some(cause);
            self.signature(method, cause);
        }
    }

    /// A field must be there, and something outside may read and write it.
    pub fn use_field(&mut self, field: Field, cause: Cause) {
        self.open_fields[field.index()] = true;
        self.access_field(field, cause);
        let info = self.program.fields[field];
        if info.flags.has(Flags::STATIC) {
            // Whoever reads it has its class initialized.
            self.initialize(info.class, cause);
        }
    }

    /// A field must be there, since an instruction of the program reads or writes it.
    fn access_field(&mut self, field: Field, cause: Cause) {
        if self.fields[field.index()].is_some() {
            return;
        }
        self.fields[field.index()] = Some(cause);
        let info = self.program.fields[field];
        self.mention(info.class, cause);
        let descriptor = self.program.descriptor(info.selector);
        classes_in(descriptor).for_each(|name| self.mention_name(name, cause));
        let file = &self.program.classes[info.class].file;
        self.attributes(info.class, &file.fields[usize::from(info.place)].attributes);
    }

    /// A selector may be called on any instance of a class or interface.
    pub fn call(&mut self, class: ClassId, selector: Selector) {
        if self.program.class(class).is_none() || !self.calls_seen.insert((class, selector)) {
            return;
        }
        self.called.entry(class).or_default().push(selector);
        let (mut found, mut open, mut nowhere) = (Vec::new(), Vec::new(), Vec::new());
        for &receiver in self.receivers.get(&class).map_or(&[][..], Vec::as_slice) {
            let is_proxied = self.classes[receiver.index()].proxied;
            let found = if is_proxied { &mut open } else { &mut found };
            let before = found.len();
            self.program.select(receiver, selector, found);
            if found.len() == before {
                nowhere.push(receiver);
            }
        }
        for method in open {
            let receiver = self.program.methods[method].class;
            self.receive_from_outside(method, Cause::Class(receiver));
        }
        for method in found {
            let receiver = self.program.methods[method].class;
            self.run(method, Cause::Class(receiver));
        }
        nowhere.into_iter().for_each(|receiver| self.stay_abstract(receiver, selector));
    }

    /// Something outside may call a selector on any instance of a class or interface.
    pub fn call_from_outside(&mut self, class: ClassId, selector: Selector) {
        if self.program.class(class).is_none() || !self.calls_from_outside.insert((class, selector)) {
            return;
        }
        let mut found = Vec::new();
        for &receiver in self.receivers.get(&class).map_or(&[][..], Vec::as_slice) {
            self.program.select(receiver, selector, &mut found);
        }
        for method in found {
            let receiver = self.program.methods[method].class;
            self.receive_from_outside(method, Cause::Class(receiver));
        }
        self.call(class, selector);
    }

    /// Every member of a class may be used from outside.
    pub fn keep_whole(&mut self, class: Class, cause: Cause) {
        self.instantiate(class, cause);
        let own = &self.program.classes[class];
        own.methods.iter().for_each(|&method| self.keep_method(method, cause));
        own.fields.iter().for_each(|&field| self.use_field(field, cause));
    }

    /// A method may be called from outside.
    pub fn keep_method(&mut self, method: Method, cause: Cause) {
        let info = self.program.methods[method];
        match lists(self.program, Root::Method(method)) {
            true => self.list_from_outside(method, cause),
            false => self.run_from_outside(method, cause),
        }
        self.initialize(info.class, cause);
        match self.program.member_name(info.selector) {
            b"<init>" => self.instantiate(info.class, cause),
            _ if info.flags.any(Flags::STATIC | Flags::PRIVATE) => {}
            _ => self.call_from_outside(self.program.classes[info.class].id, info.selector),
        }
    }

    /// Works until nothing new is needed.
    pub fn finish(&mut self) {
        self.use_services();
        while let Some(task) = self.queue.pop() {
            let outcome = match task {
                Task::Class(class) => self.class(class),
                Task::Body(method) => self.body(method),
            };
            if let Err(error) = outcome {
                let class = match task {
                    Task::Class(class) => class,
                    Task::Body(method) => self.program.methods[method].class,
                };
                self.notes.push(format!("{}: {error}", self.program.show_class(class)));
            }
            if self.queue.is_empty() {
                self.use_services();
            }
            if self.queue.is_empty() {
                self.stay_initialized();
                self.stay_overridden();
                self.stay_loading();
            }
        }
    }
}
