//! Sums, products and chains of bitwise operations as a whole: the n-ary normal form.
//!
//! Rules see operations two or three at a time. Associativity and commutativity as rules would explode
//! (they are in the book for the e-graph engine only, under its budget); so chains are collected here
//! instead: the operations that die with the root are taken apart into
//!
//! ```text
//! a sum       c0 + c1 * x1 + c2 * x2 + ...        of add, sub, neg, not, and products by constants
//! a product   c * x1^k1 * x2^k2 * ...             of mul, neg, and shifts to the left by constants
//! a chain     c & x1 & ~x2 & (x3 & x4) >> k ...   of and or or, with not and shifts by constants
//! fields      c ^ (x1 << k1 & m1) ^ x2 ^ ...      of xor, and of anything bitwise with constants
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

mod build;
mod fields;

use planish_ops::{Bits, Int, Machine, Op, Type};

use crate::matching::{Operand, Outcome, Root, Subject, int};
use build::{Builder, cheaper};
pub use build::{Combined, Form};
pub use fields::is_field;
use fields::{Shift, disjoint};

/// How many operations are taken apart at most.
pub const CHAIN_LIMIT: usize = 16;

/// How deep it is looked for an operand in the other one.
const ABSORBED_DEPTH: u32 = 4;

/// The root as part of a chain, in a form that costs less; `None` where there is none.
pub fn combine<S: Subject>(s: &S, root: &Root<'_, S::Value>) -> Option<Combined<S::Value>> {
    let form = match root.op {
        Op::Add | Op::Sub | Op::Neg => Form::Sum,
        Op::Mul | Op::Lshift => Form::Product,
        Op::And | Op::Or => Form::Bitwise,
        Op::Xor | Op::Not | Op::Urshift | Op::Rshift => Form::Fields,
        _ => return None,
    };
    // Most operations end no chain; finding that out must cost next to nothing.
    let (mut links, mut are_fields) = (false, false);
    for &value in root.args {
        let Some(node) = s.first_node(value) else { continue };
        let op = s.op(node);
        let (link, field) = (continues(form, root.op, op), is_field(op));
        if (link || field) && s.used_once(value) {
            links |= link;
            are_fields |= field;
        }
    }
    if !links && !are_fields && form != Form::Bitwise {
        return None;
    }
    let width = root.ty.int_width()?;
    if form == Form::Bitwise
        && let Some(is) = absorbed(s, root)
    {
        let outcome = Outcome::Value(Operand::Value(is));
        return Some(Combined { plan: Vec::new(), outcome, form });
    }
    let combined = match form {
        _ if !links => None,
        Form::Sum => Sum::collect(s, root, width).and_then(|sum| sum.build(s, root.ty)),
        // A product of a sum is a sum of products.
        Form::Product => Product::collect(s, root, width)
            .and_then(|product| product.build(s, root.ty))
            .or_else(|| Sum::collect(s, root, width)?.build(s, root.ty)),
        Form::Bitwise => Chain::collect(s, root, width).and_then(|chain| chain.build(s, root.ty)),
        Form::Fields => None,
    };
    let as_fields = || fields::combine(s, root, u64::MAX);
    combined.or_else(|| if are_fields && is_field(root.op) { as_fields() } else { None })
}

/// The root in a form that costs less, and agrees with it in the bits of `seen`; `None` where there is none.
pub fn combine_seen<S: Subject>(s: &S, root: &Root<'_, S::Value>, seen: u64) -> Option<Combined<S::Value>> {
    if is_field(root.op) { fields::combine(s, root, seen) } else { None }
}

/// The operand that a conjunction or disjunction is, since the other one is part of it, as in `x | (y & (x & z))` or
/// `x & (y & (x & z))`.
fn absorbed<S: Subject>(s: &S, root: &Root<'_, S::Value>) -> Option<S::Value> {
    let &[x, y] = root.args else { return None };
    let dual = if root.op == Op::And { Op::Or } else { Op::And };
    [(x, y), (y, x)].into_iter().find_map(|(part, whole)| {
        let op = s.op(s.first_node(whole)?);
        let is = if op == dual { part } else { whole };
        ((op == dual || op == root.op) && contains(s, whole, op, part, ABSORBED_DEPTH)).then_some(is)
    })
}

