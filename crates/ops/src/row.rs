//! What the table says of an operation, apart from its meaning.
//!
//! A [`Row`] is data: the verifier, the printers, the rule type checker, the random generators, the
//! algebra of the linear engine and the catalogue all read it, and nobody else knows a property of an
//! operation. The idea of the algebra columns is QBE's (`ops.h`), that of one builder call per
//! operation with its documentation is Cranelift's.

use crate::types::{Lane, Type};

/// What the lanes of a vector are.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Lanes {
    /// Integers.
    Ints,
    /// Floats.
    Floats,
    /// Either.
    Any,
}

/// The type of an operand or result: fixed, or a type variable of the row.
///
/// Occurrences of one variable in a row have one type. A variable that occurs only among the results is
/// named by the instruction: `eq` yields i1 in front of a branch and i64 in a trace.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Shape {
    /// Any integer type, the same for every occurrence of this variable number.
    Int(u8),
    /// One bit.
    Bit,
    /// Any float type, the same for every occurrence of this variable number.
    Float(u8),
    /// A reference.
    Ref,
    /// Any type at all, the same for every occurrence of this variable number.
    Any(u8),
    /// Any type at all, unrelated to every other.
    Free,
    /// A vector of such lanes, the same for every occurrence.
    Vector(Lanes),
    /// What is in a lane of the vector.
    Lane,
}

/// The number of the type variable of vectors: a row has one at most.
const VECTOR: u8 = 48;

impl Shape {
    /// Whether a value of type `ty` fits this shape, its variable aside.
    pub fn admits(self, ty: Type) -> bool {
        match self {
            Shape::Int(_) => matches!(ty, Type::Int(_)),
            Shape::Bit => ty == Type::I1,
            Shape::Float(_) => matches!(ty, Type::Float(_)),
            Shape::Ref => ty == Type::Ref,
            Shape::Any(_) | Shape::Free => true,
            Shape::Vector(lanes) => ty.lane().is_some_and(|lane| match lanes {
                Lanes::Ints => !lane.is_float(),
                Lanes::Floats => lane.is_float(),
                Lanes::Any => true,
            }),
            Shape::Lane => Lane::of(ty).is_some(),
        }
    }

    /// The type variable, if there is one. Variables of different kinds are numbered apart.
    pub fn variable(self) -> Option<u8> {
        match self {
            Shape::Int(v) => Some(v),
            Shape::Float(v) => Some(16 + v),
            Shape::Any(v) => Some(32 + v),
            Shape::Vector(_) | Shape::Lane => Some(VECTOR),
            Shape::Bit | Shape::Ref | Shape::Free => None,
        }
    }

    /// What its type variable stands for where a value of a type has this shape: that of a lane for the vector.
    pub fn binds(self, ty: Type) -> Type {
        match self {
            Shape::Lane => Lane::of(ty).map_or(ty, Type::Vector),
            _ => ty,
        }
    }

    /// The type of a value of this shape where its type variable stands for a type.
    pub fn bound(self, ty: Type) -> Type {
        match self {
            Shape::Lane => ty.lane().map_or(ty, Lane::ty),
            _ => ty,
        }
    }
}

/// What an operation may do besides yielding its results.
///
/// Which memory is touched is asked of the descriptor, through [`World`](crate::world::World).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Effect {
    /// Nothing, and equal operands give equal results.
    Pure,
    /// Makes a fresh object. May go when unused; never equal to another.
    Allocate,
    /// Reads memory: may go when unused, may be repeated while nothing writes there.
    Load,
    /// Writes memory.
    Store,
    /// May do what its callee does.
    Call,
    /// Leaves through its exit, or teaches that its condition holds.
    Guard,
    /// Says something about the program and does nothing; keeps its place among effects.
    Marker,
}

/// When an operation takes its side exit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Exits {
    /// It has none.
    Never,
    /// Before it does anything: a failing guard, a null dereference, a division by zero.
    Before,
    /// After its effect: a call whose callee throws.
    After,
}

/// Which types an operation goes between, beyond what its shapes say. Rules are proved for these types and no
/// others, and the verifier admits no others.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Conversion {
    /// From fewer bits to more.
    Widens,
    /// From more bits to fewer.
    Narrows,
    /// To another type.
    Changes,
    /// Between a float type and the integer type that is as wide.
    Encodes,
}

impl Conversion {
    /// Whether it goes from one type to another.
    pub fn admits(self, from: Type, to: Type) -> bool {
        match (self, from, to) {
            (Conversion::Widens, Type::Int(from), Type::Int(to)) => from < to,
            (Conversion::Narrows, Type::Int(from), Type::Int(to)) => to < from,
            (Conversion::Changes, from, to) => from != to,
            (Conversion::Encodes, Type::Float(format), Type::Int(width))
            | (Conversion::Encodes, Type::Int(width), Type::Float(format)) => {
                format.bits() == u32::from(width)
            }
            _ => true,
        }
    }
}

