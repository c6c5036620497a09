//! What rules may ask of facts: PyPy's names, one row each.
//!
//! ```text
//! /// Whether every x is less than every y, signed.
//! KnownLt = known_lt(f, g: Fact) -> Bool [method]
//!     |b| b.slt(f.hi, g.lo),                     // the answer, generic over Bits
//!     |b, x, y, r| calc!(b; implies(r, slt(x, y))); // what the answer promises of members
//! ```
//!
//! From a row come: a generic function of that name in [`queries`], a method of that name on
//! [`IntFact`], a [`Method`] that the rule checker looks up and that the prover and the in-memory
//! matcher [`call`](Method::call), and the theorem that the answer promises what it says
//! ([`promise`](Method::promise)). The names and answers are those of PyPy's `IntBound`
//! (`rpython/jit/metainterp/optimizeopt/intutils.py`); where ours is sharper, a rule fires more often.
//!
//! An answer of "no" promises nothing: unknown never counts as yes.

use planish_base::fault;
use planish_ops::{Bits, Datum, Floats, Int, Op, Type};

use crate::calc::calc;
use crate::fact::{self, FactOf, contains};
use crate::forward::{arith, bitwise, compare, divide, shift};
use crate::int_fact::{Computes, IntFact, at_width};
use crate::truth::Truth;

/// The kind of an argument or result. Words and facts have the width of the receiver.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A truth value.
    Bool,
    /// A constant.
    Word,
    /// A fact.
    Fact,
}

/// An argument or result of a method.
pub enum Value<B: Bits + ?Sized> {
    /// A truth value.
    Bool(B::Bool),
    /// A constant.
    Word(B::Word),
    /// A fact.
    Fact(FactOf<B>),
}

impl<B: Bits> Clone for Value<B> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<B: Bits> Copy for Value<B> {}

impl<B: Bits> std::fmt::Debug for Value<B> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Value::Bool(v) => v.fmt(f),
            Value::Word(v) => v.fmt(f),
            Value::Fact(v) => v.fmt(f),
        }
    }
}

impl<B: Bits> Value<B> {
    /// Its kind.
    pub fn kind(self) -> Kind {
        match self {
            Value::Bool(_) => Kind::Bool,
            Value::Word(_) => Kind::Word,
            Value::Fact(_) => Kind::Fact,
        }
    }

    /// The truth value. Panics on other kinds, as the other readers do: the caller checked kinds.
    pub fn bool(self) -> B::Bool {
        match self {
            Value::Bool(v) => v,
            other => panic!("expected a truth value, found {other:?}"),
        }
    }

    /// The constant.
    pub fn word(self) -> B::Word {
        match self {
            Value::Word(v) => v,
            other => panic!("expected a constant, found {other:?}"),
        }
    }

    /// The fact.
    pub fn fact(self) -> FactOf<B> {
        match self {
            Value::Fact(v) => v,
            other => panic!("expected a fact, found {other:?}"),
        }
    }
}

/// A question that rules may ask of a fact.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Method {
    /// Its name in rules.
    pub name: &'static str,
    /// What it answers.
    pub doc: &'static str,
    /// Whether it is read as an attribute, without parentheses.
    pub attribute: bool,
    /// The kinds of its arguments, the receiver left out.
    pub args: &'static [Kind],
    /// The kind of its result.
    pub result: Kind,
    /// Which question it is.
    pub query: Query,
}

impl Method {
    /// The method or attribute with a name.
    pub fn named(name: &str) -> Option<&'static Method> {
        METHODS.iter().find(|m| m.name == name)
    }

    /// Where the result means something; `None` is everywhere. A rule does not apply elsewhere.
    pub fn defined<B: Bits>(&self, b: &mut B, receiver: FactOf<B>) -> Option<B::Bool> {
        (self.query == Query::GetConstantInt).then(|| fact::is_constant(b, receiver))
    }
}

