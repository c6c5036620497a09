//! What the integers can be that a guard hands over, by a walk with facts over what its trace does up to the place where the guard
//! fails.

use planish_domain::IntFact;
use planish_ir::{Function, Inst, Terminator, Value};
use planish_ops::world::{Descr, World};
use planish_ops::{Op, Type};

use super::promises::Promises;
use super::site::{Site, value_of};
use crate::engine::Engine;
use crate::manager::results::facts_of_results;

/// For each value that a guard hands over what it can be, if it is an integer of which something is known. O(length of the trace).
pub(super) fn of_state(
    engine: &mut Engine,
    site: Site<'_>,
    world: &dyn World,
    promises: Promises,
) -> Vec<Option<IntFact>> {
    let state = site.state();
    let is_int = |value: &Value| matches!(site.function.ty(*value), Type::Int(_));
    let values: Vec<Option<Value>> = state.iter().map(|&slot| value_of(site, slot).filter(is_int)).collect();
    let integers: Vec<Value> = values.iter().copied().flatten().collect();
    if integers.is_empty() {
        return vec![None; values.len()];
    }
    let mut cut = cut(site, &integers, promises.value);
    let mut facts = facts_of_results(engine, &mut cut, world).into_iter();
    values.iter().map(|value| value.and_then(|_| facts.next()?)).collect()
}

/// What holds at one place or the other.
pub(super) fn join(known: &mut [Option<IntFact>], other: &[Option<IntFact>]) {
    for (fact, other) in known.iter_mut().zip(other) {
        *fact = fact.zip(*other).map(|(fact, other)| fact.join(other));
    }
}

/// What a trace does up to where a guard of it fails, as a function that returns some values. At the head of a loop anything may
/// come in, for others come there too.
fn cut(site: Site<'_>, results: &[Value], entrance: Descr) -> Function {
    let mut cut = site.function.clone();
    let layout = cut.blocks().to_vec();
    let last = layout.iter().position(|&block| block == site.block).unwrap_or(0);
    let heads: Vec<_> = layout.last().map_or(Vec::new(), |&end| cut.block_calls(end).collect());
    let guard = cut.block_insts(site.block)[site.position];
    let mut insts = cut.block_insts(site.block)[..site.position].to_vec();
    insts.extend(opposite(&mut cut, guard));
    cut.replace_insts(site.block, insts);
    cut.set_layout(layout[..=last].to_vec());
    let types: Vec<Type> = results.iter().map(|&value| cut.ty(value)).collect();
    cut.set_result_types(&types);
    let results = cut.make_list(results);
    cut.set_terminator(site.block, Terminator::Return(results));
    let (entry, kept) = (cut.entry(), &layout[..=last]);
    for head in heads.iter().map(|call| call.block).filter(|head| kept.contains(head)) {
        if head != entry && !cut.is_entrance(head) {
            cut.add_entrance(head, entrance);
        }
    }
    cut
}

/// The guard that passes where another one fails.
fn opposite(f: &mut Function, guard: Inst) -> Option<Inst> {
    let data = *f.inst(guard);
    let op = match data.op {
        Op::GuardTrue => Op::GuardFalse,
        Op::GuardFalse => Op::GuardTrue,
        _ => return None,
    };
    let args = f.args(guard).to_vec();
    Some(f.make_inst(op, &args, &[], None, data.exit, data.location))
}
