//! Loop idiom recognition (LLVM's `LoopIdiomRecognize`): a loop that stores one value into cells side by side is a fill, and one that
//! stores what it loads from cells side by side is a copy.
//!
//! ```text
//! h(i): branch ult(i, n), b, x             front: raw_fill(p, 0, n, v)
//! b: raw_store(p, i, v)            becomes h(i): branch ult(i, n), b, x
//!    jump h(add(i, 1))                     b: jump h(add(i, 1))
//! ```
//!
//! What is left of the loop does nothing, and [`loop_deletion`](super::loop_deletion) deletes it: so a loop is only touched where
//! all that it stores becomes bulk operations, and what is used behind it has a chain of recurrences. Descending loops begin at their last
//! cell. A fill inside of a loop around it may be one with the fills of the other rounds, and a copy as well.
//!
//! Nobody may see the difference:
//!
//! - the loop has one exit, of which it is known in which round it is taken, and nothing in it leaves otherwise; loops inside end;
//! - every round comes to the store, so as many cells are written as there are rounds, and one more if the store stands in front
//!   of the test;
//! - whatever else the loop loads lies apart from what it stores;
//! - a copy reads all before it writes any. So does the loop if no round stores where a later one loads: both are apart, or what is
//!   written lies behind the cell that is read, seen in the direction of the loop.
//!
//! A round more is a store beside those of the rounds before, which is [that lemma](Lemma::StoreBesideStore). Memory has less than
//! 2^63 bytes, and so no loop stores to more of it.
//!
//! Few cells whose number is known are better unrolled, and stay. O(size of the function * depth of loops + square of the accesses
//! of a loop), of which few are looked at.

mod sweep;

use planish_base::SideTable;
use planish_domain::memory::Lemma;
use planish_ir::dominators::Dominators;
use planish_ir::{Block, Cfg, Function, Inst, Location, Value};
use planish_ops::{Effect, Op};
use planish_pass::{Became, Change, Example, FunctionPass, IMPOSSIBLE, LoopInfo, PassCx, PassInfo};

use self::sweep::{Bulk, Search};
use super::loop_deletion::used_outside;
use super::own_loop::Own;
use super::preheaders::{put_blocks_in_front_of_loops, take_back_empty};
use super::scalar_promotion::may_leave;
use super::strength_reduction::{remove, uses};
use crate::analysis::expressions::{Expressions, Writer};
use crate::analysis::scalar_evolution::ScalarEvolution;

/// Makes fills and copies of loops.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        source: "LLVM LoopIdiomRecognize",
        handlers: false,
        analyses: &["edges", "dominators", "loops", "scalar-evolution"],
        example: Example { file: "loop_idiom.ssa", text: include_str!("examples/loop_idiom.ssa") },
        test: "crates/opt/src/passes/loop_idiom/tests.rs",
        ..PassInfo::new(
            "loop-idiom",
            "Loop idiom recognition: a loop that fills or copies memory is one operation.",
        )
    },
    run,
};

/// How many loops around each other become one operation.
const DEPTH: usize = 3;

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let stores = |op: Op| matches!(op, Op::RawStore | Op::RawFill | Op::RawCopy);
    let is_written = [Op::RawFill, Op::RawCopy].iter().all(|&op| cx.target.cost(op) < IMPOSSIBLE);
    if !is_written
        || !f.live_insts().any(|(_, inst)| stores(f.inst(inst).op))
        || !f.entrances().is_empty()
        || cx.get::<LoopInfo>(f).all().is_empty()
        || !cx.record.has_fuel()
    {
        return;
    }
    let fronts = put_blocks_in_front_of_loops(f, cx);
    for _ in 0..DEPTH {
        if !recognize(f, cx) {
            break;
        }
        cx.changed(Change::Operations);
    }
    take_back_empty(f, cx, &fronts);
}

/// Makes bulk operations of the stores of loops, those inside first. Whether any was made.
fn recognize(f: &mut Function, cx: &mut PassCx<'_>) -> bool {
    let (cfg, dominators) = (cx.get::<Cfg>(f), cx.get::<Dominators>(f));
    let (loops, evolution) = (cx.get::<LoopInfo>(f), cx.get::<ScalarEvolution>(f));
    let (uses, used) = (uses(f), used_outside(f, &cfg, &loops, &evolution));
    let mut expressions = evolution.expressions.clone();
    let mut touched: SideTable<Block, bool> = SideTable::new();
    let mut goes: SideTable<Inst, bool> = SideTable::new();
    for index in (0..loops.all().len() as u32).rev() {
        let Some(own) = Own::of(f, &cfg, &dominators, &loops, index) else { continue };
        let evolved = &evolution.loops[index as usize];
        let is_plain = |&number: &u32| {
            // What was put in front of a loop inside is for the next time.
            let is_new = touched[cfg.block(number)];
            !is_new && loops.innermost(number).is_some_and(|inner| is_counted(&evolution, index, inner))
        };
        let inside = |value: Value| evolution.home(value).is_some_and(|home| loops.contains(index, home));
        let is_known = |&value: &Value| !inside(value) || evolved.values.contains_key(&value);
        let mut passed = evolved.exits.iter().flat_map(|exit| f.list(exit.call.args));
        if !own.blocks.iter().all(is_plain)
            || !used[index as usize].iter().all(is_known)
            || !passed.all(is_known)
            || !own.insts(f).all(|(_, inst)| is_quiet(f, cx, inst))
        {
            continue;
        }
        let (world, homes) = (cx.world, &*evolution);
        let search =
            Search { f, world, own: &own, homes, evolved, uses: &uses, expressions: &mut expressions };
        for bulk in search.bulk(|op| cx.target.cost(op)) {
            if !cx.rewrite_by(f, bulk.inst, Became::Op(bulk.op), Lemma::StoreBesideStore.name()) {
                break;
            }
            put_in_front(f, &bulk, own.front, &expressions);
            goes[bulk.inst] = true;
            touched[own.front] = true;
        }
    }
    let any = f.live_insts().any(|(_, inst)| goes[inst]);
    remove(f, &goes);
    any
}

/// Whether it is known when a loop is left, or of one inside that it ends.
fn is_counted(evolution: &ScalarEvolution, index: u32, inner: u32) -> bool {
    inner == index || evolution.loops[inner as usize].ends
}

/// Whether an operation does nothing but compute, load and store.
fn is_quiet(f: &Function, cx: &PassCx<'_>, inst: Inst) -> bool {
    let plain = matches!(f.row(inst).effect, Effect::Pure | Effect::Marker | Effect::Load | Effect::Store);
    plain && !may_leave(f, cx, inst)
}

/// Makes a bulk operation at the end of the block in front of a loop.
fn put_in_front(f: &mut Function, bulk: &Bulk, front: Block, expressions: &Expressions) {
    let mut writer = Writer::new(expressions, front);
    let mut args: Vec<Value> = bulk.address.iter().map(|&part| writer.write(f, part)).collect();
    args.push(writer.write(f, bulk.count));
    args.extend(bulk.value);
    let inst = f.make_inst(bulk.op, &args, &[], f.inst(bulk.inst).descr, None, Location::default());
    f.append_inst(front, inst);
}

#[cfg(test)]
mod tests;