/// Whether a value is an operand of a tree of one operation.
fn contains<S: Subject>(s: &S, tree: S::Value, op: Op, value: S::Value, depth: u32) -> bool {
    tree == value
        || depth > 0
            && s.first_node(tree).is_some_and(|node| {
                s.op(node) == op
                    && [0, 1].into_iter().any(|at| contains(s, s.operand(node, at), op, value, depth - 1))
            })
}

/// Whether an operation may be a link of the chain that ends in `root`.
fn continues(form: Form, root: Op, op: Op) -> bool {
    match form {
        Form::Sum => {
            matches!(op, Op::Add | Op::Sub | Op::Neg | Op::Not | Op::Mul | Op::Lshift | Op::Or | Op::Xor)
        }
        Form::Product => matches!(op, Op::Mul | Op::Lshift | Op::Add | Op::Sub | Op::Neg | Op::Not),
        Form::Bitwise if root == Op::Or => is_field(op) && op != Op::And,
        Form::Bitwise => is_field(op) && !matches!(op, Op::Or | Op::Xor | Op::Add),
        Form::Fields => false,
    }
}

/// The operations that are taken apart, and what they cost.
struct Apart<'a, S: Subject> {
    s: &'a S,
    width: u32,
    /// What is an operation of the chain where no bit is set in both operands.
    also: &'static [Op],
    cost: u32,
    taken: usize,
}

