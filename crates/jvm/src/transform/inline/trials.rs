//! Trial inlining (Dean and Chambers, LFP 1994): bodies are tried in the place of calls where objects may be
//! scalar-replaced by that.
//!
//! The inference says which calls an object would have to lose ([`VanishingObject`]). Here it is seen whether bodies may
//! stand there, as for any other call; all that an object needs, or none. Whoever rewrites the calling method tries them
//! together, and keeps what comes of it if so many objects are gone and the method is hardly longer than it was: so
//! such a body may be longer than one that stands in the place of every call.

use hashbrown::HashMap;
use planish_classfile::{Code, ConstantPool, Flags, Opcode};
use planish_jvm_analysis::infer::vanishing::VanishingObject;
use planish_jvm_analysis::precise::SingleCall;
use planish_jvm_analysis::pure::initializes;
use planish_jvm_analysis::reach::Reach;
use planish_jvm_ir::code::bare_body;
use planish_jvm_model::program::{Method, Program};
use planish_jvm_model::visibility::is_linked;
use rustc_hash::FxBuildHasher;

use crate::transform::inline::access::{Access, Widened};
use crate::transform::inline::candidate::{Candidate, Reason, Receiver, candidate};
use crate::transform::inline::plan::{Inlinee, Inlining, Plan, Trial, called};
use crate::transform::inline::planner::inlinee;

/// How many instructions all bodies that one method tries may have.
const MOST_TOGETHER: usize = 200;

/// Looks at what objects need.
struct Trials<'r, 'p, 'a> {
    program: &'p Program<'a>,
    access: Access<'r, 'p, 'a>,
    candidates: HashMap<Method, Option<Candidate>, FxBuildHasher>,
    inlining: Inlining,
}

/// A call in whose place a body may stand.
struct Tried {
    at: u32,
    inlinee: Inlinee,
    /// What is to be visible for it.
    widened: Vec<Widened>,
}

impl Plan {
    /// Adds what methods are to try for these objects, which come by method. O(calls, and instructions of the methods).
    pub fn add_trials(&mut self, reach: &Reach<'_, '_>, objects: &[VanishingObject], inlining: Inlining) {
        if !inlining.small {
            return;
        }
        let program = reach.program;
        let access = Access::new(reach, inlining.anywhere);
        let mut trials = Trials { program, access, candidates: HashMap::default(), inlining };
        for of_one in objects.chunk_by(|one, other| one.caller == other.caller) {
            let caller = of_one[0].caller;
            let Some(code) = bare_body(program, caller) else { continue };
            let info = &program.methods[caller];
            let pool = &program.classes[info.class].file.pool;
            let name = [program.name(info.class), b".", program.text(info.selector)].concat();
            let mut trial = Trial::default();
            let mut room = inlining.bound("bodies that are tried", MOST_TOGETHER);
            for object in of_one {
                // Where another body stands anyway, none is tried.
                let is_new = |call: &&SingleCall| {
                    let planned = || {
                        let instruction = code.instructions.get(call.at as usize)?;
                        let member = called(instruction, pool)?;
                        self.inlinee(program.name(info.class), instruction.op, &member)
                    };
                    let singles = self.singles(&name);
                    planned().is_none() && singles.binary_search_by_key(&call.at, |(at, _)| *at).is_err()
                };
                let wanted = object.calls.iter().filter(is_new);
                let tried: Option<Vec<Tried>> = wanted.map(|call| trials.body(call, (&code, pool))).collect();
                let Some(tried) = tried.filter(|tried| !tried.is_empty()) else { continue };
                let is_known = |at: u32, trial: &Trial| trial.calls.iter().any(|(known, _)| *known == at);
                let more = tried.iter().filter(|tried| !is_known(tried.at, &trial));
                let length: usize = more.map(|tried| tried.inlinee.code.len()).sum();
                if length > room {
                    continue;
                }
                room -= length;
                trial.objects += 1;
                for Tried { at, inlinee, widened } in tried {
                    if !is_known(at, &trial) {
                        self.widen(widened);
                        trial.calls.push((at, inlinee));
                    }
                }
            }
            if trial.objects > 0 {
                trial.calls.sort_unstable_by_key(|(at, _)| *at);
                self.trials.insert(name.into(), trial);
            }
        }
    }
}

impl Trials<'_, '_, '_> {
    /// The body for a call, if it may stand there.
    fn body(&mut self, call: &SingleCall, (code, pool): (&Code, &ConstantPool<'_>)) -> Option<Tried> {
        let program = self.program;
        let &SingleCall { caller, at, target, is_seen } = call;
        let (class, info) = (program.methods[caller].class, &program.methods[target]);
        let instruction = code.instructions.get(at as usize)?;
        let member = called(instruction, pool)?;
        let id = program.hierarchy.lookup(member.class)?;
        let selector = program.selector(&[member.name, member.descriptor].concat())?;
        if info.selector != selector
            || (instruction.op == Opcode::Invokestatic) != info.flags.has(Flags::STATIC)
        {
            return None;
        }
        let found = program.resolve_method(id, selector);
        let linked = |named| is_linked(program, class, (instruction.op, member.kind), (named, found));
        if !program.class(id).is_none_or(linked) {
            return None;
        }
        let begins = info.flags.has(Flags::STATIC)
            && initializes(program, info.class)
            && !program.classes[class].supertypes.contains(&program.classes[info.class].id);
        if begins {
            return None;
        }
        let inlining = self.inlining;
        let candidate = self
            .candidates
            .entry(target)
            .or_insert_with(|| candidate(program, target, Reason::Vanishing, inlining))
            .as_ref()?;
        let casts = !is_seen && candidate.uses_receiver != Receiver::Unused;
        let cast = casts.then(|| program.name(info.class));
        let widened = self.access.allows(class, target, &candidate.code, cast)?;
        let inlinee = inlinee(program, class, (target, candidate), casts, false);
        Some(Tried { at, inlinee, widened })
    }
}
