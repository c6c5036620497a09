//! What a matcher looks at, and what it answers.
//!
//! The same rules serve engines that keep programs in different ways. A [`Subject`] is what they have
//! in common: a value is defined by operations (one in a function, several in an e-class), is perhaps
//! a constant, has facts, a type and a number of uses. A matcher, generated or interpreted, reads a
//! subject and hands [`Rewrite`]s to a function, which says whether to go on: the linear engine stops
//! at the first, the e-graph engine takes all.
//!
//! A matcher builds nothing. A rewrite says what to build: a constant, a value that exists, a few
//! operations in order, or the outcome of a guard.

use std::ops::ControlFlow;

use planish_domain::IntFact;
use planish_ops::{Bits, Datum, Fold, Int, Machine, Op, Real, Type};

use crate::eval::{float_literal, integer_literal};
use crate::rule::{Literal, RuleId};

/// A constant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Const {
    /// An integer.
    Int(Int),
    /// A float.
    Real(Real),
}

impl Const {
    /// Its type.
    pub fn ty(self) -> Type {
        match self {
            Const::Int(value) => value.ty(),
            Const::Real(value) => Type::Float(value.format()),
        }
    }
}

/// A program as a matcher sees it.
///
/// Operands of a commutative operation may come in any order; the matcher puts a constant last.
pub trait Subject {
    /// A value.
    type Value: Copy + Ord + std::fmt::Debug;
    /// An operation whose first result is a value.
    type Node: Copy;

    /// The first operation whose first result `value` is: none for parameters, constants, second
    /// results and whatever the engine does not want looked into.
    fn first_node(&self, value: Self::Value) -> Option<Self::Node>;
    /// The next operation with the same value, where an engine has several.
    fn next_node(&self, _node: Self::Node) -> Option<Self::Node> {
        None
    }
    /// The operation.
    fn op(&self, node: Self::Node) -> Op;
    /// An operand of an operation.
    fn operand(&self, node: Self::Node, index: usize) -> Self::Value;
    /// The constant that a value is.
    fn constant(&self, value: Self::Value) -> Option<Const>;
    /// What is known of an integer value; everything where nothing is known.
    fn fact(&self, value: Self::Value) -> IntFact;
    /// Whether a value is known not to be zero though its fact does not say so: a branch may have asked.
    fn is_told_nonzero(&self, _value: Self::Value) -> bool {
        false
    }
    /// The type of a value.
    fn ty(&self, value: Self::Value) -> Type;
    /// Whether a value has one use, the one through which the matcher came to it.
    fn used_once(&self, value: Self::Value) -> bool;
    /// What an operation costs where the program will be written; what the table says, unless that is known
    /// better.
    fn price(&self, op: Op) -> u32 {
        op.row().cost
    }
}

/// The operation to match: it need not be in the program yet.
#[derive(Clone, Copy, Debug)]
pub struct Root<'a, V> {
    /// The operation.
    pub op: Op,
    /// Its operands.
    pub args: &'a [V],
    /// The type of its first result; `State` for a guard.
    pub ty: Type,
}

/// An operand of an operation to build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand<V> {
    /// A value of the program.
    Value(V),
    /// A constant.
    Const(Const),
    /// The result of an earlier operation of the same rewrite.
    Built(u8),
}

/// An operation to build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Build<V> {
    /// The operation.
    pub op: Op,
    /// Its operands; the first [`arity`](Self::arity) count.
    operands: [Option<Operand<V>>; 3],
    /// The type of its first result; `State` for a guard.
    pub ty: Type,
}

impl<V: Copy> Build<V> {
    /// An operation on at most three operands.
    pub fn new(op: Op, ty: Type, args: &[Operand<V>]) -> Self {
        let mut operands = [None; 3];
        for (slot, &arg) in operands.iter_mut().zip(args) {
            *slot = Some(arg);
        }
        Build { op, operands, ty }
    }

    /// Its operands.
    pub fn operands(&self) -> impl Iterator<Item = Operand<V>> + '_ {
        self.operands.iter().map_while(|&operand| operand)
    }

    /// The number of operands.
    pub fn arity(&self) -> usize {
        self.operands.iter().flatten().count()
    }
}

/// The most operations that one rewrite builds.
pub const BUILD_LIMIT: usize = 8;

/// Operations to build, in order. Part of every rewrite, so it lives on the stack.
#[derive(Clone, Copy, Debug)]
pub struct Plan<V> {
    builds: [Option<Build<V>>; BUILD_LIMIT],
    len: u8,
}

impl<V: Copy> Plan<V> {
    /// Nothing to build.
    pub const fn new() -> Self {
        Plan { builds: [const { None }; BUILD_LIMIT], len: 0 }
    }

    /// Adds an operation and returns its result as an operand. Panics beyond [`BUILD_LIMIT`], which the
    /// order of rules checks against every rule.
    pub fn push(&mut self, op: Op, ty: Type, args: &[Operand<V>]) -> Operand<V> {
        let index = self.len;
        self.builds[usize::from(index)] = Some(Build::new(op, ty, args));
        self.len += 1;
        Operand::Built(index)
    }

    /// The operations, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Build<V>> {
        self.builds.iter().map_while(Option::as_ref)
    }

    /// The number of operations.
    pub fn len(&self) -> usize {
        usize::from(self.len)
    }

    /// Whether nothing is built.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

impl<V: Copy> Default for Plan<V> {
    fn default() -> Self {
        Self::new()
    }
}

