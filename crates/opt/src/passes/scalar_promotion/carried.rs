//! What is carried on from round to round (predictive commoning; Callahan, Carr and Kennedy, "Improving Register Allocation for
//! Subscripted Variables", PLDI 1990): a load of bytes that the round before loaded or stored is a variable of the loop.
//!
//! ```text
//! h(i): a = raw_load(p, i)                front: s = raw_load(p, 0)
//!       j = add(i, 4)                     h(i, a): j = add(i, 4)
//!       b = raw_load(p, j)     becomes             b = raw_load(p, j)
//!       ... a ... b ...                            ... a ... b ...
//!       branch c, h(j), x                          branch c, h(j, b), x
//! ```
//!
//! Addresses are [chains of recurrences](crate::analysis::recurrence): a base that does not change, and an offset with a constant
//! step. One access is a round ahead of a load if it lies one step further. Between the two nothing may write there: of every
//! store of the loop it must be known that it is elsewhere, in the round of either. The load has to be made in the first round,
//! whatever happens there: so what is loaded in front of the loop is loaded anyway.

use planish_ir::dominators::Dominators;
use planish_ir::{Cfg, Function, Inst, Location, Stands, Value};
use planish_ops::{Effect, Op, Type};
use planish_pass::{Became, LoopInfo, PassCx};

use super::super::own_loop::{Own, pass};
use crate::analysis::alias::{Access, Alias, Raw};
use crate::analysis::evolution::Evolution;
use crate::analysis::expressions::{Expr, Expressions, Writer};
use crate::analysis::scalar_evolution::ScalarEvolution;
use crate::passes::load_elimination::of_a_load;

/// At most so many accesses of a loop that are held against each other.
const ACCESSES: usize = 32;

/// An access outside of the heap whose address is a chain.
struct Stepping {
    inst: Inst,
    /// Its block.
    home: u32,
    kind: Access,
    class: u32,
    /// The base, which does not change.
    object: Option<Value>,
    /// The variable part of the offset in the first round.
    start: Expr,
    /// What each round adds to it.
    step: i64,
    raw: Raw,
}

/// Makes loads of what the round before accessed variables of their loops. Whether there were any.
pub(super) fn carry(f: &mut Function, cx: &mut PassCx<'_>) -> bool {
    let (cfg, dominators) = (cx.get::<Cfg>(f), cx.get::<Dominators>(f));
    let (loops, evolution) = (cx.get::<LoopInfo>(f), cx.get::<ScalarEvolution>(f));
    let mut expressions = evolution.expressions.clone();
    let mut stands = Stands::default();
    let mut any = false;
    for index in 0..loops.all().len() as u32 {
        if !loops.all()[index as usize].innermost {
            continue;
        }
        let Some(own) = Own::of(f, &cfg, &dominators, &loops, index) else { continue };
        let of_loop = &evolution.loops[index as usize];
        for (load, ahead) in pairs(f, cx, &own, of_loop, &evolution, &mut expressions) {
            any |= carried(f, cx, &own, of_loop, &mut expressions, &mut stands, load, &ahead);
        }
    }
    if any {
        stands.write(f);
    }
    any
}

/// What the access one round ahead leaves: the value that is loaded or stored there.
struct Ahead {
    value: Value,
}

/// The loads of a loop that can be carried on, each with the access of the round before.
fn pairs(
    f: &Function,
    cx: &PassCx<'_>,
    own: &Own<'_>,
    of_loop: &Evolution,
    evolution: &ScalarEvolution,
    expressions: &mut Expressions,
) -> Vec<(Inst, Ahead)> {
    let alias = Alias { f, world: cx.world };
    let mut accesses: Vec<Stepping> = Vec::new();
    // What may write where it cannot be told.
    let mut wild: Vec<Inst> = Vec::new();
    for (home, inst) in own.insts(f) {
        match stepping(&alias, own, of_loop, evolution, home, inst) {
            Some(access) if accesses.len() < ACCESSES => accesses.push(access),
            Some(_) => return Vec::new(),
            None if Access::kind(f.inst(inst).op) == Some(Access::Load) => {}
            None if matches!(f.row(inst).effect, Effect::Pure | Effect::Marker | Effect::Load) => {}
            None => wild.push(inst),
        }
    }
    let mut found = Vec::new();
    for load in accesses.iter().filter(|access| access.kind == Access::Load && own.is_surely_run(access.home))
    {
        let untouched = |inst: &Inst| match Access::kind(f.inst(*inst).op) {
            Some(_) => alias.location(*inst).is_some_and(|location| location.alias_class != load.class),
            None => alias.leaves_alone(*inst, load.class),
        };
        if !wild.iter().all(untouched) {
            continue;
        }
        let ahead = accesses.iter().find_map(|ahead| {
            let value = a_round_ahead(&alias, own, expressions, load, ahead)?;
            let others =
                accesses.iter().filter(|other| other.kind == Access::Store && other.class == load.class);
            let mut apart = others.map(|other| {
                (other.inst == ahead.inst || is_apart(expressions, other, ahead))
                    && is_apart(expressions, other, load)
            });
            let apart = apart.all(|apart| apart);
            apart.then_some(Ahead { value })
        });
        found.extend(ahead.map(|ahead| (load.inst, ahead)));
    }
    found
}

