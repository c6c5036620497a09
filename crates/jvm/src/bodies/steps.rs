//! The steps that change a lifted body, in order.
//!
//! What the whole program says comes first, since it makes constants. Then come texts, stores and switches, which it
//! makes simpler, and the pipeline, which draws conclusions from all of it. What objects, checks and calls of lambdas
//! are good for is seen after that; if anything of it goes, the pipeline runs once more. Computing late comes last,
//! when it is known what is computed at all.
//!
//! A body can be made with the first steps only: so the step that makes a mistake is found.

use planish_ir::Function;

use super::{Before, Rewriter};
use crate::lower::Target;
use crate::program::concatenations::fold_concatenations;
use crate::program::contents::forget_texts;
use crate::program::enum_switches::switch_by_ordinal;
use crate::program::filled::remove_arrays;
use crate::program::lambdas::call_through;
use crate::program::late::sink;
use crate::program::needless::remove_checks;
use crate::program::objects::replace_objects;
use crate::program::recursions::stays_with_receiver;
use crate::program::repeated::use_results_again;
use crate::program::text_calls::call_ahead;
use crate::program::texts::join_texts;
use crate::program::truths::use_truths;
use crate::program::unused::{remove_objects, remove_stores};
use crate::record::Did;

/// The steps that change a lifted body, in order, as reports call them.
pub(super) const STEPS: [&str; 6] =
    ["inference", "unused stores", "pipeline", "needless checks and objects", "late calls", "loads in loops"];

/// The step that writes bytecode.
pub(super) const LOWERING: &str = "lowering";

/// The step that lets equal ends be one.
pub(super) const TAILS: &str = "equal ends";

/// The step that puts bodies in the place of calls, and calls of variants.
pub(super) const INLINING: &str = "bodies and variants in the place of calls";

impl Rewriter<'_, '_> {
    /// The first `count` of the steps.
    pub(super) fn improve(
        &mut self,
        f: &mut Function,
        before: &Before<'_>,
        is_plain: bool,
        count: usize,
    ) -> Result<Did, String> {
        let known = self.known;
        let Target { class, name, descriptor, is_static, .. } = before.target;
        let receiver = self.hierarchy.lookup(class).filter(|_| !is_static && name != b"<init>");
        let mut did = Did::default();
        let facts = known.facts.of(class, name, descriptor).filter(|_| is_plain && count > 0);
        did.constants = facts.map_or(0, |facts| facts.apply(f, &mut self.names, &mut self.class.pool).0);
        if count > 1 && known.joins_texts {
            join_texts(f, &mut self.names, &mut self.class.pool);
        }
        if count > 1 {
            let (names, pool) = (&mut self.names, &mut self.class.pool);
            let folded = fold_concatenations(f, &mut self.bootstraps, names, pool);
            (did.concatenated, did.recipes) = (folded.sites, folded.bytes);
            call_ahead(f, names, pool);
            forget_texts(f, names, pool);
        }
        let (pool, names) = (&self.class.pool, &self.names);
        if count > 1 {
            did.ordinals = switch_by_ordinal(f, &known.enum_switches, names, pool);
            did.unused = remove_stores(f, &known.facts.unread, names, pool, class, is_static);
        }
        if count > 2 {
            self.report.optimized += 1;
            self.optimizer.optimize(f, names)?;
            self.writes_out = self.writes_out && self.optimizer.write_out(f, names);
            if self.writes_out {
                self.report.optimized += 1;
                self.optimizer.optimize(f, names)?;
            }
        }
        if count > 3 {
            let (names, pool) = (&mut self.names, &mut self.class.pool);
            if known.frames_vanish {
                did.direct = call_through(f, &self.bootstraps, names, pool, self.hierarchy);
                let loops = known.loops && stays_with_receiver(f, names, is_static);
                did.loops = u64::from(loops && self.optimizer.make_loop(f, names));
            }
            let (pool, names) = (&self.class.pool, &self.names);
            let checks = remove_checks(f, names, pool, self.hierarchy, (&before.target, receiver));
            let arrays = remove_arrays(f, names, pool, self.hierarchy);
            let objects = arrays + remove_objects(f, &known.constructors, names, pool, class);
            let (names, pool) = (&mut self.names, &mut self.class.pool);
            did.replaced = replace_objects(f, &known.constructors, names, pool, (class, self.hierarchy));
            let truths = use_truths(f, names, pool);
            did.repeated = use_results_again(f, names.world());
            if checks + truths + objects + did.replaced + did.direct + did.loops + did.repeated > 0 {
                did.unused += objects;
                self.report.optimized += 1;
                self.optimizer.optimize(f, &self.names)?;
            }
        }
        if count > 4 {
            did.moved = sink(f, self.names.world());
        }
        Ok(did)
    }
}
