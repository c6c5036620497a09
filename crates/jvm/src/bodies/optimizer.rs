//! The interface to the pass manager: who optimizes bodies that were lifted.
//!
//! Rewriting a class knows how bodies are read, written and judged, and has passes that need what only a class file has. It
//! knows nothing of the passes over any function: those are in a crate that this one does not import. So it asks an
//! [`Optimizer`], which also has the record of rewrites, and may want to see each step, and to compare what was written
//! with what was meant.

use planish_ir::Function;
use planish_jvm_ir::naming::Names;
use planish_ops::world::World;
use planish_pass::aggregates::Aggregates;
use planish_pass::{Chaos, Record};

/// What optimizes the bodies of methods.
pub trait Optimizer {
    /// A body of a method begins; several may be tried. `lines` says for each location from which line of the
    /// source it is. Whether the optimizer wants to [see](Optimizer::see) it.
    fn begin(&mut self, _method: &str, _lines: &[Option<u16>]) -> bool {
        false
    }

    /// Where rewrites are asked for.
    fn record(&mut self) -> &mut Record;

    /// Optimizes a function whose instructions name what `names` says. The error says in what the result differs from
    /// the function.
    fn optimize(&mut self, function: &mut Function, names: &Names) -> Result<(), String>;

    /// Makes a loop of a function that ends by calling itself. Whether there was one.
    fn make_loop(&mut self, _function: &mut Function, _names: &Names) -> bool {
        false
    }

    /// Writes loops out that run a known, small number of times. Whether there was one.
    fn write_out(&mut self, _function: &mut Function, _names: &Names) -> bool {
        false
    }

    /// Makes objects that nobody else has their fields. How many were asked for.
    fn replace(&mut self, _function: &mut Function, _objects: &mut dyn Aggregates) -> u64 {
        0
    }

    /// Lets pure calls, and loops and branches that only compute, sink into the arms that use what they give. How many calls moved, and
    /// how many of these regions.
    fn sink(&mut self, _function: &mut Function, _names: &Names) -> (u64, u64) {
        (0, 0)
    }

    /// Whether a function has loads that could go in front of a loop, were there one.
    fn may_hoist(&self, _function: &Function) -> bool {
        false
    }

    /// Moves loads that a loop does not change in front of it. Where there is a receiver, the first parameter is never null.
    /// How many moved.
    fn hoist(&mut self, _function: &mut Function, _names: &Names, _receiver: bool) -> u64 {
        0
    }

    /// Begins to compare, or ends. Of most attempts at a body nothing is written, so only the one that is better is
    /// compared: it is made once more, which must not count, or burn fuel. Whether it compares now.
    fn set_comparing(&mut self, _on: bool) -> bool {
        false
    }

    /// Whether what is written is to be read again and compared.
    fn compares(&self) -> bool {
        false
    }

    /// Compares a function with what was written of it. Where there is a receiver, the first parameter is never null.
    /// The error says in what they differ.
    fn compare(
        &mut self,
        _before: &Function,
        _after: &Function,
        _names: &Names,
        _receiver: bool,
    ) -> Result<(), String> {
        Ok(())
    }

    /// What is asked whether a body is worth to be written, if anything but the usual.
    fn chaos(&self) -> Option<Chaos> {
        None
    }

    /// The body as it is now, after what was said to have been done, in text.
    fn see(&mut self, _done: &str, _text: String) {}
}

/// An optimizer that is a function over a body and its world, with a record that nobody asks for.
pub struct Plain<F> {
    optimize: F,
    record: Record,
}

impl<F: FnMut(&mut Function, &dyn World)> Plain<F> {
    /// An optimizer.
    pub fn new(optimize: F) -> Self {
        Plain { optimize, record: Record::new() }
    }
}

impl<F: FnMut(&mut Function, &dyn World)> Optimizer for Plain<F> {
    fn record(&mut self) -> &mut Record {
        &mut self.record
    }

    fn optimize(&mut self, function: &mut Function, names: &Names) -> Result<(), String> {
        (self.optimize)(function, names.world());
        Ok(())
    }
}
