//! Recording.

use std::ffi::c_char;

use planish_trace::{Trace, Type, Value};

use crate::border::{Failed, Out, Status, alone, array, fill, put, text, with};
use crate::words::{op_of, type_of, word};
use crate::{PlanishRecorder, PlanishTrace, Word, number};

impl PlanishRecorder {
    /// Does something with the values of some numbers.
    fn with_values<T>(
        &mut self,
        numbers: &[u32],
        act: impl FnOnce(&mut Self, &[Value]) -> Result<T, Failed>,
    ) -> Result<T, Failed> {
        let operands = std::mem::take(&mut self.operands);
        let operands = self.values(numbers, operands)?;
        let result = act(self, &operands);
        self.operands = operands;
        result
    }

    fn one(&self, value: u32) -> Result<Value, Status> {
        self.recorder.value(value as usize).ok_or(Status::NoSuchValue)
    }
}

fn hand_over(trace: Trace, out: Out<'_, Option<Box<PlanishTrace>>>) -> Result<(), Failed> {
    Ok(put(out, Some(Box::new(PlanishTrace { trace, lists: Default::default() })))?)
}

/// Begins a trace with inputs of some types; their values go to `values`. A trace at hand is given up.
#[unsafe(no_mangle)]
extern "C" fn planish_begin(
    recorder: Option<&mut PlanishRecorder>,
    name: *const c_char,
    types: *const u32,
    count: usize,
    values: *mut u32,
) -> Status {
    with(recorder, |r| {
        let types: Vec<Type> =
            array(types, count)?.iter().map(|&ty| type_of(ty)).collect::<Result<_, _>>()?;
        let inputs = r.recorder.begin(text(name)?, &types);
        Ok(fill(values, inputs.iter().map(|&value| number(value)))?)
    })
}

/// The head of the loop: the values that stand for the state in every iteration go to `values`.
#[unsafe(no_mangle)]
extern "C" fn planish_begin_loop(
    recorder: Option<&mut PlanishRecorder>,
    state: *const u32,
    count: usize,
    values: *mut u32,
) -> Status {
    with(recorder, |r| {
        r.with_values(array(state, count)?, |r, state| {
            let params = r.recorder.begin_loop(state)?;
            Ok(fill(values, params.iter().map(|&value| number(value)))?)
        })
    })
}

/// The head of a loop that other traces may enter by an entry, otherwise like `planish_begin_loop`.
#[unsafe(no_mangle)]
extern "C" fn planish_begin_entered_loop(
    recorder: Option<&mut PlanishRecorder>,
    entry: u32,
    state: *const u32,
    count: usize,
    values: *mut u32,
) -> Status {
    with(recorder, |r| {
        let entry = word!(r, Entry, entry);
        r.with_values(array(state, count)?, |r, state| {
            let params = r.recorder.begin_entered_loop(entry, state)?;
            Ok(fill(values, params.iter().map(|&value| number(value)))?)
        })
    })
}

/// An integer constant of 64 bits.
#[unsafe(no_mangle)]
extern "C" fn planish_int(
    recorder: Option<&mut PlanishRecorder>,
    constant: i64,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| Ok(put(value, number(r.recorder.int(constant)))?))
}

/// A float constant of 64 bits.
#[unsafe(no_mangle)]
extern "C" fn planish_real(
    recorder: Option<&mut PlanishRecorder>,
    constant: f64,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| Ok(put(value, number(r.recorder.real(constant)))?))
}

/// The null reference.
#[unsafe(no_mangle)]
extern "C" fn planish_null(recorder: Option<&mut PlanishRecorder>, value: Out<'_, u32>) -> Status {
    with(recorder, |r| Ok(put(value, number(r.recorder.null()))?))
}

/// The address of a class, as guards on classes take it.
#[unsafe(no_mangle)]
extern "C" fn planish_class_address(
    recorder: Option<&mut PlanishRecorder>,
    class_word: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let class = word!(r, Class, class_word);
        Ok(put(value, number(r.recorder.class(class)))?)
    })
}

/// Records an operation with one result whose type its operands tell; a comparison gives a word of 64 bits.
#[unsafe(no_mangle)]
extern "C" fn planish_record(
    recorder: Option<&mut PlanishRecorder>,
    op: u32,
    operands: *const u32,
    count: usize,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let op = op_of(op)?;
        r.with_values(array(operands, count)?, |r, operands| {
            Ok(put(value, number(r.recorder.op(op, operands)?))?)
        })
    })
}

