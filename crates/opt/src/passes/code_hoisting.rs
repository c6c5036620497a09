//! Code hoisting (very busy expressions, Muchnick 1997, 13.5): what every arm of a branch computes is computed once, in
//! front of the branch.
//!
//! ```text
//! branch c, a, b                     x = add(v, v); branch c, a, b
//! a: x = add(v, v); ...     becomes   a: ...
//! b: y = add(v, v); ...               b: ... x for y
//! ```
//!
//! An operation that only computes, and that each arm has, on operands from above the branch, moves up: each path executes what it did, and the text gets
//! shorter. What may be undefined stays, so nothing is speculated. Arms have no way in but the branch.
//!
//! Branches are visited from the last to the first, so work comes up through several. O(size of the
//! function) and one hash table for each branch.

use hashbrown::HashMap;
use planish_base::{SideTable, fault};
use planish_ir::{Block, Cfg, Def, Function, Inst, Stands, Terminator, Value};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use super::global_code_motion::floats;
use planish_pass::{Became, Example, FunctionPass, PassCx, PassInfo};

/// How many arms a branch may have.
pub const ARMS: usize = 16;

/// Hoists out of arms.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        aliases: &["hoist"],
        source: "Muchnick 1997, 13.5, very busy expressions",
        handlers: false,
        analyses: &["edges"],
        example: Example { file: "code_hoisting.ssa", text: include_str!("examples/code_hoisting.ssa") },
        test: "crates/opt/src/passes/code_hoisting.rs",
        ..PassInfo::new(
            "code-hoisting",
            "Code hoisting: what every arm of a branch computes is computed once, in front of it.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if f.blocks().len() < 3 {
        return;
    }
    let cfg = cx.get::<Cfg>(f);
    let mut hoist = Hoist { stands: SideTable::new(), replaced: Stands::default(), moved: SideTable::new() };
    for &block in cfg.order() {
        f.block_insts(block).iter().for_each(|&inst| hoist.stands[inst] = Some(block));
    }
    let mut any = false;
    for number in (0..cfg.order().len() as u32).rev() {
        let mut arms: Vec<u32> = cfg.succs().of(number).to_vec();
        arms.sort_unstable();
        arms.dedup();
        arms.retain(|&arm| !cannot_be(f, cfg.block(arm)));
        let only_from_here = |&arm: &u32| cfg.preds().of(arm).iter().all(|&pred| pred == number);
        if (2..=ARMS).contains(&arms.len()) && arms.iter().all(only_from_here) {
            let arms: Vec<Block> = arms.into_iter().map(|arm| cfg.block(arm)).collect();
            any |= hoist.branch(f, cx, cfg.block(number), &arms);
        }
    }
    if any {
        hoist.replaced.write(f);
    }
}

/// Whether nothing is defined where control gets to a block: another arm's work may be done on the way there.
pub(super) fn cannot_be(f: &Function, block: Block) -> bool {
    f.block_insts(block).is_empty() && matches!(f.terminator(block), Terminator::Unreachable)
}

/// An operand: a value from above the branch, or what a group of operations makes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Operand {
    Above(Value),
    Group(usize),
}

/// What makes operations equal; the operands are sorted where their order does not matter.
#[derive(PartialEq, Eq, Hash)]
struct Key {
    op: Op,
    operands: SmallVec<[Operand; 4]>,
    ty: Type,
}

/// Equal operations of several arms, the first arm's first.
struct Group {
    insts: Vec<Inst>,
    /// The groups that must be hoisted before it.
    needs: SmallVec<[usize; 4]>,
}

struct Hoist {
    /// The block in which an operation stands.
    stands: SideTable<Inst, Option<Block>>,
    /// The value that stands for one that went.
    replaced: Stands,
    /// Whether an operation left its arm.
    moved: SideTable<Inst, bool>,
}

impl Hoist {
    /// The key of an operation of an arm that could stand in front of it, if its operands can.
    fn key(
        &self,
        f: &Function,
        arm: Block,
        inst: Inst,
        groups: &SideTable<Value, Option<usize>>,
    ) -> Option<Key> {
        let may_move = floats(f, inst)
            || fault!("code-hoisting: what may leave is hoisted") && f.results(inst).len() == 1;
        if !may_move {
            return None;
        }
        let mut operands = SmallVec::new();
        for &arg in f.args(inst) {
            let arg = self.replaced.of(arg);
            let here = match f.def(arg) {
                Def::Const(_) => false,
                Def::Param(block, _) => block == arm,
                Def::Result(inst, _) => self.stands[inst] == Some(arm),
            };
            operands.push(if here { Operand::Group(groups[arg]?) } else { Operand::Above(arg) });
        }
        let op = f.inst(inst).op;
        if op.row().algebra.commutative && operands.len() == 2 {
            operands.sort_unstable();
        }
        Some(Key { op, operands, ty: f.ty(f.result(inst)) })
    }

