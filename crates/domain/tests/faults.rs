//! Every deliberate mistake in the domain is found by its theorems, at facts of up to three bits. Run with
//! `--features faults`.

use std::path::Path;

use planish_base::faults;
use planish_domain::enumerate::check;
use planish_domain::theorems::{Theorem, all};

/// The names of all faults in the sources of the crate.
fn names(folder: &Path, into: &mut Vec<&'static str>) {
    let mut paths: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        if path.is_dir() {
            names(&path, into);
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        for part in text.split("fault!(\"").skip(1) {
            into.push(part.split('"').next().unwrap().to_owned().leak());
        }
    }
}

/// The first theorem, at the least width, that a fault makes wrong.
fn found(name: &'static str) -> Option<(Theorem, u32)> {
    (1..=3).find_map(|width| {
        let wrong = |theorem: &Theorem| {
            // A third fact, that of the result, makes too many cases at three bits.
            let tried = width < 3 || theorem.params(width).is_some_and(|p| p.facts.len() < 3);
            tried && faults::with(name, || check(*theorem, width)).is_err()
        };
        all().into_iter().find(wrong).map(|theorem| (theorem, width))
    })
}

#[test]
fn every_fault_is_found_by_a_theorem() {
    let mut all_names = Vec::new();
    names(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), &mut all_names);
    assert!(all_names.len() >= 18, "{} faults", all_names.len());
    let mut missed = Vec::new();
    for name in all_names {
        match found(name) {
            Some((theorem, width)) => println!("{name}: {} at {width} bits", theorem.name()),
            None => missed.push(name),
        }
    }
    assert!(missed.is_empty(), "not found: {missed:?}");
}
