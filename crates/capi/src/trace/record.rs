//! Recording.

use std::ffi::c_char;
use std::mem::{MaybeUninit, take};

use planish_trace::{Recorder, Refused, Trace, Type, Value};

use super::recorder::{PlanishRecorder, Word};
use super::walk::PlanishTrace;
use super::words::word;
use crate::border::{Failed, Out, Status, array, free, number, place, room, text, with};
use crate::names::{op_of, type_of};

impl PlanishRecorder {
    /// Does something with the values of some numbers.
    fn with_values<T>(
        &mut self,
        numbers: &[u32],
        act: impl FnOnce(&mut Recorder, &[Value]) -> Result<T, Refused>,
    ) -> Result<T, Failed> {
        let mut values = take(&mut self.operands);
        let found = self.values(numbers, &mut values);
        let result = found.and_then(|()| Ok(act(&mut self.recorder, &values)?));
        self.operands = values;
        result
    }
}

fn fill(room: &mut [MaybeUninit<u32>], values: &[Value]) {
    for (place, &value) in room.iter_mut().zip(values) {
        place.write(number(value));
    }
}

fn hand_over(trace: Trace, place: &mut MaybeUninit<Option<Box<PlanishTrace>>>) {
    place.write(Some(Box::new(PlanishTrace { trace, lists: Default::default() })));
}

/// Begins a trace in some way; the values that it begins with go to `values`.
fn begins(
    r: &mut PlanishRecorder,
    name: *const c_char,
    (values, count): (*mut u32, usize),
    begin: impl for<'r> FnOnce(&'r mut Recorder, &str) -> Result<&'r [Value], Failed>,
) -> Result<(), Failed> {
    let (name, values) = (text(name, "name")?, room(values, count, "values")?);
    fill(values, begin(&mut r.recorder, name)?);
    Ok(())
}

/// Begins a trace with inputs of some types; their values go to `values`. A trace at hand is given up.
#[unsafe(no_mangle)]
pub extern "C" fn planish_begin(
    recorder: Option<&mut PlanishRecorder>,
    name: *const c_char,
    types: *const u32,
    count: usize,
    values: *mut u32,
) -> Status {
    with(recorder, |r| {
        let types = array(types, count, "types")?;
        let types: Vec<Type> = types.iter().map(|&ty| type_of(ty)).collect::<Result<_, _>>()?;
        begins(r, name, (values, count), |recorder, name| Ok(recorder.begin(name, &types)?))
    })
}

/// Begins a bridge, a trace that goes on where another one leaves through an exit: what that guard was recorded with goes to
/// `values`.
#[unsafe(no_mangle)]
pub extern "C" fn planish_begin_bridge(
    recorder: Option<&mut PlanishRecorder>,
    name: *const c_char,
    parent: Option<&PlanishTrace>,
    exit: u32,
    count: usize,
    values: *mut u32,
) -> Status {
    with(recorder, |r| {
        let parent = left(parent, exit, count)?;
        begins(r, name, (values, count), |recorder, name| Ok(recorder.begin_bridge(name, parent, exit)?))
    })
}

/// The same for a bridge that takes what is kept for the exit, which goes to `kept`: what the guard was recorded with goes to
/// `values`, made of that.
#[unsafe(no_mangle)]
pub extern "C" fn planish_begin_bridge_unmade(
    recorder: Option<&mut PlanishRecorder>,
    name: *const c_char,
    parent: Option<&PlanishTrace>,
    exit: u32,
    count: usize,
    values: *mut u32,
    kept_count: usize,
    kept: *mut u32,
) -> Status {
    with(recorder, |r| {
        let kept = room(kept, kept_count, "kept")?;
        let parent = left(parent, exit, count)?;
        are_as_many(parent.kept(exit), kept_count, exit)?;
        begins(r, name, (values, count), |recorder, name| {
            Ok(recorder.begin_bridge_unmade(name, parent, exit)?)
        })?;
        fill(kept, r.recorder.inputs());
        Ok(())
    })
}

/// The trace that a bridge leaves through an exit, which was recorded with so many values.
fn left(parent: Option<&PlanishTrace>, exit: u32, count: usize) -> Result<&Trace, Failed> {
    let PlanishTrace { trace, .. } = parent.ok_or(Failed::Null("parent"))?;
    are_as_many(trace.handed_over(exit), count, exit)?;
    Ok(trace)
}

