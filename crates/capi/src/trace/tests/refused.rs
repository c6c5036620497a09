//! What is wrong is refused, changes nothing, and the reason can be asked for.

use std::ptr::{null, null_mut};

use super::{message, op, recorder, text};
use crate::border::{Status, with};
use crate::names::planish_op;
use crate::place::given;
use crate::trace::record::*;
use crate::trace::recorder::PlanishRecorder;
use crate::trace::walk::*;
use crate::trace::words::*;

const I64: u32 = 4;

/// A trace in a loop over two numbers, which are given.
fn looping(r: &mut PlanishRecorder) -> [u32; 2] {
    let (mut inputs, mut state) = ([0; 2], [0; 2]);
    let types = [I64; 2];
    assert_eq!(planish_begin(Some(r), c"t".as_ptr(), types.as_ptr(), 2, inputs.as_mut_ptr()), Status::Ok);
    assert_eq!(planish_begin_loop(Some(r), inputs.as_ptr(), 2, state.as_mut_ptr()), Status::Ok);
    state
}

#[test]
fn what_is_wrong_is_refused_with_a_reason() {
    let mut recorder = recorder();
    let r = &mut *recorder;
    assert_eq!(given(|out| planish_int(Some(r), 1, out)), Err(Status::Refused));
    assert_eq!(message(r), "no trace was begun");
    assert_eq!(given(|out| planish_class(Some(r), c"\xff".as_ptr(), out)), Err(Status::Text));
    assert_eq!(message(r), "`name` is not UTF-8");
    let class = given(|out| planish_class(Some(r), c"Box".as_ptr(), out)).expect("a class");
    assert_eq!(given(|out| planish_class(Some(r), c"Box".as_ptr(), out)), Err(Status::Refused));
    assert_eq!(message(r), "`Box` is described twice");
    let field = given(|out| planish_field(Some(r), c"f".as_ptr(), 99, false, out));
    assert_eq!((field, message(r)), (Err(Status::NoSuchName), "99 is no type".to_owned()));
    assert_eq!(given(|out| planish_op(c"ad".as_ptr(), out)), Err(Status::NoSuchName));
    assert_eq!(given(|out| planish_new_object(Some(r), class, out)), Err(Status::Refused));
    assert_eq!(message(r), "no trace was begun");
    let state = looping(r);
    assert_eq!(given(|out| planish_get_field(Some(r), class, state[0], out)), Err(Status::NoSuchWord));
    assert_eq!(message(r), "0 is no word of this kind");
    let (add, operands) = (op(c"add"), [state[0], 77]);
    let unknown = given(|out| planish_record(Some(r), add, operands.as_ptr(), 2, out));
    assert_eq!((unknown, message(r)), (Err(Status::NoSuchValue), "there is no value 77".to_owned()));
    assert_eq!(given(|out| planish_record(Some(r), add, null(), 2, out)), Err(Status::Null));
    assert_eq!(message(r), "`operands` is null");
    let endless = given(|out| planish_record(Some(r), add, state.as_ptr(), usize::MAX, out));
    assert_eq!(endless, Err(Status::Refused));
    assert!(message(r).starts_with("`operands` cannot have "), "{}", message(r));
    assert_eq!(given(|out| planish_record(Some(r), add, state.as_ptr(), 1, out)), Err(Status::Refused));
    assert!(message(r).starts_with("`add` on 1 operands"), "{}", message(r));
    let sext = given(|out| planish_record(Some(r), op(c"sext"), state.as_ptr(), 1, out));
    assert_eq!(sext, Err(Status::Refused));
    assert!(message(r).ends_with("it has to be named"), "{}", message(r));
    let float = op(c"signed_to_float");
    let typed = |r: &mut PlanishRecorder, ty| {
        given(|out| planish_record_typed(Some(r), float, state.as_ptr(), 1, ty, out))
    };
    assert_eq!(typed(r, I64), Err(Status::Refused));
    assert!(message(r).starts_with("`signed_to_float` gives no i64"), "{}", message(r));
    assert_eq!(typed(r, 8), Err(Status::NoSuchName));
    let float = typed(r, 6).expect("a float");
    let finished = given(|out| planish_finish(Some(r), [float].as_ptr(), 1, out)).expect("a trace");
    assert_eq!(text(r, &finished.expect("not null")).matches("signed_to_float").count(), 1);
    assert_eq!(given(|out| planish_length(Some(r), out)), Ok(0));
}