/// The types of the kinds: in generic code, in compact facts.
macro_rules! kind {
    (generic $b:ident Bool) => { $b::Bool };
    (generic $b:ident Word) => { $b::Word };
    (generic $b:ident Fact) => { FactOf<$b> };
    (compact Bool) => { bool };
    (compact Word) => { Int };
    (compact Fact) => { IntFact };
    (unpack $b:ident Word $value:expr) => { $b.unpack_word($value) };
    (unpack $b:ident Fact $value:expr) => { $b.unpack($value) };
    (pack $b:ident $width:ident Bool $value:expr) => { $value };
    (pack $b:ident $width:ident Word $value:expr) => { $b.pack_word($width, $value) };
    (pack $b:ident $width:ident Fact $value:expr) => { $b.pack($width, $value) };
    (read Bool $value:expr) => { $value.bool() };
    (read Word $value:expr) => { $value.word() };
    (read Fact $value:expr) => { $value.fact() };
    (attribute method) => { false };
    (attribute attribute) => { true };
}

macro_rules! methods {
    ($(
        $(#[doc = $doc:literal])+
        $query:ident = $name:ident($f:ident $(, $arg:ident: $kind:ident)?) -> $result:ident [$form:ident]
            |$b:ident| $answer:expr,
            |$c:ident, $x:pat_param, $y:pat_param, $r:pat_param| $promise:expr;
    )*) => {
        /// The questions of the table.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Query {
            $($(#[doc = $doc])+ $query,)*
        }

        /// All methods and attributes.
        pub static METHODS: &[Method] = &[$(Method {
            name: stringify!($name),
            doc: concat!($($doc, "\n"),+),
            attribute: kind!(attribute $form),
            args: &[$(Kind::$kind)?],
            result: Kind::$result,
            query: Query::$query,
        }),*];

        /// The answers, generic over [`Bits`].
        pub mod queries {
            use super::*;
            $(
                $(#[doc = $doc])+
                #[inline]
                pub fn $name<B: Bits>(
                    $b: &mut B, $f: FactOf<B> $(, $arg: kind!(generic B $kind))?
                ) -> kind!(generic B $result) {
                    $answer
                }
            )*
        }

        /// What rules ask, on compact facts.
        // The names are those of the rule language, `add` among them.
        #[allow(clippy::should_implement_trait)]
        impl IntFact {
            $(
                $(#[doc = $doc])+
                #[inline]
                pub fn $name(self $(, $arg: kind!(compact $kind))?) -> kind!(compact $result) {
                    let width = self.width();
                    at_width!(width, |b| {
                        let f = b.unpack(self);
                        $(let $arg = kind!(unpack b $kind $arg);)?
                        let answer = queries::$name(b, f $(, $arg)?);
                        kind!(pack b width $result answer)
                    })
                }
            )*
        }

        impl Method {
            /// The answer. Panics when the arguments are of other kinds than [`Method::args`] says.
            pub fn call<B: Bits>(&self, b: &mut B, receiver: FactOf<B>, args: &[Value<B>]) -> Value<B> {
                assert_eq!(args.len(), self.args.len(), "arguments of {}", self.name);
                match self.query {
                    $(Query::$query => {
                        $(let [$arg] = args else { unreachable!("one argument") };
                        let $arg = kind!(read $kind $arg);)?
                        Value::$result(queries::$name(b, receiver $(, $arg)?))
                    })*
                }
            }

            /// What the answer promises of one member of the receiver and, where there is an argument,
            /// of that constant or of one member of that fact. A theorem where [`Method::defined`].
            pub fn promise<B: Floats>(
                &self, b: &mut B, member: B::Word, argument: Option<B::Word>, answer: Value<B>,
            ) -> B::Bool {
                match self.query {
                    $(Query::$query => {
                        let $c = b;
                        let ($x, $y, $r) = (member, argument.unwrap_or(member), kind!(read $result answer));
                        $promise
                    })*
                }
            }
        }
    };
}

methods! {
    // ---- Constants and bounds -------------------------------------------------------------------

    /// Whether there is just one member.
    IsConstant = is_constant(f) -> Bool [method]
        |b| fact::is_constant(b, f),
        |b, x, y, r| calc!(b; implies(r, eq(x, y)));
    /// The only member; a rule does not apply where there are several.
    GetConstantInt = get_constant_int(f) -> Word [method]
        |_b| f.lo,
        |b, x, _, r| b.eq(x, r);
    /// Whether the only member is c.
    KnownEqConst = known_eq_const(f, c: Word) -> Bool [method]
        |b| calc!(b; both(eq(f.lo, c), eq(f.hi, c))),
        |b, x, c, r| calc!(b; implies(r, eq(x, c)));
    /// Whether every member is less than c, signed.
    KnownLtConst = known_lt_const(f, c: Word) -> Bool [method]
        |b| b.slt(f.hi, c),
        |b, x, c, r| calc!(b; implies(r, slt(x, c)));
    /// Whether every member is at most c, signed.
    KnownLeConst = known_le_const(f, c: Word) -> Bool [method]
        |b| b.sle(f.hi, c),
        |b, x, c, r| calc!(b; implies(r, sle(x, c)));
    /// Whether every member is greater than c, signed.
    KnownGtConst = known_gt_const(f, c: Word) -> Bool [method]
        |b| b.slt(c, f.lo),
        |b, x, c, r| calc!(b; implies(r, slt(c, x)));
    /// Whether every member is at least c, signed.
    KnownGeConst = known_ge_const(f, c: Word) -> Bool [method]
        |b| b.sle(c, f.lo),
        |b, x, c, r| calc!(b; implies(r, sle(c, x)));
    /// Whether every x is less than every y, signed.
    KnownLt = known_lt(f, g: Fact) -> Bool [method]
        |b| compare::lt(b, f, g).always,
        |b, x, y, r| calc!(b; implies(r, slt(x, y)));
    /// Whether every x is at most every y, signed.
    KnownLe = known_le(f, g: Fact) -> Bool [method]
        |b| compare::le(b, f, g).always,
        |b, x, y, r| calc!(b; implies(r, sle(x, y)));
    /// Whether every x is greater than every y, signed.
    KnownGt = known_gt(f, g: Fact) -> Bool [method]
        |b| compare::lt(b, g, f).always,
        |b, x, y, r| calc!(b; implies(r, slt(y, x)));
    /// Whether every x is at least every y, signed.
    KnownGe = known_ge(f, g: Fact) -> Bool [method]
        |b| compare::le(b, g, f).always,
        |b, x, y, r| calc!(b; implies(r, sle(y, x)));
    /// Whether no word is a member of both.
    KnownNe = known_ne(f, g: Fact) -> Bool [method]
        |b| compare::eq(b, f, g).never,
        |b, x, y, r| calc!(b; implies(r, ne(x, y)));
    /// Whether every x is less than every y, unsigned.
    KnownUnsignedLt = known_unsigned_lt(f, g: Fact) -> Bool [method]
        |b| compare::ult(b, f, g).always,
        |b, x, y, r| calc!(b; implies(r, ult(x, y)));
    /// Whether every x is at most every y, unsigned.
    KnownUnsignedLe = known_unsigned_le(f, g: Fact) -> Bool [method]
        |b| compare::ule(b, f, g).always,
        |b, x, y, r| calc!(b; implies(r, ule(x, y)));
    /// Whether every x is greater than every y, unsigned.
    KnownUnsignedGt = known_unsigned_gt(f, g: Fact) -> Bool [method]
        |b| compare::ult(b, g, f).always,
        |b, x, y, r| calc!(b; implies(r, ult(y, x)));
    /// Whether every x is at least every y, unsigned.
    KnownUnsignedGe = known_unsigned_ge(f, g: Fact) -> Bool [method]
        |b| compare::ule(b, g, f).always,
        |b, x, y, r| calc!(b; implies(r, ule(y, x)));
    /// Whether no member is negative.
    KnownNonnegative = known_nonnegative(f) -> Bool [method]
        |b| calc!(b; negate(is_negative(f.lo))),
        |b, x, _, r| calc!(b; implies(r, negate(is_negative(x))));
    /// Whether no member is zero.
    KnownNonzero = known_nonzero(f) -> Bool [method]
        |b| Truth::of_word(b, f).always,
        |b, x, _, r| calc!(b; implies(r, is_nonzero(x)));
    /// Whether every member is 0 or 1.
    IsBool = is_bool(f) -> Bool [method]
        |b| { let (most, one) = (fact::unsigned_max(b, f), b.one(f.lo)); if fault!("is_bool: the least will do") { b.ule(f.lo, one) } else { b.ule(most, one) } },
        |b, x, _, r| { let one = b.one(x); calc!(b; implies(r, ule(x, one))) };
    /// Whether c is a member.
    Contains = may_be(f, c: Word) -> Bool [method]
        |b| contains(b, f, c),
        |b, x, c, r| calc!(b; implies(negate(r), ne(x, c)));
    /// The least member, signed.
    Lower = lower(f) -> Word [attribute]
        |_b| f.lo,
        |b, x, _, r| b.sle(r, x);
    /// The greatest member, signed.
    Upper = upper(f) -> Word [attribute]
        |_b| f.hi,
        |b, x, _, r| b.sle(x, r);
    /// The least member, unsigned.
    UnsignedLower = unsigned_lower(f) -> Word [attribute]
        |b| fact::unsigned_min(b, f),
        |b, x, _, r| b.ule(r, x);
    /// The greatest member, unsigned.
    UnsignedUpper = unsigned_upper(f) -> Word [attribute]
        |b| fact::unsigned_max(b, f),
        |b, x, _, r| b.ule(x, r);
    /// The least member, unsigned, as PyPy's `IntBound` calls it.
    MinimumUnsigned = get_minimum_unsigned_by_knownbits(f) -> Word [method]
        |b| fact::unsigned_min(b, f),
        |b, x, _, r| b.ule(r, x);
    /// The greatest member, unsigned, as PyPy's `IntBound` calls it.
    MaximumUnsigned = get_maximum_unsigned_by_knownbits(f) -> Word [method]
        |b| fact::unsigned_max(b, f),
        |b, x, _, r| b.ule(x, r);

    // ---- Known bits -----------------------------------------------------------------------------

    /// The bits that are one in every member.
    Ones = ones(f) -> Word [attribute]
        |_b| f.ones,
        |b, x, _, r| calc!(b; eq(and(x, r), r));
    /// The bits that are zero in every member.
    Zeros = zeros(f) -> Word [attribute]
        |_b| f.zeros,
        |b, x, _, r| calc!(b; negate(is_nonzero(and(x, r))));
    /// The known bits, unknown ones being zero: PyPy's tristate value.
    Tvalue = tvalue(f) -> Word [attribute]
        |_b| f.ones,
        |b, x, _, r| calc!(b; eq(and(x, r), r));
    /// The unknown bits: PyPy's tristate mask.
    Tmask = tmask(f) -> Word [attribute]
        |b| calc!(b; not(or(f.ones, f.zeros))),
        |b, x, y, r| calc!(b; negate(is_nonzero(and(xor(x, y), not(r)))));

    // ---- Facts about results --------------------------------------------------------------------

    /// The fact about x + y.
    AddBound = add_bound(f, g: Fact) -> Fact [method]
        |b| arith::add(b, f, g),
        |b, x, y, r| result_of(b, Op::Add, &[x, y], r);
    /// The fact about x + c.
    AddConst = add(f, c: Word) -> Fact [method]
        |b| { let c = fact::constant(b, c); arith::add(b, f, c) },
        |b, x, c, r| result_of(b, Op::Add, &[x, c], r);
    /// The fact about x - y.
    SubBound = sub_bound(f, g: Fact) -> Fact [method]
        |b| arith::sub(b, f, g),
        |b, x, y, r| result_of(b, Op::Sub, &[x, y], r);
    /// The fact about x * y.
    MulBound = mul_bound(f, g: Fact) -> Fact [method]
        |b| arith::mul(b, f, g),
        |b, x, y, r| result_of(b, Op::Mul, &[x, y], r);
    /// The fact about x + y where it does not overflow.
    AddBoundNoOverflow = add_bound_no_overflow(f, g: Fact) -> Fact [method]
        |b| arith::add_exact(b, f, g).0,
        |b, x, y, r| result_of(b, Op::AddOvf, &[x, y], r);
    /// The fact about x - y where it does not overflow.
    SubBoundNoOverflow = sub_bound_no_overflow(f, g: Fact) -> Fact [method]
        |b| arith::sub_exact(b, f, g).0,
        |b, x, y, r| result_of(b, Op::SubOvf, &[x, y], r);
    /// The fact about x * y where it does not overflow.
    MulBoundNoOverflow = mul_bound_no_overflow(f, g: Fact) -> Fact [method]
        |b| arith::mul_exact(b, f, g).0,
        |b, x, y, r| result_of(b, Op::MulOvf, &[x, y], r);
    /// Whether x + y never overflows.
    AddBoundCannotOverflow = add_bound_cannot_overflow(f, g: Fact) -> Bool [method]
        |b| arith::add_exact(b, f, g).1.never,
        |b, x, y, r| never_overflows(b, Op::AddOvf, x, y, r);
    /// Whether x - y never overflows.
    SubBoundCannotOverflow = sub_bound_cannot_overflow(f, g: Fact) -> Bool [method]
        |b| arith::sub_exact(b, f, g).1.never,
        |b, x, y, r| never_overflows(b, Op::SubOvf, x, y, r);
    /// Whether x * y never overflows.
    MulBoundCannotOverflow = mul_bound_cannot_overflow(f, g: Fact) -> Bool [method]
        |b| arith::mul_exact(b, f, g).1.never,
        |b, x, y, r| never_overflows(b, Op::MulOvf, x, y, r);
    /// Whether x << y never loses a bit or changes the sign, y being from 0 to w - 1.
    LshiftBoundCannotOverflow = lshift_bound_cannot_overflow(f, g: Fact) -> Bool [method]
        |b| shift::lshift_fits(b, f, g),
        |b, x, y, r| {
            let width = b.width(x);
            let width = b.word(width, u64::from(width));
            let back = calc!(b; eq(ashr(shl(x, y), y), x));
            calc!(b; implies(r, both(ult(y, width), back)))
        };
    /// The fact about the quotient rounded down.
    PyDivBound = py_div_bound(f, g: Fact) -> Fact [method]
        |b| divide::floordiv(b, f, g),
        |b, x, y, r| result_of(b, Op::FloorDiv, &[x, y], r);
    /// The fact about the remainder with the sign of the divisor.
    ModBound = mod_bound(f, g: Fact) -> Fact [method]
        |b| divide::floormod(b, f, g),
        |b, x, y, r| result_of(b, Op::FloorMod, &[x, y], r);
    /// The fact about x << y, the amount taken modulo w.
    LshiftBound = lshift_bound(f, g: Fact) -> Fact [method]
        |b| shift::lshift(b, f, g),
        |b, x, y, r| result_of(b, Op::Lshift, &[x, y], r);
    /// The fact about x >> y filling with the sign, the amount taken modulo w.
    RshiftBound = rshift_bound(f, g: Fact) -> Fact [method]
        |b| shift::rshift(b, f, g),
        |b, x, y, r| result_of(b, Op::Rshift, &[x, y], r);
    /// The fact about x >> y filling with zeros, the amount taken modulo w.
    UrshiftBound = urshift_bound(f, g: Fact) -> Fact [method]
        |b| shift::urshift(b, f, g),
        |b, x, y, r| result_of(b, Op::Urshift, &[x, y], r);
    /// The fact about x & y.
    AndBound = and_bound(f, g: Fact) -> Fact [method]
        |b| bitwise::and(b, f, g),
        |b, x, y, r| result_of(b, Op::And, &[x, y], r);
    /// The fact about x | y.
    OrBound = or_bound(f, g: Fact) -> Fact [method]
        |b| bitwise::or(b, f, g),
        |b, x, y, r| result_of(b, Op::Or, &[x, y], r);
    /// The fact about x ^ y.
    XorBound = xor_bound(f, g: Fact) -> Fact [method]
        |b| bitwise::xor(b, f, g),
        |b, x, y, r| result_of(b, Op::Xor, &[x, y], r);
    /// The fact about -x.
    NegBound = neg_bound(f) -> Fact [method]
        |b| arith::neg(b, f),
        |b, x, _, r| result_of(b, Op::Neg, &[x], r);
    /// The fact about ~x.
    InvertBound = invert_bound(f) -> Fact [method]
        |b| bitwise::not(b, f),
        |b, x, _, r| result_of(b, Op::Not, &[x], r);
    /// The fact about |x|.
    AbsBound = abs_bound(f) -> Fact [method]
        |b| arith::abs(b, f),
        |b, x, _, r| result_of(b, Op::Abs, &[x], r);
}

impl Method {
    /// The operation whose result the answer is a fact about.
    pub fn op(&self) -> Option<Op> {
        Some(match self.query {
            Query::AddBound | Query::AddConst => Op::Add,
            Query::SubBound => Op::Sub,
            Query::MulBound => Op::Mul,
            Query::AddBoundNoOverflow => Op::AddOvf,
            Query::SubBoundNoOverflow => Op::SubOvf,
            Query::MulBoundNoOverflow => Op::MulOvf,
            Query::PyDivBound => Op::FloorDiv,
            Query::ModBound => Op::FloorMod,
            Query::LshiftBound => Op::Lshift,
            Query::RshiftBound => Op::Rshift,
            Query::UrshiftBound => Op::Urshift,
            Query::AndBound => Op::And,
            Query::OrBound => Op::Or,
            Query::XorBound => Op::Xor,
            Query::NegBound => Op::Neg,
            Query::InvertBound => Op::Not,
            Query::AbsBound => Op::Abs,
            _ => return None,
        })
    }
}

impl Method {
    /// Whether a solver is better told what the answer promises than how it is found: the answer is a fact
    /// about a result, or comes from one.
    pub fn is_deep(&self) -> bool {
        self.result == Kind::Fact
            || matches!(
                self.query,
                Query::KnownNe
                    | Query::AddBoundCannotOverflow
                    | Query::SubBoundCannotOverflow
                    | Query::MulBoundCannotOverflow
                    | Query::LshiftBoundCannotOverflow
            )
    }

    /// The word that an answer which is a fact is about, of one member of the receiver and, where there
    /// is an argument, that constant or one member of that fact.
    pub fn result_word<B: Floats>(
        &self,
        b: &mut B,
        member: B::Word,
        argument: Option<B::Word>,
    ) -> Option<B::Word> {
        let args: Vec<B::Word> = std::iter::once(member).chain(argument).collect();
        Some(meaning(b, self.op()?, &args).0)
    }
}

/// Whether the result of an operation on words is a member of r, wherever it is defined and, for an
/// operation with an overflow bit, does not overflow.
fn result_of<B: Floats>(b: &mut B, op: Op, args: &[B::Word], r: FactOf<B>) -> B::Bool {
    let (value, counts) = meaning(b, op, args);
    let member = contains(b, r, value);
    b.implies(counts, member)
}

/// Whether r implies that an operation does not overflow.
fn never_overflows<B: Floats>(b: &mut B, op: Op, x: B::Word, y: B::Word, r: B::Bool) -> B::Bool {
    let (_, fits) = meaning(b, op, &[x, y]);
    b.implies(r, fits)
}

/// The value of an operation of the table on words of one width, and where it counts.
fn meaning<B: Floats>(b: &mut B, op: Op, args: &[B::Word]) -> (B::Word, B::Bool) {
    let ty = Type::Int(b.width(args[0]) as u8);
    let args: Vec<Datum<B>> = args.iter().map(|&a| Datum::Word(a)).collect();
    let meaning = op.meaning(b, &args, &[ty]).expect("an operation with a meaning");
    let mut counts = b.truth(true);
    if let Some(defined) = meaning.defined {
        counts = b.both(counts, defined);
    }
    if let Some(flag) = meaning.flag {
        counts = calc!(b; both(counts, negate(is_nonzero(flag))));
    }
    (meaning.value.word(), counts)
}
