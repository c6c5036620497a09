//! Dead code elimination (mark from the roots, Cytron and others 1991), with dead block parameters: what nothing uses
//! goes.
//!
//! Marking from the roots: effects, guards, what may leave, the ends of blocks and the arguments of exits
//! that stay. A value that is used marks the operation that makes it, a parameter the arguments of every
//! edge that comes to it; so a loop counter that only counts itself is dead. One pass over the function from
//! its end, in which nearly every use comes before what makes the value; the few that do not, around loops and
//! in objects, are followed by a work list. O(size).
//!
//! A load or an allocation may go, an operation that may leave may not; of a call the descriptor says
//! whether it does anything but compute. A `use` in a loop without a way out stays: the state that goes around
//! there is all that the loop is. A store to a field of an object that was made here is used only where
//! the object is, so objects that are filled in and forgotten go with all that only they needed. One unit of
//! fuel lets all of it happen, for what one dead operation uses may be dead only with it.

use planish_base::{Id, List, Worklist, fault};
use planish_ir::returns::endless_blocks;
use planish_ir::{Block, Def, ExitTarget, Function, Inst, Terminator, Value};
use planish_ops::world::{Meaning, World};
use planish_ops::{Effect, Exits, Op};

use planish_pass::record::{Became, Kind, Record, Site};

/// One edge to a block: its arguments, and how many parameters come before the first of them.
#[derive(Clone, Copy)]
struct Incoming {
    args: List<Value>,
    skip: u32,
}

/// The memory of the pass, kept between functions.
#[derive(Default)]
pub(crate) struct Dead {
    /// For each value: whether it is used.
    used: Vec<bool>,
    /// For each instruction: whether it stays; its operands are marked then.
    stays: Vec<bool>,
    /// Instructions of which no use was seen behind them, last first.
    unused: Vec<Inst>,
    /// Instructions that were shown not to leave, though their row allows it.
    safe: Vec<bool>,
    /// Loads for which stores were made that might have waited.
    asks: Vec<Inst>,
    /// Used values whose makers are still to be kept.
    work: Worklist<Value>,
    /// The arguments of the last exit that was marked: neighbours often share a list.
    last_exit: List<Value>,
    /// Stores among them to fields of objects that were made in the function, by object.
    stores: Vec<(Value, Inst)>,
    starts: Vec<u32>,
    incoming: Vec<Incoming>,
    args: Vec<Value>,
}

impl Dead {
    /// Forgets which instructions were shown not to leave.
    pub fn start(&mut self, f: &Function) {
        self.safe.clear();
        self.safe.resize(f.inst_count(), false);
        self.asks.clear();
    }

    /// Notes that an instruction cannot leave.
    pub fn note_safe(&mut self, inst: Inst) {
        if self.safe.len() <= inst.index() {
            self.safe.resize(inst.index() + 1, false);
        }
        self.safe[inst.index()] = true;
    }

    /// Notes that stores were made for a load.
    pub fn note_asks(&mut self, load: Inst) {
        self.asks.push(load);
    }

    /// Whether an instruction was shown not to leave.
    pub fn is_safe(&self, inst: Inst) -> bool {
        self.safe.get(inst.index()).is_some_and(|&safe| safe)
    }

    /// Removes what nothing uses from a function without unreachable blocks. Whether some of it had to do with an object or
    /// with memory that is made here and stays: without it that might not be made, or stores might wait for longer.
    pub fn run(&mut self, f: &mut Function, world: &dyn World, record: &mut Record) -> bool {
        if !record.has_fuel() {
            return false;
        }
        self.mark(f, world);
        let gone = record.changes();
        let loose = self.loosens(f, world);
        self.sweep(f, record);
        loose && (record.changes() > gone || !self.asks.is_empty())
    }

