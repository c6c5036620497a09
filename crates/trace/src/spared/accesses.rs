//! What a trace has to do with fields, by the calls between.

use hashbrown::{HashMap, HashSet};
use planish_base::SideTable;
use rustc_hash::FxBuildHasher;

use crate::descr::printed::callee;
use crate::opcode::{Lift, Opcode};
use crate::stats::Shape;
use crate::text::{Arg, OpData, Text, Texts, Trace, Var};

/// A call of which it is not known that it writes nothing, or another operation of which little is known.
pub(super) struct Call {
    /// Where it stands; nothing of what is no call.
    pub place: Option<u32>,
    key: Key,
}

/// What is called: the descriptor and the function; or what operation it is.
type Key = (Option<Text>, Option<Arg>, Option<Opcode>);

/// An access to a field.
pub(super) struct Event {
    /// Of what.
    pub of: Arg,
    /// Behind how many calls.
    pub calls: usize,
    /// Whether it stores.
    pub stores: bool,
    /// What it loads.
    pub result: Option<Var>,
}

/// A `guard_not_invalidated`.
pub(super) struct Guard {
    /// Behind how many calls.
    pub calls: usize,
    /// Whether it is about a field of a constant object.
    pub of_constant: bool,
}

/// What operations have to do with fields.
#[derive(Default)]
pub(super) struct Accesses {
    pub calls: Vec<Call>,
    /// The accesses to each field, in order.
    pub fields: Vec<(Text, Vec<Event>)>,
    pub guards: Vec<Guard>,
    places: HashMap<Text, usize, FxBuildHasher>,
    made: HashSet<Var, FxBuildHasher>,
    /// What may be known by another name.
    named: HashSet<Var, FxBuildHasher>,
    computed: HashSet<Var, FxBuildHasher>,
}

impl Accesses {
    /// Looks at operations; nothing if one is of no known kind.
    pub fn of(trace: &Trace, ops: &[OpData], texts: &Texts) -> Option<Accesses> {
        let mut all = Accesses::default();
        let mut of_constant = false;
        for op in ops {
            let opcode = op.opcode?;
            all.computed.extend(op.result);
            all.named.extend(renamed(trace, op, opcode));
            match (opcode.name(), op.descr) {
                ("setfield_gc", Some(field)) => all.access(field, trace.args(op)[0], None),
                (name, Some(field)) if name.starts_with("getfield_gc_") => {
                    all.access(field, trace.args(op)[0], op.result);
                }
                ("new" | "new_with_vtable" | "virtual_ref", _) => all.made.extend(op.result),
                ("quasiimmut_field", _) => of_constant = matches!(trace.args(op)[0], Arg::Ptr(_)),
                ("guard_not_invalidated", _) => {
                    let calls = all.calls.len();
                    all.guards.push(Guard { calls, of_constant });
                    of_constant = false;
                }
                (_, descr) if opcode.row().lift == Lift::Opaque => {
                    all.calls.push(Call { place: None, key: (descr, None, Some(opcode)) });
                }
                (name, descr)
                    if opcode.row().lift == Lift::Call
                        && descr
                            .is_none_or(|descr| callee(texts.get(descr)).writes.as_deref() != Some(&[])) =>
                {
                    let ahead = usize::from(name.starts_with("cond_call"));
                    let key = (descr, trace.args(op).get(ahead).copied(), None);
                    all.calls.push(Call { place: Some(op.span.start), key });
                }
                _ => {}
            }
        }
        Some(all)
    }

    fn access(&mut self, field: Text, of: Arg, result: Option<Var>) {
        let place = *self.places.entry(field).or_insert_with(|| {
            self.fields.push((field, Vec::new()));
            self.fields.len() - 1
        });
        let event = Event { of, calls: self.calls.len(), stores: result.is_none(), result };
        self.fields[place].1.push(event);
    }

    /// The accesses to a field.
    fn events(&self, field: Text) -> &[Event] {
        self.places.get(&field).map_or(&[], |&place| &self.fields[place].1)
    }

