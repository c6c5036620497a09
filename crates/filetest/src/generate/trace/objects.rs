//! Objects, arrays and arrays of structures: made, filled in, linked, read, guarded, compared.

use arbitrary::Result;

use super::draft::{Draft, Kind, Named};
use super::vocabulary::FIELDS;

/// A new object, some of whose fields are set at once.
pub(super) fn new(draft: &mut Draft<'_, '_>) -> Result<()> {
    let (size, class) =
        draft.one_of(&[("node", "node_vtable"), ("node", "node_vtable"), ("leaf", "leaf_vtable")])?;
    let object = draft.made(Kind::Node, 0, &format!("new_with_vtable(descr={size})"));
    draft.known(&object).class = Some(class);
    for (field, kind) in FIELDS {
        if draft.once_in(3)? {
            let value = stored(draft, field, kind)?;
            draft.line(format!("setfield_gc({object}, {value}, descr={field})"));
        }
    }
    Ok(())
}

/// A value that fits a field: PyPy takes for granted that a narrow one gets no more than it can hold.
fn stored(draft: &mut Draft<'_, '_>, field: &str, kind: Kind) -> Result<String> {
    let value = draft.operand(kind)?;
    Ok(match field {
        "small" => draft.result(Kind::Int, &format!("int_and({value}, 255)")),
        _ => value,
    })
}

/// A node that is looked into.
fn node(draft: &mut Draft<'_, '_>) -> Result<Option<Named>> {
    let found = draft.some(Kind::Node, |_| true)?;
    found.iter().try_for_each(|named| draft.there(named))?;
    Ok(found)
}

/// A store into a field that may change.
pub(super) fn set_field(draft: &mut Draft<'_, '_>) -> Result<()> {
    let Some(object) = node(draft)? else { return Ok(()) };
    let (field, kind) = draft.one_of(&FIELDS[..FIELDS.len() - 1])?;
    let value = stored(draft, field, kind)?;
    draft.line(format!("setfield_gc({}, {value}, descr={field})", object.name));
    Ok(())
}

/// A load from a field.
pub(super) fn get_field(draft: &mut Draft<'_, '_>) -> Result<()> {
    if draft.once_in(10)? {
        return watched(draft);
    }
    let Some(object) = node(draft)? else { return Ok(()) };
    let (field, kind) = draft.one_of(&FIELDS)?;
    let letter = suffix(kind);
    draft.result(kind, &format!("getfield_gc_{letter}({}, descr={field})", object.name));
    Ok(())
}

/// A field that a guard watches, of an object that everybody knows.
fn watched(draft: &mut Draft<'_, '_>) -> Result<()> {
    let object = draft.one_of(&["ConstPtr(here)", "ConstPtr(there)"])?;
    draft.line(format!("quasiimmut_field({object}, descr=watched)"));
    draft.guard("guard_not_invalidated()")?;
    draft.result(Kind::Int, &format!("getfield_gc_i({object}, descr=watched)"));
    Ok(())
}

/// What the names of operations end in that yield a kind.
fn suffix(kind: Kind) -> char {
    match kind.letter() {
        'p' => 'r',
        letter => letter,
    }
}

/// A guard on what a reference is, or a promise about one that was made here.
pub(super) fn guard(draft: &mut Draft<'_, '_>) -> Result<()> {
    let Some(object) = draft.some(Kind::Node, |_| true)? else { return Ok(()) };
    let (name, class) = (&object.name, object.class);
    match (draft.below(8)?, class) {
        (0, _) => draft.guard(&format!("guard_nonnull({name})"))?,
        (1, None) => draft.guard(&format!("guard_isnull({name})"))?,
        (2, Some(class)) => draft.line(format!("record_exact_class({name}, ConstClass({class}))")),
        (3, _) if object.there => draft.line(format!("assert_not_none({name})")),
        (4, _) => draft.guard(&format!("guard_value({name}, ConstPtr(here))"))?,
        (5, class) if object.there || class.is_some() => {
            draft.guard(&format!("guard_class({name}, ConstClass({}))", class.unwrap_or("node_vtable")))?;
        }
        (_, class) => {
            let wanted = class.unwrap_or(if draft.once_in(4)? { "leaf_vtable" } else { "node_vtable" });
            draft.guard(&format!("guard_nonnull_class({name}, ConstClass({wanted}))"))?;
        }
    }
    Ok(())
}

/// A comparison of references.
pub(super) fn compare(draft: &mut Draft<'_, '_>) -> Result<()> {
    let kind = draft.one_of(&[Kind::Node, Kind::Node, Kind::Ints, Kind::Bytes])?;
    let (x, y) = (draft.operand(kind)?, draft.operand(kind)?);
    // PyPy compares instances by operations of their own.
    let ops = if kind == Kind::Node { ["instance_ptr_eq", "instance_ptr_ne"] } else { ["ptr_eq", "ptr_ne"] };
    let op = draft.one_of(&ops)?;
    draft.result(Kind::Int, &format!("{op}({x}, {y})"));
    Ok(())
}

