//! What the results of a function can be, by a walk with facts alone.

use planish_domain::IntFact;
use planish_ir::{Function, Terminator};
use planish_ops::world::World;
use planish_pass::Record;

use crate::engine::Engine;
use crate::engine::config::Config;

/// For each value that the last block returns what it can be there, if it is an integer of which something is known. The
/// function is optimized on the way.
pub fn facts_of_results(engine: &mut Engine, f: &mut Function, world: &dyn World) -> Vec<Option<IntFact>> {
    let summary = engine.run(f, world, &mut Record::new(), &Config::FULL);
    let Some(&last) = f.blocks().last().filter(|_| summary.fails.is_none()) else { return Vec::new() };
    let Terminator::Return(results) = f.terminator(last) else { return Vec::new() };
    f.list(*results).iter().map(|&result| engine.facts.get(f, result)).collect()
}
