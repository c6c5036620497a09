//! Redundant load elimination and dead store elimination (available expressions over memory, Muchnick 1997, 12.2.4) for
//! fields, array items and memory outside of the heap.
//!
//! ```text
//! set_field(p, x) @count             set_field(p, x) @count
//! branch c, a, b                     branch c, a, b
//! a: y = get_field(p) @count  becomes  a: ... x for y
//! ```
//!
//! The expressions are the places of memory. Blocks are
//! visited in reverse postorder, each with the places that all ways into it agree on. What was loaded or stored
//! is held until something may write there: a store to the same alias class, unless the objects or the constant
//! indices differ, or a call of which the world does not say that it leaves the class alone. Places that never change
//! stay known, also into loops. Others do not: a loop that waits for another thread has to look again. A handler begins
//! with nothing.
//!
//! An access that comes behind an equal one cannot leave where that did not, so its exit goes with it. A store goes if
//! the next thing that happens to its place is another store, and nothing in between may leave or look; or if the place
//! holds the value already.
//!
//! Where values are in registers ([`Machine::Registers`]), each such load goes. A load is not always worth less than a
//! value that has to be kept for long: on a stack machine `this.x`
//! is two instructions, and so is putting a value aside for one later use. So loads of one value go
//! together, if that takes no more instructions than they do (`profitability`). Constants, parameters and values that
//! are kept anyway cost nothing.
//!
//! O(instructions) times the number of places that are remembered, at most 48.

use planish_base::{SideTable, fault};
use planish_ir::{Block, Cfg, Def, Function, Inst, Stands, Value};
use planish_ops::world::{Descr, Mutability, World};
use planish_ops::{Effect, Exits, Int, Op, Type};

use super::profitability::Choice;
use planish_pass::{Became, Example, FunctionPass, Machine, PassCx, PassInfo};

/// Forwards loads, removes stores.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["loads"],
        source: "Muchnick 1997, 12.2.4, available expressions",
        analyses: &["edges"],
        example: Example {
            file: "load_elimination.ssa",
            text: include_str!("examples/load_elimination.ssa"),
        },
        test: "crates/opt/src/passes/load_elimination/tests.rs",
        ..PassInfo::new(
            "load-elimination",
            "Redundant load elimination and dead store elimination over fields, items and raw memory.",
        )
    },
    run,
};

/// How many places are remembered at one point.
const REMEMBERED: usize = 48;

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let mut stored = Vec::new();
    let mut accesses = 0;
    for (_, inst) in f.live_insts() {
        if let Some(kind) = Access::kind(f.inst(inst).op) {
            accesses += 1;
            if kind == Access::Store
                && let Some(location) = f.inst(inst).descr.and_then(|descr| cx.world.location(descr))
            {
                stored.push(location.alias_class);
            }
        }
    }
    if accesses < 2 || !cx.record.has_fuel() {
        return;
    }
    stored.sort_unstable();
    stored.dedup();
    let cfg = cx.get::<Cfg>(f);
    let mut search = Search {
        f,
        world: cx.world,
        machine: cx.target.machine,
        stored,
        state: State::default(),
        stands: Stands::default(),
        found: Vec::new(),
        dead: Vec::new(),
    };
    search.blocks(&cfg);
    let Search { found, dead, .. } = search;
    if found.is_empty() && dead.is_empty() {
        return;
    }
    let chosen = match cx.target.machine {
        // A value that is kept costs nothing there.
        Machine::Registers => vec![true; found.len()],
        Machine::Stack => Choice::new(f, &found).choose(),
    };
    let mut goes: SideTable<Inst, bool> = SideTable::new();
    let mut stands = Stands::default();
    let mut any = false;
    for (load, is_chosen) in found.iter().zip(chosen) {
        let of = f.result(load.inst);
        let became = Became::Value { of, is: load.value };
        if is_chosen && cx.rewrite(f, load.inst, became) {
            goes[load.inst] = true;
            stands.put(load.value, of);
            any = true;
        }
    }
    for inst in dead {
        if cx.rewrite(f, inst, Became::Nothing) {
            goes[inst] = true;
            any = true;
        }
    }
    if !any {
        return;
    }
    for block in f.blocks().to_vec() {
        if f.block_insts(block).iter().any(|&inst| goes[inst]) {
            let mut insts = f.replace_insts(block, Vec::new());
            insts.retain(|&inst| !goes[inst]);
            f.replace_insts(block, insts);
        }
    }
    stands.write(f);
}

