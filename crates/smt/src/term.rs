//! Terms, each stored once.
//!
//! A [`Pool`] is an arena of nodes in which equal nodes have equal ids (hash-consing, as in every SMT
//! solver), so that a meaning built twice is one term and shared subterms cost nothing. The operands
//! of a node have smaller ids than the node: ascending ids are a topological order, and every walk
//! over terms is a loop, never a recursion.
//!
//! Nodes are the functions of SMT-LIB's theories of bit-vectors and of floating-point numbers, with
//! some exceptions whose standard form is partial, differs from the table of operations or is long: the
//! remainder of a float, the conversions of floats to integers, the encoding of a float, and the number of
//! one bits, which counts leading and trailing zeros as well. They are
//! nodes with the table's meaning, and the printer expands them (see [`crate::print`]).
//!
//! Words of terms have 1 to 128 bits: operations have at most 64, and products need twice that.
//!
//! Ids depend on the order of construction, and commutative operands are sorted by id. Whoever wants
//! equal text for equal questions builds each question in a fresh pool.

use std::collections::BTreeSet;

use planish_base::{Id, Interner, SideTable, define_id};
use planish_ops::FloatFormat;

use crate::signature::{Binary, Sort, Unary};
use crate::value::{self, Value};

define_id!(
    /// A term of a pool.
    Term, "t"
);

define_id!(
    /// A variable of a pool.
    Variable, "x"
);

/// A node of the pool.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Node {
    /// A truth value.
    Truth(bool),
    /// A word. Bits above the width are zero.
    Bits {
        /// The width.
        width: u32,
        /// The value, read as unsigned.
        value: u128,
    },
    /// A float by its encoding; of the NaNs only the quiet one without payload occurs.
    Float {
        /// The format.
        format: FloatFormat,
        /// The encoding.
        encoding: u64,
    },
    /// A variable.
    Variable(Variable),
    /// A function of one operand.
    Unary(Unary, Term),
    /// A function of two operands.
    Binary(Binary, Term, Term),
    /// The second where the first holds, else the third.
    Select(Term, Term, Term),
}

impl Node {
    /// The operands.
    pub fn operands(self) -> impl Iterator<Item = Term> {
        let operands = match self {
            Node::Truth(_) | Node::Bits { .. } | Node::Float { .. } | Node::Variable(_) => [None; 3],
            Node::Unary(_, a) => [Some(a), None, None],
            Node::Binary(_, a, b) => [Some(a), Some(b), None],
            Node::Select(c, a, b) => [Some(c), Some(a), Some(b)],
        };
        operands.into_iter().flatten()
    }
}

/// What is known of a variable.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Declaration {
    /// Its name, any text without `|` and `\`.
    pub name: String,
    /// Its sort.
    pub sort: Sort,
}

/// Terms and variables.
#[derive(Clone, Default)]
pub struct Pool {
    nodes: Interner<Term, Node>,
    sorts: SideTable<Term, Option<Sort>>,
    variables: Interner<Variable, Declaration>,
}

impl Pool {
    /// An empty pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there are no terms.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node of a term.
    #[inline]
    pub fn node(&self, term: Term) -> Node {
        *self.nodes.get(term)
    }

