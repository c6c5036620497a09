//! Every meaning against an independent definition in wide integers, at every value of small widths.

use planish_ops::{Datum, Fold, Int, Machine, Op, Type, fold};

fn run(op: Op, args: &[Int], to: Type) -> Fold {
    let args: Vec<Datum<Machine>> = args.iter().map(|&a| Datum::Word(a)).collect();
    fold(op, &args, &[to]).unwrap_or_else(|| panic!("{op} has no meaning"))
}

fn values(width: u32) -> impl Iterator<Item = Int> + Clone {
    (0..1u64 << width).map(move |v| Int::new(width, v))
}

/// The word of `width` bits nearest to what `i128` arithmetic says.
fn word(width: u32, value: i128) -> Fold {
    Fold::Int(Int::new(width, value as u64))
}

#[test]
fn binary_operations_agree_with_wide_arithmetic() {
    type Wide = fn(u32, i128, i128, i128, i128) -> i128;
    // (operation, definition over: width, signed x, signed y, unsigned x, unsigned y)
    let cases: &[(Op, Wide)] = &[
        (Op::Add, |_, x, y, _, _| x + y),
        (Op::Sub, |_, x, y, _, _| x - y),
        (Op::Mul, |_, x, y, _, _| x * y),
        (Op::Umulh, |w, _, _, x, y| (x * y) >> w),
        (Op::Smulh, |w, x, y, _, _| (x * y) >> w),
        (Op::And, |_, x, y, _, _| x & y),
        (Op::Or, |_, x, y, _, _| x | y),
        (Op::Xor, |_, x, y, _, _| x ^ y),
        (Op::Min, |_, x, y, _, _| x.min(y)),
        (Op::Max, |_, x, y, _, _| x.max(y)),
        (Op::Umin, |_, _, _, x, y| x.min(y)),
        (Op::Umax, |_, _, _, x, y| x.max(y)),
        (Op::Lshift, |w, x, _, _, n| x << (n % i128::from(w))),
        (Op::Rshift, |w, x, _, _, n| x >> (n % i128::from(w))),
        (Op::Urshift, |w, _, _, x, n| x >> (n % i128::from(w))),
        (Op::Rotl, |w, _, _, x, n| {
            let n = n % i128::from(w);
            (x << n) | (x >> (i128::from(w) - n))
        }),
        (Op::Rotr, |w, _, _, x, n| {
            let n = n % i128::from(w);
            (x >> n) | (x << (i128::from(w) - n))
        }),
        (
            Op::Signext,
            |w, x, _, _, n| {
                if n == 0 || n > i128::from(w) { x } else { (x << (128 - n)) >> (128 - n) }
            },
        ),
        (Op::Eq, |_, x, y, _, _| i128::from(x == y)),
        (Op::Ne, |_, x, y, _, _| i128::from(x != y)),
        (Op::Lt, |_, x, y, _, _| i128::from(x < y)),
        (Op::Le, |_, x, y, _, _| i128::from(x <= y)),
        (Op::Gt, |_, x, y, _, _| i128::from(x > y)),
        (Op::Ge, |_, x, y, _, _| i128::from(x >= y)),
        (Op::Ult, |_, _, _, x, y| i128::from(x < y)),
        (Op::Ule, |_, _, _, x, y| i128::from(x <= y)),
        (Op::Ugt, |_, _, _, x, y| i128::from(x > y)),
        (Op::Uge, |_, _, _, x, y| i128::from(x >= y)),
    ];
    for width in [1, 3, 4, 5, 6] {
        let to = Type::Int(width as u8);
        for &(op, wide) in cases {
            for x in values(width) {
                for y in values(width) {
                    let (sx, sy) = (i128::from(x.signed()), i128::from(y.signed()));
                    let (ux, uy) = (i128::from(x.unsigned()), i128::from(y.unsigned()));
                    assert_eq!(
                        run(op, &[x, y], to),
                        word(width, wide(width, sx, sy, ux, uy)),
                        "{op}({x:?}, {y:?})"
                    );
                }
            }
        }
    }
}

