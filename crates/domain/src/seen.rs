//! Demanded bits as theorems: two operands that agree in the demanded bits give results that agree in the wanted ones.
//!
//! [`demanded`](mod@crate::demanded) is written for numbers, with branches. Here each of its cases is a formula over
//! [`Bits`], of which a solver is asked at every number on the other side and every choice of wanted bits at once; a test holds
//! the two together at every value of small widths.

use planish_base::fault;
use planish_ops::{Bits, Datum, Floats, Op, Type};

use crate::calc::calc;
use crate::forward::arith::lowest_bit;

/// An operand of an operation, of whose bits is asked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// The operation.
    pub op: Op,
    /// What is known of the other operand, if there is one.
    pub beside: Beside,
}

/// What stands beside an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Beside {
    /// Nothing.
    Nothing,
    /// Any word, and the operand is the first.
    Behind,
    /// Any word, and the operand is the second.
    Before,
    /// A number, and the operand is the first.
    Number,
}

const fn seen(op: Op, beside: Beside) -> Seen {
    Seen { op, beside }
}

/// Every case of which less than all bits may be demanded.
pub const CASES: [Seen; 26] = [
    seen(Op::Not, Beside::Nothing),
    seen(Op::Neg, Beside::Nothing),
    seen(Op::Trunc, Beside::Nothing),
    seen(Op::Zext, Beside::Nothing),
    seen(Op::Sext, Beside::Nothing),
    seen(Op::And, Beside::Behind),
    seen(Op::And, Beside::Before),
    seen(Op::And, Beside::Number),
    seen(Op::Or, Beside::Behind),
    seen(Op::Or, Beside::Before),
    seen(Op::Or, Beside::Number),
    seen(Op::Xor, Beside::Behind),
    seen(Op::Xor, Beside::Before),
    seen(Op::Add, Beside::Behind),
    seen(Op::Add, Beside::Before),
    seen(Op::Sub, Beside::Behind),
    seen(Op::Sub, Beside::Before),
    seen(Op::Mul, Beside::Behind),
    seen(Op::Mul, Beside::Before),
    seen(Op::Mul, Beside::Number),
    seen(Op::Lshift, Beside::Number),
    seen(Op::Urshift, Beside::Number),
    seen(Op::Rshift, Beside::Number),
    seen(Op::Rotl, Beside::Number),
    seen(Op::Rotr, Beside::Number),
    seen(Op::Signext, Beside::Number),
];

impl Seen {
    /// The name of the theorem.
    pub fn name(self) -> String {
        let of = match self.beside {
            Beside::Nothing => "",
            Beside::Behind => " first",
            Beside::Before => " second",
            Beside::Number => " by a number",
        };
        format!("demanded {}{of}", self.op)
    }

    /// The widths of the operand and of the result; `None` where there is no such operation.
    pub fn widths(self, width: u32) -> Option<(u32, u32)> {
        let half = || (width > 1).then_some(width / 2);
        Some(match self.op {
            Op::Trunc => (width, half()?),
            Op::Zext | Op::Sext => (half()?, width),
            _ => (width, width),
        })
    }

