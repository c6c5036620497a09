//! Pages in docs/ that are made from the program are fresh. `BLESS=1` writes them.

use std::path::Path;

fn hold(path: &str, made: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    if std::env::var_os("BLESS").is_some() {
        std::fs::write(&path, made).expect("the page can be written");
    }
    let found = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(found == made, "{} is stale: run `BLESS=1 cargo test -p planish`", path.display());
}

#[test]
fn the_catalogue_of_operations() {
    hold("docs/ops.md", &planish_ops::catalogue::markdown());
}
