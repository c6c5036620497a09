//! Reads PYPYLOG files and prints how fast reading and writing go, and whether what is written is what
//! was read.
//!
//! `cargo run --release -p planish-trace-dialect --example throughput -- FILE...`

use std::hint::black_box;
use std::time::Instant;

use planish_base::SourceText;
use planish_trace_dialect::{pypylog, write};

/// Each measurement is the best of so many.
const ROUNDS: usize = 5;

fn main() {
    let mut failed = false;
    let (mut bytes, mut operations, mut reading, mut writing, mut printed) = (0, 0, 0.0, 0.0, 0);
    for path in std::env::args().skip(1) {
        let text = std::fs::read(&path)
            .map_err(|error| error.to_string())
            .and_then(|bytes| pypylog::unfold(bytes, None))
            .and_then(|bytes| String::from_utf8(bytes).map_err(|error| error.to_string()));
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                eprintln!("{path}: {error}");
                failed = true;
                continue;
            }
        };
        let (mut best_read, mut best_write) = (f64::INFINITY, f64::INFINITY);
        let mut log = None;
        for _ in 0..ROUNDS {
            let source = SourceText::new(path.clone(), text.clone());
            let start = Instant::now();
            let read = pypylog::read(source);
            best_read = best_read.min(start.elapsed().as_secs_f64());
            log = Some(read);
        }
        let Some((log, diagnostics)) = log else { continue };
        let mut out = String::with_capacity(text.len());
        for _ in 0..ROUNDS {
            out.clear();
            let start = Instant::now();
            for section in log.sections.values() {
                if let Some(trace) = &section.trace {
                    write::trace(trace, &log.texts, &mut out);
                }
            }
            best_write = best_write.min(start.elapsed().as_secs_f64());
            black_box(&out);
        }
        let mut wrong = 0;
        for section in log.sections.values() {
            let Some(trace) = &section.trace else { continue };
            operations += trace.ops.len();
            let mut again = String::new();
            write::trace(trace, &log.texts, &mut again);
            wrong += usize::from(again != text[section.content.clone()]);
        }
        for diagnostic in &mut diagnostics.iter().take(5) {
            eprintln!("{}", diagnostic.headline(&log.source));
        }
        if wrong > 0 || diagnostics.has_errors() {
            eprintln!("{path}: {wrong} traces are written otherwise, {} messages", diagnostics.len());
            failed = true;
        }
        bytes += text.len();
        printed += out.len();
        reading += best_read;
        writing += best_write;
    }
    let rate = |bytes: usize, seconds: f64| bytes as f64 / 1e6 / seconds;
    println!("{operations} operations, {:.1} MB", bytes as f64 / 1e6);
    println!(
        "read  {:.0} MB/s, {:.1} ns an operation",
        rate(bytes, reading),
        reading * 1e9 / operations as f64
    );
    println!(
        "write {:.0} MB/s, {:.1} ns an operation",
        rate(printed, writing),
        writing * 1e9 / operations as f64
    );
    std::process::exit(i32::from(failed));
}
