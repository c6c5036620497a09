//! Sessions over files of stand-alone traces.
//!
//! Files of traces are lifted when they are read (`reading`) and lowered when they are written; each section stays under
//! its name, in its file. Files that are given together are one program: the same name is the same thing in all of them,
//! and a trace may go on in one of another file.

mod bridges;
mod given_up;
mod leaving;
mod optimizing;
mod reading;
mod side_by_side;

use std::ops::Range;

use planish_base::{Diagnostic, Diagnostics, Id, SideTable, SourceText, Span};
use planish_ir::module::Descriptor;
use planish_ir::text::ValueNames;
use planish_ir::{
    Const, ExitTarget, Form, FuncId, Function, Inst, Location, Module, Symbol, Terminator, Value,
};
use planish_ops::world::{TypeGuard, World};
use planish_ops::{Op, Type};
use planish_opt::{Entered, Meets, Short};
use planish_trace_dialect::descr::Vocabulary;
use planish_trace_dialect::kept_names::keep_names;
use planish_trace_dialect::lift::{ExitOrigin, Origin};
use planish_trace_dialect::lower::{self, lower};
use planish_trace_dialect::read::Section;
use planish_trace_dialect::text::{Name, Texts};
use planish_trace_dialect::tokens::Shared;
use planish_trace_dialect::vector::{self, Refused, Stage};
use planish_trace_dialect::{stats, write};

use crate::run::{Outcome, Run};
use crate::settings::{Compat, Settings};
use crate::statistics::{Counts, Row, Statistics};
use leaving::Leaving;

/// The section that is a bridge.
const BRIDGE: &str = "bridge";
/// The sections of a loop that was peeled: what comes before the body, the body, and what others do before they enter it.
const PREAMBLE: &str = "preamble";
const BODY: &str = "loop";
const SHORT: &str = "short";

/// Files of stand-alone traces that are one program.
pub(crate) struct TraceSession {
    parts: Vec<Part>,
    /// The strings of all files.
    texts: Texts,
    /// The traces of all files.
    sections: Vec<Section>,
    module: Module,
    /// For each section its function and what else its text said.
    lifted: Vec<(FuncId, Origin)>,
    /// The tokens to whose labels other sections jump.
    entered: Shared,
    /// By section: whether it was found to leave always, so that it is written as it was read.
    given_up: Vec<bool>,
    /// What another trace does before it enters the loop of a section, by section.
    shorts: Vec<Option<(FuncId, Origin)>>,
    /// The guards that sections go on from.
    leavings: Vec<Leaving>,
    /// Whether the traces are behind an optimizer, which writes elidable calls as plain ones.
    optimized: bool,
    /// The optimizer that was followed.
    compat: Option<Compat>,
    /// What the files declare.
    vocabulary: Vocabulary,
    /// Why a loop was not made one of vectors.
    refused: Option<(Refused, Span)>,
}

/// One file.
struct Part {
    source: SourceText,
    /// The lines above the first section.
    directives: Vec<Span>,
    /// Its traces, among those of all files.
    sections: Range<usize>,
    /// What the traces are meant for.
    mode: Option<String>,
    /// Whether loops have a first iteration of their own, and guards may be added at the end of others.
    unroll: bool,
    /// Whether nobody comes to its labels who is not given.
    closed: bool,
    /// Whether the last section is a bridge that may enter the loops of the others.
    bridges: bool,
    /// Where the bridge went.
    entered: Option<Entered>,
    /// What values at the end of the first trace once were.
    runtime: Vec<(usize, String)>,
    bridge_runtime: Vec<(usize, String)>,
    /// The stages of vectorization that the file asks for.
    stages: Vec<Stage>,
}

impl TraceSession {
    /// The functions, in the order of the sections.
    pub fn module(&self) -> &Module {
        &self.module
    }

    fn function_of(&self, section: usize) -> &Function {
        &self.module.functions[self.lifted[section].0]
    }

    fn is_named(&self, section: &Section, name: &str) -> bool {
        is_called(section, name, &self.texts)
    }

    /// Whether a file asks for stages of vectorization.
    pub fn is_vectorized(&self) -> bool {
        self.parts.iter().any(|part| !part.stages.is_empty())
    }

