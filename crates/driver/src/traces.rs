//! Sessions over files of stand-alone traces.
//!
//! A file of traces is lifted when it is read and lowered when it is written; each section stays under its name.

use planish_base::{Diagnostics, Id, SideTable, SourceText, Span};
use planish_ir::module::{Descriptor, Tables};
use planish_ir::text::ValueNames;
use planish_ir::{
    Const, ExitTarget, Form, FuncId, Function, Inst, Location, Module, Symbol, Terminator, Value,
};
use planish_ops::world::TypeGuard;
use planish_ops::{Op, Type};
use planish_opt::{Entered, Meets, Short};
use planish_trace_dialect::declare::spell;
use planish_trace_dialect::descr::Vocabulary;
use planish_trace_dialect::header::Header;
use planish_trace_dialect::lift::{ExitOrigin, Lifted, Lifter, Options, Origin};
use planish_trace_dialect::lower::{self, lower};
use planish_trace_dialect::read::{self, Section, TraceFile};
use planish_trace_dialect::text::{Name, OpData, Texts};
use planish_trace_dialect::tokens::{Labels, Place, Shared, leads, sealed};
use planish_trace_dialect::vector::{self, Refused, Stage};
use planish_trace_dialect::{check, stats, write};

use crate::run::{Compat, Outcome, Run, Settings, trace_pipeline};
use crate::statistics::{Counts, Row, Statistics};
use crate::validate;

/// The section that is a bridge.
const BRIDGE: &str = "bridge";

