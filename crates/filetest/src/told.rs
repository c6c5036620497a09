//! What bridges out of guards of `.trace` files are told, held against runs of their parents.

use std::ops::Range;

use planish_interp::{End, Limits, Program, Scenario, run};
use planish_ir::Module;

/// Runs traces into bridges that do nothing but what they are told: the number of worlds in which one began. Nothing that it is
/// told may be untrue.
pub fn nothing_untrue_is_told(told: &Module, seeds: Range<u64>, fuel: u64) -> Result<u64, String> {
    let program = Program::of(told);
    let limits = Limits { fuel, wild_accesses: true, ..Limits::default() };
    let mut began = 0;
    for (_, function) in told.functions.iter().filter(|(id, _)| !told.is_bridge(*id)) {
        let world = program.world_of(function);
        let types: Vec<_> = function.params().iter().map(|&param| function.ty(param)).collect();
        for seed in seeds.clone() {
            let scenario = Scenario { seed, ..world.clone() };
            let run = run(&program, function, &scenario.arguments(&types), &scenario, limits);
            if run.went_over.is_empty() {
                continue;
            }
            began += 1;
            if let End::Undefined(why) = &run.end {
                return Err(format!("in world {seed} a bridge out of exit {:?}: {why}", run.went_over));
            }
        }
    }
    Ok(began)
}
