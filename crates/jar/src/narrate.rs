//! What optimizes the bodies of a class: a run of the pipeline that can tell what it did.
//!
//! When results are compared, each function is held against itself before the pipeline, and against what was
//! written of it, in the interpreter. The error says what was different. A second run makes what is compared, which has
//! the fuel that the first one had for the body: so comparing neither counts nor burns anything, and does the same rewrites.

use std::collections::BTreeMap;

use planish_driver::explain::{self, Remark, RuleInfo, positions};
use planish_driver::instrument::PassTimes;
use planish_driver::run::Run;
use planish_driver::settings::Settings;
use planish_driver::validate::{self, Checked};
use planish_interp::Program;
use planish_ir::module::Tables;
use planish_ir::text::ValueNames;
use planish_ir::{Form, Function};
use planish_jvm::bodies::{Optimizer, Story};
use planish_jvm::transform::inline::Replacement;
use planish_jvm_ir::naming::Names as JvmNames;
use planish_jvm_model::names::show;
use planish_ops::Op;
use planish_opt::aggregates::Aggregates;
use planish_opt::passes::{
    global_code_motion, loop_invariant_loads, loop_unrolling, region_sinking, simplify_cfg, tail_recursion,
};
use planish_opt::{Chaos, Pipeline, Record, Target, machine_price};

use crate::outcome::MethodStory;

/// A body is tried on so many inputs that they are about as many instructions together, if every one ran once each time.
const INSTRUCTIONS_TRIED: u64 = 10_000;

/// On how many inputs any body is tried, unless fewer are asked for.
const FEWEST_INPUTS: u64 = 20;

/// What was done to a method in one round, for people: what became of it, what was put in the place of calls, each
/// rewrite, and the body before and after if one method was asked for.
pub fn text(told: &MethodStory, rule: RuleInfo<'_>) -> String {
    let MethodStory { story, remarks, texts } = told;
    let (before, after) = story.instructions;
    let fate = match &story.refused {
        None => format!("{before} instructions became {after}"),
        Some(why) => format!("kept as it was: {why}"),
    };
    let mut out = format!("{}: {fate}\n", show(story.method.as_bytes()));
    let mut line = |text: String| out.push_str(&format!("  {text}\n"));
    for replaced in &story.replaced {
        let (call, by) = (show(&replaced.call), show(&replaced.by));
        match replaced.how {
            Replacement::Body => line(format!("in the place of a call of {call}: the body of {by}")),
            Replacement::Variant => line(format!("a call of {call} leads to {by} now")),
            Replacement::Precise => line(format!("a call of {call} is one of {by}")),
        }
    }
    for (count, what) in [
        (story.did.constants, "values that are constants by what the whole program says"),
        (story.did.unused, "stores that nobody reads and objects that nobody uses went"),
        (story.did.direct, "calls of lambdas call what the lambda calls"),
        (story.did.loops, "loops instead of calls of itself"),
        (story.did.ordinals, "switches over enums by their ordinals"),
        (story.did.concatenated, "concatenations got constants into their recipes"),
        (story.did.replaced, "objects became their fields"),
        (story.did.moved, "calls and loops moved to where their result is used"),
        (story.did.shared, "instructions are shared by equal ends of code"),
    ] {
        if count > 0 {
            line(format!("{count} {what}"));
        }
    }
    out.push_str(&explain::lines(remarks.iter().cloned(), rule));
    for (done, text) in texts {
        out.push_str(&format!("{done}:\n{text}"));
    }
    out
}

/// The optimizer of bodies.
pub(crate) struct Narrator<'s> {
    run: Run,
    /// Does the same once more and compares, if results are compared.
    twin: Option<Run>,
    /// Whether that is at work.
    compares: bool,
    /// The rewrites before the attempt at hand.
    before: u64,
    settings: &'s Settings,
    /// The lines of the body at hand, and of each function that the run optimized, by its number.
    lines: Vec<Option<u16>>,
    lines_of: BTreeMap<u32, Vec<Option<u16>>>,
    calls: u32,
    /// The method at hand, and what is shown of it, if it is shown.
    method: String,
    texts: BTreeMap<String, Vec<(String, String)>>,
    /// The last rewrite of any attempt, and how many entries of the record were looked at for it.
    last: Option<Remark>,
    noted: usize,
}

/// What an operation costs in bytecode. The least and the most of numbers without sign take more than a call.
fn price(op: Op) -> Option<u32> {
    match op {
        Op::Umax | Op::Umin | Op::Udiv | Op::Urem => None,
        _ => machine_price(op),
    }
}

