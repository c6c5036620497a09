//! Wrong passes: found by the verifier, or because an optimized function does something else.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

use arbitrary::Unstructured;
use planish_base::faults;
use planish_driver::Settings;
use planish_filetest::bridges;
use planish_filetest::check::{find, perform};
use planish_filetest::generate::trace::{self, Shape};
use planish_filetest::generate::{Options, bytes, from_seed};
use planish_filetest::property::{
    Effort, How, Wrong, optimized_does_the_same, optimized_trace_does_the_same,
};
use planish_fuzzing::{calls, cells, recursion, vector_loops};
use planish_ir::Module;

use crate::table::{Behind, Line, Row, functions};

/// How many random functions may be run.
const FUNCTIONS: u64 = 20_000;

/// What random functions hardly ever have: ways that only whole programs go.
const BY_TESTS: [&str; 16] = [
    "branch-folding: ranges may go over the bit that tells them apart",
    "bulk-expansion: a word is stored as soon as it is loaded",
    "devirtualize: a function is any other one",
    "linear-maps: a table does not know the highest bit of its index",
    "loop-idiom: a loop that falls begins at its first cell",
    "loop-idiom: no round stores where a later one loads",
    "loop-idiom: the last round stores nothing",
    "loop-versioning: what is used behind the loop is not mended",
    "lookups: items beside a line are taken to be on it",
    "overflow-idioms: a comparison is not negated",
    "region-sinking: every loop ends",
    "region-sinking: nothing is written where a region goes",
    "store-merging: loads see nothing",
    "store-merging: there are no gaps",
    "strength-reduction: what a wide counter begins with has no sign",
    "switch-to-lookup: the default is left out",
];

/// The first line of defence.
const BY: &str =
    "the verifier, or a run beside the source, on random functions of all kinds or on the programs of tests";

/// The tests of passes: programs, each run beside what becomes of it.
const TESTS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/opt");

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
    // Objects that go round loops are what one pass is about.
    let apart = [Options::BOXES, Options::VECTORS];
    let kinds: Vec<Options> =
        Options::KINDS.iter().map(|(_, options)| *options).filter(|kind| !apart.contains(kind)).collect();
    let boxes = of_kinds(&[Options::BOXES]);
    let (any, traces) = (of_kinds(&kinds), of_kinds(&[Options::TRACE]));
    let (places, loops) = (of_kinds(&[Options::PLACES]), of_kinds(&[Options::NEST, Options::NEST_SWARM]));
    let tests = find(Path::new(TESTS)).expect("a folder of tests");
    assert_eq!(of_tests(NONE, &tests).first.found, None, "found without a fault");
    let without = [
        (How::LINEAR, &any as &dyn Fn(u64) -> Module),
        (How::EGRAPH, &any),
        (How::TRACE, &traces),
        (How::LINEAR, &places),
        (How::LINEAR, &boxes),
        (How::LINEAR, &over_cells),
        (How::LINEAR, &over_itself),
    ];
    for (how, make) in without {
        assert_eq!(ran_wrong(NONE, &how, make, (Behind::First, 200)), None, "found without a fault");
    }
    assert_eq!(first_wrong(NONE, 200, &entered), None, "found without a fault");
    let row = |name: &'static str| match name.split(':').next() {
        _ if BY_TESTS.contains(&name) => of_tests(name, &tests),
        Some("memory") => row(name, &How::TRACE, &traces),
        Some("egraph") => row(name, &How::EGRAPH, &any),
        Some("load-elimination") => row(name, &How::LINEAR, &places),
        Some("strength-reduction" | "region-numbering" | "indvars" | "loop-deletion" | "gvn") => {
            row(name, &How::LINEAR, &loops)
        }
        Some("scalar-promotion" | "loop-invariant-loads" | "pre") => row(name, &How::LINEAR, &places),
        Some("inline") => row_of(name, first_wrong(name, FUNCTIONS, &calling)),
        Some("tail-recursion") => row(name, &How::LINEAR, &over_itself),
        Some("objects") => row(name, &How::LINEAR, &boxes),
        Some("sroa") => row(name, &How::LINEAR, &over_cells),
        Some("loop-vectorize") => row_of(name, first_wrong(name, FUNCTIONS, &in_lanes)),
        Some("entrance" | "look-ups") => row_of(name, first_wrong(name, FUNCTIONS, &entered)),
        _ => row(name, &How::LINEAR, &any),
    };
    assert_eq!(first_wrong(NONE, 200, &told), None, "found without a fault");
    assert_eq!(first_wrong(NONE, 200, &in_lanes), None, "found without a fault");
    let of_bridges = crate::names("trace").into_iter();
    let of_bridges = of_bridges.map(|name| row_of(name, first_wrong(name, FUNCTIONS, &told)));
    crate::names("opt").into_iter().map(row).chain(of_bridges).collect()
}