/// Refuses room for another number of values than an exit has, where it is one.
fn are_as_many(types: Option<Vec<Type>>, count: usize, exit: u32) -> Result<(), Failed> {
    match types {
        Some(types) if types.len() != count => {
            let message = format!("room for {count} values where the exit {exit} has {}", types.len());
            Err(Failed::Said(Status::Refused, message))
        }
        // What is no exit is refused by name.
        _ => Ok(()),
    }
}

/// Begins the head of a loop in some way; the values that stand for the state go to `values`.
fn begins_loop(
    r: &mut PlanishRecorder,
    state: *const u32,
    (values, count): (*mut u32, usize),
    begin: impl for<'r> FnOnce(&'r mut Recorder, &[Value]) -> Result<&'r [Value], Refused>,
) -> Result<(), Failed> {
    let (state, values) = (array(state, count, "state")?, room(values, count, "values")?);
    r.with_values(state, |recorder, state| {
        fill(values, begin(recorder, state)?);
        Ok(())
    })
}

/// The head of the loop: the values that stand for the state in every iteration go to `values`.
#[unsafe(no_mangle)]
pub extern "C" fn planish_begin_loop(
    recorder: Option<&mut PlanishRecorder>,
    state: *const u32,
    count: usize,
    values: *mut u32,
) -> Status {
    with(recorder, |r| begins_loop(r, state, (values, count), |recorder, state| recorder.begin_loop(state)))
}

/// The head of a loop that other traces may enter by an entry, otherwise like `planish_begin_loop`.
#[unsafe(no_mangle)]
pub extern "C" fn planish_begin_entered_loop(
    recorder: Option<&mut PlanishRecorder>,
    entry: u32,
    state: *const u32,
    count: usize,
    values: *mut u32,
) -> Status {
    with(recorder, |r| {
        let entry = word!(r, Entry, entry);
        begins_loop(r, state, (values, count), |recorder, state| recorder.begin_entered_loop(entry, state))
    })
}

/// Gives a constant of the trace at hand.
fn constant(
    r: &mut PlanishRecorder,
    value: Out<'_, u32>,
    make: impl FnOnce(&mut Recorder) -> Value,
) -> Result<(), Failed> {
    let value = place(value, "value")?;
    r.begun()?;
    value.write(number(make(&mut r.recorder)));
    Ok(())
}

/// An integer constant of 64 bits.
#[unsafe(no_mangle)]
pub extern "C" fn planish_int(
    recorder: Option<&mut PlanishRecorder>,
    number: i64,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| constant(r, value, |recorder| recorder.int(number)))
}

/// A float constant of 64 bits.
#[unsafe(no_mangle)]
pub extern "C" fn planish_real(
    recorder: Option<&mut PlanishRecorder>,
    number: f64,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| constant(r, value, |recorder| recorder.real(number)))
}

/// The null reference.
#[unsafe(no_mangle)]
pub extern "C" fn planish_null(recorder: Option<&mut PlanishRecorder>, value: Out<'_, u32>) -> Status {
    with(recorder, |r| constant(r, value, Recorder::null))
}

/// The address of a class, as guards on classes take it.
#[unsafe(no_mangle)]
pub extern "C" fn planish_class_address(
    recorder: Option<&mut PlanishRecorder>,
    class_word: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let class = word!(r, Class, class_word);
        constant(r, value, |recorder| recorder.class(class))
    })
}

/// Records an operation with one result whose type its operands tell; a comparison gives a word of 64 bits.
#[unsafe(no_mangle)]
pub extern "C" fn planish_record(
    recorder: Option<&mut PlanishRecorder>,
    op: u32,
    operands: *const u32,
    count: usize,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let (operands, value) = (array(operands, count, "operands")?, place(value, "value")?);
        let op = op_of(op)?;
        value.write(number(r.with_values(operands, |recorder, operands| recorder.op(op, operands))?));
        Ok(())
    })
}

