//! Inlining of bytecode (Muchnick 1997, 15.2) before lifting: method bodies in the place of calls.
//!
//! A call is replaced if it can lead to one body only, if that body may stand in the calling class, and
//! if the program gets smaller: the body is hardly longer than the call, or this is the only call and the
//! method goes. Whether a virtual call leads to one body is rapid type analysis ([`dispatch`]); a body with
//! calls that are to be replaced themselves waits for the next round, so chains go from the inside out and
//! recursion stays.
//!
//! What a call does besides running the body is kept: a receiver is checked for null unless the body
//! begins by using it, and static methods are inlined only where their class has nothing to
//! initialize, or is initialized already.
//!
//! - [`portable`]: bodies without a pool; [`site`]: their call sites of `invokedynamic`.
//! - [`expand`]: putting them in.
//! - [`origins`]: where lines of inlined code are from.
//! - [`candidate`]: which bodies may stand in the place of calls; [`access`]: in which classes.
//! - [`left`]: calls of variants that stay.
//! - `planner`: which calls are replaced; `trials`: which are so if an object vanishes by that.
//!
//! [`dispatch`]: planish_jvm_analysis::dispatch

pub mod access;
pub mod candidate;
pub mod expand;
pub mod left;
pub mod origins;
pub mod plan;
mod planner;
pub mod portable;
pub mod site;
mod trials;

use std::sync::Arc;

use hashbrown::HashSet;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{Code, ConstantPool, MemberRef, Opcode};
use planish_jvm_analysis::precise::PreciseCalls;
use planish_jvm_analysis::reach::Reach;
use planish_jvm_analysis::variant::VariantCall;
use planish_jvm_analysis::wanted::Variants;
use planish_jvm_ir::shape::depths;
use planish_jvm_model::bootstraps::Bootstraps;
use rustc_hash::FxBuildHasher;

use crate::transform::inline::access::{Visible, Widened};
use crate::transform::inline::expand::{Expansion, Stand};
use crate::transform::inline::origins::Renumber;
use crate::transform::inline::plan::{Initializing, Inlinee, Inlining, Plan, Trial, called, key};
use crate::transform::inline::planner::Planner;

/// The most bytes of code that inlining may make of a method: JVMs do not compile larger ones (8,000).
pub const MOST_BYTES: usize = 7_000;

/// About how many bytes an instruction takes.
const BYTES_PER_INSTRUCTION: usize = 2;

/// About how many bytes a call takes with its arguments.
const BYTES_PER_CALL: usize = 4;

/// A body with bodies in it.
pub struct Expanded {
    /// The body.
    pub code: Code,
    /// The number of instructions that go elsewhere for it.
    pub goes: u64,
    /// The number of calls in whose place bodies are.
    pub bodies: u64,
    /// How many instructions those have that are bodies of variants.
    pub variants: u64,
    /// The number of methods that have no other call, and so go.
    pub methods: u64,
    /// The number of calls that lead to variants now.
    pub redirected: u64,
    /// The number of calls that name a more precise class now.
    pub precise: u64,
    /// The number of receivers that calls of variants check instead of handing them on.
    pub checks: u64,
    /// The number of arguments that variants take by their class: some may have to be cast.
    pub classes: u64,
    /// The number of objects that are to vanish: if they do not, the body is of no use.
    pub objects: u64,
    /// What was replaced, in the order of the calls.
    pub replaced: Vec<Replaced>,
}

impl Expanded {
    /// What is to stand in the place of calls of a body, counted and listed; the body is still to be made.
    fn counting(calls: &[Expansion<'_>], code: &Code, pool: &ConstantPool<'_>) -> Option<Self> {
        let mut made = Expanded::plain(Code::default());
        for call in calls {
            let (by, how) = match call.stand {
                Stand::Body(inlinee) => {
                    made.bodies += 1;
                    made.variants += if inlinee.is_variant { inlinee.code.len() as u64 } else { 0 };
                    made.methods += u64::from(inlinee.only);
                    made.goes += if inlinee.only { inlinee.code.len() as u64 + 1 } else { 0 };
                    (inlinee.method.clone(), Replacement::Body)
                }
                Stand::Variant(VariantCall { variant, loss, .. }) => {
                    made.redirected += 1;
                    made.checks += u64::from(loss.checks);
                    made.classes += variant.classes();
                    (variant.full_name(), Replacement::Variant)
                }
                Stand::Precise(call) => {
                    made.precise += 1;
                    (call.full_name(), Replacement::Precise)
                }
            };
            let instruction = &code.instructions[call.at];
            let member = called(instruction, pool)?;
            let call = [member.class, b".", member.name, member.descriptor].concat().into();
            made.replaced.push(Replaced { op: instruction.op, call, by, how });
        }
        Some(made)
    }

    /// A body as it is.
    pub(crate) fn plain(code: Code) -> Self {
        Expanded {
            code,
            goes: 0,
            bodies: 0,
            variants: 0,
            methods: 0,
            redirected: 0,
            precise: 0,
            checks: 0,
            classes: 0,
            objects: 0,
            replaced: Vec::new(),
        }
    }
}

/// A call that is no more what it was.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Replaced {
    /// The instruction that called.
    pub op: Opcode,
    /// The method that it named: class, name and descriptor.
    pub call: Box<[u8]>,
    /// The method whose body stands there now, or that is called: a variant, or by the name of a more precise class.
    pub by: Box<[u8]>,
    /// What stands there now.
    pub how: Replacement,
}