    /// Puts every trace through the stages of vectorization that the file asks for, and through nothing else.
    fn vectorize(&mut self, settings: &Settings) -> Result<Outcome, String> {
        let [Part { stages, .. }] = &self.parts[..] else {
            return Err("error: a file that asks for stages of vectorization is optimized alone".to_owned());
        };
        let run = Run::new(settings, "", Form::Trace)?;
        let mut statistics = Statistics::default();
        let TraceSession { sections, texts, .. } = self;
        // The words that the stages add come behind those that they ask about.
        let spelled = texts.clone();
        let vocabulary = &self.vocabulary;
        let item = |text| vocabulary.item(spelled.get(text));
        for section in sections {
            let before = counts(&stats::Parts::of(&section.trace, texts).total());
            let mut trace = section.trace.clone();
            let done: Result<(), Refused> = stages.iter().try_for_each(|stage| {
                trace = vector::run(&trace, stage, texts, &item)?;
                Ok(())
            });
            match done {
                Ok(()) => {
                    keep_names(&section.trace, &mut trace);
                    section.trace = trace;
                }
                Err(refused) => {
                    let place = refused.place.unwrap_or(section.trace.begins);
                    self.refused = self.refused.take().or(Some((refused, place)));
                }
            }
            let name = section.name.map_or("trace", |name| texts.get(name)).to_owned();
            let after = Some(counts(&stats::Parts::of(&section.trace, texts).total()));
            statistics.rows.push(Row {
                name,
                before,
                after,
                peer: None,
                invalid: None,
                told: None,
                untold: None,
                logged: None,
            });
        }
        Ok(run.finish(statistics))
    }

    /// Lets only those labels be entered that others would enter behind PyPy's optimizer: what a trace that is not given
    /// knows of a label is not asked for, and a bridge goes to the body of the loop that it fits, and hands over what that
    /// wants.
    fn enter_as_pypy(&mut self) {
        let bridges = self.parts.iter().any(|part| part.bridges);
        let Module { functions, descriptors, .. } = &mut self.module;
        let entered = |name: &str| {
            let token = self.texts.lookup_str(name.strip_prefix("jump ")?)?;
            Some(self.entered.contains(&token))
        };
        for function in functions.values_mut() {
            function.retain_entrances(|descr| !bridges && entered(descriptors.name(descr)) == Some(true));
        }
    }

    /// Takes up a short preamble, which is a trace of its own.
    fn short(&mut self, number: usize, short: Short) -> (FuncId, Origin) {
        let Short { mut function, type_guards } = short;
        function.name = format!("short of {}", self.module.functions[self.lifted[number].0].name);
        let Module { functions, descriptors, .. } = &mut self.module;
        for (inst, asks) in type_guards {
            let word = match asks {
                TypeGuard::Object => "guard_is_object",
                TypeGuard::Derives => "guard_subclass",
                TypeGuard::Layout => "guard_gc_type",
            };
            let descr = descriptors.intern(word, || Descriptor::Other);
            function.set_descr(inst, Some(descr));
        }
        let mark = descriptors.intern("jump", || Descriptor::Other);
        let block = function.blocks()[0];
        let inst = function.make_inst(Op::Marker, &[], &[], Some(mark), None, Location::default());
        function.append_inst(block, inst);
        let guards = function.block_insts(block).iter().filter(|&&inst| function.inst(inst).exit.is_some());
        let exits = guards.map(|_| ExitOrigin { listed: true, ..ExitOrigin::default() }).collect();
        (functions.push(function), Origin { exits, ..Origin::default() })
    }

    /// Ends every loop of files about unrolling with the mark at which guards may leave that are added. PyPy's tests leave
    /// it out, its traces have it. Its exit is none of the text, and numbered behind all that are.
    fn mark_ends(&mut self) {
        let mut exit = self.lifted.iter().map(|(_, origin)| origin.exits.len() as u32).sum();
        let Module { functions, descriptors, .. } = &mut self.module;
        let name = "guard_future_condition";
        for part in self.parts.iter().filter(|part| part.unroll) {
            let mark = descriptors.intern(name, || Descriptor::Other);
            descriptors.set_only_marks(mark);
            for number in part.sections.clone() {
                let function = &mut functions[self.lifted[number].0];
                let last = function.blocks()[function.blocks().len() - 1];
                let bridge = part.bridges && is_bridge(&self.sections[number], &self.texts);
                if !bridge && !matches!(function.terminator(last), Terminator::Jump(_)) {
                    continue;
                }
                let marked = |&inst: &Inst| function.inst(inst).descr == Some(mark);
                if function.block_insts(last).last().is_some_and(marked) {
                    continue;
                }
                let leaves = function.make_exit(ExitTarget::Leave(exit), &[], None);
                exit += 1;
                let location = Location::default();
                let inst = function.make_inst(Op::GuardOther, &[], &[], Some(mark), Some(leaves), location);
                function.append_inst(last, inst);
            }
        }
    }

    /// The files with every section lowered anew, in order.
    pub fn write(&self) -> Result<Vec<String>, String> {
        if let Some((refused, place)) = &self.refused {
            // A file that asks for stages is alone.
            return Err(Diagnostic::error(*place, refused.to_string()).render(&self.parts[0].source));
        }
        // A token that is new is so in all files.
        let mut texts = self.texts.clone();
        self.parts.iter().map(|part| self.write_part(part, &mut texts)).collect()
    }

