//! Linear maps over GF(2): what xors, shifts, masks and choices by single bits make of one word is looked up in a table of
//! what they make of each byte (Sarwate, "Computation of Cyclic Redundancy Checks via Table Look-Up", 1988; LLVM's
//! HashRecognize and its use by LoopIdiomRecognize).
//!
//! ```text
//! a = and(x, 1)                            table @t: i32 = [...]
//! b = urshift(x, 1)                        i = and(x, 255)
//! c = xor(b, 0xedb88320)                   j = lookup(i) @t
//! d = select(a, c, b)                      k = urshift(x, 8)
//! ... seven times more        becomes      r = xor(k, j)
//! ```
//!
//! A value that is an affine map of the bits of a word is known by what it is where the word is zero and by what each bit of
//! the word changes (`maps`, with the lemma). So whatever operations it was made of, it can be made as the xor of the word,
//! moved as it is, and of what tables say of the bytes that do not just move (`plan`). Nothing is recognized by its form: both
//! orders of bits of a cyclic redundancy check, any polynomial and any other such function are one case. A loop over bits has
//! been unrolled before, and its arms have become choices.
//!
//! Done where the operations that stand in the block of the value and are for it alone cost more, and are more, than those that
//! stand for them, and the tables are not too large for what is saved. O(64 * operations).

mod maps;
mod plan;

use planish_base::SideTable;
use planish_ir::{Block, Cfg, Function, Inst, Value};
use planish_ops::Op;
use planish_ops::world::Descr;
use planish_pass::{Became, Change, Example, FunctionPass, PassCx, PassInfo, PassOption};

use self::maps::{Map, Maps};
use self::plan::{Plan, resize};
use super::insertions::Insertions;
use super::strength_reduction::uses;

const ITEMS: PassOption = PassOption::new("items", 1024, "items that the tables of one value have at most");
const DENSITY: PassOption =
    PassOption::new("density", 32, "items for each unit of cost that is saved, at most");

/// Nothing is done about what is made of fewer operations: a look-up alone costs as much.
const FEWEST: u32 = 4;

/// At most so many operations are looked at for one value.
const MOST: usize = 512;

/// Looks up linear maps.
pub const PASS: FunctionPass = FunctionPass {
    info: PassInfo {
        changes: Change::Operations,
        source: "Sarwate, Computation of Cyclic Redundancy Checks via Table Look-Up, CACM 1988; LLVM HashRecognize",
        analyses: &["edges"],
        options: &[&ITEMS, &DENSITY],
        example: Example { file: "linear_maps.ssa", text: include_str!("examples/linear_maps.ssa") },
        test: "crates/opt/src/passes/linear_maps/tests.rs",
        ..PassInfo::new(
            "linear-maps",
            "Linear maps over GF(2): what xors, shifts and choices by bits make of a word (a CRC) is looked up byte by byte.",
        )
    },
    run,
};

fn run(f: &mut Function, cx: &mut PassCx<'_>) {
    if (cx.target.price)(Op::Lookup).is_none() || !cx.record.has_fuel() {
        return;
    }
    let cfg = cx.get::<Cfg>(f);
    let maps = Maps::of(f, &cfg);
    let inner = inner_uses(f, &maps);
    let mut search =
        Search { maps: &maps, uses: uses(f), homes: SideTable::new(), lost: SideTable::new(), round: 0 };
    f.live_insts().for_each(|(block, inst)| search.homes[inst] = Some(block));
    let mut made = Insertions::default();
    let mut gone: SideTable<Inst, bool> = SideTable::new();
    // Users first: what is part of a larger map is none of its own.
    for &block in cfg.order().iter().rev() {
        for inst in f.block_insts(block).to_vec().into_iter().rev() {
            let Some(map) = f.first_result(inst).and_then(|result| maps.get(result)) else { continue };
            let result = f.result(inst);
            if gone[inst] || map.size < FEWEST || inner[result] == search.uses[result] {
                continue;
            }
            let dies = search.dying(f, inst);
            if dies.len() >= FEWEST as usize && replace(f, cx, &mut made, inst, map, &dies) {
                dies.into_iter().for_each(|inst| gone[inst] = true);
            }
        }
    }
    made.write(f);
}

/// How often each value is used to make another map of the same word.
fn inner_uses(f: &Function, maps: &Maps) -> SideTable<Value, u32> {
    let mut inner: SideTable<Value, u32> = SideTable::new();
    for (_, inst) in f.live_insts() {
        let Some(map) = f.first_result(inst).and_then(|result| maps.get(result)) else { continue };
        for &arg in f.args(inst) {
            inner[arg] += u32::from(maps.word(arg) == map.of && f.constant(arg).is_none());
        }
    }
    inner
}

