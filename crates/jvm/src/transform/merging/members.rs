//! What members are called in the class of which theirs becomes a part, and which of them go.
//!
//! The class at the bottom keeps its names, and so does every method of objects, since others override it or call it by
//! its name. A method that a class further down overrides is called by nobody but `super.f()`: it goes, or becomes private
//! under another name. So do fields and bound methods whose name is taken. Constructors have one name, so one gets parameters
//! that nobody reads until its type is free.

use std::collections::{BTreeMap, BTreeSet};

use hashbrown::HashSet;
use planish_base::Id;
use planish_classfile::Flags;
use planish_classfile::rename::new_descriptor;
use planish_jvm_model::program::{Class, Field, Found, Method, Program, Selector};
use rustc_hash::FxBuildHasher;

use super::called::called_above;
use super::overloads::ClassNames;
use super::reason::Reason;

/// What becomes of the members of classes that become a part of others.
#[derive(Default)]
pub(super) struct Members {
    /// By field its new name, if it gets one.
    pub fields: Vec<Option<Box<[u8]>>>,
    /// The same by method, of those that are called by that name only.
    pub methods: Vec<Option<Box<[u8]>>>,
    /// The private names of methods that others override, and that are called from there.
    pub above: BTreeMap<Method, Box<[u8]>>,
    /// By method whether it goes.
    pub goes: Vec<bool>,
    /// How many parameters constructors get that nobody reads.
    pub more: BTreeMap<Method, usize>,
}

/// Why classes do not fit into a class that is below all of them. O(members x classes of the group).
pub(super) fn unfit(program: &Program<'_>, target: Class, sources: &[Class]) -> Vec<(Class, Reason)> {
    let has_objects = !program.classes[target].file.flags.has(Flags::ABSTRACT);
    let mut wrong = Vec::new();
    for (place, &class) in sources.iter().enumerate() {
        let lower = || sources[place + 1..].iter().chain([&target]);
        for &method in program.classes[class].methods.iter().filter(|&&method| is_of_objects(program, method))
        {
            let info = &program.methods[method];
            let mut others = lower().filter_map(|&below| program.declared_method(below, info.selector));
            match others.next() {
                None if info.flags.has(Flags::ABSTRACT) && has_objects => {
                    wrong.push((class, Reason::Abstract))
                }
                Some(other) if !is_of_objects(program, other) => wrong.push((class, Reason::Hidden)),
                _ if others.any(|other| !is_of_objects(program, other)) => {
                    wrong.push((class, Reason::Hidden))
                }
                _ => {}
            }
        }
    }
    wrong
}

/// Whether which body a call runs depends on the object.
pub(super) fn is_of_objects(program: &Program<'_>, method: Method) -> bool {
    let info = &program.methods[method];
    !info.flags.any(Flags::STATIC | Flags::PRIVATE) && !program.member_name(info.selector).starts_with(b"<")
}

impl Members {
    /// Names the members of all groups. O(members x classes of a group).
    pub fn of(
        program: &Program<'_>,
        into: &[Option<Class>],
        groups: &BTreeMap<Class, Vec<Class>>,
    ) -> Members {
        let [_, methods, fields] = program.counts();
        let mut members = Members {
            fields: vec![None; fields],
            methods: vec![None; methods],
            goes: vec![false; methods],
            ..Members::default()
        };
        if groups.is_empty() {
            return members;
        }
        let mut names = Names::of(program);
        for (&target, sources) in groups {
            let called = called_above(program, sources, target);
            for (place, &class) in sources.iter().enumerate() {
                let lower: Vec<Class> = sources[place + 1..].iter().copied().chain([target]).collect();
                for &field in &program.classes[class].fields {
                    if is_taken(program, field, &lower, target) {
                        let selector = program.fields[field].selector;
                        members.fields[field.index()] = Some(names.fresh(program, selector, class));
                    }
                }
                for &method in &program.classes[class].methods {
                    members.method(program, method, (&lower, target), &called, &mut names);
                }
            }
            members.constructors(program, into, target, sources);
        }
        members
    }

    /// Names a method of a class above some others.
    fn method(
        &mut self,
        program: &Program<'_>,
        method: Method,
        (lower, target): (&[Class], Class),
        called: &BTreeSet<Method>,
        names: &mut Names,
    ) {
        let info = &program.methods[method];
        if program.member_name(info.selector).starts_with(b"<") {
            return;
        }
        let is_declared = lower.iter().any(|&below| program.declared_method(below, info.selector).is_some());
        if !is_of_objects(program, method) {
            let found = program.resolve_method(program.classes[target].id, info.selector);
            if is_declared || found != Found::Program(method) {
                self.methods[method.index()] = Some(names.fresh(program, info.selector, info.class));
            }
        } else if is_declared {
            match called.contains(&method) && !info.flags.has(Flags::ABSTRACT) {
                true => _ = self.above.insert(method, names.fresh(program, info.selector, info.class)),
                false => self.goes[method.index()] = true,
            }
        }
    }

