//! Symmetric differences of fields: what shifts by constants, masks and bitwise operations with constants come to.
//!
//! ```text
//! c ^ (x1 << k1 & m1) ^ (x2 >> k2 & m2) ^ ...
//! ```
//!
//! A *field* is a value that is shifted and masked. A field that is shifted, masked, or has bits set or inverted is a field
//! again, up to constants, which all come together. So do the masks of two fields of one value at one place, and fields that
//! are shifted alike are shifted together. A sum or a disjunction of words without common bits is a symmetric difference.
//! Bits that are known, or that nobody asks for, need no mask.

use planish_domain::IntFact;
use planish_domain::demanded::{low, up_to};
use planish_ops::{Int, Op, Type};

use super::build::{Builder, Combined, Form, cheaper};
use crate::matching::{Operand, Root, Subject, int};

/// How many operations are taken apart at most.
const LIMIT: usize = 32;

/// A shift by a constant that is less than the width. Nothing is moved by `Left(0)`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum Shift {
    Left(u32),
    Right(u32),
    Arithmetic(u32),
}

impl Shift {
    pub(super) const NONE: Shift = Shift::Left(0);

    /// The shift that an operation is.
    pub(super) fn by(op: Op, amount: u32) -> Shift {
        match op {
            Op::Lshift => Shift::Left(amount),
            _ if amount == 0 => Shift::NONE,
            Op::Urshift => Shift::Right(amount),
            _ => Shift::Arithmetic(amount),
        }
    }

    pub(super) fn op(self) -> (Op, u32) {
        match self {
            Shift::Left(k) => (Op::Lshift, k),
            Shift::Right(k) => (Op::Urshift, k),
            Shift::Arithmetic(k) => (Op::Rshift, k),
        }
    }

    /// What becomes of the bits of a word.
    fn of(self, bits: u64, width: u32) -> u64 {
        match self {
            Shift::Left(k) => bits << k & low(width),
            Shift::Right(k) => bits >> k,
            Shift::Arithmetic(k) => (Int::new(width, bits).signed() >> k) as u64 & low(width),
        }
    }

    /// The bits of a word that come to these places.
    fn origin(self, places: u64, width: u32) -> u64 {
        let all = low(width);
        match self {
            Shift::Left(k) => (places & all) >> k,
            Shift::Right(k) => places << k & all,
            Shift::Arithmetic(k) => {
                let sign = if places & self.filled(width) != 0 { 1 << (width - 1) } else { 0 };
                places << k & all | sign
            }
        }
    }

    /// The places that copies of the sign come to.
    pub(super) fn filled(self, width: u32) -> u64 {
        match self {
            Shift::Arithmetic(k) => low(width) & !(low(width) >> k),
            _ => 0,
        }
    }

    /// This shift behind another one: one shift, and the places where it gives the same; the others are zero. `None` if
    /// there is no such shift.
    fn behind(self, inner: Shift, width: u32) -> Option<(Shift, u64)> {
        let all = low(width);
        let right = |k: u32| if k < width { (Shift::Right(k), all) } else { (Shift::NONE, 0) };
        Some(match (self, inner) {
            (_, Shift::NONE) => (self, all),
            (Shift::NONE, _) => (inner, all),
            (Shift::Left(k), Shift::Left(c)) if k + c < width => (Shift::Left(k + c), all),
            (Shift::Left(_), Shift::Left(_)) => (Shift::NONE, 0),
            (Shift::Left(k), Shift::Right(c) | Shift::Arithmetic(c)) => {
                let shift = match inner {
                    _ if k >= c => Shift::Left(k - c),
                    Shift::Right(_) => Shift::Right(c - k),
                    _ => Shift::Arithmetic(c - k),
                };
                (shift, all << k & all)
            }
            (Shift::Right(r), Shift::Left(c)) => {
                (if c >= r { Shift::Left(c - r) } else { Shift::Right(r - c) }, all >> r)
            }
            (Shift::Right(r) | Shift::Arithmetic(r), Shift::Right(c)) => right(r + c),
            (Shift::Right(r), Shift::Arithmetic(c)) => (Shift::Arithmetic((r + c).min(width - 1)), all >> r),
            (Shift::Arithmetic(r), Shift::Arithmetic(c)) => (Shift::Arithmetic((r + c).min(width - 1)), all),
            (Shift::Arithmetic(_), Shift::Left(_)) => return None,
        })
    }
}

/// A value that is shifted and masked.
#[derive(Clone, Copy)]
struct Field<V> {
    shift: Shift,
    base: V,
    mask: u64,
}

/// What a field needs to be made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Part<V> {
    mask: Option<u64>,
    shift: Shift,
    base: V,
    /// The bits that may be set without the mask.
    maybe: u64,
}

