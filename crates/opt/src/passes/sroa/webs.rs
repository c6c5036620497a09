//! Which objects of a function nobody else can have, and by which names they go.
//!
//! A *name* of an object is the result of its allocation, a block parameter that it is passed to, or the result of a `select`
//! that chooses it. Names that meet are a *web* (Muchnick 1997, 16.3.3, for variables). A web goes where every value that comes
//! to one of its names is another name of it, or null, and nothing is done with its names but what fields answer: loads and
//! stores of places that are known, lengths, tests for null, comparisons.
//!
//! What a field holds is known by the name alone, unless a name may be null or chooses, or an object has two names at once
//! and is stored to by one of them. A name is gone where the object is passed on to another: then nothing is live that the
//! object was called before. In a web where that is not so, either stores stand in the block of their allocation, where the
//! object has no name but the first, or names say at run time where their fields are ([`Slots`]).

use planish_base::{SideTable, UnionFind, fault};
use planish_ir::liveness::Liveness;
use planish_ir::{Block, Cfg, Const, Function, Inst, Terminator, Value};
use planish_ops::world::{Descr, World};
use planish_ops::{Op, Type};

use super::slots::{Coming, Name, Origin, Slots};

/// How many cells an allocation may have that becomes values.
pub(super) const CELLS: i64 = 64;

/// What an allocation makes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Object,
    /// An array of so many items.
    Array(i64),
}

/// A place of an object.
#[derive(Clone, Copy)]
pub(super) struct Place {
    descr: Descr,
    class: u32,
    /// The index of an item.
    index: Option<i64>,
    /// The type of what it holds.
    pub ty: Type,
    /// The bits of an integer that are stored, where that is not all of them, and whether a load extends the sign.
    pub narrow: Option<(u8, bool)>,
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
    pub places: Vec<Place>,
    kind: Kind,
    /// Whether a store stands elsewhere than in the block of the allocation.
    stores_late: bool,
    /// Whether two of its names are compared.
    compares: bool,
    /// Whether an object may have two names at once.
    is_shared: bool,
    /// Whether a name may be null, or chooses.
    is_chosen: bool,
    is_spoilt: bool,
}

impl Web {
    /// Whether its objects can be their fields.
    pub fn goes(&self) -> bool {
        !self.is_spoilt && (self.slots.is_some() || !self.has_to_say())
    }

    /// Whether names have to say where their fields are.
    fn has_to_say(&self) -> bool {
        let shared = self.is_shared && !fault!("objects: an object has one name");
        self.is_chosen || shared && (self.stores_late || self.compares)
    }

    /// How many values it takes to replace it.
    pub fn size(&self) -> usize {
        self.names.len() * self.places.iter().filter(|place| place.is_loaded).count()
    }
}

/// The webs of a function.
pub(super) struct Webs {
    /// The name that a value is: itself, or what a test for null gave back.
    names: SideTable<Value, Option<Value>>,
    /// The web of a name, from 1.
    numbers: SideTable<Value, u32>,
    /// The position of a name in its web.
    positions: SideTable<Value, u32>,
    /// The webs that have an allocation.
    pub all: Vec<Web>,
}

impl Webs {
    /// Finds them. O(function), and for each access O([`CELLS`]).
    pub fn new(f: &Function, cfg: &Cfg, world: &dyn World) -> Webs {
        let mut search = Search {
            f,
            world,
            names: SideTable::new(),
            listed: Vec::new(),
            made: SideTable::new(),
            chosen: SideTable::new(),
            also: SideTable::new(),
            sets: UnionFind::new(),
            spoilt: SideTable::new(),
            accesses: Vec::new(),
            compared: Vec::new(),
        };
        for &block in cfg.order() {
            search.define(block);
        }
        for &block in cfg.order() {
            search.uses(block);
        }
        search.group(cfg)
    }

    /// The name of an object that a value is, and the number of its web.
    pub fn name(&self, value: Value) -> Option<(Value, usize)> {
        let name = self.names[value]?;
        Some((name, self.numbers[name].checked_sub(1)? as usize))
    }

