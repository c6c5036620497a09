//! Terms: what a window computes, apart from the program in which it stands.
//!
//! A term is made of pure operations on integers over values and constants. An operation that stands in it twice is one node.
//! Terms that differ in the names of their leaves or in the order of operands that commute are one [canonical](Term::canonical)
//! term, in which constants are numbered like values, whatever numbers they are.

use planish_ops::{Conversion, Datum, Fold, Int, Machine, Op, Type, fold};

/// A node of a term.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    /// A value, by its number.
    Value(u8),
    /// Any constant, by its number.
    Constant(u8),
    /// A number.
    Literal(i64),
    /// An operation on earlier nodes.
    Op(Op, Vec<u8>),
}

/// A node and its type.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Node {
    /// What it is.
    pub kind: Kind,
    /// Its type, which is an integer's.
    pub ty: Type,
}

/// A term. Operands stand before what uses them, and the last node is its root.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Term {
    /// Its nodes.
    pub nodes: Vec<Node>,
    /// For each value the lowest bits beyond which all are zero, 0 where that is not known; empty where it is of none.
    pub bits: Vec<u8>,
}

/// A term in which numbers are constants of any value, and the numbers that they were.
#[derive(Clone, Debug)]
pub struct Canonical {
    /// The term.
    pub term: Term,
    /// The number of each constant, in the order of the constants' numbers.
    pub numbers: Vec<Int>,
}

impl Term {
    /// The root.
    pub fn root(&self) -> &Node {
        self.nodes.last().expect("a term has a root")
    }

    /// The operations, operands first.
    pub fn ops(&self) -> impl Iterator<Item = Op> + '_ {
        self.nodes.iter().filter_map(|node| match node.kind {
            Kind::Op(op, _) => Some(op),
            _ => None,
        })
    }

    /// What the operations cost.
    pub fn cost(&self) -> u32 {
        self.ops().map(|op| op.row().cost).sum()
    }

    /// The types of its values, or of its constants, in the order of their numbers.
    pub fn leaf_types(&self, of: impl Fn(&Kind) -> Option<u8>) -> Vec<Type> {
        let mut found: Vec<(u8, Type)> =
            self.nodes.iter().filter_map(|node| Some((of(&node.kind)?, node.ty))).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().map(|(_, ty)| ty).collect()
    }

    /// The types of the values.
    pub fn value_types(&self) -> Vec<Type> {
        self.leaf_types(|kind| if let Kind::Value(number) = kind { Some(*number) } else { None })
    }

    /// The types of the constants.
    pub fn constant_types(&self) -> Vec<Type> {
        self.leaf_types(|kind| if let Kind::Constant(number) = kind { Some(*number) } else { None })
    }

    /// In how many of its lowest bits a value is, if these are fewer than all.
    pub fn bits_of(&self, value: u8) -> Option<u8> {
        self.bits.get(value as usize).copied().filter(|&bits| bits > 0)
    }

    /// All types that occur, in order.
    pub fn types(&self) -> Vec<Type> {
        let mut types: Vec<Type> = self.nodes.iter().map(|node| node.ty).collect();
        types.sort_unstable();
        types.dedup();
        types
    }

    /// Whether it goes between widths, so that the text of a rule has to name them.
    pub fn converts(&self) -> bool {
        self.ops().any(|op| op.row().conversion.is_some())
    }

    /// The leaves that are amounts of shifts.
    pub fn amounts(&self) -> Vec<Kind> {
        let mut found = Vec::new();
        for node in &self.nodes {
            if let Kind::Op(op, args) = &node.kind
                && let Some(amount) = op.row().amount
            {
                found.push(self.nodes[args[amount as usize] as usize].kind.clone());
            }
        }
        found
    }

    /// The term with numbers in place of its constants.
    pub fn with_numbers(&self, numbers: &[Int]) -> Term {
        let with_number = |node: &Node| match node.kind {
            Kind::Constant(number) => {
                Node { kind: Kind::Literal(numbers[number as usize].signed()), ty: node.ty }
            }
            _ => node.clone(),
        };
        Term { nodes: self.nodes.iter().map(with_number).collect(), bits: self.bits.clone() }
    }

    /// The value of each node for given values and constants; nothing where an operation is undefined.
    pub fn evaluate(&self, values: &[Int], constants: &[Int]) -> Option<Vec<Int>> {
        let mut known: Vec<Int> = Vec::with_capacity(self.nodes.len());
        for node in &self.nodes {
            let value = match &node.kind {
                Kind::Value(number) => values[*number as usize],
                Kind::Constant(number) => constants[*number as usize],
                Kind::Literal(number) => Int::new(node.ty.int_width()?, *number as u64),
                Kind::Op(op, args) => {
                    let args: Vec<Int> = args.iter().map(|&arg| known[arg as usize]).collect();
                    compute(*op, &args, node.ty)?
                }
            };
            known.push(value);
        }
        Some(known)
    }

    /// The same term for all that differ in names, in the order of operands that commute, and in numbers.
    pub fn canonical(&self) -> Canonical {
        let commuting: Vec<usize> = (0..self.nodes.len())
            .filter(|&at| match &self.nodes[at].kind {
                Kind::Op(op, args) => op.row().algebra.commutative && args[0] != args[1],
                _ => false,
            })
            .collect();
        let orders = (0..1u32 << commuting.len()).map(|order| {
            let is_swapped =
                |at: usize| commuting.iter().position(|&c| c == at).is_some_and(|bit| order >> bit & 1 == 1);
            Numbering::of(self, &is_swapped)
        });
        orders.min_by(|a, b| a.term.cmp(&b.term)).expect("there is one order at least")
    }
}

