//! Which names of a trace are certainly of one object, and of no other that has another name.
//!
//! An object that is handed over, and that the trace only looks at, has no other name ([`Accesses::is_by_itself`]). Neither has
//! what is loaded of a field of such an object, where PyPy loads it once and knows it at every later load, and the trace only looks at
//! that, too: all these loads are names of one object.

use hashbrown::{HashMap, HashSet};
use rustc_hash::FxBuildHasher;

use super::accesses::{Accesses, Event, Pass};
use crate::text::{Arg, Text, Var};

/// The names of objects that are loaded.
#[derive(Default)]
pub(super) struct Names {
    /// For each the first.
    first: HashMap<Var, Var, FxBuildHasher>,
    /// First names of what stays the same all around a loop.
    stays: HashSet<Var, FxBuildHasher>,
}

impl Names {
    /// The names in a recording of which PyPy made a straight line, and perhaps the body of a loop. O(accesses) for each step
    /// of the longest way from an object that is handed over.
    pub fn of(
        recorded: &Accesses,
        [straight, body]: [Option<&Pass>; 2],
        stays: &dyn Fn(Arg) -> bool,
    ) -> Names {
        let mut names = Names::default();
        let Some(straight) = straight else { return names };
        loop {
            let before = names.first.len();
            for (field, events) in &recorded.fields {
                for (of, own) in names.by_object(events) {
                    if names.is_by_itself(of, recorded) {
                        names.loaded(of, &own, (*field, events), (straight, body), recorded, stays);
                    }
                }
            }
            if names.first.len() == before {
                return names;
            }
        }
    }

    /// Looks whether the accesses to a field of an object are loads that give one object.
    fn loaded(
        &mut self,
        of: Arg,
        own: &[&Event],
        (field, events): (Text, &[Event]),
        (straight, body): (&Pass, Option<&Pass>),
        recorded: &Accesses,
        stays: &dyn Fn(Arg) -> bool,
    ) {
        let results: Vec<Var> = own.iter().filter_map(|event| event.result).collect();
        let is_known = |pass: &Pass| own[1..].iter().all(|event| pass.is_gone(event, field));
        if results.len() == own.len()
            && !self.first.contains_key(&results[0])
            && straight.is_left(own[0], (field, events))
            && is_known(straight)
            && body.is_none_or(is_known)
            && !results.iter().any(|&result| recorded.is_renamed(result))
        {
            self.first.extend(results.iter().map(|&result| (result, results[0])));
            if body.is_some_and(|body| body.is_gone(own[0], field)) && self.stays(of, stays) {
                self.stays.insert(results[0]);
            }
        }
    }

    /// The accesses to a field by the first name of the object, in the order of the first access to each. O(accesses).
    pub fn by_object<'a>(&self, events: &'a [Event]) -> Vec<(Arg, Vec<&'a Event>)> {
        let mut groups: Vec<(Arg, Vec<&Event>)> = Vec::new();
        let mut places: HashMap<Arg, usize, FxBuildHasher> = HashMap::default();
        for event in events {
            let of = self.name(event.of);
            let place = *places.entry(of).or_insert(groups.len());
            match groups.get_mut(place) {
                Some((_, group)) => group.push(event),
                None => groups.push((of, vec![event])),
            }
        }
        groups
    }

    /// The first name of an object.
    pub fn name(&self, of: Arg) -> Arg {
        match of {
            Arg::Var(var) => Arg::Var(self.first.get(&var).copied().unwrap_or(var)),
            of => of,
        }
    }

    /// Whether an object has no other name, by its first name.
    pub fn is_by_itself(&self, of: Arg, recorded: &Accesses) -> bool {
        recorded.is_by_itself(of) || matches!(of, Arg::Var(var) if self.first.contains_key(&var))
    }

    /// Whether an object without another name stays the same all around a loop, by its first name.
    pub fn stays(&self, of: Arg, stays: &dyn Fn(Arg) -> bool) -> bool {
        match of {
            Arg::Var(var) if self.first.contains_key(&var) => self.stays.contains(&var),
            of => stays(of),
        }
    }
}
