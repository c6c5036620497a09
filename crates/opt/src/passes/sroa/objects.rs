//! Scalar replacement of objects and small arrays, over any control flow (escape analysis as in Choi and others, OOPSLA
//! 1999, without the analysis of callees).
//!
//! Where all names of an object are known ([`Webs`]), each of its fields is a variable a name: its allocation and stores
//! are definitions, loads are uses, and a parameter that the object is passed to has a parameter a field instead. One
//! [`repair()`] of SSA settles what reaches what.
//!
//! An object that is stored into another is free once that one is gone, so this is done up to [`DEPTH`] times.
//!
//! O(function) a time.

use planish_base::{Budget, SideTable};
use planish_ir::{Block, Cfg, Const, Function, Inst, Location, Stands, Value, repair};
use planish_ops::world::World;
use planish_ops::{Op, Type};
use planish_pass::{Became, Change, PassCx};

use super::webs::{Place, Webs};
use super::{copy, zero};

/// How deep objects may be stored in each other.
pub const DEPTH: usize = 4;
/// How many fields of names may become values in one run.
pub const FIELDS_IN_ALL: u64 = 4_096;

/// Makes objects that nobody else has their fields.
pub(super) fn replace(f: &mut Function, cx: &mut PassCx<'_>) {
    let mut budget = Budget::new("fields of objects that become values", FIELDS_IN_ALL);
    for _ in 0..DEPTH {
        let is_made = |(_, inst): (Block, Inst)| matches!(f.inst(inst).op, Op::New | Op::NewArray);
        if !f.live_insts().any(is_made) {
            break;
        }
        let cfg = cx.get::<Cfg>(f);
        let webs = Webs::new(f, &cfg, cx.world);
        let mut going = vec![false; webs.all.len()];
        for (going, web) in going.iter_mut().zip(&webs.all) {
            *going =
                web.goes() && budget.take(web.size() as u64) && cx.rewrite(f, web.first, Became::Nothing);
        }
        if !going.contains(&true) {
            break;
        }
        let layout = f.blocks().iter().copied().filter(|&block| cfg.is_reachable(block)).collect();
        f.set_layout(layout);
        let (variables, definitions, stands) = (SideTable::new(), Vec::new(), Stands::default());
        let replaced = SideTable::new();
        let mut fields = Fields {
            f,
            world: cx.world,
            webs: &webs,
            going: &going,
            variables,
            definitions,
            stands,
            replaced,
        };
        fields.replace(&cfg);
        cx.changed(Change::Flow);
    }
    cx.record.note_budget(&budget);
}

struct Fields<'a> {
    f: &'a mut Function,
    world: &'a dyn World,
    webs: &'a Webs,
    /// The webs that go.
    going: &'a [bool],
    /// By name: where the variables of its fields begin in `definitions`, one for each place of its web.
    variables: SideTable<Value, usize>,
    /// The definitions of each variable. None for places that nothing loads.
    definitions: Vec<Vec<Value>>,
    /// What stands for results that go.
    stands: Stands,
    /// The parameters that blocks had, where some went.
    replaced: SideTable<Block, Option<Vec<Value>>>,
}

