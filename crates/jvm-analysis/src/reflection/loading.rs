//! Reflection, names of classes: those that a program builds, followed to where they are from.
//!
//! A name that is no constant at the call is followed through the method: a choice of constants, parts that are joined, the
//! name of a class that is known. What is known in parts may be every class whose name has them. Where it is a parameter, as
//! in a helper that makes objects of classes by their names, every call of the method is followed in turn, as long as
//! nothing but calls that can be seen gets there; if something does, the name may be any.

use hashbrown::{HashMap, HashSet};
use planish_base::Worklist;
use planish_classfile::Flags;
use planish_jvm_ir::code::{body, lifted};
use planish_jvm_ir::naming::Names;
use planish_jvm_model::program::{Class, Found, Method, Program, Selector};
use planish_jvm_model::uses::{Scanner, Use};
use planish_jvm_model::vtype::TypeContext;
use rustc_hash::FxBuildHasher;

use crate::lookups::scope::{ANY, matches_any};
use crate::lookups::text::Text;
use crate::lookups::values::Values;
use crate::reach::Reach;
use crate::reach::cause::Cause;
use crate::reach::makes::Makes;
use crate::reflection::listed::with_slashes;

/// A name at a call: the number of the instruction, the place among its arguments, how objects are made of its class, and
/// the helper that it is for, if the call is one of those.
type Name = (u32, usize, Makes, Option<Method>);

/// What a name is.
enum Followed {
    /// One of these texts.
    Texts(Vec<Text>),
    /// A parameter of the method.
    Parameter(usize),
}

impl Reach<'_, '_> {
    /// Whether every name is known that comes to a method which loads classes by a parameter.
    pub fn knows_names_given_to(&self, method: Method) -> bool {
        let loading = &self.reflection.loading;
        let (mut work, mut seen) =
            (Worklist::from(vec![method]), HashSet::<Method, FxBuildHasher>::default());
        while let Some(method) = work.pop() {
            if !loading.helpers.contains_key(&method)
                || loading.unknown.contains(&method)
                || self.is_open(method)
            {
                return false;
            }
            if seen.insert(method) {
                work.extend(loading.hand_on.get(&method).into_iter().flatten().copied());
            }
        }
        true
    }

