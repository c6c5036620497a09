//! Dead array elimination (Muchnick 1997, 18.10): arrays that are only filled, and the stores that fill them.
//!
//! A table whose last reader went is still made, item by item. A fresh array goes if all that happens to it is that
//! items are set which it has: its length and their positions are constants, and what is set cannot be of a wrong
//! class. What was set may be unused then, so arrays of arrays go from the outside in; those that one instruction makes go
//! together, if nothing is set in them.

use planish_base::Id;
use planish_classfile::{ConstantPool, Insn, Operand};
use planish_ir::{Const, Def, Function, Inst, Terminator, Value};
use planish_jvm_ir::naming::{Named, Names};
use planish_jvm_model::hierarchy::Hierarchy;
use planish_ops::Op;
use planish_pass::{Became, Leave};

use crate::transform::marked::Marked;
use crate::transform::seen::Seen;

/// The longest array that goes: one so long that there may be no room for it stays.
pub(super) const LONGEST: i64 = 1 << 16;

/// The classes that a text is of.
const OF_TEXTS: [&[u8]; 5] = [
    b"java/lang/Object",
    b"java/lang/String",
    b"java/lang/CharSequence",
    b"java/lang/Comparable",
    b"java/io/Serializable",
];

/// Removes arrays that are only filled, and the stores that fill them. Gives the number of arrays. O(function) for
/// each level of arrays in arrays.
pub fn remove_arrays(
    f: &mut Function,
    names: &Names,
    pool: &ConstantPool<'_>,
    hierarchy: &Hierarchy,
    leave: &mut Leave<'_>,
) -> u64 {
    let mut count = 0;
    loop {
        let removed = remove_outermost(f, names, pool, hierarchy, leave);
        if removed == 0 {
            return count;
        }
        count += removed;
    }
}

fn remove_outermost(
    f: &mut Function,
    names: &Names,
    pool: &ConstantPool<'_>,
    hierarchy: &Hierarchy,
    leave: &mut Leave<'_>,
) -> u64 {
    // For each value that is a fresh array its length, as long as it is only filled.
    let mut lengths: Vec<Option<i64>> = vec![None; f.value_count()];
    let mut arrays: Vec<Inst> = Vec::new();
    for (_, inst) in f.live_insts() {
        let length = length(f, inst, names, pool, hierarchy);
        if let Some(length) = length.or_else(|| items_together(f, inst, names, pool, hierarchy)) {
            lengths[f.result(inst).index()] = Some(length);
            arrays.push(inst);
        }
    }
    if arrays.is_empty() {
        return 0;
    }
    let escapes = |values: &[Value], lengths: &mut Vec<Option<i64>>| {
        values.iter().for_each(|value| lengths[value.index()] = None);
    };
    for (_, inst) in f.live_insts() {
        let args = f.args(inst);
        let fills = f.inst(inst).op == Op::SetItem
            && lengths[args[0].index()].is_some_and(|length| fits(f, inst, length, names, pool, hierarchy));
        escapes(if fills { &args[1..] } else { args }, &mut lengths);
        if let Some(exit) = f.inst(inst).exit {
            escapes(f.exit_args(exit), &mut lengths);
        }
    }
    for &block in f.blocks() {
        let terminator = f.terminator(block);
        escapes(terminator.condition().as_slice(), &mut lengths);
        for call in terminator.calls() {
            escapes(f.list(call.args), &mut lengths);
        }
        match terminator {
            Terminator::Return(results) => escapes(f.list(*results), &mut lengths),
            Terminator::Throw(value, exit) => {
                escapes(&[*value], &mut lengths);
                exit.iter().for_each(|&exit| escapes(f.exit_args(exit), &mut lengths));
            }
            _ => {}
        }
    }
    for &inst in &arrays {
        let length = &mut lengths[f.result(inst).index()];
        if length.is_some() && !leave.rewrite(f, inst, Became::Nothing) {
            *length = None;
        }
    }
    let mut removed = Marked::new(f);
    for (_, inst) in f.live_insts() {
        let fills = f.inst(inst).op == Op::SetItem && lengths[f.args(inst)[0].index()].is_some();
        let makes = f.first_result(inst).is_some_and(|array| lengths[array.index()].is_some());
        if fills || makes {
            removed.add(inst);
        }
    }
    arrays.retain(|&inst| lengths[f.result(inst).index()].is_some());
    removed.remove(f);
    arrays.len() as u64
}

/// The instruction that makes a fresh array.
fn maker<'n>(f: &Function, inst: Inst, names: &'n Names) -> Option<&'n Insn> {
    match (f.inst(inst).op, names.named(f.inst(inst).descr?)) {
        (Op::NewArray, Named::NewArray(made)) => Some(made),
        _ => None,
    }
}

