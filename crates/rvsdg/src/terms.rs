//! Terms: programs of the region language as one graph without repetitions.
//!
//! A [`Term`] is an operator with operands, hash-consed: equal terms are one. Operands are made before
//! what uses them, so the order of ids is an order of evaluation.
//!
//! The operands of an ordinary operator belong to the region in which it stands. Those of a region
//! operator (function, loop, switch) split: some belong to the surrounding region, the others are the
//! results of regions of its own, where `get-N` without operand is the N-th argument of that region.
//! One term may occur in several regions and mean something else in each, just as a let-binding of the
//! text may: a term is a function of the arguments of whatever region it is used in.

use hashbrown::HashTable;
use planish_base::{Arena, List, ListPool, SideTable, Span};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;
use std::hash::BuildHasher;

planish_base::define_id!(
    /// A term.
    Term, "t"
);

/// An operator. The operands stand beside it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// A number.
    Number(i64),
    /// `get-N` without operand: an argument of the region.
    Argument(u32),
    /// `get-N` of a tuple.
    Get(u32),
    /// An operation of the table on words, `use` included.
    Op(Op),
    /// `loop`: n inputs; then, in the region of the body, n results and the predicate.
    Loop,
    /// `switch-C-cases-M-outputs`: predicate, inputs; then the outputs of each case, a region each.
    Switch {
        /// The number of cases.
        cases: u32,
        /// The number of outputs of each case.
        outputs: u32,
    },
    /// `func-N-inputs-M-outputs`: constant inputs; then, in the region of the body, the outputs. The
    /// arguments of the body are those of the caller, then the constant inputs.
    Function {
        /// The number of inputs from a caller.
        inputs: u32,
        /// The number of outputs.
        outputs: u32,
    },
    /// `call`: the function, then its inputs. A tuple.
    Call,
    /// `phi-N-functions`: constant inputs; then, in a region of their own, N functions. The arguments of
    /// that region are the functions themselves, then the constant inputs. A tuple of N functions.
    Phi {
        /// The number of functions.
        functions: u32,
    },
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Node {
    kind: Kind,
    operands: List<Term>,
}

/// A graph of terms.
#[derive(Clone, Default)]
pub struct Terms {
    nodes: Arena<Term, Node>,
    lists: ListPool<Term>,
    table: HashTable<Term>,
}

/// A region: what it results in, and how many arguments it has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Region<'a> {
    /// The number of arguments.
    pub arguments: u32,
    /// The results.
    pub results: &'a [Term],
}

impl Terms {
    /// No term.
    pub fn new() -> Self {
        Self::default()
    }

    /// The term of an operator and its operands. Expected O(number of operands).
    pub fn make(&mut self, kind: Kind, operands: &[Term]) -> Term {
        let hash = FxBuildHasher.hash_one((kind, operands));
        let (nodes, lists) = (&self.nodes, &self.lists);
        let same = |&term: &Term| nodes[term].kind == kind && lists.get(nodes[term].operands) == operands;
        if let Some(&term) = self.table.find(hash, same) {
            return term;
        }
        let term = self.nodes.push(Node { kind, operands: self.lists.push(operands) });
        let (nodes, lists) = (&self.nodes, &self.lists);
        self.table.insert_unique(hash, term, |&term| {
            FxBuildHasher.hash_one((nodes[term].kind, lists.get(nodes[term].operands)))
        });
        term
    }

    /// A number.
    pub fn number(&mut self, number: i64) -> Term {
        self.make(Kind::Number(number), &[])
    }

    /// An argument of the region.
    pub fn argument(&mut self, index: u32) -> Term {
        self.make(Kind::Argument(index), &[])
    }

    /// A result of a tuple.
    pub fn get(&mut self, index: u32, tuple: Term) -> Term {
        self.make(Kind::Get(index), &[tuple])
    }

    /// The operator of a term.
    #[inline]
    pub fn kind(&self, term: Term) -> Kind {
        self.nodes[term].kind
    }

    /// The operands of a term, those of its regions included.
    #[inline]
    pub fn operands(&self, term: Term) -> &[Term] {
        self.lists.get(self.nodes[term].operands)
    }

    /// The number of terms.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no term.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// How many of a term's operands belong to the region in which the term stands. They come first.
    pub fn outer_count(&self, term: Term) -> usize {
        let count = self.operands(term).len();
        match self.kind(term) {
            Kind::Loop => count / 2,
            Kind::Switch { cases, outputs } => count - cases as usize * outputs as usize,
            Kind::Function { outputs, .. } => count - outputs as usize,
            Kind::Phi { functions } => count - functions as usize,
            Kind::Number(_) | Kind::Argument(_) | Kind::Get(_) | Kind::Op(_) | Kind::Call => count,
        }
    }

