#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| planish_fuzzing::binaries::class(bytes));
