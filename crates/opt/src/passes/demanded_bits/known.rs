//! What is known of the bits of values, and what follows: which bits of an operand are seen, and which operand is the result.

use planish_base::SideTable;
use planish_domain::demanded::{binary, low, unary, up_to};
use planish_domain::{IntFact, transfer};
use planish_ir::{Cfg, Function, Inst, Value};
use planish_ops::{Effect, Op};

/// What is known of the bits of values.
pub(super) struct Known {
    bits: SideTable<Value, KnownBits>,
}

/// The bits that are known to be zero, and those that are known to be one.
#[derive(Clone, Copy, Default)]
pub(super) struct KnownBits {
    pub zeros: u64,
    pub ones: u64,
}

impl Known {
    /// What operations make of what is known of their operands. O(size).
    pub(super) fn of(f: &Function, cfg: &Cfg) -> Known {
        let mut facts: SideTable<Value, Option<IntFact>> = SideTable::new();
        let mut known = Known { bits: SideTable::new() };
        let mut args: Vec<IntFact> = Vec::new();
        for inst in cfg.order().iter().flat_map(|&block| f.block_insts(block)).copied() {
            let row = f.row(inst);
            if row.effect != Effect::Pure || row.results.len() != 1 {
                continue;
            }
            let result = f.result(inst);
            let of = |value: Value| {
                let constant = f.int_constant(value).map(IntFact::constant);
                constant.or(facts[value]).or_else(|| f.ty(value).int_width().map(IntFact::top))
            };
            args.clear();
            args.extend(f.args(inst).iter().map_while(|&arg| of(arg)));
            if f.ty(result).int_width().is_none() || args.len() < f.args(inst).len() {
                continue;
            }
            // Of a sum with what may be anything nothing is known, and it need not be asked.
            let op = f.inst(inst).op;
            if matches!(op, Op::Add | Op::Sub | Op::Xor) && args.iter().any(|fact| fact.is_top()) {
                continue;
            }
            let fact = transfer(op, &args, f.ty(result)).0;
            if !fact.is_top() && !fact.is_bottom() {
                facts[result] = Some(fact);
                let words = fact.to_words();
                known.bits[result] = KnownBits { zeros: words.zeros.unsigned(), ones: words.ones.unsigned() };
            }
        }
        known
    }

    /// Forgets what is known of bits that nobody demands: they may become others.
    pub(super) fn forget(&mut self, f: &Function, wanted: &SideTable<Value, u64>) {
        for result in f.live_insts().filter_map(|(_, inst)| f.first_result(inst)) {
            let KnownBits { zeros, ones } = self.bits[result];
            if zeros | ones != 0 {
                let wanted = wanted[result];
                self.bits[result] = KnownBits { zeros: zeros & wanted, ones: ones & wanted };
            }
        }
    }

    pub(super) fn of_value(&self, f: &Function, value: Value) -> KnownBits {
        match f.int_constant(value) {
            Some(number) => KnownBits { zeros: !number.unsigned(), ones: number.unsigned() },
            None => self.bits[value],
        }
    }

    /// Whether an operation on `x` and `y` agrees with `x` in these bits.
    fn is_first(&self, f: &Function, op: Op, [x, y]: [Value; 2], bits: u64) -> bool {
        let (of_x, of_y) = (self.of_value(f, x), self.of_value(f, y));
        let like_x = match op {
            Op::And => of_y.ones | of_x.zeros,
            Op::Or => of_y.zeros | of_x.ones,
            _ => of_y.zeros,
        };
        // Of sums and differences what is below counts, too, unless nothing is carried.
        let below = up_to(bits);
        if op == Op::Add && below & !(of_x.zeros | of_y.zeros) == 0 {
            return bits & !(of_y.zeros) == 0;
        }
        let bits = if matches!(op, Op::Add | Op::Sub) { below } else { bits };
        bits & !like_x == 0
    }
}

/// The operand that agrees with the result of an operation in these bits.
pub(super) fn same(f: &Function, inst: Inst, bits: u64, known: &Known) -> Option<Value> {
    let op = f.inst(inst).op;
    match (op, f.args(inst)) {
        (Op::And | Op::Or | Op::Xor | Op::Add, &[x, y]) => [[x, y], [y, x]]
            .into_iter()
            .find(|&order| known.is_first(f, op, order, bits))
            .map(|order| order[0]),
        (Op::Sub, &[x, y]) => known.is_first(f, op, [x, y], bits).then_some(x),
        (Op::Signext, &[x, of]) => {
            let of = f.int_constant(of)?.unsigned();
            (bits & !low(u32::try_from(of).ok().filter(|&of| of > 0)?) == 0).then_some(x)
        }
        // The low bits, and back: what was there before.
        (Op::Zext | Op::Sext, &[narrow]) => {
            let width = f.ty(narrow).int_width()?;
            let trunc = f.def_inst(narrow).filter(|&inst| f.inst(inst).op == Op::Trunc)?;
            let before = f.args(trunc)[0];
            (bits & !low(width) == 0 && f.ty(before) == f.ty(f.result(inst))).then_some(before)
        }
        _ => None,
    }
}

/// The bits of an operand on which these bits of a result depend.
pub(super) fn of_operand(f: &Function, known: &Known, inst: Inst, index: usize, bits: u64) -> u64 {
    let (op, args) = (f.inst(inst).op, f.args(inst));
    let width = |value: Value| f.ty(value).int_width();
    let of = if f.row(inst).results.len() == 1 { width(f.result(inst)) } else { None };
    match (of, op, args) {
        (Some(_), Op::Select, &[_, _, _]) if index > 0 => bits,
        (Some(to), _, &[x]) if let Some(of) = width(x) => unary(op, bits, to, of),
        // Of two operands one hides bits of the other, and has to stay as it is for that.
        (Some(_), Op::And | Op::Or, &[x, y]) => {
            let hides = |value: Value| {
                let known = known.of_value(f, value);
                bits & if op == Op::And { known.zeros } else { known.ones }
            };
            let hiding = usize::from(hides(y) != 0);
            if index == hiding { bits } else { bits & !hides([x, y][hiding]) }
        }
        (Some(to), _, &[x, y]) if width(x) == of && width(y) == of => {
            let other = f.int_constant(if index == 0 { y } else { x });
            binary(op, bits, to, index == 1, other)
        }
        _ => u64::MAX,
    }
}