/// What an operation names besides its operands: the kind of its descriptor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Named {
    /// A class, or the size of an object.
    Class,
    /// A field, the items of an array, raw memory.
    Location,
    /// An array: its class, or its items. Only operations name it so; what is declared is one of these two.
    Array,
    /// What can be called.
    Callee,
    /// A constant table.
    Table,
    /// Anything else: a remark, a guard that nothing looks into.
    Other,
}

impl Named {
    /// The word that declares one in `.ssa` text, or the words.
    pub const fn word(self) -> &'static str {
        match self {
            Named::Class => "class",
            Named::Location => "location",
            Named::Array => "class|location",
            Named::Callee => "callee",
            Named::Table => "table",
            Named::Other => "other",
        }
    }

    /// Whether an operation that names this kind may name another one: of what is declared as `other` nothing is known, and
    /// so it may be anything, but a constant table, whose items are asked for.
    pub fn admits(self, other: Named) -> bool {
        match self {
            Named::Table => other == Named::Table,
            Named::Array => matches!(other, Named::Class | Named::Location | Named::Other),
            _ => self == other || other == Named::Other,
        }
    }
}

impl std::fmt::Display for Named {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Named::Class => "a class",
            Named::Location => "a location",
            Named::Array => "a class or a location",
            Named::Callee => "a callee",
            Named::Table => "a constant table",
            Named::Other => "a remark",
        })
    }
}

/// The value of a binary operation when both operands are equal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum EqualOperands {
    /// This number, in the type of the result.
    Constant(i64),
    /// The operand itself.
    Operand,
}

/// The algebra columns: what can be said of an operation without looking at rules.
///
/// Every entry is proved against the meaning (exhaustively at small widths here, by the solver in the
/// `prove` crate). Numbers are sign-extended or truncated to the width at hand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Algebra {
    /// f(x, y) = f(y, x)
    pub commutative: bool,
    /// f(f(x, y), z) = f(x, f(y, z))
    pub associative: bool,
    /// f(f(x)) = x
    pub involution: bool,
    /// f(x, e) = x
    pub identity: Option<i64>,
    /// f(x, a) = a
    pub absorbing: Option<i64>,
    /// f(x, x)
    pub equal: Option<EqualOperands>,
}

/// How an operation on vectors is made of one on what is in their lanes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Lanewise<Op> {
    /// In each lane of the result is what this operation makes of that lane of the operands.
    Each(Op),
    /// The lanes of the operand joined by this operation, which is commutative and associative.
    Across(Op),
    /// Every lane is the operand.
    Splat,
    /// The lane of a number, modulo the number of lanes.
    Extract,
    /// The vector with a lane replaced, whose number is taken modulo that of lanes.
    Insert,
}

/// What the table says of an operation. What tells operations apart is for the table to say: it is a parameter here.
#[derive(Clone, Copy, Debug)]
pub struct Row<Op> {
    /// The name in `.ssa` text and in rules.
    pub name: &'static str,
    /// The name that PyPy gives it in traces and rules, where there is one with the same meaning.
    pub pypy: Option<&'static str>,
    /// One or more sentences for people.
    pub doc: &'static str,
    /// The operands in order.
    pub operands: &'static [Shape],
    /// Whether any number of operands of any type may follow.
    pub variadic: bool,
    /// The results in order.
    pub results: &'static [Shape],
    /// Whether the instruction may have any number of results (calls): `results` is then empty.
    pub free_results: bool,
    /// What the descriptor is that the operation names, if it names one.
    pub descriptor: Option<Named>,
    /// Whether it means nothing for some operands: its meaning has a condition of definedness.
    pub partial: bool,
    /// What it may do.
    pub effect: Effect,
    /// When it leaves, if it can.
    pub exits: Exits,
    /// What can be said of it without looking at rules.
    pub algebra: Algebra,
    /// The operand that must not be zero: the operation leaves where it is, and means something everywhere
    /// else.
    pub divisor: Option<u8>,
    /// Which types it goes between.
    pub conversion: Option<Conversion>,
    /// Whether its result is 0 or 1 in every type.
    pub truth: bool,
    /// The operation without overflow bit whose result is the first of this one.
    pub wrapping: Option<Op>,
    /// The comparison that holds exactly when this one does not.
    pub negated: Option<Op>,
    /// The operation that means the same with its operands swapped.
    pub swapped: Option<Op>,
    /// The operand that is a shift amount: taken modulo the width here; dialects may call amounts of
    /// the width or more undefined.
    pub amount: Option<u8>,
    /// What an operation on vectors does in lanes: its meaning, which the row does not say otherwise.
    pub lanewise: Option<Lanewise<Op>>,
    /// Cost in a stated order of no unit: what rules may not increase.
    pub cost: u32,
}

