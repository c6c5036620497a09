//! A pass: its row, and what it does with the [context](PassCx) that it is given.

use planish_ir::{Function, Module};

use crate::context::PassCx;
use crate::info::PassInfo;
use crate::record::Record;

/// A pass over functions. Whoever uses the library can make one, and push it onto a pipeline.
pub trait Pass: Send + Sync {
    /// What is known of it.
    fn info(&self) -> &PassInfo;

    /// Changes a function whose form the [info](Self::info) names. Every change is asked for first
    /// ([`PassCx::rewrite`]): what was not recorded did not happen.
    fn run(&self, f: &mut Function, cx: &mut PassCx<'_>);
}

/// A pass that is a constant: its row and its function.
pub struct FunctionPass {
    /// What is known of it.
    pub info: PassInfo,
    /// Does it.
    pub run: fn(&mut Function, &mut PassCx<'_>),
}

impl Pass for FunctionPass {
    fn info(&self) -> &PassInfo {
        &self.info
    }

    fn run(&self, f: &mut Function, cx: &mut PassCx<'_>) {
        (self.run)(f, cx);
    }
}

/// A pass over a module.
pub struct ModulePass {
    /// What is known of it.
    pub info: PassInfo,
    /// Does it.
    pub run: fn(&mut Module, &mut Record),
}

/// Runs a pass on a function that it takes; any other stays as it is.
pub fn apply(pass: &dyn Pass, f: &mut Function, mut cx: PassCx<'_>) {
    if pass.info().handlers || !f.has_handlers() {
        pass.run(f, &mut cx);
    }
}
