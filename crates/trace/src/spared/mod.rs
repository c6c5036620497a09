//! Side effects of calls (PyPy's `EffectInfo`), as far as PyPy's own result shows them: fields that a call does not write.
//!
//! A log does not print what a call writes, and PyPy knows: its analysis of the function says which fields may change
//! (`rpython/jit/codewriter/effectinfo.py`), and behind a call that may write a field the optimizer forgets what it knew of
//! it, of every object (`OptHeap.force_from_effectinfo`). So where PyPy made something of a recording, and a load that was
//! recorded is not there any more, what it gave was known, and no call between that load and the one or the store before
//! it on the same object writes the field. That is a fact about the functions which are called at these places.
//!
//! A load may be gone for another reason, and nothing is taken from it then:
//!
//! - the field never changes or is watched (`pure`): constant objects are looked into;
//! - the object is not made: it was allocated in the trace, or nothing of it is left that would tell that it was made;
//! - the object is one that has another name in the trace: it has to be handed over to the trace, which only looks at it and
//!   passes it on to calls, or be loaded of such an object; else all accesses to the field have to be through one name, or, where several stay the same all
//!   around a loop, none of them may be left in the body, and none stores;
//! - the bridge or the frame knew it from before: only what stands between two accesses of the trace counts.
//!
//! Calls are found again in PyPy's result by what they call, in order; where that is not certain, nothing is shown. In the
//! body of a loop that was peeled the accesses before those at its beginning are the last ones of the iteration before it,
//! if the object comes around unchanged. In the same way a `guard_not_invalidated` that is gone shows of the calls before it
//! that they change nothing that guards watch.
//!
//! What is shown counts for the operation that calls, and not for other calls of a function of that name: names of functions
//! and texts of fields are not unique (`list.items` is of every type of lists), but here both are those that PyPy decided about.

mod accesses;
mod names;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::pypylog::Log;
use crate::stats::{Pypy, Shape};
use crate::text::{Arg, Text, Trace};
use accesses::{Accesses, Event, Pass, parts, stable};
use names::Names;

/// What a call leaves alone.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(crate) struct Alone {
    /// Fields.
    pub fields: Vec<Text>,
    /// Whatever guards watch.
    pub watched: bool,
}

/// What calls leave alone, by where the operation stands.
pub(crate) type Spared = HashMap<u32, Alone, FxBuildHasher>;

/// What the calls of a recording leave alone, by what PyPy made of it. O(accesses x calls between them).
pub(crate) fn of(log: &Log, recording: &Trace, pypy: Option<&Pypy>) -> Spared {
    let Some(pypy) = pypy.filter(|pypy| pypy.shape != Shape::Retrace) else { return Spared::default() };
    let Some(optimized) = log.sections[pypy.section].trace.as_ref() else { return Spared::default() };
    let texts = &log.texts;
    let Some(recorded) = Accesses::of(recording, &recording.ops, texts) else { return Spared::default() };
    if recorded.calls.is_empty() {
        return Spared::default();
    }
    let [straight, body] = parts(optimized, pypy.shape);
    let pass = |ops| Pass::of(&recorded, Accesses::of(optimized, ops, texts)?);
    let (straight, body) = (straight.and_then(pass), body.and_then(pass));
    let stays = stable(recording, &recorded, body.as_ref());
    let names = Names::of(&recorded, [straight.as_ref(), body.as_ref()], &stays);
    let mut shown = Shown { recorded: &recorded, names, spared: Spared::default() };
    let may_change = |field: Text| !texts.get(field).ends_with(" pure>");
    for (field, events) in recorded.fields.iter().filter(|(field, _)| may_change(*field)) {
        shown.field(*field, events, [straight.as_ref(), body.as_ref()], &stays);
    }
    for pass in [&straight, &body].into_iter().flatten() {
        shown.watched(pass);
    }
    shown.spared
}

/// What is shown of the calls of a recording.
struct Shown<'a> {
    recorded: &'a Accesses,
    names: Names,
    spared: Spared,
}

