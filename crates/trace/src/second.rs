//! What PyPy's own second look at a loop shows of constants.
//!
//! PyPy peels a loop as we do: it optimizes the recorded operations twice, the second time with what holds at the end of the
//! first. A guard of the body that is about nothing but constants it decides by looking at them in memory, and where such a
//! guard would fail there is no loop: PyPy gives it up. So where a log has the loop that PyPy made, and nothing in its body
//! asks that question of anything while the machine runs, the answer was found in memory, and is the one that lets the loop go
//! on: two names that a guard of our body compares are of one object, a constant object is of the class that it is asked for,
//! and so is what is allocated at a place.
//!
//! A guard of ours is about a constant where one of PyPy's may be about a value that it knows less of. That it is decided there
//! too is taken from there being no guard left that could be it. What a loop takes is what its label lists: where a recorded
//! guard asks what comes into the loop, PyPy's asks what is listed, or, where the loop goes around, what will be. Of other guards
//! nothing is known if any is left that asks the like: for that class, or whether a reference is a constant, into which guards
//! on classes are merged.

use hashbrown::{HashMap, HashSet};
use planish_base::SideTable;
use planish_ir::Location;
use rustc_hash::FxBuildHasher;

use crate::opcode::{Kind, Opcode};
use crate::pypylog::Log;
use crate::stats::{Pypy, Shape};
use crate::text::{Arg, OpData, Texts, Trace, Var};

/// What the body of a loop of PyPy's asks while it runs.
#[derive(Default, Debug)]
pub(crate) struct Asked {
    /// Of anything.
    of_all: Questions,
    /// Of what the label lists, and of what goes around.
    of_carried: Questions,
    /// What comes into the loop and a recorded guard asks, by the guard's place. Guards that are merged have one place.
    on_inputs: HashMap<Location, Var, FxBuildHasher>,
    /// What what comes into the loop is asked by all of them.
    of_inputs: HashSet<(Var, Question), FxBuildHasher>,
    /// Whether it compares references.
    compares: bool,
}

/// What references are asked.
#[derive(Default, Debug)]
struct Questions {
    /// For these classes, as a log prints them.
    classes: HashSet<String, FxBuildHasher>,
    /// Whether they are constants.
    values: bool,
}

impl Questions {
    fn add(&mut self, question: &Question) {
        match question {
            Question::Class(class) => _ = self.classes.insert(class.clone()),
            Question::Value => self.values = true,
        }
    }
}

/// What a guard asks a reference.
#[derive(PartialEq, Eq, Hash, Debug)]
enum Question {
    /// Whether it is of a class, as a log prints that.
    Class(String),
    /// Whether it is a constant.
    Value,
}

impl Asked {
    /// What the body asks of the loop that PyPy made of a recording, if it peeled one. O(length).
    pub fn of(log: &Log, recording: &Trace, pypy: Option<&Pypy>) -> Option<Asked> {
        let section = pypy.filter(|pypy| pypy.shape == Shape::Loop)?.section;
        let mut asked = Asked::in_body(log.sections[section].trace.as_ref()?, &log.texts)?;
        let inputs = recording.lists.get(recording.inputs);
        for (index, op) in recording.ops.iter().enumerate() {
            if let Some(&asks @ Arg::Var(input)) = recording.args(op).first()
                && op.opcode.is_some_and(Opcode::is_guard)
                && inputs.contains(&asks)
            {
                asked.on_inputs.insert(Location(index as u32 + 1), input);
                let asks = question(recording, op, &log.texts);
                asked.of_inputs.extend(asks.map(|(_, question)| (input, question)));
            }
        }
        Some(asked)
    }

    fn in_body(trace: &Trace, texts: &Texts) -> Option<Asked> {
        let place = |name: &str| {
            let named = |op: &OpData| op.opcode.map(Opcode::name) == Some(name);
            trace.ops.iter().rposition(named)
        };
        let (label, last) = (place("label")?, place("debug_merge_point")?);
        let mut asked = Asked::default();
        let mut made: SideTable<Var, bool> = SideTable::new();
        for (at, op) in trace.ops.iter().enumerate().skip(label) {
            match trace.op_name(op, texts) {
                // Whatever they are merged from.
                "guard_subclass" | "guard_gc_type" | "guard_is_object" => return None,
                "ptr_eq" | "ptr_ne" | "instance_ptr_eq" | "instance_ptr_ne" => asked.compares = true,
                _ => {}
            }
            if let Some((of, question)) = question(trace, op, texts) {
                asked.of_all.add(&question);
                // Behind the last merge point stand guards that the loop may go around.
                if at > last || !matches!(of, Arg::Var(of) if made[of]) {
                    asked.of_carried.add(&question);
                }
            }
            op.result.into_iter().for_each(|result| made[result] = true);
        }
        Some(asked)
    }

    /// What is left that could be a recorded guard.
    fn left(&self, guard: Location, asks: Question) -> &Questions {
        let input = self.on_inputs.get(&guard).map(|&input| (input, asks));
        if input.is_some_and(|asked| self.of_inputs.contains(&asked)) {
            &self.of_carried
        } else {
            &self.of_all
        }
    }

    /// Whether a recorded guard on a class, if it is about a constant or a fresh object, is decided in the body.
    pub fn decides_class(&self, guard: Location, class: &str) -> bool {
        let left = self.left(guard, Question::Class(class.to_owned()));
        !left.values && !left.classes.contains(class)
    }

    /// Whether a recorded guard that compares a reference with a constant, if that is one, is decided in the body.
    pub fn decides_value(&self, guard: Location) -> bool {
        !self.left(guard, Question::Value).values
    }

    /// Whether comparisons of references are all decided in the body.
    pub fn decides_comparisons(&self) -> bool {
        !self.compares && !self.of_all.values
    }
}

/// What an operation asks of which reference, if it is such a guard.
fn question(trace: &Trace, op: &OpData, texts: &Texts) -> Option<(Arg, Question)> {
    let &[of, what] = trace.args(op) else { return None };
    let is_ref = match of {
        Arg::Var(of) => trace.vars[of].kind == Kind::Ref,
        of => matches!(of, Arg::Ptr(_)),
    };
    match trace.op_name(op, texts) {
        "guard_class" | "guard_nonnull_class" => {
            let class = match what {
                Arg::Class(name) | Arg::Named(name) => texts.get(name).clone(),
                Arg::Int(address) => address.to_string(),
                _ => return Some((of, Question::Value)),
            };
            Some((of, Question::Class(class)))
        }
        "guard_value" if is_ref => Some((of, Question::Value)),
        _ => None,
    }
}
