//! The inlining plan: which calls of a program are to be replaced by which bodies.
//!
//! Every call is looked at once: where it leads, and how many others lead there. What may be inlined at all is
//! [`candidate`]'s question, whether it may stand in the calling class that of [`access`](super::access). A body with calls
//! that are to be replaced themselves waits.

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{Flags, MemberRef, Opcode};
use planish_jvm_analysis::dispatch::Dispatch;
use planish_jvm_analysis::precise::SingleCall;
use planish_jvm_analysis::pure::{has_initializer, initializes};
use planish_jvm_analysis::reach::Reach;
use planish_jvm_analysis::variant::base_name;
use planish_jvm_ir::code::bare_body;
use planish_jvm_model::program::{Class, Found, Method, Program};
use planish_jvm_model::visibility::is_linked;
use rustc_hash::FxBuildHasher;

use crate::transform::inline::access::{Access, Widened};
use crate::transform::inline::candidate::{Candidate, Reason, Receiver, candidate, has_ended, is_variant};
use crate::transform::inline::plan::{Initializing, Inlinee, Inlining, Plan, key, named};
use crate::transform::splice::parameters;

/// A call that leads to one body only.
struct Single {
    caller: Class,
    /// The method that makes it.
    within: Method,
    /// The instruction, and the constant that it names.
    op: Opcode,
    constant: u16,
    /// The class that the instruction names.
    named: Class,
    callee: Method,
}

/// Where a call leads.
#[derive(Default)]
struct Called {
    /// All methods to which it may lead.
    targets: Vec<Method>,
    /// The class that the instruction names, and the method, if there is one only.
    single: Option<(Class, Method)>,
}

/// The bodies that were asked for, and whether they may be inlined at all.
type Candidates = HashMap<Method, Option<Candidate>, FxBuildHasher>;

/// A call in whose place a body may stand.
struct Admitted {
    /// Its place among the calls that lead to one body.
    number: usize,
    /// Whether it is the only call of its method.
    only: bool,
    /// What becomes visible where the call would initialize a class as well.
    initializing: Option<Vec<Widened>>,
}

pub(super) struct Planner<'r, 'p, 'a> {
    reach: &'r Reach<'p, 'a>,
    program: &'p Program<'a>,
    dispatch: Dispatch<'r, 'p, 'a>,
    /// For each method the number of calls that may lead to it.
    calls: Vec<u32>,
    singles: Vec<Single>,
}

impl<'r, 'p, 'a> Planner<'r, 'p, 'a> {
    pub fn new(reach: &'r Reach<'p, 'a>) -> Self {
        let program = reach.program;
        Planner {
            reach,
            program,
            dispatch: Dispatch::new(reach),
            calls: vec![0; program.counts()[1]],
            singles: Vec::new(),
        }
    }

    pub fn plan(mut self, is_settled: &dyn Fn(&[u8]) -> bool, inlining: Inlining) -> Plan {
        self.find_calls();
        let mut candidates = Candidates::default();
        let chosen = self.choose(inlining, &mut candidates);
        let mut plan = Plan::default();
        let (admitted, waits) = self.admit(chosen, &candidates, inlining, is_settled, &mut plan);
        for call in admitted {
            // What contains calls that are replaced waits.
            if !waits.contains(&self.singles[call.number].callee) {
                self.enter(call, &candidates, &mut plan);
            }
        }
        plan
    }

    /// Finds every call that leads to one body, and counts those that lead to each.
    fn find_calls(&mut self) {
        let program = self.program;
        // Where calls of one class lead: most name what others name.
        let mut known: HashMap<(Opcode, u16), Called, FxBuildHasher> = HashMap::default();
        let mut of = None;
        for method in program.methods.ids().filter(|&method| self.reach.is_live(method)) {
            let class = program.methods[method].class;
            let Some(code) = bare_body(program, method) else { continue };
            if of != Some(class) {
                of = Some(class);
                known.clear();
            }
            for instruction in &code.instructions {
                let Some(constant) = named(instruction) else { continue };
                let called = known.entry((instruction.op, constant)).or_insert_with(|| {
                    match program.classes[class].file.pool.member(constant) {
                        Ok(member) => self.call(class, instruction.op, &member),
                        Err(_) => Called::default(),
                    }
                });
                called.targets.iter().for_each(|&method| self.calls[method.index()] += 1);
                if let Some((named, callee)) = called.single.filter(|&(_, callee)| callee != method) {
                    let op = instruction.op;
                    self.singles.push(Single { caller: class, within: method, op, constant, named, callee });
                }
            }
        }
    }

