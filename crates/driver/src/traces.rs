//! Sessions over traces: files of stand-alone traces, and PyPy's logs.
//!
//! A file of traces is lifted when it is read and lowered when it is written; each section stays under
//! its name. A log is optimized in one go, a trace at a time, since its traces are many and independent;
//! what was made is written behind each raw trace. A trace that cannot be lifted or lowered is reported
//! and left as it is.

use planish_base::{Diagnostics, Id, SideTable, SourceText};
use planish_ir::module::Tables;
use planish_ir::text::ValueNames;
use planish_ir::{FuncId, Function, Inst, Module, Value};
use planish_trace_dialect::descr::Vocabulary;
use planish_trace_dialect::lift::{Lifted, Lifter, Options, Origin};
use planish_trace_dialect::lower::{self, lower};
use planish_trace_dialect::pypylog::{self, Log, SectionId};
use planish_trace_dialect::read::{self, TraceFile};
use planish_trace_dialect::relog::{self, Verdict};
use planish_trace_dialect::text::{Name, Texts};
use planish_trace_dialect::{stats, write};

use crate::session::{Outcome, Run};
use crate::statistics::{Counts, Row, Statistics};

/// A file of stand-alone traces.
pub(crate) struct TraceSession {
    source: SourceText,
    file: TraceFile,
    module: Module,
    /// For each section its function and what else its text said.
    lifted: Vec<(FuncId, Origin)>,
    /// The first trace that was found to leave always, and where.
    invalid: Option<String>,
}

impl TraceSession {
    /// Reads and lifts every section. What is returned is of use only without errors.
    pub fn read(source: &SourceText, diagnostics: &mut Diagnostics) -> Self {
        let (file, found) = read::read(source);
        found.into_iter().for_each(|d| diagnostics.push(d));
        let mut session = TraceSession {
            source: source.clone(),
            file,
            module: Module::new(),
            lifted: Vec::new(),
            invalid: None,
        };
        if diagnostics.has_errors() {
            return session;
        }
        let mut vocabulary = Vocabulary::new();
        for (index, section) in session.file.sections.iter().enumerate() {
            let name = match section.name {
                Some(name) => session.file.texts.get(name).to_owned(),
                None => format!("trace{index}"),
            };
            let options = Options { log: false, expand_virtual_refs: false };
            let mut lifter = Lifter::new(&mut session.module, &session.file.texts, &mut vocabulary, options);
            if let Some(Lifted { function, origin }) = lifter.lift(&name, &section.trace, diagnostics) {
                let id = session.module.functions.push(function);
                session.lifted.push((id, origin));
            }
        }
        session
    }

    /// The functions, in the order of the sections.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Optimizes every trace.
    pub fn optimize(&mut self, mut run: Run) -> Result<Outcome, String> {
        let mut statistics = Statistics::default();
        let Module { functions, descriptors, symbols, .. } = &mut self.module;
        for (id, origin) in &self.lifted {
            let function = &mut functions[*id];
            let before = Counts::of(function);
            let texts = &self.file.texts;
            let tables = Tables { descriptors, symbols };
            let ran = run.function(function, descriptors, tables, |f| names(f, origin, texts));
            let mut row = Row {
                name: function.name.clone(),
                before,
                after: Some(Counts::of(function)),
                peer: None,
                invalid: None,
            };
            if let Some(inst) = ran.fails {
                let reason = reason(function, inst);
                self.invalid.get_or_insert_with(|| reason.clone());
                row.invalid = Some(reason);
            }
            statistics.rows.push(row);
        }
        Ok(run.finish(statistics))
    }

