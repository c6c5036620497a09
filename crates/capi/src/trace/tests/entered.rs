//! Loops that other traces enter.

use planish_trace::Step;

use super::{message, recorder};
use crate::border::Status;
use crate::place::given;
use crate::trace::record::*;
use crate::trace::recorder::PlanishRecorder;
use crate::trace::words::*;

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
    assert_eq!(enter(r, entry, &inputs, &mut params), Status::Refused, "a trace has one loop");
    // The trace at hand is given up, and the loop recorded again.
    assert_eq!(begin(r, &mut inputs), Status::Ok);
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