/// Records an operation with one result of a type that is named, such as a conversion.
#[unsafe(no_mangle)]
pub extern "C" fn planish_record_typed(
    recorder: Option<&mut PlanishRecorder>,
    op: u32,
    operands: *const u32,
    count: usize,
    ty: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let (operands, value) = (array(operands, count, "operands")?, place(value, "value")?);
        let (op, ty) = (op_of(op)?, type_of(ty)?);
        let result = r.with_values(operands, |recorder, operands| recorder.op_typed(op, operands, ty))?;
        value.write(number(result));
        Ok(())
    })
}

/// Records an operation that may overflow: its result, and a bit for a guard.
#[unsafe(no_mangle)]
pub extern "C" fn planish_record_overflowing(
    recorder: Option<&mut PlanishRecorder>,
    op: u32,
    operands: *const u32,
    count: usize,
    value: Out<'_, u32>,
    overflows: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let operands = array(operands, count, "operands")?;
        let (value, overflows) = (place(value, "value")?, place(overflows, "overflows")?);
        let op = op_of(op)?;
        let (result, bit) =
            r.with_values(operands, |recorder, operands| recorder.overflowing(op, operands))?;
        value.write(number(result));
        overflows.write(number(bit));
        Ok(())
    })
}

/// Records a guard: where it fails, the trace is left by the exit `exit` with the values of `live`.
#[unsafe(no_mangle)]
pub extern "C" fn planish_record_guard(
    recorder: Option<&mut PlanishRecorder>,
    op: u32,
    operands: *const u32,
    count: usize,
    exit: u32,
    live: *const u32,
    live_count: usize,
) -> Status {
    with(recorder, |r| {
        let (operands, live) = (array(operands, count, "operands")?, array(live, live_count, "live")?);
        let op = op_of(op)?;
        let mut kept = take(&mut r.live);
        let found = r.values(live, &mut kept);
        let done = found.and_then(|()| {
            r.with_values(operands, |recorder, operands| recorder.guard(op, operands, exit, &kept))
        });
        r.live = kept;
        done
    })
}

/// Records the making of an object.
#[unsafe(no_mangle)]
pub extern "C" fn planish_new_object(
    recorder: Option<&mut PlanishRecorder>,
    class_word: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let value = place(value, "value")?;
        let class = word!(r, Class, class_word);
        value.write(number(r.recorder.new_object(class)?));
        Ok(())
    })
}

/// Records the making of an array of a length.
#[unsafe(no_mangle)]
pub extern "C" fn planish_new_array(
    recorder: Option<&mut PlanishRecorder>,
    array: u32,
    length: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let value = place(value, "value")?;
        let (array, length) = (word!(r, Array, array), r.value(length)?);
        value.write(number(r.recorder.new_array(array, length)?));
        Ok(())
    })
}

/// Records a load of a field of an object that is not null and has it.
#[unsafe(no_mangle)]
pub extern "C" fn planish_get_field(
    recorder: Option<&mut PlanishRecorder>,
    field: u32,
    object: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let value = place(value, "value")?;
        let (field, object) = (word!(r, Field, field), r.value(object)?);
        value.write(number(r.recorder.get(field, object)?));
        Ok(())
    })
}

/// Records a store to a field of an object that is not null and has it.
#[unsafe(no_mangle)]
pub extern "C" fn planish_set_field(
    recorder: Option<&mut PlanishRecorder>,
    field: u32,
    object: u32,
    stored: u32,
) -> Status {
    with(recorder, |r| {
        let (field, object, stored) = (word!(r, Field, field), r.value(object)?, r.value(stored)?);
        Ok(r.recorder.set(field, object, stored)?)
    })
}

/// Records a load of an item of an array; the index is in bounds.
#[unsafe(no_mangle)]
pub extern "C" fn planish_get_item(
    recorder: Option<&mut PlanishRecorder>,
    array: u32,
    object: u32,
    index: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let value = place(value, "value")?;
        let (array, object, index) = (word!(r, Array, array), r.value(object)?, r.value(index)?);
        value.write(number(r.recorder.get_item(array, object, index)?));
        Ok(())
    })
}

/// Records a store to an item of an array; the index is in bounds.
#[unsafe(no_mangle)]
pub extern "C" fn planish_set_item(
    recorder: Option<&mut PlanishRecorder>,
    array: u32,
    object: u32,
    index: u32,
    stored: u32,
) -> Status {
    with(recorder, |r| {
        let (array, object) = (word!(r, Array, array), r.value(object)?);
        let (index, stored) = (r.value(index)?, r.value(stored)?);
        Ok(r.recorder.set_item(array, object, index, stored)?)
    })
}

