//! Optimizing: one object that keeps its tables from trace to trace.

use planish_ir::{Form, bridge};
use planish_opt::{Options, Pipeline, PipelineError, Record};

use crate::refused::InvalidLoop;
use crate::trace::Trace;
use crate::words::Words;

/// The optimizer. Its tables grow with the largest trace and are used again for the next.
pub struct Optimizer {
    optimizer: planish_opt::Optimizer,
    pipeline: Pipeline,
    fuel: Option<u64>,
    work: Option<u64>,
    verify: bool,
    record: Record,
}

/// What was done to a trace.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Done {
    /// How many rewrites were made.
    pub rewrites: u64,
}

impl Default for Optimizer {
    fn default() -> Self {
        Self::new()
    }
}

impl Optimizer {
    /// All passes for traces.
    pub fn new() -> Self {
        Self::with_passes(Pipeline::TRACE).expect("the default pipeline exists")
    }

    /// Passes by name, divided by colons, such as `intbounds:rewrite:pure`.
    pub fn with_passes(passes: &str) -> Result<Self, PipelineError> {
        let pipeline = Pipeline::parse(passes, Form::Trace)?;
        Ok(Optimizer {
            optimizer: planish_opt::Optimizer::new(),
            pipeline,
            fuel: None,
            work: None,
            verify: Options::QUIET.verify,
            record: Record::new(),
        })
    }

    /// Looks at so many operations of each trace in a walk over it; those behind stay as they are, and the trace is as
    /// good as before. Without a number all are looked at.
    pub fn limit_work(&mut self, operations: Option<u64>) {
        self.work = operations;
    }

    /// Whether each trace is verified before and behind each walk over it; a mistake of Planish panics there. It is in
    /// builds with debug assertions, unless this says otherwise.
    pub fn verify(&mut self, wanted: bool) {
        self.verify = wanted;
    }

    /// Stops each trace after this many rewrites; what was done until then is valid.
    pub fn limit(&mut self, rewrites: Option<u64>) {
        self.fuel = rewrites;
    }

    /// Optimizes a trace in place, in time near-linear in its length. When it can never run to its end, it is
    /// not to be used afterwards.
    pub fn optimize(&mut self, trace: &mut Trace, words: &Words) -> Result<Done, InvalidLoop> {
        self.record.refuel(self.fuel);
        let (work, verify) = (self.work.unwrap_or(u64::MAX), self.verify);
        let options = Options { work, verify, ..Options::QUIET };
        let (function, world) = (&mut trace.function, &words.descriptors);
        let Optimizer { optimizer, record, pipeline, .. } = self;
        let ran = optimizer.run(pipeline, function, world, record, options, &mut ());
        match ran.fails {
            None => {
                if std::mem::take(&mut trace.told) {
                    bridge::forget(&mut trace.function, &words.descriptors);
                }
                Ok(Done { rewrites: self.record.total() })
            }
            Some(inst) => {
                let data = trace.function.inst(inst);
                Err(InvalidLoop { operation: data.location.0, name: data.op.name() })
            }
        }
    }
}
