//! Shifts, masks and bitwise operations put together anew where not all bits are seen, by the normal form of
//! [fields](planish_rules::chain).
//!
//! ```text
//! a = urshift(x, 8)
//! b = lshift(a, 10)          becomes     b = lshift(x, 2)
//! c = and(b, 64512)                      c = and(b, 64512)
//! ```
//!
//! What dies has to stand in the block of what it is for: nothing moves into loops. Users come before operands, each operation
//! is taken apart by few others: O(size).

use planish_base::{SideTable, Worklist};
use planish_domain::IntFact;
use planish_domain::demanded::low;
use planish_ir::{Block, Function, Inst, Stands, Value};
use planish_ops::{Effect, Exits, Op, Type};
use planish_pass::{Became, IMPOSSIBLE, PassCx, Price};
use planish_rules::chain::{Combined, combine_seen, is_field};
use planish_rules::matching::{Const, Operand, Outcome, Root, Subject};

use super::known::{Known, of_operand, same};
use crate::passes::strength_reduction::uses;

/// Takes operands past what only changes bits of them that the operation does not see, and puts together anew what costs
/// less then.
pub(super) fn put_together(
    f: &mut Function,
    cx: &mut PassCx<'_>,
    wanted: &SideTable<Value, u64>,
    known: &Known,
) {
    let insts: Vec<Inst> = f.live_insts().map(|(_, inst)| inst).filter(|&inst| computes(f, inst)).collect();
    let mut rebuilt = Rebuilt {
        uses: uses(f),
        homes: SideTable::new(),
        dead: SideTable::new(),
        in_front: SideTable::new(),
        blocks: Vec::new(),
        stands: Stands::default(),
    };
    f.live_insts().for_each(|(block, inst)| rebuilt.homes[inst] = Some(block));
    insts.iter().rev().for_each(|&inst| rebuilt.goes(f, inst));
    for &inst in insts.iter().rev() {
        // What went meanwhile is not looked at any more.
        let seen = wanted[f.result(inst)];
        if rebuilt.dead[inst] || seen == 0 {
            continue;
        }
        rebuilt.pass_by(f, cx, inst, seen, known);
        let (op, ty) = (f.inst(inst).op, f.ty(f.result(inst)));
        let all = ty.int_width().map_or(0, low);
        if !is_field(op) || seen & all == all {
            continue;
        }
        let sight = Sight { f, known, rebuilt: &rebuilt, home: rebuilt.homes[inst], price: cx.target.price };
        let Some(combined) = combine_seen(&sight, &Root { op, args: f.args(inst), ty }, seen) else {
            continue;
        };
        if cx.rewrite(f, inst, Became::Changed) {
            rebuilt.build(f, inst, &combined);
        }
    }
    rebuilt.write(f);
}

/// Whether an operation gives an integer, and does nothing else.
fn computes(f: &Function, inst: Inst) -> bool {
    let row = f.row(inst);
    row.effect == Effect::Pure
        && row.exits == Exits::Never
        && row.results.len() == 1
        && f.ty(f.result(inst)).int_width().is_some()
}

/// What a normal form sees of a function.
struct Sight<'a> {
    f: &'a Function,
    known: &'a Known,
    rebuilt: &'a Rebuilt,
    home: Option<Block>,
    price: Price<'a>,
}

impl Subject for Sight<'_> {
    type Value = Value;
    type Node = Inst;

    fn first_node(&self, value: Value) -> Option<Inst> {
        let inst = self.f.def_inst(value)?;
        (is_field(self.f.inst(inst).op) && self.rebuilt.homes[inst] == self.home).then_some(inst)
    }

    fn op(&self, node: Inst) -> Op {
        self.f.inst(node).op
    }

    fn operand(&self, node: Inst, index: usize) -> Value {
        self.rebuilt.stands.of(self.f.args(node)[index])
    }

    fn constant(&self, value: Value) -> Option<Const> {
        self.f.int_constant(value).map(Const::Int)
    }

    fn fact(&self, value: Value) -> IntFact {
        let bits = self.known.of_value(self.f, value);
        IntFact::bits(self.f.ty(value).int_width().expect("a word"), bits.ones, bits.zeros)
    }

    fn ty(&self, value: Value) -> Type {
        self.f.ty(value)
    }

    fn used_once(&self, value: Value) -> bool {
        self.rebuilt.uses[value] <= 1
    }

    fn price(&self, op: Op) -> u32 {
        (self.price)(op).unwrap_or(IMPOSSIBLE)
    }
}

