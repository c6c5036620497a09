#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Too little data makes no function.
    let _ = planish_fuzzing::functions::optimize_cells(&mut arbitrary::Unstructured::new(bytes));
});