/// What may stand in the place of a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replacement {
    /// A body.
    Body,
    /// The call of a variant.
    Variant,
    /// The same call, naming a more precise class.
    Precise,
}

/// How many of the bodies of a plan one method is to take.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Share {
    /// As [`Share::All`], and those that are tried since objects may vanish by that.
    Vanishing,
    /// As many as fit into what JVMs compile, those first that are called once, then the shorter ones.
    All,
    /// Those that are called once, or the shorter half of them if all are: they pay most often.
    Once,
    /// Those without jumps: what surrounds a call may stay on the stack meanwhile.
    Straight,
    /// None: variants only.
    Variants,
}

impl Share {
    /// Leaves the bodies that a method takes which has so many bytes of code without them.
    fn choose(self, bodies: &mut Vec<(usize, &Inlinee)>, bytes: usize) {
        match self {
            Share::Variants => bodies.clear(),
            Share::Straight => bodies.retain(|(_, inlinee)| !inlinee.code.jumps()),
            Share::Vanishing | Share::All | Share::Once => {}
        }
        let size = |inlinee: &Inlinee| inlinee.code.len() * BYTES_PER_INSTRUCTION;
        if bytes + bodies.iter().map(|(_, inlinee)| size(inlinee)).sum::<usize>() > MOST_BYTES {
            bodies.sort_by_key(|&(at, inlinee)| (!inlinee.only, inlinee.code.len(), at));
            let mut room = MOST_BYTES.saturating_sub(bytes);
            bodies.retain(|&(_, inlinee)| {
                let size = size(inlinee).saturating_sub(BYTES_PER_CALL);
                let fits = size <= room;
                room -= if fits { size } else { 0 };
                fits
            });
        }
        if self == Share::Once && bodies.iter().all(|(_, inlinee)| inlinee.only) {
            bodies.sort_by_key(|&(at, inlinee)| (inlinee.code.len(), at));
            bodies.truncate(bodies.len() / 2);
        } else if self == Share::Once {
            bodies.retain(|(_, inlinee)| inlinee.only);
        }
    }
}

impl Plan {
    /// Whether nothing is to be done.
    pub fn is_empty(&self) -> bool {
        self.calls.is_empty() && self.singles.is_empty() && self.trials.is_empty()
    }

    /// The calls of a method of which more is known than they say, in ascending order, and what stands in their place.
    pub(crate) fn singles(&self, method: &[u8]) -> &[(u32, Inlinee)] {
        match self.singles.is_empty() {
            true => &[],
            false => self.singles.get(method).map_or(&[], Vec::as_slice),
        }
    }

    /// What a method tries.
    pub(crate) fn trial(&self, method: &[u8]) -> Option<&Trial> {
        match self.trials.is_empty() {
            true => None,
            false => self.trials.get(method),
        }
    }

    /// Calls of these methods, by class, name and descriptor, get an object of the class that has them. It has no initializer
    /// in the program, so that one is there means that it is initialized.
    pub fn get_instances(&mut self, methods: &HashSet<Box<[u8]>, FxBuildHasher>) {
        for Initializing { key, inlinee, widened } in std::mem::take(&mut self.initializing) {
            if methods.contains(&inlinee.method) {
                self.calls.entry(key).or_insert(inlinee);
                self.widen(widened);
            }
        }
    }

    /// This method is copied, and stays: what only it called, both call now.
    pub fn copies(&mut self, method: &[u8]) {
        for key in self.only.remove(method).unwrap_or_default() {
            self.calls.remove(&key);
        }
    }

    fn widen(&mut self, widened: Vec<Widened>) {
        for (what, from) in widened {
            let known = self.widened.entry(what).or_insert(from);
            *known = from.max(*known);
        }
    }

    /// From where a member has to be visible that was not.
    pub fn widens(&self, class: &[u8], name: &[u8], descriptor: &[u8]) -> Option<Visible> {
        match self.widened.is_empty() {
            true => None,
            false => self.widened.get(&[class, b".", name, descriptor].concat()[..]).copied(),
        }
    }

    /// From where a class has to be visible that was not.
    pub fn widens_class(&self, class: &[u8]) -> Option<Visible> {
        self.widened.get(class).copied()
    }