    /// Hoists what all arms of a branch share. Whether there was anything.
    fn branch(&mut self, f: &mut Function, cx: &mut PassCx<'_>, block: Block, arms: &[Block]) -> bool {
        let mut table: HashMap<Key, usize, FxBuildHasher> = HashMap::default();
        let mut groups: Vec<Group> = Vec::new();
        let mut group_of: SideTable<Value, Option<usize>> = SideTable::new();
        for (&arm, before) in arms.iter().zip(0..) {
            for &inst in f.block_insts(arm) {
                let Some(key) = self.key(f, arm, inst, &group_of) else { continue };
                let needs = key.operands.iter().filter_map(|operand| match operand {
                    Operand::Group(group) => Some(*group),
                    Operand::Above(_) => None,
                });
                let needs = needs.collect();
                let next = groups.len();
                let group = match before {
                    0 => *table.entry(key).or_insert(next),
                    _ => match table.get(&key) {
                        Some(&group) => group,
                        None => continue,
                    },
                };
                if group == next {
                    groups.push(Group { insts: Vec::new(), needs });
                }
                // One of each arm; of several the first.
                if groups[group].insts.len() == before {
                    groups[group].insts.push(inst);
                    group_of[f.result(inst)] = Some(group);
                }
            }
        }
        let mut hoisted = vec![false; groups.len()];
        for (index, group) in groups.iter().enumerate() {
            if group.insts.len() < arms.len()
                || !group.needs.iter().all(|&needed| hoisted[needed])
                || !cx.rewrite(f, group.insts[0], Became::Changed)
            {
                continue;
            }
            hoisted[index] = true;
            let kept = group.insts[0];
            for &inst in &group.insts {
                self.moved[inst] = true;
                if inst != kept {
                    self.replaced.put(f.result(kept), f.result(inst));
                }
            }
            f.append_inst(block, kept);
            self.stands[kept] = Some(block);
        }
        if !hoisted.contains(&true) {
            return false;
        }
        for &arm in arms {
            let mut insts = f.replace_insts(arm, Vec::new());
            insts.retain(|&inst| !self.moved[inst]);
            f.replace_insts(arm, insts);
        }
        // What moved up may move up again from there.
        groups.iter().for_each(|group| group.insts.iter().for_each(|&inst| self.moved[inst] = false));
        true
    }
}

#[cfg(test)]
mod tests {
    use super::PASS;
    use crate::passes::testing::after;

    fn hoisted(source: &str) -> (u64, String) {
        after(&PASS, source)
    }

    #[test]
    fn a_sum_in_both_arms_and_what_is_made_of_it_come_in_front() {
        let (count, text) = hoisted(
            "func f(v0: i64, v1: i64) -> i64 {\ne:\n    branch v0, a, b\na:\n    v2 = add(v0, v1)\n    \
             v3 = mul(v2, v2)\n    return v3\nb:\n    v4 = add(v1, v0)\n    v5 = mul(v4, v4)\n    \
             v6 = sub(v5, 1)\n    return v6\n}\n",
        );
        assert_eq!((count, text.matches("mul").count()), (2, 1), "{text}");
    }

    #[test]
    fn work_comes_up_through_two_branches() {
        let (count, text) = hoisted(
            "func f(v0: i64, v1: i64) -> i64 {\ne:\n    branch v0, a, b\na:\n    v2 = mul(v1, v1)\n    return v2\n\
             b:\n    branch v1, c, d\nc:\n    v3 = mul(v1, v1)\n    v4 = add(v3, 1)\n    return v4\nd:\n    \
             v5 = mul(v1, v1)\n    v6 = add(v5, 2)\n    return v6\n}\n",
        );
        assert_eq!((count, text.matches("mul").count()), (2, 1), "{text}");
    }

    #[test]
    fn a_division_and_what_one_arm_lacks_stay() {
        let (count, _) = hoisted(
            "func f(v0: i64, v1: i64) -> i64 {\ne:\n    branch v0, a, b\na:\n    v2 = sdiv(v0, v1)\n    \
             v3 = mul(v0, v1)\n    v4 = add(v2, v3)\n    return v4\nb:\n    v5 = sdiv(v0, v1)\n    return v5\n}\n",
        );
        assert_eq!(count, 0);
    }
}
