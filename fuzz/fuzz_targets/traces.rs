#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Too little data makes no trace.
    let _ = planish_fuzzing::traces::optimize(&mut arbitrary::Unstructured::new(bytes));
});
