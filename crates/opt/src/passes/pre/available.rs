//! What is there at the end of a block: results of equal operations by value numbers, and what folds.

use std::sync::Arc;

use hashbrown::HashMap;
use planish_ir::dominators::Dominators;
use planish_ir::{Cfg, Function, Inst, Value};
use planish_ops::machine::Machine;
use planish_ops::meaning::Datum;
use planish_ops::world::{Descr, World};
use planish_ops::{Effect, Fold, Op, Type, fold};
use planish_pass::PassCx;
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::memory::Memory;
use crate::analysis::alias::Access;
use crate::engine::algebra::{Simple, simplify};
use crate::passes::global_code_motion::{Freedom, freedom};

/// How many equal operations are asked whether they come before the end of a block.
const EQUAL: usize = 8;

/// What may be redundant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// What computes and never traps, calls included.
    Free,
    /// What computes, or traps: a division, the length of what may be null.
    Trapping,
    /// A load.
    Load,
}

impl Kind {
    /// What an operation is; `None` if it stays in any case.
    pub fn of(f: &Function, world: &dyn World, inst: Inst) -> Option<Kind> {
        let (data, row) = (f.inst(inst), f.row(inst));
        if data.exit.is_some() || f.results(inst).len() != 1 {
            return None;
        }
        match row.effect {
            Effect::Pure | Effect::Call if freedom(f, world, inst) == Freedom::Any => Some(Kind::Free),
            Effect::Pure if data.op == Op::ArrayLen || data.descr.is_none() => Some(Kind::Trapping),
            Effect::Load if Access::kind(data.op).is_some() => Some(Kind::Load),
            _ => None,
        }
    }
}

/// What makes results equal; the operands are sorted where their order does not matter.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    op: Op,
    descr: Option<Descr>,
    ty: Type,
    args: SmallVec<[Value; 4]>,
}

impl Key {
    fn of(f: &Function, inst: Inst, args: &[Value]) -> Key {
        let data = f.inst(inst);
        let mut args: SmallVec<[Value; 4]> = args.into();
        if data.op.row().algebra.commutative {
            args.sort_unstable();
        }
        Key { op: data.op, descr: data.descr, ty: f.ty(f.result(inst)), args }
    }
}

/// A result, and the number of the block that it is made in.
type Made = (u32, Value);

/// What is there at the ends of blocks.
pub(super) struct Available {
    results: HashMap<Key, SmallVec<[Made; 2]>, FxBuildHasher>,
    /// By operation: what is never asked for is not entered.
    asked: Vec<bool>,
    dominators: Arc<Dominators>,
    /// Blocks whose values are not there behind their exits, which lead to handlers.
    has_handlers: Vec<bool>,
    /// Where a load is asked for.
    pub memory: Option<Memory>,
}

impl Available {
    /// Looks through a function for what is asked in blocks where ways meet; `None` if nothing is.
    pub fn of(f: &Function, cx: &mut PassCx<'_>, cfg: &Cfg, joins: &[u32]) -> Option<Available> {
        let mut asked = vec![false; planish_ops::table::ALL.len()];
        let (mut computes, mut loads) = (false, false);
        for &inst in joins.iter().flat_map(|&number| f.block_insts(cfg.block(number))) {
            match Kind::of(f, cx.world, inst) {
                Some(Kind::Load) => loads = true,
                Some(Kind::Free | Kind::Trapping) => {
                    asked[f.inst(inst).op as usize] = true;
                    computes = true;
                }
                None => {}
            }
        }
        if !computes && !loads {
            return None;
        }
        let memory = loads.then(|| Memory::of(f, cfg, cx.world, cx.target.machine));
        let has_handlers = cfg.order().iter().map(|&block| f.handlers(block).next().is_some()).collect();
        let dominators = cx.get::<Dominators>(f);
        let results = HashMap::default();
        let mut available = Available { results, asked, dominators, has_handlers, memory };
        if computes {
            for (number, &block) in (0..).zip(cfg.order()) {
                for &inst in f.block_insts(block) {
                    if available.is_asked(f, cx.world, inst) {
                        available.add(f, inst, number);
                    }
                }
            }
        }
        Some(available)
    }

    fn is_asked(&self, f: &Function, world: &dyn World, inst: Inst) -> bool {
        let kind = || Kind::of(f, world, inst);
        self.asked[f.inst(inst).op as usize] && matches!(kind(), Some(Kind::Free | Kind::Trapping))
    }

    /// Notes an operation of the block with a number.
    pub fn add(&mut self, f: &Function, inst: Inst, number: u32) {
        let key = Key::of(f, inst, f.args(inst));
        self.results.entry(key).or_default().push((number, f.result(inst)));
    }

    /// What an operation gives on these operands at the end of a block.
    pub fn value(&self, f: &Function, inst: Inst, args: &[Value], number: u32) -> Option<Value> {
        let made = self.results.get(&Key::of(f, inst, args))?;
        let is_there = |&&(home, _): &&Made| {
            let leaves = self.has_handlers[home as usize];
            home == number || !leaves && self.dominators.dominates(home, number)
        };
        made.iter().take(EQUAL).find(is_there).map(|&(_, value)| value)
    }
}

/// What an operation is on these operands without being computed. One that may trap is known only where all of them are.
pub(super) fn simple(f: &mut Function, inst: Inst, kind: Kind, args: &[Value]) -> Option<Value> {
    let (op, ty) = (f.inst(inst).op, f.ty(f.result(inst)));
    if op.row().effect != Effect::Pure || op.row().descriptor.is_some() {
        return None;
    }
    let words: Option<Vec<Datum<Machine>>> =
        args.iter().map(|&arg| f.int_constant(arg).map(Datum::Word)).collect();
    if let Some(words) = words {
        let Some(Fold::Int(number)) = fold(op, &words, &[ty]) else { return None };
        return Some(f.make_constant(number));
    }
    if kind == Kind::Trapping {
        return None;
    }
    match simplify(f, op, args, ty)?.1 {
        Simple::Value(value) => Some(value),
        Simple::Number(number) if ty.int_width().is_some() => Some(f.make_int(ty, number)),
        _ => None,
    }
}