impl<'a, S: Subject> Apart<'a, S> {
    fn new(s: &'a S, root: &Root<'_, S::Value>, width: u32) -> Self {
        let also: &[Op] = match root.op {
            Op::Add | Op::Sub | Op::Neg | Op::Lshift | Op::Mul => &[Op::Or, Op::Xor],
            Op::Or => &[Op::Add, Op::Xor],
            _ => &[],
        };
        Apart { s, width, also, cost: s.price(root.op), taken: 1 }
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
        let stays = match op {
            // A shift by an amount that is not known to be in range.
            Op::Lshift | Op::Urshift | Op::Rshift => self.amount(self.s.operand(node, 1)).is_none(),
            // What is no sum, or no disjunction.
            _ if self.also.contains(&op) => {
                !disjoint(self.s, self.s.operand(node, 0), self.s.operand(node, 1), u64::MAX)
            }
            _ => false,
        };
        if stays {
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
            (Op::Lshift, &[x, by]) => vec![(x, apart.amount(by)?)],
            (Op::Mul, &[x, y]) => match (int(s, x), int(s, y)) {
                (None, Some(by)) => vec![(x, by)],
                (Some(by), None) => vec![(y, by)],
                _ => return None,
            },
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
            match apart.dying(value, &[Op::Add, Op::Sub, Op::Neg, Op::Not, Op::Or, Op::Xor]) {
                Some(node) => {
                    let negated = Machine.neg(factor);
                    match s.op(node) {
                        Op::Add | Op::Or | Op::Xor => {
                            open.extend([(s.operand(node, 1), factor), (s.operand(node, 0), factor)])
                        }
                        Op::Sub => open.extend([(s.operand(node, 1), negated), (s.operand(node, 0), factor)]),
                        // ~x = -x - 1
                        Op::Not => {
                            sum.constant = Machine.add(sum.constant, negated);
                            open.push((s.operand(node, 0), negated));
                        }
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
    /// Those that are shifted alike side by side.
    parts: Vec<((Shift, V), Part)>,
    constant: Int,
    cost: u32,
}

impl<V: Copy + Ord> Chain<V> {
    fn collect<S: Subject<Value = V>>(s: &S, root: &Root<'_, V>, width: u32) -> Option<Self> {
        let mut apart = Apart::new(s, root, width);
        let op = root.op;
        let neutral = if op == Op::And { apart.word(-1) } else { apart.word(0) };
        let mut chain = Chain { op, parts: Vec::new(), constant: neutral, cost: 0 };
        let mut open: Vec<V> = root.args.iter().rev().copied().collect();
        while let Some(value) = open.pop() {
            if let Some(constant) = int(s, value) {
                chain.constant = apply(op, chain.constant, constant);
                continue;
            }
            let links: &[Op] = if op == Op::Or { &[Op::Or, Op::Add, Op::Xor] } else { &[op] };
            if let Some(node) = apart.dying(value, links) {
                open.extend([s.operand(node, 1), s.operand(node, 0)]);
                continue;
            }
            let none = Part { plain: false, complemented: false };
            let Some(node) = apart.dying(value, &[Op::Not, Op::Lshift, Op::Urshift, Op::Rshift]) else {
                entry(&mut chain.parts, (Shift::NONE, value), none).plain = true;
                continue;
            };
            let inner = s.operand(node, 0);
            match (s.op(node), int(s, inner)) {
                (Op::Not, Some(constant)) => {
                    chain.constant = apply(op, chain.constant, Machine.not(constant));
                }
                (Op::Not, None) => {
                    entry(&mut chain.parts, (Shift::NONE, inner), none).complemented = true;
                }
                (shift, _) => {
                    let by = int(s, s.operand(node, 1)).expect("only shifts by constants are taken");
                    let shift = Shift::by(shift, by.unsigned() as u32);
                    entry(&mut chain.parts, (shift, inner), none).plain = true;
                }
            }
        }
        if op == Op::And {
            chain.hide_signs();
        }
        chain.cost = apart.cost;
        (apart.taken > 1).then_some(chain)
    }

    /// Lets arithmetic shifts whose signs the constant of a conjunction hides be logical ones.
    fn hide_signs(&mut self) {
        let (mask, width) = (self.constant.unsigned(), self.constant.width());
        for ((shift, _), _) in &mut self.parts {
            if let &mut Shift::Arithmetic(by) = shift
                && shift.filled(width) & mask == 0
            {
                *shift = Shift::Right(by);
            }
        }
        self.parts.sort_unstable_by_key(|part| part.0);
        self.parts.dedup_by_key(|part| part.0);
    }

    fn build<S: Subject<Value = V>>(self, s: &S, ty: Type) -> Option<Combined<V>> {
        let mut b = Builder::new(ty);
        let width = self.constant.width();
        let (zero, ones) = (Int::new(width, 0), Int::new(width, u64::MAX));
        let (neutral, absorbing) = if self.op == Op::And { (ones, zero) } else { (zero, ones) };
        // Nothing is shifted and complemented.
        let contradiction = self.parts.iter().any(|p| p.1.plain && p.1.complemented);
        if contradiction || self.constant == absorbing {
            return cheaper(s, self.cost, b, Builder::constant(absorbing), Form::Bitwise);
        }
        let mut chain: Option<Operand<V>> = None;
        for alike in self.parts.chunk_by(|a, b| a.0.0 == b.0.0 && a.0.0 != Shift::NONE) {
            let mut group: Option<Operand<V>> = None;
            for &((_, value), part) in alike {
                let value = Operand::Value(value);
                let part = if part.complemented { b.op(Op::Not, &[value]) } else { value };
                group = Some(group.map_or(part, |group| b.op(self.op, &[group, part])));
            }
            let mut group = group.expect("a group is not empty");
            if alike[0].0.0 != Shift::NONE {
                let (op, by) = alike[0].0.0.op();
                group = b.op(op, &[group, Builder::constant(Int::new(width, u64::from(by)))]);
            }
            chain = Some(chain.map_or(group, |chain| b.op(self.op, &[chain, group])));
        }
        let result = match chain {
            None => Builder::constant(self.constant),
            Some(chain) if self.constant == neutral => chain,
            Some(chain) => b.op(self.op, &[chain, Builder::constant(self.constant)]),
        };
        cheaper(s, self.cost, b, result, Form::Bitwise)
    }
}

fn apply(op: Op, a: Int, c: Int) -> Int {
    if op == Op::And { Machine.and(a, c) } else { Machine.or(a, c) }
}
