//! A pass: its row, and what it does with the [context](PassCx) that it is given.

use planish_base::Id;
use planish_ir::module::Descriptors;
use planish_ir::{FuncId, Function, Module};

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
    pub run: fn(&mut Module, &mut ModuleCx<'_>),
}

/// Simplifies a function of a module, which has a number, as far as the pipeline behind a pass does.
pub type Simplify<'a> = dyn FnMut(u32, &mut Function, &Descriptors, &mut Record) + 'a;

/// What a pass over a module has besides it.
pub struct ModuleCx<'a> {
    /// Where rewrites are asked for.
    pub record: &'a mut Record,
    simplify: Option<&'a mut Simplify<'a>>,
}

impl<'a> ModuleCx<'a> {
    /// For a pass that is no part of a pipeline: no function is simplified for it.
    pub fn alone(record: &'a mut Record) -> Self {
        ModuleCx { record, simplify: None }
    }

    /// For a pass of a pipeline.
    pub fn new(record: &'a mut Record, simplify: &'a mut Simplify<'a>) -> Self {
        ModuleCx { record, simplify: Some(simplify) }
    }

    /// Simplifies a function, of which others want to know how large it is in the end.
    pub fn simplify(&mut self, module: &mut Module, id: FuncId) {
        if let Some(simplify) = &mut self.simplify {
            let Module { functions, descriptors, .. } = module;
            simplify(id.index() as u32, &mut functions[id], descriptors, self.record);
        }
    }
}

/// Runs a pass on a function that it takes; any other stays as it is.
///
/// Blocks that nothing reaches go before: so no pass has to ask whether an edge is ever taken. That is no rewrite, since no run
/// can tell.
pub fn apply(pass: &dyn Pass, f: &mut Function, mut cx: PassCx<'_>) {
    if !pass.info().handlers && f.has_handlers() {
        return;
    }
    cx.forget_unreachable(f);
    pass.run(f, &mut cx);
}
