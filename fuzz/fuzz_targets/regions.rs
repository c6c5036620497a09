#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    // Too little data makes no program.
    let _ = planish_fuzzing::regions::there_and_back(&mut arbitrary::Unstructured::new(bytes));
});
