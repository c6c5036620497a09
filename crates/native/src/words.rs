//! Fixed-width words and floats as machine code: the instance of [`Bits`] and [`Floats`] that compiles.
//!
//! What an operation means is said once, in the table, over these two traits. So an operation of the table has machine
//! code when it has a meaning; nothing is said of single operations here.
//!
//! A word lives in the narrowest of 32 and 64 bits that holds it, the bits above its width being zero. What is
//! known of its size saves most of the masks, and the care that a shift by too much would take.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::immediates::{Ieee32, Ieee64};
use cranelift_codegen::ir::{FuncRef, InstBuilder, MemFlagsData, Type as Machine, Value, types};
use cranelift_frontend::FunctionBuilder;
use planish_ops::bits::bytes_swapped;
use planish_ops::{Bits, FloatFormat, Floats};

/// A word in a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    pub value: Value,
    pub width: u32,
    /// What it is at most, read as unsigned.
    pub most: u64,
    /// What it is, if it is a constant.
    pub constant: Option<u64>,
}

/// A float in a register.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Number {
    pub value: Value,
    pub format: FloatFormat,
}

/// Writes code, one block after another.
pub(crate) struct Emit<'f> {
    pub code: FunctionBuilder<'f>,
    /// What computes the remainder of floats: of the narrow format, of the wide one.
    pub remainders: [FuncRef; 2],
    /// A divisor that is known not to be zero.
    pub nonzero: Option<Value>,
}

/// The low `width` bits set.
pub(crate) fn mask(width: u32) -> u64 {
    u64::MAX >> (64 - width)
}

/// How many bits a word of a width lives in.
fn room(width: u32) -> u32 {
    if width <= 32 { 32 } else { 64 }
}

/// The type of what holds a word of a width.
pub(crate) fn word_type(width: u32) -> Machine {
    if width <= 32 { types::I32 } else { types::I64 }
}

/// The type of what holds a float.
pub(crate) fn float_type(format: FloatFormat) -> Machine {
    match format {
        FloatFormat::F32 => types::F32,
        FloatFormat::F64 => types::F64,
    }
}

impl Word {
    /// A word of which nothing is known but its width.
    pub fn unknown(value: Value, width: u32) -> Word {
        Word { value, width, most: mask(width), constant: None }
    }
}

