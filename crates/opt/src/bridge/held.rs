//! What holds where a guard of a trace fails, found out by passing the operations before it in order, and then what its exit makes.

use planish_base::{Id, SideTable};
use planish_ir::{Const, Function, Inst, Slot, Symbol, Value};
use planish_ops::world::{Content, Descr, Location, Made, Meaning, World};
use planish_ops::{Effect, Exits, Int, Op, Type};
use smallvec::SmallVec;

use super::places::{Place, Places, value_constant};
use super::site::{Site, value_of};

/// What holds at a place of a trace. Objects that the exit makes are values behind those of the function.
pub(super) struct Held<'a> {
    pub(super) site: Site<'a>,
    pub(super) f: &'a Function,
    world: &'a dyn World,
    /// The types of what the exit makes.
    made: Vec<Option<Type>>,
    pub(super) nonnull: SideTable<Value, bool>,
    pub(super) classes: SideTable<Value, Option<Const>>,
    /// The values that parameters surely are.
    pub(super) same: SideTable<Value, Option<Value>>,
    /// The constants that values are, of those that guards say.
    constants: SideTable<Value, Option<Const>>,
    /// When values came up, and which of them are objects that were made then.
    born: SideTable<Value, u32>,
    fresh: SideTable<Value, bool>,
    time: u32,
    /// References of which something is known, in order.
    pub(super) references: Vec<Value>,
    /// Results of operations that are constants, in the order in which they were found to be.
    pub(super) outcomes: Vec<(Value, Const)>,
    /// Integers that are not zero.
    pub(super) nonzero: Vec<Value>,
    /// Values that are not some constant.
    pub(super) others: Vec<(Value, Const)>,
    /// What places of the heap hold.
    pub(super) places: Places,
    /// Lengths, which never change.
    pub(super) lengths: Vec<(Place, Value)>,
    /// Calls that give the same again.
    pub(super) calls: Vec<Inst>,
}

