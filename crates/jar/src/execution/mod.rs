//! Two programs of classes run side by side, from the places where they begin: translation validation by runs.
//!
//! Both are run instruction by instruction, from their class files, in the same random worlds: main classes with random
//! arguments; of a library each public class, with an object that a public constructor makes and a few calls of public
//! methods in a row, so that what an object and static fields keep is seen by later calls. Calls into the program are
//! followed through inlining, specialization and dispatch; objects, arrays, static fields and initializers are as a JVM has
//! them.
//!
//! *Compared* are calls into libraries that talk to the outside, in their order, with their arguments (numbers, strings and
//! arrays by value, other objects by which one it is), results of calls from outside, exceptions that leave them with the
//! messages that the program gives them, arrays, builders and collections that they were given, public static fields at the
//! end. The outside answers alike on both sides, and changes arrays and builders that it is given alike. Libraries are run where their bodies are at
//! hand, and the most used methods of `java.lang` are known by themselves.
//!
//! *Not compared* is what no run came to: other threads, reflection, what libraries call back, stack overflow, the time it
//! takes. Where a program does what is not known here, the run ends: up to there both are compared, and it counts as
//! undecided.

mod arithmetic;
mod beginnings;
mod calls;
mod classes;
mod frame;
mod given;
mod library;
mod machine;
mod numbers;
mod observation;
pub mod programs;
mod reals;
mod script;
mod site;
mod strings;
mod texts;
mod values;
mod world;

use std::collections::BTreeMap;

use planish_jvm_model::hierarchy::Hierarchy;

pub use beginnings::Beginnings;
use classes::Classes;
pub use classes::Find;
use script::{Ended, Entry, Ran};
use world::World;

/// Instructions of one run.
const FUEL: u64 = 400_000;

/// Instructions of all runs, on one side.
const FUEL_OF_ALL: u64 = 400_000_000;

/// A program with what is around it.
#[derive(Clone, Copy)]
pub struct Side<'p> {
    /// Finds classes of the program.
    pub program: &'p Find<'p>,
    /// Finds classes of libraries whose bodies are run.
    pub library: &'p Find<'p>,
    /// What is known of all classes.
    pub hierarchy: &'p Hierarchy,
}

/// What running side by side showed.
#[derive(Clone, Debug, Default)]
pub struct Held {
    /// Runs that agreed to their end.
    pub agreed: u64,
    /// Those of them in worlds in which the outside throws nothing.
    pub quiet: u64,
    /// Runs that agreed as far as they were followed.
    pub undecided: u64,
    /// Places where they begin.
    pub entries: usize,
    /// Why runs were not followed further, and how often.
    pub why: BTreeMap<String, u64>,
    /// How they differ, if they do.
    pub different: Option<String>,
}

impl std::fmt::Display for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(different) = &self.different {
            return write!(f, "different\n{different}");
        }
        if self.entries == 0 {
            return write!(f, "nothing was compared: nothing begins in both programs");
        }
        write!(f, "{} runs from {} entries agree", self.agreed, self.entries)?;
        if self.undecided > 0 {
            write!(f, "; {} more agree as far as they could be followed", self.undecided)?;
        }
        let mut why: Vec<_> = self.why.iter().collect();
        why.sort_by_key(|(why, count)| (std::cmp::Reverse(**count), (*why).clone()));
        for (why, count) in why.into_iter().take(5) {
            write!(f, "\n  {count} times: {why}")?;
        }
        Ok(())
    }
}

/// Runs two programs side by side, in so many worlds from each place where they begin.
pub fn side_by_side(before: Side<'_>, after: Side<'_>, beginnings: &Beginnings, worlds: u64) -> Held {
    let mut old = Classes::new(before.program, before.library);
    let mut new = Classes::new(after.program, after.library);
    let entries = script::entries(beginnings, &mut old, &mut new);
    let mut held = Held { entries: entries.len(), ..Held::default() };
    let mut left = FUEL_OF_ALL;
    // Each place gets its turn before one of them gets all.
    for seed in 0..worlds {
        for entry in &entries {
            if left == 0 {
                return held;
            }
            let first = script::run(&mut old, before.hierarchy, &entries, entry, seed, FUEL);
            let second = script::run(&mut new, after.hierarchy, &entries, entry, seed, FUEL);
            left = left.saturating_sub(first.used.max(second.used));
            if let Some(different) = compared(entry, seed, &first, &second) {
                held.different = Some(different);
                return held;
            }
            match (&first.ended, &second.ended) {
                (Ended::Finished, Ended::Finished) => {
                    held.agreed += 1;
                    held.quiet += u64::from(World { seed }.is_quiet());
                }
                (Ended::Unknown(why), _) | (_, Ended::Unknown(why)) => {
                    held.undecided += 1;
                    *held.why.entry(why.clone()).or_default() += 1;
                }
                _ => {
                    held.undecided += 1;
                    *held.why.entry("it takes too long".to_owned()).or_default() += 1;
                }
            }
        }
    }
    held
}

/// What the outside hears of a program in one world, one observation a line, from each place where it begins.
pub fn observed(program: Side<'_>, beginnings: &Beginnings, seed: u64) -> Vec<String> {
    let mut old = Classes::new(program.program, program.library);
    let mut new = Classes::new(program.program, program.library);
    let entries = script::entries(beginnings, &mut old, &mut new);
    let mut lines = Vec::new();
    for entry in &entries {
        let ran = script::run(&mut old, program.hierarchy, &entries, entry, seed, FUEL);
        lines.extend(ran.events.into_iter().map(|event| event.0));
        lines.push(format!("{entry}: {:?}", ran.ended));
    }
    lines
}

/// How two runs part, if they do: up to where both were followed.
fn compared(entry: &Entry, seed: u64, before: &Ran, after: &Ran) -> Option<String> {
    let common = before.events.len().min(after.events.len());
    let parts = (0..common).find(|&at| before.events[at] != after.events[at]);
    let parts = parts.or_else(|| {
        let is_longer = |one: &Ran, other: &Ran| one.events.len() > other.events.len();
        let ends_early = is_longer(before, after) && after.ended == Ended::Finished;
        let goes_on = is_longer(after, before) && before.ended == Ended::Finished;
        (ends_early || goes_on).then_some(common)
    })?;
    let shown = |ran: &Ran| match ran.events.get(parts) {
        Some(event) => event.0.clone(),
        None => "the end".to_owned(),
    };
    let mut text = format!("{entry}, in world {seed}:\n");
    // What led there, as far as it is short.
    for event in &before.events[parts.saturating_sub(4)..parts] {
        text += &format!("  both: {}\n", event.0);
    }
    text += &format!("before: {}\nafter:  {}", shown(before), shown(after));
    Some(text)
}

#[cfg(test)]
mod tests {
    use super::Held;

    #[test]
    fn no_run_is_no_agreement() {
        assert!(Held::default().to_string().contains("nothing was compared"));
        let held = Held { entries: 2, agreed: 7, ..Held::default() };
        assert_eq!(held.to_string(), "7 runs from 2 entries agree");
    }
}