/// Records that the length of an array is asked.
#[unsafe(no_mangle)]
pub extern "C" fn planish_array_length(
    recorder: Option<&mut PlanishRecorder>,
    array: u32,
    object: u32,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let value = place(value, "value")?;
        let (array, object) = (word!(r, Array, array), r.value(object)?);
        value.write(number(r.recorder.array_len(array, object)?));
        Ok(())
    })
}

/// Records a call; with a type it has a result.
#[unsafe(no_mangle)]
pub extern "C" fn planish_call(
    recorder: Option<&mut PlanishRecorder>,
    callee: u32,
    arguments: *const u32,
    count: usize,
    ty: Option<&u32>,
    value: Out<'_, u32>,
) -> Status {
    with(recorder, |r| {
        let arguments = array(arguments, count, "arguments")?;
        let value = ty.map(|_| place(value, "value")).transpose()?;
        let (callee, ty) = (word!(r, Callee, callee), ty.map(|&ty| type_of(ty)).transpose()?);
        let result = r.with_values(arguments, |recorder, arguments| recorder.call(callee, arguments, ty))?;
        if let (Some(value), Some(result)) = (value, result) {
            value.write(number(result));
        }
        Ok(())
    })
}

/// How many operations the trace at hand has so far.
#[unsafe(no_mangle)]
pub extern "C" fn planish_length(recorder: Option<&mut PlanishRecorder>, length: Out<'_, usize>) -> Status {
    with(recorder, |r| {
        place(length, "length")?.write(r.recorder.len());
        Ok(())
    })
}

/// Ends the trace with a jump to the head of its loop, and hands it over.
#[unsafe(no_mangle)]
pub extern "C" fn planish_close_loop(
    recorder: Option<&mut PlanishRecorder>,
    state: *const u32,
    count: usize,
    trace: Out<'_, Option<Box<PlanishTrace>>>,
) -> Status {
    with(recorder, |r| {
        let (state, trace) = (array(state, count, "state")?, place(trace, "trace")?);
        hand_over(r.with_values(state, Recorder::close_loop)?, trace);
        Ok(())
    })
}

/// Ends the trace, which is left with these results, and hands it over.
#[unsafe(no_mangle)]
pub extern "C" fn planish_finish(
    recorder: Option<&mut PlanishRecorder>,
    results: *const u32,
    count: usize,
    trace: Out<'_, Option<Box<PlanishTrace>>>,
) -> Status {
    with(recorder, |r| {
        let (results, trace) = (array(results, count, "results")?, place(trace, "trace")?);
        hand_over(r.with_values(results, Recorder::finish)?, trace);
        Ok(())
    })
}

/// Ends the trace by going on at the head of another trace's loop, and hands it over.
#[unsafe(no_mangle)]
pub extern "C" fn planish_enter(
    recorder: Option<&mut PlanishRecorder>,
    entry: u32,
    state: *const u32,
    count: usize,
    trace: Out<'_, Option<Box<PlanishTrace>>>,
) -> Status {
    with(recorder, |r| {
        let entry = word!(r, Entry, entry);
        let (state, trace) = (array(state, count, "state")?, place(trace, "trace")?);
        hand_over(r.with_values(state, |recorder, state| recorder.enter(entry, state))?, trace);
        Ok(())
    })
}

/// Gives a trace back to a recorder, whose next trace takes its memory. One that is refused stays the caller's.
#[unsafe(no_mangle)]
pub extern "C" fn planish_recycle(
    recorder: Option<&mut PlanishRecorder>,
    trace: Option<Box<PlanishTrace>>,
) -> Status {
    let mut trace = trace;
    let status = with(recorder, |r| {
        r.recorder.recycle(trace.take().ok_or(Failed::Null("trace"))?.trace);
        Ok(())
    });
    // It is given back once more by whoever still has it.
    std::mem::forget(trace);
    status
}

/// Gives a trace back.
#[unsafe(no_mangle)]
pub extern "C" fn planish_trace_free(trace: Option<Box<PlanishTrace>>) {
    free(trace);
}
