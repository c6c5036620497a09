//! Whether what is left still fails, asked for as long as the budget of tests lasts.

use planish_base::Budget;

/// Asks whether a candidate still fails, and counts how often it was asked.
pub struct Oracle<'a, T: ?Sized> {
    fails: &'a mut dyn FnMut(&T) -> bool,
    tests: Budget,
}

impl<'a, T: ?Sized> Oracle<'a, T> {
    /// An oracle that answers at most `tests` times; behind that nothing fails any more.
    pub fn new(fails: &'a mut dyn FnMut(&T) -> bool, tests: u64) -> Self {
        Oracle { fails, tests: Budget::new("tests of a reduction", tests) }
    }

    /// Whether a candidate fails. False when the budget is spent.
    pub fn fails(&mut self, candidate: &T) -> bool {
        self.tests.take(1) && (self.fails)(candidate)
    }

    /// Whether no more questions are answered.
    pub fn is_spent(&self) -> bool {
        self.tests.hits() > 0
    }
}
