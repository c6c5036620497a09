//! Which objects of a function nobody else can have, and by which names they go.
//!
//! A *name* of an object is the result of its allocation, a block parameter that it is passed to, or the result of a `select`
//! that chooses it. Names that meet are a *web* (Muchnick 1997, 16.3.3, for variables). A web goes where every value that comes
//! to one of its names is another name of it, or null, and nothing is done with its names but what fields answer: loads and
//! stores of places that are known, lengths, tests for null, comparisons, and monitors that are left as they were entered.
//!
//! What a field holds is known by the name alone, unless a name may be null or chooses, or an object has two names at once
//! and is stored to by one of them. A name is gone where the object is passed on to another: then nothing is live that the
//! object was called before. In a web where that is not so, either stores stand in the block of their allocation, where the
//! object has no name but the first, or names say at run time where their fields are ([`Slots`]).
//!
//! The groups of Stadler, Würthinger and Mössenböck, "Partial Escape Analysis and Scalar Replacement for Java" (CGO 2014), at
//! merges of virtual objects are such webs; the other half of that paper, which makes objects late, is not here.

use hashbrown::HashSet;
use planish_base::{SideTable, UnionFind, fault};
use planish_ir::{Block, Const, Function, Inst, Value};
use planish_pass::aggregates::{Deed, Kind, Place};
use rustc_hash::FxBuildHasher;

use super::slots::{Coming, Slots};

/// How many cells an allocation may have that becomes values.
pub(super) const CELLS: i64 = 64;

/// A place of the objects of a web.
#[derive(Clone, Copy)]
pub(super) struct Field {
    /// Which it is.
    pub place: Place,
    /// Whether anything loads it.
    pub is_loaded: bool,
}

/// Names that meet.
pub(super) struct Web {
    /// The first of the allocations.
    pub first: Inst,
    /// Its names.
    pub names: Vec<Value>,
    /// Where names keep their fields, if that has to be said at run time.
    pub slots: Option<Slots>,
    /// The places of its objects that are accessed.
    pub fields: Vec<Field>,
    /// What its objects are.
    pub kind: Kind,
    /// Whether something enters or leaves the monitor of one.
    pub locks: bool,
    /// Whether two of its names are compared.
    pub compares: bool,
    /// Whether an object may have two names at once.
    pub is_shared: bool,
    /// Whether a name may be null, or chooses.
    pub is_chosen: bool,
    /// Whether it stays, for something is asked that fields do not answer.
    pub is_spoilt: bool,
    /// Whether a store stands elsewhere than in the block of the allocation.
    stores_late: bool,
}

impl Web {
    /// A web without names so far.
    pub fn new(kind: Kind, first: Inst) -> Web {
        Web {
            first,
            names: Vec::new(),
            slots: None,
            fields: Vec::new(),
            kind,
            locks: false,
            compares: false,
            is_shared: false,
            is_chosen: false,
            is_spoilt: false,
            stores_late: false,
        }
    }

    /// Whether its objects can be their fields.
    pub fn goes(&self) -> bool {
        !self.is_spoilt && (self.slots.is_some() || !self.has_to_say())
    }

    /// Whether names have to say where their fields are.
    pub fn has_to_say(&self) -> bool {
        let shared = self.is_shared && !fault!("objects: an object has one name");
        self.is_chosen || shared && (self.stores_late || self.compares)
    }

    /// Whether an object with several names is something else than one with one name.
    pub fn asks_for_names(&self) -> bool {
        !self.is_spoilt && (self.is_chosen || self.stores_late || self.compares)
    }

    /// How many values it takes to replace it.
    pub fn size(&self) -> usize {
        self.names.len() * self.fields.iter().filter(|field| field.is_loaded).count()
    }

