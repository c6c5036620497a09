//! Reads trace files and prints what is wrong with them, a line a message.
//!
//! `cargo run --release -p planish-trace-dialect --example check_traces -- FILE...`

use planish_base::SourceText;
use planish_trace_dialect::read;

fn main() {
    let mut failed = false;
    for path in std::env::args().skip(1) {
        let text = match std::fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                failed = true;
                continue;
            }
        };
        let source = SourceText::new(path, text);
        let (_, diagnostics) = read::read(&source);
        for diagnostic in diagnostics.iter() {
            println!("{}", diagnostic.headline(&source));
        }
        failed |= diagnostics.has_errors();
    }
    std::process::exit(i32::from(failed));
}