/// A call that gives a result, with a null pointer for it.
type Nowhere<'a> = (&'a str, Box<dyn Fn(&mut PlanishRecorder) -> Status + 'a>);

#[test]
fn without_a_place_for_its_result_no_function_does_anything() {
    let mut recorder = recorder();
    let r = &mut *recorder;
    let class = given(|out| planish_class(Some(r), c"C".as_ptr(), out)).expect("a class");
    let field = given(|out| planish_field(Some(r), c"f".as_ptr(), I64, false, out)).expect("a field");
    let array = given(|out| planish_array(Some(r), c"a".as_ptr(), I64, out)).expect("an array");
    let callee = given(|out| planish_callee(Some(r), c"p".as_ptr(), false, out)).expect("a function");
    let entry =
        given(|out| planish_entry(Some(r), c"e".as_ptr(), [I64; 2].as_ptr(), 2, out)).expect("an entry");
    let state = looping(r);
    let object = given(|out| planish_new_object(Some(r), class, out)).expect("an object");
    let values = [state[0], state[1]];
    let (add, ovf) = (op(c"add"), op(c"add_ovf"));
    let nowhere: Vec<Nowhere<'_>> = vec![
        ("word", Box::new(|r| planish_class(Some(r), c"new".as_ptr(), None))),
        ("word", Box::new(|r| planish_field(Some(r), c"new".as_ptr(), I64, true, None))),
        ("word", Box::new(|r| planish_array(Some(r), c"new".as_ptr(), I64, None))),
        ("word", Box::new(|r| planish_callee(Some(r), c"new".as_ptr(), true, None))),
        ("values", Box::new(|r| planish_begin(Some(r), c"t".as_ptr(), [I64].as_ptr(), 1, null_mut()))),
        ("values", Box::new(|r| planish_begin_loop(Some(r), values.as_ptr(), 2, null_mut()))),
        ("value", Box::new(|r| planish_int(Some(r), 41, None))),
        ("value", Box::new(|r| planish_real(Some(r), 4.5, None))),
        ("value", Box::new(|r| planish_null(Some(r), None))),
        ("value", Box::new(|r| planish_class_address(Some(r), class, None))),
        ("value", Box::new(|r| planish_record(Some(r), add, values.as_ptr(), 2, None))),
        ("value", Box::new(|r| planish_record_typed(Some(r), add, values.as_ptr(), 2, I64, None))),
        (
            "value",
            Box::new(|r| {
                given(|out| planish_record_overflowing(Some(r), ovf, values.as_ptr(), 2, None, out))
                    .expect_err("null")
            }),
        ),
        (
            "overflows",
            Box::new(|r| {
                given(|out| planish_record_overflowing(Some(r), ovf, values.as_ptr(), 2, out, None))
                    .expect_err("null")
            }),
        ),
        ("value", Box::new(|r| planish_new_object(Some(r), class, None))),
        ("value", Box::new(|r| planish_new_array(Some(r), array, values[0], None))),
        ("value", Box::new(|r| planish_get_field(Some(r), field, object, None))),
        ("value", Box::new(|r| planish_get_item(Some(r), array, object, values[0], None))),
        ("value", Box::new(|r| planish_array_length(Some(r), array, object, None))),
        ("value", Box::new(|r| planish_call(Some(r), callee, values.as_ptr(), 2, Some(&I64), None))),
        ("length", Box::new(|r| planish_length(Some(r), None))),
        ("trace", Box::new(|r| planish_close_loop(Some(r), values.as_ptr(), 2, None))),
        ("trace", Box::new(|r| planish_finish(Some(r), values.as_ptr(), 2, None))),
        ("trace", Box::new(|r| planish_enter(Some(r), entry, values.as_ptr(), 2, None))),
        ("values", Box::new(|r| planish_begin_entered_loop(Some(r), entry, values.as_ptr(), 2, null_mut()))),
        ("word", Box::new(|r| planish_entry(Some(r), c"new".as_ptr(), [I64].as_ptr(), 1, None))),
    ];
    let before = given(|out| planish_int(Some(r), 1, out)).expect("a constant");
    let length = given(|out| planish_length(Some(r), out));
    for (index, (name, call)) in nowhere.iter().enumerate() {
        assert_eq!(call(r), Status::Null, "call {index}");
        assert_eq!(message(r), format!("`{name}` is null"), "call {index}");
        assert_eq!(given(|out| planish_length(Some(r), out)), length, "call {index}");
    }
    assert_eq!(given(|out| planish_real(Some(r), 1.0, out)), Ok(before + 1), "no value was made in between");
    assert!(given(|out| planish_class(Some(r), c"new".as_ptr(), out)).is_ok(), "the name is free");
    assert_eq!(
        planish_call(Some(r), callee, values.as_ptr(), 2, None, None),
        Status::Ok,
        "no result is asked for"
    );
    let trace = given(|out| planish_close_loop(Some(r), values.as_ptr(), 2, out)).expect("a trace");
    assert_eq!(text(r, &trace.expect("not null")).matches("call").count(), 1);
}

