//! Reads a program of the three-address language from standard input, lifts it, lowers it and writes it.
//!
//! `cargo run --example tac -- [--width N] [--undef zero] [--extended] < program.tac`

use std::io::{Read, Write};
use std::process::ExitCode;

use planish_base::{Diagnostics, SourceText};
use planish_tac::{lift, lower, read, write};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |flag: &str| {
        arguments.iter().position(|argument| argument == flag).and_then(|at| arguments.get(at + 1))
    };
    let width = after("--width").and_then(|width| width.parse().ok()).unwrap_or(64);
    let unassigned_is_zero = after("--undef").is_some_and(|value| value == "zero");
    let extended = arguments.iter().any(|argument| argument == "--extended");

    let mut bytes = Vec::new();
    if let Err(error) = std::io::stdin().read_to_end(&mut bytes) {
        eprintln!("standard input: {error}");
        return ExitCode::from(2);
    }
    let source = match SourceText::from_bytes("-", bytes) {
        Ok(source) => source,
        Err(wrong) => {
            eprintln!("{}", wrong.1.render(&wrong.0));
            return ExitCode::FAILURE;
        }
    };
    let mut diagnostics = Diagnostics::new();
    let program = read(&source, &mut diagnostics);
    let module = if diagnostics.has_errors() {
        None
    } else {
        let options = lift::Options { width, unassigned_is_zero };
        Some(lift(&program, options, &mut diagnostics))
    };
    if !diagnostics.is_empty() {
        eprintln!("{}", diagnostics.render(&source));
    }
    let Some(module) = module.filter(|_| !diagnostics.has_errors()) else { return ExitCode::FAILURE };
    match lower(&module, lower::Options { width, extended, ..Default::default() }) {
        Ok(program) => {
            let text = write(&program);
            if std::io::stdout().write_all(text.as_bytes()).is_err() {
                return ExitCode::FAILURE;
            }
            ExitCode::SUCCESS
        }
        Err(errors) => {
            eprintln!("{}", errors.join("\n"));
            ExitCode::FAILURE
        }
    }
}
