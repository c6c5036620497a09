//! Identical code folding (ICF of gold and LLD; LLVM's `MergeFunctions`): of methods with the same body one is left.
//!
//! Two bodies are the same if their instructions are, with every constant taken for what it means: a member for where it is
//! declared, a method that goes for the one in its place, the method itself for itself. Where such methods are found,
//!
//! - a method that overrides one with the same body goes: what is inherited does the same;
//! - of methods of one class to which calls are bound (static and private ones, and those that override nothing and that
//!   nothing overrides) one stays, and the calls of the others lead to it;
//! - so do calls of static methods of different classes, as far as no class is initialized by them and whoever calls the
//!   one that goes sees the one that stays.
//!
//! What something outside may call stays, and so does what looks at the stack or, in another class, at its caller. Stack
//! traces name the method that stayed.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::{CodeBytes, Flags, Insn, Kind, Member, MemberRef, Opcode};
use planish_jvm_analysis::folded::{Identical, resolved};
use planish_jvm_analysis::passes::IDENTICAL_CODE;
use planish_jvm_analysis::reach::Reach;
use planish_jvm_analysis::record::ProgramRecord;
use planish_jvm_ir::code::body;
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::names::package;
use planish_jvm_model::program::{Class, Found, Method, Program, Selector};
use rustc_hash::FxBuildHasher;

use crate::transform::inline::access::{Access, counts_frames, looks_at_caller};
use crate::transform::inline::portable::{Portable, PortableCode};

/// How often it is asked which methods are the same: those that went may make others the same.
const PASSES: u32 = 3;

/// Flags that have to be the same.
const FLAGS: Flags =
    Flags(Flags::STATIC.0 | Flags::SYNCHRONIZED.0 | Flags::STRICT.0 | Flags::NATIVE.0 | Flags::ABSTRACT.0);

/// Methods with the same body, as far as is asked.
struct Search<'r, 'p, 'a> {
    reach: &'r Reach<'p, 'a>,
    program: &'p Program<'a>,
    access: Access<'r, 'p, 'a>,
    found: Identical,
    /// Bodies by what they mean, as far as somebody asked in this pass.
    bodies: HashMap<Method, Option<PortableCode>, FxBuildHasher>,
    /// For each class whether it has an initializer, or one above may.
    initializes: Vec<Option<bool>>,
}

/// Finds the methods that do the same as another. O(instructions) a pass, and the classes of the program for each method
/// that does.
pub fn identical(reach: &Reach<'_, '_>, record: &mut ProgramRecord) -> Identical {
    let program = reach.program;
    let mut search = Search {
        reach,
        program,
        access: Access::new(reach, false),
        found: Identical::default(),
        bodies: HashMap::default(),
        initializes: vec![None; program.counts()[0]],
    };
    for _ in 0..PASSES {
        let before = search.found.len();
        search.pass();
        if search.found.len() == before {
            break;
        }
    }
    // Calls may lead to either of two, whichever others become one.
    search.found.retain(|goes, stays| {
        let say = || format!("{} becomes {}", program.show_method(goes), program.show_method(stays));
        record.rewrite(&IDENTICAL_CODE, say)
    });
    search.found.follow();
    search.found
}

