//! Accesses that go over cells side by side, round by round, and what a loop makes of them.

use planish_base::{SideTable, fault};
use planish_ir::{Function, Inst, Value};
use planish_ops::world::World;
use planish_ops::{Effect, Op, Type};

use crate::analysis::alias::{Alias, Raw};
use crate::analysis::evolution::Evolution;
use crate::analysis::expressions::{Expr, Expressions};
use crate::analysis::scalar_evolution::ScalarEvolution;
use crate::passes::own_loop::Own;

/// What the operands of the bulk operations of a loop may cost.
const COST: u32 = 32;

/// So many rounds are few: they are unrolled, and their stores merged.
const FEW: u64 = 8;

/// At most so many accesses of a loop are looked at.
const ACCESSES: usize = 8;

/// A bulk operation that stands for an operation of a loop.
pub(super) struct Bulk {
    pub inst: Inst,
    pub op: Op,
    /// The base and the offset, and those of what is copied.
    pub address: Vec<Expr>,
    /// How many cells.
    pub count: Expr,
    /// What they are filled with.
    pub value: Option<Value>,
}

/// A loop whose stores may be bulk operations.
pub(super) struct Search<'a> {
    pub f: &'a Function,
    pub world: &'a dyn World,
    pub own: &'a Own<'a>,
    pub homes: &'a ScalarEvolution,
    pub evolved: &'a Evolution,
    pub uses: &'a SideTable<Value, u32>,
    pub expressions: &'a mut Expressions,
}

/// Cells that an access goes over, those of a round behind those of the round before, or in front of them.
#[derive(Clone, Copy)]
struct Sweep {
    class: u32,
    /// The base in the first round.
    base: Expr,
    /// The offset in the first round.
    offset: Expr,
    /// How many cells a round accesses.
    cells: Expr,
    /// How many bytes a round accesses.
    bytes: Expr,
    /// Whether each round accesses what is in front of the bytes of the round before.
    falls: bool,
    /// How many rounds come to it.
    rounds: Expr,
}

/// What is written into cells.
enum Source {
    Value(Value),
    /// What is read by an operation, which may be the one that writes.
    Cells(Inst, Sweep),
}