    /// Whether an object is allocated here.
    pub fn allocates(&self, of: Arg) -> bool {
        matches!(of, Arg::Var(var) if self.made.contains(&var))
    }

    /// Whether an object is handed over, and no other name of the trace is known to be of it.
    pub fn is_by_itself(&self, of: Arg) -> bool {
        matches!(of, Arg::Var(var) if !self.computed.contains(&var) && !self.named.contains(&var))
    }

    /// Whether a value may be known by another name.
    pub fn is_renamed(&self, var: Var) -> bool {
        self.named.contains(&var)
    }

    /// Whether a value is computed here, and not handed over.
    pub fn is_computed(&self, var: Var) -> bool {
        self.computed.contains(&var)
    }
}

/// The operands of an operation behind which they may have another name: what is stored or compared, is found to be a constant,
/// or is handed over as something else. Whoever only looks at an object, or is called with it, gives it none.
fn renamed(trace: &Trace, op: &OpData, opcode: Opcode) -> Vec<Var> {
    let (name, lift) = (opcode.name(), opcode.row().lift);
    let only_looks = name.starts_with("getfield_gc_")
        || matches!(name, "setfield_gc" | "quasiimmut_field" | "assert_not_none" | "keepalive")
        || matches!(name, "guard_class" | "guard_nonnull_class" | "guard_nonnull" | "guard_isnull");
    let looked_at = match lift {
        // What it gives may be what it is handed.
        Lift::Call if name.starts_with("cond_call_value") => 0,
        Lift::Call => usize::MAX,
        _ => usize::from(only_looks),
    };
    let inputs = trace.lists.get(trace.inputs);
    let stays = |at: usize, arg: &Arg| lift == Lift::Jump && inputs.get(at) == Some(arg);
    let named = trace.args(op).iter().enumerate().skip(looked_at).filter(|&(at, arg)| !stays(at, arg));
    let vars = named.filter_map(|(_, arg)| match *arg {
        Arg::Var(var) => Some(var),
        _ => None,
    });
    vars.collect()
}

/// What PyPy left of a recording in one pass over it.
pub(super) struct Pass {
    left: Accesses,
    /// Behind how many calls that are left something stands that was recorded behind so many.
    position: Vec<usize>,
}

impl Pass {
    /// Finds the calls of a recording in what was left of it. Of calls that are equal all have to be there or none.
    pub fn of(recorded: &Accesses, left: Accesses) -> Option<Pass> {
        let counted = |calls: &[Call]| {
            let mut count: HashMap<Key, usize, FxBuildHasher> = HashMap::default();
            calls.iter().for_each(|call| *count.entry(call.key).or_default() += 1);
            count
        };
        let (before, after) = (counted(&recorded.calls), counted(&left.calls));
        let mut position = vec![0];
        for call in &recorded.calls {
            let at = *position.last().expect("it begins with one");
            match after.get(&call.key) {
                None => position.push(at),
                Some(count) if before[&call.key] == *count && left.calls.get(at)?.key == call.key => {
                    position.push(at + 1);
                }
                Some(_) => return None,
            }
        }
        (position.last() == Some(&left.calls.len())).then_some(Pass { left, position })
    }

    /// Whether a call of the recording is left.
    pub fn has(&self, call: usize) -> bool {
        self.position[call] < self.position[call + 1]
    }

    /// How many loads of a field are left.
    pub fn loads(&self, field: Text) -> usize {
        self.left.events(field).iter().filter(|event| !event.stores).count()
    }

    /// Whether a store to a field is left.
    pub fn stores(&self, field: Text) -> bool {
        self.left.events(field).iter().any(|event| event.stores)
    }

    /// How many loads of a field are left behind so many calls that are left.
    fn loads_at(&self, field: Text, calls: usize) -> usize {
        let events = self.left.events(field);
        let begin = events.partition_point(|event| event.calls < calls);
        events[begin..].iter().take_while(|event| event.calls == calls).filter(|event| !event.stores).count()
    }

