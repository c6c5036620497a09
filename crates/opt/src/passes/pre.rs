//! Partial redundancy elimination (VanDrunen and Hosking's GVN-PRE, CC 2004; LLVM's `performScalarPRE` and `PerformLoadPRE`):
//! what was computed or loaded on some ways into a block is computed on the others, and not in the block.
//!
//! ```text
//! branch c, a, b                     branch c, a, b
//! a: x = mul(v, w); jump j           a: x = mul(v, w); jump j(x)
//! b: jump j                 becomes  b: t = mul(v, w); jump j(t)
//! j: y = mul(v, w)                   j(y):
//! ```
//!
//! For each operation of a block where ways meet, each way is asked whether the result is there already, with the arguments of
//! that way in the place of the block's parameters: `available` says how. If all ways have it, a parameter is what it
//! was. If some lack it, it is computed there, on an edge that is split if it is critical. So no path computes more than it did:
//!
//! - What is inserted was done in the block whatever happens, since nothing before it leaves. What may trap goes on the way only if
//!   nothing before it in the block can be seen, so nothing is speculated.
//! - Nothing is inserted on a way back into a loop, where it would only be moved; through such a way a value may come. So what
//!   the round before computed is not computed again, and the first round's is computed in front of the loop.
//! - At most [`COPIES`] more copies are made of an operation than were there.
//!
//! Results in the block that became parameters are known on each way, so what is computed from them follows. Blocks are visited in
//! reverse postorder, and what stands for a result keeps its name until the end: so later blocks find it.
//!
//! On a stack machine a parameter is stored on each way and loaded behind; only what costs more than that goes, and nothing is
//! inserted. O(instructions * ways into their blocks), of which at most `WAYS` are looked at.

mod available;
mod before;
mod memory;
mod ways;

use hashbrown::HashMap;
use planish_base::{SideTable, fault};
use planish_domain::memory::Lemma;
use planish_ir::{Block, Cfg, Function, Inst, Stands, Terminator, Value};
use planish_ops::Type;
use planish_pass::{Became, Change, Example, FunctionPass, Machine, PassCx, PassInfo, PassOption};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use self::available::{Available, Kind, simple};
use self::before::Before;
use self::memory::{At, Meet};
use self::ways::Ways;
use super::load_elimination::of_a_load;
use crate::analysis::alias::{Access, Alias};

/// How many more copies of an operation there may be than there were.
pub const COPIES: PassOption =
    PassOption::new("copies", 1, "how many more copies of an operation there may be than there were");

/// Eliminates partial redundancies.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["partial-redundancy-elimination"],
        source: "VanDrunen and Hosking, \"Value-Based Partial Redundancy Elimination\", CC 2004; LLVM GVN",
        analyses: &["edges", "dominators"],
        options: &[&COPIES],
        example: Example { file: "pre.ssa", text: include_str!("examples/pre.ssa") },
        test: "crates/opt/src/passes/pre/tests.rs",
        ..PassInfo::new(
            "pre",
            "Partial redundancy elimination: what some ways into a block computed or loaded is not computed there again.",
        )
    },
    run,
};

/// How many parameters of a block are asked whether they are what an operation gives.
const PARAMS: usize = 8;

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if f.blocks().len() < 3 || !f.entrances().is_empty() || !cx.record.has_fuel() {
        return;
    }
    let cfg = cx.get::<Cfg>(f);
    if !Ways::meet(f, &cfg) {
        return;
    }
    let ways = Ways::of(f, &cfg);
    let numbers = 0..cfg.order().len() as u32;
    let joins: Vec<u32> = numbers.filter(|&number| ways.to(number).len() > 1).collect();
    let Some(available) = Available::of(f, cx, &cfg, &joins) else { return };
    let mut elimination = Elimination {
        cfg: &cfg,
        ways,
        available,
        arrived: SideTable::new(),
        stands: Stands::default(),
        split: HashMap::default(),
        met: HashMap::default(),
    };
    let mut any = false;
    for number in joins {
        any |= elimination.join(f, cx, number);
    }
    if any {
        elimination.stands.write(f);
        cx.changed(Change::Flow);
    }
}

/// What a way has of an operation.
enum Found {
    /// The result, computed or loaded before.
    Is(At),
    /// The result, which is not computed there: a number or an operand.
    Simple(Value),
    /// What the operation itself gave in the round before.
    Own,
    /// Nothing; it would be computed of these.
    Lacks(SmallVec<[Value; 4]>),
}

/// What the ways into a block have of an operation.
struct Plan {
    found: Vec<Found>,
    /// The parameters of blocks above that are needed.
    meets: Vec<Meet>,
    /// Where it is a load: by which lemma.
    lemma: Option<Lemma>,
}