    /// Null or a name of a web, if a value is one.
    fn coming(&self, f: &Function, value: Value, web: usize) -> Option<Coming> {
        match self.name(value) {
            Some((name, number)) => (number == web).then(|| Some(self.position(name))),
            None => (f.constant(value) == Some(Const::Null)).then_some(None),
        }
    }

    /// The position of a name in its web.
    pub fn position(&self, name: Value) -> usize {
        self.positions[name] as usize
    }

    /// The position of the place that an access of a web is to.
    pub fn place(&self, f: &Function, world: &dyn World, inst: Inst, web: usize) -> Option<usize> {
        let place = place(f, world, inst)?;
        self.all[web].places.iter().position(|other| other.is(&place))
    }
}

impl Place {
    fn is(&self, other: &Place) -> bool {
        (self.class, self.index) == (other.class, other.index)
    }
}

/// The place that an access names, if it holds what the access says.
fn place(f: &Function, world: &dyn World, inst: Inst) -> Option<Place> {
    let (data, args) = (f.inst(inst), f.args(inst));
    let descr = data.descr?;
    let location = world.location(descr).filter(|location| !location.raw)?;
    let is_loaded = matches!(data.op, Op::GetField | Op::GetItem);
    let value = if is_loaded { f.result(inst) } else { *args.last()? };
    let index = match data.op {
        Op::GetItem | Op::SetItem => Some(f.int_constant(args[1])?.signed()),
        _ => None,
    };
    if f.ty(value) != location.ty || location.ty == Type::State {
        return None;
    }
    let narrow = match (location.ty, location.stored_bits) {
        (Type::Int(width), Some(bits)) if bits < width => Some((bits, location.signed)),
        _ => None,
    };
    Some(Place { descr, class: location.alias_class, index, ty: location.ty, narrow, is_loaded })
}

/// An access to an object by a name.
struct Access {
    name: Value,
    place: Place,
    /// Whether it is a store that stands elsewhere than in the block of the allocation.
    is_late: bool,
}

struct Search<'a> {
    f: &'a Function,
    world: &'a dyn World,
    names: SideTable<Value, Option<Value>>,
    /// Every name, in order, with the block that defines it and where in the block.
    listed: Vec<(Value, Block, u32)>,
    /// Of a name that is an allocation, what is made, and where.
    made: SideTable<Value, Option<(Kind, Inst, Block)>>,
    /// Whether a name may be null, or chooses.
    chosen: SideTable<Value, bool>,
    /// What else a name is called.
    also: SideTable<Value, Vec<Value>>,
    sets: UnionFind<Value>,
    /// Names of which something is asked that fields do not answer.
    spoilt: SideTable<Value, bool>,
    accesses: Vec<Access>,
    compared: Vec<(Value, Value)>,
}