impl Emit<'_> {
    fn constant(&mut self, ty: Machine, value: u64) -> Value {
        // The bits that a narrow constant does not have must not be set.
        let value = if ty == types::I32 { i64::from(value as u32) } else { value as i64 };
        self.code.ins().iconst(ty, value)
    }

    /// A word with what is above its width cut off.
    pub fn cut(&mut self, value: Value, width: u32) -> Word {
        if width == room(width) {
            return Word::unknown(value, width);
        }
        let mask = self.constant(word_type(width), mask(width));
        Word::unknown(self.code.ins().band(value, mask), width)
    }

    /// A value that is at most `most`.
    fn bounded(&self, value: Value, width: u32, most: u64) -> Word {
        Word { most, ..Word::unknown(value, width) }
    }

    /// The word with its sign in all the bits of the register.
    fn signed(&mut self, a: Word) -> Value {
        let (width, room) = (a.width, room(a.width));
        if let Some(value) = a.constant {
            let up = 64 - width;
            return self.constant(word_type(width), (((value << up) as i64) >> up) as u64);
        }
        if width == room || a.most >> (width - 1) == 0 {
            return a.value;
        }
        let ty = word_type(width);
        match width {
            8 | 16 => {
                let narrow = if width == 8 { types::I8 } else { types::I16 };
                let low = self.code.ins().ireduce(narrow, a.value);
                self.code.ins().sextend(ty, low)
            }
            _ => {
                let up = self.constant(ty, u64::from(room - width));
                let high = self.code.ins().ishl(a.value, up);
                self.code.ins().sshr(high, up)
            }
        }
    }

    /// The word in 64 bits, filled with zeros.
    pub fn wide(&mut self, a: Word) -> Value {
        if room(a.width) == 64 { a.value } else { self.code.ins().uextend(types::I64, a.value) }
    }

    /// The word in 64 bits, filled with its sign.
    pub fn wide_signed(&mut self, a: Word) -> Value {
        let value = self.signed(a);
        if room(a.width) == 64 { value } else { self.code.ins().sextend(types::I64, value) }
    }

    /// The word of the low bits of 64.
    pub fn narrow(&mut self, value: Value, width: u32) -> Word {
        let value = if room(width) == 64 { value } else { self.code.ins().ireduce(types::I32, value) };
        self.cut(value, width)
    }

    pub fn compare(&mut self, how: IntCC, a: Value, b: Value) -> Value {
        self.code.ins().icmp(how, a, b)
    }

    /// Whether a word is a constant other than zero, or known to be no zero.
    fn is_no_zero(&self, a: Word) -> bool {
        a.constant.is_some_and(|value| value != 0) || self.nonzero == Some(a.value)
    }

    /// The divisor, or one where it is zero; and whether it is, if it may be.
    fn divisor(&mut self, b: Word) -> (Word, Option<Value>) {
        if self.is_no_zero(b) {
            return (b, None);
        }
        let (zero, one) = (self.zero(b), self.one(b));
        let is_zero = self.eq(b, zero);
        (self.select(is_zero, one, b), Some(is_zero))
    }

    /// Dividend and divisor with their signs such that dividing them does not overflow, and whether the
    /// divisor was -1 where that matters.
    fn signed_operands(&mut self, a: Word, b: Word) -> (Value, Value, Option<Value>) {
        let (x, y) = (self.signed(a), self.signed(b));
        let no_minus_one = b.constant.is_some_and(|value| value != mask(b.width));
        if b.width < room(b.width) || no_minus_one {
            return (x, y, None);
        }
        let ty = word_type(b.width);
        let (minus, one) = (self.constant(ty, u64::MAX), self.constant(ty, 1));
        let is_minus = self.compare(IntCC::Equal, y, minus);
        let y = self.code.ins().select(is_minus, one, y);
        (x, y, Some(is_minus))
    }

    /// The high half of a product of more than 32 bits, from both halves of that of 64 bits.
    fn high(&mut self, low: Value, high: Value, width: u32) -> Word {
        if width == 64 {
            return Word::unknown(high, 64);
        }
        let (up, down) =
            (self.constant(types::I64, u64::from(64 - width)), self.constant(types::I64, u64::from(width)));
        let (high, low) = (self.code.ins().ishl(high, up), self.code.ins().ushr(low, down));
        let both = self.code.ins().bor(high, low);
        self.cut(both, width)
    }

    fn bits_of(&mut self, a: Number) -> Value {
        let ty = if a.format == FloatFormat::F32 { types::I32 } else { types::I64 };
        self.code.ins().bitcast(ty, MemFlagsData::new(), a.value)
    }

    /// The encoding as it is.
    pub fn raw_bits(&mut self, a: Number) -> Word {
        Word::unknown(self.bits_of(a), a.format.bits())
    }

    fn float_compare(&mut self, how: FloatCC, a: Number, b: Number) -> Value {
        self.code.ins().fcmp(how, a.value, b.value)
    }

    /// A word rotated, where a register is as wide as the word; to the left or to the right.
    pub fn rotated(&mut self, a: Word, amount: Word, left: bool) -> Option<Word> {
        if a.width != room(a.width) {
            return None;
        }
        let ins = self.code.ins();
        let value = if left { ins.rotl(a.value, amount.value) } else { ins.rotr(a.value, amount.value) };
        Some(Word::unknown(value, a.width))
    }
}

