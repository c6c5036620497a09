//! Sums, products and chains of bitwise operations as a whole: the n-ary normal form.
//!
//! Rules see operations two or three at a time. Associativity and commutativity as rules would explode
//! (they are in the book for the e-graph engine only, under its budget); so chains are collected here
//! instead: the operations that die with the root are taken apart into
//!
//! ```text
//! a sum       c0 + c1 * x1 + c2 * x2 + ...        of add, sub, neg, and products by constants
//! a product   c * x1^k1 * x2^k2 * ...             of mul, neg, and shifts to the left by constants
//! a chain     c & x1 & ~x2 & ...                  of and, or or xor, with not
//! ```
//!
//! and put together again with each value once, constants folded, values in their order. The result is
//! used only where it costs less than what dies, so this terminates. What operations cost is asked of the
//! subject: where a product costs no more than a sum, `x + (x << 1)` is `x * 3`. Costs are those of the text:
//! an operation that dies outside of a loop counts like one inside.
//! `x + x + ... + x`, fifty times, is met at every sum on the way, and ends as one multiplication.
//!
//! What the forms say is the commutative ring of integers modulo 2^w and the Boolean algebra of words;
//! tests compare results with the operations on all inputs of small widths. A chain of more than
//! [`CHAIN_LIMIT`] operations is taken apart only so far; the rest is a value like any other.

use planish_ops::{Bits, Int, Machine, Op, Type};

use crate::matching::{BUILD_LIMIT, Const, Operand, Outcome, Plan, Root, Subject, int};

/// How many operations are taken apart at most.
pub const CHAIN_LIMIT: usize = 16;

/// Which normal form was used.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Form {
    /// A linear combination.
    Sum,
    /// A product of powers.
    Product,
    /// A chain of one bitwise operation.
    Bitwise,
}

/// A chain put together again.
#[derive(Clone, Copy, Debug)]
pub struct Combined<V> {
    /// What is built first.
    pub plan: Plan<V>,
    /// What the root becomes: a value.
    pub outcome: Outcome<V>,
    /// By which form.
    pub form: Form,
}

/// The root as part of a chain, in a form that costs less; `None` where there is none.
pub fn combine<S: Subject>(s: &S, root: &Root<'_, S::Value>) -> Option<Combined<S::Value>> {
    let form = match root.op {
        Op::Add | Op::Sub | Op::Neg => Form::Sum,
        Op::Mul | Op::Lshift => Form::Product,
        Op::And | Op::Or | Op::Xor => Form::Bitwise,
        _ => return None,
    };
    // Most operations end no chain; finding that out must cost next to nothing.
    let continues = |&value: &S::Value| {
        s.used_once(value) && s.first_node(value).is_some_and(|node| links(root.op, s.op(node)))
    };
    if !root.args.iter().any(continues) {
        return None;
    }
    let width = root.ty.int_width()?;
    match form {
        Form::Sum => Sum::collect(s, root, width)?.build(s, root.ty),
        Form::Product => Product::collect(s, root, width)?.build(s, root.ty),
        Form::Bitwise => Chain::collect(s, root, width)?.build(s, root.ty),
    }
}

/// Whether an operation may be a link of the chain that ends in `root`.
fn links(root: Op, op: Op) -> bool {
    match root {
        Op::Add | Op::Sub | Op::Neg => matches!(op, Op::Add | Op::Sub | Op::Neg | Op::Mul | Op::Lshift),
        Op::Mul | Op::Lshift => matches!(op, Op::Mul | Op::Lshift | Op::Neg),
        _ => op == root || op == Op::Not,
    }
}

/// The operations that are taken apart, and what they cost.
struct Apart<'a, S: Subject> {
    s: &'a S,
    width: u32,
    cost: u32,
    taken: usize,
}

impl<'a, S: Subject> Apart<'a, S> {
    fn new(s: &'a S, root: &Root<'_, S::Value>, width: u32) -> Self {
        Apart { s, width, cost: s.price(root.op), taken: 1 }
    }

    /// The operation that a value is, if it dies with the root and is one of these.
    fn dying(&mut self, value: S::Value, ops: &[Op]) -> Option<S::Node> {
        let node = self.s.first_node(value)?;
        let op = self.s.op(node);
        let take = self.taken < CHAIN_LIMIT
            && ops.contains(&op)
            && self.s.used_once(value)
            && self.s.next_node(node).is_none();
        if !take {
            return None;
        }
        // A shift by an amount that is not known to be in range stays as it is.
        if op == Op::Lshift && self.amount(self.s.operand(node, 1)).is_none() {
            return None;
        }
        self.taken += 1;
        self.cost += self.s.price(op);
        Some(node)
    }

