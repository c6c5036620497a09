//! Results that nobody needs.
//!
//! A method whose result no caller needs returns a constant, so that what was computed for the result alone goes. The
//! descriptor stays: callers drop what they get. What a call left on the stack, or what the method was given, is as
//! cheap to return as a constant, and stays.

use planish_base::Id;
use planish_ir::constant::Number;
use planish_ir::{Const, Def, Function, Terminator, Value};
use planish_ops::{Effect, Exits, FloatFormat, Op, Real, Type};

use crate::program::infer::live::Liveness;
use crate::program::infer::sites::Site;

/// What a function returns that is computed for nothing else, if its result does not matter. O(body) if it returns such.
pub(super) fn needless_results(f: &Function, sites: &[Site]) -> Vec<Value> {
    let mut edges = None;
    let mut found = Vec::new();
    for &block in f.blocks() {
        let Terminator::Return(results) = f.terminator(block) else { continue };
        for &result in f.list(*results) {
            let goes = match f.def(result) {
                Def::Const(_) => false,
                Def::Param(block, _) if block == f.entry() => false,
                Def::Result(..) => goes(f, result, sites),
                Def::Param(..) => {
                    merges_nothing(f, result, sites, edges.get_or_insert_with(|| Liveness::none(f)))
                }
            };
            if goes {
                found.push(result);
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether the instruction that gives a value goes if nobody uses that.
fn goes(f: &Function, value: Value, sites: &[Site]) -> bool {
    let Def::Result(inst, _) = f.def(value) else { return true };
    let row = f.row(inst);
    let is_fresh = f.inst(inst).descr.is_some_and(|descr| matches!(sites[descr.index()], Site::New(_)));
    let is_computed = matches!(row.effect, Effect::Pure | Effect::Allocate | Effect::Load);
    is_computed && (row.exits == Exits::Never || f.inst(inst).op == Op::NewArray) || is_fresh
}

/// Whether what merges in a parameter of a block is nowhere left over from an instruction that stays.
fn merges_nothing(f: &Function, merged: Value, sites: &[Site], edges: &Liveness) -> bool {
    let mut is_seen = vec![false; f.value_count()];
    let mut work = vec![merged];
    while let Some(value) = work.pop() {
        if std::mem::replace(&mut is_seen[value.index()], true) {
            continue;
        }
        match f.def(value) {
            Def::Param(block, place) if block != f.entry() => work.extend(edges.incoming(f, block, place)),
            _ if goes(f, value, sites) => {}
            _ => return false,
        }
    }
    true
}

/// Returns constants where these values were returned. Gives how often.
pub(super) fn return_nothing(f: &mut Function, returned: &[Value]) -> u64 {
    if returned.is_empty() {
        return 0;
    }
    let mut count = 0;
    for block in f.blocks().to_vec() {
        let Terminator::Return(results) = *f.terminator(block) else { continue };
        let &[result] = f.list(results) else { continue };
        if returned.binary_search(&result).is_ok()
            && let Some(nothing) = nothing(f.ty(result))
        {
            let nothing = f.make_constant(nothing);
            let results = f.make_list(&[nothing]);
            f.set_terminator(block, Terminator::Return(results));
            count += 1;
        }
    }
    count
}

/// A constant of a type.
fn nothing(ty: Type) -> Option<Const> {
    Some(match ty {
        Type::Int(_) => Const::Int(planish_ops::Int::new(ty.int_width()?, 0)),
        Type::Float(FloatFormat::F32) => Const::Real(Number(Real::F32(0.0))),
        Type::Float(FloatFormat::F64) => Const::Real(Number(Real::F64(0.0))),
        Type::Ref => Const::Null,
        _ => return None,
    })
}
