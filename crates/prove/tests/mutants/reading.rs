//! A second reading of rules: what pattern and target yield, in whole numbers and floats of the host.
//!
//! [`Rule::semantics`] is one definition for the machine and for terms, so that a mistake in the meaning of an operation would be
//! one of both. Here operations are said once more, from their descriptions in the table and in numbers of 128 bits, and what
//! is undefined or leaves is said as what happens, not as a condition.

use planish_base::Id;
use planish_ops::{Datum, FloatFormat, Int, Machine, Op, Real, Type};
use planish_rules::eval::concrete;
use planish_rules::rule::{Literal, NodeKind, Rule, Target, TermId};
use planish_rules::semantics::Reading;

/// What becomes of a side of a rule.
#[derive(Clone, Copy)]
enum Outcome {
    /// Its results.
    Value(Datum<Machine>, Option<bool>),
    /// A guard that passes, or leaves.
    Guard(bool),
    /// Nobody may ask.
    Undefined,
    /// It leaves at its root.
    Leaves,
}

/// Why there is no outcome.
enum Stop {
    /// Below the root something has left or is undefined and needed.
    Below,
    /// An operation is not read here.
    Unread,
}

/// A value, or none that may be asked for.
type Found = Option<Datum<Machine>>;

/// The values of a rule's variables, where they are defined.
pub struct Inputs<'a> {
    pub rule: &'a Rule,
    pub types: &'a [Type],
    pub reading: Reading,
    pub values: &'a [Option<Datum<Machine>>],
    pub defined: &'a [Option<bool>],
}

/// Whether the claim of a rule that applies holds; nothing where an operation is not read here.
pub fn holds(inputs: &Inputs<'_>) -> Option<bool> {
    let rule = inputs.rule;
    let source = match inputs.root(rule.pattern) {
        Err(Stop::Unread) => return None,
        Err(Stop::Below) | Ok(Outcome::Undefined) => return Some(true),
        Ok(outcome) => outcome,
    };
    let target = match rule.target {
        Target::Value(term) => inputs.root(term),
        Target::Pair(value, flag) => inputs.pair(value, flag),
        Target::Pass => Ok(Outcome::Guard(true)),
        Target::Fail => Ok(Outcome::Guard(false)),
    };
    let target = match target {
        Err(Stop::Unread) => return None,
        Err(Stop::Below) => Outcome::Undefined,
        Ok(outcome) => outcome,
    };
    Some(match (source, target) {
        // An exception must not get lost; what else the target does there is up to it.
        (Outcome::Leaves, target) => matches!(target, Outcome::Leaves | Outcome::Undefined),
        (Outcome::Value(x, flag), Outcome::Value(y, other)) => {
            same(x, y) && (!rule.has_overflow() || flag == Some(other.unwrap_or(false)))
        }
        (Outcome::Guard(passes), Outcome::Guard(other)) => passes == other,
        _ => false,
    })
}

/// Equal as results are: NaN is one value, and 0 is not -0.
fn same(x: Datum<Machine>, y: Datum<Machine>) -> bool {
    match (x, y) {
        (Datum::Word(x), Datum::Word(y)) => x == y,
        (Datum::Float(x), Datum::Float(y)) => {
            x.format() == y.format() && ((x.is_nan() && y.is_nan()) || x.to_bits() == y.to_bits())
        }
        _ => false,
    }
}

