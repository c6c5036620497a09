//! The passes of class files, which no pipeline names.

use planish_jvm::bodies;
use planish_jvm_analysis::passes as of_programs;
use planish_opt::{PassInfo, PipelineError};

/// The passes over method bodies and programs of class files, in the order of the registry.
pub fn of_classes() -> impl Iterator<Item = &'static PassInfo> {
    [bodies::passes::PASSES, of_programs::PASSES].into_iter().flatten().copied()
}

/// What is wrong with a pipeline.
pub fn refused(error: &PipelineError) -> String {
    let named = match error {
        PipelineError::Unknown(name) => of_classes().find(|info| info.is_called(name)),
        _ => None,
    };
    match named {
        Some(info) => format!(
            "pass `{}` looks at a {} of class files, and no pipeline names it: it runs where those are optimized; \
             `-optimizations` in a configuration leaves some out (docs/jvm.md)",
            info.name,
            info.level.name()
        ),
        None => error.to_string(),
    }
}
