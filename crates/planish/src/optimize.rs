//! Optimizing a module or a function.

use std::sync::Arc;

use planish_ir::{Form, Function, Module, verify_module};
use planish_ops::world::World;
use planish_opt::remarks::{Names, Remark, positions, remarks};
use planish_opt::{Optimizer, Options, Pass, Pipeline, PipelineError, Record, Target};
use planish_rules::RuleSet;

use crate::Error;

/// What an optimization did.
pub struct Optimized {
    /// Counts and, if it was asked to keep them, every rewrite.
    pub record: Record,
    names: Names,
}

impl Optimized {
    /// Every rewrite in words, in order; none unless the record [kept](Record::logging) them. Values are called by their
    /// position in the function as it was before its passes, `v0`, `v1`, ...
    pub fn remarks(&self) -> impl Iterator<Item = Remark> + '_ {
        remarks(&self.record, &self.names)
    }
}

/// An optimizer: a pipeline, and under which conditions it runs. It may be used for any number of modules, and keeps its
/// memory between them; the result of one does not depend on those before it.
///
/// The time of the default pipeline is about linear in the size of the functions, and what inlining, unrolling and rules may
/// add is bounded (see `docs/limits.md`). Equal inputs give equal outputs.
pub struct Planish<'a> {
    pipeline: Pipeline,
    optimizer: Optimizer,
    options: Options<'a>,
}

impl Default for Planish<'_> {
    fn default() -> Self {
        Planish::new()
    }
}

impl<'a> Planish<'a> {
    /// What `planish opt` does to a program of statements: [`Pipeline::PROGRAM`], tail recursion and inlining first.
    pub fn new() -> Self {
        Planish::with_passes(Pipeline::PROGRAM).expect("it is made of passes")
    }

    /// The passes of a text like `inline:rewrite:pure:dead`; `docs/passes.md` has all names.
    ///
    /// # Errors
    ///
    /// A name that is no pass, a pass that does not take control-flow graphs, an option that the pass does not have.
    pub fn with_passes(passes: &str) -> Result<Self, PipelineError> {
        Ok(Planish::with_pipeline(Pipeline::parse(passes, Form::Cfg)?))
    }

    /// A pipeline that was put together by hand.
    pub fn with_pipeline(pipeline: Pipeline) -> Self {
        Planish { pipeline, optimizer: Optimizer::new(), options: Options::QUIET }
    }

    /// Adds a pass of one's own behind the others.
    ///
    /// # Errors
    ///
    /// The pass does not take functions of the pipeline's form.
    pub fn then(mut self, pass: impl Pass + 'static) -> Result<Self, PipelineError> {
        self.pipeline.push(Arc::new(pass))?;
        Ok(self)
    }

    /// Adds passes by their names behind the others.
    ///
    /// # Errors
    ///
    /// Those of [`with_passes`](Self::with_passes).
    pub fn then_passes(mut self, passes: &str) -> Result<Self, PipelineError> {
        self.pipeline.append(passes)?;
        Ok(self)
    }

    /// Rules that are tried before those of the book. Whether they are right is not asked here: see
    /// [`prove_rules`](crate::prove_rules).
    #[must_use]
    pub fn with_rules(mut self, rules: &'a RuleSet) -> Self {
        self.options.extra = Some(rules);
        self
    }

    /// What operations cost, and where values live.
    #[must_use]
    pub fn for_target(mut self, target: Target<'a>) -> Self {
        self.options.target = target;
        self
    }

    /// Everything else that a run can be told: rules that are left out, limits of work, verification of each step.
    #[must_use]
    pub fn with_options(mut self, options: Options<'a>) -> Self {
        self.options = options;
        self
    }

    /// The pipeline.
    pub fn pipeline(&self) -> &Pipeline {
        &self.pipeline
    }

    /// Optimizes the functions of a module, calls between them included. The record counts every rewrite by its pass or
    /// rule.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] when the module breaks an invariant; it is as it was then.
    ///
    /// # Panics
    ///
    /// Where a pass breaks a function that it was given whole, if [verification](Options::verify) is on, as it is with
    /// debug assertions.
    pub fn optimize(&mut self, module: &mut Module) -> Result<Record, Error> {
        Ok(self.optimize_with(module, Record::new())?.record)
    }

    /// The same with a record of one's own: one with [fuel](Record::with_fuel) lets no more rewrites happen, and of one that
    /// [keeps](Record::logging) every rewrite there are [remarks](Optimized::remarks) afterwards.
    ///
    /// # Errors
    ///
    /// Those of [`optimize`](Self::optimize).
    ///
    /// # Panics
    ///
    /// As [`optimize`](Self::optimize) does.
    pub fn optimize_with(&mut self, module: &mut Module, mut record: Record) -> Result<Optimized, Error> {
        let found = verify_module(module, self.pipeline.form());
        if !found.is_empty() {
            return Err(Error::Invalid(found));
        }
        self.optimizer.run_on_module(&self.pipeline, module, &mut record, self.options);
        let mut names = Names::default();
        let Module { functions, descriptors, symbols, .. } = module;
        for f in functions.values_mut() {
            let known = record.is_logging().then(|| positions(f));
            self.optimizer.run(&self.pipeline, f, descriptors, &mut record, self.options, &mut ());
            if let Some(known) = known {
                names.add(f, known, symbols);
            }
            record.next_function();
        }
        Ok(Optimized { record, names })
    }

    /// Optimizes one function in a world of one's own, which says what its descriptors stand for. Passes over modules are
    /// left out.
    ///
    /// # Panics
    ///
    /// Where the function is not valid, if [verification](Options::verify) is on, as it is with debug assertions: ask
    /// [`ir::verify`](fn@crate::ir::verify) about one that others made.
    pub fn optimize_function(&mut self, f: &mut Function, world: &dyn World) -> Record {
        let mut record = Record::new();
        self.optimizer.run(&self.pipeline, f, world, &mut record, self.options, &mut ());
        record
    }
}
