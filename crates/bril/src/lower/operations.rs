//! What operations become: one instruction, or several where the language has none that does the same.

use planish_base::Id;
use planish_ir::Const;
use planish_ir::draft::{self, Variable};
use planish_ops::{Op, Real, Type as Word};

use super::{Lines, Lowerer, name};
use crate::ast::Type;
use crate::legal;

/// An operation that is to be written.
#[derive(Clone, Copy)]
struct Asked<'o> {
    op: Op,
    /// The names of its operands.
    args: &'o [String],
    /// The types of these.
    words: &'o [Word],
    /// What they are.
    operands: &'o [draft::Operand],
    /// The type of the result.
    word: Word,
}

/// A variable and its type.
type Dest = (String, Type);

impl Asked<'_> {
    fn refuse(&self) -> Result<(), String> {
        Err(format!("`{}` of the type {} has no form in the language", self.op, self.word))
    }

    /// An operand, if it is a constant.
    fn number(&self, operand: usize) -> Option<i64> {
        match self.operands.get(operand) {
            Some(draft::Operand::Const(Const::Int(int))) => Some(int.signed()),
            _ => None,
        }
    }

    /// The name of the second operand, if there is one.
    fn second(&self) -> &str {
        self.args.get(1).map_or("", String::as_str)
    }
}

/// Whether an operation on operands of some types, of which some are constants, has a form when its result has a type; one of
/// [`legal::WORDS`] only if those may be written. It is tried.
pub fn has_form(op: Op, operands: &[(Word, Option<Const>)], result: Word, words: bool) -> bool {
    let types: Vec<Word> = operands.iter().map(|&(word, _)| word).collect();
    if legal::of(op, &types, result, words).is_some() {
        return operands.iter().all(|&(_, constant)| constant.is_none_or(is_literal));
    }
    let is_value = |word: &Word| *word == Word::Ref || legal::plain(*word).is_some();
    if !is_value(&result) || !types.iter().all(is_value) {
        return false;
    }
    let nobody = draft::Operand::Var(Variable::from_index(0));
    let operands: Vec<draft::Operand> =
        operands.iter().map(|&(_, constant)| constant.map_or(nobody, draft::Operand::Const)).collect();
    let mut lines = Lines { words, ..Lines::default() };
    let Ok(names) = lines.operands(&operands) else { return false };
    let asked = Asked { op, args: &names, words: &types, operands: &operands, word: result };
    lines.write(&asked, (String::new(), legal::plain(result).unwrap_or(Type::Int))).is_ok()
}

/// Whether a constant can be written.
fn is_literal(constant: Const) -> bool {
    Lines::default().constant(constant).is_ok()
}

impl Lowerer<'_> {
    /// Writes an operation whose result a variable gets.
    pub(super) fn op(&mut self, op: Op, args: &[draft::Operand], result: Variable) -> Result<(), String> {
        let words: Vec<Word> = args.iter().map(|&arg| self.word(arg)).collect();
        let word = self.draft.variables[result].ty;
        let names = self.lines.operands(args)?;
        let dest = (name(result), self.ty(result));
        self.lines.write(&Asked { op, args: &names, words: &words, operands: args, word }, dest)
    }
}

impl Lines {
    /// Writes an operation by one instruction or several.
    fn write(&mut self, asked: &Asked<'_>, dest: Dest) -> Result<(), String> {
        let Asked { op, args, words, word, .. } = *asked;
        if let Some(row) = legal::of(op, words, word, self.words) {
            let args: Vec<&str> = args.iter().map(String::as_str).collect();
            self.push(row.name, Some(dest), &args);
            return Ok(());
        }
        let Some(x) = args.first() else { return asked.refuse() };
        match op {
            // A comparison that yields a number.
            _ if op.row().negated.is_some() && word == Word::I64 => {
                let truth = self.temporary();
                self.write(&Asked { word: Word::I1, ..*asked }, (truth.clone(), Type::Bool))?;
                let (one, zero) = (self.int(1)?, self.int(0)?);
                self.choose(&truth, &one, &zero, dest);
                Ok(())
            }
            Op::Lshift | Op::Rshift | Op::Urshift | Op::And if word == Word::I64 => {
                self.shift_or_mask(asked, x, dest)
            }
            Op::Neg | Op::Not | Op::Srem | Op::Min | Op::Max | Op::ForceGeZero | Op::Abs
                if word == Word::I64 =>
            {
                self.arithmetic(asked, x, dest)
            }
            Op::Fneg => {
                let minus = self.constant(Real::F64(-1.0).into())?;
                self.push("fmul", Some(dest), &[x, &minus]);
                Ok(())
            }
            Op::Select => {
                let condition = self.truth(words[0], x.clone())?;
                match self.words {
                    true => self.push("select", Some(dest), &[&condition, &args[1], &args[2]]),
                    false => self.choose(&condition, &args[1], &args[2], dest),
                }
                Ok(())
            }
            _ => self.truth_operation(asked, x, dest),
        }
    }

