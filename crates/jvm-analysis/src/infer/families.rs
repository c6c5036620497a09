//! Override families (sets of methods that override each other): signatures that change together, as in R8's argument
//! removal.
//!
//! A parameter of a method that overrides another one, or implements it, can go only if it goes from all of them, and from
//! every call that may lead to any. So all methods of one name and descriptor that some class inherits together are one
//! *family*: whatever a call of one of them names, what it finds and what it leads to are of the family. A family is
//! *closed* if nothing outside may call one of its methods, or be called in its place: no class below any of them is
//! extended from outside (lambdas, proxies, and API are), or inherits a method of that name from a library. Then all of
//! them may get a new name and descriptor together, under which every class finds what it found before. Methods that only
//! their package sees count as if all overrode them, which keeps more together than necessary; since each copy is seen as
//! far as what it is a copy of, the one overrides the other as before. (Tip, Laffra, Sweeney and Streeter, *Practical
//! experience with an application extractor for Java*, 1999, on what has to change together.)

use planish_base::Id;
use planish_classfile::Flags;
use planish_ir::Const;
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::program::{Class, Method, Program, Selector};

use crate::infer::live::LiveParts;
use crate::infer::results::{Operands, ResultPart};
use crate::infer::state::Analysis;
use crate::infer::state::families::{Families, Family};
use crate::variant::Part;

/// What the methods of a family become.
#[derive(Clone)]
pub(super) struct Change {
    pub parts: Vec<Part>,
    pub result: ResultPart,
}

/// Whether a method may override another one or be overridden.
fn is_virtual(program: &Program<'_>, method: Method) -> bool {
    let info = &program.methods[method];
    !info.flags.any(Flags::STATIC | Flags::PRIVATE) && !program.text(info.selector).starts_with(b"<")
}

/// Methods of one name and descriptor, and what connects them.
struct Group {
    methods: Vec<Method>,
    /// By method one of its family further up, or itself.
    above: Vec<u32>,
    /// By class the last group that saw it, and which of its methods that class inherits.
    seen: Vec<(u32, u32)>,
    /// The classes that inherit one.
    below: Vec<Class>,
    number: u32,
}

impl Group {
    fn find(&self, mut place: u32) -> u32 {
        while self.above[place as usize] != place {
            place = self.above[place as usize];
        }
        place
    }

    /// Connects these methods.
    fn connect(&mut self, program: &Program<'_>, methods: &[Method]) {
        self.number += 1;
        self.below.clear();
        self.methods.clear();
        self.methods.extend_from_slice(methods);
        self.above.clear();
        self.above.extend(0..methods.len() as u32);
        for (place, &method) in (0..).zip(methods) {
            for &below in program.subtypes(program.classes[program.methods[method].class].id) {
                let (number, other) = self.seen[below.index()];
                if number == self.number {
                    let (one, other) = (self.find(place), self.find(other));
                    self.above[one.max(other) as usize] = one.min(other);
                } else {
                    self.seen[below.index()] = (self.number, place);
                    self.below.push(below);
                }
            }
        }
    }
}

impl Analysis<'_, '_, '_> {
    /// Finds the closed families. O(methods * classes below them).
    pub(super) fn families(&self) -> Families {
        let program = self.program;
        let mut by_selector: Vec<(Selector, Method)> = program
            .methods
            .iter()
            .filter(|&(method, info)| {
                let text = program.text(info.selector);
                let may_change = !text.ends_with(b"()V");
                may_change && is_virtual(program, method) && self.reach.is_declared(method)
            })
            .map(|(method, info)| (info.selector, method))
            .collect();
        by_selector.sort_unstable();
        let [classes, methods, _] = program.counts();
        let mut families = Families { of: vec![None; methods], members: Vec::new() };
        let mut group = Group {
            methods: Vec::new(),
            above: Vec::new(),
            seen: vec![(0, 0); classes],
            below: Vec::new(),
            number: 0,
        };
        let mut named = Vec::new();
        for list in by_selector.chunk_by(|a, b| a.0 == b.0) {
            named.clear();
            named.extend(list.iter().map(|(_, method)| *method));
            let changes = |&method: &Method| self.may_change(method);
            if !named.iter().any(changes) {
                continue;
            }
            group.connect(program, &named);
            let mut is_closed: Vec<bool> = group.methods.iter().map(changes).collect();
            for (place, closed) in is_closed.clone().into_iter().enumerate() {
                is_closed[group.find(place as u32) as usize] &= closed;
            }
            for &below in &group.below {
                let root = group.find(group.seen[below.index()].1) as usize;
                is_closed[root] = is_closed[root] && self.inherits_nothing_else(below, list[0].0);
            }
            let mut family_of: Vec<Option<Family>> = vec![None; named.len()];
            for (place, &method) in named.iter().enumerate() {
                let root = group.find(place as u32) as usize;
                if !is_closed[root] {
                    continue;
                }
                let family = *family_of[root].get_or_insert_with(|| {
                    families.members.push(Vec::new());
                    Family::from_index(families.members.len() - 1)
                });
                families.of[method.index()] = Some(family);
                families.members[family.index()].push(method);
            }
        }
        families
    }

    /// Whether a method may get another name and descriptor, if all that override it or that it overrides do.
    fn may_change(&self, method: Method) -> bool {
        let info = &self.program.methods[method];
        let has_body = !info.flags.has(Flags::ABSTRACT) && self.reach.is_live(method);
        !self.methods[method.index()].is_open
            && !self.reach.is_open(method)
            && !info.flags.has(Flags::NATIVE)
            && !self.program.classes[info.class].is_opaque
            && (!has_body || self.bodies[method.index()].is_some())
            && self.dispatch.is_closed(info.class, info.selector)
    }

    /// Whether what a class inherits under a name and descriptor comes from the program alone.
    fn inherits_nothing_else(&self, class: Class, selector: Selector) -> bool {
        let program = self.program;
        let own = &program.classes[class];
        let has_other = |&above: &ClassId| {
            program.class(above).is_none()
                && (program.hierarchy.get(above).is_none()
                    || program.library.has_method(program.hierarchy.name(above), program.text(selector)))
        };
        !own.is_opaque && !own.supertypes.iter().any(has_other)
    }

    /// What the methods of a family become; nothing if they stay as they are.
    pub(super) fn change(
        &self,
        (families, family): (&Families, Family),
        live: &LiveParts,
        operands: &Operands,
    ) -> Option<Change> {
        let members = families.members(family);
        // A call may lead to a method without a body, and throw.
        let has_run =
            |method: &Method| self.methods[method.index()].reached && self.bodies[method.index()].is_some();
        let reached = || members.iter().copied().filter(has_run);
        let first = reached().next()?;
        let count = self.methods[first.index()].parameters.len();
        let parts: Vec<Part> = (1..count)
            .map(|place| {
                if !live.is_live_in_family(family, place) {
                    return Part::Drop;
                }
                let known = |method: Method| {
                    let constant = self.methods[method.index()].parameters[place].constant();
                    constant.filter(|constant| !matches!(constant, Const::Symbol(..) | Const::Hole))
                };
                match known(first) {
                    Some(constant) if reached().all(|method| known(method) == Some(constant)) => {
                        Part::Is(constant)
                    }
                    _ => Part::Keep,
                }
            })
            .collect();
        let result = self.result_part(members, live, operands);
        let changes = result != ResultPart::Keep || parts.iter().any(|part| *part != Part::Keep);
        changes.then_some(Change { parts, result })
    }
}
