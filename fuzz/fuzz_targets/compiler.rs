#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Too little data makes no rules.
    let _ = planish_fuzzing::compiler::trees_find_what_rows_find(&mut arbitrary::Unstructured::new(bytes));
});
