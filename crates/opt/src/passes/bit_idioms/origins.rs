//! Where each bit of a word is from.

use hashbrown::HashMap;
use planish_base::{SideTable, Worklist};
use planish_ir::{Function, Inst, Value};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

/// At most so many operations are looked into for one result.
const MOST: usize = 128;

/// A bit of a value that is not looked into.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::passes) struct Origin {
    pub of: Value,
    pub bit: u32,
}

/// Where the bits of a word are from, the lowest first; nowhere is zero.
pub(in crate::passes) type Bits = Vec<Option<Origin>>;

/// A word and where its bits are from.
pub(in crate::passes) struct Origins {
    pub bits: Bits,
    /// The operations that were looked into and are for this word alone, itself included, with what is loaded only for it.
    pub dies: Vec<Inst>,
}

impl Origins {
    /// Looks into a word; `None` if a bit is made of several, or much is to be looked into.
    pub fn of(f: &Function, uses: &SideTable<Value, u32>, root: Value) -> Option<Origins> {
        let mut known: HashMap<Value, Option<Bits>, FxBuildHasher> = HashMap::default();
        let mut order = Vec::new();
        // Operands first, without going deep.
        let mut work = vec![(root, false)];
        while let Some((value, ready)) = work.pop() {
            if known.contains_key(&value) {
                continue;
            }
            let inner = f.def_inst(value).filter(|&inst| value == root || is_looked_into(f, inst));
            let Some(inst) = inner else {
                known.insert(value, own(f, value));
                continue;
            };
            if ready {
                let bits = bits(f, inst, &known);
                // What is made of several bits is a value of its own.
                let bits = if value == root { bits } else { bits.or_else(|| own(f, value)) };
                known.insert(value, bits);
                order.push(inst);
                continue;
            }
            if order.len() + work.len() > MOST {
                return None;
            }
            work.push((value, true));
            work.extend(
                f.args(inst).iter().filter(|&&arg| f.int_constant(arg).is_none()).map(|&arg| (arg, false)),
            );
        }
        let bits = known.remove(&root)??;
        let loads = bits.iter().flatten().filter_map(|origin| f.def_inst(origin.of));
        let loads = loads.filter(|&inst| f.inst(inst).op == Op::RawLoad);
        let mut of: Vec<Inst> = order;
        of.extend(loads);
        of.sort_unstable();
        of.dedup();
        Some(Origins { dies: only_for(f, uses, root, &of), bits })
    }

    /// Those of any word: of one that is made of several bits, or is not looked into, its own.
    pub fn of_any(f: &Function, uses: &SideTable<Value, u32>, value: Value) -> Option<Origins> {
        Origins::of(f, uses, value).or_else(|| Origins::own(f, uses, value))
    }

    /// A word that is not looked into. If it is loaded, that is for it alone.
    pub fn own(f: &Function, uses: &SideTable<Value, u32>, value: Value) -> Option<Origins> {
        let load = f.def_inst(value).filter(|&inst| f.inst(inst).op == Op::RawLoad && uses[value] <= 1);
        Some(Origins { bits: own(f, value)?, dies: load.into_iter().collect() })
    }

    /// What costs that goes.
    pub fn cost(&self, f: &Function, price: impl Fn(Op) -> u32) -> u32 {
        self.dies.iter().map(|&inst| price(f.inst(inst).op)).fold(0, u32::saturating_add)
    }
}

/// Of some operations those that nothing needs but a value, itself included.
pub(super) fn only_for(f: &Function, uses: &SideTable<Value, u32>, root: Value, of: &[Inst]) -> Vec<Inst> {
    let mut lost: HashMap<Value, u32, FxBuildHasher> = HashMap::default();
    let mut work: Worklist<Inst> = f.def_inst(root).into_iter().collect();
    let mut dies = Vec::new();
    while let Some(inst) = work.pop() {
        dies.push(inst);
        for &arg in f.args(inst) {
            let lost = lost.entry(arg).or_default();
            *lost += 1;
            let inner = f.def_inst(arg).filter(|inst| *lost == uses[arg] && of.contains(inst));
            work.extend(inner);
        }
    }
    dies
}

/// The bits of a value that is not looked into.
fn own(f: &Function, value: Value) -> Option<Bits> {
    let width = f.ty(value).int_width()?;
    Some(match f.int_constant(value) {
        Some(number) if !number.is_true() => vec![None; width as usize],
        _ => (0..width).map(|bit| Some(Origin { of: value, bit })).collect(),
    })
}