impl Bits for Emit<'_> {
    type Word = Word;
    type Bool = Value;

    fn word(&mut self, width: u32, value: u64) -> Word {
        let value = value & mask(width);
        Word { value: self.constant(word_type(width), value), width, most: value, constant: Some(value) }
    }

    fn truth(&mut self, value: bool) -> Value {
        self.code.ins().iconst(types::I8, i64::from(value))
    }

    fn width(&self, a: Word) -> u32 {
        a.width
    }

    fn add(&mut self, a: Word, b: Word) -> Word {
        let sum = self.code.ins().iadd(a.value, b.value);
        match a.most.checked_add(b.most).filter(|&most| most <= mask(a.width)) {
            Some(most) => self.bounded(sum, a.width, most),
            None => self.cut(sum, a.width),
        }
    }

    fn sub(&mut self, a: Word, b: Word) -> Word {
        let difference = self.code.ins().isub(a.value, b.value);
        self.cut(difference, a.width)
    }

    fn mul(&mut self, a: Word, b: Word) -> Word {
        let product = self.code.ins().imul(a.value, b.value);
        self.cut(product, a.width)
    }

    fn umulh(&mut self, a: Word, b: Word) -> Word {
        let (x, y) = (self.wide(a), self.wide(b));
        let low = self.code.ins().imul(x, y);
        if a.width <= 32 {
            let down = self.constant(types::I64, u64::from(a.width));
            let high = self.code.ins().ushr(low, down);
            return self.narrow(high, a.width);
        }
        let high = self.code.ins().umulhi(x, y);
        self.high(low, high, a.width)
    }

    fn smulh(&mut self, a: Word, b: Word) -> Word {
        let (x, y) = (self.wide_signed(a), self.wide_signed(b));
        let low = self.code.ins().imul(x, y);
        if a.width <= 32 {
            let down = self.constant(types::I64, u64::from(a.width));
            let high = self.code.ins().sshr(low, down);
            return self.narrow(high, a.width);
        }
        let high = self.code.ins().smulhi(x, y);
        self.high(low, high, a.width)
    }

    fn udiv(&mut self, a: Word, b: Word) -> Word {
        let (divisor, is_zero) = self.divisor(b);
        let quotient = self.code.ins().udiv(a.value, divisor.value);
        let quotient = self.bounded(quotient, a.width, a.most);
        match is_zero {
            None => quotient,
            Some(is_zero) => {
                let ones = self.ones(a);
                self.select(is_zero, ones, quotient)
            }
        }
    }

    fn urem(&mut self, a: Word, b: Word) -> Word {
        let (divisor, is_zero) = self.divisor(b);
        let remainder = self.code.ins().urem(a.value, divisor.value);
        let most = if is_zero.is_none() { a.most.min(b.most.saturating_sub(1)) } else { a.most };
        let remainder = self.bounded(remainder, a.width, most);
        match is_zero {
            None => remainder,
            Some(is_zero) => self.select(is_zero, a, remainder),
        }
    }

    fn sdiv(&mut self, a: Word, b: Word) -> Word {
        let (divisor, is_zero) = self.divisor(b);
        let (x, y, is_minus) = self.signed_operands(a, divisor);
        let mut quotient = self.code.ins().sdiv(x, y);
        if let Some(is_minus) = is_minus {
            let negated = self.code.ins().ineg(x);
            quotient = self.code.ins().select(is_minus, negated, quotient);
        }
        let quotient = self.cut(quotient, a.width);
        match is_zero {
            None => quotient,
            Some(is_zero) => {
                let (one, ones, negative) = (self.one(a), self.ones(a), self.is_negative(a));
                let other = self.select(negative, one, ones);
                self.select(is_zero, other, quotient)
            }
        }
    }

    fn srem(&mut self, a: Word, b: Word) -> Word {
        let (divisor, is_zero) = self.divisor(b);
        // Nothing remains of a division by 1, as by -1.
        let (x, y, _) = self.signed_operands(a, divisor);
        let remainder = self.code.ins().srem(x, y);
        let remainder = self.cut(remainder, a.width);
        match is_zero {
            None => remainder,
            Some(is_zero) => self.select(is_zero, a, remainder),
        }
    }

    fn and(&mut self, a: Word, b: Word) -> Word {
        let value = self.code.ins().band(a.value, b.value);
        self.bounded(value, a.width, a.most.min(b.most))
    }

    fn or(&mut self, a: Word, b: Word) -> Word {
        let value = self.code.ins().bor(a.value, b.value);
        self.bounded(value, a.width, filled(a.most | b.most))
    }

    fn xor(&mut self, a: Word, b: Word) -> Word {
        let value = self.code.ins().bxor(a.value, b.value);
        self.bounded(value, a.width, filled(a.most | b.most))
    }

    fn not(&mut self, a: Word) -> Word {
        let ones = self.ones(a);
        self.xor(a, ones)
    }

    fn shl(&mut self, a: Word, amount: Word) -> Word {
        let shifted = self.code.ins().ishl(a.value, amount.value);
        let shifted = self.cut(shifted, a.width);
        self.unless_too_far(amount, shifted)
    }

    fn lshr(&mut self, a: Word, amount: Word) -> Word {
        let shifted = self.code.ins().ushr(a.value, amount.value);
        let shifted = self.bounded(shifted, a.width, a.most);
        self.unless_too_far(amount, shifted)
    }

    fn ashr(&mut self, a: Word, amount: Word) -> Word {
        let value = self.signed(a);
        let mut by = amount;
        if amount.most >= u64::from(a.width) {
            let last = self.word(a.width, u64::from(a.width) - 1);
            by = self.umin(amount, last);
        }
        let shifted = self.code.ins().sshr(value, by.value);
        self.cut(shifted, a.width)
    }

    fn truncate(&mut self, a: Word, width: u32) -> Word {
        let value = match (room(a.width), room(width)) {
            (64, 32) => self.code.ins().ireduce(types::I32, a.value),
            _ => a.value,
        };
        if a.most <= mask(width) { self.bounded(value, width, a.most) } else { self.cut(value, width) }
    }

    fn zero_extend(&mut self, a: Word, width: u32) -> Word {
        let value = if room(width) == 64 { self.wide(a) } else { a.value };
        self.bounded(value, width, a.most)
    }

    fn sign_extend(&mut self, a: Word, width: u32) -> Word {
        let value = if room(width) == 64 { self.wide_signed(a) } else { self.signed(a) };
        self.cut(value, width)
    }

    fn eq(&mut self, a: Word, b: Word) -> Value {
        self.compare(IntCC::Equal, a.value, b.value)
    }

    fn ult(&mut self, a: Word, b: Word) -> Value {
        self.compare(IntCC::UnsignedLessThan, a.value, b.value)
    }

    fn slt(&mut self, a: Word, b: Word) -> Value {
        let (x, y) = (self.signed(a), self.signed(b));
        self.compare(IntCC::SignedLessThan, x, y)
    }

    fn both(&mut self, a: Value, b: Value) -> Value {
        self.code.ins().band(a, b)
    }

    fn either(&mut self, a: Value, b: Value) -> Value {
        self.code.ins().bor(a, b)
    }

    fn negate(&mut self, a: Value) -> Value {
        let one = self.truth(true);
        self.code.ins().bxor(a, one)
    }

    fn select(&mut self, condition: Value, then: Word, other: Word) -> Word {
        let value = self.code.ins().select(condition, then.value, other.value);
        self.bounded(value, then.width, then.most.max(other.most))
    }

    fn bool_word(&mut self, width: u32, a: Value) -> Word {
        let value = self.code.ins().uextend(word_type(width), a);
        self.bounded(value, width, 1)
    }

    fn popcount(&mut self, a: Word) -> Word {
        let value = self.code.ins().popcnt(a.value);
        self.bounded(value, a.width, u64::from(a.width))
    }

    fn swap_bytes(&mut self, a: Word) -> Word {
        if a.width < 16 || a.width != room(a.width) {
            return bytes_swapped(self, a);
        }
        let value = self.code.ins().bswap(a.value);
        self.bounded(value, a.width, u64::MAX >> (64 - a.width))
    }

    fn leading_zeros(&mut self, a: Word) -> Word {
        let all = self.code.ins().clz(a.value);
        let above = self.constant(word_type(a.width), u64::from(room(a.width) - a.width));
        let value = self.code.ins().isub(all, above);
        self.bounded(value, a.width, u64::from(a.width))
    }

    fn trailing_zeros(&mut self, a: Word) -> Word {
        let mut value = a.value;
        if a.width < room(a.width) {
            let stop = self.constant(word_type(a.width), 1 << a.width);
            value = self.code.ins().bor(value, stop);
        }
        let value = self.code.ins().ctz(value);
        self.bounded(value, a.width, u64::from(a.width))
    }
}

