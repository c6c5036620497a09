//! What a program must become.

use planish_opt::Pipeline;

use super::ssa::optimize_with;

/// The pipeline for control-flow graphs gives this text.
#[track_caller]
pub fn check(before: &str, after: &str) {
    let (got, _) = optimize_with(before, Pipeline::CFG, None);
    assert!(got.trim() == after.trim(), "expected\n{after}\nbut got\n{got}");
}
