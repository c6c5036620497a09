//! Scalar replacement of objects and small arrays, over any control flow (escape analysis as in Choi and others, OOPSLA
//! 1999, without the analysis of callees).
//!
//! Where all names of an object are known ([`Webs`]), each of its fields is a variable a name: its allocation, or the call of
//! its constructor, and stores are definitions, loads are uses, and a parameter that the object is passed to has a parameter a
//! field instead. One [`repair()`] of SSA settles what reaches what; a field that does not change is the value itself. Where
//! names have to say at run time which object they are, variables are those of slots (`tagged`). What is caught sees no field
//! that changes (`handlers`), and monitors go with their objects (`monitors`).
//!
//! What dialects have of objects beside the table of operations they say by [`Aggregates`].
//!
//! An object that is stored into another is free once that one is gone, so this is done up to [`DEPTH`] times.
//!
//! O(function) a time.

use planish_base::{Budget, SideTable};
use planish_ir::{Block, Cfg, Const, Function, Inst, Location, Stands, Value, repair};
use planish_ops::world::Extension;
use planish_ops::{Op, Real, Type};
use planish_pass::aggregates::{Aggregates, Deed};
use planish_pass::{Became, Change, PassCx, Site};

use super::search;
use super::webs::{Field, Webs};

/// How deep objects may be stored in each other.
pub const DEPTH: usize = 16;
/// How many fields of names may become values in one run.
pub const FIELDS_IN_ALL: u64 = 4_096;

/// Makes objects that nobody else has their fields.
pub fn replace(f: &mut Function, cx: &mut PassCx<'_>, aggregates: &mut dyn Aggregates) {
    let mut budget = Budget::new("fields of objects that become values", cx.limit("fields", FIELDS_IN_ALL));
    for _ in 0..DEPTH {
        if !f.live_insts().any(|(_, inst)| aggregates.made(f, inst).is_some()) {
            break;
        }
        let cfg = cx.get::<Cfg>(f);
        let mut webs = search::webs(f, &cfg, aggregates);
        let going = allowed(f, cx, &mut webs, &mut budget);
        if !going.contains(&true) {
            break;
        }
        let mut fields = Fields {
            f,
            aggregates,
            webs: &webs,
            going: &going,
            variables: SideTable::new(),
            definitions: Vec::new(),
            stands: Stands::default(),
            replaced: SideTable::new(),
            tags: SideTable::new(),
            chosen: SideTable::new(),
            checked: SideTable::new(),
            checks: SideTable::new(),
        };
        fields.replace(&cfg);
        cx.changed(Change::Flow);
    }
    cx.record.note_budget(&budget);
}

/// The webs that go: those that may only go together are asked for as one.
fn allowed(f: &Function, cx: &mut PassCx<'_>, webs: &mut Webs, budget: &mut Budget) -> Vec<bool> {
    let mut sizes: SideTable<Inst, u64> = SideTable::new();
    for web in webs.all.iter().filter(|web| web.goes()) {
        sizes[webs.together.find(web.first)] += web.size() as u64;
    }
    let mut asked: SideTable<Inst, Option<bool>> = SideTable::new();
    let mut going = vec![false; webs.all.len()];
    for (going, web) in going.iter_mut().zip(&webs.all).filter(|(_, web)| web.goes()) {
        let group = webs.together.find(web.first);
        match asked[group] {
            Some(true) => cx.record.note(cx.kind(), Site::of(f, web.first), Became::Nothing),
            Some(false) => {}
            None => {
                let may = budget.take(sizes[group]) && cx.rewrite(f, web.first, Became::Nothing);
                asked[group] = Some(may);
            }
        }
        *going = asked[group] == Some(true);
    }
    going
}

pub(super) struct Fields<'a> {
    pub f: &'a mut Function,
    aggregates: &'a mut dyn Aggregates,
    pub webs: &'a Webs,
    /// The webs that go.
    pub going: &'a [bool],
    /// By name: where the variables of its fields begin in `definitions`, one for each field of its web.
    pub variables: SideTable<Value, usize>,
    /// The definitions of each variable. None for fields that nothing loads.
    pub definitions: Vec<Vec<Value>>,
    /// What stands for results that go.
    pub stands: Stands,
    /// The parameters that blocks had, where some went.
    replaced: SideTable<Block, Option<Vec<Value>>>,
    /// By name: its tag, where that is known only at run time.
    pub tags: SideTable<Value, Option<Value>>,
    /// By name that is a choice of two tags that are known: the condition, and what it chooses.
    pub chosen: SideTable<Value, Option<(Value, [i64; 2])>>,
    /// By name: the last block in which it is known not to be null.
    pub checked: SideTable<Value, Option<Block>>,
    /// Questions whether a name is null: what leaves if it is.
    pub checks: SideTable<Inst, Option<Inst>>,
}