    /// A body may run. The names that it gives to helpers, and those that it loads classes by, are followed.
    pub(super) fn follow_names(&mut self, method: Method, uses: &[(u32, Use<'_>)], mut names: Vec<Name>) {
        let class = self.program.methods[method].class;
        self.reflection.loading.bodies.entry(class).or_default().push(method);
        for &(number, found) in uses {
            let Some(helper) = self.helper(&found) else { continue };
            let places = self.reflection.loading.helpers[&helper].iter();
            names.extend(places.map(|&(place, makes)| (number, place, makes, Some(helper))));
        }
        self.follow(method, &names);
    }

    /// The helper that a call leads to.
    fn helper(&self, found: &Use<'_>) -> Option<Method> {
        let Use::Call(_, member) = found else { return None };
        self.reflection.loading.called.contains(member.name).then_some(())?;
        let program = self.program;
        let selector = program.selector(&[member.name, member.descriptor].concat())?;
        match program.resolve_method(program.hierarchy.lookup(member.class)?, selector) {
            Found::Program(method) if self.reflection.loading.helpers.contains_key(&method) => Some(method),
            _ => None,
        }
    }

    /// Follows names at calls of a method. O(size of its body).
    fn follow(&mut self, method: Method, names: &[Name]) {
        if names.is_empty() {
            return;
        }
        let cause = Cause::Method(method);
        let (followed, used) = followed(self.program, method, names);
        let classes = used.iter().map(|name| with_slashes(name.as_bytes()));
        let classes = classes.filter_map(|name| self.program.class_named(&name));
        self.reflection.by_parts.extend(classes);
        for (&(_, _, makes, helper), found) in names.iter().zip(followed) {
            match found {
                Followed::Parameter(place) => {
                    if let Some(helper) = helper {
                        self.reflection.loading.hand_on.entry(helper).or_default().push(method);
                    }
                    self.loads_parameter(method, place, makes, cause);
                }
                Followed::Texts(texts) => {
                    let patterns: Vec<String> = texts.iter().flat_map(Text::class_patterns).collect();
                    self.loads_names(&patterns, makes, cause);
                    // What only rules could tell.
                    let is_known = patterns.iter().all(|pattern| !pattern.contains('*'));
                    self.reflection.loading.unknown.extend(helper.filter(|_| !is_known));
                }
            }
        }
    }

    /// Classes are loaded whose names match.
    fn loads_names(&mut self, patterns: &[String], makes: Makes, cause: Cause) {
        for pattern in patterns {
            if pattern == ANY {
                self.loads_any(makes, cause);
            } else if !pattern.contains('*') {
                self.load_class(pattern.as_bytes(), makes, cause);
            } else if self.reflection.enumerated || in_a_package(pattern) {
                let pattern = std::slice::from_ref(pattern);
                let program = self.program;
                for class in program.classes.ids().filter(|&class| matches_any(pattern, program.name(class)))
                {
                    self.reflection.by_parts.insert(class);
                    self.loads_class(class, makes, cause);
                }
            }
        }
    }

    /// A method loads classes by a parameter: whoever calls it says which.
    fn loads_parameter(&mut self, method: Method, place: usize, makes: Makes, cause: Cause) {
        let places = self.reflection.loading.helpers.entry(method).or_default();
        if places.iter().any(|&(known, _)| known == place) {
            return;
        }
        places.push((place, makes));
        if !is_called_directly(self.program, method) {
            self.reflection.loading.unknown.insert(method);
            self.loads_any(makes, cause);
        }
        let selector = self.program.methods[method].selector;
        self.reflection.loading.called.insert(self.program.member_name(selector).into());
        let speaking = self.reflection.loading.speaking.get_or_insert_with(|| speaking(self.program));
        for class in speaking.get(&selector).cloned().unwrap_or_default() {
            for caller in self.reflection.loading.bodies.get(&class).cloned().unwrap_or_default() {
                let calls = self.calls_of(caller, method);
                let names: Vec<Name> =
                    calls.into_iter().map(|number| (number, place, makes, Some(method))).collect();
                self.follow(caller, &names);
            }
        }
    }

    /// The numbers of the instructions of a method that call another.
    fn calls_of(&self, caller: Method, method: Method) -> Vec<u32> {
        let program = self.program;
        let info = &program.methods[caller];
        let file = &program.classes[info.class].file;
        let mut calls = Vec::new();
        // What cannot be scanned does not run.
        let _ = Scanner::new(file).and_then(|scanner| {
            scanner.method(&file.methods[usize::from(info.place)], &mut |number, found| {
                if self.helper(&found) == Some(method) {
                    calls.push(number);
                }
            })
        });
        calls
    }

    /// A method that something else may call as well gets any name.
    pub fn stay_loading(&mut self) {
        let helpers = self.reflection.loading.helpers.keys().copied();
        let open: Vec<Method> = helpers.filter(|&method| self.is_open(method)).collect();
        for method in open {
            self.reflection.loading.unknown.insert(method);
            let places = self.reflection.loading.helpers[&method].iter();
            let makes = places.fold(Makes::default(), |before, &(_, makes)| before.or(makes));
            self.loads_any(makes, Cause::Method(method));
        }
    }
}

/// The classes that speak of each selector of the program. O(constants).
fn speaking(program: &Program<'_>) -> HashMap<Selector, Vec<Class>, FxBuildHasher> {
    let mut speaking: HashMap<Selector, Vec<Class>, FxBuildHasher> = HashMap::default();
    for class in program.classes.ids() {
        let pool = &program.classes[class].file.pool;
        for member in pool.indices().filter_map(|index| pool.member(index).ok()) {
            if let Some(selector) = program.selector(&[member.name, member.descriptor].concat()) {
                let classes = speaking.entry(selector).or_default();
                if classes.last() != Some(&class) {
                    classes.push(class);
                }
            }
        }
    }
    speaking
}

/// Whether instructions that call a method name it: nothing overrides it, and it overrides nothing.
fn is_called_directly(program: &Program<'_>, method: Method) -> bool {
    let info = &program.methods[method];
    info.flags.any(Flags::STATIC | Flags::PRIVATE) || program.member_name(info.selector) == b"<init>"
}

/// Whether a pattern says in which package classes are.
fn in_a_package(pattern: &str) -> bool {
    pattern.split('*').next().is_some_and(|known| known.contains('.'))
}

/// What names at calls of a method are, and the names of classes that others are made of, as patterns.
fn followed(program: &Program<'_>, method: Method, wanted: &[Name]) -> (Vec<Followed>, Vec<String>) {
    let unknown = || (wanted.iter().map(|_| Followed::Texts(vec![Text::any()])).collect(), Vec::new());
    let own = &program.classes[program.methods[method].class];
    let mut context = TypeContext::new(program.hierarchy);
    context.begin_class(&own.file.pool);
    let mut names = Names::new(&own.file);
    let Some(function) = lifted(program, method, &mut names, &mut context) else { return unknown() };
    // Instructions behind each other have other numbers where some cannot be reached.
    let Some(values) = body(program, method)
        .filter(|code| crate::lookups::is_whole(program, method, code))
        .map(|_| Values::new(&function, &names, program, method))
    else {
        return unknown();
    };
    let follow = |&(number, place, ..): &Name| {
        let Some(inst) = values.inst_at(number) else { return Followed::Texts(vec![Text::any()]) };
        match values.parameter_given(inst, place) {
            Some(place) => Followed::Parameter(place),
            None => Followed::Texts(values.names_given(inst, place)),
        }
    };
    let followed = wanted.iter().map(follow).collect();
    (followed, values.names_used())
}
