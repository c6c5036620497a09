//! Demanded bits: what only makes bits that nobody sees goes (LLVM's bit-tracking dead code elimination, BDCE).
//!
//! ```text
//! a = and(x, 255)
//! b = add(a, y)          becomes     b = add(x, y)
//! c = and(b, 15)                     c = and(b, 15)
//! ```
//!
//! Of every integer those bits are found on which anything depends that is seen: stores, calls, exits, results, conditions. The
//! way is backward over operations by the functions of [`demanded`](planish_domain::demanded), over parameters of blocks to what all edges bring, and from
//! nothing upwards until nothing more is demanded: so a mask in a loop goes, too, if only the end of the loop sees few bits.
//!
//! Then an operation that differs from its operand in other bits only is that operand, also where the other operand is known to
//! leave these bits alone, as a product of small numbers does the sign of a sum; where no bit is demanded, it is zero; and
//! an arithmetic shift whose sign nobody sees is a logical one. Values may differ in other bits then, so what was known of them
//! is not known any more: what is known counts in bits that are demanded, and in no others.
//!
//! Each value is looked at again when more of its bits are demanded, at most once a bit, and mostly once: O(size).

use planish_base::SideTable;
use planish_domain::demanded::{binary, low, unary};
use planish_domain::{IntFact, transfer};
use planish_ir::{Cfg, Def, Function, Inst, Stands, Terminator, Value};
use planish_ops::{Effect, Exits, Op};
use planish_pass::{Became, Change, Example, FunctionPass, PassCx, PassInfo};

use super::global_code_motion::floats;

/// Removes what makes bits that nobody sees.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        changes: Change::Operations,
        source: "LLVM DemandedBits and BDCE",
        handlers: false,
        analyses: &["edges"],
        example: Example { file: "demanded_bits.ssa", text: include_str!("examples/demanded_bits.ssa") },
        test: "crates/opt/src/passes/demanded_bits.rs",
        ..PassInfo::new(
            "demanded-bits",
            "Demanded bits: masks, extensions and sums that only change bits which nobody sees go.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if !cx.record.has_fuel() || !f.live_insts().any(|(_, inst)| hides(f, inst)) {
        return;
    }
    let cfg = cx.get::<Cfg>(f);
    let mut demand = Demand { f, cfg: &cfg, wanted: SideTable::new(), work: Vec::new() };
    demand.begin();
    demand.spread();
    let wanted = demand.wanted;
    let known = Known::of(f, &cfg, &wanted);
    let mut stands = Stands::default();
    for (_, inst) in f.live_insts().collect::<Vec<_>>() {
        if f.row(inst).effect != Effect::Pure || f.row(inst).results.len() != 1 {
            continue;
        }
        let result = f.result(inst);
        let Some(width) = f.ty(result).int_width() else { continue };
        let bits = wanted[result];
        if bits == 0 {
            // Nothing that is seen comes from it; what nothing uses at all is dead.
            let zero = f.make_int(f.ty(result), 0);
            if hides(f, inst) && cx.rewrite(f, inst, Became::Value { of: result, is: zero }) {
                stands.put(zero, result);
            }
        } else if let Some(same) = same(f, inst, bits, &known) {
            if cx.rewrite(f, inst, Became::Value { of: result, is: same }) {
                stands.put(same, result);
            }
        } else if let (Op::Rshift, &[x, by]) = (f.inst(inst).op, f.args(inst))
            && let Some(by) = f.int_constant(by)
            && bits & !(low(width) >> (by.unsigned() % u64::from(width))) == 0
            && cx.target.cost(Op::Urshift) <= cx.target.cost(Op::Rshift)
            && cx.rewrite(f, inst, Became::Op(Op::Urshift))
        {
            let by = f.make_constant(by);
            f.rewrite_inst(inst, Op::Urshift, &[x, by]);
        }
    }
    stands.write(f);
}

/// Whether an operation shows not all bits of its operands: without one there is nothing to find.
fn hides(f: &Function, inst: Inst) -> bool {
    match (f.inst(inst).op, f.args(inst)) {
        (Op::Trunc | Op::Zext | Op::Sext, _) => true,
        (Op::Signext, &[_, of]) => f.int_constant(of).is_some(),
        (Op::And | Op::Or | Op::Lshift | Op::Urshift, &[x, y]) => {
            f.int_constant(x).is_some() || f.int_constant(y).is_some()
        }
        _ => false,
    }
}

/// What is known of the bits of values, in bits that are demanded.
struct Known {
    bits: SideTable<Value, KnownBits>,
}