/// What an access does.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Access {
    Load,
    Store,
}

impl Access {
    fn kind(op: Op) -> Option<Access> {
        match op {
            Op::GetField | Op::GetItem | Op::GetStatic | Op::RawLoad => Some(Access::Load),
            Op::SetField | Op::SetItem | Op::SetStatic | Op::RawStore => Some(Access::Store),
            _ => None,
        }
    }
}

/// A place in memory: a static one has no object, a field no index.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Place {
    class: u32,
    object: Option<Value>,
    index: Option<Value>,
    raw: Option<Raw>,
}

/// Bytes outside of the heap: so many, so far behind the sum of the object and the index of their place.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Raw {
    at: i64,
    bytes: i64,
}

/// A place and what it holds.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Held {
    place: Place,
    /// Nothing if that has no name: the object was accessed all the same.
    value: Option<Value>,
    /// Whether the place never changes any more.
    stays: bool,
    /// Whether the access may have left for a handler, and did not. One without an exit says nothing of one that has
    /// one: whoever left the exit out may have known that the item is there, or not have cared where it leads.
    checked: bool,
}

/// A store that may be overwritten before anybody looks.
#[derive(Clone, Copy)]
struct Pending {
    inst: Inst,
    place: Place,
}

/// What is known at one point.
#[derive(Clone, Default)]
struct State {
    held: Vec<Held>,
}

/// A load of what is known.
pub(super) struct Known {
    /// The load.
    pub inst: Inst,
    /// What it gives.
    pub value: Value,
}

struct Search<'a> {
    f: &'a Function,
    world: &'a dyn World,
    machine: Machine,
    /// Alias classes to which the function stores, in order.
    stored: Vec<u32>,
    state: State,
    /// What a load gives that is known.
    stands: Stands,
    found: Vec<Known>,
    dead: Vec<Inst>,
}