#[test]
fn without_a_handle_nothing_is_done() {
    let mut recorder = recorder();
    let r = &mut *recorder;
    let state = looping(r);
    assert_eq!(given(|out| planish_int(None, 1, out)), Err(Status::Null));
    assert_eq!(planish_recorder_new(null(), None), Status::Null);
    assert_eq!(planish_op(c"add".as_ptr(), None), Status::Null);
    assert_eq!(given(|out| planish_op(null(), out)), Err(Status::Null));
    assert_eq!(planish_recycle(Some(r), None), Status::Null);
    assert_eq!(message(r), "`trace` is null");
    let finished = given(|out| planish_finish(Some(r), state.as_ptr(), 2, out)).expect("a trace");
    let mut trace = finished.expect("not null");
    assert_eq!(planish_trace_values(Some(&trace), None), Status::Null);
    assert_eq!(planish_trace_values(None, None), Status::Null);
    assert_eq!(planish_trace_state(Some(&trace), None), Status::Null);
    assert_eq!(planish_trace_recipe(Some(&trace), 0, None), Status::Null);
    assert_eq!(planish_trace_operand(Some(r), Some(&trace), state[0], None), Status::Null);
    assert_eq!(planish_trace_operand(Some(r), None, state[0], None), Status::Null);
    assert_eq!(message(r), "`trace` is null");
    let mut cursor = PlanishCursor::default();
    assert_eq!(planish_trace_step(Some(&mut trace), Some(&mut cursor), None), Status::Null);
    assert_eq!(cursor, PlanishCursor::default(), "it did not go on");
    assert_eq!(planish_trace_step(Some(&mut trace), None, None), Status::Null);
    planish_trace_free(None);
    planish_recorder_free(None);
}

/// A trace that was refused is freed once more by its owner; `scripts/check-c` looks at that from C.
#[test]
fn a_trace_that_is_not_taken_back_stays_the_callers() {
    let mut recorder = recorder();
    let state = looping(&mut recorder);
    let finished = given(|out| planish_finish(Some(&mut recorder), state.as_ptr(), 2, out)).expect("a trace");
    let kept: *mut PlanishTrace = Box::into_raw(finished.expect("not null"));
    // SAFETY: the pointer is that of a box, and `planish_recycle` does not take what it refuses.
    let again = || unsafe { Some(Box::from_raw(kept)) };
    assert_eq!(planish_recycle(None, again()), Status::Null);
    recorder.said.broken = true;
    assert_eq!(planish_recycle(Some(&mut recorder), again()), Status::Broken);
    recorder.said.broken = false;
    assert_eq!(text(&recorder, &again().expect("a trace")).lines().count(), 6);
}

#[test]
fn a_panic_ends_at_the_border() {
    let mut recorder = recorder();
    assert_eq!(with(Some(&mut *recorder), |_| panic!("on purpose")), Status::Broken);
    assert_eq!(given(|out| planish_int(Some(&mut recorder), 1, out)), Err(Status::Broken));
    assert!(message(&recorder).starts_with("a mistake of the library"), "{}", message(&recorder));
}