/// The bits that are known to be zero, and those that are known to be one.
#[derive(Clone, Copy, Default)]
struct KnownBits {
    zeros: u64,
    ones: u64,
}

impl Known {
    /// What operations make of what is known of their operands. O(size).
    fn of(f: &Function, cfg: &Cfg, wanted: &SideTable<Value, u64>) -> Known {
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
            let fact = transfer(f.inst(inst).op, &args, f.ty(result)).0;
            if !fact.is_top() && !fact.is_bottom() {
                facts[result] = Some(fact);
                let (words, wanted) = (fact.to_words(), wanted[result]);
                known.bits[result] = KnownBits {
                    zeros: words.zeros.unsigned() & wanted,
                    ones: words.ones.unsigned() & wanted,
                };
            }
        }
        known
    }

    fn of_value(&self, f: &Function, value: Value) -> KnownBits {
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
        // Of sums and differences what is below counts, too.
        let bits = if matches!(op, Op::Add | Op::Sub) { low(64 - bits.leading_zeros()) } else { bits };
        bits & !like_x == 0
    }
}

/// The operand that agrees with the result of an operation in these bits.
fn same(f: &Function, inst: Inst, bits: u64, known: &Known) -> Option<Value> {
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

/// The bits that are demanded of every value.
struct Demand<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    wanted: SideTable<Value, u64>,
    /// Values of which more is demanded than was passed on.
    work: Vec<Value>,
}

