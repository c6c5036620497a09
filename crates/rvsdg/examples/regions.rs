//! Converts between the three-address and the region language: standard input to standard output.
//!
//! `cargo run --example regions -- convert|back|opt [--width N] [--undef zero] [--extended]`
//!
//! `convert` turns `.tac` into `.rvsdg`, `back` the other way; `opt` reads and writes `.rvsdg` through SSA.

use std::io::{Read, Write};
use std::process::ExitCode;

use planish_base::{Diagnostics, SourceText};
use planish_ir::Module;

fn main() -> ExitCode {
    match run() {
        Ok(text) if std::io::stdout().write_all(text.as_bytes()).is_ok() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    width: u8,
    zero: bool,
    extended: bool,
}

fn run() -> Result<String, String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let after = |flag: &str| {
        arguments.iter().position(|argument| argument == flag).and_then(|at| arguments.get(at + 1))
    };
    let options = Options {
        width: after("--width").and_then(|width| width.parse().ok()).unwrap_or(64),
        zero: after("--undef").is_some_and(|value| value == "zero"),
        extended: arguments.iter().any(|argument| argument == "--extended"),
    };
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    let source = SourceText::from_bytes("-", bytes).map_err(|wrong| wrong.1.render(&wrong.0))?;
    match arguments.first().map(String::as_str) {
        Some("convert") => write_regions(&read_tac(&source, &options)?, &options),
        Some("back") => write_tac(&read_regions(&source, &options)?, &options),
        Some("opt") => write_regions(&read_regions(&source, &options)?, &options),
        Some("round") => {
            let text = write_regions(&read_tac(&source, &options)?, &options)?;
            write_tac(&read_regions(&SourceText::new("(regions)", text), &options)?, &options)
        }
        _ => Err("what is to be done: convert, back, opt or round?".to_owned()),
    }
}

fn read_tac(source: &SourceText, options: &Options) -> Result<Module, String> {
    let mut diagnostics = Diagnostics::new();
    let program = planish_tac::read(source, &mut diagnostics);
    let mut module = Module::new();
    if !diagnostics.has_errors() {
        let options = planish_tac::lift::Options { width: options.width, unassigned_is_zero: options.zero };
        module = planish_tac::lift(&program, options, &mut diagnostics);
    }
    if diagnostics.has_errors() { Err(diagnostics.render(source)) } else { Ok(module) }
}

fn write_tac(module: &Module, options: &Options) -> Result<String, String> {
    let options = planish_tac::lower::Options {
        width: options.width,
        extended: options.extended,
        ..Default::default()
    };
    planish_tac::lower(module, options).map(|program| planish_tac::write(&program)).map_err(|e| e.join("\n"))
}

fn read_regions(source: &SourceText, options: &Options) -> Result<Module, String> {
    let mut diagnostics = Diagnostics::new();
    let program = planish_rvsdg::read(source, &mut diagnostics);
    let Some(program) = program else { return Err(diagnostics.render(source)) };
    let options = planish_rvsdg::lift::Options { width: options.width, ..Default::default() };
    planish_rvsdg::lift(&program, options).map_err(|error| error.message)
}

fn write_regions(module: &Module, options: &Options) -> Result<String, String> {
    let options = planish_rvsdg::lower::Options { width: options.width, extended: options.extended };
    let lowered = planish_rvsdg::lower(module, options).map_err(|errors| errors.join("\n"))?;
    Ok(planish_rvsdg::write(&lowered.program))
}
