//! Whether one run may stand for another.
//!
//! A target *refines* a source when whoever relied on the source may rely on the target: it does the
//! same calls with the same arguments, and ends in the same way with the same values; wherever somebody
//! could look at memory, both have the same there. Where the source is undefined, everything is allowed.
//!
//! Fresh objects have no names, so the runs are compared up to a one-to-one relation between theirs that
//! grows as objects are met: in arguments, in results, in fields of objects that are related. Both runs
//! are replayed over two heaps, side by side; only memory that was written since the last look is
//! looked at, and what a callee may not read waits for the next one who can. O(size of both runs).

use std::fmt;

use hashbrown::{HashMap, HashSet};
use planish_ops::Type;
use rustc_hash::FxBuildHasher;

use crate::behaviour::{End, Event, Run, Written};
use crate::denote::{ByName, Denoted};
use crate::heap::{Heap, is_symbol};
use crate::place::Place;
use crate::scenario::Scenario;
use crate::value::{Reference, Val};

/// What the comparison of two runs says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The target may stand for the source.
    Refines,
    /// One of them ran out of fuel; up to there they agree.
    Unknown,
    /// The target may not stand for the source.
    Differs(Difference),
}

/// Where two runs part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The number of the event, from 0; the end is behind all.
    pub event: usize,
    /// What is different.
    pub what: String,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "after {} calls: {}", self.event, self.what)
    }
}

/// Compares two runs in one scenario. Functions of one name are the same.
pub fn refine(scenario: &Scenario, source: &Run, target: &Run) -> Verdict {
    refine_denoted([scenario; 2], source, target, &mut ByName)
}

/// Compares two runs, each in a scenario that names what is its own of objects that both have.
pub(crate) fn refine_denoted(
    scenarios: [&Scenario; 2],
    source: &Run,
    target: &Run,
    denoted: &mut dyn Denoted,
) -> Verdict {
    let mut comparison = Comparison {
        scenarios,
        denoted,
        source,
        target,
        heaps: [Heap::replay(source, target), Heap::replay(target, source)],
        related: HashMap::default(),
        taken: HashMap::default(),
        waiting: Vec::new(),
        is_waiting: HashSet::default(),
    };
    comparison.run()
}

struct Comparison<'a> {
    scenarios: [&'a Scenario; 2],
    denoted: &'a mut dyn Denoted,
    source: &'a Run,
    target: &'a Run,
    /// The memory of the source and of the target.
    heaps: [Heap; 2],
    /// Fresh objects of the source with those of the target, and back.
    related: HashMap<u32, u32, FxBuildHasher>,
    taken: HashMap<u32, u32, FxBuildHasher>,
    /// Places, as the source names them, that somebody may find different.
    waiting: Vec<Place>,
    is_waiting: HashSet<Place, FxBuildHasher>,
}

type Check = Result<(), String>;

