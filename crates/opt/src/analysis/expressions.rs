//! Expressions over values of a function, hash-consed: what a loop does not change, and what it leaves behind.
//!
//! Equal expressions are one [`Expr`], so they are compared in O(1). What an operation of constants is, is asked of the
//! table of operations; beyond that only such laws of sums and products are applied as hold modulo every width.

use hashbrown::HashMap;
use planish_ir::{Block, Function, Location, Value};
use planish_ops::meaning::Datum;
use planish_ops::{Fold, Int, Op, Type, fold};
use rustc_hash::{FxBuildHasher, FxHashSet};

/// An expression of [`Expressions`].
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Expr(u32);

/// What an expression is.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A number.
    Constant(Int),
    /// A value of the function.
    Value(Value),
    /// An operation on two words of one width that gives a third.
    Binary(Op, Expr, Expr),
    /// An operation on one word: to another width, or a count of its bits.
    Unary(Op, Expr),
}

/// An expression with what is known of it.
#[derive(Clone, Copy)]
struct Known {
    node: Node,
    width: u32,
    /// How many operations it has, written out as a tree.
    size: u32,
}

/// Expressions with more operations than this, written out as trees, are not written into functions.
const LARGEST: u32 = 64;

/// Expressions, each once.
#[derive(Clone, Default)]
pub struct Expressions {
    known: Vec<Known>,
    numbers: HashMap<(Node, u32), Expr, FxBuildHasher>,
}

impl Expressions {
    fn make(&mut self, node: Node, width: u32) -> Expr {
        let Expressions { known, numbers } = self;
        *numbers.entry((node, width)).or_insert_with(|| {
            let size = |expr: Expr| known[expr.0 as usize].size;
            let size = match node {
                Node::Constant(_) | Node::Value(_) => 0,
                Node::Binary(_, x, y) => size(x).saturating_add(size(y)).saturating_add(1),
                Node::Unary(_, x) => size(x).saturating_add(1),
            };
            known.push(Known { node, width, size });
            Expr(known.len() as u32 - 1)
        })
    }

    /// What an expression is.
    pub fn node(&self, expr: Expr) -> Node {
        self.known[expr.0 as usize].node
    }

    /// How many bits it has.
    pub fn width(&self, expr: Expr) -> u32 {
        self.known[expr.0 as usize].width
    }