impl<'s> Narrator<'s> {
    /// An optimizer without the rules of the book that are `left_out`. The error says what is wrong with the
    /// pipeline.
    pub fn new(settings: &'s Settings, left_out: &[bool]) -> Result<Self, String> {
        let begin = |settings: &Settings| {
            let mut run = Run::new(settings, Pipeline::BYTECODE, Form::Cfg)?;
            run.leave_out(left_out);
            run.target = Target { price: &price, ..Target::STACK };
            Ok::<Run, String>(run)
        };
        let plain = Settings { states: false, graphs: false, ..settings.clone() };
        let quiet = Settings { log: false, watched: None, remains: false, witness: None, ..plain.clone() };
        Ok(Narrator {
            run: begin(&Settings { validate: 0, ..plain })?,
            twin: (settings.validate > 0).then(|| begin(&quiet)).transpose()?,
            compares: false,
            before: 0,
            settings,
            lines: Vec::new(),
            lines_of: BTreeMap::new(),
            calls: 0,
            method: String::new(),
            texts: BTreeMap::new(),
            last: None,
            noted: 0,
        })
    }

    /// Begins anew after a panic, when nobody knows in which state the engine is. What was counted stays.
    pub fn renew(&mut self, left_out: &[bool]) {
        if let Ok(new) = Narrator::new(self.settings, left_out) {
            let old = std::mem::replace(self, new);
            self.run.record.add(&old.run.record);
        }
    }

    /// The counts of all that was done.
    pub fn record(&self) -> &Record {
        &self.run.record
    }

    /// How often budgets have said no.
    pub fn refusals(&self) -> u64 {
        self.run.record.budgets().iter().map(|(_, count)| count).sum()
    }

    /// The last rewrite, of whatever became of it, if a log is kept.
    pub fn last(&self) -> Option<&Remark> {
        self.last.as_ref()
    }

    /// How long passes took, when it was asked for.
    pub fn times(&self) -> &PassTimes {
        self.run.times()
    }

    /// The run that the body at hand is for.
    fn at_work(&mut self) -> &mut Run {
        match &mut self.twin {
            Some(twin) if self.compares => twin,
            _ => &mut self.run,
        }
    }

    /// Keeps the last rewrite of the method at hand, if there was one.
    fn note_last(&mut self) {
        let entries = self.run.record.entries();
        if let Some(entry) = entries.last().filter(|_| entries.len() > self.noted) {
            self.last = Some(self.remark(entry, &self.method));
        }
        self.noted = entries.len();
    }

    /// An entry of the record of a method, for people.
    fn remark(&self, entry: &planish_opt::Entry, method: &str) -> Remark {
        let remark = Remark::of(entry, &self.run.names);
        // The locations of a body count instructions; people count lines.
        let lines = self.lines_of.get(&entry.function).or(Some(&self.lines));
        let line = lines.and_then(|lines| lines.get(remark.line as usize).copied().flatten());
        Remark { function: method.to_owned(), line: line.map_or(0, u32::from), ..remark }
    }

    /// What the stories of a class tell, with the rewrites in them; what is not asked for is left out.
    pub fn tell(&mut self, stories: impl Iterator<Item = Story>) -> Vec<MethodStory> {
        self.note_last();
        let mut told = Vec::new();
        for story in stories {
            let name = show(story.method.as_bytes());
            if !self.settings.about.has(&name) {
                continue;
            }
            let entries = self.run.record.entries();
            let from = entries.partition_point(|entry| entry.function < story.optimized.start);
            let to = entries.partition_point(|entry| entry.function < story.optimized.end);
            let remarks = entries[from..to].iter().map(|entry| self.remark(entry, &name)).collect();
            told.push(MethodStory { remarks, texts: self.texts.remove(&name).unwrap_or_default(), story });
        }
        // What was shown and has no story did not get better.
        for (method, texts) in std::mem::take(&mut self.texts) {
            let refused = Some("no better body was made".to_owned());
            told.push(MethodStory {
                story: Story { method, refused, ..Story::default() },
                remarks: Vec::new(),
                texts,
            });
        }
        self.run.forget();
        self.noted = 0;
        self.lines_of.clear();
        told
    }
}

