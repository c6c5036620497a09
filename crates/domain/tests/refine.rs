//! What guards teach, at the widths of programs: the examples one would try first.

use planish_domain::{Contradiction, IntFact, assume, backward, backward_exact, transfer};
use planish_ops::{Int, Op, Type};

fn range(lo: i64, hi: i64) -> IntFact {
    IntFact::interval(64, lo, hi)
}

fn constant(value: i64) -> IntFact {
    IntFact::constant(Int::new(64, value as u64))
}

fn bounds(f: IntFact) -> (i64, i64) {
    (f.lo(), f.hi())
}

#[test]
fn a_bound_on_a_sum_bounds_the_summands() {
    // x + y < 100 with y from 0 to 10 and x from 0 to 1000.
    let (x, y) = (range(0, 1000), range(0, 10));
    let sum = transfer(Op::Add, &[x, y], Type::I64).0;
    let mut operands = [sum, constant(100)];
    assert_eq!(assume(Op::Lt, true, &mut operands), Ok(true));
    assert_eq!(bounds(operands[0]), (0, 99));
    let mut summands = [x, y];
    assert_eq!(backward(Op::Add, operands[0], &mut summands), Ok(true));
    assert_eq!(bounds(summands[0]), (0, 99));
    assert_eq!(bounds(summands[1]), (0, 10));
}

#[test]
fn a_mask_that_gives_zero_clears_bits() {
    let mut operands = [IntFact::top(64), constant(7)];
    assert_eq!(backward(Op::And, constant(0), &mut operands), Ok(true));
    assert_eq!(operands[0], IntFact::bits(64, 0, 7));
    assert_eq!(operands[1], constant(7));
}

#[test]
fn no_overflow_bounds_the_operands() {
    // x + 1 does not overflow: x is not the greatest number.
    let mut operands = [IntFact::top(64), constant(1)];
    assert_eq!(backward_exact(Op::AddOvf, IntFact::top(64), &mut operands), Ok(true));
    assert_eq!(bounds(operands[0]), (i64::MIN, i64::MAX - 1));
    // x * 1000 does not overflow.
    let mut operands = [IntFact::top(64), constant(1000)];
    assert_eq!(backward_exact(Op::MulOvf, IntFact::top(64), &mut operands), Ok(true));
    assert_eq!(bounds(operands[0]), (i64::MIN / 1000, i64::MAX / 1000));
}

#[test]
fn comparisons_that_fail_teach_the_opposite() {
    let mut operands = [range(0, 100), constant(10)];
    assert_eq!(assume(Op::Lt, false, &mut operands), Ok(true));
    assert_eq!(bounds(operands[0]), (10, 100));
    assert_eq!(backward(Op::Le, constant(0), &mut operands), Ok(true));
    assert_eq!(bounds(operands[0]), (11, 100));
}

#[test]
fn an_unsigned_bound_excludes_negative_numbers() {
    // The usual check of an index: i < n, unsigned.
    let mut operands = [IntFact::top(64), range(0, 50)];
    assert_eq!(assume(Op::Ult, true, &mut operands), Ok(true));
    assert_eq!(bounds(operands[0]), (0, 49));
    assert_eq!(bounds(operands[1]), (1, 50));
}

#[test]
fn inequality_cuts_the_ends() {
    let mut operands = [range(0, 10), constant(0)];
    assert_eq!(assume(Op::Eq, false, &mut operands), Ok(true));
    assert_eq!(bounds(operands[0]), (1, 10));
    assert_eq!(assume(Op::IsTrue, true, &mut operands[..1]), Ok(false), "already known");
}

#[test]
fn contradictions_are_told() {
    assert_eq!(assume(Op::Lt, true, &mut [range(5, 9), range(0, 5)]), Err(Contradiction));
    assert_eq!(backward(Op::And, constant(4), &mut [constant(3), IntFact::top(64)]), Err(Contradiction));
    assert_eq!(backward(Op::Rshift, constant(-1), &mut [range(0, 9), constant(1)]), Err(Contradiction));
    let sum = backward_exact(Op::AddOvf, IntFact::top(64), &mut [constant(i64::MAX), range(1, 2)]);
    assert_eq!(sum, Err(Contradiction));
}

#[test]
fn shifts_and_extensions_go_back() {
    let mut operands = [IntFact::top(64), constant(3)];
    assert_eq!(backward(Op::Urshift, range(1, 1), &mut operands), Ok(true));
    assert_eq!(bounds(operands[0]), (8, 15));
    let mut narrow = [IntFact::top(32)];
    assert_eq!(backward(Op::Sext, range(-7, 9), &mut narrow), Ok(true));
    assert_eq!(bounds(narrow[0]), (-7, 9));
    let mut chosen = [IntFact::top(1), constant(1), constant(2)];
    assert_eq!(backward(Op::Select, constant(2), &mut chosen), Ok(true));
    assert_eq!(chosen[0], IntFact::constant(Int::bit(false)));
}

#[test]
fn operations_without_integers_teach_nothing() {
    assert_eq!(backward(Op::ArrayLen, range(0, 9), &mut []), Ok(false));
    assert!(transfer(Op::ArrayLen, &[], Type::I64).0.is_top());
    assert!(transfer(Op::RefToInt, &[], Type::I32).0.is_top());
}

#[test]
fn what_is_never_computed_has_no_members() {
    let (value, flag) = transfer(Op::AddOvf, &[IntFact::bottom(64), constant(1)], Type::I64);
    assert!(value.is_bottom() && flag.is_some_and(IntFact::is_bottom));
    assert!(transfer(Op::Lt, &[IntFact::bottom(64), constant(1)], Type::I1).0.is_bottom());
}

#[test]
fn facts_cross_widths() {
    let byte = transfer(Op::And, &[IntFact::top(64), constant(0xff)], Type::I64).0;
    assert_eq!(bounds(byte), (0, 255));
    let narrow = transfer(Op::Trunc, &[byte], Type::I32).0;
    assert_eq!((narrow.width(), bounds(narrow)), (32, (0, 255)));
    let wide = transfer(Op::Zext, &[IntFact::top(32)], Type::I64).0;
    assert_eq!(bounds(wide), (0, i64::from(u32::MAX)));
    let smaller = transfer(Op::Lt, &[byte, constant(256)], Type::I64).0;
    assert_eq!(smaller, constant(1));
}
