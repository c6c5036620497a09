//! The passes that no pipeline names: those of class files, and evaluation.

use planish_jvm::bodies;
use planish_jvm_analysis::passes as of_programs;
use planish_opt::{PassInfo, PipelineError};

use crate::evaluate;

/// The passes over method bodies and programs of class files, in the order of the registry.
pub fn of_classes() -> impl Iterator<Item = &'static PassInfo> {
    [bodies::passes::PASSES, of_programs::PASSES].into_iter().flatten().copied()
}

/// What is wrong with a pipeline.
pub fn refused(error: &PipelineError) -> String {
    let PipelineError::Unknown(name) = error else { return error.to_string() };
    if evaluate::PASS.is_called(name) {
        return format!(
            "pass `{name}` is in no pipeline: it comes first, for a Bril program that is given nothing"
        );
    }
    match of_classes().find(|info| info.is_called(name)) {
        Some(info) => format!(
            "pass `{}` looks at a {} of class files, and no pipeline names it: it runs where those are optimized; \
             `-optimizations` in a configuration leaves some out (docs/jvm.md)",
            info.name,
            info.level.name()
        ),
        None => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use planish_ir::Form;
    use planish_opt::Pipeline;

    use super::*;

    #[test]
    fn a_pass_of_class_files_is_said_to_be_one() {
        let said = |name: &str| refused(&Pipeline::parse(name, Form::Cfg).err().expect("it is refused"));
        for info in of_classes() {
            let expected = format!("pass `{}` looks at a {} of class files", info.name, info.level.name());
            assert!(said(info.name).starts_with(&expected), "{}", said(info.name));
        }
        assert!(said("evaluate").starts_with("pass `evaluate` is in no pipeline: it comes first"));
        assert!(said("gvm").starts_with("there is no pass `gvm`"));
    }
}
