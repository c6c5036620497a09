//! A program that was read, and what can be done with it.
//!
//! A session keeps the source, so that messages can show it, and the module that was lifted from it. An
//! operation that fails returns the message as it should be shown.

use std::collections::BTreeMap;

use planish_base::{Diagnostics, Id, SourceText};
use planish_bril::Signatures;
use planish_ir::legalize::legalize;
use planish_ir::module::Tables;
use planish_ir::text::NamesOfFunctions;
use planish_ir::verify::verify_module;
use planish_ir::{Form, FuncId, Function, Module, text};
use planish_ops::Type;
use planish_opt::Pipeline;
use planish_rvsdg::picture::{self, Picture};
use planish_rvsdg::{lift, lower};
use planish_trace_dialect::executed::Executed;

use crate::content::{self, Content, Read};
use crate::dialect::Dialect;
use crate::logs;
use crate::places::placed;
use crate::reading::{Reading, Writing};
use crate::rounds::{further_rounds, size};
use crate::run::{Outcome, Run};
use crate::settings::{EngineChoice, Settings};
use crate::statistics::{Counts, Statistics};
use crate::traces::TraceSession;
use crate::{evaluate, explain, rule_filter, validate};

/// A program that was read.
pub struct Session {
    /// The text of a program that is functions, for messages.
    source: Option<SourceText>,
    dialect: Dialect,
    reading: Reading,
    pub(crate) content: Content,
    /// What a program of regions exports; the other functions of its module are those that it calls.
    exported: Vec<String>,
    /// Whether statements were read that name a function.
    named: bool,
    /// A program of regions as it was read, if it has functions.
    regions: Option<Box<planish_rvsdg::Program>>,
    /// A program of regions with bodies for all calls, and how many operations of it are worth that.
    inlined: Option<(Box<Module>, u64)>,
    /// What the author of `.ssa` text called values.
    names: NamesOfFunctions,
    warnings: String,
}

/// The functions of a module that a program exports: those of these names, or all where it names none.
fn entries(module: &Module, exported: &[String]) -> Vec<FuncId> {
    match exported {
        [] => module.functions.ids().filter(|&id| !module.is_bridge(id)).collect(),
        names => names.iter().filter_map(|name| module.find(name)).collect(),
    }
}

/// What says in SSA already what a dialect can only say by more.
fn legalization(dialect: Dialect, reading: Reading, extended: bool) -> Option<fn(&mut Function) -> bool> {
    match dialect {
        // With operations on words there are choices.
        Dialect::Bril | Dialect::BrilJson if extended => Some(planish_bril::legalize::branch_on_bits),
        Dialect::Bril | Dialect::BrilJson => Some(planish_bril::legalize::legalize),
        Dialect::Tac if reading.width == 64 && !extended => {
            Some(|f| legalize(f, planish_tac::legal::OPERATORS))
        }
        _ => None,
    }
}

impl Session {
    /// Reads and lifts a program. The error is the rendered list of what is wrong with it.
    pub fn open(name: &str, bytes: Vec<u8>, dialect: Dialect, reading: Reading) -> Result<Self, String> {
        let bytes = match dialect {
            Dialect::PypyLog => logs::unfolded(name, bytes, reading)?,
            _ => bytes,
        };
        if u32::try_from(bytes.len()).is_err() {
            return Err(format!("error: {name}: the text is larger than 4 GiB"));
        }
        let source = SourceText::from_bytes(name, bytes).map_err(|error| error.1.render(&error.0))?;
        let mut diagnostics = Diagnostics::new();
        let read = content::read(&source, dialect, &reading, &mut diagnostics)?;
        if diagnostics.has_errors() {
            return Err(diagnostics.render(&source));
        }
        let Read { content, exported, named, inlined, regions, names } = read;
        let warnings = diagnostics.render(&source);
        let source = matches!(content, Content::Module { .. }).then_some(source);
        let session =
            Session { source, dialect, reading, content, exported, named, regions, inlined, names, warnings };
        session.verify().map_err(|message| format!("error: {name} is not a valid program\n{message}"))?;
        Ok(session)
    }

    /// A session over functions that were made in memory, all of a form; they are written as `.ssa`.
    pub fn of_module(module: Module, form: Form) -> Self {
        let signatures = Signatures::default();
        let content = Content::Module { module: Box::new(module), straight: false, signatures, form };
        Session {
            source: None,
            dialect: Dialect::Ssa,
            reading: Reading::default(),
            content,
            exported: Vec::new(),
            named: false,
            regions: None,
            inlined: None,
            names: NamesOfFunctions::default(),
            warnings: String::new(),
        }
    }