/// A file of stand-alone traces.
pub(crate) struct TraceSession {
    source: SourceText,
    file: TraceFile,
    module: Module,
    /// For each section its function and what else its text said.
    lifted: Vec<(FuncId, Origin)>,
    /// The first trace that was found to leave always, and where.
    invalid: Option<String>,
    /// Whether loops have a first iteration of their own, and guards may be added at the end of others.
    unroll: bool,
    /// What values at the end of the first trace once were.
    runtime: Vec<(usize, String)>,
    bridge_runtime: Vec<(usize, String)>,
    /// Whether the last section is a bridge that may enter the loops of the others.
    bridges: bool,
    /// Where the bridge went.
    entered: Option<Entered>,
    /// What another trace does before it enters the loop of a section, by section.
    shorts: Vec<Option<(FuncId, Origin)>>,
    /// Whether the traces are behind an optimizer, which writes elidable calls as plain ones.
    optimized: bool,
    /// The optimizer that was followed.
    compat: Option<Compat>,
    /// The stages of vectorization that the file asks for, and the vocabulary that they need.
    stages: Vec<Stage>,
    vocabulary: Vocabulary,
    /// Why a loop was not made one of vectors.
    refused: Option<Refused>,
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
            unroll: false,
            runtime: Vec::new(),
            bridge_runtime: Vec::new(),
            bridges: false,
            entered: None,
            shorts: Vec::new(),
            optimized: false,
            compat: None,
            stages: Vec::new(),
            vocabulary: Vocabulary::new(),
            refused: None,
        };
        if diagnostics.has_errors() {
            return session;
        }
        // What is declared holds for the file, also where it stands in a section.
        let inside = session.file.sections.iter().flat_map(|section| &section.directives);
        let inside = inside.filter(|&&directive| Header::is_of_file(source, directive));
        let declarations: Vec<Span> = session.file.directives.iter().chain(inside).copied().collect();
        let mut vocabulary = Vocabulary::declared(Header::read(source, &declarations, diagnostics));
        for section in &session.file.sections {
            check::descriptors(&section.trace, &session.file.texts, vocabulary.header(), source, diagnostics);
        }
        session.bridges = vocabulary.header().mode.as_deref() == Some("bridge");
        let begins_for_bridge = session.begins_for_bridge();
        let shared = session.labels(begins_for_bridge, diagnostics);
        if diagnostics.has_errors() {
            return session;
        }
        vocabulary.declare(&mut session.module);
        if vocabulary.header().mode.as_deref() == Some("bridge") {
            vocabulary.declare_guards(&mut session.module);
        }
        vocabulary.declare_layouts(&mut session.module);
        let header = vocabulary.header();
        let passes = header.opts.as_deref().unwrap_or("");
        session.unroll =
            header.mode.as_deref() == Some("unroll") || passes.split(':').any(|pass| pass == "unroll");
        session.runtime = header.runtime.clone();
        session.bridge_runtime = header.bridge_runtime.clone();
        session.stages.clone_from(&header.stages);
        for (index, section) in session.file.sections.iter().enumerate() {
            let name = match section.name {
                Some(name) => session.file.texts.get(name).to_owned(),
                None => format!("trace{index}"),
            };
            let options = Options {
                expand_virtual_refs: true,
                first_exit: session.lifted.iter().map(|(_, origin)| origin.exits.len() as u32).sum(),
                begins_for_others: begins_for_bridge && index == 0,
                ..Options::default()
            };
            let mut lifter = Lifter::new(&mut session.module, &session.file.texts, &mut vocabulary, options)
                .entered(&shared);
            if let Some(Lifted { function, origin }) = lifter.lift(&name, &section.trace, diagnostics) {
                let id = session.module.functions.push(function);
                session.lifted.push((id, origin));
            }
        }
        session.vocabulary = vocabulary;
        session
    }

    /// Whether the bridge of the file goes to the beginning of the first section. What an optimizer made of a bridge may
    /// say that it goes to a body.
    fn begins_for_bridge(&self) -> bool {
        let TraceFile { sections, texts, .. } = &self.file;
        let is_bridge = |section: &Section| section.name.is_some_and(|name| texts.get(name) == BRIDGE);
        let elsewhere = |&span: &Span| {
            let target = self.source.slice(span).trim_start_matches("#!").trim().strip_prefix("target ");
            target.is_some_and(|target| target.trim() != "Preamble")
        };
        let to_start = |section: &Section| is_bridge(section) && !section.directives.iter().any(elsewhere);
        self.bridges && sections.iter().any(to_start) && !sections.first().is_some_and(is_bridge)
    }

    /// Holds the jumps of all sections against their labels. The tokens to whose labels other sections jump.
    fn labels(&self, begins_for_bridge: bool, diagnostics: &mut Diagnostics) -> Shared {
        let (TraceFile { sections, texts, .. }, source) = (&self.file, &self.source);
        let place = |number: usize| Place { number, trace: &sections[number].trace, texts, source };
        let mut labels = Labels::default();
        (0..sections.len()).for_each(|number| labels.add(place(number)));
        (0..sections.len()).for_each(|number| labels.jump(place(number), diagnostics));
        labels.twice(source, diagnostics);
        let shared = labels.shared(texts);
        for (number, section) in sections.iter().enumerate() {
            if begins_for_bridge && section.name.is_some_and(|name| texts.get(name) == BRIDGE) {
                Labels::bridge(place(0), place(number), diagnostics);
            }
            let leads = |op: &OpData| begins_for_bridge && number == 0 && leads(&section.trace, op);
            let is_shared = |op: &OpData| op.descr.is_some_and(|token| shared.contains(&token)) || leads(op);
            sealed(place(number), is_shared, diagnostics);
        }
        shared
    }

    /// Holds the jumps of several files against the labels of all of them.
    pub fn hold_together(files: &[&TraceSession]) -> Result<(), String> {
        let all = files
            .iter()
            .flat_map(|session| session.file.sections.iter().map(move |section| (session, section)));
        let places = all.enumerate().map(|(number, (session, section))| Place {
            number,
            trace: &section.trace,
            texts: &session.file.texts,
            source: &session.source,
        });
        let places: Vec<Place<'_>> = places.collect();
        let mut labels = Labels::default();
        places.iter().for_each(|&place| labels.add(place));
        let mut found = String::new();
        for session in files {
            let mut diagnostics = Diagnostics::new();
            let own = places.iter().filter(|place| std::ptr::eq(place.source, &session.source));
            own.for_each(|&place| labels.jump(place, &mut diagnostics));
            labels.twice(&session.source, &mut diagnostics);
            found.push_str(&diagnostics.render(&session.source));
        }
        if found.is_empty() { Ok(()) } else { Err(found) }
    }

    /// The functions, in the order of the sections.
    pub fn module(&self) -> &Module {
        &self.module
    }

    /// Puts every trace through the stages of vectorization that the file asks for, and through nothing else.
    fn vectorize(&mut self, settings: &Settings) -> Result<Outcome, String> {
        let run = Run::new(settings, "", Form::Trace)?;
        let mut statistics = Statistics::default();
        let TraceFile { sections, texts, .. } = &mut self.file;
        // The words that the stages add come behind those that they ask about.
        let spelled = texts.clone();
        let vocabulary = &self.vocabulary;
        let item = |text| vocabulary.item(spelled.get(text));
        for section in sections {
            let before = counts(&stats::Parts::of(&section.trace, texts).total());
            let mut trace = section.trace.clone();
            let mut stages = self.stages.iter();
            let done = stages.try_for_each(|stage| {
                trace = vector::run(&trace, stage, texts, &item)?;
                Ok(())
            });
            match done {
                Ok(()) => section.trace = trace,
                Err(refused) => self.refused = self.refused.take().or(Some(refused)),
            }
            let name = section.name.map_or("trace", |name| texts.get(name)).to_owned();
            let after = Some(counts(&stats::Parts::of(&section.trace, texts).total()));
            statistics.rows.push(Row { name, before, after, peer: None, invalid: None, logged: None });
        }
        Ok(run.finish(statistics))
    }

    /// Optimizes every trace.
    pub fn optimize(&mut self, settings: &Settings) -> Result<Outcome, String> {
        if !self.stages.is_empty() {
            return self.vectorize(settings);
        }
        let unroll = if self.unroll { ":peel" } else { "" };
        let mut run = Run::new(settings, &format!("{}{unroll}", trace_pipeline(settings)), Form::Trace)?;
        if self.bridges && settings.compat == Some(Compat::Pypy) {
            // There a bridge goes to the body of the loop that it fits, and hands over what that wants.
            self.module.functions.values_mut().for_each(Function::close_entrances);
        }
        let original = self.original(settings);
        if self.unroll && settings.compat == Some(Compat::Pypy) {
            self.mark_ends();
        }
        let mut statistics = Statistics::default();
        let mut shorts = Vec::new();
        let Module { functions, descriptors, symbols, .. } = &mut self.module;
        let mut interned = |values: &[(usize, String)]| -> Vec<(usize, Symbol)> {
            values.iter().map(|(position, name)| (*position, symbols.intern_str(name))).collect()
        };
        descriptors.set_spells(|text| spell(text).is_some());
        let (runtime, bridge_runtime) = (interned(&self.runtime), interned(&self.bridge_runtime));
        for (id, origin) in &self.lifted {
            let function = &mut functions[*id];
            let bridge = self.bridges && function.name == BRIDGE;
            run.meets = match bridge {
                _ if !self.bridges || settings.compat != Some(Compat::Pypy) => Meets::Nobody,
                true => Meets::Loops,
                false => Meets::Followers,
            };
            let runtime = if bridge { &bridge_runtime } else { &runtime };
            let before = Counts::of(function);
            let texts = &self.file.texts;
            let mut guesses = Vec::new();
            for &(position, symbol) in runtime {
                guesses.resize(guesses.len().max(position + 1), None);
                guesses[position] = Some(function.make_constant(Const::Symbol(symbol, Type::Ref)));
            }
            descriptors.set_next_symbol(Some(symbols.len() as u32));
            let named = |f: &Function| names(f, origin, texts);
            let ran = run.guarded(function, &guesses, descriptors, Tables { descriptors, symbols }, named);
            self.entered = self.entered.or(ran.entered);
            shorts.push(ran.short);
            for text in run.new_texts() {
                let name = spell(text).ok_or("error: a string cannot be spelled in a trace")?;
                let expected = Symbol::from_index(symbols.len());
                let symbol = symbols.intern(name);
                debug_assert_eq!(symbol, expected, "a new string is a new symbol");
                descriptors.set_text(symbol, text.clone());
            }
            let mut row = Row {
                name: function.name.clone(),
                before,
                after: Some(Counts::of(function)),
                peer: None,
                invalid: None,
                logged: None,
            };
            if let Some(inst) = ran.fails {
                let reason = reason(function, inst);
                self.invalid.get_or_insert_with(|| reason.clone());
                row.invalid = Some(reason);
            }
            statistics.rows.push(row);
        }
        self.shorts = (shorts.into_iter().enumerate())
            .map(|(number, short)| Some(self.short(number, short?)))
            .collect();
        self.optimized = true;
        self.compat = settings.compat;
        if let (Some(original), None) = (original, &self.invalid) {
            let checked = validate::modules(&original, &self.module, settings.validate, Form::Trace);
            run.checked = run.checked.take().map(|alone| alone.and(checked));
        }
        Ok(run.finish(statistics))
    }

    /// The traces as they are, where they are to be run beside what becomes of them and from one into the next.
    fn original(&self, settings: &Settings) -> Option<Module> {
        let goes_on = self.module.functions.values().any(|f| !f.entrances().is_empty());
        (settings.validate > 0 && goes_on).then(|| self.module.clone())
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
        let exits = guards.map(|_| ExitOrigin { descr: None, listed: true }).collect();
        (functions.push(function), Origin { exits, ..Origin::default() })
    }

    /// Ends every loop with the mark at which guards may leave that are added. PyPy's tests leave it out, its
    /// traces have it.
    fn mark_ends(&mut self) {
        let Module { functions, descriptors, .. } = &mut self.module;
        let name = "guard_future_condition";
        let mark = descriptors.intern(name, || Descriptor::Other);
        descriptors.set_only_marks(mark);
        for (id, origin) in &mut self.lifted {
            let function = &mut functions[*id];
            let last = function.blocks()[function.blocks().len() - 1];
            let bridge = self.bridges && function.name == BRIDGE;
            if !bridge && !matches!(function.terminator(last), Terminator::Jump(_)) {
                continue;
            }
            let marked = |&inst: &Inst| function.inst(inst).descr == Some(mark);
            if function.block_insts(last).last().is_some_and(marked) {
                continue;
            }
            let number = origin.first_exit + origin.exits.len() as u32;
            origin.exits.push(ExitOrigin { descr: None, listed: true });
            let exit = function.make_exit(ExitTarget::Leave(number), &[], None);
            let location = Location::default();
            let inst = function.make_inst(Op::GuardOther, &[], &[], Some(mark), Some(exit), location);
            function.append_inst(last, inst);
        }
    }

    /// The file with every section lowered anew.
    pub fn write(&self) -> Result<String, String> {
        if let Some(reason) = &self.invalid {
            return Err(format!("invalid loop: {reason}"));
        }
        if let Some(refused) = &self.refused {
            return Err(refused.to_string());
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
        for (number, (section, (id, origin))) in self.file.sections.iter().zip(&self.lifted).enumerate() {
            if let Some(name) = section.name {
                out.push_str(&format!("#! section {}\n", texts.get(name)));
            }
            if section.name.is_some_and(|name| texts.get(name) == BRIDGE) {
                match self.entered {
                    Some(Entered::Loop(number)) => out.push_str(&format!("#! target Loop{number}\n")),
                    Some(Entered::Start) => out.push_str("#! target Preamble\n"),
                    Some(Entered::None) => out.push_str("#! target RETRACE\n"),
                    None => {}
                }
            }
            for &span in &section.directives {
                line(&mut out, span);
            }
            if !self.stages.is_empty() {
                write::trace(&section.trace, &texts, &mut out);
                continue;
            }
            let function = &self.module.functions[*id];
            // To PyPy an amount is whatever the source shifts by.
            let plain = self.compat == Some(Compat::Pypy);
            // PyPy's tests leave tokens out, and divide what is peeled into sections.
            let tokens = !plain || section.name.is_some() && !self.bridges;
            let options =
                lower::Options { behind_optimizer: self.optimized, amount_fits: &|_| plain, tokens };
            let lowered = lower(function, &self.module, origin, options, &mut texts)
                .map_err(|illegal| format!("error: {}: {illegal}", function.name))?;
            match lowered.peeled() {
                Some((preamble, body)) if self.unroll && section.name.is_none() => {
                    out.push_str("#! section preamble\n");
                    write::trace(&preamble, &texts, &mut out);
                    out.push_str("#! section loop\n");
                    write::body(&body, &texts, &mut out);
                    if let Some(Some((id, origin))) = self.shorts.get(number) {
                        out.push_str("#! section short\n");
                        let short =
                            lower(&self.module.functions[*id], &self.module, origin, options, &mut texts)
                                .map_err(|illegal| format!("error: short preamble: {illegal}"))?;
                        write::trace(&short, &texts, &mut out);
                    }
                }
                _ => write::trace(&lowered, &texts, &mut out),
            }
        }
        Ok(out)
    }
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
