//! Optimizes one case of PyPy's optimizer tests from standard input, as `check.py` runs them.
//!
//! `python3 check.py --cmd target/release/examples/pypy_case cases-seen.json`

use std::io::Read;
use std::process::ExitCode;

use planish_base::{Diagnostics, SourceText};
use planish_ir::Module;
use planish_opt::memory::{self, Memory};
use planish_opt::stage::Stage;
use planish_opt::{Config, Engine, Features, Record};
use planish_trace_dialect::descr::Vocabulary;
use planish_trace_dialect::header::Header;
use planish_trace_dialect::lift::{Lifter, Options};
use planish_trace_dialect::lower::{self, lower};
use planish_trace_dialect::{read, write};

fn main() -> ExitCode {
    let mut text = String::new();
    if let Err(error) = std::io::stdin().read_to_string(&mut text) {
        eprintln!("error: {error}");
        return ExitCode::from(2);
    }
    let source = SourceText::new("-", text);
    match optimized(&source) {
        Ok(text) => {
            print!("{text}");
            ExitCode::SUCCESS
        }
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

fn optimized(source: &SourceText) -> Result<String, String> {
    let (mut file, mut diagnostics) = read::read(source);
    if diagnostics.has_errors() {
        return Err(diagnostics.render(source));
    }
    diagnostics = Diagnostics::new();
    let header = Header::read(source, &file.directives, &mut diagnostics);
    if diagnostics.has_errors() {
        return Err(diagnostics.render(source));
    }
    let (mut module, mut words) = (Module::new(), Vocabulary::declared(header));
    let mut out = String::new();
    for section in &file.sections {
        let mut lifter = Lifter::new(
            &mut module,
            &file.texts,
            &mut words,
            Options { log: false, expand_virtual_refs: false },
        );
        let lifted = lifter.lift("trace", &section.trace, &mut diagnostics);
        let mut lifted = lifted.ok_or_else(|| diagnostics.render(source))?;
        let features = Features { dead: false, ..Features::ALL };
        let mut record = Record::new();
        let mut stage = Memory::new(memory::Options::TRACE);
        let stages: &mut [&mut dyn Stage] = &mut [&mut stage];
        let summary = Engine::new().run_with(
            &mut lifted.function,
            &module.descriptors,
            &mut record,
            &Config { features, ..Config::FULL },
            stages,
        );
        if summary.fails.is_some() {
            return Err("invalid loop: a guard always fails".to_owned());
        }
        let options = lower::Options { behind_optimizer: true, ..lower::Options::default() };
        let trace = lower(&lifted.function, &module, &lifted.origin, options, &mut file.texts);
        let trace = trace.map_err(|illegal| illegal.to_string())?;
        if let Some(name) = section.name {
            out.push_str(&format!("#! section {}\n", file.texts.get(name)));
        }
        write::body(&trace, &file.texts, &mut out);
    }
    Ok(out)
}
