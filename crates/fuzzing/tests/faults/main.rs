//! Deliberate mistakes, and who finds them.
//!
//! There are wrong rules (`wrong.rules`), wrong transfer functions and wrong passes (`fault!` in the sources
//! of `domain` and `opt`, compiled into this test only). Every one must be found by its first line of
//! defence within the budget stated here: a wrong rule by the prover, a wrong transfer function by a
//! theorem at every value of a small width, a wrong pass by the verifier or by running random functions
//! beside what became of them. Behind the prover and the theorems stand the random functions once more, as
//! if nothing had been proved.
//!
//! `docs/faults.md` lists them; `BLESS=1 cargo test -p planish-fuzzing --test faults` writes it. Budgets are
//! counts, so that a slow machine finds the same.

mod passes;
mod proofs;
mod rules;
mod table;
mod transfer;

use std::path::Path;

use table::Row;

#[test]
fn every_fault_is_found() {
    let usual = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        // What a wrong pass says when it panics is of no interest.
        if !passes::expects_panics() {
            usual(info);
        }
    }));
    let (rules, transfer, passes) = std::thread::scope(|scope| {
        let rules = scope.spawn(rules::campaign);
        let transfer = scope.spawn(transfer::campaign);
        let passes = passes::campaign();
        let done = "a campaign ends by itself";
        (rules.join().expect(done), transfer.join().expect(done), passes)
    });
    let parts = [("Wrong rules", &rules), ("Wrong transfer functions", &transfer), ("Wrong passes", &passes)];
    let all = || parts.iter().flat_map(|(_, rows)| rows.iter());
    let missed: Vec<&Row> = all().filter(|row| row.first.found.is_none()).collect();
    assert!(missed.is_empty(), "not found: {missed:#?}");
    assert!(rules.len() >= 30 && all().count() >= 80, "{} faults", all().count());
    table::hold(&parts);
}

/// The names of the faults in the sources of a crate, by file.
fn names(krate: &str) -> Vec<&'static str> {
    let mut names = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(krate).join("src");
    let mut work = vec![root];
    while let Some(path) = work.pop() {
        if path.is_dir() {
            let mut inside: Vec<_> = std::fs::read_dir(&path)
                .expect("a folder")
                .map(|entry| entry.expect("an entry").path())
                .collect();
            inside.sort_by(|a, b| b.cmp(a));
            work.append(&mut inside);
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("a source file");
        for part in text.split("fault!(\"").skip(1) {
            let name = part.split('"').next().expect("a name ends");
            if !names.contains(&name) {
                names.push(name.to_owned().leak());
            }
        }
    }
    names
}
