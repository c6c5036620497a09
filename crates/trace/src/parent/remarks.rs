//! Facts as text: operations and remarks in front of a bridge.
//!
//! A fact may be about a value that is not handed over, if the bridge can compute it, or read it where it still is: then it is
//! about that operation. What nothing uses of such operations goes again behind the optimizer ([`super::forget`]).

use planish_base::SideTable;
use planish_ir::bridge::{FactCounts, FactKind, FactKinds};

use super::held::{Held, Load, Outcome, computes};
use super::ranges::Range;
use super::words::FOREIGN;
use crate::opcode::{Kind, Opcode};
use crate::text::{Arg, Name, OpData, Text, Texts, Trace, Var, VarData};

/// A value that is made of others through more operations than this is not made again.
const DEEPEST: usize = 16;

/// Of so many places that hold a value some are tried.
const MOST_PLACES: usize = 4;

/// What was put in front of a bridge.
pub(crate) struct Told {
    /// How many operations.
    pub(crate) ahead: usize,
    /// Which facts those are.
    pub(crate) counts: FactCounts,
}

/// Writes remarks at the beginning of a raw trace.
pub(super) struct Remarks<'a> {
    raw: &'a mut Trace,
    held: &'a Held<'a>,
    /// What values of the parent are in the bridge.
    inside: SideTable<Var, Option<Arg>>,
    /// Values that are not, and cannot be made.
    outside: SideTable<Var, bool>,
    /// The descriptors of places that hold something, in order.
    descrs: Vec<Text>,
    /// Places that still hold a value of the parent.
    places: SideTable<Var, Vec<Load>>,
    /// Where a value was read again.
    read: SideTable<Var, Option<Load>>,
    texts: &'a mut Texts,
    kinds: FactKinds,
    ops: Vec<OpData>,
    next: u32,
    counts: FactCounts,
}