    /// Operations that take or give truth values.
    fn truth_operation(&mut self, asked: &Asked<'_>, x: &str, dest: Dest) -> Result<(), String> {
        let (Asked { op, words, word, .. }, y) = (*asked, asked.second());
        let bits = words.first() == Some(&Word::I1);
        match op {
            Op::Zext if word == Word::I64 && bits => {
                let (one, zero) = (self.int(1)?, self.int(0)?);
                self.choose(x, &one, &zero, dest);
            }
            Op::Trunc if word == Word::I1 && words[0] == Word::I64 => {
                let (two, half, whole) = (self.int(2)?, self.temporary(), self.temporary());
                self.push("div", Some((half.clone(), Type::Int)), &[x, &two]);
                self.push("mul", Some((whole.clone(), Type::Int)), &[&half, &two]);
                let equal = self.temporary();
                self.push("eq", Some((equal.clone(), Type::Bool)), &[&whole, x]);
                self.push("not", Some(dest), &[&equal]);
            }
            Op::Ne | Op::Xor | Op::Add | Op::Sub if bits && word == Word::I1 => self.differ(x, y, dest),
            Op::Eq if bits => {
                let differ = self.temporary();
                self.differ(x, y, (differ.clone(), Type::Bool));
                self.push("not", Some(dest), &[&differ]);
            }
            Op::IsZero if bits => self.push("not", Some(dest), &[x]),
            Op::IsTrue if bits => self.push("id", Some(dest), &[x]),
            Op::IsTrue => {
                let truth = self.truth(words[0], x.to_owned())?;
                self.push("id", Some(dest), &[&truth]);
            }
            Op::IsZero if words[0] == Word::I64 => {
                let zero = self.int(0)?;
                self.push("eq", Some(dest), &[x, &zero]);
            }
            Op::Ne | Op::Fne if word == Word::I1 => {
                let equal = self.temporary();
                let (op, bit) = (if op == Op::Ne { Op::Eq } else { Op::Feq }, (equal.clone(), Type::Bool));
                if legal::of(op, words, Word::I1, self.words).is_none() {
                    return asked.refuse();
                }
                self.write(&Asked { op, word: Word::I1, ..*asked }, bit)?;
                self.push("not", Some(dest), &[&equal]);
            }
            _ => return asked.refuse(),
        }
        Ok(())
    }

    fn arithmetic(&mut self, asked: &Asked<'_>, x: &str, dest: Dest) -> Result<(), String> {
        match asked.op {
            Op::Neg => {
                let zero = self.int(0)?;
                self.push("sub", Some(dest), &[&zero, x]);
            }
            Op::Not => {
                let minus = self.int(-1)?;
                self.push("sub", Some(dest), &[&minus, x]);
            }
            Op::Srem => self.remainder(x, asked.second(), dest),
            _ => {
                let truth = self.temporary();
                let zero = self.int(0)?;
                let other = asked.args.get(1).unwrap_or(&zero);
                self.push("lt", Some((truth.clone(), Type::Bool)), &[x, other]);
                match asked.op {
                    Op::Min => self.choose(&truth, x, other, dest),
                    Op::Max | Op::ForceGeZero => self.choose(&truth, other, x, dest),
                    _ => {
                        let negated = self.temporary();
                        self.push("sub", Some((negated.clone(), Type::Int)), &[&zero, x]);
                        self.choose(&truth, &negated, x, dest);
                    }
                }
            }
        }
        Ok(())
    }

