//! Test helper for passes: text in, text out.

use planish_ir::{Form, Module, text, verify_module};
use planish_pass::{Analyses, Pass, PassCx, Record, Target, apply};

/// How often a module was rewritten, and what it became. Panics when either is broken.
pub fn rewritten(source: &str, rewrite: impl FnOnce(&mut Module, &mut Record)) -> (u64, Module) {
    let (mut module, diagnostics) = text::read(source);
    assert!(!diagnostics.has_errors(), "{source}");
    let mut record = Record::new();
    rewrite(&mut module, &mut record);
    assert_eq!(verify_module(&module, Form::Cfg), Vec::<String>::new());
    (record.total(), module)
}

/// The same, for a pass over every function, written for a target.
pub fn changed(pass: &dyn Pass, source: &str, target: Target<'_>) -> (u64, Module) {
    changed_with(pass, &[], source, target)
}

/// The same, with options.
pub fn changed_with(
    pass: &dyn Pass,
    options: &[(&'static str, u64)],
    source: &str,
    target: Target<'_>,
) -> (u64, Module) {
    rewritten(source, |module, record| {
        let Module { functions, descriptors, .. } = module;
        for f in functions.values_mut() {
            let mut analyses = Analyses::new();
            let cx = PassCx::new(pass.info(), descriptors, record, target, &mut analyses);
            apply(pass, f, cx.with_options(options));
        }
    })
}

/// The same for a machine, as text.
pub fn after(pass: &dyn Pass, source: &str) -> (u64, String) {
    let (count, module) = changed(pass, source, Target::MACHINE);
    (count, text::write(&module, text::Options::default()))
}