impl Optimizer for Narrator<'_> {
    fn begin(&mut self, method: &str, lines: &[Option<u16>]) -> bool {
        // What is compared was told when it was made.
        if self.compares {
            return false;
        }
        self.before = self.run.record.total();
        if self.settings.instrument.shows() || self.settings.witness.is_some() {
            self.run.called = Some(method.to_owned());
        }
        if !self.settings.log {
            return false;
        }
        self.note_last();
        self.lines = lines.to_vec();
        self.method = method.to_owned();
        let shows = self.settings.about.is_one() && self.settings.about.has(method);
        if shows {
            // Of several attempts at a body the last one is its own.
            self.texts.remove(method);
        }
        shows
    }

    fn chaos(&self) -> Option<Chaos> {
        self.settings.chaos.map(Chaos::new)
    }

    fn record(&mut self) -> &mut Record {
        &mut self.at_work().record
    }

    fn optimize(&mut self, function: &mut Function, known: &JvmNames) -> Result<(), String> {
        let (descriptors, symbols) = (&known.module.descriptors, &known.module.symbols);
        let tables = Tables { descriptors, symbols };
        if let Some(twin) = self.twin.as_mut().filter(|_| self.compares) {
            twin.function(function, &[], known.world(), tables, |_| ValueNames::default());
            return match twin.checked.take() {
                Some(Checked::Different(text)) => Err(text),
                _ => Ok(()),
            };
        }
        let is_logged = self.settings.log;
        let names = |f: &Function| if is_logged { positions(f) } else { ValueNames::default() };
        self.run.function(function, &[], known.world(), tables, names);
        if is_logged {
            self.lines_of.insert(self.calls, self.lines.clone());
        }
        self.calls += 1;
        Ok(())
    }

    fn make_loop(&mut self, function: &mut Function, known: &JvmNames) -> bool {
        let blocks = function.blocks().len();
        self.at_work().pass(&tail_recursion::PASS, &[], function, known.world());
        function.blocks().len() > blocks
    }

    fn write_out(&mut self, function: &mut Function, known: &JvmNames) -> bool {
        let blocks = function.blocks().len();
        self.at_work().pass(&loop_unrolling::PASS, &[], function, known.world());
        function.blocks().len() > blocks
    }

    fn replace(&mut self, function: &mut Function, objects: &mut dyn Aggregates) -> u64 {
        self.at_work().replace(function, objects)
    }

    fn sink(&mut self, function: &mut Function, known: &JvmNames) -> (u64, u64) {
        let run = self.at_work();
        let moved = run.pass(&global_code_motion::PASS, &[], function, known.world());
        let regions = run.pass(&region_sinking::PASS, &[], function, known.world());
        if regions > 0 {
            // What fed a region is in front of the branch that it went behind.
            run.pass(&global_code_motion::PASS, &[], function, known.world());
            run.pass(&simplify_cfg::PASS, &[], function, known.world());
        }
        (moved, regions)
    }

    fn may_hoist(&self, function: &Function) -> bool {
        loop_invariant_loads::has_loads(function)
    }

    fn hoist(&mut self, function: &mut Function, known: &JvmNames, receiver: bool) -> u64 {
        let nonnull = (loop_invariant_loads::NONNULL.name, u64::from(receiver));
        self.at_work().pass(&loop_invariant_loads::PASS, &[nonnull], function, known.world())
    }

    fn set_comparing(&mut self, on: bool) -> bool {
        self.compares = on && self.twin.is_some();
        if let Some(twin) = self.twin.as_mut().filter(|_| on) {
            twin.record.refuel(self.settings.fuel.map(|fuel| fuel.saturating_sub(self.before)));
        }
        self.compares
    }

    fn compares(&self) -> bool {
        self.compares
    }

    fn compare(
        &mut self,
        before: &Function,
        after: &Function,
        known: &JvmNames,
        receiver: bool,
    ) -> Result<(), String> {
        let program = Program::bare(known.world()).with_receiver(receiver);
        // Each run of a long body begins by making room for all of its values, so these have fewer runs.
        let size = before.live_insts().count().max(1) as u64;
        let inputs = (INSTRUCTIONS_TRIED / size).max(FEWEST_INPUTS).min(self.settings.validate);
        match validate::functions((&program, before), (&program, after), inputs, Form::Cfg) {
            Checked::Different(text) => Err(text),
            Checked::Tested { .. } => Ok(()),
        }
    }

    fn see(&mut self, done: &str, text: String) {
        self.texts.entry(self.method.clone()).or_default().push((done.to_owned(), text));
    }
}
