//! Optimizes mutated classes and jars: `mutated_classes JAR COUNT [SEED]`.
//!
//! Each of COUNT tries takes a class of the jar, or a small jar of a few of them, changes some of its bytes and
//! checks it and optimizes it in every mode. A panic or an endless run is a finding; the seed of each try is printed before it
//! when one takes long. Every tenth try is a jar.

use std::time::{Duration, Instant};

use planish_base::Budget;
use planish_classfile::zip::Archive;
use planish_fuzzing::binaries::{optimized_archive, optimized_class};
use planish_fuzzing::mutate::mutated;

/// A try that takes longer is a finding.
const LONGEST: Duration = Duration::from_secs(10);

/// Larger classes are left out, so that many small ones are tried.
const LARGEST: usize = 6_000;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [jar, count, rest @ ..] = &arguments[..] else { panic!("usage: mutated_classes JAR COUNT [SEED]") };
    let count: u64 = count.parse().expect("COUNT is a number");
    let first: u64 = rest.first().map_or(0, |seed| seed.parse().expect("SEED is a number"));
    let archive = Archive::read(std::fs::read(jar).expect("the jar is there")).expect("it is a jar");
    let mut budget = Budget::new("inflated bytes", 1 << 30);
    let mut classes: Vec<Vec<u8>> = Vec::new();
    for entry in archive.entries.iter().filter(|entry| entry.name.ends_with(b".class")) {
        let content = entry.content(&mut budget).expect("it inflates").into_owned();
        if content.len() <= LARGEST {
            classes.push(content);
        }
    }
    let mut slowest = (Duration::ZERO, 0);
    for seed in first..first + count {
        let (input, is_jar) = mutated(seed, &classes);
        let began = Instant::now();
        let outcome = std::panic::catch_unwind(|| {
            if is_jar { optimized_archive(&input) } else { optimized_class(&input) }
        });
        let took = began.elapsed();
        if outcome.is_err() || took > LONGEST {
            println!(
                "FOUND seed {seed}: {} in {took:?}",
                if outcome.is_err() { "a panic" } else { "no end" }
            );
            std::process::exit(1);
        }
        slowest = slowest.max((took, seed));
    }
    println!(
        "{count} mutated classes and jars from seed {first}, the slowest in {:?} (seed {})",
        slowest.0, slowest.1
    );
}
