//! The passes that change a lifted body, in order: those of [`passes`](super::passes), and the optimizer's pipeline.
//!
//! What the whole program says comes first, since it makes constants. Then come texts, stores and switches, which it
//! makes simpler, and the pipeline, which draws conclusions from all of it. What objects, checks and calls of lambdas
//! are good for is seen after that; if anything of it goes, the pipeline runs once more. Pure calls sink
//! last, when it is known what is computed at all.
//!
//! A body can be made with the first steps only: so the one that makes a mistake is found.

use std::collections::BTreeSet;

use planish_classfile::ConstantPool;
use planish_ir::Function;
use planish_jvm_ir::lower::Target;
use planish_jvm_ir::naming::Names;
use planish_jvm_model::bootstraps::Bootstraps;
use planish_jvm_model::hierarchy::{ClassId, Hierarchy};
use planish_pass::Leave;

use super::known::Known;
use super::optimizer::Optimizer;
use super::passes::{
    CALL_REPLACEMENT, CHECKS, CONCATENATIONS, CROSS_JUMPING, DEAD_ARRAYS, DEAD_OBJECTS, DEAD_STORES,
    DEAD_TEXTS, ENUM_SWITCHES, FIRST_STORES, IPSCCP, LAMBDAS, LIBRARY_CALLS, STRING_BUILDERS,
};
use super::rewriter::{Before, Rewriter};
use crate::bodies::record::Did;
use crate::transform::builders::forget_builders;
use crate::transform::concatenations::fold_concatenations;
use crate::transform::contents::forget_texts;
use crate::transform::enum_switches::switch_by_ordinal;
use crate::transform::filled::remove_arrays;
use crate::transform::first_stores::{INITIALIZER, remove_first_stores, untouched_fields};
use crate::transform::lambdas::{call_through, forget_lambdas};
use crate::transform::needless::{calls_on_objects, remove_checks};
use crate::transform::objects::BytecodeObjects;
use crate::transform::recursions::stays_with_receiver;
use crate::transform::text_calls::{call_ahead, use_operations};
use crate::transform::texts::join_texts;
use crate::transform::unused::{remove_objects, remove_stores};

/// What passes over a body work with.
struct BodyCx<'c, 'p> {
    names: &'c mut Names,
    pool: &'c mut ConstantPool<'p>,
    bootstraps: &'c mut Bootstraps,
    hierarchy: &'c Hierarchy,
    known: &'c Known,
    target: &'c Target<'c>,
    /// The class of the receiver, if there is one that is initialized.
    receiver: Option<ClassId>,
    /// The static fields that hold zero or null when this body begins, if it is the initializer of its class.
    untouched: BTreeSet<Box<[u8]>>,
    /// Whether nothing was put in the place of calls.
    is_plain: bool,
    optimizer: &'c mut dyn Optimizer,
    did: Did,
}

/// A step: the name of the pass, and what it does to a body. It gives the number of its rewrites.
struct BodyPass {
    name: &'static str,
    run: fn(&mut Function, &mut BodyCx<'_, '_>) -> u64,
}

