//! What a trace is about: its inputs, and steps of a few families that meet each other.

use arbitrary::{Result, Unstructured};

use super::draft::{Draft, Kind};
use super::{calls, numbers, objects, outside, strings};

/// At most so many steps; a step is an operation, or a few that belong together.
const STEPS: u32 = 40;

/// The kinds of what comes in.
pub(super) fn inputs(u: &mut Unstructured<'_>) -> Result<Vec<Kind>> {
    let mut inputs = vec![Kind::Int, Kind::Node, Kind::Int];
    let more = [Kind::Int, Kind::Float, Kind::Node, Kind::Ints, Kind::Refs, Kind::Bytes, Kind::Codes];
    for _ in 0..u.int_in_range(0..=3)? {
        inputs.push(*u.choose(&more)?);
    }
    Ok(inputs)
}

/// Steps of a few families that meet each other: what a trace is about.
pub(super) fn steps(draft: &mut Draft<'_, '_>) -> Result<()> {
    some_steps(draft, STEPS)
}

/// At most so many of them.
pub(super) fn some_steps(draft: &mut Draft<'_, '_>, most: u32) -> Result<()> {
    type Step = fn(&mut Draft<'_, '_>) -> Result<()>;
    const FAMILIES: [&[Step]; 6] = [
        &[objects::new, objects::set_field, objects::get_field, objects::set_field, objects::get_field],
        &[objects::guard, objects::compare, objects::get_field],
        &[objects::arrays, objects::arrays, objects::copies, objects::structures],
        &[strings::strings],
        &[outside::memory],
        &[calls::calls, numbers::floats],
    ];
    let mut about: Vec<&[Step]> = vec![&[numbers::integers, numbers::integers, numbers::guard]];
    for _ in 0..draft.u.int_in_range(1..=3)? {
        about.push(draft.one_of(&FAMILIES)?);
    }
    for _ in 0..draft.u.int_in_range(1..=most)? {
        let family = draft.one_of(&about)?;
        draft.one_of(family)?(draft)?;
    }
    Ok(())
}
