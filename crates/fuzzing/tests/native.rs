//! Random functions as machine code, some seconds of them; `PLANISH_FULL=1` for minutes.
#![cfg(feature = "native")]

use arbitrary::Unstructured;
use planish_filetest::generate::bytes;
use planish_fuzzing::native;

#[test]
fn machine_code_does_what_the_interpreter_does() {
    let full = std::env::var("PLANISH_FULL").is_ok_and(|full| full == "1");
    let first =
        std::env::var("PLANISH_SEED").map_or(0, |seed| seed.parse().expect("PLANISH_SEED is a number"));
    let count = if full { 100_000 } else { 1_500 };
    let mut compiled = 0;
    for seed in first..first + count {
        let ran =
            std::panic::catch_unwind(|| native::does_the_same(&mut Unstructured::new(&bytes(seed, 4_000))));
        compiled += u64::from(ran.unwrap_or_else(|_| panic!("with seed {seed}")).unwrap_or(false));
    }
    // Most functions have machine code, or this says little.
    assert!(2 * compiled > count, "{compiled} of {count}");
}
