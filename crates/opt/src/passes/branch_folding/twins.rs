//! Two ranges that differ in one bit: letters of both cases are letters of one (LLVM's InstCombine on `or` of range tests,
//! `foldAndOrOfICmpsUsingRanges`).
//!
//! Where no number of a range has a bit that is set in all of another one, which is as long and else the same, a number is in one
//! of both if it is in the first without that bit.

use planish_base::{SideTable, fault};
use planish_ir::{Block, BlockCall, Cfg, Function, Inst, Location, Terminator, Value};
use planish_ops::{Effect, Exits, Int, Op, Type};

/// The test of a range at the end of a block.
#[derive(Clone, Copy)]
struct Within {
    x: Value,
    least: Int,
    count: u64,
    /// Where it goes from the range, and else.
    yes: BlockCall,
    no: BlockCall,
    /// What makes the condition, and the difference that is compared.
    made_by: [Option<Inst>; 2],
}

/// Two tests of ranges of one value, one of which is left for when the other fails.
pub(super) struct Twins {
    pub first: Block,
    pub second: Block,
    x: Value,
    /// The lower range, and the bit that tells it from the other one.
    least: Int,
    count: u64,
    bit: u64,
    yes: BlockCall,
    no: BlockCall,
}

impl Twins {
    /// Whether a block ends in the test of a range.
    pub fn tests(f: &Function, block: Block) -> bool {
        within(f, block).is_some()
    }

    /// The test of a range at the end of a block with the one that comes behind it, if they are one.
    pub fn of(f: &Function, cfg: &Cfg, uses: &SideTable<Value, u32>, first: Block) -> Option<Twins> {
        let one = within(f, first)?;
        let second = one.no.block;
        let alone = cfg.preds().of(cfg.number(second)?).len() == 1 && f.block_params(second).is_empty();
        let two = within(f, second).filter(|_| alone && second != first)?;
        let alike = (one.x, one.count, one.yes.block) == (two.x, two.count, two.yes.block)
            && f.list(one.yes.args) == f.list(two.yes.args);
        let is_for_test = |&inst: &Inst| {
            let row = f.row(inst);
            let computes = row.effect == Effect::Pure && row.exits == Exits::Never;
            let most = u32::from(two.made_by.contains(&Some(inst)));
            computes && f.results(inst).all(|result| uses[result] <= most)
        };
        if !alike || !f.block_insts(second).iter().all(is_for_test) {
            return None;
        }
        let (low, high) =
            (one.least.unsigned().min(two.least.unsigned()), one.least.unsigned().max(two.least.unsigned()));
        let bit = low ^ high;
        let fits = bit.is_power_of_two()
            && low & bit == 0
            && ((low & (bit - 1)) + one.count <= bit
                || fault!("branch-folding: ranges may go over the bit that tells them apart"));
        let least = Int::new(one.least.width(), low);
        fits.then_some(Twins {
            first,
            second,
            x: one.x,
            least,
            count: one.count,
            bit,
            yes: one.yes,
            no: two.no,
        })
    }

    /// Makes one test of both; the second block is left without ways into it.
    pub fn fold(&self, f: &mut Function) {
        let ty = f.ty(self.x);
        let append = |f: &mut Function, op: Op, x: Value, y: Value, ty: Type| {
            let inst = f.make_inst(op, &[x, y], &[ty], None, None, Location::default());
            f.append_inst(self.first, inst);
            f.result(inst)
        };
        let mask = f.make_int(ty, !self.bit as i64);
        let without = append(f, Op::And, self.x, mask, ty);
        let least = f.make_int(ty, self.least.signed().wrapping_neg());
        let above = append(f, Op::Add, without, least, ty);
        let count = f.make_int(ty, self.count as i64);
        let condition = append(f, Op::Ult, above, count, Type::I1);
        f.set_terminator(self.first, Terminator::Branch { condition, then: self.yes, other: self.no });
    }
}

/// The range in which a value is where a block goes one way.
fn within(f: &Function, block: Block) -> Option<Within> {
    let Terminator::Branch { condition, then, other } = *f.terminator(block) else { return None };
    let test = f.def_inst(condition)?;
    let (op, &[difference, count]) = (f.inst(test).op, f.args(test)) else { return None };
    let (yes, no) = match op {
        Op::Ult => (then, other),
        Op::Uge => (other, then),
        _ => return None,
    };
    let count = f.int_constant(count)?;
    let moved = f.def_inst(difference).filter(|&inst| f.inst(inst).op == Op::Add);
    let (x, least) = match moved.map(|inst| f.args(inst)) {
        Some(&[x, by]) if let Some(by) = f.int_constant(by) => {
            (x, Int::new(by.width(), by.unsigned().wrapping_neg()))
        }
        _ => (difference, Int::new(count.width(), 0)),
    };
    (yes.block != no.block).then_some(Within {
        x,
        least,
        count: count.unsigned(),
        yes,
        no,
        made_by: [Some(test), moved],
    })
}

#[cfg(test)]
mod tests {
    use crate::passes::branch_folding::PASS;
    use crate::passes::testing::after;

    /// Two tests of ranges, one behind the other.
    fn ranges(first: [i64; 2], second: [i64; 2]) -> (u64, String) {
        let [one, two] = [first, second].map(|[least, count]| (-least, count));
        after(
            &PASS,
            &format!(
                "func f(v0: i8) -> i64 {{\ne:\n    v1 = add(v0, {})\n    v2: i1 = ult(v1, {})\n    branch v2, x(1), t\n\
                 t:\n    v3 = add(v0, {})\n    v4: i1 = uge(v3, {})\n    branch v4, y, x(1)\n\
                 y:\n    return 0\nx(v5: i64):\n    return v5\n}}\n",
                one.0, one.1, two.0, two.1
            ),
        )
    }

    #[test]
    fn ranges_that_differ_in_a_bit_are_one_without_it() {
        for (first, second) in [([97, 26], [65, 26]), ([65, 26], [97, 26]), ([96, 32], [64, 32])] {
            let (count, text) = ranges(first, second);
            assert!(count == 1 && text.contains("and(v0, -33)"), "{text}");
            assert_eq!(text.matches("branch").count(), 1, "{text}");
        }
    }

    #[test]
    fn others_are_two() {
        assert_eq!(ranges([97, 26], [65, 25]).0, 0, "one is longer");
        assert_eq!(ranges([97, 26], [66, 26]).0, 0, "they differ in several bits");
        assert_eq!(ranges([94, 4], [126, 4]).0, 0, "both have numbers with the bit and without it");
        assert_eq!(
            ranges([112, 26], [80, 26]).0,
            0,
            "they are not within a block of numbers without the bit"
        );
    }
}