    /// Tells constructors apart that get one type.
    fn constructors(
        &mut self,
        program: &Program<'_>,
        into: &[Option<Class>],
        target: Class,
        sources: &[Class],
    ) {
        let class_names = ClassNames { program, into };
        let mut taken: BTreeSet<Vec<u8>> = BTreeSet::new();
        for class in std::iter::once(target).chain(sources.iter().rev().copied()) {
            for &method in &program.classes[class].methods {
                let selector = program.methods[method].selector;
                if program.member_name(selector) != b"<init>" {
                    continue;
                }
                let descriptor = program.descriptor(selector);
                let more = |count| {
                    let longer = with_more(descriptor, count);
                    new_descriptor(&longer, &class_names).unwrap_or(longer)
                };
                let count = (0..).find(|&count| !taken.contains(&more(count))).unwrap_or(0);
                taken.insert(more(count));
                if count > 0 {
                    self.more.insert(method, count);
                }
            }
        }
    }

    /// The class that a method is of in the end, and its name and descriptor there, if they change.
    pub fn new_method(
        &self,
        program: &Program<'_>,
        into: &[Option<Class>],
        method: Method,
    ) -> Option<(Class, Vec<u8>)> {
        let info = &program.methods[method];
        if self.goes[method.index()] {
            return None;
        }
        let name = self.above.get(&method).or(self.methods[method.index()].as_ref());
        let more = self.more.get(&method).copied().unwrap_or(0);
        moved(program, into, (info.class, info.selector), (name.map(|name| &name[..]), more))
    }

    /// The same of a field.
    pub fn new_field(
        &self,
        program: &Program<'_>,
        into: &[Option<Class>],
        field: Field,
    ) -> Option<(Class, Vec<u8>)> {
        let info = &program.fields[field];
        let name = self.fields[field.index()].as_deref();
        moved(program, into, (info.class, info.selector), (name, 0))
    }
}

/// A class and member with new names, if something of it is new.
fn moved(
    program: &Program<'_>,
    into: &[Option<Class>],
    (class, selector): (Class, Selector),
    (name, more): (Option<&[u8]>, usize),
) -> Option<(Class, Vec<u8>)> {
    let names = ClassNames { program, into };
    let (text, ty) = (program.text(selector), program.descriptor(selector));
    let old = program.member_name(selector);
    let longer = with_more(ty, more);
    let ty = new_descriptor(&longer, &names).unwrap_or(longer);
    let divider = &text[old.len()..text.len() - program.descriptor(selector).len()];
    let new = [name.unwrap_or(old), divider, &ty].concat();
    let target = into[class.index()].unwrap_or(class);
    (target != class || new != text).then_some((target, new))
}

/// The type of a constructor with so many more parameters.
pub(super) fn with_more(descriptor: &[u8], count: usize) -> Vec<u8> {
    match descriptor.iter().rposition(|byte| *byte == b')') {
        Some(end) => [&descriptor[..end], &vec![b'I'; count], &descriptor[end..]].concat(),
        None => descriptor.to_vec(),
    }
}

/// Whether the name of a field means something else in the class at the bottom.
fn is_taken(program: &Program<'_>, field: Field, lower: &[Class], target: Class) -> bool {
    let selector = program.fields[field].selector;
    let name = program.member_name(selector);
    let has_name = |class: &Class| {
        program.classes[*class]
            .fields
            .iter()
            .any(|&other| program.member_name(program.fields[other].selector) == name)
    };
    lower.iter().any(has_name)
        || program.resolve_field(program.classes[target].id, selector) != Found::Program(field)
}

/// The names that members have.
struct Names(HashSet<Box<[u8]>, FxBuildHasher>);

impl Names {
    fn of(program: &Program<'_>) -> Names {
        let members = program.methods.values().chain(program.fields.values());
        Names(members.map(|info| program.member_name(info.selector).into()).collect())
    }

    /// A name that no member has, made of the one that it had and that of its class.
    fn fresh(&mut self, program: &Program<'_>, selector: Selector, class: Class) -> Box<[u8]> {
        let name = program.name(class);
        let end = name.iter().rposition(|byte| matches!(byte, b'/' | b'$')).map_or(0, |end| end + 1);
        let front = [program.member_name(selector), b"$", &name[end..]].concat();
        let numbered = |number: u32| match number {
            0 => front.clone(),
            _ => [&front, number.to_string().as_bytes()].concat(),
        };
        let free = (0..).map(numbered).find(|name| !self.0.contains(&name[..])).unwrap_or_default();
        self.0.insert(free.clone().into());
        free.into()
    }
}
