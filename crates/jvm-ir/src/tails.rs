//! Cross jumping, also called tail merging (Wulf et al., *The Design of an Optimizing Compiler*, 1975): equal ends of
//! code become one.
//!
//! Two places of a body are *alike* if what is done from there on is the same. Of several that are alike one stays, and
//! whoever would come to another one goes there. What is alike is found as values are numbered (`alike`): an instruction
//! and what follows it make a number. One jump in the place of a run of instructions pays if the run is longer, and a run to
//! which only jumps lead goes without one.
//!
//! This comes last, on instructions: to all that looks at values, two ways with a constant each say more than one way with
//! either.

mod alike;

use planish_classfile::code::CodeBody;
use planish_classfile::{Code, Insn, Opcode};
use planish_jvm_model::frames;
use planish_jvm_model::transfer::MethodInfo;
use planish_jvm_model::vtype::TypeContext;

use crate::lower::select::Outcome;
use crate::lower::tighten::tighten;
use crate::tails::alike::{Alike, is_jump};

/// How many rounds there are at most: handlers that are one let what they guard be alike.
const ROUNDS: u32 = 3;

/// About how many bytes a frame takes where there was no target.
const FRAME: u32 = 5;

/// The bytes of a jump.
const JUMP: u32 = 3;

/// Lets equal ends be one. Frames are dropped if anything changes, which is the answer. Bodies of which the types are not
/// known stay as they are, and so do damaged ones that go on behind their end. What may throw is equal only in one line of the
/// source where somebody sees `lines`.
pub fn share_tails(
    code: &mut Code,
    method: &MethodInfo<'_>,
    context: &mut TypeContext<'_>,
    lines: bool,
) -> Outcome<bool> {
    if !code.instructions.last().is_some_and(|last| last.op.ends_flow()) {
        return Ok(false);
    }
    let mut changed = false;
    for _ in 0..ROUNDS {
        let mut alike = Alike::by_instructions(code, lines);
        if !Plan::new(code, &alike).pays() {
            break;
        }
        let Ok(targets) = frames::infer(code, method, context) else { break };
        if !alike.tell_types_apart(code, &targets, method, context) {
            break;
        }
        let plan = Plan::new(code, &alike);
        if !plan.pays() {
            break;
        }
        let mut new = code.clone();
        plan.make(&mut new);
        tighten(&mut new)?;
        if new.instructions.len() >= code.instructions.len() {
            break;
        }
        *code = new;
        changed = true;
    }
    Ok(changed)
}

/// Which places stay, and where jumps take the place of what follows.
struct Plan {
    /// For each position the one that is alike and stays.
    stays: Vec<u32>,
    /// Positions that become jumps to what is alike and stays.
    cuts: Vec<u32>,
    /// Whether something goes to which only jumps led.
    drops: bool,
}

impl Plan {
    fn new(code: &Code, alike: &Alike) -> Plan {
        let stays = choose(code, alike);
        let count = code.instructions.len();
        let falls = |at: usize| !code.instructions[at].op.ends_flow();
        let mut plan = Plan { stays, cuts: Vec::new(), drops: false };
        if (0..count).all(|at| plan.stays[at] as usize == at) {
            return plan;
        }
        let mut is_target = vec![false; count];
        let targets = code.instructions.iter().flat_map(Insn::targets);
        targets
            .chain(code.handlers.iter().map(|handler| handler.target))
            .for_each(|at| is_target[at as usize] = true);
        let offsets = code.offsets();
        let mut at = 0;
        while at < count {
            let mut start = at;
            at += 1;
            if plan.stays[start] as usize == start {
                continue;
            }
            while at < count && falls(at - 1) && plan.stays[at] as usize != at {
                at += 1;
            }
            if start > 0 && !falls(start - 1) {
                plan.drops |= !is_jump(&code.instructions[start]);
                continue;
            }
            // What is not initialized is told by where it was made.
            while start < at && alike.has_new(start) {
                start += 1;
            }
            if at - start < 2 {
                continue;
            }
            let stays = plan.stays[start];
            let frame = if is_target[stays as usize] { 0 } else { FRAME };
            if offsets[at] - offsets[start] >= JUMP + frame {
                plan.cuts.push(start as u32);
            }
        }
        plan
    }

    /// Whether anything goes.
    fn pays(&self) -> bool {
        self.drops || !self.cuts.is_empty()
    }

    /// Makes the jumps. What nothing reaches then is still there.
    fn make(&self, code: &mut Code) {
        for target in code.instructions.iter_mut().flat_map(Insn::targets_mut) {
            *target = self.stays[*target as usize];
        }
        for handler in &mut code.handlers {
            handler.target = self.stays[handler.target as usize];
        }
        for &at in &self.cuts {
            code.instructions[at as usize] = Insn::jump(Opcode::Goto, self.stays[at as usize]);
        }
        code.attributes.retain(|attribute| !matches!(attribute.body, CodeBody::Frames(_)));
    }
}

/// For each position the one that stays of those that are alike: one behind which what stays goes on without a jump, else
/// the first.
fn choose(code: &Code, alike: &Alike) -> Vec<u32> {
    let count = code.instructions.len();
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); count];
    for at in 0..count as u32 {
        if !is_jump(&code.instructions[at as usize]) {
            members[alike.find(at) as usize].push(at);
        }
    }
    let mut chosen: Vec<u32> = (0..count as u32).collect();
    // What follows lies behind, mostly, so that it is known when it is asked for.
    for _ in 0..2 {
        for class in (0..count).rev() {
            let goes_on = |&&at: &&u32| {
                let next = at + 1;
                !code.instructions[at as usize].op.ends_flow() && chosen[alike.find(next) as usize] == next
            };
            if let Some(&best) = members[class].iter().find(goes_on).or(members[class].first()) {
                chosen[class] = best;
            }
        }
    }
    (0..count as u32).map(|at| chosen[alike.find(at) as usize]).collect()
}
