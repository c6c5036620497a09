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
//! an arithmetic shift whose sign nobody sees is a logical one. An operand that others see more of is passed by
//! (LLVM's `SimplifyMultipleUseDemandedBits`), and shifts and masks are put together (`fields`) where few bits of them are seen.
//! Values may differ in other bits then, so what was known of them
//! is not known any more: what is known counts in bits that are demanded, and in no others.
//!
//! Each value is looked at again when more of its bits are demanded, at most once a bit, and mostly once: O(size).

mod fields;
mod known;

use planish_base::{SideTable, Worklist};
use planish_domain::demanded::low;
use planish_ir::{Cfg, Def, Function, Inst, Stands, Terminator, Value};
use planish_ops::{Effect, Exits, Op};
use planish_pass::{Became, Change, Example, FunctionPass, PassCx, PassInfo};

use super::global_code_motion::floats;
use known::{Known, of_operand, same};

/// Removes what makes bits that nobody sees.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        changes: Change::Operations,
        source: "LLVM DemandedBits, BDCE and InstCombine's SimplifyDemandedBits",
        handlers: false,
        analyses: &["edges"],
        example: Example { file: "demanded_bits.ssa", text: include_str!("examples/demanded_bits.ssa") },
        test: "crates/opt/src/passes/demanded_bits.rs",
        ..PassInfo::new(
            "demanded-bits",
            "Demanded bits: masks, extensions and sums that only change bits which nobody sees go, and shifts for a few bits are put together.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if !cx.record.has_fuel() || !f.live_insts().any(|(_, inst)| hides(f, inst)) {
        return;
    }
    let cfg = cx.get::<Cfg>(f);
    let mut known = Known::of(f, &cfg);
    let mut demand =
        Demand { f, cfg: &cfg, known: &known, wanted: SideTable::new(), work: Worklist::default() };
    demand.begin();
    demand.spread();
    let wanted = demand.wanted;
    known.forget(f, &wanted);
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
    fields::put_together(f, cx, &wanted, &known);
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

/// The bits that are demanded of every value.
struct Demand<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    known: &'a Known,
    wanted: SideTable<Value, u64>,
    /// Values of which more is demanded than was passed on.
    work: Worklist<Value>,
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
        for (index, &arg) in self.f.args(inst).iter().enumerate() {
            self.want(arg, of_operand(self.f, self.known, inst, index, bits));
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
    fn an_operand_that_others_use_is_passed_by_where_it_changes_nothing() {
        let (count, text) = line(
            "    v2 = or(v0, 16)\n    v3 = urshift(v2, 8)\n    v4 = mul(v2, v1)\n    v5 = add(v3, v4)\n    return v5\n",
        );
        assert!(count == 1 && text.contains("urshift(v0, 8)") && text.contains("or(v0, 16)"), "{text}");
        let (count, _) = line(
            "    v2 = or(v0, 256)\n    v3 = urshift(v2, 8)\n    v4 = mul(v2, v1)\n    v5 = add(v3, v4)\n    return v5\n",
        );
        assert_eq!(count, 0, "the bit that is set is seen");
    }

    #[test]
    fn one_operand_hides_bits_of_the_other_and_stays_for_that() {
        // The low bits of v3 are zero: those of v2 are not seen.
        let (_, text) =
            line("    v2 = or(v0, 15)\n    v3 = lshift(v1, 4)\n    v4 = and(v2, v3)\n    return v4\n");
        assert!(text.contains("and(v0, v"), "{text}");
        // Both hide the low bits of each other: one has to stay.
        let (_, text) = line(
            "    v2 = lshift(v0, 4)\n    v3 = lshift(v1, 4)\n    v4 = xor(v2, 15)\n    v5 = xor(v4, 15)\n    \
             v6 = and(v5, v3)\n    return v6\n",
        );
        assert!(text.contains("lshift(v1, 4)"), "{text}");
    }

    #[test]
    fn shifts_and_masks_are_put_together_where_few_bits_are_seen() {
        let (count, text) = line(
            "    v2 = urshift(v0, 8)\n    v3 = lshift(v2, 10)\n    v4 = xor(v3, v1)\n    v5 = and(v4, 64512)\n    return v5\n",
        );
        assert!(count == 1 && text.contains("lshift(v0, 2)"), "{text}");
        let (count, _) = line(
            "    v2 = urshift(v0, 8)\n    v3 = lshift(v2, 10)\n    v4 = xor(v3, v1)\n    v5 = and(v4, 64511)\n    return v5\n",
        );
        assert_eq!(count, 0, "bits that were shifted out and back are seen");
        // What others use stays.
        let (count, _) = line(
            "    v2 = urshift(v0, 8)\n    v3 = and(v2, 4095)\n    v4 = lshift(v3, 10)\n    v5 = mul(v3, v1)\n    \
             v6 = xor(v4, v5)\n    v7 = urshift(v6, 9)\n    return v7\n",
        );
        assert_eq!(count, 0);
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