/// Random functions of kinds that take turns, by seed.
pub fn of_kinds(kinds: &[Options]) -> impl Fn(u64) -> Module {
    move |seed| from_seed(seed, kinds[seed as usize % kinds.len()])
}

/// Random functions over memory of cells, by seed.
fn over_cells(seed: u64) -> Module {
    let data = bytes(seed, 400);
    cells::module(&mut Unstructured::new(&data)).expect("bytes that run out read as zero")
}

/// Random functions that call themselves, by seed.
fn over_itself(seed: u64) -> Module {
    let data = bytes(seed, 40);
    recursion::module(&mut Unstructured::new(&data)).expect("bytes that run out read as zero")
}

fn row(name: &'static str, how: &How, make: &dyn Fn(u64) -> Module) -> Row {
    row_of(name, ran_wrong(name, how, make, (Behind::First, FUNCTIONS)))
}

fn row_of(name: &str, found: Option<(u64, &'static str)>) -> Row {
    Row {
        name: name.to_owned(),
        first: Line {
            by: BY.to_owned(),
            budget: format!("{FUNCTIONS} functions"),
            found: found.map(|(count, by)| format!("function {count}, {by}")),
        },
        second: None,
    }
}

/// The first test of a pass whose program is optimized wrongly.
fn of_tests(name: &'static str, tests: &[PathBuf]) -> Row {
    let found = tests.iter().find(|path| {
        let outcome = caught(name, || perform(path, "test").map_err(Wrong::Different).map(drop));
        outcome.is_some()
    });
    let title = |path: &PathBuf| path.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    Row {
        name: name.to_owned(),
        first: Line {
            by: "the verifier, or a run beside the source, on the programs of the passes' own tests"
                .to_owned(),
            budget: "`tests/opt`".to_owned(),
            found: found.and_then(title).map(|title| format!("`{title}`")),
        },
        second: None,
    }
}

/// The number of random functions, made by seed, until one is optimized wrongly, and who says so.
pub fn ran_wrong(
    name: &'static str,
    how: &How,
    make: &dyn Fn(u64) -> Module,
    (line, functions): (Behind, u64),
) -> Option<(u64, &'static str)> {
    first_of(name, (line, functions), &|seed| {
        optimized_does_the_same(&make(seed), how, seed, EFFORT).map(drop)
    })
}

/// Programs whose functions call one another, by seed, held against what becomes of them.
fn calling(seed: u64) -> Result<(), Wrong> {
    let data = bytes(seed, 400);
    calls::stay_or_go(&mut Unstructured::new(&data)).expect("bytes that run out read as zero");
    Ok(())
}

/// Loops over items side by side, by seed, held against what becomes of them in lanes.
fn in_lanes(seed: u64) -> Result<(), Wrong> {
    let data = bytes(seed, 400);
    vector_loops::does_the_same(&mut Unstructured::new(&data)).expect("bytes that run out read as zero");
    Ok(())
}

/// Traces that go on in each other, by seed, held against what becomes of them.
fn entered(seed: u64) -> Result<(), Wrong> {
    let text = trace::from_seed(seed, Shape::Entered);
    optimized_trace_does_the_same(&text, &Settings::default(), seed, EFFORT).map(drop)
}

/// What a bridge is told of its parent, by seed, held against runs of that.
fn told(seed: u64) -> Result<(), Wrong> {
    let data = bytes(seed, 3000);
    let held = bridges::held(&mut Unstructured::new(&data), seed);
    held.expect("bytes that run out read as zero").map(drop)
}

/// The number of programs, by seed, until one is optimized wrongly, and who says so.
fn first_wrong(
    name: &'static str,
    programs: u64,
    held: &dyn Fn(u64) -> Result<(), Wrong>,
) -> Option<(u64, &'static str)> {
    first_of(name, (Behind::First, programs), held)
}

/// The same for either line of defence.
fn first_of(
    name: &'static str,
    (line, programs): (Behind, u64),
    held: &dyn Fn(u64) -> Result<(), Wrong>,
) -> Option<(u64, &'static str)> {
    functions(name, line, programs).find_map(|count| caught(name, || held(count - 1)).map(|by| (count, by)))
}

/// Who says that something goes wrong with a fault, if anybody does.
fn caught(name: &'static str, held: impl Fn() -> Result<(), Wrong>) -> Option<&'static str> {
    let run = || faults::with(name, held);
    RUNNING.set(name != NONE);
    let outcome = catch_unwind(AssertUnwindSafe(run));
    RUNNING.set(false);
    match outcome {
        Ok(Ok(())) => None,
        Ok(Err(Wrong::Different(_))) => Some("run"),
        // The pipeline verifies after every step and panics, as do assertions of the engine.
        Ok(Err(Wrong::Broken(_))) | Err(_) => Some("verifier"),
    }
}