    /// Whether what goes uses something that is allocated in the function and stays.
    fn loosens(&self, f: &Function, world: &dyn World) -> bool {
        let is_allocated = |&arg: &Value| {
            f.def_inst(arg).is_some_and(|made| self.stays[made.index()] && allocates(f, world, made))
        };
        let mut gone = self.unused.iter().filter(|inst| !self.stays[inst.index()]);
        gone.any(|&inst| f.args(inst).iter().any(is_allocated))
            || self.is_unwanted(f, is_allocated)
            || self.asks.iter().any(|inst| !self.stays[inst.index()])
    }

    /// Whether some edge hands over such a value to a parameter that nothing uses.
    fn is_unwanted(&self, f: &Function, is_such: impl Fn(&Value) -> bool) -> bool {
        let is_handed = |block: Block, position: usize| {
            let edges = self.starts[block.index()] as usize..self.starts[block.index() + 1] as usize;
            self.incoming[edges].iter().any(|edge| {
                let place = position.checked_sub(edge.skip as usize);
                place.is_some_and(|place| is_such(&f.list(edge.args)[place]))
            })
        };
        f.blocks()[1..].iter().any(|&block| {
            let params = f.block_params(block).iter().enumerate();
            params.into_iter().any(|(at, param)| !self.used[param.index()] && is_handed(block, at))
        })
    }

    fn mark(&mut self, f: &Function, world: &dyn World) {
        self.used.clear();
        self.used.resize(f.value_count(), false);
        self.stays.clear();
        self.stays.resize(f.inst_count(), false);
        self.safe.resize(f.inst_count(), false);
        self.last_exit = List::EMPTY;
        self.edges(f);
        self.stores.clear();
        self.unused.clear();
        let mut endless = None;
        let mut is_endless = |block: Block| endless.get_or_insert_with(|| endless_blocks(f))[block.index()];
        for &block in f.blocks().iter().rev() {
            self.use_end(f, block);
            for &inst in f.block_insts(block).iter().rev() {
                if self.is_used(f, world, inst) || f.inst(inst).op == Op::Use && is_endless(block) {
                    self.keep(f, inst, Self::use_all);
                } else {
                    self.unused.push(inst);
                    self.stores.extend(filled_in(f, inst).map(|object| (object, inst)));
                }
            }
            // A handler and an entrance keep their parameters, used or not, so what is passed for them must stay too.
            let entered = f.is_entrance(block) && !fault!("entrance: what nothing uses is not handed over");
            if self.takes_exits(block) || entered {
                self.use_all(f.block_params(block));
            }
        }
        self.follow(f);
    }

    /// Keeps what was used only before the place where it is made, and what that uses.
    fn follow(&mut self, f: &Function) {
        for index in 0..self.unused.len() {
            let results = f.results(self.unused[index]);
            self.work.extend(results.filter(|result| self.used[result.index()]));
        }
        for &block in f.blocks() {
            let params = f.block_params(block).iter().copied();
            self.work.extend(params.filter(|param| self.used[param.index()]));
        }
        self.stores.sort_by_key(|&(object, _)| object);
        for index in 0..self.stores.len() {
            let (object, store) = self.stores[index];
            if self.used[object.index()] {
                self.keep(f, store, Self::reach_all);
            }
        }
        while let Some(value) = self.work.pop() {
            match f.def(value) {
                Def::Result(inst, _) => {
                    self.keep(f, inst, Self::reach_all);
                    self.keep_stores(f, value);
                }
                Def::Param(block, index) => {
                    let edges = self.starts[block.index()]..self.starts[block.index() + 1];
                    for edge in edges {
                        let Incoming { args, skip } = self.incoming[edge as usize];
                        if fault!("dead: one edge is forgotten") && edge % 2 == 1 {
                            continue;
                        }
                        if let Some(position) = index.checked_sub(skip) {
                            self.reach_all(&f.list(args)[position as usize..][..1]);
                        }
                    }
                }
                Def::Const(_) => {}
            }
        }
    }

