//! Passes by name.

use planish_trace::{Mutability, Op, Optimizer, Recorder, Refused, Trace, Type, Words};

/// A box is made for (x + 1) + 1 and read again, if x is not negative.
fn boxed(r: &mut Recorder) -> Result<Trace, Refused> {
    let words = r.words_mut();
    let (class, field) = (words.class("Box")?, words.field("Box.value", Type::I64, Mutability::Mutable)?);
    let input = r.begin("boxed", &[Type::I64])?[0];
    let (zero, one) = (r.int(0), r.int(1));
    let next = r.op(Op::Add, &[input, one])?;
    let sum = r.op(Op::Add, &[next, one])?;
    let object = r.new_object(class)?;
    r.set(field, object, sum)?;
    let negative = r.op(Op::Lt, &[input, zero])?;
    r.guard(Op::GuardFalse, &[negative], 0, &[object])?;
    let value = r.get(field, object)?;
    r.finish(&[value])
}

fn optimized(passes: &str) -> String {
    let mut recorder = Recorder::new(Words::new());
    let mut trace = boxed(&mut recorder).expect("operations that fit");
    let mut optimizer = Optimizer::with_passes(passes).expect("passes of these names");
    optimizer.optimize(&mut trace, recorder.words()).expect("the trace can be run to its end");
    trace.text(recorder.words())
}

/// S4.8, S4.22: passes go by their names, in any order.
#[test]
fn passes_go_by_names_in_any_order() {
    let documented = optimized("intbounds:rewrite:virtualize:string:pure:heap:peel");
    assert_eq!(documented, optimized("heap:peel:pure:virtualize:string:rewrite:intbounds"));
    assert!(documented.contains("with [made0 = new() @Box"), "{documented}");
    let without = optimized("intbounds:rewrite");
    assert!(without.contains("= new() @Box") && !without.contains("made0"), "{without}");
    assert!(Optimizer::with_passes("intbounds:rewriting").is_err());
}
