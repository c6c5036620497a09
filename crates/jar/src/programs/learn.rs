//! What is found out about a program, for the rewriting of its bodies.

use std::sync::Arc;

use planish_base::threads::beside;
use planish_jvm::transform::enum_switches::EnumSwitches;
use planish_jvm::transform::inline::left::calls_left;
use planish_jvm::transform::inline::plan::Plan;
use planish_jvm::transform::recursions::nobody_counts_frames;
use planish_jvm::transform::texts::nobody_asks_for_capacity;
use planish_jvm_analysis::assumed_values::AssumedValues;
use planish_jvm_analysis::constructors::Constructors;
use planish_jvm_analysis::infer::{Facts, infer};
use planish_jvm_analysis::pure::PureMethods;
use planish_jvm_analysis::reach::Reach;
use planish_jvm_analysis::wanted::Wanted;

use crate::optimizations::{PARAMETERS, STATIC_METHODS, TAIL_RECURSION, VALUES, WRITE_ONLY, allows};
use crate::programs::outcome::ShrinkOutcome;
use crate::programs::remembered::Remembered;
use crate::programs::roots::Roots;

/// Finds out what is known of a program, which goes to the outcome, and which variants its calls want.
pub(super) fn learn(
    reach: &Reach<'_, '_>,
    roots: &Roots,
    threads: usize,
    remembered: &mut Remembered,
    outcome: &mut ShrinkOutcome,
) -> Wanted {
    let Remembered { made, precision, settled, enum_switches, looks_again, .. } = remembered;
    let program = reach.program;
    // After the last round no body is rewritten any more, unless classes have become one.
    let is_last = made.is_closed() && !*looks_again;
    if roots.assumes.returns && !is_last {
        outcome.known.pure = Arc::new(PureMethods::of(program, *precision));
        outcome.pure = outcome.known.pure.len() as u64;
    }
    if is_last {
        outcome.left = calls_left(reach);
    }
    let optimizes = roots.assumes.calls_change() && !roots.rules.has("dontoptimize") && !is_last;
    let inlining = roots.inlining(precision);
    let inlines = optimizes && (inlining.small || inlining.unique);
    let values = AssumedValues::of(&roots.rules);
    let constructors = if is_last { Constructors::default() } else { Constructors::of(program) };
    let pure = &outcome.known.pure;
    // What only reads the program is found out at once.
    let (plan, facts) = beside(
        threads,
        || if inlines { Plan::of(reach, &|method| settled.has(method), inlining) } else { Plan::default() },
        || {
            if is_last {
                Facts::default()
            } else {
                infer(reach, (pure, &values), &constructors, (made, *precision), threads)
            }
        },
    );
    let known = &mut outcome.known;
    known.facts = facts;
    if let Some(pure) = Arc::get_mut(&mut known.pure) {
        pure.may_not_return(&known.facts.unbounded);
    }
    known.keeps_messages = !roots.assumes.messages;
    outcome.inferred = known.facts.counts;
    if !optimizes {
        return Wanted::default();
    }
    known.plan = plan;
    known.plan.get_instances(&known.facts.on_instances);
    if inlines {
        known.plan.add_singles(reach, &known.facts.singles, inlining);
        known.plan.add_trials(reach, &known.facts.vanishing, inlining);
    }
    let mut wanted = std::mem::take(&mut known.facts.wanted);
    if !allows(&roots.rules, PARAMETERS) {
        wanted = Wanted::default();
    }
    if !allows(&roots.rules, STATIC_METHODS) {
        wanted.keep_all_receivers();
    }
    made.copied.note(&wanted.copies, wanted.instructions);
    outcome.cut = made.copied.cut();
    wanted.copied().for_each(|method| known.plan.copies(&method));
    if !VALUES.iter().all(|name| allows(&roots.rules, name)) {
        known.facts.forget_values();
    }
    if !allows(&roots.rules, WRITE_ONLY) {
        known.facts.unread.clear();
    }
    made.next_round();
    known.constructors = Arc::new(constructors);
    known.frames_vanish = true;
    known.makes_loops =
        roots.assumes.makes_loops() && nobody_counts_frames(program) && allows(&roots.rules, TAIL_RECURSION);
    known.enum_switches = EnumSwitches::of(reach).join(std::mem::take(enum_switches));
    known.joins_texts = nobody_asks_for_capacity(program);
    wanted
}
