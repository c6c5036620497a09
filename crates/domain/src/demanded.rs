//! Demanded bits: from the bits of a result that somebody sees to the bits of operands on which these depend (LLVM's
//! `DemandedBits`).
//!
//! The way is backward, as in [`backward`](mod@crate::backward), but nothing is learnt of values: two operands that agree in
//! the demanded bits give results that agree in the wanted ones. A test holds every function here to that, for all operands,
//! constants and masks of small widths. Where nothing is said, all bits are demanded.

use planish_ops::{Int, Op};

/// The lowest so many bits.
pub fn low(width: u32) -> u64 {
    if width >= 64 { u64::MAX } else { (1 << width) - 1 }
}

/// All bits up to the highest that is set: sums carry upwards only.
pub fn up_to(wanted: u64) -> u64 {
    low(64 - wanted.leading_zeros())
}

/// On which bits of its only operand, of so many bits, the wanted bits of a result of `width` bits depend.
pub fn unary(op: Op, wanted: u64, width: u32, of: u32) -> u64 {
    let wanted = wanted & low(width);
    match op {
        Op::Not => wanted,
        Op::Neg => up_to(wanted),
        Op::Trunc => wanted,
        Op::Zext => wanted & low(of),
        Op::Sext => wanted & low(of) | sign_if(wanted & !low(of) != 0, of),
        _ => all(wanted, of),
    }
}

/// On which bits of its first operand (or, `second`, its second one) the wanted bits of a result of `width` bits depend, if
/// the other operand is a number or not.
pub fn binary(op: Op, wanted: u64, width: u32, second: bool, other: Option<Int>) -> u64 {
    let wanted = wanted & low(width);
    let number = other.map(Int::unsigned);
    match (op, number) {
        (Op::And, Some(mask)) => wanted & mask,
        (Op::Or, Some(mask)) => wanted & !mask,
        (Op::And | Op::Or | Op::Xor, _) => wanted,
        (Op::Mul, Some(factor)) => up_to(wanted) >> factor.trailing_zeros().min(63) & low(width),
        (Op::Add | Op::Sub | Op::Mul, _) => up_to(wanted),
        (Op::Lshift | Op::Urshift | Op::Rshift | Op::Rotl | Op::Rotr, Some(by)) if !second => {
            let by = (by % u64::from(width)) as u32;
            shifted(op, wanted, width, by)
        }
        (Op::Signext, Some(of)) if !second && (1..u64::from(width)).contains(&of) => {
            let of = of as u32;
            wanted & low(of) | sign_if(wanted & !low(of) != 0, of)
        }
        _ => all(wanted, width),
    }
}

/// The bits that a shift by a number moves to the wanted places.
fn shifted(op: Op, wanted: u64, width: u32, by: u32) -> u64 {
    let up = wanted << by & low(width);
    match op {
        Op::Lshift => wanted >> by,
        Op::Urshift => up,
        Op::Rshift => up | sign_if(wanted & !(low(width) >> by) != 0, width),
        _ if by == 0 => wanted,
        Op::Rotr => up | wanted >> (width - by),
        _ => wanted >> by | wanted << (width - by) & low(width),
    }
}

/// All bits, if any is wanted.
fn all(wanted: u64, width: u32) -> u64 {
    if wanted == 0 { 0 } else { low(width) }
}

fn sign_if(needed: bool, width: u32) -> u64 {
    u64::from(needed) << (width - 1)
}

#[cfg(test)]
mod tests {
    use planish_ops::meaning::Datum;
    use planish_ops::{Fold, Type, fold};

    use super::*;

    fn folded(op: Op, args: &[Int], width: u32) -> u64 {
        let args: Vec<_> = args.iter().map(|&arg| Datum::Word(arg)).collect();
        match fold(op, &args, &[Type::Int(width as u8)]) {
            Some(Fold::Int(value)) => value.unsigned(),
            other => panic!("{op:?}: {other:?}"),
        }
    }

    /// Whether no bit outside of `demanded` changes a wanted bit of what `result` makes of an operand.
    fn agree(demanded: u64, wanted: u64, width: u32, result: impl Fn(Int) -> u64) -> bool {
        (0..1 << width).all(|x| {
            let bits = |x: u64| result(Int::new(width, x)) & wanted;
            bits(x) == bits(x & demanded)
        })
    }

    const BINARY: [Op; 15] = [
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::Lshift,
        Op::Urshift,
        Op::Rshift,
        Op::Rotl,
        Op::Rotr,
        Op::Umulh,
        Op::Min,
        Op::Umax,
        Op::Signext,
    ];

    #[test]
    fn no_other_bit_of_an_operand_is_seen() {
        let mut fewer = 0;
        for (op, width) in BINARY.iter().flat_map(|&op| (1..=4).map(move |width| (op, width))) {
            for (wanted, second) in (0..1u64 << width).flat_map(|wanted| [(wanted, false), (wanted, true)]) {
                let unknown = binary(op, wanted, width, second, None);
                for other in (0..1 << width).map(|bits| Int::new(width, bits)) {
                    let demanded = binary(op, wanted, width, second, Some(other));
                    let result = |x| folded(op, &if second { [other, x] } else { [x, other] }, width);
                    assert!(agree(demanded, wanted, width, result), "{op:?} {wanted:b} {other:?} {second}");
                    assert!(agree(unknown, wanted, width, result), "{op:?} {wanted:b} {second}");
                    assert_eq!(demanded & !low(width), 0, "{op:?} {wanted:b} {other:?} {second}");
                    fewer += usize::from(demanded != low(width));
                }
            }
        }
        assert!(fewer > 1000, "{fewer} with fewer bits than all");
    }

    #[test]
    fn no_other_bit_of_the_only_operand_is_seen() {
        for (op, of, width) in [Op::Not, Op::Neg, Op::Popcount, Op::Abs, Op::Trunc, Op::Zext, Op::Sext]
            .iter()
            .flat_map(|&op| (1..=5).flat_map(move |of| (1..=5).map(move |width| (op, of, width))))
        {
            let fits = match op {
                Op::Trunc => width < of,
                Op::Zext | Op::Sext => width > of,
                _ => width == of,
            };
            for wanted in (0..1u64 << width).filter(|_| fits) {
                let demanded = unary(op, wanted, width, of);
                assert!(
                    agree(demanded, wanted, of, |x| folded(op, &[x], width)),
                    "{op:?} {wanted:b} {of} {width}"
                );
                assert_eq!(demanded & !low(of), 0, "{op:?} {wanted:b} {of} {width}");
            }
        }
    }
}
