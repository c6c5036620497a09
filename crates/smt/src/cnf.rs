//! Literals, and formulas in conjunctive normal form.
//!
//! A [`Cnf`] is what the gates write, the SAT solver reads and the checker of its refutations reads
//! again: one list of clauses that neither of the two can change.

use std::ops::Not;

/// A propositional variable or its negation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Lit(u32);

impl Lit {
    /// The positive literal of a variable.
    pub const fn positive(variable: u32) -> Self {
        Lit(variable << 1)
    }

    /// The literal with this code.
    pub(crate) const fn from_code(code: u32) -> Self {
        Lit(code)
    }

    /// Twice the variable, plus one when negated: a dense index.
    #[inline]
    pub const fn code(self) -> u32 {
        self.0
    }

    /// The variable.
    #[inline]
    pub const fn variable(self) -> u32 {
        self.0 >> 1
    }

    /// Whether this is the negation of its variable.
    #[inline]
    pub const fn is_negated(self) -> bool {
        self.0 & 1 == 1
    }
}

impl Not for Lit {
    type Output = Lit;

    #[inline]
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

/// As DIMACS writes it, its variables counting from 1.
impl std::fmt::Debug for Lit {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}", if self.is_negated() { "-" } else { "" }, self.variable() + 1)
    }
}

/// A conjunction of clauses. Clauses count from 0.
#[derive(Clone, Debug, Default)]
pub struct Cnf {
    variables: u32,
    literals: Vec<Lit>,
    /// Where each clause ends.
    ends: Vec<u32>,
}

impl Cnf {
    /// A formula without variables and clauses.
    pub fn new() -> Self {
        Self::default()
    }

    /// A new variable.
    pub fn variable(&mut self) -> Lit {
        self.variables += 1;
        Lit::positive(self.variables - 1)
    }

    /// The number of variables.
    pub fn variable_count(&self) -> usize {
        self.variables as usize
    }

    /// Adds a clause. One that is always true is dropped, and a literal said twice is said once.
    pub fn add(&mut self, clause: &[Lit]) {
        let start = self.literals.len();
        self.literals.extend_from_slice(clause);
        let added = &mut self.literals[start..];
        added.sort_unstable();
        if added.windows(2).any(|pair| pair[0] == !pair[1]) {
            self.literals.truncate(start);
            return;
        }
        let mut kept = start;
        for index in start..self.literals.len() {
            if kept == start || self.literals[kept - 1] != self.literals[index] {
                self.literals[kept] = self.literals[index];
                kept += 1;
            }
        }
        self.literals.truncate(kept);
        self.ends.push(u32::try_from(kept).expect("fewer than 2^32 literals"));
    }

    /// The number of clauses.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no clauses.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// All clauses in order, each sorted.
    pub fn clauses(&self) -> impl Iterator<Item = &[Lit]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.literals[start as usize..end as usize])
    }
}
