//! The pool as an instance of [`Bits`] and [`Floats`]: every meaning of the table, and every transfer
//! function of the abstract domain, becomes a term by being called with a pool.
//!
//! The high word of a product is the high half of the product of the extended operands; terms of up to
//! 128 bits exist for that alone. Everything else is one node.

use planish_ops::{Bits, FloatFormat, Floats};

use crate::signature::{Binary, Sort, Unary};
use crate::term::{Pool, Term};
use crate::value::Value;

macro_rules! nodes {
    ($($name:ident($($arg:ident),*) = $build:ident($op:expr);)*) => {
        $(
            fn $name(&mut self, $($arg: Term),*) -> Term {
                self.$build($op, $($arg),*)
            }
        )*
    };
}

impl Bits for Pool {
    type Word = Term;
    type Bool = Term;

    fn word(&mut self, width: u32, value: u64) -> Term {
        self.constant(Value::bits(width, u128::from(value)))
    }
    fn truth(&mut self, value: bool) -> Term {
        self.constant(Value::Truth(value))
    }
    fn width(&self, a: Term) -> u32 {
        self.sort(a).width()
    }

    nodes! {
        add(a, b) = binary(Binary::Add);
        sub(a, b) = binary(Binary::Sub);
        mul(a, b) = binary(Binary::Mul);
        udiv(a, b) = binary(Binary::Udiv);
        urem(a, b) = binary(Binary::Urem);
        sdiv(a, b) = binary(Binary::Sdiv);
        srem(a, b) = binary(Binary::Srem);
        and(a, b) = binary(Binary::And);
        or(a, b) = binary(Binary::Or);
        xor(a, b) = binary(Binary::Xor);
        not(a) = unary(Unary::Not);
        popcount(a) = unary(Unary::Popcount);
        shl(a, b) = binary(Binary::Shl);
        lshr(a, b) = binary(Binary::Lshr);
        ashr(a, b) = binary(Binary::Ashr);
        eq(a, b) = binary(Binary::Same);
        ult(a, b) = binary(Binary::Ult);
        slt(a, b) = binary(Binary::Slt);
        both(a, b) = binary(Binary::Both);
        either(a, b) = binary(Binary::Either);
        negate(a) = unary(Unary::Negate);
    }

    fn umulh(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = (self.zero_extend(a, 2 * width), self.zero_extend(b, 2 * width));
        let product = self.mul(a, b);
        self.unary(Unary::Extract { low: width, width }, product)
    }
    fn smulh(&mut self, a: Term, b: Term) -> Term {
        let width = self.width(a);
        let (a, b) = (self.sign_extend(a, 2 * width), self.sign_extend(b, 2 * width));
        let product = self.mul(a, b);
        self.unary(Unary::Extract { low: width, width }, product)
    }
    fn truncate(&mut self, a: Term, width: u32) -> Term {
        self.unary(Unary::Extract { low: 0, width }, a)
    }
    fn zero_extend(&mut self, a: Term, width: u32) -> Term {
        self.unary(Unary::ZeroExtend(width), a)
    }
    fn sign_extend(&mut self, a: Term, width: u32) -> Term {
        self.unary(Unary::SignExtend(width), a)
    }
    fn select(&mut self, condition: Term, then: Term, other: Term) -> Term {
        self.choose(condition, then, other)
    }

    fn same(&mut self, a: Term, b: Term) -> Term {
        self.binary(Binary::Same, a, b)
    }
}

impl Floats for Pool {
    type Float = Term;

    fn float(&mut self, format: FloatFormat, encoding: u64) -> Term {
        self.constant(Value::float(format, encoding))
    }
    fn format(&self, a: Term) -> FloatFormat {
        self.sort(a).format()
    }

    nodes! {
        f_add(a, b) = binary(Binary::FAdd);
        f_sub(a, b) = binary(Binary::FSub);
        f_mul(a, b) = binary(Binary::FMul);
        f_div(a, b) = binary(Binary::FDiv);
        f_rem(a, b) = binary(Binary::FRem);
        f_sqrt(a) = unary(Unary::FSqrt);
        f_neg(a) = unary(Unary::FNeg);
        f_abs(a) = unary(Unary::FAbs);
        f_eq(a, b) = binary(Binary::FEq);
        f_lt(a, b) = binary(Binary::FLt);
        f_le(a, b) = binary(Binary::FLe);
        f_is_nan(a) = unary(Unary::FIsNan);
        f_same(a, b) = binary(Binary::Same);
        f_to_bits(a) = unary(Unary::FToBits);
    }

    fn f_select(&mut self, condition: Term, then: Term, other: Term) -> Term {
        self.choose(condition, then, other)
    }
    fn f_convert(&mut self, a: Term, to: FloatFormat) -> Term {
        self.unary(Unary::FConvert(to), a)
    }
    fn f_from_signed(&mut self, a: Term, to: FloatFormat) -> Term {
        self.unary(Unary::FFromSigned(to), a)
    }
    fn f_from_unsigned(&mut self, a: Term, to: FloatFormat) -> Term {
        self.unary(Unary::FFromUnsigned(to), a)
    }
    fn f_to_signed(&mut self, a: Term, width: u32) -> Term {
        self.unary(Unary::FToSigned(width), a)
    }
    fn f_to_unsigned(&mut self, a: Term, width: u32) -> Term {
        self.unary(Unary::FToUnsigned(width), a)
    }
    fn f_from_bits(&mut self, a: Term) -> Term {
        let format = match self.sort(a) {
            Sort::Bits(32) => FloatFormat::F32,
            Sort::Bits(64) => FloatFormat::F64,
            sort => panic!("no float has an encoding of sort {sort:?}"),
        };
        self.unary(Unary::FFromBits(format), a)
    }
}