struct Elimination<'a> {
    cfg: &'a Cfg,
    ways: Ways,
    available: Available,
    /// For a result that became a parameter: what it is on each way into its block.
    arrived: SideTable<Value, Vec<Value>>,
    stands: Stands,
    /// By the block that an edge comes from and its place there: the block that was put on it.
    split: HashMap<(u32, usize), Block, FxBuildHasher>,
    /// Parameters that were made, by their block and what is passed for them.
    met: HashMap<(u32, Vec<Value>), Value, FxBuildHasher>,
}

impl Elimination<'_> {
    /// Takes out of the block of a number what the ways into it have. Whether there was anything.
    fn join(&mut self, f: &mut Function, cx: &mut PassCx<'_>, number: u32) -> bool {
        let block = self.cfg.block(number);
        let mut before = Before::default();
        let mut put: Vec<Vec<Inst>> = vec![Vec::new(); self.ways.to(number).len()];
        let mut gone: SideTable<Inst, bool> = SideTable::new();
        let mut any = false;
        for index in 0..f.block_insts(block).len() {
            let inst = f.block_insts(block)[index];
            if let Some(plan) = self.plan(f, cx, number, inst, &before)
                && match plan.lemma {
                    Some(lemma) => cx.rewrite_by(f, inst, Became::Changed, lemma.name()),
                    None => cx.rewrite(f, inst, Became::Changed),
                }
            {
                self.replace(f, number, inst, plan, &mut put);
                gone[inst] = true;
                any = true;
            } else {
                before.add(f, inst);
            }
        }
        if any {
            let mut insts = f.replace_insts(block, Vec::new());
            insts.retain(|&inst| !gone[inst]);
            f.replace_insts(block, insts);
            self.put(f, number, put);
        }
        any
    }

    /// What a value is on a way into the block of a number, if that is known.
    fn on_way(&self, f: &Function, number: u32, at: usize, value: Value) -> Option<Value> {
        let arrived = || self.arrived[value].get(at).copied();
        self.ways.on_way(f, number, self.ways.to(number)[at], value).or_else(arrived)
    }

    /// What the ways into a block have of an operation, if it had better not stay.
    fn plan(
        &self,
        f: &mut Function,
        cx: &PassCx<'_>,
        number: u32,
        inst: Inst,
        before: &Before,
    ) -> Option<Plan> {
        let kind = Kind::of(f, cx.world, inst)?;
        let result = f.result(inst);
        let into = self.ways.to(number);
        let (mut loaded, mut meets) = (Vec::new(), Vec::new());
        if let (Kind::Load, Some(memory)) = (kind, &self.available.memory) {
            if before.may_write(f, cx, inst, memory.stands()) {
                return None;
            }
            let alias = Alias { f, world: cx.world };
            let on_way = |at, value| self.on_way(f, number, at, value);
            (loaded, meets) = memory.load(alias, &self.ways, number, inst, on_way)?;
        }
        let mut found = Vec::with_capacity(into.len());
        for (at, way) in into.iter().enumerate() {
            let args: Option<SmallVec<[Value; 4]>> =
                f.args(inst).iter().map(|&arg| self.on_way(f, number, at, arg)).collect();
            let known = match kind {
                Kind::Load => loaded[at],
                _ => self.available.value(f, inst, args.as_deref()?, way.pred).map(At::Is),
            };
            let known = match known {
                Some(known) => Found::Is(known),
                None => match simple(f, inst, kind, args.as_deref()?) {
                    Some(value) => Found::Simple(value),
                    None => Found::Lacks(args?),
                },
            };
            found.push(match known {
                Found::Is(At::Is(value)) | Found::Simple(value) if value == result => match kind {
                    // A loop that waits looks again.
                    Kind::Load => return None,
                    _ => Found::Own,
                },
                Found::Lacks(_) if way.pred >= number => return None,
                known => known,
            });
        }
        let may_insert = match kind {
            Kind::Free => !before.leaves,
            Kind::Trapping | Kind::Load => !before.seen,
        };
        let count = |is: fn(&Found) -> bool| found.iter().filter(|&way| is(way)).count();
        let lack = count(|way| matches!(way, Found::Lacks(_)));
        let computed = count(|way| matches!(way, Found::Is(_) | Found::Own));
        let pays = match cx.target.machine {
            Machine::Registers => lack == 0 || may_insert && computed > 0 && lack <= 1 + cx.count(&COPIES),
            Machine::Stack => lack == 0 && f.args(inst).len() > into.len(),
        };
        (pays && cx.target.cost(f.inst(inst).op) > 0).then(|| {
            let stored = |found: &Found| match found {
                Found::Is(At::Is(value)) => of_a_load(f, *value) == Lemma::LoadAfterStore,
                _ => false,
            };
            let by = if found.iter().any(stored) { Lemma::LoadAfterStore } else { Lemma::LoadAfterLoad };
            Plan { lemma: (kind == Kind::Load).then_some(by), found, meets }
        })
    }

    /// Lets what the ways have stand for the result of an operation; what they lack is put on them.
    fn replace(&mut self, f: &mut Function, number: u32, inst: Inst, plan: Plan, put: &mut [Vec<Inst>]) {
        let (result, ty) = (f.result(inst), f.ty(f.result(inst)));
        let mut params: Vec<Value> = Vec::with_capacity(plan.meets.len());
        for meet in plan.meets {
            let values = meet.values.iter().map(|&at| match at {
                At::Is(value) => value,
                At::Meets(other) => params[other],
            });
            let values = values.collect();
            params.push(self.parameter(f, meet.number, ty, values));
        }
        let mut values = Vec::with_capacity(plan.found.len());
        for (at, found) in plan.found.into_iter().enumerate() {
            values.push(match found {
                Found::Is(At::Is(value)) | Found::Simple(value) => value,
                Found::Is(At::Meets(param)) => params[param],
                Found::Own => result,
                Found::Lacks(args) => {
                    let made = f.copy_inst(inst);
                    f.args_mut(made).copy_from_slice(&args);
                    put[at].push(made);
                    let pred = self.ways.to(number)[at].pred;
                    self.ways.define(f.result(made), pred);
                    // On an edge of its own it is behind the block and not in it.
                    let is_only = f.block_calls(self.cfg.block(pred)).count() == 1;
                    if is_only && Access::kind(f.inst(made).op).is_none() {
                        self.available.add(f, made, pred);
                    }
                    f.result(made)
                }
            });
        }
        let mut others = values.iter().copied().filter(|&value| value != result);
        let first = others.next();
        let one = first.filter(|&first| others.all(|other| other == first));
        let stands = one.unwrap_or_else(|| self.parameter(f, number, ty, values.clone()));
        self.arrived[result] = values;
        self.stands.put(stands, result);
    }

    /// A parameter of the block of a number for which the ways into it pass these values.
    fn parameter(&mut self, f: &mut Function, number: u32, ty: Type, values: Vec<Value>) -> Value {
        let (block, into) = (self.cfg.block(number), self.ways.to(number));
        let is_same =
            |&at: &usize| into.iter().zip(&values).all(|(way, value)| f.list(way.args)[at] == *value);
        let count = f.list(into[0].args).len().min(PARAMS);
        let same = (0..count).find(is_same).map(|at| f.block_params(block)[at]);
        if let Some(same) = same.filter(|&param| f.ty(param) == ty) {
            return same;
        }
        if let Some(&made) = self.met.get(&(number, values.clone())) {
            return made;
        }
        let param = f.add_param(block, ty);
        self.ways.define(param, number);
        for (way, &value) in self.ways.to(number).iter().zip(&values) {
            let value = match fault!("pre: every way passes what the first one has") {
                true => values[0],
                false => value,
            };
            let (from, call) = match self.split.get(&(way.pred, way.call)) {
                Some(&edge) => (edge, 0),
                None => (self.cfg.block(way.pred), way.call),
            };
            let mut terminator = f.take_terminator(from);
            let call = terminator.calls_mut().nth(call).expect("the edge is there");
            let args: Vec<Value> = f.list(call.args).iter().copied().chain([value]).collect();
            *call = f.make_call(block, &args);
            f.set_terminator(from, terminator);
        }
        self.met.insert((number, values), param);
        param
    }

    /// Puts operations on the ways into a block.
    fn put(&mut self, f: &mut Function, number: u32, put: Vec<Vec<Inst>>) {
        for (&way, insts) in self.ways.to(number).iter().zip(put) {
            let from = self.cfg.block(way.pred);
            let mut at = from;
            if !insts.is_empty() && f.block_calls(from).count() > 1 {
                at = f.make_block();
                let mut terminator = f.take_terminator(from);
                let call = terminator.calls_mut().nth(way.call).expect("the edge is there");
                f.set_terminator(at, Terminator::Jump(*call));
                *call = f.make_call(at, &[]);
                f.set_terminator(from, terminator);
                self.split.insert((way.pred, way.call), at);
            }
            insts.into_iter().for_each(|inst| f.append_inst(at, inst));
        }
    }
}

#[cfg(test)]
mod tests;
