//! Which values are affine maps of the bits of one word over GF(2).
//!
//! Such a map is known by what it makes of zero, its *constant*, and by what each bit of the word changes in that, its
//! *columns*. **Lemma.** If `f` is a map of words with `f(x ^ y) = f(x) ^ f(y) ^ f(0)` for all `x` and `y`, then `f(x)` is `f(0)` with
//! the column of each bit that is set in `x` xored to it. Proof: by induction on the number of bits that are set, taking one
//! out. Maps with this property may be composed, and xored with each other. An operation has it in one operand, the others
//! being constant, if a test here says so, which tries all words of few bits; and any function has it of a word that
//! takes only two values as one xor of some bits goes from 0 to 1.

use planish_base::SideTable;
use planish_ir::{Cfg, Const, Function, Inst, Value};
use planish_ops::meaning::Datum;
use planish_ops::{Effect, Exits, Fold, Int, Machine, Op, Type, fold};

/// More values than these are not described: a map has up to 64 columns.
const MOST: usize = 1 << 14;

/// A map of the bits of one word.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Map {
    /// The word.
    pub of: Value,
    /// What each of its bits changes, the lowest first.
    pub columns: Box<[u64]>,
    /// What it is where the word is zero.
    pub constant: u64,
    /// How many operations make it of the word, each as often as it is used.
    pub size: u32,
}

/// The values of a function that are maps.
#[derive(Default)]
pub(super) struct Maps {
    /// The number of a map, plus one.
    number: SideTable<Value, u32>,
    all: Vec<Map>,
}

impl Maps {
    /// Describes the values of a function. O(64 * operations).
    pub fn of(f: &Function, cfg: &Cfg) -> Maps {
        let mut maps = Maps::default();
        for &block in cfg.order() {
            for &inst in f.block_insts(block) {
                if maps.all.len() == MOST {
                    return maps;
                }
                if let Some(map) = maps.describe(f, inst) {
                    maps.all.push(map);
                    maps.number[f.result(inst)] = maps.all.len() as u32;
                }
            }
        }
        maps
    }

    /// The map that a value is, if an operation makes it of a word.
    pub fn get(&self, value: Value) -> Option<&Map> {
        self.all.get((self.number[value] as usize).checked_sub(1)?)
    }

    /// The word of which a value is a map; itself where it is none.
    pub fn word(&self, value: Value) -> Value {
        self.get(value).map_or(value, |map| map.of)
    }

    fn operand(&self, f: &Function, value: Value) -> Option<Operand<'_>> {
        let width = f.ty(value).int_width()?;
        let form = match (f.constant(value), self.get(value)) {
            (Some(Const::Int(int)), _) => Form::Constant(int.unsigned()),
            (Some(_), _) => return None,
            (None, Some(map)) => Form::Map(map),
            (None, None) => Form::Word(value),
        };
        Some(Operand { form, width })
    }

    /// The map that an operation makes, if it is one.
    fn describe(&self, f: &Function, inst: Inst) -> Option<Map> {
        let (data, row) = (f.inst(inst), f.row(inst));
        let plain = row.effect == Effect::Pure
            && row.exits == Exits::Never
            && !row.partial
            && row.descriptor.is_none();
        let result = f.first_result(inst).filter(|_| plain && f.results(inst).len() == 1)?;
        let Type::Int(_) = f.ty(result) else { return None };
        if f.args(inst).is_empty() {
            return None;
        }
        let operands: Vec<Operand<'_>> =
            f.args(inst).iter().map(|&arg| self.operand(f, arg)).collect::<Option<_>>()?;
        let mut words = operands.iter().filter_map(|operand| operand.word());
        let of = words.next()?;
        if words.any(|other| other != of) {
            return None;
        }
        let step = Step { op: data.op, to: f.ty(result), operands: &operands, bits: f.ty(of).int_width()? };
        let (columns, constant) = step
            .sum()
            .or_else(|| step.affine())
            .or_else(|| step.sign())
            .or_else(|| step.choice())
            .or_else(|| step.of_two_values())?;
        let size = operands.iter().fold(1_u32, |size, operand| size.saturating_add(operand.size()));
        Some(Map { of, columns, constant, size })
    }
}

/// What an operand is.
#[derive(Clone, Copy)]
enum Form<'m> {
    Constant(u64),
    Word(Value),
    Map(&'m Map),
}

#[derive(Clone, Copy)]
struct Operand<'m> {
    form: Form<'m>,
    width: u32,
}