/// All bits up to the highest that is set.
fn filled(most: u64) -> u64 {
    u64::MAX.checked_shr(most.leading_zeros()).unwrap_or(0)
}

impl Emit<'_> {
    /// What was shifted, or zero where the amount is the width or more.
    fn unless_too_far(&mut self, amount: Word, shifted: Word) -> Word {
        if amount.most < u64::from(shifted.width) {
            return shifted;
        }
        // The width fits: 2^w > w.
        let (width, zero) = (self.word(shifted.width, u64::from(shifted.width)), self.zero(shifted));
        let near = self.ult(amount, width);
        self.select(near, shifted, zero)
    }

    /// The remainder of floats, which no machine has an instruction for.
    fn float_remainder(&mut self, a: Number, b: Number) -> Value {
        let function = self.remainders[usize::from(a.format == FloatFormat::F64)];
        let call = self.code.ins().call(function, &[a.value, b.value]);
        self.code.inst_results(call)[0]
    }
}

macro_rules! binary {
    ($($name:ident = $instruction:ident;)*) => {
        $(fn $name(&mut self, a: Number, b: Number) -> Number {
            Number { value: self.code.ins().$instruction(a.value, b.value), format: a.format }
        })*
    };
}

macro_rules! unary {
    ($($name:ident = $instruction:ident;)*) => {
        $(fn $name(&mut self, a: Number) -> Number {
            Number { value: self.code.ins().$instruction(a.value), format: a.format }
        })*
    };
}

