//! Calls of variants that stay, though the variants came to their end: what a limit of inlining cuts off.

use hashbrown::HashMap;
use planish_jvm_analysis::reach::Reach;
use planish_jvm_ir::code::bare_body;
use planish_jvm_model::program::{Found, Method};
use rustc_hash::FxBuildHasher;

use crate::transform::inline::candidate::has_ended;
use crate::transform::inline::plan::named;

/// How many calls of a program lead to a variant that only computes and calls nothing. O(instructions).
pub fn calls_left(reach: &Reach<'_, '_>) -> u64 {
    let program = reach.program;
    let mut ended: HashMap<Method, bool, FxBuildHasher> = HashMap::default();
    let mut count = 0;
    for method in program.methods.ids().filter(|&method| reach.is_live(method)) {
        let pool = &program.classes[program.methods[method].class].file.pool;
        let Some(code) = bare_body(program, method) else { continue };
        for constant in code.instructions.iter().filter_map(named) {
            let found = pool.member(constant).ok().and_then(|member| {
                let class = program.hierarchy.lookup(member.class)?;
                let selector = program.selector(&[member.name, member.descriptor].concat())?;
                Some(program.resolve_method(class, selector))
            });
            if let Some(Found::Program(callee)) = found {
                let has_ended = ended.entry(callee).or_insert_with(|| has_ended(program, callee));
                count += u64::from(*has_ended);
            }
        }
    }
    count
}
