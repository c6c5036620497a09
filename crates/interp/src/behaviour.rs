//! What an observer sees of a run.
//!
//! A [`Run`] is a list of [`Event`]s (calls that are not elidable, monitors, class initialisation), each
//! with the memory that was written since the event before it, and an [`End`]. Whoever is called may
//! look at memory, and whoever takes over at the end does; between those moments nobody looks.

use std::borrow::Cow;
use std::fmt;

use hashbrown::HashMap;
use planish_ops::Op;
use planish_ops::table::ALL;
use planish_ops::world::Characters;
use rustc_hash::FxBuildHasher;

use crate::place::{Field, Place};
use crate::value::{Fault, Reference, Val};

/// How often each operation was executed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Counts {
    by_op: Vec<u64>,
    /// Executed terminators that choose: branches and switches.
    pub branches: u64,
    /// Executed jumps.
    pub jumps: u64,
}

impl Default for Counts {
    fn default() -> Self {
        Counts { by_op: vec![0; ALL.len()], branches: 0, jumps: 0 }
    }
}

impl Counts {
    #[inline]
    pub(crate) fn add(&mut self, op: Op) {
        self.by_op[op as usize] += 1;
    }

    /// Counts a bulk operation as the loop that it stands for, over words of eight bytes and then bytes, which is how
    /// `scripts/check-llvm` counts those of LLVM: what makes a copy or a fill of such a loop gains what it saves.
    pub(crate) fn add_rounds(&mut self, bulk: Op, bytes: u64) {
        let rounds = bytes / 8 + bytes % 8;
        let loads = [Op::RawLoad].into_iter().filter(|_| bulk == Op::RawCopy);
        loads.chain([Op::RawStore, Op::Add, Op::Ult]).for_each(|op| self.by_op[op as usize] += rounds);
        self.branches += rounds;
    }

    /// How often an operation was executed.
    pub fn of(&self, op: Op) -> u64 {
        self.by_op[op as usize]
    }

    /// Executed operations in all; terminators are counted apart.
    pub fn total(&self) -> u64 {
        self.by_op.iter().sum()
    }

    /// The operations that were executed, in the order of the table.
    pub fn iter(&self) -> impl Iterator<Item = (Op, u64)> + '_ {
        ALL.iter().map(|&op| (op, self.of(op))).filter(|(_, count)| *count > 0)
    }
}

/// Memory that was written, with what it held at the end of a stretch.
pub type Written = Vec<(Place, Val)>;

/// Something that the outside notices while the function runs.
#[derive(Clone, PartialEq, Debug)]
pub struct Event {
    /// What happens: the name of the callee, or of the operation and what it is about.
    pub what: String,
    /// The arguments.
    pub args: Vec<Val>,
    /// What was written since the event before.
    pub written: Written,
    /// Alias classes that may be read now; `None` is all of them.
    pub reads: Option<Vec<u32>>,
    /// Alias classes that may be written now; `None` is all of them.
    pub writes: Option<Vec<u32>>,
}

/// How a run ends.
#[derive(Clone, PartialEq, Debug)]
pub enum End {
    /// With results.
    Return(Vec<Val>),
    /// Through an exit that leaves, with its arguments.
    Leave(u32, Vec<Val>),
    /// With an exception, and what the exit that let it out keeps.
    Throw(Reference, Vec<Val>),
    /// With an operation that can neither go on nor leave.
    Trap(Fault),
    /// With something that has no meaning; what the function does is up to nobody.
    Undefined(Cow<'static, str>),
    /// Not yet: fuel or room for frames ran out.
    OutOfFuel,
}

impl End {
    /// With something that has no meaning, for a reason that is always the same.
    pub const fn undefined(why: &'static str) -> End {
        End::Undefined(Cow::Borrowed(why))
    }
}

/// A fresh object, as far as it does not change.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FreshObject {
    /// The key of its class or array descriptor.
    pub class: u64,
    /// Its length, if it is an array or a string.
    pub length: Option<u64>,
}

/// What a function did.
#[derive(Clone, Debug)]
pub struct Run {
    /// What the outside noticed, in order.
    pub events: Vec<Event>,
    /// The exits at which a bridge took over, in order.
    pub went_over: Vec<u32>,
    /// The last operation at which it left, whoever took over.
    pub left_by: Option<Op>,
    /// How it ended.
    pub end: End,
    /// What was written since the last event.
    pub written: Written,
    /// Executed operations.
    pub counts: Counts,
    /// The objects that it made.
    pub fresh: Vec<FreshObject>,
    /// The constants that are strings, by the number of the object.
    pub texts: HashMap<u64, Characters, FxBuildHasher>,
    /// The fields that it touched, by key.
    pub fields: HashMap<u64, Field, FxBuildHasher>,
    /// Names of outside objects that have one.
    pub names: HashMap<u64, String, FxBuildHasher>,
    /// How many allocations of cells it did not free.
    pub open_rows: usize,
}