impl Search<'_> {
    fn blocks(&mut self, cfg: &Cfg) {
        let count = cfg.order().len();
        let mut is_handler = vec![false; count];
        for &block in cfg.order() {
            for (_, handler) in self.f.handlers(block) {
                cfg.number(handler.block).into_iter().for_each(|number| is_handler[number as usize] = true);
            }
        }
        let retreats =
            (0..count as u32).any(|number| cfg.preds().of(number).iter().any(|&pred| pred >= number));
        let dominators = retreats.then(|| cfg.dominators());
        let mut ends: Vec<State> = vec![State::default(); count];
        for number in 0..count as u32 {
            self.state.held.clear();
            let preds = cfg.preds().of(number);
            let comes_around = preds.iter().any(|&pred| pred >= number);
            let is_sound = !is_handler[number as usize]
                && dominators.as_ref().is_none_or(|dominators| {
                    preds.iter().all(|&pred| pred < number || dominators.dominates(number, pred))
                });
            let mut forward = preds.iter().filter(|&&pred| pred < number);
            if let (true, Some(&first)) = (is_sound, forward.next()) {
                self.state.held.extend_from_slice(&ends[first as usize].held);
                for &other in forward {
                    if fault!("load-elimination: of all ways into a block only one is asked") {
                        break;
                    }
                    let other = &ends[other as usize].held;
                    self.state.held.retain(|held| other.contains(held));
                }
                if comes_around && !fault!("load-elimination: a loop changes nothing") {
                    self.state.held.retain(|held| held.stays);
                }
            }
            self.block(cfg.block(number));
            ends[number as usize].held.extend_from_slice(&self.state.held);
        }
    }

    fn block(&mut self, block: Block) {
        let f = self.f;
        let mut pending: Vec<Pending> = Vec::new();
        for &inst in f.block_insts(block) {
            let (data, row) = (f.inst(inst), f.row(inst));
            if let Some(kind) = Access::kind(data.op) {
                match data.descr.and_then(|descr| self.place(inst, descr)) {
                    Some((place, stays)) => self.access(inst, kind, place, stays, &mut pending),
                    // Any memory; outside of the heap there are no objects.
                    None => {
                        pending.clear();
                        if kind == Access::Store {
                            let is_raw = data.op == Op::RawStore;
                            self.state.held.retain(|held| held.stays || is_raw && held.place.raw.is_none());
                        }
                    }
                }
                continue;
            }
            let is_seen = row.exits != Exits::Never || !matches!(row.effect, Effect::Pure | Effect::Marker);
            if is_seen && !fault!("load-elimination: nobody looks between two stores") {
                pending.clear();
            }
            match row.effect {
                Effect::Pure | Effect::Guard | Effect::Load | Effect::Allocate | Effect::Marker => {}
                // Characters are no places of objects.
                Effect::Store if matches!(data.op, Op::StrSet | Op::StrCopy) => {}
                Effect::Call if matches!(data.op, Op::Call | Op::CallRef) => {
                    let written =
                        data.descr.and_then(|callee| self.world.call_effect(callee).writes.as_ref());
                    let keeps = |class: u32| written.is_some_and(|list| list.binary_search(&class).is_err());
                    self.state.held.retain(|held| held.stays || keeps(held.place.class));
                }
                Effect::Store | Effect::Call if fault!("load-elimination: a call writes nothing") => {}
                Effect::Store | Effect::Call => self.state.held.retain(|held| held.stays),
            }
        }
    }

    /// The place that an access names, and whether it never changes any more.
    fn place(&self, inst: Inst, descr: Descr) -> Option<(Place, bool)> {
        let location = self.world.location(descr).filter(|location| !location.raw)?;
        let args = self.f.args(inst);
        let mut raw = None;
        let (object, index) = match self.f.inst(inst).op {
            Op::RawLoad | Op::RawStore => {
                let whole = match location.ty {
                    Type::Int(bits) => bits,
                    Type::Float(format) => format.bits() as u8,
                    Type::Ref | Type::State => 64,
                };
                let bytes = i64::from(location.stored_bits.unwrap_or(whole).div_ceil(8));
                let (base, offset, at) = self.address(descr, args[0], args[1])?;
                raw = Some(Raw { at, bytes });
                (base, offset)
            }
            Op::GetStatic | Op::SetStatic => (None, None),
            Op::GetField | Op::SetField => (Some(self.stands.of(args[0])), None),
            _ => (Some(self.stands.of(args[0])), Some(self.stands.of(args[1]))),
        };
        let class = location.alias_class;
        let stays =
            location.mutability == Mutability::Immutable && self.stored.binary_search(&class).is_err();
        Some((Place { class, object, index, raw }, stays))
    }

    /// What the address of an access is made of: a base, a variable offset and a number.
    fn address(
        &self,
        descr: Descr,
        base: Value,
        offset: Value,
    ) -> Option<(Option<Value>, Option<Value>, i64)> {
        let f = self.f;
        if self.world.raw_access(descr).is_some_and(|access| access.scale != 1) {
            return None;
        }
        let (base, offset) = (self.stands.of(base), self.stands.of(offset));
        let (base, begin) = match f.int_constant(base) {
            Some(number) => (None, number.unsigned() as i64),
            None => (Some(base), 0),
        };
        if let Some(number) = f.int_constant(offset) {
            return Some((base, None, begin.wrapping_add(number.signed())));
        }
        // A narrow offset is extended, which does not follow its sums.
        let sum = f.def_inst(offset).filter(|&inst| f.inst(inst).op == Op::Add && f.ty(offset) == Type::I64);
        let parts = sum.and_then(|inst| Some((f.args(inst)[0], f.int_constant(f.args(inst)[1])?)));
        Some(match parts {
            Some((variable, number)) => {
                (base, Some(self.stands.of(variable)), begin.wrapping_add(number.signed()))
            }
            None => (base, Some(offset), begin),
        })
    }

    fn access(&mut self, inst: Inst, kind: Access, place: Place, stays: bool, pending: &mut Vec<Pending>) {
        let has_exit = self.f.inst(inst).exit.is_some();
        let tells =
            |held: &&Held| held.place == place && (held.checked || !has_exit || place.index.is_none());
        let held = self.state.held.iter().find(tells).map(|held| held.value);
        let is_there = match place {
            Place { object: None, .. } | Place { raw: Some(_), .. } => true,
            Place { index: None, object, .. } => {
                self.state.held.iter().any(|held| held.place.object == object)
            }
            Place { index: Some(_), .. } => held.is_some(),
        };
        match kind {
            Access::Load => {
                if !is_there {
                    pending.clear();
                }
                let result = self.f.result(inst);
                let is_same = |&value: &Value| self.f.ty(value) == self.f.ty(result);
                let known = held.flatten().filter(is_same);
                // A load that goes sees nothing.
                if known.is_none() || self.machine == Machine::Stack {
                    pending.retain(|store| self.are_apart(store.place, place));
                }
                match known {
                    Some(value) => {
                        self.stands.put(value, result);
                        self.found.push(Known { inst, value });
                    }
                    None => self.hold(Held { place, value: Some(result), stays, checked: has_exit }),
                }
            }
            Access::Store => {
                let value = self.f.args(inst).last().map(|&value| self.stands.of(value));
                let is_item = place.index.is_some();
                let checks_class = is_item && value.is_some_and(|value| self.f.ty(value) == Type::Ref);
                if is_there && held.is_some() && held.flatten() == value {
                    self.dead.push(inst);
                    return;
                }
                if !is_there || checks_class {
                    pending.clear();
                }
                if let Some(over) = pending.iter().position(|store| store.place == place) {
                    self.dead.push(pending.swap_remove(over).inst);
                }
                let state = std::mem::take(&mut self.state);
                let apart = |held: &Held| held.stays || self.are_apart(held.place, place);
                let held = state.held.into_iter().filter(apart).collect();
                self.state = State { held };
                let value = value.filter(|&value| self.is_kept_whole(inst, value));
                self.hold(Held { place, value, stays: false, checked: has_exit });
                if is_there && !checks_class {
                    pending.push(Pending { inst, place });
                }
            }
        }
    }

    fn hold(&mut self, held: Held) {
        self.state.held.retain(|other| other.place != held.place);
        if self.state.held.len() == REMEMBERED {
            self.state.held.remove(0);
        }
        self.state.held.push(held);
    }

    /// Whether two places surely are different memory.
    fn are_apart(&self, a: Place, b: Place) -> bool {
        if a.class != b.class {
            return true;
        }
        if a.raw.is_some() || b.raw.is_some() {
            let (Some(first), Some(second)) = (a.raw, b.raw) else { return false };
            // Around the end of memory, too.
            let behind = |first: Raw, second: Raw| second.at.wrapping_sub(first.at) as u64;
            let fits = |first: Raw, second: Raw| behind(first, second) >= first.bytes as u64;
            return a.object == b.object && a.index == b.index && fits(first, second) && fits(second, first);
        }
        // Numbers and not constants, which have a width: an index of five bits may be that of one bit.
        let number = |index: Value| self.f.int_constant(index).map(Int::signed);
        if let (Some(a), Some(b)) = (a.index, b.index)
            && let (Some(a), Some(b)) = (number(a), number(b))
            && a != b
        {
            return true;
        }
        let (Some(a), Some(b)) = (a.object, b.object) else { return false };
        let is_fresh = |value: Value| {
            self.f.def_inst(value).is_some_and(|inst| matches!(self.f.inst(inst).op, Op::New | Op::NewArray))
        };
        let is_given =
            |value: Value| matches!(self.f.def(value), Def::Param(block, _) if block == self.f.entry());
        if fault!("load-elimination: objects under two names are two") {
            return a != b;
        }
        a != b && (is_fresh(a) && (is_fresh(b) || is_given(b)) || is_given(a) && is_fresh(b))
    }

    /// Whether a load behind a store gives just what was stored.
    fn is_kept_whole(&self, store: Inst, value: Value) -> bool {
        let f = self.f;
        let Some(location) = f.inst(store).descr.and_then(|descr| self.world.location(descr)) else {
            return false;
        };
        let width = match f.ty(value) {
            // What an array gives is of the class of its items; what was put into it need not be known to be.
            Type::Ref => {
                let is_item = f.inst(store).op == Op::SetItem;
                return !is_item || f.constant(value).is_some() || !self.world.references_are_typed();
            }
            Type::Int(width) => width,
            _ => return true,
        };
        let Some(bits) = location.stored_bits.filter(|&bits| bits < width) else { return true };
        if let Some(constant) = f.int_constant(value) {
            let (value, bits) = (constant.signed(), u32::from(bits));
            return match location.signed {
                true => (-(1i64 << (bits - 1))..1i64 << (bits - 1)).contains(&value),
                false => (0..1i64 << bits).contains(&value),
            };
        }
        // A number that was narrowed and widened again, or a truth.
        f.def_inst(value).is_some_and(|inst| {
            let from = f.args(inst).first().and_then(|&arg| f.ty(arg).int_width());
            match f.inst(inst).op {
                Op::Sext => location.signed && from.is_some_and(|from| from <= u32::from(bits)),
                Op::Zext => {
                    let room = u32::from(bits) - u32::from(location.signed);
                    from.is_some_and(|from| from <= room)
                }
                op => op.row().truth,
            }
        })
    }
}

#[cfg(test)]
mod tests;