    /// One file.
    fn write_part(&self, part: &Part, texts: &mut Texts) -> Result<String, String> {
        let mut out = String::new();
        let line = |out: &mut String, span| {
            if !self.is_out_of_nothing(&part.source, span) {
                out.push_str(part.source.slice(span).trim_end());
                out.push('\n');
            }
        };
        part.directives.iter().for_each(|&span| line(&mut out, span));
        for number in part.sections.clone() {
            let section = &self.sections[number];
            if let Some(name) = section.name {
                out.push_str(&format!("#! section {}\n", texts.get(name)));
            }
            if is_bridge(section, texts) {
                match part.entered {
                    Some(Entered::Loop(number)) => out.push_str(&format!("#! target Loop{number}\n")),
                    Some(Entered::Start) => out.push_str("#! target Preamble\n"),
                    Some(Entered::None) => out.push_str("#! target RETRACE\n"),
                    None => {}
                }
            }
            section.directives.iter().for_each(|&span| line(&mut out, span));
            match part.stages.is_empty() {
                true if self.given_up[number] => given_up::copy(section, &part.source, &mut out),
                true => self.write_section(part, number, texts, &mut out)?,
                false => write::trace(&section.trace, texts, &mut out),
            }
        }
        Ok(out)
    }

    /// One section, and what became of it besides.
    fn write_section(
        &self,
        part: &Part,
        number: usize,
        texts: &mut Texts,
        out: &mut String,
    ) -> Result<(), String> {
        let (section, (id, origin)) = (&self.sections[number], &self.lifted[number]);
        let function = &self.module.functions[*id];
        // To PyPy an amount is whatever the source shifts by.
        let plain = self.compat == Some(Compat::Pypy);
        // PyPy's tests leave tokens out, and divide what is peeled into sections.
        let tokens = !plain || section.name.is_some() && !part.bridges;
        let divided = part.unroll && section.name.is_none();
        // In files about unrolling, labels without a token are nothing that a jump goes to.
        let about_unrolling = part.mode.as_deref() == Some("unroll");
        let options = lower::Options {
            behind_optimizer: self.optimized,
            keeps_effects: !plain,
            amount_fits: &|_| plain,
            tokens,
            name_all: (divided || about_unrolling) && !(plain && section.name.is_none()),
        };
        let mut lowered = lower(function, &self.module, origin, options, texts)
            .map_err(|illegal| format!("error: {}: {illegal}", function.name))?;
        keep_names(&section.trace, &mut lowered);
        // A label to which nothing goes is none that divides a trace, but PyPy's tests have it so.
        let divided = divided && (plain || lowered.loop_label.is_some());
        let Some((mut preamble, body)) = lowered.peeled().filter(|_| divided) else {
            write::trace(&lowered, texts, out);
            return Ok(());
        };
        if !plain {
            preamble.hand_over();
        }
        out.push_str(&format!("#! section {PREAMBLE}\n"));
        write::trace(&preamble, texts, out);
        out.push_str(&format!("#! section {BODY}\n"));
        write::body(&body, texts, out);
        if let Some(Some((id, origin))) = self.shorts.get(number) {
            out.push_str(&format!("#! section {SHORT}\n"));
            let short = lower(&self.module.functions[*id], &self.module, origin, options, texts)
                .map_err(|illegal| format!("error: short preamble: {illegal}"))?;
            write::trace(&short, texts, out);
        }
        Ok(())
    }
}

/// Adds what was found in a file to what is said of a run.
fn say(outcome: &mut Outcome, part: &Part, found: &Diagnostics) {
    outcome.given_up |= found.has_errors();
    for diagnostic in found.iter() {
        outcome.warnings += &(diagnostic.render(&part.source) + "\n");
    }
}

/// What a trace has to do with loops of those before it, if bridges go to these as PyPy's do.
fn meets(follows: bool, is_bridge: bool) -> Meets {
    match is_bridge {
        _ if !follows => Meets::Nobody,
        true => Meets::Loops,
        false => Meets::Followers,
    }
}

/// The constants that the end of a trace once was.
fn guesses(function: &mut Function, runtime: &[(usize, Symbol)]) -> Vec<Option<Value>> {
    let mut guesses = Vec::new();
    for &(position, symbol) in runtime {
        guesses.resize(guesses.len().max(position + 1), None);
        guesses[position] = Some(function.make_constant(Const::Symbol(symbol, Type::Ref)));
    }
    guesses
}

/// Whether a section is the bridge of its file.
fn is_bridge(section: &Section, texts: &Texts) -> bool {
    is_called(section, BRIDGE, texts)
}

fn is_called(section: &Section, name: &str, texts: &Texts) -> bool {
    section.name.is_some_and(|text| texts.get(text) == name)
}

/// What a trace that always leaves is told by: the operation that does.
pub(crate) fn reason(function: &Function, inst: Inst) -> String {
    let data = function.inst(inst);
    format!("{} at operation {} can never pass", data.op, data.location.0)
}

/// What the text called the values.
pub(crate) fn names(function: &Function, origin: &Origin, texts: &Texts) -> ValueNames {
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

/// Hard operations are the operations of a trace.
pub(crate) fn counts(counts: &stats::Counts) -> Counts {
    Counts { operations: counts.hard, guards: counts.guards, allocations: counts.allocations }
}
