//! Rounds: a function goes through the pipeline again as long as that changes it.
//!
//! What a late pass does may be of use to an early one. So a program that is small is finished: what was optimized is
//! optimized, and a second run leaves it as it is. For a large one there is room for a few of its functions, and it takes as
//! long as one round does.

use std::time::Duration;

use planish_base::Budget;
use planish_book as book;
use planish_ir::module::Tables;
use planish_ir::{Form, Function, Value, text};
use planish_ops::world::World;
use planish_opt::{Options, Ran, egraph};

use crate::run::{ROUNDS, Run, Watch, legalized, options};
use crate::settings::EngineChoice;

/// How many operations of a program of so many may go through further rounds.
pub(crate) fn further_rounds(operations: u64) -> Budget {
    Budget::new("further rounds", (operations / 16).max(1_000))
}

/// How many operations a function has.
pub(crate) fn size(function: &Function) -> u64 {
    function.live_inst_count() as u64
}

/// Whether a trace can never be gone through: what becomes of it is not written. An arm of a function in which something
/// always fails is as good as any other.
fn is_lost(form: Form, ran: &Ran) -> bool {
    form == Form::Trace && ran.fails.is_some()
}

impl Run {
    /// Runs the pipeline on a function, and again as long as that changes it and there is room.
    ///
    /// Whether a round changed anything is asked of the text: what is moved to and fro is a rewrite, and no change.
    pub(crate) fn rounds(
        &mut self,
        function: &mut Function,
        runtime: &[Option<Value>],
        world: &dyn World,
        tables: Tables<'_>,
        watch: &mut Watch<'_>,
    ) -> Ran {
        // The e-graph engine has the pipeline on both of its sides.
        let may_go_on = self.settings.passes.is_none() && self.settings.engine == EngineChoice::Linear;
        let mut further = if may_go_on { ROUNDS - 1 } else { 0 };
        let text =
            |function: &Function| text::write_function_with(tables, function, text::Options::default());
        let mut before = self.has_room(function, further).then(|| text(function));
        let mut ran = Ran::default();
        loop {
            let mut round = self.round(function, runtime, world, watch, before.is_none());
            let times = [std::mem::take(&mut ran.times), std::mem::take(&mut round.times)].concat();
            ran = Ran { times, ..round };
            let Some(was) = before.take().filter(|_| !is_lost(self.form, &ran)) else { return ran };
            let is = text(function);
            if was == is || !self.has_room(function, further) || !self.further.take(size(function)) {
                return ran;
            }
            further -= 1;
            before = Some(is);
        }
    }

    /// Whether a function may go through the pipeline once more behind the next round.
    fn has_room(&self, function: &Function, further: usize) -> bool {
        further > 0 && self.further.limit() - self.further.used() >= size(function)
    }

    /// Runs the pipeline on a function once; where they are asked for, the e-graph engine and the pipeline once more, and what
    /// the dialect has to say otherwise.
    fn round(
        &mut self,
        function: &mut Function,
        runtime: &[Option<Value>],
        world: &dyn World,
        watch: &mut Watch<'_>,
        is_last: bool,
    ) -> Ran {
        let Run {
            settings,
            disabled,
            target,
            meets,
            peels,
            bridged,
            optimizer,
            pipeline,
            form,
            record,
            graphs,
            ..
        } = self;
        let (legalize, bodies) = (&self.legalize, &self.bodies);
        let disabled = disabled.as_deref();
        let options = Options {
            runtime,
            meets: *meets,
            peels: *peels,
            bridged,
            ..options(settings, disabled, *target)
        };
        optimizer.engine.forget_texts();
        let mut ran = optimizer.run(pipeline, function, world, record, options, watch);
        if settings.engine == EngineChoice::Egraph && !is_lost(*form, &ran) {
            let (price, chaos) = (target.price, options.chaos.map(|chaos| chaos.about(&function.name)));
            let rules =
                egraph::Rules { source: egraph::Source::Book, first: 0, disabled, price, bodies, chaos };
            egraph::run(function, rules, record, graphs.as_mut());
            if let Some(extra) = &settings.rules {
                let (source, first) = (egraph::Source::Read(extra), book::RULES.len() as u32);
                let rules = egraph::Rules { source, first, disabled: None, price, bodies, chaos };
                egraph::run(function, rules, record, None);
            }
            record.next_step();
            watch.state("egraph", function);
            let again = optimizer.run(pipeline, function, world, record, options, watch);
            ran.fails = again.fails;
            ran.times.push(Duration::ZERO);
            ran.times.extend(again.times);
        }
        // Steps are told by their number: those of the next round follow these, whether there was anything to say.
        if legalize.is_some_and(|legalize| legalize(function) || !is_last) {
            let last = optimizer.run(&legalized(), function, world, record, options, watch);
            ran.times.extend(last.times);
        }
        ran
    }
}