    /// The calls whose bodies may be inlined, by number, and whether each is the only one of its method.
    fn choose(&self, inlining: Inlining, candidates: &mut Candidates) -> Vec<(usize, bool)> {
        let relatives = self.relatives();
        let mut chosen = Vec::new();
        for (number, single) in self.singles.iter().enumerate() {
            let only = inlining.unique
                && self.calls[single.callee.index()] == 1
                && !self.reach.is_open(single.callee)
                && (has_ended(self.program, single.callee)
                    || !relatives
                        .get(&self.relation(single.callee))
                        .is_some_and(|&(all, made)| made > 0 && all > 1));
            if !(only || inlining.small) {
                continue;
            }
            let reason = if only { Reason::Only } else { Reason::Small };
            let candidate = candidates
                .entry(single.callee)
                .or_insert_with(|| candidate(self.program, single.callee, reason, inlining));
            if candidate.is_some() {
                chosen.push((number, only));
            }
        }
        chosen
    }

    /// How many methods are related, and how many of them were made: of a method and its variants each may be called once,
    /// together they are not.
    fn relatives(&self) -> HashMap<(Class, &'p [u8]), (u32, u32), FxBuildHasher> {
        let program = self.program;
        let mut relatives: HashMap<_, (u32, u32), FxBuildHasher> = HashMap::default();
        for method in program.methods.ids().filter(|&method| self.reach.is_live(method)) {
            let relation = self.relation(method);
            let (all, made) = relatives.entry(relation).or_default();
            *all += 1;
            *made += u32::from(program.member_name(program.methods[method].selector) != relation.1);
        }
        relatives
    }

    /// Those of the chosen calls whose bodies may stand in the class that calls, and the methods that contain one and are not
    /// settled yet.
    fn admit(
        &self,
        chosen: Vec<(usize, bool)>,
        candidates: &Candidates,
        inlining: Inlining,
        is_settled: &dyn Fn(&[u8]) -> bool,
        plan: &mut Plan,
    ) -> (Vec<Admitted>, HashSet<Method, FxBuildHasher>) {
        let program = self.program;
        let mut access = Access::new(self.reach, inlining.anywhere);
        let mut waits: HashSet<Method, FxBuildHasher> = HashSet::default();
        let mut admitted = Vec::new();
        for (number, only) in chosen {
            let single = &self.singles[number];
            let Some(Some(candidate)) = candidates.get(&single.callee) else { continue };
            let callee = &program.methods[single.callee];
            let is_static = callee.flags.has(Flags::STATIC);
            let begins = is_static
                && initializes(program, callee.class)
                && !program.classes[single.caller].supertypes.contains(&program.classes[callee.class].id);
            if begins && has_initializer(program, callee.class) {
                continue;
            }
            let cast = self.needs_cast(single, candidate).then(|| program.name(callee.class));
            let Some(widened) = access.allows(single.caller, single.callee, &candidate.code, cast) else {
                continue;
            };
            let initializing = match begins {
                true => Some(widened),
                false => {
                    plan.widen(widened);
                    None
                }
            };
            admitted.push(Admitted { number, only, initializing });
            if !is_settled(&self.caller(single)) {
                waits.insert(single.within);
            }
        }
        (admitted, waits)
    }

    /// The name of the method that makes a call, with that of its class.
    fn caller(&self, single: &Single) -> Vec<u8> {
        let within = &self.program.methods[single.within];
        [self.program.name(within.class), b".", self.program.text(within.selector)].concat()
    }

    /// Writes a call into the plan.
    fn enter(&self, call: Admitted, candidates: &Candidates, plan: &mut Plan) {
        let (program, single) = (self.program, &self.singles[call.number]);
        let Some(Some(candidate)) = candidates.get(&single.callee) else { return };
        let Ok(member) = program.classes[single.caller].file.pool.member(single.constant) else { return };
        let key = key(program.name(single.caller), single.op, &member);
        if call.only {
            plan.only.entry(self.caller(single).into()).or_default().push(key.clone());
        }
        let inlinee = || Arc::new(self.inlinee(single, candidate, call.only));
        match call.initializing {
            Some(widened) => plan.initializing.push(Initializing { key, inlinee: inlinee(), widened }),
            None => {
                plan.calls.entry(key).or_insert_with(inlinee);
            }
        }
    }

    /// What a method has in common with its variants, and with what has its name.
    fn relation(&self, method: Method) -> (Class, &'p [u8]) {
        let info = &self.program.methods[method];
        (info.class, base_name(self.program.member_name(info.selector)))
    }

