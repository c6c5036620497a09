//! Attempts at a better body: with bodies in the place of calls and calls of variants, with fewer of them, with none.
//!
//! The first one that is better stays. What was tried at the body alone is not tried again.

use planish_classfile::{Code, Opcode, Operand};
use planish_jvm_analysis::infer::MethodFacts;
use planish_pass::{Became, Leave};

use super::passes::CALL_REPLACEMENT;
use super::record::{Broken, Story};
use super::rewriter::{Before, Failure, Fate, Mark, Rewriter};
use super::settled::Holds;
use super::steps::STEPS;
use super::worth::may_have_more;
use super::written_out;
use crate::transform::inline::origins::Renumber;
use crate::transform::inline::{Expanded, Share};

/// What the attempts at a body have shown so far.
struct Attempts {
    /// What a class has besides bodies, to which each attempt goes back.
    mark: Mark,
    /// How many bodies were put in the place of calls last.
    tried: Option<u64>,
    /// How many there are if all are.
    all: u64,
    /// Whether some of them may pay where all together do not.
    pays_in_part: bool,
    /// How far it holds that no attempt with something in the place of calls is better, and none without.
    expanded: Holds,
    alone: Option<Holds>,
}

impl Attempts {
    /// Whether an attempt can show nothing new.
    fn skips(&self, share: Option<Share>) -> bool {
        share == Some(Share::Once) && !self.pays_in_part || share.is_none() && self.alone.is_some()
    }

    /// How far it holds that attempts of a kind are not better.
    fn holds(&mut self, share: Option<Share>) -> &mut Holds {
        match share {
            Some(_) => &mut self.expanded,
            None => self.alone.get_or_insert(Holds::Everywhere),
        }
    }

    /// Takes note of an attempt. Whether it is worth to be made: it is not the same as one before, or as what comes next.
    fn begin(&mut self, share: Option<Share>, attempt: &Expanded) -> bool {
        match share {
            Some(Share::All) => self.all = attempt.bodies,
            Some(Share::Straight) if attempt.bodies == self.all || attempt.bodies == 0 => return false,
            _ => {}
        }
        if share.is_some_and(|share| share != Share::Vanishing) {
            self.tried = Some(attempt.bodies);
        }
        self.pays_in_part = attempt.bodies > 1 && attempt.methods > 0;
        true
    }

    /// That no attempt was better.
    fn none_better(self) -> Fate {
        let alone = self.alone.unwrap_or(Holds::Everywhere);
        Fate::AsGood(self.expanded.max(alone), alone)
    }
}

impl Rewriter<'_, '_> {
    /// Looks for a better body of a method: with bodies in the place of calls and calls of variants, with fewer bodies (of
    /// methods called once, or without jumps), with variants alone, with neither.
    pub(super) fn better(
        &mut self,
        index: usize,
        before: &Before<'_>,
        story: &mut Story,
        after: &mut (u64, u64),
    ) -> Fate {
        let mut attempts = Attempts {
            mark: self.mark(),
            tried: None,
            all: 0,
            pays_in_part: false,
            expanded: Holds::Everywhere,
            alone: before.alone,
        };
        for share in self.shares(before) {
            if attempts.skips(share) {
                continue;
            }
            attempts.holds(share);
            if let Some(attempt) = self.expanded(share, before, &mut attempts)
                && attempts.begin(share, &attempt)
                && let Some(fate) =
                    self.attempt((index, before), (share, &attempt), &mut attempts, story, after)
            {
                return fate;
            }
            self.undo_to(attempts.mark);
        }
        attempts.none_better()
    }

    /// What is tried, in order.
    fn shares(&self, before: &Before<'_>) -> impl Iterator<Item = Option<Share>> + use<> {
        // The body in the place of a call would have to compute what is known already.
        let target = &before.target;
        let facts = self.known.facts.of(target.class, target.name, target.descriptor);
        let calls_ahead = facts.is_some_and(MethodFacts::calls_ahead) || self.runs_ahead(&before.code);
        let plain_first = calls_ahead.then_some(None);
        let vanishing = self.known.plan.trial(before.full_name).map(|_| Some(Share::Vanishing));
        let shares =
            [Some(Share::All), Some(Share::Once), Some(Share::Straight), Some(Share::Variants), None];
        plain_first.into_iter().chain(vanishing).chain(shares)
    }