    /// The file with every section lowered anew.
    pub fn write(&self) -> Result<String, String> {
        if let Some(reason) = &self.invalid {
            return Err(format!("invalid loop: {reason}"));
        }
        let mut out = String::new();
        let line = |out: &mut String, span| {
            out.push_str(self.source.slice(span).trim_end());
            out.push('\n');
        };
        for &span in &self.file.directives {
            line(&mut out, span);
        }
        let mut texts = self.file.texts.clone();
        for (section, (id, origin)) in self.file.sections.iter().zip(&self.lifted) {
            if let Some(name) = section.name {
                out.push_str(&format!("#! section {}\n", texts.get(name)));
            }
            for &span in &section.directives {
                line(&mut out, span);
            }
            let function = &self.module.functions[*id];
            let lowered = lower(function, &self.module, origin, lower::Options::default(), &mut texts)
                .map_err(|illegal| format!("error: {}: {illegal}", function.name))?;
            write::trace(&lowered, &texts, &mut out);
        }
        Ok(out)
    }
}

/// What a trace that always leaves is told by: the operation that does.
fn reason(function: &Function, inst: Inst) -> String {
    let data = function.inst(inst);
    format!("{} at operation {} can never pass", data.op, data.location.0)
}

/// What the text called the values.
fn names(function: &Function, origin: &Origin, texts: &Texts) -> ValueNames {
    let mut names = SideTable::new();
    for value in (0..function.value_count()).map(Value::from_index) {
        names[value] = match origin.names[value] {
            Some(Name::Numbered(letter, number)) => Some(format!("{}{number}", char::from(letter)).into()),
            Some(Name::Other(text)) => Some(texts.get(text).as_str().into()),
            None => None,
        };
    }
    names
}

/// A log of PyPy's.
pub(crate) struct LogSession {
    log: Log,
    /// What was made of the traces, behind their raw sections.
    sections: Vec<(SectionId, String)>,
}

impl LogSession {
    /// Divides the log and reads its traces.
    pub fn read(source: SourceText, diagnostics: &mut Diagnostics) -> Self {
        let (log, found) = pypylog::read(source);
        found.into_iter().for_each(|d| diagnostics.push(d));
        LogSession { log, sections: Vec::new() }
    }

    /// Optimizes every raw trace.
    pub fn optimize(&mut self, mut run: Run) -> Result<Outcome, String> {
        let mut module = Module::new();
        let mut diagnostics = Diagnostics::new();
        // Elidable calls are written as plain ones, as PyPy writes them behind its own optimizer.
        let options = lower::Options { behind_optimizer: true, ..lower::Options::default() };
        let texts = self.log.texts.clone();
        let mut optimizer = |lifted: &mut Lifted, module: &Module| {
            let Lifted { function, origin } = lifted;
            let ran =
                run.function(function, &module.descriptors, module.tables(), |f| names(f, origin, &texts));
            match ran.fails {
                Some(inst) => Verdict::InvalidLoop(reason(function, inst)),
                None => Verdict::Done,
            }
        };
        let outcome = relog::optimize(&mut self.log, &mut module, options, &mut diagnostics, &mut optimizer);
        self.sections = outcome.sections;
        let optimized = stats::pairs(&self.log);
        let mut statistics = Statistics::default();
        for (number, trace) in outcome.traces.into_iter().enumerate() {
            if let Some(states) = run.states_of(&format!("trace{number}")) {
                states.rename(&format!("trace{number} {}", trace.place));
                let theirs = optimized[trace.section].and_then(|id| self.log.sections[id].trace.as_ref());
                if let Some(theirs) = theirs {
                    let mut text = String::new();
                    write::body(theirs, &self.log.texts, &mut text);
                    states.beside("PyPy", text);
                }
            }
            statistics.rows.push(Row {
                name: trace.place,
                before: counts(&trace.before),
                after: trace.after.map(|parts| counts(&parts.total())),
                peer: trace.pypy.map(|pypy| counts(&pypy.straight)),
                invalid: trace.invalid,
            });
        }
        Ok(run.finish(statistics))
    }

    /// The log with what was made behind each raw trace.
    pub fn write(&self) -> String {
        self.log.write(&self.sections)
    }
}

/// Hard operations are the operations of a trace.
fn counts(counts: &stats::Counts) -> Counts {
    Counts { operations: counts.hard, guards: counts.guards, allocations: counts.allocations }
}