    /// 2^amount, where the amount is a constant in range.
    fn amount(&self, value: S::Value) -> Option<Int> {
        let amount = int(self.s, value)?;
        let in_range = amount.unsigned() < u64::from(self.width);
        in_range.then(|| Int::new(self.width, 1 << amount.unsigned()))
    }

    fn word(&self, value: i64) -> Int {
        Int::new(self.width, value as u64)
    }
}

/// An item of a list without repetitions, made if need be.
fn entry<V: Copy + Ord, T>(list: &mut Vec<(V, T)>, value: V, new: T) -> &mut T {
    let at = match list.binary_search_by(|item| item.0.cmp(&value)) {
        Ok(at) => at,
        Err(at) => {
            list.insert(at, (value, new));
            at
        }
    };
    &mut list[at].1
}

/// A plan that fits and costs less than `cost`.
fn cheaper<S: Subject>(
    s: &S,
    cost: u32,
    build: Builder<S::Value>,
    result: Operand<S::Value>,
    form: Form,
) -> Option<Combined<S::Value>> {
    let made: u32 = build.plan.iter().map(|build| s.price(build.op)).sum();
    (build.fits && made < cost).then_some(Combined {
        plan: build.plan,
        outcome: Outcome::Value(result),
        form,
    })
}

/// Puts operations together.
struct Builder<V> {
    plan: Plan<V>,
    ty: Type,
    fits: bool,
}

impl<V: Copy> Builder<V> {
    fn new(ty: Type) -> Self {
        Builder { plan: Plan::new(), ty, fits: true }
    }

    fn op(&mut self, op: Op, args: &[Operand<V>]) -> Operand<V> {
        if self.plan.len() == BUILD_LIMIT {
            self.fits = false;
            return args[0];
        }
        self.plan.push(op, self.ty, args)
    }

    fn constant(value: Int) -> Operand<V> {
        Operand::Const(Const::Int(value))
    }

    /// factor * value
    fn scaled(&mut self, value: Operand<V>, factor: Int) -> Operand<V> {
        let one = Machine.one(factor);
        if factor == one {
            return value;
        }
        if factor == Machine.ones(factor) {
            return self.op(Op::Neg, &[value]);
        }
        if factor.unsigned().is_power_of_two() {
            let amount = Int::new(factor.width(), u64::from(factor.unsigned().trailing_zeros()));
            return self.op(Op::Lshift, &[value, Self::constant(amount)]);
        }
        self.op(Op::Mul, &[value, Self::constant(factor)])
    }
}

/// constant + Σ factor * value
struct Sum<V> {
    terms: Vec<(V, Int)>,
    constant: Int,
    cost: u32,
}

impl<V: Copy + Ord> Sum<V> {
    fn collect<S: Subject<Value = V>>(s: &S, root: &Root<'_, V>, width: u32) -> Option<Self> {
        let mut apart = Apart::new(s, root, width);
        let mut sum = Sum { terms: Vec::new(), constant: Int::new(width, 0), cost: 0 };
        let (one, minus) = (apart.word(1), apart.word(-1));
        // Operands that are still to be looked at, each with its factor.
        let mut open: Vec<(V, Int)> = match (root.op, root.args) {
            (Op::Add, &[x, y]) => vec![(y, one), (x, one)],
            (Op::Sub, &[x, y]) => vec![(y, minus), (x, one)],
            (Op::Neg, &[x]) => vec![(x, minus)],
            _ => return None,
        };
        while let Some((value, factor)) = open.pop() {
            if let Some(constant) = int(s, value) {
                sum.constant = Machine.add(sum.constant, Machine.mul(constant, factor));
                continue;
            }
            // A product belongs to the sum where one factor is a constant.
            let scaled = s.first_node(value).and_then(|node| match s.op(node) {
                Op::Mul => [(0, 1), (1, 0)]
                    .into_iter()
                    .find_map(|(value, by)| Some((s.operand(node, value), int(s, s.operand(node, by))?))),
                Op::Lshift => Some((s.operand(node, 0), apart.amount(s.operand(node, 1))?)),
                _ => None,
            });
            if let Some((inner, by)) = scaled
                && apart.dying(value, &[Op::Mul, Op::Lshift]).is_some()
            {
                open.push((inner, Machine.mul(by, factor)));
                continue;
            }
            match apart.dying(value, &[Op::Add, Op::Sub, Op::Neg]) {
                Some(node) => {
                    let negated = Machine.neg(factor);
                    match s.op(node) {
                        Op::Add => open.extend([(s.operand(node, 1), factor), (s.operand(node, 0), factor)]),
                        Op::Sub => open.extend([(s.operand(node, 1), negated), (s.operand(node, 0), factor)]),
                        _ => open.push((s.operand(node, 0), negated)),
                    }
                }
                None => {
                    let zero = Int::new(width, 0);
                    let total = entry(&mut sum.terms, value, zero);
                    *total = Machine.add(*total, factor);
                }
            }
        }
        sum.terms.retain(|term| term.1.is_true());
        sum.cost = apart.cost;
        (apart.taken > 1).then_some(sum)
    }

