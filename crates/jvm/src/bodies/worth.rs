//! Profitability of a rewritten body: whether it is better than the old one. It is if it has fewer instructions that
//! cost few bytes elsewhere, or as many in fewer bytes, or as many of which fewer are executed, as far as loops say
//! that.

use planish_classfile::code::CodeBody;
use planish_classfile::indices::without_indices;
use planish_classfile::{Attribute, Code, Insn, Opcode, Operand};
use planish_jvm_analysis::boxes::Boxed;

use super::rewriter::{Before, Mark, Rewriter};
use crate::bodies::record::Did;
use crate::bodies::settled::{Holds, loads_the_same};
use crate::transform::compiled::stays_compiled;
use crate::transform::inline::{Expanded, MOST_BYTES};

/// How many bytes of exception table, frames and constants an instruction less may cost.
const BYTES_PER_INSTRUCTION: u64 = 4;

/// How many bytes a call of a variant is worth: its name is new to the class, and that of the method goes, mostly.
const BYTES_PER_VARIANT: u64 = 150;

/// How many instructions more a loop may have than the call that it was.
const INSTRUCTIONS_PER_LOOP: u64 = 4;

/// How many instructions more a body may have for a loop or branch that went into an arm: the jump back from there, and keeping what is
/// the same in every round, a store and a load.
const INSTRUCTIONS_PER_REGION: u64 = 3;

/// How many instructions more a body may have for each object that vanishes: making one runs its constructor.
const INSTRUCTIONS_PER_OBJECT: u64 = 4;

/// How many instructions more a call has that checks its receiver instead of handing it on.
const INSTRUCTIONS_PER_CHECK: u64 = 2;

/// How many bytes it is worth that a method goes: its name, its tables.
const BYTES_PER_METHOD: u64 = 60;

/// How many bytes a call is worth in whose place a body stands: the class need not name the method.
const BYTES_PER_CALL: u64 = 20;

/// How many bytes it is worth that a call names a more precise class: that and its method may be new to this one.
const BYTES_PER_PRECISE_CALL: u64 = 40;

/// How many bytes it is worth that a switch over an enum reads no table: that goes with its class, mostly.
const BYTES_PER_TABLE: u64 = 100;

/// How many bytes an instruction that goes elsewhere is worth.
const BYTES_PER_GONE: u64 = 6;

impl Rewriter<'_, '_> {
    /// The content of the attribute of a new body if that is better than the old one; else how far it holds that it
    /// is not.
    pub(super) fn worth(
        &self,
        made: &Code,
        before: &Before<'_>,
        attempt: &Expanded,
        did: Did,
        mark: Mark,
    ) -> Result<Vec<u8>, Holds> {
        let new = (made.instructions.len() as u64, made.byte_len() as u64);
        let mut content = Vec::new();
        made.write(&mut content).map_err(|_| Holds::Here)?;
        let added = self.class.pool.added_since(mark.pool) + self.bootstraps.added_since(mark.bootstraps);
        let size = content.len() as u64 - variables_size(made);
        let Expanded { goes, methods, redirected, precise, classes, .. } = *attempt;
        let saved = (before.instructions + goes).saturating_sub(new.0);
        // What is computed on fewer paths, goes elsewhere, stands there instead of a call, is called for sure, or leaves nobody
        // who calls the method of a variant may take as many instructions.
        let as_good = goes > 0 || did.moved > 0 || attempt.bodies > 0 || precise + classes + redirected > 0;
        let old = (before.instructions, before.bytes);
        let loops = for_loops(did);
        let runs_less = || new <= old && executed(made) < executed(&before.code);
        let more = may_have_more(attempt) + loops;
        let is_better = if as_good || loops > 0 { new.0 <= old.0 + more } else { new < old || runs_less() };
        let vanished = self.allocations(made) + attempt.objects <= self.allocations(&attempt.code);
        if attempt.objects > 0 && !vanished {
            return Err(Holds::Everywhere);
        }
        let is_plain = attempt.bodies + attempt.redirected.min(1) + attempt.precise == 0;
        let fits = match is_plain {
            true => stays_compiled(before.code.byte_len(), made.byte_len()),
            false => new.1 <= old.1.max(MOST_BYTES as u64),
        };
        let worth = saved * BYTES_PER_INSTRUCTION
            + goes * BYTES_PER_GONE
            + methods * BYTES_PER_METHOD
            + redirected * BYTES_PER_VARIANT
            + precise * BYTES_PER_PRECISE_CALL
            + attempt.bodies * BYTES_PER_CALL
            + did.ordinals * BYTES_PER_TABLE
            + did.recipes;
        // What the bodies named that let objects vanish is gone, mostly.
        let pays = did.moved + did.loops > 0
            || size + added <= before.content + worth
            || attempt.objects > 0 && size + self.needed(&content, before, mark) <= before.content + worth;
        // Bodies that are as they are said to be may be written whatever they are worth.
        let chosen = match self.optimizer.chaos() {
            Some(chaos) => chaos.about((before.shown, new)).below(2) == 0,
            None => is_better && pays,
        };
        if chosen && fits {
            return Ok(content);
        }
        // More instructions are more with any constants.
        let is_longer = new.0 > old.0 + more;
        let costs_nothing_else = added == 0 && loads_the_same(made, &before.code);
        Err(if is_longer || costs_nothing_else { Holds::Everywhere } else { Holds::Here })
    }

