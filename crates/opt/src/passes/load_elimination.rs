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
//! Of two stores in a row to one field the first goes even where the object may be null: the second leaves then as the first
//! would have, in registers, where nobody tells at which of them.
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
use planish_domain::memory::Lemma;
use planish_ir::{Block, Cfg, Function, Inst, Stands, Value};
use planish_ops::world::{Mutability, World};
use planish_ops::{Effect, Exits, Op, Type};
use planish_pass::{Became, Example, FunctionPass, Machine, PassCx, PassInfo};

use super::profitability::{Choice, Known};
use super::strength_reduction::remove;
use crate::analysis::alias::{Access, Alias, Place, Reading};

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
    let accesses = f.live_insts().filter(|&(_, inst)| Access::kind(f.inst(inst).op).is_some()).take(2);
    if accesses.count() < 2 || !cx.record.has_fuel() {
        return;
    }
    let cfg = cx.get::<Cfg>(f);
    let mut search = Search::new(f, cx.world, cx.target.machine);
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
        if is_chosen && cx.rewrite_by(f, load.inst, became, of_a_load(f, load.value).name()) {
            goes[load.inst] = true;
            stands.put(load.value, of);
            any = true;
        }
    }
    for (inst, lemma) in dead {
        if cx.rewrite_by(f, inst, Became::Nothing, lemma.name()) {
            goes[inst] = true;
            any = true;
        }
    }
    if !any {
        return;
    }
    remove(f, &goes);
    stands.write(f);
}

/// By which lemma a load gives a value: an equal load gave it, or it was stored.
pub(super) fn of_a_load(f: &Function, value: Value) -> Lemma {
    let is_load = |inst: Inst| Access::kind(f.inst(inst).op) == Some(Access::Load);
    if f.def_inst(value).is_some_and(is_load) { Lemma::LoadAfterLoad } else { Lemma::LoadAfterStore }
}

/// What places hold where blocks end, for a pass that asks for what is loaded behind them.
pub(super) struct Ends {
    states: Vec<State>,
    /// The values by whose names places are known.
    pub stands: Stands,
}

impl Ends {
    /// Looks through a function. O(instructions), times the places that are remembered.
    pub fn of(f: &Function, cfg: &Cfg, world: &dyn World, machine: Machine) -> Ends {
        let mut search = Search::new(f, world, machine);
        let states = search.blocks(cfg);
        Ends { states, stands: search.stands }
    }

    /// What a place holds at the end of the block of a number, if it is read in this way.
    pub fn value(&self, number: u32, place: Place, reading: Reading) -> Option<Value> {
        let held = &self.states[number as usize].held;
        held.iter().find(|held| held.place == place && held.reading == reading)?.value
    }
}

/// A place and what it holds.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Held {
    place: Place,
    /// How the access read that the value is of, or would have read what it wrote.
    reading: Reading,
    /// Nothing if that has no name: the object was accessed all the same.
    value: Option<Value>,
    /// Whether the place never changes any more.
    stays: bool,
    /// Whether the access may have left for a handler, and did not. One without an exit says nothing of one that has
    /// one: whoever left the exit out may have known that the item is there, or not have cared where it leads.
    checked: bool,
}

/// What an access touches.
#[derive(Clone, Copy)]
struct Accessed {
    place: Place,
    reading: Reading,
    /// Whether the place never changes any more.
    stays: bool,
}

/// A store that may be overwritten before anybody looks.
#[derive(Clone, Copy)]
struct Pending {
    inst: Inst,
    place: Place,
    /// Whether it surely does not leave.
    is_there: bool,
}

/// What is known at one point.
#[derive(Clone, Default)]
struct State {
    held: Vec<Held>,
}

struct Search<'a> {
    f: &'a Function,
    alias: Alias<'a>,
    machine: Machine,
    /// Alias classes to which the function stores, in order.
    stored: Vec<u32>,
    state: State,
    /// What a load gives that is known.
    stands: Stands,
    found: Vec<Known>,
    dead: Vec<(Inst, Lemma)>,
}