    fn build<S: Subject<Value = V>>(self, s: &S, ty: Type) -> Option<Combined<V>> {
        let mut b = Builder::new(ty);
        let negative = |factor: Int| factor.signed() < 0;
        // One factor for all is applied once, to the sum.
        let common = match self.terms.as_slice() {
            [(_, first), rest @ ..] if !rest.is_empty() && rest.iter().all(|t| t.1 == *first) => *first,
            _ => Int::new(self.constant.width(), 1),
        };
        let factor = |own: Int| if own == common { Int::new(own.width(), 1) } else { own };
        let mut sum: Option<Operand<V>> = None;
        // What is added first, so that the rest can be subtracted from it.
        for &(value, own) in self.terms.iter().filter(|t| !negative(factor(t.1))) {
            let term = b.scaled(Operand::Value(value), factor(own));
            sum = Some(match sum {
                None => term,
                Some(sum) => b.op(Op::Add, &[sum, term]),
            });
        }
        let mut constant = self.constant;
        for &(value, own) in self.terms.iter().filter(|t| negative(factor(t.1))) {
            let positive = Machine.neg(factor(own));
            // Of the smallest number the negation is itself.
            let term = b.scaled(Operand::Value(value), positive);
            sum = Some(match sum {
                Some(sum) => b.op(Op::Sub, &[sum, term]),
                None if constant.is_true() => {
                    let from = Builder::constant(constant);
                    constant = Int::new(constant.width(), 0);
                    b.op(Op::Sub, &[from, term])
                }
                None => b.op(Op::Neg, &[term]),
            });
        }
        let result = match sum {
            None => Builder::constant(self.constant),
            Some(sum) => {
                let sum = b.scaled(sum, common);
                if constant.is_true() { b.op(Op::Add, &[sum, Builder::constant(constant)]) } else { sum }
            }
        };
        cheaper(s, self.cost, b, result, Form::Sum)
    }
}

/// constant * Π value^power
struct Product<V> {
    powers: Vec<(V, u32)>,
    constant: Int,
    cost: u32,
}

impl<V: Copy + Ord> Product<V> {
    fn collect<S: Subject<Value = V>>(s: &S, root: &Root<'_, V>, width: u32) -> Option<Self> {
        let mut apart = Apart::new(s, root, width);
        let mut product = Product { powers: Vec::new(), constant: Int::new(width, 1), cost: 0 };
        let mut open: Vec<V> = match (root.op, root.args) {
            (Op::Mul, &[x, y]) => vec![y, x],
            (Op::Lshift, &[x, amount]) => {
                product.constant = apart.amount(amount)?;
                vec![x]
            }
            _ => return None,
        };
        while let Some(value) = open.pop() {
            if let Some(constant) = int(s, value) {
                product.constant = Machine.mul(product.constant, constant);
                continue;
            }
            match apart.dying(value, &[Op::Mul, Op::Lshift, Op::Neg]) {
                Some(node) => {
                    let inner = s.operand(node, 0);
                    match s.op(node) {
                        Op::Mul => open.push(s.operand(node, 1)),
                        Op::Neg => product.constant = Machine.neg(product.constant),
                        _ => {
                            let by =
                                apart.amount(s.operand(node, 1)).expect("only shifts in range are taken");
                            product.constant = Machine.mul(product.constant, by);
                        }
                    }
                    open.push(inner);
                }
                None => *entry(&mut product.powers, value, 0) += 1,
            }
        }
        product.cost = apart.cost;
        (apart.taken > 1).then_some(product)
    }