/// What the root becomes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome<V> {
    /// Its (first) result is this. Of a root with an overflow bit, the bit is 0, unless the operand is
    /// the last of the plan and has a second result: then that is the bit.
    Value(Operand<V>),
    /// Both results.
    Pair(Operand<V>, Operand<V>),
    /// The guard is the last operation of the plan.
    Guard,
    /// The guard always passes.
    Pass,
    /// The guard always fails.
    Fail,
}

/// What a rule makes of a root.
#[derive(Clone, Copy, Debug)]
pub struct Rewrite<V> {
    /// The rule.
    pub rule: RuleId,
    /// What is built first.
    pub plan: Plan<V>,
    /// What the root becomes.
    pub outcome: Outcome<V>,
}

/// Whether a matcher goes on.
pub type Flow = ControlFlow<()>;

/// The operands of a node of a binary operation, the constant last where the operation is commutative.
#[inline]
pub fn operands2<S: Subject>(s: &S, node: S::Node) -> [S::Value; 2] {
    let pair = [s.operand(node, 0), s.operand(node, 1)];
    if s.op(node).row().algebra.commutative { constant_last(s, pair) } else { pair }
}

/// The operands of a commutative operation, the constant last.
#[inline]
pub fn constant_last<S: Subject>(s: &S, [x, y]: [S::Value; 2]) -> [S::Value; 2] {
    if s.constant(x).is_some() && s.constant(y).is_none() { [y, x] } else { [x, y] }
}

/// The integer constant that a value is.
#[inline]
pub fn int<S: Subject>(s: &S, value: S::Value) -> Option<Int> {
    match s.constant(value)? {
        Const::Int(int) => Some(int),
        Const::Real(_) => None,
    }
}

/// The float constant that a value is.
#[inline]
pub fn real<S: Subject>(s: &S, value: S::Value) -> Option<Real> {
    match s.constant(value)? {
        Const::Real(real) => Some(real),
        Const::Int(_) => None,
    }
}

/// Whether two values of the program are one: the same, or equal constants.
#[inline]
pub fn same<S: Subject>(s: &S, x: S::Value, y: S::Value) -> bool {
    x == y || s.constant(x).is_some_and(|c| s.constant(y) == Some(c))
}

// ---- What generated matchers call ---------------------------------------------------------------

/// The signed number that a value is, if it is an integer constant.
#[inline]
pub fn integer<S: Subject>(s: &S, value: S::Value) -> Option<i64> {
    int(s, value).map(Int::signed)
}

/// The operations that a value is, each with its name: one item `None` where there are none, so that
/// a matcher's default is looked at once.
#[inline]
pub fn nodes<S: Subject>(s: &S, value: S::Value) -> impl Iterator<Item = Option<(Op, S::Node)>> {
    let mut next = Some(s.first_node(value));
    std::iter::from_fn(move || {
        let node = next.take()?;
        next = node.and_then(|n| s.next_node(n)).map(Some);
        Some(node.map(|n| (s.op(n), n)))
    })
}

/// Hands a rewrite on, if there is one.
#[inline]
pub fn offer<V>(found: &mut impl FnMut(Rewrite<V>) -> Flow, rewrite: Option<Rewrite<V>>) -> Flow {
    rewrite.map_or(Flow::Continue(()), found)
}

/// Whether a shift by `amount` is in range.
#[inline]
fn in_range(a: Int, amount: Int) -> bool {
    amount.unsigned() < u64::from(a.width())
}

/// a << amount, in range.
#[inline]
pub fn shl(a: Int, amount: Int) -> Option<Int> {
    in_range(a, amount).then(|| Machine.shl(a, amount))
}

/// a >> amount filling with the sign, in range.
#[inline]
pub fn shr(a: Int, amount: Int) -> Option<Int> {
    in_range(a, amount).then(|| Machine.ashr(a, amount))
}

/// a >> amount filling with zeros, in range.
#[inline]
pub fn ushr(a: Int, amount: Int) -> Option<Int> {
    in_range(a, amount).then(|| Machine.lshr(a, amount))
}

/// The quotient rounded down, for a divisor other than zero.
#[inline]
pub fn floor_div(a: Int, divisor: Int) -> Option<Int> {
    folded(Op::FloorDiv, a, divisor)
}

/// The remainder with the sign of the divisor, which is not zero.
#[inline]
pub fn floor_mod(a: Int, divisor: Int) -> Option<Int> {
    folded(Op::FloorMod, a, divisor)
}

/// The unsigned quotient, for a divisor other than zero.
#[inline]
pub fn unsigned_div(a: Int, divisor: Int) -> Option<Int> {
    folded(Op::Udiv, a, divisor)
}

/// The unsigned remainder, for a divisor other than zero.
#[inline]
pub fn unsigned_mod(a: Int, divisor: Int) -> Option<Int> {
    folded(Op::Urem, a, divisor)
}

fn folded(op: Op, a: Int, b: Int) -> Option<Int> {
    match planish_ops::fold(op, &[Datum::Word(a), Datum::Word(b)], &[a.ty()])? {
        Fold::Int(value) => Some(value),
        _ => None,
    }
}

/// A number of bits as a word, where it fits.
#[inline]
pub fn size_word(width: u32, size: i64) -> Option<Int> {
    integer_literal(Literal::Integer(i128::from(size)), width).map(|bits| Int::new(width, bits))
}

/// A float of a type.
#[inline]
pub fn float(ty: Type, value: f64) -> Option<Real> {
    let format = ty.float_format()?;
    Some(Real::from_bits(format, float_literal(value, format)))
}