    /// Shifts by a number are products and quotients; a mask of low bits is what a quotient leaves.
    fn shift_or_mask(&mut self, asked: &Asked<'_>, x: &str, dest: Dest) -> Result<(), String> {
        match asked.op {
            Op::Lshift => match asked.number(1) {
                Some(by) => {
                    let factor = self.int(1i64.wrapping_shl(by as u32))?;
                    self.push("mul", Some(dest), &[x, &factor]);
                }
                None => return asked.refuse(),
            },
            Op::Rshift => match asked.number(1).map(|by| by & 63) {
                Some(by @ 0..=62) => self.floor(x, by, dest)?,
                _ => return asked.refuse(),
            },
            Op::Urshift => match asked.number(1).map(|by| by & 63) {
                // What was shifted in as the sign is taken out again.
                Some(by @ 1..=62) => {
                    let (shifted, negative, high) = (self.temporary(), self.temporary(), self.temporary());
                    let (wrap, zero) = (self.int(1i64.wrapping_shl(64 - by as u32))?, self.int(0)?);
                    self.floor(x, by, (shifted.clone(), Type::Int))?;
                    self.push("lt", Some((negative.clone(), Type::Bool)), &[&shifted, &zero]);
                    self.choose(&negative, &wrap, &zero, (high.clone(), Type::Int));
                    self.push("add", Some(dest), &[&shifted, &high]);
                }
                _ => return asked.refuse(),
            },
            _ => {
                // The low bits are what is left by the quotient rounded down.
                let (mask, value) = match (asked.number(0), asked.number(1)) {
                    (_, Some(mask)) => (mask, x),
                    (Some(mask), _) => (mask, asked.second()),
                    _ => return asked.refuse(),
                };
                let by = i64::from(mask.trailing_ones());
                if mask < 1 || mask.count_ones() != mask.trailing_ones() || by > 62 {
                    return asked.refuse();
                }
                let (quotient, whole, factor) = (self.temporary(), self.temporary(), self.int(1 << by)?);
                self.floor(value, by, (quotient.clone(), Type::Int))?;
                self.push("mul", Some((whole.clone(), Type::Int)), &[&quotient, &factor]);
                self.push("sub", Some(dest), &[value, &whole]);
            }
        }
        Ok(())
    }

    /// A truth value: numbers are compared with zero.
    fn truth(&mut self, word: Word, value: String) -> Result<String, String> {
        if word == Word::I1 {
            return Ok(value);
        }
        let zero = self.int(0)?;
        let (equal, truth) = (self.temporary(), self.temporary());
        self.push("eq", Some((equal.clone(), Type::Bool)), &[&value, &zero]);
        self.push("not", Some((truth.clone(), Type::Bool)), &[&equal]);
        Ok(truth)
    }

    /// `yes` where a truth value holds, else `no`: as a branch is written whose edges assign, the other one first.
    fn choose(&mut self, truth: &str, yes: &str, no: &str, dest: Dest) {
        let (then, other, end) = (self.fresh_label(), self.fresh_label(), self.fresh_label());
        self.jump("br", &[truth], vec![then.clone(), other.clone()]);
        self.label(other);
        self.push("id", Some(dest.clone()), &[no]);
        self.jump("jmp", &[], vec![end.clone()]);
        self.label(then);
        self.push("id", Some(dest), &[yes]);
        self.jump("jmp", &[], vec![end.clone()]);
        self.label(end);
    }

    /// Whether two truth values differ.
    fn differ(&mut self, x: &str, y: &str, dest: Dest) {
        let [either, both, not_both] = std::array::from_fn(|_| self.temporary());
        self.push("or", Some((either.clone(), Type::Bool)), &[x, y]);
        self.push("and", Some((both.clone(), Type::Bool)), &[x, y]);
        self.push("not", Some((not_both.clone(), Type::Bool)), &[&both]);
        self.push("and", Some(dest), &[&either, &not_both]);
    }

    /// x - (x / y) * y
    fn remainder(&mut self, x: &str, y: &str, dest: Dest) {
        let (quotient, whole) = (self.temporary(), self.temporary());
        self.push("div", Some((quotient.clone(), Type::Int)), &[x, y]);
        self.push("mul", Some((whole.clone(), Type::Int)), &[&quotient, y]);
        self.push("sub", Some(dest), &[x, &whole]);
    }

    /// x / 2^by rounded down: the quotient that `div` truncates is one too much where something negative
    /// is left.
    fn floor(&mut self, x: &str, by: i64, dest: Dest) -> Result<(), String> {
        let (divisor, one, zero) = (self.int(1 << by)?, self.int(1)?, self.int(0)?);
        let [quotient, whole, less, back] = std::array::from_fn(|_| self.temporary());
        self.push("div", Some((quotient.clone(), Type::Int)), &[x, &divisor]);
        self.push("mul", Some((whole.clone(), Type::Int)), &[&quotient, &divisor]);
        self.push("lt", Some((less.clone(), Type::Bool)), &[x, &whole]);
        self.choose(&less, &one, &zero, (back.clone(), Type::Int));
        self.push("sub", Some(dest), &[&quotient, &back]);
        Ok(())
    }
}
