//! Passes by name.

use planish_trace::{Mutability, Op, Optimizer, Recorder, Trace, Type, Words};

/// A box is made for (x + 1) + 1 and read again, if x is not negative.
fn boxed(words: &mut Words) -> Trace {
    let (class, field) = (words.class("Box"), words.field("Box.value", Type::I64, Mutability::Mutable));
    let (mut r, inputs) = Recorder::new("boxed", &[Type::I64]);
    let (zero, one) = (r.int(0), r.int(1));
    let next = r.op(Op::Add, &[inputs[0], one]);
    let sum = r.op(Op::Add, &[next, one]);
    let object = r.new_object(class);
    r.set(field, object, sum);
    let negative = r.op(Op::Lt, &[inputs[0], zero]);
    r.guard(Op::GuardFalse, &[negative], 0, &[object]);
    let value = r.get(field, object);
    r.finish(&[value])
}

fn optimized(passes: &str) -> String {
    let mut words = Words::new();
    let mut trace = boxed(&mut words);
    let mut optimizer = Optimizer::with_passes(passes).expect("passes of these names");
    optimizer.optimize(&mut trace, &words).expect("the trace can be run to its end");
    trace.text(&words)
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
