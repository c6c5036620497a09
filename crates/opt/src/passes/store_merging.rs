//! Store merging (GCC's `gimple-ssa-store-merging`; the merged stores of LLVM's AggressiveInstCombine): values that are stored side
//! by side are stored as one word.
//!
//! ```text
//! raw_store(p, 0, x: i8)
//! y = urshift(x, 8) ...                  becomes   raw_store(p, 0, x: i32)
//! raw_store(p, 1, y: i8) ...
//! ```
//!
//! Stores of one block to bytes behind one address wait until something may see one of them: an access of memory that may be the
//! same, or whatever may leave. Of those that waited, two, four or eight bytes in a row become one store where the last one
//! of them stands, if what they hold is a number, the bytes of one word in this or the opposite order, or a word that is loaded
//! in parts (`word`); and if that costs less. The world has to have a location for the wide word.
//!
//! So many stores wait at once as `OPEN` and `MOST` say, so an access is compared with a bounded number of them: O(size).

mod runs;
mod word;

use planish_base::SideTable;
use planish_domain::memory::Lemma;
use planish_ir::{Block, Function, Inst, Value};
use planish_ops::{Op, Type};
use planish_pass::{Became, Change, Example, FunctionPass, PassCx, PassInfo};

use self::runs::{Stored, runs};
use self::word::Word;
use super::bit_idioms::homes;
use super::insertions::Insertions;
use super::strength_reduction::{remove, uses};

/// Merges stores.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        changes: Change::Operations,
        source: "GCC gimple-ssa-store-merging; LLVM AggressiveInstCombine",
        handlers: false,
        example: Example { file: "store_merging.ssa", text: include_str!("examples/store_merging.ssa") },
        test: "crates/opt/src/passes/store_merging/tests.rs",
        ..PassInfo::new(
            "store-merging",
            "Store merging: values that are stored side by side are stored as one word.",
        )
    },
    run,
};

/// The numbers of bytes that one store may write.
const SIZES: [i64; 3] = [8, 4, 2];

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    let stores = f.live_insts().filter(|&(_, inst)| f.inst(inst).op == Op::RawStore).take(2);
    if stores.count() < 2 || !cx.record.has_fuel() {
        return;
    }
    let mut merging =
        Merging { uses: uses(f), homes: homes(f), goes: SideTable::new(), made: Insertions::default() };
    let mut any = false;
    for block in f.blocks().to_vec() {
        for run in runs(f, cx.world, block) {
            any |= merging.run(f, cx, run);
        }
    }
    if !any {
        return;
    }
    let Merging { goes, made, .. } = merging;
    made.write(f);
    remove(f, &goes);
}

/// What is merged so far.
struct Merging {
    /// How often each value is used.
    uses: SideTable<Value, u32>,
    /// Where each operation stands: its block, and how far from its beginning.
    homes: SideTable<Inst, Option<(Block, u32)>>,
    /// The stores that are part of another one now.
    goes: SideTable<Inst, bool>,
    made: Insertions,
}

impl Merging {
    /// Merges what can be of stores that wait together, the largest words first. Whether any were.
    fn run(&mut self, f: &mut Function, cx: &mut PassCx<'_>, mut run: Vec<Stored>) -> bool {
        run.sort_by_key(|stored| stored.at);
        let (mut begin, mut any) = (0, false);
        while begin < run.len() {
            let in_row = SIZES.iter().filter_map(|&size| in_row(&run[begin..], size));
            let merged = in_row
                .filter(|part| part.len() > 1)
                .find(|part| self.merge(f, cx, part))
                .map(<[Stored]>::len);
            any |= merged.is_some();
            begin += merged.unwrap_or(1);
        }
        any
    }

    /// Makes one store of some that lie in a row. Whether that is possible and costs less.
    fn merge(&mut self, f: &mut Function, cx: &mut PassCx<'_>, part: &[Stored]) -> bool {
        let bytes: i64 = part.iter().map(|stored| stored.bytes).sum();
        let (first, Some(last)) = (part[0].inst, self.last(part)) else { return false };
        let width = 8 * bytes as u32;
        let descr = f.inst(first).descr.and_then(|descr| cx.world.raw_word(descr, width as u8));
        let Some(descr) = descr else { return false };
        let Some((word, dies)) = Word::of(f, cx.world, (&self.uses, &self.homes), part, width) else {
            return false;
        };
        let price = |op: Op| cx.target.cost(op);
        let store = price(Op::RawStore);
        let saved = dies
            .iter()
            .map(|&inst| price(f.inst(inst).op))
            .fold(store * (part.len() as u32 - 1), u32::saturating_add);
        if saved <= word.cost(f, width, price)
            || !cx.rewrite_by(f, last, Became::Op(Op::RawStore), Lemma::StoreBesideStore.name())
        {
            return false;
        }
        let word = word.make(f, &mut self.made, last, Type::Int(width as u8));
        let address = [f.args(first)[0], f.args(first)[1]];
        self.made.put(f, last, Op::RawStore, &[address[0], address[1], word], Some(descr));
        part.iter().for_each(|stored| self.goes[stored.inst] = true);
        true
    }

    /// The store that comes last in its block.
    fn last(&self, part: &[Stored]) -> Option<Inst> {
        part.iter()
            .map(|stored| stored.inst)
            .max_by_key(|&inst| self.homes[inst].map(|(_, position)| position))
    }
}

/// The first stores of some in order of their addresses, if they write exactly so many bytes without a gap.
fn in_row(run: &[Stored], bytes: i64) -> Option<&[Stored]> {
    let mut end = run.first()?.at;
    for (count, stored) in (1..).zip(run) {
        if stored.at != end && !planish_base::fault!("store-merging: there are no gaps") {
            return None;
        }
        end = end.wrapping_add(stored.bytes);
        match end.wrapping_sub(run[0].at) {
            written if written == bytes => return Some(&run[..count]),
            written if written > bytes => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests;