    /// The operands of a term that belong to the region in which it stands.
    pub fn outer(&self, term: Term) -> &[Term] {
        &self.operands(term)[..self.outer_count(term)]
    }

    /// The regions of a term: of each case, of a body; none for an ordinary operator.
    pub fn regions(&self, term: Term) -> impl ExactSizeIterator<Item = Region<'_>> + '_ {
        let outer = self.outer_count(term);
        let inner = &self.operands(term)[outer..];
        let (arguments, each) = match self.kind(term) {
            Kind::Loop => (outer, inner.len()),
            Kind::Switch { outputs, .. } => (outer - 1, outputs as usize),
            Kind::Function { inputs, .. } => (inputs as usize + outer, inner.len()),
            Kind::Phi { functions } => (functions as usize + outer, inner.len()),
            _ => (0, 0),
        };
        let count = match self.kind(term) {
            Kind::Switch { cases, .. } => cases as usize,
            Kind::Loop | Kind::Function { .. } | Kind::Phi { .. } => 1,
            _ => 0,
        };
        (0..count)
            .map(move |i| Region { arguments: arguments as u32, results: &inner[i * each..(i + 1) * each] })
    }

    /// How many results a term has as a tuple; `None` when it is no tuple, or not known.
    pub fn tuple_len(&self, term: Term) -> Option<u32> {
        match self.kind(term) {
            Kind::Loop => Some(self.outer_count(term) as u32),
            Kind::Switch { outputs, .. } => Some(outputs),
            Kind::Phi { functions } => Some(functions),
            Kind::Call => match self.kind(*self.operands(term).first()?) {
                Kind::Function { outputs, .. } => Some(outputs),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether a term is a tuple.
    pub fn is_tuple(&self, term: Term) -> bool {
        matches!(self.kind(term), Kind::Loop | Kind::Switch { .. } | Kind::Call | Kind::Phi { .. })
    }

    /// All terms that a term needs, in whatever region, in the order of ids.
    pub fn reachable(&self, root: Term) -> Vec<Term> {
        use planish_base::Id;
        let mut seen = vec![false; root.index() + 1];
        seen[root.index()] = true;
        // Operands have smaller ids than what uses them.
        for index in (0..=root.index()).rev() {
            if seen[index] {
                for operand in self.operands(Term::from_index(index)) {
                    seen[operand.index()] = true;
                }
            }
        }
        (0..=root.index()).filter(|&index| seen[index]).map(Term::from_index).collect()
    }
}

/// A program: terms, and what is exported of them.
#[derive(Clone, Default)]
pub struct Program {
    /// The terms.
    pub terms: Terms,
    /// What the program is: usually one function, without a name. A module names each.
    pub roots: Vec<Root>,
    /// Where terms were first written, if they were read.
    pub places: SideTable<Term, Option<Span>>,
}

/// Something that a program exports.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Root {
    /// The name in a module; none for the only root of a program that is no module.
    pub name: Option<String>,
    /// The term.
    pub term: Term,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_terms_are_one() {
        let mut terms = Terms::new();
        let (x, one) = (terms.argument(0), terms.number(1));
        let a = terms.make(Kind::Op(Op::Add), &[x, one]);
        let b = terms.make(Kind::Op(Op::Add), &[x, one]);
        let c = terms.make(Kind::Op(Op::Add), &[one, x]);
        assert_eq!(a, b);
        assert_ne!(a, c);
        assert_eq!(terms.len(), 4);
    }

    #[test]
    fn operands_of_a_region_operator_split() {
        let mut terms = Terms::new();
        let (x, y) = (terms.argument(0), terms.argument(1));
        let body = terms.make(Kind::Loop, &[x, y, y, x, x]);
        assert_eq!(terms.outer(body), [x, y]);
        let region = terms.regions(body).next().expect("a loop has a body");
        assert_eq!((region.arguments, region.results), (2, [y, x, x].as_slice()));
        let switch = terms.make(Kind::Switch { cases: 2, outputs: 1 }, &[x, y, y, x]);
        assert_eq!(terms.outer(switch), [x, y]);
        assert_eq!(
            terms.regions(switch).map(|r| (r.arguments, r.results[0])).collect::<Vec<_>>(),
            [(1, y), (1, x)]
        );
    }
}
