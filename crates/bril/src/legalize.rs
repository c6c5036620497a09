//! Legalization for Bril: what Bril can only say by several operations is said so in SSA already.
//!
//! Branches test bits in Bril. One that tests a word is written as a comparison with zero and a branch; done
//! here, that comparison is an operation like any other, which is made once and leaves loops.

use planish_ir::{Function, Location, Terminator};
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
}