/// What is looked at to find out what a map is made of.
struct Search<'m> {
    maps: &'m Maps,
    /// How often each value is used.
    uses: SideTable<Value, u32>,
    /// Where each operation stands.
    homes: SideTable<Inst, Option<Block>>,
    /// How many uses of a value are lost, in the round of a number.
    lost: SideTable<Value, (u32, u32)>,
    round: u32,
}

impl Search<'_> {
    /// The operations that make a map of its word, stand in its block and are for it alone, itself included.
    fn dying(&mut self, f: &Function, root: Inst) -> Vec<Inst> {
        self.round += 1;
        let word = self.maps.word(f.result(root));
        let (mut dies, mut work) = (Vec::new(), vec![root]);
        while let Some(inst) = work.pop() {
            dies.push(inst);
            if dies.len() == MOST {
                break;
            }
            for &arg in f.args(inst) {
                let (round, lost) = &mut self.lost[arg];
                if std::mem::replace(round, self.round) != self.round {
                    *lost = 0;
                }
                *lost += 1;
                let is_part = *lost == self.uses[arg] && self.maps.get(arg).is_some_and(|map| map.of == word);
                let made_by = f.def_inst(arg).filter(|_| is_part);
                work.extend(made_by.filter(|&inst| self.homes[inst] == self.homes[root]));
            }
        }
        dies
    }
}

/// Makes a map in another way, if that pays.
fn replace(
    f: &mut Function,
    cx: &mut PassCx<'_>,
    made: &mut Insertions,
    root: Inst,
    map: &Map,
    dies: &[Inst],
) -> bool {
    let Some(width) = f.ty(f.result(root)).int_width() else { return false };
    let cost = |op| cx.target.cost(op);
    let before = dies.iter().map(|&inst| cost(f.inst(inst).op)).fold(0, u32::saturating_add);
    let plan = Plan::of(map, width, cost);
    let operations = plan.operations();
    let Some(&last) = operations.last() else { return false };
    let saved = before.saturating_sub(plan.cost(cost));
    let most = cx.option(&ITEMS).min(cx.option(&DENSITY).saturating_mul(u64::from(saved)));
    if saved == 0 || operations.len() >= dies.len() || plan.items() > most {
        return false;
    }
    let tables: Option<Vec<Descr>> =
        plan.tables().into_iter().map(|items| cx.world.make_table(items)).collect();
    match tables {
        Some(tables) if cx.rewrite(f, root, Became::Op(last)) => {
            write(f, made, root, map.of, &plan, &tables);
            true
        }
        _ => false,
    }
}

/// Makes the operations of a plan in front of the value that they stand for.
fn write(f: &mut Function, made: &mut Insertions, root: Inst, word: Value, plan: &Plan, tables: &[Descr]) {
    let (result, [from, to]) = (f.result(root), plan.widths);
    let (from_type, to_type) = (f.ty(word), f.ty(result));
    let mut parts = Vec::new();
    if let Some((by, mask)) = plan.moved {
        let resize = resize(plan.widths);
        let (mut value, mut ty) = (word, from_type);
        if let Some(op) = resize.filter(|_| from < to) {
            (value, ty) = (made.make(f, root, op, &[value], to_type), to_type);
        }
        if by != 0 {
            let amount = f.make_int(ty, i64::from(by.unsigned_abs()));
            value = made.make(f, root, if by > 0 { Op::Urshift } else { Op::Lshift }, &[value, amount], ty);
        }
        if let Some(op) = resize.filter(|_| from > to) {
            value = made.make(f, root, op, &[value], to_type);
        }
        if let Some(mask) = mask {
            let mask = f.make_int(to_type, mask as i64);
            value = made.make(f, root, Op::And, &[value, mask], to_type);
        }
        parts.push(value);
    }
    for (window, &table) in plan.windows.iter().zip(tables) {
        let mut index = word;
        if window.from > 0 {
            let amount = f.make_int(from_type, i64::from(window.from));
            index = made.make(f, root, Op::Urshift, &[index, amount], from_type);
        }
        if window.from + window.bits < from {
            let mask = f.make_int(from_type, (1 << window.bits) - 1);
            index = made.make(f, root, Op::And, &[index, mask], from_type);
        }
        parts.push(made.make_of(f, root, Op::Lookup, &[index], to_type, Some(table)));
    }
    if plan.windows.is_empty() && plan.constant != 0 {
        parts.push(f.make_int(to_type, plan.constant as i64));
    }
    let whole = parts.into_iter().reduce(|whole, part| made.make(f, root, Op::Xor, &[whole, part], to_type));
    made.stands.put(whole.expect("a plan has operations"), result);
}

#[cfg(test)]
mod tests;