impl Demand<'_> {
    fn want(&mut self, value: Value, bits: u64) {
        let known = self.wanted[value];
        if bits & !known != 0 {
            self.wanted[value] = known | bits;
            self.work.push(value);
        }
    }

    /// All that is seen whatever anybody wants.
    fn begin(&mut self) {
        let f = self.f;
        for &block in self.cfg.order() {
            for &inst in f.block_insts(block) {
                let row = f.row(inst);
                let computes = row.effect == Effect::Pure && row.results.len() == 1;
                if !computes || row.exits != Exits::Never && !floats(f, inst) {
                    f.args(inst).iter().for_each(|&arg| self.want(arg, u64::MAX));
                }
                if let Some(exit) = f.inst(inst).exit {
                    f.exit_args(exit).iter().for_each(|&arg| self.want(arg, u64::MAX));
                }
            }
            let terminator = f.terminator(block);
            terminator.condition().into_iter().for_each(|value| self.want(value, u64::MAX));
            match terminator {
                Terminator::Return(results) => {
                    f.list(*results).iter().for_each(|&value| self.want(value, u64::MAX));
                }
                Terminator::Throw(value, exit) => {
                    self.want(*value, u64::MAX);
                    let args = exit.iter().flat_map(|&exit| f.exit_args(exit));
                    args.for_each(|&arg| self.want(arg, u64::MAX));
                }
                _ => {}
            }
        }
    }

    fn spread(&mut self) {
        while let Some(value) = self.work.pop() {
            let bits = self.wanted[value];
            match self.f.def(value) {
                Def::Const(_) => {}
                Def::Param(block, position) => {
                    let Some(number) = self.cfg.number(block) else { continue };
                    for &pred in self.cfg.preds().of(number) {
                        let calls = self.f.block_calls(self.cfg.block(pred));
                        for call in calls.filter(|call| call.block == block) {
                            self.want(self.f.list(call.args)[position as usize], bits);
                        }
                    }
                }
                Def::Result(inst, _) => self.operands(inst, bits),
            }
        }
    }

    /// Demands what the bits of a result depend on.
    fn operands(&mut self, inst: Inst, bits: u64) {
        let (f, op) = (self.f, self.f.inst(inst).op);
        let width = |value: Value| f.ty(value).int_width();
        let args = f.args(inst);
        let of = if f.row(inst).results.len() == 1 { width(f.result(inst)) } else { None };
        match (of, op, args) {
            (Some(_), Op::Select, &[condition, x, y]) => {
                self.want(condition, u64::MAX);
                [x, y].into_iter().for_each(|arg| self.want(arg, bits));
            }
            (Some(to), _, &[x]) if let Some(of) = width(x) => self.want(x, unary(op, bits, to, of)),
            (Some(to), _, &[x, y]) if width(x) == of && width(y) == of => {
                self.want(x, binary(op, bits, to, false, f.int_constant(y)));
                self.want(y, binary(op, bits, to, true, f.int_constant(x)));
            }
            _ => args.iter().for_each(|&arg| self.want(arg, u64::MAX)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    fn line(body: &str) -> (u64, String) {
        after(&PASS, &format!("func f(v0: i32, v1: i32) -> i32 {{\ne:\n{body}}}\n"))
    }

    #[test]
    fn masks_that_a_later_one_covers_go() {
        let (count, text) = line(
            "    v2 = and(v0, 255)\n    v3 = add(v2, v1)\n    v4 = mul(v3, 5)\n    v5 = and(v4, 15)\n    return v5\n",
        );
        assert!(count == 1 && text.contains("add(v0, v1)"), "{text}");
        let (count, _) =
            line("    v2 = and(v0, 15)\n    v3 = urshift(v2, 2)\n    v4 = and(v3, 7)\n    return v4\n");
        assert_eq!(count, 0, "what is shifted down is seen");
    }

    #[test]
    fn the_way_through_a_narrow_word_goes() {
        let body = |extend: &str, mask: u32| {
            format!(
                "    v2: i16 = trunc(v0)\n    v3: i32 = {extend}(v2)\n    v4 = add(v3, v1)\n    v5 = and(v4, {mask})\n    \
                 return v5\n"
            )
        };
        assert_eq!(line(&body("sext", 65535)).0, 1);
        assert_eq!(line(&body("zext", 65535)).0, 1);
        assert_eq!(line(&body("sext", 131071)).0, 0);
    }

    #[test]
    fn bits_that_are_set_and_not_seen_go() {
        let (count, text) = line(
            "    v2 = or(v0, 256)\n    v3 = xor(v2, 512)\n    v4 = add(v3, 1024)\n    v5 = and(v4, 255)\n    return v5\n",
        );
        assert!(count == 3 && text.contains("and(v0, 255)"), "{text}");
    }

    #[test]
    fn a_sign_that_nobody_sees_is_not_filled_in() {
        let (count, text) = line("    v2 = rshift(v0, 8)\n    v3 = and(v2, 255)\n    return v3\n");
        assert!(count == 1 && text.contains("urshift"), "{text}");
        assert_eq!(line("    v2 = rshift(v0, 8)\n    v3 = and(v2, 16777216)\n    return v3\n").0, 0);
    }

    #[test]
    fn an_operand_that_leaves_the_bits_alone_goes() {
        let (count, text) = line(
            "    v2 = urshift(v1, 24)\n    v3 = mul(v2, v2)\n    v4 = xor(v0, v3)\n    v5 = urshift(v4, 20)\n    return v5\n",
        );
        assert!(count == 1 && text.contains("urshift(v0, 20)"), "{text}");
        let (count, text) =
            line("    v2 = lshift(v1, 9)\n    v3 = sub(v0, v2)\n    v4 = and(v3, 511)\n    return v4\n");
        assert!(count == 1 && text.contains("and(v0, 511)"), "{text}");
        let (count, _) =
            line("    v2 = lshift(v1, 9)\n    v3 = sub(v0, v2)\n    v4 = and(v3, 512)\n    return v4\n");
        assert_eq!(count, 0, "one bit of the other is seen");
    }

    #[test]
    fn what_is_known_of_bits_that_nobody_sees_does_not_count() {
        // The mask clears bit 0 of what is even, whose bit 0 nobody else sees: so it may become what is odd.
        let (_, text) = line(
            "    v2 = lshift(v0, 1)\n    v3 = or(v2, 1)\n    v4 = xor(v3, 1)\n    v5 = and(v4, -2)\n    return v5\n",
        );
        assert!(text.contains("and(v2, -2)") || text.contains("return v2"), "{text}");
    }

    #[test]
    fn a_comparison_sees_all_bits() {
        assert_eq!(line("    v2 = and(v0, 255)\n    v3: i32 = lt(v2, v1)\n    return v3\n").0, 0);
    }

    #[test]
    fn masks_of_a_loop_go_with_what_is_seen_behind_it() {
        let source = |seen: u32| {
            format!(
                "func f(v0: i32) -> i32 {{\ne:\n    jump h(1, 0)\nh(v1: i32, v2: i32):\n    v3 = mul(v1, 5)\n    \
                 v4 = add(v3, v2)\n    v5 = and(v4, 255)\n    v6 = add(v2, 1)\n    v7: i1 = ult(v6, v0)\n    \
                 branch v7, h(v5, v6), x\nx:\n    v8 = and(v5, {seen})\n    return v8\n}}\n"
            )
        };
        let (count, text) = after(&PASS, &source(15));
        assert!(count == 1 && text.contains("h(v4, v6)") && text.contains("and(v4, 15)"), "{text}");
        assert_eq!(after(&PASS, &source(1023)).0, 0);
    }
}
