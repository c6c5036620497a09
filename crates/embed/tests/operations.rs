//! Every operation of the table on operands of every type: it is recorded as the table says, or it is refused.

use planish_trace::{Op, Optimizer, Recorder, Refused, Type, Value, Words};

const TYPES: [Type; 8] =
    [Type::I1, Type::Int(8), Type::Int(16), Type::I32, Type::I64, Type::F32, Type::F64, Type::Ref];

/// A trace that was begun, with an input and constants of every type that have some.
fn begun(r: &mut Recorder) -> Vec<Value> {
    let mut values = r.begin("all", &TYPES).expect("types of values").to_vec();
    let (one, minus_one, real) = (r.int(1), r.int(-1), r.real(2.5));
    values.extend([one, minus_one, real, r.real(f64::NAN), r.null()]);
    for ty in [Type::I1, Type::Int(8), Type::I32] {
        values.push(r.op_typed(Op::Trunc, &[minus_one], ty).expect("fewer bits"));
    }
    values.push(r.op_typed(Op::FloatConvert, &[real], Type::F32).expect("the other format"));
    values
}

/// All ways to take so many of some values.
fn choices(values: &[Value], count: usize) -> Vec<Vec<Value>> {
    (0..count).fold(vec![Vec::new()], |lists, _| {
        let with = |list: &Vec<Value>| {
            let list = list.clone();
            values.iter().map(move |&value| [&list[..], &[value]].concat()).collect::<Vec<_>>()
        };
        lists.iter().flat_map(with).collect()
    })
}

fn recorders() -> [Recorder; 2] {
    let streaming = Recorder::optimizing(Words::new(), Recorder::STREAMING).expect("these are passes");
    [Recorder::new(Words::new()), streaming]
}

/// Records an operation on all operands, with or without the type of its result, and gives how often it was taken.
fn taken(r: &mut Recorder, op: Op, ty: Option<Type>) -> usize {
    let values = begun(r);
    let mut results = Vec::new();
    // One operation of the table has five operands; it is refused for what it is.
    for operands in choices(&values, op.row().operands.len().min(3)) {
        let before = r.len();
        let recorded = match ty {
            Some(ty) => r.op_typed(op, &operands, ty),
            None => r.op(op, &operands),
        };
        match recorded {
            Ok(result) => results.push(result),
            Err(_) => assert_eq!(r.len(), before, "{op} was refused"),
        }
    }
    let mut trace = r.finish(&results).expect("a trace");
    for &result in &results {
        assert!(ty.is_none_or(|ty| ty == trace.ty(result)), "{op} gives {}", trace.ty(result));
    }
    assert_eq!(trace.violations(), Vec::<String>::new(), "{op} {ty:?}");
    Optimizer::new().optimize(&mut trace, r.words()).expect("there are no guards");
    assert_eq!(trace.violations(), Vec::<String>::new(), "{op} {ty:?}");
    r.recycle(trace);
    results.len()
}

#[test]
fn operations_are_recorded_as_the_table_says_or_refused() {
    for mut r in recorders() {
        let (mut alone, mut with_type) = (0, 0);
        for &op in planish_ops::table::ALL {
            let told = taken(&mut r, op, None);
            let named = TYPES.map(|ty| taken(&mut r, op, Some(ty)));
            let named: usize = named.iter().sum();
            assert!(told <= named, "{op} is taken {told} times without a type, and {named} times with one");
            (alone, with_type) = (alone + usize::from(told > 0), with_type + usize::from(named > 0));
        }
        assert!(alone > 60 && with_type > alone + 10, "{alone} {with_type}");
    }
}

#[test]
fn what_operands_do_not_tell_is_asked_for() {
    for mut r in recorders() {
        let inputs = r.begin("asked", &[Type::I32, Type::F64]).expect("types of values").to_vec();
        let (narrow, real) = (inputs[0], inputs[1]);
        let one = r.int(1);
        for (op, operand) in [
            (Op::SignedToFloat, one),
            (Op::UnsignedToFloat, narrow),
            (Op::FloatConvert, real),
            (Op::BitsToFloat, one),
            (Op::FloatToSigned, real),
            (Op::Sext, narrow),
        ] {
            assert_eq!(r.op(op, &[operand]), Err(Refused::Untyped(op)));
        }
        assert_eq!(
            Refused::Untyped(Op::Sext).to_string(),
            "the operands of `sext` do not tell the type of its result, for it is sext(V) -> W: it has to be named"
        );
        let wrong = r.op_typed(Op::SignedToFloat, &[one], Type::I64);
        assert_eq!(wrong, Err(Refused::Result { op: Op::SignedToFloat, ty: Type::I64 }));
        assert_eq!(
            r.op_typed(Op::Sext, &[narrow], Type::Int(8)),
            Err(Refused::Result { op: Op::Sext, ty: Type::Int(8) })
        );
        assert_eq!(
            r.op_typed(Op::Add, &[one, one], Type::I32),
            Err(Refused::Result { op: Op::Add, ty: Type::I32 })
        );
        let float = r.op_typed(Op::SignedToFloat, &[narrow], Type::F64).expect("it fits");
        let sum = r.op_typed(Op::Fadd, &[float, real], Type::F64).expect("the type that it has");
        let less = r.op_typed(Op::Flt, &[sum, real], Type::I1).expect("a comparison is of any width");
        let trace = r.finish(&[sum, less]).expect("a trace");
        assert_eq!([sum, less].map(|value| trace.ty(value)), [Type::F64, Type::I1]);
        assert_eq!(trace.violations(), Vec::<String>::new());
    }
}

/// No value is of these types.
#[test]
fn types_without_values_are_refused_everywhere() {
    for ty in [Type::State, Type::Int(0), Type::Int(65)] {
        for mut r in recorders() {
            let field = r.words_mut().field("f", ty, planish_trace::Mutability::Mutable);
            assert_eq!(field, Err(Refused::Type(ty)));
            assert_eq!(r.words_mut().array("a", ty), Err(Refused::Type(ty)));
            let callee = r.words_mut().callee("c", planish_trace::CallEffect::unknown()).expect("a new word");
            assert_eq!(r.begin("wrong", &[Type::I64, ty]), Err(Refused::Type(ty)));
            let x = r.begin("right", &[Type::I64]).expect("types of values")[0];
            assert_eq!(r.op_typed(Op::Use, &[x], ty), Err(Refused::Type(ty)));
            assert_eq!(r.call(callee, &[x], Some(ty)), Err(Refused::Type(ty)));
            assert!(r.is_empty());
        }
    }
}
