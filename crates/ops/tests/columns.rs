//! The columns of the table against the meanings: a column that lies fails here, at every value of
//! small widths.

use planish_ops::row::{EqualOperands, Shape};
use planish_ops::table::ALL;
use planish_ops::{Datum, Effect, Fold, Int, Machine, Op, Type, fold};

const WIDTHS: [u32; 3] = [1, 3, 4];

fn values(width: u32) -> impl Iterator<Item = Int> + Clone {
    (0..1u64 << width).map(move |v| Int::new(width, v))
}

fn run(op: Op, args: &[Int]) -> Fold {
    // A result type that the instruction names is that of the operands here.
    let to = args[0].ty();
    let args: Vec<Datum<Machine>> = args.iter().map(|&a| Datum::Word(a)).collect();
    fold(op, &args, &[to]).expect("a meaning")
}

/// Whether an operation has a meaning over integers of one width and these many operands.
fn is_integer(op: Op, operands: usize) -> bool {
    let row = op.row();
    row.operands.len() == operands
        && !row.variadic
        && row.operands.iter().all(|s| *s == Shape::Int(0))
        && row.effect == Effect::Pure
        && !row.results.contains(&Shape::Ref)
        && !row.results.contains(&Shape::Float(0))
}

#[test]
fn algebra_of_binary_operations_holds() {
    let mut checked = 0;
    for &op in ALL.iter().filter(|&&op| is_integer(op, 2)) {
        let algebra = op.row().algebra;
        for width in WIDTHS {
            let constant = |c: i64| Int::new(width, c as u64);
            for x in values(width) {
                if let Some(e) = algebra.identity {
                    assert_eq!(run(op, &[x, constant(e)]), Fold::Int(x), "identity of {op} at {x:?}");
                    checked += 1;
                }
                if let Some(a) = algebra.absorbing {
                    assert_eq!(run(op, &[x, constant(a)]), Fold::Int(constant(a)), "absorbing {op} at {x:?}");
                    checked += 1;
                }
                if let Some(equal) = algebra.equal {
                    let expected = match equal {
                        EqualOperands::Constant(c) => constant(c),
                        EqualOperands::Operand => x,
                    };
                    let got = run(op, &[x, x]);
                    assert!(
                        got == Fold::Int(expected) || got == Fold::Undefined,
                        "{op} of equal operands {x:?}"
                    );
                    checked += 1;
                }
                for y in values(width) {
                    if algebra.commutative {
                        assert_eq!(run(op, &[x, y]), run(op, &[y, x]), "{op} commutes");
                        checked += 1;
                    }
                    if let Some(swapped) = op.swapped() {
                        assert_eq!(run(op, &[x, y]), run(swapped, &[y, x]), "{op} swapped");
                        checked += 1;
                    }
                    if algebra.associative {
                        for z in values(width) {
                            let (Fold::Int(xy), Fold::Int(yz)) = (run(op, &[x, y]), run(op, &[y, z])) else {
                                panic!("{op} is associative but partial")
                            };
                            assert_eq!(run(op, &[xy, z]), run(op, &[x, yz]), "{op} associates");
                            checked += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(checked > 10_000, "only {checked} checks ran");
}

#[test]
fn unary_involutions_and_negated_comparisons_hold() {
    for width in WIDTHS {
        for &op in ALL.iter().filter(|&&op| is_integer(op, 1)) {
            for x in values(width) {
                if op.row().algebra.involution {
                    let Fold::Int(once) = run(op, &[x]) else { panic!("{op} is an involution but partial") };
                    assert_eq!(run(op, &[once]), Fold::Int(x), "{op} twice");
                }
                if let Some(negated) = op.row().negated {
                    let (Fold::Int(a), Fold::Int(b)) = (run(op, &[x]), run(negated, &[x])) else { panic!() };
                    assert_ne!(a.is_true(), b.is_true(), "{op} and {negated} at {x:?}");
                }
            }
        }
        for &op in ALL.iter().filter(|&&op| is_integer(op, 2)) {
            let Some(negated) = op.row().negated else { continue };
            for x in values(width) {
                for y in values(width) {
                    let (Fold::Int(a), Fold::Int(b)) = (run(op, &[x, y]), run(negated, &[x, y])) else {
                        panic!()
                    };
                    assert_ne!(a.is_true(), b.is_true(), "{op} and {negated} at {x:?}, {y:?}");
                }
            }
        }
    }
}

#[test]
fn algebra_of_float_operations_holds_on_edges() {
    use planish_ops::Real;
    let edges =
        [0.0, -0.0, 1.0, -1.0, 0.1, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::MIN_POSITIVE, f64::MAX];
    let reals = || edges.iter().flat_map(|&e| [Real::F64(e)]);
    let float =
        |op: &Op| !op.row().operands.is_empty() && op.row().operands.iter().all(|s| *s == Shape::Float(0));
    for &op in ALL.iter().filter(|op| float(op)) {
        let to = if op.row().results == [Shape::Float(0)] { Type::F64 } else { Type::I64 };
        let run = |op: Op, args: &[Real]| {
            let args: Vec<Datum<Machine>> = args.iter().map(|&a| Datum::Float(a)).collect();
            fold(op, &args, &[to]).expect("a meaning")
        };
        let algebra = op.row().algebra;
        assert!(algebra.identity.is_none() && algebra.absorbing.is_none(), "-0.0 and NaN have no such laws");
        for x in reals() {
            if algebra.involution {
                let Fold::Real(once) = run(op, &[x]) else { panic!("{op}") };
                assert_eq!(run(op, &[once]), Fold::Real(x), "{op} twice");
            }
            if op.row().operands.len() < 2 {
                continue;
            }
            if let Some(EqualOperands::Constant(c)) = algebra.equal {
                assert_eq!(run(op, &[x, x]), Fold::Int(Int::new(64, c as u64)), "{op} of equal operands");
            }
            for y in reals() {
                if let Some(swapped) = op.swapped() {
                    assert_eq!(run(op, &[x, y]), run(swapped, &[y, x]), "{op} swapped at {x:?}, {y:?}");
                }
                if let Some(negated) = op.row().negated {
                    assert_ne!(run(op, &[x, y]), run(negated, &[x, y]), "{op} and {negated}");
                }
            }
        }
    }
}

#[test]
fn rows_are_well_formed() {
    for (i, &op) in ALL.iter().enumerate() {
        let row = op.row();
        assert_eq!(op as usize, i);
        assert_eq!(Op::from_name(row.name), Some(op));
        assert_eq!(row.pypy.map(Op::from_pypy_name), row.pypy.map(|_| Some(op)), "PyPy name of {op}");
        for other in [row.negated, row.swapped].into_iter().flatten() {
            assert_eq!(other.row().operands, row.operands, "{op} and {other}");
        }
        if let Some(negated) = row.negated {
            assert_eq!(negated.row().negated, Some(op));
        }
        assert!(row.results.len() <= 2);
    }
}

#[test]
fn operations_with_a_condition_of_definedness_are_marked_partial() {
    use planish_ops::{FloatFormat, Real};
    for &op in ALL {
        // The meaning says whether there is a condition whatever the operands are.
        let sample = |shape: &Shape| match shape {
            Shape::Float(_) => Datum::Float(Real::from_bits(FloatFormat::F64, 0)),
            Shape::Bit => Datum::Word(Int::bit(true)),
            _ => Datum::Word(Int::new(64, 1)),
        };
        let args: Vec<Datum<Machine>> = op.row().operands.iter().map(sample).collect();
        let to = match (op, op.row().results) {
            (Op::Trunc, _) => Type::I1,
            (_, [Shape::Float(_), ..]) => Type::F64,
            _ => Type::I64,
        };
        if let Some(meaning) = op.meaning(&mut Machine, &args, &[to]) {
            assert_eq!(meaning.defined.is_some(), op.row().partial, "{op}");
        }
    }
}

#[test]
fn a_divisor_is_what_must_not_be_zero_and_nothing_else() {
    let mut checked = 0;
    for &op in ALL.iter().filter(|&&op| is_integer(op, 2)) {
        for (x, y) in values(4).flat_map(|x| values(4).map(move |y| (x, y))) {
            let zero = op.row().divisor.is_some_and(|operand| ![x, y][usize::from(operand)].is_true());
            assert_eq!(run_checked(op, &[x, y]) == Fold::Undefined, zero, "{op} of {x:?} and {y:?}");
            checked += usize::from(zero);
        }
    }
    assert_eq!(checked, 6 * 16);
}

#[test]
fn truths_are_those_results_that_are_always_0_or_1() {
    let mut truths = 0;
    for &op in ALL.iter().filter(|&&op| (1..=2).any(|operands| is_integer(op, operands))) {
        if op.row().results.len() != 1 {
            assert!(!op.row().truth, "{op}");
            continue;
        }
        let pairs = values(4).flat_map(|x| values(4).map(move |y| [x, y]));
        let results = pairs.map(|args| run(op, &args[..op.row().operands.len()]));
        let always = results.into_iter().all(|result| match result {
            Fold::Int(result) => result.unsigned() <= 1,
            _ => true,
        });
        assert_eq!(always, op.row().truth, "{op}");
        truths += usize::from(always);
    }
    assert_eq!(truths, 12);
}

#[test]
fn the_first_result_beside_an_overflow_bit_is_that_of_the_plain_operation() {
    let mut checked = 0;
    for &op in ALL.iter().filter(|&&op| is_integer(op, 2)) {
        assert_eq!(op.row().wrapping.is_some(), op.row().results.len() == 2, "{op}");
        let Some(plain) = op.row().wrapping else { continue };
        for (x, y) in values(4).flat_map(|x| values(4).map(move |y| (x, y))) {
            let Fold::Pair(first, _) = run_checked(op, &[x, y]) else { panic!("{op} has two results") };
            assert_eq!(Fold::Int(first), run(plain, &[x, y]), "{op} of {x:?} and {y:?}");
        }
        checked += 1;
    }
    assert_eq!(checked, 6);
}

/// The same with the types of all results.
fn run_checked(op: Op, args: &[Int]) -> Fold {
    let to = [args[0].ty(), Type::I1];
    let args: Vec<Datum<Machine>> = args.iter().map(|&a| Datum::Word(a)).collect();
    fold(op, &args, &to[..op.row().results.len()]).expect("a meaning")
}