impl Search<'_, '_, '_> {
    fn pass(&mut self) {
        self.bodies.clear();
        for alike in self.of_one_length() {
            for &method in &alike {
                self.inherit(method);
            }
            self.unite(&alike);
        }
    }

    /// The methods that may go or stay, those of one descriptor and number of instructions together.
    fn of_one_length(&self) -> Vec<Vec<Method>> {
        let program = self.program;
        let mut alike: BTreeMap<(&[u8], usize), Vec<Method>> = BTreeMap::new();
        for method in program.methods.ids() {
            let info = &program.methods[method];
            let is_special = program.member_name(info.selector).first() == Some(&b'<');
            let is_bodiless = info.flags.any(Flags::ABSTRACT | Flags::NATIVE);
            let is_gone = self.found.in_place_of(method).is_some();
            if is_special || is_bodiless || is_gone || !self.reach.is_live(method) {
                continue;
            }
            let member = &program.classes[info.class].file.methods[usize::from(info.place)];
            let Some(length) = instructions(member, program, info.class) else { continue };
            alike.entry((program.descriptor(info.selector), length)).or_default().push(method);
        }
        alike.into_values().filter(|methods| methods.len() > 1).collect()
    }

    /// What a body means.
    fn meaning(&mut self, method: Method) -> Option<&PortableCode> {
        if !self.bodies.contains_key(&method) {
            let found = self.find_meaning(method);
            self.bodies.insert(method, found);
        }
        self.bodies[&method].as_ref()
    }

    fn find_meaning(&self, method: Method) -> Option<PortableCode> {
        let program = self.program;
        let file = &program.classes[program.methods[method].class].file;
        let mut code = PortableCode::of(&body(program, method)?, file)?.meaning();
        for (insn, constant) in code.constants_mut() {
            let Portable::Member(kind, class, name, descriptor) = constant else { continue };
            // `super.f()` begins its search where it stands.
            if insn.op == Opcode::Invokespecial && **name != *b"<init>" {
                continue;
            }
            let member = MemberRef { kind: *kind, class, name, descriptor };
            if matches!(insn.op, Opcode::Getfield | Opcode::Putfield | Opcode::Getstatic | Opcode::Putstatic)
            {
                let selector = program.selector(&[name, &b":"[..], descriptor].concat());
                let id = program.hierarchy.lookup(class);
                if let (Some(selector), Some(id)) = (selector, id)
                    && let Found::Program(field) = program.resolve_field(id, selector)
                {
                    *class = program.name(program.fields[field].class).into();
                }
                continue;
            }
            let Some(called) = resolved(program, &member) else { continue };
            if called == method {
                (*class, *name) = (Box::default(), Box::default());
                continue;
            }
            let called = self.found.in_place_of(called).unwrap_or(called);
            let info = &program.methods[called];
            *class = program.name(info.class).into();
            *name = program.member_name(info.selector).into();
        }
        Some(code)
    }

    /// Whether two methods do the same. Constants that only mean something in their class differ between classes.
    fn are_same(&mut self, one: Method, other: Method) -> bool {
        let [a, b] = [one, other].map(|method| &self.program.methods[method]);
        let mask = |flags: Flags| flags.0 & FLAGS.0;
        if mask(a.flags) != mask(b.flags) {
            return false;
        }
        let elsewhere = a.class != b.class;
        // The search for a method above begins above the class that asks, whatever class it names.
        let asks_above = |op: Opcode, name: &[u8]| op == Opcode::Invokespecial && name != b"<init>";
        let stands_still = |(insn, constant): (&Insn, &Portable)| match constant {
            Portable::Own(_) | Portable::Handle(..) | Portable::MethodType(_) => elsewhere,
            Portable::Site(site) => elsewhere && !site.makes_texts(),
            Portable::Member(_, class, name, _) => {
                counts_frames(class, name)
                    || elsewhere && (looks_at_caller(class, name) || asks_above(insn.op, name))
            }
            _ => false,
        };
        self.meaning(one);
        self.meaning(other);
        let (Some(code), Some(same)) = (&self.bodies[&one], &self.bodies[&other]) else { return false };
        code == same && !code.constants().any(stands_still)
    }

    /// A method goes if what it overrides does the same.
    fn inherit(&mut self, method: Method) {
        let (program, info) = (self.program, self.program.methods[method]);
        if self.reach.is_open(method)
            || self.found.in_place_of(method).is_some()
            || info.flags.any(Flags::STATIC | Flags::PRIVATE)
            || program.classes[info.class].file.flags.has(Flags::INTERFACE)
        {
            return;
        }
        let Some(above) = self.overridden(info.class, info.selector) else { return };
        let inherited = program.methods[above];
        let is_near = package(program.name(info.class)) == package(program.name(inherited.class));
        let access = Flags(Flags::PUBLIC.0 | Flags::PROTECTED.0);
        let is_visible =
            inherited.flags.has(Flags::PUBLIC) || inherited.flags.has(Flags::PROTECTED) && is_near;
        let same_access = inherited.flags.0 & access.0 == info.flags.0 & access.0;
        // It may be the only one that overrides what only its package sees.
        let stands_alone = self.overrides_alone(info.class, inherited.class, info.selector);
        if is_visible
            && same_access
            && !stands_alone
            && self.reach.is_live(above)
            && self.are_same(above, method)
        {
            // What it inherits may have gone itself, for what it inherits.
            let above = self.found.in_place_of(above).unwrap_or(above);
            self.found.put(method, above);
        }
    }

    /// Whether a class above `heir` has a method that its neighbours alone override, and `class` is one but not `heir`.
    fn overrides_alone(&self, class: Class, heir: Class, selector: Selector) -> bool {
        let program = self.program;
        let home = |class: Class| package(program.name(class));
        let above = program.hierarchy.ancestors(program.classes[heir].id).skip(1);
        above.map_while(|id| program.class(id)).any(|above| {
            let declared = program.declared_method(above, selector);
            let is_seen_near = |method: Method| {
                !program.methods[method].flags.any(Flags::PUBLIC | Flags::PROTECTED | Flags::PRIVATE)
            };
            declared.is_some_and(is_seen_near) && home(class) == home(above) && home(heir) != home(above)
        })
    }

    /// The method that objects of a class would have if the class did not declare it.
    fn overridden(&self, class: Class, selector: Selector) -> Option<Method> {
        let program = self.program;
        for above in program.hierarchy.ancestors(program.classes[class].id).skip(1) {
            let above = program.class(above)?;
            let Some(method) = program.declared_method(above, selector) else { continue };
            let flags = program.methods[method].flags;
            return (!flags.any(Flags::STATIC | Flags::PRIVATE | Flags::ABSTRACT)).then_some(method);
        }
        None
    }

    /// Of methods with one body to which calls are bound, one stays.
    fn unite(&mut self, alike: &[Method]) {
        let program = self.program;
        let mut bound: Vec<(u64, usize, Method)> = Vec::new();
        for &method in alike {
            if self.found.in_place_of(method).is_some() {
                continue;
            }
            let Some(code) = self.meaning(method) else { continue };
            let hash = FxBuildHasher.hash_one(code);
            let flags = program.methods[method].flags;
            // Those that most may call stay.
            let rank = match () {
                () if flags.has(Flags::PUBLIC) => 0,
                () if flags.has(Flags::PROTECTED) => 1,
                () if flags.has(Flags::PRIVATE) => 3,
                () => 2,
            };
            bound.push((hash, rank, method));
        }
        bound.sort_unstable();
        for same in bound.chunk_by(|one, other| one.0 == other.0) {
            for (at, &(_, _, method)) in same.iter().enumerate() {
                if self.reach.is_open(method) {
                    continue;
                }
                let before = same[..at].iter().map(|&(_, _, before)| before);
                let stays =
                    before.filter(|&stays| self.found.in_place_of(stays).is_none()).collect::<Vec<_>>();
                let Some(stays) = stays.into_iter().find(|&stays| self.may_stand_for(stays, method)) else {
                    continue;
                };
                self.found.put(method, stays);
                let is_hidden = program.methods[stays].flags.has(Flags::PRIVATE);
                if is_hidden && program.methods[stays].class != program.methods[method].class {
                    self.found.widen(stays);
                }
            }
        }
    }

    /// Whether calls of a method may lead to another one.
    fn may_stand_for(&mut self, stays: Method, goes: Method) -> bool {
        let [a, b] = [stays, goes].map(|method| self.program.methods[method]);
        if a.class == b.class {
            return self.are_same(stays, goes) && self.is_bound(stays) && self.is_bound(goes);
        }
        a.flags.has(Flags::STATIC)
            && !a.flags.has(Flags::SYNCHRONIZED)
            && self.sees(stays, goes)
            && !self.initializes(a.class)
            && !self.initializes(b.class)
            && self.are_same(stays, goes)
    }

    /// Whether calls of a method lead to it, whatever object they are made on.
    fn is_bound(&self, method: Method) -> bool {
        let (program, info) = (self.program, &self.program.methods[method]);
        if info.flags.any(Flags::STATIC | Flags::PRIVATE) {
            return true;
        }
        let own = program.classes[info.class].id;
        if program.classes[info.class].file.flags.has(Flags::INTERFACE) {
            return false;
        }
        let declares = |above: ClassId| match program.class(above) {
            Some(above) => program.declared_method(above, info.selector).is_some(),
            None => {
                program.hierarchy.get(above).is_none()
                    || program.library.has_method(program.hierarchy.name(above), program.text(info.selector))
            }
        };
        program.subtypes(own).iter().all(|&below| {
            let others = program.classes[below].supertypes.iter().filter(|&&above| above != own);
            !self.reach.is_extended(below) && !others.copied().any(declares)
        })
    }

    /// Whether whoever may call a static method may call another one, in another class.
    fn sees(&mut self, stays: Method, goes: Method) -> bool {
        let program = self.program;
        let [a, b] = [stays, goes].map(|method| program.methods[method]);
        let [home, other] = [a, b].map(|info| program.classes[info.class].file.flags);
        if home.has(Flags::INTERFACE) || other.has(Flags::INTERFACE) {
            return false;
        }
        if home.has(Flags::PUBLIC) && a.flags.has(Flags::PUBLIC) {
            return true;
        }
        let is_near = package(program.name(a.class)) == package(program.name(b.class));
        // From elsewhere only a public method of a public class is called, or a protected one from below.
        let is_called_from_afar = b.flags.any(Flags::PUBLIC | Flags::PROTECTED);
        if !is_near || is_called_from_afar {
            return false;
        }
        let is_hidden = a.flags.has(Flags::PRIVATE);
        !is_hidden
            || !self.reach.is_open(stays)
                && !self.access.is_serializable(a.class)
                && self.access.is_free(stays)
    }

    /// Whether the first call of a static method of a class may run something before it.
    fn initializes(&mut self, class: Class) -> bool {
        if let Some(known) = self.initializes[class.index()] {
            return known;
        }
        let program = self.program;
        let initializer = program.selector(b"<clinit>()V");
        let may =
            program.hierarchy.ancestors(program.classes[class].id).any(|above| match program.class(above) {
                Some(above) => {
                    initializer.is_some_and(|selector| program.declared_method(above, selector).is_some())
                }
                None => above != program.hierarchy.object(),
            });
        // Interfaces are initialized with a class if they have default methods.
        let has_interfaces = program.classes[class].supertypes.iter().any(|&above| {
            let flags = program.hierarchy.get(above).map(|info| info.flags);
            flags.is_none_or(|flags| flags.has(Flags::INTERFACE))
                && program.class(above).is_none_or(|above| {
                    initializer.is_some_and(|selector| program.declared_method(above, selector).is_some())
                })
        });
        self.initializes[class.index()] = Some(may || has_interfaces);
        may || has_interfaces
    }
}

/// The number of instructions of a method.
fn instructions(member: &Member<'_>, program: &Program<'_>, class: Class) -> Option<usize> {
    let attribute = member.attribute(&program.classes[class].file.pool, Kind::Code)?;
    let code = CodeBytes::read(&mut attribute.cursor()).ok()?;
    Some(code.instructions().take_while(Result::is_ok).count())
}