impl Operand<'_> {
    fn word(self) -> Option<Value> {
        match self.form {
            Form::Constant(_) => None,
            Form::Word(value) => Some(value),
            Form::Map(map) => Some(map.of),
        }
    }

    fn column(self, bit: u32) -> u64 {
        match self.form {
            Form::Constant(_) => 0,
            Form::Word(_) => 1 << bit,
            Form::Map(map) => map.columns[bit as usize],
        }
    }

    fn constant(self) -> u64 {
        match self.form {
            Form::Constant(value) => value,
            Form::Word(_) => 0,
            Form::Map(map) => map.constant,
        }
    }

    fn size(self) -> u32 {
        if let Form::Map(map) = self.form { map.size } else { 0 }
    }

    /// The bits of the word that change it, and what each of them changes, if that is the same of all.
    fn two_values(self, bits: u32) -> Option<(u64, u64)> {
        let columns = (0..bits).map(|bit| (bit, self.column(bit))).filter(|&(_, column)| column != 0);
        let mut found = (0, 0);
        for (bit, column) in columns {
            if found.0 != 0 && found.1 != column {
                return None;
            }
            found = (found.0 | 1 << bit, column);
        }
        Some(found)
    }
}

/// Columns and constant.
type Described = (Box<[u64]>, u64);

/// An operation on maps of one word, which has so many bits.
struct Step<'o, 'm> {
    op: Op,
    to: Type,
    operands: &'o [Operand<'m>],
    bits: u32,
}

impl Step<'_, '_> {
    /// What the operation gives for some numbers, by the table of operations.
    fn of(&self, numbers: impl Fn(&Operand<'_>) -> u64) -> Option<u64> {
        let word = |operand: &Operand<'_>| Datum::<Machine>::Word(Int::new(operand.width, numbers(operand)));
        let mut args = [Datum::<Machine>::Word(Int::bit(false)); 3];
        let count = self.operands.len();
        args.get_mut(..count)?.iter_mut().zip(self.operands).for_each(|(arg, operand)| *arg = word(operand));
        match fold(self.op, &args[..count], &[self.to])? {
            Fold::Int(int) => Some(int.unsigned()),
            _ => None,
        }
    }

    fn columns(&self, column: impl Fn(u32) -> Option<u64>) -> Option<Box<[u64]>> {
        (0..self.bits).map(column).collect()
    }

    /// The xor of two maps, or their sum where no bit can be set in both.
    fn sum(&self) -> Option<Described> {
        let &[x, y] = self.operands else { return None };
        let possible = |operand: Operand<'_>| {
            (0..self.bits).fold(operand.constant(), |bits, bit| bits | operand.column(bit))
        };
        let xors = match self.op {
            Op::Xor => true,
            Op::Or | Op::Add => possible(x) & possible(y) == 0,
            _ => false,
        };
        if !xors {
            return None;
        }
        let columns = self.columns(|bit| Some(x.column(bit) ^ y.column(bit)));
        Some((columns?, x.constant() ^ y.constant()))
    }

    /// An operation that keeps a map one, its other operands being constants.
    fn affine(&self) -> Option<Described> {
        let mut varying = self.operands.iter().enumerate().filter(|(_, operand)| operand.word().is_some());
        let (position, _) = varying.next()?;
        if varying.next().is_some() || !is_affine(self.op, position) {
            return None;
        }
        let at = |number: u64| {
            self.of(|operand| if operand.word().is_some() { number } else { operand.constant() })
        };
        let operand = self.operands[position];
        let change = match self.operands {
            &[operand, Operand { form: Form::Constant(other), .. }] => {
                Change::with(self.op, other, operand.width)
            }
            _ => None,
        };
        let columns = match change {
            Some(change) => self.columns(|bit| Some(change.of(operand.column(bit)))),
            None => {
                let zero = at(0)?;
                self.columns(|bit| Some(at(operand.column(bit))? ^ zero))
            }
        };
        Some((columns?, at(operand.constant())?))
    }

    /// A comparison that only asks for the highest bit of a map.
    fn sign(&self) -> Option<Described> {
        let &[Operand { form: Form::Map(_) | Form::Word(_), width }, bound] = self.operands else {
            return None;
        };
        let Form::Constant(bound) = bound.form else { return None };
        let highest = 1 << (width - 1);
        let asks_for_it = match self.op {
            Op::Lt | Op::Ge => bound == 0,
            Op::Le | Op::Gt => bound == u64::MAX >> (64 - width),
            Op::Ult | Op::Uge => bound == highest,
            Op::Ule | Op::Ugt => bound == highest - 1,
            _ => false,
        };
        let at = |number: u64| {
            self.of(|operand| if operand.word().is_some() { number & highest } else { operand.constant() })
        };
        let zero = at(0).filter(|_| asks_for_it)?;
        let operand = self.operands[0];
        let columns = self.columns(|bit| Some(at(operand.column(bit))? ^ zero))?;
        Some((columns, at(operand.constant())?))
    }

