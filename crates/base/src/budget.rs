//! Fuel and budgets: every loop that could run away has a named limit, and says when it was hit.
//!
//! [`Fuel`] counts rewrites, so that `--fuel N` stops after the N-th and bisection finds the bad one.
//! A [`Budget`] bounds work of one kind; its name is what the report prints.

/// How many rewrites may still happen.
#[derive(Clone, Debug)]
pub struct Fuel {
    left: u64,
    used: u64,
}

impl Fuel {
    /// Fuel for `limit` rewrites.
    pub fn new(limit: u64) -> Self {
        Fuel { left: limit, used: 0 }
    }

    /// Fuel that does not run out.
    pub fn unlimited() -> Self {
        Self::new(u64::MAX)
    }

    /// Takes one unit. `false` means that the rewrite must not happen.
    #[inline]
    pub fn burn(&mut self) -> bool {
        if self.left == 0 {
            return false;
        }
        self.left -= 1;
        self.used += 1;
        true
    }

    /// Uses up what is left; it does not count as used.
    pub fn drain(&mut self) {
        self.left = 0;
    }

    /// How many rewrites happened.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// How many rewrites may still happen.
    pub fn left(&self) -> u64 {
        self.left
    }
}

/// A bound on work of one kind.
#[derive(Clone, Debug, Default)]
pub struct Budget {
    name: &'static str,
    limit: u64,
    left: u64,
    hits: u64,
}

impl Budget {
    /// A budget of `limit` units; `name` is what reports print.
    pub const fn new(name: &'static str, limit: u64) -> Self {
        Budget { name, limit, left: limit, hits: 0 }
    }

    /// Takes `units`. `false` means that the work must not be done; the refusal is counted.
    #[inline]
    pub fn take(&mut self, units: u64) -> bool {
        match self.left.checked_sub(units) {
            Some(left) => {
                self.left = left;
                true
            }
            None => {
                self.hits += 1;
                false
            }
        }
    }

    /// Fills the budget again and keeps the count of refusals.
    pub fn refill(&mut self) {
        self.left = self.limit;
    }

    /// The name that reports print.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The units that were granted at the start.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// The units that were taken since the start or the last refill.
    pub fn used(&self) -> u64 {
        self.limit - self.left
    }

    /// How often work was refused.
    pub fn hits(&self) -> u64 {
        self.hits
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fuel_stops_after_its_limit() {
        let mut fuel = Fuel::new(2);
        assert_eq!([fuel.burn(), fuel.burn(), fuel.burn()], [true, true, false]);
        assert_eq!((fuel.used(), fuel.left()), (2, 0));
    }

    #[test]
    fn a_budget_counts_its_refusals() {
        let mut budget = Budget::new("inlined operations", 10);
        assert!(budget.take(7));
        assert!(!budget.take(4));
        assert!(budget.take(3));
        assert_eq!(budget.used(), 10);
        budget.refill();
        assert!(budget.take(10));
        assert_eq!(budget.hits(), 1);
    }
}