    /// The number that it is.
    pub fn as_constant(&self, expr: Expr) -> Option<Int> {
        match self.node(expr) {
            Node::Constant(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is the number zero.
    pub fn is_zero(&self, expr: Expr) -> bool {
        self.as_constant(expr).is_some_and(|value| !value.is_true())
    }

    /// A number.
    pub fn constant(&mut self, value: Int) -> Expr {
        self.make(Node::Constant(value), value.width())
    }

    /// A number, modulo the width.
    pub fn number(&mut self, width: u32, value: i64) -> Expr {
        self.constant(Int::new(width, value as u64))
    }

    /// A value of the function; `None` if it is no integer.
    pub fn value(&mut self, f: &Function, value: Value) -> Option<Expr> {
        match f.int_constant(value) {
            Some(constant) => Some(self.constant(constant)),
            None => f.ty(value).int_width().map(|width| self.unknown(value, width)),
        }
    }

    /// A value of which only the width is known.
    pub fn unknown(&mut self, value: Value, width: u32) -> Expr {
        self.make(Node::Value(value), width)
    }

    /// A sum.
    pub fn add(&mut self, x: Expr, y: Expr) -> Expr {
        self.binary(Op::Add, x, y)
    }

    /// A difference.
    pub fn sub(&mut self, x: Expr, y: Expr) -> Expr {
        self.binary(Op::Sub, x, y)
    }

    /// A product.
    pub fn mul(&mut self, x: Expr, y: Expr) -> Expr {
        self.binary(Op::Mul, x, y)
    }

    /// A product with a number.
    pub fn times(&mut self, x: Expr, k: i64) -> Expr {
        let k = self.number(self.width(x), k);
        self.mul(x, k)
    }

    /// At how many of the lowest bits of a sum of multiples there are surely zeros.
    pub fn zeros(&self, expr: Expr) -> u32 {
        match self.node(expr) {
            Node::Constant(value) => value.unsigned().trailing_zeros().min(value.width()),
            _ if self.known[expr.0 as usize].size > LARGEST => 0,
            Node::Binary(Op::Add | Op::Sub, x, y) => self.zeros(x).min(self.zeros(y)),
            Node::Binary(Op::Mul, x, y) => (self.zeros(x) + self.zeros(y)).min(self.width(expr)),
            _ => 0,
        }
    }

    /// A sum of multiples of words of one width, in which equal parts are added up.
    pub fn sum(&mut self, parts: &[(Expr, i64)]) -> Expr {
        let width = self.width(parts[0].0);
        let (mut terms, mut number) = (Vec::<(Expr, i64)>::new(), 0i64);
        let mut work: Vec<(Expr, i64)> = parts.iter().rev().copied().collect();
        while let Some((expr, factor)) = work.pop() {
            let is_small = self.known[expr.0 as usize].size <= LARGEST;
            match self.node(expr) {
                Node::Constant(value) => number = number.wrapping_add(value.signed().wrapping_mul(factor)),
                Node::Binary(Op::Add, x, y) if is_small => work.extend([(y, factor), (x, factor)]),
                Node::Binary(Op::Sub, x, y) if is_small => {
                    work.extend([(y, factor.wrapping_neg()), (x, factor)])
                }
                Node::Binary(Op::Mul, x, y) if is_small && self.as_constant(y).is_some() => {
                    let times = self.as_constant(y).expect("a number").signed();
                    work.push((x, factor.wrapping_mul(times)));
                }
                _ => match terms.iter_mut().find(|(term, _)| *term == expr) {
                    Some((_, sum)) => *sum = sum.wrapping_add(factor),
                    None => terms.push((expr, factor)),
                },
            }
        }
        // What is taken away comes last.
        terms.sort_by_key(|&(_, factor)| factor == -1);
        let mut sum = self.number(width, 0);
        for (term, factor) in terms {
            sum = if factor == -1 {
                self.sub(sum, term)
            } else {
                let product = self.times(term, factor);
                self.add(sum, product)
            };
        }
        let number = self.number(width, number);
        self.add(sum, number)
    }

    /// An operation on two words of one width, in its simplest form.
    pub fn binary(&mut self, op: Op, mut x: Expr, mut y: Expr) -> Expr {
        let width = self.width(x);
        debug_assert_eq!(width, self.width(y), "{op:?} of words of one width");
        if let (Some(x), Some(y)) = (self.as_constant(x), self.as_constant(y)) {
            let types = [Type::Int(width as u8)];
            if let Some(Fold::Int(value)) = fold(op, &[Datum::Word(x), Datum::Word(y)], &types) {
                return self.constant(value);
            }
        }
        if op.row().algebra.commutative
            && (self.as_constant(x).is_some(), x) > (self.as_constant(y).is_some(), y)
        {
            (x, y) = (y, x);
        }
        self.simpler(op, x, y).unwrap_or_else(|| self.make(Node::Binary(op, x, y), width))
    }

    /// A simpler form of an operation whose constant, if it has one and may be turned, is `y`.
    fn simpler(&mut self, op: Op, x: Expr, y: Expr) -> Option<Expr> {
        let constant = self.as_constant(y);
        let plain = constant.map(|value| value.signed());
        match (op, self.node(x)) {
            (Op::Add | Op::Sub | Op::Urshift, _) if self.is_zero(y) => Some(x),
            (Op::Sub | Op::Max | Op::Min | Op::Umax | Op::Umin, _) if x == y => {
                Some(if op == Op::Sub { self.number(self.width(x), 0) } else { x })
            }
            (Op::Mul, _) if self.is_zero(y) => Some(y),
            (Op::Mul | Op::Udiv, _) if constant.is_some_and(|value| value.unsigned() == 1) => Some(x),
            // (a + 3) - (a + 1) = 2
            (Op::Sub, _) if constant.is_none() && self.offset(x).0 == self.offset(y).0 => {
                let difference = self.offset(x).1.wrapping_sub(self.offset(y).1);
                Some(self.number(self.width(x), difference))
            }
            (Op::Sub, _) if constant.is_some() => {
                let negative = self.number(self.width(x), plain?.wrapping_neg());
                Some(self.add(x, negative))
            }
            // (a + 1) + 2 = a + 3, and (3a) * 5 = 15a.
            (Op::Add | Op::Mul, Node::Binary(inner, a, b))
                if inner == op && constant.is_some() && self.as_constant(b).is_some() =>
            {
                let both = self.binary(op, b, y);
                Some(self.binary(op, a, both))
            }
            // (a - b) + b = a
            (Op::Add, Node::Binary(Op::Sub, a, b)) if b == y => Some(a),
            (Op::Add, _) => match self.node(y) {
                Node::Binary(Op::Sub, a, b) if b == x => Some(a),
                _ => None,
            },
            _ => None,
        }
    }

    /// What a number is added to, and that number.
    fn offset(&self, x: Expr) -> (Expr, i64) {
        match self.node(x) {
            Node::Binary(Op::Add, a, b) => self.as_constant(b).map_or((x, 0), |number| (a, number.signed())),
            _ => (x, 0),
        }
    }

    /// A word in another width: its low bits, or zeros in front.
    pub fn unsigned_to(&mut self, x: Expr, width: u32) -> Expr {
        match width.cmp(&self.width(x)) {
            std::cmp::Ordering::Equal => x,
            std::cmp::Ordering::Less => self.unary(Op::Trunc, x, width),
            std::cmp::Ordering::Greater => self.unary(Op::Zext, x, width),
        }
    }

    /// An operation on one word, which gives one of `width` bits: `sext`, `zext`, `trunc`, `clz`, `ctz` or `popcount`.
    pub fn unary(&mut self, op: Op, x: Expr, width: u32) -> Expr {
        if let Some(value) = self.as_constant(x)
            && let Some(Fold::Int(value)) = fold(op, &[Datum::Word(value)], &[Type::Int(width as u8)])
        {
            return self.constant(value);
        }
        self.make(Node::Unary(op, x), width)
    }

    /// By how many bits a word is shifted that is multiplied by a power of two: so that is written.
    fn shift(&self, op: Op, by: Expr) -> Option<Int> {
        let by = self.as_constant(by).filter(|by| op == Op::Mul && by.unsigned().is_power_of_two())?;
        Some(Int::new(by.width(), by.unsigned().trailing_zeros().into()))
    }

    /// What it costs to compute some expressions, equal parts once; `None` if one of them is too large.
    pub fn cost(&self, exprs: impl IntoIterator<Item = Expr>, price: impl Fn(Op) -> u32) -> Option<u32> {
        let (mut work, mut seen) = (Vec::new(), FxHashSet::default());
        for expr in exprs {
            if self.known[expr.0 as usize].size > LARGEST {
                return None;
            }
            work.push(expr);
        }
        let mut sum = 0u32;
        while let Some(expr) = work.pop() {
            if !seen.insert(expr) {
                continue;
            }
            match self.node(expr) {
                Node::Constant(_) | Node::Value(_) => {}
                Node::Binary(op, x, y) => {
                    sum = sum.saturating_add(price(self.shift(op, y).map_or(op, |_| Op::Lshift)));
                    work.extend([x, y]);
                }
                Node::Unary(op, x) => {
                    sum = sum.saturating_add(price(op));
                    work.push(x);
                }
            }
        }
        Some(sum)
    }
}

#[cfg(test)]
impl Expressions {
    /// What an expression is where values of the function are numbers.
    pub(super) fn evaluated(&self, expr: Expr, given: &dyn Fn(Value) -> Int) -> Int {
        let (op, args) = match self.node(expr) {
            Node::Constant(value) => return value,
            Node::Value(value) => return given(value),
            Node::Binary(op, x, y) => (op, vec![x, y]),
            Node::Unary(op, x) => (op, vec![x]),
        };
        let args: Vec<_> = args.into_iter().map(|arg| Datum::Word(self.evaluated(arg, given))).collect();
        match fold(op, &args, &[Type::Int(self.width(expr) as u8)]) {
            Some(Fold::Int(value)) => value,
            other => panic!("{op:?}: {other:?}"),
        }
    }
}

/// Writes expressions at the end of a block, equal parts once.
pub struct Writer<'a> {
    /// The expressions.
    pub expressions: &'a Expressions,
    /// Where they are written.
    pub block: Block,
    written: HashMap<Expr, Value, FxBuildHasher>,
}

impl<'a> Writer<'a> {
    /// Nothing is written yet.
    pub fn new(expressions: &'a Expressions, block: Block) -> Self {
        Writer { expressions, block, written: HashMap::default() }
    }

    /// The value of an expression that has a [cost](Expressions::cost): so it is not deep.
    pub fn write(&mut self, f: &mut Function, expr: Expr) -> Value {
        if let Some(&value) = self.written.get(&expr) {
            return value;
        }
        let ty = Type::Int(self.expressions.width(expr) as u8);
        let value = match self.expressions.node(expr) {
            Node::Constant(value) => f.make_constant(value),
            Node::Value(value) => value,
            Node::Binary(op, x, y) => {
                let shift = self.expressions.shift(op, y);
                let op = shift.map_or(op, |_| Op::Lshift);
                let x = self.write(f, x);
                let y = shift.map(|by| f.make_constant(by)).unwrap_or_else(|| self.write(f, y));
                self.append(f, op, &[x, y], ty)
            }
            Node::Unary(op, x) => {
                let x = self.write(f, x);
                self.append(f, op, &[x], ty)
            }
        };
        self.written.insert(expr, value);
        value
    }

    fn append(&self, f: &mut Function, op: Op, args: &[Value], ty: Type) -> Value {
        let inst = f.make_inst(op, args, &[ty], None, None, Location::default());
        f.append_inst(self.block, inst);
        f.result(inst)
    }
}