impl<'a> Held<'a> {
    /// What holds where the guard of a site fails, behind what its exit does.
    pub(super) fn at(site: Site<'a>, world: &'a dyn World) -> Held<'a> {
        let f = site.function;
        let mut held = Held {
            site,
            f,
            world,
            made: Vec::new(),
            nonnull: SideTable::new(),
            classes: SideTable::new(),
            same: SideTable::new(),
            constants: SideTable::new(),
            born: SideTable::new(),
            fresh: SideTable::new(),
            time: 0,
            references: Vec::new(),
            outcomes: Vec::new(),
            nonzero: Vec::new(),
            others: Vec::new(),
            places: Places::default(),
            lengths: Vec::new(),
            calls: Vec::new(),
        };
        for (number, &block) in f.blocks().iter().enumerate() {
            held.begins(number);
            let insts = f.block_insts(block);
            let here = block == site.block;
            insts[..if here { site.position } else { insts.len() }]
                .iter()
                .for_each(|&inst| held.passed(inst));
            if here {
                held.failed(insts[site.position]);
                break;
            }
        }
        held.leaves();
        held
    }

    /// The type of a value, if it is one.
    pub(super) fn ty(&self, value: Value) -> Option<Type> {
        match value.index().checked_sub(self.f.value_count()) {
            None => Some(self.f.ty(value)),
            Some(made) => self.made.get(made).copied().flatten(),
        }
    }

    /// The constant that a value is.
    pub(super) fn constant(&self, value: Value) -> Option<Const> {
        value_constant(self.f, value).or(self.constants[value])
    }

    /// The operation that gives a value.
    pub(super) fn def_inst(&self, value: Value) -> Option<Inst> {
        if value.index() < self.f.value_count() { self.f.def_inst(value) } else { None }
    }

    /// What a slot of the exit's state is.
    pub(super) fn handed(&self, slot: Slot) -> Option<Value> {
        match slot {
            Slot::Arg(_) => value_of(self.site, slot).map(|value| self.same_as(value)),
            Slot::Made(step) => Some(Value::from_index(self.f.value_count() + step as usize)),
        }
    }

    /// Values come up at one time.
    pub(super) fn come_up(&mut self, values: impl Iterator<Item = Value>) {
        self.time += 1;
        for value in values {
            self.born[value] = self.time;
        }
    }

    /// Nothing is known any more.
    pub(super) fn forget(&mut self) {
        self.nonnull.clear();
        self.classes.clear();
        self.same.clear();
        self.constants.clear();
        self.born.clear();
        self.fresh.clear();
        self.references.clear();
        self.outcomes.clear();
        self.nonzero.clear();
        self.others.clear();
        self.places.clear();
        self.lengths.clear();
        self.calls.clear();
    }

    /// The operands of an operation, parameters as what they surely are.
    fn operands(&self, inst: Inst) -> SmallVec<[Value; 4]> {
        self.f.args(inst).iter().map(|&arg| self.same_as(arg)).collect()
    }

    /// Control came past an operation.
    fn passed(&mut self, inst: Inst) {
        let (f, data) = (self.f, self.f.inst(inst));
        self.come_up(f.results(inst));
        let (args, result) = (self.operands(inst), f.first_result(inst));
        let args = &args[..];
        match (data.op.effect(), data.op) {
            (Effect::Guard, _) => self.guarded(data.op, args),
            (Effect::Call, Op::Call) => self.called(inst),
            (Effect::Allocate, op) => self.allocated(op, data.descr, args, result),
            (Effect::Load, op) => self.loaded(op, data.descr, args, result),
            (Effect::Store, op) => self.stored(op, data.descr, args),
            (Effect::Pure, Op::ArrayLen | Op::StrLen) => {
                self.is_there(args[0]);
                if let (Some(descr), Some(length)) = (data.descr, result) {
                    let place = Place { load: data.op, descr, base: args[0], index: None };
                    self.lengths.push((place, length));
                }
            }
            (Effect::Pure | Effect::Marker, _) => {}
            (Effect::Call, _) => self.places.written(),
        }
    }

    fn is_there(&mut self, object: Value) {
        if !std::mem::replace(&mut self.nonnull[object], true) {
            self.references.push(object);
        }
    }

    /// Control came past a guard.
    fn guarded(&mut self, op: Op, args: &[Value]) {
        match (op, args) {
            (Op::GuardTrue, &[condition]) => self.is_true(condition),
            (Op::GuardFalse, &[condition]) => self.is_zero(condition),
            (Op::GuardNonnull, &[object]) => self.is_there(object),
            (Op::GuardIsnull, &[object]) => self.is(object, Const::Null),
            (Op::GuardClass | Op::GuardNonnullClass, &[object, class]) => {
                self.is_there(object);
                self.classes[object] = self.constant(class);
            }
            (Op::GuardValue, &[value, constant]) => {
                // Numbers that are equal may differ in their sign.
                if let Some(constant) = self.constant(constant).filter(|it| !matches!(it, Const::Real(_))) {
                    self.is(value, constant);
                }
            }
            _ => {}
        }
    }

    /// Control did not come past a guard.
    fn failed(&mut self, guard: Inst) {
        match (self.f.inst(guard).op, &self.operands(guard)[..]) {
            (Op::GuardTrue, &[condition]) => self.is_zero(condition),
            (Op::GuardFalse, &[condition]) => self.is_true(condition),
            (Op::GuardIsnull, &[object]) => self.is_there(object),
            (Op::GuardNonnull, &[object]) => self.is(object, Const::Null),
            (Op::GuardValue, &[value, constant]) => {
                let constant = self.constant(constant);
                if let Some(constant @ (Const::Int(_) | Const::Null | Const::Symbol(..))) = constant {
                    self.others.push((value, constant));
                }
            }
            _ => {}
        }
    }

    fn is_zero(&mut self, condition: Value) {
        if let Some(Type::Int(bits)) = self.ty(condition) {
            self.is(condition, Const::Int(Int::new(u32::from(bits), 0)));
        }
    }

    /// A condition is not zero; one that is 0 or 1 is 1.
    fn is_true(&mut self, condition: Value) {
        let Some(Type::Int(bits)) = self.ty(condition) else { return };
        let is_boolean = bits == 1 || self.def_inst(condition).is_some_and(|inst| self.f.row(inst).truth);
        match is_boolean {
            true => self.is(condition, Const::Int(Int::new(u32::from(bits), 1))),
            false => self.nonzero.push(condition),
        }
    }

    /// A value is a constant, and with it perhaps what it was computed from.
    fn is(&mut self, value: Value, constant: Const) {
        let (mut value, mut constant) = (value, constant);
        while value_constant(self.f, value).is_none()
            && self.constants[value].replace(constant) != Some(constant)
        {
            self.outcomes.push((value, constant));
            let (Some(inst), Const::Int(truth)) = (self.def_inst(value), constant) else { return };
            let zero = |x: Value| match self.f.ty(x) {
                Type::Int(bits) => Some((x, Const::Int(Int::new(u32::from(bits), 0)))),
                _ => None,
            };
            let next = match (self.f.inst(inst).op, &self.operands(inst)[..], truth.is_true()) {
                (Op::IsTrue, &[x], false) | (Op::IsZero, &[x], true) => zero(x),
                (Op::IsNull, &[x], true) | (Op::IsNonnull, &[x], false) => Some((x, Const::Null)),
                (Op::Eq | Op::RefEq, &[x, y], true) | (Op::Ne | Op::RefNe, &[x, y], false) => {
                    self.constant(y).map(|constant| (x, constant))
                }
                (Op::IsNull, &[x], false) | (Op::IsNonnull, &[x], true) => {
                    self.is_there(x);
                    None
                }
                _ => None,
            };
            let Some(next) = next else { return };
            (value, constant) = next;
        }
    }

    fn allocated(&mut self, op: Op, descr: Option<Descr>, args: &[Value], result: Option<Value>) {
        let Some(object) = result else { return };
        self.is_there(object);
        self.fresh[object] = true;
        let Some(descr) = descr else { return };
        let length = match (op, args) {
            (Op::NewArray, &[length]) => Some((Op::ArrayLen, length)),
            (Op::NewStr, &[length]) => Some((Op::StrLen, length)),
            _ => None,
        };
        if let Some((load, length)) = length {
            self.lengths.push((Place { load, descr, base: object, index: None }, length));
        }
        if op == Op::New
            && let Some(Content::Symbol(number)) = self.world.fresh(descr).class
        {
            let address = Symbol::from_index(number as usize);
            self.classes[object] = Some(Const::Symbol(address, Type::I64));
        }
    }

    /// The place of an access to the heap, and what is known of it.
    pub(super) fn place(&self, op: Op, descr: Option<Descr>, args: &[Value]) -> Option<(Location, Place)> {
        let (load, index) = match op {
            Op::GetField | Op::SetField => (Op::GetField, None),
            Op::GetItem | Op::SetItem => (Op::GetItem, Some(args[1])),
            Op::GetInterior | Op::SetInterior => (Op::GetInterior, Some(args[1])),
            _ => return None,
        };
        let descr = descr?;
        let location = self.world.location(descr)?;
        Some((location, Place { load, descr, base: args[0], index }))
    }

    fn loaded(&mut self, op: Op, descr: Option<Descr>, args: &[Value], result: Option<Value>) {
        let Some((location, place)) = self.place(op, descr, args) else { return };
        self.is_there(place.base);
        if let Some(value) = result.filter(|_| !location.raw) {
            let ty = self.f.ty(value);
            self.places.loaded(&location, place, value, ty);
        }
    }

    fn stored(&mut self, op: Op, descr: Option<Descr>, args: &[Value]) {
        // Characters and memory outside the heap are no fields of objects.
        if matches!(op, Op::StrSet | Op::StrCopy | Op::RawStore) {
            return;
        }
        let (Some((location, place)), Some(&value)) = (self.place(op, descr, args), args.last()) else {
            self.places.written();
            return;
        };
        self.is_there(place.base);
        if location.raw {
            return;
        }
        let Some(ty) = self.ty(value) else { return };
        let mut places = std::mem::take(&mut self.places);
        let is_apart = |one: &Place, other: &Place| self.is_apart(one, other);
        places.stored((self.f, &location), place, (value, ty), is_apart);
        self.places = places;
    }

    /// Whether two places of one alias class are surely different.
    fn is_apart(&self, one: &Place, other: &Place) -> bool {
        let index = |place: &Place| place.index.and_then(|index| self.constant(index));
        let other_item = one.descr == other.descr
            && matches!((index(one), index(other)), (Some(Const::Int(x)), Some(Const::Int(y))) if x != y);
        let differ = |x: Const, y: Const| match (x, y) {
            (Const::Symbol(x, _), Const::Symbol(y, _)) => {
                self.world.differ(x.index() as u32, y.index() as u32)
            }
            _ => false,
        };
        let class = |place: &Place| self.classes[place.base];
        other_item
            || self.is_older(one.base, other.base)
            || self.is_older(other.base, one.base)
            || class(one).zip(class(other)).is_some_and(|(x, y)| differ(x, y))
    }

    /// Whether an object was there before another one was made.
    fn is_older(&self, object: Value, made: Value) -> bool {
        self.fresh[made] && (self.constant(object).is_some() || self.born[object] < self.born[made])
    }

    fn called(&mut self, inst: Inst) {
        let descr = self.f.inst(inst).descr;
        self.writes(descr);
        let Some(descr) = descr else { return };
        let effect = self.world.call_effect(descr);
        let result = self.f.first_result(inst).filter(|_| self.f.results(inst).len() == 1);
        let is_known = result.is_some_and(|result| matches!(self.f.ty(result), Type::Int(_) | Type::Ref));
        if is_known
            && (effect.elidable || effect.loop_invariant)
            && !effect.raises
            && effect.made == Made::Always
        {
            self.calls.push(inst);
        }
    }

    /// What a call may write is forgotten.
    pub(super) fn writes(&mut self, descr: Option<Descr>) {
        let Some(descr) = descr else {
            self.places.written();
            return;
        };
        match self.world.meaning(descr).map(|(meaning, _)| meaning) {
            Some(Meaning::ArrayCopy | Meaning::ArrayMove) => {
                match self.world.copied(descr).and_then(|items| self.world.location(items)) {
                    Some(location) => self.places.written_in(location.alias_class),
                    None => self.places.written(),
                }
            }
            Some(Meaning::Shrink) => self.lengths.retain(|(place, _)| place.load != Op::StrLen),
            _ => {}
        }
        self.places.called(self.world.call_effect(descr));
    }

    /// The exit carries out its recipe.
    fn leaves(&mut self) {
        let Some(recipe) = self.site.recipe() else { return };
        let types: Vec<Type> = self.f.exit_args(self.site.exit).iter().map(|&arg| self.f.ty(arg)).collect();
        self.made = recipe.check(&types).unwrap_or_default();
        for (number, step) in recipe.steps.iter().enumerate() {
            let args: Vec<Value> =
                recipe.operands(step).iter().filter_map(|&slot| self.handed(slot)).collect();
            let result = Value::from_index(self.f.value_count() + number);
            self.come_up(std::iter::once(result));
            match step.op.effect() {
                Effect::Allocate => self.allocated(step.op, step.descr, &args, Some(result)),
                Effect::Store => self.stored(step.op, step.descr, &args),
                _ => {}
            }
        }
    }

    /// Whether an operation only computes, so that it can be done again, and does not depend on where objects are.
    pub(super) fn computes(&self, inst: Inst) -> bool {
        let (op, row) = (self.f.inst(inst).op, self.f.row(inst));
        row.effect == Effect::Pure
            && row.exits == Exits::Never
            && !row.variadic
            && !matches!(op, Op::RefToInt | Op::IntToRef | Op::ClassOf | Op::InstanceOf)
    }
}
