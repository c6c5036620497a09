//! The registry: every pass that there is below the dialects, in the order in which the default runs them.
//!
//! A pass is a constant in its own file, and one line here. `planish passes` lists it, `planish passes show NAME` shows
//! it at work, and `docs/passes.md` is made of it.

use planish_ir::Form;
use planish_pass::{Change, Level, ModulePass, Pass, PassInfo};

use crate::engine::config::Features;
use crate::passes::{
    bit_idioms, branch_folding, branch_on_phi, bulk_expansion, call_effects, code_hoisting, demanded_bits,
    devirtualization, dfa_jump_threading, global_code_motion, gvn, if_conversion, indvars, inlining,
    jump_threading, linear_maps, load_elimination, loop_deletion, loop_idiom, loop_invariant_loads,
    loop_peeling, loop_rotation, loop_unrolling, loop_unswitching, loop_vectorization, loop_versioning,
    narrowing, overflow_idioms, pre, region_numbering, region_sinking, scalar_promotion, simplify_cfg, sroa,
    store_merging, strength_reduction, switch_formation, switch_to_lookup, tail_recursion,
};

/// The passes over functions.
pub static PASSES: &[&dyn Pass] = &[
    &tail_recursion::PASS,
    &simplify_cfg::PASS,
    &sroa::PASS,
    &bulk_expansion::PASS,
    &load_elimination::PASS,
    &dfa_jump_threading::PASS,
    &branch_folding::PASS,
    &if_conversion::PASS,
    &jump_threading::PASS,
    &branch_on_phi::PASS,
    &gvn::PASS,
    &region_numbering::PASS,
    &loop_versioning::PASS,
    &indvars::PASS,
    &loop_idiom::PASS,
    &loop_deletion::PASS,
    &loop_rotation::PASS,
    &loop_unrolling::PASS,
    &global_code_motion::PASS,
    &region_sinking::PASS,
    &scalar_promotion::PASS,
    &loop_invariant_loads::PASS,
    &bit_idioms::PASS,
    &store_merging::PASS,
    &loop_peeling::PASS,
    &loop_unswitching::PASS,
    &strength_reduction::PASS,
    &demanded_bits::PASS,
    &narrowing::PASS,
    &linear_maps::PASS,
    &overflow_idioms::PASS,
    &code_hoisting::PASS,
    &pre::PASS,
    &switch_formation::PASS,
    &switch_to_lookup::PASS,
    &loop_vectorization::PASS,
];

/// The passes over modules.
pub static MODULE_PASSES: &[&ModulePass] = &[&devirtualization::PASS, &inlining::PASS, &call_effects::PASS];

/// Names that stand for a pass with options.
pub const ALIASES: &[(&str, &str)] = &[("flags", "jump-threading,size=1")];

/// A part of the engine's walk. Neighbours in a pipeline are one walk.
pub struct Walking {
    /// What is known of it.
    pub info: PassInfo,
    /// What the engine does.
    pub features: Features,
}

const ANY: &[Form] = &[Form::Trace, Form::Cfg, Form::Structured];
const TRACES: &[Form] = &[Form::Trace];

/// What does for control-flow graphs what a part of the walk does for traces.
pub const FOR_GRAPHS: &[(&str, &str)] = &[("virtualize", "sroa"), ("heap", "load-elimination")];

const fn part(
    name: &'static str,
    sentence: &'static str,
    forms: &'static [Form],
    features: Features,
) -> Walking {
    let info = PassInfo {
        level: Level::Walk,
        forms,
        changes: Change::Flow,
        source: "the walk of PyPy's trace optimizer, over any flow: Ardö, Bolz and Fijałkowski, DLS 2012",
        test: "crates/opt/tests",
        ..PassInfo::new(name, sentence)
    };
    Walking { info, features }
}

/// The parts of the walk that have names: PyPy's, where it has one.
pub static WALKING: &[Walking] = &[
    part(
        "intbounds",
        "Range and known-bits analysis: what they decide of operations, guards and branches.",
        ANY,
        Features { fold: true, facts: true, control: true, ..Features::NONE },
    ),
    part(
        "rewrite",
        "Constant folding, algebraic simplification, the rule book, and branches and guards that are decided.",
        ANY,
        Features { fold: true, algebra: true, rules: true, control: true, ..Features::NONE },
    ),
    part(
        "virtualize",
        "Allocation removal (escape analysis): an object is not made until something needs it.",
        TRACES,
        Features { virtualize: true, ..Features::NONE },
    ),
    part(
        "string",
        "Allocation removal of strings; comparisons of strings become simpler ones.",
        TRACES,
        Features { strings: true, ..Features::NONE },
    ),
    part(
        "earlyforce",
        "Nothing of its own: an object is always made before the operation that needs it.",
        TRACES,
        Features::NONE,
    ),
    part(
        "pure",
        "Value numbering by dominance: equal operations and equal guards are made once.",
        ANY,
        Features { number: true, ..Features::NONE },
    ),
    part(
        "heap",
        "Load forwarding and dead store elimination along the walk: stores wait, and overwrite each other.",
        TRACES,
        Features { heap: true, ..Features::NONE },
    ),
    Walking {
        info: PassInfo {
            aliases: &["peel"],
            ..part(
                "unroll",
                "Unrolling of traces: the first iteration is apart, and the body is optimized with what it found out.",
                TRACES,
                Features::NONE,
            )
            .info
        },
        features: Features { peel: true, ..Features::NONE },
    },
    part(
        "plain",
        "Nothing that PyPy's optimizer does not do: guards and loops stay as they are.",
        ANY,
        Features { plain: true, ..Features::NONE },
    ),
    part(
        "dead",
        "Dead code elimination: operations and parameters that nothing uses go.",
        ANY,
        Features { dead: true, ..Features::NONE },
    ),
];

/// What is known of every pass, in the order of the registry: parts of the walk, passes over modules, over functions.
pub fn infos() -> impl Iterator<Item = &'static PassInfo> {
    let walking = WALKING.iter().map(|walking| &walking.info);
    walking.chain(MODULE_PASSES.iter().map(|pass| &pass.info)).chain(PASSES.iter().map(|pass| pass.info()))
}

/// What is known of the pass that is called by a name or an alias. Where two are, the first of the registry.
pub fn find(name: &str) -> Option<&'static PassInfo> {
    infos().find(|info| info.is_called(name))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Pipeline;

    #[test]
    fn every_pass_says_what_it_is() {
        let mut names = BTreeSet::new();
        for info in infos() {
            let PassInfo { name, sentence, source, test, .. } = *info;
            assert!(names.insert(name), "{name} is there twice");
            assert!(
                sentence.ends_with('.') && sentence.starts_with(char::is_uppercase),
                "{name}: {sentence}"
            );
            assert!(!source.is_empty() && !test.is_empty(), "{name}");
        }
    }

    #[test]
    fn the_default_pipelines_are_of_passes_that_take_their_form() {
        for (text, form) in [
            (Pipeline::CFG, Form::Cfg),
            (Pipeline::BYTECODE, Form::Cfg),
            (Pipeline::PROGRAM, Form::Cfg),
            (Pipeline::LEGALIZED, Form::Cfg),
            (Pipeline::TRACE, Form::Trace),
            (Pipeline::PYPY, Form::Trace),
        ] {
            assert!(Pipeline::parse(text, form).is_ok(), "{text}");
        }
    }
}