    /// The operand's bits on which the wanted bits of the result depend. Beside an operation of one operand stands nothing, and
    /// `other` says nothing.
    pub fn demanded<B: Floats>(self, b: &mut B, wanted: B::Word, other: B::Word, width: u32) -> B::Word {
        match (self.op, self.beside) {
            (Op::And, Beside::Number) => b.and(wanted, other),
            (Op::Or, Beside::Number) => calc!(b; and(wanted, not(other))),
            (Op::Not | Op::And | Op::Or | Op::Xor, _) => wanted,
            (Op::Mul, Beside::Number) => calc!(b; lshr(smear_right(wanted), trailing_zeros(other))),
            (Op::Neg | Op::Add | Op::Sub | Op::Mul, _) => match fault!("demanded: nothing carries") {
                true => wanted,
                false => b.smear_right(wanted),
            },
            (Op::Trunc, _) => b.zero_extend(wanted, width),
            (Op::Zext, _) => b.truncate(wanted, width),
            (Op::Sext, _) => {
                let low = b.truncate(wanted, width);
                let covered = b.zero_extend(low, b.width(wanted));
                let above = b.xor(wanted, covered);
                let sign = b.signed_min(low);
                with_sign(b, low, above, sign)
            }
            (Op::Lshift, _) => calc!(b; lshr(wanted, mask_amount(other))),
            (Op::Urshift, _) => calc!(b; shl(wanted, mask_amount(other))),
            (Op::Rshift, _) => {
                let by = b.mask_amount(other);
                let (all, sign) = (b.ones(wanted), b.signed_min(wanted));
                let copies = calc!(b; and(wanted, not(lshr(all, by))));
                let up = b.shl(wanted, by);
                with_sign(b, up, copies, sign)
            }
            (Op::Rotl, _) => apply(b, Op::Rotr, &[wanted, other], width),
            (Op::Rotr, _) => apply(b, Op::Rotl, &[wanted, other], width),
            (Op::Signext, _) => {
                let (one, all) = (b.one(wanted), b.ones(wanted));
                let low = calc!(b; not(shl(all, other)));
                let above = calc!(b; and(wanted, not(low)));
                let sign = calc!(b; shl(one, sub(other, one)));
                let low = b.and(wanted, low);
                let demanded = with_sign(b, low, above, sign);
                let zero = b.zero(wanted);
                let all = calc!(b; select(is_nonzero(wanted), all, zero));
                let most = b.word(width, u64::from(width) - 1);
                let extends = calc!(b; ult(sub(other, one), most));
                b.select(extends, demanded, all)
            }
            (op, _) => panic!("{op} has no demanded bits of its own"),
        }
    }

    /// What is given and what follows, of two operands, what stands beside both, and the wanted bits.
    pub fn claim<B: Floats>(self, b: &mut B, width: u32, words: &[B::Word]) -> (B::Bool, B::Bool) {
        let (of, to) = self.widths(width).expect("there is such an operation");
        let &[x, y, other, wanted] = words else { panic!("a claim takes four words") };
        let demanded = self.demanded(b, wanted, other, of);
        let zero = b.zero(x);
        let given = calc!(b; eq(and(xor(x, y), demanded), zero));
        let mut result = |x: B::Word| {
            let args = match self.beside {
                Beside::Nothing => vec![x],
                Beside::Before => vec![other, x],
                Beside::Behind | Beside::Number => vec![x, other],
            };
            apply(b, self.op, &args, to)
        };
        let (one, two) = (result(x), result(y));
        let zero = b.zero(wanted);
        (given, calc!(b; eq(and(xor(one, two), wanted), zero)))
    }
}

impl Seen {
    /// The lemmas of a claim, in order; none where it needs none. Operands that agree in the low bits differ by a multiple of a power of two, and
    /// so do their products with one word.
    pub(crate) fn lemmas<B: Floats>(self, b: &mut B, width: u32, words: &[B::Word]) -> Vec<B::Bool> {
        let (Op::Mul, &[x, y, other, wanted]) = (self.op, words) else { return Vec::new() };
        let demanded = self.demanded(b, wanted, other, width);
        let above = b.not(demanded);
        let (power, one, zero) = (lowest_bit(b, above), b.one(x), b.zero(x));
        let (low, difference) = (b.sub(power, one), b.sub(x, y));
        let [product, of_x, of_y] = [difference, x, y].map(|word| b.mul(word, other));
        let mut lemmas = vec![b.eq(low, demanded), calc!(b; eq(and(difference, low), zero))];
        // A number is a multiple of its lowest bit, so the difference is one of a power that much larger.
        let power = match self.beside {
            Beside::Number => {
                let (lowest, by) = (lowest_bit(b, other), b.trailing_zeros(other));
                let (bit, whole, shifted) = (b.shl(one, by), b.mul(power, lowest), b.shl(power, by));
                lemmas.push(calc!(b; eq(and(other, sub(lowest, one)), zero)));
                lemmas.extend([
                    b.eq(lowest, bit),
                    calc!(b; eq(mul(power, bit), shifted)),
                    b.eq(whole, shifted),
                ]);
                whole
            }
            _ => power,
        };
        let below = b.sub(power, one);
        lemmas.extend([
            calc!(b; eq(and(wanted, not(below)), zero)),
            calc!(b; eq(and(product, below), zero)),
            calc!(b; eq(product, sub(of_x, of_y))),
            calc!(b; eq(and(sub(of_x, of_y), below), zero)),
            calc!(b; eq(and(xor(of_x, of_y), below), zero)),
        ]);
        lemmas
    }
}

