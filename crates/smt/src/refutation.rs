//! Refutations of formulas, and the checker that verifies them.
//!
//! The SAT solver is not trusted: it logs every clause that it learns together with the clauses from
//! which unit propagation derives it, in the order in which they propagate (the LRAT format of Cruz-Filipe
//! and others, CADE 2017, here in memory). [`check`] follows these hints: it assumes the negation of the
//! learned clause, and each hint must leave one literal, which is then assumed as well, or none, which is
//! the contradiction that proves the clause. It needs no search and no watched literals, which makes it
//! short enough to be read in full; a formula is refuted when the empty clause is derived.

use crate::budget::Budget;
use crate::cnf::{Cnf, Lit};

/// The name of a clause: those of the formula count from 0, learned ones follow.
pub type ClauseName = u32;

/// Learned clauses with their reasons, in order.
#[derive(Clone, Debug, Default)]
pub struct Refutation {
    /// Steps one after another: what is learned is `n`, n literals, `m`, m hints; what is forgotten is
    /// [`FORGET`] and a name.
    words: Vec<u32>,
    learned: u32,
}

const FORGET: u32 = u32::MAX;

impl Refutation {
    /// An empty log.
    pub fn new() -> Self {
        Self::default()
    }

    /// Logs a clause of a formula with `original` clauses and returns its name.
    pub fn learn(&mut self, original: usize, clause: &[Lit], hints: &[ClauseName]) -> ClauseName {
        self.words.push(clause.len() as u32);
        self.words.extend(clause.iter().map(|lit| lit.code()));
        self.words.push(hints.len() as u32);
        self.words.extend_from_slice(hints);
        self.learned += 1;
        original as u32 + self.learned - 1
    }

    /// Logs that no later step uses a clause.
    pub fn forget(&mut self, clause: ClauseName) {
        self.words.extend([FORGET, clause]);
    }

    /// The number of learned clauses.
    pub fn len(&self) -> usize {
        self.learned as usize
    }

    /// Whether nothing was learned.
    pub fn is_empty(&self) -> bool {
        self.learned == 0
    }

    /// The memory that the log takes, in words of four bytes.
    pub fn size(&self) -> usize {
        self.words.len()
    }

    /// The words of the log, for tests that corrupt it.
    pub fn words_mut(&mut self) -> &mut [u32] {
        &mut self.words
    }
}

/// Why a refutation was not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The log ends in the middle of a step, or names what does not exist.
    Malformed,
    /// The hints do not derive the clause of this step.
    NotDerived(usize),
    /// All steps are right, but none derives the empty clause.
    NoContradiction,
    /// The clock has ended the check.
    OutOfTime,
}

/// After how many steps the clock is looked at.
const STEPS: usize = 256;

/// Verifies that `refutation` derives the empty clause from `cnf`. Linear in the hints' literals. That is not charged to the
/// budget, which a refutation that was found may have spent; its clock ends it.
pub fn check(cnf: &Cnf, refutation: &Refutation, budget: &Budget) -> Result<(), Flaw> {
    let mut checker = Checker::new(cnf);
    let mut words = Words { rest: &refutation.words };
    let mut step = 0usize;
    while !words.rest.is_empty() {
        let head = words.next()?;
        if head == FORGET {
            let name = words.next()?;
            let clause = checker.clauses.get_mut(name as usize).ok_or(Flaw::Malformed)?;
            *clause = None;
            continue;
        }
        if step.is_multiple_of(STEPS) && budget.clock().is_zero() {
            return Err(Flaw::OutOfTime);
        }
        let clause = words.take(head)?;
        let count = words.next()?;
        let hints = words.take(count)?;
        if clause.iter().any(|&code| code >> 1 >= cnf.variable_count() as u32) {
            return Err(Flaw::Malformed);
        }
        if !checker.derives(clause, hints)? {
            return Err(Flaw::NotDerived(step));
        }
        if clause.is_empty() {
            return Ok(());
        }
        checker.push(clause.iter().copied());
        step += 1;
    }
    Err(Flaw::NoContradiction)
}

/// What is left of a log.
struct Words<'a> {
    rest: &'a [u32],
}

impl<'a> Words<'a> {
    fn next(&mut self) -> Result<u32, Flaw> {
        let (&first, rest) = self.rest.split_first().ok_or(Flaw::Malformed)?;
        self.rest = rest;
        Ok(first)
    }

    fn take(&mut self, count: u32) -> Result<&'a [u32], Flaw> {
        let (taken, rest) = self.rest.split_at_checked(count as usize).ok_or(Flaw::Malformed)?;
        self.rest = rest;
        Ok(taken)
    }
}

struct Checker {
    /// Codes of literals.
    literals: Vec<u32>,
    /// Where a clause lies; none when it was forgotten.
    clauses: Vec<Option<(u32, u32)>>,
    /// Whether a literal is assumed, by code.
    assumed: Vec<bool>,
    trail: Vec<u32>,
}

impl Checker {
    fn new(cnf: &Cnf) -> Self {
        let mut checker = Checker {
            literals: Vec::new(),
            clauses: Vec::with_capacity(cnf.len()),
            assumed: vec![false; 2 * cnf.variable_count()],
            trail: Vec::new(),
        };
        for clause in cnf.clauses() {
            checker.push(clause.iter().map(|lit| lit.code()));
        }
        checker
    }

    fn push(&mut self, clause: impl Iterator<Item = u32>) {
        let start = self.literals.len();
        self.literals.extend(clause);
        self.clauses.push(Some((start as u32, self.literals.len() as u32)));
    }

    fn assume(&mut self, code: u32) {
        if !self.assumed[code as usize] {
            self.assumed[code as usize] = true;
            self.trail.push(code);
        }
    }

    /// Whether the negation of `clause` and the hints, in this order, propagate to a contradiction.
    fn derives(&mut self, clause: &[u32], hints: &[ClauseName]) -> Result<bool, Flaw> {
        for &code in clause {
            self.assume(code ^ 1);
        }
        let mut contradiction = false;
        for &hint in hints {
            let (start, end) = self.clauses.get(hint as usize).copied().flatten().ok_or(Flaw::Malformed)?;
            let mut open = None;
            let mut count = 0;
            for &code in &self.literals[start as usize..end as usize] {
                // A literal whose negation is assumed is false and drops out.
                if !self.assumed[(code ^ 1) as usize] {
                    open = Some(code);
                    count += 1;
                }
            }
            match (count, open) {
                (0, _) => {
                    contradiction = true;
                    break;
                }
                (1, Some(code)) => self.assume(code),
                // Not unit: a wrong hint. Nothing follows from it.
                _ => break,
            }
        }
        for code in self.trail.drain(..) {
            self.assumed[code as usize] = false;
        }
        Ok(contradiction)
    }
}