impl Search<'_> {
    /// What the stores of the loop become: all of them, or none.
    pub fn bulk(mut self, price: impl Fn(Op) -> u32) -> Vec<Bulk> {
        let Some([stores, loads]) = self.accesses() else { return Vec::new() };
        let stores: Option<Vec<_>> =
            stores.into_iter().map(|(number, inst)| self.store(number, inst)).collect();
        let Some(stores) = stores else { return Vec::new() };
        if !self.are_alone(&stores, &loads) {
            return Vec::new();
        }
        let bulk: Vec<Bulk> = stores.iter().map(|(inst, to, source)| self.made(*inst, to, source)).collect();
        let exprs = bulk.iter().flat_map(|bulk| bulk.address.iter().copied().chain([bulk.count]));
        let cost = self.expressions.cost(exprs, price);
        if cost.is_some_and(|cost| cost <= COST) { bulk } else { Vec::new() }
    }

    /// The stores of the loop, and what it loads.
    fn accesses(&self) -> Option<[Vec<(u32, Inst)>; 2]> {
        let (mut stores, mut loads) = (Vec::new(), Vec::new());
        for (number, inst) in self.own.insts(self.f) {
            match (self.f.inst(inst).op, self.f.row(inst).effect) {
                (Op::RawStore | Op::RawFill | Op::RawCopy, _) => stores.push((number, inst)),
                (_, Effect::Store) => return None,
                (_, Effect::Load) => loads.push((number, inst)),
                _ => {}
            }
        }
        (!stores.is_empty() && stores.len() + loads.len() <= ACCESSES).then_some([stores, loads])
    }

    /// What a store goes over, and what it writes there.
    fn store(&mut self, number: u32, inst: Inst) -> Option<(Inst, Sweep, Source)> {
        let (f, args) = (self.f, self.f.args(inst));
        let (cells, source) = match f.inst(inst).op {
            Op::RawStore => (self.expressions.number(64, 1), args[2]),
            Op::RawFill => (self.invariant(args[2])?, args[3]),
            _ => {
                let cells = self.invariant(args[4])?;
                let [to, from] = [0, 2].map(|first| self.sweep(number, inst, first, cells));
                let (to, from) = (to?, from?);
                return self.is_copied(to, from).then_some((inst, to, Source::Cells(inst, from)));
            }
        };
        let to = self.sweep(number, inst, 0, cells)?;
        if f.inst(inst).op == Op::RawStore && self.is_few(to.rounds) {
            return None;
        }
        if !self.varies(source) {
            return Some((inst, to, Source::Value(source)));
        }
        let load = f.def_inst(source).filter(|&load| f.inst(load).op == Op::RawLoad)?;
        let number = self.homes.home(source)?;
        // What else uses it would look at memory that is copied already.
        let is_alone = self.uses[source] == 1 && f.inst(inst).op == Op::RawStore;
        let from = self.sweep(number, load, 0, cells)?;
        let is_whole = self.is_whole(load) && self.is_whole(inst);
        let copies = is_alone && is_whole && self.is_copied(to, from);
        copies.then_some((inst, to, Source::Cells(load, from)))
    }

    /// Whether an access moves a word of whole bytes as it is. Which NaN it is that is stored is unspecified, so no float is.
    fn is_whole(&self, access: Inst) -> bool {
        let f = self.f;
        let value = f.results(access).next().or(f.args(access).get(2).copied());
        let width = value.and_then(|value| f.ty(value).int_width());
        let location = f.inst(access).descr.and_then(|descr| self.world.location(descr));
        width.is_some_and(|width| {
            let stored = location.and_then(|location| location.stored_bits);
            width.is_multiple_of(8) && stored.is_none_or(|stored| u32::from(stored) == width)
        })
    }

    /// Whether cells are copied as if all were read first, one round after the other.
    fn is_copied(&mut self, to: Sweep, from: Sweep) -> bool {
        if to.class != from.class || to.falls != from.falls || to.bytes != from.bytes {
            return false;
        }
        let behind = self.distance(from, to);
        let is_read_before = |behind: i64| if to.falls { behind >= 0 } else { behind <= 0 };
        behind.is_some_and(is_read_before)
            || self.are_apart(to, from)
            || fault!("loop-idiom: no round stores where a later one loads")
    }

    /// The cells of an access whose base stands at a place among its operands, if rounds access them side by side.
    fn sweep(&mut self, number: u32, inst: Inst, first: usize, cells: Expr) -> Option<Sweep> {
        let (f, own) = (self.f, self.own);
        let latches = &own.loops.all()[own.index as usize].latches;
        let comes = own.loops.innermost(number) == Some(own.index)
            && latches.iter().all(|&latch| own.dominators.dominates(number, latch));
        let location = Alias { f, world: self.world }.location(inst).filter(|_| comes)?;
        let descr = f.inst(inst).descr?;
        if self.world.raw_access(descr).is_some_and(|access| access.scale != 1) {
            return None;
        }
        let (base, offset) = (f.args(inst)[first], f.args(inst)[first + 1]);
        if f.ty(base) != Type::I64 {
            return None;
        }
        let ty = match f.inst(inst).op {
            Op::RawLoad => f.ty(f.result(inst)),
            Op::RawCopy => location.ty,
            _ => f.ty(*f.args(inst).last()?),
        };
        let full = match ty {
            Type::Int(width) => u32::from(width),
            Type::Float(format) => format.bits(),
            Type::Ref | Type::State | Type::Vector(_) => return None,
        };
        let stored = location.stored_bits.map_or(full, |stored| full.min(u32::from(stored)));
        let bytes = self.expressions.times(cells, i64::from(stored.div_ceil(8)));
        let ((base, one), (offset, other)) = (self.linear(base)?, self.linear(offset)?);
        let step = self.expressions.add(one, other);
        let back = self.expressions.times(bytes, -1);
        if step != bytes && step != back {
            return None;
        }
        let rounds = self.rounds(number)?;
        Some(Sweep { class: location.alias_class, base, offset, cells, bytes, falls: step == back, rounds })
    }

    /// How many rounds come to a block that all of them come to.
    fn rounds(&mut self, number: u32) -> Option<Expr> {
        let [exit] = &*self.evolved.exits else { return None };
        // One that is never left stores to more memory than there is.
        let count = exit.count.or(exit.perhaps)?;
        let rounds = self.expressions.unsigned_to(count.rounds, 64);
        if !self.own.dominators.dominates(number, exit.from)
            || fault!("loop-idiom: the last round stores nothing")
        {
            return Some(rounds);
        }
        let one = self.expressions.number(64, 1);
        Some(self.expressions.add(rounds, one))
    }

    /// What a value is first, and what each round adds to it.
    fn linear(&mut self, value: Value) -> Option<(Expr, Expr)> {
        let zero = self.expressions.number(64, 0);
        match self.evolved.values.get(&value) {
            Some(chain) => chain.as_linear().or(chain.as_invariant().map(|start| (start, zero))),
            None => self.invariant(value).map(|start| (start, zero)),
        }
    }

    fn invariant(&mut self, value: Value) -> Option<Expr> {
        if self.varies(value) {
            return None;
        }
        self.expressions.value(self.f, value).filter(|&expr| self.expressions.width(expr) == 64)
    }

    fn varies(&self, value: Value) -> bool {
        let own = self.own;
        self.homes.home(value).is_some_and(|home| own.loops.contains(own.index, home))
    }

    /// Whether so many rounds are few.
    fn is_few(&self, rounds: Expr) -> bool {
        self.expressions.as_constant(rounds).is_some_and(|rounds| rounds.unsigned() <= FEW)
    }

    /// Whether stores go over cells that nothing else in the loop accesses, but what they copy.
    fn are_alone(&mut self, stores: &[(Inst, Sweep, Source)], loads: &[(u32, Inst)]) -> bool {
        let alias = Alias { f: self.f, world: self.world };
        let one = self.expressions.number(64, 1);
        for (position, &(_, to, _)) in stores.iter().enumerate() {
            let mut others: Vec<Sweep> = stores[..position].iter().map(|&(_, other, _)| other).collect();
            for (other, (_, _, source)) in stores.iter().enumerate() {
                if let Source::Cells(_, from) = source
                    && other != position
                {
                    others.push(*from);
                }
            }
            for &(number, load) in loads {
                let is_source = |(_, _, source): &(Inst, Sweep, Source)| matches!(source, Source::Cells(from, _) if *from == load);
                if alias.leaves_alone(load, to.class) || stores.iter().any(is_source) {
                    continue;
                }
                let is_raw = self.f.inst(load).op == Op::RawLoad;
                let Some(from) = self.sweep(number, load, 0, one).filter(|_| is_raw) else { return false };
                others.push(from);
            }
            if !others.into_iter().all(|other| self.are_apart(to, other)) {
                return false;
            }
        }
        true
    }

    /// How far what is accessed first by one lies behind what is accessed first by another, if that is a number.
    fn distance(&mut self, from: Sweep, to: Sweep) -> Option<i64> {
        let e = &mut *self.expressions;
        let distance = e.sum(&[(to.base, 1), (to.offset, 1), (from.base, -1), (from.offset, -1)]);
        e.as_constant(distance).map(|distance| distance.signed())
    }

    /// Whether all rounds of two access different memory.
    fn are_apart(&mut self, one: Sweep, other: Sweep) -> bool {
        if one.class != other.class {
            return true;
        }
        let Some(distance) = self.distance(one, other) else { return false };
        let range = |sweep: Sweep, first: i64| {
            let number = |expr: Expr| self.expressions.as_constant(expr).map(|number| number.signed());
            let (bytes, rounds) = (number(sweep.bytes)?, number(sweep.rounds)?);
            let all = bytes.checked_mul(rounds).filter(|&all| all >= 0)?;
            let begin = if sweep.falls { first.checked_add(bytes)?.checked_sub(all)? } else { first };
            Some(Raw { at: begin, bytes: all })
        };
        let (Some(one), Some(other)) = (range(one, 0), range(other, distance)) else { return false };
        one.is_apart(other)
    }

    /// What a store becomes.
    fn made(&mut self, inst: Inst, to: &Sweep, source: &Source) -> Bulk {
        let (op, value, from) = match source {
            Source::Value(value) => (Op::RawFill, Some(*value), None),
            Source::Cells(_, from) => (Op::RawCopy, None, Some(from)),
        };
        let mut address = Vec::new();
        for sweep in [Some(to), from].into_iter().flatten() {
            let e = &mut *self.expressions;
            let all = e.mul(to.rounds, to.bytes);
            let last = e.sum(&[(sweep.offset, 1), (sweep.bytes, 1), (all, -1)]);
            let begins = sweep.falls && !fault!("loop-idiom: a loop that falls begins at its first cell");
            address.extend([sweep.base, if begins { last } else { sweep.offset }]);
        }
        let count = self.expressions.mul(to.rounds, to.cells);
        Bulk { inst, op, address, count, value }
    }
}