impl<'a> Remarks<'a> {
    pub(super) fn new(
        raw: &'a mut Trace,
        held: &'a Held<'a>,
        inside: SideTable<Var, Option<Arg>>,
        texts: &'a mut Texts,
        kinds: FactKinds,
    ) -> Remarks<'a> {
        let numbers = raw.vars.values().map(|var| match var.name {
            Name::Numbered(_, number) => number + 1,
            Name::Other(_) => 0,
        });
        let next = numbers.max().unwrap_or(0);
        let mut descrs: Vec<Text> = held.fields.keys().copied().collect();
        // By their names: the numbers of texts depend on the traces before.
        descrs.sort_unstable_by(|x, y| texts.get(*x).cmp(texts.get(*y)));
        let mut places: SideTable<Var, Vec<Load>> = SideTable::new();
        let fields =
            descrs.iter().filter(|_| kinds.has(FactKind::Heap)).flat_map(|descr| &held.fields[descr]);
        let lengths = held.lengths.iter().filter(|_| kinds.has(FactKind::Lengths));
        for load in fields.chain(lengths) {
            if let Arg::Var(value) = load.value
                && places[value].len() < MOST_PLACES
            {
                places[value].push(*load);
            }
        }
        Remarks {
            raw,
            held,
            inside,
            outside: SideTable::new(),
            descrs,
            places,
            read: SideTable::new(),
            texts,
            kinds,
            ops: Vec::new(),
            next,
            counts: FactCounts::default(),
        }
    }

    /// How many operations were written, and which facts.
    pub(super) fn write(mut self, handed: &[Var], ranges: &[(Var, Range)]) -> Told {
        let held = self.held;
        if self.kinds.has(FactKind::Conditions) {
            handed.iter().for_each(|&var| self.constant(var));
        }
        if self.kinds.has(FactKind::Classes) {
            held.trace.vars.ids().for_each(|var| self.class(var));
        }
        if self.kinds.has(FactKind::Heap) {
            let fields = std::mem::take(&mut self.descrs).into_iter().flat_map(|descr| &held.fields[&descr]);
            fields.for_each(|load| self.load(load, FactKind::Heap));
        }
        if self.kinds.has(FactKind::Lengths) {
            held.lengths.iter().for_each(|load| self.load(load, FactKind::Lengths));
        }
        if self.kinds.has(FactKind::Computed) {
            handed.iter().for_each(|&var| self.computed(var));
        }
        if self.kinds.has(FactKind::Conditions) {
            held.outcomes.iter().for_each(|outcome| self.outcome(outcome));
        }
        if self.kinds.has(FactKind::Calls) {
            self.calls();
        }
        ranges.iter().for_each(|&(var, range)| self.range(var, range));
        let written = self.ops.len();
        self.raw.ops.splice(..0, self.ops);
        Told { ahead: written, counts: self.counts }
    }

    /// What is handed over is a constant.
    fn constant(&mut self, var: Var) {
        let (Some(inside), Some(constant)) = (self.inside[var], self.held.constants[var]) else { return };
        let remark = match constant {
            Arg::Int(_) => "record_exact_value_i",
            Arg::Null { .. } => "record_exact_value_r",
            _ => return,
        };
        self.counts.count(FactKind::Conditions);
        self.push(remark, None, &[inside, constant], None);
    }

    fn class(&mut self, var: Var) {
        let held = self.held;
        if !held.nonnull[var] || held.constants[var].is_some() {
            return;
        }
        let class = held.classes[var].and_then(|class| self.arg(class));
        // That something is not null is no reason to read it.
        let object = match class {
            Some(_) => self.arg(Arg::Var(var)),
            None => self.inside[var],
        };
        let Some(object) = object else { return };
        self.counts.count(FactKind::Classes);
        match class {
            Some(class) => self.push("record_exact_class", None, &[object, class], None),
            None => self.push("assert_not_none", None, &[object], None),
        }
    }

    /// What is handed over was computed from values that the bridge has.
    fn computed(&mut self, var: Var) {
        let held = self.held;
        let (Some(inside), Some(made), None) = (self.inside[var], held.made[var], held.constants[var]) else {
            return;
        };
        let Some(opcode) = made.opcode.and_then(computes) else { return };
        let kind = held.trace.vars[var].kind;
        if let (Kind::Int | Kind::Ref, Some(args)) = (kind, self.args(held.trace.args(&made), DEEPEST)) {
            self.exactly(opcode, &args, None, inside, kind, FactKind::Computed);
        }
    }

    fn outcome(&mut self, Outcome { opcode, operands, number }: &Outcome) {
        if let Some(args) = self.args(operands, DEEPEST)
            && args.iter().any(|arg| matches!(arg, Arg::Var(_)))
        {
            self.exactly(*opcode, &args, None, Arg::Int(*number), Kind::Int, FactKind::Conditions);
        }
    }

    fn calls(&mut self) {
        for call in &self.held.invariant {
            if let (Some(args), Some(result)) = (self.args(&call.args, DEEPEST), self.arg(call.result)) {
                let args: Vec<Arg> = std::iter::once(result).chain(args).collect();
                self.counts.count(FactKind::Calls);
                self.push("record_known_result", None, &args, call.descr);
            }
        }
    }

    /// What an integer can be that is handed over.
    fn range(&mut self, var: Var, Range { least, greatest, known, ones }: Range) {
        let Some(inside) = self.inside[var].filter(|_| self.held.constants[var].is_none()) else { return };
        let mut holds = |word: &str, operand: i64, number: i64, kind: FactKind| {
            if let Some(opcode) = Opcode::from_name(word).filter(|_| self.kinds.has(kind)) {
                self.exactly(opcode, &[inside, Arg::Int(operand)], None, Arg::Int(number), Kind::Int, kind);
            }
        };
        if least > i64::MIN {
            holds("int_ge", least, 1, FactKind::Ranges);
        }
        if greatest < i64::MAX {
            holds("int_le", greatest, 1, FactKind::Ranges);
        }
        if known != 0 {
            holds("int_and", known as i64, ones as i64, FactKind::Bits);
        }
    }

    fn load(&mut self, load: &Load, fact: FactKind) {
        let kind = match load.opcode.row().result {
            Some(kind @ (Kind::Int | Kind::Ref)) => kind,
            // No remark is about floats.
            _ => return,
        };
        // Where a value was read again, this says nothing new.
        if matches!(load.value, Arg::Var(var) if self.read[var].as_ref() == Some(load)) {
            return;
        }
        let Some(value) = self.value(load.value) else { return };
        let Some(base) = self.arg(load.base) else { return };
        let args = match load.index.map(|index| self.arg(index)) {
            None => vec![base],
            Some(Some(index)) => vec![base, index],
            Some(None) => return,
        };
        self.exactly(load.opcode, &args, load.descr, value, kind, fact);
    }

    /// Says what an operation gives.
    fn exactly(
        &mut self,
        opcode: Opcode,
        args: &[Arg],
        descr: Option<Text>,
        value: Arg,
        kind: Kind,
        fact: FactKind,
    ) {
        let result = self.fresh(kind);
        self.counts.count(fact);
        self.push(opcode.name(), Some(result), args, descr);
        let remark = if kind == Kind::Int { "record_exact_value_i" } else { "record_exact_value_r" };
        self.push(remark, None, &[Arg::Var(result), value], None);
    }

    fn push(&mut self, word: &str, result: Option<Var>, args: &[Arg], descr: Option<Text>) {
        let span = self.raw.ops.first().map(|op| op.span).unwrap_or_default();
        self.ops.push(OpData {
            opcode: Opcode::from_name(word),
            name: None,
            result,
            args: self.raw.lists.push(args),
            descr,
            fail: None,
            resume: None,
            offset: None,
            span,
        });
    }

    /// A new name.
    fn fresh(&mut self, kind: Kind) -> Var {
        let letter = u8::try_from(kind.letter()).unwrap_or(b'i');
        self.next += 1;
        self.raw.vars.push(VarData { name: Name::Numbered(letter, self.next - 1), kind })
    }

    /// What a value is that the bridge has, also where it is a constant object: what the parent calls by a name gets one that
    /// the bridge does not have.
    fn value(&mut self, arg: Arg) -> Option<Arg> {
        let constant = match arg {
            Arg::Var(var) => self.held.constants[var],
            _ => None,
        };
        match constant.unwrap_or(arg) {
            Arg::Ptr(name) => {
                let name = format!("{FOREIGN}{}", self.texts.get(name));
                Some(Arg::Ptr(self.texts.intern(name)))
            }
            Arg::Var(var) => self.inside[var],
            arg => self.arg(arg),
        }
    }

    fn arg(&mut self, arg: Arg) -> Option<Arg> {
        self.arg_within(arg, DEEPEST)
    }

    fn args(&mut self, args: &[Arg], depth: usize) -> Option<Vec<Arg>> {
        args.iter().map(|&arg| self.arg_within(arg, depth)).collect()
    }

    /// An argument of the parent in the bridge, made by so many operations on one another at most. Constant objects have
    /// names that mean something in one trace only, and floats have lost digits.
    fn arg_within(&mut self, arg: Arg, depth: usize) -> Option<Arg> {
        match arg {
            Arg::Var(var) => match (self.inside[var], self.held.constants[var]) {
                (Some(inside), _) => Some(inside),
                (None, Some(constant @ (Arg::Int(_) | Arg::Null { .. }))) => Some(constant),
                (None, _) => self.made(var, depth),
            },
            Arg::Int(_) | Arg::Class(_) | Arg::Null { .. } => Some(arg),
            _ => None,
        }
    }

    /// A value that is not handed over, computed or read again.
    fn made(&mut self, var: Var, depth: usize) -> Option<Arg> {
        if self.outside[var] || depth == 0 {
            return None;
        }
        // What is made of itself, over a place, is not made.
        self.outside[var] = true;
        let held = self.held;
        let (opcode, descr, args) = match self.read_again(var, depth) {
            Some(read) => read,
            None => {
                let made = held.made[var].filter(|_| self.kinds.has(FactKind::Computed))?;
                (computes(made.opcode?)?, None, self.args(held.trace.args(&made), depth - 1)?)
            }
        };
        let result = self.fresh(held.trace.vars[var].kind);
        self.push(opcode.name(), Some(result), &args, descr);
        self.inside[var] = Some(Arg::Var(result));
        self.outside[var] = false;
        self.inside[var]
    }

    /// What reads a value at a place that still holds it, if the bridge has the object and the index.
    fn read_again(&mut self, var: Var, depth: usize) -> Option<(Opcode, Option<Text>, Vec<Arg>)> {
        let places = std::mem::take(&mut self.places[var]);
        let mut readings = places.iter().filter_map(|load| {
            let args: Vec<Arg> = std::iter::once(load.base).chain(load.index).collect();
            Some((load, self.args(&args, depth - 1)?))
        });
        let (load, args) = readings.next()?;
        self.read[var] = Some(*load);
        Some((load.opcode, load.descr, args))
    }
}
