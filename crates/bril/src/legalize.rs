//! Legalization for Bril: what Bril can only say by several operations is said so in SSA already.
//!
//! Branches test bits in Bril. One that tests a word is written as a comparison with zero and a branch; done
//! here, that comparison is an operation like any other, which is made once and leaves loops.
//!
//! Nor has it choices: the smaller of two numbers is a comparison, a branch and copies. As these it is read again, so as these
//! it is optimized.

use planish_base::SideTable;
use planish_ir::{Function, Inst, Location, Terminator, Value};
use planish_ops::{Op, Type};

/// Lets every branch test a bit. Whether anything changed. O(number of blocks).
pub fn branch_on_bits(f: &mut Function) -> bool {
    let mut changed = false;
    for index in 0..f.blocks().len() {
        let block = f.blocks()[index];
        let Terminator::Branch { condition, then, other } = *f.terminator(block) else { continue };
        if f.ty(condition) == Type::I1 || f.constant(condition).is_some() {
            continue;
        }
        let zero = f.make_int(f.ty(condition), 0);
        let test = f.make_inst(Op::Eq, &[condition, zero], &[Type::I1], None, None, Location::default());
        f.append_inst(block, test);
        let is_zero = f.result(test);
        f.set_terminator(block, Terminator::Branch { condition: is_zero, then: other, other: then });
        changed = true;
    }
    changed
}

/// Says what Bril lacks by branches. Whether anything changed. O(size of the function).
pub fn legalize(f: &mut Function) -> bool {
    let has_choices = branch_for_choices(f);
    branch_on_bits(f) || has_choices
}

/// Lets every choice between numbers be one between ways.
fn branch_for_choices(f: &mut Function) -> bool {
    let mut layout = Vec::with_capacity(f.blocks().len());
    let mut stands_for = SideTable::<Value, Option<Value>>::new();
    let blocks = f.blocks().to_vec();
    for &block in &blocks {
        layout.push(block);
        if !f.block_insts(block).iter().any(|&inst| is_choice(f, inst)) {
            continue;
        }
        let mut at = block;
        for inst in f.replace_insts(block, Vec::new()) {
            if !is_choice(f, inst) {
                f.append_inst(at, inst);
                continue;
            }
            let (made, condition, [yes, no]) = chosen(f, inst);
            made.into_iter().for_each(|inst| f.append_inst(at, inst));
            let behind = f.make_block();
            let terminator = f.take_terminator(at);
            f.set_terminator(behind, terminator);
            stands_for[f.result(inst)] = Some(f.add_param(behind, Type::I64));
            let (then, other) = (f.make_call(behind, &[yes]), f.make_call(behind, &[no]));
            f.set_terminator(at, Terminator::Branch { condition, then, other });
            layout.push(behind);
            at = behind;
        }
    }
    let changed = layout.len() > blocks.len();
    if changed {
        f.set_layout(layout);
        f.map_uses(|value| stands_for[value].unwrap_or(value));
    }
    changed
}

/// Whether an operation is a choice between numbers, and is made with a branch.
fn is_choice(f: &Function, inst: Inst) -> bool {
    let is_number = f.results(inst).map(|result| f.ty(result)).eq([Type::I64]);
    is_number && matches!(f.inst(inst).op, Op::Min | Op::Max | Op::ForceGeZero | Op::Abs)
}

/// What is compared for a choice, what is made for that, and what is chosen where it holds and where not.
fn chosen(f: &mut Function, inst: Inst) -> (Vec<Inst>, Value, [Value; 2]) {
    let (op, location) = (f.inst(inst).op, f.inst(inst).location);
    let x = f.args(inst)[0];
    let zero = f.make_int(Type::I64, 0);
    let y = f.args(inst).get(1).copied().unwrap_or(zero);
    let less = f.make_inst(Op::Lt, &[x, y], &[Type::I1], None, None, location);
    let (mut made, condition) = (vec![less], f.result(less));
    let choice = match op {
        Op::Min => [x, y],
        Op::Abs => {
            let negated = f.make_inst(Op::Sub, &[zero, x], &[Type::I64], None, None, location);
            made.push(negated);
            [f.result(negated), x]
        }
        _ => [y, x],
    };
    (made, condition, choice)
}

#[cfg(test)]
mod tests {
    use planish_ir::{Form, text, verify};

    use super::*;

    #[test]
    fn a_branch_on_a_word_is_one_on_a_comparison() {
        let source = "func f(v0: i64, v1: i1) -> i64 {\ne:\n    branch v0, a, b\na:\n    return 1\nb:\n    \
                      branch v1, c, d\nc:\n    return 2\nd:\n    return 3\n}\n";
        let (mut module, diagnostics) = text::read(source);
        assert!(!diagnostics.has_errors());
        let f = module.functions.values_mut().next().expect("a function");
        assert!(branch_on_bits(f));
        assert!(!branch_on_bits(f));
        assert!(verify(f, Form::Cfg).is_empty());
        let text = text::write(&module, text::Options::default());
        assert!(text.contains("eq(v0, 0)") && text.contains("b, a"), "{text}");
    }

    #[test]
    fn the_smaller_number_is_taken_by_a_branch() {
        let source = "func f(v0: i64, v1: i64) -> i64, i1 {\ne:\n    v2 = min(v0, v1)\n    v3 = max(v2, 7)\n    \
                      v4 = abs(v3)\n    v5: i1 = lt(v4, v2)\n    branch v5, a(v3), b\na(v6: i64):\n    \
                      v7 = force_ge_zero(v6)\n    return v7, v5\nb:\n    return v1, v5\n}\n";
        let (mut module, diagnostics) = text::read(source);
        assert!(!diagnostics.has_errors());
        let f = module.functions.values_mut().next().expect("a function");
        assert!(legalize(f));
        assert!(!legalize(f));
        assert!(verify(f, Form::Cfg).is_empty(), "{:?}", verify(f, Form::Cfg));
        let text = text::write(&module, text::Options::default());
        for op in ["min(", "max(", "abs(", "force_ge_zero("] {
            assert!(!text.contains(op), "{text}");
        }
        assert_eq!(text.matches("branch").count(), 5, "{text}");
        assert!(text.contains("(v0), ") && text.contains("(v1)\n") && text.contains("sub(0, "), "{text}");
    }
}