    /// The body with a share of the calls replaced, if it can be made and may be.
    fn expanded(
        &mut self,
        share: Option<Share>,
        before: &Before<'_>,
        attempts: &mut Attempts,
    ) -> Option<Expanded> {
        let Some(share) = share else { return Some(Expanded::plain(before.code.clone())) };
        let known = self.known;
        let (class, tables) = (before.target.class, (&mut self.class.pool, &mut self.bootstraps));
        let (method, major) = (before.full_name, self.class.major);
        let renumber = known.origins.as_ref().zip(self.origins.as_mut());
        let renumber = renumber.map(|(known, own)| Renumber { known, own, method });
        let expanded = known.plan.expand(
            share,
            [class, method],
            (&before.code, major),
            (&known.variants, &known.facts.precise),
            tables,
            renumber,
        );
        match expanded? {
            Ok(expanded) if attempts.tried != Some(0) && self.may_replace(&expanded) => Some(expanded),
            Ok(_) => None,
            Err(_) => {
                attempts.expanded = Holds::Here;
                None
            }
        }
    }

    /// Makes a body of an attempt, with its loops written out where that may pay, and without. What becomes of the method, if
    /// that is known then.
    fn attempt(
        &mut self,
        (index, before): (usize, &Before<'_>),
        (share, attempt): (Option<Share>, &Expanded),
        attempts: &mut Attempts,
        story: &mut Story,
        after: &mut (u64, u64),
    ) -> Option<Fate> {
        let is_plain = attempt.bodies + attempt.redirected + attempt.precise == 0;
        let inner = self.mark();
        for &writes_out in written_out::ways(&attempt.code) {
            self.writes_out = writes_out;
            let first = self.report.optimized;
            match self.rewrite(&attempt.code, before, (is_plain, STEPS), Some(may_have_more(attempt))) {
                Ok((code, did)) => match self.worth(&code, before, attempt, did, attempts.mark) {
                    Ok(content) => {
                        story.optimized = first..self.report.optimized;
                        if let Err(fate) = self.accept((before, is_plain), attempt, attempts.mark) {
                            return Some(fate);
                        }
                        *after = (code.instructions.len() as u64, code.byte_len() as u64);
                        story.did = did;
                        story.replaced = attempt.replaced.clone();
                        self.class.methods[index].attributes[before.place].content = content.into();
                        return Some(Fate::Improved);
                    }
                    Err(Holds::Here) => *attempts.holds(share) = Holds::Here,
                    Err(Holds::Everywhere) => {}
                },
                Err(Failure::Cannot(why)) if is_plain && !self.writes_out => {
                    self.undo_to(attempts.mark);
                    return Some(Fate::Copied(why));
                }
                Err(Failure::Cannot(_)) => *attempts.holds(share) = Holds::Here,
                Err(Failure::Longer) => {}
                Err(Failure::Same) => {
                    let added = self.bootstraps.added_since(attempts.mark.bootstraps);
                    if added + self.class.pool.added_since(attempts.mark.pool) > 0 {
                        *attempts.holds(share) = Holds::Here;
                    }
                }
                Err(Failure::Wrong(step, why)) => {
                    self.undo_to(attempts.mark);
                    let step = step.unwrap_or_else(|| self.culprit(before, is_plain));
                    return Some(self.pin(before, step, why));
                }
            }
            self.undo_to(inner);
            // There are no loops to be written out: without them the body is the same.
            if writes_out && !self.writes_out {
                break;
            }
        }
        None
    }

    /// Takes a body that is better, unless it turns out to do something else: then the method is pinned.
    fn accept(
        &mut self,
        (before, is_plain): (&Before<'_>, bool),
        attempt: &Expanded,
        mark: Mark,
    ) -> Result<(), Fate> {
        if let Err((step, why)) = self.compared(&attempt.code, before, is_plain) {
            self.undo_to(mark);
            return Err(self.pin(before, step, why));
        }
        self.report.inlined += attempt.bodies;
        self.report.redirected += attempt.redirected;
        self.report.precise += attempt.precise;
        Ok(())
    }

    /// Reports the step that made a mistake.
    fn pin(&mut self, before: &Before<'_>, step: &'static str, why: String) -> Fate {
        self.report.broken.push(Broken::new(before.full_name, step, why));
        Fate::Pinned
    }

    /// Asks whether what an attempt has in the place of calls may be there. All of it is tried together.
    fn may_replace(&mut self, attempt: &Expanded) -> bool {
        let count = attempt.bodies + attempt.redirected + attempt.precise;
        let mut leave = Leave::new(self.optimizer.record(), &CALL_REPLACEMENT);
        count == 0 || leave.rewrite_together(count as usize, Became::Changed)
    }

    /// Whether a body calls, with a constant, a method that may be run ahead of time.
    fn runs_ahead(&self, code: &Code) -> bool {
        let (names, pool) = (&self.names, &self.class.pool);
        code.instructions.windows(2).any(|pair| {
            let is_constant = (Opcode::IconstM1..=Opcode::Ldc2W).contains(&pair[0].op);
            let &Operand::Constant(index) = &pair[1].operand else { return false };
            is_constant
                && pair[1].op == Opcode::Invokestatic
                && pool.member(index).is_ok_and(|member| names.runs(&member))
        })
    }
}