impl Shown<'_> {
    /// What the accesses to a field show.
    fn field(
        &mut self,
        field: Text,
        events: &[Event],
        passes: [Option<&Pass>; 2],
        stays: &dyn Fn(Arg) -> bool,
    ) {
        let mut any = false;
        for (of, own) in self.names.by_object(events) {
            if self.names.is_by_itself(of, self.recorded) {
                let stays = self.names.stays(of, stays);
                self.accesses(field, &own, passes, [true, stays], stays);
                any = true;
            }
        }
        if !any {
            self.of_any(field, events, passes, stays);
        }
    }

    /// What the accesses to a field show of objects that may have other names.
    fn of_any(
        &mut self,
        field: Text,
        events: &[Event],
        passes: [Option<&Pass>; 2],
        stays: &dyn Fn(Arg) -> bool,
    ) {
        let of = events[0].of;
        let stores = events.iter().any(|event| event.stores);
        let is_stored = |pass: &Pass| !stores && pass.stores(field);
        let [straight, body] = passes.map(|pass| pass.filter(|pass| !is_stored(pass)));
        if events.iter().all(|event| event.of == of) {
            if !self.recorded.allocates(of) {
                let is_input = !matches!(of, Arg::Var(var) if self.recorded.is_computed(var));
                let comes_around =
                    stays(of) && straight.is_some_and(|pass| pass.loads(field) > 0 || pass.stores(field));
                let events: Vec<&Event> = events.iter().collect();
                self.accesses(field, &events, [straight, body], [is_input, stays(of)], comes_around);
            }
        } else if let (Some(straight), Some(body)) = (straight, body)
            && !stores
            && events.iter().all(|event| stays(event.of))
            && straight.loads(field) > 0
            && body.loads(field) == 0
        {
            let both = |&call: &usize| straight.has(call) && body.has(call);
            (0..self.recorded.calls.len()).filter(both).for_each(|call| self.leaves(call, field));
        }
    }

    /// What the accesses to a field of one object show, of which is known for each pass whether it is made in it, and whether
    /// it comes around.
    fn accesses(
        &mut self,
        field: Text,
        events: &[&Event],
        [straight, body]: [Option<&Pass>; 2],
        is_made: [bool; 2],
        comes_around: bool,
    ) {
        for (pass, is_made) in [straight, body].into_iter().zip(is_made) {
            let Some(pass) = pass else { continue };
            for pair in events.windows(2) {
                if pass.is_gone(pair[1], field) && (is_made || pass.accessed_until(pair[0].calls, field)) {
                    self.between(pass, pair[0].calls..pair[1].calls, field);
                }
            }
        }
        let (first, last) = (events[0], events[events.len() - 1]);
        if let (Some(straight), Some(body)) = (straight, body)
            && comes_around
            && body.is_gone(first, field)
        {
            self.between(straight, last.calls..self.recorded.calls.len(), field);
            self.between(body, 0..first.calls, field);
        }
    }

    /// The calls in a range leave a field alone, as far as a pass has them.
    fn between(&mut self, pass: &Pass, calls: std::ops::Range<usize>, field: Text) {
        calls.filter(|&call| pass.has(call)).for_each(|call| self.leaves(call, field));
    }

    fn leaves(&mut self, call: usize, field: Text) {
        let Some(place) = self.recorded.calls[call].place else { return };
        let fields = &mut self.spared.entry(place).or_default().fields;
        if !fields.contains(&field) {
            fields.push(field);
        }
    }

    /// What guards show that PyPy left out: a call that may change what is watched has them asked again. Where the object
    /// whose field is watched is no constant, the guard is left out for that.
    fn watched(&mut self, pass: &Pass) {
        for guard in self.recorded.guards.iter().filter(|guard| guard.of_constant) {
            if let Some(before) = pass.guard_before(guard.calls) {
                let calls = (before..guard.calls).filter(|&call| pass.has(call));
                for place in calls.filter_map(|call| self.recorded.calls[call].place) {
                    self.spared.entry(place).or_default().watched = true;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
