//! Memory outside of the heap: allocated, written and read at offsets that overlap, moved along, freed.

use arbitrary::Result;

use super::draft::{Draft, Kind, Named};

/// An operation on memory outside of the heap.
pub(super) fn memory(draft: &mut Draft<'_, '_>) -> Result<()> {
    let Some(memory) = draft.some(Kind::Memory, |named| named.least > 0)? else { return allocate(draft) };
    match draft.below(10)? {
        0 => allocate(draft),
        1 => free(draft, &memory),
        2 => along(draft, &memory),
        3..=6 => store(draft, &memory),
        _ => load(draft, &memory),
    }
}

fn allocate(draft: &mut Draft<'_, '_>) -> Result<()> {
    let size = draft.one_of(&[8, 16, 24])?;
    let name = draft.made(Kind::Memory, size, &format!("call_i(920, {size}, descr=malloc)"));
    draft.guard("guard_no_exception()")?;
    for at in 0..size / 8 {
        let value = draft.operand(Kind::Int)?;
        draft.line(format!("setarrayitem_raw({name}, {at}, {value}, descr=words)"));
    }
    Ok(())
}

/// Nothing looks at memory that is freed, nor into the middle of it.
fn free(draft: &mut Draft<'_, '_>, memory: &Named) -> Result<()> {
    // An address within a piece is none that can be freed.
    if memory.within.is_none() {
        draft.line(format!("call_n(921, {}, descr=free)", memory.name));
        let gone = |named: &Named| named.name == memory.name || named.within.as_ref() == Some(&memory.name);
        draft.names.retain(|named| !gone(named));
    }
    Ok(())
}

/// An address within a piece.
fn along(draft: &mut Draft<'_, '_>, memory: &Named) -> Result<()> {
    let distance = draft.one_of(&[4, 8])?;
    if memory.least > distance {
        let least = memory.least - distance;
        let name = draft.made(Kind::Memory, least, &format!("int_add({}, {distance})", memory.name));
        draft.known(&name).within = Some(memory.within.as_ref().unwrap_or(&memory.name).clone());
    }
    Ok(())
}

/// How many bytes an access is wide, and whether its offset counts items.
fn access(draft: &mut Draft<'_, '_>, memory: &Named) -> Result<(&'static str, bool, u32)> {
    let (array, bytes) = draft.one_of(&[("words", 8), ("halves", 4), ("bytes", 1), ("doubles", 8)])?;
    let items = array != "halves" && draft.once_in(2)?;
    let places = (memory.least.saturating_sub(bytes)) / if items { bytes } else { 1 } + 1;
    Ok((array, items, draft.below(places)?))
}

fn store(draft: &mut Draft<'_, '_>, memory: &Named) -> Result<()> {
    if memory.least < 8 {
        return Ok(());
    }
    let (array, items, at) = access(draft, memory)?;
    let value = draft.operand(if array == "doubles" { Kind::Float } else { Kind::Int })?;
    let op = if items { "setarrayitem_raw" } else { "raw_store" };
    draft.line(format!("{op}({}, {at}, {value}, descr={array})", memory.name));
    Ok(())
}

fn load(draft: &mut Draft<'_, '_>, memory: &Named) -> Result<()> {
    if memory.least < 8 {
        return Ok(());
    }
    let (array, items, at) = access(draft, memory)?;
    let kind = if array == "doubles" { Kind::Float } else { Kind::Int };
    let op = if items { "getarrayitem_raw" } else { "raw_load" };
    draft.result(kind, &format!("{op}_{}({}, {at}, descr={array})", kind.letter(), memory.name));
    Ok(())
}
