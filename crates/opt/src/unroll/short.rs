//! The short preamble of a loop, as in PyPy (`shortpreamble.py`): what another trace has to do before it may enter the
//! loop's body.
//!
//! It begins with the values that come around, does each operation again whose result the body uses from before the
//! loop, operands first, and guards what the body assumes of those results. An access is preceded by guards that its
//! object is one which has the place. Ends with the results that the body has as parameters.
//!
//! A trace that enters the loop here does the same without this text (see `target`): it is written for whoever reads
//! along, and where PyPy is followed only.

use hashbrown::HashMap;
use planish_base::Id;
use planish_ir::{Builder, Const, ExitTarget, Function, Inst, Symbol, Value};
use planish_ops::world::{Descr, TypeGuard};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use super::peeling::Peeling;
use crate::engine::Cx;

/// A short preamble.
#[derive(Clone)]
pub struct Short {
    /// The operations. It returns the results that the body has as parameters.
    pub function: Function,
    /// The guards on types in it, whose descriptors are the dialect's business.
    pub type_guards: Vec<(Inst, TypeGuard)>,
}

impl std::fmt::Debug for Short {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Short").field("type_guards", &self.type_guards).finish_non_exhaustive()
    }
}

/// A short preamble in the making.
struct Making {
    builder: Builder,
    /// What stands for values of the body.
    values: HashMap<Value, Value, FxBuildHasher>,
    /// Guards that were written.
    held: Vec<(Op, Option<TypeGuard>, Vec<Value>)>,
    type_guards: Vec<(Inst, TypeGuard)>,
    exits: u32,
}

impl Short {
    /// The short preamble of a body that has just been walked. Nothing where the body uses nothing from before.
    pub(super) fn of(cx: &mut Cx<'_>, peeling: &Peeling, kept: &[usize]) -> Option<Short> {
        if cx.engine.imports.used.is_empty() {
            return None;
        }
        let mut making = Making {
            builder: Builder::new("short", &[]),
            values: HashMap::default(),
            held: Vec::new(),
            type_guards: Vec::new(),
            exits: 0,
        };
        let block = making.builder.block("");
        making.builder.at(block);
        for &leaf in &peeling.state.leaves {
            let inside = peeling.inside[leaf]?;
            let param = making.builder.param(block, cx.f.ty(inside));
            making.values.insert(inside, param);
        }
        for position in 0..cx.engine.imports.used.len() {
            making.step(cx, cx.engine.imports.used[position])?;
        }
        let results: Option<Vec<Value>> =
            kept.iter().map(|&id| making.values.get(&cx.engine.imports.all[id].param).copied()).collect();
        let results = results?;
        let types: Vec<Type> = results.iter().map(|&value| making.builder.function().ty(value)).collect();
        making.builder.set_result_types(&types);
        making.builder.ret(&results);
        Some(Short { function: making.builder.finish(), type_guards: making.type_guards })
    }
}