    /// The form that the dialect promises.
    pub fn form(&self) -> Form {
        match self.content {
            Content::Module { form, .. } => form,
            Content::Traces(_) | Content::Log(_) => Form::Trace,
        }
    }

    /// Whether every function keeps the invariants of the IR; the error lists what does not hold.
    pub fn verify(&self) -> Result<(), String> {
        let (module, form) = match &self.content {
            Content::Module { module, form, .. } => (&**module, *form),
            Content::Traces(traces) => (traces.module(), Form::Trace),
            Content::Log(_) => return Ok(()),
        };
        let found = verify_module(module, form);
        if found.is_empty() { Ok(()) } else { Err(found.join("\n")) }
    }

    /// Reads files of traces that are one program: each with its name and its text.
    pub fn open_traces(files: Vec<(String, Vec<u8>)>, reading: Reading) -> Result<Self, String> {
        let mut sources = Vec::with_capacity(files.len());
        for (name, bytes) in files {
            if u32::try_from(bytes.len()).is_err() {
                return Err(format!("error: {name}: the text is larger than 4 GiB"));
            }
            sources.push(SourceText::from_bytes(&name, bytes).map_err(|error| error.1.render(&error.0))?);
        }
        let (traces, found) = TraceSession::read(&sources);
        let rendered: String =
            found.iter().zip(&sources).map(|(diagnostics, source)| diagnostics.render(source)).collect();
        if found.iter().any(Diagnostics::has_errors) {
            return Err(rendered);
        }
        let session = Session {
            dialect: Dialect::Trace,
            reading,
            content: Content::Traces(Box::new(traces)),
            warnings: rendered,
            ..Session::of_module(Module::new(), Form::Trace)
        };
        session
            .verify()
            .map_err(|message| format!("error: these files are not a valid program\n{message}"))?;
        Ok(session)
    }

    /// Lets two programs be held against each other. Exits of traces are the same where their guards have the same descriptor, or
    /// both none, in whichever section: they are numbered in the order of the text, which optimizing changes. A trace is the same as
    /// the first of those into which its loop was divided. Neither program is written afterwards.
    pub fn set_side_by_side([first, second]: [&mut Session; 2]) {
        if let (Content::Traces(first), Content::Traces(second)) = (&mut first.content, &mut second.content) {
            TraceSession::set_side_by_side([first, second]);
        }
    }

    /// Whether the program has a loop in sections that do not say where they go on, as PyPy's tests have them. It is none that is run.
    pub fn is_divided_without_labels(&self) -> bool {
        matches!(&self.content, Content::Traces(traces) if traces.is_divided_without_labels())
    }

    /// Lets a result that was read again be held against its source, read again too, where a third session wrote that result: each exit
    /// is then the one of the source from which it came, whether its guard has a name or not.
    pub fn set_behind([source, result]: [&mut Session; 2], written: &Session) {
        if let (Content::Traces(source), Content::Traces(result), Content::Traces(written)) =
            (&mut source.content, &mut result.content, &written.content)
            && !result.set_behind(source, written)
        {
            TraceSession::set_side_by_side([source, result]);
        }
    }

    /// Warns of jumps of traces to labels that none of them has. It is rendered; empty where there are none, and of a trace
    /// alone, which may be a bridge.
    pub fn nowhere(&self) -> String {
        match &self.content {
            Content::Traces(traces) => traces.nowhere(),
            Content::Module { .. } | Content::Log(_) => String::new(),
        }
    }

    /// What is odd about the program but no error, rendered; empty when nothing is.
    pub fn warnings(&self) -> &str {
        &self.warnings
    }

    /// Whether the file asks for stages of vectorization.
    pub fn is_vectorized(&self) -> bool {
        matches!(&self.content, Content::Traces(traces) if traces.is_vectorized())
    }

    /// The dialect that the program was read in.
    pub fn dialect(&self) -> Dialect {
        self.dialect
    }

    /// The functions of the program; `None` for a log, whose traces exist one at a time.
    pub fn module(&self) -> Option<&Module> {
        match &self.content {
            Content::Module { module, .. } => Some(module),
            Content::Traces(traces) => Some(traces.module()),
            Content::Log(_) => None,
        }
    }

    /// The functions with which a run of the program may begin. A file of regions says which they are; all functions of other
    /// files are. These stay when a program is optimized, with their names, parameters and results; others may go.
    pub fn entries(&self) -> Vec<FuncId> {
        self.module().map_or(Vec::new(), |module| entries(module, &self.exported))
    }

