//! `.ssa` text in, `.ssa` text out.

use planish_base::SourceText;
use planish_ir::{Form, Module, text};
use planish_opt::{Optimizer, Options, Pipeline, Record};
use planish_rules::set::RuleSet;

/// A module read from text without any complaint.
fn parse(source: &str) -> Module {
    let (module, diagnostics) = text::read(source);
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&SourceText::new("test.ssa", source)));
    module
}

/// The text of every function after a pipeline, with the record of the rewrites.
pub fn optimize_with(source: &str, passes: &str, rules: Option<&RuleSet>) -> (String, Record) {
    let mut module = parse(source);
    let pipeline = Pipeline::parse(passes, Form::Cfg).unwrap();
    let (mut optimizer, mut record) = (Optimizer::new(), Record::new());
    let options = Options { extra: rules, ..Options::QUIET };
    let Module { functions, descriptors, .. } = &mut module;
    for f in functions.values_mut() {
        optimizer.run(&pipeline, f, descriptors, &mut record, options, &mut ());
    }
    let writing = text::Options { straight: true, ..text::Options::default() };
    (text::write(&module, writing), record)
}
