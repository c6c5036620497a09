//! What holds at a place of a trace, found out by passing its operations in order.

use hashbrown::HashMap;
use planish_base::{SideTable, fault};
use planish_ops::{Effect, Exits};
use rustc_hash::FxBuildHasher;

use super::words::name;
use crate::descr::FORCES_FRAME;
use crate::facts::{Known, called};
use crate::opcode::{Kind, Lift, Opcode};
use crate::read::kind_of;
use crate::text::{Arg, OpData, Text, Texts, Trace, Var};

/// Of so many places with one descriptor it is known what they hold.
const REMEMBERED: usize = 256;

/// A place of an object and what it holds.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Load {
    /// What reads it.
    pub(super) opcode: Opcode,
    pub(super) descr: Option<Text>,
    pub(super) base: Arg,
    pub(super) index: Option<Arg>,
    pub(super) value: Arg,
}

/// A computation and the number that it gives.
#[derive(Clone)]
pub(super) struct Outcome {
    pub(super) opcode: Opcode,
    pub(super) operands: Vec<Arg>,
    pub(super) number: i64,
}

/// A call that gives the same for the whole loop.
#[derive(Clone)]
pub(super) struct Invariant {
    pub(super) descr: Option<Text>,
    pub(super) args: Vec<Arg>,
    pub(super) result: Arg,
}

/// What holds at a place of a trace.
pub(super) struct Held<'a> {
    pub(super) trace: &'a Trace,
    facts: &'a Known,
    pub(super) nonnull: SideTable<Var, bool>,
    pub(super) classes: SideTable<Var, Option<Arg>>,
    /// The constants that values are.
    pub(super) constants: SideTable<Var, Option<Arg>>,
    /// The operation that made a value, by its place.
    pub(super) made: SideTable<Var, Option<OpData>>,
    /// When values came up, and which of them are objects that were made then.
    born: SideTable<Var, u32>,
    fresh: SideTable<Var, bool>,
    time: u32,
    /// What computations give.
    pub(super) outcomes: Vec<Outcome>,
    /// What places of the heap hold, by descriptor.
    pub(super) fields: HashMap<Text, Vec<Load>, FxBuildHasher>,
    /// What never changes: lengths.
    pub(super) lengths: Vec<Load>,
    /// Calls that give the same for the whole loop.
    pub(super) invariant: Vec<Invariant>,
}