    /// Of traces that were optimized, the module in which bridges do nothing but what they are told of their parents; `before` is
    /// the module that was read. Nothing of other programs.
    pub fn told(&self, before: &Module) -> Option<Module> {
        match &self.content {
            Content::Traces(traces) => Some(traces.told(before)),
            _ => None,
        }
    }

    /// How often the traces of a log ran, by what their functions are called, as far as it says so (`PYPYLOG=jit-backend-counts`);
    /// nothing of other programs.
    pub fn executed(&self) -> BTreeMap<String, Executed> {
        match &self.content {
            Content::Log(log) => log.executed(),
            _ => BTreeMap::new(),
        }
    }

    /// Optimizes every function.
    pub fn optimize(&mut self, settings: &Settings) -> Result<Outcome, String> {
        let _order = settings.order_of_work();
        let before = self.kept();
        let mut outcome = self.optimize_content(settings)?;
        if let Some(before) = before {
            self.keep(before, settings, &mut outcome);
        }
        Ok(outcome)
    }

    fn optimize_content(&mut self, settings: &Settings) -> Result<Outcome, String> {
        match &mut self.content {
            Content::Module { module, form, signatures, .. } => {
                // Functions call each other, so they are compared when all of them are done.
                let alone = Settings { validate: 0, ..settings.clone() };
                let pipeline = if *form == Form::Trace { Pipeline::TRACE } else { Pipeline::PROGRAM };
                let mut run = Run::new(&alone, pipeline, *form)?;
                // What the text cannot say in which the result is written is not made.
                let dialect = settings.to.unwrap_or(self.dialect);
                let extended = settings.extended || signatures.words;
                run.target.price = rule_filter::price(dialect, extended);
                run.target.writes = rule_filter::writes(dialect, extended);
                run.target.switches = dialect == Dialect::Ssa;
                if *form != Form::Trace {
                    run.further = further_rounds(module.functions.values().map(size).sum());
                }
                run.legalize =
                    legalization(dialect, self.reading, extended).filter(|_| settings.passes.is_none());
                if let Some(rules) = rule_filter::left_out(dialect, extended, settings.expand) {
                    run.leave_out(&rules);
                }
                let options = lift::Options { width: self.reading.width, ..Default::default() };
                let regions = self.regions.take().filter(|_| settings.engine == EngineChoice::Egraph);
                if let Some(calls) =
                    regions.and_then(|regions| lift::lift_with_expressions(&regions, options))
                {
                    **module = calls;
                } else if let Some((inlined, most)) = self.inlined.take()
                    && run.size_of_optimized(&inlined)? <= most
                {
                    *module = inlined;
                }
                let original = (settings.validate > 0).then(|| module.clone());
                if !self.names.is_empty() {
                    module.functions.values_mut().for_each(Function::keep_heirs);
                }
                let mut statistics = Statistics::default();
                let counts: Vec<Counts> = module.functions.values().map(Counts::of).collect();
                if settings.evaluate && matches!(self.dialect, Dialect::Bril | Dialect::BrilJson) {
                    evaluate::evaluate(module, &mut run.record);
                }
                run.module(module);
                let order = run.order(module);
                let Module { functions, descriptors, symbols, .. } = &mut **module;
                for id in order {
                    let (function, tables) = (&mut functions[id], Tables { descriptors, symbols });
                    let named = self.names.get(&function.name);
                    run.guarded(function, &[], descriptors, tables, |f| explain::names(f, named));
                    run.is_done(function, descriptors);
                    statistics.add(&function.name, counts[id.index()], Counts::of(function));
                }
                for (name, names) in &mut self.names {
                    if let Some(id) = module.find(name) {
                        *names = module.functions[id].inherited(std::mem::take(names));
                    }
                }
                run.checked = original.map(|original| {
                    let entries = entries(&original, &self.exported);
                    validate::modules(&original, &entries, module, settings.validate, *form)
                });
                Ok(run.finish(statistics))
            }
            Content::Traces(traces) => traces.optimize(settings),
            Content::Log(log) => log.optimize(logs::run(settings)?),
        }
    }

    /// The regions of the program as a drawing for Graphviz.
    pub fn draw(&self, writing: Writing<'_>) -> Result<String, String> {
        let module = self.module().ok_or_else(|| format!("error: a {} has no regions", self.dialect))?;
        Ok(planish_rvsdg::dot::write(&self.regions(module, writing)?))
    }

