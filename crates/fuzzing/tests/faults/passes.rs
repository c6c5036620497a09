//! Wrong passes: found by the verifier, or because an optimized function does something else.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use planish_base::faults;
use planish_filetest::generate::{Options, from_seed};
use planish_filetest::property::{Effort, How, Wrong, optimized_does_the_same};

use crate::table::{Line, Row};

/// How many random functions may be run.
const FUNCTIONS: u64 = 20_000;

/// The name of no fault.
const NONE: &str = "none";

const EFFORT: Effort = Effort { tries: 5, fuel: 400 };

thread_local! {
    static RUNNING: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread runs something that may well panic.
pub fn expects_panics() -> bool {
    RUNNING.get()
}

/// One row a fault.
pub fn campaign() -> Vec<Row> {
    let kinds: Vec<Options> = Options::KINDS.iter().map(|(_, options)| *options).collect();
    for how in [How::LINEAR, How::EGRAPH] {
        assert_eq!(ran_wrong(NONE, &how, &kinds, 200), None, "found without a fault");
    }
    assert_eq!(ran_wrong(NONE, &How::TRACE, &[Options::TRACE], 200), None, "found without a fault");
    crate::names("opt").into_iter().map(|name| row(name, &kinds)).collect()
}

fn row(name: &'static str, kinds: &[Options]) -> Row {
    let (how, kinds) = match name.split(':').next() {
        Some("memory") => (How::TRACE, &[Options::TRACE][..]),
        Some("egraph") => (How::EGRAPH, kinds),
        _ => (How::LINEAR, kinds),
    };
    let found = ran_wrong(name, &how, kinds, FUNCTIONS);
    Row {
        name: name.to_owned(),
        first: Line {
            by: "the verifier, or a run beside the source, on random functions of all kinds".to_owned(),
            budget: format!("{FUNCTIONS} functions"),
            found: found.map(|(count, by)| format!("function {count}, {by}")),
        },
        second: None,
    }
}

/// The number of random functions until one is optimized wrongly, and who says so. Kinds take turns.
pub fn ran_wrong(
    name: &'static str,
    how: &How,
    kinds: &[Options],
    functions: u64,
) -> Option<(u64, &'static str)> {
    (0..functions).find_map(|seed| {
        let module = from_seed(seed, kinds[seed as usize % kinds.len()]);
        let run = || faults::with(name, || optimized_does_the_same(&module, how, seed, EFFORT));
        RUNNING.set(name != NONE);
        let outcome = catch_unwind(AssertUnwindSafe(run));
        RUNNING.set(false);
        match outcome {
            Ok(Ok(_)) => None,
            Ok(Err(Wrong::Different(_))) => Some((seed + 1, "run")),
            // The pipeline verifies after every step and panics, as do assertions of the engine.
            Ok(Err(Wrong::Broken(_))) | Err(_) => Some((seed + 1, "verifier")),
        }
    })
}
