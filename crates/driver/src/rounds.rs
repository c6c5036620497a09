//! Optimizing a whole program of classes, in rounds.
//!
//! A round finds out what can be reached and what is known of it, removes the rest, and rewrites bodies with
//! what is known. What a round leaves, the next one looks at as if it were the input: branches that went
//! make methods unreachable, bodies that were put in the place of calls show constants. After the last
//! round what became unreachable goes.

use planish_jvm::Hierarchy;
use planish_jvm::program::specialize::Made;

use crate::classes::{Archive, ClassOutcome, optimize_bodies};
use crate::programs::{Classpath, Roots, ShrinkOutcome, shrink};
use crate::session::Settings;

/// How many rounds there are at most.
const ROUNDS: u32 = 6;

/// Shrinks and optimizes a program.
pub fn optimize_program(
    archive: &mut Archive,
    hierarchy: &Hierarchy,
    classpath: &Classpath,
    roots: &Roots,
    settings: &Settings,
    threads: usize,
) -> Result<(ShrinkOutcome, ClassOutcome), String> {
    let mut made = Made::default();
    let mut shrunk = shrink(archive, hierarchy, classpath, roots, &mut made)?;
    let mut optimized = ClassOutcome::default();
    for round in 1..=ROUNDS {
        let known = std::mem::take(&mut shrunk.known);
        let outcome = optimize_bodies(archive, hierarchy, &known, settings, threads)?;
        let changed = outcome.changed;
        optimized = if round == 1 { outcome } else { optimized.then(outcome) };
        let is_last = changed == 0 || round == ROUNDS;
        if changed == 0 && made.is_empty() {
            break;
        }
        if is_last {
            // Variants that no body came to call are in the way now, and new ones would be.
            made.close();
        }
        shrunk = shrunk.then(shrink(archive, hierarchy, classpath, roots, &mut made)?);
        if is_last {
            break;
        }
    }
    Ok((shrunk, optimized))
}