/// Which bits of every value are from somewhere, or fewer: one look at each operation tells of most sums that they are made of several
/// bits, before any of them is looked into.
pub(super) fn filled(f: &Function) -> SideTable<Value, u64> {
    let mut filled: SideTable<Value, u64> = SideTable::new();
    for inst in f.live_insts().map(|(_, inst)| inst).filter(|&inst| is_looked_into(f, inst)) {
        let result = f.result(inst);
        let Some(width) = f.ty(result).int_width() else { continue };
        let all = u64::MAX >> (64 - width);
        let of = |place: usize| filled_of(f, &filled, f.args(inst)[place]);
        let constant = || f.int_constant(f.args(inst)[1]).map_or(0, |number| number.unsigned());
        let by = || (constant() % u64::from(width)) as u32;
        filled[result] = match f.inst(inst).op {
            Op::Or => of(0) | of(1),
            Op::Add | Op::Xor if of(0) & of(1) == 0 => of(0) | of(1),
            Op::And => of(0) & constant(),
            Op::Zext | Op::Trunc => of(0) & all,
            Op::Lshift => of(0) << by() & all,
            Op::Urshift => of(0) >> by(),
            Op::Add | Op::Xor => all,
            // Of words whose bits go round nothing is said.
            _ => 0,
        };
    }
    filled
}

/// The same of an operand.
pub(super) fn filled_of(f: &Function, filled: &SideTable<Value, u64>, value: Value) -> u64 {
    let is_zero = f.int_constant(value).is_some_and(|number| !number.is_true());
    match (f.def_inst(value), f.ty(value).int_width()) {
        _ if is_zero => 0,
        (Some(inst), _) if is_looked_into(f, inst) => filled[value],
        (_, Some(width)) => u64::MAX >> (64 - width),
        _ => 0,
    }
}

/// Whether the bits of an operation are those of its operands in other places.
fn is_looked_into(f: &Function, inst: Inst) -> bool {
    let args = f.args(inst);
    match f.inst(inst).op {
        Op::Or | Op::Add | Op::Xor | Op::Zext | Op::Trunc | Op::Bswap => true,
        Op::And | Op::Lshift | Op::Urshift | Op::Rotl | Op::Rotr => f.int_constant(args[1]).is_some(),
        _ => false,
    }
}

/// Where the bits of an operation are from; `None` if one is made of two.
fn bits(f: &Function, inst: Inst, known: &HashMap<Value, Option<Bits>, FxBuildHasher>) -> Option<Bits> {
    let width = f.ty(f.result(inst)).int_width()? as usize;
    let args = f.args(inst);
    let operand = |position: usize| match known.get(&args[position]) {
        Some(bits) => bits.clone(),
        None => own(f, args[position]),
    };
    let amount = || f.int_constant(args[1]).map(|by| (by.unsigned() % width as u64) as usize);
    let x = operand(0)?;
    Some(match f.inst(inst).op {
        // Without a bit that both have there is no carry.
        op @ (Op::Or | Op::Add | Op::Xor) => {
            let y = operand(1)?;
            let one = |both| match both {
                (x, None) => Some(x),
                (None, y) => Some(y),
                (x, y) => (op == Op::Or && x == y).then_some(x),
            };
            x.into_iter().zip(y).map(one).collect::<Option<Bits>>()?
        }
        Op::And => {
            let mask = f.int_constant(args[1])?.unsigned();
            x.into_iter().enumerate().map(|(bit, origin)| origin.filter(|_| mask >> bit & 1 == 1)).collect()
        }
        Op::Zext | Op::Trunc => (0..width).map(|bit| x.get(bit).copied().flatten()).collect(),
        Op::Lshift => {
            let by = amount()?;
            (0..width).map(|bit| bit.checked_sub(by).and_then(|from| x[from])).collect()
        }
        Op::Urshift => {
            let by = amount()?;
            (0..width).map(|bit| x.get(bit + by).copied().flatten()).collect()
        }
        Op::Rotl => {
            let by = amount()?;
            (0..width).map(|bit| x[(bit + width - by) % width]).collect()
        }
        Op::Rotr => {
            let by = amount()?;
            (0..width).map(|bit| x[(bit + by) % width]).collect()
        }
        Op::Bswap if width.is_multiple_of(8) => {
            (0..width).map(|bit| x[(width / 8 - 1 - bit / 8) * 8 + bit % 8]).collect()
        }
        _ => return None,
    })
}