/// A root that is taken apart.
struct Fields<'a, S: Subject> {
    s: &'a S,
    width: u32,
    /// The bits that somebody asks for.
    seen: u64,
    constant: u64,
    fields: Vec<Field<S::Value>>,
    /// Links of the chain, which are looked at first, and other fields.
    links: Vec<Field<S::Value>>,
    others: Vec<Field<S::Value>>,
    taken: usize,
    cost: u32,
}

/// Whether an operation may be part of a symmetric difference of fields.
pub fn is_field(op: Op) -> bool {
    matches!(op, Op::Xor | Op::Or | Op::And | Op::Add | Op::Not | Op::Lshift | Op::Urshift | Op::Rshift)
}

/// Whether none of these bits may be set in both of two words.
pub(super) fn disjoint<S: Subject>(s: &S, x: S::Value, y: S::Value, bits: u64) -> bool {
    let (x, y) = (s.fact(x), s.fact(y));
    let maybe = |fact: IntFact| !fact.to_words().zeros.unsigned();
    !x.is_top() && !y.is_top() && maybe(x) & maybe(y) & low(x.width()) & bits == 0
}

/// The root in a form that costs less and agrees with it in the bits of `seen`.
pub(super) fn combine<S: Subject>(s: &S, root: &Root<'_, S::Value>, seen: u64) -> Option<Combined<S::Value>> {
    let width = root.ty.int_width()?;
    let mut fields = Fields {
        s,
        width,
        seen: seen & low(width),
        constant: 0,
        fields: Vec::new(),
        links: Vec::new(),
        others: Vec::new(),
        taken: 1,
        cost: s.price(root.op),
    };
    let whole = |base| Field { shift: Shift::NONE, base, mask: low(width) };
    let [first, second] = [root.args[0], *root.args.get(1).unwrap_or(&root.args[0])];
    if !fields.take(root.op, [first, second], whole(first)) {
        return None;
    }
    fields.collect();
    // One operation is changed only where fewer bits of it are seen.
    if fields.taken == 1 && fields.seen == low(width) {
        return None;
    }
    fields.build(root.ty)
}

