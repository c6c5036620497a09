//! Optimizing the traces of a session, one after the other: bridges behind their parents.

use planish_base::{Diagnostic, Diagnostics, Id};
use planish_ir::module::Tables;
use planish_ir::{Form, FuncId, Function, Module, Symbol, Value, bridge};
use planish_opt::{Entered, Short};
use planish_trace_dialect::declare::spell;

use super::bridges::Teller;
use super::given_up::LeavesAlways;
use super::{TraceSession, guesses, is_bridge, meets, names, reason, say};
use crate::run::{Outcome, Run, trace_pipeline};
use crate::settings::{Compat, Settings};
use crate::statistics::{Counts, Row, Statistics};
use crate::validate;

/// What the traces of a session are optimized with.
struct Work {
    run: Run,
    /// A run that counts what is left of bridges that are told nothing.
    untold: Option<Run>,
    teller: Option<Teller>,
    /// The pipelines for traces without a first iteration of their own, and with one.
    pipelines: [String; 2],
    pypy: bool,
    /// Which sections have their first iteration in another one.
    peeled: Vec<bool>,
    /// The numbers of the exits, in order, from which sections go on.
    bridged: Vec<u32>,
}

/// What became of a section.
struct Done {
    row: Row,
    short: Option<Short>,
    entered: Option<Entered>,
    said: Option<Diagnostic>,
}

impl TraceSession {
    /// Optimizes every trace.
    pub fn optimize(&mut self, settings: &Settings) -> Result<Outcome, String> {
        if self.is_vectorized() {
            return self.vectorize(settings);
        }
        let plain = trace_pipeline(settings);
        let run = Run::new(settings, plain, Form::Trace)?;
        let pypy = settings.compat == Some(Compat::Pypy);
        if pypy {
            self.enter_as_pypy();
            self.mark_ends();
        }
        let original = (settings.validate > 0 && self.module.goes_on()).then(|| self.module.clone());
        let tells = !self.leavings.is_empty();
        let mut work = Work {
            untold: if tells && run.counts_untold() { Some(run.quiet()?) } else { None },
            teller: tells.then(|| Teller::new(&mut self.module.descriptors, run.bridge_facts())),
            pipelines: [plain.to_owned(), format!("{plain}:peel")],
            pypy,
            peeled: self.peeled(),
            bridged: self.left_for_bridges(),
            run,
        };
        self.module.descriptors.set_spells(|text| spell(text).is_some());
        let mut done: Vec<Option<Done>> = self.sections.iter().map(|_| None).collect();
        for number in self.parents_first() {
            done[number] = Some(self.optimize_section(number, &mut work)?);
        }
        let mut run = work.run;
        let (mut statistics, mut shorts) = (Statistics::default(), Vec::new());
        let mut found: Vec<Diagnostics> = self.parts.iter().map(|_| Diagnostics::new()).collect();
        for (number, Done { row, short, entered, said }) in done.into_iter().flatten().enumerate() {
            let at = self.part_of(number);
            self.parts[at].entered = self.parts[at].entered.or(entered);
            said.into_iter().for_each(|said| found[at].push(said));
            statistics.rows.push(row);
            shorts.push(short);
        }
        self.shorts = (shorts.into_iter().enumerate())
            .map(|(number, short)| Some(self.short(number, short?)))
            .collect();
        (self.optimized, self.compat) = (true, settings.compat);
        if let Some(original) = original {
            // A bridge is true to its source where its parents leave, and nowhere else.
            let all: Vec<FuncId> = original.functions.ids().filter(|&id| !original.is_bridge(id)).collect();
            let checked =
                validate::modules_in(&original, &all, &self.module, settings.validate, Form::Trace, pypy);
            run.checked = run.checked.take().map(|alone| alone.and(checked));
        }
        let mut outcome = run.finish(statistics);
        self.parts.iter().zip(&found).for_each(|(part, found)| say(&mut outcome, part, found));
        Ok(outcome)
    }

    /// The file of a section.
    fn part_of(&self, number: usize) -> usize {
        self.parts.partition_point(|part| part.sections.end <= number)
    }

    /// Optimizes a trace. A bridge begins with what its parents know meanwhile.
    fn optimize_section(&mut self, number: usize, work: &mut Work) -> Result<Done, String> {
        let (at, id) = (self.part_of(number), self.lifted[number].0);
        let part = &self.parts[at];
        let bridge = part.bridges && is_bridge(&self.sections[number], &self.texts);
        let runtime = if bridge { &part.bridge_runtime } else { &part.runtime };
        let symbols = &mut self.module.symbols;
        let runtime: Vec<(usize, Symbol)> =
            runtime.iter().map(|(position, name)| (*position, symbols.intern_str(name))).collect();
        let [plain, peeling] = &work.pipelines;
        let pipeline = if part.unroll { peeling } else { plain };
        let runs = std::iter::once(&mut work.run).chain(&mut work.untold);
        for run in runs {
            run.turn_to(pipeline)?;
            run.peels = !work.peeled[number];
            run.bridged.clone_from(&work.bridged);
            run.meets = meets(part.bridges && work.pypy, bridge);
        }
        let mut function = std::mem::take(&mut self.module.functions[id]);
        let guesses = guesses(&mut function, &runtime);
        let (before, original) = (Counts::of(&function), function.clone());
        let told = work.teller.as_mut().and_then(|teller| teller.tell(self, number, &mut function));
        let untold = work.untold.as_mut().filter(|_| told.is_some());
        let untold = untold.and_then(|run| self.untold(run, number, original.clone(), &guesses));
        let named = |f: &Function| names(f, &self.lifted[number].1, &self.texts);
        let Module { descriptors, symbols, .. } = &mut self.module;
        descriptors.set_next_symbol(Some(symbols.len() as u32));
        let tables = Tables { descriptors, symbols };
        let ran = work.run.caught(&mut function, &guesses, descriptors, tables, named);
        for text in work.run.new_texts() {
            let name = spell(text).ok_or("error: a string cannot be spelled in a trace")?;
            let expected = Symbol::from_index(symbols.len());
            let symbol = symbols.intern(name);
            debug_assert_eq!(symbol, expected, "a new string is a new symbol");
            descriptors.set_text(symbol, text.clone());
        }
        let fails = ran.as_ref().and_then(|ran| ran.fails);
        let invalid = fails.map(|inst| reason(&function, inst));
        let said = fails.map(|inst| {
            self.given_up[number] = true;
            LeavesAlways::new(&function, inst, &original).said(&self.sections[number].trace, work.pypy)
        });
        let after = ran.filter(|_| fails.is_none());
        if after.is_none() {
            function = original;
        } else if told.is_some() {
            bridge::forget(&mut function, descriptors);
        }
        let counts = after.is_some().then(|| Counts::of(&function));
        let after = after.unwrap_or_default();
        let name = function.name.clone();
        let row = Row { name, before, after: counts, peer: None, invalid, told, untold, logged: None };
        self.module.functions[id] = function;
        Ok(Done { row, short: after.short, entered: after.entered, said })
    }

    /// What is left of a bridge that is told nothing.
    fn untold(
        &self,
        run: &mut Run,
        number: usize,
        mut function: Function,
        guesses: &[Option<Value>],
    ) -> Option<Counts> {
        let Module { descriptors, symbols, .. } = &self.module;
        let named = |f: &Function| names(f, &self.lifted[number].1, &self.texts);
        let tables = Tables { descriptors, symbols };
        let ran = run.caught(&mut function, guesses, descriptors, tables, named)?;
        ran.fails.is_none().then(|| Counts::of(&function))
    }
}