    /// Whether an access is a load, and none is left between the same calls.
    pub fn is_gone(&self, event: &Event, field: Text) -> bool {
        !event.stores && self.loads_at(field, self.position[event.calls]) == 0
    }

    /// Whether an access of a recording is certainly left: it is the one load of the field between two calls, and one is there.
    pub fn is_left(&self, event: &Event, (field, recorded): (Text, &[Event])) -> bool {
        let calls = self.position[event.calls];
        let begin = recorded.partition_point(|other| self.position[other.calls] < calls);
        let among = recorded[begin..].iter().take_while(|other| self.position[other.calls] == calls);
        among.filter(|other| !other.stores).count() == 1 && self.loads_at(field, calls) == 1
    }

    /// Whether an access to a field is left that was recorded behind no more than so many calls.
    pub fn accessed_until(&self, calls: usize, field: Text) -> bool {
        self.left.events(field).first().is_some_and(|left| left.calls <= self.position[calls])
    }

    /// Behind how many recorded calls the last guard stands before one that is gone; nothing if that is there.
    pub fn guard_before(&self, calls: usize) -> Option<usize> {
        let at = self.position[calls];
        let before =
            self.left.guards.iter().map(|guard| guard.calls).take_while(|&guard| guard <= at).last()?;
        // Of the places in the recording that are this one, the last.
        (before < at).then(|| self.position.iter().rposition(|&place| place == before).unwrap_or(calls))
    }
}

/// The parts of PyPy's result: one pass without knowledge of a loop, and the body.
pub(super) fn parts(optimized: &Trace, shape: Shape) -> [Option<&[OpData]>; 2] {
    let is_label = |op: &OpData| op.opcode.map(Opcode::name) == Some("label");
    let labels: Vec<usize> =
        optimized.ops.iter().enumerate().filter(|(_, op)| is_label(op)).map(|(at, _)| at + 1).collect();
    match (shape, &labels[..]) {
        (Shape::Loop, &[first, second]) => {
            [Some(&optimized.ops[first..second]), Some(&optimized.ops[second..])]
        }
        (Shape::Simple, &[.., last]) => [Some(&optimized.ops[last..]), None],
        (Shape::Simple | Shape::Entry | Shape::Bridge, []) => [Some(&optimized.ops), None],
        _ => [None, None],
    }
}

/// What stays the same all around a loop: constants, what the loop hands over as it is, and what was loaded of such an object
/// and is not loaded again in PyPy's body.
pub(super) fn stable<'a>(
    recording: &'a Trace,
    recorded: &'a Accesses,
    body: Option<&Pass>,
) -> impl Fn(Arg) -> bool + use<'a> {
    let mut stays: SideTable<Var, bool> = SideTable::new();
    let inputs = recording.lists.get(recording.inputs);
    let jump = recording.ops.last().filter(|op| op.opcode.map(Opcode::name) == Some("jump"));
    let around = jump.map_or(&[][..], |jump| recording.args(jump));
    if let Some(body) = body.filter(|_| inputs.len() == around.len()) {
        for (input, next) in inputs.iter().zip(around) {
            if let Arg::Var(var) = *input {
                stays[var] = input == next;
            }
        }
        let is_stable = |stays: &SideTable<Var, bool>, of| match of {
            Arg::Var(var) => stays[var],
            of => matches!(of, Arg::Ptr(_)),
        };
        for op in &recording.ops {
            if let (Some(result), Some(field), Some(opcode)) = (op.result, op.descr, op.opcode)
                && opcode.name().starts_with("getfield_gc_")
            {
                let events = recorded.events(field);
                stays[result] = is_stable(&stays, recording.args(op)[0])
                    && body.loads(field) == 0
                    && !body.stores(field)
                    && !events.iter().any(|event| event.stores);
            }
        }
    }
    move |of| match of {
        Arg::Var(var) => stays[var],
        of => matches!(of, Arg::Ptr(_)),
    }
}
