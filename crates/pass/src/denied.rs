//! Who asked a budget in vain: without it nobody knows which rule to look at when a budget was hit.

use planish_ir::Location;
use planish_ops::Op;

/// A rule that a budget refused.
#[derive(Clone, PartialEq, Debug)]
pub struct Denied {
    /// The name of the budget.
    pub budget: &'static str,
    /// The number of the rule.
    pub rule: u32,
    /// How often.
    pub times: u64,
    /// The function in which that was first.
    pub function: String,
    /// The operation that it was about, if it is one.
    pub op: Option<Op>,
    /// Where that stood in the source.
    pub location: Location,
}

/// All rules that budgets refused, in the order of first refusal. They are few: a budget is hit by rules that run away.
#[derive(Clone, Debug, Default)]
pub(crate) struct AllDenied(Vec<Denied>);

impl AllDenied {
    /// Counts a refusal; where that was is asked if it is the first.
    pub fn count(
        &mut self,
        budget: &'static str,
        rule: u32,
        place: impl FnOnce() -> (String, Option<Op>, Location),
    ) {
        match self.0.iter_mut().find(|denied| denied.budget == budget && denied.rule == rule) {
            Some(denied) => denied.times += 1,
            None => {
                let (function, op, location) = place();
                self.0.push(Denied { budget, rule, times: 1, function, op, location });
            }
        }
    }

    /// Adds what was refused in another run.
    pub fn add(&mut self, other: &AllDenied) {
        for more in &other.0 {
            match self.0.iter_mut().find(|known| known.budget == more.budget && known.rule == more.rule) {
                Some(known) => known.times += more.times,
                None => self.0.push(more.clone()),
            }
        }
    }

    /// The rule that a budget refused most often, of several the first.
    pub fn most_often(&self, budget: &str) -> Option<&Denied> {
        let of_budget = self.0.iter().filter(|denied| denied.budget == budget);
        of_budget.rev().max_by_key(|denied| denied.times)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rule_that_asked_most_often_is_named_with_its_first_place() {
        let mut all = AllDenied::default();
        for (rule, function) in [(1, "f"), (2, "g"), (2, "h")] {
            all.count("rewrites", rule, || (function.to_owned(), None, Location(0)));
        }
        all.count("nodes", 7, || ("f".to_owned(), None, Location(0)));
        let most = |all: &AllDenied, budget: &str| {
            all.most_often(budget).map(|denied| (denied.rule, denied.times, denied.function.clone()))
        };
        assert_eq!(most(&all, "rewrites"), Some((2, 2, "g".to_owned())));
        assert_eq!(most(&all, "nothing"), None);
        let mut other = AllDenied::default();
        other.count("rewrites", 1, || ("k".to_owned(), None, Location(0)));
        all.add(&other);
        assert_eq!(most(&all, "rewrites"), Some((1, 2, "f".to_owned())), "of several the first");
    }
}