impl Fields<'_> {
    fn replace(&mut self, cfg: &Cfg) {
        let mut copies: SideTable<Inst, bool> = SideTable::new();
        for &block in cfg.order() {
            self.params(block);
            let mut kept = Vec::new();
            if block == self.f.entry() {
                self.begin_slots(&mut kept);
            }
            let is_copy =
                |f: &Function, inst| f.inst(inst).op == Op::Select && f.args(inst)[1] == f.args(inst)[2];
            kept.iter().for_each(|&inst| copies[inst] = is_copy(self.f, inst));
            for inst in self.f.replace_insts(block, Vec::new()) {
                let known = kept.len();
                if !self.inst(block, inst, &mut kept) {
                    kept.push(inst);
                } else {
                    kept[known..].iter().for_each(|&inst| copies[inst] = is_copy(self.f, inst));
                }
            }
            self.f.replace_insts(block, kept);
        }
        for &block in cfg.order() {
            self.arguments(block);
        }
        let stands = std::mem::take(&mut self.stands);
        stands.write(self.f);
        // What has one definition is that wherever it is used.
        self.definitions.retain(|group| group.len() > 1);
        if !self.definitions.is_empty() {
            repair(self.f, &self.definitions);
        }
        self.forward(cfg, &copies);
        self.leave_at_null();
    }

    /// The name and web of an object that goes.
    pub fn name(&self, value: Value) -> Option<(Value, usize)> {
        self.webs.name(value).filter(|&(_, web)| self.going[web])
    }

    /// The loaded fields of a web, with the variables of a name.
    pub fn variables(&self, name: Value, web: usize) -> impl Iterator<Item = (usize, Field)> + use<'_> {
        let first = self.variables[name];
        let fields = self.webs.all[web].fields.iter().enumerate();
        fields.filter(|(_, field)| field.is_loaded).map(move |(at, field)| (first + at, *field))
    }

    pub fn begin(&mut self, name: Value, web: usize) {
        self.variables[name] = self.definitions.len();
        let more = self.webs.all[web].fields.len();
        self.definitions.resize_with(self.definitions.len() + more, Vec::new);
    }

    /// Lets a block have parameters for fields instead of those for objects that go.
    fn params(&mut self, block: Block) {
        let before = self.f.block_params(block).to_vec();
        if before.iter().all(|&param| self.name(param).is_none()) {
            return;
        }
        let mut params: Vec<Value> =
            before.iter().copied().filter(|&param| self.name(param).is_none()).collect();
        for &param in &before {
            let Some((name, web)) = self.name(param) else { continue };
            params.extend(self.tag_param(block, name, web));
            if !self.has_slot(name, web) {
                continue;
            }
            if self.webs.all[web].slots.is_none() {
                self.begin(name, web);
            }
            for (variable, field) in self.variables(name, web).collect::<Vec<_>>() {
                let held = self.f.add_param(block, field.place.ty);
                self.definitions[variable].push(held);
                params.push(held);
            }
        }
        self.f.set_params(block, &params);
        self.replaced[block] = Some(before);
    }

    /// Passes fields instead of objects.
    fn arguments(&mut self, block: Block) {
        if self.f.block_calls(block).all(|call| self.replaced[call.block].is_none()) {
            return;
        }
        let mut terminator = self.f.take_terminator(block);
        let mut made = Vec::new();
        for (number, call) in terminator.calls_mut().enumerate() {
            let Some(params) = self.replaced[call.block].clone() else { continue };
            let before = self.f.list(call.args).to_vec();
            let stays = before.iter().zip(&params).filter(|&(_, &param)| self.name(param).is_none());
            let mut args: Vec<Value> = stays.map(|(&arg, _)| arg).collect();
            for (position, (&arg, &param)) in before.iter().zip(&params).enumerate() {
                let Some((to, web)) = self.name(param) else { continue };
                match &self.webs.all[web].slots {
                    Some(slots) => {
                        let by = slots.pass((block, number, position)).expect("what is passed was looked at");
                        self.pass(arg, to, web, by, &mut args, &mut made);
                    }
                    None => {
                        let (name, _) = self.name(arg).expect("a name comes to a name");
                        args.extend(
                            self.variables(name, web).map(|(variable, _)| self.definitions[variable][0]),
                        );
                    }
                }
            }
            *call = self.f.make_call(call.block, &args);
        }
        made.into_iter().for_each(|inst| self.f.append_inst(block, inst));
        self.f.set_terminator(block, terminator);
    }

    /// Whether an instruction is about objects that go, and so goes itself. What takes its place is in `kept`.
    fn inst(&mut self, block: Block, inst: Inst, kept: &mut Vec<Inst>) -> bool {
        let op = self.f.inst(inst).op;
        match op {
            Op::Select => return self.choice(inst, kept),
            Op::RefEq | Op::RefNe => return self.comparison(inst, kept),
            _ => {}
        }
        if let Some((name, web)) = self.f.first_result(inst).and_then(|result| self.name(result))
            && self.f.def_inst(name) == Some(inst)
        {
            self.allocation(inst, name, web, kept);
            return true;
        }
        let Some(&object) = self.f.args(inst).first() else { return false };
        let Some((name, web)) = self.name(object) else { return false };
        if matches!(op, Op::IsNull | Op::IsNonnull) {
            return self.null_test(inst, object, kept);
        }
        if object == name {
            self.check(block, inst, name, web, kept);
        }
        if !matches!(op, Op::GuardNonnull | Op::NullCheck) {
            self.deed(inst, name, web, kept);
        }
        true
    }

    fn allocation(&mut self, inst: Inst, name: Value, web: usize, kept: &mut Vec<Inst>) {
        if self.webs.all[web].slots.is_none() {
            self.begin(name, web);
        }
        if self.webs.readies(inst, name) {
            self.construct(inst, name, web, kept);
        }
    }

    /// Lets the fields of a name hold what those of an object hold at first.
    fn construct(&mut self, inst: Inst, name: Value, web: usize, kept: &mut Vec<Inst>) {
        let first = self.variables[name];
        for (variable, Field { place, .. }) in self.variables(name, web).collect::<Vec<_>>() {
            let known = self.aggregates.content(self.f, inst, &place, kept);
            let held = known.unwrap_or_else(|| nothing(self.f, place.ty));
            let is_single = self.webs.is_single(name, web, variable - first);
            let definition = if is_single { held } else { copy(self.f, held, kept) };
            self.definitions[variable].push(definition);
        }
    }

    /// Lets the fields of a name be zero.
    pub fn clear(&mut self, name: Value, web: usize, kept: &mut Vec<Inst>) {
        for (variable, field) in self.variables(name, web).collect::<Vec<_>>() {
            let nothing = nothing(self.f, field.place.ty);
            self.definitions[variable].push(copy(self.f, nothing, kept));
        }
    }

    /// Does to the fields of a name what an instruction does to the object.
    fn deed(&mut self, inst: Inst, name: Value, web: usize, kept: &mut Vec<Inst>) {
        let (deed, at) = self.webs.deed(inst).expect("what is done to a web that goes is known");
        match deed {
            Deed::Construct => self.construct(inst, name, web, kept),
            Deed::Load(_, then) => {
                let there = self.content(name, web, at, kept);
                let loaded = match then {
                    None => copy(self.f, there, kept),
                    Some((op, ty)) => self.convert(inst, op, there, ty, kept),
                };
                self.stands.put(loaded, self.f.result(inst));
            }
            Deed::Store(_) => {
                let field = self.webs.all[web].fields[at];
                if field.is_loaded {
                    let stored = *self.f.args(inst).last().expect("a store has a value");
                    let value = self.narrow(inst, stored, field, kept);
                    self.store(name, web, at, value, kept);
                }
            }
            Deed::Answer(number) => _ = self.answer(inst, number),
            Deed::Enter | Deed::Leave => {}
        }
    }

    /// What a load gives of a value that was stored.
    fn narrow(&mut self, inst: Inst, value: Value, field: Field, kept: &mut Vec<Inst>) -> Value {
        let Some(Extension { bits, signed }) = field.place.narrow else { return value };
        let low = self.convert(inst, Op::Trunc, value, Type::Int(bits), kept);
        self.convert(inst, if signed { Op::Sext } else { Op::Zext }, low, field.place.ty, kept)
    }

    /// What an operation makes of a value, in the place of an instruction.
    fn convert(&mut self, inst: Inst, op: Op, value: Value, ty: Type, kept: &mut Vec<Inst>) -> Value {
        let converted = self.f.make_inst(op, &[value], &[ty], None, None, self.f.inst(inst).location);
        kept.push(converted);
        self.f.result(converted)
    }

    /// Lets a number stand for what an instruction asks.
    pub fn answer(&mut self, inst: Inst, number: i64) -> bool {
        let result = self.f.result(inst);
        let number = self.f.make_int(self.f.ty(result), number);
        self.stands.put(number, result);
        true
    }

    /// Lets what was copied stand for the copies, which were there to be told apart.
    fn forward(&mut self, cfg: &Cfg, copies: &SideTable<Inst, bool>) {
        let mut stands = Stands::default();
        for &block in cfg.order() {
            let mut insts = self.f.replace_insts(block, Vec::new());
            insts.retain(|&inst| {
                if copies[inst] {
                    let copied = stands.of(self.f.args(inst)[1]);
                    stands.put(copied, self.f.result(inst));
                }
                !copies[inst]
            });
            self.f.replace_insts(block, insts);
        }
        stands.write(self.f);
    }
}

/// What a place of a new object holds.
pub(super) fn nothing(f: &mut Function, ty: Type) -> Value {
    match ty {
        Type::Ref => f.make_constant(Const::Null),
        ty => zero(f, ty),
    }
}

/// The zero of a type of numbers.
pub(super) fn zero(f: &mut Function, ty: Type) -> Value {
    match ty {
        Type::Float(format) => f.make_constant(Real::from_bits(format, 0)),
        _ => f.make_int(ty, 0),
    }
}

/// A new name for a value, which the walk behind makes that value again.
pub(super) fn copy(f: &mut Function, value: Value, insts: &mut Vec<Inst>) -> Value {
    let (ty, yes) = (f.ty(value), f.make_int(Type::I1, 1));
    let inst = f.make_inst(Op::Select, &[yes, value, value], &[ty], None, None, Location::default());
    insts.push(inst);
    f.result(inst)
}