/// What makes constants and simpler code, in front of the pipeline.
const BEFORE: &[BodyPass] = &[
    BodyPass {
        name: IPSCCP.name,
        run: |f, cx| {
            let Target { class, name, descriptor, .. } = *cx.target;
            let facts = cx.known.facts.of(class, name, descriptor).filter(|_| cx.is_plain);
            let leave = &mut Leave::new(cx.optimizer.record(), &IPSCCP);
            cx.did.constants = facts.map_or(0, |facts| facts.apply(f, cx.names, cx.pool, leave).0);
            cx.did.constants
        },
    },
    BodyPass {
        name: STRING_BUILDERS.name,
        run: |f, cx| {
            if !cx.known.joins_texts {
                return 0;
            }
            join_texts(f, cx.names, cx.pool, &mut Leave::new(cx.optimizer.record(), &STRING_BUILDERS))
        },
    },
    BodyPass {
        name: CONCATENATIONS.name,
        run: |f, cx| {
            let leave = &mut Leave::new(cx.optimizer.record(), &CONCATENATIONS);
            let folded = fold_concatenations(f, cx.bootstraps, cx.names, cx.pool, leave);
            (cx.did.concatenated, cx.did.recipes) = (folded.sites, folded.bytes);
            folded.sites
        },
    },
    BodyPass {
        name: LIBRARY_CALLS.name,
        run: |f, cx| {
            let leave = &mut Leave::new(cx.optimizer.record(), &LIBRARY_CALLS);
            call_ahead(f, cx.names, cx.pool, leave) + use_operations(f, cx.names, cx.pool, leave)
        },
    },
    BodyPass {
        name: DEAD_TEXTS.name,
        run: |f, cx| forget_texts(f, cx.names, cx.pool, &mut Leave::new(cx.optimizer.record(), &DEAD_TEXTS)),
    },
    BodyPass {
        name: ENUM_SWITCHES.name,
        run: |f, cx| {
            let leave = &mut Leave::new(cx.optimizer.record(), &ENUM_SWITCHES);
            cx.did.ordinals = switch_by_ordinal(f, &cx.known.enum_switches, cx.names, cx.pool, leave);
            cx.did.ordinals
        },
    },
    BodyPass {
        name: DEAD_STORES.name,
        run: |f, cx| {
            let Target { class, is_static, .. } = *cx.target;
            let leave = &mut Leave::new(cx.optimizer.record(), &DEAD_STORES);
            let unread = &cx.known.facts.unread;
            cx.did.unused = remove_stores(f, unread, cx.names, cx.pool, (class, is_static), leave);
            cx.did.unused
        },
    },
];

/// What is seen when the pipeline has drawn its conclusions. If any of it does something, the pipeline runs once more.
const BEHIND: &[BodyPass] = &[
    BodyPass {
        name: LAMBDAS.name,
        run: |f, cx| {
            let leave = &mut Leave::new(cx.optimizer.record(), &LAMBDAS);
            if !cx.known.frames_vanish {
                let lambdas = forget_lambdas(f, cx.bootstraps, cx.names, cx.pool, leave);
                cx.did.unused += lambdas;
                return lambdas;
            }
            cx.did.direct = call_through(f, cx.bootstraps, cx.names, cx.pool, cx.hierarchy, leave);
            let loops = cx.known.loops && stays_with_receiver(f, cx.names, cx.target.is_static);
            cx.did.loops = u64::from(loops && cx.optimizer.make_loop(f, cx.names));
            cx.did.direct + cx.did.loops
        },
    },
    BodyPass {
        name: CHECKS.name,
        run: |f, cx| {
            let leave = &mut Leave::new(cx.optimizer.record(), &CHECKS);
            remove_checks(f, cx.names, cx.pool, cx.hierarchy, (cx.target, cx.receiver), leave)
        },
    },
    BodyPass {
        name: FIRST_STORES.name,
        run: |f, cx| {
            if cx.untouched.is_empty() {
                return 0;
            }
            let leave = &mut Leave::new(cx.optimizer.record(), &FIRST_STORES);
            let stores = remove_first_stores(f, &cx.untouched, cx.names, cx.pool, leave);
            cx.did.unused += stores;
            stores
        },
    },
    BodyPass {
        name: DEAD_ARRAYS.name,
        run: |f, cx| {
            let leave = &mut Leave::new(cx.optimizer.record(), &DEAD_ARRAYS);
            let arrays = remove_arrays(f, cx.names, cx.pool, cx.hierarchy, leave);
            cx.did.unused += arrays;
            arrays
        },
    },
    BodyPass {
        name: DEAD_OBJECTS.name,
        run: |f, cx| {
            let leave = &mut Leave::new(cx.optimizer.record(), &DEAD_OBJECTS);
            let constructors = &cx.known.constructors;
            let around = (cx.target.class, cx.hierarchy);
            let objects = remove_objects(f, constructors, cx.names, cx.pool, around, leave);
            let builders = forget_builders(f, cx.names, cx.pool, leave);
            // What went into them may have been made for nobody else.
            if builders > 0 {
                forget_texts(f, cx.names, cx.pool, leave);
            }
            let objects = objects + builders;
            cx.did.unused += objects;
            objects
        },
    },
    BodyPass {
        name: OBJECTS,
        run: |f, cx| {
            let BodyCx { names, pool, target, hierarchy, known, .. } = cx;
            let mut objects = BytecodeObjects::new(&known.constructors, names, pool, target.class, hierarchy);
            cx.did.replaced = cx.optimizer.replace(f, &mut objects);
            cx.did.replaced
        },
    },
];

