//! Optimizes files of functions by the default pipeline and prints what that costs: nanoseconds for each instruction that is
//! there before, from the module in memory to the optimized module in memory, without reading and writing.
//!
//! `cargo run --release -p planish-driver --example function_speed -- [--rounds N] FILE.ssa...`
//!
//! Of each file counts the best of N rounds (25 unless told).

use std::time::{Duration, Instant};

use planish_driver::{Dialect, Reading, Session, Settings};

fn main() -> Result<(), String> {
    let (mut rounds, mut files) = (25, Vec::new());
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--rounds" => {
                rounds = args.next().and_then(|n| n.parse().ok()).ok_or("--rounds takes a number")?;
            }
            _ => files.push(arg),
        }
    }
    println!("{:<24} {:>12} {:>10} {:>10}", "file", "instructions", "us", "ns each");
    let mut total = (0, Duration::ZERO);
    for path in &files {
        let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
        let (instructions, time) = measured(path, &text, rounds)?;
        print(path.rsplit('/').next().unwrap_or(path), instructions, time);
        total = (total.0 + instructions, total.1 + time);
    }
    print("total", total.0, total.1);
    Ok(())
}

/// The number of instructions, and the least time of so many rounds.
fn measured(path: &str, text: &str, rounds: usize) -> Result<(usize, Duration), String> {
    let (mut instructions, mut best) = (0, Duration::MAX);
    for _ in 0..rounds.max(1) {
        let mut session = Session::open(path, text.to_owned().into(), Dialect::Ssa, Reading::default())?;
        let module = session.module().ok_or("a program is a module")?;
        instructions = module.functions.values().map(|f| f.live_insts().count()).sum();
        let start = Instant::now();
        session.optimize(&Settings::default())?;
        best = best.min(start.elapsed());
    }
    Ok((instructions, best))
}

fn print(name: &str, instructions: usize, time: Duration) {
    let each = time.as_nanos() as f64 / instructions.max(1) as f64;
    println!("{name:<24} {instructions:>12} {:>10.0} {each:>10.0}", time.as_nanos() as f64 / 1000.0);
}