impl Run {
    /// Whether it left through an exit of a number, at its end or to a bridge.
    pub fn left_through(&self, exit: u32) -> bool {
        self.went_over.contains(&exit) || matches!(self.end, End::Leave(number, _) if number == exit)
    }

    /// How many operations, branches and jumps were executed.
    pub(crate) fn steps(&self) -> u64 {
        self.counts.total() + self.counts.branches + self.counts.jumps
    }

    /// How it ended, for people.
    pub(crate) fn last_line(&self) -> String {
        self.to_string().lines().last().unwrap_or_default().to_owned()
    }

    /// A value for people: symbols by name.
    pub fn show(&self, value: Val) -> String {
        match value {
            Val::Ref(Reference::Outside(object)) => match self.names.get(&object) {
                Some(name) => format!("&{name}"),
                None => value.to_string(),
            },
            _ => value.to_string(),
        }
    }

    fn list(&self, values: &[Val]) -> String {
        values.iter().map(|&value| self.show(value)).collect::<Vec<_>>().join(", ")
    }

    fn show_written(&self, f: &mut fmt::Formatter<'_>, written: &[(Place, Val)]) -> fmt::Result {
        for (place, value) in written {
            writeln!(f, "  {} = {}", self.show_place(*place), self.show(*value))?;
        }
        Ok(())
    }

    fn show_event(&self, f: &mut fmt::Formatter<'_>, event: &Event) -> fmt::Result {
        writeln!(f, "{}({})", event.what, self.list(&event.args))
    }

    fn show_end(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.end {
            End::Return(results) if results.is_empty() => f.write_str("return"),
            End::Return(results) => write!(f, "return {}", self.list(results)),
            End::Leave(exit, args) => write!(f, "leave {exit}({})", self.list(args)),
            End::Throw(thrown, args) => {
                write!(f, "throw {}({})", self.show(Val::Ref(*thrown)), self.list(args))
            }
            End::Trap(fault) => write!(f, "trap: {}", fault.name()),
            End::Undefined(why) => write!(f, "undefined: {why}"),
            End::OutOfFuel => f.write_str("out of fuel"),
        }
    }

    /// The run around one of its events, for people; the end counts as an event.
    pub fn around(&self, event: usize) -> Around<'_> {
        Around { run: self, event }
    }

    /// A place in memory for people.
    pub fn show_place(&self, place: Place) -> String {
        let name = self.fields.get(&place.field).map_or("?", |field| &field.name);
        match place.owner {
            None => format!("memory[{:#x}]", place.index),
            Some(owner) => {
                let owner = self.show(Val::Ref(owner));
                if place.index == Place::WHOLE {
                    format!("{owner}.{name}")
                } else {
                    format!("{owner}.{name}[{}]", place.index)
                }
            }
        }
    }
}

/// One event a line, stores in front of what can see them, the end last.
impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for event in &self.events {
            self.show_written(f, &event.written)?;
            self.show_event(f, event)?;
        }
        self.show_written(f, &self.written)?;
        self.show_end(f)
    }
}

/// So many events are shown in front of the one that matters, and behind it.
const SHOWN: usize = 3;

/// So many stores are shown between two events.
const STORES: usize = 8;

/// A run around one of its events: those near to it and the end. How many there are besides is said.
pub struct Around<'a> {
    run: &'a Run,
    event: usize,
}

impl Around<'_> {
    /// The last stores in front of something.
    fn written(&self, f: &mut fmt::Formatter<'_>, written: &Written) -> fmt::Result {
        let left_out = if written.len() > STORES + 1 { written.len() - STORES } else { 0 };
        if left_out > 0 {
            writeln!(f, "  ... {left_out} stores before")?;
        }
        self.run.show_written(f, &written[left_out..])
    }
}

impl fmt::Display for Around<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let events = &self.run.events;
        let at = self.event.min(events.len());
        // One that is left out would take a line, too.
        let first = if at > SHOWN + 1 { at - SHOWN } else { 0 };
        let last = if events.len() > at + SHOWN + 2 { at + SHOWN + 1 } else { events.len() };
        if first > 0 {
            writeln!(f, "... {first} calls before")?;
        }
        for event in &events[first..last] {
            self.written(f, &event.written)?;
            self.run.show_event(f, event)?;
        }
        if last < events.len() {
            writeln!(f, "... {} more calls", events.len() - last)?;
        }
        self.written(f, &self.run.written)?;
        self.run.show_end(f)
    }
}