/// The step that makes objects their fields: the optimizer's pass.
const OBJECTS: &str = "sroa";

/// The step that is the optimizer's pipeline.
pub(super) const PIPELINE: &str = "pipeline";

/// The step that moves pure calls into the arms that use them: the optimizer's global code motion.
const SINKING: &str = "gcm";

/// The step that writes bytecode.
pub(super) const LOWERING: &str = "lowering";

/// The step that lets equal ends be one.
pub(super) const TAILS: &str = CROSS_JUMPING.name;

/// The step that puts bodies in the place of calls, and calls of variants.
pub(super) const INLINING: &str = CALL_REPLACEMENT.name;

/// The step that loads in front of loops: the optimizer's pass.
pub(super) const LOADS: &str = "loop-invariant-loads";

/// How many steps there are.
pub(super) const STEPS: usize = BEFORE.len() + 1 + BEHIND.len() + 2;

/// The name of a step, by its number.
pub(super) fn step_name(number: usize) -> &'static str {
    let behind = number.checked_sub(BEFORE.len() + 1);
    match (BEFORE.get(number), behind) {
        (Some(pass), _) => pass.name,
        (None, None) => PIPELINE,
        (None, Some(behind)) => match BEHIND.get(behind) {
            Some(pass) => pass.name,
            None if behind == BEHIND.len() => SINKING,
            None => LOADS,
        },
    }
}

impl Rewriter<'_, '_> {
    /// The first `count` of the steps.
    pub(super) fn improve(
        &mut self,
        f: &mut Function,
        before: &Before<'_>,
        is_plain: bool,
        count: usize,
    ) -> Result<Did, String> {
        let Target { class, name, is_static, .. } = before.target;
        let receiver = self.hierarchy.lookup(class).filter(|_| !is_static && name != b"<init>");
        let untouched = match name == INITIALIZER {
            true => untouched_fields(&self.class, &self.names, self.hierarchy),
            false => BTreeSet::new(),
        };
        let mut cx = BodyCx {
            names: &mut self.names,
            pool: &mut self.class.pool,
            bootstraps: &mut self.bootstraps,
            hierarchy: self.hierarchy,
            known: self.known,
            target: &before.target,
            receiver,
            untouched,
            is_plain,
            optimizer: &mut *self.optimizer,
            did: Did::default(),
        };
        for pass in BEFORE.iter().take(count) {
            (pass.run)(f, &mut cx);
        }
        if count > BEFORE.len() {
            calls_on_objects(f, cx.names, cx.pool, cx.hierarchy, (cx.target, cx.receiver));
            self.report.optimized += 1;
            cx.optimizer.optimize(f, cx.names)?;
            self.writes_out = self.writes_out && cx.optimizer.write_out(f, cx.names);
            if self.writes_out {
                self.report.optimized += 1;
                cx.optimizer.optimize(f, cx.names)?;
                // What a text is asked in each round it is asked by constants now.
                let leave = &mut Leave::new(cx.optimizer.record(), &LIBRARY_CALLS);
                if call_ahead(f, cx.names, cx.pool, leave) > 0 {
                    self.report.optimized += 1;
                    cx.optimizer.optimize(f, cx.names)?;
                }
            }
        }
        let behind = count.saturating_sub(BEFORE.len() + 1);
        let rewrites: u64 = BEHIND.iter().take(behind).map(|pass| (pass.run)(f, &mut cx)).sum();
        if rewrites > 0 {
            self.report.optimized += 1;
            cx.optimizer.optimize(f, cx.names)?;
        }
        if behind > BEHIND.len() {
            let (calls, regions) = cx.optimizer.sink(f, cx.names);
            (cx.did.moved, cx.did.regions) = (calls + regions, regions);
        }
        Ok(cx.did)
    }
}