/// What was made, and what goes for it.
struct Rebuilt {
    /// How often each value is used by what stays.
    uses: SideTable<Value, u32>,
    homes: SideTable<Inst, Option<Block>>,
    dead: SideTable<Inst, bool>,
    /// What is made in front of an operation.
    in_front: SideTable<Inst, Vec<Inst>>,
    blocks: Vec<Block>,
    stands: Stands,
}

impl Rebuilt {
    /// Takes the operands of an operation past what leaves alone the bits that it sees of them, where that stays for others.
    fn pass_by(&mut self, f: &mut Function, cx: &mut PassCx<'_>, inst: Inst, seen: u64, known: &Known) {
        for index in 0..f.args(inst).len() {
            let bits = of_operand(f, known, inst, index, seen);
            while let &arg = &f.args(inst)[index]
                && bits != 0
                && self.uses[arg] > 1
                && let Some(of) = f.def_inst(arg).filter(|&of| computes(f, of))
                && let Some(is) = same(f, of, bits, known)
                && cx.rewrite(f, inst, Became::Changed)
            {
                f.args_mut(inst)[index] = is;
                self.uses[arg] -= 1;
                self.uses[is] += 1;
            }
        }
    }

    /// Builds what stands for the result of an operation.
    fn build(&mut self, f: &mut Function, root: Inst, combined: &Combined<Value>) {
        let mut built: Vec<Value> = Vec::new();
        let operand = |f: &mut Function, built: &[Value], operand| match operand {
            Operand::Value(value) => value,
            Operand::Const(Const::Int(int)) => f.make_constant(int),
            Operand::Const(Const::Real(real)) => f.make_constant(real),
            Operand::Built(index) => built[usize::from(index)],
        };
        for build in &combined.plan {
            let args: Vec<Value> = build.operands().map(|arg| operand(f, &built, arg)).collect();
            args.iter().for_each(|&arg| self.uses[arg] += 1);
            let made = f.make_inst(build.op, &args, &[build.ty], None, None, f.inst(root).location);
            self.homes[made] = self.homes[root];
            self.in_front[root].push(made);
            built.push(f.result(made));
        }
        self.blocks.extend(self.homes[root]);
        let Outcome::Value(is) = combined.outcome else { unreachable!("a chain gives one value") };
        let (value, result) = (operand(f, &built, is), f.result(root));
        self.uses[value] += std::mem::take(&mut self.uses[result]);
        self.stands.put(value, result);
        self.goes(f, root);
    }

    /// Counts an operation whose results nothing uses as gone, with those that are for it alone.
    fn goes(&mut self, f: &Function, inst: Inst) {
        let mut work = Worklist::from(vec![inst]);
        while let Some(inst) = work.pop() {
            let row = f.row(inst);
            let may_go = row.effect == Effect::Pure && row.exits == Exits::Never && !self.dead[inst];
            if !may_go || f.results(inst).any(|result| self.uses[result] > 0) {
                continue;
            }
            self.dead[inst] = true;
            for &arg in f.args(inst) {
                let arg = self.stands.of(arg);
                self.uses[arg] = self.uses[arg].saturating_sub(1);
                work.extend(f.def_inst(arg));
            }
        }
    }

    /// Puts what was made in its place.
    fn write(mut self, f: &mut Function) {
        self.blocks.sort_unstable();
        self.blocks.dedup();
        for &block in &self.blocks {
            let insts = f.replace_insts(block, Vec::new());
            let placed = insts
                .into_iter()
                .flat_map(|inst| std::mem::take(&mut self.in_front[inst]).into_iter().chain([inst]))
                .collect();
            f.replace_insts(block, placed);
        }
        self.stands.write(f);
    }
}