impl<S: Subject> Fields<'_, S> {
    fn constant(&self, value: S::Value) -> Option<u64> {
        int(self.s, value).map(Int::unsigned)
    }

    fn collect(&mut self) {
        loop {
            let (field, first) = match self.links.pop() {
                Some(field) => (field, true),
                None => match self.others.pop() {
                    Some(field) => (field, false),
                    None => return,
                },
            };
            if let Some(constant) = self.constant(field.base) {
                self.constant ^= field.shift.of(constant, self.width) & field.mask;
                continue;
            }
            if field.mask & self.seen == 0 {
                continue;
            }
            let node = self.s.first_node(field.base).filter(|&node| {
                self.taken < LIMIT
                    && is_field(self.s.op(node))
                    && self.s.used_once(field.base)
                    && self.s.next_node(node).is_none()
            });
            let Some(node) = node else {
                self.fields.push(field);
                continue;
            };
            let op = self.s.op(node);
            if first && op != Op::Xor {
                self.others.push(field);
                continue;
            }
            let x = self.s.operand(node, 0);
            let y = if op == Op::Not { x } else { self.s.operand(node, 1) };
            if self.take(op, [x, y], field) {
                self.taken += 1;
                self.cost += self.s.price(op);
            } else {
                self.fields.push(field);
            }
        }
    }

    /// Takes the operation on `x` and `y` apart that is the base of a field. Whether that can be done.
    fn take(&mut self, op: Op, [x, y]: [S::Value; 2], field: Field<S::Value>) -> bool {
        let Field { shift, mask, .. } = field;
        let (x, y, constant) = match (op, self.constant(x), self.constant(y)) {
            (Op::Not, _, _) => (x, y, Some(low(self.width))),
            (Op::Lshift | Op::Urshift | Op::Rshift, _, Some(by)) if by < u64::from(self.width) => {
                return self.shifted(Shift::by(op, by as u32), x, field);
            }
            (Op::Lshift | Op::Urshift | Op::Rshift, ..) => return false,
            (_, Some(constant), None) => (y, x, Some(constant)),
            (_, _, constant) => (x, y, constant),
        };
        let moved = |bits: u64| shift.of(bits, self.width);
        // The bits of the operation that are seen; of a sum also those from which something may be carried.
        let seen = shift.origin(mask & self.seen, self.width);
        let seen = if op == Op::Add { up_to(seen) } else { seen };
        match (op, constant) {
            (Op::And, Some(constant)) => {
                self.others.push(Field { shift, base: x, mask: mask & moved(constant) });
            }
            (Op::Or, Some(constant)) => {
                self.constant ^= moved(constant) & mask;
                let mask = mask & moved(low(self.width) & !constant);
                self.others.push(Field { shift, base: x, mask });
            }
            (Op::Xor | Op::Not, Some(constant)) => {
                self.constant ^= moved(constant) & mask;
                self.links.push(Field { shift, base: x, mask });
            }
            (Op::Add, Some(constant))
                if constant == 1 << (self.width - 1) || disjoint(self.s, x, y, seen) =>
            {
                self.constant ^= moved(constant) & mask;
                self.others.push(Field { shift, base: x, mask });
            }
            (Op::Xor | Op::Or | Op::Add, None)
                if self.are_links([x, y], field) && (op == Op::Xor || disjoint(self.s, x, y, seen)) =>
            {
                self.links.extend([y, x].map(|base| Field { shift, base, mask }));
            }
            _ => return false,
        }
        true
    }

    /// Whether a field of two values costs no more as two fields: what is shifted or masked is so twice then, unless one has
    /// nothing that is seen, or nothing that is masked, or both are shifted anyway.
    fn are_links(&self, values: [S::Value; 2], Field { shift, mask, .. }: Field<S::Value>) -> bool {
        let needed = mask & self.seen;
        if shift == Shift::NONE && needed == self.seen {
            return true;
        }
        let seen = shift.origin(needed, self.width);
        let is_shifted = |&value: &S::Value| {
            let node = self.s.first_node(value).filter(|_| self.s.used_once(value));
            node.is_some_and(|node| matches!(self.s.op(node), Op::Lshift | Op::Urshift | Op::Rshift))
        };
        let is_free = |&value: &S::Value| {
            let (_, maybe) = self.known(value);
            maybe & seen == 0 || shift == Shift::NONE && maybe & !mask & self.seen == 0
        };
        values.iter().any(is_free) || shift != Shift::NONE && values.iter().all(is_shifted)
    }

    /// Takes a shift apart.
    fn shifted(&mut self, inner: Shift, x: S::Value, Field { shift, mask, .. }: Field<S::Value>) -> bool {
        let outer = match shift {
            Shift::Arithmetic(k) if mask & self.seen & shift.filled(self.width) == 0 => Shift::Right(k),
            _ => shift,
        };
        let behind = outer.behind(inner, self.width).or_else(|| self.behind_exact(outer, inner, x));
        let Some((shift, places)) = behind else { return false };
        self.others.push(Field { shift, base: x, mask: mask & places });
        true
    }

    /// An arithmetic shift behind one to the left that no bit is lost by.
    fn behind_exact(&self, outer: Shift, inner: Shift, x: S::Value) -> Option<(Shift, u64)> {
        let (Shift::Arithmetic(r), Shift::Left(c)) = (outer, inner) else { return None };
        let (fact, most) = (self.s.fact(x), Int::new(self.width, low(self.width) >> 1).signed() >> c);
        let fits = fact.lo() >= !most && fact.hi() <= most;
        let shift = if c >= r { Shift::Left(c - r) } else { Shift::Arithmetic(r - c) };
        fits.then_some((shift, low(self.width)))
    }

    /// The bits of a value that are known to be one, and those that may be one.
    fn known(&self, value: S::Value) -> (u64, u64) {
        let words = self.s.fact(value).to_words();
        (words.ones.unsigned(), !words.zeros.unsigned() & low(self.width))
    }

    /// What the fields need, those that need the same side by side.
    fn parts(&mut self) -> Vec<Part<S::Value>> {
        let mut fields = std::mem::take(&mut self.fields);
        for field in &mut fields {
            if let Shift::Arithmetic(k) = field.shift
                && field.mask & self.seen & field.shift.filled(self.width) == 0
                && self.s.price(Op::Urshift) <= self.s.price(Op::Rshift)
            {
                // The mask hides the sign, which would be zeros now.
                field.mask &= !field.shift.filled(self.width);
                field.shift = Shift::Right(k);
            }
        }
        fields.sort_unstable_by_key(|field| (field.shift, field.base));
        fields.dedup_by(|next, field| {
            let same = (next.shift, next.base) == (field.shift, field.base);
            field.mask ^= if same { next.mask } else { 0 };
            same
        });
        let mut parts = Vec::new();
        for Field { shift, base, mask } in fields {
            let (ones, maybe) = self.known(base);
            let [ones, maybe] = [ones, maybe].map(|bits| shift.of(bits, self.width));
            let needed = mask & self.seen & maybe & !ones;
            self.constant ^= mask & ones;
            if needed == 0 {
                continue;
            }
            let mut covered = maybe & !ones & !needed & self.seen == 0;
            let (mut shift, mut ones, mut maybe) = (shift, ones, maybe);
            if let Some(other) = self.of_sign(base, shift, needed).filter(|_| !covered) {
                (shift, ones, covered) = (other, 0, other != Shift::NONE);
                maybe = if covered { needed } else { low(self.width) };
            }
            // Without a mask the ones come, too.
            self.constant ^= if covered { ones } else { 0 };
            parts.push(Part { mask: (!covered).then_some(needed), shift, base, maybe });
        }
        parts.sort_unstable();
        parts
    }

    /// Another shift of a value that brings copies of its sign to these places, where the shift brings nothing else: one
    /// that needs no mask, or none.
    fn of_sign(&self, value: S::Value, shift: Shift, places: u64) -> Option<Shift> {
        let fact = self.s.fact(value);
        let magnitude = |bound: i64| 64 - (bound ^ bound >> 63).leading_zeros();
        let copied = low(self.width) & !low(magnitude(fact.lo()).max(magnitude(fact.hi())));
        let by = self.width - (64 - places.leading_zeros());
        if shift == Shift::NONE || shift.origin(places, self.width) & !copied != 0 {
            None
        } else if by > 0
            && places == low(self.width) >> by
            && Shift::Right(by).origin(places, self.width) & !copied == 0
        {
            Some(Shift::Right(by))
        } else {
            (places & !copied == 0).then_some(Shift::NONE)
        }
    }

    /// The value and the factor of a product that is for this alone.
    fn dying_product(&self, value: S::Value) -> Option<(S::Value, u64)> {
        let node = self.s.first_node(value).filter(|_| self.s.used_once(value))?;
        if self.s.op(node) != Op::Mul || self.s.next_node(node).is_some() {
            return None;
        }
        let [x, y] = [self.s.operand(node, 0), self.s.operand(node, 1)];
        match (self.constant(x), self.constant(y)) {
            (None, Some(factor)) => Some((x, factor)),
            (Some(factor), None) => Some((y, factor)),
            _ => None,
        }
    }

    fn build(mut self, ty: Type) -> Option<Combined<S::Value>> {
        let parts = self.parts();
        let (constant, seen, width) = (self.constant & self.seen, self.seen, self.width);
        let number = |bits: u64| Builder::constant(Int::new(width, bits));
        let mut b = Builder::new(ty);
        let mut chain: Option<Operand<S::Value>> = None;
        let join = |b: &mut Builder<_>, chain, next| match chain {
            None => next,
            Some(chain) => b.op(Op::Xor, &[chain, next]),
        };
        let plain = |part: &Part<_>| part.mask.is_none() && part.shift == Shift::NONE;
        let alike = |a: &Part<_>, b: &Part<_>| !plain(a) && (a.mask, a.shift) == (b.mask, b.shift);
        let mut constant_is_set = false;
        for group in parts.chunk_by(alike) {
            let Part { mask, shift, .. } = group[0];
            let mut field = None;
            for part in group {
                field = Some(join(&mut b, field, Operand::Value(part.base)));
            }
            let mut field = field.expect("a group is not empty");
            match (shift, group) {
                (Shift::NONE, _) => {}
                (Shift::Left(k), [part]) if let Some((x, factor)) = self.dying_product(part.base) => {
                    self.cost += self.s.price(Op::Mul);
                    field = b.op(Op::Mul, &[Operand::Value(x), number(factor << k & low(width))]);
                }
                _ => {
                    let (op, amount) = shift.op();
                    field = b.op(op, &[field, number(u64::from(amount))]);
                }
            }
            if let Some(mask) = mask {
                let maybe = group.iter().fold(0, |maybe, part| maybe | part.maybe);
                // What else may be set is set anyway.
                let set = group.len() == parts.len()
                    && constant & mask == 0
                    && maybe & seen & !mask & !constant == 0;
                field = b.op(
                    if set { Op::Or } else { Op::And },
                    &[field, number(if set { constant } else { mask })],
                );
                constant_is_set = set;
            }
            chain = Some(join(&mut b, chain, field));
        }
        let maybe = parts.iter().fold(0, |maybe, part| maybe | part.mask.unwrap_or(part.maybe));
        let result = match chain {
            None => number(constant),
            Some(chain) if constant == 0 || constant_is_set => chain,
            Some(chain) if constant == low(width) => b.op(Op::Not, &[chain]),
            Some(chain) if constant & maybe == 0 => b.op(Op::Or, &[chain, number(constant)]),
            Some(chain) => b.op(Op::Xor, &[chain, number(constant)]),
        };
        cheaper(self.s, self.cost, b, result, Form::Fields)
    }
}
