//! Terms mean what the machine computes: every operation of the table, built as a term over variables
//! and evaluated in a model, against folding, at every value of small widths. This tests the pool's
//! instance of `Bits`, its simplifications and the evaluator at once.

use planish_base::Id;
use planish_ops::row::Shape;
use planish_ops::table::ALL;
use planish_ops::{Datum, FloatFormat, Fold, Int, Machine, Op, Real, Type, fold};
use planish_smt::term::Variable;
use planish_smt::{Model, Pool, Sort, Term, Value};

/// Assignments of types to the operands of `op` at `width`, and the types of the results.
///
/// `None` when the operation has operands that are neither words nor floats.
fn types(op: Op, width: u8, other: u8, format: FloatFormat) -> Option<(Vec<Type>, Vec<Type>)> {
    let row = op.row();
    if row.variadic {
        return None;
    }
    let narrow = matches!(op, Op::Trunc);
    let of = |shape: &Shape| {
        Some(match shape {
            Shape::Int(0) => Type::Int(if narrow { other } else { width }),
            Shape::Int(1) => Type::Int(match op {
                Op::Trunc => width,
                _ => other,
            }),
            Shape::Int(_) => Type::Int(width),
            Shape::Bit => Type::I1,
            Shape::Float(0) => Type::Float(format),
            Shape::Float(_) => Type::Float(FloatFormat::F32),
            Shape::Any(_) => Type::Int(width),
            Shape::Ref | Shape::Free | Shape::Vector(_) | Shape::Lane => return None,
        })
    };
    let operands: Option<Vec<Type>> = row.operands.iter().map(of).collect();
    let results: Option<Vec<Type>> = row.results.iter().map(of).collect();
    Some((operands?, results?))
}

/// Interesting floats; the machine's arithmetic on them covers every special case.
const FLOATS: [f64; 14] = [
    0.0,
    -0.0,
    1.0,
    -1.5,
    0.1,
    2.5,
    -7.25,
    1e10,
    -3e9,
    f64::INFINITY,
    f64::NEG_INFINITY,
    f64::NAN,
    f64::MIN_POSITIVE,
    1e300,
];

fn values(ty: Type) -> Vec<Value> {
    match ty {
        Type::Int(width) if width <= 8 => {
            (0..1u64 << width).map(|v| Int::new(u32::from(width), v).into()).collect()
        }
        Type::Int(width) => {
            let width = u32::from(width);
            let edges =
                [0, 1, 2, 7, u64::MAX, 1 << (width - 1), (1 << (width - 1)) - 1, 0x7ff0_0000_0000_0001];
            edges.into_iter().map(|v| Int::new(width, v).into()).collect()
        }
        Type::Float(FloatFormat::F32) => FLOATS.iter().map(|&x| Real::F32(x as f32).into()).collect(),
        Type::Float(FloatFormat::F64) => FLOATS.iter().map(|&x| Real::F64(x).into()).collect(),
        Type::Ref | Type::State | Type::Vector(_) => panic!("no such operand is built"),
    }
}

fn machine(value: Value) -> Datum<Machine> {
    match value {
        Value::Float(real) => Datum::Float(real),
        word => Datum::Word(word.int()),
    }
}

/// Every tuple of one value each.
fn product(choices: &[Vec<Value>]) -> Vec<Vec<Value>> {
    choices.iter().fold(vec![Vec::new()], |tuples, next| {
        tuples
            .iter()
            .flat_map(|tuple| next.iter().map(move |&value| [tuple.as_slice(), &[value]].concat()))
            .collect()
    })
}

/// Compares `op` as a term with the machine; returns how many tuples were compared.
fn compare(op: Op, operands: &[Type], results: &[Type], constant_operand: Option<usize>) -> usize {
    let choices: Vec<Vec<Value>> = operands.iter().map(|&ty| values(ty)).collect();
    let mut compared = 0;
    // With a constant operand each of its values makes another term: simplification is at work there.
    let fixed: Vec<Option<Value>> = match constant_operand {
        Some(at) => choices[at].iter().map(|&v| Some(v)).collect(),
        None => vec![None],
    };
    for constant in fixed {
        let mut pool = Pool::new();
        let mut roots: Vec<Term> = Vec::new();
        let args: Vec<Datum<Pool>> = (operands.iter().enumerate())
            .map(|(i, &ty)| {
                let variable = pool.variable(&format!("x{i}"), Sort::of(ty).expect("a word or a float"));
                let term = match constant {
                    Some(value) if constant_operand == Some(i) => pool.constant(value),
                    _ => variable,
                };
                if matches!(ty, Type::Float(_)) { Datum::Float(term) } else { Datum::Word(term) }
            })
            .collect();
        let Some(meaning) = op.meaning(&mut pool, &args, results) else { return 0 };
        roots.push(match meaning.value {
            Datum::Word(t) | Datum::Float(t) => t,
        });
        roots.extend(meaning.flag);
        roots.extend(meaning.defined);
        for tuple in product(&choices) {
            if constant.is_some_and(|c| tuple[constant_operand.expect("set with the constant")] != c) {
                continue;
            }
            let mut model = Model::new();
            for (i, &value) in tuple.iter().enumerate() {
                model.set(Variable::from_index(i), value);
            }
            let got = model.evaluate(&pool, &roots);
            let machine: Vec<Datum<Machine>> = tuple.iter().map(|&v| machine(v)).collect();
            let expected = fold(op, &machine, results).expect("a meaning");
            let defined = meaning.defined.is_none() || got[got.len() - 1].truth();
            let agrees = match expected {
                Fold::Undefined => !defined,
                Fold::Int(x) => defined && got[0] == x.into(),
                Fold::Pair(x, flag) => defined && got[0] == x.into() && got[1] == flag.into(),
                Fold::Real(x) => defined && got[0] == x.into(),
            };
            assert!(agrees, "{op}{tuple:?} with constant {constant:?}: {got:?}, expected {expected:?}");
            compared += 1;
        }
    }
    compared
}

#[test]
fn every_operation_as_a_term_agrees_with_the_machine() {
    let mut operations = 0;
    for &op in ALL {
        let mut compared = 0;
        for (width, other) in [(1, 1), (3, 2), (4, 3), (5, 1)] {
            for format in [FloatFormat::F32, FloatFormat::F64] {
                let encodes = matches!(op, Op::FloatToBits | Op::FloatToRawBits | Op::BitsToFloat);
                let width = if encodes { format.bits() as u8 } else { width };
                let Some((operands, results)) = types(op, width, other, format) else { continue };
                let has_float = operands.iter().chain(&results).any(|t| matches!(t, Type::Float(_)));
                if !has_float && format == FloatFormat::F64 {
                    continue;
                }
                compared += compare(op, &operands, &results, None);
                for at in 0..operands.len() {
                    compared += compare(op, &operands, &results, Some(at));
                }
            }
        }
        operations += usize::from(compared > 0);
    }
    assert!(operations >= 70, "only {operations} operations were compared");
}

#[test]
fn wide_words_agree_on_edges() {
    for op in
        [Op::Umulh, Op::Smulh, Op::Mul, Op::MulOvf, Op::UmulOvf, Op::Sdiv, Op::Rotl, Op::Clz, Op::Signext]
    {
        for width in [31, 63, 64] {
            let (operands, results) = types(op, width, width, FloatFormat::F64).expect("over words");
            assert!(compare(op, &operands, &results, None) > 0);
        }
    }
}