impl Comparison<'_> {
    fn run(&mut self) -> Verdict {
        let (source, target) = (self.source, self.target);
        let undefined = matches!(source.end, End::Undefined(_));
        let fuel = source.end == End::OutOfFuel || target.end == End::OutOfFuel;
        for (number, pair) in source.events.iter().zip(&target.events).enumerate() {
            if let Err(what) = self.event(pair.0, pair.1) {
                // What is undefined later may be so from the start.
                return if undefined {
                    Verdict::Refines
                } else {
                    Verdict::Differs(Difference { event: number, what })
                };
            }
        }
        if undefined {
            return Verdict::Refines;
        }
        if fuel {
            return Verdict::Unknown;
        }
        let count = source.events.len().min(target.events.len());
        let end = match (source.events.get(count), target.events.get(count)) {
            (Some(event), _) => Err(format!("the call of {} is missing", event.what)),
            (_, Some(event)) => Err(format!("a call of {} was not there", event.what)),
            (None, None) => self.end(),
        };
        match end {
            Ok(()) => Verdict::Refines,
            Err(what) => Verdict::Differs(Difference { event: count, what }),
        }
    }

    fn event(&mut self, source: &Event, target: &Event) -> Check {
        if source.what != target.what {
            return Err(format!("{} is called instead of {}", target.what, source.what));
        }
        self.write(&source.written, &target.written);
        self.values(&source.args, &target.args, &source.what)?;
        self.look(source.reads.as_deref())?;
        for (heap, event) in self.heaps.iter_mut().zip([source, target]) {
            heap.event(&event.args, event.reads.as_deref(), event.writes.as_deref());
        }
        Ok(())
    }

    fn end(&mut self) -> Check {
        let (source, target) = (self.source, self.target);
        self.write(&source.written, &target.written);
        match (&source.end, &target.end) {
            (End::Return(old), End::Return(new)) => self.values(old, new, "return")?,
            (End::Leave(old, old_args), End::Leave(new, new_args)) if old == new => {
                self.values(old_args, new_args, "the exit")?;
            }
            (End::Throw(old, old_args), End::Throw(new, new_args)) => {
                self.value(Val::Ref(*old), Val::Ref(*new)).map_err(|what| format!("thrown: {what}"))?;
                self.values(old_args, new_args, "the exit")?;
            }
            (End::Trap(old), End::Trap(new)) if old == new => {}
            _ => {
                return Err(format!(
                    "it ends with `{}` instead of `{}`",
                    target.last_line(),
                    source.last_line()
                ));
            }
        }
        self.look(None)
    }

    /// Lets both memories take what was written.
    fn write(&mut self, source: &Written, target: &Written) {
        for (heap, written) in self.heaps.iter_mut().zip([source, target]) {
            for &(place, value) in written {
                heap.store(place, value);
            }
        }
        for &(place, _) in source {
            self.wait(place);
        }
        for &(place, _) in target {
            if let Some(place) = self.place_of_target(place) {
                self.wait(place);
            }
        }
    }

    fn wait(&mut self, place: Place) {
        let shared = match place.owner {
            // What nobody can reach is looked at once it is related.
            Some(Reference::Fresh(n)) => self.related.contains_key(&n),
            _ => true,
        };
        if shared && self.is_waiting.insert(place) {
            self.waiting.push(place);
        }
    }

    fn place_of_target(&self, place: Place) -> Option<Place> {
        match place.owner {
            Some(Reference::Fresh(n)) => {
                let owner = Some(Reference::Fresh(*self.taken.get(&n)?));
                Some(Place { owner, ..place })
            }
            _ => Some(place),
        }
    }

    /// Compares the waiting places of alias classes that somebody may read.
    fn look(&mut self, reads: Option<&[u32]>) -> Check {
        let mut later = Vec::new();
        while let Some(place) = self.waiting.pop() {
            let fields = [&self.source.fields, &self.target.fields];
            let location = fields.iter().find_map(|fields| fields.get(&place.field)).map(|f| f.location);
            let seen = match (reads, location) {
                (None, _) => true,
                (Some(set), Some(Some(location))) => set.contains(&location.alias_class),
                (Some(set), _) => !set.is_empty(),
            };
            if !seen {
                later.push(place);
                continue;
            }
            self.is_waiting.remove(&place);
            self.compare(place)?;
        }
        self.waiting = later;
        Ok(())
    }

    fn compare(&mut self, place: Place) -> Check {
        let there = match place.owner {
            Some(Reference::Fresh(n)) => Place { owner: Some(Reference::Fresh(self.related[&n])), ..place },
            _ => place,
        };
        let [old, new] = &self.heaps;
        let known = |heap: &Heap, place: Place| heap.type_at(place);
        let Some(ty) = known(old, place).or_else(|| known(new, there)) else { return Ok(()) };
        let [before, after] = self.scenarios;
        let (old, new) = (old.value_at(before, place, ty), new.value_at(after, there, ty));
        self.value(old, new).map_err(|what| format!("{}: {what}", self.source.show_place(place)))
    }

    fn values(&mut self, source: &[Val], target: &[Val], what: &str) -> Check {
        if source.len() != target.len() {
            return Err(format!("{what} takes {} values instead of {}", target.len(), source.len()));
        }
        for (i, (&old, &new)) in source.iter().zip(target).enumerate() {
            self.value(old, new).map_err(|why| format!("value {i} of {what}: {why}"))?;
        }
        Ok(())
    }

    fn value(&mut self, source: Val, target: Val) -> Check {
        let equal = match (source, target) {
            // A hole says that nobody needs the value.
            (Val::Undefined | Val::State, _) => true,
            (Val::Ref(Reference::Fresh(old)), Val::Ref(Reference::Fresh(new))) => self.relate(old, new),
            (Val::Ref(Reference::Outside(old)), Val::Ref(Reference::Outside(new)))
                if is_symbol(old) && is_symbol(new) && self.denoted.are_same((old, new)) =>
            {
                true
            }
            // Strings are what their characters are.
            (Val::Ref(old), Val::Ref(new)) if old != new => {
                let codes = self.codes(0, old);
                codes.is_some() && codes == self.codes(1, new)
            }
            (Val::Int(old), Val::Int(new)) if old != new => {
                match (self.heaps[0].piece(old.unsigned()), self.heaps[1].piece(new.unsigned())) {
                    (Some((old, at)), Some((new, there))) => at == there && self.relate(old, new),
                    _ => false,
                }
            }
            // One address in both runs may be of pieces that are not the same.
            (Val::Int(old), Val::Int(_)) => {
                match (self.heaps[0].piece(old.unsigned()), self.heaps[1].piece(old.unsigned())) {
                    (Some((old, _)), Some((new, _))) => self.relate(old, new),
                    (None, None) => true,
                    _ => false,
                }
            }
            _ => source == target,
        };
        if equal {
            Ok(())
        } else {
            Err(format!("{} instead of {}", self.target.show(target), self.source.show(source)))
        }
    }

    /// The characters of a string in the source (0) or in the target (1), if they are known.
    fn codes(&self, side: usize, string: Reference) -> Option<Vec<u32>> {
        let run = [self.source, self.target][side];
        match string {
            Reference::Outside(n) => run.texts.get(&n).map(|text| text.codes.to_vec()),
            Reference::Fresh(n) => {
                let object = &run.fresh[n as usize];
                let code = |index| {
                    let place = Place { owner: Some(string), field: object.class, index };
                    match self.heaps[side].load(self.scenarios[side], place, Type::I64) {
                        Val::Int(int) => Some(int.unsigned() as u32),
                        _ => None,
                    }
                };
                self.heaps[side].fields.contains_key(&object.class).then_some(())?;
                (0..object.length?).map(code).collect()
            }
            Reference::Null | Reference::Thrown(_) => None,
        }
    }

    fn relate(&mut self, old: u32, new: u32) -> bool {
        match (self.related.get(&old), self.taken.get(&new)) {
            (Some(&known), _) => return known == new,
            (None, Some(_)) => return false,
            (None, None) => {}
        }
        if self.source.fresh[old as usize] != self.target.fresh[new as usize] {
            return false;
        }
        self.related.insert(old, new);
        self.taken.insert(new, old);
        let mut places = self.heaps[0].places_of(old).to_vec();
        let owner = Some(Reference::Fresh(old));
        places.extend(self.heaps[1].places_of(new).iter().map(|&place| Place { owner, ..place }));
        for place in places {
            self.wait(place);
        }
        true
    }
}

impl Heap {
    /// A heap with the objects of a run and nothing written, which knows the fields of both runs: first of all its own.
    fn replay(run: &Run, other: &Run) -> Heap {
        let mut heap = Heap::new();
        for object in &run.fresh {
            heap.allocate(object.class, object.length);
        }
        // Each side numbers classes of memory for itself, as its calls do.
        heap.fields = other.fields.clone();
        heap.fields.extend(run.fields.iter().map(|(&key, field)| (key, field.clone())));
        heap
    }

    fn value_at(&self, scenario: &Scenario, place: Place, ty: Type) -> Val {
        match place.owner {
            None => Val::int(Type::Int(8), i64::from(self.load_byte(scenario, place))),
            Some(_) => self.load(scenario, place, ty),
        }
    }
}