/// Records an operation that may overflow: its result, and a bit for a guard.
#[unsafe(no_mangle)]
extern "C" fn planish_record_overflowing(
    recorder: Option<&mut PlanishRecorder>,
    op: u32,
    operands: *const u32,
    count: usize,
    value: Out<'_, u32>,
    overflows: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let op = op_of(op)?;
        r.with_values(array(operands, count)?, |r, operands| {
            let (result, bit) = r.recorder.overflowing(op, operands)?;
            put(value, number(result))?;
            Ok(put(overflows, number(bit))?)
        })
    })
}

/// Records a guard: where it fails, the trace is left by the exit `exit` with the values of `live`.
#[unsafe(no_mangle)]
extern "C" fn planish_record_guard(
    recorder: Option<&mut PlanishRecorder>,
    op: u32,
    operands: *const u32,
    count: usize,
    exit: u32,
    live: *const u32,
    live_count: usize,
) -> Status {
    with(recorder, |r| {
        let op = op_of(op)?;
        let kept = std::mem::take(&mut r.live);
        let kept = r.values(array(live, live_count)?, kept)?;
        let done = r.with_values(array(operands, count)?, |r, operands| {
            Ok(r.recorder.guard(op, operands, exit, &kept)?)
        });
        r.live = kept;
        done
    })
}

/// Records the making of an object.
#[unsafe(no_mangle)]
extern "C" fn planish_new_object(
    recorder: Option<&mut PlanishRecorder>,
    class_word: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let class = word!(r, Class, class_word);
        Ok(put(value, number(r.recorder.new_object(class)?))?)
    })
}

/// Records the making of an array of a length.
#[unsafe(no_mangle)]
extern "C" fn planish_new_array(
    recorder: Option<&mut PlanishRecorder>,
    array: u32,
    length: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let (array, length) = (word!(r, Array, array), r.one(length)?);
        Ok(put(value, number(r.recorder.new_array(array, length)?))?)
    })
}

/// Records a load of a field of an object that is not null and has it.
#[unsafe(no_mangle)]
extern "C" fn planish_get_field(
    recorder: Option<&mut PlanishRecorder>,
    field: u32,
    object: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let (field, object) = (word!(r, Field, field), r.one(object)?);
        Ok(put(value, number(r.recorder.get(field, object)?))?)
    })
}

/// Records a store to a field of an object that is not null and has it.
#[unsafe(no_mangle)]
extern "C" fn planish_set_field(
    recorder: Option<&mut PlanishRecorder>,
    field: u32,
    object: u32,
    stored: u32,
) -> Status {
    with(recorder, |r| {
        let (field, object, stored) = (word!(r, Field, field), r.one(object)?, r.one(stored)?);
        Ok(r.recorder.set(field, object, stored)?)
    })
}

/// Records a load of an item of an array; the index is in bounds.
#[unsafe(no_mangle)]
extern "C" fn planish_get_item(
    recorder: Option<&mut PlanishRecorder>,
    array: u32,
    object: u32,
    index: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let (array, object, index) = (word!(r, Array, array), r.one(object)?, r.one(index)?);
        Ok(put(value, number(r.recorder.get_item(array, object, index)?))?)
    })
}

/// Records a store to an item of an array; the index is in bounds.
#[unsafe(no_mangle)]
extern "C" fn planish_set_item(
    recorder: Option<&mut PlanishRecorder>,
    array: u32,
    object: u32,
    index: u32,
    stored: u32,
) -> Status {
    with(recorder, |r| {
        let (array, object) = (word!(r, Array, array), r.one(object)?);
        let (index, stored) = (r.one(index)?, r.one(stored)?);
        Ok(r.recorder.set_item(array, object, index, stored)?)
    })
}

/// Records that the length of an array is asked.
#[unsafe(no_mangle)]
extern "C" fn planish_array_length(
    recorder: Option<&mut PlanishRecorder>,
    array: u32,
    object: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let (array, object) = (word!(r, Array, array), r.one(object)?);
        Ok(put(value, number(r.recorder.array_len(array, object)?))?)
    })
}

/// Records a call; with a type it has a result.
#[unsafe(no_mangle)]
extern "C" fn planish_call(
    recorder: Option<&mut PlanishRecorder>,
    callee: u32,
    arguments: *const u32,
    count: usize,
    ty: Option<&u32>,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let callee = word!(r, Callee, callee);
        let ty = ty.map(|&ty| type_of(ty)).transpose()?;
        r.with_values(array(arguments, count)?, |r, arguments| {
            match r.recorder.call(callee, arguments, ty)? {
                Some(result) => Ok(put(value, number(result))?),
                None => Ok(()),
            }
        })
    })
}