#[test]
fn divisions_agree_with_wide_arithmetic_and_are_undefined_for_zero() {
    for width in [1, 4, 6] {
        let to = Type::Int(width as u8);
        for x in values(width) {
            for y in values(width) {
                let (sx, sy) = (i128::from(x.signed()), i128::from(y.signed()));
                let (ux, uy) = (i128::from(x.unsigned()), i128::from(y.unsigned()));
                let expected =
                    |f: &dyn Fn() -> i128| if uy == 0 { Fold::Undefined } else { word(width, f()) };
                let floor = || (sx - (sx % sy + sy) % sy) / sy;
                assert_eq!(run(Op::Udiv, &[x, y], to), expected(&|| ux / uy));
                assert_eq!(run(Op::Urem, &[x, y], to), expected(&|| ux % uy));
                assert_eq!(run(Op::Sdiv, &[x, y], to), expected(&|| sx / sy));
                assert_eq!(run(Op::Srem, &[x, y], to), expected(&|| sx % sy));
                assert_eq!(run(Op::FloorDiv, &[x, y], to), expected(&floor), "{x:?} // {y:?}");
                assert_eq!(run(Op::FloorMod, &[x, y], to), expected(&|| sx - sy * floor()), "{x:?} % {y:?}");
            }
        }
    }
}

#[test]
fn overflow_bits_say_whether_the_true_result_fits() {
    type Wide = fn(i128, i128) -> i128;
    let cases: &[(Op, Op, Wide)] = &[
        (Op::AddOvf, Op::UaddOvf, |x, y| x + y),
        (Op::SubOvf, Op::UsubOvf, |x, y| x - y),
        (Op::MulOvf, Op::UmulOvf, |x, y| x * y),
    ];
    for width in [1, 2, 4, 6] {
        let to = Type::Int(width as u8);
        for &(signed, unsigned, wide) in cases {
            for x in values(width) {
                for y in values(width) {
                    let exact = wide(i128::from(x.signed()), i128::from(y.signed()));
                    let low = Int::new(width, exact as u64);
                    let flag = Int::bit(i128::from(low.signed()) != exact);
                    assert_eq!(run(signed, &[x, y], to), Fold::Pair(low, flag), "{signed}({x:?}, {y:?})");
                    let exact = wide(i128::from(x.unsigned()), i128::from(y.unsigned()));
                    let low = Int::new(width, exact as u64);
                    let flag = Int::bit(i128::from(low.unsigned()) != exact);
                    assert_eq!(run(unsigned, &[x, y], to), Fold::Pair(low, flag), "{unsigned}({x:?}, {y:?})");
                }
            }
        }
    }
}

#[test]
fn unary_operations_agree_with_wide_arithmetic() {
    for width in [1, 4, 7] {
        let to = Type::Int(width as u8);
        for x in values(width) {
            let (s, u) = (i128::from(x.signed()), i128::from(x.unsigned()));
            let clz = i128::from(width) - i128::from(128 - u.leading_zeros());
            let ctz = i128::from(u.trailing_zeros().min(width));
            let expected = [
                (Op::Neg, -s),
                (Op::Not, !s),
                (Op::Abs, s.abs()),
                (Op::ForceGeZero, s.max(0)),
                (Op::Clz, clz),
                (Op::Ctz, ctz),
                (Op::Popcount, i128::from(u.count_ones())),
                (Op::IsTrue, i128::from(u != 0)),
                (Op::IsZero, i128::from(u == 0)),
            ];
            for (op, value) in expected {
                assert_eq!(run(op, &[x], to), word(width, value), "{op}({x:?})");
            }
            let wide = Type::Int(width as u8 + 3);
            assert_eq!(run(Op::Sext, &[x], wide), word(width + 3, s));
            assert_eq!(run(Op::Zext, &[x], wide), word(width + 3, u));
            assert_eq!(run(Op::Trunc, &[x], Type::I1), word(1, u));
        }
    }
}