    /// The bytes of the constants that are new since a mark, as far as the attribute of a body needs them.
    fn needed(&self, content: &[u8], before: &Before<'_>, mark: Mark) -> u64 {
        let pool = &self.class.pool;
        let bootstraps = self.bootstraps.added_since(mark.bootstraps);
        let attribute = Attribute { name: before.attribute, offset: 0, content: content.into() };
        let constants = match without_indices(&attribute, pool) {
            Ok(Some((_, indices))) => pool.needed_since(mark.pool, indices),
            _ => pool.added_since(mark.pool),
        };
        constants + bootstraps
    }

    /// How many instructions of a body make objects, arrays, boxes or lambdas.
    fn allocations(&self, code: &Code) -> u64 {
        let makes = |insn: &&Insn| match (insn.op, &insn.operand) {
            (Opcode::New | Opcode::Newarray | Opcode::Anewarray | Opcode::Invokedynamic, _) => true,
            (Opcode::Invokestatic, &Operand::Constant(index)) => {
                let called = self.class.pool.member(index);
                called.is_ok_and(|member| Boxed::made_by(insn.op, &member).is_some())
            }
            _ => false,
        };
        code.instructions.iter().filter(makes).count() as u64
    }
}

/// How many instructions more a body may have for what an attempt put in it. Of a variant it is as many as that has: what is
/// left of a method for some constants was made to stand there, and the call is saved. One is for all calls of variants together: as
/// long as one caller is left behind, what it calls is there twice.
pub(super) fn may_have_more(attempt: &Expanded) -> u64 {
    let calls = attempt.redirected.min(1);
    let checks = attempt.checks * INSTRUCTIONS_PER_CHECK;
    attempt.goes
        + attempt.variants
        + attempt.classes
        + calls
        + checks
        + attempt.objects * INSTRUCTIONS_PER_OBJECT
}

/// How many instructions more a body may have for loops that were made, and for regions that moved.
pub(super) fn for_loops(did: Did) -> u64 {
    did.loops * INSTRUCTIONS_PER_LOOP + did.regions * INSTRUCTIONS_PER_REGION
}

/// Whether a body is what it was before, and not for what it does on fewer paths or in a loop.
pub(super) fn is_as_before(made: &Code, before: &Before<'_>, did: Did) -> bool {
    did.moved + did.loops == 0
        && made.instructions.len() as u64 == before.instructions
        && made.instructions == before.code.instructions
        && made.handlers == before.code.handlers
}

/// How often a loop is taken to run whenever it is entered.
const ROUNDS: u64 = 8;

/// How deep loops count.
const DEEPEST: i32 = 6;

/// Whether a body jumps back.
pub(super) fn has_loops(code: &Code) -> bool {
    (0..).zip(&code.instructions).any(|(at, instruction)| instruction.targets().any(|to| to <= at))
}

/// How many instructions a body executes, if each is executed once and those of a loop [`ROUNDS`] times whenever the
/// loop is entered. A jump back means a loop over everything between.
pub(super) fn executed(code: &Code) -> u64 {
    let mut deeper = vec![0i32; code.instructions.len() + 1];
    let mut starts: Vec<(u32, u32)> = Vec::new();
    for (at, instruction) in (0..).zip(&code.instructions) {
        starts.extend(instruction.targets().filter(|&to| to <= at).map(|to| (to, at)));
    }
    starts.sort_unstable();
    // Of several ways back to one start, the last one ends the loop.
    for (place, &(start, end)) in starts.iter().enumerate() {
        if starts.get(place + 1).is_none_or(|next| next.0 != start) {
            deeper[start as usize] += 1;
            deeper[end as usize + 1] -= 1;
        }
    }
    let mut depth = 0;
    let counts = deeper[..code.instructions.len()].iter().map(|change| {
        depth += change;
        ROUNDS.pow(depth.clamp(0, DEEPEST) as u32)
    });
    counts.sum()
}

/// The bytes that the tables of variables of a body take. They do not count when bodies are compared: a variable
/// whose value moves from slot to slot takes several rows.
pub(super) fn variables_size(code: &Code) -> u64 {
    let tables = code.attributes.iter().map(|attribute| match &attribute.body {
        CodeBody::Locals(list, _) => 8 + 10 * list.len() as u64,
        _ => 0,
    });
    tables.sum()
}