    /// The body that stands in the place of calls of a method from a class, if it is in the plan.
    pub(crate) fn inlinee(&self, caller: &[u8], op: Opcode, member: &MemberRef<'_>) -> Option<&Inlinee> {
        match self.calls.is_empty() {
            true => None,
            false => self.calls.get(&key(caller, op, member)).map(Arc::as_ref),
        }
    }

    /// The body of a method with bodies that the plan has for its calls, as many as there is `share` for, calls of
    /// variants where those are wanted, and calls that name more precise classes. Nothing if there is none of these. With the
    /// body comes the version of its class.
    pub fn expand(
        &self,
        share: Share,
        [class, method]: [&[u8]; 2],
        (code, major): (&Code, u16),
        (variants, precise): (&Variants, &PreciseCalls),
        (pool, bootstraps): (&mut ConstantPool<'_>, &mut Bootstraps),
        renumber: Option<Renumber<'_>>,
    ) -> Option<Result<Expanded, String>> {
        let (variants, precise) = (variants.of(method), precise.of(method));
        if self.is_empty() && variants.is_empty() && precise.is_empty() {
            return None;
        }
        let trial = self.trial(method).filter(|_| share == Share::Vanishing);
        let tried = trial.map_or(&[][..], |trial| &trial.calls);
        let mut bodies = self.bodies([class, method], (code, major), tried, pool)?;
        share.choose(&mut bodies, code.byte_len());
        let mut calls: Vec<Expansion<'_>> = Vec::new();
        let others = !(variants.is_empty() && precise.is_empty());
        for (at, instruction) in code.instructions.iter().enumerate().filter(|_| others) {
            if called(instruction, pool).is_none() {
                continue;
            }
            let wanted = variants.binary_search_by_key(&(at as u32), |(at, _)| *at);
            let known = precise.binary_search_by_key(&(at as u32), |(at, _)| *at);
            let stand = match (wanted, known) {
                (Ok(place), _) => Some(Stand::Variant(&variants[place].1)),
                (_, Ok(place)) => Some(Stand::Precise(&precise[place].1)),
                _ => None,
            };
            calls.extend(stand.map(|stand| Expansion { at, stand }));
        }
        calls.retain(|call| bodies.binary_search_by_key(&call.at, |&(at, _)| at).is_err());
        calls.extend(bodies.into_iter().map(|(at, inlinee)| Expansion { at, stand: Stand::Body(inlinee) }));
        calls.sort_by_key(|call| call.at);
        if calls.is_empty() {
            return None;
        }
        let mut expanded = Expanded::counting(&calls, code, pool)?;
        expanded.objects = trial.map_or(0, |trial| trial.objects);
        let made = expand::expand(code, &calls, (pool, bootstraps), renumber);
        Some(made.map(|code| Expanded { code, ..expanded }))
    }

    /// The calls of a body in whose place others may stand, and those, in order. `tried` are bodies that are only for a trial.
    fn bodies<'s>(
        &'s self,
        [class, method]: [&[u8]; 2],
        (code, major): (&Code, u16),
        tried: &'s [(u32, Inlinee)],
        pool: &ConstantPool<'_>,
    ) -> Option<Vec<(usize, &'s Inlinee)>> {
        let singles = self.singles(method);
        let mut depth_at: Option<Vec<Option<u16>>> = None;
        let mut bodies = Vec::new();
        for (at, instruction) in code.instructions.iter().enumerate() {
            let Some(member) = called(instruction, pool) else { continue };
            let inlinee = self.calls.get(&key(class, instruction.op, &member)).map(Arc::as_ref);
            let single = singles.binary_search_by_key(&(at as u32), |(at, _)| *at);
            let may_vanish = tried.binary_search_by_key(&(at as u32), |(at, _)| *at);
            let inlinee = inlinee.or(single.ok().map(|place| &singles[place].1));
            let inlinee = inlinee.or(may_vanish.ok().map(|place| &tried[place].1));
            let Some(inlinee) = inlinee.filter(|inlinee| *inlinee.method != *method) else { continue };
            let arguments: u16 = MethodType::parse(member.descriptor)?.parameter_slots()
                + u16::from(instruction.op != Opcode::Invokestatic);
            let below = depth_at.get_or_insert_with(|| depths(code, pool))[at]?.checked_sub(arguments)?;
            if below == 0 || !(inlinee.code.has_handlers() || major < 50 && inlinee.code.has_loops()) {
                bodies.push((at, inlinee));
            }
        }
        Some(bodies)
    }

    /// Finds the calls of a program that are to be replaced. Bodies that are as good as they get are not waited for.
    /// O(instructions).
    pub fn of(reach: &Reach<'_, '_>, is_settled: &dyn Fn(&[u8]) -> bool, inlining: Inlining) -> Plan {
        Planner::new(reach).plan(is_settled, inlining)
    }
}