/// The access, if it is one of raw memory whose address has a constant step.
fn stepping(
    alias: &Alias<'_>,
    own: &Own<'_>,
    of_loop: &Evolution,
    evolution: &ScalarEvolution,
    home: u32,
    inst: Inst,
) -> Option<Stepping> {
    let kind = Access::kind(alias.f.inst(inst).op)?;
    let place = alias.place(inst, &Stands::default())?;
    let (raw, index) = (place.raw?, place.index?);
    let moves = |value: Value| evolution.home(value).is_some_and(|home| own.loops.contains(own.index, home));
    if alias.f.ty(index) != Type::I64 || place.object.is_some_and(moves) {
        return None;
    }
    let (start, step) = of_loop.values.get(&index)?.as_linear()?;
    let step = evolution.expressions.as_constant(step)?.signed();
    Some(Stepping { inst, home, kind, class: place.class, object: place.object, start, step, raw })
}

/// How many bytes one access lies behind another in the same round, if that is always the same.
fn distance(expressions: &mut Expressions, from: &Stepping, to: &Stepping) -> Option<i64> {
    if from.object != to.object || from.step != to.step {
        return None;
    }
    let starts = expressions.sub(to.start, from.start);
    let starts = expressions.as_constant(starts)?.signed();
    Some(starts.wrapping_add(to.raw.at).wrapping_sub(from.raw.at))
}

/// Whether two accesses are of different bytes in the same round.
fn is_apart(expressions: &mut Expressions, a: &Stepping, b: &Stepping) -> bool {
    let here = Raw { at: 0, bytes: a.raw.bytes };
    distance(expressions, a, b).is_some_and(|at| here.is_apart(Raw { at, bytes: b.raw.bytes }))
}

/// The value that an access leaves of the bytes that a load loads in the round behind it.
fn a_round_ahead(
    alias: &Alias<'_>,
    own: &Own<'_>,
    expressions: &mut Expressions,
    load: &Stepping,
    ahead: &Stepping,
) -> Option<Value> {
    let f = alias.f;
    let latches = &own.loops.all()[own.index as usize].latches;
    let always = latches.iter().all(|&latch| own.dominators.dominates(ahead.home, latch));
    if load.inst == ahead.inst || !always || distance(expressions, load, ahead) != Some(load.step) {
        return None;
    }
    let value = match ahead.kind {
        Access::Load => f.result(ahead.inst),
        Access::Store => *f.args(ahead.inst).last().expect("a store has a value"),
    };
    let locations = [load.inst, ahead.inst].map(|inst| alias.location(inst).expect("it has a place"));
    let [this, other] = locations.map(|location| (location.ty, location.stored_bits, location.signed));
    let alike = this == other && f.ty(value) == f.ty(f.result(load.inst));
    let kept = ahead.kind == Access::Load || alias.is_kept_whole(ahead.inst, value);
    // The bytes of a store must not reach into those of the next round.
    let own_apart =
        Raw { at: 0, bytes: load.raw.bytes }.is_apart(Raw { at: load.step, bytes: ahead.raw.bytes });
    (alike && kept && own_apart && load.class == ahead.class).then_some(value)
}

/// Carries a load on. Whether that was done.
#[expect(clippy::too_many_arguments, reason = "what is known of the loop, and what is changed")]
fn carried(
    f: &mut Function,
    cx: &mut PassCx<'_>,
    own: &Own<'_>,
    of_loop: &Evolution,
    expressions: &mut Expressions,
    stands: &mut Stands,
    load: Inst,
    ahead: &Ahead,
) -> bool {
    let (base, offset) = (f.args(load)[0], f.args(load)[1]);
    let Some((start, _)) = of_loop.values.get(&offset).and_then(|chain| chain.as_linear()) else {
        return false;
    };
    if expressions.cost([start], |op| cx.target.cost(op)).is_none()
        || !cx.rewrite_by(f, load, Became::Changed, of_a_load(f, ahead.value).name())
    {
        return false;
    }
    let begin = Writer::new(expressions, own.front).write(f, start);
    let ty = f.ty(f.result(load));
    let descr = f.inst(load).descr;
    let first = f.make_inst(Op::RawLoad, &[base, begin], &[ty], descr, None, Location::default());
    f.append_inst(own.front, first);
    let param = f.add_param(own.header, ty);
    let first = f.result(first);
    pass(f, own.front, &[own.header], first);
    for &latch in &own.loops.all()[own.index as usize].latches {
        pass(f, own.cfg.block(latch), &[own.header], ahead.value);
    }
    stands.put(param, f.result(load));
    for &number in &own.blocks {
        let block = own.cfg.block(number);
        if f.block_insts(block).contains(&load) {
            let mut insts = f.replace_insts(block, Vec::new());
            insts.retain(|&inst| inst != load);
            f.replace_insts(block, insts);
        }
    }
    true
}
