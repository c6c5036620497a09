//! A second run over a result leaves it as it is, text and all: what one run makes, no other one would make otherwise.

use std::fs;
use std::path::{Path, PathBuf};

use planish_driver::{Dialect, EngineChoice, Reading, Session, Settings, Writing};
use planish_filetest::case::Case;
use planish_filetest::generate::trace::{self, Shape};

/// Vectors exist in text alone, and a trace that has some is not lifted.
const VECTORS: &str = "a result with vectors is no input";
/// `call_pure_i` and `call_i` of one function are two functions to the walk, and one word in the result.
const WRITTEN_AS_ONE: &str = "calls of two kinds are written as one";
/// A string of unknown length, or what is added to an address, stays where it is; what is made late goes past it, once.
const IN_PLACE: &str = "what is made late goes past what is not";
/// The e-graph takes the cheapest form by what is used elsewhere; what else uses a part of it may be gone afterwards.
const CHEAPER: &str = "a form is cheaper when something else is gone";
/// A value that is known in front of a label, or a constant, is listed for a guard that is gone afterwards.
const LISTED: &str = "a label lists what is no more needed";

/// Results that a second run changes still, by the file or by kind and seed, and why.
const KNOWN: &[(&str, &str)] = &[
    ("tests/run/an_elidable_function_gives_the_same_however_it_is_called.trace", WRITTEN_AS_ONE),
    ("tests/trace/compat_single_characters_differ_by_their_difference.trace", IN_PLACE),
    ("tests/trace/vectors_a_scalar_is_in_every_lane_once.trace", VECTORS),
    ("tests/trace/vectors_add_two_arrays.trace", VECTORS),
    ("tests/trace/vectors_an_item_is_read_before_the_next_iteration_writes_it.trace", VECTORS),
    ("tests/trace/vectors_of_halves_are_two_of_doubles.trace", VECTORS),
    ("tests/trace/vectors_sum_over_the_iterations.trace", VECTORS),
    ("tests/trace/vectors_what_a_guard_keeps_is_taken_out_of_its_lane.trace", VECTORS),
    ("tests/trace/what_escapes_late_is_made_late.trace", IN_PLACE),
    ("random bridge linear 49", CHEAPER),
    ("random bridge linear 129", IN_PLACE),
    ("random bridge egraph 14", CHEAPER),
    ("random bridge egraph 62", CHEAPER),
    ("random entered egraph 94", LISTED),
    ("random left egraph 133", LISTED),
    ("random left egraph 149", CHEAPER),
    ("random entered egraph 25", LISTED),
    ("random entered egraph 83", LISTED),
];

/// How many random traces of each shape.
const SEEDS: u64 = 150;

/// What optimizing makes of a text; `None` where that is refused.
fn optimized(text: &str, settings: &Settings) -> Option<String> {
    let mut session =
        Session::open("second", text.as_bytes().to_vec(), Dialect::Trace, Reading::default()).ok()?;
    session.optimize(settings).ok()?;
    let bytes = session.write(Dialect::Trace, Writing::default()).ok()?;
    Some(String::from_utf8(bytes).expect("traces are text"))
}

/// The lines that differ, those of the first run in front.
fn difference(first: &str, second: &str) -> String {
    let only = |these: &str, those: &str, mark: &str| -> String {
        let others: Vec<&str> = those.lines().collect();
        let lines = these.lines().filter(|line| !others.contains(line));
        lines.map(|line| format!("    {mark} {line}\n")).collect()
    };
    let found = only(first, second, "-") + &only(second, first, "+");
    if found.is_empty() { "    the order of lines\n".to_owned() } else { found }
}

/// Optimizes a text twice. Whether there was a result; what a second run changed in it is noted.
fn twice(name: &str, text: &str, settings: &Settings, changed: &mut Vec<(String, String)>) -> bool {
    let Some(first) = optimized(text, settings) else { return false };
    match optimized(&first, settings) {
        None => changed.push((name.to_owned(), "    the result is refused\n".to_owned())),
        Some(second) if second != first => changed.push((name.to_owned(), difference(&first, &second))),
        Some(_) => {}
    }
    true
}

/// Nothing but what is known was changed, and all of that was.
fn only_known(prefix: &str, changed: &[(String, String)]) {
    let is_known = |name: &str| KNOWN.iter().any(|(known, _)| *known == name);
    let unknown: Vec<String> = changed
        .iter()
        .filter(|(name, _)| !is_known(name))
        .map(|(name, difference)| format!("{name}\n{difference}"))
        .collect();
    assert!(unknown.is_empty(), "{} are changed by a second run:\n{}", unknown.len(), unknown.join("\n"));
    for (known, why) in KNOWN.iter().filter(|(known, _)| known.starts_with(prefix)) {
        let is_changed = changed.iter().any(|(name, _)| name == known);
        assert!(is_changed, "{known} is not changed any more ({why}): it is to go from the list");
    }
}

fn traces_below(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => traces_below(&path, found),
            false if path.extension().is_some_and(|extension| extension == "trace") => found.push(path),
            false => {}
        }
    }
}

#[test]
fn results_of_all_traces_of_the_project_stay() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for directory in ["tests", "examples", "docs", "crates"] {
        traces_below(&root.join(directory), &mut files);
    }
    files.sort();
    let (mut changed, mut results) = (Vec::new(), 0);
    for path in &files {
        let text = fs::read_to_string(path).expect("a text");
        let name = path.strip_prefix(&root).expect("a file of the project").display().to_string();
        let program = Case::parse(&text).map_or_else(|_| text.clone(), |case| case.program);
        results += u32::from(twice(&name, &program, &Settings::default(), &mut changed));
    }
    assert!(results > 150, "{results} of {} are optimized", files.len());
    only_known("tests/", &changed);
}

#[test]
fn results_of_random_traces_stay() {
    let (mut changed, mut results) = (Vec::new(), 0);
    let egraph = Settings { engine: EngineChoice::Egraph, ..Settings::default() };
    for (kind, shape) in Shape::ALL {
        for (engine, settings) in [("linear", &Settings::default()), ("egraph", &egraph)] {
            for seed in 0..SEEDS {
                let name = format!("random {kind} {engine} {seed}");
                results += u64::from(twice(&name, &trace::from_seed(seed, shape), settings, &mut changed));
            }
        }
    }
    assert!(results > 9 * SEEDS, "{results}");
    only_known("random ", &changed);
}
