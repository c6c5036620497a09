//! Which theorems a refutation was given, so that who records it can say what it rests on.
//!
//! The built-in solver states facts about the words of a query where a theorem speaks of them, and looks for a refutation with
//! these facts. A refutation that it finds so is one for whoever believes the theorems; it may need fewer than it was given.

use std::fmt;

/// A family of facts that the built-in solver states of products, quotients and shifts.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Theorem {
    /// Quotients of quotients, and remainders of remainders.
    Nested,
    /// Quotients and remainders of products.
    Multiple,
    /// Quotients and remainders of sums.
    Sum,
    /// Exact division as a product.
    Exact,
    /// Products by odd numbers, which have inverses.
    Odd,
    /// What divides what, asked of a product.
    Divisible,
    /// Signed and unsigned division of numbers that are not negative.
    Signs,
    /// Two shifts as one, and products of shifted words.
    Shifts,
    /// Products by nothing and by one.
    Zero,
    /// The order of products with a common factor.
    Ordered,
    /// Products that fit between two that fit.
    Between,
    /// Products of twice the width.
    Wide,
    /// The order of products of twice the width.
    Monotone,
    /// The order of quotients with a common dividend or divisor.
    OrderedQuotients,
    /// Quotients compared with words.
    Compared,
    /// Signed quotients and remainders of negated operands.
    Negated,
    /// Division by a constant as multiplication.
    Magic,
    /// Products of multiples of powers of two.
    LowBits,
    /// How far products with a common factor lie apart.
    Steps,
    /// Where products of words lie.
    Ranges,
    /// Dividend, divisor, quotient and remainder.
    Division,
}

impl Theorem {
    /// All of them, in order.
    pub const ALL: [Theorem; 21] = [
        Theorem::Nested,
        Theorem::Multiple,
        Theorem::Sum,
        Theorem::Exact,
        Theorem::Odd,
        Theorem::Divisible,
        Theorem::Signs,
        Theorem::Shifts,
        Theorem::Zero,
        Theorem::Ordered,
        Theorem::Between,
        Theorem::Wide,
        Theorem::Monotone,
        Theorem::OrderedQuotients,
        Theorem::Compared,
        Theorem::Negated,
        Theorem::Magic,
        Theorem::LowBits,
        Theorem::Steps,
        Theorem::Ranges,
        Theorem::Division,
    ];
}

/// A set of theorems.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub struct Theorems(u32);

impl Theorems {
    /// Adds a theorem.
    pub fn insert(&mut self, theorem: Theorem) {
        self.0 |= 1 << theorem as u16;
    }

    /// Adds all of another set.
    pub fn extend(&mut self, other: Theorems) {
        self.0 |= other.0;
    }

    /// The theorems in order.
    pub fn iter(self) -> impl Iterator<Item = Theorem> {
        Theorem::ALL.into_iter().filter(move |&theorem| self.0 >> theorem as u16 & 1 == 1)
    }
}

impl FromIterator<Theorem> for Theorems {
    fn from_iter<I: IntoIterator<Item = Theorem>>(theorems: I) -> Theorems {
        let mut all = Theorems::default();
        theorems.into_iter().for_each(|theorem| all.insert(theorem));
        all
    }
}

impl fmt::Debug for Theorems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