    /// Values are used. What makes them is still to come.
    fn use_all(&mut self, values: &[Value]) {
        values.iter().for_each(|value| self.used[value.index()] = true);
    }

    /// Values are used. What makes them may have been passed over.
    fn reach_all(&mut self, values: &[Value]) {
        for &value in values {
            if !std::mem::replace(&mut self.used[value.index()], true) {
                self.work.push(value);
            }
        }
    }

    /// What the end of a block uses itself.
    fn use_end(&mut self, f: &Function, block: Block) {
        let terminator = f.terminator(block);
        self.use_all(terminator.condition().as_slice());
        match terminator {
            Terminator::Return(results) => self.use_all(f.list(*results)),
            Terminator::Throw(_, Some(exit)) => self.use_all(f.exit_args(*exit)),
            _ => {}
        }
    }

    /// Whether an instruction is needed for what is known of uses so far.
    #[inline]
    fn is_used(&self, f: &Function, world: &dyn World, inst: Inst) -> bool {
        match f.inst(inst).op.effect() {
            Effect::Guard if !fault!("dead: guards may go") => true,
            Effect::Marker => true,
            Effect::Store => filled_in(f, inst).is_none_or(|object| self.used[object.index()]),
            _ => self.any_result_used(f, inst) || !self.removable(f, world, inst),
        }
    }

    fn any_result_used(&self, f: &Function, inst: Inst) -> bool {
        f.results(inst).any(|result| self.used[result.index()])
    }

    /// Keeps an instruction and notes what it uses.
    fn keep(&mut self, f: &Function, inst: Inst, note: impl Fn(&mut Self, &[Value])) {
        if std::mem::replace(&mut self.stays[inst.index()], true) {
            return;
        }
        note(self, f.args(inst));
        if let Some(exit) = f.inst(inst).exit {
            let list = f.exit(exit).args;
            if std::mem::replace(&mut self.last_exit, list) != list
                && !fault!("dead: arguments of exits are no uses")
            {
                note(self, f.list(list));
            }
        }
    }

    /// Keeps what fills in an object that is used.
    fn keep_stores(&mut self, f: &Function, object: Value) {
        let mut next = self.stores.partition_point(|&(other, _)| other < object);
        while let Some(&(_, store)) = self.stores.get(next).filter(|(other, _)| *other == object) {
            self.keep(f, store, Self::reach_all);
            next += 1;
        }
    }

    /// Whether an instruction may go if nothing uses its results.
    fn removable(&self, f: &Function, world: &dyn World, inst: Inst) -> bool {
        let (data, row) = (f.inst(inst), f.row(inst));
        if row.effect == Effect::Call {
            return data.op == Op::Call
                && data.descr.is_some_and(|callee| {
                    let effect = world.call_effect(callee);
                    effect.elidable && !effect.raises
                });
        }
        if fault!("dead: guards may go") && row.effect == Effect::Guard {
            return true;
        }
        // All that can go wrong with an allocation of a fixed size is that memory runs out.
        if data.op == Op::New {
            return true;
        }
        row.removable()
            && (row.exits == Exits::Never || fault!("dead: a division may go") || self.safe[inst.index()])
    }

    /// The edges that come to each block.
    fn edges(&mut self, f: &Function) {
        self.starts.clear();
        self.starts.resize(f.block_count() + 1, 0);
        for_each_edge(f, |block, _| self.starts[block.index() + 1] += 1);
        for index in 1..self.starts.len() {
            self.starts[index] += self.starts[index - 1];
        }
        let none = Incoming { args: List::EMPTY, skip: 0 };
        self.incoming.clear();
        self.incoming.resize(self.starts.last().map_or(0, |&end| end as usize), none);
        // Filled from the end of each range; the starts are right again afterwards.
        for_each_edge(f, |block, edge| {
            self.starts[block.index() + 1] -= 1;
            self.incoming[self.starts[block.index() + 1] as usize] = edge;
        });
        self.starts.rotate_left(1);
        let last = self.starts.len() - 1;
        self.starts[last] = self.incoming.len() as u32;
    }