    /// The sort of a term.
    #[inline]
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term].expect("every term was given its sort when it was made")
    }

    /// The variable of this name and sort, as a term.
    ///
    /// Panics when the name is taken by a variable of another sort.
    pub fn variable(&mut self, name: &str, sort: Sort) -> Term {
        let taken = self.variables.iter().find(|(_, d)| d.name == name && d.sort != sort);
        assert!(taken.is_none(), "the variable {name} has another sort");
        assert!(!name.contains(['|', '\\']), "`{name}` cannot be written as an SMT-LIB symbol");
        let id = self.variables.intern(Declaration { name: name.to_owned(), sort });
        self.intern(Node::Variable(id), sort)
    }

    /// A variable that is no other: of this name, or one like it where there is a variable of this name.
    pub fn fresh(&mut self, name: &str, sort: Sort) -> Term {
        let is_taken = |pool: &Pool, name: &str| pool.variables.iter().any(|(_, d)| d.name == name);
        let mut free = name.to_owned();
        while is_taken(self, &free) {
            free.push('\'');
        }
        self.variable(&free, sort)
    }

    /// Name and sort of a variable.
    pub fn declaration(&self, variable: Variable) -> &Declaration {
        self.variables.get(variable)
    }

    /// All variables with their declarations, oldest first.
    pub fn variables(&self) -> impl ExactSizeIterator<Item = (Variable, &Declaration)> {
        self.variables.iter()
    }

    /// The truth values of which one is the conjunction, in order.
    pub fn conjuncts(&self, term: Term) -> Vec<Term> {
        let (mut found, mut open) = (Vec::new(), vec![term]);
        while let Some(term) = open.pop() {
            match self.node(term) {
                Node::Binary(Binary::Both, a, b) => open.extend([b, a]),
                _ => found.push(term),
            }
        }
        found
    }

    /// What an assertion asserts, one by one: the conjuncts, and the negations of what a negated disjunction is made of.
    pub fn asserted(&mut self, assertion: Term) -> Vec<Term> {
        let (mut found, mut open) = (Vec::new(), vec![assertion]);
        while let Some(term) = open.pop() {
            match self.node(term) {
                Node::Binary(Binary::Both, a, b) => open.extend([b, a]),
                Node::Unary(Unary::Negate, inner) => match self.node(inner) {
                    Node::Binary(Binary::Either, a, b) => {
                        open.extend([b, a].map(|term| self.unary(Unary::Negate, term)));
                    }
                    _ => found.push(term),
                },
                _ => found.push(term),
            }
        }
        found
    }

    /// The constant of a value.
    pub fn constant(&mut self, value: Value) -> Term {
        match value {
            Value::Truth(value) => self.intern(Node::Truth(value), Sort::Bool),
            Value::Bits { width, value } => self.intern(Node::Bits { width, value }, Sort::Bits(width)),
            Value::Float(real) => {
                let (format, encoding) = (real.format(), real.to_bits());
                self.intern(Node::Float { format, encoding }, Sort::Float(format))
            }
        }
    }

    /// The value of a term that is a constant.
    pub fn value(&self, term: Term) -> Option<Value> {
        match self.node(term) {
            Node::Truth(value) => Some(Value::Truth(value)),
            Node::Bits { width, value } => Some(Value::Bits { width, value }),
            Node::Float { format, encoding } => Some(Value::float(format, encoding)),
            _ => None,
        }
    }

    /// `op(a)`, simplified.
    pub fn unary(&mut self, op: Unary, a: Term) -> Term {
        if let Some(value) = self.value(a) {
            return self.constant(value::unary(op, value));
        }
        if let Some(simple) = self.simple_unary(op, a) {
            return simple;
        }
        let sort = self.unary_sort(op, a);
        self.intern(Node::Unary(op, a), sort)
    }

    /// `op(a, b)`, simplified.
    pub fn binary(&mut self, op: Binary, a: Term, b: Term) -> Term {
        debug_assert_eq!(self.sort(a), self.sort(b), "operands of {op:?}");
        if let (Some(x), Some(y)) = (self.value(a), self.value(b)) {
            return self.constant(value::binary(op, x, y));
        }
        // A constant goes to the right, so that simplification looks in one place.
        let (a, b) = if op.commutes() && self.order(a) > self.order(b) { (b, a) } else { (a, b) };
        if let Some(simple) = self.simple_binary(op, a, b) {
            return simple;
        }
        let sort = self.binary_sort(op, a);
        self.intern(Node::Binary(op, a, b), sort)
    }

    /// `then` where `condition` holds, else `other`; simplified.
    pub fn choose(&mut self, condition: Term, then: Term, other: Term) -> Term {
        debug_assert_eq!(self.sort(condition), Sort::Bool);
        debug_assert_eq!(self.sort(then), self.sort(other), "arms of a select");
        if let Some(simple) = self.simple_select(condition, then, other) {
            return simple;
        }
        let sort = self.sort(then);
        self.intern(Node::Select(condition, then, other), sort)
    }

    /// Which terms the value of `roots` depends on, as a table of flags, themselves included.
    pub fn reachable(&self, roots: &[Term]) -> Vec<bool> {
        let end = roots.iter().map(|t| t.index() + 1).max().unwrap_or(0);
        let mut reached = vec![false; end];
        for root in roots {
            reached[root.index()] = true;
        }
        for index in (0..end).rev() {
            if reached[index] {
                for operand in self.node(Term::from_index(index)).operands() {
                    reached[operand.index()] = true;
                }
            }
        }
        reached
    }

    /// The variables on which the value of a term depends.
    pub fn unknowns(&self, term: Term) -> BTreeSet<Variable> {
        let reached = self.reachable(&[term]).into_iter().enumerate().filter(|&(_, reached)| reached);
        let variable = |(index, _)| match self.node(Term::from_index(index)) {
            Node::Variable(variable) => Some(variable),
            _ => None,
        };
        reached.filter_map(variable).collect()
    }

    /// A term over the images of its operands, which all have one; simplified.
    pub fn rebuilt(&mut self, term: Term, images: &[Option<Term>]) -> Term {
        let at = |term: Term| images[term.index()].expect("operands are older");
        match self.node(term) {
            Node::Unary(op, a) => self.unary(op, at(a)),
            Node::Binary(op, a, b) => self.binary(op, at(a), at(b)),
            Node::Select(c, a, b) => self.choose(at(c), at(a), at(b)),
            _ => term,
        }
    }

    /// A pool of what `roots` depend on and nothing else, with all variables, which keep their ids; and the roots in it.
    pub fn restricted(&self, roots: &[Term]) -> (Pool, Vec<Term>) {
        let mut pool = Pool::new();
        for (_, declaration) in self.variables() {
            pool.variable(&declaration.name, declaration.sort);
        }
        let mut images: Vec<Option<Term>> = Vec::new();
        for (index, reached) in self.reachable(roots).into_iter().enumerate() {
            let term = Term::from_index(index);
            images.push(reached.then(|| match self.node(term) {
                Node::Unary(op, a) => pool.unary(op, images[a.index()].expect("operands are older")),
                Node::Binary(op, a, b) => {
                    let [a, b] = [a, b].map(|t| images[t.index()].expect("operands are older"));
                    pool.binary(op, a, b)
                }
                Node::Select(c, a, b) => {
                    let [c, a, b] = [c, a, b].map(|t| images[t.index()].expect("operands are older"));
                    pool.choose(c, a, b)
                }
                Node::Variable(variable) => {
                    let declaration = self.declaration(variable);
                    pool.variable(&declaration.name, declaration.sort)
                }
                _ => pool.constant(self.value(term).expect("what is left are constants")),
            }));
        }
        let roots = roots.iter().map(|t| images[t.index()].expect("roots are reached")).collect();
        (pool, roots)
    }

    /// Constants last, then by id.
    fn order(&self, term: Term) -> (bool, Term) {
        (self.value(term).is_some(), term)
    }

    fn intern(&mut self, node: Node, sort: Sort) -> Term {
        let term = self.nodes.intern(node);
        self.sorts[term] = Some(sort);
        term
    }

    fn unary_sort(&self, op: Unary, a: Term) -> Sort {
        let sort = self.sort(a);
        match op {
            Unary::Negate | Unary::FIsNan => Sort::Bool,
            Unary::Not | Unary::Popcount | Unary::FNeg | Unary::FAbs | Unary::FSqrt => sort,
            Unary::Extract { low, width } => {
                assert!(width >= 1 && low + width <= sort.width(), "bits outside of the word");
                Sort::Bits(width)
            }
            Unary::ZeroExtend(width) | Unary::SignExtend(width) => {
                assert!((sort.width()..=128).contains(&width), "an extension from {sort:?} to {width}");
                Sort::Bits(width)
            }
            Unary::FConvert(format)
            | Unary::FFromSigned(format)
            | Unary::FFromUnsigned(format)
            | Unary::FFromBits(format) => Sort::Float(format),
            Unary::FToSigned(width) | Unary::FToUnsigned(width) => Sort::Bits(width),
            Unary::FToBits => Sort::Bits(sort.format().bits()),
        }
    }

    fn binary_sort(&self, op: Binary, a: Term) -> Sort {
        use Binary::*;
        match op {
            Both | Either | Same | Ult | Slt | FEq | FLt | FLe => Sort::Bool,
            _ => self.sort(a),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one_term_and_operands_come_first() {
        let mut pool = Pool::new();
        let x = pool.variable("x", Sort::Bits(8));
        let y = pool.variable("y", Sort::Bits(8));
        let sum = pool.binary(Binary::Add, x, y);
        assert_eq!(pool.binary(Binary::Add, y, x), sum, "commutative operands are sorted");
        assert_eq!(pool.variable("x", Sort::Bits(8)), x);
        assert!(x < sum && y < sum);
        let other = pool.binary(Binary::Sub, x, y);
        let reached = pool.reachable(&[sum]);
        assert!(reached[x.index()] && reached[sum.index()] && reached.get(other.index()) != Some(&true));
    }

    #[test]
    #[should_panic(expected = "another sort")]
    fn one_name_has_one_sort() {
        let mut pool = Pool::new();
        pool.variable("x", Sort::Bits(8));
        pool.variable("x", Sort::Bool);
    }
}