impl<Op: Copy> Row<Op> {
    /// A pure operation of cost 1 without algebra.
    pub(crate) const fn new(
        name: &'static str,
        doc: &'static str,
        operands: &'static [Shape],
        results: &'static [Shape],
    ) -> Self {
        Row {
            name,
            pypy: None,
            doc,
            operands,
            variadic: false,
            results,
            free_results: false,
            descriptor: None,
            partial: false,
            effect: Effect::Pure,
            exits: Exits::Never,
            algebra: Algebra {
                commutative: false,
                associative: false,
                involution: false,
                identity: None,
                absorbing: None,
                equal: None,
            },
            divisor: None,
            conversion: None,
            truth: false,
            wrapping: None,
            negated: None,
            swapped: None,
            amount: None,
            lanewise: None,
            cost: 1,
        }
    }

    pub(crate) const fn pypy(self, name: &'static str) -> Self {
        Row { pypy: Some(name), ..self }
    }
    pub(crate) const fn commutative(mut self) -> Self {
        self.algebra.commutative = true;
        self
    }
    pub(crate) const fn associative(mut self) -> Self {
        self.algebra.associative = true;
        self
    }
    pub(crate) const fn involution(mut self) -> Self {
        self.algebra.involution = true;
        self
    }
    pub(crate) const fn identity(mut self, value: i64) -> Self {
        self.algebra.identity = Some(value);
        self
    }
    pub(crate) const fn absorbing(mut self, value: i64) -> Self {
        self.algebra.absorbing = Some(value);
        self
    }
    pub(crate) const fn equal(mut self, value: EqualOperands) -> Self {
        self.algebra.equal = Some(value);
        self
    }
    /// Leaves where an operand is zero, and only there.
    pub(crate) const fn divisor(self, operand: u8) -> Self {
        Row { divisor: Some(operand), partial: true, exits: Exits::Before, ..self }
    }
    pub(crate) const fn converts(self, conversion: Conversion) -> Self {
        Row { conversion: Some(conversion), ..self }
    }
    pub(crate) const fn truth(self) -> Self {
        Row { truth: true, ..self }
    }
    pub(crate) const fn wrapping(self, op: Op) -> Self {
        Row { wrapping: Some(op), ..self }
    }
    pub(crate) const fn negated(self, op: Op) -> Self {
        Row { negated: Some(op), ..self }
    }
    pub(crate) const fn swapped(self, op: Op) -> Self {
        Row { swapped: Some(op), ..self }
    }
    pub(crate) const fn amount(self, operand: u8) -> Self {
        Row { amount: Some(operand), ..self }
    }
    pub(crate) const fn each(self, op: Op) -> Self {
        Row { lanewise: Some(Lanewise::Each(op)), ..self }
    }
    pub(crate) const fn across(self, op: Op) -> Self {
        Row { lanewise: Some(Lanewise::Across(op)), ..self }
    }
    pub(crate) const fn lanes(self, how: Lanewise<Op>) -> Self {
        Row { lanewise: Some(how), ..self }
    }
    pub(crate) const fn cost(self, cost: u32) -> Self {
        Row { cost, ..self }
    }
    pub(crate) const fn effect(self, effect: Effect) -> Self {
        Row { effect, ..self }
    }
    pub(crate) const fn exits(self, exits: Exits) -> Self {
        Row { exits, ..self }
    }
    pub(crate) const fn names(self, kind: Named) -> Self {
        Row { descriptor: Some(kind), ..self }
    }
    pub(crate) const fn partial(self) -> Self {
        Row { partial: true, ..self }
    }
    pub(crate) const fn variadic(self) -> Self {
        Row { variadic: true, ..self }
    }
    pub(crate) const fn free_results(self) -> Self {
        Row { free_results: true, ..self }
    }

    /// The operation that means the same with the operands of this one swapped.
    pub(crate) const fn mirror(&self, op: Op) -> Option<Op> {
        if self.algebra.commutative { Some(op) } else { self.swapped }
    }

    /// Whether the operands say the type of a result of a shape; otherwise the instruction names it.
    pub fn determines(&self, result: Shape) -> bool {
        match result {
            Shape::Bit | Shape::Ref => true,
            Shape::Free => false,
            Shape::Int(_) | Shape::Float(_) | Shape::Any(_) | Shape::Vector(_) | Shape::Lane => {
                self.operands.iter().any(|operand| operand.variable() == result.variable())
            }
        }
    }

    /// Whether the operation may be dropped when nothing uses its results. An operation that may
    /// leave must have its exit looked at first.
    pub fn removable(&self) -> bool {
        matches!(self.effect, Effect::Pure | Effect::Allocate | Effect::Load)
    }
}
