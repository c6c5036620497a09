//! Passes by name.

use planish_trace::{Mutability, Op, Optimizer, Recorder, Refused, Step, Trace, Type, Words};

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

/// A loop whose values change places; whether its guard passes again in the body is not known.
fn changing_places(r: &mut Recorder, first: bool) -> Result<Trace, Refused> {
    let inputs = r.begin("places", &[Type::I64; 3]).expect("types of values").to_vec();
    let &[x, y, z] = r.begin_loop(&inputs)? else { unreachable!("three values") };
    let greater = r.op(Op::Gt, &[y, z])?;
    let not = r.op(Op::IsZero, &[greater])?;
    r.guard(Op::GuardTrue, &[not], 0, &[x])?;
    r.close_loop(&if first { [greater, x, greater] } else { [x, y, z] })
}

/// S4.17: a body that cannot begin again goes back to the first iteration, and says so.
#[test]
fn a_peeled_loop_says_where_it_goes() {
    for (first, head) in [(true, 0), (false, 1)] {
        let mut recorder = Recorder::new(Words::new());
        let mut trace = changing_places(&mut recorder, first).expect("operations that fit");
        assert_eq!(trace.jumps_to(), Some(0));
        let mut optimizer = Optimizer::with_passes("intbounds:rewrite:pure:heap:peel:dead").expect("passes");
        optimizer.optimize(&mut trace, recorder.words()).expect("the loop can run");
        let heads: Vec<usize> = trace
            .steps()
            .filter_map(|step| match step {
                Step::Loop { params, .. } => Some(params.len()),
                _ => None,
            })
            .collect();
        let jump = trace.steps().find_map(|step| match step {
            Step::Jump(state) => Some(state.len()),
            _ => None,
        });
        assert_eq!((heads.len(), trace.jumps_to()), (2, Some(head)), "{}", trace.text(recorder.words()));
        assert_eq!(jump, Some(heads[head]), "{}", trace.text(recorder.words()));
    }
}