impl Inputs<'_> {
    fn ty(&self, term: TermId) -> Type {
        concrete(self.rule.terms[term].ty, self.types)
    }

    /// A term as a whole side.
    fn root(&self, term: TermId) -> Result<Outcome, Stop> {
        let NodeKind::Op(op, args) = &self.rule.terms[term].kind else {
            return Ok(self.value(term)?.map_or(Outcome::Undefined, |datum| Outcome::Value(datum, None)));
        };
        let operands = self.operands(*op, args)?;
        let Some(operands) = operands else { return Err(Stop::Below) };
        if let Some(passes) = guard(*op, &operands) {
            return Ok(Outcome::Guard(passes));
        }
        match self.apply(*op, &operands, self.ty(term))? {
            Applied::Value(value, flag) => Ok(Outcome::Value(value, flag)),
            Applied::Undefined => Ok(Outcome::Undefined),
            Applied::Leaves => Ok(Outcome::Leaves),
        }
    }

    fn pair(&self, value: TermId, flag: TermId) -> Result<Outcome, Stop> {
        let (Some(value), Some(Datum::Word(flag))) = (self.value(value)?, self.value(flag)?) else {
            return Err(Stop::Below);
        };
        Ok(Outcome::Value(value, Some(flag.is_true())))
    }

    /// The value of a term below a root.
    fn value(&self, term: TermId) -> Result<Found, Stop> {
        match &self.rule.terms[term].kind {
            NodeKind::Var(var) => {
                let is_defined = self.defined[var.index()].unwrap_or(true);
                Ok(self.values[var.index()].filter(|_| is_defined))
            }
            NodeKind::Literal(literal) => Ok(Some(constant(*literal, self.ty(term)))),
            NodeKind::Reuse(term) => self.value(*term),
            NodeKind::Op(op, args) => {
                let Some(operands) = self.operands(*op, args)? else {
                    // What leaves runs, whoever needs its result.
                    return if self.reading == Reading::Masked && divides(*op) {
                        Err(Stop::Below)
                    } else {
                        Ok(None)
                    };
                };
                match self.apply(*op, &operands, self.ty(term))? {
                    Applied::Value(value, _) => Ok(Some(value)),
                    Applied::Undefined => Ok(None),
                    Applied::Leaves => Err(Stop::Below),
                }
            }
        }
    }

    /// The operands of an operation; nothing where one that it needs is undefined.
    fn operands(&self, op: Op, args: &[TermId]) -> Result<Option<Vec<Datum<Machine>>>, Stop> {
        let values: Vec<Found> = args.iter().map(|&arg| self.value(arg)).collect::<Result<_, _>>()?;
        if op == Op::Select {
            let Some(Datum::Word(condition)) = values[0] else { return Ok(None) };
            let taken = values[if condition.is_true() { 1 } else { 2 }];
            return Ok(taken.map(|taken| vec![taken]));
        }
        Ok(values.into_iter().collect())
    }

    fn apply(&self, op: Op, args: &[Datum<Machine>], to: Type) -> Result<Applied, Stop> {
        if op == Op::Select {
            return Ok(Applied::Value(args[0], None));
        }
        let words: Option<Vec<Int>> = args.iter().map(|arg| arg_word(*arg)).collect();
        if let (Some(words), Type::Int(width)) = (&words, to) {
            if self.reading == Reading::Undefined
                && shifts(op)
                && words[1].unsigned() >= u64::from(words[1].width())
            {
                return Ok(Applied::Undefined);
            }
            if divides(op) && words[1].unsigned() == 0 {
                let masked = self.reading == Reading::Masked;
                return Ok(if masked { Applied::Leaves } else { Applied::Undefined });
            }
            let (value, flag) = whole(op, words, u32::from(width)).ok_or(Stop::Unread)?;
            return Ok(Applied::Value(Datum::Word(Int::new(u32::from(width), value as u64)), flag));
        }
        let floats: Option<Vec<Real>> = args.iter().map(|arg| arg_float(*arg)).collect();
        let value = floats.and_then(|floats| real(op, &floats, to)).ok_or(Stop::Unread)?;
        Ok(Applied::Value(value, None))
    }
}

/// What an operation with defined operands does.
enum Applied {
    Value(Datum<Machine>, Option<bool>),
    Undefined,
    Leaves,
}

fn arg_word(datum: Datum<Machine>) -> Option<Int> {
    match datum {
        Datum::Word(word) => Some(word),
        Datum::Float(_) => None,
    }
}

fn arg_float(datum: Datum<Machine>) -> Option<Real> {
    match datum {
        Datum::Float(real) => Some(real),
        Datum::Word(_) => None,
    }
}

fn divides(op: Op) -> bool {
    matches!(op, Op::Udiv | Op::Urem | Op::Sdiv | Op::Srem | Op::FloorDiv | Op::FloorMod)
}

fn shifts(op: Op) -> bool {
    matches!(op, Op::Lshift | Op::Rshift | Op::Urshift | Op::Rotl | Op::Rotr)
}

fn constant(literal: Literal, ty: Type) -> Datum<Machine> {
    match (literal, ty) {
        (Literal::Float(value), Type::Float(FloatFormat::F32)) => Datum::Float(Real::F32(value as f32)),
        (Literal::Float(value), _) => Datum::Float(Real::F64(value)),
        (literal, Type::Int(width)) => {
            let value: i128 = match literal {
                Literal::Integer(value) => value,
                Literal::LongBit => i128::from(width),
                Literal::MinInt => -(1 << (width - 1)),
                Literal::MaxInt => (1 << (width - 1)) - 1,
                Literal::Float(_) => unreachable!("it stands before"),
            };
            Datum::Word(Int::new(u32::from(width), value as u64))
        }
        _ => panic!("an integer of type {ty}"),
    }
}

/// Whether a guard passes; nothing of what is no guard.
fn guard(op: Op, args: &[Datum<Machine>]) -> Option<bool> {
    let word = |index: usize| arg_word(args[index]).expect("guards ask words");
    match op {
        Op::GuardTrue => Some(word(0).is_true()),
        Op::GuardFalse => Some(!word(0).is_true()),
        Op::GuardValue => Some(same(args[0], args[1])),
        Op::BoundsCheck => Some(word(0).signed() >= 0 && word(0).signed() < word(1).signed()),
        _ => None,
    }
}

