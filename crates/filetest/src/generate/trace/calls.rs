//! Calls of every effect, look-ups in dictionaries, and virtual references, which exist for the sake of calls that may force.

use arbitrary::Result;

use super::draft::{Draft, Kind};

/// A call.
pub(super) fn calls(draft: &mut Draft<'_, '_>) -> Result<()> {
    let x = draft.operand(Kind::Int)?;
    match draft.below(15)? {
        0 => {
            draft.result(Kind::Int, &format!("call_i(800, {x}, descr=reads)"));
        }
        1 => {
            draft.result(Kind::Int, &format!("call_i(801, {x}, descr=writes)"));
            draft.guard("guard_no_exception()")?;
        }
        2 => may_force(draft, &x)?,
        3 => {
            draft.result(Kind::Int, &format!("call_i(803, {x}, descr=random)"));
            draft.guard("guard_no_exception()")?;
        }
        4 | 5 => {
            draft.result(Kind::Int, &format!("call_pure_i(900, {x}, descr=computes)"));
        }
        6 => {
            let callee = draft.one_of(&["lacks", "fails"])?;
            draft.result(Kind::Int, &format!("call_pure_i(901, {x}, descr={callee})"));
            draft.guard("guard_no_exception()")?;
        }
        7 => {
            draft.result(Kind::Int, "call_loopinvariant_i(804, 1, descr=invariant)");
        }
        8 => {
            let by = draft.one_of(&["1", "2", "3", "-1", "7", "8", "-4", "10"])?;
            let callee = draft.one_of(&["divide", "modulo"])?;
            draft.result(Kind::Int, &format!("call_pure_i(0, {x}, {by}, descr={callee})"));
        }
        9 => {
            let y = draft.operand(Kind::Int)?;
            draft.line(format!("cond_call({x}, 801, {y}, descr=writes)"));
            draft.guard("guard_no_exception()")?;
        }
        10 => {
            let y = draft.operand(Kind::Int)?;
            draft.result(Kind::Int, &format!("cond_call_value_i({x}, 901, {y}, descr=fails)"));
            draft.guard("guard_no_exception()")?;
        }
        11 => {
            let kind = draft.one_of(&[Kind::Node, Kind::Bytes, Kind::Ints, Kind::Int])?;
            let y = draft.operand(kind)?;
            draft.line(format!("escape_n({y})"));
        }
        12 => {
            draft.result(Kind::Node, "escape_r()");
        }
        13 => look_ups(draft, &x)?,
        _ => {
            // What the call gave before is what it gives.
            let known = draft.result(Kind::Int, &format!("call_pure_i(900, {x}, descr=computes)"));
            draft.line(format!("record_known_result({known}, 900, {x}, descr=computes)"));
        }
    }
    Ok(())
}

/// A call that may make the frame's objects visible, perhaps while a virtual reference to one of them is out.
fn may_force(draft: &mut Draft<'_, '_>, x: &str) -> Result<()> {
    let referent = draft.some(Kind::Node, |named| named.class.is_some())?;
    let vref = match referent {
        Some(referent) if draft.once_in(2)? => {
            let vref = draft.made(Kind::Node, 0, &format!("virtual_ref({}, 3)", referent.name));
            if draft.once_in(2)?
                && let Some(holder) = draft.some(Kind::Node, |named| named.there)?
                && holder.name != vref
            {
                draft.line(format!("setfield_gc({}, {vref}, descr=next)", holder.name));
            }
            Some((vref, referent.name))
        }
        _ => None,
    };
    draft.result(Kind::Int, &format!("call_may_force_i(802, {x}, descr=forces)"));
    draft.guard("guard_not_forced()")?;
    draft.guard("guard_no_exception()")?;
    if let Some((vref, referent)) = vref {
        draft.line(format!("virtual_ref_finish({vref}, {referent})"));
        // It is no node: nothing looks into it from here on.
        draft.names.retain(|named| named.name != vref);
    }
    Ok(())
}

/// Look-ups of one key in one dictionary, perhaps with something between that they mind.
fn look_ups(draft: &mut Draft<'_, '_>, hash: &str) -> Result<()> {
    let dictionary = draft.operand(Kind::Node)?;
    let key = draft.operand(Kind::Bytes)?;
    for _ in 0..=draft.below(3)? {
        let purpose = draft.one_of(&["0", "0", "0", "1", "1", "2"])?;
        let function = draft.one_of(&["805", "805", "805", "806"])?;
        let look_up = format!("call_i({function}, {dictionary}, {key}, {hash}, {purpose}, descr=lookup)");
        let found = draft.result(Kind::Int, &look_up);
        draft.guard("guard_no_exception()")?;
        match draft.below(6)? {
            0 => {
                draft.result(Kind::Int, &format!("call_i(801, {found}, descr=writes)"));
                draft.guard("guard_no_exception()")?;
            }
            1 => {
                draft.result(Kind::Int, &format!("call_i(800, {found}, descr=reads)"));
            }
            2 => {
                let there = draft.result(Kind::Int, &format!("int_ge({found}, 0)"));
                draft.guard(&format!("guard_true({there})"))?;
            }
            3 => {
                if let Some(node) = draft.some(Kind::Node, |named| named.there)? {
                    draft.line(format!("setfield_gc({}, {found}, descr=value)", node.name));
                }
            }
            _ => {}
        }
    }
    Ok(())
}
