//! What is optimized is optimized: a second run leaves it as it is.
//!
//! Every example and test of the repository in a dialect that is a text of functions, and random programs of every generator.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use planish_driver::Dialect;
use planish_fuzzing::settled::{differs, generators};

/// How many of a hundred seeds of a generator a second run changes at most, with the reason as far as it is known.
const SEEDS: &[(&str, u64, &str)] = &[
    (
        "statements",
        9,
        "a switch on few numbers is written as comparisons, and read as branches, which are laid out otherwise",
    ),
    (
        "calls of regions",
        6,
        "the variables of loops stand in the order in which SSA has them, which reading changes",
    ),
    ("closures", 9, "as calls of regions; the order of functions"),
    ("full", 1, "not looked into"),
    ("nest", 3, "not looked into"),
    ("nest swarm", 1, "not looked into"),
    ("places", 1, "not looked into"),
    ("boxes", 1, "not looked into"),
    ("functions", 3, "not looked into"),
];

/// How many seeds of each generator are tried; with `PLANISH_SETTLED=N` so many.
fn seeds() -> u64 {
    std::env::var("PLANISH_SETTLED").map_or(40, |number| number.parse().expect("PLANISH_SETTLED is a number"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The programs of the repository, in order, by their names.
fn programs() -> Vec<(String, Dialect)> {
    let mut found = Vec::new();
    let mut inside =
        ["examples", "tests", "crates/opt/src/passes/examples"].map(|name| root().join(name)).to_vec();
    while let Some(directory) = inside.pop() {
        let entries = std::fs::read_dir(&directory).expect("the directory is there");
        for entry in entries.map(|entry| entry.expect("it can be read").path()) {
            if entry.is_dir() {
                inside.push(entry);
                continue;
            }
            let name = entry.strip_prefix(root()).expect("it is inside").to_string_lossy().replace('\\', "/");
            let dialects = [Dialect::Ssa, Dialect::Tac, Dialect::Rvsdg, Dialect::Bril, Dialect::BrilJson];
            let of = Dialect::of_path(&entry).filter(|dialect| dialects.contains(dialect));
            found.extend(of.map(|dialect| (name, dialect)));
        }
    }
    found.sort_unstable_by(|one, other| one.0.cmp(&other.0));
    found
}

#[test]
fn programs_of_the_repository() {
    let mut said = String::new();
    let mut settled = 0;
    for (name, dialect) in programs() {
        let text = std::fs::read_to_string(root().join(&name)).expect("it can be read");
        match differs(&text, dialect) {
            Some([first, second]) => _ = writeln!(said, "{name}\n{first}became\n{second}"),
            None => settled += 1,
        }
    }
    assert!(said.is_empty(), "{said}");
    assert!(settled > 150, "{settled}");
}

#[test]
fn random_programs() {
    let mut said = String::new();
    for generator in generators() {
        let (mut changed, mut first_one) = (Vec::new(), None);
        for seed in 0..seeds() {
            if let Some(program) = generator.program(seed)
                && let Some(both) = differs(&program, generator.dialect)
            {
                first_one.get_or_insert(both);
                changed.push(seed);
            }
        }
        let most = SEEDS.iter().find(|(name, ..)| *name == generator.name).map_or(0, |(_, most, _)| *most);
        println!("{}: {} of {} are changed: {changed:?}", generator.name, changed.len(), seeds());
        if let Some([first, second]) =
            first_one.filter(|_| changed.len() as u64 > most * seeds().div_ceil(100))
        {
            _ = writeln!(said, "{}: {changed:?}, the first one:\n{first}became\n{second}", generator.name);
        }
    }
    assert!(said.is_empty(), "{said}");
}