    /// A choice, by a map that takes two values, of two maps whose difference is one number.
    fn choice(&self) -> Option<Described> {
        let (Op::Select, &[condition, x, y]) = (self.op, self.operands) else { return None };
        let (flips, change) = condition.two_values(self.bits)?;
        let before = condition.constant() != 0;
        let after = condition.constant() ^ change != 0;
        let (first, second) = if before { (x, y) } else { (y, x) };
        if before == after {
            return Some((self.columns(|bit| Some(first.column(bit)))?, first.constant()));
        }
        if (0..self.bits).any(|bit| first.column(bit) != second.column(bit)) {
            return None;
        }
        let between = first.constant() ^ second.constant();
        let columns =
            self.columns(|bit| Some(first.column(bit) ^ if flips >> bit & 1 == 1 { between } else { 0 }));
        Some((columns?, first.constant()))
    }

    /// Anything of operands that all take two values, changed by the same bits.
    fn of_two_values(&self) -> Option<Described> {
        let mut flips = 0;
        for operand in self.operands {
            match operand.two_values(self.bits)?.0 {
                0 => {}
                other if flips == 0 || flips == other => flips = other,
                _ => return None,
            }
        }
        let change = |operand: &Operand<'_>| operand.two_values(self.bits).map_or(0, |(_, change)| change);
        let before = self.of(|operand| operand.constant())?;
        let after = self.of(|operand| operand.constant() ^ change(operand))?;
        let columns = self.columns(|bit| Some(if flips >> bit & 1 == 1 { before ^ after } else { 0 }));
        Some((columns?, before))
    }
}

/// What an operation with a constant makes of the change of a word, for those that stand in most maps: asked of the table of
/// operations, 64 columns take longer than all else that is done about an operation.
#[derive(Clone, Copy)]
enum Change {
    Masked(u64),
    Up(u32, u64),
    Down(u32),
}

impl Change {
    fn with(op: Op, other: u64, width: u32) -> Option<Change> {
        let all = u64::MAX >> (64 - width);
        let by = || (other % u64::from(width)) as u32;
        Some(match op {
            Op::And => Change::Masked(other),
            Op::Or => Change::Masked(all & !other),
            Op::Xor => Change::Masked(all),
            Op::Lshift => Change::Up(by(), all),
            Op::Urshift => Change::Down(by()),
            _ => return None,
        })
    }

    fn of(self, column: u64) -> u64 {
        match self {
            Change::Masked(mask) => column & mask,
            Change::Up(by, all) => column << by & all,
            Change::Down(by) => column >> by,
        }
    }
}

/// Whether an operation keeps a map in one operand a map, its other operands being constants.
fn is_affine(op: Op, operand: usize) -> bool {
    match op {
        Op::And | Op::Or | Op::Xor | Op::Not | Op::Zext | Op::Sext | Op::Trunc | Op::Bswap => true,
        Op::Lshift | Op::Rshift | Op::Urshift | Op::Rotl | Op::Rotr => operand == 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use planish_ops::table::ALL;

    /// An operation on words of a width, if it is one that gives a word.
    fn value(op: Op, args: &[u64], width: u32, to: u32) -> Option<u64> {
        let args: Vec<_> = args.iter().map(|&arg| Datum::<Machine>::Word(Int::new(width, arg))).collect();
        match fold(op, &args, &[Type::Int(to as u8)]) {
            Some(Fold::Int(int)) => Some(int.unsigned()),
            _ => None,
        }
    }

    #[test]
    fn operations_that_are_taken_to_be_affine_are_for_all_words_of_few_bits() {
        let mut tried = 0;
        for &op in ALL {
            for operand in (0..op.row().operands.len()).filter(|&operand| is_affine(op, operand)) {
                for width in 1..=5 {
                    let to = match op {
                        Op::Zext | Op::Sext => width + 3,
                        Op::Trunc if width == 1 => continue,
                        Op::Trunc => width - 1,
                        _ => width,
                    };
                    let words = 1_u64 << width;
                    let others = if op.row().operands.len() == 2 { words } else { 1 };
                    for other in 0..others {
                        let at = |x: u64| {
                            let mut args = vec![x; op.row().operands.len()];
                            if let [_, _] = args[..] {
                                args[1 - operand] = other;
                            }
                            value(op, &args, width, to).unwrap_or_else(|| panic!("{op} has a meaning"))
                        };
                        let change = Change::with(op, other, width).filter(|_| others > 1);
                        for (x, y) in (0..words).flat_map(|x| (0..words).map(move |y| (x, y))) {
                            assert_eq!(at(x ^ y), at(x) ^ at(y) ^ at(0), "{op} {operand} {other} {x} {y}");
                            let changed = change.map_or(at(y) ^ at(0), |change| change.of(y));
                            assert_eq!(changed, at(y) ^ at(0), "{op} {operand} {other} {y}");
                        }
                        tried += 1;
                    }
                }
            }
        }
        assert!(tried > 600);
    }
}