    fn build<S: Subject<Value = V>>(self, s: &S, ty: Type) -> Option<Combined<V>> {
        let mut b = Builder::new(ty);
        if !self.constant.is_true() {
            return cheaper(s, self.cost, b, Builder::constant(self.constant), Form::Product);
        }
        let mut product: Option<Operand<V>> = None;
        for &(value, power) in &self.powers {
            // Powers by squaring, the lowest bit first.
            let (mut square, mut left) = (Operand::Value(value), power);
            loop {
                if left & 1 == 1 {
                    product = Some(match product {
                        None => square,
                        Some(product) => b.op(Op::Mul, &[product, square]),
                    });
                }
                left >>= 1;
                if left == 0 {
                    break;
                }
                square = b.op(Op::Mul, &[square, square]);
            }
        }
        let result = match product {
            None => Builder::constant(self.constant),
            Some(product) => b.scaled(product, self.constant),
        };
        cheaper(s, self.cost, b, result, Form::Product)
    }
}

/// How a value takes part in a chain of a bitwise operation.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Part {
    plain: bool,
    complemented: bool,
}

/// constant op value op ~value op ...
struct Chain<V> {
    op: Op,
    parts: Vec<(V, Part)>,
    constant: Int,
    cost: u32,
}

impl<V: Copy + Ord> Chain<V> {
    fn collect<S: Subject<Value = V>>(s: &S, root: &Root<'_, V>, width: u32) -> Option<Self> {
        let mut apart = Apart::new(s, root, width);
        let op = root.op;
        let ones = apart.word(-1);
        let neutral = if op == Op::And { ones } else { apart.word(0) };
        let mut chain = Chain { op, parts: Vec::new(), constant: neutral, cost: 0 };
        let mut open: Vec<V> = root.args.iter().rev().copied().collect();
        while let Some(value) = open.pop() {
            if let Some(constant) = int(s, value) {
                chain.constant = apply(op, chain.constant, constant);
                continue;
            }
            if let Some(node) = apart.dying(value, &[op]) {
                open.extend([s.operand(node, 1), s.operand(node, 0)]);
                continue;
            }
            let complement = apart.dying(value, &[Op::Not]).map(|node| s.operand(node, 0));
            let none = Part { plain: false, complemented: false };
            match (op, complement) {
                (Op::Xor, Some(inner)) => {
                    // ~x = x ^ -1
                    chain.constant = apply(op, chain.constant, ones);
                    open.push(inner);
                }
                (Op::Xor, None) => {
                    let part = entry(&mut chain.parts, value, none);
                    part.plain = !part.plain;
                }
                (_, Some(inner)) if int(s, inner).is_none() => {
                    entry(&mut chain.parts, inner, none).complemented = true;
                }
                (_, Some(inner)) => {
                    let constant = int(s, inner).expect("the case before has the others");
                    chain.constant = apply(op, chain.constant, Machine.not(constant));
                }
                (_, None) => entry(&mut chain.parts, value, none).plain = true,
            }
        }
        chain.cost = apart.cost;
        (apart.taken > 1).then_some(chain)
    }

    fn build<S: Subject<Value = V>>(self, s: &S, ty: Type) -> Option<Combined<V>> {
        let mut b = Builder::new(ty);
        let width = self.constant.width();
        let (zero, ones) = (Int::new(width, 0), Int::new(width, u64::MAX));
        let (neutral, absorbing) = match self.op {
            Op::And => (ones, Some(zero)),
            Op::Or => (zero, Some(ones)),
            _ => (zero, None),
        };
        let contradiction = self.parts.iter().any(|p| p.1.plain && p.1.complemented);
        if let Some(absorbing) = absorbing
            && (contradiction || self.constant == absorbing)
        {
            return cheaper(s, self.cost, b, Builder::constant(absorbing), Form::Bitwise);
        }
        let mut chain: Option<Operand<V>> = None;
        for &(value, part) in self.parts.iter().filter(|p| p.1.plain || p.1.complemented) {
            let value = Operand::Value(value);
            let part = if part.complemented { b.op(Op::Not, &[value]) } else { value };
            chain = Some(match chain {
                None => part,
                Some(chain) => b.op(self.op, &[chain, part]),
            });
        }
        let result = match chain {
            None => Builder::constant(self.constant),
            Some(chain) if self.constant == neutral => chain,
            Some(chain) if self.op == Op::Xor && self.constant == ones => b.op(Op::Not, &[chain]),
            Some(chain) => b.op(self.op, &[chain, Builder::constant(self.constant)]),
        };
        cheaper(s, self.cost, b, result, Form::Bitwise)
    }
}

fn apply(op: Op, a: Int, c: Int) -> Int {
    match op {
        Op::And => Machine.and(a, c),
        Op::Or => Machine.or(a, c),
        _ => Machine.xor(a, c),
    }
}