impl Making {
    /// Does one operation again.
    fn step(&mut self, cx: &mut Cx<'_>, id: usize) -> Option<()> {
        let import = &cx.engine.imports.all[id];
        let (inst, param, known, fact, constant) =
            (import.inst, import.param, import.known, import.fact, import.constant);
        let data = *cx.f.inst(inst);
        let args: Vec<Value> = cx.f.args(inst).to_vec();
        let args: Option<Vec<Value>> = args.into_iter().map(|arg| self.value(cx, arg)).collect();
        let args = args?;
        if let (Some(&base), Some(descr)) = (args.first(), data.descr)
            && self.builder.function().constant(base).is_none()
        {
            self.asks_for_type(cx, data.op, descr, base);
            let asks = match data.op {
                Op::GetItem => Some(Op::ArrayLen),
                Op::StrGet => Some(Op::StrLen),
                _ => None,
            };
            let index = args.get(1).and_then(|&index| self.builder.function().int_constant(index));
            if let (Some(asks), Some(index)) = (asks, index) {
                let length = self.builder.inst(asks, &[base], &[Type::I64], Some(descr), None);
                let length = self.builder.function().result(length);
                self.compare(Op::Ge, length, index.signed().saturating_add(1));
            }
        }
        let types: Vec<Type> = cx.f.results(inst).map(|result| cx.f.ty(result)).collect();
        let made = self.builder.inst(data.op, &args, &types, data.descr, None);
        let value = self.builder.function().result(made);
        self.values.insert(param, value);
        if let Some(bit) = self.builder.function().results(made).nth(1) {
            self.require(Op::GuardFalse, None, &[bit]);
        }
        if let Some(constant) = constant.and_then(|constant| cx.f.constant(constant)) {
            let constant = self.builder.constant(constant);
            self.require(Op::GuardValue, None, &[value, constant]);
            return Some(());
        }
        match known.class.and_then(|class| cx.f.constant(class)) {
            Some(class) => {
                let class = self.builder.constant(class);
                self.require(Op::GuardNonnullClass, None, &[value, class]);
            }
            None if known.nonnull => self.require(Op::GuardNonnull, None, &[value]),
            None => {}
        }
        if let Some(fact) = fact.filter(|fact| fact.width() == 64) {
            for (op, bound, tells) in
                [(Op::Ge, fact.lo(), fact.lo() > i64::MIN), (Op::Le, fact.hi(), fact.hi() < i64::MAX)]
            {
                if tells {
                    self.compare(op, value, bound);
                }
            }
        }
        Some(())
    }

    /// What stands for a value of the body.
    fn value(&mut self, cx: &Cx<'_>, value: Value) -> Option<Value> {
        match cx.f.constant(value) {
            Some(constant) => Some(self.builder.constant(constant)),
            None => self.values.get(&value).copied(),
        }
    }

    /// Guards that an object has the place which is about to be read.
    fn asks_for_type(&mut self, cx: &Cx<'_>, op: Op, descr: Descr, base: Value) {
        match op {
            Op::GetField | Op::GetItem | Op::ArrayLen => {
                self.require(Op::GuardNonnull, None, &[base]);
                match cx.world.owner(descr) {
                    Some(class) => {
                        let class = self.builder.constant(address(class));
                        self.require(Op::GuardOther, Some(TypeGuard::Object), &[base]);
                        self.require(Op::GuardOther, Some(TypeGuard::Derives), &[base, class]);
                    }
                    None => {
                        if let Some(layout) = cx.world.layout_of(descr) {
                            let layout = self.builder.constant(address(layout));
                            self.require(Op::GuardOther, Some(TypeGuard::Layout), &[base, layout]);
                        }
                    }
                }
            }
            Op::StrLen | Op::StrGet => self.require(Op::GuardNonnull, None, &[base]),
            _ => {}
        }
    }

    /// Guards that a comparison with a constant holds.
    fn compare(&mut self, op: Op, value: Value, bound: i64) {
        let bound = self.builder.int(Type::I64, bound);
        let holds = self.builder.op_as(op, &[value, bound], Type::I64);
        self.require(Op::GuardTrue, None, &[holds]);
    }

    /// Writes a guard, unless it stands there already.
    fn require(&mut self, op: Op, asks: Option<TypeGuard>, args: &[Value]) {
        let guard = (op, asks, args.to_vec());
        if self.held.contains(&guard) {
            return;
        }
        self.held.push(guard);
        let exit = self.builder.exit(ExitTarget::Leave(self.exits), &[]);
        self.exits += 1;
        let inst = self.builder.inst(op, args, &[], None, Some(exit));
        self.type_guards.extend(asks.map(|asks| (inst, asks)));
    }
}

/// A symbol as a number.
fn address(symbol: u32) -> Const {
    Const::Symbol(Symbol::from_index(symbol as usize), Type::I64)
}