impl Floats for Emit<'_> {
    type Float = Number;

    binary! { f_add = fadd; f_sub = fsub; f_mul = fmul; f_div = fdiv; }
    unary! { f_sqrt = sqrt; f_neg = fneg; f_abs = fabs; }

    fn float(&mut self, format: FloatFormat, encoding: u64) -> Number {
        let value = match format {
            FloatFormat::F32 => self.code.ins().f32const(Ieee32::with_bits(encoding as u32)),
            FloatFormat::F64 => self.code.ins().f64const(Ieee64::with_bits(encoding)),
        };
        Number { value, format }
    }

    fn format(&self, a: Number) -> FloatFormat {
        a.format
    }

    fn f_rem(&mut self, a: Number, b: Number) -> Number {
        Number { value: self.float_remainder(a, b), format: a.format }
    }

    fn f_eq(&mut self, a: Number, b: Number) -> Value {
        self.float_compare(FloatCC::Equal, a, b)
    }

    fn f_lt(&mut self, a: Number, b: Number) -> Value {
        self.float_compare(FloatCC::LessThan, a, b)
    }

    fn f_le(&mut self, a: Number, b: Number) -> Value {
        self.float_compare(FloatCC::LessThanOrEqual, a, b)
    }

    fn f_is_nan(&mut self, a: Number) -> Value {
        self.float_compare(FloatCC::Unordered, a, a)
    }

    fn f_same(&mut self, a: Number, b: Number) -> Value {
        let (left, right) = (self.f_is_nan(a), self.f_is_nan(b));
        let neither = self.both(left, right);
        let (x, y) = (self.bits_of(a), self.bits_of(b));
        let equal = self.compare(IntCC::Equal, x, y);
        self.either(neither, equal)
    }

    fn f_select(&mut self, condition: Value, then: Number, other: Number) -> Number {
        let value = self.code.ins().select(condition, then.value, other.value);
        Number { value, format: then.format }
    }

    fn f_convert(&mut self, a: Number, to: FloatFormat) -> Number {
        let value = match (a.format, to) {
            (FloatFormat::F32, FloatFormat::F64) => self.code.ins().fpromote(types::F64, a.value),
            (FloatFormat::F64, FloatFormat::F32) => self.code.ins().fdemote(types::F32, a.value),
            _ => a.value,
        };
        Number { value, format: to }
    }

    fn f_from_signed(&mut self, a: Word, to: FloatFormat) -> Number {
        let wide = self.wide_signed(a);
        Number { value: self.code.ins().fcvt_from_sint(float_type(to), wide), format: to }
    }

    fn f_from_unsigned(&mut self, a: Word, to: FloatFormat) -> Number {
        let wide = self.wide(a);
        Number { value: self.code.ins().fcvt_from_uint(float_type(to), wide), format: to }
    }

    fn f_to_signed(&mut self, a: Number, width: u32) -> Word {
        let wide = self.code.ins().fcvt_to_sint_sat(types::I64, a.value);
        if width == 64 {
            return Word::unknown(wide, 64);
        }
        let wide = Word::unknown(wide, 64);
        let greatest = mask(width) >> 1;
        let (low, high) = (self.word(64, !greatest), self.word(64, greatest));
        let raised = self.smax(wide, low);
        let clamped = self.smin(raised, high);
        self.narrow(clamped.value, width)
    }

    fn f_to_unsigned(&mut self, a: Number, width: u32) -> Word {
        let wide = self.code.ins().fcvt_to_uint_sat(types::I64, a.value);
        let (wide, high) = (Word::unknown(wide, 64), self.word(64, mask(width)));
        let clamped = self.umin(wide, high);
        self.narrow(clamped.value, width)
    }

    fn f_from_bits(&mut self, a: Word) -> Number {
        let format = if a.width == 32 { FloatFormat::F32 } else { FloatFormat::F64 };
        let value = self.code.ins().bitcast(float_type(format), MemFlagsData::new(), a.value);
        Number { value, format }
    }

    fn f_to_bits(&mut self, a: Number) -> Word {
        let (bits, is_nan) = (self.raw_bits(a), self.f_is_nan(a));
        let quiet = match a.format {
            FloatFormat::F32 => u64::from(f32::NAN.to_bits()),
            FloatFormat::F64 => f64::NAN.to_bits(),
        };
        let quiet = self.word(a.format.bits(), quiet);
        self.select(is_nan, quiet, bits)
    }
}
