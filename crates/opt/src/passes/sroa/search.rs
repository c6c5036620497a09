//! Finds webs: names and what is done with them, in two walks through a function.

use planish_base::{SideTable, UnionFind};
use planish_ir::liveness::Liveness;
use planish_ir::{Block, Cfg, Const, Exit, Function, Inst, Terminator, Value};
use planish_ops::{Op, Type};
use planish_pass::aggregates::{Aggregates, Deed, Made};

use super::slots::{Name, Origin, Slots};
use super::webs::{CELLS, Web, Webs};

/// The webs of a function, in which every operation is what `aggregates` says. O(function), and for each access O([`CELLS`]).
pub(super) fn webs(f: &Function, cfg: &Cfg, aggregates: &mut dyn Aggregates) -> Webs {
    let mut search = Search {
        f,
        cfg,
        names: SideTable::new(),
        listed: Vec::new(),
        made: SideTable::new(),
        chosen: SideTable::new(),
        also: SideTable::new(),
        sets: UnionFind::new(),
        spoilt: SideTable::new(),
        asked: Vec::new(),
        compared: Vec::new(),
        exits: Vec::new(),
    };
    for &block in cfg.order() {
        search.define(block, aggregates);
    }
    for &block in cfg.order() {
        search.uses(block);
    }
    search.group(aggregates)
}

/// An allocation.
#[derive(Clone, Copy)]
struct Allocation {
    made: Made,
    inst: Inst,
    home: Block,
}

struct Search<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    names: SideTable<Value, Option<Value>>,
    /// Every name, in order, with the block that defines it and where in the block.
    listed: Vec<(Value, Block, u32)>,
    /// Of a name that is an allocation, what is made, and where.
    made: SideTable<Value, Option<Allocation>>,
    /// Whether a name may be null, or chooses.
    chosen: SideTable<Value, bool>,
    /// What else a name is called.
    also: SideTable<Value, Vec<Value>>,
    sets: UnionFind<Value>,
    /// Names of which something is asked that fields do not answer.
    spoilt: SideTable<Value, bool>,
    /// What instructions have names as their first operands.
    asked: Vec<(Value, Block, Inst)>,
    compared: Vec<[Value; 2]>,
    /// Exits, with their instructions.
    exits: Vec<(Inst, Exit)>,
}