/// A new array, or an access to one.
pub(super) fn arrays(draft: &mut Draft<'_, '_>) -> Result<()> {
    let (array, kind, item) = draft.one_of(&[
        ("ints", Kind::Ints, Kind::Int),
        ("ints", Kind::Ints, Kind::Int),
        ("refs", Kind::Refs, Kind::Node),
    ])?;
    let known = draft.some(kind, |_| true)?;
    let Some(known) = known else { return new_array(draft, array, kind, item) };
    if draft.once_in(4)? {
        return new_array(draft, array, kind, item);
    }
    draft.there(&known)?;
    let name = known.name.clone();
    if draft.once_in(6)? {
        draft.result(Kind::Int, &format!("arraylen_gc({name}, descr={array})"));
        return Ok(());
    }
    let index = index(draft, &known)?;
    if draft.once_in(2)? {
        let value = draft.operand(item)?;
        draft.line(format!("setarrayitem_gc({name}, {index}, {value}, descr={array})"));
    } else {
        let letter = suffix(item);
        draft.result(item, &format!("getarrayitem_gc_{letter}({name}, {index}, descr={array})"));
    }
    Ok(())
}

/// An index within what is known of a length: a number, or a few bits of one. Of an array from outside, its length is
/// not asked, so any index is one.
fn index(draft: &mut Draft<'_, '_>, array: &Named) -> Result<String> {
    let least = if array.least == 0 { 3 } else { array.least };
    if least >= 2 && draft.once_in(4)? {
        let x = draft.operand(Kind::Int)?;
        return Ok(draft.result(Kind::Int, &format!("int_and({x}, 1)")));
    }
    Ok(draft.below(least)?.to_string())
}

fn new_array(draft: &mut Draft<'_, '_>, array: &str, kind: Kind, item: Kind) -> Result<()> {
    let length = 1 + draft.below(4)?;
    let clear = !draft.once_in(3)?;
    let op = if clear { "new_array_clear" } else { "new_array" };
    let name = draft.made(kind, length, &format!("{op}({length}, descr={array})"));
    for index in 0..length {
        // What `new_array` makes holds nothing that means something.
        if !clear || draft.once_in(2)? {
            let value = draft.operand(item)?;
            draft.line(format!("setarrayitem_gc({name}, {index}, {value}, descr={array})"));
        }
    }
    Ok(())
}

/// An array of structures.
pub(super) fn structures(draft: &mut Draft<'_, '_>) -> Result<()> {
    let known = draft.some(Kind::Pairs, |_| true)?;
    let Some(array) = known else { return new_structures(draft) };
    if draft.once_in(6)? {
        return new_structures(draft);
    }
    draft.there(&array)?;
    let index = index(draft, &array)?;
    let (field, kind) = draft.one_of(&[("left", Kind::Int), ("right", Kind::Float)])?;
    if draft.once_in(2)? {
        let value = draft.operand(kind)?;
        draft.line(format!("setinteriorfield_gc({}, {index}, {value}, descr={field})", array.name));
    } else {
        let letter = suffix(kind);
        draft.result(kind, &format!("getinteriorfield_gc_{letter}({}, {index}, descr={field})", array.name));
    }
    Ok(())
}

/// A fresh array of structures. Each field is stored, since PyPy takes a load of what was not for one that is never
/// made, cleared or not.
fn new_structures(draft: &mut Draft<'_, '_>) -> Result<()> {
    let length = 1 + draft.below(3)?;
    let name = draft.made(Kind::Pairs, length, &format!("new_array_clear({length}, descr=pairs)"));
    for index in 0..length {
        for (field, kind) in [("left", Kind::Int), ("right", Kind::Float)] {
            let value = draft.operand(kind)?;
            draft.line(format!("setinteriorfield_gc({name}, {index}, {value}, descr={field})"));
        }
    }
    Ok(())
}

/// Items copied from one array to another, or within one.
pub(super) fn copies(draft: &mut Draft<'_, '_>) -> Result<()> {
    let made = |named: &Named| named.least > 0;
    let (Some(from), Some(to)) = (draft.some(Kind::Ints, made)?, draft.some(Kind::Ints, made)?) else {
        return Ok(());
    };
    if draft.once_in(2)? {
        let count = draft.below(from.least + 1)?;
        let (start, target) = (draft.below(from.least - count + 1)?, draft.below(from.least - count + 1)?);
        draft.line(format!("call_n(910, {}, {start}, {target}, {count}, descr=move)", from.name));
        return Ok(());
    }
    let count = draft.below(from.least.min(to.least) + 1)?;
    let (start, target) = (draft.below(from.least - count + 1)?, draft.below(to.least - count + 1)?);
    draft.line(format!("call_n(911, {}, {}, {start}, {target}, {count}, descr=copy)", from.name, to.name));
    Ok(())
}