/// How many operations the trace at hand has so far.
#[unsafe(no_mangle)]
extern "C" fn planish_length(recorder: Option<&mut PlanishRecorder>, length: Out<'_, usize>) -> Status {
    with(recorder, |r| Ok(put(length, r.recorder.len())?))
}

/// Ends the trace with a jump to the head of its loop, and hands it over.
#[unsafe(no_mangle)]
extern "C" fn planish_close_loop(
    recorder: Option<&mut PlanishRecorder>,
    state: *const u32,
    count: usize,
    trace: Out<'_, Option<Box<PlanishTrace>>>,
) -> Status {
    with(recorder, |r| {
        let made = r.with_values(array(state, count)?, |r, state| Ok(r.recorder.close_loop(state)?))?;
        hand_over(made, trace)
    })
}

/// Ends the trace, which is left with these results, and hands it over.
#[unsafe(no_mangle)]
extern "C" fn planish_finish(
    recorder: Option<&mut PlanishRecorder>,
    results: *const u32,
    count: usize,
    trace: Out<'_, Option<Box<PlanishTrace>>>,
) -> Status {
    with(recorder, |r| {
        let made = r.with_values(array(results, count)?, |r, results| Ok(r.recorder.finish(results)?))?;
        hand_over(made, trace)
    })
}

/// Ends the trace by going on at the head of another trace's loop, and hands it over.
#[unsafe(no_mangle)]
extern "C" fn planish_enter(
    recorder: Option<&mut PlanishRecorder>,
    entry: u32,
    state: *const u32,
    count: usize,
    trace: Out<'_, Option<Box<PlanishTrace>>>,
) -> Status {
    with(recorder, |r| {
        let entry = word!(r, Entry, entry);
        let made = r.with_values(array(state, count)?, |r, state| Ok(r.recorder.enter(entry, state)?))?;
        hand_over(made, trace)
    })
}

/// Gives a trace back to a recorder, whose next trace takes its memory.
#[unsafe(no_mangle)]
extern "C" fn planish_recycle(
    recorder: Option<&mut PlanishRecorder>,
    trace: Option<Box<PlanishTrace>>,
) -> Status {
    with(recorder, |r| {
        r.recorder.recycle(trace.ok_or(Status::Null)?.trace);
        Ok(())
    })
}

/// Gives a trace back.
#[unsafe(no_mangle)]
extern "C" fn planish_trace_free(trace: Option<Box<PlanishTrace>>) {
    let _ = alone(|| {
        drop(trace);
        Ok(())
    });
}

#[cfg(test)]
mod tests {
    use std::mem::MaybeUninit;
    use std::ptr::null;

    use planish_trace::Step;

    use super::*;
    use crate::words::{
        planish_class, planish_entry, planish_field, planish_op, planish_recorder_error, planish_recorder_new,
    };