    /// Pictures of the regions of each function, in order, of a program that is written as regions.
    pub fn pictures(&self) -> Result<Vec<Picture>, String> {
        match self.module() {
            Some(module) if self.dialect == Dialect::Rvsdg => {
                let program = self.regions(module, Writing { extended: true, ..Writing::default() })?;
                Ok(picture::pictures(&program).into_iter().map(|(_, picture)| picture).collect())
            }
            _ => Ok(Vec::new()),
        }
    }

    /// What a dialect cannot say, which has values of some types, each with its place in the text that was read.
    fn unwritable(&self, errors: &[String], module: &Module, has: impl Fn(Type) -> bool) -> String {
        placed(errors, module, (self.source.as_ref(), self.dialect), has)
    }

    /// Whether the languages of words have values of a type.
    fn is_word(&self, ty: Type) -> bool {
        [Type::Int(self.reading.width), Type::I1, Type::State, Type::Ref].contains(&ty)
    }

    fn regions(&self, module: &Module, writing: Writing<'_>) -> Result<planish_rvsdg::Program, String> {
        let options = lower::Options { width: self.reading.width, extended: writing.extended };
        let lowered = match self.exported.as_slice() {
            [] => lower(module, options),
            names => lower::lower_named(module, names, options),
        };
        let lowered = lowered.map_err(|errors| self.unwritable(&errors, module, |ty| self.is_word(ty)))?;
        Ok(lowered.program)
    }

    /// Writes the program in a dialect.
    pub fn write(&self, dialect: Dialect, writing: Writing<'_>) -> Result<Vec<u8>, String> {
        match (&self.content, dialect) {
            (Content::Log(log), Dialect::PypyLog) => return Ok(log.write().into_bytes()),
            (Content::Traces(traces), Dialect::Trace) => return Ok(traces.write()?.concat().into_bytes()),
            _ => {}
        }
        let Some(module) = self.module() else {
            return Err(format!("error: a {} cannot be written as {dialect}", self.dialect));
        };
        self.write_module(module, dialect, writing)
    }

    /// Writes the files of a program of traces, in the order in which they were given.
    pub fn write_files(&self) -> Result<Vec<Vec<u8>>, String> {
        match &self.content {
            Content::Traces(traces) => Ok(traces.write()?.into_iter().map(String::into_bytes).collect()),
            Content::Module { .. } | Content::Log(_) => {
                Ok(vec![self.write(self.dialect, Writing::default())?])
            }
        }
    }

    /// Writes a module as the program of the session would be written.
    pub(crate) fn write_module(
        &self,
        module: &Module,
        dialect: Dialect,
        writing: Writing<'_>,
    ) -> Result<Vec<u8>, String> {
        match dialect {
            Dialect::Ssa => {
                let straight = matches!(self.content, Content::Module { straight: true, .. });
                let options = text::Options { straight, ..text::Options::default() };
                let options = match writing.prefix {
                    Some(prefix) => text::Options { prefix, ..options },
                    None => text::Options { names: Some(&self.names), ..options },
                };
                Ok(text::write(module, options).into_bytes())
            }
            Dialect::Tac => {
                let options = planish_tac::lower::Options {
                    width: self.reading.width,
                    extended: writing.extended,
                    named: self.named,
                };
                let program = planish_tac::lower::lower(module, options)
                    .map_err(|errors| self.unwritable(&errors, module, |ty| self.is_word(ty)))?;
                Ok(planish_tac::write::write(&program).into_bytes())
            }
            Dialect::Rvsdg => Ok(planish_rvsdg::write::write(&self.regions(module, writing)?).into_bytes()),
            Dialect::Bril | Dialect::BrilJson => {
                let none = Signatures::default();
                let signatures = match &self.content {
                    Content::Module { signatures, .. } => signatures,
                    Content::Traces(_) | Content::Log(_) => &none,
                };
                let words = writing.extended || signatures.words;
                let has = |ty| ty == Type::Ref || planish_bril::legal::plain(ty).is_some();
                let program = planish_bril::lower(module, signatures, words)
                    .map_err(|errors| self.unwritable(&errors, module, has))?;
                Ok(match dialect {
                    Dialect::Bril => planish_bril::text::write(&program),
                    _ => planish_bril::json::write(&program),
                }
                .into_bytes())
            }
            Dialect::Trace | Dialect::PypyLog => {
                Err(format!("error: a program in {} cannot be written as {dialect}", self.dialect))
            }
        }
    }
}
