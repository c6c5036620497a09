//! Loops that other traces enter.

use planish_trace::{Entry, Op, Optimizer, Recorder, Refused, Step, Trace, Type, Value, Words};

const TYPES: [Type; 4] = [Type::Ref, Type::I64, Type::I64, Type::I64];

fn words() -> (Words, Entry) {
    let mut words = Words::new();
    let entry = words.entry("around", &TYPES).expect("a new word");
    (words, entry)
}

/// The recorders that there are, and whether each wants an optimizer behind it.
fn recorders() -> [(Recorder, bool); 2] {
    let streaming = Recorder::optimizing(words().0, Recorder::STREAMING).expect("these are passes");
    [(Recorder::new(words().0), true), (streaming, false)]
}

/// `limit` and `object` never change, nothing looks at `object`, and `step` is 3 whenever the loop begins here.
fn record_loop(r: &mut Recorder, entry: Option<Entry>, optimize: bool) -> Result<Trace, Refused> {
    let inputs = r.begin("loop", &[Type::Ref, Type::I64]).expect("types of values").to_vec();
    let (three, zero) = (r.int(3), r.int(0));
    let limit = r.op(Op::Add, &[inputs[1], three])?;
    let state = [inputs[0], zero, three, limit];
    let params: Vec<Value> = match entry {
        Some(entry) => r.begin_entered_loop(entry, &state)?.to_vec(),
        None => r.begin_loop(&state)?.to_vec(),
    };
    let &[object, x, step, limit] = &params[..] else { unreachable!("four values") };
    let next = r.op(Op::Add, &[x, step])?;
    let goes_on = r.op(Op::Lt, &[next, limit])?;
    r.guard(Op::GuardTrue, &[goes_on], 0, &[next])?;
    let mut trace = r.close_loop(&[object, next, step, limit])?;
    if optimize {
        Optimizer::new().optimize(&mut trace, r.words()).expect("the loop can run");
    }
    assert_eq!(trace.violations(), Vec::<String>::new(), "{}", trace.text(r.words()));
    Ok(trace)
}

/// The types of the parameters of the loop of a trace.
fn loop_of(trace: &Trace) -> Vec<Type> {
    let params = trace.steps().find_map(|step| match step {
        Step::Loop { params, .. } => Some(params.iter().map(|&param| trace.ty(param)).collect()),
        _ => None,
    });
    params.expect("the trace has a loop")
}

/// S4.4: the head of a loop is a target with a name, of which its number of values is a part.
#[test]
fn a_loop_that_others_enter_keeps_what_they_hand_over() {
    for (mut r, optimize) in recorders() {
        let (_, entry) = words();
        let alone = record_loop(&mut r, None, optimize).expect("operations that fit");
        assert!(loop_of(&alone).len() < TYPES.len(), "{}", alone.text(r.words()));
        let entered = record_loop(&mut r, Some(entry), optimize).expect("operations that fit");
        assert_eq!(loop_of(&entered), TYPES, "{}", entered.text(r.words()));
    }
}

/// S4.4
#[test]
fn a_bridge_goes_on_in_a_loop() {
    for (mut r, optimize) in recorders() {
        let (_, entry) = words();
        let inputs = r.begin("bridge", &[Type::Ref, Type::I64]).expect("types of values").to_vec();
        let (zero, two) = (r.int(0), r.int(2));
        let same = r.op(Op::Add, &[inputs[1], zero]).expect("it fits");
        let mut trace = r.enter(entry, &[inputs[0], same, two, inputs[1]]).expect("what the entry takes");
        if optimize {
            Optimizer::new().optimize(&mut trace, r.words()).expect("it can run");
        }
        assert_eq!(trace.len(), 0, "{}", trace.text(r.words()));
        let steps: Vec<Step<'_>> = trace.steps().collect();
        let &[Step::Enter { entry: descr, state }] = &steps[..] else { panic!("{steps:?}") };
        assert_eq!(descr, entry.descr());
        assert_eq!(state, [inputs[0], inputs[1], two, inputs[1]]);
    }
}

/// A loop is recorded again with its entry: the first attempt was given up, and a version that was closed is replaced. Each keeps
/// what the entry says, and no trace has two loops.
#[test]
fn a_loop_that_is_recorded_again_has_its_entry_again() {
    for (mut r, optimize) in recorders() {
        let (_, entry) = words();
        let inputs = r.begin("given up", &TYPES).expect("types of values").to_vec();
        let params = r.begin_entered_loop(entry, &inputs).expect("what the entry takes").to_vec();
        assert_eq!(r.begin_entered_loop(entry, &params).map(drop), Err(Refused::SecondLoop));
        let first = record_loop(&mut r, Some(entry), optimize).expect("operations that fit");
        let inputs = r.begin("anew", &TYPES).expect("types of values").to_vec();
        let params = r.begin_entered_loop(entry, &inputs).expect("what the entry takes").to_vec();
        let less = r.op(Op::Lt, &[params[1], params[3]]).expect("it fits");
        r.guard(Op::GuardTrue, &[less], 0, &[params[1]]).expect("it fits");
        let next = r.op(Op::Add, &[params[1], params[2]]).expect("it fits");
        let mut second = r.close_loop(&[params[0], next, params[2], params[3]]).expect("the loop closes");
        if optimize {
            Optimizer::new().optimize(&mut second, r.words()).expect("it can run");
        }
        for version in [&first, &second] {
            assert_eq!(loop_of(version), TYPES, "{}", version.text(r.words()));
            assert_eq!(version.violations(), Vec::<String>::new());
        }
    }
}

#[test]
fn what_does_not_fit_an_entry_is_refused() {
    for (mut r, _) in recorders() {
        let (_, entry) = words();
        let inputs = r.begin("bridge", &[Type::Ref, Type::I64]).expect("types of values").to_vec();
        let refused = r.enter(entry, &[inputs[0], inputs[1]]).map(drop);
        assert_eq!(refused, Err(Refused::Entry { given: 2, expected: 4 }));
        let swapped = [inputs[1], inputs[0], inputs[1], inputs[1]];
        assert_eq!(r.enter(entry, &swapped).map(drop), Err(Refused::Entry { given: 4, expected: 4 }));
        assert_eq!(
            r.begin_entered_loop(entry, &swapped).map(|_| ()),
            Err(Refused::Entry { given: 4, expected: 4 })
        );
        let state = [inputs[0], inputs[1], inputs[1], inputs[1]];
        let params = r.begin_entered_loop(entry, &state).expect("what the entry takes").to_vec();
        let before = r.op(Op::Add, &[params[1], inputs[1]]);
        assert_eq!(before, Err(Refused::Outside { position: 1 }));
        let back = r.close_loop(&[inputs[0], params[1], params[2], params[3]]).map(drop);
        assert_eq!(back, Err(Refused::Outside { position: 0 }));
        r.close_loop(&params).expect("the loop closes");
    }
}
