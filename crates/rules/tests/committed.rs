//! The committed matchers of the `book` crate are those of the rules in `rules/`.
//!
//! The test stands here and not there, so that it runs even when what is committed does not compile.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use planish_base::SourceText;
use planish_rules::set::Strictness;
use planish_rules::{RuleSet, emit};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of `rules/`, by name, so that their order is the same everywhere.
fn book() -> RuleSet {
    let mut names: Vec<String> = std::fs::read_dir(root().join("rules"))
        .expect("the folder of rules exists")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".rules"))
        .collect();
    names.sort();
    let files = names
        .into_iter()
        .map(|name| {
            let text = std::fs::read_to_string(root().join("rules").join(&name)).expect("text");
            SourceText::new(format!("rules/{name}"), text)
        })
        .collect();
    let (set, findings) = RuleSet::read(files);
    assert!(findings.is_empty(), "{}", set.render(&findings));
    set
}

/// Renew with `PLANISH_BLESS=1 cargo test -p planish-rules --test committed`.
#[test]
fn generated_files_are_fresh() {
    let folder = root().join("crates/book/src/generated");
    let wanted: BTreeMap<String, String> =
        emit::files(&book()).into_iter().map(|f| (f.name, f.text)).collect();
    if std::env::var_os("PLANISH_BLESS").is_some() {
        for entry in std::fs::read_dir(&folder).expect("the folder exists") {
            std::fs::remove_file(entry.expect("an entry").path()).expect("files are writable");
        }
        for (name, text) in &wanted {
            std::fs::write(folder.join(name), text).expect("the folder is writable");
        }
        return;
    }
    let found: BTreeMap<String, String> = std::fs::read_dir(&folder)
        .expect("the folder exists")
        .map(|entry| {
            let path = entry.expect("an entry").path();
            let name = path.file_name().expect("a file").to_string_lossy().into_owned();
            (name, std::fs::read_to_string(&path).expect("text"))
        })
        .collect();
    let stale: Vec<&String> =
        wanted.keys().chain(found.keys()).filter(|name| wanted.get(*name) != found.get(*name)).collect();
    assert!(
        stale.is_empty(),
        "generated matchers are stale: {stale:?}\n\
         renew them with PLANISH_BLESS=1 cargo test -p planish-rules --test committed"
    );
}

/// S5.32
#[test]
fn the_book_decreases_its_order_and_nothing_is_shadowed() {
    let set = book();
    let findings = set.judge(Strictness::Book);
    assert!(findings.is_empty(), "{}", set.render(&findings));
}