#[test]
fn bytes_are_swapped_in_every_width() {
    let swapped = |x: Int| run(Op::Bswap, &[x], Type::Int(x.width() as u8));
    for value in 0..=u64::from(u16::MAX) {
        let expected = Int::new(16, u64::from((value as u16).swap_bytes()));
        assert_eq!(swapped(Int::new(16, value)), Fold::Int(expected));
    }
    let mut value = 0x0123_4567_89ab_cdef_u64;
    for _ in 0..1000 {
        value = value.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        for width in 1..=64 {
            let x = Int::new(width, value);
            let bytes = width as usize / 8;
            let mut all = x.unsigned().to_le_bytes();
            all[..bytes].reverse();
            let expected = Int::new(width, u64::from_le_bytes(all));
            assert_eq!(swapped(x), Fold::Int(expected), "{x:?}");
        }
    }
}

#[test]
fn float_operations_follow_ieee_754() {
    use planish_ops::Real::{self, F32, F64};
    let call = |op: Op, args: &[Real], to: Type| {
        let args: Vec<Datum<Machine>> = args.iter().map(|&a| Datum::Float(a)).collect();
        fold(op, &args, &[to]).expect("a meaning")
    };
    let one = Fold::Int(Int::new(32, 1));
    let zero = Fold::Int(Int::new(32, 0));
    let minus = Fold::Int(Int::new(32, u64::MAX));
    let nan = F64(f64::NAN);
    assert_eq!(call(Op::Fadd, &[F64(-0.0), F64(0.0)], Type::F64), Fold::Real(F64(0.0)));
    assert_eq!(call(Op::Fmul, &[F64(f64::INFINITY), F64(0.0)], Type::F64), Fold::Real(nan));
    assert_eq!(call(Op::Fdiv, &[F32(1.0), F32(-0.0)], Type::F32), Fold::Real(F32(f32::NEG_INFINITY)));
    assert_eq!(call(Op::Frem, &[F64(-5.5), F64(2.0)], Type::F64), Fold::Real(F64(-1.5)));
    assert_eq!(call(Op::Feq, &[nan, nan], Type::I32), zero);
    assert_eq!(call(Op::Fne, &[nan, nan], Type::I32), one);
    assert_eq!(call(Op::Feq, &[F64(0.0), F64(-0.0)], Type::I32), one);
    assert_eq!(call(Op::Fcmpl, &[nan, F64(0.0)], Type::I32), minus);
    assert_eq!(call(Op::Fcmpg, &[nan, F64(0.0)], Type::I32), one);
    assert_eq!(call(Op::Fcmpg, &[F64(2.0), F64(1.0)], Type::I32), one);
    assert_eq!(call(Op::Fcmpg, &[F64(1.0), F64(1.0)], Type::I32), zero);
    assert_eq!(call(Op::FloatToSigned, &[nan], Type::I32), Fold::Undefined);
    assert_eq!(
        call(Op::FloatToSigned, &[F64(2147483647.9)], Type::I32),
        Fold::Int(Int::new(32, 0x7fff_ffff))
    );
    assert_eq!(call(Op::FloatToSigned, &[F64(2147483648.0)], Type::I32), Fold::Undefined);
    assert_eq!(
        call(Op::FloatToSigned, &[F64(-2147483648.9)], Type::I32),
        Fold::Int(Int::new(32, 0x8000_0000))
    );
    assert_eq!(
        call(Op::FloatToSigned, &[F32(-2147483648.0)], Type::I32),
        Fold::Int(Int::new(32, 0x8000_0000))
    );
    assert_eq!(
        call(Op::FloatToSigned, &[F64(-9223372036854775808.0)], Type::I64),
        Fold::Int(Int::new(64, 1 << 63))
    );
    assert_eq!(call(Op::FloatToSignedSat, &[F64(3e9)], Type::I32), Fold::Int(Int::new(32, 0x7fff_ffff)));
    assert_eq!(call(Op::FloatToRawBits, &[nan], Type::I64), Fold::Undefined);
    assert_eq!(call(Op::FloatToBits, &[nan], Type::I64), Fold::Int(Int::new(64, 0x7ff8 << 48)));
    assert_eq!(call(Op::FloatConvert, &[F64(1e300)], Type::F32), Fold::Real(F32(f32::INFINITY)));
}
