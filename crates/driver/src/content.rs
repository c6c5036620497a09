//! What a file holds, read and lifted, by dialect.

use planish_base::{Diagnostics, SourceText};
use planish_bril::Signatures;
use planish_bril::json::{NotBril, Place};
use planish_ir::text::NamesOfFunctions;
use planish_ir::{Form, Module, text};
use planish_rvsdg::lift;
use planish_rvsdg::terms::Root;

use crate::dialect::Dialect;
use crate::logs::LogSession;
use crate::reading::Reading;
use crate::traces::TraceSession;

/// What a file holds.
pub(crate) enum Content {
    /// Functions.
    Module {
        module: Box<Module>,
        /// Whether the text was a straight line without a function's header.
        straight: bool,
        /// The types of a Bril program's functions; empty for other dialects.
        signatures: Signatures,
        /// The form that its functions have and keep.
        form: Form,
    },
    /// Stand-alone traces.
    Traces(Box<TraceSession>),
    /// A log with traces in it.
    Log(Box<LogSession>),
}

impl Content {
    fn module(module: Module) -> Self {
        let signatures = Signatures::default();
        Content::Module { module: Box::new(module), straight: false, signatures, form: Form::Cfg }
    }
}

/// What was read of a file.
pub(crate) struct Read {
    pub content: Content,
    /// What a program of regions exports; the other functions of its module are those that it calls.
    pub exported: Vec<String>,
    /// Whether statements were read that name a function.
    pub named: bool,
    /// A program of regions as it was read, if it has functions.
    pub regions: Option<Box<planish_rvsdg::Program>>,
    /// A program of regions with bodies for all calls, and how many operations of it are worth that.
    pub inlined: Option<(Box<Module>, u64)>,
    /// What the author of `.ssa` text called values.
    pub names: NamesOfFunctions,
}

impl Read {
    fn of(content: Content) -> Self {
        let names = NamesOfFunctions::default();
        Read { content, exported: Vec::new(), named: false, regions: None, inlined: None, names }
    }
}

/// Reads and lifts a program; what is wrong with the text is added to `diagnostics`. The error is what is wrong with all of it.
pub(crate) fn read(
    source: &SourceText,
    dialect: Dialect,
    reading: &Reading,
    diagnostics: &mut Diagnostics,
) -> Result<Read, String> {
    Ok(match dialect {
        Dialect::Ssa => ssa(source, diagnostics),
        Dialect::Tac => statements(source, reading, diagnostics),
        Dialect::Bril | Dialect::BrilJson => bril(source, dialect, diagnostics)?,
        Dialect::Trace => {
            let (traces, mut found) = TraceSession::read(std::slice::from_ref(source));
            *diagnostics = found.pop().expect("what is found in the one file");
            Read::of(Content::Traces(Box::new(traces)))
        }
        Dialect::PypyLog => Read::of(Content::Log(Box::new(LogSession::read(source.clone(), diagnostics)))),
        Dialect::Rvsdg => regions(source, reading, diagnostics)?,
    })
}

fn ssa(source: &SourceText, diagnostics: &mut Diagnostics) -> Read {
    let (module, found, names) = text::read_named(source.text());
    *diagnostics = found;
    // `func` may be the name of a value.
    let begins = |line: &str| {
        line.trim_start()
            .strip_prefix("func ")
            .is_some_and(|rest| !rest.trim_start().starts_with(['=', ',', ':']))
    };
    let straight = !source.text().lines().any(begins);
    let (module, signatures) = (Box::new(module), Signatures::default());
    let content = Content::Module { module, straight, signatures, form: Form::Cfg };
    Read { names, ..Read::of(content) }
}

fn statements(source: &SourceText, reading: &Reading, diagnostics: &mut Diagnostics) -> Read {
    let program = planish_tac::read::read(source, diagnostics);
    let named = program.functions.iter().any(|function| function.name.is_some());
    let options =
        planish_tac::lift::Options { width: reading.width, unassigned_is_zero: reading.unassigned_is_zero };
    let module = match diagnostics.has_errors() {
        true => Module::new(),
        false => planish_tac::lift::lift(&program, options, diagnostics),
    };
    Read { named, ..Read::of(Content::module(module)) }
}

fn bril(source: &SourceText, dialect: Dialect, diagnostics: &mut Diagnostics) -> Result<Read, String> {
    let program = match dialect {
        Dialect::Bril => {
            let (program, found) = planish_bril::text::read(source.text());
            *diagnostics = found;
            program
        }
        _ => match planish_bril::json::read(source.text()) {
            Ok(program) => program,
            Err(NotBril { place: Place::Path(path), message }) => {
                return Err(format!("error: {}: {path}: {message}", source.name()));
            }
            Err(NotBril { place: Place::Text(span), message }) => {
                diagnostics.error(span, message);
                Default::default()
            }
        },
    };
    let (module, signatures) = match diagnostics.has_errors() {
        true => Default::default(),
        false => planish_bril::lift(&program, diagnostics),
    };
    let module = Box::new(module);
    Ok(Read::of(Content::Module { module, straight: false, signatures, form: Form::Cfg }))
}

fn regions(source: &SourceText, reading: &Reading, diagnostics: &mut Diagnostics) -> Result<Read, String> {
    let Some(program) = planish_rvsdg::read::read(source, diagnostics) else {
        return Ok(Read::of(Content::module(Module::new())));
    };
    let name_of = |root: &Root| root.name.as_deref().unwrap_or(lift::MAIN).to_owned();
    let exported = program.roots.iter().map(name_of).collect();
    let options = lift::Options { width: reading.width, ..Default::default() };
    match lift::lift_forms(&program, options) {
        Ok(forms) => Ok(Read {
            exported,
            inlined: forms.inlined.map(|module| (Box::new(module), forms.most)),
            regions: Some(Box::new(program)),
            ..Read::of(Content::module(forms.module))
        }),
        Err(lift::Unliftable { message, place: Some(place) }) => {
            diagnostics.error(place, message);
            Ok(Read { exported, ..Read::of(Content::module(Module::new())) })
        }
        Err(lift::Unliftable { message, place: None }) => Err(format!("error: {}: {message}", source.name())),
    }
}