    /// Where a call leads that a class makes.
    fn call(&mut self, class: Class, op: Opcode, member: &MemberRef<'_>) -> Called {
        let program = self.program;
        let Some(id) = program.hierarchy.lookup(member.class).filter(|_| member.class.first() != Some(&b'['))
        else {
            return Called::default();
        };
        let Some(selector) = program.selector(&[member.name, member.descriptor].concat()) else {
            return Called::default();
        };
        let found = program.resolve_method(id, selector);
        let direct = match found {
            Found::Program(method) => {
                let info = &program.methods[method];
                let is_private = info.flags.has(Flags::PRIVATE);
                let is_here = op == Opcode::Invokespecial && info.class == class;
                let makes = member.name == b"<init>" && program.classes[info.class].id == id || is_here;
                (op == Opcode::Invokestatic || is_private || makes).then_some(method)
            }
            _ => None,
        };
        let mut targets = Vec::new();
        let mut outside = false;
        match (op, direct) {
            (_, Some(method)) => targets.push(method),
            (Opcode::Invokestatic, None) => {}
            (Opcode::Invokespecial, None) => {
                // `super.f()`: not inlined, but a call all the same.
                outside = true;
                targets.extend(match found {
                    Found::Program(method) => Some(method),
                    _ => None,
                });
                let above =
                    program.hierarchy.get(program.classes[class].id).and_then(|info| info.super_class);
                if let Some(Found::Program(method)) =
                    above.map(|above| program.resolve_method(above, selector))
                {
                    targets.push(method);
                }
            }
            _ => {
                let found = self.dispatch.targets(id, false, selector, matches!(found, Found::Program(_)));
                outside = found.outside;
                targets.extend_from_slice(&found.methods);
            }
        }
        let fits = |callee: Method| {
            let flags = program.methods[callee].flags;
            flags.has(Flags::STATIC) == (op == Opcode::Invokestatic)
                && !flags.any(Flags::SYNCHRONIZED | Flags::NATIVE | Flags::ABSTRACT)
        };
        let is_sound = |named: Class| is_linked(program, class, (op, member.kind), (named, found));
        let single = match (&targets[..], outside, program.class(id)) {
            (&[callee], false, Some(named)) if fits(callee) && is_sound(named) => Some((named, callee)),
            _ => None,
        };
        Called { targets, single }
    }

    /// Whether a verifier does not see that the receiver of a call is of the class whose body stands there then.
    fn needs_cast(&self, single: &Single, candidate: &Candidate) -> bool {
        let program = self.program;
        let callee = &program.methods[single.callee];
        let is_static = callee.flags.has(Flags::STATIC);
        let (own, named) = (&program.classes[callee.class], &program.classes[single.named]);
        let is_interface = |class: Class| program.classes[class].file.flags.has(Flags::INTERFACE);
        let fits =
            is_interface(callee.class) || (!is_interface(single.named) && named.supertypes.contains(&own.id));
        !is_static && candidate.uses_receiver != Receiver::Unused && !fits
    }

    fn inlinee(&self, single: &Single, candidate: &Candidate, only: bool) -> Inlinee {
        let cast = self.needs_cast(single, candidate);
        inlinee(self.program, single.caller, (single.callee, candidate), cast, only)
    }
}

/// A body in the place of a call that a class makes. `casts` says whether the receiver is to be cast.
pub(super) fn inlinee(
    program: &Program<'_>,
    caller: Class,
    (method, candidate): (Method, &Candidate),
    casts: bool,
    only: bool,
) -> Inlinee {
    let callee = &program.methods[method];
    let is_static = callee.flags.has(Flags::STATIC);
    let ty = MethodType::parse(program.descriptor(callee.selector));
    let code = candidate.code.clone();
    Inlinee {
        method: [program.name(callee.class), b".", program.text(callee.selector)].concat().into(),
        code: if caller == callee.class { code } else { code.elsewhere() },
        parameters: ty.map_or(Vec::new(), |ty| parameters(&ty, is_static)),
        checks_receiver: !is_static && candidate.uses_receiver != Receiver::First,
        cast: casts.then(|| program.name(callee.class).into()),
        narrows: candidate.narrows.clone(),
        only,
        is_variant: is_variant(program, method),
    }
}

impl Plan {
    /// Adds calls of which the inference knows that they lead to one method. Only small bodies stand there, and those that use
    /// the receiver only if no cast is needed for that. O(calls).
    pub fn add_singles(&mut self, reach: &Reach<'_, '_>, singles: &[SingleCall], inlining: Inlining) {
        let program = reach.program;
        if !inlining.small {
            return;
        }
        let mut access = Access::new(reach, inlining.anywhere);
        let mut candidates: HashMap<Method, Option<Candidate>, FxBuildHasher> = HashMap::default();
        for &SingleCall { caller, at, target, is_seen } in singles {
            let flags = program.methods[target].flags;
            if flags.any(Flags::SYNCHRONIZED | Flags::NATIVE | Flags::ABSTRACT) {
                continue;
            }
            let candidate = candidates
                .entry(target)
                .or_insert_with(|| candidate(program, target, Reason::Small, inlining));
            let Some(candidate) = candidate else { continue };
            if !is_seen && candidate.uses_receiver != Receiver::Unused {
                continue;
            }
            let info = &program.methods[caller];
            let Some(widened) = access.allows(info.class, target, &candidate.code, None) else { continue };
            self.widen(widened);
            let inlinee = inlinee(program, info.class, (target, candidate), false, false);
            let name = [program.name(info.class), b".", program.text(info.selector)].concat();
            self.singles.entry(name.into()).or_default().push((at, inlinee));
        }
        self.singles.values_mut().for_each(|calls| calls.sort_unstable_by_key(|(at, _)| *at));
    }
}