    fn sweep(&mut self, f: &mut Function, record: &mut Record) {
        let mut asked = false;
        let mut allowed = |record: &mut Record, site: Site| {
            if asked {
                record.note(Kind::Dead, site, Became::Nothing);
                return true;
            }
            asked = true;
            record.rewrite(Kind::Dead, site, Became::Nothing)
        };
        let mut lost = false;
        for index in 0..f.blocks().len() {
            let block = f.blocks()[index];
            let mut insts = f.replace_insts(block, Vec::new());
            let (mut refused, mut kept) = (false, 0);
            for index in 0..insts.len() {
                let inst = insts[index];
                let stays = self.stays[inst.index()];
                if !stays && !refused {
                    refused = !allowed(record, Site::of(f, inst));
                }
                if stays || refused {
                    insts[kept] = inst;
                    kept += 1;
                }
            }
            insts.truncate(kept);
            f.replace_insts(block, insts);
            if refused {
                return;
            }
            if block != f.entry() {
                lost |= f.block_params(block).iter().any(|&param| !self.used[param.index()]);
            }
        }
        if lost && allowed(record, Site::NONE) {
            self.drop_params(f);
        }
    }

    /// Whether an exit goes to a block.
    fn takes_exits(&self, block: Block) -> bool {
        let edges = self.starts[block.index()]..self.starts[block.index() + 1];
        self.incoming[edges.start as usize..edges.end as usize].iter().any(|edge| edge.skip > 0)
    }

    /// Removes unused parameters, and their arguments. Those of handlers are all used.
    fn drop_params(&mut self, f: &mut Function) {
        for index in 0..f.blocks().len() {
            let block = f.blocks()[index];
            let mut terminator = f.take_terminator(block);
            for call in terminator.calls_mut() {
                let target = call.block;
                let params = f.block_params(target);
                if target == f.entry() || params.iter().all(|param| self.used[param.index()]) {
                    continue;
                }
                self.args.clear();
                for (&param, &arg) in params.iter().zip(f.list(call.args)) {
                    if self.used[param.index()] {
                        self.args.push(arg);
                    }
                }
                call.args = f.make_list(&self.args);
            }
            f.set_terminator(block, terminator);
        }
        for index in 0..f.blocks().len() {
            let block = f.blocks()[index];
            let whole = f.block_params(block).iter().all(|param| self.used[param.index()]);
            if block != f.entry() && !whole {
                f.retain_params(block, |param| self.used[param.index()]);
            }
        }
    }
}

/// The object of a store to a field, where the object was made in the function: such a store cannot leave.
fn filled_in(f: &Function, inst: Inst) -> Option<Value> {
    let object = (f.inst(inst).op == Op::SetField).then(|| f.args(inst)[0])?;
    let made = f.def_inst(object)?;
    (f.inst(made).op == Op::New).then_some(object)
}

/// Whether an instruction makes an object, or memory outside of the heap.
fn allocates(f: &Function, world: &dyn World, inst: Inst) -> bool {
    let data = f.inst(inst);
    match data.op.effect() {
        Effect::Allocate => true,
        Effect::Call => data
            .descr
            .and_then(|descr| world.meaning(descr))
            .is_some_and(|(meaning, _)| meaning == Meaning::RawMalloc),
        _ => false,
    }
}

/// Visits every edge, those of exits to handlers included.
fn for_each_edge(f: &Function, mut visit: impl FnMut(Block, Incoming)) {
    for &block in f.blocks() {
        for call in f.block_calls(block) {
            visit(call.block, Incoming { args: call.args, skip: 0 });
        }
        for (exit, handler) in f.handlers(block) {
            debug_assert!(matches!(f.exit(exit).target, ExitTarget::To(_)));
            visit(handler.block, Incoming { args: f.exit(exit).args, skip: 1 });
        }
    }
}