/// These bits, and the sign where copies of it are wanted.
fn with_sign<B: Bits>(b: &mut B, bits: B::Word, copies: B::Word, sign: B::Word) -> B::Word {
    let needed = b.is_nonzero(copies);
    let signed = b.or(bits, sign);
    b.select(needed, signed, bits)
}

/// What an operation makes of words.
fn apply<B: Floats>(b: &mut B, op: Op, args: &[B::Word], width: u32) -> B::Word {
    let args: Vec<Datum<B>> = args.iter().map(|&arg| Datum::Word(arg)).collect();
    op.meaning(b, &args, &[Type::Int(width as u8)]).expect("a meaning").value.word()
}

#[cfg(test)]
mod tests {
    use planish_ops::{Int, Machine};

    use super::*;
    use crate::demanded::{binary, unary};

    /// What ships asks for no fewer bits than what is proved, and mostly for no more.
    #[test]
    fn what_is_proved_is_what_ships() {
        let (mut same, mut more) = (0, 0);
        for (case, width) in CASES.into_iter().flat_map(|case| (1..=5).map(move |width| (case, width))) {
            let Some((of, to)) = case.widths(width) else { continue };
            for (wanted, other) in
                (0..1u64 << to).flat_map(|wanted| (0..1 << of).map(move |other| (wanted, other)))
            {
                let number = Int::new(of, other);
                let proved = case.demanded(&mut Machine, Int::new(to, wanted), number, of).unsigned();
                let ships = match case.beside {
                    Beside::Nothing => unary(case.op, wanted, to, of),
                    Beside::Behind => binary(case.op, wanted, to, false, None),
                    Beside::Before => binary(case.op, wanted, to, true, None),
                    Beside::Number => binary(case.op, wanted, to, false, Some(number)),
                };
                assert_eq!(proved & !ships, 0, "{}, {wanted:b}, {other}", case.name());
                same += usize::from(proved == ships);
                more += usize::from(proved != ships);
            }
        }
        assert!(more * 100 < same, "{more} of {same} ask for more");
    }

    /// Pseudo-random words, many of them near the ends of ranges: Marsaglia's xorshift.
    fn next(state: &mut u64) -> u64 {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        match *state % 3 {
            0 => *state >> (*state >> 32 & 63),
            1 => 1 << (*state >> 32 & 63),
            _ => *state,
        }
    }

    #[test]
    fn other_bits_of_wide_words_are_not_seen() {
        let mut state = 1;
        for (case, width) in CASES.into_iter().flat_map(|case| [8, 16, 32, 64].map(|width| (case, width))) {
            let (of, to) = case.widths(width).expect("there is such an operation");
            for _ in 0..2000 {
                let mut word = |width: u32| Int::new(width, next(&mut state));
                let (x, other, wanted, differ) = (word(of), word(of), word(to), word(of));
                let demanded = case.demanded(&mut Machine, wanted, other, of);
                let y = Int::new(of, x.unsigned() ^ differ.unsigned() & !demanded.unsigned());
                let (given, then) = case.claim(&mut Machine, width, &[x, y, other, wanted]);
                assert!(given && then, "{}: {x:?}, {y:?}, {other:?}, {wanted:?}", case.name());
            }
        }
    }
}