impl Fields<'_> {
    fn replace(&mut self, cfg: &Cfg) {
        let mut copies: SideTable<Inst, bool> = SideTable::new();
        for &block in cfg.order() {
            self.params(block);
            let mut kept = Vec::new();
            for inst in self.f.replace_insts(block, Vec::new()) {
                let known = kept.len();
                if !self.inst(inst, &mut kept) {
                    kept.push(inst);
                } else {
                    kept[known..].iter().for_each(|&copy| copies[copy] = self.f.inst(copy).op == Op::Select);
                }
            }
            self.f.replace_insts(block, kept);
        }
        for &block in cfg.order() {
            self.arguments(block);
        }
        let stands = std::mem::take(&mut self.stands);
        stands.write(self.f);
        self.definitions.retain(|group| !group.is_empty());
        repair(self.f, &self.definitions);
        self.forward(cfg, &copies);
    }

    /// The name and web of an object that goes.
    fn name(&self, value: Value) -> Option<(Value, usize)> {
        self.webs.name(value).filter(|&(_, web)| self.going[web])
    }

    /// The loaded places of a web, with the variables of a name.
    fn variables(&self, name: Value, web: usize) -> impl Iterator<Item = (usize, Place)> + use<'_> {
        let first = self.variables[name];
        let places = self.webs.all[web].places.iter().enumerate();
        places.filter(|(_, place)| place.is_loaded).map(move |(at, place)| (first + at, *place))
    }

    fn begin(&mut self, name: Value, web: usize) {
        self.variables[name] = self.definitions.len();
        let more = self.webs.all[web].places.len();
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
            self.begin(name, web);
            for (variable, place) in self.variables(name, web).collect::<Vec<_>>() {
                let field = self.f.add_param(block, place.ty);
                self.definitions[variable].push(field);
                params.push(field);
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
        for call in terminator.calls_mut() {
            let Some(params) = &self.replaced[call.block] else { continue };
            let before = self.f.list(call.args);
            let stays = before.iter().zip(params).filter(|&(_, &param)| self.name(param).is_none());
            let mut args: Vec<Value> = stays.map(|(&arg, _)| arg).collect();
            for &arg in before {
                let Some((name, web)) = self.name(arg) else { continue };
                args.extend(self.variables(name, web).map(|(variable, _)| self.definitions[variable][0]));
            }
            *call = self.f.make_call(call.block, &args);
        }
        self.f.set_terminator(block, terminator);
    }

    /// Whether an instruction is about objects that go, and so goes itself. What takes its place is in `kept`.
    fn inst(&mut self, inst: Inst, kept: &mut Vec<Inst>) -> bool {
        let op = self.f.inst(inst).op;
        if matches!(op, Op::New | Op::NewArray) {
            return self.allocation(inst, kept);
        }
        let about = |number: usize| self.name(*self.f.args(inst).get(number)?);
        if matches!(op, Op::RefEq | Op::RefNe) {
            let (x, y) = (about(0), about(1));
            let differ = x.map(|x| x.0) != y.map(|y| y.0);
            return (x.or(y)).is_some() && self.answer(inst, i64::from(differ == (op == Op::RefNe)));
        }
        let Some((name, web)) = about(0) else { return false };
        match op {
            Op::IsNull => self.answer(inst, 0),
            Op::IsNonnull => self.answer(inst, 1),
            // Where ways meet, the length may be asked of what is no array: it has none.
            Op::ArrayLen => self.answer(inst, self.webs.all[web].length().unwrap_or(0)),
            Op::GuardNonnull | Op::NullCheck => true,
            _ => {
                let at =
                    self.webs.place(self.f, self.world, inst, web).expect("the places of a web are known");
                let place = self.webs.all[web].places[at];
                self.access(inst, place, self.variables[name] + at, kept);
                true
            }
        }
    }

    fn allocation(&mut self, inst: Inst, kept: &mut Vec<Inst>) -> bool {
        let Some((name, web)) = self.name(self.f.result(inst)) else { return false };
        self.begin(name, web);
        for (variable, place) in self.variables(name, web).collect::<Vec<_>>() {
            let nothing = match place.ty {
                Type::Ref => self.f.make_constant(Const::Null),
                ty => zero(self.f, ty),
            };
            self.definitions[variable].push(copy(self.f, nothing, kept));
        }
        true
    }

    fn access(&mut self, inst: Inst, place: Place, variable: usize, kept: &mut Vec<Inst>) {
        if matches!(self.f.inst(inst).op, Op::GetField | Op::GetItem) {
            let first = self.definitions[variable][0];
            let loaded = copy(self.f, first, kept);
            self.stands.put(loaded, self.f.result(inst));
        } else if place.is_loaded {
            let stored = *self.f.args(inst).last().expect("a store has a value");
            let value = self.narrow(stored, place, kept);
            self.definitions[variable].push(copy(self.f, value, kept));
        }
    }

    /// What a load gives of a value that was stored.
    fn narrow(&mut self, value: Value, place: Place, kept: &mut Vec<Inst>) -> Value {
        let Some((bits, signed)) = place.narrow else { return value };
        let mut convert = |op, value, ty| {
            let inst = self.f.make_inst(op, &[value], &[ty], None, None, Location::default());
            kept.push(inst);
            self.f.result(inst)
        };
        let low = convert(Op::Trunc, value, Type::Int(bits));
        convert(if signed { Op::Sext } else { Op::Zext }, low, place.ty)
    }

    /// Lets a number stand for what an instruction asks.
    fn answer(&mut self, inst: Inst, number: i64) -> bool {
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