/// The length of a fresh array if that is a constant which arrays may have, and its items are of a class that is there.
pub(super) fn length(
    f: &Function,
    inst: Inst,
    names: &Names,
    pool: &ConstantPool<'_>,
    hierarchy: &Hierarchy,
) -> Option<i64> {
    let made = maker(f, inst, names)?;
    if let Operand::Constant(index) = made.operand {
        let element = pool.class(index).ok()?;
        let is_there = element.first() == Some(&b'[')
            || hierarchy.lookup(element).is_some_and(|element| hierarchy.get(element).is_some());
        is_there.then_some(())?;
    }
    int(f, f.args(inst)[0]).filter(|length| (0..=LONGEST).contains(length))
}

/// How many items the arrays in an array have that is made together with them, if their lengths are constants which arrays may
/// have, and its items are of a class that is there. Of what is set in one nothing is known.
fn items_together(
    f: &Function,
    inst: Inst,
    names: &Names,
    pool: &ConstantPool<'_>,
    hierarchy: &Hierarchy,
) -> Option<i64> {
    let Operand::Dimensions { class, .. } = names.instruction_of(f, inst)?.operand else { return None };
    let class = pool.class(class).ok()?;
    let element = class.iter().position(|byte| *byte != b'[').map_or(&[][..], |start| &class[start..]);
    if let Some(element) = element.strip_prefix(b"L").and_then(|name| name.strip_suffix(b";")) {
        hierarchy.get(hierarchy.lookup(element)?)?;
    }
    let lengths = f.args(inst).iter().map(|&length| int(f, length).filter(|length| *length >= 0));
    let all = lengths
        .collect::<Option<Vec<i64>>>()?
        .into_iter()
        .try_fold(1i64, |all, length| all.checked_mul(length.max(1)))?;
    (all <= LONGEST).then_some(all)
}

/// The number that a value is, if that is a constant.
pub(super) fn int(f: &Function, value: Value) -> Option<i64> {
    match f.constant(value)? {
        Const::Int(int) => Some(int.signed()),
        _ => None,
    }
}

/// The letter of the type of the elements of a fresh array.
pub(super) fn elements(f: &Function, inst: Inst, names: &Names) -> Option<u8> {
    match maker(f, inst, names)?.operand {
        Operand::Immediate(code) => primitive_array(code).get(1).copied(),
        _ => Some(b'L'),
    }
}

/// Whether a store sets an item that an array of this length has, to what the array takes.
pub(super) fn fits(
    f: &Function,
    inst: Inst,
    length: i64,
    names: &Names,
    pool: &ConstantPool<'_>,
    hierarchy: &Hierarchy,
) -> bool {
    let &[array, place, value] = f.args(inst) else { return false };
    let is_inside = int(f, place).is_some_and(|place| (0..length).contains(&place));
    let made = f.def_inst(array).and_then(|made| maker(f, made, names));
    is_inside
        && made.is_some_and(|made| match made.operand {
            Operand::Constant(index) => {
                pool.class(index).is_ok_and(|element| takes(f, element, value, names, pool, hierarchy))
            }
            _ => true,
        })
}

/// Whether a value is surely one that an array of these elements takes.
fn takes(
    f: &Function,
    element: &[u8],
    value: Value,
    names: &Names,
    pool: &ConstantPool<'_>,
    hierarchy: &Hierarchy,
) -> bool {
    if element == b"java/lang/Object" {
        return true;
    }
    match f.constant(value) {
        Some(Const::Null) => return true,
        Some(Const::Symbol(..)) => return OF_TEXTS.contains(&element),
        _ => {}
    }
    let Def::Result(inst, 0) = f.def(value) else { return false };
    if let Some(made) = maker(f, inst, names) {
        let content = match made.operand {
            Operand::Constant(index) => pool.class(index).map(|name| match name.first() {
                Some(b'[') => [b"[", name].concat(),
                _ => [b"[L", name, b";"].concat(),
            }),
            Operand::Immediate(code) => Ok(primitive_array(code)),
            _ => return false,
        };
        return content.is_ok_and(|name| name == element);
    }
    // What a verifier sees, it is.
    let seen = Seen { names, pool, hierarchy, ty: None, receiver: (None, false) };
    let element = hierarchy.lookup(element);
    matches!((seen.class(f, value), element), (Some(class), Some(element))
        if hierarchy.is_subtype(class, element) == Some(true))
}

/// The name of the class of arrays that `newarray` makes.
fn primitive_array(code: i16) -> Vec<u8> {
    let letters = b"ZCFDBSIJ";
    let letter = usize::try_from(code - 4).ok().and_then(|place| letters.get(place));
    letter.map_or_else(Vec::new, |&letter| vec![b'[', letter])
}
