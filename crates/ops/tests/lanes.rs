//! Operations on vectors: what the table names for their lanes is what their meaning may be made of.

use planish_ops::lanes::Value;
use planish_ops::row::Shape;
use planish_ops::table::ALL;
use planish_ops::{Datum, Exits, Int, Lane, Lanewise, Machine, Op, Real};

fn is_of_vectors(op: Op) -> bool {
    let shapes = op.row().operands.iter().chain(op.row().results);
    shapes.into_iter().any(|shape| matches!(shape, Shape::Vector(_)))
}

#[test]
fn rows_of_vectors_are_the_last_ones_and_say_what_their_lanes_undergo() {
    let (scalars, vectors) = ALL.split_at(Op::Splat as usize);
    assert!(!scalars.iter().any(|&op| is_of_vectors(op) || op.row().lanewise.is_some()));
    for &op in vectors {
        let moves = matches!(op, Op::Vload | Op::Vstore);
        assert!(is_of_vectors(op) && op.row().lanewise.is_some() != moves, "{op}");
    }
}

#[test]
fn what_lanes_undergo_means_something_for_all_operands() {
    for &op in ALL {
        let row = op.row();
        let of = match row.lanewise {
            Some(Lanewise::Each(of)) => of,
            Some(Lanewise::Across(of)) => {
                let algebra = of.row().algebra;
                assert!(algebra.commutative && algebra.associative, "{op}");
                of
            }
            _ => continue,
        };
        let (lane, scalar) = (of.row(), |shape: &Shape| !matches!(shape, Shape::Bit | Shape::Ref));
        assert!(!lane.partial && lane.exits == Exits::Never && lane.results.len() == 1, "{op}");
        assert!(lane.operands.iter().all(scalar), "{op}");
        if let Some(Lanewise::Each(_)) = row.lanewise {
            assert_eq!(row.operands.len(), lane.operands.len(), "{op}");
            assert_eq!(of.in_each_lane(), Some(op));
        } else {
            assert_eq!((row.operands.len(), of.across_lanes()), (1, Some(op)));
        }
    }
}

fn words(values: &[u64]) -> Value<Machine> {
    Value::Lanes(values.iter().map(|&value| Datum::Word(Int::new(32, value))).collect())
}

fn word(width: u32, value: u64) -> Value<Machine> {
    Value::One(Datum::Word(Int::new(width, value)))
}

/// The lanes of what an operation on vectors of `i32` gives, or the one value.
fn run(op: Op, args: &[Value<Machine>]) -> Vec<u64> {
    let shown = |datum: &Datum<Machine>| datum.word().unsigned();
    match op.meaning_in_lanes(&mut Machine, args, Lane::I32).expect("a meaning") {
        Value::Lanes(lanes) => lanes.iter().map(shown).collect(),
        Value::One(datum) => vec![shown(&datum)],
    }
}

#[test]
fn lanes_are_computed_apart_joined_and_chosen() {
    let (x, y) = ([1, 2, 3, u64::from(u32::MAX)], [10, 20, 30, 1]);
    let both = || [words(&x), words(&y)];
    assert_eq!(run(Op::Vadd, &both()), [11, 22, 33, 0]);
    assert_eq!(run(Op::Vlt, &both()), [1, 1, 1, 1]);
    assert_eq!(run(Op::Vult, &both()), [1, 1, 1, 0]);
    assert_eq!(run(Op::Vselect, &[words(&[1, 0, 7, 0]), words(&x), words(&y)]), [1, 20, 3, 1]);
    assert_eq!(run(Op::ReduceAdd, &[words(&y)]), [61]);
    assert_eq!(run(Op::ReduceMin, &[words(&x)]), [u64::from(u32::MAX)]);
    assert_eq!(run(Op::Splat, &[word(32, 7)]), [7; 4]);
    for at in 0..9 {
        let place = at as usize % 4;
        assert_eq!(run(Op::Extract, &[words(&x), word(64, at)]), [x[place]]);
        let mut expected = x;
        expected[place] = 9;
        assert_eq!(run(Op::Insert, &[words(&x), word(64, at), word(32, 9)]), expected);
    }
    // A number of one bit is that of the first two lanes.
    assert_eq!(run(Op::Extract, &[words(&x), word(1, 1)]), [2]);
}

#[test]
fn lanes_of_floats_are_floats() {
    let value = |x: f64| Datum::Float(Real::F64(x));
    let args = [Value::Lanes(vec![value(1.5), value(f64::NAN)]), Value::Lanes(vec![value(2.0), value(1.0)])];
    let Some(Value::Lanes(lanes)) = Op::Vfadd.meaning_in_lanes(&mut Machine, &args, Lane::F64) else {
        panic!("no lanes")
    };
    assert_eq!(
        lanes.iter().map(|lane| lane.float()).collect::<Vec<_>>(),
        [Real::F64(3.5), Real::F64(f64::NAN)]
    );
}
