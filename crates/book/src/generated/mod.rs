//! The book as Rust. Generated from `rules/*.rules`; a test says when it is stale and how to
//! renew it.

use planish_ops::Op;
use planish_rules::matching::{Flow, Rewrite, Root, Subject};

mod abs_;
mod add;
mod add_explore;
mod add_ovf;
mod and_;
mod and_explore;
mod bits_to_float;
mod bounds_check;
mod eq;
mod fabs;
mod fadd;
mod fdiv;
mod feq;
mod fge;
mod fgt;
mod fle;
mod float_convert;
mod float_to_raw_bits;
mod float_to_signed;
mod float_to_signed_sat;
mod floordiv;
mod floormod;
mod flt;
mod fmul;
mod fne;
mod force_ge_zero;
mod fsub;
mod ge;
mod gt;
mod guard_false;
mod guard_true;
mod guard_value;
mod is_true;
mod is_zero;
mod le;
mod lshift;
mod lshift_explore;
mod lt;
mod max_;
mod min_;
mod mul;
mod mul_explore;
mod mul_ovf;
pub mod names;
mod ne;
mod neg;
mod neg_explore;
mod not_;
mod not_explore;
mod or_;
mod or_explore;
mod popcount;
mod rotl;
mod rotr;
mod rshift;
mod sdiv;
mod select;
mod sext;
mod signext;
mod smulh;
mod srem;
mod sub;
mod sub_explore;
mod sub_ovf;
pub mod text;
mod trunc;
mod uadd_ovf;
mod udiv;
mod uge;
mod ugt;
mod ule;
mod ult;
mod umax;
mod umin;
mod umul_ovf;
mod umulh;
mod urem;
mod urshift;
mod usub_ovf;
mod xor_;
mod xor_explore;
mod zext;

/// Hands every rewrite of `root` by the rules of the book to `found`, until it says stop.
pub fn search<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    match root.op {
        Op::Add => add::root(s, root, found),
        Op::Sub => sub::root(s, root, found),
        Op::Mul => mul::root(s, root, found),
        Op::Umulh => umulh::root(s, root, found),
        Op::Smulh => smulh::root(s, root, found),
        Op::Neg => neg::root(s, root, found),
        Op::Abs => abs_::root(s, root, found),
        Op::Min => min_::root(s, root, found),
        Op::Max => max_::root(s, root, found),
        Op::Umin => umin::root(s, root, found),
        Op::Umax => umax::root(s, root, found),
        Op::ForceGeZero => force_ge_zero::root(s, root, found),
        Op::Udiv => udiv::root(s, root, found),
        Op::Urem => urem::root(s, root, found),
        Op::Sdiv => sdiv::root(s, root, found),
        Op::Srem => srem::root(s, root, found),
        Op::FloorDiv => floordiv::root(s, root, found),
        Op::FloorMod => floormod::root(s, root, found),
        Op::And => and_::root(s, root, found),
        Op::Or => or_::root(s, root, found),
        Op::Xor => xor_::root(s, root, found),
        Op::Not => not_::root(s, root, found),
        Op::Lshift => lshift::root(s, root, found),
        Op::Rshift => rshift::root(s, root, found),
        Op::Urshift => urshift::root(s, root, found),
        Op::Rotl => rotl::root(s, root, found),
        Op::Rotr => rotr::root(s, root, found),
        Op::Popcount => popcount::root(s, root, found),
        Op::Sext => sext::root(s, root, found),
        Op::Zext => zext::root(s, root, found),
        Op::Trunc => trunc::root(s, root, found),
        Op::Signext => signext::root(s, root, found),
        Op::Eq => eq::root(s, root, found),
        Op::Ne => ne::root(s, root, found),
        Op::Lt => lt::root(s, root, found),
        Op::Le => le::root(s, root, found),
        Op::Gt => gt::root(s, root, found),
        Op::Ge => ge::root(s, root, found),
        Op::Ult => ult::root(s, root, found),
        Op::Ule => ule::root(s, root, found),
        Op::Ugt => ugt::root(s, root, found),
        Op::Uge => uge::root(s, root, found),
        Op::IsTrue => is_true::root(s, root, found),
        Op::IsZero => is_zero::root(s, root, found),
        Op::Select => select::root(s, root, found),
        Op::AddOvf => add_ovf::root(s, root, found),
        Op::SubOvf => sub_ovf::root(s, root, found),
        Op::MulOvf => mul_ovf::root(s, root, found),
        Op::UaddOvf => uadd_ovf::root(s, root, found),
        Op::UsubOvf => usub_ovf::root(s, root, found),
        Op::UmulOvf => umul_ovf::root(s, root, found),
        Op::Fadd => fadd::root(s, root, found),
        Op::Fsub => fsub::root(s, root, found),
        Op::Fmul => fmul::root(s, root, found),
        Op::Fdiv => fdiv::root(s, root, found),
        Op::Fabs => fabs::root(s, root, found),
        Op::Feq => feq::root(s, root, found),
        Op::Fne => fne::root(s, root, found),
        Op::Flt => flt::root(s, root, found),
        Op::Fle => fle::root(s, root, found),
        Op::Fgt => fgt::root(s, root, found),
        Op::Fge => fge::root(s, root, found),
        Op::FloatToSignedSat => float_to_signed_sat::root(s, root, found),
        Op::FloatToSigned => float_to_signed::root(s, root, found),
        Op::FloatConvert => float_convert::root(s, root, found),
        Op::FloatToRawBits => float_to_raw_bits::root(s, root, found),
        Op::BitsToFloat => bits_to_float::root(s, root, found),
        Op::GuardTrue => guard_true::root(s, root, found),
        Op::GuardFalse => guard_false::root(s, root, found),
        Op::GuardValue => guard_value::root(s, root, found),
        Op::BoundsCheck => bounds_check::root(s, root, found),
        _ => Flow::Continue(()),
    }
}

/// Hands every rewrite of `root` by the rules marked `explore` to `found`, until it says stop.
pub fn explore<S: Subject>(
    s: &S,
    root: &Root<'_, S::Value>,
    found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,
) -> Flow {
    match root.op {
        Op::Add => add_explore::root(s, root, found),
        Op::Sub => sub_explore::root(s, root, found),
        Op::Mul => mul_explore::root(s, root, found),
        Op::Neg => neg_explore::root(s, root, found),
        Op::And => and_explore::root(s, root, found),
        Op::Or => or_explore::root(s, root, found),
        Op::Xor => xor_explore::root(s, root, found),
        Op::Not => not_explore::root(s, root, found),
        Op::Lshift => lshift_explore::root(s, root, found),
        _ => Flow::Continue(()),
    }
}