impl Search<'_> {
    /// Notes the names that a block defines.
    fn define(&mut self, block: Block, aggregates: &mut dyn Aggregates) {
        let f = self.f;
        if block != f.entry() && !f.is_entrance(block) {
            for &param in f.block_params(block).iter().filter(|&&param| f.ty(param) == Type::Ref) {
                self.names[param] = Some(param);
                self.listed.push((param, block, 0));
            }
        }
        for (&inst, position) in f.block_insts(block).iter().zip(1..) {
            match f.inst(inst).op {
                Op::Select if f.ty(f.result(inst)) == Type::Ref => {
                    let name = f.result(inst);
                    self.names[name] = Some(name);
                    self.listed.push((name, block, position));
                }
                Op::NullCheck => {
                    if let Some(name) = self.names[f.args(inst)[0]] {
                        self.names[f.result(inst)] = Some(name);
                        self.also[name].push(f.result(inst));
                    }
                }
                _ => {
                    let short =
                        |made: &Made| made.kind.length.is_none_or(|length| (0..=CELLS).contains(&length));
                    let Some(made) = aggregates.made(f, inst).filter(short) else { continue };
                    let name = f.result(inst);
                    self.names[name] = Some(name);
                    self.listed.push((name, block, position));
                    self.made[name] = Some(Allocation { made, inst, home: block });
                }
            }
        }
    }

    /// Notes what is done with names in a block.
    fn uses(&mut self, block: Block) {
        let f = self.f;
        for &inst in f.block_insts(block) {
            self.operation(block, inst);
            self.exits.extend(f.inst(inst).exit.map(|exit| (inst, exit)));
        }
        for (_, handler) in f.handlers(block) {
            // What comes to a handler comes from the middle of blocks.
            self.spoil(f.block_params(handler.block));
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
            Op::RefEq | Op::RefNe => self.compared.push([args[0], args[1]]),
            Op::Select if self.names[f.result(inst)].is_some() => {
                let name = f.result(inst);
                self.chosen[name] = true;
                args[1..].iter().for_each(|&arg| self.comes(arg, name));
            }
            Op::IsNull | Op::IsNonnull | Op::NullCheck | Op::GuardNonnull => {}
            _ => match args.first().and_then(|&first| self.names[first]) {
                Some(name) => {
                    self.spoil(&args[1..]);
                    self.asked.push((name, block, inst));
                }
                None => self.spoil(args),
            },
        }
    }

    fn spoil(&mut self, values: &[Value]) {
        for &value in values {
            self.names[value].into_iter().for_each(|name| self.spoilt[name] = true);
        }
    }

    fn group(mut self, aggregates: &mut dyn Aggregates) -> Webs {
        let mut webs = self.number();
        self.answer(&mut webs, aggregates);
        self.hold_to_names(&mut webs, aggregates);
        if webs.all.iter().any(Web::asks_for_names) {
            let live = Liveness::new(self.f, self.cfg);
            self.share(&live, &mut webs);
            if aggregates.tells_at_run_time() && !self.f.has_handlers() {
                self.choose_slots(&live, &mut webs);
            }
        }
        webs.spoil_unbalanced(self.f);
        webs.spoil_needed_by_handlers(self.f, self.cfg);
        self.spoil_at_exits(&mut webs);
        self.ask_for_contents(&mut webs, aggregates);
        self.spoil_at_exits(&mut webs);
        self.join_by_exits(&mut webs);
        webs
    }

    /// Numbers the webs that have an allocation.
    fn number(&mut self) -> Webs {
        let mut webs = Webs::default();
        for &(name, ..) in &self.listed {
            if let Some(Allocation { made, inst, home }) = self.made[name] {
                let root = self.sets.find(name);
                if webs.numbers[root] == 0 {
                    webs.all.push(Web::new(made.kind, inst));
                    webs.numbers[root] = webs.all.len() as u32;
                }
                let web = &mut webs.all[webs.numbers[root] as usize - 1];
                web.is_spoilt |= web.kind != made.kind;
                webs.ready[name] = made.is_ready.then_some((inst, home));
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
        webs
    }

    /// Asks what instructions do with names.
    fn answer(&self, webs: &mut Webs, aggregates: &mut dyn Aggregates) {
        let f = self.f;
        for &(name, block, inst) in &self.asked {
            let Some((_, number)) = webs.name(name) else { continue };
            let kind = webs.all[number].kind;
            let deed = aggregates.deed(f, inst, kind).filter(|deed| is_well_typed(f, inst, deed));
            let web = &mut webs.all[number];
            let at = match deed {
                Some(Deed::Load(place, _)) => web.access(place, true, false),
                Some(Deed::Store(place)) => {
                    let is_late = self.made[name].is_none_or(|allocation| allocation.home != block);
                    web.access(place, false, is_late)
                }
                Some(Deed::Construct) => {
                    let waits = self.made[name].filter(|allocation| !allocation.made.is_ready);
                    webs.late[name] = waits.is_some_and(|allocation| allocation.home != block)
                        && f.handlers(block).next().is_some();
                    (waits.is_some() && webs.ready[name].replace((inst, block)).is_none()).then_some(0)
                }
                Some(Deed::Enter | Deed::Leave) => {
                    web.locks = true;
                    Some(0)
                }
                Some(Deed::Answer(_)) => Some(0),
                None => None,
            };
            web.is_spoilt |= at.is_none();
            webs.deeds[inst] = deed.zip(at);
            if let (Some(Deed::Store(_)), Some(at)) = (deed, at) {
                webs.stored.insert((name, at));
            }
        }
        for &[x, y] in &self.compared {
            let [x, y] = [x, y].map(|value| webs.name(value));
            for (_, web) in [x, y].into_iter().flatten() {
                webs.all[web].is_spoilt |= !webs.all[web].kind.has_identity;
            }
            if let (Some((x, of_x)), Some((y, of_y))) = (x, y) {
                webs.all[of_x].compares |= of_x == of_y && x != y;
            }
        }
    }

    /// Lets webs stay of which an object has a second name before it is ready, or whose names would be too many parameters.
    fn hold_to_names(&self, webs: &mut Webs, aggregates: &dyn Aggregates) {
        let f = self.f;
        for &(name, ..) in &self.listed {
            let Some((_, web)) = webs.name(name) else { continue };
            webs.all[web].is_spoilt |= self.made[name].is_some() && webs.ready[name].is_none();
        }
        for web in webs.all.iter_mut().filter(|web| web.names.len() > 1) {
            web.is_spoilt |= web.locks || web.size() / web.names.len() > aggregates.most_parameters();
        }
        if webs.all.iter().all(|web| web.is_spoilt || web.names.len() == 1) {
            return;
        }
        let dominators = self.cfg.dominators();
        for &block in self.cfg.order() {
            for call in f.block_calls(block) {
                for &arg in f.list(call.args) {
                    let Some((name, web)) = webs.name(arg) else { continue };
                    let Some((_, home)) = webs.ready[name] else { continue };
                    // A handler may be entered from the middle of a block, before the object is ready.
                    let to_end = home == block || f.handlers(home).next().is_none();
                    let numbers = self.cfg.number(home).zip(self.cfg.number(block)).filter(|_| to_end);
                    let is_ready = numbers.is_some_and(|(home, here)| dominators.dominates(home, here));
                    webs.all[web].is_spoilt |= !is_ready;
                }
            }
        }
    }

    /// Notes the webs in which an object may have two names at once.
    fn share(&self, live: &Liveness, webs: &mut Webs) {
        let f = self.f;
        let mut passed: SideTable<Value, u32> = SideTable::new();
        let mut number = 0;
        for &block in self.cfg.order() {
            for call in f.block_calls(block) {
                let target = self.cfg.number(call.block).expect("what a reached block goes to is reached");
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
    fn choose_slots(&self, live: &Liveness, webs: &mut Webs) {
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
            webs.all[number].slots = Slots::choose(self.f, self.cfg, live, names, coming);
        }
    }

    /// Lets webs stay that an exit sees, unless the exit goes with its instruction and a web.
    fn spoil_at_exits(&self, webs: &mut Webs) {
        let mut waiting = true;
        while std::mem::take(&mut waiting) {
            for &(inst, exit) in &self.exits {
                if webs.goes_without_exit(self.f, inst) {
                    continue;
                }
                for &arg in self.f.exit_args(exit) {
                    let Some((_, web)) = webs.name(arg) else { continue };
                    waiting |= webs.all[web].goes();
                    webs.all[web].is_spoilt = true;
                }
            }
        }
    }

    /// Notes the webs that go only together: an exit that goes with one sees another.
    fn join_by_exits(&self, webs: &mut Webs) {
        for &(inst, exit) in &self.exits {
            let goes = webs.goes_without_exit(self.f, inst);
            let Some(web) = webs.about(self.f, inst).filter(|_| goes) else { continue };
            for &arg in self.f.exit_args(exit) {
                if let Some((_, seen)) = webs.name(arg) {
                    webs.together.forward(webs.all[web].first, webs.all[seen].first);
                }
            }
        }
    }

    /// Lets webs stay whose fields hold what is not known, or cannot be named.
    fn ask_for_contents(&self, webs: &mut Webs, aggregates: &mut dyn Aggregates) {
        for &(name, ..) in &self.listed {
            let (Some((_, number)), Some((inst, _))) = (webs.name(name), webs.ready[name]) else { continue };
            let web = &mut webs.all[number];
            if web.goes() {
                web.is_spoilt = !web.fields.iter().all(|field| aggregates.knows(self.f, inst, &field.place));
            }
        }
    }
}

/// Whether an instruction has the types that what it does needs.
fn is_well_typed(f: &Function, inst: Inst, deed: &Deed) -> bool {
    let result = f.first_result(inst).map(|result| f.ty(result));
    match deed {
        Deed::Load(place, then) => result == Some(then.map_or(place.ty, |(_, ty)| ty)),
        Deed::Store(place) => f.args(inst).last().is_some_and(|&stored| f.ty(stored) == place.ty),
        Deed::Answer(_) => result.is_some_and(|ty| ty.int_width().is_some()),
        Deed::Construct | Deed::Enter | Deed::Leave => result.is_none(),
    }
}
