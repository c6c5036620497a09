#![no_main]
libfuzzer_sys::fuzz_target!(|text: &str| planish_fuzzing::traces::survives(text));
