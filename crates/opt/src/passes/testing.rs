//! How the tests of passes run them: text in, text out.

use planish_ir::{Form, Module, text, verify_module};

use crate::pipeline::{Pass, PassCx, Price, machine_price};
use crate::record::Record;

/// How often a module was rewritten, and what it became. Panics when either is broken.
pub fn rewritten(source: &str, rewrite: impl FnOnce(&mut Module, &mut Record)) -> (u64, Module) {
    let (mut module, diagnostics) = text::read(source);
    assert!(!diagnostics.has_errors());
    let mut record = Record::new();
    rewrite(&mut module, &mut record);
    assert_eq!(verify_module(&module, Form::Cfg), Vec::<String>::new());
    (record.total(), module)
}

/// The same, for a pass over every function, written where operations cost what is said.
pub fn changed(pass: &Pass, source: &str, price: Price) -> (u64, Module) {
    rewritten(source, |module, record| {
        let Module { functions, descriptors, .. } = module;
        for f in functions.values_mut() {
            pass.apply(f, &mut PassCx { price, ..PassCx::new(descriptors, record) });
        }
    })
}

/// The same for a machine, as text.
pub fn after(pass: &Pass, source: &str) -> (u64, String) {
    let (count, module) = changed(pass, source, machine_price);
    (count, text::write(&module, text::Options::default()))
}