/// An operation on integers, and its overflow.
fn whole(op: Op, args: &[Int], to: u32) -> Option<(i128, Option<bool>)> {
    let width = args[0].width();
    let [(x, u), (y, v)] = [0, args.len().min(2) - 1].map(|index| {
        let word = args[index];
        (i128::from(word.signed()), i128::from(word.unsigned()))
    });
    let (modulus, bits) = (1i128 << width, i128::from(width));
    let amount = (v % bits) as u32;
    let truth = |holds: bool| i128::from(holds);
    let is_signed = |value: i128| -(modulus / 2) <= value && value < modulus / 2;
    let is_unsigned = |value: i128| 0 <= value && value < modulus;
    let checked = |value: i128, fits: bool| Some((value, Some(!fits)));
    let rotated = |left: u32| (u << left | u >> (width - left)) % modulus;
    let value = match op {
        Op::Add => x + y,
        Op::Sub => x - y,
        Op::Mul => x.wrapping_mul(y),
        Op::Umulh => ((u as u128 * v as u128) >> width) as i128,
        Op::Smulh => x.wrapping_mul(y) >> width,
        Op::Neg => -x,
        Op::Abs => x.abs(),
        Op::Min => x.min(y),
        Op::Max => x.max(y),
        Op::Umin => u.min(v),
        Op::Umax => u.max(v),
        Op::ForceGeZero => x.max(0),
        Op::Udiv => u / v,
        Op::Urem => u % v,
        Op::Sdiv => x / y,
        Op::Srem => x % y,
        Op::FloorDiv => x.div_euclid(y) - truth(y < 0 && x.rem_euclid(y) != 0),
        Op::FloorMod => x - y * (x.div_euclid(y) - truth(y < 0 && x.rem_euclid(y) != 0)),
        Op::And => x & y,
        Op::Or => x | y,
        Op::Xor => x ^ y,
        Op::Not => -1 - x,
        Op::Lshift => u << amount,
        Op::Rshift => x >> amount,
        Op::Urshift => u >> amount,
        Op::Rotl => rotated(amount),
        Op::Rotr => rotated((width - amount) % width),
        Op::Clz => (0..width).rev().take_while(|bit| u >> bit & 1 == 0).count() as i128,
        Op::Ctz => (0..width).take_while(|bit| u >> bit & 1 == 0).count() as i128,
        Op::Popcount => (0..width).map(|bit| u >> bit & 1).sum(),
        Op::Sext => x,
        Op::Zext => u,
        Op::Trunc => x,
        Op::Eq => truth(x == y),
        Op::Ne => truth(x != y),
        Op::Lt => truth(x < y),
        Op::Le => truth(x <= y),
        Op::Gt => truth(x > y),
        Op::Ge => truth(x >= y),
        Op::Ult => truth(u < v),
        Op::Ule => truth(u <= v),
        Op::Ugt => truth(u > v),
        Op::Uge => truth(u >= v),
        Op::IsTrue => truth(x != 0),
        Op::IsZero => truth(x == 0),
        Op::AddOvf => return checked(x + y, is_signed(x + y)),
        Op::SubOvf => return checked(x - y, is_signed(x - y)),
        Op::MulOvf => return checked(x.wrapping_mul(y), is_signed(x.wrapping_mul(y))),
        Op::UaddOvf => return checked(u + v, is_unsigned(u + v)),
        Op::UsubOvf => return checked(u - v, is_unsigned(u - v)),
        Op::UmulOvf => {
            let product = u as u128 * v as u128;
            return checked(product as i128, product < modulus as u128);
        }
        _ => return None,
    };
    debug_assert!(to <= 64);
    Some((value, None))
}

/// An operation on floats.
fn real(op: Op, args: &[Real], to: Type) -> Found {
    let truth = |holds: bool| match to {
        Type::Int(width) => Some(Datum::Word(Int::new(u32::from(width), u64::from(holds)))),
        _ => None,
    };
    let (x, y) = (args[0].to_f64(), args[args.len() - 1].to_f64());
    match op {
        Op::Feq => return truth(x == y),
        Op::Fne => return truth(x != y),
        Op::Flt => return truth(x < y),
        Op::Fle => return truth(x <= y),
        Op::Fgt => return truth(x > y),
        Op::Fge => return truth(x >= y),
        Op::FloatConvert => {
            return Some(Datum::Float(match to {
                Type::Float(FloatFormat::F32) => Real::F32(x as f32),
                _ => Real::F64(x),
            }));
        }
        _ => {}
    }
    let value = match (args[0], args[args.len() - 1]) {
        (Real::F32(x), Real::F32(y)) => Real::F32(match op {
            Op::Fadd => x + y,
            Op::Fsub => x - y,
            Op::Fmul => x * y,
            Op::Fdiv => x / y,
            Op::Frem => x % y,
            Op::Fneg => -x,
            Op::Fabs => x.abs(),
            Op::Fsqrt => x.sqrt(),
            _ => return None,
        }),
        (Real::F64(x), Real::F64(y)) => Real::F64(match op {
            Op::Fadd => x + y,
            Op::Fsub => x - y,
            Op::Fmul => x * y,
            Op::Fdiv => x / y,
            Op::Frem => x % y,
            Op::Fneg => -x,
            Op::Fabs => x.abs(),
            Op::Fsqrt => x.sqrt(),
            _ => return None,
        }),
        _ => return None,
    };
    Some(Datum::Float(value))
}
