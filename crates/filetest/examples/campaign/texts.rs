//! Random traces as text, each held against what becomes of it.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use arbitrary::Unstructured;
use planish_driver::Settings;
use planish_driver::reduce::{Oracle, TESTS, lines};
use planish_filetest::bridges;
use planish_filetest::generate::bytes;
use planish_filetest::generate::trace::{self, Shape};
use planish_filetest::property::{HeldTrace, Wrong, optimized_trace_does_the_same};

use crate::EFFORT;

/// How traces are made and optimized.
type How<'a> = (Shape, &'a Settings);

/// Holds the traces of some seeds against what becomes of them; prints what that showed. The error was printed.
pub fn hold(name: &str, kind: &str, how: How<'_>, seeds: Range<u64>) -> Result<u64, ()> {
    let (mut traces, mut compared, mut told, mut invalid, mut rewrites, mut sizes) = (0, 0, 0, 0, 0, (0, 0));
    for seed in seeds {
        let text = trace::from_seed(seed, how.0);
        match held(&text, how, seed) {
            Ok(held) => {
                traces += 1;
                compared += held.compared;
                told += held.told;
                invalid += u64::from(held.invalid);
                rewrites += held.rewrites;
                sizes = (sizes.0 + held.sizes.0, sizes.1 + held.sizes.1);
            }
            Err(why) => {
                let (why, small) = (why.to_string(), smaller(&text, how, seed, &why));
                eprintln!("{name}, {kind}, seed {seed}: {}\n\nsmaller:\n{small}", without_header(&why));
                return Err(());
            }
        }
    }
    println!(
        "{name:6} {kind:10} {traces:7} files, {compared:12} worlds, {invalid:5} with a guard that never passes, \
         {:9} -> {:8} operations, {rewrites:8} rewrites",
        sizes.0, sizes.1
    );
    if told > 0 {
        println!("{name:6} {kind:10} what bridges are told was true in {told} worlds in which they began");
    }
    Ok(traces)
}

/// Holds what bridges out of the traces of some seeds are told against runs of those; prints what that showed.
pub fn told(seeds: Range<u64>) -> Result<u64, ()> {
    let (mut traces, mut told, mut failed) = (0, 0, 0);
    for seed in seeds {
        let data = bytes(seed, 3000);
        let held =
            || bridges::held(&mut Unstructured::new(&data), seed).expect("bytes that run out read as zero");
        let held =
            catch_unwind(AssertUnwindSafe(held)).unwrap_or_else(|_| Err(Wrong::Broken("a panic".into())));
        match held {
            Ok(tried) => {
                traces += 1;
                told += tried.told;
                failed += tried.failed;
            }
            Err(why) => {
                eprintln!("told, seed {seed}: {}", without_header(&why.to_string()));
                return Err(());
            }
        }
    }
    println!("facts  told       {traces:7} traces, {failed:12} failing guards, {told:8} facts");
    Ok(traces)
}

/// Holds one trace. A panic is a mistake like any other.
fn held(text: &str, how: How<'_>, seed: u64) -> Result<HeldTrace, Wrong> {
    let hold = || optimized_trace_does_the_same(text, how.1, seed, EFFORT);
    catch_unwind(AssertUnwindSafe(hold)).unwrap_or_else(|_| Err(Wrong::Broken(format!("a panic\n{text}"))))
}

/// The smallest text found that goes wrong in the same way.
fn smaller(text: &str, how: How<'_>, seed: u64, why: &Wrong) -> String {
    let alike = |found: Result<HeldTrace, Wrong>| match (found, why) {
        (Err(Wrong::Different(_)), Wrong::Different(_)) => true,
        (Err(Wrong::Broken(found)), Wrong::Broken(why)) => found.lines().next() == why.lines().next(),
        _ => false,
    };
    let mut fails = |text: &str| alike(held(text, how, seed));
    lines::reduce(text, &mut Oracle::new(&mut fails, TESTS))
}

/// A message without the declarations that all traces share.
fn without_header(message: &str) -> String {
    let declares = |line: &&str| line.starts_with("#! ") && !line.starts_with("#! section");
    message.lines().filter(|line| !declares(line)).map(|line| format!("{line}\n")).collect()
}