    /// Notes an access. The position of the field, if that can be one.
    pub fn access(&mut self, place: Place, is_loaded: bool, is_late: bool) -> Option<usize> {
        self.stores_late |= is_late;
        let is_there = match self.kind.length {
            None => place.index.is_none(),
            Some(length) => place.index.is_some_and(|index| (0..length).contains(&index)),
        };
        let known = self
            .fields
            .iter()
            .position(|field| (field.place.class, field.place.index) == (place.class, place.index));
        let at = known.unwrap_or(self.fields.len());
        if known.is_none() {
            self.fields.push(Field { place, is_loaded: false });
        }
        let field = &mut self.fields[at];
        field.is_loaded |= is_loaded;
        (is_there && field.place == place && at < CELLS as usize).then_some(at)
    }
}

/// The webs of a function.
#[derive(Default)]
pub(super) struct Webs {
    /// The name that a value is: itself, or what a test for null gave back.
    pub(super) names: SideTable<Value, Option<Value>>,
    /// The web of a name, from 1.
    pub(super) numbers: SideTable<Value, u32>,
    /// The position of a name in its web.
    pub(super) positions: SideTable<Value, u32>,
    /// What is done to objects by an instruction, and the position of the field that it is about.
    pub(super) deeds: SideTable<Inst, Option<(Deed, usize)>>,
    /// The instruction that makes the fields of a name hold something, and its block.
    pub(super) ready: SideTable<Value, Option<(Inst, Block)>>,
    /// Whether a handler may know the name before its object is ready: in its block, a field is not what it was at first.
    pub(super) late: SideTable<Value, bool>,
    /// Names with the positions of fields that are stored by them.
    pub(super) stored: HashSet<(Value, usize), FxBuildHasher>,
    /// Webs that go together or not at all, by their first allocations.
    pub together: UnionFind<Inst>,
    /// The webs that have an allocation.
    pub all: Vec<Web>,
}

impl Webs {
    /// The name of an object that a value is, and the number of its web.
    pub fn name(&self, value: Value) -> Option<(Value, usize)> {
        let name = self.names[value]?;
        Some((name, self.numbers[name].checked_sub(1)? as usize))
    }

    /// What an instruction does to an object, and the position of the field that it is about.
    pub fn deed(&self, inst: Inst) -> Option<(Deed, usize)> {
        self.deeds[inst]
    }

    /// Null or a name of a web, if a value is one.
    pub fn coming(&self, f: &Function, value: Value, web: usize) -> Option<Coming> {
        match self.name(value) {
            Some((name, number)) => (number == web).then(|| Some(self.position(name))),
            None => (f.constant(value) == Some(Const::Null)).then_some(None),
        }
    }

    /// The position of a name in its web.
    pub fn position(&self, name: Value) -> usize {
        self.positions[name] as usize
    }

    /// Whether an instruction makes the fields of a name hold something.
    pub fn readies(&self, inst: Inst, name: Value) -> bool {
        self.ready[name].is_some_and(|(ready, _)| ready == inst)
    }

    /// Whether a field of a name holds one value as long as that is a name: what it held when the object was ready, or was
    /// passed on.
    pub fn is_single(&self, name: Value, web: usize, at: usize) -> bool {
        let changes =
            self.stored.contains(&(name, at)) && !fault!("objects: a field is what it was at first");
        self.all[web].slots.is_none() && !self.late[name] && !changes
    }

    /// Whether an instruction that goes with the web that it is about leaves nowhere, in whatever takes its place: where its
    /// object may be null at run time, the exit stays.
    pub fn goes_without_exit(&self, f: &Function, inst: Inst) -> bool {
        let Some(web) = self.about(f, inst).filter(|&web| self.all[web].goes()) else { return false };
        let asked = f.args(inst).first().copied().filter(|&object| self.names[object] == Some(object));
        let slots = asked.and(self.all[web].slots.as_ref());
        !slots.zip(asked).is_some_and(|(slots, name)| slots.may_be_null(self.position(name)))
    }

    /// The web that an instruction is about.
    pub fn about(&self, f: &Function, inst: Inst) -> Option<usize> {
        let made = f.first_result(inst).filter(|&result| self.names[result] == Some(result));
        let asked = || f.args(inst).first().copied();
        self.name(made.or_else(asked)?).map(|(_, web)| web)
    }
}