impl<'a> Search<'a> {
    fn new(f: &'a Function, world: &'a dyn World, machine: Machine) -> Search<'a> {
        let mut stored = Vec::new();
        for (_, inst) in f.live_insts() {
            // Vectors and whole pieces of memory as well, which are no accesses of a place.
            if f.row(inst).effect == Effect::Store
                && let Some(location) = f.inst(inst).descr.and_then(|descr| world.location(descr))
            {
                stored.push(location.alias_class);
            }
        }
        stored.sort_unstable();
        stored.dedup();
        Search {
            f,
            alias: Alias { f, world },
            machine,
            stored,
            state: State::default(),
            stands: Stands::default(),
            found: Vec::new(),
            dead: Vec::new(),
        }
    }

    /// Goes through the blocks. What is known where each ends.
    fn blocks(&mut self, cfg: &Cfg) -> Vec<State> {
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
        ends
    }

    fn block(&mut self, block: Block) {
        let f = self.f;
        let mut pending: Vec<Pending> = Vec::new();
        for &inst in f.block_insts(block) {
            let (data, row) = (f.inst(inst), f.row(inst));
            if let Some(kind) = Access::kind(data.op) {
                match self.accessed(inst) {
                    Some(accessed) => self.access(inst, kind, accessed, &mut pending),
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
                Effect::Store if matches!(data.op, Op::RawFill | Op::RawCopy) => {
                    let keeps = |class: u32| self.alias.leaves_alone(inst, class);
                    self.state
                        .held
                        .retain(|held| held.stays || held.place.raw.is_none() || keeps(held.place.class));
                }
                Effect::Call if matches!(data.op, Op::Call | Op::CallRef) => {
                    let written =
                        data.descr.and_then(|callee| self.alias.world.call_effect(callee).writes.as_ref());
                    let keeps = |class: u32| written.is_some_and(|list| list.binary_search(&class).is_err());
                    self.state.held.retain(|held| held.stays || keeps(held.place.class));
                }
                Effect::Store | Effect::Call if fault!("load-elimination: a call writes nothing") => {}
                Effect::Store | Effect::Call => self.state.held.retain(|held| held.stays),
            }
        }
    }

    /// The place that an access names.
    fn accessed(&self, inst: Inst) -> Option<Accessed> {
        let location = self.alias.location(inst)?;
        let place = self.alias.place(inst, &self.stands)?;
        let is_stored = self.stored.binary_search(&place.class).is_ok();
        let stays = location.mutability == Mutability::Immutable && !is_stored;
        Some(Accessed { place, reading: Reading::of(&location), stays })
    }

    fn access(&mut self, inst: Inst, kind: Access, accessed: Accessed, pending: &mut Vec<Pending>) {
        let Accessed { place, reading, stays } = accessed;
        let has_exit = self.f.inst(inst).exit.is_some();
        let tells =
            |held: &&Held| held.place == place && (held.checked || !has_exit || place.index.is_none());
        let known = self.state.held.iter().find(tells).copied();
        let held = known.map(|held| held.value.filter(|_| held.reading == reading));
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
                    pending.retain(|store| self.alias.are_apart(store.place, place));
                }
                match known {
                    Some(value) => {
                        self.stands.put(value, result);
                        self.found.push(Known { inst, value });
                    }
                    None => self.hold(Held { place, reading, value: Some(result), stays, checked: has_exit }),
                }
            }
            Access::Store => {
                let value = self.f.args(inst).last().map(|&value| self.stands.of(value));
                let is_item = place.index.is_some();
                let checks_class = is_item && value.is_some_and(|value| self.f.ty(value) == Type::Ref);
                if is_there && held.is_some() && held.flatten() == value {
                    self.dead.push((inst, Lemma::StoreOfWhatIsThere));
                    return;
                }
                if !is_there || checks_class {
                    pending.clear();
                }
                // Whatever is stored elsewhere in between is seen where the first one would have left before.
                pending.retain(|store| store.is_there || store.place == place);
                let goes = |store: &Pending| store.place == place && (store.is_there || !has_exit);
                let mut is_sure = is_there;
                if let Some(over) = pending.iter().position(goes) {
                    let gone = pending.swap_remove(over);
                    // What was known of the object by the store that goes is not known any more.
                    is_sure &= gone.is_there;
                    self.dead.push((gone.inst, Lemma::StoreOverStore));
                }
                let state = std::mem::take(&mut self.state);
                let apart = |held: &Held| held.stays || self.alias.are_apart(held.place, place);
                let held = state.held.into_iter().filter(apart).collect();
                self.state = State { held };
                let value = value.filter(|&value| self.alias.is_kept_whole(inst, value));
                self.hold(Held { place, reading, value, stays: false, checked: has_exit });
                // Where the object may be null, another store right behind this one leaves just as well; on a stack machine it is
                // told where that was.
                let leaves_alike = !has_exit && self.machine == Machine::Registers;
                if (is_there || leaves_alike) && !checks_class {
                    pending.push(Pending { inst, place, is_there: is_sure });
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
}

#[cfg(test)]
mod tests;