impl Search<'_> {
    /// Notes the names that a block defines.
    fn define(&mut self, block: Block) {
        let f = self.f;
        if block != f.entry() && !f.is_entrance(block) {
            for &param in f.block_params(block).iter().filter(|&&param| f.ty(param) == Type::Ref) {
                self.names[param] = Some(param);
                self.listed.push((param, block, 0));
            }
        }
        for (&inst, position) in f.block_insts(block).iter().zip(1..) {
            let kind = match f.inst(inst).op {
                Op::New => Kind::Object,
                Op::NewArray => match f.int_constant(f.args(inst)[0]).map(|length| length.signed()) {
                    Some(length) if (0..=CELLS).contains(&length) => Kind::Array(length),
                    _ => continue,
                },
                Op::Select if f.ty(f.result(inst)) == Type::Ref => {
                    let name = f.result(inst);
                    self.names[name] = Some(name);
                    self.listed.push((name, block, position));
                    continue;
                }
                Op::NullCheck => {
                    if let Some(name) = self.names[f.args(inst)[0]] {
                        self.names[f.result(inst)] = Some(name);
                        self.also[name].push(f.result(inst));
                    }
                    continue;
                }
                _ => continue,
            };
            let name = f.result(inst);
            self.names[name] = Some(name);
            self.listed.push((name, block, position));
            self.made[name] = Some((kind, inst, block));
        }
    }

    /// Notes what is done with names in a block.
    fn uses(&mut self, block: Block) {
        let f = self.f;
        for &inst in f.block_insts(block) {
            self.operation(block, inst);
            if let Some(exit) = f.inst(inst).exit {
                self.spoil(f.exit_args(exit));
            }
        }
        match f.terminator(block) {
            Terminator::Return(results) => self.spoil(f.list(*results)),
            Terminator::Throw(thrown, exit) => {
                self.spoil(&[*thrown]);
                exit.iter().for_each(|&exit| self.spoil(f.exit_args(exit)));
            }
            _ => {}
        }
        for call in f.block_calls(block) {
            for (&arg, &param) in f.list(call.args).iter().zip(f.block_params(call.block)) {
                match self.names[param] {
                    Some(to) => self.comes(arg, to),
                    None => self.spoil(&[arg]),
                }
            }
        }
    }

    /// Notes what comes to a name.
    fn comes(&mut self, from: Value, to: Value) {
        match self.names[from] {
            Some(from) => _ = self.sets.forward(from, to),
            None if self.f.constant(from) == Some(Const::Null) => self.chosen[to] = true,
            None => self.spoilt[to] = true,
        }
    }

    fn operation(&mut self, block: Block, inst: Inst) {
        let (f, args) = (self.f, self.f.args(inst));
        match f.inst(inst).op {
            Op::GetField | Op::SetField | Op::GetItem | Op::SetItem => {
                self.spoil(&args[1..]);
                let Some(name) = self.names[args[0]] else { return };
                let home = self.made[name].map(|(_, _, home)| home);
                match place(f, self.world, inst) {
                    Some(place) => {
                        let is_late = !place.is_loaded && home != Some(block);
                        self.accesses.push(Access { name, place, is_late });
                    }
                    None => self.spoilt[name] = true,
                }
            }
            Op::RefEq | Op::RefNe => {
                if let (Some(x), Some(y)) = (self.names[args[0]], self.names[args[1]]) {
                    self.compared.push((x, y));
                }
            }
            Op::ArrayLen => {
                let length = self.names[args[0]]
                    .filter(|&name| !matches!(self.made[name], Some((Kind::Array(_), ..)) | None));
                length.into_iter().for_each(|name| self.spoilt[name] = true);
            }
            Op::Select if self.names[f.result(inst)].is_some() => {
                let name = f.result(inst);
                self.chosen[name] = true;
                args[1..].iter().for_each(|&arg| self.comes(arg, name));
            }
            Op::IsNull | Op::IsNonnull | Op::NullCheck | Op::GuardNonnull => {}
            _ => self.spoil(args),
        }
    }

    fn spoil(&mut self, values: &[Value]) {
        for &value in values {
            self.names[value].into_iter().for_each(|name| self.spoilt[name] = true);
        }
    }

    fn group(mut self, cfg: &Cfg) -> Webs {
        let mut webs = Webs {
            names: SideTable::new(),
            numbers: SideTable::new(),
            positions: SideTable::new(),
            all: Vec::new(),
        };
        for &(name, ..) in &self.listed {
            if let Some((kind, first, _)) = self.made[name] {
                let root = self.sets.find(name);
                if webs.numbers[root] == 0 {
                    webs.all.push(Web::new(kind, first));
                    webs.numbers[root] = webs.all.len() as u32;
                }
                let web = &mut webs.all[webs.numbers[root] as usize - 1];
                web.is_spoilt |= web.kind != kind;
            }
        }
        for &(name, ..) in &self.listed {
            let number = webs.numbers[self.sets.find(name)];
            webs.numbers[name] = number;
            if let Some(web) = webs.all.get_mut((number as usize).wrapping_sub(1)) {
                webs.positions[name] = web.names.len() as u32;
                web.names.push(name);
                web.is_spoilt |= self.spoilt[name];
                web.is_chosen |= self.chosen[name];
            }
        }
        webs.names = std::mem::take(&mut self.names);
        for Access { name, place, is_late } in &self.accesses {
            if let Some((_, number)) = webs.name(*name) {
                webs.all[number].access(*place, *is_late);
            }
        }
        for &(x, y) in &self.compared {
            if let (Some((_, of_x)), Some((_, of_y))) = (webs.name(x), webs.name(y)) {
                webs.all[of_x].compares |= of_x == of_y && x != y;
            }
        }
        let asks = |web: &Web| !web.is_spoilt && (web.is_chosen || web.stores_late || web.compares);
        if webs.all.iter().any(asks) {
            let live = Liveness::new(self.f, cfg);
            self.share(cfg, &live, &mut webs);
            self.choose_slots(cfg, &live, &mut webs);
        }
        webs
    }

    /// Notes the webs in which an object may have two names at once.
    fn share(&self, cfg: &Cfg, live: &Liveness, webs: &mut Webs) {
        let f = self.f;
        let mut passed: SideTable<Value, u32> = SideTable::new();
        let mut number = 0;
        for &block in cfg.order() {
            for call in f.block_calls(block) {
                let target = cfg.number(call.block).expect("what a reached block goes to is reached");
                number += 1;
                for &arg in f.list(call.args) {
                    let Some((name, web)) = webs.name(arg) else { continue };
                    let twice = std::mem::replace(&mut passed[name], number) == number;
                    let mut called = std::iter::once(&name).chain(&self.also[name]);
                    webs.all[web].is_shared |= twice || called.any(|&value| live.is_live_in(target, value));
                }
            }
        }
    }

    /// Chooses slots for the webs that need them.
    fn choose_slots(&self, cfg: &Cfg, live: &Liveness, webs: &mut Webs) {
        let mut listed: Vec<Vec<Name>> = vec![Vec::new(); webs.all.len()];
        for &(value, home, position) in &self.listed {
            let Some((_, number)) = webs.name(value) else { continue };
            let web = &webs.all[number];
            if web.is_spoilt || !web.has_to_say() {
                continue;
            }
            let origin = match self.f.def_inst(value) {
                None => Origin::Parameter,
                Some(_) if self.made[value].is_some() => Origin::Allocation,
                Some(inst) => {
                    let [one, other] = [1, 2].map(|at| webs.coming(self.f, self.f.args(inst)[at], number));
                    Origin::Select([one.flatten(), other.flatten()])
                }
            };
            listed[number].push(Name { value, also: self.also[value].clone(), home, position, origin });
        }
        for (number, names) in listed.iter().enumerate().filter(|(_, names)| !names.is_empty()) {
            let coming = |value| webs.coming(self.f, value, number);
            webs.all[number].slots = Slots::choose(self.f, cfg, live, names, coming);
        }
    }
}

impl Web {
    fn new(kind: Kind, first: Inst) -> Web {
        Web {
            first,
            names: Vec::new(),
            slots: None,
            places: Vec::new(),
            kind,
            stores_late: false,
            compares: false,
            is_shared: false,
            is_chosen: false,
            is_spoilt: false,
        }
    }

    fn access(&mut self, place: Place, is_late: bool) {
        self.stores_late |= is_late;
        self.is_spoilt |= match self.kind {
            Kind::Object => place.index.is_some(),
            Kind::Array(length) => !place.index.is_some_and(|index| (0..length).contains(&index)),
        };
        if let Some(known) = self.places.iter_mut().find(|other| other.is(&place)) {
            self.is_spoilt |= known.descr != place.descr;
            known.is_loaded |= place.is_loaded;
        } else if self.places.len() as i64 == CELLS {
            self.is_spoilt = true;
        } else {
            self.places.push(place);
        }
    }

    /// The length of its objects, which are arrays.
    pub fn length(&self) -> Option<i64> {
        match self.kind {
            Kind::Object => None,
            Kind::Array(length) => Some(length),
        }
    }
}