/// What an operation gives; nothing where that is undefined.
pub fn compute(op: Op, args: &[Int], ty: Type) -> Option<Int> {
    let mut data = [Datum::<Machine>::Word(Int::new(1, 0)); 3];
    for (datum, &arg) in data.iter_mut().zip(args) {
        *datum = Datum::Word(arg);
    }
    match fold(op, &data[..args.len()], &[ty]) {
        Some(Fold::Int(word)) => Some(word),
        _ => None,
    }
}

/// Whether terms are made of an operation: pure, of integers, with one result, defined everywhere.
pub fn is_usual(op: Op) -> bool {
    use planish_ops::{Effect, Exits, Shape};
    let row = op.row();
    let is_word = |shape: &Shape| matches!(shape, Shape::Int(_) | Shape::Any(_) | Shape::Free | Shape::Bit);
    row.effect == Effect::Pure
        && row.exits == Exits::Never
        && !row.variadic
        && row.descriptor.is_none()
        && !row.partial
        && row.results.len() == 1
        && (1..=3).contains(&row.operands.len())
        && row.operands.iter().chain(row.results).all(is_word)
        && !matches!(row.conversion, Some(Conversion::Encodes | Conversion::Changes))
}

/// Whether an operation divides: it is undefined where the divisor is zero.
pub fn divides(op: Op) -> bool {
    op.row().divisor.is_some() && op.row().results.len() == 1
}

/// Writes a term down from the root, leaves numbered as they are met.
struct Numbering<'a> {
    term: &'a Term,
    made: Vec<Node>,
    /// What became of each node.
    new: Vec<Option<u8>>,
    values: Vec<u8>,
    numbers: Vec<Int>,
}

impl<'a> Numbering<'a> {
    fn of(term: &'a Term, is_swapped: &dyn Fn(usize) -> bool) -> Canonical {
        let new = vec![None; term.nodes.len()];
        let mut numbering =
            Numbering { term, made: Vec::new(), new, values: Vec::new(), numbers: Vec::new() };
        numbering.visit(term.nodes.len() - 1, is_swapped);
        let bits = match term.bits[..] {
            [] => Vec::new(),
            ref bits => numbering.values.iter().map(|&old| bits[old as usize]).collect(),
        };
        Canonical { term: Term { nodes: numbering.made, bits }, numbers: numbering.numbers }
    }

    fn visit(&mut self, at: usize, is_swapped: &dyn Fn(usize) -> bool) -> u8 {
        if let Some(new) = self.new[at] {
            return new;
        }
        let Node { kind, ty } = &self.term.nodes[at];
        let kind = match kind {
            Kind::Value(old) => Kind::Value(numbered(&mut self.values, *old)),
            Kind::Constant(_) => unreachable!("a window has numbers"),
            Kind::Literal(number) => {
                let width = ty.int_width().expect("terms are of integers");
                Kind::Constant(numbered(&mut self.numbers, Int::new(width, *number as u64)))
            }
            Kind::Op(op, args) => {
                let mut order: Vec<u8> = args.clone();
                if is_swapped(at) {
                    order.swap(0, 1);
                }
                Kind::Op(*op, order.into_iter().map(|arg| self.visit(arg as usize, is_swapped)).collect())
            }
        };
        // Equal constants of a window are one.
        let node = Node { kind, ty: *ty };
        let place = match self.made.iter().position(|made| *made == node) {
            Some(place) => place as u8,
            None => {
                self.made.push(node);
                self.made.len() as u8 - 1
            }
        };
        self.new[at] = Some(place);
        place
    }
}

fn numbered<T: PartialEq>(known: &mut Vec<T>, what: T) -> u8 {
    let place = known.iter().position(|other| *other == what).unwrap_or_else(|| {
        known.push(what);
        known.len() - 1
    });
    place as u8
}