impl<'a> Held<'a> {
    /// Nothing is passed yet. Of functions is known what is known by their names.
    pub(super) fn new(trace: &'a Trace, facts: &'a Known) -> Held<'a> {
        Held {
            trace,
            facts,
            nonnull: SideTable::new(),
            classes: SideTable::new(),
            constants: SideTable::new(),
            made: SideTable::new(),
            born: SideTable::new(),
            fresh: SideTable::new(),
            time: 0,
            outcomes: Vec::new(),
            fields: HashMap::default(),
            lengths: Vec::new(),
            invariant: Vec::new(),
        }
    }

    /// Control came past an operation.
    pub(super) fn passed(&mut self, op: &OpData, texts: &Texts) {
        let args = self.trace.args(op);
        let (Some(opcode), result) = (op.opcode, op.result) else {
            self.fields.clear();
            return;
        };
        if let Some(result) = result {
            self.made[result] = Some(*op);
            self.time += 1;
            self.born[result] = self.time;
        }
        match (opcode.name(), args) {
            ("label", _) => {
                self.constants.clear();
                self.made.clear();
                self.born.clear();
                self.fresh.clear();
                self.outcomes.clear();
                self.fields.clear();
                self.lengths.clear();
                self.invariant.clear();
            }
            ("guard_class" | "guard_nonnull_class", &[Arg::Var(object), class]) => {
                self.nonnull[object] = true;
                self.classes[object] = Some(class);
            }
            ("guard_nonnull", &[Arg::Var(object)]) => self.nonnull[object] = true,
            ("guard_value", &[Arg::Var(value), constant]) => self.is_constant(value, constant),
            ("guard_isnull", &[Arg::Var(object)]) => {
                self.constants[object] = Some(Arg::Null { short: false });
            }
            ("guard_true", &[condition]) => self.is_true(condition),
            ("guard_false", &[condition]) => self.is_false(condition),
            ("new" | "new_with_vtable", _) => {
                if let Some(object) = result {
                    self.nonnull[object] = true;
                    self.fresh[object] = true;
                }
            }
            ("new_array" | "new_array_clear" | "newstr" | "newunicode", &[length]) => {
                let Some(array) = result else { return };
                (self.nonnull[array], self.fresh[array]) = (true, true);
                let asks = match opcode.name() {
                    "newstr" => "strlen",
                    "newunicode" => "unicodelen",
                    _ => "arraylen_gc",
                };
                if let Some(opcode) = Opcode::from_name(asks) {
                    let load =
                        Load { opcode, descr: op.descr, base: Arg::Var(array), index: None, value: length };
                    self.lengths.push(load);
                }
            }
            ("arraylen_gc" | "strlen" | "unicodelen", &[base]) => {
                self.dereferenced(base);
                if let Some(value) = result.map(Arg::Var) {
                    let load = Load { opcode, descr: op.descr, base, index: None, value };
                    self.lengths.push(load);
                }
            }
            _ => self.memory(opcode, op, texts),
        }
    }

    /// A condition is zero.
    fn is_false(&mut self, condition: Arg) {
        if let Arg::Var(condition) = condition {
            self.is_constant(condition, Arg::Int(0));
        }
    }

    /// A condition is none of zero.
    fn is_true(&mut self, condition: Arg) {
        let Arg::Var(var) = condition else { return };
        let made = self.made[var].and_then(|made| made.opcode);
        if made.is_some_and(is_boolean) {
            self.is_constant(var, Arg::Int(1));
        } else if let Some(opcode) = Opcode::from_name("int_is_true") {
            self.outcomes.push(Outcome { opcode, operands: vec![condition], number: 1 });
        }
    }

    /// A value is a constant, and with it perhaps what it was computed from.
    fn is_constant(&mut self, value: Var, constant: Arg) {
        let (mut value, mut constant) = (value, constant);
        while self.constants[value].replace(constant) != Some(constant) {
            let Some(made) = self.made[value] else { return };
            let (Some(opcode), Arg::Int(number)) = (made.opcode.and_then(computes), constant) else { return };
            let operands = self.trace.args(&made);
            self.outcomes.push(Outcome { opcode, operands: operands.to_vec(), number });
            (value, constant) = match (opcode.name(), operands, number) {
                ("int_is_true", &[Arg::Var(x)], 0) | ("int_is_zero", &[Arg::Var(x)], 1) => (x, Arg::Int(0)),
                ("int_eq", &[Arg::Var(x), y @ Arg::Int(_)], 1)
                | ("int_ne", &[Arg::Var(x), y @ Arg::Int(_)], 0) => (x, y),
                _ => return,
            };
        }
    }

    /// What holds at the end of a short preamble holds where it leads to.
    pub(super) fn adopt(
        &mut self,
        short: &Held<'_>,
        inside: &SideTable<Var, Option<Var>>,
        texts: &mut Texts,
    ) {
        let mut arg = |arg: Arg| {
            let constant = match arg {
                Arg::Var(var) => short.constants[var],
                _ => None,
            };
            match constant.unwrap_or(arg) {
                Arg::Var(var) => inside[var].map(Arg::Var),
                // The same name is another object's in the trace.
                Arg::Ptr(name) => {
                    let name = format!("label_{}", texts.get(name));
                    Some(Arg::Ptr(texts.intern(name)))
                }
                constant => Some(constant),
            }
        };
        for var in short.trace.vars.ids() {
            let Some(to) = inside[var] else { continue };
            self.nonnull[to] |= short.nonnull[var];
            self.classes[to] = self.classes[to].or(short.classes[var]);
        }
        let mut load = |load: &Load| {
            let index = match load.index {
                Some(index) => Some(arg(index)?),
                None => None,
            };
            Some(Load { base: arg(load.base)?, index, value: arg(load.value)?, ..*load })
        };
        for (&descr, loads) in &short.fields {
            self.fields.entry(descr).or_default().extend(loads.iter().filter_map(&mut load));
        }
        self.lengths.extend(short.lengths.iter().filter_map(load));
        self.outcomes.extend(short.outcomes.iter().filter_map(|outcome| {
            let operands: Option<Vec<Arg>> = outcome.operands.iter().map(|&operand| arg(operand)).collect();
            Some(Outcome { operands: operands?, ..*outcome })
        }));
        self.invariant.extend(short.invariant.iter().filter_map(|call| {
            let args: Option<Vec<Arg>> = call.args.iter().map(|&operand| arg(operand)).collect();
            Some(Invariant { descr: call.descr, args: args?, result: arg(call.result)? })
        }));
    }

    /// What an operation reads and writes.
    fn memory(&mut self, opcode: Opcode, op: &OpData, texts: &Texts) {
        let args = self.trace.args(op);
        let (word, descr) = (opcode.name(), op.descr);
        let Some(descr) = descr.filter(|_| word.contains("field_gc") || word.contains("arrayitem_gc")) else {
            let text = descr.map_or("", |descr| texts.get(descr).as_str());
            let harmless = |effect: &str| text.contains(effect);
            match opcode.row().lift {
                Lift::Call if harmless(" EF=1") => {
                    let invariant =
                        |result| Invariant { descr, args: args.to_vec(), result: Arg::Var(result) };
                    self.invariant.extend(op.result.map(invariant));
                }
                Lift::Call
                    if [" EF=0", " EF=3", " EF=4", FORCES_FRAME].iter().any(|effect| harmless(effect)) => {}
                Lift::Call if let Some(written) = self.written(op, texts) => {
                    for place in written {
                        if let Some(place) = texts.lookup_str(&place) {
                            self.fields.remove(&place);
                        }
                    }
                }
                Lift::Call | Lift::Opaque | Lift::Outside => self.forget_what_changes(texts),
                _ => {}
            }
            return;
        };
        let items = word.contains("arrayitem");
        let (index, stored) = match (items, args) {
            (true, &[_, index, ..]) => (Some(index), args.get(2)),
            _ => (None, args.get(1)),
        };
        let Some(&base) = args.first().filter(|_| !word.contains("interior")) else { return };
        self.dereferenced(base);
        let loads = self.fields.entry(descr).or_default();
        if let (true, Some(value)) = (word.starts_with("get"), op.result) {
            if loads.len() == REMEMBERED {
                loads.remove(0);
            }
            loads.push(Load { opcode, descr: Some(descr), base, index, value: Arg::Var(value) });
        } else if let (true, Some(&value)) = (word.starts_with("set"), stored) {
            let mut loads = std::mem::take(loads);
            loads.retain(|load| self.is_apart(load, base, index));
            let kind = match kind_of(&value, self.trace) {
                Some(Kind::Ref) => Some("r"),
                Some(Kind::Int) if self.fits_anywhere(value) => Some("i"),
                _ => None,
            };
            let read = kind.map(|kind| format!("{}_{kind}", word.replacen("set", "get", 1)));
            if let Some(opcode) = read.and_then(|read| Opcode::from_name(&read)) {
                if loads.len() == REMEMBERED {
                    loads.remove(0);
                }
                loads.push(Load { opcode, descr: Some(descr), base, index, value });
            }
            self.fields.insert(descr, loads);
        }
    }

    /// The places that a call writes of a function that is known by its name, if those are some.
    fn written(&self, call: &OpData, texts: &Texts) -> Option<Vec<String>> {
        let function = called(self.trace, call)?;
        self.facts.touched(texts.get(function), texts.get(call.descr?))?.writes
    }

    /// Whether a place is another one than the place of the same descriptor that is written.
    fn is_apart(&self, load: &Load, base: Arg, index: Option<Arg>) -> bool {
        let other_item = matches!((load.index, index), (Some(Arg::Int(x)), Some(Arg::Int(y))) if x != y);
        other_item
            || fault!("bridge: a store leaves other objects alone")
            || self.is_older(load.base, base)
            || self.is_older(base, load.base)
            || match (load.base, base) {
                (Arg::Var(x), Arg::Var(y)) => {
                    matches!((self.classes[x], self.classes[y]), (Some(Arg::Class(x)), Some(Arg::Class(y))) if x != y)
                }
                _ => false,
            }
    }

    /// Whether an object was there before another one was made.
    fn is_older(&self, object: Arg, made: Arg) -> bool {
        match (object, made) {
            (Arg::Var(object), Arg::Var(made)) => self.fresh[made] && self.born[object] < self.born[made],
            (Arg::Ptr(_), Arg::Var(made)) => self.fresh[made],
            _ => false,
        }
    }

    /// Whether a number is what is read where it was stored, however narrow that is: a log does not say how wide places are.
    fn fits_anywhere(&self, number: Arg) -> bool {
        match number {
            Arg::Int(number) => (0..=i64::from(i8::MAX)).contains(&number),
            Arg::Var(var) => self.made[var].and_then(|made| made.opcode).is_some_and(is_boolean),
            _ => false,
        }
    }

    /// Anything may have been written. What is printed as `pure` never changes, or not without a word: whoever reads it
    /// behind a call guards that nothing was invalidated, and the bridge has that guard too.
    fn forget_what_changes(&mut self, texts: &Texts) {
        if fault!("bridge: a call writes nothing") {
            return;
        }
        let unchanging = |descr: &Text, loads: &Vec<Load>| {
            texts.get(*descr).ends_with(" pure>")
                || loads.iter().any(|load| load.opcode.name().contains("_pure_"))
        };
        self.fields.retain(|descr, loads| unchanging(descr, loads));
    }

    /// An object was looked into, so it is one.
    fn dereferenced(&mut self, base: Arg) {
        if let Arg::Var(object) = base {
            self.nonnull[object] = true;
        }
    }

    /// Control did not come past a guard.
    pub(super) fn failed(&mut self, guard: &OpData) {
        match (name(guard), self.trace.args(guard)) {
            ("guard_true", &[condition]) if fault!("bridge: the failing guard passed") => {
                self.is_true(condition)
            }
            ("guard_true", &[condition]) => self.is_false(condition),
            ("guard_false", &[condition]) => self.is_true(condition),
            ("guard_isnull", &[Arg::Var(object)]) => self.nonnull[object] = true,
            ("guard_nonnull", &[Arg::Var(object)]) => {
                self.constants[object] = Some(Arg::Null { short: false });
            }
            ("guard_value", &[value @ Arg::Var(_), constant @ Arg::Int(_)]) => {
                if let Some(opcode) = Opcode::from_name("int_ne") {
                    self.outcomes.push(Outcome { opcode, operands: vec![value, constant], number: 1 });
                }
            }
            _ => {}
        }
    }
}

/// Whether an operation gives 0 or 1.
fn is_boolean(opcode: Opcode) -> bool {
    let name = opcode.name();
    let compares = ["int_", "uint_", "float_", "ptr_", "instance_ptr_"].iter().any(|family| {
        name.strip_prefix(family).is_some_and(|word| matches!(word, "lt" | "le" | "gt" | "ge" | "eq" | "ne"))
    });
    compares || matches!(name, "int_is_true" | "int_is_zero")
}

/// The operation that computes what an operation gives, if that is all that it does: always the same from the same.
pub(super) fn computes(opcode: Opcode) -> Option<Opcode> {
    match opcode.row().lift {
        Lift::Same(op) if op.row().effect == Effect::Pure && op.row().exits == Exits::Never => Some(opcode),
        Lift::Shift(_) | Lift::Signext => Some(opcode),
        // Without the check: what it gives where it passed is the same.
        Lift::Overflow(_) => Opcode::from_name(opcode.name().strip_suffix("_ovf")?),
        _ => None,
    }
}