    /// What a function gives through a pointer.
    fn given<T>(act: impl FnOnce(Out<'_, T>) -> Status) -> Result<T, Status> {
        let mut place = MaybeUninit::uninit();
        match act(Some(&mut place)) {
            // SAFETY: a function that ends well has given its result.
            Status::Ok => Ok(unsafe { place.assume_init() }),
            status => Err(status),
        }
    }

    fn recorder() -> Box<PlanishRecorder> {
        given(|out| planish_recorder_new(null(), out)).expect("a recorder").expect("not null")
    }

    fn message(recorder: &PlanishRecorder) -> String {
        let _ = planish_recorder_error(Some(recorder));
        recorder.message.to_string_lossy().into_owned()
    }

    #[test]
    fn what_is_wrong_is_refused_with_a_reason() {
        let mut recorder = recorder();
        let r = &mut *recorder;
        assert_eq!(given(|out| planish_int(None, 1, out)), Err(Status::Null));
        assert_eq!(planish_int(Some(r), 1, None), Status::Null);
        assert_eq!(given(|out| planish_class(Some(r), null(), out)), Err(Status::Null));
        assert_eq!(given(|out| planish_class(Some(r), c"\xff".as_ptr(), out)), Err(Status::Text));
        let class = given(|out| planish_class(Some(r), c"Box".as_ptr(), out)).expect("a class");
        assert_eq!(given(|out| planish_class(Some(r), c"Box".as_ptr(), out)), Err(Status::Refused));
        assert_eq!(message(r), "`Box` is described twice");
        assert_eq!(
            given(|out| planish_field(Some(r), c"f".as_ptr(), 99, false, out)),
            Err(Status::NoSuchName)
        );
        let add = given(|out| planish_op(c"add".as_ptr(), out)).expect("an operation");
        assert_eq!(given(|out| planish_op(c"ad".as_ptr(), out)), Err(Status::NoSuchName));
        assert_eq!(given(|out| planish_new_object(Some(r), class, out)), Err(Status::Refused));
        assert_eq!(message(r), "no trace was begun");
        let mut inputs = [0; 1];
        assert_eq!(planish_begin(Some(r), c"t".as_ptr(), [4].as_ptr(), 1, inputs.as_mut_ptr()), Status::Ok);
        assert_eq!(given(|out| planish_get_field(Some(r), class, inputs[0], out)), Err(Status::NoSuchWord));
        let operands = [inputs[0], 77];
        assert_eq!(
            given(|out| planish_record(Some(r), add, operands.as_ptr(), 2, out)),
            Err(Status::NoSuchValue)
        );
        assert_eq!(given(|out| planish_record(Some(r), add, null(), 2, out)), Err(Status::Null));
        assert_eq!(given(|out| planish_record(Some(r), add, inputs.as_ptr(), 1, out)), Err(Status::Refused));
        assert!(message(r).starts_with("`add` on 1 operands"), "{}", message(r));
        let finished = given(|out| planish_finish(Some(r), inputs.as_ptr(), 1, out)).expect("a trace");
        assert!(finished.is_some_and(|trace| trace.trace.is_empty()));
    }

    #[test]
    fn a_bridge_enters_a_loop_by_its_entry() {
        let mut recorder = recorder();
        let r = &mut *recorder;
        let types = [4, 7];
        let entry = given(|out| planish_entry(Some(r), c"around".as_ptr(), types.as_ptr(), 2, out));
        let entry = entry.expect("a new word");
        let class = given(|out| planish_class(Some(r), c"Box".as_ptr(), out)).expect("a class");
        let (mut inputs, mut params) = ([0; 2], [0; 2]);
        let begin = |r: &mut PlanishRecorder, inputs: &mut [u32; 2]| {
            planish_begin(Some(r), c"t".as_ptr(), types.as_ptr(), 2, inputs.as_mut_ptr())
        };
        assert_eq!(begin(r, &mut inputs), Status::Ok);
        let enter = |r: &mut PlanishRecorder, word: u32, state: &[u32], params: &mut [u32; 2]| {
            let count = state.len();
            planish_begin_entered_loop(Some(r), word, state.as_ptr(), count, params.as_mut_ptr())
        };
        assert_eq!(enter(r, class, &inputs, &mut params), Status::NoSuchWord);
        assert_eq!(enter(r, entry, &inputs[..1], &mut params), Status::Refused);
        assert_eq!(message(r), "1 values for a loop whose entry takes 2");
        assert_eq!(enter(r, entry, &inputs, &mut params), Status::Ok);
        let closed = given(|out| planish_close_loop(Some(r), params.as_ptr(), 2, out)).expect("a trace");
        let kept = closed.expect("not null").trace;
        let loops = kept.steps().any(|step| matches!(step, Step::Loop { params, .. } if params.len() == 2));
        assert!(loops, "what nothing changes or uses is handed over all the same");
        assert_eq!(begin(r, &mut inputs), Status::Ok);
        let swapped = [inputs[1], inputs[0]];
        assert_eq!(
            given(|out| planish_enter(Some(r), entry, swapped.as_ptr(), 2, out)).err(),
            Some(Status::Refused)
        );
        let bridge = given(|out| planish_enter(Some(r), entry, inputs.as_ptr(), 2, out)).expect("a trace");
        let bridge = bridge.expect("not null").trace;
        assert!(bridge.steps().all(|step| matches!(step, Step::Enter { state, .. } if state.len() == 2)));
    }

    #[test]
    fn a_panic_ends_at_the_border() {
        let mut recorder = recorder();
        assert_eq!(with(Some(&mut recorder), |_| panic!("on purpose")), Status::Broken);
        assert_eq!(given(|out| planish_int(Some(&mut recorder), 1, out)), Err(Status::Broken));
    }
}
